// Given a live figure and steps of [input, value]: what is seen as built, at the defaults, and after each step.
async (figure, steps) => {
  const shown = (element) => element.getClientRects().length > 0;
  const all = (selector, where = figure) => [...where.querySelectorAll(selector)];
  const texts = (selector, where) => all(selector, where).map((element) => element.textContent);
  const field = (name) => figure.querySelector(`[data-input="${name}"] :is(.rl-box, .rl-select)`);

  const told = (where) => ({
    finding: where.querySelector("[data-role=finding]").textContent,
    description: where.querySelector(".rl-chart").getAttribute("aria-label"),
    values: texts(".rl-values > div:not([hidden]) dd", where),
    notes: texts("[data-role=notes] li", where),
    table: texts(".rl-table td", where).join("|"),
  });

  const look = () => {
    const drawing = all(".rl-chart svg").find(shown)?.outerHTML ?? "";
    return {
      ...told(figure),
      sentences: all(".rl-error, .rl-stale-note").filter(shown).map((element) => element.textContent),
      stale: figure.classList.contains("rl-stale"),
      broken: !drawing || /NaN|Infinity|undefined/.test(drawing),
      drawing,
    };
  };

  const until = (done) => new Promise((resolve, reject) => {
    const watch = new MutationObserver(() => check());
    const late = setTimeout(() => reject(new Error("The figure did not answer.")), 20_000);
    const check = () => done() && (watch.disconnect(), clearTimeout(late), resolve());
    watch.observe(figure, { attributes: true, childList: true, subtree: true });
    check();
  });
  const settled = () => until(() => !figure.hasAttribute("data-behind"));

  const set = (name, value) => {
    field(name).value = value;
    field(name).dispatchEvent(new Event("input", { bubbles: true }));
    return settled();
  };

  const page = new DOMParser().parseFromString(await (await fetch(location.pathname)).text(), "text/html");
  const built = told(page.querySelector(`figure[data-figure="${figure.dataset.figure}"]`));
  const table = figure.querySelector("details.rl-table");
  if (table) table.open = true;
  const [first] = all(".rl-input").map((input) => input.dataset.input);
  const before = field(first).value;
  await until(() => figure.querySelector(".rl-stage"));
  await settled(); // after what the figure before did to the inputs that they share
  const live = look();
  const seen = [];
  for (const [name, value] of steps) {
    await set(name, value);
    seen.push(look());
    figure.querySelector(`[data-input="${name}"] .rl-reset`).click();
    await settled();
  }
  if (field(first).value !== before) throw new Error("A reset did not bring the default back.");
  return { built, live, steps: seen };
}
