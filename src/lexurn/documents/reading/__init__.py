"""Readers of pages: the tree of a page, and the statements in its head and its embedded data."""
