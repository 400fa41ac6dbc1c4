"""Single words."""

import json

from hybridsem._utils.weights import weight_file


def frequent_words() -> list[str]:
    """The words of the encoder's vocabulary, the most frequent first."""
    vocabulary = json.loads(weight_file("tokenizer.json"))["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    return [piece for piece in pieces if piece.isascii() and piece.isalnum()]
