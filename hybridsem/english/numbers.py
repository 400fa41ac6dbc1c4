"""The values of numbers as they are written: figures, words, fractions, ordinals.

>>> [number_value(text) for text in ("1,250.5", "twenty-five", "2.5 million", "21st", "half")]
[1250.5, 25.0, 2500000.0, 21.0, 0.5]
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from types import MappingProxyType


def _listed(words: str) -> list[str]:
    return words.split()


_SMALL = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = _listed("twenty thirty forty fifty sixty seventy eighty ninety")
_SMALL_ORDINALS = _listed(
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)

CARDINALS = MappingProxyType(
    {word: value for value, word in enumerate(_SMALL)}
    | {word: 10 * value for value, word in enumerate(_TENS, 2)}
)
MULTIPLIERS = MappingProxyType(
    {
        "dozen": 12,
        "hundred": 100,
        "thousand": 1000,
        "million": 10**6,
        "billion": 10**9,
        "trillion": 10**12,
    }
)
ORDINALS = MappingProxyType(
    {word: value for value, word in enumerate(_SMALL_ORDINALS)}
    | {word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, 2)}
    | {f"{word}th": value for word, value in MULTIPLIERS.items() if word != "dozen"}
)

_MEASURES = {
    "metre": "metre/meter/m 1, millimetre/millimeter/mm 0.001, centimetre/centimeter/cm 0.01, "
    "kilometre/kilometer/km 1000, inch 0.0254, foot/ft 0.3048, yard 0.9144, mile 1609.344",
    "gram": "gram/gramme/g 1, milligram/mg 0.001, kilogram/kilo/kg 1000, tonne 1000000, "
    "ounce/oz 28.349523125, pound/lb 453.59237",
    "second": "second/sec 1, minute/min 60, hour/hr 3600, day 86400, week 604800, "
    "fortnight 1209600",
    "year": "year/yr 1, decade 10, century 100, millennium 1000",
    "litre": "litre/liter/l 1, millilitre/milliliter/ml 0.001, centilitre/centiliter/cl 0.01",
}
UNITS = MappingProxyType(
    {
        name: (base, float(unit.split()[1]))
        for base, units in _MEASURES.items()
        for unit in units.split(", ")
        for name in unit.split()[0].split("/")
    }
)
"""Units of measure, each as its base and how much of it: "km" as ("metre", 1000)."""

SUFFIXES = MappingProxyType(
    {
        "k": 1000, "m": 10**6, "mn": 10**6, "mln": 10**6, "mil": 10**6, "b": 10**9, "bn": 10**9,
        "bln": 10**9, "tn": 10**12,
    }
)  # fmt: skip
"""What may stand right after figures: "5k"."""
ALONE = MappingProxyType(
    {
        "nil": 0.0, "nought": 0.0, "naught": 0.0, "null": 0.0,
        "single": 1.0, "once": 1.0,
        "pair": 2.0, "couple": 2.0, "twice": 2.0, "double": 2.0, "twofold": 2.0,
        "thrice": 3.0, "triple": 3.0, "trio": 3.0, "threefold": 3.0,
        "quadruple": 4.0, "quarter": 0.25, "half": 0.5,
    }
)  # fmt: skip
"""Other words that say how many, or how many times."""
DENOMINATORS = MappingProxyType(
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
ROMAN = re.compile(r"(?=[ivx]{2})(x{0,3})(ix|iv|v?i{0,3})")
ROMAN_ONES = MappingProxyType(
    {"": 0, "i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9}
)
PERCENT = re.compile(r"\s*(?:%|percent|per\s?cent)$")
AROUND = re.compile(r"^(?:[$€£¥#~]|no\.?\s)\s*|\s*[$€£¥]$")
AFTER_FIGURES = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
LONGEST = 100


@lru_cache(65_536)
def number_value(text: str) -> float | None:
    """The value of a number in figures or words.

    Figures may have separators of thousands, decimals, a sign, a currency, and "k", "m" or "bn";
    words may be cardinals, ordinals (their place), fractions, "a dozen", "twice"; Roman numerals
    have at least two letters of i, v and x. Per cent are hundredths. A decade is its first year.
    Returns None where the text is no number or names no single value ("dozens", "5-10", "5:30").
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
    if found := ORDINAL_FIGURES.fullmatch(text):
        return float(found[1].replace(",", ""))
    if found := DECADE.fullmatch(text):
        return float(found[1])
    if (found := FRACTION.fullmatch(text)) and int(found[2]):
        return int(found[1]) / int(found[2])
    if (found := MIXED.fullmatch(text)) and (part := _of_figures(found[2])) is not None:
        return int(found[1]) + part
    if found := ROMAN.fullmatch(text):
        return float(10 * len(found[1]) + ROMAN_ONES[found[2]])
    return None


def _of_words(words: list[str]) -> float | None:
    """The value of words: "two hundred and five", "a dozen", "two and a half", "two thirds"."""
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
            return _with_fraction(words[:start], words[start + 1 :])
    if len(words) > 1 and words[-1] in DENOMINATORS:
        share = _cardinal(words[:-1])
        plural = words[-1].endswith("s")
        if share is not None and (plural or share == 1):  # "twenty third" is a place
            return share / DENOMINATORS[words[-1]]
    return _cardinal(words)


def _with_fraction(whole: list[str], rest: list[str]) -> float | None:
    times = 1
    if rest[-1] in MULTIPLIERS and len(rest) > 1:
        times = MULTIPLIERS[rest.pop()]
    base = _cardinal(whole)
    part = _of_words(rest)
    if base is None or part is None:
        return None
    return (base + part) * times if part < 1 else _cardinal([*whole, "and", *rest])


def _cardinal(words: list[str]) -> float | None:
    """The value of words for a whole number, the last of which may be an ordinal."""
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
    """Whether a number below a hundred may stand after another: five after twenty or hundred."""
    if last >= 100:
        return unit < last
    if last >= 20 and last % 10 == 0 and 0 < unit < 10:
        return True
    return 10 <= last < 100 and group < 100 and 10 <= unit < 100
