"""How a line of a game with a rules file is judged: its place in the turn, its fields, and what it needs.

True is kept, false is broken, unknown waits until the hidden cards are shown. Where something was changed that no rule
describes, the log cannot tell.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from tabletape.events.rules_file.running import decided
from tabletape.events.rules_file.stated import FieldRule, MoveRules, Stated
from tabletape.events.rules_file.values import UNKNOWN, Hidden, TooLongError
from tabletape.events.vocabulary.tabletop import CardsDrawn
from tabletape.projector.model.amounts import counted, joined
from tabletape.projector.model.phrases import name_in_words
from tabletape.projector.model.phrases import name_of as named
from tabletape.projector.model.rules import NOT_APPLICABLE, Broken, Judgement, Undecidable, Verdict
from tabletape.projector.tabletop.drawing import draw_each, may_deal
from tabletape.projector.tabletop.explaining import explained, unknown_parts
from tabletape.projector.tabletop.file_rules import TOO_LONG, FileRules, doubted
from tabletape.projector.tabletop.moment import NO_CARD, Acting, Moment
from tabletape.projector.tabletop.state import Tabletop, applies, deck_of, handle_of, kind_of, place_of
from tabletape.projector.tabletop.turn import judge_owed, judge_place, judge_whose

EARLIER: Final = (
    "as it was called while the game's file named no cards: import the file again, `tabletape import --remap`"
)
"""What is to be done where a log says whose a card is, and the cards are drawn from one deck."""

CHANGES_OF_A_STEP: Final = 4
"""The changes of a table that are looked through in the time of a step."""

WAIT_STEPS: Final = 300
"""The steps that it takes to find out which cards a verdict waits for, however few those are."""


def judge_move(file: FileRules, move: MoveRules, table: Tabletop, event: Any) -> Sequence[Judgement]:
    """Return the rules that a move is judged by, each with its verdict.

    Where nobody knows whose turn it is, or a line before it is missing, what it says itself is right or wrong: a price.
    In whosever turn, what lies in a row to which no turn adds anything by itself is what the line is held against.
    """
    place = judge_place(file, move, table, event)
    if place is not None and isinstance(place[1], Broken) and place[1].kind != "missing":
        return [place]
    moment, by_rulings = file.acting(table, event.player)
    ruled = by_rulings.moves[move.name]
    try:
        moment.spend(ruled.judging)
        wrong = moment.read(move, event, file.luck[move.name])
    except TooLongError:
        return [(rule, TOO_LONG) for rule, _ in ruled.kept[-1:]]
    file.read = table, event, len(table.journal), moment.fields, moment.in_place
    if wrong and place is None:
        return [(file.by_id[field.rule.id], _misfit(file, table, field, why)) for field, why in wrong]
    if place is not None:
        sure = file.whatever_turn - table.unsure if isinstance(place[1], Undecidable) else frozenset[str]()
        needs = [each for each in ruled.needs if each.node.reads <= sure]
        return [place, *((file.by_id[each.id], judge_need(each, moment)) for each in needs if not wrong)]
    judged = [(each.id, verdict) for each in ruled.needs if (verdict := judge_need(each, moment)) is not None]
    verdicts = [(file.by_id[each], verdict) for each, verdict in judged]
    if not verdicts:
        return [*ruled.kept, (file.by_id[table.owed[0].rule], None)] if table.owed else ruled.kept
    broken = {rule.id for rule, _ in verdicts}
    return [*((rule, None) for rule, _ in ruled.kept if rule.id not in broken), *verdicts]


def _misfit(file: FileRules, table: Tabletop, field: FieldRule, why: str) -> Verdict:
    """Return the verdict on a field that is not what it has to be."""
    if not applies(field.rule, table.options):
        return NOT_APPLICABLE
    if why.startswith(NO_CARD) and ":" in why and file.rules.zones[file.rules.begin].shared:
        return Undecidable(f"{file.by_id[field.rule.id].text} Here {why}, {EARLIER}.")
    reads = field.source.reads if field.source is not None else frozenset()
    return doubted(table, reads, file.by_id[field.rule.id].text, f"Here {why}.")


def judge_need(stated: Stated, moment: Moment) -> Verdict:
    """Return the verdict on one condition; what hidden cards decide waits until one of them is shown."""
    try:
        is_so = True if stated.of is None else stated.of.run(moment)
        if is_so is False:
            return NOT_APPLICABLE
        value = decided(moment, stated.node if is_so is True else stated.asks)
        if value is None:
            return NOT_APPLICABLE
        if value is UNKNOWN:
            return waiting(stated, moment)
    except TooLongError:
        return TOO_LONG
    return None if value else doubted(moment.table, stated.asks.reads, stated.says, explained(stated, moment))


# -- hidden cards ------------------------------------------------------------------------------------------------------


def waiting(stated: Stated, moment: Moment) -> Undecidable:
    """Return the verdict that is open until a card is named that lay unnamed in a zone which the condition reads."""
    table = moment.table
    if table.has_no_steps:
        return TOO_LONG
    message = f"{stated.says} {_what_is_open(stated, moment)}"
    moment.spend(WAIT_STEPS)
    zones = [
        zone
        for zone in table.zones.values()
        if zone.unseen > 0 and kind_of(moment.rules, zone.name) in stated.node.reads
    ]
    if len(zones) != 1 or stated.node.reads & table.unsure:
        mine = [zone for zone in zones if zone.owner == moment.by]
        if len(mine) != 1 or stated.node.reads & table.unsure:
            return Undecidable(message)
        zones = mine
    zone = zones[0]
    moment.spend(sum(each.size for each in table.zones.values() if each.role != "deck" and each.size > 0))
    then = Acting(moment.rules, table, moment.by)
    then.fields = dict(moment.fields)
    then.kept = {
        place: [*each.cards, *(Hidden(each) for _ in range(max(each.unseen, 0)))]
        for place, each in table.zones.items()
        if kind_of(moment.rules, place) in stated.node.reads and each.role != "deck"
    }
    return _wait(stated, then, zone.name, len(table.journal))


def _what_is_open(stated: Stated, moment: Moment) -> str:
    """Return what the log, or the file, would have to say."""
    undeclared = sorted(stated.node.reads & {kind_of(moment.rules, place) for place in moment.table.undeclared})
    if undeclared:
        return f"Nobody has said what lies in {', '.join(undeclared)}."
    unknown = unknown_parts(stated.node, moment)
    who = "log does" if all(unknown.values()) else "log and the file do"
    return f"The {who} not say {joined(unknown)}, or cards are hidden." if unknown else "Hidden cards decide."


def _wait(stated: Stated, then: Moment, zone: str, mark: int) -> Undecidable:
    later = partial(_decided, stated, then, zone, mark)
    return Undecidable(f"{stated.says} Hidden cards decide.", handle_of(zone), later)


def _decided(stated: Stated, then: Moment, zone: str, mark: int, card: Any) -> Any:
    """Return the verdict when a card is shown that lay in the zone; it may have to wait for another one."""
    table, lying = then.table, [*then.kept[zone]]
    if _has_been_mixed(table, zone, mark):
        return Undecidable(f"{stated.says} Hidden cards decide; they were mixed later.")
    place = next((index for index, each in enumerate(lying) if type(each) is Hidden), None)
    if place is None:
        return Undecidable(f"{stated.says} Hidden cards decide.")
    lying[place] = _Shown(card)
    after = Acting(then.rules, table, then.by)
    after.fields, after.kept = then.fields, {**then.kept, zone: lying}
    try:
        after.spend(len(lying) + (len(table.journal) - mark) // CHANGES_OF_A_STEP + stated.node.parts)
        value = decided(after, stated.node)
    except TooLongError:
        return TOO_LONG
    if value is UNKNOWN:
        return _wait(stated, after, zone, mark)
    if value is None:
        return Undecidable(f"{stated.says} There is nothing to compare.")
    name = name_in_words(table, getattr(card, "name", "the card"))
    here = explained(stated, after)
    return None if value is True else Broken(f"{stated.says} {here} {name}, shown later, lay there.")


class _Shown:
    """A card as it lay in a zone before it was shown: what is printed on it."""

    __slots__ = ("name", "text")
    by = ""
    came = -1

    def __init__(self, text: Any) -> None:
        self.text, self.name = text, getattr(text, "name", "")


def _has_been_mixed(table: Tabletop, zone: str, mark: int) -> bool:
    """Return whether an unnamed card has come to a zone since the journal had a length."""
    there = table.zones[zone]
    return any(
        thing is there and field == "unseen" and after > before for thing, field, before, after in table.journal[mark:]
    )


def judge_draw(file: FileRules, table: Tabletop, event: CardsDrawn) -> Sequence[Judgement]:
    """Return the verdicts on a draw: it is the deal, or one that is owed or allowed, and what the file needs for it."""
    if table.over:
        return []  # whoever has laid the last card away may have drawn before somebody noticed
    if not table.dealt and file.rules.deal is not None:
        wanted = len(event.cards or ()) + (event.count or 0)
        return [_judge_deal(file, file.rules.deal, table, (event.player, wanted))]
    judged = _judge_owed(file, table, event)
    if any(isinstance(verdict, Broken) for _, verdict in judged):
        return judged
    is_action = False in file.free_draws.values() and bool(file.rules.actions) and not may_deal(file, table)
    whose = judge_whose(file, table, event.player, is_action=True) if is_action else None
    return [*([whose] if whose is not None else judged), *judge_drawing(file, table, event)]


def _judge_owed(file: FileRules, table: Tabletop, event: CardsDrawn) -> Sequence[Judgement]:
    """Return the verdict on a draw by what is owed; who owes none draws nothing, where the file says when one does."""
    wanted = len(event.cards or ()) + (event.count or 0)
    draws, first = file.draw_names, file.rules.first
    begins = first is not None and first.move in draws and bool(table.turn) and not may_deal(file, table)
    if begins and (place := judge_owed(file, table, event) or judge_whose(file, table, event.player)) is not None:
        return [place]
    if begins and first is not None and table.active != event.player and wanted <= first.times:
        return [(file.by_id[first.rule.id], None)]  # the turn before may be over, and the own one begins with it
    owed = [each for each in table.owed if each.player == event.player and each.move in draws]
    perhaps = [each for each in table.perhaps_owed if each.player == event.player and each.move in draws]
    if len(owed) + len(perhaps) >= wanted:
        return [(file.by_id[each.rule], None) for each in owed[:1]]
    return _judge_surplus(file, table, event, (wanted, len(owed)), begins=begins)


def judge_drawing(file: FileRules, table: Tabletop, event: CardsDrawn) -> Sequence[Judgement]:
    """Return the verdicts on what a draw needs, of several cards on one after the other: each is drawn, and put back.

    What may be the first hand is none that a rule speaks of.
    """
    move = file.drawing
    needs = file.by(table.options).moves[move.name].needs if move is not None else ()
    if move is None or not needs or event.from_ or may_deal(file, table):
        return []
    verdicts: dict[str, Verdict] = {}
    drawing, mark = Acting(file.rules, table, event.player), len(table.journal)
    try:
        for _ in draw_each(file, move, drawing, event):
            for stated in needs:
                if not isinstance(verdicts.get(stated.id), Broken | Undecidable):
                    verdicts[stated.id] = judge_need(stated, drawing)
    except TooLongError:
        verdicts = {needs[0].id: TOO_LONG}
    table.undo(mark)
    return [(file.by_id[each], verdict) for each, verdict in verdicts.items()]


def _judge_surplus(
    file: FileRules, table: Tabletop, event: CardsDrawn, drawn: tuple[int, int], *, begins: bool
) -> Sequence[Judgement]:
    """Return the verdict on a draw of more cards than are owed, where the file says when one draws."""
    draws, first, (wanted, owed) = file.draw_names, file.rules.first, drawn
    then = next((move.then for move in file.rules.moves.values() if move.then and move.then.move in draws), None)
    then = first if then is None and begins else then
    deck = deck_of(file.rules, table, event.player)
    if then is None or deck is None or not (deck.size or deck.name in table.undeclared):
        return []  # of an empty deck another rule speaks
    draws_in_words, owed_in_words = counted(wanted, "card"), f"{owed or 'none'} {'are' if owed > 1 else 'is'}"
    says, here = then.rule.says, f"{named(table, event.player)} draws {draws_in_words}, and {owed_in_words} owed."
    verdict = doubted(table, file.rules.names, says, here)
    if file.have_texts:
        return [(file.by_id[then.rule.id], Undecidable(f"{says} {here} The text of a card may allow it."))]
    return [(file.by_id[then.rule.id], Undecidable(f"{says} {here}") if table.guessed else verdict)]


def _judge_deal(file: FileRules, deal: Stated, table: Tabletop, drawn: tuple[str, int]) -> Judgement:
    player, number = drawn
    hand = table.zones.get(place_of(file.rules.deal_zone, player))
    most = file.rules.hand_size(len(table.players))
    if hand is None or hand.size + number <= most:
        return file.by_id[deal.id], None
    return file.by_id[deal.id], Broken(f"{deal.says} {named(table, player)} draws more than {most} cards.")
