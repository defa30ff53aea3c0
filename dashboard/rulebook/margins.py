"""What stands in a rulebook's margin: for each sentence its rules with their trouble, and the ways to read it.

All numbers are first hand, as in the question `at-stake`. A rule that cites several sentences stands at each of them,
once; one that cites whole lines stands at the first sentence of these.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from tabletape.dashboard.questions import question
from tabletape.dashboard.statistics.intervals import NO_BREAK
from tabletape.projector.comparing.every_reading import GameReadings, Weight, weights
from tabletape.projector.model.amounts import counted, often
from tabletape.projector.model.game import Game
from tabletape.projector.model.rulebook import Option, Ruling
from tabletape.projector.model.rules import HARD, Rule
from tabletape.projector.rulebooks.kept import doubt_of
from tabletape.projector.rulebooks.placing import Cited, PlacedRulebook
from tabletape.projector.rulebooks.text import RulebookSentence

Row = Mapping[str, Any]

Show = Literal["all", "trouble", "asked about", "without a rule", "unclear", "not checked", "never exercised"]
"""Which sentences are shown."""

EXAMPLES: Final = 3
"""How many steps are named where a rule was broken."""

LINES_OF_ANOTHER: Final = re.compile(r" \(L\d[^)]*\)")
"""Where a question cites the text that its ruling was written from."""

TROUBLE: Final = {
    "broken": "broken",
    "unwritten": "left unwritten",
    "questions": "asked about",
    "take_backs": "taken back",
}
"""What counts as trouble with a rule, and how it is said."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the tables made of a rulebook: answers to three questions, and what other readings change.

    `at_stake` answers `at-stake`, `findings` `each-finding`, and `remarks` `remarks`.

    `ruleset`, in words, says how the games were read. `counted` is false where no game has been counted yet: then
    nothing is said about how often anything was tried.
    """

    at_stake: Sequence[Row] = ()
    findings: Sequence[Row] = ()
    remarks: Sequence[Row] = ()
    weights: Sequence[Weight] = ()
    ruleset: str = ""
    counted: bool = False


def facts_of(answer: Callable[[str], Sequence[Row]], readings: Mapping[str, GameReadings], ruleset: str) -> Facts:
    """Return what games made of a rulebook; `answer` answers a question about them, `readings` are those of any games.

    Other readings are weighed by the same games that are counted.
    """
    games = dict.fromkeys(row["game_id"] for row in answer("games"))
    return Facts(
        at_stake=answer("at-stake"),
        findings=answer("each-finding"),
        remarks=answer("remarks"),
        weights=weights(readings[game_id] for game_id in games if game_id in readings),
        ruleset=ruleset,
        counted=bool(games),
    )


class RuleNote(msgspec.Struct, frozen=True, kw_only=True):
    """A rule in the margin: its rows of `at-stake` (one a ruleset), the first findings, and how sure its place is.

    `said` are the players' words about it: questions and remarks that name it, or that came where it was broken.
    `elsewhere`: the edition that the games were read by does not have it. `lines` are cited as a whole.
    """

    rule: Rule
    rows: tuple[Row, ...]
    examples: tuple[Row, ...]
    said: tuple[Row, ...] = ()
    counted: bool
    elsewhere: bool
    doubt: str
    lines: str

    @property
    def trouble(self) -> int:
        """How often it gave trouble, first hand, under the first ruleset that is shown, whoever played."""
        mine = [row for row in self.rows if row.get("letter", "") in {"", "A"}]
        return sum(int(row["trouble"]) for row in mine if row["ruleset"] == mine[0]["ruleset"])

    @property
    def never(self) -> bool:
        """Whether games were counted, it can be checked, and none of them put it at stake."""
        possible = self.counted and self.rule.how != "unchecked" and not self.elsewhere
        return possible and not any(map(_exercised, self.rows))

    def in_words(self) -> list[str]:
        """Return what there is to say about it, a sentence a ruleset."""
        if self.rule.how == "unchecked":
            return [f"not checked: {self.rule.reason}"]
        if self.never:
            return ["never exercised"]
        if self.elsewhere:
            return [f"only in version {', '.join(self.rule.editions)}"]
        return [_row_in_words(row) for row in self.rows if _exercised(row)]


class RulingNote(msgspec.Struct, frozen=True, kw_only=True):
    """An unclear sentence's ruling in the margin: the option it is `read_as`, and what the others would change."""

    ruling: Ruling
    read_as: Option
    weights: tuple[Weight, ...]

    @property
    def question(self) -> str:
        """What is asked about the sentence."""
        return asked_by(self.ruling)

    def in_words(self) -> list[str]:
        """Return what each other reading would change, a sentence an option; nothing where none has been tried."""
        return [_weight_in_words(each) for each in self.weights]


class Margin(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence with what stands beside it; `heat` is its trouble as a share of the most troubled sentence's.

    `plain` is a heading, or lines as they are: it says no rule.
    """

    sentence: RulebookSentence
    place: str
    rules: tuple[RuleNote, ...]
    rulings: tuple[RulingNote, ...]
    trouble: int
    heat: float
    plain: bool = False

    @property
    def said(self) -> tuple[Row, ...]:
        """The players' words about its rules, each once."""
        return tuple({(row["game_id"], row["seq"]): row for note in self.rules for row in note.said}.values())

    @property
    def later(self) -> int:
        """How many findings about its rules came only after an earlier mistake, whoever played."""
        return sum(row["follow_ups"] for note in self.rules for row in note.rows)

    @property
    def at_stake(self) -> int:
        """How often its most troubled rule was at stake, whoever played."""
        return sum(row["opportunities"] for row in self.rules[0].rows) if self.rules else 0

    @property
    def of_line(self) -> bool:
        """Whether a rule beside it cites the whole line, or several."""
        return any(note.lines for note in self.rules)

    def is_shown(self, show: Show) -> bool:
        """Return whether the sentence is one of those that are asked for."""
        return {
            "all": True,
            "trouble": self.trouble > 0,
            "asked about": bool(self.said),
            "without a rule": not (self.rules or self.rulings or self.plain),
            "unclear": bool(self.rulings),
            "not checked": any(each.rule.how == "unchecked" for each in self.rules),
            "never exercised": any(each.never for each in self.rules),
        }[show]


class Margins(msgspec.Struct, frozen=True, kw_only=True):
    """A rulebook with its margin; `lost` and `silent` are the rules and rulings without a sentence in it.

    `lost` cite one that is not in this text (any more); `silent` rulings are about what the text does not say at all.
    `counted` and `weighed`: games have been counted, and read by other options.
    """

    game: Game
    book: PlacedRulebook
    sentences: tuple[Margin, ...]
    lost: Mapping[str, tuple[str, ...]]
    silent: tuple[RulingNote, ...]
    counted: bool
    weighed: bool

    @property
    def said(self) -> tuple[Margin, ...]:
        """The sentences that may say a rule: all but headings, and lines as they are, beside which none stands."""
        return tuple(each for each in self.sentences if each.rules or each.rulings or not each.plain)

    def by_trouble(self) -> list[Margin]:
        """Return the sentences that gave trouble: those that gave most first, of equals those at stake least often."""
        troubled = (each for each in self.sentences if each.trouble)
        return sorted(troubled, key=lambda each: (-each.trouble, each.at_stake))

    def at(self, place: str) -> Margin | None:
        """Return the sentence at a place (`129.2`); None where there is none."""
        return next((each for each in self.sentences if each.place == place), None)


def margins_of(game: Game, book: PlacedRulebook, facts: Facts) -> Margins:
    """Put what the tables made of a rulebook beside its sentences."""
    rules = _rule_notes(game, book, facts)
    rulings = {each.key: _ruling_note(each, facts) for each in game.rulebook.rulings}
    by_sentence: dict[int, tuple[list[RuleNote], list[RulingNote]]] = {}
    for name, cited in book.rules.items():
        for number in _homes(cited):
            by_sentence.setdefault(number, ([], []))[0].append(rules[name])
    for key, cited in book.rulings.items():
        for number in _homes(cited):
            by_sentence.setdefault(number, ([], []))[1].append(rulings[key])
    trouble = {number: sum(each.trouble for each in notes) for number, (notes, _) in by_sentence.items()}
    most = max(trouble.values(), default=0) or 1
    verbatim = {number for block in book.text.blocks if block.kind == "verbatim" for number in block.sentences}
    sentences = tuple(
        Margin(
            sentence=each,
            place=place_of(book, each),
            rules=tuple(sorted(by_sentence.get(each.number, ([], []))[0], key=lambda note: -note.trouble)),
            rulings=tuple(by_sentence.get(each.number, ([], []))[1]),
            trouble=trouble.get(each.number, 0),
            heat=trouble.get(each.number, 0) / most,
            plain=each.number in book.text.titles | verbatim,
        )
        for each in book.text.sentences
    )
    silent = tuple(note for key, note in rulings.items() if key not in book.rulings)
    return Margins(
        game=game,
        book=book,
        sentences=sentences,
        lost=book.missing,
        silent=silent,
        counted=facts.counted,
        weighed=bool(facts.weights),
    )


def _rule_notes(game: Game, book: PlacedRulebook, facts: Facts) -> dict[str, RuleNote]:
    rows, findings = _by_rule(facts.at_stake), _by_rule(filter(_is_case, facts.findings))
    said = _by_rule({**row, "rule": row["rule"] or row["broken"]} for row in facts.remarks if row["text"])
    return {
        rule.id: RuleNote(
            rule=rule,
            rows=tuple(rows.get(rule.id, ())),
            examples=tuple(findings.get(rule.id, ())[:EXAMPLES]),
            said=tuple(said.get(rule.id, ())),
            counted=facts.counted,
            elsewhere=not rule.is_of(facts.ruleset),
            doubt=doubt_of(book.rules[rule.id]),
            lines=rule.lines if book.rules[rule.id].whole else "",
        )
        for rule in game.rules
        if rule.id in book.rules
    }


def _is_case(finding: Row) -> bool:
    return bool(finding["first_hand"]) and finding["kind"] in HARD


def _by_rule(rows: Iterable[Row]) -> dict[str, list[Row]]:
    by_rule: dict[str, list[Row]] = {}
    for row in rows:
        by_rule.setdefault(row["rule"], []).append(row)
    return by_rule


def _ruling_note(ruling: Ruling, facts: Facts) -> RulingNote:
    read_as = in_force(ruling, facts.ruleset)
    option = next((each for each in ruling.options if each.name == read_as), ruling.options[0])
    return RulingNote(
        ruling=ruling, read_as=option, weights=tuple(each for each in facts.weights if each.ruling == ruling.key)
    )


def in_force(ruling: Ruling, ruleset: str) -> str:
    """Return the option by which a ruleset, given in words, reads a sentence."""
    chosen = (word.partition("=") for word in ruleset.split())
    return next((option for key, _, option in chosen if key == ruling.key), ruling.default)


def asked_by(ruling: Ruling) -> str:
    """Return the question of a ruling without the lines of the text that it was written from."""
    return LINES_OF_ANOTHER.sub("", ruling.question)


def _homes(cited: Cited) -> tuple[int, ...]:
    """Return the sentences that a citation stands at: of whole lines only the first of each run."""
    if not cited.whole:
        return cited.sentences
    return tuple(number for number in cited.sentences if number - 1 not in cited.sentences)


def place_of(book: PlacedRulebook, sentence: RulebookSentence) -> str:
    """Return where a sentence stands: its line, and which of that line it is (`129.2`)."""
    return f"{sentence.first}.{book.text.by_line[sentence.first].index(sentence.number) + 1}"


def _exercised(row: Row) -> bool:
    return bool(row["opportunities"] or row["follow_ups"])


def _row_in_words(row: Row) -> str:
    """Return how often a rule was at stake and gave trouble, with the parts of the trouble."""
    parts = ", ".join(f"{row[part]} {words}" for part, words in TROUBLE.items() if row[part])
    label = f"{row['among']}: " if row.get("among") else ""
    times = often(row["opportunities"])
    later = f"; {counted(row['follow_ups'], 'time')} more after an earlier mistake" if row["follow_ups"] else ""
    if not parts:
        return f"{label}came up {times}, no trouble{later}"
    share = question("at-stake").shares[0].said(row).replace(NO_BREAK, " ").partition(", ")[2]  # a margin is narrow
    where = f" in {row['trouble']} of them" if row["opportunities"] > 1 else ""
    return f"{label}came up {times}, with trouble{where}, {share}: {parts}{later}"


def _weight_in_words(weight: Weight) -> str:
    games = f"{weight.changed} of {counted(weight.games, 'game')}"
    more = f", another winner in {weight.winners}, other verdicts: {weight.verdicts}" if weight.changed else ""
    return f"{weight.option} would change {games}{more}"
