"""The recipe of the pair reader: exchange of sentences, what ships, edits."""

import json
import pickle
import random
import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from support.commands import python

from hybridsem._utils.onnx import session
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.pair_reader import EmbeddedPairReader
from models.encoder.build import float_weights, save
from models.fit import load
from models.pair_reader import data, export, train
from models.pair_reader.edits import Edits
from models.pair_reader.model import Reader
from models.pair_reader.teacher import Teacher, digests, taught
from models.plain_english.build import part_of
from models.plain_english.groups import read_groups

PAIRS = [
    ("A man sings.", "The old man sang a long song."),
    ("We left early.", "Nobody knew why the shop was closed."),
    ("Prices rose.", "Prices fell."),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    torch.manual_seed(0)
    return Reader(float_weights())


def test_a_pair_is_read_as_one_text() -> None:
    ids, first, second = train.batch_of(EmbeddedEncoder(), PAIRS[:1])
    assert ids.tolist() == [[101, 1037, 2158, 10955, 1012, 102, *ids[0, 6:-1].tolist(), 102]]
    assert 101 not in ids[0, 6:]
    assert first[0].tolist() == [1.0] * 6 + [0.0] * (ids.shape[1] - 6)
    assert (first + second == 1).all()


def test_a_row_turned_says_the_same_of_the_other_direction() -> None:
    row = data.Row("a", "b", data.ENTAILMENT, data.NEUTRAL, 0.7, 0.0, "mnli", 2.0)
    assert row.turned().turned() == row
    assert row.turned() == data.Row("b", "a", data.NEUTRAL, data.ENTAILMENT, 0.7, 0.0, "mnli", 2.0)


def test_the_graph_gives_what_the_model_does(reader: Reader, tmp_path: Path) -> None:
    encoder, out = EmbeddedEncoder(), tmp_path / "pair_reader.onnx"
    graph = export.build(*export.published(reader), export.tops_of(reader, PAIRS))
    export.refer(graph, export.ENCODER)
    save(graph, out)
    assert out.with_suffix(".weights").stat().st_size < 12e6, "word vectors are the encoder's"
    shutil.copy(export.ENCODER.with_suffix(".weights"), tmp_path)
    embedded = EmbeddedPairReader(encoder)
    embedded.__dict__["_session"] = session(out)
    for pair, row in zip(PAIRS, train.read_pairs(reader, encoder, PAIRS), strict=True):
        np.testing.assert_allclose(embedded._read([pair])[0], row, atol=0.03)


def test_known_labels_are_learned(reader: Reader) -> None:
    rows = [data.Row(*PAIRS[0], 1, 2, 0.7), data.Row(*PAIRS[2], 4, 4, 0.3, 0.0)]
    encoder, optimiser = EmbeddedEncoder(), torch.optim.AdamW(reader.parameters(), lr=1e-3)
    losses = []
    for _ in range(12):
        batch = train.batch_of(encoder, [(row.first, row.second) for row in rows])
        loss = train.loss_of(reader(*batch), rows)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2


def test_the_teacher_is_the_published_model_with_heads(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    sizes = {"hidden_size": 24, "intermediate_size": 32, "num_attention_heads": 4}
    torch.manual_seed(0)
    config = transformers.MPNetConfig(num_hidden_layers=2, layer_norm_eps=1e-5, **sizes)
    published = transformers.MPNetModel(config, add_pooling_layer=False).eval()
    published.save_pretrained(tmp_path)
    teacher = Teacher(tmp_path).eval()
    ids, first, second = train.batch_of(EmbeddedEncoder(), PAIRS)
    pieces = torch.where(
        ids == 0, 1, torch.where(ids == 101, 0, torch.where(ids == 102, 2, ids + 4))
    )
    with torch.no_grad():
        found = teacher.states(ids, first, second)
        expected = published(pieces, first + second).last_hidden_state
    read = (first + second).bool()
    np.testing.assert_allclose(found[read].numpy(), expected[read].numpy(), atol=1e-4)


def test_what_the_teacher_reads_is_kept_and_followed(reader: Reader, tmp_path: Path) -> None:
    file = tmp_path / "taught.npz"
    chances = np.array([[0.1, 0.2, 0.7, 0.6, 0.3, 0.1, 0.9, 0.2]], np.float16)
    np.savez_compressed(file, pairs=digests(PAIRS[:1]), read=chances)
    read = taught(file, PAIRS)
    np.testing.assert_allclose(read[0], chances[0])
    assert np.isnan(read[1:]).all()
    rows = [data.Row(*pair) for pair in PAIRS]
    assert not any(row.says for row in rows)
    goal = torch.from_numpy(read).nan_to_num(0.5)
    relations, graded = goal.log(), goal[:, 6:].logit()
    followed = relations[:, :3], relations[:, 3:6], graded
    least = train.loss_of(followed, rows, torch.from_numpy(read))
    for k, part in enumerate(followed):
        moved = [*followed]
        moved[k] = part + torch.tensor([0.0] * (part.shape[1] - 1) + [0.3])
        assert train.loss_of(tuple(moved), rows, torch.from_numpy(read)) > least + 1e-3
    unknown = tuple(part[1:] for part in followed)
    assert train.loss_of(unknown, rows[1:], torch.from_numpy(read[1:])).abs() < 1e-5


def test_what_was_written_for_one_sentence_is_crossed(tmp_path: Path) -> None:
    (tmp_path / "everyday").mkdir()
    head = "genre\tsentence1\tsentence2\tlabel\n"
    (tmp_path / "everyday/mnli-train.tsv").write_text(head + "x\ta\tb\tneutral\n", "utf-8")
    rest = "x\ta\tc\tentailment\nx\td\te\tneutral\n"
    (tmp_path / "everyday/lingnli-train.tsv").write_text(head + rest, "utf-8")
    (row,) = data._crossed(tmp_path, {})
    assert (row.first, row.second, row.says) == ("b", "c", False)


@pytest.mark.slow
def test_two_processes_learn_one_model(tmp_path: Path) -> None:
    rows = [
        data.Row(one, two, 1, 2, 0.5, source="sick", held=n == 2)
        for n, (one, two) in enumerate(PAIRS)
    ]
    (tmp_path / "rows.pickle").write_bytes(pickle.dumps(rows))
    given = f"--data {tmp_path} --work {tmp_path} --minutes 0.05 --processes 2"
    python("-m", "models.pair_reader.train", *given.split())
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert lines[-1]["pairs"] > 0
    reader = Reader(float_weights())
    load(reader, tmp_path / "reader.npz")
    start = float_weights()["encoder.layer.0.intermediate.dense.bias"]
    assert not np.allclose(reader.state_dict()["layers.0.up.bias"].numpy(), start, atol=1e-6)


def test_edits_change_one_thing(tmp_path: Path) -> None:
    folder = tmp_path / "opposites"
    folder.mkdir()
    table = "word1\tword2\tpos\topposite\tsplit\nopen\tclosed\ta\t1\ttrain\n"
    (folder / "antonyms-synonyms.tsv").write_text(table, "utf-8")
    text = "On Monday the shop of Ann and Bob will open for 25 minutes."
    found = dict(Edits(tmp_path).of(text, random.Random(0)))
    assert {"days", "scales", "digits", "opposite", "names", "modality"} <= {*found}
    assert "closed" in found["opposite"][0]
    assert "Bob and Ann" in found["names"][0]
    for changed, label, similarity in found.values():
        assert changed != text
        assert label in data.LABELS
        assert 0 < similarity < 1


def test_a_contraction_and_a_phrase_mean_the_same(tmp_path: Path) -> None:
    (tmp_path / "opposites").mkdir()
    (tmp_path / "opposites/antonyms-synonyms.tsv").write_text("word1\tword2\topposite\n", "utf-8")
    edits = Edits(tmp_path)
    found = dict(edits.of("They were not late in spite of the snow.", random.Random(0)))
    assert found["contracted"] == ("They weren't late in spite of the snow.", "same", 1.0)
    text, label, _ = found["phrase"]
    assert label == "same"
    assert text.startswith("They were not late ")
    assert "in spite of" not in text


def test_groups_for_learning_are_not_in_the_parts_that_are_measured() -> None:
    groups = read_groups("dev", "test", "learn", "judge")
    parts = "check", "test", "choose", "learn", "judge"
    texts: dict[str, set[str]] = {part: set() for part in parts}
    for group in groups:
        letters = [*combinations([letter for letter in "ABCD" if letter in group.texts], 2)]
        assert all(one + two in group.relations for one, two in letters), group.name
        texts[part_of(group)] |= {text for some in group.texts.values() for text in some}
    read = {
        text for row in data._plain(Path(), {"of_group": 3}) for text in (row.first, row.second)
    }
    assert read < texts["learn"] | texts["choose"]
    assert not read & (texts["check"] | texts["test"] | texts["judge"])
