"""SAGE's data sets by name: what is known of them, and local copies in the hub's own layouts."""

import json
from pathlib import Path

import pytest
from support.evaluated import written

from hybridsem.datasets.settings import Settings
from hybridsem.errors import AssetError, InputError
from hybridsem.evaluation import evaluate
from hybridsem.evaluation.sage.datasets import known_sets, read_collection, resolve
from hybridsem.evaluation.sage.parts import load_documents, load_sets

pytest.importorskip("datasets")

CARD = """---
configs:
- config_name: default
  data_files:
  - split: train
    path: qrels/train.jsonl
  - split: test
    path: qrels/test.jsonl
- config_name: corpus
  data_files:
  - split: corpus
    path: corpus.jsonl
- config_name: queries
  data_files:
  - split: queries
    path: queries.jsonl
---
"""


@pytest.fixture(autouse=True)
def hub(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of copies, and a cache of the test's own."""
    monkeypatch.setenv("HYBRIDSEM_HUB", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_what_is_known() -> None:
    known = known_sets()
    assert len(known) > 30
    for one in known.values():
        assert one.layout in ("beir", "rows")
        assert len(one.revision) in (0, 40)


def test_a_collection_from_a_copy(hub: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = hub / "mteb" / "scifact"
    written(
        copy / "corpus.jsonl",
        {"_id": "7", "title": "Cats", "text": "A cat sleeps."},
        {"_id": "8", "text": "Rain."},
    )
    written(
        copy / "queries.jsonl", {"_id": "1", "text": "cat"}, {"_id": "2", "text": "never tested"}
    )
    written(copy / "qrels" / "train.jsonl", {"query-id": "2", "corpus-id": "8", "score": 1})
    written(copy / "qrels" / "test.jsonl", {"query-id": "1", "corpus-id": "7", "score": 1})
    (copy / "README.md").write_text(CARD, encoding="utf-8")
    folder = resolve(Path("hub:scifact"))
    found = read_collection(folder)
    assert "Generating" not in capsys.readouterr().err, "bars are for terminals"
    assert (folder.name, found.ids, found.relevant) == ("scifact", ("1",), ({0: 1.0},))
    assert [text for block in found.corpus.blocks(9) for text in block] == [
        "Cats A cat sleeps.",
        "Rain.",
    ]
    card = evaluate("sage-retrieval", "bm25", "hub:scifact", resamples=0)
    assert (card.data["source"], card.counts["rows"]) == ("scifact", 1)
    written(copy / "corpus.jsonl", {"_id": "7", "title": "Cats", "text": "Another text."})
    assert resolve(Path("hub:scifact")) != folder, "a copy that has changed is read anew"


def test_tables_of_parquet_and_of_lists(hub: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    bills = hub / "FiscalNote" / "billsum" / "data"
    bills.mkdir(parents=True)
    table = pyarrow.table({"text": ["An act. It ends."], "summary": ["An act."], "title": ["Act"]})
    for split in ("train", "test"):
        parquet.write_table(table, bills / f"{split}-00000-of-00001.parquet")
    found = load_documents(Path("hub:billsum"), Settings())
    assert found.sets["billsum"].texts == ("An act. It ends.",)

    written(
        hub / "mteb/twentynewsgroups-clustering" / "test.jsonl",
        {"sentences": ["a", "b"], "labels": [0, 1]},
    )
    [row] = (
        resolve(Path("hub:twentynewsgroups-clustering")).read_text(encoding="utf-8").splitlines()
    )
    assert json.loads(row) == {"sentences": ["a", "b"], "labels": [0, 1]}


def test_what_cannot_be_had(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InputError, match="unknown data set of SAGE, got 'scifacts'; known: .*scifact"
    ):
        resolve(Path("hub:scifacts"))
    with pytest.raises(
        AssetError, match="'nfcorpus' cannot be read.*no such folder.*copy of mteb/nfcorpus"
    ):
        resolve(Path("hub:nfcorpus"))
    for name in ("corpus", "queries"):
        written(hub / "mteb/fiqa" / f"{name}.jsonl", {"_id": "1", "body": "no text"})
    written(
        hub / "mteb/fiqa" / "qrels" / "test.jsonl", {"query-id": "1", "corpus-id": "1", "score": 1}
    )
    (hub / "mteb/fiqa" / "README.md").write_text(
        CARD.replace("qrels/train", "qrels/test"), encoding="utf-8"
    )
    with pytest.raises(AssetError, match="'fiqa' has no column 'text'; it has '_id', 'body'"):
        resolve(Path("hub:fiqa"))
    monkeypatch.delenv("HYBRIDSEM_HUB")
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "1")
    with pytest.raises(AssetError, match="the network is off"):
        load_sets(Path("hub:nfcorpus"), lambda file: pytest.fail(f"read {file}"))
    assert resolve(Path("mine.jsonl")) == Path("mine.jsonl")
