// The theme keeps hold of parts of every page that it has replaced, and a part of a page holds all that it hangs together
// with. So a page that is gone is taken apart.

import { idle } from "./intent.js";

const REPLACED = "[data-md-component=content], [data-md-component=sidebar]";
let shown = [];

// There is another page.
export function takeApart() {
  const gone = shown.filter((root) => !root.isConnected);
  shown = [...document.querySelectorAll(REPLACED)];
  if (gone.length) idle(() => gone.forEach((root) => root.querySelectorAll("*").forEach((each) => each.remove())));
}
