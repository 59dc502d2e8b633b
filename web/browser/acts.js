// Acts that a reader does with a figure now and then: their script comes with the first of them.

export { Matters } from "./matters.js";
export { cite, download, drawing, showLink, takeAlong } from "./take.js";
