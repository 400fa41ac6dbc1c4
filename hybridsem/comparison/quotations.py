"""Phrases to quote: words with what belongs to them, whole values with their bounds, as written.

has a black dog            "a black dog"       words that depend on one word outside
not her deputy             "not her deputy"    no denial is lost
up to ten | a third of an hour                 no value is cut
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

from hybridsem._utils.tables import read_table, spaced, word_sets
from hybridsem.comparison.folding import Unit
from hybridsem.english.lexicon import POS, LexicalRelation, lexicon
from hybridsem.english.numbers import number_value
from hybridsem.english.words import NOT, STOP_WORDS
from hybridsem.parsers.trees.clauses import base_of
from hybridsem.structures import DependencyTree

_WORDS = word_sets(read_table(__file__)["words"])
_RELATIONS = word_sets(read_table(__file__)["relations"])
_FOLLOWED = {word: spaced(text) for word, text in read_table(__file__)["followed"].items()}
_OWNERS = word_sets(read_table(__file__)["owners"])
_LED = word_sets(read_table(__file__)["led"])
BOUNDS, PREPOSITIONS = _WORDS["bounds"], _WORDS["prepositions"]
FRACTIONS = _WORDS["fractions"]
CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})
_MORE_OF_IT = re.compile(r"(?:[-'’]\w+)*")
BRACKETS = "([{\"“‘'"
MARKS = '"“”„'
"""Quotation marks that a quotation leaves out."""
GAP = 3
"""The most words without content between two of a phrase."""
REACH = 3
"""The most words from the last of a phrase to the word that it modifies."""
LONGEST = 4
"""The most words that complete a phrase."""
BEGINNING = 5
"""The least number of letters that words of one family share."""
BEFORE, STARTING, FUNCTIONS = (_RELATIONS[name] for name in ("before", "starting", "functions"))
LISTED, AFTER = _RELATIONS["listed"], _RELATIONS["after"]
WITHIN = _RELATIONS["within"]
PARTICLES, COMPLETING = _WORDS["particles"], _WORDS["completing"]
SLIGHT, SUPPORTING = _WORDS["slight"], _WORDS["supporting"]
ALIKE = 0.6, 0.5
"""From this likeness on, as a pair reader finds it, what two sentences say in one place may be the
same in other words; if they have several such places, from the second on. Of 394 statements about
development pairs that set phrases side by side, those that misled for this reason were 2 of 41
below .3, and 20 of 27 from .9 on.
"""
MOST = 0.5
"""The share of the content words of both sentences that are most of their wording."""
QUOTED = re.compile('"[^"]*"')
CONTRACTED = frozenset({"n't", "n’t"})
DENIALS = NOT | {"never", "no"}
DENYING = DENIALS | _WORDS["denying"]


def base(relation: str) -> str:
    """Return a dependency relation without its subtype; a passive subject is an object."""
    return "obj" if relation == "nsubj:pass" else base_of(relation)


def with_bound(tree: DependencyTree, tokens: Iterable[int]) -> list[int]:
    """Return the tokens of a value with the words of its bound, or of which it is a part: "more
    than a dozen", "a third of an hour".
    """
    found = sorted(tokens)
    start = found[0]
    if start > 1 and tree[start - 1].lemma == "of" and tree[start - 2].text.lower() in FRACTIONS:
        more = start > 2 and tree[start - 3].pos in ("DET", "NUM")  # "two thirds of"
        found = [*range(start - 3 if more else start - 2, start), *found]
        start = found[0]
    while start and tree[start - 1].text.lower() in BOUNDS and tree[start - 1].relation != "mark":
        start -= 1
    while start < found[0] and not _begins_bound(
        *(tree[at].text.lower() for at in (start, start + 1))
    ):
        start += 1
    return [*range(start, found[0]), *found]


def without_adjunct(
    tree: DependencyTree, phrase: list[int], alone: Container[int], said: str
) -> list[int]:
    """Return a phrase up to its last word that is ``alone``, if a preposition follows with what the
    other text, ``said``, has too: "dancing" of "dancing on a beach".
    """
    end = max((at for at in phrase if at in alone), default=phrase[-1])
    rest = [at for at in phrase if at > end]
    adjunct = rest and tree[rest[0]].pos == "ADP"
    known = adjunct and f" {plain_text(written(tree, rest))} " in f" {said} "
    return phrase[: -len(rest)] if known else phrase


def with_article(tree: DependencyTree, tokens: Sequence[int]) -> list[int]:
    """Return the tokens of a part of a sentence, that of a clause with the article before it."""
    before = tokens[0] - 1
    clause = before >= 0 and any(tree[at].pos == "VERB" for at in tokens)
    begun = clause and tree[before].relation == "det" and tree[before].head in tokens
    return [before, *tokens] if begun else [*tokens]


def whole_value(
    tree: DependencyTree, tokens: Iterable[int], units: Mapping[int, Unit]
) -> list[int]:
    """Return the tokens of values with their bounds; an article with what it counts."""
    parts = (units[at].tokens if at in units else (at,) for at in tokens)
    found = [at for some in parts for at in some if at < len(tree)]
    if len(found) == 1 and tree[found[0]].lemma == "a":
        found = phrases(tree, range(found[0], tree[found[0]].head + 1))[0]
    return with_bound(tree, found) if found else []


def is_wording(*texts: str) -> bool:
    """Test if texts may say the same in other words: they have no values, and deny nothing."""
    return not any(
        word in DENYING or word.endswith(tuple(CONTRACTED)) or number_value(word) is not None
        for word in _words(texts)
    )


def shared_wording(
    quoted: tuple[str, str], sentences: tuple[str, str], likeness: float
) -> Literal["", "some", "most"]:
    """Return whether quotations of two sentences may be other words of the same: "some" of the
    sentences, or "most"; "" if they have other numbers, or if a pair reader finds too little
    likeness. That is not a number without a reader.
    """
    if not likeness >= ALIKE[_are_several(quoted)]:
        return ""
    first, second = (
        {number for word in _words([text]) if (number := number_value(word)) is not None}
        for text in quoted
    )
    if first and second and first != second:
        return ""
    return "most" if are_most(quoted, sentences) else "some"


def are_most(quoted: tuple[str, str], sentences: tuple[str, str]) -> bool:
    """Test if quotations, several of one sentence, have most of the words of both sentences."""
    words = [_words([text]) for text in quoted]
    content = [[word for word in _words([text]) if word not in STOP_WORDS] for text in sentences]
    shares = (
        sum(one in some for one in every) / max(len(every), 1)
        for some, every in zip(words, content, strict=True)
    )
    return _are_several(quoted) and min(shares) >= MOST


def _are_several(quoted: Iterable[str]) -> bool:
    return any(len(QUOTED.findall(text)) > 1 for text in quoted)


def plain_text(text: str) -> str:
    """Return a text in lower case, without punctuation."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def are_unrelated(texts1: Iterable[str], texts2: Iterable[str]) -> bool:
    """Test if texts of two sentences have nothing by which one could see how they differ: values,
    denials, opposites, words of one family, half of their content words.
    """
    words1, words2 = _words(texts1), _words(texts2)
    content1, content2 = ({*some} - STOP_WORDS for some in (words1, words2))
    shared = content1 & content2
    least = max(1, min(len(content1), len(content2)))
    if not is_wording(*words1, *words2) or 2 * len(shared) >= least:
        return False
    return not any(
        (one[:BEGINNING] == two[:BEGINNING] != one[: BEGINNING - 1])
        or any(lexicon().relation(one, tag, two, tag)[0] is LexicalRelation.ANTONYM for tag in POS)
        for one, two in product({*words1} - shared, {*words2} - shared)
    )


def _words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in re.findall(r"[^\W_]+(?:['’]t)?", text.lower())]


def is_preposition(tree: DependencyTree, at: int) -> bool:
    """Test if a word is a preposition that belongs to a value, and begins no bound ("at least")."""
    word, following = _spelled(tree, at), _spelled(tree, at + 1)
    bound = word in _FOLLOWED and _begins_bound(word, following)
    return word in PREPOSITIONS and not bound


def _spelled(tree: DependencyTree, at: int) -> str:
    """Return a word as in the text, in lower case; a word of a value has no text of its own."""
    if at >= len(tree):
        return ""
    return tree.text[tree[at].start : tree[at].end].lower()


def _begins_bound(word: str, following: str) -> bool:
    """Test if a word begins a bound: "at least", "up to", but not "at", "up" or "a" alone."""
    return word not in _FOLLOWED or following in _FOLLOWED[word]


def phrases(
    tree: DependencyTree,
    alone: Sequence[int],
    units: Iterable[Unit] = (),
    equal: Container[int] = (),
    full: bool = False,
) -> list[list[int]]:
    """Return words as phrases, those with most content first: neighbours that belong together, and
    what belongs to them before and after. No value is cut; an ``equal`` one completes no phrase.
    ``full`` phrases can be read alone, even if the other sentence says a part of them.
    """
    runs: list[list[int]] = []
    for at in alone:
        gap = tree.tokens[runs[-1][-1] + 1 : at] if runs else ()
        comma = "," if tree[at].relation in LISTED else ""
        plain = all(
            one.pos not in CONTENT
            and (
                one.pos != "PUNCT"
                or one.text == comma
                or " " not in tree.text[one.start - 1 : one.end + 1]  # "full-time"
            )
            for one in gap
        )
        if runs and len(gap) <= GAP and plain:
            runs[-1].append(at)
        else:
            runs.append([at])
    wholes: list[list[int]] = []
    for one in (part for run in runs for part in _connected(tree, run, full)):
        whole = _whole(tree, one, equal, full)
        for unit in units:
            value = [] if unit.phrase else with_bound(tree, unit.tokens)
            if not {*whole}.isdisjoint(value):
                whole = [*range(min(whole[0], value[0]), max(whole[-1], value[-1]) + 1)]
        while wholes and whole[0] <= wholes[-1][-1]:
            before = wholes.pop()
            whole = [*range(min(before[0], whole[0]), max(before[-1], whole[-1]) + 1)]
        wholes.append(whole)
    content = [at for at in alone if tree[at].pos != "ADV"]
    wholes.sort(key=lambda one: (-len({*one} & {*alone}), -len({*one} & {*content})))
    return wholes


def _connected(tree: DependencyTree, run: list[int], full: bool) -> Iterator[list[int]]:
    """Split a run of words where its parts depend on different words outside."""
    while run:
        size = next(
            size
            for size in range(len(run), 0, -1)
            if size == 1 or _has_one_head(tree, range(run[0], _end(tree, run[:size], full) + 1))
        )
        yield [*range(run[0], run[size - 1] + 1)]
        run = run[size:]


def _has_one_head(tree: DependencyTree, span: range) -> bool:
    """Test if the words of a span depend on one word outside; across a comma, on one within."""
    tops = [
        at
        for at in span
        if tree[at].head not in span and base(tree[at].relation) not in (*FUNCTIONS, "punct", "cc")
    ]
    comma = any(tree[at].text == "," for at in span)
    return len(tops) <= 1 if comma else len({tree[at].head for at in tops}) <= 1


def _whole(tree: DependencyTree, phrase: list[int], equal: Container[int], full: bool) -> list[int]:
    """Add what belongs to a phrase: function words before it, what the last of several words
    modifies, the rest of a number with what it counts, and what completes its last word.
    """
    verbs = [tree[at].head for at in phrase if tree[at].relation == "compound:prt"]
    start = min(at for at in (phrase[0], *verbs) if at >= phrase[0] - REACH)  # "put the call out"
    if base(tree[start].relation) in WITHIN and start - REACH <= tree[start].head < start:
        start = tree[start].head  # "of course", "Ann Lee"
    end, top = _counted(tree, _end(tree, phrase, full)), start
    while base(tree[top].relation) in BEFORE and start < tree[top].head <= end:
        top = tree[top].head
    if base(tree[top].relation) == "obj" and tree[top].head == start - 1:
        verb = start - 1
        governed = [tree[at] for at in tree.children(verb)]
        negated = any(one.lemma in DENIALS for one in governed)  # "don't have direct experience"
        joined = any(tree[at].relation == "conj" and tree[at].head == verb for at in phrase)
        if (tree[verb].lemma in SUPPORTING and (top == start or negated)) or joined:
            start = verb  # "takes place", "underwent dialysis and was ill"
    while start and tree[start].pos == "NUM" and tree[start - 1].pos in ("NUM", "SYM"):
        start -= 1
    beside = tree[end + 1].lemma if end + 1 < len(tree) else ""
    taking = ("VERB", "ADJ", "NOUN") if full else ("VERB", "ADJ")  # "full of water"
    completed = tree[end].pos == "VERB" or (beside in COMPLETING and tree[end].pos in taking)
    if len(phrase) > 1 or completed:
        end = _completed(tree, start, end, equal, full)
    begun, before = start, start
    while before and _begins(tree, before - 1, range(start, end + 1)):
        before -= 1
        lemma = tree[before].lemma
        relation = base(tree[before].relation)
        keeps = relation in STARTING or lemma in DENIALS | _WORDS["grading"]
        keeps |= full and relation == "cop"
        begun = before if keeps or start < end else begun
    for at in range(end + 1, min(end + 1 + REACH, len(tree))):
        of_verb = start <= tree[at].head <= end and tree[tree[at].head].pos == "VERB"
        near = at == end + 1 and tree[at].head == end and tree[at].lemma in PARTICLES
        if (of_verb and (near or tree[at].relation == "compound:prt")) or (
            at == end + 1 and tree[at].text in CONTRACTED
        ):
            end = at
    if number := next((at for at in range(begun, end + 1) if tree[at].pos == "NUM"), 0):
        begun = min(begun, with_bound(tree, [number])[0])  # "as much as ten"
    if full and begun and tree[begun].lemma == "of" and tree[begun - 1].pos == "NOUN":
        return _whole(tree, [*range(begun - 1, end + 1)], equal, full)  # "a lack of light"
    if begun and tree[begun - 1].pos in _LED.get(tree[begun].lemma, ()):
        begun -= 1
    denied = begun - (begun > 0 and tree[begun - 1].pos == "ADV")  # "no one really cares"
    for size in (2, 1):
        words = [one.text.lower() for one in tree.tokens[max(0, denied - size) : denied]]
        if "_".join(words) in _WORDS["denying"]:
            return [*range(denied - len(words), end + 1)]
    return [*range(begun, end + 1)]


def _counted(tree: DependencyTree, end: int) -> int:
    """Return the last token of a number with what it counts, after the words of its bound."""
    number = end
    while number + 1 < len(tree) and tree[number].text.lower() in BOUNDS:
        number += 1
    end = number if tree[number].pos == "NUM" else end
    while end + 1 < len(tree) and tree[end].pos == "NUM":
        if tree[end + 1].pos != "NUM" and tree[end].head != end + 1:
            break
        end += 1
    return end


def _completed(
    tree: DependencyTree, start: int, end: int, equal: Container[int], full: bool
) -> int:
    """Return the last token of what follows a phrase and completes its words, if that is short:
    "allows them to administer drugs".
    """
    first, more = end, _completed_once(tree, start, end, equal)
    while end < more and full and more - first < LONGEST:
        end, more = more, _completed_once(tree, start, more, equal)
    return more


def _completed_once(tree: DependencyTree, start: int, end: int, equal: Container[int]) -> int:
    following = end + 1
    top = following
    while top < len(tree) and tree[top].head > top and tree[top].head - end <= LONGEST:
        top = tree[top].head
    if top >= len(tree) or not start <= tree[top].head <= end:
        return end
    below = tree.subtree(top)
    if below[0] != following:
        return end
    if tree[top].relation == "advmod" and not DENIALS.isdisjoint(
        tree[at].lemma for at in tree.children(tree[top].head)
    ):
        return top  # "does not work any better"
    known = tree[following].lemma not in COMPLETING and any(at in equal for at in below)
    if base(tree[top].relation) not in AFTER or known:
        return end
    words = [at for at in below if at <= top or tree[at].pos != "PUNCT"]
    last = words[-1] if len(words) <= LONGEST else top
    return last if last - end <= LONGEST else end


def _end(tree: DependencyTree, phrase: Sequence[int], full: bool) -> int:
    """Return the last token of a phrase with the word that a word of it modifies."""
    end, owner = phrase[-1], tree[phrase[-1]].relation == "nmod:poss"
    name = f"{tree[end].lemma} {tree[end + 1].lemma}".lower() if end + 1 < len(tree) else ""
    part = tree[end].relation == "compound"
    part |= tree[end].relation == "amod" and (full or (name, "NOUN") in lexicon())  # "high school"
    for at in phrase if len(phrase) > 1 or part or (owner and tree[end].pos != "PRON") else ():
        head, relation = tree[at].head, base(tree[at].relation)
        least = _OWNERS.get(relation)
        fits = tree[head].pos in least if least else relation in BEFORE
        if end < head <= end + REACH and fits:
            end = head
    return end


def _begins(tree: DependencyTree, at: int, phrase: range) -> bool:
    """Test if a function word, or a word that denies, depends on a phrase behind it."""
    token = tree[at]
    owner = token.relation == "nmod:poss" and token.pos == "PRON"
    graded = token.text.lower() in _WORDS["grading"] and tree[token.head].pos in ("ADJ", "ADV")
    function = base(token.relation) in FUNCTIONS | BEFORE or token.lemma in DENIALS or owner
    return (function or graded) and token.head in phrase


def written(tree: DependencyTree, tokens: Sequence[int]) -> str:
    """Return a phrase as written, with whole words: "can't", "full-time"; without quotation marks
    or half of a pair of brackets; the first word of a sentence in lower case unless it is a name.
    """
    first = tree[tokens[0]]
    start, end = first.start, tree[tokens[-1]].end
    before = tree.text[start - 1 : start]
    if before.isalnum() or before in ("-", "'", "’"):
        start -= len(tree.text[:start].split()[-1].lstrip(BRACKETS))
    more, after = _MORE_OF_IT.match(tree.text, end), tree.tokens[tokens[-1] + 1 :][:1]
    if more and not (len(tokens) == 1 and after and after[0].relation == "case"):
        end = more.end()  # but no "'s" of a single word
    text = " ".join("".join(c for c in tree.text[start:end] if c not in MARKS).split())
    if text.count("(") > text.count(")"):
        text = f"{text})" if tree.text[end : end + 1] == ")" else text.replace("(", "")
    name = first.pos == "PROPN" or first.lemma[:1].isupper()  # "Chinese"
    name |= len(tokens) > 1 and tree[tokens[1]].text.istitle()  # "Chief Executive"
    keeps = tokens[0] or name or first.text == "I" or not first.text.istitle()
    return text if keeps else text[:1].lower() + text[1:]
