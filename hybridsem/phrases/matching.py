"""Phrases in a sentence whose words, lemmas and tree are known.

A pattern is a phrase with its lemma and signs:

    in spite of            words in a row; a hyphen in the sentence is passed over
    give … up              others may stand in between, below the verb: "gave the whole plan up"
    take * decision        a determiner and modifiers; the noun may be the subject of a passive
    be * aware of          the head of a copula, with adverbs
    change one's mind      a possessive pronoun
    pull someone's leg     any possessor, who is not part of the phrase
    IT                     capitals must be written so

Some particles are only adverbs, so "give up" is read as "give … up"; "look after" stays in a row.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hybridsem._utils.tables import read_table, word_set
from hybridsem.english.tokenise import tokenise
from hybridsem.structures import Phrase

_TABLES = read_table(__file__)
PARTICLES = word_set(_TABLES["particles"])
LINKS = word_set(_TABLES["links"])
ARTICLES = word_set(_TABLES["articles"])
POSSESSIVES = word_set(_TABLES["possessives"])
GENITIVES = word_set(_TABLES["genitives"])
HYPHENS = frozenset("-‐‑")
GAP, MODIFIERS, OWN, OTHERS = "…", "*", "one's", "someone's"
SIGNS = frozenset({GAP, MODIFIERS, OWN, OTHERS})
CATEGORIES = MappingProxyType(_TABLES["categories"])
ALLOWED = MappingProxyType({key: word_set(tags) for key, tags in _TABLES["allowed"].items()})
LONGEST_GAP = 8
"""The most words in a gap."""

_PLAIN = re.compile(r"[a-zA-Z]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """The words and signs of a phrase, the place of the word that its first word governs (0: they
    are in a row), and the category, "" for that of its head.
    """

    key: str
    words: tuple[str, ...]
    anchor: int
    category: str


def pattern_of(text: str, category: str) -> Pattern:
    """Return the pattern of a phrase.

    >>> pattern_of("kick the bucket", "v").key, pattern_of("give up", "v").words
    ('kick bucket', ('give', '…', 'up'))
    """
    words = [*_words(text)]
    if category == "v" and len(words) > 1 and words[1] in PARTICLES:
        words.insert(1, GAP)
    anchor = 0
    for sign in (GAP, MODIFIERS, OTHERS):
        if sign in words:
            after = range(words.index(sign) + 1, len(words))
            anchor = next((at for at in after if words[at] not in LINKS), after[0])
            break
    return Pattern(key_of(text, category), tuple(words), anchor, category)


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        if word in SIGNS or _PLAIN.fullmatch(word):
            yield word if word in SIGNS or word.isupper() else word.lower()
            continue
        parts = [word[start:end] for start, end in tokenise(word)]
        yield from (part if part.isupper() else part.lower() for part in parts if part != "-")


def key_of(text: str, category: str = "") -> str:
    """Return the key of a phrase: without signs and hyphens, a verb's without articles.

    >>> key_of("change one's mind"), key_of("take a decision", "v"), key_of("Ice-cream")
    ('change mind', 'take decision', 'ice cream')
    """
    left_out = SIGNS | ARTICLES if category == "v" else SIGNS
    words = [word for word in text.replace("-", " ").split() if word not in left_out]
    return " ".join(word if word.isupper() else word.lower() for word in words)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence without its hyphens: the spellings of each word, and their tokens."""

    spellings: Sequence[tuple[str, ...]]
    tokens: Sequence[int]
    tags: Sequence[str]
    heads: Sequence[int]

    def below(self, token: int, top: int) -> bool:
        """Test if a token is a descendant of another, at most a few steps below."""
        for _ in range(LONGEST_GAP):
            token = self.heads[token]
            if token in (top, -1):
                break
        return token == top >= 0


class Matcher:
    """Patterns by their first two words, or by governor and governed word."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        single: defaultdict[str, list[Pattern]] = defaultdict(list)
        in_row: defaultdict[tuple[str, str], list[Pattern]] = defaultdict(list)
        governed: defaultdict[tuple[str, str], list[Pattern]] = defaultdict(list)
        for pattern in patterns:
            words = pattern.words
            if pattern.anchor:
                governed[words[0], words[pattern.anchor]].append(pattern)
            elif len(words) > 1:
                in_row[words[0], words[1]].append(pattern)
            elif words:
                single[words[0]].append(pattern)
        self._single, self._in_row, self._governed = dict(single), dict(in_row), dict(governed)
        self._first = frozenset(first for first, _ in in_row)
        self._anchors = frozenset(anchor for _, anchor in governed)

    def phrases(
        self, lemmas: Sequence[str], forms: Sequence[str], tags: Sequence[str], heads: Sequence[int]
    ) -> list[Phrase]:
        """Return the phrases of a sentence in order; of those that overlap, the longest."""
        tokens = [i for i, form in enumerate(forms) if form not in HYPHENS]
        capitals = any(form.islower() for form in forms)
        spellings = [_spellings(forms[i], lemmas[i], capitals) for i in tokens]
        sentence = _Sentence(spellings, tokens, tags, heads)
        matches = [
            (len(places), -places[0], pattern, places)
            for at, pattern in self._candidates(sentence)
            if (places := _match(pattern, sentence, at))
        ]
        taken: set[int] = set()
        phrases = []
        for *_, pattern, places in sorted(matches, key=lambda match: match[:2], reverse=True):
            phrase = taken.isdisjoint(places) and _phrase(pattern, places, sentence)
            if phrase:
                taken.update(places)
                phrases.append(phrase)
        return sorted(phrases, key=lambda phrase: phrase.tokens)

    def _candidates(self, sentence: _Sentence) -> Iterator[tuple[int, Pattern]]:
        """Yield the patterns that may start at a place."""
        spellings = sentence.spellings
        place = {token: at for at, token in enumerate(sentence.tokens)}
        for at, words in enumerate(spellings):
            following = spellings[at + 1] if at + 1 < len(spellings) else ()
            for word in words:
                for pattern in self._single.get(word, ()):
                    yield at, pattern
                if word in self._first:
                    for other in following:
                        for pattern in self._in_row.get((word, other), ()):
                            yield at, pattern
                if word in self._anchors:
                    for verb in self._governors(sentence, place, at):
                        for lemma in spellings[verb]:
                            for pattern in self._governed.get((lemma, word), ()):
                                yield verb, pattern

    @staticmethod
    def _governors(sentence: _Sentence, place: Mapping[int, int], at: int) -> Iterator[int]:
        """Yield the governor of a word, and its copula."""
        token = sentence.tokens[at]
        if (head := place.get(sentence.heads[token])) is not None:
            yield head
        for before in range(max(0, at - LONGEST_GAP), at):
            other = sentence.tokens[before]
            if sentence.heads[other] == token and sentence.tags[other] == "AUX":
                yield before


def _spellings(form: str, lemma: str, capitals: bool) -> tuple[str, ...]:
    """Return the spellings of a word that patterns may have; capitals where they tell a word."""
    lower = form.lower()
    words = [lower]
    if lemma != lower:
        words.append(lemma)
    if capitals and form != lower and form.isupper() and form not in words:
        words.append(form)
    if lower in POSSESSIVES:
        words.append(OWN)
    return tuple(words)


def _match(pattern: Pattern, sentence: _Sentence, start: int) -> list[int]:
    """Return the places of the words of a pattern that starts at a place, or none."""
    places: list[int] = []
    words, at = pattern.words, start
    for number, word in enumerate(words):
        if word in (GAP, MODIFIERS, OTHERS):
            top = start if word == GAP else None
            at = _after_gap(sentence, at, words[number + 1 : pattern.anchor + 1], word, top)
            if at < 0:
                return _passive(pattern, sentence, start) if word == MODIFIERS else []
        else:
            if at >= len(sentence.spellings) or word not in sentence.spellings[at]:
                return []
            places.append(at)
            at += 1
    return places


def _after_gap(
    sentence: _Sentence, at: int, wanted: Sequence[str], sign: str, top: int | None
) -> int:
    """Return the place after a gap where the wanted words are, or -1.

    The words of the gap are below ``top``, or else below the last of the wanted words.
    """
    spellings, tokens = sentence.spellings, sentence.tokens
    for end in range(at, min(at + LONGEST_GAP, len(tokens) - len(wanted)) + 1):
        if all(word in spellings[end + i] for i, word in enumerate(wanted)):
            above = tokens[end + len(wanted) - 1 if top is None else top]
            inside = tokens[at:end]
            if sign == OTHERS and not (inside and _possessive(spellings[end - 1])):
                return -1
            anchor = tokens[end + len(wanted) - 1]
            attached = top is None or sentence.below(anchor, above)
            return end if attached and all(sentence.below(i, above) for i in inside) else -1
    return -1


def _possessive(words: tuple[str, ...]) -> bool:
    return OWN in words or not GENITIVES.isdisjoint(words)


def _passive(pattern: Pattern, sentence: _Sentence, start: int) -> list[int]:
    """Return the places of a verb, its noun in front of it, and what follows the verb."""
    noun = pattern.words[pattern.anchor]
    if pattern.anchor != 2:
        return []
    for before in range(start - 1, max(-1, start - 1 - 2 * LONGEST_GAP), -1):
        governed = sentence.heads[sentence.tokens[before]] == sentence.tokens[start]
        if governed and noun in sentence.spellings[before]:
            rest = pattern.words[3:]
            after = sentence.spellings[start + 1 : start + 1 + len(rest)]
            if len(after) == len(rest) and all(map(tuple.__contains__, after, rest)):
                return [start, before, *range(start + 1, start + 1 + len(rest))]
    return []


def _phrase(pattern: Pattern, places: Sequence[int], sentence: _Sentence) -> Phrase | None:
    """Return the phrase at these places, or None if its head has another part of speech."""
    tokens = tuple(sorted(sentence.tokens[place] for place in places))
    tops = [token for token in tokens if sentence.heads[token] not in tokens] or [tokens[0]]
    head, allowed = tops[0], ALLOWED.get(pattern.category)
    if allowed is not None:
        fitting = [token for token in tops if sentence.tags[token] in allowed]
        if not fitting and not (pattern.category == "v" and sentence.tags[tokens[0]] in allowed):
            return None  # the head of "is aware of" is "aware"
        head = (fitting or tops)[0]
    category = pattern.category or CATEGORIES.get(sentence.tags[head], "d")
    return Phrase(pattern.key, tokens, head, category)
