"""Mixed three-way analysis of variance: algorithms on blocks under shared runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_level, check_word, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels import reader_moments
from pycompare.kernels.mean_square_intervals import modified_large_sample
from pycompare.methods.linear.fit import in_unit
from pycompare.methods.linear.replicated_anova import floored, of_answers, runs_of
from pycompare.methods.multireader.error_terms import (
    Model,
    error_of,
    sums_without_rounding,
)
from pycompare.methods.multireader.findings import f_test
from pycompare.results.result import Result, Test, internal, later, made_when_read

QuasiF = Literal["hillis", "1992", "sums"]
"""How the error of algorithms is put together from mean squares."""

_REFERENCE = (
    "Dorfman, Berbaum & Metz (1992) Invest. Radiol. 27, 723-731; Hillis (2007) Stat. "
    "Med. 26, 596-619; Satterthwaite (1946) Biometrics Bull. 2, 110-114"
)
_TERMS = {
    "T": "algorithm",
    "R": "run",
    "C": "block",
    "TR": "algorithm:run",
    "TC": "algorithm:block",
    "RC": "block:run",
    "TRC": "residual",
}
"""Terms of the kernel and their names here, in the order of the table."""
_INTERACTIONS = ("TR", "TC", "RC")
_RESIDUAL = _TERMS["TRC"]
_NO_ERROR = (
    "differences of algorithms are the same in every block and run: F has no error term"
)
_ALIKE = "the residual mean square is 0: interactions are not tested"


@dataclass(frozen=True, kw_only=True, eq=False)
class CrossedAnova(Test):
    """Mixed three-way analysis of variance; the test is that of the algorithms.

    Attributes
    ----------
    table : DataFrame
        ``term df sum_sq mean_sq error statistic p_value``: algorithm, run, block, their
        interactions of two, and the residual, which is that of all three. ``error`` is
        the mean square that F is over; rows without a test have NaN.
    components : DataFrame
        ``component estimate std_dev unfloored conf_low conf_high``: variances in the
        metric's squared unit, ``std_dev`` in its own; negative estimates and bounds are
        0, ``unfloored`` has the estimate as it was.
    quasi_f : {"hillis", "1992", "sums"}
    mean_square, error : float
        Numerator and denominator of F, in the metric's squared unit.
    means : Series
        Means of the algorithms, in the metric's own unit.
    n_blocks, n_runs : int
    level : float
        Confidence level of the intervals.
    runs : ndarray, shape (n_blocks, n_algorithms, n_runs)
    """

    table: pd.DataFrame = made_when_read()
    components: pd.DataFrame = made_when_read()
    quasi_f: QuasiF
    mean_square: float
    error: float
    means: pd.Series = made_when_read()
    n_blocks: int
    n_runs: int
    level: float
    runs: Floats = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        **{f"table_{name}": f"table/{name}" for name in ("df", "sum_sq", "mean_sq")},
        "table_statistic": "table/statistic",
        "table_p_value": "table/p_value",
        "components": "components/unfloored",
        "conf_low": "components/conf_low",
        "conf_high": "components/conf_high",
    }

    as_columns = Result.as_columns

    def r_call(self) -> RCall | None:
        """Return the call of ``aov``; None if F has no error term."""
        if math.isnan(self.statistic) or self.as_columns()["mean_sq"][-1] == 0:
            return None
        b, a, n = self.runs.shape
        arguments = {
            "x": self.runs.reshape(b * a, n),
            "algorithms": a,
            "quasi_f": self.quasi_f,
            "level": self.level,
        }
        files = ("multireader", "crossed_anova")
        return RCall(files, "crossed_anova_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the table, and the components with their intervals."""
        df = self.df if isinstance(self.df, tuple) else (self.df, math.inf)
        table, parts = self.as_columns(), self.held("components")
        columns = ("df", "sum_sq", "mean_sq", "statistic", "p_value")
        return {
            "statistic": self.statistic,
            "df": np.array(df, float),
            "p_value": self.p_value,
            "mean_square": self.mean_square,
            "error": self.error,
            **{f"table_{name}": np.asarray(table[name], float) for name in columns},
            "components": np.asarray(parts["unfloored"]),
            "conf_low": np.asarray(parts["conf_low"]),
            "conf_high": np.asarray(parts["conf_high"]),
            "means": np.asarray(self.held("means")),
        }


@checked
def crossed_anova(
    scores: Scores,
    *,
    metric: str | None = None,
    quasi_f: QuasiF = "hillis",
    level: float = 0.95,
) -> CrossedAnova:
    """Test algorithms for new blocks and new runs at once, by a quasi-F.

    Each algorithm has a score on each block (a case, a test set) under each run (a
    training set, a reader, a prompt) that all share: algorithms fixed, blocks and runs
    random, all crossed. No mean square is the error of the algorithms, so that F is
    over a combination of several.

    Parameters
    ----------
    scores : Scores
        Read with ``replicate=...``, no cell missing: run 1 of a block is the same
        training set or reader as run 1 of every other block. Two blocks and two runs at
        least.
    metric : str, optional
        One of ``scores.metrics``, in its own unit; needed if there are several.
    quasi_f : {"hillis", "1992", "sums"}
        With mean squares M of algorithm x run, algorithm x block and the residual:
        ``hillis`` has the error M_ar + max(M_ab - M_rest, 0) on Hillis' degrees of
        freedom; ``1992`` is the rule of Dorfman, Berbaum and Metz, M_ar + M_ab - M_rest
        on Satterthwaite's, without a component that is estimated negative; ``sums`` is
        (M_a + M_rest) / (M_ar + M_ab), both on Satterthwaite's.
    level : float
        Confidence level of the intervals of components.

    Returns
    -------
    CrossedAnova

    Raises
    ------
    DesignError
        If the scores have no runs, a cell is missing, blocks are in clusters, or there
        are several data sets.
    InputError
        For an unknown metric or level.

    Notes
    -----
    Equation 9.6 of docs/equations.md.

    On jackknife pseudovalues, cases as blocks and readers as runs, it is the analysis
    of ``pc.mrmc(method="dbm")``: the same F, df and p. If runs within a block have
    nothing in common with those of other blocks, use ``pc.replicated_anova``; pairs are
    compared by ``pc.crossed_pairs``.

    Components are those of the model with independent interactions, as ``lme4``'s REML
    estimates them if none is negative. Intervals are modified large sample intervals.

    Simulated rejections without any difference, at a nominal 5%, in 20 designs (2 to 5
    algorithms, 10 to 100 blocks, 3 to 10 runs, with and without either interaction;
    6,000 tables each): ``hillis`` 4.0 to 7.1%, ``1992`` 2.1 to 5.9%, ``sums`` 2.3 to
    7.1%. An analysis over runs only rejects up to 56%, over blocks only up to 89%.

    R: ``aov`` for mean squares; the quasi-F is our own derivation. Second witness of
    the components: ``lme4::lmer``.

    References
    ----------
    .. [1] Maloof, M. A. (2002). On machine learning, ROC analysis, and statistical
       tests of significance. ICPR, sec. 2.
    .. [2] Dorfman, D. D., Berbaum, K. S., Metz, C. E. (1992). Investigative Radiology
       27, 723-731.
    .. [3] Hillis, S. L. (2007). Statistics in Medicine 26, 596-619.
    .. [4] Satterthwaite, F. E. (1946). Biometrics Bulletin 2, 110-114.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> of_run = rng.normal(0, 0.01, (3, 1, 5))
    >>> error = 0.2 + of_run + rng.normal(0, 0.02, (3, 20, 5))
    >>> rows = [
    ...     {"model": "ABC"[a], "part": b, "training": r, "error": error[a, b, r]}
    ...     for a, b, r in np.ndindex(3, 20, 5)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="part", replicate="training",
    ...     metrics={"error": "lower"},
    ... )
    >>> found = pc.crossed_anova(scores)
    >>> print(f"F({found.df[0]:.0f}, {found.df[1]:.1f}) = {found.statistic:.2f}, "
    ...       f"p = {found.p_value:.3f}")
    F(2, 8.0) = 1.06, p = 0.390
    """
    check_level(level)
    check_word("quasi_f", quasi_f, get_args(QuasiF))
    require(scores, Scores)
    runs = runs_of(scores, metric)
    _require_one_sample(scores)
    b, a, n = runs.shape
    scaled, unit = in_unit(runs, np.ones(runs.shape, bool))
    y = np.transpose(scaled, (1, 2, 0))
    analysed = reader_moments.three_way(y)
    df = {term: float(count) for term, (count, _) in analysed.items()}
    sums = sums_without_rounding(
        np.array([float(total) for _, total in analysed.values()]), runs / unit
    )
    squares = {t: s / df[t] for t, s in zip(analysed, sums.tolist(), strict=True)}
    mean_square, error, dfs = _quasi(squares, df, quasi_f, (a, b, n))
    test = f_test(mean_square, error, *dfs)
    parts = _components(squares, df, (a, b, n), level)
    own = scores.only(metric)
    means = runs.mean(axis=(0, 2))
    return CrossedAnova(
        name="mixed three-way analysis of variance, quasi-F of the algorithms",
        short="mixed three-way analysis of variance",
        statistic_name=test.name,
        statistic=test.statistic,
        df=test.df[0] if len(test.df) == 1 else (test.df[0], test.df[1]),
        p_value=test.p_value,
        p_source=test.name if math.isfinite(test.statistic) else "none",
        reference=_REFERENCE,
        notes=(
            f"algorithms are fixed, {b} blocks and {counted(n, 'run')} random: F is "
            "for new blocks and new runs",
            *((_NO_ERROR,) if math.isnan(test.statistic) else ()),
            *((_ALIKE,) if squares["TRC"] == 0 else ()),
            *floored({name: part["unfloored"] for name, part in parts.items()}),
            *of_answers(runs),
        ),
        table=later(_table, squares, df, unit, (test.statistic, test.p_value)),
        components=later(_component_table, parts, unit),
        quasi_f=quasi_f,
        mean_square=mean_square * unit * unit,
        error=error * unit * unit,
        means=later(pd.Series, means, list(own.algorithms)),
        n_blocks=b,
        n_runs=n,
        level=level,
        runs=runs,
    )


def _require_one_sample(scores: Scores) -> None:
    """Reject blocks that are not independent draws with the same runs."""
    if scores.clusters is not None:
        raise DesignError(
            "crossed_anova assumes independent blocks, and these are cases in "
            "clusters; average the scores of each cluster"
        )
    if scores.datasets is not None and len(set(scores.datasets)) > 1:
        raise DesignError(
            "crossed_anova: the blocks belong to several data sets, whose runs differ; "
            "analyse one data set at a time"
        )


def _quasi(
    squares: Mapping[str, float],
    df: Mapping[str, float],
    rule: QuasiF,
    sizes: tuple[int, int, int],
) -> tuple[float, float, tuple[float, float]]:
    """Return numerator, denominator and degrees of freedom of F."""
    a, b, n = sizes
    if rule == "sums":
        above = _satterthwaite(squares, df, ("T", "TRC"))
        below = _satterthwaite(squares, df, ("TR", "TC"))
        return above[0], below[0], (above[1], below[1])
    contrast = reader_moments.Contrast(
        between=np.array(squares["T"]),
        readers=np.array(squares["TR"]),
        cases=np.array(squares["TC"]),
        excess=np.array(squares["TC"] - squares["TRC"]),
    )
    model = Model("dbm", "random", "random", rule, n, b, n)
    term = error_of(contrast, model, a - 1)
    return squares["T"], float(term.mean_square), (df["T"], float(term.df))


def _satterthwaite(
    squares: Mapping[str, float], df: Mapping[str, float], terms: tuple[str, ...]
) -> tuple[float, float]:
    """Return a sum of mean squares and its degrees of freedom."""
    total = sum(squares[term] for term in terms)
    # Satterthwaite (1946): the variance of the sum is that of chi-squared.
    parts = sum(squares[term] ** 2 / df[term] for term in terms)
    return total, total**2 / parts if parts else math.nan


def _components(
    squares: Mapping[str, float],
    df: Mapping[str, float],
    sizes: tuple[int, int, int],
    level: float,
) -> dict[str, dict[str, Any]]:
    """Return the components of variance with their intervals."""
    a, b, n = sizes
    terms = tuple(term for term in _TERMS if term != "T")
    weights: dict[str, tuple[dict[str, int], int]] = {
        "R": ({"R": 1, "TR": -1, "RC": -1, "TRC": 1}, a * b),
        "C": ({"C": 1, "TC": -1, "RC": -1, "TRC": 1}, a * n),
        "TR": ({"TR": 1, "TRC": -1}, b),
        "TC": ({"TC": 1, "TRC": -1}, n),
        "RC": ({"RC": 1, "TRC": -1}, a),
        "TRC": ({"TRC": 1}, 1),
    }
    values = np.array([squares[term] for term in terms])
    counts = np.array([df[term] for term in terms])
    # Limits take squares of mean squares.
    size = float(2.0 ** np.frexp(values.max())[1])
    parts = {}
    for term, (signs, divisor) in weights.items():
        coefficients = np.array([signs.get(other, 0) / divisor for other in terms])
        limits = modified_large_sample(coefficients, values / size, counts, level)
        low, high = (max(0.0, float(limit) * size) for limit in limits)
        total = sum(sign * squares[other] for other, sign in signs.items())
        estimate = total / divisor
        parts[_TERMS[term]] = {
            "component": _TERMS[term],
            "estimate": max(0.0, estimate),
            "std_dev": math.sqrt(max(0.0, estimate)),
            "unfloored": estimate,
            "conf_low": low,
            "conf_high": high,
        }
    return parts


def _component_table(parts: dict[str, dict[str, Any]], unit: float) -> pd.DataFrame:
    """Return one row per component, in the metric's own unit."""
    table = pd.DataFrame(list(parts.values()))
    numbers = ["estimate", "unfloored", "conf_low", "conf_high"]
    with np.errstate(over="ignore"):
        table[numbers] = table[numbers] * unit * unit
    table["std_dev"] *= unit
    return table


def _table(
    squares: Mapping[str, float],
    df: Mapping[str, float],
    unit: float,
    test: tuple[float, float],
) -> pd.DataFrame:
    """Return one row per term: interactions are tested against the residual."""
    rows = [("T", "quasi-F", *test), *_interaction_tests(squares, df)]
    tests = {term: tuple(row) for term, *row in rows}
    nothing = ("", math.nan, math.nan)
    with np.errstate(over="ignore"):
        mean_sq = np.array([squares[term] for term in _TERMS]) * unit * unit
    counts = np.array([df[term] for term in _TERMS])
    columns = list(zip(*(tests.get(term, nothing) for term in _TERMS), strict=True))
    return pd.DataFrame(
        {
            "term": list(_TERMS.values()),
            "df": counts,
            "sum_sq": mean_sq * counts,
            "mean_sq": mean_sq,
            **dict(zip(("error", "statistic", "p_value"), columns, strict=True)),
        }
    )


def _interaction_tests(
    squares: Mapping[str, float], df: Mapping[str, float]
) -> Iterator[tuple[str, str, float, float]]:
    """Yield the tests of interactions of two factors over the residual."""
    for term in _INTERACTIONS:
        test = f_test(squares[term], squares["TRC"], df[term], df["TRC"])
        yield term, _RESIDUAL, test.statistic, test.p_value
