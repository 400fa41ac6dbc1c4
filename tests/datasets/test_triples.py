"""SugarCrepe++ and files of minimal pairs; the package's own minimal pairs."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from support.evaluated import share

from hybridsem.datasets.plain_english import plain_pairs, plain_triples
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.triples import (
    DEVELOPMENT,
    HELD_OUT,
    KINDS,
    Triples,
    minimal_pairs,
    packaged_minimal_pairs,
    sugarcrepe_pp,
)
from hybridsem.errors import FormatError, HybridSemError, InputError


def test_sugarcrepe_as_published_and_as_tables(tmp_path: Path) -> None:
    rows = [{"caption": "a", "caption2": "b", "negative_caption": "c", "filename": "1.jpg"}]
    for kind in KINDS[:-1]:
        (tmp_path / f"{kind}.json").write_text(json.dumps(rows))
    last = tmp_path / f"{KINDS[-1]}.tsv"
    last.write_text("caption\tcaption2\tnegative\nx\ty\tz\n")
    data = sugarcrepe_pp(tmp_path, Settings())
    assert [item.kind for item in data.items] == list(KINDS)
    assert data.items[0][1:] == ("a", "b", "c")
    assert data.items[-1][1:] == ("x", "y", "z")
    assert sugarcrepe_pp(last, Settings()).rows == 1
    (tmp_path / "swap_obj.json").write_text(json.dumps({"0": rows[0], "1": rows[0]}))
    assert sugarcrepe_pp(tmp_path / "swap_obj.json", Settings()).rows == 2


def test_files_of_sugarcrepe_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a folder with swap_obj\.json"):
        sugarcrepe_pp(tmp_path, Settings())
    other = tmp_path / "mine.json"
    other.write_text("[]")
    with pytest.raises(InputError, match="named after its kind"):
        sugarcrepe_pp(other, Settings())
    file = tmp_path / "swap_att.json"
    broken = ("[3]", "3", '[{"caption": "a", "caption2": "b"}]', '[{"caption": 3}]', "[", "[]")
    for content in broken:
        file.write_text(content)
        with pytest.raises(FormatError):
            sugarcrepe_pp(file, Settings())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("phenomenon\tsentence\nx\ta\n", "no column 'paraphrase'"),
        ("sentence\tparaphrase\talteration\na\tb\tc\n", "no column 'phenomenon'"),
        ("phenomenon\tsentence\tparaphrase\talteration\nx\ta\t\tc\n", "column 'paraphrase'"),
        ("phenomenon\tsentence\tparaphrase\talteration\n", "no rows"),
    ],
)
def test_minimal_pairs_that_cannot_be_used(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "in.tsv").write_text(content)
    with pytest.raises(HybridSemError, match=message):
        minimal_pairs(tmp_path / "in.tsv", Settings())


# --- the package's own


@pytest.fixture(scope="module")
def own() -> Triples:
    return minimal_pairs(packaged_minimal_pairs(), Settings())


def test_there_are_enough_items_of_every_phenomenon(own: Triples) -> None:
    counts = Counter(item.kind for item in own.items)
    assert own.rows >= 600
    assert len(counts) >= 30
    assert min(counts.values()) >= 20
    options = [{"part": part} for part in (DEVELOPMENT, HELD_OUT)]
    parts = [minimal_pairs(packaged_minimal_pairs(), Settings(options=one)) for one in options]
    assert sum(part.rows for part in parts) == own.rows
    for part in parts:
        assert min(Counter(item.kind for item in part.items).values()) >= 10


def test_no_sentence_stands_twice_and_none_is_its_own_paraphrase(own: Triples) -> None:
    assert all(len({*item[1:]}) == 3 for item in own.items)
    sentences = [item.sentence for item in own.items]
    assert len(set(sentences)) == len(sentences)


WORD = re.compile(r"[\w'’-]+")


def words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


CUES = {
    "words in common": lambda s, t: share(" ".join(words(s)), " ".join(words(t))),
    "length": lambda s, t: float(len(words(t))),
}


@pytest.mark.parametrize("cue", CUES)
def test_neither_overlap_nor_length_tells_the_answer(own: Triples, cue: str) -> None:
    """The cue is worthless over all items, and weak within each phenomenon."""
    pairs = [[(item.sentence, text) for text in item[2:]] for item in own.items]
    values = np.array([[CUES[cue](*pair) for pair in two] for two in pairs])
    labels = np.repeat([[True, False]], len(values), axis=0)
    assert roc_auc_score(labels.ravel(), values.ravel()) == pytest.approx(0.5, abs=0.05)
    above = (values[:, 0] > values[:, 1]) + 0.5 * (values[:, 0] == values[:, 1])
    assert above.mean() == pytest.approx(0.5, abs=0.05)
    kinds = np.array([item.kind for item in own.items])
    for kind in np.unique(kinds):
        assert above[kinds == kind].mean() == pytest.approx(0.5, abs=0.22), kind


def test_labels_of_plain_english_triples_are_those_of_its_pairs() -> None:
    labels = {(pair.sentence1, pair.sentence2): pair.label for pair in plain_pairs()}
    triples = [(one.sentence, one.alteration, one.label) for one in plain_triples()]
    found = [(labels[one, two], label) for one, two, label in triples if (one, two) in labels]
    assert len(found) > 200
    assert all(label == known for known, label in found)
