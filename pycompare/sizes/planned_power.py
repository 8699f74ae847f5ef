"""Power of what ``compare`` runs by a plan file, found by running it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.arguments import check_seed, is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.tables import table_text
from pycompare.base.parallel.place import working
from pycompare.base.parallel.progress import discard
from pycompare.base.tables import Columns
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile
from pycompare.designs.plans.analysis_plans import read_analysis_plan
from pycompare.designs.plans.curves_plan import CurvesPlanFile
from pycompare.designs.plans.plan_file import PlanFile, read_plan
from pycompare.designs.plans.readers_plan import ReadersPlanFile
from pycompare.results.result import Result, internal, made_when_read
from pycompare.sizes.curve_study import curve_study
from pycompare.sizes.planned_rows import (
    ALL,
    ANY,
    DIFFERENCE,
    MARGIN,
    VECTORS,
    rows_of_size,
    said,
)
from pycompare.sizes.planned_scores import score_study
from pycompare.sizes.planned_study import PlannedStudy, outcomes_of
from pycompare.sizes.power import curve_of
from pycompare.sizes.prediction_study import prediction_study
from pycompare.sizes.reader_study import reader_study
from pycompare.sizes.stated_truth import ByMetric, Effects, MetricKind, StatedTruth

if TYPE_CHECKING:
    import pandas as pd


_MOST_CURVES = 8
"""Curves of one drawing."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedPower(Result):
    """How often ``compare`` draws each conclusion in simulated studies of a plan.

    Attributes
    ----------
    table : DataFrame
        One row for each size and conclusion: ``n metric group conclusion algorithm_1
        algorithm_2 difference true share conf_low conf_high studies method``. Metric
        and group are empty if there is one, and of rows about all of them. ``share``
        of the simulated ``studies`` draw it; the limits are of the Monte Carlo error,
        exact at 95%.
        If ``true``, the share is a power, otherwise an error rate. ``method`` names
        tests and adjustment, which may depend on the size. ``conclusion``:

        - ``better``: algorithm_1 is significantly better than algorithm_2, which it is;
        - ``no difference``: the two are equal, and are found to differ;
        - ``within margin``: the plan's margin is shown;
        - ``any of these``, ``all of these``: of the true differences, or of the pairs
          that are truly within the margin (``within margin: any of these``);
        - ``vectors differ``: the pair differs in all metrics together, over folds;
        - ``any wrong one``: equal algorithms are found to differ, or the worse one is
          found better.
    units : str
        What n counts, in the plural.
    truth : str
        The assumed truth, in words.
    metrics : str
        The metrics and the better direction, in words.
    alpha : float
        Of differences.
    margins : tuple of str
        The margins of the plan, in words.
    trials, seed : int
    plan_name, plan_sha256 : str
        The plan file and its hash.
    stated : mapping
        The truth as it was stated: the arguments of ``planned_power``.
    """

    table: pd.DataFrame = made_when_read()
    units: str
    truth: str
    metrics: str
    alpha: float
    margins: tuple[str, ...]
    trials: int
    seed: int
    plan_name: str
    plan_sha256: str
    stated: Mapping[str, Any]
    study: PlannedStudy = internal()
    plan_file: PlannedFile = internal()

    @property
    def subject(self) -> str:
        """What has this power, in words."""
        return f"the plan {self.plan_name} at alpha = {self.alpha:g}"

    @property
    def studies(self) -> int:
        """Simulated studies of each size."""
        return self.trials

    def curves(self) -> dict[str, Columns]:
        """Return ``n power conf_low conf_high`` of the drawing, by its name.

        Of many metrics and groups only the curves of all of them together.
        """
        table = self.as_columns()
        conclusions = {
            "all true differences": f"{DIFFERENCE}: {ALL}",
            "any true difference": f"{DIFFERENCE}: {ANY}",
            "all mean vectors that differ": f"{VECTORS}: {ALL}",
            "margin, all pairs within it": f"{MARGIN}: {ALL}",
            "margin, any pair within it": f"{MARGIN}: {ANY}",
        }
        places = dict.fromkeys(zip(table["metric"], table["group"], strict=True))
        curves: dict[str, Columns] = {}
        for metric, group in places:
            of = ", ".join(text for text in (metric, group) if text)
            here = (table["metric"] == metric) & (table["group"] == group)
            for name, conclusion in conclusions.items():
                rows = table.where(here & (table["conclusion"] == conclusion))
                order = np.argsort(rows["n"], kind="stable")
                if len(rows):
                    curves[f"{of}: {name}" if of else name] = curve_of(
                        rows["n"],
                        rows["share"],
                        rows["conf_low"],
                        rows["conf_high"],
                        order,
                    )
        if len(curves) <= _MOST_CURVES:
            return curves
        of_all = {name: curve for name, curve in curves.items() if name in conclusions}
        return of_all or dict(list(curves.items())[:_MOST_CURVES])

    def sentences(self) -> list[str]:
        """Return sentences for a protocol or a grant application, one per size."""
        head = (
            f"Plan {self.plan_name} (SHA-256 {self.plan_sha256[:12]}), "
            f"alpha = {self.alpha:g}."
        )
        rows = list(self.as_columns().itertuples())
        lines = [head, f"Assumed truth: {self.truth}."]
        for n, of_size in groupby(rows, lambda row: row.n):
            own = list(of_size)
            lines.append(
                f"{n} {self.units} ({own[0].method}): {'. '.join(_said(own))}."
            )
        if any(r.conclusion == f"{DIFFERENCE}: {ANY}" and not r.share for r in rows):
            lines.append(
                "Nothing was found at some size: pycompare plan FILE --n N shows "
                "whether any outcome could be significant."
            )
        lines.append(
            f"Shares of {self.trials} simulated studies (seed {self.seed}) with 95% "
            "Monte Carlo limits, each study compared as the plan specifies."
        )
        return lines

    def summary(self, digits: int = 4) -> str:
        """Return the sentences, and the table of pairs."""
        table = self.as_columns().but("studies", "method")
        pairs = table.where(table["algorithm_1"] != "")
        return "\n".join([*self.sentences(), "", table_text(pairs, digits)])


def _said(rows: Sequence[Any]) -> Iterable[str]:
    """Yield the conclusions of one size, of each metric and group."""
    several = len({(row.metric, row.group) for row in rows}) > 1
    for (metric, group), own in groupby(rows, lambda row: (row.metric, row.group)):
        of = ", ".join(text for text in (metric, group) if text) or "all of these"
        yield (f"{of}: " if several else "") + "; ".join(said(list(own)))


@checked
def planned_power(
    plan: PlannedFile | str | PathLike[str],
    *,
    n: int | Sequence[int],
    effects: Effects,
    correlation: ByMetric | None = None,
    sd: ByMetric | None = None,
    base: ByMetric | None = None,
    answers: MetricKind | Mapping[str, MetricKind] | None = None,
    fold_correlation: float | None = None,
    fold_sd: ByMetric | None = None,
    folds_per_dataset: int | None = None,
    per_cluster: int | None = None,
    cluster_correlation: float | None = None,
    n_runs: int | None = None,
    run_correlation: float | None = None,
    shared_run_correlation: float | None = None,
    metric_correlation: float | None = None,
    group_shares: Mapping[str, float] | None = None,
    group_effects: Mapping[str, Effects] | None = None,
    prevalence: float | None = None,
    cases_per_block: int | None = None,
    n_cases: int | None = None,
    variances: Mapping[str, float] | None = None,
    n_algorithms: int | None = None,
    trials: int = 500,
    seed: int = 1,
    workers: int | None = None,
    scheduler: str | Any | None = None,
    progress: Callable[[str], None] = discard,
) -> PlannedPower:
    """Return how often ``compare`` would find the truth, by a plan file.

    Tables are drawn from the stated truth, and each is compared as the plan specifies:
    the power is that of the very tests, adjustment and margins that ``compare`` runs.

    Parameters
    ----------
    plan : PlanFile or path
        A plan of scores; ``blocks`` defines them. With folds of data sets n counts data
        sets, and the truth is about their means over folds. Also plans of predictions,
        of ROC curves (n cases of one test set) and of readers (n readers): their truth
        is stated as areas under ROC curves, by ``base`` and ``effects``.
    n : int or sequence of int
        Sizes: data sets, folds or cases, as ``blocks`` specifies; clusters of these if
        the plan has a column of clusters.
    effects : mapping of str to float
        True difference of an algorithm's mean to that of the algorithms that are not
        named, in the unit and direction of the metric: of an error rate a negative one
        is better. With ``scale = "ratio"`` the ratio to them. Names are those of the
        plan, or ``algorithm 1``, ``algorithm 2``, ... if it lists none. Of several
        metrics a mapping of metrics to such mappings.
    correlation : float or mapping, optional
        Needed: correlation of the scores of two algorithms over blocks; of right/wrong
        answers over cases. Of several metrics one number for all, or one for each.
    sd : float or mapping, optional
        Standard deviation of the scores of one algorithm over blocks (with folds: of
        one study); with ``scale = "ratio"`` of their logarithms. Needed, but of
        right/wrong answers, which have none of their own. Of several metrics one number
        for all, or one for each.
    base : float or mapping, optional
        Needed of right/wrong answers: share of right answers of the algorithms that are
        not named. Of several metrics one number for all, or one for each. Of
        predictions, ROC curves and readers: their AUC.
    answers : {"right/wrong", "graded"} or mapping, optional
        Needed over cases: which kind of answers they have. Of several metrics one word
        for all, or one for each.
    fold_correlation : float, optional
        Needed over folds: correlation of a difference in two folds of one study, which
        share training data. Nadeau and Bengio take n_test / (n_train + n_test); 0 for
        training sets that share nothing.
    fold_sd : float or mapping, optional
        Standard deviation of the scores of one algorithm over the folds of one data
        set, with ``folds_per_dataset`` and ``fold_correlation``. Needed if folds of
        data sets are compared by wins or means. Without it the means over folds are
        drawn; with it ``sd`` is that of the data sets' true means.
    folds_per_dataset : int, optional
        Folds of each data set, of all repetitions, beside ``fold_sd``.
    per_cluster : int, optional
        Needed of a plan with clusters: data sets, or cases, of each cluster, 2 or more.
    cluster_correlation : float, optional
        Needed with clusters: correlation of an algorithm's scores, and of a difference
        of two, on two blocks of a cluster. Of right/wrong answers it is that of the
        normal numbers behind the answers, which is larger than theirs.
    n_runs : int, optional
        Needed of a plan with runs (``replicate``): how many each algorithm has on each
        block.
    run_correlation : float, optional
        Needed with runs: correlation of an algorithm's scores, and of a difference of
        two, in two runs of one block. Of right/wrong answers that of the normal
        numbers.
    shared_run_correlation : float, optional
        Needed with runs that all blocks share (trainings, prompts, judges): the same
        correlation on two blocks in one run; 0 for runs without an effect.
    metric_correlation : float, optional
        Needed of several metrics: correlation of a difference of two algorithms in two
        metrics, each in its own unit.
    group_shares : mapping of str to float, optional
        Needed of a plan with groups: the share of the blocks that each group has; n
        counts the blocks of all groups. Their sum is divided out.
    group_effects : mapping of str to mapping, optional
        Effects that a group has in place of ``effects``, by group.
    prevalence : float, optional
        Needed of plans of predictions, ROC curves and readers: share of positive cases.
    cases_per_block : int, optional
        Needed of plans of predictions: cases of each test set.
    n_cases : int, optional
        Needed of plans of readers: cases that every reader rates; n counts readers.
    variances : mapping of str to float, optional
        Needed of plans of readers: the variances of the ratings in Roe and Metz's
        model, ``reader``, ``modality_reader``, ``case``, ``modality_case``,
        ``reader_case`` and ``error``.
    n_algorithms : int, optional
        Needed if the plan does not list the algorithms.
    trials : int, default 500
        Simulated studies of each size.
    seed : int, default 1
        Random seed of the simulated studies; each has numbers of its own, of seed, size
        and place.
    workers : int, optional
        Processes of this machine; the numbers do not depend on them. Default: as
        ``joblib.parallel_config`` is set, or 1.
    scheduler : str or dask client, optional
        Address of a dask.distributed scheduler, its file, or ``env``
        (DASK_SCHEDULER_ADDRESS).
    progress : callable, optional
        Called with lines of progress.

    Returns
    -------
    PlannedPower

    Raises
    ------
    InputError
        If something is not stated that the truth needs, or is stated and not used; for
        plans whose conclusions no number of blocks settles, with the reason.
    PlanError
        If the plan cannot be one of such a table.

    Notes
    -----
    Scores over data sets and folds, and graded answers, are normal with equal spread;
    right/wrong answers come from normal numbers with a threshold. Real scores with
    longer tails, or spreads that differ, have another power. R: ``pc_planned_power``.

    Examples
    --------
    >>> import pycompare as pc
    >>> text = '''
    ... [data]
    ... file = "scores.csv"
    ... format = "wide"
    ... block = "dataset"
    ... algorithms = ["new", "old", "older"]
    ... [metrics]
    ... accuracy = "higher"
    ... [plan]
    ... blocks = "datasets"
    ... '''
    >>> plan = pc.PlanFile(content=text.encode())
    >>> found = pc.planned_power(
    ...     plan, n=20, effects={"new": 0.02}, sd=0.05, correlation=0.8, trials=20
    ... )
    >>> found.table[["conclusion", "algorithm_1", "algorithm_2", "true", "share"]]
                 conclusion algorithm_1 algorithm_2   true  share
    0                better         new         old   True   0.65
    1                better         new       older   True   0.65
    2         no difference         old       older  False   0.00
    3  better: any of these                           True   0.80
    4  better: all of these                           True   0.50
    5         any wrong one                          False   0.00
    """
    planned = planned_file(plan)
    sizes = _sizes(n)
    check_seed(seed)
    if not is_whole(trials) or trials < 1:
        raise InputError(setting("trials", trials) + ": give a whole number, 1 or more")
    truth = StatedTruth(
        effects=effects,
        correlation=correlation,
        sd=sd,
        base=base,
        answers=answers,
        fold_correlation=fold_correlation,
        fold_sd=fold_sd,
        folds_per_dataset=folds_per_dataset,
        per_cluster=per_cluster,
        cluster_correlation=cluster_correlation,
        n_runs=n_runs,
        run_correlation=run_correlation,
        shared_run_correlation=shared_run_correlation,
        metric_correlation=metric_correlation,
        group_shares=group_shares,
        group_effects=group_effects,
        prevalence=prevalence,
        cases_per_block=cases_per_block,
        n_cases=n_cases,
        variances=variances,
    )
    study = _planned_study(planned, truth, n_algorithms, seed, sizes)
    methods = {size: study.method(size) for size in sizes}
    with working(workers, scheduler, progress):
        outcomes = outcomes_of(study, sizes, trials)
    rows = [
        {**row, "method": methods[size]}
        for size in sizes
        for row in rows_of_size(study, size, outcomes[size], trials)
    ]
    table = Columns({name: [row[name] for row in rows] for name in rows[0]})
    of_algorithms = {} if n_algorithms is None else {"n_algorithms": n_algorithms}
    return PlannedPower(
        table=table,
        units=study.units,
        truth=study.words(study.units),
        metrics=study.said_metrics,
        alpha=study.alpha,
        margins=study.margins,
        trials=trials,
        seed=seed,
        plan_name=planned.name,
        plan_sha256=planned.sha256,
        stated=truth.stated | of_algorithms,
        study=study,
        plan_file=planned,
    )


def _sizes(n: int | Sequence[int]) -> list[int]:
    """Return the sizes, each once."""
    given: list[Any] = list(n) if isinstance(n, Iterable) else [n]
    if not given:
        raise InputError(setting("n", given) + ": give one size or more")
    for size in given:
        if not is_whole(size) or size < 2:
            raise InputError(
                setting("n", size) + ": give whole numbers of blocks, 2 or more"
            )
    return list(dict.fromkeys(int(size) for size in given))


PlannedFile = PlanFile | AnalysisPlanFile


def planned_file(plan: PlannedFile | str | PathLike[str]) -> PlannedFile:
    """Return a plan file, of any analysis, that is given or has this path."""
    if isinstance(plan, PlanFile | AnalysisPlanFile):
        return plan
    return read_analysis_plan(plan) or read_plan(plan)


def _planned_study(
    planned: PlannedFile,
    truth: StatedTruth,
    n_algorithms: int | None,
    seed: int,
    sizes: list[int],
) -> PlannedStudy:
    """Return the study of a plan, or reject missing and unused parts of the truth."""
    if isinstance(planned, CurvesPlanFile):
        return curve_study(planned, truth, n_algorithms, seed)
    if isinstance(planned, ReadersPlanFile):
        return reader_study(planned, truth, n_algorithms, seed)
    if isinstance(planned, AnalysisPlanFile):
        raise InputError(_not_planned(planned))
    if planned.release is not None:
        raise InputError(
            f"{planned.name} is the plan of a gate: its power is that of "
            "'pycompare power gate'"
        )
    if planned.roles.predictions:
        return prediction_study(planned, truth, n_algorithms, seed)
    return score_study(planned, truth, n_algorithms, seed, sizes)


def _not_planned(planned: AnalysisPlanFile) -> str:
    """Return why the power of a plan of one analysis is not computed."""
    if "model" in planned.tables:
        return (
            f"{planned.name} is the plan of a linear model: a number of rows states "
            "neither its factors nor an effect and a variance of each term; simulate "
            "tables of the design and count pc.linear_model"
        )
    return (
        f"{planned.name} is the plan of battles: a number of votes does not state who "
        "meets whom, how often and before which voters; simulate votes and count "
        "pc.battles"
    )
