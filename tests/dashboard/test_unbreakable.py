"""A rule that no line of the logs can break: it is told from one that nobody has broken yet."""

import json
from pathlib import Path
from typing import Any

import pytest

from tabletape.dashboard.own_game.breaking import unbreakable
from tabletape.events.vocabulary import Event, vocabulary
from tabletape.events.vocabulary.open_games import look_in, open_games
from tabletape.projector.games import game
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.simulate import Plan, simulate

EXAMPLES = Path(__file__).parents[2] / "docs" / "own-games"
SEATS = {"fireworks": 3, "whist": 4, "expeditions": 2, "battler": 2, "market": 3, "climbing": 4}
POND = """title = "Pond"
zones = { deck = "shared hidden", hand = "own", pond = "open", track = "shared" }
cards = { kind = ["reed", "frog", "pike", "wagon", "heron"], copies = "any" }
[move.play]
fields.cards = "cards of hand"
does = ["cards -> pond"]
[move.couple]
fields.kind = "kind?"
"""
CAN_BE = (
    "size(pond where it.kind = pike) < 2",
    "size(pond where it.kind = heron) < 3",
    "no(cards where it.kind = frog) or no(cards where it.kind = reed)",
    "no(cards where it.kind = frog) or any(pond where it.kind = reed)",
    "no(cards where it.kind = wagon)",
    "size(cards) < 5",
    "size(cards where it.kind = reed) < 4",
)
CANNOT_BE = (
    "size(track where it.kind = wagon) < 2",
    "size(pond where it.kind = wagon) < 2",
    "no(cards where it.kind = frog and it.kind = reed)",
    "size(cards) > 0",
)


def evening(**more: str) -> list[Event]:
    """Return a game in which wagons are coupled, and reeds, frogs and pikes are played."""
    played = [("A", "reed"), ("B", "frog"), ("A", "pike"), ("B", "reed")]
    seats = [{"id": each, "name": each} for each in "AB"]
    lines: list[dict[str, Any]] = [
        {"type": "game.started", "game": "pond", "edition": "v1", "id": "1", "players": seats}
    ]
    lines += [{"type": "move.play", "player": player, "cards": [card], **more} for player, card in played]
    lines += [{"type": "move.couple", "player": "A", "kind": "wagon"}]
    return [vocabulary("pond").decode(json.dumps(each)) for each in lines]


@pytest.mark.parametrize(("that", "cannot"), [(each, each in CANNOT_BE) for each in (*CAN_BE, *CANNOT_BE)])
def test_what_no_line_breaks_is_told_from_what_nobody_has_broken(tmp_path: Path, that: str, *, cannot: bool) -> None:
    """Wagons are coupled here and lie nowhere; a card cannot be two kinds; no heron was played, but one may be."""
    (tmp_path / "games").mkdir()
    rule = f'[move.play.needs.one]\nthat = "{that}"\nsays = "So it is."\ncite = "L1"\n'
    (tmp_path / "games" / "pond.toml").write_text(POND + rule)
    look_in(tmp_path)
    found = unbreakable(game("pond"), open_games()["pond"].rules, [evening()], ["pond.play.one"])
    assert found == ({"pond.play.one"} if cannot else set())


def test_a_card_beside_a_player_and_a_number_may_break_a_rule(tmp_path: Path) -> None:
    """Every card is tried, though there are fewer players than cards."""
    (tmp_path / "games").mkdir()
    more = '[move.play.fields]\ncards = "cards of hand"\nto = "player"\nnumber = "number 0 to 1000?"\n'
    rule = '[move.play.needs.one]\nthat = "no(cards where it.kind = wagon)"\nsays = "So it is."\ncite = "L1"\n'
    (tmp_path / "games" / "pond.toml").write_text(POND.replace('fields.cards = "cards of hand"\n', "") + more + rule)
    look_in(tmp_path)
    assert not unbreakable(game("pond"), open_games()["pond"].rules, [evening(to="B")], ["pond.play.one"])


@pytest.mark.parametrize("slug", SEATS)
def test_each_rule_of_the_examples_can_be_broken(slug: str, tmp_path: Path) -> None:
    """Games in which bots keep every rule say of none that nothing breaks it."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / f"{slug}.toml").write_text((EXAMPLES / f"{slug}.toml").read_text())
    look_in(tmp_path)
    one, rules = game(slug), open_games()[slug].rules
    plan = Plan(seed=1, bots=(Bot.RANDOM,) * SEATS[slug])
    games = [match.events for match in simulate(one, one.cards, plan, 2)]
    assert unbreakable(one, rules, games, [need.id for move in rules.moves.values() for need in move.needs]) == set()
