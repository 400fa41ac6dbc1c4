"""Edits of whole clauses: joined to others, subjects beside other subjects, other orders, swaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from benchmarks.corpora.clause import Piece
from benchmarks.corpora.inflection import object_case, subject_case
from benchmarks.corpora.relations import passive
from hybridsem._utils.tables import by_word, read_table, word_sets
from hybridsem.english.lexicon import lexicon
from hybridsem.english.words import ARTICLES
from models.pairs.base import Base
from models.pairs.frames import Made
from models.pairs.phrases import COUNTRIES
from models.role_encoder.variants import recast

__all__ = ["beside", "only", "recast_same", "swapped"]

LONGEST = 8
"""Words of an object that is moved."""
PLURAL = {"is": "are", "was": "were", "has": "have"}
_TABLES = read_table(__file__)
_WORDS = word_sets(_TABLES["words"])
_PARTNERS = {
    word: (kind, words.split())
    for kind, words in _TABLES["partners"].items()
    for word in words.split()
}
_SAME = by_word(_TABLES["recast"])


def beside(base: Base) -> Iterator[Made]:
    """As in "The nurse opposite the guard slept": the nurse did, not the guard."""
    words, subject = base.subject_words, base.subject
    token = base.tree[subject]
    singular = (token.pos == "NOUN" and base.is_singular(subject)) or token.pos == "PROPN"
    named = base.is_open or base.lower[0] in _WORDS["owners"]
    if not (base.is_sure and singular and words[-1] == subject) or named or base.is_short:
        return
    like = "Ann" if base.is_person(subject) else base.lemma[subject]
    kind, options = _PARTNERS.get(like, ("", []))
    fitting = [one for one in options if one not in base.lower and one.islower()]
    if not fitting or not base.is_third_person:
        return
    noun = base.draw(fitting)[0]
    other: list[Piece] = ["the", noun]
    own: list[Piece] = [*words]
    rest = base.rest
    comma = [","] if token.pos == "PROPN" else []
    rows = _TABLES["beside"]["any"] + _TABLES["beside"].get(kind, [])
    for phrase, told in base.draw(rows, 2):
        behind = phrase.format(noun).split()
        if comma and behind[0] == "that":
            behind[0] = "which"
        first = base.written(*own, *comma, *behind, *comma, *rest)
        yield "beside", first, base.written(*other, *rest)
        yield "beside-main", first, base.written(*own, *rest)
        if told:
            yield "beside-told", first, base.written(*own, *told.format(noun).split())
    yield from _coordinated(base, other)


def _coordinated(base: Base, other: list[Piece]) -> Iterator[Made]:
    """As in "The nurse and the guard slept", "The nurse or the guard slept"."""
    verb, rest = base.first, base.rest
    own: list[Piece] = [*base.subject_words]
    if base.lemma[base.predicate] in _WORDS["together"] or base.has_bound or not base.is_verb:
        return
    if any(base.lower[i] in ARTICLES - {"the"} for i in rest):
        return
    alone = base.draw([own, other])[0]
    yield "subject-or", base.written(*alone, *rest), base.written(*own, "or", *other, *rest)
    form = base.lower[verb]
    plural = PLURAL.get(form) or (base.lemma[verb] if base.tense == "VBZ" else form)
    verbs: list[Piece] = [plural if i == verb and plural != form else i for i in rest]
    yield "subject-and", base.written(*own, "and", *other, *verbs), base.written(*alone, *rest)


def only(base: Base) -> Iterator[Made]:
    """As in "Only the nurse slept", "Even the nurse slept", "It was not the nurse who slept"."""
    odd = base.many or base.is_short or base.is_open
    if not base.is_sure or base.tree[base.subject].pos == "PRON" or odd:
        return
    own, rest = [*base.subject_words], base.rest
    yield "only", base.written(base.draw(["only", "even"])[0], *own, *rest), base.text
    if base.is_verb and base.is_third_person:
        who = "who" if base.is_person(base.subject) else "that"
        be = "was" if base.is_past else "is"
        yield "cleft-denied", base.text, base.written("it", be, "not", *own, who, *rest)


def recast_same(base: Base) -> Iterator[Made]:
    """Passive, cleft, dative, another order: the same said otherwise."""
    if base.is_affirmed and base.is_tight and base.is_verb:
        for name, text in recast(base.tree, base):
            cleft = name == "cleft" and not (base.is_sure and base.is_plain_verb)
            fixed = base.has_bound or base.has_any(_WORDS["ordered"])
            order = name == "conjuncts" and fixed
            if name in _SAME and not cleft and not order and not text.startswith("At "):
                yield _SAME[name], base.text, text


def swapped(base: Base) -> Iterator[Made]:
    """As in "The guard hired the nurse": the nurse hired nobody."""
    verb, lemma = base.predicate, base.lemma[base.predicate]
    objects = [c for c in base.children(verb) if base.relation[c] in ("obj", "iobj")]
    if not (base.is_sure and base.is_past and base.is_plain_verb and objects):
        return
    told = base.relation[objects[0]] == "iobj" or lemma in _WORDS["to_persons"]
    if lemma in _WORDS["mutual"] or lexicon().symmetric(lemma, "VERB") or len(objects) > 1 + told:
        return
    if not (base.is_definite(objects[0]) and _alike(base, base.subject, objects[0])):
        return
    words = base.subtree(objects[0])
    if words != tuple(range(verb + 1, verb + 1 + len(words))) or len(words) > LONGEST:
        return
    same = base.lower[base.subject] == base.lower[words[-1]]
    owned = any(base.relation[i] == "nmod:poss" for i in base.rest)
    if same or owned or base.has_any(_WORDS["reflexive"]):
        return
    rest = range(words[-1] + 1, len(base.tree) - 1)
    if any(base.tree[i].pos == "PRON" or base.relation[i] == "compound:prt" for i in rest):
        return
    second = _cased(base, base.subject_words, object_case)
    yield "swap", base.text, base.written(*_cased(base, words, subject_case), verb, *second, *rest)
    if not told and passive(base) is not None and base.tree[rest.start].pos != "ADV":
        group = base.be("VBD"), base.form("VBN"), "by"
        yield "swap-passive", base.text, base.written(*base.subject_words, *group, *words, *rest)


def _alike(base: Base, one: int, other: int) -> bool:
    """Test if either could be in the place of the other: two persons, or two countries."""
    countries = all(base.tree[i].text in COUNTRIES for i in (one, other))
    return countries or (base.is_person(one) and base.is_person(other))


def _cased(base: Base, words: Sequence[int], case: Callable[[str], str]) -> Sequence[Piece]:
    """A phrase in its new place; a pronoun has another form there."""
    alone = len(words) == 1 and base.tree[words[0]].pos == "PRON"
    return [case(base.lower[words[0]])] if alone else words
