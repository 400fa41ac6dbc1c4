"""Semantic roles, learned from PropBank: predicates, rolesets, arguments with labels.

    words, states  --roles.onnx-->      predicates, and vectors near their senses
    predicates     --senses.npz-->      rolesets, among those of the lemma
    pairs          --arguments.onnx-->  a label and a general role for each possible head
                   --choose_labels-->   arguments; their words are the subtree of the head

It uses the encoder's pass. The heads (``models/roles``) are trained on PropBank over EWT and the
frame examples; their weights are CC BY-SA 4.0.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice, starmap
from typing import NamedTuple

import numpy as np

from hybridsem._typing import AnyArray, Float32Array, IntArray, UInt8Array
from hybridsem._utils.onnx import DropCached, Session, session
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import EmbeddedEncoder, Encoded, of_equal_length
from hybridsem.errors import AssetError
from hybridsem.parsers.srl import features
from hybridsem.parsers.srl.lexicon import RoleLexicon, role_lexicon
from hybridsem.parsers.trees.embedded import WORDS_PER_RUN, EmbeddedTrees, shapes
from hybridsem.structures import Argument, DependencyTree, Predicate

FOLLOWING = 5  # words after a predicate that may be its particles
DIGITS = 4  # of a score


class _Sense(NamedTuple):
    """A predicate without arguments: its place in the batch, roleset if any, and probability."""

    sentence: int
    word: int
    roleset: int | None
    score: float


class SemanticRoles(DropCached):
    """A labeller of predicates in UD trees of any parser, with vectors of the embedded encoder.
    ``encoder`` is the encoder whose pass is shared, by default a new one.

    >>> encoder = EmbeddedEncoder()
    >>> (tree,) = EmbeddedTrees(encoder).trees(["A dog barked."])
    >>> ((found,),) = SemanticRoles(encoder).label([tree], encoder.analyse([tree.text]))
    >>> found.roleset, [argument.label for argument in found.arguments]
    ('bark.01', ['ARG0'])
    """

    def __init__(self, encoder: EmbeddedEncoder | None = None) -> None:
        self.encoder = encoder or EmbeddedEncoder()

    @cached_property
    def _words(self) -> Session:
        network = session(weight_file("roles.onnx", self.encoder.folder))
        _check_widths("roles.onnx", network, below=len(self._inventory["relations"]))
        return network

    @cached_property
    def _arguments(self) -> Session:
        network = session(weight_file("arguments.onnx", self.encoder.folder))
        lexicon = self._lexicon
        sizes = {"labels": len(lexicon.labels), "roles": 1 + len(lexicon.roles)}
        _check_widths("arguments.onnx", network, frame=lexicon.frame_width, **sizes)
        return network

    @cached_property
    def _senses(self) -> tuple[Float32Array, Float32Array]:
        """The weights of predicates' vectors for each roleset (rolesets, d), and the bias."""
        content = io.BytesIO(weight_file("senses.npz", self.encoder.folder))
        with np.load(content, allow_pickle=False) as file:
            vectors, bias = file["levels"] * file["scale"][:, None], file["bias"]
        if len(vectors) != len(self._lexicon.rolesets):
            raise _mismatch("senses.npz", "rolesets", len(vectors), len(self._lexicon.rolesets))
        return vectors, bias

    @cached_property
    def _lexicon(self) -> RoleLexicon:
        return role_lexicon(self.encoder.folder)

    @cached_property
    def _inventory(self) -> dict[str, dict[str, int]]:
        lists = json.loads(weight_file("parser.json", self.encoder.folder)).items()
        return {kind: {name: n for n, name in enumerate(names)} for kind, names in lists}

    @cached_property
    def _parser(self) -> EmbeddedTrees:
        return EmbeddedTrees(self.encoder)

    def label(
        self,
        trees: Sequence[DependencyTree],
        encoded: Sequence[Encoded],
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> list[tuple[Predicate, ...]]:
        """Return the predicates of each tree. ``encoded`` are the encoded texts of the trees;
        ``predicates`` are indices for each tree, by default those that are found.
        """

        def run(batch: list[int]) -> list[tuple[Predicate, ...]]:
            some = [trees[i] for i in batch]
            spans = [[(token.start, token.end) for token in tree] for tree in some]
            words, states = self._parser.states(
                [tree.text for tree in some], [encoded[i] for i in batch], spans
            )
            given = None if predicates is None else [predicates[i] for i in batch]
            return self.read(some, words, states, given)

        lengths = [len(tree.tokens) for tree in trees]
        return of_equal_length(run, lengths, WORDS_PER_RUN, self.encoder.workers)

    def read(
        self,
        trees: Sequence[DependencyTree],
        words: Float32Array,
        states: Float32Array,
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> list[tuple[Predicate, ...]]:
        """Return the predicates of trees of the same length, in the order of the text.

        Args:
            trees: Dependency trees with UD's relations.
            words: The encoder's word vectors, (trees, length, 384).
            states: The parser's states of the same words, (trees, length, 256).
            predicates: The indices of each tree's predicates; None: those that are found.
        """
        # A product with one row is summed in another order.
        if words.shape[0] * words.shape[1] == 1:
            given = None if predicates is None else [*predicates, *predicates]
            return self.read([*trees, *trees], words.repeat(2, 0), states.repeat(2, 0), given)[:1]
        inputs = self._columns(trees)
        feed = {"words": words, "states": states, **inputs}
        hidden, left, query, logits = self._words.run(None, feed)
        senses = self._predicates(trees, logits.reshape(words.shape[:2]), query, predicates)
        found: list[list[Predicate]] = [[] for _ in trees]
        relations = inputs["relations"].tolist()
        arguments = self._arguments_of(trees, senses, relations, hidden, left)
        for (i, k, roleset, score), some in zip(senses, arguments, strict=True):
            name = None if roleset is None else self._lexicon.rolesets[roleset]
            found[i].append(Predicate(k, trees[i].tokens[k].lemma, name, some, score))
        return list(map(tuple, found))

    def _columns(self, trees: Sequence[DependencyTree]) -> dict[str, AnyArray]:
        """Return the inputs of the first network for trees of the same length."""
        tags, names = self._inventory["tags"], self._inventory["relations"]
        size, tokens = (len(trees), len(trees[0])), [token for tree in trees for token in tree]
        forms, kinds = [token.text for token in tokens], [token.pos for token in tokens]
        other, unknown = names["dep"], tags["X"]
        relations = [names.get(token.relation, other) for token in tokens]
        heads = np.array([token.head for token in tokens]).reshape(size)
        heads = np.where(heads < 0, -1, heads + size[1] * np.arange(size[0])[:, None])
        marker, below = features.columns(forms, heads.ravel(), relations, list(names))
        inputs: dict[str, AnyArray] = {
            "tags": np.array([tags.get(kind, unknown) for kind in kinds], np.int64),
            "relations": np.array(relations, np.int64),
            "marker": marker,
            "shapes": shapes(forms, size[1]),
            "below": below,
            "prior": self._lexicon.priors(forms, kinds),
        }
        return {name: column.reshape(*size, *column.shape[1:]) for name, column in inputs.items()}

    def _predicates(
        self,
        trees: Sequence[DependencyTree],
        logits: Float32Array,
        query: Float32Array,
        given: Sequence[Sequence[int]] | None,
    ) -> list[_Sense]:
        """Return the predicates with their rolesets, in the order of the text."""
        if given is None:
            words = np.argwhere(logits > 0).tolist()
        else:
            words = [[i, index] for i, some in enumerate(given) for index in sorted(set(some))]
        each = logits[tuple(zip(*words, strict=True))].tolist() if words else []
        tokens = [trees[i].tokens[k] for i, k in words]
        known = [self._lexicon.rolesets_of(token.text, token.pos) for token in tokens]
        best = self._likeliest(trees, words, known, query)
        senses = []
        for (i, k), some, place, logit in zip(words, known, best, each, strict=True):
            score = round(1 / (1 + math.exp(-logit)), DIGITS)
            senses.append(_Sense(i, k, some[place] if some else None, score))
        return senses

    def _likeliest(
        self,
        trees: Sequence[DependencyTree],
        words: Sequence[Sequence[int]],
        known: Sequence[tuple[int, ...]],
        query: Float32Array,
    ) -> list[int]:
        """Return the place of each predicate's best roleset among its ``known`` ones."""
        length, rows = len(trees[0].tokens), []
        several: list[tuple[int, ...]] = []
        following: list[list[str]] = []
        for (i, k), some in zip(words, known, strict=True):
            if len(some) > 1:
                rows.append(i * length + k)
                several.append(some)
                after = trees[i].tokens[k + 1 : k + 1 + FOLLOWING]
                following.append([token.text for token in after])
        if not rows:
            return [0] * len(words)
        vectors, bias = self._senses
        places = np.fromiter(chain.from_iterable(several), np.int64)
        alike = vectors[places]
        alike *= query[np.repeat(rows, [len(some) for some in several])]
        scores = alike.sum(1) + bias[places]
        evidence = np.concatenate([*map(self._lexicon.evidence, several, following)])
        frequency, particles = (evidence * self._lexicon.weights).T
        scores += frequency + particles
        each = iter(scores.tolist())
        best = []
        for some in known:
            part = list(islice(each, len(some))) if len(some) > 1 else [0.0]
            best.append(part.index(max(part)))
        return best

    def _arguments_of(
        self,
        trees: Sequence[DependencyTree],
        senses: Sequence[_Sense],
        relations: Sequence[Sequence[int]],
        hidden: UInt8Array,
        left: Float32Array,
    ) -> Iterator[tuple[Argument, ...]]:
        """Yield the arguments of each predicate."""
        length = len(trees[0].tokens)
        above = [[token.head for token in tree.tokens] for tree in trees]
        pairs = [
            features.candidates(above[i], relations[i], trees[i].below, k) for i, k, *_ in senses
        ]
        counts = [len(some) for some in pairs]
        parts = chain.from_iterable(chain.from_iterable(pairs))
        rows = np.fromiter(parts, np.int64).reshape(-1, 3)
        if not len(rows):
            yield from ((),) * len(senses)
            return
        number = np.arange(len(senses)).repeat(counts)
        sentence, word = np.array([sense[:2] for sense in senses]).T
        places, rolesets = sentence * length + word, [sense.roleset for sense in senses]
        licences = _stacked([self._lexicon.licence(r) for r in rolesets])[number]
        n = len(rows)
        if n == 1:  # as in read
            rows, number = rows.repeat(2, 0), number.repeat(2)
        if len(places) == 1:
            places, rolesets = places.repeat(2), rolesets * 2
        vectors, _ = self._senses
        words = rows[:, 0] + sentence[number] * length
        known = np.array([-1 if r is None else r for r in rolesets])
        of_sense = vectors[known]
        of_sense[known < 0] = 0
        inputs: dict[str, AnyArray] = {
            "left": left[words],
            "hidden": hidden[places],
            "sense": of_sense,
            "frame": _stacked([self._lexicon.frame(r) for r in rolesets]),
            "far": features.distance(words, places[number]),
        }
        inputs |= {"predicate": number, "path": rows[:, 1], "reach": rows[:, 2]}
        labels, roles = self._arguments.run(None, inputs)
        chosen = [*features.choose_labels(labels[:n] * licences, counts, self._lexicon.labels)]
        yield from self._chosen(trees, senses, chosen, rows[:, 0], number, labels, roles)

    def _chosen(
        self,
        trees: Sequence[DependencyTree],
        senses: Sequence[_Sense],
        chosen: Sequence[list[tuple[int, int]]],
        words: IntArray,
        number: IntArray,
        labels: Float32Array,
        roles: Float32Array,
    ) -> Iterator[tuple[Argument, ...]]:
        """Yield the arguments of each predicate from the chosen rows and labels of candidates."""
        at, of_label = np.array([*chain.from_iterable(chosen)], np.int64).reshape(-1, 2).T
        order = np.lexsort((words[at], number[at]))
        at, of_label = at[order], of_label[order]
        # As exact as round() of each, because they are single precision.
        scores = labels[at, of_label].astype(np.float64).round(DIGITS).tolist()
        heads, likeliest = words[at].tolist(), roles[at].argmax(1).tolist()
        names = [self._lexicon.labels[label] for label in of_label.tolist()]
        tokens, of_links, end = [], [], 0
        for (i, k, roleset, _), kept in zip(senses, chosen, strict=True):
            begin, end = end, end + len(kept)
            others = heads[begin:end]
            for head, name in zip(others, names[begin:end], strict=True):
                tokens.append(features.argument_tokens(trees[i], k, head, name, others))
                of_links.append((roleset, name))
        links = [*starmap(self._lexicon.linked, of_links)]
        general = [
            self._lexicon.roles[role - 1] if role and link.open else link.role
            for role, link in zip(likeliest, links, strict=True)
        ]
        verbnet = [link.verbnet for link in links]
        arguments = map(Argument, names, tokens, heads, verbnet, general, scores)
        yield from (tuple(islice(arguments, len(kept))) for kept in chosen)


def labelled_trees(encoder: EmbeddedEncoder | None = None) -> EmbeddedTrees:
    """Return the embedded tree parser with learned semantic roles, on the pass of ``encoder``."""
    encoder = encoder or EmbeddedEncoder()
    return EmbeddedTrees(encoder, SemanticRoles(encoder))


def _stacked(rows: Sequence[Float32Array]) -> Float32Array:
    """Stack the rows, faster than ``np.stack``."""
    return np.concatenate(rows).reshape(len(rows), -1)


def _check_widths(name: str, network: Session, **widths: int) -> None:
    """Raise :class:`AssetError` if inputs or outputs of a network have other widths."""
    shapes = {node.name: node.shape for node in (*network.get_inputs(), *network.get_outputs())}
    for part, width in widths.items():
        if shapes[part][-1] != width:
            raise _mismatch(name, part, shapes[part][-1], width)


def _mismatch(name: str, part: str, found: object, expected: int) -> AssetError:
    return AssetError(
        f"the labeller's {name} and its JSON files are from different trainings: the width of "
        f"{part!r} is {found}, expected {expected}; export them together with "
        "models/roles/export.py and run models.manifest, or reinstall hybridsem"
    )
