"""Several runs on cases in clusters: strata, and components of variance by moments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.typing import Floats, Ints
from pycompare.data.scores import Scores
from pycompare.methods.linear.fit import NOISE, in_unit, sum_of_squares
from pycompare.methods.linear.replicated_anova import floored, ratio_test, runs_of
from pycompare.results.result import Result, Test, internal, later, made_when_read

_REFERENCE = (
    "Searle, Casella & McCulloch (1992) Variance Components, sec. 3.6, 5.1; Montgomery "
    "(2017) Design and Analysis of Experiments, sec. 14.1"
)
_TERMS = (
    "cluster",
    "case",
    "algorithm",
    "cluster:algorithm",
    "case:algorithm",
    "run",
)
_ERRORS = ("", "", "", "case:algorithm", "run", "")
_COMPONENTS = ("cluster", "case", "cluster:algorithm", "case:algorithm", "run")
_OF_DIFFERENCES = _COMPONENTS[2:]
"""Components of the error of a difference of two means."""
_SAME_IN_CASES = (
    "differences between algorithms are the same on all cases of a cluster: their "
    "change over clusters has no error to be tested against"
)
_SAME_IN_RUNS = (
    "the runs of each cell are all alike: no F over runs has a p-value, and one run a "
    "cell would give the same"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredRuns(Test):
    """Strata and components; the test is that of the interaction with clusters.

    Attributes
    ----------
    table : DataFrame
        ``term df sum_sq mean_sq error statistic p_value``. ``error`` is the term whose
        mean square F is over; rows without a test have NaN. Sums of squares are of
        runs, in the metric's squared unit.
    of_cases : Test
        Of case:algorithm over run: whether differences of algorithms change from case
        to case of a cluster by more than runs do.
    components : DataFrame
        ``component estimate std_dev unfloored share``: variances in the metric's
        squared unit, ``std_dev`` in its own; a negative estimate is 0, ``unfloored``
        has it as it was. ``share`` is the part of a component in the variance of a
        difference of two algorithms' means; NaN for clusters and cases, which cancel.
    std_error : float
        Of a difference of two algorithms' means over all cases, from the components.
    planning : DataFrame
        ``n_clusters n_cases n_runs std_error``: expected from the components for twice
        as many, and for infinitely many cases or runs. ``n_cases`` is the mean number
        of cases in a cluster. See ``standard_error``.
    n_clusters, n_cases, n_runs : int
        Cases of all clusters, and runs of each algorithm on each case.
    size_ratio : float
        Number of clusters times the sum of the squared shares of cases they hold: 1
        if all have one size, 1 plus the squared coefficient of variation else.
    in_unit : dict of str to float
        The components' estimates over ``unit`` squared, so that no scale overflows.
    unit : float
    runs : ndarray, shape (n_cases, n_algorithms, n_runs)
    codes : ndarray, shape (n_cases,)
        The cluster of each case.
    """

    table: pd.DataFrame = made_when_read()
    of_cases: Test
    components: pd.DataFrame = made_when_read()
    std_error: float
    planning: pd.DataFrame = made_when_read()
    n_clusters: int
    n_cases: int
    n_runs: int
    size_ratio: float
    in_unit: dict[str, float] = internal()
    unit: float = internal()
    runs: Floats = internal()
    codes: Ints = internal()

    as_columns = Result.as_columns

    @property
    def clustered(self) -> bool:
        """Cases of a cluster may depend on each other."""
        return True

    def shares(self) -> dict[str, float]:
        """Return each component's part in the variance of a difference of means."""
        parts = _parts(
            self.in_unit,
            (self.n_clusters, self.n_cases / self.n_clusters, self.n_runs),
            self.size_ratio,
        )
        total = sum(parts.values())
        return {
            name: part / total if total else math.nan for name, part in parts.items()
        }

    def standard_error(
        self, *, n_clusters: float, n_cases: float, n_runs: float
    ) -> float:
        """Return the standard error of a difference for other numbers.

        ``n_cases`` is the mean number of cases in a cluster. The root of twice
        ``size_ratio cluster:algorithm / n_clusters + (case:algorithm + run / n_runs) /
        (n_clusters n_cases)`` with the components as estimated, in the metric's unit:
        clusters keep their relative sizes. ``n_cases`` and ``n_runs`` may be infinite.
        """
        sizes = {"n_clusters": n_clusters, "n_cases": n_cases, "n_runs": n_runs}
        for name, count in sizes.items():
            if not count >= 1:
                raise InputError(f"{name}={count!r}: give a number from 1 on")
        numbers = (n_clusters, n_cases, n_runs)
        return self.unit * _std_error(self.in_unit, numbers, self.size_ratio)

    def r_call(self) -> RCall | None:
        """Return the call of R's function; None if a stratum has no variance."""
        squares = self.as_columns()["sum_sq"]
        if (squares[-3:] == 0).any():
            return None
        b, a, n = self.runs.shape
        arguments = {
            "x": self.runs.reshape(b * a, n),
            "algorithms": a,
            "cluster": (self.codes + 1).astype(float),
        }
        return RCall(("clustered_runs",), "clustered_runs_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return strata, tests, components, shares and standard errors."""
        tested = self.as_columns()["error"] != ""
        tests = self.columns_in_r("statistic", "p_value")
        return {
            **self.columns_in_r("df", "sum_sq", "mean_sq"),
            **{name: column[tested] for name, column in tests.items()},
            "components": self.components["unfloored"].to_numpy(),
            "share": np.array(list(self.shares().values())),
            "std_error": self.std_error,
            "planning": self.planning["std_error"].to_numpy(),
        }


@checked
def clustered_runs(scores: Scores, *, metric: str | None = None) -> ClusteredRuns:
    """Estimate variance components from several runs on cases in clusters.

    ``score ~ algorithm`` with clusters, cases within clusters, their interactions with
    the algorithm, and runs within all of them as random. It states which part of the
    error of a difference comes from clusters, cases and runs, and what more of each
    would bring. Algorithms are compared by ``pc.cluster_pairs``, not here.

    Parameters
    ----------
    scores : Scores
        Read with ``cluster=...`` and ``replicate=...``, no cell missing. Clusters may
        have different numbers of cases; every cell has the same number of runs.
    metric : str, optional
        One of ``scores.metrics``, in its own unit; needed if there are several.

    Returns
    -------
    ClusteredRuns
        ``statistic`` is F of cluster:algorithm over case:algorithm: whether differences
        of algorithms change from cluster to cluster by more than their cases do.

    Raises
    ------
    DesignError
        If the scores have no runs or clusters, a cell is missing, or every cluster has
        one case, so that cases and clusters are one.
    InputError
        For an unknown metric.

    Notes
    -----
    Equation 10.9 of docs/equations.md.

    Components are estimates by moments: each mean square equals its expectation. They
    are unbiased for any sizes of the clusters and any distribution with variances; with
    clusters of one size and no negative estimate they are those of REML (``lmer``). No
    intervals are given: with clusters of different sizes none is exact. Both F are
    exact for normal components with one variance for all contrasts of algorithms, also
    with clusters of different sizes.

    R: ``aov(score ~ algorithm + Error(cluster + case + cluster:algorithm +
    case:algorithm))``; clusters of one size: ``lme4::lmer``.

    References
    ----------
    .. [1] Searle, S. R., Casella, G., McCulloch, C. E. (1992). Variance Components.
       Wiley, sec. 3.6, 5.1.
    .. [2] Montgomery, D. C. (2017). Design and Analysis of Experiments, 9th ed.,
       sec. 14.1.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = []
    >>> for text in range(12):
    ...     of_text = dict(zip("ABC", rng.normal(size=3)))
    ...     for item in range(4):
    ...         for name in "ABC":
    ...             level = of_text[name] + rng.normal()
    ...             for seed in range(3):
    ...                 score = level + rng.normal()
    ...                 rows.append((f"t{text}", f"t{text}.{item}", name, seed, score))
    >>> columns = ["text", "item", "model", "seed", "score"]
    >>> scores = pc.Scores.from_frame(
    ...     [dict(zip(columns, row)) for row in rows], algorithm="model",
    ...     block="item", cluster="text", replicate="seed",
    ...     metrics={"score": "higher"},
    ... )
    >>> found = pc.clustered_runs(scores)
    >>> found.components[["component", "estimate", "share"]].round(3)
               component  estimate  share
    0            cluster     0.000    NaN
    1               case     0.000    NaN
    2  cluster:algorithm     1.116  0.804
    3     case:algorithm     0.757  0.136
    4                run     0.998  0.060
    >>> round(found.standard_error(n_clusters=24, n_cases=4, n_runs=3), 3)
    0.34
    """
    runs = runs_of(scores, metric)
    codes, sizes = _clusters_of(scores)
    scaled, unit = in_unit(runs, np.ones(runs.shape, bool))
    noise = NOISE * float(np.abs(runs).max()) / unit
    squares = _sums_of_squares(scaled, codes, sizes, noise)
    df = _degrees_of_freedom(runs.shape, len(sizes))
    ratios = np.array(squares) / np.array(df)
    mean_squares: dict[str, float] = dict(zip(_TERMS, ratios, strict=True))
    tests = _tests(mean_squares, dict(zip(_TERMS, df, strict=True)))
    estimates = _moments(mean_squares, runs.shape, sizes)
    parts = {name: max(0.0, value) for name, value in estimates.items()}
    n = len(runs)
    numbers = (float(len(sizes)), n / len(sizes), float(runs.shape[2]))
    ratio = float(len(sizes) * np.sum(np.square(sizes / n)))
    test = tests["cluster:algorithm"]
    return ClusteredRuns(
        name=test.name,
        statistic_name="F",
        statistic=test.statistic,
        df=test.df,
        p_value=test.p_value,
        p_source=test.p_source,
        reference=_REFERENCE,
        notes=(*test.notes, *tests["case:algorithm"].notes, *floored(estimates)),
        table=later(_strata_table, squares, df, tests, unit),
        of_cases=tests["case:algorithm"],
        components=later(_component_table, estimates, (numbers, ratio), unit),
        std_error=unit * _std_error(parts, numbers, ratio),
        planning=later(_planning, parts, numbers, ratio, unit),
        n_clusters=len(sizes),
        n_cases=n,
        n_runs=runs.shape[2],
        size_ratio=ratio,
        in_unit=parts,
        unit=unit,
        runs=runs,
        codes=codes,
    )


def _clusters_of(scores: Scores) -> tuple[Ints, Floats]:
    """Return the cluster of each case and their sizes, or reject what has no strata."""
    if scores.clusters is None:
        raise DesignError(
            "the cases have no clusters; use replicated_anova, or name the column with "
            + setting("cluster", ...)
        )
    clusters = levels(scores.clusters, what="clusters")
    sizes = np.bincount(clusters.codes).astype(float)
    if len(sizes) == len(clusters.codes):
        raise DesignError(
            "every cluster has one case, so cases and clusters are one; leave the "
            "column of clusters out and use replicated_anova"
        )
    return clusters.codes, sizes


def _sums_of_squares(
    x: Floats, codes: Ints, sizes: Floats, noise: float
) -> tuple[float, ...]:
    """Return the sums of squares of runs (n, a, r) of all strata."""
    _, a, r = x.shape
    cells = x.mean(axis=2)
    cases = cells.mean(axis=1, keepdims=True)
    means = _within(cases, codes, sizes)
    contrasts = _within(cells - cases, codes, sizes)
    return (
        a * r * _square(means[1], noise),
        a * r * _square(means[2], noise),
        r * _square(contrasts[0], noise),
        r * _square(contrasts[1], noise),
        r * _square(contrasts[2], noise),
        _square(x - cells[:, :, None], noise),
    )


def _within(x: Floats, codes: Ints, sizes: Floats) -> tuple[Floats, Floats, Floats]:
    """Split values (n, k) into means, those of clusters from them, and the rest."""
    totals = np.zeros((len(sizes), x.shape[1]))
    np.add.at(totals, codes, x)
    of_clusters = (totals / sizes[:, None])[codes]
    grand = np.broadcast_to(x.mean(axis=0), x.shape)
    return grand, of_clusters - grand, x - of_clusters


def _square(x: Floats, noise: float) -> float:
    """Return the sum of squares, 0 if all of it is rounding."""
    return sum_of_squares(x.reshape(-1, 1), noise)


def _degrees_of_freedom(
    shape: tuple[int, ...], n_clusters: int
) -> tuple[float, float, float, float, float, float]:
    """Return those of all strata."""
    n, a, r = shape
    between, within, others = n_clusters - 1.0, n - float(n_clusters), a - 1.0
    return (
        between,
        within,
        others,
        others * between,
        others * within,
        a * n * (r - 1.0),
    )


def _tests(squares: dict[str, float], df: dict[str, float]) -> dict[str, Test]:
    """Return F of the interactions with clusters and with cases."""
    rows = (
        ("cluster", "case:algorithm", "cases", _SAME_IN_CASES),
        ("case", "run", "runs", _SAME_IN_RUNS),
    )
    return {
        f"{unit}:algorithm": ratio_test(
            f"interaction of {unit} and algorithm, over {over}",
            (squares[f"{unit}:algorithm"], squares[error]),
            (df[f"{unit}:algorithm"], df[error]),
            undefined,
        )
        for unit, error, over, undefined in rows
    }


def _moments(
    squares: dict[str, float], shape: tuple[int, ...], sizes: Floats
) -> dict[str, float]:
    """Return the components whose expected mean squares are these.

    With k the mean size of clusters that the sizes allow for (Searle et al. 1992,
    sec. 3.6), the expectations are run: e; case:algorithm: e + r ca;
    cluster:algorithm: e + r ca + r k ga; case: e + r ca + a r c; cluster: the sum of
    the last two minus e + r ca, plus a r k g.
    """
    n, a, r = shape
    k = (n - np.sum(np.square(sizes)) / n) / (len(sizes) - 1)
    both, of_case = squares["case:algorithm"], squares["case"]
    of_cluster = squares["cluster:algorithm"]
    return {
        "cluster": float(
            (squares["cluster"] - of_case - of_cluster + both) / (a * r * k)
        ),
        "case": float((of_case - both) / (a * r)),
        "cluster:algorithm": float((of_cluster - both) / (r * k)),
        "case:algorithm": float((both - squares["run"]) / r),
        "run": float(squares["run"]),
    }


def _parts(
    parts: dict[str, float], numbers: tuple[float, float, float], ratio: float
) -> dict[str, float]:
    """Return what components add to the variance of one algorithm's mean."""
    clusters, cases, runs = numbers
    over = (clusters / ratio, clusters * cases, clusters * cases * runs)
    return {
        name: parts[name] / count
        for name, count in zip(_OF_DIFFERENCES, over, strict=True)
    }


def _std_error(
    parts: dict[str, float], numbers: tuple[float, float, float], ratio: float
) -> float:
    """Return the standard error of a difference that the components give."""
    return math.sqrt(2 * sum(_parts(parts, numbers, ratio).values()))


def _component_table(
    unfloored: dict[str, float],
    design: tuple[tuple[float, float, float], float],
    unit: float,
) -> pd.DataFrame:
    """Return one row per component, in the metric's own unit."""
    parts = {name: max(0.0, value) for name, value in unfloored.items()}
    added = _parts(parts, *design)
    total = sum(added.values()) or math.nan
    with np.errstate(over="ignore"):
        raw = np.array(list(unfloored.values())) * unit * unit
    return pd.DataFrame(
        {
            "component": _COMPONENTS,
            "estimate": np.maximum(0.0, raw),
            "std_dev": np.sqrt(list(parts.values())) * unit,
            "unfloored": raw,
            "share": [added.get(name, math.nan) / total for name in _COMPONENTS],
        }
    )


def _planning(
    parts: dict[str, float],
    numbers: tuple[float, float, float],
    ratio: float,
    unit: float,
) -> pd.DataFrame:
    """Return the standard errors of a difference for other numbers."""
    clusters, cases, runs = numbers
    rows = [
        numbers,
        (clusters, cases, 2 * runs),
        (clusters, cases, math.inf),
        (clusters, 2 * cases, runs),
        (clusters, math.inf, runs),
        (2 * clusters, cases, runs),
        (4 * clusters, cases, runs),
    ]
    columns = ("n_clusters", "n_cases", "n_runs")
    return pd.DataFrame(
        {
            **dict(zip(columns, row, strict=True)),
            "std_error": unit * _std_error(parts, row, ratio),
        }
        for row in rows
    )


def _strata_table(
    squares: tuple[float, ...],
    df: tuple[float, ...],
    by_term: dict[str, Test],
    unit: float,
) -> pd.DataFrame:
    """Return one row per stratum."""
    sums = np.array(squares)
    with np.errstate(over="ignore"):
        sum_sq, mean_sq = sums * unit * unit, sums / np.array(df) * unit * unit
    tests = [by_term.get(term) for term in _TERMS]
    return pd.DataFrame(
        {
            "term": _TERMS,
            "df": df,
            "sum_sq": sum_sq,
            "mean_sq": mean_sq,
            "error": _ERRORS,
            "statistic": [math.nan if t is None else t.statistic for t in tests],
            "p_value": [math.nan if t is None else t.p_value for t in tests],
        }
    )
