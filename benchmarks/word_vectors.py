"""What word vectors cost: reading a file once, opening it again, memory that processes share,
looking up.

    python -m benchmarks.word_vectors [--words 500000] [--dimension 300] [--source FILE]

Without --source, a file in the word2vec binary format is made for the purpose in a temporary
folder, which also holds the cache. gensim's reading of the same file, in the same run, is the
comparison.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.timing import spent
from hybridsem import registry
from hybridsem.embeddings.word_files import entries

OPEN = """
import sys, time
from pathlib import Path
from hybridsem import registry
# measured is the loading, not the import
import hybridsem.embeddings.word_lookup, hybridsem.embeddings.word_store
start = time.perf_counter()
words = registry.vectors("word2vec:" + sys.argv[1], None)
first = words.embed(["w7"])
print(time.perf_counter() - start, flush=True)
words.embed([f"w{n}" for n in range(int(sys.argv[2]))])
print("read", flush=True)
sys.stdin.readline()
"""


def make(path: Path, words: int, dimension: int) -> None:
    rng = np.random.default_rng(0)
    with path.open("wb") as file:
        file.write(f"{words} {dimension}\n".encode())
        for at in range(0, words, 10_000):
            rows = rng.normal(size=(min(10_000, words - at), dimension)).astype("<f4")
            file.write(
                b"".join(f"w{at + i} ".encode() + row.tobytes() for i, row in enumerate(rows))
            )


def text_ratio(folder: Path, dimension: int) -> float:
    """How many times as long as here gensim takes to read a text file of 10,000 words."""
    from gensim.models import KeyedVectors

    path = folder / "made.txt"
    rows = np.random.default_rng(0).normal(size=(10_000, dimension))
    with path.open("w") as file:
        file.write(f"10000 {dimension}\n")
        file.writelines(f"w{i} {' '.join(f'{x:.4f}' for x in row)}\n" for i, row in enumerate(rows))
    own = spent(lambda: sum(1 for _ in entries(path))).clock
    return round(spent(lambda: KeyedVectors.load_word2vec_format(str(path))).clock / own, 2)


def own_and_shared(pid: int) -> tuple[int, int]:
    """Megabytes of memory that are the process's own, and that it shares."""
    import psutil

    memory = psutil.Process(pid).memory_full_info()
    return memory.uss >> 20, (memory.rss - memory.uss) >> 20


def measure(source: Path, words: int) -> dict[str, object]:
    from gensim.models import KeyedVectors

    found: dict[str, object] = {"file_mb": source.stat().st_size >> 20}
    name = f"word2vec:{source}"
    found["first_use_s"] = round(spent(lambda: registry.vectors(name, None)).clock, 2)
    vectors = registry.vectors(name, None)
    read = partial(KeyedVectors.load_word2vec_format, str(source), binary=True)
    found["gensim_s"] = round(spent(read).clock, 2)
    command = [sys.executable, "-c", OPEN, str(source), str(min(words, 200_000))]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    opened = [float(process.stdout.readline()) for process in running if process.stdout]
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    found["second_load_s"] = [round(seconds, 4) for seconds in opened]
    found["two_processes_own_and_shared_mb"] = [own_and_shared(process.pid) for process in running]
    for process in running:
        process.communicate("\n")
    some = [f"w{n}" for n in np.random.default_rng(1).integers(0, words, 20_000)]
    vectors.embed(some[:100])
    found["look_ups_per_s"] = round(len(some) / spent(lambda: vectors.embed(some)).clock)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--words", type=int, default=500_000)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--source", type=Path, help="a word2vec binary file with words w0, w1, …")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYBRIDSEM_CACHE"] = folder
        source = options.source or Path(folder) / "made.bin"
        if options.source is None:
            make(source, options.words, options.dimension)
        figures = measure(source, options.words)
        figures["text_gensim_over_ours"] = text_ratio(Path(folder), options.dimension)
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
