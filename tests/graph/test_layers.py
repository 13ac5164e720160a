"""What each layer says of each kind of name, term by term."""

from __future__ import annotations

import datetime as dt

import pytest
from graph_sample import (
    ACT,
    ALIAS,
    AMENDED,
    BASE,
    ORIGINAL,
    PDF,
    PLAIN,
    SHA256,
    WITHDRAWN,
    sample,
)

from lexurn import vocabulary
from lexurn.errors import GraphError
from lexurn.graph import (
    CATALOGUED_PROPERTIES,
    COMPUTED_PROPERTIES,
    DECODED_PROPERTIES,
    ITEM_LINKS,
    ITEM_PROPERTIES,
    Layer,
    Statements,
    records_of,
    statements_of,
)
from lexurn.model import Item, LanguageText, Record, Status, families_of, family_of
from lexurn.name import http_of, parse

DAY = dt.date(2020, 1, 1)
SHORT = "urn:lex:it:stato:legge:2000-01-01;1"
DIGEST = "ni:///sha-256;Dw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8"
OTHER = "urn:lex:it:parlamento:legge:2000-01-01;1"


def node(text):
    return f"<{parse(str(text)).iri}>"


def said(triples, of):
    """What is said of a node: property -> values, with the prefixes of the vocabulary."""
    found = {}
    for subject, predicate, value in triples:
        if subject == of:
            found.setdefault(short(predicate), set()).add(value)
    return found


def short(term):
    for prefix, namespace in vocabulary.PREFIXES.items():
        if term.startswith(f"<{namespace}"):
            return f"{prefix}:{term[len(namespace) + 1 : -1]}"
    return term


def full(text):
    prefix, _, local = text.partition(":")
    return f"<{vocabulary.PREFIXES[prefix]}{local}>"


def texts(*values):
    return {f'"{value}"' for value in values}


def dates(*values):
    return {f'"{value}"^^{vocabulary.XSD_DATE}' for value in values}


def named(*values):
    return {full(value) for value in values}


def graph(*names, as_of=DAY, base=None, **stated):
    first, *others = names
    rows = [Record(name=parse(first), **stated), *(Record(name=parse(each)) for each in others)]
    return statements_of(family_of(rows), as_of=as_of, base=base)


DECODED = {
    "act": (
        ACT,
        {
            "rdf:type": named("lexo:Work", "frbr:Work"),
            "dcterms:identifier": texts(ACT),
            "lexo:jurisdictionCode": texts("it"),
            "lexo:jurisdictionUnit": texts("veneto"),
            "lexo:authority": texts("giunta;finanze+consiglio"),
            "lexo:issuer": texts("giunta;finanze", "consiglio"),
            "lexo:measureType": texts("decreto"),
            "lexo:measureSpecification": texts("urgente"),
            "lexo:date": dates("1999-09-02", "1999-09-03"),
            "lexo:localDate": texts("21-elul-5759"),
            "lexo:number": texts("3", "bis-4"),
        },
    ),
    "annex of an annex": (
        f"{ACT}:allegato.a;tabella:nota.1",
        {
            "rdf:type": named("lexo:Work", "frbr:Work", "lexo:Annex"),
            "dcterms:identifier": texts(f"{ACT}:allegato.a;tabella:nota.1"),
            "lexo:annexId": texts("nota.1"),
            "frbr:partOf": {node(f"{ACT}:allegato.a;tabella")},
        },
    ),
    "annex": (
        f"{ACT}:allegato.a;tabella",
        {
            "rdf:type": named("lexo:Work", "frbr:Work", "lexo:Annex"),
            "dcterms:identifier": texts(f"{ACT}:allegato.a;tabella"),
            "lexo:annexId": texts("allegato.a"),
            "lexo:annexSpecification": texts("tabella"),
            "frbr:partOf": {node(ACT)},
        },
    ),
    "expression": (
        AMENDED,
        {
            "rdf:type": named("lexo:Expression", "frbr:Expression"),
            "dcterms:identifier": texts(AMENDED),
            "lexo:versionDate": dates("2004-01-01"),
            "lexo:eventDate": dates("2005-06-30"),
            "lexo:localDate": texts("23-siwan-5765"),
            "lexo:event": texts("rettifica"),
            "lexo:languageTag": {f'"it"^^{vocabulary.XSD_LANGUAGE}'},
            "dcterms:language": named("eulang:ITA"),
            "frbr:realizationOf": {node(ACT)},
        },
    ),
    "expression without a language": (
        PLAIN,
        {
            "rdf:type": named("lexo:Expression", "frbr:Expression"),
            "dcterms:identifier": texts(PLAIN),
            "lexo:versionDate": dates("2004-01-01"),
            "lexo:eventDate": dates("2005-06-30"),
            "lexo:localDate": texts("23-siwan-5765"),
            "lexo:event": texts("rettifica"),
            "frbr:realizationOf": {node(ACT)},
        },
    ),
    "leap day that only Julius had": (
        f"{ACT}@1500-02-29:la",
        {
            "rdf:type": named("lexo:Expression", "frbr:Expression"),
            "dcterms:identifier": texts(f"{ACT}@1500-02-29:la"),
            "lexo:versionDate": texts("1500-02-29"),
            "lexo:languageTag": {f'"la"^^{vocabulary.XSD_LANGUAGE}'},
            "dcterms:language": named("eulang:LAT"),
            "frbr:realizationOf": {node(ACT)},
        },
    ),
    "manifestation": (
        PDF,
        {
            "rdf:type": named("lexo:Manifestation", "frbr:Manifestation"),
            "dcterms:identifier": texts(PDF),
            "lexo:editor": texts("parlamento.it"),
            "lexo:editorSpecification": texts("archivio"),
            "lexo:mediaType": texts("application-pdf"),
            "lexo:formatSpecification": texts("1.7"),
            "lexo:component": texts("testo;a"),
            "lexo:feature": texts("anonimo;b"),
            "frbr:embodimentOf": {node(ORIGINAL)},
        },
    ),
    "manifestation of a work": (
        f"{ACT}$gazzetta.it:image-tiff",
        {
            "rdf:type": named("lexo:Manifestation", "frbr:Manifestation"),
            "dcterms:identifier": texts(f"{ACT}$gazzetta.it:image-tiff"),
            "lexo:editor": texts("gazzetta.it"),
            "lexo:mediaType": texts("image-tiff"),
            "lexo:manifestationOf": {node(ACT)},
        },
    ),
    "partition": (
        f"{PDF}~art15;par3",
        {
            "rdf:type": named("lexo:Partition"),
            "dcterms:identifier": texts(f"{PDF}~art15;par3"),
            "lexo:partitionId": texts("art15;par3"),
            "dcterms:isPartOf": {node(f"{PDF}~art15")},
        },
    ),
    "partition above it": (
        f"{PDF}~art15",
        {
            "rdf:type": named("lexo:Partition"),
            "dcterms:identifier": texts(f"{PDF}~art15"),
            "lexo:partitionId": texts("art15"),
            "dcterms:isPartOf": {node(PDF)},
        },
    ),
}


@pytest.mark.parametrize(("name", "expected"), DECODED.values(), ids=DECODED)
def test_a_node_says_what_its_own_part_of_the_name_says(name, expected):
    assert said(sample().decoded, node(name)) == expected


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ("11.legislatura;1", {"lexo:period": texts("11.legislatura"), "lexo:number": texts("1")}),
        ("0000-01-01;1,1", {"lexo:date": texts("0000-01-01"), "lexo:number": texts("1")}),
        ("0001-01-01;lex-1", {"lexo:date": dates("0001-01-01"), "lexo:number": texts("lex-1")}),
        ("1900-02-28|;1", {"lexo:date": dates("1900-02-28"), "lexo:number": texts("1")}),
    ],
)
def test_details_of_all_kinds(details, expected):
    name = f"urn:lex:xx:a:b:{details}"
    found = said(graph(name).decoded, node(name))
    known = {"lexo:date", "lexo:period", "lexo:number", "lexo:localDate"}
    assert {key: value for key, value in found.items() if key in known} == expected


@pytest.mark.parametrize(
    ("tag", "code"), [("it", "ITA"), ("de-ch", "DEU"), ("zh-hant", "ZHO"), ("x-own", None)]
)
def test_a_language_has_an_iri_where_the_eu_has_one(tag, code):
    found = said(graph(f"{SHORT}@original:{tag}").decoded, node(f"{SHORT}@original:{tag}"))
    assert found["lexo:languageTag"] == {f'"{tag}"^^{vocabulary.XSD_LANGUAGE}'}
    assert found.get("dcterms:language") == (code and named(f"eulang:{code}"))


def test_what_a_publisher_states():
    assert said(sample().catalogued, node(ACT)) == {
        "dcterms:title": {
            '"Decreto sul bilancio\\n«seconda riga»\\t\\\\ \\"x\\" <b>&amp;</b>"',
            '"Haushaltsdekret"@de',
            '"Decreto sul bilancio"@it',
        },
        "dcterms:bibliographicCitation": texts("D.G.R. 2 settembre 1999, n. 3 «bis»"),
        "lexo:alias": {node("urn:lex:fr:etat:decret:1999-09-02;3")},
        "lexo:dialectName": {'"urn:nir:ministero.delle.finanze:decreto:1999-09-02;3"'},
        "dcterms:issued": dates("1999-09-02"),
        "dcterms:available": dates("1999-09-10"),
        "lexo:inForceFrom": dates("1999-10-01"),
        "lexo:legalForce": named("lexo:PartlyInForce"),
        "lexo:legalForceOn": dates("1999-10-01"),
        "lexo:amendedBy": {node("urn:lex:it:stato:legge:2004-01-01;1")},
        "foaf:page": {"<https://example.org/decreto?n=3&anno=1999>"},
        "dcterms:license": {"<https://creativecommons.org/licenses/by/4.0/>"},
        "dc:publisher": texts("Ministero delle finanze"),
        "dcterms:publisher": {"<https://example.org/id/ministero>"},
        "dcterms:creator": {"<https://example.org/id/ufficio>"},
        "dc:subject": texts("Umwelt:Wasser"),
        "lexo:item": {"<https://example.org/tutto.html>"},
    }


def test_a_withdrawn_alias_is_replaced_and_not_the_same():
    statements = sample()
    gone, version = node(WITHDRAWN), node(f"{WITHDRAWN}@original:it")
    assert said(statements.catalogued, gone) == {"dcterms:isReplacedBy": {node(ACT)}}
    links = {(s, p, o) for s, p, o in statements.merged if p == vocabulary.SAME_AS}
    assert {triple for triple in links if triple[0] in {gone, version}} == set()
    assert {s for s, _, o in links if o in {gone, version}} == {
        "<https://law.example/lex/it/stato/decreto/1999;3>",
        "<https://law.example/lex/it/stato/decreto/1999;3/@/original/it>",
    }
    assert version not in said(statements.computed, node(ACT))["frbr:realization"]


def test_a_version_below_a_withdrawn_alias_is_one_of_the_canonical_work():
    records = [
        Record(name=parse(SHORT)),
        Record(name=parse(f"{SHORT}x"), alias_of=parse(SHORT), status=Status.WITHDRAWN),
        Record(name=parse(f"{SHORT}y"), alias_of=parse(SHORT)),
        Record(name=parse(f"{SHORT}x@2001-01-01")),
        Record(name=parse(f"{SHORT}y@2001-01-01")),
        Record(name=parse(f"{SHORT}x@2002-01-01")),
        Record(name=parse(f"{SHORT}y@2003-01-01"), status=Status.WITHDRAWN),
        Record(name=parse(f"{SHORT}@2003-01-01")),
    ]
    family = family_of(records)
    names = [str(each.name) for each in family.chains[0].versions]
    # Of equal names, the one below a withdrawn alias does not stand for the version.
    assert names == [f"{SHORT}y@2001-01-01", f"{SHORT}x@2002-01-01", f"{SHORT}@2003-01-01"]
    statements = statements_of(family, as_of=DAY)
    computed = said(statements.computed, node(SHORT))
    assert computed["dcat:hasVersion"] == {node(each) for each in names}
    assert {s for s, p, _ in statements.merged if p == vocabulary.SAME_AS} == {node(f"{SHORT}y")}
    assert records_of(statements.merged) == records_of(statements) == family.records


def test_the_acts_that_made_a_version_amended_its_work():
    law, other = (parse(f"urn:lex:it:stato:legge:200{n}-01-01;1") for n in (4, 5))
    records = [
        Record(name=parse(SHORT), amended_by=(law,)),
        Record(name=parse(f"{SHORT}@2005-01-01"), amended_by=(law, other)),
        Record(name=parse(f"{SHORT}@2006-01-01"), amended_by=(other,), status=Status.WITHDRAWN),
        Record(name=parse(f"{SHORT}@2005-01-01~art1"), amended_by=(other,)),
    ]
    statements = statements_of(family_of(records), as_of=DAY)
    stated = {(s, p, o) for s, p, o in statements.catalogued if o in {node(law), node(other)}}
    assert stated == {
        (node(SHORT), vocabulary.AMENDED_BY, node(law)),
        (node(f"{SHORT}@2005-01-01"), vocabulary.CONSOLIDATES, node(law)),
        (node(f"{SHORT}@2005-01-01"), vocabulary.CONSOLIDATES, node(other)),
        (node(f"{SHORT}@2006-01-01"), vocabulary.CONSOLIDATES, node(other)),
        (node(f"{SHORT}@2005-01-01~art1"), vocabulary.CONSOLIDATES, node(other)),
    }
    assert said(statements.computed, node(SHORT))["lexo:amendedBy"] == {node(other)}


def test_what_is_stated_of_others():
    catalogued = sample().catalogued
    assert said(catalogued, node(ALIAS)) == {"owl:sameAs": {node(ACT)}}
    assert said(catalogued, node(f"{ALIAS}@original:it")) == {}
    assert said(catalogued, f"{node(ACT)[:-1]}#record>") == {
        "rdf:type": named("dcat:CatalogRecord"),
        "foaf:primaryTopic": {node(ACT)},
        "dcterms:modified": dates("2005-07-01"),
    }
    assert said(catalogued, f"<{WITHDRAWN}#record>") == {
        "rdf:type": named("dcat:CatalogRecord"),
        "foaf:primaryTopic": {node(WITHDRAWN)},
        "lexo:status": named("lexo:Withdrawn"),
        "lexo:withdrawnOn": dates("2001-01-01"),
    }
    assert said(catalogued, node(f"{ACT}@bozza;2006-01-01:it")) == {
        "lexo:versionOrder": {f'"-2"^^{vocabulary.XSD_INTEGER}'}
    }
    assert said(catalogued, node(ORIGINAL)) == {"lexo:inForceUntil": dates("2005-06-30")}


def test_a_copy_is_a_node_of_its_own():
    catalogued = sample().catalogued
    assert said(catalogued, "<https://example.org/a.pdf>") == {
        "rdf:type": named("lexo:Item", "frbr:Item"),
        "dcat:byteSize": {f'"4096"^^{vocabulary.XSD_NON_NEGATIVE_INTEGER}'},
        "spdx:checksum": {f"<{DIGEST}>"},
    }
    assert said(catalogued, f"<{DIGEST}>") == {
        "rdf:type": named("spdx:Checksum"),
        "spdx:algorithm": named("spdx:checksumAlgorithm_sha256"),
        "spdx:checksumValue": {f'"{SHA256}"^^{vocabulary.XSD_HEX_BINARY}'},
    }


def test_links_lead_down_too():
    computed = sample(base=None).computed
    named_otherwise = {node(f"{ALIAS}@original:it")}
    assert said(computed, node(ACT))["frbr:realization"] == named_otherwise | {
        node(f"{ACT}@{version}")
        for version in (
            "1500-02-29:la",
            "2004-01-01;2005-06-30|23-siwan-5765;rettifica",
            "2004-01-01;2005-06-30|23-siwan-5765;rettifica:it",
            "bozza;2006-01-01:it",
            "original:it",
        )
    }
    assert said(computed, node(ACT))["lexo:manifestation"] == {
        node(f"{ACT}$gazzetta.it:image-tiff")
    }
    assert said(computed, node(ACT))["frbr:part"] == {node(f"{ACT}:allegato.a;tabella")}
    assert said(computed, node(ORIGINAL))["frbr:embodiment"] == {node(PDF)}
    assert said(computed, node(PDF))["dcterms:hasPart"] == {node(f"{PDF}~art15")}
    assert said(computed, node(f"{PDF}~art15")) == {"dcterms:hasPart": {node(f"{PDF}~art15;par3")}}


def test_a_copy_that_one_manifestation_alone_has_is_its_exemplar():
    computed = sample().computed
    url = "<https://example.org/a.pdf>"
    assert said(computed, url) == {"frbr:exemplarOf": {node(PDF)}}
    assert said(computed, node(PDF))["frbr:exemplar"] == {url}


def test_a_copy_of_several_things_is_nobodys_exemplar():
    computed = sample().computed
    url = "<https://example.org/tutto.html>"
    assert not [triple for triple in computed if url in triple]


def test_a_copy_of_several_families_is_nobodys_exemplar():
    pdf = "$a.it:application-pdf"
    items = (Item(url="https://example.org/gazette.pdf"),)
    acts = (SHORT, SHORT.replace(";1", ";2"))
    families = families_of(Record(name=parse(act + pdf), items=items) for act in acts)
    computed = Statements.union(statements_of(family, as_of=DAY) for family in families).computed
    assert not any(predicate == vocabulary.EXEMPLAR for _, predicate, _ in computed)


@pytest.mark.parametrize(
    ("name", "exemplar"),
    [
        (f"{SHORT}$a.it:text-html", True),
        (f"{SHORT}@original$a.it:text-html", True),
        (f"{SHORT}@original$a.it:text-html~art1", False),
        (f"{SHORT}@original", False),
        (SHORT, False),
    ],
)
def test_only_manifestations_have_exemplars(name, exemplar):
    twice = tuple(Item(url="https://example.org/x", bytes=size) for size in (None, 1))
    computed = graph(name, items=twice).computed
    assert any(predicate == vocabulary.EXEMPLAR for _, predicate, _ in computed) == exemplar


def test_a_version_and_the_same_in_one_language():
    computed = sample().computed
    assert said(computed, node(PLAIN))["lexo:sameVersion"] == {node(AMENDED)}
    assert said(computed, node(AMENDED))["lexo:sameVersion"] == {node(PLAIN)}
    assert "lexo:sameVersion" not in said(computed, node(f"{ACT}@bozza;2006-01-01:it"))


@pytest.mark.parametrize(
    ("versions", "same"),
    [
        (("original:en", "originel:fr"), True),
        (("originale:it", "stammfassung:de", "original"), True),
        (("originale;2001-05-05;rettifica:it", "original;2001-05-05;rettifica:es"), True),
        (("originale;2001-05-05:it", "original:es"), False),
        (("original:it", "originale:it"), False),  # one language has one original
        (("bozza:it", "entwurf:de"), False),
    ],
)
def test_the_original_is_one_version_in_all_languages(versions, same):
    computed = graph(*(f"{SHORT}@{each}" for each in versions)).computed
    nodes = {node(f"{SHORT}@{each}") for each in versions}
    for each in nodes:
        found = said(computed, each).get("lexo:sameVersion", set())
        assert found == (nodes - {each} if same else set())


def aliased(*names, **fields):
    """The computed statements on an act and its alias, with more names."""
    records = [Record(name=parse(OTHER), alias_of=parse(SHORT), **fields)]
    records += [Record(name=parse(name)) for name in names]
    (family,) = families_of(records)
    return statements_of(family, as_of=DAY).computed


def test_a_version_in_languages_under_an_alias():
    computed = aliased(f"{SHORT}@original:it", f"{OTHER}@original:it", f"{OTHER}@original:de")
    it, de = node(f"{SHORT}@original:it"), node(f"{OTHER}@original:de")
    assert said(computed, it)["lexo:sameVersion"] == {de}
    assert said(computed, de)["lexo:sameVersion"] == {it}
    assert "lexo:sameVersion" not in said(computed, node(f"{OTHER}@original:it"))


def test_a_canonical_work_has_the_expressions_of_its_aliases():
    version = f"{OTHER}@original"
    assert said(aliased(version), node(SHORT))["frbr:realization"] == {node(version)}
    assert said(aliased(version), node(OTHER))["frbr:realization"] == {node(version)}
    withdrawn = aliased(version, status=Status.WITHDRAWN)
    assert "frbr:realization" not in said(withdrawn, node(SHORT))


@pytest.mark.parametrize(
    ("names", "part", "whole"),
    [
        ((f"{SHORT}~art1", f"{SHORT}@original~art1"), f"{SHORT}@original~art1", f"{SHORT}~art1"),
        ((f"{SHORT}~art1", f"{OTHER}@original~art1"), f"{OTHER}@original~art1", f"{SHORT}~art1"),
        ((f"{OTHER}~art1", f"{OTHER}@original~art1"), f"{OTHER}@original~art1", f"{OTHER}~art1"),
        ((f"{SHORT}~art2", f"{SHORT}@original~art1"), f"{SHORT}@original~art1", None),
        ((f"{SHORT}~art1", f"{SHORT}@a$b.it:pdf~art1"), f"{SHORT}@a$b.it:pdf~art1", None),
    ],
)
def test_a_partition_of_an_expression_is_a_version_of_that_of_the_work(names, part, whole):
    expected = None if whole is None else {node(whole)}
    assert said(aliased(*names), node(part)).get("dcterms:isVersionOf") == expected


def test_version_relations_in_a_chain():
    bill = f"{ACT}@bozza;2006-01-01:it"
    computed = sample(base=None).computed
    everywhere = {
        "iana:first": {node(ORIGINAL)},
        "iana:last": {node(bill)},
        "iana:current": {node(bill)},
        "iana:version-history": {node(ACT)},
        "lexo:asOf": dates("2006-01-01"),
    }
    assert said(computed, node(bill)) == everywhere | {
        "iana:previous": {node(AMENDED)},
        "lexo:forceFrom": dates("2006-01-01"),
        "lexo:forceFromBasis": {"<https://w3id.org/lexurn/ns#BasisEventDate>"},
    }
    middle = said(computed, node(AMENDED))
    assert middle["iana:previous"] == {node(ORIGINAL)}
    assert middle["iana:next"] == {node(bill)}
    assert middle["lexo:forceUntil"] == dates("2006-01-01")
    assert middle["lexo:forceUntilBasis"] == {"<https://w3id.org/lexurn/ns#BasisNextVersion>"}
    first = said(computed, node(ORIGINAL))
    assert first["iana:next"] == {node(AMENDED)}
    assert "iana:previous" not in first


def test_versions_on_the_work():
    found = said(sample().computed, node(ACT))
    assert len(found["dcat:hasVersion"]) == 5
    assert found["dcat:hasCurrentVersion"] == {node(f"{ACT}@bozza;2006-01-01:it"), node(PLAIN)}
    assert "lexo:asOf" not in found


@pytest.mark.parametrize(
    ("day", "current", "since"),
    [
        (dt.date(1999, 12, 31), None, None),
        (dt.date(2000, 1, 1), "@original", "2000-01-01"),
        (dt.date(2004, 12, 31), "@original", "2000-01-01"),
        (dt.date(2005, 1, 1), "@2005-01-01", "2005-01-01"),
        (dt.date(2010, 1, 1), None, "2010-01-01"),
        (dt.date(2020, 1, 1), None, "2010-01-01"),
    ],
)
def test_none_in_force_is_a_result(day, current, since):
    rows = [
        Record(name=parse(f"{SHORT}@original")),
        Record(name=parse(f"{SHORT}@2005-01-01"), in_force_until=dt.date(2010, 1, 1)),
    ]
    computed = statements_of(family_of(rows), as_of=day).computed
    work = said(computed, node(SHORT))
    expected = current and {node(f"{SHORT}{current}")}
    assert work.get("dcat:hasCurrentVersion") == expected
    for version in ("@original", "@2005-01-01"):
        found = said(computed, node(f"{SHORT}{version}"))
        assert found.get("iana:current") == expected
        assert found.get("lexo:asOf") == (since and dates(since))


def test_aliases_are_a_star_and_keep_their_own_decoded_layer():
    statements = sample(base=None)
    stated = [t for t in statements.catalogued if t[1] == vocabulary.SAME_AS]
    computed = [t for t in statements.computed if t[1] == vocabulary.SAME_AS]
    assert stated == [(node(ALIAS), vocabulary.SAME_AS, node(ACT))]
    assert computed == [(node(f"{ALIAS}@original:it"), vocabulary.SAME_AS, node(ORIGINAL))]
    assert said(statements.decoded, node(ALIAS))["lexo:authority"] == texts("stato")


def test_version_relations_stand_on_one_name_of_each_version():
    found = said(sample(base=None).computed, node(f"{ALIAS}@original:it"))
    assert found.keys() == {"owl:sameAs"}


def test_http_uris_belong_to_the_star():
    same = {
        s: o for s, p, o in sample().computed if p == vocabulary.SAME_AS and s.startswith("<http")
    }
    for name, centre in {ACT: ACT, ALIAS: ACT, f"{ALIAS}@original:it": ORIGINAL, PDF: PDF}.items():
        assert same[f"<{http_of(parse(name), BASE).uri}>"] == node(centre)
    centres = set(same.values())
    assert not [s for s, p, _ in sample().merged if p == vocabulary.SAME_AS and s in centres]
    assert len(same) == len([t for t in sample().decoded if t[1] == vocabulary.IDENTIFIER])


def test_no_http_uri_without_a_base():
    assert not [s for s, _, _ in sample(base=None).computed if s.startswith("<https://law.example")]


def test_layers_are_named_like_their_individuals():
    assert [layer.iri for layer in Layer] == [
        f"{vocabulary.LEXO}{name}" for name in ("decoded", "catalogued", "computed")
    ]


def test_statements_add_up():
    one, other = graph(SHORT), graph("urn:lex:it:stato:legge:2000-01-01;2")
    both = one + other
    assert both == other + one == Statements.union([other, one, one])
    assert set(both.decoded) == {*one.decoded, *other.decoded}
    assert list(both.decoded) == sorted(both.decoded)


UNFIT = {
    "url": {"items": (Item(url="https://example.org/a b"),)},
    "url without a scheme": {"items": (Item(url="a.pdf"),)},
    "pages": {"pages": ("https://exa<mple.org/",)},
    "licenses": {"licenses": ("CC BY",)},
    "sha256": {"items": (Item(url="https://example.org/", sha256='0"'),)},
    "surrogate": {"titles": (LanguageText(value="\ud800"),)},
    "language": {"titles": (LanguageText(value="x", language="i t"),)},
}


@pytest.mark.parametrize("stated", UNFIT.values(), ids=UNFIT)
def test_what_no_graph_can_hold_is_an_error(stated):
    with pytest.raises(GraphError, match=r"is not|surrogate"):
        graph(SHORT, **stated)


@pytest.mark.parametrize(
    ("value", "as_iri"),
    [
        ("https://example.org/", True),
        ("urn:isni:1", True),
        ("mailto:a@example.org", True),
        ("Umwelt:Wasser", False),
        ("https://example.org/a b", False),
        ("http://[x", False),
    ],
)
def test_agents_are_iris_or_texts(value, as_iri):
    found = said(graph(SHORT, publishers=(value,)).catalogued, node(SHORT))
    expected = {"dcterms:publisher": {f"<{value}>"}} if as_iri else {"dc:publisher": texts(value)}
    assert found == expected


def test_each_layer_has_its_own_properties():
    properties = {
        Layer.DECODED: DECODED_PROPERTIES,
        Layer.CATALOGUED: CATALOGUED_PROPERTIES | ITEM_PROPERTIES | {vocabulary.PRIMARY_TOPIC},
        Layer.COMPUTED: COMPUTED_PROPERTIES | ITEM_LINKS,
    }
    for layer, known in properties.items():
        used = {predicate for _, predicate, _ in sample().layer(layer)}
        assert used <= known
        assert len(used) > len(known) / 2
