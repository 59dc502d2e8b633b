"""Lecture 6 in numbers, a module a section: the reader's scenario in symbols, and examples that it does not change."""
