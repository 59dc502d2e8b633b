// A browser asks for a typeface when words set in it come near the screen. Readers who compute may lose the network
// after that: so all that a page is set in comes when the calculator has, and the first answer has had its turn.

const SET = "em, strong, .katex-html [class]";
const primary = ({ fontStyle, fontWeight, fontFamily }) => `${fontStyle} ${fontWeight} 1em ${fontFamily.split(",")[0]}`;

export function fetchTypefaces(root) {
  const kinds = new Map();
  // The first of each kind: the style of parts far from the screen is not known yet, and takes long to ask for.
  for (const each of [...root.querySelectorAll(SET)].reverse()) kinds.set(each.localName + each.className, each);
  const wanted = new Set([...kinds.values()].map((each) => primary(getComputedStyle(each))));
  for (const font of wanted) document.fonts.load(font).catch(() => {}); // another is read as well
}
