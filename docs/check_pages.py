"""Check pages of the built site in a headless browser: accessibility (axe), phone width, print.

    make docs
    npm pack axe-core && tar xzf axe-core-*.tgz         # in a folder of its own
    python docs/check_pages.py --axe package/axe.min.js

A page passes if axe finds no violation of WCAG 2.2 AA or of its own good practice, light and dark,
wide and 390 px narrow; if it does not scroll sideways and no word is broken; if a print leaves out
the navigation; and if it asks no other host for anything. Needs Chromium.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.browser import UNTIDY, Browser, browser  # noqa: E402

PAGES = (
    "docs/index.html",
    "docs/install.html",
    "docs/tour.html",
    "docs/how-to.html",
    "docs/hybrid-figures.html",
    *(
        f"docs/notebooks/{name}.html"
        for name in (
            "first-steps",
            "reading-explanations",
            "your-own-pairs",
            "semantic-roles",
            "comparing-models",
            "sts3k-table",
        )
    ),
    "docs/judge.html",
    "docs/glossary.html",
    "docs/generated/leaderboard.html",
    "docs/generated/models.html",
    "docs/reference/commands.html",
    "docs/reference/hybridsem.html",
    "docs/reference/hybridsem.structures.html",
    "search.html",
    "genindex.html",
)
NARROW, WIDE = 390, 1280
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

NAVIGATION = """[...document.querySelectorAll('nav, aside, [class*="sidebar"]')]
  .filter(e => e.getBoundingClientRect().width > 0 && getComputedStyle(e).visibility !== 'hidden')
  .map(e => e.tagName + '.' + e.className).slice(0, 5)"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--axe", type=Path, required=True, help="axe.min.js of the npm package axe-core"
    )
    parser.add_argument("--site", type=Path, default=ROOT / "build/docs")
    parser.add_argument("--screenshots", type=Path, help="a folder for pictures of the pages")
    parser.add_argument("pages", nargs="*", default=PAGES)
    given = parser.parse_args()
    axe = given.axe.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as window:
        found = [
            line
            for page in given.pages
            for line in problems(window, given.site / page, axe, given.screenshots)
        ]
    print("\n".join(found) or f"{len(given.pages)} pages: nothing found")
    sys.exit(bool(found))


def problems(window: Browser, page: Path, axe: str, pictures: Path | None) -> list[str]:
    """What is wrong with a page, a line each."""
    found = []
    for width in (WIDE, NARROW):
        for dark in (False, True):
            window.requests.clear()
            window.errors.clear()
            window.open(page, width=width, dark=dark)
            where = f"{page.name}, {width} px, {'dark' if dark else 'light'}"
            found += [
                f"{where}: asks for {url}"
                for url in window.requests
                if "://" in url and not url.startswith(("file:", "data:"))
            ]
            found += [f"{where}: {error}" for error in window.errors]
            found += [f"{where}: {line}" for line in violations(window, axe)]
            found += [f"{where}: overflows or is broken: {part}" for part in window.run(UNTIDY)]
            if pictures is not None:
                pictures.mkdir(parents=True, exist_ok=True)
                window.screenshot(pictures / f"{page.stem}-{width}{'-dark' if dark else ''}.png")
    window.call("Emulation.setEmulatedMedia", media="print")
    found += [f"{page.name}, print: shows {name}" for name in window.run(NAVIGATION)]
    if pictures is not None:
        window.screenshot(pictures / f"{page.stem}-print.png")
    window.call("Emulation.setEmulatedMedia", media="")
    return found


def violations(window: Browser, axe: str) -> list[str]:
    """What axe finds in the page that is shown."""
    window.run(f"{axe};null")
    options = json.dumps(
        {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    )
    answer = window.run(f"axe.run(document, {options}).then(r => JSON.stringify(r.violations))")
    return [
        f"{rule['id']} ({rule['impact']}), {len(rule['nodes'])} times: "
        f"{rule['nodes'][0]['html'][:150]} {rule['nodes'][0].get('failureSummary', '')[:300]}"
        for rule in json.loads(answer)
    ]


if __name__ == "__main__":
    main()
