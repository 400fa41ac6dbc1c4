"""Which function builds or attaches what: by part of speech, and by relation."""

from __future__ import annotations

from collections.abc import Mapping

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.adjuncts import attach_oblique
from hybridsem.parsers.amr_rules.adverbs import adverb_phrase, attach_adverb, interjection_phrase
from hybridsem.parsers.amr_rules.clauses import clause
from hybridsem.parsers.amr_rules.complements import (
    attach_addressee,
    attach_adverbial_clause,
    attach_clausal_complement,
    attach_object,
    attach_open_complement,
    attach_other,
    attach_stray_subject,
)
from hybridsem.parsers.amr_rules.draft import Attach, Draft, Grammar, Link
from hybridsem.parsers.amr_rules.nouns import (
    attach_apposition,
    attach_aside,
    attach_compound,
    attach_count,
    attach_determiner,
    attach_flat,
    attach_interjection,
    attach_modifier,
    attach_possessor,
    noun_phrase,
)
from hybridsem.parsers.amr_rules.prepositions import attach_phrase_to_noun
from hybridsem.parsers.amr_rules.qualities import attach_quality, quality
from hybridsem.parsers.amr_rules.relatives import attach_modifying_clause

__all__ = ["GRAMMAR"]


def _build(draft: Draft, i: int) -> int:
    """The node of a phrase without what is coordinated with it, by its kind."""
    words = draft.words
    pos = words.pos(i)
    if words.is_predicate(i) or (pos == "AUX" and words.lemma[i] in ("be", "do", "have")):
        return clause(draft, i)
    if pos == "ADJ" and words.lower[i] not in tables.PRONOUNS:
        return quality(draft, i, None)
    if pos in ("ADV", "ADP", "SCONJ") and not words.is_wh(i):
        return adverb_phrase(draft, i)
    if pos == "INTJ":
        return interjection_phrase(draft, i)
    return noun_phrase(draft, i)


def _ignore(draft: Draft, link: Link) -> None:
    """Leave out what adds nothing, or what the sentence attaches."""


# "dep" stands for every relation that the table does not have.
BESIDE_NOUNS: Mapping[str, Attach] = {
    "acl": attach_modifying_clause,
    "advmod": attach_adverb,
    "amod": attach_quality,
    "appos": attach_apposition,
    "compound": attach_compound,
    "dep": attach_modifier,
    "det": attach_determiner,
    "discourse": attach_interjection,
    "flat": attach_flat,
    "nmod": attach_phrase_to_noun,
    "nmod:poss": attach_possessor,
    "nummod": attach_count,
    "obl": attach_phrase_to_noun,
    "parataxis": attach_aside,
    "reparandum": attach_aside,
    "vocative": attach_aside,
}
BESIDE_PREDICATES: Mapping[str, Attach] = {
    "acl": attach_modifying_clause,
    "advcl": attach_adverbial_clause,
    "advmod": attach_adverb,
    "ccomp": attach_clausal_complement,
    "csubj": attach_stray_subject,
    "dep": attach_other,
    "discourse": attach_interjection,
    "iobj": attach_object,
    "list": _ignore,
    "nmod": attach_oblique,
    "nsubj": attach_stray_subject,
    "nummod": attach_oblique,
    "obj": attach_object,
    "obl": attach_oblique,
    "parataxis": _ignore,
    "reparandum": _ignore,
    "vocative": attach_addressee,
    "xcomp": attach_open_complement,
}
GRAMMAR = Grammar(_build, BESIDE_NOUNS, BESIDE_PREDICATES)
