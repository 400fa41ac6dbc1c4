"""Reading and writing CoNLL-U.

Only basic trees are read: multiword-token lines give the character offsets of their words, empty
nodes are skipped.

    1-2   don't   _     _   …          text   "I don't"
    1     do      do    AUX …          start 0, end 2
    2     n't     not   PART …         start 2, end 5
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.errors import FormatError
from hybridsem.structures import DependencyTree, Predicate, Token

_COLUMNS = 10
_WORD = re.compile(r"[1-9][0-9]*")
_RANGE = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY_NODE = re.compile(r"[0-9]+\.[1-9][0-9]*")
_HEAD = re.compile(r"0|[1-9][0-9]*")


@wrap_read_errors
def read_conllu(path: str | Path) -> Iterator[DependencyTree]:
    """Yield the trees of a CoNLL-U file. Offsets refer to the text that the words and
    ``SpaceAfter=No`` spell. A missing lemma is the form. Raises :class:`InputError` (the file
    cannot be opened), :class:`FormatError` with file and line (not UTF-8, not CoNLL-U, or not a
    tree).
    """
    with closing(iter(LineReader(path))) as lines:
        rows = ((n, "" if line[:1] == "#" else line) for n, line in lines)
        for is_sentence, block in groupby(rows, key=lambda row: bool(row[1].strip())):
            if is_sentence:
                yield _Sentence(path).tree([(number, line.split("\t")) for number, line in block])


@dataclass
class _Sentence:
    """A sentence under construction."""

    path: object
    text: str = ""
    tokens: list[Token] = field(default_factory=list)
    # The current multiword token: its last word, and the range of its unassigned letters.
    last: int = 0
    at: int = 0
    end: int = 0

    def tree(self, rows: list[tuple[int, list[str]]]) -> DependencyTree:
        for number, columns in rows:
            if len(columns) != _COLUMNS:
                message = f"expected {_COLUMNS} columns separated by tabs, got {len(columns)}"
                raise self._error(message, number)
            identifier = columns[0]
            if _WORD.fullmatch(identifier):
                self._word(columns, number)
            elif found := _RANGE.fullmatch(identifier):
                self._multiword(int(found[1]), int(found[2]), columns, number)
            elif not _EMPTY_NODE.fullmatch(identifier):
                message = f"expected an ID such as 3, 3-4 or 3.1, got {identifier!r}"
                raise self._error(message, number)
        tree = DependencyTree(self.text.rstrip(" "), tuple(self.tokens))
        if self.last > len(tree):
            message = f"the multiword token goes to word {self.last}, got {len(tree)} words"
            raise self._error(message, rows[-1][0])
        if any(token.head >= len(tree) for token in tree) or not tree.tokens or not tree.is_tree():
            message = "the heads of this sentence are not a tree with one root"
            raise self._error(message, rows[0][0])
        return tree

    def _error(self, message: str, number: int) -> FormatError:
        return FormatError(message, self.path, number)

    def _spell(self, form: str, misc: str) -> tuple[int, int]:
        start = len(self.text)
        self.text += form
        end = len(self.text)
        if "SpaceAfter=No" not in misc.split("|"):
            self.text += " "
        return start, end

    def _multiword(self, first: int, last: int, columns: list[str], number: int) -> None:
        if first != len(self.tokens) + 1 or last <= first or first <= self.last:
            raise self._error(f"a multiword token {columns[0]!r} is not possible here", number)
        self.last = last
        self.at, self.end = self._spell(columns[1], columns[9])

    def _word(self, columns: list[str], number: int) -> None:
        identifier, form, lemma, upos, _xpos, _feats, head, relation, _deps, misc = columns
        index = int(identifier)
        if index != len(self.tokens) + 1:
            raise self._error(f"expected word {len(self.tokens) + 1}, got {identifier!r}", number)
        if not form:
            raise self._error("expected a FORM, got ''", number)
        if not _HEAD.fullmatch(head):
            message = f"expected a HEAD that is 0 or the number of a word, got {head!r}"
            raise self._error(message, number)
        start, end = self._share(form, index) if index <= self.last else self._spell(form, misc)
        lemma = form if lemma == "_" else lemma
        self.tokens.append(Token(form, lemma, upos, int(head) - 1, relation, start, end))

    def _share(self, form: str, index: int) -> tuple[int, int]:
        """Return a word's range in its multiword token, or the whole rest ("du" = de + le)."""
        start, end = self.at, min(self.at + len(form), self.end)
        if index == self.last or self.text[start:end].lower() != form.lower():
            return start, self.end
        if end < self.end:
            self.at = end
        return start, end


def format_conllu(trees: Iterable[DependencyTree], first: int = 1) -> str:
    """Return the trees as one CoNLL-U string; every sentence ends in a blank line. Words that share
    letters become a multiword token, and white space becomes one blank. So :func:`read_conllu`
    returns the same words, heads and relations, and the same text up to space. Predicates and
    offsets in the tree's text are in the MISC column:
    ``Roleset=chase.01|ArgSpans=ARG0:1-2,ARG1:4-4|TokenRange=8:14``.

    >>> from hybridsem.parsers.trees.embedded import EmbeddedTrees
    >>> format_conllu(EmbeddedTrees().trees(["A dog barked."]), first=7).splitlines()[:2]
    ['# sent_id = 7', '# text = A dog barked.']
    """
    lines: list[str] = []
    for number, tree in enumerate(trees, start=first):
        lines += [f"# sent_id = {number}", f"# text = {_one_line(tree.text)}"]
        semantics = {predicate.index: _semantics(predicate) for predicate in tree.predicates or ()}
        until = 0  # the end of the current multiword token
        for i, token in enumerate(tree):
            if i >= until:  # words that share letters with this one, directly or not
                end, until = token.end, i + 1
                while until < len(tree) and tree[until].start < end:
                    end, until = max(end, tree[until].end), until + 1
                joined = until < len(tree) and tree[until].start <= end
                space = ["SpaceAfter=No"] if joined else []
                if until > i + 1:
                    form = _one_line(tree.text[token.start : end])
                    misc = "|".join([f"TokenRange={token.start}:{end}", *space])
                    lines.append("\t".join([f"{i + 1}-{until}", form, *"_" * 7, misc]))
                    space = []
            place = f"TokenRange={token.start}:{token.end}"
            misc = "|".join([*semantics.get(i, ()), place, *space])
            syntax = ("_", "_", str(token.head + 1), token.relation, "_", misc)
            fields = map(_one_line, (token.text, token.lemma, token.pos, *syntax))
            lines.append("\t".join([str(i + 1), *(text or "_" for text in fields)]))
        lines.append("")
    return "\n".join(lines) + "\n" if lines else ""


def _semantics(predicate: Predicate) -> Iterator[str]:
    """Yield a predicate's fields of the MISC column."""
    if predicate.roleset is not None:
        yield f"Roleset={_one_line(predicate.roleset)}"
    spans = (
        f"{_one_line(a.label)}:{a.tokens[0] + 1}-{a.tokens[-1] + 1}" for a in predicate.arguments
    )
    if written := ",".join(spans):
        yield f"ArgSpans={written}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
