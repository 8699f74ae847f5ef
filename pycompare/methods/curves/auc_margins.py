"""AUCs on the same cases against a margin: DeLong's z beyond it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_alpha, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.families import family_text
from pycompare.base.hypotheses import MARGIN
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.data.measures.cases import Cases, many_scores
from pycompare.kernels import student
from pycompare.kernels.area_differences import differences
from pycompare.methods.curves.delong import (
    CLUSTERS,
    REFERENCE,
    divided,
    place_of,
    require_two_of_each,
)
from pycompare.methods.curves.few_cases import largest_margin_error
from pycompare.methods.pairs.agreeing_margins import TMargins, decided_side
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.equivalence import MarginKind, default_alpha, margins_of
from pycompare.methods.pairs.margin_pairs import require_order
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import internal, rejected

_SCHUIRMANN = "Schuirmann (1987) J. Pharmacokin. Biopharm. 15, 657-680"
_NO_VARIANCE = (
    "the difference has an estimated variance of 0, so no test against a margin exists"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class AucMarginsResult(TMargins):
    """DeLong's tests against a margin; see ``MarginPairsResult``.

    ``estimate`` is the AUC of algorithm_1 minus that of algorithm_2. ``statistic`` is z
    of the one-sided test with the larger p-value; ``df`` is infinite. The table has
    ``p_lower`` and ``p_upper`` besides: the p-values that the difference is above
    ``margin_low``, below ``margin_high``.

    Attributes
    ----------
    level : float
        Confidence level of each interval by itself: 1 - 2 a for equivalence, one-sided
        1 - a for non-inferiority, with a the raw p-value up to which pairs are shown.
    positive : str
        The label of the positive class.
    n_positive, n_negative : int
    n_clusters : int or None
        With clusters of dependent cases.
    notes : tuple of str
    """

    positive: str
    n_positive: int
    n_negative: int
    n_clusters: int | None
    cases: Cases = internal()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All classifiers, in the order of the data."""
        return self.cases.names

    @property
    def clustered(self) -> bool:
        """Whether cases are in clusters."""
        return self.n_clusters is not None

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "margins/delong" + "-clusters" * self.clustered

    @property
    def tests(self) -> str:
        """The name of the tests."""
        return "DeLong z"

    @property
    def caution(self) -> str:
        """What a claim must carry besides its level; empty if nothing."""
        return largest_margin_error(self.cases)

    def r_call(self) -> RCall:
        """Return the call of ``pROC::roc.test``, whose z is moved by the margins.

        Of clusters that of an own derivation in base R, which pROC does not have.
        """
        files = ("wilcoxon", "signed_rank_pairs", "matched_shares", "adjust", "roc")
        return RCall(
            (*files, "delong", "delong_clusters", "auc_margins"),
            "auc_margins_reference",
            {
                **self.cases.r_arguments(),
                **self.r_arguments(),
                "control": place_of(self.cases, self.control),
            },
        )


@checked
def auc_margins(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    margin: float | tuple[float, float],
    kind: MarginKind = "equivalence",
    control: str | None = None,
    cluster: ArrayLike | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
) -> AucMarginsResult:
    """Test AUCs of classifiers on the same cases against a margin by DeLong's test.

    Parameters
    ----------
    label, scores, positive, cluster
        As in ``delong``.
    margin : float or (low, high)
        Difference in AUC, below 1, chosen before the data are seen. One number m means
        -m to m. Two numbers are for algorithm_1 minus algorithm_2, which only a control
        gives an order.
    kind : {"equivalence", "non-inferiority"}
        ``equivalence``: the AUC of algorithm_1 minus that of algorithm_2 lies between
        both margins. ``non-inferiority``: the AUC of each other classifier is not below
        that of the control by the margin or more; needs ``control``.
    control : str, optional
        Compare each other classifier with this one only; it is algorithm_2.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` that needs no transitive hypotheses.
    alpha : float, optional
        Of the whole family of one-sided tests; default 0.05 for equivalence, 0.025 for
        non-inferiority.

    Returns
    -------
    AucMarginsResult
        A pair is shown to be within the margin where ``p_adjusted <= alpha``. A pair
        whose difference has no estimated variance cannot be tested: its p-values are
        NaN, and the adjustment counts it with p = 1.

    Raises
    ------
    DesignError
        If a class has fewer than two cases, or is in fewer than two clusters.
    InputError
        For margins that do not lie on both sides of 0 or reach 1, an unknown name, an
        adjustment for transitive hypotheses, or non-inferiority without a control.

    Notes
    -----
    Equation 2.8 of docs/equations.md.

    The quantity, its standard error and the normal reference are those of ``delong``.
    With few cases of a class, or AUCs near 1, the test claims too often: ``caution``
    has the largest error found with so many cases (``validation/AUC_MARGINS.md``),
    which a page prints beside a claim. Intervals are at the level of the adjustment's
    last step, so that one lies within the margins just if its pair is shown.

    R: estimate and error of ``pROC::roc.test(method = "delong")``, ``pnorm``.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M., Clarke-Pearson, D. L. (1988). Biometrics 44,
       837-845.
    .. [2] Schuirmann, D. J. (1987). J. Pharmacokinetics and Biopharmaceutics 15,
       657-680.
    .. [3] Liu, J.-P., Ma, M.-C., Wu, C., Tai, J.-Y. (2006). Tests of equivalence and
       non-inferiority for diagnostic accuracy based on the paired areas under ROC
       curves. Statistics in Medicine 25, 1219-1238.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 100)
    >>> old = rng.normal(1.5 * ill)
    >>> tests = {"new": old + 0.3 * rng.normal(size=200), "old": old}
    >>> found = pc.auc_margins(
    ...     ill, tests, positive=True, margin=0.05, kind="non-inferiority",
    ...     control="old",
    ... )
    >>> found.table[["estimate", "conf_low", "p_value", "shown"]].round(3)
       estimate  conf_low  p_value  shown
    0    -0.014    -0.029      0.0   True
    """
    alpha = default_alpha(kind) if alpha is None else alpha
    check_alpha(alpha)
    chosen = family_adjustment(adjust, MARGIN, control)
    same_rows(label=label, cluster=cluster)
    cases = many_scores(label, scores, positive)
    require_two_of_each(cases)
    tests = auc_margin_tests(
        cases.in_clusters(cluster),
        margin=margin,
        kind=kind,
        control=control,
        alpha=alpha,
    )
    result: AucMarginsResult = tests.adjusted(chosen.name)
    return result


def auc_margin_tests(
    cases: Cases,
    *,
    margin: float | tuple[float, float],
    kind: MarginKind,
    control: str | None,
    alpha: float,
) -> AucMarginsResult:
    """Return the tests of `auc_margins` without adjustment and intervals."""
    low, high = margins_of(margin, kind, "higher")
    require_order(margin, kind, control)
    if max(abs(end) for end in (low, high) if np.isfinite(end)) >= 1:
        raise InputError(
            setting("margin", margin) + ": AUCs differ by 1 at most; give less"
        )
    first, second = np.array(family_pairs(cases.names, control)).T
    between = differences(cases.truth, cases.score, cases.cluster)
    estimate = between.estimate[first, second]
    error = np.sqrt(between.variance[first, second])
    names = np.array(cases.names, dtype=object)
    nothing = np.full(len(first), np.nan)
    columns = decided_side(
        _side(estimate, error, low, 1.0), _side(estimate, error, high, -1.0)
    )
    p, untested = columns["p_value"], error == 0
    table = {
        "algorithm_1": names[first],
        "algorithm_2": names[second],
        "estimate": estimate,
        "std_error": error,
        "statistic": columns["statistic"],
        "df": np.full(len(first), np.inf),
        "p_lower": columns["p_lower"],
        "p_upper": columns["p_upper"],
        "p_value": p,
        "p_adjusted": p,
        "conf_low": nothing,
        "conf_high": nothing,
        "shown": rejected(p, alpha),
        "notes": np.where(untested, _NO_VARIANCE, "").astype(object),
    }
    in_clusters = f"{CLUSTERS}; " * (cases.cluster is not None)
    return AucMarginsResult(
        table=pd.DataFrame(table),
        kind=kind,
        metric="AUC",
        better="higher",
        margin_low=low,
        margin_high=high,
        alpha=alpha,
        hypotheses=MARGIN,
        adjust="none",
        family=family_text(len(cases.names), control, " on AUC", "classifiers"),
        interval="",
        control=control,
        reference=f"{_SCHUIRMANN}; {in_clusters}{REFERENCE}",
        level=np.nan,
        notes=(),
        positive=cases.positive,
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        n_clusters=cases.n_clusters,
        cases=cases,
    )


def _side(
    estimate: Floats, error: Floats, end: float, side: float
) -> tuple[Floats, Floats]:
    """Return z and p that the difference is above (1) or below (-1) an end."""
    if np.isinf(end):
        nothing = np.full(len(estimate), np.nan)
        return nothing, nothing
    z = divided(estimate - end, error)
    return z, student.sf(side * z, np.inf)
