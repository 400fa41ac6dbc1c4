"""Roles by verb, preposition, adverb and subordinator: what the role rules know, as data.

Which verbs have a Patient rather than a Theme as their object, which lose their Agent when they
have no object (:data:`~hybridsem.english.words.UNACCUSATIVE_VERBS`), and which choose an unusual
role for a preposition was counted on the VerbNet role links of PropBank (EWT train and the example
sentences of the frame files, CC BY-SA 4.0), kept where the evidence was clear, and completed from
VerbNet's class descriptions.
"""

from __future__ import annotations

from hybridsem.english.words import MEANS, word_set
from hybridsem.structures import Role

__all__ = [
    "ADVERBS",
    "COMPANIONS",
    "DATIVE_GOAL",
    "MANNER_NOUNS",
    "MARKERS",
    "MOTION",
    "PATHS",
    "PATIENT_OBJECT",
    "PERSONAL",
    "PREPOSITIONS",
    "PREPOSITIONS_BY_VERB",
    "TIME_PREPOSITIONS",
    "Preferences",
]

Preferences = tuple[str, ...]
"""Roles from best to last: the first that is free is taken, else the last is shared."""


_PATIENT: Preferences = (Role.PATIENT, Role.THEME)
_THEME: Preferences = (Role.THEME, Role.PATIENT)
_TIME: Preferences = (Role.TIME,)
_MANNER: Preferences = (Role.MANNER,)
_LOCATION: Preferences = (Role.LOCATION,)
_TRAJECTORY: Preferences = (Role.TRAJECTORY,)
_PURPOSE: Preferences = (Role.THEME, Role.PATIENT, Role.MANNER)

# --- verbs

PATIENT_OBJECT = word_set(
    """
    abrade abuse accelerate accommodate activate adapt adjust advise affect afflict aggravate aid
    alarm alert alienate alter amaze amuse anger animate annoy appall appease arm arouse arrest
    assassinate assist associate assure astonish attach attack augment awaken bake ban batter beat
    benefit beseech bite blame block bludgeon blur bomb bore bother brainwash break bribe brief
    bruise bully burn bury butcher calm castrate cement centralize change char charm chase cheat
    cheer chew choke chop clean close cloud clout coach coax coerce collapse color combat combine
    comfort command compare compel compensate compress condition confound confuse connect conquer
    console consolidate consult convert convince cook correct counsel crack cripple crucify crumple
    crush cut damage dampen darken daze deafen deceive decimate decompress decouple decrease deepen
    defeat defend deflate degrade delay delight demolish depress destroy detach deter deteriorate
    detonate devastate dilute disable disappoint disconnect discourage disgrace disgust dishonor
    dismay disperse displease dissolve distract distress disturb divide double drink drown dry dull
    dupe eat educate embarrass enchant encourage enhance enlarge enrage entertain entice equip
    excite execute exhaust expand exterminate fasten fatten feed fight fire flatten flog fold fool
    force forewarn fortify freeze freshen frighten frustrate galvanize grate graze greet grill grind
    guard hack halve handcuff harass harden harm heal heat help hide hit hug humiliate hurt ignite
    imprison impress improve incorporate increase influence inform infuriate injure inspire instruct
    insult intensify interest interrogate interrupt interview intimidate intrigue invert irritate
    jail join jolt kick kidnap kill kiss knife lead lecture lessen lick lighten liquefy loosen lower
    lure maim mangle manipulate marginalize marry mash massacre massage meet melt menace merge
    mesmerize minimize mobilize mock moisten molest motivate murder mutate mute mutilate narrow
    notify nourish nurse obliterate offend open oppress outrage overheat overwhelm pacify paralyze
    persecute persuade pester pet placate please poison pollute preserve pressure privatize
    prosecute protect provoke pulverize pummel punch punish purify quicken reassure rectify reduce
    reform rehabilitate reimburse relax relieve remind renew reopen repair repel rescue restrain
    revive reward rip rob roast ruin sadden sabotage satisfy scandalize scare scold seclude seduce
    shake shame sharpen shatter shelter shock shoot shorten shove shred shrink shut sicken silence
    slap slaughter slice slow smash smother soften soothe spank split spoil spook spur stab
    stabilize startle starve stifle stimulate sting strangle strengthen strike stun stupefy subdue
    suffocate supervise suppress surprise sway sweeten swallow tame tease tempt terrify thicken
    threaten thrill tickle tighten tire torment torture toughen transform traumatize trick trouble
    tutor upset urge vandalize warm warn weaken weary whip widen worry worsen wound wreck alleviate
    amplify attract extinguish explode move nag prod prompt push refine restrict salute smooth
    summon tie transplant turn unify join exploit host oppose stun
    """
)

MOTION = word_set(
    """
    advance amble arrive bend bounce bound bring canoe carry chase circulate clamber climb come
    conduct convey crawl creep cross cruise cycle dance dart dash depart descend dive drag drift
    drive escape escort fall flee float flow fly follow gallop glide go guide hike hop hurry hurtle
    jog journey jump kick lead leap limp lumber march meander migrate move pace paddle parade pass
    pedal plod plunge prowl pull push race ramble ride roam roll row run rush sail scamper scramble
    scurry shoot shuffle skate skateboard skip slide slip slither sneak soar speed spin sprint
    stagger stampede steer step stride stroll stumble surf sweep swim swing take throw toss travel
    trek trot trudge tumble vault wade walk wander weave whirl whoosh zigzag zoom accompany fall
    march haul transport ski
    """
)
# Verbs whose to-phrase is a place unless it is a person: "send it to Anna" (= "send Anna it"),
# "send it to the shop".
DATIVE_GOAL = word_set(
    """
    put place set lay send bring take return carry deliver ship mail post forward pass transport
    drag tow throw toss kick haul move transfer transmit dispatch fly drive walk lead escort
    accompany come go travel run rush hurry head commute march get rise apply stick glue fall drop
    sail ride jump climb swim crawl migrate relocate retreat flee arrive step slide push pull hold
    withdraw emigrate immigrate ascend descend stretch
    """
)

# --- nouns, by preposition

TIME_PREPOSITIONS = word_set(
    """
    in at on for over by within from to between before through around during until till since per
    after about into throughout towards toward near past of all across
    """
)
"""Prepositions whose phrase is a Time where its noun is one."""
MANNER_NOUNS = {
    preposition: word_set(nouns)
    for preposition, nouns in {
        "in": """
        way manner fashion style detail silence fear secret public private anger person light form
        tone voice rush hurry panic pain unison tandem turn return part full vain general fact
        addition response reality theory practice particular group pair case circumstance cooker
        """,
        "at": "speed rate pace length least most best worst random ease risk cost price",
        "on": "purpose foot horseback average own account basis time schedule behalf",
        "with": """
        difficulty ease care caution joy pleasure pride anger enthusiasm passion force skill success
        hand finger fist foot arm help smile tool knife
        """,
        "for": "mile kilometer metre meter sure certain instance example",
        "under": "pressure control condition circumstance stress",
    }.items()
} | {"by": MEANS}
PERSONAL = word_set(
    """
    me you him her us them whom who someone everyone anyone somebody everybody anybody myself
    himself
    """
)
# --- adverbs

ADVERBS: dict[str, Preferences] = {
    word: preferences
    for preferences, words in (
        (
            _TIME,
            """
            now then soon later earlier early late recently lately often frequently rarely seldom
            sometimes usually always ever already still yet once twice again today tomorrow
            yesterday tonight ago before after afterwards afterward daily weekly monthly yearly
            annually eventually finally immediately instantly suddenly occasionally regularly
            constantly continually continuously currently presently previously formerly nowadays
            meanwhile permanently temporarily briefly forever long when whenever initially
            originally subsequently repeatedly since momentarily nightly hourly overnight anymore
            first last next normally generally commonly typically ultimately periodically
            sporadically shortly asap anytime sometime indefinitely everyday routinely
            simultaneously
            """,
        ),
        (
            _LOCATION,
            """
            here there where everywhere somewhere anywhere nowhere elsewhere home abroad overseas
            outside inside outdoors indoors upstairs downstairs nearby ahead behind above below
            underneath north south east west downtown underground locally worldwide internationally
            nationally wherever overhead aboard ashore offshore at left right
            """,
        ),
        (
            _TRAJECTORY,
            """
            away back forward forwards backward backwards up down out off through across along
            around past over on upward upwards downward downwards onward onwards northward southward
            eastward westward sideways uphill downhill aside apart toward towards under round in
            """,
        ),
    )
    for word in words.split()
}

# --- prepositions

PREPOSITIONS: dict[str, Preferences] = {
    word: preferences
    for preferences, words in (
        (_TIME, "during until till after before since"),
        (
            _LOCATION,
            """
            in at on near beside besides between among amongst amid under underneath beneath below
            above behind inside outside within upon opposite next off around over along across past
            throughout into onto toward towards up down out beyond aboard atop in|front on|top
            next|to outside|of inside|of ahead|of close|to out|of
            """,
        ),
        (
            _MANNER,
            (
                """
                with without via by like unlike than despite through per according|to such|as except
                but
                """
            ),
        ),
        ((Role.THEME, Role.MANNER), "because because|of due due|to thanks owing given"),
        (_THEME, "about of regarding concerning as from against versus vs. re instead instead|of"),
        (_PATIENT, "to unto"),
        (_PURPOSE, "for"),
    )
    for word in (key.replace("|", " ") for key in words.split())
}
PATHS = word_set("through across along around over past up down off via beyond under by") | {
    "out of",
    "out",
    "round",
}

PREPOSITIONS_BY_VERB: dict[str, tuple[tuple[frozenset[str], Preferences], ...]] = {
    "to": (
        (
            word_set(
                "turn change convert lead reduce transform amount translate limit restrict devote"
            ),
            _THEME,
        ),
        (word_set("listen relate refer belong react look see object admit subscribe"), _THEME),
    ),
    "into": (
        (
            word_set(
                """
                turn change convert transform translate grow develop evolve divide split break fold
                fade mutate degenerate deteriorate diversify force talk coax coerce shape expand
                explode make cut fall look bake
                """
            ),
            _THEME,
        ),
    ),
    "from": (
        (
            word_set(
                """
                go come fall move travel rise bring transport arrive ship import flee extract exit
                eject separate depart emerge strip jump drop fly drive run walk return leave pour
                flow leak hang harvest pick retreat migrate dive climb descend escape start launch
                sail set
                """
            ),
            (Role.LOCATION,),
        ),
    ),
    "with": (
        (
            word_set(
                """
                work meet associate talk discuss agree disagree speak compete argue chat merge trade
                cooperate confuse play fight contrast conflict combine clash couple collaborate
                negotiate mingle match interact compare team meld link flirt exchange converse
                consult connect communicate bargain settle share mix overlap joke fuse feud confer
                bet battle dance live date quarrel struggle wrestle debate marry unite
                """
            ),
            _PATIENT,
        ),
        (
            word_set(
                """
                help assist fill provide present identify equip sympathize supply infect cover cope
                deal replace decorate crown butter adorn stock load reward trust furnish threaten
                charge entrust surround serve begin start comply interfere bother suffer tamper
                fiddle experiment change vary face arm pack top stuff fit credit bless burden plague
                overwhelm line coat wrap
                """
            ),
            _THEME,
        ),
    ),
    "on": (
        (
            word_set(
                """
                work plan focus spend depend keep rely concentrate comment blame count agree insist
                vote bet bank impose base feed report school center centre elaborate decide reflect
                experiment snack dine lecture advise debate speculate touch thrive inform impact
                judge test congratulate compliment
                """
            ),
            _THEME,
        ),
    ),
    "upon": ((word_set("depend rely agree call seize look insist act based touch"), _THEME),),
    "in": (
        (
            word_set(
                """
                believe participate engage involve succeed assist invest enroll specialize
                specialise interest result deal cooperate star confide indulge trade excel rejoice
                major share consist delight persist fail trust
                """
            ),
            _THEME,
        ),
    ),
    "at": (
        (
            word_set(
                """
                look laugh smile stare gaze glance shout yell scream aim shoot throw point wave bark
                growl snap peer glare swear marvel rage hint excel swing wonder scoff jeer howl bite
                poke peek surprise work
                """
            ),
            _THEME,
        ),
    ),
    "after": ((word_set("look take name ask inquire seek run chase"), _THEME),),
    "over": (
        (
            word_set(
                """
                fight argue quarrel clash dispute battle feud preside watch rule triumph disagree
                win
                """
            ),
            _THEME,
        ),
    ),
    "through": ((word_set("live suffer go look flick search see"), _THEME),),
    "across": ((word_set("come stumble"), _THEME),),
    "by": ((word_set("stand sit live stay stop wait camp park lie sleep rest lean"), _LOCATION),),
    "for": (
        (
            word_set(
                "thank blame praise criticize criticise punish reward forgive apologize arrest pay"
            ),
            _THEME,
        ),
        (word_set("travel go walk run last continue resume"), _PURPOSE),
    ),
}

# Beside such a phrase the object is a Patient, and the Theme is in the phrase: "filled the cup with
# tea". Those with True only do so where PREPOSITIONS_BY_VERB makes them a Theme.
COMPANIONS = {"of": False, "about": False, "with": True, "into": True, "for": True}

# --- subordinate clauses, by what introduces them

MARKERS: dict[str, Preferences] = {
    word: preferences
    for preferences, words in (
        (_TIME, "when while after before until till since once whenever as"),
        (_LOCATION, "where wherever"),
    )
    for word in words.split()
}
