"""The eight lectures in their order: each has its folder's name here, in `lectures/` and in `tests/`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """One lecture: its folder, its number, its title, the question that it answers."""

    name: str
    number: int
    title: str
    question: str


CHAPTERS = (
    Chapter(
        "batching",
        1,
        "Batch size, latency and cost",
        "Why is a token so much cheaper when strangers share the step that makes it, and what do they pay in waiting?",
    ),
    Chapter(
        "moe",
        2,
        "Experts on a rack",
        "When each token uses only a few of a model's weights, what must the wires between the chips carry?",
    ),
    Chapter(
        "pipelining",
        3,
        "Pipelining across racks",
        "When one machine is not enough, what do pipeline stages save, and what do they fail to save?",
    ),
    Chapter(
        "memory_wall",
        4,
        "The memory wall",
        "How many users does the memory of a rack serve, and how long may their contexts be?",
    ),
    Chapter(
        "overtraining",
        5,
        "A hundred times past Chinchilla",
        "How long should a model train if the whole world is going to use it?",
    ),
    Chapter(
        "pricing",
        6,
        "What the price list gives away",
        "What does a page of API prices tell about the machines behind it?",
    ),
    Chapter(
        "reversible",
        7,
        "Ciphers and reversible networks",
        "What do a block cipher and a network trained without stored activations have in common?",
    ),
    Chapter(
        "serving",
        8,
        "Serving, the whole",
        "Every bound at once: what does a token cost, and how many racks keep a promise?",
    ),
)
"""Whatever goes by lecture derives from this: navigation, contents, the reference, figures, tests."""


def chapter(name: str) -> Chapter:
    """The chapter whose folder has this name.

    >>> chapter("moe").number
    2
    """
    return next(found for found in CHAPTERS if found.name == name)
