"""The page that shows a game as it is played: the board of the replay, fed by the stream."""

from tabletape.dashboard.html import hash_of, own_text, raw, rendered
from tabletape.dashboard.replay.component import script, stylesheet
from tabletape.dashboard.sharing.page import ENTRY


def watch_page(game_id: str) -> tuple[str, str]:
    """Return the page of a game, and the content policy that it is to be sent with; nothing of the game is in it."""
    style = f"{own_text('sharing', 'shared.css')}\n{stylesheet()}"
    code = f"{script().replace(ENTRY, 'const mount = function', 1)}\n{own_text('service', 'watch.js')}"
    policy = (
        f"default-src 'none'; script-src {hash_of(code)}; style-src {hash_of(style)}; style-src-attr 'unsafe-inline'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return rendered("watch", title=game_id, style=raw(style), policy="", code=raw(code)), policy
