"""Contents of a report for submission besides: question, estimands, methods paragraph.

Each kind of report states the analysis, and which families of pairs it has; the
sentences are the same for all, in the past tense.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pycompare.designs.plans.statements import of_estimand
from pycompare.reporting.content import paper_words, wording
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.provenance import versions
from pycompare.results.estimands import NOT_STATED, Estimand

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
    margin: Sequence[tuple[str, str]] = ()  # its reason and its source
    # What was shown against margins.
    claims: Sequence[str] = ()
    dropped: Sequence[str] = ()  # sentences on what was left out
    # Sources of the primary tests, besides those of the table of methods.
    references: Sequence[str] = ()

    @property
    def measures(self) -> list[tuple[str, str]]:
        """What each result estimates, by its title."""
        pairs = [(title, _measure(outcome)) for title, outcome in self.outcomes]
        return [*pairs, *((title, measure) for title, _, measure in self.others)]

    @property
    def paragraph(self) -> str:
        """Methods and results for a paper; empty if nothing is stated about them."""
        return " ".join(self._sentences()) if self.opening else ""

    def _sentences(self) -> Iterator[str]:
        yield self.opening
        several = len(self.outcomes) + len(self.others) > 1
        yield from self.claims
        start = wording.SUPPLEMENTARY if self.claims else ""
        for title, outcome in self.outcomes:
            named = [start] * bool(start) + [title] * several
            yield from paper_words.of_outcome(outcome, ", ".join(named))
        for title, told, _ in self.others:
            yield f"{title}: {told}" if several else told
        yield from self.dropped
        yield _software()


_OF_ESTIMAND = {
    "population_stated": "Population, as stated",
    "treatment": "Treatment",
    "variable": "Variable",
    "intercurrent_events": "Intercurrent events",
    "summary_measure": "Summary measure, as stated",
}
"""Names of the attributes of an estimand."""


def stated_attributes(plan: Any, variable: str) -> list[tuple[str, str]]:
    """Return the attributes of the estimand as a plan states them.

    ``variable`` is its name if the plan has none; a plan of None states
    nothing.
    """
    told = {"variable": variable, **({} if plan is None else of_estimand(plan))}
    return [(title, told.get(n, NOT_STATED)) for n, title in _OF_ESTIMAND.items()]


def stated_margin(plan: Any) -> list[tuple[str, str]]:
    """Return the reason and the source of the margin of a plan, if it has one."""
    if plan is None or plan.margin is None:
        return []
    return [
        ("Reason for the margin", plan.margin_reason or NOT_STATED),
        ("Source of the margin", plan.margin_source or NOT_STATED),
    ]


def _measure(outcome: Outcome) -> str:
    pairs = f"{outcome.pairs[0].estimate_name} of each pair"
    return f"{outcome.quantity}; {pairs}" if outcome.quantity else pairs


def _software() -> str:
    """Return which programs made the numbers."""
    by_name = versions()
    named = ", ".join(f"{name} {by_name[key]}" for key, name in _SOFTWARE.items())
    return (
        f"Analyses were made with pycompare {by_name['pycompare']} (Python "
        f"{by_name['Python']}, {named})."
    )
