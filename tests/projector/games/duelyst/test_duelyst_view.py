"""The table of the Duelyst-style game as it is drawn, and the numbers that are kept."""

from collections.abc import Callable
from typing import Any

from projector.games import game
from projector.model.game import Area
from projector.model.phrases import changes_in_words
from projector.model.sentences import sentence

GAME = game("duelyst")
Begin = Callable[..., Any]


def drawn(table: Any, viewer: str) -> dict[str, Area]:
    """Return the areas by name."""
    return {area.name: area for area in GAME.areas(table, viewer)}


def test_the_board_is_a_grid_of_five_rows_and_nine_columns(begin: Begin) -> None:
    """All tiles are there, with their globes, and each unit with attack and health."""
    table = (
        begin(["planar-scout"]).add("minion.summoned", player="A", card="A:planar-scout", tile=[2, 6]).replay().table
    )
    board = drawn(table, "")["board"]
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
    """Keywords, being built, and words such as stunned stand on the unit."""
    log = begin(["scaffold-sentinel", "rock-pulverizer"]).turns(4)
    log.add("minion.summoned", player="A", card="A:scaffold-sentinel", tile=[3, 2]).turns(2)
    log.add("minion.summoned", player="A", card="A:rock-pulverizer", tile=[2, 2])
    cards = [cell.card for cell in drawn(log.replay().table, "")["board"].cells if cell.card is not None]
    marks = {card.title: card.marks for card in cards}
    assert marks["Scaffold Sentinel"] == ("build 1",)
    assert marks["Rock Pulverizer"] == ("provoke",)


def test_a_hand_is_shown_to_its_player_only(begin: Begin) -> None:
    """The public sees five backs and the mana; who sees everything sees all names."""
    table = begin(["koi"]).replay().table
    public, mine, other, all_seeing = (drawn(table, viewer)["hand:A"] for viewer in ("", "A", "B", "*"))
    assert (public.count, public.cards) == (5, ())
    assert other == public
    assert mine == all_seeing
    assert [card.title for card in mine.cards][:2] == ["Koi", "Komodo Charger"]
    assert public.caption == "mana 1 of 1"


def test_captions_say_what_is_ready(begin: Begin) -> None:
    """The bloodbound spell and the MECHAZ0R! build stand beside the mana."""
    log = begin(["helm-of-mechaz0r"], generals=("faie-bloodwing", "zirix-starstrider"))
    log.add("minion.summoned", player="A", card="A:helm-of-mechaz0r", tile=[3, 2]).turns(4)
    caption = drawn(log.replay().table, "")["hand:A"].caption
    assert caption == "mana 3 of 3, bloodbound spell ready, MECHAZ0R! 1 of 5"


def test_artifacts_are_shown_with_their_durability(begin: Begin) -> None:
    """What a general wears is open, and so is what it is worth."""
    log = begin(["sunstone-bracers"]).add("artifact.equipped", player="A", card="A:sunstone-bracers")
    worn = drawn(log.replay().table, "")["artifacts:A"]
    assert [(card.title, card.value) for card in worn.cards] == [("Sunstone Bracers", "3")]
    assert worn.caption == "Argeon Highmayne: 3/25"


def test_piles_show_their_size_and_the_open_one_its_top(begin: Begin) -> None:
    """The graveyard is open, the deck is not."""
    log = begin(["koi"] * 3 + ["yun"] * 3 + ["tempest"], rulings={}).turns(0)
    table = log.replay().table
    areas = drawn(table, "*")
    assert (areas["deck:A"].count, areas["deck:A"].cards) == (2, ())
    assert areas["graveyard:A"].count == 0


def test_progress_is_the_damage_dealt_to_the_enemy_general(begin: Begin) -> None:
    """A share of the printed health, 1 when the general is dead."""
    log = begin([], generals=("faie-bloodwing", "zirix-starstrider")).turns(4)
    assert GAME.progress(log.replay().table, "A") == 0
    log.add("bloodbound-spell.cast", player="A")
    table = log.replay().table
    assert GAME.progress(table, "A") == 2 / 25
    assert GAME.progress(table, "B") == 0


def test_totals_are_the_games_own_numbers(begin: Begin) -> None:
    """The numbers that are kept for every turn, by their names."""
    table = begin([]).turns(2).replay().table
    assert GAME.totals(table, "A") == {
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
    assert tuple(GAME.totals(table, "A")) == GAME.total_names


def test_a_seat_is_told_apart_by_faction_and_general(begin: Begin) -> None:
    """The dimensions of a seat; empty before the deck is declared."""
    log = begin([])
    assert GAME.dimensions(log.replay().table, "B") == {"faction": "vetruvian", "general": "zirix-starstrider"}
    log.lines = log.lines[:1]
    assert GAME.dimensions(log.replay().table, "B") == {"faction": "", "general": ""}


def test_rounds_and_turns_are_counted(begin: Begin) -> None:
    """A round has a turn of each player."""
    table = begin([]).turns(3).replay().table
    assert (table.round, table.turn, table.active, table.phase) == (2, 4, "B", "main")


def test_what_changed_calls_a_tile_as_sentences_do(begin: Begin) -> None:
    """A unit that appears on row 2, column 6 is at b6, in the sentence and in the list of changes alike."""
    log = begin(["planar-scout"]).add("minion.summoned", player="A", card="A:planar-scout", tile=[2, 6])
    replay = log.replay()
    step = len(replay.events) - 1
    assert sentence(replay.table, replay.events[step]) == "Ann summons Planar Scout on b6"
    assert "Planar Scout: at b6" in changes_in_words(replay.table, replay.changes(step))
