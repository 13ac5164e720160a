"""Readers of pages: the tree of a page, and the statements in its head and its embedded data.

In: a page in HTML or XHTML, as bytes.
Out: statements: subject, term and value, each with its line; or a `DocumentError`.
Read in this order: page, rdfa, html.
"""
