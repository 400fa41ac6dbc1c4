"""An index of a million sentences: how large, how quick, how exact, and what it puts first.

    python -m benchmarks.search --data ../shared/data --work /tmp/search [--sentences 1000000]
    python -m benchmarks.search --data ../shared/data --work /tmp/search --only scifact
    python -m benchmarks.search --data ../shared/data --work /tmp/opening --only opening

The sentences are made by recombination: in sentences of UD English EWT (their trees are there),
SNLI, STSb, SICK and PAWS-Wiki (parsed by the embedded parser) noun phrases change places with noun
phrases of other sentences that are of their kind: the same article, the same number. What is there
first stands first, and the same seed makes the same sentences.

Queries are clauses that have a passive. The index holds their passive, which says the same, and a
double that does not: subject and object exchanged, "not" put in, or another number. Printed are

    build      seconds and bytes; sentences/s beside plain reading of a sample
    search     p50 and p95 of approximate search, recall@10 of the exact one, whose p50 is printed
    roles      the same by who did what
    rank       100 documents, read before
    quality    how often the passive stands before the double: hybrid, encoder alone
    scifact    nDCG@10 of the ten best of BM25, put in order by the best sentence and by the whole
               text, hybrid and encoder, and their difference with its paired interval of 95 %
    opening    an index of so many rows (16,384 sentences again and again, without a graph) is
               opened and searched twice: the first search verifies checksums

A run that is stopped goes on where it was. Seconds are of the wall; beside them those of the
processor, which do not depend on what else runs.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora.clause import Clause, clause_of, edited, written
from benchmarks.corpora.relations import negated, passive
from hybridsem import Pipeline
from hybridsem.combiners.base import scores_of
from hybridsem.english import sentences as splitting
from hybridsem.english.numbers import number_value
from hybridsem.evaluation.sage.datasets import read_collection
from hybridsem.evaluation.statistics.summaries import Column, paired
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.search.folder import Folder, Part
from hybridsem.search.index import Index
from hybridsem.search.scoring import Contents, Searcher
from hybridsem.search.segment import merged, write_segment
from hybridsem.strings import Bm25Index, Tokens, counts
from hybridsem.structures import DependencyTree

SOURCES = (
    "analogies/snli-dev.tsv",
    "sts/stsb-en-train.csv",
    "sts/SICK_train.txt",
    "paws/paws-wiki-dev.tsv",
)
ARTICLES = {"a": "a", "an": "a", "the": "the", "his": "his", "her": "his", "their": "his"}
NUMBERS = ("two", "three", "four", "five", "six")
PLACES = ("nsubj", "nsubj:pass", "obj", "obl", "nmod", "iobj")
LONGEST = 6
RESAMPLES = 10_000
CHUNK = 256
DISTINCT = 16_384
ROUNDS = 5


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


def swapped(clause: Clause) -> str | None:
    """Subject and object exchanged."""
    objects = [c for c in clause.children(clause.predicate) if clause.relation[c] == "obj"]
    if len(objects) != 1 or clause.tree[clause.subject].pos == "PRON":
        return None
    ours, theirs = clause.subject_words, clause.subtree(objects[0])
    if theirs != tuple(range(theirs[0], theirs[-1] + 1)) or clause.tree[objects[0]].pos == "PRON":
        return None
    one, two = (clause.tree[head] for head in (clause.subject, objects[0]))
    if (one.text.lower() == one.lemma) != (two.text.lower() == two.lemma):
        return None  # the verb would have another form
    between = range(ours[-1] + 1, theirs[0])
    rest = range(theirs[-1] + 1, len(clause.tree))
    return written(clause.tree, [*theirs, *between, *ours, *rest])


def renumbered(clause: Clause) -> str | None:
    """Another number in place of one."""
    for i, token in enumerate(clause.tree):
        value = number_value(token.text) if token.pos == "NUM" else None
        if value in (2, 3, 4, 5, 6):
            other = NUMBERS[(int(value or 2) - 1) % len(NUMBERS)]
            return edited(clause.tree, {i: (other,)})
    return None


MAKERS = {
    "swapped": swapped,
    "negated": lambda clause: None if (made := negated(clause)) is None else made.text,
    "renumbered": renumbered,
}


def items_of(found: Iterable[DependencyTree]) -> Iterator[dict[str, str]]:
    """Queries with their passive, and a double of each kind that can be made."""
    for tree in found:
        clause = clause_of(tree)
        made = passive(clause) if clause is not None else None
        if clause is None or made is None:
            continue
        for kind, make in MAKERS.items():
            double = make(clause)
            if double is not None and double != tree.text:
                yield {
                    "kind": kind,
                    "query": tree.text,
                    "paraphrase": made.text,
                    "double": double,
                }


def quality_set(
    given: list[DependencyTree], pool: dict[tuple[str, str], list[str]], number: int, seed: int
) -> list[dict[str, str]]:
    """So many items, of recombined clauses where the corpora have too few; kinds by turns."""
    items = list(items_of(given))
    makers = {item["query"] for item in items}
    bases = [(tree.text, spans(tree)) for tree in given if tree.text in makers]
    parser, texts = EmbeddedTrees(), recombined(bases, pool, seed)
    for _ in range(len(bases)):
        next(texts)
    for _ in range(8 * number // CHUNK + 1):
        if min(sum(item["kind"] == kind for item in items) for kind in MAKERS) * 3 >= number:
            break
        some = [next(texts) for _ in range(CHUNK)]
        items += items_of(parser.trees(some))
    by_kind: defaultdict[str, list[dict[str, str]]] = defaultdict(list)
    for item in items:
        by_kind[item["kind"]].append(item)
    found: list[dict[str, str]] = []
    for turn in range(number):
        found += [some[turn] for some in by_kind.values() if turn < len(some)]
    return found[:number]


def prepare(options: argparse.Namespace) -> tuple[Path, list[dict[str, str]]]:
    """The file of sentences and the quality set, made once."""
    file, items_file = options.work / "texts.txt", options.work / "items.json"
    if file.exists() and items_file.exists():
        return file, json.loads(items_file.read_text(encoding="utf-8"))
    given = trees(options.data, options.parsed, options.seed)
    pool: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    bases = []
    for tree in given:
        places = spans(tree)
        bases.append((tree.text, places))
        for kind, start, end in places:
            pool[kind].append(tree.text[start:end])
    items = quality_set(given, pool, options.queries, options.seed)
    queries = {item["query"] for item in items}
    wanted = dict.fromkeys(item[name] for item in items for name in ("paraphrase", "double"))
    for text in recombined(bases, pool, options.seed + 1):
        if len(wanted) >= options.sentences:
            break
        if text not in queries:
            wanted[" ".join(text.split())] = None
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{text}\n" for text in list(wanted)[: options.sentences])
    items_file.write_text(json.dumps(items), encoding="utf-8")
    return file, items


class Clock:
    """Seconds of the wall and of the processor."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        """Since it was made."""
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


def timed(run: Any, queries: Iterable[Any]) -> tuple[list[Any], dict[str, float]]:
    """What each call gives, and how long they took."""
    results, walls, cpus = [], [], []
    for query in queries:
        clock = Clock()
        results.append(run(query))
        wall, cpu = clock.read()
        walls.append(wall * 1e3)
        cpus.append(cpu * 1e3)
    figures = {
        "p50 ms": np.percentile(walls, 50),
        "p95 ms": np.percentile(walls, 95),
        "p50 processor ms": np.percentile(cpus, 50),
        "p95 processor ms": np.percentile(cpus, 95),
    }
    return results, {name: round(float(value), 2) for name, value in figures.items()}


def scifact(nlp: Pipeline, folder: Path, claims: int) -> dict[str, Any]:
    """nDCG@10 of the ten best of BM25 as they are, in order of their best sentence, and of the
    whole; and by how much the hybrid is ahead of the encoder.
    """
    whole = read_collection(folder)
    documents = [text for block in whole.corpus.blocks(1024) for text in block]
    index = Bm25Index(counts(Tokens.of(documents)))
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for row, query in list(enumerate(whole.queries))[:claims]:
        found = index.scores(counts(Tokens.of([query])))[0]
        first = np.argsort(-found, kind="stable")[:10]
        relevant = whole.relevant[row]
        parts = [split(documents[place]) for place in first]
        pairs = [(query, text) for some in parts for text in some]
        batch = nlp.read(pairs)
        whole_texts = nlp.read([(query, documents[place]) for place in first])
        ends, each = np.cumsum([0, *map(len, parts)]), np.arange(len(first) + 1)
        of_model = {
            "bm25": -np.arange(len(first), dtype=float),
            "encoder": best_in(batch.cosines(), ends),
            "hybrid": best_in(scores_of(nlp.combiner, batch), ends),
            "encoder, whole": best_in(whole_texts.cosines(), each),
            "hybrid, whole": best_in(scores_of(nlp.combiner, whole_texts), each),
        }
        for name, values in of_model.items():
            order = first[np.argsort(-values, kind="stable")]
            scores[name].append(ndcg([float(place in relevant) for place in order], len(relevant)))
    columns = {name: Column(np.array(values)) for name, values in scores.items()}
    report: dict[str, Any] = {
        name: round(float(np.mean(column.values)), 4) for name, column in columns.items()
    }
    for kind in ("", ", whole"):
        found = paired(columns[f"hybrid{kind}"], columns[f"encoder{kind}"], RESAMPLES)
        report[f"hybrid - encoder{kind}"] = [
            round(end, 4) for end in (found.value, found.low, found.high) if end is not None
        ]
    return report


def split(document: str) -> list[str]:
    """The first sentences of a document."""
    found = [document[start:end] for start, end in splitting.sentences(document)[:20]]
    return found or [document]


def best_in(values: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The highest of each run of values."""
    values = np.nan_to_num(values, nan=-1)
    return np.array([values[a:b].max() for a, b in pairwise(ends)])


def ndcg(gains: list[float], relevant: int) -> float:
    """Of the first ten."""
    ideal = sum(1 / np.log2(rank + 2) for rank in range(min(relevant, 10)))
    return sum(gain / np.log2(rank + 2) for rank, gain in enumerate(gains)) / ideal if ideal else 0


def repeated(file: Path, folder: Path, rows: int) -> None:
    """An index of so many rows: the first sentences of a file, again and again, read once."""
    nlp = Pipeline()
    texts = file.read_text(encoding="utf-8").splitlines()[:DISTINCT]
    small = Index.build(texts, folder, nlp, progress=True, total=len(texts))
    (one,) = small.contents.segments
    kept = np.arange(len(texts))
    repeats = [(one, kept[: rows - at]) for at in range(0, rows, len(texts))]
    files, sums = write_segment(folder / "segments/000002", merged(repeats))
    part = Part("000002", rows, files=files, sums=sums)
    Folder(folder).commit(replace(small.contents.manifest, parts=(part,)))


def opening(options: argparse.Namespace) -> dict[str, Any]:
    """Seconds to open an index and to search it for the first and the second time."""
    folder = options.work / "repeated"
    if not (folder / "manifest.json").exists():
        repeated(prepare(options)[0], folder, options.sentences)
    nlp = Pipeline()
    query = "The bank sued the newspaper."
    nlp.parse([query])
    held = Folder(folder)
    manifest = held.manifest()
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(ROUNDS):
        clock = Clock()
        contents = Contents.load(held, manifest)
        seconds["open"].append(clock.read()[1])
        for exact, number in product((False, True), ("first", "second")):
            clock = Clock()
            searcher = Searcher(nlp.reader, contents, None if exact else 128)
            next(searcher.best([query], 10, -np.inf))
            how = "exact" if exact else "approximate"
            seconds[f"{number} {how} search"].append(clock.read()[1])
    found = {name: round(float(np.median(some)), 3) for name, some in seconds.items()}
    return {"rows": manifest.parts[0].rows, "bytes": sum(manifest.parts[0].files.values()), **found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--work", type=Path, required=True, help="folder for texts and index")
    parser.add_argument("--only", choices=["scifact", "opening"], help="leave the index out")
    parser.add_argument("--sentences", type=int, default=1_000_000)
    parser.add_argument("--parsed", type=int, default=6000, help="base sentences that are parsed")
    parser.add_argument("--queries", type=int, default=2000)
    parser.add_argument("--timed", type=int, default=200, help="queries that are timed")
    parser.add_argument("--exact", type=int, default=50, help="queries that are searched exactly")
    parser.add_argument("--candidates", type=int, nargs="*", default=[64, 128, 256])
    parser.add_argument("--claims", type=int, default=300, help="of SciFact; 0 leaves it out")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    report: dict[str, Any] = {}

    def say(name: str, value: Any) -> None:
        report[name] = value
        print(f"{name}: {json.dumps(value)}", flush=True)
        (options.work / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")

    if options.only == "scifact":
        say("scifact", scifact(Pipeline(), options.data / "sage/scifact", options.claims))
        return
    if options.only == "opening":
        say("processor seconds", opening(options))
        return
    file, items = prepare(options)
    texts = file.read_text(encoding="utf-8").splitlines()
    say("sentences", len(texts))
    nlp = Pipeline()
    sample = random.Random(options.seed).sample(texts, min(2000, len(texts)))
    nlp.read([(text, text) for text in sample[:64]])
    clock = Clock()
    for at in range(0, len(sample), 512):
        nlp.read([(text, text) for text in sample[at : at + 512]])
    wall, cpu = clock.read()
    plain = {"sentences/s": len(sample) / wall, "of the processor": len(sample) / cpu}
    say("reading", {name: round(value, 1) for name, value in plain.items()})
    folder = options.work / "index"
    clock = Clock()
    if (folder / "manifest.json").exists():
        index = Index.open(folder, nlp)
    else:
        index = Index.build(texts, folder, nlp, progress=True, total=len(texts))
        wall, cpu = clock.read()
        built = {
            "seconds": round(wall, 1),
            "processor seconds": round(cpu, 1),
            "sentences/s": round(len(texts) / wall, 1),
            "sentences/s of the processor": round(len(texts) / cpu, 1),
        }
        say("build, in this run", built)
    say("bytes", index.info["bytes"])
    draw = random.Random(options.seed)
    queries = [item["query"] for item in draw.sample(items, min(options.timed, len(items)))]
    for query in queries[:20]:
        index.search(query, 10, exact=False)
    exact, figures = timed(lambda query: index.search(query, 10), queries[: options.exact])
    say("exact search", figures)
    for candidates in options.candidates:
        found, figures = timed(
            lambda query, candidates=candidates: index.search(
                query, 10, exact=False, candidates=candidates
            ),
            queries,
        )
        recall = [
            len({hit.id for hit in some} & {hit.id for hit in best}) / max(1, len(best))
            for some, best in zip(found, exact, strict=False)
        ]
        say(
            f"search of {candidates} candidates", figures | {"recall@10": round(np.mean(recall), 4)}
        )
    _, figures = timed(lambda query: index.search(query, 10, by="roles"), queries[: options.exact])
    say("search by roles", figures)
    documents = sample[:100]
    pairs = [(queries[0], text) for text in documents]
    nlp.remember(1000)
    nlp.score(pairs)
    _, figures = timed(lambda _: nlp.score(pairs), range(10))
    nlp.remember(0)
    say("100 documents scored, read before", figures)
    quality: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for at in range(0, len(items), CHUNK):
        some = items[at : at + CHUNK]
        batch = nlp.read(
            [(item["query"], item[name]) for item in some for name in ("paraphrase", "double")]
        )
        for values, side in ((scores_of(nlp.combiner, batch), 0), (batch.cosines(), 1)):
            before = values[::2] > values[1::2]
            for item, first in zip(some, before.tolist(), strict=True):
                quality[f"{item['kind']} {('hybrid', 'encoder')[side]}"].append(first)
                quality[f"all {('hybrid', 'encoder')[side]}"].append(first)
    say("paraphrase before double", {k: [round(np.mean(v), 4), len(v)] for k, v in quality.items()})
    if options.claims:
        say("scifact", scifact(nlp, options.data / "sage/scifact", options.claims))


if __name__ == "__main__":
    main()
