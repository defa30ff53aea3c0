"""Where the command begins: while it is still being loaded, Ctrl-C ends it without a word."""

import _signal as signal  # type: ignore[import-not-found]  # `signal` is loaded for ten milliseconds


def run() -> None:
    """Load the command and run it; the entry point of the package."""
    heard = signal.getsignal(signal.SIGINT)
    if heard is signal.default_int_handler:  # A shell that starts it with `&` has it ignore Ctrl-C.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from tabletape.cli.main import run as run_command  # noqa: PLC0415 - loading it is what may be interrupted
    from tabletape.cli.terminal.output import INTERRUPTED  # noqa: PLC0415

    signal.signal(signal.SIGINT, heard)
    try:
        run_command()
    except KeyboardInterrupt:  # Before any verb has begun; a verb says itself what has become of its work.
        raise SystemExit(INTERRUPTED) from None
