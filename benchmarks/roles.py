"""How far the roles read from dependency trees agree with annotated ones.

    python benchmarks/roles.py [--data DIR] [--json FILE]

Two comparisons, both over raw text with the embedded parser and, where there are gold trees, over those as well:

* PropBank's VerbNet roles for EWT dev, collapsed to the eight by :data:`COLLAPSED`: of the arguments whose head stands
  in a filler of the same predicate's frame, how many have the role (``role``), and how many are found (``found``).
* The hand-repaired roles of the STS3k release and of its pilot (a report only, nothing is chosen on it): for each role,
  precision and recall of the head word, and how often whole phrases are the same but for articles.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hybridsem.parsers import verbnet
from hybridsem.parsers.conllu import read_conllu
from hybridsem.parsers.embedded import EmbeddedTrees
from hybridsem.parsers.precomputed import read_release
from hybridsem.structures import DependencyTree, Filler, ParseFailure, Role, RoleStructure

COLLAPSED = {
    name: role
    for role, names in (
        (Role.AGENT, "agent causer"),
        (Role.PATIENT, "patient recipient beneficiary experiencer co_agent co_patient affector"),
        (Role.THEME, "theme topic stimulus attribute result product predicate co_theme asset value eventuality source"),
        (Role.LOCATION, "location destination initial_location ARGM-LOC ARGM-GOL"),
        (Role.TRAJECTORY, "trajectory ARGM-DIR"),
        (Role.MANNER, "instrument material ARGM-MNR ARGM-EXT"),
        (Role.TIME, "ARGM-TMP"),
    )
    for name in names.split()
}
STS3K = Path("sts3k-dev", "Data-model", "Sentence Parses", "VerbNet Parsing", "full_VerbNet_pass_STS3k_all_mod.json")


def propbank(trees: Sequence[DependencyTree], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Agreement of the roles of ``trees`` with PropBank's, for trees over the same words."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    confusions: Counter[tuple[str, str]] = Counter()
    found = arguments = 0
    for tree, row in zip(trees, rows, strict=True):
        frames = {frame.fillers[Role.VERB].head: frame for frame in verbnet.frames(tree)}
        for predicate in row["predicates"]:
            frame = frames.get(predicate["index"])
            if row["upos"][predicate["index"]] != "VERB" or frame is None:
                continue
            for label, start, end, roles in predicate["args"]:
                names = [label] if label.startswith("ARGM") else roles
                allowed = {COLLAPSED[name] for name in names if name in COLLAPSED}
                # A subject that experiences or has is an Agent in the release's parses.
                if label == "ARG0" or (start < predicate["index"] and {"experiencer", "pivot"} & set(roles)):
                    allowed.add(Role.AGENT)
                if not allowed:
                    continue
                arguments += 1
                heads = [t for t in range(start, end) if not start <= row["head"][t] - 1 < end]
                given = next((role for role, f in frame.fillers.items() if heads and heads[0] in f.tokens), None)
                if given is None or given == Role.VERB:
                    continue
                found += 1
                wanted = given if given in allowed else sorted(allowed)[0]
                total[wanted] += 1
                right[wanted] += given in allowed
                if given not in allowed:
                    confusions[wanted, given] += 1
    return {
        "arguments": arguments,
        "found": round(found / arguments, 3),
        "role": round(sum(right.values()) / found, 3),
        "by role": {role: [round(right[role] / total[role], 3), total[role]] for role in Role if total[role]},
        "confusions": [[*pair, count] for pair, count in confusions.most_common(8)],
    }


def release(pairs: Iterable[tuple[Any, Any]], trees_of: Any) -> dict[str, Any]:
    """Agreement with hand-repaired roles, over distinct sentences."""
    gold = {s.text: s for pair in pairs for s in pair if isinstance(s, RoleStructure)}
    counts: dict[str, Counter[str]] = {role: Counter() for role in Role}
    sentences = 0
    for tree, wanted in zip(trees_of(list(gold)), gold.values(), strict=True):
        ours = verbnet.structure(tree).roles
        sentences += all(_same(ours.get(role), wanted.roles.get(role)) for role in Role)
        for role in Role:
            a, b, count = ours.get(role), wanted.roles.get(role), counts[role]
            count["ours"] += a is not None
            count["theirs"] += b is not None
            if a is not None and b is not None:
                head = tree[a.head].text.lower() if a.head is not None else a.words[-1]
                count["head"] += head in b.text.lower().replace("'s", " 's").split()
                count["phrase"] += _same(a, b)
    return {
        "sentences": len(gold),
        "all roles the same": round(sentences / len(gold), 3),
        "by role": {
            role: {
                "precision": round(c["head"] / max(1, c["ours"]), 3),
                "recall": round(c["head"] / max(1, c["theirs"]), 3),
                "phrase": round(c["phrase"] / max(1, c["theirs"]), 3),
                "n": c["theirs"],
            }
            for role, c in counts.items()
        },
    }


def _same(a: Filler | None, b: Filler | None) -> bool:
    if a is None or b is None:
        return a is b
    return set(a.words) == set(b.words)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder with ud-ewt, sts, …")
    parser.add_argument("--json", type=Path, help="write the figures to a file as well")
    options = parser.parse_args()
    data: Path = options.data
    rows = [json.loads(line) for line in (data / "propbank-ewt/dev.jsonl").read_text(encoding="utf-8").splitlines()]
    gold = {tuple(t.text for t in tree): tree for tree in read_conllu(data / "ud-ewt/dev.conllu")}
    known = [row for row in rows if tuple(row["tokens"]) in gold]
    embedded = EmbeddedTrees()

    def trees_of(sentences: Sequence[str]) -> list[DependencyTree]:
        return [tree for tree in embedded.trees(sentences) if not isinstance(tree, ParseFailure)]

    texts = [gold[tuple(row["tokens"])].text for row in known]
    raw = trees_of(texts)
    aligned = [i for i, tree in enumerate(raw) if [t.text for t in tree] == known[i]["tokens"]]
    figures = {
        "propbank-ewt dev, gold trees": propbank([gold[tuple(row["tokens"])] for row in known], known),
        "propbank-ewt dev, raw text": propbank([raw[i] for i in aligned], [known[i] for i in aligned]),
        "pilot, raw text": release(
            read_release(data / "sts/full_VerbNet_pass_Fodor_pilot_2022_mod.json", data / "sts/Fodor_pilot_2022.txt"),
            trees_of,
        ),
        "sts3k-dev, raw text": release(
            read_release(data / STS3K, data / "sts3k-dev/Data-experiment/STS3k_all.txt"), trees_of
        ),
    }
    text = json.dumps(figures, indent=1)
    print(text)
    if options.json:
        options.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
