"""Files that are kept between runs and text tables, with bytes changed at random: a result is right
or there is an error of the tree, and nothing else is raised. Of bounded time;
``HYBRIDSEM_FUZZ=3000`` in the environment makes so many files for each test.

Columnar files are in pairs/test_damaged_columns.py, in a process of their own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.kept import Dies, Scores, write_pairs

from hybridsem._utils.contents import sealed, unsealed
from hybridsem._utils.store import Store
from hybridsem.batch import score_file
from hybridsem.batch.cache import TABLES, PairCache
from hybridsem.batch.work import Result
from hybridsem.embeddings.word_store import TYPES, stored
from hybridsem.errors import HybridSemError
from hybridsem.evaluation.sage._work import Work
from hybridsem.tables import open_pairs

CHUNK = 4
bounded = settings(
    max_examples=int(os.environ.get("HYBRIDSEM_FUZZ", 60)),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@st.composite
def changes(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """What happens to a file: some bytes are others, it is cut, something is put in or added."""
    others = draw(
        st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=0, max_size=12)
    )
    cut = draw(st.none() | st.floats(0, 1))
    put = draw(st.none() | st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=40)))

    def changed(content: bytes) -> bytes:
        damaged = bytearray(content)
        for at, value in others if damaged else ():
            damaged[min(int(at * len(damaged)), len(damaged) - 1)] = value
        if put is not None:
            at = int(put[0] * len(damaged))
            damaged[at:at] = put[1]
        return bytes(damaged if cut is None else damaged[: int(cut * len(damaged))])

    return changed


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes], bytes]:
    """A pair file, the work folder of a run that was cut off, and what a whole run makes."""
    folder = tmp_path_factory.mktemp("unfinished")
    path = write_pairs(folder / "in.csv")
    score_file(Scores(), path, folder / "whole.csv", chunk_size=CHUNK)
    with pytest.raises(ZeroDivisionError):
        score_file(Dies(), path, folder / "out.csv", chunk_size=CHUNK)
    work = {file.name: file.read_bytes() for file in (folder / "out.csv.hybridsem").iterdir()}
    return path, work, (folder / "whole.csv").read_bytes()


@bounded
@given(name=st.sampled_from(["results.jsonl", "manifest.json"]), change=changes())
def test_a_damaged_work_folder_gives_the_whole_result_or_an_error(
    name: str,
    change: Callable[[bytes], bytes],
    unfinished: tuple[Path, dict[str, bytes], bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path, work, whole = unfinished
    out = tmp_path_factory.mktemp("again") / "out.csv"
    folder = out.with_name("out.csv.hybridsem")
    folder.mkdir()
    for file, content in work.items():
        (folder / file).write_bytes(change(content) if file == name else content)
    try:
        score_file(Scores(), path, out, chunk_size=CHUNK, resume=True)
    except HybridSemError:
        assert not out.exists()
        score_file(Scores(), path, out, chunk_size=CHUNK, force=True)
    assert out.read_bytes() == whole


PAIRS = [(f"one {number}", f"other {number}") for number in range(200)]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the results of pairs."""
    path = tmp_path_factory.mktemp("cache") / "scores.sqlite"
    with closing(Store(path, TABLES)) as store:
        PairCache(store).keep({pair: Result(at / 7) for at, pair in enumerate(PAIRS)})
    return path


@bounded
@given(change=changes())
def test_a_damaged_cache_gives_the_score_that_was_put_or_none(
    change: Callable[[bytes], bytes], kept: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("damaged") / "scores.sqlite"
    path.write_bytes(change(kept.read_bytes()))
    with closing(Store(path, TABLES)) as store:
        cache = PairCache(store)
        for pair, result in cache.on_disk(PAIRS).items():
            assert result == Result(PAIRS.index(pair) / 7)
        cache.keep({PAIRS[0]: Result(0.5)})
        assert PairCache(store).on_disk(PAIRS[:1]) == {PAIRS[0]: Result(0.5)}


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words") / "glove.txt"
    path.write_text("".join(f"w{number} {number} {number * 2}\n" for number in range(60)))
    return path


@bounded
@given(name=st.sampled_from(["meta.json", *TYPES]), change=changes())
def test_a_damaged_store_of_words_gives_the_vectors_of_the_file(
    name: str,
    change: Callable[[bytes], bytes],
    words: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HYBRIDSEM_CACHE", str(tmp_path_factory.mktemp("cache")))
        file = stored(words).folder / name
        file.write_bytes(change(file.read_bytes()))
        table = stored(words)
        rows = [table.find(f"w{number}") for number in range(60)]
        assert rows == list(range(60))
        expected = [[number, number * 2] for number in range(60)]
        np.testing.assert_array_equal(table.rows(range(60)), expected)


@bounded
@given(change=changes())
def test_a_damaged_part_of_earlier_work_is_no_part(
    change: Callable[[bytes], bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    part = {"ndcg": [0.1, 0.25, 1.0], "count": 3}
    work = Work(tmp_path_factory.mktemp("work"), {})
    work.keep("part", part)
    assert work.folder is not None
    file = work.folder / "part.json"
    file.write_bytes(change(file.read_bytes()))
    assert work.get("part") in ({}, part)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
).filter(lambda value: "Infinity" not in json.dumps(value))


@bounded
@given(value=JSON, change=changes())
def test_a_seal_is_whole_or_broken(value: Any, change: Callable[[bytes], bytes]) -> None:
    text = sealed(value).encode()
    assert unsealed(text) == value
    assert unsealed(change(text)) in (None, value)


@bounded
@given(suffix=st.sampled_from([".csv", ".tsv", ".jsonl", ".txt"]), change=changes())
def test_a_damaged_text_table_gives_pairs_or_an_error(
    suffix: str, change: Callable[[bytes], bytes], tmp_path_factory: pytest.TempPathFactory
) -> None:
    mark = {".tsv": "\t", ".txt": ";"}.get(suffix, ",")
    if suffix == ".jsonl":
        lines = [json.dumps({"s1": f"a {n} é", "s2": "b"}, ensure_ascii=False) for n in range(9)]
    else:
        lines = [f"s1{mark}s2", *(f'"a {number} é"{mark}b' for number in range(9))]
    path = tmp_path_factory.mktemp("table") / f"in{suffix}"
    path.write_bytes(change(("\n".join(lines) + "\n").encode()))
    problem = ""
    try:
        for pair in open_pairs(path, keep_bad=True):
            if pair.problem is None:
                (pair.text1 + pair.text2).encode("utf-8", "surrogatepass")
    except HybridSemError as error:
        problem = str(error)
    assert not problem or str(path) in problem
