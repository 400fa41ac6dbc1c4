"""Phrases: several words, or an abbreviation, that mean something together.

``PhraseLexicon.standard()`` finds phrases in sentences and relates their meanings.
"""

from hybridsem.phrases.lexicon import Meaning, PhraseLexicon
from hybridsem.structures import Phrase

__all__ = ["Meaning", "Phrase", "PhraseLexicon"]
