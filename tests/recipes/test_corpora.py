"""Reading data sets for recipes, their command line, and folds that part no group."""

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from benchmarks.command import run
from models.corpora import Item, cells, folds, json_lines, read

NLI = "sentence1\tsentence2\tlabel\nA dog ran.\tA dog moved.\tentailment\n"
SICK = (
    "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    "1\tA dog ran.\tA dog moved.\t4.5\tENTAILMENT\n"
)
PAIR = ("A dog ran.", "A dog moved.")


@pytest.mark.parametrize(
    ("how", "name", "text", "expected"),
    [
        ("rated", "stsb-en-dev.csv", "A dog ran.,A dog moved.,3.5\n", Item(PAIR, rating=3.5)),
        ("columns", "a.tsv", NLI, Item(PAIR, "entailment")),
        ("inference", "a.tsv", NLI, Item(PAIR, "entailment")),
        ("sick", "SICK_train.txt", SICK, Item(PAIR, "entailment", 4.5)),
        ("paws", "a.tsv", NLI.replace("entailment", "1"), Item(PAIR, "paraphrase")),
        ("qqp", "a.tsv", NLI.replace("entailment", "1"), Item(PAIR, "paraphrase")),
    ],
)
def test_a_pair_is_read(how: str, name: str, text: str, expected: Item, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    (found,) = read(how, tmp_path / name)
    assert found._replace(kind="") == expected


def test_cells_and_records(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tb\tc\n1\t2\t3\n4\t5\t6\n", encoding="utf-8")
    assert cells(tmp_path / "a.tsv", 2) == ["1", "2", "4", "5"]
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n\n{"a": "é\u2028"}\n', encoding="utf-8")
    assert json_lines(tmp_path / "a.jsonl") == [{"a": 1}, {"a": "é\u2028"}]


def test_folds_are_of_whole_groups_and_even_by_task() -> None:
    groups = np.arange(120) // 3 * 2 % 80 // 2
    tasks = (groups >= 20).astype(int)
    found = folds(groups, 4, tasks=tasks)
    assert all(len(set(found[groups == group])) == 1 for group in set(groups))
    for task in (0, 1):
        counts = np.bincount(found[tasks == task], minlength=4)
        assert counts.max() - counts.min() <= 3
    assert (folds(groups, 4, seed=1) != found).any()


@dataclass(frozen=True)
class Settings:
    steps: int = 3
    rate: float = 0.5


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("", Settings()),
        ("--rate 2", Settings(3, 2.0)),
        ("--run long", Settings(9, 0.5)),
        ("--run long --steps 4", Settings(4, 0.5)),
    ],
)
def test_settings_of_a_run(
    given: str, expected: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table with other keys is no run."""
    text = "[long]\nsteps = 9\n[other]\nwidth = 2\n"
    (tmp_path / "recipe.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "__file__", str(tmp_path / "train.py"))
    found: list[tuple[Settings, str]] = []

    def main(settings: Settings, *, work: str) -> None:
        found.append((settings, work))

    run(main, ["--work", "here", *given.split()])
    assert found == [(expected, "here")]
    with pytest.raises(SystemExit):
        run(main, ["--work", "here", "--run", "other"])
