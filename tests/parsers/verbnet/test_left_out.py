"""A phrase whose words all belong to another filler is no filler."""

from hybridsem import Pipeline


def test_a_light_verbs_noun_within_another_phrase() -> None:
    text = (
        "The proposal of both the Boards have been given clearance "
        "by the Department of Personnel and Training ."
    )
    frames = Pipeline("verbnet-cn").parse([text])[0].frames
    assert all(filler.text for frame in frames for filler in frame.fillers.values())
