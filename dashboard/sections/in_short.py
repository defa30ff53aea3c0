"""What pages come to in a sentence: is the game fair, does a card stand out, how long does it take."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.rows import draw_dots
from tabletape.dashboard.markdown_escape import escaped
from tabletape.dashboard.questions.methods.card_effects import MIN_GAMES as ENOUGH_GAMES
from tabletape.dashboard.sections.answers import (
    MAX_SHOWN,
    Row,
    Rows,
    Shares,
    differ,
    reading_of_a_chart,
    rows_of,
    share_of_row,
    shares,
    with_label,
)
from tabletape.dashboard.sections.one_card import card_called
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import percent
from tabletape.projector.model.amounts import counted, joined, middle
from tabletape.projector.model.phrases import deck_called

MOST: Final = 4
"""How many decks or cards a sentence names."""

BEST: Final = 3
"""So many of the players who won most are named."""

PLAYERS: Final = 8
"""How many players are drawn; the table below the chart has all."""

MIN_SIDES: Final = 5
"""A card that fewer sides have seen is not in the chart; the table has it."""

MIN_TENTHS: Final = 10
"""From so many games on there are some outside of the middle eight of ten."""

SAID_MEASURES: Final = ("minutes", "turns")
"""The measures of length that are said before all others."""


def sentence(clause: str) -> str:
    """Return a clause as a sentence."""
    return f"{clause[:1].upper()}{clause[1:]}."


# -- is it fair --------------------------------------------------------------------------------------------------------


def fairness(rows: Rows) -> str:
    """Say whether the shares of wins of one part of the games are fair, as a clause; nothing where there are none."""
    unfair = [row for row in rows if row["verdict"] == "not fair"]
    watched = [row for row in rows if row["verdict"] == "keep testing" and is_apart(row)]
    if not rows:
        return ""
    if unfair:
        return f"not fair: {_listed(rows, unfair)}"
    if watched:
        # Of two decks one wins what the other loses: that is one thing to watch.
        above = [row for row in watched if row["win_rate"] > row["baseline"]]
        return f"to watch: {_listed(rows, above or watched)}, which may still be luck"
    is_fair = all(row["verdict"] == "fair" for row in rows)
    return "who begins and every deck win a fair share" if is_fair else "nothing is shown to be unfair yet"


def is_apart(row: Row) -> bool:
    """Return whether the interval of a share of wins leaves out what would be even."""
    return not row["win_rate_low"] <= row["baseline"] <= row["win_rate_high"]


def _listed(rows: Rows, named: Rows) -> str:
    words = [f"{called(rows, row)} won {row['wins']} of {row['games']}" for row in named[:MOST]]
    return joined(words) + (f", and {len(named) - MOST} more" if len(named) > MOST else "")


def called(rows: Rows, row: Row) -> str:
    """Return what a share of wins is of, in words; for how many players only where `rows` have several such numbers."""
    what = "who begins" if row["measure"] == "first player" else f"{row['measure']} {deck_called(row['value'])}"
    return f"{what}{_of_players(rows, row)}"


def _of_players(rows: Rows, row: Row) -> str:
    return f" with {row['players']} players" if len({each["players"] for each in rows}) > 1 else ""


def least_like_luck(rows: Rows) -> Iterator[str]:
    """Say which share of wins luck explains least, where `fairness` names none, and how many more games tell more."""
    open_rows = [row for row in rows if row["verdict"] != "fair"]
    is_named = any(row["verdict"] == "not fair" or is_apart(row) for row in open_rows)
    if open_rows:
        most = min(open_rows, key=lambda row: (_by_luck(row), -row["win_rate"]))
        even = f"even would be {percent(most['baseline'])} %"
        if not is_named:
            yield f"Least like luck so far: {called(rows, most)} won {share_of_row('stopping', most)}; {even}."
        elif is_apart(most) and most["verdict"] != "not fair":
            yield f"The line of {called(rows, most)} leaves out what is even: of several lines luck may do that to one."
        if most["verdict"] == "keep testing" and most["more"]:
            games = f"{most['soon']:,} to {most['late']:,}" if most["late"] else f"{most['soon']:,} or very many"
            yield f"A verdict mostly takes {games} more games, half of the time at most {most['more']:,}."


def _by_luck(row: Row) -> float:
    """Return the chance that luck alone brings a share of wins which is as unlikely, were it even in truth."""
    from scipy.stats import binomtest  # noqa: PLC0415 - a page without shares waits for no library

    return float(binomtest(row["wins"], row["games"], row["baseline"]).pvalue)


def closeness(margins: Rows) -> str:
    """Say how many games were close, as a clause; nothing of no games."""
    close, games = (sum(row[each] for row in margins) for each in ("close", "games"))
    text = f"{close} of {counted(games, 'game')} {'was' if close == 1 else 'were'} close"
    return f"{text}, won by at most a tenth of the winner's points" if games else ""


def winning(players: Rows) -> str:
    """Say whose wins leave out what would be if it did not matter who plays, or that nobody's do."""
    clear = [row for row in players if row["decisive"] and row["win_rate_low"] > row["baseline"]]
    if not any(row["decisive"] for row in players):
        return ""
    if not clear:
        return "nobody surely wins more often than the others"
    named = (f"{row['name']} won {row['wins']} of {row['decisive']}" for row in clear[:BEST])
    even = joined(dict.fromkeys(f"{percent(row['baseline'])} %" for row in clear[:BEST]))
    return f"to watch: {joined(named)}, more than what is even ({even})"


def draw_players(site: Site) -> None:
    """Draw how often each player wins, of those with the most games, the best first."""
    rows = rows_of(site, "players")
    names = list(dict.fromkeys(row["name"] for row in sorted(rows, key=lambda row: -row["games"])))[:PLAYERS]
    shown = sorted((row for row in rows if row["name"] in names), key=lambda row: -(row["win_rate"] or 0))
    shares(site, "players", "name", rows=shown)


def draw_wins(site: Site, dimension: str) -> bool:
    """Draw how often the player who begins wins, and each deck, beside what would be even; return whether any did."""
    began = rows_of(site, "first-player")
    decks = [row for row in rows_of(site, "decks") if row["dimension"] == dimension]

    def beginner(row: Row) -> str:
        return f"Who begins{_of_players(began, row)}"

    other = mirrored(decks)
    decks = [row for row in decks if row["value"] != other]

    def deck(row: Row) -> str:
        against = f" against {deck_called(other)}" if other else ""
        return f"{deck_called(row['value'])}{against}"

    of_beginners, of_decks = Shares("first-player", "players"), Shares("decks", "value")
    marks = [*of_beginners.dots(began, beginner), *of_decks.dots(decks, deck)]
    if not marks:
        return False
    st.subheader("Who wins how often?", anchor=False)
    even = {naming(row): row["baseline"] for rows, naming in ((began, beginner), (decks, deck)) for row in rows}
    shown = set(list(dict.fromkeys(each.label for each in marks))[:MAX_SHOWN])
    draw_dots([each for each in marks if each.label in shown], share=True, baselines=even, axis="of their games won")
    reading_of_a_chart(even)
    for part in site.parts():
        if words := site.exclusions("decks" if decks else "first-player", part):
            st.caption(escaped(with_label({"among": part.label}, words)))
    differ([*of_beginners.differences(began, beginner), *of_decks.differences(decks, deck)])
    return True


def mirrored(decks: Rows) -> str:
    """Return the deck that lost whatever the only other one won, in every part of the games; it is said with that."""
    names = list(dict.fromkeys(row["value"] for row in sorted(decks, key=lambda row: -(row["win_rate"] or 0))))
    parts = [[row for row in decks if row["among"] == among] for among in {row["among"] for row in decks}]
    is_mirror = all(
        len(mine) == len(names) and {row["games"] for row in mine} == {sum(row["wins"] for row in mine)}
        for mine in parts
    )
    return names[1] if len(names) == 2 and is_mirror else ""


# -- does a card stand out ---------------------------------------------------------------------------------------------


def standing_out(effects: Rows) -> str:
    """Say which cards of one part of the games stand out or are to be watched, as a clause.

    Those are to be watched whose effect is likely (0.9) on one side of zero; of no card that enough games have seen
    nothing is said.
    """
    tested = sorted((row for row in effects if row["games"] >= ENOUGH_GAMES), key=lambda row: -abs(row["effect"]))
    out = [row for row in tested if row["stands_out"]]
    watched = [row for row in tested if row not in out and not 0.1 <= row["helps"] <= 0.9]
    if not tested:
        return ""
    text = f"{_cards(out)} stand{'s' if len(out) == 1 else ''} out" if out else "no card stands out yet"
    return text + (f"; to watch: {_cards(watched)}" if watched else "")


def is_weighed(effects: Rows) -> bool:
    """Return whether games tell the effect of some card, allowing for the rest: then Cards shows that first."""
    return any(row["low"] is not None for row in effects if row["games"] >= ENOUGH_GAMES)


def best_so_far(effects: Rows, held: Rows) -> str:
    """Say which card of one part of the games helped or won most so far, as Cards shows it; nothing of no such card."""
    seen = [row for row in effects if row["games"] >= ENOUGH_GAMES]
    if is_weighed(seen):
        best = max((row for row in seen if row["low"] is not None), key=lambda row: row["effect"])
        luck = "" if best["stands_out"] else ", which may still be luck"
        return f"helped most so far: {_cards([best])}{luck}" if best["effect"] > 0 else ""
    enough = [row for row in held if row["seen_games"] >= MIN_SIDES and row["seen_rate"] is not None]
    if not enough:
        return ""
    best = max(enough, key=lambda row: (row["seen_rate"], row["seen_games"]))
    return f"most wins so far: {card_called(best)} {share_of_row('cards', best)}, which may still be luck"


def _cards(rows: Rows) -> str:
    names = ", ".join(f"{card_called(row)} ({100 * row['effect']:+.0f} games of a hundred)" for row in rows[:MOST])
    return names + (f" and {len(rows) - MOST} more" if len(rows) > MOST else "")


# -- how long does it take ---------------------------------------------------------------------------------------------


def length(finished: Rows) -> str:
    """Say how long games of one part of them are, for each number of players, as a clause: in minutes, else in turns.

    `finished` are rows of `game-length`; nothing is said where there are none.
    """
    said = [row for row in finished if row["median"] >= 1]
    measure = next((each for each in SAID_MEASURES if any(row["measure"] == each for row in said)), "")
    first, *others = sorted((row for row in said if row["measure"] == measure), key=lambda row: row["players"]) or [{}]
    if not first:
        return ""
    if not others:
        return f"a game takes {middle(first['median'])} {measure}"
    more = [f"{middle(row['median'])} with {row['players']}" for row in others]
    of_first = f"{middle(first['median'])} {measure} with {counted(first['players'], 'player')}"
    return f"a game takes {joined([of_first, *more])}"


def reach(row: Mapping[str, Any]) -> str:
    """Return between which lengths most games lie, eight of ten or all of few; nothing where all are as long."""
    low, high = (f"{row[each]:.0f}" for each in ("p10", "p90"))
    return f"{low} to {high}" if low != high else ""


def most_lengths(finished: Rows) -> str:
    """Say between which lengths most games of one part of them lie, for each number of players; nothing of no game."""
    players = sorted({row["players"] for row in finished})
    rows = sorted(finished, key=lambda row: (row["players"], SAID_MEASURES.index(row["measure"])))
    said = [
        f"{reach(row)} {row['measure']}" + (f" with {row['players']} players" if len(players) > 1 else "")
        for row in rows
        if reach(row)
    ]
    return f"Most games: {', '.join(said)}." if said else ""


def half_time(rows: Rows) -> str:
    """Say how often who led at half time won, for each number of players; of one of them with its interval."""
    if not rows:
        return ""
    first, *others = rows
    if not others:
        return f"Who led at half time won {share_of_row('snowball', first)}."
    more = [f"{row['wins']} of {row['games']} with {row['players']}" for row in others]
    of_first = f"{first['wins']} of {first['games']} games with {counted(first['players'], 'player')}"
    return f"Who led at half time won {joined([of_first, *more])}."
