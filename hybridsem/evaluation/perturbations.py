"""Perturbations of a text by name: superficial, semantic, insertions, removals (SAGE, app. A).

A perturbation is a pure function of text and seed. Characters are grapheme clusters; words are
separated by blanks, and every Chinese or Japanese character is one.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from types import MappingProxyType

import numpy as np

from hybridsem._typing import Float64Array, IntArray
from hybridsem._utils.extras import extra
from hybridsem._utils.tables import read_table
from hybridsem.english.negation import toggled
from hybridsem.english.sentences import sentences
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.tokenisers import tokeniser

Draw = Callable[[int], Float64Array]  #: draws numbers evenly from [0, 1)
Change = Callable[[str, Draw], str]
Span = tuple[int, int]
#: The names of positions, in a name and in its summary.
PLACES = {0.0: ("start", "at the start"), 0.5: ("middle", "in the middle")}
PLACES[1.0] = ("end", "at the end")
_TABLES = read_table(__file__)


@dataclass(frozen=True)
class Perturbation:
    """A change of texts; insertions and removals have a share and a position."""

    name: str
    kind: str
    summary: str
    change: Change
    share: float | None = None
    position: float | None = None
    exact: bool = False

    def __call__(self, text: str, seed: int = 0) -> str:
        """Return the changed text, a blank one unchanged. Draws depend on seed, text and name."""
        if not isinstance(text, str):
            raise InputError(f"expected a string, got {text!r:.80} ({type(text).__name__})")
        return self.change(text, partial(_drawn, self.name, text, seed))


def insertion(
    share: float, position: float, filler: str | None = None, *, exact: bool = False
) -> Perturbation:
    """Insert words of a filler, ``share`` of the text's tokens (above 0, below 100), at a
    ``position``.

    The position is from 0 (before the first word) to 1 (after the last). Without filler the words
    are Latin. ``exact``, as in SAGE, adds exactly that number of tokens at a character.

    >>> insertion(0.3, 0.5, filler="and so on")("A text of your own.")
    'A text of and so your own.'
    """
    if filler is not None and not filler.split():
        raise InputError(f"filler needs at least one word, got {filler!r}")
    padding = LATIN if filler is None else Padding(filler)
    how, change = ("exactly ", inserted_exactly) if exact else ("", inserted)
    summary = f"filler, {how}{{share}} of the tokens, added {{place}}"
    made = partial(change, share, position, padding)
    return _measured("insertion", summary, made, share, position, exact, below=100)


def removal(share: float, position: float, *, exact: bool = False) -> Perturbation:
    """Remove a ``share`` of the words (above 0, below 1) at a ``position``, the share of words
    before. ``exact``, as in SAGE, removes a span of tokens.

    >>> removal(0.4, 0.0)("A text of your own.")
    'of your own.'
    """
    what, change = ("tokens", removed_exactly) if exact else ("words", removed)
    summary = f"a span of {{share}} of the {what} taken out {{place}}"
    made = partial(change, share, position)
    return _measured("removal", summary, made, share, position, exact, below=1)


def _measured(
    kind: str, summary: str, change: Change, share: float, position: float, exact: bool, below: int
) -> Perturbation:
    if not 0 < share < below:
        raise InputError(f"share is above 0 and below {below}, got {share!r}")
    if not 0 <= position <= 1:
        raise InputError(f"position is from 0 (start) to 1 (end), got {position!r}")
    at = 100 * position
    short, place = PLACES.get(position, (f"{at:g}", f"at {at:g} %"))
    name = f"{kind}-{100 * share:g}-{short}{'-exact' if exact else ''}"
    summary = summary.format(share=f"{100 * share:g} %", place=place)
    return Perturbation(name, kind, summary, change, share, position, exact)


def _drawn(name: str, text: str, seed: int, count: int) -> Float64Array:
    digest = hashlib.sha256(f"{name}\0{seed}\0{text}".encode("utf-8", "surrogatepass")).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little"))).random(count)


def uppercase(text: str, draw: Draw) -> str:
    """Capitalise a quarter of all characters; those without a single capital stay (ß)."""
    count = rounded(0.25 * len(text))
    chosen = np.argpartition(draw(len(text)), count)[:count] if count else np.empty(0, int)
    characters = list(text)
    for at in chosen.tolist():
        capital = characters[at].upper()
        if len(capital) == 1 and unicodedata.category(characters[at]) == "Ll":
            characters[at] = capital
    return "".join(characters)


def deletion(text: str, _: Draw) -> str:
    """Delete every tenth character, except blanks and words of one character."""
    characters = characters_of(text)
    blank = [character.isspace() for character in characters]
    last = len(characters) - 1
    for at in range(9, len(characters), 10):
        alone = blank[at - 1] and (at == last or blank[at + 1])
        if not (blank[at] or alone):
            characters[at] = ""
    return "".join(characters)


_DIGITS = str.maketrans("eiao", "3140")
_BASES = re.compile("[eiao](?![\u0300-\u036f])")


def digits(text: str, _: Draw) -> str:
    """Replace letters by digits; letters with accents stay, composed or decomposed."""
    if text.isascii():
        return text.translate(_DIGITS)
    return _BASES.sub(lambda found: found[0].translate(_DIGITS), text)


def shuffled(spans_of: Callable[[str], list[Span]], text: str, draw: Draw) -> str:
    """Reorder the spans; the text between them stays in place."""
    spans = spans_of(text)
    if len(spans) < 2:
        return text
    order = np.argsort(draw(len(spans)), kind="stable")
    if (order[:-1] < order[1:]).all():  # as it was: that is no shuffle
        order = np.roll(order, 1)
    pieces: list[str] = []
    last = 0
    for (start, end), source in zip(spans, order.tolist(), strict=True):
        piece = text[slice(*spans[source])]
        is_joined = pieces and _JOIN.fullmatch(pieces[-1][-1] + piece[0])
        pieces += [text[last:start] or (" " if is_joined else ""), piece]
        last = end
    return "".join([*pieces, text[last:]])


def inserted(share: float, position: float, padding: Padding, text: str, _: Draw) -> str:
    """Insert padding of a share of the tokens before the word at a position."""
    spans = words(text)
    if not spans:
        return text
    ids, _starts = tokeniser("wordpiece")([text])
    given = padding.of(share * len(ids))
    before = rounded(position * len(spans))
    if before == len(spans):
        end = spans[-1][1]
        return f"{text[:end]} {given}{text[end:]}"
    start = spans[before][0]
    glue = "" if before == 0 or text[start - 1].isspace() else " "
    return f"{text[:start]}{glue}{given} {text[start:]}"


def removed(share: float, position: float, text: str, _: Draw) -> str:
    """Remove a span of a share of the words."""
    spans = words(text)
    if len(spans) < 2:
        return text
    count = min(max(rounded(share * len(spans)), 1), len(spans) - 1)
    first = rounded(position * (len(spans) - count))
    if first + count == len(spans):
        return text[: spans[first - 1][1]] + text[spans[-1][1] :]
    left, right = text[: spans[first][0]], text[spans[first + count][0] :]
    return left + (" " if _JOIN.fullmatch(left[-1:] + right[0]) else "") + right


def inserted_exactly(share: float, position: float, padding: Padding, text: str, _: Draw) -> str:
    """Insert padding of an exact number of tokens at a character, even inside a word."""
    count = len(_places(text, tokeniser().name))
    if not count:
        return text
    at = int(position * len(text))
    return text[:at] + padding.exactly(max(int(share * count), 1)) + text[at:]


def removed_exactly(share: float, position: float, text: str, _: Draw) -> str:
    """Remove a span of a share of the tokens, rounded down; words may lose a part."""
    places = [*_places(text, tokeniser().name), len(text)]
    gone = int(share * (len(places) - 1))
    first = int(position * (len(places) - 1 - gone))
    return text[: places[first]] + text[places[first + gone] :]


@lru_cache(maxsize=64)
def _places(text: str, _tokeniser: str) -> tuple[int, ...]:
    """Return where the tokens of a text begin; a text has several changes in succession."""
    return tuple(tokeniser().places(text).tolist())


_CJK = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
_JOIN = re.compile(rf"[^\W{_CJK}]{{2}}")  # characters that would join two words into one
_WORD = re.compile(rf"[{_CJK}][{_MARKS}]*|[^\s{_CJK}]+")


def words(text: str) -> list[Span]:
    """Return the spans of words between blanks; every Chinese or Japanese character is one."""
    return [match.span() for match in _WORD.finditer(text)]


def characters_of(text: str) -> list[str]:
    """Return the extended grapheme clusters (Unicode's annex 29); a blank is always one."""
    if max(text, default="") < "\u0300":  # the first that combines with others
        return list(text)
    with extra("regex", "metrics"):
        import regex
    characters: list[str] = regex.findall(r"\s|\X", text)
    return characters


def rounded(number: float) -> int:
    """Round to the nearest whole number; a half is rounded up."""
    return int(number + 0.5)


SEED = 20260101
DRAWN_WORDS = 12_000


class Padding:
    """Words to pad with: those of a text, repeated if too few, or Latin words at random."""

    def __init__(self, text: str | None = None) -> None:
        self._text = text

    @cached_property
    def words(self) -> list[str]:
        """The words with their punctuation; Latin ones are in sentences of four to twelve words."""
        if self._text is not None:
            return self._text.split()
        words: list[str] = _TABLES["latin"].split()
        random = np.random.Generator(np.random.PCG64(SEED))
        drawn = [words[int(at)] for at in random.random(DRAWN_WORDS) * len(words)]
        ends = {0, *accumulate(4 + int(length) for length in random.random(DRAWN_WORDS // 4) * 9)}
        capitals = [word.capitalize() if at in ends else word for at, word in enumerate(drawn)]
        return [word + ("." if at + 1 in ends else "") for at, word in enumerate(capitals)]

    @cached_property
    def ends(self) -> IntArray:
        """The number of word pieces up to the end of each word."""
        _, starts = tokeniser("wordpiece")(self.words)
        return starts[1:]

    def of(self, tokens: float) -> str:
        """Return the fewest words that have that number of tokens; at least one word."""
        times, rest = divmod(tokens, int(self.ends[-1]))
        last = int(np.searchsorted(self.ends, rest)) + 1 if rest or not times else 0
        return " ".join(self.words * int(times) + self.words[:last])

    def exactly(self, tokens: int) -> str:
        """Return exactly that number of tokens, cl100k's if available, without a final blank."""
        whole, places = self._text_and_places
        times, rest = divmod(tokens, len(places))
        return (f"{whole} " * times + whole[: int(places[rest])]).rstrip()

    @cached_property
    def _text_and_places(self) -> tuple[str, IntArray]:
        whole = " ".join(self.words)
        return whole, tokeniser().places(whole)


LATIN = Padding()


def _described(kind: str, **changes: Change) -> tuple[Perturbation, ...]:
    named = ((name, kind, _TABLES["summaries"][name], change) for name, change in changes.items())
    return tuple(Perturbation(*fields) for fields in named)


def perturbation(name: str) -> Perturbation:
    """Return the perturbation of that name.

    >>> perturbation("uppercase").kind
    'superficial'
    """
    if name not in PERTURBATIONS:
        raise UnknownNameError("perturbation", name, PERTURBATIONS)
    return PERTURBATIONS[name]


#: Changes that keep the meaning.
SUPERFICIAL = _described("superficial", uppercase=uppercase, deletion=deletion, digits=digits)
_SHUFFLES = {"sentence-shuffle": partial(shuffled, sentences)}
_SHUFFLES["word-shuffle"] = partial(shuffled, words)
#: Changes of the meaning or of the order.
SEMANTIC = _described("semantic", negation=lambda text, _: toggled(text), **_SHUFFLES)
#: Filler of a share of the length, at each place.
INSERTIONS = tuple(insertion(share, position) for share in (0.15, 0.5, 1.0) for position in PLACES)
#: Removed spans of a share of the length, at each place.
REMOVALS = tuple(removal(share, position) for share in (0.15, 0.5, 0.9) for position in PLACES)
#: Insertions and removals as SAGE's authors measure them, for each of ours.
EXACT = {one: insertion(one.share or 0, one.position or 0, exact=True) for one in INSERTIONS}
EXACT |= {one: removal(one.share or 0, one.position or 0, exact=True) for one in REMOVALS}
_OURS = (*SUPERFICIAL, *SEMANTIC, *INSERTIONS, *REMOVALS)
_NAMED = {change.name: change for change in (*_OURS, *EXACT.values())}
PERTURBATIONS: Mapping[str, Perturbation] = MappingProxyType(_NAMED)  #: all of them by name
#: The eighteen of retrieval robustness.
RETRIEVAL = tuple(change for change in _OURS if change.share in (None, 0.15, 0.5))
