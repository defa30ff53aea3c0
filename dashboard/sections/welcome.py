"""What a page says while there is nothing to count yet."""

import streamlit as st

from tabletape.dashboard.sections.starting_points import starting_points
from tabletape.dashboard.site import Site
from tabletape.dashboard.workspace import log_address
from tabletape.projector.games import games, title_of


def welcome(site: Site) -> None:
    """Say what Tabletape does and how to begin."""
    st.title("Nothing has been recorded yet", anchor=False)
    st.text(
        "Tabletape takes the logs of your playtests, plays every game again step by step, holds each step against the "
        "rulebook, and counts what the games tell."
    )
    st.page_link(site.pages["import"], label="**Import logs**: drop files into the page", icon=":material/upload_file:")
    starting_points(site)
    st.caption(f"Games that Tabletape knows: {', '.join(title_of(slug) for slug in games())}.")
    st.text(f"The log of this page: {log_address()}")
