"""Games of other packages: they are found by entry points, and one that cannot be used affects no other game."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tabletape.events import vocabulary as known
from tabletape.events.vocabulary import UnknownGameError, games, plugin_problems, plugins, vocabulary
from tabletape.events.vocabulary.plugins import waited_for
from tabletape.projector.games import game, package_of
from tests.cli.conftest import Tabletape
from tests.waiting import PATIENCE

USABLE = """
import msgspec
from tabletape.projector.games.crystal import GAME
GAME = msgspec.structs.replace(GAME, slug="wyld", rulebook=msgspec.structs.replace(GAME.rulebook, title="Wyld"))
"""
MUTE = """
class Mute(Exception):
    def __str__(self): raise SystemExit(4)
raise Mute
"""
LOG = '{"type":"game.started","game":"wyld","edition":"2025","id":"w","players":[{"id":"A","name":"Ann"}]}\n'

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a package with a game: its name, the source of its module, and the slug."""
    monkeypatch.syspath_prepend(tmp_path / "site")

    def write_package(
        package: str, source: str, slug: str = "wyld", attribute: str = ":GAME", group: str = "games"
    ) -> None:
        folder = tmp_path / "site" / f"{package}-1.0.dist-info"
        folder.mkdir(parents=True)
        (tmp_path / "site" / package).mkdir()
        (tmp_path / "site" / package / "__init__.py").write_text(source, encoding="utf-8")
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        points = f"[tabletape.{group}]\n{slug} = {package}{attribute}\n"
        (folder / "entry_points.txt").write_text(points, encoding="utf-8")
        forget()

    def forget() -> None:
        known._plugins.cache_clear()
        known.readers.cache_clear()

    forget()
    yield write_package
    forget()


def test_a_game_of_a_package_is_known_under_its_slug(install: Install) -> None:
    """Its vocabulary has the name of the game, not that of the module with its events."""
    install("wyld_rules_usable", USABLE)
    assert "wyld" in games()
    assert plugin_problems() == {}
    assert game("wyld").title == "Wyld"
    assert vocabulary("wyld") is game("wyld").vocabulary
    assert vocabulary("wyld").schema()["title"] == "A log line of wyld"
    assert vocabulary("crystal").game == "crystal"
    assert package_of("wyld") == "wyld_rules_usable"


@pytest.mark.parametrize(
    ("source", "slug", "attribute", "message"),
    [
        (
            'raise RuntimeError("no luck")',
            "wyld",
            ":GAME",
            "it cannot be loaded: RuntimeError: no luck; mend or ",
        ),
        ("import sys; sys.exit(3)", "wyld", ":GAME", "it cannot be loaded: SystemExit: 3; mend or "),
        ("raise BaseException('skipped')", "wyld", ":GAME", "it cannot be loaded: BaseException: skipped; mend or "),
        (MUTE, "wyld", ":GAME", "it cannot be loaded: Mute: it does not say why; mend or "),
        ("def (", "wyld", ":GAME", "it cannot be loaded: SyntaxError"),
        (USABLE.replace("slug=", "slag="), "wyld", ":GAME", "it cannot be loaded: TypeError"),
        (USABLE, "wyld", ":SPIEL", "it cannot be loaded: AttributeError"),
        (USABLE, "wyld", "", "what it names is a module and no `Game`"),
        (USABLE, "wild", ":GAME", "the game calls itself 'wyld'"),
        (USABLE, "splicers", ":GAME", "which Tabletape has itself: declare it under another name"),
    ],
)
def test_a_package_that_cannot_be_used_is_named(  # noqa: PLR0913, PLR0917 - one column of the table each
    install: Install, request: pytest.FixtureRequest, source: str, slug: str, attribute: str, message: str
) -> None:
    """The message says which package it is, what is wrong and what to do; built-in games still work."""
    package = f"wyld_rules_{abs(hash(request.node.name))}"
    install(package, source, slug, attribute)
    assert plugins() == {}
    assert f"the package {package} 1.0 declares a game {slug!r}" in plugin_problems()[slug]
    assert message in plugin_problems()[slug]
    assert game("splicers").title == "Splicers"
    if slug not in games():
        with pytest.raises(UnknownGameError, match="cannot be used: the package"):
            game(slug)


@pytest.mark.parametrize("source", ["import sys; sys.exit(3)", MUTE, "raise BaseException"])
def test_a_package_that_wants_to_exit_ends_no_command(
    install: Install, request: pytest.FixtureRequest, tabletape: Tabletape, tmp_path: Path, source: str
) -> None:
    """The log is imported, and the package is named behind it."""
    package = f"wyld_rules_exit_{abs(hash(request.node.name))}"
    install(package, source)
    (tmp_path / "c.jsonl").write_text(LOG.replace("wyld", "crystal"), encoding="utf-8")
    result = tabletape("import", "c.jsonl")
    assert result.exit_code == 0, result.output
    assert f"Left out: the package {package} 1.0 declares a game 'wyld', but it cannot be loaded" in result.output


def test_an_interrupt_while_a_package_is_loaded_says_where_it_came(
    install: Install, tabletape: Tabletape, tmp_path: Path
) -> None:
    """Whether somebody has pressed Ctrl-C or the package raises that itself, it is named."""
    install("wyld_rules_interrupt", "raise KeyboardInterrupt")
    (tmp_path / "c.jsonl").write_text(LOG.replace("wyld", "crystal"), encoding="utf-8")
    result = tabletape("import", "c.jsonl")
    assert result.exit_code == 130
    assert "Stopped while the package wyld_rules_interrupt 1.0 was being loaded." in result.output


SLOW = """
import threading
def wait():
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(%d)
    raise KeyboardInterrupt
"""
"""Code of a package that waits until it has been said that it is waited for, and is stopped by Ctrl-C then."""


@pytest.mark.parametrize(
    ("group", "more", "what"),
    [
        ("games", "wait()", "was being loaded"),
        ("readers", "wait()", "was being loaded"),
        ("readers", "def GAME(content): wait()", "was reading a file"),
        ("readers", "def GAME(content): yield wait()", "was reading a file"),
    ],
)
def test_a_command_says_which_package_it_waits_for(  # noqa: PLR0913, PLR0917 - fixtures, and one column of the table each
    install: Install,
    tabletape: Tabletape,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    group: str,
    more: str,
    what: str,
) -> None:
    """Once its code takes long it is said; whoever stops the command then reads which one it was."""
    monkeypatch.setattr(sys.modules[waited_for.__module__], "SLOW", 0.01)
    package = f"wyld_slow_{abs(hash(more + group))}"
    install(package, SLOW % PATIENCE + more, group=group)
    (tmp_path / "c.json").write_text('{"wyld": 1}', encoding="utf-8")
    result = tabletape("import", "c.json")
    assert f"Waiting for the package {package} 1.0, which is slow or hangs; Ctrl+C stops it." in caplog.messages
    assert (result.exit_code, result.output.splitlines()[-1]) == (
        130,
        f"Stopped while the package {package} 1.0 {what}. Nothing is half-written.",
    )


def test_an_interrupt_of_the_rules_of_a_package_names_it(
    install: Install, tabletape: Tabletape, tmp_path: Path
) -> None:
    """Its game may hang in whatever it is asked."""
    stopped = "def stop(*_, **__): raise KeyboardInterrupt\nGAME = msgspec.structs.replace(GAME, opening=stop)\n"
    install("wyld_rules_hanging", USABLE + stopped)
    (tmp_path / "w.jsonl").write_text(LOG, encoding="utf-8")
    tabletape("import", "w.jsonl")
    result = tabletape("audit")
    assert result.exit_code == 130
    assert "Stopped while the game of the package wyld_rules_hanging 1.0 was at work." in result.output


def test_a_game_may_stand_in_a_module_of_its_package(install: Install, tmp_path: Path) -> None:
    """Its cards are files of the package; a module outside a package has none and is refused."""
    install("wyld_rules_parted", "", attribute=".game:GAME")
    (tmp_path / "site/wyld_rules_parted/game.py").write_text(USABLE, encoding="utf-8")
    assert "wyld" in games()
    assert package_of("wyld") == "wyld_rules_parted"
    install("wyld_rules_alone", "", "wyld-alone")
    (tmp_path / "site/wyld_rules_alone/__init__.py").unlink()
    (tmp_path / "site/wyld_rules_alone").rmdir()
    (tmp_path / "site/wyld_rules_alone.py").write_text(USABLE.replace("wyld", "wyld-alone"), encoding="utf-8")
    assert "wyld_rules_alone is a module alone" in (games() and plugin_problems()["wyld-alone"])


def test_of_two_packages_with_the_same_game_none_is_used(install: Install) -> None:
    """It is not clear which of them is meant, so both are named."""
    install("wyld_rules_first", USABLE)
    install("wyld_rules_second", USABLE)
    assert "wyld" not in games()
    first, second = "the package wyld_rules_first 1.0", "the package wyld_rules_second 1.0"
    assert plugin_problems() == {"wyld": f"{first} and {second} both declare a game 'wyld': uninstall one of them"}


def test_stored_games_of_a_broken_package_stop_no_command(
    install: Install, tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Import, audit, build, questions and exports work for the other games, and say what they leave out."""
    install("wyld_rules_stored", USABLE)
    (tmp_path / "w.jsonl").write_text(LOG, encoding="utf-8")
    (tmp_path / "c.jsonl").write_text(LOG.replace("wyld", "crystal").replace('"w"', '"c"'), encoding="utf-8")
    result = tabletape("import", "w.jsonl", "c.jsonl")
    assert result.exit_code == 0, result.output
    (tmp_path / "site/wyld_rules_stored/__init__.py").write_text('raise RuntimeError("no luck")', encoding="utf-8")
    monkeypatch.delitem(sys.modules, "wyld_rules_stored")
    known._plugins.cache_clear()
    for command in ("import c.jsonl", "audit", "build", "stats first-player", "export --xlsx e.xlsx"):
        result = tabletape(*command.split())
        assert result.exit_code == 0, result.output
        assert "Left out: the package wyld_rules_stored 1.0 declares a game 'wyld'" in result.output
    refused = tabletape("import", "w.jsonl", "--db", "other.db")
    assert refused.exit_code == 1
    assert "w.jsonl: no game (0 new events, 1 game not read)" in refused.output
    assert "RuntimeError: no luck" in refused.output


def test_a_file_that_cannot_be_used_is_named_by_every_command(tabletape: Tabletape, tmp_path: Path) -> None:
    """A game's file with an underscore is left out, with what it may be called, and the other games go on."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "wyld_t.toml").write_text('title = "Wyld"')
    (tmp_path / "c.jsonl").write_text(LOG.replace("wyld", "crystal"), encoding="utf-8")
    for command in ("import c.jsonl", "games", "audit", "build", "stats scores", "log w"):
        result = tabletape(*command.split())
        assert (result.exit_code, "wyld_t.toml: the file is called by" in result.output) == (0, True), result.output
    result = tabletape("simulate", "wyld_t")
    assert (result.exit_code, "small letters, digits and hyphens" in result.output) == (1, True)


# -- readers -----------------------------------------------------------------------------------------------------------

READS = """
import json
def read(content):
    if not content.startswith(b'{"wyld"'):
        return None
    return lines(json.loads(content)["wyld"])
def lines(names):
    seats = [{"id": name[0], "name": name} for name in names]
    yield "wyld", {"type": "game.started", "game": "crystal", "edition": "2024", "id": "w", "players": seats}
    for number, name in enumerate(names):
        yield f"wyld[{number}]", {"type": "note.added", "player": name[0], "text": "Hello"}
    yield "wyld", {"type": "note.added", "player": "X", "text": "Who?"}
"""
FILE = '{"wyld": ["Ann", "Ben"]}'


def test_a_reader_of_a_package_reads_the_files_of_its_program(
    install: Install, tabletape: Tabletape, tmp_path: Path
) -> None:
    """Its lines are those of a log: each has its place in the file, and what cannot be taken goes to quarantine."""
    install("wyld_reads", READS, attribute=":read", group="readers")
    (tmp_path / "w.json").write_text(FILE, encoding="utf-8")
    for expected in ("w.json: 1 new (3 new events, 1 line in quarantine)", "w.json: 1 unchanged"):
        result = tabletape("import", "w.json")
        assert expected in result.output, result.output
    assert "w.json: wyld[1]" in tabletape("log", "w").output
    assert "no player `X` sits at this table" in tabletape("quarantine").output
    assert "w.json: 1 unchanged" in tabletape("import", "--remap").output


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import sys\ndef read(content): sys.exit(3)", "cannot read it: SystemExit: 3"),
        (f"{MUTE.rpartition('raise')[0]}\ndef read(content): raise Mute", "cannot read it: Mute: it does not say why"),
        ("def read(content):\n    yield 1, {}\n    raise BaseException('half')", "cannot read it: BaseException: half"),
        ("def read(content): return [3]", "cannot read it: TypeError"),
        ("read = 3", "what it names is a int and no function"),
        ("raise SystemExit", "it cannot be loaded: SystemExit; mend or uninstall the package"),
    ],
)
def test_a_reader_that_fails_is_named_and_the_next_one_reads(
    install: Install, tabletape: Tabletape, tmp_path: Path, source: str, said: str
) -> None:
    """Nothing of what it has made before is taken."""
    name = f"wyld_fails_{abs(hash(source))}"
    install(name, source, "a-first", ":read", "readers")
    install(f"{name}_reads", READS, "b-second", ":read", "readers")
    (tmp_path / "w.json").write_text(FILE, encoding="utf-8")
    result = tabletape("import", "w.json")
    assert "w.json: 1 new (3 new events" in result.output, result.output
    assert said in result.output
    assert f"the package {name} 1.0" in result.output
