"""Draw pairs, triples and passages from the groups, and write them to the package.

    python -m models.plain_english.build [--blind FOLDER --hands 6] [--write]

Pairs are drawn so that words do not give the label away: each of the five labels of one situation
has equally many pairs with few, some and many words in common, and with the longer text first; and
a sentence that was drawn for one label is drawn for another next. ``--blind`` writes pairs without
labels for a second reader; ``labels/*.tsv`` has what the second readers found. Pairs on which they
disagree with the author are marked as disputed.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Annotated, NamedTuple

from benchmarks.command import run
from hybridsem.judge.labels import LABELS, Label
from models.plain_english.groups import Group, Relation, read_groups

TO = Path("hybridsem/datasets/plain_english")
BLIND = Path(__file__).parent / "labels"
PARTS = ("choose", "check", "test")
PER_GROUP = 6.6
"""Pairs for each group, without passages and unrelated pairs."""
TRIPLES = 2
BINS = (0.3, 0.5, 0.7)
"""The limits of few, some and many words in common."""
SITUATION = tuple(label for label in LABELS if label is not Label.UNRELATED)
ABOUT = ("id", "part", "domain", "author", "phenomenon", "label")
NAMES = (*ABOUT, "similarity", "second", "disputed", "sentence1", "sentence2")
_WORD = re.compile(r"\w+")


class Drawn(NamedTuple):
    """A pair of texts of a group."""

    group: Group
    phenomenon: str
    relation: Relation
    text1: str
    text2: str

    @property
    def key(self) -> str:
        """A name that depends on the texts alone."""
        return hashlib.sha256(f"{self.text1}\n{self.text2}".encode()).hexdigest()[:10]

    @property
    def swapped(self) -> Drawn:
        """The pair in the other order."""
        return Drawn(self.group, self.phenomenon, self.relation.inverted, self.text2, self.text1)


def overlap(text1: str, text2: str) -> float:
    """Return the share of common words, in [0, 1] (Dice)."""
    one, two = (Counter(_WORD.findall(text.lower())) for text in (text1, text2))
    return 2 * (one & two).total() / max(1, one.total() + two.total())


def candidates(group: Group) -> Iterator[Drawn]:
    """Yield all pairs of a group whose label is known."""
    same = Relation(Label.SAME, 1.0)
    letters = [letter for letter in "ABCD" if letter in group.texts]
    for letter in letters:
        numbered = list(enumerate(group.texts[letter]))
        for (i, text1), (j, text2) in combinations(numbered, 2):
            about = group.phenomena[letter][max(i, j)] or "paraphrase"
            yield Drawn(group, about, same, text1, text2)
    for one, two in combinations(letters, 2):
        relation = group.relations[one + two]
        about = group.phenomena[two if one == "A" else one][0]
        if one != "A":
            about += f"+{group.phenomena[two][0]}"
        for text1, text2 in product(group.texts[one], group.texts[two]):
            yield Drawn(group, about, relation, text1, text2)


def drawn(
    groups: Sequence[Group], chance: random.Random, per_group: float = PER_GROUP
) -> list[Drawn]:
    """Return the pairs of a part: equally many of each label of one situation with as many words in
    common, and with the longer text first.
    """
    found: defaultdict[tuple[Label, int], list[Drawn]] = defaultdict(list)
    kinds = 2 * (len(BINS) + 1)
    for group in groups:
        for pair in candidates(group):
            pair = pair if chance.random() < 0.5 else pair.swapped
            common = sum(overlap(pair.text1, pair.text2) >= limit for limit in BINS)
            longer = len(pair.text1) > len(pair.text2)
            found[pair.relation.label, 2 * common + longer].append(pair)
    wanted = int(per_group * len(groups) / len(SITUATION))
    most = [min(len(found[label, at]) for label in SITUATION) for at in range(kinds)]
    quota = [0] * len(most)
    while sum(quota) < min(wanted, sum(most)):
        at = min((at for at in range(len(most)) if quota[at] < most[at]), key=quota.__getitem__)
        quota[at] += 1
    used: Counter[str] = Counter()
    used_for: Counter[tuple[str, Label]] = Counter()
    in_group: Counter[str] = Counter()
    chosen: list[Drawn] = []

    def seen(pair: Drawn, label: Label) -> tuple[int, int]:
        """How often the group, and how often the texts, were drawn; it never falls."""
        texts = sum(used_for[text, label] * 4 + used[text] for text in (pair.text1, pair.text2))
        return in_group[pair.group.name], texts

    for at, label in product(range(len(most)), SITUATION):
        rest = found[label, at]
        chance.shuffle(rest)
        least_seen = [(seen(pair, label), place) for place, pair in enumerate(rest)]
        heapify(least_seen)
        for _ in range(quota[at]):
            while (now := seen(rest[place := least_seen[0][1]], label)) != least_seen[0][0]:
                heapreplace(least_seen, (now, place))
            heappop(least_seen)
            pair = rest[place]
            chosen.append(pair)
            in_group[pair.group.name] += 1
            for text in (pair.text1, pair.text2):
                used[text] += 1
                used_for[text, label] += 1
    for pair in (pair for group in groups for pair in unrelated(group)):
        chosen.append(pair if chance.random() < 0.5 else pair.swapped)
    return chosen


def unrelated(group: Group) -> Iterator[Drawn]:
    """Yield the first sentence of a group with those of other matters."""
    for text in group.texts.get("U", ()):
        about, relation = group.phenomena["U"][0], group.relations["AU"]
        yield Drawn(group, about, relation, group.texts["A"][0], text)


def triples_of(group: Group, chance: random.Random) -> Iterator[tuple[Drawn, str]]:
    """Yield a sentence with its reworded paraphrase, and an alteration in nearly the same words."""
    letters = [letter for letter in "ABCD" if letter in group.texts]
    ways = [way for way in permutations(letters, 2) if "A" in way]
    chance.shuffle(ways)
    for one, two in ways[:TRIPLES]:
        relation = group.relations[min(one, two) + max(one, two)]
        relation = relation if one < two else relation.inverted
        texts = group.texts[one]
        about = group.phenomena[two if one == "A" else one][0]
        yield Drawn(group, about, relation, texts[0], texts[-1]), group.texts[two][0]


def passages_of(group: Group) -> Iterator[Drawn]:
    """Yield a passage with its reworded copy, and with one that changes a fact."""
    if "P" not in group.texts:
        return
    first, reworded = group.texts["P"][:2]
    yield Drawn(group, group.phenomena["P"][1], Relation(Label.SAME, 1.0), first, reworded)
    yield Drawn(group, group.phenomena["Q"][0], group.relations["PQ"], first, group.texts["Q"][0])


def second_labels() -> dict[str, Label]:
    """Return what second readers found, by the key of the pair."""
    found = {}
    for file in sorted(BLIND.glob("*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines()[1:]:
            key, label, *_ = line.split("\t")
            found[key] = Label(label)
    return found


def part_of(group: Group) -> str:
    """Return the part of a group; halves of the development part are drawn by its name."""
    if group.part != "dev":
        return group.part
    return PARTS[hashlib.sha256(group.name.encode()).digest()[0] % 2]


def about(pair: Drawn, part: str) -> list[str]:
    """Return the cells of a pair under ``ABOUT``."""
    group = pair.group
    return [pair.key, part, group.domain, group.author, pair.phenomenon, pair.relation.label]


def row_of(pair: Drawn, part: str, second: Label | None) -> list[str]:
    """Return the cells of a pair."""
    disputed = "" if second is None else str(int(second is not pair.relation.label))
    second_cells = [f"{pair.relation.similarity:g}", second or "", disputed]
    return [*about(pair, part), *second_cells, pair.text1, pair.text2]


def save(path: Path, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write a table, tab separated."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join("\t".join(row) + "\n" for row in (names, *rows))
    path.write_text(text, encoding="utf-8")


def main(
    blind: Annotated[Path | None, "folder for pairs without labels"] = None,
    hands: Annotated[int, "second readers"] = 6,
    development: Annotated[int, "development pairs of --blind"] = 600,
    write: Annotated[bool, "write the files of the package"] = False,
) -> None:
    """Draw everything, and write it where that is asked for."""
    groups, second = read_groups("dev", "test"), second_labels()
    pairs: list[tuple[Drawn, str]] = []
    triples: list[list[str]] = []
    passages: list[tuple[Drawn, str]] = []
    for part in PARTS:
        own = [group for group in groups if part_of(group) == part]
        chance = random.Random(f"plain-english {part}")
        pairs += [(pair, part) for pair in drawn([g for g in own if "A" in g.texts], chance)]
        for group in own:
            for pair, alteration in triples_of(group, chance) if "A" in group.texts else ():
                triples.append([*about(pair, part), pair.text1, pair.text2, alteration])
            passages += [(pair, part) for pair in passages_of(group)]
    for name, some in (("pairs", pairs), ("passages", passages)):
        counts = Counter((part, str(pair.relation.label)) for pair, part in some)
        print(name, len(some), dict(sorted(counts.items())))
    print("triples", len(triples), dict(Counter(row[1] for row in triples)))
    if blind:
        chance = random.Random("blind")
        known = [pair for pair, part in pairs + passages if part == "test"]
        rest = [pair for pair, part in pairs if part != "test"]
        known += chance.sample(rest, development)
        chance.shuffle(known)
        for hand in range(hands):
            rows = [[p.key, p.text1, p.text2] for p in known[hand::hands]]
            save(blind / f"blind-{hand + 1}.tsv", ("id", "sentence1", "sentence2"), rows)
    if write:
        for name, some in (("pairs", pairs), ("passages", passages)):
            rows = [row_of(pair, part, second.get(pair.key)) for pair, part in some]
            save(TO / f"{name}.tsv", NAMES, rows)
        save(TO / "triples.tsv", (*ABOUT, "sentence", "paraphrase", "alteration"), triples)


if __name__ == "__main__":
    run(main)
