"""Analogies from word analogies: the words of a pair in one sentence each.

    Athens Greece              The train to Athens was late.       The train to Greece was late.
    Japan yen                  The tourists spent a week in Japan. The tourists paid … with the yen.
    son daughter               My son lost his keys.               My daughter lost her keys.
    he she                     It was raining when he opened …     It was raining when she opened …
    Sweden Swedish             They sell cheese from Sweden.       They sell Swedish cheese.

The words come from a file in the format of Mikolov et al. 2013 (questions-words.txt): a line ``:
name`` begins a section, every other line holds four words, which are two pairs. "New_York" is "New
York".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader
from hybridsem._utils.tables import read_table
from hybridsem._utils.validation import problem
from hybridsem.english.inflection import article
from hybridsem.english.lemmas import rule_lemma
from hybridsem.english.words import PRONOUNS
from hybridsem.errors import FormatError
from hybridsem.evaluation.corpora.analogies import words as _words

WordPair = tuple[str, str]
WORDS_A_LINE = 4

SINGULAR = ({"he": "he", "his": "his", "him": "him"}, {"he": "she", "his": "her", "him": "her"})
_TEMPLATES = read_table(__file__)
PLURAL = {"he": "they", "his": "their", "him": "them"}
GENDERED = frozenset(PRONOUNS["he"]) | frozenset(PRONOUNS["she"])


@door
def read_word_pairs(path: str | Path) -> dict[str, tuple[WordPair, ...]]:
    """The distinct pairs of each section of a file of word analogies, in order.

    Raises :class:`FormatError` with the line for a line that is neither a section's name nor four
    words.
    """
    reader = LineReader(path)
    found: dict[str, dict[WordPair, None]] = {}
    pairs: dict[WordPair, None] | None = None
    for number, line in reader:
        words = line.split()
        if not words:
            continue
        if words[0].startswith(":"):
            pairs = found.setdefault(line.partition(":")[2].strip().lower(), {})
        elif pairs is None or len(words) != WORDS_A_LINE:
            expected = (
                "a section such as ': family'"
                if pairs is None
                else "four words, or a section's name behind ':'"
            )
            raise FormatError(f"expected {expected}, got {line[:60]!r}", reader.name, number)
        elif bad := [word for word in words if problem(word) is not None]:
            raise FormatError(
                f"a word that cannot be used, got {bad[0]!r:.60}", reader.name, number
            )
        else:
            one, two, three, four = (word.replace("_", " ") for word in words)
            pairs.update(dict.fromkeys(((one, two), (three, four))))
    if not any(found.values()):
        raise FormatError(
            "no word analogies; expected lines of four words below ': section'", reader.name
        )
    return {name: tuple(some) for name, some in found.items()}


def framed(category: str, pairs: Iterable[WordPair]) -> list[tuple[str, str]]:
    """A category's pairs of sentences: every frame with every pair of words that fits it."""
    if category == "gender":
        return list(_of_gender(list(pairs)))
    frames, fill = _FRAMES[category]
    return [fill(frame, pair) for frame in frames for pair in pairs]


def _in_place(frame: str, pair: WordPair) -> tuple[str, str]:
    return frame.format(_country(pair[0])), frame.format(_country(pair[1]))


def _in_own_places(frames: tuple[str, str], pair: WordPair) -> tuple[str, str]:
    return frames[0].format(_country(pair[0])), frames[1].format(_country(pair[1]))


def _of_country(frames: tuple[str, str], pair: WordPair) -> tuple[str, str]:
    return _capital(frames[0].format(_country(pair[0]))), frames[1].format(pair[1])


def _of_nation(frames: tuple[str, str], pair: WordPair) -> tuple[str, str]:
    one = article(pair[1])
    return frames[0].format(_country(pair[0])), frames[1].format(pair[1], a=one, A=one.capitalize())


def _of_gender(pairs: Sequence[WordPair]) -> Iterator[tuple[str, str]]:
    """Nouns in frames of nouns, pronouns in frames of theirs; other pronouns have none."""
    nouns = [pair for pair in pairs if GENDERED.isdisjoint(word.lower() for word in pair)]
    for frame in _TEMPLATES["genders"]:
        for pair in nouns:
            yield _of_persons(frame, pair)
    for one, two in pairs:
        for frame in _TEMPLATES["pronouns"].get(one.lower(), ()):
            yield _capital(frame.format(one)), _capital(frame.format(two))


def _of_persons(frame: str, pair: WordPair) -> tuple[str, str]:
    lemmas = [rule_lemma(word, "NOUN") for word in pair]
    many = all(lemma != word.lower() for lemma, word in zip(lemmas, pair, strict=True))
    own = [PLURAL, PLURAL] if many else SINGULAR
    said = []
    for word, lemma, pronouns in zip(pair, lemmas, own, strict=True):
        my = "my" if lemma in _words.KIN else "the"
        said.append(frame.format(word, my=my, My=my.capitalize(), **pronouns))
    return said[0], said[1]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _country(name: str) -> str:
    return f"the {name}" if name in _TEMPLATES["with_article"] else name


_FRAMES: Mapping[str, tuple[tuple[object, ...], Callable[..., tuple[str, str]]]] = {
    "common capitals": (_TEMPLATES["places"][:6], _in_place),
    "all capitals": (_TEMPLATES["places"], _in_place),
    "currency": (_TEMPLATES["currencies"], _of_country),
    "city in state": (_TEMPLATES["cities"], _in_own_places),
    "nationality": (_TEMPLATES["nations"], _of_nation),
}

SECTIONS: Mapping[str, str] = {
    "common capitals": "capital-common-countries",
    "all capitals": "capital-world",
    "currency": "currency",
    "city in state": "city-in-state",
    "gender": "family",
    "nationality": "gram6-nationality-adjective",
    "opposite": "gram2-opposite",
}
"""The section of a file of word analogies that a category's words are in."""
