"""Identification of documents: the format of a file by its content, the documents of a folder."""

from __future__ import annotations

import os
import pkgutil
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from lexurn.documents.containers.xml import StartTag, parse_events
from lexurn.documents.containers.zip import open_container
from lexurn.documents.document import (
    Document,
    DocumentError,
    DocumentFormat,
    make_error,
    make_finding,
    open_document,
)
from lexurn.documents.sidecars import SIDECAR_SUFFIX, find_sidecar_document
from lexurn.documents.terms import is_akoma_ntoso, is_lexml
from lexurn.files import is_leftover
from lexurn.vocabulary import XHTML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from lexurn.findings import Finding

FORMAT_MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "html": "lexurn.documents.formats.html:FORMAT",
        "xhtml": "lexurn.documents.formats.html:XHTML_FORMAT",
        "akoma-ntoso": "lexurn.documents.formats.legal_xml:AKOMA_NTOSO_FORMAT",
        "lexml": "lexurn.documents.formats.legal_xml:LEXML_FORMAT",
        "nir": "lexurn.documents.formats.legal_xml:NIR_FORMAT",
        "pdf": "lexurn.documents.formats.pdf:FORMAT",
        "docx": "lexurn.documents.formats.office:DOCX_FORMAT",
        "odt": "lexurn.documents.formats.office:ODT_FORMAT",
        "epub": "lexurn.documents.formats.epub:FORMAT",
    }
)
"""Formats by key: the module of each, and its name there."""


@cache
def load_format(key: str) -> DocumentFormat:
    """Load the format of a key of `FORMAT_MODULES`."""
    found: DocumentFormat = pkgutil.resolve_name(FORMAT_MODULES[key])
    return found


# Readers look for the header of a PDF in so many bytes (ISO 32000-1, annex H).
_HEAD_WINDOW = 1024
_HTML_SUFFIXES = frozenset({".html", ".htm", ".shtml", ".xht", ".xhtml"})
_XHTML_SUFFIXES = frozenset({".xhtml", ".xht", ".xml"})
# Servers run these files and give HTML.
_SERVER_SUFFIXES = frozenset(
    {".shtml", ".shtm", ".stm", ".php", ".asp", ".aspx", ".jsp", ".cfm", ".cgi"}
)
_HTML_ONLY_SUFFIXES = frozenset({".html", ".htm"})
# https://mimesniff.spec.whatwg.org/#rules-for-identifying-an-unknown-mime-type, in two parts: HTML
# with any suffix, and what may as well be a text with a tag. lexurn's block can precede a body.
_SURELY_HTML = re.compile(
    rb"<(?:!-- lexurn:begin|(?:!doctype\s+html|html|head|body)[\s>])", re.IGNORECASE
)
_PERHAPS_HTML = re.compile(
    rb"<(?:!--|(?:!doctype|script|iframe|h[1-6]|div|font|table|a|style|title|b|br|p|meta|link|base)"
    rb"[\s>/])",
    re.IGNORECASE,
)
# JSON, RTF and MHTML; a page may begin with any other text.
_NO_HTML = re.compile(
    rb"\{\s*[\"}\\]|\[\s*[\"{\[\]]|(?:[\w-]+:.*\n)?MIME-Version:", re.IGNORECASE | re.DOTALL
)
_PDF_HEADER = re.compile(rb"%PDF-[0-9]")
_PDF_END = re.compile(rb"startxref\s+[0-9]")
_BLANK = b"\t\n\x0c\r "
_UNKNOWN_KIND = "a file of an unknown kind"
_CONTROL_BYTES = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_OFFICE_START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKED_STARTS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c")
_OTHER_FORMATS: dict[str, bytes | tuple[bytes, ...]] = {
    "an old Office document, or one with a password (save it as DOCX, without a password)": (
        _OFFICE_START
    ),
    "a compressed file (decompress it first)": _PACKED_STARTS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """Identified format of a document, or what else it is, with notes such as a wrong suffix."""

    format: DocumentFormat | None
    what: str
    findings: tuple[Finding, ...] = ()


def identify_format(document: Document) -> Identification:
    """Identify the format of a document by its content.

    Raises:
        DocumentError: it is empty, or cannot be read.
    """
    key, what = identify_key(document)
    if key is None:
        return Identification(format=None, what=what)
    found, suffix = load_format(key), document.suffix
    label, findings = found.label, []
    is_served = key == "html" and suffix in _SERVER_SUFFIXES
    if suffix and suffix not in found.suffixes and not is_served:
        usual = (f".{key}", ".xml")
        better = next((each for each in usual if each in found.suffixes), min(found.suffixes))
        note = make_finding("LX314", document.name, label=label, suffix=suffix, better=better)
        findings.append(note)
    return Identification(format=found, what=label, findings=tuple(findings))


def identify_key(document: Document) -> tuple[str | None, str]:
    """Return the key of a document's format (None for others) and a description."""
    if not document.size:
        raise make_error("LX312", document.name)
    head = document.read(0, _HEAD_WINDOW)
    for what, starts in _OTHER_FORMATS.items():
        if head.startswith(starts):
            return None, what
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _identify_zip(document)
    mark, encoding = next((m for m in _BYTE_ORDER_MARKS if head.startswith(m[0])), (b"", "latin-1"))
    text = head[len(mark) :].decode(encoding, "replace").encode("ascii", "replace").lstrip(_BLANK)
    is_pdf = text.startswith(b"%PDF-")
    if not is_pdf and not text.startswith(b"<") and _PDF_HEADER.search(head):
        # A text may mention the header of a PDF.
        tail = document.read(max(0, document.size - _HEAD_WINDOW))
        is_binary = document.suffix == ".pdf" or _CONTROL_BYTES.search(head) is not None
        is_pdf = is_binary or _PDF_END.search(tail) is not None
    return ("pdf", "") if is_pdf else _identify_text(document, text)


def _identify_text(document: Document, text: bytes) -> tuple[str | None, str]:
    """Identify a page by its tags, or another format of XML by its root element."""
    what, is_named_page = "", document.suffix in _HTML_SUFFIXES
    has_declaration = text.startswith(b"<?xml")
    is_html_only = document.suffix in _HTML_ONLY_SUFFIXES and not has_declaration
    if text.startswith(b"<") and not is_html_only:
        key, what, has_root = identify_root(document)
        what = what if has_root or has_declaration else ""
        if key == "xhtml":
            is_xml = has_declaration and document.suffix not in _HTML_ONLY_SUFFIXES
            return (key if is_xml or document.suffix in _XHTML_SUFFIXES else "html"), ""
        may_be_page = is_named_page or _SURELY_HTML.match(text) is not None
        if key is not None or (what and not may_be_page):
            return key, what
    if _SURELY_HTML.match(text) or (is_named_page and _PERHAPS_HTML.match(text)):
        return "html", ""
    is_other = _NO_HTML.match(text) or _CONTROL_BYTES.search(text)
    if document.suffix in _HTML_ONLY_SUFFIXES and not is_other:
        return "html", ""
    if not what:
        what, suffix = _UNKNOWN_KIND, document.suffix
        if suffix and suffix.isascii() and suffix.isprintable():
            formats = map(load_format, FORMAT_MODULES)
            labels = {each.label for each in formats if suffix in each.suffixes}
            kind = "XML" if len(labels) > 1 else "".join(labels)
            what = f"a {suffix} file" + (f" that is not {kind}" if kind else "")
    return None, what


# Declaration, DOCTYPE and comments before a root element are never longer.
_ROOT_WINDOW = 1 << 20
_LONGEST_ROOT_SHOWN = 60


def identify_root(document: Document) -> tuple[str | None, str, bool]:
    """Identify the root element of a document; nothing is fetched or expanded.

    Returns:
        The key of the format (None for others), a description, and whether there is a root.
    """
    beginning = replace(document, size=min(document.size, _ROOT_WINDOW))
    try:
        # A document without a root is a fault of its events.
        root = next(each for each in parse_events(beginning) if isinstance(each, StartTag))
    except DocumentError as fault:
        found = fault.finding
        if found.code == "LX331":
            encoding = f'"{found.text}"; ' if found.text else ""
            what = f"XML in an encoding that is not supported ({encoding}convert it to UTF-8)"
            return None, what, True
        if found.code not in {"LX330", "LX332"}:
            raise
        return None, f"broken XML (line {found.line})", False
    uri = root.uri or ""
    local = root.local
    where = f"the namespace {uri[:_LONGEST_ROOT_SHOWN]}" if uri else "no namespace"
    what = f"XML whose root is {local[:_LONGEST_ROOT_SHOWN]} in {where}"
    key = "nir" if local == "NIR" else None
    if local == "html" and uri == XHTML_NAMESPACE:
        key = "xhtml"
    elif is_akoma_ntoso(uri, local):
        key = "akoma-ntoso"
    elif is_lexml(uri, local):
        key = "lexml"
    return key, what, True


_MIMETYPES: tuple[tuple[bytes, str | None], ...] = (
    (rb"application/epub\+zip", "epub"),
    (rb"application/vnd\.oasis\.opendocument\.text", "odt"),
    (rb"application/vnd\.oasis\.opendocument\.", None),
)
_MEMBERS_BY_FORMAT = (
    ("word/document.xml", "docx"),
    ("word/document2.xml", "docx"),
    ("META-INF/container.xml", "epub"),
)
_CONTENT_TYPES = "[Content_Types].xml"
_ZIP_FORMATS = ("docx", "odt", "epub")
_OTHER_OFFICE = "an office file that is not a text document"


def _identify_zip(document: Document) -> tuple[str | None, str]:
    """Return the key of a ZIP file's format (None for others) and a description.

    Nothing is unpacked; faults of the file are reported by its format.
    """
    beginning = document.read(0, _HEAD_WINDOW)
    for pattern, key in _MIMETYPES:
        if re.match(rb"PK\x03\x04.{26}mimetype" + pattern, beginning, re.DOTALL):
            return key, "" if key else _OTHER_OFFICE
    names: Collection[str] = ()
    with suppress(DocumentError):
        names = open_container(document).by_name
    for member, key in _MEMBERS_BY_FORMAT:
        if member in names:
            return key, ""
    # The main part of a Word document may have any name.
    keys = (each for each in _ZIP_FORMATS if document.suffix in load_format(each).suffixes)
    key_by_suffix = next(keys, None)
    if _CONTENT_TYPES in names and key_by_suffix != "docx":
        return None, _OTHER_OFFICE
    return key_by_suffix, "" if key_by_suffix else "a ZIP file"


def find_documents(
    folder: Path, on_error: Callable[[OSError], None], *, is_by_content: bool = False
) -> Iterator[Path]:
    """Find the files below a folder whose suffixes are those of documents, and leftovers, sorted.

    Files with sidecars and sidecars whose documents are gone are included. Hidden files and folders
    are left out; links to folders are not followed. The content of files with other suffixes may
    count too.
    """
    formats = map(load_format, FORMAT_MODULES)
    suffixes = frozenset(suffix for each in formats for suffix in each.suffixes)
    for parent, folders, files in os.walk(folder, onerror=on_error):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        known = frozenset(files)
        for file in sorted(files):
            path = Path(parent, file)
            document = find_sidecar_document(file)
            is_orphan = document is not None and document not in known
            is_hidden = file.startswith(".") or file.endswith(SIDECAR_SUFFIX)
            if (
                is_leftover(file)
                or is_orphan
                or file + SIDECAR_SUFFIX in known
                or (not is_hidden and path.suffix.lower() in suffixes)
                or (is_by_content and not is_hidden and _is_document(path))
            ):
                yield path


def _is_document(path: Path) -> bool:
    """Return whether the content of a file is that of a document, whatever its suffix."""
    with suppress(DocumentError), open_document(path) as document:
        return identify_key(document)[0] is not None
    return False
