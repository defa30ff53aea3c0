"""Who may ask the service: tokens, each with a role, kept as hashes beside the log and taken back at once.

A token is 256 random bits, which nobody guesses: its SHA-256 needs no salt and no slow hash.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Literal

import msgspec
from filelock import FileLock

from tabletape.events.errors import RefusedError, TabletapeError
from tabletape.events.plans import planned
from tabletape.events.vocabulary.fields import MAX_NAME
from tabletape.events.whole_files import write_whole
from tabletape.projector.model.areas import EVERYTHING
from tabletape.projector.model.suggestions import unknown

FILE: Final = "tabletape.tokens.json"
PREFIX: Final = "tt_"
PUBLIC: Final = ""
"""The viewer who sees what lies open."""

Role = Literal["designer", "keeper", "player", "viewer"]
ROLES: Final[Mapping[str, str]] = {
    "designer": "reads and writes everything, imports files, asks questions",
    "keeper": "begins games, and reads and writes them with all hands open",
    "player": "reads one game as its player sees it, and writes to it",
    "viewer": "reads games as the public sees them",
}


Whose = Literal["everybody", "token", "writer", "beginner", "keeper", "log", "designer"]
"""For whom something is done: everybody; each token, of which some see less; those that write; that begin games; that
see all hands; that read the whole log; and that bring files into it."""

_ROLES: Final[Mapping[Whose, Collection[Role]]] = {
    "writer": {"designer", "keeper", "player"},
    "designer": {"designer"},
    **dict.fromkeys(("beginner", "keeper", "log"), ("designer", "keeper")),
}
_ALL_GAME_ROLES: Final[Collection[Whose]] = {"beginner", "log", "designer"}


@planned
class Token(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a token: its name, hash and role, and the seat, the game and the end where it has them."""

    name: str
    sha256: str
    role: Role
    seat: str = ""
    game: str = ""
    until: datetime | None = None

    def may(self, whose: Whose) -> bool:
        """Return whether it is one of those for whom something is done."""
        return self.role in _ROLES.get(whose, ROLES) and not (self.game and whose in _ALL_GAME_ROLES)

    @property
    def reads_all(self) -> bool:
        """Whether nothing is hidden from it."""
        return self.may("keeper")

    @property
    def viewer(self) -> str:
        """Through whose eyes it reads, unless it asks to see less."""
        return EVERYTHING if self.reads_all else self.seat if self.role == "player" else PUBLIC

    def is_over(self, now: datetime) -> bool:
        """Return whether its days have passed."""
        return self.until is not None and now >= self.until


class TokenFileError(TabletapeError):
    """The file of the tokens cannot be read."""


class AccessTokens:
    """The tokens of a workspace; what is added or taken back counts from the next request on, in every process."""

    def __init__(self, workspace: Path) -> None:
        self.file = workspace / FILE
        self._stamp: tuple[int, int, int] | None = None
        self._known: dict[str, Token] = {}

    def all(self) -> list[Token]:
        """Return all tokens. Raises `TokenFileError` where their file cannot be read."""
        return [*self._read().values()]

    def find(self, secret: str, now: datetime | None = None) -> Token | None:
        """Return what is kept of a token; None for one that is unknown, taken back or over."""
        token = self._read().get(_hash(secret))
        return None if token is None or token.is_over(now or datetime.now(UTC)) else token

    def add(self, name: str, role: Role, *, seat: str = "", game: str = "", days: int | None = None) -> str:
        """Add a token and return it: it is shown this once. Raises `RefusedError` for what is no token."""
        if role == "player" and not (seat and game):
            raise RefusedError("the token of a player names its seat and its game: --seat A --game ID")
        if seat and role != "player":
            raise RefusedError(f"a seat is for the token of a player, not of a {role}")
        if len(name) > MAX_NAME:
            raise RefusedError(f"the name of a token stands in each of its lines, and has at most {MAX_NAME} letters")
        secret = PREFIX + secrets.token_urlsafe(32)
        until = None if days is None else datetime.now(UTC).replace(microsecond=0) + timedelta(days=days)
        with self._changing() as tokens:
            if not name or any(each.name == name for each in tokens):
                raise RefusedError(f"there is a token {name!r} already" if name else "a token needs a name")
            tokens.append(Token(name=name, sha256=_hash(secret), role=role, seat=seat, game=game, until=until))
        return secret

    def revoke(self, name: str) -> None:
        """Take a token back. Raises `RefusedError` where there is none of that name."""
        with self._changing() as tokens:
            token = next((each for each in tokens if each.name == name), None)
            if token is None:
                raise RefusedError(unknown("token", name, [each.name for each in tokens]))
            tokens.remove(token)

    @contextmanager
    def _changing(self) -> Iterator[list[Token]]:
        """Yield the tokens to be changed, and keep them; nobody else changes them meanwhile."""
        with FileLock(self.file.with_suffix(".lock")):
            self._stamp = None  # What is written back is what is there now, whatever was known.
            tokens = self.all()
            yield tokens
            self._write(tokens)

    def _write(self, tokens: list[Token]) -> None:
        write_whole(self.file, msgspec.json.format(msgspec.json.encode(tokens), indent=2) + b"\n", 0o600)

    def _read(self) -> dict[str, Token]:
        try:
            status = self.file.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if stamp != self._stamp:
                tokens = msgspec.json.decode(self.file.read_bytes(), type=list[Token])
                self._known, self._stamp = {each.sha256: each for each in tokens}, stamp
        except FileNotFoundError:
            self._known, self._stamp = {}, None
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise TokenFileError(f"{self.file} cannot be read: {error}") from None
        return self._known


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
