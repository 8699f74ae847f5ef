"""``methods_text``: a paragraph for a paper; what a comparison estimates."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pycompare.analyses.compare import Comparison
from pycompare.errors import InputError
from pycompare.labels import show
from pycompare.reporting.analysis_reports import results, summary_report
from pycompare.reporting.content import sources, wording
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.document import plain
from pycompare.reporting.provenance import versions

_SOFTWARE = {"numpy": "NumPy", "scipy": "SciPy"}
"""Packages that a paragraph names besides our own."""


def methods_text(comparison: Comparison) -> str:
    """Return a paragraph on methods and results, its numbers filled in, to be pasted.

    Parameters
    ----------
    comparison : Comparison
        From ``compare``.

    Returns
    -------
    str
        What was compared, the tests with their adjustment and error rate, their
        results, missing cells, software.

    Raises
    ------
    InputError
        For another kind of result.

    Examples
    --------
    >>> import pycompare as pc
    >>> text = pc.methods_text(pc.compare(pc.example(), pc.Plan(blocks="datasets")))
    >>> text.split(". ")[0]
    'We compared five algorithms in accuracy (higher is better) on 30 data sets'
    >>> "χ²(4) = 39.9, p < 0.001" in text
    True
    """
    if not isinstance(comparison, Comparison):
        raise InputError(f"expected the result of pc.compare, got {show(comparison)}")
    return " ".join(_sentences(comparison))


def summary_measures(comparison: Comparison) -> list[tuple[str, str]]:
    """Return what each family estimates, by its name."""
    return [
        (one.result.title, _measure(one.outcome))
        for one in results(comparison)
        if one.outcome is not None
    ]


def _measure(outcome: Outcome) -> str:
    pairs = f"{outcome.pairs[0].estimate_name} of each pair"
    return f"{outcome.quantity}; {pairs}" if outcome.quantity else pairs


def _sentences(comparison: Comparison) -> Iterator[str]:
    """Yield the sentences of the paragraph."""
    told = summary_report(comparison)
    metrics = [wording.direction(m) for m in comparison.scores.metrics]
    control = comparison.plan.control
    beside = "" if control is None else f" with {control}"
    n = comparison.scores.n_algorithms - (control is not None)
    many = "algorithm" if n == 1 else "algorithms"
    yield (
        f"We compared {wording.count(n)} {many}{beside} in {wording.listing(metrics)} "
        f"{told.sample()}."
    )
    outcomes = [one for one in results(comparison) if one.outcome is not None]
    for one in outcomes:
        assert one.outcome is not None
        yield from _of(one.outcome, one.result.title if len(outcomes) > 1 else "")
    yield from sources.dropped(comparison.scores)
    yield _software()


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
