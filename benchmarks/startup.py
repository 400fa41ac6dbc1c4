"""How long a cold start takes, `import hybridsem` and one `hybridsem similarity` from the shell;
and a warm pair.

    python benchmarks/startup.py [--runs 7]

Cold figures are the fastest and the median of several fresh processes. The import is measured
inside the process, so the interpreter's own start is not in it; the command line is measured from
outside, with everything in it, by the clock and in processor time. The warm figures are of one
pipeline in one process: sentences that it has not seen, one pair a call.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

IMPORT = (
    "import time; began = time.perf_counter(); import hybridsem; print(time.perf_counter() - began)"
)
COMMAND = [
    sys.executable,
    "-m",
    "hybridsem",
    "similarity",
    "A dog chases a cat.",
    "A cat is chased by a dog.",
]

PEOPLE = ("baker", "pilot", "teacher", "nurse", "sailor", "painter", "farmer", "clerk")
THINGS = ("books", "maps", "coins", "letters", "clocks", "boats", "lamps")


def import_seconds() -> float:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def command_seconds() -> tuple[float, float]:
    """By the clock, and of the processor."""
    with tempfile.TemporaryDirectory() as empty:
        began, before = time.perf_counter(), processor_of_children()
        subprocess.run(COMMAND, check=True, capture_output=True, cwd=empty)
        return time.perf_counter() - began, processor_of_children() - before


def processor_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def warm_seconds(pairs: int = 200) -> list[float]:
    from hybridsem import Pipeline

    nlp = Pipeline()
    nlp.similarity("The first call reads the weights.", "So it is not counted.")
    taken = []
    for i in range(pairs):
        one, other = (
            (
                f"The {PEOPLE[(i + k) % 8]} showed {i} {THINGS[i % 7]} to the "
                f"{PEOPLE[(i * 3 + 5 - k) % 8]} before lunch."
            )
            for k in (0, 1)
        )
        began = time.perf_counter()
        nlp.similarity(one, other)
        taken.append(time.perf_counter() - began)
    return taken


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    print(f"Python {platform.python_version()}, {platform.machine()}, {runs} runs each")
    clock, processor = zip(*(command_seconds() for _ in range(runs)), strict=True)
    for name, times, bound in (
        ("import hybridsem", [import_seconds() for _ in range(runs)], 0.3),
        ("hybridsem similarity, cold", clock, 2.5),
        ("  of the processor", processor, 0.5),
    ):
        print(
            f"{name:28} fastest {min(times):.3f} s   median {statistics.median(times):.3f} s   "
            f"wanted < {bound} s"
        )
    taken = [1000 * seconds for seconds in warm_seconds()]
    centre, high = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(
        f"{'similarity, warm':28} median {centre:.1f} ms    95th percentile {high:.1f} ms    "
        "wanted < 25 ms a pair"
    )


if __name__ == "__main__":
    main()
