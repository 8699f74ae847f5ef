"""Notes on few cases of a class: how far off intervals and tests of areas then are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.typing import Ints
from pycompare.data.measures.cases import Cases

FEW = 50
"""Cases of a class from which on no note is needed."""
LEAST_DRAWN = 5
"""Cases of a class that a bootstrap within classes needs."""
FEW_CLUSTERS = (20, 11)
"""Clusters of a simulation, and the percentage of data sets with a wrong rejection."""


class FewCasesStudy(NamedTuple):
    """What the study of few cases found with so many cases of the smaller class.

    Shares of 95% intervals that contain the true value, the least and the most of all
    designs, and the largest share of true hypotheses that are rejected at 0.05.
    """

    least: float
    most: float
    rejected: float | None = None


STUDIED: dict[str, dict[int, FewCasesStudy]] = {
    "auc_interval, effective-size": {
        1: FewCasesStudy(1.0, 1.0),
        2: FewCasesStudy(1.0, 1.0),
        5: FewCasesStudy(1.0, 1.0),
        10: FewCasesStudy(0.99, 1.0),
        20: FewCasesStudy(0.98, 0.99),
        30: FewCasesStudy(0.97, 0.98),
    },
    "auc_interval, delong": {
        2: FewCasesStudy(0.62, 0.64),
        5: FewCasesStudy(0.75, 0.84),
        10: FewCasesStudy(0.84, 0.9),
        20: FewCasesStudy(0.88, 0.93),
        30: FewCasesStudy(0.91, 0.94),
    },
    "auc_interval, delong-logit": {
        2: FewCasesStudy(0.73, 0.78),
        5: FewCasesStudy(0.86, 0.89),
        10: FewCasesStudy(0.9, 0.98),
        20: FewCasesStudy(0.94, 0.96),
        30: FewCasesStudy(0.94, 0.95),
    },
    "auc_interval, hanley-mcneil": {
        1: FewCasesStudy(0.86, 0.97),
        2: FewCasesStudy(0.87, 0.94),
        5: FewCasesStudy(0.95, 0.95),
        10: FewCasesStudy(0.9, 0.96),
        20: FewCasesStudy(0.9, 0.97),
        30: FewCasesStudy(0.96, 0.97),
    },
    "auc_interval, bootstrap": {
        5: FewCasesStudy(0.77, 0.84),
        10: FewCasesStudy(0.86, 0.93),
        20: FewCasesStudy(0.9, 0.94),
        30: FewCasesStudy(0.92, 0.94),
    },
    "cv_auc": {
        2: FewCasesStudy(0.3, 0.35),
        5: FewCasesStudy(0.46, 0.49),
        10: FewCasesStudy(0.8, 0.96),
        20: FewCasesStudy(0.86, 0.92),
        30: FewCasesStudy(0.89, 0.93),
    },
    "partial_auc_interval": {
        5: FewCasesStudy(0.85, 0.92),
        10: FewCasesStudy(0.89, 0.93),
        20: FewCasesStudy(0.89, 0.95),
        30: FewCasesStudy(0.95, 0.95),
    },
    "delong": {
        2: FewCasesStudy(0.86, 0.91, 0.14),
        5: FewCasesStudy(0.92, 0.95, 0.08),
        10: FewCasesStudy(0.94, 0.99, 0.06),
        20: FewCasesStudy(0.95, 0.97, 0.05),
        30: FewCasesStudy(0.94, 0.94, 0.06),
    },
    "hanley_mcneil": {
        1: FewCasesStudy(0.95, 0.98, 0.04),
        2: FewCasesStudy(0.97, 0.99, 0.03),
        5: FewCasesStudy(0.98, 1.0, 0.02),
        10: FewCasesStudy(0.96, 1.0, 0.04),
        20: FewCasesStudy(0.96, 0.99, 0.04),
        30: FewCasesStudy(0.97, 0.98, 0.03),
    },
    "delong_unpaired": {
        2: FewCasesStudy(0.85, 0.9, 0.15),
        5: FewCasesStudy(0.94, 0.96, 0.06),
        10: FewCasesStudy(0.94, 0.99, 0.06),
        20: FewCasesStudy(0.94, 0.96, 0.06),
        30: FewCasesStudy(0.96, 0.96, 0.04),
    },
    "partial_auc_pairs": {
        5: FewCasesStudy(0.89, 0.89, 0.09),
        10: FewCasesStudy(0.89, 0.98, 0.09),
        20: FewCasesStudy(0.94, 0.96, 0.07),
        30: FewCasesStudy(0.96, 0.96, 0.06),
    },
    "auc_pr_pairs": {
        5: FewCasesStudy(0.88, 0.9, 0.09),
        10: FewCasesStudy(0.9, 0.96, 0.09),
        20: FewCasesStudy(0.93, 0.95, 0.08),
        30: FewCasesStudy(0.93, 0.95, 0.07),
    },
}
"""By method and cases of the smaller class: ``validation/FEW_CASES.md``. A test holds
these numbers against the study."""
LARGEST_ERRORS = {2: 0.412, 5: 0.34, 10: 0.222, 20: 0.102, 30: 0.08}
"""By cases of the smaller class: the largest share of true hypotheses that DeLong's
test rejected at 0.05, of all designs of ``validation/DELONG_LEVEL.md``; a test holds
these numbers against the study."""
LARGEST_MARGIN_ERRORS: dict[int, tuple[float, float]] = {
    2: (0.28, 0.28),
    5: (0.215, 0.31),
    10: (0.133, 0.299),
    20: (0.088, 0.227),
    30: (0.063, 0.195),
    50: (0.054, 0.134),
    100: (0.048, 0.083),
    200: (0.035, 0.065),
}
"""The same of DeLong's test against a margin, at a nominal 0.025, with AUCs up to 0.95
and with those up to 0.99 (``validation/AUC_MARGINS.md``); a test holds these numbers
against the study."""
LARGEST_MARGIN_ERRORS_OF_CLUSTERS: dict[int, tuple[float, float]] = {
    20: (0.066, 0.105),
    50: (0.041, 0.067),
    100: (0.035, 0.053),
}
"""The same by clusters of the class that is in fewer."""
OTHERS = {1: "100", 2: "100", 5: "100", 10: "10 or 100", 20: "20 or 100", 30: "100"}
"""Cases of the other class in the study."""


def smaller_class(cases: Cases) -> tuple[int, str]:
    """Return the cases of the smaller class, and which one it is."""
    return min((cases.n_positive, "positive"), (cases.n_negative, "negative"))


def few_cases(cases: Cases, method: str) -> list[str]:
    """Return the message that a class has few cases, and how far off a method then is.

    ``method`` is a key of ``STUDIED``.
    """
    if cases.cluster is not None:
        return _few_clusters(cases)
    n, which = smaller_class(cases)
    if n >= FEW:
        return []
    few = f"the {which} class has {counted(n, 'case')}, fewer than {FEW}"
    by_size = STUDIED.get(method, {})
    sizes = [size for size in by_size if size <= n]
    if not sizes:
        return [f"{few}; this method was not studied with so few"]
    size = max(sizes)
    study = by_size[size]
    limits = dict.fromkeys(map(percent, (study.least, study.most)))
    told = f"{' to '.join(limits)} of 95% intervals contain the true value"
    if study.rejected is not None:
        told += (
            f", and up to {percent(study.rejected)} of true hypotheses are rejected "
        )
        told += "at 0.05"
    return [
        f"{few}: in simulations with {size} + {OTHERS[size]} cases and AUCs of 0.8 and "
        f"0.9, {told} (validation/FEW_CASES.md)"
    ]


def largest_error(n: int) -> str:
    """Return how often DeLong's test of two equal AUCs was wrong with so few cases."""
    if n >= FEW:
        return ""
    size = max(size for size in LARGEST_ERRORS if size <= n)
    return (
        f"with {n} cases of a class DeLong's test is approximate: in simulations with "
        f"{size} it rejects up to {percent(LARGEST_ERRORS[size])} of true hypotheses "
        "at a nominal 0.05 (validation/DELONG_LEVEL.md)"
    )


def largest_margin_error(cases: Cases) -> str:
    """Report how often DeLong's test against a margin was wrong with so many cases."""
    n, noun, errors = smaller_class(cases)[0], "cases", LARGEST_MARGIN_ERRORS
    if cases.cluster is not None:
        n, noun = _fewest_clusters(cases, cases.cluster)[0], "clusters"
        errors = LARGEST_MARGIN_ERRORS_OF_CLUSTERS
    sizes = [size for size in errors if size <= n]
    if not sizes:
        return (
            f"DeLong's test against a margin was not studied with {n} {noun} of a "
            "class, and is less certain than its level suggests"
        )
    usual, near_one = errors[max(sizes)]
    return (
        f"DeLong's test against a margin is approximate: with {max(sizes)} {noun} of a "
        f"class it claimed wrongly up to {usual:.2g} of the time with AUCs up to 0.95, "
        f"and up to {near_one:.2g} with AUCs up to 0.99, at a nominal 0.025 "
        "(validation/AUC_MARGINS.md)"
    )


def _few_clusters(cases: Cases) -> list[str]:
    """Return the message that few clusters are few, however many cases they have."""
    if cases.cluster is None:
        return []
    n, which = _fewest_clusters(cases, cases.cluster)
    if n >= FEW:
        return []
    return [
        f"{n} clusters have {which} cases: with few clusters the test rejects too "
        f"often, and intervals are too narrow. With {FEW_CLUSTERS[0]} clusters, up to "
        f"{FEW_CLUSTERS[1]}% of simulated studies of four equal AUCs had a significant "
        "pair at 0.05 (validation/CASES.md)"
    ]


def _fewest_clusters(cases: Cases, cluster: Ints) -> tuple[int, str]:
    """Return the clusters of the class that is in fewer, and which one it is."""
    sides = ((cases.truth, "positive"), (~cases.truth, "negative"))
    return min((len(np.unique(cluster[of])), name) for of, name in sides)


def require_enough_to_draw(cases: Cases) -> None:
    """Reject to draw a few cases of a class again and again."""
    n, which = smaller_class(cases)
    if n < LEAST_DRAWN:
        raise DesignError(
            f"the {which} class has {counted(n, 'case')}, and a bootstrap that draws "
            f"cases within each class needs {LEAST_DRAWN}: resamples of fewer hardly "
            "vary, and with 2 cases 59 to 86% of 95% intervals held the truth; add "
            "cases, or use auc_interval(method='effective-size') or "
            "average_precision_interval, which draw none"
        )
