"""An index of a million sentences: how large, how quick and how exact.

    python -m benchmarks.search --data ../shared/data --work /tmp/search [--sentences 1000000]
    python -m benchmarks.search --data ../shared/data --work /tmp/opening --only opening

The sentences are made by recombination: in sentences of UD English EWT (their trees are there),
SNLI, STSb, SICK and PAWS-Wiki (parsed by the embedded parser) noun phrases change places with noun
phrases of other sentences that are of their kind: the same article, the same number. What is there
first stands first, and the same seed makes the same sentences.

Queries are sentences of the index. Printed are

    search     seconds and bytes of the build, beside plain reading of a sample; p50 and p95 of
               approximate search with recall@10 of the exact one, of that, and of search by roles
    opening    an index of so many rows (16,384 sentences again and again, without a graph) is
               opened and searched twice: the first search verifies checksums

A run that is stopped goes on where it was. Seconds are of the processor, which do not
depend on what else runs, then those of the clock.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.timing import machine, spent
from hybridsem import Pipeline
from hybridsem.errors import InputError
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.reader import Reader
from hybridsem.search import building
from hybridsem.search.folder import Folder
from hybridsem.search.index import Hit, Index
from hybridsem.search.scoring import Contents, Searcher
from hybridsem.search.slots import slot_query
from hybridsem.search.storage import EncodedTexts
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
CHUNK = 256
DISTINCT = 16_384
ROUNDS = 5
BLOCK = 512
PARTS = ("search", "opening")
Ids = list[set[object]]
Figures = dict[str, float]
Say = Callable[[str, object], None]


def trees(data: Path, parsed: int, seed: int) -> list[DependencyTree]:
    """The trees of EWT, and of so many sentences of the other corpora."""
    found = list(read_conllu(data / "ud-ewt/train.conllu"))
    texts = [text for name in SOURCES for text in texts_of(data / name)]
    texts = list(dict.fromkeys(text for text in texts if 4 <= len(text.split()) <= 20))
    random.Random(seed).shuffle(texts)
    texts = texts[:parsed]
    parser = EmbeddedTrees()
    for at in range(0, len(texts), CHUNK):
        found += parser.trees(texts[at : at + CHUNK])
    return [tree for tree in found if 4 <= len(tree) <= 25 and "\n" not in tree.text]


def texts_of(path: Path) -> Iterator[str]:
    """The sentences of a corpus, ended by a full stop."""
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        for cell in line.split("\t" if path.suffix != ".csv" else ","):
            text = cell.strip().strip('"').replace(" .", ".").replace(" ,", ",")
            if len(text.split()) >= 4 and text[0].isupper():
                yield text if text[-1] in ".!?" else f"{text}."


def phrases(tree: DependencyTree) -> list[tuple[tuple[str, str], int, int]]:
    """The noun phrases of a tree that may be exchanged: kind, first and last word."""
    found = []
    for i, token in enumerate(tree):
        if token.pos != "NOUN" or token.relation not in PLACES:
            continue
        words = [
            j
            for j in tree.subtree(i)
            if not (tree[j].relation in ("case", "cc", "punct") and tree[j].head == i)
        ]
        article = ARTICLES.get(tree[words[0]].text.lower())
        whole = words == list(range(words[0], words[-1] + 1)) and len(words) <= LONGEST
        if article and whole and all(tree[j].pos not in ("VERB", "PRON", "AUX") for j in words):
            number = "many" if token.text.lower() != token.lemma.lower() else "one"
            found.append(((article, number), words[0], words[-1]))
    return found


def spans(tree: DependencyTree) -> list[tuple[tuple[str, str], int, int]]:
    """As :func:`phrases`, by characters, none within another."""
    found, end = [], -1
    for kind, first, last in sorted(phrases(tree), key=lambda one: one[1]):
        if first > end:
            found.append((kind, tree[first].start, tree[last].end))
            end = last
    return found


def recombined(
    bases: list[tuple[str, list[tuple[tuple[str, str], int, int]]]],
    pool: dict[tuple[str, str], list[str]],
    seed: int,
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


def prepare(options: argparse.Namespace) -> Path:
    """Return the file of sentences, made once."""
    file: Path = options.work / "texts.txt"
    if file.exists():
        return file
    pool: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    bases = []
    for tree in trees(options.data, options.parsed, options.seed):
        places = spans(tree)
        bases.append((tree.text, places))
        for kind, start, end in places:
            pool[kind].append(tree.text[start:end])
    wanted: dict[str, None] = {}
    for text in recombined(bases, pool, options.seed + 1):
        if len(wanted) >= options.sentences:
            break
        wanted[" ".join(text.split())] = None
    file.write_text("".join(f"{text}\n" for text in wanted), encoding="utf-8")
    return file


def timed(run: Callable[[str], Sequence[Hit]], queries: Iterable[str]) -> tuple[Ids, Figures]:
    """Return the hits of each query, and percentiles of their milliseconds."""
    hits: Ids = []
    taken = [
        spent(lambda query=query: hits.append({hit.id for hit in run(query)})) for query in queries
    ]
    columns = {"processor ms": [used for used, _ in taken], "ms": [clock for _, clock in taken]}
    return hits, {
        f"p{at} {name}": round(1e3 * float(np.percentile(values, at)), 2)
        for name, values in columns.items()
        for at in (50, 95)
    }


def repeated(file: Path, folder: Path, rows: int) -> None:
    """An index of so many rows: the first sentences of a file, again and again, read once."""
    texts = file.read_text(encoding="utf-8").splitlines()[:DISTINCT]
    instead = {"read_texts": cache_of(building.read_texts), "GRAPH_FROM": rows + 1}
    with patch.multiple(building, **instead):
        every = islice(cycle(texts), rows)
        Index.build(every, folder, Pipeline(), progress=True, total=rows)


def cache_of(read: Callable[[Reader, Sequence[str]], EncodedTexts]) -> Callable[..., EncodedTexts]:
    """Return the function with a memory of each text."""
    known: dict[str, tuple[Any, Any]] = {}

    def found(model: Reader, texts: Sequence[str]) -> EncodedTexts:
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            made = read(model, new)
            known.update(zip(new, zip(made.vectors, made.words or (), strict=True), strict=True))
        vectors, words = zip(*(known[text] for text in texts), strict=True)
        return EncodedTexts(np.stack(vectors), list(words))

    return found


def opening(options: argparse.Namespace) -> dict[str, float]:
    """Return the seconds to open an index and to search it for the first and the second time."""
    folder = options.work / "repeated"
    if not (folder / "manifest.json").exists():
        repeated(prepare(options), folder, options.sentences)
    nlp = Pipeline()
    query = "The bank sued the newspaper."
    nlp.parse([query])
    held = Folder(folder)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        opened: list[Contents] = []
        load = spent(lambda opened=opened: opened.append(Contents.load(held)))
        seconds["open"].append(load.processor)
        for exact, number in product((False, True), ("first", "second")):
            searcher = Searcher(nlp.reader, opened[0], None if exact else 128)
            run = partial(next, searcher.best([query], 10, -np.inf))
            how = "exact" if exact else "approximate"
            seconds[f"{number} {how} search"].append(spent(run).processor)
    medians = {name: round(float(np.median(some)), 3) for name, some in seconds.items()}
    about = Index.open(folder, nlp).info
    return {"rows": about["texts"], "bytes": about["bytes"], **medians}


def has_roles(nlp: Pipeline, query: str) -> bool:
    """Test if a sentence can be searched by its roles: "What a day!" cannot."""
    try:
        slot_query(nlp.reader, query)
    except InputError:
        return False
    return True


def searched(options: argparse.Namespace, say: Say) -> None:
    """Build the index, or open it, and search it."""
    texts = prepare(options).read_text(encoding="utf-8").splitlines()
    say("sentences", len(texts))
    nlp = Pipeline()
    sample = random.Random(options.seed).sample(texts, min(2000, len(texts)))
    nlp.read([(text, text) for text in sample[:64]])
    blocks = [sample[at : at + BLOCK] for at in range(0, len(sample), BLOCK)]
    reading = spent(lambda: [nlp.read([(text, text) for text in block]) for block in blocks])
    say("reading, sentences/s", [round(len(sample) / seconds, 1) for seconds in reading])
    folder = options.work / "index"
    if not (folder / "manifest.json").exists():
        build = partial(Index.build, texts, folder, nlp, progress=True, total=len(texts))
        say("build, seconds", [round(seconds, 1) for seconds in spent(build)])
    index = Index.open(folder, nlp)
    say("bytes", index.info["bytes"])
    queries = random.Random(options.seed + 1).sample(texts, min(options.timed, len(texts)))
    for query in queries[:20]:
        index.search(query, 10, exact=False)
    exact, figures = timed(lambda query: index.search(query, 10), queries[: options.exact])
    say("exact search", figures)
    for candidates in options.candidates:
        run = partial(index.search, exact=False, candidates=candidates)
        hits, figures = timed(lambda query, run=run: run(query, 10), queries)
        recall = [
            len(own & best) / max(1, len(best)) for own, best in zip(hits, exact, strict=False)
        ]
        say(
            f"search of {candidates} candidates", figures | {"recall@10": round(np.mean(recall), 4)}
        )
    asked = [query for query in queries if has_roles(nlp, query)][: options.exact]
    _, figures = timed(lambda query: index.search(query, 10, by="roles"), asked)
    say("search by roles", figures)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, required=True, help="folder for texts and index")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=["search"])
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--parsed", type=int, default=6000, help="base sentences that are parsed")
    parser.add_argument("--timed", type=int, default=200, help="queries that are timed")
    parser.add_argument("--exact", type=int, default=50, help="queries that are searched exactly")
    parser.add_argument("--candidates", type=int, nargs="*", default=[64, 128, 256])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    report: dict[str, object] = {}

    def say(name: str, value: object) -> None:
        report[name] = value
        print(f"{name}: {json.dumps(value)}", flush=True)
        (options.work / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")

    print(machine("onnxruntime", "numpy"))
    if "search" in options.only:
        searched(options, say)
    if "opening" in options.only:
        say("opening, processor seconds", opening(options))


if __name__ == "__main__":
    main()
