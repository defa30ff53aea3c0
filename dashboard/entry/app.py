"""The dashboard: `streamlit run` on this file shows it (`tabletape serve` does so)."""

if __name__ == "__main__":
    # A process that plays or builds beside a page reads this file too, and needs none of it.
    from tabletape.dashboard.frame import show

    show()
