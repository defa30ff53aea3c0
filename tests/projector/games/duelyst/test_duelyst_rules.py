"""The rules of the Duelyst-style game: all declared, and the rulebook's own mistakes marked."""

from projector.games import game

GAME = game("duelyst")


def test_the_rulebooks_own_mistakes_are_marked() -> None:
    """Contradictions and gaps without which nobody can play are marked as defects."""
    defects = {ruling.key for ruling in GAME.rulebook.rulings if ruling.defect}
    assert defects == {"globe_tiles", "facing", "bloodbound_schedule", "globe_effect", "start_capacity"}
