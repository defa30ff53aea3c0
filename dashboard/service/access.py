"""As whom a request is answered: its token's holder, or a device that is paired with the scribe."""

from pathlib import Path
from typing import Final, Protocol

from starlette.requests import Request

from tabletape.dashboard.service.limits import Rate
from tabletape.dashboard.service.lock import WrongTries
from tabletape.dashboard.service.refusals import DeniedError
from tabletape.dashboard.service.tokens import AccessTokens, Token

DEVICE: Final = 12
"""Letters of the name of a device."""

NOBODY: Final = Token(name="", sha256="", role="viewer")
"""Who asks for what needs no token."""


class Access(Protocol):
    """What decides as whom a request is answered."""

    def token(self, request: Request) -> Token:
        """Return as whom a request is answered. Raises `DeniedError` for nobody, or too many requests."""

    def still(self, request: Request, token: Token) -> bool:
        """Return whether a request that is still being answered would be answered the same now."""


class Holders:
    """Who holds one of a workspace's tokens; each may ask as often as the `rate` says."""

    def __init__(self, workspace: Path, rate: Rate | None = None) -> None:
        self.tokens = AccessTokens(workspace)
        self.rate = rate or Rate()
        self._tries = WrongTries()

    def token(self, request: Request) -> Token:
        """Return the token that a request has. Raises `DeniedError` without a right one, or for too many requests."""
        secret = _secret(request)
        token = self.tokens.find(secret) if secret else None
        if token is None:
            client = request.client.host if request.client else ""
            if self._tries.must_wait(client):
                raise DeniedError(429, "too many wrong tokens; wait a minute", 60.0)
            if secret:
                self._tries.note(client)
            raise DeniedError(401, "a request needs a token that is known: Authorization: Bearer TOKEN")
        waits = self.rate.wait(token.name)
        if waits:
            raise DeniedError(429, f"at most {self.rate.a_second:g} requests a second for each token", waits)
        return token

    def still(self, request: Request, token: Token) -> bool:
        """Return whether the token has not been taken back, and is not over."""
        return self.tokens.find(_secret(request)) == token


def _secret(request: Request) -> str:
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


class PairedDevices:
    """Everybody who gets here keeps games: this computer alone, or the devices that have the code of the lock before.

    Each line knows the name that its device has given itself.
    """

    def token(self, request: Request) -> Token:
        """Return what a device may do, under its name."""
        name = request.headers.get("device", "")
        known = name.isascii() and name.isalnum() and len(name) <= DEVICE
        return Token(name=f"scribe {name}" if known else "", sha256="", role="keeper")

    def still(self, request: Request, token: Token) -> bool:  # noqa: ARG002 - it is answered for as long as it listens
        """Hold: nobody takes a pairing back, the scribe is stopped instead."""
        return True
