"""An index on disk for millions of texts, searched by score or by who did what to whom."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from hybridsem._utils import displays
from hybridsem._utils.validation import check_count, check_sentences, problem
from hybridsem.errors import AssetError, FormatError, HybridSemError, InputError
from hybridsem.explanations import Explanation
from hybridsem.reader import Arguments, HoldsReader, Reader, reader_of
from hybridsem.search.building import commit, copy_rows, write_texts
from hybridsem.search.clauses import SlotQuery, slot_query
from hybridsem.search.database import Id
from hybridsem.search.folder import Folder, Manifest
from hybridsem.search.scoring import Contents, best_rows
from hybridsem.search.slots import SlotMatch, best_by_slots
from hybridsem.search.storage import check_reading, contents_of, probe_of, storage_mode
from hybridsem.search.vectors import PRECISIONS

CANDIDATES = 128
"""The most texts that an approximate search scores for a query."""
SCORING = ("weights", "calibration", "normalise", "frames", "pair_reader")
"""Settings that change scores, but not the stored form of texts."""
TRIES = 5
_REFRESHING = threading.Lock()
QUERIES = 16


class SearchOptions(TypedDict, total=False):
    """Options of :meth:`Index.search` for sentences."""

    by: str
    exact: bool
    candidates: int
    explain: bool
    least: float


@dataclass(frozen=True)
class Hit:
    """A text that was found: its ``id``, its ``score``, and the ``explanation`` if wanted. A query
    by roles has ``slots``: the phrase in each slot, its similarity, and the kind of match.
    """

    id: Id
    text: str
    score: float
    explanation: Explanation | None = None
    slots: Mapping[str, SlotMatch] | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain data, as ``hybridsem search --json`` prints it."""
        found: dict[str, object] = {"id": self.id, "score": self.score, "text": self.text}
        if self.slots is not None:
            found["slots"] = {role: match._asdict() for role, match in self.slots.items()}
        if self.explanation is not None:
            found["explanation"] = self.explanation.to_dict()
        return found


class Index:
    """Texts in a folder, prepared for search; :meth:`build` or :meth:`open` it. Several processes
    may read while one writes; a reader sees the changes from its next search on.

    >>> import tempfile
    >>> texts = ["The bank sued the newspaper.", "The newspaper sued the bank.", "It rains."]
    >>> folder = tempfile.TemporaryDirectory()
    >>> index = Index.build(texts, folder.name + "/idx")
    >>> [hit.id for hit in index.search("The newspaper was sued by the bank.", top_k=2)]
    [0, 1]
    >>> [hit.text for hit in index.search(agent="newspaper", verb="sue", top_k=1)]
    ['The newspaper sued the bank.']
    >>> index.append(["We left."]), index.delete([2]), len(index)
    (1, 1, 3)
    >>> [id for id, text in Index.open(folder.name + "/idx")]
    [0, 1, 3]
    >>> folder.cleanup()
    """

    def __init__(self, folder: Folder, model: Reader | None) -> None:
        # The bounds of the search are the cosines, which a pair reader exceeds.
        self._folder, self._model = folder, None if model is None else model.alone()
        self._checked: tuple[object, ...] = ()
        self._contents = self._loaded(None)

    # --- making

    @classmethod
    def build(
        cls,
        texts: Iterable[object],
        path: str | os.PathLike[str],
        nlp: Reader | HoldsReader | None = None,
        *,
        ids: Iterable[Id] | None = None,
        precision: str = "int8",
        on_error: str = "fail",
        force: bool = False,
        progress: bool = False,
        total: int | None = None,
    ) -> Index:
        """Read texts, once each, into a new index.

        Texts are streamed. A build that was killed continues when it is run again with the same
        texts. The index in use is replaced (``force``) when the new one is whole.

        Args:
            texts: The texts.
            path: The folder.
            nlp: The pipeline that reads; None: ``Pipeline()``.
            ids: Whole numbers or texts; None: numbers from 0.
            precision: The precision of the vectors: ``int8``, ``float16`` or ``float32``. Exact
                search is exact with each, because it reads the best texts again.
            on_error: ``fail`` or ``skip`` for a text that is not a sentence (blank, or not valid
                Unicode).
            force: Replace an existing index.
            progress: Show a bar on stderr when that is a terminal.
            total: The number of texts, for the bar.

        Raises:
            InputError: For a blank text, a repeated id, an existing index, or a folder that cannot
                be written.
        """
        folder = Folder(path)
        if precision not in PRECISIONS:
            raise InputError(f"precision is one of {', '.join(PRECISIONS)}, got {precision!r}")
        if folder.exists() and not force:
            raise InputError(
                f"there is an index in {str(folder.path)!r}; append to it, or replace it with "
                "force=True (--force)"
            )
        model = (Reader() if nlp is None else reader_of(nlp)).alone()
        made = Manifest(
            settings=_reading_settings(model),
            contents=contents_of(model),
            probe=(probe := probe_of(model)),
            kept=storage_mode(model),
            precision=precision,
            dimension=len(probe["vector"]),
            numbered=True,
        )
        with folder.locked():
            write_texts(folder, made, None, texts, ids, model, on_error, progress, total)
        return cls(folder, model)

    @classmethod
    def open(cls, path: str | os.PathLike[str], nlp: Reader | HoldsReader | None = None) -> Index:
        """Open an index; ``nlp`` reads the queries (default: a pipeline like the one that built
        it). Raises :class:`InputError` if there is none, and in the first search if ``nlp`` is
        another model; :class:`AssetError` if it is damaged.
        """
        return cls(Folder(path), None if nlp is None else reader_of(nlp))

    def append(
        self,
        texts: Iterable[object],
        *,
        ids: Iterable[Id] | None = None,
        replace: bool = False,
        on_error: str = "fail",
        progress: bool = False,
        total: int | None = None,
    ) -> int:
        """Add texts and return their number; on an error, the index stays as it was.

        Args:
            texts: The texts.
            ids: Whole numbers or texts, like the ids in the index.
            replace: Replace texts with the same ids; otherwise these are an error.
            on_error: ``fail`` or ``skip``.
            progress: Show a bar on stderr when that is a terminal.
            total: The number of texts, for the bar.
        """
        if replace and ids is None:
            raise InputError("replace= needs ids")
        with self._folder.locked():
            self.refresh()
            model, before = self._checked_model(), self._contents
            how = on_error, progress, total, replace
            write_texts(self._folder, before.manifest, before, texts, ids, model, *how)
        self.refresh()
        return self._contents.rows - before.rows

    def delete(self, ids: Iterable[Id], *, missing: str = "fail") -> int:
        """Delete texts and return their number; a missing id is an error (``missing="fail"``), or
        ignored (``"ignore"``).
        """
        wanted = {one if isinstance(one, str) else int(one) for one in ids}
        with self._folder.locked():
            self.refresh()
            contents = self._contents
            found = contents.with_ids(wanted)
            if missing == "fail" and (unknown := wanted - found.keys()):
                raise InputError(f"no text has the id {sorted(map(repr, unknown))[0]}")
            if found:
                commit(contents, contents.manifest, found.values())
        self.refresh()
        return len(found)

    def compact(self, *, progress: bool = False) -> None:
        """Write the index again, without deleted texts, and rebuild the graph of neighbours."""
        with self._folder.locked():
            self.refresh()
            model, contents = self._checked_model(), self._contents
            if not contents.live:
                raise InputError("every text of the index was deleted; build a new one")
            copy_rows(self._folder, contents, np.flatnonzero(contents.alive), model, progress)
        self.refresh()

    # --- reading

    @property
    def path(self) -> str:
        """The folder."""
        return str(self._folder.path)

    @property
    def numbered(self) -> bool:
        """True if the ids are whole numbers."""
        return self._contents.manifest.numbered

    @property
    def reader(self) -> Reader:
        """The reader of queries."""
        if self._model is None:
            settings = self._contents.manifest.settings
            if unnamed := [name for name, part in settings.items() if part.startswith("<")]:
                raise InputError(
                    f"the index was made with a {unnamed[0]} that has no name, "
                    f"{settings[unnamed[0]]}; give the pipeline: Index.open(path, nlp)"
                )
            given: dict[str, Any] = {**settings}
            self._model = Reader(Arguments(**given)).alone()
        return self._model

    def _checked_model(self) -> Reader:
        """The pipeline, after a check that it reads a few sentences like the one that made the
        index.
        """
        model, manifest = self.reader, self._contents.manifest
        made = manifest.settings
        # Another process may have rebuilt the index.
        if (of_index := (made, manifest.contents, manifest.probe)) != self._checked:
            here = _reading_settings(model)
            if different := sorted(n for n in {*made, *here} if made.get(n) != here.get(n)):
                raise InputError(
                    f"the index in {self.path!r} was made by another model: "
                    + ", ".join(f"{n}={made.get(n)!r} and not {here.get(n)!r}" for n in different)
                    + "; open it with that, or build it again"
                )
            check_reading(model, manifest.contents, manifest.probe, self.path)
            self._checked = of_index
        return model

    def refresh(self) -> None:
        """Reload what other processes have written; a search does so automatically."""
        with _REFRESHING:  # a vocabulary grows
            self._contents = self._loaded(self._contents)

    @property
    def contents(self) -> Contents:
        """A snapshot of the index."""
        self.refresh()
        return self._contents

    def _loaded(self, before: Contents | None) -> Contents:
        for attempt in range(1, TRIES + 1):
            try:
                return Contents.load(self._folder, before)
            except Exception as error:  # written anew meanwhile, or damaged
                if attempt < TRIES and not isinstance(error, (InputError, FormatError)):
                    continue
                if isinstance(error, HybridSemError):
                    raise
                raise AssetError(
                    f"the index is damaged: {self.path!r} cannot be read ({error!r:.200}); "
                    "build it again"
                ) from error
        raise AssertionError

    def __len__(self) -> int:
        return self.contents.live

    def __iter__(self) -> Iterator[tuple[Id, str]]:
        contents = self.contents
        return ((row.id, row.text) for row in contents.live_rows())

    def __repr__(self) -> str:
        return f"Index({self.path!r}, {len(self)} texts)"

    def _repr_html_(self) -> str:
        facts = self.info
        facts["model"] = ", ".join(f"{name}={part}" for name, part in facts["model"].items())
        facts["bytes"] = f"{facts['bytes']:,}"
        return displays.as_html(displays.Facts(f"Index in {self.path}", facts))

    @property
    def info(self) -> dict[str, Any]:
        """The index's model, rows, bytes and segments."""
        contents = self.contents
        manifest = contents.manifest
        return {
            "texts": contents.live,
            "deleted": len(contents.deleted),
            "cut": sum(part.cut for part in manifest.parts),
            "not English": sum(part.foreign for part in manifest.parts),
            "without structure": sum(part.unread for part in manifest.parts),
            "segments": len(manifest.parts),
            "bytes": sum(p.stat().st_size for p in self._folder.path.rglob("*") if p.is_file()),
            "model": manifest.settings,
            "keeps": manifest.kept,
            "precision": manifest.precision,
            "dimension": manifest.dimension,
            "approximate": contents.neighbours is not None,
        }

    # --- searching

    @overload
    def search(self, query: str | None = None, /, top_k: int = 10, **how: Any) -> list[Hit]: ...  # type: ignore[overload-overlap]
    @overload
    def search(
        self, query: Sequence[str], /, top_k: int = 10, **how: Unpack[SearchOptions]
    ) -> list[list[Hit]]: ...

    def search(
        self,
        query: str | Sequence[str] | None = None,
        /,
        top_k: int = 10,
        *,
        by: str = "meaning",
        exact: bool = True,
        candidates: int = CANDIDATES,
        explain: bool = False,
        least: float = -np.inf,
        **roles: str,
    ) -> list[Hit] | list[list[Hit]]:
        """Find the best texts for a sentence, for each of several, or for roles.

        ``index.search("The bank sued the newspaper.")`` ranks by the model's score.
        ``index.search(agent="bank", verb="sue")`` searches by roles. A hit fills each given slot;
        the score is their mean similarity, in [0, 1]. Passives, nominalisations and converse verbs
        ("buy" for "sell") match as the active forms do.

        Args:
            query: A sentence, or several.
            top_k: The number of texts for each.
            by: ``meaning``, the model's score, or ``roles``: those of its main predicate.
            exact: Return the same texts and scores as scoring each text with
                :meth:`hybridsem.Pipeline.score`. Otherwise the nearest ``candidates`` are scored by
                the stored vectors, and scores may differ in the third digit.
            candidates: See ``exact``.
            explain: Add an explanation to each hit.
            least: The least score of a hit.
            **roles: A phrase by role (``agent``, ``verb``, ``theme``, ``source``, ``result``, …).

        Raises:
            InputError: For a blank query, an unknown role, or an index of another model.
        """
        if by not in ("meaning", "roles"):
            raise InputError(f"by is 'meaning' or 'roles', got {by!r}")
        check_count(top_k, "top_k")
        check_count(candidates, "candidates")
        self.refresh()
        model, contents = self._checked_model(), self._contents
        if roles:
            if query is not None:
                raise InputError("give a sentence, or roles, and not both")
            asked = slot_query(model, roles)
            return self._by_slots(contents, asked, top_k, least)
        if query is None:
            raise InputError("give a sentence, or roles such as agent='bank'")
        if isinstance(query, str) and (why := problem(query)) is not None:
            raise InputError(f"query: {why}")
        queries = [query] if isinstance(query, str) else check_sentences(query)
        if by == "roles":
            asked_for = (slot_query(model, sentence) for sentence in queries)
            found = [self._by_slots(contents, asked, top_k, least) for asked in asked_for]
        else:
            found, how = [], (None if exact else candidates, top_k, least)
            for at in range(0, len(queries), QUERIES):
                for best in best_rows(model, contents, queries[at : at + QUERIES], *how):
                    rows = contents.database.rows(best.places.tolist())
                    hits = zip(rows, best.scores.tolist(), strict=True)
                    found.append([Hit(row.id, row.text, score) for row, score in hits])
            if explain:
                _explain(model, queries, found)
        return found[0] if isinstance(query, str) else found

    def _by_slots(
        self, contents: Contents, asked: SlotQuery, top_k: int, least: float
    ) -> list[Hit]:
        return [
            Hit(row.id, row.text, score, slots=matches)
            for row, score, matches in best_by_slots(
                asked, contents, self.reader, top_k, max(least, 1e-9)
            )
        ]


def _explain(model: Reader, queries: Sequence[str], found: Sequence[list[Hit]]) -> None:
    """Add its explanation to each hit."""
    for query, hits in zip(queries, found, strict=True):
        explained = model.explain([(query, hit.text) for hit in hits])
        hits[:] = [replace(hit, explanation=e) for hit, e in zip(hits, explained, strict=True)]


def searcher(
    model: Reader, path: str, manifest: Manifest, top_k: int, how: SearchOptions
) -> Callable[[Sequence[str]], list[list[Hit]]]:
    """Return a function that searches an index in a process that may be on another machine. Raises
    :class:`InputError` if the folder is not there, or its manifest is not that of the asking
    process.
    """
    node = platform.node()
    try:
        index = Index.open(path, model)
        same = index.contents.manifest == manifest
    except HybridSemError as error:
        raise InputError(
            f"the node {node!r} cannot read the index; every node must see its folder: {error}"
        ) from error
    if not same:
        raise InputError(
            f"the node {node!r} sees another index in {path!r}; every node must see the same "
            "folder, in which nobody writes meanwhile"
        )
    return lambda queries: index.search(queries, top_k, **how)


def _reading_settings(model: Reader) -> dict[str, str]:
    return {name: part for name, part in model.parts.settings.items() if name not in SCORING}
