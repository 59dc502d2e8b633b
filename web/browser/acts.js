// Acts that a reader does now and then, with a figure or an exercise: their script comes with the first of them.

export { judge } from "./judge.js";
export { Matters } from "./matters.js";
export { cite, download, drawing, showLink, takeAlong } from "./take.js";
