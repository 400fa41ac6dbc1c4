"""UAS, LAS, POS and lemmas of the embedded parser on a CoNLL-U file, with gold words and from raw
text.

    python -m benchmarks.parser ../shared/data/ud-ewt/test.conllu

UAS and LAS count every word, punctuation included, with relation subtypes. From raw text the
figures are F1 over words whose span is right (as in the CoNLL 2018 shared task).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.command import run
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree


def f1(gold: Sequence[DependencyTree], predicted: Sequence[DependencyTree]) -> dict[str, float]:
    """F1 in per cent; words are aligned by their character spans."""
    right = dict.fromkeys(("words", "UAS", "LAS", "POS", "lemma"), 0)
    total = 0
    for g, p in zip(gold, predicted, strict=True):
        total += len(g) + len(p)
        at = {(token.start, token.end): token for token in p}

        def governor(tree: DependencyTree, head: int) -> tuple[int, int] | None:
            return (tree[head].start, tree[head].end) if head >= 0 else None

        for token in g:
            found = at.get((token.start, token.end))
            if found is None:
                continue
            attached = governor(g, token.head) == governor(p, found.head)
            right["words"] += 1
            right["UAS"] += attached
            right["LAS"] += attached and token.relation == found.relation
            right["POS"] += token.pos == found.pos
            right["lemma"] += token.lemma == found.lemma
    return {name: round(200 * count / total, 2) for name, count in right.items()}


def main(conllu: Path) -> None:
    gold = list(read_conllu(conllu))
    texts = [tree.text for tree in gold]
    words = [[(token.start, token.end) for token in tree] for tree in gold]
    trees = EmbeddedTrees()
    given = trees.trees_of(texts, trees.encoder.analyse(texts), words)
    print("gold words", f1(gold, given))
    print("raw text  ", f1(gold, trees.trees(texts)))
    if not all(tree.is_tree() for tree in given):
        raise SystemExit("not every output is a tree with one root")


if __name__ == "__main__":
    run(main)
