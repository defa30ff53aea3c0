"""A history of requests and answers against the log that it left: what was acknowledged is there, once and in order.

A request has three outcomes: it was acknowledged, it was refused, or nobody knows (its server was killed or paused). A
game is then one register that grows at its end, and each answer says how far it reached.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

ACKNOWLEDGED = "acknowledged"
REFUSED = "refused"
UNKNOWN = "unknown"
NOTE, TAKEN_BACK = "note.added", "play.taken-back"


class Request(NamedTuple):
    """A request to a game and its answer: when it was sent and answered, and what the page then showed.

    `type` is that of the line to be written behind line `expected`, empty for a request that only reads. `seq` and
    `stamp` say how far the game reached in the answer, `shown` are the last of its lines, in words.
    """

    game: str
    type: str
    text: str
    expected: int
    sent: float
    answered: float
    outcome: str
    seq: int = 0
    stamp: str = ""
    shown: tuple[tuple[int, str], ...] = ()


class Line(NamedTuple):
    """A line of the log: its number, its type, the text of a note, its hash."""

    seq: int
    type: str
    text: str
    hash: str


def wrong_with(history: Sequence[Request], log: Mapping[str, Sequence[Line]]) -> list[str]:
    """Return what of a history does not fit the log that it left."""
    found = []
    for game in sorted({each.game for each in history} | {*log}):
        requests = sorted((each for each in history if each.game == game), key=lambda each: each.sent)
        lines = {each.seq: each for each in log.get(game, ())}
        for check in (_notes, _taken_back, _shown, _order):
            found += [f"{game}: {each}" for each in check(requests, lines)]
    return found


def _notes(requests: Sequence[Request], lines: Mapping[int, Line]) -> Iterator[str]:
    """Yield each note that is lost, doubled, somewhere else, there although it was refused, or from nobody."""
    places = defaultdict(list)
    for line in lines.values():
        if line.type == NOTE:
            places[line.text].append(line.seq)
    notes = [each for each in requests if each.type == NOTE]
    maybe = {each.text for each in notes if each.outcome != REFUSED}
    for text, seqs in places.items():
        if len(seqs) > 1:
            yield f"the note {text} is there twice, as lines {seqs}"
        if text not in maybe:
            yield f"the note {text} is there as line {seqs[0]}, but was refused, or not sent"
    acknowledged = [each for each in notes if each.outcome == ACKNOWLEDGED]
    for text, number in Counter(each.text for each in acknowledged).items():
        if number > 1:
            yield f"the note {text} was acknowledged {number} times"
    for each in acknowledged:
        if each.expected + 1 not in places[each.text]:
            yield f"the note {each.text} was acknowledged as line {each.expected + 1}, but is not there"


def _taken_back(requests: Sequence[Request], lines: Mapping[int, Line]) -> Iterator[str]:
    """Yield each line that takes back which is lost, acknowledged twice, refused, or from nobody."""
    attempts = defaultdict(list)
    for request in requests:
        if request.type == TAKEN_BACK:
            attempts[request.expected + 1].append(request.outcome)
    for seq, outcomes in attempts.items():
        if outcomes.count(ACKNOWLEDGED) > 1:
            yield f"line {seq} was acknowledged twice"
        if ACKNOWLEDGED in outcomes and (seq not in lines or lines[seq].type != TAKEN_BACK):
            yield f"what takes back was acknowledged as line {seq}, but is not there"
    for line in lines.values():
        if line.type == TAKEN_BACK and {*attempts[line.seq]} <= {REFUSED}:
            yield f"line {line.seq} takes back, but was refused or not sent"


def _shown(requests: Sequence[Request], lines: Mapping[int, Line]) -> Iterator[str]:
    """Yield each answer that shows another game than the log has up to there."""
    for request in requests:
        if not request.seq:
            continue
        last = lines.get(request.seq)
        if last is None or last.hash != request.stamp:
            yield f"an answer reached to line {request.seq} ({request.stamp[:8]}), which is not in the log"
        elif [seq for seq, _ in request.shown] != [*range(request.seq + 1 - len(request.shown), request.seq + 1)]:
            yield f"an answer reached to line {request.seq}, but shows {[seq for seq, _ in request.shown]}"
        else:
            wrong = [seq for seq, words in request.shown if seq not in lines or lines[seq].text not in words]
            if wrong:
                yield f"an answer shows other lines than the log has: {wrong}"


def _order(requests: Sequence[Request], lines: Mapping[int, Line]) -> Iterator[str]:
    """Yield each answer that reaches less far than an earlier one, or shows a line before it was sent."""
    sent = {each.text: each.sent for each in reversed(requests) if each.type == NOTE}
    waiting, reached = sorted((each for each in requests if each.seq), key=lambda each: each.answered), 0
    place = 0
    for request in requests:
        while place < len(waiting) and waiting[place].answered < request.sent:
            reached = max(reached, waiting[place].seq)
            place += 1
        if request.seq and request.seq < reached:
            yield f"an answer reaches to line {request.seq}, but an earlier one reached to line {reached}"
        if request.type and request.outcome == ACKNOWLEDGED and request.expected + 1 <= reached:
            yield f"line {request.expected + 1} was acknowledged to two: it was there before it was sent"
        early = [
            seq
            for seq in range(1, request.seq + 1)
            if seq in lines and sent.get(lines[seq].text, request.answered) > request.answered
        ]
        if early:
            yield f"an answer shows the lines {early} before they were sent"
