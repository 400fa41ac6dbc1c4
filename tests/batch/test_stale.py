"""A model's files that change between or during runs: no score is of another file."""

import io
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
from support.evaluated import ByText
from support.scorers import fail

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.combiners.base import Batch
from hybridsem.errors import HybridSemError, InputError

SENTENCES = ("The dog ran.", "A cat slept.", "It rained.")


def vectors(seed: int) -> None:
    """Word vectors in a text file, always of the same size."""
    numbers = np.random.default_rng(seed).integers(100, 1000, (10, 3))
    words = ("the", "dog", "ran", "a", "cat", "slept", "it", "rained", "sleep", "run")
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(words, numbers, strict=True)]
    write(Path("glove.txt"), ("\n".join(lines) + "\n").encode())


def encoded(seed: int) -> None:
    """Sentence vectors, always of the same size."""
    rows = np.random.default_rng(seed).normal(size=(len(SENTENCES), 4))
    stream = io.BytesIO()
    np.save(stream, rows)
    write(Path("v.npy"), stream.getvalue())
    Path("v.txt").write_text("\n".join(SENTENCES) + "\n")


def write(path: Path, content: bytes) -> None:
    """Fill a file and keep its time of change."""
    times = path.stat() if path.exists() else None
    path.write_bytes(content)
    if times is not None:
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.fixture(autouse=True)
def here(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, two, three = SENTENCES
    rows = [(one, two), (two, three), (one, three), (two, one)] * 5
    Path("in.csv").write_text("s1,s2\n" + "".join(f'"{a}","{b}"\n' for a, b in rows))


PARTS: list[tuple[Callable[[int], None], dict[str, str]]] = [
    (vectors, {"model": "mean", "vectors": "glove:glove.txt"}),
    (encoded, {"model": "precomputed:v.npy"}),
]


@pytest.mark.parametrize(("make", "parts"), PARTS)
def test_a_cache_never_gives_the_score_of_an_older_file(
    make: Callable[[int], None], parts: dict[str, str]
) -> None:
    make(1)
    score_file(Pipeline(**parts), "in.csv", "first.jsonl", cache="kept")
    make(2)
    report = score_file(Pipeline(**parts), "in.csv", "second.jsonl", cache="kept")
    score_file(Pipeline(**parts), "in.csv", "fresh.jsonl")
    assert Path("second.jsonl").read_bytes() == Path("fresh.jsonl").read_bytes()
    assert Path("second.jsonl").read_bytes() != Path("first.jsonl").read_bytes()
    assert report.cache_hits == 16
    make(1)  # and back: what was scored before counts again
    assert score_file(Pipeline(**parts), "in.csv", "t.jsonl", cache="kept").cache_hits == 20
    assert Path("t.jsonl").read_bytes() == Path("first.jsonl").read_bytes()


def breaks_after(pipeline: Pipeline, chunks: int, then: Callable[[], None]) -> Pipeline:
    """Make the pipeline call ``then`` before a chunk."""
    read, seen = pipeline.read, []

    def counted(pairs: Iterable[tuple[str, str]]) -> Batch:
        seen.append(pairs)
        if len(seen) > chunks:
            then()
        return read(pairs)

    pipeline.read = counted
    return pipeline


@pytest.mark.parametrize(("make", "parts"), PARTS)
def test_a_run_does_not_go_on_with_another_file(
    make: Callable[[int], None], parts: dict[str, str]
) -> None:
    make(1)
    with pytest.raises(ZeroDivisionError):
        score_file(breaks_after(Pipeline(**parts), 1, fail), "in.csv", "o.csv", chunk_size=2)
    make(2)
    with pytest.raises(InputError, match=r"cannot resume .*: model\.contents\..* was '\w+' and is"):
        score_file(Pipeline(**parts), "in.csv", "o.csv", chunk_size=2, resume=True)
    make(1)
    report = score_file(Pipeline(**parts), "in.csv", "o.csv", chunk_size=2, resume=True)
    assert report.resumed_rows == 2


def test_a_file_that_changes_during_a_run_ends_it_and_is_not_kept() -> None:
    encoded(1)
    pipeline = breaks_after(Pipeline("precomputed:v.npy"), 1, lambda: encoded(2))
    with pytest.raises(InputError, match=r"'v\.npy' has changed since the pipeline was made"):
        score_file(pipeline, "in.csv", "o.csv", chunk_size=2, cache="kept")
    encoded(1)
    again = score_file(Pipeline("precomputed:v.npy"), "in.csv", "p.csv", cache="kept")
    score_file(Pipeline("precomputed:v.npy"), "in.csv", "fresh.csv")
    assert again.cache_hits == 16, "nothing of the first run is used"
    assert Path("p.csv").read_bytes() == Path("fresh.csv").read_bytes()


def test_worker_processes_with_another_file_end_the_run() -> None:
    encoded(1)
    pipeline = Pipeline("precomputed:v.npy")
    assert score_file(pipeline, "in.csv", "o.csv", workers=1, chunk_size=2).scored == 20
    encoded(2)
    with pytest.raises(HybridSemError, match="has changed since the pipeline was made"):
        score_file(pipeline, "in.csv", "o.csv", workers=1, force=True)


def test_an_object_of_the_same_type_must_give_the_same_scores() -> None:
    def pipeline(seed: int) -> Pipeline:
        draw = np.random.default_rng(seed)
        rows = dict(zip(SENTENCES, draw.normal(size=(3, 4)), strict=True))
        return Pipeline("embedded", encoder=ByText(rows.__getitem__))

    with pytest.raises(ZeroDivisionError):
        score_file(breaks_after(pipeline(1), 1, fail), "in.csv", "o.csv", chunk_size=2)
    with pytest.raises(InputError, match=r"cannot resume .*: line 2 had the score -?0\.\d+ and"):
        score_file(pipeline(2), "in.csv", "o.csv", chunk_size=2, resume=True)
    assert score_file(pipeline(1), "in.csv", "o.csv", chunk_size=2, resume=True).resumed_rows == 2
