// An element with its properties and children; text goes in as text.

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
