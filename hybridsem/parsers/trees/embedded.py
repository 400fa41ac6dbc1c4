"""The embedded dependency parser: raw text to UD trees, on the encoder's pass over the sentence.

    text --tokenise--> words --pool--> (n, 384) --heads--> POS, arcs --best_trees--> heads -->
    relations, lemmas

The heads (``models/parser``) are trained on UD English EWT; their weights are CC BY-SA 4.0.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from typing import Any, Protocol

import numpy as np

from hybridsem._typing import BoolArray, Float32Array, Float64Array, IntArray
from hybridsem._utils.onnx import DropCached, session
from hybridsem._utils.validation import check_sentences
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, Encoded, of_equal_length
from hybridsem.english.lemmas import Lemmatiser, lemmatiser
from hybridsem.english.tokenise import Span, tokenise
from hybridsem.parsers.trees import repairs
from hybridsem.structures import DependencyTree, Predicate, Token

SHAPES = (
    "lower",
    "Title",
    "UPPER",
    "Mixed",
    "digits",
    "word-digits",
    "punctuation",
    "other",
    "Title first",
)
N_SUFFIXES = 4096
CACHED = 16_384

_SHAPE = {name: index for index, name in enumerate(SHAPES)}


def pool(
    pieces: Float32Array, offsets: IntArray | Sequence[Span], spans: IntArray | Sequence[Span]
) -> Float32Array:
    """Return the mean over the pieces that overlap each span; zeros for a span without one.
    ``offsets`` and ``spans`` are in order.
    """
    begins, ends = np.reshape(offsets, (-1, 2)).T
    starts, stops = np.reshape(spans, (-1, 2)).T
    first = np.searchsorted(ends, starts, "right")
    count = np.maximum(np.searchsorted(begins, stops) - first, 0)
    if (count == 1).all():  # the usual case: every word is one piece
        return pieces[first]
    if not count.any():
        return np.zeros((len(count), pieces.shape[-1]), np.float32)
    rows = pieces.take(first, 0, mode="clip")
    rows[count == 0] = 0
    several = np.flatnonzero(count > 1)
    for nth in range(1, count.max(initial=0)):
        some = several[count[several] > nth]
        rows[some] += pieces[first[some] + nth]
    rows[several] /= count[several, None]
    return rows


def shape(word: str, first: bool) -> int:
    """Return the index in :data:`SHAPES` of a word; ``first`` is for the start of a sentence."""
    if word.isalpha():
        if word.islower():
            return _SHAPE["lower"]
        if word.istitle():
            return _SHAPE["Title first" if first else "Title"]
        return _SHAPE["UPPER" if word.isupper() else "Mixed"]
    if any(c.isdigit() for c in word):
        return _SHAPE["word-digits" if any(c.isalpha() for c in word) else "digits"]
    return _SHAPE["other" if any(c.isalpha() for c in word) else "punctuation"]


def shapes(forms: Sequence[str], length: int) -> IntArray:
    """Return the shapes of the words of sentences of ``length`` words each, (words,)."""
    found = np.fromiter(map(_shape, forms), np.int64, len(forms))
    found[::length] = [shape(form, first=True) for form in forms[::length]]
    return found


@lru_cache(CACHED)
def suffix(word: str) -> int:
    """Return a bucket of :data:`N_SUFFIXES` for the last three letters (crc32)."""
    return zlib.crc32(word[-3:].lower().encode("utf-8", "replace")) % N_SUFFIXES


_shape = lru_cache(CACHED)(partial(shape, first=False))


def best_trees(scores: Float32Array) -> list[list[int]]:
    """Return the heads (0 is the root, words count from 1) of the best trees with one root word.
    ``scores`` (sentences, n, n + 1) has the score of each word and head, column 0 for the root.
    """
    greedy: list[list[int]] = scores.argmax(2).tolist()
    return [
        heads if heads.count(0) == 1 and _cycle([-1, *heads]) is None else _best_tree(of)
        for of, heads in zip(scores, greedy, strict=True)
    ]


def _best_tree(scores: Float32Array) -> list[int]:
    """As :func:`best_trees`, for a sentence whose greedy heads are not such a tree."""
    n = len(scores)
    full = np.full((n + 1, n + 1), -np.inf)
    full[1:] = scores
    np.fill_diagonal(full, -np.inf)
    found = _edmonds(full)
    if found.count(0) > 1:
        # One root: any tree with one root word beats all with more once each use of the root costs
        # more than all the rest.
        finite = full[np.isfinite(full)]
        full[1:, 0] -= (finite.max() - finite.min() + 1) * (n + 1)
        found = _edmonds(full)
    return found[1:]


def _cycle(heads: list[int]) -> list[int] | None:
    """Return the nodes of one cycle among ``heads`` (heads[0] is not read), or None."""
    safe = {0}  # known to reach the root
    for begin in range(1, len(heads)):
        walk, node = list[int](), begin
        while node not in safe and node not in walk:
            walk.append(node)
            node = heads[node]
        if node not in safe:
            return walk[walk.index(node) :]
        safe.update(walk)
    return None


def _edmonds(scores: Float64Array) -> list[int]:
    """Return the best heads for ``scores`` (m, m), [dependent, head], node 0 the root."""
    m = len(scores)
    heads = [-1, *scores[1:].argmax(1).tolist()]
    cycle = _cycle(heads)
    if cycle is None:
        return heads
    inside = np.zeros(m, bool)
    inside[cycle] = True
    outside = np.flatnonzero(~inside)
    k = len(outside)  # the contracted cycle becomes the last node
    small = np.full((k + 1, k + 1), -np.inf)
    small[:k, :k] = scores[outside[:, None], outside]
    leaving = scores[outside[:, None], cycle]  # outside words with a head in the cycle
    small[:k, k] = leaving.max(1)
    broken = scores[cycle][:, outside] - scores[cycle, [heads[c] for c in cycle]][:, None]
    small[k, :k] = broken.max(0)  # the cycle gets an outside head and loses one of its arcs
    solved = _edmonds(small)
    for row in range(1, k):
        word, head = int(outside[row]), solved[row]
        heads[word] = cycle[int(leaving[row].argmax())] if head == k else int(outside[head])
    entry = solved[k]
    heads[cycle[int(broken[:, entry].argmax())]] = int(outside[entry])
    return heads


WORDS_PER_RUN = 1024
OUTPUTS = ["tags", "arcs", "label_dep", "label_head", "states"]


class Labeller(Protocol):
    """A labeller of semantic roles, on the encoder's pass and the parser's trees."""

    def read(
        self, trees: Sequence[DependencyTree], words: Float32Array, states: Float32Array
    ) -> Sequence[Sequence[Predicate]]:
        """Return the predicates of trees of one length, by word vectors and states."""
        ...


class EmbeddedTrees(DropCached):
    """UD trees of English sentences, up to the 256 word pieces that the encoder reads. ``encoder``
    is the encoder whose pass the parser shares, by default a new one; ``labeller`` adds predicates
    to the trees.

    >>> (tree,) = EmbeddedTrees().trees(["A dog barked."])
    >>> [(token.text, token.relation) for token in tree]
    [('A', 'det'), ('dog', 'nsubj'), ('barked', 'root'), ('.', 'punct')]
    """

    def __init__(
        self, encoder: EmbeddedEncoder | None = None, labeller: Labeller | None = None
    ) -> None:
        self.encoder = encoder or EmbeddedEncoder()
        self.labeller = labeller

    @cached_property
    def _heads(self) -> Any:
        return session(weight_file("parser.onnx", self.encoder.folder))

    @cached_property
    def _labeller(self) -> Any:
        return session(weight_file("labels.onnx", self.encoder.folder))

    @cached_property
    def _inventory(self) -> dict[str, Any]:
        inventory: dict[str, Any] = json.loads(weight_file("parser.json", self.encoder.folder))
        return inventory

    @cached_property
    def _lemma(self) -> Lemmatiser:
        return lemmatiser(self.encoder.folder)

    def trees(self, sentences: Sequence[str]) -> Sequence[DependencyTree]:
        """Return a tree for each sentence; raise :class:`InputError` for blank or invalid text."""
        texts = check_sentences(sentences)
        return self.trees_of(texts, self.encoder.analyse(texts))

    def trees_of(
        self,
        sentences: Sequence[str],
        encoded: Sequence[Encoded],
        spans: Sequence[Sequence[Span]] | None = None,
    ) -> list[DependencyTree]:
        """Return trees of encoded sentences; ``spans`` are the words, if known."""
        words = spans or [*map(_read_words, sentences, encoded)]

        def run(batch: list[int]) -> list[DependencyTree]:
            texts, read = [sentences[i] for i in batch], [encoded[i] for i in batch]
            return self._parse(texts, read, [words[i] for i in batch])

        return of_equal_length(run, [*map(len, words)], WORDS_PER_RUN, self.encoder.workers)

    def _relations(
        self, heads: IntArray, label_dep: Float32Array, label_head: Float32Array
    ) -> IntArray:
        """Return the numbers of the relations (sentences, n) to given heads (0 is the root)."""
        chosen = label_head[np.arange(len(heads))[:, None], heads]
        sides = {"dep": label_dep, "head": chosen}
        rows = {name: side.reshape(-1, side.shape[-1]) for name, side in sides.items()}
        relations: IntArray = self._labeller.run(None, rows)[0].reshape(heads.shape)

        # "root" is the relation of the root only, whatever the classifier returns.
        root, other = map(self._inventory["relations"].index, ("root", "dep"))
        relations = np.where(relations == root, other, relations)
        relations[heads == 0] = root
        return relations

    def _parse(
        self, sentences: Sequence[str], encoded: Sequence[Encoded], spans: Sequence[Sequence[Span]]
    ) -> list[DependencyTree]:
        """Return the trees of sentences of the same number of words."""
        forms = _forms(sentences, spans)
        inputs = self._inputs(forms, encoded, spans)
        tags, arcs, label_dep, label_head, states = self._heads.run(OUTPUTS, inputs)
        # A word is not its own head.
        arcs[:, np.arange(arcs.shape[1]), np.arange(1, arcs.shape[2])] = -np.inf
        heads = np.array(best_trees(arcs))
        names, kinds = self._inventory["relations"], self._inventory["tags"]
        relations = self._relations(heads, label_dep, label_head)
        # A clause with a subject and without "to" or "that" is a relative: "the man we saw".
        clauses = relations == names.index("acl")
        clauses &= _have(heads, relations == names.index("nsubj"))
        clauses &= ~_have(heads, relations == names.index("mark"))
        relations[clauses] = names.index("acl:relcl")

        trees = []
        found = (tags.tolist(), (heads - 1).tolist(), relations.tolist())
        read = zip(sentences, forms, spans, encoded, *found, strict=True)
        for sentence, words, places, one, of_tags, governors, of_relations in read:
            tagged = [kinds[tag] for tag in of_tags]
            labels = [names[relation] for relation in of_relations]
            lemmas = list(map(self._lemma.known, words, tagged))
            for i in repairs.repair(repairs.Draft(words, lemmas, tagged, governors, labels)):
                lemmas[i] = self._lemma(words[i], tagged[i])
            columns = (words, lemmas, tagged, governors, labels, *zip(*places, strict=True))
            trees.append(DependencyTree(sentence, tuple(map(Token, *columns)), one.truncated))
        if self.labeller is None:
            return trees
        labelled = zip(trees, self.labeller.read(trees, inputs["words"], states), strict=True)
        return [tree.labelled(predicates) for tree, predicates in labelled]

    def _inputs(
        self,
        forms: Sequence[Sequence[str]],
        encoded: Sequence[Encoded],
        spans: Sequence[Sequence[Span]],
    ) -> dict[str, Any]:
        """Return the inputs of the heads for sentences of the same number of words."""
        # The words of all sentences are pooled at once, as if they were one text.
        pieces = _pairs(chain.from_iterable(one.offsets for one in encoded))
        places = _pairs(chain.from_iterable(spans)).reshape(len(spans), -1, 2)
        begins = np.arange(len(spans)) * max(pieces.max(initial=0), places.max(initial=0))
        pooled = pool(
            np.concatenate([one.pieces for one in encoded]),
            pieces + begins.repeat([len(one.offsets) for one in encoded])[:, None],
            places + begins[:, None, None],
        )
        size, words = (len(forms), len(forms[0])), list(chain.from_iterable(forms))
        suffixes = np.fromiter(map(suffix, words), np.int64, len(words))
        return {
            "words": pooled.reshape(*size, -1),
            "shapes": shapes(words, size[1]).reshape(size),
            "suffixes": suffixes.reshape(size),
        }

    def states(
        self, sentences: Sequence[str], encoded: Sequence[Encoded], spans: Sequence[Sequence[Span]]
    ) -> tuple[Float32Array, Float32Array]:
        """Return word vectors (n, length, 384) and states (n, length, 256)."""
        inputs = self._inputs(_forms(sentences, spans), encoded, spans)
        return inputs["words"], self._heads.run(["states"], inputs)[0]


def _read_words(sentence: str, encoded: Encoded) -> list[Span]:
    """Return the words of a sentence that the encoder read, at least one."""
    spans = tokenise(sentence if not encoded.truncated else sentence[: encoded.offsets[-1][1]])
    return spans or [(0, len(sentence))]


def _forms(sentences: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[list[str]]:
    """Return the words of each sentence."""
    return [[text[a:b] for a, b in words] for text, words in zip(sentences, spans, strict=True)]


def _have(heads: IntArray, dependents: BoolArray) -> BoolArray:
    """Return which words have one of ``dependents``; ``heads`` count from 1."""
    found = np.zeros((len(heads), heads.shape[1] + 1), bool)
    rows, words = np.nonzero(dependents)
    found[rows, heads[rows, words]] = True
    return found[:, 1:]


def _pairs(spans: Iterable[Span]) -> IntArray:
    """Return spans as an array, (n, 2)."""
    return np.fromiter(chain.from_iterable(spans), np.int64).reshape(-1, 2)
