"""How well opposites are found that the tables do not name.

    python -m models.lexicon.opposites --data ../shared/data

Every pair of antonyms in usual senses is looked up as if the tables lacked it: without the pair and
without what makes their synsets opposites. False alarms are counted on pairs of words of
``word_counts.tsv`` that share a synset, or a hypernym, and are no antonyms. What counts less than
``LEAST_OPPOSED`` is not found.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections import defaultdict
from pathlib import Path

from hybridsem.english.lexicon import LEAST_OPPOSED, LexicalRelation, Lexicon, lexicon, usualness
from models.lexicon.tables import WordNet, pos_of, read

COUNTS = Path(__file__).parents[2] / "hybridsem/data/word_counts.tsv"
TAGS = {"v": "VERB", "n": "NOUN", "a": "ADJ", "r": "ADV"}
USUAL = 0.3
"""What two senses must count together."""
MOST = 6000
"""How many false pairs of a kind are tried."""

Pair = tuple[str, str, str]
"""Two lemmas in order and their part of speech."""


def opposites(net: WordNet) -> set[Pair]:
    """The antonyms of the tables in usual senses, of one word each."""
    return {
        (*sorted((first[0], second[0])), first[1])
        for first, second in net.antonyms
        if usualness(first[2]) * usualness(second[2]) >= USUAL
        and first[0] != second[0]
        and " " not in first[0] + second[0]
    }


def pairs_within(groups: dict[str, list[str]], words: set[str]) -> set[Pair]:
    """All pairs of known words in the same group; a group's key ends in its part of speech."""
    return {
        (*pair, pos_of(key))
        for key, lemmas in groups.items()
        for pair in itertools.combinations(sorted(words.intersection(lemmas)), 2)
    }


def strength(words: Lexicon, pair: Pair) -> float:
    """How much two words count as opposites."""
    first, second, pos = pair
    kind, value = words._relation(first, TAGS[pos], second, TAGS[pos])
    return value if kind is LexicalRelation.ANTONYM else 0.0


def strength_unnamed(words: Lexicon, pair: Pair) -> float:
    """The same, if the tables did not name the pair."""
    first, second = (words._word(lemma, TAGS[pair[2]]) for lemma in pair[:2])
    if first is None or second is None:
        return 0.0
    edges = [(words._antonyms, first, second)]
    edges += [
        (words._opposites, *synsets)
        for synsets in itertools.product(words._senses_of(first), words._senses_of(second))
    ]
    hidden = [
        (table, a, b, table[a].pop(b))
        for table, one, other in edges
        for a, b in {(one, other), (other, one)}
        if b in table.get(a, ())
    ]
    value = strength(words, pair)
    for table, a, b, level in hidden:
        table[a][b] = level
    return value


def main(data: Path) -> None:
    """Print the shares by part of speech."""
    net, words = read(data / "lexicon"), lexicon()
    lines = COUNTS.read_text(encoding="utf-8").splitlines()
    frequent = {line.split("\t")[0] for line in lines}
    antonyms = {(*sorted((a[0], b[0])), a[1]) for a, b in net.antonyms}
    below: dict[str, list[str]] = defaultdict(list)
    for key, above in net.hypernyms.items():
        for kind in above:
            below[kind] += net.members[key]
    synonyms = pairs_within(net.members, frequent) - antonyms
    siblings = pairs_within(dict(below), frequent) - antonyms - synonyms
    known = opposites(net)
    for pos in TAGS:
        of_pos = sorted(pair for pair in known if pair[2] == pos)
        usual = [pair for pair in of_pos if frequent.issuperset(pair[:2])]
        row = []
        for name, pairs in (("all", of_pos), ("frequent", usual)):
            found = sum(strength_unnamed(words, pair) >= LEAST_OPPOSED for pair in pairs)
            row.append(f"found of {len(pairs)} ({name}): {found / len(pairs):.2f}")
        for name, others in (("synonyms", synonyms), ("siblings", siblings)):
            wrong = sorted(pair for pair in others if pair[2] == pos)
            wrong = random.Random(0).sample(wrong, min(MOST, len(wrong)))
            alarms = sum(strength(words, pair) >= LEAST_OPPOSED for pair in wrong)
            if wrong:
                row.append(f"{name} taken for it: {alarms} of {len(wrong)}")
        print(pos, "; ".join(row))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a folder with lexicon/")
    main(parser.parse_args().data)
