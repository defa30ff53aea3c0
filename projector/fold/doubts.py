"""The lines of a game that are read otherwise than they stand, and those that may be."""

from tabletape.projector.fold.misread import Doubt, How, Meant, Misread


class Doubts:
    """What is misread in a fold, and what may be: `open_to_doubt`, for which nobody looks where it is `settled`."""

    def __init__(self, misread: frozenset[Misread], *, settled: bool = False) -> None:
        self.misread = misread
        self.open_to_doubt: dict[Misread, Doubt] = {}
        self.settled = settled

    @property
    def touched(self) -> frozenset[int]:
        """The lines that are misread, and those that are right only because another one is."""
        freed = (seq for each in self.misread if each.meant is not None for seq, _ in each.meant.illegal)
        return frozenset((*(each.seq for each in self.misread), *freed))

    def reads(self, seq: int, how: How) -> bool:
        """Return whether a line is read otherwise in a way."""
        return bool(self.misread) and Misread(seq, how) in self.misread

    def meant(self, seq: int) -> Meant | None:
        """Return the line that is read in place of another one, where a word of it is wrong."""
        return next((each.meant for each in self.misread if each.seq == seq and each.meant is not None), None)

    def way(self, seq: int) -> int:
        """Return as what a line is taken that could not be read: the number of what it may have said, 0 for nothing."""
        return next((each.way for each in self.misread if each.seq == seq and each.how == "lost"), 0)

    def add_ways(self, seq: int, number: int) -> None:
        """Note that a line that could not be read may have said one of so many things."""
        self.open_to_doubt |= {Misread(seq, "lost", way=way): Doubt(seq) for way in range(1, number + 1)}

    def add(self, seq: int, how: How, line: int, *, is_likelier: bool = False) -> None:
        """Note that a line may be read otherwise; `line` puts it in doubt. The last reason that is given counts."""
        self.open_to_doubt[Misread(seq, how)] = Doubt(line, is_likelier)

    def add_first(self, seq: int, how: How, line: int) -> None:
        """Note that a line may be read otherwise, unless a line before has put it in doubt."""
        self.open_to_doubt.setdefault(Misread(seq, how), Doubt(line))
