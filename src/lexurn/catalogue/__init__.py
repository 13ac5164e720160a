"""The catalogue room: names and their graphs kept, queried, checked and resolved (RFC 9676 10)."""
