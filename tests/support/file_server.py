"""A local HTTP server that hands out files, and misbehaves as it is told."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from support.local_server import Asked, answering


@dataclass
class FileServer:
    """``files`` by path; ``faults`` by path: what to do with each request in turn, after which the
    file is served well.

    A fault is a status (404), ``redirect:URL``, or a name: ``truncate``, ``stall``, ``long`` and
    ``short`` (of what Content-Length says), ``ignore-range``, ``wrong-range``, ``unsaid`` (no
    Content-Length). ``after`` is the Retry-After of a status. ``requests`` records (path, headers).
    """

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[int | str]] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    after: str = ""
    release: threading.Event = field(default_factory=threading.Event)

    def asked(self, path: str) -> list[str | None]:
        """The range of every request for the path."""
        return [headers.get("Range") for at, headers in self.requests if at == path]

    def answer(self, asked: Asked) -> Any:
        """What :func:`answering` sends for a request."""
        self.requests.append((asked.path, dict(asked.headers)))
        queue, content = self.faults.get(asked.path, []), self.files.get(asked.path)
        fault = queue.pop(0) if queue else ""
        if isinstance(fault, int) or content is None:
            return (
                fault if isinstance(fault, int) else 404,
                b"",
                {"Retry-After": self.after or None},
            )
        if fault.startswith("redirect:"):
            return 302, b"", {"Location": fault.partition(":")[2]}
        wanted = asked.headers.get("Range", "") if fault != "ignore-range" else ""
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if start >= len(content) and start:
            return 416, b""
        body = content[start:]
        length: int | None = len(body) + {"long": 7, "short": -7}.get(fault, 0)
        if fault == "unsaid":
            length = None
        headers: dict[str, object] = {"Content-Length": length, "Connection": "close"}
        if start:
            shown = start + 1 if fault == "wrong-range" else start
            headers["Content-Range"] = f"bytes {shown}-{len(content) - 1}/{len(content)}"
        sent = body[: len(body) // 2] if fault in ("truncate", "stall") else body
        return 206 if start else 200, sent, headers, fault == "stall"


@contextmanager
def serving() -> Iterator[FileServer]:
    """A server on a port of its own, stopped at the end."""
    state = FileServer()
    with answering(state.answer, state.release) as state.url:
        yield state
