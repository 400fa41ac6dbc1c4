"""Learn which words are opposites, and add them to ``hybridsem/data/lexicon.npz``.

    python -m models.lexicon.opposition --data ../shared/data

Boosted trees tell opposites from other pairs of one part of speech by what WordNet says of them, by
Roget's heads, by prefixes and by the cosine of their vectors. They learn from antonyms and synonyms
(Nguyen, Schulte im Walde & Vu 2017, the split "train"), and, as what is no opposite, from words of
sentences that people rate as alike, and from a sample of all candidates. Candidates are words with
vectors under Roget's opposed heads, in opposed synsets, with negating prefixes, or like each other.
What the trees hold for likelier than ``LEAST`` ships.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem._utils.weights import FOLDER
from hybridsem.embeddings.words import EmbeddedWords
from hybridsem.english.lexicon import LEVELS, LexicalRelation, Lexicon
from hybridsem.english.lexicon import _most as most
from models.corpora import table as rows_of
from models.hybrid.data import development as read_development
from models.lexicon.build import TARGET, level, packed_pairs
from models.lexicon.roget import Roget
from models.lexicon.tables import pos_of, read, usualness

TAGS = {"n": "NOUN", "v": "VERB", "a": "ADJ", "r": "ADV"}
LEAST = 0.4
"""The probability from which a pair ships."""
LIKE = 0.25
"""The cosine from which words of one part of speech are candidates."""
KIN = 0.6
"""What a head counts that a derived word stands under."""
PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "de", "mis", "anti", "counter", "a")
EXCHANGED = (
    *(("in", "ex"), ("in", "out"), ("under", "over"), ("up", "down"), ("pre", "post")),
    *(("im", "ex"), ("in", "de"), ("ac", "de"), ("as", "de"), ("pro", "re"), ("pro", "anti")),
    *(("max", "min"), ("hyper", "hypo"), ("sub", "super"), ("en", "dis")),
)
"""Prefixes that are opposites themselves."""
RATED = ("STSb train", "STSb dev", "SICK train", "STS12 MSRpar", "STS12 OnWN", "PAWS-Wiki dev")
SAMPLED, CHANCE = 8000, 2500
"""Candidates, and pairs drawn by chance, of each part of speech that are taken for no opposites."""
WEIGHTS = {"rated": 1.0, "text": 2.0, "sampled": 0.14}
TREES = {"max_iter": 400, "learning_rate": 0.05, "min_samples_leaf": 20, "l2_regularization": 1.0}
BLOCK = 20_000

Pair = tuple[str, str, str]
"""Two lemmas in alphabetical order and their part of speech."""


def pair(first: str, second: str, pos: str) -> Pair:
    """Two words as a pair."""
    return (first, second, pos) if first < second else (second, first, pos)


class Evidence:
    """What speaks for two words being opposites."""

    def __init__(self, words: Lexicon, roget: Roget, opposite: set[Pair], alike: set[Pair]) -> None:
        self.words, self.roget = words, roget
        self.opposite, self.alike = opposite, alike
        self.heads = cache(self._heads)
        self.across = {known: self._counts(known) for known in ("opposite", "alike")}

    def _heads(self, word: str, pos: str) -> dict[str, float]:
        """The heads of a word, and those of its family at reduced value."""
        found = dict.fromkeys(self.roget.heads(word, pos), 1.0)
        for (other, part), value in self.words.derived(word, TAGS[pos]).items():
            for head in self.roget.heads(other, part):
                found[head] = max(found.get(head, 0.0), KIN * value)
        return found

    def _across(self, first: str, second: str, pos: str) -> dict[tuple[str, str], float]:
        """Pairs of heads that two words stand under, and how much."""
        heads1, heads2 = self.heads(first, pos), self.heads(second, pos)
        scale = math.sqrt(max(1, len(heads1) * len(heads2)))
        return {
            (min(one, two), max(one, two)): value1 * value2 / scale
            for (one, value1), (two, value2) in product(heads1.items(), heads2.items())
            if one != two
        }

    def _counts(self, known: str) -> Counter[tuple[str, str]]:
        counts: Counter[tuple[str, str]] = Counter()
        for words in sorted(getattr(self, known)):  # sums depend on the order
            for heads, value in self._across(*words).items():
                counts[heads] += value
        return counts

    def odds(self, heads: tuple[str, str], own: float = 0.0, words: Pair | None = None) -> float:
        """The log odds that words under two heads are opposites; what a pair itself adds to them
        is left out.
        """
        opposite, alike = (self.across[known][heads] for known in ("opposite", "alike"))
        opposite -= own * (words in self.opposite)
        alike -= own * (words in self.alike)
        return math.log((opposite + 0.3) / (alike + 0.6))

    def row(self, words: Pair) -> list[float]:
        """The features of a pair, the cosine apart."""
        spelling = _spelling(*words[:2])
        return [*self._wordnet(*words), *self._thesaurus(words), *spelling, "navr".index(words[2])]

    def _wordnet(self, first: str, second: str, pos: str) -> list[float]:
        words, kinds = self.words, LexicalRelation
        one, two = words._word(first, TAGS[pos]), words._word(second, TAGS[pos])
        related, strength = words.relation(first, TAGS[pos], second, TAGS[pos])
        groups = (
            {kinds.ANTONYM},
            {kinds.SYNONYM},
            {kinds.HYPERNYM, kinds.HYPONYM},
            {kinds.CO_HYPONYM},
            {kinds.SIMILAR},
            {kinds.ENTAILS, kinds.ENTAILED},
        )
        found = [float(one is not None) + float(two is not None)]
        found += [strength if related in group else 0.0 for group in groups]
        if one is None or two is None:
            return [*found, *[0.0] * 9]
        deep = pos in "nv"
        near1, near2 = words._near(one), words._near(two)
        senses1, senses2 = words._senses_of(one), words._senses_of(two)
        kinds1, kinds2 = words._with_kinds(one), words._with_kinds(two)
        shared = [
            step1[key] * step2[key] * float(words._specificity[key]) / LEVELS
            for step1, step2 in product(words._kinds(one, 3), words._kinds(two, 3))
            for key in step1.keys() & step2.keys()
        ]
        return [
            *found,
            words._antonyms(one).get(two, 0.0),
            max((value for _, value in words._through_synonyms(one, two)), default=0.0),
            max(_through_families(words, one, two), default=0.0),
            most(words._opposite_synsets(near1), near2),
            most(words._opposite_synsets(kinds1), kinds2) * deep,
            max((senses1[key] * senses2[key] for key in senses1.keys() & senses2), default=0.0),
            max((near1[key] * near2[key] for key in near1.keys() & near2), default=0.0),
            max(
                most(words._opposite_synsets(near1), self._above(near2)),
                most(words._opposite_synsets(near2), self._above(near1)),
            ),
            max(shared, default=0.0) * deep,
        ]

    def _above(self, near: dict[int, float]) -> dict[int, float]:
        found = dict(near)
        for synset, value in near.items():
            for above in self.words._hypernyms[synset]:
                found[above] = max(found.get(above, 0.0), KIN * value)
        return found

    def _thesaurus(self, words: Pair) -> list[float]:
        first, second, pos = words
        heads1, heads2 = self.heads(first, pos), self.heads(second, pos)
        best, total, mass = -3.0, 0.0, 0.0
        for heads, value in self._across(*words).items():
            odds = self.odds(heads, value, words)
            if max(self.across[known][heads] for known in self.across) > 0.05:
                best = max(best, odds)
            total += value * odds
            mass += value
        same = sum(min(value, heads2.get(head, 0.0)) for head, value in heads1.items())
        beside = [0.0]
        for (one, value1), (two, value2) in product(heads1.items(), heads2.items()):
            if two in self.roget.opposed.get(one, ()):
                beside.append(value1 * value2 * 1.5)
            elif abs(self.roget.order[one] - self.roget.order[two]) == 1:
                beside.append(value1 * value2)
        places = [self.roget.words.get((word, pos), set()) for word in (first, second)]
        scale = math.sqrt(max(1, len(heads1) * len(heads2)))
        return [
            best,
            total / mass if mass else 0.0,
            same / scale,
            same,
            max(beside),
            float(len(places[0] & places[1])),
            float(bool(heads1)) + float(bool(heads2)),
        ]


def _through_families(words: Lexicon, one: int, two: int) -> Iterator[float]:
    """Opposites from which both words are derived: "buyer", buy, sell, "seller"."""
    families = words._family(one), words._family(two)
    for base, value in families[0].items():
        opposed = words._antonyms(base)
        for other in opposed.keys() & families[1].keys():
            yield value * opposed[other] * families[1][other]


def _spelling(first: str, second: str) -> list[float]:
    shorter, longer = sorted((first, second), key=len)
    negated = [at for at, prefix in enumerate(PREFIXES, 1) if longer == prefix + shorter]
    size = len(longer)
    tail = next((n for n in range(len(shorter)) if first[-1 - n] != second[-1 - n]), len(shorter))
    head = next((n for n in range(len(shorter)) if first[n] != second[n]), len(shorter))
    starts = first[: len(first) - tail], second[: len(second) - tail]
    exchanged = tail >= 3 and (starts in EXCHANGED or starts[::-1] in EXCHANGED)
    return [
        float(negated[0] if negated else 0),
        tail / size,
        head / size,
        float(exchanged),
        float(first.endswith("less") != second.endswith("less")),
        float(first.startswith(PREFIXES[:9]) != second.startswith(PREFIXES[:9])),
    ]


def candidates(evidence: Evidence, pos: str, words: Sequence[str], like: np.ndarray) -> set[Pair]:
    """Pairs of words that may be opposites.

    Args:
        evidence: Of the lexicon and the thesaurus.
        pos: The part of speech.
        words: In alphabetical order.
        like: Which of them are like each other, (words, words).
    """
    lexicon, roget, known = evidence.words, evidence.roget, set(words)
    found = {(words[i], words[j], pos) for i, j in zip(*np.nonzero(np.triu(like, 1)), strict=True)}

    def add(ours: Iterable[str], theirs: Iterable[str]) -> None:
        others = known.intersection(theirs)
        found.update(pair(one, two, pos) for one in ours for two in others if one != two)

    under: dict[str, set[str]] = defaultdict(set)
    members: dict[int, set[str]] = defaultdict(set)
    numbers = {word: lexicon._word(word, TAGS[pos]) for word in words}
    for word, number in numbers.items():
        for head in roget.heads(word, pos):
            under[head].add(word)
        for synset in lexicon._near(number) if number is not None else ():
            members[synset].add(word)
        for synset in lexicon._kinds(number, 1)[0] if number is not None and pos in "nv" else ():
            members[synset].add(word)
    opposed = set(pairwise(roget.order)) | {(h, o) for h, of in roget.opposed.items() for o in of}
    opposed |= {heads for heads in evidence.across["opposite"] if evidence.odds(heads) > 0}
    for one, two in opposed:
        add(under[one], under[two])
    for synset, ours in list(members.items()):
        for opposite in lexicon._opposites(synset):
            add(ours, members.get(opposite, ()))
    for word, number in numbers.items():
        for antonym in lexicon._antonyms(number) if number is not None else ():
            for synset in lexicon._near(antonym):
                add([word], members.get(synset, ()))
        add([word], [prefix + word for prefix in PREFIXES])
        add([word], [word.removesuffix("less") + "ful"])
        add([word], [b + word[len(a) :] for a, b in EXCHANGED if word.startswith(a)])
    return found


def text_pairs(data: Path, words: Lexicon) -> set[Pair]:
    """Words of which one sentence has the one and a sentence beside it the other, and that are no
    opposites: co-hyponyms, or of sentences that people rate as alike.
    """
    development = read_development(data)
    alike: set[int] = set()
    for task in development.tasks:
        if task.name in RATED:
            target = np.asarray(task.target, float)
            alike.update(np.asarray(task.rows)[target >= np.quantile(target, 0.7)].tolist())
    texts = list(dict.fromkeys(text for both in development.pairs for text in both))
    parts = {tag: pos for pos, tag in TAGS.items()}
    content: dict[str, set[tuple[str, str]]] = {}
    for text, structure in zip(texts, Pipeline().parse(texts), strict=True):
        tree = getattr(structure, "tree", None)
        tokens = () if tree is None else [(t.lemma.lower(), t.pos) for t in tree.tokens]
        content[text] = {(w, tag) for w, tag in tokens if tag in parts and (w, tag) in words}
    found = set()
    for row, (one, two) in enumerate(development.pairs):
        for word, tag in content[one] - content[two]:
            for other, tag2 in content[two] - content[one]:
                if tag == tag2 and word.isalpha() and other.isalpha():
                    kind, _ = words.relation(word, tag, other, tag)
                    sibling = kind is LexicalRelation.CO_HYPONYM
                    if sibling or (row in alike and kind is not LexicalRelation.ANTONYM):
                        found.add(pair(word, other, parts[tag]))
    return found


def cosines(vectors: EmbeddedWords, pairs: Sequence[Pair]) -> np.ndarray:
    """The cosine of each pair, (pairs,)."""
    words = sorted({word for both in pairs for word in both[:2]})
    table = unit(vectors, words)
    row = {word: number for number, word in enumerate(words)}
    ours, theirs = ([row[both[side]] for both in pairs] for side in (0, 1))
    return np.einsum("ij,ij->i", table[ours], table[theirs])


def features(evidence: Evidence, vectors: EmbeddedWords, pairs: Sequence[Pair]) -> np.ndarray:
    """The features of pairs, (pairs, features)."""
    table = np.array([evidence.row(both) for both in pairs])
    return np.column_stack([table, cosines(vectors, pairs)])


def unit(vectors: EmbeddedWords, words: Sequence[str]) -> np.ndarray:
    """Unit vectors of words, (words, d)."""
    table = np.asarray(vectors.embed(words))
    return table / np.maximum(1e-9, np.linalg.norm(table, axis=1, keepdims=True))


def rated_pairs(data: Path) -> tuple[list[tuple[Pair, bool]], set[Pair]]:
    """Antonyms and synonyms of the split "train", which they are, and those of all splits."""
    rows = [
        (pair(row["word1"], row["word2"], row["pos"]), row["opposite"] == "1", row["split"])
        for row in rows_of(data / "opposites/antonyms-synonyms.tsv")
    ]
    train = [(both, opposed) for both, opposed, split in rows if split == "train"]
    return train, {both for both, *_ in rows}


def possible_pairs(evidence: Evidence, vectors: EmbeddedWords) -> tuple[list[Pair], list[Pair]]:
    """All candidates of frequent words, and a sample of them with pairs drawn by chance."""
    with np.load(FOLDER / "words.npz", allow_pickle=False) as file:
        frequent = set(file["words"].tobytes().decode().split("\n"))
    possible: list[Pair] = []
    sampled: list[Pair] = []
    draw = random.Random(0)
    for pos in "nva":
        plain = [word for word in frequent if word.isalpha() and word.islower()]
        lemmas = sorted(word for word in plain if (word, TAGS[pos]) in evidence.words)
        table = unit(vectors, lemmas)
        of_pos = sorted(candidates(evidence, pos, lemmas, table @ table.T >= LIKE))
        possible += of_pos
        sampled += draw.sample(of_pos, SAMPLED)
        sampled += [pair(*draw.sample(lemmas, 2), pos) for _ in range(CHANCE)]
    return possible, sampled


def main(data: Path = DATA) -> None:
    """Learn, and add the pairs to the asset."""
    with np.load(TARGET, allow_pickle=False) as file:
        arrays = dict(file)
    empty = {"opposed": np.zeros((4, 0), np.uint8), "opposed_levels": np.zeros(0, np.uint8)}
    words, vectors, net = Lexicon({**arrays, **empty}), EmbeddedWords(), read(data / "lexicon")
    rated, known = rated_pairs(data)
    antonyms = {pair(a[0], b[0], a[1]) for a, b in net.antonyms}
    opposite = antonyms | {both for both, opposed in rated if opposed}
    alike = {both for both, opposed in rated if not opposed}
    for key, members in net.members.items():
        single = sorted(word for word in members if " " not in word and word.islower())
        alike.update((one, two, pos_of(key)) for one, two in combinations(single, 2))
    evidence = Evidence(words, Roget(data / "opposites/roget-1911.txt"), opposite, alike)
    possible, sampled = possible_pairs(evidence, vectors)
    groups = {
        "rated": [both for both, _ in rated],
        "text": sorted(text_pairs(data, words) - opposite),
        "sampled": [both for both in sampled if both not in opposite | known],
    }
    learned = [both for pairs in groups.values() for both in pairs]
    target = np.zeros(len(learned), bool)
    target[: len(rated)] = [opposed for _, opposed in rated]
    weights = np.concatenate([np.full(len(pairs), WEIGHTS[n]) for n, pairs in groups.items()])
    model = HistGradientBoostingClassifier(random_state=0, **TREES)
    model.fit(features(evidence, vectors, learned), target, weights)
    levels = dict.fromkeys(possible, 0.0)
    for start in range(0, len(possible), BLOCK):
        block = possible[start : start + BLOCK]
        values = model.predict_proba(features(evidence, vectors, block))[:, 1]
        levels |= zip(block, values.tolist(), strict=True)
    for first, second in net.antonyms:
        both = pair(first[0], second[0], first[1])
        if (usual := usualness(first[2]) * usualness(second[2])) >= LEAST:
            levels[both] = max(usual, levels.get(both, 0.0))
    numbers = {
        tuple(sorted(words._word(word, TAGS[pos]) for word in (one, two))): value
        for (one, two, pos), value in levels.items()
        if value >= LEAST
    }
    common = (both for both in numbers if all(words._spelled(w)[0].islower() for w in both))
    ordered = sorted(both for both in common if both[0] != both[1])
    arrays["opposed"] = packed_pairs(np.array(ordered, np.int32).reshape(-1, 2))
    arrays["opposed_levels"] = np.array([level(numbers[both]) for both in ordered], np.uint8)
    np.savez(TARGET, **arrays)
    print(f"{len(ordered)} pairs")


if __name__ == "__main__":
    run(main)
