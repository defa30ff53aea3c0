"""What the folder of a game says of it by itself: its name, rulebook and rules, event types, cards, and its looks."""

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from tabletape.events.vocabulary import vocabulary
from tabletape.projector.model.cards import AnyText, read_cards
from tabletape.projector.model.game import Scoreboard, collect_rules
from tabletape.projector.model.rulebook import read_rulebook
from tabletape.projector.model.rules import Rule


def packaged(
    package: str,
    text: type[AnyText],
    check: Callable[[AnyText], object],
    *modules: ModuleType,
    makes: tuple[str, ...] = (),
    keywords: Callable[[Any], Iterable[str]] = lambda _text: (),
) -> dict[str, Any]:
    """Return the fields of a `Game` that follow from its package, which is called as the game: `__name__`.

    `text` is what is printed on a card, `check` raises `ValueError` for a card that cannot be, and `modules` declare
    the rules; for `makes` and `keywords` see `Cards`. Raises `CardError` and `ValueError` as `read_cards` and
    `collect_rules` do.
    """
    slug, rulebook = package.rpartition(".")[2], read_rulebook(package)
    return {
        "slug": slug,
        "vocabulary": vocabulary(slug),
        "rulebook": rulebook,
        "rules": collect_rules(rulebook, *modules),
        "cards": read_cards(package, text, check, makes=makes, keywords=keywords),
    }


def looked_at(view: ModuleType, *dimensions: str, **also: Any) -> dict[str, Any]:
    """Return the fields of a `Game` that follow from what one of its modules makes of a table for whoever looks at it.

    `dimensions` are the columns of a seat, `also` what else the scoreboard has. A column is a field of the player.
    `TOTALS` has what gives a total of the table and a player, by its name. The module may have functions of its own.
    """

    def totals(table: Any, player: str) -> dict[str, int]:
        mine = table.players[player]
        return {name: value(table, mine) for name, value in view.TOTALS.items()}

    def columns(table: Any, player: str) -> dict[str, str]:
        return {name: getattr(table.players[player], name) for name in dimensions}

    board = Scoreboard(
        progress=view.progress,
        totals=getattr(view, "totals", totals),
        dimensions=getattr(view, "dimensions", columns),
        total_names=tuple(view.TOTALS),
        dimension_names=dimensions,
        **also,
    )
    return {"observe": view.observe, "scoreboard": board, "areas": view.areas}


def rules_by_id(package: str, *modules: ModuleType) -> Mapping[str, Rule]:
    """Return the rules that modules declare and those that stand in the rulebook of a package, by their ids."""
    return {rule.id: rule for rule in collect_rules(read_rulebook(package), *modules)}
