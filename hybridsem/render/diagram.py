"""The picture of an explanation: two sentences, their roles as coloured spans, and curves between
matched roles.

The spans come from ``_layout``; here they are drawn, with curves between them and labels on the
curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from hybridsem.explanations import Explanation
from hybridsem.render.layout import (
    CHIP,
    GAP,
    LEFT,
    LINE,
    MAX_WORDS,
    MIN_WIDTH,
    RIGHT,
    TOP,
    WIDTH,
    WIDTHS,
    Box,
    fillers_of,
    flow,
    is_rtl,
    label_of,
    text_width,
    words_of,
)
from hybridsem.render.wording import CORRECTIONS, line, visible
from hybridsem.structures import Role, RoleStructure

__all__ = ["Picture", "diagram", "palette"]

COLOURS = 8
STEPS = 5  # of the similarity scale
PLACES = tuple(0.5 + 0.04 * step * side for step in range(10) for side in (1, -1))
"""On a curve where its label may stand, the best first."""
SMALL = 0.005
"""A correction below this is not drawn: it would read as 0.00."""


def palette(explanation: Explanation) -> dict[str, int]:
    """A colour number for each role: fixed for the eight general ones, by name for all others."""
    named = {str(role): number for number, role in enumerate(Role)}
    roles = {
        str(role)
        for match in explanation.matches
        for role in (match.role1, match.role2)
        if role is not None
    }
    for structure in (explanation.structure1, explanation.structure2):
        if isinstance(structure, RoleStructure):
            roles.update(map(str, structure.roles))
    return named | {role: i % COLOURS for i, role in enumerate(sorted(roles - set(named)))}


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG elements and the rectangle that they take up: from (``left``, 0) on, ``width`` by
    ``height``.
    """

    content: str
    title: str
    left: float
    width: float
    height: float

    def svg(self, kind: str = "hs-diagram", before: str = "", above: float = 0.0) -> str:
        """The ``<svg>`` element of a class; ``before`` is drawn first, in a strip of height
        ``above`` or behind.

        It shrinks with the page; on its own it has the size of what is drawn.
        """
        box = f"{self.left:.1f} {-above:g} {self.width:.1f} {self.height + above:g}"
        return (
            f'<svg class="{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" '
            f'width="{self.width:.0f}" height="{self.height + above:.0f}" '
            f'style="max-width:{self.width:.0f}px">\n<title>{escape(self.title)}</title>\n{before}{self.content}\n</svg>'
        )


def diagram(explanation: Explanation) -> Picture | None:
    """The picture, without a style; None where a sentence is too long to be drawn."""
    first = words_of(explanation.sentence1, explanation.structure1, fillers_of(explanation, 1))
    second = words_of(explanation.sentence2, explanation.structure2, fillers_of(explanation, 2))
    if max(len(first), len(second)) > MAX_WORDS:
        return None
    upper, height = flow(first, TOP, is_rtl(explanation.sentence1))
    below = TOP + height - LINE + CHIP + GAP
    lower, height = flow(second, below, is_rtl(explanation.sentence2))
    colours = palette(explanation)
    both = [
        match
        for match in explanation.matches
        if match.filler1 is not None and match.filler2 is not None
    ]
    left = min((box.x for box in (*upper, *lower)), default=LEFT) - LEFT
    right = max((box.x + box.width for box in (*upper, *lower)), default=WIDTH) + RIGHT
    parts = [
        *_whole(explanation, upper, lower, left),
        *_curves(explanation, upper, lower),
        *_boxes(upper, colours, {match.role1 for match in both}, above=True),
        *_boxes(lower, colours, {match.role2 for match in both}, above=False),
    ]
    title = f"{visible(explanation.sentence1)} | {visible(explanation.sentence2)}"
    return Picture("\n".join(parts), title, left, max(right - left, MIN_WIDTH), below + height)


# -- drawing
# -----------------------------------------------------------------------------------------------------------


def _boxes(
    boxes: Sequence[Box], colours: Mapping[str, int], paired: set[str | None], *, above: bool
) -> Iterable[str]:
    for box in boxes:
        middle = box.y + CHIP / 2
        if box.role is not None:
            alone = "" if box.role in paired else " hs-alone"
            at = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{CHIP:g}" rx="8"'
            label = box.y - 7 if above else box.y + CHIP + 15
            yield f'<g class="hs-r{colours.get(box.role, 0)}{alone}">'
            yield f'<rect class="hs-behind" {at}/><rect class="hs-chip" {at}/>'
            yield f'<text class="hs-label" x="{box.middle:.1f}" y="{label:.1f}">{escape(label_of(box.role))}</text>'
        for text, x, width, _ in box.words:
            # The width is fixed only where it is known, so that another font cannot run out of its
            # span.
            fixed = (
                f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
                if set(text) <= set(WIDTHS)
                else ""
            )
            plain = "" if box.role is not None else " hs-plain"
            yield f'<text class="hs-word{plain}" x="{x:.1f}" y="{middle + 6:.1f}"{fixed}>{escape(text)}</text>'
        if box.role is not None:
            yield "</g>"


def _whole(
    explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box], left: float
) -> Iterable[str]:
    """The bracket at the left: how alike the sentences are as wholes, and what is taken off that as
    a whole.
    """
    match = next((match for match in explanation.matches if match.term == "sentence"), None)
    if match is None or not upper or not lower:
        return
    top, bottom, x = upper[0].y + CHIP / 2, lower[0].y + CHIP / 2, left + 34.0
    middle, end = (top + bottom) / 2, left + LEFT - 14
    yield (
        f'<path class="hs-curve hs-s{_step(match.similarity)}" stroke-width="{_stroke(match.similarity):.1f}" '
        f'd="M{end:g} {top:g} H{x + 16:g} Q{x:g} {top:g} {x:g} {top + 16:g} V{bottom - 16:g} '
        f'Q{x:g} {bottom:g} {x + 16:g} {bottom:g} H{end:g}"/>'
    )
    corrections = [
        m
        for m in explanation.matches
        if m.term in CORRECTIONS and m.role1 is None and m.role2 is None
    ]
    pills = [("sentence", f"{match.similarity:.2f}", "")]
    pills += [
        (line(m, explanation).name, f"{m.contribution:+.2f}", " hs-swap") for m in corrections
    ]
    y = middle - 23 * (len(pills) - 1)
    for name, number, kind in pills:
        yield (
            f'<g class="hs-pill{kind}"><rect x="{x - 29:g}" y="{y - 20:g}" width="58" height="40" rx="10"/>'
            f'<text class="hs-label hs-aside" x="{x:g}" y="{y - 4:g}">{escape(name)}</text>'
            f'<text x="{x:g}" y="{y + 12:g}">{_signed(number)}</text></g>'
        )
        y += 46


@dataclass(slots=True)
class Curve:
    """A pair of spans that are joined, and what the label says; several words that moved together
    make one curve.
    """

    one: Box
    other: Box
    similarity: float
    taken_off: float | None = None
    ends: tuple[float, float] = (0.0, 0.0)

    def at(self, t: float) -> tuple[float, float]:
        """The point of the curve at ``t``, 0 to 1."""
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        (x1, x2), y1, y2 = self.ends, self.one.y + CHIP, self.other.y
        half = (y2 - y1) / 2
        return (a + b) * x1 + (c + d) * x2, a * y1 + b * (y1 + half) + c * (y2 - half) + d * y2

    @property
    def path(self) -> str:
        """The cubic curve as path data."""
        (x1, x2), y1, y2 = self.ends, self.one.y + CHIP, self.other.y
        half = (y2 - y1) / 2
        return (
            f"M{x1:.1f} {y1:.1f} C{x1:.1f} {y1 + half:.1f} {x2:.1f} {y2 - half:.1f} {x2:.1f} "
            f"{y2:.1f}"
        )


def _joined(explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box]) -> list[Curve]:
    """The curves: one for every pair of roles whose fillers are both in the picture, then those of
    words that moved.
    """
    roles, swaps = [], dict[tuple[int, int], Curve]()
    for match in explanation.matches:
        if (
            match.role1 is None
            or match.role2 is None
            or match.filler1 is None
            or match.filler2 is None
        ):
            continue
        swap = match.term == "swap"
        one = _find(upper, match.role1, match.filler1 if swap else None, last=True)
        other = _find(lower, match.role2, match.filler2 if swap else None, last=False)
        if one is None or other is None:
            continue
        if not swap:
            roles.append(Curve(one, other, match.similarity))
            continue
        curve = swaps.setdefault((id(one), id(other)), Curve(one, other, match.similarity, 0.0))
        curve.taken_off = (curve.taken_off or 0.0) + match.contribution
        curve.similarity = max(curve.similarity, match.similarity)
    return roles + [curve for curve in swaps.values() if abs(curve.taken_off or 0.0) >= SMALL]


def _curves(explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box]) -> Iterable[str]:
    """The curves, and their labels on top."""
    curves = _joined(explanation, upper, lower)
    floor, ceiling = (
        max((box.y + CHIP for box in upper), default=0.0),
        min((box.y for box in lower), default=0.0),
    )
    starts = _ports([(id(curve.one), curve.one, curve.other.middle) for curve in curves])
    ends = _ports([(id(curve.other), curve.other, curve.one.middle) for curve in curves])
    for curve, start, end in zip(curves, starts, ends, strict=True):
        curve.ends = start, end
    # Words that moved without an exchange are said to have moved; a model that does not say so
    # means a swap.
    moved = "swap" if explanation.details.get("exchanged", 1.0) else "moved"
    labels: list[str] = []
    taken: list[tuple[float, float]] = []
    for curve in curves:
        swap = curve.taken_off is not None
        kind, width = (
            ("hs-swap", 3.0)
            if swap
            else (f"hs-s{_step(curve.similarity)}", _stroke(curve.similarity))
        )
        yield f'<path class="hs-curve {kind}" stroke-width="{width:.1f}" d="{curve.path}"/>'
    for curve in sorted(curves, key=lambda curve: curve.taken_off is None):
        places = [curve.at(t) for t in PLACES]
        free = [place for place in places if floor + 14 <= place[1] <= ceiling - 14] or places
        others = [other.at(i / 24) for other in curves if other is not curve for i in range(25)]
        x, y = max(
            free,
            key=lambda at: (
                min(60.0, _clearance(at, taken)) + 0.5 * min(30.0, _clearance(at, others))
            ),
        )
        taken.append((x, y))
        off = curve.taken_off
        shown = f"{curve.similarity:.2f}" if off is None else f"{moved} {off:+.2f}"
        labels += _pill(x, y, _signed(shown), "" if off is None else " hs-swap")
    yield from labels


def _find(boxes: Sequence[Box], role: str, word: str | None, *, last: bool) -> Box | None:
    """The box of a role (of several the nearest to the other sentence), or the one that holds a
    ``word`` that moved.
    """
    mine = [box for box in boxes if box.role == str(role)]
    if word is not None:
        lemma = word.lower()
        holding = [
            box
            for box in boxes
            if any(lemma in (placed.lemma, placed.text.lower()) for placed in box.words)
        ]
        mine = [box for box in holding if box.role == str(role)] or holding or mine
    return max(mine, key=lambda box: (box.y if last else -box.y, box.width), default=None)


def _ports(ends: Sequence[tuple[int, Box, float]]) -> list[float]:
    """Where each curve meets its box: spread over the box in the order of the other ends, so that
    few cross.
    """
    places = [0.0] * len(ends)
    for key in {key for key, _, _ in ends}:
        mine = sorted((far, i) for i, (other, _, far) in enumerate(ends) if other == key)
        for rank, (_, i) in enumerate(mine, start=1):
            box = ends[i][1]
            places[i] = box.x + box.width * rank / (len(mine) + 1)
    return places


def _clearance(place: tuple[float, float], taken: Sequence[tuple[float, float]]) -> float:
    """How far the nearest label is; labels are wider than high, so a step aside counts less."""
    return min(
        (max(abs(place[0] - x) * 0.6, abs(place[1] - y) * 1.6) for x, y in taken), default=1e9
    )


def _pill(x: float, y: float, text: str, kind: str = "") -> list[str]:
    width = text_width(text.replace("−", "+"), 12.0) + 14
    return [
        f'<g class="hs-pill{kind}"><rect x="{x - width / 2:.1f}" y="{y - 10:.1f}" width="{width:.1f}" height="20" '
        f'rx="10"/><text x="{x:.1f}" y="{y + 4.2:.1f}">{escape(text)}</text></g>'
    ]


def _signed(number: str) -> str:
    return number.replace("-", "−")


def _step(similarity: float) -> int:
    return min(STEPS - 1, int(max(0.0, similarity) * STEPS))


def _stroke(similarity: float) -> float:
    return 1.5 + 4.5 * max(0.0, min(1.0, similarity))
