"""Make ``hybridsem/data/phrases.tsv.gz``: phrases and how their meanings are related.

    python -m models.phrases.build --data ../shared/data            the asset
    python -m models.phrases.build --data ../shared/data --sample   200 rows of each source, to read

The rows are described in ``hybridsem/phrases/lexicon.py``, which reads them.
"""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem.english.lemmas import lemmatiser
from models.corpora import json_lines, table
from models.lexicon.senses import usual
from models.lexicon.tables import WordNet, pos_of, read

FOLDER = Path(__file__).parent
TARGET = FOLDER.parents[1] / "hybridsem/data/phrases.tsv.gz"
TABLES = (
    *("abbreviations", "connectives", "definitions", "idioms", "light_verbs"),
    *("particle_verbs", "quantities", "vocabulary"),
)
"""Written by hand."""
LEAST_COSINE = {"v": 0.45, "r": 0.3, "a": 0.5, "n": 0.5}
"""Of a member of a synset and another, by part of speech."""
COMMON = 15
"""How often a word occurs in WordNet's definitions."""
LIGHT_VERBS = frozenset(("make", "give", "do", "hold", "pay", "conduct", "perform"))

Row = tuple[str, ...]
"""Relation, category, source, members (separated by "|"), and those of the other side."""


def written(name: str) -> Iterator[Row]:
    """The rows of a table that was written by hand."""
    for line in (FOLDER / f"{name}.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            category, left, right, *rest = line.split("\t")
            relation = rest[0] if rest else "equivalent"
            sides = [side.replace(", ", "|") for side in (left, right)]
            if relation in ("equivalent", "abbreviation"):
                sides = ["|".join(sides)]
            yield relation, category, name.replace("_", " "), *sides


def frequencies(folder: Path) -> Counter[str]:
    """How often words occur in WordNet's definitions and examples."""
    return Counter(re.findall(r"[a-z]+", (folder / "definitions.tsv").read_text("utf-8").lower()))


def synsets(net: WordNet, counts: Counter[str]) -> Iterator[Row]:
    """Synsets with a phrase: members in their usual sense that the encoder finds alike."""
    values, _ = usual(net)
    words = net.of_words()

    def usable(member: str, pos: str, key: str) -> bool:
        parts = [part for part in re.split("[^a-z]+", member) if part]
        if len(member) < 3 or re.search("[A-Z0-9]", member):
            return False
        if any(counts[part] < COMMON for part in parts):
            return False
        senses, value = len(words[member, pos]), values[(member, pos), key]
        if len(parts) > 1:
            return senses == 1 or (senses == 2 and value >= 0.95)
        if pos in "va" and len(words.get((member, "n"), ())) >= senses:
            return False
        return senses == 1 or (senses <= 3 and value >= 0.97)

    groups: list[tuple[str, list[str]]] = []
    for key, members in net.members.items():
        pos = pos_of(key)
        kept = [member for member in dict.fromkeys(members) if usable(member, pos, key)]
        spelled = {re.sub("[ -]", "", member) for member in kept}
        if len(spelled) > 1 and any(re.search("[ -]", member) for member in kept):
            groups.append((pos, kept))
    texts = sorted({member for _, members in groups for member in members})
    vectors = dict(zip(texts, Pipeline().encode(texts), strict=True))
    for pos, members in groups:
        matrix = np.array([vectors[member] for member in members])
        cosines = matrix @ matrix.T
        np.fill_diagonal(cosines, -1)
        alike = cosines.max(1) >= LEAST_COSINE[pos]
        kept = [member for member, keep in zip(members, alike, strict=True) if keep]
        if len(kept) > 1 and any(re.search("[ -]", member) for member in kept):
            yield "equivalent", pos, "WordNet", "|".join(kept)


def manners(net: WordNet, folder: Path) -> Iterator[Row]:
    """Adverbs of manner, by their definitions, with the phrase of their adjective or noun."""
    lines = (folder / "definitions.tsv").read_text(encoding="utf-8").splitlines()
    definitions = dict(line.split("\t")[:2] for line in lines)
    words, counts = net.of_words(), frequencies(folder)
    for (adverb, pos, sense), (adjective, other, number) in net.derivations:
        first = (pos, other, sense, number) == ("r", "a", 1, 1)
        if not (first and adverb.startswith(adjective[:-1]) and adjective.isalpha()):
            continue
        if counts[adverb] < 3:
            continue
        meanings = [definitions[key] for key in words[adverb, pos]]
        if all(re.match(r"in an? .*(manner|way|fashion)|with ", text) for text in meanings):
            article = "an" if adjective[0] in "aeiou" else "a"
            members = [adverb, *(f"in {article} {adjective} {way}" for way in MANNERS)]
            members += [text for text in meanings if re.fullmatch(r"with [a-z]+", text)]
            yield "equivalent", "r", "manner", "|".join(members)


MANNERS = ("way", "manner", "fashion")


def light_verbs(folder: Path, net: WordNet) -> Iterator[Row]:
    """Light verbs with the verb of their noun, from PropBank's annotation."""
    lemma, verbs = lemmatiser(), {word for word, pos in net.of_words() if pos == "v"}
    pairs: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for name in ("train", "dev", "frame-examples"):
        for row in json_lines(folder / f"{name}.jsonl"):
            single = [{**row, "index": row["rel"][0]}] if len(row.get("rel", ())) == 1 else []
            for predicate in row.get("predicates", single):
                noun = row["tokens"][predicate["index"]].lower()
                for role, start, *_ in predicate["args"]:
                    if role == "ARGM-LVB":
                        light = lemma(row["tokens"][start].lower(), "VERB")
                        roleset = predicate["roleset"].rpartition(".")[0]
                        pairs[light, lemma(noun, "NOUN")].add(roleset)
    for (light, noun), rolesets in sorted(pairs.items()):
        for verb in sorted(rolesets & verbs):
            if light in LIGHT_VERBS and verb != noun:
                yield "equivalent", "v", "PropBank", f"{light} * {noun}|{verb}"


def rows_of(data: Path) -> list[Row]:
    """All rows except those that were read and found wrong."""
    net, counts = read(data / "lexicon"), frequencies(data / "lexicon")
    rejected = set((FOLDER / "rejected.txt").read_text(encoding="utf-8").splitlines())
    rows = [
        *(row for name in TABLES for row in written(name)),
        *light_verbs(data / "propbank-ewt", net),
        *manners(net, data / "lexicon"),
        *synsets(net, counts),
    ]
    return list(dict.fromkeys(row for row in rows if row[3] not in rejected))


def drawn(rows: list[Row]) -> Iterator[Row]:
    """At most 200 rows of each source."""
    random.seed(0)
    for source in dict.fromkeys(row[2] for row in rows):
        mine = [row for row in rows if row[2] == source]
        yield from random.sample(mine, min(200, len(mine)))


def save(rows: list[Row]) -> None:
    """Write the asset."""
    sources = [row for row in table(FOLDER / "sources.tsv") if row["shipped"] == "yes"]
    heads = [("source", r["source"], f"{int(r['right']) / int(r['read']):.3f}") for r in sources]
    text = "".join("\t".join(row) + "\n" for row in [*heads, *rows])
    TARGET.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(dict(Counter(row[2] for row in rows)))
    print(f"{TARGET}: {len(rows)} rows, {TARGET.stat().st_size} bytes")


def main(data: Path = DATA, sample: Annotated[bool, "print rows instead"] = False) -> None:
    rows = rows_of(data)
    if not sample:
        save(rows)
    for row in drawn(rows) if sample else ():
        print(*row, sep="\t")


if __name__ == "__main__":
    run(main)
