"""The terms of the ELI ontology 1.5 (http://data.europa.eu/eli/ontology#)."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Final

__all__ = ["IN_FORCE", "TERMS", "meant_term"]

IN_FORCE: Final = ("InForce-inForce", "InForce-notInForce", "InForce-partiallyInForce")
"""The values of ``eli:in_force``."""

TERMS: Final = frozenset(
    [
        "AdministrativeArea",
        "AdministrativeAreaTable",
        "Agent",
        "ComplexWork",
        "Expression",
        "Format",
        "FormatType",
        "FormatTypeTable",
        "InForce",
        "InForce-inForce",
        "InForce-notInForce",
        "InForce-partiallyInForce",
        "InForceTable",
        "Language",
        "LegalExpression",
        "LegalResource",
        "LegalResourceSubdivision",
        "LegalValue",
        "LegalValue-authoritative",
        "LegalValue-definitive",
        "LegalValue-official",
        "LegalValue-unofficial",
        "LegalValueTable",
        "Manifestation",
        "Organization",
        "Person",
        "ResourceType",
        "ResourceTypeTable",
        "SubdivisionType",
        "SubdivisionTypeTable",
        "Version",
        "VersionTable",
        "Work",
        "WorkSubdivision",
        "WorkType",
        "WorkTypeTable",
        "amended_by",
        "amends",
        "applied_by",
        "applies",
        "based_on",
        "basis_for",
        "changed_by",
        "changes",
        "cited_by",
        "cited_by_case_law",
        "cited_by_case_law_reference",
        "cites",
        "commenced_by",
        "commences",
        "consolidated_by",
        "consolidates",
        "corrected_by",
        "corrects",
        "countersigned_by",
        "date_applicability",
        "date_document",
        "date_no_longer_in_force",
        "date_publication",
        "description",
        "embodies",
        "ensures_implementation_of",
        "first_date_entry_in_force",
        "format",
        "has_annex",
        "has_another_publication",
        "has_derivative",
        "has_member",
        "has_part",
        "has_translation",
        "id_local",
        "implementation_ensured_by",
        "implemented_by",
        "implements",
        "in_force",
        "is_about",
        "is_annex_of",
        "is_another_publication_of",
        "is_derivative_of",
        "is_embodied_by",
        "is_exemplified_by",
        "is_member_of",
        "is_part_of",
        "is_realized_by",
        "is_translation_of",
        "jurisdiction",
        "language",
        "legal_value",
        "licence",
        "media_type",
        "number",
        "passed_by",
        "print_format",
        "published_in",
        "published_in_format",
        "publisher",
        "publisher_agent",
        "publishes",
        "realizes",
        "related_to",
        "relevant_for",
        "repealed_by",
        "repeals",
        "responsibility_of",
        "responsibility_of_agent",
        "rights",
        "rightsholder",
        "rightsholder_agent",
        "title",
        "title_alternative",
        "title_short",
        "transposed_by",
        "transposes",
        "type_document",
        "type_subdivision",
        "uri_schema",
        "version",
        "version_date",
        "work_type",
    ]
)

_LONGEST = 80


def meant_term(local: str) -> str | None:
    """The term that is meant by one that there is not, as far as spelling tells."""
    return _nearest(local[:_LONGEST])


@lru_cache(maxsize=1_000)
def _nearest(local: str) -> str | None:
    found = difflib.get_close_matches(local, TERMS, n=1, cutoff=0.8)
    return found[0] if found else None
