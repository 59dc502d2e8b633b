"""Lecture 5 in numbers, a module a section: examples that change with nothing."""
