// A page that does nothing but talk to the worker and note what it hears.
const heard = [];
const worker = new Worker(document.body.dataset.worker, { type: "module" });
worker.onmessage = ({ data }) => heard.push(data);
worker.onerror = (event) => heard.push({ type: "failed", message: event.message });
window.heard = heard;
window.say = (message) => worker.postMessage(message);
