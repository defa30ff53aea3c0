"""What if a card or a ruling were otherwise: bots play pairs of games, and the page says what comes of it.

The games are played by processes of their own. Whatever is clicked meanwhile stops them; what was played stays shown.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, Final

import msgspec
import streamlit as st

from tabletape.dashboard.charts.rows import Dot, draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.answers import folded, verdict
from tabletape.dashboard.sections.choice import one_of, some_of
from tabletape.dashboard.site import Site, answered
from tabletape.dashboard.what_if import (
    OF_BOTS,
    BotOutcome,
    bounded,
    is_narrow,
    kinds_in_words,
    outcome_of,
    signed,
)
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary.open_games import OpenGame, look_in, numbers_in, open_games
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.games import game, games
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.phrases import BY_RULING, tag_in_words, with_options_said
from tabletape.projector.model.rulebook import Ruling, Variant
from tabletape.projector.selfplay.card_change import CardChange, CardChangeError, FileNumber, numbers_of
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played, played_by_people
from tabletape.projector.selfplay.restriction import Never, Restriction, decisions_of
from tabletape.projector.selfplay.simulate import SimulationError
from tabletape.projector.selfplay.what_if import Experiment, Pair, pairs

QUESTION_KINDS: Final = ("Change something", "Forbid something to one side")

EXAMPLES: Final = 2
"""So many numbers of a game's file are offered to begin with."""

PLAYED_KEY: Final = "what if: played"
"""Where the session keeps what was played."""


AT_ONCE_KEY: Final = "what if: at once"
"""Where the session keeps that an example was chosen, which is played without another click."""

SPEAKS_OF_BOTS: Final = (
    "Bots play each game twice, as it is and changed. They show how the rules pull, not how people will play."
)


class PlayedPairs(msgspec.Struct):
    """What was played: the question, its pairs by bot, and games of people to set beside them."""

    asked: Experiment
    pairs: dict[Bot, list[Pair]]
    people: list[Played]


def what_if_page(site: Site) -> None:
    """Ask for a change, play pairs of games, and show what was played for this change."""
    st.title("What if?", anchor=False)
    answer = st.container()  # It stands above what it answers.
    look_in(site.workspace)
    own = [slug for slug in open_games() if not game(slug).rulebook.open]
    titles = {game(slug).title: slug for slug in (*own, *games())}
    chosen_first = sorted(titles, key=lambda title: (titles[title] != site.choice.slug, title))
    if site.choice.slug and site.choice.slug not in titles.values():
        st.info(
            f"Bots cannot play {site.game.title}: nobody has stated its rules. *My game* does that; "
            "until then here are the games that come with their rules.",
            icon=":material/smart_toy:",
        )
    one = game(titles[one_of("Game", "of", chosen_first)])
    experiment = _asked(site, one)
    play = st.container()  # It stands above what need not be said.
    with folded("How many games, and by which bots"):
        st.caption("Both games of a pair have the same dice and decks; the seats are swapped from pair to pair.")
        number, bots, until = _how_long()
    can_play = bool(bots) and _is_changed(experiment)
    at_once = st.session_state.pop(AT_ONCE_KEY, False)
    playing = can_play and (play.button("Play", type="primary", icon=":material/play_arrow:") or at_once)
    with answer:
        if playing:
            _play_anew(site, experiment, (number, bots, until))
        kept_before: PlayedPairs | None = st.session_state.get(PLAYED_KEY)
        if kept_before is not None and kept_before.asked == experiment:
            _show(kept_before)
            return
        verdict([f"Change a card or a rule, and see who would win more often. {SPEAKS_OF_BOTS}"])
        if not _is_changed(experiment):
            _examples(site, one, cards_of(site.workspace, one.slug))


def _play_anew(site: Site, experiment: Experiment, asked: tuple[int, list[Bot], float]) -> None:
    """Play what was `asked`: how many pairs, by which bots, until when; the session keeps it."""
    number, bots, until = asked
    played = PlayedPairs(experiment, {}, _people(site, experiment))
    st.session_state[PLAYED_KEY] = played
    try:
        _play(played, number, bots, until)
    except (CardChangeError, GameFileError, SimulationError) as error:
        st.error("These games cannot be played.", icon=":material/error:")
        st.text(str(error))


def _is_changed(experiment: Experiment) -> bool:
    return bool(experiment.changes or experiment.numbers or experiment.changed_rulings or experiment.restriction)


# -- what is asked -----------------------------------------------------------------------------------------------------


def _asked(site: Site, one: Game) -> Experiment:
    """Ask for changes of cards and of rulings, or for what one of two bots may not do: return them as an experiment."""
    cards = cards_of(site.workspace, one.slug)
    what = st.segmented_control(
        "Try out", QUESTION_KINDS, default=QUESTION_KINDS[0], required=True, key="try", bind="query-params"
    )
    if what == QUESTION_KINDS[1]:
        return Experiment(folder=site.workspace, game=one.slug, restriction=_restriction(one, cards))
    first, reading = st.columns(2)
    with reading:
        rulings = _rulings(one)
    with first:
        if one.slug in open_games():
            numbers = _numbers(open_games()[one.slug])
            return Experiment(folder=site.workspace, game=one.slug, numbers=numbers, changed_rulings=rulings)
        changes = _changes(cards)
    return Experiment(folder=site.workspace, game=one.slug, changes=changes, changed_rulings=rulings)


def _examples(site: Site, one: Game, cards: Cards[Any]) -> None:
    """Offer changes to begin with: the reading on which most findings rest, a card of one deck, numbers of a file."""
    st.caption(
        "Play one of these at once, or choose below what is to be otherwise. A bar says how long it takes; stopped, "
        "it shows what was played by then:"
    )
    for key, _ in _rested_on(site, one).most_common(1):
        text = f"{one.rulebook.by_key[key].question} Read it the other way"
        _example(text, "example reading", _choose, "rulings_asked", key)
    if one.slug in open_games():
        numbers = [path for path in numbers_in(open_games()[one.slug]) if not path.startswith("players.")]
        for path in numbers[:EXAMPLES]:
            _example(f"Another number: {tag_in_words(path)}", f"example {path}", _choose, "number", path)
        return
    in_decks = [card for card in _in_decks(cards) if _used_numbers(cards, card)]
    # What a card of one deck is worth shows in the wins of the side that holds it; one of all decks has no side.
    card = min(in_decks, key=lambda card: sum(deck.brings(card) for deck in cards.decks.values()), default="")
    if card:
        number, now = next(iter(_used_numbers(cards, card).items()))
        text = f"{cards.library[card].name} with {tag_in_words(number)} {now + 1:g} in place of {now:g}"
        _example(text, "example card", _choose_card, card)


def _example(text: str, key: str, choose: Callable[..., None], *args: str) -> None:
    """Show a button that chooses a change, which is played at once."""

    def begin() -> None:
        choose(*args)
        st.session_state[AT_ONCE_KEY] = True

    st.button(escaped(text), on_click=begin, key=key, icon=":material/play_arrow:")


def _rested_on(site: Site, one: Game) -> Counter[str]:
    """Return how many findings in games of people hang on which reading that has another one."""
    if not site.stamp:
        return Counter()
    told = answered(site, "each-finding", {"game": one.slug, "source": "people"})["message"].to_pylist()
    named = Counter(found["key"] for message in told for found in BY_RULING.finditer(message))
    return Counter({key: number for key, number in named.items() if _other_options(one.rulebook.by_key[key])})


def _choose(key: str, value: str) -> None:
    """Choose the only value of a choice, as a hand would."""
    st.session_state[key] = [value]


def _choose_card(card: str) -> None:
    """Choose the only card, which stands in the address."""
    st.query_params["card"] = [card]


def _numbers(described: OpenGame) -> tuple[FileNumber, ...]:
    """Ask for numbers of a game's file, and what they are to be."""
    numbers = numbers_in(described)
    picked = st.multiselect(
        "Numbers of the file",
        list(numbers),
        key="number",
        bind="query-params",
        placeholder="As they are",
        help="Each by its place in the file.",
        format_func=tag_in_words,
    )
    after = (
        st.number_input(
            f"{tag_in_words(path)} in place of {numbers[path]}", value=numbers[path] + 1, key=f"value of {path}"
        )
        for path in picked
    )
    return tuple(FileNumber(path, int(value), relative=False) for path, value in zip(picked, after, strict=True))


def _rulings(one: Game) -> dict[str, str]:
    """Ask for rulings that are to be others than the usual ones, one option of each."""
    open_sentences = {ruling.key: ruling for ruling in one.rulebook.by_key.values() if _other_options(ruling)}
    picked = st.multiselect(
        "Readings of the rulebook",
        list(open_sentences),
        key="rulings_asked",
        placeholder="As they are",
        select_all=False,
        help="The sentences that can be read in more than one way.",
        format_func=tag_in_words,
    )
    return {key: _other_reading(open_sentences[key]) for key in picked}


def _other_options(ruling: Ruling | Variant) -> dict[str, str]:
    """Return the readings of a sentence that games can be played by, without the usual one, in words by their names."""
    return {each.name: each.text for each in ruling.options if each.built and each.name != ruling.default}


def _other_reading(ruling: Ruling | Variant) -> str:
    """Say how a sentence is read, and ask how it is to be read instead."""
    others = _other_options(ruling)
    st.caption(escaped(f"Now: {ruling.options[0].text}"))
    return st.radio(ruling.question, list(others), key=f"reading of {ruling.key}", format_func=others.__getitem__)


def _in_decks(cards: Cards[Any]) -> dict[str, str]:
    """Return the names of the cards of some deck list, by their ids."""
    return {
        card: str(text.name)
        for card, text in cards.library.items()
        if any(deck.brings(card) for deck in cards.decks.values())
    }


def _restriction(one: Game, cards: Cards[Any]) -> Restriction:
    """Ask what one of the two bots may not do."""
    card, decision = st.columns(2)
    with card:
        without = some_of("Cards it may not play", "without", _in_decks(cards), placeholder="None")
    never = decision.multiselect(
        "Decisions it may not take",
        sorted(decisions_of(one)),
        key="never",
        format_func=tag_in_words,
        placeholder="None",
    )
    st.caption(
        "The rules and the cards stay as they are. One of the two bots does this only where nothing else is legal; "
        "what it loses is what it is worth to it."
    )
    return Restriction(tuple(without), tuple(Never(each) for each in never))


def _changes(cards: Cards[Any]) -> tuple[CardChange, ...]:
    """Ask for cards of some deck, one number of each, and what that is to be."""
    help_text = "Cards of the deck lists that bots play. The side that is looked at holds the first one."
    picked = some_of("Cards", "card", _in_decks(cards), placeholder="As they are", help=help_text)
    return tuple(change for card in picked if (change := _change(cards, card)) is not None)


def _used_numbers(cards: Cards[Any], card: str) -> dict[str, float]:
    """Return the numbers of a card that its game uses."""
    unused = cards.unused(cards.library[card].kind)
    return {name: number for name, number in numbers_of(cards.library[card]) if name not in unused}


def _change(cards: Cards[Any], card: str) -> CardChange | None:
    numbers = _used_numbers(cards, card)
    field, value = st.columns(2)
    name = field.selectbox(f"Number of {cards.library[card].name}", list(numbers), key=f"number of {card}")
    if not name:
        return None
    now = numbers[name]
    after = value.number_input(
        f"In place of {now:g}", min_value=0, max_value=10_000, value=int(now) + 1, key=f"{name} of {card}"
    )
    return CardChange(card, name, float(after), relative=False)


def _how_long() -> tuple[int, list[Bot], float]:
    number, bots, until = st.columns(3)
    pairs_asked = number.number_input("Pairs of games", min_value=10, max_value=10_000, value=100, step=50)
    chosen = bots.multiselect("Bots", [str(bot) for bot in Bot], default=[str(Bot.GREEDY)])
    points_asked = until.number_input(
        "Stop early when known to ± points",
        min_value=0.0,
        max_value=50.0,
        value=0.0,
        help="0 plays all pairs. The interval that this looks at holds however often one looks.",
    )
    return int(pairs_asked), [Bot(each) for each in chosen], float(points_asked)


def _people(site: Site, experiment: Experiment) -> list[Played]:
    if not site.has_log:
        return []
    try:
        with Log.open(log_address()) as log:
            return played_by_people(log, experiment.game, experiment.cards)
    except LogError:
        return []


# -- playing -----------------------------------------------------------------------------------------------------------


def _play(played: PlayedPairs, number: int, bots: Sequence[Bot], until: float) -> None:
    """Play pairs for each bot, with a bar and a button that stops it."""
    place = st.empty()
    for bot in bots:
        so_far = played.pairs.setdefault(bot, [])
        with place.container():
            bar = st.progress(0.0, text=f"{bot} bots: starting")
            st.button("Stop", icon=":material/stop:", key=f"stop {bot}", help="What was played by then is kept.")
        begun = 0.0
        for pair in pairs(msgspec.structs.replace(played.asked, bot=bot), number):
            so_far.append(pair)
            begun = begun or monotonic()  # from the first pair on: processes have to start before it
            left = (monotonic() - begun) / len(so_far) * (number - len(so_far))
            text = f"{bot} bots: {len(so_far)} of {counted(number, 'pair')}, about {left:.0f} s left"
            bar.progress(len(so_far) / number, text=text)
            if len(so_far) % 10 == 0 and is_narrow(so_far, until):
                break
    place.empty()


# -- what came of it ---------------------------------------------------------------------------------------------------


def _show(played: PlayedPairs) -> None:
    outcomes = [
        outcome_of(msgspec.structs.replace(played.asked, bot=bot), of_bot, played.people)
        for bot, of_bot in played.pairs.items()
        if of_bot
    ]
    if not outcomes:
        return
    together = kinds_in_words((outcome.bot, outcome.reach) for outcome in outcomes)
    headlines = [_with_names(played.asked, outcome.headline) for outcome in outcomes]
    verdict([*([together] if together else []), *headlines])
    marks = [_dot(outcome) for outcome in outcomes]
    draw_dots(marks, share=False, baselines={each.label: 0.0 for each in marks}, axis="points more")
    point = "A point is one more game won of a hundred. " if any(outcome.unit > 1 for outcome in outcomes) else ""
    st.caption(f"{point}{SPEAKS_OF_BOTS}")
    for outcome in outcomes:
        with folded(f"Everything that was measured: {outcome.bot} bots"):
            _show_one(played.asked, outcome, people=bool(played.people))


def _with_names(asked: Experiment, words: str) -> str:
    """Return words with the names of cards and decisions, which a terminal calls by their ids, and options in words."""
    library = cards_of(asked.folder, asked.game).library
    for card in asked.cards:
        words = re.sub(rf"\b{re.escape(card)}\b", str(library[card].name), words, flags=re.IGNORECASE)
    for never in asked.restriction.never:
        words = words.replace(never.words, tag_in_words(never.words))
    return with_options_said(game(asked.game).rulebook, words)


def _dot(outcome: BotOutcome) -> Dot:
    effect = outcome.found
    mean, low, high = (round(bounded(outcome.unit, each), 1) for each in (effect.mean, effect.low, effect.high))
    words = f"{signed(mean)} points ({signed(low)} to {signed(high)})"
    return Dot(f"{outcome.bot} bots", mean, low, high, words)


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
            where = f"Pair {pair.number} parts at step {pair.parting.step}, turn {pair.parting.turn}"
            st.text(f"{where}: {pair.parting.before}. With the change: {pair.parting.after}.")
