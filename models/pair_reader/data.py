"""What the pair reader learns from: pairs, each with what is known of its two directions.

No data set says all. A pair has the relations that each direction may have (entailment, neutral,
contradiction), a similarity from 0 to 1, and whether it is a paraphrase; what an annotation leaves
open stays open. ``sources.toml`` lists the sets.

Rows that share a sentence with a test set are left out (``models.held_out``). A share of each set,
whole groups of pairs that share a sentence, is held back: the score is learned there.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import pickle
import random
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from benchmarks.command import DATA
from hybridsem.datasets.plain_english import plain_pairs, plain_triples
from hybridsem.datasets.settings import Settings
from hybridsem.datasets.splits import components
from hybridsem.datasets.triples import sugarcrepe_pp
from models.corpora import Item, json_lines, read
from models.facts import fact_pairs
from models.held_out import usable
from models.pair_reader.edits import Edits
from models.phrases import phrase_pairs
from models.plain_english.build import Drawn, drawn, part_of, passages_of, triples_of
from models.plain_english.groups import Group, read_groups

ENTAILMENT, NEUTRAL, CONTRADICTION = 1, 2, 4
"""Relations as bits, so that a direction can have several that it may be."""
ANY = ENTAILMENT | NEUTRAL | CONTRADICTION
UNKNOWN = math.nan


@dataclass(frozen=True, slots=True)
class Row:
    """A pair; ``forward`` and ``backward`` are the relations that the first sentence may have to
    the second and the second to the first; ``similarity`` and ``paraphrase`` can be not a number.
    """

    first: str
    second: str
    forward: int = ANY
    backward: int = ANY
    similarity: float = UNKNOWN
    paraphrase: float = UNKNOWN
    source: str = ""
    weight: float = 1.0
    held: bool = False

    @property
    def is_labelled(self) -> bool:
        """If anything but a similarity is known of the pair."""
        return self.forward & self.backward != ANY or not math.isnan(self.paraphrase)

    @property
    def says(self) -> bool:
        """If anything is known of the pair."""
        return self.is_labelled or not math.isnan(self.similarity)

    def turned(self) -> Row:
        """The same with the sentences exchanged."""
        turned = replace(self, first=self.second, second=self.first)
        return replace(turned, forward=self.backward, backward=self.forward)


Source = Mapping[str, Any]
"""A row of ``sources.toml``."""
Targets = tuple[int, int, float]
"""Forward, backward, and paraphrase."""
LABELS: Mapping[str, Targets] = {
    "entailment": (ENTAILMENT, ANY, UNKNOWN),
    "neutral": (NEUTRAL, ENTAILMENT | NEUTRAL, UNKNOWN),
    "contradiction": (CONTRADICTION, CONTRADICTION, UNKNOWN),
    "not_entailment": (NEUTRAL | CONTRADICTION, ANY, UNKNOWN),
    "paraphrase": (ENTAILMENT | NEUTRAL, ENTAILMENT | NEUTRAL, 1.0),
    "different": (ANY, ANY, 0.0),
    "same": (ENTAILMENT, ENTAILMENT, 1.0),
    "entails": (ENTAILMENT, NEUTRAL, UNKNOWN),
    "entailed": (NEUTRAL, ENTAILMENT, UNKNOWN),
    "contradicts": (CONTRADICTION, CONTRADICTION, 0.0),
    "differs": (NEUTRAL, NEUTRAL, 0.0),
    "unrelated": (NEUTRAL, NEUTRAL, 0.0),
    "altered": (NEUTRAL | CONTRADICTION, NEUTRAL | CONTRADICTION, 0.0),
}


def _row(pair: tuple[str, str], label: str, similarity: float = UNKNOWN) -> Row:
    forward, backward, paraphrase = LABELS[label]
    return Row(*pair, forward, backward, similarity, paraphrase)


def _of_file(file: Path, settings: Source) -> Iterator[Row]:
    """The pairs of a file by their labels and ratings."""
    low, high = settings.get("scale", (0, 1))
    names, genres, labels = (settings.get(key) for key in ("as", "genres", "labels"))
    for item in read(settings["reader"], file):
        if (genres and item.kind not in genres) or (labels and item.label not in labels):
            continue
        if item.label:
            rated = "scale" in settings
            similarity = ((item.rating or low) - low) / (high - low) if rated else UNKNOWN
            yield _row(item.pair, (names or {}).get(item.label, item.label), similarity)
        elif item.rating is not None:
            yield Row(*item.pair, similarity=(item.rating - low) / (high - low))


def _sugarcrepe(folder: Path, settings: Source) -> Iterator[Row]:
    for _, first, second, altered in sugarcrepe_pp(folder, Settings()).items:
        yield _row((first, second), "paraphrase")
        yield _row((first, altered), "different")
        yield _row((second, altered), "different")


def _plain_pairs(part: str) -> Iterator[Row]:
    for which in ("pairs", "passages"):
        for pair in plain_pairs(which, part, disputed=False):
            yield _row((pair.sentence1, pair.sentence2), pair.label, pair.similarity)


def _plain(file: Path, settings: Source) -> Iterator[Row]:
    """Pairs, passages and triples of groups that share no text with those held back or tested; so
    many pairs of a group, drawn so that words do not give the label away.
    """
    held, groups = set[str](), list[Group]()
    for group in read_groups("test", "judge", "dev", "learn"):
        if part_of(group) in ("test", "judge", "check"):
            held |= _texts(group)
        else:
            groups.append(group)
    groups = [group for group in groups if held.isdisjoint(_texts(group))]
    sentences, draw = [group for group in groups if "A" in group.texts], random.Random(0)
    pairs = drawn(sentences, draw, settings["of_group"])
    yield from _of_triples(sentences, draw)
    yield from _of_pairs([*pairs, *(pair for group in groups for pair in passages_of(group))])


def _texts(group: Group) -> set[str]:
    return {text for wordings in group.texts.values() for text in wordings}


def _of_triples(groups: Iterable[Group], draw: random.Random) -> Iterator[Row]:
    for group in groups:
        for pair, alteration in triples_of(group, draw):
            yield _row((pair.text1, pair.text2), "same", 1.0)
            yield _row((pair.text1, alteration), pair.relation.label)


def _of_pairs(pairs: Iterable[Drawn]) -> Iterator[Row]:
    for pair in pairs:
        yield _row((pair.text1, pair.text2), pair.relation.label, pair.relation.similarity)


def _plain_half() -> Iterator[Row]:
    """The half that is held back, whose hands the reader knows."""
    yield from _plain_pairs("check")
    for triple in plain_triples("check"):
        yield _row((triple.sentence, triple.paraphrase), "same", 1.0)
        yield _row((triple.sentence, triple.alteration), triple.label)


def _made(file: Path, settings: Source) -> Iterator[Row]:
    """Pairs made by rule, at most so many of a kind."""
    made: defaultdict[str, list[Row]] = defaultdict(list)
    for row in json_lines(file):
        pair = row["sentence1"], row["sentence2"]
        made[row["kind"]].append(_row(pair, row["label"], float(row["similarity"])))
    yield from _of_each_kind(made, settings)


def _of_each_kind(kinds: Mapping[str, list[Row]], settings: Source) -> Iterator[Row]:
    draw, most = random.Random(0), settings["of_kind"]
    for rows in kinds.values():
        draw.shuffle(rows)
        yield from rows[:most]


EDITED = ("mnli", "lingnli", "mrpc", "qqp")
"""Sets whose sentences are edited."""


def _everyday(folder: Path, name: str) -> list[Item]:
    file = "qqp.tsv" if name == "qqp" else f"{name}-train.tsv"
    return read(name, folder / "everyday" / file)


def _edited(folder: Path, settings: Source) -> Iterator[Row]:
    """Sentences of everyday sets and edits of them."""
    edits, draw = Edits(folder), random.Random(0)
    kinds: defaultdict[str, list[Row]] = defaultdict(list)
    for name in EDITED:
        items = _everyday(folder, name)
        for text in dict.fromkeys(text for item in items for text in item.pair):
            for kind, (other, label, similarity) in edits.of(text, draw):
                asked = label == "contradicts" and text.rstrip().endswith("?")
                kinds[kind].append(_row((text, other), "altered" if asked else label, similarity))
    yield from _of_each_kind(kinds, settings)


def _reworded(folder: Path, settings: Source) -> Iterator[Row]:
    """Pairs of everyday sets in which the second sentence is edited. What contradicts a sentence
    contradicts all that entails it; what means the same follows from the same.
    """
    edits, draw = Edits(folder), random.Random(1)
    kinds: defaultdict[str, list[Row]] = defaultdict(list)
    for name in ("mnli", "lingnli", "mrpc"):
        for (first, second), label, *_ in _everyday(folder, name):
            for kind, (other, edit, _) in edits.of(second, draw):
                if edit == "same":
                    kinds[kind].append(_row((first, other), label))
                elif edit == "contradicts" and label in ("entailment", "paraphrase"):
                    kinds[kind].append(_row((first, other), edit))
    yield from _of_each_kind(kinds, settings)


def _tables(folder: Path, settings: Source) -> Iterator[Row]:
    """The development halves of the tables of facts and of phrases."""
    for pair in (*fact_pairs("dev", folder), *phrase_pairs("dev")):
        yield _row((pair.sentence1, pair.sentence2), pair.label)


def _crossed(folder: Path, settings: Source) -> Iterator[Row]:
    """Pairs of what was written for one sentence of everyday sets, of which no label is known."""
    written: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for name in ("mnli", "lingnli"):
        for (first, second), *_ in _everyday(folder, name):
            written[first][second] = None
    for texts in written.values():
        yield from (Row(*pair) for pair in itertools.combinations(texts, 2))


READERS: Mapping[str, Callable[[Path, Source], Iterator[Row]]] = {
    "sugarcrepe": _sugarcrepe,
    "plain": _plain,
    "made": _made,
    "edited": _edited,
    "reworded": _reworded,
    "crossed": _crossed,
    "tables": _tables,
}


def sources() -> dict[str, Source]:
    """The table of sets."""
    return tomllib.loads(Path(__file__).with_name("sources.toml").read_text("utf-8"))


def _read(data: Path, made: Path | None) -> list[Row]:
    """The rows of all sets; ``made`` is what ``models.pairs`` wrote."""
    rows: list[Row] = []
    shares: list[float] = []
    for name, settings in sources().items():
        if settings["reader"] == "made" and made is None:
            continue
        of_set = _rows(data if settings["reader"] != "made" or made is None else made, settings)
        pairs = [(row.first, row.second) for row in of_set]
        allowed = usable("SICK train" if name == "sick" else name, pairs, data)
        most = settings.get("most", len(allowed))
        chosen = np.sort(np.random.default_rng(0).permutation(allowed)[:most])
        weight = settings.get("weight", 1.0)
        rows += [replace(of_set[n], source=name, weight=weight) for n in chosen.tolist()]
        shares += [float(settings["held"])] * len(chosen)
    held = _held_back(rows, shares)
    return [row for row in held if row.says or not row.held]


ROWS = Path("runs/pair_reader/rows.pickle")
UNKNOWN_HANDS = "plain-english, other hands"
"""The source of pairs by hands of which the reader has learned nothing."""


def kept_rows(data: Path, made: Path | None, file: Path = ROWS) -> list[Row]:
    """The rows of all sets, kept in a file, and what of plain-english is held back."""
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(_read(data, made)))
    rows: list[Row] = pickle.loads(file.read_bytes())
    groups, draw = read_groups("judge"), random.Random(0)
    held = {
        "plain-english": _plain_half(),
        UNKNOWN_HANDS: _of_pairs(drawn(groups, draw, sources()["plain-english"]["of_group"])),
        f"{UNKNOWN_HANDS}: triples": _of_triples(groups, draw),
    }
    for name, some in held.items():
        rows += [replace(row, source=name, held=True) for row in some if _is_usable(row)]
    return rows


@dataclass(frozen=True)
class Kept:
    """The files that the rows come from."""

    data: Path = DATA
    made: Annotated[Path | None, "what models.pairs wrote"] = None
    rows: Path = ROWS

    def read(self) -> list[Row]:
        """The rows."""
        return kept_rows(self.data, self.made, self.rows)


TESTS: Mapping[str, Source] = {
    "mnli-matched": {"reader": "mnli", "file": "everyday/mnli-matched.tsv"},
    "stsb-test": {"reader": "rated", "scale": (0, 5), "file": "sts/stsb-en-test.csv"},
    "sick-test": {"reader": "sick", "scale": (1, 5), "file": "sts/SICK_test_annotated.txt"},
}


def tests(data: Path) -> list[Row]:
    """The rows of test sets, and of the test part of plain-english."""
    sets = {name: _rows(data, settings) for name, settings in TESTS.items()}
    sets["plain-english test"] = [*_plain_pairs("test")]
    return [replace(row, source=name) for name, rows in sets.items() for row in rows]


def _rows(folder: Path, settings: Source) -> list[Row]:
    reader = READERS.get(settings["reader"], _of_file)
    rows = reader(folder / settings["file"], settings)
    return [row for row in rows if _is_usable(row)]


def _is_usable(row: Row) -> bool:
    return bool(row.first.strip() and row.second.strip())


def _held_back(rows: list[Row], shares: list[float]) -> list[Row]:
    groups = components([(row.first, row.second) for row in rows]).tolist()
    draws: dict[int, float] = {}
    for row, group in zip(rows, groups, strict=True):
        if group not in draws:
            digest = hashlib.sha256(f"0\0{row.first}".encode()).digest()
            draws[group] = int.from_bytes(digest[:4], "big") / 2**32
    return [
        replace(row, held=draws[group] < share)
        for row, group, share in zip(rows, groups, shares, strict=True)
    ]
