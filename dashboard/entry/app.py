"""The dashboard: `streamlit run` on this file shows it (`tabletape serve` does so)."""

from dashboard.frame import show

if __name__ == "__main__":
    show()
