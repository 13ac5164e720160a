"""Names in words: the reverse of minting, one consistent style per language and jurisdiction.

>>> from lexurn.labels import label
>>> label("urn:lex:it:stato:legge:2003-09-21;456~art3;par2", "it")
'Legge 21 settembre 2003, n. 456, articolo 3, comma 2'
"""

from __future__ import annotations

from lexurn.labels._label import label, label_of
from lexurn.labels._values import LABEL_CODES, LabelFinding, Labelled

__all__ = ["LABEL_CODES", "LabelFinding", "Labelled", "label", "label_of"]
