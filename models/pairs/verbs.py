"""Edits of what a sentence says of its verb: denied, doubted, due, tried, done again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.corpora.inflection import inflected
from benchmarks.corpora.relations import negated, passive, reported
from hybridsem._utils.tables import read_table
from hybridsem.english.lexicon import lexicon
from hybridsem.english.negation import CONTRACTED
from hybridsem.english.signatures import Complement, signature
from models.pairs.base import Base
from models.pairs.frames import SIGNS, Made

__all__ = ["again", "aspects", "denied", "implied", "moods", "nearly", "reporting"]


CONCRETE = 0.8
"""The share of a noun's senses that are things or persons."""
SENSES = ("see", "hear", "feel", "watch")
"""Behind these a clause without "that" need not be one: "saw her leave"."""
_TABLES = read_table(__file__)
_SHORT = {f" {verb} not ": f" {short} " for short, verb in CONTRACTED.items() if short != "ain't"}
"""Contractions, which are those that ``perturbations`` takes a "not" from."""


def denied(base: Base) -> Iterator[Made]:
    """As in "He left" and "He did not leave", "It is not true that he did not leave"."""
    not_so = denial(base)
    if not_so is None:
        return
    yield "negation", base.text, not_so
    inner = not_so if base.body[0].isupper() else not_so[0].lower() + not_so[1:]
    yield "twice-denied", base.text, f"{base.draw(_TABLES['untrue']['frames'])[0]} {inner}"
    things = [c for c in base.of(base.predicate, "obj") if base.is_definite(c)]
    other = passive(base) if base.is_plain_verb and things else None
    group = rf" (was|were|is|are) ((?:\w+ )?{base.form('VBN')} )"
    if other is not None and re.search(group, other.text):
        yield "passive-denied", base.text, re.sub(group, r" \1 not \2", other.text, count=1)


def denial(base: Base) -> str | None:
    """The sentence with "not", contracted or not; None if it might not contradict the sentence."""
    if not base.is_sure or (made := negated(base)) is None:
        return None
    text = made.text
    short = next((one for one in _SHORT if one in text), None)
    if short is not None and base.random.random() < 0.5:
        return text.replace(short, _SHORT[short], 1)
    return text


def reporting(base: Base) -> Iterator[Made]:
    """What the sentence itself reports: "He noticed that she left", "He said that she left"."""
    known = signature(base.lemma[base.predicate], Complement.THAT)
    if base.is_affirmed and known in ("++", "oo") and (made := reported(base)) is not None:
        mine = base.lower[base.subject] in ("i", "we") and known == "oo"
        if mine or (base.lemma[base.predicate] in SENSES and "that" not in base.lower):
            return
        yield f"reported-{SIGNS[known[0]]}", base.text, made.text


def implied(base: Base) -> Iterator[Made]:
    """As in "He managed to leave", "He failed to leave", "He wanted to leave" beside "He left"."""
    if not (base.acts and base.is_sure):
        return
    verb, lemma = base.predicate, base.lemma[base.predicate]
    words = {False: _TABLES["to"]["affirmed"], True: _TABLES["to"]["denied"]}
    options = [(word, not_so) for not_so, some in words.items() for word in some.split()]
    for word, not_so in base.draw(options, 4):
        known = signature(word, Complement.TO)
        if known is None:
            continue
        words = ("did", "not", word) if not_so else (str(inflected(word, "VBD")),)
        made = base.edited({verb: (*words, "to", lemma)})
        yield f"implied-{SIGNS[known[not_so]]}", made, base.text


def moods(base: Base) -> Iterator[Made]:
    """As in "He should have left", "He will leave" beside "He left"."""
    if not base.is_sure or base.has_time or base.is_open:
        return
    if base.is_plain_verb and base.tense in ("VBD", "VBZ"):
        at, past = base.predicate, base.is_past
        done, do = base.form("VBN"), base.lemma[base.predicate]
    elif len(base.auxiliaries) == 1 and base.lower[base.first] in ("was", "were", "is", "are"):
        at, past, done, do = base.first, base.is_past, "been", "be"
        if base.is_verb and base.form("VBN") != base.lower[base.predicate]:
            return
    else:
        return
    yield "future", base.text, base.edited({at: ("will", do)})
    be = base.be("VBD" if past else "VBZ") if base.tense != "VBZ" else "is"
    be = base.lower[at] if at != base.predicate else be
    options = [("should", "have", done) if past else ("should", do), (be, "supposed", "to", do)]
    if past and base.is_plain_verb:
        options.append((be, "about", "to", do))
    yield "mood", base.text, base.edited({at: base.draw(options)[0]})


def nearly(base: Base) -> Iterator[Made]:
    """As in "He almost left": he did not."""
    if base.acts and base.is_sure and not base.has_time:
        word = base.draw(_TABLES["nearly"]["words"].split())[0]
        yield "almost", base.edited({base.predicate: (word, base.predicate)}), base.text


def again(base: Base) -> Iterator[Made]:
    """As in "He left again": he left, and had left before."""
    if not (base.acts and base.is_sure) or base.has_time or "again" in base.lower:
        return
    made = f"{base.text[:-1]} again."
    had = base.edited({base.predicate: ("had", base.form("VBN"))})
    other = base.draw([base.text, f"{had[:-1]} before."])[0]
    yield "again", made, other


def aspects(base: Base) -> Iterator[Made]:
    """As in "He stopped singing", "He is still singing" beside "He is singing"."""
    verb, doing = base.predicate, base.lower[base.predicate]
    lasting = base.is_sure and len(base.auxiliaries) == 1 and doing.endswith("ing")
    if not (lasting and base.is_verb) or base.is_open or base.has_time:
        return
    if base.lemma[base.first] != "be" or verb != base.first + 1 or not _may_last(base):
        return
    if base.lemma[verb] in _TABLES["lasting"]["not"].split():
        return
    first, third = base.first, not (base.many or base.lower[base.subject] in ("i", "you", "we"))
    keep = "kept" if base.is_past else "keeps" if third else "keep"
    yield "still", base.edited({first: (first, "still")}), base.text
    yield "still", base.edited({first: (keep,)}), base.text
    stopped = ("had" if base.is_past else base.have(), "stopped")
    yield "stopped", base.edited({first: stopped}), base.text
    yield "stopped", base.edited({first: (first, "no", "longer")}), base.text
    was = base.edited({first: ("had", "been") if base.is_past else (base.have(), "been")})
    yield "presupposed", base.edited({first: stopped}), was
    yield "presupposed", base.edited({first: (*stopped[:1], "not", "stopped")}), was


def _may_last(base: Base) -> bool:
    """Test if the subject does something: "the plan is winning" says what the plan is."""
    subject = base.tree[base.subject]
    thing = lexicon().concreteness(base.lemma[base.subject]) or 0
    return subject.pos in ("PRON", "PROPN") or thing > CONCRETE
