"""Precision, recall and F1 of semantic roles on PropBank over UD EWT.

    python -m benchmarks.roles --data ../shared/data/propbank-ewt --split test --parser tables

``tables`` reads roles off the trees with the rules of ``hybridsem/parsers/verbnet/rules.py`` alone,
``learned`` is the labeller, ``verbnet`` the two together, as ``parser="verbnet"`` gives them.
``tables`` and ``verbnet`` have frames of the eight roles and no PropBank labels. The trees are the
gold ones, predicted ones over the gold words, or predicted from raw text, where words count as the
same if their characters are. ``role_agreement.py`` describes what is counted.

``--speed`` prints instead the time of ``parser="verbnet"`` and ``parser="verbnet:tables"``, raw
text in, side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from benchmarks.command import DATA, run
from benchmarks.role_agreement import Agreement, AgreementReport, aligned, compare
from benchmarks.timing import show_compared
from hybridsem import Pipeline
from hybridsem.parsers.srl.labeller import SemanticRoles
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.parsers.verbnet import rules as verbnet
from hybridsem.structures import Argument, DependencyTree, Frame, Predicate, Role
from models.roles.propbank import read_propbank

SHOWN = ("heads", "spans", "roles", "core roles")
KINDS = ("gold trees", "gold words", "raw text")
RESAMPLES = 1000
SPEED_SENTENCES = 500


def of_frames(frames: Sequence[Frame]) -> tuple[Predicate, ...]:
    """Frames of the eight roles as predicates whose arguments have roles and no PropBank label."""
    found = {}
    for frame in frames:
        verb = frame.fillers[Role.VERB].head
        if verb is not None:
            arguments = tuple(
                Argument("", filler.tokens, filler.head, (), Role(role))
                for role, filler in frame.fillers.items()
                if role != Role.VERB and filler.head is not None
            )
            found[verb] = Predicate(verb, frame.predicate, frame.roleset, arguments)
    return tuple(found.values())


class Parsed:
    """The sentences of a file as trees of one kind, and what a parser says of them."""

    def __init__(self, gold: Sequence[DependencyTree], kind: str, trees: EmbeddedTrees) -> None:
        texts = [tree.text for tree in gold]
        self.gold, self.kind = gold, kind
        self.encoded = trees.encoder.analyse(texts)
        if kind == "gold trees":
            self.trees = [replace(tree, predicates=None) for tree in gold]
        else:
            words = [[(t.start, t.end) for t in tree] for tree in gold]
            given = words if kind == "gold words" else None
            self.trees = trees.trees_of(texts, self.encoded, given)

    def predicates(
        self, parser: str, labeller: SemanticRoles, given: bool
    ) -> list[Sequence[Predicate]]:
        """The predicates over the gold words; ``given`` tells a labeller which words they are."""
        if parser == "tables":
            found: Sequence[Sequence[Predicate]] = [
                of_frames(verbnet.frames(tree)) for tree in self.trees
            ]
        else:
            found = labeller.label(self.trees, self.encoded, [*self._indices()] if given else None)
            if parser == "verbnet":
                both = zip(self.trees, found, strict=True)
                labelled = (replace(tree, predicates=tuple(own)) for tree, own in both)
                found = [of_frames(verbnet.frames(tree)) for tree in labelled]
        return [*map(aligned, found, self.trees, self.gold)]

    def _indices(self) -> Iterator[list[int]]:
        """Where the annotated predicates are in the trees."""
        for gold, tree in zip(self.gold, self.trees, strict=True):
            at = {(token.start, token.end): k for k, token in enumerate(tree)}
            words = (gold[p.index] for p in gold.predicates or ())
            places = ((word.start, word.end) for word in words)
            yield [at[place] for place in places if place in at]


def line(name: str, found: Agreement) -> str:
    """A row of the table."""
    shares = "  ".join(
        "   –" if v is None else f"{v:.3f}" for v in (found.precision, found.recall, found.f1)
    )
    bounds = f"  [{found.low:.3f}, {found.high:.3f}]" if found.low is not None else ""
    return f"  {name:24} {shares}{bounds}  {found.gold}"


def show(title: str, found: AgreementReport, labelled: bool, details: bool) -> None:
    """Print what is counted; without labels only what does not ask for them."""
    print(f"\n{title}\n  {'':24} P      R      F1")
    without = () if labelled else ("heads", "spans", "rolesets")
    for name, agreement in found.overall.items():
        if name not in without:
            print(line(name, agreement))
    if not details:
        return
    for split in (found.by_class, found.by_role):
        for name in SHOWN:
            if name not in without:
                print(f" {name}")
                for group, agreement in split[name].items():
                    print(line(group, agreement))


def print_speed(texts: list[str], rounds: int = 5) -> None:
    """Print the time of a sentence with role heads and without, side by side."""

    def prepared(name: str) -> Callable[[], object]:
        pipeline = Pipeline("verbnet-cn", parser=name)
        pipeline.parse(texts[:50])  # weights are read
        return partial(pipeline.parse, texts)

    names = ("verbnet", "verbnet:tables")
    show_compared({name: partial(prepared, name) for name in names}, rounds, len(texts), "sentence")


def main(
    data: Annotated[Path, "folder of the splits"] = DATA / "propbank-ewt",
    split: Annotated[str, ("train", "dev", "test")] = "dev",
    parser: Annotated[str, ("tables", "learned", "verbnet")] = "verbnet",
    trees: Annotated[Sequence[str], KINDS] = KINDS,
    details: Annotated[bool, "by class of predicate, by label and role"] = False,
    speed: Annotated[bool, "print the time, with the role heads and without"] = False,
) -> None:
    # UD EWT, for spacing and lemmas, is beside.
    treebank = data.parent / "ud-ewt" / f"{split}.conllu"
    gold = list(read_propbank(data / f"{split}.jsonl", treebank))
    if speed:
        print_speed([tree.text for tree in gold[:SPEED_SENTENCES]])
        return
    embedded = EmbeddedTrees()
    labeller = SemanticRoles(embedded.encoder)
    for kind in trees:
        parsed = Parsed(gold, kind, embedded)
        for given in (True, False) if parser != "tables" else (False,):
            found = parsed.predicates(parser, labeller, given)
            settings = {"gold predicates": False} if given else {"own predicates": True}
            if parser == "tables":  # not told the predicates: what they say of the gold ones
                settings = {"gold predicates": False, "own predicates": True}
            for setting, spurious in settings.items():
                compared = compare(gold, found, spurious=spurious, resamples=RESAMPLES)
                title = f"{parser}, EWT {split}, {kind}, {setting}"
                show(title, compared, parser == "learned", details)


if __name__ == "__main__":
    run(main)
