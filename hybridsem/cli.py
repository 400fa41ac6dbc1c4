"""The command line: results on standard output, messages on standard error.

Exit codes: 0 done, 1 a problem that the message tells, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from hybridsem.errors import HybridSemError, InputError, UnknownNameError
from hybridsem.structures import Parsed, ParseFailure, RoleStructure

if TYPE_CHECKING:
    from hybridsem.pipeline import Pipeline

__all__ = ["cli", "main"]

PARSE_CHUNK = 256


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what a pipeline is made of; they arrive as one mapping ``parts``."""
    options = (
        click.option("--model", "-m", default="hybrid", show_default=True, help="Model; see `hybridsem models`."),
        click.option("--parser", help="Parser: a name or KIND:ARGUMENT, such as spacy:en_core_web_sm."),
        click.option("--vectors", help="Word vectors: a name or KIND:ARGUMENT."),
        click.option("--encoder", help="Sentence encoder: a name or KIND:ARGUMENT."),
        click.option("--normalise", help="How role scores are normalised: matched, total or union."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(package_name="hybridsem")
def cli() -> None:
    """Sentence similarity that reads structure."""


@cli.command(short_help="Print how alike two sentences are.")
@click.argument("sentence1")
@click.argument("sentence2")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def similarity(sentence1: str, sentence2: str, as_json: bool, **parts: str | None) -> None:
    """Print how alike two sentences are: 1 means the same, 0 unrelated."""
    explanation = _pipeline(parts).explain(sentence1, sentence2)
    kept = ("model", "sentence1", "sentence2", "score", "notes")
    record = {name: value for name, value in explanation.to_dict().items() if name in kept}
    click.echo(_json(record) if as_json else f"{explanation.score:.4f}")
    for note in explanation.notes:
        click.echo(f"note: {note}", err=True)


@cli.command(short_help="Show what a score is made of.")
@click.argument("sentence1")
@click.argument("sentence2")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--html", type=click.Path(dir_okay=False), metavar="FILE", help="Write a page that stands alone.")
def explain(sentence1: str, sentence2: str, as_json: bool, html: str | None, **parts: str | None) -> None:
    """Show what a score is made of: roles, their fillers and what each adds."""
    from hybridsem import render

    explanation = _pipeline(parts).explain(sentence1, sentence2)
    if html is not None:
        _write(html, render.as_page(explanation))
    if as_json:
        click.echo(_json(explanation.to_dict()))
    elif html is None:
        coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        click.echo(render.as_terminal(explanation) if coloured else render.as_text(explanation), color=coloured)


@cli.command(short_help="Print the roles of sentences.")
@click.argument("file", default="-", type=click.Path(allow_dash=True))
@model_options
@click.option("--format", "layout", type=click.Choice(["json", "conllu", "table"]), default="table", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def parse(file: str, layout: str, as_json: bool, **parts: str | None) -> None:
    """Print the roles of the sentences in FILE (or standard input), one sentence a line; blank lines are passed over.

    A sentence that cannot be parsed is shown with the reason and makes the exit code 1.
    """
    pipeline, failed, cut, seen = _pipeline(parts), 0, 0, 0
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


@cli.command(short_help="Score a file of pairs.")
@click.argument("pairs", type=click.Path(allow_dash=True))
@click.option("--output", "-o", default="-", show_default=True, help="csv, tsv or jsonl file; - is standard output.")
@model_options
@click.option("--columns", metavar="A,B[,GOLD]", help="Columns of the sentences: names, or positions from 1.")
@click.option("--on-error", type=click.Choice(["fail", "skip"]), default="fail", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as a JSON object (with -o FILE).")
def score(pairs: str, output: str, columns: str | None, on_error: str, as_json: bool, **parts: str | None) -> None:
    """Score the pairs of a file: csv, tsv or jsonl with named columns, or s1;s2[;gold] lines."""
    from hybridsem.batch import score_file

    if as_json and output == "-":
        raise click.UsageError("--json prints the counts on standard output, so the scores need -o FILE")
    names = None if columns is None else [name.strip() for name in columns.split(",")]
    report = score_file(_pipeline(parts), pairs, output, columns=names, on_error=on_error, progress=True)
    if as_json:
        click.echo(_json(report.to_dict()))
    for failure in report.first_failures:
        click.echo(failure, err=True)
    summary = f"{report.scored} of {report.rows} pairs scored"
    if report.failed > len(report.first_failures):
        summary += f", {report.failed} without a score"
    if report.truncated:
        summary += f"; {report.truncated} truncated: longer than the encoder reads"
    if report.spearman is not None:
        summary += f"; Spearman with the {report.with_gold} gold scores {report.spearman:.4f}"
    click.echo(summary, err=True)


@cli.group(invoke_without_command=True)
@click.pass_context
def models(context: click.Context) -> None:
    """The models that --model knows."""
    if context.invoked_subcommand is None:
        context.invoke(list_models)


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
def list_models(as_json: bool = False) -> None:
    """List the models by name."""
    from hybridsem.registry import models as registered

    specs = [_spec(name, spec) for name, spec in registered().items()]
    if as_json:
        click.echo(_json(specs))
        return
    width = max((len(spec["name"]) for spec in specs), default=0)
    for spec in specs:
        click.echo(f"{spec['name']:<{width}}  {spec['summary']}")


@models.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def show_model(name: str, as_json: bool) -> None:
    """Say what a model is, what it needs and under which licence."""
    from hybridsem.registry import models as registered

    known = registered()
    if name not in known:
        raise UnknownNameError("model", name, known)
    spec = _spec(name, known[name])
    if as_json:
        click.echo(_json(spec))
        return
    for key, value in spec.items():
        click.echo(f"{key + ':':<9} {', '.join(value) if isinstance(value, list) else value}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal that cannot show a sign must not end the run
    log = logging.getLogger("hybridsem")
    level = log.level
    log.setLevel(logging.ERROR)  # what was cut, each command says in its own words
    try:
        # Not cli.main(), which has its own ideas about broken pipes.
        given = list(sys.argv[1:] if arguments is None else arguments)
        with cli.make_context("hybridsem", given) as context:
            cli.invoke(context)
        sys.stdout.flush()
        return 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except HybridSemError as error:
        click.echo(f"hybridsem: {error}", err=True)
        return 1
    except (click.Abort, KeyboardInterrupt):
        click.echo("hybridsem: interrupted", err=True)
        return 130
    except BrokenPipeError:
        # The reader has gone (`| head`). Python flushes standard output once more at exit, so it needs somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    finally:
        log.setLevel(level)


def _pipeline(parts: dict[str, str | None]) -> Pipeline:
    from hybridsem.pipeline import Pipeline

    given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    return Pipeline(**given)


def _sentences(file: str) -> Iterator[list[tuple[int, str]]]:
    """Numbered sentences in chunks."""
    from itertools import islice

    from hybridsem._lines import LineReader

    lines = ((number, text.strip()) for number, text in LineReader(file) if text.strip())
    while chunk := list(islice(lines, PARSE_CHUNK)):
        yield chunk


def _parsed_json(parsed: Parsed, _: int) -> str:
    return _json(
        {"text": parsed.text, "error": parsed.reason} if isinstance(parsed, ParseFailure) else parsed.to_dict()
    )


def _parsed_conllu(parsed: Parsed, number: int) -> str:
    from hybridsem.parsers.conllu import format_conllu

    if isinstance(parsed, ParseFailure):
        return f"# line {number} could not be parsed: {' '.join(parsed.reason.split())}\n"
    if parsed.tree is None:
        raise InputError("this parser gives roles and no dependency tree, so there is no CoNLL-U; use --format json")
    return format_conllu([parsed.tree], first=number).removesuffix("\n")


def _parsed_table(parsed: Parsed, _: int) -> str:
    from hybridsem.render import parsed_as_text

    return parsed_as_text(parsed)


PARSED_AS: dict[str, Callable[[Parsed, int], str]] = {
    "json": _parsed_json,
    "conllu": _parsed_conllu,
    "table": _parsed_table,
}


def _spec(name: str, spec: Any) -> dict[str, Any]:
    needs = spec.needs
    return {
        "name": name,
        "summary": spec.summary,
        "needs": list(needs) if isinstance(needs, (list, tuple, set, frozenset)) else needs,
        "licence": spec.licence,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write(path: str, text: str) -> None:
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
    except OSError as error:
        raise InputError(f"cannot write the page, got {path!r}: {error.strerror or error}") from error
