"""What the parser's recipes read: the treebank, and sentences without trees, as flat arrays."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn

from hybridsem.english.tokenise import detokenise, tokenise
from hybridsem.parsers.trees.conllu import read_conllu
from hybridsem.parsers.trees.embedded import EmbeddedTrees, pool, shape, suffix
from hybridsem.structures import DependencyTree
from models.corpora import cells, plain_texts, read, sentences_of
from models.parser.model import Batch
from models.roles.encode import examples

LONGEST, LONGEST_TEXT = 64, 500
"""A sentence without a tree has fewer words, and at most so many characters."""
CHUNK = 2048

Span = tuple[int, int]


@dataclass
class Corpus:
    """Sentences, their words one after the other.

    Attributes:
        lengths: Words of each sentence (sentences,); ``piece_lengths`` its word pieces.
        words: The encoder's mix of layers (words, 384) in 16 bit, and integers by word: ``shapes``,
            ``suffixes``, and where in its sentence a word's pieces begin (``first``) and how many
            there are (``count``).
        pieces: The word pieces of all sentences, marks of begin and end included.
        gold: Heads, relations and tags (words, 3), if there are trees.
    """

    lengths: torch.Tensor
    piece_lengths: torch.Tensor
    words: torch.Tensor
    shapes: torch.Tensor
    suffixes: torch.Tensor
    first: torch.Tensor
    count: torch.Tensor
    pieces: torch.Tensor
    gold: torch.Tensor | None = None

    def __post_init__(self) -> None:
        self.starts = nn.functional.pad(self.lengths.cumsum(0), (1, 0))
        self.piece_starts = nn.functional.pad(self.piece_lengths.cumsum(0), (1, 0))

    def __len__(self) -> int:
        return len(self.lengths)

    def to(self, device: str) -> Corpus:
        """The corpus in the memory of a device."""
        given = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Corpus(**{k: None if v is None else v.to(device) for k, v in given.items()})

    def batch(self, rows: np.ndarray) -> Batch:
        """Sentences as padded columns; ``place`` says where in the arrays a word stands."""
        chosen = torch.from_numpy(rows).to(self.lengths.device)
        place, mask = _grid(self.starts, self.lengths, chosen)
        piece, piece_mask = _grid(self.piece_starts, self.piece_lengths, chosen)
        steps = torch.arange(mask.shape[1] + 1, device=mask.device)
        beyond = ~nn.functional.pad(mask, (1, 0), value=True)[:, None]
        batch = {
            "rows": chosen,
            "place": place,
            "mask": mask,
            "impossible": beyond | (steps[None, None] == steps[None, 1:, None]),
            "pieces": self.pieces[piece] * piece_mask,
            "piece_mask": piece_mask,
            "first": self.first[place] * mask,
            "count": self.count[place] * mask,
            "words": self.words[place].float(),
            "shapes": self.shapes[place],
            "suffixes": self.suffixes[place],
        }
        if self.gold is not None:
            columns = torch.where(mask[..., None], self.gold[place], -100).unbind(-1)
            batch |= dict(zip(("heads", "relations", "tags"), columns, strict=True))
        return batch


def _grid(
    starts: torch.Tensor, lengths: torch.Tensor, rows: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Where the parts of some sentences stand (sentences, longest), and which are no padding."""
    steps = torch.arange(int(lengths[rows].max()), device=rows.device)[None]
    mask = steps < lengths[rows][:, None]
    return (starts[rows][:, None] + steps) * mask, mask


def groups(sizes: np.ndarray, most: int, rng: np.random.Generator) -> list[np.ndarray]:
    """The numbers of sentences in batches of at most ``most`` padded parts, of similar length."""
    order = np.argsort(sizes + rng.random(len(sizes)) * 4, kind="stable")
    found, begin, longest = [], 0, 0
    for end, row in enumerate(order):
        longest = max(longest, sizes[row])
        if end > begin and (end - begin + 1) * longest > most:
            found.append(order[begin:end])
            begin, longest = end, sizes[row]
    found.append(order[begin:])
    rng.shuffle(found)
    return found


def corpus(
    parser: EmbeddedTrees,
    texts: Sequence[str],
    spans: Sequence[Sequence[Span]],
    gold: Sequence[np.ndarray] = (),
) -> Corpus:
    """Texts, whose words are at ``spans``, and their trees, if there are some."""
    columns: dict[str, list[np.ndarray]] = {name: [] for name in Corpus.__dataclass_fields__}
    for at in range(0, len(texts), CHUNK):
        some, places = texts[at : at + CHUNK], spans[at : at + CHUNK]
        encodings = parser.encoder._encodings(some, {})
        each = zip(some, places, parser.encoder.analyse(some), encodings, strict=True)
        for text, where, one, encoding in each:
            forms = [text[begin:end] for begin, end in where]
            begins, ends = np.reshape(one.offsets, (-1, 2)).T
            first = np.searchsorted(ends, [begin for begin, _ in where], "right")
            count = np.searchsorted(begins, [end for _, end in where]) - first
            row = {
                "lengths": [len(where)],
                "piece_lengths": [len(encoding.ids)],
                "words": pool(one.pieces, one.offsets, where).astype(np.float16),
                "shapes": [shape(form, k == 0) for k, form in enumerate(forms)],
                "suffixes": [suffix(form) for form in forms],
                "first": first,
                "count": np.maximum(count, 0),
                "pieces": encoding.ids,
            }
            for name, values in row.items():
                columns[name].append(np.asarray(values))
    columns["gold"] = list(gold)
    return Corpus(**{k: torch.from_numpy(np.concatenate(v)) if v else None
                     for k, v in columns.items()})  # fmt: skip


def without_final_stop(tree: DependencyTree) -> DependencyTree | None:
    """The sentence without its closing full stop, as people often write single sentences."""
    last = len(tree) - 1
    if last < 2 or tree[last].pos != "PUNCT" or tree.children(last) or tree[last].head < 0:
        return None
    return DependencyTree(tree.text[: tree[last].start].rstrip(), tree.tokens[:-1])


def treebank(parser: EmbeddedTrees, file: Path, *, stop: bool = True) -> Corpus:
    """Annotated sentences; without ``stop`` those that end in a full stop, and without it."""
    relation, tag = (
        {name: number for number, name in enumerate(parser._inventory[kind])}
        for kind in ("relations", "tags")
    )

    def numbers(tree: DependencyTree) -> np.ndarray:
        return np.array(
            [(t.head + 1, relation.get(t.relation, 0), tag.get(t.pos, 0)) for t in tree]
        )

    trees = list(read_conllu(file))
    if not stop:
        trees = [shorter for tree in trees if (shorter := without_final_stop(tree))]
    spans = [[(token.start, token.end) for token in tree] for tree in trees]
    return corpus(parser, [tree.text for tree in trees], spans, list(map(numbers, trees)))


def raw_texts(data: Path) -> Iterator[str]:
    """Sentences without trees, of all sources."""
    for texts in plain_texts(data).values():
        yield from texts
    for item in read("rated", data / "paws/paws-wiki-dev.tsv"):
        yield from map(detokenise, item.pair)
    for file in sorted((data / "sugarcrepe-pp").glob("*.tsv")):
        yield from cells(file, 3)
    yield from map(detokenise, cells(data / "setops/cnndm-fusion.tsv", 2))
    subjects = (data / "sage/20news-subjects.tsv").read_text(encoding="utf-8").splitlines()[1:]
    yield from (line.partition("\t")[2] for line in subjects)
    for name in ("paul_graham_essays.csv", "cnn_dailymail-300.jsonl"):
        yield from sentences_of(data / "sage" / name)


def plain(parser: EmbeddedTrees, data: Path, frames: Path) -> Corpus:
    """Sentences of which only the text is known, and the examples of PropBank's frame files."""
    some = list(dict.fromkeys(text.strip() for text in raw_texts(data) if text.strip()))
    random.Random(1).shuffle(some)
    found = [(text, tokenise(text)) for text in some if len(text) <= LONGEST_TEXT]
    rows = [(row["text"], row["spans"]) for row in examples(frames)]
    found = [(text, words) for text, words in found + rows if 1 < len(words) < LONGEST]
    texts, spans = zip(*found, strict=True)
    return corpus(parser, texts, spans)
