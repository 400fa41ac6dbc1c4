"""A headless browser, driven through its pipes: Chromium's own protocol, JSON messages that end in
a NUL. Nothing but an installed Chromium is needed.
"""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NO_BROWSER = "needs a headless browser, and no Chromium is installed"
"""The reason of a skip; it excuses nothing where there is one."""

PATIENCE = 60.0

UNTIDY = """(() => {
  const problems = [];
  if (document.documentElement.scrollWidth > innerWidth) problems.push('the page scrolls sideways');
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const part = document.createRange();
  for (let node; (node = words.nextNode());) {
    for (const word of node.data.matchAll(/[^\\s\\/?|–—-]+/g)) {  // a line may end after a sign
      part.setStart(node, word.index);
      part.setEnd(node, word.index + word[0].length);
      const boxes = [...part.getClientRects()];
      const width = boxes.reduce((sum, box) => sum + box.width, 0);
      if (width < 160 && boxes.some(box => box.top > boxes[0].top + 9)) problems.push(word[0]);
    }
  }
  for (const label of document.querySelectorAll('.hs-pill text, .hs-chip ~ .hs-word')) {
    const box = label.parentElement.querySelector('rect').getBoundingClientRect();
    const text = label.getBoundingClientRect();
    if (text.left < box.left || text.right > box.right) problems.push(label.textContent);
  }
  const pills = [...document.querySelectorAll('.hs-pill')].map(e => [e, e.getBoundingClientRect()]);
  for (const [a, one] of pills) for (const [b, other] of pills) {
    const apart = Math.max(other.left - one.right, other.top - one.bottom, one.top - other.bottom);
    if (a !== b && one.left <= other.left && one.width && apart < -1)
      problems.push(`${a.textContent} over ${b.textContent}`);
  }
  for (const drawn of document.querySelectorAll('.hs-diagram :is(text, rect:not(.hs-behind))')) {
    const box = drawn.ownerSVGElement.getBoundingClientRect();
    const own = drawn.getBoundingClientRect();
    if (own.left < box.left - 1 || own.right > box.right + 1) problems.push(drawn.textContent);
  }
  return problems;
})()"""
"""A script that returns short words broken over lines, labels wider than their boxes or over each
other, and parts outside their picture.
"""


def find_browser() -> str | None:
    """The program of an installed Chromium; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A page in a browser."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._buffer, self._number = b"", 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command of the protocol, and its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return answer.get("result", {})

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._from, 1 << 16)
            assert chunk, "the browser has gone"
            self._buffer += chunk
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        given = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(given["request"]["url"])
            case "Runtime.exceptionThrown":
                self.errors.append(str(given["exceptionDetails"]))
            case "Log.entryAdded" if given["entry"]["level"] == "error":
                self.errors.append(given["entry"]["text"])
        return message

    def open(
        self, page: Path | str, width: int = 1200, height: int = 900, dark: bool = False
    ) -> None:
        """Show a file or an address in a window of that size, and wait until it is whole."""
        address = page if isinstance(page, str) else page.as_uri()
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=address)
        self.wait_for(
            f"document.readyState === 'complete' && location.href.startsWith({address!r})"
        )

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def untidy(self, page: Path, width: int) -> list[str]:
        """What overflows or is broken in a page with all details open, in a window of a width."""
        self.open(page, width=width)
        self.run("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        problems: list[str] = self.run(UNTIDY)
        return problems

    def wait_for(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(script):
            assert time.monotonic() < end, f"not within {PATIENCE:g} s: {script}"
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Click in the middle of an element, which is brought into view."""
        place = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call(
                "Input.dispatchMouseEvent",
                type=kind,
                x=place[0],
                y=place[1],
                button="left",
                clickCount=1,
            )

    def screenshot(self, path: Path, whole: bool = False) -> None:
        """Save what the window shows, or the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(answer["data"]))


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with a profile of its own in ``folder``."""
    program = find_browser()
    assert program is not None, NO_BROWSER
    command_read, command_write = os.pipe()
    answer_read, answer_write = os.pipe()
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--no-first-run",
        "--remote-debugging-pipe",
        f"--user-data-dir={folder}",
    ]

    def pipes() -> None:  # the browser reads from 3 and writes to 4
        reading, writing = os.dup(command_read), os.dup(answer_write)
        os.dup2(reading, 3)
        os.dup2(writing, 4)

    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [program, *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            preexec_fn=pipes,
            close_fds=False,
        )
    os.close(command_read)
    os.close(answer_write)
    try:
        yield Browser(command_write, answer_read)
    finally:
        os.close(command_write)
        os.close(answer_read)
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
