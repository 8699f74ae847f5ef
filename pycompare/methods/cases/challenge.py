"""The ranking of a challenge, its stability, and sets of ranks with a guarantee."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_alpha, check_word, is_finite, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.tables import table_text
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, Matrix
from pycompare.base.typing import (
    Aggregate,
    Floats,
    GroupWeights,
    RankingScheme,
    TiedRanks,
)
from pycompare.data.blocks import Blocks, ranked_blocks, ranked_cases
from pycompare.data.scores import Scores
from pycompare.data.strata import tasks_of
from pycompare.kernels import challenge as kernel
from pycompare.kernels.r_random import checked_count, checked_seed
from pycompare.methods.cases.challenge_tasks import (
    AGGREGATE_FIRST,
    RANK_FIRST,
    TEST_FIRST,
    Scheme,
    Tasks,
    failures,
    require_worst,
    tasks_of_scores,
)
from pycompare.methods.orders.rank_sets import RankSets, rank_sets
from pycompare.methods.pairs.max_t import MaxTResult, max_t, max_t_of
from pycompare.results.result import PairsResult, Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

TestAdjust = Literal["holm", "none"]
RESAMPLES, FLIPS = 1000, 9999
_LOW, _HIGH = 0.025, 0.975
_REFERENCE = "Wiesenfarth et al. (2021) Sci. Rep. 11, 2369"
_OF_TABLE = (
    *("value", "rank", "mean_task_rank", "resampled_low", "resampled_high"),
    *("won", "failures"),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ChallengeResult(Result):
    """The ranking of a challenge, its stability, and its significant differences.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm: ``algorithm value rank rank_low rank_high resampled_low
        resampled_high won mean_task_rank failures``. ``value`` is what ``ranking``
        ranks by: the mean (or quantile) of ranks, or of scores, or the share of rivals
        that the algorithm beats significantly; over several tasks their weighted mean.
        ``rank_low`` and ``rank_high`` are the simultaneous confidence set of the rank;
        NaN if the quantity has no test. ``resampled_low`` and ``resampled_high`` hold
        the rank in 95% of resamples, and are **no** confidence intervals. ``won`` is
        the share of resamples in which no algorithm ranks better. ``mean_task_rank`` is
        the mean of the ranks in the tasks, as challenges publish it.
    schemes : DataFrame
        The same cases by other rankings: ``ranking aggregate algorithm value rank``.
    tasks : DataFrame
        ``task cases algorithm failures value rank``.
    resampled : DataFrame
        Share of resamples with each rank: ``algorithm rank share``.
    without_failures : DataFrame or None
        The ranking without the cases on which an algorithm failed: ``algorithm value
        rank``; None if nobody failed, or if a task has no other case.
    usual_share : float or None
        The share of resamples that the winner wins on average if all algorithms are
        equal and cases are many, by draws of normal means; None without a test of the
        quantity.
    kendall : float
        Mean over resamples of Kendall's tau-b with the ranking; NaN if all tie.
    ranking : {"rank-then-aggregate", "aggregate-then-rank", "test-then-rank"}
    aggregate : {"mean", "median"} or float
    tied_ranks : {"mean", "min"}
    adjust : {"holm", "none"} or None
        Of the tests of ``test-then-rank``.
    weights : dict of str to float
        Of the tasks, of sum 1; empty for one task.
    n_cases : int
    n_clusters : int or None
    n_resamples : int
        Resamples that hold cases of every task.
    seed : int
    notes : tuple of str
    pairs : PairsResult or None
        All pairs of algorithms in the quantity of the ranking.
    sets : RankSets or None
        Sets of ranks that follow from them.
    """

    table: pd.DataFrame = made_when_read()
    schemes: pd.DataFrame = made_when_read()
    tasks: pd.DataFrame = made_when_read()
    resampled: pd.DataFrame = made_when_read()
    without_failures: pd.DataFrame | None = made_when_read()
    usual_share: float | None
    kendall: float
    ranking: RankingScheme
    aggregate: Aggregate
    tied_ranks: TiedRanks
    adjust: TestAdjust | None
    alpha: float
    weights: dict[str, float]
    n_cases: int
    n_clusters: int | None
    n_resamples: int
    seed: int
    notes: tuple[str, ...] = ()
    reference: str = _REFERENCE
    pairs: PairsResult | None = internal()
    sets: RankSets | None = internal()
    scores: Scores = internal()
    scheme: Scheme = internal()
    held_tasks: Tasks = internal()
    asked_resamples: int = internal()

    @property
    def clustered(self) -> bool:
        """Whether cases are in clusters, which are resampled whole."""
        return self.n_clusters is not None

    @property
    def best(self) -> tuple[str, ...]:
        """Algorithms of the best rank."""
        table = self.as_columns()
        ranks = np.asarray(table["rank"], float)
        return tuple(table["algorithm"][ranks == ranks.min()].tolist())

    @property
    def order(self) -> list[int]:
        """Places of the algorithms in the order of the ranking, ties in data order."""
        ranks = np.asarray(self.as_columns()["rank"], float)
        return [int(at) for at in np.argsort(ranks, kind="stable")]

    def row_labels(self) -> list[Any]:
        """Return the algorithms."""
        return [(name,) for name in self.scores.algorithms]

    def summary(self, digits: int = 4) -> str:
        """Return the ranking, its stability and the notes."""
        of = self.ranking if self.adjust else f"{self.ranking} ({self.aggregate})"
        sets = (
            "no test of this quantity, so no sets of ranks"
            if self.sets is None
            else f"sets: simultaneous {100 * (1 - self.alpha):g}% (max-T)"
        )
        head = f"{of} over {counted(self.n_cases, 'case')}; {sets}"
        tau = f"Kendall's tau with {counted(self.n_resamples, 'resample')}: "
        lines = [head, table_text(self.as_columns(), digits)]
        lines.append(tau + f"{self.kendall:.3f}")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def r_call(self) -> RCall:
        """Return the call that ranks and resamples the same cases in R."""
        scores, tasks, scheme = self.scores, self.held_tasks, self.scheme
        values = np.full(scores.values.shape[:2], np.nan)
        task = np.zeros(len(values))
        failed = np.zeros(values.shape)
        for at, own in enumerate(tasks.each):
            values[own.rows], task[own.rows] = own.scores, at + 1.0
            failed[own.rows] = own.failed
        arguments = {
            "x": Matrix(values, scores.blocks, scores.algorithms),
            "better": scores.metrics[0].better,
            "failed": Matrix(failed, scores.blocks, scores.algorithms)
            if failed.any()
            else None,
            "task": task,
            "weights": tasks.weights,
            "unit": tasks.units + 1.0,
            "resampled_in": tasks.resampled_in + 1.0,
            "ranking": scheme.ranking,
            "quantile": scheme.quantile,
            "ties": scheme.ties,
            "alpha": scheme.alpha,
            "holm": scheme.holm,
            "resamples": float(self.asked_resamples),
            "seed": float(self.seed),
        }
        files = ("ranks", "max_t", "case_ranks", "challenge")
        return RCall(files, "challenge_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the ranking, the resamples, and the other rankings."""
        values = self.columns_in_r(*_OF_TABLE)
        for name, wanted in (
            ("schemes", ("value", "rank")),
            ("tasks", ("failures", "value", "rank")),
            ("resampled", ("rank", "share")),
            ("without_failures", ("value", "rank")),
        ):
            held = self.held(name)
            if held is not None:
                columns = Columns.of(held)
                values |= {f"{name}_{n}": columns[n].astype(float) for n in wanted}
        return values | {"kendall": self.kendall}


@checked
def challenge(
    scores: Scores,
    *,
    ranking: RankingScheme,
    metric: str | None = None,
    aggregate: Aggregate = "mean",
    tied_ranks: TiedRanks = "mean",
    weights: GroupWeights | None = None,
    adjust: TestAdjust | None = None,
    alpha: float = 0.05,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> ChallengeResult:
    """Rank algorithms over the cases of a challenge.

    Parameters
    ----------
    scores : Scores
        Algorithms on cases (blocks). ``Scores.groups`` are tasks, ``Scores.clusters``
        patients or the like, which are flipped and resampled whole. A cell without a
        score is a failure of its algorithm: read it with ``missing="worst"``.
    ranking : {"rank-then-aggregate", "aggregate-then-rank", "test-then-rank"}
        There is no default, because the order of algorithms depends on it. By mean
        ranks within cases; by mean scores; or by how many rivals an algorithm beats
        significantly (one-sided signed rank tests), a quantity that depends on the
        number of cases, and that no test of pairs belongs to.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    aggregate : {"mean", "median"} or float
        Of the ranks, or the scores, of the cases. A number in (0, 1) is a quantile.
        Medians and quantiles are ranked and resampled, and have no sets of ranks.
    tied_ranks : {"mean", "min"}
        Ranks of ties within a case, and in the ranking. All failures of a case tie,
        behind every score: their ranks have this mean, or the rank after the last.
    weights : mapping of str to float, or {"equal", "cases"}
        Of tasks; required if there are any. Values, and pairs, are weighted over tasks.
    adjust : {"holm", "none"}, optional
        Of the tests of ``test-then-rank``: Holm over all ordered pairs of a task
        (default), or none, as challenges publish it.
    alpha : float, default 0.05
        Family-wise level of the sets of ranks; of ``test-then-rank`` that of its tests.
    resamples : int, default 1000
        Of cases, within their tasks.
    seed : int, default 0
        Of resamples, and of the sign flips behind the sets.

    Returns
    -------
    ChallengeResult

    Raises
    ------
    DesignError
        If there are runs, folds of data sets or a judge; an algorithm has no score at
        all in a task; a task has one case (cluster); or failures have no worst score
        and scores are aggregated or tested.
    InputError
        For an unknown word, weights without tasks or tasks without weights.

    Notes
    -----
    Equation 10.24 of docs/equations.md.

    The share of resamples that an algorithm wins is no probability that it is best:
    among ten equal algorithms the winner wins nearly half of all resamples, and
    intervals of resampled ranks hold all true ranks in few challenges
    (``validation/CHALLENGES.md``). The sets of ranks do, by max-T of sign flips: of
    ranks within cases (``ranks/max-t``, ``weighted-ranks/max-t``) or of scores. A
    significant difference of mean ranks is a better mean rank among these algorithms.

    R: own derivation; ``wilcox.test(paired = TRUE, exact = FALSE)``. challengeR gives
    the same rankings (``tied_ranks="min"``); a failure behind tied last scores has the
    rank after all scores here, and the rank after the tie there.

    References
    ----------
    .. [1] Wiesenfarth, M. et al. (2021). Scientific Reports 11, 2369.
    .. [2] Maier-Hein, L. et al. (2018). Nature Communications 9, 5217.
    .. [3] Westfall, P. H., Young, S. S. (1993). Resampling-Based Multiple Testing.
    .. [4] Mogstad, M., Romano, J. P., Shaikh, A. M., Wilhelm, D. (2024). Review of
       Economic Studies 91, 476-518.

    Examples
    --------
    >>> import pycompare as pc
    >>> dice = {"A": [9, 8, 9, 7, 9, 8, 9, 8], "B": [8, 7, 8, 6, 8, 7, 8, 7],
    ...         "C": [8, 8, 5, 6, 7, 8, 4, 6]}
    >>> scores = pc.Scores.from_frame(
    ...     [{"team": team, "case": case, "dice": value / 10}
    ...      for team, values in dice.items() for case, value in enumerate(values)],
    ...     algorithm="team", block="case", metrics={"dice": "higher"},
    ... )
    >>> ranked = pc.challenge(scores, ranking="rank-then-aggregate")
    >>> ranked.table[["algorithm", "value", "rank", "rank_low", "rank_high"]]
      algorithm  value  rank  rank_low  rank_high
    0         A  1.125   1.0       1.0        1.0
    1         B  2.375   2.0       2.0        3.0
    2         C  2.500   3.0       2.0        3.0
    """
    require(scores, Scores)
    check_alpha(alpha)
    seed = checked_seed(seed)
    scheme = _scheme(ranking, aggregate, tied_ranks, adjust, alpha)
    _refuse_other_tables(scores)
    own = scores.only(scores.metric(metric).name)
    _require_weights(own, weights)
    pairs = _pairs(own, scheme, weights, alpha, seed)
    return described(
        own, scheme, weights, pairs, checked_count("resamples", resamples), seed
    )


def described(
    scores: Scores,
    scheme: Scheme,
    weights: GroupWeights | None,
    pairs: PairsResult | None,
    resamples: int,
    seed: int,
) -> ChallengeResult:
    """Return the ranking of scores of one metric, with sets of ranks of ``pairs``."""
    [metric] = scores.metrics
    tasks = tasks_of_scores(scores, None, weights, scheme.ties)
    if scheme.ranking != RANK_FIRST:
        require_worst(tasks, metric.name, scheme.ranking)
    of_tasks = tasks.values(scheme)
    task_ranks = tasks.ranked(of_tasks, scheme)
    value = tasks.weights @ of_tasks
    rank = tasks.ranked(value[None], scheme)[0]
    drawn = tasks.resampled(scheme, resamples, seed)
    drawn = drawn[~np.isnan(drawn).any(axis=1)]
    ranks = tasks.ranked(drawn, scheme)
    tau = kernel.kendall(ranks, rank) if len(ranks) else np.full(1, np.nan)
    sets = None if pairs is None else rank_sets(pairs, alpha=scheme.alpha)
    low, high = _limits(sets, scores.algorithms)
    names = np.array(scores.algorithms, dtype=object)
    spread = _spread(ranks, len(names))
    table = {
        "algorithm": names,
        "value": value,
        "rank": rank,
        "rank_low": low,
        "rank_high": high,
        "resampled_low": spread[0],
        "resampled_high": spread[1],
        "won": (ranks == ranks.min(axis=1, keepdims=True)).mean(axis=0)
        if len(ranks)
        else np.full(len(names), np.nan),
        "mean_task_rank": task_ranks.mean(axis=0),
        "failures": tasks.failed,
    }
    several = weights is not None
    clusters = scores.clusters
    return ChallengeResult(
        table=Columns(table),
        schemes=_schemes(tasks, scheme, names),
        tasks=_of_tasks(tasks, of_tasks, task_ranks, names),
        resampled=_shares(ranks, names),
        without_failures=_without_failures(tasks, scheme, names),
        usual_share=kernel.usual_share(len(names)) if scheme.has_pairs else None,
        kendall=float(np.nanmean(tau)) if not np.isnan(tau).all() else math.nan,
        ranking=scheme.ranking,
        aggregate=scheme.aggregate,
        tied_ranks=scheme.ties,
        adjust=("holm" if scheme.holm else "none")
        if scheme.ranking == TEST_FIRST
        else None,
        alpha=scheme.alpha,
        weights=dict(
            zip((t.name for t in tasks.each), tasks.weights.tolist(), strict=True)
        )
        if several
        else {},
        n_cases=scores.n_blocks,
        n_clusters=None if clusters is None else len(set(clusters)),
        n_resamples=len(ranks),
        seed=seed,
        notes=_notes(tasks, resamples - len(ranks), scheme, pairs),
        pairs=pairs,
        sets=sets,
        scores=scores,
        scheme=scheme,
        held_tasks=tasks,
        asked_resamples=resamples,
    )


def _scheme(
    ranking: RankingScheme,
    aggregate: Aggregate,
    ties: TiedRanks,
    adjust: TestAdjust | None,
    alpha: float,
) -> Scheme:
    """Return how algorithms are ranked; reject what does not go together."""
    check_word("ranking", ranking, get_args(RankingScheme))
    check_word("tied_ranks", ties, get_args(TiedRanks))
    number = is_finite(aggregate) and 0 < aggregate < 1
    if not number and aggregate not in ("mean", "median"):
        raise InputError(
            setting("aggregate", aggregate)
            + ": choose 'mean', 'median' or a quantile between 0 and 1"
        )
    if ranking == TEST_FIRST and aggregate != "mean":
        raise InputError(
            setting("aggregate", aggregate)
            + " has no use with "
            + setting("ranking", ranking)
            + ", which counts tests: leave it out"
        )
    if adjust is not None:
        check_word("adjust", adjust, get_args(TestAdjust))
        if ranking != TEST_FIRST:
            raise InputError(
                setting("adjust", adjust)
                + " is for "
                + setting("ranking", TEST_FIRST)
                + ": sets of ranks are by max-T; leave it out"
            )
    return Scheme(ranking, aggregate, ties, alpha, holm=adjust != "none")


def _refuse_other_tables(scores: Scores) -> None:
    """Reject tables whose blocks are no cases with one score of each algorithm."""
    reason = ""
    if scores.judge is not None:
        reason = "labels beside a judge"
    elif scores.datasets is not None:
        reason = "folds of data sets; name tasks by a column of groups"
    elif scores.runs is not None:
        reason = (
            "several runs of a case; the stability of rankings over runs has not been "
            "measured: average them before"
        )
    if reason:
        raise DesignError(
            f"a challenge ranks one score of each algorithm and case, not {reason}"
        )


def _require_weights(scores: Scores, weights: GroupWeights | None) -> None:
    """Reject tasks without weights, and weights without tasks."""
    if scores.groups is None and weights is not None:
        raise InputError(
            "weights are of tasks, and no column names any ("
            + setting("group", ...)
            + "): leave them out"
        )
    if scores.groups is not None and weights is None:
        raise InputError(
            f"there are {counted(len(scores.group_names), 'task')}: give their weights"
            + " ("
            + setting("weights", "equal")
            + ", "
            + setting("weights", "cases")
            + ", or a number for each), or rank each separately: scores.of_group(name)"
        )


def ranked_blocks_of(
    scores: Scores, weights: GroupWeights | None, ties: TiedRanks
) -> Blocks:
    """Return ranks within cases of one metric, failures last, as max-T takes them."""
    [metric] = scores.metrics
    blocks = ranked_blocks(scores, None, None)
    failed = failures(scores, metric.name)
    if failed.any():
        values = np.where(failed, np.nan, blocks.values)
        blocks = dataclasses.replace(blocks, values=values)
    tasks = None if weights is None else tasks_of(scores, weights)
    return ranked_cases(blocks, scores.clusters, tasks, ties)


def _pairs(
    scores: Scores,
    scheme: Scheme,
    weights: GroupWeights | None,
    alpha: float,
    seed: int,
) -> MaxTResult | None:
    """Return all pairs in the quantity of the ranking, if it has a test."""
    if not scheme.has_pairs:
        return None
    # An error about the ranking comes before its tests.
    tasks = tasks_of_scores(scores, None, weights, scheme.ties)
    if scheme.ranking == AGGREGATE_FIRST:
        require_worst(tasks, scores.metrics[0].name, scheme.ranking)
        return max_t(scores, weights=weights, seed=seed, level=1 - alpha)
    blocks = ranked_blocks_of(scores, weights, scheme.ties)
    return max_t_of(blocks, "ranks", None, FLIPS, seed, 1 - alpha)


def _limits(
    sets: RankSets | None, algorithms: tuple[str, ...]
) -> tuple[Floats, Floats]:
    """Return the ends of the sets of ranks, in the order of the data."""
    if sets is None:
        none = np.full(len(algorithms), np.nan)
        return none, none.copy()
    table = sets.as_columns()
    place = {name: at for at, name in enumerate(table["algorithm"].tolist())}
    rows = [place[name] for name in algorithms]
    low, high = (np.asarray(table[n], float)[rows] for n in ("rank_low", "rank_high"))
    return low, high


def _spread(ranks: Floats, n: int) -> Floats:
    """Return the ends of the middle 95% of resampled ranks."""
    if not len(ranks):
        return np.full((2, n), np.nan)
    return np.quantile(ranks, (_LOW, _HIGH), axis=0)


def _shares(ranks: Floats, names: Any) -> Columns:
    """Return the share of resamples with each rank that occurs."""
    rows: list[tuple[str, float, float]] = []
    for at, name in enumerate(names):
        held, counts = np.unique(ranks[:, at], return_counts=True)
        shares = counts / max(1, len(ranks))
        rows += [
            (name, rank, share)
            for rank, share in zip(held.tolist(), shares.tolist(), strict=True)
        ]
    algorithm, rank, share = zip(*rows, strict=True) if rows else ((), (), ())
    return Columns(
        {
            "algorithm": np.array(algorithm, dtype=object),
            "rank": np.array(rank, float),
            "share": np.array(share, float),
        }
    )


def _schemes(tasks: Tasks, planned: Scheme, names: Any) -> Columns:
    """Return values and ranks by each scheme that the scores allow."""
    known = not any(np.isnan(task.scores).any() for task in tasks.each)
    forms: list[tuple[RankingScheme, Aggregate]] = [
        (RANK_FIRST, "mean"),
        (RANK_FIRST, "median"),
        (AGGREGATE_FIRST, "mean"),
        (AGGREGATE_FIRST, "median"),
        (TEST_FIRST, "mean"),
    ]
    forms = forms if known else forms[:2]
    if (planned.ranking, planned.aggregate) not in forms:
        forms.append((planned.ranking, planned.aggregate))
    rows: dict[str, list[Any]] = {n: [] for n in ("value", "rank")}
    labels: dict[str, list[Any]] = {n: [] for n in ("ranking", "aggregate")}
    for ranking, aggregate in forms:
        scheme = dataclasses.replace(planned, ranking=ranking, aggregate=aggregate)
        values = tasks.weights @ tasks.values(scheme)
        rows["value"] += values.tolist()
        rows["rank"] += tasks.ranked(values[None], scheme)[0].tolist()
        labels["ranking"] += [ranking] * len(names)
        word = _adjusted(scheme) if ranking == TEST_FIRST else str(aggregate)
        labels["aggregate"] += [word] * len(names)
    return Columns(
        {n: np.array(v, dtype=object) for n, v in labels.items()}
        | {"algorithm": np.tile(names, len(forms))}
        | {n: np.array(v, float) for n, v in rows.items()}
    )


def _adjusted(scheme: Scheme) -> str:
    return "Holm" if scheme.holm else "unadjusted"


def _of_tasks(tasks: Tasks, values: Floats, ranks: Floats, names: Any) -> Columns:
    """Return values and ranks of each task."""
    a = len(names)
    return Columns(
        {
            "task": np.repeat(np.array([t.name for t in tasks.each], object), a),
            "cases": np.repeat([len(task.rows) for task in tasks.each], a),
            "algorithm": np.tile(names, len(tasks.each)),
            "failures": np.concatenate([t.failed.sum(axis=0) for t in tasks.each]),
            "value": values.ravel(),
            "rank": ranks.ravel(),
        }
    )


def _without_failures(tasks: Tasks, scheme: Scheme, names: Any) -> Columns | None:
    """Return the ranking of the cases on which nobody failed."""
    if not tasks.failed.any():
        return None
    rest = tasks.without_failures()
    if rest is None:
        return None
    values = rest.weights @ rest.values(scheme)
    ranks = rest.ranked(values[None], scheme)[0]
    return Columns({"algorithm": names, "value": values, "rank": ranks})


def _notes(
    tasks: Tasks, lost: int, scheme: Scheme, pairs: PairsResult | None
) -> tuple[str, ...]:
    """Return the notes for readers."""
    notes = []
    failed = int(tasks.failed.sum())
    if failed:
        cases = sum(int(task.failed.any(axis=1).sum()) for task in tasks.each)
        rule = (
            "they rank behind all scores of their case"
            if scheme.ranking == RANK_FIRST
            else "they have the worst score"
        )
        notes.append(
            f"{counted(failed, 'failure')} in {counted(cases, 'case')}: {rule}"
        )
        if tasks.without_failures() is None:
            notes.append("a task has no case without a failure to rank")
    if lost:
        notes.append(
            f"{counted(lost, 'resample')} without a case of some task left out"
        )
    if pairs is None:
        notes.append(
            "no test of this quantity: no ranking by counts of tests has an error rate"
            if scheme.ranking == TEST_FIRST
            else f"no test of this quantity ({scheme.aggregate}): no sets of ranks"
        )
    return (*notes, *(pairs.notes if isinstance(pairs, MaxTResult) else ()))
