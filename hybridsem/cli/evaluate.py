"""``hybridsem evaluate``: a model on a benchmark, and the result card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click

import hybridsem.evaluation as evaluation
from hybridsem._typing import Plain
from hybridsem.cli import _options as opt
from hybridsem.cli._shared import Parts, echo_err, make_pipeline, refuse_output, show
from hybridsem.evaluation import Card, EvaluatedModel, Option
from hybridsem.evaluation.suite import evaluate_suite, read_suite
from hybridsem.evaluation.task import shared_options, tasks

FILE = click.Path(dir_okay=False)
MAX_COLUMNS = 6  # of measures in the table
# Notes on the counts of any card; a benchmark declares its own.
COUNT_NOTES = {
    "failed": "of {rows} rows have no score and are left out",
    "truncated": "of {rows} rows have a text longer than the model reads",
    "foreign": "of {rows} rows have a text that is not English, and the model reads only English",
}


class _Command(click.Command):
    """A command with the options of all benchmarks, loaded on use."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        *own, help_option = super().get_params(ctx)
        return [*own, *_benchmark_options(), help_option]


@cache
def _benchmark_options() -> list[click.Option]:
    """Return the options of the benchmarks; the help names the benchmarks of each."""
    by_task = {name: task.options for name, task in tasks().items()}
    taken = {"work", *(str(parameter.name) for parameter in evaluate.params)}
    shared = shared_options(by_task, taken).items()
    options = [_click_option(option, ", ".join(names)) for option, names in shared]
    resumed = [name for name, task in tasks().items() if task.resumes]
    help = f"{', '.join(resumed)}: resume from the finished work in DIR."
    folder = click.Path(file_okay=False)
    return [*options, click.Option(["--work"], metavar="DIR", type=folder, help=help)]


def _click_option(option: Option, names: str) -> click.Option:
    types: dict[type, click.ParamType[object]] = {Path: FILE, bool: click.BOOL}
    kind = types.get(option.type, option.type)
    if option.choices:
        kind = click.Choice(option.choices)
    elif option.minimum is not None:
        kind = (click.IntRange if option.type is int else click.FloatRange)(min=option.minimum)
    how: Plain = {"nargs": option.values, "is_flag": option.type is bool, "metavar": option.metavar}
    help = f"{names}: {option.help}"
    return click.Option([option.flag], type=kind, default=None, help=help, **how)


def _described_tasks() -> Iterator[str]:
    for name, task in tasks().items():
        yield f"{name}: {task.summary}"
        groups = ", ".join(task.groups)
        options = ", ".join(option.flag for option in task.options)
        about = {"data": task.layout, "groups": groups, "options": options, "paper": task.citation}
        for label, text in (about | {"licence": task.licence}).items():
            if text:
                yield f"    {label:8} {text}"


@click.command(cls=_Command)
@click.argument("benchmark")
@opt.declared("evaluate")
@opt.listing(_described_tasks, "List the benchmarks.")
def evaluate(
    benchmark: str,
    data: str | None,
    similarities: str | None,
    output: str | None,
    work: str | None,
    parts: Parts,
    **options: Any,
) -> None:
    """Evaluate a model on a benchmark; --list lists them. An option whose help begins with names of
    benchmarks is for these only.

    Prints the scores with their intervals and a line to cite; `-o` writes the card that `hybridsem
    compare` and `hybridsem plot` read. A BENCHMARK that ends in .toml is a suite of quality sets:
    each has a line, and `-o` writes the cards into a folder.
    """
    how: Plain = {name: options.pop(name) for name in ("name", "seed", "resamples")}
    how["progress"] = not opt.is_quiet()
    if benchmark.endswith(".toml"):
        _evaluate_suite(benchmark, data, output, _tested(similarities, parts), how)
        return
    task = evaluation.task(benchmark)  # an unknown name raises before weights are read
    as_json = opt.wants_json() or output == "-"
    if data is None and task.packaged is None:
        raise click.UsageError(f"{task.name} needs --data: {task.layout}")
    output = None if output == "-" else output
    if output is not None:
        files = [options[option.name] for option in task.options if option.type is Path]
        refuse_output(output, data, similarities, *files)
    own = [option.name for option in task.options]  # first, in the order of the task
    given = {name: options[name] for name in dict.fromkeys([*own, *options])}
    given |= {row.name: opt.names_in(given[row.name]) for row in task.options if row.multiple}
    how |= {name: value for name, value in given.items() if not (value is None or value is False)}
    card = evaluation.evaluate(task, _tested(similarities, parts), data, work=work, **how)
    if output is not None:
        card.save(output)
    click.echo(card.to_json() if as_json else "\n".join(card.table(MAX_COLUMNS)), nl=not as_json)
    click.echo(card.fingerprint(), err=as_json)
    for note in _notes(card, {**COUNT_NOTES, **task.count_notes}):
        echo_err(f"note: {note}")


def _evaluate_suite(
    path: str, data: str | None, output: str | None, model: EvaluatedModel, how: Plain
) -> None:
    """Print the line to cite of each set of a suite, and write the cards into a folder."""
    for quality_set, card in evaluate_suite(read_suite(path, data or "."), model, **how):
        if output is not None:
            folder = Path(output)
            folder.mkdir(parents=True, exist_ok=True)
            card.save(folder / f"{quality_set.name}.json")
        show(card.to_dict(), f"{quality_set.name}  {card.fingerprint()}")


def _tested(similarities: str | None, parts: Parts) -> EvaluatedModel:
    """Return the model or file to evaluate; raise if both were given."""
    if similarities is None:
        return evaluation.evaluated_model(make_pipeline(parts))
    source = click.get_current_context().get_parameter_source
    default = click.core.ParameterSource.DEFAULT
    if named := [f"--{name}" for name in parts if source(name) is not default]:
        raise click.UsageError(f"--similarities and {' and '.join(named)} cannot be given together")
    return evaluation.similarities_file(similarities)


def _notes(card: Card, count_notes: Mapping[str, str]) -> list[str]:
    counts: dict[str, object] = dict(card.counts)
    notes = []
    for name, count in counts.items():
        part, colon, what = name.rpartition(": ")
        if count and what in count_notes:
            named = ((other, n) for other, n in counts.items() if other.startswith(part))
            own = {other.removeprefix(part + colon): n for other, n in named}
            notes.append(f"{part}{colon}{count} {count_notes[what].format_map(own)}")
    every = ((group, one.note) for group, own in card.scores.items() for one in own.values())
    undefined = {f"{group}: {note}" for group, note in every if note}
    return [*card.notes, *notes, *sorted(undefined)]
