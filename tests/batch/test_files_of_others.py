"""Other people's files beside an output are never replaced or removed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.scorers import LengthScorer, fail

from hybridsem.batch import score_file
from hybridsem.errors import InputError

ROWS = 12


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{'x' * number},{'y' * number}\n" for number in range(1, ROWS + 1))
    Path("in.csv").write_text("s1,s2\n" + rows)
    score_file(LengthScorer(), "in.csv", "whole.csv")
    return tmp_path


def run(chunk: int = 0, then: Callable[[], object] = lambda: None, **given: bool) -> None:
    score_file(LengthScorer("any", chunk, then), "in.csv", "out.csv", chunk_size=3, **given)


def names() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"in.csv", "whole.csv"}


@pytest.mark.parametrize("chunk", [1, 4])
def test_an_output_that_comes_during_a_run_stays(chunk: int) -> None:
    with pytest.raises(InputError, match=r"an output has appeared during the run.*out\.csv"):
        run(chunk, lambda: Path("out.csv").write_text("mine"))
    assert Path("out.csv").read_text() == "mine"
    if chunk > 1:
        with pytest.raises(InputError, match="an output has appeared"):
            run(resume=True)
        assert Path("out.csv").read_text() == "mine"
        run(resume=True, force=True)
        assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
        assert names() == {"out.csv"}


def test_an_output_that_comes_between_two_runs_stays() -> None:
    Path("out.csv").write_text("old")
    with pytest.raises(ZeroDivisionError):
        run(3, fail, force=True)
    for content in ("mine", "old"):
        Path("out.csv").write_text(content)
        with pytest.raises(InputError, match="an output has appeared"):
            run(resume=True)
        assert Path("out.csv").read_text() == content
    run(resume=True, force=True)
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_of_the_same_name_is_refused_and_left_alone(force: bool) -> None:
    theirs = Path("out.csv.hybridsem")
    theirs.mkdir()
    (theirs / "manifest.json").write_text("mine")
    (theirs / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match="is not a work folder of hybridsem; move it away"):
        run(force=force)
    assert {path.name for path in theirs.iterdir()} == {"manifest.json", "thesis.tex"}
    assert names() == {"out.csv.hybridsem"}


def test_a_file_or_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    Path("out.csv.hybridsem").write_text("mine")
    with pytest.raises(InputError, match="is not a work folder"):
        run()
    Path("out.csv.hybridsem").unlink()
    (tmp_path / "elsewhere").mkdir()
    Path("out.csv.hybridsem").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is not a work folder"):
        run()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_file_that_was_put_into_the_work_folder_stays() -> None:
    run(2, lambda: Path("out.csv.hybridsem/notes.txt").write_text("mine"))
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert [path.name for path in Path("out.csv.hybridsem").iterdir()] == ["notes.txt"]


def test_a_name_that_leaves_no_room_for_an_ending() -> None:
    with pytest.raises(InputError, match="a file's name has at most 240 bytes"):
        score_file(LengthScorer(), "in.csv", "x" * 240 + ".csv")
