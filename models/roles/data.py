"""Training data of the role heads: what ``encode.py`` wrote, as flat arrays."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hybridsem._utils.weights import weight_file
from hybridsem.english.lemmas import lemmatiser
from hybridsem.parsers.srl.features import candidates, columns
from hybridsem.parsers.srl.lexicon import CORE, Roleset
from hybridsem.parsers.verbnet.general_roles import general_role
from hybridsem.structures import Role
from models.roles.propbank import span_head

INVENTORY = json.loads(weight_file("parser.json"))
RELATIONS, TAGS = INVENTORY["relations"], INVENTORY["tags"]
LEMMA = lemmatiser()
ROLES = tuple(role for role in Role if role is not Role.VERB)  # what is learned, in this order
COUNTED = ("ADJ", "AUX", "NOUN", "VERB")  # tags of words that are predicates often enough


@dataclass
class Tree:
    """A tree of a sentence, with the pairs of each annotated predicate: (word, path, reach)
    rows.
    """

    relations: np.ndarray
    tags: np.ndarray
    marker: np.ndarray
    below: np.ndarray
    pairs: list[np.ndarray]


@dataclass
class Annotated:
    """A predicate: what its arguments' heads are labelled, which have a general role (an index),
    VerbNet's by label.
    """

    index: int
    roleset: str
    labels: dict[int, str]
    roles: dict[int, int]
    verbnet: dict[str, list[str]]


@dataclass
class Sentence:
    """A sentence; its words begin at ``start`` in the corpus. ``whole``: all its predicates are
    annotated.
    """

    start: int
    forms: list[str]
    shapes: np.ndarray
    predicates: list[Annotated]
    trees: dict[str, Tree]
    whole: bool

    def __len__(self) -> int:
        return len(self.forms)


class Corpus:
    """The sentences of a file, with ``words`` and ``states`` (n, d) of all of them."""

    def __init__(self, path: Path, variants: tuple[str, ...]) -> None:
        rows = json.loads(path.with_suffix(".json").read_text())
        arrays = np.load(path.with_suffix(".npz"))
        starts = arrays["starts"]
        self.words, self.states = arrays["words"], arrays["states"]
        shapes, whole = arrays["shapes"], "gold" in arrays
        tables = {name: arrays[name] for name in variants if name in arrays}
        tags = {"gold": arrays["gold_tags"], "parsed": arrays["tags"]}
        reference = arrays["gold" if whole else "parsed"]
        self.sentences = []
        for k, row in enumerate(rows):
            here = slice(starts[k], starts[k + 1])
            heads = [int(h) for h in reference[here, 0]]
            predicates = []
            for index, _lemma, roleset, arguments in row["predicates"]:
                labels, roles, links = {}, {}, {}
                for label, start, end, verbnet in arguments:
                    head = span_head(heads, start, end)
                    if head == index or head in labels:
                        continue
                    labels[head] = label
                    links[label] = verbnet
                    role = general_role(label, verbnet, roleset)
                    if role is not None:
                        roles[head] = ROLES.index(role)
                predicates.append(Annotated(index, roleset, labels, roles, links))
            trees = {}
            for name, table in tables.items():
                h, r = (column.tolist() for column in table[here].T)
                below = [[] for _ in h]
                for i, head in enumerate(h):
                    if head >= 0:
                        below[head].append(i)
                marker, linked = columns(row["forms"], h, r, RELATIONS)
                rows_of = (candidates(h, r, below, p.index) for p in predicates)
                pairs = [np.array(some or np.zeros((0, 3)), np.int32) for some in rows_of]
                tag = tags["gold" if name == "gold" else "parsed"][here].astype(np.int64)
                bag = linked.astype(bool)
                trees[name] = Tree(np.array(r), tag, marker, bag, pairs)
            shape = shapes[here].astype(np.int64)
            parts = int(starts[k]), row["forms"], shape, predicates, trees, whole
            self.sentences.append(Sentence(*parts))


def lexicon(treebank: Corpus, examples: Corpus, labels: list[str]) -> dict[str, Any]:
    """The content of ``roles.json``."""
    count: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    arguments: defaultdict[str, dict[str, tuple[int, tuple[str, ...]]]] = defaultdict(dict)
    by_lemma: defaultdict[str, set[str]] = defaultdict(set)
    words: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(
        lambda: defaultdict(lambda: [0, 0])
    )
    for corpus in (treebank, examples):
        for s in corpus.sentences:
            tree = s.trees["parsed"]
            lemmas = [
                LEMMA(form, TAGS[tag]).lower() for form, tag in zip(s.forms, tree.tags, strict=True)
            ]
            for p in s.predicates:
                seen[p.roleset] += 1
                count[p.roleset] += s.whole
                known = arguments[p.roleset]
                for label in sorted(set(p.labels.values()) & set(CORE)):
                    occurred, names = known.get(label, (0, ()))
                    known[label] = occurred + 1, names
                for label, verbnet in p.verbnet.items():
                    if label in known:
                        known[label] = known[label][0], tuple(verbnet)
                if lemmas[p.index] != p.roleset.rpartition(".")[0].partition("_")[0].lower():
                    by_lemma[lemmas[p.index]].add(p.roleset)
            if s.whole:
                at = {p.index for p in s.predicates}
                for k, tag in enumerate(tree.tags):
                    if TAGS[tag] in COUNTED:
                        words[TAGS[tag]][lemmas[k]][0] += 1
                        words[TAGS[tag]][lemmas[k]][1] += k in at
    rolesets = {}
    core: Counter[str] = Counter({"": seen.total()})
    for name in sorted(seen):
        rolesets[name] = Roleset(count[name], seen[name], dict(sorted(arguments[name].items())))
        core.update({label: number for label, (number, _) in arguments[name].items()})
    return {
        "labels": labels,
        "roles": [role.value for role in ROLES],
        "rolesets": {name: roleset.written for name, roleset in rolesets.items()},
        "core": {label: core[label] for label in ("", *CORE)},
        "lemmas": {lemma: " ".join(sorted(names)) for lemma, names in sorted(by_lemma.items())},
        "words": {
            tag: {lemma: f"{n} {marked}" for lemma, (n, marked) in sorted(lemmas.items()) if n >= 3}
            for tag, lemmas in sorted(words.items())
        },
    }
