"""The values of written numbers: figures, words, fractions, ordinals.

>>> [number_value(text) for text in ("1,250.5", "twenty-five", "2.5 million", "21st", "half")]
[1250.5, 25.0, 2500000.0, 21.0, 0.5]
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from hybridsem._utils.tables import read_table, spaced
from hybridsem.structures import Token

_TABLES = read_table(__file__)
_LISTED: list[list[str]] = [words.split() for words in _TABLES["words"].values()]
_SMALL, _TENS, _SMALL_ORDINALS = _LISTED

CARDINALS = MappingProxyType(
    {word: value for value, word in enumerate(_SMALL)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
)
MULTIPLIERS: Mapping[str, int] = MappingProxyType(_TABLES["multipliers"])
ORDINALS: Mapping[str, int] = MappingProxyType(
    {word: value for value, word in enumerate(_SMALL_ORDINALS)}
    | {word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, 2)}
    | {f"{word}th": value for word, value in MULTIPLIERS.items() if word != "dozen"}
)
SUFFIXES: Mapping[str, int] = MappingProxyType(_TABLES["suffixes"])
ALONE: Mapping[str, float] = MappingProxyType(_TABLES["alone"])
RISING, FALLING = (frozenset(spaced(words)) for words in _TABLES["changes"].values())
MULTIPLES: Mapping[str, float] = MappingProxyType(_TABLES["multiples"])
"""Verbs of a change by a share, which they state in percent."""
DENOMINATORS: Mapping[str, int] = MappingProxyType(
    {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
    | {word: value for word, value in ORDINALS.items() if value > 2}
    | {f"{word}s": value for word, value in ORDINALS.items() if value > 2}
)

FIGURES = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|[+-]?\.\d+")
SUFFIXED = re.compile(rf"({FIGURES.pattern})\s*({'|'.join(SUFFIXES)})")
ORDINAL_FIGURES = re.compile(r"(\d[\d,]*)(?:st|nd|rd|th)")
DECADE = re.compile(r"['’]?(\d+0)['’]?s")
FRACTION = re.compile(r"(\d+)\s*[/⁄]\s*(\d+)")
MIXED = re.compile(r"(\d+)(?:\s+|-|\s+and\s+)(\d+[/⁄]\d+)")
ROMAN = re.compile(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})")
ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
PERCENT = re.compile(r"\s*(?:%|percent|per\s?cent)$")
AROUND = re.compile(r"^(?:[$€£¥#~]|no\.?\s)\s*|\s*[$€£¥]$")
AFTER_FIGURES = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
LONGEST = 100


@lru_cache(65_536)
def number_value(text: str) -> float | None:
    """Return the value of a number in figures or words, or None. Figures may have thousands
    separators, decimals, a sign, a currency, and "k", "m" or "bn". Words may be cardinals, ordinals
    (their rank), fractions, "a dozen", "twice". Roman numerals have at least two letters of i, v
    and x. Per cent are hundredths. A decade is its first year. None means that the text is not a
    number, or has no single value ("dozens", "5-10", "5:30").
    """
    if len(text) > LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", AFTER_FIGURES.sub(" ", text)).lower().strip()
    if len(plain) > LONGEST:
        return None
    if percent := PERCENT.search(plain):
        value = number_value(plain[: percent.start()])
        return None if value is None else value / 100
    plain = AROUND.sub("", plain)
    value = _of_figures(plain)
    return _of_words(plain.replace("-", " ").split()) if value is None else value


def _of_figures(text: str) -> float | None:
    if FIGURES.fullmatch(text):
        return float(text.replace(",", ""))
    if found := SUFFIXED.fullmatch(text):
        return float(found[1].replace(",", "")) * SUFFIXES[found[2]]
    if found := ORDINAL_FIGURES.fullmatch(text) or DECADE.fullmatch(text):
        return float(found[1].replace(",", ""))
    if (found := FRACTION.fullmatch(text)) and int(found[2]):
        return int(found[1]) / int(found[2])
    if (found := MIXED.fullmatch(text)) and (part := _of_figures(found[2])) is not None:
        return int(found[1]) + part
    return None if len(text) < 2 or (roman := roman_value(text)) is None else float(roman)


def roman_value(text: str) -> int | None:
    """Return the value of a Roman numeral of i, v and x in lower case, or None.

    >>> roman_value("xiv"), roman_value("iiv")
    (14, None)
    """
    numeral = ROMAN.fullmatch(text)
    return None if numeral is None else 10 * len(numeral[1]) + ROMAN_ONES.index(numeral[2])


def _of_words(words: list[str]) -> float | None:
    """Return the value of words: "two hundred and five", "a dozen", "two and a half"."""
    if words[:1] in (["a"], ["an"], ["the"]) and len(words) > 1:
        if words[0] != "the" and len(words) == 2 and words[1] in DENOMINATORS:  # a third
            return 1 / DENOMINATORS[words[1]]
        return _of_words(words[1:])
    if len(words) == 1 and words[0] in ALONE:
        return ALONE[words[0]]
    if words[:1] == ["half"] and len(words) > 1:  # half a million
        whole = _of_words(words[1:])
        return None if whole is None else whole / 2
    for start in range(len(words) - 2, 0, -1):  # two and a half, one and a half million
        if words[start] == "and" and words[start + 1] in ("a", "an", "one", "half"):
            ahead, rest, times = words[:start], words[start + 1 :], 1
            if rest[-1] in MULTIPLIERS and len(rest) > 1:
                times = MULTIPLIERS[rest.pop()]
            base, part = _cardinal(ahead), _of_words(rest)
            if base is None or part is None:
                return None
            return (base + part) * times if part < 1 else _cardinal([*ahead, "and", *rest])
    if len(words) > 1 and words[-1] in DENOMINATORS:
        share = _cardinal(words[:-1])
        plural = words[-1].endswith("s")
        if share is not None and (plural or share == 1):  # "twenty third" is a place
            return share / DENOMINATORS[words[-1]]
    return _cardinal(words)


def _cardinal(words: list[str]) -> float | None:
    """Return the value of a whole number in words, the last of which may be an ordinal."""
    total, group, last = 0.0, 0.0, None
    for place, word in enumerate(words):
        if word == "and":
            if not 0 < place < len(words) - 1:
                return None
            continue
        final = place == len(words) - 1
        figures = _of_figures(word) if place == 0 else None
        ordinal = ORDINALS.get(word) if final else None
        unit = CARDINALS.get(word, figures)
        if unit is None and ordinal is not None and word[:-2] not in MULTIPLIERS:
            unit = float(ordinal)
        times = MULTIPLIERS.get(word) or MULTIPLIERS.get(word[:-2] if final else "")
        if unit is not None:
            if last is not None and not _may_follow(unit, last, group):
                return None
            year = last is not None and 10 <= last < 100 and unit >= 10  # nineteen eighty
            group = group * 100 + unit if year else group + unit
            last = unit
        elif times is not None:
            if times >= 1000:
                total, group = total + (group or 1.0) * times, 0.0
            else:
                group = (group or 1.0) * times
            last = float(times)
        else:
            return None
    return total + group if last is not None else None


def _may_follow(unit: float, last: float, group: float) -> bool:
    """Test if a number below a hundred may follow another: five after twenty or hundred."""
    if last >= 100:
        return unit < last
    if last >= 20 and last % 10 == 0 and 0 < unit < 10:
        return True
    return 10 <= last < 100 and group < 100 and 10 <= unit < 100


def read_numbers(tokens: Sequence[Token], units: Container[int]) -> dict[int, float]:
    """Return the values of numbers by their tokens, without ``units``, values of another type."""
    numbers = {}
    for i, token in enumerate(tokens):
        if i not in units and token.text and (token.pos == "NUM" or token.text[0].isdigit()):
            value = number_value(token.text)
            if value is not None:
                numbers[i] = value
    return numbers
