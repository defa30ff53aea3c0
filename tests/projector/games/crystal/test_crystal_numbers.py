"""The arithmetic of Crystal Factions: power, damage, crystals, and who wins when several have enough."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.events.games.crystal import CardDeployed
from tabletape.projector.games.crystal import GAME, board
from tabletape.projector.games.crystal.abilities import parsed_text
from tabletape.projector.games.crystal.chapters.phases import attack
from tabletape.projector.games.crystal.chapters.winning import best_of, check_crystals
from tabletape.projector.games.crystal.effects import Doing, carry_out

Begin = Callable[..., Any]


def table_with_attack(begin: Begin, powers: tuple[int, ...], rulings: dict[str, str] | None = None) -> Any:
    """Return a table whose players have these powers in the Attack lane."""
    table = begin(rulings=rulings, **{player: [] for player in "ABCD"[: len(powers)]}).table()
    for player, power in zip(table.players.values(), powers, strict=True):
        table.set(player, "attack", power)
    return table


@pytest.mark.parametrize(
    ("powers", "prevented", "damage"),
    [
        ((7, 3), (0, 0), (0, 4)),
        ((7, 3, 5), (0, 0, 0), (0, 4, 2)),
        ((6, 6), (0, 0), (0, 0)),
        ((6, 6, 1), (0, 0, 0), (0, 0, 5)),
        ((9, 4), (0, 2), (0, 3)),
        ((9, 4), (0, 7), (0, 0)),
        ((10, 8, 3), (0, 0, 2), (0, 2, 5)),
    ],
)
def test_each_player_takes_the_difference_to_the_highest_attack(
    begin: Begin, powers: tuple[int, ...], prevented: tuple[int, ...], damage: tuple[int, ...]
) -> None:
    """Damage is the difference to the highest attack, less what is prevented (rulebook L60, L62; catalogue 4.2)."""
    table = table_with_attack(begin, powers)
    players = list(table.players.values())
    for player, number in zip(players, prevented, strict=True):
        table.set(player, "prevented", number)
    before = [player.hitpoints for player in players]
    attack(table)
    assert tuple(old - player.hitpoints for old, player in zip(before, players, strict=True)) == damage


def test_all_players_with_the_highest_attack_deal_damage(begin: Begin) -> None:
    """With (6, 6, 1) both of the first two have dealt the damage that the third takes."""
    table = table_with_attack(begin, (6, 6, 1))
    attack(table)
    assert [player.dealt_now for player in table.players.values()] == [True, True, False]
    assert [player.dealt for player in table.players.values()] == [5, 5, 0]


TIE_BREAKS = [
    ({"A": (52, 20, 1, 1), "B": (51, 20, 9, 9)}, "A", "most-crystals"),
    ({"A": (50, 12, 9, 1), "B": (50, 15, 1, 1)}, "B", "tie-break"),
    ({"A": (55, 9, 4, 1), "B": (55, 9, 6, 1)}, "B", "tie-break"),
    ({"A": (55, 9, 4, 3), "B": (55, 9, 4, 2)}, "A", "tie-break"),
    ({"A": (55, 9, 4, 3), "B": (55, 9, 4, 3)}, "", "tie"),
    ({"A": (49, 1, 1, 1), "B": (50, 1, 1, 1)}, "B", "fifty-crystals"),
]


@pytest.mark.parametrize(("totals", "winner", "rule"), TIE_BREAKS)
def test_tie_breaks_decide_among_players_with_fifty_crystals(
    begin: Begin, totals: dict[str, tuple[int, ...]], winner: str, rule: str
) -> None:
    """Crystals decide, then hit points, then power in the Attack lane, then in the Tech lane (L70)."""
    table = begin().table()
    for player, numbers in totals.items():
        for field, number in zip(("crystals", "hitpoints", "attack", "tech"), numbers, strict=True):
            table.set(table.players[player], field, number)
    check_crystals(table)
    assert (table.over, table.winner, table.reason) == (True, winner, "crystals")
    assert table.derived[-1].rule == f"crystal.win.{rule}"


@pytest.mark.parametrize(
    ("crystals", "winner"), [((50, 50), ""), ((50, 51), "B"), ((52, 51), "A"), ((50, 49), "A"), ((51, 51), "")]
)
def test_exactly_fifty_crystals_may_not_win_for_several(begin: Begin, crystals: tuple[int, int], winner: str) -> None:
    """One player alone wins with 50 crystals; of several only those with more win (ruling `fifty_wording`)."""
    table = begin(rulings={"fifty_wording": "more_than_fifty_for_several"}).table()
    for player, number in zip(table.players.values(), crystals, strict=True):
        table.set(player, "crystals", number)
    check_crystals(table)
    assert (table.over, table.winner) == (crystals != (50, 50), winner)


@pytest.mark.parametrize(("ruling", "winner"), [("current_power", "A"), ("lasting_power", "")])
def test_raised_power_counts_in_the_tie_break_or_not(begin: Begin, ruling: str, winner: str) -> None:
    """Whether power that lasts for this turn only counts in the tie-break is the ruling `tie_break_power`."""
    table = begin(rulings={"tie_break_power": ruling}).table()
    for player in table.players.values():
        table.set(player, "crystals", 60)
    board.raise_power(table, table.players["A"], "attack", 2)
    assert best_of(table, list(table.players.values()))[0] == winner


@pytest.mark.parametrize(
    ("ruling", "tokens", "power"),
    [
        ("floor_at_base", 3, 1),
        ("floor_at_zero", 3, 0),
        ("no_floor", 3, -2),
        ("floor_at_base", -2, 3),
    ],
)
def test_tokens_shift_the_power_of_a_lane(begin: Begin, ruling: str, tokens: int, power: int) -> None:
    """A Boost token adds 1 for good and a Corruption token takes 1, down to the floor (ruling `base_floor`)."""
    table = begin(rulings={"base_floor": ruling}).table()
    ann = table.players["A"]
    board.lay_token(table, ann, "attack", "corruption" if tokens > 0 else "boost", abs(tokens))
    assert ann.attack == power
    assert len(ann.tokens) == abs(tokens)


def test_power_below_the_floor_is_remembered(begin: Begin) -> None:
    """A base of 1, a card of attack 2 and two Corruption tokens make 1, and 3 once two Boost tokens are added."""
    table = begin(A=["scrap-runner"], B=[]).deploy("A:scrap-runner", "attack").table()
    ann = table.players["A"]
    board.lay_token(table, ann, "attack", "corruption", 2)
    assert ann.attack == 1
    board.lay_token(table, ann, "attack", "boost", 2)
    assert ann.attack == 3


def test_losing_crystals_stops_at_zero(begin: Begin) -> None:
    """A player who has five crystals and should lose nine loses five."""
    table = begin(A=["trooper"], B=[]).table()
    ann = table.players["A"]
    doing = Doing(ann, table.card("A:trooper"), "crystal.ability.as-written")
    carry_out(table, doing, parsed_text(("when-played -> lose 9 crystals self",)).when_played)
    assert ann.crystals == 0
    assert (table.derived[-1].event.amount, table.derived[-1].event.crystals) == (5, 0)


HERALD = """
[[card]]
id = "herald"
name = "Herald"
kind = "card"
faction = "basic"
cost = 1
tech_requirement = 0
attack = 1
mining = 1
tech = 1
abilities = ["when-played -> lose 3 crystals self; gain 1 crystals"]
"""


def test_abilities_happen_in_the_written_order(begin: Begin) -> None:
    """A log that lets a card gain first and lose second, against its text, has a finding."""
    log = begin(own=HERALD, A=["herald"], B=[]).deploy("A:herald", "mining")
    consequences = [
        {"type": "crystals.lost", "player": "A", "amount": 3, "crystals": 1, "source": "A:herald"},
        {"type": "crystals.gained", "player": "A", "amount": 1, "crystals": 2, "source": "A:herald"},
    ]
    log.lines += consequences
    assert log.replay().findings == []
    log.lines[-2:] = [{**consequences[1], "crystals": 5}, {**consequences[0], "crystals": 2}]
    found = log.replay().findings[0]
    assert (found.rule, found.because) == ("crystal.ability.as-written", "crystal.ability.written-order")


def test_text_that_only_people_can_judge_is_unverifiable(begin: Begin) -> None:
    """What a card with `manual` text does is accepted as the log has it, and reported as unverifiable."""
    own = HERALD.replace("abilities =", 'manual = "Do as the others say."\n# abilities =')
    log = begin(own=own, A=["herald"], B=[]).deploy("A:herald", "mining")
    log.add("crystals.gained", player="A", amount=4, crystals=8, source="A:herald")
    found = log.replay()
    assert [(each.rule, each.kind) for each in found.findings] == [("crystal.ability.as-written", "unverifiable")]
    assert found.table.players["A"].crystals == 8


def test_a_wrong_total_is_one_finding(begin: Begin) -> None:
    """After a wrong total in the log, later lines that go on from that total are right."""
    log = begin().end("AB")
    log.add("attack.resolved", player="A", power=1, highest=1, prevented=0, damage=0, hitpoints=20)
    log.add("mining.resolved", player="A", power=2, crystals=8)
    log.end("BA").add("mining.resolved", player="A", power=2, crystals=10)
    assert [each.rule for each in log.replay().findings] == ["crystal.mining.gain"]


STOLEN_ROT = """
[[card]]
id = "stolen-rot"
name = "Stolen Rot"
kind = "card"
faction = "emberforge-syndicate"
cost = 0
tech_requirement = 0
mining = 0
attack = 1
tech = 0
abilities = ["when-played -> token corruption each-opponent attack"]
"""


@pytest.mark.parametrize(("option", "offered"), [("with_the_deck", 3), ("not_allowed", 0)])
def test_a_card_with_the_token_of_another_faction_is_offered_if_allowed(
    begin: Begin, option: str, offered: int
) -> None:
    """A card that the ruling `foreign_tokens` forbids is no legal decision."""
    table = begin(own=STOLEN_ROT, A=["stolen-rot"], B=[], rulings={"foreign_tokens": option}).table()
    assert sum(isinstance(each, CardDeployed) for each in GAME.legal(table, "A")) == offered
