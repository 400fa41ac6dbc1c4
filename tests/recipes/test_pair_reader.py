"""The recipe of the pair reader: exchange of sentences, what ships, edits."""

import random
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

from hybridsem._utils.onnx import session  # noqa: E402
from hybridsem.embeddings.embedded import EmbeddedEncoder  # noqa: E402
from models.pair_reader import data, export, train  # noqa: E402
from models.pair_reader.edits import Edits  # noqa: E402
from models.pair_reader.model import Reader  # noqa: E402
from models.plain_english.build import part_of  # noqa: E402
from models.plain_english.groups import read_groups  # noqa: E402

PAIRS = [
    ("A man sings.", "The old man sang a long song."),
    ("We left early.", "Nobody knew why the shop was closed."),
    ("Prices rose.", "Prices fell."),
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    torch.manual_seed(0)
    made = Reader()
    for layer in made.layers:
        torch.nn.init.normal_(layer.other)
    return made


def test_exchange_is_exact(reader: Reader) -> None:
    encoder = EmbeddedEncoder()
    one = train.read_pairs(reader, encoder, PAIRS)
    two = train.read_pairs(reader, encoder, [(b, a) for a, b in PAIRS])
    np.testing.assert_allclose(one, two[:, [3, 4, 5, 0, 1, 2, 6, 7]], atol=1e-6)


def test_the_graph_gives_what_the_model_does(reader: Reader) -> None:
    encoder = EmbeddedEncoder()
    graph = export.build(*export.published(reader), export.tops_of(reader, PAIRS))
    run = session(graph.SerializeToString())
    for pair, row in zip(PAIRS, train.read_pairs(reader, encoder, PAIRS), strict=True):
        first, second = encoder.shared_states(pair)
        size, length = len(first), len(first) + len(second)
        means = np.zeros((1, 2, length), np.float32)
        means[0, 0, :size], means[0, 1, size:] = 1 / size, 1 / len(second)
        side = (np.arange(length) >= size).astype(np.float32)[None]
        states = np.concatenate([first, second])[None]
        relation, *_ = run.run(["relation"], {"states": states, "second": side, "shares": means})
        np.testing.assert_allclose(relation[0], row[:6], atol=0.03)


def test_known_labels_are_learned(reader: Reader) -> None:
    rows = [data.Row(*PAIRS[0], 1, 2, 0.7), data.Row(*PAIRS[2], 4, 4, 0.3, 0.0)]
    encoder, optimiser = EmbeddedEncoder(), torch.optim.AdamW(reader.parameters(), lr=1e-3)
    losses = []
    for _ in range(12):
        read = reader(*train.batch_of(encoder, [(row.first, row.second) for row in rows]))
        loss = train.loss_of(read, rows)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] / 2


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
    groups = read_groups("dev", "test", "learn")
    texts: dict[str, set[str]] = {"check": set(), "test": set(), "choose": set(), "learn": set()}
    for group in groups:
        letters = [*combinations([letter for letter in "ABCD" if letter in group.texts], 2)]
        assert all(one + two in group.relations for one, two in letters), group.name
        texts[part_of(group)] |= {text for some in group.texts.values() for text in some}
    learned = texts["learn"] | texts["choose"]
    assert not learned & (texts["check"] | texts["test"])
    rows = [*data._plain(Path(), {"of_group": 3})]
    assert {row.first for row in rows} < learned
