"""Text inputs in other encodings than UTF-8."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from hybridsem._utils import lines
from hybridsem._utils.lines import LineReader, checked_encoding
from hybridsem.cli import main
from hybridsem.errors import FormatError, InputError
from hybridsem.tables import open_pairs
from hybridsem.tables.texts import open_texts

PAIRS = "s1,s2\nLe café est fermé.,Das Café ist zu.\nÀ bientôt.,Bis später.\n"
ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-32", "cp037")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
def test_pairs_are_read_in_their_encoding(tmp_path: Path, encoding: str, ending: str) -> None:
    path = tmp_path / f"pairs{ending}"
    written = PAIRS.encode(encoding)
    path.write_bytes(gzip.compress(written) if ending.endswith("gz") else written)
    reader = open_pairs(path, encoding=encoding)
    expected = [("Le café est fermé.", "Das Café ist zu."), ("À bientôt.", "Bis später.")]
    for _ in range(2):  # as often as it is asked for
        assert [(pair.text1, pair.text2) for pair in reader] == expected


def test_texts_are_read_in_their_encoding(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_bytes('{"text": "Café"}\n'.encode("utf-16"))
    assert [row.text for row in open_texts(path, encoding="utf-16")] == ["Café"]


def test_a_line_longer_than_the_blocks_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    texts = ["é" * 200_000, "b"]
    path.write_bytes("\r\n".join(texts).encode("utf-16"))
    assert [line for _, line in LineReader(path, encoding="utf-16")] == texts


def test_the_limit_of_a_line_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_LIMIT", 1 << 20)
    path = tmp_path / "long.txt"
    path.write_bytes(("x" * (1 << 21)).encode("utf-16"))
    with pytest.raises(FormatError, match="longer than 1 MiB"):
        list(LineReader(path, encoding="utf-16"))


def test_what_is_not_in_the_encoding_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_bytes(b"s1,s2\na,b\nc\x81,d\n")
    with pytest.raises(FormatError, match=r"line 3.*not cp1252: byte 2 of the line is 0x81"):
        list(open_pairs(path, encoding="cp1252"))
    kept = list(open_pairs(path, encoding="cp1252", keep_bad=True))
    assert [bool(pair.problem) for pair in kept] == [False, True]
    path.write_bytes("s1,s2\na,b\n".encode("utf-16")[:-1])
    with pytest.raises(FormatError, match=r"not utf-16.*truncated data, near this line"):
        list(open_pairs(path, encoding="utf-16"))


@pytest.mark.parametrize("name", ["utf-9", "base64", "rot13", "", "é", "x\0y"])
def test_an_encoding_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="unknown encoding"):
        checked_encoding(name)


def test_commands_take_an_encoding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    source.write_bytes(PAIRS.encode("cp1252"))
    command = ["score", str(source), "-o", str(out), "-m", "jaccard"]
    assert main(command) == 1
    told = capsys.readouterr().err
    assert "not UTF-8: byte 7 of the line is 0xe9" in told
    assert "or name its encoding with --encoding cp1252" in told
    assert main([*command, "--encoding", "utf-99"]) == 1
    assert "unknown encoding, got 'utf-99'" in capsys.readouterr().err
    assert not out.exists()
    assert main([*command, "--encoding", "cp1252"]) == 0
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert rows[1][:2] == ["Le café est fermé.", "Das Café ist zu."]
    capsys.readouterr()
    assert main([*command, "--encoding", "latin-1", "--resume"]) == 1, "of another encoding"


def test_a_kept_record_is_written_as_utf_8(tmp_path: Path) -> None:
    source, kept = tmp_path / "texts.txt", tmp_path / "kept.txt"
    source.write_bytes("Le café est fermé.\nLe café est fermé.\n".encode("cp1252"))
    command = ["dedup", str(source), "-o", str(kept), "--encoding", "cp1252"]
    assert main(command) == 0
    assert kept.read_text(encoding="utf-8") == "Le café est fermé.\n"


def test_lines_are_parsed_and_changed_in_their_encoding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "texts.txt"
    source.write_bytes("The café closed.\n".encode("utf-16"))
    assert main(["parse", str(source), "--encoding", "utf-16", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["text"] == "The café closed."
    assert main(["perturb", str(source), "-k", "uppercase", "--encoding", "utf-16"]) == 0
    assert main(["perturb", str(source), "-k", "negation"]) == 1
    assert "UTF-16 text; save the file as UTF-8 or name its encoding with --encoding utf-16" in (
        capsys.readouterr().err
    )
