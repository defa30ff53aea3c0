"""What the verbs of the card texts do; an effect that needs a line of its own waits for it in `table.owed`."""

from typing import Final

import msgspec
from msgspec.structs import replace

from tabletape.events.games import splicers as ev
from tabletape.events.vocabulary import Event
from tabletape.projector.games.splicers import board, dominance
from tabletape.projector.games.splicers.abilities import Effect, verb
from tabletape.projector.games.splicers.selecting import candidates, holds, taken
from tabletape.projector.games.splicers.state import Doing, Owed, Splicers, SplicersCard, in_play
from tabletape.projector.kit.seating import zone_of

SHUFFLES: Final = {
    "splice": "shuffles the deck after the splice",
    "moulder": "shuffles the deck after what has mouldered",
    "diminish": "shuffles the deck after what diminish has done",
}
"""What a player does who owes a shuffle, by its reason."""
EFFECT: Final = "splicers.ability.effect"
DISCARDS: Final = {"extinguish": "splicers.kw.extinguish", "crunch": "splicers.kw.crunch"}
"""The rules by which cards of a biom are discarded, by the verb."""
MOVES_ON: Final = frozenset({"bounce", "crunch", "devolve", "diminish", "extinguish", "hunt", "moulder"})
"""Verbs that nothing can do to a biom or a splicer, whatever a log says."""


def carry_out(table: Splicers, doing: Doing, source: SplicersCard) -> None:
    """Carry effects of a card out, one after the other, or put them behind those that are still waiting."""
    if table.agenda or table.owed is not None:
        table.set(table, "agenda", (*table.agenda, doing))
    else:
        _carry_out_now(table, doing, source)


def next_effects(table: Splicers) -> None:
    """Carry out what stands first on the agenda."""
    doing = table.agenda[0]
    table.set(table, "agenda", table.agenda[1:])
    _carry_out_now(table, doing, table.card(doing.source))


def _carry_out_now(table: Splicers, doing: Doing, source: SplicersCard) -> None:
    """Carry effects out; those behind one that waits for a line stay first on the agenda."""
    choices = doing.choices
    number = 0
    for effect in doing.effects:
        number += 1
        if effect.condition is not None and not _condition_holds(table, doing, effect, source):
            continue
        mine: tuple[str, ...] = ()
        if effect.is_chosen and choices:
            later = doing.effects[number:]
            if later and any(each.is_chosen for each in later):
                used = taken(table, effect, choices, doing.player, source)
                mine, choices = choices[:used], choices[used:]
            else:
                mine, choices = choices, ()
        verb.does[effect.verb](table, Act(doing, source, effect, _meant(table, doing, effect, source, mine)))
        if table.owed is not None:
            left = doing.effects[number:]
            if left:
                table.set(table, "agenda", (replace(doing, effects=left, choices=choices), *table.agenda))
            return


def _condition_holds(table: Splicers, doing: Doing, effect: Effect, source: SplicersCard) -> bool:
    dominance.update_totals(table)
    if effect.condition is not None and effect.condition.what == "dominating":
        table.applied.append("splicers.kw.dominating")
    if holds(table, effect.condition, doing.player, source):
        return True
    table.set(table, "last_note", ("failed", doing.player))
    return False


def _meant(
    table: Splicers, doing: Doing, effect: Effect, source: SplicersCard, chosen: tuple[str, ...]
) -> list[SplicersCard]:
    """Return the cards that an effect is about."""
    if effect.is_chosen:
        cards = []
        for name in chosen:
            card = table.card(name)
            if not (effect.verb in MOVES_ON and _is_fixed(table, effect, card)):
                cards.append(card)
        return cards
    wanted = effect.cards
    if wanted is None:
        return []
    if wanted.noun in wanted.GIVEN:
        name = {"self": source.name, "host": source.host, "that": doing.that}[wanted.noun]
        return [table.card(name)] if name else []
    return candidates(table, wanted, doing.player, source)


def _is_fixed(table: Splicers, effect: Effect, card: SplicersCard) -> bool:
    """Return whether a card does not move: a biom in the row (unless it is bounced, by ruling), a splicer."""
    zone = card.zone.name
    if zone == "row":
        return effect.verb != "bounce" or table.options["bounce_scope"] == "in_play_no_bioms"
    return zone[:7] == "splicer"


# -- the verbs ---------------------------------------------------------------------------------------------------------


class Act(msgspec.Struct, frozen=True, gc=False):
    """An effect that is carried out now, on which cards, as a part of what is being done by the card `source`."""

    doing: Doing
    source: SplicersCard
    effect: Effect
    cards: list[SplicersCard]


@verb("probe {cards}")
def _probe(table: Splicers, act: Act) -> None:
    for card in act.cards:
        if act.doing.player not in card.known_to:
            table.set(card, "known_to", card.known_to | {act.doing.player})
        table.applied.append("splicers.kw.probe")


@verb("hunt")
def _hunt(table: Splicers, act: Act) -> None:
    hunter = act.source
    board.fire(table, "hunts", hunter)
    for card in act.cards:
        if card.face_up and card.place is not None:
            board.devolve(table, card, "hunt", "splicers.kw.hunt")
    if not act.cards:
        table.applied.append("splicers.kw.hunt-optional")


@verb("graze")
def _graze(table: Splicers, act: Act) -> None:
    for card in act.cards:
        board.exhaust(table, card, "splicers.kw.graze-target")
        _gain_actions(table, act.doing.player, 2, "splicers.kw.graze-gain")


@verb("harvest")
def _harvest(table: Splicers, act: Act) -> None:
    card = act.source
    tokens = card.tokens
    board.change_tokens(table, card, -tokens, "splicers.kw.harvest")
    _gain_actions(table, act.doing.player, tokens, "splicers.kw.harvest")


@verb("gain {n} [actions]")
def _gain(table: Splicers, act: Act) -> None:
    _gain_actions(table, act.doing.player, act.effect.n, EFFECT)


def _gain_actions(table: Splicers, player: str, count: int, rule: str) -> None:
    if count and player in table.players:
        add_actions(table, player, count)
        table.derive(ev.ActionsGained(player=player, count=count), rule)


def add_actions(table: Splicers, player: str, by: int) -> None:
    """Add actions to those of a player, or take some away, as far as there are any."""
    mine = table.players[player]
    table.count(mine, "actions", max(by, -mine.actions))


@verb("roam")
def _roam(table: Splicers, act: Act) -> None:
    card = act.source
    if card.host:
        card = table.card(card.host)
    if act.doing.to and card.place is not None:
        board.relocate(table, card, act.doing.to)
        if table.options["req_roam_both"] == "biom_only":
            board.forget_roaming(table, card)
            table.set(table, "roamed", (*table.roamed, (card.name, act.doing.to)))
        board.fire(table, "roams", card)


@verb("revive {n} [cards]")
def _revive(table: Splicers, act: Act) -> None:
    own = table.options["revive_pile"] == "any_to_own_hand"
    for card in act.cards:
        hand = zone_of(table, "hand", act.doing.player if own else card.owner)
        if card.zone is not hand:
            table.move(card, hand)
            table.update(card, face_up=False, known_to=table.everybody)


@verb("bounce {cards}")
def _bounce(table: Splicers, act: Act) -> None:
    for card in act.cards:
        if card.zone.name == "row":
            board.lift_biom(table, card)
        else:
            board.return_to_hand(table, card, "bounce", "splicers.kw.bounce")


@verb("devolve {cards}")
def _devolve(table: Splicers, act: Act) -> None:
    for card in act.cards:
        if card.face_up and card.place is not None:
            board.devolve(table, card, "ability", "splicers.kw.devolve")


@verb("extinguish {cards}", "crunch {cards}")
def _discard_from_play(table: Splicers, act: Act) -> None:
    word = act.effect.verb
    for card in act.cards:
        board.discard(table, card, word, DISCARDS[word])


@verb("dom {n:change} {cards or self}")
def _dom(table: Splicers, act: Act) -> None:
    for card in act.cards:
        board.change_dominance(table, card, act.effect.n)


@verb("token {n:change} {cards or self}")
def _token(table: Splicers, act: Act) -> None:
    rule = EFFECT if table.phase == "action" else "splicers.ability.passive-triggers"
    for card in act.cards:
        board.change_tokens(table, card, act.effect.n, rule)


@verb("exhaust {cards}")
def _exhaust(table: Splicers, act: Act) -> None:
    for card in act.cards:
        board.exhaust(table, card, EFFECT)


@verb("unexhaust {cards}")
def _unexhaust(table: Splicers, act: Act) -> None:
    for card in act.cards:
        board.turn_sideways(table, card, exhausted=False)


@verb("discard {n} [cards]")
def _discard(table: Splicers, act: Act) -> None:
    for card in act.cards:
        to_discard_pile(table, card)


def to_discard_pile(table: Splicers, card: SplicersCard) -> None:
    """Discard a card that is not in play."""
    table.move(card, zone_of(table, "discard", card.owner))
    if not card.face_up:
        table.set(card, "face_up", True)
    if card.known_to:
        table.set(card, "known_to", frozenset())


@verb("moulder {cards}")
def _moulder(table: Splicers, act: Act) -> None:
    everywhere = table.options["moulder_scope"] == "as_card_says"
    cards = [card for card in act.cards if everywhere or in_play(card)]
    by_actor = table.options["moulder_deck"] == "acting_players"
    for card in cards:
        board.moulder(table, card, act.doing.player if by_actor else card.owner)
    if cards:
        shuffles = act.doing.player if by_actor else cards[0].owner
        owe_shuffle(table, shuffles, "splicers.kw.moulder", "moulder")


def owe_shuffle(table: Splicers, player: str, rule: str, reason: str) -> None:
    """Owe that a player shuffles the own deck, because of a rule and after what."""
    owed = Owed(line=ev.DeckShuffled, player=player, rule=rule, words=SHUFFLES[reason], reason=reason)
    table.set(table, "owed", owed)


def come_to_pass(table: Splicers, line: type[Event], drawn: int = 0) -> None:
    """Note that the owed line has come; of a draw some cards may be left for another line."""
    owed = table.owed
    if owed is not None and owed.line is line:
        left = min(owed.count - drawn, zone_of(table, "deck", owed.player).size) if drawn > 0 else 0
        table.set(table, "owed", replace(owed, count=left) if left > 0 else None)


@verb("draw {n} [cards]")
def _draw(table: Splicers, act: Act) -> None:
    count = min(act.effect.n, zone_of(table, "deck", act.doing.player).size)
    if count < act.effect.n and table.options["deck_out_scope"] == "any_draw":
        table.set(table, "last_round", True)
    if count > 0:
        player, source = act.doing.player, act.source.name
        owed = Owed(line=ev.CardsDrawn, player=player, rule=EFFECT, reason="ability", count=count, source=source)
        table.set(table, "owed", owed)


def draw_of_other_first(table: Splicers, player: str, number: int) -> None:
    """Put the draw of another player first that is due at the same moment (ruling `simultaneous_triggers`)."""
    owed = table.owed
    if owed is None or owed.line is not ev.CardsDrawn or (owed.player, owed.count) == (player, number):
        return
    if table.options["simultaneous_triggers"] == "first_players_first":
        return
    for place, doing in enumerate(table.agenda):
        effect = doing.effects[0]
        if doing.player == player and effect.verb == "draw" and effect.n == number:
            later = Doing(owed.player, owed.source, (Effect(verb="draw", n=owed.count),))
            agenda = [*table.agenda[:place], *table.agenda[place + 1 :]]
            table.update(table, agenda=(doing, later, *agenda), owed=None)
            next_effects(table)
            return


@verb("diminish {cards}")
def _diminish(table: Splicers, act: Act) -> None:
    for card in act.cards[:1]:
        words, rule = "replaces {source}", "splicers.kw.diminish-search"
        owed = Owed(line=ev.TingReplaced, player=card.owner, rule=rule, words=words, source=card.name)
        table.set(table, "owed", owed)
