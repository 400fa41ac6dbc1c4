"""HTTP on this machine, for as long as a test runs."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


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


class Asked(NamedTuple):
    """A request: its path, what it sends, and its headers."""

    path: str
    body: bytes
    headers: Mapping[str, str]


@contextmanager
def answering(
    answer: Callable[[Asked], Any], release: threading.Event | None = None
) -> Iterator[str]:
    """The address of a server that gives what a function says: a text, which has the status 200;
    (status, text) or (status, text, headers); None for no answer until ``release``.
    """

    class Answers(Handler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = answer(Asked(self.path, body, dict(self.headers)))
            if given is None:
                assert release is not None
                release.wait()
                self.close_connection = True
                return
            status, text, *more = (200, given) if isinstance(given, str) else given
            self.send_response(status)
            for name, value in {"Content-Length": str(len(text.encode())), **dict(*more)}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        do_POST = do_GET

    with running(Answers, release) as url:
        yield url
