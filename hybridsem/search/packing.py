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
from itertools import islice
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

    def extend(self, lines: bytes) -> None:
        """Add the lines of :meth:`take`; raise ``ValueError`` for others."""
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
    of_tokens = zip(sentence.forms, sentence.lemmas, sentence.tags, strict=True)
    tokens = [vocabulary.token(Token(*token)) for token in of_tokens]
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


def unpack(packed: bytes, vocabulary: Vocabulary) -> SentenceWords:
    """Return the sentence that :func:`pack` packed."""
    if packed[0] & WHOLE:
        return _from_whole(packed[1:])
    small, large, width = ("I", "I", 4) if packed[0] & WIDE else ("B", "H", 1)
    size, content, placed, *others = struct.unpack_from(f"<7{small}", packed, 1)
    joined, numbered, marked, particles = others
    at = 1 + 7 * width
    smalls = 2 * content + placed + joined + numbered + 2 * marked
    larges = placed + marked + particles
    numbers_of_tokens = struct.unpack_from(f"<{size}I", packed, at)
    small_numbers = iter(struct.unpack_from(f"<{smalls}{small}", packed, at + 4 * size))
    at += 4 * size + smalls * width
    large_numbers = iter(struct.unpack_from(f"<{larges}{large}", packed, at))
    words, counts, governors, coordinated, valued, kinds, marks = (
        tuple(islice(small_numbers, count))
        for count in (content, content, placed, joined, numbered, marked, marked)
    )
    if max((*words, *governors), default=-1) >= size or not content:
        raise ValueError("a word that the sentence has not")
    labels, weights = vocabulary.labels, vocabulary.weights
    tokens = [vocabulary.tokens[number] for number in numbers_of_tokens]
    forms, lemmas, tags = zip(*tokens, strict=True) if tokens else ((), (), ())
    attachments = iter([Attachment(one, *labels[next(large_numbers)]) for one in governors])
    of_marks: list[list[Any]] = [[None] * size for _ in MARKS] + [[0] * size]
    for kind, token, value in zip(kinds, marks, large_numbers, strict=False):
        of_marks[kind][token] = value if kind == NEGATIONS else labels[value][0]
    numbers: list[float | None] = [None] * content
    values = struct.unpack(f"<{numbered}d", packed[len(packed) - 8 * numbered :])
    for i, number in zip(valued, values, strict=True):
        numbers[i] = number
    return SentenceWords(
        words=words,
        weights=np.array([weights[numbers_of_tokens[token]] for token in words]),
        places=tuple([tuple(islice(attachments, count)) for count in counts]),
        coordinated=tuple([i in coordinated for i in range(content)]),
        numbers=tuple(numbers),
        lemmas=lemmas,
        forms=forms,
        tags=tags,
        **dict(zip((*MARKS, "negations"), map(tuple, of_marks), strict=True)),
        function_words=function_words_of(words, lemmas),
        particles=frozenset(labels[number][0] for number in large_numbers),
        question=bool(packed[0] & QUESTION),
    )


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
