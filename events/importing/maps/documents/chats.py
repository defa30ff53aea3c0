"""How a chat is written down: what stands before each message, who writes, and which program keeps the log in it.

People paste what their program shows: a clock before every line (WhatsApp, Signal, IRC), or a line with name and clock
above the messages (Discord, Telegram, Slack). The order of day and month is taken from the days, or left open.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tabletape.events.importing.maps.documents.records import cleaned, text_records
from tabletape.events.importing.maps.effort import Effort
from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.values.times import LOOKS
from tabletape.events.vocabulary import vocabulary

MESSAGES: Final = 0.3
"""The share of lines that have to begin with a clock in a chat with clocks: messages may have several lines."""

HEADED: Final = 0.1
"""The share of lines that have to be headings in a chat whose messages have headings."""

KEEPING: Final = 0.4
"""Whoever wrote this share of the lines keeps the log for others, if the lines begin with the others' names."""

CLEAN: Final = ("blanks", "quotes")

EDITED: Final = (
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

_TIME: Final = re.sub(r"\?P<\w+>", "", LOOKS.pattern.partition("|\\d+")[0])
_BEFORE: Final = re.compile(rf"(?P<open>[\[(<]?)(?P<at>{_TIME})(?P<close>[\])>]?)(?P<sign>:| [-\u2013\u2014]|,)? ")
_MESSAGE: Final = re.compile(r"(?:<(?P<nick>[^<>]{1,40})> |(?P<who>[^:<>\[\]]{1,40}): )")
_HEADINGS: Final = (
    (re.compile(rf"\[(?P<at>{_TIME})\] (?P<who>[^:<]{{1,40}})"), "[{at:time}] {player}"),
    *(
        (re.compile(rf"(?P<who>.{{1,40}}?){re.escape(before)}(?P<at>{_TIME}){re.escape(behind)}"), sentence)
        for before, behind, sentence in (
            (" \u2014 ", "", "{player} \u2014 {at:time}"),
            (", [", "]", "{player}, [{at:time}]"),
            (" [", "]", "{player} [{at:time}]"),
            (" (", ")", "{player} ({at:time})"),
            (" ", "", "{player} {at:time}"),
        )
    ),
)
_FIGURES: Final = re.compile(r"(?<!\d)(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)")


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
    headings = _headings(lines)
    prefix = [] if headings else _prefixes(lines)
    found = _read(text, headings, prefix, lines)
    spoken = Counter(match["who"] or match["nick"] for _, line in found.lines if (match := _MESSAGE.match(line)))
    if not (headings or prefix or sum(spoken.values()) > len(found.lines) / 2):
        return None
    keeper = next((who for who in spoken if _keeps(who, found.lines, names_in)), "")
    if keeper:
        own = [sentence.replace("{player}", keeper) for sentence in headings]
        before = [f"{each.removesuffix('{player}: ')}{keeper}: " for each in (prefix or [""])[:1]]
        found = _read(text, [*own, *headings], prefix if headings else [*before, *prefix], lines)
    return found._replace(speakers=tuple(who for who in spoken if spoken[who] > 1 and who != keeper))


def read_chat(text: str, *, prefix: Sequence[str]) -> Chat:
    """Return a text whose lines begin so as a map reads it. Raises `MapError` where a prefix is no sentence."""
    return _read(text, (), prefix, [line for line in text.splitlines() if line.strip()])


def _read(text: str, headings: Sequence[str], prefix: Sequence[str], lines: Sequence[str]) -> Chat:
    """Return a chat as a map with these headings and prefixes reads it."""
    clean = [*CLEAN, *(["signs"] if any(not re.search(r"[^\W\d_]", line) for line in lines) else [])]
    head: dict[str, Any] = {"clean": clean}
    suffix = [each for each in EDITED if any(line.endswith(each) for line in lines)]
    for key, signs in (("headings", headings), ("prefix", prefix), ("suffix", suffix), ("dates", date_formats(lines))):
        if signs:
            head[key] = signs[0] if len(signs) == 1 else [*signs]
    written = {"map": 1, "game": "tabletop", "shape": "lines", **head}
    used = read_map(
        "\n".join([*(f"{key} = {_toml(value)}" for key, value in written.items()), _ANY]), "chat", vocabulary
    )
    records = text_records(enumerate(text.splitlines(), 1), used, Effort())
    return Chat(head, tuple((each.line, each.text.strip()) for each in records), ())


_ANY: Final = '[[line]]\nis = "-"\nskip = true\n'


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value) if isinstance(value, int) else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _headings(lines: Sequence[str]) -> list[str]:
    """Return the sentence of the lines that say who wrote what is below them; nothing where there are none."""
    clocks = sum(_BEFORE.match(line) is not None for line in lines)
    for pattern, sentence in _HEADINGS:
        heads = [(line, found["who"]) for line in lines if (found := pattern.fullmatch(line))]
        few = len({who for _, who in heads}) <= max(2, len(heads) / 2)
        # Where other lines begin with a clock too, it is what stands before every message.
        others = clocks - sum(_BEFORE.match(line) is not None for line, _ in heads)
        below = len(lines) - len(heads) - others
        if few and others < HEADED * len(lines) and max(2, HEADED * len(lines)) <= len(heads) <= 2 * below:
            return [sentence]
    return []


def _prefixes(lines: Sequence[str]) -> list[str]:
    """Return the sentences of what stands before messages, the one with a name first."""
    kinds: Counter[str] = Counter()
    behind: dict[str, list[str]] = {}
    for line in lines:
        if (found := _BEFORE.match(line)) is not None:
            kind = f"{found['open']}{{at:time}}{found['close']}{found['sign'] or ''} "
            kinds[kind] += 1
            behind.setdefault(kind, []).append(line[found.end() :])
    if not kinds or kinds.total() < max(2, MESSAGES * len(lines)):
        nick = sum(line.startswith("<") and _MESSAGE.match(line) is not None for line in lines)
        return ["<{player}> "] if nick > len(lines) / 2 else []
    kind = kinds.most_common(1)[0][0]
    messages = [found for line in behind[kind] if (found := _MESSAGE.match(line))]
    if any(found["nick"] for found in messages):
        return [f"{kind}<{{player}}> ", kind]
    # Only a message of several lines needs to know who wrote its first.
    return [f"{kind}{{player}}: ", kind] if len(messages) > kinds[kind] / 2 and kinds.total() < len(lines) else [kind]


def _keeps(who: str, lines: Sequence[tuple[int, str]], names_in: Names) -> bool:
    """Return whether somebody keeps the log for others: many lines are theirs, and they begin with others' names.

    Words with which the others begin their messages too (`plays`, `gives`) are no names: all say what they do.
    """
    messages = [found for _, line in lines if (found := _MESSAGE.match(line))]
    texts = [found.string[found.end() :] for found in messages if found["who"] == who]
    if len(texts) < KEEPING * len(lines):
        return False
    names = tuple(name for name in names_in(texts) if name != who)
    others = [found.string[found.end() :] for found in messages if found["who"] != who]
    alike = sum(text.startswith(names) for text in others)
    if len(others) > 1 and alike >= KEEPING * len(others) / 2:
        return False
    return len(names) > 1 and sum(text.startswith(names) for text in texts) >= KEEPING * len(texts)


def date_formats(lines: Sequence[str]) -> list[str]:
    """Return the format of days written with strokes, where one of them says which figure is the month."""
    figures = [found.groups() for line in lines if (found := _FIGURES.search(line[:24]))]
    year = "%y" if any(len(each[2]) == 2 for each in figures) else "%Y"
    if any(int(each[0]) > 12 for each in figures):
        return [f"%d/%m/{year}"]
    return [f"%m/%d/{year}"] if any(int(each[1]) > 12 for each in figures) else []
