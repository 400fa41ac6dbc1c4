"""Reading names: runs of proper nouns, or of capitalised words where there are no tokens.

"US President Barack Obama met Angela Merkel in Austin, Texas."
 US | President Barack Obama     Angela Merkel    Austin, Texas
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from hybridsem.facts import gazetteer
from hybridsem.facts.gazetteer import TITLES, WORDS, fold, given, organisation, outer, places
from hybridsem.facts.names import Name, NameKind
from hybridsem.structures import Token

__all__ = ["read_names"]

_WORD = re.compile(r"[A-Z]{1,3}&[A-Z]{1,3}\b|[^\W\d_]+(?:[’'.-](?=[^\W_])[^\W_]+)*|\d+|&")
_CAPITAL = re.compile(r"[A-Z\x80-\U0010ffff]")
_CAPITALS = re.compile("(?<=[a,])[A-Z]{3,}")
_CONTENT = frozenset({"VERB", "NOUN", "ADJ", "ADV"})
_POSSESSIVE = re.compile(r"[’']s?$")
_NOMINAL = frozenset({"ADJ", "NOUN", "X"})
_INITIALS = re.compile(r"(?:[A-Z]\. ?)+(?:[a-z]+ )?[A-Z][\w'’-]+")
_NUMBERED = re.compile(r"\d+[A-Za-z]?")
_PRONOUN = re.compile(r"I(?:[’'](?:m|d|ll|ve))?")
_SENTENCE_END = re.compile(r"[.!?:;…\n\"“”][\"'“”’)\s]{0,8}$")
_AND_NAME = re.compile(r",? (?:and|or|&) [A-Z]")
_NAME_AHEAD = re.compile(r",? (?:(?:and|or|&) )?[A-Z]")
_AFTER_NUMBER = re.compile(r"$|[^\w\s-]")
_ENDS = WORDS["organisations"] | WORDS["companies"]
_SMALL = WORDS["small"] - WORDS["particles"]
_FOR_HEADS = frozenset(map(fold, WORDS["for_heads"]))
_LONGEST = 12
"""Words in a name."""
_APPOSED = re.compile(r", (?:the|an?) ([a-z]+(?:[ -][a-z]+){0,2})(?:,(?= )|(?=[.;:!?)]|$))")
_LAST_WORDS = re.compile(r"\b[a-z]+(?:[ -][a-z]+){0,2} $")
_LONGEST_TITLE = 40
"""Characters of a title in small letters."""


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    proper: bool
    number: int = -1
    head: int = -1


def read_names(
    text: str, tokens: Sequence[Token] = (), known: Set[str] = frozenset()
) -> list[Name]:
    """Return the names in a text, left to right; ``tokens`` are those of its dependency tree,
    ``known`` words that names start with elsewhere.

    >>> [str(name) for name in read_names("US President Barack Obama met Ms. Lee of Austin, TX.")]
    ['US', 'President Barack Obama', 'Ms Lee', 'Austin, TX']
    """
    if not tokens and not _may_name(text, known):
        return []
    words = _token_words(tokens) if tokens else _plain_words(text, known)
    names = [name for run in _runs(text, words) for name in _names_of(run, text)]
    return [_with_title(text, name) for name in _with_regions(text, names)]


def _may_name(text: str, known: Set[str]) -> bool:
    """Test if a text has a capital, and not only that of a first word that is no name."""
    if not _CAPITAL.search(text):
        return False
    words = list(islice(_WORD.finditer(text), 2))
    rest = text[words[0].end() :] if words else ""
    if len(words) < 2 or not rest.islower() or not rest.isascii() or "&" in rest:
        return bool(words)
    return _starts_name(_POSSESSIVE.sub("", words[0][0]), known, *words)


def _starts_name(
    word: str, known: Set[str], match: re.Match[str], ahead: re.Match[str] | None = None
) -> bool:
    """Test if a word with a capital, which starts a sentence, is or begins a name."""
    lower, acronym = word.lower(), word.isupper() and len(word) > 1
    if lower in WORDS["starters"] and not (acronym and _known(word)):
        return False
    alone = acronym or word in known or (lower not in WORDS["common"] and _known(word))
    return alone or ahead is None or _continues(ahead, match.end())


def _known(text: str) -> bool:
    return bool(places(text) or organisation(text) or given(text)) or fold(text) in TITLES


def _token_words(tokens: Sequence[Token]) -> list[_Word]:
    capitals = [at for at, token in enumerate(tokens) if token.text[:1].isupper()]
    proper = {
        at
        for at in {*capitals, *(at for at, token in enumerate(tokens) if token.pos == "PROPN")}
        if (tokens[at].pos == "PROPN" or (tokens[at].pos in _NOMINAL and _is_proper(tokens, at)))
        and tokens[at].text.lower().strip(".") not in WORDS["calendar"]
    } | _in_capitals(tokens, capitals)
    words: list[_Word] = []
    for index, token in enumerate(tokens if proper else ()):
        if token.text == "." and words and _may_have_point(words[-1].text):
            continue
        words.append(_Word(token.text, token.start, token.end, index in proper, index, token.head))
    return words


def _in_capitals(tokens: Sequence[Token], capitals: Sequence[int]) -> set[int]:
    """Return the words of names such as "Mothers Against Drunk Driving", and known acronyms, but
    none of a headline.
    """
    acronyms = [at for at in capitals if len(tokens[at].text) > 2 and tokens[at].text.isupper()]
    if not (acronyms or len(capitals) > 2) or not any(
        token.pos in _CONTENT and token.text.islower() for token in tokens
    ):
        return set()
    letters = "".join(
        "a" if text.islower() or text == "I" or text.lower() in WORDS["calendar"] else text[0]
        for text in (token.text or " " for token in tokens)
    )
    runs = {at for match in _CAPITALS.finditer(letters) for at in range(*match.span())}
    return runs | {at for at in acronyms if organisation(tokens[at].text)}


def _is_proper(tokens: Sequence[Token], index: int) -> bool:
    """Test if a capitalised noun or adjective belongs to a name."""
    token = tokens[index]
    pair = " ".join(token.text for token in tokens[index : index + 2]).lower()
    if gazetteer.is_adjective(token.text) or pair in TITLES:  # "Prime Minister"
        return True
    if index > 1 and tokens[index - 1].text == "of" and tokens[index - 2].pos == "PROPN":
        return True  # "Joint Chiefs of Staff"
    ahead = tokens[index + 1] if token.head > index else token
    joined = ahead.pos == "PROPN" and (index > 0 or token.relation == "compound")
    return joined or (index > 0 and (_known(token.text) or fold(token.text) in _ENDS))


def _may_have_point(word: str) -> bool:
    lower = word.lower()
    return len(lower) == 1 or "." in lower or lower in WORDS["pointed"] | WORDS["generations"]


def _plain_words(text: str, known: Set[str]) -> list[_Word]:
    matches, capitals = list(_WORD.finditer(text)), text.isupper()
    words: list[_Word] = []
    for place, match in enumerate(matches):
        word, start = match[0], match.start()
        if not word.isalnum():
            word = _POSSESSIVE.sub("", word)
        glued = start > 0 and text[start - 1].isdigit()  # 221B
        proper = not (word.islower() or word.isdigit() or glued)
        proper = proper and word.lower() not in WORDS["calendar"] and not _PRONOUN.fullmatch(word)
        if proper and capitals and len(matches) > 1:
            proper = _known(word)
        elif proper and (not place or _is_sentence_start(text, matches[place - 1], match)):
            proper = _starts_name(word, known, *matches[place : place + 2])
        words.append(_Word(word, start, start + len(word), proper, place))
    return words


def _continues(ahead: re.Match[str], end: int) -> bool:
    """Test if the next word can be a part of the same name."""
    close = ahead.start() - end < 3
    return close and (not ahead[0].islower() or ahead[0] == "of" or ahead[0] in WORDS["particles"])


def _is_sentence_start(text: str, before: re.Match[str], word: re.Match[str]) -> bool:
    gap = text[max(before.end(), word.start() - 4) : word.start()]
    abbreviated = gap[:1] == "." and _may_have_point(before[0])
    return not abbreviated and _SENTENCE_END.search(gap) is not None


def _runs(text: str, words: Sequence[_Word]) -> Iterator[list[_Word]]:
    """Yield the proper words that stand together, with small words between them."""
    place = 0
    while place < len(words):
        if not words[place].proper or words[place].text == "&":
            place += 1
            continue
        run = [words[place]]
        if place and _is_gap(text, words[place - 1], run[0]):  # "saudi arabia"
            before = words[place - 1]
            if before.text.lower() != "the" and _is_listed(text[before.start : run[0].end]):
                run.insert(0, before)
        place += 1
        while place < len(words) and len(run) < _LONGEST:
            taken = _joined(text, words, place, run)
            if not taken:
                break
            run += words[place : place + taken]
            place += taken
        yield from _linked(run)


def _joined(text: str, words: Sequence[_Word], place: int, run: list[_Word]) -> int:
    """Return the number of words that continue a name."""
    word = words[place]
    if word.text == "," and place + 1 < len(words) and _is_suffix(words[place + 1]):
        return 2
    suffix = _is_suffix(word)
    comma = text[run[-1].end : word.start] in (",", ", ") and suffix
    if not (comma or _is_gap(text, run[-1], word)):
        return 0
    if word.proper or suffix:
        return 1
    lower = word.text.lower()
    if word.text.isdigit():
        inside = run[0].number <= word.head < word.number or run[-1].head == word.number >= 0
        last = word.head < 0 and _AFTER_NUMBER.match(text, word.end) is not None
        return int(len(word.text) <= 4 and (inside or last))
    ahead = words[place + 1 : place + 3]
    if not ahead or not _is_gap(text, word, ahead[0]):
        return 0
    if lower == "of" and any(fold(each.text) in WORDS["of_heads"] for each in run):
        if ahead[0].proper:
            return 2
        return 3 if ahead[0].text.lower() == "the" and len(ahead) > 1 and ahead[1].proper else 0
    of_body = lower in ("for", "on") and fold(run[-1].text) in _FOR_HEADS
    if of_body and ahead[0].proper and not places(ahead[0].text):
        return 2
    if lower == "-" and word.start == run[-1].end and ahead[0].start == word.end:
        known = places(run[-1].text) or places(ahead[0].text)
        return 0 if known or not ahead[0].proper else 2
    if lower in WORDS["particles"] or lower == "&":
        pair = ahead[0].text.lower() in WORDS["particles"] and len(ahead) > 1 and ahead[1].proper
        return 2 if ahead[0].proper else 3 * pair
    if lower not in ("and", "for", "of", "on", "in"):
        return 0
    if ahead[0].proper and fold(ahead[0].text) in WORDS["and_heads"]:
        return 2
    ends = (each.end for each in words[place + 1 : place + 5])
    listed = (size for size, end in enumerate(ends, 2) if _is_listed(text[run[0].start : end]))
    return next(listed, 0)


def _is_listed(text: str) -> bool:
    return "," not in text and bool(places(text) or organisation(text))


def _is_gap(text: str, before: _Word, after: _Word) -> bool:
    """Test if only a blank, or the point of an abbreviation, is between two words."""
    gap = text[before.end : after.start]
    return gap in ("", " ") or (gap in (".", ". ") and _may_have_point(before.text))


def _linked(run: list[_Word]) -> Iterator[list[_Word]]:
    """Split a run between proper nouns of which neither depends on a word of the run."""
    if run[0].head < 0 and run[-1].head < 0:
        yield run
        return
    first, last = run[0].number, run[-1].number
    part = [run[0]]
    for before, word in pairwise(run):
        inside = first <= before.head <= last or first <= word.head <= last
        inside = inside or before.head == word.head > word.number  # of one compound
        if not inside and before.proper and word.proper and before.number + 1 == word.number:
            yield part
            part = []
        part.append(word)
    yield part


def _names_of(run: list[_Word], text: str) -> Iterator[Name]:
    """Yield the names of a run: "US President Barack Obama" has two."""
    while run and not (run[-1].proper or run[-1].text[:1].isdigit() or _is_suffix(run[-1])):
        if _is_listed(text[run[0].start : run[-1].end]):
            break
        run = run[:-1]
    if len(run) > 1 and _NUMBERED.fullmatch(run[0].text):  # "221B Baker Street"
        run = run[1:]
    whole = text[run[0].start : run[-1].end] if run else ""
    if not run:
        return
    if places(whole) or organisation(whole) or len(run) == 1:
        if fold(whole) not in TITLES or len(run) > 1:
            yield _name(run, text)
        return
    size, title = _title(run)
    if size and not _is_untitled(run[size:] or run):
        if size < len(run):
            yield _name(run[size:], text, title, run[0].start)
        return
    for place in range(1, len(run) - 1):
        inner, _ = _title(run[place:])
        if inner and run[place].text.lower() not in WORDS["initial"] and place + inner < len(run):
            yield from _names_of(run[:place], text)
            yield from _names_of(run[place:], text)
            return
    before = run[0].text
    if given(run[1].text) and (gazetteer.is_adjective(before) or organisation(before)):
        yield _name(run[:1], text)
        run = run[1:]
    yield _name(run, text)


def _is_suffix(word: _Word) -> bool:
    """Test for "Jr." and "Inc."."""
    lower = word.text.lower().strip(".")
    return lower in WORDS["generations"] or lower in WORDS["suffixes"]


def _title(run: Sequence[_Word]) -> tuple[int, str]:
    """Return the number of words of the title that starts a run, and its usual form."""
    for size in (3, 2, 1):
        words = " ".join(word.text.strip(".") for word in run[:size]).lower()
        if len(run) >= size and words in TITLES:
            return size, gazetteer.TITLE_NAMES[words]
    return 0, ""


def _is_organisation(run: Sequence[_Word]) -> bool:
    words = [fold(word.text) for word in run]
    if len(words) > 1 and words[0] in TITLES and words[1] in _ENDS:  # "Major League Soccer"
        return True
    return words[-1] in _ENDS or ("of" in words and words[words.index("of") - 1] in _ENDS)


def _is_untitled(run: Sequence[_Word]) -> bool:
    """Test if words after a title are no name of a person: "Motors", "County", "Of The Rings"."""
    first, last = fold(run[0].text), fold(run[-1].text)
    ends = {first, last} & (_ENDS | WORDS["generic"]) or first in _SMALL
    return bool(ends) or _is_organisation(run)


def _name(run: Sequence[_Word], text: str, title: str = "", start: int | None = None) -> Name:
    first, end = run[0].start, run[-1].end
    own = text[first:end]
    end -= len(own) - len(_POSSESSIVE.sub("", own))
    if text[end : end + 1] == "." and _may_have_point(run[-1].text) and len(run[-1].text) > 1:
        end += 1
    own = text[first:end]
    return Name(first if start is None else start, end, own, _kind(run, own, title), title)


def _kind(run: Sequence[_Word], text: str, title: str) -> NameKind:
    if title:
        return NameKind.PERSON
    person = bool(given(run[0].text))
    if places(text):
        return NameKind.UNKNOWN if person and len(run) == 1 else NameKind.PLACE
    if organisation(text) or (len(run) > 1 and _is_organisation(run)):
        return NameKind.ORGANISATION
    if (person or _INITIALS.fullmatch(text)) and run[-1].text.isalpha():
        return NameKind.PERSON
    if len(run) > 1 and {fold(run[0].text), fold(run[-1].text)} & WORDS["places"]:
        return NameKind.PLACE
    return NameKind.UNKNOWN


def _with_title(text: str, name: Name) -> Name:
    """Add a title in lower case: "captain Ann Lee", "Ann Lee, the captain,"."""
    if name.title or name.kind not in (NameKind.PERSON, NameKind.UNKNOWN):
        return name
    apposed = _APPOSED.match(text, name.end)
    if apposed and (title := _title_name(apposed[1])):
        return replace(name, end=apposed.end(), kind=NameKind.PERSON, title=title)
    before = _LAST_WORDS.search(text, max(0, name.start - _LONGEST_TITLE), name.start)
    words = before[0].split() if before else []
    for at in range(len(words)):
        if title := _title_name(" ".join(words[at:])):
            start = name.start - sum(len(word) + 1 for word in words[at:])
            return replace(name, start=start, kind=NameKind.PERSON, title=title)
    return name


def _title_name(words: str) -> str:
    return "" if words in WORDS["family"] else gazetteer.TITLE_NAMES.get(words, "")


def _is_town(place: str) -> bool:
    return ", " in place


def _with_regions(text: str, names: Sequence[Name]) -> Iterator[Name]:
    """Join a town and its region: "Austin, Texas"."""
    place = 0
    while place < len(names):
        name = names[place]
        place += 1
        if place < len(names) and text[name.end : names[place].start] in (", ", " ,", " , "):
            after = names[place]
            area = gazetteer.region(after.text)
            known = places(name.text)
            inside = any(area == town or area in outer(town) for town in known)
            town = name.kind in (NameKind.UNKNOWN, NameKind.PLACE) and all(map(_is_town, known))
            listed = (_NAME_AHEAD if known else _AND_NAME).match(text, after.end)
            if area and (inside or (town and gazetteer.is_state(area) and not listed)):
                place += 1
                name = Name(name.start, after.end, text[name.start : after.end], NameKind.PLACE)
        yield name
