"""Search, ranking, mining: the hybrid where there are more texts than can be compared pair by pair.

candidates.py   what scores best, or above a threshold, without scoring everything
model.py        what of a pipeline this needs
"""

from __future__ import annotations

from hybridsem.search.candidates import Found, above, best, best_in_batch
from hybridsem.search.model import Model

__all__ = ["Found", "Model", "above", "best", "best_in_batch"]
