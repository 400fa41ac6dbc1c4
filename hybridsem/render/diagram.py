"""The picture of an explanation: two sentences, their roles as coloured spans, and curves
between matched roles, or between words that stand for each other.

Where the spans stand is worked out in ``layout``; here they are drawn, with curves between them
and labels on the curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from hybridsem.explanations import Explanation, Term
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
    Placed,
    fillers_of,
    flow,
    is_rtl,
    label_of,
    text_width,
    words_of,
)
from hybridsem.render.template_files import fill
from hybridsem.render.wording import (
    CORRECTIONS,
    SAME,
    line,
    visible,
)
from hybridsem.structures import Role, RoleStructure

__all__ = ["Picture", "diagram", "palette"]

COLOURS = 8
STEPS = 5  # of the similarity scale
PLACES = tuple(0.5 + 0.04 * step * side for step in range(10) for side in (1, -1))
"""On a curve where its label may stand, the best first."""
BOLD = 1.12
"""How much wider bold letters are."""
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
    """SVG elements and the rectangle from (``left``, 0) that they take up."""

    content: str
    title: str
    left: float
    width: float
    height: float

    def svg(self, kind: str = "hs-diagram", before: str = "", above: float = 0.0) -> str:
        """The ``<svg>`` element, which shrinks with the page; alone it is as large as the drawing.

        Args:
            kind: Its classes.
            before: SVG that is drawn first, in the strip or behind the picture.
            above: The height of a strip above the picture.
        """
        return fill(
            "picture.svg",
            kind=kind,
            left=f"{self.left:.1f}",
            top=f"{-above:g}",
            width=f"{self.width:.1f}",
            height=f"{self.height + above:g}",
            shown_width=f"{self.width:.0f}",
            shown_height=f"{self.height + above:.0f}",
            title=escape(self.title),
            content=before + self.content,
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
    links = _links(explanation, upper, lower)
    both = [
        match
        for match in explanation.matches
        if match.filler1 is not None and match.filler2 is not None
    ]
    paired1 = {match.role1 for match in both} | {link.curve.one.role for link in links}
    paired2 = {match.role2 for match in both} | {link.curve.other.role for link in links}
    left = min((box.x for box in (*upper, *lower)), default=LEFT) - LEFT
    right = max((box.x + box.width for box in (*upper, *lower)), default=WIDTH) + RIGHT
    parts = [
        *_whole(explanation, links, upper, lower, left),
        *_curves(explanation, links, upper, lower),
        *_boxes(upper, colours, paired1, above=True),
        *_boxes(lower, colours, paired2, above=False),
    ]
    title = f"{visible(explanation.sentence1)} | {visible(explanation.sentence2)}"
    return Picture("\n".join(parts), title, left, max(right - left, MIN_WIDTH), below + height)


def _boxes(
    boxes: Sequence[Box], colours: Mapping[str, int], paired: set[str | None], *, above: bool
) -> Iterable[str]:
    """The words, those of a role on a span with its label.

    Args:
        boxes: Those of one sentence.
        colours: The colour number of each role.
        paired: The roles that the other sentence fills too.
        above: Whether the labels stand above the spans.
    """
    for box in boxes:
        words = [_word(placed, box) for placed in box.words]
        if box.role is None:
            yield from words
            continue
        yield fill(
            "chip.svg",
            colour=colours.get(box.role, 0),
            kind="" if box.role in paired else " hs-alone",
            x=f"{box.x:.1f}",
            y=f"{box.y:.1f}",
            width=f"{box.width:.1f}",
            height=f"{CHIP:g}",
            middle=f"{box.middle:.1f}",
            label_y=f"{box.y - 7 if above else box.y + CHIP + 15:.1f}",
            label=escape(label_of(box.role)),
            words="\n".join(words),
        )


def _word(placed: Placed, box: Box) -> str:
    # The width is fixed only where it is known, so that another font cannot run out of its span.
    measured = set(placed.text) <= set(WIDTHS)
    return fill(
        "word.svg" if measured else "word_unmeasured.svg",
        kind="" if box.role is not None else " hs-plain",
        x=f"{placed.x:.1f}",
        y=f"{box.y + CHIP / 2 + 6:.1f}",
        width=f"{placed.width:.1f}",
        text=escape(placed.text),
    )


def _whole(
    explanation: Explanation,
    links: Sequence[Link],
    upper: Sequence[Box],
    lower: Sequence[Box],
    left: float,
) -> Iterable[str]:
    """The bracket at the left: how alike the sentences are as wholes, and what that loses.

    Args:
        explanation: Nothing is drawn where it does not compare the sentences as wholes.
        links: The words that are joined, whose curves say what they lose.
        upper: The boxes of the first sentence.
        lower: Those of the second.
        left: Where the picture begins.
    """
    match = next((match for match in explanation.matches if match.term == Term.SENTENCE), None)
    if match is None or not upper or not lower:
        return
    top, bottom, x = upper[0].y + CHIP / 2, lower[0].y + CHIP / 2, left + 34.0
    yield fill(
        "bracket.svg",
        kind=f"hs-s{_step(match.similarity)}",
        stroke=f"{_stroke(match.similarity):.1f}",
        x=f"{x:g}",
        corner=f"{x + 16:g}",
        end=f"{left + LEFT - 14:g}",
        top=f"{top:g}",
        upper=f"{top + 16:g}",
        lower=f"{bottom - 16:g}",
        bottom=f"{bottom:g}",
    )
    pills = [("sentence", f"{match.similarity:.2f}", "")]
    pills += [
        (line(other, explanation).name, f"{other.contribution:+.2f}", " hs-swap")
        for other in explanation.matches
        if other.term in CORRECTIONS and other.role1 is None is other.role2 and not other.edits
    ]
    told = {number for link in links for number in link.told}
    rest = sum(
        other.contribution
        for number, other in enumerate(explanation.matches)
        if other.edits and number not in told
    )
    if abs(rest) >= SMALL:
        pills.append(("other", f"{rest:+.2f}", " hs-swap"))
    y = (top + bottom) / 2 - 23 * (len(pills) - 1)
    for name, number, kind in pills:
        yield fill(
            "pill_named.svg",
            kind=kind,
            left=f"{x - 29:g}",
            top=f"{y - 20:g}",
            x=f"{x:g}",
            name=escape(name),
            name_y=f"{y - 4:g}",
            number=_signed(number),
            number_y=f"{y + 12:g}",
        )
        y += 46


@dataclass(slots=True)
class Curve:
    """A pair of spans that are joined, and what the label says.

    Several words that moved together make one curve.
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
        control1, control2 = f"{x1:.1f} {y1 + half:.1f}", f"{x2:.1f} {y2 - half:.1f}"
        return f"M{x1:.1f} {y1:.1f} C{control1} {control2} {x2:.1f} {y2:.1f}"


@dataclass(frozen=True, slots=True)
class Link:
    """Words that stand for each other, joined in the picture.

    ``label`` is what its curve says; ``told`` are the numbers of the explanation's lines that it
    stands for.
    """

    curve: Curve
    label: str
    told: tuple[int, ...] = ()


def _links(explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box]) -> list[Link]:
    """The aligned words, each with what its differences take off the score."""
    left: dict[object, list[int]] = {}
    for number, match in enumerate(explanation.matches):
        about = {(edit.before.tokens, edit.after.tokens) for edit in match.edits}
        if len(about) == 1:
            left.setdefault(about.pop(), []).append(number)
    links = []
    for pair in explanation.alignment:
        one, other = _place(upper, pair.token1, pair.word1), _place(lower, pair.token2, pair.word2)
        if one is None or other is None:
            continue
        told = left.pop(((pair.token1,), (pair.token2,)), [])
        lines = [explanation.matches[number] for number in told]
        lost = sum(line.contribution for line in lines)
        ends = one[1].x, other[1].x
        if abs(lost) < SMALL:
            label = "" if pair.relation == SAME else f"{pair.similarity:.2f}"
            links.append(Link(Curve(one[0], other[0], pair.similarity, ends=ends), label))
            continue
        most = max(lines, key=lambda line: abs(line.contribution))
        label = f"{most.label} {lost:+.2f}"
        links.append(Link(Curve(one[0], other[0], pair.similarity, lost, ends), label, tuple(told)))
    return links


def _place(boxes: Sequence[Box], token: int, word: str) -> tuple[Box, Placed] | None:
    """An aligned word and its box; where there is no tree, it is found by how it is written."""
    for box in boxes:
        for placed in box.words:
            if placed.token == token or (
                placed.token is None and placed.text.lower() == word.lower()
            ):
                return box, placed
    return None


def _joined(explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box]) -> list[Curve]:
    """One curve for each pair of roles that are both in the picture, then those of moved words."""
    roles, swaps = [], dict[tuple[int, int], Curve]()
    for match in explanation.matches:
        if (
            match.role1 is None
            or match.role2 is None
            or match.filler1 is None
            or match.filler2 is None
        ):
            continue
        swap = match.term == Term.SWAP
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


def _curves(
    explanation: Explanation, links: Sequence[Link], upper: Sequence[Box], lower: Sequence[Box]
) -> Iterable[str]:
    """The curves, and their labels on top.

    Args:
        explanation: Whose matched roles and moved words are joined.
        links: The aligned words, which are joined too.
        upper: The boxes of the first sentence.
        lower: Those of the second.
    """
    curves = _joined(explanation, upper, lower)
    starts = _ports([(id(curve.one), curve.one, curve.other.middle) for curve in curves])
    ends = _ports([(id(curve.other), curve.other, curve.one.middle) for curve in curves])
    for curve, start, end in zip(curves, starts, ends, strict=True):
        curve.ends = start, end
    # Words that did not change places with others are labelled as moved; a model that does not
    # tell the two apart means a swap.
    moved = "swap" if explanation.details.get("exchanged", 1.0) else "moved"
    labelled = [
        (
            curve,
            f"{curve.similarity:.2f}"
            if curve.taken_off is None
            else f"{moved} {curve.taken_off:+.2f}",
        )
        for curve in curves
    ] + [(link.curve, link.label) for link in links]
    yield from _drawn(labelled, upper, lower)


def _drawn(
    labelled: Sequence[tuple[Curve, str]], upper: Sequence[Box], lower: Sequence[Box]
) -> Iterable[str]:
    """Curves with what their labels say, if anything; the labels stand where there is room."""
    floor = max((box.y + CHIP for box in upper), default=0.0)
    ceiling = min((box.y for box in lower), default=0.0)
    curves = [curve for curve, _ in labelled]
    for curve in curves:
        kind, width = "hs-swap", 3.0
        if curve.taken_off is None:
            kind, width = f"hs-s{_step(curve.similarity)}", _stroke(curve.similarity)
        yield fill("curve.svg", kind=kind, stroke=f"{width:.1f}", path=curve.path)
    labels: list[str] = []
    taken: list[tuple[float, float]] = []
    for curve, label in sorted(labelled, key=lambda one: one[0].taken_off is None):
        if not label:
            continue
        places = [curve.at(t) for t in PLACES]
        free = [place for place in places if floor + 14 <= place[1] <= ceiling - 14] or places
        others = [other.at(i / 24) for other in curves if other is not curve for i in range(25)]
        room = [
            min(60.0, _clearance(place, taken)) + 0.5 * min(30.0, _clearance(place, others))
            for place in free
        ]
        x, y = free[room.index(max(room))]
        taken.append((x, y))
        labels.append(_pill(x, y, _signed(label), "" if curve.taken_off is None else " hs-swap"))
    yield from labels


def _find(boxes: Sequence[Box], role: str, word: str | None, *, last: bool) -> Box | None:
    """The box of a role, or the one that holds a word that moved.

    Args:
        boxes: Those of one sentence.
        role: Its name.
        word: The word that moved, in small letters; None for the role itself.
        last: Whether the lowest of several is taken, and not the highest: the one that is nearest
            to the other sentence.
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
    """Where each curve meets its box: in the order of the other ends, so that few cross."""
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


def _pill(x: float, y: float, text: str, kind: str) -> str:
    """A label on a curve, its centre at (x, y)."""
    width = text_width(text.replace("−", "+"), 12.0) * (BOLD if kind else 1) + 14
    return fill(
        "pill.svg",
        kind=kind,
        left=f"{x - width / 2:.1f}",
        top=f"{y - 10:.1f}",
        width=f"{width:.1f}",
        x=f"{x:.1f}",
        y=f"{y + 4.2:.1f}",
        text=escape(text),
    )


def _signed(number: str) -> str:
    return number.replace("-", "−")


def _step(similarity: float) -> int:
    return min(STEPS - 1, int(max(0.0, similarity) * STEPS))


def _stroke(similarity: float) -> float:
    return 1.5 + 4.5 * max(0.0, min(1.0, similarity))
