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

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import penman

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


def concept(roleset: str) -> str:
    """``pick_up.04`` as AMR writes it: ``pick-up-04``."""
    lemma, _, number = roleset.rpartition(".")
    return f"{lemma.replace('_', '-')}-{number}"


def annotated(path: Path) -> Iterator[tuple[DependencyTree, Predicates]]:
    """PropBank over EWT, on its trees."""
    for tree in read_propbank(path):
        yield (
            tree,
            [
                (
                    p.index,
                    p.roleset,
                    [(a.label, a.tokens[0], a.tokens[-1] + 1) for a in p.arguments],
                )
                for p in tree.predicates or ()
            ],
        )


def examples(path: Path) -> Iterator[tuple[DependencyTree, Predicates]]:
    """The examples of the frame files, parsed; of a predicate of several words the first."""
    trees = EmbeddedTrees()
    rows = json_lines(path)
    for at in range(0, len(rows), 256):
        batch = rows[at : at + 256]
        texts = [" ".join(row["tokens"]) for row in batch]
        encoded = trees.encoder.analyse(texts)
        spans = []
        for row in batch:
            starts = [0]
            for token in row["tokens"]:
                starts.append(starts[-1] + len(token) + 1)
            spans.append([(a, b - 1) for a, b in pairwise(starts)])
        whole = [i for i, found in enumerate(encoded) if not found.truncated]
        parsed = trees.trees_of(
            [texts[i] for i in whole], [encoded[i] for i in whole], [spans[i] for i in whole]
        )
        for i, tree in zip(whole, parsed, strict=True):
            if batch[i]["rel"] and (
                len(batch[i]["rel"]) == 1 or tree[batch[i]["rel"][0]].pos == "VERB"
            ):
                yield tree, [(batch[i]["rel"][0], batch[i]["roleset"], batch[i]["args"])]


def is_passive(tree: Clauses, index: int) -> bool:
    return tree.tokens[index].pos == "VERB" and tree.is_passive(
        index, tree.base[index] in ("amod", "acl")
    )


def word_key(tree: Clauses, index: int, roleset: str) -> str:
    pos = "VERB" if tree.tokens[index].pos == "AUX" else tree.tokens[index].pos
    if pos == "VERB" and "_" in roleset:
        particle = next(
            (tree.lower[c] for c in tree.children(index) if tree.relation[c] == "compound:prt"), ""
        )
        return f"{tree.lemma[index]}_{particle}/VERB" if particle else ""
    return f"{tree.lemma[index]}/{pos}"


def count(
    source: Iterable[tuple[DependencyTree, Predicates]],
    weight: float,
    words: Any,
    roles: Any,
    other: Counter[str],
    light: Counter[str],
) -> None:
    for given, predicates in source:
        tree = Clauses(given)
        known = {index for index, _roleset, _arguments in predicates}
        for i, token in enumerate(given):
            if i not in known and token.pos in CONTENT:
                other[f"{tree.lemma[i]}/{token.pos}"] += 1
        for index, roleset, arguments in predicates:
            if index >= len(given) or roleset.endswith("LV"):
                continue
            name = concept(roleset)
            key = word_key(tree, index, roleset)
            if key:
                words[key][name] += weight
            if key.endswith("/VERB"):
                transitive = any(
                    tree.base[c] in ("obj", "ccomp", "xcomp") for c in tree.children(index)
                )
                words[f"{key}/{'t' if transitive or is_passive(tree, index) else 'i'}"][name] += (
                    weight
                )
            passive = is_passive(tree, index)
            for label, start, end, *_ in arguments:
                if label[0] in "RC" or end > len(given):
                    continue
                heads = [t for t in range(start, end) if not start <= given[t].head < end]
                if label == "ARGM-LVB" and heads and given[index].head == heads[0]:
                    light[f"{tree.lemma[heads[0]]} {tree.lemma[index]}"] += 1
                    continue
                for head in heads[:1]:
                    where = ""
                    if given[head].head == index:
                        where = place(tree, index, head, passive)
                    elif given[index].head == head and tree.base[index] == "amod":
                        where = "amod-of"
                    if where:
                        roles[name][where][label] += weight


def alike(lemma: str, name: str) -> bool:
    """Whether a concept may be the word's: they begin alike."""
    base = name.rpartition("-")[0] if name[-2:].isdigit() else name
    if base == lemma or base.partition("-")[0] == lemma:
        return True
    if base == name and abs(len(base) - len(lemma)) > 3:
        return False
    same = 0
    for a, b in zip(base, lemma, strict=False):
        if a != b:
            break
        same += 1
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


def table(words: Counts, other: Counter[str], roles: Any, amr: Counts) -> dict[str, Any]:
    chosen: dict[str, str] = {}
    for key, counts in words.items():
        lemma, pos, *_ = key.split("/")
        if pos == "VERB" and f"{lemma}-01" in counts:
            counts[f"{lemma}-01"] += FIRST_SENSE
        name, n = max(
            counts.items(),
            key=lambda item: (item[1], -int(item[0][-2:]) if item[0][-2:].isdigit() else 0),
        )
        if pos not in ("VERB", "NOUN", "ADJ"):
            continue
        if pos == "VERB" and name == f"{lemma}-01" and not key.endswith(("/t", "/i")):
            continue
        if pos in ("NOUN", "ADJ") and sum(counts.values()) < other[key] * (
            1.0 if pos == "NOUN" else 0.3
        ):
            continue
        chosen[key] = name
    for key, counts in amr.items():
        pos = key.split("/")[1]
        total = sum(counts.values())
        name, n = counts.most_common(1)[0]
        if name and n >= MIN_AMR and n >= 0.5 * total:
            lemma = key.split("/")[0]
            if name == lemma:
                chosen.pop(key, None)
            else:
                chosen[key] = name
            if pos == "VERB":
                for kind in "ti":
                    chosen.pop(f"{key}/{kind}", None)
    for key in [k for k in chosen if k.endswith(("/t", "/i"))]:
        general = chosen.get(key[:-2]) or f"{key.split('/')[0]}-01"
        if chosen[key] == general:
            del chosen[key]
    places: dict[str, dict[str, str]] = {}
    for name, found in roles.items():
        kept = {}
        for where, labels in found.items():
            label, n = max(labels.items(), key=lambda item: (item[1], item[0]))
            default = DEFAULT_ROLES.get(where)
            if where in ("subj", "subj0") and n < MIN_SUBJECT:
                continue
            if label.startswith("ARG") and label[3:4].isdigit() and label[:4] != default:
                kept[where] = label[:4]
        if kept.get("subj") == kept.get("obj", "ARG1"):  # a participle that was taken for a verb
            kept.pop("subj", None)
        if kept:
            places[name] = dict(sorted(kept.items()))
    return {"words": dict(sorted(chosen.items())), "roles": dict(sorted(places.items()))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--propbank", type=Path, required=True, help="its folder, JSON lines")
    parser.add_argument("--amr", type=Path, required=True, help="gold AMR, for words' concepts")
    options = parser.parse_args()
    words: Counts = defaultdict(Counter)
    light: Counter[str] = Counter()
    other: Counter[str] = Counter()
    roles: Any = defaultdict(lambda: defaultdict(Counter))
    count(annotated(options.propbank / "train.jsonl"), 1.0, words, roles, other, light)
    count(
        examples(options.propbank / "frame-examples.jsonl"),
        EXAMPLE_WEIGHT,
        words,
        roles,
        Counter(),
        light,
    )
    made = table(words, other, roles, gold(options.amr))
    made["light"] = sorted(light)
    DATA.write_text(
        json.dumps(made, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(f"{len(made['words'])} words, {len(made['roles'])} frames, {DATA.stat().st_size} bytes")


if __name__ == "__main__":
    main()
