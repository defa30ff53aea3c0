"""What a file of another program looks like: who plays, and its lines as a map for it would see them."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.events.importing.files.sources import MAX_FOREIGN
from tabletape.events.importing.maps.documents.chats import CLEAN, chat_of
from tabletape.events.importing.maps.documents.foreign import is_vassal, vassal_lines
from tabletape.events.importing.maps.documents.trees import ForeignError, text_of
from tabletape.events.importing.maps.proposing.describing import describe

MOST_PLAYERS: Final = 6

_BULLET: Final = re.compile(r"^[*\u2022>-] ")
_NAME: Final = re.compile(r"[^\W\d_][\w.\-]*")


class Survey(NamedTuple):
    """What a file looks like: its lines with their numbers, its players, the keys of its map beside them.

    Of a document whose rows say the player beside the text, the lines begin with the player; of results, which need no
    lines, there are none. `spoken`: the players say themselves what they do (`Ann: plays a card`).
    `open_day` is a day of which nothing says whether the month stands first; `with_days` takes the answer.
    """

    lines: tuple[tuple[int, str], ...]
    players: tuple[str, ...]
    head: Mapping[str, Any] = {}
    spoken: bool = False
    open_day: str = ""


def with_days(seen: Survey, first: str) -> Survey:
    """Return what a file looks like where the days are known to begin with the `day` or the `month`."""
    year = "%y" if len(re.split("[/-]", seen.open_day)[-1]) == 2 else "%Y"
    sign = "-" if "-" in seen.open_day else "/"
    form = sign.join(("%d", "%m", year) if first == "day" else ("%m", "%d", year))
    return seen._replace(head={**seen.head, "dates": form}, open_day="")


def survey_of(content: bytes, heading_row: int = 0) -> Survey:
    """Return what a file looks like: a zipped Vassal log, a document, or text; `heading_row` is that of a sheet.

    Raises `ForeignError` for others, and for one that is too large.
    """
    if len(content) > MAX_FOREIGN:
        size, most = len(content) >> 20, MAX_FOREIGN >> 20
        raise ForeignError(f"the file has {size} MB, and {most} MB at most are looked at: make the map of a part of it")
    if is_vassal(content):
        return survey("\n".join(vassal_lines(content)))
    described = describe(content, heading_row)
    if described is not None and "columns" in described.head:
        return Survey((), (), described.head, open_day=described.open_day)
    chat = survey(text_of(content))
    if described is None or not described.texts or ({"prefix", "headings"} & set(chat.head) and chat.players):
        return chat
    return Survey(described.texts, described.players, described.head)


def survey(text: str) -> Survey:
    """Return what a text looks like: names that begin many lines are players."""
    chat = chat_of(text, players_in)
    if chat is not None:
        return _of_chat(chat.head, chat.lines, chat.speakers)
    numbered = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    head: dict[str, Any] = {"clean": [*CLEAN]}
    if numbered and all(_BULLET.match(line) for _, line in numbered):
        head["prefix"] = numbered[0][1][:2]
        numbered = [(number, line[2:]) for number, line in numbered]
    return Survey(tuple(numbered), players_in([line for _, line in numbered]), head)


def _of_chat(head: Mapping[str, Any], lines: tuple[tuple[int, str], ...], speakers: Sequence[str]) -> Survey:
    """Return what a chat looks like: those play whom its lines tell of, else those who say themselves what they do."""
    messages = {who: [line[len(who) + 2 :] for _, line in lines if line.startswith(f"{who}: ")] for who in speakers}
    others = [line for _, line in lines if not any(line.startswith(f"{who}: ") for who in speakers)]
    acting = players_in(others)
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
    followed: dict[str, set[str]] = {}
    begun: Counter[str] = Counter()
    whole = _whole_names(lines)
    for line in lines:
        words = line.strip().split(" ")
        first = _bare(words[0])
        name = whole.get(first, first)
        rest = line.strip()[len(name) :].split(" ")
        if len(words) > 1 and _NAME.fullmatch(first):
            begun[name] += 1
            followed.setdefault(name, set()).add(rest[1] if len(rest) > 1 else "")
    verbs = {name: {word for word in words if word[:1].isalpha()} for name, words in followed.items()}
    enough = [name for name, times in begun.most_common() if times >= 2 and len(verbs[name]) >= 2]
    alike = [name for name in enough if any(len(verbs[name] & verbs[each]) > 1 for each in enough if each != name)]
    usual = (alike if len(alike) > 1 else enough)[:MOST_PLAYERS]
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
        if len(name) > 1 and _NAME.fullmatch(first):
            found[first] = " ".join(name)
    return found
