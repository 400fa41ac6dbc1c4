"""``hybridsem parse``: sentences to roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import click
from click.core import ParameterSource

from hybridsem.cli._shared import json_text, make_pipeline, model_options
from hybridsem.errors import HybridSemError, InputError
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

__all__ = ["parse"]

PARSE_CHUNK = 256
LAYOUTS = ("json", "conllu", "penman", "table")


@click.command(short_help="Print the roles of sentences.")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@model_options
@click.option(
    "--format", "layout", type=click.Choice(LAYOUTS), default="table", show_default=True, help="How it is printed."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.pass_context
def parse(context: click.Context, /, file: str, layout: str, as_json: bool, **parts: str | None) -> None:
    """Print the roles of the sentences in FILE (or standard input), one sentence a line; blank lines are passed over.

    --format conllu prints dependency trees, --format penman AMR graphs (of --model amr-cn, unless another is named). A
    sentence that cannot be parsed is shown with the reason and makes the exit code 1.
    """
    if layout == "penman" and context.get_parameter_source("model") is ParameterSource.DEFAULT:
        parts["model"] = "amr-cn"
    pipeline, failed, cut, seen = make_pipeline(parts), 0, 0, 0
    show = PARSED_AS["json" if as_json else layout]
    for lines in _sentences(file):
        for (number, _), parsed in zip(lines, pipeline.parse([text for _, text in lines]), strict=True):
            seen += 1
            failed += isinstance(parsed, ParseFailure)
            cut += isinstance(parsed, RoleStructure) and parsed.truncated
            click.echo(show(parsed, number))
    if not seen:
        raise InputError(f"no sentence to parse, got {file!r}; expected one sentence a line")
    if cut:
        click.echo(f"{cut} of {seen} sentences truncated: longer than the parser reads", err=True)
    if failed:
        raise HybridSemError(f"{failed} of {seen} sentences could not be parsed")


def _sentences(file: str) -> Iterator[list[tuple[int, str]]]:
    """Numbered sentences in chunks."""
    from itertools import islice

    from hybridsem._lines import LineReader

    lines = ((number, text.strip()) for number, text in LineReader(file) if text.strip())
    while chunk := list(islice(lines, PARSE_CHUNK)):
        yield chunk


def _parsed_json(parsed: Parsed, _: int) -> str:
    return json_text(
        {"text": parsed.text, "error": parsed.reason} if isinstance(parsed, ParseFailure) else parsed.to_dict()
    )


def _parsed_conllu(parsed: Parsed, number: int) -> str:
    from hybridsem.parsers.conllu import format_conllu

    if isinstance(parsed, ParseFailure):
        return _not_parsed(parsed, number)
    if parsed.tree is None:
        raise InputError("this parser gives roles and no dependency tree, so there is no CoNLL-U; use --format json")
    return format_conllu([parsed.tree], first=number).removesuffix("\n")


def _parsed_penman(parsed: Parsed, number: int) -> str:
    if isinstance(parsed, ParseFailure):
        return _not_parsed(parsed, number)
    if parsed.graph is None:
        raise InputError("this model reads no AMR graphs, so there is no PENMAN; use --model amr-cn")
    numbered = replace(parsed.graph, metadata={"id": str(number), **parsed.graph.metadata})
    return numbered.to_penman() + "\n"


def _not_parsed(failure: ParseFailure, number: int) -> str:
    return f"# line {number} could not be parsed: {' '.join(failure.reason.split())}\n"


def _parsed_table(parsed: Parsed, _: int) -> str:
    from hybridsem.render import parsed_as_text

    return parsed_as_text(parsed)


PARSED_AS: dict[str, Callable[[Parsed, int], str]] = dict(
    zip(LAYOUTS, (_parsed_json, _parsed_conllu, _parsed_penman, _parsed_table), strict=True)
)
