"""How usual the senses of a word are, where the tables do not say it.

The tables of antonyms and derivations number senses, that of synsets has no numbers. What follows
from comparing them:

    antonyms       the pair of synsets whose members are antonyms most often, then that shares most
                   hypernyms or has heads of clusters, then that is nearest in WordNet's order; if
                   two words are antonyms in several senses, as many pairs
    derivations    two synsets whose other members are derived from each other too

gives the synset of some numbered senses. On those a conditional logit over what is known of every
synset (``features``) learns which of a word's synsets is its first sense. A sense without a number
counts what is to be expected from that.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from models.lexicon.tables import Sense, Word, WordNet, descendants, pos_of, usualness

ANTONYM_VOTES = 3
"""What antonyms count beside one pair of derived words."""
STEPS, RATE, SHRINKAGE = 400, 1.0, 1e-3
DRAWS = 200


def opposed(net: WordNet) -> Iterator[tuple[Sense, Sense, str, str]]:
    """Pairs of antonyms and the synsets in which they are that."""
    synsets = net.of_words()
    antonyms = {(first[:2], second[:2]) for first, second in net.antonyms}

    def unlikeness(pair: tuple[str, str]) -> tuple[int, int, int, str, str]:
        first, second = pair
        words = [[(lemma, pos_of(key)) for lemma in net.members[key]] for key in pair]
        shared = len(set(net.hypernyms[first]) & set(net.hypernyms[second]))
        satellites = sum(key.endswith("s") for key in pair)
        distance = abs(int(first[:-2]) - int(second[:-2]))
        opposites = sum(words in antonyms for words in itertools.product(*words))
        return -opposites, satellites - shared, distance, first, second

    grouped: dict[tuple[Word, Word], list[tuple[Sense, Sense]]] = defaultdict(list)
    for pair in sorted({tuple(sorted(pair)) for pair in net.antonyms}):
        grouped[pair[0][:2], pair[1][:2]].append(pair)
    for (word1, word2), pairs in grouped.items():
        candidates = itertools.product(synsets.get(word1, ()), synsets.get(word2, ()))
        likely = sorted((pair for pair in candidates if pair[0] != pair[1]), key=unlikeness)
        taken: set[str] = set()
        for first, second in pairs:
            free = next((pair for pair in likely if taken.isdisjoint(pair)), None)
            if free is not None:
                taken.update(free)
                yield first, second, *free


def numbered(net: WordNet) -> dict[tuple[Word, str], int]:
    """The number of a word's sense by its synset, where the tables give it away."""
    votes: dict[Sense, Counter[str]] = defaultdict(Counter)
    times = Counter((first[:2], second[:2]) for first, second in net.antonyms)
    for first, second, synset1, synset2 in opposed(net):
        if times[first[:2], second[:2]] > 1:  # which pair is which is not known
            continue
        votes[first][synset1] += ANTONYM_VOTES
        votes[second][synset2] += ANTONYM_VOTES
    for sense, synset in _parallel(net):
        votes[sense][synset] += 1
    best: dict[tuple[Word, str], tuple[int, int]] = {}
    for sense, counts in votes.items():
        (synset, count), *others = counts.most_common(2)
        place = sense[:2], synset
        if not others or others[0][1] < count:
            best[place] = max(best.get(place, (0, 0)), (count, -sense[2]))
    return {place: -number for place, (_, number) in best.items()}


def _parallel(net: WordNet) -> Iterator[tuple[Sense, str]]:
    """Senses of derived words in synsets of which other members are derived from each other."""
    synsets = net.of_words()
    related: dict[Word, set[Word]] = defaultdict(set)
    for first, second in net.derivations:
        related[first[:2]].add(second[:2])
        related[second[:2]].add(first[:2])
    members = {key: {(m, pos_of(key)) for m in lemmas} for key, lemmas in net.members.items()}
    for first, second in {tuple(sorted(pair)) for pair in net.derivations}:
        word1, word2 = first[:2], second[:2]
        counts = {}
        for pair in itertools.product(synsets.get(word1, ()), synsets.get(word2, ())):
            between = sum(len(related[word] & members[pair[1]]) for word in members[pair[0]])
            counts[pair] = between - 1  # without this pair itself
        most = max(counts.values(), default=0)
        if most > 0:
            for place, sense in enumerate((first, second)):
                found = {pair[place] for pair, count in counts.items() if count == most}
                if len(found) == 1:
                    yield sense, found.pop()


def features(net: WordNet) -> dict[Word, np.ndarray]:
    """Of every word with several synsets, in their order: (synsets, features)."""
    synsets = net.of_words()
    below = descendants(net.hypernyms)
    cluster = Counter(head for heads in net.heads.values() for head in heads)

    def of_synset(word: Word, key: str) -> list[float]:
        lemmas = net.members[key]
        place = lemmas.index(word[0])
        above = min((below[hypernym] for hypernym in net.hypernyms[key]), default=0)
        others = sum(len(synsets[lemma, word[1]]) for lemma in lemmas if lemma != word[0])
        return [
            place / len(lemmas),
            len(lemmas),
            math.log1p(below[key]),
            below[key] > 0,
            math.log1p(above),
            key.endswith("s"),  # a satellite
            math.log1p(cluster[key]),
            math.log1p(others),
            len(lemmas) == 1,
        ]

    several = {word: keys for word, keys in synsets.items() if len(keys) > 1}
    rows = {word: [of_synset(word, key) for key in keys] for word, keys in several.items()}
    return {word: np.array(some, float) for word, some in rows.items()}


def fitted(rows: list[np.ndarray], firsts: list[int]) -> np.ndarray:
    """Weights of features with which the softmax over a word's synsets finds the first sense."""
    table = np.concatenate(rows)
    group = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])[:-1]])
    first = np.zeros(len(table))
    first[starts + firsts] = 1
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        odds = np.exp(table @ weights)
        shares = odds / np.bincount(group, odds)[group]
        weights += RATE * (table.T @ (first - shares) / len(rows) - SHRINKAGE * weights)
    return weights


def expected(odds: np.ndarray, ranks: dict[int, int], draws: np.random.Generator) -> np.ndarray:
    """What each of a word's synsets counts: by its number, or as expected where orders are drawn
    by the odds (Plackett and Luce); the largest is 1.
    """
    noisy = np.log(odds) + draws.gumbel(size=(DRAWS, len(odds)))
    places = 1 + (-noisy).argsort(1).argsort(1)
    values = usualness(places).mean(0)
    for place, rank in ranks.items():
        values[place] = usualness(rank)
    return values / values.max()


def usual(net: WordNet) -> tuple[dict[tuple[Word, str], float], dict[str, float]]:
    """What each sense of each word counts, in (0, 1], and figures: how often the first sense is
    found among those of known number, in five folds, and by chance.
    """
    known = numbered(net)
    table = features(net)
    synsets = net.of_words()
    everything = np.concatenate(list(table.values()))
    mean, deviation = everything.mean(0), everything.std(0)
    table = {word: (rows - mean) / deviation for word, rows in table.items()}
    usual_ones = [place for place, number in known.items() if number == 1]
    firsts = {word: synsets[word].index(key) for word, key in usual_ones if word in table}
    parts = {}
    right = chance = 0.0
    for pos in "nvar":
        words = sorted(word for word in firsts if word[1] == pos)
        for fold in range(5):
            kept = [word for place, word in enumerate(words) if place % 5 != fold]
            weights = fitted([table[word] for word in kept], [firsts[word] for word in kept])
            for word in words[fold::5]:
                right += int((table[word] @ weights).argmax()) == firsts[word]
                chance += 1 / len(table[word])
        parts[pos] = fitted([table[word] for word in words], [firsts[word] for word in words])
    draws = np.random.default_rng(0)
    values = {(word, keys[0]): 1.0 for word, keys in synsets.items() if len(keys) == 1}
    for word, rows in table.items():
        keys = synsets[word]
        ranks = {place: known[word, key] for place, key in enumerate(keys) if (word, key) in known}
        odds = np.exp(rows @ parts[word[1]])
        places = [(word, key) for key in keys]
        values |= zip(places, expected(odds, ranks, draws).tolist(), strict=True)
    total = len(firsts)
    return values, {"first senses": total, "found": right / total, "by chance": chance / total}
