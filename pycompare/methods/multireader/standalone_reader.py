"""``standalone``: a standalone reader against the mean of the other readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from pycompare.base.arguments import alpha_or_level, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.tables import table_text
from pycompare.base.hypotheses import Hypotheses
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_positions, show
from pycompare.base.tables import Columns
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.data.measures.chance import below_chance
from pycompare.data.ratings import Ratings
from pycompare.kernels import reader_moments as rm
from pycompare.kernels.student import two_sided
from pycompare.methods.multireader.covariances import ReaderCells, cells
from pycompare.methods.multireader.designs import POPULATIONS
from pycompare.methods.multireader.error_terms import Model, error_of, without_rounding
from pycompare.methods.multireader.figures import FigureOfMerit, turned_by
from pycompare.methods.multireader.findings import Means, root
from pycompare.methods.multireader.single_modality import (
    model_of,
    own_figure,
    require_covariance,
)
from pycompare.methods.multireader.words import (
    R_FILES,
    CovarianceName,
    Effect,
    FigureName,
)
from pycompare.methods.pairs.last_step import last_step
from pycompare.results.adjust import Adjustment, adjust_family, family_adjustment
from pycompare.results.estimands import Estimand
from pycompare.results.result import Result, internal, made_when_read, rejected

_EQUAL = Hypotheses("equal figures", "they are hypotheses of several modalities")
_NO_ERROR = (
    "{name}: the readers' differences do not vary, so there is no error: no test, and "
    "p = 1 in the adjustment"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class StandaloneResult(Result):
    """A standalone reader against the mean of the others, for each modality.

    Attributes
    ----------
    table : DataFrame
        One row per modality: ``modality standalone readers estimate std_error df
        statistic p_value p_adjusted conf_low conf_high``. ``standalone`` is the figure
        of the standalone reader, ``readers`` the mean of the others; ``estimate`` is
        the first minus the second.
    by_reader : DataFrame
        One row per modality and reader: ``modality reader figure difference``;
        ``difference`` is the standalone figure minus that of the reader.
    standalone, figure : str
    population : str
        Whom the comparison concerns: new or these readers, new or these cases.
    adjust : str
        Adjustment of p-values over the modalities.
    alpha : float or None
        Level of the decisions with which no interval disagrees; None if ``level`` was
        given in its place.
    level : float
        Confidence level of each interval separately.
    n_readers : int
        The other readers.
    n_units : int
        Independent cases, or clusters of them.
    reference : str
    notes : tuple of str
    """

    table: pd.DataFrame = made_when_read()
    by_reader: pd.DataFrame = made_when_read()
    standalone: str
    figure: str
    population: str
    adjust: str
    alpha: float | None
    level: float
    n_readers: int
    n_units: int
    notes: tuple[str, ...]
    reference: str = (
        "Hillis (2007) Stat. Med. 26, 596-619, section 5.3; Hupse et al. (2013) Eur. "
        "Radiol. 23, 93-100"
    )
    merit: FigureName = internal()
    """Which figure it is."""
    asked: Mapping[str, Any] = internal()
    """The options of ``standalone`` as they were given."""
    ratings: Ratings = internal()
    call: RCall | None = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        "difference": "by_reader/difference",
        "reader_figure": "by_reader/figure",
    }

    @property
    def estimand(self) -> Estimand:
        """The figure of the standalone reader less the mean of the others."""
        return Estimand(
            quantity=f"{self.figure} of the standalone reader less the mean of readers",
            unit="reader and case",
            population=f"{self.population}; this standalone reader",
            null="equal figures",
        )

    @property
    def turned(self) -> Ratings:
        """The ratings, higher ones speaking for the positive class."""
        return turned_by(self.asked, self.ratings)

    def summary(self, digits: int = 4) -> str:
        """Return the differences with their tests, and the notes."""
        head = (
            f"{show(self.standalone)} against the mean of readers, {self.figure}; "
            f"{self.population}; adjusted: {self.adjust}"
        )
        notes = [f"  note: {note}" for note in self.notes]
        return "\n".join([head, table_text(self.as_columns(), digits), *notes])

    def r_call(self) -> RCall | None:
        """Return the call of the derivation in R; None if R has none."""
        return self.call

    def r_values(self) -> dict[str, Any]:
        """Return the figures, differences, errors, tests and intervals."""
        names = (
            *("standalone", "readers", "estimate", "std_error", "df", "statistic"),
            *("p_value", "p_adjusted", "conf_low", "conf_high"),
        )
        each = self.held("by_reader")
        return self.columns_in_r(*names) | {
            "difference": np.asarray(each["difference"], float),
            "reader_figure": np.asarray(each["figure"], float),
        }


@dataclass(frozen=True)
class _Row:
    """A modality: the cells that are compared, and the difference.

    Attributes
    ----------
    modality : str
    readers : tuple of str
        The other readers.
    own : int
        The cell of the standalone reader: modality x number of readers + reader.
    others : ndarray of int
        The cells of the others.
    theta : ndarray
        The figure of the standalone reader, then those of the others.
    means : Means
        Of the differences, one element.
    """

    modality: str
    readers: tuple[str, ...]
    own: int
    others: Ints
    theta: Floats
    means: Means


@checked
def standalone(
    ratings: Ratings,
    *,
    reader: str,
    covariance: Literal["jackknife", "delong", "unbiased"] = "jackknife",
    readers: Effect = "random",
    cases: Effect = "random",
    figure: FigureName = "auc",
    threshold: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    better: Literal["higher", "lower"] | None = None,
    adjust: str = "holm",
    alpha: float | None = None,
    level: float | None = None,
) -> StandaloneResult:
    """Compare a standalone reader, such as an AI system, with the mean of the readers.

    The standalone reader rates the same cases once: it does not vary over readers, and
    the comparison is of the others' differences to it.

    Parameters
    ----------
    ratings : Ratings
        With the standalone reader among the readers. Its ratings stand with each
        modality, or with one modality of its own (an incomplete design), which then is
        compared with the readers of every other modality.
    reader : str
        The label of the standalone reader.
    covariance : {"jackknife", "delong", "unbiased"}
        How covariances over cases are estimated.
    readers, cases : {"random", "fixed"}
        Whether conclusions concern new readers, and new cases, or those at hand. Not
        both can be fixed; a single other reader is fixed.
    figure, threshold, fpr_range, better
        As in ``mrmc``.
    adjust : str, default "holm"
        A name of ``pc.adjust`` for any family: over the modalities.
    alpha : float, optional
        Level of the decisions, 0.05 if not given, with which no interval disagrees: the
        intervals have the level of the adjustment's last step, 1 - alpha/(m - r) of m
        modalities with r rejected by Holm.
    level : float, optional
        Confidence level of each interval separately, in place of ``alpha``.

    Returns
    -------
    StandaloneResult
        An interval leaves out 0 exactly when ``p_value < 1 - level``.

    Raises
    ------
    InputError
        For an unknown reader, or an option that does not exist.
    DesignError
        If there are too few other readers or cases, or the standalone reader has
        ratings with several modalities and lacks another.

    Notes
    -----
    Equations 9.7, 9.8 of docs/equations.md.

    With d the differences of r readers and C their covariances over cases, the variance
    of the mean is (MS + max(r Cov2, 0)) / r, with Hillis' degrees of freedom (RJafroc's
    ``StCadVsRad`` calls it 1T-RRRC); with fixed cases it is the paired t test
    (1T-RRFC), with fixed readers the variance over cases.

    In simulations (``validation/CALIBRATION.md``) the test rejected 0.052, 0.048 and
    0.047 of true hypotheses at 0.05 with 3, 5 and 10 other readers.

    R: own formulas over figures without one case after another, and ``pROC::cov``;
    RJafroc (stored numbers).

    References
    ----------
    .. [1] Hillis, S. L. (2007). Statistics in Medicine 26, 596-619.
    .. [2] Hupse, R. et al. (2013). European Radiology 23, 93-100.

    Examples
    --------
    >>> import pycompare as pc
    >>> model = pc.RoeMetz(
    ...     separation=(1.0,), reader=0.01, modality_reader=0.01,
    ...     case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    ... )
    >>> ratings = model.draw(n_readers=6, n_positive=40, n_negative=40, seed=1)
    >>> found = pc.standalone(ratings, reader=ratings.readers[0])
    >>> found.table[["standalone", "readers", "estimate", "p_value"]].round(3)
       standalone  readers  estimate  p_value
    0       0.787    0.828    -0.042    0.315
    """
    asked = {name: value for name, value in locals().items() if name != "ratings"}
    require(ratings, Ratings)
    alpha, level = alpha_or_level(alpha, level)
    chosen = family_adjustment(adjust, _EQUAL)
    [own] = label_positions("reader", [reader], ratings.readers)
    of = own_figure(figure, threshold, fpr_range, better, ratings)
    require_covariance(covariance)
    turned = of.turned(ratings)
    pairs = _compared(ratings, own)
    units = len(ratings.clusters) or len(ratings.cases)
    models = [
        model_of(len(others), units, readers, cases, "one other reader")
        for *_, others in pairs
    ]
    figures = cells(turned, of, covariance, np.random.default_rng(0), 0)
    rows = [
        _row(ratings, figures, pair, own, model)
        for pair, model in zip(pairs, models, strict=True)
    ]
    notes = [
        _NO_ERROR.format(name=row.modality)
        for row in rows
        if not row.means.std_error[0] > 0
    ]
    if figure == "auc":
        notes += below_chance(np.concatenate([row.theta for row in rows]), of="rating")
    table = _table(rows, chosen)
    if alpha is not None:
        excludes = rejected(table["p_adjusted"], alpha)
        level = 1 - last_step(table["p_value"], excludes, alpha)
    return StandaloneResult(
        table=_with_limits(table, rows, level),
        by_reader=_by_reader(rows),
        standalone=ratings.readers[own],
        figure=of.title,
        population=POPULATIONS[readers, cases],
        adjust=chosen.name,
        alpha=alpha,
        level=level,
        n_readers=len({name for row in rows for name in row.readers}),
        n_units=figures.n_units,
        notes=(*ratings.notes, *notes),
        merit=figure,
        asked=asked,
        ratings=ratings,
        call=_call(turned, of, rows, covariance, models[0], chosen, level),
    )


def _compared(ratings: Ratings, reader: int) -> list[tuple[int, int, Ints]]:
    """Return each modality, that of the standalone reader, and the other readers."""
    read: Bools = np.any(ratings.read, axis=2)
    own = np.flatnonzero(read[:, reader])
    others = read.copy()
    others[:, reader] = False
    compared = np.flatnonzero(np.any(others, axis=1))
    name = show(ratings.readers[reader])
    if not len(compared):
        raise DesignError(f"reader={name} is the only reader: there is no other one")
    lacking = [i for i in compared if i not in own]
    if lacking and len(own) > 1:
        raise DesignError(
            f"reader={name} has ratings with {len(own)} modalities, and none with "
            f"modality={show(ratings.modalities[lacking[0]])}: add them, or give it "
            "one modality, which is compared with all"
        )
    return [
        (int(i), int(own[0] if lacking else i), np.flatnonzero(others[i]))
        for i in compared
    ]


def _row(
    ratings: Ratings,
    figures: ReaderCells,
    pair: tuple[int, int, Ints],
    reader: int,
    model: Model,
) -> _Row:
    """Return the comparison of one modality."""
    at, with_modality, others = pair
    r = len(ratings.readers)
    cell = with_modality * r + reader
    place = np.array([cell, *(at * r + others)])
    theta = figures.theta.ravel()[place]
    square = figures.covariance.reshape(figures.theta.size, -1)[np.ix_(place, place)]
    # Differences of the standalone reader to each of the others.
    less = np.hstack([np.ones((len(others), 1)), -np.eye(len(others))])
    d, of_d = theta[0] - theta[1:], less @ square @ less.T
    moments = rm.moments(d[None], of_d[None, :, None, :])
    largest = float(np.max(np.diag(square)))
    error = error_of(
        without_rounding(rm.each_modality(moments), theta, largest), model, 1
    )
    means = Means(
        d.mean(keepdims=True),
        root(error.mean_square / len(d)),
        np.broadcast_to(error.df, (1,)),
    )
    names = tuple(ratings.readers[j] for j in others)
    return _Row(ratings.modalities[at], names, cell, place[1:], theta, means)


def _with_limits(table: Columns, rows: list[_Row], level: float) -> Columns:
    """Return the table with an interval of each modality."""
    limits = np.array([np.ravel(row.means.limits(level)) for row in rows])
    return table.but(conf_low=limits[:, 0], conf_high=limits[:, 1])


def _table(rows: list[_Row], chosen: Adjustment) -> Columns:
    """Return one row per modality, without intervals."""
    p = np.array([two_sided(r.means.statistic, r.means.df)[0] for r in rows])

    def each(value: Callable[[_Row], float]) -> Floats:
        return np.array([float(value(row)) for row in rows])

    return Columns(
        {
            "modality": np.array([row.modality for row in rows], object),
            "standalone": each(lambda row: row.theta[0]),
            "readers": each(lambda row: row.theta[1:].mean()),
            "estimate": each(lambda row: row.means.estimate[0]),
            "std_error": each(lambda row: row.means.std_error[0]),
            "df": each(lambda row: row.means.df[0]),
            "statistic": each(lambda row: row.means.statistic[0]),
            "p_value": p,
            "p_adjusted": adjust_family(p, len(rows) + 1, chosen),
        }
    )


def _by_reader(rows: list[_Row]) -> Columns:
    """Return one row per modality and reader."""
    sizes = [len(row.readers) for row in rows]
    return Columns(
        {
            "modality": np.repeat(
                np.array([row.modality for row in rows], object), sizes
            ),
            "reader": np.array([n for row in rows for n in row.readers], object),
            "figure": np.concatenate([row.theta[1:] for row in rows]),
            "difference": np.concatenate(
                [row.theta[0] - row.theta[1:] for row in rows]
            ),
        }
    )


def _call(
    ratings: Ratings,
    figure: FigureOfMerit,
    rows: list[_Row],
    covariance: CovarianceName,
    model: Model,
    chosen: Adjustment,
    level: float,
) -> RCall | None:
    """Return the R call; None if R has not these covariances of the design."""
    if covariance != "jackknife" and ratings.design != "factorial":
        return None
    n = len(ratings.cases)
    sizes = [len(row.others) for row in rows]
    arguments = {
        "rating": ratings.values.reshape(-1, n).T,
        "truth": figure.r_truth(ratings),
        "cluster": None if ratings.cluster is None else ratings.cluster + 1.0,
        "figure": figure.name,
        "parameters": figure.r_parameters,
        "covariance": covariance,
        "readers": model.readers,
        "cases": model.cases,
        "alone": [row.own + 1.0 for row in rows],
        "others": np.concatenate([row.others for row in rows]) + 1.0,
        "row": np.repeat(np.arange(len(rows)) + 1.0, sizes),
        "adjust": chosen.name,
        "level": level,
    }
    return RCall(R_FILES, "standalone_reference", arguments)
