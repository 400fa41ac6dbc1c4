"""Compute the tables that can be computed, and write their cards."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benchmarks.reproduction import bansal, fodor, sage, zhu
from benchmarks.reproduction.cards import save
from benchmarks.reproduction.page import unexplained
from hybridsem.errors import HybridSemError

PAPERS = {
    "Fodor, De Deyne & Suzuki 2024": fodor.TABLES,
    "Bansal et al. 2025": bansal.TABLES,
    "Zhu & de Melo 2020": zhu.TABLES,
    "Goel, Lee & Ramchandran 2025 (SAGE)": sage.TABLES,
}


def main() -> int:
    """1 where a table could not be computed or differs without a cause, else 0."""
    parser = argparse.ArgumentParser(description="The papers' tables, computed anew.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", nargs="*", default=[""], help="tables whose name begins so")
    options = parser.parse_args()
    problems = 0
    for table in (table for tables in PAPERS.values() for table in tables):
        if table.measure is None or not table.name.startswith(tuple(options.only)):
            continue
        began = time.perf_counter()
        try:
            figures = table.measure(options.data)
        except (HybridSemError, OSError) as error:
            print(f"{table.name}: {error}", file=sys.stderr)
            problems += 1
            continue
        save(table.name, figures)
        print(f"{table.name}: {len(figures)} figures, {time.perf_counter() - began:.0f} s")
        for figure in unexplained(table, figures):
            print(f"  differs without a cause: {figure}", file=sys.stderr)
            problems += 1
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())
