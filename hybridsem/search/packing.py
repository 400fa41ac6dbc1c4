"""What is compared of a sentence as bytes: about 100 for one of ten words.

    tokens    form, lemma and tag together are a number of a vocabulary, 4 bytes
    words     which tokens are content words, and the places of each: governor, label
    marks     what function words say of tokens, where they say something

Sentences of more than 255 tokens have 4 bytes for every number. What can be worked out again (the
weights, the function words) is not kept; should a sentence not come back as it was, it is kept as
JSON.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from hybridsem.combiners.comparison.reading import (
    function_words_of,
    word_weight,
)
from hybridsem.combiners.comparison.sentence import Place, SentenceWords

__all__ = ["Outline", "Token", "Vocabulary", "lemmas_of", "outline", "pack", "unpack"]

WIDE, QUESTION, WHOLE = 1, 2, 4
NARROW = 255
LABELS = 65_535
MARKS = ("prepositions", "connectives", "modals", "quantifiers")
NEGATIONS = len(MARKS)


class Token(NamedTuple):
    """A word of a vocabulary."""

    form: str
    lemma: str
    tag: str


class Vocabulary:
    """Tokens, labels and lemmas by number. It only grows, so that what was packed stays readable.

    ``lemma`` (tokens) is the lemma's number of each token.
    """

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.labels: list[tuple[str, str]] = []
        self.lemmas: list[str] = []
        self.lemma: list[int] = []
        self.weights: list[float] = []
        self._token: dict[Token, int] = {}
        self._label: dict[tuple[str, str], int] = {}
        self._lemma: dict[str, int] = {}
        self._unwritten: list[list[str]] = []

    def token(self, token: Token) -> int:
        """The number of a token, a new one if it has none."""
        if (number := self._token.get(token)) is None:
            number = self._token[token] = len(self.tokens)
            self.tokens.append(token)
            self.weights.append(word_weight(token.form, token.tag))
            if (lemma := self._lemma.get(token.lemma)) is None:
                lemma = self._lemma[token.lemma] = len(self.lemmas)
                self.lemmas.append(token.lemma)
            self.lemma.append(lemma)
            self._unwritten.append(list(token))
        return number

    def label(self, label: tuple[str, str]) -> int:
        """The number of a label."""
        if (number := self._label.get(label)) is None:
            number = self._label[label] = len(self.labels)
            self.labels.append(label)
            self._unwritten.append(list(label))
        return number

    def lemma_number(self, lemma: str) -> int | None:
        """The number of a lemma that occurs."""
        return self._lemma.get(lemma)

    def take(self) -> bytes:
        """What has come since the last call, as lines that :meth:`read` reads."""
        lines = "".join(json.dumps(entry) + "\n" for entry in self._unwritten)
        self._unwritten = []
        return lines.encode("ascii")

    @classmethod
    def read(cls, lines: bytes) -> Vocabulary:
        """A vocabulary from all that :meth:`take` gave. Raises ``ValueError`` for other lines."""
        made = cls()
        made.extend(lines)
        return made

    def extend(self, lines: bytes) -> None:
        """Add what :meth:`take` gave."""
        for line in lines.splitlines():
            entry = json.loads(line)
            if len(entry) == 3:
                self.token(Token(*entry))
            else:
                relation, syntax = entry
                self.label((relation, syntax))
        self._unwritten = []


def pack(sentence: SentenceWords, vocabulary: Vocabulary) -> bytes:
    """A sentence as bytes; what it needs enters the vocabulary."""
    tokens = [
        vocabulary.token(Token(*token))
        for token in zip(sentence.forms, sentence.lemmas, sentence.tags, strict=True)
    ]
    label = vocabulary.label
    places = [place for of_word in sentence.places for place in of_word]
    labels = [label((place.relation, place.syntax)) for place in places]
    marks = [
        (kind, token, label((value, "")))
        for kind, name in enumerate(MARKS)
        for token, value in enumerate(getattr(sentence, name))
        if value is not None
    ]
    marks += [(NEGATIONS, token, count) for token, count in enumerate(sentence.negations) if count]
    particles = [label((particle, "")) for particle in sorted(sentence.particles)]
    numbers = [(i, number) for i, number in enumerate(sentence.numbers) if number is not None]
    coordinated = [i for i, flag in enumerate(sentence.coordinated) if flag]
    wide = (
        max(len(tokens), len(places), len(marks)) > NARROW
        or max(labels, default=0) > LABELS
        or max((value for *_, value in marks), default=0) > LABELS
        or max(particles, default=0) > LABELS
    )
    small, large = ("I", "I") if wide else ("B", "H")
    flags = WIDE * wide | QUESTION * sentence.question
    parts = [
        struct.pack(
            f"<B7{small}{len(tokens)}I",
            flags,
            len(tokens),
            len(sentence.words),
            len(places),
            len(coordinated),
            len(numbers),
            len(marks),
            len(particles),
            *tokens,
        ),
        struct.pack(
            f"<{2 * len(sentence.words) + len(places) + len(coordinated) + len(numbers)}{small}",
            *sentence.words,
            *map(len, sentence.places),
            *(place.governor for place in places),
            *coordinated,
            *(i for i, _ in numbers),
        ),
        struct.pack(
            f"<{2 * len(marks)}{small}{len(labels) + len(marks) + len(particles)}{large}",
            *(kind for kind, *_ in marks),
            *(token for _, token, _ in marks),
            *labels,
            *(value for *_, value in marks),
            *particles,
        ),
        struct.pack(f"<{len(numbers)}d", *(number for _, number in numbers)),
    ]
    return b"".join(parts) if _comes_back(sentence, tokens, vocabulary) else _whole(sentence)


def unpack(packed: bytes, vocabulary: Vocabulary) -> SentenceWords:
    """The sentence of :func:`pack`."""
    flags = packed[0]
    if flags & WHOLE:
        return _from_whole(packed[1:])
    small, large = ("I", "I") if flags & WIDE else ("B", "H")
    head = struct.unpack_from(f"<7{small}", packed, 1)
    size, content, placed, joined, numbered, marked, particled = head
    at = 1 + (28 if flags & WIDE else 7)
    numbers = struct.unpack_from(f"<{size}I", packed, at)
    at += 4 * size
    table = vocabulary.tokens
    tokens = [table[number] for number in numbers]
    counts = 2 * content + placed + joined + numbered + 2 * marked
    smalls = struct.unpack_from(f"<{counts}{small}", packed, at)
    at += counts * (4 if flags & WIDE else 1)
    larges = struct.unpack_from(f"<{placed + marked + particled}{large}", packed, at)
    at += len(larges) * (4 if flags & WIDE else 2)
    values = struct.unpack_from(f"<{numbered}d", packed, at)
    words = smalls[:content]
    governors = smalls[2 * content : 2 * content + placed]
    if max((*words, *governors), default=-1) >= size or not content:
        raise ValueError("a word that the sentence has not")
    of_label = vocabulary.labels
    places, start = [], 0
    for count in smalls[content : 2 * content]:
        places.append(
            tuple([Place(governors[i], *of_label[larges[i]]) for i in range(start, start + count)])
        )
        start += count
    after = 2 * content + placed
    coordinated = [False] * content
    for i in smalls[after : after + joined]:
        coordinated[i] = True
    after += joined
    counted: list[float | None] = [None] * content
    for i, value in zip(smalls[after : after + numbered], values, strict=True):
        counted[i] = value
    after += numbered
    said: list[list[str | None]] = [[None] * size for _ in MARKS]
    negations = [0] * size
    kinds, of_tokens = smalls[after : after + marked], smalls[after + marked :]
    for kind, token, value in zip(kinds, of_tokens, larges[placed : placed + marked], strict=True):
        if kind == NEGATIONS:
            negations[token] = value
        else:
            said[kind][token] = of_label[value][0]
    forms, lemmas, tags = zip(*tokens, strict=True) if tokens else ((), (), ())
    weights = vocabulary.weights
    return SentenceWords(
        words=words,
        weights=np.array([weights[numbers[token]] for token in words]),
        places=tuple(places),
        coordinated=tuple(coordinated),
        numbers=tuple(counted),
        lemmas=lemmas,
        forms=forms,
        tags=tags,
        prepositions=tuple(said[0]),
        connectives=tuple(said[1]),
        modals=tuple(said[2]),
        quantifiers=tuple(said[3]),
        negations=tuple(negations),
        function_words=function_words_of(words, lemmas),
        particles=frozenset(of_label[number][0] for number in larges[placed + marked :]),
        question=bool(flags & QUESTION),
    )


class Outline(NamedTuple):
    """Of a packed sentence what a query by roles reads: the numbers of its ``tokens``, which of
    them are content ``words``, the ``places`` of each, as a governor and the number of a label, and
    how often tokens are denied, ``negations``, if they are.
    """

    tokens: Sequence[int]
    words: Sequence[int]
    places: Sequence[Sequence[tuple[int, int]]]
    negations: dict[int, int]


def outline(packed: bytes, vocabulary: Vocabulary) -> Outline:
    """The outline of what :func:`pack` gave; quicker than :func:`unpack`."""
    flags = packed[0]
    if flags & WHOLE:
        return _outline_of(_from_whole(packed[1:]), vocabulary)
    small, large, wide = ("I", "I", 4) if flags & WIDE else ("B", "H", 1)
    head = struct.unpack_from(f"<7{small}", packed, 1)
    size, content, placed, joined, numbered, marked, _ = head
    at = 1 + 7 * wide
    tokens = struct.unpack_from(f"<{size}I", packed, at)
    at += 4 * size
    after = 2 * content + placed + joined + numbered
    smalls = struct.unpack_from(f"<{after + 2 * marked}{small}", packed, at)
    at += len(smalls) * wide
    larges = struct.unpack_from(f"<{placed + marked}{large}", packed, at)
    words = smalls[:content]
    governors = smalls[2 * content : 2 * content + placed]
    if max((*words, *governors), default=-1) >= size or not content:
        raise ValueError("a word that the sentence has not")
    of_place = list(zip(governors, larges[:placed], strict=True))
    places, start = [], 0
    for count in smalls[content : 2 * content]:
        places.append(of_place[start : start + count])
        start += count
    negations = {
        smalls[after + marked + mark]: larges[placed + mark]
        for mark in range(marked)
        if smalls[after + mark] == NEGATIONS
    }
    return Outline(tokens, words, places, negations)


def _outline_of(sentence: SentenceWords, vocabulary: Vocabulary) -> Outline:
    of_tokens = zip(sentence.forms, sentence.lemmas, sentence.tags, strict=True)
    return Outline(
        [vocabulary.token(Token(*token)) for token in of_tokens],
        sentence.words,
        [
            [(place.governor, vocabulary.label((place.relation, place.syntax))) for place in places]
            for places in sentence.places
        ],
        {token: count for token, count in enumerate(sentence.negations) if count},
    )


def lemmas_of(packed: bytes, vocabulary: Vocabulary) -> set[int]:
    """The lemmas of the content words of a packed sentence, by number."""
    flags = packed[0]
    if flags & WHOLE:
        sentence = _from_whole(packed[1:])
        found = (vocabulary.lemma_number(sentence.lemmas[token]) for token in sentence.words)
        return {number for number in found if number is not None}
    small, wide = ("I", 4) if flags & WIDE else ("B", 1)
    size, content = struct.unpack_from(f"<2{small}", packed, 1)
    at = 1 + 7 * wide
    numbers = struct.unpack_from(f"<{size}I", packed, at)
    words = struct.unpack_from(f"<{content}{small}", packed, at + 4 * size)
    return {vocabulary.lemma[numbers[token]] for token in words}


def _comes_back(sentence: SentenceWords, tokens: Sequence[int], vocabulary: Vocabulary) -> bool:
    """Whether what is not kept of a sentence can be worked out again, and the rest is as long as it
    must be.

    Args:
        sentence: As it is.
        tokens: The numbers of its tokens.
        vocabulary: Knows these.
    """
    words, places, size = sentence.words, sentence.places, len(tokens)
    of_tokens = [getattr(sentence, name) for name in (*MARKS, "negations")]
    of_words = places, sentence.coordinated, sentence.numbers, sentence.weights
    ends = [place.governor for of_word in places for place in of_word]
    return (
        max((*words, *ends), default=size) < size
        and all(len(one) == size for one in of_tokens)
        and all(len(one) == len(words) for one in of_words)
        and all(number == number for number in sentence.numbers)  # not NaN
        and [vocabulary.weights[tokens[i]] for i in words] == sentence.weights.tolist()
        and function_words_of(words, sentence.lemmas) == sentence.function_words
    )


SETS = ("function_words", "particles")
TUPLES = tuple(
    field.name
    for field in fields(SentenceWords)
    if field.name not in (*SETS, "weights", "places", "question")
)


def _whole(sentence: SentenceWords) -> bytes:
    parts: dict[str, Any] = {name: list(getattr(sentence, name)) for name in TUPLES}
    parts |= {name: _sorted(getattr(sentence, name)) for name in SETS}
    parts["weights"] = sentence.weights.tolist()
    parts["places"] = [list(map(list, places)) for places in sentence.places]
    parts["question"] = sentence.question
    return bytes([WHOLE]) + json.dumps(parts).encode("ascii")


def _sorted(words: Iterable[str]) -> Sequence[str]:
    return sorted(words)


def _from_whole(content: bytes) -> SentenceWords:
    parts = json.loads(content)
    given: dict[str, Any] = {name: tuple(parts[name]) for name in TUPLES}
    given |= {name: frozenset(parts[name]) for name in SETS}
    given["weights"] = np.array(parts["weights"])
    given["places"] = tuple(tuple(Place(*place) for place in places) for places in parts["places"])
    return SentenceWords(**given, question=parts["question"])
