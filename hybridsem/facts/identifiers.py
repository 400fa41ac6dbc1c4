"""Identifiers: versions, addresses of the net, phone, flight and order numbers, sections, codes.

    "order #1234"     NUMBER   label "order"   value "1234"
    "Python 3.10"     VERSION  label "python"  value "3.10"
    "Section 4.2"     SECTION  label "section" value "4.2"
    "(555) 123-4567"  PHONE                    value "5551234567"

An identifier is what it is written as: one changed digit is another identifier. Only spelling that
never matters is normalised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hybridsem.facts import identifier_forms as forms
from hybridsem.facts.clues import clue_words
from hybridsem.facts.identifier_forms import DATE, VERSION, WORDS, IdentifierKind, has_digit
from hybridsem.facts.values import Fact, FactRelation
from hybridsem.facts.written_numbers import WORDS as NUMBER_WORDS

__all__ = ["Identifier", "IdentifierKind", "read_identifiers"]

_Kind = IdentifierKind
NO_NOUN = NUMBER_WORDS["no_noun"]
_GENERIC = frozenset(
    {_Kind.CODE, _Kind.NUMBER, _Kind.FLIGHT, _Kind.SECTION, _Kind.HASH, _Kind.POSTCODE}
)
"""Kinds that may be written without their label."""
_DOTTED = frozenset({_Kind.VERSION, _Kind.SECTION})
_CASED = frozenset({_Kind.EMAIL, _Kind.URL, _Kind.FILE})


@dataclass(frozen=True, slots=True)
class Identifier(Fact):
    """An identifier: its ``kind``, its ``value`` in normal form, and its ``label``, if any.

    >>> first, second = read_identifiers("Order #1234 runs on Python 3.10.")
    >>> str(first), first.kind, str(second)
    ('order no. 1234', <IdentifierKind.NUMBER: 'number'>, 'Python 3.10')
    >>> second.relation_to(read_identifiers("Python 3.1")[0])
    <FactRelation.DISJOINT: 'disjoint'>
    """

    kind: IdentifierKind
    value: str
    label: str = ""

    def relation_to(self, other: Identifier) -> FactRelation:
        """Return EQUAL for the same normal form, DISJOINT for another of the same scheme. Without a
        label it is less precise: "No. 12" contains "order no. 12", but "TX-70" is "model TX-70".
        """
        kinds = {self.kind, other.kind}
        if len(kinds) > 1 and not kinds <= _GENERIC:
            return FactRelation.UNKNOWN
        if self.label and other.label and self.label != other.label:
            return FactRelation.DISJOINT
        if self.value == other.value:
            if self.label == other.label or _Kind.CODE in kinds:
                return FactRelation.EQUAL
            return FactRelation.WITHIN if self.label else FactRelation.CONTAINS
        if len(kinds) > 1:
            return FactRelation.DISJOINT
        return _relation(self.kind, self.value, other.value)

    def __str__(self) -> str:
        if self.kind is _Kind.VERSION and self.label:
            return f"{self.label.capitalize()} {self.value}"
        return _WRITTEN.get(self.kind, "{0}").format(self.value, self.label).strip()


_WRITTEN: Mapping[IdentifierKind, str] = MappingProxyType(
    {
        _Kind.VERSION: "version {0}",
        _Kind.SECTION: "{1} {0}",
        _Kind.NUMBER: "{1} no. {0}",
        _Kind.FLIGHT: "flight {0}",
        _Kind.PHONE: "phone {0}",
        _Kind.POSTCODE: "postcode {0}",
        _Kind.HOUSE: "house {0}",
        _Kind.ISBN: "ISBN {0}",
        _Kind.URL: "https://{0}",
    }
)
"""The value and the label, in a form that is read again."""


def _relation(kind: IdentifierKind, first: str, second: str) -> FactRelation:
    """Return the relation of two different values of one kind."""
    shorter, longer = sorted((first, second), key=len)
    order = FactRelation.CONTAINS if shorter is first else FactRelation.WITHIN
    if kind in _DOTTED and longer.startswith(f"{shorter}."):
        zeros = not longer[len(shorter) :].strip(".0")
        return FactRelation.UNKNOWN if zeros and kind is _Kind.VERSION else order
    if kind is _Kind.FLIGHT and shorter.isdigit() and longer.lstrip(_CAPITALS) == shorter:
        return order
    if kind in _CONTINUED and longer.startswith(shorter + _CONTINUED[kind]):
        return order
    if kind is _Kind.PHONE and longer.endswith(shorter.lstrip("+0")):
        return FactRelation.UNKNOWN
    if kind in _CASED and first.lower() == second.lower():
        return FactRelation.UNKNOWN
    return FactRelation.DISJOINT


_CONTINUED = MappingProxyType(
    {_Kind.CODE: "/", _Kind.NUMBER: "/", _Kind.POSTCODE: "-", _Kind.HASH: ""}
)
"""What continues a shorter value of the same thing."""
_LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        form: (group, spellings.split("/")[0].replace("_", " "))
        for group, labels in forms.TABLES["labels"].items()
        for spellings in labels.split()
        for form in spellings.split("/")
    }
)
"""Each form of a label with its group and its name."""
_STARTS = frozenset(re.split("[^a-z§]", form)[0] for form in _LABELS)
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CLUES = frozenset(form for form, (group, _) in _LABELS.items() if group == "part")
"""Labels whose number may have no figure."""
_CLUE = re.compile(r"[0-9@#№./](?:(?<=[0-9@#№])|(?<=\w\.)\w|(?<=/)\w)")
_PART_CLUE = re.compile(r"(?<=\W)(?:[A-Z]|[IVX]+)(?!\w)|\([A-Za-z]")
_SHAPE_CLUE = re.compile(
    r"[@#№/\\.:\d](?:(?<=[@#№/\\])|(?<=\w\.)[a-zA-Z]|(?<=[a-zA-Z]\d)|(?<=[a-zA-Z][-_]\d)"
    r"|(?<=\d)(?:-?[A-Z]|[.-]\d+[.-]\d)|(?<=:).*:)"
)
_PHONE_CLUE = re.compile(r"\d[\d ().-]{5}")
_POST_CLUE = re.compile(r"\d(?:(?<=[A-Z]\d)|\d{4})")
_STREETS = frozenset(map(str.lower, WORDS["streets"]))
_ID = r"[A-Za-z0-9]+(?:[-./_][A-Za-z0-9]+)*"
_MARK = rf"\s?(?:#|№|\b(?i:{'|'.join(sorted(WORDS['marks'], key=len, reverse=True))})\b\.?)"
_LABEL_START = re.compile(r"(?<![\w@./-])(?:[A-Za-z]+|§)")
_GAPS = re.compile(r"[. ]+")
_LONG = sorted((form for form in _LABELS if not form.isalpha()), key=len, reverse=True)
_LABELLED = re.compile(
    rf"(?<![\w@./-])(?P<label>(?i:{'|'.join(_LONG).replace('_', '(?:[.] ?| )')})(?![A-Za-z])"
    rf"|[A-Za-z]+(?![A-Za-z]))"
    rf"(?=\.?(?P<mark>(?:{_MARK}){{0,2}}(?:(?P<verb> is\b)(?:{_MARK})?)?\s?[:=#]?)\s?\(?"
    rf"(?P<value>\+?{_ID}))"
)
_NUMBER_RANGE = re.compile(r"(\d{1,5})(?: to | through |\s?[-–]\s?)(\d{1,5})(?![\w.,]\w|\w|[-–/])")
_NOUN_AHEAD = re.compile(rf" (?!(?:{'|'.join(sorted(NO_NOUN))})\b)[a-z]")
_AIRLINE = re.compile(r"(?:[A-Z]{2,3}|[A-Z]\d|\d[A-Z])?[ -]?\d{1,4}[A-Z]?\b")
_ISBN = re.compile(r"(?:\d[ -]?){9,12}[\dXx]")
_PHONE = re.compile(
    r"(?<![\w.+/-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{2,12}(?:[ .-]\d{2,8}){0,5}"
    r"(?:,? ?(?:ext\.?|x) ?\d{1,6})?(?![\w/@:-])"
)
_NATIONAL = re.compile(
    r"(?:\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}([ .-])\d{3}\1\d{4}|1-\d{3}-\d{3}-\d{4})(?!\d)"
)
_POSTCODE = r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d|\d{5}-\d{4}"
_ANY_POSTCODE = re.compile(rf"(?:{_POSTCODE.replace(' ', ' ?')}|\d{{4,6}})(?![\w-])")
_PLATE = re.compile(r"(?=[A-Z -]{0,4}\d)[A-Z0-9]{1,4}(?:[ -]?[A-Z0-9]{1,4}){0,2}(?![\w-])")
_MIXED = re.compile(r"(?=\D*\d)(?:[A-Z][\w-]*|\d+-[\w-]+|\d+[A-Z](?:[^\W\d]*\d\w*)?)")
"""A code that needs no label next to it: "LH455", "55-2041", "14C"."""
_NAMING = frozenset({"number", "postcode", "flight", "plate", "isbn"})
"""Groups of labels that "is" may join to the number."""
_PLACES = re.compile(
    rf"(?<![\w-])(?:(?P<post>{_POSTCODE}|(?<=[A-Z]{{2}} )\d{{5}})(?![\w-])"
    r"|(?<![Ii]n )(?<![Ss]ince )(?P<house>\d{1,5}[A-Za-z]?)(?= (?:[A-Z0-9][\w.'’]{0,20} ){1,4}"
    rf"(?:{'|'.join(sorted(WORDS['streets']))})\b"
    r" ?(?:$|[^ \w]|[A-Z]|(?:and|at|by|for|in|is|near|on|to|was)\b)))"
)
_CHUNK = re.compile(
    r"[a-z]{2,8}://[^\s<>\"'“”]+|[\w-]+(?:\.[\w-]+)+[/?][^\s<>\"'“”]*"
    r"|[^\s<>\"'“”‘’()\[\]{},;|=]+"
)


# --- reading


def read_identifiers(text: str) -> list[Identifier]:
    """Return the identifiers in a text, left to right.

    >>> [str(each) for each in read_identifiers("Call (555) 123-4567 or write to Ann@Example.com.")]
    ['phone 5551234567', 'Ann@example.com']
    """
    words, clue = clue_words(text), _CLUE.search(text) is not None
    part = not CLUES.isdisjoint(words) and (
        _PART_CLUE.search(text) or not WORDS["numerals"].isdisjoint(words)
    )
    if not (clue or part):
        return []
    identifiers = [] if _STARTS.isdisjoint(words) else list(_labelled(text))
    if clue and _PHONE_CLUE.search(text):
        identifiers += _phones(text)
    if clue and (_POST_CLUE.search(text) or not _STREETS.isdisjoint(words)):
        identifiers += _addresses(text)
    if clue and _SHAPE_CLUE.search(text):
        identifiers += _shapes(text)
    identifiers.sort(key=lambda each: (each.start, -each.end))
    kept: list[Identifier] = []
    for identifier in identifiers:
        if not kept or identifier.start >= kept[-1].end:
            kept.append(identifier)
    return kept


def _labelled(text: str) -> Iterator[Identifier]:
    """Read the numbers after a label: "order #1234", "Section 4.2", "Python 3.10"."""
    places = [word.start() for word in _LABEL_START.finditer(text) if word[0].lower() in _STARTS]
    for match in filter(None, (_LABELLED.match(text, place) for place in places)):
        group, label = _LABELS.get(_GAPS.sub("_", match["label"].lower()), ("", ""))
        if group not in _AFTER_LABEL:
            continue
        kind, pattern, normal, has_label = _AFTER_LABEL[group]
        number = pattern.match(text, match.start("value"))
        written = number[number.lastindex or 0] if number else ""
        several = _NUMBER_RANGE.match(text, match.start("value"))
        several = several if match["label"][-1] in "sS" and group in ("part", "number") else None
        if several and (match["mark"].strip() or not _NOUN_AHEAD.match(text, several.end())):
            numbers = f"{several[1]}-{several[2]}"  # "seats 1 to 4"
            yield Identifier(match.start(), several.end(), kind, numbers, label)
            continue
        if number is not None and _belongs(group, label, match, written):
            enclosed = text[number.start() - 1] == "("  # "paragraph (b)"
            value = normal(written.upper() if enclosed else written)
            named = match["verb"] and match.start("mark") == match.start("verb")
            start = match.end("verb") + 1 if named else match.start("mark" if match["verb"] else 0)
            start += text[start] == " "
            if value is not None:
                end = number.end() + (enclosed and text[number.end() : number.end() + 1] == ")")
                yield Identifier(start, end, kind, value, label if has_label else "")


def _belongs(group: str, label: str, match: re.Match[str], value: str) -> bool:
    """Test if what follows a label is its number."""
    mark, is_lower = match["mark"].strip(), match["label"].islower()
    if match["label"].lower() in WORDS["pointed"] and match.string[match.end("label")] != ".":
        return False
    if match["verb"]:  # "your seat is 14C"
        mixed = _MIXED.fullmatch(value.replace(" ", "")) is not None
        return group in _NAMING and (mixed or _is_long(match, value))
    if group == "part":
        between = match.string[match.end("label") : match.start("value")]
        enclosed = "(" in between and label not in WORDS["enclosed"]  # Act (5 U.S.C.
        return not (enclosed or (value == "I" and is_lower))  # the pronoun
    if group in ("version", "software"):
        return "." in value or (label == "version" if group == "version" else not is_lower)
    if group == "flight":
        return bool(mark) or not value.isdigit() or len(value) > 2
    if group == "house":
        return value[0].isdigit()
    if group == "plain":
        point = match.string[match.end("label")] == "." or "#" in mark
        return has_digit(value) and (label != "no" or point)
    if group == "number" and not mark and not _is_long(match, value):
        code = value[0].isalpha() or any(map(str.isupper, value))
        return has_digit(value) and code and not value.replace("-", "").isdigit()
    return group != "number" or has_digit(value)


def _is_long(match: re.Match[str], value: str) -> bool:
    """Test if figures are too long for a year or a number of things."""
    end = match.end("value")
    few = len(value) < 4 or (len(value) == 4 and (value[:2] in ("19", "20") or value[-2:] == "00"))
    return value.isdigit() and not few and not _NOUN_AHEAD.match(match.string, end)


def _joined(text: str) -> str:
    return re.sub("[ -]", "", text)


_VALUE = re.compile(rf"\+?{_ID}")
_PART = re.compile(
    rf"(?:[A-Z] \d{{1,4}}(?!\w| [a-z])|{_ID})"
    rf"(?:\)?\((?:[A-Za-z]{{1,2}}|[ivx]{{1,4}}|\d{{1,3}})\))*"
)
_AFTER_LABEL: Mapping[
    str, tuple[IdentifierKind, re.Pattern[str], Callable[[str], str | None], bool]
] = MappingProxyType(
    {
        "part": (_Kind.SECTION, _PART, forms.normal_part, True),
        "number": (_Kind.NUMBER, _VALUE, forms.normal_code, True),
        "plain": (_Kind.NUMBER, _VALUE, forms.normal_code, False),
        "version": (_Kind.VERSION, VERSION, str.lower, False),
        "software": (_Kind.VERSION, VERSION, str.lower, True),
        "flight": (_Kind.FLIGHT, _AIRLINE, lambda text: _joined(text).upper(), False),
        "isbn": (_Kind.ISBN, _ISBN, forms.normal_isbn, False),
        "postcode": (_Kind.POSTCODE, _ANY_POSTCODE, lambda text: text.replace(" ", ""), False),
        "plate": (_Kind.NUMBER, _PLATE, _joined, True),
        "house": (_Kind.HOUSE, _VALUE, str.upper, False),
    }
)
"""By the group of a label: kind, form and normal form of the number, and if it has the label."""


def _phones(text: str) -> Iterator[Identifier]:
    """Read phone numbers: international, of a national form, or after "call", "phone", …"""
    for match in _PHONE.finditer(text):
        value = forms.normal_phone(match[0])
        if value is None or DATE.fullmatch(match[0]):
            continue
        start = match.start()
        before = clue_words(text[max(0, start - 30) : start])
        labels = [word for word in before[-4:] if _LABELS.get(word, ("", ""))[0] == "phone"]
        grouped = match[0][0] == "0" and not match[0].isdigit() and len(value) > 8
        if labels or match[0][0] == "+" or grouped or _NATIONAL.match(match[0]):
            yield Identifier(start, match.end(), _Kind.PHONE, value)


def _addresses(text: str) -> Iterator[Identifier]:
    """Read postcodes and the numbers of houses."""
    for match in _PLACES.finditer(text):
        kind = _Kind.POSTCODE if match["post"] else _Kind.HOUSE
        yield Identifier(match.start(), match.end(), kind, match[0].upper().replace(" ", ""))


def _shapes(text: str) -> Iterator[Identifier]:
    """Read what has a form of its own: "ann@example.com", "v2.7.2", "XPS-13"."""
    for match in _CHUNK.finditer(text):
        chunk = match[0].rstrip(".,:;!?…*_~`-)")
        if not _SHAPE_CLUE.search(chunk):
            continue
        start = match.start()
        for piece in (chunk, chunk.partition(":")[2]):
            identity = forms.shape(piece) if piece else None
            if identity is not None:
                start += len(chunk) - len(piece)
                yield Identifier(start, start + len(piece), *identity)
                break
