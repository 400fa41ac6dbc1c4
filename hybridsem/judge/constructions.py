"""Constructions that a derivation reads as a whole, beyond word by word.

closes at six on Sundays     is shut on Sundays        an event at a time, and a state of the day
no longer smokes             stopped smoking           the end of a habit
is being repaired            has been repaired         under way, and done
The thief was caught.        They caught the thief.    one event in both voices
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hybridsem.english.lemmas import lemmatiser
from hybridsem.facts.dates import Date
from hybridsem.facts.durations import Duration, Recurrence
from hybridsem.judge.contexts import LogicalSentence
from hybridsem.judge.rules import relation_words
from hybridsem.judge.tenses import auxiliaries, time_of


def is_state(side: LogicalSentence, at: int) -> bool:
    """Test if a predicate is an adjective or participle with a form of "be": "is closed"."""
    return any(
        side.keys[child] == "be" and not side.forms[child].endswith("ing")
        for child in side.below[at]
        if side.tree[child].relation in ("cop", "aux:pass")
    )


def closing_rule(
    side: LogicalSentence, other: LogicalSentence, pairs: Mapping[int, int], top: int
) -> str:
    """Return the rule for a time of day that only one sentence has, with a verb that closes a
    place: the day has hours before. It is "" for other words. What closes at an hour as a habit of
    some days is not closed on them.
    """
    words, verb = relation_words(), side.tree[top].head
    at_hour = any(side.forms[child] == "at" for child in side.below[top])
    hour = at_hour and (side.numbers[top] is not None or side.keys[top][:1].isdigit())
    other_hours = side.keys[top] in words["hours"] or isinstance(side.fact(top), Duration)
    if verb not in pairs or not closes(side, verb) or not (hour or other_hours):
        return ""
    days = (side.fact(child) for child in side.below[verb] if child in pairs)
    whole = any(isinstance(day, Date | Recurrence) and "night" not in str(day) for day in days)
    habit = whole and time_of(side, verb) == "present"
    if is_state(other, pairs[verb]):
        return "closing hour" if hour and habit else "closing"
    return "closing" if habit else ""


def closes(side: LogicalSentence, at: int) -> bool:
    """Test if a verb is of the event by which a place is closed."""
    closing = side.keys[at] in relation_words()["closing"]
    return closing and side.tags[at] == "VERB" and not is_state(side, at)


def event_rule(first: LogicalSentence, one: int, second: LogicalSentence, two: int) -> str:
    """Return the rule for an event and the state that it brings about, by their words: "closes",
    "is closed"; "" for others.
    """
    sides = (first, one), (second, two)
    tags = {side.tags[at] for side, at in sides}
    if tags != {"VERB", "ADJ"} or is_state(*sides[0]) == is_state(*sides[1]):
        return ""
    verbs = [lemmatiser()(side.forms[at], "VERB") for side, at in sides]
    place = 0 if first.tags[one] == "VERB" else 1
    times = {time_of(*each) for each in sides}
    closing = closes(*sides[place]) and verbs[0] == verbs[1]
    if closing:
        (side, at), (other, there) = sides[place], sides[1 - place]
        days = [{str(each.fact(c)) for c in each.below[of] if each.fact(c)} for each, of in sides]
        timed = any(closing_rule(side, other, {at: there}, child) for child in side.below[at])
        known = len(times) == 1 and (timed or days[0] & days[1])
        return "closing state" if known else "other tense"
    past = first.keys[one] == second.keys[two] and times == {"past"}
    return "brought about" if past else ""


def ended(side: LogicalSentence, denied: int) -> list[int]:
    """Return the words by which a negated predicate was true before: "(no) longer", "anymore"."""
    return [at for at in side.below[denied] if side.forms[at] in relation_words()["longer"]]


def is_under_way(side: LogicalSentence, at: int) -> bool:
    """Test if a verb is a progressive of something done to an object: "is being built"."""
    marks = [side.keys[each] for each in auxiliaries(side, at)]
    passive = any(side.forms[each] == "being" for each in auxiliaries(side, at))
    objects = any(side.bare[child] == "obj" for child in side.below[at])
    return passive or (marks == ["be"] and side.forms[at].endswith("ing") and objects)


def tense_rule(first: LogicalSentence, one: int, second: LogicalSentence, two: int) -> str:
    """Return the rule for two forms of a verb in clauses of different times."""
    ways = is_under_way(first, one), is_under_way(second, two)
    times = time_of(first, one), time_of(second, two)
    done = any(way and other == "past" for way, other in zip(ways, times[::-1], strict=True))
    return "under way" if done and ways[0] != ways[1] else "other tense"


def duty_rule(
    sides: Sequence[LogicalSentence], verbs: Sequence[int], marks: Sequence[Sequence[int]]
) -> str:
    """Return the rule for "must do" and "has done", "" for "had to do" or another time."""
    for place, at in enumerate(verbs):
        modals = [sides[1 - place].forms[each] for each in marks[1 - place]]
        side, verb = sides[1 - place], verbs[1 - place]
        must = side.modality(verb) == "must" and verb not in side.negators.values()
        perfect = "have" in [side.forms[each] for each in auxiliaries(side, verb)[1:]]
        if must and not perfect and modals != ["had"] and time_of(sides[place], at) == "past":
            return "duty"
    return ""


def in_one_place(
    first: LogicalSentence, one: int, second: LogicalSentence, two: int, pairs: Mapping[int, int]
) -> bool:
    """Test if a word has one place in the active voice of both sentences, of which one is passive,
    or governs such a word.
    """
    passive = [any(t.relation == "nsubj:pass" for t in side.tree) for side in (first, second)]
    if passive[0] == passive[1]:
        return False
    places = [
        {
            (word, place.governor, place.syntax)
            for word, places in zip(side.sentence.words, side.sentence.places, strict=True)
            for place in places
            if at in (word, place.governor) and place.syntax
        }
        for side, at in ((first, one), (second, two))
    ]
    moved = {(pairs.get(word, -1), pairs.get(head, -1), syntax) for word, head, syntax in places[0]}
    return bool(moved & places[1])


def holds_throughout(side: LogicalSentence, tokens: Sequence[int]) -> bool:
    """Test if a period has something at each of its parts: "from May to July", but not
    "between May and July".
    """
    tree = side.tree
    return tree.text[tree[min(tokens)].start :].lower().startswith("from ")
