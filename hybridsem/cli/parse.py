"""``hybridsem parse``: sentences to roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import json_text, make_pipeline, say
from hybridsem.errors import HybridSemError, InputError
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

if TYPE_CHECKING:
    from hybridsem.pipeline import Pipeline

PARSE_CHUNK = 256


@dataclass
class _Counted:
    """Counts of sentences: all, cut, not English, without a structure."""

    seen: int = 0
    cut: int = 0
    foreign: int = 0
    failed: int = 0

    def through(
        self, pipeline: Pipeline, file: str, in_pairs: bool, encoding: str
    ) -> Iterator[tuple[int, Parsed]]:
        """The numbers of the lines and the structures of their sentences."""
        for lines in _sentences(file, in_pairs, encoding):
            texts = [text for _, text in lines]
            self.foreign += sum(pipeline.foreign(texts))
            for (number, _), parsed in zip(lines, pipeline.parse(texts), strict=True):
                self.seen += 1
                self.failed += isinstance(parsed, ParseFailure)
                self.cut += isinstance(parsed, RoleStructure) and parsed.truncated
                yield number, parsed


def _sentences(file: str, in_pairs: bool, encoding: str) -> Iterator[list[tuple[int, str]]]:
    """Numbered sentences in chunks, two a line where the lines are pairs."""
    from itertools import islice

    from hybridsem._utils.lines import LineReader
    from hybridsem.parsers.adapters.precomputed import sentences_of

    reader = LineReader(file, encoding=encoding)
    lines = ((number, text.strip()) for number, text in reader if text.strip())
    if in_pairs:
        lines = (
            (number, sentence)
            for number, text in lines
            for sentence in sentences_of(text, reader.name, number)
        )
    while chunk := list(islice(lines, PARSE_CHUNK)):
        yield chunk


def _each(
    show: Callable[[Parsed, int], str],
) -> Callable[[Iterator[tuple[int, Parsed]]], Iterator[str]]:
    return lambda stream: (show(parsed, number) for number, parsed in stream)


def _parsed_json(parsed: Parsed, _: int) -> str:
    return json_text(
        {"text": parsed.text, "error": parsed.reason}
        if isinstance(parsed, ParseFailure)
        else parsed.to_dict()
    )


def _parsed_conllu(parsed: Parsed, number: int) -> str:
    from hybridsem.parsers.trees.conllu import format_conllu

    if isinstance(parsed, ParseFailure):
        return _not_parsed(parsed, number)
    if parsed.tree is None:
        raise InputError(
            "this parser gives roles and no dependency tree, so there is no CoNLL-U; use "
            "--format json"
        )
    return format_conllu([parsed.tree], first=number).removesuffix("\n")


def _parsed_penman(parsed: Parsed, number: int) -> str:
    if isinstance(parsed, ParseFailure):
        return _not_parsed(parsed, number)
    if parsed.graph is None:
        raise InputError(
            "this model reads no AMR graphs, so there is no PENMAN; use --model amr-cn"
        )
    numbered = replace(parsed.graph, metadata={"id": str(number), **parsed.graph.metadata})
    return numbered.to_penman() + "\n"


def _not_parsed(failure: ParseFailure, number: int) -> str:
    return f"# line {number} could not be parsed: {' '.join(failure.reason.split())}\n"


def _parsed_table(parsed: Parsed, _: int) -> str:
    from hybridsem.render import parsed_as_text

    return parsed_as_text(parsed)


def _conll2012(labels: str) -> Callable[[Iterator[tuple[int, Parsed]]], Iterator[str]]:
    def show(stream: Iterator[tuple[int, Parsed]]) -> Iterator[str]:
        from hybridsem.parsers.adapters.conll2012 import BEGIN, END, format_conll2012

        begun = False
        for number, parsed in stream:
            if isinstance(parsed, ParseFailure):
                text = _not_parsed(parsed, number)
            else:
                text = format_conll2012([parsed], labels).removesuffix("\n")
            yield text if begun else BEGIN + text
            begun = True
        if begun:
            yield END.removesuffix("\n")

    return show


def _release(stream: Iterator[tuple[int, Parsed]]) -> Iterator[str]:
    from hybridsem.parsers.adapters.precomputed import roles_of

    pairs = 0
    for _, first in stream:
        second = next(stream)[1]
        pairs += 1
        entry = json_text([roles_of(first), roles_of(second)])
        yield f'{"{" if pairs == 1 else ","}\n "{pairs}": {entry}'
    if pairs:
        yield "}"


PRINTED_AS = {
    "json": _each(_parsed_json),
    "conllu": _each(_parsed_conllu),
    "conll2012": _conll2012("propbank"),
    "conll2012-roles": _conll2012("general"),
    "penman": _each(_parsed_penman),
    "release": _release,
    "table": _each(_parsed_table),
}
"""The formats by name: from parsed sentences to the texts that are printed."""


@click.command(short_help="Print the roles of sentences.")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@opt.model_options
@opt.option("--format layout", "How it is printed.", [*PRINTED_AS], "table")
@opt.ENCODING
@opt.JSON
@click.pass_context
def parse(
    context: click.Context,
    /,
    file: str,
    layout: str,
    encoding: str,
    as_json: bool,
    **parts: str | None,
) -> None:
    """Print the roles of the sentences in FILE (or standard input), one sentence a line; blank
    lines are passed over.

    Roles are as the model reads them, by default with PropBank's rolesets and labels. --format
    conllu prints dependency trees, --format penman AMR graphs (of --model amr-cn, unless another is
    named), --format conll2012 PropBank's labels in columns, --format conll2012-roles the eight
    roles in such columns. For --format release FILE holds pairs, s1;s2[;score], and the eight roles
    of both are printed as in the STS3k release. A sentence that cannot be parsed is shown with the
    reason and makes the exit code 1.
    """
    if layout == "penman" and context.get_parameter_source("model") is ParameterSource.DEFAULT:
        parts["model"] = "amr-cn"
    pipeline, counted = make_pipeline(parts), _Counted()
    for text in PRINTED_AS["json" if as_json else layout](
        counted.through(pipeline, file, layout == "release", encoding)
    ):
        click.echo(text)
    if not counted.seen:
        raise InputError(f"no sentence to parse, got {file!r}; expected one sentence a line")
    if counted.cut:
        say(f"{counted.cut} of {counted.seen} sentences truncated: longer than the parser reads")
    if counted.foreign:
        say(
            f"{counted.foreign} of {counted.seen} sentences are not English; structure says "
            "nothing there"
        )
    if counted.failed:
        raise HybridSemError(f"{counted.failed} of {counted.seen} sentences could not be parsed")
