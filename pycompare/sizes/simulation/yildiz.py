"""Yildiz, Aslan and Alpaydin's comparison of tests on error and on pairs of rates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels.hotelling import hotelling
from pycompare.sizes.simulation.study import Study, Trials, several, share, whole

_ALPHA = 0.05
MEANS, SD = (2.0, 3.0), 0.3
"""Negative and positive class of Figure 1."""
TESTS = ("UniErr", "MultiTF", "MultiPR")
GAP, ADDED, RATIO = "threshold gap", "added true negatives", "class ratio"


class FoldCounts(NamedTuple):
    """Confusion counts, (trials, folds, 2) each; they need not be whole."""

    tp: Floats
    fp: Floats
    tn: Floats
    fn: Floats

    def rates(self) -> dict[str, Floats]:
        """Return what each test compares: (trials, folds, 2, 1 or 2)."""
        tp, fp, tn, fn = self
        error = (fp + fn) / (tp + fp + tn + fn)
        tpr, fpr = tp / (tp + fn), fp / (fp + tn)
        with np.errstate(invalid="ignore"):
            precision = tp / (tp + fp)
        return {
            "UniErr": error[..., None],
            "MultiTF": np.stack([tpr, fpr], axis=-1),
            "MultiPR": np.stack([precision, tpr], axis=-1),
        }


@dataclass(frozen=True)
class Yildiz(Study):
    """Tests on error, on (tpr, fpr) and on (precision, recall) (Yildiz et al. 2011).

    UniErr is the paired t test of errors over folds, MultiTF and MultiPR are
    Hotelling's paired tests of the two rates. Three kinds of conditions:

    - ``threshold gap``: two classifiers cut one normal score at 2.5 - gap/2 and
      2.5 + gap/2 (Figure 1). Their expected errors are equal, their rates are not.
    - ``added true negatives``: the second classifier gets tn (1 + lambda) true
      negatives (Figure 4a).
    - ``class ratio``: positive cases times 1 - alpha, negative ones times 1 + alpha
      for the second classifier (Figure 4b).

    Attributes
    ----------
    gap : sequence of float
        Distances of the two thresholds (Figure 1).
    added : sequence of float
        Values of lambda: true negatives added to the second classifier (Figure 4a).
    ratio : sequence of float
        Values of alpha: change of the class ratio (Figure 4b).
    folds : int
        Folds with test sets of their own.
    n : int
        Cases of each class in a fold.
    tpr : float
        True positive rate of both classifiers, drawn independently (Figure 4).
    fpr : float
        False positive rate of both classifiers, drawn independently (Figure 4).

    References
    ----------
    .. [1] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011). LION 5, LNCS 6683, 1-15.
    """

    gap: Sequence[float] = tuple(round(0.01 * i, 2) for i in range(11))
    added: Sequence[float] = tuple(round(0.1 * i, 1) for i in range(11))
    ratio: Sequence[float] = tuple(round(0.05 * i, 2) for i in range(11))
    folds: int = 10
    n: int = 50
    tpr: float = 0.8
    fpr: float = 0.2

    name = "yildiz"
    title = "Tests on error and on pairs of rates (Yildiz et al. 2011, Figures 1 and 4)"
    reference = "Yildiz, Aslan & Alpaydin (2011), LION 5, LNCS 6683, 1-15"
    chunk = 200

    def __post_init__(self) -> None:
        for name in ("gap", "added", "ratio"):
            several(self, name, least=0)
        whole(self, "folds", least=4)
        whole(self, "n", least=2)
        share(self, "tpr", "fpr")
        share(self, "ratio", also_zero=True)

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each gap, each lambda and each alpha."""
        kinds = ((GAP, self.gap), (ADDED, self.added), (RATIO, self.ratio))
        return {
            f"{kind} {value:g}": {"kind": kind, "value": value}
            for kind, values in kinds
            for value in values
        }

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw confusion counts and test both classifiers."""
        kind, value = self.conditions[condition].values()
        draw = {GAP: self.cut, ADDED: self.with_negatives, RATIO: self.with_ratio}
        counts = draw[kind](value, rng, trials)
        # What cannot be tested, as equal rates in all folds, is not rejected.
        return {
            name: hotelling(y).p_value[..., 0] <= _ALPHA
            for name, y in counts.rates().items()
        }

    def cut(self, gap: float, rng: np.random.Generator, trials: int) -> FoldCounts:
        """Cut the same scores at two thresholds."""
        at = 2.5 + np.array([-gap / 2, gap / 2])
        above: list[Floats] = []
        for mean in MEANS[::-1]:
            x = mean + SD * rng.standard_normal((trials, self.folds, self.n))
            above.append((x[..., None] >= at).sum(axis=2).astype(float))
        tp, fp = above
        return FoldCounts(tp, fp, self.n - fp, self.n - tp)

    def alike(self, rng: np.random.Generator, trials: int) -> FoldCounts:
        """Draw two classifiers with the same rates."""
        size = (trials, self.folds, 2)
        tp = rng.binomial(self.n, self.tpr, size).astype(float)
        fp = rng.binomial(self.n, self.fpr, size).astype(float)
        return FoldCounts(tp, fp, self.n - fp, self.n - tp)

    def with_negatives(
        self, added: float, rng: np.random.Generator, trials: int
    ) -> FoldCounts:
        """Add true negatives to the second of two like classifiers (Figure 4a)."""
        counts = self.alike(rng, trials)
        return counts._replace(tn=counts.tn * np.array([1.0, 1 + added]))

    def with_ratio(
        self, alpha: float, rng: np.random.Generator, trials: int
    ) -> FoldCounts:
        """Change the second classifier's class ratio (Figure 4b)."""
        tp, fp, tn, fn = self.alike(rng, trials)
        fewer, more = np.array([1.0, 1 - alpha]), np.array([1.0, 1 + alpha])
        return FoldCounts(tp * fewer, fp * more, tn * more, fn * fewer)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return how Figure 1 compares."""
        return (
            "The paper states that the error stays the same as the threshold moves "
            "from "
            "2 to 3. For its two normal classes it does not: it is 0.250 at both ends "
            "and 0.048 in the middle. Thresholds at the same distance from 2.5 have "
            "equal errors; the study compares those.",
        )


def rates_at(threshold: Floats) -> pd.DataFrame:
    """Return the expected rates of a threshold on Figure 1's scores, exactly."""
    fpr, tpr = (special.ndtr(-(threshold - mean) / SD) for mean in MEANS)
    return pd.DataFrame(
        {
            "threshold": threshold,
            "error": (fpr + 1 - tpr) / 2,
            "tpr": tpr,
            "fpr": fpr,
            "precision": tpr / (tpr + fpr),
        }
    )
