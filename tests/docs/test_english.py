"""Plain English in the pages that people read: no banned phrase, no sentence that is too long, and
no page over its limit of words.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from support.commands import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/notebooks").glob("*.md")),
]
LONGEST = 25
"""Words in a sentence."""
WORDS = {"README.md": 900, "comparison.md": 1200}
WORDS_OF_ALL = 37_000

READABLE = 75.0
"""The least Flesch reading ease of all public docstrings, which have 75.1."""

BANNED: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("banned.toml").read_text(encoding="utf-8")
)
"""Patterns, each with what is better."""
KEYS = {"beside shuffled ratings"}
"""Keys of result cards."""


def prose(text: str) -> Iterator[str]:
    """The paragraphs and list items of a page, without code, tables and headings."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^( *)(`{3,}).*?^\1\2$", "\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        lines = [line for line in block.splitlines() if not line.lstrip().startswith(("|", "#"))]
        if not lines or all(re.match(r" {4}", line) for line in lines):
            continue
        joined = " ".join(line.strip() for line in lines)
        joined = re.sub(r"^(?:[-*]|\d+\.) ", "", joined)
        joined = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", joined)
        yield re.sub(r"`[^`]+`", "code", joined)


def sentences(paragraph: str) -> list[str]:
    short = re.sub(r"\b(e\.g|i\.e|etc|vs|cf|Eq|al)\.", r"\1", paragraph)
    return re.split(r"(?<=[.!?])[*\")\]]* +(?=[\"(*\[]*[A-Z0-9.]|code|hybridsem)", short)


def faults(passages: Iterable[tuple[str, str]], banned: dict[str, str] = BANNED) -> list[str]:
    """What is banned in passages, each given with its place."""
    return [
        f"{place}: {match[0]!r} (better: {better})"
        for place, passage in passages
        for pattern, better in banned.items()
        if (match := re.search(pattern, passage))
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_in_plain_english(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    paragraphs = list(prose(text))
    cells = [cell for line in text.splitlines() if line.startswith("|") for cell in line.split("|")]
    found = faults((passage.strip()[:90], passage) for passage in (*paragraphs, *cells))
    found += [
        f"{len(sentence.split())} words: {sentence}"
        for paragraph in paragraphs
        for sentence in sentences(paragraph)
        if len(sentence.split()) > LONGEST
    ]
    assert not found, "\n".join(found)
    assert len(text.split()) <= WORDS.get(page.name, WORDS_OF_ALL)


def test_all_pages_together_are_short() -> None:
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in PAGES) <= WORDS_OF_ALL


def docstrings() -> Iterator[tuple[Path, str, str]]:
    """The file, the name and the first paragraph of each docstring of the package."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for file in sorted((ROOT / "hybridsem").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, kinds) and (text := ast.get_docstring(node)):
                yield file, getattr(node, "name", ""), text.split("\n\n")[0].replace("\n", " ")


def messages() -> Iterator[tuple[str, str]]:
    """The place and the text of each string of several words that is not a docstring.

    Texts with line breaks are left out: lists of words, a prompt.
    """
    for file in sorted((ROOT / "hybridsem").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        prose = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and id(node) not in prose:
                text = node.value
                if isinstance(text, str) and text.count(" ") > 1 and "\n" not in text:
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", text


def test_messages_are_in_plain_english() -> None:
    found = faults((place, text) for place, text in messages() if text not in KEYS)
    assert not found, "\n".join(found)


def test_docstrings_are_in_plain_english() -> None:
    banned = BANNED | {r"^(?:What|Whether|How)\b": "a noun, or a verb"}
    found = faults(((f"{file}: {name}", text) for file, name, text in docstrings()), banned)
    assert not found, "\n".join(found)


def test_public_docstrings_are_readable() -> None:
    """Flesch's index over their first paragraphs; no sentence is too long."""
    words: list[str] = []
    count, long = 0, []
    for file, name, text in docstrings():
        if name.startswith("_") or any(part.startswith("_") for part in file.parts):
            continue
        text = re.sub(r":\w+:`~?([^`<]*)[^`]*`", r"\1", text)
        for sentence in re.split(r"(?<=[.!?:;])\s+", re.sub(r"``[^`]*``", "x", text)):
            own = re.findall(r"[A-Za-z][A-Za-z'-]*", sentence)
            count += bool(own)
            words += own
            if len(own) > LONGEST:
                long.append(f"{file.relative_to(ROOT)}: {name}: {len(own)} words")
    syllables = sum(map(_syllables, words))
    ease = 206.835 - 1.015 * len(words) / count - 84.6 * syllables / len(words)
    assert not long, "\n".join(long)
    assert ease > READABLE, ease


def _syllables(word: str) -> int:
    """An estimate: groups of vowels, without a silent e."""
    vowels = len(re.findall("[aeiouy]+", word.lower()))
    silent = vowels > 1 and word.endswith("e") and not word.endswith(("le", "ee"))
    return max(1, vowels - silent)
