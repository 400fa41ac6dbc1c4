"""Where the sentences of a document are: by closing marks, blank lines, and a list of abbreviations."""

from __future__ import annotations

import re

from hybridsem.parsers.tokenise import ABBREVIATIONS

__all__ = ["sentences"]

_CLOSERS = "\"'”’»)\\]}）」』"
# A closing mark before a blank; that of a script without blanks; a blank line.
_END = re.compile(rf"[.!?…]+[{_CLOSERS}]*(?=\s)|[。！？｡]+[{_CLOSERS}]*|\n\s*\n")
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘]*$")
_ABBREVIATIONS = frozenset(ABBREVIATIONS.split())


def sentences(text: str) -> list[tuple[int, int]]:
    """The half-open spans of the sentences, without the blanks around them; none for a blank text.

    A full stop ends no sentence after an abbreviation or an initial, nor before a small letter.
    """
    found, start = [], 0
    for match in _END.finditer(text):
        mark, end = match.group(), match.end()
        if mark == "." and _goes_on(text, start, match.start(), end):
            continue
        found.append(_stripped(text, start, end))
        start = end
    found.append(_stripped(text, start, len(text)))
    return [span for span in found if span[0] < span[1]]


def _goes_on(text: str, start: int, at: int, end: int) -> bool:
    word = _LAST_WORD.search(text, max(start, at - 20), at)
    last = word.group() if word else ""
    if last.lower() in _ABBREVIATIONS - {"no"} or (len(last) == 1 and last.isupper() and last != "I"):
        return True
    following = text[end : end + 20].lstrip()
    return following[:1].islower()


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())
