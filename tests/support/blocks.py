"""Tables of cases: files of blocks with an empty line between them.

# a title, for this block and those after it without one
a line
another line
"""

from pathlib import Path
from typing import Any

import pytest


def cases(test: str, name: str = "constructions.txt") -> list[Any]:
    """The parameter ``lines`` of a test for each block of a file beside it.

    Args:
        test: ``__file__`` of the test.
        name: Of the file.
    """
    text = Path(test).with_name(name).read_text(encoding="utf-8")
    title, found = "", []
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if lines[0].startswith("# "):
            title = lines.pop(0).removeprefix("# ")
        if lines and not lines[0].startswith("#"):
            found.append(pytest.param(lines, id=title or lines[0]))
    return found


def rows(test: str, title: str, name: str = "pairs.txt") -> list[list[str]]:
    """The lines of the block with that title, each as its cells between ``|``."""
    (lines,) = (case.values[0] for case in cases(test, name) if case.id == title)
    return [line.split(" | ") for line in lines]
