"""InferSent over state dictionaries as they are published, only smaller; and the encoders that
other libraries run.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline
from hybridsem._typing import Float32Array
from hybridsem.embeddings.infersent import InferSent
from hybridsem.errors import AssetError, InputError

torch = pytest.importorskip("torch")
pytest.importorskip("nltk")

TEXT = "<s> </s> <p> </p> A dog slept did n't don 't do cat . n"
WORDS = TEXT.split()


class Words:
    """A vector of six for each of ``WORDS``."""

    def __init__(self) -> None:
        rng = np.random.default_rng(0)
        self.table = {word: rng.normal(size=6).astype(np.float32) for word in WORDS}

    def embed(self, words: Sequence[str]) -> Float32Array:
        return np.array([self.table.get(word, np.zeros(6, np.float32)) for word in words])


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As published: a pickle of the old kind, of the LSTM's tensors under the name enc_lstm."""
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(6, 4, bidirectional=True)
    path = tmp_path_factory.mktemp("infersent") / "infersent1.pkl"
    named = {f"enc_lstm.{name}": values for name, values in lstm.state_dict().items()}
    torch.save(named, path, _use_new_zipfile_serialization=False)
    return path


def by_hand(weights: Path, words: list[str]) -> Any:
    """The cell's equations, forwards and backwards, then the maximum of each feature over the
    words.
    """
    named = {
        name: values.numpy() for name, values in torch.load(weights, weights_only=True).items()
    }
    rows = Words().embed(words)

    def sigmoid(x: Any) -> Any:
        return 1 / (1 + np.exp(-x))

    def run(inputs: Any, side: str) -> Any:
        w, u, b, c = (
            named[f"enc_lstm.{part}_l0{side}"]
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        hidden, cell, states = np.zeros(4), np.zeros(4), []
        for row in inputs:
            i, f, g, o = np.split(w @ row + b + u @ hidden + c, 4)
            cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
            hidden = sigmoid(o) * np.tanh(cell)
            states.append(hidden)
        return np.array(states)

    return np.concatenate([run(rows, ""), run(rows[::-1], "_reverse")[::-1]], axis=1).max(0)


def test_both_versions_by_hand(weights: Path) -> None:
    text = "A dog didn't sleep."  # `sleep` has no vector
    first = InferSent(weights, Words(), version=1)
    assert first.dimension == 8
    np.testing.assert_allclose(
        first.encode([text])[0],
        by_hand(weights, ["<s>", "A", "dog", "did", "n't", ".", "</s>"]),
        atol=1e-6,
    )
    second = InferSent(weights, Words(), version=2)
    np.testing.assert_allclose(
        second.encode(["A dog don't ."])[0],
        by_hand(weights, ["<p>", "A", "dog", "don", "'t", ".", "</p>"]),
        atol=1e-6,
    )


def test_a_vector_does_not_depend_on_its_batch(weights: Path) -> None:
    texts = ["A dog slept.", "A cat .", "dog", "A dog did n't do . A cat slept . A dog did ."]
    together = InferSent(weights, Words(), 1).encode(texts)
    alone = [InferSent(weights, Words(), 1).encode([text])[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(
        together[::-1], InferSent(weights, Words(), 1).encode(texts[::-1]), atol=1e-6
    )
    assert InferSent(weights, Words()).encode([]).shape == (0, 8)


def test_as_a_model(weights: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = f"infersent:{weights},version=1"
    nlp = Pipeline(name, vectors=Words())
    assert nlp.similarity("A dog slept.", "A dog slept.") == 1
    np.testing.assert_array_equal(
        nlp.encoder.encode(["A dog"]), InferSent(weights, Words(), 1).encode(["A dog"])
    )
    with pytest.raises(
        InputError, match="InferSent reads word vectors of 6 dimensions, got 384; use those"
    ):
        Pipeline(name).similarity("A dog.", "A cat.")
    for version in ("3", "two"):
        with pytest.raises(InputError, match=f"InferSent has versions 1 and 2, got '{version}'"):
            Pipeline(f"infersent:{weights},version={version}")
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path))
    with pytest.raises(AssetError, match="run: hybridsem models download infersent1"):
        Pipeline("infersent1")


class Evil:
    def __reduce__(self) -> Any:
        return (print, ("pwned",))


@pytest.mark.parametrize("content", [None, b"", b"junk", Evil(), {"a": 1}, "whole", "odd"])
def test_files_that_are_no_state_dictionary(
    content: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "infersent.pkl"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "whole":
        torch.save(torch.nn.LSTM(6, 4), path)
    elif content == "odd":
        lstm = torch.nn.LSTM(6, 4, bidirectional=True).state_dict()
        torch.save({f"enc_lstm.{name}": values[:3] for name, values in lstm.items()}, path)
    elif isinstance(content, Evil):
        path.write_bytes(pickle.dumps(content))
    elif content is not None:
        torch.save(content, path)
    with pytest.raises(AssetError, match=r"infersent\.pkl"):
        InferSent(path, Words()).encode(["A dog"])
    assert "pwned" not in capsys.readouterr().out
