"""``hybridsem serve``: comparing sentences over HTTP."""

from __future__ import annotations

from typing import Any

import click

from hybridsem.cli import _options as opt
from hybridsem.cli._options import option
from hybridsem.cli._shared import echo_summary, make_pipeline
from hybridsem.serve import Limits

__all__ = ["serve"]


@click.command(short_help="Answer requests over HTTP.")
@opt.model_options
@option("--index", "Search this index too.", click.Path(file_okay=False), metavar="DIR")
@option("--host", "Address to listen on; 0.0.0.0 is all networks.", default="127.0.0.1")
@option("--port", "Port; 0 is a free one.", click.IntRange(0, 65535), 8000)
@option("--max-bytes", "Largest body of a request.", opt.AT_LEAST_1, Limits.max_bytes)
@option("--max-texts", "Most texts in a request.", click.IntRange(2), Limits.max_texts)
@option("--max-characters", "Longest text.", opt.AT_LEAST_1, Limits.max_characters)
@option("--max-waiting", "Most requests that wait.", opt.AT_LEAST_1, Limits.max_waiting)
@option(
    "--timeout",
    "Seconds until a request is given up.",
    click.FloatRange(0, min_open=True),
    Limits.timeout,
)
def serve(index: str | None, host: str, port: int, **given: Any) -> None:
    """Compare sentences for programs, over HTTP in JSON, and for people, on a page.

    The page is at /, the description of the requests at /openapi.json. Anyone who reaches the
    address may ask: there are no passwords.
    """
    from hybridsem.serve import run

    limits = Limits(**{name: given.pop(name) for name in Limits.__dataclass_fields__})
    pipeline = make_pipeline(given)
    told = f"the model {pipeline.spec.name} on"
    run(pipeline, index, host, port, limits, lambda url: echo_summary(f"{told} {url}"))
