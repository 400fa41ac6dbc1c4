"""Tables of every usual kind, read one record at a time, and written.

    pairs.py      sentence pairs: csv, tsv, s1;s2[;gold] lines, JSON lines, Parquet, Arrow, xlsx
    texts.py      the same kinds of files with one text a record
    records.py    records whatever their columns
    frames.py     pairs in lists, arrays and data frames in memory
    writers.py    the same kinds of files, written

    text.py  columnar.py  excel.py     what a record is in each family of formats
    columns.py                         which columns are the sentences and the gold score

Text files may be .gz or .zst, and standard input. The name of a file decides how it is read; for
pairs of any other name the first line does. Every problem is a :class:`FormatError` that names the
file, the row and the column.
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
