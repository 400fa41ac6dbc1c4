"""The picture that explains a score: two sentences, their roles as coloured spans, and curves
that join matched roles or words.

``layout`` places the spans; here they are drawn, with curves between them and labels on the curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hybridsem.explanations import Explanation, RoleMatch, Term
from hybridsem.render import layout
from hybridsem.render.layout import BOLD, LABEL_FONT, Box, Word, fixed, flow, text_width
from hybridsem.render.markup import Markup, decimal, joined, tag
from hybridsem.render.wording import CORRECTIONS, SAME, line, minus
from hybridsem.structures import Role, RoleStructure

COLOURS = 8
STEPS = 5  # of the similarity scale
PLACES = tuple(0.5 + 0.01 * step * side for step in range(44) for side in (1, -1))
"""Possible places of the label on a curve, the best first."""
PILL_FONT, PILL, MARGIN = 12.0, 58.0, 7.0
"""The font size of a curve's label, the width of a label at the bracket, and the margin of both."""
SMALL = 0.005  # smaller corrections are not drawn, because they would be shown as 0.00


def palette(explanation: Explanation) -> dict[str, int]:
    """A colour number for each role: fixed for the eight general ones, by name for all others."""
    named = {str(role): number for number, role in enumerate(Role)}
    both = [role for match in explanation.matches for role in (match.role1, match.role2)]
    roles = {str(role) for role in both if role is not None}
    roles.update(f"sentence {at}" for pair in explanation.sentences for at in pair[:2] if at)
    for structure in (explanation.structure1, explanation.structure2):
        if isinstance(structure, RoleStructure):
            roles.update(map(str, structure.roles))
    return named | {role: i % COLOURS for i, role in enumerate(sorted(roles - set(named)))}


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG elements and their bounding box, which begins at (``left``, 0)."""

    content: Markup
    title: str
    left: float
    width: float
    height: float

    def svg(
        self, kind: str = "hs-diagram", before: Markup | None = None, above: float = 0.0
    ) -> Markup:
        """Return an ``<svg>`` element with a class, which shrinks with the page; ``before`` is
        drawn in a strip of height ``above`` over the picture.
        """
        box = " ".join(map(decimal, (self.left, -above, self.width, self.height + above)))
        width = f"{self.width:.0f}"
        return tag(
            "svg",
            tag("title", self.title),
            before,
            self.content,
            class_=kind,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=box,
            role="img",
            width=width,
            height=f"{self.height + above:.0f}",
            style=f"max-width:{width}px",
        )


@dataclass(slots=True)
class Curve:
    """Two joined spans or words, their label, and the amount that they subtract from the score
    (None without a difference).
    """

    one: Box
    other: Box
    similarity: float
    lost: float | None = None
    label: str = ""
    ends: tuple[float, float] = (0.0, 0.0)

    @property
    def controls(self) -> tuple[tuple[float, float], ...]:
        """The control points of the cubic curve."""
        (x1, x2), y1, y2 = self.ends, self.one.y + layout.CHIP, self.other.y
        half = (y2 - y1) / 2
        return (x1, y1), (x1, y1 + half), (x2, y2 - half), (x2, y2)

    def at(self, t: float) -> tuple[float, float]:
        """Return the point of the curve at ``t``, 0 to 1."""
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        (x1, y1), (_, y2), (_, y3), (x4, y4) = self.controls
        return (a + b) * x1 + (c + d) * x4, a * y1 + b * y2 + c * y3 + d * y4

    @property
    def path(self) -> str:
        """The curve as path data."""
        start, one, two, end = (f"{x:.1f} {y:.1f}" for x, y in self.controls)
        return f"M{start} C{one} {two} {end}"


def diagram(explanation: Explanation, width: float = layout.WIDTH) -> Picture | None:
    """Return the picture without style, or None if a sentence is too long. Lines break at
    ``width``.
    """
    first, second = layout.words_of(explanation, 1), layout.words_of(explanation, 2)
    if max(len(first), len(second)) > layout.MAX_WORDS:
        return None
    upper, height = flow(first, layout.TOP, width)
    labels = sum(abs(match.contribution) >= SMALL for match in explanation.matches if match.edits)
    gap = max(layout.GAP, 24.0 * labels)
    below = layout.TOP + height - layout.LINE + layout.CHIP + gap
    lower, height = flow(second, below, width)
    colours = palette(explanation)
    links, rest = _links(explanation, upper, lower)
    curves = [*_joined(explanation, upper, lower), *links]
    both = [match for match in explanation.matches if None not in (match.filler1, match.filler2)]
    paired1 = {match.role1 for match in both} | {curve.one.role for curve in curves}
    paired2 = {match.role2 for match in both} | {curve.other.role for curve in curves}
    left = min((box.x for box in (*upper, *lower)), default=layout.LEFT) - layout.LEFT
    right = max((box.x + box.width for box in (*upper, *lower)), default=width) + layout.RIGHT
    parts = [
        *(_whole(explanation, rest, upper[0].y, lower[0].y, left) if upper and lower else ()),
        *_drawn(curves, upper, lower, (left + layout.LEFT - MARGIN, right)),
        *_boxes(upper, colours, paired1, above=True),
        *_boxes(lower, colours, paired2, above=False),
    ]
    title = f"{explanation.sentence1} | {explanation.sentence2}"
    width = max(right - left, layout.MIN_WIDTH)
    return Picture(joined(parts, "\n"), title, left, width, below + height)


def _boxes(
    boxes: Sequence[Box], colours: Mapping[str, int], paired: set[str | None], *, above: bool
) -> Iterator[Markup]:
    """Return the words of a sentence. The words of a role are on a span with a label ``above`` or
    below; ``paired`` are the roles that both sentences have.
    """
    for box in boxes:
        words = [_word(word, box) for word in box.words]
        if box.role is None:
            yield from words
            continue
        size = {"x": box.x, "y": box.y, "width": box.width, "height": layout.CHIP, "rx": 8}
        chip = (tag("rect", class_=kind, **size) for kind in ("hs-behind", "hs-chip"))
        label = layout.label_of(box.role)
        place = {"x": box.middle, "y": box.y - 7 if above else box.y + layout.CHIP + 15}
        width = text_width(label, LABEL_FONT) * BOLD
        named = tag("text", label, class_="hs-label", **place, **fixed(label, width))
        alone = "" if box.role in paired else " hs-alone"
        yield tag("g", *chip, named, *words, class_=f"hs-r{colours.get(box.role, 0)}{alone}")


def _word(word: Word, box: Box) -> Markup:
    kind = "hs-word" if box.role is not None else "hs-word hs-plain"
    y, shape = box.y + layout.CHIP / 2 + 6, fixed(word.text, word.width)
    return tag("text", word.text, class_=kind, x=word.x, y=y, **shape)


def _pill(
    kind: str, place: tuple[float, float], width: float, height: int, *texts: Markup
) -> Markup:
    """Return texts on a rounded ground around a place."""
    size = {"x": -width / 2, "y": -height // 2, "width": width, "height": height, "rx": 10}
    x, y = map(decimal, place)
    kinds = f"hs-pill{kind}"
    return tag("g", tag("rect", **size), *texts, class_=kinds, transform=f"translate({x} {y})")


def _whole(
    explanation: Explanation, rest: float, upper: float, lower: float, left: float
) -> Iterator[Markup]:
    """Return the bracket at the left, between the tops of the sentences. It shows their similarity
    as wholes, and the loss; ``rest`` is the loss that no curve shows.
    """
    match = next((match for match in explanation.matches if match.term == Term.SENTENCE), None)
    if match is None:
        return
    height, x = lower - upper, left + layout.LEFT / 2 - 8
    top = upper + layout.CHIP / 2
    yield _curve(
        f"M36 0H16Q0 0 0 16V{decimal(height - 16)}Q0 {decimal(height)} 16 {decimal(height)}H36",
        f"hs-s{_step(match.similarity)}",
        _stroke(match.similarity),
        transform=f"translate({decimal(x)} {decimal(top)})",
    )
    pills = [("sentence", f"{match.similarity:.2f}", "")]
    pills += [
        (line(other, explanation).name, f"{other.contribution:+.2f}", " hs-swap")
        for other in explanation.matches
        if other.term in CORRECTIONS and other.role1 is None is other.role2 and not other.edits
    ]
    if abs(rest) >= SMALL:
        pills.append(("other", f"{rest:+.2f}", " hs-swap"))
    y = top + height / 2 - 23 * (len(pills) - 1)
    for name, number, kind in pills:
        shape = fixed(name, min(text_width(name, LABEL_FONT), PILL - MARGIN))
        named = tag("text", name, class_="hs-label hs-aside", y=-4, **shape)
        yield _pill(kind, (x, y), PILL, 40, named, tag("text", minus(number), y=12))
        y += 46


def _curve(path: str, kind: str, width: float, **attributes: object) -> Markup:
    kinds = f"hs-curve {kind}"
    return tag("path", class_=kinds, stroke_width=width, d=path, **attributes)


Pair = tuple[tuple[int, ...], tuple[int, ...]]


def _links(
    explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box]
) -> tuple[list[Curve], float]:
    """Return a curve for each pair of aligned words, with the amount that its differences subtract
    from the score, and the amount of differences without a curve. A difference of several pairs,
    such as an exchange, has its label on the first.
    """
    curves: dict[Pair, Curve] = {}
    for pair in explanation.alignment:
        one, other = _place(upper, pair.token1, pair.word1), _place(lower, pair.token2, pair.word2)
        if one is not None and other is not None:
            label = "" if pair.relation == SAME else f"{pair.similarity:.2f}"
            ends = one[1].x, other[1].x
            curve = Curve(one[0], other[0], pair.similarity, None, label, ends)
            curves[(pair.token1,), (pair.token2,)] = curve
    lines: dict[Pair, list[RoleMatch]] = {}
    rest = 0.0
    for match in explanation.matches:
        about = {(edit.before.tokens, edit.after.tokens) for edit in match.edits}
        if about and about <= curves.keys():
            lines.setdefault(min(about), []).append(match)
        elif match.edits:
            rest += match.contribution
    for place, own in lines.items():
        lost = sum(match.contribution for match in own)
        if abs(lost) < SMALL:
            rest += lost
            continue
        most = max(own, key=lambda match: abs(match.contribution))
        for edit in (edit for match in own for edit in match.edits):
            curve = curves[edit.before.tokens, edit.after.tokens]
            curve.lost, curve.label = curve.lost or 0.0, ""
        curves[place].lost, curves[place].label = lost, f"{most.label} {lost:+.2f}"
    return list(curves.values()), rest


def _place(boxes: Sequence[Box], token: int, form: str) -> tuple[Box, Word] | None:
    """Return an aligned word and its box; without a tree, the word is found by its form."""
    for box in boxes:
        for word in box.words:
            if word.token == token or (word.token is None and word.text.lower() == form.lower()):
                return box, word
    return None


def _joined(explanation: Explanation, upper: Sequence[Box], lower: Sequence[Box]) -> list[Curve]:
    """Return a curve for each pair of roles or sentences that are both in the picture, then the
    curves of moved words; words that moved together share a curve.
    """
    # Words that did not change places with others are labelled as moved; a model that does not
    # distinguish the two means a swap.
    moved = "swap" if explanation.details.get("exchanged", 1.0) else "moved"
    roles, swaps = [], dict[tuple[int, int], Curve]()
    for pair in explanation.sentences:
        one = _find(upper, f"sentence {pair.sentence1}", None, last=True)
        other = _find(lower, f"sentence {pair.sentence2}", None, last=False)
        if one is not None and other is not None:
            roles.append(Curve(one, other, pair.similarity, None, f"{pair.similarity:.2f}"))
    for match in explanation.matches:
        role1, role2, word1, word2 = match.role1, match.role2, match.filler1, match.filler2
        if role1 is None or role2 is None or word1 is None or word2 is None:
            continue
        swap = match.term == Term.SWAP
        one = _find(upper, role1, word1 if swap else None, last=True)
        other = _find(lower, role2, word2 if swap else None, last=False)
        if one is None or other is None:
            continue
        if not swap:
            roles.append(Curve(one, other, match.similarity, None, f"{match.similarity:.2f}"))
            continue
        curve = swaps.setdefault((id(one), id(other)), Curve(one, other, match.similarity, 0.0))
        curve.lost = (curve.lost or 0.0) + match.contribution
        curve.label = f"{moved} {curve.lost:+.2f}"
        curve.similarity = max(curve.similarity, match.similarity)
    curves = roles + [curve for curve in swaps.values() if abs(curve.lost or 0.0) >= SMALL]
    starts = _ports([(curve.one, curve.other.middle) for curve in curves])
    ends = _ports([(curve.other, curve.one.middle) for curve in curves])
    for curve, start, end in zip(curves, starts, ends, strict=True):
        curve.ends = start, end
    return curves


def _drawn(
    curves: Sequence[Curve], upper: Sequence[Box], lower: Sequence[Box], sides: tuple[float, float]
) -> Iterator[Markup]:
    """Return the curves and their labels, which lie between the ``sides``; labels of differences
    are placed first.
    """
    floor = max((box.y + layout.CHIP for box in upper), default=0.0)
    ceiling = min((box.y for box in lower), default=0.0)
    for curve in curves:
        kind, width = "hs-swap", 3.0
        if curve.lost is None:
            kind, width = f"hs-s{_step(curve.similarity)}", _stroke(curve.similarity)
        yield _curve(curve.path, kind, width)
    taken: list[tuple[float, float, float]] = []
    for curve in sorted(curves, key=lambda curve: curve.lost is None):
        if not curve.label:
            continue
        text, kind = minus(curve.label), "" if curve.lost is None else " hs-swap"
        inner = text_width(text, PILL_FONT) * (BOLD if kind else 1)
        half = inner / 2 + MARGIN
        places = [
            (min(max(x, sides[0] + half), sides[1] - half), y) for x, y in map(curve.at, PLACES)
        ]
        free = [place for place in places if floor + 14 <= place[1] <= ceiling - 14] or places
        others = [other.at(i / 24) for other in curves if other is not curve for i in range(25)]
        x, y = max(free, key=lambda place: _room(place, half, taken, others))
        taken.append((x, y, half))
        label = tag("text", text, y=4.2, **fixed(text, inner))
        yield _pill(kind, (x, y), 2 * half, 20, label)


def _find(boxes: Sequence[Box], role: str, word: str | None, *, last: bool) -> Box | None:
    """Return the box of a role, or the box with a ``word`` that moved; of several, the one nearest
    to the other sentence: the ``last`` or the first.
    """
    mine = [box for box in boxes if box.role == str(role)]
    if word is not None:
        lemma = word.lower()
        holding = [
            box for box in boxes if any(lemma in (own.lemma, own.text.lower()) for own in box.words)
        ]
        mine = [box for box in holding if box.role == str(role)] or holding or mine
    return max(mine, key=lambda box: (box.y if last else -box.y, box.width), default=None)


def _ports(ends: Sequence[tuple[Box, float]]) -> list[float]:
    """Return where each curve meets its box: in the order of the other ends, so that few curves
    cross.
    """
    places = [0.0] * len(ends)
    for box in {id(box): box for box, _ in ends}.values():
        mine = sorted((far, i) for i, (other, far) in enumerate(ends) if other is box)
        for rank, (_, i) in enumerate(mine, start=1):
            places[i] = box.x + box.width * rank / (len(mine) + 1)
    return places


def _room(
    place: tuple[float, float],
    half: float,
    taken: Iterable[tuple[float, float, float]],
    points: Iterable[tuple[float, float]],
) -> float:
    """Return how much room a label of half a width has, from the nearest of the labels that are
    ``taken`` and from the nearest of the points of curves.
    """
    x, y = place
    apart = min((max(abs(x - u) - half - w, abs(y - v) - 20) for u, v, w in taken), default=8.0)
    # Labels are wider than high, so horizontal distance counts less.
    clear = min((max(abs(x - u) * 0.6, abs(y - v) * 1.6) for u, v in points), default=30.0)
    return 4 * min(8.0, apart) + 0.5 * min(30.0, clear)


def _step(similarity: float) -> int:
    return min(STEPS - 1, int(max(0.0, similarity) * STEPS))


def _stroke(similarity: float) -> float:
    return 1.5 + 4.5 * max(0.0, min(1.0, similarity))
