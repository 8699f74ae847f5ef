"""A comparison as a report: its results, and what supports them."""

from __future__ import annotations

from typing import Any

from pycompare.analyses.compare import Comparison
from pycompare.formatting.counts import counted
from pycompare.reporting.analysis_reports import sections
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content import sources, wording
from pycompare.reporting.content.page import Report
from pycompare.reporting.content.parts import result
from pycompare.reporting.content.tables import overview


def comparison_report(
    comparison: Comparison, told: ComparisonReport, origin: dict[str, Any], script: str
) -> Report:
    """Return everything that the page of a comparison is made of."""
    made = [(result(*told), told[1]) for told in sections(comparison)]
    with_facts = [
        (one.title, stated.outcome)
        for one, stated in made
        if stated is not None and stated.outcome is not None
    ]
    return Report(
        title=title(comparison),
        subtitle=sources.subtitle(comparison.plan.alpha, origin),
        results=[one for one, _ in made],
        overview=overview(with_facts) if len(with_facts) > 1 else None,
        scope=[*told.scope(), *told.caveats()],
        assumptions=told.limits(),
        plan=[told.question(), *told.plan()],
        methods=told.methods().typed(),
        data=told.data(origin) or sources.data_rows(comparison, origin),
        dropped=sources.dropped(comparison.scores),
        origin=origin,
        origin_blocks=sources.origin_blocks(origin),
        script=script,
    )


def title(comparison: Comparison) -> str:
    """Return what was compared, in what, on what."""
    plan, n = comparison.plan, comparison.scores.n_algorithms
    many = wording.begun(f"{wording.count(n)} algorithms")
    if n == 2:
        many = " and ".join(comparison.scores.algorithms)
    elif plan.control is not None:
        many = f"{wording.begun(wording.count(n - 1))} algorithms and {plan.control}"
    metrics = wording.listing([a.metric.name for a in comparison.parts[0].analyses], 4)
    if len(comparison.parts[0].analyses) > 4:
        metrics = counted(len(comparison.parts[0].analyses), "metric")
    return f"{many} compared in {metrics} {sample(comparison)}"


def sample(comparison: Comparison) -> str:
    """Return what the algorithms were compared on."""
    plan, n = comparison.plan, sources.n_compared(comparison)
    datasets = comparison.scores.datasets
    if plan.sweeps:
        sets = len(set(datasets or (None,)))
        return f"at {len(plan.theta)} thresholds of {counted(sets, 'data set')}"
    if plan.blocks == "folds":
        of = "one data set" if datasets is None else str(datasets[0])
        return f"on {counted(n, 'fold')} of {of}"
    groups = comparison.scores.group_names if comparison.grouped else ()
    within = f" in {counted(len(groups), 'group')}" if groups else ""
    return f"on {counted(n, 'data set')}{within}"
