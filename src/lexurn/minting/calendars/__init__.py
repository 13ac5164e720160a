"""Calendars other than the Gregorian one: dates in words to day numbers, and back.

In goes the text of a local date, or a date in ISO 8601; out comes the other.
Read hebrew, hijri, japanese; then calendar, which chooses among them.
"""
