"""``hybridsem models download``: fetch assets."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._shared import echo_summary, json_text, print_table


@click.command("download", short_help="Fetch weights or data into the cache.")
@click.argument("name", required=False)
@opt.declared("models download")
def download(name: str | None, **how: Any) -> None:
    """Fetch NAME into the cache and verify it; a file already there is verified again.

    Without NAME, list the files. An interrupted download resumes.
    """
    from hybridsem import assets

    if name is None:
        rows = [
            {**asdict(asset), "here": assets.is_here(asset.name)}
            for asset in assets.assets().values()
        ]
        if opt.wants_json():
            click.echo(json_text(rows))
            return
        listed = [
            (row["name"], f"{row['summary']}; {row['licence']}{' (here)' if row['here'] else ''}")
            for row in rows
        ]
        if sys.stdout.isatty():
            print_table(("name", "what it is; licence"), listed)
            return
        for name, text in listed:
            click.echo(f"{name}\t{text}")
        return
    place = assets.download(name, progress=not opt.is_quiet(), **how)
    record = assets.record(name)
    if opt.wants_json():
        click.echo(json_text({"name": name, "path": str(place), **record}))
        return
    click.echo(str(place))
    echo_summary(f"sha256 {record['sha256']}, {record['checked']}")
