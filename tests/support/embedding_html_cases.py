"""Pages for tests of HTML: pieces that they are made of, and a referee that parses them."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

import turbohtml
import webencodings
from justhtml import JustHTML

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.containers.html import open_page
from lexurn.documents.formats.html import embed, remove
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from lexurn.documents import Document
    from lexurn.pages import DocumentMetadata

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
_TITLE = LanguageText(value='Città </script> --> "&" <!-- fine', language="it")
RECORDS = (
    Record(name=parse(ACT), titles=(_TITLE,)),
    Record(name=parse(f"{ACT}@originale:it")),
    Record(name=parse(f"{ACT}@2005-01-01:it")),
)
UTF16 = (BOM_UTF16_BE, BOM_UTF16_LE)
BEGIN, END = " lexurn:begin ", " lexurn:end "

# Pieces of which pages are made: as they should be, as they are found, and as nobody would think.
PIECES = (
    "<!doctype html>",
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/x">',
    "<!doctype",
    "<html>",
    '<html lang="it">',
    '<html xmlns="http://www.w3.org/1999/xhtml" lang=de>',
    "<head>",
    '<HEAD profile="x>y">',
    "</head>",
    "</HEAD\n>",
    "<body>",
    "</body>",
    "</html>",
    "</br>",
    "</p>",
    "</title>",
    "</x a='>'>",
    "<title>Legge</title>",
    "<title>a <!-- lexurn:begin --> </titl> </title >",
    "<title/>",
    "<title>",
    '<meta charset="utf-8">',
    "<meta charset=koi8-r />",
    "<meta http-equiv=Content-Type content='text/html; charset=iso-8859-2'>",
    '<meta name="a" content="<!-- lexurn:begin -->">',
    "<meta name=x content='>",
    "<link rel=stylesheet href=a.css>",
    "<link rel='x' href=\"</head>\"/>",
    "<base href=/>",
    "<basefont><bgsound>",
    "<style>a > b {} </head> </style>",
    "<style>",
    "<noframes><p></noframes>",
    "<script>var a = '<!-- lexurn:begin -->';</script>",
    "<script><!-- <script> </script> --></script>",
    "<script><!--<script></script>",
    "<script>-->",
    "</script>",
    "<script/x></script/>",
    "<noscript><link rel=x></noscript>",
    "<noscript><img></noscript>",
    "<noscript><!-- </noscript> --></noscript>",
    "<noscript>",
    "<template><p></template>",
    "<template>",
    "<!-- a comment -->",
    "<!-- lexurn:begin -- ",
    "<!--lexurn:begin-->",
    "<!-- a --!>",
    "<!-->",
    "<!--->",
    "<!---!>-->",
    "<!-- <!-- -->",
    "<!--",
    "<!x>",
    "<![CDATA[ x ]]>",
    "<?xml version='1.0' encoding='utf-8'?>",
    "<?php a ?>",
    "</>",
    "</ x>",
    "<>",
    "<3",
    "<",
    "&#32;",
    "&#x0A;",
    "&Tab;",
    "&nbsp;",
    "&",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t\f",
    "\v",
    "text",
    "ä日",
    "<p>",
    "<p class='a'>x</p>",
    "<svg><title>x</title></svg>",
    "<frameset>",
    "<isindex>",
    "<meta",
    "<metadata>",
    "<a\nhref='x",
    "-->",
    ">",
    '"',
    "'",
    "=",
    "/",
)
SIGNS = "<>!-/='\"& \n?metadlinkscripthyo"


@cache
def marking(version: str = "@2005-01-01:it") -> DocumentMetadata:
    """What a page is to say of itself."""
    return make_document_metadata(parse(ACT + version), RECORDS, base="https://law.example")


def mutated(source: random.Random, page: str) -> str:
    """A page with some places changed at random."""
    for _ in range(source.randrange(4)):
        at = source.randrange(len(page) + 1)
        cut = source.choice((0, 0, 1, 1, 3, 20))
        new = source.choice(("", source.choice(SIGNS), source.choice(PIECES)))
        page = page[:at] + new + page[at + cut :]
    return page


def made(source: random.Random) -> str:
    """A page of some pieces."""
    pieces = source.choices(PIECES, k=source.randrange(14))
    return mutated(source, "".join(pieces))


# A node of a tree as plain values: name, data or attributes, children.
Node = tuple[str, object, tuple["Node", ...]]


def tree_of(page: bytes | str, *, runs_scripts: bool, encoding: str | None = None) -> Node:
    """The tree of a page, as an independent parser makes it."""
    parsed = JustHTML(page, sanitize=False, scripting_enabled=runs_scripts, encoding=encoding)
    return _node(parsed.root)


def _node(node: object) -> Node:
    name = node.name
    said = tuple(sorted((node.attrs or {}).items())) if name[0] not in "#!" else _data(node)
    content = getattr(node, "template_content", None)
    children = [*(node.children or ()), *([content] if content is not None else ())]
    return name, said, tuple(_node(child) for child in children)


def _data(node: object) -> object:
    data = getattr(node, "data", None)
    fields = ("name", "public_id", "system_id")
    if data is None or isinstance(data, str):
        return data
    return tuple(getattr(data, field, None) for field in fields)


def without_block(tree: Node) -> tuple[Node, list[tuple[str, str]]]:
    """A tree without what stands between our marks; and the elements there with their parents."""
    taken: list[tuple[str, str]] = []
    return _Stripper(taken).strip(tree), taken


class _Stripper:
    """Takes a block out of a tree."""

    def __init__(self, taken: list[tuple[str, str]]) -> None:
        self._taken = taken
        self._is_in = self._is_done = False

    def strip(self, node: Node) -> Node:
        name, said, children = node
        kept: list[Node] = []
        is_behind = False
        for each in children:
            child = each
            if is_behind and child[0] == "#text":  # the line break of our last mark
                child = ("#text", str(child[1]).removeprefix("\n"), ())
            is_behind = child[:2] == ("#comment", END) and not self._is_done
            if self._is_kept(child, name):
                kept.append(self.strip(child))
        return name, said, tuple(_joined(kept))

    def _is_kept(self, child: Node, parent: str) -> bool:
        name, said, _ = child
        if name == "#comment" and said in {BEGIN, END} and not self._is_done:
            self._is_in, self._is_done = said == BEGIN, said == END
            return False
        if self._is_in and name not in {"html", "head"}:
            if name != "#text":
                self._taken.append((name, parent))
            return False
        return True


def _joined(nodes: list[Node]) -> Iterator[Node]:
    """Neighbouring texts as one."""
    text = ""
    for name, said, children in nodes:
        if name == "#text":
            text += str(said)
            continue
        if text:
            yield "#text", text, ()
        text = ""
        yield name, said, children
    if text:
        yield "#text", text, ()


def refusal(action: Callable[[], object]) -> str | None:
    """The code of the finding that an action ends in; None where it does not."""
    try:
        action()
    except DocumentError as error:
        return error.finding.code
    return None


def put(data: bytes, version: str = "@2005-01-01:it") -> bytes:
    """A page with a name put in."""
    document = document_from_bytes(data, "page.html")
    return apply_edits(document, embed(document, marking(version), is_forced=False).edits)


def taken_out(data: bytes) -> bytes:
    """A page without its block."""
    document = document_from_bytes(data, "page.html")
    return apply_edits(document, remove(document, is_forced=False).edits)


def own_block(document: Document) -> tuple[int, int] | None:
    """Where the block that lexurn put in begins and ends, in bytes; None where there is none."""
    return open_page(document).block


def encoding_of(document: Document) -> str:
    """The encoding that a page declares, as a browser finds it; the usual one without any."""
    data = document.read()
    mark = next((each for each in (BOM_UTF8, *UTF16) if data.startswith(each)), b"")
    declared = mark + re.sub(rb"[\x80-\xff]", b"?", data[len(mark) :])  # letters would be a hint
    return str(turbohtml.parse(declared).encoding).lower()


def codec_of(encoding: str) -> str:
    """Python's codec of an encoding of the web."""
    return str(webencodings.lookup(encoding).codec_info.name)


def check_laws(data: bytes) -> bool:
    """All laws of embedding for one page; whether it could take a name."""
    document = document_from_bytes(data, "page.html")
    try:
        once = put(data)
    except DocumentError:
        refusal(lambda: remove(document, is_forced=False))
        return False
    again = document_from_bytes(once, "page.html")
    assert embed(again, marking(), is_forced=False).edits == ()
    bare = data if own_block(document) is None else taken_out(data)
    start, end = own_block(again) or (0, 0)
    assert once[:start] + once[end:] == bare
    assert taken_out(once) == bare
    assert remove(document_from_bytes(bare), is_forced=False).edits == ()
    assert encoding_of(again) == encoding_of(document)
    assert put(once, "") == put(bare, "")
    return True


def check_laws_of_edited(data: bytes) -> bool:
    """The laws that hold for a page whose block somebody may have moved or changed."""
    try:
        once = put(data)
    except DocumentError:
        return False
    assert put(once) == once
    assert taken_out(put(once, "")) == taken_out(once)
    assert taken_out(once) == (
        data if own_block(document_from_bytes(data)) is None else taken_out(data)
    )
    assert encoding_of(document_from_bytes(once)) == encoding_of(document_from_bytes(data))
    return True


def edited_page(source: random.Random) -> bytes:
    """A page that had a name put in, and was changed by somebody then."""
    page = made(source).encode()
    with suppress(DocumentError):
        page = put(page)
    return mutated(source, mutated(source, page.decode())).encode("utf-8", "ignore")


def check_tree(data: bytes) -> None:
    """Our tags are in the head, and the tree without them is what it was, says the referee.

    The referee does not know that ``---!>`` ends a comment (WHATWG HTML section 13.2.5.51), and it
    puts what follows a ``</br>`` without a body behind the body; a browser knows both.
    """
    before, after = texts_of(data)
    if "---!>" in before or "</br" in before.lower():
        return
    for runs_scripts in (True, False):
        tree = tree_of(before, runs_scripts=runs_scripts)
        stripped, taken = without_block(tree_of(after, runs_scripts=runs_scripts))
        assert {parent for _, parent in taken} == {"head"}
        assert {name for name, _ in taken} == {"meta", "link", "script"}
        assert stripped == tree


def texts_of(data: bytes) -> tuple[str, str]:
    """A page and the same with a name put in, decoded."""
    codec = codec_of(str(turbohtml.parse(data).encoding))
    before, after = (each.decode(codec, "replace") for each in (data, put(data)))
    return before.removeprefix("\ufeff"), after.removeprefix("\ufeff")
