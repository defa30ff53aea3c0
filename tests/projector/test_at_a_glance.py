"""What says at a glance that a line keeps its rules, or that it may come now, says what looking closely says."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from projector.fold import compiled_rules
from projector.games import game, games
from projector.model.rules import GroupCheck
from tests.projector.test_digests import DIGESTS, SOURCES, together


@pytest.fixture
def looked_at_closely(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[GroupCheck]]:
    """Have every rule of every line checked by itself; yield the groups of rules that are spared that usually."""
    spared: list[GroupCheck] = []

    def look_closely(group: GroupCheck) -> object:
        if group.at_a_glance is not None:
            spared.append(group)
        return group.judge

    monkeypatch.setattr(compiled_rules, "looks_of", look_closely)
    _forget_compiled_rules()
    yield spared
    _forget_compiled_rules()


def _forget_compiled_rules() -> None:
    compiled_rules.ready.cache_clear()
    for slug in games():
        for kept in ("_rows", "_steps"):
            game(slug).__dict__.pop(kept, None)


@pytest.fixture
def asked_before_every_line() -> Iterator[list[str]]:
    """Ask `before` and `gate` about every line, and play none freely; yield who is spared that usually."""
    spared: list[str] = []
    settling = {slug: game(slug).settle for slug in games()}

    def settle_and_ask(slug: str, table: Any) -> None:
        spared.extend(filter(None, [settling[slug](table)]))

    for slug in games():
        msgspec.structs.force_setattr(game(slug), "settle", partial(settle_and_ask, slug))
    yield spared
    for slug, settle in settling.items():
        msgspec.structs.force_setattr(game(slug), "settle", settle)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("slug", games())
def test_looking_at_every_rule_by_itself_finds_and_counts_the_same(
    slug: str, source: str, looked_at_closely: list[GroupCheck]
) -> None:
    """Recorded, simulated and damaged games have the same findings, counts, changes and tables without a glance."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert together(slug, source) == known[slug][source]
    assert looked_at_closely or slug == "crystal"


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("slug", games())
def test_asking_before_every_line_finds_and_counts_the_same(
    slug: str, source: str, asked_before_every_line: list[str]
) -> None:
    """Whoever may go on freely would not have been stopped, nor would a step have been taken, in any log."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert together(slug, source) == known[slug][source]
    assert asked_before_every_line or slug == "evolve"
