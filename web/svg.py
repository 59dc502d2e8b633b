"""A drawing made light: the same picture with a tenth of a pixel's precision, and nothing said twice."""

from __future__ import annotations

import re

from web.crowd import bunched

TOLERANCE = 0.1  # pixels by which a line may miss a point that it need not name
Point = tuple[float, float]

_PLACES = re.compile(r' (transform|x|y|x1|y1|x2|y2|cx|cy|r|rx|ry|width|height)="([^"]*)"')
_DIGITS = re.compile(r"-?\d+\.\d{2,}(?:e-?\d+)?")
_OPACITY = re.compile(r'((?:fill-|stroke-)?opacity)="(0\.\d{3,})"')
_PATH = re.compile(r' d="([^"]*)"')
_ROUNDED = re.compile(r'<path d="M([-\d.,LC]+)Z"')  # four sides and four corners, as Vega draws a rounded box
_POLYLINE = re.compile(r"M(-?[\d.,eL-]+)(Z?)")
_DEFAULT = re.compile(r' (?:opacity="1"|fill-opacity="1"|stroke-opacity="1"|pointer-events="none")')
_UNSEEN = re.compile(r'<path d="(?:M0,0h0v0h0Z)?"(?: display="none")?/>|<g(?: [^>]*)?></g>')
_MARKS = re.compile(r"<g([^<>]*)>((?:<(?:path|rect) [^<>]*/>|<text [^<>]*>[^<>]*</text>){2,})</g>")
_INHERITED = re.compile(
    r' (?:fill|stroke|fill-opacity|stroke-opacity|stroke-width|stroke-dasharray|font-size|text-anchor)="[^"]*"'
)
_LINE = re.compile(r'<line transform="translate\(([^,]+),([^)]+)\)" x2="([^"]+)" y2="([^"]+)"([^<>]*)/>')
_LINES = re.compile(r'(?:<line transform="translate\([^)]+\)" x2="[^"]+" y2="[^"]+"(?![^<>]*opacity)[^<>]*/>){2,}')
_STILL = re.compile(r' transform="translate\(0,0\)"')
_EMPTY = re.compile(r"<(?:g|text)(?: [^<>]*)?/>")  # a minor tick is labelled with no words
_GROUP = re.compile(r"(<g(?: [^<>]*)?>|</g>)")
_FONT = re.compile(r' font-family="([^"]*)"')


def slim(drawing: str) -> str:
    """The drawing without what no reader can see."""
    drawing = bunched(_EMPTY.sub("", drawing))
    drawing = _PLACES.sub(lambda match: f' {match[1]}="{_DIGITS.sub(_tenth, match[2])}"', drawing)
    drawing = _OPACITY.sub(lambda match: f'{match[1]}="{float(match[2]):.2g}"', drawing)
    drawing = _ROUNDED.sub(_box, drawing)
    drawing = _PATH.sub(lambda match: f' d="{_path(match[1])}"', drawing)
    drawing = _once(_DEFAULT.sub("", drawing))
    slimmed = _UNSEEN.sub("", drawing)
    while slimmed != drawing:
        drawing, slimmed = slimmed, _UNSEEN.sub("", slimmed)
    return _unwrapped(_STILL.sub("", _MARKS.sub(_shared, _LINES.sub(_joined, slimmed))))


def thin(points: list[Point]) -> list[Point]:
    """The points that a line through all of them needs, by Douglas and Peucker's rule."""
    if len(points) < 3:
        return points
    (x, y), (u, v) = points[0], points[-1]
    span = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
    off = [_distance(point, points[0], (u - x, v - y), span) for point in points[1:-1]]
    far = max(range(len(off)), key=off.__getitem__) + 1
    if off[far - 1] <= TOLERANCE:
        return [points[0], points[-1]]
    return thin(points[: far + 1])[:-1] + thin(points[far:])


def _distance(point: Point, start: Point, along: Point, span: float) -> float:
    dx, dy = point[0] - start[0], point[1] - start[1]
    return abs(dx * along[1] - dy * along[0]) / span if span else float((dx**2 + dy**2) ** 0.5)


def _path(path: str) -> str:
    if re.search(r"[^ML\d.,eZ-]", path):
        return _DIGITS.sub(_tenth, path)
    return _POLYLINE.sub(lambda match: _polyline(match[1]) + match[2], path)


def _polyline(written: str) -> str:
    points = [tuple(map(float, pair.split(","))) for pair in written.split("L")]
    (x, y), *others = ((round(10 * u), round(10 * v)) for u, v in thin([(point[0], point[1]) for point in points]))
    path = [f"M{_short(x / 10)},{_short(y / 10)}"]
    for u, v in others:
        path.append(_step(u - x, v - y))
        x, y = u, v
    return "".join(path)


def _step(right: int, down: int) -> str:
    """A straight line from where the last one ended, so many tenths of a pixel on: nearer, and so shorter to say."""
    if not down:
        return f"h{_short(right / 10)}"
    return f"l{_short(right / 10)},{_short(down / 10)}" if right else f"v{_short(down / 10)}"


def _box(match: re.Match[str]) -> str:
    """A rounded box named by its place and size, if its corners are alike; else the path that it was."""
    parts = re.findall(r"([LC]?)([^LC]+)", match[1])
    ends = [[float(number) for number in numbers.split(",")][-2:] for _, numbers in parts]
    if "".join(letter for letter, _ in parts) != "LCLCLCLC":
        return match[0]
    (x, y), (u, _), (right, v), (_, w), (_, bottom), _, (left, _), *_ = ends
    radii = (x - left, right - u, v - y, bottom - w)
    if max(radii) - min(radii) > 0.01:
        return match[0]
    place = {"x": left, "y": y, "width": right - left, "height": bottom - y, "rx": radii[0]}
    return "<rect" + "".join(f' {name}="{_short(number)}"' for name, number in place.items())


def _joined(match: re.Match[str]) -> str:
    """Lines one after the other that look alike, as one path: a grid, the ticks of an axis."""
    paths: dict[str, str] = {}
    for x, y, right, down, look in _LINE.findall(match[0]):
        step = f"v{down}" if right == "0" else f"h{right}" if down == "0" else f"l{right},{down}"
        paths[look] = f"{paths.get(look, '')}M{x},{y}{step}"
    return "".join(f'<path d="{path}"{look}/>' for look, path in paths.items())


def _shared(match: re.Match[str]) -> str:
    """Say once, on the group, what all of its marks say of themselves."""
    marks = re.findall(r"<(?:path|rect|text) [^<>]*>", match[2])
    alike = set.intersection(*(set(_INHERITED.findall(mark)) for mark in marks))
    told = [said for said in dict.fromkeys(_INHERITED.findall(marks[0])) if said in alike]
    inside = _INHERITED.sub(lambda said: "" if said[0] in alike else said[0], match[2])
    named = {said.partition("=")[0] for said in told}
    own = _INHERITED.sub(lambda said: "" if said[0].partition("=")[0] in named else said[0], match[1])
    return f"<g{own}{''.join(told)}>{inside}</g>"


def _unwrapped(drawing: str) -> str:
    """The drawing without the groups that say nothing of what is in them."""
    pieces: list[str] = []
    open_groups: list[str] = []
    for piece in _GROUP.split(drawing):
        group = open_groups.pop() if piece == "</g>" else piece
        if piece.startswith("<g"):
            open_groups.append(piece)
        if group != "<g>":
            pieces.append(piece)
    return "".join(pieces)


def _tenth(number: re.Match[str]) -> str:
    return _short(float(number[0]))


def _short(number: float) -> str:
    rounded = f"{number:.1f}".removesuffix(".0")
    return "0" if rounded == "-0" else rounded


def _once(drawing: str) -> str:
    """Name the font on the drawing instead of on every word, where all words have the same."""
    fonts = set(_FONT.findall(drawing))
    if len(fonts) != 1:
        return drawing
    return _FONT.sub("", drawing).replace("<svg ", f'<svg font-family="{fonts.pop()}" ', 1)
