"""What the log shows: questions as SQL over the datasets, charts, and the pages with them."""
