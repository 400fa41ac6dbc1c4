"""Dates from the words of a form."""

from __future__ import annotations

from dataclasses import replace

from hybridsem._utils.tables import word_sets
from hybridsem.facts.dates import Date, Period, Span
from hybridsem.facts.durations import UNITS, Duration
from hybridsem.facts.forms import Match
from hybridsem.facts.time_words import TABLES, VALUES, Word
from hybridsem.facts.written_amounts import is_clear_year

__all__ = ["ATOMS", "LEAD", "ago", "part", "span_between", "span_from"]

_WORDS = word_sets(TABLES["calendar"])
LEAD = _WORDS["lead"]
LIKELY = range(1500, 2100)
"""Years that need no word before them."""
NEAR_CENTURY = 30
"""The first of the years in two figures that are in the 20th century."""
JOINED = frozenset(["DATE", "PART", "QUARTER"])
CALENDAR_UNITS = frozenset(["week", "month", "year", "decade", "century"])


def _date(match: Match, *periods: Period | Span) -> Date | None:
    """Return a date that may be each of the periods; None if none is valid."""
    spans = [Span(each, each) if isinstance(each, Period) else each for each in periods]
    valid = [
        span for span in spans if all(end is None or end.is_valid for end in (span.low, span.high))
    ]
    return Date(match.start, match.end, tuple(dict.fromkeys(valid))) if valid else None


def _year(word: Word | None) -> Period:
    """Return the year of a word; an empty period without one."""
    if word is None:
        return Period()
    if word.text.startswith("'"):
        return Period(year=_of_near_century(int(word.text[1:])))
    return Period(year=int(word.number))


def _of_near_century(year: int) -> int:
    """Return the year from 1930 to 2029 with two last figures."""
    return year + (1900 if year >= NEAR_CENTURY else 2000)


def _is_written(match: Match, word: Word, bare: bool) -> bool:
    """Test if a month, weekday or season is one by its capital, and alone by what leads to it."""
    capital = match.original[word.start].isupper() or "YEAR" in match.named
    if word.text in _WORDS["capital"] and not capital:
        return False
    lead = match.before
    if lead == "the" and word.text in VALUES["SEASON"]:
        lead = match.previous[0].text
    return not bare or word.text not in _WORDS["shy"] or lead in LEAD or match.is_alone


def _weekdays(match: Match) -> tuple[int, ...]:
    return tuple(map(int, match.value("WEEKDAY").split()))


def calendar(match: Match) -> Date | None:
    """Return a date by its weekday, day, month, quarter, season, holiday and year."""
    bare = len(match.words) == 1
    for name in ("MONTH", "WEEKDAY", "SEASON"):
        if (word := match.named.get(name)) and not _is_written(match, word, bare):
            return None
    day = match.named.get("DAY") or match.named.get("ORDINAL")
    if day and (day.number > 31 or (match.words[-1] is day and match.after in ("%", "per"))):
        return None
    period = _year(match.named.get("YEAR"))
    month = int(match.value("MONTH")) + 1 if match.value("MONTH") else None
    if match.named.get("ERA"):
        period = _of_era(match)
    if holiday := match.value("HOLIDAY"):
        month, date = map(int, holiday.split("-"))
        period = replace(period, month=month, day=date)
    elif quarter := match.named.get("QUARTER"):
        months = 3 if quarter.text[0] == "q" else 6
        rank = int(quarter.text[1])
        if rank * months > 12 or not match.original[quarter.start].isupper():
            return None
        period = replace(period, month=(rank - 1) * months + 1, months=months)
    else:
        number = int(day.number) if day else None
        period = replace(period, month=month, day=number, weekdays=_weekdays(match))
        period = replace(period, part=match.value("SEASON"))
    if period.weekdays and period.day and period.month and period.is_valid:
        bounds = period.bounds  # a full date may lack its weekday, unless it is another
        is_same = bounds is not None and period.weekdays == (bounds.low % 7,)
        period = replace(period, weekdays=()) if is_same else period
    return _date(match, period)


def days_between(match: Match) -> Date | None:
    """Return "3-5 May 2021"."""
    if not _is_written(match, match.named["MONTH"], bare=False):
        return None
    high = replace(_year(match.named.get("YEAR")), month=int(match.value("MONTH")) + 1)
    low = replace(high, day=int(match.number("DAY")))
    high = replace(high, day=int(match.number("DAY2")))
    if (low.day or 0) >= (high.day or 0):
        return None
    return _date(match, Span(low, high))


def year(match: Match) -> Date | None:
    """Return a year, if what is around it does not make it another number."""
    word = match.named["YEAR"]
    period = _year(word)
    after, no_plural = match.after, _WORDS["no_plural"]
    plural = after.endswith("s") and after.isalpha() and after not in no_plural
    leads = match.before in LEAD or match.has("year") or match.is_alone
    if match.before == "-" and match.previous[0].classes.isdisjoint(JOINED):
        return None
    if not leads and (period.year not in LIKELY or not word.text.isdigit()):
        return None
    if match.before in _WORDS["no_year_after"] or after in _WORDS["no_year_before"]:
        return None
    lead = match.before in _WORDS["temporal"] or (
        match.before in _WORDS["determiners"] and is_clear_year(word.number)
    )
    return _date(match, period) if lead or not plural else None


def _of_era(match: Match) -> Period:
    number = int(match.number("NUMBER"))
    return Period(year=1 - number if match.value("ERA") == "bc" else number)


def era(match: Match) -> Date | None:
    """Return "44 BC" and "AD 476"."""
    word, number = match.named["ERA"], match.number("NUMBER")
    first = match.words[0] is word
    if not match.original[word.start].isupper() or (first and match.value("ERA") != "ad"):
        return None
    return _date(match, _of_era(match)) if 0 < number < 3000 and number % 1 == 0 else None


def short_range(match: Match) -> Date | None:
    """Return "1990-95", or the month "2004-05", which may be two years as well."""
    first = int(match.number("YEAR"))
    last = int(match.named["SHORT"].text.strip("'"))
    high = first // 100 * 100 + last
    month = [Period(year=first, month=last)] if 1 <= last <= 12 and match.has("-") else []
    spans = [Span(Period(year=first), Period(year=high))] if high > first else []
    likely = first in LIKELY or match.before in LEAD or match.is_alone
    return _date(match, *month, *spans) if likely else None


def decade(match: Match) -> Date | None:
    """Return "the 1990s", "the nineties", "the 1300s"."""
    word = match.named["DECADE"]
    text = VALUES["DECADE"].get(word.text, word.text)
    first = int(text.strip("'s"))
    if prefix := match.named.get("NUMBER"):
        if not (10 <= prefix.number < 100 and word.text.isalpha()):
            return None
        return _date(match, Period(year=int(prefix.number) * 100 + first, years=10))
    if first < 100:
        words = word.text.isalpha()
        known = match.has("the") or match.before in LEAD or word.text.startswith("'") or not words
        is_open = first < NEAR_CENTURY
        first_year = first if is_open else _of_near_century(first)
        period = Period(year=first_year, years=10, any_century=is_open)
        return _date(match, period) if known and (words or first >= 10) else None
    lengths = (10,) if first % 100 else (10, 100) if first == 2000 else (100,)
    return _date(match, *(Period(year=first, years=length) for length in lengths))


def century(match: Match) -> Date | None:
    """Return "the 14th century"."""
    years = 1000 if match.has("millennium") else 100
    rank = int(match.number("ORDINAL"))
    if not 0 < rank <= 40:
        return None
    first = 1 - rank * years if match.value("ERA") == "bc" else (rank - 1) * years
    return _date(match, Period(year=first, years=years))


def quarter(match: Match) -> Date | None:
    """Return "the first quarter of 2020"."""
    months = 3 if match.has("quarter") else 6
    rank = int(match.number("ORDINAL", 12 // months))
    if not 0 < rank <= 12 // months or (months == 6 and "YEAR" not in match.named):
        return None
    known = _year(match.named.get("YEAR"))
    return _date(match, replace(known, month=(rank - 1) * months + 1, months=months))


def numeric(match: Match) -> Date | None:
    """Return a date in figures; the order of day and month may be open."""
    word = match.words[0]
    sign = next(sign for sign in "-./" if sign in word.text)
    parts = word.text.split(sign)
    numbers = [int(part) for part in parts]
    if len(parts[0]) > 2:
        year, month, day = numbers
        full = len(parts[0]) == 4 and len(parts[2]) < 3 and 1 <= month <= 12 and 1 <= day <= 31
        return _date(match, Period(year=year, month=month, day=day)) if full else None
    short = len(parts[2]) == 2
    if sign != "/" and (short or numbers[2] not in LIKELY):  # a version or code, more likely
        return None
    day_first = True if sign == "." else match.day_first
    year = _of_near_century(numbers[2]) if short else numbers[2]
    orders = [(1, 0), (0, 1)] if day_first else [(0, 1), (1, 0)]
    if day_first is not None and numbers[orders[0][0]] <= 12:
        orders = orders[:1]
    periods = [
        Period(year=year, month=numbers[month], day=numbers[day])
        for month, day in orders
        if 1 <= numbers[month] <= 12 and 1 <= numbers[day] <= 31
    ]
    return _date(match, *periods) if year else None


def month_of_year(match: Match) -> Date | None:
    """Return "9/2002"."""
    month, year = map(int, match.words[0].text.split("/"))
    known = match.before not in _WORDS["no_year_after"]
    return _date(match, Period(year=year, month=month)) if known else None


def from_today(match: Match) -> Date | None:
    """Return "yesterday", "tonight"."""
    offset, part = (match.value("DAYS") or match.value("NIGHT")).partition(" ")[::2]
    period = Period(unit="day", offset=int(offset), anchor="now", exact=True, part=part)
    return _date(match, period)


def from_now(match: Match) -> Date | None:
    """Return "last year", "next Monday", "the following week"."""
    anchor = "now" if "NOW" in match.named else "then"
    offset = int(match.value(anchor.upper()))
    if unit := match.named.get("UNIT"):
        name = match.value("UNIT")
        day = name == "day" and anchor == "then"
        if unit.text != name or match.before == "the" or not (day or name in CALENDAR_UNITS):
            return None
        return _date(match, Period(unit=name, offset=offset, anchor=anchor, exact=day))
    named = [match.named[name] for name in ("MONTH", "WEEKDAY") if name in match.named]
    if not all(_is_written(match, word, bare=False) for word in named):
        return None
    month = int(match.value("MONTH")) + 1 if match.value("MONTH") else None
    period = Period(month=month, weekdays=_weekdays(match), part=match.value("SEASON"))
    return _date(match, replace(period, unit="occurrence", offset=offset, anchor=anchor))


def part(match: Match) -> Date | None:
    """Return "early May", "mid-2020", "the end of the 1990s"."""
    date = match.fact(Date, "DATE")
    period = date.readings[0].single if date and len(date.readings) == 1 else None
    if period is None or period.part or period.unit not in {"", *CALENDAR_UNITS}:
        return None
    return _date(match, replace(period, part=match.value("PART")))


def ago(match: Match) -> Date | None:
    """Return "two years ago", "three days later"."""
    duration = match.fact(Duration, "DURATION")
    if not duration or not duration.length.is_point:
        return None
    units = {"second": ["day", "hour", "minute", "second"], "month": ["year", "month"]}
    length = duration.length.low
    anchor, sign = match.value("AGO").split()
    for unit in units.get(duration.unit, []):
        if length % UNITS[unit].size == 0 and length:
            offset = length / UNITS[unit].size * int(sign)
            date = _date(match, Period(unit=unit, offset=offset, anchor=anchor, exact=True))
            return replace(date, approximate=duration.approximate) if date else None
    return None


def _end(match: Match, name: str) -> Period | None:
    date = match.fact(Date, name)
    is_clear = date and len(date.readings) == 1 and not date.approximate
    return date.readings[0].single if date and is_clear else None


def span_between(match: Match) -> Date | None:
    """Return "from Monday to Friday"; a year that only the second states is that of both."""
    low, high = _end(match, "DATE"), _end(match, "DATE2")
    if not low or not high or low == high:
        return None
    if low.year is None and high.year is not None and not high.any_century and low.month:
        later = low.month > (high.month or 12)
        low = replace(low, year=high.year - later)
    if (low.year is None) != (high.year is None) or low.unit != high.unit:
        return None
    bounds = low.bounds, high.bounds
    if bounds[0] and bounds[1] and bounds[0].low > bounds[1].low:
        return None
    return _date(match, Span(low, high))


def span_from(match: Match, side: str) -> Date | None:
    """Return "before 2010", "since May", "by Friday"."""
    period, is_open = _end(match, "DATE"), side.endswith("open")
    if not period:
        return None
    low = side.startswith("low")
    span = Span(period, None, is_open) if low else Span(None, period, False, is_open)
    return Date(match.start, match.end, (span,), side == "deadline")


ATOMS = (
    *(calendar, days_between, year, era, short_range, decade, century),
    *(quarter, numeric, month_of_year, from_today, from_now),
)
