"""Chats of two people as messengers write them: who speaks is who stands before the colon, and moves are moves."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from tabletape.events.importing.maps.map import read_map
from tabletape.events.importing.maps.notation import FileReading, MappedLog
from tabletape.events.importing.maps.proposing.surveying import Said, survey, survey_of
from tabletape.events.importing.maps.proposing.text import proposals
from tabletape.events.importing.maps.writing import map_text
from tabletape.events.vocabulary import tag_of, vocabulary
from tests.cli.conftest import Tabletape

GAME: Final = """title = "Millpond"
players = [2, 2]
[zones]
hand = "own"
pond = "open"
[move.play]
fields.card = "card of hand"
[move.rest]
[move.give]
fields.card = "card of hand"
fields.to = "other player"
"""
SAID: Final = (
    ("Mara", "ok ready?"),
    ("Mara", "I start"),
    ("Mara", "plays Reed"),
    ("Jonas", "I play Frog, haha"),
    ("Mara", "rests"),
    ("Jonas", "play Lily"),
    ("Mara", "gives Pike to Jonas"),
    ("Jonas", "plays it cool, man"),
    ("Mara", "plays Otter"),
    ("Jonas", "rests"),
    ("Jonas", "Mara wins"),
)
MOVES: Final = """line 2: first-player.chosen A
line 3: move.play A A:reed
line 4: move.play B B:frog
line 5: move.rest A
line 6: move.play B B:lily
line 7: move.give A A:pike
line 8: log.gap  lines = 1 | text = may be a move
line 9: move.play A A:otter
line 10: move.rest B""".splitlines()
STYLES: Final = {
    "whatsapp": "02.10.26, 19:{n:02} - {who}: {text}",
    "ios": "[02.10.26, 19:{n:02}:11] {who}: {text}",
    "irc": "[19:{n:02}] <{who}> {text}",
}

PLAYED: Final = (
    *(("Ines", "goes first"), ("Ines", "plays Reed"), ("Olek", "plays Frog"), ("Ines", "plays Lily")),
    *(("Olek", "plays Pike"), ("Ines", "draws 2 cards"), ("Olek", "plays Otter"), ("Ines", "wins")),
)
ROLL20: Final = (
    '<div class="message general" data-messageid="-K"><div class="spacer"></div><div class="avatar"><img></div>'
    '<span class="tstamp">{at:%B %d, %Y %I:%M%p}</span><span class="by">{who} (GM):</span>\n'
)
SHAPES: Final = {
    "IRC": "[{at:%H:%M}] <{who}> {text}",
    "irssi": "{at:%H:%M} <@{who}> {text}",
    "HexChat": "{at:%b %d %H:%M:%S} <{who}>\t{text}",
    "WeeChat": "{at:%Y-%m-%d %H:%M:%S}\t{who}\t{text}",
    "actions": "[{at:%H:%M}] * {who} {text}\n[{at:%H:%M}] <{who}> so",
    "a dash": "{at:%H:%M} - {who}: {text}",
    "an arrow": "({at:%H:%M}) {who}> {text}",
    "square brackets": "{at:%H:%M} [{who}] {text}",
    "strokes": "{at:%H:%M} | {who} | {text}",
    "a dash behind": "{at:%H:%M} {who} - {text}",
    "the name first": "{who} ({at:%d.%m.%Y, %H:%M}): {text}",
    "WhatsApp, American": "{at:%m/%d/%y, %I:%M\u202f%p} - {who}: {text}",
    "WhatsApp, French": "{at:%d/%m/%Y} \u00e0 {at:%H:%M} - {who} : {text}",
    "WhatsApp, Dutch": "{at:%d-%m-%Y %H:%M} - {who}: {text}",
    "WhatsApp, Finnish": "{at:%d.%m.%Y} klo {at:%H.%M} - {who}: {text}",
    "WhatsApp, strangers": "[{at:%d.%m.%y, %H:%M:%S}] ~\u202f{who}: {text}",
    "Telegram": "{who}, [{at:%b %d, %Y} at {at:%I:%M:%S %p}]:\n{text}\n",
    "Discord": "{who}\n \u2014 {at:%d.%m.%Y %H:%M}\n{text}",
    "Discord, Portuguese": "{who} \u2014 Hoje \u00e0s {at:%H:%M}\n{text}",
    "Discord, compact": "[{at:%I:%M %p}]{who}: {text}",
    "Slack": "{who}\n  {at:%I:%M %p}\n{text}",
    "Teams": "[{at:%d.%m. %H:%M}] {who}\n{text}\n",
    "Zoom": "{at:%H:%M:%S} From {who} to Everyone:\n\t{text}",
    "TeamSpeak": '<{at:%H:%M:%S}> "{who}": {text}',
    "Telegram, a page": '<div class="message default clearfix"><div class="body"><div class="pull_right date details" '
    'title="{at:%d.%m.%Y %H:%M:%S} UTC+00:00">{at:%H:%M}</div><div class="from_name">{who} </div><div class="text">'
    "{text}</div></div></div>",
    "Discord, a page": '<div class="chatlog__message-container"><span class="chatlog__author" title="x">{who}</span>'
    '<span class="chatlog__timestamp" title="{at:%A, %B %d, %Y %I:%M %p}"><a>yesterday</a></span>'
    '<div class="chatlog__content chatlog__markdown">{text}<br></div></div>',
    "Roll20, a page": f"{ROLL20}{{text}}</div>",
    "Roll20, actions on a page": f'{ROLL20}so</div><div class="message emote" data-messageid="-L">'
    '<div class="avatar">x</div> {who} {text} </div>',
}


def written(style: str) -> str:
    """Return the chat as a program writes it."""
    return "\n".join(STYLES[style].format(n=n, who=who, text=text) for n, (who, text) in enumerate(SAID))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A workspace with the game and the chat."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "millpond.toml").write_text(GAME, encoding="utf-8")
    (tmp_path / "chat.txt").write_text(written("whatsapp"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("players", [(), ("Mara", "Jonas")])
def test_who_stands_before_the_colon_speaks(style: str, players: tuple[str, ...]) -> None:
    """Nobody keeps the log whose messages begin with what the others do too; `plays` and `I` are no players."""
    seen = survey(written(style), Said(players=players))
    assert seen.players == ("Mara", "Jonas")
    assert "Mara" not in str(seen.head.get("prefix"))


@pytest.mark.parametrize("shape", SHAPES)
def test_names_and_times_are_found_where_a_program_puts_them(shape: str) -> None:
    """The players, all that they do and when they do it: a day that the lines leave out is that of the map."""
    began = datetime(2026, 11, 20, 21, 3, tzinfo=UTC)
    times = [began + timedelta(minutes=n) for n in range(len(PLAYED))]
    lines = [SHAPES[shape].format(at=at, who=who, text=text) for at, (who, text) in zip(times, PLAYED, strict=True)]
    text = "\n".join((*(["<html>"] if "a page" in shape else []), *lines))
    seen = survey_of(text.encode())
    assert seen.players == ("Ines", "Olek")
    kinds = [(kind.sentence, kind.entry) for kind in proposals(seen, "tabletop")]
    seen = seen._replace(head={**seen.head, "date": "2026-11-20"})
    used = read_map(map_text(seen, kinds, game="tabletop", edition="x"), "chat", vocabulary)
    log = MappedLog("chat", used, text.encode(), FileReading(lambda _: None, "UTC"))
    ((_, *events),) = log.events()
    assert [tag_of(type(event)) for _, event in events] == [
        *("first-player.chosen", *["card.moved"] * 4, "cards.drawn", "card.moved", "game.ended")
    ]
    assert [at.astimezone(UTC).replace(second=0) for _, event in events if (at := moment(event))] == times
    assert not log.entries


def moment(event: Any) -> datetime | None:
    """Return when an event happened, None where it does not say."""
    return event.at if isinstance(event.at, datetime) else None


def test_an_export_that_begins_with_the_newest_message_is_turned_round() -> None:
    """Messages of which each is older than the one above it happened the other way round."""
    said = [
        f'{{"sender_name": "{who}", "timestamp_ms": {1_800_000_000_000 + 60_000 * n}, "content": "{text}"}}'
        for n, (who, text) in enumerate(PLAYED)
    ]
    seen = survey_of(f'{{"messages": [{", ".join(said[::-1])}]}}'.encode())
    assert seen.head["newest_first"]
    assert [line for _, line in seen.lines] == [f"{who} {text}" for who, text in PLAYED]


def test_what_is_called_like_a_move_is_that_move(tabletape: Tabletape, table: Path) -> None:
    """First and third person, a remark behind a card, whom it is given to; who is said to win wins, and no speaker."""
    made = tabletape("map", "chat.txt", "--propose")
    assert made.exit_code == 0, made.stderr
    told = [line.strip().replace("  player = ", " ") for line in made.stdout.splitlines() if "  line " in line]
    short = [line.partition(" | to")[0].partition(" | reason")[0].replace(" | card =", "") for line in told]
    shown = [line.replace("  winner = ", " ").partition(" | method")[0] for line in short if "note.added" not in line]
    assert shown == MOVES
    assert "; Mara won; " in made.stdout
    assert "`Jonas: plays it cool, man` may be a move" in made.stderr
    assert (table / "chat.map.toml").exists()


def test_cards_in_small_letters_are_read_where_the_lines_are_alike(tabletape: Tabletape, table: Path) -> None:
    """One word behind a move that several lines say so, or that somebody is given, and words that say from where."""
    said = ("plays reed", "rests :)", "I play the pike from my hand", "gave up", "played frog", "gives otter to Jonas")
    text = "\n".join(f"Mara: {each}" for each in (*said, "plays well"))
    (table / "chat.txt").write_text(f"{text}\nJonas: rests\n")
    made = tabletape("map", "chat.txt", "--propose", "--players", "Mara,Jonas")
    assert made.exit_code == 0, made.stderr
    told = [line.strip().replace("  player = ", " ") for line in made.stdout.splitlines() if "  line " in line]
    assert told == [
        "line 1: move.play A | card = A:reed",
        "line 2: move.rest A",
        "line 3: move.play A | card = A:pike",
        "line 4: log.gap  lines = 1 | text = may be a move",
        "line 5: move.play A | card = A:frog",
        "line 6: move.give A | card = A:otter | to = B",
        "line 7: log.gap  lines = 1 | text = may be a move",
        "line 8: move.rest B",
    ]


def test_every_move_is_asked_about_and_a_half_map_is_gone_on_from(tabletape: Tabletape, table: Path) -> None:
    """`q` at once writes nothing; after an answer the next call asks about the rest; a changed map is left."""
    file = table / "chat.map.toml"
    nothing = tabletape("map", "chat.txt", stdin=b"q\n")
    assert (nothing.exit_code, file.exists()) == (1, False)
    assert tabletape("map", "chat.txt", stdin=b"\nq\n").exit_code == 0
    assert "move.give" not in file.read_text(encoding="utf-8")
    assert tabletape("map", "chat.txt", stdin=b"\n" * 20).exit_code == 0
    assert "move.give" in file.read_text(encoding="utf-8")
    file.write_text(f"{file.read_text(encoding='utf-8')}# mine\n", encoding="utf-8")
    refused = tabletape("map", "chat.txt", stdin=b"\n" * 20)
    assert "is there already: change it by hand" in refused.stderr


def test_a_refused_proposal_has_no_percentage(tabletape: Tabletape, table: Path) -> None:
    """What reads no game is not `100.0 % understood`; the command that goes on is said beside the page."""
    talk = [
        f"02.10.26, 19:{n:02} - {who}: {words} {n}"
        for n in range(12)
        for who, words in (("Mara", "well"), ("Jonas", "indeed"))
    ]
    (table / "talk.txt").write_text("\n".join(talk), encoding="utf-8")
    refused = tabletape("map", "talk.txt", "--propose")
    assert refused.exit_code == 1
    assert "no move of the game (24 of 24 lines are skipped)" in refused.stderr
    assert "%" not in refused.stderr
    assert "`tabletape map talk.txt --check` then tries it" in refused.stderr
