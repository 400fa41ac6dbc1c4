"""The recipes of CONTRIBUTING.md hold: their code, put where it says into a copy of the package,
runs and gives what it should.
"""

import ast
import json
import re
import shutil
from pathlib import Path

import pytest
from support.commands import ROOT, python

pytestmark = pytest.mark.slow
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def run(folder: Path, *arguments: str) -> str:
    """What ``python`` prints, with the folder's copy as the package."""
    return python(*arguments, folder=folder, PYTHONPATH=str(folder), OMP_NUM_THREADS="1")


def assignment(code: str, name: str, path: str) -> ast.stmt:
    """The statement at the top of a module that gives ``name`` its value, or the class."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return node
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(getattr(target, "id", None) == name for target in targets):
            return node
    pytest.fail(f"CONTRIBUTING.md names {name} in {path}, which is not there")


def put(folder: Path, block: str) -> str:
    """Put a block of code where its first line says; gives the path of the file.

    ``# FILE`` is a new file, ``# FILE, above NAME`` a function before the table of that name,
    ``# FILE, in NAME`` a row at the end of the table, ``# FILE, at the end`` a function there.
    """
    head, code = block.split("\n", 1)
    match = re.fullmatch(r"# (\S+\.(?:py|toml))(?:, (above|in) (\w+)|, (at the end))?", head)
    assert match is not None, f"where does it go? {head!r}"
    path, place, name, last = match.groups()
    file = folder / path
    if last:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(f"\n\n{code}")
        return path
    if place is None:
        assert not file.exists(), f"{path} is there already"
        file.write_text(code, encoding="utf-8")
        return path
    assert file.exists(), f"CONTRIBUTING.md names {path}, which is not there"
    text = file.read_text(encoding="utf-8")
    node = assignment(text, name, path)
    lines = text.splitlines(keepends=True)
    at = node.end_lineno if isinstance(node, ast.ClassDef) else node.end_lineno - 1
    if place == "above":
        at = node.lineno - 1
    before, after = "".join(lines[:at]), "".join(lines[at:])
    if place == "above":
        before, after = before.rstrip("\n") + "\n\n\n", f"\n\n{after}"
    file.write_text(before + code + after, encoding="utf-8")
    return path


def follow(title: str, folder: Path) -> None:
    """Follow the recipe of that title in a copy of the package; what it gives has our style."""
    shutil.copytree(ROOT / "hybridsem", folder / "hybridsem", ignore=shutil.ignore_patterns("data"))
    (folder / "hybridsem/data").symlink_to(ROOT / "hybridsem/data")
    shutil.copy(ROOT / "pyproject.toml", folder)
    fenced = r"^```(?:python|toml)\n(.*?)^```$"
    blocks = re.findall(fenced, RECIPES[title], re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    changed = {path for path in [put(folder, block) for block in blocks] if path.endswith(".py")}
    run(folder, "-m", "ruff", "check", "--no-cache", *changed)
    run(folder, "-m", "ruff", "format", "--check", "--no-cache", *changed)


def test_a_parser(tmp_path: Path) -> None:
    follow("A parser", tmp_path)
    (tmp_path / "verbs.txt").write_text("chased\nbit\n", encoding="utf-8")
    (tmp_path / "sentences.txt").write_text("The dog bit a man.\n", encoding="utf-8")
    printed = run(
        tmp_path,
        "-c",
        """if True:
        import json
        from hybridsem import Pipeline

        nlp = Pipeline(parser="verb-list:verbs.txt")
        known, unknown = nlp.parse(["The dog chased the cat.", "It rains."])
        print(json.dumps(known.to_dict()["frames"][0]["roles"]))
        print(unknown.reason)
        explanation = nlp.explain("The dog chased the cat.", "The cat chased the dog.")
        print(explanation.details["roles exchanged"])
        print(explanation.score < explanation.details["cosine"])
        """,
    )
    roles, reason, exchanged, is_lower = printed.splitlines()
    assert json.loads(roles) == {"Verb": "chased", "Agent": "The dog", "Patient": "the cat"}
    assert reason == "has no verb of the list"
    assert float(exchanged) == pytest.approx(2 / 3, abs=0.05)  # two of three content words
    assert is_lower == "True"
    command = "-m hybridsem parse --parser verb-list:verbs.txt --json sentences.txt"
    parsed = json.loads(run(tmp_path, *command.split()))
    assert parsed["frames"][0]["roles"] == {"Verb": "bit", "Agent": "The dog", "Patient": "a man"}


def test_a_kind_of_edit(tmp_path: Path) -> None:
    follow("A kind of edit", tmp_path)
    printed = run(
        tmp_path,
        "-c",
        """if True:
        from dataclasses import replace
        from hybridsem import Pipeline
        from hybridsem.combiners.hybrid import shipped_weighting
        from hybridsem._utils.predictors import Curve
        from hybridsem.search.duplicates import difference_between

        nlp, pair = Pipeline(), ("It rains.", "It rains!")
        print(nlp.explain(*pair).details["exclamation"], nlp.judge(*pair).label)
        batch = nlp.read([pair, pair[:1] * 2])
        print(*(difference_between(one) for one in nlp.combiner.compared(batch)))
        weights = shipped_weighting()
        own = Curve((0.0, 1.0), (0.0, 0.1))
        terms = {**weights.terms, "exclamation": own}
        nlp.reader.parts.combiner = replace(nlp.combiner, constants=replace(weights, terms=terms))
        print(nlp.explain(*pair))
        """,
    )
    first, second, *table = printed.splitlines()
    assert (first, second) == ("1.0 same", "exclamation None")
    (line,) = (line for line in table if "exclamation" in line)
    assert re.search(r"exclamation +\. +! .* -0\.\d{4}$", line)
