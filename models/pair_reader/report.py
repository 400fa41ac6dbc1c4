"""What the shipped reader alone gets right: on rows held back, and on tests.

python -m models.pair_reader.report --data ../shared/data --made runs/pairs.jsonl
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from hybridsem.pair_reader import EmbeddedPairReader
from models.pair_reader.data import ROWS, kept_rows, tests
from models.pair_reader.train import measured
from models.recipe import command


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--made", type=Path, help="what models.pairs wrote")
    parser.add_argument("--rows", type=Path, default=ROWS)
    options = parser.parse_args()
    held = [row for row in kept_rows(options.data, options.made, options.rows) if row.held]
    for title, rows in (("held back", held), ("tests", tests(options.data))):
        found = EmbeddedPairReader().read([(row.first, row.second) for row in rows])
        neither = [1 - found.entails - found.contradicts, 1 - found.entailed - found.contradicts]
        columns = (
            *(found.entails, neither[0], found.contradicts),
            *(found.entailed, neither[1], found.contradicts),
            *(found.similarity, found.paraphrase),
        )
        print(title, json.dumps(measured(np.column_stack(columns), rows)), flush=True)


if __name__ == "__main__":
    main()
