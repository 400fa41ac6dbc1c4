"""The store returns what was stored, or nothing, however its file is damaged."""

import logging
import random
from contextlib import closing
from pathlib import Path

import pytest

from hybridsem import Pipeline
from hybridsem._utils.store import Store, key_of
from hybridsem.batch import cache
from hybridsem.errors import AssetError

TABLES = ("one", "two")
ROWS = {key_of(str(number)): random.Random(number).randbytes(200) for number in range(300)}


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """The bytes of a file with rows in two tables."""
    path = tmp_path / "whole.sqlite"
    with closing(Store(path, TABLES)) as store:
        store.put("one", ROWS)
        store.put("two", {key: value[::-1] for key, value in ROWS.items()})
    assert not path.with_name("whole.sqlite-wal").exists()
    return path.read_bytes()


def test_a_value_that_was_changed_is_not_given(
    whole: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, (key, value) = tmp_path / "kept.sqlite", next(iter(ROWS.items()))
    at = whole.index(value) + 100
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with closing(Store(path, TABLES)) as store, caplog.at_level(logging.ERROR):
        assert store.get("one", ROWS) == {one: ROWS[one] for one in ROWS if one != key}
        assert store.get("two", [key]) == {key: value[::-1]}
        store.put("one", {key: value})
    assert [record.getMessage() for record in caplog.records] == [
        f"the cache {path} is damaged: 1 values count as absent"
    ]
    with closing(Store(path, TABLES)) as later:
        assert later.get("one", ROWS) == ROWS
        later.clear()
        assert later.is_empty("one")
        assert later.is_empty("two")


def test_a_place_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.sqlite").mkdir()
    (tmp_path / "other.sqlite").write_bytes(b"not a database, but long enough" * 100)
    for name in ("file/kept.sqlite", "folder.sqlite", "other.sqlite"):
        with pytest.raises(AssetError, match="cannot be used: .*; delete it or name another"):
            Store(tmp_path / name, TABLES)


PAIR = ("A dog barks.", "The dog never barked.")


@pytest.mark.parametrize("model", ["hybrid", "amr-cn", "amr-wlk", "dependency-cn"])
def test_remembering_changes_no_score(tmp_path: Path, model: str) -> None:
    nlp = Pipeline(model)
    score, read = nlp.similarity(*PAIR), nlp.parse([*PAIR])
    for store in (None, Store(tmp_path / "kept.sqlite", cache.TABLES)):
        nlp.remember(10, store)
        assert nlp.remembers
        assert nlp.similarity(*PAIR) == nlp.similarity(*PAIR) == score
        assert nlp.parse([*PAIR]) == read
