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
const PASSING = ".cursor, .ghost, .aim, .premove";

/** A copy of an element of a drawing in which what the styles of the page say is written down. What surrounds it is taken as said, unless it is the whole. */
export function styledCopy<T extends Element>(whole: T, isWhole: boolean): T {
  const picture = whole.cloneNode(true) as T;
  const copies = [picture, ...picture.querySelectorAll("*")];
  [whole, ...whole.querySelectorAll("*")].forEach((element, place) => {
    const copy = copies[place]!;
    const style = getComputedStyle(element);
    const around = isWhole && element === whole ? null : getComputedStyle(element.parentElement!);
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
  return picture;
}

/** A drawing as a picture that stands on its own, as large as it says. */
export function pictureOf(svg: SVGSVGElement): SVGSVGElement {
  const picture = styledCopy(svg, true);
  const { width, height } = svg.viewBox.baseVal;
  picture.setAttribute("width", String(width));
  picture.setAttribute("height", String(height));
  return picture;
}

export function svgText(picture: SVGSVGElement): string {
  return new XMLSerializer().serializeToString(picture);
}

const PNG_WIDTH = 1200;

/** A picture in pixels. */
export async function pngOf(picture: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = PNG_WIDTH;
  canvas.height = Math.round((PNG_WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(NO_PNG))), "image/png");
  });
}

const NO_PNG = "The browser could not make a PNG of the board. Save it as SVG instead.";
