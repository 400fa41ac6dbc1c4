"""Sources of analogies: sentences of any file, entailments of NLI files, word analogies.

    FILE.conllu                     the text of each tree
    a table (csv, tsv, jsonl, …)    both sentences of each row
    any other                       a sentence in each line

Tokenised text ("a dog runs ." of SNLI) is detokenised. If a file has no full stops ("A dog runs" of
SICK), each sentence gets one.

Word analogies become sentences in frames: Athens, Greece is "The train to Athens was late.", "The
train to Greece was late." Their files have the format of Mikolov et al. 2013 (questions-words.txt):
a line ``: name`` begins a section, every other line has four words, which are two pairs. "New_York"
is "New York".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora.clause import WORDS, is_plain
from benchmarks.corpora.inflection import article
from hybridsem._utils.lines import LineReader, plain_suffix
from hybridsem._utils.safe_read import wrap_read_errors
from hybridsem._utils.tables import read_table
from hybridsem._utils.validation import problem
from hybridsem.english.lemmas import rule_lemma
from hybridsem.english.words import PRONOUNS
from hybridsem.errors import FormatError, InputError
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.tables import open_pairs
from hybridsem.tables.rows import COLUMNAR, EXCEL

TABLES = (".csv", ".tsv", ".jsonl", *COLUMNAR, *EXCEL)
LABELS = ("label", "gold_label", "entailment_label", "entailment_judgment")
ENTAILMENT = "entailment"
STOPS = (".", "!", "?")
STOPPED = 0.01  # the least share of texts with a stop in a file that uses stops
APART = re.compile(r" (?=[.,;:!?)]|n['’]t\b|['’](?:s|m|re|ve|ll|d)\b)")


def read_sentences(paths: Iterable[Path]) -> list[str]:
    """Read the distinct plain sentences of files in order: words, commas, a full stop, at most
    twenty words. Raises :class:`InputError` for a file without any.
    """
    found: dict[str, None] = {}
    for path in paths:
        some = [text for text in _stopped(map(closed_up, _texts(path))) if is_plain(text)]
        if not some:
            raise InputError(
                f"no sentence that can be used in {str(path)!r}; expected English sentences with "
                f"a capital, one per line, or a table whose name ends in {', '.join(TABLES)}"
            )
        found.update(dict.fromkeys(some))
    return list(found)


@wrap_read_errors
def read_entailments(path: Path) -> list[tuple[str, str]]:
    """Read the distinct entailments (premise, hypothesis) of plain sentences of an NLI file."""
    texts: list[str] = []
    for pair in open_pairs(path):
        record = pair.named
        label = next((record[name] for name in LABELS if name in record), None)
        if label is None:
            why = f"no column of {', '.join(LABELS)}; it has {', '.join(record)}"
            raise FormatError(why, path, pair.line)
        if str(label).strip().lower() == ENTAILMENT:
            texts += closed_up(pair.text1), closed_up(pair.text2)
    texts = _stopped(texts)
    found = [both for both in zip(texts[::2], texts[1::2], strict=True) if all(map(is_plain, both))]
    if not found:
        raise InputError(f"no plain sentences labelled {ENTAILMENT!r} in {str(path)!r}")
    return list(dict.fromkeys(found))


def distinct_texts(path: Path) -> list[str]:
    """Return the distinct texts of a treebank, or of a file of pairs, in order."""
    if path.suffix == ".conllu":
        return list(dict.fromkeys(_texts(path)))
    pairs = ((pair.text1, pair.text2) for pair in open_pairs(path))
    return list(dict.fromkeys(text for pair in pairs for text in pair if text.strip()))


def closed_up(text: str) -> str:
    """Return a text without blanks before punctuation and clitics, or at its ends."""
    return APART.sub("", " ".join(text.split()))


def _stopped(given: Iterable[str]) -> list[str]:
    """Return the texts of a file, with a full stop each if hardly any has one."""
    texts = [text for text in given if text]
    if sum(text.endswith(STOPS) for text in texts) >= STOPPED * len(texts):
        return texts
    return [text if text.endswith(STOPS) else f"{text}." for text in texts]


def _texts(path: Path) -> Iterator[str]:
    suffix = plain_suffix(path)
    if suffix in (".conllu", ".conll"):
        yield from (tree.text for tree in read_conllu(path))
    elif suffix in TABLES:
        for pair in open_pairs(path):
            yield pair.text1
            yield pair.text2
    else:
        yield from (line for _, line in LineReader(path))


WordPair = tuple[str, str]
WORDS_A_LINE = 4

SINGULAR = ({"he": "he", "his": "his", "him": "him"}, {"he": "she", "his": "her", "him": "her"})
_TEMPLATES = read_table(__file__)
PLURAL = {"he": "they", "his": "their", "him": "them"}
GENDERED = frozenset(PRONOUNS["he"]) | frozenset(PRONOUNS["she"])


@wrap_read_errors
def read_word_pairs(path: str | Path) -> dict[str, tuple[WordPair, ...]]:
    """Read the distinct pairs of each section of a file of word analogies."""
    reader = LineReader(path)
    found: dict[str, dict[WordPair, None]] = {}
    pairs: dict[WordPair, None] | None = None
    for number, line in reader:
        words = line.split()
        if not words:
            continue
        if words[0].startswith(":"):
            pairs = found.setdefault(line.partition(":")[2].strip().lower(), {})
        elif pairs is None or len(words) != WORDS_A_LINE:
            section = "a section such as ': family'"
            expected = section if pairs is None else "four words, or a section's name after ':'"
            raise FormatError(f"expected {expected}, got {line[:60]!r}", reader.name, number)
        elif bad := [word for word in words if problem(word) is not None]:
            why = f"a word that cannot be used, got {bad[0]!r:.60}"
            raise FormatError(why, reader.name, number)
        else:
            one, two, three, four = (word.replace("_", " ") for word in words)
            pairs.update(dict.fromkeys(((one, two), (three, four))))
    if not any(found.values()):
        why = "no word analogies; expected lines of four words below ': section'"
        raise FormatError(why, reader.name)
    return {name: tuple(some) for name, some in found.items()}


def framed(category: str, pairs: Iterable[WordPair]) -> list[tuple[str, str]]:
    """Return a category's pairs of sentences: every frame with every fitting pair of words."""
    if category == "gender":
        return list(_of_gender(list(pairs)))
    return [_filled(frame, pair) for frame in _FRAMES[category] for pair in pairs]


def _filled(frame: str | tuple[str, str], pair: WordPair) -> tuple[str, str]:
    """Return both sentences of a frame, which may have one form for each word."""
    one, frames = article(pair[1]), (frame, frame) if isinstance(frame, str) else frame
    words = map(_country, pair)
    texts = (f.format(w, a=one, A=one.capitalize()) for f, w in zip(frames, words, strict=True))
    first, second = map(_capital, texts)
    return first, second


def _of_gender(pairs: Sequence[WordPair]) -> Iterator[tuple[str, str]]:
    """Yield nouns in frames of nouns, pronouns in frames of theirs; other pronouns have none."""
    nouns = [pair for pair in pairs if GENDERED.isdisjoint(word.lower() for word in pair)]
    for frame in _TEMPLATES["genders"]:
        for pair in nouns:
            yield _of_persons(frame, pair)
    for one, two in pairs:
        for frame in _TEMPLATES["pronouns"].get(one.lower(), ()):
            yield _capital(frame.format(one)), _capital(frame.format(two))


def _of_persons(frame: str, pair: WordPair) -> tuple[str, str]:
    lemmas = [rule_lemma(word, "NOUN") for word in pair]
    many = all(lemma != word.lower() for lemma, word in zip(lemmas, pair, strict=True))
    own = [PLURAL, PLURAL] if many else SINGULAR
    texts = []
    for word, lemma, pronouns in zip(pair, lemmas, own, strict=True):
        my = "my" if lemma in WORDS["kin"] else "the"
        texts.append(frame.format(word, my=my, My=my.capitalize(), **pronouns))
    return texts[0], texts[1]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _country(name: str) -> str:
    return f"the {name}" if name in _TEMPLATES["with_article"] else name


_FRAMES: Mapping[str, Sequence[Any]] = {
    "common capitals": _TEMPLATES["places"][:6],
    "all capitals": _TEMPLATES["places"],
    "currency": _TEMPLATES["currencies"],
    "city in state": _TEMPLATES["cities"],
    "nationality": _TEMPLATES["nations"],
}

SECTIONS: Mapping[str, str] = _TEMPLATES["sections"]
"""The section of a file of word analogies with a category's words."""
