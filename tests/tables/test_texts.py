"""Files of texts, of every kind."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from hybridsem.errors import FormatError, InputError
from hybridsem.tables.texts import open_texts

TEXTS = ["A dog barks.", 'She said "no, thanks".', "Ünï çødé; with\ttabs"]


def csv_of(path: Path, mark: str) -> None:
    cells = ['"' + text.replace('"', '""') + '"' for text in TEXTS]
    lines = [f"id{mark}text", *(f"{at}{mark}{cell}" for at, cell in enumerate(cells))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def json_of(path: Path) -> None:
    rows = [{"id": at, "text": text} for at, text in enumerate(TEXTS)]
    path.write_text("\n\n".join(map(json.dumps, rows)), encoding="utf-8")


def arrow_of(path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id": list(range(len(TEXTS))), "text": TEXTS})
    if path.suffix == ".parquet":
        pytest.importorskip("pyarrow.parquet").write_table(table, path)
    else:
        pytest.importorskip("pyarrow.feather").write_feather(table, path)


def sheet_of(path: Path) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    for row in [("id", "text"), *enumerate(TEXTS)]:
        book.active.append(row)
    book.save(path)


WRITERS: dict[str, Any] = {
    "a.csv": lambda path: csv_of(path, ","),
    "a.tsv": lambda path: csv_of(path, "\t"),
    "a.jsonl": json_of,
    "a.parquet": arrow_of,
    "a.feather": arrow_of,
    "a.xlsx": sheet_of,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_column_of_texts(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    WRITERS[name](path)
    for reader in (open_texts(path), open_texts(path, column="text")):
        assert [row.text for row in reader] == TEXTS
        assert [row.text for row in reader] == TEXTS  # as often as it is asked for
    assert [str(row.id) for row in open_texts(path, id_column="id")] == ["0", "1", "2"]
    with pytest.raises(FormatError, match="no column 'body'; it has 'id'"):
        list(open_texts(path, column="body"))


def test_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"one text\n\n  two \r\n"))
    assert [(row.text, row.line) for row in open_texts(path)] == [("one text", 1), ("two", 3)]
    with pytest.raises(InputError, match="no columns"):
        open_texts(path, column="text")
    with pytest.raises(InputError, match="cannot read the file"):
        list(open_texts(tmp_path / "none.txt"))


def test_strings_of_json(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('"one"\n"two"\n')
    assert [row.text for row in open_texts(path)] == ["one", "two"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "x,y\n1,2\n", "which column has the texts, got 'x', 'y'"),
        ("a.csv", "text\na,b\n", "expected 1 columns as in line 1, got 2"),
        ("a.csv", 'text\n"a\n', "quotation mark"),
        ("a.jsonl", "{]\n", "a.jsonl, line 1"),
        ("a.jsonl", '"\n', "no JSON"),
        ("a.tsv", "id\ttext\n\tx\n", "the id is missing"),
    ],
)
def test_what_is_no_file_of_texts(name: str, content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    ids = "id" if "id" in content else None
    with pytest.raises(FormatError, match=message):
        list(open_texts(path, id_column=ids))


def test_the_first_object_tells_the_column_for_all(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "A dog barked."}\n"It rains."\n{"label": "neutral"}\n')
    assert [row.text for row in open_texts(path)] == ["A dog barked.", "It rains.", None]
