// Whoever leaves the search by Escape is again where they came from.

export function returnFromSearch() {
  const search = document.querySelector(".md-search");
  let from;
  search?.addEventListener("focusin", ({ relatedTarget: left }) => {
    if (left && !search.contains(left)) from = left;
  });
  search?.addEventListener("keydown", ({ key }) => key === "Escape" && setTimeout(() => from?.focus()));
}
