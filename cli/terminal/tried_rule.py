"""A sentence of an own game as a rule: asked about where it leaves something open, tried on the chat, and written."""

from functools import partial
from pathlib import Path

from tabletape.cli.terminal.first_chat import answer_to
from tabletape.cli.terminal.output import complain, say
from tabletape.cli.terminal.rule_answers import SAYS_LINE, LineSaidError, answer_of
from tabletape.cli.terminal.rule_session import RuleSession, show_accused
from tabletape.dashboard.own_game.asking import NOBODY, rule_composed, rule_said
from tabletape.dashboard.own_game.besides import known_form
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.file import write_checked
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.questions import EffectsSaid, RuleQuestion
from tabletape.dashboard.own_game.trial import TriedRule, game_of, trial_of
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.model.amounts import counted


def ask_rule(session: RuleSession, sentence: CiteSentence) -> bool:
    """Ask what a sentence leaves open, show what its rule accuses, and write what somebody says is meant so.

    Where a line waits for others that are not read, these may be said first. Return whether it was written.
    """
    say("  ", (f"\u201c{sentence.own}\u201d ({sentence.cite})", "italic"))
    answers, is_composed = dict[RuleQuestion, str](), False
    while True:
        try:
            rule = _rule_said(session, sentence, answers, is_composed=is_composed)
        except LineSaidError as said:
            if session.chat:
                session.take_line(str(said))
                continue
            complain("there is no chat here of which a line may be said again")
            return False
        if not isinstance(rule, FirstRule):
            say(f"  Left open: {rule or NOBODY}.")
            return False
        if (trial := _tried(session, rule)) is None:
            return False
        _tell(rule, trial)
        answer = _meant(session.chat)
        if session.chat and SAYS_LINE.match(answer):
            session.take_line(answer)
        elif answer[:1] == "o":
            if is_composed:  # Then it may be wrong what was said of moves.
                session.effects = EffectsSaid()
            answers, is_composed = {}, True
        elif answer[:1] == "y":
            write_checked(session.file, trial.text)
            say(f"  Written into games/{session.file.name}")
            return True
        else:
            say(f"  Left open: {NOBODY}.")
            return False


def _rule_said(
    session: RuleSession, sentence: CiteSentence, answers: dict[RuleQuestion, str], *, is_composed: bool
) -> FirstRule | str:
    """Return the rule of a sentence of a rulebook, by answers that were given and others; else why there is none."""
    ask = partial(answer_of, answers=answers, effects=session.effects)
    game = game_of(session.file.stem, session.text, session.sentences, session.tape.log)
    return (
        rule_composed(game, sentence, ask)
        if is_composed
        else rule_said(game, sentence, known_form(sentence, game), ask)
    )


def _meant(chat: Path | None) -> str:
    """Return whether a rule is meant so, `y`, or otherwise, `o`, or what a line of the chat says."""
    asked = "Is it meant so? y writes it; o: it says something else; Enter leaves it open"
    while (answer := answer_to(asked).casefold()) and answer[0] not in "yno":
        if chat and SAYS_LINE.match(answer):
            break
        complain(f"y, o{', the number of a line and what it says' * bool(chat)} or Enter, not {answer!r}")
    return answer


def _tried(session: RuleSession, rule: FirstRule) -> TriedRule | None:
    """Return what a rule finds; None, and that is said, where it cannot be written, or is written already."""
    try:
        trial = trial_of(session.file.stem, session.text, rule, session.tape.log)
    except GameFileError as error:
        complain(str(error))
        return None
    if trial.text == session.text:
        say(f"  read as: {rule.words}")
        say(f"  Written into games/{session.file.name} already, and stays so")
        return None
    return trial


def _tell(rule: FirstRule, trial: TriedRule) -> None:
    """Show how a sentence is read, what is taken for granted for that, and what its rule finds."""
    say(f"  read as: {rule.words}")
    for each in rule.taken:
        say(f"  taken for that: {each}")
    if trial.hardly_meant:
        say(f"  {trial.hardly_meant}")
    elif trial.accused or trial.judged:
        show_accused(trial.accused, f"  In {counted(trial.games, 'game')} it accuses ")
    say(f"  {trial.reach}")
    if trial.open and not trial.waits:
        say(f"  {counted(len(trial.open), 'line')} cannot be judged: {trial.open[0].why_open}")
    for each in trial.open_in_words:
        say(f"  {each}")
