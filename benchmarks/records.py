"""Deduplicate product lines, log lines and addresses that differ in one identifier.

    python -m benchmarks.records [--lines 20000] [--seed 1] [--reworded]

The lines are in ``records.toml``. Each becomes a family of records that differ in its identifier
alone, most of them in one digit or letter from another. All records are distinct, so that every
dropped record is a wrong merge. Prints the wrong merges of each group, with examples, and seconds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict, cast

from benchmarks.corpora.records import SLOT, Code, Numbers, Source
from hybridsem import Pipeline
from hybridsem._utils.tables import read_table

EXAMPLES = 5


class _Table(TypedDict):
    lines: Mapping[str, str]
    codes: Mapping[str, str]
    numbers: Mapping[str, str]


class NumberedLine(NamedTuple):
    """A record and its group."""

    group: str
    text: str


def numbered_lines(count: int, seed: int = 0) -> list[NumberedLine]:
    """Return distinct records in a random order, about as many of each family.

    >>> len(set(numbered_lines(300)))
    300
    """
    table = cast(_Table, read_table(__file__))
    sources: dict[str, Source] = {name: Code(form) for name, form in table["codes"].items()}
    sources |= {name: Numbers(*ends.split("..")) for name, ends in table["numbers"].items()}
    families = [
        (group, line) for group, lines in table["lines"].items() for line in lines.split("\n")[:-1]
    ]
    random_ = random.Random(seed)
    records: list[NumberedLine] = []
    for at, (group, line) in enumerate(families):
        size = count // len(families) + (at < count % len(families))
        slot = SLOT.search(line)
        assert slot is not None, line
        for value in _values(sources[slot[1]], size, random_):
            records.append(NumberedLine(group, line.replace(slot[0], value)))
    random_.shuffle(records)
    return records


def _values(source: Source, count: int, random_: random.Random) -> Iterator[str]:
    """Yield distinct values, each but the first a change of an earlier one."""
    values = [source.draw(random_)] if count else []
    seen = set(values)
    while len(values) < count:
        value = source.other(random_.choice(values), random_)
        if value not in seen:
            seen.add(value)
            values.append(value)
    yield from values


def measure(records: Sequence[NumberedLine], reworded: bool) -> None:
    """Deduplicate the records and print what is dropped."""
    nlp = Pipeline()
    began = time.perf_counter()
    found = nlp.deduplicate([record.text for record in records], reworded=reworded)
    seconds = time.perf_counter() - began
    sizes = Counter(record.group for record in records)
    dropped = Counter(records[pair.number].group for pair in found.dropped)
    print(f"{len(records):,} records, reworded={reworded}: {seconds:.1f} s")
    for group, size in sizes.items():
        print(f"{group:10} {dropped[group]:6,} wrong merges of {size:,}")
    print(f"{'all':10} {dropped.total():6,} wrong merges of {len(records):,}")
    for pair in found.dropped[:EXAMPLES]:
        print(f"    {records[pair.number].text}\n    {records[pair.partner].text}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reworded", action="store_true", help="also with other words")
    options = parser.parse_args(arguments)
    measure(numbered_lines(options.lines, options.seed), options.reworded)


if __name__ == "__main__":
    main()
