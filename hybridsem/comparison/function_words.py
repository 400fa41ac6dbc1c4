"""Function words that differ: negation, modality, quantity, conjunctions, particles, questions.

Opposed function words count 1 each, whatever the length of the sentences, and so do similar
differences.
"""

from __future__ import annotations

from itertools import pairwise

from hybridsem.comparison.alignment import OPPOSED
from hybridsem.comparison.edits import SURE, Kind, Words
from hybridsem.comparison.features import DENYING, deniers
from hybridsem.comparison.pair import Cluster, Draft, Pair
from hybridsem.comparison.reading import informativeness
from hybridsem.comparison.sentence import Marks, Sentence
from hybridsem.english.function_words import (
    AXES,
    OPPOSABLE,
    SCALES,
    alike,
    are_converse,
    opposed,
)
from hybridsem.english.lexicon import LexicalRelation
from hybridsem.english.words import APPROVING, DISAPPROVING, QUESTION_WORDS

COORDINATORS = AXES["and or"].keys() | AXES["or and nor"].keys()
FOCUSING = frozenset(word for word, degree in SCALES["exclusion"].items() if degree.value > 0.8)
"""Words whose scope a negation directly before them limits: "not only"."""
ALL, NONE = (
    frozenset(
        word
        for scale in ("quantity", "persons", "things", "frequency")
        for word, degree in SCALES[scale].items()
        if degree.value == value
    )
    for value in (1, 0)
)
"""The words at both ends of their scales: "every", "everybody", "always"; "no", "nobody"."""
NOT_ALL = frozenset(f"not {word}" for word in ALL)
FORBIDDING = frozenset({"must", "may"})
"""Modals that mean the same when negated: "must not", "may not"."""
PICTURE = 0.5
"""The amount of pictures of opposite meaning."""
VARIANT = "\ufe0f"
"""Asks for the coloured form of a sign."""
ADDED_MODAL = 0.3
"""The amount of a modal that only one sentence has."""


def marked_words(draft: Draft) -> set[str]:
    """Add partners whose negation, modal, quantifier or connective differs; return the markers for
    which these edits account.
    """
    pair = draft.pair
    explained: set[str] = set()
    exchanged = _exchanged_denials(pair)
    for n, partners in enumerate(pair.aligned):
        marks1 = pair.first.sentence.marks[partners.first]
        marks2 = pair.second.sentence.marks[partners.second]
        if marks1 == marks2 and n not in pair.opposites:
            continue
        for marker1, marker2 in zip(marks1[1:], marks2[1:], strict=True):
            if marker1 and marker2 and marker1 != marker2:
                explained |= {*str(marker1).split(), *str(marker2).split()}
        _connective(draft, n, marks1.connective, marks2.connective)
        if (marks1.negations - marks2.negations) % 2:
            if n in exchanged:
                draft.change(Kind.CROSSED, n, pair.shares[n], event=(Kind.CROSSED,))
            elif n not in pair.balanced:
                before, after = pair.words(n)
                words = (
                    _denied(pair.first.sentence, before) if marks1.negations % 2 else before,
                    _denied(pair.second.sentence, after) if marks2.negations % 2 else after,
                )
                event = (Kind.NEGATION, n)
                draft.change(Kind.NEGATION, n, pair.shares[n], words, event=event)
        elif n in pair.opposites:
            against, event = partners.strength, (Kind.NEGATION, n)
            draft.change(
                Kind.OPPOSITE, n, pair.shares[n] * against, confidence=against, event=event
            )
        _modality(draft, n, marks1, marks2)
        quantity1, quantity2 = marks1.quantifier, marks2.quantifier
        both = {quantity1, quantity2}
        rest = "some" in both and not NOT_ALL.isdisjoint(both)
        dual = rest and bool(pair.first.sentence.denials % 2 and pair.second.sentence.denials % 2)
        if rest or _are_dual(quantity1, quantity2):  # "not all came": "some did not", "some left"
            dual = dual or _is_argument_of_balanced(pair, n)
        if quantity1 and quantity2 and quantity1 != quantity2 and not dual:
            marked = pair.words(n, quantity1, quantity2)
            draft.change(Kind.QUANTITY, n, opposed(quantity1, quantity2), marked, counts=True)
    return explained


def _connective(draft: Draft, n: int, mark1: str | None, mark2: str | None) -> None:
    if mark1 and mark2 and mark1 != mark2:
        words = draft.pair.words(n, mark1, mark2)
        if draft.pair.same_words and {mark1, mark2} <= QUESTION_WORDS:
            draft.change(Kind.QUESTION_WORD, n, 1.0, words, counts=True)
        against = opposed(mark1, mark2)
        draft.change(Kind.CONNECTIVE, n, against, words, against, counts=True)


def _modality(draft: Draft, n: int, marks1: Marks, marks2: Marks) -> None:
    modal1, modal2 = marks1.modal, marks2.modal
    denied = marks1.negations % 2 and marks2.negations % 2
    if modal1 == modal2 or (denied and {modal1, modal2} <= FORBIDDING):
        return
    amount = opposed(modal1, modal2) if modal1 and modal2 else ADDED_MODAL
    if denied and "need" in (modal1, modal2):
        amount = 1.0
    sure = draft.pair.same_words and modal1 and modal2 and not alike(modal1, modal2)
    words = draft.pair.words(n, modal1, modal2)
    draft.change(Kind.MODALITY, n, amount, words, 1.0 if sure else SURE, counts=True)


def _are_dual(word1: str | None, word2: str | None) -> bool:
    """Test for "all" and "no", which with opposites state the same."""
    return any(one in ALL and two in NONE for one, two in ((word1, word2), (word2, word1)))


def _is_argument_of_balanced(pair: Pair, n: int) -> bool:
    balanced: set[Cluster] = {("both", m) for m in pair.balanced}
    return not balanced.isdisjoint(pair.first.heads(n) & pair.second.heads(n))


def dual_words(pair: Pair) -> tuple[set[int], set[int]]:
    """Return the words without a partner that mean the same as a word of the other sentence:
    "everybody" or "always" if that has "nobody", or "never", and an opposite.
    """
    dual: tuple[set[int], set[int]] = set(), set()
    for side, (this, other) in enumerate(pair.sides if pair.balanced else ()):
        denies = not NONE.isdisjoint(other.lemmas)
        for i in this.alone if denies else ():
            governors = (this.number.get(place.governor) for place in this.sentence.places[i])
            if this.sentence.word_lemmas[i] in ALL and not pair.balanced.isdisjoint(governors):
                dual[side].add(i)
                forms = other.sentence.word_forms
                dual[1 - side].update(j for j in other.alone if forms[j] == "one")
    return dual


def _exchanged_denials(pair: Pair) -> set[int]:
    """Return the conjuncts, or words other than verbs, that are negated in just one sentence, if
    both negate some: "tea, not milk", "milk, not tea".
    """
    alone: tuple[set[int], set[int]] = (set(), set())
    denying = pair.same_words and pair.first.sentence.denials and pair.second.sentence.denials
    for n in range(len(pair.aligned)) if denying else ():
        denied1, denied2 = (this.sentence.negations[this.tokens[n]] % 2 for this, _ in pair.sides)
        coordinated = all(this.sentence.coordinated[this.positions[n]] for this, _ in pair.sides)
        verbal = "VERB" in (this.tags[this.tokens[n]] for this, _ in pair.sides)
        if denied1 != denied2 and (coordinated or not verbal):
            alone[denied2].add(n)
    return alone[0] | alone[1] if all(alone) else set()


def _denied(sentence: Sentence, words: Words) -> Words:
    """Return a word with its nearest negation as the anchor."""
    (token,) = words.tokens
    nearest = min(deniers(sentence), key=lambda at: abs(at - token), default=None)
    return words._replace(anchor=nearest)


def unaligned_function_words(draft: Draft, explained: frozenset[str]) -> None:
    """Add opposed function words of the two sentences, and a question against a statement."""
    pair = draft.pair
    first, second = pair.first.sentence, pair.second.sentence
    for n in pair.converses:
        explained = explained.union(pair.names[n].syntax)
    only1 = first.function_words - second.function_words - explained
    only2 = second.function_words - first.function_words - explained
    for word1 in sorted(only1):
        against, word2 = max(((opposed(word1, word2), word2) for word2 in only2), default=(0.0, ""))
        if "nor" in (word1, word2) and first.denials and second.denials:
            continue  # "neither A nor B", "not A or B"
        if against and not _have_exchanged_objects(pair, word1, word2):
            words = _function_word(first, word1), _function_word(second, word2)
            if pair.same_words and {word1, word2} <= COORDINATORS:
                draft.add(Kind.COORDINATION, against, words)
            else:
                draft.add(Kind.FUNCTION_WORD, against, words, against)
    if first.question != second.question:
        draft.add(Kind.QUESTION, 1.0, (_end(first), _end(second)))
    if (places := opposed_pictures(first, second)) is not None:
        draft.add(Kind.OPPOSITE, PICTURE, (Words(places[:1]), Words(places[1:])))


def opposed_pictures(first: Sentence, second: Sentence) -> tuple[int, int] | None:
    """Return the tokens of two pictures (emoji) of which one approves and one disapproves, if the
    sentences have no others.
    """
    (approves1, at1), (approves2, at2) = _picture(first), _picture(second)
    opposed = None not in (approves1, approves2) and approves1 != approves2
    return (at1, at2) if opposed else None


def _picture(sentence: Sentence) -> tuple[bool | None, int]:
    """Return whether the pictures (emoji) approve or disapprove, None if neither or both, and the
    token of one.
    """
    approving: bool | None = None
    place = -1
    for at, form in enumerate(sentence.forms):
        if form.isascii() or (sign := form.rstrip(VARIANT)) not in APPROVING | DISAPPROVING:
            continue
        if place >= 0 and approving != (sign in APPROVING):
            return None, at
        approving, place = sign in APPROVING, at
    return approving, place


def _have_exchanged_objects(pair: Pair, word1: str, word2: str) -> bool:
    """Test if converse prepositions have exchanged objects: "A above B", "B below A"."""
    objects1, objects2 = (
        {
            this.number.get(token)
            for token, one in enumerate(this.sentence.prepositions)
            if one == word
        }
        for this, word in ((pair.first, word1), (pair.second, word2))
    )
    if None in objects1 | objects2 or not objects1 or objects1 & objects2:
        return False
    return bool(objects2) and are_converse(word1, word2, pair.lexicon)


def negations(draft: Draft) -> None:
    """Add an odd number of negations and opposites, and negations of "only"."""
    pair = draft.pair
    first, second = pair.first, pair.second
    denials1, denials2 = first.sentence.denials, second.sentence.denials
    if (denials1 + denials2 + len(pair.opposites)) % 2:
        before, after = (
            Words(tuple(sorted(deniers(this.sentence) + [this.tokens[n] for n in pair.opposites])))
            for this in (first, second)
        )
        flips = [event for event in draft.events if event[0] is Kind.NEGATION]
        event = flips[0] if len(flips) == 1 else None
        draft.add(Kind.NEGATION_PARITY, 1.0, (before, after), event=event)
    if denials1 and denials2:
        before, after = _not_only(first.sentence), _not_only(second.sentence)
        if bool(before.tokens) != bool(after.tokens):
            draft.add(Kind.NEGATION_FOCUS, 1.0, (before, after))


def _not_only(sentence: Sentence) -> Words:
    """Return a negation directly before a word that limits it."""
    for at, (lemma, behind) in enumerate(pairwise(sentence.lemmas)):
        if lemma in DENYING and behind in FOCUSING:
            return Words((at,), anchor=at + 1)
    return Words()


def focused_subjects(draft: Draft) -> None:
    """Add a word such as "only" that limits the subject in just one sentence."""
    pair = draft.pair
    if FOCUSING.isdisjoint(pair.first.lemmas) or FOCUSING.isdisjoint(pair.second.lemmas):
        return
    focus1, focus2 = _focus(pair.first.sentence), _focus(pair.second.sentence)
    if focus1 is None or focus2 is None:
        return
    (at1, word1), (at2, word2) = focus1, focus2
    alone = {
        this.words[i]
        for this, at in ((pair.first, at1), (pair.second, at2))
        for i in this.alone
        if this.words[i] != at
    }
    if alone or any(one.relation is not LexicalRelation.SAME for one in pair.aligned):
        return
    numbers = pair.first.number.get(word1), pair.second.number.get(word2)
    subjects = pair.first.is_subject(word1), pair.second.is_subject(word2)
    if numbers[0] != numbers[1] and subjects[0] != subjects[1]:
        mass = sum(
            this.sentence.word_weights[this.sentence.position[word]]
            for this, word in ((pair.first, word1), (pair.second, word2))
        )
        words = Words((at1,), anchor=word1), Words((at2,), anchor=word2)
        draft.add(Kind.MODIFIER, mass / pair.size, words)


def _focus(sentence: Sentence) -> tuple[int, int] | None:
    """Return the only word such as "only", and the content word behind it."""
    found = [at for at, lemma in enumerate(sentence.lemmas) if lemma in FOCUSING]
    behind = [token for token in sentence.words if found and token > found[0]]
    return (found[0], behind[0]) if len(found) == 1 and behind else None


def _end(sentence: Sentence) -> Words:
    """Return the last token if it is a punctuation mark."""
    marks = () if sentence.forms[-1].isalnum() else (len(sentence.forms) - 1,)
    return Words(marker="?" if sentence.question else ".", marks=marks)


def _function_word(sentence: Sentence, lemma: str) -> Words:
    """Return the first token of that lemma that is not a content word."""
    tokens = (at for at, one in enumerate(sentence.lemmas) if one == lemma)
    return Words((next(at for at in tokens if at not in sentence.position),))


def particles(draft: Draft) -> None:
    """Add opposed particles, also if tagged as adverbs or prepositions: "turn it on", "turn off",
    "look up to".
    """
    pair = draft.pair
    first, second = pair.first, pair.second
    lemmas1, lemmas2 = first.sentence.word_lemmas, second.sentence.word_lemmas
    particles1, particles2 = first.sentence.particles, second.sentence.particles
    if OPPOSABLE.isdisjoint((*lemmas1, *lemmas2, *particles1, *particles2)):
        return
    words1 = OPPOSABLE & (particles1 | {lemmas1[i] for i in first.alone})
    words2 = OPPOSABLE & (particles2 | {lemmas2[i] for i in second.alone})
    if not words1 and not words2:
        return
    both1 = words1 | (OPPOSABLE & first.sentence.function_words)
    both2 = words2 | (OPPOSABLE & second.sentence.function_words)
    for word1 in sorted(both1 - words2):
        for word2 in sorted(both2 - words1):
            found = (word1 in words1) + (word2 in words2)
            if not found or (against := opposed(word1, word2)) < OPPOSED:
                continue
            at1, at2 = first.lemmas.index(word1), second.lemmas.index(word2)
            if found == 2 or _follow_one_verb(pair, at1, at2):
                weight = (informativeness(word1) + informativeness(word2)) / 2 / pair.size
                words = Words((at1,)), Words((at2,))
                draft.add(Kind.OPPOSITE, against * weight, words, against)


def _follow_one_verb(pair: Pair, at1: int, at2: int) -> bool:
    """Test if two tokens stand directly behind the same verb."""
    first, second = pair.first, pair.second
    if not at1 or not at2 or first.lemmas[at1 - 1] != second.lemmas[at2 - 1]:
        return False
    return first.tags[at1 - 1] == "VERB"
