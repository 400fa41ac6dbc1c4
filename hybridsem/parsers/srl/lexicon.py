"""PropBank's rolesets and the words that have them: ``hybridsem/data/roles.json``.

    "labels":   ["_", "ARG0", …]              the labels of arguments, "_" is none
    "roles":    ["Agent", …]                  the general roles, in the order of training
    "rolesets": {"give.01": "91 120|ARG0 109 agent"}
                                              sorted; the counts on the treebank, and there and in
                                              the examples; the counts of each argument, and its
                                              VerbNet roles
    "core":     {"": 63395, "ARG0": 28656}    the counts of all rolesets and of their arguments
    "lemmas":   {"madden": "mad.04"}          rolesets that are not named after the lemma
    "words":    {"VERB": {"give": "103 95"}}  the counts of a lemma, and as a predicate
    "evidence": [0.7, 1.1]                    the weights of frequency and of particles

Rows are text, read when a word needs them, because thousands of lists load slowly. Training
(``models/roles``) reads the same counts through the same functions, each sentence without itself.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsem._typing import Float32Array, Float64Array, Record
from hybridsem._utils.exact import log
from hybridsem._utils.weights import weight_file
from hybridsem.english.lemmas import CACHED_WORDS, Lemmatiser, lemmatiser
from hybridsem.errors import AssetError
from hybridsem.parsers.verbnet.general_roles import ROLESETS, general_role
from hybridsem.structures import Role

CORE = tuple(f"ARG{k}" for k in range(6))
_MAX_CANDIDATES = 48  # rolesets a word
_MIN_OCCURRENCES = 3  # from which on a roleset's arguments count as known
_OTHER_TAGS = ("VERB", "NOUN", "ADJ")  # for a word whose own tag finds nothing


class Roleset(NamedTuple):
    """The counts of a roleset on the treebank, there and in the examples, and of its arguments.
    ``arguments`` has, by label, the count and the VerbNet roles.
    """

    frequency: int
    seen: int
    arguments: Mapping[str, tuple[int, tuple[str, ...]]]

    @classmethod
    def read(cls, text: str) -> Roleset:
        """Read a roleset from its text in the file."""
        counts, *arguments = text.split("|")
        frequency, seen = counts.split()
        rows = (argument.split() for argument in arguments)
        return cls(
            int(frequency),
            int(seen),
            {label: (int(count), tuple(names)) for label, count, *names in rows},
        )

    @property
    def written(self) -> str:
        """Its text in the file."""
        counts = f"{self.frequency} {self.seen}"
        rows = (" ".join((label, str(n), *names)) for label, (n, names) in self.arguments.items())
        return "|".join((counts, *rows))


class Linked(NamedTuple):
    """The VerbNet roles and general role of a roleset's argument; ``open``: both are unknown."""

    verbnet: tuple[str, ...]
    role: Role | None
    open: bool


class RoleLexicon:
    """The rolesets, numbered in the order of the file, and the words that have them. ``labels`` and
    ``roles`` are in the order of training; ``weights`` are those of the evidence. Raises
    :class:`AssetError` if a trained role is not a :class:`Role`.
    """

    def __init__(self, content: Record, lemmatise: Lemmatiser) -> None:
        self.labels: list[str] = content["labels"]
        self.roles = _trained_roles(content)
        self.weights = np.array(content.get("evidence", ()), np.float32)
        self.rolesets: list[str] = list(content["rolesets"])
        self._rows: list[str] = list(content["rolesets"].values())
        self._core: Mapping[str, int] = content.get("core", {})
        self._lemmatise = lemmatise
        self._lemmas: Mapping[str, str] = content["lemmas"]
        self._words: Mapping[str, Mapping[str, str]] = content["words"]
        cached: Iterable[Callable[..., Any]] = (
            *(self._roleset, self.rolesets_of, self.prior, self._evidence_of),
            *(self.frame, self.licence, self.linked),
        )
        for method in cached:
            setattr(self, method.__name__, lru_cache(CACHED_WORDS)(method))

    @property
    def frame_width(self) -> int:
        """The length of :meth:`frame`."""
        return len(CORE) * (2 + len(self.roles))

    def _roleset(self, index: int) -> Roleset:
        return Roleset.read(self._rows[index])

    def rolesets_of(self, form: str, pos: str) -> tuple[int, ...]:
        """Return the rolesets that a word may have, the most frequent first: of its lemma by its
        tag, or by the first other tag with any. They are those named after the lemma, with and
        without particles, and its others.
        """
        for lemma in self._lemmatise.under(form, (pos, *_OTHER_TAGS)):
            others = self._lemmas.get(lemma, "").split()
            found = {bisect_left(self.rolesets, name) for name in others}
            for start in (f"{lemma}.", f"{lemma}_"):
                place = bisect_left(self.rolesets, start)
                while place < len(self.rolesets) and self.rolesets[place].startswith(start):
                    if self._parts(place)[0] == lemma:
                        found.add(place)
                    place += 1
            if found:
                ranked = sorted(found, key=lambda index: (-self._frequency(index), index))
                return tuple(ranked[:_MAX_CANDIDATES])
        return ()

    def _parts(self, index: int) -> list[str]:
        """Return a roleset's lemma and particles."""
        return self.rolesets[index].rpartition(".")[0].lower().split("_")

    def _frequency(self, index: int) -> int:
        return int(self._rows[index].split(" ", 1)[0])

    def prior(
        self, form: str, pos: str, own: tuple[int, int] = (0, 0)
    ) -> tuple[float, float, float]:
        """Return a word's log odds as predicate, count, and if it has rolesets. ``own`` are the
        counts of an occurrence to subtract.
        """
        lemma = self._lemmatise.known(form, pos).lower()
        counts = self._words.get(pos, {}).get(lemma, "0 0").split()
        n, marked = (max(0, int(a) - b) for a, b in zip(counts, own, strict=True))
        rate = (marked + 0.3) / (n + 1)
        known = float(bool(self.rolesets_of(form, pos)))
        return math.log(rate / max(1e-3, 1 - rate)), math.log1p(n) / 4, known

    def priors(self, forms: Iterable[str], tags: Iterable[str]) -> Float32Array:
        """Return the :meth:`prior` of each word, (n, 3)."""
        priors = chain.from_iterable(map(self.prior, forms, tags))
        return np.fromiter(priors, np.float32).reshape(-1, 3)

    def evidence(
        self, candidates: tuple[int, ...], following: Sequence[str], own: int | None = None
    ) -> Float32Array:
        """Return each candidate's log frequency, and 1 if its particles follow, else -1, (n, 2)."""
        rows, particles, every = self._evidence_of(candidates)
        near = every.intersection(map(str.lower, following))
        there = [place for place, words in particles if words <= near] if near else []
        if there or own is not None:
            rows = rows.copy()
            rows[there, 1] = 1
        if own is not None and own in candidates:
            rows[candidates.index(own), 0] = math.log(max(1, self._frequency(own)))
        return rows

    def _evidence_of(
        self, candidates: tuple[int, ...]
    ) -> tuple[Float32Array, tuple[tuple[int, frozenset[str]], ...], frozenset[str]]:
        """Return the evidence without following words, the places and all of the particles."""
        names = [frozenset(self._parts(index)[1:]) for index in candidates]
        particles = tuple((place, words) for place, words in enumerate(names) if words)
        rows = np.zeros((len(candidates), 2), np.float32)
        rows[:, 0] = [math.log(1 + self._frequency(index)) for index in candidates]
        rows[[place for place, _ in particles], 1] = -1
        rows.setflags(write=False)
        return rows, particles, frozenset[str]().union(*names)

    def frame(self, index: int | None, own: frozenset[str] | None = None) -> Float32Array:
        """Return a roleset's log rates of arguments, if seen, and general roles, (frame_width,).
        ``own`` are the labels of an occurrence to subtract.
        """
        has, seen = self._core_counts(index), 0.0
        kinds = np.zeros((len(CORE), len(self.roles)), np.float32)
        if index is not None:
            seen = float(self._roleset(index).seen)
            for place, label in enumerate(CORE):
                role = self.linked(index, label).role
                if role in self.roles and has[place]:
                    kinds[place, self.roles.index(role)] = 1
        if own is not None:
            has, seen = has - np.array([label in own for label in CORE]), seen - 1
        every = np.array([float(self._core.get(label, 0)) for label in CORE])
        every /= max(1.0, self._core.get("", 0))
        rate = (np.maximum(has, 0) + 2 * every) / (max(seen, 0) + 2)
        return np.concatenate([log(rate + 1e-3), has > 0, kinds.ravel()]).astype(np.float32)

    def licence(self, index: int | None) -> Float32Array:
        """Return which labels a roleset allows: 0 for core labels that a frequent one never had,
        else 1.
        """
        found = np.ones(len(self.labels), np.float32)
        if index is not None and self._roleset(index).seen >= _MIN_OCCURRENCES:
            for label, count in zip(CORE, self._core_counts(index), strict=True):
                if label in self.labels:
                    found[self.labels.index(label)] = count > 0
        return found

    def _core_counts(self, index: int | None) -> Float64Array:
        """Return the count of each core argument of a roleset."""
        arguments = {} if index is None else self._roleset(index).arguments
        return np.array([arguments[label][0] if label in arguments else 0.0 for label in CORE])

    def linked(self, index: int | None, label: str) -> Linked:
        """Return the links of a roleset's argument, by its number and label."""
        roleset = None if index is None else self.rolesets[index]
        arguments = {} if index is None else self._roleset(index).arguments
        _, verbnet = arguments.get(label, (0, ()))
        known = bool(verbnet) or label not in CORE or (roleset, label) in ROLESETS
        role = general_role(label, verbnet, roleset) if known else None
        return Linked(verbnet, role, role is None and not verbnet and label in CORE)


@cache
def role_lexicon(folder: Path) -> RoleLexicon:
    """Return the rolesets of a folder of weight files, loaded once."""
    return RoleLexicon(json.loads(weight_file("roles.json", folder)), lemmatiser(folder))


def _trained_roles(content: Record) -> tuple[Role, ...]:
    try:
        return tuple(Role(name) for name in content["roles"] or ("",))
    except (KeyError, ValueError):
        raise AssetError(
            f"the labeller's roles.json must list its trained roles, each one of "
            f"{', '.join(Role)}; got {content.get('roles')!r}; export the labeller again with "
            "models/roles/export.py, or reinstall hybridsem"
        ) from None
