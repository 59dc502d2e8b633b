// The contract between a page and its worker: plain JSON, both ways.
//   page to worker   {type: "start", kept, slow, near}    kept: the id of the runtime whose memory was kept before;
//                                                          slow: the link is; near: the figures of the page,
//                                                          the first to be asked for first
//                    {type: "resume", kept, slow}          start if that takes nothing but what is kept here
//                    {type: "run", id, request: {figure, inputs, known, room, ways}}   known: keys of the steady tables
//                                                          here; room: what it rests on besides;
//                                                          ways: not its answer, but how inputs can be moved
//                    {type: "stop", id}                    that answer is not wanted any more: it ends between two parts
//   worker to page   {type: "progress", loaded, total}     bytes, while starting
//                    {type: "live", seconds, restored, times}   restored: from the memory kept at an earlier visit;
//                                                          times: when its stages were over, in milliseconds since 1970:
//                                                          begun, came (all files), compiled, started (Python), imported
//                    {type: "kept", id}                    the work of keeping this memory is done, or was in vain
//                    {type: "counted", id, count: {done, of, counted}}   so many parts of a long answer are computed
//                    {type: "answer", id, answer}          the answer to that request, or {stopped: count}
//                    {type: "failed", message, detail}     the start failed, or a run had no answer; the page may start again

export const start = (kept, slow, near) => ({ type: "start", kept, slow, near });
export const resume = (kept, slow) => ({ type: "resume", kept, slow });
export const run = (id, request) => ({ type: "run", id, request });
export const stop = (id) => ({ type: "stop", id });

export const progress = (loaded, total) => ({ type: "progress", loaded, total });
export const live = (seconds, restored, times) => ({ type: "live", seconds, restored, times });
export const kept = (id) => ({ type: "kept", id });
export const counted = (id, count) => ({ type: "counted", id, count });
export const answer = (id, value) => ({ type: "answer", id, answer: value });
export const failed = ({ message, detail }) => ({ type: "failed", message, detail });
