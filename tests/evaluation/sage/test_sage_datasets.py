"""SAGE's data sets by name: what is known of them, and local copies in the hub's own layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hybridsem.datasets.settings import Settings
from hybridsem.errors import AssetError, InputError
from hybridsem.evaluation import evaluate
from hybridsem.evaluation.sage import preference
from hybridsem.evaluation.sage.beir import read_collection
from hybridsem.evaluation.sage.datasets import known_sets, resolve
from hybridsem.evaluation.sage.documents import load_documents
from hybridsem.evaluation.sage.judgements import AXES, PreferenceJudgement, Rating
from hybridsem.evaluation.sage.sets import load_sets

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
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of copies, and a cache of the test's own."""
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HYBRIDSEM_HUB", str(tmp_path / "hub"))
    return tmp_path / "hub"


def lines(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def test_documents_of_the_papers_by_name(hub: Path) -> None:
    """Each in its hub's own columns: an article with its abstract, a review, an argument."""
    lines(hub / "ccdv/pubmed-summarization/test.jsonl", {"article": "A long one.", "abstract": "A"})
    (hub / "ccdv/pubmed-summarization/README.md").write_text(
        "---\nconfigs:\n- config_name: document\n  data_files:\n  - split: test\n"
        "    path: test.jsonl\n---\n",
        encoding="utf-8",
    )
    lines(
        hub / "fancyzhx/amazon_polarity/test.jsonl",
        {"label": 1, "title": "Good", "content": "I like it."},
    )
    (hub / "mteb/arguana").mkdir(parents=True)
    (hub / "mteb/arguana/README.md").write_text(CARD, encoding="utf-8")
    lines(hub / "mteb/arguana/corpus.jsonl", {"_id": "a", "title": "", "text": "It is so."})
    lines(hub / "mteb/arguana/queries.jsonl", {"_id": "q", "text": "Is it?"})
    for split in ("train", "test"):
        lines(
            hub / f"mteb/arguana/qrels/{split}.jsonl",
            {"query-id": "q", "corpus-id": "a", "score": 1},
        )
    found = {
        name: load_documents(Path(f"hub:{name}"), Settings()).sets[name]
        for name in ("scientific-papers", "amazon-polarity", "arguana-arguments")
    }
    assert [one.texts for one in found.values()] == [
        ("A long one.",),
        ("I like it.",),
        ("It is so.",),
    ]
    assert found["scientific-papers"].summaries == ("A",)


def test_what_is_known() -> None:
    known = known_sets()
    assert len(known) > 30
    for one in known.values():
        assert one.part in ("preference", "documents", "clustering", "retrieval")
        assert one.layout in ("beir", "rows")
        assert one.hub.count("/") == 1
        assert len(one.revision) in (0, 40)
    assert {known[name].hub for name in ("scifact", "billsum")} == {
        "mteb/scifact",
        "FiscalNote/billsum",
    }


def test_a_collection_from_a_copy(hub: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = hub / "mteb" / "scifact"
    lines(
        copy / "corpus.jsonl",
        {"_id": "7", "title": "Cats", "text": "A cat sleeps."},
        {"_id": "8", "text": "Rain."},
    )
    lines(copy / "queries.jsonl", {"_id": "1", "text": "cat"}, {"_id": "2", "text": "never tested"})
    lines(copy / "qrels" / "train.jsonl", {"query-id": "2", "corpus-id": "8", "score": 1})
    lines(copy / "qrels" / "test.jsonl", {"query-id": "1", "corpus-id": "7", "score": 1})
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
    lines(copy / "corpus.jsonl", {"_id": "7", "title": "Cats", "text": "Another text."})
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

    lines(
        hub / "mteb/twentynewsgroups-clustering" / "test.jsonl",
        {"sentences": ["a", "b"], "labels": [0, 1]},
    )
    [row] = (
        resolve(Path("hub:twentynewsgroups-clustering")).read_text(encoding="utf-8").splitlines()
    )
    assert json.loads(row) == {"sentences": ["a", "b"], "labels": [0, 1]}


def test_judgements_and_articles_in_the_layouts_of_the_hub(hub: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    post = "The cat sat on the mat all day, and nobody minded."
    info = {"id": "1", "post": post, "article": None}
    feedback, news = hub / "openai/summarize_from_feedback", hub / "abisee/cnn_dailymail"
    for kind, row in {
        "comparisons/validation": {
            "info": info,
            "summaries": [{"text": "A cat."}, {"text": "A dog."}],
            "choice": 1,
        },
        "axis/test": {"info": info, "summary": {"text": "A cat.", "axes": dict.fromkeys(AXES, 5)}},
    }.items():
        (feedback / kind).mkdir(parents=True)
        parquet.write_table(pyarrow.Table.from_pylist([row]), feedback / kind / "0000.parquet")
    settings = Settings(resamples=0)
    [compared] = preference.load(Path("hub:summaries-compared"), settings).sets.values()
    [rated] = preference.load(Path("hub:summaries-rated"), settings).sets.values()
    assert compared.comparisons == (PreferenceJudgement(post, ("A cat.", "A dog."), 1),)
    assert rated.ratings == (Rating(post, "A cat.", dict.fromkeys(AXES, 5.0)),)

    table = pyarrow.table({"article": [post], "highlights": ["A cat."], "id": ["1"]})
    for version in ("1.0.0", "3.0.0"):
        (news / version).mkdir(parents=True)
        parquet.write_table(table, news / version / "test-00000-of-00001.parquet")
    configs = (
        f"- config_name: {v}\n  data_files:\n  - split: test\n    path: {v}/test-*\n"
        for v in ("1.0.0", "3.0.0")
    )
    (news / "README.md").write_text(f"---\nconfigs:\n{''.join(configs)}---\n", encoding="utf-8")
    assert load_documents(Path("hub:cnn-dailymail"), settings).sets["cnn-dailymail"].summaries == (
        "A cat.",
    )


def test_what_cannot_be_had(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InputError, match="unknown data set of SAGE, got 'scifacts'; known: .*scifact"
    ):
        resolve(Path("hub:scifacts"))
    with pytest.raises(
        AssetError, match="'nfcorpus' cannot be read.*no such folder.*copy of mteb/nfcorpus"
    ):
        resolve(Path("hub:nfcorpus"))
    lines(hub / "mteb/nfcorpus" / "train.jsonl", {"text": "nothing of the kind"})
    with pytest.raises(AssetError, match="'nfcorpus' cannot be read"):
        resolve(Path("hub:nfcorpus"))
    for name in ("corpus", "queries"):
        lines(hub / "mteb/fiqa" / f"{name}.jsonl", {"_id": "1", "body": "no text"})
    lines(
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
