"""Learned semantic roles: what is read off a tree, how arguments are chosen, what comes out, how
good it is.
"""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.evaluated import written
from support.texts import ODD
from support.trees import any_tree

from benchmarks.role_agreement import compare
from hybridsem._utils.weights import FOLDER
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import AssetError
from hybridsem.parsers.srl.features import choose_labels
from hybridsem.parsers.srl.labeller import SemanticRoles
from hybridsem.parsers.srl.lexicon import CORE, Roleset
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree, Predicate, Role
from models.roles.propbank import read_propbank

# The file format.

SNORE = {
    "index": 3,
    "lemma": "snore",
    "roleset": "snore.01",
    "args": [["ARG0", 0, 1, ["agent"]], ["ARGM-NEG", 2, 3, []]],
}
ROW = {
    "tokens": ["Ann", "does", "n't", "snore", "."],
    "upos": ["PROPN", "AUX", "PART", "VERB", "PUNCT"],
    "head": [4, 4, 4, 0, 4],
    "deprel": ["nsubj", "aux", "advmod", "root", "punct"],
    "predicates": [SNORE],
}


def test_reading_propbank(tmp_path: Path) -> None:
    (found,) = read_propbank(written(tmp_path / "a.jsonl", ROW))
    assert found.text == "Ann does n't snore ."
    assert [(t.lemma, t.head, found.text[t.start : t.end]) for t in found][:2] == [
        ("Ann", 3, "Ann"),
        ("do", 3, "does"),
    ]
    (predicate,) = found.predicates or ()
    assert (predicate.index, predicate.roleset) == (3, "snore.01")
    assert [(a.label, a.tokens, a.head, a.verbnet) for a in predicate.arguments] == [
        ("ARG0", (0,), 0, ("agent",)),
        ("ARGM-NEG", (2,), 2, ()),
    ]


# How arguments are chosen, and what is known before.

LABELS = ["_", "ARG0", "ARG1", "C-ARG1", "ARGM-TMP"]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([[0.9, 0.1, 0, 0, 0]], {}),
        ([[0.1, 0.6, 0.3, 0, 0], [0.1, 0.2, 0.7, 0, 0]], {0: "ARG0", 1: "ARG1"}),
        # The most probable candidate has it, and the other is another, or nothing.
        ([[0.1, 0.6, 0.3, 0, 0], [0.1, 0.7, 0.2, 0, 0]], {0: "ARG1", 1: "ARG0"}),
        ([[0.3, 0.5, 0.2, 0, 0], [0.1, 0.7, 0.2, 0, 0]], {1: "ARG0"}),
        ([[0.1, 0, 0, 0, 0.9], [0.1, 0, 0, 0, 0.9]], {0: "ARGM-TMP", 1: "ARGM-TMP"}),
        ([[0.1, 0, 0.3, 0.6, 0]], {}),  # nothing that it could continue
        ([[0.1, 0, 0.3, 0.6, 0], [0, 0, 1, 0, 0]], {0: "C-ARG1", 1: "ARG1"}),
    ],
)
def test_choosing_labels(scores: list[list[float]], expected: dict[int, str]) -> None:
    found = next(choose_labels(np.array(scores, np.float32), [len(scores)], LABELS))
    assert {row: LABELS[label] for row, label in found} == expected


def test_the_shipped_rolesets() -> None:
    """They are sorted, as they are looked up; their sums are right; each is read as written."""
    content = json.loads((FOLDER / "roles.json").read_text(encoding="utf-8"))
    names, rows = list(content["rolesets"]), list(content["rolesets"].values())
    assert names == sorted(names)
    read = [Roleset.read(row) for row in rows]
    assert [roleset.written for roleset in read] == rows
    sums = {label: sum(roleset.arguments.get(label, (0,))[0] for roleset in read) for label in CORE}
    assert content["core"] == {"": sum(roleset.seen for roleset in read), **sums}


def shipped_copy(folder: Path, **changed: object) -> EmbeddedEncoder:
    """An encoder whose folder has the shipped files, and a ``roles.json`` with these changes."""
    folder.mkdir()
    for path in FOLDER.iterdir():
        if path.name not in ("roles.json", "manifest.json"):
            (folder / path.name).symlink_to(path)
    content = json.loads((FOLDER / "roles.json").read_text(encoding="utf-8")) | changed
    (folder / "roles.json").write_text(json.dumps(content), encoding="utf-8")
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    manifest["roles.json"] = hashlib.sha256((folder / "roles.json").read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return EmbeddedEncoder(folder)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"roles": ["Agent", "Patient"]}, r"arguments.onnx .* 'frame' is 54, expected 24"),
        ({"labels": ["_", "ARG0"]}, r"arguments.onnx .* 'labels' is 36, expected 2"),
        ({"rolesets": {"go.01": "1 1"}, "lemmas": {}}, r"senses.npz .* 'rolesets' is 11078"),
        ({"roles": ["Agent", "Cause"]}, "must list its trained roles"),
    ],
)
def test_files_that_are_not_of_one_training(
    tmp_path: Path, changed: dict[str, object], message: str
) -> None:
    encoder = shipped_copy(tmp_path / "data", **changed)
    trees = EmbeddedTrees(encoder, SemanticRoles(encoder))
    with pytest.raises(AssetError, match=f"{message}.*export .* reinstall hybridsem"):
        trees.trees(["They go home."])


# The labeller.


@pytest.fixture(scope="module")
def parser(encoder: EmbeddedEncoder) -> EmbeddedTrees:
    return EmbeddedTrees(encoder, SemanticRoles(encoder))


def roles(of: DependencyTree, word: str) -> dict[str, str]:
    (predicate,) = (p for p in of.predicates or () if of[p.index].text == word)
    return {argument.label: of.phrase(argument.tokens) for argument in predicate.arguments}


def test_constructions(parser: EmbeddedTrees) -> None:
    texts = [
        "The vase broke.",
        "Maria told Tom to leave the room.",
        "Tom promised to leave.",
        "The letters were sent by the mayor.",
        "The painting that Maria sold amused the judge.",
        "They made a decision yesterday.",
    ]
    vase, told, promised, sent, sold, made = parser.trees(texts)
    (broke,) = vase.predicates or ()
    assert [(a.label, a.role, a.head) for a in broke.arguments] == [("ARG1", Role.PATIENT, 1)]
    assert roles(told, "leave")["ARG0"] == "Tom"
    assert roles(promised, "leave")["ARG0"] == "Tom"
    assert roles(sent, "sent") == {"ARG1": "The letters", "ARG0": "by the mayor"}
    assert roles(sold, "sold") == {"ARG1": "The painting", "R-ARG1": "that", "ARG0": "Maria"}
    assert roles(sold, "amused") == {"ARG0": "The painting that Maria sold", "ARG1": "the judge"}
    assert roles(made, "decision")["ARG0"] == "They"


def check(of: DependencyTree, predicates: tuple[Predicate, ...]) -> None:
    """What holds of everything that is labelled."""
    assert [p.index for p in predicates] == sorted({p.index for p in predicates})
    for predicate in predicates:
        assert 0 <= predicate.score <= 1
        core = [a.label for a in predicate.arguments if a.label in CORE]
        assert len(core) == len(set(core))
        words = [t for a in predicate.arguments for t in a.tokens]
        assert len(words) == len(set(words))
        assert predicate.index not in words
        assert all(a.head in a.tokens and 0 <= a.score <= 1 for a in predicate.arguments)
        assert [a.head for a in predicate.arguments] == sorted(a.head for a in predicate.arguments)


TEXTS = [*ODD, "Go", "Stop!", "Anna gave Bob a book.", "Give me that, and leave!"]


def test_the_same_whatever_the_batch(parser: EmbeddedTrees) -> None:
    together = parser.trees(TEXTS)
    for of in together:
        check(of, of.predicates or ())
    assert [parser.trees([text])[0] for text in TEXTS] == together
    threads = EmbeddedEncoder(threads=3)
    assert EmbeddedTrees(threads, SemanticRoles(threads)).trees(TEXTS[::-1]) == together[::-1]
    plain = [replace(of, predicates=None) for of in together]
    assert EmbeddedTrees(parser.encoder).trees(TEXTS) == plain
    found = SemanticRoles(parser.encoder).label(plain, parser.encoder.analyse(TEXTS))
    assert found == [of.predicates for of in together]


@settings(max_examples=10)
@given(st.lists(any_tree(), min_size=1, max_size=4))
def test_any_trees(parser: EmbeddedTrees, trees: list[DependencyTree]) -> None:
    labeller = SemanticRoles(parser.encoder)
    encoded = parser.encoder.analyse([of.text for of in trees])
    every = labeller.label(trees, encoded, [range(len(of)) for of in trees])
    for of, predicates in zip(trees, every, strict=True):
        assert len(predicates) == len(of)
        check(of, predicates)
    assert labeller.label(trees, encoded, [[]] * len(trees)) == [()] * len(trees)


@pytest.mark.slow
def test_propbank(parser: EmbeddedTrees, shared_data: Path) -> None:
    folder = shared_data / "propbank-ewt"
    gold = list(read_propbank(folder / "test.jsonl", shared_data / "ud-ewt/test.conllu"))[::5]
    texts = [of.text for of in gold]
    encoded = parser.encoder.analyse(texts)
    plain = EmbeddedTrees(parser.encoder)
    words = [[(token.start, token.end) for token in of] for of in gold]
    trees = plain.trees_of(texts, encoded, words)
    labeller = SemanticRoles(parser.encoder)
    indices = [[p.index for p in of.predicates or ()] for of in gold]
    given = compare(gold, labeller.label(trees, encoded, indices))
    own = compare(gold, labeller.label(trees, encoded))
    found = {name: given.overall[name].f1 or 0 for name in ("heads", "roles", "rolesets")}
    found["predicates"] = own.overall["predicates"].f1 or 0
    floors = {"heads": 0.76, "roles": 0.80, "rolesets": 0.85, "predicates": 0.93}
    assert {name: value for name, value in found.items() if value < floors[name]} == {}
