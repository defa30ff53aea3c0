"""A question in SQL, answered by a process of its own: whatever DuckDB is doing, it can be ended.

`python -m tabletape.dashboard.questions.query_process FOLDER SECONDS ROWS` reads the SQL from standard input and
writes one byte to standard output: `+` (all rows) or `>` (there are more), followed by the rows as an Arrow stream, or
`!`, followed by what is wrong with the question.
"""

import signal
import subprocess
import sys
from typing import Final

import pyarrow as pa

from tabletape.dashboard.questions.database import QueryRows, QuestionError, run
from tabletape.projector.datasets.manifest import Folder, folder_at, name_of, read_manifest

GRACE: Final = 1.5
"""Seconds that a question may take for ending by itself, when its time is over."""

START: Final = 60.0
"""Seconds that a process may take for starting on a busy computer; they do not count as time of the question."""

ALL, CUT, REFUSED = b"+", b">", b"!"


def ask_sql(sql: str, folder: Folder, *, seconds: float = 30.0, rows: int = 10_000) -> QueryRows:
    """Answer one `SELECT` of the user's own as `database.run` does, within a time that holds whatever is asked.

    Raises `QuestionError` as it does, and where the process had to be ended or ended by itself.
    """
    read_manifest(folder)  # What is wrong with the datasets is said here.
    command = [
        sys.executable,
        "-P",
        "-m",
        "tabletape.dashboard.questions.query_process",
        name_of(folder),
        str(seconds),
        str(rows),
    ]
    longest = START + seconds + GRACE
    too_long = QuestionError(f"this took longer than {seconds:g} seconds and was stopped")
    try:
        ended = subprocess.run(  # noqa: S603 - our own command
            command, input=sql.encode(errors="replace"), capture_output=True, timeout=longest, check=False
        )
    except subprocess.TimeoutExpired:
        raise too_long from None
    if sys.platform != "win32" and ended.returncode == -signal.SIGALRM:
        raise too_long
    kind, output = ended.stdout[:1], ended.stdout[1:]
    if kind == REFUSED:
        raise QuestionError(output.decode())
    if ended.returncode or kind not in {ALL, CUT}:
        raise QuestionError("DuckDB broke off at this question; it may need more memory than there is")
    return QueryRows(pa.ipc.open_stream(output).read_all(), kind == CUT)


def main() -> None:
    """Answer the question on standard input."""
    folder, seconds, rows = sys.argv[1:]
    out = sys.stdout.buffer
    # The operating system ends a process that hears nothing else; from here on, because starting may take a while.
    if sys.platform != "win32":  # There the process that asks ends it.
        signal.setitimer(signal.ITIMER_REAL, float(seconds) + GRACE)
    try:
        answer = run(sys.stdin.buffer.read().decode(), folder_at(folder), seconds=float(seconds), rows=int(rows))
    except QuestionError as error:
        out.write(REFUSED + str(error).encode(errors="replace"))
        return
    out.write(CUT if answer.cut else ALL)
    with pa.ipc.new_stream(out, answer.table.schema) as stream:
        stream.write_table(answer.table)


if __name__ == "__main__":
    main()
