"""The rulebook of Crystal Factions as data."""

from tabletape.projector.games import game

GAME = game("crystal")


def test_defects_of_the_rulebook_are_marked() -> None:
    """Contradictions and ambiguous words of the rulebook are rulings that are marked as defects."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert {
        "second_flip",
        "research_lane",
        "fifty_wording",
        "turn_word",
        "tech_limit_time",
        "first_priority",
    } <= defects
