"""A local HTTP server that hands out files, and misbehaves as it is told."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from support.local_server import Handler, running


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


@contextmanager
def serving() -> Iterator[FileServer]:
    """A server on a port of its own, stopped at the end."""
    state = FileServer()

    class Files(Handler):
        def do_GET(self) -> None:
            state.requests.append((self.path, dict(self.headers)))
            queue = state.faults.get(self.path, [])
            fault = queue.pop(0) if queue else ""
            content = state.files.get(self.path)
            if isinstance(fault, int) or content is None:
                self.send_response(fault if isinstance(fault, int) else 404)
                for name, value in {"Content-Length": "0", "Retry-After": state.after}.items():
                    if value:
                        self.send_header(name, value)
                self.end_headers()
                return
            if fault.startswith("redirect:"):
                self.send_response(302)
                self.send_header("Location", fault.partition(":")[2])
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self._serve(content, fault)

        def _serve(self, content: bytes, fault: str) -> None:
            wanted = self.headers.get("Range", "")
            start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
            if fault == "ignore-range":
                start = 0
            if start >= len(content) and start:
                self.send_error(416)
                return
            body = content[start:]
            said = len(body) + {"long": 7, "short": -7}.get(fault, 0)
            self.send_response(206 if start else 200)
            if start:
                shown = start + 1 if fault == "wrong-range" else start
                self.send_header(
                    "Content-Range", f"bytes {shown}-{len(content) - 1}/{len(content)}"
                )
            if fault != "unsaid":
                self.send_header("Content-Length", str(said))
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            half = len(body) // 2
            self.wfile.write(body[:half] if fault in ("truncate", "stall") else body)
            self.wfile.flush()
            if fault == "stall":
                state.release.wait()

    with running(Files, state.release) as state.url:
        yield state
