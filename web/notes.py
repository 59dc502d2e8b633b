"""Notes at the foot of a page say how many they are: the style sheet guesses their height while they are far away."""

from __future__ import annotations

_BOX = '<div class="footnote">'
_NOTE = '<li id="fn:'


def counted(html: str) -> str:
    """The page with the number of its notes on the box around them.

    >>> counted('<div class="footnote"><ol><li id="fn:a">One.<li id="fn:b">Another.</ol></div>')[:44]
    '<div class="footnote" style="--rl-notes: 2">'
    """
    return html.replace(_BOX, f'{_BOX[:-1]} style="--rl-notes: {html.count(_NOTE)}">')
