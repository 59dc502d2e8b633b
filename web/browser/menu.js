// On a narrow screen the theme's menu opens within the page's own section, which in a lecture holds its lab alone. A list of
// one is not worth opening: the menu opens on the list around it.

export function openWhereThereIsAChoice() {
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "__drawer" || !target.checked) return;
    for (const toggle of document.querySelectorAll(".md-nav--primary .md-nav__toggle:checked")) {
      if (toggle.parentElement.querySelectorAll(".md-nav__item").length === 1) toggle.click();
    }
  });
}
