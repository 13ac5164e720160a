"""Formats of documents: each embeds a name, removes it, and reads the statements of a document.

In go a document and the metadata of a name. Out come a `Change` or a `Reading`; files stay.
Read html and xml (blocks) first, then legal_xml; then members (of ZIP files), docx, odt and epub;
and pdf.
"""
