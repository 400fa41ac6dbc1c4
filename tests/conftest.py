"""Shared by all tests: no model hub, steady hypothesis settings, the data next to the checkout,
``--no-skips``, and skips where an optional library is missing.
"""

from __future__ import annotations

import io
import os
import re
import shlex
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from support.browser import NO_BROWSER, Browser, browser, find_browser
from support.commands import ROOT, Ran, Run

if TYPE_CHECKING:
    from hybridsem.embeddings.embedded import EmbeddedEncoder
    from hybridsem.parsers.trees.embedded import EmbeddedTrees
    from hybridsem.pipeline import Pipeline

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

SHARED_DATA = ROOT.parent / "shared" / "data"
SLOW_FIXTURES = {"window", "cluster", "site", "fitted", "wheel"}
"""A browser, a Ray cluster, the documentation site, trained models, the wheel."""
MISSING = re.compile(r"No module named '(?!hybridsem|support|models|benchm)|is not installed; run:")
SHARED_PATH = re.compile(r"\.\./shared/data[\w./-]*(?<![.])")

# Tests use no network: what would ask a model hub fails at once, and no library tells that it was
# used.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
os.environ["LANGCHAIN_TRACING_V2"] = os.environ["LANGSMITH_TRACING"] = "false"

settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "same-every-time", settings.get_profile("random"), derandomize=True, max_examples=50
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--no-skips",
        action="store_true",
        help="a skip is a failure, unless its reason names a ../shared/data path that is "
        "really missing, or a browser where none is installed",
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("hypothesis_profile", None):  # --hypothesis-profile random
        settings.load_profile("same-every-time")


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not SLOW_FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("slow")


def is_excused(reason: str) -> bool:
    """Whether a skip is one that this machine cannot help: every shared path that it names is
    missing, or it needs a browser and none is installed.
    """
    if NO_BROWSER in reason:
        return find_browser() is None
    paths = SHARED_PATH.findall(reason)
    return bool(paths) and not any((ROOT / path).exists() for path in paths)


def _reason(longrepr: object) -> str:
    return str(longrepr[2]) if isinstance(longrepr, tuple) else str(longrepr)


def _judged(report: Report, config: pytest.Config) -> Report:
    """A failure for want of an optional library is a skip; with --no-skips, a skip is a failure."""
    if not config.getoption("no_skips"):
        if report.failed and MISSING.search(f"{report.longreprtext}{report.capstderr}"):
            report.outcome = "skipped"
            report.longrepr = (str(report.fspath), 0, "Skipped: needs a library of an extra")
    elif report.skipped and not hasattr(report, "wasxfail"):
        reason = _reason(report.longrepr)
        if not is_excused(reason):
            report.outcome = "failed"
            report.longrepr = (
                f"{report.nodeid} was skipped although this machine can run it: {reason}"
            )
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _judged((yield), item.config)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _judged((yield), collector.config)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder ``../shared/data``; the test is skipped where it is missing."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs ../shared/data, which is missing")
    return SHARED_DATA


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of caches, for the test alone."""
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A headless browser; the test is skipped where none is installed."""
    if find_browser() is None:
        pytest.skip(NO_BROWSER)
    with browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs command lines in a folder of the test."""
    from hybridsem.cli import main

    monkeypatch.chdir(tmp_path)

    def command(line: str, *more: str, stdin: bytes | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        return Ran(main([*shlex.split(line), *more]), *capsys.readouterr())

    return command


@pytest.fixture(scope="session", autouse=True)
def _weights_loaded_once() -> Iterator[None]:
    from support.loaded import loaded_once

    with loaded_once():
        yield


@pytest.fixture(scope="session")
def encoder() -> EmbeddedEncoder:
    """The embedded encoder, its weights read once."""
    from hybridsem.embeddings.embedded import EmbeddedEncoder

    return EmbeddedEncoder()


@pytest.fixture(scope="session")
def parser(encoder: EmbeddedEncoder) -> EmbeddedTrees:
    """The embedded parser, without roles."""
    from hybridsem.parsers.trees.embedded import EmbeddedTrees

    return EmbeddedTrees(encoder)


@pytest.fixture(scope="session")
def pipelines() -> dict[str, Pipeline]:
    """A pipeline for every model of the roles table, and for the two of sentence vectors."""
    from hybridsem import Pipeline

    names = "hybrid hybrid-0.1 verbnet-cn role-slots dependency-cn embedded role-encoder"
    return {name: Pipeline(name) for name in names.split()}


@pytest.fixture(scope="session")
def nlp(pipelines: dict[str, Pipeline]) -> Pipeline:
    """The default pipeline."""
    return pipelines["hybrid"]


@pytest.fixture(scope="session")
def structure() -> Pipeline:
    """The default without a pair reader: what the edits say by themselves."""
    from hybridsem import Pipeline

    return Pipeline(pair_reader=None)


@pytest.fixture
def one_pipeline(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands without parts use the one that is loaded."""
    import hybridsem.batch.cache  # noqa: F401 - else it would keep the replacement of the class
    from hybridsem import Pipeline

    monkeypatch.setattr(
        "hybridsem.pipeline.Pipeline",
        lambda **parts: nlp if {*parts.values()} <= {"hybrid"} else Pipeline(**parts),
    )
