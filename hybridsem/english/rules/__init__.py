"""Rules about English as rows of data (``rewrites.toml``): read, checked, applied, listed.

A row is a rewrite: a pattern (:mod:`~hybridsem.english.matcher`), effects
(:mod:`~hybridsem.english.rewrite`), a source, examples that are its tests, and its measured
precision. Rules see the results of earlier ones, and are repeated until nothing changes; each is
applied at most once to a word that its pattern begins with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from hybridsem._utils.tables import by_word, word_sets
from hybridsem.english.function_words import SCALES
from hybridsem.english.matcher import KEYED, Key, Pattern, PatternError, read_pattern
from hybridsem.english.numbers import FALLING, RISING
from hybridsem.english.rewrite import Effect, Rewritten, apply, read_effect
from hybridsem.english.rules import rows
from hybridsem.english.rules.rows import faults, listed, strings
from hybridsem.english.signatures import DENIALS, Complement
from hybridsem.english.words import ARTICLES, COMPASS, NOT, PRONOUNS
from hybridsem.errors import FormatError
from hybridsem.structures import Token

SHIPPED = Path(__file__).with_name("rewrites.toml")
SECTIONS = ("rewrite", "words", "maps", "patterns")
OWN, OPTIONAL = ("does", "pattern", "effect"), ("either", "only")
"""The keys of a rewrite besides those of all rules."""
COMPARISON = "comparison"
"""The value of ``only`` of rules whose results the judge does not read."""
ROUNDS = 10
"""The most rounds over all rules; each word starts a rule only once, so few are needed."""
BUILT_IN = {
    "compass": COMPASS,
    "not": NOT,
    "rising": RISING,
    "falling": FALLING,
    "possessive_pronouns": frozenset(forms.possessive for forms in PRONOUNS.values()),
    "quantifiers": frozenset(SCALES["quantity"]) - ARTICLES,
    "denying": frozenset(lemma for lemma, _ in DENIALS),
    **{
        f"denying_{form}": frozenset(lemma for lemma, own in DENIALS if own == form)
        for form in Complement
    },
}
"""Sets of words that patterns may name besides those of their file."""


class Example(NamedTuple):
    """A sentence and the changes that a rule makes in it, as :func:`changes` lists them."""

    text: str
    changes: str


@dataclass(frozen=True)
class Rule:
    """A row. ``precision`` is the share of the ``support`` pairs of development data whose scores
    it moves toward the label; None where it was not measured.
    """

    id: str
    does: str
    patterns: tuple[Pattern, ...]
    effects: tuple[Effect, ...]
    source: str
    positive: tuple[Example, ...]
    negative: tuple[str, ...]
    only: str | None = None
    precision: float | None = None
    support: int | None = None

    @cached_property
    def keys(self) -> list[list[Key]]:
        """The keys that a sentence must have for each pattern to match, the rarest first."""
        return [[*map(_in_any_case, pattern.keys)] for pattern in self.patterns]

    @cached_property
    def trigger(self) -> Key:
        """The key of the first word of the patterns."""
        return _in_any_case(self.patterns[0].words[0].keys[0])

    def apply(self, tree: Rewritten, trigger: int) -> Rewritten | None:
        """Return the tree after the rule was applied from a trigger, None if it was not."""
        for pattern in self.patterns:
            after = apply(tree, self.id, pattern, self.effects, trigger)
            if after is not None:
                return after
        return None


def _in_any_case(key: Key) -> Key:
    words = key.values
    return Key(key.attribute, words | {*map(str.capitalize, words), *map(str.upper, words)})


class Rules:
    """Rules in their order; ``sets``, ``maps`` and ``patterns`` are what rows may refer to."""

    def __init__(
        self,
        rules: Iterable[Rule],
        sets: Mapping[str, frozenset[str]] = BUILT_IN,
        maps: Mapping[str, Mapping[str, str]] | None = None,
        patterns: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.rules = tuple(rules)
        self.sets, self.maps, self.patterns = sets, maps or {}, patterns or {}
        by_key: dict[str, dict[str, set[int]]] = {name: {} for name in KEYED}
        for n, rule in enumerate(self.rules):
            for keys in rule.keys:
                for value in keys[0].values:
                    by_key[keys[0].attribute].setdefault(value, set()).add(n)
        self._found = {name: (found, frozenset(found)) for name, found in by_key.items()}

    @classmethod
    def read(cls, path: Path | str, before: Rules | None = None) -> Rules:
        """Return the rules of a file after those ``before``, by default the shipped ones.

        Raises:
            FormatError: If the file is no table of rules.
        """
        before = shipped() if before is None else before
        content = rows.read_rules(path)
        rows.check_keys(content, SECTIONS, path)
        sets = {**before.sets, **word_sets(content.get("words", {}))}
        maps = {name: by_word(words) for name, words in content.get("maps", {}).items()}
        patterns = {**before.patterns}
        for name, lines in content.get("patterns", {}).items():
            with faults(path, f"key 'patterns.{name}'"):
                patterns[name] = _expanded(lines, patterns)
        rules = cls(before.rules, sets, {**before.maps, **maps}, patterns)
        every = (*rules.rules, *(rules._rule(row, path) for row in content.get("rewrite", [])))
        rows.check_ids([rule.id for rule in every], path)
        return cls(every, rules.sets, rules.maps, rules.patterns)

    def without(self, name: str) -> Rules:
        """Return the rules but one, by its id."""
        rest = (rule for rule in self.rules if rule.id != name)
        return Rules(rest, self.sets, self.maps, self.patterns)

    def _rule(self, row: Mapping[str, object], path: Path | str) -> Rule:
        """Return the rule of a row of a file."""
        where = rows.checked_row(row, OWN, OPTIONAL, path)
        if row.get("only") not in (None, COMPARISON):
            message = f"{COMPARISON!r} or nothing, got {row['only']!r}"
            raise FormatError(f"{where}key 'only': {message}", path)
        with faults(path, f"{where}key 'pattern'"):
            lines = _expanded(row["pattern"], self.patterns)
        with faults(path, f"{where}key 'pattern' or 'either'"):
            ends = [_expanded(end, self.patterns) for end in listed(row.get("either", [[]]))]
            patterns = [read_pattern([*lines, *end], self.sets) for end in ends]
        with faults(path, f"{where}key 'effect'"):
            names = set.intersection(*(pattern.names for pattern in patterns))
            effects = [read_effect(line, names, self.maps) for line in strings(row["effect"])]
        with faults(path, f"{where}key 'positive' or 'negative'"):
            positive = [Example(*strings(pair)) for pair in listed(row["positive"])]
            negative = strings(row["negative"])
        precision, support = rows.measures(row)
        return Rule(
            *(str(row["id"]), str(row["does"]), tuple(patterns), tuple(effects)),
            *(str(row["source"]), tuple(positive), tuple(negative)),
            only=COMPARISON if row.get("only") else None,
            precision=precision,
            support=support,
        )

    def rewrite(self, tokens: Sequence[Token]) -> Rewritten:
        """Return a tree in canonical form: after the rules for all, then after the others."""
        tree = Rewritten(tokens, tokens, tokens)
        active, done = self._active(tokens), set[tuple[str, int]]()
        for only in (None, COMPARISON) if active else ():
            for _ in range(ROUNDS):
                before = tree
                for rule in active:
                    if rule.only == only:
                        tree = _everywhere(rule, tree, done)
                if tree is before:
                    break
                active = self._active(tree.tokens)
            if only is None and tree.applied:
                tree = replace(tree, canonical=tree.tokens)
        return tree

    def _active(self, tokens: Sequence[Token]) -> list[Rule]:
        """Return the rules of which a sentence has all that a pattern needs, in order."""
        have: dict[str, Set[str]] = {name: {*map(own, tokens)} for name, own in KEYED.items()}
        numbers: set[int] = set()
        for attribute, (found, values) in self._found.items():
            for value in have[attribute] & values:
                numbers |= found[value]
        rules = [self.rules[n] for n in sorted(numbers)]
        return [rule for rule in rules if any(_has(have, keys) for keys in rule.keys)]


def _has(have: Mapping[str, Set[str]], keys: Sequence[Key]) -> bool:
    """Test if a sentence has all that a pattern needs."""
    for attribute, values in keys:  # noqa: SIM110 - a generator would take longer
        if values.isdisjoint(have[attribute]):
            return False
    return True


def _everywhere(rule: Rule, tree: Rewritten, done: set[tuple[str, int]]) -> Rewritten:
    """Return the tree after a rule was applied from each word that it was not yet applied from."""
    attribute, values = rule.trigger
    for trigger, value in enumerate(map(KEYED[attribute], tree.tokens)):
        if value in values and (rule.id, trigger) not in done:
            after = rule.apply(tree, trigger)
            if after is not None:
                done.add((rule.id, trigger))
                tree = after
    return tree


def _expanded(lines: object, patterns: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the lines of a pattern, with those of the patterns that it names ("@than")."""
    expanded: list[str] = []
    for line in strings(lines):
        if line.startswith("@") and line[1:] not in patterns:
            raise PatternError(f"one of the patterns {sorted(patterns)}, got {line!r}")
        expanded += patterns[line[1:]] if line.startswith("@") else [line]
    return expanded


@cache
def shipped() -> Rules:
    """Return the rules of ``rewrites.toml``."""
    return Rules.read(SHIPPED, Rules(()))


def changes(tree: Rewritten) -> str:
    """Return what differs in a rewritten tree: relations, silent words, negated words, roles."""
    lines = []
    for old, new in zip(tree.original, tree.tokens, strict=True):
        if new != old and old.pos != "PUNCT":
            head = f" of {tree.tokens[new.head].text}" if new.head >= 0 else ""
            silent = new.pos == "PUNCT"
            lines.append(f"{old.text} is silent" if silent else f"{new.text} {new.relation}{head}")
    lines += [f"not {tree.tokens[at].text}" for at in tree.negated]
    lines += [
        f"{tree.tokens[argument].text} {role} of {tree.tokens[predicate].text}"
        for (predicate, argument), role in tree.assigned.items()
    ]
    return "; ".join(lines)


def as_markdown(rules: Rules) -> str:
    """Return a table of the rules for the documentation."""
    return rows.table(
        ("rule", "effect", "example", "source"),
        (
            (
                (f"`{rule.id}`", rule.does, rule.positive[0].text, rule.source),
                (rule.precision, rule.support),
            )
            for rule in rules.rules
        ),
    )
