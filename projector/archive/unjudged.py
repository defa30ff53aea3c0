"""What an audit did not judge: rules of a game's own file that lines were not held against, and why."""

from collections.abc import Iterator, Sequence

from tabletape.events.rules_file.lines import name_of
from tabletape.events.rules_file.stated import MoveRules
from tabletape.events.vocabulary.open_games import open_games
from tabletape.projector.fold.replay import Replay
from tabletape.projector.fold.traced import Traced
from tabletape.projector.model.amounts import counted


def unjudged(replay: Replay) -> list[str]:
    """Return in sentences which rules of the game's own file lines were not held against; none of any other game."""
    described = open_games().get(replay.game.slug)
    rules = described.rules if described is not None else None
    if rules is None:
        return []
    lines: dict[str, list[int]] = {}
    for seq, event in zip(replay.seqs, replay.events, strict=True):
        lines.setdefault(name_of(event), []).append(seq)
    moves = [move for name, move in rules.moves.items() if name in lines]
    if all(_times(replay, rule) >= len(lines[move.name]) for move in moves for rule in _rules_of(move)):
        return []
    traced = Traced(replay.game, replay.ruleset, replay.library, replay.misread)
    traced.run(replay.events)
    return [said for move in moves for said in _of_move(move, lines[move.name], traced)]


def _rules_of(move: MoveRules) -> list[str]:
    """Return the rules that every line of a move is held against, whatever the rulings."""
    return [each.id for each in (*(field.rule for field in move.fields), *move.needs) if each.ruling is None]


def _times(replay: Replay, rule: str) -> int:
    """Return how often a rule was looked at, as far as it was kept, broken or left open."""
    number = replay.game.by_id[rule].number
    return replay.kept[number] + sum(each.rule == rule for each in replay.findings)


def _of_move(move: MoveRules, lines: Sequence[int], traced: Traced) -> Iterator[str]:
    """Yield what the lines of a move were not held against, for each reason once."""
    missed: dict[tuple[int, ...], list[str]] = {}
    for rule in _rules_of(move):
        seqs = tuple(seq for seq in lines if rule not in {each.id for each, _ in traced.verdicts.get(seq, ())})
        if seqs and not (len(seqs) < len(lines) and all(_is_wrong(traced, seq) for seq in seqs)):
            missed.setdefault(seqs, []).append(rule)
    for seqs, rules in missed.items():
        from_on = "from event {} on" if lines[lines.index(seqs[0]) :] == [*seqs] and len(seqs) > 1 else "at event {}"
        why = _why(seqs[0], traced)
        which = f"{len(seqs)} of {counted(len(lines), 'line')} `{move.name}`"
        yield f"{from_on.format(seqs[0])} {which} not held against {', '.join(rules)}, because {why}"


def _is_wrong(traced: Traced, seq: int) -> bool:
    """Return whether something is found at a line for sure, which says enough of it."""
    return any(each.seq == seq and each.kind != "unverifiable" for each in traced.findings)


def _why(seq: int, traced: Traced) -> str:
    """Return why a line was held against nothing more."""
    before = [rule for rule, verdict in traced.verdicts.get(seq, ()) if verdict is not None]
    if before:
        return f"{before[0].id} comes first, and is not sure to be kept there"
    return "the game was over" if traced.table.over else "nothing is known of the table there"
