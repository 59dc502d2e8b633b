"""One style sheet for the whole site, in place of the theme's, KaTeX's and its own: one request, packed as one."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from posixpath import dirname, join, relpath

from web.hashed import hashed

FOLDER = "assets"
_LINK = re.compile(r'<link rel="stylesheet" href="(?P<up>[^"]*?)(?P<sheet>(?:assets|stylesheets)/[^"]+\.css)">\s*')
_FETCHED = re.compile(r"url\((?P<quote>['\"]?)(?!data:|#)(?P<address>[^'\")]+)(?P=quote)\)")
_NAME = re.compile(r"--[A-Za-z][\w-]*")
_USED = re.compile(r"var\(\s*(--[\w-]+)")
_SET = re.compile(r"(?<=[{;])(--[\w-]+)\s*:(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[^;{}\"'])*(?:;|(?=\}))")
_LOOSE = re.compile(
    r"(?P<kept>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|url\([^)]*\))|\s*(?P<mark>[{};,>])\s*|(?<=[\w-]:) +"
)
_READ = (".html", ".js", ".json")  # files that may ask for a property


def install(site: Path) -> None:
    """Join the style sheets that the pages of a built site link, in the order in which they do."""
    pages = {page: page.read_text("utf-8") for page in sorted(site.rglob("*.html"))}
    names = list(dict.fromkeys(link["sheet"] for text in pages.values() for link in _LINK.finditer(text)))
    sheets = (moved((site / name).read_text("utf-8"), dirname(name)) for name in names)
    made = tight(lasting("".join(sheets), asked(site))).encode()
    name = f"{FOLDER}/{hashed('site', made, 'css')}"
    (site / name).write_bytes(made)
    for page, text in pages.items():
        page.write_text(linked(text, name), "utf-8")
    for each in names:
        (site / each).unlink()


def moved(sheet: str, folder: str) -> str:
    """A style sheet of one folder of the site as it reads in that of the joined one.

    >>> moved("a{b:url(fonts/c.woff2)}", "assets/katex")
    'a{b:url(katex/fonts/c.woff2)}'
    """
    return _FETCHED.sub(lambda found: f"url({relpath(join(folder, found['address']), FOLDER)})", sheet)


def tight(sheet: str) -> str:
    """A sheet without the spaces that mean nothing; those in strings and addresses do.

    >>> tight("a > b, c :is(d) {\\n  e: f g;\\n  h: ', ' }")
    "a>b,c :is(d){e:f g;h:', '}"
    """
    return _LOOSE.sub(lambda found: found["kept"] or found["mark"] or "", sheet)


def asked(site: Path) -> set[str]:
    """The properties that pages, charts and scripts of a built site ask for."""
    engine = site / FOLDER / "engine"
    read = (path for path in site.rglob("*") if path.suffix in _READ and engine not in path.parents)
    return {name for path in read for name in _NAME.findall(path.read_text("utf-8"))}


def lasting(sheet: str, asked: Collection[str]) -> str:
    """A sheet without the properties for which neither it nor anything else asks.

    >>> lasting(".a{--b:url('x;}');--c:1;--d:2;e:var(--d)}", {"--c"})
    '.a{--c:1;--d:2;e:var(--d)}'
    """
    wanted = {*asked, *_USED.findall(sheet)}
    kept = _SET.sub(lambda found: found[0] if found[1] in wanted else "", sheet)
    return kept if kept == sheet else lasting(kept, asked)


def linked(page: str, name: str) -> str:
    """A page that links this sheet where its first was, and no other.

    >>> linked('<link rel="stylesheet" href="../assets/a.css"> <link rel="stylesheet" href="../assets/b.css">', "c.css")
    '<link rel="stylesheet" href="../c.css">'
    """
    first = _LINK.search(page)
    if not first:
        return page
    rest = _LINK.sub("", page[first.end() :])
    return f'{page[: first.start()]}<link rel="stylesheet" href="{first["up"]}{name}">{rest}'
