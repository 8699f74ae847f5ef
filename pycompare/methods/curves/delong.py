"""DeLong's test: AUCs of any number of classifiers on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from pycompare.base.arguments import alpha_or_level, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.families import family_text
from pycompare.base.formatting.numbers import percent
from pycompare.base.hypotheses import AUCS
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints
from pycompare.data.measures.cases import Cases, many_scores
from pycompare.data.measures.chance import below_chance
from pycompare.kernels import exchanges
from pycompare.kernels.area_differences import AreaDifferences, differences
from pycompare.methods.curves.few_cases import (
    FEW,
    few_cases,
    largest_error,
    smaller_class,
)
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.last_step import EACH, agreeing_limits, last_step
from pycompare.results.adjust import (
    adjust_family,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.results.guarantees import MEASURED, few_note
from pycompare.results.placement import Placement
from pycompare.results.result import PairsResult, Test, internal, rejected
from pycompare.results.schema import ResultQuantity, Schema, changed

REFERENCE = (
    "DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44, 837-845; Sun & Xu (2014) "
    "IEEE Signal Process. Lett. 21, 1389-1393"
)
_BANDOS = "Bandos, Rockette & Gur (2005) Stat. Med. 24, 2873-2893"
_R_FILES = ("adjust", "wilcoxon", "signed_rank_pairs", "roc", "delong")
CLUSTERS = "Obuchowski (1997) Biometrics 53, 567-578"
_SAME_ORDER = (
    "these put all cases of different classes in the same order, so no difference can "
    "be tested: "
)
_NO_VARIANCE = (
    "these have an AUC of 1 or 0, whose estimated variance is 0 whatever the number of "
    "cases; their statistics are too large: "
)
_CERTAIN = (
    "the difference has an estimated variance of 0 without being 0, so there is no "
    "interval, and "
)
_BY_EXCHANGES = (
    "the p-value is that of {resamples:,} exchanges of the ranks of cases{in_clusters} "
    "(auc_exchange, seed 0), which test whether the two are exchangeable: "
)
_TOO_MANY = (
    "{n:,} cases are too many to be exchanged here: test these with auc_exchange, "
    "which takes any number: "
)
_EXCHANGES = {1_000: 10_000, 20_000: 999}
"""Exchanges of ranks by the most cases."""
_STUDIED = (30, 20, 10, 5)
"""Cases of a class whose errors are measured; with 50 they are as they should be."""
_SEVERAL = 3
"""Curves whose test together is further off than that of a pair."""
_FEWEST_BESIDE_ONE = 2.0
"""Cases of the smaller class times 1 - AUC, below which intervals are too narrow."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DeLongResult(PairsResult):
    """AUCs of classifiers on the same cases, all pairs, and all of them together.

    ``estimate`` is the AUC of algorithm_1 minus that of algorithm_2 (positive:
    algorithm_1 is better); ``positions`` are 1 - AUC, so that lower is better.

    Attributes
    ----------
    omnibus : Test
        Chi-squared test that all AUCs are equal.
    area : Series
        AUC per classifier.
    covariance : DataFrame
        Estimated covariance matrix of the AUCs.
    positive : str
        The label of the positive class.
    n_positive, n_negative : int
    n_clusters : int or None
        With clusters of dependent cases.
    alpha : float or None
        Level of the decisions with which no interval disagrees; None: intervals of
        each pair separately were asked for.
    """

    omnibus: Test
    area: pd.Series
    covariance: pd.DataFrame
    positive: str
    n_positive: int
    n_negative: int
    n_clusters: int | None = None
    alpha: float | None = None
    cases: Cases = internal()
    exchange_p: Floats = internal()

    @property
    def n_blocks(self) -> int:
        """Cases."""
        return self.n_positive + self.n_negative

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return False

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "auc/delong" if self.n_clusters is None else "auc/delong-clusters"

    @property
    def caution(self) -> str:
        """Conditions that a claim must state besides its level; may be empty."""
        if self.clustered:
            return ""
        return largest_error(min(self.n_positive, self.n_negative))

    @property
    def exchanged(self) -> dict[tuple[str, str], int]:
        """Pairs that were tested by exchanges of ranks, and how many of these."""
        pairs = zip(self.row_labels(), np.isnan(self.exchange_p), strict=True)
        names = [pair for pair, untested in pairs if not untested]
        return dict.fromkeys(names, _exchanges_of(self.cases))

    @property
    def clustered(self) -> bool:
        """Whether cases are in clusters."""
        return self.n_clusters is not None

    def summary(self, digits: int = 4) -> str:
        """Return the test of all together, then the pairs, as text."""
        both = self.omnibus.summary(digits), PairsResult.summary(self, digits)
        return "\n".join(both)

    def r_call(self) -> RCall | None:
        """Return the call of ``pROC::roc.test`` and ``pROC::cov``.

        Of clusters that of an own derivation in base R, which pROC does not have.
        """
        if not repeatable_in_r(self.adjust, len(self.area)):
            return None
        arguments = {
            **self.cases.r_arguments(),
            "adjust": self.adjust,
            "control": place_of(self.cases, self.control),
        }
        if self.alpha is None:
            arguments["level"] = self.level
        else:
            arguments["alpha"] = self.alpha
        if not np.isnan(self.exchange_p).all():
            arguments["drawn_p"] = self.exchange_p
        if self.clustered:
            files = (*_R_FILES, "delong_clusters")
            return RCall(files, "delong_clusters_reference", arguments)
        return RCall(_R_FILES, "delong_reference", arguments)

    schema: ClassVar[Schema] = (
        *changed(PairsResult.schema, only=""),
        ResultQuantity("area", "mean", unit="metric"),
        ResultQuantity("covariance", "error"),
        ResultQuantity("omnibus/statistic", "statistic", only="omnibus_in_r"),
        ResultQuantity("omnibus/df", "df", only="omnibus_in_r"),
        ResultQuantity("omnibus/p_value", "p", only="omnibus_in_r"),
    )

    @property
    def omnibus_in_r(self) -> bool:
        """Whether R has the test of all together; one by exchanges is drawn."""
        return self.omnibus.p_source != "permutation"


@checked
def delong(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    control: str | None = None,
    cluster: ArrayLike | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
    level: float | None = None,
) -> DeLongResult:
    """Compare AUCs of two or more classifiers on the same cases by DeLong's test.

    Parameters
    ----------
    label : array_like, shape (n_cases,)
        Two classes: text, whole numbers, floats, true and false.
    scores : DataFrame, mapping or array_like of shape (n_cases, n_classifiers)
        One column per classifier, at least two; higher means more positive.
    positive : object
        The label of the positive class.
    control : str, optional
        Compare each other classifier with this one only; it is algorithm_2. The test of
        all together stays that of all.
    cluster : array_like, shape (n_cases,), optional
        The cluster of each case, such as its patient. Clusters are then independent,
        and cases of one cluster may depend on each other, whichever their classes
        (Obuchowski 1997).
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``, over the pairs compared; with a
        control, one that does not need all pairs.
    alpha : float, optional
        Level of the decisions, 0.05 if not given, with which no interval disagrees: the
        intervals have the level of the adjustment's last step, 1 - alpha/(m - r) of m
        pairs with r rejected by Holm. They are not cut at -1 and 1.
    level : float, optional
        Confidence level of each interval separately, in place of ``alpha``: such an
        interval may exclude 0 if the adjusted p-value is not significant.

    Returns
    -------
    DeLongResult
        Raw p-values are two-sided normal tails of difference / standard error.

    Raises
    ------
    DesignError
        If a class has fewer than two cases, or is in fewer than two clusters: a
        variance needs two.
    InputError
        For NaN, a positive class that is not there, more than two classes, an unknown
        adjustment, both of alpha and level.

    Notes
    -----
    Equations 8.1, 8.4 of docs/equations.md.

    The omnibus statistic is the quadratic form of the differences of AUCs in the
    inverse of their covariance, chi-squared on its rank: classifiers that agree on the
    order of all pairs of cases add none. A pair that cannot be tested (the same order;
    both AUCs 1) has NaN, and is treated as p = 1 in the adjustment. pROC gives such a
    pair z = 0 and p = 1, and has no test of more than two.

    A difference without estimated variance that is not 0, as of a perfect score and a
    constant one, has the p-value of 10,000 exchanges of ranks (``auc_exchange``; 999
    of more than 1,000 cases, none of more than 20,000); with clusters all cases of one
    are exchanged together. Three or more curves then have no chi-squared statistic, and
    the ranks of each case are permuted for the test of all.

    With fewer than 50 cases of a class the test may reject too often and intervals be
    too narrow: the largest error found at 0.05 is 0.41 with 2 cases, 0.34 with 5, 0.22
    with 10, 0.10 with 20, 0.08 with 30 (``validation/DELONG_LEVEL.md``; curves of
    unequal spread have the largest). With AUCs near 1 intervals are too narrow, while
    the test rejects too seldom. Notes of the result state this, and how far off they
    were in ``validation/CALIBRATION.md``. The same holds with cases of a class in fewer
    than 50 clusters (``validation/CASES.md``).

    Each pair: ``pROC::roc.test(roc1, roc2, method = "delong", paired = TRUE)``. pROC
    has no clusters: ``r_code()`` has an own derivation for them.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M., Clarke-Pearson, D. L. (1988). Biometrics 44,
       837-845.
    .. [2] Sun, X., Xu, W. (2014). IEEE Signal Processing Letters 21, 1389-1393.
    .. [3] Obuchowski, N. A. (1997). Nonparametric analysis of clustered ROC curve data.
       Biometrics 53, 567-578.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> test = pc.delong(ill, tests, positive=True)
    >>> test.table[["estimate", "std_error", "p_value"]].round(3)
       estimate  std_error  p_value
    0     0.064      0.043    0.137
    """
    alpha, level = alpha_or_level(alpha, level)
    chosen = family_adjustment(adjust, AUCS, control)
    same_rows(label=label, cluster=cluster)
    cases = many_scores(label, scores, positive)
    require_two_of_each(cases)
    cases = cases.in_clusters(cluster)
    area_differences = differences(cases.truth, cases.score, cases.cluster)
    first, second = np.array(family_pairs(cases.names, control)).T
    drawn = _exchange_p(cases, area_differences, (first, second))
    tests = _pair_tests(cases, area_differences, drawn, (first, second))
    p = tests["p_value"]
    p_adjusted = adjust_family(p, len(cases.names), chosen)
    each = "for each pair separately"
    if alpha is not None:
        level = 1 - last_step(p, rejected(p_adjusted, alpha), alpha)
        each = EACH
    low, high = _limits(tests, p_adjusted, level, alpha)
    index = pd.Index(cases.names)
    return DeLongResult(
        table=tests.but(p_adjusted=p_adjusted, conf_low=low, conf_high=high),
        positions=pd.Series(1 - area_differences.area, index),
        method="DeLong's test of correlated AUCs"
        + " on clusters" * (cluster is not None),
        **Placement("AUCs").difference(),
        statistic_name="z",
        hypotheses=AUCS,
        adjust=chosen.name,
        family=family_text(len(cases.names), control, " on AUC", "classifiers"),
        interval=f"{percent(level)} {each if len(p) > 1 else 'for the pair'} (DeLong, "
        "normal)",
        level=level,
        control=control,
        reference=_reference(cases),
        notes=_notes(cases, area_differences, tests),
        omnibus=_omnibus(cases, area_differences, drawn),
        area=pd.Series(area_differences.area, index),
        covariance=pd.DataFrame(area_differences.covariance, index, index),
        positive=cases.positive,
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        n_clusters=cases.n_clusters,
        alpha=alpha,
        cases=cases,
        exchange_p=drawn,
    )


def _reference(cases: Cases) -> str:
    return REFERENCE if cases.cluster is None else f"{CLUSTERS}; {REFERENCE}"


def place_of(cases: Cases, control: str | None) -> float:
    """Return the place of the control for R, from 1; 0 without one."""
    return 0.0 if control is None else 1.0 + cases.names.index(control)


def require_two_of_each(cases: Cases) -> None:
    """Reject classes without a variance."""
    if min(cases.n_positive, cases.n_negative) < 2:
        raise DesignError(
            f"{cases.n_positive} positive and {cases.n_negative} negative cases: the "
            f"variance of an AUC needs two of each"
        )


def _exchanges_of(cases: Cases) -> int:
    """Return how many exchanges so many cases have; 0 for too many."""
    n = len(cases.truth)
    return next((some for most, some in _EXCHANGES.items() if n <= most), 0)


def _exchange_p(
    cases: Cases, area_differences: AreaDifferences, pairs: tuple[Ints, Ints]
) -> Floats:
    """Return p-values of pairs whose difference has no variance; NaN of the others."""
    first, second = pairs
    resamples = _exchanges_of(cases)
    p = np.full(len(first), np.nan)
    certain = (area_differences.variance == 0) & (area_differences.estimate != 0)
    for at in np.flatnonzero(certain[first, second]) if resamples else ():
        pair = cases.score[[first[at], second[at]]]
        p[at] = exchanges.drawn_p(
            stats.rankdata(pair, axis=1),
            exchanges.wins(cases.truth),
            np.random.default_rng(0),
            resamples,
            cluster=cases.cluster,
        )
    return p


def _pair_tests(
    cases: Cases,
    area_differences: AreaDifferences,
    drawn: Floats,
    pairs: tuple[Ints, Ints],
) -> Columns:
    """Return differences, standard errors, z and raw p-values."""
    first, second = pairs
    names = np.array(cases.names, dtype=object)
    estimate = area_differences.estimate[first, second]
    error = np.sqrt(area_differences.variance[first, second])
    z = divided(estimate, error)
    return Columns(
        {
            "algorithm_1": names[first],
            "algorithm_2": names[second],
            "estimate": estimate,
            "std_error": error,
            "statistic": z,
            "df": np.full(len(z), np.inf),
            "p_value": np.where(np.isnan(drawn), two_sided(z), drawn),
        }
    )


def _limits(
    tests: Columns, p_adjusted: Floats, level: float, alpha: float | None
) -> tuple[Floats, Floats]:
    """Return normal limits; with ``alpha`` none disagrees with its decision."""
    estimate, error = tests["estimate"], tests["std_error"]
    half = -special.ndtri((1 - level) / 2) * error
    half = np.where(error > 0, half, np.nan)
    low, high = estimate - half, estimate + half
    if alpha is None:
        return low, high
    decided = rejected(p_adjusted, alpha)
    return agreeing_limits(low, high, estimate, decided)


def divided(estimate: Floats, error: Floats) -> Floats:
    """Return z, NaN if there is no variance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, estimate / error, np.nan)


def two_sided(z: Floats) -> Floats:
    """Return two-sided normal p-values."""
    p_values: Floats = np.minimum(1.0, 2 * special.ndtr(-np.abs(z)))
    return p_values


def _omnibus(cases: Cases, test: AreaDifferences, drawn: Floats) -> Test:
    """Return the test that all AUCs are equal."""
    if test.unexplained:
        return _omnibus_by_exchanges(cases, drawn)
    testable = test.rank > 0
    nothing = ("no difference of AUCs has a variance, so nothing can be tested",)
    p = float(special.chdtrc(test.rank, test.statistic)) if testable else np.nan
    return Test(
        name="DeLong's test that all AUCs are equal",
        statistic_name="chi2",
        statistic=test.statistic if testable else np.nan,
        df=float(test.rank),
        p_value=p,
        p_source="chi2" if testable else "none",
        reference=_reference(cases),
        notes=tuple(_few_curves(cases)) if testable else nothing,
    )


def _omnibus_by_exchanges(cases: Cases, drawn: Floats) -> Test:
    """Return the test of all curves if a difference has no variance but is not 0."""
    resamples, ranks = _exchanges_of(cases), stats.rankdata(cases.score, axis=1)
    why = (
        "a difference of AUCs has an estimated variance of 0 without being 0: no "
        "chi-squared statistic exists"
    )
    p, statistic = np.nan, exchanges.spread(cases.truth, ranks)
    if resamples:
        why += f"; {resamples:,} permutations of the ranks within cases, seed 0"
        rng = np.random.default_rng(0)
        p = exchanges.all_equal_p(
            cases.truth, ranks, rng, resamples, cluster=cases.cluster
        )
    if len(cases.names) == 2:
        p = float(drawn[0])
    return Test(
        name="Permutation of ranks, all AUCs are equal",
        statistic_name="sum of squares of AUCs about their mean",
        statistic=statistic,
        df=None,
        p_value=p,
        p_source="permutation" if resamples else "none",
        reference=_BANDOS,
        notes=(why,),
    )


def _notes(
    cases: Cases, area_differences: AreaDifferences, tests: Columns
) -> tuple[str, ...]:
    """Return which pairs could not be tested, and which areas have no variance."""
    labels = tests["algorithm_1"] + " and " + tests["algorithm_2"]
    untested, none = tests["std_error"] == 0, tests["estimate"] == 0
    same = ", ".join(labels[untested & none])
    certain = ", ".join(labels[untested & ~none])
    ends = [
        name
        for name, area in zip(cases.names, area_differences.area, strict=True)
        if area in (0.0, 1.0)
    ]
    noted = (
        (_SAME_ORDER, same),
        (_CERTAIN + _how_certain(cases), certain),
        (_NO_VARIANCE, ", ".join(ends)),
    )
    notes = [text + what for text, what in noted if what]
    notes += [*_few_cases(cases), *_near_one(cases, area_differences.area)]
    return (*notes, *below_chance(area_differences.area))


def _how_certain(cases: Cases) -> str:
    """Return how differences without variance are tested."""
    if not (resamples := _exchanges_of(cases)):
        return _TOO_MANY.format(n=len(cases.truth))
    in_clusters = ", all of a cluster together" * (cases.cluster is not None)
    return _BY_EXCHANGES.format(resamples=resamples, in_clusters=in_clusters)


def _few_cases(cases: Cases) -> list[str]:
    """Return how far off tests and intervals are with few cases of a class."""
    n, which = smaller_class(cases)
    if cases.cluster is not None:
        return few_cases(cases, "delong")
    if n < _STUDIED[-1]:
        return [*few_cases(cases, "delong"), largest_error(n)]
    size = next(size for size in _STUDIED if size <= n)
    place, known = f"the {which} class", f"delong, {size} cases of a class"
    largest = largest_error(n)
    return [*few_note(place, n, "case", FEW, known), *([largest] if largest else [])]


def _few_curves(cases: Cases) -> list[str]:
    """Return how far off the test of several curves is with few cases of a class."""
    n, which = smaller_class(cases)
    if len(cases.names) < _SEVERAL or cases.cluster is not None:
        return []
    known = "delong, omnibus, few cases"
    return few_note(f"the {which} class", n, "case", FEW, known)


def _near_one(cases: Cases, area: Floats) -> list[str]:
    """Return how far off intervals are if an AUC is near its limit."""
    n, which = smaller_class(cases)
    left = np.minimum(area, 1 - area)
    near = (left > 0) & (n * left < _FEWEST_BESIDE_ONE)
    if not near.any():
        return []
    names = ", ".join(np.array(cases.names, dtype=object)[near])
    few = f"these have an AUC near 1 (or 0) for {n} {which} cases: {names}"
    return [few, MEASURED["delong, AUC near 1"].text]
