"""Containers of documents: bytes of XML, HTML, ZIP, PDF and XMP, read by places and edited."""
