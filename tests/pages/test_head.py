"""Head tags: what they say, in what order, how they are escaped."""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import replace

import pytest
from export_cases import (
    ACT,
    ANNEX,
    AS_OF,
    BASE,
    FIRST,
    GERMAN,
    HOSTILE,
    HOSTILE_TITLE,
    PARTITION,
    PDF,
    SECOND,
    SWISS,
    SWISS_FRENCH,
    THIRD,
    golden,
    name,
    records,
    titles,
    url,
    write_head,
)
from lxml import html

from lexurn import data
from lexurn.model import Item, LanguageText, Record, Status, families_of
from lexurn.pages import head

ELI = "http://data.europa.eu/eli/ontology#"
XSD = "http://www.w3.org/2001/XMLSchema#"
ALIAS = "urn:lex:it:stato:testo.unico:2003-09-21;456"


def tags(text: str, as_of: dt.date = AS_OF) -> html.HtmlElement:
    rendered = write_head(text, as_of=as_of)
    return html.fromstring(f"<!DOCTYPE html><html><head>{rendered}</head><body></body></html>")


def links(text: str, relation: str, as_of: dt.date = AS_OF) -> list[str]:
    found = tags(text, as_of).findall(".//link[@rel]")
    return [each.get("href") for each in found if relation in each.get("rel").split()]


def meta(text: str, term: str) -> list[str]:
    return [each.get("content") for each in tags(text).findall(f".//meta[@name='{term}']")]


def rdfa(text: str, term: str) -> list[str]:
    found = tags(text).findall(f".//*[@property='{ELI}{term}']")
    return [each.get("content") or each.get("href") for each in found]


def block(text: str, as_of: dt.date = AS_OF) -> dict[str, object]:
    (script,) = tags(text, as_of).findall(".//script")
    found: dict[str, object] = json.loads(script.text)
    return found


@pytest.mark.parametrize(
    ("text", "file"),
    [
        (ACT, "head_act.html"),
        (SECOND, "head_version.html"),
        (PDF, "head_manifestation.html"),
        (ANNEX, "head_annex.html"),
        (PARTITION, "head_partition.html"),
        (SWISS_FRENCH, "head_alias.html"),
        (HOSTILE, "head_hostile.html"),
    ],
)
def test_tags_are_as_agreed(text: str, file: str) -> None:
    golden(file, write_head(text))


def test_what_breaks_lines_elsewhere_is_a_blank() -> None:
    title = LanguageText(value="Legge\u2028quadro\x85sull\u2029acqua", language="it")
    text = head(name(ACT), [Record(name=name(ACT), titles=(title,))], base=None, as_of=AS_OF)
    assert 'content="Legge quadro sull acqua"' in text
    assert "u2028" not in text.partition("<script")[0]


def test_tags_are_one_a_line_and_none_twice() -> None:
    before, _, _ = write_head(ACT).partition("<script")
    lines = before.splitlines()
    assert all(re.fullmatch(r"<(?:meta|link) .*>", line) for line in lines)
    assert len(lines) == len(set(lines))


def test_dublin_core_names_its_schemas_first() -> None:
    first, second, third, *_ = tags(ACT).find("head")
    assert first.get("href") == "http://purl.org/dc/elements/1.1/"
    assert second.get("href") == "http://purl.org/dc/terms/"
    assert third.get("content") == ACT


def test_dublin_core_of_a_version_names_its_work_and_language() -> None:
    assert links(SECOND, "DCTERMS.isVersionOf") == [ACT]
    assert meta(SECOND, "DC.language") == ["it"]
    assert meta(SECOND, "DC.title") == ["Norme sulla tutela delle acque"]


def test_dublin_core_of_a_file_form() -> None:
    assert meta(PDF, "DC.format") == ["application/pdf"]
    assert links(PDF, "DCTERMS.isFormatOf") == [SECOND]
    assert links(PDF, "DCTERMS.isVersionOf") == [ACT]


@pytest.mark.parametrize("text", [ANNEX, PARTITION])
def test_annexes_and_partitions_are_parts_and_inherit_no_title(text: str) -> None:
    assert links(text, "DCTERMS.isPartOf") == [ACT]
    assert "Norme sulla tutela delle acque" not in meta(text, "DC.title")


def test_dates_people_and_licence() -> None:
    assert meta(ACT, "DCTERMS.issued") == ["2003-09-21"]
    assert meta(ACT, "DCTERMS.available") == ["2003-10-01"]
    assert meta(ACT, "DCTERMS.modified") == ["2024-05-05"]
    assert meta(ACT, "DC.publisher") == ["Ufficio pubblicazioni"]
    assert links(ACT, "DCTERMS.publisher") == ["https://publisher.example/office"]
    assert links(ACT, "license") == ["https://creativecommons.org/publicdomain/zero/1.0/"]


def test_titles_carry_their_languages() -> None:
    found = tags(ACT).findall(".//meta[@name='DC.title']")
    assert [(each.get("lang"), each.get("content")) for each in found] == [
        ("it", "Norme sulla tutela delle acque"),
        ("de", "Gewässerschutz"),
    ]


@pytest.mark.parametrize(
    ("text", "relation", "targets"),
    [
        (FIRST, "first", [FIRST]),
        (FIRST, "prev", []),
        (FIRST, "next", [SECOND]),
        (FIRST, "last", [THIRD]),
        (SECOND, "first", [FIRST]),
        (SECOND, "prev", [FIRST]),
        (SECOND, "next", [THIRD]),
        (SECOND, "last", [THIRD]),
        (THIRD, "prev", [SECOND]),
        (THIRD, "next", []),
        (THIRD, "last", [THIRD]),
        (THIRD, "current", [SECOND]),
        (THIRD, "latest-version", [SECOND]),
        (PDF, "current", [SECOND]),
        (THIRD, "DCTERMS.replaces", [FIRST, SECOND]),
        (SECOND, "DCTERMS.replaces", [FIRST]),
        (FIRST, "DCTERMS.replaces", []),
        (PDF, "DCTERMS.replaces", []),
        (FIRST, "version-history", [ACT]),
        (FIRST, "self", [FIRST]),
        (PDF, "next", [THIRD]),
        (PDF, "self", [PDF]),
        (ACT, "first", []),
        (ACT, "next", []),
        (GERMAN, "next", []),
    ],
)
def test_version_links(text: str, relation: str, targets: list[str]) -> None:
    assert links(text, relation) == [url(target) for target in targets]


def test_each_version_link_has_its_other_names() -> None:
    relations = {each.get("rel") for each in tags(SECOND).findall(".//link[@rel]")}
    expected = {"prev previous predecessor-version", "next successor-version"}
    assert expected | {"current latest-version"} <= relations


@pytest.mark.parametrize(
    ("day", "current"),
    [
        ("2003-10-15", []),
        ("2003-10-16", [GERMAN, FIRST]),
        ("2005-02-28", [GERMAN, FIRST]),
        ("2005-03-01", [GERMAN, SECOND]),
        ("2030-12-31", [GERMAN, THIRD]),
    ],
)
def test_the_page_of_a_work_names_what_is_in_force(day: str, current: list[str]) -> None:
    found = links(ACT, "current", dt.date.fromisoformat(day))
    assert found == [url(text) for text in current]


def test_the_page_of_a_version_leads_straight_to_the_one_in_force() -> None:
    for text in (FIRST, SECOND, THIRD):
        assert links(text, "current", dt.date(2040, 1, 1)) == [url(THIRD)]
        assert links(text, "current", dt.date(2003, 10, 15)) == []


def test_a_page_leads_to_a_hundred_earlier_versions() -> None:
    versions = [f"{ACT}@{year}-01-01" for year in range(1800, 2020)]
    rendered = write_head(versions[-1], [Record(name=name(v)) for v in versions])
    found = re.findall('rel="DCTERMS.replaces" href="([^"]+)"', rendered)
    assert found == [url(each) for each in versions[-101:-1]]
    assert '"first"' not in rendered  # the original is not known


def test_other_languages_of_the_same_version() -> None:
    found = tags(FIRST).findall(".//link[@hreflang]")
    assert [(each.get("hreflang"), each.get("href")) for each in found] == [("de", url(GERMAN))]


def test_other_languages_are_found_across_aliases_and_words_for_original() -> None:
    found = tags(f"{SWISS}@original:de").findall(".//link[@hreflang]")
    french = url(f"{SWISS_FRENCH}@originel:fr")
    assert [(each.get("hreflang"), each.get("href")) for each in found] == [("fr", french)]


def test_an_alias_is_to_be_cited_by_its_canonical_name() -> None:
    assert links(SWISS_FRENCH, "canonical") == links(SWISS_FRENCH, "cite-as") == [url(SWISS)]
    assert links(SWISS_FRENCH, "self") == [url(SWISS_FRENCH)]
    assert block(SWISS_FRENCH)["sameAs"] == SWISS


def test_copies_are_alternates_with_their_media_type() -> None:
    for text in (PDF, SECOND):
        found = tags(text).findall(".//link[@type='application/pdf']")
        assert [each.get("href") for each in found] == [
            "https://files.example/456.pdf",
            "https://mirror.example/456.pdf",
        ]
        assert {each.get("rel") for each in found} == {"alternate item"}


def test_the_data_beside_the_page() -> None:
    assert links(ACT, "describedby") == [f"{url(ACT)}/index.ttl", f"{url(ACT)}/index.jsonld"]
    assert f"{url(ACT)}/index.jsonld" in links(ACT, "alternate")


def test_the_last_day_in_force_is_the_day_before_ours() -> None:
    record = Record(
        name=name(SECOND), in_force_from=dt.date(2005, 4, 1), in_force_until=dt.date(2031, 1, 1)
    )
    rendered = head(record, base=BASE, as_of=AS_OF)
    assert f'{ELI}date_no_longer_in_force" datatype="{XSD}date" content="2030-12-31"' in rendered
    assert '"temporalCoverage": "2005-04-01/2030-12-31"' in rendered
    assert block(ACT)["temporalCoverage"] == "2003-10-16/.."


def test_only_stated_days_of_a_span_are_claimed() -> None:
    assert rdfa(FIRST, "first_date_entry_in_force") == ["2003-10-16"]  # that of its act
    assert block(FIRST)["legislationDateVersion"] == "2003-10-16"
    assert rdfa(FIRST, "date_no_longer_in_force") == []  # the next version starts
    assert "temporalCoverage" not in block(FIRST)  # an open end would say that it is in force
    assert rdfa(SECOND, "first_date_entry_in_force") == rdfa(SECOND, "version_date") == []
    assert not {"temporalCoverage", "legislationDateVersion"} & block(SECOND).keys()
    # The end is stated for 2031, but the third version starts earlier.
    assert rdfa(SECOND, "date_no_longer_in_force") == []


@pytest.mark.parametrize("text", [FIRST, f"{ALIAS}@originale:it"])
def test_days_that_an_alias_states_are_claimed_on_all_pages_of_the_version(text: str) -> None:
    family = [
        Record(name=name(ALIAS), alias_of=name(ACT)),
        Record(name=name(FIRST)),
        Record(name=name(f"{ALIAS}@originale:it"), in_force_from=dt.date(2004, 2, 1)),
    ]
    rendered = write_head(text, family)
    for term in ("first_date_entry_in_force", "version_date"):
        assert f'{ELI}{term}" datatype="{XSD}date" content="2004-02-01"' in rendered
    assert f'{ELI}in_force" href="{ELI}InForce-inForce"' in rendered
    assert '"temporalCoverage": "2004-02-01/.."' in rendered
    assert '"legislationDateVersion": "2004-02-01"' in rendered
    assert '"legislationLegalForce": "https://schema.org/InForce"' in rendered


def test_an_end_before_which_no_day_comes_is_left_out() -> None:
    record = Record(name=name(ACT), in_force_until=dt.date.min)
    rendered = head(record, base=BASE, as_of=AS_OF)
    assert "date_no_longer_in_force" not in rendered


@pytest.mark.parametrize(
    ("text", "day", "force"),
    [
        (FIRST, "2004-01-01", "https://schema.org/InForce"),
        (FIRST, "2024-01-01", "https://schema.org/NotInForce"),
        (ACT, "2003-10-15", "https://schema.org/NotInForce"),
        (ACT, "2003-10-16", "https://schema.org/InForce"),
        (PDF, "2024-01-01", None),
        (PARTITION, "2024-01-01", None),
        (HOSTILE, "2024-01-01", None),
    ],
)
def test_legal_force(text: str, day: str, force: str | None) -> None:
    assert block(text, dt.date.fromisoformat(day)).get("legislationLegalForce") == force


def test_nothing_is_claimed_of_a_version_whose_name_is_withdrawn() -> None:
    withdrawn = Record(
        name=name(f"{ACT}@2005-01-01:it"),
        in_force_from=dt.date(2005, 1, 1),
        status=Status.WITHDRAWN,
    )
    rendered = head(withdrawn, base=BASE, as_of=AS_OF)
    assert "eli/ontology#in_force" not in rendered
    assert "legislationLegalForce" not in rendered


def test_force_is_claimed_only_where_a_record_states_a_date() -> None:
    undated = [replace(each, in_force_from=None, in_force_until=None) for each in records()]
    for record in undated:
        text = head(record, undated, base=BASE, as_of=AS_OF)
        assert "InForce" not in text
    for stated, words in (({}, []), ({FIRST}, ["NotInForce"]), ({SECOND}, ["InForce"])):
        day = dt.date(2003, 10, 16)
        family = [
            replace(each, in_force_from=day if str(each.name) in stated else None)
            for each in undated
        ]
        versions = [write_head(text, family) for text in (FIRST, SECOND)]
        found = [each for text in versions for each in re.findall(r"schema.org/(\w*InForce)", text)]
        assert found == words
        assert len(re.findall("eli/ontology#in_force", "".join(versions))) == len(words)
        # The act is in force if the version that is in force is stated to be.
        act = write_head(ACT, family)
        assert ("schema.org/InForce" in act) is (SECOND in stated)
        assert "NotInForce" not in act


@pytest.mark.parametrize(
    ("text", "term", "found"),
    [
        (ACT, "type_document", ["it/measures/legge"]),
        (ACT, "jurisdiction", ["jurisdictions/it"]),
        # The state stands for any legislator by convention.
        (ACT, "passed_by", []),
        (SECOND, "jurisdiction", []),
        (
            "urn:lex:it:ministero.interno:decreto:2000-01-01;1",
            "type_document",
            ["it/measures/decreto"],
        ),
        (
            "urn:lex:it:ministero.interno+ministero.lavori.pubblici:decreto:2000-01-01;1",
            "passed_by",
            ["it/authorities/ministero.interno", "it/authorities/ministero.lavori.pubblici"],
        ),
        # It ceased to exist in 2001.
        ("urn:lex:it:ministero.lavori.pubblici:decreto:2010-01-01;1", "passed_by", []),
        ("urn:lex:it:ministero.interno;direzione.x:decreto:2010-01-01;1", "passed_by", []),
        ("urn:lex:it:senato.repubblica:disegno.legge:14.legislatura;s.2544", "passed_by", []),
        ("urn:lex:it;toscana:regione:legge:2014-11-10;65", "jurisdiction", ["it/units/toscana"]),
        ("urn:lex:it;toscana:regione:legge:2014-11-10;65", "passed_by", []),
        ("urn:lex:un.org:general.assembly:resolution:2000-01-01;1", "jurisdiction", []),
    ],
)
def test_eli_says_of_an_act_only_what_the_registry_is_sure_of(
    text: str, term: str, found: list[str]
) -> None:
    assert rdfa(text, term) == [f"https://w3id.org/lexurn/registry/{each}" for each in found]


def test_the_acts_that_made_a_version_have_amended_the_act() -> None:
    amending = "urn:lex:it:stato:legge:2005-01-01;1"
    family = [Record(name=name(SECOND), amended_by=(name(amending),))]
    version, act = (write_head(text, family) for text in (SECOND, ACT))
    assert f'{ELI}consolidates" href="{url(amending)}"' in version
    assert f'{ELI}amended_by" href="{url(amending)}"' in act
    assert f"{ELI}amended_by" not in version
    made_by = f'"legislationConsolidates": {{"@type": "Legislation", "@id": "{amending}"}}'
    assert made_by in version
    assert "legislationConsolidates" not in act


def test_a_copy_without_a_named_format_is_of_a_format_of_its_version() -> None:
    urls = ("https://a.example/1.pdf?x=1", "https://a.example/1.xml", "https://a.example/1")
    items = tuple(Item(url=each) for each in sorted(urls))
    rendered = head(Record(name=name(FIRST), items=items), base=BASE, as_of=AS_OF)
    about = f"{url(FIRST)}#application/pdf"
    page = html.fromstring(f"<html><head>{rendered}</head></html>")
    found = page.findall(f".//link[@about='{about}']")
    assert [each.get("href") for each in found] == [
        f"{ELI}Format",
        "http://www.iana.org/assignments/media-types/application/pdf",
        url(FIRST),
        urls[0],
    ]
    assert rendered.count(f"{ELI}is_embodied_by") == 1
    named = [Record(name=name(f"{FIRST}$a.it:application-pdf"))]
    assert about not in head(Record(name=name(FIRST), items=items), named, base=BASE, as_of=AS_OF)


def test_a_name_below_an_alias_is_below_the_canonical_name() -> None:
    version = f"{SWISS_FRENCH}@originel:fr"
    assert rdfa(version, "realizes") == [url(SWISS)]
    assert url(version) in rdfa(SWISS, "is_realized_by")
    assert rdfa(SWISS_FRENCH, "is_realized_by") == []
    same = tags(SWISS_FRENCH).findall(".//link[@property='http://www.w3.org/2002/07/owl#sameAs']")
    assert {each.get("about") for each in same} == {url(SWISS_FRENCH)}
    assert [each.get("href") for each in same] == [url(SWISS), SWISS_FRENCH]


@pytest.mark.parametrize("text", [ACT, SECOND, PDF, ANNEX, PARTITION, HOSTILE])
def test_the_subjects_of_rdfa_and_json_ld_are_stated_to_be_one(text: str) -> None:
    (same,) = tags(text).findall(".//link[@property='http://www.w3.org/2002/07/owl#sameAs']")
    assert (same.get("about"), same.get("href")) == (url(text), block(text)["@id"])


def test_eli_says_it_of_the_name() -> None:
    about = {each.get("about") for each in tags(SECOND).findall(".//*[@property]")}
    assert about == {url(SECOND)}
    assert rdfa(SECOND, "realizes") == [url(ACT)]
    (day,) = tags(SECOND).findall(".//meta[@property='http://purl.org/dc/terms/date']")
    assert (day.get("content"), rdfa(SECOND, "version_date")) == ("2005-01-01", [])
    assert rdfa(FIRST, "version_date") == ["2003-10-16"]
    assert rdfa(SECOND, "language")[0].endswith("/language/ITA")
    assert rdfa(SECOND, "is_embodied_by") == [url(PDF)]
    assert rdfa(PDF, "embodies") == [url(SECOND)]
    versions = map(url, (FIRST, GERMAN, SECOND, THIRD))
    assert sorted(rdfa(ACT, "is_realized_by")) == sorted(versions)
    assert rdfa(ACT, "has_annex") == [url(ANNEX)]
    assert rdfa(ANNEX, "is_annex_of") == [url(ACT)]


@pytest.mark.parametrize("text", [ACT, SECOND, PDF, ANNEX, PARTITION, SWISS_FRENCH, HOSTILE])
def test_every_borrowed_term_is_in_the_mappings(text: str) -> None:
    eli = data.read_text("ontology/mappings/eli.ttl")
    schema = data.read_text("ontology/mappings/schema-org.ttl")
    terms = {each.get("property") for each in tags(text).findall(".//*[@property]")}
    used = {term.removeprefix(ELI) for term in terms if term.startswith(ELI)}
    assert used
    assert [term for term in sorted(used) if f"eli:{term} " not in eli] == []
    # What schema.org has and a name has no term for: an address, sameness, force as a status.
    own = {"@context", "@type", "@id", "url", "sameAs", "legislationLegalForce"}
    assert [k for k in block(text) if k not in own and f"schema:{k} " not in schema] == []


def test_nothing_in_a_title_ends_the_script_or_opens_a_tag() -> None:
    rendered = write_head(HOSTILE)
    assert rendered.count("<script") == rendered.count("</script>") == 1
    assert "alert('x')</script>" not in rendered
    page = tags(HOSTILE)
    assert HOSTILE_TITLE in meta(HOSTILE, "DC.title")
    assert HOSTILE_TITLE in block(HOSTILE)["name"]  # type: ignore[operator]
    assert not page.findall(".//body/*")


def test_what_runs_is_never_a_link() -> None:
    hrefs = [each.get("href") for each in tags(HOSTILE).findall(".//*[@href]")]
    assert not [href for href in hrefs if href.startswith(("javascript:", "data:"))]
    assert "javascript" not in str(block(HOSTILE).get("encoding"))


def test_control_characters_are_made_visible() -> None:
    record = Record(name=name(ACT), titles=titles(it="bell\x07 and\x9b csi"))
    rendered = head(record, base=BASE, as_of=AS_OF)
    assert 'content="bell\\u0007 and\\u009b csi"' in rendered


def test_a_language_that_no_browser_knows_is_no_attribute() -> None:
    record = Record(name=name(ACT), titles=titles(xx="none", it="one"))
    found = html.fromstring(f"<html><head>{head(record, base=BASE)}</head></html>")
    languages = [each.get("lang") for each in found.findall(".//meta[@name='DC.title']")]
    assert languages == ["it", ""]


def test_a_record_and_its_family_and_any_records_say_the_same() -> None:
    (family,) = (f for f in families_of(records()) if f.record(name(SECOND)))
    record = family.record(name(SECOND))
    assert record is not None
    one = head(record, family, base=BASE, as_of=AS_OF)
    two = head(name(SECOND), family, base=BASE, as_of=AS_OF)
    three = head(record, records(), base=BASE, as_of=AS_OF)
    assert one == two == three == write_head(SECOND)


def test_a_bare_name_has_what_it_says_itself() -> None:
    rendered = head(name(SECOND), base=BASE, as_of=AS_OF)
    assert f'<link rel="DCTERMS.isVersionOf" href="{ACT}">' in rendered
    assert "DC.title" not in rendered


def test_a_base_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        head(name(ACT), base="ftp://law.example", as_of=AS_OF)
