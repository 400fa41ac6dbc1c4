"""Sentence vectors of Hugging Face and sentence-transformers models (extra ``transformers``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
    from torch import Tensor
    from transformers import PreTrainedTokenizerBase


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

Inputs = dict[str, "Tensor"]
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
    def _loaded(self) -> _Modules | _Layers:
        torch, _ = _hub.libraries()
        device = torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        folder = _hub.locate(self.model)
        with _hub.loading(self.model) as settings:
            if self.revision is not None:
                settings["revision"] = self.revision
            own = self.pooling is None and self.layers is None
            if own and _hub.model_file(folder, "modules.json", settings) is not None:
                _hub.check_modules(folder, settings)
                return _Modules(self, folder, settings, device)
            return _Layers(self, folder, settings, device)

    @property
    def dimension(self) -> int:
        """The length of the vectors; reads the model."""
        return self._loaded.dimension

    @property
    def mask_token(self) -> str | None:
        """The mask token, or None; reads the model."""
        return self._loaded.mask_token

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Return the vectors of the sentences, (n, d) float32; not normalised by this class. Raises
        :class:`InputError` for blank text.
        """
        texts = check_sentences(sentences)
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        model = self._loaded
        with _hub.running(self.model):
            return model.encode(texts)

    def split(self, sentences: Sequence[str]) -> list[SplitVector] | None:
        """Return the vectors as sums over tokens; the prompt belongs to the rest. None if the model
        does not pool by the mean, or the tokenizer gives no offsets.
        """
        texts = check_sentences(sentences)
        model = self._loaded
        with _hub.running(self.model):
            return model.split(texts) if texts else []

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """Return whether each sentence has more tokens than the model reads."""
        texts = check_sentences(sentences)
        model = self._loaded
        with _hub.running(self.model):
            return model.too_long(texts) if texts else []


class _Model:
    """A loaded model: ``limit`` is the most tokens, ``prefix`` the text before every sentence."""

    dimension: int
    tokenizer: PreTrainedTokenizerBase
    limit: int | None
    prefix: str

    @property
    def mask_token(self) -> str | None:
        token: str | None = getattr(self.tokenizer, "mask_token", None)
        return token

    def too_long(self, texts: list[str]) -> list[bool]:
        if self.limit is None:
            return [False] * len(texts)
        texts = [self.prefix + text for text in texts]
        tokens = self.tokenizer(texts, truncation=False, verbose=False)
        return [len(ids) > self.limit for ids in tokens["input_ids"]]

    def _tokens(self, texts: list[str], **settings: bool) -> Any:
        cut = {"truncation": True, "max_length": self.limit} if self.limit else {}
        texts = [self.prefix + text for text in texts]
        return self.tokenizer(texts, verbose=False, **settings, **cut)

    def _places(self, texts: list[str]) -> list[Places] | None:
        """Return the places of the tokens in each text; None if the tokenizer has no offsets."""
        if not self.tokenizer.is_fast:
            return None
        tokens = self._tokens(texts, return_offsets_mapping=True, return_special_tokens_mask=True)
        skip = len(self.prefix)
        return [
            [
                None if special or end <= skip else (max(start - skip, 0), end - skip)
                for (start, end), special in zip(offsets, specials, strict=True)
            ]
            for offsets, specials in zip(
                tokens["offset_mapping"], tokens["special_tokens_mask"], strict=True
            )
        ]


def _split(vector: Float32Array, parts: Float32Array, places: Places) -> SplitVector:
    """Return a vector as the sum of the parts of its tokens, (t, d)."""
    inside = np.array([place is not None for place in places])
    offsets = [place for place in places if place is not None]
    return SplitVector(vector, parts[inside], parts[~inside].sum(0), offsets)


class _Modules(_Model):
    """A sentence-transformers model, run by that library."""

    def __init__(
        self, owner: TransformerEncoder, folder: str, settings: Plain, device: torch.device
    ) -> None:
        from sentence_transformers import SentenceTransformer

        torch, _ = _hub.libraries()
        self.model = model = SentenceTransformer(
            folder,
            device=str(device),
            model_kwargs={"use_safetensors": True, "dtype": getattr(torch, owner.dtype)},
            **settings,
        )
        if owner.max_length is not None:
            model.max_seq_length = min(owner.max_length, model.max_seq_length or owner.max_length)
        limit = model.max_seq_length
        self.limit = None if limit is None or limit > _hub.NO_LIMIT else limit
        self.settings: Plain = {
            "batch_size": owner.batch_size,
            "show_progress_bar": False,
            "prompt": owner.prompt or None,  # None: the model's default
        }
        self.prefix = owner.prompt or model.prompts.get(model.default_prompt_name or "", "") or ""
        self.tokenizer = model.tokenizer
        (vector,) = model.encode(["a"], show_progress_bar=False)
        self.dimension = len(vector)
        self.takes_mean = True  # until an output shows otherwise

    def encode(self, texts: list[str]) -> Float32Array:
        return np.asarray(self.model.encode(texts, **self.settings), np.float32)

    def split(self, texts: list[str]) -> list[SplitVector] | None:
        if not self.takes_mean or (places := self._places(texts)) is None:
            return None
        rows: Any = self.model.encode(texts, output_value=None, **self.settings)
        splits = []
        for row, place in zip(rows, places, strict=True):
            vector, states = (
                row[name].float().cpu().numpy()
                for name in ("sentence_embedding", "token_embeddings")
            )
            states = states[row["attention_mask"].cpu().numpy() > 0]
            mean = states.mean(0)
            # The output shows whether the modules take the mean, at any length.
            length = np.linalg.norm(vector) / np.linalg.norm(mean)
            self.takes_mean = (
                len(states) == len(place)
                and mean.shape == vector.shape
                and np.allclose(mean * length, vector, atol=1e-5)
            )
            if not self.takes_mean:
                return None
            splits.append(_split(vector, states * np.float32(length / len(states)), place))
        return splits


class _Layers(_Model):
    """Layers of a transformers model, with a pooling over tokens."""

    def __init__(
        self, owner: TransformerEncoder, folder: str, settings: Plain, device: torch.device
    ) -> None:
        self.torch, _ = _hub.libraries()
        self.pooling = owner.pooling or "mean"
        self.prefix, self.batch_size, self.device = owner.prompt, owner.batch_size, device
        _, transformers = _hub.libraries()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **settings)
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

    def encode(self, texts: list[str]) -> Float32Array:
        rows = np.empty((len(texts), self.dimension), np.float32)
        for batch, inputs in self._inputs(texts):
            with self.torch.inference_mode():
                rows[batch] = self._vectors(inputs).float().cpu().numpy()
        return rows

    def split(self, texts: list[str]) -> list[SplitVector] | None:
        if self.pooling != "mean" or (places := self._places(texts)) is None:
            return None
        splits: dict[int, SplitVector] = {}
        for batch, inputs in self._inputs(texts):
            with self.torch.inference_mode():
                states = self._states(self._output(inputs))
                vectors = POOLINGS["mean"](states, inputs["attention_mask"].float())
            for i, vector, of in zip(
                batch, vectors.cpu().numpy(), states.cpu().numpy(), strict=True
            ):
                count = len(places[i])
                splits[i] = _split(vector, of[:count] / np.float32(count), places[i])
        return [splits[i] for i in range(len(texts))]

    def _inputs(self, texts: list[str]) -> Iterator[tuple[list[int], Inputs]]:
        """Yield batches of similar length, longest first: indices of texts, and tensors."""
        tokens = self._tokens(texts, return_attention_mask=False)
        lengths = [len(ids) for ids in tokens["input_ids"]]
        if not all(lengths):
            row = lengths.index(0)
            fault = f"the model's tokenizer finds no token in {texts[row]!r:.80}"
            raise InputError(f"sentence {row}: {fault}")
        order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
        for at in range(0, len(order), self.batch_size):
            batch = order[at : at + self.batch_size]
            width = [lengths[i] for i in batch]
            inputs = {}
            for name in tokens:
                fill = (self.tokenizer.pad_token_id or 0) if name == "input_ids" else 0
                rows = [tokens[name][i] + [fill] * (max(width) - lengths[i]) for i in batch]
                inputs[name] = self.torch.tensor(rows, device=self.device)
            mask = self.torch.arange(max(width))[None] < self.torch.tensor(width)[:, None]
            inputs["attention_mask"] = mask.long().to(self.device)
            yield batch, inputs

    def _output(self, inputs: Inputs) -> Any:
        return self.model(**inputs, output_hidden_states=bool(self.layers), return_dict=True)

    def _vectors(self, inputs: Inputs) -> Tensor:
        output = self._output(inputs)
        if self.pooling == "cls+dense":
            if getattr(output, "pooler_output", None) is None:
                raise InputError(
                    f"{self.model.config.model_type} has no dense layer over its CLS token; "
                    "pool by cls"
                )
            pooled: Tensor = output.pooler_output
            return pooled
        states = self._states(output)
        if self.pooling == "cls":
            place = (inputs["input_ids"] == self.tokenizer.cls_token_id).int().argmax(1)
            return states[list(range(len(states))), place]
        return POOLINGS[self.pooling](states, inputs["attention_mask"].float())

    def _states(self, output: Any) -> Tensor:
        """Return the states at every token, the mean over the chosen layers."""
        chosen = [output.hidden_states[layer].float() for layer in self.layers]
        last = output.last_hidden_state
        states: Tensor = self.torch.stack(chosen).mean(0) if chosen else last.float()
        return states
