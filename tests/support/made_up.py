"""JSON files that somebody has made up, checksums and all: for tests/test_kept.py and
benchmarks/soak.py. Such a file is refused with an error of the tree, or it gives scores that are
numbers within [-1, 1].
"""

import io
import json
import math
import random
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hybridsem import Pipeline
from hybridsem._utils import predictors
from hybridsem._utils.lines import read_json
from hybridsem._utils.signed_json import digest
from hybridsem._utils.weights import FOLDER
from hybridsem.cli import cli
from hybridsem.combiners.hybrid import HybridCombiner
from hybridsem.combiners.weighting import Weighting
from hybridsem.evaluation import load_card
from hybridsem.judge.model import shipped_judge
from hybridsem.search import Index
from hybridsem.search.database import Database
from hybridsem.search.folder import ABOUT, ROWS, Folder
from support.kept import PAIRS, TEXTS, make_index, make_saved, pipeline

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 0.5, -0.0, 1e308, -1e308, 5e-324, 2**31, -(2**70), 10**400),
    *(math.nan, math.inf, -math.inf, "", "x", "NaN", "1", "../../x", "\ud800", "\0", "<script>"),
    *([], {}, [[]], [None], {"": {}}, [0] * 1000, "x" * 100_000, "DEEP", "LONG"),
)  # fmt: skip
PAIR = (TEXTS[0], TEXTS[1])


def hostile(sound: bytes, draw: random.Random) -> bytes:
    """A JSON file with a few values replaced, left out, doubled or moved, and its own checksum."""
    data = json.loads(sound)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        where, key = draw.choice(list(_places(data)) or [(data, None)])
        if key is None:
            continue
        way = draw.randrange(8)
        if way == 0:
            del where[key]
        elif way == 1 and isinstance(where, list):
            where.insert(key, where[key])
        elif way == 2:
            other, at = draw.choice(list(_places(data)))
            where[key] = json.loads(json.dumps(other[at]))
        else:
            where[key] = draw.choice(VALUES)
    if isinstance(data, dict) and "sha256" in data:
        head = ("schema", "sha256") if data.get("schema") != "hybridsem/card" else ("sha256",)
        data["sha256"] = digest({name: data[name] for name in data if name not in head})
    text = json.dumps(data)
    text = text.replace('"DEEP"', "[" * 5000 + "]" * 5000).replace('"LONG"', "9" * 5000)
    if draw.random() < 0.05:  # a key twice
        text = text.replace("{", '{"' + draw.choice(list(data) or ["x"]) + '": 7, ', 1)
    content = text.encode()
    if draw.random() < 0.05:
        at = draw.randrange(len(content))
        content = content[:at] + b"\xff\xed\xa0\x80" + content[at:]
    return content


def _places(data: Any) -> Any:
    """All places of values: what they are in, and their key there. Long lists have a few."""
    items = data.items() if isinstance(data, dict) else enumerate(data[:8])
    for key, value in list(items):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def make(folder: Path) -> None:
    """Sound files of every kind."""
    make_saved(folder)
    make_index(folder)
    (folder / "manifest.json").write_bytes(_database(folder).value(ABOUT))
    for name in ("judge.json", "comparison.json"):
        shutil.copyfile(FOLDER / name, folder / name)


def _database(folder: Path) -> Database:
    return Database(Folder(folder / "idx").current() / ROWS)


def command(*arguments: str) -> Callable[[Path], None]:
    """A command of which ``{}`` is the folder."""

    def do(folder: Path) -> None:
        given = [argument.replace("{}", str(folder)) for argument in arguments]
        few = PAIRS  # what `train` looks at beside its own pairs
        with (
            patch("hybridsem.training.run.probe_pairs", lambda *_: few),
            redirect_stdout(io.StringIO()),
            redirect_stderr(io.StringIO()),
        ):
            cli.main(args=given, prog_name="hybridsem", standalone_mode=False)

    return do


def _check(scores: Any) -> None:
    assert all(math.isnan(score) or -1 <= score <= 1 for score in scores), f"scores {scores}"


def weights(path: Path) -> None:
    """Scores and their explanation."""
    nlp = Pipeline("verbnet-cn", weights=path)
    _check(nlp.score([PAIR, (TEXTS[3], TEXTS[9])]))
    nlp.explain(*PAIR).to_dict()


def calibration(path: Path) -> None:
    """Probabilities and decisions."""
    nlp = Pipeline("embedded", calibration=path)
    assert 0 <= nlp.decide(*PAIR).probability <= 1


def card(path: Path) -> None:
    """What reads cards."""
    found = load_card(path)
    repr(found)
    json.dumps(found.to_dict(), allow_nan=False)
    found._repr_html_()
    for given in (
        ("leaderboard", str(path), "-o", "{}/board", "--resamples", "20"),
        ("compare", str(path), str(path.with_name("sound.json")), "--resamples", "20"),
    ):
        command(*given)(path.parent)


def judge(path: Path) -> None:
    """Judgements by a judge of one's own."""
    pipeline().judge(*PAIR)  # loads the rest before only the judge's file is read
    shipped_judge.cache_clear()
    try:
        with patch.object(predictors, "weight_file", lambda _: path.read_bytes()):
            json.dumps(pipeline().judge(*PAIR).to_dict(), allow_nan=False)
    finally:
        shipped_judge.cache_clear()


def comparison(path: Path) -> None:
    """Scores by constants of one's own."""
    made = Weighting.from_dict(read_json(path))
    batch = pipeline().read([PAIR, (TEXTS[3], TEXTS[9])])
    _check(HybridCombiner("own", pipeline().combiner.vectors, made).scores(batch))


def manifest(path: Path) -> None:
    """Searches."""
    database = _database(path.parent)
    with database.change():
        database.put({ABOUT: path.read_bytes()})
    index = Index.open(path.parent / "idx", pipeline())
    _check(hit.score for hit in index.search(TEXTS[0], 3))
    index.search(agent="bank", verb="sue")
    _ = index.info, list(index)


HOSTILE: dict[str, Callable[[Path], None]] = {
    "weights.json": weights,
    "calibration.json": calibration,
    "card.json": card,
    "judge.json": judge,
    "comparison.json": comparison,
    "manifest.json": manifest,
}
