"""A game of which only what is its own has to be said: what most games do in the same way is added to it.

Those are the rules about who plays, the end, written consequences and totals that are read off; what a draw, a deck
list, a shown card and an abandoned game do; hands that are dealt; what is offered; and how the table is drawn.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import ModuleType
from typing import Any

from msgspec import UNSET

from tabletape.events.vocabulary import Decision, Event, Vocabulary, vocabulary_of
from tabletape.events.vocabulary.names import copies
from tabletape.events.vocabulary.open_games import zone_kinds_of
from tabletape.events.vocabulary.shared import (
    CardsDrawn,
    CardShown,
    DeckDeclared,
    GameAbandoned,
    GameDecided,
    GameEnded,
    GameStarted,
    PlayerConceded,
    Seat,
)
from tabletape.projector.kit.adopting import as_written
from tabletape.projector.kit.common_rules import nothing_after, out_of_game
from tabletape.projector.kit.consequence import Follows, consequences_of
from tabletape.projector.kit.ending import end
from tabletape.projector.kit.moves import Move, moves_of, play_of, rows_of
from tabletape.projector.kit.seating import ROLES, seat_players, zone_of
from tabletape.projector.model.cards import read_cards
from tabletape.projector.model.due import Due, draw_due
from tabletape.projector.model.game import BotHints, Drift, Game, Scoreboard, collect_rules
from tabletape.projector.model.legality import legal_among
from tabletape.projector.model.offering import MOST, fillings
from tabletape.projector.model.phrases import name_in_words, name_of
from tabletape.projector.model.rulebook import Rulebook, Ruleset, read_rulebook
from tabletape.projector.model.rules import Broken, Rule, Section
from tabletape.projector.model.table import NOWHERE, Table
from tabletape.projector.model.things import CardText, Player, Zone

DEAL = "deal"
"""The phase in which the opening hands are dealt."""

PLAY = "play"
"""The phase in which players decide."""

USUAL = (GameStarted, CardsDrawn, CardShown, GameAbandoned, GameDecided)
"""The event types that a game has without naming them; a line of the same name that it defines takes their place."""

NO_TURN = (DeckDeclared, GameAbandoned, PlayerConceded)
"""Decisions that are not those of a turn."""


def deck_of_all(table: Table[Any, Any]) -> None:
    """Lay all cards out as the deck of all, if there is one."""
    if (deck := table.zones.get("deck")) is not None:
        table.make_all(all_copies(table.library), deck)


def small_game(  # noqa: PLR0913 - what is a game's own
    package: str,
    *chapters: ModuleType,
    events: ModuleType,
    zones: Sequence[str],
    table: type[Table[Any, Any]],
    player: type[Player] = Player,
    text: type[CardText] = CardText,
    begins: Callable[[Any], object] = deck_of_all,
    hand: Callable[[Any], int] = lambda _table: 0,
    refill: str = "",
    due: Callable[[Any], Sequence[Due]] = lambda _table: (),
    settle: Callable[[Any], object] = lambda _table: None,
    value: Callable[[Any, str], float] = lambda _table, _player: 0.0,
    **own: Any,
) -> Game:
    """Return a game from what is its own.

    * `package` is the folder with `rulebook.toml` and `cards.toml`, called as the game. `chapters` declare rules and
      `MOVES`, `events` the event types that are its own.
    * `zones` are written as in the file of a game without rules: `deck hidden shared`, `hand own`, `hand others`.
    * `begins(table)` is done once everybody sits there; the usual one lays all cards out as the deck of all.
      `hand(table)` is how many cards each player is dealt, from the own deck or that of all, and by the rule `refill`
      draws up to again. `due(table)` are the lines of luck after that; nobody decides anything before they are written.
      `settle(table)` takes what follows by itself. `value(table, player)` is what bots try to raise.
    * `own` are fields of `Game`, which take the place of what is usual.

    Raises `CardError` and `ValueError` as `read_cards` and `collect_rules` do.
    """
    slug, rulebook = package.rpartition(".")[2], read_rulebook(package)
    words, moves = vocabulary_of(events, USUAL), moves_of(*chapters)
    usual, dealing = _Usual(slug, rulebook, chapters), _Dealing(hand, due, refill)
    played = {**_shared_play(words, usual), **dealing.played(play_of(moves))}
    rows = rows_of(moves)
    ended = tuple(kind for kind in words.types.values() if issubclass(kind, GameEnded))
    values: dict[str, Any] = {
        "slug": slug,
        "vocabulary": words,
        "rulebook": rulebook,
        "rules": collect_rules(rulebook, *chapters, usual.module),
        "rows": rows,
        "cards": read_cards(package, text),
        "opening": lambda seats, ruleset, library: _opening(table, player, zones, begins, (seats, ruleset, library)),
        "play": played,
        "before": dealing.before,
        "settle": dealing.settled(settle),
        "gate": lambda table, event: out_of_game(table, event, usual.seats, usual.end),
        "consequences": consequences_of(
            *chapters,
            also=(Follows(lines=ended, rule=usual.consequence, adopt=_as_written),),
            counted=usual.consequence,
            seats=usual.seats,
            end=usual.end,
            usual=Follows(rule=usual.consequence),
        ),
        "observe": lambda table, event: _observed(table, event, usual.observed),
        "actors": lambda table: () if table.over or not table.active or dealing.due(table) else (table.active,),
        "legal": lambda table, who: (
            legal_among(rows, table, _proposed(moves, table, who)) if table.active == who else []
        ),
        "due": dealing.due,
        "bots": BotHints(value),
        "scoreboard": Scoreboard(
            totals=lambda table, who: {name: getattr(table.players[who], name) for name in _counters(player)},
            total_names=_counters(player),
        ),
    }
    endings = tuple(dict.fromkeys((*own.pop("endings", ()), "abandoned")))
    return Game(**{**values, **own, "endings": endings})


def _proposed(moves: Iterable[Move], table: Any, player: str) -> Iterator[Event]:
    """Yield what a player might do: what a move offers, else every way to fill in its line."""
    for move in moves:
        if move.offers is not None:
            yield from move.offers(table, player)
        elif move.needs and issubclass(move.line, Decision) and not issubclass(move.line, NO_TURN):
            yield from islice(fillings(move.line, table, player), MOST)


def all_copies(library: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of all cards of one deck for all, with as many copies of each as its `copies` say."""
    return tuple(
        f"{card}#{number}" for card, text in library.items() for number in range(1, getattr(text, "copies", 1) + 1)
    )


def left_of(table: Table[Any, Any], player: str) -> str:
    """Return the player at the left of another one."""
    players = [*table.players]
    return players[(players.index(player) + 1) % len(players)]


# -- the table ---------------------------------------------------------------------------------------------------------


def _opening(
    kind: type[Table[Any, Any]],
    player: type[Player],
    zones: Sequence[str],
    begins: Callable[[Any], object],
    of: tuple[Sequence[Seat], Ruleset, Mapping[str, Any]],
) -> Table[Any, Any]:
    """Return the table before the first line, with everybody seated and the zones laid out."""
    seats, ruleset, library = of
    table: Any = kind(options=ruleset.options, library=library, turn=1, phase=DEAL)
    kinds = zone_kinds_of(zones)
    for seated in seat_players(table, seats, player):
        for each in kinds:
            if not each.shared:
                role = ROLES.get(each.name, "")
                table.add_zone(f"{each.name}:{seated.id}", owner=seated.id, role=role, seen_by=each.seen_by)
    for each in kinds:
        if each.shared:
            table.add_zone(each.name, role=ROLES.get(each.name, ""), seen_by=each.seen_by)
    table.set(table, "active", next(iter(table.players)))
    begins(table)
    opened: Table[Any, Any] = table
    return opened


def deck_of(table: Table[Any, Any], player: str) -> Zone:
    """Return the deck that a player draws from: the own one, or that of all."""
    own = zone_of(table, "deck", player)
    return table.zones.get("deck", own) if own.name == NOWHERE else own


class _Dealing:
    """The hands: due until they are dealt or full again, and filled unseen where the log goes on without that."""

    def __init__(self, hand: Callable[[Any], int], due: Callable[[Any], Sequence[Due]], refill: str) -> None:
        self._hand, self._due, self._refill = hand, due, refill

    def due(self, table: Any) -> Sequence[Due]:
        if table.over:
            return ()
        dealt = table.phase == DEAL
        missing = [*_missing(table, self._hand)] if dealt or self._refill else []
        if not missing:
            return self._due(table)
        rule = "" if dealt else self._refill
        return [
            draw_due(table, CardsDrawn, deck_of(table, who).name, number, rule, player=who) for who, number in missing
        ]

    def settled(self, settle: Callable[[Any], object]) -> Callable[[Any], None]:
        def settle_after_the_deal(table: Any) -> None:
            if table.phase == DEAL and not any(_missing(table, self._hand)):
                table.enter_phase(PLAY)
            if table.phase != DEAL and not table.over:
                settle(table)

        return settle_after_the_deal

    def before(self, table: Any, event: Event) -> None:
        """Deal what nobody wrote down, before the first decision of a player."""
        if table.phase != DEAL or not isinstance(event, Decision) or isinstance(event, NO_TURN):
            return
        self._fill(table)
        table.enter_phase(PLAY)

    def _fill(self, table: Any) -> None:
        for player, number in _missing(table, self._hand):
            table.draw((), number, deck_of(table, player), zone_of(table, "hand", player))

    def played(self, play: Mapping[type[Event], Callable[[Any, Any], object]]) -> dict[type[Event], Any]:
        """Return what lines do; a decision fills the hands first, where nobody wrote that they were filled."""

        def behind_the_draw(does: Callable[[Any, Any], object]) -> Callable[[Any, Any], object]:
            def fill_and_do(table: Any, event: Event) -> None:
                self._fill(table)
                does(table, event)

            return fill_and_do

        decides = {
            kind for kind in play if self._refill and issubclass(kind, Decision) and not issubclass(kind, NO_TURN)
        }
        return {kind: behind_the_draw(does) if kind in decides else does for kind, does in play.items()}


def _missing(table: Any, hand: Callable[[Any], int]) -> Iterator[tuple[str, int]]:
    """Yield who has fewer cards than a hand, and how many; after the deal as far as the deck has them."""
    number = hand(table)
    for player in table.players:
        missing = number - zone_of(table, "hand", player).size
        if table.phase != DEAL:
            missing = min(missing, deck_of(table, player).size)
        if missing > 0:
            yield player, missing


# -- the rules and lines that all games have ---------------------------------------------------------------------------


UNCITED = Section("")
"""The rules that a game has without a place in its rulebook."""


class _Usual:
    """The rules that every game has; one that the game declares itself, by the same id, takes the place of ours."""

    def __init__(self, slug: str, rulebook: Rulebook, chapters: Iterable[ModuleType]) -> None:
        known = {each.id: each for each in collect_rules(rulebook, *chapters)}
        self.module = ModuleType(f"{slug}.usual")

        def of(name: str, text: str, declared: Callable[..., Rule] = UNCITED.declare) -> Rule:
            usual_rule = known.get(f"{slug}.{name}")
            if usual_rule is None:
                usual_rule = declared(f"{slug}.{name}", "", text)
                setattr(self.module, name.replace(".", "_").replace("-", "_"), usual_rule)
            return usual_rule

        def ending(*said: str) -> Rule:
            return UNCITED.rule(*said)(nothing_after(GameEnded))

        self.seats = of("players.seated", "Only those who sit at the table play (implied).")
        self.end = of("end.nothing-after", "Nothing happens after the end (implied).", ending)
        self.abandoned = of("end.abandoned", "A game that the table stops has no winner (outside the rulebook).")
        self.consequence = of("state.consequence", "A written consequence is one that the rules derive.")
        self.observed = of("state.observed", "What is read off the table is what the log makes it.")


def _shared_play(words: Vocabulary, usual: _Usual) -> dict[type[Event], Callable[[Any, Any], object]]:
    """Return what lines do that many games share, as far as the vocabulary has them, beside `USUAL_PLAY`."""

    def abandoned(table: Any, _event: Event) -> None:
        if not table.over:
            table.update(table, over=True, reason="abandoned")
            table.applied.append(usual.abandoned.id)

    play: dict[Any, Callable[[Any, Any], object]]
    play = {DeckDeclared: _declared, CardsDrawn: drawn, GameAbandoned: abandoned}
    return {kind: does for kind in words.types.values() for shared, does in play.items() if issubclass(kind, shared)}


def _declared(table: Any, event: DeckDeclared) -> None:
    table.make_all(copies(event.player, event.cards), zone_of(table, "deck", event.player))


def drawn(table: Any, event: CardsDrawn) -> None:
    """Take cards from the own deck, or that of all, to the hand: by name, or by number where nobody wrote which."""
    hand = zone_of(table, "hand", event.player)
    table.draw(event.cards or (), event.count or 0, deck_of(table, event.player), hand)


def _as_written(table: Any, event: GameEnded, _expected: Any) -> None:
    """End the game as the table did."""
    with as_written(table, event):
        end(table, event, "")


def own_turn(table: Any, event: Any) -> Broken | None:
    """Return whether a line is one of the player on turn."""
    if event.player == table.active:
        return None
    active = name_of(table, table.active)
    return Broken(f"{name_of(table, event.player)} plays, but it is the turn of {active}", active)


def in_own_hand(table: Any, event: Any) -> Broken | None:
    """Return what is wrong where the card of a line cannot be of its player's hand; one that nobody has seen may be."""
    if table.may_be_in(event.card, zone_of(table, "hand", event.player)):
        return None
    return Broken(f"{name_in_words(table, event.card)} is not in the hand", "a card of the hand")


def drawn_up(hand: Callable[[Any], int]) -> Callable[[Any, Any], Broken | None]:
    """Return the test that nobody goes on while somebody has still to draw up to a hand."""

    def drawn_up_before(table: Any, _event: Event) -> Broken | None:
        who = next((name_of(table, player) for player, _ in _missing(table, hand)), "")
        return Broken(f"{who} goes on without a card", f"cards.drawn by {who}", "missing") if who else None

    return drawn_up_before


def _counters(player: type[Player]) -> tuple[str, ...]:
    """Return the numbers that a game counts for each player."""
    own = [name for name in player.__struct_fields__ if name not in Player.__struct_fields__]
    return tuple(name for name in own if isinstance(getattr(player(id="", name=""), name), int))


def _observed(table: Any, event: Any, of: Rule) -> Iterator[Drift]:
    """Yield what was read off beside what the fold has: a counter of the player or the table, or the size of a zone."""
    player = table.players.get(event.player) if event.player is not UNSET else None
    for name in type(event).__struct_fields__:
        seen = getattr(event, name)
        if name in Event.__struct_fields__ or name in {"player", "at"} or not isinstance(seen, int | float):
            continue
        zone = table.zones.get(f"{name}:{player.id}" if player is not None else name)
        whose = f"{player.name}'s " if player is not None else ""
        if zone is not None:
            change = partial(table.count, zone, "unseen", seen - zone.size)
            yield Drift(of, f"{whose}{name}", zone.size, seen, change)
            continue
        thing = player if player is not None and hasattr(player, name) else table
        if isinstance(folded := getattr(thing, name, None), int | float):
            what = f"{whose}{name}" if thing is player else name
            yield Drift(of, what, folded, seen, partial(table.set, thing, name, seen))
