"""The command as a whole: its verbs, its help, and what happens when something goes wrong."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

import tabletape.cli
from tabletape.cli.main import app, found_verbs, help_text
from tabletape.cli.terminal.output import INTERRUPTED_CODE, plainly
from tabletape.events.log import Log, UnknownGameIdError
from tabletape.events.printable import in_one_line
from tabletape.events.vocabulary import vocabulary
from tabletape.projector.model.amounts import counted
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
VERBS = sorted(verb.name or "" for verb in found_verbs())
HEAVY = {
    "sqlalchemy",
    "pyarrow",
    "duckdb",
    "scipy",
    "streamlit",
    "textual",
    "alembic",
    "tabletape.projector",
    "tabletape.events.log",
}
PLAYERS = '[{"id": "A", "name": "Ann"}, {"id": "B", "name": "Ben"}]'
SPLICERS = [
    f'{{"type": "game.started", "game": "splicers", "edition": "0.2a", "id": "friday", "players": {PLAYERS}}}',
    '{"type": "turn.passed", "player": "B"}',
]
KNOWN_VERBS = {
    "audit",
    "compare",
    "coverage",
    "db",
    "games",
    "import",
    "log",
    "quarantine",
    "rules",
    "schema",
    "simulate",
    "template",
    "verify",
}


def call(*arguments: str) -> Result:
    """Call the command."""
    return CliRunner().invoke(app, list(arguments))


def python(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run Python in a process of its own, with our packages on its path."""
    merged = {**os.environ, "PYTHONPATH": str(ROOT / ".package"), **environment}
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, *arguments], capture_output=True, text=True, env=merged, check=False
    )


def test_every_file_with_a_function_of_its_own_name_is_a_verb() -> None:
    """Verbs are found by scanning; there is no list of them in the code."""
    assert set(VERBS) >= KNOWN_VERBS
    assert "output" not in VERBS
    assert "main" not in VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_with_an_example(verb: str) -> None:
    """The help of a verb says what it does and has an example to copy."""
    result = call(verb, "--help")
    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.splitlines()]
    examples = lines[lines.index("Example:") + 1 :]
    assert any(line.startswith(f"tabletape {verb}") for line in examples)


def test_the_list_of_verbs_loads_no_heavy_library() -> None:
    """`tabletape --help` loads neither the log nor the games nor any heavy library."""
    code = (
        "import sys; from typer.testing import CliRunner; from tabletape.cli.main import app;"
        "print(CliRunner().invoke(app, ['--help']).exit_code, *sorted(sys.modules))"
    )
    result = python("-c", code)
    status, *loaded = result.stdout.split()
    assert status == "0"
    assert not HEAVY & set(loaded)


def test_the_list_of_verbs_says_what_each_does() -> None:
    """Each verb is listed with the first sentence of its help."""
    text = call("--help").stdout
    for verb in found_verbs():
        assert f" {verb.name} " in text
        assert (verb.help or "").split()[0] in text


def test_the_version_is_the_package_s() -> None:
    """`--version` says which Tabletape this is."""
    assert call("--version").stdout == f"tabletape {tabletape.__version__}\n"


def test_a_mistyped_verb_is_answered_with_the_nearest_one() -> None:
    """An unknown verb is an error with a suggestion and the exit code of wrong usage."""
    result = call("adit")
    assert result.exit_code == 2
    assert "'audit'" in result.stderr


def test_the_command_runs_from_any_folder_as_a_module(tmp_path: Path) -> None:
    """The real program prints a plain message where there is no log, and leaves no file behind."""
    result = python("-m", "tabletape", "games", "--db", str(tmp_path / "none.db"))
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"Error: there is no log at {tmp_path}/none.db: `tabletape import` begins one\n"
    assert list(tmp_path.iterdir()) == []


def test_the_program_imports_and_audits_from_another_folder(tmp_path: Path) -> None:
    """The working folder does not matter: the log is where --db says, and messages name the files as given."""
    log = tmp_path / "evening.jsonl"
    log.write_text("\n".join(SPLICERS), encoding="utf-8")
    database = str(tmp_path / "tapes.db")
    imported = python("-m", "tabletape", "import", str(log), "--db", database)
    assert (imported.returncode, imported.stdout.splitlines()[0]) == (0, f"{log}: 1 new (2 new events)")
    audited = python("-m", "tabletape", "audit", "--db", database, "--format", "jsonl", "--fail-on", "any")
    assert audited.returncode == 1
    assert {json.loads(line)["game_id"] for line in audited.stdout.splitlines()} == {"friday"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening.jsonl", "tapes.db"]


def test_a_letter_that_the_terminal_cannot_show_is_replaced(tmp_path: Path) -> None:
    """Letters of a name that the terminal's encoding does not have are replaced, and cause no error."""
    log = tmp_path / "evening.jsonl"
    log.write_text("\n".join(SPLICERS).replace("Ann", "Zoë"), encoding="utf-8")
    database = str(tmp_path / "tapes.db")
    assert python("-m", "tabletape", "import", str(log), "--db", database, PYTHONIOENCODING="ascii").returncode == 0
    listed = python("-m", "tabletape", "games", "--db", database, PYTHONIOENCODING="ascii")
    assert (listed.returncode, "Zo?, Ben" in listed.stdout) == (0, True)


def interrupt(process: "subprocess.Popen[bytes]", pipe: IO[bytes]) -> None:
    """Press Ctrl-C, then write a line: a signal between two reads of the pipe is handled when the next read ends."""
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(BrokenPipeError):
        os.write(pipe.fileno(), b"\n")
    try:
        process.wait(PATIENCE)
    finally:
        process.kill()


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize(
    ("loaded", "code"),
    [("tabletape.cli.main", -signal.SIGINT), ("tabletape.events.startup", INTERRUPTED_CODE)],
)
def test_ctrl_c_while_the_command_is_loaded_ends_it_silently(loaded: str, code: int) -> None:
    """Ctrl-C right after the start prints no traceback."""
    program = (
        "import os, signal, sys; from tabletape.cli.start import run; "
        "finder = type('Finder', (), {'find_spec': lambda _, name, *more: "
        f"os.kill(os.getpid(), signal.SIGINT) if name == {loaded!r} else None}}); "
        "sys.meta_path.insert(0, finder()); sys.argv = ['tabletape', 'stats']; run()"
    )
    ended = python("-c", program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", "")


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_is_silent_from_the_first_module_on() -> None:
    """Before the entry is called nothing but itself is loaded, and Ctrl-C ends it already."""
    program = (
        "import os, signal, sys; before = {*sys.modules}; import tabletape.cli.start; "
        "print(*sorted({*sys.modules} - before), flush=True); os.kill(os.getpid(), signal.SIGINT)"
    )
    ended = python("-c", program)
    loaded = "tabletape tabletape.cli tabletape.cli.start\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, loaded, "")


def test_the_module_begins_where_the_command_does() -> None:
    """`python -m tabletape` loads nothing else of ours before Ctrl-C ends it without a word."""
    lines = python("-X", "importtime", "-m", "tabletape", "--version").stderr.splitlines()
    loaded = [line.rpartition("|")[2].strip() for line in lines]
    before = loaded[: loaded.index("tabletape.cli.start")]
    assert [name for name in before if name.startswith("tabletape")] == ["tabletape", "tabletape.cli"]


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_while_a_verb_is_loaded_takes_effect_afterwards() -> None:
    """Loading a library is not interrupted; after it the command ends as with any Ctrl-C."""
    code = (
        "import os, signal, sys; import tabletape.cli.main; "
        "finder = type('Finder', (), {'find_spec': lambda _, name, *more: "
        "os.kill(os.getpid(), signal.SIGINT) if name == 'tabletape.cli.games' else None}); "
        "sys.meta_path.insert(0, finder()); sys.argv = ['tabletape', 'games']; tabletape.cli.main.run()"
    )
    ended = python("-c", code)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "Stopped. Nothing is half-written.\n")


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_after_the_output_changes_nothing() -> None:
    """Ctrl-C while Python shuts down prints no traceback, and the exit code stays what it was."""
    code = (
        "import atexit, os, signal, sys; from tabletape.cli.main import run; "
        "atexit.register(os.kill, os.getpid(), signal.SIGINT); "
        "sys.argv = ['tabletape', '--version']; run()"
    )
    ended = python("-c", code)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_interrupting_an_import_leaves_nothing_half_written(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a file ends with one line and 130, and nothing of the file is in the log."""
    database = tmp_path / "tapes.db"
    Log.open(database, create=True).close()
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-m", "tabletape", "import", "-", "--db", str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".package")},
    ) as process:
        assert process.stdin
        assert process.stderr
        # More than a pipe holds: when it is written, the import is in the middle of the file.
        process.stdin.write("\n".join([*SPLICERS, *SPLICERS[1:] * 5000]).encode())
        process.stdin.flush()
        interrupt(process, process.stdin)
        assert process.stderr.read() == b"Stopped. Nothing is half-written.\n"
    assert process.returncode == 130
    with Log.open(database) as log:
        assert (log.games(), log.raw_files()) == ([], [])


def test_a_closed_pipe_is_no_error() -> None:
    """`tabletape … | head -1` writes nothing to standard error."""
    code = "import sys; from tabletape.cli.main import app; sys.argv = ['tabletape', 'schema', 'splicers']; app()"
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".package"), "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_unexpected_exception_is_reported_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    """An exception that nobody foresaw is reported as our own mistake, in one line, with an exit code of its own."""
    with pytest.raises(typer.Exit) as raised, plainly():
        raise KeyError("seed")
    assert raised.value.exit_code == 70
    message = capsys.readouterr().err
    assert message.startswith("Error: Tabletape has made a mistake of its own (KeyError: 'seed')")
    assert message.count("\n") == 1


def test_an_unexpected_exception_can_be_debugged(monkeypatch: pytest.MonkeyPatch) -> None:
    """With TABLETAPE_DEBUG the exception itself is raised."""
    monkeypatch.setenv("TABLETAPE_DEBUG", "1")
    with pytest.raises(KeyError), plainly():
        raise KeyError("seed")


def test_ctrl_c_ends_with_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Interrupting says so in one line and exits with 130."""
    with pytest.raises(typer.Exit) as raised, plainly():
        raise KeyboardInterrupt
    assert raised.value.exit_code == 130
    assert capsys.readouterr().err == "Stopped. Nothing is half-written.\n"


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An error of the operating system is reported with the file and its reason."""
    with pytest.raises(typer.Exit) as raised, plainly():
        (tmp_path / "none").read_text()
    assert raised.value.exit_code == 1
    assert capsys.readouterr().err == f"Error: {tmp_path}/none: No such file or directory\n"


def test_control_characters_of_a_log_never_reach_the_terminal() -> None:
    """A name in a log cannot clear the screen, ring the bell, reverse the writing direction or begin a line."""
    assert in_one_line("Ann\x1b[2J\x07\u202e!\tBen\n") == "Ann\ufffd[2J\ufffd\ufffd!\tBen\u23ce"


def test_numbers_agree_with_their_nouns() -> None:
    """One game, two games, and thousands with their comma."""
    assert [counted(n, "game") for n in (0, 1, 2000)] == ["0 games", "1 game", "2,000 games"]
    assert counted(2, "match", "matches") == "2 matches"


def test_help_texts_are_wrapped_and_examples_are_not() -> None:
    """Paragraphs lose their line breaks, examples keep them, and brackets are no markup."""
    assert help_text("Do [it]\nnow.\n\nExample:\n    a\n    b\n") == "Do \\[it] now.\n\nExample:\na\nb"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("stats", "first-player", "--since", "soon"), "a day, as in 2026-05-01, was expected, not 'soon'"),
        (("simulate", "splicers", "--games", "many"), "a whole number was expected, not 'many'"),
        (("serve", "--port", "99999"), "65535 or less was expected, not '99999'"),
        (("whatif", "crystal", "--until", "soon"), "a number was expected, not 'soon'"),
    ],
)
def test_an_argument_that_cannot_be_read_is_answered_in_plain_words(words: tuple[str, ...], expected: str) -> None:
    """The error says what was expected and what was written, without the wording of the parsing library."""
    result = CliRunner().invoke(app, words, env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert expected in result.output
    assert "Value error" not in result.output
    assert "Input should" not in result.output


def test_near_names_are_those_of_the_same_game(tmp_path: Path) -> None:
    """An id or a rule that begins with a game's name means that game: no similar one of another game is suggested."""
    with Log.open(tmp_path / "log.db", create=True) as log:
        for slug, game_id in (("crystal", "crystal-autumn-09"), ("splicers", "autumn-2")):
            line = {"type": "game.started", "game": slug, "edition": "x", "id": game_id, "players": json.loads(PLAYERS)}
            log.append(game_id, [vocabulary(slug).decode(json.dumps(line))], expected_last_seq=0)
        with pytest.raises(UnknownGameIdError, match="did you mean 'autumn-2'"):
            log.game("splicers-autumn-99")
        with pytest.raises(UnknownGameIdError, match="did you mean 'crystal-autumn-09'"):
            log.game("crystal-autum-9")
        with pytest.raises(UnknownGameIdError, match="there is no game of evolve in it"):
            log.game("evolve-autumn-09")
    result = CliRunner().invoke(app, ["rules", "crystal.kw.expensive", "--db", str(tmp_path / "log.db")])
    assert "splicers" not in result.output
    assert "crystal." in result.output


WORDS = st.one_of(
    st.sampled_from(
        [
            "--game",
            "--json",
            "--db",
            "--ruling",
            "--edition",
            "--format",
            "a=b",
            "",
            "-",
            "--seed",
            "x" * 300,
            "--",
            "[b]",
        ]
    ),
    st.text(max_size=8),
)


@settings(deadline=None, max_examples=60)
@given(
    verb=st.sampled_from(sorted({*KNOWN_VERBS, "build", "stats", "sql", "replay"} - {"simulate"})),
    words=st.lists(WORDS, max_size=4),
)
def test_wrong_arguments_never_end_in_a_traceback(
    verb: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever arguments a verb gets, it prints a message and exits with 0, 1 or 2."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [verb, *words], input=b"")
    assert result.exit_code in {0, 1, 2}
    assert "mistake of its own" not in result.output
    assert "Traceback" not in result.output
