"""Read and write tables in all usual formats, one record at a time.

    pairs.py      sentence pairs: csv, tsv, s1;s2[;gold] lines, JSON lines, Parquet, Arrow, xlsx
    texts.py      one text a record, in the same formats
    records.py    records with any columns
    frames.py     pairs in lists, arrays and data frames in memory
    writers.py    writing in the same formats

    text.py  columnar.py  excel.py     the records of each family of formats
    columns.py                         the columns of the sentences and the gold score

Text files may be .gz or .zst, or standard input. The name of a file determines its format; for
pairs with any other name the first line does. Every fault is a :class:`FormatError` that names the
file, row and column.
"""

from hybridsem.tables.columns import Layout, Pair
from hybridsem.tables.pairs import PairReader, open_pairs, read_pairs
from hybridsem.tables.records import records, write_records
from hybridsem.tables.texts import open_texts

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
