"""Family-wise errors of ``pc.mrmc`` with a control, and of tests against a margin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.typing import Bools, Floats
from pycompare.data.ratings import Ratings
from pycompare.methods.multireader.margins import margin_pairs
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.methods.multireader.words import ErrorName, PairTestsName
from pycompare.methods.pairs.equivalence import MarginKind
from pycompare.sizes.simulation.study import Study, Trials

_ALPHA = 0.05
_LOW, _HIGH, _HIGHEST = 0.9, 1.6, 2.5
_ERRATIC = math.sqrt(0.3)
"""Standard deviation of what a reader adds to ratings of positive cases."""
_READERS, _CASES = 5, 100
_WRONG = "a true hypothesis is rejected (Holm)"


class Setup(NamedTuple):
    """The truth, and the tests.

    ``separation`` is that of each modality, the control first. Without ``margin`` the
    tests are those of no difference. The margin is the difference of the expected AUCs
    of both separations, so that pairs that differ lie on it. ``erratic``: in how many
    modalities, the first ones, readers differ more from one to another. ``pair_tests``
    is that of ``mrmc``.
    """

    separation: tuple[float, ...]
    control: bool = False
    margin: MarginKind | None = None
    error: ErrorName = "own"
    erratic: int = 0
    pair_tests: PairTestsName = "published"

    @property
    def guarantee(self) -> str:
        """Key of the ledger of claims."""
        basis = f"multireader/{'pooled-' * (self.error == 'pooled')}t"
        if self.pair_tests == "largest":
            basis = "multireader/largest"
        if self.margin is not None:
            basis = f"margins/{basis.replace('/', '-')}"
        return f"{basis}/holm{'/control' * self.control}"

    @property
    def violates(self) -> tuple[str, ...]:
        """Conditions of the ledger that do not hold: AUCs decide their variances."""
        alike = (
            not self.erratic
            and len({abs(distance) for distance in self.separation}) == 1
        )
        return () if alike else ("equal-variances",)

    def model(self) -> RoeMetz:
        """Return the model of ratings."""
        return RoeMetz(
            separation=self.separation,
            reader=0.0055,
            modality_reader=0.0055,
            case=0.3,
            modality_case=0.3,
            reader_case=0.2,
            error=0.2,
        )

    def sample(self, rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        """Draw ratings of several studies."""
        half = _CASES // 2
        truth, x = self.model().sample(
            rng, n_readers=_READERS, n_positive=half, n_negative=half, trials=trials
        )
        if self.erratic:
            more = rng.normal(0, _ERRATIC, (trials, self.erratic, _READERS, 1))
            x[:, : self.erratic] += truth * more
        return truth, x

    def rejects_truth(self, truth: Bools, values: Floats) -> bool:
        """Return whether a true hypothesis is rejected in one study."""
        t, r, n = values.shape
        names = tuple(map(str, range(t)))
        ratings = Ratings(
            values=values,
            truth=truth,
            modalities=names,
            readers=tuple(map(str, range(r))),
            cases=tuple(map(str, range(n))),
        )
        control = names[0] if self.control else None
        study = mrmc(
            ratings, control=control, error=self.error, pair_tests=self.pair_tests
        )
        first, second = (
            np.array(self.separation)[study.as_columns()[name].astype(int)]
            for name in ("algorithm_1", "algorithm_2")
        )
        if self.margin is None:
            return bool(study.rejected(_ALPHA)[first == second].any())
        size = float(np.ptp(self.model().auc))
        against = margin_pairs(study, margin=size, kind=self.margin, alpha=_ALPHA)
        return bool(against.as_columns()["shown"][first != second].any())


_BY_HILLIS: Mapping[str, Setup] = {
    "no difference from a control, all four equal": Setup((_HIGH,) * 4, control=True),
    "no difference from a control, one of four better": Setup(
        (_LOW, _LOW, _LOW, _HIGH), control=True
    ),
    "no difference of any pair, two of four better": Setup((_LOW, _LOW, _HIGH, _HIGH)),
    "equivalence of any pair, four of six on the margin": Setup(
        (_LOW, _LOW, _HIGH, _HIGH), margin="equivalence"
    ),
    "equivalence to a control, all on the margin": Setup(
        (_LOW, _HIGH, _HIGH, _HIGH), control=True, margin="equivalence"
    ),
    "non-inferiority to a control, all on the margin": Setup(
        (_HIGH, _LOW, _LOW, _LOW), control=True, margin="non-inferiority"
    ),
    "non-inferiority to a control, one on the margin": Setup(
        (_HIGH, _HIGH, _HIGH, _LOW), control=True, margin="non-inferiority"
    ),
    "no difference of any pair, two of four better and steadier": Setup(
        (_LOW, _LOW, _HIGHEST, _HIGHEST), erratic=2
    ),
    "pooled error: no difference of any pair, all four equal": Setup(
        (_HIGH,) * 4, error="pooled"
    ),
    "pooled error: no difference of any pair, two of four better, one variance": Setup(
        (-_LOW, -_LOW, _LOW, _LOW), error="pooled"
    ),
    "pooled error: no difference of any pair, two of four better": Setup(
        (_LOW, _LOW, _HIGH, _HIGH), error="pooled"
    ),
    "pooled error: no difference of any pair, two of four better and steadier": Setup(
        (_LOW, _LOW, _HIGHEST, _HIGHEST), error="pooled", erratic=2
    ),
    "pooled error: no difference from a control, one of four better, one variance": (
        Setup((-_LOW, -_LOW, -_LOW, _LOW), control=True, error="pooled")
    ),
    "pooled error: equivalence of any pair, four of six on the margin, one variance": (
        Setup((-_LOW, -_LOW, _LOW, _LOW), margin="equivalence", error="pooled")
    ),
    "pooled error: non-inferiority to a control, one on the margin, one variance": (
        Setup((_LOW, _LOW, _LOW, -_LOW), True, "non-inferiority", "pooled")
    ),
    "pooled error: non-inferiority to a control, one on the margin": Setup(
        (_HIGH, _HIGH, _HIGH, _LOW), True, "non-inferiority", "pooled"
    ),
}
_LARGEST = "largest of three"
"""How the names of families begin whose pairs have the largest of three p-values."""
FAMILIES: Mapping[str, Setup] = {
    **_BY_HILLIS,
    **{
        f"{_LARGEST}: {name}": family._replace(pair_tests="largest")
        for name, family in _BY_HILLIS.items()
        if family.error == "own"
    },
}


@dataclass(frozen=True)
class ReaderFamilies(Study):
    """Family-wise errors of pairs by ``pc.mrmc``, in Roe and Metz's model.

    Four modalities, five readers, 100 cases; readers and cases are random. One-sided
    tests against a margin have level 0.05.

    References
    ----------
    .. [1] Roe, C. A., Metz, C. E. (1997). Academic Radiology 4, 298-303.
    """

    name = "reader-families"
    title = "Family-wise errors with a control and against a margin, over readers"
    reference = "Roe & Metz (1997), Academic Radiology 4, 298-303"
    default_trials = 4000
    chunk = 50

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each family of hypotheses."""
        return {
            name: {
                "separation": list(family.separation),
                "control": family.control,
                "margin": family.margin or "none",
                "error": family.error,
                "erratic": family.erratic,
                "pair_tests": family.pair_tests,
            }
            for name, family in FAMILIES.items()
        }

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw ratings and test the family."""
        family = FAMILIES[condition]
        truth, x = family.sample(rng, trials)
        wrong = [family.rejects_truth(truth, values) for values in x]
        return {_WRONG: np.array(wrong, float)}
