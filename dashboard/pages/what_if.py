"""What if a card or a ruling were otherwise: bots play pairs of games, and the page says what comes of it.

The games are played by processes of their own. Whatever is clicked meanwhile stops them; what was played stays shown.
"""

from collections import Counter
from collections.abc import MutableMapping, Sequence
from functools import partial
from time import monotonic
from typing import Any, Final

import msgspec
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.sections.answers import folded, verdict
from tabletape.dashboard.sections.bots_played import SPEAKS_OF_BOTS, PlayedPairs, show_outcomes
from tabletape.dashboard.sections.choice import one_of, some_of
from tabletape.dashboard.site import Site, answered
from tabletape.dashboard.tape.choosing import why_no_bots
from tabletape.dashboard.what_if import is_narrow
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.events.log.schema import LogError
from tabletape.events.vocabulary.open_games import OpenGame, look_in, numbers_in, open_games
from tabletape.events.workspace_files import GameFileError
from tabletape.projector.archive.stored import cards_of
from tabletape.projector.games import game, games, title_of
from tabletape.projector.model.amounts import counted
from tabletape.projector.model.cards import Cards
from tabletape.projector.model.game import Game
from tabletape.projector.model.phrases import BY_RULING, tag_in_words
from tabletape.projector.model.rulebook import Ruling, Variant
from tabletape.projector.selfplay.card_change import CardChange, CardChangeError, FileNumber, numbers_of
from tabletape.projector.selfplay.kinds import Bot
from tabletape.projector.selfplay.outcomes import Played, played_by_people
from tabletape.projector.selfplay.restriction import Never, Restriction, decisions_of
from tabletape.projector.selfplay.simulate import SimulationError
from tabletape.projector.selfplay.what_if import Experiment, pairs

QUESTION_KINDS: Final = ("Change something", "Forbid something to one side")

EXAMPLES: Final = 2
"""So many numbers of a game's file are offered to begin with."""

PLAYED_KEY: Final = "what if: played"
"""Where the session keeps what was played."""

AT_ONCE_KEY: Final = "what if: at once"
"""Where the session keeps that something was chosen which is played without another click."""

NUMBER_KEY: Final = "what if: number"
"""Where the session keeps how many games are to be played."""

NUMBERS: Final = (10, 10_000)
"""How few and how many games can be played."""


def what_if_page(site: Site) -> None:
    """Ask for a change, play pairs of games, and show what was played for this change."""
    st.title("What if?", anchor=False)
    answer = st.container()  # It stands above what it answers.
    look_in(site.workspace)
    known = map(game, (*open_games(), *games()))
    playable = {one.title: one.slug for one in known if not why_no_bots(one)}
    mine = site.choice.slug
    titles = {**playable, **({title_of(mine): mine} if mine else {})}
    which, what = st.columns(2)
    with which:
        slug = titles[one_of("Game", "of", sorted(titles, key=lambda title: (titles[title] != mine, title)))]
    if slug not in playable.values():
        _without_bots(site)
        return
    one = game(slug)
    experiment = _asked(site, one, what)
    play = st.container()  # It stands above what need not be said.
    with folded("How many games, and by which bots"):
        st.caption("Each game is played twice, with the same dice and decks; the seats are swapped from game to game.")
        number, bots, until = _how_long()
    can_play = bool(bots) and _is_changed(experiment)
    at_once = st.session_state.pop(AT_ONCE_KEY, False)
    playing = can_play and (play.button("Play", type="primary", icon=":material/play_arrow:") or at_once)
    with answer:
        if playing:
            _play_anew(site, experiment, (number, bots, until))
        kept_before: PlayedPairs | None = st.session_state.get(PLAYED_KEY)
        if kept_before is not None and kept_before.asked == experiment:
            show_outcomes(kept_before, _offer_more)
            return
        verdict([f"Change a card or a rule, and see who would win more often. {SPEAKS_OF_BOTS}"])
        if not _is_changed(experiment):
            _examples(site, one, cards_of(site.workspace, one.slug))


def _without_bots(site: Site) -> None:
    """Say why no bot plays a game, and what leads on: its rules, and what a change of its own has changed."""
    lacking = f"bots play by rules to the end, and no sentence says how {site.game.title} ends"
    verdict([f"There is nothing to try out yet: {lacking}."])
    site.link("my-game", "**My game**: state its rules, from a chat and a rulebook", ":material/draw:")
    changed = "**Balance**: what another version, or what you changed on a day, has changed in its games"
    site.link("balance", changed, ":material/balance:", changed="true")


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


def _offer_more(played: PlayedPairs) -> None:
    """Offer to play four times as many games, as far as that goes: the line is half as long then."""
    before = max(map(len, played.pairs.values()))
    number = min(NUMBERS[1], max(NUMBERS[0], 4 * before))
    if number > before:
        text = f"Play {counted(number, 'game')}, in about {played.seconds / before * number:.0f} s"
        why = "Of four times as many games the line is half as long."
        click = partial(st.session_state.update, {NUMBER_KEY: number, AT_ONCE_KEY: True})
        st.button(text, on_click=click, key="more games", icon=":material/play_arrow:", help=why)


def _is_changed(experiment: Experiment) -> bool:
    return bool(experiment.changes or experiment.numbers or experiment.changed_rulings or experiment.restriction)


# -- what is asked -----------------------------------------------------------------------------------------------------


def _asked(site: Site, one: Game, place: DeltaGenerator) -> Experiment:
    """Ask for changes of cards and of rulings, or for what one of two bots may not do: return them as an experiment.

    Which of both is asked at a `place` above.
    """
    cards = cards_of(site.workspace, one.slug)
    what = place.segmented_control(
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
    st.caption("Play one of these at once, or choose below what is to be otherwise:")
    for key, _ in _rested_on(site, one).most_common(1):
        text = f"{one.rulebook.by_key[key].question} Read it the other way"
        _example(text, "reading", st.session_state, "rulings_asked", key)
    if one.slug in open_games():
        numbers = [path for path in numbers_in(open_games()[one.slug]) if not path.startswith("players.")]
        for path in numbers[:EXAMPLES]:
            _example(f"Another number: {tag_in_words(path)}", path, st.session_state, "number", path)
        return
    in_decks = [card for card in _in_decks(cards) if _used_numbers(cards, card)]
    # What a card of one deck is worth shows in the wins of the side that holds it; one of all decks has no side.
    card = min(in_decks, key=lambda card: sum(deck.brings(card) for deck in cards.decks.values()), default="")
    if card:
        number, now = next(iter(_used_numbers(cards, card).items()))
        text = f"{cards.library[card].name} with {tag_in_words(number)} {now + 1:g} in place of {now:g}"
        _example(text, "card", st.query_params, "card", card)  # It stands in the address.


def _example(text: str, name: str, kept: MutableMapping[Any, Any], key: str, value: str) -> None:
    """Show a button that chooses the only value of a choice, as a hand would, which is played at once."""

    def begin() -> None:
        kept[key] = [value]
        st.session_state[AT_ONCE_KEY] = True

    st.button(escaped(text), on_click=begin, key=f"example {name}", icon=":material/play_arrow:")


def _rested_on(site: Site, one: Game) -> Counter[str]:
    """Return how many findings in games of people hang on which reading that has another one."""
    if not site.stamp:
        return Counter()
    told = answered(site, "each-finding", {"game": one.slug, "source": "people"})["message"].to_pylist()
    named = Counter(found["key"] for message in told for found in BY_RULING.finditer(message))
    return Counter({key: number for key, number in named.items() if _other_options(one.rulebook.by_key[key])})


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
    now = f"Now: {ruling.options[0].text}"
    if len(others) == 1:
        (only,) = others
        st.caption(escaped(f"{ruling.question} {now}. To be tried: {others[only]}."))
        return only
    st.caption(escaped(now))
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
    label = f"Number of {cards.library[card].name}"
    name = field.selectbox(label, list(numbers), key=f"number of {card}", format_func=tag_in_words)
    if not name:
        return None
    now = numbers[name]
    after = value.number_input(
        f"In place of {now:g}", min_value=0, max_value=10_000, value=int(now) + 1, key=f"{name} of {card}"
    )
    return CardChange(card, name, float(after), relative=False)


def _how_long() -> tuple[int, list[Bot], float]:
    number, bots, until = st.columns(3)
    st.session_state.setdefault(NUMBER_KEY, 100)
    pairs_asked = number.number_input("Games, each played twice", *NUMBERS, step=50, key=NUMBER_KEY)
    chosen = bots.multiselect("Bots", [str(bot) for bot in Bot], default=[str(Bot.GREEDY)])
    points_asked = until.number_input(
        "Stop early when known to ± games of a hundred",
        min_value=0.0,
        max_value=50.0,
        value=0.0,
        help="0 plays all games. What this looks at holds however often one looks.",
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
    place, began = st.empty(), monotonic()
    for bot in bots:
        so_far = played.pairs.setdefault(bot, [])
        with place.container():
            bar = st.progress(0.0, text=f"{bot} bots: starting")
            st.button("Stop", icon=":material/stop:", key=f"stop {bot}", help="What was played by then is kept.")
        for pair in pairs(msgspec.structs.replace(played.asked, bot=bot), number):
            so_far.append(pair)
            played.seconds = monotonic() - began
            bar.progress(len(so_far) / number, text=f"{bot} bots: {len(so_far):,} of {counted(number, 'game')}")
            if len(so_far) % 10 == 0 and is_narrow(so_far, until):
                break
    place.empty()
