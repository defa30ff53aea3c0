"""The legal decisions of a player, from what that player may see: the open cards, the own hand and the own list."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations, product
from typing import Any, Final

from events.games import splicers as ev
from events.names import unseen_cards
from events.vocabulary import Event
from projector.games.splicers.abilities import Active, Effect
from projector.games.splicers.rounds import settle
from projector.games.splicers.rules.choosing import possible
from projector.games.splicers.rules.rows import ROWS, close_window
from projector.games.splicers.rules.setup import STEPS
from projector.games.splicers.rules.splicing import are_tings, two_tings
from projector.games.splicers.rules.using import has_just_evolved, is_too_exhausted, tings_in_hand
from projector.games.splicers.selecting import lines_of, users_of
from projector.games.splicers.state import (
    ACTION,
    END,
    SETUP,
    Splicers,
    SplicersCard,
    actions_left,
    in_play,
    tings_and_seeds,
)
from projector.kit.common_rules import first_lacking
from projector.kit.legality import legal_among
from projector.kit.seating import zone_of
from projector.model.deciding import as_it_was

WHOLE_HAND: Final = 6
"""Up to so many hand cards every choice for a mulligan is offered; of more only none, each one, and all."""


def actors(table: Splicers) -> tuple[str, ...]:
    """Return the players who may decide something now."""
    if table.owed is not None:
        asked = table.owed.line in {ev.WillpowerAnswered, ev.TingReplaced}
        return (table.owed.player,) if asked else ()
    if table.phase == ACTION:
        return (table.active,)
    if table.phase == END:
        return tuple(card.owner for card in table.zones["event"].cards[:1])
    if table.phase == SETUP and first_lacking(table, STEPS) is None:
        order = sorted(table.players.values(), key=lambda player: player.id != table.first)
        return tuple(player.id for player in order if not player.mulliganed)[:1]
    return ()


def legal(table: Splicers, player: str) -> list[Event]:
    """Return the legal decisions of a player."""
    if player not in actors(table):
        return []
    if table.owed is not None:
        answers = table.owed.line is ev.WillpowerAnswered
        return list(_answers(table, player)) if answers else _replacements(table, player)
    if table.phase == SETUP:
        return list(_mulligans(table, player))
    if table.window:  # until the requirement of that ting is looked at only a mutation under it may come
        with as_it_was(table, close_window, settle):
            # With that moment the turn may end by itself (ruling).
            later = _actions(table, player) if table.active == player else [ev.TurnEnded(player=player)]
        under = (each for each in _mutations(table, player) if each.host == table.window)
        return [*later, *legal_among(ROWS, table, under)]
    return list(_reveals(table)) if table.phase == END else _actions(table, player)


def _hand(table: Splicers, player: str) -> list[SplicersCard]:
    """Return the hand cards that the log names."""
    return [card for card in zone_of(table, "hand", player).cards if card.text is not None]


# -- answers -----------------------------------------------------------------------------------------------------------


def _mulligans(table: Splicers, player: str) -> Iterator[Event]:
    unseen = zone_of(table, "hand", player).unseen
    names = [*(card.name for card in _hand(table, player)), *unseen_cards(player, unseen)]
    sizes = range(len(names) + 1) if len(names) <= WHOLE_HAND else (0, 1, len(names))
    for size in sizes:
        for returned in combinations(names, size):
            yield ev.MulliganTaken(player=player, returned=returned, count=size)


def _answers(table: Splicers, player: str) -> Iterator[Event]:
    """Return no answer, and every answer that shows no more tings than it has to."""
    yield ev.WillpowerAnswered(player=player, shown=())
    asked = table.find(table.owed.source) if table.owed is not None else None
    if asked is None or asked.text is None:
        return
    needed = (asked.text.dominance or 0) + (table.options["willpower_tie"] == "not_enough")
    tings = [card for card in _hand(table, player) if card.text.kind == "ting"]
    for size in range(1, len(tings) + 1):
        for shown in combinations(tings, size):
            values = [card.text.dominance or 0 for card in shown]
            if needed <= sum(values) < needed + min(values):
                yield ev.WillpowerAnswered(player=player, shown=tuple(card.name for card in shown))


def _replacements(table: Splicers, player: str) -> list[Event]:
    """Return each lower ting that may come in the place of one, or nothing where there is none."""
    old = table.owed.source if table.owed is not None else ""
    replace = partial(ev.TingReplaced, player=player, card=old)
    tings = [
        replace(replacement=card.name, from_=where)
        for where in ("deck", "discard")
        for card in zone_of(table, where, player).cards
        if card.text is not None and card.text.kind == "ting"
    ]
    return legal_among(ROWS, table, [*tings, replace(replacement=None)])


def _reveals(table: Splicers) -> Iterator[Event]:
    card = table.zones["event"].cards[0]
    effects = card.text.says.reveal if card.text is not None else ()
    choice = next((effect for effect in effects if effect.is_chosen), None)
    if choice is None:
        yield ev.EventRevealed(player=card.owner, card=card.name)
        return
    targets: list[str | None] = [*possible(table, card.owner, choice, card)]
    for target in targets or [None]:
        yield ev.EventRevealed(player=card.owner, card=card.name, target=target)


# -- actions -----------------------------------------------------------------------------------------------------------


def _actions(table: Splicers, player: str) -> list[Event]:
    hand = _hand(table, player)
    proposed = [*_from_hand(table, player, hand)]
    found = []
    if actions_left(table, player) > 0:
        proposed += _evolving(table, player, hand)
        found = [*_abilities(table, player), *legal_among(ROWS, table, _splices(table, player))]
    before_abilities = legal_among(ROWS, table, proposed)
    events = [ev.EventPlayed(player=player, card=card.name) for card in hand]
    others = [ev.TurnPassed(player=player), *_mutations(table, player), ev.TurnEnded(player=player)]
    return [*before_abilities, *found, *legal_among(ROWS, table, [*events, *others])]


def _mutations(table: Splicers, player: str) -> Iterator[ev.MutationPlayed]:
    for card, host in product(_hand(table, player), tings_and_seeds(table)):
        if card.text.kind == "mutation":
            yield ev.MutationPlayed(player=player, card=card.name, host=host.name)


def _from_hand(table: Splicers, player: str, hand: list[SplicersCard]) -> Iterator[Event]:
    """Yield seeds and jumpers at each biom, and upgrades of each ting."""
    tings = [card for card in table.zones[f"play:{player}"].cards if card.face_up and card.text is not None]
    may_be_seeds = actions_left(table, player) > 0
    for card in hand:
        keywords = card.text.says.keywords
        for place in table.row:
            if may_be_seeds:
                yield ev.SeedPlayed(player=player, card=card.name, biom=place)
            if "jumper" in keywords:
                yield ev.JumperPlayed(player=player, card=card.name, biom=place)
        if "upgrade" in keywords:
            for ting in tings:
                yield ev.TingUpgraded(player=player, card=card.name, discarded=ting.name)


def _evolving(table: Splicers, player: str, hand: list[SplicersCard]) -> Iterator[Event]:
    """Yield each own seed that is ready, alone or with a hand mutation."""
    mutations = [card.name for card in hand if card.text.kind == "mutation"]
    for card in table.zones[f"play:{player}"].cards:
        if not (card.face_up or card.exhausted or card.text is None) and card.text.kind == "ting":
            yield ev.TingEvolved(player=player, card=card.name)
            for mutation in mutations:
                yield ev.TingEvolved(player=player, card=card.name, mutations=(mutation,))


def _splices(table: Splicers, player: str) -> Iterator[Event]:
    """Yield each pair of ready cards with nothing found, and with each card that shares a gene with both."""
    deck = [card for card in zone_of(table, "deck", player).cards if card.text is not None]
    cards = table.zones[f"play:{player}"].cards
    for first, second in combinations([card for card in cards if not card.exhausted and card.text is not None], 2):
        splice = partial(ev.TingsSpliced, player=player, tings=(first.name, second.name))
        nothing = splice(found=None)
        if two_tings.check(table, nothing, [first, second]) or are_tings(table, [first, second]):
            continue  # whatever was found
        yield nothing
        one, other = set(first.text.genes), set(second.text.genes)
        for card in deck:
            if one.intersection(card.text.genes) and other.intersection(card.text.genes):
                yield splice(found=card.name)
                if table.options["splice_destination"] == "play_now":
                    for place in table.row:
                        yield splice(found=card.name, biom=place)


# -- abilities ---------------------------------------------------------------------------------------------------------


def _abilities(table: Splicers, player: str) -> Iterator[Event]:
    for card in table.cards.values():
        if card.face_up and card.text is not None and in_play(card) and player in users_of(table, card):
            for line in {each.line: each for each in lines_of(table, card)}.values():
                yield from _uses(table, player, card, line)


def _uses(table: Splicers, player: str, card: SplicersCard, line: Active) -> Iterator[Event]:
    """Return each legal use of an ability: every way to pay with every choice."""
    host = table.card(card.host) if card.host else card
    if is_too_exhausted(table, card, line) or has_just_evolved(table, card):
        return
    if (line.exhausts and (card.exhausted or host.exhausted)) or card.tokens < line.tokens:
        return
    ways = [_payments(table, player, card, line), *(_choices(table, player, card, each) for each in line.choosing)]
    for cost, *choices in product(*ways):
        fields: dict[str, Any] = dict(cost)
        for choice in choices:
            _add_choice(fields, choice)
        yield ev.AbilityUsed(player=player, card=card.name, ability=line.line, **fields)


def _add_choice(fields: dict[str, Any], choice: dict[str, Any]) -> None:
    """Put a choice into the fields of a line; where a target is named already the cards stand in `cards`."""
    more = choice.get("cards", ())
    if "target" in choice and "target" in fields:
        more = (choice["target"],) if choice["target"] is not None else ()
    else:
        fields.update({name: value for name, value in choice.items() if name != "cards"})
    if more or "cards" in choice:
        fields["cards"] = (*fields.get("cards", ()), *more)


def _payments(table: Splicers, player: str, card: SplicersCard, line: Active) -> list[dict[str, Any]]:
    """Return each way to pay what has to be chosen for the cost, as fields of the line."""
    hand = _hand(table, player)
    payments: list[dict[str, Any]] = [{}]
    if line.willpower:
        payments = [{"shown": ting.name} for ting in tings_in_hand(table, player)]
        if not payments and table.options["willpower_no_ting"] == "fails":
            payments = [{}]
    if line.roam:
        roam = Effect(verb="roam")
        payments = [{**each, "to": place} for each in payments for place in possible(table, player, roam, card)]
    if line.discard:
        names = [each.name for each in hand]
        payments = [{**each, "cards": some} for each in payments for some in combinations(names, line.discard)]
    if line.extinguish is not None:
        victims = possible(table, player, Effect(verb="extinguish", cards=line.extinguish), card)
        some = list(combinations(victims, line.extinguish.quantity))
        payments = [{**each, "cards": (*each.get("cards", ()), *names)} for each in payments for names in some]
    return payments


def _choices(table: Splicers, player: str, card: SplicersCard, effect: Effect) -> list[dict[str, Any]]:
    """Return each choice for an effect, as fields of the line; an empty list where it may not be used."""
    options = possible(table, player, effect, card)
    if not options and table.options["noop_ability"] == "forbidden":
        return []
    if effect.verb == "roam":
        return [{"to": place} for place in options] or [{"to": None}]
    number = effect.quantity
    if number > 1 or effect.verb in {"revive", "discard"}:
        sizes = range(1, number + 1) if effect.cards is not None and effect.cards.upto else [min(number, len(options))]
        return [{"cards": some} for size in sizes for some in combinations(options, size)]
    free = effect.verb == "hunt" or effect.may or not options
    return [*({"target": name} for name in options), *([{"target": None}] if free else [])]
