"""Which texts can stand as links: absolute http(s) URLs, and absolute IRIs (RFC 3986, RFC 3987)."""

from __future__ import annotations

import re

__all__ = ["is_absolute_iri", "is_web_url", "means_iri"]

# ucschar and iprivate of RFC 3987 section 2.2; the last two characters of each plane are none.
_PLANES = "".join(f"{chr(p << 16)}-{chr((p << 16) + 0xFFFD)}" for p in range(1, 14))
_BEYOND = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + _PLANES + "\U000e1000-\U000efffd"
_PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_ENCODED = "%[0-9A-Fa-f]{2}"
_WORD = rf"A-Za-z0-9\-._~!$&'()*+,;=:@{_BEYOND}"
_PATH = rf"(?:[{_WORD}/]|{_ENCODED})*+"
_QUERY = rf"(?:[{_WORD}/?{_PRIVATE}]|{_ENCODED})*+"
_FRAGMENT = rf"(?:[{_WORD}/?]|{_ENCODED})*+"
_NAME = rf"(?:[A-Za-z0-9\-._~{_BEYOND}]|{_ENCODED})++"
_HOST = rf"(?:{_NAME}|\[[0-9A-Fa-f:.]+\])"
_TAIL = rf"(?:\?{_QUERY})?(?:#{_FRAGMENT})?"

# No user information: RFC 9110 section 4.2.4 forbids it in what is published.
# Without regard to case, such wide ranges would take long to compile.
_WEB = re.compile(rf"[Hh][Tt][Tt][Pp][Ss]?://{_HOST}(?::[0-9]{{0,5}})?(?:/{_PATH})?{_TAIL}")
_IRI = re.compile(rf"[A-Za-z][A-Za-z0-9+.\-]*:(?=[^?#]){_PATH}{_TAIL}")
_HTTP = re.compile("https?:", re.IGNORECASE)

# What a browser runs, or what names something on the reader's own machine.
_UNSAFE = re.compile(
    r"(?:javascript|vbscript|livescript|data|blob|file|filesystem|about|view-source):",
    re.IGNORECASE,
)
_OPAQUE = ("urn:", "did:", "mailto:", "tel:", "tag:", "info:", "doi:")


def is_web_url(text: str) -> bool:
    """Whether a text is an absolute http or https URL, without user information."""
    return _WEB.fullmatch(text) is not None


def is_absolute_iri(text: str) -> bool:
    """Whether a text is an absolute IRI that a page may link to; http(s) ones need a host."""
    if _HTTP.match(text):
        return is_web_url(text)
    return _IRI.fullmatch(text) is not None and _UNSAFE.match(text) is None


def means_iri(text: str) -> bool:
    """Whether an agent or subject is meant as an IRI: ``Umwelt:Wasser`` is a text."""
    return "://" in text or text.lower().startswith(_OPAQUE)
