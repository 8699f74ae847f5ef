"""What a report for submission says besides: question, estimands, methods paragraph.

Each kind of report says what was analysed, and which families of pairs it has; the
sentences are the same for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pycompare.multiplicity.estimands import Estimand
from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.document import plain
from pycompare.reporting.provenance import versions

_SOFTWARE = {"numpy": "NumPy", "scipy": "SciPy"}
"""Packages that a paragraph names besides our own."""


@dataclass(frozen=True, kw_only=True)
class Words:
    """What only a report for submission says, if there are words for it."""

    question: str = ""  # by default the plan begins with it
    opening: str = ""  # what was analysed, on what
    attributes: Sequence[tuple[str, str]] = ()  # of the estimands, besides the data
    # What the pairs of each metric are compared in, by its title.
    estimands: Sequence[tuple[str, Estimand]] = ()
    # The facts of each family of pairs, by its title.
    outcomes: Sequence[tuple[str, Outcome]] = ()
    # Results that are no family of pairs: title, sentences, what is estimated.
    others: Sequence[tuple[str, str, str]] = ()
    dropped: Sequence[str] = ()  # sentences on what was left out

    @property
    def measures(self) -> list[tuple[str, str]]:
        """What each result estimates, by its title."""
        pairs = [(title, _measure(one)) for title, one in self.outcomes]
        return [*pairs, *((title, measure) for title, _, measure in self.others)]

    @property
    def paragraph(self) -> str:
        """Methods and results for a paper; empty if nothing is said of them."""
        return " ".join(self._sentences()) if self.opening else ""

    def _sentences(self) -> Iterator[str]:
        yield self.opening
        several = len(self.outcomes) + len(self.others) > 1
        for title, one in self.outcomes:
            yield from _of(one, title if several else "")
        for title, told, _ in self.others:
            yield f"{title}: {told}" if several else told
        yield from self.dropped
        yield _software()


def _measure(outcome: Outcome) -> str:
    pairs = f"{outcome.pairs[0].estimate_name} of each pair"
    return f"{outcome.quantity}; {pairs}" if outcome.quantity else pairs


def _of(outcome: Outcome, title: str) -> Iterator[str]:
    """Yield method and result of one family."""
    start = f"{title}: " if title else ""
    over = f", over {outcome.family}" if outcome.family else ""
    rate = wording.begun(outcome.guarantee.stated(outcome.alpha))
    method = f"{outcome.method}{over}. {rate}"
    yield f"{start}{method}." if start else f"{wording.begun(method)}."
    test = outcome.omnibus
    if test is not None and not math.isnan(test.statistic):
        yield f"{wording.begun(test.name)}: {wording.test_result(test, outcome.alpha)}."
    if 0 < len(outcome.significant) < len(outcome.pairs):
        yield f"{wording.begun(wording.tally(outcome))}."
    yield plain(wording.headed(outcome))


def _software() -> str:
    """Return which programs made the numbers."""
    found = versions()
    named = ", ".join(f"{name} {found[key]}" for key, name in _SOFTWARE.items())
    return (
        f"Analyses were made with pycompare {found['pycompare']} (Python "
        f"{found['Python']}, {named})."
    )
