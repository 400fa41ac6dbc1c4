"""What is promised of hostile text, damaged files and kills, tried for hours; prints counts.

    python benchmarks/soak.py     100,000 strings, 100,000 files, 200 kills, 2 hours at most
    python benchmarks/soak.py --methods 16000   20,000 strings through 16 groups of public methods
    python benchmarks/soak.py --strings 500 --files 2000 --kills 3 --hours 0.1

Files and strings are made from seeds, so that what is printed can be made again; they are read in a
process of their own, so that one that ends the process is counted, and the next go on. Needs the
extras ``files`` and ``vectors`` for all formats.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.damage import READERS, damaged, samples  # noqa: E402
from support.hostile import METHODS, Bench, sets, signs  # noqa: E402

from hybridsem.errors import HybridSemError  # noqa: E402

SECONDS = 20.0
"""A file or a string that takes longer is counted as slow."""

HANGS = 120.0
"""A process that says nothing for so long is ended."""

MODELS = ("hybrid", "verbnet-cn", "role-slots", "dependency-cn", "embedded", "amr-cn", "amr-wlk")
# -- what the processes do: (seed) -> what became of it


def file_of(folder: Path) -> Callable[[int], tuple[str, str]]:
    sound = samples(folder)
    names = sorted(name for name in READERS if name in sound)

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


def strings_of(folder: Path) -> Callable[[int], tuple[str, str]]:
    from hybridsem import Pipeline

    pipelines = [(model, Pipeline(model=model)) for model in MODELS]

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


def methods_of(folder: Path) -> Callable[[int], tuple[str, str]]:
    bench, names = Bench(folder), list(METHODS)

    def use(seed: int) -> tuple[str, str]:
        name = names[seed % len(names)]
        METHODS[name](bench, sets(seed // len(names)))
        return name, "held"

    return use


WORK = {"files": file_of, "strings": strings_of, "methods": methods_of}


def child(kind: str, first: int, last: int) -> None:
    """Work through some seeds; a line for each: before it begins, and what became of it."""
    with tempfile.TemporaryDirectory() as folder:
        do = WORK[kind](Path(folder))
        for seed in range(first, last):
            print(json.dumps([seed]), flush=True)
            began = time.monotonic()
            try:
                name, what = do(seed)
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                name = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}"
                what = "UNCAUGHT"
            took = time.monotonic() - began
            print(json.dumps([seed, name, "SLOW" if took > SECONDS else what]), flush=True)


# -- what the parent does


def run(kind: str, number: int, start: int, until: float) -> tuple[Counter[str], list[str]]:
    """The counts by what became of the seeds, and what is to be looked at."""
    counts: Counter[str] = Counter()
    bad: list[str] = []
    at, end = start, start + number
    while at < end and time.monotonic() < until:
        command = [sys.executable, __file__, "--child", kind, str(at), str(end)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
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
                if what.isupper():
                    bad.append(f"{kind} seed {seed}: {what} {name}")
                if time.monotonic() > until:
                    process.kill()
                    break
            signal.alarm(0)
            signal.signal(signal.SIGALRM, alarm)
            code = process.wait()
        if at < end and time.monotonic() < until:
            counts["DIED"] += 1
            bad.append(f"{kind} seed {begun}: DIED with {code}")
            at = begun + 1
    return counts, bad


def kills(number: int, start: int, until: float) -> tuple[Counter[str], list[str]]:
    """A run that is killed now and then, and resumed, gives the same file as one that is not."""
    counts: Counter[str] = Counter()
    bad: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = ("dog", "cat", "man", "saw", "chased", "old", "garden")
        draw = random.Random(start)
        rows = [" ".join(draw.choices(words, k=5)) for _ in range(2000)]
        pairs = folder / "pairs.csv"
        lines = "".join(f"{a}.,{b}.\n" for a, b in zip(rows, reversed(rows), strict=True))
        pairs.write_text("s1,s2\n" + lines)
        base = [sys.executable, "-m", "hybridsem", "score", str(pairs), "-q", "-m", "verbnet-cn"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        whole, out = folder / "whole.csv", folder / "out.csv"
        subprocess.run([*base, "-o", str(whole)], check=True, env=environment)
        while counts["killed"] < number and time.monotonic() < until:
            for _ in range(draw.randrange(6)):
                process = subprocess.Popen([*base, "-o", str(out), "--resume"], env=environment)
                try:
                    process.wait(draw.uniform(0.5, 8))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    counts["killed"] += 1
                else:
                    break
            else:
                subprocess.run([*base, "-o", str(out), "--resume"], env=environment, check=False)
            same = out.exists() and out.read_bytes() == whole.read_bytes()
            counts["finished alike" if same else "DIFFERENT"] += 1
            if not same:
                bad.append(f"kills: another result after {counts['killed']} kills")
            out.unlink(missing_ok=True)
    return counts, bad


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strings", type=int, default=100_000)
    parser.add_argument("--methods", type=int, default=0, help="sets of 20 strings, one a method")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--hours", type=float, default=2.0, help="no longer than this in all")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child[0], int(given.child[1]), int(given.child[2]))
        return 0
    began = time.monotonic()
    problems = 0
    work = (
        ("files", given.files, 0.4),
        ("strings", given.strings, 0.8),
        ("methods", given.methods, 0.9),
        ("kills", given.kills, 1.0),
    )
    for kind, number, share in work:
        until = began + share * 3600 * given.hours
        if kind == "kills":
            counts, bad = kills(number, given.seed, until)
        else:
            counts, bad = run(kind, number, given.seed, until)
        print(
            f"{kind}: " + (", ".join(f"{n:,} {what}" for what, n in counts.most_common()) or "none")
        )
        for line in bad:
            print(f"  {line}")
        problems += len(bad)
    print(f"{problems} problems in {time.monotonic() - began:.0f} seconds")
    return min(problems, 1)


if __name__ == "__main__":
    sys.exit(main())
