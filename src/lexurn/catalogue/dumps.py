"""Dumps: a whole catalogue as one file of RDF, in canonical bytes and bounded memory."""

from __future__ import annotations

import gzip
import json
import re
from contextlib import closing, contextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from lexurn import vocabulary as v
from lexurn.catalogue import rdf_statements as rdf
from lexurn.catalogue.files import refuse_inside_catalogue, sort_lines
from lexurn.catalogue.rdf_statements import InvalidStatement, RdfInput, read_statements
from lexurn.errors import CatalogueError, CatalogueUsageError, GraphError
from lexurn.files import open_for_writing
from lexurn.graph import (
    ALIAS_PROPERTIES,
    ITEM_LINKS,
    LAYERS,
    Format,
    Layer,
    Statements,
    Triple,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from _typeshed import SupportsWrite

    from lexurn.catalogue.rdf_statements import Statement
    from lexurn.store import EmbeddedStore

_ORIGINS: Final = {layer: rdf.Origin[layer.name] for layer in Layer}
_JOINING_LINKS: Final = ITEM_LINKS | ALIAS_PROPERTIES
_GRAPH: Final = '\n "@graph": ['


def group_by_alias_set(pieces: Iterable[bytes]) -> Iterator[Statements]:
    """Group statements by alias set, sorted by act; last come those of none.

    The statements on a copy that several sets have come with each of them.

    Args:
        pieces: N-Quads of the three layers.

    Raises:
        CatalogueError: the disk for temporary files is full, or a line is not a statement.
    """
    with closing(rdf.QuadSpool()) as spool:
        source = RdfInput("", Format.NQUADS, iter(pieces))
        for node, statements in groupby(read_statements(source, ""), _get_node):
            _spool_node(spool, node, cast("Iterable[Statement]", statements))
        spool.settle()
        for group in spool.groups():
            yield _collect_statements(group.parts)
        orphans = _collect_statements(spool.orphans())
        if orphans.merged:
            yield orphans


def _get_node(statement: Statement | InvalidStatement) -> str:
    """Return the subject of a statement.

    Raises:
        CatalogueError: it is none.
    """
    if isinstance(statement, InvalidStatement):
        raise CatalogueError(
            f"The store gives a line that is not a statement: {statement.reason}. Dump it as "
            f"N-Quads, correct the line, and load it into a new catalogue: {statement.raw!r}"
        )
    return statement[0]


def _spool_node(spool: rdf.QuadSpool, node: str, statements: Iterable[Statement]) -> None:
    """Spool the statements on a node."""
    act = rdf.find_act(node) if rdf.is_lex_node(node) else None
    lines: list[str] = []
    for _, predicate, value, graph in statements:
        line = f"{_ORIGINS[LAYERS[graph]]}{predicate} {value}"
        other = (
            rdf.find_act(value) if rdf.is_lex_node(value) and predicate in _JOINING_LINKS else None
        )
        if not isinstance(act, str) and isinstance(other, str):
            # A gazette may be a copy of a million acts: each link stands with its act.
            spool.add("part", other, node, line, 0)
            continue
        lines.append(line)
        if predicate == v.CHECKSUM:
            spool.add("digest", value, node, 0)
        elif isinstance(act, str) and predicate == v.ITEM:
            spool.add("held", value, act, 0)
        elif isinstance(act, str) and isinstance(other, str):
            spool.add("alias", act, other, rdf.is_act(node), 0)
    part = rdf.NodeStatements(node, "\n".join(lines))
    if lines and isinstance(act, str):
        spool.add("part", act, *part)
    elif lines:
        spool.add("fact", *part)


def _collect_statements(parts: Iterable[rdf.NodeStatements]) -> Statements:
    layers: dict[str, list[Triple]] = {origin: [] for origin in _ORIGINS.values()}
    for part in parts:
        for line in part.lines:
            predicate, _, value = line[1:].partition(" ")
            layers[line[0]].append((part.node, predicate, value))
    return Statements(**{layer: tuple(layers[origin]) for layer, origin in _ORIGINS.items()})


def _join_turtle(documents: Iterable[str]) -> Iterator[str]:
    """Join documents of Turtle or TriG; each prefix is declared where it is first needed."""
    declared: set[str] = set()
    start = ""
    for document in documents:
        body = document
        prefixes: list[str] = []
        while body.startswith("@prefix "):
            line, _, body = body.partition("\n")
            prefixes.append(f"{line}\n")
        new = [line for line in prefixes if line not in declared]
        declared.update(new)
        body = body.removeprefix("\n") if prefixes else body
        yield start + "\n".join(["".join(new), body] if new else [body])
        start = "\n"


def _join_jsonld(documents: Iterable[str], context: str | None) -> Iterator[str]:
    """Join documents of JSON-LD under one context; nodes that it would change have none."""
    common, _, _ = write(Statements(), Format.JSONLD, context=context).decode().partition(_GRAPH)
    yield f"{common}{_GRAPH}"
    start = ""
    for document in documents:
        head, _, graph = document.partition(_GRAPH)
        body = graph.removesuffix("]\n}\n")
        if head != common:
            nodes = [{"@context": None, **node} for node in json.loads(document)["@graph"]]
            texts = (json.dumps(each, ensure_ascii=False, indent=1) for each in nodes)
            body = ", ".join(texts).replace("\n", "\n ")
        yield start + body
        start = ", "
    yield "]\n}\n"


DUMP_FORMATS: Final = tuple(each for each in Format if each is not Format.RDFXML)
"""Formats for a whole catalogue."""
_GRAPH_END: Final = re.compile(rb" <[^ <>\n]*> \.\n")


def dump(
    store: EmbeddedStore,
    target: str | Path | SupportsWrite[bytes],
    format: str | Format | None = None,
    *,
    inline_context: bool = False,
    on_progress: Callable[[str, int], None] | None = None,
) -> int:
    """Write all quads of a store; the same quads give the same bytes.

    N-Quads and N-Triples are sorted by their bytes, none twice. Turtle, TriG and JSON-LD are one
    document, with one alias set after the other, sorted by act. A file is replaced as a whole; one
    that ends in ``.gz`` is compressed, without time and name. A pipe or a device is written into.

    Args:
        store: the store.
        target: a path, or a target of bytes.
        format: one of `DUMP_FORMATS` or its name; None to go by the path, N-Quads where it has no
            extension.
        inline_context: whether JSON-LD holds its context, and does not link that of lexurn.
        on_progress: is called with what is done and how far: ``reading`` statements, ``writing``
            bytes.

    Returns:
        The number of bytes written, before compression.

    Raises:
        CatalogueError: the store cannot be read, the target not be written, there is no such
            format, or the target lies in the folder of a catalogue.
    """
    report = on_progress or (lambda _what, _count: None)
    wanted = _choose_format(target, format)

    def read() -> Iterator[bytes]:
        count = 0
        for piece in store.dump():
            yield piece
            count += piece.count(b"\n")
            report("reading", count)

    if wanted is Format.NQUADS:
        pieces = sort_lines(read())
    elif wanted is Format.NTRIPLES:
        pieces = sort_lines(_GRAPH_END.sub(b" .\n", piece) for piece in read())
    else:
        context = None if inline_context else v.CONTEXT_URL
        join = partial(_join_jsonld, context=context) if wanted is Format.JSONLD else _join_turtle
        documents = (
            write(each, wanted, context=context).decode() for each in group_by_alias_set(read())
        )
        pieces = (text.encode() for text in join(documents))
    size = 0
    with _open_target(target) as sink:
        for piece in pieces:
            sink.write(piece)
            size += len(piece)
            report("writing", size)
    return size


def _choose_format(target: object, format: str | Format | None) -> Format:
    wanted = format
    if wanted is None and isinstance(target, str | Path):
        wanted = Path(str(target).removesuffix(".gz")).suffix
    try:
        found = wanted if isinstance(wanted, Format) else Format.from_name(wanted or "nquads")
    except GraphError as unknown:
        raise CatalogueUsageError(f"{target}: {unknown}. Use --format to name it.") from None
    if found not in DUMP_FORMATS:
        known = ", ".join(each.name.lower() for each in DUMP_FORMATS)
        raise CatalogueUsageError(f"{found.name} is not a format for a catalogue. Use {known}.")
    return found


@contextmanager
def _open_target(target: str | Path | SupportsWrite[bytes]) -> Iterator[SupportsWrite[bytes]]:
    """Open the target; a file appears when it is whole.

    Raises:
        CatalogueError: it cannot be written.
    """
    if not isinstance(target, str | Path):
        yield target
        return
    path = Path(target)
    refuse_inside_catalogue(path)
    if path.is_dir() or not path.parent.is_dir():
        raise CatalogueError(
            f"{path} is a folder, or its folder does not exist. Name a file in an existing folder."
        )
    try:
        with open_for_writing(path) as stream:
            if path.suffix == ".gz":
                with gzip.GzipFile("", "wb", compresslevel=6, fileobj=stream, mtime=0) as sink:
                    yield sink
            else:
                yield stream
    except OSError as full:
        raise CatalogueError(f"{path}: cannot be written: {full.strerror or full}") from None
