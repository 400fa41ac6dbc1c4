"""What README.md and docs/ tell people to type can be typed: commands, options, names, and Python
that runs.
"""

import ast
import csv
import doctest
import importlib
import inspect
import itertools
import re
import shlex
import shutil
import tomllib
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from support.commands import ROOT, python

from hybridsem import Pipeline, registry
from hybridsem.cli import cli, main
from hybridsem.cli._options import EXAMPLES
from hybridsem.registry.plugins import GROUPS
from hybridsem.tables import read_pairs

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.md"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *NOTEBOOKS]
COMMANDS = [
    (page.stem, line.strip().removeprefix("$ "))
    for page in PAGES
    for line in page.read_text(encoding="utf-8").splitlines()
    if re.match(r" {4,}(\$ )?hybridsem [a-z]", line)
]
SNIPPETS = [
    (f"{page.stem} {number}", code)
    for page in PAGES
    for number, code in enumerate(
        re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    )
]
WRITTEN = [
    *PAGES,
    *(
        ROOT / name
        for name in ("CHANGELOG.md", "CONTRIBUTING.md", "Makefile", "NOTICE", "pyproject.toml")
    ),
    *sorted((ROOT / "models").glob("*/README.md")),
]
"""All that names files and modules of the repository."""
NAMED_ELSEWHERE = ("hybridsem/encoder", "hybridsem/hybrid")
"""What other libraries call our vectors and scores: names of models, not of files."""
RUN = tuple(f"integrations {number}" for number in (0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11))
"""Snippets that run as they stand; others call for parts or data that are not here."""


def arguments(line: str) -> list[str]:
    return shlex.split(line, comments=True)[1:]


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in WRITTEN]
)
def test_the_pages_name_files_and_modules_that_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if page.name == "CONTRIBUTING.md":
        text = re.sub(r"```python.*?```", "", text, flags=re.DOTALL)  # files that are to be made
    folders = "hybridsem|models|tests|benchmarks|docs|examples"
    for path in re.findall(rf"(?<![\w/.-])(?:{folders})/[\w./*-]*[\w/*]", text):
        if path in NAMED_ELSEWHERE:
            continue
        assert any(ROOT.glob(path.rstrip("/"))), f"no such file: {path}"
    for link in re.findall(r"\]\(([\w./-]+)(?:#[\w-]*)?\)", text):
        assert (page.parent / link).exists(), f"no such file: {link}"
    for name in re.findall(r"`(?:\w+/)*(\w+\.py)`", text):
        assert any(ROOT.glob(f"[!.]*/**/{name}")), f"no such file: {name}"
    for name in re.findall(r"(?<![\w/.-])(?:hybridsem|models)(?:\.[A-Za-z_]\w*)+", text):
        if name in GROUPS.values():  # of entry points
            continue
        assert named(name) is not None, f"no such name: {name}"


def named(name: str) -> Any:
    """What a dotted name stands for: a module or what is in it; None where there is neither."""
    for depth in range(name.count(".") + 1, 0, -1):
        parts = name.split(".")
        try:
            found: Any = importlib.import_module(".".join(parts[:depth]))
        except ModuleNotFoundError as error:
            if not str(error.name).startswith(("hybridsem", "models")):
                return error  # it is there, and needs a library that is not
            continue
        return reduce(lambda value, part: getattr(value, part, None), parts[depth:], found)
    return None


@pytest.mark.parametrize(
    "line",
    [
        line
        for line in (*(line for _, line in COMMANDS), *itertools.chain(*EXAMPLES.values()))
        if "COMMAND" not in line
    ],
)
def test_commands_can_be_given(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name, option and choice is known, and none that is needed is left out."""
    monkeypatch.chdir(tmp_path)
    given = arguments(line.rpartition("| ")[2])
    for path in (Path(word) for word in given if Path(word).suffix):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    command: click.Command = cli
    context = click.Context(cli)
    while isinstance(command, click.Group) and given and not given[0].startswith("-"):
        name = given.pop(0)
        assert name in command.commands, f"no command {name}"
        command = command.commands[name]
        if not isinstance(command, click.Group):
            with suppress(click.exceptions.Exit):  # of an option that ends it, as --list
                context = command.make_context(name, given, parent=context)
    for name in ("model", "encoder"):
        if (model := context.params.get(name)) and ":" not in model:
            getattr(registry, name)(model)


def test_the_installation_page_has_every_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    table = (ROOT / "docs/install.md").read_text("utf-8").partition("## Extras")[2]
    named = re.findall(r"^\| ((?:`[a-z]+`,? ?)+)\|", table.partition("## ")[0], re.MULTILINE)
    extras = {name for cell in named for name in re.findall(r"`([a-z]+)`", cell)}
    assert extras == set(project["optional-dependencies"])


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in SNIPPETS])
def test_snippets_name_what_there_is(code: str) -> None:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("hybridsem"):
            if "interop" in str(node.module):  # needs another library
                continue
            module = importlib.import_module(str(node.module))
            assert all(hasattr(module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Pipeline":
            inspect.signature(Pipeline).bind(
                *node.args, **{str(word.arg): word.value for word in node.keywords}
            )
            if node.args and ":" not in (name := ast.literal_eval(node.args[0])):
                registry.model(name)


@pytest.mark.parametrize(
    "code", [pytest.param(code, id=name) for name, code in SNIPPETS if name in RUN]
)
def test_snippets_run(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line whose comment is a Python string, a list or a truth value has that value."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(code, "snippet", "exec"), names)
    for line in code.splitlines():
        shown, _, comment = line.partition("  # ")
        if comment.lstrip().startswith(("'", "[", "True", "False")):
            assert eval(shown, names) == ast.literal_eval(comment.strip())


SESSIONS = {
    page.stem: "".join(re.findall(r"```pycon\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    for page in PAGES
}
"""What is shown as typed into Python, with what it printed, page by page."""


@pytest.mark.parametrize("page", [name for name, session in SESSIONS.items() if session])
def test_sessions_print_what_they_show(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "examples/rated.csv", tmp_path)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    session = doctest.DocTestParser().get_doctest(SESSIONS[page], {}, page, page, 0)
    said: list[str] = []
    results = doctest.DocTestRunner(optionflags=options).run(session, out=said.append)
    assert results.attempted > 2
    assert not results.failed, "".join(said)


def test_the_commands_of_the_readme_run_in_their_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [line for page, line in COMMANDS if page == "README"]
    monkeypatch.chdir(tmp_path)
    for name in ("pairs.csv", "rated.csv"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    rated = Path("rated.csv").read_text(encoding="utf-8")
    Path("stsb-en-test.csv").write_text(rated.partition("\n")[2], encoding="utf-8")
    labelled = [
        (f"The {one} {verb} at home.", f"A {two} {end}.", label)
        for one, other in (("dog", "price"), ("cat", "vase"), ("king", "rain"), ("nurse", "vote"))
        for verb in ("sleeps", "waits", "eats", "sings", "reads", "works", "sits")
        for two, end, label in ((one, f"{verb} at home", 1), (other, f"fell on {verb[0]}day", 0))
    ]
    with open("mine.csv", "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("s1", "s2", "label"), *labelled])
    Path("sentences.txt").write_text("A man sings.\nIt rains.\n", encoding="utf-8")
    other = "hybridsem evaluate stsb --data stsb-en-test.csv -m embedded -o other.json"
    for line in (other, *lines):
        assert main(arguments(line)) == 0, line
    written = re.findall(r"(?:-o|--html|--svg|--dropped) ([\w.]+)", "\n".join(lines))
    assert len(written) > 8
    assert all(Path(name).stat().st_size > 0 for name in written)
    with open("scored.csv", encoding="utf-8", newline="") as stream:
        scores = [float(row["score"]) for row in csv.DictReader(stream)]
    assert np.isfinite(scores).all()


@pytest.mark.parametrize(
    ("name", "rows"), [("pairs.csv", 5), ("pairs.tsv", 3), ("pairs.txt", 3), ("pairs.jsonl", 3)]
)
def test_example_pair_files(name: str, rows: int) -> None:
    pairs = list(read_pairs(ROOT / "examples" / name))
    assert len(pairs) == rows
    assert all(pair.text1.endswith(".") and pair.text2.endswith(".") for pair in pairs)
    assert {pair.gold for pair in pairs} >= {0.0, 0.5, 1.0}


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("answering.py", r"hybrid   0\."),
        (
            "answer_guard.py",
            r"supported +The city closed the cafe in March\.  <- The cafe was",
        ),
        ("answer_guard.py", r"contradicted +Adults pay 15 euros\."),
        ("mteb_offline.py", r"(STSBenchmark\.v2  hybridsem/\S+  0\.\d{3}\n){2}$"),
    ],
)
def test_example_scripts_run(name: str, printed: str) -> None:
    assert re.search(printed, python(ROOT / "examples" / name))
