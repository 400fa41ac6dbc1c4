"""Make ``hybridsem/data/lemmas.json``: the lemmas that the rules of ``hybridsem/english/lemmas.py``
get wrong.

    python -m models.parser.lemmas --ewt UD_English-EWT --frames frame-examples.jsonl
    python -m models.manifest               # the checksums that are verified at run time

Sources, the earlier going before the later:

1. EWT train: forms seen at least twice with a tag, and their most frequent lemma;
2. ``irregular.txt`` beside this file: irregular verbs, nouns and comparatives, written by hand;
3. base forms, which are their own lemmas: lemmas of EWT train, and words that PropBank has frames
   for;
4. the regular inflection of these, where the rules do not find the way back.

The frames come as JSON lines, an annotated example each: ``roleset`` and ``tokens``. The table is
UPOS -> lemma -> forms, separated by blanks; its sources are CC BY-SA 4.0, and so is it.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from benchmarks.command import run
from hybridsem.english.lemmas import Lemmatiser, rule_lemma
from hybridsem.parsers.trees.conllu import read_conllu
from models.recipe import SHIPPED

IRREGULAR = Path(__file__).with_name("irregular.txt")

Key = tuple[str, str]  # a form or a lemma in lower case, and its UPOS
Entries = dict[Key, str]

NOTHING_TO_LEARN = frozenset({"PROPN", "PUNCT", "X", "SYM", "NUM"})
MIN_COUNT = 2

WORD = re.compile(r"[a-z]+")
ONE_SYLLABLE = re.compile(r"(?:qu|[^aeiou])*[aeiouy]+[^aeiouy]*")
SHORT_ENDING = re.compile(r"(?:qu|[^aeiou]|^)[aeiou][bdgklmnprtz]$")
CONSONANT_Y = re.compile(r"(?:qu|[^aeiou])y$")


def with_s(word: str) -> str:
    """The plural, or the third person."""
    if CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "z", "sh", "ch")) else "s")


def stems(word: str, longer: bool = True) -> list[str]:
    """What an ending with a vowel is put to; of ``longer`` words both spellings, as stress
    decides.
    """
    doubled = word + word[-1]
    if not SHORT_ENDING.search(word):
        return [word]
    if ONE_SYLLABLE.fullmatch(word):
        return [doubled]
    return [word, doubled] if longer else [word]


def with_vowel(word: str, endings: tuple[str, ...], longer: bool = True) -> Iterator[str]:
    """-ed, -er, -est: a final e is lost, y becomes i."""
    for ending in endings:
        if word.endswith("e"):
            yield word[:-1] + ending
        elif CONSONANT_Y.search(word):
            yield word[:-1] + "i" + ending
        else:
            yield from (stem + ending for stem in stems(word, longer))


def participles(word: str) -> Iterator[str]:
    """The forms in -ing."""
    if word.endswith("ie"):
        yield word[:-2] + "ying"
    elif word.endswith("e") and not word.endswith(("ee", "oe", "ye")):
        yield word[:-1] + "ing"
    else:
        yield from (stem + "ing" for stem in stems(word))


class Corpus:
    """What the treebank and the frames attest: ``entries``, base forms by tag, and all
    ``forms``.
    """

    def __init__(self, ewt: Path, frames: Path) -> None:
        seen: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        lemmas: Counter[Key] = Counter()
        self.forms: set[str] = set()
        spelt: set[Key] = set()
        for tree in read_conllu(ewt / "train.conllu"):
            # "on" of "on line" is no word
            split = {token.head for token in tree if token.relation == "goeswith"}
            for i, token in enumerate(tree):
                form, lemma = token.text.lower(), token.lemma.lower()
                self.forms.add(form)
                if token.pos not in NOTHING_TO_LEARN and i not in split and " " not in form:
                    seen[form, token.pos][token.lemma] += 1
                    lemmas[lemma, token.pos] += 1
                    spelt.add((token.lemma, token.pos))
        # Capitals inside a name say nothing about the word: Middle East, but an American.
        usual = {key: found.most_common(1)[0] for key, found in seen.items()}
        self.entries: Entries = {
            (form, pos): lemma.lower() if (lemma.lower(), pos) in spelt else lemma
            for (form, pos), (lemma, count) in usual.items()
            if count >= MIN_COUNT
        }
        self.lemmas = {
            key for key, count in lemmas.items() if count >= MIN_COUNT and WORD.fullmatch(key[0])
        }
        self.framed: set[str] = set()
        with frames.open(encoding="utf-8") as stream:
            for example in map(json.loads, stream):
                self.forms.update(token.lower() for token in example["tokens"])
                name = example["roleset"].rpartition(".")[0].partition("_")[0]  # take_off.01: take
                if WORD.fullmatch(name):
                    self.framed.add(name)

    def bases(self, pos: str) -> set[str]:
        """The base forms of nouns or verbs. A frame does not tell its tag, but an inflected form
        does.
        """
        found = {word for word, tag in self.lemmas if tag == pos}
        for word in self.framed:
            forms = {with_s(word)}
            if pos == "VERB":
                forms = {*with_vowel(word, ("ed",)), *participles(word)}
            is_base = rule_lemma(word, pos) == word or rule_lemma(word, pos) not in self.framed
            if is_base and not self.forms.isdisjoint(forms):
                found.add(word)
        return found


def irregular() -> tuple[Entries, list[str]]:
    """The entries of ``irregular.txt``, lemmas being their own forms last, and its list of compared
    adjectives.
    """
    lines = IRREGULAR.read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    compared = [word for pos, *words in rows if pos == "COMPARED" for word in words]
    rows = [row for row in rows if row[0] != "COMPARED"]
    own = {(lemma, pos): lemma for pos, lemma, *_ in rows}
    entries: Entries = {}
    for pos, lemma, *forms in rows:
        for form in forms:
            entries.setdefault((form, pos), lemma)
    return own | entries, compared


def learn(corpus: Corpus) -> Entries:
    """Lemmas by form and tag from all sources, with those that the rules find too."""
    entries = dict(corpus.entries)
    by_hand, compared = irregular()
    nouns, verbs = corpus.bases("NOUN"), corpus.bases("VERB")
    bases = {
        (word, pos): word
        for pos, words in (("NOUN", nouns), ("VERB", verbs))
        for word in sorted(words)
    }
    # A verb with a past tense of its own has no regular one.
    strong = {
        lemma
        for (form, pos), lemma in by_hand.items()
        if pos == "VERB"
        and not form.endswith("ing")
        and form not in {lemma, with_s(lemma), *with_vowel(lemma, ("ed",))}
    }
    regular: defaultdict[Key, set[str]] = defaultdict(set)
    for word in nouns:
        if not word.endswith("s") or word.endswith("ss"):  # not the plurals of thanks and series
            regular[with_s(word), "NOUN"].add(word)
    for word in verbs:
        past = () if word in strong else with_vowel(word, ("ed",))
        for form in (with_s(word), *participles(word), *past):
            regular[form, "VERB"].add(word)
    for word in compared:
        for form in with_vowel(word, ("er", "est"), longer=False):
            regular[form, "ADJ"].add(word)
            regular[form, "ADV"].add(word)
    unambiguous = {key: next(iter(lemmas)) for key, lemmas in regular.items() if len(lemmas) == 1}
    for source in (by_hand, bases, unambiguous):
        entries = source | entries
    return entries


def table(entries: Entries) -> dict[str, dict[str, str]]:
    """UPOS -> lemma -> forms, of the entries that the rules do not give."""
    rules = Lemmatiser({})
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (form, pos), lemma in sorted(entries.items()):
        if rules(form, pos) != lemma:
            found[pos][lemma].append(form)
    made = {}
    for pos, rows in sorted(found.items()):
        made[pos] = {lemma: " ".join(forms) for lemma, forms in sorted(rows.items())}
    return made


def main(
    *,
    ewt: Annotated[Path, "folder with train.conllu"],
    frames: Annotated[Path, "PropBank's annotated examples, JSON lines"],
    out: Path = SHIPPED / "lemmas.json",
) -> None:
    made = table(learn(Corpus(ewt, frames)))
    out.write_text(json.dumps(made, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    print(*(f"{pos} {len(' '.join(rows.values()).split())}" for pos, rows in made.items()))


if __name__ == "__main__":
    run(main)
