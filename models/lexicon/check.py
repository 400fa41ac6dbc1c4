"""What people say of words in the relations of the lexicon: the figures of the card.

python -m models.lexicon.check --data ../shared/data
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.lexicon import lexicon

OPEN = ("NOUN", "VERB", "ADJ", "ADV")
STRONG = 0.5
PAIRS = 4000

WORDS = lexicon()
LEMMA = lemmatiser()


def strongest(form1: str, form2: str, tags: tuple[str, ...]) -> tuple[str, float]:
    """The relation that counts most over parts of speech that both words have."""
    found = [("none", 0.0)]
    for tag in tags:
        word1, word2 = (LEMMA(form1, tag), tag), (LEMMA(form2, tag), tag)
        if word1 in WORDS and word2 in WORDS:
            kind, value = WORDS.relation(*word1, *word2)
            found.append((str(kind), value))
    return max(found, key=lambda row: row[1])


def ratings(path: Path, tags: tuple[str, ...]) -> None:
    """Mean ratings of pairs of words by relation."""
    rated = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        word1, word2, rating = line.split("\t")[:3]
        kind, value = strongest(word1, word2, tags)
        rated[kind, "strong" if value >= STRONG else "weak"].append(float(rating))
    print(path.name)
    for (kind, strength), values in sorted(rated.items(), key=lambda row: -mean(row[1])):
        print(f"  {kind} {strength}: {mean(values):.1f} ({len(values)})")


def entailment(path: Path) -> None:
    """How many pairs of a label have words in one sentence alone that are related to words in the
    other alone.
    """
    pairs: Counter[str] = Counter()
    with_kind: Counter[tuple[str, str]] = Counter()
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines[1 : PAIRS + 1]:
        *sentences, label = line.split("\t")[:3]
        first, second = (set(re.findall("[a-z']+", text.lower())) for text in sentences)
        kinds = set()
        for one in first - second:
            for other in second - first:
                kind, value = strongest(one, other, OPEN)
                if value >= STRONG:
                    kinds.add(kind)
        pairs[label] += 1
        with_kind.update((kind, label) for kind in kinds)
    print(path.name, dict(pairs))
    for kind in ("antonym", "sibling", "synonym"):
        shares = (f"{label} {with_kind[kind, label] / pairs[label]:.1%}" for label in sorted(pairs))
        print(f"  {kind}: {', '.join(shares)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="with words/ and analogies/")
    data = parser.parse_args().data
    ratings(data / "words/word-sim/EN-SIMLEX-999.txt", ("NOUN", "VERB", "ADJ"))
    ratings(data / "words/word-sim/EN-SimVerb-3500.txt", ("VERB",))
    entailment(data / "analogies/snli-dev.tsv")
