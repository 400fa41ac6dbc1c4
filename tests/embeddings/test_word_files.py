"""Files of word vectors as they are found in the wild, whole and damaged; the memory-mapped copies
in the cache.
"""

import gzip
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from hybridsem import assets, registry
from hybridsem.embeddings.word_files import entries
from hybridsem.embeddings.word_store import stored
from hybridsem.errors import (
    AssetError,
    FormatError,
    InputError,
    UnknownNameError,
)

pytestmark = pytest.mark.usefixtures("cache")

TABLE = {"owl": (1.0, 0.5), "mole": (-2.0, 0.25), "café": (0.0, 3.0)}
TEXT = "owl 1 0.5\nmole -2 2.5e-1\ncafé 0 3\n"


def binary(feed: bool = False) -> bytes:
    """The format of word2vec, with a line feed after each vector as the original program writes it,
    or without.
    """
    return f"{len(TABLE)} 2\n".encode() + b"".join(
        word.encode() + b" " + np.array(row, "<f4").tobytes() + b"\n" * feed
        for word, row in TABLE.items()
    )


def by_gensim(path: Path, binary: bool) -> None:
    vectors = KeyedVectors(2)
    vectors.add_vectors(list(TABLE), np.array(list(TABLE.values()), np.float32))
    vectors.save_word2vec_format(str(path), binary=binary)


def text(content: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(content, encoding="utf-8")


NAN = np.float32("nan").tobytes()


FORMATS: dict[str, Callable[[Path], object]] = {
    "glove.txt": text(TEXT),
    "no line feed at the end": text(TEXT.strip()),
    "windows.txt": text(TEXT.replace("\n", "\r\n")),
    "mark.txt": text("\ufeff" + TEXT),
    "tabs.tsv": text(TEXT.replace(" ", "\t")),
    "fasttext.vec": text("3 2\n" + TEXT.replace("\n", " \n")),
    "word2vec.txt": lambda path: by_gensim(path, False),
    "word2vec.bin": lambda path: by_gensim(path, True),
    "word2vec.gz.bin": lambda path: path.write_bytes(binary()),
    "original.bin": lambda path: path.write_bytes(binary(feed=True)),
    "numberbatch.txt": text(
        "5 2\n/c/de/eule 9 9\n"
        + "".join(f"/c/en/{line}\n" for line in TEXT.split("\n") if line)
        + "/c/fr/café 8 8\n"
    ),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_formats(name: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / name
    FORMATS[name](path)
    if packed:  # gzip is known by its content, whatever the name
        path.write_bytes(gzip.compress(path.read_bytes()))
    assert {word.decode(): tuple(row.tolist()) for word, row in entries(path)} == TABLE


def test_words_with_blanks(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("owl 1 2\n. . . 3 4\nat mole@hill.org 5 6\n7 8 9\n")
    assert [(word, row[1]) for word, row in entries(tmp_path / "a.txt")] == [
        (b"owl", 2),
        (b". . .", 4),
        (b"at mole@hill.org", 6),
        (b"7", 9),
    ]


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        (b"", "the file has no words", None),
        (b"owl 1 2\nmole 3\n", r"expected a word and 2 numbers, got 1: b'mole 3'", 2),
        (b"owl 1 2\nmole 3 x\n", "vector of b'mole' has something other than finite", 2),
        (b"owl 1 2\nmole 3 nan\n", r"vector of b'mole' has something other than finite", 2),
        (b"owl 1 2\n 3 4\n", "begins with a blank", 2),
        (b"owl 1 2\ncaf\xe9 3 4\n", r"the word b'caf\\xe9' is not UTF-8", 2),
        (b"owl 1 2\nmole 3 4\nowl 5 6\n", "1 words appear twice, such as entry 3", None),
        (b"1 2\nowl 1 2\nmole 3 4\n", "the header has 1 words, and the file 2", 1),
        pytest.param(b"\xff" * (1 << 20), "not a file of word vectors", 1, id="one long line"),
        (b"just some words\nand more\n", "expected a word and its numbers", 1),
        (b"/c/de/eule 1 2\n/c/fr/hibou 1 2\n", "no English words", None),
        (b"PK\x03\x04....", "zip archive; unpack", None),
        (b"\x89HDF\r\n\x1a\n and no more", "HDF5 is not read; write the words", None),
        (gzip.compress(TEXT.encode() * 100, mtime=0)[:-20], "damaged or cut short", None),
        (
            b"9000000000 300\nowl \x00\x00\x80\x3f",
            "cut short in word 1 of 9000000000",
            None,
        ),
        (binary()[:-5], "cut short", None),
        (binary() + b"mole", "continues after the 3 words", None),
        (binary().replace(b"caf\xc3\xa9", b"caf\xe9"), "is not UTF-8", None),
        (binary().replace(np.float32(-2).tobytes(), NAN), "finite numbers", None),
    ],
)
def test_damaged_files(
    content: bytes, message: str, line: int | None, tmp_path: Path, cache: Path
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        stored(path)
    assert str(path) in str(caught.value)
    assert caught.value.line == line
    # Nothing half-made stays.
    assert [child.suffix for child in (cache / "words").iterdir()] == [".lock"]


def test_a_pickle_is_not_loaded(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return (os.mkdir, (str(tmp_path / "sprung"),))

    (tmp_path / "kv").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(FormatError, match="this is a pickle.*save_word2vec_format"):
        registry.vectors(f"gensim:{tmp_path / 'kv'}", None)
    assert not (tmp_path / "sprung").exists()


# The copy in the cache.


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "owls.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_a_store_finds_exactly_its_words(source: Path) -> None:
    store = stored(source)
    assert (store.size, store.dimension) == (3, 2)
    rows = [store.find(word) for word in TABLE]
    assert sorted(row for row in rows if row is not None) == [0, 1, 2]
    np.testing.assert_array_equal(
        store.rows([row for row in rows if row is not None]), list(TABLE.values())
    )
    assert [store.find(word) for word in ("Owl", "ow", "", "owl ", "\ud800")] == [None] * 5


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        (name, damage)
        for name in ("meta.json", "index.bin", "vectors.f32")
        for damage in ("gone", "short", "changed")
        if (name, damage) != ("vectors.f32", "changed")  # seen when a vector is read, see below
    ],
)
def test_a_damaged_copy_is_made_anew(name: str, damage: str, source: Path, cache: Path) -> None:
    stored(source)
    [path] = (cache / "words").glob(f"*/{name}")
    content = path.read_bytes()
    match damage:
        case "gone":
            path.unlink()
        case "short":
            path.write_bytes(content[:-4])
        case _:
            path.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    store = stored(source)
    assert None not in [store.find(word) for word in TABLE]
    assert path.read_bytes() == content


def test_a_cache_that_cannot_be_written(source: Path, cache: Path) -> None:
    cache.write_text("a file")
    with pytest.raises(AssetError, match="cannot be written .*HYBRIDSEM_CACHE"):
        stored(source)


# By name.


def test_numberbatch_from_the_cache(source: Path) -> None:
    assets.download("numberbatch-en", source=source, trust=True)
    np.testing.assert_array_equal(
        registry.vectors("numberbatch", None).embed(["moles"]), [[-2, 0.25]]
    )


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("glove", InputError, r"'glove' needs an argument; .* 'glove:vectors\.txt'"),
        ("glove:absent.txt", FormatError, "cannot be read"),
        (f"glove:{Path(__file__).parent}", FormatError, "cannot be read"),
        ("numberbatch", AssetError, "run: hybridsem models download numberbatch-en"),
        ("glov:x", UnknownNameError, "Did you mean 'glove:FILE'"),
    ],
)
def test_names_that_do_not_work(name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        registry.vectors(name, None)
