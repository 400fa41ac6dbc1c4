"""Edits of what a sentence says of its verb: denied, doubted, due, tried, done again."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.corpora.inflection import inflected
from benchmarks.corpora.relations import negated, passive
from hybridsem._utils.tables import read_table
from hybridsem.english.negation import CONTRACTED
from hybridsem.english.signatures import Complement, signature
from models.pairs.base import Base

__all__ = [
    "Made",
    "again",
    "aspects",
    "denied",
    "framed",
    "implied",
    "moods",
    "nearly",
    "opened",
    "reporting",
]

Made = tuple[str, str, str]
"""A kind and two sentences."""

_TABLES = read_table(__file__)
_SHORT = {f" {verb} not ": f" {short} " for short, verb in CONTRACTED.items() if verb != "need"}
_SIGNS = {"+": "entails", "-": "contradicts", "o": "differs"}
_DRAWN = 2
"""How many of the words that would fit are taken for a sentence."""


def denied(base: Base) -> Iterator[Made]:
    """ "He left" and "He did not leave", "It is not true that he left"."""
    not_so = denial(base)
    if not_so is None:
        return
    yield "negation", base.text, not_so
    inner = not_so[0] + not_so[1:] if base.body[0].isupper() else not_so[0].lower() + not_so[1:]
    (untrue,) = base.draw(_TABLES["frames"]["untrue"])
    (true,) = base.draw(_TABLES["frames"]["true"])
    yield "untrue", base.text, f"{untrue} {base.body}."
    yield "true", base.text, base.draw([f"{untrue} {inner}", f"{true} {base.body}."])[0]
    if (other := passive(base)) is not None and base.tree[base.predicate].pos == "VERB":
        for be in ("was", "were", "is", "are"):
            if f" {be} " in other.text and base.first == base.predicate:
                yield "passive-denied", base.text, other.text.replace(f" {be} ", f" {be} not ", 1)
                break


def denial(base: Base) -> str | None:
    """The sentence with "not", contracted or not; None if it might not contradict the sentence."""
    if not base.is_sure or (made := negated(base)) is None:
        return None
    text = made.text
    short = next((one for one in _SHORT if one in text), None)
    if short is not None and base.random.random() < 0.5:
        return text.replace(short, _SHORT[short], 1)
    return text


def framed(base: Base) -> Iterator[Made]:
    """ "She knows that he left": he did. "She thinks that he left": perhaps."""
    if not (base.is_affirmed and base.is_tight):
        return
    for verb in base.draw(_TABLES["that"]["verbs"].split(), _DRAWN):
        who = base.draw(_TABLES["that"]["people"])[0]
        not_so = bool(base.random.random() < 0.3)
        if not_so and verb in _TABLES["that"]["affirmed"].split():
            continue
        known = signature(verb, Complement.THAT) or "oo"
        if base.is_past:
            said = f"did not {verb}" if not_so else inflected(verb, "VBD")
        else:
            said = f"does not {verb}" if not_so else inflected(verb, "VBZ")
        label = _SIGNS[known[not_so]]
        yield f"embedded-{label}", f"{who} {said} that {base.body}.", base.text
    for frame in base.draw(_TABLES["that"]["doubtful"]):
        yield "embedded-differs", f"{frame} {base.body}.", base.text


def reporting(base: Base) -> Iterator[Made]:
    """What the sentence itself reports: "He noticed that she left", "He said that she left"."""
    from benchmarks.corpora.relations import reported

    known = signature(base.lemma[base.predicate], Complement.THAT)
    if base.is_affirmed and known in ("++", "oo") and (made := reported(base)) is not None:
        if base.lower[base.subject] in ("i", "we") and known == "oo":
            return
        yield f"reported-{_SIGNS[known[0]]}", base.text, made.text


def implied(base: Base) -> Iterator[Made]:
    """ "He managed to leave", "He failed to leave", "He wanted to leave" beside "He left"."""
    if not (base.acts and base.is_sure):
        return
    verb, lemma = base.predicate, base.lemma[base.predicate]
    options = [(word, False) for word in _TABLES["to"]["affirmed"].split()]
    options += [(word, True) for word in _TABLES["to"]["denied"].split()]
    for word, not_so in base.draw(options, 4):
        known = signature(word, Complement.TO)
        if known is None:
            continue
        words = ("did", "not", word) if not_so else (str(inflected(word, "VBD")),)
        made = base.edited({verb: (*words, "to", lemma)})
        yield f"implied-{_SIGNS[known[not_so]]}", made, base.text


def moods(base: Base) -> Iterator[Made]:
    """ "He should have left", "He will leave" beside "He left"."""
    if not base.is_sure or base.has_time:
        return
    if base.is_plain_verb and base.tense in ("VBD", "VBZ"):
        at, past = base.predicate, base.is_past
        done, do = base.form("VBN"), base.lemma[base.predicate]
    elif len(base.auxiliaries) == 1 and base.lower[base.first] in ("was", "were", "is", "are"):
        at, past, done, do = base.first, base.is_past, "been", "be"
        if base.tree[base.predicate].pos == "VERB" and base.form("VBN") != base.lower[
            base.predicate
        ]:
            return
    else:
        return
    yield "future", base.text, base.edited({at: ("will", do)})
    if past:
        be = base.be("VBD")
        options = [("should", "have", done), (be, "supposed", "to", do), (be, "about", "to", do)]
    else:
        options = [("should", do), (base.be("VBZ"), "supposed", "to", do), ("used", "to", do)]
    yield "mood", base.text, base.edited({at: base.draw(options)[0]})


def nearly(base: Base) -> Iterator[Made]:
    """ "He almost left": he did not."""
    if base.acts and base.is_sure and not base.has_time:
        word = base.draw(_TABLES["nearly"]["words"].split())[0]
        yield "almost", base.edited({base.predicate: (word, base.predicate)}), base.text


def opened(base: Base) -> Iterator[Made]:
    """ "In fact, he left", "Allegedly, he left"."""
    if base.is_affirmed and base.is_tight:
        for kind, openers in _TABLES["openers"].items():
            yield f"opener-{kind}", f"{base.draw(openers)[0]} {base.body}.", base.text


def again(base: Base) -> Iterator[Made]:
    """ "He left again": he left, and had left before."""
    if not (base.acts and base.is_sure) or base.has_time or "again" in base.lower:
        return
    made = f"{base.text[:-1]} again."
    had = base.edited({base.predicate: ("had", base.form("VBN"))})
    other = base.draw([base.text, f"{had[:-1]} before."])[0]
    yield "again", made, other


def aspects(base: Base) -> Iterator[Made]:
    """ "He stopped singing", "He is still singing" beside "He is singing"."""
    verb, doing = base.predicate, base.lower[base.predicate]
    lasting = base.is_sure and len(base.auxiliaries) == 1 and doing.endswith("ing")
    if not lasting or base.lemma[base.first] != "be" or base.has_time or verb != base.first + 1:
        return
    if base.lemma[verb] in _TABLES["lasting"]["not"].split():
        return
    first, third = base.first, not (base.is_many or base.lower[base.subject] in ("i", "you", "we"))
    keep = "kept" if base.is_past else "keeps" if third else "keep"
    yield "still", base.edited({first: (first, "still")}), base.text
    yield "still", base.edited({first: (keep,)}), base.text
    stopped = ("had" if base.is_past else base.have(), "stopped")
    yield "stopped", base.edited({first: stopped}), base.text
    yield "stopped", base.edited({first: (first, "no", "longer")}), base.text
    was = base.edited({first: ("had", "been") if base.is_past else (base.have(), "been")})
    yield "presupposed", base.edited({first: stopped}), was
    yield "presupposed", base.edited({first: (*stopped[:1], "not", "stopped")}), was
