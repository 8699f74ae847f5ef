"""The number of items that people label beside a judge who scores all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from pycompare.base.arguments import check_word, is_whole
from pycompare.base.errors import InputError, setting
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels import power, student
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.pairs.common import two_algorithms
from pycompare.sizes.design import StudyDesign, finite, positive

_POPULATIONS = ("like", "these")
_FEWEST = 10
"""Labelled items that ``pc.labels`` takes at least."""
_SIGNS = np.array([-1.0, 0.0, 1.0])
"""Differences of two labels of 0 and 1."""


@dataclass(frozen=True, kw_only=True)
class Labels(StudyDesign):
    """Two models by people's labels of some items and a judge's scores of all.

    ``n`` counts the items that people label, drawn at random from all ``items``.

    Attributes
    ----------
    difference : float
        True mean difference of the labels of both models.
    sd : float
        Standard deviation, over items, of the difference of both labels.
    correlation : float
        Correlation of that difference with the judge's, between -1 and 1; 0 of labels
        without a judge.
    items : int
        Items that the judge scores.
    binary : bool, default True
        Whether labels are 0 or 1; otherwise graded.
    population : {"like", "these"}
        like: items like these. these: the mean over the same items.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pycompare import sizes
    >>> design = sizes.Labels(difference=0.1, sd=0.535, correlation=0.7, items=3000)
    >>> pc.power(design, trials=0).n_required
    127
    """

    difference: float
    sd: float
    correlation: float
    items: int
    binary: bool = True
    population: Literal["like", "these"] = "like"

    name: ClassVar[str] = "labels"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "t test of labels beside a judge (two-sided)"
    units: ClassVar[str] = "labelled items"
    fewest: ClassVar[int] = _FEWEST
    pilot = "labels"
    reference: ClassVar[str] = "Cochran (1977) Sampling Techniques, sec. 12.6"

    def __post_init__(self) -> None:
        finite(self, "difference", "correlation")
        positive(self, "sd")
        check_word("population", self.population, _POPULATIONS)
        if not -1 < self.correlation < 1:
            raise InputError(
                f"correlation={self.correlation}: give a number between -1 and 1"
            )
        if not is_whole(self.items) or self.items <= _FEWEST:
            raise InputError(
                f"items={self.items!r}: give a whole number above {_FEWEST}, because "
                f"people label {_FEWEST} items at least"
            )
        if self.binary:
            self._require_shares()

    def _require_shares(self) -> None:
        """Reject a spread that differences of 0 and 1 cannot have."""
        size = abs(self.difference)
        low, high = math.sqrt(size * max(1 - size, 0)), math.sqrt(max(1 - size**2, 0))
        if size >= 1 or not low * (1 - 1e-9) <= self.sd <= high:
            raise InputError(
                f"difference={self.difference:g}, sd={self.sd:g}: labels of 0 and 1 "
                "differ by less than 1 in the mean, and with this difference by a "
                f"standard deviation from {low:.3g} to {high:.3g}; if labels are "
                "graded: " + setting("binary", False)
            )

    @classmethod
    def from_labels(
        cls,
        scores: Scores,
        *,
        metric: str | None = None,
        algorithms: tuple[str, str] | None = None,
        **stated: Any,
    ) -> Self:
        """Take unstated values from a pilot study with a judge.

        The correlation is that of the differences of labels and of the judge's scores
        over labelled items, and ``items`` are those of the pilot.
        """
        at = list(two_algorithms(scores, algorithms, method=cls.name))
        judge, labelled = scores.judge, scores.labelled
        if judge is None or labelled is None:
            raise InputError("labels: a pilot with a judge's scores is needed")
        y = scores.column(metric)[labelled][:, at]
        d = y[:, 0] - y[:, 1]
        f = judge[labelled][:, at[0]] - judge[labelled][:, at[1]]
        estimates: dict[str, Any] = {
            "difference": float(d.mean()),
            "items": scores.n_blocks,
            "binary": right_or_wrong(y),
        }
        if len(d) > 1 and d.std() > 0:
            estimates["sd"] = float(d.std(ddof=1))
            if f.std() > 0:
                estimates["correlation"] = float(np.corrcoef(d, f)[0, 1])
        return cls.of_pilot(estimates, stated)

    @property
    def approximate(self) -> str:
        """Of labels of 0 and 1 the formula is that of their first two moments."""
        if not self.binary:
            return ""
        return (
            "the formula treats differences of labels as normal; with few labels of 0 "
            "and 1 the simulated power is higher, by up to 0.05"
        )

    @property
    def most(self) -> int:
        """The largest n: an item at least has no label."""
        return self.items - 1

    @property
    def limit(self) -> str:
        """Why no more labels help."""
        error = math.sqrt(self.variance(self.most))
        return (
            f"the {self.items:,} items themselves leave a standard error of "
            f"{error:.3g}; let the judge score more items"
        )

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        of = "items like these" if self.population == "like" else "these items"
        return (
            f"a mean difference of {self.difference:g} on {of} (standard deviation "
            f"{self.sd:g}, correlation with the judge's difference "
            f"{self.correlation:g}; the judge scores {self.items:,} items)"
        )

    def variance(self, n: int) -> float:
        """Return the expected variance of the estimated difference."""
        squares = self.sd**2
        left = squares * (1 - self.correlation**2)
        if self.binary:  # half a pseudo-label of each model
            own = ((n - 2) * left + 1) / ((n - 1) * (n + 1))
            of_items = ((n - 1) * squares + 1) / (n * self.items)
        else:
            own, of_items = left / n, squares / self.items
        # 1 / (n - 3): the slope is estimated from as many labels.
        own *= (1 - n / self.items) * (1 + 1 / (n - 3))
        return own + (of_items if self.population == "like" else 0.0)

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral t distribution."""
        shift = self.difference / math.sqrt(self.variance(n))
        return power.t_two_sided(n - 2, shift, alpha)

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return 16 if self.binary else 2 * n

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw labels and judge's scores; return p-values of the test of ``pc.labels``.

        The judge's difference is that of the labels with the probability of the
        correlation, else drawn anew; graded ones are normal.
        """
        draw = self._drawn_signs if self.binary else self._drawn_grades
        sums, judge = draw(rng, n, trials)
        return self._tested(n, sums, judge)

    def _tested(self, n: int, sums: Floats, judge: Floats) -> Floats:
        """Return p-values from sums over labelled items, and the judge's mean of all.

        ``sums``, shape (trials, 5), are of y, f, y^2, yf and f^2.
        """
        y, f = sums[:, 0] / n, sums[:, 1] / n
        yy, yf, ff = (
            sums[:, 2] - n * y * y,
            sums[:, 3] - n * y * f,
            sums[:, 4] - n * f * f,
        )
        flat = ff <= 1e-12 * sums[:, 4]
        b = np.where(flat, 0.0, yf / np.where(flat, 1.0, ff))
        pseudo = int(self.binary)
        m = n + pseudo
        rest = np.maximum(yy - 2 * b * yf + b * b * ff, 0.0) + pseudo
        variance = rest / ((m - 2) * m) * (1 - n / self.items)
        if self.population == "like":
            variance = variance + (yy + pseudo) / ((m - 1) * self.items)
        t = (y + b * (judge - f)) / np.sqrt(variance)
        return student.two_sided(t, np.full(len(t), n - 2.0))

    @property
    def cells(self) -> Floats:
        """Probabilities of differences of labels (rows) and judge, each -1, 0, 1."""
        differ = self.sd**2 + self.difference**2
        y = np.array([differ - self.difference, 0.0, differ + self.difference]) / 2
        y[1] = 1 - differ
        y = np.clip(y, 0.0, 1.0)
        same = abs(self.correlation)
        cells = same * np.diag(y) + (1 - same) * np.outer(y, y)
        return cells if self.correlation >= 0 else cells[:, ::-1]

    def _drawn_signs(
        self, rng: np.random.Generator, n: int, trials: int
    ) -> tuple[Floats, Floats]:
        """Draw counts of the cells among labelled items and among the others."""
        cells = self.cells.ravel()
        others = self.items - n
        if self.population == "like":
            labelled = rng.multinomial(n, cells, trials)
            rest = rng.multinomial(others, cells, trials)
        else:  # the same items, of which other ones are labelled
            every = whole_counts(cells, self.items)
            labelled = rng.multivariate_hypergeometric(every, n, trials)
            rest = every - labelled
        y, f = (part.ravel() for part in np.meshgrid(_SIGNS, _SIGNS, indexing="ij"))
        sums = labelled @ np.stack([y, f, y * y, y * f, f * f], axis=1)
        return sums, (sums[:, 1] + rest @ f) / self.items

    def _drawn_grades(
        self, rng: np.random.Generator, n: int, trials: int
    ) -> tuple[Floats, Floats]:
        """Draw normal differences of labelled items, and means of the others."""
        z = rng.standard_normal((trials, n + 1, 2))
        r = self.correlation
        f = z[:, :, 1]
        y = self.sd * (r * f + math.sqrt(1 - r * r) * z[:, :, 0])
        others = self.items - n
        scale = math.sqrt(others)  # the last row is the sum over the others
        own, f_own = y[:, :n], f[:, :n]
        judge = (f_own.sum(axis=1) + scale * f[:, n]) / self.items
        shift = np.full(trials, self.difference)
        if self.population == "these":
            shift -= (own.sum(axis=1) + scale * y[:, n]) / self.items
        own = own + shift[:, None]
        parts = (own, f_own, own * own, own * f_own, f_own * f_own)
        return np.stack([part.sum(axis=1) for part in parts], axis=1), judge


def whole_counts(shares: Floats, total: int) -> np.ndarray:
    """Return whole numbers of a total in these shares, the largest rests first.

    Examples
    --------
    >>> whole_counts(np.array([0.25, 0.45, 0.3]), 10).tolist()
    [3, 4, 3]
    """
    exact = shares * total
    counts = np.floor(exact + 1e-9).astype(np.int64)
    order = np.argsort(-(exact - counts), kind="stable")
    counts[order[: total - int(counts.sum())]] += 1
    return counts
