"""Quantities: read, written, held to their ranges, refused in a sentence, and drawn at random alike everywhere."""
