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
from collections.abc import Callable
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
from hybridsem.errors import HybridSemError

SECONDS = 20.0
"""Of the processor: what takes longer is counted as slow."""

HANGS = 120.0
"""A process that says nothing for so long is ended."""

AFRESH = 8
"""Of so many sets of strings one is read anew by each method; the others are remembered."""

MODELS = ("hybrid", "verbnet-cn", "role-slots", "dependency-cn", "embedded", "amr-cn", "amr-wlk")
# -- what the processes do: (seed) -> what became of it


def file_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    sound = samples(folder)
    names = sorted(name for name in READERS if name in sound and only in name)

    def read(seed: int) -> tuple[str, str]:
        name = names[seed % len(names)]
        path = folder / name
        path.write_bytes(damaged(sound[name], random.Random(seed)))
        try:
            READERS[name](path)
        except HybridSemError:
            return name, "refused"
        return name, "read"

    return read


def strings_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    from hybridsem import Pipeline

    pipelines = [(model, Pipeline(model=model)) for model in MODELS if only in model]

    def score(seed: int) -> tuple[str, str]:
        draw = random.Random(seed)
        name, pipeline = pipelines[seed % len(pipelines)]
        one, two = signs(draw), signs(draw)
        try:
            there, back = pipeline.similarity(one, two), pipeline.similarity(two, one)
        except HybridSemError:
            return name, "refused"
        if there != back and not (math.isnan(there) and math.isnan(back)):
            return name, "DIFFERENT"
        if not (math.isnan(there) or -1 <= there <= 1):
            return name, "OUT OF RANGE"
        return name, "scored"

    return score


def methods_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    bench, names = Bench(folder), [name for name in METHODS if only in name]

    def use(seed: int) -> tuple[str, str]:
        number, at = divmod(seed, len(names))
        name = names[at]
        bench.remember(number % AFRESH != 0)
        METHODS[name](bench, sets(number))
        return name, "held"

    return use


def kept_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    logging.getLogger("hybridsem").setLevel(logging.CRITICAL)  # what is made anew is told
    sound: dict[str, Any] = {}

    def use(name: str, seed: int) -> tuple[str, str]:
        whole, copy = folder / name, folder / "copy" / name
        if name not in sound:
            whole.mkdir()
            KEPT[name].make(whole)
            shutil.copytree(whole, copy)
            sound[name] = KEPT[name].use(copy)
        shutil.rmtree(copy)
        shutil.copytree(whole, copy)
        what = f"{name}, {damage_a_file(copy, random.Random(seed))}"
        try:
            return what, "same" if KEPT[name].use(copy) == sound[name] else "DIFFERENT"
        except HybridSemError:
            return what, "refused"

    names = [name for name in KEPT if only in name]
    return lambda seed: use(names[seed % len(names)], seed)


def written_of(
    folder: Path, only: str, stopped: Callable[[random.Random, float, int], None]
) -> Any:
    """What commands write when they are stopped; they are run in a copy of this process.

    Args:
        folder: To write in.
        only: What the names of the commands have in them.
        stopped: Called in the copy before it begins, with what it takes: seconds, and the bytes of
            the largest file.
    """
    logging.getLogger("hybridsem").setLevel(logging.CRITICAL)
    known: dict[str, tuple[Any, Any, float, int]] = {}
    names = [name for name in WRITTEN if only in name]

    def begin(name: str) -> None:
        work, place = WRITTEN[name], folder / "whole" / name
        place.mkdir(parents=True)
        work.make(place)
        shutil.copytree(place, folder / "sound" / name)
        before, began = work.see(place), time.monotonic()
        work.do(place)
        largest = max(path.stat().st_size for path in place.rglob("*") if path.is_file())
        known[name] = before, work.see(place), time.monotonic() - began, largest
        place.rename(folder / "whole" / f"{name}, done")

    def use(seed: int) -> tuple[str, str]:
        name = names[seed % len(names)]
        work, place = WRITTEN[name], folder / "whole" / name
        if name not in known:
            begin(name)
        before, after, seconds, largest = known[name]
        shutil.copytree(folder / "sound" / name, place)
        try:
            pid = os.fork()
            if not pid:
                os._exit(_copy(lambda: stopped(random.Random(seed), seconds, largest), work, place))
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            if code not in (0, REFUSED, -signal.SIGKILL):
                return name, f"UNCAUGHT, {code}"
            seen = work.see(place)
            if not between(seen, before, after):
                return name, "TORN"
            work.do(place)  # with space again
            what = {0: "finished", REFUSED: "refused"}.get(code, "killed")
            return name, what if work.see(place) == after else "LOST"
        finally:
            shutil.rmtree(place)

    return use


def between(seen: Any, before: Any, after: Any) -> bool:
    """Whether each file is as it was, or as it shall be."""
    if isinstance(seen, dict):
        names = {*seen, *before, *after}
        return all(seen.get(name) in (before.get(name), after.get(name)) for name in names)
    return bool(seen in (before, after))


def _copy(stop: Callable[[], None], work: Written, place: Path) -> int:
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


def kills_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    def stopped(draw: random.Random, seconds: float, _: int) -> None:
        me, after = os.getpid(), draw.uniform(0, seconds)
        threading.Timer(after, lambda: os.kill(me, signal.SIGKILL)).start()

    return written_of(folder, only, stopped)


def full_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    def stopped(draw: random.Random, _: float, largest: int) -> None:
        """No file may be longer: as on a full disk writing fails in the middle."""
        limit = int(largest * draw.random() ** 3)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return written_of(folder, only, stopped)


def hostile_of(folder: Path, only: str) -> Callable[[int], tuple[str, str]]:
    logging.getLogger("hybridsem").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", RuntimeWarning)
    make(folder)
    shutil.copyfile(folder / "card.json", folder / "sound.json")
    names = [name for name in HOSTILE if only in name]
    sound = {name: (folder / name).read_bytes() for name in names}

    def read(seed: int) -> tuple[str, str]:
        name = names[seed % len(names)]
        (folder / name).write_bytes(hostile(sound[name], random.Random(seed)))
        try:
            HOSTILE[name](folder / name)
        except (HybridSemError, ClickException):
            return name, "refused"
        return name, "used"

    return read


def together_of(folder: Path, _: str) -> Callable[[int], tuple[str, str]]:
    """An index that is searched by two threads in each of two processes while it is written."""
    from hybridsem.search import Index

    nlp, texts = pipeline(), [f"{text} {turn}" for turn in range(4) for text in TEXTS]

    def searching(path: str, stop: Path) -> None:
        index = Index.open(path, nlp)

        def search() -> None:
            while not stop.exists():
                for hit in (*index.search(texts[0], 20), *index.search(agent="bank", top_k=20)):
                    if texts[int(hit.id) % len(texts)] != hit.text:
                        os._exit(8)

        threads = [threading.Thread(target=search, daemon=True) for _ in range(2)]
        threading.excepthook = lambda failed: (print(failed, file=sys.stderr), os._exit(9))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def write(seed: int) -> tuple[str, str]:
        draw, stop = random.Random(seed), folder / f"{seed}.stop"
        index = Index.build(texts[:40], folder / f"{seed}", nlp)
        readers = []
        for _ in range(2):
            if not (pid := os.fork()):
                searching(index.path, stop)
                os._exit(0)
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
        return f"together {codes}", "agreed" if same and codes == [0, 0] else "DIFFERENT"

    return write


REFUSED = 3

WORK = {
    "files": file_of,
    "strings": strings_of,
    "methods": methods_of,
    "kept": kept_of,
    "kills": kills_of,
    "full": full_of,
    "hostile": hostile_of,
    "together": together_of,
}


def child(kind: str, first: int, last: int, only: str) -> None:
    """Work through some seeds; a line for each: before it begins, and what became of it."""
    with tempfile.TemporaryDirectory() as folder:
        do = WORK[kind](Path(folder), only)
        for seed in range(first, last):
            print(json.dumps([seed]), flush=True)
            began = time.process_time()
            try:
                name, what = do(seed)
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                name = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
                what = "UNCAUGHT"
            took = time.process_time() - began
            print(json.dumps([seed, name, f"SLOW, {what}" if took > SECONDS else what]), flush=True)


# -- what the parent does


def tried(
    kind: str, number: int, start: int, until: float, only: str
) -> tuple[Counter[str], list[str]]:
    """The counts by what became of the seeds, and what is to be looked at."""
    counts: Counter[str] = Counter()
    bad: list[str] = []
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
                counts[what] += 1
                at = seed + 1
                if what.split(",")[0].isupper():
                    bad.append(f"{kind} seed {seed}: {what} {name}")
                    print(bad[-1], file=sys.stderr, flush=True)
                if time.monotonic() > until:
                    process.kill()
                    break
            signal.alarm(0)
            signal.signal(signal.SIGALRM, alarm)
            code = process.wait()
        if at < end and time.monotonic() < until:
            counts["DIED"] += 1
            bad.append(f"{kind} seed {begun}: DIED with {code}")
            print(bad[-1], file=sys.stderr, flush=True)
            at = begun + 1
    return counts, bad


SHARES = (0.4, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
"""Of the hours, after which each kind of work ends."""


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
    for kind, number, share in zip(WORK, numbers, SHARES, strict=True):
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
