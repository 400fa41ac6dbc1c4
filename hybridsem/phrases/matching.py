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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, starmap
from operator import attrgetter, itemgetter

from hybridsem._utils.tables import read_table, word_set, word_sets
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
CATEGORIES: Mapping[str, str] = _TABLES["categories"]
ALLOWED: Mapping[str, frozenset[str]] = word_sets(_TABLES["allowed"])
LONGEST_GAP = 8
"""The most words in a gap."""


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
    for word in text.replace("-", " ").split():
        if word in SIGNS or (word.isascii() and word.isalpha()):
            yield word if word.isupper() else word.lower()
            continue
        parts = [word[start:end] for start, end in tokenise(word)]
        yield from (part if part.isupper() else part.lower() for part in parts)


def key_of(text: str, category: str = "") -> str:
    """Return the key of a phrase: without signs and hyphens, a verb's without articles.

    >>> key_of("change one's mind"), key_of("take a decision", "v"), key_of("Ice-cream")
    ('change mind', 'take decision', 'ice cream')
    """
    left_out = SIGNS | ARTICLES if category == "v" else SIGNS
    words = [word for word in text.replace("-", " ").split() if word not in left_out]
    return " ".join(word if word.isupper() else word.lower() for word in words)


@dataclass(frozen=True)
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

    @cached_property
    def governed(self) -> dict[int, list[int]]:
        """The places of the words that each token governs; a copula governs its head."""
        governed: dict[int, list[int]] = {}
        place = {token: at for at, token in enumerate(self.tokens)}
        for token, at in place.items():
            head = self.heads[token]
            governed.setdefault(head, []).append(at)
            if self.tags[token] == "AUX" and head in place:
                governed.setdefault(token, []).append(place[head])
        return governed


class _Patterns:
    """The patterns that start with one word: alone, by the second word (after an article, with the
    third), by a governed word.
    """

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self.alone: list[Pattern] = []
        self.in_row: dict[str, list[Pattern]] = {}
        self.governed: dict[str, list[Pattern]] = {}
        for pattern in patterns:
            if pattern.anchor:
                anchor = pattern.words[pattern.anchor]
                self.governed.setdefault(anchor, []).append(pattern)
            elif len(pattern.words) > 1:
                second = pattern.words[1]
                if second in ARTICLES and len(pattern.words) > 2:
                    second += f" {pattern.words[2]}"
                self.in_row.setdefault(second, []).append(pattern)
            else:
                self.alone.append(pattern)


class Matcher:
    """Patterns by their first word, compiled when it occurs first.

    ``phrases`` are their texts and categories.
    """

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        self._texts: dict[str, list[tuple[str, str]]] = {}
        for text, category in dict.fromkeys(phrases):
            if (first := next(_words(text), None)) is not None:
                self._texts.setdefault(first, []).append((text, category))
        self._compiled: dict[str, _Patterns] = {}

    def _starting_with(self, word: str) -> _Patterns:
        patterns = self._compiled[word] = _Patterns(starmap(pattern_of, self._texts[word]))
        return patterns

    def phrases(
        self, lemmas: Sequence[str], forms: Sequence[str], tags: Sequence[str], heads: Sequence[int]
    ) -> list[Phrase]:
        """Return the phrases of a sentence in order; of those that overlap, the longest."""
        tokens = [i for i, form in enumerate(forms) if form not in HYPHENS]
        capitals = any(map(str.islower, forms))
        spellings = [_spellings(forms[i], lemmas[i], capitals) for i in tokens]
        sentence = _Sentence(spellings, tokens, tags, heads)
        matches = [
            (len(places), -places[0], pattern, places)
            for at, pattern in self._candidates(sentence)
            if (places := _match(pattern, sentence, at))
        ]
        taken: set[int] = set()
        phrases = []
        for *_, pattern, places in sorted(matches, key=itemgetter(0, 1), reverse=True):
            phrase = taken.isdisjoint(places) and _phrase(pattern, places, sentence)
            if phrase:
                taken.update(places)
                phrases.append(phrase)
        return sorted(phrases, key=attrgetter("tokens"))

    def _candidates(self, sentence: _Sentence) -> list[tuple[int, Pattern]]:
        """Return the patterns that may start at each place."""
        candidates: list[tuple[int, Pattern]] = []
        spellings, texts, compiled = sentence.spellings, self._texts, self._compiled
        for at, (words, following) in enumerate(_with_following(spellings)):
            for word in words:
                if word not in texts:
                    continue
                patterns = compiled.get(word) or self._starting_with(word)
                found = [*patterns.alone]
                for other in following:
                    found += patterns.in_row.get(other, ())
                token = sentence.tokens[at]
                if patterns.governed and sentence.tags[token] in ALLOWED["v"]:
                    for place in sentence.governed.get(token, ()):
                        for anchor in spellings[place]:
                            found += patterns.governed.get(anchor, ())
                candidates += [(at, pattern) for pattern in found]
        return candidates


def _with_following(
    spellings: Sequence[tuple[str, ...]],
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield each word with the next, an article with the word after it."""
    if spellings:
        for at, (words, following) in enumerate(pairwise([*spellings, ()]), 2):
            if following and following[0] in ARTICLES and at < len(spellings):
                article = following[0]
                following = (article, *(f"{article} {word}" for word in spellings[at]))
            yield words, following


def _spellings(form: str, lemma: str, capitals: bool) -> tuple[str, ...]:
    """Return the spellings of a word that patterns may have; capitals where they tell a word."""
    lower = form.lower()
    words: tuple[str, ...] = (lower,) if lemma == lower else (lower, lemma)
    if capitals and form != lower and form.isupper() and form != lemma:
        words += (form,)
    return (*words, OWN) if lower in POSSESSIVES else words


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
    """Return the places of a passive verb, its noun in front of it, and what follows the verb."""
    spellings, tokens = sentence.spellings, sentence.tokens
    rest = pattern.words[3:]
    end = start + 1 + len(rest)
    following = spellings[start + 1 : end]
    if pattern.anchor != 2 or len(following) < len(rest):
        return []
    if not all(word in words for word, words in zip(rest, following, strict=True)):
        return []
    passive, noun = False, pattern.words[2]
    for at in range(start - 1, max(-1, start - 1 - 2 * LONGEST_GAP), -1):
        if sentence.heads[tokens[at]] == tokens[start]:
            passive |= sentence.tags[tokens[at]] == "AUX" and "be" in spellings[at]
            if passive and noun in spellings[at]:
                return [start, at, *range(start + 1, end)]
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
