"""Sentence vectors of Hugging Face and sentence-transformers models (extra ``transformers``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hybridsem._typing import Float32Array, Plain
from hybridsem._utils.validation import check_sentences
from hybridsem.embeddings import _hub
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.errors import AssetError, InputError

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer
    from torch import Tensor


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


POOLINGS: Mapping[str, Callable[[Tensor, Tensor], Tensor]] = {
    "mean": _mean,
    # AVG in Zhu & de Melo 2020
    "mean-sqrt": lambda states, mask: (
        (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).sqrt()
    ),
    # by position, 1, 2, …: SGPT (Muennighoff 2022)
    "weighted-mean": lambda states, mask: _mean(states, mask * mask.cumsum(1)),
    "max": lambda states, mask: states.masked_fill(mask[..., None] == 0, float("-inf")).amax(1),
    "last": lambda states, mask: states[list(range(len(states))), (mask.sum(1) - 1).long()],
}
"""Poolings over all tokens, from states (n, t, d) and mask (n, t)."""


Places = list[tuple[int, int] | None]
"""The (start, end) of each token in the text; None for special tokens and the prompt."""

Layers = int | tuple[int, ...] | Literal["all"]


OPTIONS: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("device", "dtype", "pooling", "prompt", "revision"), str),
    "layers": lambda text: text if text == "all" else tuple(map(int, text.split("+"))),
    "max_length": int,
}
"""The options after a model's name: ``transformer:MODEL,pooling=cls,layers=0+12``."""

CLS_POOLINGS = ("cls", "cls+dense")
DTYPES = ("float32", "float16", "bfloat16")


class TransformerEncoder:
    """A model of the Hugging Face hub, by name or as a folder. sentence-transformers runs a model
    that has ``modules.json``, with its own pooling, dense layers and normalisation, unless
    ``pooling`` or ``layers`` is given. Of an encoder-decoder model the encoder is used. Weights are
    read on first use, from safetensors only, and no code of a model is run. Raises
    :class:`MissingExtraError` without the extra, :class:`AssetError` for an unreadable model,
    :class:`InputError` for unsuitable settings.

    Args:
        model: Its name on the hub, or a folder.
        pooling: ``mean`` (the default), ``mean-sqrt`` (sum over the root of the length),
            ``weighted-mean`` (by position), ``max``, ``last`` (the last token), ``cls`` (the CLS
            token), ``cls+dense`` (through the model's dense layer and tanh).
        layers: An index (0: word embeddings, -1: the last layer, the default), or several or
            ``"all"`` for their mean.
        prompt: A prefix of each sentence.
        max_length: Tokens, special ones included (default: the model's limit).
        device: A torch device (default: a CUDA GPU if available, else the CPU).
        dtype: The type of the weights. With ``float16`` and ``bfloat16`` the third digit of a
            vector depends on its batch.
        revision: A branch, tag or commit on the hub.
        batch_size: Sentences that are encoded together.
    """

    def __init__(
        self,
        model: str,
        *,
        pooling: str | None = None,
        layers: Layers | None = None,
        prompt: str = "",
        max_length: int | None = None,
        device: str | None = None,
        dtype: str = "float32",
        revision: str | None = None,
        batch_size: int = 32,
    ) -> None:
        poolings = ", ".join(known := (*POOLINGS, *CLS_POOLINGS))
        if pooling is not None and pooling not in known:
            raise InputError(f"unknown pooling, got {pooling!r}; it is one of {poolings}")
        if dtype not in DTYPES:
            raise InputError(f"unknown dtype, got {dtype!r}; it is one of {', '.join(DTYPES)}")
        if max_length is not None and max_length < 3:
            raise InputError(
                f"max_length must leave room for a token between two marks, got {max_length!r}"
            )
        if batch_size < 1:
            raise InputError(f"batch_size must be at least 1, got {batch_size!r}")
        self.model, self.pooling, self.layers, self.prompt = model, pooling, layers, prompt
        self.max_length, self.device, self.dtype = max_length, device, dtype
        self.revision, self.batch_size = revision, batch_size
        self._takes_mean = True  # until an output shows otherwise
        torch, _ = _hub.libraries()
        try:
            wanted = torch.device(device or "cpu")
        except RuntimeError:
            raise InputError(
                f"unknown device, got {device!r}; use, for example, cpu, cuda or cuda:1"
            ) from None
        if wanted.type == "cuda" and not torch.cuda.is_available():
            raise InputError(
                f"torch finds no CUDA GPU, got device {device!r}; leave it out, or use cpu"
            )

    @cached_property
    def _model(self) -> SentenceTransformer:
        """The model with its own modules, or of its layers with a pooling."""
        from sentence_transformers import SentenceTransformer

        torch, _ = _hub.libraries()
        device = torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        folder = _hub.locate(self.model)
        own = self.pooling is None and self.layers is None
        with _hub.loading(self.model) as settings:
            if self.revision is not None:
                settings["revision"] = self.revision
            if own and _hub.model_file(folder, "modules.json", settings) is not None:
                _hub.check_modules(folder, settings)
                settings["model_kwargs"] = {"use_safetensors": True}
                settings["model_kwargs"]["dtype"] = getattr(torch, self.dtype)
                model = SentenceTransformer(folder, device=str(device), **settings)
            else:
                layers = _Layers(self, folder, settings, device)
                module = _hub.input_module(layers.read, lambda: layers.dimension)
                module.tokenizer, module.max_seq_length = layers.tokenizer, layers.limit
                model = SentenceTransformer(modules=[module], device=str(device))
        if self.max_length is not None:
            model.max_seq_length = min(self.max_length, model.max_seq_length or self.max_length)
        return model

    @property
    def _limit(self) -> int | None:
        limit = self._model.max_seq_length
        return None if limit is None or limit > _hub.NO_LIMIT else limit

    @property
    def _prefix(self) -> str:
        model = self._model
        return self.prompt or model.prompts.get(model.default_prompt_name or "", "") or ""

    def _run(self, texts: list[str], **how: object) -> Any:
        more: Plain = {"batch_size": self.batch_size, "show_progress_bar": False, **how}
        model = self._model
        with _hub.running(self.model):
            return model.encode(texts, prompt=self.prompt or None, **more)  # None: its default

    @cached_property
    def dimension(self) -> int:
        """The length of the vectors; reads the model."""
        return len(self._run(["a"])[0])

    @property
    def mask_token(self) -> str | None:
        """The mask token, or None; reads the model."""
        token: str | None = getattr(self._model.tokenizer, "mask_token", None)
        return token

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return the vectors of the sentences, (n, d) float32; not normalised by this class. Raises
        :class:`InputError` for blank text.
        """
        if not (texts := check_sentences(sentences)):
            return np.empty((0, self.dimension), np.float32)
        return np.asarray(self._run(texts), np.float32)

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """Return whether each sentence has more tokens than the model reads."""
        texts = [self._prefix + text for text in check_sentences(sentences)]
        if not texts or (limit := self._limit) is None:
            return [False] * len(texts)
        with _hub.running(self.model):
            tokens = self._model.tokenizer(texts, truncation=False, verbose=False)
        return [len(ids) > limit for ids in tokens["input_ids"]]

    def split(self, sentences: Sequence[str]) -> list[SplitVector] | None:
        """Return the vectors as sums over tokens; the prompt belongs to the rest. None if the model
        does not pool by the mean, or the tokenizer gives no offsets.
        """
        if not (texts := check_sentences(sentences)):
            return []
        if not self._takes_mean or (places := self._places(texts)) is None:
            return None
        splits = []
        for row, place in zip(self._run(texts, output_value=None), places, strict=True):
            vector, states = (
                row[name].float().cpu().numpy()
                for name in ("sentence_embedding", "token_embeddings")
            )
            states = states[row["attention_mask"].cpu().numpy() > 0]
            mean = states.mean(0)
            # The output shows whether the model takes the mean, at any length.
            length = np.linalg.norm(vector) / np.linalg.norm(mean)
            self._takes_mean = (
                len(states) == len(place)
                and mean.shape == vector.shape
                and np.allclose(mean * length, vector, atol=1e-5 * max(1, np.abs(states).max()))
            )
            if not self._takes_mean:
                return None
            parts = states * np.float32(length / len(states))
            inside = np.array([at is not None for at in place])
            offsets = [at for at in place if at is not None]
            splits.append(SplitVector(vector, parts[inside], parts[~inside].sum(0), offsets))
        return splits

    def _places(self, texts: list[str]) -> list[Places] | None:
        """Return the places of the tokens in each text; None if the tokenizer has no offsets."""
        tokenizer, prefix = self._model.tokenizer, self._prefix
        if not tokenizer.is_fast:
            return None
        how = {"return_offsets_mapping": True, "return_special_tokens_mask": True}
        with _hub.running(self.model):
            tokens = _tokens(tokenizer, [prefix + text for text in texts], self._limit, **how)
        skip = len(prefix)
        return [
            [
                None if special or end <= skip else (max(start - skip, 0), end - skip)
                for (start, end), special in zip(offsets, specials, strict=True)
            ]
            for offsets, specials in zip(
                tokens["offset_mapping"], tokens["special_tokens_mask"], strict=True
            )
        ]


def _tokens(tokenizer: Any, texts: list[str], limit: int | None, **how: object) -> Any:
    """Return the tokens of texts, cut to the limit."""
    cut = {"truncation": True, "max_length": limit} if limit else {}
    return tokenizer(texts, verbose=False, **how, **cut)


class _Layers:
    """Layers of a transformers model, with a pooling over tokens."""

    def __init__(
        self, owner: TransformerEncoder, folder: str, settings: Plain, device: torch.device
    ) -> None:
        self.torch, transformers = _hub.libraries()
        self.pooling, self.device = owner.pooling or "mean", device
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **settings)
        if self.tokenizer.pad_token_id is None:  # any token: the mask leaves it out
            self.tokenizer.pad_token = self.tokenizer.convert_ids_to_tokens(0)
        self.model, missing = _hub.read_model(folder, settings, getattr(self.torch, owner.dtype))
        self.model.to(device)
        config = self.model.config.get_text_config()
        # A missing pooler is filled with random numbers; only one pooling uses it.
        used = sorted(
            name for name in missing if "pooler." not in name or self.pooling == "cls+dense"
        )
        if used:
            raise AssetError(
                f"the model {owner.model!r} lacks weights that are needed: {', '.join(used[:4])}"
            )
        if self.pooling == "cls" and self.tokenizer.cls_token_id is None:
            raise InputError(
                f"the tokenizer of {owner.model!r} has no CLS token; pool by mean, "
                "weighted-mean or last"
            )
        self.layers = self._indices(
            -1 if owner.layers is None else owner.layers, config.num_hidden_layers
        )
        self.limit = _hub.max_tokens(self.tokenizer, config)
        if owner.max_length is not None:
            self.limit = min(owner.max_length, self.limit or owner.max_length)
        self.dimension = config.hidden_size

    @staticmethod
    def _indices(layers: Layers, count: int) -> list[int]:
        """Return indices into the hidden states, 0 for word embeddings; [] for the last layer."""
        if layers == "all":
            return list(range(count + 1))
        wanted: Sequence[int] = [layers] if isinstance(layers, int) else list(layers)
        if not wanted or any(
            not isinstance(layer, int) or not -count - 1 <= layer <= count for layer in wanted
        ):
            raise InputError(
                f"layers are from 0 (word embeddings) to {count}, or negative from the end, got "
                f"{layers!r}"
            )
        indices = [layer % (count + 1) for layer in wanted]
        return [] if indices == [count] else indices

    def read(self, texts: Sequence[str], prompt: str | None) -> dict[str, Tensor]:
        """Return the vectors of texts, and the states and mask of their tokens."""
        given = [(prompt or "") + text for text in texts]
        how: Plain = {"padding": True, "padding_side": "right", "return_attention_mask": True}
        how["return_tensors"] = "pt"
        inputs = _tokens(self.tokenizer, given, self.limit, **how).to(self.device)
        mask = inputs["attention_mask"]
        if not mask.any(1).all():
            text = texts[int(mask.any(1).int().argmin())]
            raise InputError(f"the model's tokenizer finds no token in {text!r:.80}")
        output = self.model(**inputs, output_hidden_states=bool(self.layers), return_dict=True)
        chosen = [output.hidden_states[layer].float() for layer in self.layers]
        states = self.torch.stack(chosen).mean(0) if chosen else output.last_hidden_state.float()
        vectors = self._pooled(output, states, inputs["input_ids"], mask.float())
        found = {"token_embeddings": states, "attention_mask": mask}
        return {"sentence_embedding": vectors.float(), **found}

    def _pooled(self, output: Any, states: Tensor, ids: Tensor, mask: Tensor) -> Tensor:
        if self.pooling == "cls+dense":
            if getattr(output, "pooler_output", None) is None:
                raise InputError(
                    f"{self.model.config.model_type} has no dense layer over its CLS token; "
                    "pool by cls"
                )
            pooled: Tensor = output.pooler_output
            return pooled
        if self.pooling == "cls":
            place = (ids == self.tokenizer.cls_token_id).int().argmax(1)
            return states[list(range(len(states))), place]
        return POOLINGS[self.pooling](states, mask)
