"""Adjustments that know nothing of the hypotheses but their number.

Each function takes raw p-values of one family, shape (m,), and returns adjusted
p-values in the same order, to be compared with alpha: a hypothesis is rejected when
its adjusted p-value is at most alpha. Lower is stronger evidence. Equal p-values get
equal adjusted p-values, whatever their order, so sorting need not be stable.

``1 - (1 - p)^x`` is computed as ``-expm1(x log1p(-p))``, so that p = 1e-60 keeps all
its digits (scmamp's formula has none below 1e-16).

References
----------
.. [1] Wright, S. P. (1992). Adjusted p-values for simultaneous inference.
   Biometrics 48, 1005-1013.
.. [2] García, S., Fernández, A., Luengo, J., Herrera, F. (2010). Information
   Sciences 180, 2044-2064.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats


def none(p: Floats) -> Floats:
    """Return the raw p-values. R: ``p.adjust(p, "none")``."""
    return p.copy()


def bonferroni(p: Floats) -> Floats:
    """Single step, ``m p``. R: ``p.adjust(p, "bonferroni")``."""
    return np.minimum(1.0, len(p) * p)


def sidak(p: Floats) -> Floats:
    """Single step, ``1 - (1 - p)^m`` (Šidák 1967). R: ``-expm1(m * log1p(-p))``."""
    return _power_tail(p, len(p))


def holm(p: Floats) -> Floats:
    """Step down, ``(m - i + 1) p_(i)`` (Holm 1979). R: ``p.adjust(p, "holm")``."""

    def scaled(q: Floats, i: Floats) -> Floats:
        np.subtract(len(q), i, out=i)
        i += 1
        return np.multiply(i, q, out=i)

    return _step_down(p, scaled)


def holland(p: Floats) -> Floats:
    """Step down, ``1 - (1 - p_(i))^(m - i + 1)`` (Holland & Copenhaver 1987)."""
    return _step_down(p, lambda q, i: _power_tail(q, len(q) - i + 1))


def finner(p: Floats) -> Floats:
    """Step down, ``1 - (1 - p_(i))^(m / i)`` (Finner 1993).

    Notes
    -----
    It holds the family-wise error if all hypotheses are true. With some false it does
    not: of 20 independent tests, 10 of them false, a true one is rejected at 0.05 with
    probability 1 - 0.95^5.5 = 0.25.
    """
    return _step_down(p, lambda q, i: _power_tail(q, len(q) / i))


def hochberg(p: Floats) -> Floats:
    """Step up, ``(m - i + 1) p_(i)`` (1988). R: ``p.adjust(p, "hochberg")``."""
    return step_up(p, lambda q, i: (len(q) - i + 1) * q)


def benjamini_hochberg(p: Floats) -> Floats:
    """Step up, ``m / i p_(i)``: false discovery rate. R: ``p.adjust(p, "BH")``."""

    def scaled(q: Floats, i: Floats) -> Floats:
        np.divide(len(q), i, out=i)
        return np.multiply(i, q, out=i)

    return step_up(p, scaled)


def benjamini_yekutieli(p: Floats) -> Floats:
    """Step up, ``m / i p_(i) sum(1 / j)``: any dependence. R: ``p.adjust(p, "BY")``."""
    harmonic = np.sum(1.0 / np.arange(1, len(p) + 1))
    return step_up(p, lambda q, i: harmonic * len(q) / i * q)


def hommel(p: Floats) -> Floats:
    """Adjust by Hommel's closed Simes tests (1988). R: ``p.adjust(p, "hommel")``.

    Notes
    -----
    The Simes p-value of the k largest p-values is ``s_k``; the closed test gives
    ``max_k min(k p, s_k)``. Meijer, R. J., Krebs, T. J. P., Goeman, J. J. (2019).
    Hommel's procedure in linear time. Biometrical Journal 61, 73-82. Here O(m log m).
    """
    order = np.argsort(p)
    sizes = np.arange(1.0, len(p) + 1)
    simes = np.maximum.accumulate(_simes_of_largest(p[order])[::-1])[::-1]
    # k p rises with k and s_k falls: the answer lies on one side of where they cross.
    after = np.searchsorted(-simes / sizes, -p, side="right")
    beyond = np.append(simes, 0.0)[after]
    return np.minimum(1.0, np.maximum(np.maximum(after * p, beyond), p))


def _simes_of_largest(q: Floats) -> Floats:
    """Return ``min_j k q_(m-k+j) / j`` over the k largest of the ascending q, each k.

    With fewer p-values the least ``q / j`` never moves to a smaller p-value. So the
    answers for every second k bound those between them, and each halving is O(m).
    """
    m = len(q)
    best = np.full(m, m - 1)
    step = 1 << max(m - 1, 0).bit_length()
    while step := step // 2:
        start = np.arange(step - 1, m, 2 * step)
        low = np.where(start < step, 0, best[start - step])
        high = np.where(start + step < m, best[np.minimum(start + step, m - 1)], m - 1)
        best[start] = _least_ratio(q, start, np.maximum(low, start), high)
    start = np.arange(m)
    return ((m - start) * q[best] / (best - start + 1))[::-1]


def _least_ratio(
    q: Floats, start: NDArray[np.intp], low: NDArray[np.intp], high: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the last t in [low, high] of least ``q_t / (t - start + 1)``, by start."""
    count = high - low + 1
    place = np.cumsum(count) - count
    t = np.arange(count.sum()) - np.repeat(place - low, count)
    ratio = q[t] / (t - np.repeat(start, count) + 1)
    least = np.repeat(np.minimum.reduceat(ratio, place), count)
    return np.asarray(np.maximum.reduceat(np.where(ratio == least, t, -1), place))


def li(p: Floats) -> Floats:
    """Two steps, ``p / (p + 1 - max p)`` (Li 2008), exact: at most ``max p``.

    Notes
    -----
    Li rejects all hypotheses if ``max p <= alpha``, otherwise those with
    ``p <= (1 - max p) / (1 - alpha) alpha``; the smallest alpha that does so is the
    smaller of ``max p`` and ``p / (p + 1 - max p)``. The second is never larger
    except if rounding makes it so, or if ``max p = 1``.
    """
    largest = p.max(initial=0.0)
    with np.errstate(invalid="ignore"):
        adjusted = p / (p + (1.0 - largest))
    return np.minimum(np.where(p == 0.0, 0.0, adjusted), largest)


def _power_tail(p: Floats, exponent: float | NDArray) -> Floats:
    """Return ``1 - (1 - p)^exponent`` without cancellation."""
    with np.errstate(divide="ignore"):  # p = 1: log1p(-1) is -inf, the tail is 1
        return -np.expm1(exponent * np.log1p(-p))


def _step_down(p: Floats, scaled: Callable[[Floats, Floats], Floats]) -> Floats:
    """Scale the ascending p-values, then take the running maximum from the smallest."""
    order = np.argsort(p)
    values = scaled(p[order], np.arange(1.0, len(p) + 1))
    # In place: fresh memory for millions of numbers costs more than the arithmetic.
    np.maximum.accumulate(values, out=values)
    return _unsort(np.minimum(1.0, values, out=values), order)


def step_up(p: Floats, scaled: Callable[[Floats, Floats], Floats]) -> Floats:
    """Scale the ascending p-values, then take the running minimum from the largest."""
    order = np.argsort(p)
    values = scaled(p[order], np.arange(1.0, len(p) + 1))
    # In place: fresh memory for millions of numbers costs more than the arithmetic.
    values = np.minimum.accumulate(values[::-1])[::-1]
    return _unsort(np.minimum(1.0, values, out=values), order)


def _unsort(values: Floats, order: NDArray[np.intp]) -> Floats:
    """Put sorted values back in the order they came in."""
    result = np.empty(len(values))
    result[order] = values
    return result
