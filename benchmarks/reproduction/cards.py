"""The card of a table: what was computed, with what, by which command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.reproduction.tables import Figure
from hybridsem import __version__

__all__ = ["CARDS", "command", "load", "save"]

CARDS = Path(__file__).parent / "cards"
SCHEMA = "hybridsem/reproduction"


def command(name: str) -> str:
    """What computes a table anew."""
    return f"python -m benchmarks.reproduction --data ../shared/data --only {name}"


def save(name: str, figures: Sequence[Figure], folder: Path = CARDS) -> None:
    """Write the card of a table; figures to six decimals."""
    plain = {
        "schema": SCHEMA,
        "table": name,
        "hybridsem": __version__,
        "command": command(name),
        "figures": [
            {
                key: round(value, 6) if isinstance(value, float) else value
                for key, value in asdict(figure).items()
                if value not in (None, "") or key == "value"
            }
            for figure in figures
        ],
    }
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(plain, indent=1, ensure_ascii=False)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def load(name: str, folder: Path = CARDS) -> list[Figure] | None:
    """The figures of a table's card; None where there is no card."""
    file = folder / f"{name}.json"
    if not file.exists():
        return None
    plain = json.loads(file.read_text(encoding="utf-8"))
    return [Figure(**figure) for figure in plain["figures"]]
