"""Names in words: the reverse of minting, one consistent style per language and jurisdiction."""
