"""No pattern of the package takes more than time in proportion to its text, whatever the text is.

Every compiled pattern, and every pattern in a call of ``re``, searches texts that are made from its
own pieces: each repeated, and by twos, with something at the end that lets a match fail.
Time is the processor's, and the bound is some hundred times what a linear search takes.
"""

import ast
import importlib
import itertools
import pkgutil
import random
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from re import _parser
from types import ModuleType
from typing import Any

import pytest

import hybridsem

LENGTH, SCREENED = 100_000, 3_000
SECONDS, SUSPICIOUS = 1.0, 0.005
ATOMS, HEADS = 8, 24

# What is searched in no more characters than this, and why.
BOUNDED = {
    "hybridsem.english.lemmas": 64,  # MAX_LENGTH of a word
    "hybridsem.english.numbers": 100,  # LONGEST
    "hybridsem.english.sentences._WORD": 20,  # before a full stop
    "hybridsem.facts.identifier_forms": 256,  # LONGEST
    "hybridsem.tokenisers._KIND": 100,  # the name of a character
}


class TooLong(Exception):
    pass


def modules() -> Iterator[ModuleType]:
    yield hybridsem
    for found in pkgutil.walk_packages(hybridsem.__path__, "hybridsem."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def held(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth < 4:
        for one in itertools.chain(value, value.values()):
            yield from held(one, depth + 1)
    elif isinstance(value, (tuple, list, set, frozenset)) and depth < 4:
        for one in value:
            yield from held(one, depth + 1)


def nodes(module: ModuleType) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")))


def written(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The patterns that stand in calls such as ``re.sub(r"…", …)``."""
    for node in nodes(module):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and node.func.attr in METHODS | SEARCHING
        ):
            others = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
            assert not any("re." in ast.unparse(each) for each in others), "compile it by name"
            yield node.func.attr, re.compile(node.args[0].value)


def anchored_names() -> set[str]:
    """The names of the patterns that the package asks for matches at one place only."""
    asked: dict[str, set[str]] = {}
    for module in modules():
        for node in nodes(module):
            match node:
                case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name)):
                    asked.setdefault(name, set()).add(node.attr)
    return {name for name, how in asked.items() if how & METHODS and not how & SEARCHING}


METHODS = {"match", "fullmatch"}
SEARCHING = {"search", "finditer", "findall", "sub", "subn", "split"}


@dataclass(frozen=True)
class Case:
    """A pattern, the most that it is given, and whether it is tried at one place only."""

    pattern: re.Pattern[Any]
    limit: int
    anchored: bool


def patterns() -> dict[str, Case]:
    found: dict[str, Case] = {}
    anchored = anchored_names()
    for module in modules():
        named = [
            (f"{module.__name__}.{name}", pattern, name in anchored)
            for name, value in vars(module).items()
            for pattern in held(value)
        ]
        named += [
            (f"{module.__name__} (re.{how})", pattern, how in METHODS)
            for how, pattern in written(module)
        ]
        for name, pattern, at_one_place in named:
            limit = BOUNDED.get(name, BOUNDED.get(module.__name__, LENGTH))
            case = Case(pattern, limit, at_one_place)
            if case not in found.values():
                found[f"{name} {len(found)}"] = case
    return found


def atoms(parsed: Any, random: random.Random) -> list[str]:
    """Pieces that a pattern speaks of: characters, one of each class, and literal words."""
    found: dict[str, None] = {}

    def walk(items: Any) -> None:
        word = ""
        for op, given in items:
            name = str(op)
            if name == "LITERAL":
                word += chr(given)
                found[chr(given)] = None
                continue
            if len(word) > 1:
                found[word] = None
            word = ""
            if name == "IN":
                found.update((one_of(*each), None) for each in given[:4])
            elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
                walk(given[2])
            elif name == "SUBPATTERN":
                walk(given[3])
            elif name in ("ASSERT", "ASSERT_NOT"):
                walk(given[1])
            elif name == "ATOMIC_GROUP":
                walk(given)
            elif name == "BRANCH":
                for branch in given[1]:
                    walk(branch)
        if len(word) > 1:
            found[word] = None

    walk(parsed)
    pieces = list(found)
    if len(pieces) > ATOMS:
        pieces = random.sample(pieces, ATOMS)
    return list(dict.fromkeys([*pieces, "a", " ", "A", "1"]))


def one_of(kind: object, value: Any) -> str:
    """A character of what stands between square brackets."""
    if str(kind) == "LITERAL":
        return chr(value)
    if str(kind) == "RANGE":
        return chr(value[0])
    return {"SPACE": " ", "DIGIT": "1"}.get(str(value).split("_")[-1], "a")


def example(parsed: Any) -> list[str]:
    """Parts that match the items of a pattern, one after the other, each as short as can be."""
    parts: list[str] = []
    for op, given in parsed:
        name = str(op)
        if name == "LITERAL":
            parts.append(chr(given))
        elif name == "IN":
            parts.append(one_of(*given[0]))
        elif name in ("NOT_LITERAL", "ANY"):
            parts.append("a")
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            parts.append("".join(example(given[2])) * max(1, given[0]))
        elif name == "SUBPATTERN":
            parts += example(given[3])
        elif name == "ATOMIC_GROUP":
            parts += example(given)
        elif name == "BRANCH":
            parts.append("".join(example(given[1][0])))
    return parts


def branches(parsed: Any) -> Iterator[Any]:
    """The alternatives of a pattern, those in groups too."""
    yield parsed
    for op, given in parsed:
        if str(op) == "BRANCH":
            for branch in given[1]:
                yield from branches(branch)
        elif str(op) == "SUBPATTERN":
            yield from branches(given[3])


def texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    """Adversarial texts of about so many characters."""
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    draw = random.Random(0)
    pieces = atoms(parsed, draw)
    heads = {""}
    for branch in branches(parsed):
        parts = example(branch)
        heads.update("".join(parts[:i]) for i in range(1, len(parts) + 1))
    tails = ("", "\0", "\n!")
    singles = itertools.product(sorted(heads)[:HEADS], pieces, tails)
    doubles = (("", a + b, tail) for a, b, tail in itertools.product(pieces, pieces, tails))
    for head, body, tail in itertools.chain(singles, doubles):
        yield head + body * (length // len(body)) + tail
        if head and not tail:
            yield (head + body) * (length // len(head + body))


def in_time(case: Case, text: Any) -> bool:
    """Whether a text is searched within the bound."""

    def stop(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        signal.setitimer(
            signal.ITIMER_VIRTUAL, SUSPICIOUS if len(text) <= 2 * SCREENED else SECONDS
        )
        if case.anchored:
            case.pattern.match(text)
            case.pattern.fullmatch(text)
        else:
            for _ in case.pattern.finditer(text):
                pass
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except TooLong:  # the timer rings once, so that it is silent from here on
        return False
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return True


@pytest.mark.slow
def test_every_pattern_takes_time_in_proportion_to_its_text() -> None:
    cases = patterns()
    assert len(cases) > 200
    for name, case in cases.items():
        made = texts(case.pattern, min(case.limit, SCREENED))
        long = texts(case.pattern, min(case.limit, LENGTH))
        is_bytes = isinstance(case.pattern.pattern, bytes)
        for short, full in zip(made, long, strict=True):
            given = [text.encode() if is_bytes else text for text in (short, full)]
            ended = in_time(case, given[0]) or in_time(case, given[1])
            assert ended, f"{name}: {case.pattern.pattern[:200]!r} on {full[:60]!r}…{full[-10:]!r}"
