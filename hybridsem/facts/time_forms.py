"""Times of the day from the words of a form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hybridsem.facts.clock import DAY, DAY_PARTS, HALF_DAY, Time
from hybridsem.facts.date_forms import LEAD
from hybridsem.facts.forms import Builder, Match
from hybridsem.facts.time_words import VALUES, Word
from hybridsem.facts.values import Interval

__all__ = ["ATOMS", "time_between", "time_from"]

SPOKEN_MINUTES = frozenset([5, 10, 20, 25])
CLOCK_LEAD = LEAD | frozenset(["at", "is", "was", "it's", "about", "around"])


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
    part = match.named.get("DAYPART")
    if half := match.named.get("HALF"):
        led = match.has("in", "at", "the")
        return None if led else match.value("HALF") if half else ""
    if part is None:
        return None if match.has("in", "at", "the") else ""
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
    hour = _hour(word.text)
    minutes = match.named["NUMBER2"].number if "NUMBER2" in match.named else 0
    if hour is None or (minutes and not (10 <= minutes < 60 and minutes % 1 == 0)):
        return None
    if "." in word.text and match.has("o'clock"):
        return None
    half = _half(match, hour[0] // 3600)
    bare = word is match.named.get("NUMBER") and not match.has("o'clock") and not half
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


def past(match: Match) -> Time | None:
    """Return "half past three", "a quarter to nine", "ten minutes past three"."""
    hour = match.named["NUMBER"].number
    half = _half(match, hour)
    if half is None or not 0 < hour <= 12 or hour % 1:
        return None
    if match.has("half"):
        minutes = 30.0
    elif match.has("quarter"):
        minutes = 15.0
    else:
        minutes = match.named["NUMBER2"].number
        later = match.has("past", "after")
        clear = half or match.has("o'clock", "minutes") or match.before in CLOCK_LEAD
        if not 0 < minutes < 60 or minutes % 1:
            return None
        if not later and not (clear and minutes in SPOKEN_MINUTES and hour == int(hour)):
            return None
    sign = 1 if match.has("past", "after") else -1
    return _time(match, (3600 * hour + sign * 60 * minutes) % (DAY // 2), half)


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
    high = seconds[1] + (HALF_DAY if match.value("HALF") == "pm" else 0)
    low = seconds[0] + (HALF_DAY if match.value("HALF") == "pm" else 0)
    low -= HALF_DAY if low >= high else 0
    interval = Interval(low % DAY, high + (DAY if low < 0 else 0))
    return Time(match.start, match.end, (interval,))


def day_part(match: Match) -> Time | None:
    """Return "morning" after "in the", "Monday" or "tomorrow"."""
    word = match.words[0]
    days = VALUES["WEEKDAY"].keys() | VALUES["DAYS"].keys()
    alone = match.is_alone
    if not (alone or match.before in {"the", "at"} | LEAD | days):
        return None
    return Time(match.start, match.end, (DAY_PARTS[word.text],))


def time_between(match: Match) -> Time | None:
    """Return "from 9 a.m. to 5 p.m."."""
    low, high = match.named["TIME"].fact, match.named["TIME2"].fact
    if not isinstance(low, Time) or not isinstance(high, Time) or low.approximate:
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
    time = match.named["TIME"].fact
    if not isinstance(time, Time) or time.approximate:
        return None
    if not all(each.is_point for each in time.seconds):
        return None
    low, is_open = side.startswith("low"), side.endswith("open")
    intervals = tuple(
        Interval(each.low, DAY, is_open, True)
        if low
        else Interval(0, each.low or DAY, False, is_open)
        for each in time.seconds
    )
    return Time(match.start, match.end, intervals, time.zone, side == "deadline")


ATOMS: Mapping[str, Builder] = MappingProxyType(
    {
        "clock": clock,
        "four": four,
        "past": past,
        "named": named,
        "hours_between": hours_between,
        "day_part": day_part,
    }
)
