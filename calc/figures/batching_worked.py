"""Lecture 1 in numbers: the worked examples, which do not change with the reader's scenario."""

FIGURES = ()
