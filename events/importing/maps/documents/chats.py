"""How a chat is written down: what stands before each message, who writes, and which program keeps the log in it.

People paste what their program shows: a clock before every line (WhatsApp, Signal, IRC), or a line with name and clock
above the messages (Discord, Telegram, Slack). The order of day and month is taken from the days, or left open.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import tomlkit

from tabletape.events.importing.maps.documents.records import cleaned, text_records
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.values.times import LOOKS
from tabletape.events.vocabulary import vocabulary

MESSAGES: Final = 0.3
"""The share of lines that have to begin with a clock in a chat with clocks: messages may have several lines."""

HEADING_SHARE: Final = 0.1
"""The share of lines that have to be headings in a chat whose messages have headings."""

KEEPING: Final = 0.4
"""Whoever wrote this share of the lines keeps the log for others, if the lines begin with the others' names."""

CLEAN: Final = ("blanks", "quotes")

EDIT_MARKS: Final = (
    *(
        f" {mark}"
        for word in ("edited", "bearbeitet", "modifi\u00e9", "editado", "modificato")
        for mark in (f"({word})", f"<{word}>")
    ),
    " <This message was edited>",
    " <Diese Nachricht wurde bearbeitet.>",
    " <Ce message a \u00e9t\u00e9 modifi\u00e9>",
    " <Se edit\u00f3 este mensaje.>",
)
"""What programs put behind a message that was changed."""

MODES: Final = "@+%&~"
"""Signs that IRC puts before the names of those who keep order, and WhatsApp before those it does not know."""

_TIME: Final = re.sub(r"\?P<\w+>", "", LOOKS.pattern.partition("|\\d+")[0])
_BEFORE: Final = re.compile(
    rf"(?P<open>[\[(<]?)(?P<at>{_TIME})(?P<close>[\])>]?)(?P<sign>:| [-\u2013\u2014|]|,)?(?P<gap> |(?<=[\])>]))"
)
_MESSAGE: Final = re.compile(r"(?:<(?P<nick>[^<>]{1,40})> |(?P<who>[^:<>\[\]]{1,40}): )")
_FROM: Final = (
    ("From", "to"),
    ("Von", "an"),
    ("De", "\u00e0"),
    ("De", "a"),
    ("De", "para"),
    ("Da", "a"),
    ("Van", "aan"),
)
"""How Zoom says who writes to whom."""

_HEADINGS: Final = (
    "[{at:time}] {player}",
    "{player} \u2014 {at:time}",
    "{player}, [{at:time}]:",
    "{player}, [{at:time}]",
    "{player} [{at:time}]",
    "{player} ({at:time})",
    *(f"{{at:time}} {sent} {{player}} {to} {{whom}}:" for sent, to in _FROM),
    "{player}\nAPP\n\u2014 {at:time}",
    "{player}\n\u2014 {at:time}",
    "{player}\n{at:time}",
    "{player} {at:time}",
)
_NAMED: Final = (
    "<{player}> ",
    "* <{player}> ",
    "[{player}]: ",
    "[{player}] ",
    '"{player}": ',
    *(f"{sent} {{player}} {to} {{whom}}: " for sent, to in _FROM),
    *(f"{sent} {{player}} : " for sent in ("From", "Von", "De", "Da", "Van")),
    "{player}> ",
    "{player} : ",
    "{player} | ",
    "{player} - ",
)
"""What programs put around the name of who writes, behind the time or alone; `Ann: ` needs none of it."""

_NAMED_FIRST: Final = (
    "{player} ({at:time}): ",
    "{player} [{at:time}]: ",
    "[{player} {at:time}] ",
    "{player}, {at:time}: ",
)
_TURN: Final = re.compile(
    r"(?:(?P<before>(?:turn|round|t|r|zug|runde|tour|turno|ronda|manche|beurt) ?)\d+"
    r"(?P<sign> ?[-\u2013\u2014:,.(|]+ ?| )"
    r"(?P<who>[^\W\d_][^:<>\n()]{0,39}?)(?P<close>\)?)|(?P<whose>[^\W\d_][^:<>\n()]{0,39}?)(?P<turn>['\u2019]s turn))"
    r"(?P<end>:?)(?P<rest> \S.*)?",
    re.IGNORECASE,
)
"""`Turn 3 - Ann`, `T3 (Ann): plays a card`, `Ann's turn`: whose turn it is, and perhaps what is done in it."""

_ACTION: Final = re.compile(r"\* (?!<)")
_TABBED: Final = re.compile(rf"{_TIME}\t(?P<who>[^\t]*)\t")
_FIGURES: Final = re.compile(r"(?<!\d)(\d{1,2})([/-])(\d{1,2})\2(\d{4}|\d\d)(?!\d)")


class Chat(NamedTuple):
    """A chat: the keys of a map that say how it is written, its lines as such a map reads them, who writes in it."""

    head: Mapping[str, Any]
    lines: tuple[tuple[int, str], ...]
    speakers: tuple[str, ...]


Names = Callable[[Sequence[str]], Sequence[str]]


def chat_of(text: str, names_in: Names) -> Chat | None:
    """Return how a chat is written; None for a text with neither clocks nor headings, nor names before its messages.

    `names_in` says which names lines begin with.
    """
    lines = [cleaned(line, CLEAN).strip() for line in text.splitlines()]
    lines = [line for line in lines if line]
    headings = _headings(lines) or _turns(lines, told=False)
    prefix = [] if headings else _tabbed(text) or _prefixes(lines, names_in) or _turns(lines, told=True)
    chat = _read(text, headings, prefix, lines)
    spoken = Counter(match["who"] or match["nick"] for _, line in chat.lines if (match := _MESSAGE.match(line)))
    if not (headings or prefix or sum(spoken.values()) > len(chat.lines) / 2):
        return None
    keeper = next((who for who in spoken if _keeps(who, chat.lines, names_in)), "")
    if keeper:
        own = [sentence.replace("{player}", keeper) for sentence in headings]
        before = [f"{each.removesuffix('{player}: ')}{keeper}: " for each in (prefix or [""])[:1]]
        chat = _read(text, [*own, *headings], prefix if headings else [*before, *prefix], lines)
    return chat._replace(speakers=tuple(who for who in spoken if spoken[who] > 1 and who != keeper))


def read_chat(text: str, *, prefix: Sequence[str]) -> Chat:
    """Return a text whose lines begin so as a map reads it. Raises `MapError` where a prefix is no sentence."""
    return _read(text, (), prefix, [line for line in text.splitlines() if line.strip()])


def _read(text: str, headings: Sequence[str], prefix: Sequence[str], lines: Sequence[str]) -> Chat:
    """Return a chat as a map with these headings and prefixes reads it."""
    # Tabs are blanks, but where they part a name from its message.
    usual = CLEAN if not any("\t" in each for each in prefix) else [each for each in CLEAN if each != "blanks"]
    clean = [*usual, *(["signs"] if any(not re.search(r"[^\W\d_]", line) for line in lines) else [])]
    head: dict[str, Any] = {"clean": clean}
    suffix = [each for each in EDIT_MARKS if any(line.endswith(each) for line in lines)]
    for key, signs in (("headings", headings), ("prefix", prefix), ("suffix", suffix), ("dates", date_formats(lines))):
        if signs:
            head[key] = signs[0] if len(signs) == 1 else [*signs]
    written = {"map": 1, "game": "tabletop", "shape": "lines", **head, "line": [{"is": "-", "skip": True}]}
    used = read_map(tomlkit.dumps(written), "chat", vocabulary)
    records = text_records(enumerate(text.splitlines(), 1), used, Effort())
    return Chat(head, tuple((each.line, each.text.strip()) for each in records), ())


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """Return how the lines look that a heading is, or that a prefix stands before."""
    holes = {"{player}": r"(?P<who>[^:<>\n]{1,40}?)", "{at:time}": f"(?P<at>{_TIME})", "{whom}": r"[^:\n]{1,60}"}
    return re.compile("".join(holes.get(piece) or re.escape(piece) for piece in re.split(r"(\{[^{}]*\})", sentence)))


def _are_few(names: Sequence[str]) -> bool:
    """Return whether some names come again and again, as those of people who write do, and have letters."""
    return len({*names}) <= max(2, len(names) / 2) and all(any(map(str.isalpha, name)) for name in names)


def _headings(lines: Sequence[str]) -> list[str]:
    """Return the sentence of the lines that say who wrote what is below them; nothing where there are none.

    A heading may have several lines: the name, below it the time.
    """
    clocks = sum(_BEFORE.match(line) is not None for line in lines)
    for sentence in _HEADINGS:
        high = sentence.count("\n") + 1
        windows = ["\n".join(lines[place : place + high]) for place in range(len(lines) - high + 1)]
        heads = [(text, match["who"]) for text in windows if (match := _pattern(sentence).fullmatch(text))]
        # Where other lines begin with a clock too, it is what stands before every message.
        others = clocks - sum(_BEFORE.match(line) is not None for text, _ in heads for line in text.split("\n"))
        below = len(lines) - high * len(heads) - others
        few = _are_few([who for _, who in heads])
        if (
            few
            and others < HEADING_SHARE * len(lines)
            and max(2, HEADING_SHARE * len(lines)) <= len(heads) <= 2 * below
        ):
            return [sentence]
    return []


def _turns(lines: Sequence[str], *, told: bool) -> list[str]:
    """Return the sentence of what says whose turn it is: above what is done in it, or before it, where it is `told`.

    Nothing where what follows names who does it as well.
    """
    said = [match for line in lines if (match := _TURN.fullmatch(line)) and bool(match["rest"]) == told]
    said = [match for match in said if match["end"] or not told]
    forms = Counter(
        f"{match['before']}{{n:number}}{match['sign']}{{player}}{match['close']}{match['end']}"
        if match["before"]
        else f"{{player}}{match['turn']}{match['end']}"
        for match in said
    )
    names = [match["who"] or match["whose"] for match in said]
    if not names or forms.most_common(1)[0][1] < max(3, MESSAGES * len(lines) * told, HEADING_SHARE * len(lines)):
        return []
    begin = tuple(f"{name}{sign}" for name in {*names} for sign in (" ", ":"))
    doing = [match["rest"].strip() if match["rest"] else "" for match in said] if told else lines
    named = sum(line.startswith(begin) for line in doing)
    if (
        len({*names}) < 2
        or not _are_few(names)
        or not all(name[0].isupper() for name in names)
        or 4 * named > len(doing)
    ):
        return []
    return [f"{form} " if told else form for form in forms]


def _tabbed(text: str) -> list[str]:
    """Return the sentences of a log whose time, names and messages are parted by tabs, as WeeChat writes it."""
    lines = [line for line in text.splitlines() if line.strip()]
    said = [match["who"] for line in lines if (match := _TABBED.match(line))]
    signs = [who for who in dict.fromkeys(said) if not any(map(str.isalpha, who))]
    names = [who for who in said if who not in signs]
    if len(said) < max(2, MESSAGES * len(lines)) or not names or not _are_few(names):
        return []
    modes = [mode for mode in MODES if any(name.startswith(mode) for name in names)]
    around = [*signs, *(f"{mode}{{player}}" for mode in modes), "{player}"]
    return [f"{{at:time}}\t{each}\t" for each in around]


def _named_first(lines: Sequence[str]) -> list[str]:
    """Return the sentence of what stands before messages where the name comes before the time."""
    for sentence in _NAMED_FIRST:
        names = [match["who"] for line in lines if (match := _pattern(sentence).match(line))]
        if len(names) >= max(2, MESSAGES * len(lines)) and _are_few(names):
            return [sentence]
    return []


def _prefixes(lines: Sequence[str], names_in: Names) -> list[str]:
    """Return the sentences of what stands before messages, those with a name first."""
    kinds: Counter[str] = Counter()
    behind: dict[str, list[str]] = {}
    for line in lines:
        if (match := _BEFORE.match(line)) is not None:
            kind = f"{match['open']}{{at:time}}{match['close']}{match['sign'] or ''}{match['gap']}"
            kinds[kind] += 1
            behind.setdefault(kind, []).append(line[match.end() :])
    if not kinds or kinds.total() < max(2, MESSAGES * len(lines)):
        return _named_first(lines) or _around(lines, names_in)
    kind = kinds.most_common(1)[0][0]
    if around := _around(behind[kind], names_in):
        return [*(f"{kind}{each}" for each in around), kind]
    messages = [match for line in behind[kind] if (match := _MESSAGE.match(line))]
    strange = [f"{kind}~ {{player}}: "] if any(match["who"].startswith("~ ") for match in messages) else []
    # Only a message of several lines needs to know who wrote its first.
    several = len(messages) > kinds[kind] / 2 and kinds.total() < len(lines)
    return [*strange, *([f"{kind}{{player}}: "] if several else []), kind]


def _around(messages: Sequence[str], names_in: Names) -> list[str]:
    """Return the sentences of what stands around the names at the beginning of most messages, and before actions.

    What stands before the names of several who do something, each in their turn, is no name: `[Fight] Ann attacks`.
    """
    acting = [line for line in messages if _ACTION.match(line)]
    others = [line for line in messages if not _ACTION.match(line)]
    for sentence in _NAMED:
        named = [match for line in others if (match := _pattern(sentence).match(line))]
        if not named or len(named) <= len(others) / 2 or not _are_few([each["who"] for each in named]):
            continue
        told = [each.string[each.end() :] for each in named]
        names = tuple(name for name in names_in(told) if name[:1].isupper())
        if sentence[0] in '["{' and len(names) > 1 and sum(line.startswith(names) for line in told) > len(told) / 2:
            continue
        modes = [mode for mode in MODES if any(each["who"].startswith(mode) for each in named)]
        return [*(["* "] if acting else []), *(sentence.replace("{", f"{mode}{{", 1) for mode in modes), sentence]
    return ["* "] if len(acting) > len(messages) / 2 and any(line.startswith("<") for line in others) else []


def _keeps(who: str, lines: Sequence[tuple[int, str]], names_in: Names) -> bool:
    """Return whether somebody keeps the log for others: many lines are theirs, and they begin with others' names.

    Words with which the others begin their messages too (`plays`, `gives`) are no names: all say what they do.
    """
    messages = [match for _, line in lines if (match := _MESSAGE.match(line))]
    texts = [match.string[match.end() :] for match in messages if match["who"] == who]
    if len(texts) < KEEPING * len(lines):
        return False
    names = tuple(name for name in names_in(texts) if name != who)
    others = [match.string[match.end() :] for match in messages if match["who"] != who]
    alike = sum(text.startswith(names) for text in others)
    if len(others) > 1 and alike >= KEEPING * len(others) / 2:
        return False
    return len(names) > 1 and sum(text.startswith(names) for text in texts) >= KEEPING * len(texts)


def date_formats(lines: Sequence[str]) -> list[str]:
    """Return the format of days written with strokes, where one of them says which figure is the month."""
    figures = [match.groups() for line in lines if (match := _FIGURES.search(line[:24]))]
    if not figures:
        return []
    year, sign = "%y" if any(len(each[3]) == 2 for each in figures) else "%Y", figures[0][1]
    if any(int(each[0]) > 12 for each in figures):
        return [sign.join(("%d", "%m", year))]
    return [sign.join(("%m", "%d", year))] if any(int(each[2]) > 12 for each in figures) else []
