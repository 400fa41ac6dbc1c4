"""Whether a text is in another language than English: a light test on its words, without a model.

    "Ein Hund schläft neben dem Haus."      schläft, dem +1, neben +½: foreign
    "Mr. Müller saw a van Gogh in the bar"   van +0.6, Müller, saw, a, in, bar ±¼, the -1: English

A text is foreign if most of its letters are not Latin, or if what its words say for another
language outweighs what they say for English. Names, headlines, code, numbers and slips say little
either way, and a text of fewer than four words is never called foreign. Weights and bounds were
chosen so that fewer than one in a thousand sentences of STSb train and dev, SICK train, SNLI dev,
PAWS-Wiki dev, STS12, and UD EWT train and dev is called foreign (``benchmarks/foreign.py``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from hybridsem._utils.tables import word_set
from hybridsem.english.stop_words import STOP_WORDS

__all__ = ["FOREIGN_WORDS", "is_foreign"]

FOREIGN_WORDS = word_set(
    """
    aan aber aby ada adalah af agar agora aina ainda ajili akan aku albo ale algo alla alle
    alleen alles alors altijd altri altro além ama ancak anche ancora anda andere andra andre
    anh anni anno antara antes apa apenas après aquí artık assim así atau att até au auch auf
    aus aussi autre autres aux av avait avant avec años baada bagi bahwa baik bana banyak bara
    bardzo baru bazı başka beberapa bei belum ben bene beni benim bez bien bila bile bir bisa
    bizim ble blev bli blir bliver bo bra bu bukan bunu być był była było böyle büyük cada casi
    ce cela celui ces cette ceux cha chaque che chez chi cho chúng ci comme con cosa così cuando
    czy czym các có cómo của daar daha dal dalam dalla dan dann dans dapat dari das dass dat
    degli dei della delle dello dem den dengan denne depois depuis der deras des desde después
    dess det detta dette deux deze değil di dia diese diesem diesen dieser dieses dit diye dla
    dlaczego doch doen dois donc donde dopo dort dos dove durch dus där edes een eens eerste
    efter ei ein eine einem einen einer eines eivät ela ele eles ella elle eller elles ellos
    emme encore ennen entre enää er es ese eso essa esse essere est esta este está están estão
    ett etter että etwas faire fait fazer fick finns fino flere foi foram fra från fue få för
    für gaan ganz gdy gdzie geen gegen gibi gibt già gjorde gli gut gå går göra gün haar habe
    haben hace hade hai han hanno hans hanya hapa har hari harus hasta hata hatte hebben heeft
    hele hem hennes hep het heute hier hii hij hiki hingga hivi hiyo hiç ho hoe hoje hon hoy hun
    hur huu huyu hva hvad hvis hvor hvordan hyvin hyvä há hän ich ieri iets igen ihan ihm ihn
    ihnen ihr ihre ik iki ikke il ile ili ils immer ingen ini innych inte invece ise isso ist
    itu iyi için içinde ja jaar jag jak jako je jede jeden jeder jedes jeg jego jej jest jeszcze
    jetzt jeśli jika jo joka jos jossa juga już já kabla kadar kaikki kaksi kalau kama kami kan
    kann kanssa karena kati katika ke kein keine keinen kendi kepada khi không ki kiedy kila
    kita koko kommer koska kto która które który kubwa kuin kuitenkin kuka kun kunde kunne
    kunnen kutoka kuwa kwa kwamba lagi lain lakini las le lebih lei les leur leurs lhe lo loro
    lub maar mai maior mais maka mam mambo mange mara mas masih med meer meget mehr mein mejor
    meno mensen mentre mer mereka mesmo mi mia mich mig mij mijn mikä mimi minun minä mio mir
    missä mistä mit mitä mkubwa mnie moet moeten moi moins moja molto mon monet mot może mtu
    mucho muchos muita muito mukaan mukana mungkin mutta muy mwaka mycket myös más många même
    một na naar nach nad nada namun nas nasıl nchi ndani ndiyo ne neden nei nel nella nem neue
    neuen người nhau những ni nich nicht nie niet niets nieuwe niin nim noch noe nog nogle nos
    nosotros nossa nosso nostro notre nous nu num numa nunca nur nya nyt này não näin nämä när
    några når och också od oder og ogni ohne olan olarak oldu ole oleh olen oli olin olisi ollut
    om oma ona onde oni ons ont onu onun onze ook op orada orang oraz os oss otra otro outra
    outro ovat overal où pada paljon pamoja para pas pek pela pelo perché pernah pero peu peut
    pia pitää più po poco pode poi por porque pourquoi przed przez przy puede può på qual quale
    quand quando quanto que quel quella quello quem questa questo qui quien raz razem rien roku
    również rất sa saa saada saat sadece sampai sana sangat sans sasa satu saya schon se sebuah
    secara sehr sein seine seinen seiner sejak sekarang sekä selalu selv sempre semua sen senza
    seperti ser serikali serta ses setelah setiap seu seus si siapa sich siden sie siellä
    siempre sig siis siku sillä sind sinds sine sino sinä sisi sitten sitä siz się ska skal
    skulle sobre soit sollte som sono sonra sont sous soy stata stati stato su sua suas sudah
    sul sulla suo sur sus suuri são så só są taas tahun tai tak también também te tegen tego
    tehdä tej tek telah tem tenho tentang ter teraz terhadap tersebut tetapi tidak tiene toda
    todo todos tosi tot toujours tous tout toute toutes tra trong trop très tu tudo tuo tutti
    tutto twee tych tylko tym tämä tämän tôi tüm uit um uma una und une unos uns unser unter
    untuk upp utan uten vaak vaan vad vai vaikka vain var vara veel vele vers vez vi vid viel
    viele vielä vil vile ville vizuri você voi vom voor vor votre vous vuonna vuosi vya vyake và
    være vært với wa waktu wao watu weer weil wel welche wengi wenn werd werden wetu wie
    wieder wielu wij wil wir wird więc wollen wordt wote wszystko wurde würde yaitu yake yang
    yangu yani yao yeni yenye yer yksi yli yok za zaidi zake zal zaman ze zeer zelf zich zij
    zijn zonder zou zu zum zur zwei zwischen à är år çok çünkü été être önce öyle über đã được
    şey şu że żeby
    """
)
"""Frequent words that are no English ones, of German, French, Spanish, Italian, Portuguese, Dutch,
Polish, Turkish, Vietnamese, Indonesian, Swahili, Finnish, Danish, Norwegian and Swedish.
"""

PARTICLES = word_set("al bin da de del den du el en et la los van von")
"""Such words that are parts of names, too."""

_ENGLISH = STOP_WORDS - word_set(
    """
    a all am an as at be been by do for had has he i in is me no of on over so to under was we were
    will
    """
)
"""English function words, without those that other languages write alike."""

MIN_WORDS = 4
"""Fewer different words are never called foreign."""
MIN_SCORE, MIN_SHARE = 1.0, 0.1
"""What the words must add up to, in all and for each."""
UNKNOWN, UNKNOWN_SCORE = 0.5, 2.0
"""What a word says that is in no list, and what is asked where there are no others: a slip looks
like a foreign word.
"""
MIN_LETTERS = 5
"""So many letters of another script are more than a sign or two."""

READ = 2000
"""Characters of a text that are looked at: about what the encoder reads."""

_NOT_LATIN = re.compile("[^\\0-\u024f\u1e00-\u1eff]")
_CODE = re.compile(r"[/@\\_=<>{}]")
_WORD = re.compile(r"(?<![\w.])[^\W\d_]+(?![\d_]|\.\w)")
"""A word, but no part of a number or an address."""


def is_foreign(text: str, is_piece: Callable[[str], bool]) -> bool:
    """Whether a text is not English.

    ``is_piece`` tells whether the encoder's vocabulary, which is English, has a word as one piece.

    >>> is_foreign("Le chat dort sur le canapé du salon.", {"chat", "salon"}.__contains__)
    True
    >>> is_foreign("Le Monde praised the film.", {"praised", "film"}.__contains__)
    False
    """
    text = text[:READ]
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        others = sum(map(str.isalpha, _NOT_LATIN.findall(text)))
        if others >= MIN_LETTERS and 2 * others > sum(map(str.isalpha, text)):
            return True
    if _CODE.search(text):
        text = " ".join(token for token in text.split() if not _CODE.search(token))
    words = set(_WORD.findall(text))
    if len(words) < MIN_WORDS:
        return False
    says = [_says(word, is_piece) for word in words]
    least = MIN_SCORE if max(says) > UNKNOWN else UNKNOWN_SCORE
    return sum(says) >= max(least, MIN_SHARE * len(words))


def _says(word: str, is_piece: Callable[[str], bool]) -> float:
    """What a word says for another language than English, or against it."""
    lower = word.lower()
    if lower in _ENGLISH:
        return -1
    if word != lower:  # perhaps a name
        return 0 if word.isascii() else 0.25
    if word in PARTICLES:
        return 0.6
    if word in FOREIGN_WORDS or (len(word) > 1 and not word.isascii()):
        return 1
    if is_piece(word):
        return -0.25
    return UNKNOWN if len(word) > 2 else 0
