"""HTTP on this machine, for as long as a test runs."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """A request: its path, what it sends, and its headers."""

    path: str
    body: bytes
    headers: Mapping[str, str]


@contextmanager
def answering(
    answer: Callable[[Asked], Any], release: threading.Event | None = None
) -> Iterator[str]:
    """The address of a server on a port of its own, which sends what a function returns: a text
    (status 200), or (status, content, headers, stalls); the last two may be left out. A header of
    None is not sent; None, or a stall, sends no more until ``release``, which is set at the end.
    """

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"  # connections stay open

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = answer(Asked(self.path, body, dict(self.headers)))
            if given is None:
                self._wait()
                return
            status, content, *more = (200, given) if isinstance(given, str) else given
            headers, stalls = [*more, *({}, False)[len(more) :]]
            content = content.encode() if isinstance(content, str) else content
            self.send_response(status)
            for name, value in {"Content-Length": len(content), **headers}.items():
                if value is not None:
                    self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(content)
            if stalls:
                self.wfile.flush()
                self._wait()

        do_POST = do_GET

        def _wait(self) -> None:
            release.wait()
            self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
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
