"""What a lecture may write in Markdown: a `figure` fence, and `#!value` numbers in the prose.

    ```figure
    batching/step-time
    try: a long context | context=100k
    ```

    A step takes at least `#!value batching/step-time.step`.

Every mistake is gathered with its file and line, and the page refuses to build with all of them.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from calc import figures
from calc.errors import CalcError
from calc.live import SCENARIO, Answer, Figure, InputError
from web import charts, figure_html


@dataclass
class PageFigures:
    """The figures of the page that is being built: what is drawn, what is quoted, what went wrong."""

    path: str
    markdown: str
    chapter: str = ""
    lecture: int | None = None
    drawn: dict[str, str] = field(default_factory=dict)
    quoted: dict[str, None] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    answers: dict[str, tuple[Figure, Answer]] = field(default_factory=dict)

    def declarations(self) -> str:
        """The figures that the prose quotes and the page does not draw."""
        quoted = (name for name in self.quoted if name not in self.drawn)
        return "".join(figure_html.declaration(figures.find(name), drawn=False) for name in quoted)

    def line_of(self, text: str) -> int:
        """Where `text` stands in the page's source."""
        return self.markdown[: max(self.markdown.find(text), 0)].count("\n") + 1

    def wrong(self, text: str, sentence: str) -> str:
        """Note a mistake; the page shows it where it is, should anyone look."""
        self.mistakes.append(f"{self.path}:{self.line_of(text)}: {sentence}")
        return f"<strong>{html.escape(sentence)}</strong>"

    def full_name(self, name: str) -> str:
        """`step-time` means the figure of this page's chapter."""
        return name if "/" in name or not self.chapter else f"{self.chapter}/{name}"


PAGE = PageFigures("", "")


def begin(path: str, markdown: str, meta: Mapping[str, Any]) -> None:
    """Start a page."""
    global PAGE
    PAGE = PageFigures(path, markdown, str(meta.get("chapter", "")), meta.get("lecture"))


def figure_format(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
    """The formatter of the `figure` fence."""
    first, *others = [line.strip() for line in source.strip().splitlines() if line.strip()] or [""]
    try:
        figure, answer = _answer(PAGE.full_name(first))
        suggestions = [_suggestion(figure, line) for line in others]
        if figure.chart is None:
            raise CalcError("figure", figure.name, "one with a chart")
        missing = charts.fields_missing(figure, answer)
        if missing:
            raise CalcError("chart", ", ".join(missing), f"drawn from the tables {', '.join(answer.tables)}")
        number = f"Figure {PAGE.lecture}.{len(PAGE.drawn) + 1}" if PAGE.lecture else f"Figure {len(PAGE.drawn) + 1}"
        PAGE.drawn[figure.name] = number
        return figure_html.render(figure, answer, number, suggestions)
    except Exception as error:
        return PAGE.wrong(source.strip() or "```figure", _sentence(first, error))


def value_inline(source: str, language: str, css_class: str, md: Any) -> str:
    """The formatter of `#!value` code spans: `chapter/slug.value`, or `slug.value` on a page of the chapter."""
    return value_html(source)


def value_html(source: str) -> str:
    """A number of a figure, which the page's script keeps up to date."""
    name, _, key = source.strip().rpartition(".")
    try:
        figure, answer = _answer(PAGE.full_name(name))
        if key not in answer.values:
            raise CalcError("value", key, f"one of {', '.join(answer.values)}")
        PAGE.quoted[figure.name] = None
        text = html.escape(answer.values[key].text).replace(" ", "\u00a0")
        return f'<output class="rl-value" data-value="{figure.name}.{key}">{text}</output>'
    except Exception as error:
        return PAGE.wrong(source, _sentence(source, error))


def _answer(name: str) -> tuple[Figure, Answer]:
    if name not in PAGE.answers:
        figure = figures.find(name)
        PAGE.answers[name] = figure, figure.answer()
    return PAGE.answers[name]


def _suggestion(figure: Figure, line: str) -> tuple[str, str]:
    """`try: words | input=value, …` as words and a query."""
    words, bar, settings = line.removeprefix("try:").partition("|")
    if not line.startswith("try:") or not bar:
        raise CalcError("line", line, "written “try: words | input=value, …”")
    asked = {key.strip(): value.strip() for key, _, value in (part.partition("=") for part in settings.split(","))}
    figure.answer(**asked)
    return words.strip(), urlencode({key if key in SCENARIO else f"{figure.slug}.{key}": v for key, v in asked.items()})


def _sentence(name: str, error: Exception) -> str:
    if isinstance(error, InputError | CalcError):
        return f"{name}: {error}"
    return f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:400]}"
