"""Decides by the words around a number if it counts, is an age or a place, and what it is per."""

from __future__ import annotations

from hybridsem.english.lemmas import rule_lemma
from hybridsem.english.numbers import CARDINALS
from hybridsem.facts.quantities import Money, Quantity, Share
from hybridsem.facts.units import TIMES, UNITS
from hybridsem.facts.written_amounts import Value, read_value
from hybridsem.facts.written_numbers import WORDS, Text, has_noun

__all__ = ["counted_noun", "is_age", "is_counted", "is_place", "read_per"]

_YEARS = (1500, 2100)
_OLDEST = 130
_HOURS = 24
_RARE_HOURS = 3600
_FIRST_FREE = 4
"""The first place whose name has no other meaning: "fourth"."""
_AFTER_AGE = frozenset({"", ".", ",", ";", "!", "?", ")", "and", "but", "now", "when", "today"})
_ADVERBS = dict(entry.split("=") for entry in WORDS["adverbs"])
_APOSTROPHES = "'’"


def counted_noun(text: Text, at: int) -> str:
    """Return the lemma of the noun at a word, or ""."""
    return rule_lemma(text.words[at], "NOUN") if has_noun(text, at) else ""


def is_counted(text: Text, value: Value, start: int, end: int, bound: str) -> bool:
    """Test if a number without a unit is an amount, and not a year, a time, a label or a name."""
    before, after = text.before(start), text.words[end]
    hyphen = after == "-" and text.glued(end) and text.glued(end + 1)
    noun = (hyphen and text.words[end + 1].isalpha()) or has_noun(text, end)
    if text.glued(end) and (after[:1].isalnum() or after == "_"):
        return False
    if before in WORDS["labels"] or text.words[max(start - 2, 0) : start] == ("no", "."):
        return False
    if _is_date(text, start, end):
        return False
    if text.words[start] == "one" and value.value == 1:
        plural = after.endswith("s") and not after.endswith("ss")
        return before != "no" and noun and not hyphen and not plural
    whole = value.times == 1 and value.value == int(value.value) and not bound.startswith("at_")
    year = whole and _YEARS[0] <= value.value <= _YEARS[1] and "," not in text.words[end - 1]
    name = noun and text.text[text.starts[end]].isupper()
    several = after.endswith("s") or after == "people"
    edition = before in WORDS["determiners"] and not several
    dated = name or not noun or edition or before in WORDS["year_before"]
    if year and dated and bound in ("", "about", "range"):
        return False
    if bound or noun:
        return True
    if before.isdecimal() or after.isdecimal() or (start == 0 and after in (".", ")")):
        return bool(not start and not text.words[end + 1])
    if whole and 0 <= value.value <= _HOURS and _is_clock(text, start, end):
        return False
    place = text.starts[start] - 2
    capital = start > 0 and text.text[text.starts[start - 1]].isupper()
    joined = place >= 0 and text.text[place].isalpha() and before not in WORDS["no_noun"]
    return not (capital and joined and before not in CARDINALS)


def _is_date(text: Text, start: int, end: int) -> bool:
    """Test if a month is next to a number."""
    before, after, months = text.before(start), text.words[end], WORDS["months"]
    if before == "." and start > 1:
        before = text.words[start - 2]
    following = text.words[end + 1] if after == "of" else after
    return before in months or following in months


def _is_clock(text: Text, start: int, end: int) -> bool:
    """Test if a number without a noun is a time of day: "at five", "ten to three"."""
    before, after = text.before(start), text.words[end]
    if after == "to" and before != "from" and _is_number(text.words[end + 1]):
        return True
    if before == "to" and start > 1 and _is_number(text.words[start - 2]):
        return text.before(start - 2) != "from"
    return before in WORDS["clock_before"] or after in WORDS["clock_after"]


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in CARDINALS


def is_age(text: Text, value: Value, start: int, end: int, bound: str) -> bool:
    """Test if a number without a noun is an age: "when she was six", "Smith, 61, said"."""
    if not 0 < value.value <= _OLDEST or has_noun(text, end) or value.times != 1:
        return False
    before, after = text.before(start), text.words[end]
    if text.words[start] == "one" or value.value != int(value.value):
        return False
    if bound in ("less", "more") and before in WORDS["persons"]:
        return True
    if before in WORDS["turning"]:
        return after in _AFTER_AGE
    if before == "," and after == "," and start > 1 and not bound:
        return text.text[text.starts[start - 2]].isupper() and text.words[start - 2].isalpha()
    subject = start - 2
    if before in ("m", "s") and text.before(start - 1) in _APOSTROPHES:
        subject -= 1
    elif before not in WORDS["being"]:
        return False
    if subject < 0 or text.words[subject] not in WORDS["subjects"]:
        return False
    return after in _AFTER_AGE or text.before(subject) == "when"


def is_place(text: Text, value: Value, start: int, end: int) -> bool:
    """Test if an ordinal is a place in an order, and no part, date or adverb."""
    before, after = text.before(start), text.words[end]
    if _is_date(text, start, end):
        return False
    if text.words[start][:1].isdigit() or value.value >= _FIRST_FREE:
        return before not in ("a", "an") or text.words[start][:1].isdigit()
    if before in WORDS["determiners"] or before in WORDS["placing"]:
        return True
    if before in WORDS["being"] and after in WORDS["after_place"]:
        return True
    possessive = before == "s" and text.before(start - 1) in _APOSTROPHES
    return possessive or after in WORDS["places"]


def read_per(
    text: Text, at: int, amount: Quantity | Money | Share
) -> tuple[str, float, int] | None:
    """Return the unit or noun that an amount is per, how many of it, and the end."""
    word = text.words[at]
    if word in _ADVERBS and not (isinstance(amount, Quantity) and not amount.unit):
        return _ADVERBS[word], 1.0, at + 1
    each = text.words[at : at + 2] == ("for", "each")
    if word not in WORDS["per"] and not each:
        return None
    first = at + 1 + each
    if word == "/" and not (text.glued(at) and text.glued(first)):
        return None
    always = word in ("per", "/") or each
    count, place = 1.0, first
    if always and _is_number(text.words[first]):
        number = read_value(text, first)
        if number is None or number.kind not in ("number", "skip", "quantity"):
            return None
        count = number.value
        place = number.end if number.kind == "number" else number.end - 1
    for form, end in text.forms(place, 2):
        unit = TIMES.get(form) or TIMES.get(form.lower()) or UNITS.get(form)
        unit = unit or UNITS.get(form.lower())
        if unit and not (text.glued(end) and text.words[end][:1].isalnum()):
            often = unit.dimension == "calendar" or unit.size >= _RARE_HOURS
            recurrence = isinstance(amount, Quantity) and amount.of == "time" and often
            ago = not always and text.words[end] in WORDS["not_rates"]
            return None if recurrence or ago else (unit.name, count, end)
    noun = counted_noun(text, place)
    if noun and (always or (isinstance(amount, Money) and word in ("a", "an"))):
        return noun, count, place + 1
    return (noun, count, place) if count != 1 and always else None
