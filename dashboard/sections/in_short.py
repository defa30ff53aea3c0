"""What pages come to in a sentence: is the game fair, does a card stand out, how long does it take."""

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import Any, Final

import streamlit as st

from tabletape.dashboard.charts.rows import draw_dots
from tabletape.dashboard.questions.methods.card_effects import MIN_GAMES as ENOUGH_GAMES
from tabletape.dashboard.sections.answers import Row, Rows, rows_of, share_of_row, who_counts
from tabletape.dashboard.sections.one_card import card_called
from tabletape.dashboard.sections.shares import Shares, differ, reading_of_a_chart, shares, shown
from tabletape.dashboard.site import Site
from tabletape.dashboard.statistics.intervals import percent
from tabletape.dashboard.statistics.luck import chance_of_luck
from tabletape.projector.model.amounts import counted, joined, middle
from tabletape.projector.model.phrases import deck_called

MOST: Final = 4
"""How many decks or cards a sentence names."""

RARE: Final = 0.05
"""What luck alone brings less often than this is to be watched."""

HALF: Final = 0.5
"""What luck brings so often is named of no share: that would single out one that is like the others."""

MOST_TIMES: Final = 1000
"""Of so many times and more only that there are so many is said."""

DECK: Final = "deck"
"""What decks are told by, where by nothing else."""

FEWEST: Final = 3
"""Of fewer games nothing is said beside what more tell of."""

BEGINNER: Final = "first-player"
"""The question that says how often the player who begins wins."""

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


def shares_of_wins(site: Site, dimension: str, asked: Callable[[str], Rows] | None = None) -> Rows:
    """Return how often the player who begins wins, and each deck, told apart by a `dimension`, with the luck in it.

    Of two decks one wins what the other loses: that one is left out. `asked` answers in place of the chosen games.
    """
    asked = asked or partial(rows_of, site)
    decks = [row | {"measure": DECK} for row in asked("decks") if row["dimension"] == dimension]
    other = mirrored(decks)
    begun = asked(BEGINNER)
    several = len({row["players"] for row in begun}) > 1
    return [
        *(
            {**row, "measure": "first player", "value": "", "by_luck": luck_in(row), "several": several}
            for row in begun
            if row["games"] >= FEWEST
        ),
        *(row | {"against": other} for row in decks if row["value"] != other),
    ]


def luck_in(row: Row) -> float:
    """Return the chance that luck alone brings a number of wins that is no likelier, in games that are all alike."""
    return chance_of_luck(row["wins"], [row["baseline"]] * row["games"])


def fairness(rows: Rows, judged: Rows) -> str:
    """Say whether the shares of wins of one part of the games are fair, as a clause; nothing where there are none.

    `judged` are those of which `stopping` says whether they are; what luck explains least comes first.
    """
    unfair = [row for row in judged if row["verdict"] == "not fair"]
    watched = [row for row in rows if row["by_luck"] < RARE]
    if not rows:
        return ""
    if unfair:
        return f"not fair: {_listed(judged, sorted(unfair, key=luck_in))}"
    if watched:
        return f"to watch: {_listed(rows, sorted(watched, key=_by_luck))}, which may still be luck"
    is_fair = bool(judged) and all(row["verdict"] == "fair" for row in judged)
    return "who begins and every deck win a fair share" if is_fair else "nothing is shown to be unfair yet"


def _by_luck(row: Row) -> float:
    luck: float = row["by_luck"]
    return luck


def _listed(rows: Rows, named: Rows) -> str:
    words = [f"{called(rows, row)} won {row['wins']} of {row['games']}" for row in named[:MOST]]
    return joined(words) + (f", and {len(named) - MOST} more" if len(named) > MOST else "")


def called(rows: Rows, row: Row) -> str:
    """Return what a share of wins is of, in words; for how many players only where `rows` have several such numbers."""
    if row["measure"] == "player":
        return str(row["name"])
    if row["measure"] == "first player":
        return f"who begins{of_players(rows, row, several=row.get('several', False))}"
    what = deck_called(row["value"]) + of_players(rows, row)
    return f"{what} against {deck_called(row['against'])}" if row.get("against") else what


def of_players(rows: Rows, row: Row, *, several: bool = False) -> str:
    """Return with how many players a number is, where `rows` have several such numbers, or had before."""
    several = several or len({each["players"] for each in rows if "players" in each}) > 1
    return f" with {row['players']} players" if several and "players" in row else ""


def least_like_luck(rows: Rows) -> str:
    """Say which share of wins luck explains least; nothing where luck mostly brings one as far from even."""
    if not rows or _luck_of_all(rows) >= HALF:
        return ""
    most = min(rows, key=_by_luck)
    even = f"even would be {percent(most['baseline'])} %"
    return f"Farthest from luck so far: {called(rows, most)} won {share_of_row('decks', most)}; {even}."


def by_luck(rows: Rows) -> str:
    """Say how often luck alone brings what it explains least, and before that what this is, where no verdict has."""
    words = f"Shares as far from even come by chance alone {_how_often(_luck_of_all(rows))}."
    return words if min(map(_by_luck, rows)) < RARE else f"{least_like_luck(rows)} {words}".strip()


def _luck_of_all(rows: Rows) -> float:
    """Return how likely luck alone brings the farthest of several shares from even: likelier than one alone."""
    return 1.0 - (1.0 - min(map(_by_luck, rows))) ** len(rows)


def _how_often(luck: float) -> str:
    """Return a chance in words."""
    if luck >= HALF:
        return "more often than not"
    return f"about 1 time in {1 / luck:.0f}" if luck > 1 / MOST_TIMES else f"less than 1 time in {MOST_TIMES:,}"


def closeness(margins: Rows) -> str:
    """Say how many games were close, as a clause; nothing of one or two."""
    close, games = (sum(row[each] for row in margins) for each in ("close", "games"))
    text = f"{close} of {counted(games, 'game')} {'was' if close == 1 else 'were'} close"
    return f"{text}, won by at most a tenth of the winner's points" if games >= FEWEST else ""


def winning(players: Rows) -> str:
    """Say who wins more than luck explains, or that nobody surely does; what luck explains least comes first."""
    told = [row for row in players if row["decisive"]]
    clear = [row for row in told if row["by_luck"] < RARE and row["win_rate"] > row["baseline"]]
    if not clear:
        return "nobody surely wins more often than the others" if told else ""
    first = sorted(clear, key=_by_luck)[:BEST]
    even = joined(dict.fromkeys(f"{percent(row['baseline'])} %" for row in first))
    named = joined(f"{row['name']} won {row['wins']} of {row['decisive']}" for row in first)
    return f"to watch: {named}, more than what is even ({even})"


def draw_players(site: Site) -> None:
    """Draw how often each player wins, of those with the most games, the best first."""
    rows = rows_of(site, "players")
    names = list(dict.fromkeys(row["name"] for row in sorted(rows, key=lambda row: -row["games"])))[:PLAYERS]
    best = sorted((row for row in rows if row["name"] in names), key=lambda row: -(row["win_rate"] or 0))
    shares(site, "players", "name", rows=best)


def draw_wins(site: Site, rows: Rows, *, told: bool = True) -> None:
    """Draw how often the player who begins wins, and each deck, beside what would be even; `rows` are those shares.

    What differs between two versions is said here unless it was `told` above.
    """
    how = Shares("decks", "value")

    def name(row: Row) -> str:
        return sentence(called(rows, row)).removesuffix(".")

    marks = how.dots(rows, name)
    st.subheader("Who wins how often?", anchor=False)
    drawn = shown(marks, attrgetter("label"))
    if not told:
        differ(site, how.differences(rows, name))
    draw_dots(drawn, share=True, axis="of their games won")
    reading_of_a_chart(drawn)
    asked = "decks" if any(row["measure"] == "deck" for row in rows) else BEGINNER
    who_counts(site, asked, site.parts())


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
        if first["games"] == 1:
            return f"the one finished game took {middle(first['median'], 1)} {measure}"
        return f"half of the games take at most {middle(first['median'], first['games'])} {measure}{_of_few(first)}"
    more = [f"{middle(row['median'], row['games'])} with {row['players']}{_of_few(row)}" for row in others]
    with_whom = f"with {counted(first['players'], 'player')}{_of_few(first)}"
    of_first = f"{middle(first['median'], first['games'])} {measure} {with_whom}"
    return f"a game takes {joined([of_first, *more])}"


def _of_few(row: Row) -> str:
    """Return how many games a length is of, where so few that it hardly tells more than they do."""
    return "" if row["games"] >= MIN_TENTHS else f" ({counted(row['games'], 'game')})"


def reach(row: Mapping[str, Any]) -> str:
    """Return between which lengths most games lie, eight of ten or all of few; nothing where all are as long."""
    low, high = (f"{row[each]:.0f}" for each in ("p10", "p90"))
    return f"{low} to {high}" if low != high else ""


def most_lengths(finished: Rows) -> str:
    """Say between which lengths most games of one part of them lie, for each number of players; nothing of no game."""
    players = sorted({row["players"] for row in finished})
    rows = sorted(finished, key=lambda row: (row["players"], SAID_MEASURES.index(row["measure"])))
    said = [
        f"{reach(row)} {row['measure']}" + f" with {row['players']} players" * (len(players) > 1) + _of_few(row)
        for row in rows
        if reach(row)
    ]
    whose = "Most games: " if any(row["games"] >= MIN_TENTHS for row in rows) else ""
    return sentence(f"{whose}{', '.join(said)}") if said else ""


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
