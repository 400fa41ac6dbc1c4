"""Analogies by a relation between whole sentences, made by rules over dependency trees.

    negation               A boy does not eat an apple.       A boy eats an apple.
    passivisation          She is feeding the cats outside.   The cats are being fed by her outside.
    objective clause       Ann thinks that he left early.     He left early.
    predicative adjective  A brown dog barked.                A dog that was brown barked.

Each rule takes a clause and gives the other sentence with what its parse must show, or None. That
of negation makes the first sentence from the second.
"""

from __future__ import annotations

from hybridsem.english.inflection import inflected, is_plural, object_case, subject_case, tense
from hybridsem.english.words import NEGATORS, NOT, PERSONS, SUBORDINATING_ADVERBS
from hybridsem.evaluation.corpora.analogies import words as _words
from hybridsem.evaluation.corpora.analogies.clause import ROOT, Clause, Made, Piece, edited, written

MOVABLE = ("obl", "advmod")
"""What may stay behind the verb where subject and object change places."""

ARTICLES = ("a", "an", "the", "some")
MAX_AGENT_WORDS = 8
SHORTEST_CLAUSE = 3


def negated(clause: Clause) -> Made | None:
    """The clause with "not" behind its first auxiliary, or with "do" where it has none. None where
    "not" could be about several things: beside "some", "also", "probably", another clause.
    """
    if clause.has_any(_words.SCOPE | _words.HEDGES) or clause.of(
        clause.predicate, "ccomp", "parataxis"
    ):
        return None
    return with_not(clause)


def with_not(clause: Clause) -> Made | None:
    """As :func:`negated`, whatever else there is but another negation."""
    predicate, first = clause.predicate, clause.first
    if clause.has_any(NEGATORS):
        return None
    if not all(map(clause.shares, clause.coordinated())):
        return None
    if clause.auxiliaries or clause.lemma[predicate] == "be":
        denied: tuple[Piece, ...] = ("cannot",) if clause.lower[first] == "can" else (first, "not")
        return Made(
            edited(clause.tree, {first: denied}), (("not", "advmod", clause.lower[predicate]),)
        )
    if clause.coordinated() or first != len(clause.subject_words):
        return None
    support, verb = {"VBZ": "does", "VBD": "did"}.get(str(clause.tense), "do"), clause.lemma[first]
    arcs = (support, "aux", verb), ("not", "advmod", verb)
    return Made(edited(clause.tree, {first: (support, "not", verb)}), arcs)


def without_not(clause: Clause) -> Made | None:
    """The clause without the "not" of its predicate; what is left of "do" stays."""
    denials = [i for i in clause.of(clause.predicate, "advmod") if clause.lower[i] in NOT]
    return Made(edited(clause.tree, {denials[0]: ()}), ()) if len(denials) == 1 else None


def passive(clause: Clause) -> Made | None:
    """The object as the subject, the subject behind "by", and the rest behind it."""
    tree, verb = clause.tree, clause.predicate
    below = [c for c in clause.children(verb) if clause.base[c] not in ("aux", "nsubj", "punct")]
    particles = [c for c in below if clause.relation[c] == "compound:prt"]
    objects = [c for c in below if clause.relation[c] == "obj"]
    if tree[verb].pos != "VERB" or clause.lemma[verb] in _words.NOT_PASSIVE or len(objects) != 1:
        return None
    words, start = clause.subtree(objects[0]), verb + 1 + len(particles)
    end = start + len(words)
    if words != tuple(range(start, end)) or particles not in ([], [verb + 1]):
        return None
    others = set(below) - {objects[0], *particles}
    if any(clause.base[c] not in MOVABLE or verb < c < end for c in others):
        return None
    if not _may_follow_by(clause) or not _may_be_subject(clause, objects[0]):
        return None
    patient: list[Piece] = [*words]
    agent: list[Piece] = [*clause.subject_words]
    if tree[objects[0]].pos == "PRON":
        patient = [subject_case(clause.lower[objects[0]])]
    if tree[clause.subject].pos == "PRON":
        agent = [object_case(clause.lower[clause.subject])]
    participle = inflected(clause.lemma[verb], "VBN")
    group = _passive_auxiliaries(clause, str(patient[0]), _is_many(clause, objects[0]))
    if participle is None or group is None:
        return None
    between = [i for i in range(len(clause.subject_words), verb) if i not in clause.auxiliaries]
    if any(tree[i].pos != "ADV" or clause.lower[i] in _words.SCOPE for i in between):
        return None
    phrases = [clause.subtree(c) for c in others if clause.base[c] == "advmod"]
    behind = [phrase for phrase in phrases if phrase[0] == end]
    adverbs = behind[0] if behind and clause.lower[end] not in _words.LAST else ()
    rest = range(end + len(adverbs), len(tree))
    inner = [i for i in between if clause.lower[i] in _words.INTENSIFIERS]
    outer = [i for i in between if i not in inner]
    verbs = [group[0], *outer, *group[1:], *inner, participle]
    pieces = [*patient, *verbs, *particles, *adverbs, "by", *agent, *rest]
    heads = [
        piece[0] if len(piece) == 1 and isinstance(piece[0], str) else clause.lower[head]
        for piece, head in ((patient, objects[0]), (agent, clause.subject))
    ]
    arcs = (
        (participle, "root", ROOT),
        (heads[0], "nsubj:pass", participle),
        (group[-1], "aux:pass", participle),
        (heads[1], "obl:agent", participle),
    )
    return Made(written(tree, pieces), arcs)


def reported(clause: Clause) -> Made | None:
    """The clause that is said, thought or seen, as a sentence."""
    tree, inner = clause.tree, clause.of(clause.predicate, "ccomp")
    if len(inner) != 1 or clause.coordinated():
        return None
    if clause.lemma[clause.predicate] not in _words.REPORTING:
        return None
    head = inner[0]
    words = clause.subtree(head)
    if not NEGATORS.isdisjoint(clause.lower[: words[0]]):
        return None
    if words[0] <= clause.predicate or words != tuple(range(words[0], len(tree) - 1)):
        return None
    marks = clause.of(head, "mark")
    if marks and (marks != [words[0]] or clause.lower[words[0]] != "that"):
        return None
    body = words[len(marks) :]
    subjects = [c for c in clause.children(head) if clause.relation[c] in ("nsubj", "nsubj:pass")]
    if len(subjects) != 1 or len(body) < SHORTEST_CLAUSE:
        return None
    if clause.subtree(subjects[0])[0] != body[0]:
        return None
    if clause.of(head, "parataxis") or not all(map(clause.shares, clause.of(head, "conj"))):
        return None
    asking = SUBORDINATING_ADVERBS | {"who", "what", "which", "if"}
    if clause.lower[body[0]] in ("that", "those") or clause.has_any(asking):
        return None
    finite = min([head, *(c for c in clause.children(head) if clause.base[c] in ("aux", "cop"))])
    if tense(clause.lower[finite], clause.lemma[finite]) is None:
        return None
    subject, governor = subjects[0], clause.lower[head]
    arcs = (governor, "root", ROOT), (clause.lower[subject], clause.relation[subject], governor)
    return Made(written(tree, [*body, len(tree) - 1]), arcs)


def predicative(clause: Clause) -> Made | None:
    """A noun's adjective as a relative clause behind it; the subject's before the object's."""
    tree = clause.tree
    objects = [c for c in clause.children(clause.predicate) if clause.relation[c] == "obj"]
    free = clause.adjectives()
    # Behind another noun the rest would go with "is".
    last = [noun for noun in objects if clause.subtree(noun)[-1] == len(tree) - 2]
    for noun in (clause.subject, *last):
        adjectives = clause.of(noun, "amod")
        if tree[noun].pos != "NOUN" or len(adjectives) != 1 or clause.subtree(noun)[-1] != noun:
            continue
        adjective, word = adjectives[0], clause.lower[noun]
        if adjective not in free or clause.lower[adjective] not in _words.PREDICATIVE:
            continue
        if clause.lower[adjective] in _words.COLOURS and clause.lemma[noun] in PERSONS:
            continue
        if not _is_named_by(clause, noun):
            continue
        be = _be("VBD" if clause.tense == "VBD" else "VBZ", word, _is_many(clause, noun))
        pronoun = "who" if clause.lemma[noun] in PERSONS - _words.COLLECTIVE else "that"
        arcs = (clause.lower[adjective], "acl:relcl", word), (be, "cop", clause.lower[adjective])
        return Made(edited(tree, {adjective: (), noun: (noun, pronoun, be, adjective)}), arcs)
    return None


def _is_named_by(clause: Clause, noun: int) -> bool:
    """Whether a noun is a common one behind an article."""
    articles = [c for c in clause.of(noun, "det") if clause.lower[c] in ARTICLES]
    return clause.tree[noun].text.islower() and bool(articles)


def _may_follow_by(clause: Clause) -> bool:
    """Whether the subject can be the agent of a passive: not long, and no "there" or "this"."""
    words = clause.subject_words
    if len(words) > MAX_AGENT_WORDS or any(clause.lower[i] in (",", *NEGATORS) for i in words):
        return False
    if clause.relation[clause.subject] != "nsubj":
        return False
    if any(clause.relation[i] == "acl:relcl" for i in words):
        return False
    is_pronoun = len(words) == 1 and clause.lower[clause.subject] in _words.PRONOUNS
    return is_pronoun or _is_noun(clause, clause.subject)


def _may_be_subject(clause: Clause, head: int) -> bool:
    """Whether the object does not need the subject before it ("himself"), and is no adverbial."""
    words = clause.subtree(head)
    bound = _words.BOUND | NEGATORS | {","}
    if clause.tree[words[0]].pos in ("ADP", "ADV") or any(clause.lower[i] in bound for i in words):
        return False
    if clause.lemma[head] in _words.ADVERBIAL:
        return False
    ends_in_s = clause.lower[head].endswith("s")
    if ends_in_s and clause.tree[head].pos == "PROPN" and not clause.of(head, "conj"):
        return False  # one or many: Texas, the Alps
    single = len(words) == 1
    return _is_noun(clause, head) or (single and clause.lower[head] in _words.OBJECT_PRONOUNS)


def _is_noun(clause: Clause, head: int) -> bool:
    return clause.tree[head].pos in ("NOUN", "PROPN")


def _passive_auxiliaries(clause: Clause, patient: str, many: bool) -> list[str] | None:
    """The auxiliaries of the passive, for those of the active: none, "is", "has" or a modal."""
    finite = clause.lower[clause.first]
    if not clause.auxiliaries:
        return [_be(str(clause.tense), patient, many)]
    if len(clause.auxiliaries) > 1 or finite.startswith(("'", "’")):
        return None
    form, lemma = clause.lower[clause.predicate], clause.lemma[clause.predicate]
    if clause.lemma[clause.first] == "be":
        return [_be(str(clause.tense), patient, many), "being"] if form.endswith("ing") else None
    if clause.lemma[clause.first] == "have":
        past = finite == "had"
        return ["had" if past else "have" if many or patient in _words.WITH_HAVE else "has", "been"]
    return [finite, "be"] if form == lemma and clause.lemma[clause.first] != "do" else None


def _be(tag: str, subject: str, many: bool) -> str:
    """The form of "be" that goes with a subject; VBD is past, VBZ and VBP present."""
    plural = many or subject in ("you", "we", "they")
    if tag == "VBD":
        return "were" if plural else "was"
    return "are" if plural else "am" if subject == "I" else "is"


def _is_many(clause: Clause, head: int) -> bool:
    """Whether a noun phrase takes a plural verb."""
    if clause.of(head, "conj"):
        return True
    if clause.tree[head].pos == "PROPN":
        return False
    if clause.lemma[head] in _words.QUANTITIES and (things := clause.of(head, "nmod")):
        return _is_many(clause, things[0])
    word = clause.lower[head]
    return word in _words.PLURAL_ONLY or is_plural(word, clause.lemma[head])
