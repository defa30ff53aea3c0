"""What a composed rule counts: how often a move was done, and what came before it, and which moves begin that anew.

Only lines count of which the rule speaks: of a rule about tides those that lay a tide.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any, Final

from tabletape.dashboard.own_game.cited import listing
from tabletape.dashboard.own_game.composition import Clause, Composition, cards_of, of_kind, printed
from tabletape.dashboard.own_game.forms import fitting
from tabletape.dashboard.own_game.game import OwnGame, both
from tabletape.dashboard.own_game.messages import SAID_SEVERAL
from tabletape.dashboard.own_game.turn_rules import turn_of

_SPANS: Final = {
    "turn": "in this turn",
    "round": "in this round",
    "game": "in the game",
    "row": "in a row",
}


class Counts:
    """The counters of a composition, and by `more` what each move does to them.

    A `_NAME(clause)` returns what has to be so where `NAME` is the subject of the clause.
    """

    def __init__(self, game: OwnGame, composition: Composition) -> None:
        self.game, self.composition, self.move = game, composition, composition.move
        self.changes: dict[str, Any] = {}
        self.taken: list[str] = []
        self.more: dict[str, list[str]] = {move: [] for move in game.moves}
        self.drawn = [game.draw] * (game.draw in game.limitable)

    def _done(self, clause: Clause) -> str:
        span, _, since = clause.span.partition(":")
        if clause.whose == "to" and span != "game":
            return self._to_the_same(clause) if span == "row" and clause.object == "1" else ""
        said = self._sentence(clause, _SPANS.get(span, f"since {since}"))
        counter = self.counter(f"{span}_{clause.of or 'times'}", said, each=clause.whose != "all")
        if clause.span == "turns":
            return self._in_turns_running(clause, counter)
        whose = f"{counter}(to)" if clause.whose == "to" else counter
        by = f"size({cards_of(clause, self.game.groups)})" if clause.of or self._draws_singly() else "1"
        counts = self.where_limited(by, "0")
        if clause.span == "turn":
            for move in self.composition.moves:
                self.more[move].append(f"{counter}(all) = if(it = player, {counter}(it) + {counts}, 0)")
            others = {*self.others(), *self.drawn} - {*self.composition.moves}  # Whoever draws is on turn.
            self.begin_anew(counter, [move for move in self.game.moves if move in others], clause.span)
        elif clause.span == "round":
            if not (now := self.turn_number(of_all=clause.whose == "all")):
                return ""
            when = self.counter("round_of_it", "the round of the last time", each=clause.whose != "all")
            self.more[self.move] += [f"{whose} = 0 when {when} != {now}", f"{when} = {now}", f"{whose} + {counts}"]
            return f"if({when} != {now}, 0, {whose}) + {by} {clause.relation} {clause.object}"
        else:
            anew = self.where_limited(f"{whose} + {by}", "0") if clause.span == "row" else ""
            self.more[self.move].append(f"{whose} = {anew}" if anew.startswith("if") else f"{whose} + {counts}")
            self.begin_anew(counter, self.resetting(clause))
        return f"{whose} + {by} {clause.relation} {clause.object}"

    def _draws_singly(self) -> bool:
        """Return whether it is about draws of one card each: how many lines they are written in says nothing then."""
        told = [each.text for each in self.game.sentences if self.game.is_named(self.move, each.text)]
        singly = any(re.search(r"\b(?:an?|one|the (?:top|next|first)) card\b", text, re.IGNORECASE) for text in told)
        several = any(re.search(rf"\b{SAID_SEVERAL} (?:new )?cards\b", text, re.IGNORECASE) for text in told)
        return self.move == self.game.draw and bool(self.game.field_of(self.move, "cards")) and singly and not several

    def _sentence(self, clause: Clause, span: str) -> str:
        """Return the sentence of a count in a finding, with what it comes to: `it is Ann's 2nd play in a row`."""
        what = (
            f"{self.move} of {self.composition.kind}" if self.composition.kind else " or ".join(self.composition.moves)
        )
        if clause.span == "turns":
            return f"it is the {{nth}} turn in a row with a {what} by {{player}}"
        if clause.of:
            who = {"all": "there are", "to": "{player} is named with"}.get(clause.whose, "{player} has")
            return f"{who} {{total}} cards by {what} {span} with this line"
        which = {"all": "", "to": " that names {player}"}
        own = "the" if clause.whose in which else "{player}'s"
        return f"it is {own} {{nth}} {what}{which.get(clause.whose, '')} {span}"

    def _to_the_same(self, clause: Clause) -> str:
        """Return that it is not done again to the player to whom it was just done; empty where seats are unknown."""
        seats = [*accumulate(range(len(self.game.order) - 1), lambda one, _: f"next({one})", initial="player")]
        if clause.of or len(seats) < 2:
            return ""
        whom = "0"
        for at, seat in enumerate(seats[1:], 1):
            whom = f"if(to = {seat}, {at}, {whom})"
        counter = self.counter("to_whom", "{player} has just done it to the player {number} to the left", each=True)
        self.more[self.move].append(f"{counter} = {whom}")
        self.begin_anew(counter, self.others_with_draw())
        return f"{counter} = 0 or {counter} != {whom}"

    def _in_turns_running(self, clause: Clause, counter: str) -> str:
        """Return in how many turns running there may be the move; empty where nobody knows the turns."""
        if not (now := self.own_turns()):
            return ""
        again = self.counter("again", "in turn {number} {player} would do it in turns in a row", each=True)
        running = f"if({again} = turns, {counter} + 1, if({again} = turns + 1, {counter}, 1))"
        self.more[self.move] += [
            f"{counter} = {self.where_limited(running, counter)}",
            f"{again} = {self.where_limited('turns + 1', again)}",
        ]
        return f"if({again} = {now}, {counter} + 1, 1) {clause.relation} {clause.object}"

    def where_limited(self, value: str, otherwise: str) -> str:
        """Return a value for the lines of which the rule speaks, and another one for the other lines of its move."""
        lines = self.limited_lines()
        if lines and not self.game.is_always_said(self.move, "cards"):
            lines = f"(any(cards) or {self.unsaid()}) and {lines}"
        return f"if({lines}, {value}, {otherwise})" if lines else value

    def limited_lines(self) -> str:
        """Return of which lines of its move the rule speaks, as a condition; empty where it is all of them.

        Where a line does not say its cards, it may be one of these.
        """
        kind, freed = self.composition.kind, [printed(each, self.game.groups) for each in self.composition.freed]
        parts = [f"any(cards where {of_kind(kind, self.game.groups)})"] if kind else []
        parts += [f"no(cards where {each})" for each in freed]
        if parts and not self.game.is_always_said(self.move, "cards"):
            parts[0] = f"(no(cards) or {parts[0]})"
        return " and ".join(parts)

    def _after(self, clause: Clause) -> str:
        if clause.span == "next":
            return self._in_the_next_turn(clause.object)
        if clause.whose == "others":
            return self._after_others(clause)
        name, is_own = f"{clause.object}_{clause.span or 'ever'}", clause.whose == "own"
        when = {"turn": " in this turn", "just": " right before it"}.get(clause.span, " before it")
        said = f"there is {{number}} {clause.object}{' by {player}' if is_own else ''}{when}"
        said = f"the last {clause.object} was in round {{number}}" if clause.span == "round" else said
        counter = self.counter(name, said, each=is_own, of_kind=False)
        done = f"{counter}(all) = if(it = player, 1, 0)" if clause.span == "turn" else f"{counter} = 1"
        if clause.span == "round":
            if not (now := self.turn_number(of_all=not is_own)):
                return ""
            self.more[clause.object].append(f"{counter} = {now}")
            return f"{counter} != {now}"
        self.more[clause.object].append(done)
        passed_over = {self.game.draw} - {*self.others_with_draw()} if clause.span == "just" else {clause.object}
        others = {*self.game.moves} - {clause.object} - passed_over if clause.span else ()
        self.begin_anew(counter, others, clause.span)
        return f"{counter} {'>' if clause.relation == '=' else '='} 0"

    def _after_others(self, clause: Clause) -> str:
        """Return that another player has done a move: in this round, right before, or since the own last turn.

        Empty where nobody knows the rounds. Whose turn it was before is over when another player moves.
        """
        when = {"just": "right before it", "since": "since the last turn of {player}"}.get(clause.span)
        said = f"there is {{number}} {clause.object} by others {when}"
        said = said if when else f"the last {clause.object} by others was in round {{number}}"
        counter = self.counter(f"others_{clause.object}_{clause.span}", said, each=True, of_kind=False)
        now = self.turn_number(of_all=True) if clause.span == "round" else "1"
        if not now:
            return ""
        if clause.span == "since":
            acted = self.counter("acted", "{player} has moved in this turn", each=True, of_move=False)
            for move in self.game.moves:
                self.more[move].append(
                    f"{counter}(all) = if(it = player, {counter}(it), if({acted}(it) = 1, 0, {counter}(it)))"
                )
                self.more[move].append(f"{acted}(all) = if(it = player, 1, 0)")
        elif clause.span == "just":
            others = {*self.others_with_draw(), self.move} - {clause.object}
            for move in (each for each in self.game.moves if each in others):
                self.more[move].append(f"{counter}(all) = 0")
        mine = "0" if clause.span == "just" else f"{counter}(it)"
        self.more[clause.object].append(f"{counter}(all) = if(it = player, {mine}, {now})")
        return f"{counter} {clause.relation} {now}"

    def _in_the_next_turn(self, other: str) -> str:
        """Return that it is not the next turn of who has done another move; empty where nobody knows the turns."""
        if not (now := self.own_turns()):
            return ""
        said = f"{{player}} has done {other} in the turn before"
        banned = self.counter(f"behind_{other}", said, each=True, of_move=False)
        self.more[other].append(f"{banned} = turns + 1")
        return f"if({banned} = {now}, {banned}, 0) = 0"

    def _of_turns(self) -> list[str]:
        """Return the moves that are what one does in a turn, by the file or by the sentence that lists them."""
        raw = self.game.raw["move"]
        if "actions" in self.game.raw.get("turn", {}):
            return [move for move in raw if not (raw[move].get("owed") or raw[move].get("free"))]
        lists = [each for each in self.game.sentences if (form := fitting(each, self.game)) and form.name == "actions"]
        words = [word for each in lists for word in listing(each, self.game.sentences)]
        named = [move for move in raw if any(self.game.is_named(move, word) for word in words)]
        return named if len(named) > 1 else []

    def _suffered(self, clause: Clause) -> str:
        counter = self.counter(
            f"{clause.object}_suffered", f"{clause.object} has just been done to {{player}}", each=True, of_move=False
        )
        self.begin_anew(counter, {*self.game.moves} - {self.game.draw})
        self.more[clause.object].append(f"{counter}(to) = 1")
        return f"{counter} = 0"

    def _shown(self, clause: Clause) -> str:
        counter = self.counter(
            f"{clause.object}_shown", f"{{number}} {clause.object} was shown before", each=False, of_move=False
        )
        for move in self.game.moves:
            if self.game.field_of(move, "cards"):
                shown = of_kind(clause.object, self.game.groups)
                self.more[move].append(f"{counter} = 1 when any(cards where {shown})")
        return f"{counter} > 0"

    def _then(self, clause: Clause) -> str:
        counter = self.counter("just_done", f"{{player}} has just done {self.move}", each=True)
        self.more[self.move].append(f"{counter} = {self.where_limited('1', '0')}")
        self.begin_anew(counter, dict.fromkeys((*self.others(), clause.object)))
        return f"{counter} = 0"

    # -- counters ------------------------------------------------------------------------------------------------------

    def counter(self, name: str, says: str, *, each: bool, of_move: bool = True, of_kind: bool = True) -> str:
        """Return the counter of a name, which the file has from now on: one for each way in which lines are limited.

        `says` is what findings say of it.
        """
        limits = [self.composition.kind, *self.composition.freed] if of_move and of_kind else []
        counter = re.sub(r"\W", "_", "_".join([self.move, *filter(None, limits), name]) if of_move else name)
        self.changes = both(
            self.changes,
            {"counters": {counter: {"start": 0, **({"each": True} if each else {}), "shown": False, "says": says}}},
        )
        return counter

    def begin_anew(self, counter: str, moves: Iterable[str], span: str = "") -> None:
        """Write down that some moves set a counter to 0; of a turn, for the other players: it goes on in that.

        The draw with which a turn begins sets it to 0 for all.
        """
        anew = f"{counter}(all) = if(it = player, {counter}(it), 0)" if span == "turn" else f"{counter} = 0"
        for move in moves:
            self.more[move].append(f"{counter}(all) = 0" if span == "turn" and move == self.drawn_first else anew)

    @cached_property
    def drawn_first(self) -> str:
        """The draw with which a turn begins by a sentence, whatever that says more; empty where none says so."""
        forms = (fitting(each, self.game) for each in self.game.sentences)
        return self.game.draw if any(form is not None and form.name == "draws-first" for form in forms) else ""

    def unsaid(self) -> str:
        """Return a condition of which nobody knows whether it holds."""
        self.changes = both(self.changes, {"counters": {"unsaid": {"says": "what nobody has said"}}})
        return "unsaid > 0"

    def others(self) -> list[str]:
        """Return the other moves but for draws."""
        return [move for move in self.game.moves if move not in {self.move, self.game.draw}]

    def others_with_draw(self) -> list[str]:
        """Return the other moves, the draw among them where it is one may do instead of them."""
        begins = "draws-first" in self.game.said or "first" in self.game.raw.get("turn", {})
        draw = [move for move in self.game.limitable if move == self.game.draw != self.move and not begins]
        return [*self.others(), *draw]

    def resetting(self, clause: Clause) -> list[str]:
        """Return the moves behind which a count begins anew: all others in a row, or the one that is named."""
        if clause.span == "row":
            return self.others_with_draw()
        named = clause.span.partition(":")[2]
        return [named] if named in self.game.moves else []

    def turn_number(self, *, of_all: bool) -> str:
        """Return the round by the turns of the file, or, of one player alone, how many turns that player has had.

        Empty where nobody knows it.
        """
        turn, taken = turn_of(self.game, {})
        if "turn" in self.game.raw or ("says" in turn["turn"] and turn["turn"].get("actions", 1) == 1):
            self.changes = both(self.changes, turn)
            self.taken += [each for each in taken if each not in self.taken]
            return "round"
        return "" if of_all else self.own_turns()

    def own_turns(self) -> str:
        """Return how many turns a player has had, with the one of the line; empty where nobody knows the turns.

        A turn begins with a move of turns of whoever is not on turn, and with the draw that comes first.
        """
        if not self.game.has_turns:
            return ""
        turns = self.counter("turns", "it is {player}'s {nth} turn", each=True, of_move=False)
        on = self.counter("on_turn", "{player} is on turn", each=True, of_move=False)
        first = self.drawn_first
        for move in dict.fromkeys((*(self._of_turns() or self.game.moves), *filter(None, [first]))):
            begun = f"{turns} + 1" if move == first else f"{turns} + 1 when {on} = 0"
            effects = (begun, f"{on}(all) = if(it = player, 1, 0)")
            self.more.setdefault(move, []).extend(each for each in effects if each not in self.more.get(move, ()))
        return f"({turns} + if({on} = 0, 1, 0))"
