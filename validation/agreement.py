"""What a check is, how its numbers are compared, and the table of all agreement."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from pycompare.base.interop.r_call import RCall
from pycompare.base.testing import lre
from pycompare.results.result import plain

AGREES, DIFFERS, NOT_VERIFIED = "agrees", "differs", "not verified"


class Source(StrEnum):
    """Who computes the number that ours is compared with."""

    PACKAGE = "R package"
    DERIVED = "own derivation in R"
    LIBRARY = "Python library"


class Package(str):
    """Functions of R, base R's or a package's, that have the statistic themselves."""


class Library(str):
    """Functions of a Python library that have the statistic."""


@dataclass(frozen=True)
class Wanted:
    """How many digits a quantity must share with the reference, and why not more.

    ``floor``: errors count relative to the larger of the reference's value and this,
    where the reference has absolute accuracy only.
    """

    digits: float
    why: str
    floor: float = 0.0


@dataclass(frozen=True)
class Case:
    """One data set of a check: the call of the reference, our numbers under its names.

    ``call`` is an R call, or a function that asks a Python library.
    """

    name: str
    call: RCall | Callable[[], Mapping[str, Any]]
    ours: Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """One statistic over many cases.

    Attributes
    ----------
    statistic : str
    reference : str
        The functions that give the numbers to compare with: ``Package`` or ``Library``
        where these have the statistic; any other text is R code of ours.
    cases : callable
        Makes the cases, one after another; a failure in it fails the check.
    wanted : mapping
        Quantity -> Wanted; ``*`` for all others.
    """

    statistic: str
    reference: str
    cases: Callable[[], Iterable[Case]]
    wanted: Mapping[str, Wanted]

    @property
    def source(self) -> Source:
        """Who has the statistic; our own derivation unless somebody else is named."""
        if isinstance(self.reference, Package):
            return Source.PACKAGE
        is_library = isinstance(self.reference, Library)
        return Source.LIBRARY if is_library else Source.DERIVED

    def wanted_for(self, quantity: str) -> Wanted:
        """Return what is wanted of one quantity."""
        return self.wanted.get(quantity, self.wanted["*"])


@dataclass(frozen=True)
class Row:
    """Agreement of one quantity of one case."""

    statistic: str
    reference: str
    source: str
    case: str
    quantity: str
    digits: float | None
    wanted: float
    why: str
    ours: float | None
    theirs: float | None
    verdict: str
    reason: str = ""


@dataclass(frozen=True)
class Agreement:
    """All rows, and what they were made with.

    Attributes
    ----------
    rows : tuple of Row
    versions : mapping
        Software and machine -> version.
    seconds : float
    date : str
        When the run began: ISO 8601, with the distance to UTC.
    quick : bool
        Only the first case of each check was compared.
    """

    rows: tuple[Row, ...]
    versions: Mapping[str, Any]
    seconds: float
    date: str
    quick: bool = False

    @property
    def passed(self) -> bool:
        """Tell whether everything was compared and agrees."""
        return bool(self.rows) and all(row.verdict == AGREES for row in self.rows)

    def count(self, verdict: str) -> int:
        """Return the number of rows with that verdict."""
        return sum(row.verdict == verdict for row in self.rows)

    def by_statistic(self) -> list[dict[str, Any]]:
        """Return one line per statistic: rows, fewest digits and where, verdict."""
        lines = []
        for name in dict.fromkeys(row.statistic for row in self.rows):
            rows = [row for row in self.rows if row.statistic == name]
            compared = [row for row in rows if row.digits is not None]
            fewest = min(compared, key=lambda row: row.digits or 0.0, default=None)
            lines.append(
                {
                    "statistic": name,
                    "reference": rows[0].reference,
                    "source": rows[0].source,
                    "cases": len({row.case for row in rows}),
                    "numbers": len(rows),
                    "fewest_digits": fewest.digits if fewest else None,
                    "fewest_at": f"{fewest.quantity}; {fewest.case}" if fewest else "",
                    "verdict": worst([row.verdict for row in rows]),
                }
            )
        return lines

    def by_source(self) -> list[dict[str, Any]]:
        """Return one line per kind of reference: statistics and comparisons."""
        return [
            {
                "source": source.value,
                "statistics": len({row.statistic for row in rows}),
                "comparisons": len(rows),
            }
            for source in Source
            if (rows := [row for row in self.rows if row.source == source])
        ]

    def summary(self) -> str:
        """Return the agreement as text."""
        lines = [
            f"{line['verdict']:>12}  {digits_text(line['fewest_digits']):>5} digits  "
            f"{line['numbers']:>4} numbers  {line['statistic']}"
            for line in self.by_statistic()
        ]
        lines += dict.fromkeys(map(complaint, self.rows))
        lines = [line for line in lines if line]
        lines.append(
            f"{self.count(AGREES)} agree, {self.count(DIFFERS)} differ, "
            f"{self.count(NOT_VERIFIED)} not verified; {self.seconds:.0f} s; "
            f"{self.versions.get('R') or 'no R'}"
        )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        return {
            "made_by": "pycompare validation",
            "passed": self.passed,
            "quick": self.quick,
            "date": self.date,
            "versions": plain(dict(self.versions)),
            "seconds": self.seconds,
            "statistics": plain(self.by_statistic()),
            "rows": [plain(row) for row in self.rows],
        }

    def to_json(self) -> str:
        """Return the agreement as JSON."""
        return json.dumps(self.to_dict(), indent=1, allow_nan=False)


def complaint(row: Row) -> str:
    """Return what is wrong with a row as a line; nothing if it agrees."""
    if row.verdict == AGREES:
        return ""
    if row.verdict == NOT_VERIFIED:
        return f"  {row.verdict}: {row.statistic}: {row.reason}"
    return (
        f"  {row.verdict}: {row.statistic}, {row.case}, {row.quantity}: "
        f"{row.ours!r} against {row.theirs!r} of {row.reference}"
    )


def digits_text(digits: float | None) -> str:
    """Return digits to one decimal, a dash where nothing was compared."""
    return "–" if digits is None else f"{digits:.1f}"


def worst(verdicts: Sequence[str]) -> str:
    """Return the gravest of several verdicts."""
    return next(v for v in (NOT_VERIFIED, DIFFERS, AGREES) if v in verdicts)


def compared(check: Check, case: Case, answer: Mapping[str, Any]) -> list[Row]:
    """Compare every quantity of a case with the answer of the reference."""
    return [compare(check, case, quantity, answer) for quantity in case.ours]


def unverified(check: Check, case: str, quantity: str, reason: str) -> Row:
    """Return a row that nothing was compared for."""
    wanted = check.wanted_for(quantity)
    return Row(
        check.statistic,
        check.reference,
        check.source,
        case,
        quantity,
        None,
        wanted.digits,
        wanted.why,
        None,
        None,
        NOT_VERIFIED,
        reason,
    )


def compare(check: Check, case: Case, quantity: str, answer: Mapping[str, Any]) -> Row:
    """Compare one quantity with the reference's; the worst element counts."""
    if quantity not in answer:
        return unverified(check, case.name, quantity, "the reference did not return it")
    wanted = check.wanted_for(quantity)
    ours = np.atleast_1d(np.asarray(case.ours[quantity], float))
    theirs = np.atleast_1d(np.asarray(answer[quantity], float))
    if ours.shape != theirs.shape or not ours.size:
        reason = f"{ours.size} numbers against {theirs.size} of the reference"
        return unverified(check, case.name, quantity, reason)
    digits = lre(ours, theirs, floor=wanted.floor)
    at = int(np.argmin(digits))
    return Row(
        check.statistic,
        check.reference,
        check.source,
        case.name,
        quantity,
        float(digits[at]),
        wanted.digits,
        wanted.why,
        float(ours[at]),
        float(theirs[at]),
        AGREES if digits[at] >= wanted.digits else DIFFERS,
    )
