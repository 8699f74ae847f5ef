"""Hotelling's T2 of all pairs of algorithms, after a multivariate analysis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_level, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import are
from pycompare.base.hypotheses import MEAN_VECTORS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show_all
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.methods.linear.dependencies import Dependency
from pycompare.methods.linear.mean_vectors import (
    FOLDS,
    NOTHING,
    REFERENCES,
    TITLES,
    VectorMethod,
    VectorPairs,
    check_method,
    mean_vectors,
)
from pycompare.methods.linear.pairs import family_of, pair_indices
from pycompare.results.adjust import (
    adjust_family,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.results.result import Pairs, internal, later, made_when_read
from pycompare.results.schema import Schema, Turned, column


@dataclass(frozen=True, kw_only=True, eq=False)
class HotellingPairsResult(Pairs):
    """Pairs of mean vectors; see ``Pairs``.

    Several metrics give no single order of the algorithms, so there are no positions
    and no signed estimate: the size of a difference is its distance, and its direction
    is w.

    Attributes
    ----------
    table : DataFrame
        Columns ``algorithm_1 algorithm_2 t2 statistic df1 df2 p_value p_adjusted
        distance n_1 n_2 reason``. ``statistic`` is F, ``df1`` the rank of the metrics
        in this pair, ``distance`` the Mahalanobis distance sqrt(d' S^-1 d); ``n_1`` and
        ``n_2`` count the scores, blocks that both have if paired. A pair that could not
        be tested has NaN and its ``reason``.
    differences : DataFrame
        One row per pair and metric: ``algorithm_1 algorithm_2 metric estimate std_error
        conf_low conf_high``; the mean of algorithm_1 minus algorithm_2 in the metric's
        own unit.
    directions, standardised : DataFrame
        w = S^-1 d, rows as in ``table`` (indexed by the two names), one column per
        metric: for scores in their own units, and over their standard deviations. 0 for
        metrics left out.
    dropped : tuple of tuple of Dependency
        Per pair, the metrics that depend on those before them.
    metrics : tuple of str
    sample : {"paired", "two-sample", "two-sample-unequal", "contrast"}
    """

    differences: pd.DataFrame = made_when_read()
    directions: pd.DataFrame = made_when_read()
    standardised: pd.DataFrame = made_when_read()
    dropped: tuple[tuple[Dependency, ...], ...]
    metrics: tuple[str, ...]
    sample: VectorMethod
    vectors: VectorPairs = internal()

    schema: ClassVar[Schema] = (
        *Pairs.schema,
        column("n_1", "count", turned=Turned(column="n_2"), r=None),
        column("n_2", "count", turned=Turned(column="n_1"), r=None),
    )
    r_paths: ClassVar[Mapping[str, str]] = {
        c: f"differences/{c}"
        for c in ("estimate", "std_error", "conf_low", "conf_high")
    }

    def r_by_column(self) -> dict[str, int]:
        """Return tables of pairs and metrics."""
        names = ("directions", "standardised", *self.r_paths)
        return dict.fromkeys(names, len(self.metrics))

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return f"mean-vectors/{self.sample}-T2"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.vectors.algorithms

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values; for some it lists all partitions."""
        return repeatable_in_r(self.adjust, len(self.algorithms))

    def r_call(self) -> RCall:
        """Return the call that repeats all pairs, adjusted if R can."""
        arguments = {
            **self.vectors.r_arguments(),
            "adjust": self.adjust if self.repeatable else "",
            "level": self.level,
        }
        files = ("responses", "adjust", "hotelling")
        return RCall(files, "hotelling_pairs_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table, the differences and the directions.

        Tables of pairs and metrics column by column, as R has them.
        """
        columns = ["t2", "statistic", "df1", "df2", "p_value", "distance"]
        columns += ["p_adjusted"] if self.repeatable else []
        limits = ("estimate", "std_error", "conf_low", "conf_high")
        shape = len(self.as_columns()), len(self.metrics)
        return {
            **self.columns_in_r(*columns),
            **{
                name: self.differences[name].to_numpy(float).reshape(shape).ravel("F")
                for name in limits
            },
            "directions": self.directions.to_numpy(float).ravel("F"),
            "standardised": self.standardised.to_numpy(float).ravel("F"),
        }


@checked
def hotelling_pairs(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    method: VectorMethod = "paired",
    adjust: str = "bonferroni",
    control: str | None = None,
    level: float = 0.95,
) -> HotellingPairsResult:
    """Compare the mean vectors of all pairs of algorithms by Hotelling's T2 tests.

    Parameters
    ----------
    scores : Scores
        Cells may be missing if the scores were read with ``missing="model"``.
    metrics : sequence of str, optional
        The metrics, each in its own unit; all of ``scores.metrics`` by default.
    method : {"paired", "two-sample", "two-sample-unequal", "contrast"}
        ``paired``: differences within the blocks that both algorithms have, each pair
        with its own covariance matrix (Yildiz et al. 2011). ``two-sample``: the blocks
        are left out, one covariance matrix for both algorithms (Aslan 2009);
        ``two-sample-unequal``: one each. ``contrast``: adjusted means with the
        residuals of the model of all algorithms and blocks, as in ``manova``; more
        degrees of freedom, if all differences between algorithms have the same
        covariance matrix.
    adjust : str, default "bonferroni"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs.
    control : str, optional
        Compare each other algorithm with this one only.
    level : float
        Confidence level of the intervals, together for all pairs and metrics.

    Returns
    -------
    HotellingPairsResult

    Raises
    ------
    DesignError
        If no pair can be tested though algorithms differ, as with no more blocks than
        independent metrics; with ``contrast``, as ``manova``'s designs.
    InputError
        For an unknown name or word.

    Notes
    -----
    Equations 6.3, 6.4 of docs/equations.md.

    Each pair is the test of ``hotelling``. Metrics that depend on others are left out
    pair by pair, for the rank may differ. A pair of identical algorithms, or one whose
    difference has no variation to be compared with, is NaN with the reason; the others
    are adjusted as if its p-value were 1, which keeps every adjustment valid.

    Limits are those of T2 (they hold for all combinations of metrics) at
    1 - (1 - level) / m for m pairs.

    R: ``summary(manova(D ~ 1), intercept = TRUE)`` per pair; for ``contrast``
    ``car::linearHypothesis`` of ``lm(cbind(...) ~ block + algorithm)``.

    References
    ----------
    .. [1] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), eq. 2-5.
    .. [2] Aslan, O. (2009). M.Sc. thesis, Bogazici University, eq. 4.82-4.84.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.hotelling_pairs(pc.example("folds"), control="LDA", adjust="holm")
    >>> pairs.table[["algorithm_1", "algorithm_2", "p_adjusted"]].round(3)
       algorithm_1 algorithm_2  p_adjusted
    0          QDA         LDA       0.000
    1         9-NN         LDA       0.651
    2   NaiveBayes         LDA       0.288
    3  NearestMean         LDA       0.288
    """
    check_method(method, contrast=True)
    check_level(level)
    chosen = family_adjustment(adjust, MEAN_VECTORS, control)
    require(scores, Scores)
    first, second = pair_indices(scores.algorithms, control)
    vectors = mean_vectors(scores, metrics, method, first, second)
    reasons = tuple(vectors.reason(i) for i in range(len(first)))
    _refuse_if_none(vectors, reasons)
    dropped = tuple(vectors.dropped(i) for i in range(len(first)))
    a, names = len(vectors.algorithms), vectors.names
    adjusted = adjust_family(vectors.comparison.p_value, a, chosen)
    return HotellingPairsResult(
        table=later(_pairs_table, vectors, reasons, adjusted),
        method=TITLES[method],
        statistic_name="F",
        hypotheses=MEAN_VECTORS,
        adjust=chosen.name,
        family=family_of(a, control, ", ".join(names)),
        interval=f"simultaneous {100 * level:g}% over metrics (T2) and pairs "
        "(Bonferroni)",
        level=level,
        control=control,
        reference=REFERENCES[method],
        notes=_notes(vectors, reasons, dropped),
        differences=later(_difference_table, vectors, (1 - level) / len(first)),
        directions=later(vectors.per_pair, vectors.direction),
        standardised=later(vectors.per_pair, vectors.standardised),
        dropped=dropped,
        metrics=names,
        sample=method,
        vectors=vectors,
    )


def _refuse_if_none(vectors: VectorPairs, reasons: tuple[str, ...]) -> None:
    """Reject scores of which no pair can be tested, unless none differs."""
    told = [i for i, reason in enumerate(reasons) if reason and reason != NOTHING]
    if told and all(reasons):
        i = told[0]
        pair = [vectors.algorithms[ends[i]] for ends in (vectors.first, vectors.second)]
        raise DesignError(
            f"no pair of algorithms can be tested; {show_all(pair)}: {reasons[i]}"
        )


def _pairs_table(
    vectors: VectorPairs, reasons: tuple[str, ...], p_adjusted: Floats
) -> pd.DataFrame:
    """Return one row per pair."""
    c, (n_1, n_2) = vectors.comparison, vectors.counts
    return Columns(
        {
            **vectors.labels(),
            "t2": c.t2,
            "statistic": c.f,
            "df1": c.df1,
            "df2": c.df2,
            "p_value": c.p_value,
            "p_adjusted": p_adjusted,
            "distance": vectors.distance,
            "n_1": n_1,
            "n_2": n_2,
            "reason": list(reasons),
        }
    )


def _difference_table(vectors: VectorPairs, alpha: float) -> pd.DataFrame:
    """Return one row per pair and metric; limits leave out alpha per pair."""
    estimate, half = vectors.estimate, vectors.half_widths(alpha)
    m, p = estimate.shape
    return Columns(
        {
            **{end: np.repeat(names, p) for end, names in vectors.labels().items()},
            "metric": list(vectors.names) * m,
            "estimate": estimate.ravel(),
            "std_error": vectors.std_error.ravel(),
            "conf_low": (estimate - half).ravel(),
            "conf_high": (estimate + half).ravel(),
        }
    )


def _notes(
    vectors: VectorPairs,
    reasons: tuple[str, ...],
    dropped: tuple[tuple[Dependency, ...], ...],
) -> tuple[str, ...]:
    """Return the notes for readers about the pairs."""
    notes = []
    absent = int((~vectors.present).sum())
    if absent:
        what = (
            "each pair has the blocks that both algorithms have"
            if vectors.method == "paired"
            else "the algorithms are adjusted for the blocks that they have"
            if vectors.method == "contrast"
            else "each algorithm has the scores that it has"
        )
        cells = f"{absent} of {vectors.present.size} cells"
        notes.append(f"{cells} {are(absent)} missing; {what}")
    notes += [
        f"{algorithm_1} and {algorithm_2} could not be tested: {reason}; "
        f"the other pairs are adjusted as if this p-value were 1"
        for algorithm_1, algorithm_2, reason in zip(
            *vectors.labels().values(), reasons, strict=True
        )
        if reason
    ]
    short = {"; ".join(d.text for d in some) for some in dropped} - {""}
    notes += [f"metrics that depend on others are left out: {t}" for t in sorted(short)]
    return (*notes, FOLDS)
