"""Several processes give the same bytes as one, and never hang when one dies."""

import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.commands import ROOT
from support.scorers import LengthScorer

from hybridsem import Pipeline
from hybridsem._utils.threads import cores
from hybridsem.batch import score_file
from hybridsem.batch.executors import Workers
from hybridsem.batch.work import scoring
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.errors import HybridSemError, InputError
from hybridsem.explanations import Explanation
from hybridsem.reader import Reader, reader

SCORES = scoring().begin


class Mortal(LengthScorer):
    """Dies of the word "die": once, if ``flag`` is a file that it can remove, else always."""

    def __init__(self, flag: str = "") -> None:
        super().__init__()
        self.flag = flag

    def explanation(self, one: str, two: str) -> Explanation:
        if one == "die" and (not self.flag or Path(self.flag).exists()):
            if self.flag:
                Path(self.flag).unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().explanation(one, two)


class Endless(LengthScorer):
    """Signals that it has begun, and never ends."""

    def __init__(self, flag: str) -> None:
        super().__init__()
        self.flag = Path(flag)

    def explanation(self, one: str, two: str) -> Explanation:
        self.flag.touch()
        while True:
            time.sleep(1)


class Threads(LengthScorer):
    """Scores are the threads that the process is given."""

    def explanation(self, one: str, two: str) -> Explanation:
        return Explanation(one, two, float(os.environ["HYBRIDSEM_THREADS"]), "threads")


@pytest.mark.parametrize(("wanted", "each"), [("3", 3), (None, cores()), ("none", cores())])
def test_a_process_has_the_threads_that_are_asked_for(
    wanted: str | None, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HYBRIDSEM_THREADS", raising=False)
    if wanted is not None:
        monkeypatch.setenv("HYBRIDSEM_THREADS", wanted)
    with closing(Workers(Threads, 1)) as engine:
        ((result,),) = engine.map(SCORES, [[("It rains.", "It rains.")]], "pair")
    assert result.score == each


def test_the_same_bytes_as_one_process(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    names = ["dog", "cat", "boy", "girl", "king", "cook"]
    rows = [f"The {a} saw the {b}.,The {b} was seen by a {a}." for a in names for b in names]
    path.write_text("s1,s2\n" + "\n".join(rows) + "\n,empty\n")
    runs: dict[str, dict[str, Any]] = {
        "one": {},
        "two": {"workers": 2},
        "cached": {"workers": 2, "cache": tmp_path / "cache"},
    }
    for name, how in runs.items():
        how |= {"chunk_size": 5, "details": True, "on_error": "skip"}
        report = score_file(Pipeline(), path, tmp_path / f"{name}.jsonl", **how)
        assert (report.rows, report.failed) == (37, 1)
    assert len({(tmp_path / f"{name}.jsonl").read_bytes() for name in runs}) == 1


def test_order_and_reading_ahead() -> None:
    taken = 0

    def chunks() -> Iterable[list[tuple[str, str]]]:
        nonlocal taken
        for i in range(40):
            taken += 1
            yield [("a" * i, "b")] if i % 3 else []

    with closing(Workers(LengthScorer, 2)) as workers:
        for i, results in enumerate(workers.map(SCORES, chunks(), "pair")):
            assert taken <= i + 6
            assert [result.score for result in results] == ([1 / (i + 1)] if i % 3 else [])
        assert i == 39


def test_a_process_that_dies_is_replaced_once(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    flag.touch()
    chunks = [[("a", "b")], [("die", "b")], [("ab", "c")], [("abc", "d")]]
    with closing(Workers(functools.partial(Mortal, str(flag)), 2)) as workers:
        scores = [results[0].score for results in workers.map(SCORES, chunks, "pair")]
    assert scores == [1 / 2, 1 / 4, 1 / 3, 1 / 4]
    assert not flag.exists()
    message = r"died twice over chunk 1 .*first pair is \('die', 'b'\)"
    with closing(Workers(Mortal, 2)) as workers, pytest.raises(HybridSemError, match=message):
        list(workers.map(SCORES, chunks, "pair"))


def test_processes_read_for_a_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "SENT", 2)
    texts = ["The dog barked.", "It rains.", "The dog was barking.", "We left."]
    nlp = Pipeline()
    expected = list(nlp.mine(texts, threshold=-1.0))
    monkeypatch.setattr(nlp.reader.parts, "parser", None)  # it is the processes that read
    with closing(Workers(Reader, 1)) as workers, nlp.reader.executing(workers):
        assert list(nlp.mine(texts, threshold=-1.0)) == expected


def test_parts_must_have_names(encoder: EmbeddedEncoder, tmp_path: Path) -> None:
    nlp = Pipeline(encoder=encoder)
    (tmp_path / "in.csv").write_text("s1,s2\na,b\n")
    for given in ({"workers": 2}, {"cache": tmp_path / "cache"}):
        with pytest.raises(InputError, match=r"so parts must have names, and \w+ is <"):
            score_file(nlp, tmp_path / "in.csv", tmp_path / "out.csv", **given)
        assert not nlp.remembers, "a run that is refused leaves the pipeline as it was"


def test_an_end_does_not_wait_for_what_they_are_at(tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    workers = Workers(functools.partial(Endless, str(flag)), 1)

    def interrupted() -> Iterable[list[tuple[str, str]]]:
        yield [("a", "b")]
        while not flag.exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(workers.map(SCORES, interrupted(), "pair"))
    found = workers_of(os.getpid())
    assert found
    workers.close()
    assert not psutil.wait_procs(found, timeout=300)[1]


def test_the_processes_end_with_their_parent(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("s1,s2\n" + "".join(f"Dog {i} ran.,It ran.\n" for i in range(20_000)))
    given = f"-m hybridsem score {path} -o {tmp_path}/out.csv --workers 2 -m embedded"
    command = [sys.executable, *given.split()]
    process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        while len(found := workers_of(process.pid)) < 2:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    assert not psutil.wait_procs(found, timeout=300)[1]


def workers_of(pid: int) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(pid).children():
        with suppress(psutil.NoSuchProcess):  # it has ended
            found += [child] if any("spawn_main" in part for part in child.cmdline()) else []
    return found
