"""Rules about a turn: what it begins with, how many moves it has, how many cards are kept at its end, what is dealt."""

import re
from collections.abc import Mapping
from typing import Any, Final

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import AWAY, DRAWN, DRAWS, GIVES, SWAPS
from tabletape.dashboard.own_game.game import (
    Blanks,
    FirstRule,
    OwnGame,
    both,
    doing,
    doing_more,
    need,
    stated,
    usual_effects,
)
from tabletape.dashboard.own_game.messages import SAID_RANGE

NO_ORDER: Final = (
    "most moves of the log do not follow each other in the order of the players: theirs is another, or lines are not "
    "read, or it tells of too few turns"
)
"""Why nobody knows whose turn it is."""

_CHANGES_HAND: Final = re.compile(
    rf"\b(?:(?:{'|'.join(sorted(DRAWS))})s? (?:\w+ )?(?:\d+|cards?)|(?:{'|'.join(sorted(AWAY | GIVES | SWAPS))})s?)\b",
    re.IGNORECASE,
)
"""So a remark beside a move says that a hand is another one."""

_LOOKED_AT: Final = "it is looked at before the same player moves again"

_FEWER: Final = re.compile(r"\b(?:up to|at most|may|bis zu)\b", re.IGNORECASE)


def draw_first(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule:
    """Return the rule that a turn begins with a draw."""
    changes, taken = turn_of(game, {"draws-first": (blanks, sentence)})
    return FirstRule(changes, taken)


def actions(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule:
    """Return the rule that a turn has so many moves, and the next player is on turn then."""
    changes, taken = turn_of(game, {"actions": (blanks, sentence)})
    is_drawn = blanks.get("draws") == "y"
    owed = {move for move in game.moves if game.raw["move"][move].get("owed")} - {game.draw}
    moves = ", ".join(move for move in game.moves if move not in owed and (move != game.draw or is_drawn))
    fewer = ", or fewer of them" * ("fewer" in changes["turn"])
    order = f"the players take turns in the order {', '.join(game.order) or 'in which the map of each chat has them'}"
    taken = (f"the moves are {moves}{fewer}", order, *taken)
    return FirstRule(changes, taken)


def hand_limit(game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule that so many cards are kept at the end of a turn; None where nobody knows what a hand holds."""
    number = blanks["number"]
    changes, taken = turn_of(game, {})
    if (dealt := deal_elsewhere(game)) is None:
        return None
    changes, taken = both(changes, dealt.changes), (*taken, *dealt.taken)
    for move in game.moves:
        if "does" not in game.raw["move"][move] and (effects := usual_effects(game, move)):
            changes = both(changes, doing(move, effects))
            taken += (f"{move}: {', '.join(effects).replace(' -> ', ' to ')}",)
        elif "does" not in game.raw["move"][move] and move not in {game.draw, *quiet_for_hands(game, sentence)}:
            taken += (f"nobody knows what {move} does to a hand, so behind it nothing is told",)
    taken += tuple(f"{move} changes no hand" for move in quiet_for_hands(game, sentence))
    if game.draws and game.draw not in {*game.moves, *changes.get("move", ())}:
        changes = both(changes, {"move": _draw_move(game)})
    away = next((move for move in game.moves if move in AWAY), "discard")
    owed = {"owed": True} if away in game.moves else {**doing(away, ["card -> discards"])["move"][away], "owed": True}
    if away not in game.moves:
        owed["fields"] = {"card": "card of hand"}
    if behind := _behind(game, sentence):
        return FirstRule(_hand_behind(game, changes, (behind, away), (sentence, number)), (*taken, _LOOKED_AT))
    last = stated(sentence, move=away, unless=f"size(hand) <= {number}")
    changes = both(changes, {"zones": {"discards": "shared"}, "move": {away: owed}, "turn": {"last": last}})
    if not {"says"} & {*game.raw.get("turn", {}), *changes["turn"]}:
        changes["turn"] |= stated(sentence)
    return FirstRule(changes, taken)


def _hand_behind(
    game: OwnGame, changes: Mapping[str, Any], moves: tuple[str, str], limit: tuple[CiteSentence, str]
) -> dict[str, Any]:
    """Return the tables of a limit of the hand behind one move, the other of which throws cards away.

    What is drawn stands behind the move in its line, so it is looked at before the same player moves again.
    """
    (behind, away), (sentence, number) = moves, limit
    done, open_hand = f"{behind}_on", "top(hand) -> discards when unsaid > 0"
    says = {
        done: {"start": 0, "each": True, "shown": False, "says": f"{{player}} did {behind}"},
        "unsaid": {"says": "what nobody has said"},
    }
    tables = both(changes, {"counters": says, "zones": {"discards": "shared"}})
    others = [move for move in game.moves if move not in {away, game.draw}]
    unknown = {move for move in others if _is_open(game, move)}.difference(quiet_for_hands(game, sentence))
    more = {move: [f"{done} = {int(move == behind)}", *([open_hand] if move in unknown else [])] for move in others}
    tables = both(tables, doing_more(game, tables, more))
    tables = both(tables, {"move": {away: {"owed": True}}})  # Whose turn is over may still throw cards away.
    for move in others:
        tables = both(tables, need(move, "hand", f"size(hand) <= {number}", sentence, f"{done} = 1"))
    return tables


def _behind(game: OwnGame, sentence: CiteSentence) -> str:
    """Return the move behind which alone a hand is looked at, as in `after resting`; empty for the end of any turn."""
    said = re.search(r"\bafter (\w+ing)\b", sentence.text, re.IGNORECASE)
    return next((move for move in game.moves if said and game.is_named(move, said[1])), "")


def quiet_for_hands(game: OwnGame, sentence: CiteSentence) -> list[str]:
    """Return the moves that may leave hands as they are: a person has to say so.

    These are the ones of which the file says what they do, and not that a hand changes; where a hand is looked at
    behind one move alone, also those that name no cards.
    """
    named = [move for move in game.moves if _behind(game, sentence) and _is_open(game, move)]
    silent = [move for move in named if not game.field_of(move, "cards", "card") and move != game.draw]
    told = [move for move in game.moves if "does" in game.raw["move"][move] and not _touches_hand(game, move)]
    return [move for move in game.moves if move in {*silent, *told}]


def _is_open(game: OwnGame, move: str) -> bool:
    """Return whether neither the file nor what a move is called says what it does."""
    return "does" not in game.raw["move"][move] and not usual_effects(game, move)


def hand_lacks(game: OwnGame) -> str:
    """Return what nobody knows without which nobody knows what a hand holds at the end of a turn; empty if nothing."""
    if "actions" not in {**game.raw.get("turn", {}), **turn_of(game, {})[0]["turn"]}:
        return "nobody knows where a turn ends: watch first the sentence that says how many moves it has"
    if deal_elsewhere(game) is None:
        return "nobody knows how many cards are dealt: watch first the sentence that says so"
    if beside := next((text for _, _, text in game.beside if _CHANGES_HAND.search(text)), ""):
        return f"a line says \u201c{beside}\u201d beside a move, which changes a hand: say it again as several moves"
    moves = [move for move in game.moves if _may_touch_hand(game, move)]
    return f"nobody knows what {', '.join(moves)} {'do' if len(moves) > 1 else 'does'} to a hand" if moves else ""


def _touches_hand(game: OwnGame, move: str) -> bool:
    """Return whether the file says what a move does to the hand of its player; one that is a draw always does."""
    does, cards = (
        game.raw["move"][move].get("does", ["hand"]),
        game.raw["move"][move].get("fields", {}).get("cards", ""),
    )
    return any("hand" in each or ("cards" in each and "hand" in str(cards)) for each in does)


def _may_touch_hand(game: OwnGame, move: str) -> bool:
    return not _touches_hand(game, move) and bool(game.field_of(move, "cards"))


def turn_of(game: OwnGame, own: Mapping[str, tuple[Blanks, CiteSentence]]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return what the file says of a turn by its `own` sentences, and by others of the rulebook that belong to it.

    Whose turn it is nobody knows who does not know how many moves it has, and whether a draw is one of them.
    """
    turn, taken, said = game.raw.get("turn", {}), [], dict(own)
    if not game.has_turns:
        return {"turn": {}, "move": {}}, ()
    for name, key in (("actions", "actions"), ("draws-first", "first")):
        if name not in own and key not in turn and name in game.said:
            said[name] = game.said[name]
            taken.append(quoted(said[name][1]))
    changes: dict[str, Any] = {"turn": {}, "move": {}}
    if "actions" in said:
        blanks, sentence = said["actions"]
        fewer = blanks["number"] != "1" and (_FEWER.search(sentence.text) or SAID_RANGE.search(sentence.text))
        changes["turn"] = stated(sentence, actions=int(blanks["number"]), **({"fewer": True} if fewer else {}))
    if "draws-first" in said:
        blanks, sentence = said["draws-first"]
        times = {} if blanks["number"] == "1" else {"times": int(blanks["number"])}
        changes["turn"] |= {"first": stated(sentence, move=game.draw, **times, unless="no(deck)")}
        changes["move"] |= _draw_move(game, owed=True)
        if not {"says"} & {*turn, *changes["turn"]}:
            changes["turn"] |= stated(sentence)
    elif "actions" in said and (draws := said["actions"][0].get("draws", "")) in {"y", "n"}:
        changes["move"] |= _draw_move(game, owed=False, free=draws == "n")
        taken += ["a draw is none of these"] if draws == "n" else []
    elif "actions" in said and game.draw in game.moves and not turn.get("first"):
        changes["move"] |= {game.draw: {"owed": False}}  # Whether it is one of them is left open.
    return changes, tuple(taken)


def _draw_move(game: OwnGame, **how: bool) -> dict[str, Any]:
    return {game.draw: {**how, **({} if game.draw in game.moves else DRAWN)}}


def deal(_game: OwnGame, blanks: Blanks, sentence: CiteSentence) -> FirstRule:
    """Return the rule that everybody begins with so many cards."""
    changes = {"deal": stated(sentence, zone="hand", count=int(blanks["number"]))}
    return FirstRule(changes)


def deal_elsewhere(game: OwnGame) -> FirstRule | None:
    """Return the deal by another sentence of the rulebook, nothing of it where the file has one; None if unsaid."""
    if "deal" in game.raw:
        return FirstRule({})
    if "deal" not in game.said:
        return None
    blanks, sentence = game.said["deal"]
    return deal(game, blanks, sentence)._replace(taken=(quoted(sentence),))


def quoted(sentence: CiteSentence) -> str:
    """Return a sentence of the rulebook with its place."""
    return f"\u201c{sentence.own}\u201d ({sentence.cite})"
