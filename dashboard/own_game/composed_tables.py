"""The tables of a composed rule: its condition, with the counters and the place that it reads."""

import re
from collections.abc import Mapping
from typing import Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composed_places import RulePlaces, is_laid_out
from tabletape.dashboard.own_game.composition import (
    LAST,
    NEAR,
    OPPOSITE,
    Clause,
    Composition,
    cards_of,
    group_words,
    kinds_of,
    of_kind,
    printed,
)
from tabletape.dashboard.own_game.game import FirstRule, OwnGame, both, doing_more, need
from tabletape.dashboard.own_game.place_effects import guessed_effects
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.stocks import paid_field

_PRICE: Final = "price"
CARDS_UNPAID: Final = "a card for which no line pays accuses nobody"


def composed_rule(
    game: OwnGame, composition: Composition, sentence: CiteSentence, effects: Mapping[str, str]
) -> FirstRule | None:
    """Return the rule of a composition; None where the lines of the game do not say what it looks at.

    `effects`: what each move does to the cards that lie in the place of the composition.
    """
    tables = _Tables(game, composition)
    if not tables.suits() or (composition.needs_place and not tables.lay_places(effects)):
        return None
    that = tables.condition()
    if not that:
        return None
    changes = both(tables.changes, doing_more(game, tables.changes, tables.more) if any(tables.more.values()) else {})
    for move in tables.limited:
        of = "" if tables.is_owed else " and ".join(filter(None, (tables.limited_lines(), *tables.applies)))
        changes = both(changes, need(move, composition.name, that, sentence, of))
    if words := group_words(game.groups, str(changes)):
        changes = both({"words": words}, changes)
    return FirstRule(changes, tuple(tables.taken), composition.shown)


def is_sayable(game: OwnGame, composition: Composition, sentence: CiteSentence) -> bool:
    """Return whether the lines of a game say what a composition looks at, as far as the rulebook says what moves do."""
    owned = composition._replace(
        clauses=tuple(each._replace(whose=each.whose or "own") for each in composition.clauses)
    )
    laid = is_laid_out(game, owned) or not owned.needs_place
    effects = {} if laid else guessed_effects(game, words_of(game), owned)
    return composed_rule(game, owned, sentence, effects) is not None


class _Tables(RulePlaces):
    """The tables that say a composition, as they are put together."""

    def __init__(self, game: OwnGame, composition: Composition) -> None:
        super().__init__(game, composition)
        self.paid = paid_field(game, self.move)
        self.applies: list[str] = []
        owed = {each.object for each in composition.clauses if each.subject == "then"}
        self.is_owed = bool(owed)
        others = [each for each in game.moves if each not in {*owed, game.draw}]
        self.limited = others if owed else [*composition.moves]

    def suits(self) -> bool:
        """Return whether the lines of the move say what its conditions look at."""
        fields = {
            name
            for each in self.composition.clauses
            for name, needed in (
                ("cards", each.is_of_cards or each.subject in {"cards", "kinds"} or bool(each.of) or each.after),
                ("number", each.subject == "said"),
                ("back", each.subject == "back"),
                ("to", each.subject == "to" or each.whose == "to"),
                (self.paid or "number", each.subject == "price"),
                (self.label or each.of, each.subject == "at" or (each.needs_place and bool(self.label))),
            )
            if needed
        }
        if self.composition.kind or self.composition.freed:
            fields.add("cards")
        printed = {each.printed for each in self.composition.clauses if each.is_of_cards}
        is_printed = printed <= {*self.game.properties} and not (
            "number" in fields and "number" in self.game.properties and self.game.field_of(self.move, "cards")
        )
        return (
            is_printed
            and self.move in self.game.limitable
            and all(self.game.field_of(self.move, each) for each in fields)
        )

    def condition(self) -> str:
        """Return what has to be so; empty where a part of it cannot be said."""
        composition = self.composition
        clauses = composition.clauses
        fails = [self._fails(each) for each in clauses if each.is_of_cards]
        holds = [self._holds(each) for each in clauses if not each.is_of_cards]
        if not all(fails) or not all(holds):
            return ""
        glue = {"or": ") and (", "and": ") or ("}[composition.join]
        failing = glue.join(fails)
        failing = f"({failing})" if len(fails) > 1 else failing
        parts = [*([f"no(cards where {failing})"] if fails else []), *holds]
        if fails and all(each.object != LAST for each in clauses) and self.game.field_of(self.move, "back"):
            parts.insert(1, f"no(back where {failing})")  # What comes back for them is swapped as well.
        that = f" {composition.join} ".join(f"({each})" if len(parts) > 1 else each for each in parts)
        free = []
        for each in clauses:
            if each.is_of_cards and each.span == "just":
                own = each.whose == "own"
                since = "{player} has made no other move since" if own else "nobody has made another move since"
                counter = self.counter("since", since, each=own)
                self.more[self.move].append(f"{counter} = 0")
                for move in self.others():
                    self.more[move].append(f"{counter} = 1")
                free.append(f"{counter} > 0")
                free += [f"top({self.lying(each)}).by = player"] * (each.whose == "all")
        kinds = [
            "" if self.is_owed else composition.kind,
            *(each.of for each in clauses if each.of not in {"same", "cards"} and each.subject != "cards"),
        ]
        groups = self.game.groups
        free += [f"no(cards where {of_kind(kind, groups)})" for kind in kinds if kind and not self._is_state(kind)]
        tops = ((each.of, self.lying(each)) for each in clauses if each.of and each.object == LAST)
        free += [f"not ({of_kind(of, groups, f'top({place})')})" for of, place in tops]
        free += [f"any(cards where {printed(card, groups)})" for card in composition.freed if not self.is_owed]
        if free:
            that = " or ".join([*dict.fromkeys(free), f"({that})" if " and " in that else that])
        return self._where_said(that)

    def _is_state(self, kind: str) -> bool:
        """Return whether it is asked how many cards of a kind lie there, whatever the line lays.

        Of a rule about one kind that is so for every other one: no line may be of both.
        """
        return kind != self.composition.kind and all(
            each.subject == "lying" and (self.composition.kind or not each.after)
            for each in self.composition.clauses
            if each.of == kind
        )

    def _where_said(self, that: str) -> str:
        """Return a condition that nobody can judge in a line which leaves out what it looks at."""
        fields = {"cards"} if " cards" in that or "(cards" in that else set()
        fields |= {"number"} if any(each.subject == "said" for each in self.composition.clauses) else set()
        fields |= {self.paid} if any(each.subject == "price" for each in self.composition.clauses) else set()
        fields |= {self.label} if any(each.subject == "at" for each in self.composition.clauses) else set()
        fields |= {"kind"} if re.search(r"[( ]kind\)", that) else set()
        fields |= {"back"} if "no(back" in that else set()
        fields |= {"to"} if "(to)" in that or " to " in f" {that} " else set()
        if self.is_by_kind and "first(cards).kind" in that:
            that = f"(all(cards, it.kind = first(cards).kind) or {self.unsaid()}) and ({that})"
        left_out = [
            name for name in sorted(fields) if not all(self.game.is_always_said(each, name) for each in self.limited)
        ]
        if not left_out:
            return that
        # Of moves without effects it is sure; what comes back for what is given may be named by nobody.
        if not self.composition.needs_place and not any(self.more.values()) and "back" not in left_out:
            self.applies = [self.is_said(name) for name in left_out]
            return " or ".join([*(f"not {each}" for each in self.applies), f"({that})"]) if self.is_owed else that
        guards = [f"({self.is_said(name)} or {self.unsaid()})" for name in left_out]
        return " and ".join([*guards, f"({that})"])

    def _fails(self, clause: Clause) -> str:
        """Return what a card must not be, by `it`."""
        if clause.object == LAST:
            it, top = f"it.{clause.printed}", f"top({self.lying(clause)}).{clause.printed}"
            if clause.relation.startswith(NEAR):
                far = clause.relation.removeprefix(NEAR)
                return f"({it} > {top} +{far} or {it} < {top} -{far})"
            if clause.relation in {"next", "apart"}:
                apart = f"({it} != {top} + 1 and {it} != {top} - 1)"
                return apart if clause.relation == "next" else f"not {apart}"
            return f"{it} {OPPOSITE[clause.relation]} {top}{clause.added}"
        if clause.subject == "number":
            return f"it.{clause.printed} {OPPOSITE[clause.relation]} {clause.object}"
        one_of = [printed(each, self.game.groups) for each in clause.object.split("|")]
        said = " or ".join(one_of)
        return f"not ({said})" if clause.relation == "=" else f"({said})" if len(one_of) > 1 else said

    def _holds(self, clause: Clause) -> str:
        """Return what has to be so of a line as a whole."""
        return getattr(self, f"_{clause.subject}")(clause)  # type: ignore[no-any-return]  # each is a text

    def _kinds(self, clause: Clause) -> str:
        what = clause.by or "kind"
        return f"no(cards) or all(cards, it.{what} = first(cards).{what})"

    def _cards(self, clause: Clause) -> str:
        return f"size({cards_of(clause, self.game.groups)}) {clause.relation} {clause.object}"

    def _back(self, _clause: Clause) -> str:
        return "no(cards where any(back where it.kind = first(cards).kind))"

    def _top(self, clause: Clause) -> str:
        return f"not {of_kind(clause.object, self.game.groups, f'top({self.lying(clause)})')}"

    def _said(self, clause: Clause) -> str:
        if clause.object == "lying":
            return f"number {clause.relation} size({self.lying(clause)}){clause.added}"
        if clause.object != "before":
            return f"number {clause.relation} {clause.object}"
        counter = self.counter("said_before", "the number before it was {number}", each=clause.whose == "own")
        self.more[self.move].append(f"{counter} = number when number != nothing")
        self.begin_anew(counter, self.resetting(clause))
        return f"{counter} = 0 or number {clause.relation} {counter}{clause.added}"

    def _lying(self, clause: Clause) -> str:
        of_it = f" where {of_kind(clause.of, self.game.groups)}"
        what = clause.by or "kind"
        of = {"": "", "same": f" where it.{what} = first(cards).{what}"}.get(clause.of, of_it)
        with_laid = f" + size({cards_of(clause, self.game.groups)})" if clause.after else ""
        return f"size({self.lying(clause)}{of}){with_laid} {clause.relation} {clause.object}"

    def _at(self, clause: Clause) -> str:
        return f"{self.label} {clause.relation} {clause.object}"

    def _price(self, clause: Clause) -> str:
        if clause.by:
            return self._printed_price(clause)
        said = dict(each.rsplit(" ", 1) for each in clause.object.split("|"))
        prices = {kind: price for name, price in said.items() for kind in kinds_of(name, self.game.groups)}
        self.changes = both(self.changes, {"tables": {_PRICE: {kind: int(price) for kind, price in prices.items()}}})
        free = [kind for kind in self.game.kinds if kind not in prices]
        others = f"any(cards where not ({' or '.join(printed(kind, {}) for kind in prices)})) or " if free else ""
        return f"{others}{self.paid} = sum(cards, {_PRICE}(it.kind))"

    def _printed_price(self, clause: Clause) -> str:
        """Return that the number printed on the cards is paid: those of the line, or of the move right before it."""
        if not clause.object:
            return f"{self.paid} = sum(cards, it.{clause.by})"
        due = self.counter("due", f"{{player}} has to pay {{number}}: that is the {clause.by}", each=True)
        for move in clause.object.split("|"):
            self.more[move].append(f"{due} = sum(cards, it.{clause.by})")
        self.begin_anew(due, [each for each in self.game.moves if each not in clause.object.split("|")])
        self.taken.append(f"one line says all that is paid for a card, right behind it; {CARDS_UNPAID}")
        return f"{due} = 0 or {self.paid} = {due}"

    def _to(self, clause: Clause) -> str:
        if clause.object == "other":
            return "to != player"
        one, other = ("next(to)", "player") if clause.object == "right" else ("to", "next(player)")
        return f"{one} {clause.relation} {other}"

    def _round(self, clause: Clause) -> str:
        now = self.turn_number(of_all=False)
        return f"{now} > {clause.object}" if now else ""
