"""Which format a document is: its content says it, its suffix only where that says nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._formats import format_named, formats
from lexurn.embedding._sniff_xml import root_of
from lexurn.embedding._sniff_zip import key_of_zip

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._format import Format

__all__ = ["Sniffed", "key_of", "sniffed"]

# As far as a PDF reader looks for its header (ISO 32000-1, annex H), and browsers for a charset.
_WINDOW = 1024
_HTML_SUFFIXES = frozenset({".html", ".htm", ".shtml", ".xht", ".xhtml"})
_XHTML_SUFFIXES = frozenset({".xhtml", ".xht", ".xml"})
# A server looks into files by these suffixes, and would not by another.
_SERVED = frozenset({".shtml", ".shtm", ".stm", ".php", ".asp", ".aspx", ".jsp", ".cfm", ".cgi"})
_BY_SUFFIX = {".html": "html", ".htm": "html"}
# https://mimesniff.spec.whatwg.org/#rules-for-identifying-an-unknown-mime-type, in two: what a file
# of any suffix is, and what may as well be a text in which a tag stands first. In front of a body
# without a head stands lexurn's block.
_SURELY_HTML = re.compile(
    rb"<(?:!-- lexurn:begin|(?:!doctype\s+html|html|head|body)[\s>])", re.IGNORECASE
)
_PERHAPS_HTML = re.compile(
    rb"<(?:!--|(?:!doctype|script|iframe|h[1-6]|div|font|table|a|style|title|b|br|p|meta|link|base)"
    rb"[\s>/])",
    re.IGNORECASE,
)
_PDF = re.compile(rb"%PDF-[0-9]")
_PDF_END = re.compile(rb"startxref\s+[0-9]")
_BLANK = b"\t\n\x0c\r "
_NO_KIND = "a file of an unknown kind"
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_STRANGERS = (
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an Office document of the older kind, or with a password (save it as DOCX, without one)",
    ),
    (b"PK\x07\x08", "a ZIP file in several parts"),
    (b"\x1f\x8b", "a packed file (unpack it first)"),
    (b"BZh", "a packed file (unpack it first)"),
    (b"\xfd7zXZ\x00", "a packed file (unpack it first)"),
    (b"7z\xbc\xaf\x27\x1c", "a packed file (unpack it first)"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"{\\rtf", "an RTF document"),
)


# Texts in which tags may stand, and which no browser shows as a page.
_NO_PAGES = (
    (re.compile(rb"\{\s*+[\"}]|\[\s*+[\"\[\]{]"), "JSON"),
    (
        re.compile(rb"(?:[\w-]++:[^\n]*+\n(?:[ \t][^\n]*+\n)*+)*?mime-version:", re.IGNORECASE),
        "MHTML",
    ),
    (re.compile(rb"/\*|@(?:charset|import|media|font-face|namespace)\b"), "CSS"),
    (re.compile(rb"[^<{}]{1,200}\{\s*+[\w-]++\s*+:[^<{}]*+[;}]"), "CSS"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sniffed:
    """What a document is.

    Attributes:
        format: its format, None where it is none that can take a name.
        what: what it is, for people.
        findings: what is odd about that.
    """

    format: Format | None
    what: str
    findings: tuple[DocumentFinding, ...] = ()


def sniffed(document: Document) -> Sniffed:
    """Which format a document is.

    Raises:
        EmbeddingError: it is empty, or cannot be read.
    """
    key, what = key_of(document)
    if key is None:
        return Sniffed(format=None, what=what)
    found = format_named(key)
    return Sniffed(format=found, what=found.label, findings=_misnamed(document, found))


def key_of(document: Document) -> tuple[str | None, str]:
    """The key of a document's format, None where it is none that can take a name; what it is.

    Raises:
        EmbeddingError: as `sniffed`.
    """
    if not document.size:
        raise EmbeddingError(finding("LX312", document.name))
    head = document.read(0, _WINDOW)
    stranger = next((what for magic, what in _STRANGERS if head.startswith(magic)), None)
    if stranger is not None:
        return None, stranger
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return key_of_zip(document)
    text = _beginning(head)
    if _is_pdf(document, head, text):
        return "pdf", ""
    return _key_of_text(document, text)


def _beginning(head: bytes) -> bytes:
    """The first characters, in any encoding that has those of ASCII, without mark and blanks."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            text = head[len(mark) :].decode(encoding, "replace")
            return text.encode("ascii", "replace").lstrip(_BLANK)
    return head.lstrip(_BLANK)


def _is_pdf(document: Document, head: bytes, text: bytes) -> bool:
    """Whether the header of a PDF is there; markup may speak of one, and so may a text."""
    if text.startswith(b"%PDF-"):
        return True
    if text.startswith(b"<") or not _PDF.search(head):
        return False
    is_text = document.suffix != ".pdf" and not _NO_TEXT.search(head)
    tail = document.read(max(0, document.size - _WINDOW))
    return not is_text or _PDF_END.search(tail) is not None


def _key_of_text(document: Document, text: bytes) -> tuple[str | None, str]:
    what, is_named_page = "", document.suffix in _HTML_SUFFIXES
    if text.startswith(b"<") and not _is_html_alone(document, text):
        key, what = _key_of_xml(document, text)
        may_be_page = is_named_page or _SURELY_HTML.match(text) is not None
        if key is not None or (what and not may_be_page):
            return key, what
    if _SURELY_HTML.match(text):
        return "html", ""
    if is_named_page and _PERHAPS_HTML.match(text):
        return "html", ""
    stranger = next((what for pattern, what in _NO_PAGES if pattern.match(text)), "")
    if document.suffix in _BY_SUFFIX and not stranger and not _NO_TEXT.search(text):
        return "html", ""
    return None, stranger or what or _unknown(document)


def _unknown(document: Document) -> str:
    suffix = document.suffix
    if not (suffix and suffix.isascii() and suffix.isprintable()):
        return _NO_KIND
    labels = {each.label for each in formats() if suffix in each.suffixes}
    if not labels:
        return f"a {suffix} file"
    return f"a {suffix} file that is no {labels.pop() if len(labels) == 1 else 'XML'}"


def _is_html_alone(document: Document, text: bytes) -> bool:
    """Whether a page is read by the rules of HTML whatever it holds, as servers send it."""
    return document.suffix in _BY_SUFFIX and not text.startswith(b"<?xml")


def _key_of_xml(document: Document, text: bytes) -> tuple[str | None, str]:
    """The format by the root element; nothing at all where no XML parser gets as far as that."""
    root = root_of(document)
    if not root.is_found:
        return None, root.what if text.startswith(b"<?xml") else ""
    if root.key == "xhtml":
        is_xml = document.suffix in _XHTML_SUFFIXES or (
            text.startswith(b"<?xml") and document.suffix not in _BY_SUFFIX
        )
        return ("xhtml" if is_xml else "html"), ""
    return root.key, root.what


def _misnamed(document: Document, format: Format) -> tuple[DocumentFinding, ...]:
    suffix = document.suffix
    is_served = format.key == "html" and suffix in _SERVED
    if not suffix or suffix in format.suffixes or is_served:
        return ()
    usual = (f".{format.key}", ".xml")
    better = next((each for each in usual if each in format.suffixes), min(format.suffixes))
    label = format.label
    return (finding("LX314", document.name, label=label, suffix=suffix, better=better),)
