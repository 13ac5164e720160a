"""Files as bytes: offsets of their parts, and edits that leave all other bytes as they are.

In go documents. Out come events, trees, objects, members and edits; hostile input is refused.
Read xml and html (pages) first, then zip; then pdf_objects, xmp (metadata) and pdf.
"""
