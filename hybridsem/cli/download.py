"""``hybridsem models download``: fetch assets."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from hybridsem.cli._options import is_quiet, option, wants_json
from hybridsem.cli._shared import echo_summary, json_text, print_table


@click.command("download", short_help="Fetch weights or data into the cache.")
@click.argument("name", required=False)
@option("--sha256", "Checksum of the file, if the index has none.", metavar="HASH")
@option("--trust-first-use trust", "Accept a file of unknown checksum and record it.", bool)
@option("--from source", "Use a local copy instead of the network.", metavar="FILE")
@option(
    "--timeout",
    "Seconds to wait for a silent server.",
    click.FloatRange(min=0, min_open=True),
    30.0,
)
def download(
    name: str | None, sha256: str | None, trust: bool, source: str | None, timeout: float
) -> None:
    """Fetch NAME into the cache and verify it; a file already there is verified again.

    Without NAME, list the files. An interrupted download resumes.
    """
    from hybridsem import assets

    if name is None:
        rows = [
            {**asdict(asset), "here": assets.is_here(asset.name)}
            for asset in assets.assets().values()
        ]
        if wants_json():
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
        name, sha256=sha256, trust=trust, source=source, progress=not is_quiet(), timeout=timeout
    )
    record = assets.record(name)
    if wants_json():
        click.echo(json_text({"name": name, "path": str(place), **record}))
        return
    click.echo(str(place))
    echo_summary(f"sha256 {record['sha256']}, {record['checked']}")
