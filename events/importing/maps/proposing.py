"""Proposing a map for a text that nobody has described: its players, the kinds of its lines, an event for each kind.

Nothing is proposed as certain: a person accepts, changes or skips each kind, and sees how much is understood then.
"""

import contextlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import tomlkit
from rapidfuzz import fuzz

from events.importing.maps.describing import describe
from events.importing.maps.foreign import is_vassal, text_of, vassal_lines
from events.importing.maps.leftover import shape_of
from events.importing.maps.map import MapError, read_map
from events.vocabulary import vocabulary

PHRASES: Final[Mapping[str, tuple[str, ...]]] = {
    "{player} plays {card}": ("plays", "plays a card", "casts", "puts into play", "summons", "deploys"),
    "{player} draws {count:number}": ("draws cards", "draws 2 cards", "drew 7 cards", "takes cards from the deck"),
    "{player} draws {card}": ("draws", "drew"),
    "{player} discards {card}": ("discards", "throws away", "sends to the discard pile"),
    "{player} shuffles": ("shuffles", "shuffles the deck", "is shuffling their deck", "shuffled their library"),
    "{player} starts": ("'s turn", "turn of", "begins the turn", "starts the turn", "it is now the turn of", "turn 3"),
    "{player} ends": ("ends the turn", "ended their turn", "passes the turn", "end of turn"),
    "{player} begins": (
        "begins",
        "goes first",
        "is first player",
        "won the flip and begins",
        "plays first",
        "won the toss",
    ),
    "{player} wins": ("wins", "has won the game", "won the game", "is the winner"),
    "{player} concedes": ("concedes", "gives up", "resigned", "surrenders"),
    "{player} counts": (
        "sets life to 19",
        "has 3 points",
        "gains 2 life",
        "now has 12 points",
        "score 4",
        "loses 2 life",
    ),
    "{player} rolls": ("rolls a 5", "rolled a die", "flips a coin"),
    "{player} uses {card}": ("uses", "activates", "triggers", "attacks with", "taps"),
    "skip": (
        "says",
        "connected",
        "disconnected",
        "has joined",
        "has left",
        "is looking at",
        "phase",
        "is ready to start",
    ),
}
"""Kinds of lines by the words that they are told in."""

EVENTS: Final[Mapping[str, dict[str, Any]]] = {
    "{player} plays {card}": {"event": "card.moved", "with": {"from": "hand", "to": "table"}},
    "{player} draws {count:number}": {"event": "cards.drawn"},
    "{player} draws {card}": {"event": "cards.drawn", "with": {"cards": ["{card}"]}},
    "{player} discards {card}": {"event": "card.moved", "with": {"to": "discard"}},
    "{player} shuffles": {"event": "deck.shuffled"},
    "{player} starts": {"event": "turn.started"},
    "{player} ends": {"event": "turn.ended"},
    "{player} begins": {"event": "first-player.chosen"},
    "{player} wins": {"event": "game.ended", "with": {"winner": "{player}", "reason": "won"}},
    "{player} concedes": {"event": "player.conceded"},
    "{player} counts": {"event": "counter.changed", "with": {"counter": "points"}},
    "{player} rolls": {"event": "die.rolled", "with": {"result": "{n}"}},
    "{player} uses {card}": {"event": "card.used"},
}
"""What an entry of each kind says beside its sentence."""

DECISIVE: Final = frozenset({"first-player.chosen", "game.ended", "player.conceded"})
"""Events that few lines say and most questions are about: who began, and how it ended."""

LINKS: Final = frozenset({"from", "to", "into", "onto", "on", "in", "at", "for", "with", "using"})
"""Words with which something that is no card any more may begin."""

NEAR: Final = 70
"""A phrase proposes its event if it is at least so similar (rapidfuzz, 0-100)."""

_TIME: Final = re.compile(r"(?:\d{4}-\d{2}-\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2})?")
_CLOCK: Final = re.compile(rf"^(\[?{_TIME.pattern}\]?(?: -|:)? )")
_BULLET: Final = re.compile(r"^[*\u2022>-] ")
_NAME: Final = re.compile(r"[^\W\d_][\w.\-]*")
_WORDS: Final = frozenset(
    {"The", "It", "A", "An", "Turn", "End", "Game", "Round", "Phase", "Play", "Draw", "You", "Setup"}
)


class Proposal(NamedTuple):
    """A kind of line: how it looks, its sentence, what it is proposed to mean, how many there are, an example."""

    shape: str
    sentence: str
    entry: Mapping[str, Any]
    lines: int
    first: int
    example: str


class Survey(NamedTuple):
    """What a file looks like: the sentence of what stands before each line, its lines and its players.

    `head` are further keys of its map. Of a document whose rows say the player beside the text, the lines begin with
    the player; of results, which need no lines, there are none.
    """

    prefix: str
    lines: tuple[tuple[int, str], ...]
    players: tuple[str, ...]
    head: Mapping[str, Any] = {}


def survey_of(content: bytes) -> Survey:
    """Return what a file looks like: a zipped Vassal log, a document, or text. Raises `ForeignError` for others."""
    if is_vassal(content):
        return survey("\n".join(vassal_lines(content)))
    described = describe(content)
    if described is None or (not described.texts and "columns" not in described.head):
        return survey(text_of(content))
    return Survey("", described.texts, described.players, described.head)


def survey(text: str, most_players: int = 6) -> Survey:
    """Return what a text looks like: names that begin many lines are players."""
    numbered = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    clocks = sum(_CLOCK.match(line) is not None for _, line in numbered)
    prefix = ""
    if numbered and clocks >= len(numbered) / 2:
        first = next(line for _, line in numbered if _CLOCK.match(line))
        found = _CLOCK.match(first)
        prefix = _TIME.sub("{at:time}", found[1]) if found else ""
        numbered = [(number, _CLOCK.sub("", line, count=1)) for number, line in numbered]
    elif numbered and all(_BULLET.match(line) for _, line in numbered):
        prefix = numbered[0][1][:2]
        numbered = [(number, line[2:]) for number, line in numbered]
    return Survey(prefix, tuple(numbered), _players([line for _, line in numbered], most_players))


def _players(lines: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the names that begin several lines and are followed by several different words, the first one first."""
    followed: dict[str, set[str]] = {}
    begun: Counter[str] = Counter()
    whole = _whole_names(lines)
    for line in lines:
        words = line.strip().split(" ")
        name = _bare(words[0])
        if name in whole:
            rest = line.strip()[len(whole[name]) :].split(" ")
            begun[whole[name]] += 1
            followed.setdefault(whole[name], set()).add(rest[1] if len(rest) > 1 else "")
        elif (
            len(words) > 1 and _NAME.fullmatch(name) and name not in _WORDS and name.lower() not in {"the", "a", "turn"}
        ):
            begun[name] += 1
            followed.setdefault(name, set()).add(words[1])
    enough = {name for name, times in begun.most_common(most * 2) if times >= 2 and len(followed[name]) >= 2}
    usual = [name for name, _ in begun.most_common() if name in enough][:most]
    return tuple(name for name in begun if name in usual)


def _bare(word: str) -> str:
    """Return a word without what stands behind a name."""
    return word.rstrip(":").removesuffix("'s").removesuffix("\u2019s")


def _whole_names(lines: Sequence[str]) -> dict[str, str]:
    """Return the names of several words by their first: every line that begins with that one goes on with the others.

    Verbs and other small words are none of a name.
    """
    found: dict[str, str] = {}
    stripped = [line.strip() for line in lines]
    for first, times in Counter(line.split(" ")[0] for line in stripped).items():
        mine = [line.split(" ") for line in stripped if line.split(" ")[0] == first]
        name = [first]
        while times > 1 and all(len(words) > len(name) + 1 for words in mine):
            following = {_bare(words[len(name)]) for words in mine}
            word = next(iter(following))
            if len(following) > 1 or not word or word[0].islower() or word[0].isdigit():
                break
            name.append(word)
        if len(name) > 1 and _NAME.fullmatch(first) and first not in _WORDS:
            found[first] = " ".join(name)
    return found


def proposals(seen: Survey, cards: Sequence[str] = ()) -> list[Proposal]:
    """Return the kinds of lines, each with what it may mean: beginnings and ends first, then the most frequent."""
    players = sorted(seen.players, key=len, reverse=True)
    shapes = [(number, line, shape_of(line, players, cards)) for number, line in seen.lines]
    tails = _tails(shape for _, _, shape in shapes)
    kinds: dict[str, Proposal] = {}
    for number, line, shape in shapes:
        sentence, entry = _meaning(shape, tails)
        key = sentence
        before = kinds.get(key) or Proposal(key, sentence, entry, 0, number, line.strip())
        kinds[key] = before._replace(lines=before.lines + 1)
    kinds = {key: usable for key, kind in kinds.items() if (usable := _usable(kind)) is not None}
    decisive = {key: kind.entry.get("event") in DECISIVE for key, kind in kinds.items()}
    return sorted(kinds.values(), key=lambda kind: (not decisive[kind.shape], -kind.lines, kind.first))


def _usable(kind: Proposal) -> Proposal | None:
    """Return a proposal that a map can hold: without its meaning where that lacks something, None for no sentence."""
    for entry in (kind.entry, {"harmless": True}):
        with contextlib.suppress(MapError):
            require_readable(kind.sentence, entry)
            return kind._replace(entry=entry)
    return None


def require_readable(sentence: str, entry: Mapping[str, Any]) -> None:
    """Raise `MapError` where a map cannot hold a sentence with this meaning."""
    written = map_text(Survey("", (), ()), [(sentence, entry)], game="tabletop", edition="draft")
    read_map(written, "the answer", vocabulary)


def _tails(shapes: Iterable[str]) -> Sequence[str]:
    """Return what stands behind the cards of several different lines, `from their hand`; the longest first."""
    heads: dict[str, set[str]] = {}
    for shape in set(shapes):
        words = shape.rstrip(".!").split(" ")
        for place in range(3, len(words)):
            if words[place] in LINKS:
                heads.setdefault(" ".join(words[place:]), set()).add(" ".join(words[:place]))
    return sorted((tail for tail, found in heads.items() if len(found) > 1), key=len, reverse=True)


def _meaning(shape: str, tails: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    """Return the sentence of a kind of line and the entry that it may mean."""
    if "{player}" not in shape:
        return _numbered(shape), {"skip": True}
    said = re.sub(r"\{\w+\}", "", shape).strip(" .!:*-")
    if shape.startswith("{player}: "):
        return "{player}: {words}", {"skip": True}
    best, score = "", 0.0
    for kind, phrases in PHRASES.items():
        near = (
            max(fuzz.token_set_ratio(said.lower(), phrase) + fuzz.ratio(said.lower(), phrase) for phrase in phrases) / 2
        )
        opening = max(100.0 * said.lower().startswith(phrase) for phrase in phrases)
        if max(near, opening) > score:
            best, score = kind, max(near, opening)
    if score < NEAR or best == "skip":
        return _numbered(shape), {"skip": True} if best == "skip" and score >= NEAR else {"harmless": True}
    if best.startswith("{player} draws"):
        return _drawing(shape, tails)
    if best == "{player} counts":
        return _counting(shape)
    return _sentence(shape, best, tails), EVENTS[best]


def _drawing(shape: str, tails: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    """Return what a line means that says that cards are drawn: how many, or which."""
    if "{n}" in shape:
        return _numbered(shape.replace("{n}", "{count:number}", 1)), {"event": "cards.drawn"}
    if re.search(r"\b(an?|one) card\b", shape):
        return _numbered(shape), {"event": "cards.drawn", "with": {"count": 1}}
    return _sentence(shape, "{player} draws {card}", tails), EVENTS["{player} draws {card}"]


def _counting(shape: str) -> tuple[str, Mapping[str, Any]]:
    """Return what a line means that says a number of something: that it is so many now, or by how much it changes."""
    counted = re.search(r"\{n\} ([a-z]\w*)", shape)
    counter = counted[1] if counted else "points"
    if re.search(r"\b(loses?|lost|pays?|paid|takes?|took|spends?)\b", shape):
        entry = {"event": "counter.changed", "with": {"counter": counter, "by": "-{by_number}"}}
        return _numbered(shape.replace("{n}", "{by_number:number}", 1)), entry
    field = "by" if re.search(r"\b(gains?|gained|earns?|scores?|heals?|gets?|got)\b", shape) else "to"
    sentence = _numbered(shape.replace("{n}", f"{{{field}:number}}", 1))
    return sentence, {"event": "counter.changed", "with": {"counter": counter}}


def _sentence(shape: str, kind: str, tails: Sequence[str]) -> str:
    """Return the sentence of a line whose event is known: what stands behind the verb is the card."""
    verb = re.match(r"(.*?\{player\}\S* ?\S+)(?: (.*))?$", shape)
    if verb is None or not verb[2] or "{card}" not in kind or "{card}" in verb[2]:
        return _numbered(shape)
    found = re.match(r"((?:\{player\}\S* with )?(?:an? |the )?)(.*?)([.!]?)$", verb[2])
    if found is None or not found[2]:
        return _numbered(shape)
    tail = next((f" {each}" for each in tails if found[2].endswith(f" {each}")), "")
    return _numbered(f"{verb[1]} {found[1]}{{card}}{tail}{found[3]}")


def _numbered(shape: str) -> str:
    """Return a sentence in which each number and text is a hole of its own."""
    names: Counter[str] = Counter()

    def hole(found: re.Match[str]) -> str:
        kind = {"n": "number", "text": "text", "player": "player", "card": "text"}[found[1]]
        names[found[1]] += 1
        count = "" if names[found[1]] == 1 else str(names[found[1]])
        name = f"{found[1]}{count}"
        return f"{{{name}}}" if kind in {"player", "text"} and name != "text" else f"{{{name}:{kind}}}"

    return re.sub(r"\{(n|text|player|card)\}", hole, shape)


def map_text(seen: Survey, accepted: Iterable[tuple[str, Mapping[str, Any]]], *, game: str, edition: str) -> str:
    """Return a map as TOML: the sentences that were accepted, those with the same meaning together."""
    document = tomlkit.document()
    document.add(tomlkit.comment("Written by `tabletape map`; every sentence may be changed by hand."))
    head = {"map": 1, "game": game, "edition": edition, "shape": "lines", "id": "{file}", **seen.head}
    for key, value in head.items():
        if key != "columns":
            document.add(key, tomlkit.item(value))
    if "columns" in head:
        columns = tomlkit.table()
        for key, value in head["columns"].items():
            columns.add(key, _inline(value))
        document.add("columns", columns)
        return tomlkit.dumps(document)
    document.add("clean", tomlkit.item(["blanks", "quotes"]))
    if seen.prefix:
        document.add("prefix", tomlkit.item(seen.prefix))
    players = tomlkit.table()
    for name in () if "player" in head else seen.players:
        players.add(name, tomlkit.inline_table())
    document.add("players", players)
    entries = tomlkit.aot()
    for told, entry in _together(accepted):
        # A row says beside its text who acts.
        sentences = [each.removeprefix("{player} ") for each in told] if "player" in head else told
        table = tomlkit.table()
        table.add("is", tomlkit.item(sentences if len(sentences) > 1 else sentences[0]))
        for key, value in entry.items():
            table.add(key, _inline(value))
        entries.append(table)
    document.add("line", entries)
    return tomlkit.dumps(document)


def _inline(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return tomlkit.item(value)
    table = tomlkit.inline_table()
    table.update(value)
    return table


def _together(accepted: Iterable[tuple[str, Mapping[str, Any]]]) -> list[tuple[list[str], Mapping[str, Any]]]:
    """Return the sentences by what they mean, specific meanings before what is skipped."""
    found: dict[str, tuple[list[str], Mapping[str, Any]]] = {}
    for sentence, entry in accepted:
        found.setdefault(repr(entry), ([], entry))[0].append(sentence)
    return sorted(found.values(), key=lambda each: "event" not in each[1])


# -- what a person writes ----------------------------------------------------------------------------------------------


def entry_text(entry: Mapping[str, Any]) -> str:
    """Return what an entry says as TOML in a line: `event = "card.moved", with = { to = "table" }`."""
    return ", ".join(f"{key} = {toml_value(value)}" for key, value in entry.items())


def toml_value(value: Any) -> str:
    """Return a value as TOML in a line."""
    if isinstance(value, Mapping):
        return "{ " + entry_text(value) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else f'"{value}"' if isinstance(value, str) else str(value)


def entry_of(sentence: str, text: str) -> dict[str, Any]:
    """Return the entry that a person has written for a sentence. Raises `MapError` where it is none."""
    try:
        found: dict[str, Any] = tomllib.loads("entry = { " + text + " }")["entry"]
    except tomllib.TOMLDecodeError as error:
        raise MapError(str(error)) from None
    require_readable(sentence, found)
    return found
