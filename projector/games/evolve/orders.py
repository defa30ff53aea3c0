"""The order of abilities that happen at the same time, where no line says it: any that the log bears out.

At the start of a turn the player on turn chooses the order (L222.2), elsewhere no rule says it. A log need not say it
either, so the abilities happen in the order in which the cards entered play for as long as nothing speaks against it.
What is written down afterwards may show another order; what can only be right in another one is nobody's mistake.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, permutations
from typing import Any, Final

from tabletape.events.games import evolve as ev
from tabletape.events.vocabulary import Consequence
from tabletape.projector.fold.consequence_match import has_same_content
from tabletape.projector.games.evolve.changes import happens
from tabletape.projector.games.evolve.effects import carry_on, carry_out_in_order, go_on_after, in_order
from tabletape.projector.games.evolve.state import Doing, Evolve, Unordered
from tabletape.projector.kit.owed import OwedLine
from tabletape.projector.model import deciding
from tabletape.projector.model.phrases import as_ruled
from tabletape.projector.model.rules import Undecidable
from tabletape.projector.model.sentences import in_words

MAX_ORDERS: Final = 120
"""So many orders are tried: all of up to five cards."""
MAX_MOMENTS: Final = 12
"""So many moments whose order is open are looked back to."""
TOTALS: Final = frozenset({"dna", "mp", "energy"})
STATES: Final = frozenset({"stressed", "mutations", "host"})
NOTES: Final = frozenset({"unordered", "unsaid", "missed"})
"""What is noted of such a moment after it."""

Outcome = Mapping[tuple[int, str], tuple[Any, Any]]
"""What another order makes different: by thing and field what it is after the order taken, and after the other one."""


def is_order_allowed(table: Evolve, names: Sequence[str]) -> bool:
    """Return whether the abilities of the start of a turn may happen in an order (ruling `trigger_scope`)."""
    if table.options["trigger_scope"] == "current_player_orders_all":
        return True
    cards = [card for name in names if (card := table.find(name)) is not None]
    others = [card.controller != table.active for card in cards]
    return others == sorted(others)


def start_of_turn(table: Evolve) -> tuple[Doing, ...]:
    """Return the abilities of the start of the turn, in the order said, or that of arrival (ruling `trigger_scope`)."""
    doings = _abilities(table, table.watching if table.ordered is None else table.ordered, "begin")
    if len(doings) < 2 or table.ordered is not None or table.options["trigger_scope"] == "current_player_orders_all":
        return doings
    return tuple(sorted(doings, key=lambda doing: doing.player != table.active))


def end_of_turn(table: Evolve) -> tuple[Doing, ...]:
    """Return the abilities of the end of the turn, in the order of arrival."""
    return _abilities(table, table.watching, "end")


def _abilities(table: Evolve, names: Iterable[str], moment: str) -> tuple[Doing, ...]:
    """Return the abilities of cards for a moment of each turn, and for that of their own player."""
    abilities: list[Doing] = []
    for name in names:
        card = table.find(name)
        if card is not None and card.text is not None and moment in card.text.says.moments:
            for trigger in card.text.says.triggers:
                whose = trigger.when.removeprefix(moment)
                is_due = whose == ".each" or (whose == ".self" and card.controller == table.active)
                if is_due and card.in_play:
                    abilities.append(happens(card, trigger))
    return tuple(abilities)


def order_owed(table: Evolve) -> OwedLine:
    """Return what is due: the order of the abilities of the start of the turn has to be said (ruling)."""
    words = "says in which order the abilities of the start of the turn happen, which matters"
    words += as_ruled(table, "trigger_default_order")
    return OwedLine(line=ev.TriggersOrdered, player=table.active, rule="evolve.begin.trigger-order", words=words)


def other_orders(table: Evolve, run: Unordered) -> Iterator[tuple[str, ...]]:
    """Return the other orders of the cards of some moment in which their abilities may have happened."""
    orders = islice(permutations(run.cards), 1, MAX_ORDERS)
    return (order for order in orders if not run.at_start or is_order_allowed(table, order))


def take_order_shown(table: Evolve, event: Consequence) -> bool:
    """Take the order of the abilities that have just happened in which a consequence follows; return whether it does.

    What has been written down of these abilities before has to follow in that order too.
    """
    run = _just_happened(table)
    if run is None:
        return False
    written = _written_of(table, run)
    for cards in other_orders(table, run):
        left = _without(_made_in(table, run, cards)[0], written)
        if left is not None and any(type(each) is type(event) and has_same_content(event, each) for each in left):
            _go_back(table, run, cards, written)
            return True
    return False


def take_order_said(table: Evolve, cards: tuple[str, ...]) -> None:
    """Take the order of the abilities at the start of the turn that is said too late, just after they have happened."""
    run = _just_happened(table)
    if run is not None and run.at_start and {*run.cards} == {*cards}:
        written = _written_of(table, run)
        if _without(_made_in(table, run, cards)[0], written) is not None:
            _go_back(table, run, cards, written)


def _just_happened(table: Evolve) -> Unordered | None:
    """Return the abilities in an open order that have happened last, if nothing has come after them."""
    run = table.unordered[-1] if table.unordered else None
    return run if run and all(field in NOTES for _, field, _, _ in table.journal[run.after :]) else None


def _written_of(table: Evolve, run: Unordered) -> list[Consequence]:
    """Return what has been written down already of the abilities that have just happened."""
    open_still = [each.event for each in table.derived if each.mark >= run.before]
    return _without(_made_in(table, run, run.cards)[0], open_still) or []


def _without(events: Sequence[Consequence], taken: Sequence[Consequence]) -> list[Consequence] | None:
    """Return events without some of them, each once; None where one of those is not there."""
    left = list(events)
    for each in taken:
        if each not in left:
            return None
        left.remove(each)
    return left


def _go_back(table: Evolve, run: Unordered, cards: tuple[str, ...], written: Sequence[Consequence]) -> None:
    """Carry out the abilities again, in another order; what is written down already stays so."""
    unsaid, (_, applied) = table.unsaid, _made_in(table, run, run.cards)
    table.revert(run.before)
    table.set(table, "unsaid", unsaid)
    table.newly_applied = list((Counter(table.newly_applied) - Counter(applied)).elements())
    table.derived[:] = [each for each in table.derived if each.mark < run.before]
    carry_out_in_order(table, in_order(run.due, cards), at_start=run.at_start)
    for line in written:
        table.derived.remove(next(each for each in table.derived if each.event == line))


def _made_in(table: Evolve, run: Unordered, cards: tuple[str, ...]) -> tuple[list[Consequence], list[str]]:
    """Return what follows where the abilities happen in an order, and the rules that are applied then."""
    with deciding.back_at(table, run.before):
        carry_out_in_order(table, in_order(run.due, cards))
        return [each.event for each in table.derived], table.applied


def right_in_another_order(table: Evolve, is_right: Callable[[], bool]) -> Undecidable | None:
    """Return the doubt about a line that may be right after another order of some moment's abilities, if there is one.

    Whether it is, with all lines that have come since, the fold finds out.
    """
    if table.supposed or is_right():
        return None
    doubt: Undecidable | None = None
    for run in table.unordered[-MAX_MOMENTS:]:
        for cards, outcome in reversed(_outcomes(table, run)):
            with deciding.as_it_was(table, partial(_make, outcome=outcome)):
                if is_right():
                    doubt = _order_undecidable(table, run, cards, doubt)
    return doubt


def order_matters(table: Evolve) -> bool:
    """Return whether another order of the abilities that have just happened would have made another table."""
    run = table.unordered[-1] if table.unordered else None
    is_last = run is not None and run.at_start and len(table.journal) == run.after + 1
    return run is not None and is_last and any(_outcomes(table, run))


def _outcomes(table: Evolve, run: Unordered) -> list[tuple[tuple[str, ...], Outcome]]:
    """Return the orders of some moment's abilities that make another table than the one taken, and what they make."""
    outcomes: list[tuple[tuple[str, ...], Outcome]] = []
    with deciding.back_at(table, run.before):
        taken = _changed(table, run, run.cards)
        for cards in other_orders(table, run):
            other = _changed(table, run, cards)
            outcome = {
                key: (taken.get(key, now), other.get(key, now))
                for key in {**taken, **other}
                if (now := getattr(table.things[key[0]], key[1])) is not None
                and taken.get(key, now) != other.get(key, now)
            }
            if outcome and outcome not in [each for _, each in outcomes]:
                outcomes.append((cards, outcome))
    return outcomes


def _changed(table: Evolve, run: Unordered, cards: tuple[str, ...]) -> dict[tuple[int, str], Any]:
    """Return what abilities change in an order, as if the draws that they tell of had been made."""
    carry_out_in_order(table, in_order(run.due, cards))
    while (owed := table.owed) is not None:
        table.set(table, "owed", None)
        go_on_after(table, owed)
        carry_on(table)
    changes = table.undo(run.before)
    fields = TOTALS | STATES | {"zone"}
    return {
        (thing.n, field): after[0] if field == "zone" else after
        for thing, field, _, after in changes
        if field in fields
    }


def _make(table: Evolve, outcome: Outcome) -> None:
    """Make the table what it would be after another order, as far as nothing has changed it since."""
    for (number, field), (taken, other) in outcome.items():
        thing = table.things[number]
        if field in TOTALS:
            table.set(thing, field, max(getattr(thing, field) + other - taken, 0))
        elif getattr(thing, field) == taken and field == "zone":
            table.move(thing, other)
        elif getattr(thing, field) == taken:
            table.set(thing, field, other)


def _order_undecidable(
    table: Evolve, run: Unordered, cards: tuple[str, ...], or_else: Undecidable | None
) -> Undecidable:
    """Return, once a game, that a line is right if abilities that came at the same time happened in another order."""
    with deciding.back_at(table, run.before):
        turn = table.turn
    happened = f"abilities that came at the same time happened as {in_words(table, cards, '')}"
    message = f"the line is right only if {happened}, which nobody wrote down"
    return Undecidable(message, once=True, supposed=(turn, cards), or_else=or_else)
