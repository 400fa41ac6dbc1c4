"""A page that ranks models, from any folder of result cards.

    files, folders --read_cards--> cards --leaderboard--> Board --write--> index.html, …

A table for each benchmark, a row for each card. Ranks are ranges that inseparable models share.
Published figures take no part in ranks.
"""

from __future__ import annotations

from hybridsem.evaluation.report.leaderboard.board import leaderboard, rank
from hybridsem.evaluation.report.leaderboard.page import FILES, read_cards, write
from hybridsem.evaluation.report.leaderboard.published import PublishedRow, read_published

__all__ = [
    "FILES",
    "PublishedRow",
    "leaderboard",
    "rank",
    "read_cards",
    "read_published",
    "write",
]
