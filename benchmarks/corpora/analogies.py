r"""Making analogies: categories from word analogies, from sentences, and from entailments.

    python -m benchmarks.corpora.analogies -o analogies.jsonl --words questions-words.txt \
        --sentences sentences.txt --nli snli.tsv

Each made sentence is parsed again, and kept only if the parse shows what the rule did. Everything
depends on the seed and the texts alone, not on their order. Besides the pairs' file there are
NAME.manifest.json and NAME.samples.md.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from benchmarks.command import run
from benchmarks.corpora import relations
from benchmarks.corpora.clause import Clause, EditedSentence, clause_of
from benchmarks.corpora.distractors import distractors
from benchmarks.corpora.sources import (
    SECTIONS,
    WordPair,
    framed,
    read_entailments,
    read_sentences,
    read_word_pairs,
)
from hybridsem import __version__
from hybridsem._utils.disk import saving, sha256_of
from hybridsem._utils.progress import in_chunks
from hybridsem._utils.tables import read_table
from hybridsem.datasets.analogies import DISTRACTORS, Analogies, Category, Pair, write
from hybridsem.errors import InputError, UnknownNameError
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree
from hybridsem.tables.records import check_ending

CHUNK = 256
ENTAILMENT = "entailment"
NEEDS = {
    "words": "a file of word analogies",
    "sentences": "files of sentences",
    "entailments": "an NLI file",
}


@dataclass(frozen=True)
class Kind:
    """A category that can be made; if ``undone``, the made sentence is the first of a pair."""

    group: str
    source: str
    size: int
    undone: bool = False


KINDS: Mapping[str, Kind] = {name: Kind(**row) for name, row in read_table(__file__).items()}


@dataclass
class Tally:
    """A category in the making: its pairs, and the number of rejected ones by reason."""

    kind: Kind
    size: int
    pairs: list[Pair] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    tried: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    @property
    def is_full(self) -> bool:
        """There are as many pairs as requested."""
        return len(self.pairs) >= self.size

    def add(self, pair: Pair) -> None:
        """Add a pair, unless there are enough or one of its sentences is used already."""
        if pair.a == pair.b:
            self.reject("twice the same sentence")
        elif pair.a in self.used or pair.b in self.used:
            self.reject("a sentence used already")
        elif not self.is_full:
            self.tried += 1
            self.used |= {pair.a, pair.b}
            self.pairs.append(pair)

    def reject(self, why: str) -> None:
        """Count a rejected candidate, unless there are enough pairs."""
        if not self.is_full:
            self.tried += 1
            self.left_out[why] += 1


@dataclass(frozen=True)
class Built:
    """Analogies, and a tally for each category."""

    analogies: Analogies
    tallies: Mapping[str, Tally]

    @property
    def short(self) -> dict[str, tuple[int, int]]:
        """The categories with too few pairs: the actual and the requested number."""
        lacking = {name: one for name, one in self.tallies.items() if not one.is_full}
        return {name: (len(one.pairs), one.size) for name, one in lacking.items()}


def build(
    words: Mapping[str, Sequence[WordPair]] | None = None,
    sentences: Sequence[str] = (),
    entailments: Sequence[tuple[str, str]] = (),
    *,
    categories: Sequence[str] | None = None,
    sizes: Mapping[str, int] | None = None,
    seed: int = 0,
    parser: EmbeddedTrees | None = None,
) -> Built:
    """Make the named categories, or all that there are sources for.

    Args: sections of word pairs, sentences with clauses, pairs of a sentence and one that follows
    from it; ``sizes`` has the most pairs of a category; ``parser`` None is the embedded one. Raises
    :class:`InputError` for a named category with fewer than two pairs, :class:`UnknownNameError`
    for an unknown category or section.
    """
    words = words or {}
    given = {"words": bool(words), "sentences": bool(sentences), "entailments": bool(entailments)}
    tallies = _tallies(given, words, categories, sizes or {})
    sources = {name: tally.kind.source for name, tally in tallies.items()}
    for name, tally in tallies.items():
        if sources[name] == "words":
            _from_words(name, tally, words, seed)
    if {"sentences", "entailments"} & set(sources.values()):
        parser = parser or EmbeddedTrees()
        opposite = relations.Opposite(words.get(SECTIONS["opposite"], ()))
        rules: dict[str, Rule] = {**RULES, "opposite": opposite}
        of_sentences = [name for name in tallies if sources[name] == "sentences"]
        by_rule = [(rules[name], tallies[name]) for name in of_sentences]
        _from_sentences(by_rule, sentences, parser, seed)
        if ENTAILMENT in tallies:
            _from_entailments(tallies[ENTAILMENT], entailments, parser, seed)
    for name, tally in tallies.items():
        if len(tally.pairs) < 2 and categories is not None:
            said = ", ".join(f"{count} {why}" for why, count in tally.left_out.items())
            raise InputError(
                f"category {name!r}: got {len(tally.pairs)} of {tally.size} pairs "
                f"({said or 'no sentence fits'}); two are needed: give more to make it from, or "
                "name other categories"
            )
    enough = {name: tally for name, tally in tallies.items() if len(tally.pairs) > 1}
    found = (Category(name, one.kind.group, tuple(one.pairs)) for name, one in enough.items())
    return Built(Analogies.of(found), tallies)


def _tallies(
    given: Mapping[str, bool],
    words: Mapping[str, Sequence[WordPair]],
    categories: Sequence[str] | None,
    sizes: Mapping[str, int],
) -> dict[str, Tally]:
    """Return an empty tally for each category to make."""
    for name in (*(categories or ()), *sizes):
        if name not in KINDS:
            raise UnknownNameError("category", name, KINDS)
    chosen = list(dict.fromkeys(categories or ()))
    if categories is None:
        possible = [name for name, kind in KINDS.items() if given[kind.source]]
        chosen = [n for n in possible if KINDS[n].source != "words" or SECTIONS[n] in words]
    if not chosen and words:
        why = f"no known section of word analogies, got {', '.join(words)[:80]!r}"
        raise InputError(f"{why}; they are {', '.join(SECTIONS.values())}")
    if not chosen:
        needed = ", ".join(NEEDS.values())
        raise InputError(f"nothing to make analogies from; give at least one of: {needed}")
    for name, size in sizes.items():
        if size < 2 or name not in chosen:
            why = "at least 2 pairs" if size < 2 else "of a category that is made"
            raise InputError(f"category {name!r}: a size is {why}, got {size!r}")
    for name in chosen:
        if not given[KINDS[name].source]:
            needed = NEEDS[KINDS[name].source]
            raise InputError(f"category {name!r} is made from {needed}; none was given")
    return {name: Tally(KINDS[name], sizes.get(name, KINDS[name].size)) for name in chosen}


Rule = Callable[[Clause], EditedSentence | None]

RULES: Mapping[str, Rule] = {
    "plural": relations.plural,
    "comparative": relations.comparative,
    "verb conjugation": relations.conjugated,
    "negation": relations.negated,
    "passivisation": relations.passive,
    "objective clause": relations.reported,
    "predicative adjective": relations.predicative,
}


def _from_words(
    name: str, tally: Tally, words: Mapping[str, Sequence[WordPair]], seed: int
) -> None:
    section = SECTIONS[name]
    if section not in words:
        raise UnknownNameError(f"section for the category {name!r}", section, words)
    pairs = framed(name, words[section])
    order = _drawn([f"{a}\0{b}" for a, b in pairs], seed)
    kept = sorted(order[: tally.size])
    tally.tried = len(pairs)
    tally.pairs.extend(Pair(*pairs[place]) for place in kept)


def _from_sentences(
    categories: Collection[tuple[Rule, Tally]],
    sentences: Sequence[str],
    parser: EmbeddedTrees,
    seed: int,
) -> None:
    """Try sentences in an order drawn by the seed until all categories are full."""
    order = [sentences[place] for place in _drawn(sentences, seed)]
    for chunk in in_chunks(order, CHUNK, "sentences", True):
        wanted = [(rule, tally) for rule, tally in categories if not tally.is_full]
        if not wanted:
            continue
        clauses = list(filter(None, map(clause_of, parser.trees(chunk))))
        tried = ((tally, clause, rule(clause)) for rule, tally in wanted for clause in clauses)
        made = [(tally, clause, one) for tally, clause, one in tried if one is not None]
        texts = list(dict.fromkeys(one.text for _, _, one in made))
        trees = dict(zip(texts, parser.trees(texts), strict=True)) if texts else {}
        for tally, clause, one in made:
            if (missing := one.missing(trees[one.text])) is not None:
                tally.reject(f"without {missing} in the parse")
            elif tally.kind.undone:
                _add(tally, one.text, clause.tree, seed)
            else:
                _add(tally, clause.tree.text, trees[one.text], seed)


def _from_entailments(
    tally: Tally, pairs: Sequence[tuple[str, str]], parser: EmbeddedTrees, seed: int
) -> None:
    order = [pairs[place] for place in _drawn([f"{a}\0{b}" for a, b in pairs], seed)]
    for chunk in in_chunks(order, CHUNK, "entailments", True):
        if tally.is_full:
            continue
        texts = list(dict.fromkeys(text for pair in chunk for text in pair))
        trees = {tree.text: tree for tree in parser.trees(texts)}
        for premise, hypothesis in chunk:
            if clause_of(trees[premise]) is None or clause_of(trees[hypothesis]) is None:
                tally.reject("not two plain clauses")
            else:
                _add(tally, premise, trees[hypothesis], seed)


def _add(tally: Tally, given: str, made: DependencyTree, seed: int) -> None:
    """Add two sentences as a pair; for relations, only with all distractors of the second."""
    if tally.kind.group != "relational" or tally.is_full:
        tally.add(Pair(given, made.text))
        return
    found = distractors(made, seed, (given,))
    kinds = [kind for kind in DISTRACTORS if kind in found or not tally.kind.undone]
    if missing := [kind for kind in kinds if kind not in found]:
        tally.reject(f"without a distractor by {missing[0]}")
    else:
        tally.add(Pair(given, made.text, {kind: found[kind] for kind in kinds}))


def _drawn(texts: Iterable[str], seed: int) -> list[int]:
    """Return the places of texts in an order that depends on the seed and each text alone."""
    keys = [hashlib.sha256(f"{seed}\0{text}".encode()).digest() for text in texts]
    return sorted(range(len(keys)), key=keys.__getitem__)


SAMPLES = 50
"""Pairs of a category in the samples; the first few with their distractors."""

WITH_DISTRACTORS = 5


def save(path: Path, built: Built, sources: Mapping[str, Sequence[Path]], seed: int) -> int:
    """Write the pairs, the manifest and the samples atomically; return the number of pairs. Args:
    the file, the analogies, the source files by kind, and the seed.
    """
    count = write(path, built.analogies)
    about = {**manifest(built, sources, seed), "file": _named(path)}
    texts = {
        ".manifest.json": json.dumps(about, ensure_ascii=False, indent=1) + "\n",
        ".samples.md": samples(built, seed),
    }
    for suffix, text in texts.items():
        with saving(path.with_name(path.stem + suffix), "the description of the analogies") as part:
            part.write_text(text, encoding="utf-8")
    return count


def _named(file: Path) -> dict[str, str]:
    return {"name": file.name, "sha256": sha256_of(file)}


def manifest(built: Built, sources: Mapping[str, Sequence[Path]], seed: int) -> dict[str, Any]:
    """Return what the pairs depend on, and what was tried."""
    versions = {name: version(name) for name in ("numpy", "lemminflect")}
    return {
        "seed": seed,
        "versions": {"hybridsem": __version__, **versions},
        "sources": {kind: [*map(_named, some)] for kind, some in sources.items() if some},
        "pairs sha256": built.analogies.sha256,
        "categories": {
            name: {
                "group": tally.kind.group,
                "pairs": len(tally.pairs),
                "asked for": tally.size,
                "tried": tally.tried,
                "left out": dict(sorted(tally.left_out.items())),
            }
            for name, tally in built.tallies.items()
        },
    }


def samples(built: Built, seed: int) -> str:
    """Return pairs of each category as Markdown, drawn by the seed."""
    lines = ["# Samples of made analogies", ""]
    for name, tally in built.tallies.items():
        reasons = (f"{number} {why}" for why, number in sorted(tally.left_out.items()))
        counts = f"{len(tally.pairs)} pairs of {tally.size} asked for"
        left_out = ", ".join(reasons) or "none"
        lines += [f"## {name}", "", f"{counts}; left out: {left_out}.", ""]
        count = min(SAMPLES, len(tally.pairs))
        drawn = random.Random(f"{seed} {name}").sample(tally.pairs, count)
        for place, pair in enumerate(drawn):
            lines.append(f"- {pair.a} → {pair.b}")
            if place < WITH_DISTRACTORS:
                lines += [f"  - {kind}: {text}" for kind, text in pair.distractors.items()]
        lines.append("")
    return "\n".join(lines)


def main(
    *,
    output: Annotated[Path, ".jsonl, .tsv or .csv"],
    words: Annotated[Path | None, "word analogies, as in questions-words.txt"] = None,
    sentences: Annotated[Sequence[Path], "any files"] = (),
    nli: Annotated[Path | None, "a table with premise, hypothesis and label"] = None,
    categories: Annotated[Sequence[str], "to make (default: all possible)"] = (),
    size: Annotated[Sequence[str], "such as gender=5"] = (),
    seed: int = 0,
) -> None:
    check_ending(output, "analogies")  # before the work begins
    built = build(
        read_word_pairs(words) if words else None,
        read_sentences(sentences),
        read_entailments(nli) if nli else (),
        categories=categories or None,
        sizes={name: int(number) for name, _, number in (one.partition("=") for one in size)},
        seed=seed,
    )
    sources = {"words": [words], "sentences": sentences, "entailments": [nli]}
    given = {kind: [file for file in files if file] for kind, files in sources.items()}
    pairs = save(output, built, given, seed)
    print(f"{pairs} pairs of {len(built.analogies.categories)} categories in {output}")
    for name, (count, asked) in built.short.items():
        print(f"{name}: got {count} of {asked} pairs")


if __name__ == "__main__":
    run(main)
