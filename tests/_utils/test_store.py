"""The store returns what was stored, or nothing, however its file is damaged."""

from __future__ import annotations

import logging
import random
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybridsem._utils.store import Store, key_of
from hybridsem.errors import AssetError

TABLES = ("one", "two")
ROWS = {key_of(str(number)): random.Random(number).randbytes(200) for number in range(300)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with rows in two tables."""
    path = tmp_path_factory.mktemp("store") / "whole.sqlite"
    with closing(Store(path, TABLES)) as store:
        store.put("one", ROWS)
        store.put("two", {key: value[::-1] for key, value in ROWS.items()})
    assert not path.with_name("whole.sqlite-wal").exists()
    return path


@pytest.fixture
def whole(saved: Path) -> bytes:
    """The bytes of that file."""
    return saved.read_bytes()


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
        "the cache kept.sqlite is set aside: it is damaged (a value has changed); "
        f"{tmp_path / 'kept.2.sqlite'} takes its place"
    ]
    with closing(Store(path, TABLES)) as later:
        assert later.get("one", ROWS) == ROWS
        assert later.file == tmp_path / "kept.2.sqlite"
    assert path.exists()  # another process may have it open


@pytest.mark.parametrize(
    ("at", "value"),
    [
        pytest.param(18, b"\x07", id="a header of another version: may only be read, SQLite says"),
        pytest.param(None, b"CREATE TABLE summed_\xa9", id="a message that is no text"),
    ],
)
def test_damage_that_sqlite_reports_oddly(
    at: int | None, value: bytes, whole: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "kept.sqlite"
    at = whole.index(value[:-1]) if at is None else at
    path.write_bytes(whole[:at] + value + whole[at + len(value) :])
    with closing(Store(path, TABLES)) as store:
        store.put("one", ROWS)
        assert store.get("one", ROWS) == ROWS
        assert store.file != path


@pytest.mark.parametrize(
    "content", [b"", b"not a database, but long enough to be looked at" * 100, bytes(8192)]
)
def test_what_is_no_database_is_set_aside(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite"
    path.write_bytes(content)
    with closing(Store(path, TABLES)) as store:
        store.put("one", ROWS)
        assert store.get("one", ROWS) == ROWS
    assert not content or path.read_bytes() == content


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AssetError, match="cannot be used: .*; delete it or name another"):
        Store(tmp_path / "file" / "kept.sqlite", TABLES)
    (tmp_path / "kept.sqlite").mkdir()
    with pytest.raises(AssetError, match="cannot be used: .*; delete it or name another"):
        Store(tmp_path / "kept.sqlite", TABLES)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_bytes_that_were_changed_give_no_wrong_value(
    saved: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    damaged = bytearray(whole := saved.read_bytes())
    place = st.integers(0, len(whole) - 1) | st.integers(0, 200)  # the header has most to break
    for at, value in data.draw(
        st.lists(st.tuples(place, st.integers(0, 255)), min_size=1, max_size=20)
    ):
        damaged[at] = value
    cut = data.draw(st.none() | st.integers(0, len(whole)))
    path = tmp_path_factory.mktemp("damaged") / "kept.sqlite"
    path.write_bytes(damaged[:cut])
    with closing(Store(path, TABLES)) as store:
        assert store.get("one", ROWS).items() <= ROWS.items()
        turned = {key: value[::-1] for key, value in ROWS.items()}
        assert store.get("two", ROWS).items() <= turned.items()
        store.put("one", ROWS)
        assert store.get("one", ROWS) == ROWS
