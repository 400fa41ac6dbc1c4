"""Make ``hybridsem/data/phrases.tsv.gz``: phrases and how their meanings are related.

    python -m models.phrases.build --data ../shared/data

The rows are described in ``hybridsem/phrases/lexicon.py``, which reads them.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
TARGET = FOLDER.parents[1] / "hybridsem/data/phrases.tsv.gz"


def written(path: Path) -> Iterator[list[str]]:
    """The rows of a table that was written by hand."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            category, left, right, *rest = line.split("\t")
            relation = rest[0] if rest else "equivalent"
            sides = [side.replace(", ", "|") for side in (left, right)]
            if relation in ("equivalent", "abbreviation"):
                sides = ["|".join(sides)]
            yield [relation, category, path.stem.replace("_", " "), *sides]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    tables = [path for path in sorted(FOLDER.glob("*.tsv")) if path.stem != "pairs"]
    rows = [row for path in tables for row in written(path)]
    sources = [["source", name, "1.0"] for name in dict.fromkeys(row[2] for row in rows)]
    text = "".join("\t".join(row) + "\n" for row in [*sources, *rows])
    TARGET.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{TARGET}: {len(rows)} rows, {TARGET.stat().st_size} bytes")
