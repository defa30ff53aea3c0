"""What abilities, splicing and revealed events do: they pay costs and put effects on the agenda."""

from msgspec import UNSET

from events.games import splicers as ev
from projector.games.splicers import board, rounds, triggers, turns
from projector.games.splicers.abilities import Active
from projector.games.splicers.acting import act, came_evolved, go_on_without, see_far
from projector.games.splicers.effects import carry_out, owe_shuffle, to_discard_pile
from projector.games.splicers.selecting import active_line, answer_suffices, has_keyword, lines_of, printed
from projector.games.splicers.state import Doing, Owed, Splicers, SplicersCard, tings_and_seeds
from projector.kit.seating import zone_of


def ability_used(table: Splicers, event: ev.AbilityUsed) -> None:
    """Pay the cost of an ability and put its effects on the agenda, or wait for the answer to willpower."""
    act(table, event.player, 1)
    card = table.card(event.card)
    where = card.zone.name
    if where not in table.sides and where[:7] == "splicer":
        table.applied.append("splicers.splicer.always-in-play")
    line = active_line(table, card, event.ability)
    if line is None:
        return
    if line.exhausts:
        if card.host:
            board.exhaust(table, table.card(card.host), "splicers.mutation.exhaust-cost-both")
        else:
            board.exhaust(table, card, "splicers.exhaust.at-symbol")
    choices = () if event.cards is UNSET else event.cards
    if line.costs_more:
        _pay(table, event, card, line)
        choices = choices[line.cards_paid :]
    if isinstance(event.target, str):
        choices = (event.target, *choices)
    to = event.to if isinstance(event.to, str) else ""
    doing = Doing(event.player, card.name, line.effects, choices, to)
    if line.willpower:
        if isinstance(event.shown, str) or table.options["willpower_no_ting"] == "illegal":
            _ask_opponent(table, event, doing)
    else:
        carry_out(table, doing, card)


def _ask_opponent(table: Splicers, event: ev.AbilityUsed, doing: Doing) -> None:
    """Show a ting, and let the effects wait for the opponent's answer."""
    if isinstance(event.shown, str):
        shown = table.take(event.shown, zone_of(table, "hand", event.player))
        table.set(shown, "known_to", table.everybody)
    owed = Owed(
        line=ev.WillpowerAnswered,
        player=table.players[event.player].opponent,
        rule="splicers.kw.willpower-answer",
        words="answers willpower",
        source=event.shown if isinstance(event.shown, str) else "",
    )
    table.set(table, "owed", owed)
    table.set(table, "agenda", (doing, *table.agenda))


def _pay(table: Splicers, event: ev.AbilityUsed, card: SplicersCard, line: Active) -> None:
    """Pay what else is printed before the colon."""
    listed = () if event.cards is UNSET else event.cards
    if line.tokens:
        board.change_tokens(table, card, -min(line.tokens, card.tokens), "splicers.ability.cost-paid")
    if line.roam and isinstance(event.to, str):
        board.relocate(table, card, event.to)
    for name in listed[: line.discard]:
        to_discard_pile(table, table.take(name, zone_of(table, "hand", event.player)))
    for name in listed[line.discard : line.cards_paid]:
        board.discard(table, table.card(name), "extinguish", "splicers.kw.extinguish")


def willpower_answered(table: Splicers, event: ev.WillpowerAnswered) -> None:
    """Show the answer; where the opponent shows something the table has let the effect be."""
    for name in event.shown:
        card = table.take(name, zone_of(table, "hand", event.player))
        table.set(card, "known_to", table.everybody)
    if table.options["willpower_cards_after"] == "discarded" and table.owed is not None:
        for name in (*event.shown, *filter(None, (table.owed.source,))):
            to_discard_pile(table, table.card(name))
    note = "answered" if _may_suffice(table, event) else "answered in vain"
    if table.owed is not None and table.owed.line is ev.WillpowerAnswered:
        table.set(table, "owed", None)
        table.applied.append("splicers.kw.willpower-effect")
        if event.shown:
            if table.options["willpower_lost"] == "refunded":
                _refund(table, table.agenda[0])
            table.update(table, agenda=table.agenda[1:], last_note=(note, event.player))


def _refund(table: Splicers, doing: Doing) -> None:
    """Refund the cost of an ability that willpower has stopped: the card is unexhausted, its tokens come back."""
    card = table.card(doing.source)
    line = next((line for line in lines_of(table, card) if line.effects == doing.effects), None)
    if line is None:
        return
    if line.exhausts:
        board.turn_sideways(table, table.card(card.host) if card.host else card, exhausted=False)
    board.change_tokens(table, card, line.tokens, "splicers.ability.cost-paid")


def _may_suffice(table: Splicers, event: ev.WillpowerAnswered) -> bool:
    """Return whether an answer is enough, as far as the log names what is shown."""
    asked = printed(table, table.owed.source) if table.owed is not None else None
    answer = [printed(table, name) for name in event.shown]
    return asked is None or None in answer or answer_suffices(table, sum(each or 0 for each in answer), asked)


def tings_spliced(table: Splicers, event: ev.TingsSpliced) -> None:
    """Exhaust two tings and take the found card into the hand; the deck has to be shuffled next."""
    act(table, event.player, 1)
    for name in event.tings:
        board.exhaust(table, table.card(name), "splicers.splice.exhausts")
    player = table.players[event.player]
    deck, hand = table.zones[player.draws_from], table.zones[player.hand]
    if isinstance(event.found, str):
        card = table.take(event.found, deck)
        table.move(card, hand)
        _take_found(table, event, card)
    elif event.count is not UNSET and event.count:
        table.draw((), event.count, deck, hand)
    else:
        table.applied.append("splicers.splice.optional-take")
    owe_shuffle(table, event.player, "splicers.splice.shuffle", "splice")


def _take_found(table: Splicers, event: ev.TingsSpliced, card: SplicersCard) -> None:
    """Keep a found card in the hand, or play it at once where the table does so (ruling `splice_destination`)."""
    if isinstance(event.biom, str) and not table.keeps_found:
        board.enter(table, card, event.biom, exhausted=True)
        table.applied.extend(("splicers.old.splice-play-now", "splicers.old.splice-ting-evolved-exhausted"))
    elif table.options["splice_destination"] == "play_now" and card.text is not None and card.text.kind == "event":
        table.set(card, "known_to", table.everybody)
        table.set(table, "last_note", ("found", card.name))
        table.applied.append("splicers.old.splice-event-shown")


def event_revealed(table: Splicers, event: ev.EventRevealed) -> None:
    """Turn the event over: its effects happen, then it is discarded unless it is a season."""
    go_on_without(table)
    if turns.is_final_turn(table) and table.zones["event"].cards:
        rounds.end_round(table)
    card = table.card(event.card) if event.was is UNSET else board.recognise(table, event.was, event.card)
    if card.zone.name != "event":
        return
    table.set(card, "face_up", True)
    if table.options["season_ends"] == "event_revealed":
        board.end_season(table)
    if table.options["farsight_window"] == "at_reveal":
        for each in tings_and_seeds(table):
            see_far(table, each)
    is_bluff = card.text is not None and card.text.kind != "event" and table.options["event_bluff"] == "allowed"
    works = table.options["abilities_outside_play"] == "keyword_exceptions" and not is_bluff
    if card.text is not None and works:
        choices = (event.target,) if isinstance(event.target, str) else ()
        carry_out(table, Doing(card.owner, card.name, card.text.says.reveal, choices), card)
        table.applied.append("splicers.event.one-shot")
    triggers.fire(table, "event.revealed")
    if card.zone.name != "event":
        return  # its own text has taken it away
    if works and has_keyword(table, card, "season"):
        table.move(card, table.zones["season"])
        triggers.activate_text(table, card)
        table.applied.append("splicers.kw.season")
    elif works and has_keyword(table, card, "backup"):
        board.return_by_backup(table, card)
    else:
        to_discard_pile(table, card)
        table.derive(ev.CardDiscarded(card=card.name, reason="event-done"), "splicers.event.discard-after")


def ting_replaced(table: Splicers, event: ev.TingReplaced) -> None:
    """Discard the ting that diminish has chosen and let the new one take its place; the deck is shuffled next."""
    old = table.card(event.card)
    if event.replacement is not None and old.place is not None and old.zone.name[:4] == "play":
        place, sideways = old.place, old.exhausted
        owner = old.owner
        _remove_old(table, old)
        new = table.take(event.replacement, zone_of(table, "deck" if event.from_ == "deck" else "discard", owner))
        enters = table.options["diminish_enter"]
        board.enter(table, new, place, exhausted=sideways if enters == "like_old_card" else enters == "exhausted")
        came_evolved(table, new)
    elif event.replacement is None and table.options["diminish_fail"] == "ting_discarded" and old.place is not None:
        board.discard(table, old, "diminish", "splicers.kw.diminish-target")
    if table.owed is None or table.owed.line is not ev.TingReplaced:
        return
    untouched = event.from_ == "discard" and table.options["diminish_old_card"] != "deck"
    if untouched and table.options["diminish_shuffle"] == "after_deck_search":
        table.set(table, "owed", None)
    else:
        owe_shuffle(table, event.player, "splicers.kw.diminish-shuffle", "diminish")


def _remove_old(table: Splicers, old: SplicersCard) -> None:
    """Take the replaced ting out of play: to the discard pile, or by ruling into the deck or to the hand."""
    where = table.options["diminish_old_card"]
    if where == "deck":
        board.moulder(table, old, old.owner)
    elif where == "hand":
        board.bounce(table, old)
    else:
        board.discard(table, old, "diminish", "splicers.kw.diminish-target")
