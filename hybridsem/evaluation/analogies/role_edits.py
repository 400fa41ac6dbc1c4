"""Analogies explained by roles: the changes from A to B, and whether C to D has the same.

    The dog chased him.  →  He was chased by the dog.      voice: active → passive
    Anna saw the king.   →  The king was not seen by Anna. voice: active → passive, negation added

A change has a place (a role, the predicate, voice, negation, modality, a clause) and a manner: a
filler is replaced, inflected (same lemmas), extended or shortened, moved to another role, added or
removed. The likeness of two edits is Jaccard's share of changes with the same place and manner. The
words do not count, so to answer by role edit alone is to choose the candidate X whose edit C → X is
the most like A → B.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, Int8Array
from hybridsem._utils.progress import in_chunks, tracked
from hybridsem.datasets.analogies import Analogies, Category
from hybridsem.datasets.settings import Settings
from hybridsem.errors import InputError, ParseError
from hybridsem.evaluation.analogies.geometry import ANSWER, NOT_ASKED, RIGHT, TIED, WRONG
from hybridsem.evaluation.analogies.summaries import accuracies
from hybridsem.evaluation.statistics import Estimate
from hybridsem.pipeline import Pipeline
from hybridsem.structures import Filler, Frame, Parsed, Role, RoleStructure

ACCURACY, TIES = "role edit", "tied"
CHUNK = 1024


@dataclass(frozen=True)
class Change:
    """One change: its place and manner, and the texts before and after (None: nothing)."""

    place: str
    manner: str
    before: str | None = None
    after: str | None = None

    def __str__(self) -> str:
        told = " → ".join(f"{text!r}" for text in (self.before, self.after) if text is not None)
        return f"{self.place} {self.manner}" + (f": {told}" if told else "")


@dataclass(frozen=True)
class Edit:
    """All changes from one sentence to another."""

    changes: tuple[Change, ...]

    @cached_property
    def kinds(self) -> frozenset[tuple[str, str]]:
        """The changes by place and manner alone."""
        return frozenset((change.place, change.manner) for change in self.changes)

    def likeness(self, other: Edit) -> float:
        """Return the share of kinds of change that both have; 1 if neither has any."""
        either = self.kinds | other.kinds
        return len(self.kinds & other.kinds) / len(either) if either else 1.0


@dataclass(frozen=True)
class Explained:
    """An analogy by roles; ``likeness`` is 1 if A to B and C to D have the same changes."""

    sentences: tuple[str, str, str, str]
    first: Edit
    second: Edit

    @property
    def likeness(self) -> float:
        """The likeness of the two edits, in [0, 1]."""
        return self.first.likeness(self.second)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        named = dict(zip("ABCD", self.sentences, strict=True))
        edits = {"A to B": self.first, "C to D": self.second}
        changes = {name: asdict(one)["changes"] for name, one in edits.items()}
        return named | changes | {"likeness": self.likeness}

    def __str__(self) -> str:
        lines = []
        for (start, end), own, other in (
            (self.sentences[:2], self.first, self.second),
            (self.sentences[2:], self.second, self.first),
        ):
            lines.append(f"{start} → {end}")
            for change in own.changes:
                sign = "=" if (change.place, change.manner) in other.kinds else "!"
                lines.append(f"  {sign} {change}")
            if not own.changes:
                lines.append("  no role changes")
        return "\n".join([*lines, f"likeness of the two edits: {self.likeness:.2f}"])


def edit(before: RoleStructure, after: RoleStructure) -> Edit:
    """Return the changes from one sentence to another. Predicates with the same lemma are compared,
    and the main predicates if neither has such a partner; other predicates are clauses that are
    added or removed.
    """
    pairs, lost, new = _partners(before.frames, after.frames)
    changes = [change for one, two in pairs for change in _in_frames((before, one), (after, two))]
    changes += [Change("clause", "removed", frame.predicate) for frame in lost]
    changes += [Change("clause", "added", None, frame.predicate) for frame in new]
    return Edit(tuple(changes))


def explained(sentences: tuple[str, str, str, str], nlp: Pipeline) -> Explained:
    """Explain an analogy by roles. Raises :class:`ParseError` for a sentence without roles."""
    _check(nlp)
    parsed = nlp.parse(sentences)
    for text, one in zip(sentences, parsed, strict=True):
        if not isinstance(one, RoleStructure):
            raise ParseError(f"no parse of {text!r:.80}: {one.reason}")
    a, b, c, d = (one for one in parsed if isinstance(one, RoleStructure))
    return Explained(sentences, edit(a, b), edit(c, d))


def answered(data: Analogies, nlp: Pipeline, settings: Settings) -> dict[str, dict[str, Estimate]]:
    """Return how many questions role edits answer, by group. ``role edit`` counts those where C → D
    alone is most similar to A → B, ``tied`` those with an equally similar candidate. ``answer`` is
    the share of choices that fall on D when ties are divided. The candidates are those of the
    benchmark without A, B and C. A pair with a sentence that cannot be parsed is ``missing``.
    """
    _check(nlp)
    texts = list(dict.fromkeys(text for category in data.categories for text in _texts(category)))
    parsed: dict[str, Parsed] = {}
    for chunk in in_chunks(texts, CHUNK, "parsing", settings.progress):
        parsed |= zip(chunk, nlp.parse(chunk), strict=True)
    given = []
    for category in data.categories:
        outcome, chosen = _outcomes(category, parsed, settings.progress)
        counts = {ACCURACY: outcome == RIGHT, TIES: outcome == TIED, ANSWER: chosen}
        given.append((outcome != NOT_ASKED, counts))
    return accuracies(data.categories, given, settings)


def _check(nlp: Pipeline) -> None:
    if nlp.combiner.formalism != "verbnet":
        raise InputError(
            f"roles are of a model such as 'verbnet-cn' or 'hybrid', got {nlp.spec.name!r}"
        )


def _texts(category: Category) -> Iterator[str]:
    for pair in category.pairs:
        yield from (pair.a, pair.b, *pair.distractors.values())


def _outcomes(
    category: Category, parsed: Mapping[str, Parsed], progress: bool
) -> tuple[Int8Array, Float32Array]:
    """Return the outcome of each question, and the share of the choice that fell on D, (n, n)."""
    pairs, n = category.pairs, len(category.pairs)
    structures = {text: one for text, one in parsed.items() if isinstance(one, RoleStructure)}
    whole = [pair.a in structures and pair.b in structures for pair in pairs]
    everything = list(dict.fromkeys(_texts(category)))
    ids: dict[frozenset[tuple[str, str]], int] = {}
    edits: list[Edit] = []
    index = {text: at for at, text in enumerate(everything)}

    def number(before: str, after: str) -> int:
        if before not in structures or after not in structures:
            return -1
        one = edit(structures[before], structures[after])
        if one.kinds not in ids:
            ids[one.kinds] = len(edits)
            edits.append(one)
        return ids[one.kinds]

    # By pair: its candidates, D first, and the edits from C to them.
    candidates, numbers = [], []
    for [pair] in tracked([[pair] for pair in pairs], n, category.name, progress):
        others = pair.distractors.values() if category.has_distractors else everything
        texts = list(dict.fromkeys((pair.b, *others)))
        candidates.append(np.array([index[text] for text in texts]))
        numbers.append(np.array([number(pair.a, text) for text in texts]))
    found, chosen = np.full((n, n), NOT_ASKED, np.int8), np.zeros((n, n), np.float32)
    rows: dict[int, Float64Array] = {}
    for i in range(n):
        if not whole[i]:
            continue
        own = int(numbers[i][0])
        if own not in rows:  # -1, the last: no parse
            rows[own] = np.array([*(edits[own].likeness(other) for other in edits), -1])
        known = [index[text] for text in (pairs[i].a, pairs[i].b)]
        for j in range(i + 1, n):
            if whole[j]:
                likeness = rows[own][numbers[j]]
                likeness[1:][np.isin(candidates[j][1:], [*known, index[pairs[j].a]])] = -1
                best = int((likeness == likeness.max()).sum())
                is_best = likeness[0] == likeness.max()
                found[i, j] = (RIGHT if best == 1 else TIED) if is_best else WRONG
                chosen[i, j] = is_best / best
    return found, chosen


def _partners(
    before: Sequence[Frame], after: Sequence[Frame]
) -> tuple[list[tuple[Frame, Frame]], list[Frame], list[Frame]]:
    """Return frames that are compared, in order, and those that only one side has."""
    pairs, new = [], list(after)
    lost = []
    for frame in before:
        partner = next((other for other in new if other.predicate == frame.predicate), None)
        if partner is None:
            lost.append(frame)
        else:
            new.remove(partner)
            pairs.append((frame, partner))
    if before[0] in lost and after[0] in new:
        lost.remove(before[0])
        new.remove(after[0])
        pairs.insert(0, (before[0], after[0]))
    return pairs, lost, new


def _in_frames(
    before: tuple[RoleStructure, Frame], after: tuple[RoleStructure, Frame]
) -> Iterator[Change]:
    (_, one), (_, two) = before, after
    verbs = [
        frame.fillers[Role.VERB].text if Role.VERB in frame.fillers else frame.predicate
        for frame in (one, two)
    ]
    built, other = ((each.voice, each.negated, each.modality) for each in (one, two))
    if one.predicate != two.predicate:
        yield Change("predicate", "replaced", *verbs)
    elif built == other and verbs[0].lower() != verbs[1].lower():
        yield Change("predicate", "inflected", *verbs)  # a participle only follows from the voice
    if one.voice != two.voice:
        yield Change("voice", f"{one.voice} → {two.voice}")
    if one.negated != two.negated:
        yield Change("negation", "added" if two.negated else "removed")
    if one.modality != two.modality:
        kept = "removed" if two.modality is None else "replaced"
        manner = "added" if one.modality is None else kept
        yield Change("modality", manner, one.modality, two.modality)
    yield from _in_fillers(_fillers(*before), _fillers(*after))


@dataclass(frozen=True)
class _Filled:
    """A filler's text, content words and lemmas (a pronoun has one form in all cases)."""

    text: str
    words: tuple[str, ...]
    lemmas: tuple[str, ...]


def _fillers(structure: RoleStructure, frame: Frame) -> dict[str, _Filled]:
    fillers = frame.fillers.items()
    return {str(role): _filled(structure, one) for role, one in fillers if role != Role.VERB}


def _filled(structure: RoleStructure, filler: Filler) -> _Filled:
    words = lemmas = tuple(word.lower() for word in filler.words)
    if structure.tree is not None and filler.content:
        tokens = [structure.tree[index] for index in filler.content]
        lemmas = tuple(token.lemma.lower() for token in tokens)
        forms = (token.lemma if token.pos == "PRON" else token.text for token in tokens)
        words = tuple(form.lower() for form in forms)
    return _Filled(filler.text, words, lemmas)


def _in_fillers(before: dict[str, _Filled], after: dict[str, _Filled]) -> Iterator[Change]:
    left, right = (
        {name: filled for name, filled in own.items() if _words(other, name) != filled.words}
        for own, other in ((before, after), (after, before))
    )
    for role, one in list(left.items()):
        to = [name for name, two in right.items() if name != role and two.lemmas == one.lemmas]
        if to:
            yield Change(role, f"moved to {to[0]}", one.text, right.pop(to[0]).text)
            del left[role]
    for role, one in left.items():
        if (two := right.pop(role, None)) is None:
            yield Change(role, "removed", one.text)
        else:
            yield Change(role, _manner(one, two), one.text, two.text)
    for role, two in right.items():
        yield Change(role, "added", None, two.text)


def _words(fillers: dict[str, _Filled], role: str) -> tuple[str, ...] | None:
    return fillers[role].words if role in fillers else None


def _manner(one: _Filled, two: _Filled) -> str:
    if one.lemmas == two.lemmas:
        return "inflected"
    if set(one.lemmas) < set(two.lemmas):
        return "extended"
    return "shortened" if set(one.lemmas) > set(two.lemmas) else "replaced"
