/** Gives the browser a text to be saved; what a file name should not hold becomes a dash. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name.replaceAll(/[^a-z0-9.]+/g, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}
