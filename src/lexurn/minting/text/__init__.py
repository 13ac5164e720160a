"""Words of given texts, as names have them.

In goes a text of any field with the words of its language; out comes `Written`.
Read cleaning, words, letters, ordinals, abbreviations, phrases.
"""
