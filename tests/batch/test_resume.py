"""Runs that are killed, interrupted or out of disk continue with the same bytes."""

import io
import json
import math
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.commands import ROOT
from support.scorers import LengthScorer, fail

from hybridsem import Pipeline
from hybridsem._utils.progress import FIRST
from hybridsem.batch import score_file
from hybridsem.errors import HybridSemError, InputError
from hybridsem.explanations import Explanation

ROWS = 300
CHUNK = 3


CALLS = {
    *("mkdir", "open", "flock", "execute", "executemany", "commit", "close", "write"),
    *("writestr", "truncate", "fsync", "rename", "replace", "unlink", "rmdir"),
}


class Killed:
    """Counts the system calls that change files, and kills its process at call ``number``."""

    def __init__(self, number: float) -> None:
        self.number, self.count = number, 0

    def __call__(self, frame: object, event: str, function: Any) -> None:
        if event == "c_call" and function.__name__ in CALLS:
            if self.count >= self.number:
                os.kill(os.getpid(), signal.SIGKILL)
            self.count += 1


def calls(pairs: Path, out: Path) -> int:
    """Return the number of such calls in a whole run."""
    score(pairs, out)
    out.unlink()  # that was for what is loaded once
    watch = Killed(math.inf)
    sys.setprofile(watch)
    try:
        score(pairs, out)
    finally:
        sys.setprofile(None)
    return watch.count


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    numbers = random.Random(1)
    rows = (
        f'{i},"{"x" * numbers.randrange(1, 30)}, é",{"y" * numbers.randrange(1, 30)}'
        for i in range(ROWS)
    )
    path.write_text("id,s1,s2\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def score(pairs: Path, out: Path, resume: bool = False) -> Any:
    """Score in small chunks; an output with details is written at the end."""
    details = not out.name.startswith("plain")
    return score_file(LengthScorer(), pairs, out, chunk_size=CHUNK, details=details, resume=resume)


def child(pairs: Path, out: Path, resume: bool, number: float, limit: int | None) -> None:
    if limit is not None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    sys.setprofile(Killed(number))
    try:
        score(pairs, out, resume)
    except HybridSemError as error:
        os._exit(3 if "finished work is kept, --resume" in str(error) else 4)
    os._exit(0)


def run(
    pairs: Path, out: Path, resume: bool = False, number: float = math.inf, limit: int | None = None
) -> int | None:
    """Score in a process that is killed at a system call; return its exit code."""
    given = (pairs, out, resume, number, limit)
    process = multiprocessing.get_context("fork").Process(target=child, args=given)
    process.start()
    process.join()
    return process.exitcode


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.csv", "plain.csv", "out.parquet"])
def test_killed_at_every_call_to_the_system(name: str, pairs: Path, tmp_path: Path) -> None:
    """--resume continues or reports that no run is unfinished; without it nothing is lost."""
    pairs.write_text("".join(pairs.read_text("utf-8").splitlines(keepends=True)[:8]), "utf-8")
    (tmp_path / "whole").mkdir()
    number = calls(pairs, tmp_path / "whole" / name)
    assert number > 30
    whole = (tmp_path / "whole" / name).read_bytes()
    left, out = tmp_path / "left" / name, tmp_path / "again" / name

    def again(resume: bool) -> str:
        try:
            score(pairs, out, resume)
        except InputError as error:
            return str(error).split(",")[0].split(" in ")[0]
        return "done"

    heard = set()
    for at in range(number):
        left.parent.mkdir()
        assert run(pairs, left, number=at) == -signal.SIGKILL
        assert not left.exists() or left.read_bytes() == whole
        for ways in ([True], [False, True]):
            shutil.copytree(left.parent, out.parent)
            heard.add((*ways, *map(again, ways)))
            assert out.read_bytes() == whole
            assert [path.name for path in out.parent.iterdir()] == [name], (
                "what was left is cleared up"
            )
            shutil.rmtree(out.parent)
        shutil.rmtree(left.parent)
    there = "the output exists and no run of it is unfinished"
    assert heard == {
        (True, "done"),
        (True, there),
        (False, True, "done", there),
        (False, True, "an unfinished run is", "done"),
        (False, True, "the output exists", "done"),
        (False, True, "the output exists", there),
    }


@pytest.mark.parametrize("limit", [0, 3_000, 14_000])
def test_a_full_disk_loses_nothing(limit: int, pairs: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.csv", tmp_path / "out.csv"
    score_file(LengthScorer(), pairs, whole, chunk_size=CHUNK, details=True)
    assert limit < whole.stat().st_size
    assert run(pairs, out, resume=False, limit=limit) == 3
    assert not out.exists()
    pipeline, begun = LengthScorer(), (tmp_path / "out.csv.hybridsem").exists()
    score_file(pipeline, pairs, out, chunk_size=CHUNK, details=True, resume=begun)
    assert out.read_bytes() == whole.read_bytes()
    assert limit == 0 or pipeline.pairs < ROWS - CHUNK


HELD = """
import signal, sys
from hybridsem.batch.cache import PairCache
from hybridsem.cli import main

keep = PairCache.keep

def held(cache, results):
    keep(cache, results)
    print("here", flush=True)
    signal.pause()

PairCache.keep = held
sys.exit(main())
"""


@pytest.mark.slow
def test_the_command_is_interrupted_and_goes_on(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = [f"Dog {i} ran.,It ran." for i in range(3000)]
    path.write_text("s1,s2\n" + "\n".join(rows) + "\n")
    given = ["score", str(path), "-o", str(out), "--model", "embedded"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", HELD, *given],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout.readline() == b"here\n"
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1]
    assert b"finished rows are kept; the same command with --resume continues" in told
    assert told.endswith(b"hybridsem: interrupted\n")
    assert process.returncode == 130
    assert not out.exists()
    command = [sys.executable, "-m", "hybridsem", *given, "--resume", "--json"]
    again = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    report = json.loads(again.stdout)
    assert (report["resumed_rows"], report["rows"]) == (FIRST, len(rows))
    score_file(Pipeline("embedded"), path, tmp_path / "whole.csv")
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_other_inputs_and_settings_are_refused(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(ZeroDivisionError):
        score_file(
            LengthScorer("any", 4, fail), pairs, out, chunk_size=CHUNK, details=True, resume=True
        )  # none is begun: from the start
    same: dict[str, Any] = {"chunk_size": CHUNK, "details": True}
    with pytest.raises(InputError, match=r"unfinished .*--resume\) cont.*--force\) starts again"):
        score_file(LengthScorer(), pairs, out, **same)
    for scorer, changed, message in (
        (LengthScorer(), {"chunk_size": 8}, "chunk_size was 3 and is now 8"),
        (LengthScorer(), {"details": False}, "details was True and is now False"),
        (LengthScorer("other"), {}, r"model\.model was 'any' and is now 'other'"),
    ):
        with pytest.raises(InputError, match=message):
            score_file(scorer, pairs, out, resume=True, **same | changed)
    manifest = tmp_path / "out.csv.hybridsem" / "manifest.json"
    kept = manifest.read_bytes()
    manifest.write_bytes(kept[:20])
    with pytest.raises(InputError, match=r"manifest\.json' is damaged; .*--force\) starts again"):
        score_file(LengthScorer(), pairs, out, resume=True, **same)
    manifest.write_bytes(kept)
    before = pairs.read_text()
    pairs.write_text(before.replace("x,", "z,", 1))
    with pytest.raises(InputError, match=r"input\.sha256 was '\w+' and is now"):
        score_file(LengthScorer(), pairs, out, resume=True, **same)
    pairs.write_text(before)
    report = score_file(LengthScorer(), pairs, out, resume=True, **same)
    assert (report.rows, report.resumed_rows) == (ROWS, 3 * CHUNK)


class Waits(LengthScorer):
    """Signals that it has begun, and waits."""

    def __init__(self, context: Any) -> None:
        super().__init__()
        self.at_work, self.go_on = context.Event(), context.Event()

    def explain(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        self.at_work.set()
        self.go_on.wait()
        return super().explain(pairs)


def test_one_process_at_a_time(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process is refused and changes nothing, not even a stored stream."""
    out, content = tmp_path / "out.csv", pairs.read_bytes()

    def pipe() -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    def first() -> None:
        pipe()  # a process begins with an empty one
        score_file(slow, "-", out)

    context = multiprocessing.get_context("fork")
    slow = Waits(context)
    process = context.Process(target=first)
    process.start()
    assert slow.at_work.wait(120)
    pipe()
    with pytest.raises(InputError, match="another process is writing this output"):
        score_file(LengthScorer(), "-", out, force=True)
    slow.go_on.set()
    process.join()
    assert process.exitcode == 0
    score_file(LengthScorer(), pairs, tmp_path / "whole.csv")
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()
