"""`tabletape mend`: the slip behind a finding, as the single edit of the log that explains it."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
import typer

from tabletape.cli.terminal.options import (
    DATABASE,
    AsJson,
    Database,
    Edition,
    GameIds,
    OneGame,
    Rulings,
    chosen_games,
    reading,
    stored_games,
)
from tabletape.cli.terminal.output import complain, in_words, print_json, remark, say
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.log.revising import store_revision
from tabletape.events.log.rows import Game as StoredGame
from tabletape.projector.archive.stored import Reading, replay
from tabletape.projector.games import game as game_called
from tabletape.projector.mending.proposals import Mending, Proposal, mend_all, mended, numbered_events
from tabletape.projector.mending.proposals import mend as mending_of
from tabletape.projector.mending.search import SECONDS
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.rules import HARD

SHOWN = 3
"""Proposals for one finding that are printed."""


def mend(  # noqa: PLR0913 - a verb's options are its parameters
    games: GameIds = None,
    *,
    db: Database = DATABASE,
    game: OneGame = "",
    edition: Edition = "",
    ruling: Rulings = None,
    accept: Annotated[
        int,
        typer.Option(min=0, metavar="N", help="Store the game with its Nth proposal carried out, as a new revision."),
    ] = 0,
    way: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="With --accept: what the proposal names Nth; --json lists all of it."),
    ] = 1,
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds of the processor for one finding.")] = SECONDS,
    json: AsJson = False,
) -> None:
    """Say what a log probably meant: the single slip of its keeper that explains what is found wrong.

    For the first finding of each game it tries what a log keeper gets wrong: a line written twice, two in the wrong
    order, one with a wrong word or number, one forgotten; and says which of these leaves the fewest findings, and how
    many others explain as much. Then it goes on from the best one. A broken rule is not a slip: where nothing but
    leaving out a play helps, it was probably played that way.

    What the log cannot tell apart is one proposal: a line missing at places beside each other, or one that says where
    something went, of which every place explains as much. It names the likeliest, and how many others there are.

    --accept N stores one game with a proposal for its first finding carried out: as a new revision that says so; what
    was imported stays, and so does the revision before. Where the proposal names several ways, --way says which.

    Example:
        tabletape mend
        tabletape mend splicers-autumn-07
        tabletape mend splicers-autumn-07 --accept 1
        tabletape mend splicers-autumn-07 --accept 1 --way 2
    """
    with Log.open(db) as log:
        chosen = stored_games(log, games, game)
        how = reading(
            edition, ruling, [game_called(each) for each in {one.game for one in chosen}] or chosen_games(game)
        )
        if accept:
            if len(chosen) != 1 or not games:
                raise RefusedError("--accept takes one game: name it")
            _accept(log, chosen[0], how, (accept, way), seconds)
            return
        proposals: list[dict[str, Any]] | None = [] if json else None
        wrong = failed = 0
        for stored in chosen:
            try:
                wrong += _look_at(log, stored, how, seconds, proposals)
            except BrokenPipeError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever is wrong with a game, the others are looked at
                failed += 1
                complain(f"{stored.game_id}: {in_words(error)}")
    if proposals is not None:
        print_json(proposals)
    elif not wrong and not failed:
        say("Nothing is wrong in these games.")
    if failed:
        raise typer.Exit(1)


def _look_at(
    log: Log, stored: StoredGame, how: Reading, seconds: float, proposals: list[dict[str, Any]] | None
) -> bool:
    """Print what a game probably meant, or add it to the proposals; return whether anything is wrong in it."""
    replayed = replay(log, stored, log.events(stored), reading=how)
    if not any(each.kind in HARD for each in replayed.findings):
        return False
    if proposals is None:
        _print(stored, mend_all(stored.game_id, replayed, seconds=seconds))
    elif (first := mending_of(stored.game_id, replayed, seconds=seconds)) is not None:
        proposals += (_as_data(each, first) for each in first.proposals)
    return True


def _accept(log: Log, stored: StoredGame, how: Reading, chosen: tuple[int, int], seconds: float) -> None:
    number, way = chosen
    replayed = replay(log, stored, log.events(stored), reading=how)
    found = mending_of(stored.game_id, replayed, seconds=seconds)
    if found is None or number > len(found.proposals):
        there = counted(len(found.proposals), "proposal") if found else "nothing wrong"
        raise RefusedError(f"{stored.game_id} has no proposal {number}: there is {there}; `tabletape mend` lists them")
    proposal = found.proposals[number - 1]
    if way > len(proposal.texts):
        raise RefusedError(f"proposal {number} can be read in {counted(len(proposal.texts), 'way')}: there is no {way}")
    text = proposal.texts[way - 1]
    events = numbered_events(mended(replayed, proposal, way - 1))
    revised = store_revision(log, stored, events, f"{stored.file or stored.game_id} (mended: {text})")
    say((text, "bold"))
    remark(f"stored as revision {revised.revision} of {revised.game_id}; revision {stored.revision} stays in the log")


def _print(stored: StoredGame, rounds: Iterable[Mending]) -> None:
    say((stored.game_id, "bold"), f"  {stored.game} {stored.edition}")
    for each in rounds:
        finding = each.finding
        say(f"  {finding.seq:>4}  ", (finding.kind, "yellow"), f"  {finding.message}")
        for number, proposal in enumerate(each.proposals[:SHOWN], 1):
            _print_proposal(number, proposal)
        if not each.proposals:
            why = ": it was probably played that way" if each.was_probably_played else ""
            say(f"        no slip found{why}")
        elif each.may_be_played:
            say("        or it was played that way, against the rule")
        if not each.complete:
            say("        ", ("not everything was tried in the time given; --seconds gives more", "dim"))
    say()


def _print_proposal(number: int, proposal: Proposal) -> None:
    gone = proposal.findings_before - proposal.findings_after
    away = f"with it {counted(gone, 'finding goes', 'findings go')} away"
    left = f", {proposal.findings_after} stay" if proposal.findings_after else ""
    say(f"        {number}. ", (proposal.text, "bold"), f"; {away}{left}")
    if number == 1 and proposal.ties:
        others = counted(proposal.ties + 1, "proposal explains", "proposals explain")
        say("           ", (f"{others} this equally well: the log cannot tell which", "dim"))


def _as_data(proposal: Proposal, found: Mending) -> dict[str, Any]:
    fields = {name: getattr(proposal, name) for name in proposal.__struct_fields__ if name not in {"ways", "texts"}}
    return {
        **fields,
        "may_be_played": found.may_be_played,
        "events": msgspec.to_builtins(proposal.events),
        "alternatives": msgspec.to_builtins(proposal.alternatives),
    }
