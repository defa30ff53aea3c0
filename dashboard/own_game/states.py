"""Sentences about what lasts: who holds a thing that only one player has, a crown; what stays so for a while, lit.

Which moves begin and end it is told by the rulebook as far as that goes, and a person is asked. Where a line may have
changed it, nobody knows how it is from there on, and nobody is accused.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.composition import Composition, group_words, of_kind
from tabletape.dashboard.own_game.game import FirstRule, OwnGame, both, doing_more, need
from tabletape.dashboard.own_game.messages import WORD, number_of
from tabletape.dashboard.own_game.place_effects import NOTHING, UNKNOWN
from tabletape.dashboard.own_game.rulebook_words import words_of
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.dashboard.own_game.word_lists import word_list
from tabletape.dashboard.own_game.wording import denials, is_permission
from tabletape.events.importing.maps.move_words import forms_of_verb

_HAS: Final = r"(?:holds?|has|have|keeps?|wears?|carry|carries|(?:is|are) (?:holding|wearing|carrying))"
_HELD: Final = re.compile(rf"\b{_HAS} the (?P<thing>[a-z]+)\b")
_TAKEN: Final = re.compile(
    r"\b(?:takes?|taking|gets?|receives?|wins?|gains?|claims?|steals?|picks? up) the (?P<thing>[a-z]+)\b"
)
_LASTS: Final = re.compile(r"\b(?:while|as long as) (?:an?|the|any) (?P<thing>[a-z]+) (?:is|are) (?P<how>[a-z]+)\b")
_NO_STATE: Final = frozenset(["empty", "full", "over", "left", "not", "no", "in", "on", "at", "there", "still", "your"])
_NOBODYS: Final = re.compile(
    r"\bto nobody\b|\bnobody(?:'s)? (?:has|holds|owns|wears)\b|\bnobody\b.*\b(?:at first|yet)\b"
)
_AT_FIRST: Final = re.compile(r"\b(?:youngest|oldest|first player|starting|starts?|begins?|beginning|at first)\b")
_PASSED: Final = (
    r"(?:gives?|pass(?:es)?|hands?|returns?|loses?|puts?|swaps?|moves?|drops?|leaves?|removes?|discards?) "
    r"(?:\w+ )?(?:the )?{thing}\b|\b{thing} (?:goes|moves|passes|returns|comes|wanders|is "
    r"(?:passed|given|handed|returned|taken|lost|put|moved|laid|stolen))\b"
)
"""So a sentence tells that a thing changes hands, in other words than that it is taken."""

_ENDS: Final = re.compile(
    r"\b(?:goes|go|is|are|put|puts|falls?) (?:out|dark|off|away|over|shut|closed|down)\b|\bno longer\b|"
    r"\b(?:ends?|stops?|disappears?|removed)\b"
)
_ONLY: Final = re.compile(r"\bonly\b")
_NOBODY_ELSE: Final = re.compile(
    r"\b(?:nobody|no one|no-one|no other \w+|no others) (?:else )?(?:may|can|is allowed to)\b"
)
_MAY_SPEAK: Final = re.compile(
    rf"\b(?:{_HAS}|taken) the [a-z]|"
    r"\b(?:while|as long as|if|when(?:ever)?|unless) (?:an?|the|any|another) \w+ (?:is|are) "
)
"""Without these words a sentence has no condition of a state."""

_USUAL: Final = re.compile(r",? (?:as well as|besides|in addition to) [^.;]*\busual\b[^.;,]*")
"""What a sentence says so holds anyhow, by the sentence that says how it is usually."""

_WHEN: Final = frozenset(["when", "whenever", "if", "as", "soon", "by", "is", "are", "has", "have", "turn", "own"])
_COUNTS: Final = re.compile(r"\b(?:also|too|again|extra|another|instead|twice|more|free|additional\w*|without|than)\b")
"""With these words a permission gives more than is usual, and forbids nobody what is usual."""

_QUIET: Final = frozenset(
    re.findall(
        r"\w+",
        "whoever who you they he she it a an the player players somebody someone anybody one may must can cannot not "
        "never nobody no is are allowed to do does then at once card cards also of in on your their his her",
    )
)


class State(NamedTuple):
    """What lasts: a `thing` that one player holds, or `how` a thing is for a while, which is so for the table."""

    thing: str
    how: str = ""

    @property
    def counter(self) -> str:
        """What its counter is called in a file: 1 while it is so, 0 else."""
        return f"{self.thing}_{self.how or 'held'}"

    @property
    def says(self) -> str:
        """What findings say of it."""
        return f"{{number}} {self.thing} is {self.how}" if self.how else f"{{player}} holds {{number}} {self.thing}"

    @property
    def shown(self) -> str:
        """What is so while it lasts, in words."""
        return f"the {self.thing} is {self.how}" if self.how else f"the player holds the {self.thing}"

    @property
    def asked(self) -> str:
        """What is asked of its moves, in words."""
        return f"When {self.shown}, and when no longer:" if self.how else f"Who holds the {self.thing}:"

    @property
    def begins(self) -> str:
        """What a move does by which it is so."""
        return "begins it" if self.how else "takes it"

    @property
    def ends(self) -> str:
        """What a move does by which it is so no longer."""
        return "ends it" if self.how else "puts it back"

    def effects(self, game: OwnGame) -> tuple[str, ...]:
        """Return what a move may do to it: by each of its lines, or by those with a card that is named."""
        cards = [*map(str, game.properties.get("number", ())), *game.kinds, *game.groups]
        done = (self.begins, self.ends)
        return (NOTHING, *done, UNKNOWN, *(f"{each} with {card}" for each in done for card in cards))

    @property
    def condition(self) -> re.Pattern[str]:
        """The words with which a sentence says that something holds while it is so, or `unless` it is."""
        when = r"(?P<when>only (?:as long as|while|if|when)|as long as|while|if|when(?:ever)?|unless)"
        if self.how:
            return re.compile(
                rf"\b{when} (?:an?|the|any|another) (?:{self.thing}|one) (?:is|are) (?:still )?{self.how}\b"
            )
        who = r"(?:you|they|he|she|one|the player|that player)"
        has = rf"(?:{_HAS}|(?:has|have) taken) the {self.thing}\b"
        relative = r"(?P<who>(?:only )?(?:whoever|(?:the|a|any) \w+ who|the one who|who))"
        return re.compile(rf"\b(?:{when} {who}|{relative}) {has}")


class StateLimit(NamedTuple):
    """What a sentence says of a state: a `move` is done only while it `is_so`, or is not; or `rules` hold then."""

    state: State
    is_so: bool
    move: str = ""
    rules: tuple[Composition, ...] = ()

    @property
    def shown(self) -> str:
        """The rule in words."""
        while_it = f"while {self.state.shown}"
        if self.move:
            return f"{self.move}: {'only' if self.is_so else 'not'} {while_it}"
        rules = "; ".join(each.shown for each in self.rules)
        return f"{rules}, {while_it if self.is_so else f'unless {self.state.shown}'}"


def states_of(game: OwnGame) -> tuple[State, ...]:
    """Return what lasts by a rulebook: things that it says are both held and taken, and what is so for a while."""
    text = "\n".join(each.text for each in game.sentences).casefold()
    no_thing = word_list("no_place") | word_list("no_quality") | word_list("points") | {*game.kinds, *game.properties}
    no_thing |= {game.card_word, game.people, "player", "it"}
    held = {match["thing"] for match in _HELD.finditer(text)} & {match["thing"] for match in _TAKEN.finditer(text)}
    things = [State(each) for each in sorted(held - no_thing) if not each.endswith(("est", "most"))]
    named = dict.fromkeys(State(match["thing"], match["how"]) for match in _LASTS.finditer(text))
    no_state = _NO_STATE | word_list("carrying")
    lasting = (each for each in named if each.how not in no_state and each.thing not in {"deck", "it"})
    changes = ((each, guessed_changes(game, each).values()) for each in lasting)
    return (*things, *(each for each, said in changes if any(one.startswith(each.begins) for one in said)))


def state_limit(sentence: CiteSentence, game: OwnGame) -> StateLimit | None:
    """Return what a sentence says of a state; None where it speaks of none, or says more than that."""
    text = _USUAL.sub("", game.plain(sentence.text).casefold()).strip(" .!")
    states = states_of(game) if _MAY_SPEAK.search(text) else ()
    for state in states:
        if (match := state.condition.search(text)) is not None:
            rest = f"{text[: match.start()]} {text[match.end() :]}".strip(" ,:")
            before, said = text[: match.start()], match.groupdict()
            if said.get("who") and before.strip(" ,"):
                return None  # `You may not rob the player who has it` is about another one than who moves.
            is_only = (said.get("when") or said.get("who") or "").startswith("only") or _ONLY.search(before) is not None
            return _limit_in(game, (sentence, rest), state, is_so=said.get("when") != "unless", is_only=is_only)
    above = game.sentences[max(game.sentences.index(sentence) - 1, 0)] if sentence in game.sentences else sentence
    if (else_ := _NOBODY_ELSE.search(text)) and above is not sentence:
        limit = state_limit(above, game)
        if limit and limit.move and limit.is_so and _moves_in(game, text[else_.end() :]) == [limit.move]:
            return limit
    return None


def _limit_in(
    game: OwnGame, said: tuple[CiteSentence, str], state: State, *, is_so: bool, is_only: bool
) -> StateLimit | None:
    """Return what has to be so by the rest of a sentence whose condition is a state that is so, or is not."""
    sentence, rest = said
    states = states_of(game)
    for each in states:
        rest = re.sub(rf"\b{each.how} {each.thing}\b", each.thing, rest) if each.how else rest
    moves = _moves_in(game, rest)
    bare = {word for word in WORD.findall(rest) if not any(game.is_named(move, word) for move in moves)}
    bare -= _QUIET | {"only", "out"} | {each.thing for each in states}
    is_plain = len(moves) == 1 and not bare and not any(map(number_of, re.findall(r"\w+", rest)))
    is_plain = is_plain and (is_only or not _ONLY.search(rest))
    if is_plain and not _COUNTS.search(rest):
        denied = denials(rest) % 2 == 1
        if denied or is_only or is_permission(rest):
            return StateLimit(state, is_so is not denied, moves[0])
    told = rest.rpartition(": ")[2]
    read = read_sentence(sentence._replace(text=told, said=sentence.own), game) if not is_only else ()
    if read and all(each.is_sure and not each.left and not each.is_part for each in read):
        return StateLimit(state, is_so, rules=tuple(each.composition for each in read))
    return None


def _moves_in(game: OwnGame, text: str) -> list[str]:
    return [move for move in game.moves if game.is_named(move, text)]


# -- what moves do to it -----------------------------------------------------------------------------------------------


def guessed_changes(game: OwnGame, state: State) -> dict[str, str]:
    """Return what each move does to a state by the rulebook: `takes it with 1`; `?` where that is unclear."""
    changes = dict.fromkeys(game.moves, NOTHING)
    for sentence in (each for each in game.sentences if state.thing in each.text.casefold()):
        for move, effect in _told_of(game, state, game.plain(sentence.text).casefold()):
            is_new = changes[move] in {NOTHING, effect}
            changes[move] = effect if is_new else UNKNOWN
    for move, cards, text in game.beside:
        if _takes_beside(state, text) and not any(_is_of(changes.get(move, ""), state.begins, card) for card in cards):
            changes[move] = UNKNOWN  # Its line says more than the rulebook does.
    return changes


def _takes_beside(state: State, text: str) -> bool:
    """Return whether a remark beside a move says that a thing is taken."""
    return not state.how and any(each["thing"] == state.thing for each in _TAKEN.finditer(text.casefold()))


def _is_of(effect: str, begins: str, card: str) -> bool:
    """Return whether a move begins a state by each line, or by one with this card."""
    return effect == begins or any(effect == f"{begins} with {each}" for each in card.split("-"))


def said_beside(game: OwnGame, state: State) -> str:
    """Return what is told where lines say beside their moves that a thing is taken; empty where none does."""
    told = next((text for move, _, text in game.beside if _takes_beside(state, text)), "")
    return (
        f"Lines say \u201c{told}\u201d beside a move; said again as two moves, such a line says who has it"
        if told
        else ""
    )


def _told_of(game: OwnGame, state: State, text: str) -> Iterator[tuple[str, str]]:
    """Yield which moves change a state by one sentence, and how."""
    begun = _TAKEN.search(text) if not state.how else None
    if begun and begun["thing"] == state.thing:
        yield from ((move, state.begins) for move in _moves_in(game, begun[0]))
        yield from _by_move(game, state, state.begins, (text[: begun.start()], text[begun.end() :]))
    elif not state.how and re.search(_PASSED.format(thing=state.thing), text):
        yield from ((move, UNKNOWN) for move in _moves_in(game, text) or game.moves)
    elif state.how:
        yield from _lasting(game, state, text)


def _lasting(game: OwnGame, state: State, text: str) -> Iterator[tuple[str, str]]:
    """Yield which moves begin or end by one sentence what is so for a while."""
    by_name = [move for move in game.moves if game.called(move) & {*forms_of_verb(state.how)}]
    told = state.condition.sub(" ", re.sub(rf"\b{state.how} {state.thing}\b", state.thing, text))
    ended = _ENDS.search(told)
    if ended and not ended[0].endswith(f" {state.how}"):
        yield from _by_move(game, state, state.ends, (told[: ended.start()], told[ended.end() :]))
        return
    yield from ((move, state.begins) for move in by_name)
    for move in _moves_in(game, told):
        verb = next(word for word in WORD.findall(told) if game.is_named(move, word))
        is_out = re.search(rf"\b{verb} (?:out|off|away) (?:the|an?|that) {state.thing}\b", told)
        if is_out:
            yield move, state.ends
        elif move not in by_name and re.search(rf"\b{verb} the {state.thing}\b", told):
            yield move, UNKNOWN


def _by_move(game: OwnGame, state: State, effect: str, parts: tuple[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the move that is named before or behind what comes of it, and with which card; all where none is named."""
    named = next((part for part in parts if _moves_in(game, part)), "")
    moves = _moves_in(game, named)
    if not moves:
        if not _AT_FIRST.search(" ".join(parts)):
            yield from ((move, UNKNOWN) for move in game.moves)
        return
    words = [word for word in re.findall(r"\w+", named) if word != state.thing and not _moves_in(game, word)]
    numbers = [str(number) for word in words if (number := number_of(word)) and word not in {"one", "once"}]
    kinds_said = [word for word in words if game.kinds_in([word])]
    cards = [*numbers, *game.kinds_in(words)]
    known = words_of(game)
    others = {*words} - _QUIET - _WHEN - known.places - known.cards - known.people - {game.card_word}
    is_clear = len(moves) == 1 and len(cards) < 2 and all(map(number_of, others - {*kinds_said}))
    done = f"{effect} with {cards[0]}" if cards else effect
    yield from ((move, done if is_clear and done in state.effects(game) else UNKNOWN) for move in moves)


def _changes(game: OwnGame, state: State, move: str, effect: str) -> Iterator[str]:
    """Yield what a move does to a state as a file says it; a line that leaves its cards out may do it, or not."""
    name, (done, _, card) = state.counter, effect.partition(" with ")
    unknown = f"{name}{'' if state.how else '(all)'} = 0 when unsaid > 0"
    if effect == NOTHING:
        return
    if effect == UNKNOWN or (card and not game.field_of(move, "cards")):
        yield unknown
        return
    now = f"{name} = {int(done == state.begins)}"
    if not state.how:
        now = f"{name}(all) = {'if(it = player, 1, 0)' if done == state.begins else '0'}"
    if not card:
        others = ["number = nothing"] * bool(game.field_of(move, "number")) + ["no(cards)"] * bool(
            game.field_of(move, "cards")
        )
        is_take = others and not state.how and _TAKEN.search(f"{move} the thing")
        yield f"{now} when {' and '.join(others)}" if is_take else now  # `take 3` takes something else.
        return
    yield f"{now} when any(cards where {of_kind(card, game.groups)})"
    if not game.is_always_said(move, "cards"):
        yield f"{unknown.replace('when', 'when no(cards) and')}"


def taking(raw: Mapping[str, Any], words: str) -> list[str]:
    """Return what a move does that takes a thing which the rules of a file know, as in `the crown`; else nothing."""
    names = (f"{word}_held" for word in WORD.findall(words.casefold()))
    return [f"{each}(all) = if(it = player, 1, 0)" for each in names if each in raw.get("counters", {})]


def state_rule(
    game: OwnGame, limit: StateLimit, sentence: CiteSentence, effects: Mapping[str, str], rule: FirstRule
) -> FirstRule:
    """Return the rule of a state by what moves do to it; what holds only while it is so is a `rule` already."""
    state, name = limit.state, limit.state.counter
    changes, taken = _while(limit, rule.changes), list(rule.taken)
    if name not in game.raw.get("counters", {}):
        begun, told = _at_first(game, state)
        counter = {**begun, **({} if state.how else {"each": True}), "says": state.says}
        changes = both(changes, {"counters": {name: counter, "unsaid": {"says": "what nobody has said"}}})
        more = {move: [*_changes(game, state, move, effect)] for move, effect in effects.items()}
        changes = both(changes, doing_more(game, changes, more))
        done = [f"{move} {effect}" for move, effect in effects.items() if effect not in {NOTHING, UNKNOWN}]
        taken += [told, *(f"{state.thing}: {each}" for each in done)]
    if limit.move:
        held = "" if state.how else "-held"
        changes = both(changes, need(limit.move, f"{state.thing}{held}", f"{name} = {int(limit.is_so)}", sentence))
    words = group_words(game.groups, str(changes))
    return FirstRule(both({"words": words}, changes) if words else changes, tuple(taken), limit.shown)


def _while(limit: StateLimit, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables of a rule that holds only while a state is so: where that is unknown, so is the verdict."""
    name, moves = limit.state.counter, dict[str, Any]()
    for move, table in changes.get("move", {}).items():
        needs = {}
        for each, said in table.get("needs", {}).items():
            of = " and ".join(filter(None, (said.get("if", ""), f"{name} = {int(limit.is_so)}")))
            needs[f"{each}-{name.replace('_', '-')}"] = {**said, "if": of}
        moves[move] = {**table, "needs": needs} if needs else table
    return {**changes, "move": moves}


def _at_first(game: OwnGame, state: State) -> tuple[dict[str, int], str]:
    """Return how a state is when a game begins, as a file says it and in words."""
    if state.how:
        return {"start": 0}, f"at first no {state.thing} is {state.how}"
    told = (each.text.casefold() for each in game.sentences)
    if any(re.search(rf"\b{state.thing}\b", text) and _NOBODYS.search(text) for text in told):
        return {"start": 0}, f"at first nobody holds the {state.thing}"
    return {}, f"who holds the {state.thing} at first nobody knows, until somebody takes it"
