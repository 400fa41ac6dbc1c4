"""Short sentences from a small grammar: who does what to whom, where, when and how, with most words
shared between the sentences of a group.

Text at hand has few sentences whose meaning hangs on the order of three words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.corpora.inflection import article, inflected

_LINES = Path(__file__).with_name("words.tsv").read_text("utf-8").splitlines()
_WORDS = {name: words.split("|") for name, words in (line.split("\t") for line in _LINES)}
BEINGS, THINGS = _WORDS["beings"], _WORDS["things"]
TO_BEINGS, TO_THINGS = _WORDS["to beings"], _WORDS["to things"]
PLACES, TIMES, MANNERS = _WORDS["places"], _WORDS["times"], _WORDS["manners"]
QUALITIES = _WORDS["qualities"]
NAMES, SUBJECTS = _WORDS["names"], _WORDS["subjects"]
TRANSFERS, COMPARED = _WORDS["transfers"], _WORDS["compared"]
TENSES = {"VBZ": ("is", ""), "VBD": ("was", ""), "VBG": ("is being", "is ")}

ADDED = {
    "place": (PLACES, 0.3),
    "time": (TIMES, 0.25),
    "manner": (MANNERS, 0.2),
    "quality of agent": (QUALITIES, 0.25),
    "quality of patient": (QUALITIES, 0.25),
}
"""What a sentence may say, too: the words, and how often."""
ROLES = ("agent", "patient")
OTHER = dict(zip(ROLES, ROLES[::-1], strict=True))
Fact = dict[str, str]


def groups(count: int, seed: int = 0) -> list[list[tuple[str, str]]]:
    """Groups of (kind, sentence), the first of each the one that the others are variants of."""
    random = np.random.default_rng(seed)
    return [_group(random) for _ in range(count)]


def _group(random: np.random.Generator) -> list[tuple[str, str]]:
    one = _Draw(random)
    alive = random.random() < 0.7
    verbs, objects = (TO_BEINGS, BEINGS) if alive else (TO_THINGS, THINGS)
    agent = one(BEINGS)
    fact = {"agent": agent, "verb": one(verbs), "patient": one(objects, agent)}
    for name, (words, share) in ADDED.items():
        if random.random() < share:
            fact[name] = one(words, *fact.values())
    form = one(tuple(TENSES))
    det = one(("the", "the", "a"))
    capital = random.random() < 0.7

    def said(some: Fact, way: str = "active") -> str:
        text = _written(some, form, det, way)
        return text[0].upper() + text[1:] + "." if capital else text

    exchanged, *_ = others = [*_others(fact, verbs, objects, one)]
    drawn = [others[i] for i in random.permutation(len(others))[:4]]
    if exchanged not in drawn:
        drawn[0] = exchanged
    made = [("", said(fact)), ("passive", said(fact, "passive"))]
    if random.random() < 0.3:
        made.append(("cleft", said(fact, one(("cleft agent", "cleft patient")))))
    made.append(("roles", said(exchanged[1], "passive")))
    for kind, some in drawn:
        made.append((kind, said(some, "passive" if random.random() < 0.3 else "active")))
    found: dict[str, str] = {}
    for kind, text in made:
        found.setdefault(text, kind)
    return [(kind, text) for text, kind in found.items()]


class _Draw:
    """Draws one of some words, but not these."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random

    def __call__(self, words: Sequence[str], *but: str) -> str:
        rest = [word for word in words if word not in but]
        return rest[int(self.random.integers(len(rest)))]


def _others(
    fact: Fact, verbs: Sequence[str], objects: Sequence[str], one: _Draw
) -> Iterator[tuple[str, Fact]]:
    """Yield other facts with some of the words, the one with exchanged roles first."""
    exchanged = fact | {"agent": fact["patient"], "patient": fact["agent"]}
    yield "roles", exchanged
    yield "other", fact | {"verb": one(verbs, fact["verb"])}
    yield "other", fact | {"agent": one(BEINGS, *fact.values())}
    yield "other", fact | {"patient": one(objects, *fact.values())}
    yield "other", fact | {"agent": (other := one(BEINGS)), "patient": one(objects, other)}
    yield "other", exchanged | {"verb": one(verbs)}
    yield "role taken", fact | {"patient": fact["agent"], "agent": one(BEINGS, fact["agent"])}
    yield "role taken", fact | {"agent": fact["patient"], "patient": one(objects, *fact.values())}
    qualities = {role: fact[name] for role in ROLES if (name := f"quality of {role}") in fact}
    if qualities:
        bare = {name: word for name, word in fact.items() if not name.startswith("quality")}
        turned = {f"quality of {OTHER[role]}": word for role, word in qualities.items()}
        yield "attributes", bare | turned
    for name in ("place", "time", "manner"):
        if name in fact:
            yield "other", fact | {name: one(ADDED[name][0], fact[name])}
            yield "added", {key: value for key, value in fact.items() if key != name}


def converses(count: int, seed: int = 0) -> list[list[tuple[str, str]]]:
    """Groups, as :func:`groups`, of what can be told from either side: sold and bought, taller and
    shorter, above and below.
    """
    random = np.random.default_rng([seed, 1])
    return [_two_sides(random) for _ in range(count)]


def _two_sides(random: np.random.Generator) -> list[tuple[str, str]]:
    def some(words: list[str], number: int) -> list[str]:
        return [words[i] for i in random.permutation(len(words))[:number]]

    of_names = random.random() < 0.5
    people = some(NAMES, 3) if of_names else [f"the {word}" for word in some(BEINGS, 3)]
    way = random.random()
    if way < 0.55:
        verb, other, _ = some(TRANSFERS, 1)[0].split()
        thing = some(SUBJECTS if verb == "teach" else THINGS, 1)[0]
        if verb != "teach":
            thing = f"{article(thing)} {thing}"
        form = some(["VBD", "VBZ"], 1)[0]
        gives, gets = inflected(verb, form), inflected(other, form)

        def told(a: str, b: str) -> tuple[str, ...]:
            dative = f"{a} {gives} {thing} to {b}"
            return f"{a} {gives} {b} {thing}", f"{b} {gets} {thing} from {a}", dative
    elif way < 0.8:
        more, less = some(COMPARED, 1)[0].split()

        def told(a: str, b: str) -> tuple[str, ...]:
            return f"{a} is {more} than {b}", f"{b} is {less} than {a}"
    else:
        people = [f"the {word}" for word in some(THINGS, 3)]
        here, there = _opposed_places(some(_WORDS["places of things"], 1)[0])
        be = some(["is", "was"], 1)[0]

        def told(a: str, b: str) -> tuple[str, ...]:
            return f"{a} {be} {here} {b}", f"{b} {be} {there} {a}"

    a, b, c = people
    first, *same = told(a, b)
    made = [("", first), *zip(("converse", "dative"), same, strict=False)]
    made += [("roles", text) for text in told(b, a)[:2]]
    made += [("other", text) for text in (told(a, c)[0], told(c, b)[0])]
    return [(kind, text[0].upper() + text[1:] + ".") for kind, text in made]


def _opposed_places(words: str) -> tuple[str, str]:
    parts = words.split()
    if len(parts) == 2:
        return parts[0], parts[1]
    middle = 3 if len(parts) == 4 else len(parts) // 2
    return " ".join(parts[:middle]), " ".join(parts[middle:])


def _written(fact: Fact, form: str, det: str, way: str) -> str:
    def phrase(role: str) -> str:
        words = f"{fact.get(f'quality of {role}', '')} {fact[role]}".strip()
        return f"{article(words) if det == 'a' else det} {words}"

    be, auxiliary = TENSES[form]
    verb, participle = inflected(fact["verb"], form), inflected(fact["verb"], "VBN")
    manner = fact.get("manner", "")
    end = " ".join(fact[name] for name in ("place", "time") if name in fact)
    past = "was" if form == "VBD" else "is"
    agent, patient = phrase("agent"), phrase("patient")
    active = f"{auxiliary}{manner} {verb}".strip()
    words = {
        "active": (agent, active, patient, end),
        "passive": (patient, be, manner, participle, "by", agent, end),
        "cleft agent": ("it", past, agent, "that", active, patient, end),
        "cleft patient": ("it", past, patient, "that", agent, active, end),
    }[way]
    return " ".join(" ".join(filter(None, map(str, words))).split())
