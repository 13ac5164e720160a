"""Findings about what documents say of themselves: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._code import ERROR, NOTE, WARNING, Code

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {
    "LX319": Code(
        WARNING,
        "text has no control characters",
        "{character} in {term} is no character of a text, and is left out here; take it out of the "
        "document",
    ),
    "LX370": Code(
        WARNING,
        "limits of lexurn",
        "the page {what}, and the rest of it is not read; check that all metadata stands in its "
        "head, and none of other documents",
    ),
    "LX371": Code(
        WARNING,
        "one row, one name",
        '{first} has the name {name} as well, and says "{one}" for {column}, which is what the row '
        'has, where this document says "{two}"; look which is right, and mend the other',
    ),
    "LX372": Code(
        ERROR, "JSON-LD 1.1 §7", "this is no JSON-LD ({why}), so that nobody can read it; mend it"
    ),
    "LX373": Code(
        WARNING,
        "JSON-LD 1.1 §3.1",
        'a block of JSON-LD without "@context" says nothing; it is read here as if it began with '
        '"@context": "https://schema.org", so write that',
    ),
    "LX374": Code(
        WARNING,
        "JSON-LD 1.1 §3.1",
        "the context {what} is not fetched, and what it defines is not read; write the context "
        "itself into the page, or use that of schema.org",
    ),
    "LX375": Code(
        WARNING,
        "RDFa 1.1 §5, DC-HTML §3",
        'the prefix "{prefix}" is declared nowhere, so that {what} means nothing; declare it',
    ),
    "LX376": Code(
        WARNING,
        "schema.org LegalForceStatus",
        "{what} is no value of legislationLegalForce; its values are InForce, NotInForce and "
        "PartiallyInForce",
    ),
    "LX377": Code(
        WARNING,
        "RFC 6838",
        "{what} is not a media type that there is; write the registered one",
    ),
    "LX378": Code(
        WARNING,
        "RFC 5646 (BCP 47)",
        '"{what}" is no language tag{why}; write one, as "en" or "de-CH"',
    ),
    "LX379": Code(
        WARNING,
        "RFC 9676 §5.2",
        "{term} takes a name of {wanted}, but this is the name of {found}; write the name of "
        "{wanted}",
    ),
    "LX380": Code(
        WARNING,
        "RFC 9676 §5.5",
        "the document gives two names that are not said to be the same, {one} and {other}; take "
        "out the one that it has not, or say that the other is its alias{topic}",
    ),
    "LX381": Code(
        WARNING,
        "RFC 9676 §7.1.1",
        "the chain of versions is broken: {why}; link the versions in the order of their dates",
    ),
    "LX382": Code(
        WARNING,
        "RFC 6596",
        "the canonical link {what} is no absolute HTTP URL; write one",
    ),
    "LX383": Code(
        WARNING,
        "ELI ontology 1.5",
        "ELI has no term {what}; look up what it is called in the ELI ontology",
    ),
    "LX384": Code(
        WARNING,
        "ISO 8601",
        "{what} is not a date; write it as 2005-01-31",
    ),
    "LX385": Code(
        NOTE,
        "RFC 9676 §2.1",
        "this is {what}; by RFC 9676 it is {name}",
    ),
    "LX386": Code(
        WARNING,
        "RFC 9676 §5.7",
        "the name says that the file is {said}, but it is {format}; write the name of this file",
    ),
    "LX387": Code(
        ERROR,
        "RFC 9676 §1.4",
        "what lexurn wrote into the document says {one}, but the document itself says {other}; "
        "embed the right name again, or mend what the document says",
    ),
    "LX388": Code(
        ERROR,
        "RFC 9676 §1.4",
        "this is {what}, of which lexurn reads nothing; name a web page, an XML file of a law, a "
        "PDF or a text document",
    ),
    "LX389": Code(
        WARNING,
        "JSON-LD 1.1 §7, RDF 1.1 §3",
        "{what} is no IRI, so that what reads RDF leaves out whatever is said with it; write a "
        "whole one",
    ),
}
