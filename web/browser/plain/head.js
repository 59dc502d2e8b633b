// Runs in the head of a page, before anything is laid out: a file of its own, because a strict policy wants no script in a
// page. A reader who chose light or dark gets it, one who comes back, or to a place on the page, gets it whole (scheme.js
// and whole.js), and one who computed here before has all that it takes: it starts beside the reading of the page. It
// starts for one who changes an input before the script of the page has come, too. `Runtime` takes it over.
{
  const { currentScript, documentElement } = document;
  const { worker } = currentScript.dataset; // named on pages with figures, beside this file
  const came = performance.getEntriesByType("navigation")[0]?.type;
  if (came !== "navigate" || location.hash) documentElement.dataset.whole = "";
  window.rooflinesPlace = history.state; // the theme soon writes over it (place.js)
  const address = worker && new URL(worker, currentScript.src).href;
  const hire = (name) => {
    const hired = new Worker(address, { type: "module", name });
    window.rooflines = { worker: hired };
    hired.onerror = () => (window.rooflines.failed = true);
    return hired;
  };
  document.addEventListener("input", ({ target }) => {
    if (address && !window.rooflines && target.closest(".rl-inputs")) hire("rooflines").postMessage({ type: "start" });
  }, true);
  try {
    const place = came === "reload" && JSON.parse(sessionStorage.getItem("rooflines.place"));
    if (place && place.address === location.href) window.rooflinesPlace = place;
    const scheme = localStorage.getItem("rooflines.scheme");
    if (scheme) documentElement.dataset.scheme = scheme;
    if (address && localStorage.getItem("rooflines.ran") === address) hire("rooflines-resuming");
  } catch {
    // Storage is refused: every visit is the first.
  }

  // The theme's own four, which it has inside its pages; these survive where storage is refused.
  const site = new URL("../", currentScript.src);
  window.__md_scope = site;
  window.__md_hash = (text) => [...text].reduce((sum, letter) => (sum << 5) - sum + letter.charCodeAt(0), 0);
  window.__md_get = (key, storage, scope = site) => {
    try {
      return JSON.parse((storage ?? localStorage).getItem(`${scope.pathname}.${key}`));
    } catch {
      return null;
    }
  };
  window.__md_set = (key, value, storage, scope = site) => {
    try {
      (storage ?? localStorage).setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
    } catch {
      // The theme forgets.
    }
  };
}
