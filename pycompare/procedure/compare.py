"""``compare``: from scores and a plan to the whole analysis."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pycompare.data.scores import Scores
from pycompare.plans.plan import Plan
from pycompare.plans.plan_file import PlanFile
from pycompare.procedure.analysis import Analysis, Titled
from pycompare.procedure.datasets_road import analyse_datasets
from pycompare.procedure.datasets_together import DatasetsTogether, datasets_together
from pycompare.procedure.linear_road import analyse_means
from pycompare.procedure.rank_road import analyse_ranks, independent_blocks
from pycompare.procedure.together import Together, together
from pycompare.procedure.two_road import analyse_two
from pycompare.results import plain


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """A whole comparison.

    Attributes
    ----------
    scores : Scores
        The scores as they were read.
    compared : Scores
        The scores that were compared: data sets' means, where there are several with
        folds.
    asked : Plan
        The plan as it was given.
    plan : Plan
        The same with nothing left open: what the blocks are, which methods.
    analyses : tuple of Analysis
        One per metric, all of one road.
    together : Together or None
        Several metrics at once, over folds or over means of data sets.
    datasets_together : DatasetsTogether or None
        Several metrics at once on each of several data sets.
    plan_file : PlanFile or None
        The file that the plan was read from, with its text and hash.
    """

    scores: Scores
    compared: Scores
    asked: Plan
    plan: Plan
    analyses: tuple[Analysis, ...]
    together: Together | None = None
    datasets_together: DatasetsTogether | None = None
    plan_file: PlanFile | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        return {
            "plan": plain(dataclasses.asdict(self.plan)),
            "blocks_asked": self.asked.blocks,
            "analyses": [analysis.to_dict() for analysis in self.analyses],
            "together": self.together and self.together.to_dict(),
            "datasets_together": self.datasets_together
            and self.datasets_together.to_dict(),
        }

    def summary(self) -> str:
        """Return the verdict in plain sentences."""
        from pycompare.reporting.roads import verdicts

        return "\n".join(verdicts(self))

    def results(self) -> list[Titled]:
        """Return every result with its title, the metric named where there are more."""
        several = len(self.analyses) > 1
        found = [
            (f"{analysis.metric.name}: {title}" if several else title, result)
            for analysis in self.analyses
            for title, result in analysis.results()
        ]
        for part in (self.together, self.datasets_together):
            found += () if part is None else part.results()
        return found


def nothing(_: str) -> None:
    """Tell nobody."""


def compare(
    scores: Scores,
    plan: Plan | PlanFile | None = None,
    *,
    progress: Callable[[str], None] = nothing,
) -> Comparison:
    """Compare algorithms measured on common blocks, as planned.

    What the blocks are decides the road, and the plan says it (``Plan.blocks``), or the
    columns of the data do; no score and no p-value ever does:

    - Blocks are independent data sets: rank tests (Friedman), adjusted comparisons of
      mean ranks.
    - Blocks are folds of one data set, three algorithms or more: blocked analysis of
      variance with Tukey's (or the control's Dunnett's) comparisons; checks of the
      residuals, corrected resampled t tests and the whole rank analysis beside them.
    - Blocks are folds of several data sets: the analysis of variance of each (corrected
      resampled t tests beside it, which then decide wins, if the plan has the sizes of
      the sets), wins over data sets, and four comparisons over them, of which
      ``Plan.verdict`` decides: rank tests of data-set means, sign tests of wins,
      analysis of variance of the means, and one model of all folds.
    - Blocks are folds of one data set, two algorithms: paired t test, corrected if the
      plan has the sizes of the sets, with Wilcoxon's and the sign test beside it.

    Each metric has its analysis; over folds several metrics are also compared at once,
    by a multivariate analysis of variance.

    Parameters
    ----------
    scores : Scores
        Complete, or read with ``missing="model"``: then Skillings-Mack replaces
        Friedman and what needs complete blocks is left out, and the analysis of
        variance is that of the general linear model.
    plan : Plan or PlanFile, optional
        Default: all pairs, alpha 0.05. Bergmann-Hommel decides over data sets, Tukey
        over folds. With a plan file (``pc.read_plan``) its text and hash go into the
        report.
    progress : callable, optional
        Is told each step before it begins.

    Returns
    -------
    Comparison
        Per metric the omnibus test, pairs with raw and adjusted p-values, effect sizes
        and decisions. Each decision is ``p_adjusted <= alpha``. The pairwise tests
        control their family's error by themselves and do not wait for the omnibus test,
        unless the plan says so (``gate="omnibus"``).

    Raises
    ------
    PlanError
        If the plan does not fit the scores: everything that does not, before anything
        is computed.
    """
    given = Plan() if plan is None else plan
    plan_file = given if isinstance(given, PlanFile) else None
    settled = given.settled(scores)
    blocks = independent_blocks(scores, settled)
    names = settled.metrics or tuple(m.name for m in scores.metrics)
    analyse = analyst(blocks, settled)
    subject = scores if settled.blocks == "folds-of-datasets" else blocks
    analyses = []
    for place, name in enumerate(names, start=1):
        progress(f"metric {place} of {len(names)}: {name}")
        analyses.append(analyse(subject, settled, name))
    if len(names) > 1:
        progress("all metrics together")
    return Comparison(
        scores=scores,
        compared=blocks,
        asked=given.plan if isinstance(given, PlanFile) else given,
        plan=settled,
        analyses=tuple(analyses),
        together=together(blocks, settled, names, analyses),
        datasets_together=datasets_together(scores, settled, names, analyses),
        plan_file=plan_file,
    )


def analyst(scores: Scores, plan: Plan) -> Callable[[Scores, Plan, str], Analysis]:
    """Return the function of the road that the plan takes."""
    if plan.blocks == "folds-of-datasets":
        return analyse_datasets
    if plan.blocks == "datasets":
        return analyse_ranks
    return analyse_two if scores.n_algorithms == 2 else analyse_means
