"""The reference pages: what the code says about itself, as Markdown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from docs.generator.card_text import card_text_page
from docs.generator.columns import datasets_page
from docs.generator.commands import commands_page
from docs.generator.python import python_page
from docs.generator.questions import metrics_page
from docs.generator.recorded import recorded_rules, stories_page
from docs.generator.rulebooks import game_page, games_page
from docs.generator.vocabularies import events_page, game_events_page
from tabletape.events.vocabulary import games as vocabularies
from tabletape.projector.games import games

DOCS: Final = Path(__file__).resolve().parents[1]
RECORDINGS: Final = DOCS.parent / "tests" / "recordings"


def write_pages(folder: Path, found: Mapping[str, str]) -> list[str]:
    """Write each page that is not yet in a folder as the code writes it; return the names of those written."""
    written = []
    for name, text in found.items():
        file = folder / name
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
        written.append(name)
    return written


def pages() -> dict[str, str]:
    """Return all pages, each by its file name below `docs/`; the same code gives the same text.

    The rules of a game say how many of the recorded games keep and break each, and where `stories.toml` says what
    happens in them, there is a page with these stories.
    """
    found = {
        "generated/card-text.md": card_text_page(),
        "generated/commands.md": commands_page(),
        "generated/datasets.md": datasets_page(),
        "generated/events.md": events_page(),
        **{f"generated/events/{slug}.md": game_events_page(slug) for slug in vocabularies()},
        "generated/metrics.md": metrics_page(),
        "generated/python.md": python_page(),
        "generated/games/README.md": games_page(),
    }
    for slug in games():
        recorded = recorded_rules(RECORDINGS, slug)
        found[f"generated/games/{slug}.md"] = game_page(slug, recorded)
        if recorded.stories:
            found[f"generated/games/{slug}-stories.md"] = stories_page(slug, recorded)
    return found
