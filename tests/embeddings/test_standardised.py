"""Standardised vectors: mean 0 and deviation 1 over a data set, flat features left alone, saved
without pickle.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hybridsem import Pipeline, registry
from hybridsem.embeddings.standardised import Standardised
from hybridsem.errors import FormatError, InputError
from hybridsem.registry import FittedEncoder

TEXTS = ["one", "three", "eleven"]


class Lengths:
    """(length, 7, 1e-9 · length): the second feature is flat, the third is so but for noise."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def encode(self, sentences: Sequence[str]) -> Any:
        self.read += sentences
        return np.array([[len(text), 7, 1e-9 * len(text)] for text in sentences]).reshape(-1, 3)


def test_mean_and_deviation_by_hand() -> None:
    encoder = Standardised(Lengths())
    assert not encoder.fitted
    with pytest.raises(InputError, match=r"is not fitted; call fit\(sentences\)"):
        encoder.encode(["one"])
    rows = encoder.fit([*TEXTS, "one"]).encode(TEXTS)  # 3, 5, 6: mean 14/3, a sentence counts once
    assert encoder.fitted
    assert encoder.encoder.read[:3] == TEXTS
    deviation = np.std([3, 5, 6])
    np.testing.assert_allclose(rows[:, 0], (np.array([3, 5, 6]) - 14 / 3) / deviation, rtol=1e-6)
    np.testing.assert_allclose(rows[:, 1], 0)
    np.testing.assert_allclose(rows[:, 2], 0, atol=1e-8)
    assert rows.dtype == np.float32
    assert encoder.encode([]).shape == (0, 3)


def test_saved_and_loaded(tmp_path: Path) -> None:
    fitted = Standardised(Lengths()).fit(TEXTS)
    fitted.save(tmp_path / "fitted.npz")
    loaded = Standardised(Lengths()).load(tmp_path / "fitted.npz")
    np.testing.assert_array_equal(loaded.encode(TEXTS), fitted.encode(TEXTS))
    assert [path.name for path in tmp_path.iterdir()] == ["fitted.npz"]


@pytest.mark.parametrize(
    "content",
    [
        None,
        "pickled",
        {"mean": [1.0], "scale": [0.0]},
        {"mean": [1.0, 2.0], "scale": [1.0]},
        {"mean": [float("nan")], "scale": [1.0]},
    ],
)
def test_files_that_are_something_else(content: Any, tmp_path: Path) -> None:
    path = tmp_path / "fitted.npz"
    if isinstance(content, dict):
        np.savez(path, **{name: np.array(values) for name, values in content.items()})
    elif content == "pickled":
        np.savez(path, mean=np.array([{"a": 1}], object), scale=np.ones(1), allow_pickle=True)
    with pytest.raises(FormatError, match=r"fitted\.npz: "):
        Standardised(Lengths()).load(path)


def test_in_a_pipeline(tmp_path: Path) -> None:
    nlp = Pipeline("standardised:embedded")
    assert isinstance(nlp.encoder, FittedEncoder)
    assert not nlp.encoder.fitted
    assert not isinstance(registry.encoder("embedded"), FittedEncoder)
    texts = ["A dog slept.", "A cat sang.", "It rained in the park."]
    nlp.encoder.fit(texts)
    assert nlp.similarity(texts[0], texts[0]) == 1
    assert nlp.similarity(texts[0], texts[1]) < Pipeline("embedded").similarity(texts[0], texts[1])
    nlp.encoder.save(tmp_path / "a, b.npz")
    again = Pipeline(f"standardised:embedded,fitted={tmp_path / 'a, b.npz'}")
    assert again.similarity(texts[0], texts[1]) == nlp.similarity(texts[0], texts[1])
    assert nlp.truncated(["word " * 300, "A dog."]) == [True, False]
    assert nlp.foreign(["Ich weiß nicht, warum er das sagt.", "A dog."]) == [True, False]
