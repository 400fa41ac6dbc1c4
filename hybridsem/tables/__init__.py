"""Read and write tables in all usual formats, one record at a time.

Text files may be .gz or .zst, or standard input. The name of a file determines its format; for
pairs with any other name the first line does. Every fault is a :class:`FormatError` that names the
file, row and column.
"""

from hybridsem.tables.columns import Layout, Pair
from hybridsem.tables.readers import PairReader, open_pairs, open_texts, read_pairs
from hybridsem.tables.records import records, write_records

__all__ = [
    "Layout",
    "Pair",
    "PairReader",
    "open_pairs",
    "open_texts",
    "read_pairs",
    "records",
    "write_records",
]
