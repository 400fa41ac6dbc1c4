"""Search, ranking, mining: the hybrid for more texts than can be compared pair by pair.

ranking.py       the best without scoring everything; documents in order; all pairs
close_pairs.py   pairs of vectors with a high cosine
mining.py        similar pairs, groups
duplicates.py    records that say the same as one that is kept
index.py         an index on disk: build, append, delete, search
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hybridsem.search.ranking import Found, best

if TYPE_CHECKING:
    from hybridsem.search.index import Hit, Index

__all__ = ["Found", "Hit", "Index", "best"]


def __getattr__(name: str) -> object:
    """Import the index when it is first used; a pipeline needs only the rest."""
    if name not in ("Hit", "Index"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hybridsem.search import index

    return getattr(index, name)
