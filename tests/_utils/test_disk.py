"""Files are complete or absent."""

from pathlib import Path

import pytest

from hybridsem._utils.disk import replacing, saving
from hybridsem._utils.lines import LineReader
from hybridsem.errors import InputError


def test_a_file_is_replaced_at_the_end_and_is_as_open_as_any_other(tmp_path: Path) -> None:
    target, usual = tmp_path / "a.txt", tmp_path / "b.txt"
    target.write_text("old")
    usual.write_text("")
    with replacing(target) as part:
        part.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new"
    assert target.stat().st_mode == usual.stat().st_mode
    assert sorted(tmp_path.iterdir()) == [target, usual]


def test_what_breaks_off_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(UnicodeEncodeError), replacing(target) as part:
        part.write_text("half, then\ud800", encoding="utf-8")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", [".", "missing/a.txt"])
def test_what_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    refusal = "cannot write the page, got '.*': (Is a directory|No such file)"
    with pytest.raises(InputError, match=refusal), saving(path, "the page") as part:
        part.write_text("x")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("pears.csv", r"No such file or directory; did you mean '.*pairs\.csv'\?$"),
        ("x.txt", "; check the name; the folder is '.*'$"),
        ("none/pairs.csv", "; the folder '.*none' does not exist or cannot be read$"),
        (".", "Is a directory$"),
    ],
)
def test_a_missing_file_is_told_with_what_to_do(tmp_path: Path, name: str, advice: str) -> None:
    (tmp_path / "pairs.csv").touch()
    with pytest.raises(InputError, match=advice):
        [*LineReader(tmp_path / name)]
