"""Laws of the check: what the model allows has no violation, and both engines say the same."""

from __future__ import annotations

from check_graphs import AS_OF, BASE
from hypothesis import given
from sizes import examples
from strategies_model import records

from lexurn.graph import Statements, statements_of
from lexurn.model import families_of
from lexurn.shacl import SHAPES, Severity, check_families, validate


@given(records())
@examples(30)
def test_what_the_model_allows_has_only_violations_that_its_rows_state(rows) -> None:
    """Names and links are ours, so whatever the rows say there is nothing wrong with those."""
    results = check_families(families_of(rows), as_of=AS_OF, base=BASE)
    wrong = {each.shape for each in results if each.severity is Severity.VIOLATION}
    assert {shape.removeprefix(SHAPES) for shape in wrong} <= {
        *("AliasLanguage", "ByteSize", "Checksum", "ForceOrder", "ItemUrl", "LegalForceState"),
        *(
            "LinkScheme",
            "PageUrl",
            "TitleText",
            "VersionAfterAct",
            "VersionOrderPlace",
            "WithdrawnStatus",
        ),
    }


@given(records())
@examples(10)
def test_both_engines_say_the_same(rows) -> None:
    families = families_of(rows)
    statements = Statements.union(statements_of(each, as_of=AS_OF, base=BASE) for each in families)
    assert validate(statements, engine="bulk") == validate(statements, engine="reference")
