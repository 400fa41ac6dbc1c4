"""What commands write, and how to read it back, for ``soak.py``.

A command that is killed, or that finds the disk full, leaves the old content or the new one.
"""

from __future__ import annotations

import atexit
import csv
import random
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from support.kept import TEXTS, make_index, pipeline
from support.made_up import command

from hybridsem._utils.tables import read_table
from hybridsem.errors import InputError
from hybridsem.search import Index


class Written(NamedTuple):
    """``make`` fills a folder, ``do`` writes in it, ``see`` says what is there. What was stopped is
    done by the same call again.
    """

    make: Callable[[Path], None]
    do: Callable[[Path], None]
    see: Callable[[Path], Any]


def nothing(folder: Path) -> None:
    """An empty folder."""


def build(folder: Path) -> None:
    """A new index."""
    if not (folder / "idx/manifest.json").exists():
        Index.build(TEXTS, folder / "idx", pipeline())


def append(folder: Path) -> None:
    """More texts in an index."""
    index = Index.open(folder / "idx", pipeline())
    if len(index) == len(TEXTS) - 2:
        index.append(f"{text} It rained." for text in TEXTS)


def delete(folder: Path) -> None:
    """Fewer texts in an index."""
    Index.open(folder / "idx", pipeline()).delete([1, 2, 5, 20], missing="ignore")


def compact(folder: Path) -> None:
    """An index as one segment."""
    Index.open(folder / "idx", pipeline()).compact()


def texts_of(folder: Path) -> Any:
    """What an index holds, all of it checked; None where there is none."""
    try:
        index = Index.open(folder / "idx", pipeline())
    except InputError:
        return None
    found = [hit.to_dict() for hit in index.search("The bank sued the newspaper.", 100)]
    return list(index), found


def make_files(folder: Path) -> None:
    """Pairs with ratings, texts and cards."""
    draw = random.Random(0)
    words = ("dog", "cat", "man", "bank", "saw", "chased", "old", "garden")
    with (folder / "pairs.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(("s1", "s2", "gold", "score"))
        for row in range(120):
            one, two = (" ".join(draw.choices(words, k=4)) for _ in range(2))
            rows.writerow((f"The {one} {row}.", f"A {two} {row}.", row % 5, row % 7 / 7))
    (folder / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")


def make_old(folder: Path) -> None:
    """Such files, and the outputs of another run."""
    shutil.copytree(_old_outputs(), folder, dirs_exist_ok=True)
    make_files(folder)


@cache
def _old_outputs() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    make_files(folder)
    pairs = (folder / "pairs.csv").read_text(encoding="utf-8")
    (folder / "pairs.csv").write_text(re.sub("A (dog|cat)", "The horse", pairs), encoding="utf-8")
    (folder / "texts.txt").write_text("A horse slept.\nA horse sleeps.\n", encoding="utf-8")
    for given in COMMANDS.values():
        command(*given)(folder)
    command(*COMMANDS["evaluate"], "--name", "another")(folder)  # for the leaderboard
    return folder


def outputs(folder: Path) -> Any:
    """What is in the files that commands write, without times."""
    found = {}
    for path in sorted(folder.glob("out*")):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if path.suffix != ".hybridsem" and file.suffix != ".part":
                content = re.sub(
                    rb'"cost": \{[^}]*\}|"sha256": "[0-9a-f]*"', b"", file.read_bytes()
                )
                found[file.name] = re.sub(rb"20\d\d-\d\d-\d\d[T0-9:.+ Z]*", b"", content)
    return found


COMMANDS = {name: line.split() for name, line in read_table(__file__).items()}
SCORE = COMMANDS.pop("score --resume")


def score(folder: Path) -> None:
    """A scored file."""
    if not (folder / "out.csv").exists():
        command(*SCORE)(folder)


WRITTEN = {
    "index build": Written(nothing, build, texts_of),
    "index append": Written(make_index, append, texts_of),
    "index delete": Written(make_index, delete, texts_of),
    "index compact": Written(make_index, compact, texts_of),
    "score --resume": Written(make_files, score, outputs),
    **{name: Written(make_old, command(*given), outputs) for name, given in COMMANDS.items()},
}
