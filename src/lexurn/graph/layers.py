"""Layers of a family: decoded from its names, computed from all records, and all three together.

The catalogued layer has a module of its own. A `FamilyGraph` has all layers; it is made once, then
written in parts, some nodes for each page.

A *property* of a node is one text, for example ``<http://purl.org/dc/terms/title> "T"``: predicate
and object, as N-Triples has them. Names need no escapes in N-Triples.
"""

from __future__ import annotations

from collections import defaultdict
from enum import Enum
from functools import cached_property, lru_cache
from itertools import pairwise, permutations
from sys import intern
from typing import TYPE_CHECKING

from lexurn import data
from lexurn import vocabulary as v
from lexurn.graph.catalogued import list_catalogued_properties, list_item_properties
from lexurn.graph.concepts import (
    CONCEPT_LINKS,
    describe_concepts,
    find_concepts,
    list_concept_links,
)
from lexurn.graph.formats import Format, join_turtle_blocks, write, write_turtle_block
from lexurn.graph.jsonld import JsonNode, read_json_node, write_json_nodes
from lexurn.graph.statements import Layer, Statements, node_sort_key, sort_objects
from lexurn.model import make_translation_key, read_day
from lexurn.name import http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from lexurn.graph.formats import TurtleBlock
    from lexurn.graph.statements import Triple
    from lexurn.model import Chain, Family
    from lexurn.name import (
        Authority,
        Date,
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
        Measure,
        Name,
    )


Properties = tuple[str, ...]
"""Properties of one node, each as predicate and object."""

_MANIFESTATION = (v.MANIFESTATION_CLASS, v.FRBR_MANIFESTATION)


class NameKind(Enum):
    """Kind of a named thing.

    The values are the types of its node, the predicates to and from its parent, and the character
    that separates the text of the parent in its name.
    """

    ACT = ((v.WORK, v.FRBR_WORK), (), (), "")
    ANNEX = ((v.WORK, v.FRBR_WORK, v.ANNEX_CLASS), (v.PART_OF,), (v.PART,), ":")
    EXPRESSION = ((v.EXPRESSION, v.FRBR_EXPRESSION), (v.REALIZATION_OF,), (v.REALIZATION,), "@")
    EMBODIMENT = (_MANIFESTATION, (v.EMBODIMENT_OF,), (v.EMBODIMENT,), "$")
    WORK_MANIFESTATION = (_MANIFESTATION, (v.MANIFESTATION_OF,), (v.MANIFESTATION,), "$")
    PARTITION = ((v.PARTITION,), (v.IS_PART_OF,), (v.HAS_PART,), "~")

    def __init__(self, types: Properties, up: Properties, down: Properties, mark: str) -> None:
        self.types: Properties = tuple(f"{v.TYPE} {each}" for each in types)
        self.up: Properties = up
        self.down: Properties = down
        self.is_manifestation: bool = types[0] == v.MANIFESTATION_CLASS
        self._mark = mark

    def parent(self, text: str) -> str:
        """Return the canonical text of the name above, ``""`` for an act (see ``Name.parent``)."""
        if self is NameKind.PARTITION:
            document, mark, partition = text.partition("~")
            shorter = partition.rpartition(";")[0]
            return f"{document}{mark}{shorter}" if shorter else document
        return text.rpartition(self._mark)[0] if self._mark else ""


NAME_CLASSES = frozenset(each.partition(" ")[2] for kind in NameKind for each in kind.types)
"""Classes of nodes that are names."""

DECODED_PROPERTIES: frozenset[str] = frozenset(
    {
        *(v.TYPE, v.IDENTIFIER, *(link for kind in NameKind for link in kind.up)),
        *(v.JURISDICTION_CODE, v.JURISDICTION_UNIT, v.AUTHORITY, v.ISSUER),
        *(v.MEASURE_TYPE, v.MEASURE_SPECIFICATION, v.DATE, v.LOCAL_DATE, v.PERIOD, v.NUMBER),
        *(v.ANNEX_ID, v.ANNEX_SPECIFICATION, v.PARTITION_ID),
        *(v.VERSION_DATE, v.VERSION_LABEL, v.EVENT_DATE, v.EVENT),
        *(v.LANGUAGE_TAG, v.LANGUAGE_AUTHORITY),
        *(v.EDITOR, v.EDITOR_SPECIFICATION, v.MEDIA_TYPE, v.FORMAT_SPECIFICATION),
        *(v.COMPONENT, v.FEATURE),
    }
)
"""Properties of names in the decoded layer."""


def classify_name(name: Name) -> NameKind:
    """Return the kind of the thing that a name names."""
    if name.partition is not None:
        return NameKind.PARTITION
    if name.manifestation is not None:
        return NameKind.WORK_MANIFESTATION if name.expression is None else NameKind.EMBODIMENT
    if name.expression is not None:
        return NameKind.EXPRESSION
    return NameKind.ANNEX if name.work.annexes else NameKind.ACT


def decode_name(name: Name) -> list[str]:
    """List the properties that a name itself gives, predicate and object as N-Triples writes them.

    The link to its parent is not among them: a family or graph may lack that node.
    """
    kind = classify_name(name)
    properties = [*kind.types, f'{v.IDENTIFIER} "{name}"']
    if kind is NameKind.ACT:
        properties += _decode_issuing(name.jurisdiction, name.work.authority, name.work.measure)
        details = name.work.details
        for date in details.dates:
            properties += _decode_date(v.DATE, date)
        properties += _list_texts(v.PERIOD, [] if details.period is None else [details.period])
        properties += _list_texts(v.NUMBER, details.numbers)
    elif kind is NameKind.EXPRESSION and name.expression is not None:
        properties += _decode_expression(name.expression)
    elif kind is NameKind.PARTITION:
        properties.append(f'{v.PARTITION_ID} "{name.partition}"')
    elif name.manifestation is not None:
        properties += _decode_manifestation(name.manifestation)
    else:
        annex = name.work.annexes[-1]
        properties.append(f'{v.ANNEX_ID} "{annex.id}"')
        properties += _list_texts(v.ANNEX_SPECIFICATION, annex.specifications)
    return list(dict.fromkeys(properties))


def _list_texts(predicate: str, values: Iterable[object]) -> Properties:
    return tuple(f'{predicate} "{value}"' for value in values)


@lru_cache(maxsize=4096)
def _decode_issuing(
    jurisdiction: Jurisdiction, authority: Authority, measure: Measure
) -> Properties:
    """Decode jurisdiction, authority and measure: many acts share them."""
    return (
        f'{v.JURISDICTION_CODE} "{jurisdiction.code}"',
        *_list_texts(v.JURISDICTION_UNIT, jurisdiction.units),
        f'{v.AUTHORITY} "{authority}"',
        *_list_texts(v.ISSUER, authority.issuers),
        f'{v.MEASURE_TYPE} "{measure.type}"',
        *_list_texts(v.MEASURE_SPECIFICATION, measure.specifications),
    )


def _decode_date(predicate: str, date: Date) -> Properties:
    """Decode a date; one that is not a day of the calendar stays a plain text."""
    day = f'{predicate} "{date.iso}"'
    if date.day is not None:
        day = f"{day}^^{v.XSD_DATE}"
    return (day, f'{v.LOCAL_DATE} "{date.local}"') if date.local else (day,)


@lru_cache(maxsize=4096)
def _decode_expression(expression: ExpressionIdentifier) -> Properties:
    version = expression.version
    properties = () if version.date is None else _decode_date(v.VERSION_DATE, version.date)
    if version.specification is not None:
        properties += (f'{v.VERSION_LABEL} "{version.specification}"',)
    for event in version.events:
        named = () if event.event is None else (f'{v.EVENT} "{event.event}"',)
        properties += named if event.date is None else _decode_date(v.EVENT_DATE, event.date)
    if expression.language is not None:
        properties += _decode_language(expression.language)
    return properties


@lru_cache(maxsize=1024)
def _decode_language(tag: str) -> Properties:
    """Decode a tag; add the IRI of the language where the Publications Office of the EU has one."""
    code = data.load_table("languages")["authority"].get(tag.partition("-")[0])
    authority = () if code is None else (f"{v.LANGUAGE_AUTHORITY} <{v.LANGUAGE}{code}>",)
    return (f'{v.LANGUAGE_TAG} "{tag}"^^{v.XSD_LANGUAGE}', *authority)


@lru_cache(maxsize=4096)
def _decode_manifestation(manifestation: ManifestationIdentifier) -> Properties:
    editor, form = manifestation.editor, manifestation.format
    component, feature = manifestation.component, manifestation.feature
    properties = (
        f'{v.EDITOR} "{editor.publisher}"',
        *_list_texts(v.EDITOR_SPECIFICATION, editor.specifications),
        f'{v.MEDIA_TYPE} "{form.mime}"',
        *_list_texts(v.FORMAT_SPECIFICATION, form.specifications),
    )
    if component is not None:
        properties += (f'{v.COMPONENT} "{component}"',)
    if feature is not None:
        properties += (f'{v.FEATURE} "{feature}"',)
    return properties


COMPUTED_PROPERTIES = frozenset(
    {
        *(v.SAME_AS, v.EXEMPLAR, *(link for kind in NameKind for link in kind.down)),
        *(v.SAME_VERSION, v.IS_VERSION_OF, v.AMENDED_BY, v.AS_OF, *CONCEPT_LINKS),
        v.DCAT_MEDIA_TYPE,
        *(v.FORCE_FROM, v.FORCE_FROM_BASIS, v.FORCE_UNTIL, v.FORCE_UNTIL_BASIS),
        *(v.FIRST, v.LAST, v.PREVIOUS, v.NEXT, v.CURRENT, v.VERSION_HISTORY),
        *(v.HAS_VERSION, v.HAS_CURRENT_VERSION),
    }
)
"""Properties of names in the computed layer."""

ITEM_LINKS = frozenset({v.EXEMPLAR_OF, v.SAME_AS})
"""Links in the computed layer to names: from copies, and from HTTP-URI equivalents."""

NodeProperties = dict[str, list[str]]
"""Properties of each node in one layer."""
_LINE_ENDS = tuple(f" <{layer.iri}> .\n" for layer in Layer)


def statements_of(family: Family, *, as_of: dt.date | str, base: str | None = None) -> Statements:
    """Make the statements of a family, in three layers.

    Args:
        family: the family.
        as_of: the day for which the version in force is asked, as a date or in ISO 8601.
        base: the base of the HTTP-URI equivalents; none are written without it.

    Raises:
        GraphError: no graph can hold a value, for example a URL that is not an IRI.
        DateError: ``as_of`` is a text that is not a date.
        ValueError: ``base`` cannot be the base of HTTP URIs.
    """
    layers: dict[str, tuple[Triple, ...]] = {}
    texts: dict[str, str] = {}  # each predicate and value once, however often it is repeated
    for layer, nodes in zip(Layer, gather_layers(family, read_day(as_of), base), strict=True):
        layers[layer] = tuple(
            (node, texts.setdefault(predicate, predicate), texts.setdefault(value, value))
            for node, properties in nodes.items()
            for each in properties
            for predicate, _, value in [each.partition(" ")]
        )
    return Statements(**layers)


def nquads_of(family: Family, *, as_of: dt.date, base: str | None = None) -> bytes:
    """Write a family as canonical N-Quads: the same bytes as `write` gives, sooner.

    Arguments and errors are those of `statements_of`.
    """
    return write_layers(gather_layers(family, as_of, base))


def write_layers(layers: Sequence[NodeProperties]) -> bytes:
    """Write the properties of nodes in three layers as canonical N-Quads."""
    ends = tuple(zip(layers, _LINE_ENDS, strict=True))
    parts: list[bytes] = []
    for node in sorted({node for layer in layers for node in layer}):
        lines: list[str] = []
        for layer, end in ends:
            if node in layer:
                lines += [each + end for each in set(layer[node])]
        lines.sort()
        start = f"{node} "
        parts.append(f"{start}{start.join(lines)}".encode())
    return b"".join(parts)


def gather_layers(
    family: Family, as_of: dt.date, base: str | None
) -> tuple[NodeProperties, NodeProperties, NodeProperties]:
    """Gather the properties of each node: decoded, catalogued, computed."""
    decoded: NodeProperties = {}
    catalogued: NodeProperties = defaultdict(list)
    computed: NodeProperties = defaultdict(list)
    holders: dict[str, dict[str, NameKind]] = defaultdict(dict)
    nodes: dict[str, str] = {}
    for record in family.records:
        name, text = record.name, str(record.name)
        node, kind = f"<{name.iri}>", classify_name(name)
        nodes[text] = node
        properties = decoded[node] = decode_name(name)
        # Records are sorted and complete: parents have been met.
        parent = nodes.get(kind.parent(text))
        if parent is not None:
            properties += [f"{link} {parent}" for link in kind.up]
            computed[parent] += [f"{link} {node}" for link in kind.down]
        links = _list_registry_links(name, kind)
        if links:
            computed[node] += links
        stated, of_record = list_catalogued_properties(record)
        if stated:
            catalogued[node] += stated
        if of_record:
            catalogued[f"<{name.iri}{v.RECORD_END}>"] += of_record
        for item in record.items:
            holders[f"<{item.url}>"][node] = kind
            for subject, each in list_item_properties(item):
                catalogued[subject].append(each)
    _relate_expressions(family, nodes, computed)
    _relate_languages(family, computed)
    _relate_amendments(family, computed)
    for chain in family.chains:
        _relate_versions(chain, as_of, computed)
    _relate_equal_names(family, base, computed)
    _relate_copies(family, holders, computed)
    return decoded, catalogued, computed


def _list_registry_links(name: Name, kind: NameKind) -> Properties:
    """List the links of an act to concepts, and of a manifestation to its media type."""
    if kind is NameKind.ACT:
        return list_concept_links(name)
    if kind.is_manifestation and name.manifestation is not None:
        media_type = name.manifestation.format.media_type
        if media_type is not None:
            return (f"{v.DCAT_MEDIA_TYPE} <{v.MEDIA_TYPES}{media_type}>",)
    return ()


def _relate_expressions(family: Family, nodes: Mapping[str, str], computed: NodeProperties) -> None:
    """Relate works to expressions named under their aliases, and partitions to those of works.

    The canonical work has the expressions named under its aliases, too, unless that alias is
    withdrawn, or follows from a withdrawn one. A partition of an expression is related to the same
    partition of the work, if that has a node.

    Args:
        family: the family.
        nodes: the node of each name, by its canonical text.
        computed: takes the properties, as in the functions below.
    """
    for record in family.records:
        name = record.name
        if name.expression is None or name.manifestation is not None:
            continue
        if name.partition is None and not family.same:
            continue  # the work has no alias
        node, own = f"<{name.iri}>", name.work_name
        work = family.canonical(own)
        if name.partition is not None:
            parts = (nodes.get(f"{each}~{name.partition}") for each in (work, own))
            part = next(filter(None, parts), None)
            if part is not None:
                computed[node].append(f"{v.IS_VERSION_OF} {part}")
        elif family.same.get(own) == work:
            computed[f"<{work.iri}>"].append(f"{v.REALIZATION} {node}")


def _relate_amendments(family: Family, computed: NodeProperties) -> None:
    """Relate works to the acts that made their versions, unless they state these themselves."""
    for record in family.records:
        name = record.name
        if record.amended_by and name.expression is not None and record.status is None:
            work = family.record(name.work_name)
            for each in record.amended_by:
                if work is not None and each not in work.amended_by:
                    computed[f"<{work.name.iri}>"].append(f"{v.AMENDED_BY} <{each.iri}>")


def _relate_languages(family: Family, computed: NodeProperties) -> None:
    """Relate the expressions of one version in several languages, both ways."""
    if len(family.chains) <= 1:  # each is in one language
        return
    versions: dict[Hashable, list[tuple[str | None, str]]] = defaultdict(list)
    for each in family.chains:
        for name in (version.name for version in each.versions):
            if name.expression is not None:
                key = each.work, make_translation_key(name.expression.version)
                versions[key].append((each.language, f"<{name.iri}>"))
    for nodes in versions.values():
        for (language, one), (other_language, other) in permutations(nodes, 2):
            if language != other_language:
                computed[one].append(f"{v.SAME_VERSION} {other}")


def _relate_equal_names(family: Family, base: str | None, computed: NodeProperties) -> None:
    """Relate equal names whose parents are equal, and the HTTP URIs to the names."""
    for name, target in family.same.items():
        if name not in family.aliases:
            computed[f"<{name.iri}>"].append(f"{v.SAME_AS} <{target.iri}>")
    if base is not None:
        for record in family.records:
            target = family.same.get(record.name, record.name)
            uri = http_of(record.name, base).uri
            computed[f"<{uri}>"].append(f"{v.SAME_AS} <{target.iri}>")


def _relate_copies(
    family: Family, holders: Mapping[str, Mapping[str, NameKind]], computed: NodeProperties
) -> None:
    """Relate copies to the only manifestations that have them.

    Args:
        family: the family.
        holders: the node of each copy, and the nodes that have it, each with its kind.
        computed: takes the properties.
    """
    for item, kinds in holders.items():
        (node, kind), *others = kinds.items()
        # A copy that other names have too, here or in another family, is the exemplar of none.
        if not others and kind.is_manifestation and item[1:-1] not in family.shared:
            computed[node].append(f"{v.EXEMPLAR} {item}")
            computed[item].append(f"{v.EXEMPLAR_OF} {node}")


def _relate_versions(chain: Chain, as_of: dt.date, computed: NodeProperties) -> None:
    """Relate the versions of one chain (RFC 9676 7.1.1), with their spans of force."""
    work = f"<{chain.work.iri}>"
    nodes = [f"<{version.name.iri}>" for version in chain.versions]
    current = chain.current(as_of)
    shared = [f"{v.LAST} {nodes[-1]}", f"{v.VERSION_HISTORY} {work}"]
    if chain.first is not None:
        shared.append(f"{v.FIRST} {nodes[0]}")
    if current.version is not None:
        shared.append(f"{v.CURRENT} <{current.version.iri}>")
        computed[work].append(f"{v.HAS_CURRENT_VERSION} <{current.version.iri}>")
    if current.since is not None:
        shared.append(f'{v.AS_OF} "{current.since.isoformat()}"^^{v.XSD_DATE}')
    computed[work] += [f"{v.HAS_VERSION} {node}" for node in nodes]
    for node, version in zip(nodes, chain.versions, strict=True):
        properties = computed[node]
        properties += shared
        if version.has_span:
            for day, basis, predicate, basis_predicate in (
                (version.start, version.start_basis, v.FORCE_FROM, v.FORCE_FROM_BASIS),
                (version.until, version.until_basis, v.FORCE_UNTIL, v.FORCE_UNTIL_BASIS),
            ):
                if day is not None and basis is not None:
                    properties.append(f'{predicate} "{day.isoformat()}"^^{v.XSD_DATE}')
                    properties.append(f"{basis_predicate} <{v.LEXO}{basis}>")
    for earlier, later in pairwise(nodes):
        computed[earlier].append(f"{v.NEXT} {later}")
        computed[later].append(f"{v.PREVIOUS} {earlier}")


# --- the graph of a family ------------------------------------------------------------

_LEX_PREFIX = "<urn:lex:"
_MOST_KEPT = 1_000
"""Number of names up to which nodes are kept for further pages; each takes some kilobytes."""


class _Node:
    """Node with its properties in some layers; each form of it is written at most once."""

    def __init__(self, term: str, properties: Iterable[str]) -> None:
        self._term = term
        self.predicates: dict[str, list[str]] = {}
        for each in properties:
            predicate, _, value = each.partition(" ")
            self.predicates.setdefault(intern(predicate), []).append(value)  # few, in all nodes
        for predicate, values in self.predicates.items():
            if len(values) > 1:
                self.predicates[predicate] = sort_objects(values)

    @cached_property
    def block(self) -> TurtleBlock:
        """Statements in Turtle."""
        return write_turtle_block(self._term, self.predicates)

    @cached_property
    def json(self) -> JsonNode:
        """Node in JSON-LD."""
        return read_json_node(self.predicates)


@lru_cache(maxsize=4_096)
def _describe_concept(concept: str) -> _Node:
    """Describe a concept: the acts of many families share it."""
    statements = describe_concepts((concept,)).computed
    found = [f"{predicate} {value}" for node, predicate, value in statements if node == concept]
    return _Node(concept, found)


class FamilyGraph:
    """Graph of a family in three layers, with the statements on the concepts of its acts."""

    def __init__(self, family: Family, *, as_of: dt.date | str, base: str | None = None) -> None:
        """Make the graph; arguments and errors are those of `lexurn.graph.statements_of`."""
        self._family = family
        self._layers = gather_layers(family, read_day(as_of), base)
        self._keeps = len(family.records) <= _MOST_KEPT
        self._nodes: dict[str, _Node] = {}
        self._others: dict[str, list[str]] = {}
        self._decoded: dict[str, _Node] = {}

    @cached_property
    def _concepts(self) -> Mapping[str, _Node]:
        triples = describe_concepts(find_concepts((self._family,))).computed
        return {concept: _describe_concept(concept) for concept, _, _ in triples}

    def write_nquads(self) -> bytes:
        """Write the family as canonical N-Quads, without its concepts; see `nquads_of`."""
        return write_layers(self._layers)

    def select(self, nodes: Iterable[str], ancestors: Iterable[str]) -> Excerpt:
        """Select the statements on some nodes.

        What these link to and is no LEX name belongs to them: records, copies, concepts.

        Args:
            nodes: the nodes.
            ancestors: nodes of which only the decoded layer is selected.
        """
        # In a large family, the terms alone are stored.
        found: dict[str, _Node | None] = {}
        waiting = list(nodes)
        while waiting:
            term = waiting.pop()
            node = None if term in found else self.find_node(term)
            if node is not None:
                found[term] = node if self._keeps else None
                waiting += self._others[term] if self._keeps else self._find_others(node)
        decoded = self._layers[0]
        for term in ancestors:
            if term not in found and term in decoded:
                if term not in self._decoded:
                    self._decoded[term] = _Node(term, decoded[term])
                found[term] = self._decoded[term]
        return Excerpt(self, {term: found[term] for term in sorted(found, key=node_sort_key)})

    def find_node(self, term: str) -> _Node | None:
        """Find a node with its properties; None where it has none."""
        node = self._nodes.get(term) or self._concepts.get(term)
        if node is None and any(term in layer for layer in self._layers):
            properties = (each for layer in self._layers for each in layer.get(term, ()))
            node = _Node(term, properties)
        if self._keeps and node is not None and term not in self._nodes:
            self._nodes[term] = node
            self._others[term] = self._find_others(node)
        return node

    def _find_others(self, node: _Node) -> list[str]:
        """Find the objects that belong to a node."""
        return [
            value
            for values in node.predicates.values()
            for value in values
            if value[0] == "<" and not value.startswith(_LEX_PREFIX)
            if value in self._concepts or any(value in layer for layer in self._layers)
        ]

    def list_statements(self, nodes: Mapping[str, _Node | None]) -> Statements:
        """List the statements on nodes: all of them, or the decoded ones of an ancestor."""
        layers: dict[str, tuple[Triple, ...]] = {}
        for number, layer in enumerate(Layer):
            known = [
                (term, predicate, value)
                for term, node in nodes.items()
                if layer is Layer.DECODED or node is None or node is not self._decoded.get(term)
                for each in self._layers[number].get(term, ())
                for predicate, _, value in (each.partition(" "),)
            ]
            if layer is Layer.COMPUTED:
                known += [
                    (term, predicate, value)
                    for term in nodes
                    if term in self._concepts
                    for predicate, values in self._concepts[term].predicates.items()
                    for value in values
                ]
            layers[layer] = tuple(known)
        return Statements(**layers)


class Excerpt:
    """Statements on some nodes of a family, to be written in several formats."""

    def __init__(self, whole: FamilyGraph, nodes: Mapping[str, _Node | None]) -> None:
        """Store the graph, and the nodes in reading order; None to find them when needed."""
        self._whole, self._nodes = whole, nodes

    def write(self, form: Format, *, context: str | None = None, root: str | None = None) -> bytes:
        """Write the canonical bytes of the statements; see `lexurn.graph.write`."""
        nodes = self._nodes
        if form is Format.TURTLE:
            return join_turtle_blocks(node.block for _, node in self._list_nodes()).encode()
        if form is Format.JSONLD:
            top = None if root is None else f"<{root}>"
            json_nodes = {term: node.json for term, node in self._list_nodes()}
            return write_json_nodes(json_nodes, context, top).encode()
        return write(self._whole.list_statements(nodes), form)

    def _list_nodes(self) -> Iterator[tuple[str, _Node]]:
        for term, known in self._nodes.items():
            node = known or self._whole.find_node(term)
            if node is not None:
                yield term, node
