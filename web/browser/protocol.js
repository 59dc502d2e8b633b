// The contract between a page and its worker: plain JSON, both ways.
//   page to worker   {type: "start"}
//                    {type: "resume"}                      start if that takes nothing but what is kept here
//                    {type: "run", id, requests: [{figure, inputs}]}
//   worker to page   {type: "progress", loaded, total}     bytes, while starting
//                    {type: "live", seconds, restored}     restored: from the memory kept at an earlier visit
//                    {type: "answer", id, answer}          one for each request, in their order
//                    {type: "failed", message, detail}     the start failed, or a run had no answer; the page may start again

export const start = () => ({ type: "start" });
export const resume = () => ({ type: "resume" });
export const run = (id, requests) => ({ type: "run", id, requests });

export const progress = (loaded, total) => ({ type: "progress", loaded, total });
export const live = (seconds, restored) => ({ type: "live", seconds, restored });
export const answer = (id, value) => ({ type: "answer", id, answer: value });
export const failed = ({ message, detail }) => ({ type: "failed", message, detail });
