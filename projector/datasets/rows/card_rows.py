"""The rows of the dataset `cards`: what became of every card of every player."""

from collections import Counter
from collections.abc import Iterator

from tabletape.projector.datasets.columns import OWN_SCHEMAS
from tabletape.projector.datasets.rows.card_history import CardHistory, by_card
from tabletape.projector.datasets.rows.choices import OpenChoices
from tabletape.projector.datasets.rows.game_context import GameContext, Row


def card_rows(context: GameContext) -> Iterator[Row]:
    """Return a row for every card of every player."""
    library = context.replay.library
    listed = {copy.player for copy in context.hands.copies.values() if copy.in_deck}
    ends: dict[str, Row] = {}
    for (player, card), copies in by_card(context.hands):
        if player not in ends:
            won = context.decisive and player == context.winner
            ends[player] = won, context.decisive, context.over, context.hand_known(player)
        printed = library.get(card)
        histories = [copy for _, copy in copies]
        yield (
            player,
            card,
            printed.name if printed else card,
            printed.kind if printed else None,
            *ends[player],
            *_usage(histories, listed=player in listed),
            *_dead(context.choices, copies),
            min((copy.first_turn for copy in histories if copy.first_turn is not None), default=None),
            sum([copy.turns for copy in histories]),
            sum([copy.stays for copy in histories]),
            _first_played(context, player, copies),
        )


def _first_played(context: GameContext, player: str, copies: list[tuple[str, CardHistory]]) -> int | None:
    """Return the number of the player's own turn, from 1, in which a copy was first played; None where none was."""
    turn = min((copy.first_played for _, copy in copies if copy.first_played is not None), default=None)
    if turn is None:
        return None
    return sum(each.player in {player, ""} and each.number <= turn for each in context.timeline.turns) or 1


def _usage(copies: list[CardHistory], *, listed: bool) -> Row:
    """Return the counts of the journal: copies … left in hand."""
    in_deck, *others = map(sum, zip(*map(_uses, copies), strict=True))
    return in_deck if listed else None, *others


def _uses(copy: CardHistory) -> tuple[int, ...]:
    """Return the counts of one copy, in the order of the columns."""
    return (
        copy.in_deck,
        copy.appeared,
        copy.opening,
        copy.mulliganed,
        copy.drawn,
        copy.stays > 0,
        copy.played,
        copy.discarded,
        copy.put_back,
        copy.is_left,
    )


def _dead(choices: OpenChoices | None, copies: list[tuple[str, CardHistory]]) -> Row:
    """Return the copies that never did anything, those of them that were discarded, and what `choices` knows of why."""
    dead = {name: copy for name, copy in copies if copy.is_dead}
    discarded = {name for name, copy in dead.items() if not copy.is_left}
    if choices is None:
        return len(dead), len(discarded), None, None, None, None
    late = dead.keys() - choices.held
    never = dead.keys() - choices.playable - late
    against: Counter[str] = sum((choices.blocked.get(name, Counter()) for name in sorted(never)), Counter())
    rule = against.most_common(1)[0][0] if against else None
    playable = sum(copy.stays > 0 and name in choices.playable for name, copy in copies)
    return len(dead), len(discarded - never - late), playable, len(never), len(late), rule


def result_card_rows(context: GameContext) -> Iterator[Row]:
    """Return a row for every card that a result says was played; what became of it otherwise is not known."""
    library = context.replay.library
    result = context.result
    for player, cards in (result.cards if result else {}).items():
        for card, played in sorted(Counter(cards).items()):
            printed = library.get(card)
            known = {
                "player": player,
                "card": card,
                "card_name": printed.name if printed else card,
                "kind": printed.kind if printed else None,
                "won": context.decisive and player == context.winner,
                "decisive": context.decisive,
                "over": context.over,
                "hand_known": False,
                "played": played,
            }
            yield tuple(known.get(name) for name in OWN_SCHEMAS["cards"].names)
