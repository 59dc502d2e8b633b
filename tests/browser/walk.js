// Walks the figures of a live page through rounds of [figure, input, value]s, each from the defaults on: what is seen of
// every figure as built and live, and after each round of those that took part.
async ([names, rounds]) => {
  const shown = (element) => element.getClientRects().length > 0;
  const all = (selector, where) => [...where.querySelectorAll(selector)];
  const texts = (selector, where) => all(selector, where).map((element) => element.textContent);
  const called = (name, where = document) => where.querySelector(`figure[data-figure="${name}"]`);
  const part = (name, input, selector) => called(name).querySelector(`[data-input="${input}"] ${selector}`);
  const field = (name, input) => part(name, input, ":is(.rl-box, .rl-select)");

  const told = (figure) => ({
    finding: figure.querySelector("[data-role=finding]").textContent,
    description: figure.querySelector(".rl-chart").getAttribute("aria-label"),
    labels: texts(".rl-values > div:not([hidden]) dt", figure),
    values: texts(".rl-values > div:not([hidden]) dd", figure),
    notes: texts("[data-role=notes] li", figure),
    table: texts(".rl-table td", figure).join("|"),
  });

  // Drawings are long: each is told by its place among the different ones.
  const drawings = new Map();
  const numbered = (drawing) => drawings.get(drawing) ?? (drawings.set(drawing, drawings.size), drawings.size - 1);

  const look = (name) => {
    const figure = called(name);
    const drawing = all(".rl-chart svg", figure).find(shown)?.outerHTML ?? "";
    return {
      ...told(figure),
      sentences: all(".rl-error, .rl-stale-note", figure).filter(shown).map((element) => element.textContent),
      stale: figure.classList.contains("rl-stale"),
      broken: !drawing || /NaN|Infinity|undefined/.test(drawing),
      drawing: numbered(drawing),
    };
  };
  const lookAt = (some) => Object.fromEntries(some.map((name) => [name, look(name)]));

  const until = (done) => new Promise((resolve, reject) => {
    const watch = new MutationObserver(() => check());
    const late = setTimeout(() => reject(new Error("The page did not answer.")), 60_000);
    const check = () => done() && (watch.disconnect(), clearTimeout(late), resolve());
    watch.observe(document.body, { attributes: true, childList: true, subtree: true });
    check();
  });
  const settled = () => until(() => !document.querySelector("[data-behind]"));

  const set = (name, input, value) => {
    field(name, input).value = value;
    field(name, input).dispatchEvent(new Event("input", { bubbles: true }));
  };

  // Nothing is asked of the things around the figures: to lay them out after each step takes a fifth of the walk.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".rl-table table, article > :not(.rl-figure, :has(.rl-figure)) { display: none }");
  document.adoptedStyleSheets.push(sheet);

  const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
  const built = Object.fromEntries(names.map((name) => [name, told(called(name, page))]));
  for (const name of names) {
    for (const table of all("details.rl-table", called(name))) table.open = true;
    called(name).scrollIntoView();
    await until(() => called(name).querySelector(".rl-stage"));
  }
  await settled();
  const form = () => all(".rl-inputs :is(.rl-box, .rl-select)", document).map(({ value }) => value).join("|");
  const before = form();
  const live = lookAt(names);
  const seen = [];
  for (const round of rounds) {
    for (const step of round) set(...step);
    await settled();
    seen.push(lookAt(round.map(([name]) => name)));
    for (const [name, input] of round) part(name, input, ".rl-reset").click();
  }
  await settled();
  if (form() !== before) throw new Error("The resets did not bring the defaults back.");
  return { built, live, rounds: seen };
}
