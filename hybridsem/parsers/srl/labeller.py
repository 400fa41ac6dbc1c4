"""Semantic roles, learned from PropBank: predicates, rolesets, arguments with labels.

    words, states  --roles.onnx-->      which words are predicates, and what senses they are near
    predicates     --senses.npz-->      rolesets, among those that the lemma has
    pairs          --arguments.onnx-->  a label and a general role for each word that may head an
                                        argument
                   --choose_labels-->   arguments; their words are those below the head in the tree

It reads the encoder's pass. The heads (``models/roles``) are trained on PropBank over EWT and the
frame examples; their weights are CC BY-SA 4.0.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.onnx import session
from hybridsem._utils.reread import Reread
from hybridsem._utils.weights import weight_file
from hybridsem.embeddings.embedded import (
    EmbeddedEncoder,
    Encoded,
    equal_length_batches,
    in_parallel,
)
from hybridsem.english.lemmas import lemmatiser
from hybridsem.errors import AssetError, InputError
from hybridsem.parsers.srl.decode import choose_labels
from hybridsem.parsers.srl.features import candidates, columns, distance
from hybridsem.parsers.srl.lexicon import CORE, RoleLexicon
from hybridsem.parsers.srl.spans import argument_tokens
from hybridsem.parsers.trees.embedded import WORDS_PER_RUN, EmbeddedTrees
from hybridsem.parsers.trees.features import shape
from hybridsem.parsers.verbnet.general_roles import general_role
from hybridsem.structures import Argument, DependencyTree, Predicate, Role

__all__ = ["SemanticRoles", "labelled_trees"]


FOLLOWING = 5  # words after a predicate among which its particles are looked for
DIGITS = 4  # of a score
_COLUMNS = {
    "tags": np.int64,
    "relations": np.int64,
    "marker": np.int64,
    "shapes": np.int64,
    "below": np.float32,
    "prior": np.float32,
}


class _Sense(NamedTuple):
    """A predicate before its arguments: its place in the batch, roleset if any, and how sure."""

    sentence: int
    word: int
    roleset: int | None
    score: float


class SemanticRoles(Reread):
    """Labels trees with predicates.

    The trees may come from any parser that has UD's relations, the vectors only from the embedded
    encoder.

    Args:
        encoder: The encoder whose pass is shared; None: a new one.

    >>> encoder = EmbeddedEncoder()
    >>> (tree,) = EmbeddedTrees(encoder).trees(["A dog barked."])
    >>> ((found,),) = SemanticRoles(encoder).label([tree], encoder.analyse([tree.text]))
    >>> found.roleset, [argument.label for argument in found.arguments]
    ('bark.01', ['ARG0'])
    """

    def __init__(self, encoder: EmbeddedEncoder | None = None) -> None:
        self.encoder = encoder or EmbeddedEncoder()

    @cached_property
    def _words(self) -> Any:
        network = session(weight_file("roles.onnx", self.encoder.folder))
        _check_widths("roles.onnx", network, below=len(self._inventory["relations"]))
        return network

    @cached_property
    def _arguments(self) -> Any:
        network = session(weight_file("arguments.onnx", self.encoder.folder))
        lexicon = self._lexicon
        _check_widths(
            "arguments.onnx",
            network,
            frame=lexicon.frame_width,
            labels=len(lexicon.labels),
            roles=1 + len(lexicon.roles),
        )
        return network

    @cached_property
    def _senses(self) -> tuple[Float32Array, Float32Array]:
        """The factor of predicates' vectors for each roleset (rolesets, d), and what is added."""
        content = io.BytesIO(weight_file("senses.npz", self.encoder.folder))
        with np.load(content, allow_pickle=False) as file:
            vectors, bias = file["levels"] * file["scale"][:, None], file["bias"]
        if len(vectors) != len(self._lexicon.rolesets):
            raise _mismatch("senses.npz", "rolesets", len(vectors), len(self._lexicon.rolesets))
        return vectors, bias

    @cached_property
    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(weight_file("roles.json", self.encoder.folder))
        return content

    @cached_property
    def _trust(self) -> Float32Array:
        """How much a roleset's frequency and its particles count."""
        return np.array(self._content["evidence"], np.float32)

    @cached_property
    def _lexicon(self) -> RoleLexicon:
        return RoleLexicon(self._content, lemmatiser(self.encoder.folder))

    @cached_property
    def _inventory(self) -> dict[str, dict[str, int]]:
        inventory = json.loads(weight_file("parser.json", self.encoder.folder))
        return {
            kind: {name: index for index, name in enumerate(names)}
            for kind, names in inventory.items()
        }

    @cached_property
    def _parser(self) -> EmbeddedTrees:
        return EmbeddedTrees(self.encoder)

    def label(
        self,
        trees: Sequence[DependencyTree],
        encoded: Sequence[Encoded],
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> list[tuple[Predicate, ...]]:
        """The predicates of each tree, in order.

        Args:
            trees: Dependency trees with UD's relations.
            encoded: What the encoder made of each tree's text.
            predicates: The indices of each tree's predicates; None: those that are found.

        Raises:
            InputError: Not one of each for every tree, or an index that no word has.
        """
        if len(encoded) != len(trees) or (predicates is not None and len(predicates) != len(trees)):
            given = "no" if predicates is None else len(predicates)
            raise InputError(
                f"{len(trees)} trees need as many, got {len(encoded)} encoded and {given} "
                "predicates"
            )
        for tree, indices in zip(trees, predicates or (), strict=False):
            if wrong := [index for index in indices if not 0 <= index < len(tree)]:
                raise InputError(
                    f"a predicate is a word from 0 to {len(tree) - 1} of {tree.text!r}, got "
                    f"{wrong[0]}"
                )
        found: list[tuple[Predicate, ...]] = [()] * len(trees)
        batches = equal_length_batches(
            [len(tree) for tree in trees], WORDS_PER_RUN, self.encoder.workers
        )

        def run(batch: list[int]) -> None:
            some = [trees[i] for i in batch]
            spans = [[(token.start, token.end) for token in tree] for tree in some]
            words, states = self._parser.states(
                [tree.text for tree in some], [encoded[i] for i in batch], spans
            )
            given = None if predicates is None else [predicates[i] for i in batch]
            for i, one in zip(batch, self.read(some, words, states, given), strict=True):
                found[i] = one

        in_parallel(run, batches, self.encoder.workers)
        return found

    def read(
        self,
        trees: Sequence[DependencyTree],
        words: Float32Array,
        states: Float32Array,
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> list[tuple[Predicate, ...]]:
        """The predicates of trees of the same length, in the order of the text.

        Args:
            trees: Dependency trees with UD's relations.
            words: The encoder's word vectors, (trees, length, 384).
            states: The parser's BiLSTM states of the same words, (trees, length, 400).
            predicates: The indices of each tree's predicates; None: those that are found.
        """
        if (
            words.shape[0] * words.shape[1] == 1
        ):  # a product with one row is added up in another order
            given = None if predicates is None else [*predicates, *predicates]
            return self.read([*trees, *trees], words.repeat(2, 0), states.repeat(2, 0), given)[:1]
        batch = [self._columns(tree) for tree in trees]
        inputs = {
            name: np.array([columns[name] for columns in batch], kind)
            for name, kind in _COLUMNS.items()
        }
        hidden, left, query, logits = self._words.run(
            None, {"words": words, "states": states, **inputs}
        )
        senses = list(self._predicates(trees, logits.reshape(words.shape[:2]), query, predicates))
        found: list[list[Predicate]] = [[] for _ in trees]
        for sense, arguments in zip(
            senses, self._arguments_of(trees, senses, batch, hidden, left), strict=True
        ):
            tree = trees[sense.sentence]
            lemma = tree[sense.word].lemma
            found[sense.sentence].append(
                Predicate(sense.word, lemma, self._name(sense), arguments, sense.score)
            )
        return [tuple(each) for each in found]

    def _columns(self, tree: DependencyTree) -> dict[str, Any]:
        """What the first graph reads of a tree, a row a word, and the heads."""
        tags, names = self._inventory["tags"], self._inventory["relations"]
        forms, heads = [token.text for token in tree], [token.head for token in tree]
        relations = [names.get(token.relation, names["dep"]) for token in tree]
        marker, below = columns(forms, heads, relations, list(names))
        return {
            "heads": heads,
            "tags": [tags.get(token.pos, tags["X"]) for token in tree],
            "relations": relations,
            "marker": marker,
            "shapes": [shape(form, k == 0) for k, form in enumerate(forms)],
            "below": below,
            "prior": [self._lexicon.prior(token.text, token.pos) for token in tree],
        }

    def _predicates(
        self,
        trees: Sequence[DependencyTree],
        logits: Float32Array,
        query: Float32Array,
        given: Sequence[Sequence[int]] | None,
    ) -> Iterator[_Sense]:
        """The predicates with their rolesets, sentence by sentence in the order of the text."""
        length = logits.shape[1]
        for i, tree in enumerate(trees):
            indices = (
                np.flatnonzero(logits[i] > 0).tolist() if given is None else sorted(set(given[i]))
            )
            for index in indices:
                known = self._lexicon.rolesets_of(tree[index].text, tree[index].pos)
                best = 0
                if len(known) > 1:
                    following = [
                        token.text for token in tree.tokens[index + 1 : index + 1 + FOLLOWING]
                    ]
                    evidence = (self._lexicon.evidence(known, following) * self._trust).sum(1)
                    vectors, bias = self._senses
                    places = list(known)
                    alike = (vectors[places] * query[i * length + index]).sum(1)
                    best = int((alike + bias[places] + evidence).argmax())
                score = 1 / (1 + math.exp(-float(logits[i, index])))
                yield _Sense(i, index, known[best] if known else None, round(score, DIGITS))

    def _arguments_of(
        self,
        trees: Sequence[DependencyTree],
        senses: Sequence[_Sense],
        batch: Sequence[Mapping[str, Any]],
        hidden: Float32Array,
        left: Float32Array,
    ) -> Iterator[tuple[Argument, ...]]:
        """The arguments of each predicate."""
        length = len(trees[0])
        pairs = []
        for sense in senses:
            tree, row = trees[sense.sentence], batch[sense.sentence]
            below = [tree.children(k) for k in range(length)]
            pairs.append(candidates(row["heads"], row["relations"], below, sense.word))
        places = [sense.sentence * length + sense.word for sense in senses]
        rows = np.array(
            [
                (number, places[number], sense.sentence * length + pair.word, pair.path, pair.reach)
                for number, (sense, some) in enumerate(zip(senses, pairs, strict=True))
                for pair in some
            ],
            np.int64,
        ).reshape(-1, 5)
        if not len(rows):
            yield from ((),) * len(senses)
            return
        rolesets = [sense.roleset for sense in senses]
        n = len(rows)
        if n == 1:  # as in read
            rows = rows.repeat(2, 0)
        if len(places) == 1:
            places, rolesets = places * 2, rolesets * 2
        vectors, _ = self._senses
        none = np.zeros(vectors.shape[1], np.float32)
        labels, roles = self._arguments.run(
            None,
            {
                "left": left[rows[:, 2]],
                "hidden": hidden[places],
                "sense": np.stack([none if r is None else vectors[r] for r in rolesets]),
                "frame": np.stack([self._lexicon.frame(r) for r in rolesets]),
                "predicate": rows[:, 0],
                "path": rows[:, 3],
                "reach": rows[:, 4],
                "far": distance(rows[:, 2], rows[:, 1]),
            },
        )
        labels, roles = labels[:n], roles[:n]
        at = 0
        for sense, some in zip(senses, pairs, strict=True):
            part = slice(at, at := at + len(some))
            heads = [pair.word for pair in some]
            yield self._decoded(trees[sense.sentence], sense, heads, labels[part], roles[part])

    def _decoded(
        self,
        tree: DependencyTree,
        sense: _Sense,
        heads: Sequence[int],
        labels: Float32Array,
        roles: Float32Array,
    ) -> tuple[Argument, ...]:
        """A predicate's arguments in the order of their heads."""
        chosen = choose_labels(labels * self._lexicon.licence(sense.roleset), self._lexicon.labels)
        others = {heads[row] for row, _ in chosen}
        found = []
        for row, label in chosen:
            name = self._lexicon.labels[label]
            verbnet = self._lexicon.verbnet(sense.roleset, name)
            role = self._role(sense, name, verbnet, roles[row])
            tokens = argument_tokens(tree, sense.word, heads[row], name, others - {heads[row]})
            found.append(
                Argument(
                    name,
                    tokens,
                    heads[row],
                    verbnet,
                    role,
                    round(float(labels[row, label]), DIGITS),
                )
            )
        return tuple(sorted(found, key=lambda argument: argument.head))

    def _name(self, sense: _Sense) -> str | None:
        return None if sense.roleset is None else self._lexicon.rolesets[sense.roleset]

    def _role(
        self, sense: _Sense, label: str, verbnet: tuple[str, ...], scores: Float32Array
    ) -> Role | None:
        """The general role that the roleset's links give, or else the likeliest."""
        linked = general_role(label, verbnet, self._name(sense))
        if linked is not None or verbnet or label not in CORE:
            return linked
        best = int(scores.argmax())
        return self._lexicon.roles[best - 1] if best else None


def labelled_trees(encoder: EmbeddedEncoder | None = None) -> EmbeddedTrees:
    """The embedded trees with learned semantic roles: the reading of the default model.

    Args:
        encoder: The encoder whose pass is shared; None: a new one.

    >>> (tree,) = labelled_trees().trees(["A dog barked."])
    >>> tree.predicates[0].roleset
    'bark.01'
    """
    encoder = encoder or EmbeddedEncoder()
    return EmbeddedTrees(encoder, SemanticRoles(encoder))


def _check_widths(name: str, network: Any, **widths: int) -> None:
    """:class:`AssetError` where inputs or outputs of a graph have other widths than these."""
    shapes = {node.name: node.shape for node in (*network.get_inputs(), *network.get_outputs())}
    for part, width in widths.items():
        if shapes[part][-1] != width:
            raise _mismatch(name, part, shapes[part][-1], width)


def _mismatch(name: str, part: str, found: object, expected: int) -> AssetError:
    return AssetError(
        f"the labeller's {name} and its JSON files are not of one training: the width of {part!r} "
        f"is {found}, expected {expected}; export them together with models/roles/export.py and "
        "run models.manifest, or reinstall hybridsem"
    )
