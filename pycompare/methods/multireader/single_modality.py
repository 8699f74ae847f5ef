"""``single_modality``: the mean figure of one modality over readers and cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_level, check_word, is_finite, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show_all
from pycompare.base.tables import Columns
from pycompare.data.measures.chance import below_chance
from pycompare.data.ratings import Ratings
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.student import two_sided
from pycompare.methods.multireader import tables
from pycompare.methods.multireader.covariances import ReaderCells, cells
from pycompare.methods.multireader.designs import POPULATIONS
from pycompare.methods.multireader.error_terms import Model, error_of, without_rounding
from pycompare.methods.multireader.figures import FigureOfMerit, figure_of, turned_by
from pycompare.methods.multireader.findings import Means, root
from pycompare.methods.multireader.words import (
    R_FILES,
    CovarianceName,
    Effect,
    FigureName,
)
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import Result, internal

_REFERENCE = (
    "Obuchowski & Rockette (1995) Commun. Stat. Simul. Comput. 24, 285-308; Hillis "
    "(2007) Stat. Med. 26, 596-619"
)
_NO_ERROR = "the error term is 0 or negative: no interval, and nothing is tested"


@dataclass(frozen=True, kw_only=True, eq=False)
class SingleModalityResult(Result):
    """The mean figure of one modality.

    Attributes
    ----------
    modality, figure : str
    population : str
        Whom the interval concerns: new or these readers, new or these cases.
    estimate, std_error, df : float
        Mean over readers; infinite ``df`` is the normal distribution.
    conf_low, conf_high, level : float
    null : float or None
        Value that the mean is tested against.
    statistic, p_value : float
        Two-sided; NaN without ``null``, or if there is no error.
    by_reader : DataFrame
        One row per reader: its figure, with its interval over cases.
    components : DataFrame
        ``component estimate floored``: reader, error and Cov2.
    n_readers, n_units : int
    reference : str
    notes : tuple of str
    """

    r_paths: ClassVar[Mapping[str, str]] = {
        "component": "components/estimate",
        "component_floored": "components/floored",
    }

    modality: str
    figure: str
    population: str
    estimate: float
    std_error: float
    df: float
    conf_low: float
    conf_high: float
    level: float
    null: float | None
    statistic: float
    p_value: float
    by_reader: pd.DataFrame
    components: pd.DataFrame
    n_readers: int
    n_units: int
    reference: str
    notes: tuple[str, ...] = ()
    merit: FigureName = internal()
    """Which figure it is."""
    asked: Mapping[str, Any] = internal()
    """The options of ``single_modality`` as they were given."""
    ratings: Ratings = internal()
    call: RCall | None = internal()

    @property
    def turned(self) -> Ratings:
        """The ratings, higher ones speaking for the positive class."""
        return turned_by(self.asked, self.ratings)

    def summary(self, digits: int = 4) -> str:
        """Return the estimate with its interval, and a line per note."""
        notes = (f"  note: {note}" for note in self.notes)
        return "\n".join([Result.summary(self, digits), *notes])

    def as_columns(self) -> Columns:
        """Return one row: the mean with its interval and test."""
        names = ["modality", "estimate", "std_error", "df", "conf_low", "conf_high"]
        names += ["statistic", "p_value"]
        return Columns.of_row({name: getattr(self, name) for name in names})

    def r_call(self) -> RCall | None:
        """Return the R call; None if R has none."""
        return self.call

    def r_values(self) -> dict[str, Any]:
        """Return the mean, its error, interval and test, readers and components."""
        names = ["estimate", "std_error", "df", "conf_low", "conf_high"]
        names += [] if self.null is None else ["statistic", "p_value"]
        columns = ("estimate", "std_error", "df", "conf_low", "conf_high")
        return {
            **{name: getattr(self, name) for name in names},
            **{f"by_reader_{c}": self.by_reader[c].to_numpy(float) for c in columns},
            "component": self.components["estimate"].to_numpy(float),
            "component_floored": self.components["floored"].to_numpy(float),
        }


@checked
def single_modality(
    ratings: Ratings,
    *,
    modality: str | None = None,
    covariance: Literal["jackknife", "delong", "unbiased"] = "jackknife",
    readers: Effect = "random",
    cases: Effect = "random",
    figure: FigureName = "auc",
    threshold: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
    null: float | None = None,
    level: float = 0.95,
) -> SingleModalityResult:
    """Estimate the mean figure of one modality over readers and cases.

    Parameters
    ----------
    ratings : Ratings
    modality : str, optional
        Needed if there are several.
    covariance : {"jackknife", "delong", "unbiased"}
        How covariances over cases are estimated.
    readers, cases : {"random", "fixed"}
        Whether the interval concerns new readers, and new cases, or those at hand. Not
        both can be fixed; one reader is fixed.
    figure, threshold, fpr_range, better
        As in ``mrmc``; the mean of one modality needs no direction.
    null : float, optional
        Also test that the mean is this, such as 0.5 for an AUC.
    level : float
        Confidence level.

    Returns
    -------
    SingleModalityResult

    Raises
    ------
    InputError
        For an unknown modality, or an option that does not exist.
    DesignError
        If there are too few readers or cases.

    Notes
    -----
    Equations 9.4, 9.8 of docs/equations.md.

    It is the row of the modality in ``mrmc(...).areas``, whose error is its own. With
    one reader it is the interval of one AUC (``auc_interval`` by DeLong's covariance).

    R: own formulas over figures without one case after another, and ``pROC::cov``.

    References
    ----------
    .. [1] Hillis, S. L. (2007). Statistics in Medicine 26, 596-619.

    Examples
    --------
    >>> import pycompare as pc
    >>> model = pc.RoeMetz(
    ...     separation=(1.0,), reader=0.01, modality_reader=0.01,
    ...     case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    ... )
    >>> ratings = model.draw(n_readers=6, n_positive=40, n_negative=40, seed=1)
    >>> found = pc.single_modality(ratings, null=0.5)
    >>> print(f"{found.estimate:.3f} [{found.conf_low:.3f}, {found.conf_high:.3f}]")
    0.821 [0.746, 0.896]
    """
    asked = {name: value for name, value in locals().items() if name != "ratings"}
    require(ratings, Ratings)
    check_level(level)
    selected = ratings.select([_named(modality, ratings)])
    chosen = own_figure(figure, threshold, fpr_range, better, selected)
    require_covariance(covariance)
    units = len(selected.clusters) or len(selected.cases)
    model = model_of(len(selected.readers), units, readers, cases, "one reader")
    if null is not None and not is_finite(null):
        raise InputError(setting("null", null) + ": give a finite number")
    turned = chosen.turned(selected)
    figure_cells = cells(turned, chosen, covariance, np.random.default_rng(0), 0)
    estimate = _result(turned, figure_cells, chosen, model, null, level, covariance)
    return dataclasses.replace(estimate, ratings=selected, asked=asked)


def _named(modality: str | None, ratings: Ratings) -> str:
    """Return the modality that is named, or the only one."""
    if modality is not None or len(ratings.modalities) == 1:
        return ratings.modalities[0] if modality is None else modality
    raise InputError(
        f"there are {len(ratings.modalities)} modalities, "
        f"{show_all(ratings.modalities)}: name one, modality=..., or compare them by "
        "mrmc"
    )


def own_figure(
    figure: FigureName,
    threshold: float | None,
    fpr_range: tuple[float, float] | None,
    better: Literal["higher", "lower"] | None,
    ratings: Ratings,
) -> FigureOfMerit:
    """Return the figure of modalities that are not compared with each other."""
    if figure == "mean" and better is not None:
        raise InputError(
            setting("better", better)
            + ": the mean of one modality is not compared, so it has no direction; "
            "leave it out"
        )
    direction = "higher" if figure == "mean" else better
    return figure_of(figure, threshold, fpr_range, direction, ratings)


def require_covariance(covariance: str) -> None:
    """Reject resampled covariances."""
    if covariance == "bootstrap":
        raise InputError(
            setting("covariance", "bootstrap")
            + " is for comparisons (mrmc); choose 'jackknife', 'delong' or 'unbiased'"
        )


def model_of(
    n_readers: int, n_units: int, readers: Effect, cases: Effect, which: str
) -> Model:
    """Return the random factors, or reject them."""
    for name, word in (("readers", readers), ("cases", cases)):
        check_word(name, word, ("random", "fixed"))
    if (readers, cases) == ("fixed", "fixed"):
        raise InputError(
            "readers and cases cannot both be fixed: nothing is left that varies"
        )
    if n_readers < 2 and readers == "random":
        raise DesignError(
            f"{which} gives no information about new readers; choose "
            + setting("readers", "fixed")
        )
    return Model("or", readers, cases, "hillis", n_readers, n_units, n_readers)


def _result(
    ratings: Ratings,
    cells: ReaderCells,
    figure: FigureOfMerit,
    model: Model,
    null: float | None,
    level: float,
    covariance: CovarianceName,
) -> SingleModalityResult:
    """Put the result together."""
    r = model.n_readers
    moments = rm.moments(cells.theta, cells.covariance)
    largest = float(np.nanmax(np.diag(cells.covariance.reshape(r, r))))
    square = without_rounding(rm.each_modality(moments), cells.theta, largest)
    error = error_of(square, model, 1)
    mean = cells.theta.mean(axis=1)
    means = Means(mean, root(error.mean_square / r), np.broadcast_to(error.df, (1,)))
    low, high = means.limits(level)
    least, most = figure.limits
    tested = Means(mean - (null or 0.0), means.std_error, means.df)
    p = two_sided(tested.statistic, tested.df)
    near = MEASURED["single_modality"].text
    notes = (*ratings.notes, near if means.std_error[0] > 0 else _NO_ERROR)
    if figure.name == "auc":
        notes += below_chance(cells.theta, of="rating")
    return SingleModalityResult(
        modality=ratings.modalities[0],
        figure=figure.title,
        merit=figure.name,
        population=POPULATIONS[model.readers, model.cases],
        estimate=float(mean[0]),
        std_error=float(means.std_error[0]),
        df=float(means.df[0]),
        conf_low=float(np.maximum(low, least)[0]),
        conf_high=float(np.minimum(high, most)[0]),
        level=level,
        null=null,
        statistic=np.nan if null is None else float(tested.statistic[0]),
        p_value=np.nan if null is None else float(p[0]),
        by_reader=tables.reader_table(
            ratings.modalities, ratings.readers, cells, level, figure
        ).drop(columns="algorithm"),
        components=tables.component_table(
            tables.above_rounding(_components(cells))
        ).drop(columns=["conf_low", "conf_high"]),
        n_readers=r,
        n_units=cells.n_units,
        reference=_REFERENCE,
        notes=notes,
        asked={},
        ratings=ratings,
        call=_call(ratings, figure, model, null, level, covariance),
    )


def _components(cells: ReaderCells) -> dict[str, float]:
    """Return the variance of readers, the error, and its covariance of readers."""
    r = cells.theta.shape[1]
    square = cells.covariance.reshape(r, r)
    error = float(np.trace(square)) / r
    if r < 2:
        return {"reader": np.nan, "error": error, "Cov2": np.nan}
    cov2 = float(square.sum() - np.trace(square)) / (r * (r - 1))
    readers = float(cells.theta.var(ddof=1))
    return {"reader": readers - error + cov2, "error": error, "Cov2": cov2}


def _call(
    ratings: Ratings,
    figure: FigureOfMerit,
    model: Model,
    null: float | None,
    level: float,
    covariance: CovarianceName,
) -> RCall | None:
    """Return the R call; None if R has not these covariances of the design."""
    if covariance != "jackknife" and ratings.design != "factorial":
        return None
    arguments = {
        "rating": ratings.values[0].T,
        "truth": figure.r_truth(ratings),
        "cluster": None if ratings.cluster is None else ratings.cluster + 1.0,
        "figure": figure.name,
        "parameters": figure.r_parameters,
        "covariance": covariance,
        "readers": model.readers,
        "cases": model.cases,
        "level": level,
        "null": null,
        "limits": figure.r_limits,
    }
    return RCall(R_FILES, "single_modality_reference", arguments)
