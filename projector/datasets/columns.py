"""The columns of every dataset: `DATASETS[name]` is an Arrow schema whose fields say in their metadata what they mean.

Every dataset begins with the same six columns, so that no question needs a join to leave games out; summaries (sums
over many games, see `projector.datasets.summaries`) with five of them.
"""

import hashlib
from typing import Final

import pyarrow as pa

TEXT: Final = pa.string()
WHOLE: Final = pa.int32()
LARGE: Final = pa.int64()
NUMBER: Final = pa.float64()
YES_NO: Final = pa.bool_()
TIME: Final = pa.timestamp("us", tz="UTC")
CLOCK: Final = pa.timestamp("us")
"""A time by the clock of a table, whatever its zone: it says on which day people played."""

Described = tuple[str, pa.DataType, str]

COMMON: Final[tuple[Described, ...]] = (
    ("game", TEXT, "the game's short name: splicers, evolve …"),
    ("game_id", TEXT, "the played match"),
    ("ruleset_id", TEXT, "twelve digits that stand for edition and rulings; eight more for cards of another day"),
    ("ruleset", TEXT, "the same in words: the edition, every ruling that is not the usual one, cards of another day"),
    ("source", TEXT, "who played: people or bots"),
    ("clean", YES_NO, "the whole game has no mistake; none where the log does not tell every action"),
)

COHORT: Final = tuple(each for each in COMMON if each[0] != "game_id")
"""What games are told apart by in sums over many of them."""

_OWN_COLUMNS: Final[dict[str, tuple[Described, ...]]] = {
    "games": (
        ("edition", TEXT, "the edition of the rulebook"),
        ("as_played", YES_NO, "this ruleset is the one that the table played by"),
        ("detail", TEXT, "how much the log says: all actions, partial (lines are missing), results or its beginning"),
        ("started_at", TIME, "when the first event was written down"),
        ("began", CLOCK, "the same by the clock of its table, which says on which day people played"),
        ("minutes", NUMBER, "from the first time that was written down to the last one, also past midnight"),
        ("players", WHOLE, "how many players"),
        ("first_player", TEXT, "id of the player who had the first turn"),
        ("over", YES_NO, "the game came to an end (not where it was abandoned, or nobody can tell who won)"),
        ("winner", TEXT, "id of the only player who won; none where nobody did, or several"),
        ("winners", WHOLE, "how many players won; several where they won together or shared the win"),
        ("cooperative", YES_NO, "all players won or lost together"),
        ("score", NUMBER, "what the whole table has reached, in a game that is played together"),
        ("reason", TEXT, "how the game ended"),
        ("stopped_seq", WHOLE, "the event at which the replay stopped"),
        ("stopped", TEXT, "why it stopped"),
        ("events", WHOLE, "events in the log"),
        ("decisions", WHOLE, "decisions of the players during the turns that were not taken back"),
        ("rounds", WHOLE, "rounds that were begun"),
        ("turns", WHOLE, "turns that were begun"),
        ("first_illegal_seq", WHOLE, "the first illegal event; what comes after it is tainted"),
        ("questions", WHOLE, "questions that the table raised"),
        ("take_backs", WHOLE, "plays that were taken back"),
        ("lead_changes", WHOLE, "how often another player took the sole lead; none where nobody ever led alone"),
        ("last_lead_change", WHOLE, "the turn of the last of these, 0 where there was none"),
        ("half_time_leader", TEXT, "id of the sole leader at the end of the turn at half of the turns, rounded down"),
        (
            "deepest_deficit",
            NUMBER,
            "how far the winner's progress was behind at worst, 0 where never; from a fifth of all last progress on",
        ),
        ("decision_load", YES_NO, "legal decisions were counted (`build --decision-load`)"),
        ("content", TEXT, "sixteen digits that stand for all that the log says but the game's id"),
        ("cards_id", TEXT, "stands for the cards that it was recorded under, where they say something else today"),
    ),
    "seats": (
        ("player", TEXT, "the player's id in this game"),
        ("name", TEXT, "the player's name"),
        ("seat", WHOLE, "place at the table, clockwise from 1; none where only the result is known"),
        ("deck", TEXT, "the deck as the log names it"),
        ("first", YES_NO, "had the first turn"),
        ("over", YES_NO, "the game came to an end"),
        ("won", YES_NO, "won the game, alone or with others"),
        ("decisive", YES_NO, "one player won the game against the others"),
        ("score", NUMBER, "points at the end, as far as they were written down or are counted"),
        ("place", WHOLE, "place at the end, 1 for the best: as written, else by who won and by the points"),
        ("team", TEXT, "the team that the player belongs to, where the log says so"),
        ("hand_known", YES_NO, "every card of the hand was named at every moment"),
        ("progress", NUMBER, "progress (0 to 1) at the end"),
    ),
    "dimensions": (
        ("player", TEXT, "the player's id in this game"),
        ("dimension", TEXT, "by what decks are told apart: faction, splicer, general …"),
        ("value", TEXT, "its value"),
        ("won", YES_NO, "won the game"),
        ("decisive", YES_NO, "somebody won the game"),
    ),
    "variants": (
        ("variant", TEXT, "what a table chooses before a game: the difficulty, how many colours …"),
        ("choice", TEXT, "what this one has chosen"),
        ("usual", YES_NO, "it is what is chosen where nobody says otherwise"),
    ),
    "events": (
        ("seq", WHOLE, "number of the event in its game"),
        ("type", TEXT, "its type: seed.played …"),
        ("class", TEXT, "decision, chance, consequence or remark"),
        ("player", TEXT, "who did it"),
        ("at", TIME, "when, where it was written down"),
        ("round", WHOLE, "the round in which it happened (0: set-up)"),
        ("turn", WHOLE, "the turn in which it happened (0: set-up)"),
        ("phase", TEXT, "the phase in which it happened"),
        ("changes", WHOLE, "how many things it changed on the table"),
        ("taken_back", YES_NO, "the table took it back later"),
        ("tainted", YES_NO, "it comes after the first illegal event"),
        ("fair", YES_NO, "nothing illegal stood on the table when it was done: a mistake that was taken back does not"),
        ("legal", WHOLE, "legal decisions that the player had; only with `build --decision-load`"),
    ),
    "actions": (
        ("round", WHOLE, "the round (0: set-up)"),
        ("player", TEXT, "who did it"),
        ("type", TEXT, "type of the event"),
        ("class", TEXT, "decision, chance, consequence or remark"),
        ("events", WHOLE, "events of this type in this round that were written down"),
        ("in_play", WHOLE, "of these: events of a turn, not of the set-up, that were not taken back"),
        ("unwritten", WHOLE, "further events of this type that follow from others and that nobody wrote down"),
    ),
    "choices": (
        ("round", WHOLE, "the round"),
        ("legal", WHOLE, "legal decisions that a player had, at least one"),
        ("decisions", WHOLE, "how often a player had this many in a turn; only with `build --decision-load`"),
    ),
    "turns": (
        ("turn", WHOLE, "number of the turn, from 1"),
        ("round", WHOLE, "its round"),
        ("player", TEXT, "the player whose numbers these are"),
        ("on_turn", YES_NO, "it was this player's turn"),
        ("own_turn", WHOLE, "how many turns of the player's own there had been"),
        ("progress", NUMBER, "progress (0 to 1) at the turn's end"),
        ("ahead", NUMBER, "own progress minus the best of the others: below 0 is behind, 0 is a tie"),
        ("won", YES_NO, "won the game"),
        ("decisive", YES_NO, "somebody won the game"),
        ("decisions", WHOLE, "decisions that the player took in this turn"),
        ("seconds", NUMBER, "length of the turn, where times were written down"),
        ("waited", NUMBER, "seconds of the others' turns since the own turn before; only for the player on turn"),
    ),
    "totals": (
        ("turn", WHOLE, "number of the turn, from 1"),
        ("player", TEXT, "the player whose turn it was"),
        ("own_turn", WHOLE, "which turn of the player's own, from 1"),
        ("name", TEXT, "which total: hand, dna, crystals …"),
        ("value", WHOLE, "what this player had of it at the turn's end"),
    ),
    "cards": (
        ("player", TEXT, "whose card"),
        ("card", TEXT, "id of the card"),
        ("card_name", TEXT, "its printed name"),
        ("kind", TEXT, "its printed kind"),
        ("won", YES_NO, "the player won the game"),
        ("decisive", YES_NO, "somebody won the game"),
        ("over", YES_NO, "the game came to an end"),
        ("hand_known", YES_NO, "every card of the player's hand was named at every moment"),
        ("copies", WHOLE, "copies in the deck; none where the deck was not written down"),
        ("appeared", WHOLE, "copies that were anywhere but in the deck"),
        ("opening", WHOLE, "copies in the opening hand"),
        ("mulliganed", WHOLE, "copies that went from the hand to the deck or the discard pile during the set-up"),
        ("drawn", WHOLE, "times that a copy came from the deck to the hand later"),
        ("seen", WHOLE, "copies that were in the hand at least once, in the hand with which play began or later"),
        ("played", WHOLE, "times that a copy was played from the hand"),
        ("discarded", WHOLE, "times that a copy was discarded from the hand without being played"),
        ("put_back", WHOLE, "times that a copy went from the hand back to the deck"),
        ("left_in_hand", WHOLE, "copies in the hand at the end"),
        ("dead", WHOLE, "copies that were discarded or left in the hand at the end, and never played"),
        ("dead_discarded", WHOLE, "of these: copies that were discarded (and could have been played)"),
        ("playable", WHOLE, "copies that could be played at least once; only with `build --decision-load`"),
        ("dead_unplayable", WHOLE, "dead copies that could never be played; only with `build --decision-load`"),
        ("dead_too_late", WHOLE, "dead copies that came when their player had nothing left to decide; only likewise"),
        ("blocked_by", TEXT, "the rule that most often stood against them"),
        ("first_turn", WHOLE, "first turn with a copy in the hand (0: opening hand)"),
        ("turns_in_hand", WHOLE, "turns of the table that copies spent in the hand, together"),
        ("stays", WHOLE, "times that a copy came to the hand"),
        ("first_played", WHOLE, "the player's own turn in which a copy was first played, from 1"),
    ),
    "findings": (
        ("seq", WHOLE, "the event"),
        ("turn", WHOLE, "its turn"),
        ("type", TEXT, "its type"),
        ("player", TEXT, "whose event"),
        ("rule", TEXT, "the rule"),
        ("kind", TEXT, "illegal, missing, mismatch, drift, unverifiable or info"),
        ("message", TEXT, "what is wrong"),
        ("expected", TEXT, "what was expected"),
        ("section", TEXT, "where the rulebook says so"),
        ("lines", TEXT, "its lines"),
        ("because", TEXT, "the derived rule that a mismatch contradicts"),
        ("tainted", YES_NO, "it comes after the first illegal event"),
        ("follows", WHOLE, "the event whose finding it follows from; empty for a finding of its own"),
        ("first_hand", YES_NO, "nothing illegal stood on the table before, and it follows from no other finding"),
    ),
    "opportunities": (
        ("rule", TEXT, "the rule"),
        ("kept", WHOLE, "times that it applied and was kept, while nothing illegal stood on the table"),
        ("broken", WHOLE, "decisions that broke it first hand"),
        ("unverifiable", WHOLE, "times that the log cannot tell, while nothing illegal stood on the table"),
        ("questions", WHOLE, "questions that name it"),
        ("take_backs", WHOLE, "take-backs that name it"),
        ("kept_later", WHOLE, "times that it was kept after something illegal"),
        ("follow_ups", WHOLE, "further findings about it: of the same decisions, or after something illegal"),
    ),
    "feedback": (
        ("player", TEXT, "id of the player who said it; none where nobody knows who did"),
        ("fun", WHOLE, "how much fun it was, from 1 to 5"),
        ("fair", WHOLE, "how fair it was, from 1 to 5"),
        ("length", TEXT, "too short, right or too long"),
        ("again", YES_NO, "would play again"),
    ),
    "answers": (
        ("player", TEXT, "id of the player who answered; none where nobody knows who did"),
        ("question", TEXT, "id of the designer's own question, as in feedback.toml"),
        ("answer", TEXT, "the answer as it was written down"),
    ),
    "remarks": (
        ("seq", WHOLE, "number of the remark in its game"),
        ("what", TEXT, "question, note, mistake (a note that a line is against the rules), moment or feedback"),
        ("player", TEXT, "who said it; none where the log does not say"),
        ("felt", TEXT, "of a moment: good, bad, confused or surprised"),
        ("on", WHOLE, "number of the event that it is about; none for the whole game"),
        ("turn", WHOLE, "the turn of that event (0: set-up)"),
        ("type", TEXT, "type of that event"),
        ("card", TEXT, "id of the card in that event"),
        ("rule", TEXT, "the rule that it names"),
        ("broken", TEXT, "the rule that the audit found broken by that event"),
        ("text", TEXT, "the words"),
    ),
}

_SQUARES: Final[tuple[Described, ...]] = (
    ("n", LARGE, "how many things there were"),
    ("h", LARGE, "hits: how many of them count"),
    ("hh", LARGE, "sum over the games of the square of a game's hits"),
    ("hn", LARGE, "sum over the games of a game's hits times its things"),
    ("nn", LARGE, "sum over the games of the square of a game's things"),
)
"""What a share of things that come together in games needs (see `dashboard.statistics.clusters`)."""

_SUMMARY_COLUMNS: Final[dict[str, tuple[Described, ...]]] = {
    "card_sums": (
        ("players", LARGE, "how many players the games had"),
        ("card", TEXT, "id of the card"),
        ("card_name", TEXT, "its printed name"),
        ("kind", TEXT, "its printed kind"),
        ("measure", TEXT, "what is counted: seen, opening, drawn, in hand, unseen, played, dead, kept, mulliganed …"),
        ("deck", TEXT, "the deck as the log names it; only for kept and mulliganed"),
        ("own_turn", WHOLE, "the player's own turn, 4 for all later ones; only for first played"),
        ("games", LARGE, "games that had one of the things"),
        *_SQUARES,
    ),
    "card_values": (
        ("card", TEXT, "id of the card"),
        ("card_name", TEXT, "its printed name"),
        ("measure", TEXT, "turns in hand (the mean over the copies) or first played (the player's own turn)"),
        ("value", NUMBER, "its value"),
        ("sides", LARGE, "how many players in how many games had this value"),
    ),
    "action_sums": (
        ("players", LARGE, "how many players the games had"),
        ("round", WHOLE, "the round (0: set-up)"),
        ("type", TEXT, "type of the event; empty for all types of the round together"),
        ("games", LARGE, "games that had such a decision in this round"),
        ("h", LARGE, "decisions of this type in turns that were not taken back"),
        ("hh", LARGE, "sum over the games of the square of a game's such decisions"),
        ("hn", LARGE, "sum over the games of such decisions times all decisions of the round"),
    ),
    "decision_sums": (
        ("phase", TEXT, "the phase of the turn"),
        ("type", TEXT, "type of the decision"),
        ("decisions", LARGE, "how many were taken during turns and not taken back"),
    ),
    "total_values": (
        ("players", LARGE, "how many players the games had"),
        ("name", TEXT, "which total: hand, dna, crystals …"),
        ("own_turn", WHOLE, "which turn of the player's own, from 1"),
        ("value", WHOLE, "what a player had of it at the turn's end"),
        ("sides", LARGE, "how many players in how many games had this much"),
    ),
    "rule_sums": (
        ("rule", TEXT, "the rule"),
        ("games", LARGE, "games whose log can show it"),
        ("games_first_hand", LARGE, "games in which it was kept or broken first hand"),
        ("games_broken", LARGE, "of these: games in which it was broken more often than taken back"),
        ("kept", LARGE, "times that it was kept (see `opportunities`, also for what follows)"),
        ("broken", LARGE, "decisions that broke it first hand"),
        ("unverifiable", LARGE, "times that the log cannot tell"),
        ("questions", LARGE, "questions that name it"),
        ("take_backs", LARGE, "take-backs that name it"),
        ("kept_later", LARGE, "times that it was kept after something illegal"),
        ("follow_ups", LARGE, "further findings about it"),
        *_SQUARES,
    ),
}


def _schema(columns: tuple[Described, ...]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, metadata={"doc": doc}) for name, kind, doc in columns])


CATALOGUE: Final = _schema(
    (
        COMMON[0],
        ("what", TEXT, "card, keyword, rule, event or ending"),
        ("name", TEXT, "its id"),
        ("title", TEXT, "its name or sentence"),
        ("detail", TEXT, "kind of the card, a card with the keyword, how the rule is checked, class of the event"),
    )
)
"""What the games have, whether it was played or not."""

DATASETS: Final[dict[str, pa.Schema]] = {
    **{name: _schema(COMMON + own) for name, own in _OWN_COLUMNS.items()},
    **{name: _schema(COHORT + own) for name, own in _SUMMARY_COLUMNS.items()},
    "catalogue": CATALOGUE,
}
"""The schema of every dataset by its name."""

OWN_SCHEMAS: Final[dict[str, pa.Schema]] = {name: _schema(own) for name, own in _OWN_COLUMNS.items()}
"""The same without the columns that all of them share: what a game's rows are written in."""

SUMMARIES: Final = tuple(_SUMMARY_COLUMNS)
"""The datasets whose rows are sums over games."""

FORM: Final = 2
"""The form of the files: from 2 on the manifest proves them, and itself."""

_COLUMNS: Final = "\n".join(f"{name} {schema}" for name, schema in DATASETS.items())

SCHEMA: Final = hashlib.sha256(f"{FORM}\n{_COLUMNS}".encode()).hexdigest()[:12]
"""Stands for all columns and the form of the files: those of another schema are built anew."""
