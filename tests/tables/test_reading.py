"""Reading tables: the same records from every format, and errors that name the line."""

import csv
import gzip
import io
import json
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.tables import TABLE, WRITE, as_excel

from hybridsem._utils import lines
from hybridsem._utils.lines import LineReader, checked_encoding
from hybridsem.errors import FormatError, InputError, MissingExtraError
from hybridsem.tables import open_pairs, open_texts, read_pairs, records

HERE = Path(__file__).parent


@pytest.fixture(params=WRITE)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of TABLE."""
    WRITE[request.param](TABLE, tmp_path / request.param)
    return tmp_path / request.param


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def triples(path: Path | str, **options: Any) -> list[tuple[str, str, float | None]]:
    return [(pair.text1, pair.text2, pair.gold) for pair in read_pairs(path, **options)]


# -- what is read


def test_every_format_gives_the_same(file: Path) -> None:
    """Pairs by names and positions, and texts with ids, repeatedly."""
    first, second = TABLE["Sentence 1"], TABLE["Sentence 2"]
    reader = open_pairs(file)
    for _ in range(2):
        assert [(pair.text1, pair.text2) for pair in reader] == list(
            zip(first, second, strict=True)
        )
        assert [pair.gold for pair in reader] == TABLE["gold"]
    assert reader.layout.columns == tuple(TABLE)
    assert triples(file, columns=("3", "2")) == list(zip(second, first, [None] * 3, strict=True))
    texts = open_texts(file, column="Sentence 1", id_column="id")
    for _ in range(2):
        assert [(row.text, str(row.id)) for row in texts] == list(zip(first, "123", strict=True))
    first_line = (
        1 if file.suffix in (".parquet", ".arrow", ".feather") or "json" in file.name else 2
    )
    assert next(iter(texts)).line == next(iter(reader)).line == first_line
    with pytest.raises(FormatError, match="no column 'body'; it has 'id'"):
        list(open_texts(file, column="body"))


PAIRS = [("The owl slept.", "An owl, tired, slept.", 0.9), ("Rain fell.", "He paid.", 0.05)]
READABLE = tomllib.loads((HERE / "readable_files.toml").read_text("utf-8"))
LIKE_PAIRS: dict[str, str] = READABLE["layouts"]


@pytest.mark.parametrize("name", LIKE_PAIRS)
def test_files_say_their_layout_in_many_ways(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert triples(write(tmp_path, name, LIKE_PAIRS[name])) == PAIRS
    if name.endswith(("txt", "dat")):
        stream = io.TextIOWrapper(io.BytesIO(LIKE_PAIRS[name].encode()))
        monkeypatch.setattr("sys.stdin", stream)
        assert triples("-") == PAIRS
        assert not stream.buffer.closed


def test_rows_lines_and_kept_columns(tmp_path: Path) -> None:
    path = write(
        tmp_path, "pairs.csv", 'id,s1,s2,note\n7,"two\n\nlines",b c,"say ""hi"""\n\n8,d e,f g,\n'
    )
    first, second = read_pairs(path)
    assert (first.row, first.line, first.text1, first.gold) == (0, 2, "two\n\nlines", None)
    assert first.extra == {"id": "7", "note": 'say "hi"'}
    assert first.fields == {"id": "7", "s1": "two\n\nlines", "s2": "b c", "note": 'say "hi"'}
    assert (second.row, second.line) == (1, 6)


@pytest.mark.parametrize("case", READABLE["rows"])
def test_columns_gold_scores_and_quotation_marks(case: dict[str, Any], tmp_path: Path) -> None:
    (found,) = triples(
        write(tmp_path, case["name"], case["content"]), columns=case["columns"] or None
    )
    expected = (*case["expected"], None)[:3]
    assert found == expected


def test_texts_a_line_or_an_object(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt.gz", gzip.compress(b"one text\n\n  two \r\n"))
    assert [(row.text, row.line) for row in open_texts(path)] == [("one text", 1), ("two", 3)]
    with pytest.raises(InputError, match="no columns"):
        open_texts(path, column="text")
    path = write(tmp_path, "a.jsonl", '{"text": "A dog barked."}\n{"label": "neutral"}\n')
    assert [row.text for row in open_texts(path)] == ["A dog barked.", None]
    path = write(tmp_path, "a.tsv", 'id\ttext\n1\t"two\nlines"\n2\tb\n')
    assert [(row.text, row.line) for row in open_texts(path)] == [("two\nlines", 2), ("b", 4)]


def test_records_have_plain_names_and_every_cell(tmp_path: Path) -> None:
    path = write(tmp_path, "r.tsv", 'Name \tS1\nx\t"a" b\n\t\ny\tc\n')
    assert list(records(path)) == [(2, {"name": "x", "s1": '"a" b'}), (4, {"name": "y", "s1": "c"})]
    with pytest.raises(InputError, match="cannot determine the format"):
        list(records(tmp_path / "r.txt"))


# -- encodings

ACCENTS = "s1,s2\nLe café est fermé.,Das Café ist zu.\nÀ bientôt.,Bis später.\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-32", "cp037"],
)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
def test_files_are_read_in_their_encoding(tmp_path: Path, encoding: str, ending: str) -> None:
    content = ACCENTS.encode(encoding)
    path = write(tmp_path, f"p{ending}", gzip.compress(content) if "gz" in ending else content)
    expected = [("Le café est fermé.", "Das Café ist zu."), ("À bientôt.", "Bis später.")]
    reader = open_pairs(path, encoding=encoding)
    texts = open_texts(path, column="s1", encoding=encoding)
    for _ in range(2):
        assert [(pair.text1, pair.text2) for pair in reader] == expected
        assert [row.text for row in texts] == [one for one, _ in expected]


def test_what_is_not_in_the_encoding_is_told_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, "pairs.csv", b"s1,s2\na,b\nc\x81,d\n")
    with pytest.raises(FormatError, match=r"line 3.*not cp1252: byte 2 of the line is 0x81"):
        list(open_pairs(path, encoding="cp1252"))
    kept = list(open_pairs(path, encoding="cp1252", keep_bad=True))
    assert [bool(pair.problem) for pair in kept] == [False, True]
    write(tmp_path, "pairs.csv", "s1,s2\na,b\n".encode("utf-16")[:-1])
    with pytest.raises(FormatError, match=r"not utf-16.*truncated data, near this line"):
        list(open_pairs(path, encoding="utf-16"))


@pytest.mark.parametrize("name", ["utf-9", "base64", "rot13", "", "é", "x\0y"])
def test_an_encoding_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="unknown encoding"):
        checked_encoding(name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_long_lines_are_whole_up_to_the_limit(
    encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["é" * 200_000, "b"]
    path = write(tmp_path, "long.txt", "\r\n".join(texts).encode(encoding))
    assert [line for _, line in LineReader(path, encoding=encoding)] == texts
    monkeypatch.setattr(lines, "LINE_LIMIT", 1 << 17)
    with pytest.raises(FormatError, match="line 1: longer than 0 MiB"):
        list(LineReader(path, encoding=encoding))


# -- what cannot be read

GZIP = gzip.compress(b"s1,s2\n" + b"a b,c d\n" * 99)
UNDECODABLE: dict[str, tuple[str, bytes, str]] = {
    "latin-1": (
        "p.csv",
        b"s1,s2\na b,c d\ncaf\xe9,c d\n",
        "line 3: column 's1': not UTF-8: byte 4",
    ),
    "utf-16": ("p.csv", "s1,s2\na,b\n".encode("utf-16"), "line 1: UTF-16"),
    "utf-16 without a mark": ("p.csv", "s1,s2\na,b\n".encode("utf-16-le"), "line 1: UTF-16"),
    "utf-16 of the other order": ("p.tsv", "s1\ts2\nä\tb\n".encode("utf-16-be"), "line 1: UTF-16"),
    "a NUL": ("p.txt", b"a b;c d\na\0b;c d\n", "line 2: column 'text1': a NUL character (byte 2"),
    "deep JSON": ("p.jsonl", b"[" * 100_000 + b"\n", "line 1: not valid JSON"),
    "damaged gzip": ("p.csv.gz", GZIP[:-9], "cannot be read further"),
    "no gzip": ("p.csv.gz", b"s1,s2\na b,c d\n", "line 1: cannot be read further"),
}
BROKEN = {
    case: tuple(row.values())
    for case, row in tomllib.loads((HERE / "broken_files.toml").read_text("utf-8")).items()
}
READERS: dict[str, Callable[[Path], Iterable[object]]] = {
    "p": read_pairs,
    "a": lambda path: open_texts(path, id_column="id" if path.suffix == ".tsv" else None),
    "r": records,
}


@pytest.mark.parametrize("case", BROKEN | UNDECODABLE)
def test_a_broken_file_is_an_error_that_names_file_and_line(case: str, tmp_path: Path) -> None:
    name, content, message = (BROKEN | UNDECODABLE)[case]
    path = write(tmp_path, name, content)
    with pytest.raises((FormatError, InputError)) as caught:
        list(READERS[name[0]](path))
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def arrow(folder: Path, name: str, table: pa.Table) -> Path:
    how = pa.parquet.write_table if name.endswith("parquet") else pa.feather.write_feather
    how(table, str(folder / name))
    return folder / name


NONE = pa.array([], pa.string())
BAD = {
    "numbers": ("p.parquet", {"s1": [1], "s2": ["a"]}, "column 's1': expected text, it has int64"),
    "no columns": ("p.feather", {"x": ["a"], "y": ["b"]}, "cannot determine which columns"),
    "empty": ("p.parquet", {"s1": NONE, "s2": NONE}, "no pairs"),
    "null": ("p.parquet", {"s1": ["a", None], "s2": ["b", "c"]}, "row 2: column 's1': expected a"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_columnar_files(case: str, tmp_path: Path) -> None:
    name, table, message = BAD[case]
    path = arrow(tmp_path, name, pa.table(table))
    with pytest.raises(FormatError, match=message) as caught:
        list(read_pairs(path))
    assert str(caught.value).startswith(str(path))
    twice = pa.table([["a"], ["b"], ["c"]], names=["s1", "s2", "s1"])
    with pytest.raises(FormatError, match="the column 's1' twice"):
        list(read_pairs(arrow(tmp_path, name, twice)))


def test_sheets_and_cells_that_are_no_sentences(tmp_path: Path) -> None:
    path, book = tmp_path / "in.xlsx", openpyxl.Workbook()
    book.active.append(["About this study"])
    for row in (["s1", "s2"], ["a", "b"], ["#N/A", "b"]):
        (book["Pairs"] if "Pairs" in book.sheetnames else book.create_sheet("Pairs")).append(row)
    book.save(path)
    with pytest.raises(FormatError, match=r"in\.xlsx, sheet 'Sheet': a header and no pairs"):
        list(read_pairs(path))
    book["Sheet"].sheet_state = "hidden"
    book.active = 1
    book.save(path)
    with pytest.raises(
        FormatError,
        match=r"sheet 'Pairs', row 3: column 's1': expected a sentence, got the error #N/A",
    ):
        list(read_pairs(path))
    as_excel({"s1": ["a", None, 5], "s2": ["b", None, "c"]}, path)
    with pytest.raises(FormatError, match=r"row 4: column 's1': expected a sentence, got 5"):
        list(read_pairs(path))
    kept = list(open_pairs(path, keep_bad=True))
    assert [(pair.line, pair.problem is None) for pair in kept] == [(2, True), (4, False)]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("p.csv", {"columns": "s1,s2"}, "got 's1,s2'"),
        ("p.csv", {"columns": ("a",)}, "two or three different names"),
        ("p.csv", {"columns": ("a", "a")}, "two or three different names"),
        ("p.csv", {"delimiter": ""}, "delimiter must be one character"),
        ("p.xlsx", {"delimiter": ";"}, "delimiter is for text tables"),
        ("p.csv", {"columns": ("left", "s2")}, "line 1: no column 'left'; it has 's1', 's2'"),
        ("p.csv", {"columns": ("1", "3")}, "line 1: no column '3'; it has 's1', 's2'"),
        ("bare.csv", {"columns": ("1", "3")}, "line 1: no column 3; the line has 2"),
    ],
)
def test_impossible_options(
    name: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path, name, "a b,c d\n" if name == "bare.csv" else "s1,s2\na,b\n")
    with pytest.raises((InputError, FormatError), match=message):
        list(read_pairs(path, **options))


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = write(tmp_path, "p.txt", "a;b\n" * 50_000 + "ragged\n")
    reader = open_pairs(path)
    next(iter(reader))
    read, size = reader.rows.progress
    assert (reader.format, size) == (";", path.stat().st_size)
    assert read < 100


def test_a_quote_that_is_never_closed_does_not_read_the_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = "word, " * 200_000
    path = write(tmp_path, "in.csv", f's1,s2\n"{long}",b\n')
    assert triples(path) == [(long, "b", None)]
    monkeypatch.setattr("hybridsem.tables.text.LINE_LIMIT", 1 << 20)
    write(tmp_path, "in.csv", 's1,s2\na,b\n"never closed' + ",x\n" * 600_000)
    with pytest.raises(FormatError, match="line 3: a stray or open quotation mark"):
        list(read_pairs(path))


@pytest.mark.parametrize(
    ("name", "library"),
    [("in.parquet", "pyarrow"), ("in.csv.zst", "pyarrow"), ("in.xlsx", "openpyxl")],
)
def test_a_missing_library_is_named(
    name: str, library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    WRITE[name](TABLE, tmp_path / name)
    monkeypatch.setitem(__import__("sys").modules, library, None)
    message = rf"{library}.* is not installed; run: pip install 'hybridsem\[files\]'"
    with pytest.raises(MissingExtraError, match=message):
        list(read_pairs(tmp_path / name))


# -- any text, any bytes

ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1)


def piped(content: bytes, **options: Any) -> list[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        return list(read_pairs("-", **options))


@given(
    st.lists(st.tuples(ANY, ANY, st.floats(-1, 1)), min_size=1, max_size=5),
    st.sampled_from([",", "\t"]),
)
def test_what_the_csv_library_writes_is_read_back(
    rows: list[tuple[str, str, float]], mark: str
) -> None:
    texts = "".join(one + other for one, other, _ in rows)
    # else a line can read as if nothing were quoted
    assume(mark == "," or not ("\t" in texts and "\n" in texts))
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=mark, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("s1", "s2", "score"), *rows])
    found = piped(stream.getvalue().encode(), delimiter=mark)
    assert [(pair.text1, pair.text2, pair.gold) for pair in found] == rows


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=5))
def test_json_lines_hold_any_text(rows: list[tuple[str, str]]) -> None:
    content = "".join(json.dumps({"s1": one, "s2": other}) + "\n" for one, other in rows)
    assert [(pair.text1, pair.text2) for pair in piped(content.encode())] == rows


@given(st.binary(max_size=200))
def test_any_bytes_give_pairs_or_a_format_error(content: bytes) -> None:
    try:
        outcome = "pairs" if piped(content) else "nothing"
    except FormatError as error:
        outcome = str(error)
    assert outcome == "pairs" or outcome.startswith("standard input")
