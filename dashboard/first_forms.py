"""The forms of sentences that rule files know: what a sentence of a rulebook may say, and the tables that say it.

A form is recognised by words; what of it the sentence leaves open, a person is asked. Nothing of it is written before a
person has said that it is meant so.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.dashboard.first_file import AWAY, GIVES, LAYS, SWAPS
from tabletape.dashboard.first_look import TAKEN_WORDS, CiteSentence, number_of
from tabletape.events.importing.maps.counted import forms_of
from tabletape.events.importing.maps.move_words import forms_of_verb

Blanks = Mapping[str, str]
"""What is filled into a form: a move, a kind of card, another one, a number."""

PLACES: Final = {"laid": "open", "discards": "shared"}
"""Where cards go that are laid before a player, or away."""

_WORD: Final = re.compile(r"[^\W_][\w'-]*")


class OwnGame(NamedTuple):
    """A game as its file says it, and the sentences of its rulebook: what forms are filled with."""

    raw: Mapping[str, Any]
    sentences: Sequence[CiteSentence] = ()
    draws: bool = False

    @property
    def moves(self) -> list[str]:
        """The names of its moves."""
        return [*self.raw.get("move", {})]

    @property
    def kinds(self) -> list[str]:
        """The kinds of its cards."""
        return [str(each) for each in self.raw.get("cards", {}).get("kind", ())]

    def field_of(self, move: str, *names: str) -> str:
        """Return the first of some fields that a move has; empty where it has none of them."""
        fields = self.raw.get("move", {}).get(move, {}).get("fields", {})
        return next((name for name in names if name in fields), "")

    def is_always_said(self, move: str, field: str) -> bool:
        """Return whether every line of a move says a field."""
        said = self.raw["move"][move].get("fields", {}).get(field, "?")
        return not str(said["is"] if isinstance(said, Mapping) else said).rstrip().endswith("?")


class FirstRule(NamedTuple):
    """A sentence as a form says it: in words, the tables that say it, what is taken for granted beside it."""

    words: str
    changes: Mapping[str, Any]
    taken: tuple[str, ...] = ()


class Form(NamedTuple):
    """A form of sentences: what it says in words with its blanks, the words by which it is known, how it is written."""

    name: str
    words: str
    known_by: re.Pattern[str]
    build: Callable[[OwnGame, Blanks, CiteSentence], FirstRule | None]

    @property
    def blanks(self) -> list[str]:
        """What has to be filled in, in its order."""
        return re.findall(r"\{(\w+)\}", self.words)


def filled_from(form: Form, game: OwnGame, text: str) -> dict[str, str]:
    """Return what of a form's blanks a sentence says."""
    words = [word.casefold() for word in _WORD.findall(text)]
    forms = {each for word in words for each in forms_of_verb(word)}
    called = {move: {move, *game.raw["move"][move].get("called", ())} for move in game.moves}
    moves = [move for move, names in called.items() if names & forms]
    laying = [move for move in game.moves if game.field_of(move, "cards")]
    if "kind" in form.blanks and not moves and len(laying) == 1:
        moves = laying
    singular = [form_ for word in words for form_ in forms_of(word)]
    kinds = sorted((kind for kind in game.kinds if kind in singular), key=singular.index)
    numbers = [str(number) for word in words if (number := number_of(word))]
    numbers += ["1"] * bool(re.search(r"\b(?:a|an|eine) (?:new )?(?:card|karte)\b", text, re.IGNORECASE))
    found = {"move": moves[:1], "kind": kinds[:1], "other": kinds[1:2], "number": numbers[:1]}
    return {name: found[name][0] for name in form.blanks if found[name]}


def fitting(game: OwnGame, sentence: CiteSentence) -> Form | None:
    """Return the form that a sentence has by its words; None where it has none."""
    return next((form for form in FORMS if form.known_by.search(sentence.text)), None)


# -- how forms are written ---------------------------------------------------------------------------------------------


def _stated(sentence: CiteSentence, **more: Any) -> dict[str, Any]:
    return {**more, "says": sentence.text, "cite": sentence.cite}


def _need(move: str, name: str, that: str, sentence: CiteSentence) -> dict[str, Any]:
    return {"move": {move: {"needs": {name: _stated(sentence, that=that)}}}}


def _several(game: OwnGame, move: str) -> str:
    """Return the field with the cards of a move, empty where a line names one at most."""
    return game.field_of(move, "cards")


def _alone(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move, kind = blanks["move"], blanks["kind"]
    if not _several(game, move):
        return None
    that = f"size(cards) <= 1 or no(cards where it.kind = '{kind}')"
    return FirstRule(f"whoever does `{move}` with a {kind} does it with no other card", _need(move, f"{kind}-alone", that, sentence))


def _at_most(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move, number = blanks["move"], blanks["number"]
    if not _several(game, move):
        return None
    words = f"`{move}` with at most {number} card{'s' * (number != '1')} at once"
    return FirstRule(words, _need(move, "at-most", f"size(cards) <= {number}", sentence))


def _at_least(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move, number = blanks["move"], blanks["number"]
    if not _several(game, move):
        return None
    that = f"no(cards) or size(cards) >= {number}"
    return FirstRule(f"`{move}` with at least {number} cards at once", _need(move, "at-least", that, sentence))


def _same(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move = blanks["move"]
    if not _several(game, move) or not game.kinds:
        return None
    that = "no(cards) or all(cards, it.kind = first(cards).kind)"
    return FirstRule(f"all cards of one `{move}` are of the same kind", _need(move, "same-kind", that, sentence))


def _never(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move, kind = blanks["move"], blanks["kind"]
    field = game.field_of(move, "cards", "card")
    if not field:
        return None
    that = f"no(cards where it.kind = '{kind}')" if field == "cards" else f"card.kind != '{kind}'"
    return FirstRule(f"nobody does `{move}` with a {kind}", _need(move, f"no-{kind}", that, sentence))


def _other_kind(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move = blanks["move"]
    if not (game.field_of(move, "card") and game.field_of(move, "back") and game.kinds):
        return None
    that = "card.kind != back.kind"
    return FirstRule(f"the two cards of one `{move}` are of different kinds", _need(move, "other-kind", that, sentence))


def _other_player(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move = blanks["move"]
    if not game.field_of(move, "to"):
        return None
    optional = "" if game.is_always_said(move, "to") else "?"
    field = _stated(sentence, **{"is": f"other player{optional}"})
    return FirstRule(f"nobody does `{move}` with oneself", {"move": {move: {"fields": {"to": field}}}})


def _first_round(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    changes, taken = _turn(game, {})
    changes = _both(changes, _need(blanks["move"], "not-first", "round > 1", sentence))
    if "turn" not in game.raw and "says" not in changes["turn"]:
        return None  # Nobody knows when the round is over.
    return FirstRule(f"nobody does `{blanks['move']}` in the first round", changes, taken)


def _once(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move, number = blanks["move"], blanks["number"]
    counter = f"{move}_done".replace("-", "_")
    does = game.raw["move"][move].get("does")
    changes = _both(_need(move, "so-often", f"{counter} < {number}", sentence), {"counters": {counter: {"start": 0, "each": True}}})
    changes = _both(changes, _doing(move, [*(_usual_effects(game, move) if does is None else does), f"{counter} + 1"]))
    often = {"1": "once", "2": "twice"}.get(number, f"{number} times")
    return FirstRule(f"each player does `{move}` at most {often} in a game", changes)


def _lies(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move, kind, other = blanks["move"], blanks["kind"], blanks["other"]
    if not _several(game, move) or not game.is_always_said(move, "cards"):
        return None
    changes, taken, place = _laid(game, move)
    that = f"no(cards where it.kind = '{kind}') or any({place} where it.kind = '{other}')"
    changes = _both(changes, _need(move, f"{kind}-on-{other}", that, sentence))
    return FirstRule(f"`{move}` with a {kind} only where the same player has laid a {other} before", changes, taken)


def _no_second(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    move = blanks["move"]
    if not _several(game, move) or not game.is_always_said(move, "cards") or not game.kinds:
        return None
    changes, taken, place = _laid(game, move)
    that = f"all(cards, no({place} where it.kind = first(cards).kind))"
    changes = _both(changes, _need(move, "no-second", that, sentence))
    return FirstRule(f"nobody does `{move}` with a kind that the same player has laid before", changes, taken)


def _laid(game: OwnGame, move: str) -> tuple[dict[str, Any], tuple[str, ...], str]:
    """Return the place before each player where the cards of a move go, what is taken for that, its name."""
    own = [str(each) for each in game.raw["move"][move].get("does", ())]
    place = next((each.partition("-> ")[2] for each in own if each.startswith("cards -> ")), "")
    if place:
        return {}, (), place
    changes, taken = _doing(move, ["cards -> laid"]), [f"the cards of `{move}` stay before the player"]
    for each in game.moves:
        if each != move and "does" not in game.raw["move"][each]:
            changes = _both(changes, _doing(each, _usual_effects(game, each)))
            taken.append(f"`{each}` changes nothing of what lies there")
    return changes, tuple(taken), "laid"


def _doing(move: str, effects: Sequence[str]) -> dict[str, Any]:
    """Return the tables by which a move has effects, with the places that these need."""
    places = {place: seen for place, seen in PLACES.items() if any(each.endswith(f"-> {place}") for each in effects)}
    return {"move": {move: {"does": [*effects]}}, **({"zones": places} if places else {})}


def _usual_effects(game: OwnGame, move: str) -> list[str]:
    """Return what a move does to cards by what it is called; nothing where not all of that is said in each line."""
    field, to, back = game.field_of(move, "cards", "card"), game.field_of(move, "to"), game.field_of(move, "back")
    if not all(game.is_always_said(move, each) for each in (field, to, back) if each) or not field:
        return []
    if move in LAYS | AWAY and not to:
        return [f"{field} -> {'laid' if move in LAYS else 'discards'}"]
    if move in GIVES | SWAPS and to:
        return [f"{field} -> hand(to)", *(["back -> hand"] if back else [])]
    return []


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables laid over others."""
    laid = dict(one)
    for key, value in other.items():
        laid[key] = _both(laid[key], value) if isinstance(laid.get(key), Mapping) and isinstance(value, Mapping) else value
    return laid


# -- turns, draws, hands -----------------------------------------------------------------------------------------------


def _draw_first(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    changes, taken = _turn(game, {"draws-first": (blanks, sentence)})
    return FirstRule(f"a turn begins with a draw of {blanks['number']}, as long as there is a deck", changes, taken)


def _actions(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    changes, taken = _turn(game, {"actions": (blanks, sentence)})
    number, fewer = blanks["number"], "at most " * ("fewer" in changes["turn"])
    what = " or ".join(move for move in game.moves if not game.raw["move"][move].get("owed"))
    taken = ("the next player is on turn then, in the order in which they first moved in the chat", *taken)
    return FirstRule(f"{fewer}{number} of these a turn: {what}", changes, taken)


def _hand_limit(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    number = blanks["number"]
    changes, taken = _turn(game, {})
    if "deal" not in game.raw:
        deal = _said_elsewhere(game, DEAL)
        dealt = _deal(game, *deal) if deal else None
        if deal is None or dealt is None:
            return None  # Nobody knows how many cards there are in a hand at first.
        changes = _both(changes, dealt.changes)
        taken += (f"\u201c{deal[1].text}\u201d ({deal[1].cite})",)
    for move in game.moves:
        if "does" not in game.raw["move"][move] and (effects := _usual_effects(game, move)):
            changes = _both(changes, _doing(move, effects))
            taken += (f"`{move}`: {', '.join(effects).replace(' -> ', ' to ')}",)
    if "draw" not in {*game.moves, *changes.get("move", ())}:
        changes = _both(changes, {"move": _draw_move()})
    away = next((move for move in game.moves if move in AWAY), "discard")
    owed = {"owed": True} if away in game.moves else {**_doing(away, ["card -> discards"])["move"][away], "owed": True}
    if away not in game.moves:
        owed["fields"] = {"card": "card of hand"}
    last = _stated(sentence, move=away, unless=f"size(hand) <= {number}")
    changes = _both(changes, {"zones": {"discards": "shared"}, "move": {away: owed}, "turn": {"last": last}})
    if not {"says"} & {*game.raw.get("turn", {}), *changes["turn"]}:
        changes["turn"] |= _stated(sentence)
    return FirstRule(f"at the end of a turn nobody holds more than {number} cards; the rest goes away", changes, taken)


def _turn(
    game: OwnGame, own: Mapping[str, tuple[Blanks, CiteSentence]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what the file says of a turn by its `own` sentences, and by others of the rulebook that belong to it.

    Whose turn it is nobody knows who does not know how many moves it has, and whether a draw is one of them.
    """
    turn, taken = game.raw.get("turn", {}), []
    said = dict(own)
    for form, key in ((FORM_OF["actions"], "actions"), (FIRST_DRAW, "first")):
        if form.name not in own and key not in turn and (other := _said_elsewhere(game, form)):
            said[form.name] = other
            taken.append(f"\u201c{other[1].text}\u201d ({other[1].cite})")
    changes: dict[str, Any] = {"turn": {}, "move": {}}
    if "actions" in said:
        blanks, sentence = said["actions"]
        fewer = blanks["number"] != "1" and re.search(r"\b(?:up to|at most|may|bis zu)\b", sentence.text, re.IGNORECASE)
        changes["turn"] = _stated(sentence, actions=int(blanks["number"]), **({"fewer": True} if fewer else {}))
    if "draws-first" in said:
        blanks, sentence = said["draws-first"]
        times = {} if blanks["number"] == "1" else {"times": int(blanks["number"])}
        changes["turn"] |= {"first": _stated(sentence, move="draw", **times, unless="no(deck)")}
        changes["move"] |= _draw_move(owed=True)
        if not {"says"} & {*turn, *changes["turn"]}:
            changes["turn"] |= _stated(sentence)
    elif (draws := said.get("actions", ({}, None))[0].get("draws", "")) in {"y", "n"} and draws:
        changes["move"] |= _draw_move(free=draws == "n")
        taken.append(f"a draw is {'one' if draws == 'y' else 'none'} of these")
    return changes, tuple(taken)


def _said_elsewhere(game: OwnGame, form: Form) -> tuple[dict[str, str], CiteSentence] | None:
    """Return the sentence of the rulebook that has a form and says all of it, with its blanks."""
    for each in game.sentences:
        if fitting(game, each) is form and {*form.blanks} <= {*(blanks := filled_from(form, game, each.text))}:
            return blanks, each
    return None


def _draw_move(**how: bool) -> dict[str, Any]:
    return {"draw": {**how, "fields": {"card": "card of deck"}, "does": ["card -> hand"]}}


def _deal(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    if "number" not in blanks:
        return None
    changes = {"deal": _stated(sentence, zone="hand", count=int(blanks["number"]))}
    return FirstRule(f"everybody begins with {blanks['number']} cards in hand", changes)


def _costs(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    words = [word.casefold() for word in _WORD.findall(sentence.text)]
    at = next((place for place, word in enumerate(words) if str(number_of(word)) == blanks["number"]), -1)
    thing = re.sub(r"\W", "_", (forms_of(words[at + 1])[-1] if at + 1 < len(words) else "") or "points")
    if thing in TAKEN_WORDS or thing in game.moves:
        return None
    move = blanks["move"]
    changes = {"move": {move: {"costs": _stated(sentence, **{thing: int(blanks["number"])})}}}
    if thing not in game.raw.get("counters", {}):
        changes["counters"] = {thing: {"each": True}}
    return FirstRule(f"`{move}` costs {blanks['number']} {thing}", changes, ("how many everybody has at first is not known",))


def _known_by(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


FIRST_DRAW: Final = Form(
    "draws-first",
    "a turn begins with a draw of {number}",
    _known_by(
        r"\bdraws? (?:\w+ ){0,3}first\b", r"\bfirst,? (?:\w+ ){0,3}draws?\b", r"\bbegins? (?:\w+ ){0,4}(?:by drawing|with a draw)",
        r"\b(?:start|beginning) of (?:\w+ ){0,3}turn,? (?:\w+ ){0,3}draws?\b", r"\bdraws? (?:\w+ ){0,6}(?:start|beginning) of",
        r"\bturn (?:begins|starts) (?:by|with) draw",
    ),
    _draw_first,
)
DEAL: Final = Form(
    "deal",
    "everybody begins with {number} cards in hand",
    _known_by(
        r"\b(?:begins?|starts?) with (?:\w+ ){0,2}cards?\b", r"\bdealt? (?:\w+ ){0,6}cards?\b", r"\bdeals? (?:\w+ ){0,6}cards?\b",
        r"\b(?:receives?|gets?|takes?|draws?) (?:\w+ ){0,3}cards? (?:at the (?:start|beginning)|to begin)",
    ),
    _deal,
)

FORMS: Final = (
    Form(
        "alone",
        "to {move} a {kind} is to {move} no other card beside it",
        _known_by(r"\balone\b", r"\bby (?:itself|themselves)\b", r"\bon (?:its|their) own\b", r"\b(?:not|never|may not) (?:\w+ ){0,3}(?:together )?with (?:any )?other"),
        _alone,
    ),
    FIRST_DRAW,
    Form(
        "hand-limit",
        "at the end of a turn nobody holds more than {number} cards",
        _known_by(r"\bhand limit\b", r"\b(?:holds?|keeps?|has|have) (?:\w+ ){0,2}(?:more than|at most|up to) \w+(?: cards)?", r"\bmore than \w+ cards (?:in|on) (?:\w+ )?hand", r"\bat most \w+ cards (?:in|on) (?:\w+ )?hand"),
        _hand_limit,
    ),
    Form(
        "actions",
        "{number} of the moves in a turn, then the next player",
        _known_by(
            r"\b(?:one|two|three|four|\d) (?:\w+ )?(?:things?|actions?|moves?) (?:(?:in|on|per|each|every|during) )?(?:\w+ )?turn",
            r"\bturn\b.{0,60}\b(?:one|two|three|four|\d) (?:of (?:the(?:se)?|\w+)|things?|actions?|moves?)\b",
            r"\bturn\b.{0,40}\b(?:plays?|lays?|places?|puts?) (?:exactly )?(?:one|a) card\b", r"\b(?:one|a) card (?:each|in turn|per turn|a turn)\b",
            r"\bone thing\b",
        ),
        _actions,
    ),
    Form("at-most", "to {move} at most {number} cards at once", _known_by(r"\b(?:at most|up to|no more than|not more than|maximum of) \w+ (?:cards?|of|at)\b", r"\b(?:one|1) (?:to|or) (?:two|three|four|\d) (?:\w+ )?cards?\b"), _at_most),
    Form("at-least", "to {move} at least {number} cards at once", _known_by(r"\bat least (?:two|three|four|five|\d)\b"), _at_least),
    Form("lies", "to {move} a {kind} only where the player has laid a {other} before", _known_by(r"\bonly (?:\w+ ){0,4}(?:on|onto|after|if|when|where|beside|next to)\b", r"\bneeds? (?:a|an|one)\b", r"\bmust (?:\w+ ){0,3}(?:first|before)\b"), _lies),
    Form("no-second", "to {move} no kind that the player has laid before", _known_by(r"\bsecond time\b", r"\bno(?:t|body|t have)? (?:\w+ ){0,4}(?:two|twice) (?:\w+ ){0,2}(?:same|alike|equal)", r"\b(?:same|kind) (?:\w+ ){0,3}(?:twice|again)\b", r"\beach kind (?:only )?once\b", r"\balready (?:has|have|lies|owns?)\b"), _no_second),
    Form("same-kind", "to {move} at once only cards of one kind", _known_by(r"\b(?:of|all) (?:the )?(?:one|same) (?:kind|colou?r|suit|type|sort)\b", r"\ball alike\b", r"\bsame (?:kind|colou?r|suit|type|sort)\b"), _same),
    Form("other-kind", "to {move} only a card for one of another kind", _known_by(r"\b(?:different|another|other) (?:kind|colou?r|suit|type|sort)\b"), _other_kind),
    Form("other-player", "nobody does {move} with oneself", _known_by(r"\banother player\b", r"\bnot (?:\w+ ){0,4}(?:oneself|yourself|themselves|himself|herself)\b", r"\bown (?:hand|cards)\b.{0,20}\bnever\b"), _other_player),
    Form("never", "nobody does {move} with a {kind}", _known_by(r"\b(?:is|are|may|can|must|will) (?:never|not)(?: be)?\b", r"\bcannot be\b", r"\bnobody may\b"), _never),
    Form("once", "each player does {move} at most {number} times in a game", _known_by(r"\b(?:once|twice|\w+ times) (?:in|per|a|each|every|during) (?:\w+ )?game\b"), _once),
    Form("not-first-round", "nobody does {move} in the first round", _known_by(r"\bfirst round\b"), _first_round),
    DEAL,
    Form("costs", "to {move} costs {number}", _known_by(r"\bcosts?\b", r"\bpays?\b"), _costs),
)
"""The forms, in the order in which a sentence is held against them."""

FORM_OF: Final = {form.name: form for form in FORMS}
