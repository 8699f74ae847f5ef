"""DeLong's test: AUCs of any number of classifiers on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from pycompare.arguments import check_level, same_rows
from pycompare.errors import DesignError
from pycompare.formatting.families import family_text
from pycompare.formatting.numbers import percent
from pycompare.hypotheses import AUCS
from pycompare.interop.r_call import RCall
from pycompare.kernels.area_differences import Differences, differences
from pycompare.measures.cases import Cases, many_scores
from pycompare.measures.chance import below_chance
from pycompare.multiplicity.adjust import (
    adjust_family,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.multiplicity.guarantees import MEASURED, few_note
from pycompare.results import PairsResult, Test, internal
from pycompare.typing import Floats

REFERENCE = (
    "DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44, 837-845; Sun & Xu (2014) "
    "IEEE Signal Process. Lett. 21, 1389-1393"
)
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
    "the difference has an estimated variance of 0 without being 0, so it cannot be "
    "tested: "
)
_STUDIED = (30, 20, 10, 5)
"""Cases of a class whose errors are measured; with 50 they are as they should be."""
FEW_CLUSTERS = (20, 11)
"""Clusters of a simulation, and the percentage of data sets with a wrong rejection."""
_FEW = 50
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
    """

    omnibus: Test
    area: pd.Series
    covariance: pd.DataFrame
    positive: str
    n_positive: int
    n_negative: int
    n_clusters: int | None = None
    cases: Cases = internal()

    @property
    def n_blocks(self) -> int:
        """Cases."""
        return self.n_positive + self.n_negative

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "auc/delong" if self.n_clusters is None else "auc/delong-clusters"

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
            "level": self.level,
        }
        if self.clustered:
            files = ("adjust", "roc", "delong", "delong_clusters")
            return RCall(files, "delong_clusters_reference", arguments)
        return RCall(("adjust", "roc", "delong"), "delong_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return areas, covariances, the pairs, and the test of all together."""
        values = {
            name: self.table[name].to_numpy(float)
            for name in self.table.columns[2:]
            if name != "df"
        }
        return values | {
            "area": self.area.to_numpy(),
            "covariance": self.covariance.to_numpy().ravel(),
            "omnibus_statistic": self.omnibus.statistic,
            "omnibus_df": self.omnibus.df,
            "omnibus_p_value": self.omnibus.p_value,
        }


def delong(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    cluster: ArrayLike | None = None,
    adjust: str = "holm",
    level: float = 0.95,
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
    cluster : array_like, shape (n_cases,), optional
        The cluster of each case, such as its patient. Clusters are then independent,
        and cases of one cluster may depend on each other, whichever their classes
        (Obuchowski 1997).
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``, over all pairs.
    level : float
        Confidence level of the intervals of differences, each by itself; they are not
        cut at -1 and 1.

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
        adjustment.

    Notes
    -----
    Equations 8.1, 8.4 of docs/equations.md.

    The omnibus statistic is the quadratic form of the differences of AUCs in the
    inverse of their covariance, chi-squared on its rank: classifiers that agree on the
    order of all pairs of cases add none. A pair that cannot be tested (the same order;
    both AUCs 1) has NaN, and counts as p = 1 in the adjustment. pROC gives such a pair
    z = 0 and p = 1, and has no test of more than two.

    With fewer than 50 cases of a class the test may reject too often and intervals be
    too narrow; with AUCs near 1 intervals are too narrow, while the test rejects too
    seldom. Notes of the result then say how far off they were in
    ``validation/CALIBRATION.md``. The same holds with cases of a class in fewer than 50
    clusters (``validation/CASES.md``).

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
    check_level(level)
    chosen = family_adjustment(adjust, AUCS)
    same_rows(label=label, cluster=cluster)
    cases = many_scores(label, scores, positive)
    require_two_of_each(cases)
    cases = cases.in_clusters(cluster)
    found = differences(cases.truth, cases.score, cases.cluster)
    table = _pair_table(cases, found, level)
    p = table["p_value"].to_numpy()
    table.insert(7, "p_adjusted", adjust_family(p, len(cases.names), chosen))
    index = pd.Index(cases.names)
    return DeLongResult(
        table=table,
        positions=pd.Series(1 - found.area, index),
        method="DeLong's test of correlated AUCs"
        + " on clusters" * (cluster is not None),
        estimate_name="difference of AUCs",
        statistic_name="z",
        hypotheses=AUCS,
        adjust=chosen.name,
        family=family_text(len(cases.names), on=" on AUC", nouns="classifiers"),
        interval=f"{percent(level)} for each pair by itself (DeLong, normal)",
        level=level,
        control=None,
        reference=_reference(cases),
        notes=_notes(cases, found, table),
        omnibus=_omnibus(found, _reference(cases), _few_curves(cases)),
        area=pd.Series(found.area, index),
        covariance=pd.DataFrame(found.covariance, index, index),
        positive=cases.positive,
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        n_clusters=cases.n_clusters,
        cases=cases,
    )


def _reference(cases: Cases) -> str:
    return REFERENCE if cases.cluster is None else f"{CLUSTERS}; {REFERENCE}"


def require_two_of_each(cases: Cases) -> None:
    """Refuse classes without a variance."""
    if min(cases.n_positive, cases.n_negative) < 2:
        raise DesignError(
            f"{cases.n_positive} positive and {cases.n_negative} negative cases: the "
            f"variance of an AUC needs two of each"
        )


def _pair_table(cases: Cases, found: Differences, level: float) -> pd.DataFrame:
    """Return differences, standard errors, z, raw p-values and intervals."""
    first, second = np.array(list(combinations(range(len(cases.names)), 2))).T
    names = np.array(cases.names, dtype=object)
    estimate = found.estimate[first, second]
    error = np.sqrt(found.variance[first, second])
    z = divided(estimate, error)
    half = -special.ndtri((1 - level) / 2) * error
    half = np.where(error > 0, half, np.nan)
    return pd.DataFrame(
        {
            "algorithm_1": names[first],
            "algorithm_2": names[second],
            "estimate": estimate,
            "std_error": error,
            "statistic": z,
            "df": np.full(len(z), np.inf),
            "p_value": two_sided(z),
            "conf_low": estimate - half,
            "conf_high": estimate + half,
        }
    )


def divided(estimate: Floats, error: Floats) -> Floats:
    """Return z, NaN where there is no variance."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(error > 0, estimate / error, np.nan)


def two_sided(z: Floats) -> Floats:
    """Return two-sided normal p-values."""
    found: Floats = np.minimum(1.0, 2 * special.ndtr(-np.abs(z)))
    return found


def _omnibus(test: Differences, reference: str, few: list[str]) -> Test:
    """Return the test that all AUCs are equal."""
    reason: tuple[str, ...] = ()
    if test.rank == 0:
        reason = ("no difference of AUCs has a variance, so nothing can be tested",)
    elif test.unexplained:
        reason = (
            "a difference of AUCs has an estimated variance of 0 without being 0: no "
            "chi-squared statistic exists",
        )
    testable = not reason
    p = float(special.chdtrc(test.rank, test.statistic)) if testable else np.nan
    return Test(
        name="DeLong's test that all AUCs are equal",
        statistic_name="chi2",
        statistic=test.statistic if testable else np.nan,
        df=float(test.rank),
        p_value=p,
        p_source="chi2" if testable else "none",
        reference=reference,
        notes=reason or tuple(few),
    )


def _notes(cases: Cases, found: Differences, table: pd.DataFrame) -> tuple[str, ...]:
    """Say which pairs could not be tested, and which areas have no variance."""
    untested = table[table["std_error"] == 0]
    labels = untested["algorithm_1"] + " and " + untested["algorithm_2"]
    same = ", ".join(labels[untested["estimate"] == 0])
    certain = ", ".join(labels[untested["estimate"] != 0])
    ends = [
        name
        for name, area in zip(cases.names, found.area, strict=True)
        if area in (0.0, 1.0)
    ]
    made = ((_SAME_ORDER, same), (_CERTAIN, certain), (_NO_VARIANCE, ", ".join(ends)))
    notes = [text + what for text, what in made if what]
    notes += [*_few_cases(cases), *_near_one(cases, found.area)]
    return (*notes, *below_chance(found.area))


def _smaller(cases: Cases) -> tuple[int, str]:
    """Return the cases of the smaller class, and which one it is."""
    return min((cases.n_positive, "positive"), (cases.n_negative, "negative"))


def _few_clusters(cases: Cases) -> list[str]:
    """Say that few clusters are few, however many cases they have."""
    if cases.cluster is None:
        return []
    sides = ((cases.truth, "positive"), (~cases.truth, "negative"))
    n, which = min((len(np.unique(cases.cluster[of])), name) for of, name in sides)
    if n >= _FEW:
        return []
    return [
        f"{n} clusters have {which} cases: with few clusters the test rejects too "
        f"often, and intervals are too narrow. With {FEW_CLUSTERS[0]} clusters, up to "
        f"{FEW_CLUSTERS[1]}% of simulated studies of four equal AUCs had a significant "
        "pair at 0.05 (validation/CASES.md)"
    ]


def _few_cases(cases: Cases) -> list[str]:
    """Say how far off tests and intervals are with few cases of a class."""
    if cases.cluster is not None:
        return _few_clusters(cases)
    n, which = _smaller(cases)
    size = next((size for size in _STUDIED if size <= n), _STUDIED[-1])
    place, known = f"the {which} class", f"delong, {size} cases of a class"
    return few_note(place, n, "case", _FEW, known)


def _few_curves(cases: Cases) -> list[str]:
    """Say how far off the test of several curves is with few cases of a class."""
    n, which = _smaller(cases)
    if len(cases.names) < _SEVERAL or cases.cluster is not None:
        return []
    known = "delong, omnibus, few cases"
    return few_note(f"the {which} class", n, "case", _FEW, known)


def _near_one(cases: Cases, area: Floats) -> list[str]:
    """Say how far off intervals are where an AUC is near its limit."""
    n, which = _smaller(cases)
    left = np.minimum(area, 1 - area)
    near = (left > 0) & (n * left < _FEWEST_BESIDE_ONE)
    if not near.any():
        return []
    names = ", ".join(np.array(cases.names, dtype=object)[near])
    few = f"these have an AUC near 1 (or 0) for {n} {which} cases: {names}"
    return [few, MEASURED["delong, AUC near 1"].text]
