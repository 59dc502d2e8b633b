"""Every lecture must be complete, computed and cited, with cards and a lab."""

from __future__ import annotations

import ast
import re
import warnings
from importlib import import_module

import pytest
from markdown.extensions.toc import slugify

from calc.figure import registry
from tests.calc.figure.asking import standing
from tests.lectures.reading import LECTURES, QUOTED, Lecture, opened
from web import further, notation, reading_time

SECTIONS = [
    "The question",
    "Symbols",
    "The model",
    "Where the model stops being true",
    "Takeaway",
    "Going further",
    "Exercises",
    "The claims, checked",
    "Flashcards",
    "Sources",
]
WRITTEN = sorted(page.parent.name for page in LECTURES.glob("*/index.md"))


def of(chapter: str) -> Lecture:
    return import_module(f"tests.lectures.test_{chapter}").LECTURE


CARDS = [(chapter, card) for chapter in WRITTEN for card in of(chapter).cards]


@pytest.fixture(params=WRITTEN)
def lecture(request):
    """Each lecture that is written; one without expectations of its own fails here."""
    return of(request.param)


def test_the_skeleton_is_complete_and_in_order(lecture):
    assert re.findall(r"^## (.*)$", lecture.text, flags=re.M) == SECTIONS
    assert f"chapter: {lecture.chapter}\nlecture: {lecture.number}" in lecture.text
    assert f"<!-- claims: {lecture.claims} -->" in lecture.text
    assert "<!-- flashcards -->" in lecture.text
    assert lecture.text.count('!!! abstract "Takeaway"') == 1


def test_how_long_it_takes_is_counted_in_its_head(lecture):
    head = lecture.text[: lecture.text.index("## Symbols")]
    assert head.count(reading_time.MARK) == lecture.text.count(reading_time.MARK) == 1
    assert not re.search(r"(takes|about) (an|half an) hour|minutes with its figures", head)


def test_a_first_reading_takes_no_more_than_thirty_five_minutes(lecture):
    assert reading_time.first(lecture.text) <= 35
    assert all("### " in part for part in further.split(lecture.text))


def test_all_that_follows_the_takeaway_and_nothing_before_it_is_further(lecture):
    before, _, after = lecture.text.partition(further.HEADING)
    titles = re.findall(r"^### .*$", after.partition("\n## Exercises\n")[0], flags=re.M)
    assert "{ .further }" not in before
    assert titles
    assert all(title.endswith("{ .further }") for title in titles)


def test_a_takeaway_is_short_and_shows_no_number_for_the_first_time(lecture):
    """It follows from what was read: its numbers are those of the open text before it."""
    before, _, rest = lecture.text.partition("\n## Takeaway\n")
    takeaway = opened(rest.partition("\n## ")[0])
    assert reading_time.words(takeaway) <= 160
    shown = {lecture.value(name).text for name in re.findall(QUOTED, opened(before))}
    told = [lecture.value(name).text for name in re.findall(QUOTED, takeaway)]
    assert len(told) <= 8
    assert [each for each in told if each not in shown] == []


def test_a_first_reading_rests_on_no_equation_of_a_further_section(lecture):
    first, later = further.split(lecture.text)
    model = first.partition("## The model")[2].partition("\n## ")[0]
    main = opened(model)  # a fold may look ahead
    own = [each for each in re.split(r"(?<=[.:?]) |\n", main) if not re.search(r"[Ll]ecture \d|\]\(\.\./", each)]
    cited = {number for each in own for number in re.findall(r"(?<![\w*])\((\d+[a-z]?)\)", each)}
    assert cited.isdisjoint(re.findall(r"\\tag\{(\w+)\}", later))


def test_every_quoted_value_exists(lecture):
    assert len(lecture.quoted) > lecture.least_quoted
    for slug, value in lecture.quoted:
        assert value in standing(lecture.full_name(slug)).values, f"{slug}.{value}"


def test_a_number_that_follows_the_readers_setting_stands_where_the_text_speaks_of_it(lecture):
    """A sentence that names a model or a price would be false once a reader sets another."""
    assert lecture.moved == lecture.moving


def test_a_calculation_that_is_shown_follows_from_the_numbers_shown(lecture):
    """Whoever repeats it with a calculator, from what the page prints, must get what the page prints."""
    told = {shown: lecture.repeated(shown) for shown in lecture.calculations}
    assert [shown for shown, (repeated, printed) in told.items() if repeated != printed] == []


def test_every_column_of_a_table_has_a_head(lecture):
    """A reader who hears the page is told the head of each cell."""
    heads = re.findall(r"^ *(\|.*\|)\n *\|(?: *:?-+:? *\|)+$", lecture.text, flags=re.M)
    assert heads
    assert not [head for head in heads if re.search(r"\| *\|", head)]


def test_no_paragraph_holds_more_than_five_computed_numbers(lecture):
    paragraphs = re.split(r"\n\s*\n", lecture.text[: lecture.text.index("## Exercises")])
    prose = [each for each in paragraphs if not each.lstrip().startswith("|")]
    assert [each[:60] for each in prose if each.count("`#!value") > 5] == []


def test_no_number_is_typed_that_could_be_computed(lecture):
    assert re.findall(r"\S*\d\S*", lecture.typed) == []


@pytest.mark.parametrize(("chapter", "card"), CARDS, ids=[f"{ch}: {card['front'][:40]}" for ch, card in CARDS])
def test_a_flashcard_types_no_number_either(chapter, card):
    said = card["front"] + " " + card["back"]
    for name in re.findall(r"\{([^}]+)\}", said):
        figure, _, value = name.rpartition(".")
        assert value in standing(figure).values
    plain = re.sub(r"\{[^}]+\}", "", re.sub(of(chapter).names, "", said))
    assert set(re.findall(r"\d[\d.,]*\d|\d", plain)) <= of(chapter).small


def test_there_are_enough_flashcards_and_no_two_ask_the_same(lecture):
    assert 12 <= len(lecture.cards) <= 20
    assert len({card["front"] for card in lecture.cards}) == len(lecture.cards)


def test_a_card_that_is_further_asks_about_a_further_section(lecture):
    titles = re.findall(r"^### (.+) \{ \.further \}$", lecture.text, flags=re.M)
    places = {slugify(title, "-") for title in titles}
    assert {card["further"] for card in lecture.cards if "further" in card} <= places
    assert any("further" in card for card in lecture.cards)
    assert sum("further" not in card for card in lecture.cards) >= 10


def test_the_figures_that_the_lecture_promises_are_drawn_with_things_to_try(lecture):
    drawn = {lines[0]: lines[1:] for lines in lecture.fences}
    assert set(drawn) == lecture.drawn
    for slug, suggestions in drawn.items():
        figure = registry.find(lecture.full_name(slug))
        assert 2 <= len(suggestions) <= lecture.suggestions or not (figure.inputs or suggestions)
        for line in suggestions:
            asked = dict(part.strip().split("=") for part in line.partition("|")[2].split(","))
            assert figure.answer(**asked).finding != figure.answer().finding, line


def test_every_figure_is_followed_by_what_to_notice(lecture):
    after = [part.strip() for part in re.split(r"^```figure\n.*?^```$", lecture.text, flags=re.S | re.M)[1:]]
    assert all(part.startswith("**What to notice.**") for part in after)


def test_every_symbol_means_one_thing_in_the_lecture(lecture):
    defined = [symbol for lectures, symbol, _ in notation.rows() if lecture.chapter in lectures]
    assert len(defined) == len(set(defined)) > 10


def test_every_symbol_of_an_equation_has_its_meaning(lecture):
    known = notation.meanings(lecture.chapter)
    assert {s for tex in lecture.equations for s in notation.symbols(tex) if notation.lookup(s, known) is None} == set()


def test_the_symbols_that_the_lecture_lists_are_those_of_the_notation_page(lecture):
    listed = lecture.text[lecture.text.index("## Symbols") : lecture.text.index("## The model")]
    first = "\n".join(re.findall(r"^ *\| (\$.*?) \|", listed, flags=re.M))
    known = notation.meanings(lecture.chapter)
    assert {s for s in notation.symbols(first) if notation.lookup(s, known) is None} == set()


def test_every_exercise_has_a_folded_answer(lecture):
    exercises = lecture.text[lecture.text.index("## Exercises") : lecture.text.index("## The claims")]
    numbers = re.findall(r"^\*\*(\d)\.\*\* ", exercises, flags=re.M)
    assert numbers == [str(place) for place in range(1, len(numbers) + 1)]
    assert exercises.count('??? success "Answer"') == len(numbers) >= 5


def test_times_lie_in_the_parts_that_the_lecture_covers_and_match_their_links(lecture):
    times = re.findall(r"\[(\d):(\d\d):(\d\d)\]\(https://youtu\.be/xmkSf5IS-zw\?t=(\d+)\)", lecture.text)
    assert len(times) >= 5
    for hours, minutes, seconds, link in times:
        assert int(hours) * 3600 + int(minutes) * 60 + int(seconds) == int(link)
        assert any(start <= int(link) <= end for start, end in lecture.covers)


def test_every_source_is_cited_and_every_citation_has_a_source(lecture):
    cited = re.findall(r"\[\^(\w+)\](?!:)", lecture.text)
    listed = re.findall(r"^\[\^(\w+)\]:", lecture.text, flags=re.M)
    assert list(dict.fromkeys(cited)) == listed
    notes = re.findall(r"^\[\^\w+\]: (.*)$", lecture.text, flags=re.M)
    assert all("https://" in line or "../" in line for line in notes)


def test_the_lab_runs_without_a_warning_and_defines_no_function(lecture):
    tree = ast.parse(lecture.lab)
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
    assert "open question" in lecture.lab


def exercises_of(lecture):
    """Each exercise of a lecture, with its question, its forms and its answer."""
    text = lecture.text[lecture.text.index("## Exercises") : lecture.text.index("## The claims")]
    return re.split(r"^\*\*\d\.\*\* ", text, flags=re.M)[1:]


def test_exercises_take_the_readers_answers_before_the_folded_one(lecture):
    for exercise in exercises_of(lecture):
        forms = re.findall(r"^```answer\n", exercise, flags=re.M)
        assert len(forms) == 1 or exercise.startswith("*(Criticise.)*"), exercise[:60]
        assert "```answer" not in exercise.partition("??? success")[2]


def test_an_exercise_asks_for_an_estimate_before_any_slider(lecture):
    guessed = [exercise for exercise in exercises_of(lecture) if re.search(r"\| within [\d.]+$", exercise, flags=re.M)]
    assert any(re.search(r"slider|touch", exercise.partition("```answer")[0]) for exercise in guessed)


def test_an_answer_that_is_asked_for_is_given_in_the_fold(lecture):
    for exercise in exercises_of(lecture):
        forms, fold = exercise.partition("??? success")[::2]
        asked = re.findall(r"^(exercise\.\w+)", forms, flags=re.M)
        assert [name for name in asked if f"`#!value {name}`" not in fold] == []
