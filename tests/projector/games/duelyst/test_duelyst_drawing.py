"""How the table of the Duelyst-style game is drawn, its progress and its totals."""

from collections.abc import Callable
from typing import Any

from tabletape.projector.games import game
from tabletape.projector.model.areas import Area
from tabletape.projector.model.phrases import changes_in_words
from tabletape.projector.model.sentences import sentence

GAME = game("duelyst")
Begin = Callable[..., Any]


def areas_by_name(table: Any, viewer: str) -> dict[str, Area]:
    """Return the areas that a viewer sees, by their names."""
    return {area.name: area for area in GAME.areas(table, viewer)}


def test_the_board_is_a_grid_of_five_rows_and_nine_columns(begin: Begin) -> None:
    """All 45 tiles are drawn, with their globes, and each unit with its attack and health."""
    table = (
        begin(["planar-scout"]).add("minion.summoned", player="A", card="A:planar-scout", tile=[2, 6]).replay().table
    )
    board = areas_by_name(table, "")["board"]
    cells = {(cell.row, cell.column): cell for cell in board.cells}
    assert len(cells) == 45
    assert {tile for tile, cell in cells.items() if cell.mark == "globe"} == {(1, 5), (5, 5), (3, 6)}
    general = cells[3, 9].card
    scout = cells[2, 6].card
    assert general is not None
    assert (general.title, general.owner, general.value) == ("Zirix Starstrider", "B", "2/25")
    assert scout is not None
    assert (scout.title, scout.value, scout.exhausted) == ("Planar Scout", "2/1", True)


def test_marks_say_what_a_unit_is_and_what_happened_to_it(begin: Begin) -> None:
    """The marks of a unit are its keywords and its states, such as being built."""
    log = begin(["scaffold-sentinel", "rock-pulverizer"]).turns(4)
    log.add("minion.summoned", player="A", card="A:scaffold-sentinel", tile=[3, 2]).turns(2)
    log.add("minion.summoned", player="A", card="A:rock-pulverizer", tile=[2, 2])
    cards = [cell.card for cell in areas_by_name(log.replay().table, "")["board"].cells if cell.card is not None]
    marks = {card.title: card.marks for card in cards}
    assert marks["Scaffold Sentinel"] == ("build 1",)
    assert marks["Rock Pulverizer"] == ("provoke",)


def test_a_unit_that_enters_a_taken_tile_hides_nobody(begin: Begin) -> None:
    """Both stand there as far as the log goes, and both are drawn: the one that came last lies on the other."""
    log = begin(["rock-pulverizer"]).turns(2).add("minion.summoned", player="A", card="A:rock-pulverizer", tile=[3, 1])
    cards = [cell.card for cell in areas_by_name(log.replay().table, "")["board"].cells if cell.card is not None]
    under = {card.title: [(below.title, below.value) for below in card.under] for card in cards}
    assert under["Rock Pulverizer"] == [("Argeon Highmayne", "2/25")]
    assert "Argeon Highmayne" not in under


def test_a_hand_is_shown_to_its_player_only(begin: Begin) -> None:
    """The public and the other player see five backs and the mana; the viewer of everything sees all names."""
    table = begin(["koi"]).replay().table
    public, mine, other, all_seeing = (areas_by_name(table, viewer)["hand:A"] for viewer in ("", "A", "B", "*"))
    assert (public.count, public.cards) == (5, ())
    assert other == public
    assert mine == all_seeing
    assert [card.title for card in mine.cards][:2] == ["Koi", "Komodo Charger"]
    assert public.caption == "mana 1 of 1"


def test_captions_say_what_is_ready(begin: Begin) -> None:
    """The caption of a hand has the mana, the bloodbound spell and the MECHAZ0R! build."""
    log = begin(["helm-of-mechaz0r"], generals=("faie-bloodwing", "zirix-starstrider"))
    log.add("minion.summoned", player="A", card="A:helm-of-mechaz0r", tile=[3, 2]).turns(4)
    caption = areas_by_name(log.replay().table, "")["hand:A"].caption
    assert caption == "mana 3 of 3, bloodbound spell ready, MECHAZ0R! 1 of 5"


def test_artifacts_are_shown_with_their_durability(begin: Begin) -> None:
    """Everyone sees the artifacts of a general with their durability, and the attack and health of the general."""
    log = begin(["sunstone-bracers"]).add("artifact.equipped", player="A", card="A:sunstone-bracers")
    worn = areas_by_name(log.replay().table, "")["artifacts:A"]
    assert [(card.title, card.value) for card in worn.cards] == [("Sunstone Bracers", "3")]
    assert worn.caption == "Argeon Highmayne: 3/25"


def test_a_deck_shows_its_size_but_not_its_cards(begin: Begin) -> None:
    """Even the viewer of everything sees no card of a deck, only how many there are."""
    log = begin(["koi"] * 3 + ["yun"] * 3 + ["tempest"], rulings={}).turns(0)
    table = log.replay().table
    areas = areas_by_name(table, "*")
    assert (areas["deck:A"].count, areas["deck:A"].cards) == (2, ())
    assert areas["graveyard:A"].count == 0


def test_progress_is_the_damage_dealt_to_the_enemy_general(begin: Begin) -> None:
    """Progress is the damage as a share of the printed health of the enemy general."""
    log = begin([], generals=("faie-bloodwing", "zirix-starstrider")).turns(4)
    assert GAME.scoreboard.progress(log.replay().table, "A") == 0
    log.add("bloodbound-spell.cast", player="A")
    table = log.replay().table
    assert GAME.scoreboard.progress(table, "A") == 2 / 25
    assert GAME.scoreboard.progress(table, "B") == 0


def test_totals_are_the_declared_ones(begin: Begin) -> None:
    """The totals of a player have the declared names, in their order."""
    table = begin([]).turns(2).replay().table
    assert GAME.scoreboard.totals(table, "A") == {
        "mana": 2,
        "capacity": 2,
        "health": 25,
        "attack": 2,
        "hand": 5,
        "deck": 0,
        "graveyard": 0,
        "units": 1,
        "artifacts": 0,
        "progress": 0,
    }
    assert tuple(GAME.scoreboard.totals(table, "A")) == GAME.scoreboard.total_names


def test_the_dimensions_of_a_seat_are_faction_and_general(begin: Begin) -> None:
    """Both are empty before the deck is declared."""
    log = begin([])
    assert GAME.scoreboard.dimensions(log.replay().table, "B") == {
        "faction": "vetruvian",
        "general": "zirix-starstrider",
    }
    log.lines = log.lines[:1]
    assert GAME.scoreboard.dimensions(log.replay().table, "B") == {"faction": "", "general": ""}


def test_rounds_and_turns_are_counted(begin: Begin) -> None:
    """A round has a turn of each player, and turns are counted through the game."""
    table = begin([]).turns(3).replay().table
    assert (table.round, table.turn, table.active, table.phase) == (2, 4, "B", "main")


def test_changes_name_a_tile_as_sentences_do(begin: Begin) -> None:
    """A unit on row 2, column 6 is at b6 in the sentence of a step and in its list of changes."""
    log = begin(["planar-scout"]).add("minion.summoned", player="A", card="A:planar-scout", tile=[2, 6])
    replay = log.replay()
    step = len(replay.events) - 1
    assert sentence(replay.table, replay.events[step]) == "Ann summons Planar Scout on b6"
    assert "Planar Scout: at b6" in changes_in_words(replay.table, replay.changes(step))


def test_changes_say_which_keywords_a_unit_has_now(begin: Begin) -> None:
    """What comes and what goes is said, and of a state that a keyword brings nothing beside it."""
    log = begin(["rock-pulverizer"]).turns(2).add("minion.summoned", player="A", card="A:rock-pulverizer", tile=[3, 2])
    replay = log.replay()
    told = changes_in_words(replay.table, replay.changes(len(replay.events) - 1))
    assert "Rock Pulverizer: gains provoke" in told
    assert not [line for line in told if "nothing" in line]
