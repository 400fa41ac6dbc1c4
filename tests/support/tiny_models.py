"""Models of a few thousand random weights in the formats of the hub, written by the tests that read
them.
"""

from pathlib import Path
from typing import Any

TEXT = "the a dog cat man chased saw sang was by old red in park and not it . , ?"
WORDS = TEXT.split()
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
SENTENCES = [
    "the dog chased the cat .",
    "a cat sang",
    "the old man was not in the park , and it was red .",
    "a cat ?",
]


def tokenizer(form: str = "[CLS] $A [SEP]", **settings: Any) -> Any:
    """A tokenizer over ``WORDS``: its ids are 0 … 3 for ``MARKS``, then the words; ``form`` says
    where the marks go.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(WordLevel({word: i for i, word in enumerate(MARKS + WORDS)}, "[UNK]"))
    inner.normalizer = Lowercase()
    inner.pre_tokenizer = Whitespace()
    marks = [(mark, i) for i, mark in enumerate(MARKS) if mark in form]
    if marks:
        inner.post_processor = TemplateProcessing(single=form, special_tokens=marks)
    named = {"pad_token": "[PAD]", "unk_token": "[UNK]"}
    named |= {"cls_token": "[CLS]"} if "[CLS]" in form else {}
    return PreTrainedTokenizerFast(tokenizer_object=inner, **(named | settings))


def write(folder: Path, name: str, words: Any = None, **settings: Any) -> Path:
    """A model of the architecture ``name`` (Bert, GPT2, …) with two layers of 16, seeded, and its
    tokenizer.
    """
    import torch
    import transformers

    sizes: dict[str, Any] = {
        "GPT2": {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32},
        "XLNet": {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 32},
        "Bart": {
            "d_model": 16,
            "max_position_embeddings": 32,
            **{f"{side}_{size}": n for side in ("encoder", "decoder") for size, n in SIDES.items()},
        },
    }
    common = {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 32,
    }
    if name in ("Gemma2", "Llama", "Mistral", "Qwen2"):
        common |= {"num_key_value_heads": 1, "head_dim": 8}
    config = getattr(transformers, f"{name}Config")(
        **{
            "vocab_size": len(MARKS + WORDS),
            "pad_token_id": 0,
            **sizes.get(name, common),
            **settings,
        }
    )
    torch.manual_seed(0)
    model = getattr(transformers, f"{name}Model")(config)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    model.save_pretrained(folder)
    (words or tokenizer()).save_pretrained(folder)
    return folder


SIDES = {"layers": 2, "attention_heads": 2, "ffn_dim": 32}
