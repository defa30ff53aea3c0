"""What the parts of a sentence say (`sentence_parts.toml`): each builds conditions of the words that it has."""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from tabletape.dashboard.own_game import card_prices, when_done
from tabletape.dashboard.own_game.composition import LAST, NEAR, Clause
from tabletape.dashboard.own_game.part_reading import APART, Clauses, PartReading
from tabletape.dashboard.own_game.word_lists import word_list

_DOWN: Final = word_list("down")
_SUBJECTS: Final = {"Q": "kind", "V": "number"}
_OWNED: Final = re.compile(r"\b(?:has|have|had|having|holds?|owns?|with)\b(?! to\b)[^,.;:]*$")
"""Behind these stands what somebody has, or a card."""

_APART: Final = re.compile(r" (?:that |which )?(?:you|W|they|he|she|it|is|was)\b")
_OF_ITS_KIND: Final = "(?:of|with|in) (?:the same|one|its|their|that|any|each)(?: own)? Q"
_ELSEWHERE: Final = "(?:on|in|at|of) (?:that|the same|this|its|each|every|any|which|whichever|one)(?: own)? [a-z]"


def read_parts(reading: PartReading) -> None:
    """Read every part of a sentence that says a condition, and take its words away."""
    for pattern, build in _patterns():
        match = pattern.search(reading.rest)
        while match:
            clauses = build(reading, match)
            if clauses is None:
                break
            reading.clauses += [each for each in clauses if each not in reading.clauses]
            reading.takes(match)
            match = pattern.search(reading.rest)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Callable[[PartReading, re.Match[str]], Clauses]], ...]:
    text = files("tabletape.dashboard.own_game").joinpath("sentence_parts.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    return tuple((_pattern(source, tables["pieces"]), _BUILDERS[name]) for name, source in tables["parts"])


def _pattern(source: str, pieces: Mapping[str, str]) -> re.Pattern[str]:
    names = re.compile(rf"\b(?:{'|'.join(pieces)})\b")
    while names.search(source):
        source = names.sub(lambda match: pieces[match[0]], source)
    return re.compile(rf"(?<![\w~'])(?:{source})(?![\w~])")


# -- what lies there ---------------------------------------------------------------------------------------------------


def _empty(reading: PartReading, match: re.Match[str]) -> Clauses:
    return reading.required(Clause("lying", "=", "0", whose=reading.whose(match)), match)


def _size(reading: PartReading, match: re.Match[str]) -> Clauses:
    groups = match.groupdict()
    compared = groups.get("taller", "")
    usual = "<=" if groups.get("room") else "<" if compared in _DOWN else ">" if compared else ">="
    relation, of = reading.relation(match, usual), reading.value(groups.get("k"))
    return reading.required(Clause("lying", relation, reading.value(match["n"]), of, reading.whose(match)), match)


def _has_kind(reading: PartReading, match: re.Match[str]) -> Clauses:
    relation, number = ("=", "0") if match.groupdict().get("none") else (">=", "1")
    clause = Clause("lying", relation, number, reading.value(match["k"]), reading.whose(match))
    found = reading.required(clause, match)
    return [clause._replace(relation="=", object="0")] if found == [clause._replace(relation="<")] else found


def _same_limit(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return how many of one kind may lie there."""
    relation, number = reading.relation(match, ""), int(reading.value(match["n"]))
    if reading.is_denied(match):
        return [Clause("lying", "<=", str(number if relation == ">" else number - 1), "same", reading.whose(match))]
    return [Clause("lying", "<=", str(number), "same", reading.whose(match))] if relation == "<=" else None


def _one_kind(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clauses: what is laid at once, and what lies there, is of one kind."""
    is_one = reading.value(match.groupdict().get("n")) in {"", "1"}
    if reading.is_denied(match) or not is_one or reading.value(match["place"]) in reading.words.by_kind:
        return None
    return [Clause("kind", "=", LAST, whose=reading.whose(match)), Clause("kinds", "=", "1")]


def _at(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return at which of numbered places a move is not, or only, done."""
    is_only = re.search(r"\bonly\b", reading.text) is not None
    is_of_place = reading.value(match["place"]) in reading.words.numbered and not APART.search(reading.text)
    if not is_of_place or reading.is_denied(match) == is_only or len({*re.findall(r"M\d+", reading.text)}) > 1:
        return None
    reading.place = reading.place or reading.named_place(reading.value(match["place"]))
    return [Clause("at", "=" if is_only else "!=", reading.value(match["n"]))]


# -- the card before it ------------------------------------------------------------------------------------------------


def _compared(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return a comparison with the card before it: longer than, of the same colour as."""
    groups, whose = match.groupdict(), _whose_last(reading, match)
    if whose is None:
        return None
    if comparative := groups.get("than"):
        clauses = [_by_number(Clause("number", ">", LAST, whose=whose), comparative, reading.value(groups.get("n")))]
        if groups.get("p1"):
            clauses.append(Clause(_SUBJECTS[groups["p1"]], "=", LAST, whose=whose))
    else:
        relation = "!=" if groups.get("other") else "="
        subjects = [_SUBJECTS[groups[name]] for name in ("p1", "p2") if groups.get(name)]
        clauses = [Clause(subject, relation, LAST, whose=whose) for subject in subjects]
    if re.match(rf" (?:{_OF_ITS_KIND}|{_ELSEWHERE})", reading.rest[match.end() :]):
        return None  # That is not the last card of all, but the last one of its kind, or where nobody knows.
    if comparative in word_list("no_comparative") or not all(reading.is_printed(each.subject) for each in clauses):
        return None
    if of := reading.value(groups.get("last")):
        if {of} != {reading.value(sign) for sign in re.findall(r"K\d+", reading.text)}:
            return None
        clauses = [each._replace(of=of) for each in clauses]
    if reading.is_denied(match) and not reading.is_behind(match, "unless", "until"):
        return [each.opposite for each in clauses]
    reading.join = "or" if len(clauses) > 1 else reading.join
    return clauses


def _near(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return how far the number may be from that of the card before it: `no more than two away`."""
    whose, number = _whose_last(reading, match), reading.value(match["n"])
    is_far, is_even = match["rel"] == "more than", reading.value(match["other"]) in {"", number}
    if whose is None or reading.is_denied(match) is not is_far or not (is_even and reading.is_printed("number")):
        return None
    reading.join = "or" if reading.clauses and match["or"] else reading.join
    return [Clause("number", f"{NEAR} {number}", LAST, whose=whose)]


def _whose_last(reading: PartReading, match: re.Match[str]) -> str | None:
    """Return whose card is the one before it: `the shout before it` is that of anybody; None where none is meant."""
    groups = match.groupdict()
    is_said_apart = re.search(r"\b(?:the|that|your) (?:C_?|one)$", match[0]) and _APART.match(
        reading.rest[match.end() :]
    )
    if is_said_apart:
        return None  # `Of the same kind as the card you take` speaks of that one, wherever the last one lies.
    done = reading.value(groups.get("done"))
    if match["place"] or not (done or groups.get("was")):
        return reading.whose(match)
    is_before = re.search(r"\b(?:before|last|previous|preceding|latest)\b", match[0])
    if done and not (is_before and reading.game.field_of(done, "cards")):
        return None
    return "own" if re.search(r"\b(?:your|own|his|her|their)\b", match[0]) else "all"


def _repeated(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: the kind is not shown again which the player, or the one before, has just shown."""
    whose = "all" if match.groupdict().get("all") else "own"
    return [Clause("kind", "!=", LAST, whose=whose, span="just")] if reading.is_denied(match) else None


def _or_same(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return what is enough beside a comparison with the card before it."""
    if not reading.clauses or reading.clauses[-1].object != LAST:
        return None
    groups, last = match.groupdict(), reading.clauses[-1]
    if groups.get("than"):
        clause = _by_number(last._replace(subject="number"), groups["than"], reading.value(groups.get("n")))
    else:
        clause = last._replace(subject=_SUBJECTS[groups["p1"]], relation="=", more=0)
    if not reading.is_printed(clause.subject):
        return None
    reading.join = "or"
    return [clause]


def _by_number(clause: Clause, comparative: str, more: str) -> Clause:
    """Return a comparison of numbers: `older`, or `one higher`."""
    is_down = comparative in _DOWN
    if more:
        return clause._replace(relation="=", more=-int(more) if is_down else int(more))
    return clause._replace(relation="<" if is_down else ">", more=0)


def _second(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: no kind is laid twice by a player."""
    is_so = match[0].startswith(("no ", "each ")) or reading.is_denied(match)
    return [Clause("lying", "=", "0", "same")] if is_so else None


def _on_kind(reading: PartReading, match: re.Match[str]) -> Clauses:
    return None if reading.is_denied(match) else [Clause("lying", ">=", "1", reading.value(match["k"]), whose="")]


def _followed(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return which kinds alone lie behind one of another kind."""
    if reading.is_denied() or reading.clauses:
        return None
    kinds = "|".join(reading.value(match[name]) for name in ("k2", "k3") if match[name])
    reading.join = "or"
    return [Clause("kind", "=", kinds), Clause("top", "!=", reading.value(match["k"]), whose="")]


def _top(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return which kind the card before it may not have: `after` a card is behind that of anybody."""
    if not reading.is_denied(match) or not re.search(r"\bK\d+", reading.rest[: match.start()]):
        return None
    whose = "all" if re.search(r"\b(?:after|behind)\b", match[0]) else ""
    return [Clause("top", "!=", reading.value(match["k"]), whose=whose)]


# -- what a line says --------------------------------------------------------------------------------------------------


def _to(reading: PartReading, match: re.Match[str]) -> Clauses:
    side = next((side for side in ("left", "right") if match.groupdict().get(side)), "other")
    if not reading.move or not reading.game.field_of(reading.move, "to"):
        return None
    is_self, denied = re.search(r"self\b", match[0]) is not None, reading.is_denied_before(match)
    if denied is None:
        return None  # `the player on your left, and not the bank`
    if side != "other" and denied:
        return [Clause("to", "!=", side)]
    return [Clause("to", "=", side)] if is_self is denied else None


def _said(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return what the number has to be that a line says."""
    groups = match.groupdict()
    comparative = (groups.get("than") or "").partition(" ")[0]
    relation = reading.relation(match, "") or ("<" if comparative in _DOWN else ">" if comparative else "")
    is_told = relation == ">" and not (
        reading.is_denied(match) or re.search(r"\b(?:must|has to|have to)\b", reading.text)
    )
    if not reading.says_number or not relation or is_told or _OWNED.search(reading.text[: match.start()]):
        return None  # `Who has more than nine crumbs puts the rest back` tells when, and says no number.
    clause = Clause("said", relation, reading.value(match["n"]))
    return [clause.opposite if reading.is_denied(match) else clause]


def _said_before(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return the clause: a number is compared with the one that was said before it."""
    apart = reading.words.by_kind | reading.words.several
    if not reading.says_number or any(reading.value(sign) in apart for sign in re.findall(r"P\d+", reading.text)):
        return None  # Of several places nobody knows which number was the one before.
    groups = match.groupdict()
    whose = "own" if re.search(r"\b(?:own|your|same W)\b", match[0]) else "all"
    relation, more = "<" if groups.get("than") in _DOWN else ">", int(reading.value(groups.get("by")) or 0)
    clause = Clause("said", relation, "before", whose=whose, span=reading.restart)
    if reading.is_denied(match):
        return [clause.opposite]
    return [clause._replace(relation=">=", more=more) if more and relation == ">" else clause]


def _per_card(reading: PartReading, match: re.Match[str]) -> Clauses:
    return [Clause("said", "=", "lying", whose=reading.whose(match))] if reading.value(match["n"]) == "1" else None


def _cards(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return how many cards a line names."""
    groups, is_denied = match.groupdict(), reading.is_denied(match)
    of, number = reading.value(groups.get("k")), reading.value(groups.get("most") or groups.get("n"))
    relation = reading.relation(match, reading.usual_count(match))
    if _is_kept(reading, match):
        return None
    is_of_cards = relation and not of and re.search(r"\bC\b", match[0])
    if is_of_cards and reading.says_number and ((place := reading.cleared()) or not reading.names_cards):
        reading.place = reading.place or place
        # `dig 2`: the number is that of the cards. What it is of nobody knows where these lie there: `sail for 3`.
        clause = Clause("lying" if place else "said", relation, number)
        return [clause.opposite if is_denied else clause]
    if not relation or not _names_cards(reading) or (is_denied and relation != ">"):
        return None
    if of and relation in {">=", "="}:
        reading.kind, of = of, ""
    clause = Clause("cards", relation, number, of)
    clause = clause.opposite if is_denied else clause
    if reading.move and not reading.game.is_always_said(reading.move, "cards") and (place := reading.cleared()):
        reading.place = reading.place or place
        return [clause._replace(subject="lying")]  # `to depart` names no cards: it takes those that lie there.
    if reading.move == reading.game.draw and not re.search(r"\b(?:at once|at a time|together)\b", reading.text):
        return [Clause("done", clause.relation, number, of or "cards", span="turn")]  # in one line, or in several
    return [clause]


def _is_kept(reading: PartReading, match: re.Match[str]) -> bool:
    """Return whether a count is that of a hand or of a place, or of no cards."""
    behind = r" (?:(?:in|on) (?:\w+ )?hand|W|P\d|V|coins?|points?|turns?|rounds?|times?)\b"
    behind += r"| (?:(?:are|is|lie|lies) )?(?:in|on|at) (?:it|there|(?:an?|any|each|every|one|the same) P\d)"
    if not re.search(r"\b(?:C|K\d+)\b", match[0]):
        behind += r"| (?!unless\b)[a-z]{3,}s\b"
        behind += r"| (?:\w+ )*(?:(?:in|into|on|onto) (?:\w+ )?P\d|(?:into|on|onto) (?:an?|each|every|any) \w+)"
    is_held = re.search(r"\b(?:hold|keep|held|kept)s?\b[^.;:]*$", reading.rest[: match.start()])
    return bool(is_held or re.match(behind, reading.rest[match.end() :]))


def _names_cards(reading: PartReading) -> bool:
    """Return whether the lines of its move name cards, or it says of what is made of cards how many these are."""
    made = not re.search(r"M\d", reading.text) and re.search(
        r"with (?:an? |the )?K\d+ (?:always )?needs?\b", reading.text
    )
    return bool(made or reading.names_cards)


def _alike(reading: PartReading, match: re.Match[str]) -> Clauses:
    is_with_back = "both" in match[0] and reading.game.field_of(reading.move or "-", "back")
    of_last = re.search(r"\b(?:last|top|topmost|uppermost|previous) C_? $", reading.rest[: match.start()])
    return None if of_last or is_with_back or reading.is_denied(match) else [Clause("kinds", "=", "1")]


def _of_its_kind(reading: PartReading, match: re.Match[str]) -> Clauses:
    """Return nothing: into which of the places of the kinds a card goes is known by the card."""
    return [] if reading.value(match["place"]) in reading.words.by_kind else None


def _together(reading: PartReading, match: re.Match[str]) -> Clauses:
    if not reading.is_denied(match):
        return None
    reading.kind = reading.value(match["k"])
    return [Clause("cards", "=", "0", reading.value(match["k2"]))]


def _aside(reading: PartReading, _match: re.Match[str]) -> Clauses:
    """Return nothing: that cards are laid at once, or before or after one's action, says no more beside how many."""
    return [] if any(each.subject in {"cards", "kinds", "done", "said"} for each in reading.clauses) else None


def _back(reading: PartReading, match: re.Match[str]) -> Clauses:
    is_so = reading.is_denied(match) != bool(match["other"]) and reading.game.field_of(reading.move or "-", "back")
    kinds = {reading.value(sign) for sign in re.findall(r"K\d+", reading.text)}
    is_other = match["k"] and (kinds != {reading.value(match["k"])} or not reading.is_denied(match))
    return [Clause("back", "!=", "kind")] if is_so and not is_other else None


def _unless_kind(reading: PartReading, match: re.Match[str]) -> Clauses:
    reading.freed.append(reading.value(match["k"]))
    return []


def _so(clause: Clause, *, denied: bool) -> Callable[[PartReading, re.Match[str]], Clauses]:
    """Return what builds a condition that is always the same, where a sentence denies its part, or does not."""

    def build(reading: PartReading, match: re.Match[str]) -> Clauses:
        whose = reading.whose(match) if clause.needs_place else "own"
        return [clause._replace(whose=whose)] if reading.is_denied(match) is denied else None

    return build


_BUILDERS: Final[Mapping[str, Callable[[PartReading, re.Match[str]], Clauses]]] = {
    "empty": _empty,
    "size": _size,
    "full": lambda reading, match: [Clause("lying", "<=", reading.value(match["n"]), whose=reading.whose(match))],
    "has-kind": _has_kind,
    "same-limit": _same_limit,
    "already": _so(Clause("lying", "=", "0", "same"), denied=True),
    "one-kind": _one_kind,
    "at": _at,
    "price": card_prices.price,
    "own-price": card_prices.own_price,
    "valued": card_prices.valued,
    "compared": _compared,
    "or-same": _or_same,
    "near": _near,
    "repeated": _repeated,
    "neighbours": _so(Clause("kind", "!=", LAST), denied=True),
    "times": when_done.times,
    "kind-times": when_done.kind_times,
    "actions": when_done.actions,
    "same-action": when_done.same_action,
    "not-both": when_done.not_both,
    "after": when_done.after,
    "next-turn": when_done.next_turn,
    "then": when_done.then,
    "suffered": when_done.suffered,
    "shown": when_done.shown,
    "round": when_done.later,
    "to": _to,
    "said": _said,
    "said-before": _said_before,
    "per-card": _per_card,
    "cards": _cards,
    "alike": _alike,
    "of-its-kind": _of_its_kind,
    "together": _together,
    "alone": _so(Clause("cards", "<=", "1"), denied=False),
    "unless-kind": _unless_kind,
    "no-other": _so(Clause("cards", "<=", "1"), denied=True),
    "aside": _aside,
    "back": _back,
    "different": _so(Clause("kinds", "=", "1"), denied=True),
    "second": _second,
    "on-kind": _on_kind,
    "followed": _followed,
    "top": _top,
    "first": when_done.first,
}
