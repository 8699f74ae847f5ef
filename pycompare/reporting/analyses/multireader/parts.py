"""Tables and figures of readers and cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pycompare import plotting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import degrees, number, percent
from pycompare.base.tables import AnyTable
from pycompare.data.ratings import Ratings
from pycompare.designs.pair_methods import short_title
from pycompare.methods.multireader.mixed_outcomes import GLMMResult
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import SingleModalityResult
from pycompare.methods.multireader.standalone_reader import StandaloneResult
from pycompare.plotting.reader_curves import MOST_MODALITIES
from pycompare.plotting.scopes_of_conclusions import MOST_PAIRS, levels_of_scopes
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.build import Field, limits_of
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.wording import begun
from pycompare.reporting.document import (
    Block,
    Figure,
    FoldedSection,
    Inline,
    Section,
    Table,
)
from pycompare.results.result import rejected, with_adjustment

_COMPONENTS = {
    "error": "Error: variance over cases of one reader's {figure}.",
    "Cov1": "Cov1: covariance over cases of two values that share the {reader}.",
    "Cov2": "Cov2: of two that share the {modality}.",
    "Cov3": "Cov3: of two that share neither.",
}
_MOST_DOTS = 10
"""Readers of the first figure, each a dot."""
_MOST_ROWS = 60
"""Rows of a table of readers that the page lists; the CSV file has all."""


class Nouns(NamedTuple):
    """Names of readers and modalities."""

    reader: str
    modality: str


READERS = Nouns("reader", "modality")
Readers = MRMCResult | SingleModalityResult
AnyReaders = Readers | StandaloneResult


class Scope(NamedTuple):
    """One scope of conclusions with its answer.

    ``estimate`` and ``limits`` are those of ``pair``, the first of ``pairs`` pairs.
    ``within`` states how many pairs are within the margin; empty without one.
    """

    concern: str
    planned: bool
    statistic: str
    p_value: float
    significant: int
    pairs: int
    pair: tuple[str, str]
    estimate: float
    limits: tuple[float, float]
    within: Inline = ""

    @property
    def title(self) -> str:
        """Scope of conclusions, and whether the plan names it."""
        return f"{self.concern} (primary)" if self.planned else self.concern


def scopes(rows: Iterable[Scope], alpha: float, level: float, what: str) -> Table:
    """Return one row per scope; the planned one is the primary analysis."""
    scope_rows = list(rows)
    pair = scope_rows[0].pairs == 1
    direction = f" The difference is {' minus '.join(scope_rows[0].pair)}." * pair
    within = (Field("within the margin", "digits", "within"),)
    detail = (
        (
            Field("difference", "number", "estimate", digits=4),
            Field(f"{percent(level)} CI", "interval", "limits"),
        )
        if pair
        else (
            Field(
                "significant pairs",
                "digits",
                lambda row: build.tally(row.significant, row.pairs),
            ),
        )
    )
    return build.table(
        f"{what}{direction} The scope of the plan is the primary analysis. "
        f"Values in bold are significant at {alpha:g}.",
        scope_rows,
        Field("Conclusions concern", "label", "title"),
        Field("omnibus p" if not pair else "p", "p", "p_value", alpha),
        *detail,
        *(within if scope_rows[0].within else ()),
        Field("statistic", "digits", "statistic"),
        file="scopes",
    )


def scopes_of(study: MRMCResult, alpha: float) -> Iterator[Scope]:
    """Yield the scopes that a result has, the planned one first."""
    tests = study.analyses.set_index("analysis")
    names = list(dict.fromkeys(study.scopes["scope"]))
    planned = [n for n in names if tests["population"][n] == study.population]
    for name in [*planned, *(n for n in names if n not in planned)]:
        rows = study.scopes[study.scopes["scope"] == name]
        test, first = tests.loc[name], rows.iloc[0]
        yield Scope(
            test["population"],
            name in planned,
            _statistic(test),
            float(test["p_value"]),
            int(rejected(rows["p_adjusted"], alpha).sum()),
            len(rows),
            (first["algorithm_1"], first["algorithm_2"]),
            float(first["estimate"]),
            limits_of(first),
        )


def _statistic(row: pd.Series) -> str:
    """Return ``F(2, 14.3) = 5.1``."""
    df = row["df1"] if np.isinf(row["df2"]) else (row["df1"], row["df2"])
    title = wording.symbol(row["statistic_name"])
    return f"{title}({degrees(df)}) = {number(float(row['statistic']), 4)}"


def figure_tests(study: MRMCResult, concern: str) -> Table | None:
    """Return the analyses of variance of the figures, with their population."""
    mine = study.analyses["analysis"].str.contains("variance")
    rows = study.analyses[mine]
    if rows.empty:
        return None
    return build.table(
        f"Analyses of variance of the figures themselves (Maloof 2002). They have no "
        f"term for cases, so they concern {concern}. About new cases they reject far "
        "too often.",
        rows,
        Field("Analysis", "label", "analysis"),
        Field("p", "p", "p_value"),
        Field("F", "number", "statistic", digits=4),
        Field("df", "digits", lambda row: degrees((row.df1, row.df2))),
        file="analyses",
    )


def means(
    study: Readers, table: pd.DataFrame, caption: str, name: Field, *more: Field
) -> Table:
    """Return means over readers; ``name`` is the name of each row."""
    return build.table(
        caption,
        table,
        name,
        Field(f"mean {study.figure}", "number", "estimate", digits=4),
        _interval(study),
        Field("standard error", "number", "std_error"),
        build.DF,
        *more,
        file="means",
    )


def by_reader(study: Readers, nouns: Nouns = READERS) -> Table:
    """Return the figure of each reader, its interval over cases."""
    shown = study.by_reader
    modality = Field(begun(nouns.modality), "label", "algorithm")
    table = build.table(
        f"{begun(study.figure)} of each {nouns.reader}; intervals over cases alone, "
        "from the normal distribution.",
        shown,
        Field(begun(nouns.reader), "label", "reader"),
        *([modality] if "algorithm" in shown else []),
        Field(study.figure, "number", "estimate", digits=4),
        _interval(study),
        file="by_reader",
    )
    return replace(table, most=_MOST_ROWS)


def components(study: Readers, nouns: Nouns = READERS) -> Table:
    """Return the components of variance, and how negative estimates count."""
    rows = study.components
    extra = [Field("correlation", "number", "correlation")] * ("correlation" in rows)
    limited = "conf_low" in rows and rows["conf_low"].notna().any()
    if limited:
        extra.append(_interval(study))
    return build.table(
        f"Components of variance of {study.figure}, in its squared unit."
        + _meanings(rows, study.figure, nouns)
        + " Estimates are moments and may be negative; the last column sets "
        "negative ones to 0."
        + " Intervals: modified large-sample limits (Ting et al. 1990)."
        * bool(limited),
        rows,
        Field("Component", "label", "component"),
        Field("estimate", "number", "estimate", digits=4),
        *extra,
        Field("floored at 0", "number", "floored", digits=4),
        file="components",
    )


def _meanings(rows: pd.DataFrame, figure: str, nouns: Nouns) -> str:
    """Describe the components of Obuchowski and Rockette."""
    names = set(rows["component"])
    if "Cov2" not in names:  # pseudovalues, whose components say what they are
        return ""
    told = " ".join(text for name, text in _COMPONENTS.items() if name in names)
    correlated = " Correlation: covariance divided by error." * ("correlation" in rows)
    return f" {told.format(figure=figure, **nouns._asdict())}{correlated}"


def _interval(study: Any) -> Field:
    """Return the intervals of rows as a column; some rows may have none."""
    return Field(f"{percent(_level(study))} CI", "interval", limits_of)


def _level(study: Any) -> float:
    """Return the level of the intervals of means, which may be that of no pair."""
    return float(
        study.descriptive_level if isinstance(study, MRMCResult) else study.level
    )


def of_readers(study: MRMCResult, outcome: Outcome) -> list[tuple[str, float]]:
    """Return the difference of each of few readers, of two modalities."""
    if len(outcome.pairs) != 1:
        return []
    [pair] = outcome.pairs
    values = study.by_reader.pivot(
        index="reader", columns="algorithm", values="estimate"
    )
    if len(values) > _MOST_DOTS or values.isna().any(axis=None):
        return []
    differences = values[pair.subject] - values[pair.object]
    ordered = differences.sort_values(ascending=False, kind="stable")
    return [(str(name), float(x)) for name, x in ordered.items()]


_CLAIMS = {
    "superior": "better",
    "non-inferior": "not worse by the margin or more",
    "equivalent": "different by less than the margin",
}


def _claims(study: MRMCResult) -> Iterator[Table]:
    """Yield the claims, those of one significance level in one table."""
    if study.claims is None:
        return
    for alpha, claims in study.claims.groupby("alpha"):
        yield _claims_at(study, claims, float(alpha))


def _claims_at(study: MRMCResult, claims: pd.DataFrame, alpha: float) -> Table:
    """Return the claims that are tested at this level."""
    normal = np.isinf(claims["df"]).all()
    meanings = [f"{begun(k)}: {_CLAIMS[k]}." for k in claims["claim"].unique()]
    return build.table(
        f"Claims about mean {study.figure} ({study.direction} is better), margin "
        f"{study.margin:g}. {' '.join(meanings)} One-sided "
        f"{'z' if normal else 't'} tests, adjusted within each kind of claim "
        f"({short_title(study.adjust)}). Bold: adjusted p ≤ {alpha:g}.",
        claims,
        Field(
            "Claim",
            "label",
            lambda row: f"{row.algorithm_1} {row.claim} to {row.algorithm_2}",
        ),
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("raw p", "p", "p_value"),
        Field("z" if normal else "t", "number", "statistic"),
        *([] if normal else [build.DF]),
        file="claims",
    )


def mixed(model: GLMMResult, alpha: float) -> Table:
    """Return the pairs by the mixed model of 0/1 outcomes."""
    told = "".join(f" {wording.sentence(note)}" for note in model.notes)
    return build.table(
        f"{model.method}: crossed random cases and readers ({model.reference}). "
        f"{begun(model.estimate_name)}: {build.minus(model.as_columns())}. "
        f"{wording.test_result(model.omnibus)} for all modalities. Tests assume many "
        f"cases and readers.{told} Bold: adjusted p ≤ {alpha:g}.",
        build.by_evidence(model.as_columns()),
        build.PAIR,
        Field("difference", "number", "estimate", digits=4),
        _interval(model),
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("z", "number", "statistic", digits=4),
    )


def mixed_effects(model: GLMMResult) -> Table:
    """Return the fixed effect of each modality by the mixed model."""
    return build.table(
        "Effect of each modality by the mixed model, and the probability of an outcome "
        f"of 1 ({model.outcome}) for a reader and a case with random effects of 0.",
        model.effects,
        Field("Modality", "label", "algorithm"),
        Field("effect", "number", "estimate", digits=4),
        _interval(model),
        Field("probability", "number", "probability", digits=4),
    )


def mixed_random(model: GLMMResult) -> Table:
    """Return the random effects of the mixed model."""
    return build.table(
        f"Random effects of the mixed model, standard deviations ({model.link} scale).",
        model.random,
        Field("Random effect", "label", "effect"),
        Field("levels", "digits", lambda row: str(row.levels)),
        Field("standard deviation", "number", "sd", digits=4),
    )


def csv_of_mixed(model: GLMMResult | str | None) -> dict[str, AnyTable]:
    """Return the tables of the mixed model for CSV files; none without one."""
    if not isinstance(model, GLMMResult):
        return {}
    return {
        "mixed": model.as_columns(),
        "mixed_effects": model.effects,
        "mixed_random": model.random,
    }


def pairs(study: MRMCResult, others: Iterable[MRMCResult], alpha: float) -> Table:
    """Return every pair, by all adjustments."""
    return build.of_pairs([study, *others], alpha)


def blocks(study: MRMCResult, alpha: float, nouns: Nouns) -> Iterator[Block]:
    """Yield means, claims, and the folded parts: readers, components."""
    against = tuple(_claims(study))
    if against:
        yield Section("Claims", against, "claims")
    caption = (
        f"Mean {study.figure} over {counted(study.n_readers, nouns.reader)}; intervals "
        "have the scope of the primary analysis."
    )
    name = Field(begun(nouns.modality), "label", "algorithm")
    yield Section("Means", (means(study, study.areas, caption, name),), "means")
    yield FoldedSection(
        "Components of variance", (components(study, nouns),), "components"
    )
    title = f"{begun(nouns.reader)}s one by one"
    yield FoldedSection(title, (by_reader(study, nouns),), "each")


def csv_tables(study: MRMCResult) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    names = ("by_reader", "reader_pairs", "components", "analyses", "scopes", "anova")
    named = with_adjustment(study.as_columns(), study.adjust)
    tables: dict[str, AnyTable] = {"pairs": named, "means": study.areas}
    tables |= {name: getattr(study, name) for name in names}
    if study.claims is not None:
        tables["claims"] = study.claims
    return tables


# ---- figures


def scopes_figure(study: MRMCResult, readers: str) -> Iterator[Figure]:
    """Yield the differences of pairs under each scope, if there is room."""
    if len(study.as_columns()) > MOST_PAIRS:
        return
    yield Figure(
        "scopes",
        partial(plotting.scopes_of_conclusions, study, reader=readers),
        f"Differences in mean {study.figure}, {build.minus(study.as_columns())}, with "
        f"individual {levels_of_scopes(study, readers)}. Rows: whether conclusions "
        f"concern new {readers}, new cases, or both. Blue: the primary analysis.",
        "Differences with intervals under each scope; the tables have the numbers.",
    )


def curves(ratings: Ratings, readers: str) -> Iterator[Figure]:
    """Yield the ROC curves of all readers, if the design has them."""
    few = len(ratings.modalities) <= MOST_MODALITIES
    if ratings.truth is None or ratings.design != "factorial" or not few:
        return
    if ratings.marks:  # the curve of marks is no ROC curve
        return
    if ratings.truth.all() or not ratings.truth.any():
        return
    others = " Grey: means of the others." if len(ratings.modalities) > 1 else ""
    yield Figure(
        "reader_curves",
        partial(plotting.reader_curves, ratings),
        f"ROC curves of {counted(len(ratings.readers), readers[:-1])} (thin) and "
        f"their mean (thick).{others}",
        "ROC curves: true positive rate over false positive rate.",
    )


def components_figure(study: MRMCResult) -> Figure:
    """Return the components of variance as bars."""
    return Figure(
        "variance_components",
        partial(plotting.variance_components, study),
        f"Components of variance of {study.figure}, in its squared unit. Negative "
        "estimates (red) are noise about a small or zero component.",
        "Bars of the components of variance; the table has the numbers.",
    )
