// An element with its properties and children; text goes in as text.

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Beside a text what it was for the scenario that is pinned as A; an empty one goes.
export function setBeside(place, text) {
  const next = place.nextElementSibling;
  const mark = next?.matches(".rl-was") ? next : undefined;
  if (!text) return mark?.remove();
  const said = place.localName === "samp" ? ` (A: ${text})` : `A: ${text}`;
  if (mark) setText(mark, said);
  else place.after(element(place.localName === "dd" ? "dd" : "span", { className: "rl-was" }, said));
}
