"""Power of readers and cases from Obuchowski and Rockette's components of variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from pycompare.base.arguments import is_finite
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.typing import Floats
from pycompare.kernels import power
from pycompare.kernels.bivariate_normal import both_below
from pycompare.kernels.reader_area_moments import RatingVariances
from pycompare.kernels.reader_moments import Contrast
from pycompare.methods.multireader.error_terms import hillis

NAMES = ("VAR_R", "VAR_TR", "COV1", "COV2", "COV3", "ERROR")
"""As they are published: readers, modality x reader, covariances, error."""
_NEEDED = NAMES[1:]
_LARGEST_DF = 1e12
"""From there on F has its chi-squared limit."""
_ROUNDING = 1e-9
"""Share of the error variance that rounding may take below 0."""


@dataclass(frozen=True)
class FigureComponents:
    """Components of variance of areas, and of how many cases they are.

    Attributes
    ----------
    values : dict
        By ``NAMES``, as given; VAR_R may be left out, since it affects all modalities
        alike.
    n_cases : int
        Cases of the study that they are of: the error and its covariances are divided
        by the number of cases.
    """

    values: Mapping[str, float]
    n_cases: int

    @classmethod
    def checked(cls, values: Any, n_cases: Any) -> Self:
        """Reject anything but components of a study."""
        _require_names(values)
        if isinstance(n_cases, bool) or not isinstance(n_cases, int) or n_cases < 2:
            raise InputError(
                setting("component_cases", n_cases)
                + ": give the number of cases of the study that the components are of, "
                "2 or more"
            )
        components = cls({name: float(values[name]) for name in values}, n_cases)
        error, alone = components.values["ERROR"], components.alone(n_cases)
        if not error > 0:
            raise InputError(
                setting("components")
                + f": ERROR={error:g} leaves no variance to plan with; a study whose "
                "AUCs are all 1 has none: state components of another one"
            )
        if alone < -_ROUNDING * error:
            raise InputError(
                setting("components")
                + f": ERROR - COV1 - (COV2 - COV3) is {alone:.3g}, and a variance "
                "cannot be negative; check the values and their names"
            )
        return components

    @classmethod
    def of_shares(cls, shares: Sequence[float], variances: RatingVariances) -> Self:
        """Return the components of a sensitivity or specificity, of one case.

        Ratings are normal, as in ``pc.RoeMetz``, and ``shares`` are those of cases of
        the class on the right side of a threshold. Two cells call a case alike as often
        as two correlated normal ratings are both on that side.
        """
        of, total = variances, sum(variances)
        own = [(i, i) for i in range(len(shares))]
        other = [(i, k) for i, k in np.ndindex(len(shares), len(shares)) if i != k]
        edge = special.ndtri(np.asarray(shares))

        def mean(pairs: list[tuple[int, int]], common: float, less: float) -> float:
            """Return P(both) with these common variances less P(both) with those."""
            first, second = edge[np.array(pairs).T]
            both = [both_below(first, second, v / total) for v in (common, less)]
            return float(np.mean(both[0] - both[1]))

        reader = mean(other, of.reader, 0.0)
        same = of.reader + of.modality_reader
        cases = of.case + of.modality_case
        return cls(
            {
                "VAR_R": reader,
                "VAR_TR": mean(own, same, 0.0) - reader,
                "COV1": mean(other, of.reader + of.case + of.reader_case, of.reader),
                "COV2": mean(own, cases, 0.0),
                "COV3": mean(other, of.case, 0.0),
                "ERROR": mean(own, total, same),
            },
            1,
        )

    def between(self, n: int) -> float:
        """Return Cov2 - Cov3 of n cases; a negative difference is set to 0."""
        difference = self.values["COV2"] - self.values["COV3"]
        return max(difference, 0.0) * self.n_cases / n

    def alone(self, n: int) -> float:
        """Return Var - Cov1 - (Cov2 - Cov3) of n cases."""
        left = self.values["ERROR"] - self.values["COV1"]
        return left * self.n_cases / n - self.between(n)

    def mean_squares(self, readers: int, n: int) -> tuple[float, float]:
        """Return the expected MS(TR), and r (Cov2 - Cov3)."""
        # Hillis et al. (2011): estimates below 0 count as 0.
        own = max(self.values["VAR_TR"], 0.0) + max(self.alone(n), 0.0)
        shared = readers * self.between(n)
        if not own + shared > 0:
            raise DesignError(
                setting("components") + ": no variance is left for the error of a "
                "difference (VAR_TR, ERROR - COV1 and COV2 - COV3 are 0)"
            )
        return max(own, _ROUNDING * shared), shared

    def power(self, area: Floats, readers: int, n: int, alpha: float) -> float:
        """Return the power; Hillis, Obuchowski and Berbaum (2011), eq. of sec. 2."""
        own, shared = self.mean_squares(readers, n)
        t, error = len(area), own + shared
        effect = float(np.sum((area - area.mean()) ** 2))
        df = min((t - 1) * (readers - 1) * (error / own) ** 2, _LARGEST_DF)
        return power.f_test(t - 1, df, readers * effect / error, alpha)

    def p_values(
        self, rng: np.random.Generator, area: Floats, readers: int, n: int, trials: int
    ) -> Floats:
        """Draw mean squares of normal pseudovalues; return p-values of the test.

        Normal pseudovalues with these components have independent mean squares, so
        that Cov2 - Cov3 is estimated as in a study.
        """
        own, shared = self.mean_squares(readers, n)
        t, alone = len(area), max(self.alone(n), 0.0)
        effect = readers * float(np.sum((area - area.mean()) ** 2)) / (own + shared)

        def square(df: int, expected: float) -> Floats:
            return expected * rng.chisquare(df, trials) / df

        between = rng.noncentral_chisquare(t - 1, effect, trials) / (t - 1)
        cases = square((t - 1) * (n - 1), alone + shared)
        rest = square((t - 1) * (readers - 1) * (n - 1), alone)
        squares = Contrast(
            between=(own + shared) * between,
            readers=square((t - 1) * (readers - 1), own),
            cases=cases,
            excess=cases - rest,
        )
        error = hillis(squares, (t - 1) * (readers - 1))
        f = squares.between / error.mean_square
        return np.asarray(special.fdtrc(t - 1, error.df, f))

    @property
    def words(self) -> str:
        """The components as text."""
        parts = ", ".join(
            f"{name} {self.values[name]:.4g}" for name in NAMES if name in self.values
        )
        return f"components of {counted(self.n_cases, 'case')}: {parts}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for readers of the power."""
        remarks = [
            "The error and its covariances are treated as inversely proportional to "
            "the "
            "number of cases, with one share of positive cases. Formula and simulated "
            "studies assume normal AUCs with the stated components; the formula takes "
            "Cov2 - Cov3 as known, simulated studies estimate it"
        ]
        if self.values["VAR_TR"] < 0:
            remarks.append(f"VAR_TR = {self.values['VAR_TR']:.3g} is set to 0")
        difference = self.values["COV2"] - self.values["COV3"]
        if difference < 0:
            remarks.append(f"COV2 - COV3 = {difference:.3g} is set to 0")
        return tuple(remarks)


def _require_names(values: Any) -> None:
    """Reject components that are unknown, missing or no numbers."""
    wanted = ",".join(f"{name}=.." for name in NAMES)
    if not isinstance(values, Mapping):
        raise InputError(
            setting("components") + f": give a number for each name, {wanted}"
        )
    for name in values:
        if name not in NAMES:
            raise InputError(
                setting("components")
                + f": {show(name)} is no component{nearest(str(name), NAMES)}; the "
                f"names are {show_all(NAMES)}"
            )
        if not is_finite(values[name]):
            raise InputError(
                setting("components") + f": {name}={values[name]!r} is no finite number"
            )
    missing = [name for name in _NEEDED if name not in values]
    if missing:
        raise InputError(
            setting("components")
            + f" lacks {', '.join(missing)}; give {wanted} (VAR_R may be left out)"
        )
