"""What bots say of a change: the sentence, how large the difference may be, and on demand all that was measured."""

import re
from collections.abc import Callable
from typing import Final

import msgspec
import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.answers import folded, verdict
from tabletape.dashboard.what_if import OF_BOTS, BotOutcome, bounded, kinds_in_words, outcome_of
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.games import game
from tabletape.projector.model.phrases import tag_in_words, with_options_said
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played
from tabletape.projector.selfplay.what_if import Experiment, Pair

SPEAKS_OF_BOTS: Final = (
    "Bots play each game twice, as it is and changed. They show how the rules pull, not how people will play."
)


class PlayedPairs(msgspec.Struct):
    """What was played: the question, its pairs by bot, games of people to set beside them, and how long it took."""

    asked: Experiment
    pairs: dict[Bot, list[Pair]]
    people: list[Played]
    seconds: float = 0.0


def show_outcomes(played: PlayedPairs, offer_more: Callable[[PlayedPairs], None]) -> None:
    """Show whether a change is shown to make a difference, how large it may be for each kind of bots, and the rest.

    Where more games may tell it, they are offered.
    """
    outcomes = [
        outcome_of(msgspec.structs.replace(played.asked, bot=bot), of_bot, played.people)
        for bot, of_bot in played.pairs.items()
        if of_bot
    ]
    if not outcomes:
        return
    several = len(outcomes) > 1
    together = kinds_in_words((outcome.bot, outcome.reach) for outcome in outcomes)
    verdict([together] if together else [_with_names(played.asked, outcome.headline) for outcome in outcomes])
    # Of one kind of bots the sentence has said the numbers.
    marks = [_dot(outcome, outcome.by_how_many if several else "") for outcome in outcomes]
    what, of = ("wins", " of a hundred games") if outcomes[0].unit > 1 else ("points", "")
    whose = f": {_with_names(played.asked, outcomes[0].side)}" if together else ""
    axis = f"\u2190 fewer {what} \u00b7 more {what} \u2192{of}{whose}"
    draw_dots(marks, share=False, axis=axis)
    is_open = any(low <= 0 <= high for _, low, high in filter(None, (outcome.reach for outcome in outcomes)))
    st.caption(f"Played in {played.seconds:.0f} s. {SPEAKS_OF_BOTS}")
    if is_open:
        offer_more(played)
    for outcome in outcomes:
        with folded(f"Everything that was measured{f': {outcome.bot} bots' if several else ''}"):
            _show_one(played.asked, outcome, people=bool(played.people))


def _with_names(asked: Experiment, words: str) -> str:
    """Return words with the names of cards and decisions, which a terminal calls by their ids, and options in words."""
    library = cards_of(asked.folder, asked.game).library
    for card in asked.cards:
        words = re.sub(rf"\b{re.escape(card)}\b", str(library[card].name), words, flags=re.IGNORECASE)
    for each in (*(never.words for never in asked.restriction.never), *(each.field for each in asked.changes)):
        words = words.replace(each, tag_in_words(each))
    rulebook = game(asked.game).rulebook
    for key, option in asked.changed_rulings.items():
        question = rulebook.by_key[key].question.rpartition(". ")[2]
        words = words.replace(f"{key}={option}", f"{question} {key}={option}")
    return with_options_said(rulebook, words)


def _dot(outcome: BotOutcome, words: str) -> Dot:
    effect = outcome.found
    mean, low, high = (round(bounded(outcome.unit, each), 1) for each in (effect.mean, effect.low, effect.high))
    return Dot(f"{outcome.bot} bots", mean, low, high, words, even=0.0)


def _show_one(asked: Experiment, outcome: BotOutcome, *, people: bool) -> None:
    named = {"measure": "measure", "as it is": "before", "with the change": "after", "difference": "difference"}
    if people:
        named["people"] = "people"
    rows = [{title: getattr(row, field) for title, field in named.items()} for row in outcome.rows]
    st.table([row | {"measure": _with_names(asked, row["measure"])} for row in rows], hide_index=True)
    for sentence in (each for each in outcome.sentences if each != OF_BOTS):  # the page has begun with it
        st.caption(escaped(_with_names(asked, sentence)))
    for pair in outcome.parted:
        if pair.parting:
            where = f"Game {pair.number} goes another way in turn {pair.parting.turn}"
            st.caption(escaped(f"{where}: {pair.parting.before}. With the change: {pair.parting.after}."))
