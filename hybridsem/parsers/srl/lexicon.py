"""What is known of PropBank's rolesets and of words: ``hybridsem/data/roles.json``.

    "labels":   ["_", "ARG0", …]                    what arguments are classified into, "_" is none
    "roles":    ["Agent", …]                        the general roles, in the order of training
    "rolesets": {"give.01": [91, 120, {"ARG0": [109, "agent"]}]}
                                                    how often on the treebank, how often there and
                                                    in the examples, in how many of those with an
                                                    argument, and its VerbNet roles
    "lemmas":   {"madden": "mad.04"}                rolesets that are not named after the lemma
    "words":    {"VERB": {"give": [103, 95]}}       how often a lemma occurs, and as a predicate
    "evidence": [0.7, 1.1]                          how much frequency and particles of a roleset
                                                    count

Training (``models/roles``) reads the same counts through the same functions, each sentence without
itself.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array, Float64Array
from hybridsem.english.lemmas import CACHED_WORDS, Lemmatiser
from hybridsem.errors import AssetError
from hybridsem.parsers.verbnet.general_roles import general_role
from hybridsem.structures import Role

__all__ = ["CORE", "RoleLexicon"]


CORE = tuple(f"ARG{k}" for k in range(6))
_MAX_CANDIDATES = 48  # rolesets a word
_MIN_OCCURRENCES = 3  # from which on a roleset's arguments count as known
_OTHER_TAGS = ("VERB", "NOUN", "ADJ")  # for a word whose own tag finds nothing


class RoleLexicon:
    """The rolesets, numbered in the order of the file, and what words they are looked up by.

    ``labels`` and ``roles`` are what arguments are classified into, in the order of training.
    Raises :class:`AssetError` where a trained role is none of :class:`Role`.
    """

    def __init__(self, content: Mapping[str, Any], lemmatise: Lemmatiser) -> None:
        self.labels: list[str] = content["labels"]
        self.roles = _trained_roles(content)
        self.rolesets: list[str] = list(content["rolesets"])
        self._rows: list[tuple[float, int, Mapping[str, Any]]] = list(content["rolesets"].values())
        self._lemmatise = lemmatise
        self._words: Mapping[str, Mapping[str, tuple[int, int]]] = content["words"]
        # Only what few rolesets need is worked out for them when they come: a cold start is short.
        self._by_lemma: dict[str, list[int]] = {}
        for index, name in enumerate(self.rolesets):
            self._by_lemma.setdefault(_words_of(name)[0], []).append(index)
        places = {name: index for index, name in enumerate(self.rolesets)}
        for lemma, names in content["lemmas"].items():
            self._by_lemma.setdefault(lemma, []).extend(places[name] for name in names.split())
        self._licence = lru_cache(None)(self._licence_of)
        self._known = lru_cache(None)(self._known_of)
        self._cached = lru_cache(CACHED_WORDS)(self._rolesets_of)
        self._priors = lru_cache(CACHED_WORDS)(self._prior)
        self._frames = lru_cache(None)(self._frame)
        self._verbnet = lru_cache(CACHED_WORDS)(self._verbnet_of)

    @property
    def frame_width(self) -> int:
        """The length of what :meth:`frame` gives."""
        return len(CORE) * (2 + len(self.roles))

    def rolesets_of(self, form: str, pos: str) -> tuple[int, ...]:
        """The rolesets that a word may have, the most frequent first."""
        return self._cached(form.lower(), pos)

    def _rolesets_of(self, form: str, pos: str) -> tuple[int, ...]:
        for tag in (pos, *_OTHER_TAGS):
            if found := self._by_lemma.get(self._lemmatise(form, tag).lower()):
                ranked = sorted(
                    set(found), key=lambda index: (-self._rows[index][0], self.rolesets[index])
                )
                return tuple(ranked[:_MAX_CANDIDATES])
        return ()

    def prior(
        self, form: str, pos: str, own: tuple[int, int] = (0, 0)
    ) -> tuple[float, float, float]:
        """A word's log odds as predicate, its count, whether it has rolesets; ``own`` taken off."""
        return self._priors(form, pos) if own == (0, 0) else self._prior(form, pos, own)

    def _prior(
        self, form: str, pos: str, own: tuple[int, int] = (0, 0)
    ) -> tuple[float, float, float]:
        counts = self._words.get(pos, {}).get(self._lemmatise(form, pos).lower())
        n, marked = (max(0, a - b) for a, b in zip(counts, own, strict=True)) if counts else (0, 0)
        rate = (marked + 0.3) / (n + 1)
        known = float(bool(self.rolesets_of(form, pos)))
        return math.log(rate / max(1e-3, 1 - rate)), math.log1p(n) / 4, known

    def evidence(
        self, candidates: Sequence[int], following: Sequence[str], own: int | None = None
    ) -> list[tuple[float, int]]:
        """Each candidate's log frequency, and 1 or -1 by whether its particles follow."""
        near = {form.lower() for form in following}
        rows = []
        for index in candidates:
            frequency, particles = self._known(index)
            if index == own:
                frequency = _logarithm(float(self._rows[index][0]) - 1)
            rows.append((frequency, (1 if particles <= near else -1) if particles else 0))
        return rows

    def _known_of(self, index: int) -> tuple[float, frozenset[str]]:
        """A roleset's log frequency, and its particles."""
        particles = frozenset(_words_of(self.rolesets[index])[1:])
        return _logarithm(float(self._rows[index][0])), particles

    def frame(self, index: int | None, own: Collection[str] | None = None) -> Float32Array:
        """What a roleset's arguments are like (frame_width,): log rates, whether seen at all,
        general roles.

        ``own`` are the labels of an occurrence that is taken off.
        """
        return self._frames(index) if own is None else self._frame(index, own)

    def _frame(self, index: int | None, own: Collection[str] | None = None) -> Float32Array:
        has, seen = np.zeros(len(CORE)), 0.0
        kinds = np.zeros((len(CORE), len(self.roles)), np.float32)
        if index is not None:
            has, seen = self._has(index), float(self._rows[index][1])
            for place, label in enumerate(CORE):
                role = general_role(label, self.verbnet(index, label), self.rolesets[index])
                if role in self.roles and has[place]:
                    kinds[place, self.roles.index(role)] = 1
        if own is not None:
            has, seen = has - np.array([label in own for label in CORE]), seen - 1
        rate = (np.maximum(has, 0) + 2 * self._rate) / (max(seen, 0) + 2)
        return np.concatenate([np.log(rate + 1e-3), has > 0, kinds.ravel()]).astype(np.float32)

    def licence(self, index: int | None) -> Float32Array:
        """1 for labels that a roleset may have; 0 for core labels that a frequent one never had."""
        return self._licence(index)

    def _licence_of(self, index: int | None) -> Float32Array:
        found = np.ones(len(self.labels), np.float32)
        if index is not None and self._rows[index][1] >= _MIN_OCCURRENCES:
            for label, count in zip(CORE, self._has(index), strict=True):
                if label in self.labels:
                    found[self.labels.index(label)] = count > 0
        return found

    def _has(self, index: int) -> Float64Array:
        """In how many occurrences of a roleset each core argument is there."""
        arguments = self._rows[index][2]
        return np.array([arguments[label][0] if label in arguments else 0.0 for label in CORE])

    @cached_property
    def _rate(self) -> Float64Array:
        """How often each core argument is there."""
        found = dict.fromkeys(CORE, 0.0)
        for _, _, arguments in self._rows:
            for label, (count, _) in arguments.items():
                found[label] += count
        return np.array([*found.values()]) / max(1.0, sum(seen for _, seen, _ in self._rows))

    def verbnet(self, index: int | None, label: str) -> tuple[str, ...]:
        """The VerbNet roles of a roleset's argument; none where they are not known."""
        return self._verbnet(index, label) if index is not None else ()

    def _verbnet_of(self, index: int, label: str) -> tuple[str, ...]:
        _, names = self._rows[index][2].get(label, (0, ""))
        return tuple(names.split())


def _words_of(name: str) -> list[str]:
    """A roleset's lemma and particles."""
    return name.rpartition(".")[0].lower().split("_")


def _logarithm(count: float) -> float:
    return math.log(max(1.0, 1 + count))


def _trained_roles(content: Mapping[str, Any]) -> tuple[Role, ...]:
    known = {role.value: role for role in Role}
    names = content.get("roles") or ()
    if not names or any(name not in known for name in names):
        raise AssetError(
            f"the labeller's roles.json must list its trained roles, each one of "
            f"{', '.join(known)}; got {list(names)!r}; export the labeller again with "
            "models/roles/export.py, or reinstall hybridsem"
        )
    return tuple(known[name] for name in names)
