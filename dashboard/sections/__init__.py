"""Sections of pages: what several pages show, or one page at length."""
