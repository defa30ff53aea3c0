"""The page of a game: editions, rules and rulings; its cards follow (see `printed`)."""

import importlib
from collections.abc import Iterable, Sequence

from docs.generator.markdown import code, codes, literal, page, table
from docs.generator.printed import card_blocks
from docs.generator.recorded import RecordedGames
from tabletape.projector.games import game, games, package_of
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Edition, Ruling, Variant
from tabletape.projector.model.rules import Rule

ADDING = "A game of your own: [how to add it](../../how-to/add-your-own-game.md)."

RULES = """\
Each sentence is ours; section and lines say where the rulebook has its own. *Checked*: the audit names the rule where
it is broken. *Derived*: Tabletape carries it out by itself, and a log that says otherwise is a finding. *Not checked*:
no log can show it. `tabletape rules ID` says the same in the terminal, with how often the stored games kept and broke
it."""

RECORDED = """\
*Recorded games*: in how many of the recorded games that the tests replay the rule is broken, and in how many it is
kept."""

RULINGS = """\
An unclear sentence of the rulebook is read in one of several ways. The first option is the default;
`--ruling KEY=OPTION` asks for another one, and a log may name its table's own in `game.started`. An option that is not
built is only known to exist."""


def games_page() -> str:
    """Return the page `generated/games/README.md`."""
    rows = []
    for one in map(game, games()):
        rulings = one.rulebook.rulings
        defects = sum(ruling.defect for ruling in rulings)
        rows.append([f"[{one.title}]({one.slug}.md)", _docstring(one.slug), len(one.rules), len(rulings), defects])
    return page("The games", table(["game", "", "rules", "rulings", "mistakes of the rulebook"], rows), ADDING)


def game_page(slug: str, recorded: RecordedGames) -> str:
    """Return the page `generated/games/<slug>.md`; `recorded` are its recorded games."""
    one = game(slug)
    return page(
        one.title,
        _docstring(slug),
        _facts(one),
        "## Editions",
        table(["edition", "date", "text", "settles"], map(_edition, one.rulebook.editions)),
        "## Rules",
        _how_many(one.rules),
        RULES,
        RECORDED,
        *([f"What happens in each of them: [their stories]({slug}-stories.md)."] if recorded.stories else []),
        *_sections(one.rules, recorded),
        "## Rulings",
        RULINGS,
        *_overview(one.rulebook.rulings),
        *(block for ruling in one.rulebook.rulings for block in _ruling(slug, ruling)),
        *_variants(one.rulebook.variants),
        *card_blocks(one),
    )


def _docstring(slug: str) -> str:
    text = importlib.import_module(package_of(slug)).__doc__ or ""
    summary = " ".join(text.split()).partition(": ")[2]
    return summary[:1].upper() + summary[1:]


def _facts(one: Game) -> str:
    rows = [
        ["in a log", code(one.slug)],
        ["rulebook", one.rulebook.source],
        ["events", f"[event types](../events/{one.slug}.md)"],
        ["ends by", codes(one.endings)],
        ["decks are told apart by", codes(one.scoreboard.dimension_names)],
        ["totals kept for every turn", codes(one.scoreboard.total_names)],
    ]
    return table(["", "what"], (row for row in rows if row[1]))


def _edition(edition: Edition) -> list[str]:
    settled = codes(f"{key}={option}" for key, option in edition.rulings.items())
    return [code(edition.label), edition.date, edition.text, settled]


def _how_many(rules: Iterable[Rule]) -> str:
    counts = dict.fromkeys(("checked", "derived", "unchecked"), 0)
    for rule in rules:
        counts[rule.how] += 1
    return (
        f"{sum(counts.values())} rules: {counts['checked']} checked, {counts['derived']} derived, "
        f"{counts['unchecked']} not checked."
    )


def _sections(rules: Iterable[Rule], recorded: RecordedGames) -> Iterable[str]:
    """Return the rules section by section, in the order of the rulebook; those of Tabletape itself come last."""
    sections: dict[str, list[Rule]] = {}
    for rule in rules:
        sections.setdefault(rule.section, []).append(rule)
    for section in sorted(sections, key=lambda name: not name):
        yield f"### {section or 'Checks of Tabletape itself'}"
        headings = ["rule", "says", "lines", "how", "recorded games"]
        yield table(headings, (_rule(rule, recorded) for rule in sections[section]))


def _rule(rule: Rule, recorded: RecordedGames) -> list[str]:
    how = {"checked": "checked", "derived": "derived", "unchecked": "not checked"}[rule.how]
    reported = f" (reported as {code(rule.reported_as)})" if rule.reported_as else ""
    reason = f": {rule.reason}" if rule.reason else ""
    only = f" Only in {codes(rule.editions)}." if rule.editions else ""
    counts = f"{len(recorded.broken.get(rule.id, ()))} / {recorded.kept[rule.id]}"
    return [code(rule.id), literal(rule.text) + only, rule.lines, literal(f"{how}{reported}{reason}"), counts]


def _overview(rulings: Sequence[Ruling]) -> Iterable[str]:
    defects = sum(ruling.defect for ruling in rulings)
    yield f"{len(rulings)} rulings, {defects} of them on mistakes of the rulebook that its designer should mend."
    yield table(
        ["ruling", "default", "other readings", ""],
        (
            [
                f"[`{ruling.key}`](#{ruling.key})",
                code(ruling.default),
                codes(option.name for option in ruling.options[1:]),
                "mistake of the rulebook" if ruling.defect else "",
            ]
            for ruling in rulings
        ),
    )


def _variants(variants: Sequence[Variant]) -> Iterable[str]:
    if variants:
        yield "## Variants"
        yield "What a table chooses before a game; the first choice is the usual one."
        rows = ([code(each.key), each.question, codes(option.name for option in each.options)] for each in variants)
        yield table(["variant", "", "choices"], rows)


def _ruling(slug: str, ruling: Ruling) -> Iterable[str]:
    yield f"### `{ruling.key}`"
    defect = "**A mistake of the rulebook.** " if ruling.defect else ""
    yield f"{defect}{literal(ruling.question)}"
    rows = (
        [
            code(option.name),
            option.text,
            "default" if option.name == ruling.default else "" if option.built else "not built",
        ]
        for option in ruling.options
    )
    yield table(["option", "meaning", ""], rows)
    yield f"Because: {literal(ruling.reason)}"
    other = next((option.name for option in ruling.options[1:] if option.built), "")
    if other:
        yield f"What would change: `tabletape compare --game {slug} --ruling {ruling.key}={other}`"
