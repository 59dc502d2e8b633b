// The same order of sets for every reader: what was seen to run while the engine was built is what runs.
export const environment = { PYTHONHASHSEED: "0" };
