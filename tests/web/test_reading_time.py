"""How long a lecture takes is counted: words, figures, exercises."""

from __future__ import annotations

from web import reading_time

FIGURE = "\n```figure\nround\ntry: words | that=1\n```\n"
EXERCISE = "\n**{}.** *(Recall.)* Words that nobody counts.\n"


def lecture(words: int, figures: int = 0, exercises: int = 0) -> str:
    tasks = "".join(EXERCISE.format(number) for number in range(1, exercises + 1))
    return f"---\ntitle: not counted\n---\n\n{'word ' * words}\n{FIGURE * figures}\n## Exercises\n{tasks}"


def test_two_hundred_words_take_a_minute_a_figure_one_and_an_exercise_two() -> None:
    assert "about 20 minutes with its figures, and the exercises 10 more" in reading_time.sentence(lecture(2000, 10, 5))
    assert "about 25 minutes" in reading_time.sentence(lecture(3000, 10))


def test_formulas_code_links_and_what_follows_the_exercises_are_not_read() -> None:
    counted = "Read [this](https://a.example/b/c)[^note] and $x^2 + y$ now."
    assert reading_time.words(counted + "\n$$\na + b + c\n$$\n```python\nmany = words\n```\n<!-- nor this -->") == 5
    more = lecture(1000) + "\n## Sources\n" + "word " * 5000
    assert reading_time.sentence(more) == reading_time.sentence(lecture(1000))


def test_further_sections_are_counted_apart() -> None:
    page = "word " * 2000 + "\n### Later { .further }\n" + "word " * 1000 + FIGURE + "\n## Exercises\n"
    said = reading_time.sentence(page)
    assert "about 10 minutes with its figures" in said
    assert said.endswith("The sections after the takeaway take another 5, and may wait")


def test_the_mark_becomes_the_sentence_and_a_page_without_one_stays() -> None:
    page = f"{reading_time.MARK}. It wants algebra.\n" + "word " * 1990 + FIGURE
    assert reading_time.fill(page).startswith("Reading takes about 10 minutes with its figures")
    assert reading_time.fill("as it is") == "as it is"
