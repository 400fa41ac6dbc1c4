"""What notebooks show, in a real browser: on a phone, and in notebooks of either theme."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from support.browser import Browser

from hybridsem import Explanation, Pipeline
from hybridsem.amr import AmrGraph
from hybridsem.render import as_page, as_svg, figures_as_html

NOTEBOOK = """<!DOCTYPE html><html lang="en"><head><title>A notebook</title><style>
body {{ background: {page}; color: {ink}; }}
.jp-RenderedHTMLCommon tbody tr:nth-child(odd) {{ background: {row}; }}
.jp-RenderedHTMLCommon tbody tr:nth-child(even) {{ background: {page}; }}
.jp-RenderedHTMLCommon tbody tr:hover {{ background: {row}; }}
.jp-RenderedHTMLCommon td, .jp-RenderedHTMLCommon th {{ color: {ink}; text-align: right; }}
</style></head><body {theme}><div class="jp-RenderedHTMLCommon">{output}</div></body></html>"""
"""A page with the rules by which notebooks colour tables."""

CONTRASTS = """(() => {
  const channels = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => channels(c).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor, [, , , a = 1] = channels(colour);
      if (a === 1) return colour;
      if (a > 0 && e.tagName === 'TR') return 'rgb(255, 0, 0)';  // a row must have no colour
    }
  };
  return [...document.querySelectorAll('.hs tr > *, .hs caption, .hs p, .hs pre, .hs summary')]
    .filter(e => e.textContent.trim() && e.getBoundingClientRect().width
            && !/hs-(plus|minus)/.test(e.className))
    .map(e => [light(getComputedStyle(e).color), light(behind(e))].sort((a, b) => b - a))
    .map(([a, b]) => (a + 0.05) / (b + 0.05));
})()"""


CLIPPED = """[...document.querySelectorAll(
  '.hs-add, .hs-score, .hs-lines > table > tfoot > tr > td')].filter(cell => {
  const box = cell.getBoundingClientRect(), lines = document.querySelector('.hs-lines');
  return box.right > innerWidth || lines.scrollWidth > lines.clientWidth;
}).map(cell => cell.textContent)"""
PLAIN = {"page": "#ffffff", "ink": "#222222", "row": "#f2f2f2", "theme": ""}

NLP = Pipeline()


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    return NLP.explain(
        "Yesterday the dog of my neighbour chased the cat through our garden.",
        "Yesterday the cat of my neighbour chased the dog through our garden.",
    )


PHONE, SCREEN = 390, 1280
CROWDED = (
    "After the government announced last week that it would raise the minimum wage by ten percent,"
    " several large retailers in the northern cities warned that they might have to close some of"
    " their smaller stores before the end of the year.",
    "Several small retailers in the southern cities warned on Monday that they would close all of"
    " their stores before the end of the year after the government had announced that it might"
    " lower the minimum wage by five percent last week.",
)
TEXTS = (
    "Zoë Müller founded the company in 1998. It sold 40,000 bicycles for $3.5 million in 2019.",
    "It sold 900 bicycles for 4 million dollars in 2021. Zoë Müller founded the company in 1998.",
)


@pytest.mark.parametrize("width", [PHONE, 520, 700, SCREEN])
def test_pages_fit_the_width_of_a_phone(window: Browser, tmp_path: Path, width: int) -> None:
    long = NLP.explain(
        "The parliamentary subcommittee on telecommunications infrastructure recommended 12 changes"
        " yesterday, although deregulation was controversial.",
        "Nobody reconsidered 15 changes of the telecommunications subcommittee.",
    )
    details = {f"share of figures that are told {number}": 0.5 for number in range(9)}
    texts = {
        "why": as_page(replace(long, details=details)),
        "notebook": NOTEBOOK.format(output=long._repr_html_(), **PLAIN),
        "picture": as_svg(long, width=370),
        "crowded": as_page(NLP.explain(*CROWDED)),
        "texts": as_page(NLP.explain(*TEXTS)) + NLP.judge(*TEXTS)._repr_html_(),
    }
    for name, text in texts.items():
        page = tmp_path / f"{name}.html"
        page.write_text(text, encoding="utf-8")
        assert window.untidy(page, width) == []
        # Each contribution and the score are seen without scrolling.
        assert window.run(CLIPPED) == []
        shown = "getComputedStyle(document.querySelector('.hs-wide')).display"
        assert name == "picture" or window.run(shown) == ("block" if width > 650 else "none")


@pytest.fixture(scope="module")
def outputs(explanation: Explanation) -> str:
    """An explanation, a parse with its tree, an AMR graph, a table of figures."""
    parses = NLP.parse(["Ann gave Bob a book.", "The dog was chased by a cat."])
    graph = AmrGraph.from_penman("(b / bark-01 :polarity - :ARG0 (d / dog :ARG0-of b))")
    shown = [explanation._repr_html_(), parses._repr_html_(), graph._repr_html_()]
    return "".join([*shown, figures_as_html("Figures", ["model", "rho"], [["one", 0.5]], ["No."])])


@pytest.mark.parametrize("says_so", [True, False])
@pytest.mark.parametrize(
    ("system_dark", "notebook_dark"), list(itertools.product((False, True), repeat=2))
)
def test_tables_are_legible_whatever_the_themes(
    outputs: str,
    window: Browser,
    tmp_path: Path,
    system_dark: bool,
    notebook_dark: bool,
    says_so: bool,
) -> None:
    colours = (
        {"page": "#111111", "ink": "#eeeeee", "row": "#333333"}
        if notebook_dark
        else {"page": "#ffffff", "ink": "#222222", "row": "#f2f2f2"}
    )
    # JupyterLab and nbconvert name their theme; where nobody does, the system's is taken.
    theme = f'data-jp-theme-light="{str(not notebook_dark).lower()}"' if says_so else ""
    page = tmp_path / "notebook.html"
    page.write_text(NOTEBOOK.format(output=outputs, theme=theme, **colours), encoding="utf-8")
    window.open(page, dark=system_dark)
    contrasts = window.run(CONTRASTS)
    assert len(contrasts) > 50
    assert min(contrasts) >= 4.5
    paper = window.run("getComputedStyle(document.querySelector('.hs')).backgroundColor")
    is_dark = notebook_dark if says_so else system_dark
    assert paper == ("rgb(23, 28, 37)" if is_dark else "rgb(255, 255, 255)")


@pytest.mark.parametrize("width", [PHONE, SCREEN])
def test_displays_scroll_within_themselves(
    outputs: str, window: Browser, tmp_path: Path, width: int
) -> None:
    long = " and ".join(["Ann gave Bob a book about old ships"] * 6) + "."
    shown = NLP.parse([long])._repr_html_() + NLP.explain(long, long)._repr_html_()
    page = tmp_path / "notebook.html"
    page.write_text(outputs + shown, encoding="utf-8")
    assert window.untidy(page, width) == []
    assert window.run(
        "[...document.querySelectorAll('.hs-scroll')].some("
        "e => e.scrollWidth > e.clientWidth + 100)"
    )
