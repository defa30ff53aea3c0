"""What became of every rule in a game of Higher or of Whist: a referee that knows the rules from the rulebook alone.

A rule is at stake at every line that it is about. What is said of it counts first hand only: while nothing wrong stands
on the table. A line is wrong if it breaks a rule; a take-back takes it from the table again.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.recounted.games import NUMBERS, Game, Line, taker

TURN, HAND, ONE = "higher.turn.alternate", "higher.card.from-hand", "higher.card.no-one"
TRICK, END = "higher.trick.higher-card", "higher.end.two-tricks"


@dataclass
class Verdict:
    """What a referee says of a line: rules that were kept and the one broken, and what follows from it."""

    number: int
    player: str
    kept: list[str]
    broken: list[str]
    follow: list[str]
    legal: int | None
    """How many legal decisions the player had, none out of turn; None where luck decided."""
    fair: bool = True
    """Nothing wrong stood on the table before this line."""


@dataclass
class Counts:
    """How often a rule was kept, broken, asked about and taken back, and the games in which it was broken for good."""

    kept: int = 0
    broken: int = 0
    questions: int = 0
    take_backs: int = 0
    follow_ups: int = 0

    @property
    def trouble(self) -> int:
        """The three kinds of trouble together."""
        return self.broken + self.questions + self.take_backs

    @property
    def opportunities(self) -> int:
        """How often the rule was at stake; never less than it gave trouble."""
        return max(self.kept + self.broken, self.trouble)


@dataclass
class Higher:
    """The table of Higher."""

    second: bool
    hands: dict[str, list[str]] = field(default_factory=dict)
    trick: list[str] = field(default_factory=list)
    tricks: Counter[str] = field(default_factory=Counter)
    active: str = "A"
    laid_after: bool = False
    """Something was laid when the game was over: the table has played a turn more."""

    def copy(self) -> "Higher":
        """Return the table as it is now."""
        hands = {player: [*hand] for player, hand in self.hands.items()}
        return Higher(self.second, hands, [*self.trick], Counter(self.tricks), self.active, self.laid_after)

    def take(self, number: int, line: Line) -> Verdict | None:
        """Do what a line says, and judge it."""
        if line["type"] == "cards.drawn":
            self.hands[line["player"]] = [*line["cards"]]
        if line["type"] != "card.played":
            return None
        player, card = line["player"], line["card"]
        if self.winner:
            self.laid_after = True
            return Verdict(number, player, [], ["higher.end.nothing-after"], [], 0)
        value = NUMBERS[card.split(":")[1]]
        legal = [each for each in self.hands[player] if not (self.second and each.endswith(":one"))]
        found = Verdict(number, player, [], [], [], len(legal) if player == self.active else 0)
        # Who is not on turn breaks that rule, and nothing else is asked.
        tests = {TURN: player == self.active, HAND: card in self.hands[player]}
        if self.second:
            tests[ONE] = value != 1
        for rule, holds in ({TURN: False} if player != self.active else tests).items():
            (found.kept if holds else found.broken).append(rule)
        self.hands[player] = [each for each in self.hands[player] if each != card]
        self.trick.append(card)
        self.active = "B" if player == "A" else "A"
        if len(self.trick) == 2:
            found.follow = [*self._follow()]
        return found

    @property
    def winner(self) -> str:
        """Who has taken two tricks; empty where nobody has."""
        return next((player for player, tricks in self.tricks.items() if tricks == 2), "")

    @property
    def turns(self) -> int:
        """How many turns there were in which somebody did something."""
        return self.tricks.total() + bool(self.trick or self.laid_after or not self.tricks)

    def _follow(self) -> Iterator[str]:
        (first, one), (second, two) = (each.split(":") for each in self.trick)
        ahead = NUMBERS[one] - NUMBERS[two] or (-1 if self.second else 1)
        self.active = first if ahead > 0 else second
        self.trick = []
        self.tricks[self.active] += 1
        yield TRICK
        if self.winner:
            yield END


DEAL, FROM_DECK = "whist.deal", "tabletop.draw.from-the-deck"
CARD, FOLLOW, ORDER = "whist.lay.card", "whist.lay.follow", "whist.turn"


@dataclass
class Whist:
    """The table of Whist."""

    hands: dict[str, list[str]] = field(default_factory=dict)
    trick: dict[str, str] = field(default_factory=dict)
    active: str = ""

    def copy(self) -> "Whist":
        """Return the table as it is now."""
        return Whist({player: [*hand] for player, hand in self.hands.items()}, dict(self.trick), self.active)

    def take(self, number: int, line: Line) -> Verdict | None:
        """Do what a line says, and judge it."""
        player = line.get("player", "")
        if line["type"] == "cards.drawn":
            self.hands[player] = [*line["cards"]]
            return Verdict(number, player, [DEAL, FROM_DECK], [], [], None)
        if line["type"] == "first-player.chosen":
            self.active = player
        if line["type"] != "move.lay":
            return None
        led = next(iter(self.trick.values()), line["card"]).split("-")[0]
        held = self.hands[player]
        fits = [card for card in held if card.split("-")[0] == led] if self.trick else []
        found = Verdict(number, player, [CARD, ORDER], [], [], len(fits or held))
        (found.broken if fits and line["card"] not in fits else found.kept).append(FOLLOW)
        held.remove(line["card"])
        self.trick[player] = line["card"]
        self.active = "ABCDA"["ABCD".index(player) + 1]
        if len(self.trick) == 4:
            self.active, self.trick = taker(self.trick), {}
            found.follow = ["whist.when.trick"]
            if not any(self.hands.values()):
                found.follow += ["whist.when.hand", "whist.end.hand"]
        return found


def verdicts(game: Game) -> Iterator[Verdict]:
    """Yield what a referee says of every line of a game, also of those that the table took back."""
    yield from (found for found, _ in refereed(game) if found is not None)


def refereed(game: Game) -> Iterator[tuple[Verdict | None, Higher | Whist]]:
    """Yield what a referee says of every line of a game, none where it is about no rule, and the table behind it."""
    table: Higher | Whist = Whist() if game[0]["game"] == "whist" else Higher(game[0]["edition"] == "second")
    tables, wrong = [table.copy()], set[int]()
    for number, line in enumerate(game, 1):
        found = None
        if line["type"] == "play.taken-back":
            table = tables[line["to"]].copy()
            wrong = {each for each in wrong if each <= line["to"]}
        elif (found := table.take(number, line)) is not None:
            found.fair = not wrong
            if found.broken:
                wrong.add(number)
        tables.append(table.copy())
        yield found, table


def counted(game: Game) -> dict[str, Counts]:
    """Return what became of the rules of a game."""
    found: dict[str, Counts] = {}
    for each in verdicts(game):
        if each.fair:
            follow = [] if each.broken else each.follow
            for rule in (*each.kept, *follow):
                found.setdefault(rule, Counts()).kept += 1
        for rule in each.broken:
            of_rule = found.setdefault(rule, Counts())
            if each.fair:
                of_rule.broken += 1
            else:
                of_rule.follow_ups += 1
    for line in game:
        if "rule" in line:
            kind = "questions" if line["type"] == "question.raised" else "take_backs"
            of_rule = found.setdefault(line["rule"], Counts())
            setattr(of_rule, kind, getattr(of_rule, kind) + 1)
    return found
