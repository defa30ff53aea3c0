"""Recordings that begin as others: what is wrong with a beginning is said with its file and line."""

from pathlib import Path

import pytest

from tabletape.events.errors import RefusedError
from tabletape.projector.archive.recordings import recorded_lines


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ('{"begins": "whole", "lines": 3}', "whole has 2 lines"),
        ('{"begins": "whole", "lines": 0}', "whole has 2 lines"),
        ('{"begins": "other", "lines": 1}', "No such file"),
        ('{"begins": "whole"}', "missing required field `lines`"),
        ('{"begins": "whole", "line": 1}', "unknown field `line`"),
    ],
)
def test_a_beginning_that_is_not_there_is_refused(tmp_path: Path, first: str, said: str) -> None:
    """Of a recording that is missing or shorter, or of nothing that can be read, the line that names it is told."""
    (tmp_path / "whole.jsonl").write_text('{"type": "a"}\n\n{"type": "b"}\n', encoding="utf-8")
    part = tmp_path / "part.jsonl"
    part.write_text(f'{first}\n{{"type": "c"}}\n', encoding="utf-8")
    with pytest.raises(RefusedError, match=f"part.jsonl:1: .*{said}"):
        recorded_lines(part)


def test_a_recording_goes_on_behind_what_it_begins_with(tmp_path: Path) -> None:
    """It has as many lines of the other one as it says, and then its own."""
    (tmp_path / "whole.jsonl").write_text('{"type": "a"}\n\n{"type": "b"}\n', encoding="utf-8")
    (tmp_path / "part.jsonl").write_text('{"begins": "whole", "lines": 1}\n{"type": "c"}\n', encoding="utf-8")
    assert recorded_lines(tmp_path / "part.jsonl") == ['{"type": "a"}', '{"type": "c"}']
