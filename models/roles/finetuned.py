"""A float copy of the encoder that is trained with the heads: to measure what freezing it costs. It
does not ship.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from torch import nn


class Encoder(nn.Module):
    """Words to vectors: the mean of a word's pieces, in the parser's mix of layers."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModel.from_pretrained(folder, output_hidden_states=True)
        self.mix = json.loads((Path(__file__).parents[1] / "parser/layer_mix.json").read_text())

    def forward(self, sentences: list[list[str]]) -> torch.Tensor:
        """The vectors of all words of all sentences (n, 384); words that are not read get zeros."""
        pieces = self.tokenizer(
            sentences,
            is_split_into_words=True,
            padding=True,
            truncation=True,
            max_length=256,
            return_tensors="pt",
        )
        layers = self.model(**pieces).hidden_states
        states = sum(weight * layer for weight, layer in zip(self.mix, layers, strict=True))
        rows, words, first = [], [], 0
        for k, sentence in enumerate(sentences):
            for place, word in enumerate(pieces.word_ids(k)):
                if word is not None:
                    rows.append(k * states.shape[1] + place)
                    words.append(first + word)
            first += len(sentence)
        at = torch.tensor(words)
        sums = states.new_zeros(first, states.shape[2]).index_add(0, at, states.flatten(0, 1)[rows])
        return sums / torch.bincount(at, minlength=first).clamp(min=1)[:, None]
