"""The compared part of a sentence as bytes: about 100 for one of ten words.

    head      flags, and how many numbers each of the following has
    tokens    form, lemma and tag together are a number of a vocabulary, 4 bytes
    words     which tokens are content words, how many places each has, the governors of these,
              which words are conjuncts, and which are numbers
    marks     which kind of function word applies to which token
    labels    of the places, the marks and the particles, by their numbers in the vocabulary
    values    of the words that are numbers, 8 bytes

Sentences of more than 255 tokens have 4 bytes for each number. Derived data (the weights, the
function words) are not stored; a sentence that this form cannot restore exactly is stored as JSON.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from hybridsem.combiners.comparison.reading import function_words_of, word_weight
from hybridsem.combiners.comparison.sentence import Attachment, SentenceWords

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
    """Tokens, labels and lemmas by number. It only grows, so packed sentences stay readable.
    ``lemma`` has the number of each token's lemma, ``weights`` its weight.
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
        self._unwritten: list[Sequence[str]] = []

    def token(self, token: Token) -> int:
        """Return the number of a token, a new one if it has none."""
        if (number := self._token.get(token)) is None:
            number = self._token[token] = len(self.tokens)
            self.tokens.append(token)
            self.weights.append(word_weight(token.form, token.tag))
            if (lemma := self._lemma.get(token.lemma)) is None:
                lemma = self._lemma[token.lemma] = len(self.lemmas)
                self.lemmas.append(token.lemma)
            self.lemma.append(lemma)
            self._unwritten.append(token)
        return number

    def label(self, label: tuple[str, str]) -> int:
        """Return the number of a label, a new one if it has none."""
        if (number := self._label.get(label)) is None:
            number = self._label[label] = len(self.labels)
            self.labels.append(label)
            self._unwritten.append(label)
        return number

    def lemma_number(self, lemma: str) -> int | None:
        """Return the number of a known lemma."""
        return self._lemma.get(lemma)

    def take(self) -> bytes:
        """Return the entries since the last call, as lines that :meth:`read` reads."""
        lines = "".join(json.dumps(entry) + "\n" for entry in self._unwritten)
        self._unwritten = []
        return lines.encode("ascii")

    @classmethod
    def read(cls, lines: bytes) -> Vocabulary:
        """Make a vocabulary from the lines of :meth:`take`; raise ``ValueError`` for others."""
        made = cls()
        made.extend(lines)
        return made

    def extend(self, lines: bytes) -> None:
        """Add the lines of :meth:`take`."""
        for line in lines.splitlines():
            entry = json.loads(line)
            if len(entry) == 3:
                self.token(Token(*entry))
            else:
                relation, syntax = entry
                self.label((relation, syntax))
        self._unwritten = []


def pack(sentence: SentenceWords, vocabulary: Vocabulary) -> bytes:
    """Return a sentence as bytes; missing words are added to the vocabulary."""
    tokens = _tokens_of(sentence, vocabulary)
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
    kinds, marked, values = zip(*marks, strict=True) if marks else ((), (), ())
    particles = [label((particle, "")) for particle in sorted(sentence.particles)]
    numbers = [(i, number) for i, number in enumerate(sentence.numbers) if number is not None]
    coordinated = [i for i, flag in enumerate(sentence.coordinated) if flag]
    if not _comes_back(sentence, tokens, vocabulary):
        return _whole(sentence)
    words = sentence.words
    counts = list(map(len, (tokens, words, places, coordinated, numbers, marks, particles)))
    larges = [*labels, *values, *particles]
    wide = max(counts[0], counts[2], counts[5]) > NARROW or max(larges, default=0) > LABELS
    smalls = [*words, *map(len, sentence.places), *(place.governor for place in places)]
    smalls += [*coordinated, *(i for i, _ in numbers), *kinds, *marked]
    small, large = ("I", "I") if wide else ("B", "H")
    return struct.pack(
        f"<B7{small}{len(tokens)}I{len(smalls)}{small}{len(larges)}{large}{len(numbers)}d",
        *(WIDE * wide | QUESTION * sentence.question, *counts),
        *(*tokens, *smalls, *larges, *(number for _, number in numbers)),
    )


class _Parts(NamedTuple):
    """The parts of a packed sentence; ``places`` are those of each content word, a governor with
    the number of its label. ``coordinated`` words are conjuncts; ``kinds``, ``marked`` tokens and
    ``values`` belong to the marks.
    """

    tokens: Sequence[int]
    words: Sequence[int]
    places: Sequence[Sequence[tuple[int, int]]]
    coordinated: Sequence[int]
    numbered: Sequence[int]
    kinds: Sequence[int]
    marked: Sequence[int]
    values: Sequence[int]
    particles: Sequence[int]


def _parts_of(packed: bytes) -> _Parts:
    small, large, width = ("I", "I", 4) if packed[0] & WIDE else ("B", "H", 1)
    head = struct.unpack_from(f"<7{small}", packed, 1)
    size, content, placed, joined, numbered, marks, particles = head
    at = 1 + 7 * width
    tokens = struct.unpack_from(f"<{size}I", packed, at)
    at += 4 * size
    ends = 2 * content + placed
    conjuncts, numbers = ends + joined, ends + joined + numbered
    smalls = struct.unpack_from(f"<{numbers + 2 * marks}{small}", packed, at)
    at += len(smalls) * width
    larges = struct.unpack_from(f"<{placed + marks + particles}{large}", packed, at)
    words, governors = smalls[:content], smalls[2 * content : ends]
    if max((*words, *governors), default=-1) >= size or not content:
        raise ValueError("a word that the sentence has not")
    of_place = list(zip(governors, larges[:placed], strict=True))
    places, start = [], 0
    for count in smalls[content : 2 * content]:
        places.append(of_place[start : start + count])
        start += count
    return _Parts(
        *(tokens, words, places, smalls[ends:conjuncts], smalls[conjuncts:numbers]),
        *(smalls[numbers : numbers + marks], smalls[numbers + marks :]),
        *(larges[placed : placed + marks], larges[placed + marks :]),
    )


def unpack(packed: bytes, vocabulary: Vocabulary) -> SentenceWords:
    """Return the sentence that :func:`pack` packed."""
    if packed[0] & WHOLE:
        return _from_whole(packed[1:])
    found, labels = _parts_of(packed), vocabulary.labels
    tokens = [vocabulary.tokens[number] for number in found.tokens]
    forms, lemmas, tags = zip(*tokens, strict=True) if tokens else ((), (), ())
    of_marks: list[list[str | None]] = [[None] * len(tokens) for _ in MARKS]
    negations = [0] * len(tokens)
    for kind, token, value in zip(found.kinds, found.marked, found.values, strict=True):
        if kind == NEGATIONS:
            negations[token] = value
        else:
            of_marks[kind][token] = labels[value][0]
    words, weights = found.words, vocabulary.weights
    coordinated, numbers = [False] * len(words), list[float | None]([None]) * len(words)
    for i in found.coordinated:
        coordinated[i] = True
    values = struct.unpack(
        f"<{len(found.numbered)}d", packed[len(packed) - 8 * len(found.numbered) :]
    )
    for i, number in zip(found.numbered, values, strict=True):
        numbers[i] = number
    return SentenceWords(
        words=tuple(words),
        weights=np.array([weights[found.tokens[token]] for token in words]),
        places=tuple(
            [tuple([Attachment(one, *labels[i]) for one, i in own]) for own in found.places]
        ),
        coordinated=tuple(coordinated),
        numbers=tuple(numbers),
        lemmas=lemmas,
        forms=forms,
        tags=tags,
        **dict(zip(MARKS, map(tuple, of_marks), strict=True)),
        negations=tuple(negations),
        function_words=function_words_of(words, lemmas),
        particles=frozenset(labels[number][0] for number in found.particles),
        question=bool(packed[0] & QUESTION),
    )


class Outline(NamedTuple):
    """The part of a sentence that a query by roles reads. ``tokens`` are numbers, ``words`` the
    content words among them. ``places`` has a governor and the number of a label for each;
    ``negations`` is by token.
    """

    tokens: Sequence[int]
    words: Sequence[int]
    places: Sequence[Sequence[tuple[int, int]]]
    negations: dict[int, int]


def outline(packed: bytes, vocabulary: Vocabulary) -> Outline:
    """Read the outline of a packed sentence; faster than :func:`unpack`."""
    if packed[0] & WHOLE:
        return outline_of(_from_whole(packed[1:]), vocabulary)
    found = _parts_of(packed)
    negations = {
        found.marked[i]: found.values[i] for i, kind in enumerate(found.kinds) if kind == NEGATIONS
    }
    return Outline(found.tokens, found.words, found.places, negations)


def outline_of(sentence: SentenceWords, vocabulary: Vocabulary) -> Outline:
    """Return the outline of a sentence; missing words are added to the vocabulary."""
    label = vocabulary.label
    return Outline(
        _tokens_of(sentence, vocabulary),
        sentence.words,
        [
            [(place.governor, label((place.relation, place.syntax))) for place in places]
            for places in sentence.places
        ],
        {token: count for token, count in enumerate(sentence.negations) if count},
    )


def _tokens_of(sentence: SentenceWords, vocabulary: Vocabulary) -> list[int]:
    of_tokens = zip(sentence.forms, sentence.lemmas, sentence.tags, strict=True)
    return [vocabulary.token(Token(*token)) for token in of_tokens]


def lemmas_of(packed: bytes, vocabulary: Vocabulary) -> set[int]:
    """Return the lemmas of the content words of a packed sentence, by number."""
    found = outline(packed, vocabulary)
    return {vocabulary.lemma[found.tokens[token]] for token in found.words}


def _comes_back(sentence: SentenceWords, tokens: Sequence[int], vocabulary: Vocabulary) -> bool:
    """Test if a sentence can be restored exactly from its packed form."""
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


def _whole(sentence: SentenceWords) -> bytes:
    parts: dict[str, Any] = {one.name: getattr(sentence, one.name) for one in fields(sentence)}
    parts |= {name: sorted(parts[name]) for name in ("function_words", "particles")}
    return bytes([WHOLE]) + json.dumps(parts, default=np.ndarray.tolist).encode("ascii")


def _from_whole(content: bytes) -> SentenceWords:
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in json.loads(content).items()
    }
    given |= {name: frozenset(given[name]) for name in ("function_words", "particles")}
    given["weights"] = np.array(given["weights"])
    given["places"] = tuple(tuple(Attachment(*place) for place in own) for own in given["places"])
    return SentenceWords(**given)
