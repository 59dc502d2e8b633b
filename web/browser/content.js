// The text of the page that is shown. Search results are articles too, and stand before it.

export const content = () => document.querySelector("[data-md-component=content] > article") ?? document.body;

// Whoever listens, or goes by keys, is put at the title of a page; who looks is left where they are.
export function focusTitle() {
  const title = content().querySelector("h1");
  if (title) title.tabIndex = -1;
  title?.focus({ preventScroll: true });
}

// Its title, without the sign that links to it; a word that was searched for is an element in it.
export function titleIn(root) {
  const parts = [...(root.querySelector("h1")?.childNodes ?? [])].filter((node) => !node.matches?.(".headerlink"));
  return parts.map(({ textContent }) => textContent).join("").trim() || document.title;
}
