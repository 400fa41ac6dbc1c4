"""Plugins: names of other packages and of this process."""

import json
import logging
import os
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import ROOT, python
from support.evaluated import part
from support.generated import StubVectors

from hybridsem import Pipeline, register, registry
from hybridsem._typing import Float32Array
from hybridsem.cli import main
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.registry import plugins
from hybridsem.registry.named import graph_metric, own
from hybridsem.structures import ParseFailure

ITEMS = """\
The dog chased the cat.;The cat was chased by the dog.;The cat chased the dog.
A man is singing.;A man sings.;It is raining in the north.
"""


class Lengths:
    """The number of letters."""

    def __init__(self, argument: str) -> None:
        self.base = int(argument or 1)

    def encode(self, sentences: list[str]) -> Float32Array:
        return np.array([[len(text), self.base] for text in sentences], np.float32)


def never(why: str) -> Any:
    return part(parse=lambda sentences: [ParseFailure(text, why) for text in sentences])


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(plugins, "_REGISTERED", {kind: {} for kind in plugins.GROUPS})
    plugins.warn.cache_clear()
    plugins._installed.cache_clear()
    yield
    plugins._installed.cache_clear()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package of examples/plugin, installed without network."""
    folder = tmp_path_factory.mktemp("site")
    how = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target"]
    python("-m", "pip", "install", *how, folder, "examples/plugin")
    return folder


def run(installed: Path, folder: Path, *arguments: str) -> str:
    return python(*arguments, folder=folder, PYTHONPATH=f"{installed}{os.pathsep}{ROOT}")


@pytest.mark.slow
def test_an_installed_package(installed: Path, tmp_path: Path) -> None:
    """Its encoder is a part, a model and in the lists; its benchmark is evaluated and compared."""
    (tmp_path / "items.txt").write_text(ITEMS)
    listed = run(installed, tmp_path, "-m", "hybridsem", "models", "list", "--plugins")
    assert [line.split("\t")[:3] for line in listed.splitlines()] == [
        ["encoder", "letters", "hybridsem-letters"],
        ["task", "odd-one-out", "hybridsem-letters"],
    ]
    code = """if True:
        from hybridsem import Pipeline

        nlp = Pipeline("letters:3")
        print(nlp.similarity("no one", "none"), *nlp.encode("Rain.").shape, *nlp.contents)
        found = Pipeline(encoder="letters").explain("The dog bit a cat.", "A cat bit the dog.")
        print(0.8 < found.details["cosine"], found.score < found.details["cosine"])
        """
    first, second = run(installed, tmp_path, "-c", code).splitlines()
    # 3 groups are in both, " no", "one" and "ne ", of 6 and of 4.
    assert float(first.split()[0]) == pytest.approx(3 / 24**0.5, abs=1e-6)
    assert (first.split()[1:], second) == (["512", "plugin", "letters"], "True True")
    evaluate = ["-m", "hybridsem", "evaluate", "odd-one-out", "--data", "items.txt", "--resamples"]
    for model, right in (("hybrid", 1), ("letters", 0.5)):
        output = ("-o", f"{model}.json", "-m", model, "--json")
        card = json.loads(run(installed, tmp_path, *evaluate, "50", *output))
        assert card["scores"]["all"]["accuracy"]["value"] == right
    assert "1.000" in run(installed, tmp_path, *evaluate, "0", "-m", "letters", "--lead", "-0.5")
    table = run(
        installed, tmp_path, "-m", "hybridsem", "compare", "hybrid.json", "letters.json", "--json"
    )
    assert [one["best"] for one in json.loads(table)["figures"]] == [True, False]


def test_names_of_this_process(capsys: pytest.CaptureFixture[str]) -> None:
    register("encoder", "lengths", Lengths)
    register("vectors", "words", lambda argument: StubVectors())
    register("parser", "never", never)
    register("model", "same", own()["embedded"], summary="not used")
    register("model", "plain", own()["jaccard"].build, summary="words in common", licence="MIT")
    register("metric", "smatch-2", lambda vectors: graph_metric("smatch"), summary="Smatch")
    assert Pipeline("lengths:5").encode("It rains.", unit=False).tolist() == [9, 5]
    assert Pipeline("verbnet-cn", vectors="words").similarity("A dog.", "A dog.") == 1
    assert Pipeline(parser="never:so").parse("It rains.") == ParseFailure("It rains.", "so")
    assert registry.model("plain").licence == "MIT"
    assert Pipeline("plain").similarity("a b", "b a") == 1
    pair = ("A dog barked.", "A cat slept.")
    assert Pipeline("amr-smatch-2").similarity(*pair) == Pipeline("amr-smatch").similarity(*pair)
    assert {"lengths", "same", "plain", "amr-smatch-2"} <= registry.models().keys()
    assert registry.names("parser")[-1] == "never"
    assert main(["models", "show", "lengths"]) == 0
    assert "summary:   cosine of The number of letters\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "name", "factory", "message"),
    [
        ("encodr", "x", Lengths, "unknown kind of plugin, got 'encodr'. Did you mean 'encoder'"),
        ("encoder", "a:b", Lengths, "a name has letters"),
        ("encoder", "x", 3, "the factory must be callable, got 3"),
    ],
)
def test_what_cannot_be_registered(kind: str, name: str, factory: Any, message: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=message):
        register(kind, name, factory)


class Broken:
    """Entry points of an installed package that is broken, or takes names."""

    name = "bad-package"

    @classmethod
    def entry_points(cls, group: str) -> list[EntryPoint]:
        kind = group.removeprefix("hybridsem.")
        values = {"encoders": {"broken": "no_such_module:X", "sif": "builtins:str"}}
        values["tasks"] = {"bad-task": "builtins:str"}
        values["parsers"] = {"text": "builtins:str"}
        found = [EntryPoint(name, value, group) for name, value in values.get(kind, {}).items()]
        return [entry._for(cls) for entry in found]


def test_a_bad_plugin_breaks_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from hybridsem.evaluation.task import tasks

    monkeypatch.setattr(plugins, "entry_points", Broken.entry_points)
    caplog.set_level(logging.WARNING, "hybridsem.plugins")
    for _ in range(2):
        assert "hybrid" in registry.models()
        assert "paws" in tasks()
        assert "broken" not in registry.models()
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 3, "each once"
    for message, why in zip(
        messages, ("ModuleNotFoundError", "one of that name", "not a Task"), strict=True
    ):
        assert "of the package 'bad-package'" in message
        assert why in message
    assert Pipeline("sif").encoder is not None
    with pytest.raises(InputError, match="'broken' of the package 'bad-package' cannot be used"):
        Pipeline(encoder="broken")
    with pytest.raises(InputError, match=r"parser= takes a name or an object|unknown parser"):
        Pipeline(parser="text:x")
