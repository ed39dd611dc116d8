/** Gives the browser a file to be saved; what a file name should not hold becomes a dash. */
export function saveFile(name: string, content: string | Blob): void {
  const link = document.createElement("a");
  const file = typeof content === "string" ? new Blob([content], { type: "text/plain" }) : content;
  link.href = URL.createObjectURL(file);
  link.download = name.replaceAll(/[^a-z0-9.]+/g, "-");
  link.click();
  URL.revokeObjectURL(link.href);
}
