"""LEX name to HTTP URI: the reversible form, and the shorter form of the drafts.

RFC 9676 has no HTTP form. Attachment D of draft-spinosa-urn-lex has one that drops parts of a
manifestation; the reversible form is ours and writes them like all the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from lexurn import data
from lexurn.errors import HttpFormError
from lexurn.name._findings import Finding, Severity
from lexurn.name._http_base import read_base

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name._name import Name
    from lexurn.name._values import ManifestationIdentifier

__all__ = [
    "SERVED_FILES",
    "HttpForm",
    "HttpStyle",
    "http_location",
    "http_of",
    "http_path",
    "is_served_file",
]

#: What a static server serves behind the ``/`` of a folder; reading passes over it.
SERVED_FILES = ("index.html", "index.ttl", "index.jsonld", "links.json")

_PREFIX = len("urn:lex:")
_SEPARATORS = ((":", "/"), ("@", "/@/"), ("$", "/$/"), ("|", "%7C"))
# In a canonical name only encoded dots can make up a whole component.
_DOTS = re.compile(r"(?<=[:@$])(?:%2E){1,2}(?=[:@$]|\Z)")
_RULE = "draft-spinosa-urn-lex §D"


class HttpStyle(StrEnum):
    """How a manifestation is written: with all its parts, or as the drafts shorten it."""

    REVERSIBLE = "reversible"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpForm:
    """The HTTP URI of a name, and what it could not take along.

    Attributes:
        uri: the URI.
        findings: what is lost, as warnings; their places are offsets into the canonical text of
            the name with its r-, q- and f-components behind it.
    """

    uri: str
    findings: tuple[Finding, ...] = ()


def http_of(
    name: Name, base: str, *, style: HttpStyle | Literal["reversible", "draft"] = "reversible"
) -> HttpForm:
    """The HTTP-URI equivalent of a name.

    Args:
        name: the name.
        base: the site that publishes it, for example ``https://law.example``.
        style: ``reversible``, from which the name can be read again, or ``draft``.

    Raises:
        HttpFormError: the base cannot be used, the style is unknown, or the draft's style has no
            extension for the format.
    """
    if style not in set(HttpStyle):
        raise HttpFormError(f"the style {style!r} is unknown; there are reversible and draft")
    site = read_base(base)
    draft = style == HttpStyle.DRAFT
    path, fragment, lost = _draft(name) if draft else (http_path(name), "", ())
    findings = sorted((*lost, *_dropped(name), *_unsafe(name)), key=lambda each: each.start)
    return HttpForm(uri=site + _told_apart(path) + fragment, findings=tuple(findings))


def http_path(name: Name) -> str:
    """The path of a name's HTTP-URI equivalent in the reversible form, without a slash at its end.

    ``/lex/it/stato/legge/2000-04-03;56/@/original/it/$/senato.it/text-xml/testo~art3``
    """
    return "/lex/" + _written(str(name)[_PREFIX:])


def http_location(name: Name) -> str:
    """The path as `http_of` writes it: with a slash where the name ends like a server's file."""
    return _told_apart(http_path(name))


def is_served_file(segments: list[str]) -> bool:
    """Whether the last segment is what a server added, not a part of the name."""
    return segments[-1] in SERVED_FILES and segments[-2:-1] not in (["@"], ["$"])


def _told_apart(path: str) -> str:
    return f"{path}/" if is_served_file(path.split("/")) else path


def _written(text: str) -> str:
    document, tilde, partition = text.partition("~")
    for separator, written in _SEPARATORS:
        document = document.replace(separator, written)
    return document + tilde + partition


def _draft(name: Name) -> tuple[str, str, tuple[Finding, ...]]:
    """The draft's path and fragment, and what they lose."""
    document, tilde, partition = str(name).partition("~")
    head, dollar, _ = document.partition("$")
    lost: list[Finding] = []
    path = "/lex/" + _written(head[_PREFIX:])
    if name.manifestation is not None:
        path += "/$/" + _draft_segment(name.manifestation)
        lost += _lost(name.manifestation, len(head) + len(dollar))
    if tilde:
        message = "the partition becomes a fragment, which no server sees; it is read as one"
        place = (len(document), len(document) + 1 + len(partition))
        lost.append(_warning("LX406", "partition", place, message))
    return path, f"#{partition}" if tilde else "", tuple(lost)


def _draft_segment(manifestation: ManifestationIdentifier) -> str:
    """The one segment: ``[component *(";" specification)] "." format``."""
    mime = manifestation.format.mime
    table = data.table("extensions")
    extensions = {each: extension for extension, each in table["formats"].items()}
    extension = extensions.get(mime) or table["shared"].get(mime)
    if extension is None:
        raise HttpFormError(f"the draft's style has no extension for {mime}; use reversible")
    component = "" if manifestation.component is None else str(manifestation.component)
    return f"{component}.{extension}"


def _lost(manifestation: ManifestationIdentifier, start: int) -> Iterator[Finding]:
    """What the draft's segment lacks of a manifestation that starts at an offset."""
    form = manifestation.format
    editor, mime = str(manifestation.editor), form.mime
    message = f"the publisher {editor} is lost; whoever reads the URI must be told"
    yield _warning("LX402", "editor", (start, start + len(editor)), message)
    start += len(editor) + 1
    table = data.table("extensions")
    shared = table["shared"].get(mime)
    if shared is not None:
        message = f"the extension {shared} is read as {table['formats'][shared]}"
        yield _warning("LX405", "mime", (start, start + len(mime)), message)
    end = start + len(str(form))
    if form.specifications:
        message = "the specifications of the format are lost"
        yield _warning("LX403", "format", (start + len(mime), end), message)
    if manifestation.feature is not None:
        start = end + len(str(manifestation.component)) + 2
        place = (start, start + len(str(manifestation.feature)))
        yield _warning("LX404", "feature", place, "the feature is lost")


def _dropped(name: Name) -> Iterator[Finding]:
    """The components of RFC 8141 that a name has: an HTTP form has none."""
    start = len(str(name))
    components = name.components
    for key, text, mark in (("r", components.r, 2), ("q", components.q, 2), ("f", components.f, 1)):
        if text is not None:
            end = start + mark + len(text)
            message = f"the {key}-component is no part of the HTTP form and is dropped"
            yield _warning("LX401", f"{key}-component", (start, end), message, "RFC 8141 §2.3")
            start = end


def _unsafe(name: Name) -> Iterator[Finding]:
    """Components that clients take for a folder: their URI is refused when it is read."""
    document, tilde, _ = str(name).partition("~")
    for dots in _DOTS.finditer(document + tilde, _PREFIX):
        message = f"clients take {dots[0]} for a folder; this URI is not read again"
        yield _warning("LX407", "percent-encoding", dots.span(), message, "RFC 3986 §5.2.4")


def _warning(
    code: str, component: str, place: tuple[int, int], message: str, rule: str = _RULE
) -> Finding:
    start, end = place
    return Finding(
        code=code,
        severity=Severity.WARNING,
        component=component,
        start=start,
        end=end,
        message=message,
        rule=rule,
    )
