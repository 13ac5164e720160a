"""Formats of documents: each embeds a name, removes it, and reads what a document states."""
