"""Make the pairs to learn from, and score each with the comparison as it is.

    python -m models.role_encoder.pairs --data ../shared/data --to runs/role/pairs [--share 0/2]

Writes ``groups.NNN.jsonl``, a group a line: ``from``, ``sentences`` (the first is the source),
``pairs`` [i, j, kind, score], the score that of ``Pipeline("hybrid")``, null of garbled sentences.
Parts that are there are not made again. ``--share K/N`` makes every N-th part, so that several
processes can. The last parts hold sentences that people wrote about the same, and what can be told
from either side.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from benchmarks.command import DATA, run
from benchmarks.corpora.clause import clause_of
from benchmarks.corpora.relations import passive
from hybridsem import Pipeline
from hybridsem.embeddings.embedded import EmbeddedEncoder
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from models.hybrid.data import development
from models.recipe import SHIPPED
from models.role_encoder import short
from models.role_encoder.sentences import natural, sources
from models.role_encoder.variants import GARBLED, Lexicon, read_lexicon, variants

PART = 250
NATURAL, CONVERSES = 1500, 500
"""How many groups of sentences that people wrote, of each kind, and of converses."""
SHORT = 0.45
"""Short sentences, as a share of all groups."""
NEAR = 12
"""A neighbour is one of so many sentences that are nearest by the plain cosine."""
COUNTS = SHIPPED / "word_counts.tsv"

Group = dict[str, Any]


def made(
    items: Sequence[tuple[str, str]],
    neighbours: Sequence[str],
    words: Lexicon,
    trees: EmbeddedTrees,
    random: np.random.Generator,
) -> list[Group]:
    """Groups of sources and their variants, not scored yet.

    Args:
        items: (where it is from, sentence).
        neighbours: A sentence that is near, for each.
        words: What words may be replaced by.
        trees: Parses.
        random: Draws.
    """
    groups: list[Group] = []
    found = trees.trees([text for _, text in items])
    for (name, text), tree, near in zip(items, found, neighbours, strict=True):
        for token in tree:
            if token.text.isalpha() and token.text.islower():
                known = words.met.setdefault(token.pos, [])
                if len(known) < 5000:
                    known.append(token.lemma)
        most = {"exchange": 3, "recast": 2, "replace": 2, "deny": int(random.random() < 0.4)}
        most["garble"] = int(random.random() < 0.3)
        some = variants(tree, words, random, most)
        sentences = [text, *(one for _, one in some), near]
        pairs = [[0, i, kind, None] for i, (kind, _) in enumerate(some, 1)]
        pairs.append([0, len(sentences) - 1, "neighbour", None])
        groups.append({"from": name, "sentences": sentences, "pairs": pairs})
    _passives(groups, trees)
    return groups


def _passives(groups: Sequence[Group], trees: EmbeddedTrees) -> None:
    """Add the passive of a sentence with exchanged roles: it means what that does, and not what the
    source does.
    """
    places = [(group, pair[1]) for group in groups for pair in group["pairs"] if pair[2] == "roles"]
    found = trees.trees([group["sentences"][i] for group, i in places])
    for (group, i), tree in zip(places, found, strict=True):
        clause = clause_of(tree)
        if clause is not None and (other := passive(clause)) is not None:
            last = len(group["sentences"])
            group["pairs"] += [[i, last, "passive", None], [0, last, "roles", None]]
            group["sentences"].append(other.text)


def score(groups: Sequence[Group], nlp: Pipeline) -> None:
    """Fill in the scores of the comparison."""
    wanted = [(g, p) for g in groups for p in g["pairs"] if p[2] not in GARBLED]
    scores = nlp.score(
        [(g["sentences"][p[0]], g["sentences"][p[1]]) for g, p in wanted], on_error="skip"
    )
    for (_, pair), value in zip(wanted, scores.tolist(), strict=True):
        pair[3] = None if np.isnan(value) else round(value, 4)


def near(vectors: np.ndarray, rows: Sequence[int], random: np.random.Generator) -> list[int]:
    """For each of the rows another that is near."""
    found = []
    for row in rows:
        cosines = vectors @ vectors[row]
        cosines[row] = -1
        best = np.argpartition(-cosines, NEAR)[:NEAR]
        found.append(int(best[random.integers(NEAR)]))
    return found


def main(
    data: Path = DATA,
    to: Path = Path("runs/role/pairs"),
    share: Annotated[str, "K/N"] = "0/1",
    seed: int = 0,
) -> None:
    first, shares = map(int, share.split("/"))
    to.mkdir(parents=True, exist_ok=True)
    lines = (line.split("\t") for line in COUNTS.read_text("utf-8").splitlines())
    counts = {word: int(count) for word, count in lines if word}
    known = development(data)
    items = sources(data, known, seed)
    drawn = short.groups(int(len(items) * SHORT / (1 - SHORT)), seed)
    encoder, vectors_file = EmbeddedEncoder(threads=1), to / "sources.npy"
    if not vectors_file.is_file():
        np.save(vectors_file, encoder.encode([text for _, text in items]))
    vectors = np.load(vectors_file)
    nlp, trees = Pipeline("hybrid", encoder=encoder), EmbeddedTrees(encoder)
    nlp.remember(20_000)
    words = read_lexicon(data / "lexicon", counts)
    parts = -(-len(items) // PART)
    written = natural(data, known, NATURAL, seed)
    last = parts + -(-len(written) // PART)
    for part in range(first, last + 1, shares):
        file = to / f"groups.{part:03}.jsonl"
        if file.is_file():
            continue
        began = time.perf_counter()
        if part == last:
            groups = [_of_words(group) for group in short.converses(CONVERSES, seed)]
        elif part >= parts:
            some = written[part - parts :: last - parts]
            groups = [_of_people(name, texts) for name, texts in some]
        else:
            random = np.random.default_rng([seed, part])
            rows = range(part * PART, min(len(items), (part + 1) * PART))
            neighbours = [items[i][1] for i in near(vectors, rows, random)]
            groups = made([items[i] for i in rows], neighbours, words, trees, random)
            groups += [_of_words(group) for group in drawn[part::parts]]
        _write(file, groups, nlp, began)


def _of_people(name: str, sentences: Sequence[str]) -> Group:
    pairs = [[0, i, "natural", None] for i in range(1, len(sentences))]
    return {"from": name, "sentences": [*sentences], "pairs": pairs}


def _of_words(group: Sequence[tuple[str, str]]) -> Group:
    pairs = [[0, i, kind, None] for i, (kind, _) in enumerate(group) if i]
    return {"from": "short", "sentences": [text for _, text in group], "pairs": pairs}


def _write(file: Path, groups: Sequence[Group], nlp: Pipeline, began: float) -> None:
    score(groups, nlp)
    text = "".join(json.dumps(group, ensure_ascii=False) + "\n" for group in groups)
    file.with_suffix(".part").write_text(text, "utf-8")
    file.with_suffix(".part").rename(file)
    count = sum(len(group["pairs"]) for group in groups)
    print(f"{file.name}: {count} pairs, {time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    run(main)
