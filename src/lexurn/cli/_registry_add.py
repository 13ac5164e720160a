"""``lexurn registry add``: one entry more in a publisher's own file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from lexurn.cli._registries import echo_registry_findings

if TYPE_CHECKING:
    from lexurn.registry import Entry, Kind, Label

__all__ = ["add"]

_TAGGED = re.compile(r"([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)=(.*)", re.DOTALL)
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]+")
_CODE = re.compile(r"[a-z0-9%][a-z0-9.%-]*", re.IGNORECASE)
# Words whose notation is not their own: their IRI is made of the word.
_BY_WORD = {
    *("connective", "ordinal", "cardinal", "month", "weekday", "dateword", "marker"),
    *("abbreviation", "qualifier", "annex", "fold"),
}


def _iris(_ctx: object, parameter: click.Parameter, value: Any) -> Any:
    for each in value if isinstance(value, tuple) else filter(None, [value]):
        if not _IRI.fullmatch(each):
            raise click.BadParameter(f"{each!r} is no URL", param=parameter)
    return value


def _code(_ctx: object, parameter: click.Parameter, value: str) -> str:
    if not _CODE.fullmatch(value):
        raise click.BadParameter(f"{value!r} is no code", param=parameter)
    return value.lower()


def _kind(_ctx: object, parameter: click.Parameter, value: str) -> Kind:
    from lexurn.registry import Kind

    kinds = {kind.word: kind for kind in Kind}
    if value not in kinds:
        listed = ", ".join(kinds)
        raise click.BadParameter(f"{value!r} is none of {listed}", param=parameter)
    return kinds[value]


@click.command("add")
@click.argument("kind", callback=_kind)
@click.argument("code", callback=_code, metavar="CODE|LANGUAGE")
@click.argument("notation")
@click.option("--registry", "file", required=True, type=click.Path(), help="The Turtle file.")
@click.option("--label", "labels", multiple=True, help='A full name: it="Ministero della salute".')
@click.option("--form", "forms", multiple=True, help="Another full spelling.")
@click.option("--abbreviation", "abbreviations", multiple=True, help="An abbreviation or acronym.")
@click.option("--issuer", help="The authority that a measure belongs to.")
@click.option("--body", help="The body that a measure adds to its issuer.")
@click.option("--titled", is_flag=True, help="The measure's specification comes from the title.")
@click.option("--qualifies", multiple=True, help="What authorities begin with that a word repeats.")
@click.option("--numbering", help="How a partition is numbered: arabic, roman, letter, ordinal.")
@click.option("--name", help="The full name of the one act that the entry stands for.")
@click.option("--broader", callback=_iris, help="The IRI of the unit that a unit is part of.")
@click.option("--from", "valid_from", help="The first day on which it was: YYYY-MM-DD.")
@click.option("--until", "valid_until", help="The first day on which it was no more.")
@click.option("--obsolete", is_flag=True, help="Closed for new names, kept for old ones.")
@click.option("--source", "sources", multiple=True, callback=_iris, help="Where the fact is from.")
@click.option("--example", "examples", multiple=True, help="A whole name that uses it.")
@click.option("--id", "slug", help="The last part of its IRI, where two share a notation.")
@click.pass_context
def add(
    ctx: click.Context,
    /,
    kind: Kind,
    code: str,
    notation: str,
    file: str,
    slug: str | None,
    labels: tuple[str, ...],
    forms: tuple[str, ...],
    abbreviations: tuple[str, ...],
    **facts: Any,
) -> None:
    """Add an entry of KIND with NOTATION, as names have it, to a file; made if there is none.

    What is in the file stays as it is; nothing is renamed, deleted or contradicted.

    \b
    lexurn registry add --registry my.ttl authority it autorita.esempio \\
        --label it="Autorità d'esempio" --abbreviation A.E. --source https://www.example.it/
    lexurn registry add --registry my.ttl fold de u --label ü
    """  # noqa: D301 - click reads this backspace
    from lexurn.registry import add_entry

    default = _language(kind, code)
    texts = {
        name: tuple(sorted(_label(each, default) for each in given))
        for name, given in (("labels", labels), ("forms", forms), ("abbreviations", abbreviations))
    }
    entry = _entry(kind, code, notation, slug, texts | facts)
    findings = add_entry(file, entry)
    echo_registry_findings(findings)
    ctx.exit(1 if any(each.is_error for each in findings) else 0)


def _entry(kind: Kind, code: str, notation: str, slug: str | None, facts: dict[str, Any]) -> Entry:
    from lexurn.registry import Entry, scheme_of

    word = facts["labels"][0].text if facts["labels"] else notation
    last = slug or (_slug(word) if kind.word in _BY_WORD else notation)
    iri = f"{scheme_of(kind, code)}/{quote(last.replace(';', '_').replace(' ', '-'), safe='._-~%')}"
    facts["qualifies"] = tuple(sorted(facts["qualifies"]))
    return Entry(kind=kind, iri=iri, scope=code, notation=notation, **facts)


def _slug(word: str) -> str:
    return re.sub(r"[\s'\u2019.]+", ".", word.strip().lower()).strip(".") or word


def _label(text: str, default: str) -> Label:
    """A text with its language: ``it=Ministero``; without one, the default."""
    from lexurn.registry import Label

    tagged = _TAGGED.fullmatch(text)
    if tagged is None:
        return Label(text=text, language=default)
    return Label(text=tagged[2], language=tagged[1].lower())


def _language(kind: Kind, code: str) -> str:
    """The language of a text that names none: the jurisdiction's first, or the words' own."""
    from lexurn.registry import registry

    if not kind.is_law:
        return code
    return next(iter(registry().law(code).languages), "")
