"""An index on disk: what is found, what is kept, and what survives kills, full disks and damage."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import python

from hybridsem import Pipeline
from hybridsem._utils.signed_json import signed
from hybridsem._utils.weights import FOLDER, weight_sums
from hybridsem.errors import FormatError, HybridSemError, InputError
from hybridsem.search import building, storage
from hybridsem.search.database import Database
from hybridsem.search.folder import ABOUT, FORMAT, JOURNAL, ROWS, SCHEMA, Folder
from hybridsem.search.index import Index, searcher
from hybridsem.search.vectors import available

TEXTS = [
    "The bank sued the newspaper.",
    "The newspaper was sued by the bank.",
    "The newspaper sued the bank.",
    "The bank did not sue the newspaper.",
    "The dog chased the cat in the garden.",
    "The cat chased the dog in the garden.",
    "Three men bought 20 old cars from a dealer in Paris.",
    "A dealer sold two old cars to a man.",
    "The acquisition of the company by the bank surprised nobody.",
    "It rains.",
    "A woman is reading a book about the history of France to her children.",
    "Nobody reads the newspaper.",
]
QUERY = "The newspaper was sued by the big bank."


@pytest.fixture(scope="module")
def index(nlp: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> Index:
    return Index.build(TEXTS, tmp_path_factory.mktemp("idx") / "idx", nlp)


def ranked(nlp: Pipeline, query: str, texts: list[str], top_k: int) -> list[tuple[str, float]]:
    """The best by scoring everything."""
    scores = nlp.without_pair_reader().score([(query, text) for text in texts], on_error="skip")
    order = np.argsort(-np.nan_to_num(scores, nan=-2), kind="stable")[:top_k]
    return [(texts[at], float(scores[at])) for at in order.tolist()]


def found(index: Index, query: str, top_k: int, **how: Any) -> list[tuple[str, float]]:
    return [(hit.text, hit.score) for hit in index.search(query, top_k, **how)]


def version_of(folder: Path) -> Path:
    """The folder of the version in use."""
    return Folder(folder).current()


def has_journal(folder: Path) -> bool:
    try:
        return bool(Database(version_of(folder) / ROWS).value(JOURNAL))
    except HybridSemError:
        return False


def manifest_of(folder: Path) -> dict[str, Any]:
    """What the manifest of an index says."""
    found: dict[str, Any] = json.loads(Database(version_of(folder) / ROWS).value(ABOUT))
    return found


def change_manifest(folder: Path, **changes: Any) -> None:
    """Write another manifest, with its checksum."""
    database, about = Database(version_of(folder) / ROWS), manifest_of(folder) | changes
    with database.change():
        database.put({ABOUT: json.dumps(about).encode()})


@pytest.mark.parametrize("precision", ["int8", "float16", "float32"])
def test_exact_search_is_scoring_everything(nlp: Pipeline, tmp_path: Path, precision: str) -> None:
    index = Index.build(TEXTS, tmp_path / "idx", nlp, precision=precision)
    for query in (QUERY, TEXTS[4], "A merchant sells cars."):
        assert found(index, query, 4) == ranked(nlp, query, TEXTS, 4)


def test_several_queries_and_explanations(nlp: Pipeline, index: Index) -> None:
    assert index.search([QUERY, TEXTS[9]], 2)[0] == nlp.search(QUERY, index, 2)
    (hit,) = index.search(QUERY, 1, explain=True)
    structure = nlp.without_pair_reader()
    assert hit.explanation.score == hit.score == structure.similarity(QUERY, hit.text)
    assert {hit.score >= 0.8 for hit in index.search(QUERY, 12, least=0.8)} == {True}


def test_it_is_opened_by_itself_and_iterated(index: Index) -> None:
    again = Index.open(index.path)
    assert list(again) == list(enumerate(TEXTS))
    assert len(again) == len(TEXTS)
    assert again.search(TEXTS[0], 1)[0].score == 1.0
    assert again.info["keeps"] == "words"
    assert f"<td>{len(TEXTS)}</td>" in index._repr_html_()


ROLES: list[tuple[dict[str, str], set[int]]] = [
    ({"agent": "bank", "verb": "sue"}, {0, 1}),
    ({"agent": "a bank", "verb": "sued", "theme": "newspaper"}, {0, 1}),
    ({"agent": "newspaper", "verb": "sue"}, {2}),
    ({"agent": "bank", "verb": "acquire"}, {8}),
    ({"agent": "dealer", "verb": "sell"}, {6, 7}),
    ({"agent": "dealer", "verb": "sell", "theme": "cars"}, {6, 7}),
    ({"agent": "cat", "verb": "chase", "location": "garden"}, {5}),
]


@pytest.mark.parametrize(("roles", "expected"), ROLES)
def test_who_did_what(index: Index, roles: dict[str, str], expected: set[int]) -> None:
    hits = index.search(top_k=len(expected) + 1, **roles)
    assert hits == index.search(top_k=len(TEXTS), **roles)[: len(hits)], "bounds lose none"
    assert {hit.id for hit in hits[: len(expected)]} == expected
    assert all(hit.score > 0.9 for hit in hits[: len(expected)])
    assert all(hit.score < 0.9 for hit in hits[len(expected) :])
    for hit in hits:
        full = sum(filling.similarity for filling in hit.slots.values()) / len(roles)
        assert hit.score in (pytest.approx(full), pytest.approx(full / 2))


def test_a_denied_clause_is_not_what_was_asked_for(index: Index) -> None:
    hits = {hit.id: hit.score for hit in index.search(top_k=12, agent="bank", verb="sue")}
    assert hits[3] == pytest.approx(hits[0] / 2)
    hits = {hit.id: hit.score for hit in index.search(TEXTS[3], 12, by="roles")}
    assert hits[3] == 1.0
    assert hits[0] < 0.6
    first, second, *others = index.search("The newspaper is sued by a bank.", 5, by="roles")
    assert {first.id, second.id} == {0, 1}
    assert all(hit.score < second.score - 0.1 for hit in others)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({}, "give a sentence"),
        ({"query": QUERY, "agent": "bank"}, "not both"),
        ({"subject": "bank"}, "unknown role 'subject'"),
        ({"agent": "  "}, "agent: the text is empty"),
        ({"query": " "}, "query: the text is empty"),
        ({"query": QUERY, "top_k": 0}, "top_k is a whole number from 1"),
        ({"query": QUERY, "by": "chance"}, "by is 'meaning' or 'roles'"),
        ({"query": QUERY, "candidates": 0}, "candidates is a whole"),
    ],
)
def test_queries_that_are_none(index: Index, how: dict[str, Any], message: str) -> None:
    given = dict(how)
    with pytest.raises(InputError, match=message):
        index.search(given.pop("query", None), **given)


def test_append_and_delete_and_compact(nlp: Pipeline, tmp_path: Path) -> None:
    index = Index.build(TEXTS[:4], tmp_path / "idx", nlp)
    reader = Index.open(tmp_path / "idx", nlp)
    assert index.append(TEXTS[4:8]) == 4
    assert index.append(TEXTS[8:]) == len(TEXTS) - 8
    assert [one for one, _ in reader] == list(range(len(TEXTS)))
    assert found(reader, QUERY, 12) == ranked(nlp, QUERY, TEXTS, 12)
    assert index.delete([1, 9]) == 2
    left = [text for one, text in enumerate(TEXTS) if one not in (1, 9)]
    assert [text for _, text in reader] == left
    assert found(reader, QUERY, 12) == ranked(nlp, QUERY, left, 12)
    assert [hit.id for hit in reader.search(top_k=1, agent="bank", verb="sue")] == [0]
    with pytest.raises(InputError, match="no text has the id 1"):
        index.delete([1])
    with pytest.raises(InputError, match="no text has the id 1180591620717411303424"):
        index.delete([2**70])
    assert index.delete([1, 0], missing="ignore") == 1
    before = index.info["segments"]
    index.compact()
    assert (before, index.info["segments"], index.info["deleted"]) == (3, 1, 0)
    assert [one for one, _ in reader] == [2, 3, 4, 5, 6, 7, 8, 10, 11]
    assert found(reader, QUERY, 12) == ranked(nlp, QUERY, left[1:], 12)
    assert [*(tmp_path / "idx" / "versions").iterdir()] == [version_of(tmp_path / "idx")]
    assert index.append(["A new one."]) == 1
    assert list(reader)[-1] == (len(TEXTS), "A new one.")


def test_ids_of_ones_own(nlp: Pipeline, tmp_path: Path) -> None:
    index = Index.build(TEXTS[:2], tmp_path / "idx", nlp, ids=["a/b", "é\n"])
    assert list(index) == [("a/b", TEXTS[0]), ("é\n", TEXTS[1])]
    with pytest.raises(InputError, match="give some"):
        index.append(["x"])
    with pytest.raises(InputError, match="'a/b' is a duplicate"):
        index.append(["x"], ids=["a/b"])
    with pytest.raises(InputError, match="the ids of this index are texts, got 7"):
        index.append(["x"], ids=[7])
    with pytest.raises(InputError, match="text 1 has no id"):
        index.append(["x", "y"], ids=["c"])
    with pytest.raises(InputError, match="more ids than texts"):
        index.append(["x"], ids=["c", "d"])
    assert len(index) == 2
    assert index.delete(["é\n"]) == 1
    assert index.append([TEXTS[1]], ids=["é\n"]) == 1
    index.compact()
    assert list(Index.open(index.path, nlp)) == [("a/b", TEXTS[0]), ("é\n", TEXTS[1])]


def test_texts_are_replaced_by_their_ids(nlp: Pipeline, tmp_path: Path) -> None:
    index = Index.build(TEXTS[:3], tmp_path / "idx", nlp, ids=["a", "b", "c"])
    index.delete(["c"])
    assert index.append(["A cow.", "It rains."], ids=["b", "c"], replace=True) == 2
    expected = {"a": TEXTS[0], "b": "A cow.", "c": "It rains."}
    assert list(Index.open(index.path, nlp)) == [*expected.items()]
    with pytest.raises(InputError, match="'c' is a duplicate"):
        index.append(["x", "y"], ids=["c", "c"], replace=True)
    with pytest.raises(InputError, match="replace= needs ids"):
        index.append(["x"], replace=True)
    assert dict(index) == expected


def test_what_is_no_text(nlp: Pipeline, tmp_path: Path) -> None:
    texts: list[Any] = ["A dog barks.", " \t", "A cat\x00 sleeps\x1b[31m.", None, "\ud800", "Yes."]
    with pytest.raises(InputError, match="text 1: the text is empty or blank"):
        Index.build(texts, tmp_path / "idx", nlp)
    assert not (tmp_path / "idx" / "manifest.json").exists()
    index = Index.build(texts, tmp_path / "idx", nlp, on_error="skip")
    assert [one for one, _ in index] == [0, 2, 5]
    assert dict(index)[2] == texts[2]
    assert index.search(texts[2], 1)[0].score == 1.0
    with pytest.raises(InputError, match="no text to index"):
        Index.build(["", " "], tmp_path / "none", nlp, on_error="skip")


def test_no_index_and_another_models(nlp: Pipeline, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hybridsem index build"):
        Index.open(tmp_path / "none")
    index = Index.build(TEXTS[:2], tmp_path / "idx", nlp)
    with pytest.raises(InputError, match="force=True"):
        Index.build(TEXTS[2:4], tmp_path / "idx", nlp)
    with pytest.raises(InputError, match="another model: model='hybrid' and not 'embedded'"):
        Index.open(index.path, Pipeline("embedded")).search(QUERY)
    manifest = manifest_of(tmp_path / "idx")
    for other in ({"words": "0"}, {"word vector": [1.0] * 384}):
        change_manifest(tmp_path / "idx", probe=manifest["probe"] | other)
        with pytest.raises(InputError, match="reads differently"):
            Index.open(index.path, nlp).search(QUERY)
    older = {name: manifest["probe"][name] for name in ("words", "vector")}
    change_manifest(tmp_path / "idx", probe=older)
    assert Index.open(index.path, nlp).search(QUERY)
    pointer = tmp_path / "idx/manifest.json"
    formats = {99: "format 99.* newer", 2: "format 2.* index build .* --force"}
    for version, message in formats.items():
        pointer.write_text(json.dumps(json.loads(pointer.read_text()) | {"format": version}))
        with pytest.raises(InputError, match=message):
            Index.open(index.path, nlp)
    assert len(Index.build(TEXTS[:3], tmp_path / "idx", nlp, force=True)) == 3
    pointer.write_text("{")
    with pytest.raises(FormatError, match="not the manifest"):
        Index.open(index.path, nlp)
    assert list(Index.build(TEXTS[2:4], tmp_path / "idx", nlp, force=True)) == [
        *enumerate(TEXTS[2:4])
    ]


def test_other_models(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an index is for 'hybrid' or an encoder, got the model"):
        Index.build(TEXTS[:6], tmp_path / "idx", Pipeline("verbnet-cn"))
    nlp = Pipeline("embedded")
    index = Index.build(TEXTS[:6], tmp_path / "idx", nlp)
    assert found(index, QUERY, 3) == ranked(nlp, QUERY, TEXTS[:6], 3)
    with pytest.raises(InputError, match="need an index of the model 'hybrid'"):
        index.search(agent="bank")


@pytest.mark.parametrize("graph_from", [4, 50_000])
def test_approximate_search_is_off_in_the_third_digit(
    nlp: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graph_from: int
) -> None:
    monkeypatch.setattr(building, "GRAPH_FROM", graph_from)
    index = Index.build(TEXTS, tmp_path / "idx", nlp)
    assert index.info["approximate"] is (available() and graph_from == 4)
    exact, near = (dict(found(index, QUERY, 3, exact=exact)) for exact in (True, False))
    assert near == pytest.approx(exact, abs=5e-3)
    assert near != exact
    assert len(index.search(QUERY, 12, exact=False, candidates=2)) == 2
    index.append(["The newspaper was sued by the large bank."])
    assert index.search(QUERY, 1, exact=False)[0].id == len(TEXTS)


@pytest.mark.skipif(not available(), reason="needs usearch, of the extra search")
def test_an_index_with_a_graph_opens_before_anything_is_read(
    nlp: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "GRAPH_FROM", 4)
    Index.build(TEXTS, tmp_path / "idx", nlp)
    code = (
        "import sys; from hybridsem.search import Index; "
        "print(Index.open(sys.argv[1]).search(sys.argv[2], 1, exact=False)[0].id)"
    )
    assert python("-c", code, tmp_path / "idx", TEXTS[0]) == "0\n"


# --- kills, full disks, damage


def test_a_build_that_failed_goes_on(
    nlp: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "PART", 4)
    read: list[str] = []

    def stopping(after: int) -> Iterator[str]:
        for number, text in enumerate(TEXTS):
            if number == after:
                raise KeyboardInterrupt
            yield text

    with pytest.raises(KeyboardInterrupt):
        Index.build(stopping(9), tmp_path / "idx", nlp)
    with pytest.raises(InputError, match="not finished; run it again"):
        Index.open(tmp_path / "idx")

    def noting(model: Any, texts: Any) -> Any:
        read.extend(texts)
        return storage.read_texts(model, texts)

    monkeypatch.setattr(building, "read_texts", noting)
    index = Index.build(TEXTS, tmp_path / "idx", nlp)
    assert sorted(read) == sorted(TEXTS[8:])
    assert [text for _, text in index] == TEXTS
    assert found(index, QUERY, 12) == ranked(nlp, QUERY, TEXTS, 12)
    assert not has_journal(tmp_path / "idx")


def test_a_searcher_elsewhere_sees_the_same_index(nlp: Pipeline, tmp_path: Path) -> None:
    index = Index.build(TEXTS[:4], tmp_path / "idx", nlp)
    as_it_was = index.contents.manifest
    search = searcher(nlp, index.path, as_it_was, 2, {"exact": True})
    assert search(TEXTS[:2]) == index.search(TEXTS[:2], 2)
    others = Index.build(TEXTS[4:8], tmp_path / "others", nlp)
    index.append(TEXTS[4:5])
    for path in (index.path, others.path):
        with pytest.raises(InputError, match="sees another index in"):
            searcher(nlp, path, as_it_was, 2, {})
    with pytest.raises(InputError, match="every node must see its folder: no index in"):
        searcher(nlp, str(tmp_path / "none"), as_it_was, 2, {})


def test_other_texts_begin_anew(
    nlp: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "PART", 2)
    index = Index.build(TEXTS[:2], tmp_path / "idx", nlp)
    with pytest.raises(InputError, match="text 2: the text is empty"):
        index.append([*TEXTS[2:4], ""])
    assert len(index) == 2
    assert index.append(TEXTS[5:9]) == 4
    with pytest.raises(InputError, match="text 4: the text is empty"):
        index.append([*TEXTS[2:4], *TEXTS[9:11], ""])
    assert index.append([*TEXTS[2:4], TEXTS[11]]) == 3  # the first two were read
    texts = [*TEXTS[:2], *TEXTS[5:9], *TEXTS[2:4], TEXTS[11]]
    reader = Index.open(index.path, nlp)
    assert [text for _, text in reader] == texts
    assert found(reader, QUERY, 9) == ranked(nlp, QUERY, texts, 9)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and limits of Unix")
def test_a_file_that_is_cut_by_a_full_disk_is_no_part_of_the_index(
    nlp: Pipeline, tmp_path: Path
) -> None:
    """The lemmas' vectors are the last and the largest; numpy says nothing of a short write."""
    import resource

    Index.build(TEXTS, tmp_path / "whole", nlp)
    largest = version_of(tmp_path / "whole") / ROWS
    limit = largest.stat().st_size - 100
    if not (pid := os.fork()):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        try:
            Index.build(TEXTS, tmp_path / "idx", nlp)
        except InputError:
            os._exit(3)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    assert len(Index.build(TEXTS, tmp_path / "idx", nlp).search(QUERY, 20)) == len(TEXTS)


def test_former_weights_are_refused(nlp: Pipeline, tmp_path: Path) -> None:
    """Even if the vectors and structures of the probes are the same."""
    assert weight_sums(FOLDER).keys() >= {*storage.READING}
    Index.build(TEXTS[:2], tmp_path / "idx", nlp)
    reader = Index.open(tmp_path / "idx", nlp)
    assert reader.search(QUERY, 1)
    assert manifest_of(tmp_path / "idx")["contents"].keys() == {storage.WEIGHTS}
    change_manifest(tmp_path / "idx", contents={storage.WEIGHTS: "0" * 64})
    for other in (reader, Index.open(tmp_path / "idx", nlp)):
        for use, *given in ((other.search, QUERY), (other.append, ["x"]), (other.compact,)):
            with pytest.raises(
                InputError, match="other contents of hybridsem/data.*build it again"
            ):
                use(*given)


KILLED = """
import sys
from hybridsem.search import building
from hybridsem.search.index import Index
building.PART = 2
index = Index.open(sys.argv[1])
index._checked_model()
print("ready", flush=True)
index.append(f"Sentence number {number} is here." for number in range(10_000))
"""


def test_a_killed_append_leaves_the_index_as_it_was(nlp: Pipeline, tmp_path: Path) -> None:
    index = Index.build(TEXTS[:4], tmp_path / "idx", nlp)
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, index.path], stdout=subprocess.PIPE, env=os.environ
    )
    with process.stdout:
        assert process.stdout.readline() == b"ready\n"
        while not has_journal(tmp_path / "idx"):
            assert process.poll() is None
            time.sleep(0.01)
        with pytest.raises(InputError, match="another process writes"):
            index.delete([0])
        assert len(index.search(QUERY, 10)) == 4  # readers read on
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert [text for _, text in Index.open(index.path, nlp)] == TEXTS[:4]
    assert index.append(TEXTS[4:6]) == 2
    assert [text for _, text in index] == TEXTS[:6]
    with closing(sqlite3.connect(version_of(tmp_path / "idx") / ROWS)) as base:
        assert base.execute("SELECT count(*) FROM rows").fetchone() == (6,)


@pytest.mark.parametrize(
    "changes",
    [
        {"parts": [{"rows": 4}, {"rows": -1}]},
        {"parts": [{"name": "../../x", "rows": 4}]},
        {"deleted": 9},
        {"dimension": 10**9},
        {"graph": 7},
        {"settings": 7},
    ],
)
def test_a_manifest_of_others_is_refused(
    nlp: Pipeline, tmp_path: Path, changes: dict[str, Any]
) -> None:
    Index.build(TEXTS[:4], tmp_path / "idx", nlp)
    change_manifest(tmp_path / "idx", **changes)
    with pytest.raises(HybridSemError):
        Index.open(tmp_path / "idx", nlp).append(["One more."])


def test_no_other_folder_is_read_or_removed(nlp: Pipeline, tmp_path: Path) -> None:
    Index.build(TEXTS[:4], tmp_path / "idx", nlp)
    shutil.copytree(version_of(tmp_path / "idx"), tmp_path / "idx/other")
    for version in ("../other", "other", "", 7):
        about = signed({"format": FORMAT, "version": version}, SCHEMA)
        (tmp_path / "idx/manifest.json").write_text(json.dumps(about))
        with pytest.raises(HybridSemError):
            Index.open(tmp_path / "idx", nlp).append(["One more."])
    Index.build(TEXTS[:4], tmp_path / "idx", nlp, force=True)
    assert (tmp_path / "idx/other" / ROWS).exists()


def test_reading_goes_on_while_another_thread_writes(nlp: Pipeline, tmp_path: Path) -> None:
    writer = Index.build(TEXTS[:4], tmp_path / "idx", nlp)
    reader = Index.open(tmp_path / "idx", nlp)
    reader.search(QUERY, 1)
    stop, seen, problems = threading.Event(), set(), []

    def read() -> None:
        while not stop.is_set():
            try:
                hits = reader.search(QUERY, 20)
                roles = reader.search(top_k=20, agent="bank")
            except Exception as error:
                problems.append(error)
                return
            seen.add(len(hits))
            assert all(hit.text in TEXTS for hit in (*hits, *roles))

    thread = threading.Thread(target=read)
    thread.start()
    for text in TEXTS[4:]:
        writer.append([text])
    writer.delete([4, 5])
    writer.compact()
    expected = len(TEXTS) - 2
    assert len(reader.search(QUERY, 20)) == expected
    stop.set()
    thread.join()
    assert not problems
    assert seen <= set(range(4, len(TEXTS) + 1))


def test_a_reader_of_an_index_that_was_replaced_twice(nlp: Pipeline, tmp_path: Path) -> None:
    """The files of the third have the names of the first's."""
    Index.build(TEXTS[:2], tmp_path / "idx", nlp)
    reader = Index.open(tmp_path / "idx", nlp)
    for texts in (TEXTS[2:4], TEXTS[4:]):
        Index.build(texts, tmp_path / "idx", nlp, force=True)
    assert reader.search(QUERY, 9) == Index.open(tmp_path / "idx", nlp).search(QUERY, 9)
