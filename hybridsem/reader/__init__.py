"""Reading sentences: structures and vectors by a model's parts, each sentence once within a call.

    names, objects --registry--> parts: parser, word vectors, encoder; a combiner
    sentences --parts, here or by an executor--> structures, vectors --> a batch of pairs

arguments.py     the arguments of a pipeline; files that were made for certain parts
pairs.py         pairs of sentences as users give them, checked
parts.py         the parts of a model, and their results, checked
reader.py        the reader: parts, a memory of sentences, an executor
"""

from __future__ import annotations

from hybridsem.reader.arguments import Arguments as Arguments
from hybridsem.reader.parts import Parts as Parts
from hybridsem.reader.reader import CHUNK as CHUNK
from hybridsem.reader.reader import SENTENCES_HELD as SENTENCES_HELD
from hybridsem.reader.reader import Executor as Executor
from hybridsem.reader.reader import HoldsReader as HoldsReader
from hybridsem.reader.reader import Reader
from hybridsem.reader.reader import reader_of as reader_of

__all__ = ["Reader"]
