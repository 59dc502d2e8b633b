"""Lecture 1 in numbers: the reader's scenario in symbols, and examples that it does not change."""
