"""Each line of a log is imported, or put into quarantine with its place, the reason and a suggestion."""

from pathlib import Path

import pytest

from tabletape.events.importing import Known
from tabletape.events.log import Log
from tabletape.events.log.rows import QuarantinedLine
from tests.events.conftest import KNOWN, game, head, import_file, line, write_lines

BAD = [
    # line, column (from 1), code, part of the message, part of the suggestion
    (line("seed.plyd", player="A"), 10, "unknown-type", '"seed.plyd"', "`seed.played`"),
    ('{"type": ', 10, "not-json", "breaks off after", "write the whole event"),
    ("tea was spilled", 1, "not-json", "no JSON", 'looks like {"type"'),
    ('{"type": "turn.ended" "player": "A"}', 23, "not-json", "comma", ""),
    ('{"type": "turn.ended", "player": \u201cA\u201d}', 34, "not-json", "value", "plain double quotes"),
    ("{'type': 'turn.ended'}", 2, "not-json", "double quotes", "plain double quotes"),
    ('{"type": "state.observed", "exhausted": True}', 41, "not-json", "value", "lower case"),
    ('{"type": "turn.ended", "player": "A"} {}', 39, "not-json", "behind the closing bracket", ""),
    ('{"type": "turn.ended", "\\u0000": 1, "player": "A"}', 24, "unknown-field", "no field", ""),
    ("[1, 2]", 1, "wrong-type", "an object", ""),
    ('{"player": "A"}', 1, "missing-field", "`type` is missing", ""),
    (line("turn.ended"), 1, "missing-field", "needs the field `player`", ""),
    (line("turn.ended", player=3), 34, "wrong-type", "`player`: text is expected, not `3`", ""),
    (line("turn.ended", player="A", playr="B"), 39, "unknown-field", "no field `playr`", "`player`"),
    (line("turn.ended", player="C"), 34, "unknown-player", "the players are A, B", ""),
    (line("game.ended", winner="C", reason="domination"), 34, "unknown-player", "the players are A, B", ""),
    (
        line("seed.played", player="A", card="A:reed-her", biom="x"),
        48,
        "unknown-card",
        "`reed-her`",
        "`A:reed-heron`",
    ),
    (line("seed.played", player="A", card="C:reed-heron", biom="x"), 48, "unknown-player", "no player `C`", ""),
    (
        line("tings.spliced", player="A", tings=["A:tin-wasp", "A:tin-wa"], count=0),
        66,
        "unknown-card",
        "`tin-wa`",
        "`A:tin-wasp`",
    ),
    (line("cards.drawn", player="A", count=1, cards=[], reason="ability"), 1, "one-of", "exactly one of", ""),
    (line("cards.drawn", player="A", reason="ability"), 1, "one-of", "neither does", ""),
    (line("cards.drawn", player="A", count=-1, reason="ability"), 49, "wrong-type", "at least 0", ""),
    (line("cards.drawn", player="A", count=1, reason="abilt"), 62, "wrong-type", "none of the words", "`ability`"),
    (line("turn.ended", player="A", seq=1), 46, "seq-order", "has to grow", ""),
    (line("turn.ended", player="A", seq=2**60), 46, "wrong-type", "at most 1000000", ""),
    (line("round.counted", dominated={"A": [1], "B": []}), 40, "wrong-type", "`dominated`: text is expected", ""),
    ('{"type": "round.started", "round": NaN}', 1, "not-json", "no JSON", ""),
    ('{"type": "note.added", "text": ' + "[" * 5000 + "]" * 5000 + "}", 1, "not-json", "too deeply", ""),
]


@pytest.mark.parametrize("bad", BAD, ids=[f"{number}-{each[2]}" for number, each in enumerate(BAD)])
def test_a_bad_line_goes_to_quarantine_with_its_place(
    log: Log, tmp_path: Path, bad: tuple[str, int, str, str, str]
) -> None:
    """Only the bad line goes to quarantine, with line, column, code, reason and suggestion; the game has a gap."""
    text, column, code, message, suggestion = bad
    good = game()
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*good[:3], text, *good[3:]]), known=lambda _: KNOWN)
    (entry,) = log.quarantine()
    assert report.entries == [entry]
    assert (entry.line, entry.column, entry.code, entry.raw) == (4, column, code, text)
    assert message in entry.message
    assert suggestion in entry.suggestion
    gap = [] if "note.added" in text and code != "not-json" else ["log.gap"]
    types = [each.split('"')[3] for each in good]
    assert [event.type for event in log.stored(log.game("g"))] == [*types[:3], *gap, *types[3:]]


def test_blank_lines_are_no_error(log: Log, tmp_path: Path) -> None:
    """An empty line, or one with blanks only, is ignored."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", ["", game()[0], "   ", "\t", *game()[1:], "", ""]))
    assert (report.quarantined, report.events) == (0, len(game()))


@pytest.mark.parametrize("cut", range(1, len(line("player.conceded", player="B"))))
def test_a_last_line_that_is_cut_off_is_distinguished_from_a_bad_one(log: Log, tmp_path: Path, cut: int) -> None:
    """Wherever a file breaks off, everything before is imported and the entry says that the file is truncated."""
    lines = game()
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(lines)[: -len(lines[-1]) + cut])
    report = import_file(log, path)
    (entry,) = report.entries
    assert (entry.code, entry.line, entry.column) == ("truncated", len(lines), cut + 1)
    assert report.events == len(lines) - 1


def test_a_truncated_file_can_be_completed_later(log: Log, tmp_path: Path) -> None:
    """Importing the whole file appends what the truncated one lacked."""
    lines = game()
    path = tmp_path / "g.jsonl"
    path.write_text("\n".join(lines)[:-10])
    import_file(log, path)
    report = import_file(log, write_lines(path, lines))
    assert [(each.status, each.events) for each in report.games] == [("grown", 1)]
    assert log.quarantine() == []


def test_a_seq_that_is_written_is_kept(log: Log, tmp_path: Path) -> None:
    """A log may number its events; an event without a number gets the next one."""
    lines = [head(), line("turn.ended", player="A", seq=5), line("turn.ended", player="B")]
    import_file(log, write_lines(tmp_path / "g.jsonl", lines))
    assert [event.seq for event in log.stored(log.game("g"))] == [1, 5, 6]


def test_a_log_with_and_without_seq_is_the_same(log: Log, tmp_path: Path) -> None:
    """Numbers in the file and numbers that the import assigns make no difference."""
    plain = [head(), line("turn.ended", player="A")]
    numbered = [head(seq=1), line("turn.ended", player="A", seq=2)]
    import_file(log, write_lines(tmp_path / "plain.jsonl", plain))
    report = import_file(log, write_lines(tmp_path / "numbered.jsonl", numbered))
    assert report.unchanged


HEADLESS = [
    ([head(game="splcer"), *game()[1:]], "unknown-game", "crystal, duelyst, evolve, phylogenome, splicers"),
    (
        [head(rulings={"domination_treshold": "at_least"}), *game()[1:]],
        "unknown-ruling",
        "no ruling `domination_treshold`",
    ),
    ([head(rulings={"domination_threshold": "atleast"}), *game()[1:]], "unknown-ruling", "at_least, more_than"),
    ([head(players=[]), *game()[1:]], "wrong-players", "here sit: nobody"),
    ([head(players=[{"id": "A", "name": "Ann"}] * 2), *game()[1:]], "wrong-players", "here sit: A, A"),
    ([head(players=[{"id": "A", "name": "A" * 501}]), *game()[1:]], "too-long", "at most 500 letters, not 501"),
    ([head("g" * 501), *game()[1:]], "too-long", "`id`: a name has at most 500 letters"),
    ([head(id=" "), *game()[1:]], "wrong-id", "`id` needs a text"),
    ([head(id="g\0"), *game()[1:]], "wrong-id", "`id` needs a text"),
    ([head(players="Ann"), *game()[1:]], "wrong-type", "a list"),
    ([head().replace("game.started", "game.strtd"), *game()[1:]], "unknown-type", '"game.strtd"'),
    ([head()[:40], *game()[1:]], "not-json", "breaks off"),
    ([head()[:-1], *game()[1:]], "not-json", "breaks off"),
    (['{"type": "game.started"}', *game()[1:]], "unknown-game", "splicers"),
]


@pytest.mark.parametrize(("lines", "code", "message"), HEADLESS)
def test_lines_without_a_game_are_one_entry(
    log: Log, tmp_path: Path, lines: list[str], code: str, message: str
) -> None:
    """A game whose head cannot be read is one entry with the count of its lines, which go to no other game."""
    before, after = game("before"), game("after")
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*before, *lines, *after]), known=lambda _: KNOWN)
    (entry,) = report.entries
    assert (entry.line, entry.code) == (len(before) + 1, code)
    assert message in entry.message
    assert f"the {len(lines) - 1} lines after it" in entry.message
    assert log.game("before").events == len(before)
    assert log.game("after").events == len(after)


@pytest.mark.parametrize(("text", "code"), [(line("turn.ended", player="A"), "no-game"), ("hello", "not-json")])
def test_lines_before_the_first_game_are_one_entry(log: Log, tmp_path: Path, text: str, code: str) -> None:
    """A file that does not begin with a game.started has one entry for all lines up to the first."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [*[text] * 3, *game()]))
    (entry,) = report.entries
    assert (entry.line, entry.code) == (1, code)
    assert "the 2 lines after it" in entry.message
    assert log.game("g").events == len(game())


def test_a_misspelt_game_is_answered_with_the_right_one(log: Log, tmp_path: Path) -> None:
    """The suggestion names the game that was probably meant, the column points at the word."""
    (entry,) = import_file(log, write_lines(tmp_path / "g.jsonl", [head(game="splcer")])).entries
    assert entry.suggestion == "did you mean `splicers`?"
    assert entry.column == head(game="splcer").index('"splcer"') + 1


def test_without_knowledge_cards_and_rulings_are_not_checked(log: Log, tmp_path: Path) -> None:
    """The import itself knows no cards and rulings; its caller passes them in."""
    lines = [head(rulings={"mine": "yes"}), line("seed.played", player="A", card="A:made-up", biom="x")]
    assert import_file(log, write_lines(tmp_path / "g.jsonl", lines)).quarantined == 0


def test_a_declared_card_may_be_played(log: Log, tmp_path: Path) -> None:
    """A deck list is imported whatever it names, and its cards can be played; unknown ones are asked about."""
    deck = line("deck.declared", player="A", cards=["made-up"], splicer="my-splicer", bioms=["my-biom"])
    plays = [
        line("seed.played", player="A", card=f"A:{card}", biom="x") for card in ("made-up", "my-splicer", "my-biom")
    ]
    lines = [head(), deck, *plays, line("seed.played", player="A", card="A:?1", biom="x")]
    report = import_file(log, write_lines(tmp_path / "g.jsonl", lines), known=lambda _: KNOWN, strict=True)
    assert [(entry.line, entry.code) for entry in report.entries] == [(2, "new-card")]
    assert "`made-up`, `my-splicer`, `my-biom` are cards that this game does not have" in report.entries[0].message
    assert report.events == len(lines)


def test_a_card_declared_in_one_game_is_not_known_in_the_next(log: Log, tmp_path: Path) -> None:
    """Each game has its own deck lists."""
    deck = line("deck.declared", player="A", cards=["made-up"], splicer="tin-wasp", bioms=[])
    play = line("seed.played", player="A", card="A:made-up", biom="x")
    report = import_file(
        log, write_lines(tmp_path / "g.jsonl", [head("a"), deck, play, head("b"), play]), known=lambda _: KNOWN
    )
    assert [(entry.line, entry.code) for entry in report.entries] == [(2, "new-card"), (5, "unknown-card")]


def test_cards_within_a_move_are_checked_too(log: Log, tmp_path: Path) -> None:
    """A card in an object in a list is checked, and reported with its column."""
    known = Known(frozenset(["roundworm"]), {})
    moves = [{"card": "A:roundworm", "to": [0, 1]}, {"card": "A:roundwurm", "to": [0, 2]}]
    bad = line("species.moved", player="A", moves=moves)
    path = write_lines(tmp_path / "g.jsonl", [head(game="phylogenome", edition="basic"), bad])
    (entry,) = import_file(log, path, known=lambda _: known).entries
    assert (entry.code, entry.column) == ("unknown-card", bad.index('"A:roundwurm"') + 1)
    assert entry.suggestion == "did you mean `A:roundworm`?"


def test_strict_imports_nothing_at_all(log: Log, tmp_path: Path) -> None:
    """With one bad line nothing of the file is written, and the report says which line it was."""
    path = write_lines(tmp_path / "g.jsonl", [*game("a"), *game("b"), "oops"])
    report = import_file(log, path, strict=True)
    assert isinstance(report.problem, QuarantinedLine)
    assert (report.problem.line, report.problem.code) == (2 * len(game()) + 1, "not-json")
    assert (report.events, report.games) == (0, [])
    assert (log.games(), log.raw_files(), log.quarantine()) == ([], [], [])


def test_many_bad_lines_are_all_kept(log: Log, tmp_path: Path) -> None:
    """The report shows the first thousand, the quarantine has them all."""
    report = import_file(log, write_lines(tmp_path / "g.jsonl", [head(), *["oops"] * 2500]))
    assert (report.quarantined, len(report.entries)) == (2500, 1000)
    assert [entry.line for entry in log.quarantine()] == list(range(2, 2502))
