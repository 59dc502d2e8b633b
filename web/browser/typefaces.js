// A browser asks for a typeface when words set in it come near the screen. Readers who compute may lose the network
// after that: so all that a page is set in comes while the calculator does.

const SET = "em, strong, .katex-html [class]";
const primary = ({ fontStyle, fontWeight, fontFamily }) => `${fontStyle} ${fontWeight} 1em ${fontFamily.split(",")[0]}`;

export function fetchTypefaces(root) {
  const kinds = new Map();
  for (const each of root.querySelectorAll(SET)) kinds.set(each.localName + each.className, each);
  const wanted = new Set([...kinds.values()].map((each) => primary(getComputedStyle(each))));
  for (const font of wanted) document.fonts.load(font).catch(() => {}); // another is read as well
}
