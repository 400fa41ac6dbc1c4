"""Make README and guides install hybridsem from PyPI; run once, before the first release."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGES = ("README.md", "docs/index.md", "docs/install.md")
LINES = (
    (r"pip install \.(?=\s)( *)# in a checkout; ", r"pip install hybridsem\1# "),
    (r"pip install \.(?=\s)", "pip install hybridsem"),
    (r"pip install '\.\[", "pip install 'hybridsem["),
    (r", and make for development\. In a checkout:", ". In a checkout, make has the rest:"),
)


def published(text: str) -> str:
    """Return a page whose commands install from PyPI."""
    for pattern, line in LINES:
        text = re.sub(pattern, line, text)
    return text


if __name__ == "__main__":
    root = Path(sys.argv[1] if sys.argv[1:] else ".")
    for page in PAGES:
        path = root / page
        path.write_text(published(path.read_text("utf-8")), "utf-8")
