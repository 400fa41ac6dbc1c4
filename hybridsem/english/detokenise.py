"""Tokenised text written as people write it: the Penn Treebank's tokens joined again."""

from __future__ import annotations

import re

_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
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
    """The text without the blanks that a treebank's tokeniser has put in; quotes are typographic.
    ``text``: what is not tokenised stays as it is, but for runs of blanks.

    >>> print(detokenise("The club ( Ajax ) did n't `` win '' , 3 -- 4 ."))
    The club (Ajax) didn't “win”, 3–4.
    """
    text = " ".join(_BRACKETS.get(token, token) for token in text.split())
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text
