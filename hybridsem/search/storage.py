"""The stored form of sentences in an index, by what the model compares.

words      the hybrid: the vector, and what is compared word by word
vectors    an encoder alone: the vector
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from functools import cached_property, lru_cache
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
ATTACHMENTS = 1 << 16  # that are kept in memory
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
    vectors = {"vector": read_texts(model, PROBES).vectors}
    digest = hashlib.sha256()
    if isinstance(combiner := model.parts.combiner, HybridCombiner):
        words = [(word, word) for word in PROBE_WORDS]
        vectors["word vector"] = word_rows(combiner.vectors, words)
        for one in model.read([(text, text) for text in PROBES]).structures or ():
            shown: object = one
            if isinstance(one, RoleStructure):
                shown = [getattr(combiner.sentence(one), name) for name in COMPARED]
            digest.update(repr(shown).encode())
    sums = {name: table.sum(axis=0).tolist() for name, table in vectors.items()}
    return {"words": digest.hexdigest()} | {
        name: [round(number, 4) for number in of_table] for name, of_table in sums.items()
    }


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


# -- sentences as bytes, in JSON: about 200 for one of ten words
#
#    [tokens, words, places, marks, more]
#
#    tokens    form, lemma and tag together are a number of a vocabulary
#    words     which tokens are content words
#    places    of each word, its governors, each with a label: a number of the vocabulary
#    marks     a kind of function word, the token that it marks, and a label; of negations a count
#    more      what most sentences have not; the weights and function words only if they are others
#              than those of the vocabulary

MARKS = ("prepositions", "connectives", "modals", "quantifiers")
NEGATIONS = len(MARKS)


class Token(NamedTuple):
    """A word of a vocabulary."""

    form: str
    lemma: str
    tag: str


class Vocabulary:
    """Tokens, labels and lemmas by number. It only grows, so packed sentences stay readable.
    ``number_of`` has the number of each lemma, ``lemma`` that of each token's lemma, ``weights``
    the weights of tokens; ``attachment`` makes one of a governor and a label.
    """

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.labels: list[tuple[str, str]] = []
        self.lemmas: list[str] = []
        self.lemma: list[int] = []
        self.weights: list[float] = []
        self._token: dict[Token, int] = {}
        self._label: dict[tuple[str, str], int] = {}
        self.number_of: dict[str, int] = {}
        self._unwritten: list[Sequence[str]] = []
        self.attachment: Callable[[int, int], Attachment] = lru_cache(ATTACHMENTS)(
            lambda governor, label: Attachment(governor, *self.labels[label])
        )

    def token(self, token: Token) -> int:
        """Return the number of a token, a new one if it has none."""
        if (number := self._token.get(token)) is None:
            number = self._token[token] = len(self.tokens)
            self.tokens.append(token)
            self.weights.append(word_weight(token.form, token.tag))
            if (lemma := self.number_of.get(token.lemma)) is None:
                lemma = self.number_of[token.lemma] = len(self.lemmas)
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
    of_tokens = zip(sentence.forms, sentence.lemmas, sentence.tags, strict=True)
    tokens = [vocabulary.token(Token(*token)) for token in of_tokens]
    label, words = vocabulary.label, sentence.words
    places = [
        [(governor, label((relation, syntax))) for governor, relation, syntax in of_word]
        for of_word in sentence.places
    ]
    marks = [
        (kind, token, label((value, "")))
        for kind, name in enumerate(MARKS)
        for token, value in enumerate(getattr(sentence, name))
        if value is not None
    ]
    marks += [(NEGATIONS, token, count) for token, count in enumerate(sentence.negations) if count]
    more: dict[str, object] = {
        "coordinated": [i for i, flag in enumerate(sentence.coordinated) if flag],
        "numbers": sentence.numbered,
        "particles": sorted(sentence.particles),
        "question": sentence.question,
        "units": [
            (head, unit.tokens, _written(unit.fact), unit.phrase)
            for head, unit in sentence.units.items()
        ],
        "phrases": [astuple(phrase) for phrase in sentence.phrases],
    }
    more = {name: value for name, value in more.items() if value}
    usual = [vocabulary.weights[tokens[token]] for token in words]
    if sentence.word_weights != usual:
        weights = enumerate(zip(sentence.word_weights, usual, strict=True))
        more["weights"] = [(i, weight) for i, (weight, one) in weights if weight != one]
    if sentence.function_words != function_words_of(words, sentence.lemmas):
        more["function_words"] = sorted(sentence.function_words)
    content = tokens, words, places, marks, more
    return json.dumps(content, separators=(",", ":")).encode("ascii")


class Outline:
    """The part of a stored sentence that search by roles reads, with the names of a
    :class:`Sentence`. Reading it takes a fraction of :func:`unpack`.
    """

    def __init__(self, packed: bytes, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._tokens, words, places, self.marked, self.more = json.loads(packed)
        self.words: tuple[int, ...] = tuple(words)
        tokens, attachment = vocabulary.tokens, vocabulary.attachment
        self.forms, self.lemmas, self.tags = zip(*[tokens[n] for n in self._tokens], strict=True)
        self.places = tuple(
            [tuple([attachment(governor, label) for governor, label in own]) for own in places]
        )
        governors = [place.governor for own in self.places for place in own]
        if max((*words, *governors), default=-1) >= len(self._tokens):
            raise ValueError("a word that the sentence has not")
        self.word_lemmas: Sequence[str] = [self.lemmas[token] for token in words]
        self.negations = [0] * len(self._tokens)
        for kind, token, value in self.marked:
            if kind == NEGATIONS:
                self.negations[token] = value

    @cached_property
    def position(self) -> Mapping[int, int]:
        """The position of each content word, by its token."""
        return {token: i for i, token in enumerate(self.words)}

    @cached_property
    def word_tags(self) -> Sequence[str]:
        """The tags of the content words."""
        return [self.tags[token] for token in self.words]

    @cached_property
    def word_weights(self) -> Sequence[float]:
        """The weights of the content words."""
        weights, numbers = self._vocabulary.weights, self._tokens
        found = [weights[numbers[token]] for token in self.words]
        for i, weight in self.more.get("weights", ()):
            found[i] = weight
        return found


def unpack(packed: bytes, vocabulary: Vocabulary) -> Sentence:
    """Return the sentence that :func:`pack` packed."""
    of = Outline(packed, vocabulary)
    more, content = of.more, len(of.words)
    marks: list[list[str | None]] = [[None] * len(of.lemmas) for _ in MARKS]
    for kind, token, value in of.marked:
        if kind != NEGATIONS:
            marks[kind][token] = vocabulary.labels[value][0]
    prepositions, connectives, modals, quantifiers = map(tuple, marks)
    numbers, coordinated = dict(more.get("numbers", ())), more.get("coordinated", ())
    function_words = more.get("function_words")
    if function_words is None:
        function_words = function_words_of(of.words, of.lemmas)
    return Sentence(
        words=of.words,
        weights=np.array(of.word_weights),
        places=of.places,
        coordinated=tuple([i in coordinated for i in range(content)]),
        numbers=tuple([numbers.get(i) for i in range(content)]),
        lemmas=of.lemmas,
        forms=of.forms,
        tags=of.tags,
        prepositions=prepositions,
        connectives=connectives,
        modals=modals,
        quantifiers=quantifiers,
        negations=tuple(of.negations),
        function_words=frozenset(function_words),
        particles=frozenset(more.get("particles", ())),
        question=more.get("question", False),
        units={
            head: Unit(tuple(tokens), _fact(value), phrase)
            for head, tokens, value, phrase in more.get("units", ())
        },
        phrases=tuple(
            Phrase(key, tuple(tokens), *rest) for key, tokens, *rest in more.get("phrases", ())
        ),
    )


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
