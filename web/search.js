// Material's search, begun by the first question instead of by every page: its worker and the index of all texts are
// fetched then. The messages are Material's own, and every page begins by asking for nothing. Each question, the first
// and later ones, goes to the worker without words that say nothing: a word is sought as the beginning of others, so
// "a" would find "answer".

const [SET_UP, READY, QUESTION, ANSWER] = [0, 1, 2, 3];
const worker = "{worker}";
const index = "{index}";

const answer = self.postMessage.bind(self);
let settings;
let question;
let starting;

self.addEventListener("message", steer); // stays, and comes before the imported worker's own listener
self.addEventListener("message", listen);

function steer({ data }) {
  if (data.type === QUESTION && self.lunr) data.data = telling(data.data); // lunr comes with the worker
}

// A question without single letters and lunr's stop words, unless nothing else is left.
function telling(question) {
  const asked = question.replace(/[?!]+(?=[\s"]|$)/g, "");
  const bare = /(?<![^\s"])([\p{L}'’]+)(?![^\s",;.])\s*/gu;
  const told = asked.replace(bare, (all, word) => saysNothing(word) ? "" : all);
  return /[\p{L}\p{N}]/u.test(told) ? told.trim() : asked;
}

function saysNothing(word) {
  return word.length === 1 || !self.lunr.stopWordFilter(word.toLowerCase());
}

function listen({ data }) {
  if (data.type === SET_UP) {
    settings = data.data;
    answer({ type: READY });
  } else if (data.type === QUESTION && !data.data.trim()) {
    answer({ type: ANSWER, data: { items: [] } });
  } else if (data.type === QUESTION) {
    question = data;
    starting ??= start().catch(() => (starting = undefined));
  }
}

async function start() {
  const { config, docs } = await (await fetch(index)).json();
  self.importScripts(worker);
  self.removeEventListener("message", listen);
  self.postMessage = (message) => {
    if (message.type !== READY) return answer(message);
    self.postMessage = answer;
    return hand(question);
  };
  hand({ type: SET_UP, data: { ...settings, config, docs } });
}

// The imported worker listens on this same scope; a later question replaces the one that waits.
function hand(data) {
  self.dispatchEvent(new MessageEvent("message", { data }));
}
