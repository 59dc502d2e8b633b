"""The style sheets of a site become one that says the same."""

from __future__ import annotations

from pathlib import Path

from web import sheet

LINK = '<link rel="stylesheet" href="{}">'


def test_sheets_are_joined_in_the_order_of_their_links_and_fetch_what_they_did(tmp_path: Path) -> None:
    for name, text in {"assets/fonts/a.css": "a{b:url('c.woff2')}", "stylesheets/d.css": "e{f:url(data:g)}"}.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, "utf-8")
    links = "\n".join(LINK.format(f"../{name}") for name in ("assets/fonts/a.css", "stylesheets/d.css"))
    page = tmp_path / "one" / "index.html"
    page.parent.mkdir()
    page.write_text(f"<head>{links}\n<meta></head>", "utf-8")
    sheet.install(tmp_path)
    (made,) = tmp_path.rglob("*.css")
    assert made.read_text("utf-8") == "a{b:url(fonts/c.woff2)}e{f:url(data:g)}"
    assert page.read_text("utf-8") == f"<head>{LINK.format(f'../assets/{made.name}')}<meta></head>"


def test_a_page_without_a_sheet_stays_as_it_is() -> None:
    assert sheet.linked("<head></head>", "assets/site.css") == "<head></head>"


def test_properties_stay_while_a_sheet_a_page_a_chart_or_a_script_asks_for_them(tmp_path: Path) -> None:
    asking = {"a.html": '<p style="--page:1">', "b.json": '"var(--chart, #fff)"', "c.js": 'set("--script")'}
    for name, text in asking.items():
        (tmp_path / name).write_text(text, "utf-8")
    given = ":root{--page:1;--chart:2;--script:3;--own:4;--through:var(--nobody);--nobody:url('a;b}')}p{q:var(--own)}"
    kept = ":root{--page:1;--chart:2;--script:3;--own:4;}p{q:var(--own)}"
    assert sheet.lasting(given, sheet.asked(tmp_path)) == kept
