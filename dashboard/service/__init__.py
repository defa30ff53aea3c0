"""The service: games over HTTP for several tables, programs and people at once, each with a token of its own."""
