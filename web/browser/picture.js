// A drawing as a file, for a slide or a sheet: in the colours of paper, whichever the page has, with where it is from.

const SVG = "http://www.w3.org/2000/svg";
const INK = "#1d2926";
const MARGIN = 16; // at both sides: another machine's letters are wider
const ROOM = 34; // below the drawing, for two lines
const LARGEST = 11; // pixels
const WIDTH_OF_A_SIGN = 0.55; // of the height of its line
const OF_PAPER = /var\(--[\w-]+, ?([^()]*)\)/g; // what a colour is where there is no style sheet

export function pictured(drawn, { title, finding, site, address }) {
  const { width, height } = drawn.viewBox.baseVal;
  const picture = drawn.cloneNode(true);
  for (const name of ["aria-hidden", "focusable", "style", "class"]) picture.removeAttribute(name);
  const frame = { x: -MARGIN, y: 0, width: width + 2 * MARGIN, height: height + ROOM };
  for (const name of ["width", "height"]) picture.setAttribute(name, frame[name]);
  picture.setAttribute("viewBox", Object.values(frame).join(" "));
  picture.prepend(made("title", {}, finding), made("rect", { ...frame, fill: "white" }));
  for (const [line, text] of [`${title}, ${site}, CC BY 4.0`, address].entries()) {
    const size = Math.min(LARGEST, width / (WIDTH_OF_A_SIGN * text.length));
    picture.append(made("text", { x: 0, y: height + 14 + 14 * line, fill: INK, "font-size": size.toFixed(1) }, text));
  }
  return new XMLSerializer().serializeToString(picture).replace(OF_PAPER, "$1");
}

function made(name, attributes, text = "") {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
}
