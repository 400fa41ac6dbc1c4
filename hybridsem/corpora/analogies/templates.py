"""Sentences with a gap for one of two words, as data.

A frame has the gap ``{}``; where the two words need different surroundings there are two frames.
``{a}`` is the article that goes with the word. For pairs of a man's and a woman's word, ``{My …}``
is "My" for relatives and "The" for others, and ``{he}``, ``{his}``, ``{him}`` go with the word.
"""

from __future__ import annotations

__all__ = ["CITIES", "CURRENCIES", "GENDERS", "NATIONS", "PLACES", "WITH_ARTICLE"]

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

CITIES = (
    "Her grandparents used to live in {}.",
    "The company is looking for an engineer in {}.",
    "It has been raining in {} since Monday.",
)

CURRENCIES = (
    "Everybody was talking about {}.",
    "The newspaper has a long article on {}.",
    "He gave a lecture about {}.",
    "The last question of the test was about {}.",
    "She could not remember anything about {}.",
    "The children had never heard of {}.",
    "The bank is worried about {}.",
    "There is a whole chapter on {} in this book.",
    "Do you know anything about {}?",
    "The crisis began in the same year as the trouble with {}.",
    "The minister did not say a word about {}.",
    "My neighbour has a strong opinion about {}.",
    "The film explains the history of {}.",
    "Investors have lost their faith in {}.",
)
"""Of a country, and of its currency with "the"."""

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
