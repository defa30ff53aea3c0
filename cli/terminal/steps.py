"""What a step was, in lines for people: rules, changes and totals as Rich texts, on screen and on paper."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table as Rows
from rich.text import Text

from tabletape.cli.terminal.drawing import BoardLook, plain
from tabletape.cli.terminal.findings import passage_lines
from tabletape.projector.archive.view import Step, View, Why, result_in_words
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.phrases import name_in_words, zone_in_words
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.things import Zone
from tabletape.projector.rulebooks.kept import Quote, no_quote

SIGNS: Final = {
    "kept": ("✓", "green"),
    "broken": ("✗", "bold red"),
    "derived": ("→", "cyan"),
    "cannot tell": ("?", "yellow"),
}


def why_text(rules: Iterable[Why], quote: Quote = no_quote) -> Text:
    """Return the rules that were looked at in a step, each with its verdict and source."""
    lines = []
    for why in rules:
        sign, colour = SIGNS[why.verdict]
        line = Text.assemble(
            (f"{sign} ", colour), (why.rule, "bold"), (f"  {quote.place(why.section, why.lines, why.rule)}", "dim")
        )
        line.append(f"\n  {plain(why.text)}")
        if why.message:
            line.append(f"\n  {why.verdict}: {plain(why.message)}", colour)
        for words, style in passage_lines(quote(why.rule)):
            line.append(f"\n  {words}", style)
        lines.append(line)
    return Text("\n").join(lines) if lines else Text("No rule was looked at in this step.", style="dim")


def step_text(view: View, step: Step, viewer: str) -> Text:
    """Print a step: what happened and when, what was written beside it and said about it later, what it changed."""
    text = Text.assemble(f"{step.seq}  ", (plain(step.text), "bold"))
    if step.at:
        text.append(f"  {step.at.partition('+')[0].replace('T', ' ')}", "dim")
    note = view.replay.events[step.index].note
    if note is not UNSET:
        text.append(f"\n“{plain(note)}”", "italic")
    if viewer == EVERYTHING and step.seq in view.replay.read_as:
        text.append(f"\nread at import: {plain(view.replay.read_as[step.seq])}", "dim")
    for depth, seq, words in view.comments(step.index, viewer):
        text.append(f"\n{'  ' * depth}{seq}  {plain(words)}", "italic")
    for line in step.changed:
        text.append(f"\n• {plain(line)}")
    return text if step.changed else text.append("\nNothing on the table changed.", "dim")


def totals_table(view: View, index: int, look: BoardLook) -> RenderableType:
    """Return the totals of each player, a column a player, and below them how many cards lie in the common zones."""
    rows = Rows(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 3, 0, 0))
    rows.add_column("")
    for player in look.players:
        rows.add_column(Text(look.name(player), style=f"bold {look.colour(player)}"), justify="right")
    for name, values in _totals(view, index).items():
        rows.add_row(Text(plain(name)), *(str(values.get(player, "")) for player in look.players))
    table = view.table(index)
    common = (f"{zone_in_words(table, zone)} {zone.size}" for zone in zones_of(table) if not zone.owner)
    return Group(rows, Text(plain(f"Cards in common zones: {', '.join(common) or 'none'}"), style="dim"))


def _totals(view: View, index: int) -> dict[str, dict[str, int]]:
    """Return what is counted for each player at a table: what → player → number."""
    of_players: dict[str, dict[str, int]] = {}
    for player, totals in view.totals(index).items():
        for name, number in totals.items():
            of_players.setdefault(name.replace("_", " "), {})[player] = number
    table = view.table(index)
    of_players.update((f"at {name_in_words(table, place)}", totals) for place, totals in view.places(index).items())
    for zone in zones_of(table):
        if zone.owner:
            words = zone_in_words(table, zone).partition("'s ")[2]
            if words not in view.replay.game.scoreboard.total_names:
                of_players.setdefault(f"cards: {words}", {})[zone.owner] = zone.size
    return of_players


def zones_of(table: Table[Any, Any]) -> Iterator[Zone]:
    """Return the zones that lie on the table."""
    return (zone for name, zone in table.zones.items() if name != NOWHERE)


def title_text(view: View) -> Text:
    """Return whose game it was and how it ended, in one line with each player's colour; what may be cut off is last."""
    look = BoardLook(view.players)
    game, _, result = opening_lines(view)
    text = Text(f"{plain(view.started.id)}  ", style="bold", no_wrap=True, overflow="ellipsis")
    for seat in view.started.players:
        text.append(f"▌{plain(seat.name)} ", f"{look.colour(seat.id)}")
    decks = ", ".join(plain(seat.deck) for seat in view.started.players if seat.deck)
    text.append(f" {result}  ", "not bold").append(game.rpartition(":")[0], "not bold dim")
    return text.append(f"  {decks}" if decks else "", "not bold dim")


def opening_lines(view: View) -> Iterator[str]:
    """Return whose game it was, under which rules and how it ended."""
    replay = view.replay
    started = view.started
    yield f"{replay.game.title} {replay.ruleset.label(replay.game.rulebook)}: {plain(started.id)}"
    yield ", ".join(plain(f"{seat.name} ({seat.deck})" if seat.deck else seat.name) for seat in started.players)
    yield f"{plain(result_in_words(replay))}; {findings_in_words(view)}"


def findings_in_words(view: View) -> str:
    """Return the number of findings in words."""
    number = len(view.findings)
    return f"{number or 'no'} finding{'' if number == 1 else 's'}"


def when(view: View, index: int) -> str:
    """Return the round, turn and player on turn of a step: `round 2, turn 9, Ben`; nothing of a log without turns."""
    turn = view.turns[index]
    if not turn:
        return "set-up" if any(view.turns) else ""
    active = view.active[index]
    who = f", {plain(view.replay.table.players[active].name)}" if active in view.replay.table.players else ""
    return f"round {view.rounds[index]}, turn {turn}{who}" if view.rounds[index] else f"turn {turn}{who}"


def stopped_text(view: View) -> str:
    """Say where and why a replay could not go on, or nothing."""
    stopped = view.replay.stopped
    return f"The replay stops before event {stopped.seq}: {plain(stopped.reason)}" if stopped else ""
