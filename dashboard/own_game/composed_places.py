"""The place that a composed rule looks at, as a file says it, and what the moves do to the cards that lie there."""

import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Final

from tabletape.dashboard.own_game.composed_counts import Counts
from tabletape.dashboard.own_game.composition import Clause, Composition, of_kind
from tabletape.dashboard.own_game.game import PLACES, OwnGame, both
from tabletape.dashboard.own_game.messages import ORDINALS, TAKEN_WORDS
from tabletape.dashboard.own_game.place_effects import EFFECTS, EFFECTS_TOLD, NOTHING, OTHERS, UNKNOWN
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.signs import in_signs
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

_MOST_SEATS: Final = 6
_OF_CARDS: Final = frozenset({"adds", "adds to", "takes"})
"""What a move does with the cards that its line names."""


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
    label = RulePlaces(game, composition).label
    return [move for move, effect in effects.items() if label and effect != NOTHING and not game.field_of(move, label)]


class RulePlaces(Counts):
    """The counters of a composition, and its place: one for all, for each player, for each kind or number."""

    def __init__(self, game: OwnGame, composition: Composition) -> None:
        super().__init__(game, composition)
        self.place = place_of(game, composition)
        words = words_of(game)
        self.is_by_kind = composition.place in words.by_kind
        self.is_one_of_several = composition.place in words.several
        self.label = next((each for each in game.labels if each in forms_of(composition.place)), "")
        self.label = self.label if composition.place in words.numbered else ""
        self.clears: list[str] = []

    def lay_places(self, effects: Mapping[str, str]) -> bool:
        """Write down what the moves do to the place, as somebody has said; return whether any lays cards there."""
        zones = self.game.raw.get("zones", {})
        if self.is_one_of_several or (self.is_by_kind and not self._key(self.move)):
            return False  # Nobody knows which of them a line is about.
        if self.place in zones:
            return self.is_by_kind is ("per kind" in str(zones[self.place]))
        if not any(each.startswith("adds") for each in effects.values()) or not self._cleared_by_itself():
            return False
        kind = "shared" if self.composition.is_common else "open"
        kind += " per kind" * self.is_by_kind + f" per {_NUMBERED}" * bool(self.label)
        self.changes = both(self.changes, {"zones": {self.place: kind, "discards": "shared"}})
        for move, group, said in self._rows(effects):
            effect, place = self._effect_there(move, said)
            if not place and effect != NOTHING:
                return False  # Of several places nobody knows which one it changes.
            guards = [*self._guards(move, effect, place), *self._of_group(move, group)] if EFFECTS[effect] else []
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
        whose = "to" if effect.endswith(" to") else "own"
        place = self._there(key or repr(self.game.kinds[0]), whose) if self.is_by_kind else self._numbered(move, whose)
        effect = UNKNOWN if effect != NOTHING and not place else effect
        if self.label or self.is_by_kind:
            effect = effect.removesuffix(" to")  # The place says already whose it is.
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

    def _guards(self, move: str, effect: str, place: str) -> list[str]:
        """Return what makes an effect unknown where the line leaves out the cards or the player that it is about."""
        named = self.is_by_kind and effect not in {NOTHING, UNKNOWN}
        by_cards = effect in {"adds", "adds to", "takes"} or (named and "cards" in self._key(move))
        needed = {"cards": by_cards, "to": " to" in effect or "(to," in place, "kind": named and not by_cards}
        fields = [each for each, is_so in needed.items() if is_so and not self.game.is_always_said(move, each)]
        guards = [f"({self.is_said(name)} or {self.unsaid()})" for name in fields]
        if effect == "takes":
            guards.append(f"(size(cards) < 2 or {self.unsaid()})")  # it finds one card there, and no further ones
        if by_cards and self.is_by_kind:
            guards.append(f"(all(cards, it.kind = first(cards).kind) or {self.unsaid()})")
        return guards

    def _numbered(self, move: str, whose: str) -> str:
        """Return the place that a move is about, by its number where there are several; empty where no line says it."""
        said = self.game.field_of(move, self.label) if self.label else ""
        return self._there(said, whose) if said or not self.label else ""

    def _there(self, key: str, whose: str) -> str:
        """Return a place as an expression: that of its number or kind, and of the player who is named or moves."""
        owner = "" if self.composition.is_common or not key else "to" if whose == "to" else "player"
        keys = ", ".join(filter(None, (owner, key)))
        return f"{self.place}({keys})" if keys else self.place

    def _key(self, move: str) -> str:
        """Return which of the places of the kinds a move is about, as an expression; empty where no line says it."""
        field = self.game.field_of(move, "cards", "kind")
        return "first(cards).kind" if field == "cards" else field

    def is_said(self, field: str) -> str:
        """Return the condition of a line that says a field."""
        return f"any({field})" if field in {"cards", "back"} else f"{field} != nothing"

    def lying(self, clause: Clause) -> str:
        """Return the place of a condition as an expression."""
        if self.is_by_kind:
            return self._there(self._key(self.move), clause.whose)
        if self.label:
            return self._numbered(self.move, clause.whose)
        return f"{self.place}(to)" if clause.whose == "to" else self.place
