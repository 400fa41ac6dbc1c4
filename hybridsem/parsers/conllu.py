"""Reading and writing CoNLL-U.

Only basic trees are kept: multiword-token lines give the character offsets of their words, empty nodes are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from hybridsem.errors import FormatError
from hybridsem.structures import DependencyTree, Token

__all__ = ["format_conllu", "read_conllu"]


def read_conllu(source: str | Path | IO[str]) -> Iterator[DependencyTree]:
    """The trees of a CoNLL-U file, lazily.

    Offsets refer to the sentence as the words and ``SpaceAfter=No`` spell it. Raises :class:`FormatError` with the file
    and the line for a row that is not CoNLL-U or a sentence that is not a tree.
    """
    if isinstance(source, (str, Path)):
        try:
            with open(source, encoding="utf-8") as stream:
                yield from _read(stream, source)
        except UnicodeDecodeError as error:
            raise FormatError(f"not UTF-8 ({error.reason} at byte {error.start})", source) from None
        return
    yield from _read(source, getattr(source, "name", None))


def _read(stream: IO[str], path: object) -> Iterator[DependencyTree]:
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(stream, start=1):
        line = line.rstrip("\r\n")
        if line.startswith("#"):
            continue
        if line.strip():
            columns = line.split("\t")
            if len(columns) != 10:
                raise FormatError(f"expected 10 tab-separated columns, got {len(columns)}", path, number)
            rows.append((number, columns))
        elif rows:
            yield _tree(rows, path)
            rows = []
    if rows:
        yield _tree(rows, path)


def _tree(rows: list[tuple[int, list[str]]], path: object) -> DependencyTree:
    text, tokens = "", []
    inside_until, inside_at, inside_end, space_after = 0, 0, 0, True
    for number, (identifier, form, lemma, upos, _xpos, _feats, head, relation, _deps, misc) in rows:
        if "." in identifier:
            continue
        spaced = "SpaceAfter=No" not in misc.split("|")
        if "-" in identifier:
            inside_until = int(identifier.split("-")[1])
            inside_at, text = len(text), text + form
            inside_end, space_after = len(text), spaced
            text += " " if spaced else ""
            continue
        try:
            index, governor = int(identifier), int(head)
        except ValueError:
            raise FormatError(f"ID and HEAD must be numbers, got {identifier!r} and {head!r}", path, number) from None
        if index != len(tokens) + 1:
            raise FormatError(f"expected word {len(tokens) + 1}, got {identifier!r}", path, number)
        if index <= inside_until:
            # The words of a multiword token share its letters; "aux" of "du" has none of its own.
            start = inside_at
            end = min(start + len(form), inside_end) if index < inside_until else inside_end
            if text[start:end].lower() != form.lower():
                end = inside_end
            inside_at = end if index < inside_until and end < inside_end else start
        else:
            start, text = len(text), text + form
            end = len(text)
            text += " " if spaced else ""
        tokens.append(Token(form, lemma, upos, governor - 1, relation, start, end))
    tree = DependencyTree(text.rstrip(" "), tuple(tokens))
    if any(token.head >= len(tokens) for token in tokens) or not tokens or not tree.is_tree():
        raise FormatError("the heads of this sentence are not a tree with one root", path, rows[0][0])
    return tree


def format_conllu(trees: Iterable[DependencyTree]) -> str:
    """The trees as one CoNLL-U string; every sentence ends in a blank line."""
    lines: list[str] = []
    for number, tree in enumerate(trees, start=1):
        lines += [f"# sent_id = {number}", "# text = " + " ".join(tree.text.split())]
        for i, token in enumerate(tree):
            joined = i + 1 < len(tree) and tree[i + 1].start <= token.end
            misc = "SpaceAfter=No" if joined else "_"
            fields = (token.text, token.lemma, token.pos, "_", "_", str(token.head + 1), token.relation, "_", misc)
            lines.append("\t".join([str(i + 1), *(" ".join(field.split()) or "_" for field in fields)]))
        lines.append("")
    return "\n".join(lines) + "\n" if lines else ""
