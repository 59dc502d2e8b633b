// A page that does nothing but talk to the worker and note what it hears.
const heard = [];
const news = new EventTarget();
const worker = new Worker(document.body.dataset.worker, { type: "module" });

function note(message) {
  heard.push(message);
  news.dispatchEvent(new Event("message"));
}

worker.onmessage = ({ data }) => note(data);
worker.onerror = ({ message }) => note({ type: "failed", message });
window.heard = heard;
window.say = (message) => worker.postMessage(message);
window.count = (kind) => heard.filter(({ type }) => type === kind).length;
// The first message of a kind that comes after so many; null if none comes in time.
window.hear = (kind, after, patience) =>
  new Promise((resolve) => {
    const look = () => window.count(kind) > after && resolve(heard.findLast(({ type }) => type === kind));
    news.addEventListener("message", look);
    setTimeout(resolve, patience, null);
    look();
  });
