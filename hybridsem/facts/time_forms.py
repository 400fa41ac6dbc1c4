"""Times of the day, durations and recurrences from the words of a form."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from hybridsem._utils.tables import word_set
from hybridsem.english.numbers import number_value
from hybridsem.facts.clock import DAY, DAY_PARTS, HALF_DAY, Time
from hybridsem.facts.date_forms import LEAD
from hybridsem.facts.dates import Date
from hybridsem.facts.durations import UNITS, Duration, Frequency, Recurrence
from hybridsem.facts.forms import Match
from hybridsem.facts.time_words import MONTHS, TABLES, VALUES, WEEKDAYS, Word
from hybridsem.facts.values import Fact, Interval, about, ordinal

SPOKEN_MINUTES = frozenset([5, 10, 20, 25])
ROUND_MINUTES = frozenset([10, 15, 20, 30, 40, 45])
SPOKEN_LEAD = frozenset(["at", "by", "until", "till", "before"])
CLOCK_LEAD = LEAD | frozenset(["at", "is", "was", "it's", "about", "around"])
WORKING_WEEK = 5
PRICED = word_set(TABLES["calendar"]["priced"])
ONCE = Interval.of(1.0)
FEW = (2.0, 9.0)
"""The least and the most of "a few"."""
LONGEST = 1e12
"""A duration has fewer seconds or months."""


def _time(match: Match, seconds: float, half: str = "", exact: bool = False) -> Time | None:
    """Return the time of some seconds of a clock, in the half of the day that the form states."""
    zone = _zone(match)
    if zone is None or not 0 <= seconds <= DAY:
        return None
    values = [seconds % DAY]
    if half:
        if seconds >= HALF_DAY + 3600 or seconds < 0:
            return None
        values = [seconds % HALF_DAY + (HALF_DAY if half == "pm" else 0)]
    elif not exact and seconds < HALF_DAY + 3600:
        values = [seconds % HALF_DAY, seconds % HALF_DAY + HALF_DAY]
    return Time(match.start, match.end, tuple(map(Interval.of, values)), zone)


def _zone(match: Match) -> str | None:
    """Return the zone of a form, "" without one; None if what follows its letters is apart."""
    word = match.named.get("ZONE")
    text = word.text.upper() if word else ""
    hours = match.named.get("NUMBER3") or match.named.get("CLOCK3")
    signs = [sign for sign in match.words if sign.text in ("+", "-")]
    if not hours and not signs:
        return text
    if not word or not hours or len(signs) != 1 or VALUES["ZONE"][word.text] == "":
        return None
    if (word.end, signs[0].end) != (signs[0].start, hours.start):
        return None
    if hours.text.isdigit() and int(hours.text) > 14:
        return None
    return f"{text}{signs[0].text}{hours.text}"


def _half(match: Match, hour: float) -> str | None:
    """Return "am", "pm", or "" where a form leaves it open; None where it contradicts itself."""
    part, led = match.named.get("DAYPART"), match.has("in", "at", "the") and not match.has("dot")
    if "HALF" in match.named:
        return None if led else match.value("HALF")
    if part is None:
        return None if led else ""
    before = match.words[match.words.index(part) - 1].text
    if before != ("at" if part.text == "night" else "the"):
        return None
    if part.text == "night":
        return "pm" if hour % 12 >= 6 else "am"
    return "am" if part.text == "morning" else "pm"


def _hour(text: str) -> tuple[float, bool] | None:
    """Return the seconds of "3:30", "3.30" or "three", and True if the half of the day is clear."""
    parts = text.replace(".", ":").split(":")
    if len(parts) > 1 and all(map(str.isdigit, parts)):
        hour, minute, second = map(int, [*parts, "0"][:3])
        if len(parts[1]) != 2 or hour > 24 or minute > 59 or second > 59:
            return None
        exact = hour > 12 or hour == 0 or text.startswith("0") or text == "12:00"
        return 3600 * hour + 60 * minute + second, exact
    value = Word(text, 0, 0, frozenset()).number
    return (3600 * value, value > 12) if 0 <= value <= 24 and value % 1 == 0 else None


def clock(match: Match) -> Time | None:
    """Return "15:30", "3 p.m.", "three o'clock", "3:30 in the afternoon"."""
    iso = match.words[0]
    if "ISOTIME" in iso.classes:
        return _iso_time(match, iso)
    word = match.named.get("CLOCK") or match.named["NUMBER"]
    text = word.text
    if text.isdigit() and len(text) > 2:  # 800 am
        text = f"{text[:-2]}:{text[-2:]}"
    hour, minutes = _hour(text), match.number("NUMBER2", 0)
    if hour is None or (minutes and not (10 <= minutes < 60 and minutes % 1 == 0)):
        return None
    if "." in word.text and match.has("o'clock"):
        return None
    half = _half(match, hour[0] // 3600)
    exact = match.has("sharp", "dot") and not match.after.isalnum()  # no "9 sharp knives"
    told = exact or match.has("o'clock")
    bare = word is match.named.get("NUMBER") and not told and not half
    if half is None or bare:
        return None
    return _time(match, hour[0] + 60 * minutes, half, hour[1] and not half)


def _iso_time(match: Match, word: Word) -> Time | None:
    text = word.text[1:]
    digits = text.rstrip("z").partition("+")[0].partition("-")[0]
    hour = _hour(digits.partition(".")[0])
    zone = text[len(digits) :].upper()
    if hour is None or not 0 <= hour[0] <= DAY:
        return None
    if zone not in ("", "Z"):
        zone = f"UTC{zone[:3]}:{zone[-2:]}"
    return Time(word.start + 1, word.end, (Interval.of(hour[0] % DAY),), zone.replace("Z", "UTC"))


def four(match: Match) -> Time | None:
    """Return "0900 hours"."""
    text = match.named["FOUR"].text
    hours = match.has("hours", "hrs", "h")
    led = match.before in CLOCK_LEAD and (hours or text[0] == "0")
    if not (led or "ZONE" in match.named or (hours and text[0] == "0")):
        return None
    return _time(match, 3600 * int(text[:2]) + 60 * int(text[2:]), exact=True)


def spoken(match: Match) -> Time | None:
    """Return "eight thirty" and "ten fifteen" after "at"."""
    hour, *rest = " ".join(word.text for word in match.words[1:]).split(" ", 1)
    seconds, minutes = _hour(hour), number_value(rest[0]) if rest else None
    alone = (not match.after.isalnum() and match.after not in VALUES["HALF"]) or match.after in LEAD
    pointed = "." in hour and not rest and alone and match.before not in PRICED
    if not seconds or not (pointed or (minutes in ROUND_MINUTES and hour.isalpha())):
        return None
    if not 0 < seconds[0] <= DAY or match.after in {"-", "%", *VALUES["UNIT"]}:
        return None
    time = _time(match, seconds[0] + 60 * (minutes or 0), exact=seconds[1])
    return replace(time, start=match.words[1].start) if time else None


def past(match: Match) -> Time | None:
    """Return "half past three", "a quarter to nine", "ten minutes past three"."""
    hour = match.number("NUMBER")
    half = _half(match, hour)
    if half is None or not 0 < hour <= 12 or hour % 1:
        return None
    if match.has("half"):
        minutes = 30.0
    elif match.has("quarter"):
        minutes = 15.0
    else:
        minutes = match.number("NUMBER2")
        later = match.has("past", "after")
        clear = half or match.has("o'clock", "minutes") or _is_led(match, minutes < hour)
        if not 0 < minutes < 60 or minutes % 1:
            return None
        if not later and not (clear and minutes in SPOKEN_MINUTES and hour == int(hour)):
            return None
    sign = 1 if match.has("past", "after") else -1
    return _time(match, (3600 * hour + sign * 60 * minutes) % (DAY // 2), half)


def _is_led(match: Match, may_be_range: bool) -> bool:
    """Test if "ten to eight" follows a word before times and, if it may be a range, ends a part."""
    figures = match.named["NUMBER"].text.isdigit()
    led = match.before == "at" or (match.before in SPOKEN_LEAD and not figures)
    return led and not (may_be_range and match.after.isalpha())


def named(match: Match) -> Time | None:
    """Return noon and midnight."""
    return _time(match, float(match.value("NAMED")), exact=True)


def hours_between(match: Match) -> Time | None:
    """Return "9-11 a.m."."""
    pair = [
        match.named.get("NUMBER") or match.named["CLOCK"],
        match.named.get("NUMBER2") or match.named["CLOCK2"],
    ]
    hours = [_hour(word.text) for word in pair]
    if match.has("between") != match.has("and") or None in hours:
        return None
    seconds = [hour[0] % HALF_DAY for hour in hours if hour and hour[0] <= HALF_DAY + 3600]
    if len(seconds) != 2:
        return None
    low, high = (each + HALF_DAY * (match.value("HALF") == "pm") for each in seconds)
    low -= HALF_DAY if low >= high else 0
    interval = Interval(low % DAY, high + (DAY if low < 0 else 0))
    return Time(match.start, match.end, (interval,))


def day_part(match: Match) -> Time | None:
    """Return "morning" after "in the", "Monday" or "tomorrow"."""
    days = VALUES["WEEKDAY"].keys() | VALUES["DAYS"].keys()
    if not (match.is_alone or match.before in {"the", "at"} | LEAD | days):
        return None
    return Time(match.start, match.end, (DAY_PARTS[match.words[0].text],))


def time_between(match: Match) -> Time | None:
    """Return "from 9 a.m. to 5 p.m."."""
    low, high = match.fact(Time, "TIME"), match.fact(Time, "TIME2")
    if not low or not high or low.approximate:
        return None
    if not all(each.is_point for each in low.seconds + high.seconds):
        return None
    if low.zone and high.zone and low.zone != high.zone:
        return None
    ends = [each.low for each in high.seconds]
    intervals = [
        Interval(each.low, each.low + min((end - each.low) % DAY or DAY for end in ends))
        for each in low.seconds
    ]
    if len(ends) == 1:  # from 9:00 to 17:00
        intervals = [min(intervals, key=lambda each: each.high - each.low)]
    return Time(match.start, match.end, tuple(intervals), low.zone or high.zone)


def time_from(match: Match, side: str) -> Time | None:
    """Return "before noon", "by 3 p.m."."""
    time = match.fact(Time, "TIME")
    if not time or time.approximate or not all(each.is_point for each in time.seconds):
        return None
    ends, is_open = [each.low for each in time.seconds], side.endswith("open")
    if side.startswith("low"):
        intervals = [Interval(end, DAY, is_open, True) for end in ends]
    else:
        intervals = [Interval(0, end or DAY, False, is_open) for end in ends]
    return Time(match.start, match.end, tuple(intervals), time.zone, side == "deadline")


def _length(match: Match, low: float, high: float) -> Duration | None:
    """Return a duration from one number of the form's unit to another."""
    word, unit = match.named["UNIT"], UNITS[match.value("UNIT")]
    if not 0 <= low <= high < LONGEST / unit.size:
        return None
    if word.text == "second" and (high > 1 or match.has("a")) and not match.has("-", "half"):
        return None
    length = Interval(round(low * unit.size, 6), round(high * unit.size, 6))
    return Duration(match.start, match.end, length, unit.base)


def duration(match: Match) -> Duration | Recurrence | None:
    """Return "two hours", "an hour and a half", "half a day", "1h30"."""
    number = match.number("NUMBER", 1.0)
    texts = [word.text for word in match.words]
    if "NUMBER2" in match.named:  # 1h30
        minutes = match.number("NUMBER2")
        if not 0 <= minutes < 60 or match.words[0].end != match.words[1].start:
            return None
        length = round(3600 * number + 60 * minutes, 6)
        return Duration(match.start, match.end, Interval.of(length), "second")
    if "and" in texts:
        number += 0.25 if "quarter" in texts else 0.5
    elif "half" in texts:
        number = 0.5
    elif "quarter" in texts or "quarters" in texts:
        number *= 0.25
    elif "couple" in texts:
        number = 2.0
    elif "dozen" in texts:
        number = 12.0
    elif "few" in texts:
        return _length(match, *FEW)
    elif len(texts) == 2 and texts[0] in ("a", "an"):
        if match.previous and "DURATION" in match.previous[-1].classes:  # two hours a day
            return _every(match, ONCE, 1)
        short = len(texts[1]) < 3 or texts[1] not in UNITS
        if short or match.before in ("times", "once", "twice", "%") or match.before.isdigit():
            return None
    return _length(match, number, number)


def lengths_between(match: Match) -> Duration | None:
    """Return "two to three hours"."""
    low, high = match.number("NUMBER"), match.number("NUMBER2")
    if match.has("between") != match.has("and") or low >= high:
        return None
    return _length(match, low, high)


def length_between(match: Match) -> Duration | None:
    """Return "30 minutes to two hours"."""
    low, high = match.fact(Duration, "DURATION"), match.fact(Duration, "DURATION2")
    if not low or not high or low.unit != high.unit or low.length.low >= high.length.low:
        return None
    if not (low.length.is_point and high.length.is_point):
        return None
    length = Interval(low.length.low, high.length.low)
    return replace(low, start=match.start, end=match.end, length=length)


def _from(value: float, side: str) -> Interval:
    """Return the positive numbers on one side of a value."""
    is_open = side.endswith("open")
    if side.startswith("low"):
        return Interval(value, math.inf, is_open)
    return Interval(0, value, False, is_open)


def bounded(match: Match, side: str) -> Duration | Recurrence | None:
    """Return "at least two hours", "at least twice a year"."""
    fact = next(word.fact for word in match.words if word.fact)
    if isinstance(fact, Duration) and fact.length.is_point:
        length = _from(fact.length.low, side)
        return replace(fact, start=match.start, end=match.end, length=length)
    return _with_times(match, fact, lambda times: _from(times, side))


def times_about(match: Match, whole: Recurrence) -> Recurrence | None:
    """Return "about twice a year", but nothing for "about daily life"."""
    several = len(match.original[whole.start : whole.end].split()) > 1
    often = _with_times(match, whole, about) if several else None
    return replace(often, approximate=True) if often else None


def _with_times(match: Match, fact: Fact, times: Callable[[float], Interval]) -> Recurrence | None:
    """Return a form's recurrence with one exact frequency, and not on a day, with other times."""
    if not isinstance(fact, Recurrence) or len(fact.readings) != 1 or fact.on or fact.weekdays:
        return None
    reading = fact.readings[0]
    if not reading.times.is_point:
        return None
    reading = reading._replace(times=times(reading.times.low))
    return Recurrence(match.start, match.end, (reading,))


def total(match: Match) -> Duration | None:
    """Return "two hours and 30 minutes"."""
    facts = (match.fact(Duration, name) for name in ("DURATION", "DURATION2", "DURATION3"))
    parts = [part for part in facts if part]
    if len({part.unit for part in parts}) > 1 or not all(part.length.is_point for part in parts):
        return None
    sizes = [_unit_size(part, match.original) for part in parts]
    if any(size <= part.length.low for size, part in zip(sizes, parts[1:], strict=False)):
        return None
    length = Interval.of(round(sum(part.length.low for part in parts), 6))
    return replace(parts[0], end=match.end, length=length)


def _unit_size(part: Duration, original: str) -> int:
    """Return the size of the unit that a duration is written with."""
    words = original[part.start : part.end].lower().replace("-", " ").split()
    names = [VALUES["UNIT"][word] for word in words if word in VALUES["UNIT"]]
    return UNITS[names[-1]].size if names else 1


def _every(match: Match, count: Interval, number: float, name: str = "") -> Recurrence | None:
    unit = UNITS[name or match.value("UNIT")]
    size = number * unit.size
    if unit.base not in ("second", "month") or not 0 < size < LONGEST or count.low <= 0:
        return None
    return Recurrence(match.start, match.end, (Frequency(count, size, unit.base),))


def every(match: Match) -> Recurrence | None:
    """Return "every day", "every other week", "every 4-6 weeks", "per year"."""
    number = 1.0
    if "NUMBER2" in match.named:
        low, high = match.number("NUMBER"), match.number("NUMBER2")
        return _every(match, Interval(low, high), low * high) if low < high else None
    if word := match.named.get("NUMBER") or match.named.get("ORDINAL"):
        number = word.number
        if number < 2 and "ORDINAL" in match.named:
            return None
    elif match.has("half"):
        number = 1.5
    elif match.has("other", "couple") or len(match.words) == 3:
        number = 2.0
    elif match.has("quarter"):
        return None if match.after == "of" else _every(match, ONCE, 3.0, "month")
    elif match.named["UNIT"].text.endswith("s") or match.has("second"):
        return None
    return _every(match, ONCE, number)


def times(match: Match) -> Recurrence | None:
    """Return "twice a week", "three times every two days", "once or twice daily"."""
    low, *high = [
        match.number(name) if "NUMBER" in name else float(match.value(name))
        for name in ("COUNT", "NUMBER", "COUNT2", "NUMBER2")
        if name in match.named
    ]
    count = Interval(low, high[0]) if high else Interval.of(low)
    number, unit = match.number("NUMBER3", 1.0), ""
    if match.value("UNIT") in ("second", "minute") and "NUMBER3" not in match.named:
        return None  # a rate
    if adverb := match.value("ADVERB"):
        once, size, unit, *rest = adverb.split()
        number = float(size)
        if once != "1" or rest:
            return None
    return _every(match, count, number, unit) if count.low <= count.high else None


def adverb(match: Match) -> Recurrence | None:
    """Return "daily", "biweekly", "six-monthly", "half-yearly"."""
    readings, on = [], ""
    times = match.number("NUMBER", 0.5 if match.has("half") else 1.0)
    for line in match.value("ADVERB").split(", "):
        count, number, unit, *names = line.split()
        size, base = UNITS[unit]
        period = times * float(number) * size
        if not 1 <= period < LONGEST:
            return None
        readings.append(Frequency(Interval.of(float(count)), period, base))
        on = "".join(names)
    if times != 1 and (on or len(readings) > 1):
        return None  # "three-nightly", "two-biweekly"
    return Recurrence(match.start, match.end, tuple(readings), on=on)


def days(match: Match) -> Recurrence | None:
    """Return "Tuesdays", "every Monday", "every May"."""
    weekdays = match.value("WEEKDAYS") or match.value("WEEKDAY")
    if weekdays:
        each = tuple(map(int, weekdays.split()))
        other = 2.0 if match.has("other", "second", "alternate") else 1.0
        weeks = match.number("ORDINAL", other)
        whole = _every(match, Interval.of(float(len(each))), weeks, "week") if weeks > 1 else None
        return Recurrence(match.start, match.end, whole.readings if whole else (), each)
    if part := match.value("DAYPART"):
        return Recurrence(match.start, match.end, (Frequency(ONCE, DAY, "second"),), on=part)
    on = match.value("SEASON")
    if month := match.named.get("MONTH"):
        if not match.original[month.start].isupper():
            return None
        on = MONTHS[int(match.value("MONTH"))]
        on = f"{match.number('DAY'):g} {on}" if "DAY" in match.named else on
    if holiday := match.value("HOLIDAY"):
        number, day = holiday.split("-")
        on = f"{day} {MONTHS[int(number) - 1]}"
    return Recurrence(match.start, match.end, (Frequency(ONCE, 12, "month"),), on=on)


def working_days(match: Match) -> Recurrence | None:
    """Return "Monday to Friday", but nothing for "from Monday to Friday", which is a date."""
    low, high = (int(match.value(name)) for name in ("WEEKDAY", "WEEKDAY2"))
    if match.before in ("from", "between") or high - low < WORKING_WEEK - 1:
        return None
    return Recurrence(match.start, match.end, (), tuple(range(low, high + 1)))


def days_of_month(match: Match) -> Recurrence | None:
    """Return "the first Monday of each month", "the 15th of every month"."""
    rank = match.named.get("ORDINAL")
    if rank and not 0 < rank.number <= (5 if "WEEKDAY" in match.named else 31):
        return None
    day = match.value("WEEKDAY") and f" {WEEKDAYS[int(match.value('WEEKDAY'))]}"
    on = f"the {ordinal(f'{rank.number:g}') if rank else 'last'}{day}"
    return Recurrence(match.start, match.end, (Frequency(ONCE, 1, "month"),), on=on)


def every_length(match: Match) -> Recurrence | None:
    """Return "every half hour", "every hour and a half"."""
    whole = match.fact(Duration, "DURATION")
    if not whole or not whole.length.is_point or whole.approximate or not whole.length.low:
        return None
    frequency = Frequency(ONCE, whole.length.low, whole.unit)
    return Recurrence(match.start, match.end, (frequency,))


def days_of(match: Match) -> Recurrence | None:
    """Return "Mondays and Fridays", "every Monday and Friday"."""
    weekdays: set[int] = set()
    for name, word in match.named.items():
        if isinstance(word.fact, Recurrence) and word.fact.weekdays:
            if word.fact.readings:
                return None
            weekdays |= set(word.fact.weekdays)
        elif isinstance(word.fact, Date) and (period := word.fact.readings[0].single):
            if not period.weekdays or period.month or period.day or period.unit or period.part:
                return None
            weekdays |= set(period.weekdays)
        elif name:
            return None
    if len(match.words) == 1 or match.words[-1].text in (",", "and"):
        return None
    return Recurrence(match.start, match.end, (), tuple(sorted(weekdays)))


PHRASES = (total, every_length, days_of)
ATOMS = (
    *(clock, four, spoken, past, named, hours_between, day_part),
    *(duration, lengths_between, adverb, every, times, days, working_days, days_of_month),
)
