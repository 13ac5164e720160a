"""Names in the older dialects, LexML Brasil and Italian NIR, to RFC 9676 and back."""
