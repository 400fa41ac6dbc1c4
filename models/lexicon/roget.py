"""Roget's Thesaurus of 1911 as heads: which words stand under which, by part of speech."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

PARTS = {"N": "n", "V": "v", "Adj": "a", "Adv": "r"}
HEAD = re.compile(r"\n +#(\d+[a-z]?)\.")
OPPOSED = re.compile(r"\{ant\.?[^}]*?([\d, a-z]+)\}")
ASIDE = re.compile(
    r"\[[^\]]*\]|\{[^}]*\}|&c\.?\s*(?:\([^)]*\)|(?:n|v|adj|adv)\.)?\s*\d*[a-z]?|\([^)]*\)|\d+[a-z]?"
)
"""Remarks, cross references and their numbers."""
LONGEST = 30


class Roget:
    """The heads in order, those that the text calls opposed, and the heads of each word.

    ``words`` are places, a head and a paragraph of it, by word and part of speech (n, v, a, r).
    """

    def __init__(self, path: Path) -> None:
        text = re.sub(r"\n%.*?\n%\n", "\n", path.read_text(encoding="latin-1"), flags=re.DOTALL)
        parts = HEAD.split(text)
        self.order = {head: number for number, head in enumerate(parts[1::2])}
        self.opposed: dict[str, list[str]] = {}
        self.words: defaultdict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
        for head, body in zip(parts[1::2], parts[2::2], strict=True):
            if named := OPPOSED.search(body):
                self.opposed[head] = re.findall(r"\d+[a-z]?", named[1])
            self._read(head, body)

    def _read(self, head: str, body: str) -> None:
        sections = re.split(r"(?:(?<=\s)|(?<=--))(N|V|Adj|Adv|Phr|Int|Prep)\.", body)
        for name, section in zip(sections[1::2], sections[2::2], strict=True):
            for number, paragraph in enumerate(re.split(r"\n {3,}", section)):
                for entry in re.split(r"[,;.:!?]", ASIDE.sub("", paragraph)):
                    word = " ".join(entry.replace("|", "").split()).strip(" -").lower()
                    if name in PARTS and 0 < len(word) < LONGEST:
                        self.words[word, PARTS[name]].add((head, number))

    def heads(self, word: str, pos: str) -> set[str]:
        """The heads that a word stands under."""
        return {head for head, _ in self.words.get((word, pos), ())}
