"""Compute the tables that can be computed, and write their cards. The status is 1 where a table
could not be computed or differs without a cause.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from benchmarks.command import DATA, run
from benchmarks.reproduction import bansal, fodor, sage, zhu
from benchmarks.reproduction.page import unexplained
from benchmarks.reproduction.tables import save
from hybridsem._utils.tables import read_table
from hybridsem.errors import HybridSemError

PAPERS = {read_table(one.__file__)["paper"]: one.TABLES for one in (fodor, bansal, zhu, sage)}


def main(
    data: Path = DATA, only: Annotated[Sequence[str], "tables whose name begins so"] = ("",)
) -> None:
    problems = 0
    for table in (table for tables in PAPERS.values() for table in tables):
        if table.measure is None or not table.name.startswith(tuple(only)):
            continue
        began = time.perf_counter()
        try:
            figures = table.measure(data)
        except (HybridSemError, OSError) as error:
            print(f"{table.name}: {error}", file=sys.stderr)
            problems += 1
            continue
        save(table.name, figures)
        print(f"{table.name}: {len(figures)} figures, {time.perf_counter() - began:.0f} s")
        for figure in unexplained(table, figures):
            print(f"  differs without a cause: {figure}", file=sys.stderr)
            problems += 1
    if problems:
        sys.exit(1)


if __name__ == "__main__":
    run(main)
