"""What says at a glance that a line keeps all its rules says what looking at each of them says, only sooner."""

import json
from collections.abc import Iterator

import pytest

from projector.fold import compiled_rules
from projector.model.game import game, games
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


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("slug", games())
def test_looking_at_every_rule_by_itself_finds_and_counts_the_same(
    slug: str, source: str, looked_at_closely: list[GroupCheck]
) -> None:
    """Recorded, simulated and damaged games have the same findings, counts, changes and tables without a glance."""
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert together(slug, source) == known[slug][source]
    assert looked_at_closely or slug == "crystal"
