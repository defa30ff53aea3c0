"""The switch of a page that leaves names out of what is handed on from it."""

from collections.abc import Mapping

import pyarrow as pa
import streamlit as st

from tabletape.dashboard.site import Site
from tabletape.dashboard.spreadsheet import csv_of
from tabletape.dashboard.workspace import log_address
from tabletape.events.log import Log
from tabletape.projector.archive.pseudonyms import pseudonyms, renamed_in


def names_left_out(site: Site, key: str) -> Mapping[str, str]:
    """Ask whether names are left out; return the pseudonyms of all who are in the log, or none where they stay.

    Datasets that were opened without their log know nobody's pseudonym: there nothing is asked.
    """
    words = "Player 1, Player 2 … for the names in what is handed on."
    if not site.has_log or not st.toggle("Without names", key=key, help=words):
        return {}
    with Log.open(log_address()) as log:
        return pseudonyms(log.games())


def csv_without(table: pa.Table, names: Mapping[str, str]) -> str:
    """Return an answer as CSV with pseudonyms for names, in whatever column they are."""
    return csv_of(pa.Table.from_pylist(renamed_in(table.to_pylist(), names), table.schema) if names else table)
