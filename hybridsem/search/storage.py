"""The stored form of sentences in an index, by what the model compares.

words      the hybrid: the vector, and what is compared word by word
vectors    an encoder alone: the vector
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, fields, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.weights import FOLDER, weight_sums
from hybridsem.combiners.hybrid import HybridCombiner, word_rows
from hybridsem.combiners.sentence import SentenceCombiner
from hybridsem.comparison.features import function_words_of
from hybridsem.comparison.folding import Unit, placeless
from hybridsem.comparison.reading import word_weight
from hybridsem.comparison.sentence import Attachment, Sentence
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import InputError
from hybridsem.facts.names import Name, NameKind
from hybridsem.facts.reading import read_facts
from hybridsem.reader import Reader
from hybridsem.structures import Fact, Phrase, RoleStructure

WORDS, VECTORS = "words", "vectors"
WEIGHTS = "hybridsem/data"
"""The name of the shipped weights among the contents of a model."""
ENCODER = ("encoder.onnx", "encoder.weights", "tokenizer.json")
READING = (
    *ENCODER,
    *("parser.json", "parser.onnx", "labels.onnx", "lemmas.json", "roles.json", "roles.onnx"),
    *("arguments.onnx", "senses.npz", "words.npz", "word_centre.npy", "phrases.tsv.gz"),
)
"""The shipped files that affect reading; those that only affect scores are not listed."""
PROBES = (
    "The dog that she fed chased the small cat in the garden.",
    "In 1999 the bank did not sell its three houses to them.",
    "Could the painting be admired by nobody but a child?",
)
"""Sentences that show whether a model reads like the one that made an index."""
PROBE_WORDS = ("dog", "feed", "house", "sell")
"""Words that show whether it has the same word vectors."""
COMPARED = ("words", "places", "lemmas", "tags", "prepositions", "modals", "negations", "numbers")
SAME = 0.999  # the least cosine of equal vectors from two machines


class EncodedTexts(NamedTuple):
    """Unit vectors of texts, (n, d), and the compared form of each (None without structure; the
    whole field is None if no words are stored); the numbers of texts that were ``cut`` and that are
    ``foreign``, not English.
    """

    vectors: Float32Array
    words: list[Sentence | None] | None
    cut: int = 0
    foreign: int = 0


def storage_mode(model: Reader) -> str:
    """Return how a model's sentences are stored: ``words`` or ``vectors``. Raises
    :class:`InputError` for another model, which would read each text again for each query.
    """
    if isinstance(model.parts.combiner, HybridCombiner):
        return WORDS
    if isinstance(model.parts.combiner, SentenceCombiner):
        return VECTORS
    raise InputError(
        f"an index is for 'hybrid' or an encoder, got the model {model.parts.spec.name!r}; rank "
        "the texts instead"
    )


def read_texts(model: Reader, texts: Sequence[str]) -> EncodedTexts:
    """Read texts, each distinct text once."""
    batch = model.read([(text, text) for text in texts])
    places = [one for one, _ in batch.pairs]
    assert batch.vectors is not None
    words = None
    if isinstance(combiner := model.parts.combiner, HybridCombiner):
        structures = [batch.structures[place] for place in places] if batch.structures else []
        words = [
            combiner.sentence(parsed) if isinstance(parsed, RoleStructure) else None
            for parsed in structures
        ]
    cut, non_english = sum(map(batch.cut, batch.pairs)), sum(map(batch.is_non_english, batch.pairs))
    return EncodedTexts(batch.vectors[places], words, cut, non_english)


def contents_of(model: Reader) -> dict[str, str]:
    """Return the checksums of the files that affect a model's reading, by name; the shipped weights
    have one.
    """
    names: Sequence[str] = ENCODER if isinstance(model.parts.encoder, EmbeddedEncoder) else ()
    if storage_mode(model) == WORDS:
        names = READING
    sums = weight_sums(FOLDER if model.parts.trees is None else model.parts.trees.encoder.folder)
    own = json.dumps([sums.get(name) for name in names]).encode()
    shipped = {WEIGHTS: hashlib.sha256(own).hexdigest()} if names else {}
    return {**model.parts.contents, **shipped}


def probe_of(model: Reader) -> dict[str, Any]:
    """Return a fingerprint of a model's reading of a few sentences: a hash of their compared forms,
    and a vector.
    """
    vector = read_texts(model, PROBES).vectors.sum(axis=0)
    digest = hashlib.sha256()
    probe: dict[str, object] = {}
    if isinstance(combiner := model.parts.combiner, HybridCombiner):
        table = word_rows(combiner.vectors, [(word, word) for word in PROBE_WORDS])
        probe["word vector"] = _rounded(table.sum(axis=0))
        for one in model.read([(text, text) for text in PROBES]).structures or ():
            shown: object = one
            if isinstance(one, RoleStructure):
                shown = [getattr(combiner.sentence(one), name) for name in COMPARED]
            digest.update(repr(shown).encode())
    return {"words": digest.hexdigest(), "vector": _rounded(vector), **probe}


def _rounded(vector: Float32Array) -> list[float]:
    return [round(float(x), 4) for x in vector]


def check_reading(
    model: Reader, contents: Mapping[str, str], probe: Mapping[str, Any], path: str
) -> None:
    """Raise :class:`InputError` if a model reads differently from the one that made an index: other
    files or weights, or another version.
    """
    here, found = contents_of(model), probe_of(model)
    changed = sorted(name for name, sha in contents.items() if here.get(name) != sha)
    names = [name for name in ("vector", "word vector") if name in probe]
    alike = all(_alike(probe[name], found.get(name, [])) for name in names)
    if changed or not alike or found["words"] != probe["words"]:
        what = f"other contents of {', '.join(changed)}" if changed else "other results"
        raise InputError(
            f"the index in {path!r} was made by a model, or a version of hybridsem, that reads "
            f"differently from this one ({what}); build it again with this one, or use "
            "the one that made it"
        )


def _alike(first: Sequence[float], second: Sequence[float]) -> bool:
    one, two = np.array(first), np.array(second)
    lengths = float(np.linalg.norm(one) * np.linalg.norm(two))
    return one.shape == two.shape and (lengths == 0 or float(one @ two) >= SAME * lengths)


# -- sentences as bytes: about 100 for one of ten words
#
#    head      flags, and how many numbers each of the following has
#    tokens    form, lemma and tag together are a number of a vocabulary, 4 bytes
#    words     which tokens are content words, how many places each has, the governors of these,
#              which words are conjuncts, and which are numbers
#    marks     which kind of function word applies to which token
#    labels    of the places, the marks and the particles, by their numbers in the vocabulary
#    values    of the words that are numbers, 8 bytes
#
# Sentences of more than 255 tokens have 4 bytes for each number. Derived data (the weights, the
# function words) are not stored; a sentence that this form cannot restore exactly is kept as JSON.

WIDE, QUESTION, WHOLE, UNITS = 1, 2, 4, 8
UNIT_HEAD = struct.Struct("<BI")
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


def pack(sentence: Sentence, vocabulary: Vocabulary) -> bytes:
    """Return a sentence as bytes; missing words are added to the vocabulary."""
    if sentence.units or sentence.phrases:
        return _pack_units(sentence, vocabulary)
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
    words = sentence.words
    counts = list(map(len, (tokens, words, places, coordinated, numbers, marks, particles)))
    larges = [*labels, *values, *particles]
    wide = max(counts[0], counts[2], counts[5]) > NARROW or max(larges, default=0) > LABELS
    smalls = [*words, *map(len, sentence.places), *(place.governor for place in places)]
    smalls += [*coordinated, *(i for i, _ in numbers), *kinds, *marked]
    small, large = ("I", "I") if wide else ("B", "H")
    with suppress(ValueError, LookupError, struct.error):
        packed = struct.pack(
            f"<B7{small}{len(tokens)}I{len(smalls)}{small}{len(larges)}{large}{len(numbers)}d",
            *(WIDE * wide | QUESTION * sentence.question, *counts),
            *(*tokens, *smalls, *larges, *(number for _, number in numbers)),
        )
        if _parts(unpack(packed, vocabulary)) == _parts(sentence):
            return packed
    parts = _parts(sentence)
    parts |= {name: sorted(parts[name]) for name in ("function_words", "particles")}
    return bytes([WHOLE]) + json.dumps(parts).encode("ascii")


class _Sections(NamedTuple):
    """The numbers of a packed sentence, by what they are of."""

    tokens: tuple[int, ...]
    words: tuple[int, ...]
    counts: tuple[int, ...]
    governors: tuple[int, ...]
    coordinated: tuple[int, ...]
    valued: tuple[int, ...]
    kinds: tuple[int, ...]
    marked: tuple[int, ...]
    labels: tuple[int, ...]
    values: tuple[int, ...]
    particles: tuple[int, ...]


def _sections(packed: bytes) -> _Sections:
    small, large, width = ("I", "I", 4) if packed[0] & WIDE else ("B", "H", 1)
    size, content, placed, *others = struct.unpack_from(f"<7{small}", packed, 1)
    joined, numbered, marked, particles = others
    at = 1 + 7 * width
    ends = [*accumulate((content, content, placed, joined, numbered, marked, marked))]
    tokens = struct.unpack_from(f"<{size}I", packed, at)
    smalls = struct.unpack_from(f"<{ends[-1]}{small}", packed, at + 4 * size)
    at += 4 * size + ends[-1] * width
    larges = struct.unpack_from(f"<{placed + marked + particles}{large}", packed, at)
    words, counts, governors, *others = (smalls[start:end] for start, end in pairwise((0, *ends)))
    if max((*words, *governors), default=-1) >= size or not content:
        raise ValueError("a word that the sentence has not")
    labels, values = larges[:placed], larges[placed : placed + marked]
    coordinated, valued, kinds, marks = others
    return _Sections(
        *(tokens, words, counts, governors, coordinated, valued, kinds, marks, labels, values),
        particles=larges[placed + marked :],
    )


def _places(of: _Sections, vocabulary: Vocabulary) -> tuple[tuple[Attachment, ...], ...]:
    labels = vocabulary.labels
    attachments = [
        Attachment(governor, *labels[label])
        for governor, label in zip(of.governors, of.labels, strict=True)
    ]
    return tuple(
        [
            tuple(attachments[end - count : end])
            for count, end in zip(of.counts, accumulate(of.counts), strict=True)
        ]
    )


def _of_tokens(of: _Sections, vocabulary: Vocabulary) -> list[tuple[str, ...]]:
    """Return the forms, lemmas and tags."""
    tokens = vocabulary.tokens
    return list(zip(*[tokens[number] for number in of.tokens], strict=True))


def unpack(packed: bytes, vocabulary: Vocabulary) -> Sentence:
    """Return the sentence that :func:`pack` packed."""
    if packed[0] & UNITS:
        return _unpack_units(packed, vocabulary)
    if packed[0] & WHOLE:
        return _from_whole(packed[1:])
    of = _sections(packed)
    size, content = len(of.tokens), len(of.words)
    labels, weights = vocabulary.labels, vocabulary.weights
    forms, lemmas, tags = _of_tokens(of, vocabulary)
    negations = [0] * size
    of_marks: list[list[str | None]] = [[None] * size for _ in MARKS]
    for kind, token, value in zip(of.kinds, of.marked, of.values, strict=True):
        if kind == NEGATIONS:
            negations[token] = value
        else:
            of_marks[kind][token] = labels[value][0]
    prepositions, connectives, modals, quantifiers = map(tuple, of_marks)
    numbers: list[float | None] = [None] * content
    numbered = len(of.valued)
    values = struct.unpack(f"<{numbered}d", packed[len(packed) - 8 * numbered :])
    for i, number in zip(of.valued, values, strict=True):
        numbers[i] = number
    return Sentence(
        words=of.words,
        weights=np.array([weights[of.tokens[token]] for token in of.words]),
        places=_places(of, vocabulary),
        coordinated=tuple([i in of.coordinated for i in range(content)]),
        numbers=tuple(numbers),
        lemmas=lemmas,
        forms=forms,
        tags=tags,
        prepositions=prepositions,
        connectives=connectives,
        modals=modals,
        quantifiers=quantifiers,
        negations=tuple(negations),
        function_words=function_words_of(of.words, lemmas),
        particles=frozenset(labels[number][0] for number in of.particles),
        question=bool(packed[0] & QUESTION),
    )


class Outline:
    """The part of a stored sentence that search by roles reads, with the names of a
    :class:`Sentence`. Reading it takes a fraction of :func:`unpack`.
    """

    def __init__(self, packed: bytes, vocabulary: Vocabulary) -> None:
        self._packed, self._weights = packed, vocabulary.weights
        self._of = of = _sections(_rest(packed))
        self.words = of.words
        self.forms, self.lemmas, self.tags = _of_tokens(of, vocabulary)
        self.places = _places(of, vocabulary)

    @cached_property
    def negations(self) -> Sequence[int]:
        """The number of negations of each token."""
        found, of = [0] * len(self._of.tokens), self._of
        for kind, token, value in zip(of.kinds, of.marked, of.values, strict=True):
            if kind == NEGATIONS:
                found[token] = value
        return found

    @cached_property
    def position(self) -> Mapping[int, int]:
        """The position of each content word, by its token."""
        return {token: i for i, token in enumerate(self.words)}

    @cached_property
    def word_lemmas(self) -> Sequence[str]:
        """The lemmas of the content words."""
        return [self.lemmas[token] for token in self.words]

    @cached_property
    def word_tags(self) -> Sequence[str]:
        """The tags of the content words."""
        return [self.tags[token] for token in self.words]

    @cached_property
    def word_weights(self) -> Sequence[float]:
        """The weights of the content words."""
        found = [self._weights[self._of.tokens[token]] for token in self.words]
        if self._packed[0] & UNITS:
            for _, _, head, weight in _units(self._packed)[0]:
                found[self.position[head]] = weight
        return found


def outline(packed: bytes, vocabulary: Vocabulary) -> Outline | Sentence:
    """Return the outline of a packed sentence, or the sentence if it was kept whole."""
    read = unpack if _rest(packed)[0] & WHOLE else Outline
    return read(packed, vocabulary)


def _pack_units(sentence: Sentence, vocabulary: Vocabulary) -> bytes:
    """Return a sentence with facts or phrases as bytes: these as plain data, then the rest."""
    position, weights = sentence.position, sentence.weights.copy()
    units = []
    for head, unit in sentence.units.items():
        weight = float(weights[position[head]])
        units.append((unit.tokens, _written(unit.fact), head, weight))
        weights[position[head]] = word_weight(sentence.forms[head], sentence.tags[head])
    phrases = [astuple(phrase) for phrase in sentence.phrases]
    own = json.dumps((units, phrases)).encode("ascii")
    rest = pack(replace(sentence, units={}, phrases=(), weights=weights), vocabulary)
    return UNIT_HEAD.pack(UNITS, len(own)) + own + rest


def _rest(packed: bytes) -> bytes:
    """Return a packed sentence without its facts and phrases."""
    if not packed[0] & UNITS:
        return packed
    return packed[UNIT_HEAD.size + UNIT_HEAD.unpack_from(packed)[1] :]


def _units(packed: bytes) -> Any:
    """Return the facts and the phrases of a sentence, as plain data."""
    start = UNIT_HEAD.size
    return json.loads(packed[start : start + UNIT_HEAD.unpack_from(packed)[1]])


def _written(fact: Fact | None) -> str | list[str] | None:
    """Return the plain form of a value, which is read again; of a name, its parts."""
    if isinstance(fact, Name):
        return [fact.text, fact.kind.value, fact.title]
    return None if fact is None else str(fact)


def _fact(written: str | list[str] | None) -> Fact | None:
    if isinstance(written, list):
        text, kind, title = written
        return Name(0, 0, text, NameKind(kind), title)
    return None if written is None else placeless(read_facts(written)[0])


def _unpack_units(packed: bytes, vocabulary: Vocabulary) -> Sentence:
    sentence = unpack(_rest(packed), vocabulary)
    weights, units = sentence.weights.copy(), {}
    of_facts, of_phrases = _units(packed)
    for tokens, written, head, weight in of_facts:
        units[head] = Unit(tuple(tokens), _fact(written))
        weights[sentence.position[head]] = weight
    phrases = tuple(Phrase(key, tuple(tokens), *rest) for key, tokens, *rest in of_phrases)
    return replace(sentence, units=units, phrases=phrases, weights=weights)


def _parts(sentence: Sentence) -> dict[str, Any]:
    parts = {each.name: getattr(sentence, each.name) for each in fields(sentence) if each.compare}
    return parts | {"weights": sentence.weights.tolist()}


def _from_whole(content: bytes) -> Sentence:
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in json.loads(content).items()
    }
    given |= {name: frozenset(given[name]) for name in ("function_words", "particles")}
    given["weights"] = np.array(given["weights"])
    given["places"] = tuple(tuple(Attachment(*place) for place in own) for own in given["places"])
    return Sentence(**given)
