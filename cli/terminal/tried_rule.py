"""A sentence of an own game as a rule: asked about where it leaves something open, tried on the chat, and written."""

from tabletape.cli.terminal.answers import BACK, TakenBackError
from tabletape.cli.terminal.output import complain, say
from tabletape.cli.terminal.rule_answers import AskedAgainError, LineSaidError, SentenceAnswers
from tabletape.cli.terminal.rule_session import RuleSession, show_accused
from tabletape.dashboard.own_game.asking import NOBODY, rule_composed, rule_said
from tabletape.dashboard.own_game.besides import known_form
from tabletape.dashboard.own_game.cited import CiteSentence
from tabletape.dashboard.own_game.game import FirstRule
from tabletape.dashboard.own_game.trial import TriedRule, game_of, trial_of
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.model.amounts import counted


def ask_rule(session: RuleSession, sentence: CiteSentence) -> bool:
    """Ask what a sentence leaves open, show what its rule accuses, and write what somebody says is meant so.

    Where a line waits for others that are not read, these may be said first. Return whether it was written.
    """
    say("  ", (f"\u201c{sentence.own}\u201d ({sentence.cite})", "italic"))
    answers = SentenceAnswers(session.effects)
    while True:
        try:
            trial = _trial_meant(session, sentence, answers)
        except LineSaidError as said:
            if session.chat is None:
                complain("there is no chat here of which a line may be said again")
            else:
                session.take_line(str(said))
            continue
        except AskedAgainError:
            continue
        except TakenBackError:
            if answers.take_back():
                continue
            trial = NOBODY
        if isinstance(trial, TriedRule):
            session.write(trial.text, f"\u201c{sentence.own}\u201d")
            say(f"  Written into games/{session.file.name}")
        elif trial:
            say(f"  Left open: {trial}.")
        return isinstance(trial, TriedRule)


def _trial_meant(session: RuleSession, sentence: CiteSentence, answers: SentenceAnswers) -> TriedRule | str:
    """Return what a rule finds of which somebody says that it is meant so; else why there is none, if that is unsaid.

    Raises `TakenBackError`, and `AskedAgainError` where all is asked again but for what is answered.
    """
    rule = _rule_said(session, sentence, answers)
    if not isinstance(rule, FirstRule):
        return rule or NOBODY
    if (trial := _tried(session, rule)) is None:
        return ""
    _tell(rule, trial)
    answer = _meant(answers)
    if answer[:1] == "o":
        answers.compose()
        raise AskedAgainError(answer)
    return trial if answer[:1] == "y" else NOBODY


def _rule_said(session: RuleSession, sentence: CiteSentence, answers: SentenceAnswers) -> FirstRule | str:
    """Return the rule of a sentence of a rulebook, by answers that were given and others; else why there is none."""
    game = game_of(session.file.stem, session.text, session.sentences, session.tape.log)
    if answers.is_composed:
        return rule_composed(game, sentence, answers.to)
    return rule_said(game, sentence, known_form(sentence, game), answers.to)


def _meant(answers: SentenceAnswers) -> str:
    """Return whether a rule is meant so, `y`, or otherwise, `o`."""
    asked = "Is it meant so? y writes it; o: it says something else; Enter leaves it open"
    while (answer := answers.reply(asked, 0).casefold()) and answer[0] not in "yno":
        complain(f"y, o, {BACK}, the number of a line and what it says or Enter, not {answer!r}")
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
