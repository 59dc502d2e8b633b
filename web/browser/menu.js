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

const OPENERS = { __drawer: "Menu", __search: "Search" };

// The theme opens its menu and its search by labels, which may have no role. To a key their signs are buttons.
export function openByKey() {
  for (const opener of document.querySelectorAll("label.md-header__button")) {
    const [toggle, sign] = [opener.control, opener.querySelector("svg")];
    const tell = () => (sign.ariaExpanded = toggle.checked);
    Object.assign(sign, { role: "button", tabIndex: 0, ariaLabel: OPENERS[toggle.id] });
    toggle.addEventListener("change", tell);
    tell();
    sign.addEventListener("keydown", (event) => {
      if (!["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      opener.click();
    });
  }
}
