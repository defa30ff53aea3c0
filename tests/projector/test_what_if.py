"""What if: pairs of games that differ only in a change, and changes of cards that are refused."""

import time
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tabletape.dashboard.what_if import BotOutcome, MeasureRow, kinds_in_words, outcome_of
from tabletape.events.vocabulary import tag_of
from tabletape.events.vocabulary.open_games import look_in
from tabletape.projector.games import game, games
from tabletape.projector.model.game import Game
from tabletape.projector.parallel import in_processes
from tabletape.projector.selfplay.card_change import CardChangeError, changed, numbers_of, parse_changes
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played, Use
from tabletape.projector.selfplay.restriction import Never, Restriction, RestrictionError, parse_never
from tabletape.projector.selfplay.search import SearchEffort
from tabletape.projector.selfplay.simulate import Match, Plan
from tabletape.projector.selfplay.what_if import Experiment, Pair, pairs, play_pair
from tests.waiting import PATIENCE

CRYSTAL = game("crystal").cards
OWN_GAMES = Path(__file__).parents[2] / "docs" / "own-games"


@pytest.mark.parametrize("slug", games())
@pytest.mark.parametrize("bot", [Bot.RANDOM, Bot.GREEDY])
def test_without_a_change_both_games_of_a_pair_are_the_same(slug: str, bot: Bot, tmp_path: Path) -> None:
    """The control: without a change the games of each pair have the same result."""
    limit = 60 if slug == "phylogenome" else 2000
    for number in range(2):
        pair = play_pair(Experiment(folder=tmp_path, game=slug, bot=bot, seed=3, limit=limit), number)
        assert (pair.difference, pair.parting) == (0, None)
        assert pair.before == pair.after


def test_two_pairs_differ_only_in_their_seats(tmp_path: Path) -> None:
    """The second of two pairs has the same decks in swapped seats, so that the card is on the other side."""
    changes = parse_changes("sporeling", "cost=+1", CRYSTAL)
    found = list(pairs(Experiment(folder=tmp_path, game="crystal", changes=changes), 4, processes=1))
    assert [pair.side for pair in found] == ["A", "B", "A", "B"]
    for one, other in ((found[0], found[1]), (found[2], found[3])):
        assert one.decks == other.decks[::-1]
        assert "sporeling" in CRYSTAL.decks[one.decks[0]].cards


def test_a_strong_change_decides_who_wins(tmp_path: Path) -> None:
    """The side with a much stronger card wins more often; pairs with different winners say where they part."""
    changes = parse_changes("sporeling", "mining=60", CRYSTAL)
    found = list(pairs(Experiment(folder=tmp_path, game="crystal", changes=changes), 20, processes=1))
    assert sum(pair.difference for pair in found) > 3
    parted = [pair.parting for pair in found if pair.parting]
    assert parted
    for each in parted:
        assert each.before != each.after
        assert each.step > 1


def test_the_same_pairs_come_from_one_process_and_from_two(tmp_path: Path) -> None:
    """The number of processes changes neither the pairs nor their order."""
    experiment = Experiment(
        folder=tmp_path, game="crystal", bot=Bot.RANDOM, changed_rulings={"draw_mandatory": "optional"}
    )
    assert list(pairs(experiment, 12, processes=2)) == list(pairs(experiment, 12, processes=1))


def test_work_that_is_not_asked_for_is_not_begun() -> None:
    """A caller that takes two results and stops gets these two, in their order."""
    squares = in_processes(abs, (-number for number in range(1000)), 2)
    assert [next(squares), next(squares)] == [0, 1]
    squares.close()  # type: ignore[attr-defined]  # it is a generator


def slowly_created(file: Path) -> Path:
    """Return the path of a file; if there is no such file, create it first, after a long time."""
    if not file.exists():
        time.sleep(PATIENCE)
        file.touch()
    return file


def test_a_caller_that_stops_ends_the_running_work(tmp_path: Path) -> None:
    """Closing the results does not wait for the rest of the work, and no process goes on with it."""
    before = {*active_children()}
    (tmp_path / "0").touch()
    files = in_processes(slowly_created, (tmp_path / str(number) for number in range(9)), 2)
    assert next(files) == tmp_path / "0"
    files.close()  # type: ignore[attr-defined]  # it is a generator
    assert {*active_children()} <= before
    assert [*tmp_path.iterdir()] == [tmp_path / "0"]


def test_no_process_is_left_when_all_is_done() -> None:
    """After the last result no process is left that would end while Python itself ends."""
    before = {*active_children()}
    assert [*in_processes(abs, (-number for number in range(20)), 2)] == [*range(20)]
    assert {*active_children()} <= before


@pytest.mark.parametrize(("written", "after"), [("cost=+1", 2), ("cost=3", 3), ("cost=-1", 0), (" mining = +2 ", 4)])
def test_a_change_of_a_number_is_relative_or_absolute(written: str, after: int) -> None:
    """With a sign a change is relative, without one it is the new number; no other card changes."""
    (change,) = parse_changes("sporeling", written, CRYSTAL)
    cards = changed(CRYSTAL, [change])
    assert getattr(cards.library["sporeling"], change.field) == after
    assert {name for name, text in cards.library.items() if text is not CRYSTAL.library[name]} == {"sporeling"}


def test_a_number_within_a_part_of_a_card_is_changed() -> None:
    """A number of a part is named after the part and the number: `evolve.energy`."""
    cards = game("evolve").cards
    changes = parse_changes("prochlorococcus", "evolve.energy=+1", cards)
    text: Any = changed(cards, changes).library["prochlorococcus"]
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
        ("sporeling", "cost=+1,cost=2", "cost of sporeling is changed twice"),
        ("sporeling", "cost=+1,", "a change is written FIELD"),
        ("sporeling", "cost+1", "a change is written FIELD=.1, FIELD=-1 or FIELD=2, not 'cost.1'"),
    ],
)
def test_an_impossible_change_is_refused(card: str, written: str, message: str) -> None:
    """The message says what is wrong and what can be changed."""
    with pytest.raises(CardChangeError, match=message):
        parse_changes(card, written, CRYSTAL)


def test_several_changes_are_made_at_once(tmp_path: Path) -> None:
    """The second game of a pair has all changes, and the side of the pair is the one with the first card."""
    changes = (
        *parse_changes("sporeling", "cost=+1,mining=60", CRYSTAL),
        *parse_changes("cinder-drill", "cost=0", CRYSTAL),
    )
    cards = changed(CRYSTAL, changes).library
    assert (cards["sporeling"].cost, cards["sporeling"].mining, cards["cinder-drill"].cost) == (2, 60, 0)
    experiment = Experiment(folder=tmp_path, game="crystal", changes=changes)
    assert experiment.cards == ("sporeling", "cinder-drill")
    for pair in pairs(experiment, 4, processes=1):
        deck = pair.decks["AB".index(pair.side)]
        assert "sporeling" in CRYSTAL.decks[deck].cards
        assert len(pair.before.uses) == len(pair.after.uses) == 2


def test_a_card_that_nobody_can_pay_is_never_playable(tmp_path: Path) -> None:
    """With a cost beyond all crystals each copy that was held at a decision is counted, and none is played."""
    changes = parse_changes("sporeling", "cost=900", CRYSTAL)
    found = list(pairs(Experiment(folder=tmp_path, game="crystal", changes=changes), 6, processes=1))
    before, after = ([getattr(pair, when).uses[0] for pair in found] for when in ("before", "after"))
    assert sum(use.played for use in after) == 0 < sum(use.played for use in before)
    assert sum(use.unplayable for use in before) == 0 < sum(use.unplayable for use in after)
    assert all(use.unplayable <= use.seen for use in after)


def test_cards_outside_a_deck_list_can_be_changed(tmp_path: Path) -> None:
    """A card that every deck has is on no side alone; a base card of a faction is on the side that has this faction."""
    for card, written, sides in (("trooper", "cost=0", ["", ""]), ("verdant-choir", "hitpoints=1", ["A", "B"])):
        changes = parse_changes(card, written, CRYSTAL)
        found = list(pairs(Experiment(folder=tmp_path, game="crystal", changes=changes), 2, processes=1))
        assert [pair.side for pair in found] == sides


def test_decisions_without_an_alternative_are_counted(tmp_path: Path) -> None:
    """A player who cannot pay for a card has only the end of the part; `forced` counts these as `legal` offers them."""
    experiment = Experiment(folder=tmp_path, game="crystal", changed_rulings={}, seed=5)
    pair = play_pair(experiment, 0)
    plan = Plan(seed=5, bots=(Bot.GREEDY,) * 2, decks=pair.decks, limit=2000)
    match = Match(game("crystal"), CRYSTAL, plan, 1)
    match.play()
    offers = []
    for step, event in enumerate(match.replay.events):
        table = match.replay.at(step - 1) if step else None
        if table is not None and getattr(event, "player", "") in game("crystal").actors(table):
            offers.append(len(game("crystal").legal(table, table.active)))
    assert (pair.before.choices, pair.before.forced) == (len(offers), offers.count(1))
    assert 0 < pair.before.forced < pair.before.choices


def test_a_game_that_nobody_won_is_no_half_win(tmp_path: Path) -> None:
    """Where no game has a winner there is no share of wins, and one sentence says that the points say nothing.

    Two pairs that were both lost do not show that a change is bad: the interval of few pairs holds 0.
    """
    experiment = Experiment(folder=tmp_path, game="crystal", changes=parse_changes("sporeling", "cost=+1", CRYSTAL))
    undecided = Played(won=False, first_won=False, decisive=False, turns=9, decisions=20, finished=True, uses=(Use(),))
    won = msgspec.structs.replace(undecided, won=True, first_won=True, decisive=True)
    lost = msgspec.structs.replace(won, won=False, first_won=False)

    def told(*games: tuple[Played, Played]) -> tuple[dict[str, MeasureRow], str]:
        found = [Pair(number=n, side="A", decks=(), before=one, after=two) for n, (one, two) in enumerate(games)]
        outcome = outcome_of(experiment, found)
        return {row.measure: row for row in outcome.rows}, " ".join((outcome.headline, *outcome.sentences))

    rows, sentences = told((undecided, undecided), (undecided, undecided))
    assert rows["wins of who begins"] == MeasureRow("wins of who begins", "", "", "")
    assert "4 of these 4 games, as they are and changed, had no winner: nothing above speaks of this game." in sentences
    rows, sentences = told((won, undecided), (lost, won))
    assert rows["wins of who begins"].before.startswith("50 % (1 of 2;")
    assert rows["wins of who begins"].after.startswith("100 % (1 of 1;")
    assert (
        "1 of these 4 games, as they are and changed, had no winner: they are no side's win, and not half a win."
        in sentences
    )
    _, sentences = told((won, lost), (won, lost))
    assert "won 2 without the change and 0 with it: 100 of a hundred fewer (likely 100 fewer to 35 more)" in sentences


def test_pairs_of_equal_decks_have_dice_of_their_own(higher: Game, tmp_path: Path) -> None:
    """Where there is one deck, swapping it changes nothing: with the same dice each second pair would be the first."""
    changes = parse_changes("six", "value=9", higher.cards)
    experiment = Experiment(folder=tmp_path, game="higher", bot=Bot.RANDOM, changes=changes)
    found = list(pairs(experiment, 12, processes=1))
    assert {len(set(pair.decks)) for pair in found} == {1}
    assert any(one.before != other.before for one, other in zip(found[::2], found[1::2], strict=True))


def test_a_change_that_was_never_at_play_has_no_effect_to_report(tmp_path: Path) -> None:
    """A card with as many hit points as before alters no step: there is no headline in points. A control has one."""
    changes = parse_changes("verdant-choir", "hitpoints=+0", CRYSTAL)
    experiment = Experiment(folder=tmp_path, game="crystal", changes=changes, bot=Bot.RANDOM)
    found = list(pairs(experiment, 4, processes=1))
    assert [pair.altered for pair in found] == [False] * 4
    outcome = outcome_of(experiment, found)
    assert outcome.headline.endswith("in 0 of 4 games of random bots did it alter a step")
    assert "not the same as no effect" in " ".join(outcome.sentences)
    assert " points" not in outcome.headline + " ".join(outcome.sentences)
    no_change = msgspec.structs.replace(experiment, changes=())
    control = outcome_of(no_change, list(pairs(no_change, 4, processes=1)))
    assert control.headline.startswith(
        "No change: no difference is shown. In 4 games of random bots, each played twice, whoever begins won "
    )
    assert control.headline.endswith(": as many (likely 46 fewer to 46 more)")
    assert "Whenever one stops: \N{MINUS SIGN}100.0 to +100.0 games of a hundred" in " ".join(control.sentences)
    assert "by luck" not in " ".join((*outcome.sentences, *control.sentences))


@pytest.mark.parametrize("bot", list(Bot))
def test_a_bot_that_may_not_play_a_card_never_does(bot: Bot, tmp_path: Path) -> None:
    """One side never plays the Trooper that every deck has, the other one does; the seats take turns."""
    experiment = Experiment(
        folder=tmp_path,
        game="crystal",
        restriction=Restriction(("trooper",)),
        bot=bot,
        effort=SearchEffort(iterations=9),
    )
    for number in range(2):
        pair = play_pair(experiment, number)
        assert pair.side == "AB"[number]
        assert pair.altered
        plan = Plan(
            bots=(bot,) * 2, decks=pair.decks, effort=experiment.effort, limit=2000,
            restrictions={pair.side: experiment.restriction},
        )  # fmt: skip
        deployed = lines(Match(game("crystal"), CRYSTAL, plan, 1), "card.deployed")
        assert {event.player for event in deployed if "trooper" in event.card} == {"AB"[1 - number]}


@pytest.mark.parametrize(
    ("random", "greedy", "said"),
    [
        ((40, 4), (44, 2), "Kinds of bots agree: the change helps each of them ("),
        ((4, 40), (6, 44), "Kinds of bots agree: the change harms each of them ("),
        ((10, 12), (44, 4), "It depends on play: the change is better for greedy bots than for random bots ("),
        ((10, 12), (14, 9), "What kinds of bots say is open: they neither agree nor clearly differ ("),
    ],
)
def test_kinds_of_bots_agree_differ_or_leave_it_open(
    random: tuple[int, int], greedy: tuple[int, int], said: str, tmp_path: Path
) -> None:
    """Of 100 pairs of each so many are won and lost by the change; the trend stands beside; one kind says nothing."""
    lost = Played(won=False, first_won=False, decisive=True, turns=9, decisions=20, finished=True)
    won = msgspec.structs.replace(lost, won=True)

    def outcome(bot: Bot, more: int, fewer: int) -> BotOutcome:
        played = [(lost, won)] * more + [(won, lost)] * fewer + [(lost, lost)] * (100 - more - fewer)
        found = [Pair(number=n, side="", decks=(), before=one, after=two) for n, (one, two) in enumerate(played)]
        return outcome_of(Experiment(folder=tmp_path, game="crystal", bot=bot), found)

    both = outcome(Bot.RANDOM, *random), outcome(Bot.GREEDY, *greedy)
    assert kinds_in_words((each.bot, each.reach) for each in both).startswith(said)
    each = (greedy[0] - greedy[1]) - (random[0] - random[1])
    assert f"({each:+}.0 ".replace("-", "\N{MINUS SIGN}") in kinds_in_words((each.bot, each.reach) for each in both)
    assert kinds_in_words([(Bot.RANDOM, both[0].reach)]) == ""


def test_a_team_wins_and_what_all_reach_together_counts(tmp_path: Path) -> None:
    """In Whist two win; in Fireworks, where all reach a score together, the difference is one of the score."""
    (tmp_path / "games").mkdir()
    for name in ("whist", "fireworks"):
        (tmp_path / "games" / f"{name}.toml").write_bytes((OWN_GAMES / f"{name}.toml").read_bytes())
    look_in(tmp_path)
    never = {"whist": Never("move.lay", "card", "hearts-ace"), "fireworks": Never("move.clue")}
    asked = {
        slug: Experiment(folder=tmp_path, game=slug, bot=Bot.RANDOM, restriction=Restriction(never=(each,)))
        for slug, each in never.items()
    }
    found = {slug: [play_pair(each, number) for number in range(3)] for slug, each in asked.items()}
    look_in(OWN_GAMES)
    assert all(pair.before.decisive for pair in found["whist"])
    scores = [(pair.before.score or 0, pair.after.score or 0, pair.difference) for pair in found["fireworks"]]
    assert any(before for before, _, _ in scores)
    assert all(after - before == each for before, after, each in scores)
    told = outcome_of(asked["fireworks"], found["fireworks"])
    assert "the score that all reach together is" in told.headline
    assert {row.measure for row in told.rows} >= {"score", "turns"}
    assert not any(row.measure.startswith("wins") for row in told.rows)


def lines(match: Match, tag: str) -> list[Any]:
    """Play a game and return its lines of a type."""
    return [event for event in match.play().events if tag_of(type(event)) == tag]


@pytest.mark.parametrize("bot", [Bot.RANDOM, Bot.GREEDY])
def test_a_decision_is_never_taken_while_another_is_legal(bot: Bot) -> None:
    """No card of one side goes to the tech lane; what nobody can avoid (ending a deployment) is done all the same."""
    never = Restriction(never=(parse_never("card.deployed:lane=tech", game("crystal"), ()), Never("deploy.ended")))
    plan = Plan(bots=(bot,) * 2, restrictions={"A": never})
    lanes = {(event.player, event.lane) for event in lines(Match(game("crystal"), CRYSTAL, plan, 3), "card.deployed")}
    assert ("A", "tech") not in lanes
    assert ("B", "tech") in lanes
    assert "A" in {event.player for event in lines(Match(game("crystal"), CRYSTAL, plan, 3), "deploy.ended")}


def test_decisions_at_which_a_rule_is_at_stake_are_never_taken() -> None:
    """The tech limit is at stake at each deployment: who may do nothing that is held against it deploys nothing."""
    never = Restriction(never=(parse_never("crystal.tech.within-limit", game("crystal"), ()),))
    plan = Plan(bots=(Bot.RANDOM,) * 2, restrictions={"A": never})
    assert {event.player for event in lines(Match(game("crystal"), CRYSTAL, plan, 3), "card.deployed")} == {"B"}


def test_a_strong_restriction_costs_games(tmp_path: Path) -> None:
    """A side that may deploy nothing loses nearly all games that it would have won."""
    experiment = Experiment(folder=tmp_path, game="crystal", restriction=Restriction(never=(Never("card.deployed"),)))
    found = list(pairs(experiment, 12, processes=1))
    assert sum(pair.after.won for pair in found) < sum(pair.before.won for pair in found)
    outcome = outcome_of(experiment, found)
    assert outcome.headline.startswith("Never card.deployed: the side that does without wins ")
    assert " of a hundred fewer (likely " in outcome.headline
    assert outcome.rows[0].measure == "wins of the side that does without"
    assert outcome.sentences[-1] == (
        "If nothing mattered, 0.3 of 5 differences of measures would still seem clear (without 0), on average."
    )


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("card.deployd", "did you mean card.deployed"),
        ("damage.dealt", "no decision or checked rule in Crystal Factions called 'damage.dealt'"),
        ("crystal.tech.within-limits", "did you mean crystal.tech.within-limit"),
        ("card.deployed:lan=tech", "did you mean lane"),
        ("card.deployed:lane", "is written card.deployed, or card.deployed:lane=VALUE"),
        ("card.deployed:lane=teck", "no lane of card.deployed called 'teck'; did you mean tech"),
        ("card.deployed:card=A:troper#2", "no card of card.deployed called 'troper'; did you mean trooper"),
        ("game.started", "no decision or checked rule in Crystal Factions called 'game.started'"),
    ],
)
def test_what_cannot_be_forbidden_is_refused(written: str, message: str) -> None:
    """Decisions can be forbidden: by their type, by what a field can hold, or by a rule that is checked at them."""
    with pytest.raises(RestrictionError, match=message):
        parse_never(written, game("crystal"), game("crystal").cards.library)
