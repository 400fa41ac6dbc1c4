"""Corrections of parsed clauses that English grammar rules out, before a tree is built.

    What he said annoyed me        "what" was the object:     nsubj of "annoyed"
    To err is human                "to err" was an oblique:   csubj of "human"
    In the corner stood a piano    "piano" was the object:    nsubj of "stood"
    The plan, he said, works       "said" was a relative:     parataxis of "works"
    the book that the girl who won wrote became famous        "wrote" is a relative of "book"
    the man to whom she spoke      "whom" was nmod of "man":  obl of "spoke"
    She sent us cards              "us" was a possessor:      iobj of "sent"
    Who did she say left?          "who" was the object:      nsubj of "left"
    the pilot, not the captain     "captain" was appos:       conj of "pilot"
    It was not Ben but Ann who left          "it" was nsubj:  expl
    They all passed                "all" was advmod:          det of "they"
    She'd often gone               "'d" was "would":          "have"

A finite clause has a subject; a relative without a relative word has no comma before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hybridsem._utils.tables import word_set
from hybridsem.english import words

_FLOATING = word_set("all both each")
_SUBJECTS = word_set("nsubj nsubj:pass csubj csubj:pass expl")
_RELATIVES = word_set("who whom which that")
_OBJECT_PRONOUNS = word_set("me us him them")
_CLAUSE_OPENERS = word_set("that whether why how what who")
_SUBJECT_CLAUSE_OPENERS = words.QUESTION_ADVERBS | _CLAUSE_OPENERS
_CLITICS = {mark + letters for mark in "'’" for letters in ("s", "re", "ve", "d", "ll", "m")}
_AUXILIARIES = words.BE_FORMS | {*words.MODAL_VERBS} | _CLITICS
_AUXILIARIES |= word_set(
    "have has had do does did having doing done get gets got ca wo ought being"
)
_HAD = frozenset({"'d", "’d"})
_ADVISING = word_set("better best")
_COMPARED = word_set("more less fewer better worse than")
_COMPLEMENTS = ("obj", "iobj", "ccomp", "xcomp", "obl", "nsubj:pass", "aux:pass")
_AUXILIARY_RELATIONS = ("aux", "aux:pass", "cop")
_OWN_CLAUSE = ("mark", "nsubj", "nsubj:pass", "aux", "aux:pass", "cop")


@dataclass
class Draft:
    """A parsed sentence whose columns may change: heads count from 0, the root has -1."""

    forms: Sequence[str]
    lemmas: list[str]
    tags: list[str]
    heads: list[int]
    relations: list[str]

    def __post_init__(self) -> None:
        self.lower = [form.lower() for form in self.forms]
        self.root = self.heads.index(-1)

    def children(self, i: int) -> list[int]:
        """Return the dependents of a word, in order."""
        return [c for c, head in enumerate(self.heads) if head == i]

    def child(self, i: int, *relations: str) -> int | None:
        """Return the first dependent of ``i`` with one of the relations."""
        return next((c for c in self.children(i) if self.relations[c] in relations), None)

    def first(self, i: int) -> int:
        """Return the first word of the phrase of ``i``."""
        while (below := self.children(i)) and below[0] < i:
            i = below[0]
        return i

    def last(self, i: int) -> int:
        """Return the last word of the phrase of ``i``."""
        while (below := self.children(i)) and below[-1] > i:
            i = below[-1]
        return i

    def has_auxiliary(self, i: int) -> bool:
        """Test if a predicate has an auxiliary or a copula."""
        return self.child(i, *_AUXILIARY_RELATIONS) is not None

    def is_past_or_third(self, i: int) -> bool:
        """Test if the form is inflected and no participle in "-ing"."""
        return self.lower[i] != self.lemmas[i].lower() and not self.lower[i].endswith("ing")

    def is_comparative(self, i: int) -> bool:
        """Test for a comparative: "more", "faster"."""
        if self.lower[i] in _COMPARED:
            return True
        inflected = self.lower[i] != self.lemmas[i].lower() and self.lower[i].endswith("er")
        return self.tags[i] in ("ADJ", "ADV") and inflected

    def attach(self, i: int, head: int, relation: str) -> None:
        """Give a word another head and relation."""
        self.heads[i], self.relations[i] = head, relation


def repair(draft: Draft) -> list[int]:
    """Correct a parsed sentence in place; return the words whose tags changed."""
    tags, present = [*draft.tags], {*draft.lower, *draft.relations}
    for triggers, rule in _RULES:
        if not triggers.isdisjoint(present):
            rule(draft)
    return [i for i, tag in enumerate(tags) if draft.tags[i] != tag]


def _floating(draft: Draft) -> None:
    """Attach a quantifier to the subject before it: "they *all* passed"."""
    for i, relation in enumerate(draft.relations):
        if relation == "advmod" and draft.lower[i] in _FLOATING:
            subject = draft.child(draft.heads[i], *_SUBJECTS)
            if subject == i - 1:
                draft.attach(i, subject, "det")
                draft.tags[i] = "DET"


def _had(draft: Draft) -> None:
    """Read "'d" before a participle or "better" as "had": "she'*d* often gone"."""
    for i, form in enumerate(draft.lower):
        if form in _HAD and draft.tags[i] == "AUX":
            after = range(i + 1, len(draft.forms))
            advised = any(draft.lower[j] in _ADVISING for j in after[:1])
            verb = next((j for j in after if draft.tags[j] not in ("ADV", "PART")), i)
            inflected = draft.tags[verb] in ("AUX", "VERB") and draft.is_past_or_third(verb)
            if advised or (verb > i and inflected):
                draft.lemmas[i] = "have"


def _active(draft: Draft) -> None:
    """Read a verb with an object and without an auxiliary as active."""
    for i, relation in enumerate(draft.relations):
        verb = draft.heads[i]
        if relation == "nsubj:pass" and not draft.has_auxiliary(verb):
            object_ = draft.child(verb, "iobj", "obj")
            if object_ is not None and object_ > verb > i:
                draft.relations[i] = "nsubj"


def _subjects(draft: Draft) -> None:
    """Find the subjects of main clauses and complements that have none."""
    headed = zip(draft.heads, draft.relations, strict=True)
    with_subject = {head for head, relation in headed if relation in _SUBJECTS}
    for i, relation in enumerate(draft.relations):
        if relation in ("root", "ccomp") and i not in with_subject:  # and no imperative
            inflected = draft.tags[i] == "VERB" and draft.is_past_or_third(i)
            if inflected or draft.has_auxiliary(i):
                _find_subject(draft, i)


def _subject_clauses(draft: Draft) -> None:
    """Attach the word that opens a clause to it: "*where* he lives is secret"."""
    for i, relation in enumerate(draft.relations):
        if relation == "csubj" and (opener := draft.first(i) - 1) >= 0:
            same_head = draft.heads[opener] == draft.heads[i]
            if same_head and draft.lower[opener] in _SUBJECT_CLAUSE_OPENERS:
                draft.heads[opener] = i


def _contrasts(draft: Draft) -> None:
    """An apposition is not denied: it is a conjunct. "It was not X but Y who" is a cleft."""
    for i, (relation, word) in enumerate(zip(draft.relations, draft.lower, strict=True)):
        head = draft.heads[i]
        if word == "not" and draft.relations[head] == "appos":
            if i == next(c for c in draft.children(head) if draft.relations[c] != "punct"):
                draft.relations[head] = "conj"
        elif word == "it" and relation == "nsubj" and draft.child(head, "cop") is not None:
            relatives = [draft.child(at, "acl:relcl") for at in (head, *draft.children(head))]
            if draft.child(head, "conj") is not None and any(relatives):
                draft.relations[i] = "expl"


def _find_subject(draft: Draft, clause: int) -> None:
    """Find the subject of a finite clause that has none."""
    above = draft.heads[clause]
    asked = draft.child(above, "obj") if above >= 0 else None
    if asked is not None and asked < above and draft.lower[asked] in ("who", "what", "which"):
        draft.attach(asked, clause, "nsubj")
        return
    below = draft.children(clause)
    objects = [c for c in below if draft.relations[c] in ("obj", "iobj")]
    for c in below:
        if c > clause:
            break
        relation = draft.relations[c]
        if relation in ("obj", "iobj"):  # "*what he said* annoyed me"
            free = draft.lower[c] in words.FREE_RELATIVES and len(objects) > 1
            if free or draft.child(c, "acl:relcl") is not None:
                draft.relations[c] = "nsubj"
                return
        if clause != draft.root:  # other rules are for main clauses
            continue
        if relation in ("advcl", "ccomp") and _may_be_subject(draft, c, clause):
            draft.relations[c] = "csubj"
            return
        if relation == "obl" and _is_bare_infinitive(draft, c):
            draft.relations[c], draft.tags[c] = "csubj", "VERB"
            to = draft.children(c)[0]
            draft.relations[to], draft.tags[to] = "mark", "PART"
            return
    after = [c for c in objects if c > clause]
    if clause == draft.root and after and _is_inverted(draft, clause, after[0]):
        draft.relations[after[0]] = "nsubj"


def _may_be_subject(draft: Draft, i: int, clause: int) -> bool:
    """Test if a clause before a predicate may be its subject: "*that he left* is clear"."""
    last = draft.last(i)
    if last >= clause or draft.lower[last + 1] == ",":
        return False
    opener = draft.lower[draft.first(i)]
    if opener == "to":
        return draft.heads[draft.first(i)] == i
    return opener in _CLAUSE_OPENERS


def _is_bare_infinitive(draft: Draft, i: int) -> bool:
    """Test if "to" and a noun are a verb: "*to err* is human"."""
    below = draft.children(i)
    plain = all(draft.relations[c] in ("case", "mark", "obj", "advmod", "obl") for c in below)
    to = below[:1] == [i - 1] and draft.lower[i - 1] == "to" and draft.first(i) == 0
    return plain and to and draft.tags[i] in ("NOUN", "VERB")


def _is_inverted(draft: Draft, verb: int, noun: int) -> bool:
    """Test if a phrase of place precedes verb and subject: "in the corner stood *a piano*"."""
    inverts = draft.lemmas[verb] in words.INVERTING_VERBS and draft.tags[verb] == "VERB"
    before = [c for c in draft.children(verb) if c < verb]
    if not inverts or draft.has_auxiliary(verb):
        return False
    if not before or draft.relations[before[-1]] != "obl" or draft.last(before[-1]) != verb - 1:
        return False
    return draft.child(before[-1], "case") is not None and draft.first(noun) == verb + 1


def _oblique_relatives(draft: Draft) -> None:
    """Attach a relative pronoun with a preposition to its clause: "the man *to whom* she spoke"."""
    for i, relation in enumerate(draft.relations):
        if relation in ("nmod", "obl") and draft.lower[i] in ("whom", "which") and i > 1:
            clause = draft.child(i - 2, "acl:relcl")
            if clause is not None and clause > i and draft.child(i, "case") == i - 1:
                draft.attach(i, clause, "obl")


def _parentheticals(draft: Draft) -> None:
    """Attach "he said" between commas to the clause, not to the noun before it."""
    for i, relation in enumerate(draft.relations):
        if relation != "acl:relcl" or draft.tags[i] != "VERB":
            continue
        noun, subject = draft.heads[i], draft.child(i, "nsubj")
        above = draft.heads[noun]
        if above <= i or subject is None or draft.child(i, "obj", "ccomp", "xcomp") is not None:
            continue
        first, last = draft.first(i), draft.last(i)
        if draft.lower[subject] in _RELATIVES or draft.first(subject) != first + 1:
            continue
        if draft.lower[first] == "," and "," in draft.lower[last : last + 2]:
            draft.attach(i, above, "parataxis")


def _comparisons(draft: Draft) -> None:
    """Attach "than Bob" to the comparative before it; "faster" after a verb is an adverb."""
    for than, word in enumerate(draft.lower[:-1]):
        number = than + 1
        if word == "than" and than > 0 and draft.relations[number] == "nummod":
            above = number
            while above not in (than - 1, than, -1):
                above = draft.heads[above]
            if above >= 0:
                continue
            draft.attach(than - 1, number, "advmod")  # "less than five boys"
            draft.attach(than, than - 1, "fixed")
    for i, relation in enumerate(draft.relations):
        verb = draft.heads[i]
        if relation in ("obl", "advcl") and draft.tags[verb] == "VERB" and i > verb:
            marks = [c for c in draft.children(i) if draft.relations[c] in ("case", "mark")]
            if not marks or draft.lower[marks[0]] != "than":
                continue
            between = range(verb + 1, draft.first(i))
            degree = next((c for c in reversed(between) if draft.is_comparative(c)), None)
            if degree is not None:
                draft.heads[i] = degree
        elif relation == "xcomp" and draft.tags[i] == "ADJ" and draft.is_comparative(i):
            plain = draft.lemmas[verb] not in words.COPULAR_VERBS and i == verb + 1
            if plain and draft.tags[verb] == "VERB" and draft.child(verb, "obj") is None:
                draft.relations[i], draft.tags[i] = "advmod", "ADV"


def _coordinated_objects(draft: Draft) -> None:
    """Share the object of two verbs: "she washed and ate *the apple*"."""
    for second, relation in enumerate(draft.relations):
        first = draft.heads[second]
        if relation != "conj" or first != second - 2 or draft.tags[first] != "VERB":
            continue
        if draft.lemmas[first] not in words.TRANSITIVE_VERBS or draft.tags[second] != "VERB":
            continue
        shared = draft.child(second, "obj")
        if shared is not None and shared > second and draft.child(first, *_COMPLEMENTS) is None:
            draft.heads[shared] = first


def _two_objects(draft: Draft) -> None:
    """Separate receiver and thing: "sent *us* cards", "gave *Ann* flowers".

    "Us" is no possessor, and no name goes on in lower case; a receiver stands beside an object.
    """
    for i, relation in enumerate(draft.relations):
        head = draft.heads[i]
        verb, kind = draft.heads[head], draft.relations[head]
        pronoun = draft.lower[i] in _OBJECT_PRONOUNS and relation in ("nmod:poss", "compound")
        if pronoun and kind == "obj" and i == verb + 1:
            draft.attach(i, verb, "iobj")
        alone = kind == "iobj" and draft.child(verb, "obj") is None
        if relation == "flat" and alone and draft.forms[i].islower():
            draft.attach(i, verb, "obj")
            draft.tags[i] = "NOUN"


def _raise_free_relative(draft: Draft) -> None:
    """Make the second verb the main one: "what the witness saw frightened the jury"."""
    first = draft.root
    second = draft.child(first, "xcomp", "ccomp")
    what = draft.child(first, "obj", "nsubj")
    if second is None or what is None or not what < first < second:
        return
    if draft.lower[what] not in words.FREE_RELATIVES or draft.lemmas[first] in words.COPULAR_VERBS:
        return
    if draft.tags[second] != "VERB" or not draft.is_past_or_third(second):
        return
    if draft.forms[-1] == "?" or draft.child(second, *_OWN_CLAUSE) is not None:
        return
    if draft.relations[what] == "obj":
        subject = draft.child(first, "nsubj")
        if subject is None or not what < subject or draft.child(first, "aux") is not None:
            return
    elif draft.child(first, "obj") is not None:
        return
    for c in draft.children(first):
        if c > second:
            draft.heads[c] = second
    draft.attach(second, -1, "root")
    draft.attach(what, second, "nsubj")
    draft.attach(first, what, "acl:relcl")
    draft.root = second


def _centre_embedded(draft: Draft) -> None:
    """Read two nested relatives: "the book that the girl who won wrote became famous". The outer
    relative word is followed by a noun with its own relative and then by two verbs.
    """
    for outer, word in enumerate(draft.lower[:-1]):
        if word not in _RELATIVES or not outer or draft.tags[outer] != "PRON":
            continue
        if draft.tags[outer - 1] not in ("NOUN", "PROPN"):
            continue
        after = range(outer + 2, len(draft.forms))
        inner = next((i for i in after if draft.lower[i] in _RELATIVES), None)
        if inner is not None and draft.tags[inner - 1] in ("NOUN", "PROPN"):
            break
    else:
        return
    nominal = ("DET", "ADJ", "NUM", "PRON", "PROPN", "NOUN")
    if any(draft.tags[i] not in nominal for i in range(outer + 1, inner - 1)):
        return
    full = [draft.lower[i] not in _AUXILIARIES for i in range(len(draft.forms))]
    verbal = [i for i in range(inner + 1, len(full)) if draft.tags[i] in ("VERB", "AUX")]
    verbs = [i for i in verbal if full[i]]
    main, noun, girl = draft.root, outer - 1, inner - 1
    if len(verbs) < 2:
        return
    relative, verb = verbs[:2]
    if verb >= main or draft.heads[verb] == noun or draft.tags[noun] == "VERB":
        return
    subjects = {c for c in draft.children(main) if draft.relations[c] in _SUBJECTS}
    if not subjects <= {noun, outer, girl}:
        return
    # The words after the verb belong to the main clause, which has no other subject.
    if any(draft.tags[i] in ("NOUN", "PROPN", "PRON") for i in range(verb + 1, main)):
        return
    draft.tags[verb] = "VERB"
    for c in range(verb + 1, len(draft.forms)):
        if (draft.heads[c] == girl and c != main) or draft.heads[c] == verb:
            draft.heads[c] = main
    draft.attach(noun, main, "nsubj")
    draft.attach(verb, noun, "acl:relcl")
    draft.attach(outer, verb, "obj")
    draft.attach(girl, verb, "nsubj")
    draft.attach(relative, girl, "acl:relcl")
    if draft.heads[inner] != relative:
        draft.attach(inner, relative, "nsubj")


_RULES: Sequence[tuple[frozenset[str], Callable[[Draft], None]]] = (
    (_RELATIVES, _centre_embedded),
    (_RELATIVES, _oblique_relatives),
    (words.FREE_RELATIVES, _raise_free_relative),
    (frozenset({","}), _parentheticals),
    (_COMPARED, _comparisons),
    (frozenset({"conj"}), _coordinated_objects),
    (_OBJECT_PRONOUNS | {"flat"}, _two_objects),
    (frozenset({"not"}), _contrasts),
    (_FLOATING, _floating),
    (_HAD, _had),
    (frozenset({"nsubj:pass"}), _active),
    (frozenset({"root", "ccomp"}), _subjects),
    (_SUBJECT_CLAUSE_OPENERS, _subject_clauses),
)
"""Corrections in order, each for sentences with one of some words or relations."""
