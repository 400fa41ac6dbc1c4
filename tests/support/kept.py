"""What the program keeps on disk, made small, and how it is used again: for tests/test_kept.py, and
benchmarks/soak.py, which damages more of it.
"""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from hybridsem import Pipeline
from hybridsem._utils import weights
from hybridsem._utils.store import Store, key_of
from hybridsem._utils.weights import FOLDER
from hybridsem.batch import score_file
from hybridsem.batch.cache import TABLES, PairCache
from hybridsem.batch.work import Result
from hybridsem.calibration import calibrate, labelled, read_calibration
from hybridsem.embeddings.api import TABLE
from hybridsem.embeddings.standardised import Standardised
from hybridsem.embeddings.word_store import stored
from hybridsem.evaluation import Settings, evaluate, evaluated_model, load_card
from hybridsem.evaluation.sage.parts import Checkpoint
from hybridsem.learned.fitted import Weights
from hybridsem.search import Index, building
from hybridsem.training import rated, run
from support.scorers import LengthScorer, fail


class Kept(NamedTuple):
    """``make`` fills a folder; ``use`` returns what a program gets from it. When a file is damaged
    that is the same, or an error.
    """

    make: Callable[[Path], object]
    use: Callable[[Path], Any]


TEXTS = [
    f"{who} {did} the {what} {where}."
    for who in ("The bank", "A dealer", "Nobody", "My old friend")
    for did in ("sued", "did not buy", "chased")
    for what, where in (("newspaper", "in Paris"), ("two dogs", "at home"), ("car", "on Monday"))
]
PAIRS = list(zip(TEXTS[:30], TEXTS[6:], strict=True))
LARGE = 1 << 20
PAID = np.arange(1200, dtype=np.float32).reshape(300, 4)
PART = {"ndcg": [0.1, 0.25, 1.0], "count": 3}
QUERIES = ("The newspaper was sued by the bank.", "Two dogs were chased by a dealer.")


@cache
def pipeline(model: str = "hybrid") -> Pipeline:
    """One for all."""
    return Pipeline(model)


def make_index(folder: Path) -> None:
    """Two segments, the first of them with a graph, and a text that was deleted."""
    with patch.object(building, "GRAPH_FROM", 4):
        index = Index.build(TEXTS[:24], folder / "idx", pipeline())
    index.append(TEXTS[24:])
    index.delete([3, 30])


def use_index(folder: Path) -> Any:
    """All that is found, and again when it has been written anew."""
    index = Index.open(folder / "idx", pipeline())
    found = [_found(index, exact) for exact in (True, False)]
    roles = [(hit.id, hit.score) for hit in index.search(agent="bank", verb="sue", top_k=30)]
    index.compact()
    return found, roles, list(index), _found(index, False)


def make_vectors_index(folder: Path) -> None:
    """An encoder's index, with ids that are texts."""
    ids = [f"id {number}" for number in range(len(TEXTS))]
    index = Index.build(
        TEXTS[:20], folder / "idx", pipeline("embedded"), ids=ids[:20], precision="float16"
    )
    index.append(TEXTS[20:], ids=ids[20:])


def use_vectors_index(folder: Path) -> Any:
    """All that is found."""
    index = Index.open(folder / "idx", pipeline("embedded"))
    return _found(index, True), _found(index, False), list(index)


def _found(index: Any, exact: bool) -> Any:
    return [[hit.to_dict() for hit in hits] for hits in index.search(QUERIES, 5, exact=exact)]


def write_pairs(path: Path) -> Path:
    """A file of 24 pairs."""
    rows = (f"{'x' * number},{'y' * (number % 7)} é\n" for number in range(1, 25))
    path.write_text("s1,s2\n" + "".join(rows), encoding="utf-8")
    return path


def make_work(folder: Path) -> None:
    """A run of ``score`` that was cut off, and a cache of scores."""
    path = write_pairs(folder.with_name(f"{folder.name}.csv"))
    score_file(LengthScorer(), path, folder / "whole.csv", cache=folder / "cache")
    (folder / "whole.csv").unlink()
    try:
        score_file(LengthScorer("any", 4, fail), path, folder / "out.csv", chunk_size=4)
    except ZeroDivisionError:
        path.unlink()


def use_work(folder: Path) -> Any:
    """The finished outputs; ``--resume`` makes the first, the cache the second."""
    path = write_pairs(folder.with_name(f"{folder.name}.csv"))
    score_file(LengthScorer(), path, folder / "cached.csv", cache=folder / "cache")
    score_file(LengthScorer(), path, folder / "out.csv", chunk_size=4, resume=True)
    return (folder / "out.csv").read_bytes(), (folder / "cached.csv").read_bytes()


def _words_beside(folder: Path) -> Path:
    path = folder.with_name("words.txt")
    if not path.exists():
        path.write_text("".join(f"w{number} {number} {number * 2}\n" for number in range(400)))
    return path


def make_words(folder: Path) -> None:
    """The store of a file of word vectors."""
    with patch.dict(os.environ, HYBRIDSEM_CACHE=str(folder)):
        stored(_words_beside(folder))


def use_words(folder: Path) -> Any:
    """All vectors."""
    with patch.dict(os.environ, HYBRIDSEM_CACHE=str(folder)):
        table = stored(_words_beside(folder))
        rows = [table.find(f"w{number}") for number in range(400)]
        return rows, table.rows([row for row in rows if row is not None]).tolist()


def make_cache(folder: Path) -> None:
    """A cache of scores, and a part of earlier work."""
    with closing(Store(folder / "scores.sqlite", TABLES)) as store:
        PairCache((store, "pairs")).keep({pair: Result(at / 7) for at, pair in enumerate(PAIRS)})
    _part_in(folder).keep("part", PART)


def use_cache(folder: Path) -> Any:
    """All of it; what is lost is computed, and can be kept."""
    whole = {pair: Result(at / 7) for at, pair in enumerate(PAIRS)}
    with closing(Store(folder / "scores.sqlite", TABLES)) as store:
        stored = store, "pairs"
        found = PairCache(stored).on_disk(PAIRS)
        PairCache(stored).keep(whole)
        again = PairCache(stored).on_disk(PAIRS)
    return whole | found, again, _part_in(folder).get("part") or PART


def _part_in(folder: Path) -> Any:
    return Checkpoint("ab", evaluated_model(pipeline("jaccard")), Settings(work=folder / "work"))


def make_paid(folder: Path) -> None:
    """Vectors of a service."""
    with closing(Store(folder / "vectors.sqlite", [TABLE])) as store:
        store.put(TABLE, {key_of(f"t{row}"): vector.tobytes() for row, vector in enumerate(PAID)})


def use_paid(folder: Path) -> Any:
    """Those that are there, and those that must be asked for again."""
    keys = [key_of(f"t{row}") for row in range(len(PAID))]
    with closing(Store(folder / "vectors.sqlite", [TABLE])) as store:
        found = store.get(TABLE, keys)
    return [found.get(key, row.tobytes()) for key, row in zip(keys, PAID, strict=True)]


def make_saved(folder: Path) -> None:
    """Weights, a calibration, a card and a standardisation, as they are saved."""
    ratings = rated([(one, other, row % 5) for row, (one, other) in enumerate(PAIRS)])
    with patch.object(run, "probe_pairs", lambda *_: PAIRS):
        learned = run.train(Pipeline("verbnet-cn"), ratings, folds=3).weights
    learned.save(folder / "weights.json")
    pairs = [(f"Text {row} is new.", f"Text {row} is old.", str(row % 2)) for row in range(60)]
    calibration = calibrate(pipeline("embedded"), labelled(pairs)).calibration
    calibration.save(folder / "calibration.json")
    evaluate("minimal-pairs", "jaccard", resamples=0).save(folder / "card.json")
    Standardised(pipeline("embedded").encoder).fit(TEXTS).save(folder / "standard.npz")


def use_saved(folder: Path) -> Any:
    """What they are read as."""
    standard = Standardised(pipeline("embedded").encoder).load(folder / "standard.npz")
    return (
        repr(Weights.read(folder / "weights.json")),
        repr(read_calibration(folder / "calibration.json")),
        json.dumps(load_card(folder / "card.json").to_dict()),
        standard.mean_.tolist(),
        standard.scale_.tolist(),
    )


def make_weights(folder: Path) -> None:
    """The weight files of the package that a moment copies."""
    for path in FOLDER.iterdir():
        if path.stat().st_size < LARGE:
            shutil.copyfile(path, folder / path.name)


def use_weights(folder: Path) -> Any:
    """The bytes of those that are in the manifest, each checked when it is read."""
    weights.weight_sums.cache_clear()
    sums = json.loads((FOLDER / "manifest.json").read_bytes())
    names = [name for name in sums if (FOLDER / name).stat().st_size < LARGE]
    return {name: hash(weights.weight_file(name, folder)) for name in names}


KEPT = {
    "index": Kept(make_index, use_index),
    "index of vectors": Kept(make_vectors_index, use_vectors_index),
    "work and cache of score": Kept(make_work, use_work),
    "caches": Kept(make_cache, use_cache),
    "word vectors": Kept(make_words, use_words),
    "vectors of a service": Kept(make_paid, use_paid),
    "weights, calibration, card": Kept(make_saved, use_saved),
    "weights of the package": Kept(make_weights, use_weights),
}
