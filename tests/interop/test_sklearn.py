"""``SentenceVectors`` where scikit-learn's own transformers go: pandas, joblib, clones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hybridsem.embeddings.embedded import EmbeddedEncoder

pytest.importorskip("sklearn")
TEXTS = ["A dog sleeps.", "The cat sang in the old park.", "It rains."]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_come_out(library: str) -> None:
    pytest.importorskip(library)
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from hybridsem.interop.sklearn import SentenceVectors

    model = make_pipeline(SentenceVectors(), StandardScaler()).set_output(transform=library)
    found = model.fit_transform(TEXTS)
    assert type(found).__module__.startswith(library)
    assert found.shape == (3, 384)
    assert list(found.columns[:2]) == ["embedded0", "embedded1"]
    assert list(model.get_feature_names_out()) == list(found.columns)


@pytest.mark.parametrize("name", ["embedded", "standardised:embedded"])
def test_what_was_fitted_is_dumped(name: str, tmp_path: Path) -> None:
    import joblib
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline

    from hybridsem.interop.sklearn import SentenceVectors

    model = make_pipeline(SentenceVectors(name), Ridge()).fit(TEXTS, [1, 2, 3])
    expected = model.predict(TEXTS)
    joblib.dump(model, tmp_path / "model.joblib")
    assert (tmp_path / "model.joblib").stat().st_size < 50_000
    np.testing.assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(TEXTS), expected)


def test_clones_are_not_fitted(encoder: EmbeddedEncoder) -> None:
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError

    from hybridsem.interop.sklearn import SentenceVectors

    fitted = SentenceVectors().fit(TEXTS)
    other = clone(fitted)
    assert other.get_params() == fitted.get_params()
    for call in (lambda: other.transform(TEXTS), other.get_feature_names_out):
        with pytest.raises(NotFittedError):
            call()
    np.testing.assert_allclose(fitted.transform(TEXTS), encoder.encode(TEXTS), atol=1e-6)
