"""The IRIs of what XML formats say of a document, made of their own names.

No vocabulary names them, so each is the namespace of the format with ``#`` (where it does not end
in a slash), and behind it where the value stands:

===============================================  ==============================================
Akoma Ntoso, ``FRBRWork/FRBRuri``                ``AKOMA_NTOSO`` + ``FRBRWork.FRBRuri``
the same with a ``name`` (aliases, dates)        ``AKOMA_NTOSO`` + ``FRBRWork.FRBRalias.urn:lex``
LexML, ``Identificacao``, attribute ``URN``      ``LEXML`` + ``Identificacao.URN``
NIR, ``descrittori/urn``                         ``NIR`` + ``urn``
NIR, ``descrittori/pubblicazione``, ``norm``     ``NIR`` + ``pubblicazione.norm``
===============================================  ==============================================

A document of another release of a format says the same by the same IRI. In NIR, the attributes
``valore`` and ``value`` and the text of an element are the same: its value.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

__all__ = ["AKOMA_NTOSO", "LEXML", "NIR", "is_akoma_ntoso", "is_lexml", "term"]

AKOMA_NTOSO: Final = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0#"
LEXML: Final = "http://www.lexml.gov.br/1.0#"
NIR: Final = "http://www.normeinrete.it/nir/2.2/"

_AKOMA_NTOSO = ("http://docs.oasis-open.org/legaldocml/ns/akn/", "http://www.akomantoso.org/")
_LEXML = "http://www.lexml.gov.br/"


def is_akoma_ntoso(uri: str | None, local: str) -> bool:
    """Whether a root element of a namespace and a name is that of Akoma Ntoso, of any release."""
    return local in {"akomaNtoso", "akomantoso"} and (uri or "").startswith(_AKOMA_NTOSO)


def is_lexml(uri: str | None, local: str) -> bool:
    """Whether a root element of a namespace and a name is that of LexML Brasil, of any release."""
    return local == "LexML" and (uri or "").startswith(_LEXML)


def term(namespace: str, *path: str) -> str:
    """The IRI of what stands at a path; what no IRI may hold is percent-encoded."""
    return namespace + ".".join(quote(each.strip(), safe=":@-_") for each in path)
