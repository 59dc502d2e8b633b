// Runs in the head of a lecture, before its own scripts: edits the first figure before any of them has attached, and notes
// when each thing is done, in milliseconds since 1970 (`bench`).
{
  const now = () => performance.timeOrigin + performance.now();
  const bench = (window.bench = { times: { asked: performance.timeOrigin }, edits: [] });

  // It hears of each answer before the page does.
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data }) => {
        if (data.type === "live") bench.live = data.times;
        if (data.type === "answer") bench.answered ??= now();
      });
    }

    postMessage(message, ...rest) {
      if (message.type === "run") bench.run ??= now();
      super.postMessage(message, ...rest);
    }
  };

  addEventListener("DOMContentLoaded", () => {
    bench.times.read = now();
    const finding = document.querySelector("#step-time [data-role=finding]");
    if (!finding) return;
    const box = document.querySelector("#step-time-batch");
    const before = finding.textContent;
    box.value = "16k";
    box.dispatchEvent(new Event("input", { bubbles: true }));
    bench.first = new Promise((done) => {
      const note = () => finding.textContent !== before && done({ ...bench.times, ...bench.live, shown: now() });
      new MutationObserver(note).observe(finding, { childList: true, characterData: true, subtree: true });
    });
  });

  // Edits the batch again and again; each is over when the number and the chart of the figure have both changed.
  bench.edit = async (edits) => {
    const figure = document.querySelector("#step-time");
    const box = figure.querySelector("#step-time-batch");
    const number = figure.querySelector("[data-value$='.step']");
    const chart = figure.querySelector(".rl-chart");
    // The words that describe a chart are set on its box, before its marks are.
    const changed = (element) => new Promise((done) => {
      const watch = new MutationObserver((records) => {
        if (element === chart && records.every(({ target }) => target === chart)) return;
        watch.disconnect();
        done(now());
      });
      watch.observe(element, { childList: true, characterData: true, attributes: true, subtree: true });
    });
    const found = [];
    for (let edit = 0; edit < edits; edit++) {
      do await new Promise((rest) => setTimeout(rest, 60)); while (document.querySelector("[data-behind]"));
      const both = Promise.all([changed(number), changed(chart)]);
      bench.run = bench.answered = undefined; // of the first of the figures that follow
      const asked = now();
      box.value = String(20000 + 500 * edit);
      box.dispatchEvent(new Event("input", { bubbles: true }));
      const shown = Math.max(...(await both));
      found.push(JSON.parse(JSON.stringify({ asked, run: bench.run, answered: bench.answered, shown }))); // without what was not
    }
    return found;
  };
}
