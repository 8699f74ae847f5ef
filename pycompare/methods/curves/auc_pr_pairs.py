"""Areas under precision-recall curves of classifiers on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level, check_resampling
from pycompare.base.checked import checked
from pycompare.base.hypotheses import PR_AREAS
from pycompare.base.typing import Floats, Ints
from pycompare.data.measures.cases import many_scores
from pycompare.data.measures.precision_recall import PrMethod, area_by
from pycompare.kernels.cumulative_counts import steps_of_rows
from pycompare.methods.curves.average_precision_interval import limits
from pycompare.methods.curves.bootstrap_pairs import BootstrapPairs, compared
from pycompare.methods.curves.few_cases import few_cases
from pycompare.results.adjust import family_adjustment
from pycompare.results.guarantees import MEASURED
from pycompare.results.placement import Placement

RESAMPLING = "Boyd et al. (2013) ECML PKDD, 451-466"


@dataclass(frozen=True, kw_only=True, eq=False)
class AucPrPairsResult(BootstrapPairs):
    """Areas under precision-recall curves, and differences; see ``BootstrapPairs``.

    Attributes
    ----------
    area : DataFrame
        One row per classifier: ``estimate std_error conf_low conf_high``; of
        ``average-precision`` as in ``average_precision_interval``, else percentiles.
    area_method : str
        As in ``auc_pr``.
    """

    area_method: str

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "auc-pr/bootstrap"


@checked
def auc_pr_pairs(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    method: PrMethod = "trapezoid",
    control: str | None = None,
    adjust: str = "holm",
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 2000,
) -> AucPrPairsResult:
    """Compare areas under precision-recall curves on the same cases.

    Parameters
    ----------
    label, scores, positive, control, adjust
        As in ``delong``.
    method : {"trapezoid", "davis-goadrich", "average-precision"}
        Of the area, as in ``auc_pr``.
    level : float
        Confidence level of the percentile intervals, each separately.
    seed, resamples : int
        Cases are drawn with replacement within each class, the same for all
        classifiers; both are reported.

    Returns
    -------
    AucPrPairsResult
        ``estimate`` is the area of algorithm_1 minus that of algorithm_2, higher is
        better; ``statistic`` the difference over its standard deviation in the
        resamples, with a two-sided normal p-value. A pair without variance is NaN.
        ``notes`` name it, and state how far off p-values and intervals are with 60
        cases of each class, or with fewer than 50 of one.

    Raises
    ------
    DesignError
        If a class has fewer than five cases, which resamples hardly vary.
    InputError
        As ``delong``; for another method; fewer than two resamples.

    Notes
    -----
    The share of positive cases is kept in each resample: an area under a
    precision-recall curve depends on it, and the comparison is for this share. An area
    of resamples with repeated cases is a little larger than that of distinct ones; the
    bias is much the same for both of a pair. No package of R has this comparison;
    ``PRROC::pr.curve`` gives the areas.

    References
    ----------
    .. [1] Boyd, K., Eng, K. H., Page, C. D. (2013). Area under the precision-recall
       curve: point estimates and confidence intervals. ECML PKDD, 451-466.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> pairs = pc.auc_pr_pairs(ill, tests, positive=True, resamples=500, seed=1)
    >>> pairs.table[["estimate", "p_adjusted"]].round(3)
       estimate  p_adjusted
    0     0.116       0.027
    """
    check_level(level)
    check_resampling(seed, resamples, least=2)
    chosen = family_adjustment(adjust, PR_AREAS, control)
    area, reference = area_by(method)
    cases = many_scores(label, scores, positive)

    def measure(fp: Ints, tp: Ints) -> Floats:
        return np.asarray(area(steps_of_rows(fp, tp)))

    few = few_cases(cases, "auc_pr_pairs") or [MEASURED["auc_pr_pairs"].text]
    fields = compared(cases, measure, chosen, level, seed, resamples, control)
    if method == "average-precision":
        own = limits(cases.truth, cases.score, level)
        fields["area"] = pd.DataFrame(own, index=fields["area"].index)
    fields |= {
        "area": fields["area"].rename_axis("algorithm"),
        "notes": (*fields["notes"], *few),
    }
    return AucPrPairsResult(
        **fields,
        method="bootstrap of areas under precision-recall curves",
        **Placement(f"areas under precision-recall curves, {method}").difference(),
        hypotheses=PR_AREAS,
        reference=f"{RESAMPLING}; {reference}",
        area_method=method,
    )
