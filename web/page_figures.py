"""The figures and computed numbers of one page: `figure` and `answer` fences, and `#!value` numbers in the prose.

    ```figure
    batching/step-time
    lead: batch
    try: a long context | context=100k
    ```

    The input that leads stands above the chart, so that it is on the first screen; the others stand below.

    A step takes at least `#!value batching/step-time.step`.

Every mistake is gathered with its file and line, and the page refuses to build with all of them.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlencode

from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import CARRIED, InputError, Number
from calc.quantities.errors import CalcError
from web import charts, exercises, figure_html


@cache
def first_answer(figure: Figure) -> Answer:
    """The answer of a figure that its page shows first: computed once, for many pages quote it."""
    return figure.answer()


@dataclass
class PageFigures:
    """The figures of the page that is being built: what is drawn, what is quoted, what went wrong.

    A number that depends on no input is written into the page and is done: nothing of it is declared.
    """

    path: str
    markdown: str
    chapter: str = ""
    lecture: int | None = None
    drawn: dict[str, Figure] = field(default_factory=dict)
    quoted: dict[str, Figure] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, path: str, markdown: str, meta: Mapping[str, Any]) -> PageFigures:
        """Begin a page, of the chapter and lecture that its front matter names."""
        return cls(path, markdown, str(meta.get("chapter", "")), meta.get("lecture"))

    def extensions(self) -> dict[str, dict[str, Any]]:
        """The settings by which Markdown hands this page's fences and code spans to it."""
        fence = {"name": "figure", "class": "rl-figure", "format": self.fence}
        answer = {"name": "answer", "class": "rl-answers", "format": self.asked}
        value = {"name": "value", "class": "rl-value", "format": self.inline}
        fences = {"custom_fences": [fence, answer]}
        return {"pymdownx.superfences": fences, "pymdownx.inlinehilite": {"custom_inline": [value]}}

    def fence(self, source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
        """One figure, from the lines of its fence: its name, the input that leads, then what a reader might try."""
        first, *others = [line.strip() for line in source.strip().splitlines() if line.strip()] or [""]
        try:
            figure, answer = self._answer(first)
            lead = [_lead(figure, others.pop(0))] if others and others[0].startswith("lead:") else []
            suggestions = [_suggestion(figure, line) for line in others]
            if figure.chart is None:
                raise CalcError("figure", figure.name, "one with a chart")
            missing = charts.fields_missing(figure, answer)
            if missing:
                raise CalcError("chart", ", ".join(missing), f"drawn from the tables {', '.join(answer.tables)}")
            self.drawn[figure.name] = figure
            place = str(len(self.drawn))
            number = f"Figure {self.lecture}.{place}" if self.lecture else f"Figure {place}"
            return figure_html.render(figure, answer, number, suggestions, *lead)
        except Exception as error:
            return self._wrong(source.strip() or "```figure", _sentence(first, error))

    def asked(self, source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **_: Any) -> str:
        """The forms of an exercise, one for each line of its fence."""
        try:
            lines = [exercises.read(line) for line in source.strip().splitlines() if line.strip()]
            forms = (exercises.form(line, self._value(line.value)) for line in lines)
            return f'<div class="rl-answers" data-search-exclude>{"".join(forms)}</div>'
        except Exception as error:
            return self._wrong(source.strip() or "```answer", _sentence("answer", error))

    def inline(self, source: str, language: str, css_class: str, md: Any) -> str:
        """One number, from its code span."""
        return self.value(source)

    def value(self, source: str) -> str:
        """A number of a figure: `chapter/slug.value`, or `slug.value` on a page of the chapter."""
        name, _, key = source.strip().rpartition(".")
        try:
            (figure, _), value = self._answer(name), self._value(source.strip())
            if not figure.inputs:
                return figure_html.number(value.text)
            self.quoted[figure.name] = figure
            return figure_html.number(value.text, f"{figure.name}.{key}")
        except Exception as error:
            return self._wrong(source, _sentence(source, error))

    def declarations(self) -> str:
        """All that the page's script must know, side by side, so that compression says once what they share."""
        quoted = [figure for name, figure in self.quoted.items() if name not in self.drawn and registry.travels(figure)]
        drawn = [figure_html.declaration(figure) for figure in self.drawn.values() if registry.travels(figure)]
        return "".join([*drawn, *(figure_html.declaration(figure, drawn=False) for figure in quoted)])

    def _value(self, source: str) -> Value:
        name, _, key = source.rpartition(".")
        values = self._answer(name)[1].values
        if key not in values:
            raise CalcError("value", key, f"one of {', '.join(values)}")
        return values[key]

    def _answer(self, name: str) -> tuple[Figure, Answer]:
        full = name if "/" in name or not self.chapter else f"{self.chapter}/{name}"
        figure = registry.find(full)
        return figure, first_answer(figure)

    def _wrong(self, text: str, sentence: str) -> str:
        """Note a mistake with its line; the page shows it where it is, should anyone look."""
        line = self.markdown[: max(self.markdown.find(text), 0)].count("\n") + 1
        self.mistakes.append(f"{self.path}:{line}: {sentence}")
        return f"<strong>{html.escape(sentence)}</strong>"


def _lead(figure: Figure, line: str) -> str:
    """`lead: input` as the name of that input."""
    name = line.removeprefix("lead:").strip()
    known = [given.name for given in figure.inputs if isinstance(given, Number)]
    if name not in known:
        raise CalcError("lead", name, f"one of {', '.join(known)}")
    return name


def _suggestion(figure: Figure, line: str) -> tuple[str, str]:
    """`try: words | input=value, …` as words and a query."""
    words, bar, settings = line.removeprefix("try:").partition("|")
    if not line.startswith("try:") or not bar:
        raise CalcError("line", line, "written “try: words | input=value, …”")
    asked = {key.strip(): value.strip() for key, _, value in (part.partition("=") for part in settings.split(","))}
    figure.answer(**asked)
    return words.strip(), urlencode({key if key in CARRIED else f"{figure.slug}.{key}": v for key, v in asked.items()})


def _sentence(name: str, error: Exception) -> str:
    if isinstance(error, InputError | CalcError):
        return f"{name}: {error}"
    return f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:400]}"
