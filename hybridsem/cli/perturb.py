"""``hybridsem perturb``: change texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import click

from hybridsem._utils.lines import LineReader, json_object, plain_suffix
from hybridsem.cli import _options as opt
from hybridsem.cli import _shared as ui
from hybridsem.errors import FormatError, InputError
from hybridsem.evaluation.perturbations import PERTURBATIONS, Perturbation, insertion, perturbation

TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".parquet", ".xlsx")


def _kinds() -> Iterator[str]:
    width = max(map(len, PERTURBATIONS))
    for change in PERTURBATIONS.values():
        yield f"{change.name:{width}}  {change.kind:11}  {change.summary}"


@click.command()
@click.argument("file", default="-", type=opt.INPUT)
@opt.declared("perturb")
@opt.listing(_kinds, "List the kinds.")
def perturb(
    file: str,
    kind: str,
    seed: int,
    filler: str | None,
    column: str | None,
    encoding: str,
    whole: bool,
    output: str,
) -> None:
    """Change the texts in FILE (or standard input), one per line; in a .jsonl, one in the object of
    each line.

    Random choices depend only on the text and the seed, so a text is changed the same way in any
    file. Texts without anything to change, and blank ones, stay unchanged; the former are counted
    on standard error.
    """
    suffix = plain_suffix(file)
    if suffix in TABLE_ENDINGS:
        why = f"{file!r} is a table; write its texts one a line, or as JSON lines, such as"
        raise InputError(f'{why} {{"text": …}}')
    as_json = opt.wants_json()
    change, lines = _change(kind, filler), LineReader(file, encoding=encoding)
    column = column or ("text" if suffix in ui.LINES else None)
    if column and (whole or as_json):
        why = "--whole and --json are for plain text, and these are JSON lines already"
        raise click.UsageError(why)
    ui.refuse_output(output, file, filler)
    unchanged: list[int] = []
    total = 0

    def changed(text: str, number: int) -> str:
        nonlocal total
        after = change(text, seed)
        if text.strip():
            total += 1
            unchanged.extend([number] * (after == text))
        return after

    if column:
        shown = (_in_object(changed, column, line, (lines.name, number)) for number, line in lines)
    else:
        given: Iterable[tuple[int, str]] = lines
        if whole:
            given = [(1, "\n".join(line for _, line in lines))]
        pairs = ((text, changed(text, number)) for number, text in given)
        shown = (after for _, after in pairs)
        if as_json:
            about = {"kind": kind, "seed": seed}
            shown = (ui.json_text({"text": text, **about, "changed": new}) for text, new in pairs)
    ui.write(output, (f"{line}\n" for line in shown), "the changed texts")
    if unchanged:
        of = f"{len(unchanged)} of {ui.counted(total, 'text')}"
        ui.echo_summary(f"{of} unchanged (line {ui.some_of(unchanged)})")


def _change(kind: str, filler: str | None) -> Perturbation:
    change = perturbation(kind)
    if filler is None:
        return change
    if change.kind != "insertion" or change.share is None or change.position is None:
        raise click.UsageError(f"--filler is for the kinds of insertion, got {kind!r}")
    text = "\n".join(text for _, text in LineReader(filler))
    return insertion(change.share, change.position, text, exact=change.exact)


def _in_object(
    change: Callable[[str, int], str], column: str, line: str, where: tuple[str, int]
) -> str:
    """Return a line with the text in its JSON object changed; a blank line stays."""
    if not line.strip():
        return line
    record, fault = json_object(line)
    text = record.get(column)
    if not isinstance(text, str):
        fault = fault or f"expected a JSON object with a text {column!r}, got {line[:60]!r}"
        raise FormatError(fault, *where)
    return ui.json_text(record | {column: change(text, where[1])})
