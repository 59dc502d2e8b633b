// A failure in words: a sentence for the reader, and beside it what the machine said, for whoever wants to know.

export class Trouble extends Error {
  constructor(sentence, cause = "") {
    super(sentence);
    this.detail = inWords(cause);
  }
}

// Any error as {message, detail}; one that has no sentence of its own gets this one.
export function told(error, sentence) {
  if (error instanceof Trouble) return { message: error.message, detail: error.detail };
  return { message: sentence, detail: inWords(error) };
}

const inWords = (error) => String(error?.message ?? error);
