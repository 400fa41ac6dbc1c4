"""Make ``hybridsem/data/amr.json``: the frames of words and the numbers of their arguments.

    python -m models.amr.frames --propbank propbank-ewt --amr little-prince-v3.0-train.txt
    python -m models.manifest               # the checksums that are verified at run time

Counted, with the syntactic places of ``hybridsem/parsers/amr_rules/words.py``:

1. on PropBank over EWT train (gold trees): how often a word has which roleset or none, and where
   its arguments stand;
2. on the example sentences of PropBank's frame files (trees of the embedded parser): the same for
   the rarer rolesets;
3. on gold AMR (The Little Prince, train; trees of the embedded parser): which concept a word
   becomes, where the two begin alike. It goes before the others, as it is AMR.

PropBank (CC BY-SA 4.0) and so is the table.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise, takewhile
from pathlib import Path
from typing import Annotated, Any

import penman

from benchmarks.command import run
from hybridsem.parsers.amr_rules.words import DEFAULT_ROLES, place
from hybridsem.parsers.trees.clauses import Clauses
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree
from models.corpora import json_lines
from models.recipe import SHIPPED
from models.roles.propbank import read_propbank

DATA = SHIPPED / "amr.json"
# of an example sentence beside one of running text: every roleset has some, however rare it is
EXAMPLE_WEIGHT = 0.3
FIRST_SENSE = 1.5  # added to the count of the first sense, the most common one of most verbs
MIN_SUBJECT = 0.5  # weight of the evidence that a subject is no ARG0
MIN_AMR = 2  # sentences in which gold AMR has the concept
CONTENT = ("VERB", "NOUN", "ADJ", "ADV")

Predicates = Sequence[tuple[int, str, Sequence[Sequence[Any]]]]  # index, roleset, arguments
Counts = defaultdict[str, Counter[str]]
Parsed = tuple[DependencyTree, Predicates]


class Counted:
    """How often words have which concept or none (``other``), by word and part of speech; where
    arguments of which label stand, by concept and place; and light verbs with their nouns.
    """

    def __init__(self) -> None:
        self.words: Counts = defaultdict(Counter)
        self.roles: defaultdict[str, Counts] = defaultdict(lambda: defaultdict(Counter))
        self.other, self.light = Counter[str](), set[str]()


def concept(roleset: str) -> str:
    """``pick_up.04`` as AMR writes it: ``pick-up-04``."""
    lemma, _, number = roleset.rpartition(".")
    return f"{lemma.replace('_', '-')}-{number}"


def annotated(path: Path) -> Iterator[Parsed]:
    """PropBank over EWT, on its trees."""
    for tree in read_propbank(path):
        predicates = []
        for p in tree.predicates or ():
            spans = [(a.label, a.tokens[0], a.tokens[-1] + 1) for a in p.arguments]
            predicates.append((p.index, p.roleset, spans))
        yield tree, predicates


def examples(path: Path) -> Iterator[Parsed]:
    """The examples of the frame files, parsed; of a predicate of several words the first."""
    trees, rows = EmbeddedTrees(), json_lines(path)
    for at in range(0, len(rows), 256):
        batch = rows[at : at + 256]
        texts = [" ".join(row["tokens"]) for row in batch]
        encoded = trees.encoder.analyse(texts)
        whole = [i for i, found in enumerate(encoded) if not found.truncated]
        spans = []
        for i in whole:
            starts = [0, *accumulate(len(token) + 1 for token in batch[i]["tokens"])]
            spans.append([(a, b - 1) for a, b in pairwise(starts)])
        parsed = trees.trees_of([texts[i] for i in whole], [encoded[i] for i in whole], spans)
        for row, tree in zip((batch[i] for i in whole), parsed, strict=True):
            if row["rel"] and (len(row["rel"]) == 1 or tree[row["rel"][0]].pos == "VERB"):
                yield tree, [(row["rel"][0], row["roleset"], row["args"])]


def is_passive(tree: Clauses, index: int) -> bool:
    reduced = tree.base[index] in ("amod", "acl")
    return tree.tokens[index].pos == "VERB" and tree.is_passive(index, reduced)


def word_key(tree: Clauses, index: int, roleset: str) -> str:
    lemma, pos = tree.lemma[index], tree.tokens[index].pos.replace("AUX", "VERB")
    if pos == "VERB" and "_" in roleset:
        particles = [c for c in tree.children(index) if tree.relation[c] == "compound:prt"]
        return f"{lemma}_{tree.lower[particles[0]]}/VERB" if particles else ""
    return f"{lemma}/{pos}"


def count(source: Iterable[Parsed], weight: float, into: Counted) -> None:
    """Add what is annotated."""
    for given, predicates in source:
        tree = Clauses(given)
        known = {index for index, *_ in predicates}
        for i, token in enumerate(given):
            if i not in known and token.pos in CONTENT:
                into.other[f"{tree.lemma[i]}/{token.pos}"] += 1
        for index, roleset, arguments in predicates:
            if index >= len(given) or roleset.endswith("LV"):
                continue
            name, key = concept(roleset), word_key(tree, index, roleset)
            if key:
                into.words[key][name] += weight
            if key.endswith("/VERB"):
                objects = ("obj", "ccomp", "xcomp")
                transitive = any(tree.base[c] in objects for c in tree.children(index))
                kind = "t" if transitive or is_passive(tree, index) else "i"
                into.words[f"{key}/{kind}"][name] += weight
            for label, start, end, *_ in arguments:
                if label[0] not in "RC" and end <= len(given):
                    _count_argument(tree, index, label, range(start, end), name, weight, into)


def _count_argument(
    tree: Clauses, index: int, label: str, words: range, name: str, weight: float, into: Counted
) -> None:
    tokens, base = tree.tokens, tree.base[index]
    head = next((t for t in words if tokens[t].head not in words), None)
    if head is None:
        return
    if label == "ARGM-LVB" and tokens[index].head == head:
        into.light.add(f"{tree.lemma[head]} {tree.lemma[index]}")
    elif tokens[head].head == index:
        if where := place(tree, index, head, is_passive(tree, index)):
            into.roles[name][where][label] += weight
    elif tokens[index].head == head and base == "amod":
        into.roles[name]["amod-of"][label] += weight


def alike(lemma: str, name: str) -> bool:
    """Whether a concept may be the word's: they begin alike."""
    base = name.rpartition("-")[0] if name[-2:].isdigit() else name
    if base == lemma or base.partition("-")[0] == lemma:
        return True
    if base == name and abs(len(base) - len(lemma)) > 3:
        return False
    letters = zip(base, lemma, strict=False)
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], letters))
    return same >= 4 and same >= min(len(base), len(lemma)) - 2


def gold(path: Path) -> Counts:
    """How often a word of a sentence has which concept in gold AMR."""
    graphs = penman.load(path)
    trees = EmbeddedTrees().trees([g.metadata["snt"] for g in graphs])
    found: Counts = defaultdict(Counter)
    for graph, given in zip(graphs, trees, strict=True):
        tree = Clauses(given)
        concepts = [i.target for i in graph.instances() if i.target]
        for i, token in enumerate(given):
            if token.pos not in (*CONTENT, "AUX"):
                continue
            candidates = [c for c in concepts if alike(tree.lemma[i], c)]
            if token.pos in ("VERB", "AUX"):  # other senses go with a particle
                candidates = [c for c in candidates if c.rpartition("-")[0] == tree.lemma[i]]
            exact = [c for c in candidates if c == tree.lemma[i]]
            for c in tree.children(i):
                if token.pos == "VERB" and tree.relation[c] == "advmod" and c > i:
                    joined = f"{tree.lemma[i]}-{tree.lower[c]}"
                    name = next((c for c in concepts if c.rpartition("-")[0] == joined), "")
                    found[f"{tree.lemma[i]}+{tree.lower[c]}/VERB"][name] += 1
            key = f"{tree.lemma[i]}/{'VERB' if token.pos == 'AUX' else token.pos}"
            if candidates:
                found[key][(exact or candidates)[0]] += 1
            elif token.pos != "AUX":
                found[key][""] += 1
    return found


def chosen_words(counted: Counted, amr: Counts) -> dict[str, str]:
    """The concept of each word, if it is not the one that is taken without a table."""
    chosen: dict[str, str] = {}
    for key, counts in counted.words.items():
        lemma, pos, *_ = key.split("/")
        first = f"{lemma}-01"
        if pos == "VERB" and first in counts:
            counts[first] += FIRST_SENSE
        name = max(counts, key=lambda n: (counts[n], -int(n[-2:]) if n[-2:].isdigit() else 0))
        usual = pos == "VERB" and name == first and not key.endswith(("/t", "/i"))
        share = {"NOUN": 1.0, "ADJ": 0.3, "VERB": 0.0}.get(pos)
        if not usual and share is not None and sum(counts.values()) >= counted.other[key] * share:
            chosen[key] = name
    for key, counts in amr.items():
        lemma, pos = key.split("/")
        name, n = counts.most_common(1)[0]
        if name and n >= MIN_AMR and n >= 0.5 * sum(counts.values()):
            chosen[key] = name
            if name == lemma:
                del chosen[key]
            for kind in "ti" if pos == "VERB" else "":
                chosen.pop(f"{key}/{kind}", None)
    for key in [k for k in chosen if k.endswith(("/t", "/i"))]:
        if chosen[key] == (chosen.get(key[:-2]) or f"{key.split('/')[0]}-01"):
            del chosen[key]
    return dict(sorted(chosen.items()))


def places(roles: Mapping[str, Counts]) -> dict[str, dict[str, str]]:
    """The argument in each place of a concept, if it is not the default."""
    found = {}
    for name, counts in sorted(roles.items()):
        kept = {}
        for where, labels in counts.items():
            label, n = max(labels.items(), key=lambda item: (item[1], item[0]))
            weak = where in ("subj", "subj0") and n < MIN_SUBJECT
            numbered = label.startswith("ARG") and label[3:4].isdigit()
            if not weak and numbered and label[:4] != DEFAULT_ROLES.get(where):
                kept[where] = label[:4]
        if kept.get("subj") == kept.get("obj", "ARG1"):  # a participle that was taken for a verb
            kept.pop("subj", None)
        if kept:
            found[name] = dict(sorted(kept.items()))
    return found


def main(
    *,
    propbank: Annotated[Path, "its folder, JSON lines"],
    amr: Annotated[Path, "gold AMR, for words' concepts"],
) -> None:
    counted = Counted()
    count(annotated(propbank / "train.jsonl"), 1.0, counted)
    other = counted.other.copy()
    count(examples(propbank / "frame-examples.jsonl"), EXAMPLE_WEIGHT, counted)
    counted.other = other  # of an example one word alone is annotated
    words, roles = chosen_words(counted, gold(amr)), places(counted.roles)
    made = {"words": words, "roles": roles, "light": sorted(counted.light)}
    text = json.dumps(made, separators=(",", ":"), ensure_ascii=False)
    DATA.write_text(text + "\n", encoding="utf-8")
    print(f"{len(words)} words, {len(roles)} frames, {DATA.stat().st_size} bytes")


if __name__ == "__main__":
    run(main)
