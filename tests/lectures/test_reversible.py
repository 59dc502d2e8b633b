from __future__ import annotations

import ast
import re
import tomllib
import warnings
from pathlib import Path

import pytest

from calc import figures

FOLDER = Path(__file__).resolve().parents[2] / "lectures" / "reversible"
TEXT = (FOLDER / "index.md").read_text()
CARDS = tomllib.loads((FOLDER / "flashcards.toml").read_text())["card"]
LAB = (FOLDER / "lab.py").read_text()

SECTIONS = [
    "The question",
    "Symbols",
    "The model",
    "Where the model stops being true",
    "Takeaway",
    "Exercises",
    "The claims, checked",
    "Flashcards",
    "Sources",
]
STARTS_AT, ENDS_AT = 2 * 3600 + 4 * 60 + 2, 2 * 3600 + 20 * 60
SMALL = {"2017", "2020"}
NAMES = (  # figures that are part of a name or of a published count
    r"Llama 3(\.1)? \d+B|\b(32|64)[ -]bits?\b|\b16 bits\b|34 bytes|CHES|RevNet|[Ll]ecture \d|\(\d+\)|\*\*\d\.\*\*|"
    r"\d:\d\d:\d\d|\b(19|20)\d\d\b|lecture: 7"
)


def prose(text):
    """The text without mathematics, code, links, fences, footnotes and names: what somebody typed."""
    text = re.sub(r"\A---.*?^---$", "", text, flags=re.S | re.M)
    text = re.sub(r"^```.*?^```$|\$\$.*?\$\$", "", text, flags=re.S | re.M)
    text = re.sub(r"\$[^$]+\$|`[^`]+`|\]\([^)]*\)|^\[\^\w+\]: .*$|\[\^\w+\]|<!--.*?-->", "", text, flags=re.M)
    return re.sub(NAMES, "", text)


def quoted(text):
    """Every figure and value that the text quotes."""
    return [name.rpartition(".")[::2] for name in re.findall(r"`#!value ([^`]+)`", text)]


def fences():
    return [block.strip().splitlines() for block in re.findall(r"^```figure\n(.*?)^```$", TEXT, flags=re.S | re.M)]


def test_the_skeleton_is_complete_and_in_order():
    assert re.findall(r"^## (.*)$", TEXT, flags=re.M) == SECTIONS
    assert "chapter: reversible\nlecture: 7" in TEXT
    assert "<!-- claims: F -->" in TEXT
    assert "<!-- flashcards -->" in TEXT
    assert TEXT.count('!!! abstract "Takeaway"') == 1


def test_every_quoted_value_exists():
    found = quoted(TEXT)
    assert len(found) > 90
    for slug, value in found:
        assert value in figures.find(f"reversible/{slug}").answer().values, f"{slug}.{value}"


def test_no_number_is_typed_that_could_be_computed():
    assert re.findall(r"\S*\d\S*", prose(TEXT)) == []


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card["front"][:40])
def test_a_flashcard_types_no_number_either(card):
    for name in re.findall(r"\{([^}]+)\}", card["back"]):
        figure, _, value = name.rpartition(".")
        assert value in figures.find(figure).answer().values
    plain = re.sub(r"\{[^}]+\}", "", re.sub(NAMES, "", card["front"] + " " + card["back"]))
    assert set(re.findall(r"\d[\d.,]*\d|\d", plain)) <= SMALL


def test_there_are_enough_flashcards_and_no_two_ask_the_same():
    assert 12 <= len(CARDS) <= 20
    assert len({card["front"] for card in CARDS}) == len(CARDS)


def test_the_figures_that_the_lecture_promises_are_drawn_with_things_to_try():
    drawn = {lines[0]: lines[1:] for lines in fences()}
    assert {"cipher", "trail", "mirror", "rounding", "held", "memory", "training", "differences"} == set(drawn)
    for slug, suggestions in drawn.items():
        figure = figures.find(f"reversible/{slug}")
        assert 2 <= len(suggestions) <= 3
        for line in suggestions:
            asked = dict(part.strip().split("=") for part in line.partition("|")[2].split(","))
            assert figure.answer(**asked).finding != figure.answer().finding, line


def test_every_figure_is_followed_by_what_to_notice():
    after = [part.strip() for part in re.split(r"^```figure\n.*?^```$", TEXT, flags=re.S | re.M)[1:]]
    assert all(part.startswith("**What to notice.**") for part in after)


def test_every_exercise_has_a_folded_answer():
    exercises = TEXT[TEXT.index("## Exercises") : TEXT.index("## The claims")]
    numbers = re.findall(r"^\*\*(\d)\.\*\* ", exercises, flags=re.M)
    assert numbers == [str(place) for place in range(1, len(numbers) + 1)]
    assert exercises.count('??? success "Answer"') == len(numbers) >= 5


def test_times_lie_in_the_part_that_the_lecture_covers_and_match_their_links():
    times = re.findall(r"\[(\d):(\d\d):(\d\d)\]\(https://youtu\.be/xmkSf5IS-zw\?t=(\d+)\)", TEXT)
    assert len(times) >= 5
    for hours, minutes, seconds, link in times:
        assert int(hours) * 3600 + int(minutes) * 60 + int(seconds) == int(link)
        assert STARTS_AT <= int(link) <= ENDS_AT


def test_every_source_is_cited_and_every_citation_has_a_source():
    cited, listed = re.findall(r"\[\^(\w+)\](?!:)", TEXT), re.findall(r"^\[\^(\w+)\]:", TEXT, flags=re.M)
    assert list(dict.fromkeys(cited)) == listed
    assert all("https://" in line or "../" in line for line in re.findall(r"^\[\^\w+\]: (.*)$", TEXT, flags=re.M))


def test_the_lab_runs_without_a_warning_and_defines_no_function():
    tree = ast.parse(LAB)
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]
    charts = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        space: dict[str, object] = {}
        for statement in tree.body:
            if isinstance(statement, ast.Expr):
                charts.append(eval(compile(ast.Expression(statement.value), "lab.py", "eval"), space))
            else:
                exec(compile(ast.Module([statement], []), "lab.py", "exec"), space)
    drawn = [chart.to_dict() for chart in charts if hasattr(chart, "to_dict")]
    assert 2 <= len(drawn) <= 4
    assert all(chart["description"] for chart in drawn)
    assert "open question" in LAB
