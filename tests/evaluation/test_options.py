"""The options of benchmarks: one declaration for the command line and for Python."""

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.commands import Run

from hybridsem.cli.evaluate import _benchmark_options
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.evaluation import Measured, Option, Settings, Task, evaluate
from hybridsem.evaluation.statistics.rating_correlations import Estimate
from hybridsem.evaluation.task import MODULES, check_options, option, shared_options

REGISTRY = sys.modules["hybridsem.evaluation.task"]
SPLIT = option("split")
OPTIONS = (
    Option("threshold", "what counts as equal.", float),
    Option("keys", "columns of keys.", multiple=True),
    Option("stop_words", "a word a line.", Path),
    Option("size", "of the sample.", int, minimum=1, default=7),
    Option("span", "from, to.", float, values=2),
    Option("strict", "refuse odd rows.", bool),
    Option("order", "of the rows.", choices=("as read", "sorted")),
)


def load(path: Path, settings: Settings) -> Any:
    return SimpleNamespace(source=path.name, split=None, sha256="0" * 64, rows=1)


def count(data: Any, tested: Any, settings: Settings) -> Measured:
    counts = {"rows": 1, "scored": 1, "failed": 0, "truncated": 0, "odd": 3}
    return Measured({"all": {"size": Estimate(1.0, None, None, 1)}}, counts)


ABOUT = "lines", "lines of a file", "a text a line", ("scores",), load
NOTES = {"odd": "of {rows} rows are odd"}
TASK = Task(*ABOUT, count, headline="size", options=OPTIONS, count_notes=NOTES)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module that declares the task, and the line that registers it."""
    module = ModuleType("lines_task")
    module.TASKS = (TASK,)
    monkeypatch.setitem(sys.modules, "lines_task", module)
    monkeypatch.setattr(REGISTRY, "MODULES", [*MODULES, "lines_task"])
    for found in (REGISTRY._own, _benchmark_options):
        found.cache_clear()
    yield
    for found in (REGISTRY._own, _benchmark_options):
        found.cache_clear()


@pytest.mark.usefixtures("registered")
def test_a_file_and_a_line_make_a_benchmark_with_its_options(run: Run) -> None:
    Path("words.txt").write_text("the\n")
    command = "evaluate lines --data words.txt -m levenshtein --json"
    given = "--threshold 0.5 --keys 'a, b' --stop-words words.txt --strict --span 0 1"
    code, out, err = run(f"{command} {given} --order sorted")
    settings = json.loads(out)["settings"]
    assert (code, settings["threshold"], settings["keys"]) == (0, 0.5, ["a", "b"])
    assert settings["size"] == 7  # its default
    assert (settings["span"], settings["strict"], settings["order"]) == ([0, 1], True, "sorted")
    assert "note: 3 of 1 rows are odd" in err
    plain, listed, shown = (run(line) for line in (command, "evaluate --list", "evaluate --help"))
    assert (plain.code, listed.code, shown.code) == (0, 0, 0)
    assert "strict" not in json.loads(plain.out)["settings"]
    assert "--threshold, --keys, --stop-words, --size" in listed.out
    assert "lines: what counts as equal." in " ".join(shown.out.split())
    assert run(f"{command} --size 0").code == 2
    code, _, err = run("evaluate sts --data words.txt --threshold 1")
    assert (code, "sts has no option 'threshold'; it has: columns, raters" in err) == (1, True)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"threshold": "0.5"}, "threshold is a number, got '0.5'"),
        ({"keys": 3}, "keys is a list of texts, got 3"),
        ({"stop_words": 3}, "stop_words is the path of a file, got 3"),
        ({"size": 0}, "size is a whole number from 1, got 0"),
        ({"span": (1,)}, r"span is 2 values, each a number, got \(1,\)"),
        ({"strict": "yes"}, "strict is True or False, got 'yes'"),
        *(({name: -1}, f"{name} .*, got -1") for name in ("seed", "resamples")),
        ({"seed": 1.5}, "seed .*, got 1.5"),
        ({"level": 1}, "level .*, got 1"),
        ({"sise": 1}, "lines has no option 'sise'; it has: threshold, keys, stop_words, size"),
    ],
)
def test_values_that_an_option_cannot_have(option: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(TASK, "levenshtein", "words.txt", **option)


def test_values_as_the_task_reads_them() -> None:
    given = {"threshold": np.float64(1), "keys": "a", "stop_words": "f.txt", "span": None}
    expected = {"size": 7, "threshold": 1, "keys": "a", "stop_words": Path("f.txt")}
    assert check_options("lines", OPTIONS, given) == expected
    with pytest.raises(UnknownNameError, match="unknown order, got 'mixed'"):
        check_options("lines", OPTIONS, {"order": "mixed"})


def test_an_option_of_several_benchmarks_has_one_meaning() -> None:
    both = {"one": (SPLIT, *OPTIONS), "two": (dataclasses.replace(SPLIT),)}
    assert shared_options(both)[SPLIT] == ["one", "two"]
    other = dataclasses.replace(SPLIT, help="where to cut.")
    with pytest.raises(ValueError, match="two and one have an option 'split' with two meanings"):
        shared_options({"one": (SPLIT,), "two": (other,)})
    with pytest.raises(ValueError, match="two and the command have an option 'seed'"):
        shared_options({"one": (), "two": (Option("seed", "of grass."),)}, taken=["seed"])
