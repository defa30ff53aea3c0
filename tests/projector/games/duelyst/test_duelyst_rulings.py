"""The rulings of the Duelyst-style game: every option that is built changes the game as its text says."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tabletape.events.games.duelyst import UnitMoved
from tabletape.projector.games import game
from tabletape.projector.games.duelyst.board import create, resolve_deaths

GAME = game("duelyst")
RECORDINGS = Path(__file__).parents[3] / "recordings" / "duelyst"
Begin = Callable[..., Any]
ANN = "A:argeon-highmayne"


def test_the_digital_preset_settles_eight_rulings() -> None:
    """The edition `digital` is the preset of the catalogue; `book` is the rulebook with its defaults."""
    digital = GAME.rulebook.ruleset("digital").options
    book = GAME.rulebook.ruleset("book").options
    assert book == GAME.rulebook.ruleset("rulebook").options
    assert {key: option for key, option in digital.items() if book[key] != option} == {
        "start_capacity": "digital",
        "mulligan": "up_to_two",
        "hand_limit": "six_no_draw",
        "path": "pass_friendly",
        "zero_attack": "forbidden",
        "artifact_overflow": "replaces_oldest",
        "deck_rules": "forty_of_three",
        "dispelled_pet": "commanded",
    }


def globes(begin: Begin, **rulings: str) -> Any:
    """Return the tiles with a globe."""
    return begin([], rulings=rulings).replay().table.globes


def first_mana(begin: Begin, **rulings: str) -> Any:
    """Return the mana of both players in their first turns."""
    log = begin([], rulings=rulings)
    ann = log.replay().table.players["A"].mana
    return ann, log.turns(1).replay().table.players["B"].mana


def mana_after_spending(begin: Begin, **rulings: str) -> Any:
    """Return Ann's mana in her second turn, after she has spent all of it in the first."""
    log = begin([], rulings=rulings).add("minion.summoned", player="A", card="A:komodo-charger#1", tile=[3, 2])
    return log.turns(2).replay().table.players["A"].mana


def summoned_onto_globe(begin: Begin, **rulings: str) -> Any:
    """Return whether a scout that is summoned onto a globe collects it."""
    log = begin(["planar-scout"], rulings=rulings)
    log.add("minion.summoned", player="A", card="A:planar-scout", tile=[1, 5])
    return (1, 5) not in log.replay().table.globes


def second_seat_begins(begin: Begin, **rulings: str) -> Any:
    """Return who is on turn and the broken rules if the log says that the second seat begins."""
    log = begin([], rulings=rulings)
    log.lines.insert(3, {"type": "first-player.chosen", "player": "B", "method": "dice"})
    replay = log.replay()
    return replay.table.active, [finding.rule for finding in replay.findings]


def mulligan_of(begin: Begin, *, count: int, **rulings: str) -> Any:
    """Return the rules that a mulligan of this many cards breaks."""
    log = begin(["koi", "koi", "koi", "yun", "yun", "yun", "amu", "amu", "amu", "ion"], rulings=rulings)
    hand = ["A:koi#1", "A:koi#2", "A:koi#3", "A:yun#1", "A:yun#2"]
    drawn = ["A:yun#3", "A:amu#1", "A:amu#2", "A:amu#3", "A:ion"]
    at = next((n for n, line in enumerate(log.lines) if line["type"] == "mulligan.taken"), len(log.lines))
    line = {"type": "mulligan.taken", "player": "A", "returned": hand[:count], "drawn": drawn[:count]}
    log.lines[at:] = [line]
    return [finding.rule for finding in log.replay().findings]


def replaced_twice(begin: Begin, **rulings: str) -> Any:
    """Return the rules that are broken when a card is replaced twice and drawn again each time."""
    log = begin(["koi", "koi", "koi", "yun", "yun", "yun"], rulings=rulings)
    for _ in range(2):
        log.add("card.replaced", player="A", card="A:koi#1").add("cards.drawn", player="A", cards=["A:koi#1"])
    return {finding.rule.removeprefix("duelyst.") for finding in log.replay().findings}


def summoned_two_away(begin: Begin, **rulings: str) -> Any:
    """Return the rules that are broken when a minion is summoned two tiles from the general."""
    log = begin([], rulings=rulings)
    return log.add("minion.summoned", player="A", card="A:komodo-charger#1", tile=[3, 3]).broken()


def own_unit_attacked(begin: Begin, **rulings: str) -> Any:
    """Return the rules that are broken when the general attacks an own minion."""
    log = begin([], rulings=rulings)
    log.add("minion.summoned", player="A", card="A:komodo-charger#1", tile=[3, 2])
    return log.add("unit.attacked", player="A", unit=ANN, target="A:komodo-charger#1").broken()


def four_artifacts(begin: Begin, **rulings: str) -> Any:
    """Return the rules that are broken by equipping a fourth artifact, and the numbers of the equipped copies."""
    log = begin(["sunstone-bracers"] * 5, rulings=rulings)
    for number in range(1, 5):
        log.add("artifact.equipped", player="A", card=f"A:sunstone-bracers#{number}")
    worn = [card.name[-1] for card in log.replay().table.zones["artifacts:A"].cards]
    return log.broken(), "".join(worn)


def worn_by_two_damage(begin: Begin, **rulings: str) -> Any:
    """Return the durability of an artifact after its general has taken two damage at once."""
    log = begin(["sunstone-bracers"], generals=("argeon-highmayne", "faie-bloodwing"), rulings=rulings)
    log.add("artifact.equipped", player="A", card="A:sunstone-bracers").turns(5)
    return log.add("bloodbound-spell.cast", player="B").replay().table.cards["A:sunstone-bracers"].durability


def spells_ready(begin: Begin, *, own_turn: int, **rulings: str) -> Any:
    """Return how many bloodbound spells Ann has in one of her turns if she never casts any."""
    return begin([], rulings=rulings).turns(2 * (own_turn - 1)).replay().table.players["A"].bloodbound


def ready_again(begin: Begin, **rulings: str) -> Any:
    """Return whether the spell is ready in Ann's turn 8 after she cast it in 7, with a capacity of 9 by then."""
    log = begin([], generals=("faie-bloodwing",) * 2, rulings={"start_capacity": "digital"} | rulings).turns(12)
    log.add("bloodbound-spell.cast", player="A").turns(2)
    return log.replay().table.players["A"].bloodbound


def dispelled_pet_acts(begin: Begin, **rulings: str) -> Any:
    """Return whether a dispelled pet still has to act by itself, and whether its player may move it."""
    log = begin(["koi", "ephemeral-shroud"], rulings=rulings)
    log.add("minion.summoned", player="A", card="A:koi", tile=[2, 2]).turns(2).add("pet.acted", unit="A:koi", to=[2, 4])
    log.add("minion.summoned", player="A", card="A:ephemeral-shroud", tile=[2, 3], target="A:koi").turns(2)
    table = log.replay().table
    moved = {event.unit for event in GAME.legal(table, "A") if isinstance(event, UnitMoved)}
    return bool(table.owed), "A:koi" in moved


def ephemeral_token(begin: Begin, **rulings: str) -> Any:
    """Return the cards in the graveyard after the turn of an Ephemeral token."""
    log = begin(["ethereal-obelysk"], generals=("zirix-starstrider", "argeon-highmayne"), rulings=rulings).turns(2)
    log.add("minion.summoned", player="A", card="A:ethereal-obelysk", tile=[3, 2]).turns(2)
    log.add("token.summoned", unit="A:wind-dervish#1", tile=[2, 2], source="A:ethereal-obelysk").turns(1)
    return [card.name for card in log.replay().table.zones["graveyard:A"].cards]


def dead_token(begin: Begin, **rulings: str) -> Any:
    """Return the zone of a token that has died."""
    table = begin([], rulings=rulings).replay().table
    token = create(table, "A:illusion#1", (3, 5))
    resolve_deaths(table, [token])
    return token.zone.name


def gambit_without_target(begin: Begin, **rulings: str) -> Any:
    """Return the rules that summoning a Dunecaster breaks without a Dervish on the board."""
    log = begin(["dunecaster"], rulings=rulings).turns(2)
    return log.add("minion.summoned", player="A", card="A:dunecaster", tile=[3, 2]).broken()


def on_a_globe(begin: Begin, **rulings: str) -> Any:
    """Return Ann's mana, her capacity and the number of globes left after she has summoned a scout onto a globe."""
    log = begin(["planar-scout"], rulings=rulings)
    table = log.add("minion.summoned", player="A", card="A:planar-scout", tile=[1, 5]).replay().table
    return table.players["A"].mana, table.players["A"].capacity, len(table.globes)


def health_after_empty_draw(begin: Begin, **rulings: str) -> Any:
    """Return the health of Ann's general after she could not draw at the end of her turn."""
    return begin([], rulings=rulings).turns(1).replay().table.cards[ANN].health


def after_empty_draw(begin: Begin, **rulings: str) -> Any:
    """Return the winner and the reason after Ann has ended her turn with an empty deck."""
    table = begin([], rulings=rulings).turns(1).replay().table
    return table.winner, table.reason


def seventh_card(begin: Begin, *, unseen: bool, **rulings: str) -> Any:
    """Return the sizes of hand and graveyard after Ann has drawn a seventh card."""
    log = begin(["koi", "koi", "koi", "yun", "yun", "yun", "amu"], rulings=rulings)
    for name, player in (("A:yun#3", "A"), ("", "B"), ("A:amu", "A")):
        log.add("turn.ended", player=player)
        if name:
            log.add("cards.drawn", player="A", **({"count": 1} if unseen else {"cards": [name]}))
    replay = log.replay()
    assert replay.findings == []
    return [replay.table.zones[f"{kind}:A"].size for kind in ("hand", "graveyard")]


Case = tuple[str, str, Callable[..., Any], Any, Any]
CASES: list[Case] = [
    ("globe_tiles", "listed", globes, ((1, 5), (5, 5), (3, 6)), ((1, 5), (3, 6))),
    ("start_capacity", "digital", first_mana, (1, 1), (2, 3)),
    ("second_player_bonus", "one_capacity", first_mana, (1, 1), (1, 2)),
    ("refill", "gain_only", mana_after_spending, 2, 1),
    ("globe_effect", "nothing", on_a_globe, (1, 1, 2), (0, 1, 3)),
    ("globe_effect", "one_capacity", on_a_globe, (1, 1, 2), (0, 2, 2)),
    ("empty_deck", "lose", after_empty_draw, ("", ""), ("B", "empty-deck")),
    ("empty_deck", "general_damage_one", health_after_empty_draw, 25, 24),
    ("hand_limit", "six_burn", partial(seventh_card, unseen=False), [7, 0], [6, 1]),
    ("hand_limit", "six_burn", partial(seventh_card, unseen=True), [7, 0], [6, 1]),
    ("globe_collected_by", "moving_only", summoned_onto_globe, True, False),
    ("first_player", "recorded", second_seat_begins, ("B", ["duelyst.setup.first-seat-begins"]), ("B", [])),
    ("mulligan", "up_to_two", partial(mulligan_of, count=3), [], ["duelyst.setup.one-mulligan"]),
    ("mulligan", "up_to_two", partial(mulligan_of, count=2), [], []),
    ("mulligan", "whole_hand", partial(mulligan_of, count=3), [], ["duelyst.setup.one-mulligan"]),
    ("mulligan", "whole_hand", partial(mulligan_of, count=5), [], []),
    ("mulligan", "none", partial(mulligan_of, count=0), [], []),
    ("mulligan", "none", partial(mulligan_of, count=2), [], ["duelyst.setup.one-mulligan"]),
    ("replace", "unlimited", replaced_twice, {"replace.once-per-turn", "replace.another-card"}, set()),
    ("summon_range", "movement_range", summoned_two_away, ["summon.near-friendly"], []),
    ("friendly_fire", "any", own_unit_attacked, ["attack.enemies-only"], []),
    ("artifact_overflow", "replaces_oldest", four_artifacts, (["artifact.free-slot"], "1234"), ([], "234")),
    ("artifact_damage", "per_point", worn_by_two_damage, 2, 1),
    ("bloodbound_schedule", "printed_example", ready_again, 1, 0),
    ("bloodbound_kept", "adds_up", partial(spells_ready, own_turn=5), 1, 2),
    ("dispelled_pet", "commanded", dispelled_pet_acts, (True, False), (False, True)),
    ("ephemeral_end", "dies", ephemeral_token, [], ["A:wind-dervish#1"]),
    ("token_graveyard", "no", dead_token, "graveyard:A", "removed"),
    ("empty_gambit", "forbidden", gambit_without_target, [], ["gambit.target"]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_an_option_changes_the_game_as_its_text_says(begin: Begin, case: Case) -> None:
    """Under the default and under another option a case has the two different results that are listed."""
    key, option, result, default, under_option = case
    assert result(begin) == default
    assert result(begin, **{key: option}) == under_option
