"""The rulebook of Crystal Factions as data."""

from projector.games import game

GAME = game("crystal")


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """A flip that is told twice, a lane with two names, two wordings of fifty, one word for two things."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert {
        "second_flip",
        "research_lane",
        "fifty_wording",
        "turn_word",
        "tech_limit_time",
        "first_priority",
    } <= defects
