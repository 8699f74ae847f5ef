"""A linear model by formula as a report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import degrees, number, percent
from pycompare.base.formatting.rounding import fixed
from pycompare.base.tables import AnyTable, Columns, stacked
from pycompare.designs.pair_methods import short_title
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.methods.models.anova import RESIDUALS
from pycompare.methods.models.dispersion import DispersionTest
from pycompare.methods.models.emmeans import Contrasts, MarginalMeans
from pycompare.methods.models.linear_model import LinearModel, TermManova
from pycompare.methods.models.permutation import ALL, TermPermutation
from pycompare.methods.models.residual_normality import residual_normality
from pycompare.reporting import document as doc
from pycompare.reporting.analyses.contrast_forest import contrast_forest
from pycompare.reporting.content import sources
from pycompare.reporting.content.build import Field, ci, table
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.content.wording import listing, sentence
from pycompare.reporting.document import p_equals
from pycompare.results.result import (
    MayDraw,
    NumberSource,
    Result,
    Test,
    plain,
    rejected,
    rows_of,
    with_adjustment,
)

ALL_RESPONSES = "All responses together"
_MANOVA = "Multivariate analysis of variance of each term in its stratum."
_MOST_MEANS = 60
"""Means in one table that is made without being asked for."""


_INTERCEPTS = (
    "Units are random intercepts; within-unit effects do not differ between units "
    "except as the kinds of units allow."
)
_SPHERICITY = (
    "All differences between levels within units have equal variance (sphericity). The "
    "Greenhouse-Geisser p-value does not assume this."
)
_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True, eq=False)
class ModelReport:
    """A linear model with what its report shows."""

    model: LinearModel
    plan: ModelPlan

    def to_dict(self) -> dict[str, Any]:
        """Return the contents of results.json."""
        return {
            "notes": self.model.notes,
            "readings": self.model.readings,
            "results": {title: _rows_of(result) for title, result in self.results()},
        }

    @cached_property
    def manova(self) -> dict[str, TermManova | str]:
        """The multivariate tests of each term, or why there are none."""
        none = len(self.model.responses) < 2 or self.model.fit.mixed is not None
        return {} if none else _each(self.model.terms, self.model.manova_of)

    @property
    def tested_together(self) -> dict[str, TermManova]:
        """The multivariate tests of the terms that have one."""
        by_term = self.manova.items()
        return {name: test for name, test in by_term if isinstance(test, TermManova)}

    @cached_property
    def means(self) -> dict[tuple[str, str], MarginalMeans]:
        """Marginal means by response and factors: those planned, or of each factor."""
        grid = self.model.fit.grid
        every = tuple(n for n in grid.factors if grid.count([n]) <= _MOST_MEANS)
        return {
            (response, names): self.model.emmeans(
                names.split(":"), response=response, at=self.at
            )
            for response in self.model.responses
            for names in self.plan.means or every
        }

    @cached_property
    def contrasts(self) -> dict[tuple[str, str], Contrasts]:
        """Pairwise comparisons: those planned, or of the means."""
        wanted = self.plan.contrasts or tuple(dict.fromkeys(n for _, n in self.means))
        return {
            (response, names): self.model.contrasts(
                names.split(":"),
                adjust=self.plan.adjust,
                response=response,
                alpha=self.plan.alpha,
                seed=self.plan.seed,
                at=self.at,
            )
            for response in self.model.responses
            for names in wanted
        }

    @property
    def at(self) -> Mapping[str, float]:
        """The planned values of covariates."""
        return self.plan.at or {}

    @cached_property
    def slopes(self) -> dict[tuple[str, str], MarginalMeans]:
        """The planned slopes by response, covariate and factors."""
        slopes = {}
        for response in self.model.responses:
            for names in self.plan.slopes:
                covariate, *factors = names.split(":")
                slopes[response, names] = self.model.slopes(
                    covariate, factors, response=response, at=self.at
                )
        return slopes

    @cached_property
    def within(self) -> dict[str, Contrasts]:
        """Comparisons of a factor's levels within those of another, by response.

        Made if the first comparisons are of a factor with a significant interaction
        with one other: differences over all levels of that one are then no answer.
        """
        by_response: dict[str, Contrasts] = {}
        grid = self.model.fit.grid
        for (response, names), _ in reversed(self.contrasts.items()):
            others = [
                other
                for term in interactions(self, response)
                if len(term) == 2 and names in term and {*term} <= {*grid.factors}
                for other in term
                if other != names
            ]
            if not others or grid.count([names, others[0]]) > _MOST_MEANS:
                by_response.pop(response, None)
                continue
            adjust = "single-step" if self.plan.adjust == "tukey" else self.plan.adjust
            by_response[response] = self.model.contrasts(
                [others[0], names],
                by=[others[0]],
                adjust=adjust,
                response=response,
                alpha=self.plan.alpha,
                seed=self.plan.seed,
                at=self.at,
            )
        return by_response

    def leading(self, response: str) -> Contrasts | None:
        """Return the comparisons that the page begins with, if there are any.

        None of a factor alone if it interacts with others significantly.
        """
        if response in self.within:
            return self.within[response]
        own = [names for r, names in self.contrasts if r == response]
        if not own or any(
            {*own[0].split(":")} < {*t} for t in interactions(self, response)
        ):
            return None
        return self.contrasts[response, own[0]]

    @cached_property
    def permuted(self) -> dict[str, TermPermutation | str]:
        """The permutation test of each term, or why there is none; if planned."""
        count = self.plan.permutations
        options: dict[str, Any] = {"permutations": count, "seed": self.plan.seed}
        test = partial(self.model.permutation_test, **options)
        return _each(self.model.terms, test) if count else {}

    @cached_property
    def dispersion(self) -> dict[str, DispersionTest]:
        """Levene-type tests of each factor; none for models with units or weights."""
        if self.model.within or self.model.row_weights:
            return {}
        return {
            name: self.model.dispersion_test(name)
            for name, levels in self.model.fit.grid.factors.items()
            if 1 < len(levels) <= self.model.n / 2
        }

    @property
    def drawn(self) -> tuple[str, ...]:
        """The uses of the random seed."""
        pairs = [*self.contrasts.values(), *self.within.values()]
        permuted = self.permuted.values()
        uses: list[tuple[str, Iterable[object]]] = [
            ("single-step p-values and intervals", pairs),
            ("permutations of residuals", permuted),
        ]
        return tuple(
            name
            for name, results in uses
            if any(
                isinstance(result, MayDraw) and result.is_drawn for result in results
            )
        )

    def results(self) -> list[tuple[str, Any]]:
        """Return everything that R repeats, with its title."""
        mixed = self.model.fit.mixed is not None
        titled: list[tuple[str, Any]] = [
            ("Tests of terms", self.model),
            *((f"Multivariate tests of {n}", test) for n, test in self.manova.items()),
            *((f"Dispersion by {n}", test) for n, test in self.dispersion.items()),
            *(
                (f"Permutations of residuals for {n}", test)
                for n, test in self.permuted.items()
            ),
            *([("Variances of units", self.model.variances)] if mixed else []),
            *((f"Means of {r} by {n}", means) for (r, n), means in self.means.items()),
            *((f"Slopes of {r} in {n}", of) for (r, n), of in self.slopes.items()),
            *(
                (f"Comparisons of {r} by {n}", contrasts)
                for (r, n), contrasts in self.contrasts.items()
            ),
            *(
                (f"Comparisons of {r} by {within_title(contrasts)}", contrasts)
                for r, contrasts in self.within.items()
            ),
        ]
        # What could not be made has a reason in its place.
        return [row for row in titled if not isinstance(row[1], str)]


def within_title(contrasts: Contrasts) -> str:
    """Return the compared factor, and within which levels: ``prep within data``."""
    names = contrasts.means.factors
    by = [name for name in names if name in contrasts.as_columns()]
    compared = ":".join(name for name in names if name not in by)
    return f"{compared} within {':'.join(by)}" if by else compared


def interactions(report: ModelReport, response: str) -> list[tuple[str, ...]]:
    """Return the factors of each significant interaction of a response."""
    model = report.model
    own = model.anova[model.anova["response"] == response]
    return _interactions(own, report.plan.alpha, model.tested_at)


def _interactions(
    anova: pd.DataFrame, alpha: float, tested_at: Mapping[str, str]
) -> list[tuple[str, ...]]:
    """Return the factors of each significant interaction of one response."""
    tested = anova[anova["p_value"].notna() & ~anova["term"].isin(list(tested_at))]
    significant = dict.fromkeys(tested["term"][rejected(tested["p_value"], alpha)])
    return [parts for t in significant if len(parts := tuple(t.split(":"))) > 1]


def _rows_of(result: Result) -> Any:
    """Return the rows of a result, with R's name of each column."""
    table = result.as_columns()
    if isinstance(result, LinearModel):
        return rows_of(plain(table), (), lambda at, _: result.sources(at))
    sources = {name: NumberSource(result, name) for name in table}
    if isinstance(result, Test):
        sources |= {f"df{i}": NumberSource(result, "df", at=i) for i in (1, 2)}
    return rows_of(plain(table), (), sources)


def _each(names: Iterable[str], make: Callable[[str], _T]) -> dict[str, _T | str]:
    """Return the function for each name, or why it cannot be made."""
    by_name: dict[str, _T | str] = {}
    for name in names:
        try:
            by_name[name] = make(name)
        except DesignError as error:
            by_name[name] = str(error)
    return by_name


def model_report(report: ModelReport, origin: dict[str, Any]) -> Report:
    """Return everything that the page is made of."""
    model = report.model
    results = [_of_response(report, name, i) for i, name in enumerate(model.responses)]
    if report.manova:
        results.append(_of_all_responses(report))
    return Report(
        title=f"Linear model of {', '.join(model.responses)}",
        subtitle=sources.subtitle(report.plan.alpha, origin),
        results=results,
        scope=_scope(model),
        assumptions=_assumptions(model),
        plan=[(f"{name}: ", doc.Literal(text)) for name, text in _planned(report.plan)],
        methods=_methods(report),
        data=[
            ("File", origin["file"] or "in memory"),
            ("SHA-256 of the file", origin["file_sha256"] or "–"),
            ("Rows", str(model.n)),
            *(("Read", line) for line in model.readings),
            *(
                (f"Levels of {name}", f"{len(levels)}: {', '.join(levels)}")
                for name, levels in model.fit.grid.factors.items()
                if len(levels) <= _MOST_MEANS
            ),
        ],
        dropped=[*map(sentence, model.notes)],
        origin=origin,
    )


# ---- one response


def _of_response(report: ModelReport, response: str, place: int) -> PageResult:
    """Return the conclusions about one response."""
    model, alpha = report.model, report.plan.alpha
    prefix = f"response{place + 1}_" if len(model.responses) > 1 else ""
    anova = model.anova[model.anova["response"] == response]
    means = {n: marginal for (r, n), marginal in report.means.items() if r == response}
    slopes = [of for (r, _), of in report.slopes.items() if r == response]
    pairs = {
        n: contrasts for (r, n), contrasts in report.contrasts.items() if r == response
    }
    drawn = next(iter(means.values()), None)
    leading, within = report.leading(response), report.within.get(response)
    terms = _terms_table(anova, model, alpha)
    shown = None if leading is None else contrast_forest(leading, alpha, prefix)
    tables: dict[str, AnyTable] = {"terms": anova}
    if within is not None:
        tables["within"] = within.as_columns()
    tables |= {
        f"means{i}": marginal.as_columns()
        for i, marginal in enumerate(means.values(), 1)
    }
    tables |= {f"slopes{i}": of.as_columns() for i, of in enumerate(slopes, 1)}
    tables |= {
        f"contrasts{i}": with_adjustment(contrasts.as_columns(), contrasts.adjust)
        for i, contrasts in enumerate(pairs.values(), 1)
    }
    if model.fit.mixed is not None:
        tables["variances"] = _variances_of(model, response)
    if len(model.responses) == 1:
        tables |= _dispersions(report)
    tables |= _permuted(report, response)
    return PageResult(
        title=response,
        prefix=prefix,
        answer=answer(anova, alpha, model.level, model.tested_at),
        method=method(model),
        figure=None
        if drawn is None or shown is not None
        else _means_figure(drawn, f"{prefix}means"),
        table=terms,
        forest=shown,
        blocks=doc.present(
            None if shown is None else doc.section("Tests of terms", terms),
            None
            if within is None
            else _contrasts_section(within, alpha, prefix, "within"),
            _variances(report, response),
            *(
                _means_section(
                    marginal,
                    f"means{i}",
                    f"{prefix}means" if shown and i == 1 else "",
                )
                for i, marginal in enumerate(means.values(), 1)
            ),
            *(_slopes_section(of, f"slopes{i}") for i, of in enumerate(slopes, 1)),
            *(
                _contrasts_section(contrasts, alpha, prefix, f"contrasts{i}")
                for i, contrasts in enumerate(pairs.values(), 1)
            ),
            _residuals(model, response, alpha),
            _dispersion(report) if len(model.responses) == 1 else None,
        ),
        sensitivity=doc.present(_permutations(report, response)),
        tables=tables,
    )


_UNTESTED = "No term can be tested"
_NOWHERE: Mapping[str, str] = {}
"""No term is tested at one value of a covariate."""


def answer(
    anova: pd.DataFrame,
    alpha: float,
    level: float,
    tested_at: Mapping[str, str] = _NOWHERE,
) -> doc.Inline:
    """Return which terms matter, the estimate before the test.

    Terms of ``tested_at`` have a hypothesis about one value of a covariate alone: no
    effect is claimed or missed of them.
    """
    apart = anova["term"].isin(list(tested_at))
    terms = anova[(anova["term"] != RESIDUALS) & ~apart]
    elsewhere = [f"No conclusion on the test of {at}." for at in tested_at.values()]
    tested = terms[terms["p_value"].notna()]
    if not len(tested):
        rest = anova[anova["term"] == RESIDUALS]
        if len(rest) and (rest["df1"] > 0).any() and not rest["sum_sq"].any():
            return f"{_UNTESTED}: they explain the response without a residual."
        return " ".join([*([] if elsewhere else [f"{_UNTESTED}."]), *elsewhere])
    small = tested["p_value"] <= alpha
    matter = [f"{r['term']} ({sized(r, level)})" for _, r in tested[small].iterrows()]
    others, told = list(tested["term"][~small]), []
    apart = _interactions(anova, alpha, tested_at)
    covered = [
        name
        for name in dict.fromkeys(tested["term"])
        if any({*name.split(":")} < {*parts} for parts in apart)
    ]
    if covered:
        return _depending(tested, apart, covered, alpha, level, elsewhere)
    if matter:
        plural = "s" * (len(matter) > 1)
        told.append(f"Significant effect{plural}: {'; '.join(matter)}.")
    if others:
        told.append(f"No significant effect: {', '.join(others)}.")
    # A term in several strata may be testable in one of them.
    untested = dict.fromkeys(t for t in terms["term"] if t not in set(tested["term"]))
    if untested:
        told.append(f"Not testable: {', '.join(untested)}.")
    return " ".join([*told, *elsewhere])


def _depending(
    tested: pd.DataFrame,
    apart: Sequence[tuple[str, ...]],
    covered: Sequence[str],
    alpha: float,
    level: float,
    elsewhere: Sequence[str],
) -> doc.Inline:
    """Return which effects depend on each other; those have no overall effect.

    A factor whose effect depends on another has no one effect to report.
    """
    told: list[doc.Span] = []
    own = tested[~tested["term"].isin(covered)]
    small = own["p_value"] <= alpha
    for parts in apart:
        name = ":".join(parts)
        if name in covered or name not in set(own["term"]):
            continue
        row = own[own["term"] == name].iloc[0]
        first, *rest = parts
        told += [
            doc.Strong(f"The effect of {first} depends on {' and '.join(rest)}"),
            f" ({sized(row, level)}). ",
        ]
    others = own[small & ~own["term"].isin([":".join(parts) for parts in apart])]
    if len(others):
        sizes = [f"{r['term']} ({sized(r, level)})" for _, r in others.iterrows()]
        told.append(f"Significant effect{'s' * (len(sizes) > 1)}: {'; '.join(sizes)}. ")
    told.append(f"No overall effect is reported of {listing(covered)}.")
    if not small.all():
        told.append(f" No significant effect: {', '.join(own['term'][~small])}.")
    return (*told, *(f" {each}" for each in elsewhere))


def sized(row: pd.Series, level: float) -> str:
    """Return effect size, interval and test of a term."""
    limits = f"[{fixed(row['conf_low'], 2)}, {fixed(row['conf_high'], 2)}]"
    df = degrees((float(row["df1"]), float(row["df2"])))
    size = fixed(row["partial_eta2"], 2)
    return (
        f"partial eta squared {size}, {percent(level)} CI {limits}, "
        f"F({df}) = {number(row['statistic'], 3)}, {p_equals(row['p_value'])}"
    )


def method(model: LinearModel) -> str:
    """Return how the terms were tested."""
    types = {1: "I", 2: "II", 3: "III"}
    mixed = model.fit.mixed
    if mixed is not None:
        df = "Kenward-Roger" if mixed.df == "kenward-roger" else "Satterthwaite"
        how = f"Mixed model by REML with {df} degrees of freedom"
    elif model.within:
        how = "Analysis of variance with error strata"
    else:
        how = "Analysis of variance, rows assumed independent"
        if model.row_weights:
            how += f" and weighted by {model.row_weights}"
    return f"{how}; type {types[model.type]} tests; {counted(model.n, 'row')}."


def _terms_table(anova: pd.DataFrame, model: LinearModel, alpha: float) -> doc.Table:
    tested = anova[anova["term"] != RESIDUALS]
    corrected = "p_gg" in tested and bool(tested["p_gg"].notna().any())
    return table(
        f"Tests of terms. Values in bold are significant at {alpha:g}.",
        tested,
        Field("Term", "label", "term"),
        Field("Tested against", "text", "stratum"),
        Field("df", "digits", _df),
        Field("F", "number", "statistic"),
        Field("p", "p", "p_value", alpha),
        Field("Partial eta squared", "estimate", "partial_eta2"),
        ci(model.level),
        *[Field("Greenhouse-Geisser p", "p", "p_gg", alpha)] * corrected,
        file="terms",
    )


def _df(row: Any) -> str:
    return degrees((float(row.df1), float(row.df2)))


def _means_figure(means: MarginalMeans, stem: str) -> doc.Figure:
    from pycompare import plotting

    several = len(means.factors) > 1
    level = percent(means.level)
    return doc.Figure(
        stem,
        partial(plotting.interaction if several else plotting.effects, means),
        f"Estimated marginal means of {means.response} by {_by(means)} with {level} "
        "intervals, unadjusted.",
        "Marginal means with intervals; the tables have the numbers.",
    )


def _by(means: MarginalMeans) -> str:
    """Return the factors of means, with those that they lie within."""
    return ":".join(means.factors)


def _means_section(means: MarginalMeans, file: str, stem: str) -> doc.Section:
    """Return means in a table with a file, and in a picture if that has a name."""
    names = _by(means)
    caption = f"Estimated marginal means of {means.response} by {names}{_at(means)}."
    means_table = _table_of(means, caption, "Mean", file)
    notes = map(doc.Paragraph, map(sentence, means.notes))
    figure = _means_figure(means, stem) if stem else None
    return doc.section(f"Means by {names}", means_table, *notes, figure)


def _at(means: MarginalMeans) -> str:
    """Return which covariates are not at their means."""
    if not means.at:
        return ""
    return " at " + listing(
        [f"{name} = {value:.6g}" for name, value in means.at.items()]
    )


def _slopes_section(slopes: MarginalMeans, file: str) -> doc.Section:
    """Return slopes of a covariate in a table with a file."""
    by = f" by {_by(slopes)}" if slopes.factors else ""
    of = f"{slopes.response} per unit of {slopes.slope}"
    caption = f"Slopes of {of}{by}{_at(slopes)}."
    slopes_table = _table_of(slopes, caption, "Slope", file)
    notes = map(doc.Paragraph, map(sentence, slopes.notes))
    return doc.section(f"Slopes of {slopes.slope}{by}", slopes_table, *notes)


def _table_of(means: MarginalMeans, caption: str, title: str, file: str) -> doc.Table:
    """Return means or slopes at the levels of their factors."""
    rows = means.as_columns()
    return table(
        caption,
        rows,
        *(_labels(rows, name) for name in means.factors),
        Field(title, "estimate", "estimate"),
        Field("Standard error", "number", "std_error"),
        Field("df", "number", "df"),
        ci(means.level),
        file=file,
    )


def _labels(rows: Columns, name: str) -> Field:
    """Return the levels of a factor, whose name may be none of an attribute."""
    return Field(name, "label", lambda row: rows[name][row.Index])


def adjusted_by(contrasts: Contrasts) -> str:
    """Return how p-values of comparisons are adjusted; one alone is not."""
    if len(contrasts.as_columns()) == 1:
        return "p not adjusted"
    if contrasts.adjust == "single-step":
        how = "the multivariate t distribution"
    else:
        how = short_title(contrasts.adjust)
    return f"p adjusted by {how} over {contrasts.family}"


def _contrasts_section(
    contrasts: Contrasts, alpha: float, prefix: str, stem: str
) -> doc.Section:
    """Return the comparisons of some means, and their picture if it has room."""
    from pycompare import plotting
    from pycompare.plotting.effects import MOST_ROWS

    names = within_title(contrasts)
    rows = contrasts.as_columns()
    by = [name for name in contrasts.means.factors if name in rows]
    limited = not np.isnan(rows["std_low"]).all()
    title = f"Standardised {percent(contrasts.means.level)} CI"
    its = Field(title, "interval", lambda row: (row.std_low, row.std_high))
    pairs_table = table(
        f"Pairwise comparisons by {names}{_at(contrasts.means)}: "
        f"{adjusted_by(contrasts)}; intervals {contrasts.interval}"
        f"{'; standardised intervals are individual' * limited}.",
        rows,
        *(_labels(rows, name) for name in by),
        Field("Comparison", "label", "contrast"),
        Field("Difference", "estimate", "estimate"),
        ci(contrasts.level),
        Field("df", "number", "df"),
        Field("t", "number", "statistic"),
        Field("Adjusted p", "p", "p_adjusted", alpha),
        Field("Standardised difference", "number", "std_effect"),
        *((its,) if limited else ()),
        file=stem,
    )
    figure = doc.Figure(
        f"{prefix}{stem}",
        partial(plotting.effects, contrasts),
        f"Differences of marginal means by {names}, intervals {contrasts.interval}.",
        "Differences with intervals; the table has the numbers.",
    )
    shown = figure if len(pairs_table.rows) <= MOST_ROWS else None
    notes = map(doc.Paragraph, map(sentence, contrasts.notes))
    return doc.section(f"Comparisons by {names}", pairs_table, *notes, shown)


def _variances_of(model: LinearModel, response: str) -> Columns:
    every = model.variances.as_columns()
    return every.where(every["response"] == response)


def _variances(report: ModelReport, response: str) -> doc.Section | None:
    if report.model.fit.mixed is None:
        return None
    variances = table(
        "Variances by restricted maximum likelihood.",
        _variances_of(report.model, response),
        Field("Units", "label", "unit"),
        Field("Variance", "number", "variance"),
        Field("Standard deviation", "number", "std_dev"),
        Field("Share", "number", "share"),
        file="variances",
    )
    return doc.section("Variances of units", variances)


def _residuals(model: LinearModel, response: str, alpha: float) -> doc.Section | None:
    tests = residual_normality(model.fit)
    own = tests[tests["response"] == response]
    if not len(own):
        return None
    row = own.iloc[0]
    shape = "deviate" if row["p_value"] <= alpha else "do not deviate"
    text = (
        f"The residuals of stratum {row['stratum']} {shape} significantly from a "
        f"normal distribution (Shapiro-Wilk W = {number(row['statistic'], 4)}, "
        f"{p_equals(float(row['p_value']))}, n = {row['n']})."
    )
    return doc.section("Residuals", doc.Paragraph(text))


def _dispersion(report: ModelReport) -> doc.Section | None:
    tests = [
        named_test
        for named_test in report.dispersion.items()
        if named_test[1].p_source != "none"
    ]
    if not tests:
        return None
    dispersion = table(
        "Equal dispersion of groups: Levene-type tests of residuals' distances from "
        "their group's medians.",
        tests,
        Field("Groups", "label", itemgetter(0)),
        Field("df", "digits", lambda row: degrees(row[1].df)),
        Field("F", "number", lambda row: row[1].statistic),
        Field("p", "p", lambda row: row[1].p_value, report.plan.alpha),
        file="dispersion",
    )
    return doc.section("Dispersion of groups", dispersion)


def _dispersions(report: ModelReport) -> dict[str, AnyTable]:
    """Return the tests of dispersion for a CSV file, if there are any."""
    tests = [
        test.as_columns().but(groups=name)
        for name, test in report.dispersion.items()
        if test.p_source != "none"
    ]
    return {"dispersion": stacked(tests)} if tests else {}


def _permuted(report: ModelReport, response: str) -> dict[str, AnyTable]:
    """Return the permutation tests of a response for a CSV file, if there are any."""
    tests = [
        table.where(table["response"] == response).but(term=name)
        for name, permuted in report.permuted.items()
        if not isinstance(permuted, str)
        for table in [permuted.as_columns()]
    ]
    return {"permutation": stacked(tests)} if tests else {}


def _permutations(report: ModelReport, response: str) -> doc.Section | None:
    if not report.permuted:
        return None
    alpha = report.plan.alpha
    anova = report.model.anova.set_index(["response", "term"])["p_value"]
    rows, notes = [], []
    for name, permuted in report.permuted.items():
        if isinstance(permuted, str):
            notes.append(f"Not permuted: {permuted}.")
            continue
        row = permuted.as_columns().row(response=response)
        manova, planned = report.manova.get(name), math.nan
        if response != ALL:
            planned = float(anova[response, name])
        elif isinstance(manova, TermManova):
            planned = float(manova.as_columns().row(test="wilks").p_value)
        p = float(row.p_value)
        same = (planned <= alpha) == (p <= alpha)
        known = not (math.isnan(planned) or math.isnan(p))
        rows.append(
            (
                name,
                permuted.notes[0],
                planned,
                p,
                ("yes" if same else "no") if known else "",
            )
        )
    shown = table(
        "Terms tested by permutations of residuals (Freedman and Lane), without "
        "assuming normal errors.",
        rows,
        Field("Term", "label", itemgetter(0)),
        Field("Permuted", "text", itemgetter(1)),
        Field("Primary p", "p", itemgetter(2), alpha),
        Field("Permutation p", "p", itemgetter(3), alpha),
        Field("Same decision", "text", itemgetter(4)),
        file="permutation",
    )
    told = map(doc.Paragraph, notes)
    return doc.section("Permutation of residuals", shown if rows else None, *told)


# ---- all responses


def _of_all_responses(report: ModelReport) -> PageResult:
    alpha = report.plan.alpha
    by_term = {
        n: test for n, test in report.manova.items() if isinstance(test, TermManova)
    }
    tests = [
        test.as_columns().but(term=name, stratum=test.stratum)
        for name, test in by_term.items()
    ]
    return PageResult(
        title=ALL_RESPONSES,
        prefix="multivariate_",
        answer=_joint_answer(by_term, alpha, report.model.tested_at),
        method=_MANOVA,
        table=_manova_table(by_term, alpha),
        figure=_he_figure(report.model, by_term, alpha),
        blocks=doc.present(*_not_tested(report), _dispersion(report)),
        sensitivity=doc.present(_permutations(report, ALL)),
        tables={
            "tests": stacked(tests or [Columns({})]),
            **_dispersions(report),
            **_permuted(report, ALL),
        },
    )


def _joint_answer(
    by_term: Mapping[str, TermManova],
    alpha: float,
    tested_at: Mapping[str, str] = _NOWHERE,
) -> str:
    """Return which terms matter for all responses together; see ``answer``."""
    pillai = {
        name: test.as_columns().row(test="pillai")
        for name, test in by_term.items()
        if name not in tested_at
    }
    matter = [
        f"{name} (Pillai {fixed(row.statistic, 2)}, {p_equals(float(row.p_value))})"
        for name, row in pillai.items()
        if row.p_value <= alpha
    ]
    if not matter:
        return "No term has a significant multivariate effect."
    return f"Significant effects on all responses together: {', '.join(matter)}."


def _manova_table(by_term: dict[str, TermManova], alpha: float) -> doc.Table:
    rows = [
        (n, test.stratum, r)
        for n, test in by_term.items()
        for r in test.as_columns().itertuples()
    ]
    return table(
        "Multivariate tests of each term.",
        rows,
        Field("Term", "label", itemgetter(0)),
        Field("Tested against", "text", itemgetter(1)),
        Field("Test", "text", lambda row: row[2].test),
        Field("Statistic", "number", lambda row: row[2].statistic),
        Field("df", "digits", lambda row: _df(row[2])),
        Field("F", "number", lambda row: row[2].f),
        Field("p", "p", lambda row: row[2].p_value, alpha),
        file="tests",
    )


def _he_figure(
    model: LinearModel, by_term: dict[str, TermManova], alpha: float
) -> doc.Figure | None:
    """Return the ellipses of the first term and of error, of two responses."""
    from pycompare import plotting

    term = next((n for n, test in by_term.items() if test.rank == 2), None)
    if len(model.responses) != 2 or term is None:
        return None
    return doc.Figure(
        "multivariate_ellipses",
        partial(plotting.hypothesis_ellipse, model, term, alpha=alpha),
        f"Variation by {term} (solid) and by error (dashed). The solid ellipse reaches "
        f"outside the dashed one if Roy's test is significant at {alpha:g}.",
        "Ellipses of a term and of error in the plane of two responses.",
    )


def _not_tested(report: ModelReport) -> Iterator[doc.Block]:
    """Yield why terms have no multivariate test."""
    for test in report.manova.values():
        if isinstance(test, str):
            yield doc.Paragraph(f"Not tested: {test}.")


# ---- what supports it


def _scope(model: LinearModel) -> list[doc.Inline]:
    """Return the scope of the conclusions."""
    if model.within:
        return [
            f"Each term is tested against the variation between the units in which it "
            f"varies ({model.within}). The conclusions concern further units of these "
            f"kinds.",
            "Units are assumed to be independent. Folds of one data set share training "
            "data and are not, so their p-values would be too small.",
        ]
    return [
        "Rows are assumed to be independent. Measurements on common data sets or folds "
        "are not: name them in within, or these p-values are too small."
    ]


def _assumptions(model: LinearModel) -> list[doc.Inline]:
    """Return the assumptions of the tests."""
    mixed = model.fit.mixed is not None
    return [
        "Errors are normal with "
        + (
            f"variances that are inversely proportional to {model.row_weights}."
            if model.row_weights
            else "one variance in each stratum."
        ),
        "The formula holds all terms that matter; terms were chosen before the data "
        "were seen.",
        *[_INTERCEPTS] * mixed,
        *[_SPHERICITY] * (bool(model.within) and not mixed),
    ]


def _planned(plan: ModelPlan) -> list[tuple[str, str]]:
    """Return the decisions as names and values."""
    lists = ("means", "contrasts", "slopes")
    listed = {name: ", ".join(getattr(plan, name)) for name in lists}
    at = [f"{name} = {value:.6g}" for name, value in (plan.at or {}).items()]
    listed["at"] = ", ".join(at)
    names = ("formula", "within", "row_weights", "type", "method", "df", "missing",
             "permutations", "means", "contrasts", "slopes", "at", "adjust", "level",
             "alpha", "seed")  # fmt: skip
    given = {n: listed.get(n, getattr(plan, n)) for n in names}
    return [(name, str(value)) for name, value in given.items() if value]


def _methods(report: ModelReport) -> doc.Table:
    mixed = report.model.fit.mixed
    stratified = mixed is None and bool(report.model.within)
    rows = [
        (True, "Formula", "Wilkinson & Rogers (1973) Appl. Statist. 22, 392-399"),
        (True, "Types of tests", "Fox (2016) Applied Regression Analysis, 3rd ed., "
         "ch. 8"),
        (True, "Estimated marginal means", "Searle, Speed & Milliken (1980) Amer. "
         "Statist. 34, 216-221"),
        (mixed, "REML", "Patterson & Thompson (1971) Biometrika 58, 545-554"),
        (mixed and mixed.df == "kenward-roger", "Kenward-Roger",
         "Kenward & Roger (1997) Biometrics 53, 983-997"),
        (mixed and mixed.df != "kenward-roger", "Satterthwaite",
         "Fai & Cornelius (1996) J. Statist. Comput. Simul. 54, 363-378"),
        (stratified, "Error strata", "Nelder (1965) Proc. R. Soc. A 283, 147-178"),
        (report.dispersion, "Dispersion of groups",
         "van Valen (1978) Evol. Theory 4, 33-43"),
        (report.permuted, "Permutation of residuals",
         "Freedman & Lane (1983) J. Bus. Econ. Statist. 1, 292-298"),
        (report.manova, "Multivariate tests, HE plot",
         "Friendly (2007) J. Comput. Graph. Statist. 16, 421-444"),
    ]  # fmt: skip
    return table(
        "Methods.",
        [row for row in rows if row[0]],
        Field("Method", "label", itemgetter(1)),
        Field("source", "text", itemgetter(2)),
    )
