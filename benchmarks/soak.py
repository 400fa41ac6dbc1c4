"""What is promised of hostile text, damaged files and kills, tried for hours; prints counts.

    python -m benchmarks.soak     as many as the options say, 2 hours at most
    python -m benchmarks.soak --strings 500 --files 2000 --kept 100 --kills 3 --hours 0.1
    python -m benchmarks.soak --methods 16000   20,000 strings through 16 groups of public methods
    python -m benchmarks.soak --only index --strings 0 --files 0 --kept 2000 --kills 0 --full 0

``files`` are files of others; ``kept`` is what the program keeps itself (tests/support/kept.py):
damaged, it must be refused or give what it gave. ``kills`` and ``full`` stop commands that write
(soak_written.py): what was there stays, or what they write is whole. ``hostile`` files are
made up (tests/support/made_up.py), ``together`` searches an index while it is written. All are made
from seeds, so that what is printed can be made again; they are tried in a process of their own, so
that one that ends the process is counted, and the next go on. Needs the extras ``files``,
``search``, ``train`` and ``vectors``.
"""

from __future__ import annotations

import json
import logging
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from benchmarks.command import ROOT, run

sys.path.insert(0, str(ROOT / "tests"))

from click import ClickException
from support.damage import READERS, damage_a_file, damaged, samples
from support.hostile import METHODS, Bench, sets, signs
from support.kept import KEPT, TEXTS, pipeline
from support.made_up import HOSTILE, hostile, make

from benchmarks.soak_written import WRITTEN, Written
from hybridsem import Pipeline
from hybridsem.errors import HybridSemError
from hybridsem.search import Index

SECONDS = 20.0
"""Of the processor: what takes longer is counted as slow."""

HANGS = 120.0
"""A process that says nothing for so long is ended."""

AFRESH = 8
"""Of so many sets of strings one is read anew by each method; the others are remembered."""

REFUSED = 3
"""The exit status of a command that is refused."""

MODELS = ("hybrid", "verbnet-cn", "role-slots", "dependency-cn", "embedded", "amr-cn", "amr-wlk")
Try = Callable[[random.Random, int], str]
"""Tries something and says what became of it; given are draws, and how often it was tried."""

# -- what the processes do: each kind of work has tries by name


def files(folder: Path) -> dict[str, Try]:
    """Damaged files of others."""
    sound = samples(folder)

    def read(name: str, draw: random.Random, _: int) -> str:
        (folder / name).write_bytes(damaged(sound[name], draw))
        READERS[name](folder / name)
        return "read"

    return {name: partial(read, name) for name in sorted(READERS) if name in sound}


def strings(_: Path) -> dict[str, Try]:
    """Pairs of hostile strings, both ways."""

    def score(pipeline: Pipeline, draw: random.Random, _: int) -> str:
        one, two = signs(draw), signs(draw)
        there, back = pipeline.similarity(one, two), pipeline.similarity(two, one)
        if there != back and not (math.isnan(there) and math.isnan(back)):
            return "DIFFERENT"
        return "scored" if math.isnan(there) or -1 <= there <= 1 else "OUT OF RANGE"

    return {model: partial(score, Pipeline(model)) for model in MODELS}


def methods(folder: Path) -> dict[str, Try]:
    """Sets of 20 strings, one a method."""
    bench = Bench(folder)

    def use(name: str, _: random.Random, turn: int) -> str:
        bench.remember(turn % AFRESH != 0)
        METHODS[name](bench, sets(turn))
        return "held"

    return {name: partial(use, name) for name in METHODS}


def kept(folder: Path) -> dict[str, Try]:
    """Damaged files of the program."""

    @cache
    def sound(name: str) -> Any:
        (folder / name).mkdir()
        KEPT[name].make(folder / name)
        return KEPT[name].use(_copied(folder / name, folder / "copy" / name))

    def use(name: str, draw: random.Random, _: int) -> str:
        wanted, copy = sound(name), _copied(folder / name, folder / "copy" / name)
        what = damage_a_file(copy, draw)
        return "same" if KEPT[name].use(copy) == wanted else f"DIFFERENT, {what}"

    return {name: partial(use, name) for name in KEPT}


def _copied(source: Path, copy: Path) -> Path:
    shutil.rmtree(copy, ignore_errors=True)
    return Path(shutil.copytree(source, copy))


def stopped(stop: Callable[[random.Random, float, int], None], folder: Path) -> dict[str, Try]:
    """Commands that are stopped while they write; they are run in a copy of this process.

    Args:
        stop: Called in the copy before it begins, with what it takes: seconds, and the bytes of
            the largest file.
        folder: To write in.
    """

    @cache
    def known(name: str) -> tuple[Any, Any, float, int]:
        work, place = WRITTEN[name], folder / "whole" / name
        place.mkdir(parents=True)
        work.make(place)
        shutil.copytree(place, folder / "sound" / name)
        before, began = work.see(place), time.monotonic()
        work.do(place)
        largest = max(path.stat().st_size for path in place.rglob("*") if path.is_file())
        found = before, work.see(place), time.monotonic() - began, largest
        place.rename(folder / "whole" / f"{name}, done")
        return found

    def use(name: str, draw: random.Random, _: int) -> str:
        work, place = WRITTEN[name], folder / "whole" / name
        before, after, seconds, largest = known(name)
        shutil.copytree(folder / "sound" / name, place)
        try:
            if not (pid := os.fork()):
                os._exit(_written(lambda: stop(draw, seconds, largest), work, place))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if code not in (0, REFUSED, -signal.SIGKILL):
                return f"UNCAUGHT, {code}"
            if not between(work.see(place), before, after):
                return "TORN"
            work.do(place)  # with space again
            what = {0: "finished", REFUSED: "refused"}.get(code, "killed")
            return what if work.see(place) == after else "LOST"
        finally:
            shutil.rmtree(place)

    return {name: partial(use, name) for name in WRITTEN}


def between(seen: Any, before: Any, after: Any) -> bool:
    """Whether each file is as it was, or as it shall be."""
    if isinstance(seen, dict):
        names = {*seen, *before, *after}
        return all(seen.get(name) in (before.get(name), after.get(name)) for name in names)
    return bool(seen in (before, after))


def _written(stop: Callable[[], None], work: Written, place: Path) -> int:
    """What the copy of this process does; its exit status."""
    try:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        stop()
        work.do(place)
        return 0
    except (HybridSemError, ClickException):
        return REFUSED
    except SystemExit as end:
        return REFUSED if end.code else 0
    except BaseException:
        (place.parent / "uncaught.txt").write_text(traceback.format_exc())
        return 9


def killed(draw: random.Random, seconds: float, _: int) -> None:
    """Kill this process at some moment."""
    me, after = os.getpid(), draw.uniform(0, seconds)
    threading.Timer(after, lambda: os.kill(me, signal.SIGKILL)).start()


def full(draw: random.Random, _: float, largest: int) -> None:
    """No file may be longer: as on a full disk writing fails in the middle."""
    limit = int(largest * draw.random() ** 3)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


def made_up(folder: Path) -> dict[str, Try]:
    """Made-up JSON files."""
    make(folder)
    shutil.copyfile(folder / "card.json", folder / "sound.json")
    sound = {name: (folder / name).read_bytes() for name in HOSTILE}

    def read(name: str, draw: random.Random, _: int) -> str:
        (folder / name).write_bytes(hostile(sound[name], draw))
        HOSTILE[name](folder / name)
        return "used"

    return {name: partial(read, name) for name in HOSTILE}


def together(folder: Path) -> dict[str, Try]:
    """An index that is searched by two threads in each of two processes while it is written."""
    nlp, texts = pipeline(), [f"{text} {turn}" for turn in range(4) for text in TEXTS]

    def search(index: Index, stop: Path) -> None:
        while not stop.exists():
            for hit in (*index.search(texts[0], 20), *index.search(agent="bank", top_k=20)):
                if texts[int(hit.id) % len(texts)] != hit.text:
                    os._exit(8)

    def searching(path: str, stop: Path) -> None:
        index = Index.open(path, nlp)
        threading.excepthook = lambda failed: (print(failed, file=sys.stderr), os._exit(9))
        threads = [threading.Thread(target=search, args=(index, stop)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        os._exit(0)

    def write(draw: random.Random, turn: int) -> str:
        stop = folder / f"{turn}.stop"
        index = Index.build(texts[:40], folder / str(turn), nlp)
        readers = []
        for _ in range(2):
            if not (pid := os.fork()):
                searching(index.path, stop)
            readers.append(pid)
        held = set(range(40))
        for _ in range(12):
            way = draw.choice(("append", "append", "delete", "compact"))
            first = index.contents.manifest.next_id
            if way == "append" and first + 20 < len(texts):
                index.append(texts[first : first + 20])
                held |= {*range(first, first + 20)}
            elif way == "delete" and len(held) > 10:
                gone = draw.sample(sorted(held), 5)
                index.delete(gone)
                held -= {*gone}
            else:
                index.compact()
        stop.touch()
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in readers]
        same = {int(one) for one, _ in index} == held
        shutil.rmtree(index.path)
        return "agreed" if same and codes == [0, 0] else f"DIFFERENT, readers ended with {codes}"

    return {"together": write}


WORK: Mapping[str, tuple[Callable[[Path], dict[str, Try]], float]] = {
    "files": (files, 0.4),
    "strings": (strings, 0.7),
    "methods": (methods, 0.75),
    "kept": (kept, 0.8),
    "kills": (partial(stopped, killed), 0.85),
    "full": (partial(stopped, full), 0.9),
    "hostile": (made_up, 0.95),
    "together": (together, 1.0),
}
"""What has the tries of each kind of work, and the share of the hours after which it ends."""

REFUSING = ("files", "strings", "kept", "hostile")
"""Kinds of work in which an error of ``hybridsem.errors`` is a right answer."""


def child(kind: str, first: int, last: int, only: str) -> None:
    """Work through some seeds; a line for each: before it begins, and what became of it."""
    logging.getLogger("hybridsem").setLevel(logging.CRITICAL)  # what is made anew is told
    warnings.simplefilter("ignore", RuntimeWarning)
    with tempfile.TemporaryDirectory() as folder:
        tries = WORK[kind][0](Path(folder))
        names = [name for name in tries if only in name or kind == "together"]
        for seed in range(first, last):
            print(json.dumps([seed]), flush=True)
            began, name = time.process_time(), names[seed % len(names)]
            try:
                what = tries[name](random.Random(seed), seed // len(names))
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
                of_the_tree = isinstance(error, (HybridSemError, ClickException))
                what = "refused" if of_the_tree and kind in REFUSING else f"UNCAUGHT, {where}"
            slow = time.process_time() - began > SECONDS
            print(json.dumps([seed, name, f"SLOW, {what}" if slow else what]), flush=True)


# -- what the parent does


def tried(
    kind: str, number: int, start: int, until: float, only: str
) -> tuple[Counter[str], list[str]]:
    """The counts by what became of the seeds, and what is to be looked at."""
    counts: Counter[str] = Counter()
    bad: list[str] = []

    def look(seed: int, what: str) -> None:
        bad.append(f"{kind} seed {seed}: {what}")
        print(bad[-1], file=sys.stderr, flush=True)

    at, end = start, start + number
    while at < end and time.monotonic() < until:
        code = f"from benchmarks.soak import child; child({kind!r}, {at}, {end}, {only!r})"
        command = [sys.executable, "-c", code]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
        ) as process:
            assert process.stdout is not None
            begun = at
            alarm = signal.signal(signal.SIGALRM, lambda *_, ends=process: ends.kill())
            for line in process.stdout:
                signal.alarm(int(HANGS))
                seed, *found = json.loads(line)
                if not found:
                    begun = seed
                    continue
                name, what = found
                kind_of_end = what.split(",")[0]
                counts[kind_of_end] += 1
                at = seed + 1
                if kind_of_end.isupper():
                    look(seed, f"{what} {name}")
                if time.monotonic() > until:
                    process.kill()
                    break
            signal.alarm(0)
            signal.signal(signal.SIGALRM, alarm)
            code = process.wait()
        if at < end and time.monotonic() < until:
            counts["DIED"] += 1
            look(begun, f"DIED with {code}")
            at = begun + 1
    return counts, bad


def main(
    files: Annotated[int, "damaged files of others"] = 100_000,
    strings: Annotated[int, "pairs of hostile strings"] = 100_000,
    methods: Annotated[int, "sets of 20 strings, one a method"] = 0,
    kept: Annotated[int, "damaged files of the program"] = 20_000,
    kills: Annotated[int, "commands that are killed"] = 2_000,
    full: Annotated[int, "runs on a full disk"] = 2_000,
    hostile: Annotated[int, "made-up JSON files"] = 10_000,
    together: Annotated[int, "searches during writing"] = 100,
    hours: Annotated[float, "no longer than this in all"] = 2.0,
    seed: Annotated[int, "the first seed"] = 0,
    only: Annotated[str, "what has this in its name"] = "",
) -> None:
    began, problems = time.monotonic(), 0
    numbers = (files, strings, methods, kept, kills, full, hostile, together)
    for (kind, (_, share)), number in zip(WORK.items(), numbers, strict=True):
        until = began + share * 3600 * hours
        counts, bad = tried(kind, number, seed, until, only)
        told = ", ".join(f"{count:,} {what}" for what, count in counts.most_common())
        print(f"{kind}: {told or 'none'}", *bad, sep="\n  ")
        problems += len(bad)
    print(f"{problems} problems in {time.monotonic() - began:.0f} seconds")
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    run(main)
