// When the runtime may begin to load. Nobody pays for a look: it takes a finger, a key or a pointer that aims at an input. A
// form in view is enough only where the browser says that the link is fast and that its bytes cost nothing; where they
// are dear, it takes a change.

import { noteSlow, recallSlow } from "./memory.js";

const FAST = 10; // Mbit/s: no browser tells of more
const FREE = ["ethernet", "wifi"];
const AIMED = ".rl-input :is(input, select, button)";

export function dataAreDear(connection = navigator.connection) {
  if (!connection) return false;
  return connection.saveData || connection.type === "cellular" || /(^|-)2g$/.test(connection.effectiveType ?? "");
}

// A telephone may hand its link on, and a browser that says nothing may be on one.
export function dataAreFree({ connection, userAgentData } = navigator) {
  if (!connection || dataAreDear(connection) || userAgentData?.mobile !== false) return false;
  return FREE.includes(connection.type) && connection.downlink >= FAST;
}

// Measured on the page itself, if it did not come from what the browser keeps; then what was measured last is true still.
export function linkIsSlow([page] = performance.getEntriesByType("navigation")) {
  if (page?.transferSize < page?.encodedBodySize) return recallSlow();
  const megabits = (page?.transferSize * 8) / (page?.responseEnd - page?.responseStart) / 1000;
  noteSlow(megabits < FAST);
  return megabits < FAST;
}

export function onIntent(elements, begin, signal) {
  if (dataAreDear() || !elements.length) return;
  const aim = (event) => event.target.closest(AIMED) && begin();
  for (const element of elements) {
    for (const type of ["pointerdown", "focusin"]) element.addEventListener(type, begin, { signal, once: true, passive: true });
    element.addEventListener("pointermove", aim, { signal, passive: true }); // a page that scrolls moves no pointer
  }
  if (dataAreFree()) afterPaint(() => !signal.aborted && onceSeen(elements, begin, signal));
}

function onceSeen(elements, begin, signal) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    begin();
  });
  for (const element of elements) observer.observe(element);
  signal.addEventListener("abort", () => observer.disconnect());
}

// The second frame after this one begins when the first has been painted; a hidden page paints nothing, and waits.
function afterPaint(then) {
  requestAnimationFrame(() => requestAnimationFrame(() => idle(then)));
}

export const idle = (then) => (window.requestIdleCallback ? requestIdleCallback(then, { timeout: 200 }) : setTimeout(then, 1));
