"""Downloads from a faulty server into a cache of complete files."""

import errno
import hashlib
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from support.commands import ROOT, Run
from support.file_server import FileServer, serving

from hybridsem import assets
from hybridsem._utils import download as _download
from hybridsem.errors import AssetError, InputError, UnknownNameError

CONTENT = bytes(range(256)) * 40
SHA256 = hashlib.sha256(CONTENT).hexdigest()
Index = Callable[..., None]


@pytest.fixture
def server() -> Iterator[FileServer]:
    with serving() as found:
        found.files = {"/words.txt": CONTENT, "/other/words.txt": CONTENT}
        yield found


@pytest.fixture(autouse=True)
def online(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty cache, and no waiting between attempts."""
    monkeypatch.delenv("HYBRIDSEM_OFFLINE", raising=False)
    monkeypatch.setattr(_download, "MAX_PAUSE", 0.0)


@pytest.fixture
def index(server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """A function that writes an index of one asset, ``words``."""

    def write(**fields: object) -> None:
        row = {
            "summary": "Words",
            "licence": "MIT",
            "citation": "-",
            "file": "words.txt",
            "sha256": SHA256,
        }
        row |= {"size": len(CONTENT), "mirrors": [f"{server.url}/words.txt"]} | fields
        path = tmp_path / f"index-{time.monotonic_ns()}.toml"
        lines = [f"{key} = {json.dumps(value)}" for key, value in row.items() if value is not None]
        path.write_text("\n".join(["[words]", *lines]))
        monkeypatch.setattr(assets, "INDEX", path)

    write()
    return write


def no_scraps(cache: Path) -> bool:
    """Return whether the cache holds only the asset and its record."""
    return {path.name for path in (cache / "assets/words").iterdir()} == {
        "words.txt",
        "record.json",
    }


@pytest.mark.usefixtures("index")
def test_a_download(
    server: FileServer, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not assets.is_here("words")
    with pytest.raises(AssetError, match="not in the cache .*: hybridsem models download words"):
        assets.path("words")
    place = assets.download("words")
    assert place == cache / "assets/words/words.txt"
    assert place.read_bytes() == CONTENT
    assert assets.is_here("words")
    assert assets.path("words") == assets.download("words") == place
    assert len(server.requests) == 1
    assert assets.record("words")["sha256"] == SHA256
    assert assets.record("words")["origin"] == f"{server.url}/words.txt"
    assert no_scraps(cache)
    shutil.move(cache, tmp_path / "moved")
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path / "moved"))
    assert assets.path("words").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("faults", "ranges"),
    [
        (["truncate"], [None, "bytes=5120-"]),
        (["stall"], [None, "bytes=5120-"]),
        (["truncate", "truncate"], [None, "bytes=5120-", "bytes=7680-"]),
        ([503, 429, 500], [None] * 4),
        (["truncate", "ignore-range"], [None, "bytes=5120-"]),
        (["truncate", 404], [None, "bytes=5120-"]),
        (["redirect:/other/words.txt"], [None]),
    ],
)
@pytest.mark.usefixtures("index")
def test_an_interruption_is_made_good(
    faults: list[int | str], ranges: list[str | None], server: FileServer, cache: Path, index: Index
) -> None:
    index(mirrors=[f"{server.url}/words.txt", f"{server.url}/other/words.txt"])
    server.faults["/words.txt"] = list(faults)
    given = {"timeout": 3} if "stall" in faults else {}
    assert assets.download("words", **given).read_bytes() == CONTENT
    assert server.asked("/words.txt") == ranges
    assert no_scraps(cache)


@pytest.mark.parametrize(
    ("faults", "message"),
    [
        ([404], "404 Not Found"),
        ([403], "403 Forbidden"),
        (["long"], "the server has 10247 bytes, expected 10240"),
        (["short"], "the server has 10233 bytes, expected 10240"),
        ([503] * 4, "503"),
        (["truncate", "wrong-range"], "asked for bytes from 5120, the server sent 'bytes 5121"),
        (
            ["redirect:ftp://localhost/words.txt"],
            "a redirect to ftp://localhost/words.txt is not followed",
        ),
        (["redirect:file:///etc/passwd"], "url 'file:///etc/passwd' is not allowed"),
        (["redirect:/words.txt"] * 20, "redirect error that would lead to an infinite loop"),
    ],
)
def test_a_bad_mirror_gives_way_to_the_next(
    faults: list[int | str], message: str, server: FileServer, index: Index
) -> None:
    server.faults["/words.txt"] = list(faults)
    with pytest.raises(AssetError, match=r"words\.txt could not be downl.*http.*: ") as caught:
        assets.download("words")
    assert message in str(caught.value)
    assert not assets.is_here("words")
    server.faults["/words.txt"] = list(faults)
    paths = "words.txt", "other/words.txt"
    first, last = (f"{server.url}/{path}" for path in paths)
    index(mirrors=[first, "http://127.0.0.1:9/refused", last])
    assert assets.download("words").read_bytes() == CONTENT
    assert assets.record("words")["origin"] == last


def test_another_file_than_expected(server: FileServer, cache: Path, index: Index) -> None:
    index(sha256="0" * 64)
    with pytest.raises(AssetError, match=f"sha256 is {SHA256}, expected 0000"):
        assets.download("words")
    assert not list((cache / "assets/words").iterdir())
    server.requests.clear()
    server.faults["/words.txt"] = ["truncate"]
    with pytest.raises(AssetError, match=f"sha256 is {SHA256}, expected 0000"):
        assets.download("words")
    assert server.asked("/words.txt") == [None, "bytes=5120-", None], "the halves may not match"


def test_from_https_only_to_https() -> None:
    handler = _download._Redirects()
    request = _download.urllib.request.Request("https://example.org/a")
    with pytest.raises(_download.urllib.error.HTTPError, match="/b is not followed"):
        handler.redirect_request(request, io.BytesIO(), 302, "Found", {}, "http://example.org/b")


def test_an_unknown_checksum(server: FileServer, index: Index, cache: Path) -> None:
    index(sha256=None)
    with pytest.raises(AssetError, match=r"checksum of words is not .* --trust-first-use"):
        assets.download("words")
    assert not server.requests
    assert assets.download("words", sha256=SHA256.upper()).exists()
    assert assets.record("words")["checked"] == "against a known sha256"
    shutil.rmtree(cache)
    place = assets.download("words", trust=True)
    assert assets.record("words")["checked"] == "trusted on first use"
    # Later downloads must bring the same file, even where they are trusted.
    place.write_bytes(b"damaged")
    assert not assets.is_here("words")
    server.files["/words.txt"] = b"y" * len(CONTENT)
    with pytest.raises(AssetError, match="that of the first download; to accept another file"):
        assets.download("words", trust=True)
    server.files["/words.txt"] = CONTENT
    assert assets.download("words").read_bytes() == CONTENT
    with pytest.raises(InputError, match="64 hexadecimal digits, got 'abc'"):
        assets.download("words", sha256="abc")
    index()
    with pytest.raises(InputError, match="the index has another sha256 for words"):
        assets.download("words", sha256="0" * 64)


@pytest.mark.usefixtures("index")
def test_damage_in_the_cache_is_found_and_repaired(cache: Path, index: Index) -> None:
    place = assets.download("words")
    times = place.stat()
    place.write_bytes(CONTENT[::-1])
    os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))  # of the same size and time
    with pytest.raises(AssetError, match=r"words is damaged: .*words\.txt is not what was downl"):
        assets.path("words")
    assert assets.download("words").read_bytes() == CONTENT
    listed = json.dumps({"sha256": SHA256, "path": "words.txt", "files": ["words.txt"]})
    record = place.with_name("record.json")
    for text in ("", "[]", '{"sha256": 3}', listed, record.read_text()[:-9]):
        record.write_text(text)
        assert not assets.is_here("words")
        assert assets.download("words").read_bytes() == CONTENT
    index(sha256="1" * 64)  # the index has moved on to another release
    assert not assets.is_here("words")


@pytest.mark.usefixtures("index")
def test_offline(server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "1")
    with pytest.raises(AssetError, match="HYBRIDSEM_OFFLINE is set and words is not.* --from FILE"):
        assets.download("words")
    copy = tmp_path / "copy.txt"
    with pytest.raises(AssetError, match=r"cannot copy .*copy\.txt .*: No such file"):
        assets.download("words", source=copy)
    copy.write_bytes(b"another")
    with pytest.raises(AssetError, match=r"copy\.txt is not words\.txt: sha256 is"):
        assets.download("words", source=copy)
    copy.write_bytes(CONTENT)
    assert assets.download("words", source=copy).read_bytes() == CONTENT
    assert assets.path("words").exists()
    assert not server.requests
    monkeypatch.setenv("HYBRIDSEM_OFFLINE", "0")
    assert not assets.is_offline()


@pytest.mark.usefixtures("index")
def test_a_full_disk(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(10, 5, 5))
        with pytest.raises(AssetError, match=r"no room for words\.txt in .* or set HYBRIDSEM_CA"):
            assets.download("words")
    with monkeypatch.context() as patch:  # full all the same, because others write too

        def full(descriptor: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        patch.setattr(os, "fsync", full)
        with pytest.raises(AssetError, match="no room for words.*it continues"):
            assets.download("words")
    assert assets.download("words").read_bytes() == CONTENT
    assert no_scraps(cache)


@pytest.mark.usefixtures("index")
def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("HYBRIDSEM_CACHE", str(tmp_path / "file"))
    with pytest.raises(AssetError, match="cannot write to the cache .*set HYBRIDSEM_CACHE to"):
        assets.download("words")


@pytest.mark.usefixtures("index")
def test_a_second_download_waits_for_the_first(server: FileServer) -> None:
    together = threading.Barrier(3)

    def get(_: int) -> bytes:
        together.wait()
        return assets.download("words").read_bytes()

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(get, range(3))) == [CONTENT] * 3
    assert len(server.requests) == 1


@pytest.mark.usefixtures("index")
def test_a_process_killed_half_way(server: FileServer, cache: Path) -> None:
    """Its lock is released, its part is not an asset, and the next download continues."""
    server.faults["/words.txt"] = ["stall"]
    code = (
        "import sys, pathlib; from hybridsem import assets; assets.INDEX = "
        "pathlib.Path(sys.argv[1]); assets.download('words')"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(assets.INDEX)], cwd=ROOT)
    part = cache / "assets/words/words.txt.part"
    while not (part.exists() and part.stat().st_size == len(CONTENT) // 2):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert part.stat().st_size == len(CONTENT) // 2
    assert not assets.is_here("words")
    assert assets.download("words").read_bytes() == CONTENT
    assert server.asked("/words.txt") == [None, f"bytes={len(CONTENT) // 2}-"]
    assert no_scraps(cache)


def tar_of(*members: tuple[str, bytes | str]) -> bytes:
    """Return a tar.gz; text as content makes a symbolic link."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                tar.addfile(info)
            else:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def zip_of(*members: tuple[str, bytes | str]) -> bytes:
    """Return a zip; text as content makes a symbolic link."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = (0o120777 if isinstance(content, str) else 0o100644) << 16
            packed.writestr(info, content)
    return stream.getvalue()


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_archives(
    pack: Callable[..., bytes], server: FileServer, index: Index, cache: Path
) -> None:
    def offer(content: bytes) -> None:
        server.files["/words.txt"] = content
        index(unpack=True, size=None, sha256=hashlib.sha256(content).hexdigest())

    offer(pack(("model/config.json", b"{}"), ("model/deep/weights.bin", b"\0" * 9)))
    place = assets.download("words")
    assert place == cache / "assets/words/files/model"
    assert (place / "deep/weights.bin").read_bytes() == b"\0" * 9
    assert {path.name for path in (cache / "assets/words").iterdir()} == {"files", "record.json"}
    (place / "deep/weights.bin").unlink()
    assert not assets.is_here("words")
    offer(pack(("a.txt", b"a")))
    assert assets.download("words") == cache / "assets/words/files/a.txt"
    offer(pack(("a.txt", b"a"), ("b.txt", b"b")))
    assert assets.download("words") == cache / "assets/words/files"
    for bad in ("../up.txt", "/etc/up.txt", "a/../../up.txt"):
        offer(pack(("good.txt", b""), (bad, b"")))
        with suppress(AssetError):
            assets.download("words")
        inside = [*(cache / "assets/words/files").rglob("up.txt")]
        assert [*cache.parent.rglob("up.txt")] == inside, "nothing is written outside"
    offer(pack(("link", "/etc/passwd")))
    with suppress(AssetError):
        assert assets.download("words").read_text() == "/etc/passwd", "no link"
    whole = pack(("model/config.json", os.urandom(5000)))
    for broken in (whole[:-3000] if pack is tar_of else whole[:3000], b"", b"no archive"):
        offer(broken)
        with pytest.raises(AssetError, match=r"words\.txt cannot be unpacked"):
            assets.download("words")
    assert not list(cache.rglob("unpacking-*"))


@pytest.mark.usefixtures("index")
def test_on_the_command_line(run: Run, cache: Path) -> None:
    assert run("models download")[:2] == (0, "words\tWords; MIT\n")
    place, about = f"{cache}/assets/words/words.txt\n", f"sha256 {SHA256}, against a known sha256\n"
    assert run("models download words") == (0, place, about)
    code, out, _ = run("models download words --json")
    assert (code, json.loads(out)["sha256"]) == (0, SHA256)
    code, out, _ = run("models download --json")
    assert (code, json.loads(out)[0]["here"]) == (0, True)
    code, _, err = run("models download wrods")
    assert (code, "unknown asset, got 'wrods'. Did you mean 'words'?" in err) == (1, True)


def test_the_index_that_ships() -> None:
    assert "numberbatch-en" in assets.assets()
    for asset in assets.assets().values():
        assert asset.summary
        assert asset.licence
        assert asset.mirrors
        assert all(url.startswith("https://") for url in asset.mirrors)
        assert re.fullmatch(r"[\w-]+", asset.name)
        assert re.fullmatch(r"[\w.-]+", asset.file)
        assert re.fullmatch(r"[0-9a-f]{64}", asset.sha256 or "0" * 64)
        assert re.fullmatch(r"[0-9a-f]{32}", asset.md5 or "0" * 32)
    with pytest.raises(UnknownNameError, match="unknown asset"):
        assets.asset("nothing")


MD5 = hashlib.md5(CONTENT).hexdigest()


def test_a_file_whose_maker_published_an_md5(
    server: FileServer, index: Index, tmp_path: Path
) -> None:
    index(sha256=None, md5=MD5[::-1])
    with pytest.raises(AssetError, match=f"md5 is {MD5}, expected {MD5[::-1]}"):
        assets.download("words")
    (tmp_path / "copy").write_bytes(CONTENT)
    with pytest.raises(AssetError, match=rf"copy is not words\.txt: md5 is {MD5}"):
        assets.download("words", source=tmp_path / "copy")
    assert not assets.is_here("words")
    index(sha256=None, md5=MD5)
    server.requests.clear()
    server.faults["/words.txt"] = ["truncate"]
    assert assets.download("words").read_bytes() == CONTENT
    assert server.asked("/words.txt") == [None, "bytes=5120-"], "it can be resumed"
    record = assets.record("words")
    assert (record["checked"], record["sha256"]) == ("against a known md5", SHA256)


def test_a_download_has_an_end(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files["/endless"] = CONTENT
    server.faults["/endless"] = ["unsaid"]
    monkeypatch.setattr(_download, "MOST", -1)
    with pytest.raises(AssetError, match="and still incomplete"):
        _download.fetch([f"{server.url}/endless"], tmp_path / "f", pause=0)
    assert not (tmp_path / "f").exists()
