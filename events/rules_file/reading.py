"""Reads the tables of a rules file into `Rules`: every mistake is noted with its line, none stops the reading."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from tabletape.events.rules_file.cards import UNCOUNTED, read_cards
from tabletape.events.rules_file.effects import FileEffect, FilePlaces, effect, keeping
from tabletape.events.rules_file.mistakes import Mistakes
from tabletape.events.rules_file.parser import WordScope, expression
from tabletape.events.rules_file.scope import (
    MOST_NUMBERED,
    CounterRule,
    ZoneRule,
    reserved,
    with_counter,
    with_table,
    with_word,
    with_zone,
)
from tabletape.events.rules_file.stated import FieldRule, Happening, MoveRules, OwedMove, Rules, Stated
from tabletape.events.rules_file.tables import (
    ONE,
    PARTS,
    CounterTable,
    EndTable,
    FieldTable,
    MoveTable,
    NeedTable,
    ThenTable,
    WhenTable,
)
from tabletape.events.rules_file.values import UNKNOWN, Node, WrongError, constant, guess

SEEN_BY: Final[Mapping[str, str]] = {"hidden": "nobody", "own": "owner", "others": "others", "open": "all"}
_NAME: Final = re.compile(r"[^\W\d]\w*(-\w+)*")
_NUMBERS: Final = re.compile(r"number (\d{1,9}) to (\d{1,9})")
_MARKS: Final = re.compile(r"\.(by|fresh)\b")
_CARDS: Final = re.compile(r"(cards?) of (.+)", re.DOTALL)


def read_rules(slug: str, raw: Mapping[str, Any], zones: Iterable[ZoneRule], mistakes: Mistakes) -> Rules:
    """Return what the tables of a file say, whose zones are read already. What is wrong is noted in `mistakes`."""
    return _Reading(slug, raw, {zone.name: zone for zone in zones}, mistakes).rules()


class _Reading:
    """Reads one file, part by part."""

    def __init__(self, slug: str, raw: Mapping[str, Any], zones: Mapping[str, ZoneRule], mistakes: Mistakes) -> None:
        self._slug, self._raw, self._zones, self._mistakes = slug, raw, zones, mistakes
        self._parts = {part: self._tables(part) for part in PARTS}
        self._properties, self._cards = read_cards(raw.get("cards", {}), mistakes)
        self._counters = self._read_counters()
        self._options = {key: tuple(table.options) for key, table in self._parts["ruling"].items()}
        self._scope = self._read_scope()
        self._said: dict[tuple[str, str], Node] = {}
        self._places = FilePlaces(self._zones, self._counters)

    def rules(self) -> Rules:
        """Return all of it."""
        parts, one = self._parts, {name: self._parts[name].get("") for name in ONE}
        deal, turn = one["deal"], one["turn"]
        begin = str(self._raw.get("cards", {}).get("begin", "deck")) if self._cards else "deck"
        moves = {name: self._move(name, table) for name, table in parts["move"].items()}
        self._require_moves(moves, turn.phases if turn else ())
        for path, zone in ((("deal", "zone"), deal.zone if deal else ""), (("cards", "begin"), begin)):
            if zone and (self._cards or deal) and zone not in self._zones:
                self._mistakes.add(path, f"no zone is called `{zone}`{guess(zone, self._zones)}")
        count = deal.count if deal else {}
        return Rules(
            slug=self._slug,
            zones=self._zones,
            counters=self._counters,
            properties=self._properties,
            cards=self._cards,
            begin=begin,
            counted=self._raw.get("cards", {}).get("copies") != UNCOUNTED if self._cards else False,
            options=self._options,
            rulings=parts["ruling"],
            scope=self._scope,
            moves=moves,
            whens=tuple(self._happening("when", name, table) for name, table in parts["when"].items()),
            ends=tuple(self._happening("end", name, table) for name, table in parts["end"].items()),
            deal=self._stated(("deal",), deal) if deal else None,
            deal_zone=deal.zone if deal else "",
            deal_count=count if isinstance(count, dict) else {"": count},
            turn=self._stated(("turn",), turn) if turn else None,
            leftwards=turn is None or turn.order == "left",
            actions=turn.actions if turn else 0,
            fewer=turn is not None and turn.fewer,
            first=self._then(("turn",), turn.first, self._scope, "first") if turn else None,
            last=self._then(("turn",), turn.last, self._scope, "last") if turn else None,
            phases=turn.phases if turn else (),
            marks=frozenset(_MARKS.findall(self._mistakes.text)),
        )

    # -- the tables ----------------------------------------------------------------------------------------------------

    def _tables(self, part: str) -> dict[str, Any]:
        """Return the tables of a part by name, each that can be read; of what there is one the name is empty."""
        raw = self._raw.get(part)
        if raw is None:
            return {}
        if not isinstance(raw, dict):
            self._mistakes.add((part,), f"has to be a table, such as `[{part}{'' if part in ONE else '.name'}]`")
            return {}
        tables = {}
        for name, table in ({"": raw} if part in ONE else raw).items():
            path = (part, name) if name else (part,)
            if name and not _NAME.fullmatch(name):
                self._mistakes.add(path, f"`{name}` is no name: letters, digits, and hyphens between them")
                continue
            try:
                tables[name] = msgspec.convert(self._without_wrong(path, table), PARTS[part])
            except msgspec.ValidationError as error:
                self._mistakes.misfit(path, error, PARTS[part])
        return tables

    def _without_wrong(self, path: tuple[str, ...], table: Any) -> Any:
        """Return a move without the needs and fields that cannot be read, each of which is noted by its name."""
        if path[0] != "move" or not isinstance(table, dict):
            return table
        readable = dict(table)
        for key, kind in (("needs", NeedTable), ("fields", FieldTable)):
            inside = table.get(key)
            for name, each in inside.items() if isinstance(inside, dict) else ():
                if isinstance(each, dict):
                    try:
                        msgspec.convert(each, kind)
                    except msgspec.ValidationError as error:
                        self._mistakes.misfit((*path, key, name), error, kind)
                        readable[key] = {other: said for other, said in readable[key].items() if other != name}
        return readable

    def _read_counters(self) -> dict[str, CounterRule]:
        raw, counters = self._raw.get("counters", {}), {}
        if isinstance(raw, list):
            names = [(str(each).removesuffix(" shared"), not str(each).endswith(" shared")) for each in raw]
            return {name: CounterRule(name, None, -(10**9), 10**9, each, "") for name, each in names}
        for name, table in raw.items() if isinstance(raw, dict) else ():
            try:
                read = msgspec.convert(table, CounterTable)
            except msgspec.ValidationError as error:
                self._mistakes.misfit(("counters", name), error, CounterTable)
                continue
            counters[name] = CounterRule(
                name, read.start, read.min, read.max, read.each, read.per, read.says, read.shown
            )
        return counters

    def _read_scope(self) -> WordScope:
        """Return what the words of the file mean."""
        several = any(number != 1 for _, number in self._cards.values())
        scope = reserved(self._properties, self._options, copies=several)
        for what, places in (("zones", self._zones), ("counters", self._counters)):
            for name, place in places.items():
                if name in scope.names or not name.isidentifier():
                    continue  # a word of the language, or one with a hyphen: a zone that no expression names
                if place.per.isdecimal() and not 0 < int(place.per[:9]) <= MOST_NUMBERED:
                    self._mistakes.add((what, name), f"has a number from 1 to {MOST_NUMBERED} behind `per`")
                elif place.per and not (place.per.isdecimal() or place.per in self._properties):
                    self._mistakes.add((what, name), f"a card has no `{place.per}`{guess(place.per, self._properties)}")
                elif isinstance(place, ZoneRule):
                    scope = with_zone(scope, place)
                else:
                    scope = with_counter(scope, place)
        return self._with_words(scope)

    def _with_words(self, scope: WordScope) -> WordScope:
        tables, words = self._raw.get("tables", {}), self._raw.get("words", {})
        for name, numbers in tables.items() if isinstance(tables, dict) else ():
            try:
                scope = with_table(scope, name, msgspec.convert(numbers, dict[str, int]))
            except msgspec.ValidationError:
                self._mistakes.add(("tables", name), "has to say a number for each value: `{ wolf = 1, bear = 3 }`")
        for written, text in words.items() if isinstance(words, dict) else ():
            try:
                scope = with_word(scope, written, str(text))
            except WrongError as error:
                self._mistakes.wrong(("words", written), error, str(text))
        return scope

    # -- expressions and rules -----------------------------------------------------------------------------------------

    def _expression(self, path: tuple[str, ...], text: Any, kind: str, scope: WordScope | None = None) -> Node:
        """Return an expression; what a file says twice of no line is one and the same."""
        try:
            if scope is not None:
                return expression(str(text), scope, kind)
            if (str(text), kind) not in self._said:
                self._said[str(text), kind] = expression(str(text), self._scope, kind)
            return self._said[str(text), kind]
        except WrongError as error:
            self._mistakes.wrong(path, error, str(text))
            return constant(UNKNOWN, kind)

    def _effects(self, path: tuple[str, ...], texts: Iterable[str], scope: WordScope) -> tuple[FileEffect, ...]:
        effects = []
        for text in texts:
            try:
                effects.append(effect(text, scope, self._places))
            except WrongError as error:
                self._mistakes.wrong(path, error, text)
        return tuple(effects)

    def _stated(
        self, path: tuple[str, ...], table: Any, node: Node | None = None, scope: WordScope | None = None
    ) -> Stated:
        """Return a rule of a table with its sentence; its id is made of the path to it."""
        ruling = self._ruling(path, getattr(table, "ruling", ""))
        if node is None:
            that = getattr(table, "that", None)
            node = constant(True, "truth") if that is None else self._expression((*path, "that"), that, "truth", scope)
        parts = [part for part in path if part not in {"move", "needs", "fields"}]
        section = parts[0].replace("-", " ").capitalize()
        text = getattr(table, "if_", "") if path[-2:-1] == ("needs",) else ""
        of = self._expression((*path, "if"), text, "truth", scope) if text else None
        return Stated(".".join((self._slug, *parts)), section, table.says, table.cite, ruling, node, of)

    def _ruling(self, path: tuple[str, ...], written: str) -> tuple[str, str] | None:
        if not written:
            return None
        key, _, option = (part.strip() for part in written.partition("="))
        if option and option in self._options.get(key, ()):
            return key, option
        known = self._options.get(key) or [f"{each} = {readings[0]}" for each, readings in self._options.items()]
        self._mistakes.add((*path, "ruling"), f"there is no ruling `{written}`{guess(option or key, known)}")
        return None

    # -- moves ---------------------------------------------------------------------------------------------------------

    def _move(self, name: str, table: MoveTable) -> MoveRules:
        path, scope = ("move", name), self._scope
        fields = []
        for key, said in table.fields.items():
            field = self._field((*path, "fields", key), said, scope)
            if field is not None:
                fields.append(field)
                scope = scope.plus(**{key: _of_field(key, field, is_either=key in table.one_of)})
        for key in table.one_of:
            if key not in table.fields:
                self._mistakes.add((*path, "one_of"), f"no field is called `{key}`{guess(key, table.fields)}")
        paid = self._costs(path, table, scope)
        needs = [self._stated((*path, "needs", key), need, None, scope) for key, need in table.needs.items()]
        does, otherwise = ([*(cost[1] for cost in paid), *(some or ())] for some in (table.does, table.else_))
        test = self._expression((*path, "if"), table.if_, "truth", scope) if table.if_ else None
        return MoveRules(
            name=name,
            sentence=table.sentence,
            called=table.called,
            fields=tuple(fields),
            one_of=table.one_of,
            needs=(*(cost[0] for cost in paid), *needs),
            test=test,
            does=self._effects((*path, "does"), does, scope),
            otherwise=self._effects((*path, "else"), otherwise, scope),
            tells=self._expression((*path, "tells"), table.tells, "cards", scope) if table.tells else None,
            is_described=table.does is not None or table.else_ is not None or bool(paid),
            then=self._then(path, table.then, scope),
            owed=table.owed,
            free=table.owed or table.free,
            phase=table.phase,
            times=table.times,
        )

    def _costs(self, path: tuple[str, ...], table: MoveTable, scope: WordScope) -> list[tuple[Stated, str]]:
        """Return what a move costs: the rule that so much is there, and the effect that pays it."""
        costs = []
        says, cite = (str(table.costs.get(key, "")) for key in ("says", "cite"))
        for counter, amount in table.costs.items():
            if counter in {"says", "cite"}:
                continue
            if counter not in self._counters:
                self._mistakes.add(
                    (*path, "costs", counter), f"no counter is called `{counter}`{guess(counter, self._counters)}"
                )
            elif not (says and cite):
                self._mistakes.add(
                    (*path, "costs"), 'needs its sentence: `says = "A clue costs a token.", cite = "L16"`'
                )
            else:
                node = self._expression((*path, "costs"), f"{counter} >= ({amount})", "truth", scope)
                rule = Stated(f"{self._slug}.{path[1]}.{counter}", path[1].capitalize(), says, cite, None, node)
                costs.append((rule, f"{counter} - ({amount})"))
        return costs

    def _field(self, path: tuple[str, ...], said: str | FieldTable, scope: WordScope) -> FieldRule | None:
        table = FieldTable(is_=said) if isinstance(said, str) else said
        kind, optional = table.is_.rstrip("? ").strip(), table.is_.rstrip().endswith("?")
        if path[-1] in {"player", "type", "seq", "at", "cause", "note"} or not path[-1].isidentifier():
            self._mistakes.add(path, f"a field cannot be called `{path[-1]}`: every line has its own")
            return None
        if path[-1] in self._counters or (path[-1] in self._zones and path[-1] in scope.names):
            self._mistakes.add(path, f"a field cannot be called `{path[-1]}`: that is a zone or counter of this game")
            return None
        if bool(table.says) != bool(table.cite):
            self._mistakes.add(path, "has one of `says` and `cite`, and needs both: the sentence and where it stands")
        rule = self._stated(path, table, constant(True, "truth"))
        if match := _CARDS.fullmatch(kind):
            source = self._expression(path, match[2], "cards", scope)
            return FieldRule(path[-1], match[1], source, optional, (), rule)
        if match := _NUMBERS.fullmatch(kind):
            low, high = int(match[1]), int(match[2])
            return FieldRule(path[-1], "number", None, optional, (low, high), rule)
        if kind in {"player", "other player"} or kind in self._properties:
            return FieldRule(path[-1], kind, None, optional, self._properties.get(kind, ()), rule)
        kinds = {"player", "other player", "card of hand", "cards of hand", "number 1 to 6", *self._properties}
        said = "other player" if kind in {"opponent", "another player"} else kind
        self._mistakes.add(path, f"`{kind}` is no kind of field{guess(said, kinds)}")
        return None

    def _then(
        self, path: tuple[str, ...], table: ThenTable | None, scope: WordScope, key: str = "then"
    ) -> OwedMove | None:
        if table is None:
            return None
        never, moves = constant(False, "truth"), self._raw.get("move", {})
        unless = self._expression((*path, key, "unless"), table.unless, "truth", scope) if table.unless else never
        if table.move not in moves:  # A move that cannot be read is there, and is told of by itself.
            self._mistakes.add((*path, key), f"no move is called `{table.move}`{guess(table.move, moves)}")
        elif key != "then" and not (isinstance(moves[table.move], dict) and moves[table.move].get("owed")):
            self._mistakes.add(
                (*path, key), f"what a turn has to have is owed: write `owed = true` in [move.{table.move}]"
            )
        return OwedMove(table.move, table.times, unless, self._stated((*path, key), table, constant(True, "truth")))

    def _require_moves(self, moves: Mapping[str, MoveRules], phases: tuple[str, ...]) -> None:
        """Note phases that are named and not there."""
        for name, move in moves.items():
            if move.phase and move.phase not in phases:
                self._mistakes.add(
                    ("move", name, "phase"), f"no phase is called `{move.phase}`{guess(move.phase, phases)}"
                )

    def _happening(self, what: str, name: str, table: WhenTable | EndTable) -> Happening:
        path = (what, name)
        rule = self._stated(path, table)
        if isinstance(table, WhenTable):
            does = self._effects((*path, "does"), table.does, self._scope)
            return Happening(name, rule, does, keeping(does))
        winner = self._winner(path, table.winner) if table.winner else None
        return Happening(name, rule, (), (), self._expression((*path, "turns"), table.turns, "number"), winner)

    def _winner(self, path: tuple[str, ...], text: Any) -> Node:
        node = self._expression((*path, "winner"), text, "")
        if node.kind not in {"player", "players", "anything", ""}:
            self._mistakes.add((*path, "winner"), f"`{text}` is a {node.kind}, here has to stand a player or players")
        return node


def _of_field(key: str, field: FieldRule, *, is_either: bool) -> Node:
    """Return what a field means in expressions.

    What a line does not say is not nothing: a condition that compares with it is not judged. Of fields of which a line
    says one, the others are.
    """
    kinds = {"card": "card", "cards": "cards", "number": "number", "player": "player", "other player": "player"}
    kind = kinds.get(field.kind) or ("number" if field.values and isinstance(field.values[0], int) else "text")
    if is_either or not field.optional or field.kind in {"card", "cards"}:
        return Node(lambda t: t.fields[key], kind, form="field", label=key, fields=frozenset((key,)))

    def said(t: Any) -> Any:
        value = t.fields[key]
        return t.nothing if value is None else value

    return Node(said, kind, form="field", label=key, fields=frozenset((key,)))
