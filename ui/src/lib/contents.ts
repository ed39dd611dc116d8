/** What a file holds, as the server wants it: a text, or bytes where it is none. */
export type Contents = { text: string } | { hex: string };

/** The contents of bytes: text if they are that, else two digits a byte. */
export function contentsOf(bytes: Uint8Array): Contents {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // Binary files of games may be text by chance, but for zeros.
    if (!text.includes("\0")) return { text };
  } catch {
    // Not text, or in an old encoding.
  }
  if (bytes.includes(0))
    return { hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
  return { text: new TextDecoder("windows-1252").decode(bytes) };
}

export async function readContents(file: File): Promise<Contents> {
  return contentsOf(new Uint8Array(await file.arrayBuffer()));
}
