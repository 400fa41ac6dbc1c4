"""SAGE's data sets by name, fetched from the Hugging Face hub into local files.

    resolve("hub:scifact") -> CACHE/sage/scifact-d56462d0e63a/scifact   a folder in BEIR's layout
    resolve("hub:billsum") -> CACHE/sage/billsum-newest/billsum.jsonl   a table
    resolve("mine.jsonl")  -> mine.jsonl                                other paths do not change

``datasets.toml`` describes each set. If the environment variable ``HYBRIDSEM_HUB`` names a folder
with copies of repositories (``mteb/scifact/…``), those are read, and the hub is not asked.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from filelock import FileLock

from hybridsem._utils.disk import sync
from hybridsem._utils.extras import extra
from hybridsem._utils.progress import screen
from hybridsem._utils.tables import read_table
from hybridsem.assets import cache_folder, is_offline
from hybridsem.errors import AssetError, InputError
from hybridsem.evaluation.sage.beir import CORPUS, HEADER, QUERIES

MARK = "hub:"
COPIES = "HYBRIDSEM_HUB"

BEIR = "beir"


@dataclass(frozen=True)
class HubSet:
    """The description of a data set; unknown fields are empty."""

    name: str
    part: str
    hub: str
    split: str
    layout: str
    revision: str = ""
    licence: str = ""
    subset: str = ""
    files: str = ""


@cache
def known_sets() -> Mapping[str, HubSet]:
    """Return the data sets by name."""
    return {name: HubSet(name, **row) for name, row in read_table(__file__).items()}


def resolve(path: Path) -> Path:
    """Return the path itself, or for ``hub:NAME`` the local files, fetched if they are missing.
    Raises :class:`AssetError` if the set cannot be fetched.
    """
    if not path.name.startswith(MARK):
        return path
    name = path.name.removeprefix(MARK)
    if name not in known_sets():
        named = ", ".join(known_sets())
        raise InputError(f"unknown data set of SAGE, got {name!r}; known: {named}")
    wanted = known_sets()[name]
    copies = os.environ.get(COPIES)
    version = _state(Path(copies, wanted.hub)) if copies else wanted.revision[:12] or "newest"
    folder = cache_folder() / "sage" / f"{name}-{version}"
    found = folder / (name if wanted.layout == BEIR else f"{name}.jsonl")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not found.exists():
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{name}.") as scratch:
                made = Path(scratch) / "made"
                made.mkdir()
                _fetch(wanted, copies, Path(scratch) / "library", made)
                shutil.rmtree(folder, ignore_errors=True)
                made.rename(folder)
    return found


def _fetch(wanted: HubSet, copies: str | None, library: Path, folder: Path) -> None:
    if wanted.layout == BEIR:
        folder = folder / wanted.name
        (folder / "qrels").mkdir(parents=True)
        for subset, file in (("corpus", CORPUS), ("queries", QUERIES)):
            rows = _rows(wanted, copies, library, (subset,), (wanted.split, subset))
            records = (_with_id(row, wanted) for row in rows)
            _write(folder / file, (json.dumps(one, ensure_ascii=False) for one in records))
        judged = _rows(wanted, copies, library, ("default", "qrels"), (wanted.split,))
        cells = ([str(_cell(row, (column,), wanted)) for column in HEADER] for row in judged)
        _write(folder / "qrels" / f"{wanted.split}.tsv", map("\t".join, (HEADER, *cells)))
    else:
        rows = _rows(wanted, copies, library, (wanted.subset or None,), (wanted.split,))
        lines = (json.dumps(row, ensure_ascii=False, default=str) for row in rows)
        _write(folder / f"{wanted.name}.jsonl", lines)


def _rows(
    wanted: HubSet,
    copies: str | None,
    library: Path,
    subsets: tuple[str | None, ...],
    splits: tuple[str, ...],
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the first existing subset, in its first known split or its only one."""
    with extra("datasets", "benchmarks"):
        from datasets import disable_progress_bars, load_dataset
    if screen() is None:
        disable_progress_bars()
    source = wanted.hub if copies is None else str(Path(copies, wanted.hub))
    what: dict[str, Any] = {"data_files": {wanted.split: wanted.files}} if wanted.files else {}
    if copies is None and wanted.revision:
        what["revision"] = wanted.revision
    problem: object = "the network is off (HYBRIDSEM_OFFLINE)"
    if copies is not None and not Path(source).is_dir():
        problem = "there is no such folder"
    elif copies is not None or not is_offline():
        for subset in subsets:
            try:
                found = load_dataset(source, subset, cache_dir=str(library), **what)
            except Exception as error:  # they share no base class; each is named to the user
                problem = f"{type(error).__name__}: {error}"
                continue
            only = [*found] if len(found) == 1 else []
            if named := [*(split for split in splits if split in found), *only]:
                yield from found[named[0]]
                return
            problem = f"it has no split {wanted.split!r}, but {', '.join(map(repr, found))}"
    raise AssetError(
        f"the data set {wanted.name!r} cannot be read from {source!r}: {problem}; "
        f"without the hub, set {COPIES} to a folder that has a copy of {wanted.hub}, or name a "
        "local file"
    )


def _with_id(row: Mapping[str, Any], wanted: HubSet) -> dict[str, Any]:
    """Return a record of a corpus or of queries in BEIR's layout."""
    title = {"title": row["title"]} if "title" in row else {}
    name, text = _cell(row, ("_id", "id"), wanted), _cell(row, ("text",), wanted)
    return {"_id": str(name), **title, "text": text}


def _cell(row: Mapping[str, Any], names: tuple[str, ...], wanted: HubSet) -> Any:
    if (found := next((name for name in names if name in row), None)) is None:
        has = ", ".join(map(repr, row))
        raise AssetError(
            f"the data set {wanted.name!r} has no column {names[0]!r}; it has {has:.120}. The "
            "library may have read files of another format; a folder in BEIR's layout can be given "
            "by its path"
        )
    return row[found]


def _state(copy: Path) -> str:
    """Return a hash of a copy's place and of its files' sizes and times."""
    states = ((str(file), file.stat()) for file in sorted(copy.rglob("*")))
    files = [(name, state.st_size, state.st_mtime_ns) for name, state in states]
    return f"copy-{hashlib.sha256(repr((str(copy.resolve()), files)).encode()).hexdigest()[:12]}"


def _write(file: Path, lines: Iterable[str]) -> None:
    with file.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)
    sync(file)
