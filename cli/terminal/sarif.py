"""Findings as SARIF 2.1.0, the form in which editors and code hosts show what checkers find.

Source: OASIS, Static Analysis Results Interchange Format, version 2.1.0.
"""

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, Final
from urllib.parse import quote

from tabletape import __version__
from tabletape.events.importing.origins import Origins
from tabletape.events.log import Log
from tabletape.projector.archive.audit import AuditReport, Reported
from tabletape.projector.archive.stored import import_options, workspace
from tabletape.projector.games import game
from tabletape.projector.model.rules import Rule

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

LEVELS: Final = {"illegal": "error", "missing": "error", "mismatch": "warning", "drift": "warning"}
"""All other kinds are notes."""


def report(games: Iterable[AuditReport], log: Log) -> dict[str, Any]:
    """Return the SARIF log of an audit; a result names the imported file and its line, as far as there is one."""
    results: list[dict[str, Any]] = []
    broken: dict[str, Rule] = {}
    notices = []
    origins = Origins(log, import_options(workspace(log)))
    for each in games:
        lines = origins.lines(each.stored) if each.findings else {}
        for finding in each.findings:
            broken.setdefault(finding.rule, game(finding.game).by_id[finding.rule])
            place = _place(each.stored.file, lines.get(finding.seq))
            results.append(_result(finding, list(broken).index(finding.rule), place))
        if each.stopped:
            text = f"The replay of {each.stored.game_id} stopped at {each.stopped}"
            notices.append({"level": "error", "message": {"text": text}})
    driver = {"name": "Tabletape", "version": __version__, "rules": [_rule(rule) for rule in broken.values()]}
    invocation = {"executionSuccessful": True, "toolExecutionNotifications": notices}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "invocations": [invocation]}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [{**run, "results": results}]}


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.text},
        "help": {"text": f"{rule.citation or 'Tabletape'}: {rule.text}"},
        "properties": {"section": rule.section, "lines": rule.lines},
    }


def _place(file: str | None, line: int | None) -> dict[str, Any]:
    """Return the physical location in a file, if there is one."""
    if file is None:
        return {}
    region = {"region": {"startLine": line}} if line else {}
    return {"physicalLocation": {"artifactLocation": {"uri": quote(PurePath(file).as_posix())}, **region}}


def _result(finding: Reported, index: int, place: dict[str, Any]) -> dict[str, Any]:
    logical = {"fullyQualifiedName": f"{finding.game_id}:{finding.seq}", "kind": "event"}
    location = {"logicalLocations": [logical], **place}
    expected = f"; expected: {finding.expected}" if finding.expected else ""
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS.get(finding.kind, "note"),
        "message": {"text": f"{finding.message}{expected}"},
        "locations": [location],
        "partialFingerprints": {"event/v1": f"{finding.game_id}:{finding.seq}:{finding.rule}"},
        "properties": {
            "kind": finding.kind,
            "player": finding.player_name,
            "event": finding.event,
            "tainted": finding.tainted,
            "follows": finding.follows,
            "outcome": finding.outcome,
            "because": finding.because,
        },
    }
