"""A page that ranks models, from any folder of result cards.

    files, folders --read_cards--> cards --leaderboard--> Board --write--> index.html
                                                                           leaderboard.md
                                                                           leaderboard.csv
                                                                           leaderboard.json

A table for each benchmark, a row for each card. Ranks are ranges that inseparable models share. A
model's kind, needs and command come from its card or the registry (``provenance.py``). Published
figures take no part in ranks (``published.py``).
"""

from __future__ import annotations

from hybridsem.evaluation.report.leaderboard.board import (
    Board,
    Figure,
    Ranking,
    Row,
    Table,
    leaderboard,
    rank,
)
from hybridsem.evaluation.report.leaderboard.page import FILES, read_cards, write
from hybridsem.evaluation.report.leaderboard.published import PublishedRow, read_published

__all__ = [
    "FILES",
    "Board",
    "Figure",
    "PublishedRow",
    "Ranking",
    "Row",
    "Table",
    "leaderboard",
    "rank",
    "read_cards",
    "read_published",
    "write",
]
