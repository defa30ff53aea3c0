"""The page that shows a game as it is played: the board of the replay, fed by the stream."""

import base64
import hashlib
import html
from importlib.resources import files

from tabletape.dashboard.replay.component import script, stylesheet
from tabletape.dashboard.sharing.page import ENTRY


def watch_page(game_id: str) -> tuple[str, str]:
    """Return the page of a game, and the content policy that it is to be sent with; nothing of the game is in it."""
    style = f"{_text('sharing', 'shared.css')}\n{stylesheet()}"
    code = f"{script().replace(ENTRY, 'const mount = function', 1)}\n{_text('service', 'watch.js')}"
    policy = (
        f"default-src 'none'; script-src {_hash(code)}; style-src {_hash(style)}; style-src-attr 'unsafe-inline'; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    page = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(game_id)}</title>\n<style>{style}</style>\n</head>\n"
        f'<body data-game="{html.escape(game_id)}">\n<p id="state" role="status">Waiting for the game …</p>\n'
        f'<main id="board"></main>\n<script type="module">{code}</script>\n</body>\n</html>\n'
    )
    return page, policy


def _text(*path: str) -> str:
    return files("tabletape.dashboard").joinpath(*path).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
