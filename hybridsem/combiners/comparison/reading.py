"""How what is compared of a sentence is read of its structure: its content words, what governs each
of them, what function words say of it.

A word's *places* are the governors that it has, each with the relation: the role that a frame gives
it, or the syntactic relation in the tree. Diatheses are one form so: the subject of a passive has
the place of an object. Conjuncts have the place of the first of them, and a governor that is a
function word is passed over for what governs that.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

from hybridsem.combiners.comparison.sentence import Attachment, SentenceWords
from hybridsem.embeddings.arithmetic import word_frequencies
from hybridsem.english.function_words import SCALES
from hybridsem.english.numbers import UNITS, number_value
from hybridsem.english.signatures import DENIALS, Complement
from hybridsem.english.words import ARTICLES, MODALS, NEGATORS, QUESTION_WORDS
from hybridsem.structures import DependencyTree, Frame, Role, RoleStructure, Token

__all__ = [
    "deniers",
    "function_words_of",
    "informativeness",
    "read_words",
    "word_weight",
]

CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "PRON", "X", "SYM", "INTJ"})
FUNCTION_RELATIONS = frozenset({"aux", "cop", "case", "cc", "mark", "punct", "det", "expl"})
PASSIVE = frozenset({"aux:pass", "nsubj:pass", "csubj:pass"})
"""Relations to a verb in the passive."""
SAME_PLACE = frozenset({"conj", "flat", "fixed", "goeswith"})
"""Relations to a word whose place the dependent shares."""
SAYING = frozenset({"case", "mark", "advmod", "aux", "det", "amod", "nummod"})
"""Relations of words that say something of their governor."""
CLASS_WEIGHTS = {"PRON": 0.3, "ADV": 0.5}
LEAST = 0.25
"""The weight of a word that tells nothing, the most frequent one, beside 1."""
RARE = 10.0
"""The information, in nats, from which a word has all its weight."""
LONGEST_CHAIN = 20
FORMS = 65_536
"""Words whose informativeness is remembered."""
LATEST = 1024
"""Sentences whose words are remembered: a query's documents are compared again and again."""
IDENTITY = "is"
"""The relation of a subject and the noun that a copula says it is, either way round."""
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
QUANTIFIERS = SCALES["quantity"]
BOUNDS = {bound: bound for bound in ("at least", "at most", "more than", "fewer than")} | {
    "less than": "fewer than",
    "no less than": "at least",
    "no fewer than": "at least",
    "not less than": "at least",
    "no more than": "at most",
    "not more than": "at most",
}
"""What may stand before a number, and what it comes to."""
BEFORE_ADJECTIVES = frozenset(
    {"the", "this", "that", "his", "her", "its", "my", "your", "our", "their"}
)
"""Behind these "little" means small."""
SILENT = ARTICLES | {"be", "do", "have", "'s", "’s", "that", "which", "who"}
"""Function words whose presence says nothing."""
DENYING = frozenset(NEGATORS | {"without"}) | {
    word
    for scale in ("frequency", "degree")
    for word, degree in SCALES[scale].items()
    if degree.denies and " " not in word and word != "little"
}
"""Words that make a clause a negative one."""
MANAGE = "manage"
"""Who manages to do something does it."""
REFUSING = frozenset(lemma for lemma, _ in DENIALS)
UNDERGOERS = frozenset({Role.PATIENT, Role.THEME})
RELATIVES = frozenset({"who", "which", "that"})
DENIED_ARGUMENTS = frozenset({"nsubj", "obj"})
"""Arguments that deny their whole clause: "no man smiles", "nobody smiles"."""


@cache
def _counts() -> tuple[dict[str, int], float]:
    counts = word_frequencies()
    return counts, float(sum(counts.values()))


@lru_cache(FORMS)
def informativeness(form: str) -> float:
    """How much a word tells, in (0, 1]: by its frequency in UD English EWT."""
    counts, total = _counts()
    nats = -math.log((counts.get(form, 0) + 0.5) / total)
    return LEAST + (1 - LEAST) * min(1.0, nats / RARE)


def word_weight(form: str, tag: str) -> float:
    """What a content word counts."""
    return CLASS_WEIGHTS.get(tag, 1.0) * informativeness(form)


def _is_visible(word: str) -> bool:
    """Whether a word has a letter or a figure."""
    return word.isalnum() or any(map(str.isalnum, word))


def function_words_of(words: Sequence[int], lemmas: Sequence[str]) -> frozenset[str]:
    """The lemmas of the tokens that are no content ``words`` and say something."""
    content = frozenset(words)
    return frozenset(
        [
            lemma
            for i, lemma in enumerate(lemmas)
            if i not in content and lemma not in SILENT and _is_visible(lemma)
        ]
    )


def read_words(structure: RoleStructure) -> SentenceWords:
    """What is compared of a sentence, by its tree and frames, or by frames alone."""
    return _words_of(_Same(structure))


class _Same:
    """A structure by its identity, as to compare two would take longer than to read one."""

    __slots__ = ("structure",)

    def __init__(self, structure: RoleStructure) -> None:
        self.structure = structure

    def __hash__(self) -> int:
        return id(self.structure)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.structure is self.structure


@lru_cache(LATEST)
def _words_of(same: _Same) -> SentenceWords:
    structure = same.structure
    return _of_frames(structure) if structure.tree is None else _of_tree(structure, structure.tree)


def _of_tree(structure: RoleStructure, tree: DependencyTree) -> SentenceWords:
    tokens, implied = _implied(tree.tokens)
    tokens, located = _located(_partitives(tokens))
    tokens, compared = _compared(tokens)
    bare = [token.relation.partition(":")[0] for token in tokens]
    tags = tuple([token.pos for token in tokens])
    forms = tuple([token.text.lower() for token in tokens])
    own_lemmas = [
        form if tag == "PROPN" else "who" if form == "whom" else token.lemma.lower()
        for token, form, tag in zip(tokens, forms, tags, strict=True)
    ]
    numbers = _in_base_units(tokens, bare, own_lemmas)
    lemmas = tuple(own_lemmas)
    said = _Said(tokens, bare, lemmas)
    for i in implied:
        said.negations[implied[i]] += lemmas[i] != MANAGE
    said.spoken_for |= _parts_of_numbers(tokens, numbers)
    visible = [i for i, token in enumerate(tokens) if _is_visible(token.text)]
    words = [
        i
        for i in visible
        if tags[i] in CONTENT
        and bare[i] not in FUNCTION_RELATIONS
        and lemmas[i] not in DENYING
        and i not in said.spoken_for
        and not (lemmas[i] in RELATIVES and tokens[tokens[i].head].relation == "acl:relcl")
    ]
    words = words or visible or list(range(len(tokens)))
    content = frozenset(words)
    places = _Places(
        tokens, bare, structure.frames, content, said.prepositions, located, implied, compared
    )
    conjoined = {
        token.head for token, relation in zip(tokens, bare, strict=True) if relation == "conj"
    }
    of_words = tuple([places.of(i) for i in words])
    return SentenceWords(
        words=tuple(words),
        weights=np.array([word_weight(forms[i], tags[i]) for i in words]),
        places=of_words,
        coordinated=tuple([bare[i] == "conj" or i in conjoined for i in words]),
        numbers=tuple([numbers.get(i) for i in words]),
        lemmas=lemmas,
        forms=forms,
        tags=tags,
        prepositions=tuple(said.prepositions),
        connectives=tuple(said.connectives),
        modals=tuple(said.modals),
        quantifiers=tuple(said.quantifiers),
        negations=tuple(said.negations),
        function_words=function_words_of(words, lemmas),
        particles=frozenset(
            [lemmas[i] for i, token in enumerate(tokens) if token.relation == "compound:prt"]
        ),
        question=tree.text.rstrip().endswith("?"),
    )


def _implied(tokens: Sequence[Token]) -> tuple[Sequence[Token], Mapping[int, int]]:
    """The tokens with "he failed to come" read as "he did not come", and "managed to come" as
    "came"; and the complements of such verbs, by these.
    """
    complements: dict[int, int] = {}
    for i, token in enumerate(tokens):
        above = tokens[token.head] if token.relation == "xcomp" else None
        if above is not None and above.pos == "VERB" and token.pos == "VERB":
            form = Complement.ING if token.text.endswith("ing") else Complement.TO
            lemma = above.lemma.lower()
            if lemma == MANAGE or (lemma, form) in DENIALS:
                complements.setdefault(token.head, i)
    if complements:
        tokens = [
            replace(token, head=complements[token.head])
            if token.head in complements and complements[token.head] != i
            else token
            for i, token in enumerate(tokens)
        ]
        for verb, complement in complements.items():
            above = tokens[verb]
            tokens[complement] = replace(
                tokens[complement], head=above.head, relation=above.relation
            )
            tokens[verb] = replace(above, head=complement, relation="aux")
    return tokens, complements


def deniers(sentence: SentenceWords) -> list[int]:
    """The tokens that deny."""
    content = sentence.content.position
    return [
        at
        for at, lemma in enumerate(sentence.lemmas)
        if lemma in DENYING or (lemma in REFUSING and at not in content)
    ]


def _parts_of_numbers(tokens: Sequence[Token], numbers: dict[int, float]) -> set[int]:
    """The numerals within a number of several, "5 million", whose last has all its value then."""
    parts: set[int] = set()
    for i in sorted(numbers):
        if i + 1 in numbers and tokens[i].head == i + 1 and tokens[i].relation != "nummod":
            value = number_value(f"{tokens[i].text} {tokens[i + 1].text}")
            if value is not None:
                numbers[i + 1] = value
                parts.add(i)
    return parts


def _located(tokens: Sequence[Token]) -> tuple[Sequence[Token], Mapping[int, int]]:
    """The tokens with "the cat is under the table" read as "the cat under the table", and the
    subjects of which this is said, by their former predicates.
    """
    subjects: dict[int, int] = {}
    copular = {token.head for token in tokens if token.relation == "cop"}
    if copular:
        marked = {token.head for token in tokens if token.relation == "case"}
        for i, token in enumerate(tokens):
            if token.relation == "nsubj" and token.head in copular & marked:
                subjects.setdefault(token.head, i)
        tokens = list(tokens)
        for predicate, subject in subjects.items():
            above = tokens[predicate]
            tokens[subject] = replace(tokens[subject], head=above.head, relation=above.relation)
            tokens[predicate] = replace(above, head=subject, relation="nmod")
    return tokens, subjects


def _partitives(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens with "both of the boys" read as "both the boys"."""
    found = list(tokens)
    for i, token in enumerate(tokens):
        head = token.head
        if token.relation != "nmod" or tokens[head].lemma.lower() not in QUANTIFIERS:
            continue
        of = next((c for c, t in enumerate(tokens) if t.head == i and t.relation == "case"), None)
        if of is None or tokens[of].text.lower() != "of" or tokens[head].pos in NOMINAL - {"PRON"}:
            continue
        found[i] = replace(token, head=found[head].head, relation=found[head].relation)
        for c, dependent in enumerate(tokens):
            if dependent.head == head and c != i:
                found[c] = replace(dependent, head=i)
        found[head] = replace(tokens[head], head=i, relation="det")
        found[of] = replace(tokens[of], head=head, relation="fixed")
    return found


def _compared(tokens: Sequence[Token]) -> tuple[Sequence[Token], Mapping[int, int]]:
    """The tokens with what stands behind "than" under the adverb of "she came later than he", and
    the subjects of the clauses of such adverbs, by these.
    """
    found = list(tokens)
    subjects: dict[int, int] = {}
    for than in tokens:
        standard = than.head
        if than.relation != "case" or than.text.lower() != "than":
            continue
        for i in range(standard):
            adverb, verb = tokens[i], tokens[i].head
            graded = adverb.lemma.lower() != adverb.text.lower() or (
                i > 0 and tokens[i - 1].text.lower() in ("more", "less")
            )
            under = adverb.relation == "advmod" and tokens[standard].head in (i, verb)
            if graded and under and adverb.pos == "ADV":
                for subject, token in enumerate(tokens):
                    if token.head == verb and token.relation.startswith("nsubj"):
                        subjects[i] = subject
                        found[standard] = replace(tokens[standard], head=i, relation="obl")
    return found, subjects


def _in_base_units(
    tokens: Sequence[Token], bare: Sequence[str], lemmas: list[str]
) -> dict[int, float]:
    """The values of the numbers by their tokens; units of measure become their base in both: two
    kilometres are 2,000 metres.
    """
    found = {}
    for i, token in enumerate(tokens):
        if token.pos == "NUM" or token.text[0].isdigit():
            value = number_value(token.text)
            if value is not None:
                unit = UNITS.get(lemmas[token.head]) if bare[i] == "nummod" else None
                found[i] = value if unit is None else value * unit[1]
    for i in found:
        if bare[i] == "nummod" and (unit := UNITS.get(lemmas[tokens[i].head])):
            lemmas[tokens[i].head] = unit[0]
    return found


class _Said:
    """What function words say of their governors in a tree."""

    def __init__(self, tokens: Sequence[Token], bare: list[str], lemmas: Sequence[str]) -> None:
        size = len(tokens)
        self.prepositions: list[str | None] = [None] * size
        self.connectives: list[str | None] = [None] * size
        self.modals: list[str | None] = [None] * size
        self.quantifiers: list[str | None] = [None] * size
        self.negations = [0] * size
        self.spoken_for: set[int] = set()
        self._bound_numbers(tokens)
        for i, (token, relation, lemma) in enumerate(zip(tokens, bare, lemmas, strict=True)):
            head = token.head
            if i in self.spoken_for:
                continue
            if lemma in DENYING:
                alone = token.pos == "PRON" and relation != "det"
                denied = i if head < 0 or alone else head
                if bare[denied] in DENIED_ARGUMENTS and relation != "case":
                    denied = tokens[denied].head
                self.negations[denied] += 1
            if head < 0 or relation not in SAYING:
                continue
            if relation == "case":
                before = self.prepositions[head]
                self.prepositions[head] = (
                    f"{before} {lemma}" if before not in (None, lemma) else lemma
                )
            elif relation == "mark" or (relation == "advmod" and lemma in QUESTION_WORDS):
                self.connectives[head] = lemma
                self.spoken_for.add(i)
                if lemma == "unless":
                    self.connectives[head] = "if"
                    self.negations[head] += 1
            elif relation == "advmod" and lemma == "as":  # of "as tall as"
                self.spoken_for.add(i)
            elif relation == "aux" and token.text.lower() == "having" and bare[head] == "advcl":
                self.connectives[head] = self.connectives[head] or "after"
            elif relation == "aux" and lemma in MODALS:
                self.modals[head] = lemma
            elif (
                lemma in QUANTIFIERS
                and relation in ("det", "amod", "advmod", "nummod")
                and lemma not in ARTICLES
                and token.pos != "NUM"
            ):
                before = lemmas[i - 1] if i else ""
                if lemma == "little" and before in BEFORE_ADJECTIVES:
                    continue
                several = f"{before} {lemma}"
                self.quantifiers[head] = several if several in QUANTIFIERS else lemma
                self.spoken_for.add(i)

    def _bound_numbers(self, tokens: Sequence[Token]) -> None:
        """Read "at least three" and "no fewer than three": the bound is the number's quantifier."""
        forms = [token.text.lower() for token in tokens]
        for i, token in enumerate(tokens):
            for length in (3, 2) if token.pos == "NUM" else ():
                bound = BOUNDS.get(" ".join(forms[max(0, i - length) : i]))
                if bound is not None:
                    self.quantifiers[i] = bound
                    self.spoken_for.update(range(i - length, i))
                    break


class _Places:
    """The places of the words of a tree."""

    def __init__(
        self,
        tokens: Sequence[Token],
        bare: list[str],
        frames: Sequence[Frame],
        content: frozenset[int],
        prepositions: Sequence[str | None],
        located: Mapping[int, int],
        implied: Mapping[int, int],
        compared: Mapping[int, int],
    ) -> None:
        """Of a tree with its frames.

        Args:
            tokens: Of the tree.
            bare: Their relations without subtypes.
            frames: The sentence's.
            content: The tokens that are content words.
            prepositions: Those of each token.
            located: See :func:`_located`.
            implied: See :func:`_implied`.
            compared: See :func:`_compared`.
        """
        self.tokens, self.bare, self.content = tokens, bare, content
        self.located, self.implied = located, implied
        self.prepositions = prepositions
        self.passive = frozenset([token.head for token in tokens if token.relation in PASSIVE])
        self.roles = self._roles_in(frames)
        for i, token in enumerate(tokens):
            if token.head in compared and prepositions[i] == "than":
                self.roles = {pair: role for pair, role in self.roles.items() if pair[1] != i}
                self.roles[token.head, i] = str(Role.THEME)
        self.roles |= {pair: str(Role.AGENT) for pair in compared.items()}
        self._exchange_impossible()
        self.by_argument: defaultdict[int, list[Attachment]] = defaultdict(list)
        for subject, predicate in self._identified():
            self.roles[predicate, subject] = IDENTITY
            self.by_argument[predicate].append(Attachment(subject, IDENTITY, IDENTITY))
        for (governor, argument), role in self.roles.items():
            place = Attachment(governor, role, self._syntax(governor, argument, role))
            self.by_argument[argument].append(place)

    def of(self, word: int) -> tuple[Attachment, ...]:
        """The places of a content word, that in the tree first."""
        tokens, bare = self.tokens, self.bare
        first = self._first(word)
        governor = tokens[first].head
        for _ in range(LONGEST_CHAIN):
            if governor < 0 or governor in self.content:
                break
            governor = tokens[governor].head
        found = [*self.by_argument.get(word, ())]
        if first != word:
            found += self.by_argument.get(first, ())
        if governor >= 0 and governor not in [place.governor for place in found]:
            relation = "nmod" if bare[first] == "obl" else bare[first]
            role = self.roles.get((governor, first))
            place = Attachment(governor, role or relation, self._syntax(governor, first, role))
            found.insert(0, place)
        elif len(found) > 1:
            found.sort(key=lambda place: place.governor != governor)
        return tuple(dict.fromkeys(found)) if len(found) > 1 else tuple(found)

    def _roles_in(self, frames: Sequence[Frame]) -> dict[tuple[int, int], str]:
        """The role of each argument of a predicate, both by their tokens; of a clause with a copula
        the predicate is what the subject is said to be.
        """
        roles: dict[tuple[int, int], str] = {}
        for frame in frames:
            verb = frame.fillers.get(Role.VERB)
            if verb is None or verb.head is None:
                continue
            governor = verb.head
            if self.bare[governor] == "cop" and self.tokens[governor].head >= 0:
                governor = self.tokens[governor].head
            governor = self.implied.get(governor, governor)
            subject = self.located.get(governor)
            for role, filler in frame.fillers.items():
                if role == Role.VERB or filler.head is None:
                    continue
                argument = self.located.get(filler.head, filler.head)
                if argument == governor:
                    continue
                if subject is None:
                    roles.setdefault((governor, argument), str(role))
                elif filler.head != subject:
                    roles.setdefault((subject, filler.head), str(role))
        return roles

    def _exchange_impossible(self) -> None:
        """Exchange the roles of an object that is the Agent, and a subject that is not, of a verb:
        "the man the dog bit".
        """
        stands = {at: (role, self._syntax(*at, role)) for at, role in self.roles.items()}
        for (verb, argument), (role, syntax) in stands.items():
            if role == Role.AGENT and syntax == "object":
                for (other, subject), (own, of_subject) in stands.items():
                    if other == verb and own in UNDERGOERS and of_subject == "subject":
                        self.roles[verb, argument], self.roles[verb, subject] = own, role

    def _identified(self) -> list[tuple[int, int]]:
        """Subjects with the nouns that a copula says they are: "Paris is the capital"."""
        if "cop" not in self.bare:
            return []
        tokens, bare = self.tokens, self.bare
        copular = {token.head for i, token in enumerate(tokens) if bare[i] == "cop"}
        return [
            (i, token.head)
            for i, token in enumerate(tokens)
            if bare[i] == "nsubj"
            and token.head >= 0
            and token.head in copular
            and tokens[token.head].pos in NOMINAL
        ]

    def _first(self, word: int) -> int:
        """The first of the conjuncts, or parts of a name, that a word is one of."""
        for _ in range(LONGEST_CHAIN):
            if self.bare[word] not in SAME_PLACE or self.tokens[word].head < 0:
                break
            word = self.tokens[word].head
        return word

    def _syntax(self, governor: int, word: int, role: str | None) -> str:
        """Where ``word``, which has ``role``, if any, stands beside ``governor``, as in the active
        voice.
        """
        tokens, bare = self.tokens, self.bare
        if role == IDENTITY:
            return IDENTITY
        if tokens[word].head == governor:
            relation = bare[word]
            if relation in ("nsubj", "csubj"):
                return "object" if tokens[word].relation.endswith(":pass") else "subject"
            if relation in ("obj", "iobj"):
                return "object" if relation == "obj" else relation
            if relation in ("obl", "nmod"):
                return self._oblique(governor, word)
            return ""
        if tokens[governor].head == word and bare[governor] == "acl":
            subjects = [
                token
                for i, token in enumerate(tokens)
                if token.head == governor and bare[i] == "nsubj"
            ]
            own = any(token.pos not in ("PRON", "DET") for token in subjects)
            if tokens[governor].relation == "acl:relcl":
                lacks_subject = not own and governor not in self.passive
                return "subject" if lacks_subject else "object"
        if role is None:
            return ""
        agent = role == Role.AGENT or tokens[governor].pos != "VERB"
        return "subject" if agent else "object"

    def _oblique(self, governor: int, word: int) -> str:
        relation, preposition = self.tokens[word].relation, self.prepositions[word]
        if relation == "obl:agent" or (preposition == "by" and governor in self.passive):
            return "subject"
        if relation == "nmod:poss":
            return "of"
        return preposition or ""


def _of_frames(structure: RoleStructure) -> SentenceWords:
    """The words of a structure without a tree, each once, with the verbs as governors."""
    forms: list[str] = []
    places: list[tuple[Attachment, ...]] = []
    tags: list[str] = []
    known: dict[str, int] = {}
    negations: list[int] = []
    modals: list[str | None] = []

    def add(word: str, tag: str, place: tuple[Attachment, ...]) -> int:
        if word not in known:
            known[word] = len(forms)
            forms.append(word)
            tags.append(tag)
            places.append(place)
            negations.append(0)
            modals.append(None)
        else:
            places[known[word]] += place
        return known[word]

    for frame in structure.frames:
        verb = frame.fillers.get(Role.VERB)
        parts = (verb.words if verb is not None else ()) or tuple(frame.predicate.split()) or ("",)
        governor = add(parts[0].lower(), "VERB", ())
        negations[governor] += frame.negated
        modals[governor] = frame.modality
        for role, filler in frame.fillers.items():
            if role != Role.VERB:
                for word in filler.words:
                    if word.lower() != forms[governor]:
                        place = Attachment(
                            governor, str(role), "subject" if role == Role.AGENT else "object"
                        )
                        add(word.lower(), "NOUN", (place,))
    none = (None,) * len(forms)
    words = tuple(range(len(forms)))
    distinct = tuple(tuple(dict.fromkeys(of_word)) for of_word in places)
    return SentenceWords(
        words=words,
        weights=np.array([informativeness(form) for form in forms]),
        places=distinct,
        coordinated=(False,) * len(words),
        numbers=tuple(number_value(form) if form[:1].isdigit() else None for form in forms),
        lemmas=tuple(forms),
        forms=tuple(forms),
        tags=tuple(tags),
        prepositions=none,
        connectives=none,
        modals=tuple(modals),
        quantifiers=none,
        negations=tuple(negations),
        function_words=frozenset(),
        particles=frozenset(),
        question=structure.text.rstrip().endswith("?"),
    )
