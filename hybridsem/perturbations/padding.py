"""Padding: text that says nothing, by default Latin words drawn at random as in dummy text."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate

import numpy as np

from hybridsem._typing import IntArray
from hybridsem.tokenisers.named import tokeniser

__all__ = ["Padding"]

WORDS = """
    ager agmen alter altus amicus amor ancilla animus annus antrum aqua ara arbor arcus ardor
    argentum arma ars arx asper aura aurum avis axis bellum bonus brevis caelum campus candor canis
    cantus caput carmen carus castra causa celer cena certus cibus civis clamor classis clivus
    collis color comes conatus consul copia cor corpus cras crinis culpa cura currus custos dapes
    decus dens deus dies dignus dolor domus donum dux ensis equus error faber fabula facies fama
    fatum felix fera ferrum fessus fides filum finis flamma flos flumen focus foedus folium fons
    forma fortis forum frater frigus frons fructus fuga fulmen fumus funis gaudium gemma gens genus
    gladius gloria gratus gravis grex herba heros hiems honor hora hortus hospes hostis humus iacto
    ignis imago imber imperium ingens insula ira iter iubar iudex iugum ius labor lacus laetus lapis
    latus laus lectus leo levis lex liber limen lingua litus locus longus lucus ludus lumen luna
    lupus lux magnus manus mare mater mens mensa merces meta miles mirus modus mons mora mors mos
    motus mundus munus murus nauta navis nemus nomen novus nox nubes numen nuntius oculus odium
    officium onus opus orbis ordo os otium panis pars pater pax pectus pes pietas piscis pondus pons
    populus porta
    """

SEED = 20260101
DRAWN_WORDS = 12_000


class Padding:
    """Words to pad with: those of a text, repeated where they are too few, or Latin ones."""

    def __init__(self, text: str | None = None) -> None:
        self._text = text

    @cached_property
    def words(self) -> list[str]:
        """The words, with their punctuation."""
        return _latin() if self._text is None else self._text.split()

    @cached_property
    def ends(self) -> IntArray:
        """How many tokens (word pieces) each word and those before it have together."""
        _, starts = tokeniser("wordpiece")(self.words)
        return starts[1:]

    def of(self, tokens: float) -> str:
        """The fewest words that have so many tokens; at least one word."""
        times, rest = divmod(tokens, int(self.ends[-1]))
        last = int(np.searchsorted(self.ends, rest)) + 1 if rest or not times else 0
        return " ".join(self.words * int(times) + self.words[:last])

    def exactly(self, tokens: int) -> str:
        """So many tokens, cl100k's if they are here, the last perhaps a part of a word; without a
        blank at the end.
        """
        whole, places = self._text_and_places
        times, rest = divmod(tokens, len(places))
        return (f"{whole} " * times + whole[: int(places[rest])]).rstrip()

    @cached_property
    def _text_and_places(self) -> tuple[str, IntArray]:
        whole = " ".join(self.words)
        return whole, tokeniser().places(whole)


def _latin() -> list[str]:
    """With the capitals and full stops of sentences of four to twelve words."""
    words = WORDS.split()
    random = np.random.Generator(np.random.PCG64(SEED))
    drawn = [words[int(at)] for at in random.random(DRAWN_WORDS) * len(words)]
    ends = {0, *accumulate(4 + int(length) for length in random.random(DRAWN_WORDS // 4) * 9)}
    return [
        (word.capitalize() if at in ends else word) + ("." if at + 1 in ends else "")
        for at, word in enumerate(drawn)
    ]
