"""How much code a pair passes through: the functions of the package that one call enters, cold, and
the moves between its files.

    python -m benchmarks.trace [--list]

A function counts once, a move each time that a call goes to another file of the package; generator
expressions, comprehensions and lambdas are parts of their function. The parts are loaded before;
``judge`` counts the functions that ``similarity`` does not enter.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Annotated, NamedTuple

import hybridsem
from benchmarks.command import run
from hybridsem import Pipeline

PACKAGE = str(Path(hybridsem.__file__).parent)
WARM = "Rain fell.", "It rained."
PAIR = (
    "Every guest who had not paid left the small hotel before the manager called the police.",
    "The manager called the police before every guest who had paid left the small hotel quietly.",
)
"""Two sentences of 16 and 17 words with a quantifier, a negation, a clause and another order."""
MOST_FUNCTIONS, MOST_MOVES, MOST_OF_JUDGE = 387, 573, 278
"""Bounds that a test keeps (``tests/recipes/test_trace.py``)."""


class Trace(NamedTuple):
    """The functions that a call entered, and its moves between files."""

    functions: frozenset[CodeType]
    moves: int


def trace(call: Callable[[], object]) -> Trace:
    """Run a call and count."""
    functions: set[CodeType] = set()
    moves = 0
    latest = ""

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal moves, latest
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            if not code.co_name.startswith("<"):
                functions.add(code)
            moves += code.co_filename != latest
            latest = code.co_filename

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Trace(frozenset(functions), moves)


def traces() -> tuple[Trace, Trace]:
    """Return the traces of ``similarity`` and of ``judge`` for the pair."""
    nlp = Pipeline()
    nlp.judge(*WARM)
    of_similarity = trace(lambda: nlp.similarity(*PAIR))
    nlp = Pipeline()
    nlp.judge(*WARM)
    of_judge = trace(lambda: nlp.judge(*PAIR))
    return of_similarity, of_judge


def name(code: CodeType) -> str:
    """Return the file and the name of a function."""
    return f"{code.co_filename.removeprefix(PACKAGE)} {code.co_qualname}"


def main(list: Annotated[bool, "print the functions"] = False) -> None:
    of_similarity, of_judge = traces()
    more = of_judge.functions - of_similarity.functions
    files = {code.co_filename for code in of_similarity.functions}
    print(f"similarity: {len(of_similarity.functions)} functions of {len(files)} files,", end=" ")
    print(f"{of_similarity.moves} moves")
    print(f"judge: {len(more)} functions more")
    if list:
        for title, functions in (("similarity", of_similarity.functions), ("judge", more)):
            print(*sorted(f"  {title} {name(code)}" for code in functions), sep="\n")


if __name__ == "__main__":
    run(main)
