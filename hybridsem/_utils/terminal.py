"""Make text from outside (file names, servers' answers, cells) safe for a terminal."""

from __future__ import annotations

import logging
import re

# Characters that act on a terminal or page: controls, bidirectional overrides, surrogates.
_ACTING = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_BLANKS = frozenset("\t\n\v\f\r\x85\u2028\u2029")


def visible(text: str) -> str:
    """Return the text on one line, with control characters spelled out."""
    return _ACTING.sub(lambda found: " " if found[0] in _BLANKS else ascii(found[0])[1:-1], text)


def visible_lines(text: str) -> str:
    """Apply :func:`visible` to each line of the text."""
    return "\n".join(map(visible, text.split("\n")))


class VisibleFormatter(logging.Formatter):
    """Formats log messages with control characters spelled out."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the safe message."""
        return visible_lines(super().format(record))
