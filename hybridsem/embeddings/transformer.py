"""Sentence vectors of any Hugging Face or sentence-transformers model (extra ``transformers``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import check_sentences
from hybridsem.embeddings import _hub
from hybridsem.embeddings.splitting import SplitVector
from hybridsem.errors import AssetError, InputError


def _mean(states: Any, mask: Any) -> Any:
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


def _mean_sqrt(states: Any, mask: Any) -> Any:
    return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).sqrt()


def _weighted_mean(states: Any, mask: Any) -> Any:
    return _mean(states, mask * mask.cumsum(1))


def _max(states: Any, mask: Any) -> Any:
    return states.masked_fill(mask[..., None] == 0, float("-inf")).amax(1)


def _last(states: Any, mask: Any) -> Any:
    return states[list(range(len(states))), (mask.sum(1) - 1).long()]


POOLINGS: Mapping[str, Callable[[Any, Any], Any]] = {
    "mean": _mean,
    "mean-sqrt": _mean_sqrt,  # the sum over the root of the length: AVG in Zhu & de Melo 2020
    "weighted-mean": _weighted_mean,  # by position, 1, 2, …: SGPT (Muennighoff 2022)
    "max": _max,
    "last": _last,
}
"""Poolings over all tokens; those of the CLS token need the tokenizer or a dense layer."""


Places = list[tuple[int, int] | None]
"""The (start, end) of each token in the text; None of a mark, or of what is in the prompt."""


def token_places(
    tokenizer: Any, prompt: str, texts: list[str], limit: int | None
) -> list[Places] | None:
    """Where the tokens of each text stand in it; None for a tokenizer that does not tell.

    Args:
        tokenizer: The model's.
        prompt: What is put before every text.
        texts: The texts.
        limit: How many tokens are read of each.
    """
    if not tokenizer.is_fast:
        return None
    cut = {"truncation": True, "max_length": limit} if limit else {}
    tokens = tokenizer(
        [prompt + text for text in texts],
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        verbose=False,
        **cut,
    )
    skip = len(prompt)
    return [
        [
            None if mark or end <= skip else (max(start - skip, 0), end - skip)
            for (start, end), mark in zip(offsets, marks, strict=True)
        ]
        for offsets, marks in zip(
            tokens["offset_mapping"], tokens["special_tokens_mask"], strict=True
        )
    ]


def split_by_tokens(vector: Float32Array, parts: Float32Array, places: Places) -> SplitVector:
    """A vector as the sum of what its tokens add, (t, d), by where they stand."""
    inside = np.array([place is not None for place in places])
    offsets = [place for place in places if place is not None]
    return SplitVector(vector, parts[inside], parts[~inside].sum(0), offsets)


Layers = int | tuple[int, ...] | Literal["all"]

OPTIONS = ("device", "dtype", "layers", "max_length", "pooling", "prompt", "revision")
"""What may follow a model's name: ``transformer:MODEL,pooling=cls,layers=0+12``."""

CLS_POOLINGS = ("cls", "cls+dense")
DTYPES = ("float32", "float16", "bfloat16")


class TransformerEncoder:
    """A model of the Hugging Face hub, by name or as a folder.

    A sentence-transformers model (one with ``modules.json``) is read by that library, and its own
    modules are honoured (pooling, dense layers, normalisation), unless ``pooling`` or ``layers`` is
    given. Any other is a stack of layers. Of an encoder-decoder model the encoder is read.

    Weights are read on first use, from safetensors alone, and no code that comes with a model is
    run. Raises :class:`MissingExtraError` without the extra, :class:`AssetError` where the model
    cannot be read, :class:`InputError` for settings that it does not have.

    Args:
        model: Its name on the hub, or a folder.
        pooling: ``mean`` (the default), ``mean-sqrt`` (the sum over the root of the length),
            ``weighted-mean`` (by position), ``max``, ``last`` (the last token), ``cls`` (the CLS
            token, wherever the tokenizer puts it), ``cls+dense`` (through the model's own dense
            layer and tanh).
        layers: An index (0 the word embeddings, -1 the last, the default), several, or ``"all"``:
            their mean.
        prompt: What is put before every sentence.
        max_length: Tokens, special ones included (default: what the model reads);
            :meth:`too_long` tells what is cut.
        device: A torch device (default: a CUDA GPU if there is one, else the CPU).
        dtype: The weights'. ``float16`` and ``bfloat16`` save memory, and a vector then depends on
            its batch in the third digit.
        revision: The branch, tag or commit on the hub (default: its main branch).
        batch_size: Sentences that are encoded at once.
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
        if pooling is not None and pooling not in (*POOLINGS, *CLS_POOLINGS):
            raise InputError(
                f"unknown pooling, got {pooling!r}; it is one of "
                f"{', '.join((*POOLINGS, *CLS_POOLINGS))}"
            )
        if dtype not in DTYPES:
            raise InputError(f"unknown dtype, got {dtype!r}; it is one of {', '.join(DTYPES)}")
        if max_length is not None and max_length < 3:
            raise InputError(
                f"max_length must leave room for a token between two marks, got {max_length!r}"
            )
        if batch_size < 1:
            raise InputError(f"batch_size must be at least 1, got {batch_size!r}")
        self.model, self.pooling, self.layers, self.prompt = model, pooling, layers, prompt
        self.max_length = max_length
        self.device = device
        self.dtype = dtype
        self.revision = revision
        self.batch_size = batch_size
        torch, _ = _hub.libraries()
        try:
            wanted = torch.device(device or "cpu")
        except RuntimeError:
            raise InputError(
                f"unknown device, got {device!r}; it is for instance cpu, cuda or cuda:1"
            ) from None
        if wanted.type == "cuda" and not torch.cuda.is_available():
            raise InputError(
                f"torch sees no CUDA GPU, got device {device!r}; leave it out, or take cpu"
            )

    @classmethod
    def from_options(cls, model: str, options: Mapping[str, str]) -> TransformerEncoder:
        """The encoder that ``transformer:MODEL,name=value,…`` stands for. Raises
        :class:`InputError` (a value that the option cannot have).
        """
        given: dict[str, Any] = dict(options)
        if "max_length" in given:
            given["max_length"] = _integer("max_length", given["max_length"])
        if given.get("layers", "all") != "all":
            given["layers"] = tuple(_integer("layers", part) for part in given["layers"].split("+"))
        return cls(model, **given)

    def __repr__(self) -> str:
        return f"TransformerEncoder({self.model!r})"

    @cached_property
    def _reader(self) -> _Reader:
        torch, _ = _hub.libraries()
        device = torch.device(self.device or ("cuda" if torch.cuda.is_available() else "cpu"))
        folder = _hub.locate(self.model)
        with _hub.loading(self.model) as settings:
            if self.revision is not None:
                settings["revision"] = self.revision
            if self.pooling is None and self.layers is None and _hub.has_modules(folder, settings):
                _hub.check_modules(folder, settings)
                return _Modules(self, folder, settings, device)
            return _Layers(self, folder, settings, device)

    @property
    def dimension(self) -> int:
        """How long the vectors are; reads the model."""
        return self._reader.dimension

    @property
    def mask_token(self) -> str | None:
        """The tokenizer's sign for a hidden word, None where it has none; reads the model."""
        return self._reader.mask_token

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """The vectors of the sentences, of the model's length. Returns (n, d) float32. Raises
        :class:`InputError` (blank text).
        """
        texts = check_sentences(sentences)
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        reader = self._reader
        with _hub.running(self.model):
            return reader.encode(texts)

    def split(self, sentences: Sequence[str]) -> list[SplitVector] | None:
        """The vectors as sums over tokens; None where they are not the mean of these, or the
        tokenizer does not know where they stand. A prompt counts as marks do.
        """
        texts = check_sentences(sentences)
        reader = self._reader
        with _hub.running(self.model):
            return reader.split(texts) if texts else []

    def too_long(self, sentences: Sequence[str]) -> list[bool]:
        """For each sentence, whether it has more tokens than the model reads and is cut."""
        texts = check_sentences(sentences)
        reader = self._reader
        with _hub.running(self.model):
            return reader.too_long(texts) if texts else []


def _integer(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise InputError(f"{name} must be a whole number, got {value!r}") from None


class _Reader(Protocol):
    """A model that has been read."""

    dimension: int
    mask_token: str | None

    def encode(self, texts: list[str]) -> Float32Array: ...

    def split(self, texts: list[str]) -> list[SplitVector] | None: ...

    def too_long(self, texts: list[str]) -> list[bool]: ...


class _Modules:
    """A sentence-transformers model, run by that library."""

    def __init__(
        self, owner: TransformerEncoder, folder: str, settings: dict[str, Any], device: Any
    ) -> None:
        from sentence_transformers import SentenceTransformer

        torch, _ = _hub.libraries()
        # None: the model's own default.
        self.batch_size = owner.batch_size
        self.prompt = owner.prompt or None
        self.model = SentenceTransformer(
            folder,
            device=str(device),
            model_kwargs={"use_safetensors": True, "dtype": getattr(torch, owner.dtype)},
            **settings,
        )
        if owner.max_length is not None:
            self.model.max_seq_length = min(
                owner.max_length, self.model.max_seq_length or owner.max_length
            )
        (vector,) = self.model.encode(["a"], show_progress_bar=False)
        self.dimension = len(vector)
        self.mask_token = getattr(self.model.tokenizer, "mask_token", None)
        self.takes_mean = True  # as long as nothing else is seen

    def encode(self, texts: list[str]) -> Float32Array:
        rows = self.model.encode(
            texts, batch_size=self.batch_size, show_progress_bar=False, prompt=self.prompt
        )
        return np.asarray(rows, np.float32)

    def split(self, texts: list[str]) -> list[SplitVector] | None:
        if not self.takes_mean:
            return None
        prompt, limit = self._full_prompt(), self.model.max_seq_length
        if limit is not None and limit > _hub.NO_LIMIT:
            limit = None
        places = token_places(self.model.tokenizer, prompt, texts, limit)
        if places is None:
            return None
        rows: Any = self.model.encode(
            texts,
            batch_size=self.batch_size,
            show_progress_bar=False,
            prompt=self.prompt,
            output_value=None,
        )
        found = []
        for row, place in zip(rows, places, strict=True):
            vector, states = (
                row[name].float().cpu().numpy()
                for name in ("sentence_embedding", "token_embeddings")
            )
            states = states[row["attention_mask"].cpu().numpy() > 0]
            mean = states.mean(0)
            # What the modules do shows in what they give: the mean at some length, or another.
            length = np.linalg.norm(vector) / np.linalg.norm(mean)
            self.takes_mean = (
                len(states) == len(place)
                and mean.shape == vector.shape
                and np.allclose(mean * length, vector, atol=1e-5)
            )
            if not self.takes_mean:
                return None
            found.append(split_by_tokens(vector, states * np.float32(length / len(states)), place))
        return found

    def _full_prompt(self) -> str:
        """What is put before every sentence."""
        named = self.model.prompts.get(self.model.default_prompt_name or "", "")
        return self.prompt or named or ""

    def too_long(self, texts: list[str]) -> list[bool]:
        limit = self.model.max_seq_length
        if limit is None or limit > _hub.NO_LIMIT:
            return [False] * len(texts)
        prompt = self._full_prompt()
        tokens = self.model.tokenizer(
            [prompt + text for text in texts], truncation=False, verbose=False
        )
        return [len(ids) > limit for ids in tokens["input_ids"]]


class _Layers:
    """A model of transformers: its layers, and a pooling over its tokens."""

    def __init__(
        self, owner: TransformerEncoder, folder: str, settings: dict[str, Any], device: Any
    ) -> None:
        self.torch, _ = _hub.libraries()
        self.pooling = owner.pooling or "mean"
        self.prompt = owner.prompt
        self.batch_size = owner.batch_size
        self.device = device
        self.tokenizer = _hub.read_tokenizer(folder, settings)
        self.model, missing = _hub.read_model(folder, settings, getattr(self.torch, owner.dtype))
        self.model.to(device)
        config = self.model.config.get_text_config()
        # A pooler that the file lacks is filled with random numbers; it matters only to the pooling
        # that uses it.
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
        self.layers = self._chosen(
            -1 if owner.layers is None else owner.layers, config.num_hidden_layers
        )
        self.limit = _hub.reads_at_most(self.tokenizer, config)
        if owner.max_length is not None:
            self.limit = min(owner.max_length, self.limit or owner.max_length)
        self.dimension = config.hidden_size
        self.mask_token = self.tokenizer.mask_token

    def _chosen(self, layers: Layers, count: int) -> list[int]:
        """Indices into the hidden states, 0 the word embeddings; the last alone is []."""
        if layers == "all":
            return list(range(count + 1))
        wanted: list[Any] = [layers] if isinstance(layers, int) else list(layers)
        if not wanted or any(
            not isinstance(layer, int) or not -count - 1 <= layer <= count for layer in wanted
        ):
            raise InputError(
                f"layers are from 0 (the word embeddings) to {count}, or from the end -1, got "
                f"{layers!r}"
            )
        found = [layer % (count + 1) for layer in wanted]
        return [] if found == [count] else found

    def too_long(self, texts: list[str]) -> list[bool]:
        if self.limit is None:
            return [False] * len(texts)
        tokens = self.tokenizer([self.prompt + text for text in texts], verbose=False)
        return [len(ids) > self.limit for ids in tokens["input_ids"]]

    def encode(self, texts: list[str]) -> Float32Array:
        rows = np.empty((len(texts), self.dimension), np.float32)
        for batch, inputs in self._inputs(texts):
            with self.torch.inference_mode():
                rows[batch] = self._vectors(inputs).float().cpu().numpy()
        return rows

    def split(self, texts: list[str]) -> list[SplitVector] | None:
        if self.pooling != "mean":
            return None
        places = token_places(self.tokenizer, self.prompt, texts, self.limit)
        if places is None:
            return None
        found: list[SplitVector | None] = [None] * len(texts)
        for batch, inputs in self._inputs(texts):
            with self.torch.inference_mode():
                states = self._states(self._output(inputs))
                vectors = POOLINGS["mean"](states, inputs["attention_mask"].float())
            for i, vector, of in zip(
                batch, vectors.cpu().numpy(), states.cpu().numpy(), strict=True
            ):
                count = len(places[i])
                found[i] = split_by_tokens(vector, of[:count] / np.float32(count), places[i])
        return [one for one in found if one is not None]

    def _inputs(self, texts: list[str]) -> Iterator[tuple[list[int], dict[str, Any]]]:
        """What the model reads, batch by batch: the indices of the texts, and the tensors."""
        cut = {"truncation": True, "max_length": self.limit} if self.limit else {}
        texts = [self.prompt + text for text in texts]
        tokens = self.tokenizer(texts, return_attention_mask=False, verbose=False, **cut)
        lengths = [len(ids) for ids in tokens["input_ids"]]
        if not all(lengths):
            row = lengths.index(0)
            raise InputError(
                f"sentence {row}: the model's tokenizer finds no token in {texts[row]!r:.80}"
            )
        for batch in self._batches(lengths):
            inputs = {name: self._padded([tokens[name][i] for i in batch], name) for name in tokens}
            width = [lengths[i] for i in batch]
            mask = self.torch.arange(max(width))[None] < self.torch.tensor(width)[:, None]
            inputs["attention_mask"] = mask.long().to(self.device)
            yield batch, inputs

    def _batches(self, lengths: list[int]) -> Iterator[list[int]]:
        """Batches of similar length, longest first, as indices: what is too big shows at once."""
        order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
        for at in range(0, len(order), self.batch_size):
            yield order[at : at + self.batch_size]

    def _padded(self, lists: list[list[int]], name: str) -> Any:
        fill = (self.tokenizer.pad_token_id or 0) if name == "input_ids" else 0
        width = max(map(len, lists))
        return self.torch.tensor(
            [ids + [fill] * (width - len(ids)) for ids in lists], device=self.device
        )

    def _output(self, inputs: dict[str, Any]) -> Any:
        return self.model(**inputs, output_hidden_states=bool(self.layers), return_dict=True)

    def _vectors(self, inputs: dict[str, Any]) -> Any:
        output = self._output(inputs)
        if self.pooling == "cls+dense":
            if getattr(output, "pooler_output", None) is None:
                raise InputError(
                    f"{self.model.config.model_type} has no dense layer over its CLS token; "
                    "pool by cls"
                )
            return output.pooler_output
        states = self._states(output)
        if self.pooling == "cls":
            place = (inputs["input_ids"] == self.tokenizer.cls_token_id).int().argmax(1)
            return states[list(range(len(states))), place]
        return POOLINGS[self.pooling](states, inputs["attention_mask"].float())

    def _states(self, output: Any) -> Any:
        """The states at every token: the last layer's, or the mean of those that were chosen."""
        if not self.layers:
            return output.last_hidden_state.float()
        chosen = [output.hidden_states[layer].float() for layer in self.layers]
        return self.torch.stack(chosen).mean(0)
