"""How long the evaluator takes, and how much memory: STS3k's size from a file of similarities, and
a million rows.

    python benchmarks/evaluator.py [--rows 1000000]

Made-up pairs and ratings in the layouts of the release and of a csv file. Each part runs in a
process of its own, whose greatest memory is printed; "flat" is what the million rows take beyond a
file of a thousand.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

RUN = """
import resource, sys, time
from hybridsem.evaluation import evaluate, similarities_file
began = time.perf_counter()
card = evaluate(sys.argv[1], similarities_file(sys.argv[3]), sys.argv[2])
seconds = time.perf_counter() - began
memory, value = card.cost["peak_memory_mb"], card.headline["all"].value
print(f"{seconds:.2f} {time.process_time():.2f} {memory} {value:.4f}")
"""


def measured(task: str, data: Path, similarities: Path) -> tuple[float, float, float]:
    """Seconds, seconds of processor time (imports and all threads) and the greatest memory in MB of
    one evaluation.
    """
    command = [sys.executable, "-c", RUN, task, str(data), str(similarities)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, processor, memory, _ = map(float, done.stdout.split())
    return seconds, processor, memory


def columns(rows: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    gold = random.integers(0, 1001, rows) / 1000
    return gold, gold + random.normal(0, 0.3, rows)


def release(folder: Path, rows: int = 2800, adversarial: int = 1665, negatives: int = 71) -> Path:
    """A folder in the layout of the STS3k release."""
    experiment = folder / "Data-experiment"
    experiment.mkdir()
    gold, scores = columns(rows)
    lines = [
        f"The first sentence of {i}.;The second one of {i}.;{rating:.3f}"
        for i, rating in enumerate(gold)
    ]
    (experiment / "STS3k_all.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    places = {"adv_noneg": range(adversarial), "non_adv": range(adversarial + negatives, rows)}
    for name, indices in places.items():
        (experiment / f"STS3k_{name}_indices.txt").write_text(
            "\n".join(map(str, indices)) + "\n", encoding="utf-8"
        )
    np.savetxt(folder / "similarities.txt", scores, "%.6f")
    return folder


def table(folder: Path, rows: int) -> tuple[Path, Path]:
    """A csv file of rated pairs, and similarities for it."""
    gold, scores = columns(rows)
    data, similarities = folder / f"pairs{rows}.csv", folder / f"similarities{rows}.txt"
    with data.open("w", encoding="utf-8") as stream:
        stream.write("id,sentence1,sentence2,score\n")
        for i, rating in enumerate(gold):
            stream.write(
                f"p{i},A sentence about thing {i} and its parts.,Another one about thing "
                f"{i}.,{rating:.3f}\n"
            )
    np.savetxt(similarities, scores, "%.6f")
    return data, similarities


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = release(folder)
        seconds, processor, _ = measured("sts3k", whole, folder / "similarities.txt")
        print("2,800 pairs in STS3k's groups, three correlations with intervals:", end=" ")
        print(f"{seconds:.2f} s ({processor:.2f} s of processor time)   wanted < 3 s")
        few, many = (measured("sts", *table(folder, count)) for count in (1000, rows))
        more = many[2] - few[2]
        print(
            f"{rows:,} rows of csv: {many[0]:.1f} s ({many[1]:.1f} s of processor time), "
            f"{many[2]:.0f} MB",
            end="; ",
        )
        print(f"{more:.0f} MB more than for 1,000")


if __name__ == "__main__":
    main()
