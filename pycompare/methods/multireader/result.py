"""What ``mrmc`` returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from pycompare.base.interop.r_call import RCall
from pycompare.base.metric import Direction
from pycompare.base.typing import Hypothesis
from pycompare.data.ratings import Ratings
from pycompare.methods.multireader.few_readers import largest_error
from pycompare.methods.multireader.figures import turned_by
from pycompare.methods.multireader.findings import Means
from pycompare.methods.multireader.words import FigureName
from pycompare.results.adjust import repeatable_in_r
from pycompare.results.family import Adjustable
from pycompare.results.result import PairsResult, Test, internal, plain

_CLAIMED = ("statistic", "df", "p_value", "p_adjusted")
"""Columns of claims that R repeats."""
_TESTED = ("estimate", "std_error", "df")
_TABLES = (
    "areas",
    "by_reader",
    "reader_pairs",
    "components",
    "analyses",
    "scopes",
    "anova",
    "covariance",
    "claims",
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MRMCResult(Adjustable, PairsResult):
    """Modalities compared over readers and cases; pairs as in ``PairsResult``.

    ``estimate`` is the mean figure of algorithm_1 minus that of algorithm_2, over
    readers; algorithms are the modalities.

    Attributes
    ----------
    omnibus : Test
        Test that all modalities have the same mean figure.
    figure : str
        The figure of merit in words.
    direction : {"higher", "lower"}
        Which direction of the figure is better.
    population : str
        Whom the conclusions concern: new or these readers, new or these cases.
    readers, cases : {"random", "fixed"}
    covariance_method, df_rule, error, pair_tests : str
        As chosen in ``mrmc``; ``pair_tests`` is how pairs are tested for new readers
        and new cases.
    descriptive_level : float
        Level of the intervals of modalities, readers, components and pairs in other
        scopes; ``level`` is that of ``table``.
    margin : float or None
    n_readers, n_units : int
        Readers, and independent cases (or clusters of cases).
    seed, resamples : int or None
        Of the bootstrap.
    areas : DataFrame
        One row per modality: ``algorithm estimate std_error df conf_low conf_high``.
    by_reader : DataFrame
        One row per reader and modality: its figure, with its error over cases.
    reader_pairs : DataFrame
        One row per reader and pair of modalities, p-values unadjusted, over cases.
    components : DataFrame
        One row per component of variance: ``component estimate floored correlation
        conf_low conf_high``; ``estimate`` may be negative, ``floored`` is 0 then. Those
        of readers have intervals in factorial designs with the jackknife.
    analyses : DataFrame
        The test of all modalities under each scope of conclusions, with the analyses
        of variance of figures (Maloof 2002): ``analysis population statistic_name
        statistic df1 df2 p_value``.
    scopes : DataFrame
        The tests of pairs under each scope of conclusions, adjusted within each:
        ``scope population algorithm_1 algorithm_2 estimate std_error statistic df
        p_value p_adjusted conf_low conf_high``.
    anova : DataFrame
        ``term df sum_sq mean_sq`` of figures (``or``) or pseudovalues (``dbm``).
    covariance : DataFrame
        Covariances of figures over cases, rows and columns (modality, reader).
    claims : DataFrame or None
        With a margin, one row per claim: ``claim algorithm_1 algorithm_2 bound
        statistic df p_value p_adjusted alpha shown``. ``superior``: algorithm_1 is
        better; ``non-inferior``: not worse by the margin; ``equivalent``: neither.
        Adjusted within each kind; ``shown`` if the adjusted p-value <= ``alpha``, which
        is half of that of the analysis for one-sided claims about a control.
    alpha : float
        Family-wise significance level.
    """

    omnibus: Test
    figure: str
    direction: Direction
    population: str
    alpha: float
    readers: str
    cases: str
    covariance_method: str
    df_rule: str
    error: str
    pair_tests: str
    descriptive_level: float
    margin: float | None
    n_readers: int
    n_units: int
    seed: int | None
    resamples: int | None
    merit: FigureName = internal()
    """Which figure it is."""
    fewest_readers: int = internal()
    """Readers of the modality that has fewest."""
    asked: Mapping[str, Any] = internal()
    """The options of ``mrmc`` as they were given."""
    ratings: Ratings = internal()
    call: RCall | None = internal()
    make: Mapping[str, Callable[[], pd.DataFrame | None]] = internal()
    """Makes the tables from numbers that are there; a table costs more than they do."""

    r_paths: ClassVar[Mapping[str, str]] = {
        "area": "areas/estimate",
        "area_std_error": "areas/std_error",
        "area_df": "areas/df",
        "area_conf_low": "areas/conf_low",
        "area_conf_high": "areas/conf_high",
        "component": "components/estimate",
        "component_floored": "components/floored",
        "component_correlation": "components/correlation",
        **{f"claim_{c}": f"claims/{c}" for c in _CLAIMED},
    }

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return the figures by which the algorithms are ordered; low is good."""
        name = "area" if self.direction == "lower" else "minus area"
        places = enumerate(self.algorithms, start=1)
        return {f"positions/{algorithm}": (name, at) for at, algorithm in places}

    @property
    def hypothesis(self) -> Hypothesis:
        """The scope of the first conclusion."""
        asked: Hypothesis | None = self.asked.get("hypothesis")
        return asked or "superiority"

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return self.direction == "lower"

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        # The error of two modalities is their own.
        count = len(self.algorithms)
        if self.error == "pooled" and count > 2:
            return "multireader/pooled-t"
        few = not self.fixed and largest_error(count, self.fewest_readers) is not None
        return f"multireader/{'few-readers-' * few}t"

    @property
    def turned(self) -> Ratings:
        """The ratings, higher ones speaking for the positive class."""
        return turned_by(self.asked, self.ratings)

    @property
    def clustered(self) -> bool:
        """Whether cases are in clusters."""
        return self.ratings.cluster is not None

    @property
    def fixed(self) -> tuple[str, ...]:
        """Limits of conclusions: these readers, or these cases."""
        chosen = {"readers": self.readers, "cases": self.cases}
        return tuple(name for name, effect in chosen.items() if effect == "fixed")

    @cached_property
    def areas(self) -> pd.DataFrame:
        """Mean figure of each modality with its interval."""
        return self.table_of("areas")

    @cached_property
    def by_reader(self) -> pd.DataFrame:
        """Figure of each reader with each modality, its error over cases."""
        return self.table_of("by_reader")

    @cached_property
    def reader_pairs(self) -> pd.DataFrame:
        """Differences of modalities in each reader, over cases, unadjusted."""
        return self.table_of("reader_pairs")

    @cached_property
    def components(self) -> pd.DataFrame:
        """Components of variance: ``component estimate floored``."""
        return self.table_of("components")

    @cached_property
    def analyses(self) -> pd.DataFrame:
        """The test of all modalities under each scope of conclusions."""
        return self.table_of("analyses")

    @cached_property
    def scopes(self) -> pd.DataFrame:
        """The tests of pairs under each scope of conclusions."""
        return self.table_of("scopes")

    @cached_property
    def anova(self) -> pd.DataFrame:
        """Analysis of variance of figures or pseudovalues."""
        return self.table_of("anova")

    @cached_property
    def covariance(self) -> pd.DataFrame:
        """Covariances of figures over cases."""
        return self.table_of("covariance")

    @cached_property
    def claims(self) -> pd.DataFrame | None:
        """Superiority, non-inferiority and equivalence; None without a margin."""
        return self.make["claims"]()

    def tested(self) -> tuple[Means, ...]:
        """Return the tests of all pairs of which the largest p-value counts: one."""
        columns = (self.as_columns()[name].astype(float) for name in _TESTED)
        return (Means(*columns),)

    def table_of(self, name: str) -> pd.DataFrame:
        """Make a table that every analysis has."""
        table = self.make[name]()
        assert table is not None
        return table

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, the tables included."""
        return PairsResult.to_dict(self) | {
            name: plain(getattr(self, name)) for name in _TABLES
        }

    @property
    def statistic(self) -> float:
        """F or chi-squared of all modalities."""
        return self.omnibus.statistic

    @property
    def df(self) -> Any:
        """Degrees of freedom of the test of all modalities."""
        return self.omnibus.df

    @property
    def p_value(self) -> float:
        """P-value of the test of all modalities."""
        return self.omnibus.p_value

    def summary(self, digits: int = 4) -> str:
        """Return the test of all modalities, its scope, the pairs and the notes."""
        scope = f"Scope of conclusions: {self.population}."
        counts = f"{self.ratings.counts}."
        pairs = PairsResult.summary(self, digits)
        notes = (f"  note: {note}" for note in self.notes)
        return "\n".join([counts, self.omnibus.summary(digits), scope, pairs, *notes])

    def r_call(self) -> RCall | None:
        """Return the R call; None for the bootstrap and designs that R has not."""
        return self.call

    def r_values(self) -> dict[str, Any]:
        """Return pairs, modalities, covariances, and what R has of all together."""
        columns = ["estimate", "std_error", "statistic", "df", "p_value", "conf_low"]
        columns += ["conf_high"]
        repeatable = repeatable_in_r(self.adjust, len(self.algorithms))
        if repeatable and self.adjusted_here:
            columns.append("p_adjusted")
        values: dict[str, Any] = self.columns_in_r(*columns)
        values["area"] = self.areas["estimate"].to_numpy(float)
        values |= self._r_values_of_tables("p_adjusted" in values)
        values["covariance"] = self.covariance.to_numpy(float).ravel()
        if self.ratings.read.any(axis=2).all():
            values["omnibus_statistic"] = self.omnibus.statistic
            values["omnibus_df"] = np.atleast_1d(np.asarray(self.omnibus.df, float))
            values["omnibus_p_value"] = self.omnibus.p_value
            values |= self._r_values_of_squares()
        if self.claims is not None:
            for name in _CLAIMED:
                if name != "p_adjusted" or name in values:
                    values[f"claim_{name}"] = self.claims[name].to_numpy(float)
        return values

    def _r_values_of_tables(self, adjusted: bool) -> dict[str, Any]:
        """Return what R has of single modalities, single readers and other scopes."""
        tests = ("statistic", "p_value", *(["p_adjusted"] if adjusted else []))
        limits = ("estimate", "std_error", "df", "conf_low", "conf_high")
        asked = [
            ("area", self.areas, limits[1:]),
            ("by_reader", self.by_reader, limits),
            ("reader_pairs", self.reader_pairs, (*limits, *tests[:2])),
            ("scopes", self.scopes, (*limits, *tests)),
        ]
        if self.ratings.read.any(axis=2).all():
            asked.append(("analyses", self.analyses, ("df1", "df2", *tests[:2])))
        return {
            f"{name}_{column}": table[column].to_numpy(float)
            for name, table, columns in asked
            for column in columns
            if len(table)
        }

    def _r_values_of_squares(self) -> dict[str, Any]:
        """Return what R has of components of variance and sums of squares."""
        components = self.components
        values = {"component": components["estimate"].to_numpy(float)}
        for name in ("floored", "correlation"):
            if name in components:
                values[f"component_{name}"] = components[name].to_numpy(float)
        limits = components[["conf_low", "conf_high"]]
        if limits.notna().any(axis=None):
            for name in limits:
                values[f"components_{name}"] = limits[name].to_numpy(float)
        if self.n_readers > 1:
            for name in ("df", "sum_sq", "mean_sq"):
                values[f"anova_{name}"] = self.anova[name].to_numpy(float)
        return values
