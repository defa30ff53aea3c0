"""The scribe's page: a small application of its own, beside the dashboard's pages or alone on the local network."""
