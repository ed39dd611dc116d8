/** What makes up the look of a board, as far as other programs know it. Children have it from their parents. */
const INHERITED = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
];

/** The rest of it, with what it is where nothing is said. */
const OWN = { opacity: "1", "stop-color": "rgb(0, 0, 0)", "stop-opacity": "1" };

/** Parts that belong to whoever is at the board. */
const PASSING = ".cursor, .ghost, .aim";

/** A drawing as a file that stands on its own: what the styles of the page say is written into its elements. */
export function pictureOf(svg: SVGSVGElement): string {
  const picture = svg.cloneNode(true) as SVGSVGElement;
  const copies = [picture, ...picture.querySelectorAll("*")];
  [svg, ...svg.querySelectorAll("*")].forEach((element, place) => {
    const copy = copies[place]!;
    const style = getComputedStyle(element);
    // What surrounds the drawing stays behind, so the drawing itself says everything.
    const around = element === svg ? null : getComputedStyle(element.parentElement!);
    const say = (name: string, known: string | undefined) => {
      const value = style.getPropertyValue(name);
      // Not every program reads quotation marks in addresses, and names of fonts need none.
      if (value !== known) copy.setAttribute(name, value.replaceAll('"', ""));
      else copy.removeAttribute(name);
    };
    for (const name of INHERITED) say(name, around?.getPropertyValue(name));
    for (const [name, usual] of Object.entries(OWN)) say(name, usual);
    for (const { name } of [...copy.attributes])
      if (name === "class" || /^(data|aria)-/.test(name)) copy.removeAttribute(name);
    if (element.matches(PASSING)) copy.remove();
  });
  const { width, height } = svg.viewBox.baseVal;
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(picture);
}
