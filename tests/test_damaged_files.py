"""Damaged files of every format: readers raise only errors of the tree, which name the file.

``SAVED`` are cases that once ended otherwise. benchmarks/soak.py does the same for hours.
"""

import io
import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.damage import READERS, damaged, samples

from hybridsem.datasets.relatedness_files import relatedness
from hybridsem.errors import HybridSemError
from hybridsem.parsers.adapters.conll2012 import read_conll2012
from hybridsem.parsers.adapters.precomputed import read_release
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.tables import open_texts, read_pairs, records

SLOW = {"pairs.xlsx", "words.bin"}
"""Slow formats, with fewer examples."""

SAVED: dict[str, list[bytes]] = {
    "trees.conllu": [b"1\ta\ta\tX\t_\t_\t" + b"9" * 5000 + b"\troot\t_\t_\n\n"],
    "graphs.json": [b'{"1": ' + b"[" * 5000, b'{"1": "(a / b :x ' + b'\\"\\\\' * 2000 + b'"}'],
    "card.json": [
        b'{"schema": "hybridsem/card", "version": 1, "task": {"name": [], "headline": {}}}',
        b'{"schema": "hybridsem/card", "version": ' + b"9" * 5000 + b"}",
    ],
    "pairs.jsonl": [b'{"s1": "a", "s2": "b", "gold": ' + b"9" * 5000 + b"}\n"],
    "pairs.xlsx": [b"PK\x05\x06" + b"\0" * 18],
    "vectors.npz": [b"", b"PK", b"PK\x05\x06" + b"\0" * 18],
    "graphs.txt": [b"# a comment\n(a / b)\n"],
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return samples(tmp_path_factory.mktemp("sound"))


def reads(name: str, content: bytes, folder: Path) -> None:
    path = folder / name
    path.write_bytes(content)
    message = name
    try:
        READERS[name](path)
    except HybridSemError as error:
        message = str(error)
    assert name in message


@pytest.mark.parametrize("name", READERS)
def test_sound_files_are_read(name: str, sound: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(sound[name])
    READERS[name](path)


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused(
    name: str, sound: dict[str, bytes], tmp_path: Path
) -> None:
    @settings(max_examples=4 if name in SLOW else 40)
    @given(st.integers(0, 2**64))
    def one(seed: int) -> None:
        reads(name, damaged(sound[name], random.Random(seed)), tmp_path)

    one()


@pytest.mark.parametrize("name", SAVED)
def test_saved_cases(name: str, tmp_path: Path) -> None:
    for content in SAVED[name]:
        reads(name, content, tmp_path)


# -- files are closed after an error, even while its traceback holds the iterators

MANY = "one line that is not as the reader expects it to be\n" * 3
MIDWAY: dict[str, Callable[[Path], Iterable[object]]] = {
    "pairs.csv": read_pairs,
    "texts.xlsx": lambda path: open_texts(path, column="body"),
    "records.csv": records,
    "trees.conllu": read_conllu,
    "roles.conll2012": read_conll2012,
    "release.txt": lambda path: read_release(path, path),
    "STS.gs.a.txt": lambda path: relatedness(path.parent, {}).pairs,
}


@pytest.mark.parametrize("name", MIDWAY)
def test_an_error_midway_leaves_no_file_open(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[IO[bytes]] = []
    unwatched = io.open

    def watched(*given: object, **how: object) -> IO[bytes]:
        opened.append(unwatched(*given, **how))
        return opened[-1]

    path = tmp_path / name
    path.write_text("s1,s1\n" + MANY)
    (tmp_path / "STS.input.a.txt").write_text("one\ttwo\n")
    if name.endswith("xlsx"):
        book = openpyxl.Workbook()
        for row in MANY.splitlines():
            book.active.append([row])
        book.save(path)
    monkeypatch.setattr(io, "open", watched)
    with pytest.raises(HybridSemError) as caught:
        list(MIDWAY[name](path))
    assert caught.tb is not None
    assert opened
    assert [stream.name for stream in opened if not stream.closed] == []
