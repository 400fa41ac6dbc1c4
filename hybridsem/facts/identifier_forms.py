"""The written forms of identifiers, and the normal form of each: only spelling that never matters
is left out.

>>> shape("Ann@Example.com"), shape("XPS-13")
((<IdentifierKind.EMAIL: 'e-mail'>, 'Ann@example.com'), (<IdentifierKind.CODE: 'code'>, 'XPS13'))
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from hybridsem._utils.tables import read_table, word_sets
from hybridsem.english.numbers import number_value, roman_value


class IdentifierKind(StrEnum):
    """The scheme that an identifier belongs to."""

    VERSION = "version"
    EMAIL = "e-mail"
    URL = "URL"
    IP = "IP address"
    PHONE = "phone number"
    FLIGHT = "flight"
    NUMBER = "number"
    """Of an order, an invoice, a ticket, a case, …"""
    SECTION = "section"
    """A part or a place by number: chapter, page, room, gate, …"""
    POSTCODE = "postcode"
    HOUSE = "house number"
    ISBN = "ISBN"
    HASH = "hash"
    """A UUID or a hexadecimal digest."""
    HANDLE = "handle"
    HASHTAG = "hashtag"
    FILE = "file"
    CODE = "code"


TABLES = read_table(__file__)
WORDS: Mapping[str, frozenset[str]] = word_sets(TABLES["words"])
VERSION = re.compile(
    r"v?\.?(\d+(?:\.\d+)*(?:[-+._]?(?:alpha|beta|rc|dev|post|snapshot|final|build|sp|lts|[abp])"
    r"[-.]?\d*)?)(?![a-z0-9])",
    re.I,
)
"""A version, with or without "v"."""
DATE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:T.*)?|\d{1,2}[-./]\d{1,2}[-./]\d{4}"
    r"|\d{1,2}[-/]\d{1,2}[-/]\d{2}|\d{1,2}\.(?:0?\d|1[0-2])\.\d{2}"
)
"""A date in figures, which is no identifier."""
_URL = re.compile(r"(?:(?P<scheme>[a-z]{2,8})://)?(?P<host>[^\s/?#@]+)(?P<rest>[/?#].*)?", re.I)
_HOST = re.compile(r"(?:[\w-]+\.)+(?P<top>[a-z]{2,})(?::\d+)?", re.I)
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,7})(?::\d+)*$")
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
_LETTER_FIRST = re.compile(r"(?P<letters>[A-Za-z]{1,10})[-_]?\d[\w./-]*")
_TIMES = re.compile(r"\d+[xX]\d+")
_SEPARATOR = re.compile(r"(?<=[A-Z])[-_ ](?=\d)|(?<=\d)[-_ ](?=[A-Z])")
_INITIALS = re.compile(r"(?:[A-Z]\.)+[A-Z]")
_PARENTHESIS = re.compile(r"\)?\(")
_NOT_DIGITS = re.compile(r"[^\d+]")


# --- normal forms


def normal_phone(text: str) -> str | None:
    """Return the digits of a phone number, after "+" where it is international."""
    main, _, extension = text.lower().partition("x")
    digits = _NOT_DIGITS.sub("", main.replace("(0)", ""))
    digits = f"+{digits[2:]}" if digits.startswith("00") else digits
    own = re.sub(r"\D", "", extension)
    return digits + (f"x{own}" if own else "") if 7 <= len(digits.lstrip("+")) <= 15 else None


def normal_isbn(text: str) -> str | None:
    """Return the thirteen digits of an ISBN of ten or thirteen."""
    digits = re.sub(r"[\s-]", "", text).upper()
    if len(digits) == 10 and digits[:9].isdigit():
        base = f"978{digits[:9]}"
        total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(base))
        return f"{base}{-total % 10}"
    return digits if len(digits) == 13 and digits.isdigit() else None


def normal_code(text: str) -> str:
    """Return a code in capitals, without hyphens between letters and digits."""
    return _SEPARATOR.sub("", text.upper())


def normal_part(text: str) -> str | None:
    """Return the normal form of a number of a section: figures, a letter or a Roman numeral; that
    of "12(b)" is "12.B".
    """
    text = _PARENTHESIS.sub(".", text).rstrip(")")
    if text[0].isdigit():
        return text.upper()
    if text.isupper() and (roman := roman_value(text.lower())) is not None:
        return str(roman)
    if text.lower() in WORDS["numerals"]:
        return f"{number_value(text):.0f}"
    capital = len(text) == 1 and text.isupper()
    return text if capital else normal_code(text) if has_digit(text) and len(text) <= 12 else None


def _url(text: str) -> str | None:
    """Return host and path, without scheme and ``www.``; the host in lower case."""
    match = _URL.fullmatch(text)
    if match is None:
        return None
    host = match["host"].lower().removeprefix("www.")
    known = _HOST.fullmatch(host)
    marked = match["scheme"] or (known and host != match["host"].lower())
    if not marked and not (known and known["top"] in WORDS["domains"]):
        return None
    return host + (match["rest"] or "").rstrip("/")


def has_digit(text: str) -> bool:
    """Test if a text has a digit."""
    return any(map(str.isdigit, text))


def _ip(text: str) -> str | None:
    address, colon, port = text, "", ""
    if "." in text:
        address, colon, port = text.partition(":")
    try:
        interface = ipaddress.ip_interface(address)
    except ValueError:
        return None
    return str(interface if "/" in address else interface.ip) + colon + port


def _file(text: str) -> str | None:
    ending = _ENDING.search(text)
    if _INITIALS.fullmatch(text):  # "U.S.C"
        return None
    return text if ending is None or ending[1].lower() in WORDS["files"] else None


def _bare_version(text: str) -> str | None:
    match = VERSION.fullmatch(text)
    return None if match is None or _THOUSANDS.fullmatch(text) else match[1].lower()


def _mixed(text: str) -> str | None:
    """Return the normal form of a code of letters and digits, unless it is a unit or a number."""
    lower = text.lower()
    letters = _LETTER_FIRST.fullmatch(lower)
    if lower in WORDS["not_codes"] or _TIMES.fullmatch(text):
        return None
    if letters and letters["letters"] in WORDS["prefixes"]:
        return None
    return normal_code(text)


LONGEST = 256
"""The most characters of an identifier."""
_NORMAL: Mapping[str, Callable[[str], str | None]] = {
    "as is": str,
    "lower": str.lower,
    "upper": str.upper,
    "e-mail": lambda text: text[: text.rindex("@")] + text[text.rindex("@") :].lower(),
    "numbered": lambda text: normal_code(text[1:]) if has_digit(text) else None,
    "URL": _url,
    "IP": _ip,
    "file": _file,
    "version": _bare_version,
    "mixed": _mixed,
}
_SHAPES = [
    (IdentifierKind[kind], re.compile(pattern), _NORMAL[normal])
    for kind, normal, pattern in TABLES["shapes"]["rows"]
]
"""Forms of a piece without blanks, in order, each with its normal form; None: another form."""


def shape(piece: str) -> tuple[IdentifierKind, str] | None:
    """Return the kind and the value of an identifier that needs no label, or None."""
    if len(piece) > LONGEST or DATE.fullmatch(piece):
        return None
    for kind, pattern, normalise in _SHAPES:
        if pattern.fullmatch(piece) and (value := normalise(piece)) is not None:
            return kind, value
    return None
