"""The tables of a composed rule: its condition, the counters that it reads, and what moves do to the cards there."""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composed_counts import Counts
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
from tabletape.dashboard.own_game.game import PLACES, FirstRule, OwnGame, both, doing_more, need
from tabletape.dashboard.own_game.messages import ORDINALS, TAKEN_WORDS
from tabletape.dashboard.own_game.place_effects import (
    EFFECTS,
    EFFECTS_TOLD,
    NOTHING,
    OTHERS,
    UNKNOWN,
    guessed_effects,
)
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.signs import in_signs
from tabletape.dashboard.own_game.stocks import paid_field
from tabletape.dashboard.own_game.wording import is_binding, is_permission
from tabletape.events.importing.maps.counted import forms_of
from tabletape.events.rules_file.cards import UNCOUNTED

_BY_ITSELF: Final = re.compile(
    r"(?:when|if|as soon as|once)\b.*\b(?:over|ends?|new|clear(?:ed|s)?|away|aside|discarded|removed|emptied|"
    r"(?:into|in|to) the (?:box|bag|discard \w+))\b"
)
"""So a sentence tells that what lies in a place goes away by itself."""

_FULL: Final = re.compile(
    rf"(?:when|if|as soon as|once) (?:(?P<n>N\d+)|the (?P<nth>{'|'.join(ORDINALS)})) C (?:\w+ )*?"
    r"(?:in|on|into|onto) (?:the )?P\d+"
)
"""So one says at how many cards that is: `when the third card is laid on the stage`."""

_NUMBERED: Final = 20
"""So many places of a name may be told apart; of a number above it nobody is accused."""

_PRICE: Final = "price"
CARDS_UNPAID: Final = "a card for which no line pays accuses nobody"
_MOST_SEATS: Final = 6
_OF_CARDS: Final = frozenset({"adds", "adds to", "takes"})
"""What a move does with the cards that its line names."""


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


def place_of(game: OwnGame, composition: Composition) -> str:
    """Return what the zone of a composition's place is called in the file of its game."""
    zones = game.raw.get("zones", {})
    does = [str(each) for each in game.raw["move"].get(composition.move, {}).get("does", ())]
    laid = next((match[1] for each in does if (match := re.match(r"cards -> (\w+)", each))), "")
    if laid in zones and str(zones[laid]).startswith("shared") == composition.is_common and laid not in PLACES:
        return laid  # What is only taken for granted, `laid`, says nothing of what other moves do there.
    word = re.sub(r"\W", "_", composition.place.casefold())
    kept = TAKEN_WORDS | {*game.moves, *game.kinds, *game.properties, *game.raw.get("counters", {}), "cards", "to"}
    name = word if word not in kept and word.isidentifier() else f"{word}_row"
    is_shared = str(zones[name]).startswith("shared") if name in zones else composition.is_common
    return name if is_shared == composition.is_common else f"{name}_pile"


def is_laid_out(game: OwnGame, composition: Composition) -> bool:
    """Return whether the file of a game says already what its moves do to the place of a composition."""
    return place_of(game, composition) in game.raw.get("zones", {})


def leaving_open(game: OwnGame, composition: Composition, effects: Mapping[str, str]) -> list[str]:
    """Return the moves that do something to one of the numbered places of a composition, and whose lines say no number.

    Behind such a line nobody knows what lies in any of them.
    """
    label = _Tables(game, composition).label
    return [move for move, effect in effects.items() if label and effect != NOTHING and not game.field_of(move, label)]


class _Tables(Counts):
    """The tables that say a composition, as they are put together."""

    def __init__(self, game: OwnGame, composition: Composition) -> None:
        super().__init__(game, composition)
        self.place = place_of(game, composition)
        words = words_of(game)
        self.is_by_kind = composition.is_common and composition.place in words.by_kind
        self.is_one_of_several = composition.is_common and composition.place in words.several
        self.label = next((each for each in game.labels if each in forms_of(composition.place)), "")
        self.label = self.label if composition.place in words.numbered else ""
        self.paid = paid_field(game, self.move)
        self.applies: list[str] = []
        self.clears: list[str] = []
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

    # -- places --------------------------------------------------------------------------------------------------------

    def lay_places(self, effects: Mapping[str, str]) -> bool:
        """Write down what the moves do to the place, as somebody has said; return whether any lays cards there."""
        zones = self.game.raw.get("zones", {})
        if self.is_one_of_several or (self.is_by_kind and not self._key(self.move)):
            return False  # Nobody knows which of them a line is about.
        if self.place in zones:
            return True
        if not any(each.startswith("adds") for each in effects.values()) or not self._cleared_by_itself():
            return False
        kind = f"shared{' per kind' * self.is_by_kind}" if self.composition.is_common else "open"
        kind += f" per {_NUMBERED}" * bool(self.label)
        self.changes = both(self.changes, {"zones": {self.place: kind, "discards": "shared"}})
        for move, group, said in self._rows(effects):
            effect, place = self._effect_there(move, said)
            if not place and effect != NOTHING:
                return False  # Of several places nobody knows which one it changes.
            guards = [*self._guards(move, effect), *self._of_group(move, group)] if EFFECTS[effect] else []
            guards += self._unless_named(move, effect) if not group else []
            for each in EFFECTS[effect]:
                when = " and " if " when " in each else " when "
                self.more[move].append(each.format(place=place) + (when + " and ".join(guards) if guards else ""))
            self.more[move] += self.clears if effect == "adds" else []
            self.more[move] += self._of_others(move, effect) if not group else []
            if effect not in {NOTHING, UNKNOWN}:
                named = f"{move} with {group}" if group else move
                self.taken.append(f"{named} {EFFECTS_TOLD[effect].format(place=self.composition.place)}")
        if self.clears or any("discards" in each for effect in effects.values() for each in EFFECTS[effect]):
            self.changes = both(self.changes, {"cards": {"copies": UNCOUNTED}})  # What went away may be shuffled in.
        quiet = [each for each, effect in effects.items() if effect == NOTHING]
        if quiet:
            self.taken.append(f"{', '.join(quiet)}: nothing of what lies there changes")
        return True

    def _of_others(self, move: str, effect: str) -> list[str]:
        """Return what makes the places of others unknown, as far as a move may change these, too.

        That is so where its line may name another one, or nobody knows what it does, and the rulebook tells of others.
        """
        if self.composition.is_common or self.is_by_kind or self.label:
            return []
        if effect == "adds" and self.game.field_of(move, "to"):
            return [f"top({self.place}(to)) -> discards when to != nothing and {self.unsaid()}"]
        told = (each.text for each in self.game.sentences if self.game.is_named(move, each.text))
        if effect != UNKNOWN or not any(re.search(r"\b(?:another|other)\b", text, re.IGNORECASE) for text in told):
            return []
        seats = accumulate(range(len(self.game.order) or _MOST_SEATS), lambda one, _: f"next({one})", initial="player")
        return [f"top({self.place}({one})) -> discards when {self.unsaid()}" for one in [*seats][1:-1]]

    def _unless_named(self, move: str, effect: str) -> list[str]:
        """Return what leaves open where cards lie whose line names a player: it may be the place of that one."""
        may_name = effect == "adds" and self.game.field_of(move, "to") and not self.composition.is_common
        return [f"(to = nothing or {self.unsaid()})"] if may_name else []

    def _cleared_by_itself(self) -> bool:
        """Write down at how many cards the place is cleared by itself; return whether no sentence leaves that open."""
        words = words_of(self.game)
        for each in self.game.sentences:
            signs = in_signs(each.text, self.game, words)
            named = {form for sign in re.findall(r"P\d+", signs.text) for form in forms_of(signs.values[sign])}
            is_so = _BY_ITSELF.match(signs.text) and self.composition.place in named and not is_binding(each.text)
            full = _FULL.match(signs.text)
            if not is_so or (full is None and re.search(r"M\d", signs.text)):
                continue
            is_one = self.composition.is_common and not (self.is_by_kind or self.label)
            if full is None or is_permission(each.text) or not is_one:
                return False
            number = ORDINALS.get(full["nth"]) or signs.values[full["n"]]
            self.clears = [f"{self.place} -> discards when size({self.place}) >= {number}"]
            self.taken.append(f"the {self.composition.place} is cleared when {number} cards lie there")
        return True

    def _rows(self, effects: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
        """Yield what each move does, apart for each group of cards where it is said so: move, group, effect."""
        for move in self.game.moves:
            begun = f"{move} with "
            apart = [(each.removeprefix(begun), said) for each, said in effects.items() if each.startswith(begun)]
            for group, effect in apart or [("", effects.get(move, UNKNOWN))]:
                yield move, group, effect

    def _effect_there(self, move: str, said: str) -> tuple[str, str]:
        """Return what a move does, unknown where its lines do not say with what or where, and the place as it is."""
        effect, key = said.removesuffix(" to") if self.composition.is_common else said, self._key(move)
        effect = UNKNOWN if self.is_by_kind and effect != NOTHING and not key else effect
        place = f"{self.place}({key or repr(self.game.kinds[0])})" if self.is_by_kind else self._numbered(move, effect)
        effect = UNKNOWN if effect != NOTHING and not place else effect
        effect = effect.removesuffix(" to") if self.label else effect  # The place says already whose it is.
        if effect in _OF_CARDS and not self.game.field_of(move, "cards"):
            self.taken.append(f"{move} names no card in the chat, so nobody knows which one it {effect}")
            effect = UNKNOWN
        if effect == UNKNOWN:
            self.unsaid()
        return effect, place

    def _of_group(self, move: str, group: str) -> list[str]:
        """Return the condition of a line that lays cards of a group, or of none; none where it is of all."""
        if not group:
            return []
        if group == OTHERS:
            named = " or ".join(of_kind(each, self.game.groups) for each in self.game.groups)
            return [f"no(cards where {named})"]
        said = f"any(cards where {of_kind(group, self.game.groups)})"
        return [said if self.game.is_always_said(move, "cards") else f"({said} or no(cards) and {self.unsaid()})"]

    def _guards(self, move: str, effect: str) -> list[str]:
        """Return what makes an effect unknown where the line leaves out the cards or the player that it is about."""
        named = self.is_by_kind and effect not in {NOTHING, UNKNOWN}
        by_cards = effect in {"adds", "adds to", "takes"} or (named and "cards" in self._key(move))
        named = named and not by_cards
        fields = [name for name, needed in (("cards", by_cards), ("to", " to" in effect), ("kind", named))
                  if needed and not self.game.is_always_said(move, name)]  # fmt: skip
        guards = [f"({self._is_said(name)} or {self.unsaid()})" for name in fields]
        if effect == "takes":
            guards.append(f"(size(cards) < 2 or {self.unsaid()})")  # it finds one card there, and no further ones
        if by_cards and self.is_by_kind:
            guards.append(f"(all(cards, it.kind = first(cards).kind) or {self.unsaid()})")
        return guards

    def _numbered(self, move: str, effect: str) -> str:
        """Return the place that a move is about, by its number where there are several; empty where no line says it."""
        if not self.label:
            return self.place
        said = self.game.field_of(move, self.label)
        whose = "" if self.composition.is_common else "to, " if effect.endswith(" to") else "player, "
        return f"{self.place}({whose}{said})" if said else ""

    def _key(self, move: str) -> str:
        """Return which of the places of the kinds a move is about, as an expression; empty where no line says it."""
        field = self.game.field_of(move, "cards", "kind")
        return "first(cards).kind" if field == "cards" else field

    def _is_said(self, field: str) -> str:
        return f"any({field})" if field in {"cards", "back"} else f"{field} != nothing"

    def lying(self, clause: Clause) -> str:
        """Return the place of a condition as an expression."""
        if self.is_by_kind:
            return f"{self.place}({self._key(self.move)})"
        if self.label:
            return self._numbered(self.move, "to" if clause.whose == "to" else "")
        return f"{self.place}(to)" if clause.whose == "to" else self.place

    # -- the condition -------------------------------------------------------------------------------------------------

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
        fields |= {"kind"} if "(kind)" in that else set()
        fields |= {"back"} if "no(back" in that else set()
        fields |= {"to"} if "(to)" in that or " to " in f" {that} " else set()
        left_out = [
            name for name in sorted(fields) if not all(self.game.is_always_said(each, name) for each in self.limited)
        ]
        if not left_out:
            return that
        # Of moves without effects it is sure; what comes back for what is given may be named by nobody.
        if not self.composition.needs_place and not any(self.more.values()) and "back" not in left_out:
            self.applies = [self._is_said(name) for name in left_out]
            return " or ".join([*(f"not {each}" for each in self.applies), f"({that})"]) if self.is_owed else that
        guards = [f"({self._is_said(name)} or {self.unsaid()})" for name in left_out]
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
