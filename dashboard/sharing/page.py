"""Replays as one file that opens without Tabletape and without a network: for those who played, and those who did not.

The file holds the board's own scripts, its style and the games, packed. A content policy allows exactly these and
nothing from elsewhere; what comes from a log is data, never markup.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Final

from tabletape.dashboard.html import hash_of, own_text, raw, rendered
from tabletape.dashboard.replay.component import script, stylesheet

ENTRY: Final = "export default function"
"""How the board's script gives itself to a page."""


def shared_page(
    title: str, games: Sequence[tuple[str, str, str]], step: int | None = None, about: Sequence[str] = ()
) -> str:
    """Return an HTML page with replays, which opens at event `step` of the first game where its address says nothing.

    `games` are titles and ids with what `board_json` gives; packed with zlib in base64, a browser unpacks them. Above
    them stands what is said `about` all of them, a paragraph each.
    """
    style = f"{own_text('sharing', 'shared.css')}\n{stylesheet()}"
    code = f"{script().replace(ENTRY, 'const mount = function', 1)}\n{own_text('sharing', 'shared.js')}"
    packed = [
        [name, base64.b64encode(zlib.compress(board.encode(), 9)).decode(), game_id] for name, game_id, board in games
    ]
    own = f"script-src {hash_of(code)}; style-src {hash_of(style)}"
    policy = f"default-src 'none'; {own}; img-src data:; base-uri 'none'; form-action 'none'"
    # No reader of HTML may take anything in it for the end of its element.
    data = json.dumps({"games": packed, "step": step}, ensure_ascii=True).replace("<", "\\u003c")
    return rendered(
        "shared", title=title, style=raw(style), policy=raw(policy), data=raw(data), code=raw(code), about=about
    )
