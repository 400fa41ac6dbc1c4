"""What hybridsem does, in a minute: scores of three models side by side, an explanation, and a pair
file.

Run by ``make demo``; needs the core dependencies only.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from hybridsem import Pipeline
from hybridsem.batch import score_file
from hybridsem.render import as_page, as_terminal, as_text

MODELS = {
    "hybrid": "roles and the sentence encoder (the default)",
    "embedded": "the sentence encoder alone",
    "verbnet-cn": "roles alone",
}

PAIRS = (
    ("same", "The gardener watered the roses.", "The gardener watered the roses."),
    ("swapped", "The goat followed the farmer.", "The farmer followed the goat."),
    ("passive", "The goat followed the farmer.", "The farmer was followed by the goat."),
    ("dative", "Maria gave the clerk a letter.", "Maria gave a letter to the clerk."),
    ("paraphrase", "The physician examined the child.", "A doctor looked at the boy."),
    ("modifiers", "A tall woman painted the fence.", "A woman painted the old fence."),
    ("negated", "The train arrived on time.", "The train did not arrive on time."),
    ("unrelated", "The train arrived on time.", "Two otters are eating fish."),
)

EXPLAINED = PAIRS[1][1:]

HERE = Path(__file__).parent


def main() -> None:
    console = Console()
    pipelines = {name: Pipeline(model=name) for name in MODELS}

    print("How alike are two sentences? 1 is the same, 0 is unrelated.\n")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("pair", no_wrap=True)
    table.add_column("sentences")
    for name in MODELS:
        table.add_column(name, justify="right", no_wrap=True)
    scores = [pipeline.score([pair[1:] for pair in PAIRS]) for pipeline in pipelines.values()]
    for (kind, one, other), *row in zip(PAIRS, *scores, strict=True):
        table.add_row(kind, f"{one}\n{other}", *(f"{score:.2f}" for score in row), end_section=True)
    console.print(table)
    print()
    for name, summary in MODELS.items():
        print(f"{name:<10}  {summary}")
    hybrid, encoder = (row[1] for row in scores[:2])
    print(
        f"\nThe same words in swapped roles score {encoder:.2f} by the encoder and "
        f"{hybrid:.2f} by hybrid.\n"
    )

    explanation = pipelines["hybrid"].explain(*EXPLAINED)
    print("What hybrid's score of that pair is made of:\n")
    print(as_terminal(explanation) if sys.stdout.isatty() else as_text(explanation))

    folder = Path(tempfile.mkdtemp(prefix="hybridsem-demo-"))
    page = folder / "explanation.html"
    page.write_text(as_page(explanation), encoding="utf-8")
    report = score_file(pipelines["hybrid"], HERE / "pairs.csv", folder / "scores.csv")
    scored = folder / "scores.csv"
    print(
        f"\nA file of pairs, examples/pairs.csv: {report.scored} of {report.rows} scored, in "
        f"{scored}\n"
    )
    print(scored.read_text(encoding="utf-8"))

    command = Path(sys.executable).with_name("hybridsem")
    hybridsem = command.relative_to(Path.cwd()) if command.is_relative_to(Path.cwd()) else command
    print(f"""The explanation above as a page for a browser: {page}

To try next:
  {hybridsem} similarity "The cat chased the dog." "The dog chased the cat."
  {hybridsem} explain "The cat chased the dog." "The dog was chased by the cat." --html page.html
  {hybridsem} score examples/pairs.jsonl -o scores.csv
  {hybridsem} models
""")


if __name__ == "__main__":
    main()
