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

from hybridsem.facts.identifier_forms import (
    DATE,
    TABLES,
    VERSION,
    WORDS,
    IdentifierKind,
    has_digit,
    normal_code,
    normal_isbn,
    normal_part,
    normal_phone,
    shape,
)
from hybridsem.facts.values import Fact, FactRelation

__all__ = ["Identifier", "IdentifierKind", "read_identifiers"]


_Kind = IdentifierKind
_GENERIC = frozenset({_Kind.CODE, _Kind.NUMBER, _Kind.FLIGHT, _Kind.SECTION, _Kind.HASH})
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
        """Return EQUAL for the same normal form, DISJOINT for another of the same scheme.

        Without a label it is less precise: "No. 12" contains "order no. 12".
        """
        kinds = {self.kind, other.kind}
        if len(kinds) > 1 and not kinds <= _GENERIC:
            return FactRelation.UNKNOWN
        if self.label and other.label and self.label != other.label:
            return FactRelation.DISJOINT
        if self.value == other.value:
            if self.label == other.label:
                return FactRelation.EQUAL
            return FactRelation.WITHIN if self.label else FactRelation.CONTAINS
        if len(kinds) > 1:
            return FactRelation.DISJOINT
        return _relation(self.kind, self.value, other.value)

    def __str__(self) -> str:
        if self.kind is _Kind.VERSION and self.label:
            return f"{self.label.capitalize()} {self.value}"
        if self.kind is _Kind.NUMBER:
            return f"{self.label} no. {self.value}".strip()
        return _WRITTEN.get(self.kind, "{0}").format(self.value, self.label)


_WRITTEN: Mapping[IdentifierKind, str] = MappingProxyType(
    {
        _Kind.VERSION: "version {0}",
        _Kind.SECTION: "{1} {0}",
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
    if kind in (_Kind.CODE, _Kind.NUMBER) and longer.startswith(f"{shorter}/"):
        return order
    if kind is _Kind.POSTCODE and longer.startswith(f"{shorter}-"):
        return order
    if kind is _Kind.FLIGHT and shorter.isdigit() and longer.lstrip(_CAPITALS) == shorter:
        return order
    if kind is _Kind.HASH and longer.startswith(shorter):
        return order
    if kind is _Kind.PHONE and longer.endswith(shorter.lstrip("+0")):
        return FactRelation.UNKNOWN
    if kind in _CASED and first.lower() == second.lower():
        return FactRelation.UNKNOWN
    return FactRelation.DISJOINT


_LABELS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        form: (group, forms.split("/")[0])
        for group, labels in TABLES["labels"].items()
        for forms in labels.split()
        for form in forms.split("/")
    }
    | {word: ("software", word) for word in WORDS["software"]}
)
"""Each form of a label with its group and its name."""
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTERS = re.compile(r"[a-z]+|§")
_CLUE = re.compile(r"[0-9@#№]|\w\.\w|/\w")
_SHAPE_CLUE = re.compile(r"[@#№/\\]|\w\.[a-zA-Z]|[a-zA-Z][-_]?\d|\d-?[A-Z]|\d[.-]\d+[.-]\d|:.*:")
_PHONE_CLUE = re.compile(r"\d[\d ().-]{5}")
_PLACE_CLUE = re.compile(r"\d[A-Za-z]? ?[A-Z0-9]|[A-Z] \d|\d-\d{4}")
_ID = r"[A-Za-z0-9]+(?:[-./_][A-Za-z0-9]+)*"
_MARK = rf"\s?(?:#|№|\b(?i:{'|'.join(sorted(WORDS['marks'], key=len, reverse=True))})\b\.?)"
_LABELLED = re.compile(
    rf"(?<![\w@./-])(?P<label>[A-Za-z]+(?:-1[03])?|§)"
    rf"(?=\.?(?P<mark>(?:{_MARK}){{0,2}}\s?[:=#]?)\s?\(?(?P<value>\+?{_ID}))"
)
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
    clue = _CLUE.search(text) is not None
    labels = not _LABELS.keys().isdisjoint(_LETTERS.findall(text.lower()))
    if not (clue or labels):
        return []
    identifiers = list(_labelled(text)) if labels else []
    if clue and _PHONE_CLUE.search(text):
        identifiers += _phones(text)
    if clue and _PLACE_CLUE.search(text):
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
    for match in _LABELLED.finditer(text):
        entry = _LABELS.get(match["label"].lower())
        if entry is None or (reader := _AFTER_LABEL.get(entry[0])) is None:
            continue
        result = reader(text, match, entry[1])
        if result is not None:
            kind, value, label, end = result
            yield Identifier(match.start(), end, kind, value, label)


_Read = tuple[IdentifierKind, str, str, int] | None
"""The kind, the value, the label and the end."""


def _after_part(text: str, match: re.Match[str], label: str) -> _Read:
    value = match["value"]
    if value == "I" and match["label"].islower():  # the pronoun
        return None
    normal = normal_part(value)
    return None if normal is None else (_Kind.SECTION, normal, label, match.end("value"))


def _after_number(text: str, match: re.Match[str], label: str) -> _Read:
    value = match["value"]
    if not has_digit(value):
        return None
    clear = match["mark"].strip() or (value.isdigit() and len(value) > 4)
    if not clear and (value.replace("-", "").isdigit() or not _is_code(value)):
        return None
    return _Kind.NUMBER, normal_code(value), label, match.end("value")


def _is_code(value: str) -> bool:
    return value[0].isalpha() or any(map(str.isupper, value))


def _after_plain(text: str, match: re.Match[str], label: str) -> _Read:
    value = match["value"]
    point = text[match.end("label")] == "." or "#" in match["mark"]
    if not has_digit(value) or (label == "no" and not point):
        return None
    return _Kind.NUMBER, normal_code(value), "", match.end("value")


def _after_version(text: str, match: re.Match[str], label: str) -> _Read:
    version = VERSION.match(text, match.start("value"))
    if version is None or ("." not in version[1] and label != "version"):
        return None
    return _Kind.VERSION, version[1].lower(), "", version.end()


def _after_software(text: str, match: re.Match[str], label: str) -> _Read:
    version = VERSION.match(text, match.start("value"))
    if version is None or ("." not in version[1] and match["label"].islower()):
        return None
    return _Kind.VERSION, version[1].lower(), label, version.end()


def _after_flight(text: str, match: re.Match[str], label: str) -> _Read:
    airline = _AIRLINE.match(text, match.start("value"))
    if airline is None:
        return None
    value = re.sub(r"[ -]", "", airline[0]).upper()
    if value.isdigit() and len(value) < 3 and not match["mark"].strip():
        return None
    return _Kind.FLIGHT, value, "", airline.end()


def _after_isbn(text: str, match: re.Match[str], label: str) -> _Read:
    digits = _ISBN.match(text, match.start("value"))
    if digits is None or (value := normal_isbn(digits[0])) is None:
        return None
    return _Kind.ISBN, value, "", digits.end()


def _after_postcode(text: str, match: re.Match[str], label: str) -> _Read:
    code = _ANY_POSTCODE.match(text, match.start("value"))
    return None if code is None else (_Kind.POSTCODE, code[0].replace(" ", ""), "", code.end())


def _after_plate(text: str, match: re.Match[str], label: str) -> _Read:
    plate = _PLATE.match(text, match.start("value"))
    if plate is None:
        return None
    return _Kind.NUMBER, re.sub("[ -]", "", plate[0]), label, plate.end()


def _after_house(text: str, match: re.Match[str], label: str) -> _Read:
    value = match["value"]
    return (_Kind.HOUSE, value.upper(), "", match.end("value")) if value[0].isdigit() else None


_AFTER_LABEL: Mapping[str, Callable[[str, re.Match[str], str], _Read]] = MappingProxyType(
    {
        "part": _after_part,
        "number": _after_number,
        "plain": _after_plain,
        "version": _after_version,
        "software": _after_software,
        "flight": _after_flight,
        "isbn": _after_isbn,
        "postcode": _after_postcode,
        "plate": _after_plate,
        "house": _after_house,
    }
)


def _phones(text: str) -> Iterator[Identifier]:
    """Read phone numbers: international, of a national form, or after "call", "phone", …"""
    for match in _PHONE.finditer(text):
        value = normal_phone(match[0])
        if value is None or DATE.fullmatch(match[0]):
            continue
        start = match.start()
        before = _LETTERS.findall(text[max(0, start - 30) : start].lower())
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
            identity = shape(piece) if piece else None
            if identity is not None:
                start += len(chunk) - len(piece)
                yield Identifier(start, start + len(piece), *identity)
                break
