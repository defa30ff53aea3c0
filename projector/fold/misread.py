"""A line that the table may have done otherwise than the log has it."""

from typing import Literal, NamedTuple

from tabletape.events.vocabulary import Event

How = Literal[
    "wrong",
    "misnamed",
    "late",
    "inserted",
    "early",
    "open",
    "behind",
    "instead",
    "either",
    "again",
    "unsaid",
    "part",
    "phase",
    "too soon",
    "word",
    "second",
    "lost",
    "unheld",
    "unparted",
]
"""How a line was written down wrongly.

* `wrong`: what it says is not so: the table had what the rules say.
* `misnamed`: it ends a turn, or seems to, and it was no end of a turn, or the turn of another player that ended.
* `late`: the turn had ended before it, and the line that says so is missing.
* `inserted`: the same, with that line put in, so that nothing is missing.
* `early`: it ends a turn by the rules, and that turn went on.
* `open`: the same, or the next turn has ended with no line of its own; the log cannot tell.
* `behind`: it is right for an earlier place, and written behind decisions; the table has not come to what it says now.
* `instead`: it is wrong for what is due, though it would be right for an earlier place.
* `either`: it is right for an earlier place, or something is wrong where it stands; the log cannot tell.
* `again`: it only says once more what one of the last lines says, as where two keepers write one log.
* `unsaid`: a decision stands before it that nobody has written down.
* `part`: it is a draw of which the draws directly behind it say the rest.
* `phase`: it says that a phase has begun which has not.
* `too soon`: it is the first one of a turn that comes before that of another player.
* `word`: it names another place or player than the table has gone on with.
* `second`: it is what the second of two keepers wrote of a line, where both have written the whole game into one log.
* `lost`: it could not be read, and is taken for one of a few things that it may have said.
* `unheld`: it uses a card that is in the hand only if a line has said so that could not be read.
* `unparted`: it could not be read, and may be why the logs of two keepers are not told apart.
"""


class Meant(NamedTuple):
    """A line as it was meant, and the rule that another line breaks (`because`, a number) where it is not read so.

    `others` are the numbers of lines that may have a wrong word in its place, `illegal` those of the plays that are
    against the rules where none has, each with the rule. Where it `is_open` which of them is wrong, the line is taken
    as it stands; where `because` `is_alone`, no other line contradicts it.
    """

    line: Event
    rule: str
    because: int
    others: tuple[int, ...] = ()
    illegal: tuple[tuple[int, str], ...] = ()
    is_open: bool = False
    is_alone: bool = False


class Misread(NamedTuple):
    """A line, by its number, that was written down wrongly, and how; `meant` where it stands for another one.

    Where it is a second record, `first` is the number of the first one (0: the log stops before that), and `rule` what
    it breaks if it is none; of one that could not be read `way` is the number of what it may have said.
    """

    seq: int
    how: How
    meant: Meant | None = None
    first: int = 0
    rule: str = ""
    way: int = 0


class Doubt(NamedTuple):
    """Why a line may be misread: `line` puts it in doubt; `is_likelier`: that is so where no later line contradicts."""

    line: int
    is_likelier: bool = False
