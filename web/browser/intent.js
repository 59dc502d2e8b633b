// When the runtime may begin to load: a form is in view, pointed at or focused; if data are dear, only on a change.

export function dataAreDear(connection = navigator.connection) {
  if (!connection) return false;
  return connection.saveData || connection.type === "cellular" || /(^|-)2g$/.test(connection.effectiveType ?? "");
}

export function onIntent(elements, begin, signal) {
  if (dataAreDear() || !elements.length) return;
  for (const element of elements) {
    for (const type of ["pointerenter", "focusin", "touchstart"]) {
      element.addEventListener(type, begin, { signal, once: true, passive: true });
    }
  }
  afterPaint(() => !signal.aborted && onceSeen(elements, begin, signal));
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

const idle = (then) => (window.requestIdleCallback ? requestIdleCallback(then, { timeout: 200 }) : setTimeout(then, 1));
