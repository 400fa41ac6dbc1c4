"""An index of a million sentences: how large, how quick and how exact.

    python -m benchmarks.search search /tmp/search --data ../shared/data [--sentences 1000000]

The sentences are made by recombination: in sentences of UD English EWT (their trees are there),
SNLI, STSb, SICK and PAWS-Wiki (parsed by the embedded parser) noun phrases change places with noun
phrases of other sentences that are of their kind: the same article, the same number. What is there
first stands first, and the same seed makes the same sentences. Queries are sentences of the index.
A run that is stopped goes on where it was.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from benchmarks.command import DATA, run
from benchmarks.corpora.sources import closed_up, distinct_texts
from benchmarks.timing import Run, each, machine, show, show_compared, show_each
from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.search.clauses import slot_query
from hybridsem.search.index import Index
from hybridsem.structures import DependencyTree

SOURCES = (
    "analogies/snli-dev.tsv",
    "sts/stsb-en-train.csv",
    "sts/SICK_train.txt",
    "paws/paws-wiki-dev.tsv",
)
ARTICLES = {"a": "a", "an": "a", "the": "the", "his": "his", "her": "his", "their": "his"}
PLACES = ("nsubj", "nsubj:pass", "obj", "obl", "nmod", "iobj")
LONGEST = 6
BLOCK = 512
Kind = tuple[str, str]
Place = tuple[Kind, int, int]
"""A kind of noun phrase, and its first and last character."""


def trees(data: Path, parsed: int, seed: int) -> list[DependencyTree]:
    """The trees of EWT, and of so many sentences of the other corpora."""
    found = list(read_conllu(data / "ud-ewt/train.conllu"))
    given = (closed_up(text) for name in SOURCES for text in distinct_texts(data / name))
    stopped = (text if text[-1] in ".!?" else f"{text}." for text in given if text[0].isupper())
    texts = list(dict.fromkeys(text for text in stopped if 4 <= len(text.split()) <= 20))
    random.Random(seed).shuffle(texts)
    found += EmbeddedTrees().trees(texts[:parsed])
    return [tree for tree in found if 4 <= len(tree) <= 25 and "\n" not in tree.text]


def phrases(tree: DependencyTree) -> list[Place]:
    """The noun phrases of a tree that may be exchanged, by characters, none within another."""
    found: list[Place] = []
    for i, token in enumerate(tree):
        if token.pos != "NOUN" or token.relation not in PLACES:
            continue
        inner = {j for j in tree.children(i) if tree[j].relation in ("case", "cc", "punct")}
        words = [j for j in tree.subtree(i) if j not in inner]
        article = ARTICLES.get(tree[words[0]].text.lower())
        whole = words == list(range(words[0], words[-1] + 1)) and len(words) <= LONGEST
        if article and whole and all(tree[j].pos not in ("VERB", "PRON", "AUX") for j in words):
            number = "many" if token.text.lower() != token.lemma.lower() else "one"
            found.append(((article, number), tree[words[0]].start, tree[words[-1]].end))
    found.sort(key=lambda place: place[1])
    ends = accumulate((end for _, _, end in found), max, initial=-1)
    return [place for place, end in zip(found, ends, strict=False) if place[1] > end]


def recombined(
    bases: list[tuple[str, list[Place]]], pool: Mapping[Kind, list[str]], seed: int
) -> Iterator[str]:
    """Sentences without end, the bases first."""
    draw = random.Random(seed)
    yield from (text for text, _ in bases)
    usable = [base for base in bases if base[1]]
    while True:
        text, places = usable[draw.randrange(len(usable))]
        pieces, at = [], 0
        for kind, start, end in places:
            if draw.random() < 0.75:
                phrase = pool[kind][draw.randrange(len(pool[kind]))]
                upper = text[start].isupper()
                phrase = (phrase[0].upper() if upper else phrase[0].lower()) + phrase[1:]
                pieces += [text[at:start], phrase]
                at = end
        yield "".join([*pieces, text[at:]])


def prepare(data: Path, work: Path, sentences: int, parsed: int, seed: int) -> list[str]:
    """Return the sentences, made once."""
    file = work / "texts.txt"
    if file.exists():
        return file.read_text(encoding="utf-8").splitlines()
    work.mkdir(parents=True, exist_ok=True)
    pool: defaultdict[Kind, list[str]] = defaultdict(list)
    bases = []
    for tree in trees(data, parsed, seed):
        places = phrases(tree)
        bases.append((tree.text, places))
        for kind, start, end in places:
            pool[kind].append(tree.text[start:end])
    wanted: dict[str, None] = {}
    for text in recombined(bases, pool, seed + 1):
        if len(wanted) >= sentences:
            break
        wanted[" ".join(text.split())] = None
    file.write_text("".join(f"{text}\n" for text in wanted), encoding="utf-8")
    return list(wanted)


def has_roles(nlp: Pipeline, query: str) -> bool:
    """Test if a sentence can be searched by its roles: "What a day!" cannot."""
    try:
        slot_query(nlp.reader, query)
    except InputError:
        return False
    return True


def search(
    work: Annotated[Path, "folder for texts and index"],
    data: Path = DATA,
    sentences: int = 1_000_000,
    parsed: Annotated[int, "base sentences that are parsed"] = 6000,
    timed: Annotated[int, "queries that are timed"] = 200,
    exact: Annotated[int, "queries that are searched exactly"] = 50,
    candidates: Sequence[int] = (64, 128, 256),
    seed: int = 0,
) -> None:
    """Build the index, or open it, and search it."""
    print(machine("onnxruntime", "numpy"))
    texts = prepare(data, work, sentences, parsed, seed)
    nlp, folder = Pipeline(), work / "index"
    sample = random.Random(seed).sample(texts, min(2000, len(texts)))
    nlp.read([(text, text) for text in sample[:64]])
    blocks = [sample[at : at + BLOCK] for at in range(0, len(sample), BLOCK)]
    ways: dict[str, Run] = {
        "plain reading": lambda: [nlp.read([(text, text) for text in block]) for block in blocks]
    }
    show_compared(each(ways), 1, len(sample), "sentence")
    if not (folder / "manifest.json").exists():
        show("build", partial(Index.build, texts, folder, nlp, progress=True, total=len(texts)))
    index = show("open", partial(Index.open, folder, nlp))
    print(f"{len(texts)} sentences, {index.info['bytes']} bytes")
    queries = random.Random(seed + 1).sample(texts, min(timed, len(texts)))

    def searched(name: str, queries: Sequence[str], **how: Any) -> list[set[Any]]:
        runs = (partial(index.search, query, 10, **how) for query in queries)
        return [{hit.id for hit in hits} for hits in show_each(name, runs)]

    show("the first search", partial(index.search, queries[0], 10, exact=False))
    for query in queries[1:20]:
        index.search(query, 10, exact=False)
    best = searched("exact search", queries[:exact])
    for count in candidates:
        name = f"search of {count} candidates"
        hits = searched(name, queries, exact=False, candidates=count)
        recall = [len(a & b) / max(1, len(b)) for a, b in zip(hits, best, strict=False)]
        print(f"    recall@10 {np.mean(recall):.4f}")
    asked = [query for query in queries if has_roles(nlp, query)][:exact]
    searched("search by roles", asked, by="roles")


COMMANDS = {"search": search}

if __name__ == "__main__":
    run(COMMANDS)
