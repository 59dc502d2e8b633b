// Stands in for the packages that read files and draw maps, which no chart of the course does.

function absent() {
  throw new Error("This part of Vega is not in the bundle: web/browser/vega/absent.js.");
}

export const dsvFormat = absent;
export const feature = absent;
export const mesh = absent;
export const geoArea = absent;
export const geoBounds = absent;
export const geoCentroid = absent;
