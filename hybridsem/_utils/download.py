"""Download a file over HTTP: bounded, checked, and moved into place when complete. A file with a
known checksum resumes: ``target.part`` has the bytes so far.
"""

from __future__ import annotations

import errno
import http.client
import os
import re
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPMessage
from pathlib import Path
from typing import IO

from hybridsem._utils.disk import md5_of, sha256_of
from hybridsem._utils.service import MAX_PAUSE, retry_after
from hybridsem.errors import AssetError

Progress = Callable[[int, int | None], None]
"""Takes the bytes that have arrived, and their total (None: unknown)."""

BLOCK = 1 << 18
ATTEMPTS = 4  # the most attempts at one address without any new bytes

MAX_ATTEMPTS = 100
MOST = 1 << 36  # the most bytes of a file of unknown length
RETRIED_STATUSES = (408, 425, 429, 500, 502, 503, 504)
"""HTTP statuses after which the same address is tried again."""


class _Trouble(Exception):
    """A failed attempt; ``again``: another attempt may succeed, ``after`` some seconds."""

    def __init__(self, reason: str, again: bool, after: float = 0.0) -> None:
        super().__init__(reason)
        self.again, self.after = again, after


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, except from https to http."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https://" if req.type == "https" else ("http://", "https://")):
            raise urllib.error.HTTPError(
                req.full_url, code, f"a redirect to {newurl} is not followed", headers, fp
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(
    urls: Sequence[str],
    target: Path,
    *,
    sha256: str | None = None,
    md5: str | None = None,
    size: int | None = None,
    timeout: float = 30.0,
    pause: float = 1.0,
    progress: Progress | None = None,
) -> tuple[str, str]:
    """Download a file from the first address that has it; return the address and the sha256. Raises
    :class:`AssetError` with the fault of each address, or if the disk is full.
    """
    part = target.with_name(f"{target.name}.part")
    problems = []
    download = _Download(part, size, bool(sha256 or md5), timeout, progress)
    for url in urls:
        furthest, idle = _size(part), 0
        for _ in range(MAX_ATTEMPTS):
            had = _size(part)
            try:
                download.go_on(url)
                found = sha256_of(part)
                for kind, hashed, expected in (("sha256", sha256_of, sha256), ("md5", md5_of, md5)):
                    if expected is not None and (value := hashed(part)) != expected:
                        part.unlink()
                        raise _Trouble(f"{kind} is {value}, expected {expected}", again=had > 0)
                os.replace(part, target)
                return url, found
            except _Trouble as trouble:
                problem, again, after = str(trouble), trouble.again, trouble.after
            idle = idle + 1 if _size(part) <= furthest else 0
            furthest = max(furthest, _size(part))
            if not again or idle >= ATTEMPTS:
                break
            time.sleep(min(max(after, pause * 2**idle), MAX_PAUSE))
        problems.append(f"{url}: {problem}")
    raise AssetError(f"{target.name} could not be downloaded. " + "; ".join(problems))


@dataclass(frozen=True)
class _Download:
    """An incomplete file ``part``; ``resumable``: a checksum will verify that its parts match."""

    part: Path
    size: int | None
    resumable: bool
    timeout: float
    progress: Progress | None

    def go_on(self, url: str) -> None:
        """Append the missing bytes; raise :class:`_Trouble` if the file is then incomplete."""
        part, size = self.part, self.size
        have = _size(part) if self.resumable else 0
        if have and have == size:
            return
        headers = {"User-Agent": "hybridsem", "Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
        request = urllib.request.Request(url, headers=headers)
        opener = urllib.request.build_opener(_Redirects)
        try:
            with opener.open(request, timeout=self.timeout) as response:
                start, length = _start(response, have), response.headers.get("Content-Length")
                total = start + int(length) if length is not None and length.isdigit() else None
                if total is not None and size is not None and total != size:
                    raise _Trouble(f"the server has {total} bytes, expected {size}", again=False)
                with part.open("r+b" if start else "wb") as stream:
                    got = self._copy(response, stream, start, size or total)
        except urllib.error.HTTPError as error:
            if error.code == 416:  # more than the server has: not this file
                part.unlink(missing_ok=True)
            again = error.code in RETRIED_STATUSES or error.code == 416
            after = error.headers.get("Retry-After") if error.headers else None
            status = f"{error.code} {error.reason}"
            raise _Trouble(status, again, retry_after(after, 0.0)) from error
        except TimeoutError as error:
            raise _Trouble(f"silent for {self.timeout:g} s", again=True) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise AssetError(
                    f"no room for {part.name.removesuffix('.part')} in {part.parent}; free some "
                    "space and run it again (it continues), or set HYBRIDSEM_CACHE to a folder on "
                    "another disk"
                ) from error
            reason = getattr(error, "reason", None) or error
            absent = isinstance(reason, (socket.gaierror, ConnectionRefusedError, ValueError))
            raise _Trouble(str(reason) or type(reason).__name__, again=not absent) from error
        wanted = total if total is not None else size
        if wanted is not None and got != wanted:
            raise _Trouble(f"ended after {got} of {wanted} bytes", again=True)

    def _copy(
        self, response: http.client.HTTPResponse, stream: IO[bytes], start: int, wanted: int | None
    ) -> int:
        """Write the response at ``start``, up to ``wanted`` bytes; return the new length."""
        if wanted is not None:
            free = shutil.disk_usage(Path(stream.name).parent).free
            if free < wanted - start:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        stream.seek(start)
        stream.truncate()
        got = start
        while wanted is None or got < wanted:
            if wanted is None and got > MOST:
                raise _Trouble(f"more than {MOST >> 30} GiB, and still incomplete", again=False)
            block = response.read1(BLOCK if wanted is None else min(BLOCK, wanted - got))
            if not block:
                break
            stream.write(block)
            got += len(block)
            if self.progress is not None:
                self.progress(got, wanted)
        stream.flush()
        os.fsync(stream.fileno())
        return got


def _start(response: http.client.HTTPResponse, have: int) -> int:
    """Return the offset of the response: ``have``, or 0 if the server sends the whole file."""
    if response.status != 206:
        return 0
    found = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", ""))
    if found is None or int(found[1]) != have:
        given = response.headers.get("Content-Range")
        raise _Trouble(f"asked for bytes from {have}, the server sent {given!r}", again=False)
    return have


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0
