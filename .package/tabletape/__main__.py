"""`python -m tabletape` is the command `tabletape`, wherever the installer's script is not found."""

from tabletape_start import run

if __name__ == "__main__":
    run()
