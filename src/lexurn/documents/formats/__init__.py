"""Formats of documents: each embeds a name, removes it, and reads the statements of a document.

In: a document and the metadata of a name.
Out: a `Change` or a `Reading`, or a `DocumentError`; no file is written.
Read in this order: html, xml (blocks), legal_xml; members (of ZIP files), office, epub; pdf.
"""
