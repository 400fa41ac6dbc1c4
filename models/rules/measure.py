"""How often each rewrite moves a score toward the label, on development data.

    python -m models.rules.measure --data ../shared/data [--write]

The support of a rule are the pairs whose score changes by more than .001 when the rule is switched
off; its precision is the share of these whose score it moves toward the label: up for entailment
and paraphrase, down for others. Pairs are drawn with a seed, those first that have the words of the
rule. Trees and vectors are read once. ``--write`` puts both figures into the rows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from benchmarks.command import DATA, run
from hybridsem import Pipeline
from hybridsem._typing import BoolArray, Float64Array, IntArray
from hybridsem._utils.tables import word_set
from hybridsem.combiners.base import Batch
from hybridsem.combiners.hybrid import with_vectors, word_rows
from hybridsem.comparison.reading import read_tree
from hybridsem.datasets.labelled_pairs import ENTAILMENT, PARAPHRASE
from hybridsem.english.lemmas import lemmatiser
from hybridsem.english.rules import SHIPPED, Rule, Rules, shipped
from hybridsem.structures import RoleStructure
from models.corpora import read
from models.judge.data import part

SEED = 58
EVERYDAY = word_set(
    """
    mnli-train lingnli-train snli-revised rte commitmentbank figurative idioms help recast fever-nli
    mrpc-train qqp medical-questions adversarial-paraphrase definitions
    """
)
INFERENCE = ("med", "monli", "conjnli")
INFERRED = ("sts/SICK_train.txt", "analogies/snli-dev.tsv")
UP = frozenset({ENTAILMENT, PARAPHRASE, "1"})
"""Labels of pairs whose score should be high."""
PER_RULE, AT_RANDOM = 600, 1500
LONGEST = 200
"""The most characters of a sentence that is drawn."""
CHANGE, LARGE = 0.001, 0.01
"""Smaller changes than the second come mostly from the weight of a word that loses its meaning."""
LEAST_SUPPORT, CHANCE, QUANTILE = 20, 0.5, 1.96


class Labelled(NamedTuple):
    """A pair, and whether its score should be high."""

    pair: tuple[str, str]
    high: bool


class Measured(NamedTuple):
    """The pairs whose score a rule changes, and how many of them it moves toward the label."""

    support: int
    right: int

    @property
    def precision(self) -> float:
        """The share moved toward the label; NaN without support."""
        return self.right / self.support if self.support else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the precision."""
        n, z2 = self.support, QUANTILE**2
        middle = (self.right + z2 / 2) / (n + z2)
        half = QUANTILE / (n + z2) * math.sqrt(self.right * (n - self.right) / max(n, 1) + z2 / 4)
        return middle - half, middle + half


def development_pairs(data: Path) -> Iterator[Labelled]:
    """Yield the labelled pairs of the development corpora."""
    files = [f"everyday/{name}.tsv" for name in sorted(EVERYDAY)]
    files += [f"inference/{name}.tsv" for name in INFERENCE]
    sets = [*(("columns", file) for file in files), *(("inference", file) for file in INFERRED)]
    for how, file in (*sets, ("paws", "paws/paws-wiki-dev.tsv")):
        for item in read(how, data / file):
            yield Labelled(item.pair, item.label in UP)
    for name in ("SugarCrepe++", "minimal pairs, development"):
        captions = part(name, data)
        for pair, same in zip(captions.pairs, captions.gold.tolist(), strict=True):
            yield Labelled(pair, same == 1)


def draw(pairs: Sequence[Labelled], rules: Rules) -> list[Labelled]:
    """Return some pairs at random, and for each rule some that have its words."""
    order = np.random.default_rng(SEED).permutation(len(pairs)).tolist()
    chosen = dict.fromkeys(order[:AT_RANDOM])
    lemma = lemmatiser()
    words = [
        {w for form in re.findall(r"[\w'’-]+", text.lower()) for w in (form, lemma(form, "VERB"))}
        for text in (" ".join(pairs[at].pair) for at in order)
    ]
    for rule in rules.rules:
        needs = [[key.values for key in keys if key.attribute != "relation"] for keys in rule.keys]

        def has_all(own: set[str], needs: list[list[frozenset[str]]] = needs) -> bool:
            return any(all(not own.isdisjoint(values) for values in each) for each in needs)

        if all(needs):
            having = (at for at, own in zip(order, words, strict=True) if has_all(own))
            chosen |= dict.fromkeys(islice(having, PER_RULE))
    return [pairs[at] for at in chosen]


class Corpus:
    """Pairs with their sentences' trees; only those whose sentences have one."""

    def __init__(self, labelled: Sequence[Labelled], nlp: Pipeline, rules: Rules) -> None:
        texts = sorted({text for one in labelled for text in one.pair})
        parsed = dict(zip(texts, nlp.parse(texts), strict=True))
        self.applied = {
            text: frozenset(rules.rewrite(structure.tree.tokens).applied)
            for text, structure in parsed.items()
            if isinstance(structure, RoleStructure) and structure.tree is not None
        }
        read = [one for one in labelled if self.applied.keys() >= {*one.pair}]
        self.labelled = [one for one in read if any(self.applied[text] for text in one.pair)]
        self.texts = sorted({text for one in self.labelled for text in one.pair})
        at = {text: i for i, text in enumerate(self.texts)}
        structures = [parsed[text] for text in self.texts]
        pairs = [(at[one], at[two]) for (one, two), _ in self.labelled]
        vectors = nlp.encode(self.texts)
        self.batch = Batch(self.texts, pairs, structures, vectors, scale=nlp.scale)
        self.combiner = nlp.combiner
        self.high: BoolArray = np.array([one.high for one in self.labelled], bool)

    def rows(self, rule: Rule) -> IntArray:
        """Return the pairs of which a rule rewrites a sentence."""
        applies = [any(rule.id in self.applied[text] for text in one.pair) for one in self.labelled]
        return np.flatnonzero(applies)

    def scores(self, rows: IntArray, rules: Rules) -> Float64Array:
        """Return the scores of some pairs, read with rules."""
        batch = self.batch.narrowed(np.array(self.batch.pairs)[rows])
        sentences = [
            read_tree(structure, structure.tree, rules, self.combiner.lexicon)
            for structure in batch.parsed().values()
            if structure.tree is not None
        ]
        read = with_vectors(sentences, partial(word_rows, self.combiner.vectors))
        compared = self.combiner.compared(batch, dict(enumerate(read)))
        return self.combiner.scores_of(batch, compared)

    def measured(self, rule: Rule, rules: Rules) -> tuple[Measured, Measured]:
        """Return the support and the successes of a rule: of all changes, of the large ones."""
        rows = self.rows(rule)
        if not len(rows):
            return Measured(0, 0), Measured(0, 0)
        added = self.scores(rows, rules) - self.scores(rows, rules.without(rule.id))
        right = (added > 0) == self.high[rows]

        def more_than(least: float) -> Measured:
            changed = np.abs(added) > least
            return Measured(int(changed.sum()), int((changed & right).sum()))

        return more_than(CHANGE), more_than(LARGE)


def written(text: str, measures: dict[str, Measured]) -> str:
    """Return the text of a file of rules with the measures in its rows."""
    for name, measured in measures.items():
        start = text.index(f'id = "{name}"')
        row = text[start:].partition("\n\n")[0]  # a comment behind it is of what follows
        new = re.sub(r"\n(precision|support) = .*", "", row).rstrip("\n")
        if measured.support:
            new += f"\nprecision = {measured.precision:.2f}"
        new += f"\nsupport = {measured.support}" + "\n" * row.endswith("\n")
        text = text.replace(row, new)
    return text


def main(
    data: Path = DATA, write: Annotated[bool, "put the figures into the rows"] = False
) -> None:
    rules, nlp = shipped(), Pipeline()
    drawn = draw(list(dict.fromkeys(development_pairs(data))), rules)
    corpus = Corpus(drawn, nlp, rules)
    print(f"{len(drawn):,} pairs drawn, {len(corpus.labelled):,} with a rewritten sentence")
    print(f"{'rule':20}   pairs   support   precision   interval       large changes")
    measures = {}
    for rule in rules.rules:
        every, large = corpus.measured(rule, rules)
        measures[rule.id] = every
        low, high = every.interval
        chance = every.support >= LEAST_SUPPORT and low <= CHANCE
        print(
            f"{rule.id:20}{len(corpus.rows(rule)):8}{every.support:10}{every.precision:12.2f}"
            f"   {low:.2f} to {high:.2f}   {large.right:4} of {large.support:3}"
            f"{'   not better than chance' * chance}",
            flush=True,
        )
    if write:
        text = SHIPPED.read_text(encoding="utf-8")
        SHIPPED.write_text(written(text, measures), encoding="utf-8")


if __name__ == "__main__":
    run(main)
