// Material's search, begun by the first question instead of by every page: its worker and the index of all texts are
// fetched then. The messages are Material's own, and every page begins by asking for nothing.

const [SET_UP, READY, QUESTION, ANSWER] = [0, 1, 2, 3];
const worker = "{worker}";
const index = "{index}";

const answer = self.postMessage.bind(self);
let settings;
let question;
let starting;

self.addEventListener("message", listen);

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
