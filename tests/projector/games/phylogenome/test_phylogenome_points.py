"""Counting the points of PhyloGenome, under the default rulings and under others."""

from collections.abc import Callable
from typing import Any

import pytest

from tabletape.events.games.phylogenome import PointsCounted
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.rulebook import RulesetError

GAME = game("phylogenome")
# Six Species in the order of publication: the shortest chain that wins the award.
IN_DATE_ORDER = ("roundworm", "fruit-fly", "thale-cress", "rice", "tiger-pufferfish", "malaria-mosquito")
LATER = ("black-cottonwood", "honey-bee", "grapevine", "human", "dog", "maize")


def points_counted(replay: Replay) -> dict[str, PointsCounted]:
    """Return the points that are derived at the end of a game, by player."""
    events = (each.event for each in replay.table.derived)
    return {event.player: event for event in events if isinstance(event, PointsCounted)}


def finished_game(begin: Callable[..., Any], ann: tuple[str, ...], ben: tuple[str, ...], **rulings: str) -> Any:
    """Return a log in which both players play their six cards, all of them Species, in columns of their own."""
    log = begin(ann, ben, **rulings)
    for turn in range(2):
        for player, cards in (("A", ann), ("B", ben)):
            if turn == 0:
                log.add("cards.drawn", player=player, cards=[f"{player}:{cards[5]}"])
            log.column(*(f"{player}:{card}" for card in cards[3 * turn : 3 * turn + 3]))
    return log


def test_points_are_those_of_the_rulebook(begin: Callable[..., Any]) -> None:
    """The total is the sum of species, technology and awards; the longest chain gives fifteen points."""
    points = points_counted(finished_game(begin, IN_DATE_ORDER, LATER).replay())
    ann = points["A"]
    assert ann.chain == 6
    assert ann.awards[:1] == ("longest-chain",)
    assert ann.species == sum(GAME.cards.library[card].points for card in IN_DATE_ORDER)
    assert ann.technology == 6
    assert "largest-genome" in points["B"].awards
    assert ann.total == ann.species + ann.technology + ann.special
    assert ann.special == 15 + sum({"interest-areas": 8}.get(award, 2) for award in ann.awards[1:])


def test_a_chain_of_five_is_too_short_unless_a_ruling_says_so(begin: Callable[..., Any]) -> None:
    """`chain_minimum = five` gives the award for a chain of five."""
    shorter = (*IN_DATE_ORDER[:5], "bakers-yeast")
    log = finished_game(begin, shorter, LATER)
    assert points_counted(log.replay())["A"].chain == 5
    assert "longest-chain" not in points_counted(log.replay())["A"].awards
    assert "longest-chain" in points_counted(log.replay(chain_minimum="five"))["A"].awards


@pytest.mark.parametrize(("option", "points"), [("none", 0), ("both", 2), ("split_down", 1)])
def test_points_of_a_tied_award(begin: Callable[..., Any], option: str, points: int) -> None:
    """Players who tie for an award get nothing, all of it or half of it (ruling `special_tie`)."""
    found = points_counted(finished_game(begin, IN_DATE_ORDER, IN_DATE_ORDER, special_tie=option).replay())
    tied = {"oldest-publication", "largest-genome", "most-genes", "most-chromosomes"}
    for player in ("A", "B"):
        awarded = tied & set(found[player].awards)
        assert awarded == (tied if points else set())
        others = {"none": 0, "both": 23, "split_down": 11}[option]
        assert found[player].special == 4 * points + others


def test_interest_areas_count_once_or_by_icon(begin: Callable[..., Any]) -> None:
    """`areas_count = total` counts an interest area as often as it is printed, `distinct` once."""
    many = ("malaria-parasite", "bakers-yeast", "fission-yeast", "red-bread-mould", "colon-bacterium", "social-amoeba")
    few = ("dog", "human", "brown-rat", "house-mouse", "chicken", "platypus")
    areas = {deck: [area for card in deck for area in GAME.cards.library[card].interest_areas] for deck in (many, few)}
    log = finished_game(begin, many, few)
    for option, count in (("distinct", lambda found: len(set(found))), ("total", len)):
        best = max(count(found) for found in areas.values())
        winners = [player for player, deck in (("A", many), ("B", few)) if count(areas[deck]) == best]
        points = points_counted(log.replay(areas_count=option))
        awarded = [player for player in "AB" if "interest-areas" in points[player].awards]
        assert awarded == (winners if len(winners) == 1 else [])


@pytest.mark.parametrize(("tie", "winner"), [("draw", ""), ("more_species", ""), ("more_technology", "")])
def test_a_tie_in_everything_has_no_winner(begin: Callable[..., Any], tie: str, winner: str) -> None:
    """If the tie-break of the ruling `final_tie` is equal as well, no player wins."""
    replay = finished_game(begin, IN_DATE_ORDER, IN_DATE_ORDER, final_tie=tie).replay()
    assert replay.table.reason == "points"
    assert replay.table.winner == winner


def test_the_only_player_with_a_species_wins(begin: Callable[..., Any]) -> None:
    """After six idle turns Ann wins with one Species against none, under `final_tie = more_species`."""
    ann = ("haemophilus", "funding-round", "funding-round", "funding-round", "funding-round")
    log = begin(ann, ann, stall_guard="score_after_six_idle_turns")
    log.play("A:haemophilus", 0, 1).end(*"ABABABAB")
    assert log.replay(final_tie="more_species").table.winner == "A"


def test_a_retraction_after_an_upgrade_leaves_nothing(begin: Callable[..., Any]) -> None:
    """Events beneath a Species act in the order in which they were played."""
    ann = ("roundworm", "assembly-upgrade", "fruit-fly", "thale-cress", "rice")
    ben = ("retraction", "malaria-mosquito", "honey-bee", "grapevine", "house-mouse")
    log = begin(ann, ben).play("A:roundworm", 0, 1)
    log.add("event.played", player="A", card="A:assembly-upgrade", target="A:roundworm")
    points = {"after the upgrade": GAME.scoreboard.totals(log.replay().table, "A")["species_points"]}
    log.end("A").add("event.played", player="B", card="B:retraction", target="A:roundworm")
    points["after the retraction"] = GAME.scoreboard.totals(log.replay().table, "A")["species_points"]
    assert points == {"after the upgrade": 5, "after the retraction": 0}


def test_progress_is_the_share_of_points(begin: Callable[..., Any]) -> None:
    """Both shares are 0 at first; later they add up to 1."""
    log = begin()
    assert [GAME.scoreboard.progress(log.replay().table, player) for player in "AB"] == [0, 0]
    log.column("A:roundworm", "A:fruit-fly").column("B:malaria-mosquito")
    shares: list[Any] = [GAME.scoreboard.progress(log.replay().table, player) for player in "AB"]
    assert sum(shares) == pytest.approx(1)
    assert shares[0] > shares[1]


@pytest.mark.parametrize("ruling", GAME.rulebook.rulings, ids=lambda ruling: str(ruling.key))
def test_every_option_is_built_or_refused(begin: Callable[..., Any], ruling: Any) -> None:
    """The set-up can be folded under a built option; one that is not built is refused by its name."""
    for option in ruling.options:
        if option.built:
            findings = begin().replay(**{ruling.key: option.name}).findings
            assert {finding.rule for finding in findings} <= {"phylogenome.deck.recommended-size"}
        else:
            with pytest.raises(RulesetError, match=f"{ruling.key} = {option.name} is declared but not built"):
                begin().replay(**{ruling.key: option.name})
