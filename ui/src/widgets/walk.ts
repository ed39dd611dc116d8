/** Arrow keys go from one button of an element to the next; in a field of text those to the sides are the field's own. */
export function walkButtons(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
  if (step === undefined || (sideways && event.target instanceof HTMLInputElement)) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons.at(Math.max(at + step, -1) % buttons.length)?.focus();
  event.preventDefault();
}
