"""What the parts of a sentence say of when and how often a move is done."""

import re
from collections.abc import Mapping
from typing import Final

from tabletape.dashboard.own_game.composition import Clause
from tabletape.dashboard.own_game.messages import ORDINALS
from tabletape.dashboard.own_game.part_reading import Clauses, PartReading

_MORE_ACTIONS: Final = re.compile(
    r"\b(?:extra|additional|another|further|bonus|third|fourth|fifth) (?:\w+ )?actions?\b", re.IGNORECASE
)
_HOW_LONG: Final = {
    r"(?:in|on|during) (?:the same|that|this|their|your) turn": "turn",
    r"(?:for the rest of|in|during) (?:the|that|this|the same) round": "round",
    r"(?:for the rest of|in) the game": "",
    r"(?:any ?more|any longer|ever again|no more|again)": "",
}
"""How long a ban holds, by its words."""

_LASTS: Final = re.compile(r"\b(?:turn|round|until|unless|before|next|first|last|except\w*|if|while|same)\b")
_MAY_NOT: Final = re.compile(r"\b(?:may|must|can) (?:not|never) M\d+|\b(?:cannot|can't|mustn't) M\d+")


def times(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return how often a move may be done in a turn, a round, the game, or without another between."""
    groups, said = match.groupdict(), match["times"]
    number = {"once": 1, "one time": 1, "twice": 2}.get(said) or int(reading.value(said.partition(" ")[0]) or 2)
    relation, is_denied = reading.relation(match, ""), reading.is_denied(match)
    number -= is_denied and not relation
    is_limit = is_denied or relation == "<=" or re.search(r"\b(?:only|may|can|most)\b", reading.text)
    if not is_limit or number < 1 or (relation in {">", ">="} and not is_denied):
        return None
    if re.search(r"\b(?:must(?! not)|has to|have to)\b", reading.rest):
        return None
    if groups.get("row") and not (is_denied or relation == "<="):
        return None
    running = "turns" if said.endswith("turns") else "row"
    span = groups.get("span") or (running if not relation or groups.get("row") else "game")
    if since := reading.value(groups.get("since")):
        reading.moves_before.add(since)
        span = f"since:{since}"
    is_same = re.search(r"\b(?:the )?same W\b", reading.text) if reading.game.field_of(reading.move, "to") else None
    if is_same:
        reading.spans.append(is_same.span())
    whose = "to" if is_same else "all" if re.search(r"\b(?:all together|in total)\b", reading.rest) else "own"
    return [Clause("done", "<=", str(number), whose=whose, span=span)]


def kind_times(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return how many cards, or cards of a kind, are laid in a turn or longer."""
    relation, is_denied = reading.relation(match, ""), reading.is_denied(match)
    if relation != ("<=" if not is_denied else ">"):
        return None
    of = reading.value(match["k"]) or "cards" * bool(reading.game.field_of(reading.move or "-", "cards"))
    return [Clause("done", "<=", reading.value(match["n"]), of, span=match["span"])]


def actions(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return how many of the moves that the rulebook lists as actions are done in a turn; none where it frees more."""
    listed, relation, is_denied = reading.game.actions, reading.relation(match, "="), reading.is_denied(match)
    others = (each.text for each in reading.game.sentences if each.text != reading.sentence.text)
    is_of_all = len(listed) == len([move for move in reading.game.moves if move != reading.game.draw])
    number = reading.value(match["most"] or match["n"])
    if len(listed) < 2 or is_of_all or any(map(_MORE_ACTIONS.search, others)):
        return None
    if is_denied is not (relation == ">") or relation in {">=", "<"} or number == "1":
        return None  # One action in a turn, or each move as one, is what a turn is.
    reading.together = listed
    return [Clause("done", "<=", number, span="turn")]


def same_action(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: none of the moves that the rulebook lists as actions is done twice in a turn."""
    listed = reading.game.actions
    if len(listed) < 2 or not reading.is_denied():
        return None
    clause = Clause("done", "<=", "1", span=match["span"])
    reading.together = listed[:1]
    reading.also = [(move, clause) for move in listed[1:]]
    return [clause]


def not_both(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: of two moves one is not done behind the other in the same turn."""
    one, other = reading.value(match["one"]), reading.value(match["other"])
    if not reading.is_denied() or one == other:
        return None
    reading.together = [one]
    reading.also = [(other, Clause("after", "!=", one, span="turn"))]
    return [Clause("after", "!=", other, span="turn")]


def after(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: another move comes before: some time, or right before."""
    groups, other = match.groupdict(), reading.value(match["other"])
    is_thing = re.fullmatch(r"(?:an?|the|any|some) [a-z]+", groups.get("what") or "")
    is_of_some = is_thing and reading.game.field_of(other, "cards", "kind")
    if is_of_some or len({reading.value(sign) for sign in re.findall(r"M\d+", reading.rest)}) < 2:
        return None  # `before a sun was played` is about some of its lines, and nobody knows which.
    word, span = groups.get("when") or "before", "just" * bool(groups.get("just"))
    if groups.get("turn"):
        word, span = "after", "turn"
    others = groups.get("others")
    if others is not None and not (span := span or _of_others(reading, groups, others)):
        return None
    is_anybody = re.search(r"\b(?:somebody|someone|anybody)\b", match[0]) or groups.get("what")
    if reading.is_denied(match):
        relation = "=" if word in {"until", "unless", "before"} else "!="
        said = None if span or relation == "=" else _how_long(reading, is_of_all=is_anybody is not None)
        if said is None and not span and relation == "!=":
            return None  # Nobody knows for how long.
        span = span or said or ""
    elif word in {"if", "when"} and not re.search(r"\b(?:only|first)\b", reading.rest):
        return None  # `If you call, you must sell`: what has to be done then may be done else, too.
    elif groups.get("here") or re.search(r"\b(?:only|must|has to|have to|need)\b", reading.rest):
        relation = "="
    else:
        return None
    reading.moves_before.add(other)
    whose = "others" if others is not None else "all" if is_anybody else "own"
    return [Clause("after", relation, other, whose=whose, span=span)]


def _of_others(reading: PartReading, groups: Mapping[str, str | None], others: str) -> str:
    """Return since when another player has done a move: `since` the own last turn, `round`, `just`; empty where unsaid.

    What the next player may not do then is banned behind that move alone.
    """
    if groups.get("since"):
        return "since"
    if "next W" in others:
        reading.spans += [each.span() for each in re.finditer(r"\b(?:in|on) (?:\S+ )?turn\b", reading.text)]
        return "just"
    said = re.search(r"(?:^| )(?:in|during) (?:this|that|the|the same) round(?= [,.;]|$)", reading.text)
    reading.spans += [said.span()] if said else []
    return "round" if said else ""


def _how_long(reading: PartReading, *, is_of_all: bool) -> str | None:
    """Return how long a ban holds behind another move: `turn`, `round`, empty for the game; None where it is unsaid.

    What nobody may do any more after somebody has done the other is banned for the game.
    """
    for pattern, span in _HOW_LONG.items():
        if said := re.search(rf"(?:^| ){pattern}(?= [,.;]|$)", reading.text):
            reading.spans.append(said.span())
            return span
    is_of_nobody = re.search(r"\b(?:nobody|no W|no one)\b", reading.text)
    return "" if is_of_all and is_of_nobody and not _LASTS.search(reading.text) else None


def next_turn(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: it is not done in the turn behind the one in which another move was done."""
    other = reading.value(match.groupdict().get("other"))
    if not other:
        return [] if any(each.span == "next" for each in reading.clauses) else None
    banned = _MAY_NOT.search(reading.text)
    is_next = "turn after" in match[0] or re.search(r"\b(?:next|following) turn\b", reading.text)
    if not banned or not is_next or re.search(r"\b(?:unless|except|only|until)\b", reading.text):
        return None
    reading.moves_before |= {reading.value(sign) for sign in re.findall(r"M\d+", match[0])}
    return [Clause("after", "!=", other, span="next")]


def first(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: another move comes first."""
    reading.moves_before.add(reading.value(match["other"]))
    return None if reading.is_denied(match) else [Clause("after", "=", reading.value(match["other"]))]


def then(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: another move has to come next."""
    other = reading.value(match["other"])
    if reading.value(match["here"]) == other or reading.is_denied(match):
        return None
    reading.moves_before.add(other)
    return [Clause("then", "=", other)]


def suffered(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: it is not done by whom another move has just hit."""
    other = reading.value(match["other"])
    if not reading.is_denied() or not reading.game.field_of(other, "to"):
        return None
    reading.moves_before.add(other)
    return [Clause("suffered", "!=", other)]


def shown(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: a card of a kind was shown before."""
    if reading.is_denied() and not re.match(r"until|unless|before", match[0]):
        return None
    within = {reading.value(sign) for sign in re.findall(r"M\d+", match[0])}
    outside = {reading.value(sign) for sign in re.findall(r"M\d+", reading.text.replace(match[0], ""))}
    if not within and not reading.is_denied(match):
        return None
    reading.moves_before |= within - outside
    return [Clause("shown", "=", reading.value(match["k"]), whose="all")]


def later(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: it is done in later rounds only."""
    groups = match.groupdict()
    if not reading.is_denied() and groups.get("from") != "from":
        return None
    later = ORDINALS[groups["nth"]] - 1 if groups.get("nth") else int(reading.value(groups.get("n")) or 1)
    return [Clause("round", ">", str(later))]
