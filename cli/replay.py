"""`tabletape replay`: one game step by step, as a screen at a terminal, as text in a pipe, as JSON for a script."""

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console, RenderableType
from rich.text import Text

from tabletape.cli.terminal.arguments import option
from tabletape.cli.terminal.board import DrawnBoard
from tabletape.cli.terminal.drawing import BoardLook
from tabletape.cli.terminal.findings import finding_line, finding_text
from tabletape.cli.terminal.options import DATABASE, AsJson, Cards, Database, Edition, Rulings
from tabletape.cli.terminal.origins import EventPlaces
from tabletape.cli.terminal.output import print_json, say
from tabletape.cli.terminal.steps import opening_lines, step_text, stopped_text, totals_table, when, why_text, zones_of
from tabletape.dashboard.tape.choosing import reading
from tabletape.dashboard.tape.replaying import chosen_index, chosen_viewer
from tabletape.events.errors import RefusedError
from tabletape.events.log import Log
from tabletape.events.startup import collect_less_often
from tabletape.projector.archive.stored import replay_of, workspace_at
from tabletape.projector.archive.view import View, viewers
from tabletape.projector.fold.traced import Traced
from tabletape.projector.games import game as game_of
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.table import Table
from tabletape.projector.model.things import Zone
from tabletape.projector.rulebooks.kept import Quote

WIDTH = 100
"""Columns of a board that is printed where no terminal says how wide it is."""

FAILURE_CODE = 1


def replay(  # noqa: PLR0913 - a verb's options are its parameters
    game: Annotated[str, typer.Argument(metavar="GAME", help="The id of a stored game.")],
    *,
    db: Database = DATABASE,
    step: Annotated[int | None, typer.Option(min=1, help="Go to the event with this number (its `seq`).")] = None,
    turn: Annotated[
        int | None, typer.Option(min=0, help="Go to the first event of this turn; 0 is the set-up.")
    ] = None,
    player: Annotated[
        str,
        typer.Option(
            metavar="ID|public", show_default="everything", help="See only what this player, or the public, may know."
        ),
    ] = EVERYTHING,
    edition: Edition = "",
    ruling: Rulings = None,
    cards: Cards = "",
    plain: Annotated[bool, option("--plain", "Print text instead of opening the screen.")] = False,
    json: AsJson = False,
) -> None:
    """Step through a game: the table, what each step changed, and the rules that were looked at.

    At a terminal this opens a screen, at the first finding if there is one; h shows its keys.
    In a pipe it prints the game, a step a line; with --step or --turn it prints the table at that event.
    --json gives the table as data: at the event asked for, else at the last one.

    Example:
        tabletape replay splicers-worked-game
        tabletape replay splicers-worked-game --step 22 --player B
        tabletape replay splicers-worked-game --json | jq .totals
    """
    with Log.open(db) as log:
        stored = log.game(game)
        asked = reading(edition, ruling, [game_of(stored.game)], cards, chosen=[stored])
        replayed = replay_of(log, game, reading=asked, traced=True)
        places = EventPlaces(log).of(stored)
    if not isinstance(replayed, Traced):
        raise TypeError("a replay that is looked at has to be traced")
    view = View(replayed, Quote(workspace_at(db), stored.game))
    viewer = chosen_viewer(view, player)
    index = chosen_step(view, step, turn)
    if json:
        seen = state(view, len(view) - 1 if index is None else index, viewer)
        print_json(seen | ({"origin": places.get(seen["seq"])} if places else {}))
    elif sys.stdout.isatty() and sys.stdin.isatty() and not plain:
        from tabletape.cli.screen.app import ReplayApp  # noqa: PLC0415 - text and JSON do not wait for the screen's library

        collect_less_often()
        ReplayApp(view, index, viewer).run()
        return
    elif index is None:
        print_game(view, viewer, places)
    else:
        print_step(view, index, viewer, places)
    if replayed.stopped:
        raise typer.Exit(FAILURE_CODE)


# -- what was asked for ------------------------------------------------------------------------------------------------


def chosen_step(view: View, seq: int | None, turn: int | None) -> int | None:
    """Return the step that `--step` or `--turn` names, or None. Raises `RefusedError` for one that there is not."""
    if seq is not None and turn is not None:
        raise RefusedError("--step and --turn both say where to go: give one of them")
    if seq is not None:
        return chosen_index(view, seq)
    if turn is not None:
        if turn not in view.turns:
            raise RefusedError(f"this game has no turn {turn}: its turns are {min(view.turns)} to {max(view.turns)}")
        return view.turns.index(turn)
    return None


# -- text --------------------------------------------------------------------------------------------------------------


def print_game(view: View, viewer: str, places: Mapping[int, str]) -> None:
    """Print a game, a step a line, findings below their step, turns set apart.

    `places` say where events stand in the file of another program that they came from.
    """
    for line in opening_lines(view):
        say(line)
    for index, seq in enumerate(view.replay.seqs):
        if index in view.starts:
            say("")
            if at := when(view, index):
                say((f"-- {at} --", "bold"))
        say(f"{seq:5}  {view.text(index, viewer)}", (f"  ({places[seq]})" if seq in places else "", "dim"))
        if viewer == EVERYTHING and seq in view.replay.read_as:
            say(" " * 7, (f"read at import: {view.replay.read_as[seq]}", "dim"))
        for finding in view.findings_at(index, viewer):
            say(" " * 7, finding_line(finding, view.quote))
    if view.replay.stopped:
        say("")
        say((stopped_text(view), "bold red"))


def print_step(view: View, index: int, viewer: str, places: Mapping[int, str]) -> None:
    """Print the table after a step, and what there is to say about the step, with its place among `places`."""
    seen = view.step(index, viewer)
    look = BoardLook(view.players)
    terminal = sys.stdout.isatty()
    console = Console(highlight=False, markup=False, emoji=False, width=None if terminal else WIDTH)

    def show(title: str, *content: RenderableType) -> None:
        console.print(Text(title, style="bold"))
        console.print(*content)

    for line in list(opening_lines(view))[:2]:
        console.print(line)
    console.print(f"seen by: {viewers(view.replay)[viewer]}\n")
    show(", ".join(filter(None, (f"Event {seen.seq}", when(view, index)))), step_text(view, seen, viewer))
    for finding in view.findings_at(index, viewer):
        console.print(finding_text(finding, view.quote))
    console.print(DrawnBoard(view.areas(index, viewer), look))
    show("\nTable", totals_table(view, index, look))
    show("\nWhy", why_text(seen.why, view.quote))
    show("\nSource line", Text(seen.source), *([Text(places[seen.seq])] if seen.seq in places else []))
    if view.replay.stopped:
        show(f"\n{stopped_text(view)}")


# -- data --------------------------------------------------------------------------------------------------------------


def state(view: View, index: int, viewer: str) -> dict[str, Any]:
    """Return the table after a step as plain values, with no card in it that the viewer may not know."""
    seen = view.step(index, viewer)
    table = view.table(index)
    return {
        "game_id": view.started.id,
        "game": view.replay.game.slug,
        "ruleset": view.replay.ruleset.label(view.replay.game.rulebook),
        "viewer": viewer,
        "seq": seen.seq,
        "event": msgspec.Raw(seen.source.encode()),
        "text": seen.text,
        "round": table.round,
        "turn": table.turn,
        "phase": table.phase,
        "active": table.active or None,
        "over": table.over,
        "winner": table.winner or None,
        "reason": table.reason,
        "totals": view.totals(index),
        "places": view.places(index),
        "zones": {zone.name: _zone(table, zone, viewer) for zone in zones_of(table)},
        "areas": [
            {"name": area.name, "title": area.title, "caption": area.caption, "highlight": area.highlight or None}
            for area in view.areas(index, viewer)
        ],
        "read_as": view.replay.read_as.get(seen.seq) if viewer == EVERYTHING else None,
        "findings": view.findings_at(index, viewer),
        "stopped": stopped_text(view),
    }


def _zone(table: Table[Any, Any], zone: Zone, viewer: str) -> dict[str, Any]:
    known = [card.name for card in zone.cards if viewer == EVERYTHING or table.knows(viewer, card)]
    return {"owner": zone.owner or None, "size": zone.size, "cards": known}
