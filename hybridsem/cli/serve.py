"""``hybridsem serve``: comparing sentences over HTTP."""

from __future__ import annotations

import math
import socket
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

import click

from hybridsem._typing import Plain
from hybridsem._utils.extras import extra
from hybridsem.cli import _options as opt
from hybridsem.cli._shared import Parts, echo_summary, make_pipeline
from hybridsem.errors import InputError, ParseError
from hybridsem.search import Index
from hybridsem.serve import Limits, application

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@click.command()
@opt.declared("serve")
def serve(index: str | None, host: str, port: int, parts: Parts, **given: Any) -> None:
    """Compare sentences for programs, over HTTP in JSON, and for people, on a page.

    The page is at /, the description of the requests at /openapi.json. Anyone who reaches the
    address may ask: there are no passwords.
    """
    with extra("uvicorn", "serve"):
        import uvicorn

    limits, pipeline = Limits(**given), make_pipeline(parts)
    opened = None if index is None else Index.open(index, pipeline)
    with _listener(host, port) as listener:
        address, number = listener.getsockname()[:2]
        hosts = LOOPBACK if ip_address(address).is_loopback else ()
        how: Plain = {"log_config": None, "log_level": "error", "access_log": False, "ws": "none"}
        how |= {"server_header": False, "timeout_graceful_shutdown": math.ceil(limits.timeout)}
        config = uvicorn.Config(application(pipeline, opened, limits, hosts), **how)
        with suppress(InputError, ParseError):  # a part may know no other sentences than its own
            pipeline.similarity("It rains.", "It rains.")
        if opened is not None:
            opened.search("It rains.", 1)  # raises for an index of another model
        shown = f"[{address}]" if ":" in address else address
        echo_summary(f"the model {pipeline.spec.name} is at http://{shown}:{number}")
        uvicorn.Server(config).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise :class:`InputError` if it cannot."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address, family=family)
    except (OSError, UnicodeError) as error:
        why = f"cannot listen on {host!r}, port {port}: {error}"
        raise InputError(f"{why}; choose others (--host, --port)") from None
