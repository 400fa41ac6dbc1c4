"""One English sentence that sums up an explanation, built from its edits and its score."""

from __future__ import annotations

import math
import re
import string
from collections import Counter, defaultdict
from collections.abc import Sequence

from hybridsem._utils.terminal import visible
from hybridsem.comparison.counterparts import Counterparts
from hybridsem.comparison.edits import GOVERNORS, ROLES, SURE, Edit, Evidence, Kind, Words
from hybridsem.comparison.quotations import CONTENT, DENIALS, REACH, with_article, written
from hybridsem.comparison.spelling import excerpt, same_words
from hybridsem.english.harmless import proof
from hybridsem.english.wording import Wording, other_values
from hybridsem.english.wording import wording as wording_of
from hybridsem.english.words import NOT
from hybridsem.explanations import Explanation, RoleMatch, Term, numbered
from hybridsem.facts.reading import written_as
from hybridsem.render.claims import (
    Read,
    Side,
    both,
    counterparts,
    each,
    fits,
    have_moved,
    is_said,
    is_stated,
    joined,
    listed,
    merged,
    only,
)
from hybridsem.render.template_files import wording
from hybridsem.structures import Role

SMALL = 0.005  # smaller contributions are not mentioned, unless such a difference decides
BESIDE = 0.2
"""Other differences are mentioned if they cost at least this share of the main one's cost."""
APART = 0.3  # the score below which no common content word is all that is stated
DECISIVE = frozenset({Evidence.SCOPE, Evidence.OPPOSITION})
HEDGED = re.compile(r"wording(, at least,)? differs:|was not decided")
"""Clauses that do not say how the meanings of two sentences differ."""
FOUND = {
    ("contradicts", "contradicts"): "a contradiction",
    ("same meaning", "same meaning"): "the same meaning",
    ("", "follows"): "that the second follows from the first",
    ("follows", ""): "that the first follows from the second",
}
"""What a pair reader finds, by the words for each sentence (``pair_reader/base.py``)."""
FEW = 2  # the most clauses about replaced or added words
SHARED = 3  # the most words that are named as what both sentences say


def summary(explanation: Explanation) -> str:
    """Return one sentence that sums up the difference of two sentences."""
    if math.isnan(explanation.score):
        return "The pair has no score."
    if explanation.sentence1 == explanation.sentence2:
        return "The sentences are the same."
    clause = (
        _of_sentences(explanation)
        or _of_proof(explanation)
        or _of_edits(explanation)
        or _of_roles(explanation)
        or _of_figures(explanation)
        or _of_contents(explanation)
    )
    lines = (line for line in explanation.matches if line.term == Term.TOGETHER)
    found = (FOUND.get((line.filler1 or "", line.filler2 or "")) for line in lines)
    if (finding := next(found, None)) and HEDGED.search(clause):
        clause = f"{clause}; the pair reader finds {finding}"
    return clause[0].upper() + clause[1:] + "."


def _of_sentences(explanation: Explanation) -> str:
    """Return a clause about the least similar sentences of texts of several; "" for other texts."""
    compared = [
        (pair.explanation, pair)
        for pair in explanation.sentences
        if pair.explanation and pair.explanation.sentence1 != pair.explanation.sentence2
    ]
    if compared:
        least, pair = min(compared, key=lambda one: one[0].score)
        clause = summary(least).rstrip(".")
        return f"{numbered(*pair[:2])}: {clause[0].lower()}{clause[1:]}"
    lone = (pair for pair in explanation.sentences if None in pair[:2])
    return next(map(str, lone), "")


def _of_proof(explanation: Explanation) -> str:
    """Return a clause about texts that say the same in other words or figures; "" for others."""
    text1, text2 = explanation.sentence1, explanation.sentence2
    text2, equal = written_as(text2, text1)
    proven = proof(text1, text2) if equal else None
    if proven is None:
        return ""
    return joined([f'"{one.text1}" and "{one.text2}" are the same {one.kind}' for one in equal])


def _of_figures(explanation: Explanation) -> str:
    """Return a clause about figures and signs that no edit names; "" for none."""
    other = other_values(explanation.sentence1, explanation.sentence2)
    return joined(each([one for one, _ in other], [two for _, two in other]))


def _of_contents(explanation: Explanation) -> str:
    """Return a clause about the words that replace others, or that one sentence alone has."""
    between = counterparts(explanation)
    if between is None:
        return _of_forms(explanation)
    if clause := _of_words(between, Read.of(explanation), explanation.score < APART):
        return clause
    if wording_of(explanation.sentence1, explanation.sentence2) is Wording.PROVEN:
        return "the sentences say the same in another wording"
    same = Counter(token.lemma for token in between.first if token.pos in CONTENT)
    if same == Counter(token.lemma for token in between.second if token.pos in CONTENT):
        return "the content words are the same"
    return "the content words are the same, or mean the same"


def _of_words(
    between: Counterparts,
    read: Read,
    apart: bool = False,
    edits: Sequence[Edit] = (),
    clause: str = "",
) -> str:
    """Return a clause about the unlike words that no edit quotes, nor ``clause``. A few replaced
    words and phrases without a counterpart are named one by one; of more, the longest phrases of
    each sentence. Of sentences that mean nearly the same, only the wording differs.
    """
    trees = between.first, between.second
    quoted = [_quoted(between, side, edits) for side in (0, 1)]
    pairs = [
        pair
        for pair in between.replaced
        if all(quoted[side].isdisjoint(between.whole(side, pair[side])) for side in (0, 1))
    ]
    own = _free(between, between.unmatched, quoted)
    replaced = [[between.whole(side, pair[side]) for pair in pairs] for side in (0, 1)]
    for side, found in enumerate(replaced):
        for place, (pair, some) in enumerate(zip(pairs, found, strict=True)):
            head = trees[side][pair[side]].head
            wider = (one for one in own[side] if {*some} <= {*one} and head not in one)
            found[place] = next(wider, some)
        own[side] = [one for one in own[side] if one not in found]
    if len(pairs) + len(own[0]) + len(own[1]) > FEW:
        own = _free(between, between.unlike, quoted)
        replaced = [[], []] if any(own) else replaced
    texts, named = (
        [
            [text for one in sorted(some[:FEW]) if (text := written(tree, one)) not in clause]
            for tree, some in zip(trees, found, strict=True)
        ]
        for found in (own, replaced)
    )
    if not all(texts) and all(named):
        texts = [
            [text for text in more if not any(f" {one} " in f" {text} " for one in some)]
            for some, more in zip(named, texts, strict=True)
        ]
        return joined([*each(named[0], named[1], read), *only(*texts)])
    words = [[*some, *more] for some, more in zip(named, texts, strict=True)]
    shared = [] if edits or not all(texts) else between.shared()
    if apart and all(texts) and not (shared or edits or between.replaced or between.has_alike):
        return "the sentences have no content word in common"
    alike = both(shared) if len(shared) <= SHARED else []
    return joined([*alike, *(each(words[0], words[1], read, loose=True) or only(*words))])


def _quoted(between: Counterparts, side: int, edits: Sequence[Edit]) -> set[int]:
    """Return the tokens of a sentence that edits name, 0 or 1, values whole."""
    tokens = [at for edit in edits for at in edit.sides[side].all_tokens]
    return {one for at in tokens for one in between.whole(side, at)}


def _free(
    between: Counterparts, tokens: Sequence[Sequence[int]], known: Sequence[set[int]]
) -> list[list[list[int]]]:
    """Return the phrases of each sentence that have no known words; full ones if both have some."""
    full = all(tokens)
    return [
        [one for one in between.phrases(side, some, full) if known[side].isdisjoint(one)]
        for side, some in enumerate(tokens)
    ]


def _of_forms(explanation: Explanation) -> str:
    """Return the clause of sentences without trees: the words that both have, and only one."""
    first, second = (
        [bare for word in text.split() if (bare := word.strip(string.punctuation))]
        for text in (explanation.sentence1, explanation.sentence2)
    )
    known1, known2 = ({word.lower() for word in words} for words in (first, second))
    shared = [word for word in first if word.lower() in known2]
    alone1 = [word for word in first if word.lower() not in known2]
    alone2 = [word for word in second if word.lower() not in known1]
    if alone1 or alone2:
        return joined([*both(shared), *(each(alone1, alone2) or only(alone1, alone2))])
    return "the sentences have the same words"


def _decides(kind: Kind) -> bool:
    """Test if sentences with an edit of a kind may contradict each other."""
    return kind.contradicts or kind.evidence in DECISIVE


def _of_edits(explanation: Explanation) -> str:
    """Return a clause about the kinds of difference that cost most; "" if that is little."""
    lines: defaultdict[str, list[RoleMatch]] = defaultdict(list)
    for match in sorted(explanation.matches, key=lambda match: match.contribution):
        if match.edits and match.contribution < 0:
            lines[match.label].append(match)
    costs = {label: -sum(line.contribution for line in lines[label]) for label in lines}
    first, second = map(Side.of, (explanation.structure1, explanation.structure2))
    between = counterparts(explanation)
    read = Read.of(explanation)
    if not costs or first is None or second is None or between is None:
        return ""
    edits = [
        some
        for label in sorted(costs, key=costs.__getitem__, reverse=True)
        if costs[label] >= BESIDE * max(costs.values())
        and (some := [one for line in lines[label] for one in line.edits if fits(one, between)])
    ]
    if not edits:
        return ""
    kind = edits[0][0].kind
    if max(costs.values()) < SMALL and not (kind.distinguishes or _decides(kind)):
        return ""
    stated: dict[str, list[Edit]] = {}
    for main, some in enumerate(edits):
        decides = _decides(some[0].kind)
        if some[0].kind.evidence is Evidence.NUMBER:
            some = [edit for edit in some if is_stated(edit, between, first, second)]
        if some and (decides or not main) and is_stated(some[0], between, first, second):
            stated.setdefault(_clause(some, first, second), some)
    stated.pop("", None)
    clauses = [one for at, one in enumerate(stated) if not is_said(one, [*stated][:at])][:FEW]
    quoted = [edit for clause in clauses for edit in stated[clause]]
    if not clauses:
        return _of_words(between, read, explanation.score < APART)
    clause = "; ".join(clauses)
    plain = any(
        costs[label] >= SMALL and lines[label][0].edits[0].kind.evidence is None for label in costs
    )
    if (plain or len(stated) < len(edits)) and (
        rest := _of_words(between, read, edits=quoted, clause=clause)
    ):
        clause = merged(clause, rest, read)
    return f"same words, but {clause}" if first.words == second.words else clause


def _of_roles(explanation: Explanation) -> str:
    """Return a clause about the role that changed or differs most, for models of roles."""
    least = min(explanation.matches, key=lambda match: match.contribution, default=None)
    if least is not None and least.contribution < -SMALL:
        if least.term == Term.POLARITY:
            return "only one of the sentences is negated"
        if least.term == Term.SWAP and least.filler1 and least.role1 != least.role2:
            role1, role2 = visible(str(least.role1)), visible(str(least.role2))
            word = listed([least.filler1])
            return f"{word} is the {role1} in the first sentence and the {role2} in the second"
    found = [
        (match.weight * (1 - match.similarity), match)
        for match in explanation.matches
        if match.term == Term.ROLE
        and match.filler1
        and match.filler2
        and match.filler1 != match.filler2
    ]
    lost, match = max(found, key=lambda one: one[0], default=(0.0, None))
    if match is None or lost < BESIDE / 4:
        return ""
    texts = " and ".join(listed([text or ""]) for text in (match.filler1, match.filler2))
    return f"the sentences differ most in the role {visible(str(match.role1))}: {texts}"


def _clause(edits: Sequence[Edit], first: Side, second: Side) -> str:
    """Return a clause about edits that share a label, the costliest first."""
    edit = edits[0]
    if edit.kind.evidence in (Evidence.PLACE, Evidence.ORDER):
        return _reversed(edits, first, second) or _moved(edits, first, second)
    before, after = edit.before, edit.after
    text1, text2, exact = first.quote(before), second.quote(after), True
    if edit.kind.evidence is Evidence.NUMBER:
        same = [one for one in edits if bool(one.before.tokens) == bool(before.tokens)]
        both = zip(*(_values(one, first, second) for one in same), strict=True)
        text1, text2 = map(listed, both)
        exact = len(same) == 1 and not any(
            "of" in text.split() or text.startswith(('"a ', '"an ')) for text in (text1, text2)
        )
    if edit.kind is Kind.MODALITY and (first.is_far(before) or second.is_far(after)):
        text1, text2 = first.auxiliaries(before), second.auxiliaries(after)
    if edit.kind is Kind.NEGATION_PARITY:
        text1, text2 = first.denied(before, second), second.denied(after, first)
    if edit.kind is Kind.NEGATION and (before.anchor is None) != (after.anchor is None):
        if denied := _denied_alone(edit, first, second):
            return denied
        texts = first.negated(before) or text1, second.negated(after) or text2
        text1, text2 = ("", texts[1]) if before.anchor is None else (texts[0], "")
    if edit.kind is Kind.QUESTION:
        text1, text2 = (text if text.endswith('?"') else "" for text in (text1, text2))
        if bool(text1) == bool(text2):
            return ""  # an inversion: "so tall is she"
    if text1 and text1.lower() == text2.lower():
        return f"only one sentence negates {text1}" if edit.kind is Kind.NEGATION else ""
    parts = sorted((text1.strip('"'), text2.strip('"')), key=len)
    if edit.kind is Kind.QUANTITY and text1 and f" {parts[0]} " in f" {parts[1]} ":
        return ""  # "a small lump" and "no small lump"
    if text1 and text2:
        other = "the first sentence says {first}, the second {second}"
        form = wording("with_both").get(edit.kind, other) if exact else other
        if edit.confidence < SURE:
            form = wording("weak").get(edit.kind, form)
        return form.format(first=text1, second=text2) + _denied_opposite(edit, first, second)
    side, words = ("first", text1) if text1 else ("second", text2)
    alone = wording("in_one").get(edit.kind, "only the {side} sentence says {words}")
    if words or "{words}" not in alone:
        return alone.format(side=side, words=words)
    return "the negations or opposites do not balance" if edit.kind is Kind.NEGATION_PARITY else ""


def _denied_opposite(edit: Edit, first: Side, second: Side) -> str:
    """Return that one of two opposites is denied, and so may mean the same; "" for others."""
    sides = (("first", first, edit.before), ("second", second, edit.after))
    denied = [
        f", and the {name} sentence denies {side.quote(words)}"
        for name, side, words in sides
        if edit.kind is Kind.OPPOSITE
        and any(
            one.lemma in DENIALS
            for at in words.tokens[:1]
            for one in side.tree.tokens[max(0, at - REACH) : at]
        )
    ]
    return denied[0] if len(denied) == 1 else ""


def _denied_alone(edit: Edit, first: Side, second: Side) -> str:
    """Return a clause about a word such as "nobody" or "refused" that denies in one sentence; ""
    for "not".
    """
    sides = (second, first) if edit.before.anchor is None else (first, second)
    by = Words(_anchor(edit.after if edit.before.anchor is None else edit.before))
    name = "second" if edit.before.anchor is None else "first"
    plain = all(one.lemma in NOT for one in sides[0].tree.tokens[by.tokens[0] :][:1])
    denied = "" if plain else sides[0].denied(by, sides[1])
    form = wording("in_one")[Kind.NEGATION_PARITY]
    return form.format(side=name, words=denied) if denied else ""


def _values(edit: Edit, first: Side, second: Side) -> tuple[str, str]:
    """Return the values of both sentences as written; "" for none."""
    values = first.value(edit.before), second.value(edit.after)
    if all(values):
        values = Counterparts(first.tree, second.tree, {}).begun_alike(*values)
    text1, text2 = (
        written(side.tree, some) if some else ""
        for side, some in zip((first, second), values, strict=True)
    )
    return text1, text2


def _moved(edits: Sequence[Edit], first: Side, second: Side) -> str:
    edit = edits[0]
    before, after = edit.before, edit.after
    names = first.spelled(sorted({at for one in edits for at in one.before.tokens}))
    if edit.kind is Kind.CROSSED:
        parts = sorted(one.before.tokens for one in edits)
        names = [excerpt(with_article(first.tree, part), first.spell) for part in parts]
    anchors = *first.spelled(_anchor(before)), *second.spelled(_anchor(after))
    alike = same_words(before.tokens, first.spell, after.tokens, second.spell)
    reattached = edit.kind in (*GOVERNORS, Kind.MODIFIER) and len({*anchors}) == 2
    if reattached and alike and len(names) == 1:
        governors = "with {} in the first sentence and with {} in the second"
        return f"{listed(names)} goes {governors.format(*(listed([one]) for one in anchors))}"
    if edit.kind is Kind.INVERTED and max(before.all_tokens, default=0) < len(first.tree):
        names = [excerpt(before.all_tokens, first.spell)]
    several = len({*names}) > 1
    if not names or (several and not have_moved(edits)):
        return ""
    if edit.label == Kind.ROLE.label:
        if not all(
            same_words(one.before.tokens, first.spell, one.after.tokens, second.spell)
            for one in edits
        ):
            return ""
        return f"{listed(names)} changed {'places' if several else 'its place'}"
    return f"{listed(names)} {'are' if several else 'is'} {edit.label}"


def _anchor(words: Words) -> tuple[int, ...]:
    return () if words.anchor is None else (words.anchor,)


def _reversed(edits: Sequence[Edit], first: Side, second: Side) -> str:
    """Return the statement that subject and object of a verb were exchanged; "" if they were not,
    or if other words were too.
    """
    sure = [edit for edit in edits if edit.kind in ROLES and edit.confidence >= SURE]
    if len(sure) != 2 or sure[0].event != sure[1].event:
        return ""
    one, two = sure
    roles = [
        Role.PATIENT if words.role == Role.THEME else words.role
        for words in (one.before, one.after, two.after, two.before)
    ]
    if roles[:2] != roles[2:] or {*roles} != {Role.AGENT, Role.PATIENT}:
        return ""
    forms = [
        _verb(side, words)
        for side, words in ((first, (one.before, two.before)), (second, (one.after, two.after)))
    ]
    verbs = {form[0] for form in forms if form is not None}
    if None in forms or len(verbs) != 1:
        return ""
    form = next((form[1] for form in forms if form is not None and form[1]), "")
    return f"who {form} whom is reversed" if form else "who did what to whom is reversed"


def _verb(side: Side, words: Sequence[Words]) -> tuple[str, str] | None:
    """Return the lemma of the verb whose subject and object are these words, and its form if it is
    finite and active, else "".
    """
    tree, at = side.tree, words[0].anchor
    if at is None or at != words[1].anchor or at >= len(tree) or tree[at].pos != "VERB":
        return None
    tokens = [token for one in words for token in one.tokens]
    if len(tokens) != 2 or max(tokens) >= len(tree) or {tree[t].head for t in tokens} != {at}:
        return None
    relations = {tree[token].relation for token in tokens}
    beside = {tree[child].relation for child in tree.children(at)}
    if "compound:prt" in beside or relations not in ({"nsubj", "obj"}, {"nsubj:pass", "obl:agent"}):
        return None
    finite = "nsubj" in relations and not beside & {"aux", "mark"}
    verb = tree[at]
    return verb.lemma, verb.text if finite and verb.text.lower() != verb.lemma else ""
