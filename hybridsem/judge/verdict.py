"""The labels that a derivation proves, and the network's probabilities in its light.

proven       the label of the join of the edits; none if a relation of theirs is open
decided      the join is sure: its label is at least as probable as such joins were right
impossible   never "same" where one sentence denies or excludes the other, or says more; never
             "contradicts" where nothing excludes
tempered     softened or sharpened by kind of evidence, as it was on pairs not learned from
unsure       nothing is proven, the network finds another label more probable, or labels of that
             probability and evidence were right too seldom
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from hybridsem._typing import Float64Array
from hybridsem._utils.exact import exp, log
from hybridsem.combiners.hybrid import Compared
from hybridsem.comparison.edits import ROLES, SURE, Edit, Evidence, Kind
from hybridsem.comparison.function_words import opposed_pictures
from hybridsem.comparison.logic import ALT, COV, EQ, FWD, IND, NEG, REV
from hybridsem.english.lexicon import POS, LexicalRelation
from hybridsem.english.questions import has_tag
from hybridsem.english.signatures import RAISING
from hybridsem.judge.bounds import limited
from hybridsem.judge.containment import Containment
from hybridsem.judge.derivation import EXCLUDING, OTHER_NAME, Derivation
from hybridsem.judge.labels import COUNTERPARTS, DIFFERS, LABELS, SAME, Label
from hybridsem.judge.relations import opposition
from hybridsem.judge.rules import relations

DECISIVE = MappingProxyType(
    {
        EQ: Label.SAME,
        FWD: Label.ENTAILS,
        REV: Label.ENTAILED,
        NEG: Label.CONTRADICTS,
        ALT: Label.CONTRADICTS,
    }
)
"""The label of each decisive join."""
AGAINST = frozenset({Evidence.OPPOSITION, Evidence.SCOPE, Evidence.NUMBER})
"""The evidence of kinds by which sentences may exclude each other."""
UNASSERTED = frozenset({Kind.SIGNATURE, Kind.MODAL, Kind.MARKER})
"""Edits by which one sentence leaves open, or makes conditional, what the other asserts."""
MEANING = UNASSERTED | {Kind.DENIAL, Kind.QUANTIFIER, Kind.VALUE, Kind.MOVED}
"""Clear edits of these kinds make two meanings different."""
OVERRIDING = frozenset({Kind.SIGNATURE, Kind.HEAD})
"""Kinds of clear edits by which sentences differ, whatever else does, if nothing follows."""
INDEPENDENT = UNASSERTED | OVERRIDING | {*ROLES, Kind.MODIFIER, Kind.ADDED, Kind.QUESTION}
"""Kinds of clear edits by which sentences differ if nothing else does, and nothing follows."""
KINDS = ("open", "structure", "unknown", "coordination", "word", "modifier", "logic", "none")
"""Kinds of evidence, the least clear first."""
_EVIDENCE = {
    Kind.UNKNOWN: "unknown",
    Kind.SIBLING: "unknown",
    Kind.HEAD: "structure",
    Kind.MOVED: "structure",
    Kind.MARKER: "structure",
    Kind.CONJUNCT: "coordination",
    Kind.DISJUNCT: "coordination",
    Kind.WORD: "word",
    Kind.ADDED: "modifier",
    Kind.ARTICLE: "none",
}
UNKNOWN = frozenset({Kind.UNKNOWN, Kind.SIBLING})
"""Kinds of edits without a relation that anything knows."""
OPEN_RULES = frozenset({"overlapping values", "other markers", "other root"})
"""The rules of edits from which anything may follow."""
OPEN_KINDS = frozenset({Kind.PREPOSITION, Kind.PREPOSITION_OPPOSED, Kind.CONNECTIVE})
OPEN_KINDS |= {Kind.FUNCTION_WORD, Kind.COORDINATION}
"""Kinds of charged edits with which nothing is the same."""
CLEAR = 0.8
"""The confidence from which an edit decides by itself."""
OTHER_REFERENT, OTHER_EVENT = "other referent", "other event"
"""The rules of edits that would exclude each other if they described the same thing: within what
names the thing, or elsewhere (``reference.py``).
"""
EXCLUDED = 0.9
"""The least probability of ``contradicts`` where words that exclude each other describe the same
things (58 of 60 development pairs of ``plain-english``), and of ``differs`` where they name others.
"""
VOICE = "voice"
"""The rule of words that one sentence has elsewhere because it is passive, which is no evidence."""
OTHER_SUBJECT = 0.6
"""The least probability of ``differs`` where only the names of subjects are other ones: chosen by
reading development pairs, not counted.
"""
RELIABLE = MappingProxyType({"logic": 0.9})
"""The least share of clear joins that are right, by kind of evidence. The network has learned the
other kinds; it has hardly seen verbs with a signature or modal verbs.
"""
MISLEADING = frozenset(
    name
    for name, row in relations().items()
    if row.precision is not None and row.precision < 1 / 2 and (row.support or 0) >= 20
)
"""The rules that were wrong more often than right, with which nothing surely follows. What excludes
is left to the reading: as measured, two sentences may be about two things.
"""
BALANCED = 0.5
"""The least share of joins with balanced opposites, or with an adverb that asserts less, if no
other evidence decides.
"""
CONTAINED = 0.58
"""The least probability of a proven ``differs`` if one sentence has no content word of its own: of
236 such pairs of 14 sets held back, .61 have that label. A pair reader hardly reads who does what
there.
"""
LEAST: Mapping[str, float] = MappingProxyType(
    {Containment.ASSERTED: 0.95, Containment.OPEN: 0.7, Containment.OTHER: 0.78}
)
"""The same if it is clear how one sentence contains the other. Of 23 pairs of SICK train and of
``plain-english`` (development) with another argument, 18 have the label ``differs``; of 23 of all
development sets with an open clause, .70.
"""
DOUBTFUL = 0.79
"""The probability from which one without a proof is halved on its way to 1, so that it stays below
.9. Of 543 development pairs of ``plain-english`` with an unproven label of .9, 432 are wrong.
"""
FOLLOWING: tuple[Label, ...] = (Label.SAME, Label.ENTAILS, Label.ENTAILED)
STRICT = frozenset({Label.ENTAILS, Label.ENTAILED})
"""Labels of sentences of which one says more."""
UNPROVEN = 0.5
"""The highest probability of ``same`` without a proof. Of 61 such pairs of ``plain-english`` (part
"choose") that the network labels ``same``, 18 are.
"""
DOUBTED = 1 / 4
"""The share that labels of entailment keep if an edit distinguishes the sentences. Of 46 such
development pairs of PAWS-Wiki, SugarCrepe++ and the minimal pairs that the network labels ``same``,
12 are.
"""
UNLIKE_NAMES = 0.4
"""The confidence from which a replaced name distinguishes. Of 355 pairs of STSb train that have one
and are rated 4.8 or more, or below 3, 34 say the same.
"""
SYNONYMOUS = 0.9
"""The least probability of ``same`` if equivalent phrases are the only difference."""
UNCHANGED = 0.95
"""The least probability of ``same`` if nothing is charged, and all edits are of articles or of
function words: of 235 such pairs held back of 13 sets, .97 have it, and of 351 of facts .99.
"""
LEFT = 1 / 16
"""The share that a label keeps if a logical word, or a missing assertion, is evidence against it.
"""
PRECISIONS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""The precisions with a stored threshold."""


def evidence_of(derived: Derivation | None) -> str:
    """Return the kind of evidence for a pair: the kind of the least clear edit. Words that surely
    mean the same ("came out" with two analyses) are none.
    """
    if derived is None:
        return "open"
    same = Kind.WORD, EQ, 1.0
    evidence = {
        "logic"
        if edit.kind is Kind.ADDED and edit.relation is ALT  # "nearly"
        else _EVIDENCE.get(edit.kind, "structure" if edit.kind.displaces else "logic")
        for edit in derived.edits
        if (edit.kind, edit.relation, edit.confidence) != same
    }
    return next((kind for kind in KINDS if kind in evidence), "none")


def excludes(compared: Compared, derived: Derivation | None, opposed: float) -> bool:
    """Test if any edit, or words that are :func:`opposed_alone`, make the sentences exclude each
    other, or may do so.
    """
    edits = () if derived is None else derived.edits
    return (
        opposed > 0
        or any(edit.relation in EXCLUDING or edit.kind is Kind.SIBLING for edit in edits)
        or any(edit.kind.contradicts or edit.kind.evidence in AGAINST for edit in compared.edits)
    )


class Rule(NamedTuple):
    """The effect of a derivation on probabilities: each label keeps the share ``left``, and the
    proven label, numbered ``label`` (-1: none), has at least the probability ``least``; ``kind`` is
    the place of the evidence in :data:`KINDS`.
    """

    left: tuple[float, ...]
    label: int = -1
    least: float = 0.0
    kind: int = 0

    @property
    def row(self) -> tuple[float, ...]:
        """The numbers of the rule."""
        return (*self.left, self.label, self.least, self.kind)

    @classmethod
    def of_row(cls, row: Sequence[float]) -> Rule:
        """Return the rule with this :attr:`row`."""
        *left, label, least, kind = row
        return cls(tuple(left), int(label), least, int(kind))

    @property
    def inverted(self) -> Rule:
        """The rule with the sentences in the other order."""
        left = tuple(self.left[place] for place in COUNTERPARTS)
        return self._replace(left=left, label=COUNTERPARTS[self.label] if self.label >= 0 else -1)


NO_RULE = Rule((1.0,) * len(LABELS))


def opposed_alone(compared: Compared) -> float:
    """Return the strength of opposites among the words without a partner, 0 if there are none. They
    have different parts of speech, so they are not partners ("is open", "is closed").
    """
    words1, words2 = compared.words1, compared.words2
    taken1, taken2 = ({one[at] for one in compared.aligned} for at in (0, 1))
    alone1, alone2 = (
        [token for i, token in enumerate(side.words) if i not in taken]
        for side, taken in ((words1, taken1), (words2, taken2))
    )
    strongest = 0.0
    for token1, token2 in product(alone1, alone2):
        tags = {words1.tags[token1], words2.tags[token2]}
        if len(tags) == 2 and tags <= POS.keys():
            both1 = words1.lemmas[token1], words1.forms[token1]
            both2 = words2.lemmas[token2], words2.forms[token2]
            strongest = max(strongest, opposition(both1, both2, tags))
    return strongest


def rule_of(compared: Compared, derived: Derivation | None, opposed: float) -> Rule:
    """Return the rule for a pair, from its comparison, its derivation in the same order if it has
    trees, and its :func:`opposed_alone`.
    """
    left: dict[Label, float] = dict.fromkeys(LABELS, 1.0)
    if not excludes(compared, derived, opposed):
        left[Label.CONTRADICTS] = 0.0
    if any(edit.kind.distinguishes and edit.confidence > SURE for edit in compared.edits):
        left |= dict.fromkeys(FOLLOWING, DOUBTED)
    if compared.words1.question != compared.words2.question:
        left |= dict.fromkeys((*FOLLOWING, Label.CONTRADICTS), LEFT)
    if opposed_pictures(compared.words1, compared.words2) is not None:
        left |= dict.fromkeys(FOLLOWING, LEFT)
    kind, label, least = evidence_of(derived), None, 0.0
    if derived is not None:
        label = proven(compared, derived)
        if label is Label.CONTRADICTS and compared.words1.question and compared.words2.question:
            stating = any(has_tag(side.tree.text) for side in derived.sides)
            label = label if stating else Label.DIFFERS
        spoken = [edit for edit in derived.edits if edit.rule != VOICE]
        clear = evidence_of(replace(derived, edits=tuple(spoken)))
        least = _least(derived, label, clear if label is Label.CONTRADICTS else kind)
        rules = {edit.rule for edit in derived.edits}
        if label is Label.DIFFERS and not least and _contained(compared):
            least = max((LEAST.get(rule, CONTAINED) for rule in rules), default=CONTAINED)
        elif label in STRICT and Containment.ASSERTED in rules:
            least = max(least, LEAST[Containment.ASSERTED])
        if not compared.edits and derived.relation is EQ and compared.units:
            known = (unit.confidence for unit in compared.units.values())
            label, least = Label.SAME, min(SYNONYMOUS, *known)
        elif not compared.edits and label is Label.SAME and kind == "none":
            least = UNCHANGED
        _lower(left, derived)
    at = -1 if label is None else LABELS.index(label)
    return Rule(tuple(left.values()), at, least, KINDS.index(kind))


def _lower(left: dict[Label, float], derived: Derivation) -> None:
    """Lower the shares of the labels against which the edits of a derivation are evidence."""

    def keep(label: Label, share: float) -> None:
        left[label] = min(left[label], share)

    holds = DECISIVE.get(derived.relation)
    moved = any(edit.kind is Kind.MOVED or edit.kind.displaces for edit in derived.edits)
    if sum(_denies(edit, moved) for edit in derived.edits) % 2:
        for label in FOLLOWING:
            if label is not holds:
                keep(label, 0.0 if label is Label.SAME else LEFT)
    retracting = [edit for edit in derived.edits if _retracts(edit, derived)]
    against = [edit for edit in derived.edits if _against(edit, moved)]
    if (against or retracting) and holds is not Label.SAME:
        keep(Label.SAME, LEFT)
    elif any(_renames(edit, derived) for edit in derived.edits):
        keep(Label.SAME, DOUBTED)
    unasserted = {edit.projected for edit in against if edit.kind in UNASSERTED}
    unasserted |= {edit.projected for edit in retracting}
    for label, relation in ((Label.ENTAILS, FWD), (Label.ENTAILED, REV)):
        if unasserted - {relation} and holds is not label:
            keep(label, LEFT)
    if any(
        edit.kind is Kind.SIGNATURE and edit.relation is IND and edit.confidence >= CLEAR
        for edit in derived.edits
    ):  # A verb leaves open what the other sentence asserts or denies.
        keep(Label.CONTRADICTS, LEFT)


def ruled(probabilities: Float64Array, rule: Rule) -> Float64Array:
    """Return the probabilities of the labels, (labels,), after applying a rule."""
    found: Float64Array = probabilities * np.array(rule.left)
    # fsum: the order of the labels, which exchanged sentences exchange, changes no last bit.
    found[DIFFERS] += math.fsum(probabilities - found)
    proof = LABELS[rule.label] if rule.label >= 0 else None
    if proof in STRICT:
        found[rule.label] += found[SAME]
        found[SAME] = 0.0
    if proof is not Label.SAME:
        found = limited(found, {SAME: (0.0, UNPROVEN)})
    if proof is not None:
        found = limited(found, {rule.label: (rule.least, 1.0)})
    best = int(found.argmax())
    if best != rule.label and found[best] > DOUBTFUL:
        found = limited(found, {best: (0.0, (float(found[best]) + DOUBTFUL) / 2)})
    return found


def _denies(edit: Edit, moved: bool) -> bool:
    """Test if two sentences with this edit cannot mean the same. If words ``moved``,
    opposites may be converses ("older than").
    """
    clear = edit.relation in EXCLUDING and edit.confidence >= 0.7
    return clear and (edit.kind is not Kind.WORD or not moved)


def _renames(edit: Edit, derived: Derivation) -> bool:
    """Test if an edit replaces a name with one that is not nearly alike."""
    if edit.kind not in (Kind.UNKNOWN, Kind.SIBLING) or edit.confidence < UNLIKE_NAMES:
        return False
    return all(side.tags[at] == "PROPN" for side, at in derived.first_words(edit))


def _against(edit: Edit, moved: bool) -> bool:
    known = edit.kind in MEANING and (not moved or edit.kind is Kind.MOVED)
    return known and edit.projected is not EQ and edit.confidence >= CLEAR


def _retracts(edit: Edit, derived: Derivation) -> bool:
    """Test if an edit is an adverb by which one sentence asserts less: "almost", "perhaps"; or a
    phrase in which a word of both has another role: "the dog that bit *the man* left".
    """
    if edit.confidence < CLEAR:
        return False
    if edit.kind is Kind.HEAD:
        return edit.relation is IND
    side = 0 if edit.before.tokens else 1
    tokens, more = edit.sides[side].tokens, (FWD, REV)[side]
    adverb = edit.kind is Kind.ADDED and [derived.sides[side].tags[at] for at in tokens] == ["ADV"]
    return adverb and edit.relation != more


def proven(compared: Compared, derived: Derivation) -> Label | None:
    """Return the label of the join of the edits, None if one of them is open."""
    edits = derived.edits
    if any(edit.kind in UNKNOWN or edit.rule in OPEN_RULES for edit in edits) or _apart(derived):
        return None
    sure = [edit for edit in edits if edit.confidence >= SURE]
    if independent := {edit for edit in sure if edit.projected is IND}:
        clear = all(_is_apart(e) and e.confidence >= CLEAR for e in independent)
        others = {e for e in sure if e.projected is not EQ} - independent
        alone = not others or all(e.kind in OVERRIDING for e in independent)
        return Label.DIFFERS if clear and alone else None
    if len(sure) < len(edits):
        return None
    if derived.relation is COV:
        return Label.DIFFERS
    label = DECISIVE.get(derived.relation)
    if label is Label.CONTRADICTS and not _is_of_one_event(derived):
        return None
    charged = (edit.kind in OPEN_KINDS and edit.confidence >= SURE for edit in compared.edits)
    return None if label is Label.SAME and any(charged) else label


def _is_of_one_event(derived: Derivation) -> bool:
    """Test if words that exclude each other describe one event: no modal verb or signature
    changes what is asserted, and no pronoun, and nothing compared, has another place.
    """
    alternatives = [e for e in derived.edits if e.relation is e.projected is ALT]
    if not any(edit.kind not in UNASSERTED for edit in alternatives):
        return True
    first = derived.sides[0]
    compares = "than" in first.forms and all(edit.kind is Kind.WORD for edit in alternatives)
    subjects = (form for form, bare in zip(first.forms, first.bare, strict=True) if bare == "nsubj")
    if compares and any(first.forms.count(form) > 1 for form in subjects):
        return False  # "this road is wider than that road"
    return not any(
        (edit.kind in UNASSERTED and edit.projected in (FWD, REV))
        or (edit.kind is Kind.MOVED and (compares or first.tags[edit.before.tokens[0]] == "PRON"))
        for edit in derived.edits
    )


def _is_apart(edit: Edit) -> bool:
    """Test if nothing follows from an edit by its kind, or as it describes another thing: another
    value in a context where both may hold is one.
    """
    value = edit.kind is Kind.VALUE and edit.relation is ALT
    return value or edit.kind in INDEPENDENT or edit.rule in (OTHER_REFERENT, OTHER_EVENT)


def _apart(derived: Derivation) -> bool:
    """Test if each sentence negates something else, so that no negation makes up for another; "I
    don't think that it rains" negates what "I think that it does not rain" does.
    """
    denied = [
        {
            side.keys[words.anchor]
            for edit in derived.edits
            if edit.rule == "negated" and (words := edit.sides[place]).anchor is not None
        }
        for place, side in enumerate(derived.sides)
    ]
    return all(denied) and RAISING.isdisjoint(denied[0] | denied[1])


def _least(derived: Derivation, label: Label | None, kind: str) -> float:
    """Return the least probability of a proven label: that of such joins if all edits are clear,
    opposites are balanced or an adverb asserts less, else 0.
    """
    if label in FOLLOWING and not MISLEADING.isdisjoint(edit.rule for edit in derived.edits):
        return 0.0
    if label in DECISIVE.values() and kind in RELIABLE and derived.confidence >= SURE:
        return RELIABLE[kind]
    if label is Label.CONTRADICTS and all(
        edit.confidence >= SURE and edit.projected not in (NEG, COV) and edit.rule != OTHER_NAME
        for edit in derived.edits
    ):
        return EXCLUDED
    if label is Label.DIFFERS:
        others = {edit.kind for edit in derived.edits if edit.rule == OTHER_REFERENT}
        if others:
            return OTHER_SUBJECT if others == {Kind.VALUE} else EXCLUDED
    balanced = label in FOLLOWING and any(
        edit.is_balanced or _retracts(edit, derived) for edit in derived.edits
    )
    return BALANCED if balanced else 0.0


def _contained(compared: Compared) -> bool:
    """Test if the other sentence has all content words of one."""
    same = [one for one in compared.aligned if one.relation is LexicalRelation.SAME]
    sides = {one.first for one in same}, {one.second for one in same}
    both = compared.words1.words, compared.words2.words
    return any(len(taken) == len(words) for taken, words in zip(sides, both, strict=True))


def tempered(probabilities: Float64Array, temperature: float) -> Float64Array:
    """Return probabilities, (labels,), to the power of 1 / temperature."""
    if temperature == 1:
        return probabilities
    raised = exp(log(np.maximum(probabilities, 1e-12)) / temperature)
    return np.asarray(raised / math.fsum(raised), float)
