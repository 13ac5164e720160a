"""Files as bytes: offsets of their parts, and edits that leave all other bytes as they are.

In: documents; what is broken, hostile or unreadable is refused by a `DocumentError`.
Out: events, trees, objects, members and edits.
Read in this order: xml, html (pages), zip; pdf_objects, xmp (metadata).
"""
