"""A dependency tree as a picture: words in a row, their relations as arcs above them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from hybridsem._utils.terminal import visible
from hybridsem.render.layout import text_width
from hybridsem.render.template_files import fill
from hybridsem.structures import DependencyTree

MAX_TOKENS = 120  # longer trees are not drawn, because the table is clearer

WORD_FONT, TAG_FONT, LABEL_FONT = 17.0, 11.0, 12.0
GAP, MARGIN, STEP, BELOW, CORNER = 16.0, 12.0, 27.0, 46.0, 10.0
"""Distances: between words, around the picture, between arcs, for words and tags; and the radius of
an arc's bends.
"""
PORT = 7.0  # the distance between the ends of arcs at a word


@dataclass(slots=True)
class Arc:
    """A relation between two words, its height in steps, and the places of its ends."""

    head: int
    dependent: int
    label: str
    level: int = 1
    start: float = 0.0
    end: float = 0.0

    @property
    def left(self) -> int:
        """The word at the left end."""
        return min(self.head, self.dependent)

    @property
    def right(self) -> int:
        """The word at the right end."""
        return max(self.head, self.dependent)


def tree_as_svg(tree: DependencyTree, colours: Mapping[int, int] | None = None) -> str:
    """Return the tree as an ``<svg>`` element without style, "" if it is too long; ``colours`` maps
    words, by number, to the colour of a role.
    """
    if not 0 < len(tree) <= MAX_TOKENS:
        return ""
    arcs = [
        Arc(token.head, number, visible(token.relation))
        for number, token in enumerate(tree)
        if token.head >= 0
    ]
    arcs.sort(key=lambda arc: (arc.right - arc.left, arc.left))
    _stack(arcs)
    widths = [
        max(text_width(visible(token.text), WORD_FONT), text_width(visible(token.pos), TAG_FONT))
        for token in tree
    ]
    places = _places(widths, arcs)
    _ports(arcs, places, len(tree))
    floor = MARGIN + STEP * (max((arc.level for arc in arcs), default=0) + 1)
    parts = [_root(places[tree.root], floor)]
    parts += [_arc(arc, floor) for arc in reversed(arcs)]
    parts += [_label(arc, floor) for arc in arcs]
    for number, (token, place) in enumerate(zip(tree, places, strict=True)):
        text = visible(token.text)
        colour = (colours or {}).get(number)
        parts.append(
            fill(
                "token.svg",
                kind="" if colour is None else f"hs-r{colour}",
                x=place,
                y=floor + 22,
                width=text_width(text, WORD_FONT),
                text=escape(text),
                aside_y=floor + 38,
                aside=escape(visible(token.pos)),
            )
        )
    width, height = places[-1] + widths[-1] / 2 + MARGIN, floor + BELOW
    return fill(
        "graph.svg",
        width=width,
        height=height,
        shown_width=f"{width:.0f}",
        shown_height=f"{height:.0f}",
        title=escape(_title(tree)),
        content="\n".join(parts),
    )


def _title(tree: DependencyTree) -> str:
    """Return the tree in words, for screen readers."""
    told = [
        f"{visible(token.text)} is {visible(token.relation)}"
        + (f" of {visible(tree[token.head].text)}" if token.head >= 0 else "")
        for token in tree
    ]
    return f"Dependencies of: {visible(tree.text)} ({'; '.join(told)})"


def _stack(arcs: Sequence[Arc]) -> None:
    """Put each arc above those between its ends; the shortest come first in ``arcs``."""
    for number, arc in enumerate(arcs):
        inside = (
            other.level
            for other in arcs[:number]
            if other.left >= arc.left and other.right <= arc.right
        )
        arc.level = max(inside, default=0) + 1


def _places(widths: Sequence[float], arcs: Sequence[Arc]) -> list[float]:
    """Return the centres of the words, far enough apart for the label of each arc."""
    places = [MARGIN + widths[0] / 2]
    for before, width in pairwise(widths):
        places.append(places[-1] + (before + width) / 2 + GAP)
    for arc in arcs:
        needed = text_width(arc.label, LABEL_FONT) + 2 * CORNER + 2 * PORT
        short = needed - (places[arc.right] - places[arc.left])
        if short > 0:
            places[arc.right :] = [place + short for place in places[arc.right :]]
    return places


def _ports(arcs: Sequence[Arc], places: Sequence[float], words: int) -> None:
    """Separate the ends of arcs at a word, in an order in which none cross."""
    at: list[list[tuple[int, int, Arc]]] = [[] for _ in range(words)]
    for arc in arcs:
        length = arc.right - arc.left
        at[arc.right].append((0, length, arc))  # arcs to the left: the shortest first
        at[arc.left].append((1, -length, arc))
    for word, ends in enumerate(at):
        ends.sort(key=lambda end: end[:2])
        for rank, (_, _, arc) in enumerate(ends):
            x = places[word] + (rank - (len(ends) - 1) / 2) * PORT
            if arc.head == word:
                arc.start = x
            else:
                arc.end = x


def _arc(arc: Arc, floor: float) -> str:
    one, other = sorted((arc.start, arc.end))
    top = floor - STEP * arc.level
    bend = min(CORNER, (other - one) / 2)
    path = (
        f"M{one:.1f} {floor:.1f}V{top + bend:.1f}Q{one:.1f} {top:.1f} {one + bend:.1f} {top:.1f}"
        f"H{other - bend:.1f}Q{other:.1f} {top:.1f} {other:.1f} {top + bend:.1f}V{floor:.1f}"
    )
    return fill("arc.svg", path=path) + _arrow(arc.end, floor)


def _arrow(x: float, floor: float) -> str:
    path = f"M{x:.1f} {floor + 3:.1f}l-3.6 -8h7.2z"
    return fill("arrow.svg", path=path)


def _label(arc: Arc, floor: float) -> str:
    middle = (arc.start + arc.end) / 2
    y = floor - STEP * arc.level + 4
    return fill("edge.svg", x=middle, y=y, text=escape(arc.label))


def _root(x: float, floor: float) -> str:
    top = MARGIN + 8
    line = fill("arc.svg", path=f"M{x:.1f} {top:.1f}V{floor:.1f}")
    label = fill("edge.svg", x=x, y=top, text="root")
    return line + _arrow(x, floor) + label
