"""Games that a file describes: any table with zones, cards, counters and turns, with the rules that the file has.

Without rules the audit keeps books and no more; each rule that the file states makes it know more.
"""

from collections.abc import Mapping
from functools import partial
from string import capwords
from typing import Any, Final

from tabletape.events.rules_file.cards import printed_name
from tabletape.events.rules_file.lines import NEXT_PHASE
from tabletape.events.vocabulary import Event, open_vocabulary
from tabletape.events.vocabulary.open_games import OpenGame
from tabletape.events.vocabulary.shared import TurnEnded
from tabletape.events.vocabulary.tabletop import (
    CardMoved,
    CardsDrawn,
    CardUsed,
    ChoiceMade,
    CounterChanged,
    DeckShuffled,
    TurnStarted,
)
from tabletape.projector.model.cards import Cards, parse_cards
from tabletape.projector.model.game import (
    BotHints,
    Consequences,
    Game,
    Scoreboard,
    Shortlist,
    Slips,
    TurnEnd,
    collect_rules,
)
from tabletape.projector.model.rulebook import Edition, Rulebook
from tabletape.projector.model.rules import group_check
from tabletape.projector.model.things import CardText
from tabletape.projector.tabletop import acting, drawing, judging, looks, offering, offers, play, rules, turn, view
from tabletape.projector.tabletop.file_rules import FileRules
from tabletape.projector.tabletop.setup import opening
from tabletape.projector.tabletop.touching import BehindGaps, standing_apart

LINES_AGAIN: Final = 32
"""However short the games are that lines are cut into, a file of rules takes them no longer than those of one game."""

ENDINGS = ("concession", "abandoned")
"""Ways to end that every table knows; a game's file adds its own."""


class FileCard(CardText, frozen=True, kw_only=True):
    """A card of a game's file, with its properties."""

    properties: Mapping[str, Any] = {}

    def printed(self, field: str) -> Any:
        """Return the value of a property, as a clue about it would name it; None where the card has none."""
        return self.properties.get(field)


def game_of(described: OpenGame) -> Game:
    """Return the game of a table that a file (or nobody) describes."""
    words = open_vocabulary(described)
    stated = described.rules
    counters = [name.removesuffix(" shared") for name in described.counters]
    file = FileRules(stated, words.types.values(), described.score) if stated is not None else None
    if file is not None:
        file.turn = turn.turn_of(file)
    # Who acts, what is due and what may be done follow from moves: a file without any says nothing of them.
    played = file if file is not None and file.rules.moves else None
    rulings = file.rulings if file is not None else ()
    ends = tuple(each.name for each in file.rules.ends) if file is not None else ()
    return Game(
        slug=described.slug,
        vocabulary=words,
        rulebook=Rulebook(
            title=described.title,
            source="",
            editions=(Edition(label="unknown"),),
            rulings=rulings,
            open=played is None,
            # What follows from the shape of a move is no sentence of the rulebook: that has its place.
            stated=file is not None and any(rule.lines for rule in file.by_id.values()),
        ),
        cards=Cards(_library(file), read=partial(parse_cards, text_type=FileCard, check=lambda _: None)),
        # What every table has comes first: all these games have it, and a rule has one number.
        rules=(
            *collect_rules(Rulebook(title="", source="", editions=()), rules),
            *(file.by_id.values() if file else ()),
        ),
        rows={**rules.ROWS, **(_rows(file) if file is not None else {})},
        players=described.players,
        opening=partial(opening, described),
        play={**play.PLAY, **(_play(file) if file is not None else {})},
        before=partial(acting.before_move, file) if file is not None and file.rules.deal is not None else None,
        settle=file.turn.settle if file is not None else lambda _: None,
        consequences=Consequences(rules.explain_mismatch),
        observe=rules.observe,
        gate=rules.gate,
        actors=played.turn.actors if played else lambda _: (),
        legal=partial(offering.legal, played) if played else lambda _table, _player: (),
        shortlist=Shortlist(partial(offering.offers, played) if played else offers.offers),
        due=played.turn.due if played else lambda _table: (),
        slips=_slips(file) if file is not None else Slips(lines_again=LINES_AGAIN),
        bots=_hints(described, file),
        scoreboard=Scoreboard(
            progress=partial(view.progress, described),
            totals=view.totals,
            points=partial(view.points, described),
            total_names=(*(name for name in counters if stated is None or name not in stated.unshown), "hand"),
        ),
        areas=view.areas,
        endings=tuple(dict.fromkeys((*described.endings, *ends, *ENDINGS))),
    )


def _slips(file: FileRules) -> Slips:
    """Return how a turn ends that does not do so by itself, if draws are limited, and how a log is read otherwise."""
    stated, is_action = file.rules.turn, bool(file.rules.actions) and False in file.free_draws.values()
    return Slips(
        turn_end=TurnEnd(TurnEnded, file.by_id[stated.id]) if stated is not None and file.ends_turns else None,
        chosen=(CardsDrawn,) if is_action or (file.drawing is not None and file.drawing.needs) else (),
        lines_again=LINES_AGAIN,
        standing_apart=partial(standing_apart, file),
        behind_gaps=partial(BehindGaps, file),
    )


def _hints(described: OpenGame, file: FileRules | None) -> BotHints:
    """Return what bots need to know beside the legal decisions."""
    value = partial(view.value, described)
    if file is None:
        return BotHints(value)
    chance, named = partial(offering.fill_in_chance, file), partial(offering.named, file)
    return BotHints(value, look=looks.glance_of(file), fill_in_chance=chance, named=named)


def _library(file: FileRules | None) -> Mapping[str, FileCard]:
    """Return the cards that a file names, by their ids."""
    if file is None:
        return {}
    return {
        kind: FileCard(id=kind, kind="card", name=capwords(printed_name(kind, properties)), properties=properties)
        for kind, (properties, _) in file.rules.cards.items()
    }


def _rows(file: FileRules) -> dict[type[Event], Any]:
    """Return what the lines of a file are judged by."""
    rows: dict[type[Event], Any] = {
        file.lines[name]: (group_check(partial(judging.judge_move, file, move)),)
        for name, move in file.rules.moves.items()
        if name in file.lines
    }
    of_turn = (group_check(partial(turn.judge_turn_line, file)),)
    rows |= {TurnEnded: of_turn, TurnStarted: of_turn}
    if file.rules.phases:
        rows[file.lines[NEXT_PHASE.removeprefix("move.")]] = of_turn
    rows[CardsDrawn] = (*rules.ROWS[CardsDrawn], group_check(partial(judging.judge_draw, file)))
    return rows


def _play(file: FileRules) -> dict[type[Event], Any]:
    """Return what the lines of a file do."""
    plays: dict[type[Event], Any] = {
        file.lines[name]: partial(acting.do_move, file, move)
        for name, move in file.rules.moves.items()
        if name in file.lines
    }
    if file.rules.phases:
        plays[file.lines[NEXT_PHASE.removeprefix("move.")]] = partial(turn.do_next_phase, file)
    if file.rules.turn is not None:
        plays[TurnEnded] = partial(turn.do_turn_ended, file)
        plays[TurnStarted] = partial(turn.do_turn_started, file)
    # A card that is moved or a counter that is changed without a move may have been an action; a card that is used may
    # have done anything.
    for line, writes in (
        (CardMoved, frozenset(("turn", ".by", ".fresh"))),
        (CounterChanged, frozenset(("turn",))),
        (CardUsed, file.everything),
        (ChoiceMade, frozenset(("turn",))),
    ):
        plays[line] = partial(acting.do_undescribed, file, play.PLAY[line], writes)
    drawn = play.PLAY[CardsDrawn]
    plays[CardsDrawn] = lambda table, event: drawing.do_draw(file, table, event, drawn)
    plays[DeckShuffled] = lambda table, event: table.set(table.players[event.player], "shuffled", True)
    return plays
