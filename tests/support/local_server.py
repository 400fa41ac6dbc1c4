"""HTTP on this machine, for as long as a test runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["Handler", "running"]


class Handler(BaseHTTPRequestHandler):
    """What the servers' handlers have in common: connections stay open, and nothing is logged."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def running(
    handler: type[BaseHTTPRequestHandler], release: threading.Event | None = None
) -> Iterator[str]:
    """The address of a server on a port of its own; at the end ``release``, which a handler may
    wait for, is set.
    """
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            if release is not None:
                release.set()
            server.shutdown()
            thread.join()
