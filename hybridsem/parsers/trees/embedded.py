"""The embedded dependency parser: raw text to UD trees, on the encoder's pass over the sentence.

    text --tokenise--> words --pool--> (n, 384) --heads--> POS, arcs --best_trees--> heads -->
    relations, lemmas

The heads (``models/parser``) are trained on UD English EWT; their weights are CC BY-SA 4.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

import numpy as np

from hybridsem._typing import Float32Array, IntArray
from hybridsem._utils.drop_cached import DropCached
from hybridsem._utils.onnx import session
from hybridsem._utils.validation import check_sentences
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import (
    EmbeddedEncoder,
    Encoded,
    equal_length_batches,
    in_parallel,
)
from hybridsem.english.lemmas import Lemmatiser, lemmatiser
from hybridsem.english.tokenise import tokenise
from hybridsem.parsers.trees.decode import best_trees
from hybridsem.parsers.trees.features import pool, shapes, suffix
from hybridsem.structures import DependencyTree, Predicate, Token

__all__ = ["EmbeddedTrees", "Labeller"]

Span = tuple[int, int]
WORDS_PER_RUN = 512
OUTPUTS = ["tags", "arcs", "label_dep", "label_head", "states"]


class Labeller(Protocol):
    """What finds semantic roles, on the encoder's pass and the parser's trees.

    >>> from hybridsem.parsers.srl.labeller import SemanticRoles
    >>> (tree,) = EmbeddedTrees(labeller=SemanticRoles()).trees(["A dog barked."])
    >>> [predicate.roleset for predicate in tree.predicates]
    ['bark.01']
    """

    def read(
        self, trees: Sequence[DependencyTree], words: Float32Array, states: Float32Array
    ) -> Sequence[Sequence[Predicate]]:
        """The predicates of trees of one length, in order, by word vectors and states."""
        ...


class EmbeddedTrees(DropCached):
    """UD trees of English sentences; what the encoder does not read of a very long text (beyond 256
    word pieces) is not in the tree.

    Args:
        encoder: The encoder whose pass the parser shares; None: a new one.
        labeller: Finds the predicates that the trees then carry; None: they carry none.

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
        """A tree for every sentence, in order.

        Args:
            sentences: Texts of a sentence each.

        Raises:
            InputError: Blank or invalid text.
        """
        texts = check_sentences(sentences)
        return self.trees_of(texts, self.encoder.analyse(texts))

    def trees_of(
        self,
        sentences: Sequence[str],
        encoded: Sequence[Encoded],
        spans: Sequence[Sequence[Span]] | None = None,
    ) -> list[DependencyTree]:
        """Trees over sentences that are encoded already; ``spans`` gives the words if known."""
        spans = (
            spans
            if spans is not None
            else [self._spans(*pair) for pair in zip(sentences, encoded, strict=True)]
        )
        batches = equal_length_batches(
            [len(words) for words in spans], WORDS_PER_RUN, self.encoder.workers
        )
        trees: list[DependencyTree | None] = [None] * len(spans)

        def run(batch: list[int]) -> None:
            parsed = self._parse(
                [sentences[i] for i in batch],
                [encoded[i] for i in batch],
                [spans[i] for i in batch],
            )
            for i, tree in zip(batch, parsed, strict=True):
                trees[i] = tree

        in_parallel(run, batches, self.encoder.workers)
        return [tree for tree in trees if tree is not None]

    def _spans(self, sentence: str, encoded: Encoded) -> list[Span]:
        """The words of a sentence as far as the encoder read it; at least one."""
        spans = tokenise(sentence if not encoded.truncated else sentence[: encoded.offsets[-1][1]])
        return spans or [(0, len(sentence))]

    def _parse(
        self, sentences: Sequence[str], encoded: Sequence[Encoded], spans: Sequence[Sequence[Span]]
    ) -> list[DependencyTree]:
        """The trees of sentences that have the same number of words."""
        forms = _forms(sentences, spans)
        inputs = self._inputs(forms, encoded, spans)
        tags, arcs, label_dep, label_head, states = self._heads.run(OUTPUTS, inputs)
        # A word is not its own head.
        arcs[:, np.arange(arcs.shape[1]), np.arange(1, arcs.shape[2])] = -np.inf
        heads = np.array(best_trees(arcs))
        chosen = label_head[np.arange(len(heads))[:, None], heads]
        relations = self._labels(
            label_dep.reshape(-1, label_dep.shape[-1]), chosen.reshape(-1, chosen.shape[-1])
        )
        relations = relations.reshape(heads.shape)

        # "root" goes with the root and with nothing else, whatever the classifier says.
        names, kinds = self._inventory["relations"], self._inventory["tags"]
        root, other = names.index("root"), names.index("dep")
        relations = np.where(relations == root, other, relations)
        relations[heads == 0] = root

        trees = []
        rows = zip(tags.tolist(), (heads - 1).tolist(), relations.tolist(), strict=True)
        read = zip(sentences, forms, spans, encoded, rows, strict=True)
        for sentence, words, places, one, (of_tags, governors, of_relations) in read:
            tagged = [kinds[tag] for tag in of_tags]
            columns = (
                words,
                self._lemma.each(words, tagged),
                tagged,
                governors,
                [names[relation] for relation in of_relations],
                *zip(*places, strict=True),
            )
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
        """What the heads read of sentences that have the same number of words."""
        # The words of all sentences are pooled at once, as if one text stood behind the other.
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
        """Word vectors (n, length, 384) and the heads' states (n, length, 256) of sentences with as
        many words each.
        """
        inputs = self._inputs(_forms(sentences, spans), encoded, spans)
        return inputs["words"], self._heads.run(["states"], inputs)[0]

    def _labels(self, dep: Float32Array, head: Float32Array) -> IntArray:
        relations: IntArray = self._labeller.run(None, {"dep": dep, "head": head})[0]
        return relations


def _forms(sentences: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[list[str]]:
    """The words of each sentence."""
    return [[text[a:b] for a, b in words] for text, words in zip(sentences, spans, strict=True)]


def _pairs(spans: Iterable[Span]) -> IntArray:
    """Spans as an array, (n, 2)."""
    return np.fromiter(chain.from_iterable(spans), np.int64).reshape(-1, 2)
