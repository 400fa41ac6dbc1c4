"""Edits of words and phrases: numbers, units, dates, names, quantifiers, opposites, kinds,
modifiers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from benchmarks.corpora.clause import NAMES as NAMED_THINGS
from benchmarks.corpora.clause import OPPOSITES, Piece
from benchmarks.corpora.clause import WORDS as CLAUSE_WORDS
from benchmarks.corpora.inflection import inflected, is_plural
from hybridsem._utils.tables import by_word, read_table, word_sets
from hybridsem.english.lexicon import lexicon
from hybridsem.english.numbers import CARDINALS, ORDINALS
from hybridsem.english.words import MONTHS, NEAR_NEGATORS, NEGATORS, WEEKDAYS
from models.pairs.base import NAMES, NOT_ASSERTED, Base
from models.pairs.frames import Made
from models.pairs.verbs import CONCRETE

__all__ = [
    "COUNTRIES",
    "KINDS_OF",
    "conjuncts",
    "dates",
    "kinds",
    "modifiers",
    "names",
    "numbers",
    "opposites",
    "quantifiers",
    "times",
    "verbs",
]

_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])
_OPPOSITE = dict(OPPOSITES)
_SAID = {one: two for one, two in OPPOSITES if one not in _WORDS["two_opposites"]} | {
    one: two
    for pair in _TABLES["gradable"]["pairs"].split()
    for one, two in permutations(pair.split(":"))
}
"""Opposites of what is said of a subject."""
_GROUPS = [group.split() for group in (*NAMES.values(), *_TABLES["places"].values())]
COUNTRIES = frozenset(_TABLES["places"]["countries"].split())
_PLACES = frozenset(word for group in _TABLES["places"].values() for word in group.split())
_SPELLED = {str(value): word for word, value in CARDINALS.items() if 1 < value <= 20}
_FIGURES = {word: figure for figure, word in _SPELLED.items()}
KINDS_OF: Mapping[str, str] = by_word(_TABLES["kinds"])
_UNITS: Mapping[str, list[str]] = {
    unit: [other for other in group.split() if other != unit]
    for group in _TABLES["units"]["groups"]
    for unit in group.split()
}
LONGER = ("flat", "compound", "appos", "conj", "nummod")
"""Relations within a name of several words."""
Changes = Mapping[int, Sequence[Piece]]


def numbers(base: Base) -> Iterator[Made]:
    """As in "three dogs": "five dogs" is another number, "3 dogs" the same."""
    for i, token in enumerate(base.tree):
        noun, form = token.head, base.lower[i]
        if token.relation != "nummod" or noun <= i or base.tree[noun].pos != "NOUN":
            continue
        before = base.lower[i - 1] if i else ""
        if not _WORDS["bounds"].isdisjoint(base.lower[max(i - 4, 0) : i]):
            continue
        if before in _WORDS["about_numbers"] or base.lemma[noun] in MONTHS or i < base.first:
            continue
        if base.lower[noun] == base.lemma[noun] or "-" in base.lower[i - 1 : i + 2]:
            continue
        if other := _SPELLED.get(form) or _FIGURES.get(form):
            yield "number-spelled", base.text, base.edited({i: (other,)})
        if not (base.is_told and base.is_in_main(i)):
            continue
        if new := _another_number(base, form):
            yield "number", base.text, base.edited({i: (new,)})
        if units := _UNITS.get(base.lemma[noun]):
            unit = inflected(base.draw(units)[0], "NNS")
            yield "unit", base.text, base.edited({noun: (str(unit),)})


def _another_number(base: Base, form: str) -> str | None:
    plain = form.replace(",", "")
    if form in _FIGURES:
        return base.draw([word for word in _FIGURES if word != form])[0]
    if not plain.isdigit() or not int(plain) > 1 or (len(plain) > 1 and plain[0] == "0"):
        return None
    value = int(int(plain) * base.draw([2, 3, 5])[0]) + (int(plain) < 10)
    return f"{value:,}" if "," in form else str(value)


def dates(base: Base) -> Iterator[Made]:
    """As in "on Monday" and "on Friday", "in 1999" and "in 2004": one event has one date."""
    if not (base.is_told and base.is_past and base.is_verb):
        return
    for options in (WEEKDAYS, MONTHS):
        found = [i for i, form in enumerate(base.lower) if form in options]
        if len(found) == 1 and base.tree[found[0]].pos == "PROPN" and _is_when(base, found[0]):
            others = [one for one in options if one not in ("may", base.lower[found[0]])]
            yield "date", base.text, base.edited({found[0]: (base.draw(others)[0].capitalize(),)})
    years = [i for i, form in enumerate(base.lower) if len(form) == 4 and form.isdigit()]
    if len(years) == 1 and 1700 < int(base.lower[years[0]]) < 2030 and _is_when(base, years[0]):
        year = int(base.lower[years[0]]) - base.draw([1, 2, 4, 5, 8, 11, 20])[0]
        yield "date", base.text, base.edited({years[0]: (str(year),)})


def _is_when(base: Base, i: int) -> bool:
    """Test if a word is the only date of the main verb."""
    top = i
    while base.base[top] in ("nmod", "compound", "nummod", "flat", "appos"):
        top = base.tree[top].head
    phrase = base.subtree(top)
    is_one = base.tree[top].head == base.predicate and base.base[top] == "obl"
    is_one = is_one and (base.preposition(top) in ("on", "in", "") or top == i)
    words = {base.lower[j] for j in phrase}
    return is_one and words.isdisjoint(_WORDS["spans"]) and len(phrase) <= 6


def names(base: Base) -> Iterator[Made]:
    """Another person or place: "in Paris" and "in Rome" where only one can be true."""
    for i, token in enumerate(base.tree):
        group = next((names for names in _GROUPS if token.text in names), None)
        if token.pos != "PROPN" or group is None or base.lower.count(base.lower[i]) > 1:
            continue
        if base.of(i, *LONGER) or base.base[i] in (*LONGER, "vocative"):
            continue
        taken = {one.text for one in base.tree}
        other = base.draw([name for name in group if name not in taken])[0]
        made = base.edited({i: (other,)})
        where = token.head == base.predicate and base.base[i] == "obl"
        one_place = where and token.text in _PLACES and base.preposition(i) in ("in", "to", "from")
        if one_place and base.is_told and base.is_past:
            if base.lemma[base.predicate] in _WORDS["in_one_place"]:
                yield "place", base.text, made
            continue
        of_subject = i == base.subject or (i == 0 and base.relation[i] == "nmod:poss")
        if of_subject and base.is_verb and not base.has_any(_WORDS["alternatives"]):
            yield "name", base.text, made


def quantifiers(base: Base) -> Iterator[Made]:
    """As in "All of the dogs", "most", "some", "none of the dogs bark"."""
    subject = base.subject
    many = is_plural(base.lower[subject], base.lemma[subject]) and base.tree[subject].pos == "NOUN"
    if not many or not base.is_tight or base.subject_words[-1] != subject:
        return
    verb = base.predicate
    if base.lemma[verb] in _WORDS["collective"] or base.tree[verb].pos == "NOUN":
        return
    rest, first = base.rest, base.lower[0]
    body = [*base.subject_words[1:], *rest]
    forms = _TABLES["quantifiers"]
    if first == "the" and base.is_affirmed:
        pattern = "{} of the"
        own = ["of", *base.subject_words, *rest]
        if base.random.random() < 0.5:
            yield "quantifier-weaker", base.text, base.written("some", *own)
        yield "quantifier-opposed", base.text, base.written("none", *own)
    elif first in forms["plain"].split() and base.subject_words[0] == 0:
        asserted = [form for form in base.lower if form in NOT_ASSERTED | NEGATORS | NEAR_NEGATORS]
        if len(asserted) > (first in NOT_ASSERTED) or base.of(subject, "nmod", "acl"):
            return
        pattern = "{}"
    else:
        return
    for kind in ("weaker", "opposed"):
        for one, two in base.draw(forms[kind]):
            words = [pattern.format(word).replace("no of", "none of") for word in (one, two)]
            first, second = (base.written(*some.split(), *body) for some in words)
            yield f"quantifier-{kind}", first, second


def opposites(base: Base) -> Iterator[Made]:
    """Opposites of adjectives: "hot" is not "cold", "not dead" is "alive"."""
    for i in base.adjectives():
        if i != base.predicate:
            yield from _another_one(base, i)
    i, first = base.predicate, base.first
    word, is_be = base.lower[i], base.lower[first] in ("is", "was", "are", "were")
    if not (base.is_sure and is_be and base.tree[i].pos == "ADJ" and _is_simply_said(base)):
        return
    denied = (first, "not")
    if other := _TABLES["binary"].get(word):
        yield "opposite", base.text, base.edited({i: (other,)})
        one, two = base.edited({first: denied, i: (other,)}), base.edited({first: denied})
        if base.of(i, "advmod"):  # "not very unusual" is not "very usual"
            return
        yield "opposite-denied", base.text, one
        yield "opposite-denied", base.edited({i: (other,)}), two
    elif other := _SAID.get(word):
        yield "opposite", base.text, base.edited({i: (other,)})
        yield "opposite-implied", base.text, base.edited({first: denied, i: (other,)})


def _is_simply_said(base: Base) -> bool:
    """Test if the adjective has nothing with it but degree, time and place."""
    for c in base.children(base.predicate):
        if base.base[c] == "obl" and base.preposition(c) in ("in", "on", "at", "during"):
            continue
        if base.base[c] == "advmod" and base.lower[c] in _WORDS["degree"]:
            continue
        if base.base[c] not in ("cop", "nsubj", "punct"):
            return False
    return not base.lower[base.predicate - 1].endswith("-")


def _another_one(base: Base, i: int) -> Iterator[Made]:
    """As in "The tall man left" and "The short man left" are of two men."""
    noun, word = base.tree[i].head, base.lower[i]
    determiner = [base.lower[c] for c in base.of(noun, "det")]
    person = base.is_person(noun)
    if base.of(noun, "compound") or noun != i + 1 or base.of(noun, "case"):
        return
    if determiner != ["the"] or word not in _OPPOSITE or not base.is_affirmed:
        return
    if (word in CLAUSE_WORDS["colours"] and person) or (word, base.lower[noun]) in NAMED_THINGS:
        return
    concrete = lexicon().concreteness(base.lemma[noun]) or 0
    if base.base[noun] in ("nsubj", "obj") and concrete > CONCRETE:
        other = {"old": "young" if person else "new"}.get(word, _OPPOSITE[word])
        yield "opposite-thing", base.text, base.edited({i: (other,)})


def verbs(base: Base) -> Iterator[Made]:
    """As in "The prices rose" and "The prices fell"."""
    verb, lemma = base.predicate, base.lemma[base.predicate]
    other = _TABLES["verbs"].get(lemma)
    if other is None or not (base.is_sure and base.is_upward and base.is_plain_verb):
        return
    if base.particle(verb) or "wide" in base.lower:
        return
    if lemma in ("open", "close") and not base.is_past:  # one does both again and again
        return
    wanted, objects = _TABLES["with_object"]["verbs"].split(), base.of(verb, "obj")
    if bool(objects) != (lemma in wanted) or base.of(verb, "iobj"):
        return
    thing = base.tree[base.subject].pos == "NOUN" and not base.is_person(base.subject)
    if lemma in _WORDS["of_things"] and (not thing or len(base.rest) > 6):
        return
    tag = str(base.tense)
    form = other if tag == "VBP" else inflected(other, tag)
    yield "opposite-verb", base.text, base.edited({verb: (str(form),)})


def kinds(base: Base) -> Iterator[Made]:
    """As in "a dog" is "an animal"; under "not" and "if" it is the other way about."""
    for i, token in enumerate(base.tree):
        general = KINDS_OF.get(base.lemma[i])
        if token.pos != "NOUN" or general is None or not base.is_upward:
            continue
        if base.base[i] not in ("obj", "obl", "iobj", "nsubj") or general in base.lemma:
            continue
        if not base.is_in_main(i):
            continue
        if base.of(i, "compound", "conj", "amod", "flat") or base.has_any(_WORDS["alternatives"]):
            continue
        many = base.lower[i] != base.lemma[i]
        new = str(inflected(general, "NNS")) if many else general
        determiners = [base.lower[c] for c in base.of(i, "det")]
        if not many and not determiners and not base.of(i, "nmod"):
            continue
        changes: Changes = {i: (new,)}
        if not many or determiners:
            yield "kind", base.text, base.edited(changes)
        if determiners in (["a"], ["an"]) or (many and not determiners):
            yield from _downward(base, "kind-downward", changes)


def _downward(base: Base, kind: str, changes: Changes) -> Iterator[Made]:
    """The sentence and a more general one where the more general implies the other."""
    more = base.edited(changes)
    joined = base.of(base.predicate, "conj", "parataxis", "advcl")
    if joined or base.has_any(_WORDS["alternatives"]):
        return
    if base.is_plain_verb and base.is_sure:
        do = {"VBD": "did", "VBZ": "does"}.get(str(base.tense), "do")
        deny = {base.predicate: (do, "not", base.lemma[base.predicate])}
        yield kind, base.edited(deny), base.edited({**deny, **changes})
    body = more[:-1] if base.body[0].isupper() else more[0].lower() + more[1:-1]
    frame = base.draw(_TABLES["downward"]["frames"])[0]
    yield kind, frame.format(base.body), frame.format(body)
    pronoun = base.lower[base.subject] in ("he", "she") or base.is_person(base.subject)
    if pronoun and not base.many and base.tense in ("VBD", "VBZ") and 0 not in changes:
        frame = base.draw(_TABLES["downward"]["everyone"])[0]
        if base.has_bound or not changes.keys().isdisjoint(base.subject_words):
            return
        gone = dict.fromkeys(base.subject_words, ())
        texts = [base.edited({**more, **gone}) for more in ({}, changes)]
        one, two = (text[0].lower() + text[1:-1] for text in texts)
        yield kind, frame.format(one), frame.format(two)


def modifiers(base: Base) -> Iterator[Made]:
    """As in "a red car" and "a car"; under "not" it is the other way about."""
    if not base.is_upward:
        return
    for words, indefinite in _droppable(base):
        changes: Changes = dict.fromkeys(words, ())
        if len(base.tree) - 1 - len(words) < 4 or 0 in changes:
            continue
        yield "modifier", base.text, base.edited(changes)
        if indefinite:
            yield from _downward(base, "modifier-downward", changes)


def _droppable(base: Base) -> Iterator[tuple[tuple[int, ...], bool]]:
    """The words of modifiers, and whether one may leave them out under "not" as well."""
    for i in base.adjectives():
        noun, word = base.tree[i].head, base.lower[i]
        if base.predicate in (i, noun) or noun != i + 1 or word.endswith(("er", "est")):
            continue
        if word in ORDINALS or any(map(str.isdigit, word)) or word in _WORDS["not_subsective"]:
            continue
        if not base.is_in_main(noun) or base.of(noun, "compound"):
            continue
        if base.lemma[noun] in _WORDS["empty"]:
            continue
        determiners = [base.lower[c] for c in base.of(noun, "det")]
        many = base.lower[noun] != base.lemma[noun]
        if determiners or many:
            yield (i,), determiners in (["a"], ["an"])
    for i in base.children(base.predicate):
        words = base.subtree(i)
        last = words[-1] == len(base.tree) - 2 and words[0] > base.predicate + 1
        if base.tree[i].pos == "ADV" and base.lower[i] in _WORDS["manner"] and len(words) == 1:
            yield words, True
        elif base.relation[i] in ("obl", "obl:tmod") and last and len(words) <= 8:
            where = base.preposition(i)
            if where in ("on", "in", "at", "during", "after", "before") and base.is_time(i, where):
                yield words, True


def times(base: Base) -> Iterator[Made]:
    """As in "He left on Monday": he left."""
    acts = base.is_plain_verb and base.lemma[base.predicate] not in _WORDS["states"]
    if acts and base.is_past and base.is_affirmed and base.is_tight and not base.has_time:
        when = base.draw(_TABLES["times"]["added"])[0]
        yield "time-added", f"{base.text[:-1]} {when}.", base.text


def conjuncts(base: Base) -> Iterator[Made]:
    """As in "He bought apples and pears": he bought apples; he bought apples or pears."""
    for b, token in enumerate(base.tree):
        a = token.head
        if token.relation != "conj" or base.base[a] not in ("obj", "obl") or not base.is_upward:
            continue
        joined, others = base.of(b, "cc"), base.of(a, "conj")
        first, second = base.subtree(a), base.subtree(b)
        if len(joined) != 1 or len(others) != 1 or first[-1] != second[-1] or b < a:
            continue
        if not all(base.tree[i].text.islower() for i in (a, b)) or base.preposition(a) == "between":
            continue
        if base.tree[a].head != base.predicate or "," in (base.lower[i] for i in first):
            continue
        if base.lemma[base.predicate] in _WORDS["collective"] | {"be"} or base.of(b, "case"):
            continue
        if first[-1] != len(base.tree) - 2 or (base.of(a, "det") and not base.of(b, "det")):
            continue
        dropped = base.edited(dict.fromkeys((*second,), ()))
        if base.lower[joined[0]] == "and":
            yield "conjunct", base.text, dropped
            yield "conjunct-or", base.text, base.edited({joined[0]: ("or",)})
        elif base.lower[joined[0]] == "or":
            yield "conjunct-or", dropped, base.text
