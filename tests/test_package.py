"""The package as a whole: what importing it loads, which way its imports point, what its wheel
holds.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from email.parser import HeaderParser
from functools import cache
from pathlib import Path

import pytest
from support.commands import ROOT, python

import hybridsem

PACKAGE = ROOT / "hybridsem"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
OPTIONAL = [*PROJECT["optional-dependencies"].values(), *PYPROJECT["dependency-groups"].values()]
"""The requirements of the extras and of the contributors' groups."""

# What the extras bring, by the name it is imported under, and the distribution's name where that
# differs.
LIBRARIES = """
    accelerate amrlib datasets gensim haystack httpx huggingface_hub jsonschema
    langchain_core llama_index matplotlib mteb onnx openpyxl ot pandas polars pyarrow
    rapidfuzz ray regex safetensors sentence_transformers sklearn smatch spacy starlette
    tiktoken torch transformers usearch uvicorn
"""
EXTRAS = tuple(LIBRARIES.split())
BLOCK = f"import sys; sys.modules.update(dict.fromkeys({EXTRAS!r}))"
DISTRIBUTIONS = {
    "haystack": "haystack-ai",
    "huggingface_hub": "huggingface-hub",
    "langchain_core": "langchain-core",
    "llama_index": "llama-index-core",
    "ot": "pot",
    "sentence_transformers": "sentence-transformers",
    "sklearn": "scikit-learn",
}
LOADED_WHEN_USED = (*EXTRAS, "onnxruntime", "tokenizers", "scipy", "rich")

# A module or sub-package may import from its own layer and those before it.
LAYERS = (
    {"errors", "_typing", "_version"},
    {"_utils"},
    {"amr", "assets", "tables", "tokenisers"},
    {"structures"},
    {"english"},
    {"phrases"},
    {"facts"},
    {"datasets"},
    {"embeddings", "parsers"},
    {"pair_reader"},
    {"comparison"},
    {"explanations"},
    {"combiners"},
    {"graphs", "strings"},
    {"learned"},
    {"registry"},
    {"reader"},
    {"judge"},
    {"calibration", "search"},
    {"render"},
    {"pipeline"},
    {"hybridsem"},  # __init__.py, the façade
    {"batch", "interop", "serve", "training"},
    {"evaluation"},
    {"cli"},
    {"__main__"},
)


@pytest.mark.parametrize("module", ["hybridsem", "hybridsem.cli"])
def test_importing_is_light(module: str) -> None:
    loaded = set(python("-c", f"import sys, {module}; print(*sys.modules)").split())
    assert module in loaded
    assert loaded.isdisjoint(LOADED_WHEN_USED), loaded & set(LOADED_WHEN_USED)


def test_every_module_imports_without_the_extras() -> None:
    names = sorted(set(modules()) - {"hybridsem.__main__"})
    code = f"[print(importlib.import_module(name).__name__) for name in {names!r}]"
    assert python("-c", f"{BLOCK}; import importlib; {code}").split() == names


@pytest.mark.parametrize(
    ("module", "name", "extra"),
    [
        ("spacy", "HybridSem", "spacy"),
        ("sentence_transformers", "as_cross_encoder", "transformers"),
    ],
)
def test_a_missing_library_of_an_integration_is_named(module: str, name: str, extra: str) -> None:
    code = f"{BLOCK}\nfrom hybridsem.interop.{module} import {name}\ntry: {name}()"
    said = python("-c", f"{code}\nexcept ImportError as error: print(error)")
    assert f"run: pip install 'hybridsem[{extra}]'" in said


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def modules() -> dict[str, Path]:
    """The modules of the package by name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> Iterator[str]:
    """The modules of the package that a file imports or names in quotes, wherever in the file."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import; write it in full"
            if node.module in known:
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                yield from names & known.keys() or {node.module}
        elif isinstance(node, ast.Constant) and node.value in known.keys() - {"hybridsem"}:
            yield str(node.value)


def layer(module: str) -> int:
    """Which layer a module is in."""
    name = module.split(".")[1] if "." in module else module
    rank = next((rank for rank, names in enumerate(LAYERS) if name in names), None)
    assert rank is not None, f"{module} has no place in LAYERS; give it one"
    return rank


def reached(module: str, graph: dict[str, set[str]]) -> Iterator[tuple[str, ...]]:
    """The chains of imports from a module to every module that it leads to, one chain each."""
    seen, stack = set(), [(module,)]
    while stack:
        chain = stack.pop()
        for target in graph[chain[-1]] - seen:
            seen.add(target)
            yield (*chain, target)
            stack.append((*chain, target))


def test_imports_point_one_way() -> None:
    known = modules()
    graph = {name: set(imports(path, known)) for name, path in known.items()}
    for name in graph:
        for chain in reached(name, graph):
            assert chain[-1] != name, "a circle: " + " -> ".join(chain)
            assert layer(chain[-1]) <= layer(name), "imports point upwards: " + " -> ".join(chain)


def test_the_rest_works_without_the_evaluation(tmp_path: Path) -> None:
    (tmp_path / "hybridsem").mkdir()
    for path in PACKAGE.iterdir():
        if path.name not in ("evaluation", "__pycache__"):
            (tmp_path / "hybridsem" / path.name).symlink_to(path)
    need_it = (
        "evaluation",
        *(f"cli.{n}" for n in ("cards", "evaluate", "perturb", "report", "train")),
    )
    without = tuple(f"hybridsem.{name}" for name in need_it)
    names = [name for name in modules() if not name.startswith(without)]
    code = (
        "import importlib, sys\nfrom hybridsem.cli import main\n"
        f"for name in {names!r}: name.endswith('__main__') or importlib.import_module(name)\n"
        "assert main(['similarity', 'It rains.', 'It rains.']) == 0\n"
        "given = ['x', '-o', 'x.svg']\n"
        "assert [main([n, *given]) for n in ('evaluate', 'compare', 'plot')] == [1, 1, 1]\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert float(result.stdout.split()[0]) == 1
    assert result.stderr.count("leaves out hybridsem.evaluation") == 3


def libraries_of(path: Path) -> set[str]:
    """The top-level packages that a file imports, wherever in the file, also by a name in quotes
    (``import_module("...")``, ``importorskip("...")``).
    """
    libraries = set()
    for node in ast.walk(parsed(path)):
        match node:
            case ast.Import(names=names):
                libraries |= {alias.name.partition(".")[0] for alias in names}
            case ast.ImportFrom(module=str(module)):
                libraries.add(module.partition(".")[0])
            case ast.Call(
                func=ast.Attribute(attr=called) | ast.Name(id=called),
                args=[ast.Constant(value=str(module)), *_],
            ) if called in ("import_module", "importorskip", "__import__"):
                libraries.add(module.partition(".")[0])
    return libraries


PARSERS = ("base", "trees", "verbnet", "srl")
"""Rooms of the parsers, each of which may import from those before it."""


def test_imports_between_parsers_point_one_way() -> None:
    known = modules()
    rooms = {
        name: room
        for name in known
        if name.startswith("hybridsem.parsers.") and (room := name.split(".")[2]) in PARSERS
    }
    assert set(rooms.values()) == set(PARSERS)
    for name, room in rooms.items():
        for target in imports(known[name], known):
            if target.startswith("hybridsem.parsers."):
                allowed = PARSERS[: PARSERS.index(room) + 1]
                assert rooms.get(target) in allowed, f"imports point upwards: {name} -> {target}"


def test_onnxruntime_is_imported_in_one_place() -> None:
    """There, and in the process of a peer, its telemetry is switched off first."""
    importers = {
        path.relative_to(ROOT).as_posix()
        for folder in ("hybridsem", "models", "benchmarks", "examples", "docs", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if "onnxruntime" in path.read_text(encoding="utf-8") and "onnxruntime" in libraries_of(path)
    }
    assert importers == {"hybridsem/_utils/onnx.py", "benchmarks/peer_process.py"}


def test_the_version_is_the_same_everywhere(wheel: Path) -> None:
    version = hybridsem.__version__
    assert "version" in PROJECT["dynamic"]
    assert wheel.name.startswith(f"hybridsem-{version}-")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", citation, re.MULTILINE) == [version]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(r"^## (\S+) \((\d+) (\w+) (\d+)\)$", changes, re.MULTILINE)
    assert heading[1] == version
    [released] = re.findall(r'^date-released: "(.*)"$', citation, re.MULTILINE)
    assert datetime.strptime(" ".join(heading.groups()[1:]), "%d %B %Y").date() == (
        date.fromisoformat(released)
    )


def test_the_pythons_that_it_runs_with_are_named() -> None:
    """In the metadata, and with a wheel of each library whose wheels are of one Python."""
    named = [
        found[1]
        for each in PROJECT["classifiers"]
        if (found := re.search(r"Python :: (3\.\d+)$", each))
    ]
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in named
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"python{version}" in makefile for version in named)
    requirements = (ROOT / "requirements-core.txt").read_text(encoding="utf-8")
    numpy = requirements.partition("\nnumpy==")[2].partition("\n")[2]
    hashes = re.match(r"(\s+--hash=sha256:\w+( \\)?\n)+", numpy)
    assert hashes[0].count("--hash") == len(named)


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_names(*groups: list[str]) -> set[str]:
    """The names of the libraries; the extra ``all`` names the package itself."""
    requirements = [requirement for group in groups for requirement in group]
    names = {plain(re.split(r"[=<>~\[ ;]", requirement)[0]) for requirement in requirements}
    return names - {"hybridsem"}


def test_every_library_is_a_dependency_or_an_extra() -> None:
    libraries = set().union(*map(libraries_of, modules().values()))
    libraries -= {*sys.stdlib_module_names, "hybridsem"}
    core = requirement_names(PROJECT["dependencies"])
    assert core <= libraries, "a dependency that nothing imports"
    extras = requirement_names(*OPTIONAL)
    assert libraries - core <= set(EXTRAS)
    assert {DISTRIBUTIONS.get(name, name) for name in libraries - core} <= extras


def constraints() -> dict[str, str]:
    """The version of each library; every line but comments pins one."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", line)] == []
    found = {plain(name): version for name, version in (line.split("==") for line in pins)}
    assert len(found) == len(pins)
    return found


def test_constraints_pin_every_requirement() -> None:
    assert requirement_names(PROJECT["dependencies"], *OPTIONAL) <= constraints().keys()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = ("-m", "hatchling", "build", "--target", "wheel", "--directory")
    python(*build, folder)
    [path] = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    assert wheel.stat().st_size <= 55_000_000
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    files = [
        path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]
    assert sorted(names) == sorted(path.relative_to(ROOT).as_posix() for path in files)
    assert "hybridsem/py.typed" in names


def test_the_wheel_says_its_licences_and_its_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [about] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        folder = about.rpartition("/")[0]
        metadata = HeaderParser().parsestr(archive.read(about).decode())
        commands = archive.read(f"{folder}/entry_points.txt").decode()
        licences = {name for name in archive.namelist() if name.startswith(f"{folder}/licenses/")}
    assert metadata["License-Expression"] == (
        "Apache-2.0 AND CC-BY-SA-4.0 AND CC-BY-4.0 AND LicenseRef-WordNet"
    )
    assert {
        f"{folder}/licenses/{name}"
        for name in ("LICENSE", "NOTICE", "LICENSES/CC-BY-SA-4.0.txt", "LICENSES/WordNet.txt")
    } == licences
    assert "hybridsem = hybridsem.cli:main" in commands


PINNED = re.compile(r"^([\w.-]+)==(\S+)(?: \\\n    --hash=sha256:[0-9a-f]{64})+$", re.MULTILINE)


def pinned() -> dict[str, str]:
    text = (ROOT / "requirements-core.txt").read_text(encoding="utf-8")
    assert text.count("==") == len(PINNED.findall(text))
    return dict(PINNED.findall(text))


def test_the_core_is_pinned_with_hashes_to_the_versions_of_the_constraints() -> None:
    pins = {plain(name): version for name, version in pinned().items()}
    assert requirement_names(PROJECT["dependencies"]) <= pins.keys()
    assert pins.items() <= constraints().items()


def test_no_extra_allows_a_torch_whose_weights_only_can_be_passed_by() -> None:
    bounds = [needed for extra in OPTIONAL for needed in extra if needed.startswith("torch")]
    assert bounds
    for bound in bounds:
        major, minor = re.fullmatch(r"torch>=(\d+)\.(\d+)", bound).groups()
        assert (int(major), int(minor)) >= (2, 6)  # CVE-2025-32434


def test_the_bill_of_materials_has_every_pin(tmp_path: Path) -> None:
    wheel = tmp_path / "hybridsem-0.1.0-py3-none-any.whl"
    wheel.write_bytes(b"wheel")
    out = tmp_path / "sbom.json"
    python(ROOT / ".ci" / "sbom.py", ROOT / "requirements-core.txt", wheel, out)
    bill = json.loads(out.read_text(encoding="utf-8"))
    assert {(each["name"], each["version"]) for each in bill["components"]} == {*pinned().items()}
    assert all(each["hashes"] for each in bill["components"])
    assert bill["metadata"]["component"]["version"] == "0.1.0"


def test_one_command_makes_the_pages_install_from_pypi(tmp_path: Path) -> None:
    pages = ("README.md", "docs/index.md", "docs/install.md")
    (tmp_path / "docs").mkdir()
    for page in pages:
        (tmp_path / page).write_bytes((ROOT / page).read_bytes())
    python(ROOT / ".ci/published.py", tmp_path)
    for page in pages:
        text = (tmp_path / page).read_text(encoding="utf-8")
        assert "pip install hybridsem" in text
        assert not re.search(r"pip install '?\.", text)
