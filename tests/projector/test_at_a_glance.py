"""The quick checks, of a group of rules and of the lines that may come next, agree with the full checks."""

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from tabletape.projector.fold import compiled_rules
from tabletape.projector.games import game, games
from tabletape.projector.model.rules import GroupCheck
from tests.projector.test_digests import DIGESTS, SOURCES, combined_digest


@pytest.fixture
def every_rule_checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[GroupCheck]]:
    """Check every rule of every line by itself; yield the groups of rules for which that is usually skipped."""
    skipped: list[GroupCheck] = []

    def check_every_rule(group: GroupCheck) -> object:
        if group.at_a_glance is not None:
            skipped.append(group)
        return group.judge

    monkeypatch.setattr(compiled_rules, "looks_of", check_every_rule)
    _forget_compiled_rules()
    yield skipped
    _forget_compiled_rules()


def _forget_compiled_rules() -> None:
    compiled_rules.ready.cache_clear()
    for slug in games():
        for cached in ("_rows", "_steps"):
            game(slug).__dict__.pop(cached, None)


@pytest.fixture
def every_line_gated() -> Iterator[list[str]]:
    """Call `before` and `gate` for every line; yield the players for whom that is usually skipped."""
    skipped: list[str] = []
    settle_of = {slug: game(slug).settle for slug in games()}

    def settle_and_return_none(slug: str, table: Any) -> None:
        skipped.extend(filter(None, [settle_of[slug](table)]))

    for slug in games():
        msgspec.structs.force_setattr(game(slug), "settle", partial(settle_and_return_none, slug))
    yield skipped
    for slug, settle in settle_of.items():
        msgspec.structs.force_setattr(game(slug), "settle", settle)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("slug", games())
def test_checking_every_rule_by_itself_and_gating_every_line_changes_no_digest(
    slug: str, source: str, every_rule_checked: list[GroupCheck], every_line_gated: list[str]
) -> None:
    """Without quick checks, all games have the same findings, counts, changes and tables.

    Where `before` and `gate` are skipped, they would neither have stopped a line nor changed anything.
    """
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert combined_digest(slug, source) == known[slug][source]
    assert every_rule_checked or slug == "crystal"
    assert every_line_gated or slug == "evolve"
