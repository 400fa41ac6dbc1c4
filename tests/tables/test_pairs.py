"""Pair files: formats, columns, quoting, and errors that name the line."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hybridsem.errors import FormatError, InputError
from hybridsem.tables import open_pairs, read_pairs


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def triples(path: Path, **options: object) -> list[tuple[str, str, float | None]]:
    return [(pair.text1, pair.text2, pair.gold) for pair in read_pairs(path, **options)]  # type: ignore[arg-type]


EXPECTED = [("The owl slept.", "An owl, tired, slept.", 0.9), ("Rain fell.", "He paid.", 0.05)]

SAME_PAIRS = {
    "header.csv": (
        "sentence1,sentence2,score\n"
        'The owl slept.,"An owl, tired, slept.",0.9\nRain fell.,He paid.,0.05\n'
    ),
    "bare.csv": 'The owl slept.,"An owl, tired, slept.",0.9\nRain fell.,He paid.,0.05\n',
    "semicolon.csv": (
        "s1;s2;gold\nThe owl slept.;An owl, tired, slept.;0.9\nRain fell.;He paid.;0.05\n"
    ),
    "names.tsv": (
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n"
        "1\tThe owl slept.\tAn owl, tired, slept.\t0.9\n2\tRain fell.\tHe paid.\t0.05\n"
    ),
    "lines.txt": "The owl slept.;An owl, tired, slept.;0.9\nRain fell.;He paid.;0.05",
    "tabs.txt": (
        "premise\thypothesis\tscore\r\nThe owl slept.\tAn owl, tired, slept.\t0.9\r\nRain "
        "fell.\tHe paid.\t0.05\r\n"
    ),
    "objects.jsonl": (
        '{"text1": "The owl slept.", "text2": "An owl, tired, slept.", "similarity": 0.9}\n\n'
        '{"text1": "Rain fell.", "text2": "He paid.", "similarity": "0.05"}\n'
    ),
    "looks.dat": (
        '{"a": "The owl slept.", "b": "An owl, tired, slept.", "gold": 0.9}\n'
        '{"a": "Rain fell.", "b": "He paid.", "gold": 0.05}\n'
    ),
    "bom.csv": (
        "\ufeffSentence 1,Sentence-2,Score\n"
        'The owl slept.,"An owl, tired, slept.",0.9\n\nRain fell.,He paid.,0.05\n\n'
    ),
}


@pytest.mark.parametrize("name", SAME_PAIRS)
def test_every_format_gives_the_same_pairs(name: str, tmp_path: Path) -> None:
    assert triples(write(tmp_path, name, SAME_PAIRS[name])) == EXPECTED


def test_gzip(tmp_path: Path) -> None:
    path = write(tmp_path, "pairs.csv.gz", gzip.compress(SAME_PAIRS["header.csv"].encode()))
    assert triples(path) == EXPECTED


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(SAME_PAIRS["lines.txt"].encode()))
    monkeypatch.setattr("sys.stdin", stream)
    assert triples(Path("-")) == EXPECTED
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


def test_columns_can_be_named_or_counted(tmp_path: Path) -> None:
    named = write(tmp_path, "named.csv", "left,right,human,score\na b,c d,3,9\n")
    assert triples(named, columns=("left", "right")) == [("a b", "c d", None)]
    assert triples(named, columns=("right", "left", "human")) == [("c d", "a b", 3.0)]
    bare = write(tmp_path, "bare.tsv", "x\t2.5\ta b\tc d\n")
    assert triples(bare, columns=("3", "4", "2")) == [("a b", "c d", 2.5)]


def test_a_label_column_of_words_is_no_gold_score(tmp_path: Path) -> None:
    path = write(tmp_path, "nli.tsv", "premise\thypothesis\tlabel\na b\tc d\tneutral\n")
    (pair,) = read_pairs(path)
    assert pair.gold is None
    assert pair.extra == {"label": "neutral"}


def test_two_sentences_and_a_number_by_semicolons_whatever_the_file_is_called(
    tmp_path: Path,
) -> None:
    path = tmp_path / "STSS131_processed.csv"
    path.write_text("You, get up.;Rise, now.;0.8\nA cat; A, dog.;0.1\n", encoding="utf-8")
    found = [(pair.text1, pair.text2, pair.gold) for pair in read_pairs(path)]
    assert found == [("You, get up.", "Rise, now.", 0.8), ("A cat", " A, dog.", 0.1)]


def test_a_decimal_comma(tmp_path: Path) -> None:
    path = write(tmp_path, "p.csv", "s1;s2;score\na b;c d;3,5\na b;c d;4\na b;c d;,25\n")
    assert [pair.gold for pair in read_pairs(path)] == [3.5, 4, 0.25]
    with pytest.raises(FormatError, match="line 5: column 'score': expected a number, got '1,2,3'"):
        triples(write(tmp_path, "p.csv", path.read_text() + "a b;c d;1,2,3\n"))


def test_a_missing_gold_score_is_none(tmp_path: Path) -> None:
    path = write(tmp_path, "p.csv", "s1,s2,score\na b,c d,1\na b,c d,\na b,c d,nan\n")
    assert [pair.gold for pair in read_pairs(path)] == [1.0, None, None]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ('"Well," he said\tShe left.\t1', ('"Well," he said', "She left.")),
        ('"Well\tShe left.\t1', ('"Well', "She left.")),
        ('"a\ttab"\tShe left.\t1', ("a\ttab", "She left.")),
        ('The 6" nail\tShe left.\t1', ('The 6" nail', "She left.")),
    ],
)
def test_quotation_marks_in_tab_separated_files(
    line: str, fields: tuple[str, str], tmp_path: Path
) -> None:
    path = write(tmp_path, "p.tsv", f"s1\ts2\tscore\n{line}\na b\tc d\t2\n")
    first, second = triples(path)
    assert first == (*fields, 1.0)
    assert second == ("a b", "c d", 2.0)


BROKEN = {
    "empty file": ("p.csv", "", "the file is empty"),
    "only blank lines": ("p.txt", "\n \n", "the file is empty"),
    "only a header": ("p.csv", "s1,s2,score\n", "a header and no pairs"),
    "one text column": (
        "p.csv",
        "id,sentence1,other\n1,a b,c d\n",
        "line 1: the header has 'sentence1' and no 'sentence2'",
    ),
    "no text column": ("p.csv", "id,left,right\n1,a b,c d\n", "line 1: cannot tell which columns"),
    "two unknown short names": (
        "p.csv",
        "left,right\na b,c d\n",
        "line 1: cannot tell which columns",
    ),
    "a column twice": (
        "p.csv",
        "s1,s2,x,x\na,b,c,d\n",
        "line 1: the header has the column 'x' twice",
    ),
    "too few fields": (
        "p.csv",
        "s1,s2,score\na b,c d,1\n\na b,c d\n",
        "line 4: expected 3 columns as in line 1, got 2",
    ),
    "too many fields": (
        "p.txt",
        "a b;c d;1\na; b;c d;1\n",
        "line 2: expected 3 columns as in line 1, got 4",
    ),
    "an open quote": (
        "p.csv",
        's1,s2\na b,c d\n"a b,c d\ne,f\n',
        "line 3: a stray or open quotation mark",
    ),
    "text after a quote": ("p.csv", 's1,s2\n"a" b,c d\n', "line 2: a stray or open quotation mark"),
    "gold is no number": (
        "p.csv",
        "s1,s2,score\na b,c d,1\na b,c d,high\n",
        "line 3: column 'score': expected a number",
    ),
    "gold is infinite": (
        "p.csv",
        "s1,s2,score\na b,c d,1\na b,c d,inf\n",
        "line 3: column 'score': expected a number",
    ),
    "latin-1": (
        "p.csv",
        b"s1,s2\na b,c d\ncaf\xe9,c d\n",
        "line 3: column 's1': not UTF-8: byte 4 of the line is 0xe9",
    ),
    "utf-16": ("p.csv", "s1,s2\na,b\n".encode("utf-16"), "line 1: UTF-16"),
    "utf-16 without a mark": ("p.csv", "s1,s2\na,b\n".encode("utf-16-le"), "line 1: UTF-16"),
    "utf-16 of the other order": ("p.tsv", "s1\ts2\nä\tb\n".encode("utf-16-be"), "line 1: UTF-16"),
    "CR alone": ("p.csv", 's1,s2\ra,"b\r"\r', "line 1: lines end in CR alone"),
    "old Excel": (
        "p.xls",
        b"\xd0\xcf\x11\xe0",
        ".xls files are not read; save the table as .xlsx or .csv",
    ),
    "a NUL": (
        "p.txt",
        b"a b;c d\na\0b;c d\n",
        "line 2: column 'text1': a NUL character (byte 2 of the line)",
    ),
    "invalid JSON": ("p.jsonl", '{"s1": "a", "s2": "b"}\n{"s1": \n', "line 2: not valid JSON"),
    "JSON array": ("p.jsonl", '["a", "b"]\n', "line 1: expected a JSON object"),
    "an array of objects": (
        "p.json",
        '[{"s1": "a", "s2": "b"}]\n',
        "line 1: expected a JSON object in each line",
    ),
    "the same by another name": (
        "p.txt",
        '[{"s1": "a", "s2": "b"}]\n',
        "line 1: expected a JSON object in each line",
    ),
    "JSON key missing": (
        "p.jsonl",
        '{"s1": "a", "s2": "b"}\n{"s1": "a"}\n',
        "line 2: column 's2': expected a sentence, it is",
    ),
    "JSON number": (
        "p.jsonl",
        '{"s1": "a", "s2": 5}\n',
        "line 1: column 's2': expected a sentence, got 5",
    ),
    "deep JSON": ("p.jsonl", "[" * 100_000 + "\n", "line 1: not valid JSON"),
    "one sentence a line": ("p.txt", "just a sentence\n", "line 1: expected two sentences"),
    "damaged gzip": (
        "p.csv.gz",
        gzip.compress(b"s1,s2\n" + b"a b,c d\n" * 99)[:-9],
        "cannot be read on",
    ),
    "no gzip": ("p.csv.gz", b"s1,s2\na b,c d\n", "line 1: cannot be read on"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_an_error_that_names_file_and_line(case: str, tmp_path: Path) -> None:
    name, content, message = BROKEN[case]
    path = write(tmp_path, name, content)
    with pytest.raises((FormatError, InputError)) as caught:
        list(read_pairs(path))
    assert str(path) in str(caught.value)
    assert message in str(caught.value)


def test_lines_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybridsem._utils.lines.LINE_LIMIT", 100)
    path = write(tmp_path, "p.txt", "a;b\n" + "x" * 101)
    with pytest.raises(FormatError, match="line 2: longer than"):
        list(read_pairs(path))


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(InputError, match="cannot read the file, got"):
            list(read_pairs(path))


@pytest.mark.parametrize(
    "options",
    [{"columns": "s1,s2"}, {"columns": ("a",)}, {"columns": ("a", "a")}, {"delimiter": ""}],
)
def test_impossible_options(options: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="got"):
        read_pairs(tmp_path / "p.csv", **options)  # type: ignore[arg-type]


def test_named_columns_that_are_not_there(tmp_path: Path) -> None:
    path = write(tmp_path, "p.csv", "s1,s2\na,b\n")
    with pytest.raises(FormatError, match="line 1: no column 'left'; it has 's1', 's2'"):
        list(read_pairs(path, columns=("left", "s2")))
    with pytest.raises(FormatError, match="line 1: no column '3'; it has 's1', 's2'"):
        list(read_pairs(path, columns=("1", "3")))
    with pytest.raises(FormatError, match="line 1: no column 3; the line has 2"):
        list(read_pairs(write(tmp_path, "bare.csv", "a b,c d\n"), columns=("1", "3")))


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = write(tmp_path, "p.txt", "a;b\n" * 50_000 + "ragged\n")
    reader = open_pairs(path)
    pairs = iter(reader)
    next(pairs)
    assert reader.format == ";"
    read, size = reader.progress
    assert read < 100
    assert size == path.stat().st_size


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1)


@given(
    st.lists(st.tuples(TEXTS, TEXTS, st.floats(-1, 1)), min_size=1, max_size=5),
    st.sampled_from([",", "\t"]),
)
def test_what_the_csv_library_writes_is_read_back(
    rows: list[tuple[str, str, float]], mark: str
) -> None:
    texts = "".join(one + other for one, other, _ in rows)
    assume(
        mark == "," or not ("\t" in texts and "\n" in texts)
    )  # then a line can read as if nothing were quoted
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=mark, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([("s1", "s2", "score"), *rows])
    reader = open_pairs("-", delimiter=mark)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stream.getvalue().encode())))
        assert [(pair.text1, pair.text2, pair.gold) for pair in reader] == rows


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=5))
def test_json_lines_hold_any_text(rows: list[tuple[str, str]]) -> None:
    content = "".join(json.dumps({"s1": one, "s2": other}) + "\n" for one, other in rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        assert [(pair.text1, pair.text2) for pair in read_pairs("-")] == rows


@given(st.binary(max_size=200))
def test_any_bytes_give_pairs_or_a_format_error(content: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        try:
            outcome = "pairs" if list(read_pairs("-")) else "nothing"
        except FormatError as error:
            outcome = str(error)
    assert outcome == "pairs" or outcome.startswith("standard input")


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("sts/stsb-en-test.csv", 1379),
        ("sts/SICK_test_annotated.txt", 4927),
        ("sts/Fodor_pilot_2022.txt", 120),
    ],
)
def test_published_files(name: str, rows: int, shared_data: Path) -> None:
    pairs = list(read_pairs(shared_data / name))
    assert len(pairs) == rows
    assert all(pair.text1 and pair.text2 and pair.gold is not None for pair in pairs)
