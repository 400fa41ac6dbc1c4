"""Write the pages of figures that the site builds from result cards, and the pictures of results.

    python docs/make_results.py            # the pictures, after benchmarks/suite.py wrote new cards
    python docs/make_results.py --pages    # the pages in docs/generated; the site build does so

similarity.md     STS3k, STSb and SICK, from benchmarks/results and docs/published
leaderboard.md    every card in benchmarks/results, ranked
reproduction.md   the papers' tables beside ours, from benchmarks.reproduction.tables
models.md         the models, as `hybridsem models list` prints them
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

from hybridsem.english.rules import as_markdown, shipped
from hybridsem.evaluation import Card, load_card
from hybridsem.evaluation.report.leaderboard.board import leaderboard, read_published
from hybridsem.evaluation.report.leaderboard.files import FILES, read_cards
from hybridsem.evaluation.report.plots import plot, save
from hybridsem.evaluation.report.tables import figure
from hybridsem.judge.rules import as_markdown as logic_as_markdown
from hybridsem.judge.rules import makers, quantifiers, relations
from hybridsem.registry import models

HERE = Path(__file__).parent
GENERATED = HERE / "generated"
RESULTS = HERE.parent / "benchmarks" / "results"
BENCHMARKS = ("sick", "sts3k", "stsb")
GROUPS = ("all", "non-adversarial", "adversarial")

PAGE = """# Sentence similarity: results

Spearman's correlation with human ratings. Our models read raw text, and nothing is repaired by
hand unless the name of a row says whose parses it uses. No weight or constant was trained or chosen
on these sets. `hybrid-0.1` is the hybrid of version 0.1.0; [all benchmarks](../hybrid-figures.md)
show what changed since.

`sts3k` is 840 of the 2,800 pairs of STS3k (Fodor, De Deyne & Suzuki 2024: 499 adversarial, 320
non-adversarial, 21 negative), `stsb` the test set of the STS benchmark (1,379 pairs), `sick` that
of SICK 2014 (4,927 pairs). Rows named *released* are similarities that the STS3k release holds for
its own models, on the same 840 pairs: they share one table with ours and are tested pair by pair.

{comparison}

![Correlations by benchmark and group, with intervals](../results-bars.svg)

Bars are correlations, lines their 95 % intervals (10,000 bootstrap resamples over pairs).

## The adversarial gap

The correlation over non-adversarial pairs minus that over adversarial ones: what a model loses when
the words stay and the structure changes.

![Correlations of both groups, and the gap between them](../results-gap.svg)

## Beside the published figures

{published}

## How it was measured

`python -m benchmarks.suite --data DIR` runs the models and writes the cards in
`benchmarks/results/`. Tests between models are paired bootstraps over the same pairs, with Holm's
correction over the
whole table. Rows without a score are left out and counted in the card. The rows that name SPRING or
GloVe-9k use the release's SPRING parses, and the first 9,163 words of GloVe 6B in 50 dimensions,
which lacks many words of these sets: its rows show the method and not what GloVe can do.

{fingerprints}
"""


def published(paper: dict[str, Any], cards: dict[tuple[str, str], Card]) -> str:
    """The paper's rows beside ours, and what differs."""
    lines = [
        f"{paper['authors']}: *{paper['title']}*. {paper['venue']}, doi:{paper['doi']}.",
        "",
        "| published | setting | all | non-adv. | adv. | here | all | non-adv. | adv. |",
        "| " + " | ".join(["---"] * 9) + " |",
    ]
    differences = []
    for number, row in enumerate(paper["row"], start=1):
        theirs = [written(row.get(group.replace("-", "_"))) for group in GROUPS]
        ours = cards.get(("sts3k", row["ours"])) if "ours" in row else None
        found = [figure(ours.headline[group].value) if ours else "–" for group in GROUPS]
        name = f"`{row['ours']}`" if ours else "–"
        where = row["setting"] + (f" ({row['where']})" if "where" in row else "")
        lines.append(
            "| " + " | ".join([f"{number}. {row['model']}", where, *theirs, name, *found]) + " |"
        )
        differences.append(f"{number}. {row['difference']}")
    rest = "All tables of the papers beside ours: [the papers' tables](reproduction.md)."
    return "\n".join([*lines, "", "What differs:", "", *differences, "", rest])


def written(value: float | list[float] | None) -> str:
    if isinstance(value, list):
        return "–".join(f"{one:.2f}".removeprefix("0") for one in value)
    return "–" if value is None else f"{value}".removeprefix("0")


def cards_of_results() -> dict[tuple[str, str], Card]:
    """The committed cards, by benchmark and name."""
    return {
        (card.task["name"], card.name): card
        for benchmark in BENCHMARKS
        for card in map(load_card, sorted((RESULTS / benchmark).glob("*.json")))
    }


def ours(cards: dict[tuple[str, str], Card]) -> list[Card]:
    """The cards of our models, the benchmarks in the order of the page."""
    order = ("sts3k", "stsb", "sick")
    found = [card for card in cards.values() if not card.name.startswith("released")]
    return sorted(found, key=lambda card: order.index(card.task["name"]))


def page(cards: dict[tuple[str, str], Card]) -> str:
    """The text of similarity.md."""
    papers = [
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted((HERE / "published").glob("*.toml"))
    ]
    return PAGE.format(
        comparison=(RESULTS / "comparison.md").read_text(encoding="utf-8").strip(),
        published="\n\n".join(published(paper, cards) for paper in papers),
        fingerprints="\n".join(f"    {card.fingerprint()}" for card in ours(cards)),
    )


def ranked() -> str:
    """The text of leaderboard.md."""
    cards, names = read_cards([RESULTS])
    return FILES["leaderboard.md"](
        leaderboard(cards, names=names, published=read_published([HERE / "published"]))
    )


def reproduced() -> str:
    """The text of reproduction.md."""
    sys.path.insert(0, str(HERE.parent))
    from benchmarks.reproduction.__main__ import PAPERS
    from benchmarks.reproduction.page import page

    return page(PAPERS)


MODELS = """# All models

Names for `Pipeline(NAME)` and `--model NAME`. `embedded` needs nothing but the package.
[Which model to use](../install.md#which-model); [results](../results.md).

| name | description | needs | licence | dimension | published as |
| --- | --- | --- | --- | --- | --- |
{rows}

<script src="../../_static/models.js" defer></script>
"""


def known_models() -> str:
    """The text of models.md."""
    rows = []
    for spec in models().values():
        cells = (spec.summary, spec.needs, spec.licence, spec.dimension, ", ".join(spec.rows))
        shown = [escape(str(cell or "–")).replace("|", "\\|") for cell in cells]
        rows.append(f"| `{spec.name}` | {' | '.join(shown)} |")
    return MODELS.format(rows="\n".join(rows))


RULES = """# Rules

What the program believes about English, row by row, from the tables in `hybridsem/english/rules`
([how they are used](../comparison.md#rules)). Precision is measured on pairs of development data.

## Rewrites to one form

{rewrites}
## Contexts

{contexts}
## Relations of edits

{relations}
"""


def known_rules() -> str:
    """The text of rules.md."""
    contexts = [*quantifiers().values(), *makers()]
    return RULES.format(
        rewrites=as_markdown(shipped()),
        contexts=logic_as_markdown(contexts),
        relations=logic_as_markdown(relations().values()),
    )


PAGES: dict[str, Callable[[], str]] = {
    "similarity.md": lambda: page(cards_of_results()),
    "leaderboard.md": ranked,
    "reproduction.md": reproduced,
    "models.md": known_models,
    "rules.md": known_rules,
}


def write_pages(folder: Path = GENERATED) -> None:
    """Write the pages whose text has changed."""
    folder.mkdir(exist_ok=True)
    for name, text in ((name, made()) for name, made in PAGES.items()):
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def main() -> None:
    if sys.argv[1:] == ["--pages"]:
        return write_pages()
    cards = cards_of_results()
    save(plot(ours(cards), "bars", groups=GROUPS), HERE / "results-bars.svg")
    save(
        plot([card for (task, _), card in cards.items() if task == "sts3k"], "gap"),
        HERE / "results-gap.svg",
    )


if __name__ == "__main__":
    main()
