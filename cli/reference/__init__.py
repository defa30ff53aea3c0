"""The reference pages: what the code says about itself, as Markdown."""

from pathlib import Path

from tabletape.cli.reference.card_text import card_text_page
from tabletape.cli.reference.columns import datasets_page
from tabletape.cli.reference.commands import commands_page
from tabletape.cli.reference.python import python_page
from tabletape.cli.reference.questions import metrics_page
from tabletape.cli.reference.recorded import recorded_rules, stories_page
from tabletape.cli.reference.rulebooks import game_page, games_page
from tabletape.cli.reference.vocabularies import events_page, game_events_page
from tabletape.events.vocabulary import games as vocabularies
from tabletape.projector.games import games


def pages(recordings: Path | None = None) -> dict[str, str]:
    """Return all pages, each by its file name below `docs/`; the same code gives the same text.

    `recordings` is the folder of the recorded games; the rules of a game then say how many of them keep and break each,
    and where `stories.toml` says what happens in them, there is a page with these stories.
    """
    found = {
        "reference/card-text.md": card_text_page(),
        "reference/commands.md": commands_page(),
        "reference/datasets.md": datasets_page(),
        "reference/events.md": events_page(),
        **{f"reference/events/{slug}.md": game_events_page(slug) for slug in vocabularies()},
        "reference/metrics.md": metrics_page(),
        "reference/python.md": python_page(),
        "games/README.md": games_page(),
    }
    for slug in games():
        recorded = recorded_rules(recordings, slug) if recordings else None
        found[f"games/{slug}.md"] = game_page(slug, recorded)
        if recorded and recorded.stories:
            found[f"games/{slug}-stories.md"] = stories_page(slug, recorded)
    return found
