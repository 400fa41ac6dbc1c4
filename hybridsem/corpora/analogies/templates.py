"""Sentences with a gap for one of two words, as data.

A frame has the gap ``{}``; where the two words need different surroundings there are two frames.
``{a}`` is the article that goes with the word. For pairs of a man's and a woman's word, ``{My …}``
is "My" for relatives and "The" for others, and ``{he}``, ``{his}``, ``{him}`` go with the word.
"""

from __future__ import annotations

__all__ = [
    "CITIES",
    "CURRENCIES",
    "GENDERS",
    "NATIONS",
    "PLACES",
    "PRONOUNS",
    "WITH_ARTICLE",
]

PLACES = (
    "We spent our holidays in {}.",
    "My cousin moved to {} two years ago.",
    "The train to {} was late again.",
    "She has written a book about {}.",
    "He sent me a postcard from {}.",
    "They are going to open a bakery in {}.",
    "Have you ever been to {}?",
    "The weather in {} was better than we had expected.",
)

Frames = tuple[tuple[str, str], ...]
"""Of the first and of the second word of a pair."""

CITIES: Frames = (
    *(
        (frame, frame)
        for frame in (
            "Her grandparents used to live in {}.",
            "The company is looking for an engineer in {}.",
            "It has been raining in {} since Monday.",
            "Everybody in the office comes from {}.",
        )
    ),
    ("The mayor of {} has resigned.", "The governor of {} has resigned."),
    ("They drew a map of the streets of {}.", "They drew a map of the counties of {}."),
)
"""Of a city, and of its state."""

CURRENCIES: Frames = (
    ("The bank is worried about {}.", "The bank is worried about the {}."),
    (
        "Investors have lost their faith in the government of {}.",
        "Investors have lost their faith in the {}.",
    ),
    ("The tourists spent a week in {}.", "The tourists paid their bills with the {}."),
    (
        "Nobody knows how much land in {} will cost next year.",
        "Nobody knows how much the {} will be worth next year.",
    ),
    ("{} has had a difficult year.", "The {} has had a difficult year."),
)
"""Of a country, and of its currency."""

NATIONS = (
    ("She married a man from {}.", "She married {a} {} man."),
    ("They sell cheese from {}.", "They sell {} cheese."),
    ("The museum bought a painting from {}.", "The museum bought {a} {} painting."),
    ("He listens to music from {} all day.", "He listens to {} music all day."),
    ("Our new teacher is from {}.", "Our new teacher is {}."),
    ("A newspaper from {} printed the story.", "{A} {} newspaper printed the story."),
    ("We met two students from {} on the train.", "We met two {} students on the train."),
    ("The team from {} won the second match.", "The {} team won the second match."),
    ("The government of {} has answered at last.", "The {} government has answered at last."),
    ("I have never seen a film from {}.", "I have never seen {a} {} film."),
    ("The people of {} will vote on Sunday.", "The {} people will vote on Sunday."),
    ("The ship was flying the flag of {}.", "The ship was flying the {} flag."),
)
"""Of a country, and of its adjective."""

GENDERS = (
    "{My} {} lost {his} keys on the way home.",
    "{My} {} said that {he} had never seen the sea.",
    "{My} {} painted the fence before {he} left for work.",
    "{My} {} fell asleep on the sofa after dinner.",
    "We waited for {my} {} at the station, but nobody saw {him}.",
    "Nobody believed {my} {}, although {he} told the truth.",
)

PRONOUNS = {
    "he": (
        "{} did not come to the meeting yesterday.",
        "I think that {} has already left for the airport.",
        "Before lunch {} wrote three long letters.",
        "It was raining when {} opened the window.",
        "Last summer {} learnt to swim in the lake.",
        "We asked the driver whether {} knew the way.",
    ),
    "his": (
        "{} car is still standing in front of the house.",
        "The dog buried {} shoes in the garden.",
        "Nobody at the office has ever seen {} brother.",
        "We borrowed {} tent for the weekend.",
        "The editor changed the title of {} book.",
        "There was no sugar in {} coffee.",
    ),
}
"""Of a man's pronoun, and alike of the woman's."""

WITH_ARTICLE = frozenset(
    [
        "Bahamas",
        "Gambia",
        "Maldives",
        "Netherlands",
        "Philippines",
        "UK",
        "US",
        "USA",
        "United Kingdom",
        "United States",
    ]
)
"""Countries whose name has the article."""
