"""What if: pairs of games that differ in a change alone, and changes of cards that are refused."""

from pathlib import Path
from typing import Any

import pytest

from projector.model.game import game, games
from projector.selfplay.bots import Bot
from projector.selfplay.card_change import CardChangeError, numbers_of, parse_change
from projector.selfplay.processes import in_processes
from projector.selfplay.what_if import Experiment, pairs, play_pair

CRYSTAL = game("crystal").cards


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("bot", [Bot.RANDOM, Bot.GREEDY])
def test_without_a_change_both_games_of_a_pair_are_the_same(slug: str, bot: Bot, tmp_path: Path) -> None:
    """The control: nothing is different, so nothing comes out otherwise, in no pair."""
    limit = 60 if slug == "phylogenome" else 2000
    for number in range(2):
        pair = play_pair(Experiment(folder=tmp_path, game=slug, bot=bot, seed=3, limit=limit), number)
        assert (pair.difference, pair.parting) == (0, None)
        assert pair.before == pair.after


def test_seats_are_swapped_and_the_rest_of_two_pairs_is_the_same(tmp_path: Path) -> None:
    """The second of two pairs has the same decks the other way round, and the card is on the other side."""
    change = parse_change("sporeling", "cost=+1", CRYSTAL)
    found = list(pairs(Experiment(folder=tmp_path, game="crystal", change=change), 4, processes=1))
    assert [pair.side for pair in found] == ["A", "B", "A", "B"]
    for one, other in ((found[0], found[1]), (found[2], found[3])):
        assert one.decks == other.decks[::-1]
        assert "sporeling" in CRYSTAL.decks[one.decks[0]].cards


def test_a_change_that_matters_moves_who_wins(tmp_path: Path) -> None:
    """A card that wins at once wins nearly always; the pairs that part say at which step."""
    change = parse_change("sporeling", "mining=60", CRYSTAL)
    found = list(pairs(Experiment(folder=tmp_path, game="crystal", change=change), 20, processes=1))
    assert sum(pair.difference for pair in found) > 3
    parted = [pair.parting for pair in found if pair.parting]
    assert parted
    for each in parted:
        assert each.before != each.after
        assert each.step > 1


def test_the_same_pairs_come_from_one_process_and_from_two(tmp_path: Path) -> None:
    """How many processes play changes nothing about the pairs or their order."""
    experiment = Experiment(
        folder=tmp_path, game="crystal", bot=Bot.RANDOM, changed_rulings={"draw_mandatory": "optional"}
    )
    assert list(pairs(experiment, 12, processes=2)) == list(pairs(experiment, 12, processes=1))


def test_work_that_nobody_asks_for_any_more_is_not_begun() -> None:
    """Who takes two results and stops gets these two, in their order."""
    squares = in_processes(abs, (-number for number in range(1000)), 2)
    assert [next(squares), next(squares)] == [0, 1]
    squares.close()  # type: ignore[attr-defined]  # it is a generator


@pytest.mark.parametrize(("written", "after"), [("cost=+1", 2), ("cost=3", 3), ("cost=-1", 0), (" mining = +2 ", 4)])
def test_a_number_of_a_card_is_changed_by_or_to_so_much(written: str, after: int) -> None:
    """With a sign a change is relative, without one it is the new number; no other card changes."""
    change = parse_change("sporeling", written, CRYSTAL)
    cards = change.made(CRYSTAL)
    assert getattr(cards.library["sporeling"], change.field) == after
    assert {name for name, text in cards.library.items() if text is not CRYSTAL.library[name]} == {"sporeling"}


def test_a_number_within_a_part_of_a_card_is_changed() -> None:
    """A number of a part goes by the names of both: `evolve.energy`."""
    cards = game("evolve").cards
    text: Any = parse_change("prochlorococcus", "evolve.energy=+1", cards).made(cards).library["prochlorococcus"]
    assert text.evolve.energy == cards.library["prochlorococcus"].evolve.energy + 1
    assert "evolve.energy" in dict(numbers_of(text))


@pytest.mark.parametrize(
    ("card", "written", "message"),
    [
        ("sporelin", "cost=+1", "there is no card 'sporelin'; did you mean sporeling"),
        ("sporeling", "cst=+1", "there is no number on Sporeling called 'cst'; did you mean cost"),
        ("sporeling", "name=2", "there is no number on Sporeling called 'name'; there are: cost"),
        ("sporeling", "cost=-2", "cost of Sporeling is 1; cost=-2 would make it -1"),
        ("sporeling", "cost=1.5", "cost of Sporeling is a whole number"),
        ("sporeling", "cost+1", "a change is written FIELD=.1, FIELD=-1 or FIELD=2, not 'cost.1'"),
    ],
)
def test_an_impossible_change_is_refused(card: str, written: str, message: str) -> None:
    """The message says what is wrong and what can be changed."""
    with pytest.raises(CardChangeError, match=message):
        parse_change(card, written, CRYSTAL)
