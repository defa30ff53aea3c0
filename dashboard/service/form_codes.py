"""The codes of the players' forms: each opens the form of one game, in every process that serves the log.

A code is the id of its game with a signature over it; the key lies beside the log. So nothing has to be remembered of a
form: it is open before and after a restart, and at each of several processes. Without the key all of them are closed.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Final

from filelock import FileLock

from tabletape.events.errors import TabletapeError
from tabletape.events.whole_files import write_whole

FILE: Final = "tabletape.forms.key"
SIGNATURE_BYTES: Final = 16
"""Bytes of a signature: 128 bits, which nobody guesses."""


class FormKeyError(TabletapeError):
    """The key of the forms cannot be kept."""


class FormCodes:
    """The codes of a workspace's forms."""

    def __init__(self, workspace: Path) -> None:
        self.file = workspace / FILE

    def code(self, game_id: str) -> str:
        """Return the code of a game's form. Raises `FormKeyError` where the key cannot be kept."""
        try:
            return _code(self._own_key(), game_id)
        except OSError as error:
            raise FormKeyError("the key of the forms cannot be kept beside the log: see to its folder") from error

    def game(self, code: str) -> str | None:
        """Return the game whose form has this code; None where none has."""
        named, signed, _ = code.partition(".")
        if not signed:
            return None
        try:
            key = self.file.read_bytes()
            game_id = urlsafe_b64decode(named + "=" * (-len(named) % 4)).decode()
        except (OSError, ValueError):  # Without a key that can be read all forms are closed.
            return None
        return game_id if hmac.compare_digest(code.encode(), _code(key, game_id).encode()) else None

    def _own_key(self) -> bytes:
        with FileLock(self.file.with_suffix(".lock")):
            if not self.file.exists():
                write_whole(self.file, secrets.token_bytes(32), 0o600)
            return self.file.read_bytes()


def _code(key: bytes, game_id: str) -> str:
    signature = hmac.digest(key, game_id.encode(), hashlib.sha256)[:SIGNATURE_BYTES]
    return ".".join(urlsafe_b64encode(each).decode().rstrip("=") for each in (game_id.encode(), signature))
