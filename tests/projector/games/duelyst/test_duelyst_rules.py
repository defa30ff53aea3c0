"""The rulebook of the Duelyst-style game."""

from tabletape.projector.games import game

GAME = game("duelyst")


def test_defects_of_the_rulebook_are_marked() -> None:
    """Contradictions and gaps that a game cannot be played without settling are marked as defects."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert defects == {"globe_tiles", "facing", "bloodbound_schedule", "globe_effect", "start_capacity"}
