"""Reading PropBank as JSON lines: for each sentence its words, UD tree, predicates and arguments.

    {"tokens": ["She", "left"], "upos": ["PRON", "VERB"], "head": [2, 0], "deprel": ["nsubj",
     "root"], "predicates": [{"index": 1, "lemma": "leave", "roleset": "leave.01", "args": [["ARG0",
     0, 1, ["theme"]]]}]}

Heads count from 1 and 0 is the root; an argument is a label, a half-open range of words and its
VerbNet roles.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.english.lemmas import Lemmatiser, lemmatiser
from hybridsem.errors import FormatError
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.structures import Argument, DependencyTree, Predicate, Token


@wrap_read_errors
def read_propbank(path: str | Path, treebank: str | Path | None = None) -> Iterator[DependencyTree]:
    """Yield the trees of a file with their ``predicates``, without general roles.

    The text is the words joined by blanks, and lemmas come from the lemmatiser. A sentence of
    ``treebank``, a CoNLL-U file, with the same words replaces both. Raises :class:`FormatError`
    with file and line for another format.
    """
    reader = LineReader(path)
    known = read_conllu(treebank) if treebank is not None else ()
    written = {tuple(t.text for t in tree): tree for tree in known}
    lemma = lemmatiser()
    for number, line in reader:
        try:
            yield _sentence(json.loads(line), written, lemma)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise FormatError(
                f"not a sentence of PropBank: {type(error).__name__} {error}", reader.name, number
            ) from None


def _sentence(
    row: Mapping[str, Any], written: Mapping[tuple[str, ...], DependencyTree], lemma: Lemmatiser
) -> DependencyTree:
    heads = [int(head) - 1 for head in row["head"]]
    known = written.get(tuple(row["tokens"]))
    text, at = known.text if known else " ".join(row["tokens"]), 0
    tokens = []
    rows = zip(row["tokens"], row["upos"], heads, row["deprel"], strict=True)
    for k, (form, pos, head, relation) in enumerate(rows):
        start, end = (known[k].start, known[k].end) if known else (at, at + len(form))
        base = known[k].lemma if known else lemma(form, pos)
        tokens.append(Token(form, base, pos, head, relation, start, end))
        at += len(form) + 1
    tree = DependencyTree(text, tuple(tokens))
    if any(head >= len(tree) for head in heads) or not tree.tokens or not tree.is_tree():
        raise ValueError("the heads are not a tree with one root")
    return DependencyTree(
        text, tree.tokens, predicates=tuple(_predicate(item, heads) for item in row["predicates"])
    )


def _predicate(item: Mapping[str, Any], heads: Sequence[int]) -> Predicate:
    arguments = []
    for label, start, end, roles in item["args"]:
        if not 0 <= start < end <= len(heads):
            within = f"within 0 to {len(heads)}"
            raise ValueError(f"an argument is a range {within}, got {start} to {end}")
        head = span_head(heads, start, end)
        arguments.append(Argument(label, tuple(range(start, end)), head, tuple(roles)))
    if not 0 <= item["index"] < len(heads):
        raise ValueError(f"a predicate is a word from 0 to {len(heads) - 1}, got {item['index']}")
    return Predicate(item["index"], item["lemma"], item["roleset"], tuple(arguments))


def span_head(heads: Sequence[int], start: int, end: int) -> int:
    """Return the first word of a range whose governor is outside it (``heads`` count from 0)."""
    return next(k for k in range(start, end) if not start <= heads[k] < end)
