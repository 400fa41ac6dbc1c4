"""The public sets of labelled pairs: rows, labels, and rows that share a sentence with a test set.

    python -m benchmarks.everyday_data --data ../shared/data                 a table of all sets
    python -m benchmarks.everyday_data --data ../shared/data --read rte      200 rows to read

The rows to read are drawn from the lines of the file with the seed 59, as for the shares of wrong
labels in docs/everyday-data.md.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from hybridsem.datasets.labelled_pairs import SETS, LabelledPairs, labelled_set
from hybridsem.datasets.settings import Settings
from hybridsem.tables.records import records
from models.held_out import usable

FOLDERS = ("everyday", "inference")
COUNT, SEED = 200, 59


def files(data: Path) -> Iterator[tuple[str, Path]]:
    """The sets that are there, with their files."""
    for name, row in SETS.items():
        for file in dict.fromkeys(file for found in row["files"].values() for file in found):
            yield from ((name, data / f / file) for f in FOLDERS if (data / f / file).is_file())


def described(name: str, read: LabelledPairs, data: Path) -> str:
    """A row of the table."""
    labels = ", ".join(f"{label} {count:,}" for label, count in Counter(read.labels).most_common())
    whole = read.rows + read.repeated + read.broken
    left = len(usable(name, read.pairs, data))
    cells = (read.source.removesuffix(".tsv"), f"{whole:,}", f"{read.rows:,}", labels)
    return f"| {' | '.join(cells)} | {read.rows - left:,} |"


def drawn(file: Path) -> Iterator[str]:
    """The rows to read, in the order of the file."""
    rows = [record for _, record in records(file)]
    chosen = sorted(random.Random(SEED).sample(range(len(rows)), COUNT))
    for number, row in enumerate((rows[at] for at in chosen), 1):
        kind = row.get("genre") or row.get("kind") or ""
        yield f"{number} {row['label']} [{kind}] {row['sentence1']} || {row['sentence2']}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--read", metavar="FILE", help="such as mnli-train")
    options = parser.parse_args(arguments)
    if options.read:
        (file,) = (file for _, file in files(options.data) if file.stem == options.read)
        print(*drawn(file), sep="\n")
        return
    print("| file | rows | distinct | labels | share a sentence with a test set |")
    print("| --- | --- | --- | --- | --- |")
    for name, file in files(options.data):
        print(described(name, labelled_set(name)(file, Settings()), options.data))


if __name__ == "__main__":
    main()
