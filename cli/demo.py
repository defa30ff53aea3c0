"""`tabletape demo`: a workspace made of the sample logs, with what the audit finds in it, and the dashboard."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from tabletape.cli.terminal.findings import finding_text
from tabletape.cli.terminal.output import print_rows, say, tally
from tabletape.events.log import Log
from tabletape.events.log.new import removed_if_empty
from tabletape.events.log.rows import StoredGame
from tabletape.events.whole_files import made_folder
from tabletape.projector.archive.samples import import_samples
from tabletape.projector.archive.stored import replays
from tabletape.projector.datasets.build import build
from tabletape.projector.datasets.plans import Request
from tabletape.projector.fold.replay import Replay
from tabletape.projector.games import game
from tabletape.projector.model.sentences import event_in_words

CITED_FINDINGS = 3
"""How many findings are shown in full, each of another game."""


def demo(
    *,
    folder: Annotated[Path, typer.Option(help="Where the demo workspace is made.")] = Path("demo"),
    serve: Annotated[bool, typer.Option(help="Open the dashboard at the end.")] = True,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where the dashboard answers.")] = 8501,
) -> None:
    """Make a workspace from the sample logs that come with Tabletape, show three findings, open the dashboard.

    Doing it again changes nothing: the logs are in the workspace already.

    Example:
        tabletape demo
        tabletape demo --folder /tmp/demo --no-serve
    """
    database = folder / "tabletape.db"
    with made_folder(folder), removed_if_empty(database), Log.open(str(database), create=True) as log:
        report = import_samples(log, folder)
        say((str(folder), "bold"), f": {tally(Counter(str(taken.status) for taken in report.games))}")
        folded = list(replays(log, log.games()))
        build(log, Request())
    _print_games(folded)
    _print_findings(folded)
    say()
    say(f"Next: tabletape replay {folded[0][0].game_id} --db {database}")
    if serve:
        from tabletape.cli.serve import open_dashboard  # noqa: PLC0415 - Streamlit is slow to load and not always wanted

        open_dashboard(str(database), port)


def _print_games(folded: Sequence[tuple[StoredGame, Replay]]) -> None:
    rows = []
    for slug in sorted({stored.game for stored, _ in folded}):
        of_game = [replay for stored, replay in folded if stored.game == slug]
        findings = [finding for replay in of_game for finding in replay.findings]
        clean = sum(not replay.findings for replay in of_game)
        events = sum(len(replay.events) for replay in of_game)
        rows.append([game(slug).title, len(of_game), events, len(findings), clean])
    print_rows(["game", "games", "events", "findings", "games without findings"], rows)


def _print_findings(folded: Iterable[tuple[StoredGame, Replay]]) -> None:
    """Show a finding of each game until there are enough, those of illegal events first."""
    cases = [(finding, stored, replay) for stored, replay in folded for finding in replay.findings]
    cases.sort(key=lambda each: (bool(each[0].follows), each[0].kind not in {"illegal", "missing"}))
    shown: set[str] = set()
    for finding, stored, replay in cases:
        if len(shown) < CITED_FINDINGS and stored.game not in shown:
            shown.add(stored.game)
            say()
            event = replay.events[replay.seqs.index(finding.seq)]
            say(f"{stored.game_id}, event {finding.seq}: {event_in_words(replay.table, event)}")
            first, *lines = finding_text(finding).plain.splitlines()
            say((first, "bold"))
            for line in lines:
                say("  ", line)
