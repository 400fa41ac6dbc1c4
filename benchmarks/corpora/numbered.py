"""Product lines, log lines and addresses that differ in one identifier.

The lines are in ``numbered.toml``. Each becomes a family of records that differ in its identifier
alone, most of them in one digit or letter from another. All records are distinct.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks.corpora.records import SLOT, Source, sources_of
from hybridsem._utils.tables import read_table


class NumberedLine(NamedTuple):
    """A record and its group."""

    group: str
    text: str


def numbered_lines(count: int, seed: int = 0) -> list[NumberedLine]:
    """Return distinct records in a random order, about as many of each family.

    >>> len(set(numbered_lines(300)))
    300
    """
    table = read_table(__file__)
    sources = sources_of(table)
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
