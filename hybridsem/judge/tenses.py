"""The time of a clause: past, present or future, as its verb and auxiliaries show it."""

from __future__ import annotations

from types import MappingProxyType

from hybridsem._utils.tables import by_word, read_table, word_sets
from hybridsem.judge.contexts import LogicalSentence

_TIMES = MappingProxyType(by_word(read_table(__file__)["auxiliaries"]))
_UNMARKED = word_sets(read_table(__file__)["words"])["unmarked"]
AUXILIARY = ("aux", "cop")
"""The relations of the auxiliaries and the copula of a word."""


def time_of(side: LogicalSentence, at: int) -> str:
    """Return "past", "present" or "future" for the predicate of a clause; "" if it shows none."""
    marks = side.children(at, *AUXILIARY)
    form, lemma = side.forms[at], side.tree[at].lemma.lower()
    if marks:
        waiting = len(marks) > 1 and at in side.participles  # "has been waiting" still is
        waiting |= side.modal(marks[0]) == "would"  # "would have waited" is no time
        known = (side.forms[marks[0]], side.keys[marks[0]])  # "'d" is "had" or "would"
        return "" if waiting else next((_TIMES[word] for word in known if word in _TIMES), "")
    if lemma == "be":
        return _TIMES.get(form, "")
    finite = side.tags[at] == "VERB" and bool(side.children(at, "nsubj"))
    if not finite or at in side.participles or (form == lemma and form in _UNMARKED):
        return ""
    return "present" if form == lemma or form.endswith("s") else "past"
