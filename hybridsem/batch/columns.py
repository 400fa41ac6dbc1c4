"""The columns of a scored file: the input's, then ``score``, the details if requested, ``note``.

If the input has a column of that name, the new one is ``hybridsem_score``, ``hybridsem_score_2``, …
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hybridsem.batch.work import Result
from hybridsem.explanations import merged_details
from hybridsem.structures import Role
from hybridsem.tables import Layout, Pair
from hybridsem.tables.writers import Output, WrittenRow


class Columns:
    """The columns of an output and the cells of a row. Roles of the closed inventory have a column
    each; others, such as paths, share a column ``roles``.
    """

    def __init__(
        self,
        layout: Layout | None,
        values: Sequence[str] = (),
        roles: Sequence[str] | None = None,
        merged: bool = False,
    ) -> None:
        self.kept = layout.columns if layout is not None else ("text1", "text2")
        self._merge: Callable[[Mapping[str, float]], Mapping[str, float]]
        self._merge = merged_details if merged else dict
        self.values = tuple(self._merge(dict.fromkeys(values, 0.0)))
        self.roles: tuple[str, ...] | None = () if roles is None else None
        if roles is not None and set(roles) <= set(Role):
            self.roles = tuple(map(str, Role)) if roles or not merged else ()
        added: list[str] = []
        for name in ("score", *self.values, *(("roles",) if self.roles is None else self.roles)):
            added.append(self._free(name, added))
        self.added = (*added, self._free("note", added))

    def _free(self, name: str, taken: Sequence[str]) -> str:
        more = (f"hybridsem_{name}_{i}" for i in itertools.count(2))
        names = itertools.chain([name, f"hybridsem_{name}"], more)
        return next(free for free in names if free not in self.kept and free not in taken)

    def output(self, safe: bool = False) -> Output:
        """Return the columns for a writer."""
        kinds: dict[str, type] = {self.added[-1]: str}
        if self.roles is None:
            kinds[self.added[-2]] = dict
        return Output(self.kept, self.added, kinds, safe)

    def rows(self, pairs: Sequence[Pair], results: Sequence[Result]) -> Iterator[WrittenRow]:
        """Yield the rows to write."""
        for pair, result in zip(pairs, results, strict=True):
            fields = pair.fields or {"text1": pair.text1, "text2": pair.text2}
            yield fields, self.cells(result), pair.line

    def cells(self, result: Result) -> list[Any]:
        """Return the cells of the added columns."""
        roles = [dict(result.roles)] if self.roles is None else map(result.roles.get, self.roles)
        values = map(self._merge(result.values).get, self.values)
        return [result.score, *values, *roles, result.note]
