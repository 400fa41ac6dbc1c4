"""Reading and writing semantic roles in the columns of the CoNLL-2012 shared task.

    #begin document (pets); part 000
    pets 0 0 The    DET  (TOP* -     -  - - * (ARG1* -
    pets 0 1 dog    NOUN *     -     -  - - * *)     -
    pets 0 2 was    AUX  *     -     -  - - * *      -
    pets 0 3 chased VERB *)    chase 01 - - * (V*)   -
    #end document

The columns are document, part, number, word, part of speech, parse, lemma and frame number of a
predicate, sense, speaker, named entity, one column of arguments for each predicate, coreference. An
empty line follows a sentence. Written files have UPOS tags, no parse and no coreference. Only words
and predicates are read, with or without a column of coreference. The file has no trees and no
spacing: a sentence is its words joined by blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

from hybridsem._utils.lines import LineReader
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem.english.tokenise import BRACKETS
from hybridsem.errors import FormatError, InputError
from hybridsem.parsers.adapters import span_frames
from hybridsem.parsers.adapters.span_frames import PREDICATE_LABELS
from hybridsem.structures import Argument, DependencyTree, Parsed, Predicate, Role, RoleStructure

BEGIN = "#begin document (hybridsem); part 000\n"
END = "#end document\n"

_BEFORE = 11  # columns before the arguments
_WORD, _TAG, _LEMMA, _FRAME = 3, 4, 6, 7
_CELL = re.compile(r"((?:\([^()*\s]+)*)\*(\)*)")
_BLANKS = re.compile(r"[ \t\r]+")  # other white space may be part of a word
_ESCAPED = {bracket: name for name, bracket in BRACKETS.items()}
_READ_AS = BRACKETS | {"/.": ".", "/?": "?", "/-": "-"}  # OntoNotes writes them so

_Span = tuple[str, Sequence[int]]
_Column = tuple[int, str, str, list[_Span]]  # a predicate's word, lemma, frame and spans


@wrap_read_errors
def read_conll2012(path: str | Path) -> Iterator[Parsed]:
    """Yield the sentences of a file as role structures; failures for those without a predicate. The
    general roles are those of :mod:`hybridsem.parsers.adapters.span_frames`. A label may be
    PropBank's, a VerbNet role or one of the eight; others are in the frame's ``arguments`` only.
    Raises :class:`InputError` (the file cannot be opened), :class:`FormatError` with file and line
    (too few columns, rows of different length in a sentence, or unbalanced brackets).
    """
    reader = LineReader(path)
    with closing(iter(reader)) as lines:
        # A document may begin or end without an empty line after the last sentence.
        split = ((n, [] if line[:1] == "#" else _BLANKS.split(line)) for n, line in lines)
        rows = ((number, [*filter(None, columns)]) for number, columns in split)
        for is_sentence, block in groupby(rows, key=lambda row: bool(row[1])):
            if is_sentence:
                numbers, sentence = zip(*block, strict=True)
                yield _sentence(sentence, reader.name, numbers[0])


def _sentence(rows: Sequence[list[str]], name: str, first: int) -> Parsed:
    wanted = f"at least {_BEFORE} columns"
    for number, columns in enumerate(rows, first):
        if len(columns) < _BEFORE or len(columns) != len(rows[0]):
            raise FormatError(f"expected {wanted}, got {len(columns)}", name, number)
        wanted = f"{len(rows[0])} columns, as in the sentence's first row"
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
            message = f"column {_BEFORE + column + 1} marks no predicate with (V*)"
            raise FormatError(message, name, first)
        index = marked[column] if verb is None else next((k for k in verb if k in marked), verb[0])
        lemma, frame = rows[index][_LEMMA], rows[index][_FRAME]
        lemma = words[index].lower() if lemma == "-" else lemma
        arguments = span_frames.continued(verb or (), index)
        arguments += [
            Argument(label, tuple(tokens), tokens[0])
            for label, tokens in spans
            if label.lower() not in PREDICATE_LABELS
        ]
        roleset = None if frame == "-" else f"{lemma}.{frame}"
        predicates.append(Predicate(index, lemma, roleset, tuple(arguments)))
    return span_frames.structure_of_predicates(" ".join(words), words, predicates)


def _spans(cells: Sequence[str], name: str, first: int, column: int) -> list[_Span]:
    """Return the labelled spans of a column, by their first words."""
    found: list[_Span] = []
    open_at: list[tuple[int, str, int]] = []  # place in found, label, first word
    where = f"column {_BEFORE + column + 1}"
    for k, cell in enumerate(cells):
        match = _CELL.fullmatch(cell)
        if match is None:
            message = f"{where}: expected (LABEL*, * or *), got {cell!r}"
            raise FormatError(message, name, first + k)
        for label in match[1].split("(")[1:]:
            open_at.append((len(found), label, k))
            found.append((label, ()))
        for _ in match[2]:
            if not open_at:
                raise FormatError(f"{where}: a bracket closes that is not open", name, first + k)
            place, label, start = open_at.pop()
            found[place] = (label, range(start, k + 1))
    if open_at:
        message = f"{where}: the bracket of {open_at[-1][1]} does not close in its sentence"
        raise FormatError(message, name, first + open_at[-1][2])
    return found


def format_conll2012(structures: Iterable[RoleStructure], labels: str = "propbank") -> str:
    """Return sentences as rows; in a file, :data:`BEGIN` and :data:`END` enclose them. Interrupted
    spans continue as ``C-``. ``labels`` is ``propbank``, for a labeller's predicates, or
    ``general``, for the frames with the eight roles. Raises :class:`InputError` (a structure
    without a tree, or without PropBank labels if requested).
    """
    lines: list[str] = []
    for structure in structures:
        tree = structure.tree
        columns: list[_Column] = []
        spans: list[_Span]
        if tree is None:
            raise InputError(
                "this parser gives roles and no words, so there is no CoNLL-2012; use --format json"
            )
        if labels == "propbank":
            if tree.predicates is None:
                advice = "use --format conll2012-roles"
                raise InputError(f"this parser gives no PropBank labels; {advice}")
            for each in tree.predicates:
                lemma, _, frame = (each.roleset or f"{each.lemma}.-").rpartition(".")
                spans = [(argument.label, argument.tokens) for argument in each.arguments]
                columns.append((each.index, lemma, frame, [("V", (each.index,)), *spans]))
        else:
            for framed in structure.frames:
                verb = framed.fillers[Role.VERB]
                if verb.head is None:
                    continue
                rest = [t for t in verb.tokens if t != verb.head]
                spans = [("V", (verb.head,)), *([("C-V", rest)] if rest else [])]
                spans += [(str(r), f.tokens) for r, f in framed.fillers.items() if r != Role.VERB]
                columns.append((verb.head, framed.predicate.replace(" ", "_"), "-", spans))
        lines += [*_rows(tree, sorted(columns, key=lambda column: column[0])), ""]
    return "\n".join(lines) + "\n" if lines else ""


def _rows(tree: DependencyTree, columns: Sequence[_Column]) -> list[str]:
    cells = [["*"] * len(columns) for _ in tree]
    for column, (*_, spans) in enumerate(columns):
        used: set[int] = set()
        for label, tokens in spans:  # a word belongs to its first span
            left = sorted(t for t in tokens if t not in used)
            used.update(left)
            starts = [t for t in left if t - 1 not in left]
            for start in starts:  # further pieces continue the span
                end = next(t for t in left if t >= start and t + 1 not in left)
                name = label if start == starts[0] or label.startswith("C-") else f"C-{label}"
                cells[start][column] = f"({name}{cells[start][column]}"
                cells[end][column] += ")"
    named = {index: (lemma, frame) for index, lemma, frame, _ in columns}
    last = len(tree) - 1
    rows = []
    for k, token in enumerate(tree):
        lemma, frame = named.get(k, ("-", "-"))
        word = "_".join(token.text.split()) or "_"
        fixed = ("hybridsem", "0", str(k), _ESCAPED.get(word, word), token.pos or "X")
        parse = f"{'(TOP' if k == 0 else ''}*{')' if k == last else ''}"
        lemma = "_".join(lemma.split()) or "-"
        rows.append(" ".join([*fixed, parse, lemma, frame, "-", "-", "*", *cells[k], "-"]))
    return rows
