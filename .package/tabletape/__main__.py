"""`python -m tabletape` is the command `tabletape`, wherever the installer's script is not found."""

from tabletape.cli.start import run

if __name__ == "__main__":
    run()
