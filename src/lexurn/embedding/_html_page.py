"""A page with its head found: where our block is, or where it belongs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._html_encoding import mark_of, prescanned, view
from lexurn.embedding._html_head import BEGIN, END, MOST_TOKENS, Head, walked

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._html_encoding import View

__all__ = ["DEFAULT_ENCODING", "LONGEST_HEAD", "Page", "endless", "line_of", "page_of"]

DEFAULT_ENCODING: Final = "windows-1252"
"""What a page is in that says nothing of it, as most browsers in Europe and America take it."""

LONGEST_HEAD: Final = 16 << 20
"""How many bytes a head may have: scripts and pictures within a head, and nothing reads more."""

_LONGEST_BLOCK: Final = 1 << 20
# Nearly all heads end in the first, and the whole of most pages is in it.
_WINDOWS: Final = (64 << 10, 1 << 20, LONGEST_HEAD + _LONGEST_BLOCK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The beginning of a page, its head in it.

    Attributes:
        document: the page.
        encoding: its encoding (WHATWG), None where it says none.
        is_marked: whether a byte order mark says the encoding.
        view: its beginning as single bytes; what offsets count.
        head: its head.
        block: where our block begins and ends, its last line break included; None for none.
    """

    document: Document
    encoding: str | None
    is_marked: bool
    view: View
    head: Head
    block: tuple[int, int] | None

    @property
    def span(self) -> tuple[int, int]:
        """Where our block begins and ends, or would: in the place of nothing, at the head's end."""
        return self.block or (self.head.place, self.head.place)


def page_of(document: Document) -> Page:
    """A document as a page.

    Raises:
        EmbeddingError: it cannot be read, its head does not end, or our block is not whole.
    """
    for window in _WINDOWS:
        data = document.read(0, window)
        is_whole = window >= document.size
        looked = _looked_at(data, is_whole=is_whole or window == _WINDOWS[-1])
        if looked is not None:
            encoding, seen, head = looked
            _refuse_long(document, head, is_whole=is_whole)
            return Page(
                document=document,
                encoding=encoding,
                is_marked=mark_of(data) is not None,
                view=seen,
                head=head,
                block=_block_of(document, seen.text, head),
            )
    raise AssertionError  # the last window always has a head


def _looked_at(data: bytes, *, is_whole: bool) -> tuple[str | None, View, Head] | None:
    """The encoding, the view and the head of the beginning of a page; None where it is too short.

    An element that says an encoding has the last word: a browser begins anew, where it has begun
    with another.
    """
    mark = mark_of(data)
    first = prescanned(data) if mark is None else mark[0]
    seen = view(data, first or DEFAULT_ENCODING)
    head = walked(seen.text, is_whole=is_whole)
    if head is None or mark is not None or seen.unit > 1 or head.charset in {None, first}:
        return None if head is None else (first, seen, head)
    if "iso-2022-jp" not in {first, head.charset}:
        return head.charset, seen, head
    seen = view(data, head.charset)
    again = walked(seen.text, is_whole=is_whole)
    return None if again is None else (head.charset, seen, again)


def _refuse_long(document: Document, head: Head, *, is_whole: bool) -> None:
    if head.is_endless or (not is_whole and (head.is_cut or not head.stop)):
        raise EmbeddingError(endless(document))


def endless(document: Document) -> DocumentFinding:
    """The finding on a head that is too long."""
    return finding("LX324", document.name, limit=LONGEST_HEAD >> 20, most=MOST_TOKENS)


def _block_of(document: Document, text: bytes, head: Head) -> tuple[int, int] | None:
    """Where our block begins and ends in the text; None where there is none.

    Raises:
        EmbeddingError: there are two, or a mark stands alone.
    """
    begins, ends = head.begins, head.ends
    if not begins and not ends:
        return None
    if len(begins) > 1 and len(begins) == len(ends):
        first, second = (line_of(text, begin) for begin in begins[:2])
        values: dict[str, Any] = {"count": len(begins), "first": first, "second": second}
        raise EmbeddingError(finding("LX320", document.name, line=second, **values))
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        raise EmbeddingError(_unpaired(document, text, begins, ends))
    end = ends[0] + len(END)
    return begins[0], end + _line_break(text, end)


def _unpaired(
    document: Document, text: bytes, begins: tuple[int, ...], ends: tuple[int, ...]
) -> DocumentFinding:
    """The finding on the first mark that has no partner."""
    is_end = bool(ends) and (not begins or ends[0] < begins[0] or len(ends) > len(begins))
    line = line_of(text, ends[-1] if is_end else begins[-1])
    mark, other = (END, BEGIN) if is_end else (BEGIN, END)
    values = {"mark": mark.decode(), "other": other.decode()}
    return finding("LX321", document.name, line=line, text=mark.decode(), **values)


def _line_break(text: bytes, at: int) -> int:
    """How long the line break is that stands there; 0 where none does."""
    if text.startswith(b"\r\n", at):
        return 2
    return int(text[at : at + 1] in {b"\n", b"\r"})


def line_of(text: bytes, at: int) -> int:
    """The line of an offset, from 1."""
    before = text[:at]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
