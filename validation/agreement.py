"""Run the checks, one R process each, and tell how many digits agree."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.errors import ReferenceUnavailable
from pycompare.interop import r
from pycompare.results import RCall, plain
from pycompare.testing import lre

NO_CALL = RCall((), "", {})
AGREES, DIFFERS, NOT_VERIFIED = "agrees", "differs", "not verified"


@dataclass(frozen=True)
class Wanted:
    """How many digits a quantity must share with R, and why not more.

    ``floor``: errors count relative to the larger of R's value and this, where R has
    absolute accuracy only.
    """

    digits: float
    why: str
    floor: float = 0.0


@dataclass(frozen=True)
class Case:
    """One data set of a check: the R call, and our numbers under R's names."""

    name: str
    call: RCall
    ours: Mapping[str, Any]


@dataclass(frozen=True)
class Check:
    """One statistic over many cases.

    Attributes
    ----------
    statistic : str
    r_function : str
        What stands behind the R function, in words.
    cases : callable
        Makes the cases; a failure in it fails the check.
    wanted : mapping
        Quantity -> Wanted; ``*`` for all others.
    """

    statistic: str
    r_function: str
    cases: Callable[[], list[Case]]
    wanted: Mapping[str, Wanted]
    timeout: float = 120.0

    def wanted_for(self, quantity: str) -> Wanted:
        """Return what is wanted of one quantity."""
        return self.wanted.get(quantity, self.wanted["*"])


@dataclass(frozen=True)
class Row:
    """Agreement of one quantity of one case."""

    statistic: str
    r_function: str
    case: str
    quantity: str
    digits: float | None
    wanted: float
    why: str
    ours: float | None
    r: float | None
    verdict: str
    reason: str = ""


@dataclass(frozen=True)
class Agreement:
    """All rows, and what R they were made with.

    ``passed`` only if there are rows and every one of them agrees.
    """

    rows: tuple[Row, ...]
    versions: Mapping[str, Any]
    seconds: float

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
                    "r_function": rows[0].r_function,
                    "cases": len({row.case for row in rows}),
                    "numbers": len(rows),
                    "fewest_digits": fewest.digits if fewest else None,
                    "fewest_at": f"{fewest.quantity}; {fewest.case}" if fewest else "",
                    "verdict": worst([row.verdict for row in rows]),
                }
            )
        return lines

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
            f"{self.count(NOT_VERIFIED)} not verified; {self.versions.get('R', 'no R')}"
        )
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        return {
            "made_by": "pycompare validation",
            "passed": self.passed,
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
        f"{row.ours!r} against R {row.r!r}"
    )


def digits_text(digits: float | None) -> str:
    """Return digits to one decimal, a dash where nothing was compared."""
    return "–" if digits is None else f"{digits:.1f}"


def worst(verdicts: Sequence[str]) -> str:
    """Return the gravest of several verdicts."""
    return next(v for v in (NOT_VERIFIED, DIFFERS, AGREES) if v in verdicts)


def run(
    checks: Sequence[Check], *, progress: Callable[[str], None] | None = None
) -> Agreement:
    """Run all checks, each in an R process of its own.

    A failure of R, whatever its kind, becomes a row that says "not verified".
    """
    start = time.monotonic()
    rows: list[Row] = []
    for number, check in enumerate(checks, start=1):
        if progress is not None:
            progress(f"[{number}/{len(checks)}] {check.statistic}")
        rows.extend(run_check(check))
    return Agreement(tuple(rows), r_versions(), time.monotonic() - start)


def r_versions() -> dict[str, Any]:
    """Return the versions of R and its packages, or why there are none."""
    try:
        return r.versions()
    except ReferenceUnavailable as error:
        return {"R": f"not available: {error}"}


def run_check(check: Check) -> Iterator[Row]:
    """Yield the rows of one check."""
    try:
        cases = check.cases()
    except Exception as error:  # whatever goes wrong in our own code fails the check
        reason = f"{type(error).__name__} before R was asked: {error}"
        yield unverified(check, Case("*", NO_CALL, {}), "*", reason)
        return
    if not cases:
        yield unverified(check, Case("*", NO_CALL, {}), "*", "the check has no cases")
    try:
        answers = r.run([case.call for case in cases], timeout=check.timeout)
    except ReferenceUnavailable as error:
        for case in cases:
            yield unverified(check, case, "*", str(error))
        return
    for case, answer in zip(cases, answers, strict=True):
        for quantity in case.ours:
            yield compare(check, case, quantity, answer)


def unverified(check: Check, case: Case, quantity: str, reason: str) -> Row:
    """Return a row that nothing was compared for."""
    wanted = check.wanted_for(quantity)
    return Row(
        check.statistic,
        check.r_function,
        case.name,
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
    """Compare one quantity with R's; the worst element counts."""
    if quantity not in answer:
        return unverified(check, case, quantity, "R's function did not return it")
    wanted = check.wanted_for(quantity)
    ours = np.atleast_1d(np.asarray(case.ours[quantity], float))
    theirs = np.atleast_1d(np.asarray(answer[quantity], float))
    if ours.shape != theirs.shape or not ours.size:
        reason = f"{ours.size} numbers against {theirs.size} of R"
        return unverified(check, case, quantity, reason)
    digits = lre(ours, theirs, floor=wanted.floor)
    at = int(np.argmin(digits))
    return Row(
        check.statistic,
        check.r_function,
        case.name,
        quantity,
        float(digits[at]),
        wanted.digits,
        wanted.why,
        float(ours[at]),
        float(theirs[at]),
        AGREES if digits[at] >= wanted.digits else DIFFERS,
    )
