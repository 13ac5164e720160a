"""Files as bytes: offsets of their parts, and edits that leave all other bytes as they are.

In: documents; hostile input is refused.
Out: events, trees, objects, members and edits.
Read in this order: xml, html (pages), zip; pdf_objects, xmp (metadata).
"""
