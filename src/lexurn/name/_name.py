"""A LEX name: a value that is compared, hashed and written by its canonical text."""

from __future__ import annotations

from functools import total_ordering
from typing import TYPE_CHECKING, Any, TypedDict, cast

from lexurn.name._values import Components, Level, WorkIdentifier

if TYPE_CHECKING:
    from typing import Never, Unpack

    from lexurn.name._values import (
        Annex,
        ExpressionIdentifier,
        Jurisdiction,
        ManifestationIdentifier,
    )

__all__ = ["Name", "NameParts", "filled", "replace"]

_NO_COMPONENTS = Components()
_ACT_PARTS = 6
"""``urn``, ``lex``, jurisdiction, authority, measure and details."""


class NameParts(TypedDict, total=False):
    """The parts that `replace` takes."""

    jurisdiction: Jurisdiction
    work: WorkIdentifier
    expression: ExpressionIdentifier | None
    manifestation: ManifestationIdentifier | None
    partition: str | None


class _Draft:
    """A name while it is filled; it then becomes a `Name`, and nobody can write to it again."""

    __slots__ = (
        "_canonical",
        "components",
        "expression",
        "jurisdiction",
        "manifestation",
        "partition",
        "text",
        "work",
    )

    jurisdiction: Jurisdiction
    work: WorkIdentifier
    expression: ExpressionIdentifier | None
    manifestation: ManifestationIdentifier | None
    partition: str | None
    components: Components
    text: str
    _canonical: str


@total_ordering
class Name(_Draft):
    """A uniform name of the LEX namespace (RFC 9676), immutable.

    Names are equal when their canonical texts are (RFC 9676 section 3.3, RFC 8141 section 3);
    components are no part of that. Made by `parse`, `check` or `Name.of`, never by hand.

    Attributes:
        jurisdiction: where the act holds (section 2.1).
        work: authority, measure, details and annexes (section 5.4).
        expression: version and language (section 5.6).
        manifestation: editor, format, component and feature (section 5.7).
        partition: the id of a part of the document (section 5.8).
        components: r-, q- and f-component (RFC 8141 section 2.3).
        text: the text as given.
    """

    __slots__ = ()

    @classmethod
    def of(
        cls,
        *,
        jurisdiction: Jurisdiction,
        work: WorkIdentifier,
        expression: ExpressionIdentifier | None = None,
        manifestation: ManifestationIdentifier | None = None,
        partition: str | None = None,
    ) -> Name:
        """Build a name from its parts.

        Raises:
            NameSyntaxError: a part holds what cannot stand in it.
        """
        from lexurn.name._parser import check_pieces  # noqa: PLC0415  (the parser makes names)

        return check_pieces(
            jurisdiction=str(jurisdiction),
            authority=str(work.authority),
            measure=str(work.measure),
            details=str(work.details),
            annexes=tuple(map(str, work.annexes)),
            expression=_text(expression),
            manifestation=_text(manifestation),
            partition=partition,
        ).unwrap()

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"a name is immutable; use replace() for one with another {name}")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"a name is immutable; its {name} cannot be deleted")

    def __str__(self) -> str:
        return self._canonical

    def __repr__(self) -> str:
        return f"<Name {self._canonical}>"

    def __eq__(self, other: object) -> bool:
        return self._canonical == other._canonical if isinstance(other, Name) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return self._canonical < other._canonical if isinstance(other, Name) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._canonical)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._canonical, self.text, self.components)

    def __replace__(self, **parts: Unpack[NameParts]) -> Name:
        return replace(self, **parts)

    @property
    def iri(self) -> str:
        """The canonical text as an IRI: ``|`` is no character of RFC 3986, so it is ``%7C``."""
        return self._canonical.replace("|", "%7C")

    @property
    def level(self) -> Level:
        """The FRBR level that the name stands at (RFC 9676 section 5.2)."""
        if self.manifestation is not None:
            return Level.MANIFESTATION
        return Level.WORK if self.expression is None else Level.EXPRESSION

    @property
    def is_act(self) -> bool:
        """Whether an act is named: a work that is no annex, and no part of it (section 6.4)."""
        return (
            self.manifestation is None
            and self.expression is None
            and self.partition is None
            and not self.work.annexes
        )

    @property
    def document(self) -> Name:
        """The name without its partition and components (RFC 9676 section 5.8)."""
        if self.partition is None and self.text == self._canonical:
            return self
        text = self._canonical.partition("~")[0]
        return self._part(text, self.work, self.expression, self.manifestation)

    @property
    def work_name(self) -> Name:
        """The name of the work: the act, or its annex."""
        return self._part(self._work_text(), self.work)

    @property
    def act_name(self) -> Name:
        """The name of the act, without annexes (RFC 9676 section 6.4)."""
        if not self.work.annexes:
            return self.work_name
        text = ":".join(self._work_text().split(":", _ACT_PARTS)[:_ACT_PARTS])
        return self._part(text, self._act(self.work.annexes[:0]))

    @property
    def expression_name(self) -> Name | None:
        """The name of the expression, None for names that have none."""
        if self.expression is None:
            return None
        text = self._canonical.partition("~")[0].partition("$")[0]
        return self._part(text, self.work, self.expression)

    @property
    def parent(self) -> Name | None:
        """The name one step up, None for an act.

        A partition is in the next shorter one, then in its document; a manifestation under its
        expression, else under the work; an expression under the work; an annex under the annex or
        act that it belongs to.
        """
        canonical = self._canonical
        if self.partition is not None:
            shorter = self.partition.rpartition(";")[0]
            text = canonical.rpartition(";")[0] if shorter else canonical.partition("~")[0]
            return self._part(text, self.work, self.expression, self.manifestation, shorter or None)
        if self.manifestation is not None:
            return self._part(canonical.rpartition("$")[0], self.work, self.expression)
        if self.expression is not None:
            return self._part(canonical.rpartition("@")[0], self.work)
        if self.work.annexes:
            return self._part(canonical.rpartition(":")[0], self._act(self.work.annexes[:-1]))
        return None

    def ancestors(self) -> tuple[Name, ...]:
        """All names above this one, the nearest first."""
        above: list[Name] = []
        name = self.parent
        while name is not None:
            above.append(name)
            name = name.parent
        return tuple(above)

    def _work_text(self) -> str:
        """The canonical text of the work: no part of a name holds a mark of the next one."""
        return self._canonical.partition("~")[0].partition("$")[0].partition("@")[0]

    def _act(self, annexes: tuple[Annex, ...]) -> WorkIdentifier:
        """The work with fewer annexes."""
        work = self.work
        return WorkIdentifier(
            authority=work.authority,
            measure=work.measure,
            details=work.details,
            annexes=annexes,
        )

    def _part(
        self,
        canonical: str,
        work: WorkIdentifier,
        expression: ExpressionIdentifier | None = None,
        manifestation: ManifestationIdentifier | None = None,
        partition: str | None = None,
    ) -> Name:
        """The name of something above this one; its parts are canonical, so nothing is parsed."""
        parts = self.jurisdiction, work, expression, manifestation, partition
        return filled(parts, canonical, canonical)


def filled(
    parts: tuple[
        Jurisdiction,
        WorkIdentifier,
        ExpressionIdentifier | None,
        ManifestationIdentifier | None,
        str | None,
    ],
    canonical: str,
    text: str,
    components: Components = _NO_COMPONENTS,
) -> Name:
    """A name of canonical parts and their canonical text, which the caller vouches for."""
    draft = _Draft()
    draft.jurisdiction, draft.work, draft.expression, draft.manifestation, draft.partition = parts
    draft.components = components
    draft.text = text
    draft._canonical = canonical  # noqa: SLF001  (a draft is ours)
    # Filled first and frozen by its class then: several times faster than writing past a guard.
    draft.__class__ = Name
    return cast("Name", draft)


def _restored(canonical: str, text: str, components: Components) -> Name:
    """A name as it was when it was pickled or copied."""
    from lexurn.name._parser import parse  # noqa: PLC0415  (the parser makes names)

    name = parse(canonical)
    parts = name.jurisdiction, name.work, name.expression, name.manifestation, name.partition
    return filled(parts, canonical, text, components)


def _text(part: object) -> str | None:
    return None if part is None else str(part)


def replace(name: Name, **parts: Unpack[NameParts]) -> Name:
    """The name with some of its parts replaced.

    Raises:
        NameSyntaxError: a part holds what cannot stand in it.
    """
    return Name.of(
        jurisdiction=parts.get("jurisdiction", name.jurisdiction),
        work=parts.get("work", name.work),
        expression=parts.get("expression", name.expression),
        manifestation=parts.get("manifestation", name.manifestation),
        partition=parts.get("partition", name.partition),
    )
