"""Tokenisation of English text as in UD English EWT.

``tokenise("I can't re-do the long-term plan.")`` gives the spans of ``I ca n't re-do the long -
term plan .``
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from hybridsem._utils.tables import read_table
from hybridsem.english.words import ABBREVIATIONS, CLITICS

Span = tuple[int, int]
CACHED = 16_384

_TABLES = read_table(__file__)

SPLIT = {word.replace("|", ""): word.index("|") for word in _TABLES["split"].split()}

_abbreviation = "|".join(map(re.escape, sorted(ABBREVIATIONS, key=lambda word: (-len(word), word))))
_clitic = "|".join(CLITICS)
_attached = "|".join(_TABLES["attached"].split())

# Marks that belong to the character before: accents, vowel signs, variation selectors, skin tones,
# the letters of flags.
_written_on = "".join(
    mark for mark in map(chr, range(0x300, 0x2100)) if unicodedata.category(mark)[0] == "M"
)
_marks = f"[{_written_on}\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"

_TOKEN = re.compile(
    rf"""
    (?=\S)(?:                                    # nothing below matches a blank
      # words and stops that no other pattern matches
      (?P<letters>
          [A-Za-z]++(?=[ ,;?!)"]|$)
        | (?=[A-Za-z]{{2,}}+\.$)(?!(?i:{_abbreviation})\.)[A-Za-z]++
      )
    | (?P<stop> \.$ | ,(?=\ ) )
    | (?P<keep>
          (?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?')\]]            # addresses
        | [\w.+-]{{1,64}}@[\w-]++(?:\.[\w-]++)++                 # what is before @ is no longer
        | (?<!\w)(?<!\w[-.])\w+(?:[-.]\w+)*
          \.(?:com|org|net|edu|gov|co\.uk|html?|pdf|docx?|xls|jpe?g)\b
          (?:/[^\s<>"]*[^\s<>".,;:!?')\]])?
        | @\w+ | \#[^\W\d]\w*
        | [:;=8][-o*']?[()\[\]DPp/\\|*](?!\w) | <3 | \^_+\^         # emoticons
        | \b(?i:{_abbreviation})\.(?=\s+\w|\s*[,;:)]|\w*$)
        | \b[A-Z]\.(?=\s+\w|\s*[,;:)])                          # an initial; "user A." ends
        | (?:[A-Za-z]\.){{2,}}[A-Za-z]?\b\.?
        | \d{3}-\d{3}-\d{4} \b | \d{3}-\d{4} \b    # telephone numbers
        | \d+(?:[.,:/]\d+)+(?:(?:st|nd|rd|th|s)\b|(?!\d))
        | [A-Z]+&[A-Z]+\b
        | \d+(?:st|nd|rd|th)\b
        | (?i:o'clock|ma'am|y'all|c'mon|'cause|'em|rock'n'roll)\b
      )
    | (?P<clitic> (?i: n['’]t | ['’`](?:{_clitic}) )\b(?!['’]) )
    | (?P<word>
          (?i:(?:{_attached})-(?=\w))?
          (?:(?!(?i:n['’]t\b))[^\W_]{_marks})+                     # up to a negation
          (?:['’](?!(?i:{_clitic}|t)\b)[^\W\d_]+)*            # O'Brien
          (?:_[^\W_]+)*
      )
    | (?P<mark>
          <<+ | >>+ | ’’ | ‘‘ | \.{{2,}} | …  | -{{2,}} | [!?]{{2,}} | \*+ | =+ | _+ | ~+ | \#+
        | (?:--?>) | <-+
        | '' | `` | &
      )
    | (?P<other> (?:[^\s\w]|\w){_marks} (?:\u200d[^\s\w]{_marks})* )  # joined signs are one picture
    )
    """,
    re.VERBOSE,
)
_UNIT = re.compile(r"(\d+)(am|pm|AM|PM|k|K|km|kg|mb|mg|ml|cm|mm|ft|GB|MB|hrs?|mins?|%)$")


def tokenise(text: str) -> list[Span]:
    """Return the (start, end) spans of the words of a text, in order. White space and control
    characters are in no span; every other character is in exactly one.
    """
    spans: list[Span] = []
    for match in _TOKEN.finditer(text):
        start, end = span = match.span()
        kind = match.lastgroup
        if kind in ("letters", "word") and (cut := _second_part(match[0])):
            spans += [(start, start + cut), (start + cut, end)]
        elif kind != "other" or text[start].isprintable():
            spans.append(span)
    return spans


@lru_cache(CACHED)
def _second_part(word: str) -> int | None:
    """Return where a contraction without apostrophe, or a number with its unit, is split."""
    cut = SPLIT.get(word.lower())
    if cut is None and word[0].isdigit() and (unit := _UNIT.match(word)):
        cut = unit.start(2)
    return cut


BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
"""Brackets as treebanks write them."""
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"(?<=\d) ?-- ?(?=\d)", "–"),
        (r"(?<!\S)--(?!\S)", "–"),
        (r"(?<=\w) - (?=\w)", "-"),
        (r"(?<=\d) ([:/]) (?=\d)", r"\1"),
        (r"(?<!\S)`` ?", "“"),
        (r" ?''(?!\S)", "”"),
        (r"(?<=[(\[{“‘]) ", ""),
        (r" (?=[)\]}”])", ""),
        (r" (?=(?:[,;:!?%]|\.(?:\.\.)?)(?!\S))", ""),
        (r" (?=[,;:!?.][”)\]])", ""),
        (r"(?<=[$£€#]) (?=\d)", ""),
        (r" (?=(?:n['’]t|['’](?:s|re|ve|ll|d|m|em))(?!\w))", ""),
        (r"(?<=s) (?=['’] [“\w])", ""),
        (r"\b([Cc]an) (?=not\b)", r"\1"),
    )
)


def detokenise(text: str) -> str:
    """Return the text without the blanks of a treebank's tokeniser, with typographic quotes."""
    text = " ".join(BRACKETS.get(token, token) for token in text.split())
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
