"""Games of other packages: found by their entry points, and one that cannot be used costs nobody else anything."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import events.vocabulary
from events.vocabulary import UnknownGameError, games, plugin_problems, plugins, vocabulary
from projector.games import game, package_of
from tests.cli.conftest import Tabletape

USABLE = """
import msgspec
from projector.games.crystal import GAME
GAME = msgspec.structs.replace(GAME, slug="wyld", title="Wyld")
"""
LOG = '{"type":"game.started","game":"wyld","edition":"2025","id":"w","players":[{"id":"A","name":"Ann"}]}\n'

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a package with a game: its name, the source of its module, and the slug."""
    monkeypatch.syspath_prepend(tmp_path / "site")

    def put(package: str, source: str, slug: str = "wyld", attribute: str = ":GAME") -> None:
        folder = tmp_path / "site" / f"{package}-1.0.dist-info"
        folder.mkdir(parents=True)
        (tmp_path / "site" / package).mkdir()
        (tmp_path / "site" / package / "__init__.py").write_text(source, encoding="utf-8")
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        points = f"[tabletape.games]\n{slug} = {package}{attribute}\n"
        (folder / "entry_points.txt").write_text(points, encoding="utf-8")
        events.vocabulary._plugins.cache_clear()

    events.vocabulary._plugins.cache_clear()
    yield put
    events.vocabulary._plugins.cache_clear()


def test_a_game_of_a_package_is_known_under_its_slug(install: Install) -> None:
    """Its vocabulary is called as the game is, not as the module in which its events stand."""
    install("wyld_rules_usable", USABLE)
    assert "wyld" in games()
    assert plugin_problems() == {}
    assert game("wyld").title == "Wyld"
    assert vocabulary("wyld") is game("wyld").vocabulary
    assert vocabulary("wyld").schema()["title"] == "A log line of wyld"
    assert vocabulary("crystal").game == "crystal"
    assert package_of("wyld") == "wyld_rules_usable"


@pytest.mark.parametrize(
    ("source", "slug", "attribute", "told"),
    [
        (
            'raise RuntimeError("no luck")',
            "wyld",
            ":GAME",
            "it cannot be loaded: RuntimeError: no luck; mend or ",
        ),
        ("def (", "wyld", ":GAME", "it cannot be loaded: SyntaxError"),
        (USABLE.replace("slug=", "slag="), "wyld", ":GAME", "it cannot be loaded: TypeError"),
        (USABLE, "wyld", ":SPIEL", "it cannot be loaded: AttributeError"),
        (USABLE, "wyld", "", "what it names is a module and no `Game`"),
        (USABLE, "wild", ":GAME", "the game calls itself 'wyld'"),
        (USABLE, "splicers", ":GAME", "which Tabletape has itself: declare it under another name"),
    ],
)
def test_a_package_that_cannot_be_used_is_named(  # noqa: PLR0913, PLR0917 - one column of the table each
    install: Install, request: pytest.FixtureRequest, source: str, slug: str, attribute: str, told: str
) -> None:
    """Which package, what is wrong and what to do is said; the games that live here are as they were."""
    package = f"wyld_rules_{abs(hash(request.node.name))}"
    install(package, source, slug, attribute)
    assert plugins() == {}
    assert f"the package {package} 1.0 declares a game {slug!r}" in plugin_problems()[slug]
    assert told in plugin_problems()[slug]
    assert game("splicers").title == "Splicers"
    if slug not in games():
        with pytest.raises(UnknownGameError, match="cannot be used: the package"):
            game(slug)


def test_a_game_may_stand_in_a_module_of_its_package(install: Install, tmp_path: Path) -> None:
    """Its cards lie in the package; a module without one has no place for them, and is refused."""
    install("wyld_rules_parted", "", attribute=".game:GAME")
    (tmp_path / "site/wyld_rules_parted/game.py").write_text(USABLE, encoding="utf-8")
    assert "wyld" in games()
    assert package_of("wyld") == "wyld_rules_parted"
    install("wyld_rules_alone", "", "wyld-alone")
    (tmp_path / "site/wyld_rules_alone/__init__.py").unlink()
    (tmp_path / "site/wyld_rules_alone").rmdir()
    (tmp_path / "site/wyld_rules_alone.py").write_text(USABLE.replace("wyld", "wyld-alone"), encoding="utf-8")
    assert "wyld_rules_alone is a module alone" in (games() and plugin_problems()["wyld-alone"])


def test_of_two_packages_with_one_game_none_is_taken(install: Install) -> None:
    """Which of them is meant nobody can tell; both are named."""
    install("wyld_rules_first", USABLE)
    install("wyld_rules_second", USABLE)
    assert "wyld" not in games()
    first, second = "the package wyld_rules_first 1.0", "the package wyld_rules_second 1.0"
    assert plugin_problems() == {"wyld": f"{first} and {second} both declare a game 'wyld': uninstall one of them"}


def test_the_stored_games_of_a_package_that_fails_keep_nothing_else_from_working(
    install: Install, tabletape: Tabletape, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Import, audit, build, questions and exports go on with the other games, and say what they leave out."""
    install("wyld_rules_stored", USABLE)
    (tmp_path / "w.jsonl").write_text(LOG, encoding="utf-8")
    (tmp_path / "c.jsonl").write_text(LOG.replace("wyld", "crystal").replace('"w"', '"c"'), encoding="utf-8")
    done = tabletape("import", "w.jsonl", "c.jsonl")
    assert done.exit_code == 0, done.output
    (tmp_path / "site/wyld_rules_stored/__init__.py").write_text('raise RuntimeError("no luck")', encoding="utf-8")
    monkeypatch.delitem(sys.modules, "wyld_rules_stored")
    events.vocabulary._plugins.cache_clear()
    for asked in ("import c.jsonl", "audit", "build", "stats first-player", "export --xlsx e.xlsx"):
        done = tabletape(*asked.split())
        assert done.exit_code == 0, done.output
        assert "Left out: the package wyld_rules_stored 1.0 declares a game 'wyld'" in done.output
    refused = tabletape("import", "w.jsonl", "--db", "other.db")
    assert refused.exit_code == 1
    assert "w.jsonl: no game (0 new events, 1 line in quarantine)" in refused.output
    assert "RuntimeError: no luck" in refused.output
