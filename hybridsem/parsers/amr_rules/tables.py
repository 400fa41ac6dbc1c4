"""What the conversion to AMR knows about English and about AMR's conventions, as data.

Conventions are those of the AMR guidelines (amr.isi.edu/doc/amr-guidelines), as the gold graphs of
The Little Prince (train) and the example sentences of the guidelines follow them.
"""

from __future__ import annotations

from hybridsem.english import words as english
from hybridsem.english.numbers import CARDINALS

__all__ = [
    "ADJECTIVE_SENSES",
    "ADVERB_ROLES",
    "AGENT_NOUNS",
    "BODY_PARTS",
    "CITIES",
    "CLOTHES",
    "COLLECTIONS",
    "COMPARED",
    "COMPOUND_AGENTS",
    "CONJUNCTIONS",
    "CONTAINERS",
    "CONTINENTS",
    "COUNTRIES",
    "DAYPARTS",
    "DEGREE_ADVERBS",
    "DISCOURSE",
    "FEMALE",
    "FIXED_ADVERBS",
    "INCHOATIVE",
    "INDEFINITE",
    "INSTRUMENTS",
    "KIN",
    "MALE",
    "MARKS",
    "MATERIALS",
    "MATERIALS_ADJECTIVES",
    "MODALS",
    "MODAL_PREDICATES",
    "MONTHS",
    "MULTIPLIERS",
    "MUSICAL",
    "NAME_TYPES",
    "NATIONS",
    "NUMBERS",
    "OBJECT_SENSES",
    "ORDINALS",
    "PEOPLE",
    "PICTURES",
    "PLAIN",
    "PLANETS",
    "PREDICATED",
    "PREPOSITION_ROLES",
    "PRONOUNS",
    "QUANTITIES",
    "RAISING",
    "RELATIONAL_NOUNS",
    "RELATIONAL_PREPOSITIONS",
    "SEASONS",
    "SILENT_VERBS",
    "SPEECH",
    "UNITS",
    "WEEKDAYS",
]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _by_word(table: dict[str, str]) -> dict[str, str]:
    """``{"role": "word word"}`` as ``{"word": "role"}``."""
    return {word: key for key, words in table.items() for word in words.split()}


def _numbered(text: str) -> dict[str, int]:
    return {word: number for number, word in enumerate(text.split(), 1)}


# --- words

PRONOUNS = {
    form: subject for subject, forms in english.PRONOUNS.items() for form in forms
} | _by_word(
    {
        "you": "yourselves u ya",
        "we": "'s",  # "let's"
        "they": "'em themself",
        "this": "this these",
        "that": "that those",
    }
)
# Words with a concept of their own wherever they stand.
INDEFINITE = _by_word(
    {
        "person": "people persons folk folks",
        "none": "none",
    }
)
# Nouns and adjectives that AMR keeps as they are although PropBank has them as predicates
# somewhere.
PLAIN = _words(
    """
    great little small old big large new young other early late recent current only main major own
    such certain various tiny huge strange blue orange purple brown blonde elderly wooden golden
    tall wide narrow short high low electric asian american human male female baby same-day digital
    entire whole next last first second third extra ancient modern special ordinary magnificent
    difficult naive enormous immense gigantic picture time way word story song music movie film
    camera hand face head eye back front side top bottom water snow rain grass ground floor wall
    road street track path field beach park yard garden house building room bed bench chair couch
    table desk shelf counter box bag bottle bowl cup glass pan pot plate knife stick rope ball bike
    bicycle car truck bus train boat plane ship horse dog cat cow bird sheep fish frog man woman boy
    girl child guitar piano flute drum violin harp dish food meal cook dress shirt shoe hat paper
    book letter card phone number person team band crew crowd couple pair lot bunch kid guy lady
    name flower planet star king fox lamp day night morning evening year hour minute week month
    moment thing people sign stone rock ice fire wave pool river lake rail trail bridge fence gate
    door window roof stair step post pole net line lead tie mat wood cloth mouth nose ear arm leg
    foot hair tail paw price serve issue condition subject matter case part place point
    """
)
# Adjectives of colour and the like that the example sentences of the frames do not hold.
ADJECTIVE_SENSES = {
    "black": "black-04", "white": "white-03", "red": "red-02", "green": "green-02",
    "yellow": "yellow-02", "gray": "gray-02", "grey": "gray-02", "pink": "pink-04", "tan": "tan-02",
    "long": "long-03", "wet": "wet-01", "dark": "dark-02", "possible": "possible-01",
    "impossible": "possible-01", "able": "possible-01", "unable": "possible-01", "deep": "deep-02",
    "same": "same-01", "different": "differ-02", "similar": "resemble-01", "close": "close-10",
    "near": "near-02", "alive": "live-01", "dead": "die-01", "asleep": "sleep-01",
    "afraid": "fear-01", "cross-legged": "crosslegged", "lost": "lose-02", "open": "open-04",
}  # fmt: skip
MUSICAL = _words(
    "guitar piano flute drum violin harp keyboard trumpet instrument cello saxophone ukulele banjo "
    "accordion clarinet bass horn bagpipe harmonica organ fiddle mandolin percussion"
)
# A sense that the object decides.
OBJECT_SENSES = {
    ("play", "play-11"): MUSICAL | _words("music song tune melody"),
    ("cut", "cut-01"): _words(
        "onion potato tomato carrot bread paper meat fish vegetable cucumber tofu pepper apple "
        "fruit hair tree wood grass rope cloth butter garlic mushroom lemon cake ginger piece "
        "slice carpet pipe egg chicken pork beef orange"
    ),
    ("play", "play-08"): _words("role part character"),
    ("take", "take-01"): _words("picture photo photograph"),
    ("draw", "draw-02"): _words("conclusion attention line sword gun crowd water"),
    ("make", "make-01"): _words(
        "picture cake food sandwich dinner breakfast lunch salad coffee tea pancake pizza soup "
        "bread house thing drawing noise mistake error bed effort portrait promise decision"
    ),
}

AGENT_NOUNS = {
    "player": "play-01", "dancer": "dance-01", "singer": "sing-01", "runner": "run-02",
    "swimmer": "swim-01", "skier": "ski-01", "surfer": "surf-01", "rider": "ride-01",
    "driver": "drive-01", "climber": "climb-01", "hiker": "hike-01", "walker": "walk-01",
    "worker": "work-01", "writer": "write-01", "painter": "paint-02", "teacher": "teach-01",
    "hunter": "hunt-01", "explorer": "explore-01", "leader": "lead-02", "speaker": "speak-01",
    "reader": "read-01", "listener": "listen-01", "winner": "win-01", "owner": "own-01",
    "buyer": "buy-01", "seller": "sell-01", "farmer": "farm-01", "baker": "bake-01",
    "builder": "build-01", "killer": "kill-01", "lover": "love-01", "helper": "help-01",
    "manager": "manage-01", "employer": "employ-01", "visitor": "visit-01",
    "photographer": "photograph-01", "skater": "skate-01", "skateboarder": "skateboard-01",
    "jumper": "jump-03", "boxer": "box-01", "wrestler": "wrestle-01", "fighter": "fight-01",
    "jogger": "jog-01", "cyclist": "cycle-02", "bicyclist": "bicycle-01", "gardener": "garden-01",
    "performer": "perform-01", "musician": "musician", "observer": "observe-01",
    "follower": "follow-01", "admirer": "admire-01", "traveler": "travel-01",
    "traveller": "travel-01", "smoker": "smoke-02", "drinker": "drink-01", "voter": "vote-01",
    "designer": "design-01", "ruler": "rule-03", "sailor": "sail-01", "invader": "invade-01",
    "robber": "rob-01", "attacker": "attack-01", "protester": "protest-01",
    "supporter": "support-01", "investor": "invest-01", "inventor": "invent-01",
    "creator": "create-01", "producer": "produce-01", "researcher": "research-01",
    "murderer": "murder-01", "snowboarder": "snowboard-01", "golfer": "golf-01",
    "kayaker": "kayak-01", "rower": "row-01", "shopper": "shop-01", "tenant": "rent-01",
    "prisoner": "imprison-01", "survivor": "survive-01",
}  # fmt: skip
COMPOUND_AGENTS = {
    "firefighter": ("fight-01", "fire"), "bodybuilder": ("build-01", "body"),
    "storyteller": ("tell-01", "story"), "troublemaker": ("make-01", "trouble"),
}  # fmt: skip
KIN = english.KIN | _words(
    "friend neighbor neighbour colleague boyfriend girlfriend sibling spouse"
)
# "in front of" and the like: the noun with the preposition before it, "of" after.
RELATIONAL_NOUNS = {
    ("in", "front"): "in-front-of",
    ("on", "top"): "on-top-of",
    ("on", "behalf"): "on-behalf-of",
}
DAYPARTS = _words("morning afternoon evening night noon midnight")
SEASONS = _words("spring summer autumn winter")
BODY_PARTS = _words(
    "hand arm leg foot head face hair eye ear nose mouth lip tooth tongue finger toe thumb nail "
    "neck shoulder back chest stomach belly knee ankle wrist elbow skin tail paw wing beak fur "
    "heart body cheek chin forehead beard mustache muscle bone lap hip feather horn hoof thorn "
    "petal stem leaf root branch trunk top side bottom edge roof door window wheel handle corner "
    "front rear inside outside surface end middle"
)
COLLECTIONS = _words(
    "group pile bunch piece herd flock pack crowd stack slice bundle team band swarm cluster set "
    "series row collection pair class army gang heap batch line block ball loaf lump strip sheet "
    "bit"
)
CONTAINERS = _words(
    "cup bowl bottle glass box bag plate pot jar bucket basket can tub tray pan mug barrel sack "
    "packet"
)
MATERIALS = _words(
    "wood plastic metal stone glass paper brick steel iron gold silver bronze leather cotton wool "
    "silk concrete clay rubber cardboard sand snow ice straw bamboo copper marble fabric aluminum "
    "denim tin"
)
MATERIALS_ADJECTIVES = {"wooden": "wood", "golden": "gold", "woolen": "wool", "metallic": "metal"}
PICTURES = _words(
    "picture photo photograph drawing portrait painting image story book video film map statue tale"
)
CLOTHES = _words(
    "dress shirt coat jacket hat suit uniform shorts jeans pants skirt costume helmet glasses "
    "sunglasses cap scarf outfit sweater clothes clothing black white red blue green yellow pink "
    "orange gray brown purple swimsuit bikini robe gown boot shoe vest tie apron hoodie"
)
INSTRUMENTS = MUSICAL | _words(
    "knife hand finger foot scissors hammer stick fork spoon sword gun brush tool rope saw axe pen "
    "pencil chopstick machine guitar piano flute drum keyboard camera paintbrush shovel rake hose "
    "towel peeler blade rag broom mop eye net bat racket club bow arrow rifle laser needle "
    "telescope microscope"
)
PEOPLE = english.ADULTS_AND_CHILDREN | _words(
    "toddler someone somebody anyone everybody everyone prince king queen princess businessman "
    "merchant astronomer player dancer singer worker mother father officer soldier cook chef "
    "student teacher doctor"
)

FEMALE = _words(
    "woman girl lady queen princess mother sister daughter wife aunt grandmother actress waitress"
)
MALE = _words(
    "man boy guy gentleman king prince father brother son husband uncle grandfather businessman"
)

NUMBERS = CARDINALS
MULTIPLIERS = {
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "dozen": 12,
}
ORDINALS = _numbered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
) | {
    "last": -1,
    "twentieth": 20,
}
UNITS = {
    unit: kind
    for kind, units in {
        "temporal-quantity": "second minute hour day week month year decade century",
        "distance-quantity": (
            "mile kilometer kilometre meter metre foot inch yard centimeter km cm mm m"
        ),
        "mass-quantity": "pound kilogram kilo gram ounce ton kg g mg",
        "monetary-quantity": "dollar euro cent pound franc yen $ € £",
        "volume-quantity": "liter litre gallon ml",
        "percentage-entity": "percent %",
    }.items()
    for unit in units.split()
}
QUANTITIES = _words(
    "many several few some much more most less enough numerous couple multiple lots dozens plenty"
)
WEEKDAYS = frozenset(english.WEEKDAYS)
MONTHS = {
    month: number
    for names in (english.MONTHS, english.MONTH_ABBREVIATIONS)
    for number, month in enumerate(names, 1)
    if month != "sep"
} | {"sept": 9}

# --- names

CONTINENTS = _words("africa asia europe antarctica australia")
NATIONS = {
    "american": "United States", "british": "United Kingdom", "french": "France",
    "german": "Germany", "chinese": "China", "russian": "Russia", "turkish": "Turkey",
    "italian": "Italy", "spanish": "Spain", "indian": "India", "japanese": "Japan", "iraqi": "Iraq",
    "iranian": "Iran", "israeli": "Israel", "canadian": "Canada", "mexican": "Mexico",
    "korean": "Korea", "dutch": "Netherlands", "english": "England", "irish": "Ireland",
    "polish": "Poland", "greek": "Greece", "egyptian": "Egypt", "australian": "Australia",
    "swedish": "Sweden", "ukrainian": "Ukraine", "saudi": "Saudi Arabia", "syrian": "Syria",
    "afghan": "Afghanistan", "pakistani": "Pakistan", "palestinian": "Palestine",
    "brazilian": "Brazil", "swiss": "Switzerland",
}  # fmt: skip
COUNTRIES = _words(
    "america france germany china russia turkey italy spain india japan iraq iran israel canada "
    "mexico korea netherlands england ireland poland greece egypt sweden ukraine syria afghanistan "
    "pakistan brazil switzerland usa us u.s. uk britain scotland vietnam thailand argentina chile "
    "cuba lebanon libya jordan kuwait qatar austria"
)
CITIES = _words(
    "london paris rome berlin moscow tokyo beijing washington baghdad madrid vienna chicago boston "
    "houston seattle sydney dublin athens cairo mumbai delhi shanghai toronto atlanta dallas "
    "denver miami philadelphia"
)
PLANETS = _words("earth mars venus jupiter saturn mercury neptune uranus")
# A named entity's type by a word of its name.
NAME_TYPES = {
    "river": "river", "lake": "lake", "mount": "mountain", "street": "road", "avenue": "road",
    "university": "university", "college": "university", "school": "school", "company": "company",
    "inc.": "company", "corp.": "company", "bank": "company", "party": "political-party",
    "ocean": "ocean", "sea": "sea", "island": "island", "asteroid": "asteroid", "park": "park",
    "church": "building", "hotel": "hotel",
}  # fmt: skip

# --- clauses

# A modal verb: its concept, and the role of what it says something about.
MODALS = {
    "can": ("possible-01", "ARG1"), "ca": ("possible-01", "ARG1"), "could": ("possible-01", "ARG1"),
    "may": ("possible-01", "ARG1"), "might": ("possible-01", "ARG1"),
    "must": ("obligate-01", "ARG2"), "should": ("recommend-01", "ARG1"),
    "ought": ("recommend-01", "ARG1"),
}  # fmt: skip
# The same of verbs and adjectives with an infinitive.
MODAL_PREDICATES = {
    "have": ("obligate-01", "ARG2"), "got": ("obligate-01", "ARG2"),
    "able": ("possible-01", "ARG1"), "unable": ("possible-01", "ARG1"),
    "ought": ("recommend-01", "ARG1"), "suppose": ("suppose-02", "ARG2"),
    "got ta": ("obligate-01", "ARG2"),
}  # fmt: skip
# Verbs that say that something becomes so: "gets excited".
INCHOATIVE = _words("get grow turn go")
# Verbs whose object is the subject of their complement and nothing else: "makes me suffer", "sees
# him run".
RAISING = _words(
    "make let see watch hear find have get want expect believe need like feel keep leave consider "
    "prefer"
)
SILENT_VERBS = _words(
    "go gon use"
)  # with an infinitive they are the future or the past: "is going to", "used to"
SPEECH = _words(
    "say answer reply ask add cry remark repeat respond exclaim declare demand explain murmur "
    "continue tell whisper inquire object think conclude shout order admit"
)
CONJUNCTIONS = _by_word(
    {"and": "and & plus then", "or": "or nor either", "contrast-01": "but yet however"}
)
# Subordinate clauses by what introduces them: a role, or a concept between that and the clause.
MARKS = {
    "if": "condition", "unless": "condition", "when": "time", "while": "time", "as": "time",
    "whenever": "time", "before": "time/before", "after": "time/after", "until": "time/until",
    "till": "time/until", "since": "time/since", "once": "time/once", "because": "cause",
    "for": "cause", "although": "concession", "though": "concession", "to": "purpose",
    "where": "location", "wherever": "location", "by": "manner", "without": "manner",
    "with": "manner", "so": "purpose", "in": "manner", "than": "mod", "even if": "concession",
    "like": "manner",
}  # fmt: skip

# --- adverbs

ADVERB_ROLES = _by_word(
    {
        "time": (
            "now then soon later earlier already always never ever today tomorrow yesterday "
            "tonight sometimes once immediately suddenly finally recently meanwhile afterwards "
            "before long nowadays currently previously forever anymore eventually early late ago"
        ),
        "frequency": (
            "often usually rarely seldom daily weekly frequently twice occasionally regularly"
        ),
        "mod": (
            "again only just even also too still yet perhaps so certainly really surely probably "
            "indeed instead together alone alike either else exactly simply merely especially "
            "actually maybe anyway however therefore"
        ),
        "location": (
            "here there everywhere somewhere anywhere nowhere elsewhere outside inside outdoors "
            "indoors upstairs downstairs nearby home abroad overhead below above behind underneath "
            "ahead"
        ),
        "direction": (
            "away back forward forwards backward backwards up down out off around over upward "
            "upwards downward aside apart along across in through by past on"
        ),
    }
)
DEGREE_ADVERBS = _words(
    "very too so quite rather extremely really almost nearly completely totally absolutely "
    "entirely slightly somewhat pretty fairly enough much greatly highly barely hardly perfectly "
    "terribly"
)
FIXED_ADVERBS = {
    "for instance": "exemplify-01", "in fact": "in-fact", "at first": "at-first",
    "after all": "after-all", "at least": "at-least", "by the way": "by-the-way",
    "on the contrary": "contrary", "at all": "at-all", "of course": "of-course",
    "at last": "at-last", "at once": "at-once", "no longer": "no-longer", "a little": "little",
    "a bit": "bit", "for example": "exemplify-01", "all right": "all-right", "n't": "-",
    "perhaps": "possible-01", "maybe": "possible-01",
}  # fmt: skip
DISCOURSE = _words(
    "oh ah well hello hi hum ha please yes no ok okay wow hey goodbye bye alas hush ouch ugh"
)

# --- prepositions

# The role of a phrase by its preposition, where no frame and no noun says more: beside a verb,
# beside a noun.
PREPOSITION_ROLES = {
    "in": ("location", "location"), "on": ("location", "location"), "at": ("location", "location"),
    "into": ("destination", "destination"), "onto": ("destination", "destination"),
    "to": ("destination", "destination"), "from": ("source", "source"),
    "out of": ("source", "source"), "off": ("source", "source"), "with": ("accompanier", "have-03"),
    "without": ("manner", "have-03"), "by": ("manner", "location"), "for": ("purpose", "purpose"),
    "about": ("topic", "topic"), "through": ("path", "path"), "via": ("path", "path"),
    "along": ("path", "path"), "during": ("time", "time"), "until": ("time", "time"),
    "since": ("time", "time"), "within": ("location", "location"), "of": ("mod", "poss"),
    "as": ("prep-as", "prep-as"), "inside": ("location", "location"),
    "toward": ("direction", "direction"), "towards": ("direction", "direction"),
    "because of": ("cause", "cause"), "due to": ("cause", "cause"),
    "like": ("manner", "resemble-01"), "upon": ("location", "location"),
    "against": ("location", "location"), "despite": ("concession", "concession"),
}  # fmt: skip
# Prepositions that are concepts, with the phrase as :op1, and the role that leads to them.
RELATIONAL_PREPOSITIONS = {
    "under": "location", "behind": "location", "between": "location", "among": "location",
    "above": "location", "below": "location", "beneath": "location", "around": "location",
    "over": "location", "near": "location", "beside": "location", "next to": "location",
    "in front of": "location", "outside": "location", "across": "path", "down": "direction",
    "up": "direction", "past": "path", "before": "time", "after": "time", "until": "time",
    "since": "time", "beyond": "location", "on top of": "location", "underneath": "location",
    "behind of": "location", "opposite": "location", "outside of": "location",
    "inside of": "location", "in between": "location",
}  # fmt: skip

# What "is" and a preposition say: a frame, with the roles of the subject and of the noun.
PREDICATED = {
    "like": ("resemble-01", "ARG1", "ARG2"),
    "about": ("concern-02", "ARG0", "ARG1"),
    "for": ("have-purpose-91", "ARG1", "ARG2"),
    "of": ("have-03", "ARG0", "ARG1"),
    "from": ("come-03", "ARG1", "ARG2"),
    "with": ("accompany-01", "ARG1", "ARG0"),
}

# --- comparison

COMPARED = {
    "better": "good-02",
    "best": "good-02",
    "worse": "bad-07",
    "worst": "bad-07",
    "less": "little",
}
