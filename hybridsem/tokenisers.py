"""Tokenisers: the embedded encoder's word pieces, or OpenAI's cl100k if downloaded; the spelling of
characters that the word pieces lack.

    🐶      dog face     a sign is its Unicode name
    Ｈｉ    Hi           a letter with a plainer form is that form (NFKC)
    恨      6068         an ideograph is its number
    कि      kai          any other letter is the end of its name

A tokeniser turns texts into one array of token numbers. Nothing is truncated, and special tokens
are text. The word pieces turn a word with an unknown character into ``[UNK]`` and drop some other
characters, so different texts could be read alike. Known words stay as they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import chain, groupby
from typing import Any, Protocol

import numpy as np

from hybridsem import assets
from hybridsem._typing import IntArray
from hybridsem._utils.extras import extra
from hybridsem._utils.weights import weight_file
from hybridsem.errors import UnknownNameError

CL100K = "tiktoken-cl100k"

# The pattern by which cl100k splits text: tiktoken_ext/openai_public.py (MIT licence).
_CL100K_SPLIT = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| "
    r"?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
    r"\s+(?!\S)|\s"
)


class Tokeniser(Protocol):
    """Texts to token numbers; ``name`` is in cards and explanations."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Return the tokens of all texts, and the boundaries of each text's tokens, (n + 1,)."""
        ...

    def places(self, text: str) -> IntArray:
        """Return the character at which each token begins."""
        ...


def tokeniser(name: str = "auto") -> Tokeniser:
    """Return the tokeniser ``wordpiece``, ``cl100k``, or ``auto``: cl100k if downloaded.

    Raises :class:`AssetError` (cl100k's file is missing: ``hybridsem models download
    tiktoken-cl100k``), :class:`MissingExtraError` (tiktoken is not installed).
    """
    if name not in ("auto", "cl100k", "wordpiece"):
        raise UnknownNameError("tokeniser", name, ("auto", "cl100k", "wordpiece"))
    has_tiktoken = find_spec("tiktoken") is not None
    if name == "cl100k" or (name == "auto" and has_tiktoken and assets.is_here(CL100K)):
        return _loaded(Cl100k, str(assets.path(CL100K)))
    return _loaded(WordPieces)


@cache
def _loaded(kind: Callable[..., Tokeniser], *arguments: str) -> Tokeniser:
    return kind(*arguments)


def _joined(pieces: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray]:
    ids = np.fromiter(chain.from_iterable(pieces), np.int64)
    return ids, np.cumsum([0, *map(len, pieces)], dtype=np.int64)


class WordPieces:
    """The embedded encoder's word pieces."""

    name = "wordpiece"

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(weight_file("tokenizer.json").decode())
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True
        self._speller = Speller(self._tokenizer)

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Return the word pieces of all texts, and the boundaries of each text's, (n + 1,)."""
        # The library does not accept half a surrogate pair.
        given = [text.encode("utf-8", "replace").decode() for text in texts]
        encoded = self._tokenizer.encode_batch_fast(given, add_special_tokens=False)
        return _joined([self._read(*each) for each in zip(given, encoded, strict=True)])

    def _read(self, text: str, encoding: Any) -> list[int]:
        ids: list[int] = encoding.ids
        speller = self._speller
        return ids if speller.reads(text, ids) else speller.pieces("".join(speller.forms(text)))

    def places(self, text: str) -> IntArray:
        """Return the character at which each word piece begins."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        return np.fromiter((start for start, _ in found.offsets), np.int64)


class Cl100k:
    """The byte pairs of OpenAI's ``cl100k_base``, which its embedding models read."""

    name = "cl100k"

    def __init__(self, file: str) -> None:
        import base64

        with extra("tiktoken", "metrics"):
            import tiktoken
        with open(file, "rb") as lines:
            ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
        self._encoding: Any = tiktoken.Encoding(
            "cl100k_base", pat_str=_CL100K_SPLIT, mergeable_ranks=ranks, special_tokens={}
        )

    def __call__(self, texts: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Return the byte pairs of all texts, and the boundaries of each text's, (n + 1,)."""
        return _joined(self._encoding.encode_ordinary_batch(list(texts)))

    def places(self, text: str) -> IntArray:
        """Return the character at which each byte pair begins."""
        _, found = self._encoding.decode_with_offsets(self._encoding.encode_ordinary(text))
        return np.array(found, np.int64)


MAX_LETTERS = 100
"""The longest word of the word pieces, in decomposed characters (NFD)."""
PART_LETTERS = 32
"""The parts of longer words; a syllable of Hangul is up to three characters."""

# The blanks of the tokeniser, fewer than those of ``str.split``.
_BLANKS = "\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_CHUNKS = re.compile(f"[{_BLANKS}]+|[^{_BLANKS}]+")

# "DEVANAGARI LETTER KA" is ka, "REGIONAL INDICATOR SYMBOL LETTER U" is u, "CJK UNIFIED
# IDEOGRAPH-6068" is 6068.
_KIND = re.compile(r".+ (?:CHARACTER|DIGIT|IDEOGRAPH|LETTER|SIGN|SYLLABLE)[ -](?=.)")
_INVISIBLE = re.compile(r"VARIATION SELECTOR|GRAPHEME JOINER|REPLACEMENT CHARACTER")
# The classes of optional marks on letters (accents, the points of Hebrew and Arabic). Others change
# the letter: vowels and viramas of Indic scripts, the stroke through "≠".
_ACCENTS = (range(10, 37), range(200, 256))


class Speller:
    """Rewrites text that a BERT tokeniser cannot represent."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.unknown: int = tokenizer.token_to_id("[UNK]")
        self._drops = lru_cache(1 << 16)(self._is_dropped)
        self._known = lru_cache(1 << 14)(self._unit)

    def reads(self, text: str, ids: list[int]) -> bool:
        """Test if the word pieces ``ids`` represent all of ``text``."""
        if text.isascii():
            return len(text) <= MAX_LETTERS or self.unknown not in ids
        return self.unknown not in ids and not any(map(self._drops, set(text)))

    def pieces(self, text: str) -> list[int]:
        """Return the word pieces of a text as is; special tokens are text."""
        words = self._tokenizer.pre_tokenizer.pre_tokenize_str(
            self._tokenizer.normalizer.normalize_str(text)
        )
        return [piece.id for word, _ in words for piece in self._tokenizer.model.tokenize(word)]

    def forms(self, text: str) -> list[str]:
        """Return the form of each character; together they are text without unknown words."""
        forms: list[str] = []
        for chunk in _CHUNKS.findall(text):
            if self.reads(chunk, self.pieces(chunk)):
                forms += chunk
            else:
                for unit in _units(chunk):
                    forms += self._known(unit) if len(unit) <= MAX_LETTERS else self._unit(unit)
        return forms

    def _unit(self, unit: str) -> list[str]:
        """Return the forms of one word's characters: as is, plainer, or their names."""
        for forms in (list(unit), [unicodedata.normalize("NFKC", character) for character in unit]):
            forms = _cut(forms)
            text = "".join(forms)
            if self.reads(text, self.pieces(text)):
                return forms
        return _cut([_spelt(character) for character in unit])

    def _is_dropped(self, character: str) -> bool:
        """Test if the word pieces lose a visible character, in whole or in part."""
        name, category = unicodedata.name(character, ""), unicodedata.category(character)
        if _INVISIBLE.search(name):
            return False
        if category in ("Co", "Cn") or _is_tag(character):
            return True
        parts = unicodedata.normalize("NFD", character)
        marks = [
            unicodedata.combining(part) for part in parts if unicodedata.category(part) == "Mn"
        ]
        if marks:
            return not all(any(mark in accents for accents in _ACCENTS) for mark in marks)
        plain = self._tokenizer.normalizer.normalize_str(character)
        return category[0] not in "CZ" and not plain.strip()


def _is_tag(character: str) -> bool:
    """Test if a character is a tag of a flag, which has no shape but a meaning."""
    return "\U000e0020" <= character <= "\U000e007e"


def _units(chunk: str) -> Iterator[str]:
    """Yield the words of a chunk, with marks and joiners, and every other character alone."""

    def kind(place: int) -> object:
        category = unicodedata.category(chunk[place])
        is_word = category[0] in "LMN" or (category == "Cf" and not _is_tag(chunk[place]))
        return (is_word and "IDEOGRAPH" not in unicodedata.name(chunk[place], "")) or place + 1

    for _, places in groupby(range(len(chunk)), kind):
        yield "".join(chunk[place] for place in places)


def _spelt(character: str) -> str:
    """Return the name of a character: separate words for a sign, part of the word for a letter."""
    if character.isascii():
        return character
    name = unicodedata.name(character, f"{ord(character):x}")
    category = unicodedata.category(character)
    if _INVISIBLE.search(name) or (category == "Cf" and not _is_tag(character)):
        return ""
    name = _KIND.sub("", name).lower()
    return re.sub("[ -]", "", name) if category[0] in "LMN" else f" {name} "


def _cut(forms: list[str]) -> list[str]:
    """Return the forms of one word, split by blanks if it is too long for the word pieces."""
    if len(unicodedata.normalize("NFD", "".join(forms))) <= MAX_LETTERS:
        return forms
    cut, length = [], 0
    for form in forms:
        length += len(form)
        if length > PART_LETTERS:
            form, length = f" {form}", len(form)
        cut.append(form)
    return cut
