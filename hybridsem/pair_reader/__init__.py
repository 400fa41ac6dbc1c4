"""Reading both sentences of a pair together.

PairReader           what a pipeline asks of one: chances for each pair
EmbeddedPairReader   the one in the package (``embedded``)
"""

from hybridsem.pair_reader.base import PairReader, Readings
from hybridsem.pair_reader.embedded import EmbeddedPairReader

__all__ = ["EmbeddedPairReader", "PairReader", "Readings"]
