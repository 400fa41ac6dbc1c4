"""Constructions that express the same relation from the other side, rewritten to one form.

    it rained, so we left              we left because it rained
    soup rather than salad             soup instead_of salad
    you do not have to go              you need not go
    the shop is to the left of it      the shop is to_the_left_of it
    A is less tall than B              B is more tall than A
    A is not as tall as B              B is more tall than A
    A has half as many books as B      B has twice as many books as A
    our team beat theirs               our (team) beat their (team)

The tokens keep their places; words, heads and relations change. What changes for semantic roles is
in :class:`Recast`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import is_not
from types import MappingProxyType

from hybridsem._utils.tables import by_word, read_table, word_set
from hybridsem.english.lexicon import Lexicon
from hybridsem.english.words import NOT, PRONOUNS
from hybridsem.structures import Token

_TABLE = read_table(__file__)
DIRECTIONS = word_set(_TABLE["directions"])
TEMPORAL, CONSEQUENTIAL = word_set(_TABLE["temporal"]), word_set(_TABLE["consequential"])
SMALLER, DEGREE = word_set(_TABLE["smaller"]), word_set(_TABLE["degree"])
PREPOSITIONS = MappingProxyType(by_word(_TABLE["prepositions"]))
BARE = MappingProxyType(by_word(_TABLE["bare"]))
COMPASS = DIRECTIONS - {"left", "right", "front"}
NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})
LOCATING = frozenset({"advmod", "obl", "xcomp"})
MARKS = frozenset({"punct", "cc"})
CLAUSES = frozenset({"parataxis", "conj"})
DEPENDENT = frozenset({"case", "det", "fixed"})
REPLACING = MappingProxyType({"rather": "than", "instead": "of"})
NEEDED = frozenset({"need", "have"})
POSSESSIVE = frozenset(forms.possessive for forms in PRONOUNS.values())
"""Possessive pronouns without a noun: "theirs"."""
LONGEST_CHAIN = 20
ARGUMENTS = frozenset({"nsubj", "nsubj:pass", "obj", "iobj", "obl", "obl:agent"})


@dataclass
class Recast:
    """A tree in the course of being rewritten.

    ``heads`` maps tokens that were phrases to the word that has taken their place, ``exchanged``
    predicates and arguments to the argument that has the role instead, None for none.
    """

    tokens: list[Token]
    heads: dict[int, int] = field(default_factory=dict)
    exchanged: dict[tuple[int, int], int | None] = field(default_factory=dict)

    def argument(self, predicate: int, argument: int) -> int | None:
        """Return the word that now has the role of an argument, None if there is none."""
        argument = self.heads.get(argument, argument)
        return self.exchanged.get((predicate, argument), argument)

    def change(self, at: int, head: int | None = None, relation: str = "", word: str = "") -> None:
        """Change the head, the relation, or the text and lemma of a token, where given."""
        token = self.tokens[at]
        self.tokens[at] = replace(
            token,
            head=token.head if head is None else head,
            relation=relation or token.relation,
            text=word or token.text,
            lemma=word or token.lemma,
        )

    def silence(self, at: int) -> None:
        """Turn a word into one without meaning."""
        token = self.tokens[at]
        self.tokens[at] = replace(token, text=",", lemma=",", pos="PUNCT", relation="punct")

    def children(self, at: int, *relations: str) -> Iterator[int]:
        """Yield the dependents of a word, of these relations if any are given."""
        for i, token in enumerate(self.tokens):
            if token.head == at and (not relations or token.relation in relations):
                yield i

    def form(self, at: int) -> str:
        """Return a word in lower case."""
        return self.tokens[at].text.lower()

    def subject(self, at: int) -> int | None:
        """Return the subject of the nearest predicate that is or governs a word."""
        for _ in range(LONGEST_CHAIN):
            subject = next(self.children(at, "nsubj", "nsubj:pass"), None) if at >= 0 else None
            if at < 0 or subject is not None:
                return subject
            at = self.tokens[at].head
        return None

    def is_tree(self) -> bool:
        """Test if every word still has a root above it."""
        above = {i for i, token in enumerate(self.tokens) if token.head < 0}
        size = 0
        while size < len(above):
            size = len(above)
            above |= {i for i, token in enumerate(self.tokens) if token.head in above}
        return size == len(self.tokens)

    def exchange(self, one: int, two: int, marker: int) -> None:
        """Exchange the places of two words, the second with a preposition."""
        first, second = self.tokens[one], self.tokens[two]
        head1 = first.head if first.head != two else one
        head2 = second.head if second.head != one else two
        self.change(one, head2, second.relation)
        self.change(two, head1, first.relation)
        if second.head == one:  # the phrase modified the other word
            for i in [*self.children(one)]:
                if i != two and self.tokens[i].relation not in ("det", "nmod:poss", "compound"):
                    self.change(i, two)
        self.change(marker, one)
        for predicate in {first.head, second.head}:
            self.exchanged |= {(predicate, one): two, (predicate, two): one}


def recast(tokens: Sequence[Token]) -> Recast:
    """Rewrite the constructions of a tree; nothing if the result would not be a tree."""
    tree = Recast(list(tokens))
    for i, token in enumerate(tree.tokens):  # the loop sees its own changes
        rewrite = REWRITERS.get(token.text.lower())
        if rewrite is None and token.lemma.lower() in NEEDED:
            rewrite = _no_need
        if rewrite is not None:
            rewrite(tree, i)
    for token in tokens:
        if token.relation == "expl" and token.head >= 0:
            _existence(tree, token.head)
    changed = any(map(is_not, tokens, tree.tokens))
    return Recast(list(tokens)) if changed and not tree.is_tree() else tree


@lru_cache(1024)
def are_converse(marker1: str, marker2: str, lexicon: Lexicon) -> bool:
    """Test if two prepositions or conjunctions are converses: they express one relation from
    both sides.
    """
    return any(
        lexicon.converse(BARE.get(marker1, marker1), tag, BARE.get(marker2, marker2), tag)
        is not None
        for tag in ("ADP", "NOUN")
    )


def _clause_of_time(tree: Recast, at: int) -> None:
    """Correct "we arrived after (the guests) left" to "we arrived (after the guests left)"."""
    subject = tree.tokens[at].head
    if tree.tokens[at].relation != "case" or subject < at:
        return
    if tree.tokens[subject].relation != "obl":
        return
    main, verb = tree.tokens[subject].head, subject + 1
    if main < 0 or verb >= len(tree.tokens):
        return
    clause = tree.tokens[verb]
    if clause.relation != "advcl" or clause.head != main or clause.text.endswith("ing"):
        return
    if any(tree.children(verb, "mark", "nsubj", "nsubj:pass", "case")):
        return
    tree.change(at, verb, "mark")
    tree.change(subject, verb, "nsubj")
    for other in tree.children(main, "nsubj"):
        tree.exchanged[verb, other] = subject
    tree.exchanged[main, subject] = verb


def _consequence(tree: Recast, at: int) -> None:
    """Rewrite "it rained, so we left" with the cause below the consequence."""
    consequence = tree.tokens[at].head
    if consequence < at or tree.tokens[at].relation not in ("advmod", "mark", "cc"):
        return
    clause = tree.tokens[consequence]
    cause = clause.head
    own = (i for i in tree.children(consequence) if tree.tokens[i].relation not in MARKS)
    first = next(own, at) == at
    subjects = any(tree.children(consequence, "nsubj", "nsubj:pass", "expl"))
    if not (first and subjects and 0 <= cause < at) or clause.relation not in CLAUSES:
        return
    above = tree.tokens[cause]
    tree.change(consequence, above.head, above.relation)
    tree.change(cause, consequence, "advcl")
    tree.change(at, cause, "mark", "because")
    for i in [*tree.children(consequence, "cc")]:
        tree.silence(i)


def _direction(tree: Recast, at: int) -> None:
    """Rewrite "to the left of the house" with "to the left of" as a preposition."""
    token = tree.tokens[at]
    place = next(
        (
            i
            for i in tree.children(at, "nmod", "obl")
            if i > at and tree.form(at + 1) == "of" and tree.tokens[at + 1].head == i
        ),
        None,
    )
    markers = [*tree.children(at, "case")]
    article = [*tree.children(at, "det")]
    copular = any(tree.children(at, "cop", "aux:pass"))
    name = PREPOSITIONS.get(" ".join((*map(tree.form, markers[:1]), tree.form(at), "of")))
    phrase = bool(markers) or (not article and (copular or token.relation in LOCATING))
    if place is None or name is None or not phrase:
        return
    tree.heads[at] = place
    tree.change(place, token.head, "obl" if token.relation == "advmod" else token.relation)
    for i in [*tree.children(at)]:
        relation = tree.tokens[i].relation
        if relation in DEPENDENT:
            tree.silence(i)
        else:
            plain = {"aux:pass": "cop", "nsubj:pass": "nsubj"} if copular else {}
            tree.change(i, place, plain.get(relation, relation))
    tree.silence(at + 1)
    tree.tokens[at] = replace(token, text=name, lemma=name, pos="ADP", head=place, relation="case")


def _no_need(tree: Recast, at: int) -> None:
    """Rewrite "need not go" and "do not have to go" with "need" as an auxiliary verb of "go"."""
    token = tree.tokens[at]
    verb = next((i for i in tree.children(at, "xcomp") if i > at + 1), None)
    if verb is None or any(tree.children(at, "obj")):
        return
    denied = any(tree.form(i) in NOT for i in tree.children(at, "advmod"))
    if not denied and not (tree.form(at) == "need" and tree.form(at + 1) in NOT):
        return
    for i in [*tree.children(verb, "mark")]:
        tree.silence(i)
    for i in [*tree.children(at)]:
        tree.change(i, verb)
    tree.change(verb, token.head, token.relation)
    tree.heads[at] = verb
    tree.tokens[at] = replace(
        token, text="need", lemma="need", pos="AUX", head=verb, relation="aux"
    )


def _replacement(tree: Recast, at: int) -> None:
    """Rewrite "soup rather than salad" as "soup instead of salad"."""
    phrase, behind = tree.tokens[at].head, at + 1
    if phrase < behind or tree.form(behind) != REPLACING[tree.form(at)]:
        return
    token = tree.tokens[phrase]
    if tree.tokens[behind].head not in (at, phrase) or token.pos in ("VERB", "AUX"):
        return
    if token.relation == "conj":
        above = tree.tokens[token.head]
        if above.head < 0 or tree.tokens[above.head].pos != "VERB":
            return
        tree.change(phrase, above.head, "obl")
        tree.exchanged[above.head, phrase] = None
    tree.change(at, relation="case", word="instead of")
    tree.silence(behind)


def _existence(tree: Recast, verb: int) -> None:
    """Rewrite "there is a shop at the corner" with the place below the shop."""
    subject = next(tree.children(verb, "nsubj"), None)
    if subject is None or tree.tokens[verb].lemma.lower() != "be":
        return
    for place in [*tree.children(verb, "obl")]:
        if any(tree.children(place, "case")):
            tree.change(place, subject, "nmod")
            tree.exchanged[verb, place] = None


def _comparison(tree: Recast, at: int) -> None:
    """Rewrite what is less or half with the greater as the subject."""
    standard = tree.tokens[at].head
    if tree.tokens[at].relation != "case" or not 0 <= at < standard:
        return
    several = len([*tree.children(standard, "case")]) > 1 or any(tree.children(at, "fixed"))
    counted = any(tree.children(standard, "nummod"))
    if several or counted or tree.tokens[standard].pos not in NOMINAL:
        return
    if tree.form(at) == "than":
        above = tree.tokens[tree.tokens[standard].head]
        if above.relation == "amod":  # "less milk than *water*": of the noun, not of "less"
            tree.change(standard, above.head, "nmod")
        _than(tree, at, standard)
    else:
        _as(tree, at, standard)


def _than(tree: Recast, than: int, standard: int) -> None:
    for at in range(than - 1, -1, -1):
        head, token = tree.tokens[at].head, tree.tokens[at]
        graded = token.relation == "advmod" and tree.tokens[head].pos in ("ADJ", "ADV")
        near = tree.tokens[standard].head in (at, head, tree.tokens[head].head)
        if tree.form(at) in SMALLER and near:
            if (other := _compared(tree, at, standard)) is not None:
                tree.exchange(other, standard, than)
                tree.change(at, word="more")
                if graded:
                    tree.silence(at)
            return
        if tree.form(at) == "more" and graded and tree.tokens[standard].head == head:
            tree.silence(at)
            return


def _as(tree: Recast, second: int, standard: int) -> None:
    for first in range(second - 2, -1, -1):
        adjective = tree.tokens[first].head
        if tree.form(first) not in DEGREE or tree.tokens[first].relation != "advmod":
            continue
        if not first < adjective < second:
            continue
        if first and tree.form(first - 1) in ("half", "twice"):
            _multiple(tree, first - 1, first, second, standard)
        elif first and tree.form(first - 1) in NOT:
            _unequal(tree, first, second, standard)
        return


def _unequal(tree: Recast, first: int, second: int, standard: int) -> None:
    """Rewrite "not as tall as" as "taller than"."""
    if (other := _compared(tree, first, standard)) is not None:
        tree.exchange(other, standard, second)
        tree.change(second, word="than")
        tree.silence(first)
        tree.silence(first - 1)


def _multiple(tree: Recast, at: int, first: int, second: int, standard: int) -> None:
    """Rewrite "half as many" as "twice as many"."""
    head = tree.tokens[first].head
    if tree.tokens[head].relation == "amod":
        head = tree.tokens[head].head
    tree.exchanged |= {(i, at): None for i in range(len(tree.tokens))}
    half = tree.form(at) == "half"
    other = _compared(tree, first, standard) if half else None
    tree.tokens[at] = replace(tree.tokens[at], head=head, relation="advmod", pos="ADV")
    if other is not None:
        tree.exchange(other, standard, second)
        tree.change(at, word="twice")


def _compared(tree: Recast, at: int, standard: int) -> int | None:
    """Return what is compared with the phrase after "than" or "as"."""
    counted = tree.tokens[at].head
    if tree.tokens[counted].relation == "amod":
        counted = tree.tokens[counted].head
    bare = not any(tree.children(standard, "det", "nmod:poss"))
    if bare and tree.tokens[at].relation == "amod" and tree.tokens[standard].pos == "NOUN":
        return counted
    subject = tree.subject(tree.tokens[at].head)
    return subject if subject is not None and subject < at else None


def _possessive(tree: Recast, at: int) -> None:
    """Rewrite "our team beat theirs" with both possessors in the places of the teams."""
    token = tree.tokens[at]
    if token.pos != "PRON" or token.relation in ("nmod:poss", "det") or token.head < 0:
        return
    owners = [
        i
        for i, owner in enumerate(tree.tokens[:at])
        if owner.relation == "nmod:poss" and owner.pos == "PRON" and owner.head < at
    ]
    for owner in owners[-1:]:
        noun = tree.tokens[owner].head
        above = tree.tokens[noun]
        if above.relation not in ARGUMENTS:
            return
        tree.change(owner, above.head, above.relation)
        for i in [*tree.children(noun, "case")]:
            tree.change(i, owner)
        tree.change(noun, above.head, "dep")
        tree.heads[noun] = owner


REWRITERS: Mapping[str, Callable[[Recast, int], None]] = MappingProxyType(
    {
        **dict.fromkeys(TEMPORAL, _clause_of_time),
        **dict.fromkeys(CONSEQUENTIAL, _consequence),
        **dict.fromkeys(DIRECTIONS, _direction),
        **dict.fromkeys(("than", "as"), _comparison),
        **dict.fromkeys(POSSESSIVE, _possessive),
        **dict.fromkeys(REPLACING, _replacement),
    }
)
"""The function that rewrites the construction of each word."""
