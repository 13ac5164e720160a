"""What a SPARQL text is before it is run: its form, whether it calls out, its parameters."""

from __future__ import annotations

import pytest
from sizes import size

from lexurn.errors import CatalogueError
from lexurn.store import QueryForm, scan_query
from lexurn.store.sparql import LONGEST_QUERY, add_limit, bind_parameters

LONG = size(30_000, 100_000)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("SELECT * {}", "select"),
        ("select*{}", "select"),
        ("# SELECT\n ask {}", "ask"),
        ("BASE <http://a/> PREFIX a: <#> PREFIX select: <x> Construct WHERE {}", "construct"),
        ("PREFIX : <urn:x#>\nDESCRIBE :a", "describe"),
        ("INSERT DATA {}", "update"),
        ("with <urn:g> delete where {}", "update"),
        ("LOAD <http://x.example/>", "update"),
        ("PREFIX a: <urn:a> CLEAR ALL", "update"),
        ("SELECT * {} ; DROP ALL", "update"),
        ('SELECT * { ?s a:insert "INSERT" . ?drop a <urn:DROP> } # CLEAR', "select"),
        ('SELECT * { ?s ?p "a"@add }', "select"),
    ],
)
def test_the_form_is_told(text: str, form: str) -> None:
    assert scan_query(text).form is QueryForm(form)


@pytest.mark.parametrize(
    "text", ["", "   # nothing", "PREFIX", "HELLO", "{}", "'SELECT * {}'", "?select", "DEFINE x"]
)
def test_what_is_no_sparql_is_refused(text: str) -> None:
    with pytest.raises(CatalogueError, match="begins with none of"):
        scan_query(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { SERVICE <http://x.example/> { ?s ?p ?o } }",
        "SELECT * { service silent ?x { ?s ?p ?o } }",
        "SELECT * { FILTER EXISTS { SeRvIcE<http://x.example/>{} } }",
        "SELECT * { ?s a:b\\'c 'x' SERVICE <http://x.example/> {} }",
        "INSERT {} WHERE { SERVICE <http://x.example/> {} }",
        "LOAD <file:///etc/passwd>",
        "CLEAR ALL ; LOAD SILENT <http://x.example/>",
        # An engine may see a comment where this looks like an IRI.
        "SELECT * { FILTER(?a<?b#x>'''\n) SERVICE <http://x.example/> {} #'''\n }",
        "SELECT * { ?s \u017fERVICE ?o }",
        # No blank stands behind a keyword, or in front of it.
        "SELECT * { SERVICESILENT <http://x.example/> {} }",
        "SELECT * { ?s ?p trueSERVICE <http://x.example/> {} }",
        "SELECT * { ?s ?p 1SERVICE <http://x.example/> {} }",
        "PREFIX s: <http://x.example/> SELECT * { SERVICEs:x {} }",
        "PREFIX s: <http://x.example/> SELECT * { SERVICEs: {} }",
        "PREFIX SERVICE: <http://x.example/> SELECT * { ?o SERVICE:a $service }",
        "INSERT DATA {} ; LOADSILENT <http://x.example/>",
        "PREFIX s: <http://x.example/> INSERT DATA {} ; LOADs:x",
        # A local name ends in front of its dot, or at its second dot.
        "PREFIX a: <http://x.example/> SELECT * { ?s ?p a:.SERVICE <http://x.example/> {} }",
        "PREFIX a: <http://x.example/> SELECT * { ?s ?p a:b.c.SERVICE <http://x.example/> {} }",
        # A prefix alone is an IRI, and with the local name behind it none.
        "PREFIX a: <http://x.example:> SELECT * { ?s ?p a:SERVICE <http://x.example/> {} }",
        "PREFIX a: <http://x.example:> SELECT * { a:atrueSERVICE <http://x.example/> {} }",
        "PREFIX a: <http://x/> PREFIX a: <http://x:> ASK { ?s ?p a:SERVICE <http://x/> {} }",
        "PREFIX a: <http://x.example/> SELECT * { ?s ?p a:SERVICE\ufffd:x {} }",
        "SELECT * { ?s ?p a:SERVICE <http://x.example/> {} }",
        # Strings begin elsewhere.
        "SELECT * { FILTER(?a<'x>') SERVICE <http://x.example/> {} FILTER('b'!='y') }",
        "SELECT * { VALUES ?v { '''a' } SERVICE <http://x.example/> {} #\\x '''\n }",
        "SELECT * { VALUES ?v { '''a' } SERVICE <http://x.example/> {} #\\ud800 '''\n }",
        "SELECT * { VALUES ?v { ''' 'SERVICE <http://x.example/> {} } }",
        "VERSION '''1.2' SELECT * { SERVICE <http://x.example/> {} } #''' SELECT * {}",
        "SELECT * { ?s ?p 'a' # \u2028 SERVICE <http://x.example/> {}\n}",
    ],
)
def test_what_calls_out_is_seen(text: str) -> None:
    assert scan_query(text).calls_out


@pytest.mark.parametrize(
    "text",
    [
        'SELECT * { ?s ?p "SERVICE <http://x.example/>" }',
        "SELECT * { ?s ?p '''a'SERVICE\n''b''' }",
        'SELECT * { ?s ?p """\\"""SERVICE""" }',
        "SELECT * { ?s <http://x.example/SERVICE#service> ?service } # SERVICE",
        "PREFIX a: <http://x.example/> SELECT * { ?s a:SERVICE ?o . ?o a:b $service }",
        "PREFIX a: <urn:x#> SELECT * { ?s a:b a:Service. ?o a:downloadURL/a:load|^a:x ?u}",
        "SELECT * { ?s <https://x.example/ns#downloadURL> ?u FILTER(?u < 5 && ?u <= 4) }",
        "SELECT * { ?s ?p 'it\\'s SERVICE' }",
        "PREFIX a: <#x> # SERVICE\nSELECT * { ?s a:b 'SERVICE' }",
        "SELECT * { ?s ?p 'x'@service . _:service ?p ?o }",
    ],
)
def test_letters_in_strings_and_names_count_too(text: str) -> None:
    assert scan_query(text).calls_out


def test_other_texts_call_nobody() -> None:
    assert not scan_query("PREFIX a: <http://x/> SELECT * { ?s a:serve 'lo' 'ad' }").calls_out


@pytest.mark.parametrize(
    "hidden",
    [
        "\\u0053ERVICE",
        "\\U00000053ERVICE",
        "S\\u0045rvice",
        "\\u017fERVICE",
        "\\u+053ERVICE",
        "l\\u006fad",
    ],
)
def test_escaped_letters_count_too(hidden: str) -> None:
    assert scan_query(f"SELECT * {{ {hidden} }}").calls_out


def test_other_escapes_call_nobody() -> None:
    for text in ("<http://x.example/\\u00e9>", '"\\u0041\\u0022"', '"\\U00110000"', '"\\u+0"'):
        assert not scan_query(f"SELECT * {{ ?s ?p {text} }}").calls_out


def test_what_is_too_long_or_no_text_is_refused() -> None:
    with pytest.raises(CatalogueError, match="longer than"):
        scan_query("SELECT * {}" + " " * LONGEST_QUERY)
    with pytest.raises(CatalogueError, match="not UTF-8"):
        scan_query("SELECT * { ?s ?p '\udcff' }")


@pytest.mark.parametrize(
    "junk",
    [
        *("a.", "<a", '"', "'", "{", "$a ", "a-", '"""a\\"', "<", "\\", ":", "'''", "a:", "?"),
        *('\\"', "\\'", "\\\\'", "\\'''\n", '\\"""\n', "\\'''\"\n"),
    ],
)
def test_any_text_is_read_in_linear_time(junk: str) -> None:
    assert scan_query(f"SELECT {junk * (LONG // len(junk))}").form is QueryForm.SELECT


def test_a_quote_behind_a_lone_backslash_hides_no_call() -> None:
    assert scan_query("SELECT * { ?s ?p \\' SERVICE <http://x.example/> {} # '\n }").calls_out
    assert scan_query("SELECT * { FILTER(?a<'>\\'y') SERVICE <http://x.example/> {} }").calls_out


def test_graphs_are_named() -> None:
    text = "SELECT * FROM <urn:a> FROM NAMED <urn:b> from a:b { ?s ?p 'FROM <urn:c>' }"
    assert scan_query(text).has_dataset
    assert not scan_query("SELECT * { ?s ?from 'FROM <urn:c>' }").has_dataset


def test_parameters_are_told_and_bound() -> None:
    text = "SELECT ?a { ?a ?p $a , '$b', <urn:$c>, a:$d # $e\n; ?q $a, $f }"
    assert scan_query(text).parameters == ("a", "d", "f")
    expected = "SELECT ?a { ?a ?p  <urn:x>  , '$b', <urn:$c>, a:$d # $e\n; ?q  <urn:x> , $f }"
    assert bind_parameters(text, {"a": "<urn:x>", "b": "1", "c": "1", "e": "1"}) == expected


@pytest.mark.parametrize(
    ("text", "is_cut"),
    [
        ("SELECT * {}", False),
        ("SELECT * {} LIMIT 3", True),
        ("SELECT * { { SELECT * {} limit 3 } } ORDER BY ?s", False),
        ("SELECT * {} VALUES ?x { 1 }", True),
        ("SELECT * { VALUES ?x { 1 } } # LIMIT 2", False),
        ("ASK {}", True),
        ("CONSTRUCT WHERE { ?s ?p ?o }", True),
        ("DESCRIBE ?s { ?s ?p ?o }", True),
    ],
)
def test_a_limit_is_added_where_there_is_none(text: str, is_cut: bool) -> None:
    assert (add_limit(text, scan_query(text), 5) == text) is is_cut
