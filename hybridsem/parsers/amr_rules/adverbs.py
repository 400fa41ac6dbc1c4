"""Adverbs and interjections as AMR: what they attach to, and in which role."""

from __future__ import annotations

from collections.abc import Callable

from hybridsem.parsers.amr_rules import tables
from hybridsem.parsers.amr_rules.concepts import adverb_concept
from hybridsem.parsers.amr_rules.draft import SILENT, UNKNOWN, Draft, Link
from hybridsem.parsers.amr_rules.nouns import attach_to_noun
from hybridsem.parsers.amr_rules.phrases import node_of
from hybridsem.parsers.amr_rules.prepositions import beside
from hybridsem.parsers.amr_rules.words import Words
from hybridsem.parsers.verbnet import tables as english
from hybridsem.structures import Role

__all__ = ["adverb_phrase", "attach_adverb", "interjection_phrase"]

ANSWERS = frozenset({"yes", "no", "please"})
DEGREES_OF_QUALITIES = frozenset({"too", "so", "really"})  # beside verbs they are something else
ROLES_ASKED_FOR = {"where": "location", "when": "time", "how": "manner"}
ROLES_OF_ADVERBS: dict[str, str] = {
    Role.TIME: "time",
    Role.LOCATION: "location",
    Role.TRAJECTORY: "direction",
}


def adverb_phrase(draft: Draft, i: int) -> int:
    """The node of an adverb or preposition that is a phrase of its own."""
    node = draft.new(i, adverb_concept(draft, i))
    _attach_dependents(draft, i, node)
    return node


def interjection_phrase(draft: Draft, i: int) -> int:
    """The node of an interjection that is a phrase of its own."""
    words = draft.words
    node = draft.new(i, words.lemma[i])
    if words.lower[i] in tables.DISCOURSE - ANSWERS:
        draft.graph.value(node, "mode", "expressive")
    _attach_dependents(draft, i, node)
    return node


def _attach_dependents(draft: Draft, i: int, node: int) -> None:
    for c in draft.words.children(i):
        if draft.words.base[c] not in SILENT:
            attach_to_noun(draft, Link(c, i, node))


def attach_adverb(draft: Draft, link: Link) -> None:
    """Attach an adverb to a verb, an adjective or a noun."""
    words, c = draft.words, link.word
    if draft.is_deepest or c in draft.used or words.opens(c) or words.is_negator(c):
        return
    if words.is_wh(c):
        _attach_question(draft, link)
        return
    draft.used.add(c)
    if not any(attach(draft, link) for attach in SPECIAL):
        _attach_by_role(draft, link)


def _attach_question(draft: Draft, link: Link) -> None:
    """Attach what a question asks for: a place, a time, a reason."""
    word = draft.words.lower[link.word]
    unknown = draft.graph.node(UNKNOWN)
    if word == "why":
        draft.put_cause(link.core, unknown)
        return
    role = ROLES_ASKED_FOR.get(word, "mod")
    if word == "how" and draft.words.pos(link.head) in ("ADJ", "ADV"):
        role = "degree"
    if role == "location":
        role = draft.listed_argument(link.core, "adv") or role
    draft.graph.edge(link.core, role, unknown)


# --- adverbs of special kinds: whether it is one, and attached


def _attach_next_to(draft: Draft, link: Link) -> bool:
    """``next to the lake``."""
    if not draft.words.is_next_to(link.word):
        return False
    node = beside(draft, link.word)
    if node is not None:
        role = draft.phrase_argument(link.core, "next to") or "location"
        draft.graph.edge(link.core, role, node)
    return True


def _attach_fixed(draft: Draft, link: Link) -> bool:
    """``at least``, ``no longer``."""
    words, c = draft.words, link.word
    phrase = " ".join(words.lower[t] for t in [c, *words.below(c, "fixed")])
    if phrase not in tables.FIXED_ADVERBS:
        return False
    node = draft.new(c, tables.FIXED_ADVERBS[phrase])
    draft.graph.edge(link.core, "time" if phrase == "no longer" else "mod", node)
    return True


def _attach_ago(draft: Draft, link: Link) -> bool:
    """``six years ago`` is before now, by six years."""
    words, graph, c = draft.words, draft.graph, link.word
    if words.lower[c] != "ago":
        return False
    node = draft.new(c, "before")
    graph.edge(node, "op1", graph.node("now"))
    for measure in words.below(c, "obl", "nmod", "advmod"):
        graph.edge(node, "quant", node_of(draft, measure))
    graph.edge(link.core, "time", node)
    return True


def _attach_other_word(draft: Draft, link: Link) -> bool:
    """What stands as an adverb and is none: "Monday"."""
    words, c = draft.words, link.word
    if words.pos(c) not in ("NOUN", "PROPN", "NUM", "VERB"):
        return False
    role = "time" if words.is_time(c, "") else "mod"
    draft.graph.edge(link.core, role, node_of(draft, c))
    return True


SPECIAL: tuple[Callable[[Draft, Link], bool], ...] = (
    _attach_next_to,
    _attach_fixed,
    _attach_ago,
    _attach_other_word,
)

# --- all others


def _attach_by_role(draft: Draft, link: Link) -> None:
    c, core = link.word, link.core
    node = draft.new(c, adverb_concept(draft, c))
    role = _role(draft.words, c, link.head)
    if role == "manner" and draft.is_frame(node):
        draft.graph.edge(node, "ARG1", core)
    else:
        if role in ("location", "direction"):
            role = draft.listed_argument(core, "adv") or role
        draft.graph.edge(core, role, node)
    _attach_below(draft, c, node)


def _role(words: Words, i: int, head: int) -> str:
    """The role of an adverb beside the word that it modifies."""
    word = words.lower[i]
    qualifies = words.pos(head) in ("ADJ", "ADV", "NUM", "DET") or words.base[head] == "amod"
    if word in tables.DEGREE_ADVERBS and (qualifies or word not in DEGREES_OF_QUALITIES):
        return "degree"
    if word in tables.ADVERB_ROLES:
        return tables.ADVERB_ROLES[word]
    if word.endswith("ly"):
        return "degree" if qualifies else "manner"
    if word not in english.ADVERBS:
        return "mod"
    return ROLES_OF_ADVERBS.get(english.ADVERBS[word][0], "manner")


def _attach_below(draft: Draft, i: int, node: int) -> None:
    """Attach what hangs from an adverb: another one, or a phrase."""
    words = draft.words
    for c in words.children(i):
        if words.base[c] == "advmod" and words.lower[i] != "as":
            with draft.deeper():
                attach_adverb(draft, Link(c, i, node))
        elif words.base[c] in ("obl", "nmod") and c not in draft.used:
            draft.graph.edge(node, "op1", node_of(draft, c))
            draft.used.add(c)
