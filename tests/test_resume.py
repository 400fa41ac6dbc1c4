"""Runs that are cut off: killed at any moment, out of disk, interrupted. Going on gives the same bytes."""

from __future__ import annotations

import functools
import json
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.errors import HybridSemError, InputError
from hybridsem.structures import Explanation

ROOT = Path(__file__).parents[1]
ROWS = 300
CHUNK = 3


class Slow:
    """A pipeline that takes a moment; the score depends on the texts alone."""

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        self.settings = settings or {"model": "slow"}
        self.seen = 0

    def explain_all(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        time.sleep(0.001)
        given = list(pairs)
        self.seen += len(given)
        return [Explanation(one, two, 1 / (len(one) + len(two)), "slow", details={"a": 0.1}) for one, two in given]


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    numbers = random.Random(1)
    rows = (f'{i},"{"x" * numbers.randrange(1, 30)}, é",{"y" * numbers.randrange(1, 30)}' for i in range(ROWS))
    path.write_text("id,s1,s2\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def child(pairs: Path, out: Path, resume: bool, limit: int | None = None) -> None:
    if limit is not None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        score_file(Slow(), pairs, out, chunk_size=CHUNK, details=True, resume=resume)
    except HybridSemError as error:
        os._exit(3 if str(error).startswith("cannot write") else 4)
    os._exit(0)


def run(pairs: Path, out: Path, resume: bool, after: float | None = None, limit: int | None = None) -> int | None:
    """Score in a process of its own, which is killed after a while; its exit code."""
    process = multiprocessing.get_context("fork").Process(target=child, args=(pairs, out, resume, limit))
    process.start()
    if after is not None:
        time.sleep(after)
        process.kill()
    process.join()
    return process.exitcode


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl.gz", "out.parquet", "out.xlsx"])
def test_killed_at_random_again_and_again_the_file_is_the_same(name: str, pairs: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole" / name
    whole.parent.mkdir()
    score_file(Slow(), pairs, whole, chunk_size=CHUNK, details=True)
    out, work = tmp_path / name, tmp_path / f"{name}.hybridsem"
    numbers, kills = random.Random(name), 0
    for _ in range(14):
        code = run(pairs, out, resume=work.exists(), after=numbers.random() ** 2 / 10)
        kills += code == -signal.SIGKILL
        if work.exists() and kills % 3 == 0:  # a torn line at the end, as a power cut leaves it
            with (work / "results.jsonl").open("ab") as stream:
                stream.write(b'9 00000000 [[0.5,"tor')
        if out.exists() and not work.exists():  # the kill came too late: once more from the beginning
            assert out.read_bytes() == whole.read_bytes()
            out.unlink()
    assert kills >= 7
    assert run(pairs, out, resume=work.exists()) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert not work.exists()


@pytest.mark.parametrize("number", range(5))
def test_killed_while_the_work_folder_is_removed_the_file_is_there(
    number: int, pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before and after the folder is moved away, and with half of it removed: to go on, or to find it done."""
    out, work = tmp_path / "out.csv", tmp_path / "out.csv.hybridsem"
    score_file(Slow(), pairs, tmp_path / "whole.csv", chunk_size=CHUNK, details=True)
    calls = 0

    def killed(done: Callable[..., None], *given: Any, **named: Any) -> None:
        nonlocal calls
        calls += out.exists()
        if calls > number:
            os.kill(os.getpid(), signal.SIGKILL)
        done(*given, **named)

    with monkeypatch.context() as patch:
        for module, name in ((os, "rename"), (os, "unlink"), (shutil, "rmtree")):
            patch.setattr(module, name, functools.partial(killed, getattr(module, name)))
        assert run(pairs, out, resume=False) == -signal.SIGKILL
    whole = (tmp_path / "whole.csv").read_bytes()
    assert out.read_bytes() == whole
    if work.exists():
        assert run(pairs, out, resume=True) == 0
        assert out.read_bytes() == whole
    else:  # what is left of it is not in the way of the next run, which clears it up
        out.unlink()
        assert run(pairs, out, resume=False) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv", "out.csv", "whole.csv"]


@pytest.mark.parametrize("limit", [0, 3_000, 14_000])
def test_a_full_disk_loses_nothing(limit: int, pairs: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole.csv", tmp_path / "out.csv"
    score_file(Slow(), pairs, whole, chunk_size=CHUNK, details=True)
    assert limit < whole.stat().st_size
    assert run(pairs, out, resume=False, limit=limit) == 3
    assert not out.exists()
    pipeline = Slow()
    score_file(pipeline, pairs, out, chunk_size=CHUNK, details=True, resume=(tmp_path / "out.csv.hybridsem").exists())
    assert out.read_bytes() == whole.read_bytes()
    assert limit == 0 or pipeline.seen < ROWS - CHUNK


IN_A_SMALL_DISK = """
mount -t tmpfs -o size=200k none "$1" || exit 77
cp "$2" "$1/in.csv"
"$3" -m hybridsem score "$1/in.csv" -o "$1/out.csv" -m embedded -q && exit 1
test -e "$1/out.csv" && exit 2
mount -o remount,size=4m "$1"
"$3" -m hybridsem score "$1/in.csv" -o "$1/out.csv" -m embedded -q --resume && cp "$1/out.csv" "$4"
"""


def test_a_small_file_system_fills_and_grows(tmp_path: Path) -> None:
    path, disk = tmp_path / "in.csv", tmp_path / "disk"
    path.write_text("s1,s2\n" + "".join(f"Dog {i} ran.,The cat sat.\n" for i in range(3000)))
    disk.mkdir()
    script = ["bash", "-c", IN_A_SMALL_DISK, "-", str(disk), str(path), sys.executable, str(tmp_path / "out.csv")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    own = ["unshare", "--map-root-user", "--mount"] if shutil.which("unshare") else []
    done = subprocess.run([*own, *script], env=environment, capture_output=True, text=True)
    if done.returncode == 77 or "unshare" in done.stderr:
        return  # nothing may be mounted here; the limit on file size, above, stands for it
    assert done.returncode == 0, done.stderr
    assert "No space left on device; what was finished is kept, --resume goes on from there" in done.stderr
    score_file(Pipeline("embedded"), path, tmp_path / "whole.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_the_command_is_interrupted_and_goes_on(tmp_path: Path) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = [f"Dog {i} ran.,It ran." for i in range(3000)]
    path.write_text("s1,s2\n" + "\n".join(rows) + "\n")
    command = [sys.executable, "-m", "hybridsem", "score", str(path), "-o", str(out), "--model", "embedded"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
    journal = tmp_path / "out.csv.hybridsem" / "results.jsonl"
    while not (journal.exists() and journal.stat().st_size):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1]
    assert b"what was finished is kept; the same command with --resume goes on" in told
    assert told.endswith(b"hybridsem: interrupted\n")
    assert process.returncode == 130
    assert not out.exists()
    again = subprocess.run([*command, "--resume", "--json"], env=environment, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    report = json.loads(again.stdout)
    assert 2048 <= report["resumed_rows"] < report["rows"] == len(rows)
    score_file(Pipeline("embedded"), path, tmp_path / "whole.csv", chunk_size=2048)
    assert out.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_an_interrupt_just_after_the_first_line_loses_nothing(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync, out = os.fsync, tmp_path / "out.csv"
    results = tmp_path / "out.csv.hybridsem" / "results.jsonl"

    def interrupted(descriptor: int) -> None:
        fsync(descriptor)
        if results.exists() and os.path.samestat(os.fstat(descriptor), results.stat()):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupted)
        with pytest.raises(KeyboardInterrupt):
            score_file(Slow(), pairs, out, chunk_size=CHUNK)
    assert score_file(Slow(), pairs, out, chunk_size=CHUNK, resume=True).resumed_rows == CHUNK


def begun(pairs: Path, out: Path) -> None:
    """A run that was killed after some chunks."""
    while (
        run(pairs, out, resume=False, after=0.05) != -signal.SIGKILL
        or not (out.with_name(f"{out.name}.hybridsem") / "results.jsonl").exists()
    ):
        shutil.rmtree(out.with_name(f"{out.name}.hybridsem"), ignore_errors=True)
        out.unlink(missing_ok=True)


def test_other_inputs_and_settings_are_refused(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(InputError, match=r"nothing to resume: there is no .*out\.csv\.hybridsem"):
        score_file(Slow(), pairs, out, resume=True)
    begun(pairs, out)
    same = {"chunk_size": CHUNK, "details": True}
    with pytest.raises(InputError, match=r"an unfinished run is in .*--resume\) goes on, .*--force\) begins anew"):
        score_file(Slow(), pairs, out, **same)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="chunk_size was 3 and is now 8"):
        score_file(Slow(), pairs, out, chunk_size=8, details=True, resume=True)
    with pytest.raises(InputError, match="details was True and is now False"):
        score_file(Slow(), pairs, out, chunk_size=CHUNK, resume=True)
    with pytest.raises(InputError, match=r"model\.model was 'slow' and is now 'other'"):
        score_file(Slow({"model": "other"}), pairs, out, resume=True, **same)  # type: ignore[arg-type]
    before = pairs.read_text()
    pairs.write_text(before.replace("x,", "z,", 1))
    with pytest.raises(InputError, match=r"input\.sha256 was '\w+' and is now"):
        score_file(Slow(), pairs, out, resume=True, **same)  # type: ignore[arg-type]
    pairs.write_text(before)
    report = score_file(Slow(), pairs, out, resume=True, **same)  # type: ignore[arg-type]
    assert report.rows == ROWS > report.resumed_rows


def test_one_process_at_a_time(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    process = multiprocessing.get_context("fork").Process(target=child, args=(pairs, out, False))
    process.start()
    while not (tmp_path / "out.csv.hybridsem" / "manifest.json").exists():
        assert process.is_alive()
        time.sleep(0.001)
    with pytest.raises(InputError, match="another process is at work on this output"):
        score_file(Slow(), pairs, out, chunk_size=CHUNK, details=True, force=True)
    process.join()
    assert process.exitcode == 0


def test_an_input_that_changes_while_it_is_read(pairs: Path, tmp_path: Path) -> None:
    class Writes(Slow):
        def explain_all(self, given: Iterable[tuple[str, str]]) -> list[Explanation]:
            with pairs.open("a", encoding="utf-8") as stream:
                stream.write("more,a,b\n")
            return super().explain_all(given)

    with pytest.raises(InputError, match="the file has changed while it was read"):
        score_file(Writes(), pairs, tmp_path / "out.csv", chunk_size=CHUNK)
    assert not (tmp_path / "out.csv").exists()
