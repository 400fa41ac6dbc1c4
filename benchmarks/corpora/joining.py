"""An offline fuser: two sentences joined into one by their dependency trees.

    shared subject     "Ann left. She took the bus."             Ann left and took the bus.
    shared head        "He met Ann. Ann lives in Rome."          He met Ann, who lives in Rome.
    otherwise          "Ann left. It rained."                    Ann left, and it rained.

It does not know what trees do not show (causes, redundant words, the referents of pronouns): it
joins, and does not rewrite as a language model does.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.corpora.clause import lowered
from hybridsem._utils.tables import word_set
from hybridsem.parsers.trees.embedded import EmbeddedTrees
from hybridsem.structures import DependencyTree

SUBJECTS = ("nsubj", "nsubj:pass")
NOMINALS = ("NOUN", "PROPN")
CONNECTIVES = word_set(
    "also consequently furthermore hence however instead meanwhile moreover nevertheless then "
    "therefore thus"
)
"""Adverbs that link their clause to the preceding one, so that no "and" is needed."""

PERSONS = frozenset({"he", "she"})
THINGS = frozenset({"it"})
MANY = frozenset({"they"})


def fused(
    pairs: Sequence[tuple[str, str]], parser: EmbeddedTrees | None = None
) -> list[str | None]:
    """Return a sentence for each pair, by trees of the embedded parser, or of any other with UD
    labels; None for questions and texts without an end to join.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    found = (parser or EmbeddedTrees()).trees(texts) if texts else []
    trees = dict(zip(texts, found, strict=True))
    return [join(trees[one], trees[two]) for one, two in pairs]


def join(first: DependencyTree, second: DependencyTree) -> str | None:
    """Return one sentence with the content of two; None if they cannot be joined."""
    if first.truncated or second.truncated:
        return None
    one, two = first.text.strip(), second.text.strip()
    if one.endswith("?") or two.endswith("?"):
        return None
    body = one.rstrip(" .!;:")
    if not body or not two:
        return None
    if phrase := _opening_subject(second):
        predicate = second.text[second[len(phrase)].start :].strip()
        own = _subject(first)
        if own and _is_same(first, own, second, phrase, pronouns=True):
            return f"{body} and {predicate}"
        last = _closing_nominal(first)
        if last and _is_same(first, last, second, phrase, pronouns=False):
            head = _head(first, last)
            pronoun = "who" if first[head].pos == "PROPN" and _is_person(first, head) else "which"
            return f"{body}, {pronoun} {predicate}"
    following = second.text[second[0].end :].rstrip()
    return f"{body}{_link(second)} {lowered(second)}{following}"


def _link(second: DependencyTree) -> str:
    """Return the link between two sentences that share nothing."""
    if second[0].pos == "CCONJ":
        return ","
    has_clause = second[second.root].pos in ("VERB", "AUX") or any(
        second[child].relation in ("cop", *SUBJECTS) for child in second.children(second.root)
    )
    return ", and" if has_clause and second[0].text.lower() not in CONNECTIVES else ";"


def _subject(tree: DependencyTree) -> tuple[int, ...]:
    """Return the words of the root's subject."""
    for child in tree.children(tree.root):
        if tree[child].relation in SUBJECTS:
            return tree.subtree(child)
    return ()


def _opening_subject(tree: DependencyTree) -> tuple[int, ...]:
    """Return the subject's words, if a sentence begins with them and its predicate follows."""
    following = len(words := _subject(tree))
    opens = words == tuple(range(following)) and following < len(tree)
    if not opens or "PUNCT" in (tree[tree.root].pos, tree[following].pos):
        return ()
    return words


def _closing_nominal(tree: DependencyTree) -> tuple[int, ...]:
    """Return the words of the noun phrase that ends a sentence, other than its subject."""
    end = len(tree)
    while end and tree[end - 1].pos == "PUNCT":
        end -= 1
    best: tuple[int, ...] = ()
    subject = _subject(tree)
    for index in range(end):
        is_part = index in subject or tree[index].relation in ("compound", "flat")
        if is_part or tree[index].pos not in NOMINALS:
            continue
        below = tree.subtree(index)
        words = tuple(word for word in below if tree[word].relation not in ("case", "punct"))
        if len(words) > len(best) and words == tuple(range(words[0], end)):
            best = words
    return best


def _head(tree: DependencyTree, words: Sequence[int]) -> int:
    return next(word for word in words if tree[word].head not in words)


def _is_same(
    first: DependencyTree,
    words1: Sequence[int],
    second: DependencyTree,
    words2: Sequence[int],
    *,
    pronouns: bool,
) -> bool:
    """Return whether two phrases are equal but for the determiner, or a pronoun fits."""
    plain1, plain2 = (
        [tree[word].text.lower() for word in words if tree[word].pos != "DET"]
        for tree, words in ((first, words1), (second, words2))
    )
    if plain1 == plain2 != []:
        return first[_head(first, words1)].pos in (*NOMINALS, "PRON")
    if not pronouns or len(words2) != 1:
        return False
    pronoun, head = second[words2[0]].text.lower(), _head(first, words1)
    if first[head].pos not in NOMINALS:
        return False
    if pronoun in PERSONS:
        return _is_person(first, head)
    text = first[head].text.lower()
    if text != first[head].lemma.lower() and text.endswith("s"):
        return pronoun in MANY
    return pronoun in THINGS and first[head].pos == "NOUN"


def _is_person(tree: DependencyTree, head: int) -> bool:
    """Return whether a phrase may be a person's name: a proper noun without a determiner."""
    return tree[head].pos == "PROPN" and not any(
        tree[child].pos == "DET" for child in tree.children(head)
    )
