"""Whether differences of algorithms change from data set to data set, beyond folds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.methods.linear.anova import CORRECTED
from pycompare.methods.linear.fit import AnovaFit, fit, sum_of_squares
from pycompare.methods.linear.overlap import dataset_ratios
from pycompare.results.result import Test, internal

_DIVIDED = (
    "folds share training data: F is divided by {ratio:.6g} = 1 + k n_test/n_train for "
    "k folds of a data set (Nadeau and Bengio 2003)"
)
_WEIGHTED = (
    "folds share training data: data sets are weighted by the inverse variance of "
    "their means, {low:.6g} to {high:.6g} times that of independent folds (1 + k "
    "n_test/n_train for k folds; Nadeau and Bengio 2003)"
)
_NO_FOLD_ERROR = (
    "the folds of each data set leave no error to compare a change with: F is infinite "
    "or, if differences do not change either, 0/0"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetInteraction(Test):
    """F test of the interaction of algorithm and data set; see ``Test``.

    Attributes
    ----------
    sum_sq, error_sum_sq : float
        Sums of squares of the interaction, and of folds within data sets, in the
        metric's squared unit, uncorrected: their sum is the residual of ``pc.anova``.
    variance_ratio : Series
        How many times larger shared training data make the variance of each data
        set's mean, 1 + k n_test/n_train for its k folds; 1 without a correction.
    fit : AnovaFit
    """

    sum_sq: float
    error_sum_sq: float
    variance_ratio: pd.Series
    fit: AnovaFit = internal()

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        corrected = (self.variance_ratio != 1).any()
        return f"omnibus/interaction{'-corrected' if corrected else ''}"

    def r_call(self) -> RCall:
        """Return the call of ``anova`` of two nested ``lm`` models."""
        given = self.fit.r_arguments()
        arguments = {k: v for k, v in given.items() if k != "blocked"}
        files = ("linear", "dataset_interaction")
        return RCall(files, "dataset_interaction_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return F, its p-value, degrees of freedom and sums of squares."""
        return {
            "statistic": self.statistic,
            "df": np.array(self.df, float),
            "p_value": self.p_value,
            "sum_sq": self.sum_sq,
            "error_sum_sq": self.error_sum_sq,
        }


@checked
def dataset_interaction(
    scores: Scores,
    *,
    metric: str | None = None,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> DatasetInteraction:
    """Test whether differences between algorithms vary over data sets.

    Compares ``score ~ dataset + dataset:block + algorithm`` with the same plus
    ``dataset:algorithm``; blocks are folds within data sets. If differences change
    from data set to data set, a claim about new data sets needs the interaction as its
    error: the blocked analysis of the data sets' means, not of the folds.

    Parameters
    ----------
    scores : Scores
        Complete, with two data sets or more of two folds or more each.
    metric : str, optional
        One of ``scores.metrics``, in its own unit; needed if there are several.
    n_train, n_test : float or mapping of data set to float, optional
        Sizes of each training and test set behind the folds, both or neither. Folds
        that share training data vary less among themselves than their mean varies,
        and without the sizes F is too large: with 10 data sets, 10-fold
        cross-validation and three algorithms it rejects 71% of true nulls at 0.05.

    Returns
    -------
    DatasetInteraction
        F on ((L - 1)(a - 1), (B - L)(a - 1)) degrees of freedom for L data sets, B
        folds in all and a algorithms. Large: differences change. Folds without any
        error have no p-value, and ``notes`` states this.

    Raises
    ------
    DesignError
        If cells are missing, or the data sets have no folds.
    InputError
        For an unknown metric.

    Notes
    -----
    Equations 5.3, 7.1 of docs/equations.md.

    Data set l with k_l folds has the weight w_l = 1 / (1/k_l + n_test/n_train) in the
    sum of squares of its differences around their weighted mean (generalised least
    squares for folds that are equally correlated), over the mean square of folds
    within data sets. With equal sizes that is F / (1 + k n_test/n_train), without any
    F itself. R:
    ``anova(lm(y ~ block + algorithm), lm(y ~ block + algorithm + dataset:algorithm))``;
    ``nlme::gls`` with ``corCompSymm(fixed = TRUE)``.

    References
    ----------
    .. [1] Montgomery, D. C. (2017). Design and Analysis of Experiments, 9th ed.,
       sec. 13.3, 14.1.
    .. [2] Nadeau, C., Bengio, Y. (2003). Machine Learning 52, 239-281.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"model": m, "data": d, "fold": f, "score": rng.normal(0.1 * i * j, 0.1)}
    ...     for i, m in enumerate("ABC")
    ...     for j, d in enumerate("stuv")
    ...     for f in range(10)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="fold", dataset="data",
    ...     metrics={"score": "lower"},
    ... )
    >>> test = pc.dataset_interaction(scores)
    >>> print(f"F = {test.statistic:.2f}, p = {test.p_value:.1e}")
    F = 24.60, p = 1.2e-15
    >>> corrected = pc.dataset_interaction(scores, n_train=9, n_test=1)
    >>> print(f"F = {corrected.statistic:.2f}, p = {corrected.p_value:.1e}")
    F = 11.65, p = 4.4e-09
    """
    model = fit(scores, metric, True, n_train, n_test)
    numbers = model.design.datasets
    if numbers is None or np.bincount(numbers).min() < 2:
        raise DesignError(
            "the interaction of algorithm and data set needs folds: two data sets or "
            "more, each with two blocks or more, named by a data set column"
        )
    if not model.design.present.all():
        raise DesignError(
            "the interaction of algorithm and data set needs every algorithm on every "
            "fold; read the scores with " + setting("missing", "drop-block")
        )
    ratios = np.ones(numbers.max() + 1)
    if model.overlaps is not None:
        ratios = dataset_ratios(model.overlaps, numbers)
    interaction, weighted, folds = _parts(model, numbers, ratios)
    b, a = model.values.shape
    n_datasets = int(numbers.max()) + 1
    df = (float((n_datasets - 1) * (a - 1)), float((b - n_datasets) * (a - 1)))
    with np.errstate(divide="ignore", invalid="ignore"):
        f = float(np.float64(weighted / df[0]) / np.float64(folds / df[1]))
    return DatasetInteraction(
        name="interaction of algorithm and data set"
        + (CORRECTED if ratios.max() > 1 else ""),
        statistic_name="F",
        statistic=f,
        df=df,
        p_value=float(special.fdtrc(*df, f)) if math.isfinite(f) else math.nan,
        p_source="F" if math.isfinite(f) else "none",
        reference="Montgomery (2017) Design and Analysis of Experiments, sec. 14.1",
        notes=(_NO_FOLD_ERROR,) if folds == 0 else _corrected_by(ratios),
        # Not unit**2, which raises where a square is beyond all floats; this is inf.
        sum_sq=interaction * model.unit * model.unit,
        error_sum_sq=folds * model.unit * model.unit,
        variance_ratio=pd.Series(
            ratios, index=list(dict.fromkeys(model.datasets or ()))
        ),
        fit=model,
    )


def _corrected_by(ratios: Floats) -> tuple[str, ...]:
    """Return the treatment of shared training data."""
    if ratios.max() == 1:
        return ()
    if np.ptp(ratios) == 0:
        return (_DIVIDED.format(ratio=ratios[0]),)
    return (_WEIGHTED.format(low=ratios.min(), high=ratios.max()),)


def _parts(
    model: AnovaFit, numbers: NDArray[np.int_], ratios: Floats
) -> tuple[float, float, float]:
    """Split the residual's sum of squares: interaction, the same weighted, folds."""
    residuals = model.residuals().reshape(model.values.shape)
    counts = np.bincount(numbers)
    means = np.zeros((counts.size, model.values.shape[1]))
    np.add.at(means, numbers, residuals)
    means /= counts[:, None]
    noise = 4 * np.finfo(float).eps * np.abs(model.values).max() / model.unit
    within = residuals - means[numbers]
    # A data set has k_l rows; k_l / ratio is w_l = 1 / (1/k_l + n_test/n_train).
    weights = counts / ratios
    apart = means - weights @ means / weights.sum()
    scaled = apart / np.sqrt(ratios)[:, None]
    return (
        sum_of_squares(means[numbers].reshape(-1, 1), noise),
        sum_of_squares(scaled[numbers].reshape(-1, 1), noise),
        sum_of_squares(within.reshape(-1, 1), noise),
    )
