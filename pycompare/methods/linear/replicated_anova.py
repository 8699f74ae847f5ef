"""Several runs of each algorithm on each block: strata, components of variance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.arguments import check_level, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels.mean_square_intervals import (
    Interval,
    difference_interval,
    share_interval,
    variance_interval,
)
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.linear.anova import p_source
from pycompare.methods.linear.fit import NOISE, AnovaFit, fit, in_unit, sum_of_squares
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import (
    Estimate,
    Result,
    Test,
    internal,
    later,
    made_when_read,
)

_REFERENCE = (
    "Montgomery (2017) Design and Analysis of Experiments, sec. 13.3, 14.1; Burdick & "
    "Graybill (1992) Confidence Intervals on Variance Components, sec. 3.3"
)
_TERMS = ("block", "algorithm", "block:algorithm", "run")
_COMPONENTS = ("block", "block:algorithm", "run")
_NO_RUN_ERROR = (
    "the runs of each cell are all alike: no F over runs has a p-value, and one run a "
    "cell would give the same"
)
_FLOORED = "the estimate of the component {names} is negative and reported as 0"
_OF_NORMAL = "chi2, exact for normal runs"
_LARGE_SAMPLE = "modified large sample (Ting et al. 1990)"


@dataclass(frozen=True, kw_only=True, eq=False)
class ReplicatedAnova(Test):
    """Analysis of variance of runs within blocks; the test is that of the algorithms.

    Attributes
    ----------
    table : DataFrame
        ``term df sum_sq mean_sq error statistic p_value``: block, algorithm,
        block:algorithm, run. ``error`` is the term whose mean square F is over; rows
        without a test have NaN. Sums of squares are of runs, in the metric's squared
        unit: those of cell means times the number of runs.
    interaction : Test
        Of block:algorithm over run: whether differences of algorithms change from block
        to block by more than runs do.
    components : DataFrame
        ``component estimate std_dev unfloored conf_low conf_high method``: variances in
        the metric's squared unit, ``std_dev`` in its own; negative estimates and bounds
        are 0, ``unfloored`` has the estimate as it was.
    run_share : Estimate
        Which part of the variance of a difference of two algorithms' means is run
        noise, with n_runs runs in a cell; more runs can take away no more than this.
    std_error : float
        Of a difference of two algorithms' means as measured, in the metric's unit.
    planning : DataFrame
        ``n_blocks n_runs std_error``: expected from the components for other numbers;
        infinitely many runs are the limit. See ``standard_error``.
    means : Series
        Means of the algorithms, in the metric's own unit.
    n_blocks, n_runs : int
    level : float
        Confidence level of the intervals.
    fit : AnovaFit
        Of the cell means.
    runs : ndarray, shape (n_blocks, n_algorithms, n_runs)
    in_unit : dict of str to float
        The components' estimates over ``unit`` squared, so that no scale overflows.
    unit : float
    """

    table: pd.DataFrame = made_when_read()
    interaction: Test
    components: pd.DataFrame = made_when_read()
    run_share: Estimate = made_when_read()
    std_error: float
    planning: pd.DataFrame = made_when_read()
    means: pd.Series = made_when_read()
    n_blocks: int
    n_runs: int
    level: float
    fit: AnovaFit = internal()
    runs: Floats = internal()
    in_unit: dict[str, float] = internal()
    unit: float = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        "df": "table/df",
        "statistic": "table/statistic",
        "p_value": "table/p_value",
        "components": "components/unfloored",
        "std_dev": "components/std_dev",
        "estimate": "components/estimate",
        "planned_error": "planning/std_error",
        "conf_low": "components/conf_low",
        "conf_high": "components/conf_high",
    }

    as_columns = Result.as_columns

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return the entries that both tests repeat: blocks, algorithms, both."""
        both = {"statistic": ("statistic", 2), "p_value": ("p_value", 2)}
        inner = {f"interaction/{name}": (name, 3) for name in both}
        own = {"df/0": ("df", 2), "df/1": ("df", 3)}
        return both | inner | own | {
            "interaction/df/0": ("df", 3), "interaction/df/1": ("df", 4)
        }  # fmt: skip

    def standard_error(self, *, n_blocks: float, n_runs: float) -> float:
        """Return the standard error of a difference for other numbers.

        ``sqrt(2 (interaction + run / n_runs) / n_blocks)`` with the components as
        estimated, in the metric's unit. ``n_runs`` may be infinite. Blocks are treated
        as independent draws, which is wrong if folds share training data.
        """
        for name, count in (("n_blocks", n_blocks), ("n_runs", n_runs)):
            if not count >= 1:
                raise InputError(f"{name}={count!r}: give a number from 1 on")
        return self.unit * _expected_error(self.in_unit, n_blocks, n_runs)

    def r_call(self) -> RCall | None:
        """Return the call of ``aov`` with strata and ``anova(lm)``.

        None if a stratum has no variance: what R divides by there is rounding.
        """
        squares = self.as_columns()["sum_sq"]
        if self.fit.e == 0 or squares[-1] == 0:
            return None
        b, a, n = self.runs.shape
        arguments = {
            "x": self.runs.reshape(b * a, n),
            "algorithms": a,
            "level": self.level,
        }
        return RCall(("replicated_anova",), "replicated_anova_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the table, components with intervals, share and standard errors."""
        parts = self.components
        columns = ("df", "sum_sq", "mean_sq", "statistic", "p_value")
        return {
            **{c: self.as_columns()[c].astype(float) for c in columns},
            "components": parts["unfloored"].to_numpy(),
            "std_dev": parts["std_dev"].to_numpy(),
            "estimate": parts["estimate"].to_numpy(),
            "planned_error": self.planning["std_error"].to_numpy(float),
            "conf_low": parts["conf_low"].to_numpy(),
            "conf_high": parts["conf_high"].to_numpy(),
            "run_share": self.run_share.estimate,
            "run_share_conf_low": self.run_share.conf_low,
            "run_share_conf_high": self.run_share.conf_high,
            "std_error": self.std_error,
            "means": self.means.to_numpy(),
        }


@checked
def replicated_anova(
    scores: Scores, *, metric: str | None = None, level: float = 0.95
) -> ReplicatedAnova:
    """Test algorithms and estimate variance components from several runs per block.

    ``score ~ algorithm`` with blocks (folds), block x algorithm, and runs within both
    as random. The algorithms are tested against block x algorithm: a claim about other
    blocks. It is the F of the cell means, however many runs there are; runs make the
    cell means more exact, and are no further blocks.

    Parameters
    ----------
    scores : Scores
        Read with ``replicate=...``, no cell missing; blocks of one data set, or one
        block a data set.
    metric : str, optional
        One of ``scores.metrics``, in its own unit; needed if there are several.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    ReplicatedAnova
        ``statistic`` is F of the algorithms on (a - 1, (a - 1)(b - 1)) degrees of
        freedom, with the exact p-value of ``pc.anova`` if cell means fit perfectly.

    Raises
    ------
    DesignError
        If the scores have no runs, a cell is missing, or there are several data sets.
    InputError
        For an unknown metric or level.

    Notes
    -----
    Equation 5.7 of docs/equations.md.

    Runs are nested in block and algorithm: seed 1 of one algorithm has nothing to do
    with seed 1 of another, or on another block. For balanced tables of n runs, with
    mean squares M: interaction = (M_ab - M_run) / n; block = (M_b - M_ab) / (a n), in
    the model whose interactions are independent (that of ``lmer``, whose REML
    estimates these are if none is negative). The interval of ``run`` is exact for
    normal runs, the others are modified large sample intervals: 94.9 to 95.3% of them
    cover in 40,000 simulated tables of each of six designs (3 to 30 folds, 2 to 10
    runs), 97.4% if the component is 0. The share of run noise, M_run / M_ab, has the
    interval of F, which is exact for normal scores. Estimates need no normality, but
    the intervals of ``run`` do: for exponential runs, or for answers that are nearly
    all right, they are far too short (validation/CALIBRATION.md).

    All runs treated as blocks, score by score, would be pseudo-replication, and is not
    offered: in 20,000 simulated tables without any difference (3 algorithms, 10 folds,
    5 runs, interaction as large as run noise) such an analysis of variance rejects
    38.5% at a nominal 5 %, with 10 folds and 10 runs of 5 algorithms 80%; F here
    rejects 5.0%. Nor are the algorithms tested against runs, a claim about these very
    blocks only.

    Folds share training data, which no part of this corrects: F is too large, and the
    standard errors too small, as with ``pc.anova``.

    R: ``summary(aov(score ~ algorithm + Error(block / algorithm)))`` for the
    algorithms, ``anova(lm(score ~ algorithm * block))`` for the interaction.

    References
    ----------
    .. [1] Montgomery, D. C. (2017). Design and Analysis of Experiments, 9th ed.,
       sec. 13.3, 14.1.
    .. [2] Burdick, R. K., Graybill, F. A. (1992). Confidence Intervals on Variance
       Components. Dekker, sec. 3.3.
    .. [3] Ting, N. et al. (1990). J. Stat. Comput. Simul. 35, 135-143.
    .. [4] Hurlbert, S. H. (1984). Ecol. Monogr. 54, 187-211 (pseudo-replication).

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"model": m, "fold": f, "seed": s, "error": rng.normal(0.2, 0.01)}
    ...     for m in "ABC" for f in range(6) for s in range(3)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="fold", replicate="seed",
    ...     metrics={"error": "lower"},
    ... )
    >>> analysis = pc.replicated_anova(scores)
    >>> print(f"F = {analysis.statistic:.2f}, p = {analysis.p_value:.3f}")
    F = 0.39, p = 0.688
    >>> print(f"share of run noise: {analysis.run_share.estimate:.2f}")
    share of run noise: 0.45
    """
    check_level(level)
    runs = runs_of(scores, metric)
    if scores.clusters is not None:
        raise DesignError(
            "replicated_anova assumes independent blocks, and these are cases in "
            "clusters; use clustered_runs"
        )
    model = fit(scores, metric, True)
    if model.design.datasets is not None:
        raise DesignError(
            "the blocks belong to several data sets, whose runs and folds vary "
            "differently; analyse one data set at a time"
        )
    b, a, n = runs.shape
    unit, squares = _strata(model, runs)
    df = (b - 1.0, a - 1.0, (a - 1.0) * (b - 1.0), a * b * (n - 1.0))
    mean_squares = tuple(s / d for s, d in zip(squares, df, strict=True))
    interaction = _interaction_test(squares, df)
    parts = _components(mean_squares, df, (b, a, n), level)
    estimates = {name: part["estimate"] for name, part in parts.items()}
    return ReplicatedAnova(
        name="analysis of variance of runs within blocks",
        statistic_name="F",
        statistic=model.f,
        df=model.df,
        p_value=_algorithm_p(model),
        p_source=p_source(model),
        reference=_REFERENCE,
        notes=(
            *model.no_error,
            *interaction.notes,
            *floored({name: part["unfloored"] for name, part in parts.items()}),
            *of_answers(runs),
        ),
        table=later(_strata_table, model, squares, df, interaction, unit),
        interaction=interaction,
        components=later(_component_table, parts, unit),
        run_share=later(_run_share, interaction, level),
        std_error=math.sqrt(2 * mean_squares[2] / (n * b)) * unit,
        planning=later(_planning, estimates, b, n, unit),
        means=model.per_algorithm(model.means()),
        n_blocks=b,
        n_runs=n,
        level=level,
        fit=model,
        runs=runs,
        in_unit=estimates,
        unit=unit,
    )


def runs_of(scores: Scores, metric: str | None) -> Floats:
    """Return the runs of one metric (b, a, n), or reject scores that have none."""
    require(scores, Scores)
    only = scores.only(metric)
    if only.runs is None:
        raise DesignError(
            "the scores have one value in each cell, and no spread of runs; read them "
            "with " + setting("replicate", ...) + ", the column of runs"
        )
    missing = int(np.isnan(only.values).sum())
    if missing:
        raise DesignError(
            f"{missing} of {only.values.size} cells have no runs, and the strata need "
            "all; read the scores with " + setting("missing", "drop-block")
        )
    fewest, most = only.runs_per_cell
    if fewest < most:
        raise DesignError(
            f"cells have {fewest} to {most} runs, and the strata need as many in each; "
            "read the scores with " + setting("missing", "drop-block")
        )
    runs: Floats = only.runs[:, :, 0]
    return runs


def _strata(model: AnovaFit, runs: Floats) -> tuple[float, tuple[float, ...]]:
    """Return a unit, and the strata's sums of squares of runs in its square."""
    n = runs.shape[-1]
    scaled, unit = in_unit(runs, np.ones(runs.shape, bool))
    noise = NOISE * float(np.abs(runs).max()) / unit
    within = scaled - scaled.mean(axis=-1, keepdims=True)
    within -= within.mean(axis=-1, keepdims=True)
    _, before = model.design.sums_before(model.scaled[:, :, None])
    blocks = float(before[0][0, 0])
    of_means = [n * s * _ratio(s, model.unit, unit) for s in (blocks, model.h, model.e)]
    return unit, (*of_means, sum_of_squares(within.reshape(-1, 1), noise))


def _ratio(square: float, unit: float, other: float) -> float:
    """Return what turns squares of one unit into squares of the other, 1 for zero."""
    return (unit / other) ** 2 if square else 1.0


def _algorithm_p(model: AnovaFit) -> float:
    """Return the p-value of the algorithms, as ``pc.anova`` has it."""
    return (
        model.exact_p
        if model.zero_residual
        else float(special.fdtrc(*model.df, model.f))
    )


def _interaction_test(squares: tuple[float, ...], df: tuple[float, ...]) -> Test:
    """Return F of block x algorithm over runs."""
    mean_squares = (squares[2] / df[2], squares[3] / df[3])
    name = "interaction of block and algorithm, over runs"
    return ratio_test(name, mean_squares, (df[2], df[3]), _NO_RUN_ERROR)


def ratio_test(
    name: str, squares: tuple[float, float], df: tuple[float, float], undefined: str
) -> Test:
    """Return F of two mean squares; ``undefined`` is the note if it has none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        f = float(np.float64(squares[0]) / np.float64(squares[1]))
    usable = math.isfinite(f)
    return Test(
        name=name,
        statistic_name="F",
        statistic=f,
        df=df,
        p_value=float(special.fdtrc(*df, f)) if usable else math.nan,
        p_source="F" if usable else "none",
        reference="Montgomery (2017) Design and Analysis of Experiments, sec. 13.3",
        notes=() if usable else (undefined,),
    )


def _components(
    mean_squares: tuple[float, ...],
    df: tuple[float, ...],
    sizes: tuple[int, int, int],
    level: float,
) -> dict[str, dict[str, Any]]:
    """Return the variance of blocks, of algorithms on blocks, and of runs."""
    _, a, n = sizes
    block, _, both, run = mean_squares
    rows = (
        (
            (block - both) / (a * n),
            _over(difference_interval(block, both, (df[0], df[2]), level), a * n),
            _LARGE_SAMPLE,
        ),
        (
            (both - run) / n,
            _over(difference_interval(both, run, (df[2], df[3]), level), n),
            _LARGE_SAMPLE,
        ),
        (run, _over(variance_interval(run, df[3], level), 1), _OF_NORMAL),
    )
    return {
        name: {
            "component": name,
            "estimate": max(0.0, estimate),
            "std_dev": math.sqrt(max(0.0, estimate)),
            "unfloored": estimate,
            "conf_low": low,
            "conf_high": high,
            "method": method,
        }
        for name, (estimate, (low, high), method) in zip(_COMPONENTS, rows, strict=True)
    }


def _component_table(parts: dict[str, dict[str, Any]], unit: float) -> pd.DataFrame:
    """Return one row per component, in the metric's own unit."""
    table = pd.DataFrame(list(parts.values()))
    numbers = ["estimate", "unfloored", "conf_low", "conf_high"]
    with np.errstate(over="ignore"):
        table[numbers] = table[numbers] * unit * unit
    table["std_dev"] *= unit
    return table


def _over(interval: Interval, divisor: int) -> tuple[float, float]:
    """Return an interval of a variance: divided, and nothing below 0."""
    low, high = (max(0.0, float(end) / divisor) for end in interval)
    return low, high


def of_answers(runs: Floats) -> Iterator[str]:
    """Yield that intervals of components are too short for right and wrong answers."""
    if right_or_wrong(runs):
        yield (
            "intervals of components assume normal scores; "
            + MEASURED["replicated_anova, right or wrong"].text
        )


def floored(unfloored: Mapping[str, float]) -> Iterator[str]:
    """Yield which components came out negative."""
    names = [name for name, estimate in unfloored.items() if estimate < 0]
    if names:
        yield _FLOORED.format(names=" and ".join(names))


def _run_share(interaction: Test, level: float) -> Estimate:
    """Return which part of the variance of a difference of means is run noise."""
    f, df = interaction.statistic, interaction.df
    assert isinstance(df, tuple)
    low = high = share = math.nan
    if math.isinf(f):
        share = 0.0
    elif f == 0:
        share = low = high = 1.0
    elif not math.isnan(f):
        share = min(1.0, 1 / f)
        ends = share_interval(f, (df[0], df[1]), level)
        low, high = (min(1.0, float(end)) for end in ends)
    return Estimate(
        name="share of run noise in the variance of a difference of means",
        estimate=share,
        conf_low=low,
        conf_high=high,
        level=level,
        method="mean square of runs over that of block:algorithm; F, exact for normal "
        "scores",
        notes=interaction.notes,
    )


def _expected_error(parts: dict[str, float], n_blocks: float, n_runs: float) -> float:
    """Return the standard error of a difference that the components give."""
    both, run = (parts[name] for name in _COMPONENTS[1:])
    return math.sqrt(2 * (both + run / n_runs) / n_blocks)


def _planning(
    parts: dict[str, float], n_blocks: int, n_runs: int, unit: float
) -> pd.DataFrame:
    """Return the standard errors of a difference for other numbers."""
    runs = sorted({1.0, float(n_runs), 2.0 * n_runs, 5.0 * n_runs, math.inf})
    rows = [(b, n) for b in (n_blocks, 2 * n_blocks) for n in runs]
    return pd.DataFrame(
        {"n_blocks": b, "n_runs": n, "std_error": unit * _expected_error(parts, b, n)}
        for b, n in rows
    )


def _strata_table(
    model: AnovaFit,
    squares: tuple[float, ...],
    df: tuple[float, ...],
    interaction: Test,
    unit: float,
) -> pd.DataFrame:
    """Return one row per stratum."""
    nothing = math.nan
    sums = np.array(squares)
    with np.errstate(over="ignore"):
        sum_sq, mean_sq = sums * unit * unit, sums / np.array(df) * unit * unit
    return pd.DataFrame(
        {
            "term": _TERMS,
            "df": df,
            "sum_sq": sum_sq,
            "mean_sq": mean_sq,
            "error": ("", "block:algorithm", "run", ""),
            "statistic": (nothing, model.f, interaction.statistic, nothing),
            "p_value": (nothing, _algorithm_p(model), interaction.p_value, nothing),
        }
    )
