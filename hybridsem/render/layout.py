"""Places of words in the picture of an explanation: boxes of words that fill a role, in lines. They
are computed here and not in a browser, so the picture needs no script. Words have Helvetica's
widths, which the fonts of the style sheet share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import category, east_asian_width, normalize

from hybridsem._utils.terminal import visible
from hybridsem.explanations import Explanation, Term
from hybridsem.render.template_files import text_of
from hybridsem.structures import DependencyTree, Filler, Parsed, RoleStructure

WIDTH, NARROW, MIN_WIDTH = 960.0, 420.0, 360.0
"""The widths of a picture on a screen and on a phone, and the least width."""
LEFT, RIGHT, TOP = 84.0, 24.0, 34.0
FONT, LABEL_FONT = 17.0, 11.0
SPACE, PADDING, CHIP_GAP = 5.0, 8.0, 6.0
CHIP, LINE, GAP = 32.0, 64.0, 132.0
"""The heights of a span, of a line of text with its labels, and of the least space between both."""
MAX_WORDS = 120  # beyond this a picture says less than the table
MAX_LETTERS = 40

# Widths of ASCII characters 32-126 in Helvetica, in thousandths of the font size (Adobe Font
# Metrics, Core 14).
_HELVETICA = text_of("helvetica.txt")
WIDTHS = {chr(code): int(width) / 1000 for code, width in enumerate(_HELVETICA.split(), start=32)}
WIDTHS |= {"−": WIDTHS["+"], "–": 0.556, "—": 1.0, "‘": 0.222, "’": 0.222, "“": 0.333, "”": 0.333}
WIDTHS |= {"…": 1.0, "€": 0.556, "£": 0.556}
ACCENTED = {letter: normalize("NFD", letter)[0] for letter in map(chr, range(0xC0, 0x250))}
WIDTHS |= {letter: WIDTHS[base] for letter, base in ACCENTED.items() if base in WIDTHS}
BOLD = 1.12  # the width of bold letters relative to regular ones


@dataclass(slots=True)
class Word:
    """A word of a sentence as shown, the role that contains it (or None), its lemma and the number
    of its token; the centre and width where it is drawn. Without a tree the lemma is the word and
    there is no number.
    """

    text: str
    start: int
    end: int
    role: str | None
    lemma: str
    token: int | None
    x: float = 0.0
    width: float = 0.0


@dataclass(slots=True)
class Box:
    """Neighbouring words of one role, or a word without a role, on one line."""

    role: str | None
    words: list[Word]
    x: float
    y: float
    width: float
    spaced: bool = True

    @property
    def middle(self) -> float:
        """The x coordinate of the centre."""
        return self.x + self.width / 2


def words_of(explanation: Explanation, side: int) -> list[Word]:
    """Return the words of sentence 1 or 2: those of its tree, else its parts between blanks."""
    sentence = (explanation.sentence1, explanation.sentence2)[side - 1]
    structure = (explanation.structure1, explanation.structure2)[side - 1]
    tree = structure.tree if isinstance(structure, RoleStructure) else None
    text = sentence if tree is None else tree.text
    bounds: list[tuple[int, int, str, int | None]]
    if tree is None:
        bounds = [(*found.span(), found[0], None) for found in re.finditer(r"\S+", text)]
    else:
        bounds = [
            (token.start, token.end, token.lemma, number)
            for number, token in enumerate(tree)
            if token.end > token.start
        ]
    roles: list[str | None] = [None] * len(text)
    for role, filler in _fillers(explanation, structure, side).items():
        for start, end in _spans(filler, text, tree):
            roles[start:end] = [role] * (end - start)
    return [
        Word(_cut(text[start:end], MAX_LETTERS), start, end, roles[start], lemma.lower(), token)
        for start, end, lemma, token in bounds
    ]


def _fillers(explanation: Explanation, structure: Parsed | None, side: int) -> dict[str, Filler]:
    """Return aligned sentences by their names, the fillers of the main frame, then those of other
    matches.
    """
    fillers: dict[str, Filler] = {}
    for one, two, _, own in explanation.sentences:
        if own is not None:
            number, sentence = (one, own.sentence1) if side == 1 else (two, own.sentence2)
            fillers[f"sentence {number}"] = Filler(sentence, ())
    if isinstance(structure, RoleStructure):
        fillers = {str(role): filler for role, filler in structure.roles.items()}
    for match in explanation.matches:
        role, text = (match.role1, match.filler1) if side == 1 else (match.role2, match.filler2)
        if match.term == Term.ROLE and role is not None and text:
            fillers.setdefault(str(role), Filler(text, ()))
    return fillers


def _spans(filler: Filler, text: str, tree: DependencyTree | None) -> list[tuple[int, int]]:
    """Return the places of a filler: its tokens, else the places of its text."""
    if tree is not None and filler.tokens:
        return [(tree[i].start, tree[i].end) for i in filler.tokens if i < len(tree)]
    if not filler.text.strip():
        return []
    at = re.search(rf"(?<!\w){re.escape(filler.text)}(?!\w)", text, re.IGNORECASE)
    return [] if at is None else [at.span()]


def text_width(text: str, size: float) -> float:
    """Return the width of a text in Helvetica, roughly for characters that are not ASCII."""
    return size * sum(WIDTHS.get(character) or _other_width(character) for character in text)


def fixed(text: str, width: float) -> dict[str, str]:
    """Return the attributes that give a text its width in any font; none if the width is rough."""
    if not set(text) <= WIDTHS.keys():
        return {}
    return {"textLength": f"{width:.1f}", "lengthAdjust": "spacingAndGlyphs"}


def _other_width(character: str) -> float:
    if category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    return 1.0 if east_asian_width(character) in "WF" else 0.56


def flow(words: Sequence[Word], top: float, width: float) -> tuple[list[Box], float]:
    """Return the words as boxes, broken into lines, and the height of all lines."""
    room = width - LEFT - RIGHT
    boxes: list[Box] = []
    x, y = 0.0, top
    for box in _runs(words, room):
        gap = 0.0 if not boxes or x == 0 else (SPACE if box.spaced else 0.0)
        if gap and box.role is not None and boxes[-1].role is not None:
            gap = CHIP_GAP
        # A comma or a full stop stays with its word.
        over = x + gap + box.width - (0.0 if box.spaced else FONT) - room
        if x > 0 and over > 0:
            x, y, gap = 0.0, y + LINE, 0.0
        box.y = y
        _move(box, LEFT + x + gap)
        x += gap + box.width
        boxes.append(box)
    used = max((box.x + box.width - LEFT for box in boxes), default=0.0)
    for box in boxes:
        _move(box, box.x + max(0.0, room - used) / 2)
    return boxes, y - top + LINE


def _move(box: Box, x: float) -> None:
    for word in box.words:
        word.x = x + word.x - box.x
    box.x = x


def _runs(words: Sequence[Word], room: float) -> Iterable[Box]:
    """Return boxes at x = 0: one for neighbouring words of a role, one for each other word."""
    box: Box | None = None
    end = -1
    for word in words:
        word.width = width = text_width(word.text, FONT)
        spaced = word.start > end
        end = word.end
        before = SPACE if spaced else 0.0
        if (
            box is not None
            and word.role is not None
            and word.role == box.role
            and box.width + before + width < room
        ):
            inner = box.width - PADDING + before
            word.x = inner + width / 2
            box.words.append(word)
            box.width = inner + width + PADDING
            continue
        if box is not None:
            yield _at_least_label(box)
        edge = PADDING if word.role is not None else 0.0
        word.x = edge + width / 2
        box = Box(word.role, [word], 0.0, 0.0, width + 2 * edge, spaced)
    if box is not None:
        yield _at_least_label(box)


def _at_least_label(box: Box) -> Box:
    """Return the box, wide enough for its role label."""
    if box.role is not None:
        short = text_width(label_of(box.role), LABEL_FONT) * BOLD + 6 - box.width
        if short > 0:
            box.width += short
            for word in box.words:
                word.x += short / 2
    return box


def label_of(role: str) -> str:
    """Return the role's name as shown, shortened if it is long."""
    return _cut(role, 22)


def _cut(text: str, most: int) -> str:
    """Return a text as shown, with at most that number of characters."""
    text = visible(text)
    return text if len(text) <= most else text[: most - 1] + "…"
