"""``hybridsem models download``: what an asset is, and getting it."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from hybridsem.cli._options import JSON, option
from hybridsem.cli._shared import json_text, print_table, say


@click.command("download", short_help="Fetch weights or data into the cache.")
@click.argument("name", required=False)
@option("--sha256", "The file's checksum, where the index has none.", metavar="HASH")
@option("--trust-first-use trust", "Take a file of unknown checksum and record its own.", bool)
@option(
    "--from source",
    "A copy of the file on this machine, in place of the network.",
    metavar="FILE",
)
@option(
    "--timeout",
    "Seconds that a server may be silent.",
    click.FloatRange(min=0, min_open=True),
    30.0,
)
@JSON
def download(
    name: str | None,
    sha256: str | None,
    trust: bool,
    source: str | None,
    timeout: float,
    as_json: bool,
) -> None:
    """Fetch NAME into the cache and verify it; one that is there already is read through and
    verified.

    Without NAME, list what can be fetched. A download that breaks off goes on where it stopped.
    """
    from hybridsem import assets

    if name is None:
        rows = [
            {**asdict(asset), "here": assets.is_here(asset.name)}
            for asset in assets.assets().values()
        ]
        if as_json:
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
    place = assets.download(
        name, sha256=sha256, trust=trust, source=source, progress=True, timeout=timeout
    )
    record = assets.record(name)
    if as_json:
        click.echo(json_text({"name": name, "path": str(place), **record}))
        return
    click.echo(str(place))
    say(f"sha256 {record['sha256']}, {record['checked']}")
