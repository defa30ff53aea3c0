"""The rules of Higher."""

from collections.abc import Iterable

from tabletape.events.games.higher import CardPlayed, StateObserved
from tabletape.events.vocabulary import Consequence, Event
from tabletape.projector.games.higher.state import Higher
from tabletape.projector.model.game import Drift, RuleVerdict
from tabletape.projector.model.rules import Broken, Section, Undecidable, Verdict, stop

TURNS = Section("Turns")
END = Section("End")
UNCITED = Section("")


@TURNS.rule("higher.turn.alternate", "L2", "Players play in turn.")
def alternate(table: Higher, event: CardPlayed) -> Verdict:
    """The player must be the one on turn."""
    return None if event.player == table.active else f"it is {table.active}'s turn"


@TURNS.rule("higher.card.from-hand", "L2.2", "A card is played from the hand.")
def from_hand(table: Higher, event: CardPlayed) -> Verdict:
    """The card must be able to lie in the hand."""
    if table.may_be_in(event.card, table.zones[f"{event.player}/hand"]):
        return None
    return Broken(f"{event.card} is not in the hand", "a hand card")


@TURNS.rule("higher.card.no-one", "L2.3", "The One may not be played.", editions=("second",))
def no_one(table: Higher, event: CardPlayed) -> Verdict:
    """The One stays in the hand; a card that nobody has seen is judged when it is shown."""
    card = table.find(event.card)
    text = card.text if card else None
    if text is None:
        return Undecidable(
            "the card is unknown", event.card, lambda text: "it was the One" if text.value == 1 else None
        )
    return "the One was played" if text.value == 1 else None


@END.rule("higher.end.nothing-after", "L4.1", "Nothing happens after the end.")
def nothing_after(table: Higher, _event: Event) -> Verdict:
    """The game must not be over."""
    return "the game is over" if table.over else None


@END.rule("higher.end.two-tricks", "L4.2", "Two tricks win.")
def two_tricks(_table: Higher, _event: Event) -> Verdict:
    """Only the fold decides when somebody has two tricks."""
    return "nobody has two tricks"


@UNCITED.rule("higher.state.consequence", "", "A written consequence is one that the rules derive.")
def consequence(_table: Higher, event: Consequence) -> Verdict:
    """Only a consequence that differs from the derived one arrives here."""
    return f"the rules do not make this of it: {event}"


@UNCITED.rule("higher.state.observed", "", "What is read off the table is what the log makes it.")
def observed(_table: Higher, _event: StateObserved) -> Verdict:
    """Differences are found by `observe`."""
    return None


def gate(table: Higher, event: Event) -> RuleVerdict | None:
    """Return the broken rule for any event after the end."""
    verdict = nothing_after(table, event)
    return RuleVerdict(nothing_after, verdict) if verdict else None


def explain_mismatch(table: Higher, event: Consequence, _expected: Consequence | None) -> RuleVerdict:
    """Return the one rule that every difference breaks."""
    return RuleVerdict(consequence, consequence(table, event))


def observe(table: Higher, event: StateObserved) -> Iterable[Drift]:
    """Yield a drift where the observed tricks of a player differ from the log's."""
    player = table.players[str(event.player)]
    if player.tricks != event.tricks:
        yield Drift(observed, "tricks", player.tricks, event.tricks, lambda: table.set(player, "tricks", event.tricks))


ROWS = {CardPlayed: (stop(alternate), from_hand, no_one)}
