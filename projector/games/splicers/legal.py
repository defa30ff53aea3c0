"""The legal decisions of a player, from what that player may see: the open cards, the own hand and the own list."""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any, Final

from events.games import splicers as ev
from events.names import unseen_cards
from events.vocabulary import Event
from projector.games.splicers.abilities import Active, Effect
from projector.games.splicers.acting import entry_cost, evolve_cost
from projector.games.splicers.dominance import lacks
from projector.games.splicers.rounds import settle
from projector.games.splicers.rules.choosing import possible
from projector.games.splicers.rules.evolving import is_new
from projector.games.splicers.rules.rows import close_window
from projector.games.splicers.rules.setup import STEPS
from projector.games.splicers.rules.splicing import has_gene_for_each, may_take_nothing
from projector.games.splicers.rules.turns import may_skip, passes_late
from projector.games.splicers.rules.using import has_just_evolved, is_too_exhausted, tings_in_hand
from projector.games.splicers.selecting import genes_of, lines_of, to_be_lower_than, users_of
from projector.games.splicers.state import (
    ACTION,
    END,
    SETUP,
    Splicers,
    SplicersCard,
    SplicersText,
    actions_left,
    in_play,
    tings_and_seeds,
)
from projector.kit.common_rules import first_lacking
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
        return list(_answers(table, player) if answers else _replacements(table, player))
    if table.phase == SETUP:
        return list(_mulligans(table, player))
    if table.window:  # until the requirement of that ting is looked at only a mutation under it may come
        with as_it_was(table, close_window, settle):
            later = list(_after_window(table, player))
        return [*later, *(each for each in _mutations(table, player) if each.host == table.window)]
    return list(_reveals(table) if table.phase == END else _actions(table, player))


def _after_window(table: Splicers, player: str) -> Iterable[Event]:
    """Return the decisions once the moment for a mutation is over, with which the turn may end by itself (ruling)."""
    return _actions(table, player) if table.active == player else (ev.TurnEnded(player=player),)


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
    asked = table.find(table.owed.card) if table.owed is not None else None
    if asked is None or asked.text is None:
        return
    needed = (asked.text.dominance or 0) + (table.options["willpower_tie"] == "not_enough")
    tings = [card for card in _hand(table, player) if card.text.kind == "ting"]
    for size in range(1, len(tings) + 1):
        for shown in combinations(tings, size):
            values = [card.text.dominance or 0 for card in shown]
            if needed <= sum(values) < needed + min(values):
                yield ev.WillpowerAnswered(player=player, shown=tuple(card.name for card in shown))


def _replacements(table: Splicers, player: str) -> Iterator[Event]:
    old = table.card(table.owed.card) if table.owed is not None else None
    if old is None or old.text is None:
        return
    below = to_be_lower_than(table, old.name) or 0
    lower = [
        ev.TingReplaced(player=player, card=old.name, replacement=card.name, from_=where)
        for where in ("deck", "discard")
        for card in zone_of(table, where, player).cards
        if card.text is not None
        and card.text.kind == "ting"
        and (card.text.dominance or 0) < below
        and _may_enter_face_up(table, card.text)
    ]
    yield from lower
    if not lower or table.options["diminish_search_hidden"] == "always_allowed":
        yield ev.TingReplaced(player=player, card=old.name, replacement=None)


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


def _actions(table: Splicers, player: str) -> Iterator[Event]:
    hand = _hand(table, player)
    actions = actions_left(table, player)
    yield from _from_hand(table, player, hand, actions)
    if actions > 0:
        yield from _evolving(table, player, hand, actions)
        yield from _abilities(table, player)
        yield from _splices(table, player)
        if _may_play_event(table, player):
            yield from (ev.EventPlayed(player=player, card=card.name) for card in hand if _may_be_event(table, card))
    if table.last_note[0] == "found" and actions <= 0 and _may_play_event(table, player):
        yield ev.EventPlayed(player=player, card=table.last_note[1])
    if (actions > 0 or table.options["pass_cost"] == "free") and not passes_late(table):  # noqa: S105 - a ruling
        yield ev.TurnPassed(player=player)
    if table.has_acted or table.options["mutation_timing"] == "any_time":
        yield from _mutations(table, player)
    if table.has_acted or may_skip(table):
        yield ev.TurnEnded(player=player)


def _mutations(table: Splicers, player: str) -> Iterator[ev.MutationPlayed]:
    for card, host in product(_hand(table, player), tings_and_seeds(table)):
        if card.text.kind == "mutation" and _may_host(table, host, player):
            yield ev.MutationPlayed(player=player, card=card.name, host=host.name)


def _may_play_event(table: Splicers, player: str) -> bool:
    """Return whether an event may be played now: the first of the round, by ruling as first action or before a pass."""
    if table.event_by or (table.has_acted and table.options["event_after_actions"] == "forbidden"):
        return False
    return table.passed_first in {"", player} or table.options["event_after_pass"] == "allowed"  # noqa: S105 - a ruling


def _may_be_event(table: Splicers, card: SplicersCard) -> bool:
    return card.text is not None and (card.text.kind == "event" or table.options["event_bluff"] == "allowed")


def _may_host(table: Splicers, host: SplicersCard, player: str) -> bool:
    if host.mutations and table.options["mutation_limit"] == "one_per_host":
        return False
    if host.face_up or table.options["mutation_host_facedown"] == "allowed":
        return True
    return table.options["evolve_mutation_timing"] == "on_seed_first" and host.owner == player


def _from_hand(table: Splicers, player: str, hand: list[SplicersCard], actions: int) -> Iterator[Event]:
    """Return seeds and jumpers at each biom, and upgrades of each matching ting."""
    may_enter = actions >= entry_cost(table) and table.options["abilities_outside_play"] == "keyword_exceptions"
    if not (actions > 0 or may_enter):
        return
    own = table.options["seed_biom"] == "own_bioms"
    bioms = [place for place in table.row if not own or table.cards[table.bioms[place]].owner == player]
    tings = [card for card in table.zones[f"play:{player}"].cards if card.face_up and card.text is not None]
    for card in hand:
        keywords = card.text.says.keywords if may_enter and _may_enter_face_up(table, card.text) else ()
        for place in bioms:
            if actions > 0:
                yield ev.SeedPlayed(player=player, card=card.name, biom=place)
            if "jumper" in keywords and _may_come_to(table, card.text, place):
                yield ev.JumperPlayed(player=player, card=card.name, biom=place)
        if "upgrade" in keywords:
            for ting in tings:
                if _same_genes(table, ting, card.text) and _may_come_to(table, card.text, ting.place or ""):
                    yield ev.TingUpgraded(player=player, card=card.name, discarded=ting.name)


def _may_enter_face_up(table: Splicers, text: SplicersText) -> bool:
    """Return whether a card may enter without evolving, as an abomination may not by ruling."""
    return "abomination" not in text.says.keywords or table.options["abomination_entry"] == "other_ways_allowed"


def _may_come_to(table: Splicers, text: SplicersText, place: str) -> bool:
    """Return whether a card may enter face up at a biom (ruling `req_on_entry`)."""
    return table.options["req_on_entry"] == "devolves" or not lacks(table, text, frozenset(text.genes), place)


def _same_genes(table: Splicers, old: SplicersCard, new: SplicersText) -> bool:
    ruling = table.options["upgrade_genes"]
    genes = frozenset(old.text.genes) if ruling == "printed_only" else genes_of(table, old)
    return genes == frozenset(new.genes) and (bool(genes) or ruling == "empty_matches")


def _evolving(table: Splicers, player: str, hand: list[SplicersCard], actions: int) -> Iterator[Event]:
    """Return each own seed that may evolve, alone or with a hand mutation."""
    mutations = [card for card in hand if card.text.kind == "mutation"]
    works = table.options["abilities_outside_play"] == "keyword_exceptions"
    for card in table.zones[f"play:{player}"].cards:
        text = card.text
        if card.face_up or card.exhausted or text is None or text.kind != "ting" or evolve_cost(table, text) > actions:
            continue
        if is_new(table, card):
            continue
        if works and "abomination" in text.says.keywords:
            continue
        if _may_stay(table, card, ()):
            yield ev.TingEvolved(player=player, card=card.name)
        for mutation in mutations if _may_host(table, card, player) or not card.mutations else ():
            if _may_stay(table, card, mutation.text.genes):
                yield ev.TingEvolved(player=player, card=card.name, mutations=(mutation.name,))


def _may_stay(table: Splicers, card: SplicersCard, more: Iterable[str]) -> bool:
    """Return whether a seed may evolve where it lies (ruling `evolve_unmet_req`)."""
    if table.options["evolve_unmet_req"] == "devolves" or card.text is None:
        return True
    genes = genes_of(table, card)
    if table.options["mutation_genes_req"] == "count":
        genes |= frozenset(more)
    return not lacks(table, card.text, genes, str(card.place))


def _splices(table: Splicers, player: str) -> Iterator[Event]:
    seeds_too = table.options["splice_seeds"] == "allowed"
    anywhere = table.options["splice_same_biom"] == "any_bioms"
    deck = [card for card in zone_of(table, "deck", player).cards if card.text is not None]
    ready = [
        card
        for card in table.zones[f"play:{player}"].cards
        if not card.exhausted and card.text is not None and (card.face_up or seeds_too)
    ]
    for first, second in combinations(ready, 2):
        if not (anywhere or first.place == second.place):
            continue
        if table.options["splice_geneless"] == "forbidden" and not (first.text.genes and second.text.genes):
            continue
        pair = (first.name, second.name)
        if may_take_nothing(table, player, [first, second]):
            yield ev.TingsSpliced(player=player, tings=pair, found=None)
        one, other = set(first.text.genes), set(second.text.genes)
        for card in deck:
            matches = one.intersection(card.text.genes) and other.intersection(card.text.genes)
            if matches and has_gene_for_each(table, card.text, [first.text, second.text]):
                yield ev.TingsSpliced(player=player, tings=pair, found=card.name)
                if card.text.kind == "ting" and table.options["splice_destination"] == "play_now":
                    for place in table.row:
                        yield ev.TingsSpliced(player=player, tings=pair, found=card.name, biom=place)


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
