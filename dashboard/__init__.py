"""What the log tells: questions as SQL over the datasets, charts, and the pages that show them."""
