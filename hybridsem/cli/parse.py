"""``hybridsem parse``: sentences to roles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import click
from click.core import ParameterSource

from hybridsem._utils.lines import LineReader
from hybridsem.cli import _options as opt
from hybridsem.cli._shared import Parts, counted, echo_err, in_chunks, json_text, make_pipeline
from hybridsem.errors import HybridSemError, InputError
from hybridsem.parsers.adapters.conll2012 import BEGIN, END, format_conll2012
from hybridsem.parsers.adapters.precomputed import roles_of, sentences_of
from hybridsem.parsers.trees.conllu import format_conllu
from hybridsem.render import parsed_as_text
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

PARSE_CHUNK = 256


def _sentences(file: str, in_pairs: bool, encoding: str) -> Iterator[list[tuple[int, str]]]:
    """Return numbered sentences in chunks; pairs have two per line."""
    reader = LineReader(file, encoding=encoding)
    lines = ((number, text.strip()) for number, text in reader if text.strip())
    if in_pairs:
        each = ((number, sentences_of(text, reader.name, number)) for number, text in lines)
        lines = ((number, sentence) for number, pair in each for sentence in pair)
    return in_chunks(lines, PARSE_CHUNK)


def _json(parsed: Parsed, _: int) -> str:
    if isinstance(parsed, ParseFailure):
        return json_text({"text": parsed.text, "error": parsed.reason})
    return json_text(parsed.to_dict())


def _conllu(parsed: RoleStructure, number: int) -> str:
    if parsed.tree is None:
        why = "this parser gives roles and no dependency tree, so there is no CoNLL-U"
        raise InputError(f"{why}; use --format json")
    return format_conllu([parsed.tree], first=number).removesuffix("\n")


def _penman(parsed: RoleStructure, number: int) -> str:
    if parsed.graph is None:
        why = "this model reads no AMR graphs, so there is no PENMAN"
        raise InputError(f"{why}; use --model amr-cn")
    numbered = replace(parsed.graph, metadata={"id": str(number), **parsed.graph.metadata})
    return numbered.to_penman() + "\n"


def _or_why(show: Callable[[RoleStructure, int], str], parsed: Parsed, number: int) -> str:
    if isinstance(parsed, ParseFailure):
        return f"# line {number} could not be parsed: {' '.join(parsed.reason.split())}\n"
    return show(parsed, number)


def _conll2012(labels: str, stream: Iterator[tuple[int, Parsed]]) -> Iterator[str]:
    def show(parsed: RoleStructure, _: int) -> str:
        return format_conll2012([parsed], labels).removesuffix("\n")

    begin = BEGIN
    for number, parsed in stream:
        yield begin + _or_why(show, parsed, number)
        begin = ""
    if not begin:
        yield END.removesuffix("\n")


def _release(stream: Iterator[tuple[int, Parsed]]) -> Iterator[str]:
    pairs = 0
    for _, first in stream:
        second = next(stream)[1]
        pairs += 1
        entry = json_text([roles_of(first), roles_of(second)])
        yield f'{"{" if pairs == 1 else ","}\n "{pairs}": {entry}'
    if pairs:
        yield "}"


# Formats: functions from a parsed sentence and its number to the text to print.
EACH: dict[str, Callable[[Parsed, int], str]] = {
    "json": _json,
    "conllu": partial(_or_why, _conllu),
    "penman": partial(_or_why, _penman),
    "table": lambda parsed, _: parsed_as_text(parsed),
}
# Formats with a begin and an end: functions from all parsed sentences to the texts.
ALL: dict[str, Callable[[Iterator[tuple[int, Parsed]]], Iterator[str]]] = {
    "conll2012": partial(_conll2012, "propbank"),
    "conll2012-roles": partial(_conll2012, "general"),
    "release": _release,
}


@click.command()
@click.argument("file", default="-", type=opt.INPUT)
@opt.declared("parse")
@click.pass_context
def parse(context: click.Context, /, file: str, layout: str, encoding: str, parts: Parts) -> None:
    """Print the roles of the sentences in FILE (or standard input), one sentence per line; blank
    lines are skipped.

    Roles are as the model reads them, by default with PropBank's rolesets and labels. --format
    conllu prints dependency trees, penman AMR graphs (by default of --model amr-cn), conll2012
    PropBank's labels in columns, conll2012-roles the eight roles in such columns. For --format
    release FILE holds pairs, s1;s2[;score], and the eight roles of both are printed as in the STS3k
    release. A sentence that cannot be parsed is shown with the reason and makes the exit code 1.
    """
    if layout == "penman" and context.get_parameter_source("model") is ParameterSource.DEFAULT:
        parts["model"] = "amr-cn"
    pipeline, counts = make_pipeline(parts), Counter[str]()

    def parsed_lines() -> Iterator[tuple[int, Parsed]]:
        for lines in _sentences(file, layout == "release", encoding):
            texts = [text for _, text in lines]
            counts["foreign"] += sum(pipeline.foreign(texts))
            for (number, _), parsed in zip(lines, pipeline.parse(texts), strict=True):
                counts["sentences"] += 1
                counts["failed"] += isinstance(parsed, ParseFailure)
                counts["cut"] += isinstance(parsed, RoleStructure) and parsed.truncated
                yield number, parsed

    layout, lines = "json" if opt.wants_json() else layout, parsed_lines()
    show = EACH.get(layout)
    for text in (show(parsed, number) for number, parsed in lines) if show else ALL[layout](lines):
        click.echo(text)
    if not counts["sentences"]:
        raise InputError(f"no sentence to parse, got {file!r}; expected one sentence a line")
    of = f"of {counted(counts['sentences'], 'sentence')}"
    if counts["cut"]:
        echo_err(f"{counts['cut']} {of} truncated: longer than the parser reads")
    if counts["foreign"]:
        echo_err(f"{counts['foreign']} {of} not English; structure is unreliable there")
    if counts["failed"]:
        raise HybridSemError(f"{counts['failed']} {of} could not be parsed")
