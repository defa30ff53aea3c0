"""The sentences of a rulebook that are understood wholly: nothing is left out, and nothing has to be asked.

They are proposed together, each with the lines that it accuses; a person says which of them are meant so.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tabletape.dashboard.own_game.asking import rule_said
from tabletape.dashboard.own_game.besides import first_listed, is_understood, known_form
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.game import FirstRule, OwnGame
from tabletape.dashboard.own_game.place_effects import UNKNOWN
from tabletape.dashboard.own_game.questions import RuleQuestion
from tabletape.dashboard.own_game.sentence_reader import read_sentence
from tabletape.dashboard.own_game.trial import TriedRule, game_of, trial_of
from tabletape.events.log import Log
from tabletape.events.workspace_files import GameFileError


class WholeRule(NamedTuple):
    """A sentence that is understood wholly, its rule, and what that finds beside the ones before it."""

    sentence: CiteSentence
    rule: FirstRule
    trial: TriedRule

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the chat that it accuses, in their order."""
        return tuple(sorted({each.line for each in self.trial.accused}))

    @property
    def is_sure(self) -> bool:
        """Whether nothing is taken for granted, and what it accuses is wrong by what these lines say themselves."""
        return not self.rule.taken and (self.trial.is_illegal or not self.trial.accused) and not self.trial.silenced

    @property
    def is_likely(self) -> bool:
        """Whether it judges lines, some line could break it, and it accuses no more than a rule that is understood.

        A line that may tell more of the move before it is first looked at alone.
        """
        is_sure = not any(each.goes_on for each in self.trial.accused)
        return self.trial.judged > 0 and not self.trial.never and self.trial.accuses_few and is_sure


def understood_wholly(
    slug: str, text: str, sentences: Sequence[CiteSentence], log: Log, among: Sequence[CiteSentence] = ()
) -> tuple[WholeRule, ...]:
    """Return the sentences, of those `among` them, that are understood wholly, each on top of the ones before it.

    The file with all of them is the text of the last trial. Nothing is stored.
    """
    found: list[WholeRule] = []
    game = game_of(slug, text, sentences, log)
    for sentence in among or first_listed(game, len(sentences)):
        if not is_understood(sentence, game) or (rule := _rule_unasked(game, sentence)) is None:
            continue
        try:
            whole = WholeRule(sentence, rule, trial_of(slug, text, rule, log))
        except GameFileError:
            continue  # It does not fit what the file says: asked about alone, it says so.
        if whole.is_likely:
            found.append(whole)
            text = whole.trial.text
            game = game_of(slug, text, sentences, log)
    return tuple(found)


def _rule_unasked(game: OwnGame, sentence: CiteSentence) -> FirstRule | None:
    """Return the rule of a sentence about which nothing is asked but what it says itself; else None."""
    asked: list[RuleQuestion] = []

    def answer(question: RuleQuestion) -> str:
        is_open = question.name == "effects" and all(each.endswith(f": {UNKNOWN}") for each in question.choices)
        if not (question.usual or is_open):  # What nobody knows accuses nobody.
            asked.append(question)
        return question.usual

    form = known_form(sentence, game)
    if form is None and any(each.left for each in read_sentence(sentence, game)):
        return None
    rule = rule_said(game, sentence, form, answer)
    return rule if isinstance(rule, FirstRule) and not asked else None
