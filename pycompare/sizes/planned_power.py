"""Power of what ``compare`` runs by a plan file, found by running it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_seed, is_whole
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, joined, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.tables import table_text
from pycompare.base.parallel.progress import discard
from pycompare.base.parallel.tasks import working
from pycompare.base.tables import Columns
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile, read_plan
from pycompare.designs.reach import check_countable, labels_of, plan_of_blocks
from pycompare.kernels import binomial
from pycompare.results.result import Result, internal, made_when_read
from pycompare.sizes.planned_study import PlannedStudy, StudyDecisions, outcomes_of
from pycompare.sizes.power import curve_of
from pycompare.sizes.score_truth import (
    ALONE,
    AnswerTruth,
    BlockClusters,
    NormalScores,
    ScoreTruth,
    effects_of,
)

if TYPE_CHECKING:
    import pandas as pd

MetricKind = Literal["right/wrong", "graded"]
_LEVEL = 0.95
"""Of the Monte Carlo interval of a share."""
_DIFFERENCE, _NO_DIFFERENCE, _MARGIN = "better", "no difference", "within margin"
_ANY, _ALL, _WRONG = "any of these", "all of these", "any wrong one"


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedPower(Result):
    """How often ``compare`` draws each conclusion in simulated studies of a plan.

    Attributes
    ----------
    table : DataFrame
        One row for each size and conclusion: ``n conclusion algorithm_1 algorithm_2
        difference true share conf_low conf_high studies method``. ``share`` of the
        simulated ``studies`` draw it; the limits are of the Monte Carlo error, exact at
        95%.
        If ``true``, the share is a power, otherwise an error rate. ``method`` names
        tests and adjustment, which may depend on the size. ``conclusion``:

        - ``better``: algorithm_1 is significantly better than algorithm_2, which it is;
        - ``no difference``: the two are equal, and are found to differ;
        - ``within margin``: the plan's margin is shown;
        - ``any of these``, ``all of these``: of the true differences, or of the pairs
          that are truly within the margin (``within margin: any of these``);
        - ``any wrong one``: equal algorithms are found to differ, or the worse one is
          found better.
    units : str
        What n counts, in the plural.
    truth : str
        The assumed truth, in words.
    metric, better : str
    alpha : float
        Of differences.
    margin : float or None
    trials, seed : int
    plan_name, plan_sha256 : str
        The plan file and its hash.
    stated : mapping
        The truth as it was stated: the arguments of ``planned_power``.
    """

    table: pd.DataFrame = made_when_read()
    units: str
    truth: str
    metric: str
    better: str
    alpha: float
    margin: float | None
    trials: int
    seed: int
    plan_name: str
    plan_sha256: str
    stated: Mapping[str, Any]
    study: PlannedStudy = internal()
    plan_file: PlanFile = internal()

    @property
    def subject(self) -> str:
        """What has this power, in words."""
        return f"the plan {self.plan_name} at alpha = {self.alpha:g}"

    @property
    def studies(self) -> int:
        """Simulated studies of each size."""
        return self.trials

    def curves(self) -> dict[str, Columns]:
        """Return ``n power conf_low conf_high`` of the drawing, by its name."""
        table = self.as_columns()
        conclusions = {
            "all true differences": f"{_DIFFERENCE}: {_ALL}",
            "any true difference": f"{_DIFFERENCE}: {_ANY}",
            "margin, all pairs within it": f"{_MARGIN}: {_ALL}",
            "margin, any pair within it": f"{_MARGIN}: {_ANY}",
        }
        curves: dict[str, Columns] = {}
        for name, conclusion in conclusions.items():
            rows = table.where(table["conclusion"] == conclusion)
            order = np.argsort(rows["n"], kind="stable")
            if len(rows):
                curves[name] = curve_of(
                    rows["n"], rows["share"], rows["conf_low"], rows["conf_high"], order
                )
        return curves

    def sentences(self) -> list[str]:
        """Return sentences for a protocol or a grant application, one per size."""
        head = (
            f"Plan {self.plan_name} (SHA-256 {self.plan_sha256[:12]}), "
            f"alpha = {self.alpha:g}."
        )
        rows = list(self.as_columns().itertuples())
        lines = [head, f"Assumed truth: {self.truth}."]
        for n in dict.fromkeys(row.n for row in rows):
            own = [row for row in rows if row.n == n]
            told = "; ".join(_said(own))
            lines.append(f"{n} {self.units} ({own[0].method}): {told}.")
        if any(r.conclusion == f"{_DIFFERENCE}: {_ANY}" and not r.share for r in rows):
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
    """Yield the conclusions of one size about several pairs."""
    of = {row.conclusion: row for row in rows if not row.algorithm_1}
    for kind, single, every, some in (
        (
            _DIFFERENCE,
            "finds the true difference in",
            "finds all true differences in",
            "any of them in",
        ),
        (
            _MARGIN,
            "shows the margin in",
            "shows the margin for all pairs within it in",
            "for any of them in",
        ),
    ):
        alone = sum(row.conclusion == kind and row.true for row in rows) == 1
        if f"{kind}: {_ALL}" in of:
            yield f"{single if alone else every} {_share(of[f'{kind}: {_ALL}'])}"
            if not alone:
                yield f"{some} {_share(of[f'{kind}: {_ANY}'])}"
    yield f"finds a wrong difference in {_share(of[_WRONG])}"
    if f"{_MARGIN}: {_WRONG}" in of:
        wrong = of[f"{_MARGIN}: {_WRONG}"]
        yield f"shows the margin for a pair that is not within it in {_share(wrong)}"


def _share(row: Any) -> str:
    """Return a share with its limits."""
    return f"{row.share:.1%} ({row.conf_low:.1%} to {row.conf_high:.1%})"


@checked
def planned_power(
    plan: PlanFile | str | PathLike[str],
    *,
    n: int | Sequence[int],
    effects: Mapping[str, float],
    correlation: float,
    sd: float | None = None,
    base: float | None = None,
    answers: MetricKind | None = None,
    fold_correlation: float | None = None,
    per_cluster: int | None = None,
    cluster_correlation: float | None = None,
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
        A plan of scores in one metric; ``blocks`` defines them. With folds of
        data sets n counts data sets, and the truth is about their means over folds.
    n : int or sequence of int
        Sizes: data sets, folds or cases, as ``blocks`` specifies; clusters of these if
        the plan has a column of clusters.
    effects : mapping of str to float
        True difference of an algorithm's mean to that of the algorithms that are not
        named, in the unit and direction of the metric: of an error rate a negative one
        is better. With ``scale = "ratio"`` the ratio to them. Names are those of the
        plan, or ``algorithm 1``, ``algorithm 2``, ... if it lists none.
    correlation : float
        Of the scores of two algorithms over blocks; of right/wrong answers over cases.
    sd : float, optional
        Standard deviation of the scores of one algorithm over blocks (with folds: of
        one study); with ``scale = "ratio"`` of their logarithms. Needed, but of
        right/wrong answers, which have none of their own.
    base : float, optional
        Needed of right/wrong answers: share of right answers of the algorithms that are
        not named.
    answers : {"right/wrong", "graded"}, optional
        Needed over cases: which kind of answers they have.
    fold_correlation : float, optional
        Needed over folds: correlation of a difference in two folds of one study, which
        share training data. Nadeau and Bengio take n_test / (n_train + n_test); 0 for
        training sets that share nothing.
    per_cluster : int, optional
        Needed of a plan with clusters: data sets, or cases, of each cluster, 2 or more.
    cluster_correlation : float, optional
        Needed with clusters: correlation of an algorithm's scores, and of a difference
        of two, on two blocks of a cluster. Of right/wrong answers it is that of the
        normal numbers behind the answers, which is larger than theirs.
    n_algorithms : int, optional
        Needed if the plan does not list the algorithms.
    trials : int, default 500
        Simulated studies of each size.
    seed : int, default 1
        Random seed of the simulated studies; each has numbers of its own, of seed, size
        and place.
    workers : int, optional
        Processes of this machine; the numbers do not depend on them. Default: as
        ``joblib.parallel_config`` says, or 1.
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
        plans of predictions or several metrics, or with groups or runs.
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
    0                better         new         old   True   0.60
    1                better         new       older   True   0.60
    2         no difference         old       older  False   0.00
    3  better: any of these                           True   0.75
    4  better: all of these                           True   0.45
    5         any wrong one                          False   0.00
    """
    planned = plan if isinstance(plan, PlanFile) else read_plan(plan)
    sizes = _sizes(n)
    check_seed(seed)
    if not is_whole(trials) or trials < 1:
        raise InputError(setting("trials", trials) + ": give a whole number, 1 or more")
    for size in sizes:
        check_countable(planned, size, clusters=True)
    study = _study(
        planned,
        labels_of(planned, n_algorithms),
        effects=dict(effects),
        correlation=correlation,
        sd=sd,
        base=base,
        answers=answers,
        fold_correlation=fold_correlation,
        per_cluster=per_cluster,
        cluster_correlation=cluster_correlation,
        seed=seed,
    )
    for size in sizes:  # a plan that does not fit a size is refused before the others
        study.plan.settled(study.scores(size, 0))
    methods = {size: _method(study.analysis(size, 0).decisive) for size in sizes}
    with working(workers, scheduler, progress):
        outcomes = outcomes_of(study, sizes, trials)
    rows = [
        {**row, "method": methods[size]}
        for size in sizes
        for row in _rows(study, size, outcomes[size], trials)
    ]
    units = "clusters" if per_cluster else f"{study.plan.design.unit}s"
    table = Columns({name: [row[name] for row in rows] for name in rows[0]})
    return PlannedPower(
        table=table,
        units=units,
        truth=_truth_words(study, units),
        metric=study.metric.name,
        better=study.metric.better,
        alpha=study.plan.alpha,
        margin=study.plan.margin_of(study.metric.name),
        trials=trials,
        seed=seed,
        plan_name=planned.name,
        plan_sha256=planned.sha256,
        stated={
            name: value
            for name, value in (
                ("effects", dict(effects)),
                ("correlation", correlation),
                ("sd", sd),
                ("base", base),
                ("answers", answers),
                ("fold_correlation", fold_correlation),
                ("per_cluster", per_cluster),
                ("cluster_correlation", cluster_correlation),
                ("n_algorithms", n_algorithms),
            )
            if value is not None
        },
        study=study,
        plan_file=planned,
    )


# ---- what is asked -----------------------------------------------------------------


def _sizes(n: int | Sequence[int]) -> list[int]:
    """Return the sizes, each once."""
    given: list[Any] = list(n) if isinstance(n, Iterable) else [n]
    if not given:
        raise InputError(setting("n", given) + ": give one size or more")
    for size in given:
        if not is_whole(size):
            raise InputError(setting("n", size) + ": give whole numbers of blocks")
    return list(dict.fromkeys(int(size) for size in given))


def _study(
    planned: PlanFile,
    labels: tuple[str, ...],
    *,
    effects: dict[str, float],
    correlation: float,
    sd: float | None,
    base: float | None,
    answers: MetricKind | None,
    fold_correlation: float | None,
    per_cluster: int | None,
    cluster_correlation: float | None,
    seed: int,
) -> PlannedStudy:
    """Return the study, or reject missing and unused parts."""
    plan = plan_of_blocks(planned)
    if len(planned.metrics) > 1:
        raise InputError(
            f"{planned.name} has {len(planned.metrics)} metrics, whose scores would "
            "need a joint truth; leave all but one out in a copy"
        )
    if not effects:
        raise InputError(
            setting("effects")
            + ": state the effect of one algorithm or more; of a margin between equal "
            "algorithms it is 0"
        )
    right_or_wrong = _right_or_wrong(plan, answers)
    folds = plan.design.one_dataset
    clustered = planned.roles.cluster is not None
    needed = {
        "sd": (sd, not right_or_wrong, "the spread of the scores over blocks"),
        "base": (base, right_or_wrong, "the share of right answers without an effect"),
        "fold_correlation": (
            fold_correlation,
            folds,
            "the correlation of a difference in two folds, 0 if they share nothing",
        ),
        "per_cluster": (per_cluster, clustered, "the blocks of each cluster"),
        "cluster_correlation": (
            cluster_correlation,
            clustered,
            "the correlation of scores on two blocks of a cluster",
        ),
    }
    missing = [
        setting(name) + f" ({what})"
        for name, (value, wanted, what) in needed.items()
        if wanted and value is None
    ]
    if missing:
        raise InputError(
            "the power needs "
            + joined(", ", missing)
            + ": state this, nothing is guessed"
        )
    for name, (value, wanted, _) in needed.items():
        if value is not None and not wanted:
            kind = f"{answers} answers" if answers else f"blocks = {plan.blocks!r}"
            if name.endswith(("per_cluster", "cluster_correlation")):
                kind = "a plan without clusters"
            raise InputError(
                setting(name, value) + f" has no use with {kind}: leave it out"
            )
    neutral = 1.0 if plan.as_ratios else 0.0
    each = effects_of(effects, labels, neutral=neutral)
    if clustered and per_cluster == 1:
        raise InputError(
            setting("per_cluster", per_cluster)
            + ": a cluster of one block is no cluster; leave the cluster out in a copy "
            "of the plan"
        )
    clusters = (
        ALONE
        if per_cluster is None
        else BlockClusters(per_cluster, cluster_correlation or 0.0)
    )
    truth: ScoreTruth
    if right_or_wrong:
        assert base is not None
        truth = AnswerTruth(
            effects=each, base=base, correlation=correlation, clusters=clusters
        )
    else:
        assert sd is not None
        truth = NormalScores(
            effects=each,
            sd=sd,
            correlation=correlation,
            fold_correlation=fold_correlation or 0.0,
            as_ratios=plan.as_ratios,
            clusters=clusters,
        )
    [metric] = planned.metrics
    return PlannedStudy(plan, labels, metric, truth, seed)


def _right_or_wrong(plan: Plan, answers: MetricKind | None) -> bool:
    """Return whether answers are right or wrong, which only cases have."""
    if not plan.design.of_cases:
        if answers is not None:
            raise InputError(
                setting("answers", answers)
                + f" has no use with blocks = {plan.blocks!r}: leave it out"
            )
        return False
    if answers not in get_args(MetricKind):
        raise InputError(
            (setting("answers") if answers is None else setting("answers", answers))
            + ": state which kind of answers the cases have, 'right/wrong' or 'graded'"
        )
    return answers == "right/wrong"


def _method(pairs: Any) -> str:
    """Return tests and adjustment."""
    adjusted = "" if pairs.adjust == "none" else f", adjusted: {pairs.adjust}"
    return f"{pairs.tests}{adjusted}"


def _truth_words(study: PlannedStudy, units: str) -> str:
    """Return the assumed truth."""
    neutral = 1.0 if study.plan.as_ratios else 0.0
    what = "ratio of" if study.plan.as_ratios else "effect on"
    named = [
        f"{name} {effect:g}"
        for name, effect in zip(study.algorithms, study.truth.effects, strict=True)
        if effect != neutral
    ]
    rest = len(study.algorithms) - len(named)
    if rest:
        others = "other" if named else "algorithm"
        named.append(f"{counted(rest, others)} {neutral:g}")
    return f"{what} {study.metric.name}: {', '.join(named)}; {study.truth.words(units)}"


# ---- the table ---------------------------------------------------------------------


def _rows(
    study: PlannedStudy, n: int, outcome: StudyDecisions, trials: int
) -> Iterable[dict[str, Any]]:
    """Yield the rows of one size."""

    def row(
        conclusion: str, hits: Any, true: bool, pair: tuple[str, str] = ("", "")
    ) -> dict[str, Any]:
        count = int(np.sum(hits))
        low, high = binomial.clopper_pearson(count, trials - count, "two-sided", _LEVEL)
        algorithm_1, algorithm_2 = pair
        return {
            "n": n,
            "conclusion": conclusion,
            "algorithm_1": algorithm_1,
            "algorithm_2": algorithm_2,
            "difference": study.difference(algorithm_1, algorithm_2)
            if algorithm_1
            else math.nan,
            "true": true,
            "share": count / trials,
            "conf_low": float(low),
            "conf_high": float(high),
            "studies": trials,
        }

    pairs = study.pairs
    none = 1.0 if study.plan.as_ratios else 0.0
    differ = np.array([study.difference(*pair) != none for pair in pairs])
    both = outcome.detected | outcome.wrong
    for at, pair in enumerate(pairs):
        if differ[at]:
            yield row(_DIFFERENCE, outcome.detected[:, at], True, pair)
        else:
            yield row(_NO_DIFFERENCE, both[:, at], False, pair)
    if differ.any():
        true = outcome.detected[:, differ]
        yield row(f"{_DIFFERENCE}: {_ANY}", true.any(axis=1), True)
        yield row(f"{_DIFFERENCE}: {_ALL}", true.all(axis=1), True)
    error = np.where(differ, outcome.wrong, both).any(axis=1)
    yield row(_WRONG, error, False)
    if outcome.within is None or outcome.truly is None:
        return
    for at, pair in enumerate(pairs):
        yield row(_MARGIN, outcome.within[:, at], bool(outcome.truly[at]), pair)
    if outcome.truly.any():
        true = outcome.within[:, outcome.truly]
        yield row(f"{_MARGIN}: {_ANY}", true.any(axis=1), True)
        yield row(f"{_MARGIN}: {_ALL}", true.all(axis=1), True)
    if not outcome.truly.all():
        wrong = outcome.within[:, ~outcome.truly].any(axis=1)
        yield row(f"{_MARGIN}: {_WRONG}", wrong, False)
