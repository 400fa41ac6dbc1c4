"""Encoders that another library runs whole: the Universal Sentence Encoder and LASER.

Neither library is an extra: TensorFlow and fairseq hold back the versions of everything else. Where
they are installed they are used; elsewhere, their vectors can be computed apart and read as
``precomputed:FILE``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from hybridsem._typing import Float32Array
from hybridsem._utils.validation import check_sentences
from hybridsem.errors import AssetError, MissingExtraError

__all__ = ["Laser", "Laser1", "UniversalSentenceEncoder"]


def _library(name: str, command: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(name, command=command) from error


class UniversalSentenceEncoder:
    """The Universal Sentence Encoder (Cer et al. 2018): a TensorFlow SavedModel.

    A SavedModel is a program; take it from its publisher.

    Args:
        model: Its address or folder.

    Raises:
        MissingExtraError: tensorflow_hub is not installed.
        AssetError: The model cannot be loaded.
    """

    dimension = 512

    def __init__(self, model: str) -> None:
        self.model = model
        self._hub = _library("tensorflow_hub", "pip install tensorflow tensorflow-hub")

    @cached_property
    def _embed(self) -> Any:
        try:
            return self._hub.load(self.model)
        except Exception as error:  # TensorFlow's errors share no public base class
            raise AssetError(
                f"tensorflow_hub cannot load {self.model!r}: {str(error)[:300]}"
            ) from error

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Sentence vectors, (n, 512) float32; one by one, as padding would change them."""
        rows = [
            np.asarray(self._embed([text])[0], np.float32) for text in check_sentences(sentences)
        ]
        return np.stack(rows) if rows else np.empty((0, self.dimension), np.float32)


class Laser:
    """LASER 2 (Artetxe & Schwenk 2019; Heffernan et al. 2022) as ``laser_encoders`` runs it.

    Args:
        lang: The language, such as ``eng_Latn``.

    Raises:
        MissingExtraError: laser_encoders is not installed.
        AssetError: Its model cannot be loaded.
    """

    dimension = 1024

    def __init__(self, lang: str = "eng_Latn") -> None:
        self.lang = lang
        self._library = _library("laser_encoders", "pip install laser_encoders")

    @cached_property
    def _pipeline(self) -> Any:
        try:
            return self._library.LaserEncoderPipeline(lang=self.lang)
        except Exception as error:  # fairseq's errors share no public base class
            raise AssetError(
                f"laser_encoders cannot load {self.lang!r}: {str(error)[:300]}"
            ) from error

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Sentence vectors, (n, 1024) float32."""
        texts = check_sentences(sentences)
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.asarray(self._pipeline.encode_sentences(texts), np.float32)


class Laser1:
    """LASER 1 (Artetxe & Schwenk 2019) as ``laserembeddings`` runs it.

    Args:
        lang: The language, such as ``en``.

    Raises:
        MissingExtraError: laserembeddings is not installed.
        AssetError: Its model cannot be loaded.
    """

    dimension = 1024

    def __init__(self, lang: str = "en") -> None:
        self.lang = lang
        self._library = _library("laserembeddings", "pip install laserembeddings")

    @cached_property
    def _laser(self) -> Any:
        try:
            return self._library.Laser()
        except Exception as error:  # a missing download is a plain OSError or ValueError
            raise AssetError(
                f"laserembeddings cannot load LASER 1: {str(error)[:300]}; its files come with "
                "python -m laserembeddings download-models"
            ) from error

    def encode(self, sentences: Sequence[str]) -> Float32Array:
        """Sentence vectors, (n, 1024) float32."""
        texts = check_sentences(sentences)
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.asarray(self._laser.embed_sentences(list(texts), lang=self.lang), np.float32)
