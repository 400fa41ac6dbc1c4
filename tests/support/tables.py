"""The same table in files of every format, what reads them back, and a pipeline of known scores."""

import csv
import datetime
import gzip
import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from hybridsem.explanations import Explanation, RoleMatch


class Lengths:
    """A pipeline with a score that is known; roles of an open inventory where ``paths`` is set."""

    def __init__(self, paths: bool = False) -> None:
        self.role = "nsubj:amod" if paths else "Agent"

    def explain(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        return [self._one(one, two) for one, two in pairs]

    def _one(self, one: str, two: str) -> Explanation:
        score = min(len(one), len(two)) / max(len(one), len(two))
        matches = (
            RoleMatch(self.role, self.role, one, two, score, 1.0, score),
            RoleMatch("Verb", None, "v", "", 0, 0, 0),
        )
        return Explanation(one, two, score, "lengths", matches, details={"coverage": 1.0})


WHEN = datetime.datetime(2026, 1, 2, 3, 4, 5)
TABLE: dict[str, list[Any]] = {
    "id": [1, 2, 3],
    "Sentence 1": ["a b", "café, ok", 'say "x"\nand y'],
    "Sentence 2": ["a b", "tea; or\tnot", "=1+1"],
    "gold": [1.0, None, 0.25],
    "when": [WHEN, None, WHEN],
}


def as_csv(table: dict[str, list[Any]], mark: str = ",") -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=mark, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return stream.getvalue()


def as_json(table: dict[str, list[Any]]) -> str:
    rows = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    return "\n\n".join(json.dumps(row, default=str) for row in rows)


def as_excel(table: dict[str, list[Any]], path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(list(table))
    for row in zip(*table.values(), strict=True):
        sheet.append(row)
        for cell in sheet[sheet.max_row]:
            cell.data_type = "s" if isinstance(cell.value, str) else cell.data_type
    book.save(path)


def as_stream(table: dict[str, list[Any]], path: Path) -> None:
    rows = pa.table(table)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows, max_chunksize=2)


def packed(content: bytes) -> bytes:
    return pa.Codec("zstd").compress(content, asbytes=True)


Write = Callable[[dict[str, list[Any]], Path], object]
WRITE: dict[str, Write] = {
    "in.parquet": lambda table, path: pa.parquet.write_table(
        pa.table(table), path, row_group_size=2
    ),
    "in.feather": lambda table, path: pa.feather.write_feather(pa.table(table), str(path)),
    "in.arrow": as_stream,
    "in.xlsx": as_excel,
    "in.csv": lambda table, path: path.write_bytes(as_csv(table).encode()),
    "bom.csv": lambda table, path: path.write_bytes(as_csv(table).encode("utf-8-sig")),
    "in.tab": lambda table, path: path.write_bytes(as_csv(table, "\t").encode()),
    "in.csv.zst": lambda table, path: path.write_bytes(packed(as_csv(table).encode())),
    "in.csv.gz": lambda table, path: path.write_bytes(gzip.compress(as_csv(table).encode())),
    "in.jsonl": lambda table, path: path.write_text(as_json(table)),
    "in.ndjson.gz": lambda table, path: path.write_bytes(gzip.compress(as_json(table).encode())),
}
"""A file of each format, by its name."""


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of an output of any format."""
    if path.suffix == ".parquet":
        return pa.parquet.read_table(path).to_pylist()
    if path.suffix in (".feather", ".arrow"):
        return pa.feather.read_table(str(path)).to_pylist()
    if path.suffix == ".xlsx":
        header, *rows = openpyxl.load_workbook(path).worksheets[0].iter_rows(values_only=True)
        return [dict(zip(map(str, header), row, strict=True)) for row in rows]
    content = path.read_bytes()
    if path.suffix == ".zst":
        content = pa.CompressedInputStream(pa.BufferReader(content), "zstd").read()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    if ".jsonl" in path.name:
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(text.splitlines(keepends=True)))
