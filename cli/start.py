"""Where the command begins: from here on, while it is still being loaded, Ctrl-C ends it without a word.

What comes before are Python's own start, the script that the installer wrote, and three small files of ours to find and
read; there Ctrl-C ends in a traceback, and nothing has been opened yet.
"""

import _signal as signal  # type: ignore[import-not-found]  # `signal` is loaded for ten milliseconds

HEARD = signal.getsignal(signal.SIGINT)
if HEARD is signal.default_int_handler:  # A shell that starts it with `&` has it ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run() -> None:
    """Load the command and run it; the entry point of the package."""
    from tabletape.cli.main import run as run_command  # noqa: PLC0415 - loading it is what may be interrupted
    from tabletape.cli.terminal.output import INTERRUPTED_CODE  # noqa: PLC0415

    signal.signal(signal.SIGINT, HEARD)
    try:
        run_command()
    except KeyboardInterrupt:  # Before any verb has begun; a verb says itself what has become of its work.
        raise SystemExit(INTERRUPTED_CODE) from None
