"""Search, ranking, mining: the hybrid where there are more texts than can be compared pair by pair.

candidates.py    what scores best, or above a threshold, without scoring everything
ranking.py, mining.py, clusters.py    documents in order, alike pairs, groups
duplicates.py    records that say the same as one that is kept
    wording.py       which of them may be doubles by their words, before they are encoded
    surface.py       what tells two apart before they are parsed
index.py         an index on disk: build, append, delete, search
    folder.py, segment.py, vectors.py, packing.py, kept.py    its files
    building.py, scoring.py, neighbours.py, slots.py          making it, and finding in it
export.py        for Qdrant, LanceDB, Vespa, pgvector
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hybridsem.reader import Reader as Model
from hybridsem.search.candidates import Found, above, best, best_in_batch

if TYPE_CHECKING:
    from hybridsem.search.index import Hit, Index

__all__ = ["Found", "Hit", "Index", "Model", "above", "best", "best_in_batch"]


def __getattr__(name: str) -> Any:
    """Import the index when it is first used: a pipeline needs the rest alone."""
    if name not in ("Hit", "Index"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hybridsem.search import index

    return getattr(index, name)
