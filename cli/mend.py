"""`tabletape mend`: the slip behind a finding, as the single edit of the log that explains it."""

from typing import Annotated, Any

import msgspec
import typer

from tabletape.cli.terminal.options import DATABASE, AsJson, Database, Edition, GameIds, OneGame, Rulings
from tabletape.cli.terminal.output import complain, in_words, print_json, remark, say
from tabletape.dashboard.tape.games import TapeGame
from tabletape.dashboard.tape.mending import GameMending
from tabletape.dashboard.tape.tape import open_tape
from tabletape.events.errors import RefusedError
from tabletape.projector.mending.proposals import Mending, Proposal
from tabletape.projector.model.amounts import counted

MAX_SHOWN = 3
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
    json: AsJson = False,
) -> None:
    """Say what a log probably meant: the single slip of its keeper that explains what is found wrong.

    For the first finding of each game it tries what a log keeper gets wrong: a line written twice, two in the wrong
    order, one with a wrong word or number, one forgotten; and says which of these leaves the fewest findings, and how
    many others explain as much. Then it goes on from the best one. A broken rule is not a slip: where nothing but
    leaving out a play helps, it was probably played that way.

    What the log cannot tell apart is one proposal: a line missing at places beside each other, or one that says where
    something went, of which every place explains as much. It names the likeliest, and how many others there are.

    --json is a list of the games in which something is wrong: the first finding of each, with all its proposals, none
    where no slip explains it.

    --accept N stores one game with a proposal for its first finding carried out: as a new revision that says so; what
    was imported stays, and so does the revision before. Where the proposal names several ways, --way says which.

    Example:
        tabletape mend
        tabletape mend splicers-autumn-07
        tabletape mend splicers-autumn-07 --accept 1
        tabletape mend splicers-autumn-07 --accept 1 --way 2
    """
    found: list[dict[str, Any]] = []
    wrong = failed = 0
    with open_tape(db) as tape:
        chosen = tape.games(games or None, game=game)
        if accept and (len(chosen) != 1 or not games):
            raise RefusedError("--accept takes one game: name it")
        how = tape.reading(chosen, game, edition=edition, rulings=ruling)
        if accept:
            _accept(chosen[0], tape.mending(chosen[0], how), accept, way)
            return
        for each in chosen:
            try:
                wrong += _look_at(tape.mending(each, how), found, json=json)
            except BrokenPipeError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever is wrong with a game, the others are looked at
                failed += 1
                complain(f"{each.game_id}: {in_words(error)}")
    if json:
        print_json(found)
    elif not wrong and not failed:
        say("Nothing is wrong in these games.")
    if failed:
        raise typer.Exit(1)


def _look_at(mending: GameMending | None, found: list[dict[str, Any]], *, json: bool) -> bool:
    """Print what a game probably meant, or add it to what is found; return whether anything is wrong in it."""
    if mending is None:
        return False
    if not json:
        _print(mending)
    elif (first := mending.first()) is not None:
        found.append(_as_data(first))
    return True


def _accept(game: TapeGame, mending: GameMending | None, number: int, way: int) -> None:
    if mending is None:
        there = "there is nothing wrong; `tabletape mend` lists them"
        raise RefusedError(f"{game.game_id} has no proposal {number}: {there}")
    revised, text = mending.accept(number, way)
    say((text, "bold"))
    remark(f"stored as revision {revised.revision} of {revised.game_id}; revision {game.revision} stays in the log")


def _print(mending: GameMending) -> None:
    game = mending.game
    say((game.game_id, "bold"), f"  {game.game} {game.edition}")
    for each in mending.rounds():
        finding = each.finding
        say(f"  {finding.seq:>4}  ", (finding.kind, "yellow"), f"  {finding.message}")
        for number, proposal in enumerate(each.proposals[:MAX_SHOWN], 1):
            gone = proposal.findings_before - proposal.findings_after
            away = f"with it {counted(gone, 'finding goes', 'findings go')} away"
            left = f", {proposal.findings_after} stay" if proposal.findings_after else ""
            say(f"        {number}. ", (proposal.text, "bold"), f"; {away}{left}")
            if number == 1 and proposal.ties:
                others = counted(proposal.ties + 1, "proposal explains", "proposals explain")
                say("           ", (f"{others} this equally well: the log cannot tell which", "dim"))
        if not each.proposals:
            why = ": it was probably played that way" if each.was_probably_played else ""
            say(f"        no slip found{why}")
        elif each.may_be_played:
            say("        or it was played that way, against the rule")
        if not each.complete:
            say("        ", ("not everything was tried", "dim"))
    say()


def _as_data(mending: Mending) -> dict[str, Any]:
    finding = {name: getattr(mending.finding, name) for name in ("seq", "rule", "kind", "message", "expected")}
    said = {name: getattr(mending, name) for name in ("may_be_played", "was_probably_played", "complete")}
    proposals = [_proposal_as_data(each) for each in mending.proposals]
    return {"game_id": mending.game_id, "finding": finding, **said, "proposals": proposals}


def _proposal_as_data(proposal: Proposal) -> dict[str, Any]:
    left_out = {"game_id", "ways", "texts"}
    fields = {name: getattr(proposal, name) for name in proposal.__struct_fields__ if name not in left_out}
    lines = {name: msgspec.to_builtins(fields[name]) for name in ("events", "alternatives")}
    return {**fields, **lines}
