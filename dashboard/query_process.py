"""A question in SQL, answered by a process of its own: whatever DuckDB is doing, it can be ended.

`python -m dashboard.query_process FOLDER SECONDS ROWS` reads the SQL from standard input and writes one byte to
standard output: `+` (all rows) or `>` (there are more), followed by the rows as an Arrow stream, or `!`,
followed by what is wrong with the question.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pyarrow as pa

from dashboard.database import Answer, QuestionError, run
from projector.datasets.manifest import read_manifest

GRACE: Final = 2.0
"""Seconds that a process may take for starting, and for ending by itself."""

ALL, CUT, REFUSED = b"+", b">", b"!"


def ask(sql: str, folder: Path, *, seconds: float, rows: int) -> Answer:
    """Answer one `SELECT` as `dashboard.database.run` does, within a time that holds whatever is asked.

    Raises `QuestionError` as it does, and where the process had to be ended or ended by itself.
    """
    read_manifest(folder)  # What is wrong with the datasets is said here.
    command = [sys.executable, "-P", "-m", "dashboard.query_process", str(folder), str(seconds), str(rows)]
    try:
        ended = subprocess.run(  # noqa: S603 - our own command
            command, input=sql.encode(errors="replace"), capture_output=True, timeout=seconds + GRACE, check=False
        )
    except subprocess.TimeoutExpired:
        raise QuestionError(f"this took longer than {seconds:g} seconds and was stopped") from None
    kind, said = ended.stdout[:1], ended.stdout[1:]
    if kind == REFUSED:
        raise QuestionError(said.decode())
    if ended.returncode or kind not in {ALL, CUT}:
        raise QuestionError("DuckDB broke off at this question; it may need more memory than there is")
    return Answer(pa.ipc.open_stream(said).read_all(), kind == CUT)


def main() -> None:
    """Answer the question on standard input."""
    folder, seconds, rows = sys.argv[1:]
    out = sys.stdout.buffer
    try:
        answer = run(sys.stdin.buffer.read().decode(), Path(folder), seconds=float(seconds), rows=int(rows))
    except QuestionError as error:
        out.write(REFUSED + str(error).encode(errors="replace"))
        return
    out.write(CUT if answer.cut else ALL)
    with pa.ipc.new_stream(out, answer.table.schema) as stream:
        stream.write_table(answer.table)


if __name__ == "__main__":
    main()
