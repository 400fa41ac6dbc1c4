"""Small files of every format that is read, damaged in every way: for tests/test_damaged_files.py,
and benchmarks/soak.py, which does it longer.
"""

import gzip
import io
import json
import random
import tarfile
import tempfile
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._utils.signed_json import signed
from hybridsem.assets import _unpacked
from hybridsem.embeddings.precomputed import PrecomputedEncoder
from hybridsem.embeddings.word_files import entries
from hybridsem.evaluation.card import load_card
from hybridsem.learned.fitted import Weights
from hybridsem.parsers.adapters.penman import read_graphs
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.tables import open_pairs, records

ROWS = [("A dog barked.", "The dog barked loudly.", 4.5), ("It rained.", "Snow fell.", 1.0)] * 3
CONLLU = """# text = A dog barked.
1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tbarked\tbark\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

"""
PENMAN = (
    '# ::id 1 ::date 2026\n# ::snt A dog barked.\n(b / bark-01\n   :ARG0 (d / dog :x "\\"a"))\n\n'
)
MODEL = {"type": "linear", "weights": [[0.5]], "bias": [0.1]}
WEIGHTS: dict[str, Any] = {
    "pipeline": {"model": "hybrid"},
    "type": "weights",
    "features": {
        "type": "features",
        "kind": "x",
        "names": ["a"],
        "players": ["a"],
        "roles": ["Agent"],
    },
    "regressor": {},
    "reference": [0.5],
    "model": {"type": "corrected", "intercept": 0.0, "slope": 1.0, "model": MODEL},
    "training": {},
    "versions": {},
}


def to_the_end(read: Callable[..., Iterable[Any]], **options: Any) -> Callable[[Path], None]:
    """What reads all rows of a file."""
    return lambda path: deque(read(path, **options), maxlen=0).clear()


def archive(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _unpacked(path, Path(folder))


PAIRS = ("csv", "tsv", "jsonl", "csv.gz", "csv.zst", "parquet", "arrow", "feather", "xlsx")
READERS: dict[str, Callable[[Path], object]] = {
    **dict.fromkeys((f"pairs.{end}" for end in PAIRS), to_the_end(open_pairs, keep_bad=True)),
    "trees.conllu": to_the_end(read_conllu),
    **dict.fromkeys(("graphs.txt", "graphs.json"), read_graphs),
    **dict.fromkeys(("words.txt", "words.vec.gz", "words.bin"), to_the_end(entries)),
    **dict.fromkeys(
        ("vectors.npz", "vectors.parquet"),
        lambda path: PrecomputedEncoder(path).encode(["a dog", "a cat"]),
    ),
    "card.json": lambda path: json.dumps(load_card(path).to_dict()),
    "weights.json": Weights.read,
    **dict.fromkeys(("records.csv", "records.jsonl", "records.parquet"), to_the_end(records)),
    **dict.fromkeys(("archive.zip", "archive.tar.xz"), archive),
}
"""What reads a file, by its name."""


def samples(folder: Path) -> dict[str, bytes]:
    """A sound file for each reader whose library is installed."""
    made: dict[str, bytes] = {}
    csv = "s1,s2,gold\n" + "".join(f'"{a}","{b}",{c}\n' for a, b, c in ROWS)
    lines = "".join(json.dumps({"s1": a, "s2": b, "gold": c}) + "\n" for a, b, c in ROWS)
    made["pairs.csv"] = made["records.csv"] = csv.encode()
    made["pairs.tsv"] = csv.replace(",", "\t").encode()
    made["pairs.jsonl"] = made["records.jsonl"] = lines.encode()
    made["pairs.csv.gz"] = gzip.compress(csv.encode(), mtime=0)
    made["trees.conllu"] = CONLLU.encode() * 2
    made["graphs.txt"] = PENMAN.encode() * 2
    made["graphs.json"] = json.dumps({"1": ["A dog barked.", PENMAN]}).encode()
    text = "".join(f"{word} {i} {i / 3:.4f} -0.5\n" for i, word in enumerate(("a", "dog", "cat")))
    made["words.txt"] = text.encode()
    made["words.vec.gz"] = gzip.compress(f"3 3\n{text}".encode(), mtime=0)
    table = np.arange(6, dtype=np.float32).reshape(2, 3)
    rows = zip((b"dog", b"cat"), table, strict=True)
    made["words.bin"] = b"2 3\n" + b"".join(word + b" " + row.tobytes() for word, row in rows)
    stream = io.BytesIO()
    np.savez_compressed(stream, vectors=table, texts=np.array(["a dog", "a cat"]))
    made["vectors.npz"] = stream.getvalue()
    made["card.json"] = json.dumps(_card()).encode()
    made["weights.json"] = json.dumps(signed(WEIGHTS, "hybridsem-weights/2")).encode()
    made.update(_archives(folder))
    for make in (_arrow, _excel):
        try:
            made.update(make(folder, table))
        except ImportError:
            continue
    return made


def _card() -> dict[str, Any]:
    estimate = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 6, "missing": 0, "note": ""}
    return {
        "schema": "hybridsem/card",
        "version": 1,
        "task": {"name": "stsb", "headline": "spearman"},
        "data": {"rows": 6, "sha256": "0" * 64, "split": "dev"},
        "model": {"name": "hybrid"},
        "settings": {"seed": 0},
        "versions": {"hybridsem": "0.1.0"},
        "scores": {"all": {"spearman": estimate}},
        "counts": {"rows": 6, "scored": 6},
        "rows": {"columns": {"score": [0.1, None], "gold": [1, 2]}, "groups": {"all": [0, 1]}},
    }


def _archives(folder: Path) -> dict[str, bytes]:
    source, packed = folder / "source", [folder / "archive.zip", folder / "archive.tar.xz"]
    source.write_bytes(random.Random(1).randbytes(3000))
    with zipfile.ZipFile(packed[0], "w", zipfile.ZIP_LZMA) as file:
        file.write(source, "source")
    with tarfile.open(packed[1], "w:xz") as tar:
        tar.add(source, "source")
    return {path.name: path.read_bytes() for path in packed}


def _arrow(folder: Path, table: Any) -> dict[str, bytes]:
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    columns = {name: [row[i] for row in ROWS] for i, name in enumerate(("s1", "s2", "gold"))}
    encoded = pa.array(columns["s2"]).dictionary_encode()
    rows = pa.table({**columns, "s2": encoded, "tags": [["x", "yy"] * i for i in range(6)]})
    stream = {name: pa.BufferOutputStream() for name in ("parquet", "arrow", "feather", "vectors")}
    pa.parquet.write_table(rows, stream["parquet"])
    pa.feather.write_feather(rows, stream["feather"])
    with pa.ipc.new_file(stream["arrow"], rows.schema) as file:
        file.write_table(rows)
    embedded = pa.table({"text": ["a dog", "a cat"], "vector": table.tolist()})
    pa.parquet.write_table(embedded, stream["vectors"])
    found = {f"pairs.{name}": stream[name].getvalue().to_pybytes() for name in stream}
    found["vectors.parquet"] = found.pop("pairs.vectors")
    found["records.parquet"] = found["pairs.parquet"]
    csv = "s1,s2\n" + "".join(f'"{a}","{b}"\n' for a, b, _ in ROWS)
    found["pairs.csv.zst"] = pa.Codec("zstd").compress(csv.encode(), asbytes=True)
    return found


def _excel(folder: Path, table: Any) -> dict[str, bytes]:
    import openpyxl

    book = openpyxl.Workbook()
    for row in (("s1", "s2", "gold"), *ROWS):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return {"pairs.xlsx": stream.getvalue()}


TOKENS = (
    *(b"", b"\xed\xa0\x80", *(bytes([one]) for one in b'\0\xff"\n\r\t,;{[(')),
    *(b"NaN", b"Infinity", b"1e999", b"-1", b"9" * 5000, b"[" * 3000, b"null", b"true", b"{}"),
    *(b"\\ud800", b"\\", b"::", b"/", b":", b"2147483648", b"18446744073709551616", b"\x1b[2J"),
)


def damaged(content: bytes, draw: random.Random) -> bytes:
    """The file with some bytes changed, cut, doubled, or replaced by what is hard to read."""
    found = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 4, 16))):
        at = draw.randrange(len(found) + 1)
        to = min(len(found), at + draw.choice((0, 1, 1, 4, 16, 64)))
        kind = draw.randrange(6)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            found[at:to] = draw.choice(TOKENS)
        elif kind == 2:
            found[at:to] = found[at:to] * draw.choice((2, 3, 50))
        elif kind == 3:
            del found[at:to]
        elif kind == 4:
            found[at:to] = bytes(draw.randrange(256) for _ in range(to - at))
        else:
            del found[at if draw.random() < 0.5 else to :]
    return bytes(found)


def damage_a_file(folder: Path, draw: random.Random) -> str:
    """Damage one file of a folder as disks and people do; which file, and how."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and "lock" not in path.name)
    path, way = draw.choice(files), draw.choice(WAYS)
    content = bytearray(path.read_bytes())
    at = draw.randrange(len(content) + 1)
    if way == "flipped" and content:
        content[at - 1] ^= 1 << draw.randrange(8)
    elif way == "cut":
        del content[at:]
    elif way == "extended":
        content += draw.choice((b"\0", b" ", b"\n", content[-64:], bytes(512)))
    elif way == "zeroed":
        length = min(len(content) - at, draw.choice((1, 16, 512, 4096)))
        content[at : at + length] = bytes(length)
    elif way == "swapped":
        other = draw.choice([other for other in files if other.suffix == path.suffix])
        content, theirs = bytearray(other.read_bytes()), bytes(content)
        other.write_bytes(theirs)
    path.write_bytes(content)
    if way == "removed":
        path.unlink()
    return f"{path.name} {way}"


WAYS = ("flipped", "flipped", "flipped", "cut", "extended", "zeroed", "removed", "swapped")
