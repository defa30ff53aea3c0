"""`tabletape whatif`: what a changed card or ruling would do, by pairs of games of bots."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import typer

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.options import DATABASE, AsJson, Database, Edition, Rulings
from tabletape.cli.terminal.output import print_json, print_rows, remark, say, watched
from tabletape.cli.terminal.searching import Iterations, Seconds, effort
from tabletape.dashboard.tape.choosing import chosen_game, reading, require_bots
from tabletape.dashboard.what_if import BotOutcome, MeasureRow, is_narrow, kinds_in_words, outcome_of
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.archive.stored import cards_of, workspace_at
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.suggestions import unknown
from tabletape.projector.selfplay.card_change import CardChange, CardChangeError, changed, parse_changes, parse_numbers
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played, played_by_people
from tabletape.projector.selfplay.restriction import Restriction, RestrictionError, parse_never
from tabletape.projector.selfplay.simulate import SimulationError
from tabletape.projector.selfplay.what_if import Experiment, Pair, pairs


def whatif(  # noqa: PLR0913 - each parameter is an option of the command
    game: Annotated[str, typer.Argument(metavar="GAME", help="The name of a game: splicers, evolve …")],
    *,
    db: Database = DATABASE,
    card: Annotated[
        list[str] | None, typer.Option(metavar="CARD", help="The id of a card to change; may be given repeatedly.")
    ] = None,
    change: Annotated[
        list[str] | None, option("--set FIELD=+1", "What to change of the card before it: cost=+1, cost=2,mining=3 …")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="CARD", help="A card that one of the two bots may not play; may be given repeatedly."),
    ] = None,
    never: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DECISION|RULE",
            help="What one of them may not do: turn.passed, card.played:lane=left …, or a rule not to be at stake.",
        ),
    ] = None,
    ruling: Rulings = None,
    edition: Edition = "",
    number: Annotated[int, option("--pairs N", "How many pairs of games to play.", min=1)] = 300,
    bot: Annotated[
        list[Bot], typer.Option(help="Which bots play; several play one after the other, each against its like.")
    ] = [Bot.GREEDY, Bot.RANDOM],  # noqa: B006 - Typer copies the default
    iterations: Iterations = None,
    seconds: Seconds = None,
    until: Annotated[
        float, typer.Option(min=0, metavar="POINTS", help="Stop when the difference is known to this many points.")
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same pairs.")] = 1,
    processes: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many processes to use; 0: one for each core.")
    ] = 0,
    json: AsJson = False,
) -> None:
    """Ask what would happen if a card cost one more, or a sentence were read otherwise.

    Bots play pairs of games that differ in the change alone: same dice, same decks, seats swapped from one pair to the
    next. Shown is how much more the side with the card wins, with its interval, and what else moves. Without a change
    the difference is 0 in every pair. Ctrl-C stops it; what was played by then is shown.

    Several changes are made at once: each --set belongs to the --card before it, and each --ruling is laid over. The
    side that is looked at holds the first card. Of a game with a file of its own --set without --card changes a number
    of the file.

    --without and --never change nothing of the rules: of two bots one may not play the card, or not take the decision,
    unless nothing else is legal. What it loses is what that is worth to it, also where every deck has the card. --never
    with the id of a rule (`tabletape rules`) forbids every decision at which that rule is at stake.

    --until stops as soon as the difference is known that well; its interval holds however often one looks.

    Example:
        tabletape whatif crystal --card sporeling --set cost=+1
        tabletape whatif crystal --card sporeling --set cost=+1 --until 2 --pairs 2000
        tabletape whatif crystal --card sporeling --set cost=+1,mining=3 --card trooper --set cost=0
        tabletape whatif market --set tables.price.silver=+1
        tabletape whatif splicers --ruling domination_threshold=more_than
        tabletape whatif crystal --without trooper
        tabletape whatif crystal --never card.deployed:lane=tech
    """
    one = chosen_game(game)
    experiment = msgspec.structs.replace(
        _asked(one, db, (card or [], change or []), (edition, ruling)), seed=seed, effort=effort(iterations, seconds)
    )
    experiment = _restricted(experiment, one, without or [], never or [])
    people = _people(db, one, experiment.cards)
    outcomes: list[BotOutcome] = []
    for each in dict.fromkeys(bot):
        mine = msgspec.structs.replace(experiment, bot=each)
        played = _played(mine, number, until, processes)
        if played:
            outcomes.append(outcome_of(mine, played, people))
            if not json:
                _print(outcomes[-1], people=len(people))
    if json:
        print_json(msgspec.to_builtins(outcomes))
    elif not outcomes:
        remark("Nothing was played.")
    elif sentence := kinds_in_words((each.bot, each.reach) for each in outcomes):
        say((sentence, "bold"))


def _asked(
    one: Game, db: str, changes: tuple[list[str], list[str]], rules: tuple[str, Sequence[str] | None]
) -> Experiment:
    """Return the experiment that the options ask for. Raises `RefusedError` for one that cannot be made."""
    require_bots(one)
    how = reading(*rules, [one], new=True)
    folder = workspace_at(db)
    named, written = changes
    in_file = one.slug in open_games() and open_games()[one.slug].rules is not None
    of_file = written if in_file and not named else []
    try:
        numbers = parse_numbers(of_file) if of_file else ()
    except CardChangeError as error:
        raise RefusedError(str(error)) from None
    return Experiment(
        folder=folder,
        game=one.slug,
        changes=_changes(named, [] if of_file else written, cards_of(folder, one.slug)),
        numbers=numbers,
        changed_rulings=how.rulings,
        edition=how.edition,
    )


def _restricted(experiment: Experiment, one: Game, without: list[str], never: list[str]) -> Experiment:
    """Return the experiment with what one bot may not do. Raises `RefusedError` for what cannot be forbidden."""
    if not (without or never):
        return experiment
    if experiment.changes or experiment.numbers or experiment.changed_rulings:
        raise RefusedError("a change and a restriction at once could not be told apart: ask for one, then the other")
    library = cards_of(experiment.folder, one.slug).library
    for card in without:
        if card not in library:
            raise RefusedError(unknown("card", card, library))
    try:
        restriction = Restriction(tuple(without), tuple(parse_never(each, one, library) for each in never))
    except RestrictionError as error:
        raise RefusedError(str(error)) from None
    return msgspec.structs.replace(experiment, restriction=restriction)


def _changes(named: list[str], written: list[str], cards: Cards[Any]) -> tuple[CardChange, ...]:
    """Return the changes of cards: each `--set` belongs to a `--card`, all of them to the only one."""
    if bool(named) != bool(written):
        raise RefusedError("--card says which card, --set what to change of it: give both or none")
    if len(named) == 1:
        named = named * len(written)
    if len(named) != len(written):
        raise RefusedError(
            f"{counted(len(named), 'card')} and {counted(len(written), 'change')}: write --card before each --set, "
            "and several numbers of one card as --set cost=+1,mining=2"
        )
    try:
        changes = tuple(each for pair in zip(named, written, strict=True) for each in parse_changes(*pair, cards))
        changed(cards, changes)
    except CardChangeError as error:
        raise RefusedError(str(error)) from None
    return changes


def _played(experiment: Experiment, number: int, until: float, processes: int) -> list[Pair]:
    """Play pairs until there are enough, or somebody stops them."""
    played: list[Pair] = []
    try:
        with suppress(KeyboardInterrupt), watched(f"Playing, {experiment.bot} bots", number) as progress:
            for pair in pairs(experiment, number, processes=processes):
                played.append(pair)
                progress(1)
                if len(played) % 10 == 0 and is_narrow(played, until):
                    break
    except (CardChangeError, SimulationError) as error:
        raise RefusedError(str(error)) from None
    return played


def _people(db: str, one: Game, cards: Sequence[str]) -> list[Played]:
    """Return the games of people that are in the log; none where there is no log yet."""
    try:
        with Log.open(db) as log:
            return played_by_people(log, one.slug, cards)
    except LogError:
        return []


def _print(outcome: BotOutcome, *, people: int) -> None:
    say((outcome.headline, "bold"))
    for sentence in outcome.sentences:
        say(f"  {sentence}")
    headings = ["measure", "as it is", "with the change", "difference", *(["people"] if people else [])]
    say()
    print_rows(headings, [_cells(row)[: len(headings)] for row in outcome.rows])
    for pair in outcome.parted:
        if pair.parting:
            where = f"Pair {pair.number}, step {pair.parting.step} (turn {pair.parting.turn})"
            say(f"{where}: {pair.parting.before}; with the change: {pair.parting.after}")
    say()


def _cells(row: MeasureRow) -> list[str]:
    return [row.measure, row.before, row.after, row.difference, row.people]
