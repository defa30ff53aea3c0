"""Who may ask: the dashboard answers under its own names only.

A web site can let its own name lead to this computer (DNS rebinding): to a browser its pages and the dashboard then
come from the same place, and the site could read what the dashboard shows. What gives it away is the name: the
browser sends it as `Host` with everything that it asks for, and as `Origin` with every socket and upload.
"""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

OWN_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this computer to itself."""

REFUSAL: Final = b"The dashboard does not answer under this name; `tabletape serve --allow-host NAME` lets it."
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class AllowedHosts:
    """An ASGI application in front of another one, which only sees what was asked of a name that it goes by."""

    def __init__(self, app: Application, hosts: Iterable[str] = (), own: Iterable[str] = ()) -> None:
        """Allow `app` to be asked as localhost, at addresses of our `own`, and as each of `hosts`: those of proxies."""
        self._app = app
        self._own = OWN_HOSTS | {*own}
        self._hosts = self._own | {host.lower().rstrip(".") for host in hosts}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer 403 to whoever asks for another name; pass everything else on."""
        if scope["type"] == "lifespan" or self._may_ask(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            # Before a socket is accepted this is the answer 403.
            await send({"type": "websocket.close", "code": 1008})
        else:
            headers = [(b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 403, "headers": headers})
            await send({"type": "http.response.body", "body": REFUSAL})

    def _may_ask(self, scope: Message) -> bool:
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if len(hosts) != 1 or _name(f"//{hosts[0]}") not in self._hosts:
            return False
        if scope["type"] == "http" and scope["method"] in READING:
            return True
        return all(self._is_ours(origin, hosts[0]) for origin in origins)

    def _is_ours(self, origin: str, host: str) -> bool:
        """Return whether a page of the dashboard asks, and no page of another program on this computer."""
        name = _name(origin)
        return name in self._hosts - self._own or (name in self._own and urlsplit(origin).netloc == host)


def _name(address: str) -> str:
    """Return the name in an address, without its port; empty where there is none."""
    try:
        parts = urlsplit(address)
        return (parts.hostname or "").rstrip(".") if parts.username is None else ""
    except ValueError:
        return ""
