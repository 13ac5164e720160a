"""The rules on what no shape sees: names beside each other, and names beside the registry."""

from __future__ import annotations

from typing import Final

from lexurn.catalogue._check_values import CheckRule
from lexurn.shacl import Severity

__all__ = ["RULES"]

_JOIN: Final = (
    "If they are one act, state one name as an alias of the other (alias_of); if they are two, "
    "nothing has to be done."
)
_REGISTRY: Final = (
    "Correct the name, by an alias of the right one and a withdrawal of the wrong one; or correct "
    "the dates in the registry: lexurn registry."
)


def _rule(code: str, name: str, basis: str, message: str, advice: str) -> CheckRule:
    return CheckRule(
        code=code,
        name=name,
        severity=Severity.WARNING,
        message=message,
        basis=f"RFC 9676 {basis}",
        advice=advice,
    )


def _remark(code: str, name: str, basis: str, message: str, advice: str) -> CheckRule:
    return CheckRule(
        code=code,
        name=name,
        severity=Severity.INFO,
        message=message,
        basis=f"RFC 9676 {basis}",
        advice=advice,
    )


RULES: Final = (
    _rule(
        "LX960",
        "two works for one name",
        "§9.3, §10.3",
        "When names are normalised (words by the registry, numbers without dots for thousands or "
        "the year behind them), these names of different works are one.",
        _JOIN,
    ),
    _rule(
        "LX961",
        "one URL for several works",
        "§5.2",
        "One copy is said to be of several works (URLs are compared letter for letter).",
        "If the copy holds them all, as a gazette does, nothing has to be done; otherwise correct "
        "the URL of all but one.",
    ),
    _rule(
        "LX962",
        "names that differ in dialect",
        "§1, §3.3",
        "These names of different works differ only in the dialect that they are written in.",
        _JOIN,
    ),
    _rule(
        "LX963",
        "names that differ in connectives",
        "§4.1",
        "These names of different works differ only in connectives, which names do without.",
        _JOIN,
    ),
    _rule(
        "LX964",
        "names that differ in accents",
        "§3.4",
        "These names of different works differ only in accents or other letters outside ASCII.",
        _JOIN,
    ),
    _rule(
        "LX965",
        "names that differ in leading zeros",
        "§6.3.1",
        "These names of different works differ only in zeros in front of a number.",
        _JOIN,
    ),
    _rule(
        "LX966",
        "year for a date",
        "§3.6, §5.5",
        "This name has a year only; an act of the same kind and number has a whole date in it.",
        "If they are one act, state the name with the year as an alias of the one with the date.",
    ),
    _rule(
        "LX967",
        "year for several dates",
        "§3.6, §9.3",
        "This name has a year only; several acts of the same kind and number have whole dates in "
        "it, so that it names none of them.",
        "Find out which one is meant, and state the name with the year as an alias of it; or "
        "withdraw it.",
    ),
    _rule(
        "LX968",
        "several works in one alias set",
        "§5.5",
        "These acts are none of them an alias, but are taken for one work, since a name below one "
        "is an alias of a name below the other.",
        "State one act as an alias of the other if they are one work; otherwise correct the alias "
        "that joins them.",
    ),
    _rule(
        "LX969",
        "alias of another act",
        "§5.5",
        "This name is an alias of a name in the same jurisdiction that has neither its date or "
        "year nor its number; or, where authority and measure are the same, has not both.",
        "Look whether they are one act; if not, correct the alias.",
    ),
    _rule(
        "LX970",
        "authority outside its time",
        "§9.2, §6.1",
        "The date of the act lies outside the time in which, by the registry, its authority was.",
        _REGISTRY,
    ),
    _rule(
        "LX971",
        "jurisdiction outside its time",
        "§9.2, §2.1",
        "The date of the act lies outside the time in which, by the registry, its jurisdiction "
        "was.",
        _REGISTRY,
    ),
    _rule(
        "LX972",
        "measure outside its time",
        "§9.2, §6.2",
        "The date of the act lies outside the time in which, by the registry, there was such a "
        "measure.",
        _REGISTRY,
    ),
    _remark(
        "LX973",
        "jurisdiction-code that is closed",
        "§2.2",
        "By the registry the jurisdiction-code is closed for new names.",
        "Old names keep it; a new act needs a name with the code that took its place.",
    ),
    _remark(
        "LX974",
        "gaps in a series of numbers",
        "§9.3",
        "Numbers are missing between those of the acts of one kind and year, of which ten or more "
        "are held, and three of four.",
        "Look whether these acts exist and were not loaded.",
    ),
    _rule(
        "LX975",
        "one spelling for several works",
        "§9.3",
        "One spelling in a dialect is stated of several works, so that it leads to none of them.",
        "Leave the spelling out of all names but the one that it belongs to.",
    ),
)
