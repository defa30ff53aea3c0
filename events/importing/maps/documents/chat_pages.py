"""Chats that a program keeps as a page of HTML: Telegram, Discord through DiscordChatExporter, Roll20's archive."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from types import MappingProxyType
from typing import Final

LOOKED_AT: Final = 20_000
"""How many bytes at the beginning of a page show which program wrote it; Discord's styles stand before them."""

_MARKS: Final = (b'class="message default', b'class="history"', b"chatlog__message", b'data-messageid="')

_ASIDE: Final = "aside"
"""What stands in an element of which nothing is taken."""

_MESSAGES: Final = frozenset({"message", "chatlog__message-container"})
_ROLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "from_name": "who",
        "chatlog__author": "who",
        "chatlog__author-name": "who",
        "date": "at",
        "chatlog__timestamp": "at",
        "chatlog__short-timestamp": "at",
        "text": "text",
        "chatlog__content": "text",
        "by": "who",
        "tstamp": "at",
        "avatar": _ASIDE,
        "formattedformula": _ASIDE,
    }
)
"""What stands in an element of a class; the dice of a roll are told again by their sum."""

_TOLD: Final = frozenset({"emote", "desc"})
"""Messages of Roll20 that say themselves who does something, or that tell of the table."""

_MASTER: Final = " (GM)"
"""What Roll20 puts behind the name of who leads the game."""

_NO_END: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
)
_ZONE: Final = re.compile(r" UTC([+-]\d\d:\d\d)")


def is_chat_page(content: bytes) -> bool:
    """Return whether a file is a chat that Telegram, DiscordChatExporter or Roll20 keeps as a page."""
    return content.lstrip()[:1] == b"<" and any(mark in content for mark in _MARKS) and b"<html" in content[:LOOKED_AT]


def page_lines(text: str) -> list[str]:
    """Return the lines of the messages of such a page, as a chat writes them: `[20.11.2026 21:03:15] Ann: plays Owl`.

    Who wrote the message before wrote one that names nobody, at that time if it says none.
    """
    page = _Page()
    page.feed(text)
    page.close()
    page.end_message()
    return page.lines


class _Page(HTMLParser):
    """Gathers who wrote what and when; names within what is quoted do not count."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._open: list[tuple[str, str]] = []
        self._said: dict[str, str] = {}
        self._who = self._at = ""
        self._names: dict[str, None] = {}
        self._is_told = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what stands in an element."""
        given = dict(attrs)
        classes = (given.get("class") or "").split()
        if _MESSAGES & {*classes}:
            self.end_message()
            self._is_told = bool(_TOLD & {*classes})
        if tag in _NO_END:
            self._add("\n" * (tag == "br"))
            return
        role = "text" if "data-messageid" in given else next((_ROLES[each] for each in classes if each in _ROLES), "")
        if role != "text" and role in self._said:
            role = _ASIDE
        elif role == "at" and given.get("title"):
            self._said["at"], role = str(given["title"]), _ASIDE
        self._open.append((tag, role))
        if role:
            self._said.setdefault(role, "")

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those within it that have no end."""
        places = [place for place, (name, _) in enumerate(self._open) if name == tag]
        if places:
            del self._open[places[-1] :]

    def handle_data(self, data: str) -> None:
        """Take what stands in an element that says something."""
        self._add(re.sub(r"\s+", " ", data))

    def end_message(self) -> None:
        """Keep the lines of a message."""
        said = {role: text.strip() for role, text in self._said.items()}
        self._who = said.get("who", "").removesuffix(":").removesuffix(_MASTER) or self._who
        self._at = _ZONE.sub(r"\1", said.get("at", "")) or self._at
        self._names |= {self._who: None} if self._who else {}
        texts = filter(None, map(str.strip, said.get("text", "").split("\n")))
        self.lines += [self._line(text) for text in texts if self._who or self._is_told]
        self._said = {}

    def _line(self, text: str) -> str:
        """Return what a message says as a line of a chat."""
        who = next((each for each in self._names if text.startswith(f"{each} ")), "") if self._is_told else self._who
        said = text.removeprefix(who).strip() if self._is_told else text
        return f"{f'[{self._at}] ' if self._at else ''}{f'{who}: ' if who else ''}{said}"

    def _add(self, text: str) -> None:
        here = next((role for _, role in reversed(self._open) if role), _ASIDE)
        if here != _ASIDE:
            self._said[here] += text
