"""The rules of a game's file as rules of the product: each sentence with its citation, and what lines it is about."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final

import msgspec

from tabletape.events.rules_file.effects import TIME
from tabletape.events.rules_file.lines import is_draw, is_luck, name_of
from tabletape.events.rules_file.stated import FieldRule, Happening, MoveRules, Rules, Stated
from tabletape.events.rules_file.values import Node
from tabletape.events.vocabulary import Event
from tabletape.projector.kit.outline import Outline
from tabletape.projector.model.rulebook import Option, Ruling
from tabletape.projector.model.rules import AllPassed, Broken, Rule, Undecidable, Verdict
from tabletape.projector.tabletop.moment import Acting
from tabletape.projector.tabletop.state import Tabletop, applies

TOO_LONG: Final = Undecidable(
    "The rules of this file look at too much for a log of this length: from here on this one is not judged.", once=True
)

FIELD_SAYS: Final[Mapping[str, str]] = {
    "number": "the number is one of those that the game's file names.",
    "player": "a player of this game is named.",
    "other player": "another player of this game is named.",
}


class MoveByRulings(msgspec.Struct, frozen=True, eq=False):
    """What holds of a move by the rulings in force, all of it as kept, and the steps to judge and to do it.

    `shown` are its fields that name cards. It is `counted` as one of the `acts` of a turn, or of its `perhaps_acts`
    where the file does not say so; empty: as none.
    """

    needs: tuple[Stated, ...]
    shown: tuple[FieldRule, ...]
    kept: AllPassed
    judging: int
    doing: int
    counted: str


class ByRulings(msgspec.Struct, frozen=True, eq=False):
    """What holds by the rulings in force, and the steps that it takes to look for what happens by itself.

    `other_ends` are those that have another condition than what happens by itself: where nothing did, only they may be.
    """

    moves: Mapping[str, MoveByRulings]
    whens: tuple[Happening, ...]
    ends: tuple[Happening, ...]
    other_ends: tuple[Happening, ...]
    steps: int


class FileRules:
    """The rules of a file, ready to be judged by: by id, by move, and which lines are which move.

    `turn` is the outline of its turn.
    """

    turn: Outline

    def __init__(self, rules: Rules, lines: Iterable[type[Event]], score: str = "") -> None:
        """Take what a file says, the event types of the game, and the counter that is the score."""
        self.rules, self.score = rules, score
        self.everything = rules.names | {"turn"}
        """What may have changed where nobody knows what was done: its zones, its counters, and whose turn it is."""
        self.ends_turns = rules.turn is not None and not rules.actions
        """Whether a turn ends by a line that says so, and not by itself."""
        self.draws = tuple(move for move in rules.moves.values() if is_draw(rules, move))
        self.luck = {
            move.name: frozenset(field.name for field in move.fields if is_luck(rules, field))
            for move in rules.moves.values()
        }
        self.lines: Mapping[str, type[Event]] = {name_of(line): line for line in lines if name_of(line)}
        self.draw_names = frozenset(move.name for move in self.draws)
        self.free_draws = {name: move.free for name, move in rules.moves.items() if _only_draws(rules, move)}
        """The moves that only draw, and are not owed: whether the file says that they are no action of the turn."""
        begun = rules.moves.get(rules.first.move) if rules.first is not None else None
        drawing = (*begun.does, *begun.otherwise) if begun is not None else ()
        drawn = frozenset({rules.begin, rules.deal_zone}).union(*(each.writes for each in drawing))
        effects = [each for move in rules.moves.values() for each in (*move.does, *move.otherwise)]
        effects += [each for happening in rules.whens for each in happening.does]
        fixed = frozenset(rules.counters).difference(*(each.writes for each in effects))
        self.whatever_turn = (frozenset(rules.zones) - drawn) | fixed
        """What is so whether or not a turn has ended before a line: what lies in zones, counters of one value."""
        printed = (next(iter(properties.values()), "") for properties, _ in rules.cards.values())
        self.have_texts = any(" " in str(name) for name in printed)
        """Whether its cards have names of their own: what a text on them allows no file says."""
        self.drawing = next(
            iter((*self.draws, *(each for each in rules.moves.values() if self._is_drawing(each)))), None
        )
        """The move that a line `cards.drawn` is, where the file has one."""
        self.lone = {field.rule.id for move in rules.moves.values() for field in move.fields if field.source is None}
        self.lone |= {need.id for move in rules.moves.values() for need in move.needs if not need.asks.reads}
        """The rules that look at the line and at nothing else, by their ids."""
        owed = [rules.first, rules.last, *(move.then for move in rules.moves.values())]
        asked = {each.rule.id: each.unless for each in owed if each is not None}
        asked |= {rules.turn.id: rules.turn.node} if rules.turn is not None else {}
        self.of_order = frozenset(asked)
        """The rules about what comes before what: whose turn it is, and what is owed."""
        fields = [field for move in rules.moves.values() for field in move.fields]
        asked |= {each.rule.id: each.source for each in fields if each.source and self._is_open(each.source)}
        self.asked = asked | {need.id: need.asks for move in rules.moves.values() for need in move.needs}
        """What the rules of order and those of moves look at, by their ids, where that is no hidden card."""
        self.of_moves = {each.rule.id for each in fields} | {*self.asked} - self.of_order
        self.by_id = {
            stated.id: _rule_of(stated, "derived" if how else "checked", "line" if stated.id in self.lone else "")
            for stated, how in self._stated()
        }
        self.read: tuple[Any, Any, int, dict[str, Any], bool] = (None, None, 0, {}, False)
        """The table, the line, the length of the journal and the fields judged last, and whether its cards lie where
        they should: mostly it is done next."""
        no_rulings = ByRulings({}, (), (), (), 0)
        self._acting: tuple[Acting | None, ByRulings] = None, no_rulings
        self._by_options: tuple[Any, ByRulings] = {}, no_rulings
        self._kept: dict[tuple[tuple[str, str], ...], ByRulings] = {}

    def _is_drawing(self, move: MoveRules) -> bool:
        """Return whether a move that is not owed lays just the cards that are drawn, whatever it does elsewhere."""
        effects = [each for each in (*move.does, *move.otherwise) if not each.writes.isdisjoint(self.rules.zones)]
        laid = [each for each in effects if each.asks.fields or self.rules.begin in each.writes]
        return move.name in self.free_draws and len(move.fields) == len(laid) == 1

    def _is_open(self, source: Node) -> bool:
        return all(zone.seen_by == "all" for name, zone in self.rules.zones.items() if name in source.reads)

    def _stated(self) -> list[tuple[Stated, bool]]:
        """Return all that the file states, and whether it happens by itself."""
        rules = self.rules
        of_turn = [each.rule for each in (rules.first, rules.last) if each is not None]
        all_stated = [(stated, False) for stated in (rules.deal, rules.turn, *of_turn) if stated is not None]
        for move in rules.moves.values():
            is_draw = move in self.draws
            fields, then = ((), None) if is_draw else (move.fields, move.then)
            all_stated += [(_worded(rules, move.name, field), False) for field in fields]
            all_stated += [(stated, False) for stated in move.needs]
            all_stated += [(then.rule, False)] if then is not None else []
        all_stated += [(each.rule, True) for each in (*rules.whens, *rules.ends)]
        return all_stated

    def acting(self, table: Any, player: str) -> tuple[Acting, ByRulings]:
        """Return who acts at a table, and what holds there; what is known of the line before is forgotten."""
        acting, ruled = self._acting
        if acting is None or acting.table is not table:
            acting, ruled = self._acting = Acting(self.rules, table, player), self.by(table.options)
        else:
            acting.by, acting.fields, acting.parameters, acting.it, acting.known = player, {}, {}, None, None
        return acting, ruled

    def by(self, options: Mapping[str, str]) -> "ByRulings":
        """Return what holds by the rulings in force."""
        if self._by_options[0] is not options:
            key = tuple(options.items())
            if key not in self._kept:
                self._kept[key] = self._by_rulings(options)
            self._by_options = options, self._kept[key]
        return self._by_options[1]

    def _by_rulings(self, options: Mapping[str, str]) -> "ByRulings":
        rules = self.rules
        whens = tuple(each for each in rules.whens if applies(each.rule, options))
        ends = tuple(each for each in rules.ends if applies(each.rule, options))
        steps = sum(each.rule.node.parts + each.turns.parts for each in (*whens, *ends))
        asked = [each.rule.node for each in whens if each.rule.node.reads.isdisjoint(TIME)]
        other_ends = tuple(end for end in ends if not any(end.rule.node is each for each in asked))
        moves = {name: self._move(move, options) for name, move in rules.moves.items()}
        return ByRulings(moves, whens, ends, other_ends, steps)

    def _move(self, move: MoveRules, options: Mapping[str, str]) -> "MoveByRulings":
        needs = tuple(each for each in move.needs if applies(each, options))
        turn = [self.rules.turn] if self.rules.turn is not None and not move.owed else []
        stated = (*turn, *(field.rule for field in move.fields), *needs)
        all_kept = AllPassed((self.by_id[each.id], None) for each in stated if each.id in self.by_id)
        sources = sum(field.source.parts for field in move.fields if field.source is not None)
        parts = [each.parts for each in (*move.does, *move.otherwise)]
        parts += [move.test.parts] if move.test is not None else []
        shown = tuple(field for field in move.fields if field.source is not None)
        is_unsaid = move.free is None and move.name in self.free_draws
        counted = "" if move.free else "perhaps_acts" if is_unsaid else "acts"
        judging = sources + sum(_parts(each) for each in needs)
        return MoveByRulings(needs, shown, all_kept, judging, sum(parts), counted)

    def is_done(self, table: Tabletop) -> bool:
        """Return whether the actions of a turn are done, and nothing is owed behind them."""
        actions = self.rules.actions
        return bool(actions) and table.acts >= actions and not table.owed

    def is_later(self, phase: str, other: str) -> bool:
        """Return whether a phase of the turn comes behind another; False where one of them is none of the turn."""
        phases = self.rules.phases
        return phase in phases and other in phases and phases.index(phase) > phases.index(other)

    @cached_property
    def goes_round(self) -> bool:
        """Whether turns go round the table whatever is done in them."""
        effects = [each.does + each.otherwise for each in self.rules.moves.values()]
        effects += [each.does for each in self.rules.whens]
        return all(each.writes for some in effects for each in some)  # what writes nothing gives the turn away

    @cached_property
    def counts_alike(self) -> bool:
        """Whether a turn is so many moves, whichever these are: none is free, or owes another."""
        rules, moves = self.rules, self.rules.moves.values()
        is_plain = bool(rules.actions) and self.goes_round and not (rules.fewer or rules.first or rules.last)
        is_action = all(self.free_draws.get(each.name, False) is False and not each.free for each in moves)
        return is_plain and is_action and not any(each.owed or each.then or each.times for each in moves)

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings of the file."""
        return tuple(
            Ruling(
                key=key,
                question=table.question,
                options=tuple(Option(name=name, text=text) for name, text in table.options.items()),
                reason="the first reading of the game's file",
            )
            for key, table in self.rules.rulings.items()
        )


def _only_draws(rules: Rules, move: MoveRules) -> bool:
    """Return whether a move takes hidden cards from where they begin to one other place, and nothing is chosen.

    What it does elsewhere besides, such as clearing a table, makes no other move of it.
    """
    zone = rules.zones.get(rules.begin)
    if zone is None or zone.seen_by != "nobody" or move.owed or not all(is_luck(rules, each) for each in move.fields):
        return False
    effects = (*move.does, *move.otherwise)
    drawing = (each.writes for each in effects if each.asks.fields or rules.begin in each.writes)
    drawn = frozenset((rules.begin,)).union(*drawing) & rules.zones.keys()
    places = frozenset[str]().union(
        *(effect.writes for effect in effects if not effect.writes.isdisjoint(drawn)),
        *(field.source.reads for field in move.fields if field.source is not None),
    )
    return rules.begin in places and len(places & rules.zones.keys()) == 2


def _parts(need: Stated) -> int:
    return need.node.parts + (need.of.parts if need.of is not None else 0)


def _rule_of(stated: Stated, how: Any, rests_on: Any) -> Rule:
    return Rule(id=stated.id, section=stated.section, lines=stated.cite, text=stated.says, how=how, rests_on=rests_on)


def _worded(rules: Rules, move: str, field: FieldRule) -> Stated:
    """Return the rule of a field with a sentence where the file has none, in which the move is named."""
    if field.rule.says:
        return field.rule
    zones = [each.replace("_", " ") for each in rules.zones if field.source and each in field.source.reads]
    comes = "comes" if field.kind == "card" else "come"
    lies = f"the {field.kind} {comes} from the {' or the '.join(zones)}." if zones else "the card lies where it has to."
    says = FIELD_SAYS.get(field.kind, lies if field.source is not None else "it is one there is.")
    return msgspec.structs.replace(field.rule, says=f"{move.capitalize()}: {says}")


def doubted(table: Tabletop, reads: Iterable[str], says: str, here: str) -> Verdict:
    """Return the verdict on a broken rule with what stands against it, `here`.

    It is open where what it reads was changed by what no rule describes: what seems to be so there nobody knows. Where
    the steps were used up once, what moves do was not done: what looks at the table is not judged any more.
    """
    if table.has_no_steps and any(reads):
        return TOO_LONG
    if table.unsure.isdisjoint(reads):
        return Broken(f"{says} {here}")
    move = table.undescribed
    return Undecidable(
        f"{says} Here {move} may have changed before what it looks at: the game's file does not say what {move} does."
        if move
        else f"{says} Here a line before this that no rule of the file describes may have changed what it looks at."
    )
