"""A sentence as natural logic reads it: quantifiers, negations, and the contexts of each word.

    No   dog  that barks   bites  without  a reason         up, down or neither:
    up   down ....... down down   down     up ...           "a reason" is within two contexts

A *context* is the effect of a quantifier, a negation, a verb such as "fail", a conditional,
"without" or "than" on its scope (``comparison/logic.py``). The inventory follows MacCartney &
Manning (2009), van Benthem (1986), Hu & Moss (2018) and Chen & Gao (2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import groupby
from operator import is_not
from types import MappingProxyType
from typing import NamedTuple

from hybridsem._utils.latest import keep_latest
from hybridsem._utils.tables import by_word, read_table, word_set, word_sets
from hybridsem.comparison.folding import as_fact
from hybridsem.comparison.logic import Context, Relation
from hybridsem.comparison.sentence import Sentence
from hybridsem.english.lexicon import lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.questions import tag_question
from hybridsem.english.signatures import DOWNWARD, RAISING, Complement, signature
from hybridsem.english.words import MODALS, not_only
from hybridsem.facts.quantities import Share
from hybridsem.facts.values import Fact
from hybridsem.judge.rules import Maker, makers, quantifiers, relation_words
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import DependencyTree

_WORDS = word_sets(read_table(__file__)["words"])
SEMI_MODALS = _WORDS["semi_modals"]
"""Words whose infinitive has a modality: "has to"."""
MODALITIES = MappingProxyType(by_word(read_table(__file__)["modalities"]))
"""The class of each modal verb or adjective."""
QUANTIFYING = word_set("det cc nummod amod advmod predet case fixed quantmod nmod:npmod")
PHRASAL = ("nmod", "conj", "appos", "compound", "amod", "nummod", "det", "acl", "flat")
COUNTING = ("half", "dozen")
"""Nouns that are a part of numbers."""
SOME = ("some", "many")
"""Quantifiers that, of the rest, say what "not every" and "few" say of all."""
PERSONAL = 0.8
"""A noun names a person if this share of its senses does."""
DISJUNCTIONS = relation_words()["disjunctions"]
CLAUSAL = ("xcomp", "ccomp", "csubj", "acl", "advcl")
NEGATION, DOWNWARD_WORD = "negation", "downward word"
"""The rules of contexts that are no rows."""
CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X", "SYM"})


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return the phrases of quantifiers with their names, the longest first, by first words."""
    by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    phrases = [(phrase, name) for name, rule in quantifiers().items() for phrase in rule.phrases]
    for phrase, name in sorted(phrases, key=lambda known: -len(known[0])):
        by_first.setdefault(phrase[0], []).append((phrase, name))
    return by_first


@cache
def _makers() -> Mapping[str, Sequence[Maker]]:
    """Return the rules of words that make a context, by the forms or relations of these words."""
    by_trigger: dict[str, list[Maker]] = {}
    for maker in makers():
        for value in maker.pattern.words[0].keys[0].values:
            by_trigger.setdefault(value, []).append(maker)
    return by_trigger


class Quantified(NamedTuple):
    """A quantifier: its name in ``english/rules/contexts.toml``, its tokens, the head of its
    phrase, and its number, if any.
    """

    name: str
    tokens: tuple[int, ...]
    head: int
    number: float | None = None


class Within(NamedTuple):
    """A context that a word is in, the token that makes it, and the rule for that."""

    context: Context
    source: int
    rule: str = ""


Scoped = tuple[Within, set[int]]
"""A context and the tokens that are in it."""


class LogicalSentence:
    """The canonical tree of a sentence, with what natural logic reads from it.

    ``keys`` are what tokens are aligned by, ``bare`` their relations without subtypes, ``visible``
    the tokens with a letter or digit, ``participles`` those such as "singing", but not "sing";
    "not only" and "isn't it?" are ``unsaid``. ``implied`` maps verbs such as "fail" to their
    complement, whose auxiliary they are.
    """

    def __init__(self, sentence: Sentence, tree: DependencyTree) -> None:
        self.sentence, self.tree, self.implied = sentence, tree, sentence.implied
        self.forms = [token.text.lower() for token in tree]
        self.keys = [_key(token.text, token.lemma, token.pos) for token in tree]
        self.bare = [base_of(token.relation) for token in tree]
        self.tags = [token.pos for token in tree]
        forms = enumerate(zip(self.forms, self.keys, strict=True))
        self.participles = {at for at, (form, key) in forms if form.endswith("ing") and form != key}
        self.below = tree.below
        self.unsaid = not_only(self.keys) | tag_question(self.forms)
        self.visible = [
            at
            for at, token in enumerate(tree)
            if (any(map(str.isalnum, token.text)) or "'" in token.text) and at not in self.unsaid
        ]

    @cached_property
    def numbers(self) -> list[float | None]:
        """The number that each word is part of ("5 million")."""
        tree = self.tree
        numeral = [
            self.fact(at) is None and (token.pos == "NUM" or token.text.lower() in COUNTING)
            for at, token in enumerate(tree)
        ]
        values: list[float | None] = [None] * len(tree)
        for is_numeral, run in groupby(enumerate(tree), lambda each: numeral[each[0]]):
            tokens = [*run] if is_numeral else []
            value = number_value(" ".join(token.text for _, token in tokens))
            for at, token in tokens:
                values[at] = number_value(token.text) if value is None else value
        return values

    def upward(self, at: int) -> Iterator[int]:
        """Yield a word and what governs it, up to the root."""
        while at >= 0:
            yield at
            at = self.tree[at].head

    def children(self, at: int, *relations: str) -> list[int]:
        """Return the dependents of a word with one of these relations, without subtypes."""
        return [child for child in self.below[at] if self.bare[child] in relations]

    def keys_below(self, at: int, *relations: str) -> set[str]:
        """Return the keys of the dependents of a word with one of these relations."""
        return {self.keys[child] for child in self.children(at, *relations)}

    def fact(self, at: int) -> Fact | None:
        """Return the value whose head a token is, if any; plain numbers are :attr:`numbers`."""
        unit = self.sentence.units.get(at)
        return None if unit is None else unit.fact

    def value(self, at: int) -> Fact | None:
        """Return the value of a token, also if it is a plain number; or None."""
        number = self.numbers[at]
        return self.fact(at) or (None if number is None else as_fact(number))

    def unit(self, at: int) -> Sequence[int]:
        """Return the tokens of the value whose head a token is, or the token."""
        return self.sentence.units[at].tokens if at in self.sentence.units else (at,)

    @cached_property
    def quantifiers(self) -> list[Quantified]:
        """The quantifiers, in order; of several that begin at a word, the longest."""
        keys = [
            "N" if number is not None else form
            for form, number in zip(self.forms, self.numbers, strict=True)
        ]
        quantified: list[Quantified] = []
        phrases, at = _phrases(), 0
        while at < len(keys):
            for phrase, name in phrases.get(keys[at], ()):
                length = len(phrase)
                if tuple(keys[at : at + length]) != phrase:
                    continue
                if length > 1 or self._quantifies(at, name):
                    while keys[at + length - 1 : at + length + 1] == ["N", "N"]:  # "5 million"
                        length += 1
                    tokens = tuple(range(at, at + length))
                    values = (self.numbers[i] for i in tokens)
                    number = next((value for value in values if value is not None), None)
                    quantified.append(Quantified(name, tokens, self._phrase_head(tokens), number))
                    at += length - 1
                    break
            at += 1
        return quantified

    @cached_property
    def shares(self) -> list[Quantified]:
        """The proportions of a set, their numbers below 1: "half of the seats", "most seats", "two
        of the twelve seats"; also "some" and "many", and "not every" as one quantifier.
        """
        found = [one for one in self.quantifiers if one.name in ("most", "few", *SOME)]
        for one in self.quantifiers:
            at = one.tokens[0] - 1
            if one.name == "every" and at in self.negators:
                found.append(one._replace(name="not every", tokens=(at, *one.tokens)))
        wholes = {one.head: one for one in self.quantifiers if one.name == "number" and one.number}
        for one in self.quantifiers:
            whole = wholes.get(self.noun(one))
            if one.number and whole and whole != one and one.number < (whole.number or 0):
                tokens = (*one.tokens, *whole.tokens)
                found.append(one._replace(tokens=tokens, number=one.number / (whole.number or 1)))
        for head, unit in self.sentence.units.items():
            if isinstance(unit.fact, Share) and unit.fact.interval.is_point:
                part = unit.fact.interval.low / 100
                found.append(Quantified("number", tuple(unit.tokens), head, part))
        return [one for one in found if one.number is None or 0 < one.number < 1]

    def _quantifies(self, at: int, name: str) -> bool:
        token = self.tree[at]
        if name == "the":
            return self.bare[at] == "det"
        if self.forms[at] == "no":
            return not self._is_longer(at) and token.pos in ("DET", "PRON")
        if self.forms[at] == "neither" and token.pos == "CCONJ":
            return token.head > at and self.tags[token.head] in ("NOUN", "PROPN", "PRON")
        if name == "every" and token.relation == "advmod":
            return False
        return token.pos in ("DET", "PRON", "ADJ", "NUM", "NOUN") or name in ("any", "few")

    def _is_longer(self, at: int) -> bool:
        return self.forms[at + 1 : at + 2] == ["longer"]

    def _is_compared(self, at: int) -> bool:
        """Test if a word is of an adjective or adverb, as "no" in "no faster" is."""
        head = self.tree[at].head
        return head > at and self.bare[at] == "advmod" and self.tags[head] in ("ADJ", "ADV")

    def _phrase_head(self, tokens: Sequence[int]) -> int:
        """Return the head of the quantified phrase."""
        tree, last = self.tree, tokens[-1]
        for at in reversed(tokens):
            head = tree[at].head
            if head not in tokens and (head > last or head < 0 or head < tokens[0]):
                last = at
                break
        head = tree[last].head
        floating = self.bare[last] == "det" and head == last - 1  # "they all"
        return head if floating or (self.bare[last] in QUANTIFYING and head > last) else last

    def noun(self, quantified: Quantified) -> int:
        """Return the noun of a quantifier: of "most of the guests" the last word."""
        head = quantified.head
        parts = self.children(head, "nmod") if head in quantified.tokens else ()
        return next((c for c in parts if "of" in (self.keys[at] for at in self.below[c])), head)

    @cached_property
    def negators(self) -> dict[int, int]:
        """The words that negate a clause or phrase, and the words that they negate."""
        negators = {}
        for at, token in enumerate(self.tree):
            if at in self._quantifying or at in self.unsaid:
                continue
            longer = self.forms[at] == "no" and (self._is_longer(at) or self._is_compared(at))
            if longer or self.forms[at] in _WORDS["denying"] or self.keys[at] == "not":
                denied = token.head if token.head >= 0 else at
                if self.forms[denied] in ("longer", "ever") and self.tree[denied].head >= 0:
                    denied = self.tree[denied].head
                negators[at] = denied
        return negators

    @cached_property
    def contexts(self) -> tuple[tuple[Within, ...], ...]:
        """The contexts of each word, innermost first.

        "Any" is existential if a context above it is downward, otherwise universal.
        """
        within: list[list[Within]] = [[] for _ in self.tree]
        for context, scope in sorted(self._scoped(), key=lambda each: len(each[1])):
            for at in scope:
                within[at].append(context)
        for quantified in self.quantifiers:
            start = quantified.tokens[0]
            if quantified.name == "any" and not licensed(within[start]):
                for at in self._scope(quantified.head, start + 1):
                    within[at].insert(0, Within(Context.EVERY_OF, start, "any"))
        return tuple(map(tuple, within))

    def _scoped(self) -> Iterator[Scoped]:
        for quantified in self.quantifiers:
            yield from self._of_quantifier(quantified)
        starts = {quantified.tokens[0]: quantified for quantified in self.quantifiers}
        for at, denied in self.negators.items():
            after = starts.get(at + 1)
            if after is not None and after.name not in ("a", "the", "number", "any"):
                scope = self._scope(after.head, at + 1) | self._body(after) | set(after.tokens)
            else:
                scope = self._scope(denied, at + 1)
            yield Within(Context.NEGATION, at, NEGATION), scope - {at}
        for at in range(len(self.tree)):
            yield from self._of_word(at) if at not in self.unsaid else ()

    def _of_quantifier(self, quantified: Quantified) -> Iterator[Scoped]:
        rule = quantifiers()[quantified.name]
        own, source = set(quantified.tokens), quantified.tokens[0]
        phrase = self._scope(quantified.head, source, self.quantifiers) - own
        rest = self._body(quantified) - own - phrase
        if quantified.name == "no":  # "nothing but work"
            but = [at for at in sorted(rest | phrase) if self.forms[at] == "but"]
            for end in but[:1]:
                phrase, rest = ({at for at in part if at < end} for part in (phrase, rest))
        if rule.restrictor:
            yield Within(rule.restrictor, source, quantified.name), phrase
        if rule.body:
            yield Within(rule.body, source, quantified.name), rest

    def _of_word(self, at: int) -> Iterator[Scoped]:
        """Yield the contexts that a word alone creates."""
        lemma, tree = self.tree[at].lemma.lower(), self.tree
        complements = {child: known for child, _, known in self.complements(at)}
        for child, known in complements.items():
            if known is not None:
                after = {i for i in tree.subtree(child) if at not in self.implied or i > at}
                yield Within(_complement(lemma, known), at, f"signature {known}"), after
        for child in self.below[at] if lemma in DOWNWARD else ():
            if child not in complements and self._is_argument(child):
                yield Within(Context.DOWN, at, DOWNWARD_WORD), {*tree.subtree(child)}
        if at in self._quantifying:
            return
        triggered = _makers()
        for maker in (*triggered.get(self.forms[at], ()), *triggered.get(tree[at].relation, ())):
            for bound in maker.pattern.matches(tree.tokens, at):
                top = bound[maker.top]
                scope = self._scope(top, at + 1) if maker.behind else {*tree.subtree(top)}
                yield Within(maker.context, at, maker.id), scope - {at}
                return

    @cached_property
    def _quantifying(self) -> set[int]:
        """The tokens of quantifiers."""
        return {at for quantified in self.quantifiers for at in quantified.tokens}

    def _scope(self, top: int, start: int, others: Sequence[Quantified] = ()) -> set[int]:
        """Return the words below a word, from ``start`` on, without conjuncts that have a subject
        or one of ``others``.
        """
        heads = {quantified.head for quantified in others}
        scope, todo = {top}, [top]
        while todo:
            for child in self.below[todo.pop()]:
                own = self.bare[child] == "conj" and (
                    child in heads or self.children(child, "nsubj", "csubj")
                )
                if not own and self.bare[child] != "parataxis":
                    scope.add(child)
                    todo.append(child)
        return {at for at in scope if at >= start or at == top}

    def _body(self, quantified: Quantified) -> set[int]:
        """Return the rest of the clause whose argument contains a quantified phrase."""
        tree, at = self.tree, quantified.head
        while tree[at].head >= 0 and self.bare[at] in PHRASAL:
            relation, at = self.bare[at], tree[at].head
            if relation == "acl":
                return self._scope(at, quantified.tokens[-1] + 1)
        within = tree[at].head < 0 or self.bare[at] in ("advcl", "ccomp", "xcomp", "parataxis")
        return self._scope(at if within else tree[at].head, quantified.tokens[-1] + 1)

    def _is_argument(self, at: int) -> bool:
        """Return True for an object, or a phrase with "of" or "from"."""
        if self.bare[at] not in ("nmod", "obl"):
            return self.bare[at] == "obj"
        cases = (child for child in self.below[at] if self.tree[child].relation == "case")
        return next((self.forms[child] in ("of", "from") for child in cases), False)

    def complement_form(self, at: int) -> Complement | None:
        """Return the form of a clause that is a complement; None for another word."""
        relation = self.bare[at]
        if relation not in CLAUSAL:
            return None
        marks = {self.forms[child] for child in self.below[at]}
        if relation in ("acl", "advcl") and marks.isdisjoint(("to", "from")):
            return None
        gerund = self.forms[at].endswith("ing") and not self.children(at, "nsubj", "csubj")
        return self._form(relation, marks, gerund)

    @staticmethod
    def _form(relation: str, marks: set[str], gerund: bool) -> Complement:
        if "to" in marks:
            return Complement.TO
        if gerund:
            return Complement.FROM if "from" in marks else Complement.ING
        return Complement.THAT if relation == "ccomp" else Complement.TO

    def complements(self, at: int) -> Iterator[tuple[int, Complement, str | None]]:
        """Yield the complements of a word, each with its form and the signature of the word."""
        if at in self.implied:
            child = self.implied[at]
            marks = set(self.forms[at + 1 : child])
            form = self._form("xcomp", marks, self.forms[child].endswith("ing"))
            yield child, form, signature(self.tree[at].lemma.lower(), form)
            return
        for child in self.below[at]:
            complement = self.complement_form(child)
            if complement is None and self._is_habit(child):
                complement = Complement.ING
            if complement is not None:
                yield child, complement, self._signature(at, complement)

    def _is_habit(self, at: int) -> bool:
        """Test if a noun in -ing is what one stops: "gave up dancing"."""
        verb = self.keys[self.tree[at].head].replace(" ", "_")
        bare = self.bare[at] == "obj" and not self.children(at, "det")
        return bare and self.forms[at].endswith("ing") and verb in relation_words()["ceasing"]

    def _signature(self, at: int, form: Complement) -> str | None:
        """Return the signature of a word, or of its degree: "too tired to walk". That of "use" is
        for a tool: who used to smoke need not smoke.
        """
        lemma, degree = self.tree[at].lemma.lower(), self.degree(at)
        if lemma == "use" and not self.children(at, "obj"):
            return "oo"
        return signature(lemma if degree is None else self.tree[degree].lemma.lower(), form)

    def degree(self, at: int) -> int | None:
        """Return the degree of an adjective that has a signature, or None."""
        below = self.below[at] if self.tags[at] == "ADJ" else ()
        return next((child for child in below if self.keys[child] in _WORDS["degrees"]), None)

    def modality(self, at: int, denied: bool = False) -> str:
        """Return the class of the modal verb of a word: "must", "can", "would" for "would have"; or
        "".

        If the word is ``denied``, return the class of its negation: "may not" forbids something,
        and "need not" leaves one "free" to do it or not.
        """
        for child in self.children(at, "aux"):
            modal = self.modal(child)
            if modal and self.keys[child] != "have":
                if modal == "would" or not denied:
                    return modal
                return "free" if self.keys[child] == "need" else "must"
        head = self.tree[at].head
        if head >= 0 and self.bare[at] == "xcomp" and self.keys[head] in SEMI_MODALS:
            return self.modal(head)
        return ""

    def modal(self, at: int) -> str:
        """Return the class of a modal verb: "must", "can", "would" of "would have"; else ""."""
        if self.tree[at].lemma == "would" and "have" in self.keys[at + 1 : at + 3]:
            return "would"
        return MODALITIES.get(self.keys[at], "")

    def is_disjoined(self, at: int) -> bool:
        """Test if a word is coordinated by "or" or "nor"."""
        first = self.tree[at].head if self.bare[at] == "conj" else at
        others = self.children(first, "conj")
        group = (first, *others) if others else ()
        return any(self.keys_below(each, "cc") & DISJUNCTIONS for each in group)

    def is_of_another(self, at: int) -> bool:
        """Test if a noun modifies one that is something else: "Ann's brother", "the boss of the
        cook", but not "a group of men", "members of the army".
        """
        nouns = self.keys[at], self.keys[self.tree[at].head]
        return self.bare[at] == "nmod" and (
            "of" not in self.keys_below(at, "case")
            or all(lexicon().kind_of(one, "NOUN", "person", "NOUN") >= PERSONAL for one in nouns)
        )

    def content(self, at: int) -> bool:
        """Return True for a content word."""
        return self.tags[at] in CONTENT

    def rest_of_name(self, at: int) -> list[int]:
        """Return the other words of the name that a word is the head of: "New" of "New York"."""
        parts = self.children(at, "flat", "compound", "amod") if self.tags[at] == "PROPN" else ()
        return [child for child in parts if self.tree[child].text.istitle()]

    def particle(self, at: int) -> str:
        """Return the particle of a verb, or ""."""
        particles = (c for c in self.below[at] if self.tree[c].relation == "compound:prt")
        return next((self.keys[child] for child in particles), "")


@keep_latest
def logical(sentence: Sentence) -> LogicalSentence | None:
    """Return a sentence as natural logic reads it, with the particles of verbs in their lemmas
    ("give up"); None without a tree.
    """
    if (tree := sentence.tree) is None:
        return None
    tokens = [*tree.tokens]
    for token in tree.tokens:
        if token.relation == "compound:prt":
            verb = tokens[token.head]
            phrasal = f"{verb.lemma.lower()} {token.lemma.lower()}"
            if (phrasal, verb.pos) in lexicon():
                tokens[token.head] = replace(verb, lemma=phrasal)
    if any(map(is_not, tokens, tree.tokens)):
        tree = replace(tree, tokens=tuple(tokens))
    return LogicalSentence(sentence, tree)


def _key(text: str, lemma: str, pos: str) -> str:
    lower = text.lower().replace("’", "'")
    if lower in ("n't", "not"):
        return "not"
    if pos == "AUX" and (modal := MODALS.get(lemma.lower())):
        return modal
    if lower in ("a", "an"):
        return "a"
    if lower == "unless":  # the rest counts as a negation
        return "if"
    return lower if pos == "PROPN" else lemma.lower()


def _complement(lemma: str, known: str) -> Context:
    """Return the context of a complement, by the lemma of the word above and its signature."""
    if lemma in RAISING or known == "++":
        return Context.FACT
    if known == "-+":
        return Context.NEGATION
    if lemma in DOWNWARD:
        return Context.DOWN
    return Context.FACT if known == "+-" else Context.UP


def licensed(within: Iterable[Within]) -> bool:
    """Test if a context is downward, so that "any" is existential there."""
    return any(each.context.projection[Relation.FORWARD] is Relation.REVERSE for each in within)
