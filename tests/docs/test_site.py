"""The documentation site builds without a warning, with its notebooks run, has every public name,
command and option, and asks nobody for anything.
"""

import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import click
import pytest
from filelock import FileLock
from support.browser import Browser
from support.commands import ROOT, commands

import hybridsem
import hybridsem.interop
from hybridsem.cli import cli
from hybridsem.registry import models

NO_REFERENCE = {"cli", "data", "english", "tokenisers"}
"""Packages without names for users: their commands, data or helpers are described elsewhere."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site; processes that test side by side share it."""
    own = tmp_path_factory.getbasetemp()
    out = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "site"
    with FileLock(f"{out}.lock"):
        if not (out / "objects.inv").exists():
            result = subprocess.run(
                [
                    *(sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"),
                    *("--keep-going", "-c", "docs", "-b", "html", ".", str(out)),
                ],
                cwd=ROOT,
                capture_output=True,
                text=True,
            )
            if result.returncode:
                out.mkdir(exist_ok=True)
                (out / "objects.inv").unlink(missing_ok=True)
            assert result.returncode == 0, result.stderr
    return out


@pytest.fixture(scope="module")
def described(site: Path) -> dict[str, set[str]]:
    """The names that the site describes, by kind: ``py:class``, ``std:cmdoption``, …"""
    from sphinx.util.inventory import InventoryFile

    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    return {kind: set(names) for kind, names in inventory.data.items()}


def public_modules() -> Iterator[ModuleType]:
    """The package, and its modules and sub-packages of the first level that are public."""
    yield hybridsem
    for found in pkgutil.iter_modules(hybridsem.__path__, "hybridsem."):
        name = found.name.rpartition(".")[2]
        if not name.startswith("_") and name not in NO_REFERENCE:
            yield importlib.import_module(found.name)


def names_of(module: ModuleType, name: str) -> set[str]:
    """How the site may write a public name: where it is exported, or where it is at home."""
    value = getattr(module, name)
    names = {f"{module.__name__}.{name}"}
    if inspect.isclass(value) or inspect.isfunction(value):
        names.add(f"{value.__module__}.{value.__qualname__}")
        # Of an object that is described where a package exports it.
        names |= {
            f"{package.__name__}.{name}"
            for package in public_modules()
            if name in getattr(package, "__all__", ()) and getattr(package, name) is value
        }
    return names


def test_every_public_name_is_on_the_site(described: dict[str, set[str]]) -> None:
    """Those of the first level, and of modules that users import from where they are."""
    on_site = set().union(*(names for kind, names in described.items() if kind.startswith("py:")))
    adapters = [
        found.name
        for found in pkgutil.iter_modules(hybridsem.interop.__path__, "hybridsem.interop.")
        if not found.name.rpartition(".")[2].startswith("_")
    ]
    assert len(adapters) >= 4
    reports = [f"hybridsem.evaluation.report.{name}" for name in ("scored", "scored_page")]
    modules = [*public_modules(), *map(importlib.import_module, [*adapters, *reports])]
    public = [(module, name) for module in modules for name in getattr(module, "__all__", ())]
    assert len(public) > 150
    missing = [
        f"{module.__name__}.{name}"
        for module, name in public
        if not names_of(module, name) & on_site
    ]
    assert not missing, "not in docs/reference, or without a docstring"


def test_every_package_has_a_page(described: dict[str, set[str]]) -> None:
    pages = {path.stem for path in (ROOT / "docs/reference").glob("hybridsem*.rst")}
    packages = {module.__name__ for module in public_modules()} - {
        "hybridsem.pipeline",
        "hybridsem.reader",
    }
    assert pages == packages, "docs/reference has a page for each public module and package"


def test_every_command_and_option_is_on_the_site(
    site: Path, described: dict[str, set[str]]
) -> None:
    found = dict(commands(cli, "hybridsem"))
    assert len(found) > 20
    options = {
        f"{name.replace(' ', '-')}.{option}"
        for name, command in found.items()
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    assert len(options) > 150
    assert not options - described["std:cmdoption"]
    page = (site / "docs/reference/commands.html").read_text(encoding="utf-8")
    headings = re.findall(r'<section id="(hybridsem[\w-]*)">', page)
    assert {name.replace(" ", "-") for name in found} <= set(headings)


def test_notebooks_show_what_their_cells_gave(site: Path) -> None:
    """A cell that fails is a warning of the build; here it is that there are outputs at all."""
    notebooks = sorted((ROOT / "docs/notebooks").glob("*.md"))
    assert len(notebooks) >= 6
    for notebook in notebooks:
        source = notebook.read_text(encoding="utf-8")
        page = (site / "docs/notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
        cells = source.count("```{code-cell}")
        assert page.count('class="cell ') + page.count('class="cell"') == cells
        assert page.count("cell_output docutils") > cells / 2


class Page(HTMLParser):
    """What a page loads, where it links to, and which places it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.places.add(values["id"])
        if tag == "a":
            self.links += [values["href"]] if "href" in values else []
        elif tag == "link" and values.get("rel") not in ("canonical",):
            self.loads.append(values.get("href", ""))
        else:
            self.loads += [values[name] for name in ("src", "data", "poster") if name in values]


def test_links_lead_somewhere_and_nothing_is_asked_of_others(site: Path) -> None:
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    assert len(pages) > 60
    broken, asked = [], []
    for path, page in pages.items():
        asked += [
            (path.name, url) for url in page.loads if urlsplit(url).scheme not in ("", "data")
        ]
        for link in {*page.links, *page.loads}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or not link:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists() or (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].places
            ):
                broken.append((path.name, link))
    assert not broken
    assert not asked
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//[^)'\"]*", styles)


def test_models_are_found_by_words(site: Path, window: Browser) -> None:
    shown = "[...document.querySelectorAll('tbody tr')].filter(row => !row.hidden).length"
    window.open(site / "docs/generated/models.html", width=380)
    window.wait_for("document.querySelector('#find') !== null")
    assert window.run(shown) == len(models())
    window.run("document.querySelector('#find').value = 'JACCARD baseline nothing-like-this'")
    window.run("document.querySelector('#find').dispatchEvent(new Event('input'))")
    assert window.run(shown) == 0
    window.run("document.querySelector('#find').value = ' Jaccard'")
    window.run("document.querySelector('#find').dispatchEvent(new Event('input'))")
    assert 0 < window.run(shown) < 10
    for page in ("judge", "glossary", "everyday-data"):
        assert window.untidy(site / f"docs/{page}.html", 390) == []
    assert not window.errors
