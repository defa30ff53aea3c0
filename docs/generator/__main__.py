"""Write the reference pages: the commands, the events, the metrics, the datasets, and the rules of every game.

    python -m docs.generator

They are made from the code itself, so they say what it does; pages written by hand are left alone.
"""

from docs.generator import DOCS, pages, write_pages
from tabletape.projector.model.amounts import counted

written = write_pages(DOCS, pages())
for each in written:
    print(each)  # noqa: T201 - a script says what it has done
print(f"{counted(len(written), 'page')} written, the others are up to date")  # noqa: T201 - the same
