"""Whether a document says of itself what is to be said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn import data
from lexurn.dialect import convert
from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.export import Marking
    from lexurn.name import Name

__all__ = ["check_agreement", "is_lex", "language_findings", "named"]


def is_lex(text: str) -> bool:
    """Whether a text means to be a LEX name."""
    return text.strip().lower().startswith("urn:lex:")


def named(text: str) -> Name | None:
    """The name that a text is, in any dialect; None where it is none."""
    return convert(text.strip()).name


def check_agreement(
    document: Document, texts: Iterable[tuple[int, str]], name: Name, marking: Marking
) -> bool:
    """Whether a name stands in a document already.

    Args:
        document: the document, for messages.
        texts: the names that stand where this one would, with their lines.
        name: the name.
        marking: what is known of it; other names of the same thing are as good.

    Returns:
        True where it stands there, or a name of the same thing; False where nothing does.

    Raises:
        EmbeddingError: other names stand there.
    """
    there = [(line, text, named(text)) for line, text in texts]
    wanted = {name, *marking.aliases} if name == marking.name else {name}
    if not there or any(found in wanted for _, _, found in there):
        return bool(there)
    line, text, found = there[0]
    said = str(found) if found is not None else "what is no LEX name"
    raise EmbeddingError(
        finding("LX336", document.name, line=line, text=text, said=said, name=name)
    )


def language_findings(
    document: Document, texts: Iterable[tuple[int, str]], marking: Marking
) -> tuple[DocumentFinding, ...]:
    """A warning for each language that a document says and that is not the one of its name.

    Args:
        document: the document, for messages.
        texts: the languages as they stand there, with their lines: BCP 47, or three letters.
        marking: what is known of the name.
    """
    tag = marking.language
    if tag is None:
        return ()
    wanted = _primary(tag)
    return tuple(
        finding("LX337", document.name, line=line, text=text, said=text[:60], language=tag)
        for line, text in texts
        if (found := _primary(text)) is not None and found != wanted
    )


def _primary(text: str) -> str | None:
    """The language of a tag or of a code of three letters, None where it is none that is known."""
    subtag = text.strip().replace("_", "-").partition("-")[0].lower()
    table = data.table("languages")
    for short, code in table["authority"].items():
        if code.lower() == subtag:
            return str(short)
    return subtag if subtag in table["languages"] else None
