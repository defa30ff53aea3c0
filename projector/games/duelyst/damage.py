"""Damage to units, what prevents it, and the wear of a general's artifacts (rulebook, Artifact; catalogue 4.3)."""

from tabletape.events.games import duelyst as ev
from tabletape.projector.games.duelyst.board import AS_DECLARED, strip
from tabletape.projector.games.duelyst.state import GENERAL, Duelyst, DuelystCard
from tabletape.projector.games.duelyst.tiles import is_granted
from tabletape.projector.model.changes import Derived


def hurt(table: Duelyst, unit: DuelystCard, amount: int, source: str, rule: str) -> int:
    """Deal damage to a unit: first what prevents it, then the damage, then the wear of a general's artifacts.

    `source` is the name of the unit or spell, `rule` what lets it happen. Returns the damage that was really dealt.
    Deaths come later (see `remove_dead`).
    """
    text = unit.text
    worn = table.worn[unit.owner].cards if text.kind == GENERAL else ()
    if amount > 0 and (worn or unit.keywords or table.granting or text.says.immune_to_generals):
        amount = _after_prevention(table, unit, amount, source)
    if amount <= 0:
        return 0
    table.count(unit, "damage", amount)
    health = text.health + unit.health_change - unit.damage
    dealt = ev.DamageDealt(unit=unit.name, amount=amount, health=health, source=source)
    table.derived.append(Derived(dealt, rule, len(table.journal)))
    if worn:
        _wear(table, list(worn), amount)
    return amount


def _after_prevention(table: Duelyst, unit: DuelystCard, amount: int, source: str) -> int:
    """Return the damage that is left after immunity, forcefield and artifacts."""
    if not unit.dispelled and unit.text.says.immune_to_generals:
        striker = table.cards.get(source)
        if striker is not None and striker.place is not None and striker.text.kind == GENERAL:
            return _prevent(table, unit, amount, amount, source)
    has_field = "forcefield" in unit.keywords or (table.granting and is_granted(table, unit, "forcefield"))
    if has_field and not unit.shielded:
        table.set(unit, "shielded", True)
        return _prevent(table, unit, amount, amount, source)
    if unit.text.kind == GENERAL:
        for artifact in table.worn[unit.owner].cards:
            can = min(artifact.text.says.absorbs - artifact.absorbed, amount)
            if can > 0:
                table.count(artifact, "absorbed", can)
                amount = _prevent(table, unit, amount, can, source)
    return amount


def _prevent(table: Duelyst, unit: DuelystCard, amount: int, prevented: int, source: str) -> int:
    table.derive(ev.DamagePrevented(unit=unit.name, amount=prevented, source=source), AS_DECLARED)
    return amount - prevented


def _wear(table: Duelyst, artifacts: list[DuelystCard], amount: int) -> None:
    """Wear the artifacts of a general that was hurt, in the order of equipping (ruling `artifact_damage`)."""
    worn = amount if table.options["artifact_damage"] == "per_point" else 1
    for artifact in artifacts:
        table.set(artifact, "durability", max(artifact.durability - worn, 0))
        is_first = artifact.durability + worn == artifact.text.durability
        rule = "duelyst.artifact.durability-three" if is_first else "duelyst.artifact.wears-with-general"
        table.derive(ev.ArtifactWorn(card=artifact.name, durability=artifact.durability), rule)
        if not artifact.durability:
            break_artifact(table, artifact, "duelyst.artifact.breaks-at-zero")


def break_artifact(table: Duelyst, artifact: DuelystCard, rule: str) -> None:
    """Put an artifact into the graveyard of its player."""
    strip(table, artifact)
    table.move(artifact, table.graveyards[artifact.owner])
    table.derive(ev.ArtifactBroken(card=artifact.name), rule)
