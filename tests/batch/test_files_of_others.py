"""Files that somebody else has put where a run works: they are never replaced or removed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from hybridsem.batch import score_file
from hybridsem.batch.checkpoint import MARK
from hybridsem.errors import HybridSemError, InputError
from hybridsem.explanations import Explanation

ROWS = 12


class Does:
    """A pipeline during whose work, at the chunk of that number, something happens."""

    def __init__(self, chunk: int = 0, then: Callable[[], object] = lambda: None) -> None:
        self.settings = {"model": "any"}
        self.chunk, self.then, self.seen = chunk, then, 0

    def explain(self, pairs: Iterable[tuple[str, str]]) -> list[Explanation]:
        self.seen += 1
        if self.seen == self.chunk:
            self.then()
        return [Explanation(one, two, 1 / (len(one) + len(two)), "any") for one, two in pairs]


def dies() -> None:
    raise ZeroDivisionError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{'x' * number},{'y' * number}\n" for number in range(1, ROWS + 1))
    Path("in.csv").write_text("s1,s2\n" + rows)
    score_file(Does(), "in.csv", "whole.csv")
    return tmp_path


def run(chunk: int = 0, then: Callable[[], object] = lambda: None, **given: bool) -> None:
    score_file(Does(chunk, then), "in.csv", "out.csv", chunk_size=3, **given)  # type: ignore[arg-type]


def names() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"in.csv", "whole.csv"}


@pytest.mark.parametrize("chunk", [1, 4])
def test_an_output_that_comes_during_a_run_stays(chunk: int) -> None:
    with pytest.raises(InputError, match=r"an output has come while it was made, got '.*out\.csv'"):
        run(chunk, lambda: Path("out.csv").write_text("mine"))
    assert Path("out.csv").read_text() == "mine"
    if chunk > 1:
        with pytest.raises(InputError, match="an output has come"):
            run(resume=True)
        assert Path("out.csv").read_text() == "mine"
        run(resume=True, force=True)
        assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
        assert names() == {"out.csv"}


def test_an_output_that_comes_at_the_last_moment_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def linked(made: str, out: str) -> None:
        Path("out.csv").write_text("mine")
        link(made, out)

    monkeypatch.setattr("os.link", linked)
    with pytest.raises(InputError, match="an output has come"):
        run()
    assert Path("out.csv").read_text() == "mine"
    Path("out.csv").unlink()
    monkeypatch.setattr("os.link", link)
    run(resume=True)
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_a_file_system_without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(made: str, out: str) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.link", refused)
    run()
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert names() == {"out.csv"}


def test_an_output_that_comes_between_two_runs_stays() -> None:
    with pytest.raises(ZeroDivisionError):
        run(3, dies)
    Path("out.csv").write_text("mine")
    with pytest.raises(InputError, match="an output has come"):
        run(resume=True)
    assert Path("out.csv").read_text() == "mine"


def test_force_is_for_the_file_that_was_there() -> None:
    Path("out.csv").write_text("old")
    with pytest.raises(ZeroDivisionError):
        run(3, dies, force=True)
    Path("out.csv").write_text("mine, and new")
    with pytest.raises(InputError, match="an output has come"):
        run(resume=True)
    Path("out.csv").write_text("old")
    with pytest.raises(InputError, match="an output has come"):
        run(resume=True)  # another file, although it reads the same
    run(resume=True, force=True)
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_an_output_may_be_replaced_by_the_run_that_was_begun_so() -> None:
    Path("out.csv").write_text("old")
    with pytest.raises(ZeroDivisionError):
        run(3, dies, force=True)
    run(resume=True)
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


def test_a_hidden_folder_of_the_name_that_ours_takes_at_the_end_stays() -> None:
    hidden = Path(".out.csv.hybridsem.gone")
    (hidden / "inside").mkdir(parents=True)
    run()
    assert names() == {"out.csv", hidden.name}
    assert [path.name for path in hidden.iterdir()] == ["inside"]
    shutil.rmtree(hidden)
    Path("out.csv").unlink()
    hidden.mkdir()
    for name in (MARK, "results.sqlite"):  # what a killed process has left
        (hidden / name).touch()
    run()
    assert names() == {"out.csv"}


@pytest.mark.parametrize("what", ["out.csv.hybridsem", "out.csv.hybridsem/results.sqlite"])
def test_a_work_folder_that_is_removed_is_noticed_at_the_next_chunk(what: str) -> None:
    def removes() -> None:
        path = Path(what)
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    scorer = Does(2, removes)
    with pytest.raises(HybridSemError, match="was removed or replaced while it was in use"):
        score_file(scorer, "in.csv", "out.csv", chunk_size=3)
    assert scorer.seen == 2
    assert names() <= {"out.csv.hybridsem"}


def test_a_folder_that_is_removed_whole_is_noticed(tmp_path: Path) -> None:
    Path("sub").mkdir()
    scorer = Does(2, lambda: shutil.rmtree("sub"))
    with pytest.raises(HybridSemError, match="was removed"):
        score_file(scorer, "in.csv", "sub/out.csv", chunk_size=3)
    assert scorer.seen == 2


@pytest.mark.parametrize("length", [240, 250, 255])
def test_names_near_the_longest(length: int) -> None:
    out = "é" * ((length - 4) // 2) + "x" * ((length - 4) % 2) + ".csv"
    assert len(os.fsencode(out)) == length
    scorer = Does(2, dies)
    with pytest.raises(ZeroDivisionError):
        score_file(scorer, "in.csv", out, chunk_size=3)
    (folder,) = names()
    assert len(os.fsencode(folder)) <= 255
    assert score_file(Does(), "in.csv", out, chunk_size=3, resume=True).resumed_rows == 3
    assert Path(out).read_bytes() == Path("whole.csv").read_bytes()
    assert names() == {out}
    with pytest.raises(InputError):
        score_file(Does(), "in.csv", "x" * 300 + ".csv")
