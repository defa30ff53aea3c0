"""What a file of another program looks like: who plays, and its lines as a map for it would see them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.events.importing.files.sources import MAX_FOREIGN
from tabletape.events.importing.maps.documents.chat_pages import is_chat_page
from tabletape.events.importing.maps.documents.chats import CLEAN, chat_of, read_chat
from tabletape.events.importing.maps.documents.foreign import is_vassal, lines_of
from tabletape.events.importing.maps.documents.prose import is_prose, numbered_lines
from tabletape.events.importing.maps.documents.records import cleaned
from tabletape.events.importing.maps.documents.trees import ForeignError, in_utf8, text_of
from tabletape.events.importing.maps.proposing.describing import describe, holds_document
from tabletape.events.importing.maps.proposing.phrases import verbs_of_phrases
from tabletape.events.importing.maps.proposing.several_games import Start, start_of
from tabletape.events.importing.maps.proposing.survey import Survey, with_start

MOST_PLAYERS: Final = 6

NUMBERED_SHARE: Final = 0.8
"""The share of lines that begin with a number where the lines are numbered."""

PARTS: Final = "where the rows are parts of one game, write a row Total below them: that alone is then the game"
"""What to do with a score pad that has no total."""

_BULLET: Final = re.compile(r"^[*\u2022>-] ")
_NUMBERED_LINE: Final = re.compile(r"(\d+[.):]) +\S")
_MARKUP: Final = re.compile(r"</\w{1,20}>")
_BRACKETED_NAME: Final = re.compile(r"<([^<>{}]{1,40})>")
_LIST: Final = re.compile(
    r"(?:players?|spieler(?:innen)?|joueurs|jugadores|giocatori|jogadores|spelers)\s*:\s*(.+?)\.?", re.IGNORECASE
)
_SEAT: Final = re.compile(r"\d{1,2}")
_NOBODY: Final = frozenset(
    re.findall(
        r"\w+",
        "i ich je yo io eu ik the an then after afterwards and but now next when while if it this that these those "
        "there they we he she you his her their our both everyone everybody nobody all each no one in on at with for "
        "from to of as so finally later first second third der die das den dem ein eine dann danach und aber nun "
        "jetzt wenn während es dies diese dieser wir sie er ihr beide alle jeder niemand kein keine im am bei mit "
        "für von nach zu als schließlich zuerst später le la les un une des puis alors ensuite et mais maintenant "
        "quand si ce cette il elle nous vous ils elles tous chacun personne dans sur avec pour après enfin el los "
        "las una luego entonces después y pero ahora cuando esto esta este ellos todos cada nadie en con para "
        "finalmente gli poi allora dopo ma ora adesso quando questo questa noi loro tutti ogni nessuno nel nella per "
        "infine os um uma depois então mas agora isto isso eles elas ninguém na em de het een toen daarna maar nu "
        "wanneer dit dat wij zij hij iedereen geen op met voor van eindelijk",
    )
)
"""With these words sentences begin in seven languages, also where somebody tells of themselves: nobody is called so."""

_NAME: Final = re.compile(r"[^\W\d_][\w.\-]*")


class Said(NamedTuple):
    """What a person says of a file beforehand: the row of a sheet's headings, who plays, what stands before each line.

    `prefix` is a sentence as in a map, `encoding` that of the file.
    """

    heading_row: int = 0
    players: tuple[str, ...] = ()
    prefix: str = ""
    encoding: str = ""


NOTHING_SAID: Final = Said()

SPOKEN: Final = 0.8
"""What share of its lines begin with a player, at least, in a log whose lines have as many commas as a sheet."""


def survey_of(content: bytes, said: Said = NOTHING_SAID) -> Survey:
    """Return what a file looks like: a zipped Vassal log, a document, or text.

    Raises `ForeignError` for others, and for one that is too large, `MapError` for a prefix that is no sentence.
    """
    if said.encoding:
        seen = survey_of(in_utf8(content, said.encoding), said._replace(encoding=""))
        return seen._replace(head={"encoding": said.encoding, **seen.head})
    if len(content) > MAX_FOREIGN:
        size, most = len(content) >> 20, MAX_FOREIGN >> 20
        raise ForeignError(f"the file has {size} MB, and {most} MB at most are looked at: make the map of a part of it")
    return _survey_of(content, said)


def _survey_of(content: bytes, said: Said) -> Survey:
    if is_vassal(content) or is_chat_page(content):
        return survey("\n".join(lines_of(content)), said)
    seen = describe(content, said.heading_row, said.players)
    if "columns" in seen.head:
        columns = seen.head["columns"]
        return seen._replace(guessed=() if said.players or "winner" in columns else tuple(columns.get("score_of", ())))
    is_said = bool(said.players or said.prefix)
    # The marks and keys of a document are no lines that somebody begins.
    chat = survey(text_of(content), said) if is_said or not holds_document(content) else Survey()
    # A chat with a comma in its first line is no sheet: lines that begin with players say more than the comma does.
    is_chat = chat.players and (not seen.players or {"prefix", "headings"} & set(chat.head) or _is_spoken(chat))
    if is_said or not seen.lines or is_chat:
        return chat
    return _parted(seen._replace(players=seen.players or players_in([line for _, line in seen.lines])))


def _is_spoken(chat: Survey) -> bool:
    """Return whether most lines begin with a player and a colon, or nearly each one with a player: says, or does."""
    said, told = (
        sum(line.startswith(tuple(f"{player}{sign}" for player in chat.players)) for _, line in chat.lines)
        for sign in (":", " ")
    )
    return 2 * said > len(chat.lines) or said + told >= SPOKEN * len(chat.lines)


def survey(text: str, said: Said = NOTHING_SAID) -> Survey:
    """Return what a text looks like: names that begin many lines are players. Raises `MapError` as `survey_of` does.

    Where several sentences of a line begin with names, each sentence is a line.
    """
    seen = _in_sentences(text, said) or _found(text, said)
    alone = seen.players if len(seen.players) == 1 and not said.players else ()
    alike = _doing_as([line for _, line in seen.lines], *alone) if alone else ()
    return _parted(seen._replace(players=said.players or seen.players, guessed=alike or alone))


def _parted(seen: Survey) -> Survey:
    """Return what a file looks like, with the sentence that begins each of its games where there are several."""
    start = Start() if "starts" in seen.head else start_of(seen.lines, seen.players)
    own = start.sentence.removeprefix("{who} ") if "player" in seen.head else start.sentence
    if not start.is_sure:
        return seen._replace(open_start=own)
    return with_start(seen, own) if own else seen


def _in_sentences(text: str, said: Said) -> Survey | None:
    """Return what a text looks like that is told in paragraphs; None for one that is not."""
    lines = text.splitlines()
    sentences = [*numbered_lines(lines, prose=True).values()]
    if len(sentences) == len(lines) or not is_prose(lines, said.players or players_in(sentences)):
        return None
    seen = _found("\n".join(sentences), said)
    return seen._replace(head={**seen.head, "prose": True})


def _found(text: str, said: Said) -> Survey:
    # Who is said to play is named by whoever keeps the log; other words at the beginnings of messages are no names.
    names_in = (lambda _: said.players) if said.players else players_in
    chat = read_chat(text, prefix=[said.prefix]) if said.prefix else chat_of(text, names_in)
    if chat is not None and said.prefix:
        lines = [line for _, line in chat.lines]
        return Survey(chat.lines, players_in(lines) or _players_within(lines), chat.head)
    if chat is not None:
        return _of_chat(chat.head, chat.lines, chat.speakers)
    numbered = [(number, cleaned(line, CLEAN)) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    head: dict[str, Any] = {"clean": [*CLEAN]}
    if sum(_MARKUP.search(line) is not None for _, line in numbered) > len(numbered) / 4:
        head["clean"] += ["tags", "entities"]
        numbered = [(number, bare) for number, line in numbered if (bare := cleaned(line, head["clean"])).strip()]
    if numbered and all(_BULLET.match(line) for _, line in numbered):
        head["prefix"] = numbered[0][1][:2]
        numbered = [(number, line[2:]) for number, line in numbered]
    counted = [match for _, line in numbered if (match := _NUMBERED_LINE.match(line)) is not None]
    if counted and len(counted) >= NUMBERED_SHARE * len(numbered):
        # `12. Ann plays a card`: the lines are numbered.
        return _found(text, Said(prefix=f"{{n:number}}{counted[0][1][-1]} "))
    lines = [line for _, line in numbered]
    return Survey(tuple(numbered), _listed(lines) or players_in(lines) or _players_within(lines), head)


def _listed(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a line lists as those of the players, where other lines begin with each of them."""
    for line in lines:
        if (match := _LIST.fullmatch(line.strip())) is not None:
            names = tuple(name.strip() for name in re.split(r"[,;&/]|\s(?:and|und|et|y|e)\s", match[1]) if name.strip())
            if 1 < len(names) <= MOST_PLAYERS and all(
                any(each.startswith(f"{name} ") for each in lines) for name in names
            ):
                return names
    return ()


def _players_within(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the names that stand first in angle brackets within lines, as a chat writes them; none where it is one."""
    times = Counter(match[1] for line in lines if (match := _BRACKETED_NAME.search(line)))
    names = tuple(name for name in times if times[name] > 1)[:MOST_PLAYERS]
    return names if len(names) > 1 else ()


def _of_chat(head: Mapping[str, Any], lines: tuple[tuple[int, str], ...], speakers: Sequence[str]) -> Survey:
    """Return what a chat looks like: those play whom its lines tell of, else those who say themselves what they do."""
    messages = {who: [line[len(who) + 2 :] for _, line in lines if line.startswith(f"{who}: ")] for who in speakers}
    others = [line for _, line in lines if not any(line.startswith(f"{who}: ") for who in speakers)]
    acting = players_in(others)
    # Who writes and is told of plays, however few things are told of them.
    told = [who for who in speakers if acting and sum(line.startswith(f"{who} ") for line in others) > 1]
    acting = (*acting, *(who for who in told if who not in acting))[:MOST_PLAYERS]
    if acting and sum(line.startswith(acting) for line in others) > len(lines) / 4:
        return Survey(lines, acting, head)
    words = {who: {text.split(" ")[0].casefold() for text in texts} for who, texts in messages.items()}
    shared = {who: max((len(words[who] & words[each]) for each in words if each != who), default=0) for who in words}
    most = max(shared.values(), default=0)
    players = tuple(who for who in speakers if shared[who] * 2 >= most)[:MOST_PLAYERS]
    return Survey(lines, players or acting, head, spoken=bool(players))


def players_in(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the names that begin several lines and are followed by several different words, the first one first.

    Those whose words others have too come before the rest: all players do the same things.
    """
    begun, verbs = _beginnings(lines)
    enough = [name for name, times in begun.most_common() if times >= 2 and len(verbs[name]) >= 2]
    alike = [name for name in enough if any(len(verbs[name] & verbs[each]) > 1 for each in enough if each != name)]
    usual = (alike if len(alike) > 1 else enough)[:MOST_PLAYERS]
    return tuple(name for name in begun if name in usual)


def _doing_as(lines: Sequence[str], player: str) -> tuple[str, ...]:
    """Return the other names that begin several lines, and of which no more is told than what a player does, too."""
    begun, verbs = _beginnings(lines)
    does = verbs.get(player, set())
    others = [name for name, times in begun.items() if times >= 2 and verbs[name] and verbs[name] <= does]
    return tuple(name for name in others if name != player)[: MOST_PLAYERS - 1]


def _beginnings(lines: Sequence[str]) -> tuple[Counter[str], dict[str, set[str]]]:
    """Return how many lines each name begins, and the words that follow it."""
    followed: dict[str, set[str]] = {}
    begun: Counter[str] = Counter()
    whole = _whole_names(lines)
    seats = _seats(lines)
    for line in lines:
        words = line.strip().split(" ")
        first = _bare(words[0])
        name = whole.get(first, first)
        if first in seats and len(words) > 2:
            first = name = f"{words[0]} {_bare(words[1])}"
        rest = line.strip()[len(name) :].split(" ")
        if (
            len(words) > 1
            and _NAME.fullmatch(first.partition(" ")[0])
            and first not in verbs_of_phrases()
            and name.casefold() not in _NOBODY
        ):
            begun[name] += 1
            followed.setdefault(name, set()).add(rest[1] if len(rest) > 1 else "")
    return begun, {name: {word for word in words if word[:1].isalpha()} for name, words in followed.items()}


def _seats(lines: Sequence[str]) -> frozenset[str]:
    """Return the words that begin lines and always go on with a number, one of several: `Player 1`, `Player 2`."""
    behind: dict[str, set[str]] = {}
    for line in lines:
        first, _, rest = line.strip().partition(" ")
        behind.setdefault(first, set()).add(_bare(rest.partition(" ")[0]))
    return frozenset(
        first for first, words in behind.items() if 1 < len(words) <= MOST_PLAYERS and all(map(_SEAT.fullmatch, words))
    )


def _bare(word: str) -> str:
    """Return a word without what stands behind a name."""
    return word.rstrip(":").removesuffix("'s").removesuffix("\u2019s")


def _whole_names(lines: Sequence[str]) -> dict[str, str]:
    """Return the names of several words by their first: every line that begins with that one goes on with the others.

    Verbs and other small words are none of a name.
    """
    names: dict[str, str] = {}
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
        if len(name) > 1 and _NAME.fullmatch(first):
            names[first] = " ".join(name)
    return names
