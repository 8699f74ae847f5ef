"""The decision log of a comparison: each step, why it ran, its decision."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import p_equals
from pycompare.designs.analysis import Analysis
from pycompare.designs.compare import Comparison, part_title
from pycompare.designs.decisions import Decisions
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.planned_posterior import PlannedPosterior
from pycompare.designs.plans.keys import keys_of
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.trail import Entry
from pycompare.reporting.content import sources
from pycompare.reporting.evidence import data_files
from pycompare.reporting.evidence.manifest import Deviation, Evidence, Step
from pycompare.results.result import Test

_NO_DECISION = "no decision: reported beside the primary analysis"


def evidence(comparison: Comparison) -> Evidence:
    """Return the data of the folder, and the decisions on the way."""
    measured = comparison.predictions
    data = (
        data_files.of_scores(comparison.scores)
        if measured is None
        else data_files.of_predictions(measured)
    )
    return Evidence(
        data=data,
        asked=dataclasses.asdict(comparison.asked),
        settled=dataclasses.asdict(comparison.plan),
        steps=list(_steps(comparison)),
        deviations=list(_deviations(comparison)),
    )


def _steps(comparison: Comparison) -> Iterator[Step]:
    """Yield every step of a comparison in its order."""
    scores = comparison.scores
    n = (scores.n_blocks, scores.n_algorithms, len(scores.metrics))
    yield Step(
        step="Read the data",
        why=_asked_by(comparison),
        decided=f"{counted(n[0], 'block')}, {counted(n[1], 'algorithm')}, "
        f"{counted(n[2], 'metric')}",
    )
    yield Step(
        step="Missing cells",
        why=f"missing = {scores.missing}",
        decided=" ".join(sources.dropped(scores)),
    )
    yield from _plan_steps(comparison.asked, comparison.plan)
    for family in comparison.families:
        yield Step(
            step=f"Adjustment over {family.family}",
            why="family = all",
            decided="adjusted p-values of the primary analysis"
            if family.decides
            else _NO_DECISION,
        )
    for part in comparison.parts:
        yield from _part_steps(part, f"{part_title(part.group)}: ")


def _asked_by(comparison: Comparison) -> str:
    """Return where the question comes from."""
    plan_file = comparison.plan_file
    return (
        "the call or the options"
        if plan_file is None
        else f"plan file {plan_file.name}"
    )


def _plan_steps(asked: Plan, settled: Plan) -> Iterator[Step]:
    """Yield the keys of the plan that were left open, and how each was filled in."""
    for key in keys_of(Plan):
        given, filled = getattr(asked, key), getattr(settled, key)
        if given != filled:
            yield Step(
                step=f"Plan key {key}",
                why=f"given as {given!r}; filled in from the design, before any test",
                decided=repr(filled),
            )


def _part_steps(part: GroupComparison, start: str) -> Iterator[Step]:
    """Yield the tests of one group of data sets, or of all."""
    start = start if part.group is not None else ""
    for analysis in part.analyses:
        of = f"{start}{analysis.metric.name}: "
        for title, result in (*analysis.results(), *analysis.beside()):
            yield _step_of(analysis, f"{of}{title}", result, part.plan)
    for joint in (part.together, part.datasets_together):
        for title, result in () if joint is None else joint.results():
            yield Step(
                step=f"{start}{title}",
                why="several metrics",
                decided=_outcome(result, part.plan.alpha),
            )


def _step_of(analysis: Analysis, title: str, result: Any, plan: Plan) -> Step:
    """Return one result, and whether it decides."""
    posterior = analysis.posterior
    if plan.compares == "bayes" and posterior and result is posterior.pairs:
        return Step(
            step=title, why="primary analysis of the plan", decided=_answers(posterior)
        )
    if result is analysis.deciding_result:
        significant = int(Decisions.of(analysis.decisions).rejected.sum())
        pairs = counted(len(analysis.decisions), "pair")
        decided = f"{significant} of {pairs} significant at alpha = {plan.alpha:g}"
        return Step(step=title, why="primary analysis of the plan", decided=decided)
    omnibus = result is analysis.test_of_all
    if omnibus and plan.gate == "omnibus":
        why = "gate = omnibus: pairs are compared only if it rejects"
        return Step(step=title, why=why, decided=_p(result, plan.alpha))
    why = "test of all algorithms at once" if omnibus else "sensitivity analysis"
    return Step(step=title, why=why, decided=_outcome(result, plan.alpha))


def _answers(posterior: PlannedPosterior) -> str:
    """Return how many pairs have an answer."""
    if not posterior.answers:
        return "no pair: the plan has neither decide_at nor rope_loss"
    decided = [answer for answer in posterior.answers if answer != "undecided"]
    return f"{len(decided)} of {counted(len(posterior.answers), 'pair')} decided"


def _outcome(result: Any, alpha: float) -> str:
    """Return what a result states that decides nothing."""
    if isinstance(result, Test):
        return f"{_p(result, alpha)}; {_NO_DECISION}"
    return _NO_DECISION


def _p(test: Test, alpha: float) -> str:
    """Return a p-value and on which side of alpha it is."""
    side = "significant" if test.rejected(alpha) else "not significant"
    return f"{p_equals(test.p_value)}, {side} at alpha = {alpha:g}"


def _deviations(comparison: Comparison) -> Iterator[Deviation]:
    """Yield the deviations from the plan, and what could not be done."""
    if comparison.scores.dropped.blocks:
        n = len(comparison.scores.dropped.blocks)
        yield Deviation(
            planned="every block is compared",
            done=f"{counted(n, 'block')} left out",
            why=f"missing cells, missing = {comparison.scores.missing}",
        )
    if comparison.plan_file is not None:
        yield from other_data(comparison.plan_file.trail)
    for part in comparison.parts:
        for reason in () if part.together is None else part.together.refusals:
            yield Deviation(
                planned="tests of all metrics at once",
                done="a test was left out",
                why=reason,
            )


def other_data(trail: Sequence[Entry]) -> Iterator[Deviation]:
    """Yield that the data are not those that were there when the plan was sealed."""
    sealed = next((e for e in trail[::-1] if e.event in ("sealed", "amended")), None)
    ran = next((e for e in trail[::-1] if e.event == "run"), None)
    if sealed is None or ran is None:
        return
    for key, before in sealed.hashes.items():
        after = ran.hashes.get(key, before)
        if before != after:
            what = "data file" if key == "file" else key
            yield Deviation(
                planned=f"the {what} that was there when the plan was sealed",
                done=f"another {what} was analysed",
                why=f"hash at the seal {before}, at the run {after}",
            )
