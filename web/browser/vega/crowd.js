// Thousands of marks of a kind as a few paths. A browser looks at every element of a drawing whenever one of them changes,
// so a crowd of elements that stand still would make the one that moves slow.

import { Marks, renderModule, SVGRenderer } from "vega-scenegraph";
import { placed } from "./outline.js";

const CROWD = 1000; // marks
const BUNCHES = 40; // paths of one look: where marks of two of them overlap, they darken one another
const LOOK = { fill: "fill", fillOpacity: "fill-opacity", opacity: "opacity", stroke: "stroke", strokeOpacity: "stroke-opacity", strokeWidth: "stroke-width" };

const crowded = ({ marktype, items }) => marktype === "symbol" && items.length >= CROWD;

class Renderer extends SVGRenderer {
  // A mark that has left a crowd stands in no drawing: another of the crowd says that something has changed.
  dirty(item) {
    super.dirty(item.exit && crowded(item.mark) ? item.mark.items[0] : item);
  }

  mark(parent, scene, before, types) {
    if (!crowded(scene)) return super.mark(parent, scene, before, types);
    if (!this.isDirty(scene)) return scene._svg;
    const group = (scene._svg ??= drawn(parent, "g"));
    const place = before ? before.nextSibling : parent.firstChild;
    if (group !== place) parent.insertBefore(group, place);
    group.setAttribute("class", "rl-crowd");
    group.setAttribute("pointer-events", "none");
    group.replaceChildren(...bunches(scene.items).map((attributes) => drawn(parent, "path", attributes)));
    return group;
  }
}

function drawn({ ownerDocument, namespaceURI }, name, attributes = {}) {
  const element = ownerDocument.createElementNS(namespaceURI, name);
  for (const each of Object.entries(attributes)) element.setAttribute(...each);
  return element;
}

// Attributes of the paths: marks that look alike, every fortieth of them in one.
function bunches(items) {
  const found = new Map();
  items.forEach((item, at) => {
    const look = Object.entries(LOOK).filter(([property]) => item[property] != null).map(([property, name]) => [name, item[property]]);
    const key = JSON.stringify([at % BUNCHES, look]);
    if (!found.has(key)) found.set(key, { look, outlines: [] });
    found.get(key).outlines.push(placed(outline(item), item.x ?? 0, item.y ?? 0));
  });
  return [...found.values()].map(({ look, outlines }) => ({ ...Object.fromEntries(look), d: outlines.join("") }));
}

function outline(item) {
  let drawn = "";
  Marks.symbol.attr((name, value) => name === "d" && (drawn = value), item);
  return drawn;
}

renderModule("svg", { ...renderModule("svg"), renderer: Renderer });
