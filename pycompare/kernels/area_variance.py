"""Standard errors of an AUC that need only the AUC and the numbers of cases."""

from __future__ import annotations

import math


def hanley_mcneil(area: float, n_positive: int, n_negative: int) -> float:
    """Return the standard error of an AUC for exponential scores.

    Q1 = A / (2 - A), Q2 = 2 A^2 / (1 + A), and the variance is
    (A (1 - A) + (n1 - 1)(Q1 - A^2) + (n0 - 1)(Q2 - A^2)) / (n1 n0)
    (Hanley and McNeil 1982, Radiology 143, 29-36). It is 0 at A = 0 and A = 1.
    """
    # Q1 - A^2 and Q2 - A^2 with their common factor A (1 - A) taken out.
    # Hanley & McNeil (1982), eq. 1 and 2:
    one = (1 - area) / (2 - area)
    two = area / (1 + area)
    inner = 1 + (n_positive - 1) * one + (n_negative - 1) * two
    return math.sqrt(area * (1 - area) * inner / n_positive / n_negative)


def agarwal(n_positive: int, n_negative: int, level: float) -> float:
    """Return the half width of the distribution-free interval of an AUC.

    sqrt(ln(2 / delta) / (2 rho (1 - rho) N)) with delta = 1 - level and rho the share
    of positives (Agarwal et al. 2005, JMLR 6, 393-425).
    """
    pairs_per_case = n_positive * n_negative / (n_positive + n_negative)
    # Agarwal et al. (2005): rho (1 - rho) N is n1 n0 / N.
    return math.sqrt(math.log(2 / (1 - level)) / (2 * pairs_per_case))
