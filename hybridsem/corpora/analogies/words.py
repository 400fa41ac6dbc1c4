"""What the rules that make analogies know about English words, as data."""

from __future__ import annotations

from hybridsem.english import words as english

__all__ = [
    "ADVERBIAL",
    "BEFORE_BASE",
    "BOUND",
    "CHILDREN",
    "COLLECTIVE",
    "COLOURS",
    "GRADABLE",
    "HEDGES",
    "INTENSIFIERS",
    "KIN",
    "LAST",
    "MEASURES",
    "NAMES",
    "NOT_PASSIVE",
    "OBJECT_PRONOUNS",
    "OPPOSITES",
    "PLURAL_ONLY",
    "PREDICATIVE",
    "PRONOUNS",
    "QUANTITIES",
    "REPORTING",
    "SCOPE",
    "SHADES",
    "SINGLE",
    "SINGULAR_PRONOUNS",
    "WITH_HAVE",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(one, two) for one, _, two in (pair.partition(":") for pair in text.split())]


GRADABLE = _words(
    """
    big bright broad busy calm cheap clean clear clever close cold cool crazy dark deep dense dirty
    dry dull dusty easy faint fancy fast fat firm fresh friendly full funny gentle good great happy
    hard harsh healthy heavy high hot hungry icy kind large lazy light lively lonely long loose loud
    low lucky mild muddy narrow near neat new nice noisy odd old plain poor proud pure quick quiet
    rich ripe rocky rough rude sad safe sandy scary shallow sharp short shy sick silly simple sleepy
    slim slow small smart smooth soft sour steep stiff strange strict strong sunny sweet tall tasty
    thick thin tight tough ugly warm weak wealthy wet wide wild windy wise young
    """
)
"""Adjectives with a comparative in -er (or better), used before a noun and after "be" alike."""

SHADES = _words("bright dark deep light pale")
COLOURS = _words("black blue brown green gray grey orange pink purple red white yellow")

OPPOSITES = _pairs(
    """
    big:small small:big large:small tall:short long:short short:long young:old happy:sad sad:happy
    hot:cold cold:hot warm:cool cool:warm dark:light bright:dark wet:dry dry:wet dirty:clean
    clean:dirty full:empty empty:full heavy:light high:low low:high deep:shallow shallow:deep
    wide:narrow narrow:wide thick:thin thin:thick fast:slow slow:fast strong:weak weak:strong
    loud:quiet quiet:loud noisy:quiet hard:soft soft:hard good:bad bad:good easy:difficult
    difficult:easy cheap:expensive expensive:cheap safe:dangerous dangerous:safe smooth:rough
    rough:smooth steep:gentle beautiful:ugly ugly:beautiful crowded:empty black:white white:black
    male:female female:male new:old modern:old ancient:modern indoor:outdoor outdoor:indoor
    healthy:sick sick:healthy wild:tame sharp:blunt tight:loose loose:tight slim:fat fat:slim
    urban:rural rural:urban rude:polite polite:rude brave:cowardly lazy:hardworking huge:tiny
    tiny:huge enormous:tiny sunny:cloudy cloudy:sunny busy:quiet upper:lower lower:upper inner:outer
    friendly:unfriendly pleasant:unpleasant comfortable:uncomfortable healthy:unhealthy sweet:sour
    fresh:stale best:worst worst:best better:worse worse:better older:younger younger:older
    bigger:smaller smaller:bigger larger:smaller taller:shorter shorter:taller longer:shorter
    faster:slower slower:faster oldest:youngest youngest:oldest biggest:smallest smallest:biggest
    largest:smallest tallest:shortest simple:complicated important:unimportant useful:useless
    careful:careless
    """
)
"""An adjective and its opposite; "old" is decided by its noun."""

KIN = english.KIN | _words(
    """
    child grandchild granddaughter grandson stepbrother stepdaughter stepfather stepmother
    stepsister stepson
    """
)
"""Nouns of which one says "my"; of others, "the"."""

NOT_PASSIVE = _words(
    """
    act agree appear arrive average await be become begin belong come compare contain cost do end
    enjoy enter equal exist exit experience face fall feel fit get go happen hate have hear help
    hope include join jump lack last leave let lie like live look love make match mean need notice
    occur own reach remain resemble run say see seem sit sleep slide stand stay suit take think try
    wait walk want watch weigh wish work
    """
)
"""Verbs with an object that have no passive, a rare one, or that are mostly part of an idiom ("take
a nap"), and those that a clause without "to" may follow, of which a parser makes an object
("watches a child play").
"""

REPORTING = _words(
    """
    add admit agree allege announce argue assert assume assure believe bet claim complain conclude
    confirm contend decide declare demonstrate determine discover dream emphasize estimate expect
    explain fear feel figure find forget guess hear hint hope imagine imply indicate infer inform
    insist know learn maintain mention note notice observe predict pretend promise prove realise
    realize recall reckon recognise recognize remember report reveal say see sense show speculate
    state stress suggest suppose suspect swear tell think understand warn worry
    """
)
"""Verbs with a finite clause as their object."""

SCOPE = _words(
    """
    all almost already also always any anybody anyone anything both each either enough even ever
    every everybody everyone everything few hardly just little many most much never no nobody none
    nor nothing only often one some somebody someone something sometimes still too usually yet
    neither however therefore instead together another several
    """
)
"""Words that a "not" before or behind them would relate to in more ways than one."""

HEDGES = _words(
    """
    actually apparently certainly clearly definitely especially fortunately generally maybe mostly
    obviously perhaps possibly presumably probably really simply surely unfortunately
    """
)
"""Adverbs that a "not" does not stand before, or not with the same meaning."""

PREDICATIVE = (
    GRADABLE
    | COLOURS
    | _words(
        """
        ancient asleep bald beautiful blind blond blonde colorful colourful comfortable crowded
        curious dangerous drunk elderly enormous excited exhausted expensive famous female foggy
        foreign frozen hairy handsome important injured intelligent interesting lonesome male modern
        muscular nervous outdoor overweight pregnant pretty skinny snowy striped successful talented
        thirsty tired unhappy unusual upset wooden worried
        """
    )
) - {"fancy", "late", "early", "outdoor", "lean", "crazy", "odd", "plain", "pure", "poor"}
"""Adjectives that may stand behind "be" with the meaning that they have before a noun."""

NAMES = frozenset(
    _pairs(
        """
        big:screen big:top big:wheel black:belt blue:jeans cold:beer fast:food green:tea hard:hat
        hard:hats high:chair high:heels high:jump high:school hot:air hot:chocolate hot:dog hot:dogs
        hot:tub live:music long:jump red:wine short:sleeves soft:drink white:house white:wine
        young:adult young:adults bald:eagle bald:eagles fresh:air good:deal great:deal green:onion
        green:onions
        """
    )
)
"""Adjective and noun that name a thing together: a hot dog is no dog that is hot."""

MEASURES = _words(
    "array bit bunch couple crowd few group kind lot number pair pile piece row sort type variety"
)
"""Nouns that say how much or what kind there is of what comes behind them."""

QUANTITIES = _words("couple dozen handful lot majority number variety")
"""Nouns before "of" whose verb goes by the noun behind it."""

ADVERBIAL = _words("bit deal hour minute month time way week year")
"""Nouns behind a verb that a parser takes for objects ("it happens one day at a time")."""

BEFORE_BASE = _words("can could did do does may might must shall should will would")
"""Auxiliaries that the base form of a verb follows."""

LAST = frozenset({"too", "either", "also"})
"""Adverbs that stand at the end of a clause, behind an agent too."""

INTENSIFIERS = _words("badly closely deeply fully greatly heavily highly strongly well widely")
"""Adverbs that stand right before the participle that they go with."""

SINGLE = _words(
    "baby boy child girl guy kid lady man person woman bride cowboy dancer driver musician "
    "performer player "
    "rider runner singer skateboarder soldier student surfer teacher worker dog cat horse bird"
)
"""Nouns that are not used bare in the singular, but in headlines."""

SINGULAR_PRONOUNS = _words(
    "he she it this that everyone everybody everything someone somebody something anyone anybody "
    "anything nobody nothing"
)
"""Pronouns whose verb stands in the third person of the singular."""

PLURAL_ONLY = _words(
    "binoculars cattle clothes glasses goggles headphones jeans pants police scissors shorts "
    "sunglasses trousers"
)
PRONOUNS = frozenset(english.PRONOUNS)
OBJECT_PRONOUNS = frozenset(forms.object for forms in english.PRONOUNS.values())
BOUND = frozenset(
    form for forms in english.PRONOUNS.values() for form in (forms.determiner, forms.reflexive)
) | {"other", "another", "own"}
"""Words that go by the subject before them."""

COLLECTIVE = _words("audience crew crowd family media police public staff team")
CHILDREN = _words("baby boy child girl infant kid kitten puppy toddler")
WITH_HAVE = frozenset({"I", "you", "we", "they"})
