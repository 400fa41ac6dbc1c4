"""Reading and writing semantic roles in the columns of the CoNLL-2012 shared task.

    #begin document (pets); part 000
    pets 0 0 The    DET  (TOP* -     -  - - * (ARG1* -
    pets 0 1 dog    NOUN *     -     -  - - * *)     -
    pets 0 2 was    AUX  *     -     -  - - * *      -
    pets 0 3 chased VERB *)    chase 01 - - * (V*)   -
    #end document

A row a word, an empty line after a sentence: document, part, number, word, part of speech, parse,
lemma and frame number of a predicate, sense, speaker, named entity, one column of arguments a
predicate, coreference. What is written has UPOS tags, no parse and no coreference; what is read of
a file is the words and the predicates, whether or not there is a column of coreference. There is no
tree in such a file, and no spacing: a sentence is its words with a blank between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hybridsem._utils.doors import door
from hybridsem._utils.lines import LineReader
from hybridsem.english.tokenise import BRACKETS
from hybridsem.errors import FormatError, InputError
from hybridsem.parsers.adapters.span_frames import (
    PREDICATE_LABELS,
    continued,
    structure_of_predicates,
)
from hybridsem.structures import (
    Argument,
    DependencyTree,
    Frame,
    Parsed,
    Predicate,
    Role,
    RoleStructure,
)

__all__ = ["BEGIN", "END", "format_conll2012", "read_conll2012"]

BEGIN = "#begin document (hybridsem); part 000\n"
END = "#end document\n"

_BEFORE = 11  # columns before the arguments
_WORD, _TAG, _LEMMA, _FRAME = 3, 4, 6, 7
_CELL = re.compile(r"((?:\([^()*\s]+)*)\*(\)*)")
_BLANKS = re.compile(r"[ \t\r]+")  # other white space may be part of a word
_ESCAPED = {bracket: name for name, bracket in BRACKETS.items()}
_READ_AS = BRACKETS | {"/.": ".", "/?": "?", "/-": "-"}  # OntoNotes writes them so

_Span = tuple[str, Sequence[int]]


@door
def read_conll2012(path: str | Path) -> Iterator[Parsed]:
    """The sentences of a file as role structures, lazily; a :class:`ParseFailure` for one without a
    predicate.

    The general roles are those of :mod:`hybridsem.parsers.adapters.span_frames`. A label may be
    PropBank's, a VerbNet role or one of the eight; one that is none of them is among the frame's
    ``arguments`` and in no role. Raises :class:`InputError` (a file that cannot be opened),
    :class:`FormatError` with file and line: a row with too few columns, rows of different length in
    a sentence, or columns whose brackets do not close.
    """
    reader = LineReader(path)
    rows: list[list[str]] = []
    for number, line in reader:
        # A document may begin or end with no empty line after the last sentence.
        columns = (
            [] if line.startswith("#") else [column for column in _BLANKS.split(line) if column]
        )
        if columns:
            wanted = (
                f"at least {_BEFORE}"
                if not rows
                else f"{len(rows[0])}, as in the sentence's first row"
            )
            if len(columns) < _BEFORE or (rows and len(columns) != len(rows[0])):
                raise FormatError(
                    f"expected {wanted} columns, got {len(columns)}", reader.name, number
                )
            rows.append(columns)
        elif rows:
            yield _sentence(rows, reader.name, number - len(rows))
            rows = []
    if rows:
        yield _sentence(rows, reader.name, reader.number - len(rows) + 1)


def _sentence(rows: list[list[str]], name: str, first: int) -> Parsed:
    words = [_READ_AS.get(row[_WORD], row[_WORD]) for row in rows]
    marked = [k for k, row in enumerate(rows) if row[_FRAME] != "-"]
    predicates = []
    width = len(rows[0]) - _BEFORE
    if width and not any("*" in row[-1] for row in rows):
        width -= 1  # the last column is coreference
    for column in range(width):
        spans = _spans([row[_BEFORE + column] for row in rows], name, first, column)
        verb = next((tokens for label, tokens in spans if label.lower() in PREDICATE_LABELS), None)
        if verb is None and len(marked) != width:
            raise FormatError(
                f"column {_BEFORE + column + 1} marks no predicate with (V*)", name, first
            )
        index = marked[column] if verb is None else next((k for k in verb if k in marked), verb[0])
        lemma, frame = rows[index][_LEMMA], rows[index][_FRAME]
        lemma = words[index].lower() if lemma == "-" else lemma
        arguments = continued(verb or (), index)
        arguments += [
            Argument(label, tuple(tokens), tokens[0])
            for label, tokens in spans
            if label.lower() not in PREDICATE_LABELS
        ]
        predicates.append(
            Predicate(index, lemma, None if frame == "-" else f"{lemma}.{frame}", tuple(arguments))
        )
    return structure_of_predicates(" ".join(words), words, predicates)


def _spans(cells: Sequence[str], name: str, first: int, column: int) -> list[_Span]:
    """The labelled spans of a column, in the order in which they begin."""
    found: list[_Span] = []
    open_at: list[tuple[int, str, int]] = []  # place among what is found, label, first word
    for k, cell in enumerate(cells):
        match = _CELL.fullmatch(cell)
        if match is None:
            message = f"column {_BEFORE + column + 1}: expected (LABEL*, * or *), got {cell!r}"
            raise FormatError(message, name, first + k)
        for label in match[1].split("(")[1:]:
            open_at.append((len(found), label, k))
            found.append((label, ()))
        for _ in match[2]:
            if not open_at:
                raise FormatError(
                    f"column {_BEFORE + column + 1}: a bracket closes that is not open",
                    name,
                    first + k,
                )
            place, label, start = open_at.pop()
            found[place] = (label, range(start, k + 1))
    if open_at:
        message = (
            f"column {_BEFORE + column + 1}: the bracket of {open_at[-1][1]} does not close "
            "in its sentence"
        )
        raise FormatError(message, name, first + open_at[-1][2])
    return found


def format_conll2012(structures: Iterable[RoleStructure], labels: str = "propbank") -> str:
    """Sentences as rows, each with an empty line after it; :data:`BEGIN` and :data:`END` go around
    them in a file. Spans of several pieces go on as ``C-``. ``labels``: ``propbank``, the
    predicates and labels that a semantic role labeller found, or ``general``, the frames with the
    eight roles. Raises :class:`InputError` (a structure without a tree, or without PropBank's
    labels where they are asked for).

    >>> from hybridsem.registry import parser
    >>> structures = parser("embedded", "verbnet").parse(["A dog barked."])
    >>> format_conll2012(structures, labels="general").split()[3]
    'A'
    """
    lines: list[str] = []
    for structure in structures:
        tree = structure.tree
        if tree is None:
            raise InputError(
                "this parser gives roles and no words, so there is no CoNLL-2012; use --format json"
            )
        if labels == "propbank":
            if tree.predicates is None:
                raise InputError(
                    "this parser gives no PropBank labels; use --format conll2012-roles"
                )
            columns = [_of_predicate(predicate) for predicate in tree.predicates]
        else:
            columns = [
                _of_frame(frame)
                for frame in structure.frames
                if frame.fillers[Role.VERB].head is not None
            ]
        lines += [*_rows(tree, sorted(columns, key=lambda column: column[0])), ""]
    return "\n".join(lines) + "\n" if lines else ""


def _of_predicate(predicate: Predicate) -> tuple[int, str, str, list[_Span]]:
    lemma, _, frame = (predicate.roleset or f"{predicate.lemma}.-").rpartition(".")
    spans: list[_Span] = [(argument.label, argument.tokens) for argument in predicate.arguments]
    return predicate.index, lemma, frame, [("V", (predicate.index,)), *spans]


def _of_frame(frame: Frame) -> tuple[int, str, str, list[_Span]]:
    verb = frame.fillers[Role.VERB]
    index = verb.head if verb.head is not None else verb.tokens[0]
    spans: list[_Span] = [
        (str(role), each.tokens) for role, each in frame.fillers.items() if role != Role.VERB
    ]
    rest = [t for t in verb.tokens if t != index]
    return (
        index,
        frame.predicate.replace(" ", "_"),
        "-",
        [("V", (index,)), *([("C-V", rest)] if rest else []), *spans],
    )


def _rows(tree: DependencyTree, columns: Sequence[tuple[int, str, str, list[_Span]]]) -> list[str]:
    cells = [_cells(len(tree), spans) for _, _, _, spans in columns]
    named = {index: (lemma, frame) for index, lemma, frame, _ in columns}
    last = len(tree) - 1
    rows = []
    for k, token in enumerate(tree):
        lemma, frame = named.get(k, ("-", "-"))
        word = "_".join(token.text.split()) or "_"
        fixed = ("hybridsem", "0", str(k), _ESCAPED.get(word, word), token.pos or "X")
        parse = f"{'(TOP' if k == 0 else ''}*{')' if k == last else ''}"
        lemma = "_".join(lemma.split()) or "-"
        rows.append(
            " ".join(
                [*fixed, parse, lemma, frame, "-", "-", "*", *(column[k] for column in cells), "-"]
            )
        )
    return rows


def _cells(length: int, spans: Sequence[_Span]) -> list[str]:
    """A column; a word goes to its first span, and a span's further pieces continue it."""
    cells = ["*"] * length
    used: set[int] = set()
    for label, tokens in spans:
        left = sorted(t for t in tokens if t not in used)
        used.update(left)
        starts = [t for t in left if t - 1 not in left]
        for start in starts:
            end = next(t for t in left if t >= start and t + 1 not in left)
            name = label if start == starts[0] or label.startswith("C-") else f"C-{label}"
            cells[start] = f"({name}{cells[start]}"
            cells[end] += ")"
    return cells
