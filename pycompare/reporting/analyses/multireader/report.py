"""An analysis of readers and cases as a report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import degrees, number
from pycompare.base.metric import Metric
from pycompare.data.measures.chance import below_chance
from pycompare.data.ratings import Ratings
from pycompare.designs.decisions import decisions
from pycompare.designs.plans.post_hoc import described
from pycompare.methods.multireader.mixed_outcomes import GLMMResult
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import SingleModalityResult
from pycompare.reporting import document as doc
from pycompare.reporting.analyses.multireader import parts
from pycompare.reporting.content import build, ranks, sources, wording
from pycompare.reporting.content.build import Field
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.forest import forest
from pycompare.reporting.content.outcomes import (
    agreeing,
    facts,
    method,
    named_intervals,
    of_one_pair,
    ordered,
)
from pycompare.reporting.content.page import Report, Result
from pycompare.reporting.content.tables import against_best
from pycompare.reporting.document import p_equals
from pycompare.results.guarantees import guarantee_of
from pycompare.results.result import rejected

_CONCERNS = {
    "new readers and new cases": "The conclusions concern new readers and new cases, "
    "drawn as these were.",
    "these readers and new cases": "The conclusions concern these readers with new "
    "cases, not other readers.",
    "new readers and these cases": "The conclusions concern new readers with these "
    "cases, not other cases.",
}
_OTHERS = (
    "The other scopes answer other questions. A smaller p-value there is no stronger "
    "evidence for this one."
)
NORMAL = (
    "Figures of merit are assumed to vary normally over readers and cases; with few "
    "readers, or figures near 1, p-values and intervals are approximate."
)
_JACKKNIFE = {
    "jackknife": "Covariances over cases are estimated by the jackknife.",
    "delong": "Covariances over cases are estimated as DeLong does.",
    "unbiased": "Covariances over cases are the unbiased one-shot estimates.",
    "bootstrap": "Covariances over cases are estimated by the bootstrap.",
}
_CLUSTERS = (
    "Clusters of cases are assumed to be independent; cases within a cluster may "
    "depend on each other in any way."
)
ONE_VARIANCE = (
    "The test of three or more modalities assumes that all differences have one "
    "variance; pairs with their own error do not."
)
_DEFINITIONS = {
    "AUC": "AUC is the area under the empirical ROC curve: the share of pairs of a "
    "positive and a negative case of which the positive one is rated higher, ties "
    "counted half.",
    "partial AUC": "The partial AUC is the area under the empirical ROC curve between "
    "these false positive rates.",
    "sensitivity": "Sensitivity is the share of positive cases with such ratings.",
    "specificity": "Specificity is the share of negative cases without such ratings.",
    "rating": "The mean rating of a reader is over all cases.",
}
NOT_EQUALITY = "A non-significant comparison does not show equality."


Mixed = GLMMResult | str | None
"""A mixed model of 0/1 outcomes, why there is none, or None where there is no place."""


def mrmc_report(
    found: MRMCResult, mixed: Mixed, alpha: float, origin: dict[str, Any]
) -> Report:
    """Return everything that the page is made of."""
    return _report(
        found,
        alpha,
        origin,
        title=_title(found),
        results=[_result(found, mixed, alpha)],
        scope=[
            *map(wording.sentence, doubts(found)),
            _CONCERNS[found.population],
            *([_OTHERS] if found.scopes["scope"].nunique() > 1 else []),
        ],
        assumptions=_assumptions(found),
        plan=_plan(found, alpha),
        methods=_methods(found),
    )


def single_report(
    found: SingleModalityResult, alpha: float, origin: dict[str, Any]
) -> Report:
    """Return everything that the page about one modality is made of."""
    return _report(
        found,
        alpha,
        origin,
        title=f"Mean {found.figure} of {found.modality} {sample(found)}",
        results=[_result_of_one(found, alpha)],
        scope=[*map(wording.sentence, doubts(found)), _CONCERNS[found.population]],
        assumptions=[NORMAL],
        plan=_plan_of_one(found, alpha),
        methods=build.methods([(SINGLE, "one test", found.reference)]),
    )


def _report(
    found: parts.Readers, alpha: float, origin: dict[str, Any], **own: Any
) -> Report:
    """Return a report with what all analyses of readers and cases have."""
    return Report(
        subtitle=sources.subtitle(alpha, origin),
        data=_data_rows(found.ratings, origin),
        dropped=[_left_out(found.ratings)],
        origin=origin,
        **own,
    )


def _title(found: MRMCResult) -> str:
    """Return what was compared, by whom."""
    n = len(found.algorithms)
    many = (
        " and ".join(found.algorithms)
        if n == 2
        else f"{wording.begun(wording.count(n))} modalities"
    )
    return f"{many} compared in {found.figure} {sample(found)}"


def sample(found: parts.Readers) -> str:
    """Return ``by 5 readers on 120 cases``."""
    readers, cases = counted(found.n_readers, "reader"), len(found.ratings.cases)
    clusters = f" in {counted(found.n_units, 'cluster')}" * bool(found.ratings.clusters)
    return f"by {readers} on {counted(cases, 'case')}{clusters}"


def _left_out(ratings: Ratings) -> str:
    """Return which ratings there are not; missing ones are refused, none is dropped."""
    if ratings.design == "factorial":
        return "No rating is missing; nothing was dropped."
    return (
        f"The design is {ratings.design}: of {ratings.read.size} combinations of "
        f"modality, reader and case {ratings.read.sum()} are rated. Nothing was "
        f"dropped."
    )


def outcome(found: MRMCResult, alpha: float) -> Outcome:
    """Return the facts about the pairs."""
    metric = Metric(found.figure, found.direction)
    means = found.areas.set_index("algorithm")["estimate"]
    made = decisions(found, alpha)
    told = agreeing(facts(made, found, alpha, metric, in_unit=True))
    stated = Outcome(
        noun="modality",
        best="lowest" if found.direction == "lower" else "highest",
        metric=metric,
        quantity=f"mean {found.figure}",
        values=ordered(means, lower=found.direction == "lower"),
        pairs=tuple(told),
        intervals=named_intervals(found, told),
        omnibus=found.omnibus,
        method=method(found),
        family="",
        guarantee=guarantee_of(found, "blocks"),
        alpha=alpha,
        control=found.control,
    )
    return of_one_pair(stated, found) if len(made) == 1 else stated


def _result(found: MRMCResult, mixed: Mixed, alpha: float) -> Result:
    """Return the conclusion and the numbers behind it."""
    made, ranked = outcome(found, alpha), ranks.shown(found, alpha)
    [lead, *more] = [*parts.scopes_figure(found, "readers"), None]
    others = [
        one
        for one in (*more, *parts.curves(found.turned, "readers"))
        if one is not None
    ]
    band = None if found.margin is None else (-found.margin, found.margin)
    first = forest(made, band)
    scopes = parts.scopes(
        parts.scopes_of(found, alpha),
        alpha,
        found.level,
        f"{wording.begun(made.quantity)} compared for each scope of conclusions.",
    )
    return Result(
        title=wording.begun(found.figure),
        prefix="",
        answer=wording.headed(made),
        method=wording.method(made, ""),
        figure=lead,
        forest=first,
        table=scopes if first is None else None,
        blocks=doc.present(
            *_remarks(found),
            doc.Section("Scopes of conclusions", (scopes,), "scopes")
            if first is not None
            else None,
            _against_section(made),
            doc.Section("Pairs", (parts.pairs(found, (), alpha),), "pairs")
            if len(found.table) > 1
            else None,
            ranks.block(
                ranked, None, guarantee_of(found), nouns=("modality", "modalities")
            )
            if ranked
            else None,
            *parts.blocks(found, alpha, parts.READERS),
            doc.Fold(
                f"Figures ({len(others) + 1})",
                (*others, parts.components_figure(found)),
                "figures",
            ),
        ),
        sensitivity=doc.present(
            parts.figure_tests(found, "new readers, these cases"),
            *_mixed(mixed, alpha),
        ),
        tables=parts.csv_tables(found)
        | parts.csv_of_mixed(mixed)
        | (ranks.csv_tables(ranked) if ranked else {}),
    )


def _mixed(model: Mixed, alpha: float) -> Iterator[doc.Block]:
    """Yield the mixed model of 0/1 outcomes, or why there is none."""
    if isinstance(model, str):
        yield doc.Paragraph(f"No mixed model of the outcomes: {model}.")
    elif model is not None:
        yield parts.mixed(model, alpha)
        yield parts.mixed_effects(model)
        yield parts.mixed_random(model)


def doubts(found: parts.Readers) -> tuple[str, ...]:
    """Return the question whether ratings are reversed, if most AUCs are below 0.5."""
    if found.figure != "AUC":
        return ()
    return below_chance(found.by_reader["estimate"], of="rating")


def _remarks(found: parts.Readers) -> Iterator[doc.Block]:
    """Yield what a reader must know: thin data, negative estimates."""
    if found.notes:
        yield doc.Bullets(tuple(map(wording.sentence, found.notes)))


def _against_section(made: Outcome) -> doc.Section | None:
    """Return the best modality against the others, where all are compared."""
    table = against_best(made) if made.control is None else None
    return None if table is None else doc.Section("The best", (table,), "best")


def _assumptions(found: MRMCResult) -> list[str]:
    """Return what the analysis assumes and what it does not show."""
    return [
        NORMAL,
        _JACKKNIFE[found.covariance_method],
        *([_CLUSTERS] if found.ratings.clusters else []),
        *([ONE_VARIANCE] if len(found.algorithms) > 2 else []),
        NOT_EQUALITY,
    ]


def _plan(found: MRMCResult, alpha: float) -> list[str]:
    """Return the choices of the analysis in sentences."""
    claims = [] if found.margin is None else [f"The margin is {found.margin:g}."]
    against = f"Each other modality is compared with the control {found.control}."
    rule = "1992" if found.df_rule == "1992" else "Hillis"
    both = found.readers == found.cases == "random"
    degrees_by = f"; degrees of freedom by the rule of {rule}" * both
    return [
        f"Readers are {found.readers}, cases {found.cases}: conclusions concern "
        f"{found.population}.",
        f"The method is the {found.method}{degrees_by}.",
        _definition(found),
        *([] if found.control is None else [against]),
        f"Pairs are adjusted by {described(found.adjust).title}; alpha = {alpha:g}."
        if len(found.table) > 1
        else f"One pair is not adjusted; alpha = {alpha:g}.",
        *claims,
    ]


def _definition(found: parts.Readers) -> str:
    """Return what the figure of merit is."""
    return next(
        text for name, text in _DEFINITIONS.items() if found.figure.startswith(name)
    )


def _methods(found: MRMCResult) -> Any:
    """Return the methods with their error rates and sources."""
    title, source = wording.begun(found.method), found.reference
    if len(found.table) > 1:
        adjustment = described(found.adjust)
        title += f", {adjustment.title}"
        source += f"; {adjustment.reference}"
    return build.methods(
        [
            (found.omnibus.name, "one test", found.omnibus.reference),
            (title, guarantee_of(found, "blocks").text, source),
        ]
    )


def _data_rows(ratings: Ratings, origin: dict[str, Any]) -> sources.Rows:
    """Return the description of the ratings."""
    x = ratings.values[ratings.read]
    truth: list[tuple[str, doc.Inline]] = []
    if ratings.truth is not None:
        k = int(ratings.truth.sum())
        n = len(ratings.cases)
        truth = [
            ("Cases", f"{n}: {k} positive, {n - k} negative"),
            ("Classes", _classes(ratings)),
        ]
    return [
        *sources.file_rows(origin, "ratings"),
        ("Modalities", f"{len(ratings.modalities)}: {', '.join(ratings.modalities)}"),
        ("Readers", f"{len(ratings.readers)}: {', '.join(ratings.readers)}"),
        *(truth or [("Cases", str(len(ratings.cases)))]),
        *([("Clusters", _clusters(ratings))] if ratings.clusters else []),
        ("Design", ratings.design),
        ("Ratings", f"{x.size}, from {number(x.min())} to {number(x.max())}"),
    ]


def _classes(ratings: Ratings) -> str:
    """Return the labels of the classes, and what high ratings speak for."""
    labels = f"positive {ratings.positive}, negative {ratings.negative}; "
    return f"{labels if ratings.positive else ''}higher ratings speak for positive"


def _clusters(ratings: Ratings) -> str:
    """Return how many clusters there are, and how many cases they hold."""
    assert ratings.cluster is not None
    sizes = np.bincount(ratings.cluster, minlength=len(ratings.clusters))
    return f"{len(ratings.clusters)}, of {sizes.min()} to {sizes.max()} cases"


# ---- one modality

SINGLE = "Obuchowski-Rockette analysis of one modality"


def answer(found: SingleModalityResult, alpha: float) -> doc.Inline:
    """Return the mean with its interval, and the test if there is one."""
    mean = f"Mean {found.figure} of {found.modality}: {number(found.estimate, 3)}"
    if np.isnan(found.conf_low):
        return (doc.Strong(mean), ". ", "There is no interval and no test.")
    mean += f", {wording.interval((found.conf_low, found.conf_high), found.level)}"
    if found.null is None:
        return (doc.Strong(mean), ".")
    verb = "differs" if bool(rejected(found.p_value, alpha)) else "does not differ"
    test = (
        f" It {verb} significantly from {found.null:g} (t({degrees(found.df)}) = "
        f"{number(found.statistic, 3)}, {p_equals(found.p_value, alpha)})."
    )
    return (doc.Strong(mean), ".", test)


def reported(found: SingleModalityResult, alpha: float) -> str:
    """Return the mean with its interval and test in the past tense of a paper."""
    mean = (
        f"The mean {found.figure} of {found.modality} was {number(found.estimate, 3)}"
    )
    if np.isnan(found.conf_low):
        return f"{mean}, without an interval or a test."
    mean += f", {wording.interval((found.conf_low, found.conf_high), found.level)}"
    if found.null is None:
        return f"{mean}."
    verb = "differed" if bool(rejected(found.p_value, alpha)) else "did not differ"
    return (
        f"{mean}. It {verb} significantly from {found.null:g} "
        f"(t({degrees(found.df)}) = {number(found.statistic, 3)}, "
        f"{p_equals(found.p_value, alpha)})."
    )


def _result_of_one(found: SingleModalityResult, alpha: float) -> Result:
    """Return the conclusion and the numbers behind it."""
    curves = [*parts.curves(found.turned, "readers"), None]
    return Result(
        title=wording.begun(found.figure),
        prefix="",
        answer=answer(found, alpha),
        method=f"Method: {SINGLE}, with readers and cases as specified.",
        figure=curves[0],
        table=replace(_mean(found), file="mean"),
        blocks=doc.present(
            *_remarks(found),
            doc.Section("Readers one by one", (parts.by_reader(found),), "each"),
            doc.Fold(
                "Components of variance", (parts.components(found),), "components"
            ),
        ),
        tables={
            "mean": found.to_frame(),
            "by_reader": found.by_reader,
            "components": found.components,
        },
    )


def _mean(found: SingleModalityResult) -> doc.Table:
    """Return the mean in numbers."""
    test = (Field("t", "number", "statistic", digits=4), Field("p", "p", "p_value"))
    return parts.means(
        found,
        found.to_frame(),
        f"Mean {found.figure} over {counted(found.n_readers, 'reader')}.",
        Field("Modality", "label", "modality"),
        *(test if found.null is not None else ()),
    )


def _plan_of_one(found: SingleModalityResult, alpha: float) -> list[str]:
    """Return the choices of the analysis in sentences."""
    told = [f"The interval concerns {found.population}.", _definition(found)]
    if found.null is not None:
        told.append(
            f"The mean is tested against {found.null:g}, two-sided; alpha = {alpha:g}."
        )
    return told
