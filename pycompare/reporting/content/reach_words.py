"""Reach of a plan with so many blocks, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycompare.designs.gate_reach import GateReach
from pycompare.designs.reach import MarginReach, Reach
from pycompare.reporting.content.facts import stated
from pycompare.reporting.content.outcomes import method
from pycompare.reporting.content.wording import (
    begun,
    count,
    in_words,
    no_outcome,
    unit_of,
)

_TINY = 1e-6
"""Below it no p-value is printed: t tests have no smallest one."""
_GATE_TESTS: dict[str, str] = {
    "exact": "exact unconditional score test",
    "score": "score test",
    "bounded": "test of bounded means (Gaffke)",
    "t": "t test",
}
_MARGIN = (
    "No outcome of {blocks} can show the margin {margin} of {metric}; {enough} are the "
    "fewest that can."
)
_EQUAL = (
    "{blocks} with equal answers cannot show the margin {margin} of {metric}; that "
    "takes {enough}."
)


def lines_of(reaches: Sequence[Reach]) -> list[str]:
    """Return what cannot be reached, then the method and its smallest p-value."""
    lines: list[str] = []
    for reach in reaches:
        head = f"{begun(reach.answers)} answers: " if reach.answers else ""
        first, *rest = [*_limits(reach), *_method(reach)]
        lines += [head + first, *rest]
    return lines


def lines_of_gate(reaches: Sequence[GateReach]) -> list[str]:
    """Return the test of a gate, and whether equal answers can pass it."""
    lines: list[str] = []
    for reach in reaches:
        head = f"{begun(reach.answers)} answers"
        if not reach.test:
            lines.append(f"{head}: the gate needs the range of {reach.metric} (range).")
            continue
        test = (
            f"Test of the gate: {_GATE_TESTS[reach.test]}, one-sided alpha = "
            f"{reach.level:g}."
        )
        if not reach.fewest:
            lines.append(f"{head}: {test}")
            continue
        can = "can" if reach.n >= reach.fewest else "cannot"
        lines.append(
            f"{head}: {in_words(reach.n, 'item')} with equal answers {can} pass the "
            f"gate with margin {reach.margin:g} of {reach.metric}; {reach.fewest} are "
            f"the fewest that can. {test}"
        )
    return lines


def _noun(reach: Reach) -> str:
    return unit_of(reach.plan.design, clustered=bool(reach.clusters))


def _limits(reach: Reach) -> Iterator[str]:
    """Yield what no outcome can reach."""
    noun = _noun(reach)
    if not reach.possible:
        yield no_outcome(reach.n, reach.fewest, noun)
    for margin in reach.margins:
        if reach.n < margin.fewest:
            yield _beyond(reach, margin, noun)


def _beyond(reach: Reach, margin: MarginReach, noun: str) -> str:
    """Return a note that a margin cannot be shown, and how many blocks it takes."""
    text = _EQUAL if margin.equal_answers else _MARGIN
    sentence = stated(
        text,
        blocks=in_words(reach.n, noun),
        margin=f"{margin.margin:g}",
        metric=margin.metric,
        enough=f"{margin.fewest} {noun}s",
    )
    return begun(sentence)


def _method(reach: Reach) -> Iterator[str]:
    """Yield test, adjustment, and the smallest p-value that it can have."""
    pairs = in_words(reach.n_pairs, "pair")
    several = f" in each of {reach.n_metrics} metrics" if reach.n_metrics > 1 else ""
    if reach.plan.family == "all" and reach.n_metrics > 1:
        several += ", one family"
    against = (
        "" if reach.plan.control is None else f" with the control {reach.plan.control}"
    )
    tested = reach.pairs
    test = method(tested) if reach.n_pairs > 1 else tested.tests
    yield (
        f"With {in_words(reach.n, _noun(reach))} and {count(reach.n_algorithms)} "
        f"algorithms the plan compares {pairs}{against}{several}. Method: {test}."
    )
    if reach.by_size:
        yield "The size of the table alone chooses this method, whatever the scores."
    alpha = f"alpha = {reach.plan.alpha:g}"
    yield (
        f"The smallest possible adjusted p-value is {reach.smallest:.3g} ({alpha})."
        if reach.smallest >= _TINY
        else f"The smallest possible adjusted p-value is below {_TINY:f} ({alpha})."
    )
    for margin in reach.margins:
        if reach.n >= margin.fewest:
            what = "Equal answers" if margin.equal_answers else "An outcome"
            yield (
                f"{what} can show the margin {margin.margin:g} of {margin.metric}; "
                f"{margin.fewest} {_noun(reach)}s are the fewest that can."
            )
