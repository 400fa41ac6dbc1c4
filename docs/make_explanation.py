"""Draws docs/explanation.svg, the picture of an explanation in the README."""

from __future__ import annotations

from pathlib import Path

from hybridsem import Pipeline
from hybridsem.render import as_svg

SENTENCES = (
    "The old fisherman followed a young painter along the harbour yesterday.",
    "Yesterday, a young painter followed the fisherman along the quay.",
)

if __name__ == "__main__":
    target = Path(__file__).with_name("explanation.svg")
    target.write_text(as_svg(Pipeline().explain(*SENTENCES), width=480), encoding="utf-8")
    print(f"wrote {target}")
