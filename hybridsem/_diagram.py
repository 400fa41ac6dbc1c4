"""The picture of an explanation: two sentences, their roles as coloured spans, and curves between matched roles.

    Explanation --spans--> words and their spans --flow--> Box, Box, … --draw--> SVG

Positions are worked out here and not in a browser, so the picture needs no script. Word widths are those of Helvetica,
which the fonts that the style sheet asks for share.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from hybridsem.structures import Explanation, Filler, Parsed, Role, RoleMatch, RoleStructure

__all__ = ["Picture", "diagram", "palette", "visible"]

WIDTH, MIN_WIDTH = 960.0, 360.0
LEFT, RIGHT, TOP = 84.0, 24.0, 34.0
FONT, LABEL_FONT = 17.0, 11.0
SPACE, PADDING, CHIP_GAP = 5.0, 8.0, 6.0
CHIP, LINE, GAP = 32.0, 64.0, 132.0  # height of a span, of a line of text with its labels, and between the sentences
MAX_WORDS = 120  # beyond this a picture says less than the table
MAX_LETTERS = 40
COLOURS = 8
STEPS = 5  # of the similarity scale
PLACES = (0.5, 0.3, 0.7, 0.38, 0.62, 0.22, 0.78, 0.86, 0.14)  # on a curve where its label may stand, the best first

# Widths of ASCII characters 32-126 in Helvetica, in thousandths of the font size (Adobe Font Metrics, Core 14).
_HELVETICA = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 "
    "584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 "
    "667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 "
    "278 556 500 722 500 500 500 334 260 334 584"
)
WIDTHS = {chr(code): int(width) / 1000 for code, width in enumerate(_HELVETICA.split(), start=32)}

# Characters that act on a terminal or a page in place of being shown: controls, bidirectional overrides, surrogates.
_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_BLANKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")


def visible(text: str) -> str:
    """The text with control characters, direction overrides and lone surrogates spelled out, and on one line."""
    return _ACTING.sub(lambda found: " " if found[0] in _BLANKS else ascii(found[0])[1:-1], text)


def palette(explanation: Explanation) -> dict[str, int]:
    """A colour number for each role: fixed for the eight general ones, by name for all others."""
    named = {str(role): number for number, role in enumerate(Role)}
    roles = {str(role) for match in explanation.matches for role in (match.role1, match.role2) if role is not None}
    for structure in (explanation.structure1, explanation.structure2):
        if isinstance(structure, RoleStructure):
            roles.update(map(str, structure.roles))
    return named | {role: i % COLOURS for i, role in enumerate(sorted(roles - set(named)))}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence and the role that it helps to fill (None: none)."""

    text: str
    start: int
    end: int
    role: str | None


@dataclass(slots=True)
class Box:
    """Neighbouring words of one role on one line; ``words`` holds each word with its centre and width."""

    role: str | None
    words: list[tuple[str, float, float]]
    x: float
    y: float
    width: float
    spaced: bool = True

    @property
    def middle(self) -> float:
        """The centre, as an x coordinate."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Picture:
    """SVG elements and the rectangle that they take up: from (``left``, 0) on, ``width`` by ``height``."""

    content: str
    title: str
    left: float
    width: float
    height: float

    def svg(self, kind: str = "hs-diagram", before: str = "", above: float = 0.0) -> str:
        """The ``<svg>`` element of a class; ``before`` is drawn first, in a strip of height ``above`` or behind."""
        box = f"{self.left:.1f} {-above:g} {self.width:.1f} {self.height + above:g}"
        return (
            f'<svg class="{kind}" xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" '
            f'style="max-width:{self.width:.0f}px">\n<title>{escape(self.title)}</title>\n{before}{self.content}\n</svg>'
        )


def diagram(explanation: Explanation) -> Picture | None:
    """The picture, without a style; None where a sentence is too long to be drawn."""
    first = _words(explanation.sentence1, explanation.structure1, _fillers(explanation, 1))
    second = _words(explanation.sentence2, explanation.structure2, _fillers(explanation, 2))
    if max(len(first), len(second)) > MAX_WORDS:
        return None
    upper, height = _flow(first, TOP, _is_rtl(explanation.sentence1))
    below = TOP + height - LINE + CHIP + GAP
    lower, height = _flow(second, below, _is_rtl(explanation.sentence2))
    colours = palette(explanation)
    both = [match for match in explanation.matches if match.filler1 is not None and match.filler2 is not None]
    left = min((box.x for box in (*upper, *lower)), default=LEFT) - LEFT
    right = max((box.x + box.width for box in (*upper, *lower)), default=WIDTH) + RIGHT
    parts = [
        *_whole(explanation.matches, upper, lower, left),
        *_curves(explanation.matches, upper, lower),
        *_boxes(upper, colours, {match.role1 for match in both}, above=True),
        *_boxes(lower, colours, {match.role2 for match in both}, above=False),
    ]
    title = f"{visible(explanation.sentence1)} | {visible(explanation.sentence2)}"
    return Picture("\n".join(parts), title, left, max(right - left, MIN_WIDTH), below + height)


# -- which words fill which role ---------------------------------------------------------------------------------------


def _fillers(explanation: Explanation, side: int) -> dict[str, Filler]:
    """The fillers of one sentence: those of its main frame, and what the matches say beyond it."""
    structure = (explanation.structure1, explanation.structure2)[side - 1]
    found: dict[str, Filler] = {}
    if isinstance(structure, RoleStructure):
        found = {str(role): filler for role, filler in structure.roles.items()}
    for match in explanation.matches:
        role, text = (match.role1, match.filler1) if side == 1 else (match.role2, match.filler2)
        if match.term == "role" and role is not None and text and str(role) not in found:
            found[str(role)] = Filler(text, ())
    return found


def _words(sentence: str, structure: Parsed | None, fillers: Mapping[str, Filler]) -> list[Word]:
    """The words, by the tree where there is one and by white space where there is none."""
    tree = structure.tree if isinstance(structure, RoleStructure) else None
    text = tree.text if tree is not None else sentence
    if tree is not None:
        bounds = [(token.start, token.end) for token in tree if token.end > token.start]
    else:
        bounds = [found.span() for found in re.finditer(r"\S+", text)]
    roles: list[str | None] = [None] * len(text)
    for role, filler in fillers.items():
        for start, end in _spans(filler, text, structure):
            roles[start:end] = [role] * (end - start)
    return [Word(visible(text[start:end]), start, end, roles[start]) for start, end in bounds]


def _spans(filler: Filler, text: str, structure: Parsed | None) -> list[tuple[int, int]]:
    """Where a filler stands: at its tokens, or else where its text is found."""
    if isinstance(structure, RoleStructure) and structure.tree is not None and filler.tokens:
        tree = structure.tree
        return [(tree[i].start, tree[i].end) for i in filler.tokens if i < len(tree)]
    at = re.search(rf"(?<!\w){re.escape(filler.text)}(?!\w)", text, re.IGNORECASE) if filler.text.strip() else None
    return [] if at is None else [at.span()]


# -- where everything stands -------------------------------------------------------------------------------------------


def _text_width(text: str, size: float) -> float:
    return size * sum(WIDTHS.get(character) or _other_width(character) for character in text)


def _other_width(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.0 if unicodedata.east_asian_width(character) in "WF" else 0.56


def _is_rtl(text: str) -> bool:
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((found != "L" for found in directions if found in ("L", "R", "AL")), False)


def _flow(words: Sequence[Word], top: float, rtl: bool) -> tuple[list[Box], float]:
    """The words as boxes, broken into lines; and the height of all lines."""
    room = WIDTH - LEFT - RIGHT
    boxes: list[Box] = []
    x, y = 0.0, top
    for box in _runs(words, room):
        gap = 0.0 if not boxes or x == 0 else (SPACE if box.spaced else 0.0)
        if gap and box.role is not None and boxes[-1].role is not None:
            gap = CHIP_GAP
        if x > 0 and x + gap + box.width > room:
            x, y, gap = 0.0, y + LINE, 0.0
        box.y = y
        _move(box, LEFT + x + gap)
        x += gap + box.width
        boxes.append(box)
    used = max((box.x + box.width - LEFT for box in boxes), default=0.0)
    for box in boxes:
        if rtl:
            _move(box, 2 * LEFT + used - box.x - box.width, mirrored=True)
        _move(box, box.x + max(0.0, room - used) / 2)
    return boxes, y - top + LINE


def _move(box: Box, x: float, *, mirrored: bool = False) -> None:
    """Put the box at ``x``, its words with it."""
    ends = box.x, box.x + box.width
    box.words = [(text, x + (ends[1] - at if mirrored else at - ends[0]), width) for text, at, width in box.words]
    box.x = x


def _runs(words: Sequence[Word], room: float) -> Iterable[Box]:
    """Boxes at x = 0: neighbours of one role together, plain words one by one so that lines can break."""
    box: Box | None = None
    end = -1
    for word in words:
        text = word.text if len(word.text) <= MAX_LETTERS else word.text[: MAX_LETTERS - 1] + "…"
        width = _text_width(text, FONT)
        spaced = word.start > end
        end = word.end
        before = SPACE if spaced else 0.0
        if box is not None and word.role is not None and word.role == box.role and box.width + before + width < room:
            inner = box.width - PADDING + before
            box.words.append((text, inner + width / 2, width))
            box.width = inner + width + PADDING
            continue
        if box is not None:
            yield _at_least_label(box)
        edge = PADDING if word.role is not None else 0.0
        box = Box(word.role, [(text, edge + width / 2, width)], 0.0, 0.0, width + 2 * edge, spaced)
    if box is not None:
        yield _at_least_label(box)


def _at_least_label(box: Box) -> Box:
    """The box, wide enough for its role label."""
    if box.role is not None:
        short = _text_width(_label(box.role), LABEL_FONT) * 1.08 + 6 - box.width
        if short > 0:
            box.width += short
            box.words = [(text, at + short / 2, width) for text, at, width in box.words]
    return box


def _label(role: str) -> str:
    role = visible(role)
    return role if len(role) <= 22 else role[:21] + "…"


# -- drawing -----------------------------------------------------------------------------------------------------------


def _boxes(boxes: Sequence[Box], colours: Mapping[str, int], paired: set[str | None], *, above: bool) -> Iterable[str]:
    for box in boxes:
        middle = box.y + CHIP / 2
        if box.role is not None:
            alone = "" if box.role in paired else " hs-alone"
            at = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{CHIP:g}" rx="8"'
            label = box.y - 7 if above else box.y + CHIP + 15
            yield f'<g class="hs-r{colours.get(box.role, 0)}{alone}">'
            yield f'<rect class="hs-behind" {at}/><rect class="hs-chip" {at}/>'
            yield f'<text class="hs-label" x="{box.middle:.1f}" y="{label:.1f}">{escape(_label(box.role))}</text>'
        for text, x, width in box.words:
            # The width is fixed only where it is known, so that another font cannot run out of its span.
            fixed = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if set(text) <= set(WIDTHS) else ""
            plain = "" if box.role is not None else " hs-plain"
            yield f'<text class="hs-word{plain}" x="{x:.1f}" y="{middle + 6:.1f}"{fixed}>{escape(text)}</text>'
        if box.role is not None:
            yield "</g>"


def _whole(matches: Sequence[RoleMatch], upper: Sequence[Box], lower: Sequence[Box], left: float) -> Iterable[str]:
    """The bracket at the left: how alike the sentences are as wholes."""
    match = next((match for match in matches if match.term == "sentence"), None)
    if match is None or not upper or not lower:
        return
    top, bottom, x = upper[0].y + CHIP / 2, lower[0].y + CHIP / 2, left + 34.0
    middle, end = (top + bottom) / 2, left + LEFT - 14
    yield (
        f'<path class="hs-curve hs-s{_step(match.similarity)}" stroke-width="{_stroke(match.similarity):.1f}" '
        f'd="M{end:g} {top:g} H{x + 16:g} Q{x:g} {top:g} {x:g} {top + 16:g} V{bottom - 16:g} '
        f'Q{x:g} {bottom:g} {x + 16:g} {bottom:g} H{end:g}"/>'
    )
    yield (
        f'<g class="hs-pill"><rect x="{x - 29:g}" y="{middle - 20:g}" width="58" height="40" rx="10"/>'
        f'<text class="hs-label hs-aside" x="{x:g}" y="{middle - 4:g}">sentence</text>'
        f'<text x="{x:g}" y="{middle + 12:g}">{_signed(f"{match.similarity:.2f}")}</text></g>'
    )


def _curves(matches: Sequence[RoleMatch], upper: Sequence[Box], lower: Sequence[Box]) -> Iterable[str]:
    """A curve for every pair of roles whose fillers are both in the picture, and its label on top."""
    joined = []
    for match in matches:
        if match.term == "sentence" or match.role1 is None or match.role2 is None:
            continue
        one, other = _find(upper, match.role1, last=True), _find(lower, match.role2, last=False)
        if one is not None and other is not None and match.filler1 is not None and match.filler2 is not None:
            joined.append((match, one, other))
    floor, ceiling = max((box.y + CHIP for box in upper), default=0.0), min((box.y for box in lower), default=0.0)
    starts = _ports([(id(one), one, other.middle) for _, one, other in joined])
    ends = _ports([(id(other), other, one.middle) for _, one, other in joined])
    labels: list[str] = []
    taken: list[tuple[float, float]] = []
    for (match, one, other), x1, x2 in zip(joined, starts, ends, strict=True):
        y1, y2 = one.y + CHIP, other.y
        bend = (y2 - y1) * 0.5
        swap = match.term == "swap"
        kind = "hs-swap" if swap else f"hs-s{_step(match.similarity)}"
        yield (
            f'<path class="hs-curve {kind}" stroke-width="{_stroke(match.similarity):.1f}" '
            f'd="M{x1:.1f} {y1:.1f} C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"/>'
        )
        shown = f"swap {match.contribution:+.2f}" if swap else f"{match.similarity:.2f}"
        places = [_on_curve(x1, y1, x2, y2, bend, t) for t in PLACES]
        free = [place for place in places if floor + 14 <= place[1] <= ceiling - 14]
        x, y = max(free or places, key=lambda place: min(60.0, _clearance(place, taken)))
        taken.append((x, y))
        labels += _pill(x, y, _signed(shown), " hs-swap" if swap else "")
    yield from labels


def _find(boxes: Sequence[Box], role: str, *, last: bool) -> Box | None:
    """The role's box that is nearest to the other sentence; of several on a line the widest."""
    found = [box for box in boxes if box.role == str(role)]
    return max(found, key=lambda box: (box.y if last else -box.y, box.width), default=None)


def _ports(ends: Sequence[tuple[int, Box, float]]) -> list[float]:
    """Where each curve meets its box: spread over the box in the order of the other ends, so that few cross."""
    places = [0.0] * len(ends)
    for key in {key for key, _, _ in ends}:
        mine = sorted((far, i) for i, (other, _, far) in enumerate(ends) if other == key)
        for rank, (_, i) in enumerate(mine, start=1):
            box = ends[i][1]
            places[i] = box.x + box.width * rank / (len(mine) + 1)
    return places


def _on_curve(x1: float, y1: float, x2: float, y2: float, bend: float, t: float) -> tuple[float, float]:
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    return (a + b) * x1 + (c + d) * x2, a * y1 + b * (y1 + bend) + c * (y2 - bend) + d * y2


def _clearance(place: tuple[float, float], taken: Sequence[tuple[float, float]]) -> float:
    """How far the nearest label is; labels are wider than high, so a step aside counts less."""
    return min((max(abs(place[0] - x) * 0.6, abs(place[1] - y) * 1.6) for x, y in taken), default=1e9)


def _pill(x: float, y: float, text: str, kind: str = "") -> list[str]:
    width = _text_width(text.replace("−", "+"), 12.0) + 14
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
