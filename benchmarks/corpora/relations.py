"""Rules that make the second sentence of an analogy from a clause, by its dependency tree.

    negation               A boy does not eat an apple.       A boy eats an apple.
    passivisation          She is feeding the cats outside.   The cats are being fed by her outside.
    objective clause       Ann thinks that he left early.     He left early.
    predicative adjective  A brown dog barked.                A dog that was brown barked.
    plural                 A dog is chasing its tail.         Some dogs are chasing their tail.
    comparative            A big dog is running.              A bigger dog is running.
    opposite               An old man is sitting.             A young man is sitting.
    verb conjugation       The team will play on Sunday.      The team plays on Sunday.

Each rule takes a clause and returns the other sentence with the arcs that its parse must have, or
None. The rule of negation makes the first sentence from the second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.corpora.clause import (
    OPPOSITES,
    ROOT,
    WORDS,
    Clause,
    EditedSentence,
    Piece,
    edited,
    written,
)
from benchmarks.corpora.inflection import inflected, is_plural, object_case, subject_case, tense
from hybridsem.english.words import NEGATORS, NOT, PERSONS, SUBORDINATING_ADVERBS

MOVABLE = ("obl", "advmod")
"""Relations that may stay after the verb when subject and object change places."""

ARTICLES = ("a", "an", "the", "some")
MAX_AGENT_WORDS = 8
SHORTEST_CLAUSE = 3


def negated(clause: Clause) -> EditedSentence | None:
    """Return the clause with "not", or with "do" and "not"; None if its scope would be unclear."""
    unclear = clause.of(clause.predicate, "ccomp", "parataxis")
    return None if unclear or clause.has_any(WORDS["scope"] | WORDS["hedges"]) else with_not(clause)


def with_not(clause: Clause) -> EditedSentence | None:
    """Return the clause with "not", as :func:`negated` but with any words except negations."""
    predicate, first = clause.predicate, clause.first
    if clause.has_any(NEGATORS) or not all(map(clause.shares, clause.coordinated())):
        return None
    if clause.auxiliaries or clause.lemma[predicate] == "be":
        denied: tuple[Piece, ...] = ("cannot",) if clause.lower[first] == "can" else (first, "not")
        arc = "not", "advmod", clause.lower[predicate]
        return EditedSentence(edited(clause.tree, {first: denied}), (arc,))
    if clause.coordinated() or first != len(clause.subject_words):
        return None
    support, verb = {"VBZ": "does", "VBD": "did"}.get(str(clause.tense), "do"), clause.lemma[first]
    arcs = (support, "aux", verb), ("not", "advmod", verb)
    return EditedSentence(edited(clause.tree, {first: (support, "not", verb)}), arcs)


def without_not(clause: Clause) -> EditedSentence | None:
    """Return the clause without the "not" of its predicate; a form of "do" stays."""
    denials = [i for i in clause.of(clause.predicate, "advmod") if clause.lower[i] in NOT]
    return EditedSentence(edited(clause.tree, {denials[0]: ()}), ()) if len(denials) == 1 else None


def passive(clause: Clause) -> EditedSentence | None:
    """Return the clause with the object as subject, the subject after "by", and then the rest."""
    tree, verb = clause.tree, clause.predicate
    below = [c for c in clause.children(verb) if clause.base[c] not in ("aux", "nsubj", "punct")]
    particles = [c for c in below if clause.relation[c] == "compound:prt"]
    objects = [c for c in below if clause.relation[c] == "obj"]
    if tree[verb].pos != "VERB" or clause.lemma[verb] in WORDS["not_passive"] or len(objects) != 1:
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
    group = _passive_auxiliaries(clause, str(patient[0]), is_many(clause, objects[0]))
    if participle is None or group is None:
        return None
    between = [i for i in range(len(clause.subject_words), verb) if i not in clause.auxiliaries]
    if any(tree[i].pos != "ADV" or clause.lower[i] in WORDS["scope"] for i in between):
        return None
    phrases = [clause.subtree(c) for c in others if clause.base[c] == "advmod"]
    behind = [phrase for phrase in phrases if phrase[0] == end]
    adverbs = behind[0] if behind and clause.lower[end] not in WORDS["last"] else ()
    rest = range(end + len(adverbs), len(tree))
    inner = [i for i in between if clause.lower[i] in WORDS["intensifiers"]]
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
    return EditedSentence(written(tree, pieces), arcs)


def reported(clause: Clause) -> EditedSentence | None:
    """Return the clause that is reported, thought or seen, as a sentence."""
    tree, inner = clause.tree, clause.of(clause.predicate, "ccomp")
    if len(inner) != 1 or clause.coordinated():
        return None
    if clause.lemma[clause.predicate] not in WORDS["reporting"]:
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
    finite = min([head, *clause.of(head, "aux", "cop")])
    if tense(clause.lower[finite], clause.lemma[finite]) is None:
        return None
    subject, governor = subjects[0], clause.lower[head]
    arcs = (governor, "root", ROOT), (clause.lower[subject], clause.relation[subject], governor)
    return EditedSentence(written(tree, [*body, len(tree) - 1]), arcs)


def predicative(clause: Clause) -> EditedSentence | None:
    """Return the clause with a noun's adjective as a relative clause; the subject's comes first."""
    tree, free = clause.tree, clause.adjectives()
    objects = [c for c in clause.children(clause.predicate) if clause.relation[c] == "obj"]
    # Behind another noun the rest would go with "is".
    last = [noun for noun in objects if clause.subtree(noun)[-1] == len(tree) - 2]
    for noun in (clause.subject, *last):
        adjectives = clause.of(noun, "amod")
        if tree[noun].pos != "NOUN" or len(adjectives) != 1 or clause.subtree(noun)[-1] != noun:
            continue
        adjective, word = adjectives[0], clause.lower[noun]
        if adjective not in free or clause.lower[adjective] not in WORDS["predicative"]:
            continue
        if clause.lower[adjective] in WORDS["colours"] and clause.lemma[noun] in PERSONS:
            continue
        if not _is_named_by(clause, noun):
            continue
        be = form_of_be("VBD" if clause.tense == "VBD" else "VBZ", word, is_many(clause, noun))
        pronoun = "who" if clause.lemma[noun] in PERSONS - WORDS["collective"] else "that"
        arcs = (clause.lower[adjective], "acl:relcl", word), (be, "cop", clause.lower[adjective])
        changes = {adjective: (), noun: (noun, pronoun, be, adjective)}
        return EditedSentence(edited(tree, changes), arcs)
    return None


def _is_named_by(clause: Clause, noun: int) -> bool:
    """Test if a noun is a common one with an article."""
    articles = [c for c in clause.of(noun, "det") if clause.lower[c] in ARTICLES]
    return clause.tree[noun].text.islower() and bool(articles)


def _may_follow_by(clause: Clause) -> bool:
    """Test if the subject can be the agent of a passive: short, not "there" or "this"."""
    words = clause.subject_words
    if len(words) > MAX_AGENT_WORDS or clause.relation[clause.subject] != "nsubj":
        return False
    if any(clause.lower[i] in (",", *NEGATORS) or clause.relation[i] == "acl:relcl" for i in words):
        return False
    is_pronoun = len(words) == 1 and clause.lower[clause.subject] in WORDS["pronouns"]
    return is_pronoun or _is_noun(clause, clause.subject)


def _may_be_subject(clause: Clause, head: int) -> bool:
    """Test if the object is independent of the subject ("himself"), and no adverbial."""
    words = clause.subtree(head)
    bound = WORDS["bound"] | NEGATORS | {","}
    if clause.tree[words[0]].pos in ("ADP", "ADV") or any(clause.lower[i] in bound for i in words):
        return False
    if clause.lemma[head] in WORDS["adverbial"]:
        return False
    ends_in_s = clause.lower[head].endswith("s")
    if ends_in_s and clause.tree[head].pos == "PROPN" and not clause.of(head, "conj"):
        return False  # one or many: Texas, the Alps
    single = len(words) == 1
    return _is_noun(clause, head) or (single and clause.lower[head] in WORDS["object_pronouns"])


def _is_noun(clause: Clause, head: int) -> bool:
    return clause.tree[head].pos in ("NOUN", "PROPN")


def _passive_auxiliaries(clause: Clause, patient: str, many: bool) -> list[str] | None:
    """Return the passive's auxiliaries for the active's: none, "is", "has" or a modal."""
    finite = clause.lower[clause.first]
    if not clause.auxiliaries:
        return [form_of_be(str(clause.tense), patient, many)]
    if len(clause.auxiliaries) > 1 or finite.startswith(("'", "’")):
        return None
    form, lemma = clause.lower[clause.predicate], clause.lemma[clause.predicate]
    if clause.lemma[clause.first] == "be":
        if not form.endswith("ing"):
            return None
        return [form_of_be(str(clause.tense), patient, many), "being"]
    if clause.lemma[clause.first] == "have":
        present = "have" if many or patient in WORDS["with_have"] else "has"
        return ["had" if finite == "had" else present, "been"]
    return [finite, "be"] if form == lemma and clause.lemma[clause.first] != "do" else None


def form_of_be(tag: str, subject: str, many: bool) -> str:
    """Return the form of "be" for a subject; VBD is past, VBZ and VBP present."""
    plural = many or subject in ("you", "we", "they")
    if tag == "VBD":
        return "were" if plural else "was"
    return "are" if plural else "am" if subject == "I" else "is"


def is_many(clause: Clause, head: int) -> bool:
    """Test if a noun phrase takes a plural verb."""
    if clause.of(head, "conj"):
        return True
    if clause.tree[head].pos == "PROPN":
        return False
    if clause.lemma[head] in WORDS["quantities"] and (things := clause.of(head, "nmod")):
        return is_many(clause, things[0])
    word = clause.lower[head]
    return word in WORDS["plural_only"] or is_plural(word, clause.lemma[head])


# Changes of words

AGREEMENT = {"is": "are", "was": "were", "has": "have", "does": "do"}
THEIRS = {"his": "their", "her": "their", "its": "their"}
THEMSELVES = dict.fromkeys(("himself", "herself", "itself"), "themselves")


def plural(clause: Clause) -> EditedSentence | None:
    """Return the subject "a …" as "some …s", with agreeing verbs and pronouns."""
    tree, subject, predicate = clause.tree, clause.subject, clause.predicate
    noun = clause.lemma[subject]
    is_one = clause.lower[0] in ("a", "an") and clause.of(subject, "det") == [0]
    if not is_one or tree[subject].pos != "NOUN":
        return None
    nouns = inflected(noun, "NNS")
    if noun != clause.lower[subject] or noun in WORDS["measures"] or nouns in (None, noun):
        return None
    if clause.of(subject, "acl", "conj", "appos", "nummod", "compound"):
        return None
    if _is_noun(clause, predicate) or not all(map(clause.shares, clause.coordinated())):
        return None
    if clause.of(predicate, "xcomp", "ccomp", "parataxis"):
        return None
    changes: dict[int, Sequence[Piece]] = {0: ("some",), subject: (str(nouns),)}
    bare = clause.coordinated() if clause.first == predicate else []
    for verb in (clause.first, *bare):
        form = clause.lower[verb]
        if form in AGREEMENT:
            changes[verb] = (AGREEMENT[form],)
        elif tree[verb].pos == "AUX" and form.endswith("s"):  # a clitic
            return None
        elif tense(form, clause.lemma[verb]) == "VBZ":
            changes[verb] = (clause.lemma[verb],)
    for i, form in enumerate(clause.lower):
        if form in THEMSELVES:
            changes[i] = (THEMSELVES[form],)
        elif form in THEIRS and tree[i].relation == "nmod:poss" and i not in clause.subject_words:
            changes[i] = (THEIRS[form],)
        elif tree[i].pos == "PRON" and form in ("he", "she", "it", "him", "her", "his", "its"):
            return None
    head = str(changes.get(predicate, (tree[predicate].text,))[0])
    return EditedSentence(edited(tree, changes), ((str(nouns), clause.relation[subject], head),))


def comparative(clause: Clause) -> EditedSentence | None:
    """Return the sentence with the first adjective that has a comparative in that form."""
    for i in clause.adjectives():
        form = inflected(clause.lower[i], "JJR") if clause.lower[i] in WORDS["gradable"] else None
        if form is not None:
            return _replaced(clause, i, form)
    return None


class Opposite:
    """Replaces the first adjective with an opposite; ``pairs``, both ways, precede our table."""

    def __init__(self, pairs: Sequence[tuple[str, str]] = ()) -> None:
        self.table: Mapping[str, str] = dict([*OPPOSITES, *((b, a) for a, b in pairs), *pairs])

    def __call__(self, clause: Clause) -> EditedSentence | None:
        """Return the sentence with the opposite; "old" is "young" of persons, "new" of things."""
        for i in clause.adjectives():
            word = clause.lower[i]
            noun = clause.subject if i == clause.predicate else clause.tree[i].head
            person = clause.lemma[noun] in PERSONS
            is_child = word == "young" and clause.lemma[noun] in WORDS["children"]
            if (word in WORDS["colours"] and person) or is_child:
                continue
            if word == "old":
                return _replaced(clause, i, "young" if person else "new")
            if word in self.table:
                return _replaced(clause, i, self.table[word])
        return None


def conjugated(clause: Clause) -> EditedSentence | None:
    """Return the verb after an auxiliary in the third person present, without the auxiliary."""
    if len(clause.auxiliaries) != 1 or clause.has_any(NEGATORS):
        return None
    if clause.lower[clause.first] not in WORDS["before_base"] or not clause.is_third_person:
        return None
    subject = clause.tree[clause.subject]
    if subject.pos == "PROPN" and subject.text.endswith("s"):  # one or many: Texas, the Alps
        return None
    if any(clause.tree[i].pos != "ADV" for i in range(clause.first + 1, clause.predicate)):
        return None
    changes: dict[int, Sequence[Piece]] = {clause.first: ()}
    for verb in (clause.predicate, *clause.coordinated()):
        lemma = clause.lemma[verb]
        form = inflected(lemma, "VBZ")
        if clause.tree[verb].pos != "VERB" or clause.lower[verb] != lemma or form is None:
            return None
        if verb != clause.predicate and not clause.shares(verb):
            return None
        changes[verb] = (form,)
    main, subject_word = str(changes[clause.predicate][0]), clause.lower[clause.subject]
    arcs = (main, "root", ROOT), (subject_word, clause.relation[clause.subject], main)
    return EditedSentence(edited(clause.tree, changes), arcs)


def _replaced(clause: Clause, i: int, form: str) -> EditedSentence:
    """Return the sentence with one word replaced by another in the same place of the tree."""
    head = clause.tree[i].head
    arc = form, clause.relation[i], ROOT if head < 0 else clause.lower[head]
    return EditedSentence(edited(clause.tree, {i: (form,)}), (arc,))
