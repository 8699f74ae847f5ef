"""An analysis of readers and cases as a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pycompare.base.formatting.counts import counted, every_one_of
from pycompare.base.formatting.numbers import degrees, number
from pycompare.base.metric import Metric
from pycompare.base.tables import AnyTable, Columns
from pycompare.data.measures.chance import below_chance
from pycompare.data.ratings import Ratings
from pycompare.designs.decisions import decisions
from pycompare.designs.firmness import LeftOut
from pycompare.designs.pair_methods import described
from pycompare.designs.readers_left_out import claims_of, stricter_claims
from pycompare.methods.multireader.mixed_outcomes import GLMMResult
from pycompare.methods.multireader.result import MRMCResult
from pycompare.methods.multireader.single_modality import SingleModalityResult
from pycompare.methods.multireader.standalone_reader import StandaloneResult
from pycompare.methods.multireader.words import FigureName
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
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.content.tables import against_best
from pycompare.reporting.document import p_equals
from pycompare.results.guarantees import guarantee_of
from pycompare.results.result import rejected

CONCERNS = {
    "new readers and new cases": "The conclusions concern new readers and new cases, "
    "drawn as these were.",
    "these readers and new cases": "The conclusions concern these readers with new "
    "cases, not other readers.",
    "new readers and these cases": "The conclusions concern new readers with these "
    "cases, not other cases.",
}
_OTHERS = (
    "The other scopes answer other questions. A smaller p-value for another scope does "
    "not strengthen this conclusion."
)
_NORMAL = (
    "Figures of merit are assumed to vary normally over {readers} and cases; with few "
    "{readers}, or figures near 1, p-values and intervals are approximate."
)
COVARIANCES = {
    "jackknife": "Covariances over cases are estimated by the jackknife.",
    "delong": "Covariances over cases are estimated as DeLong does.",
    "unbiased": "Covariances over cases are the unbiased one-shot estimates.",
    "bootstrap": "Covariances over cases are estimated by the bootstrap.",
}
CLUSTERED = (
    "Clusters of cases are assumed to be independent; cases within a cluster may "
    "depend on each other in any way."
)
ONE_VARIANCE = (
    "The test of three or more modalities assumes that all differences have one "
    "variance; pairs with their own error do not."
)
_DEFINITIONS: dict[FigureName, str] = {
    "auc": "AUC is the area under the empirical ROC curve: the share of pairs of a "
    "positive and a negative case of which the positive one is rated higher, ties "
    "counted half.",
    "partial_auc": "The partial AUC is the area under the empirical ROC curve between "
    "these false positive rates.",
    "sensitivity": "Sensitivity is the share of positive cases with such ratings.",
    "specificity": "Specificity is the share of negative cases without such ratings.",
    "mean": "The mean rating of a reader is over all cases.",
    "afroc": "The AFROC area is the share of pairs of a lesion and a normal case in "
    "which the lesion is rated higher than the highest mark of the normal case, ties "
    "counted half; sites without a mark have the lowest rating.",
    "wafroc": "The weighted AFROC area is the mean over cases with lesions of the "
    "share of pairs of a lesion and a normal case in which the lesion is rated higher "
    "than the highest mark of the normal case, ties counted half; lesions of a case "
    "have equal weights, and sites without a mark have the lowest rating.",
}
NOT_EQUALITY = "A non-significant comparison does not show equality."


MixedOutcomes = GLMMResult | str | None
"""A mixed model of 0/1 outcomes, why there is none, or None if there is no place."""


def mrmc_report(
    study: MRMCResult,
    mixed: MixedOutcomes,
    alpha: float,
    origin: dict[str, Any],
    left_out: LeftOut,
) -> Report:
    """Return everything that the page is made of."""
    return report_of(
        study,
        alpha,
        origin,
        title=_title(study),
        results=[_result(study, mixed, alpha, left_out)],
        scope=[
            *map(wording.sentence, doubts(study)),
            CONCERNS[study.population],
            *([_OTHERS] if study.scopes["scope"].nunique() > 1 else []),
        ],
        assumptions=_assumptions(study),
        plan=_plan(study, alpha),
        methods=_methods(study),
    )


def single_report(
    study: SingleModalityResult, alpha: float, origin: dict[str, Any]
) -> Report:
    """Return everything that the page about one modality is made of."""
    return report_of(
        study,
        alpha,
        origin,
        title=f"Mean {study.figure} of {study.modality} {sample(study)}",
        results=[_result_of_one(study, alpha)],
        scope=[*map(wording.sentence, doubts(study)), CONCERNS[study.population]],
        assumptions=[normal("readers")],
        plan=_plan_of_one(study, alpha),
        methods=build.methods([(SINGLE, "one test", study.reference)]),
    )


def report_of(
    study: parts.AnyReaders, alpha: float, origin: dict[str, Any], **own: Any
) -> Report:
    """Return a report with what all analyses of readers and cases have."""
    return Report(
        subtitle=sources.subtitle(alpha, origin),
        data=_data_rows(study.ratings, origin),
        dropped=[_left_out(study.ratings)],
        origin=origin,
        **own,
    )


def _title(study: MRMCResult) -> str:
    """Describe the comparison: by whom."""
    n = len(study.algorithms)
    many = (
        " and ".join(study.algorithms)
        if n == 2
        else f"{wording.begun(wording.count(n))} modalities"
    )
    return f"{many} compared in {study.figure} {sample(study)}"


def normal(readers: str) -> str:
    """Return the assumptions about figures; ``readers`` states what readers are."""
    return _NORMAL.format(readers=readers)


def sample(study: parts.AnyReaders) -> str:
    """Return ``by 5 readers on 120 cases``."""
    return f"by {counted(study.n_readers, 'reader')} on {sites(study)}"


def sites(study: parts.AnyReaders) -> str:
    """Return ``120 cases``, or the sites of marks."""
    if study.ratings.marks:
        return study.ratings.sites
    clusters = f" in {counted(study.n_units, 'cluster')}" * bool(study.ratings.clusters)
    return f"{counted(len(study.ratings.cases), 'case')}{clusters}"


def _left_out(ratings: Ratings) -> str:
    """Return which ratings are missing, and reject missing ones: none is dropped."""
    if ratings.design == "factorial":
        return "No rating is missing; nothing was dropped."
    return (
        f"The design is {ratings.design}: of {ratings.read.size} combinations of "
        f"modality, reader and case {ratings.read.sum()} are rated. Nothing was "
        f"dropped."
    )


def outcome(study: MRMCResult, alpha: float) -> Outcome:
    """Return the facts about the pairs."""
    metric = Metric(study.figure, study.direction)
    means = study.areas.set_index("algorithm")["estimate"]
    decided = decisions(study, alpha)
    told = agreeing(facts(decided, study, alpha, metric, in_unit=True))
    stated = Outcome(
        noun="modality",
        best="lowest" if study.direction == "lower" else "highest",
        metric=metric,
        quantity=f"mean {study.figure}",
        values=ordered(means, lower=study.direction == "lower"),
        pairs=told,
        intervals=named_intervals(study, told),
        omnibus=study.omnibus,
        method=method(study),
        family="",
        guarantee=guarantee_of(study),
        alpha=alpha,
        control=study.control,
    )
    return of_one_pair(stated, study) if len(decided) == 1 else stated


_MOST_CLAIMS = 6
"""Claims about the hypothesis that the answer lists; the table has all."""


def headed(study: MRMCResult, alpha: float) -> doc.Inline:
    """Return the answer, what is concluded about the hypothesis of the plan first."""
    supplementary = wording.headed(outcome(study, alpha))
    if study.hypothesis == "superiority":
        return supplementary
    rows = claims_of(study)
    assert rows is not None  # such a hypothesis has a margin
    spans: list[doc.Span] = []
    for row in rows.head(_MOST_CLAIMS).to_dict("records"):
        spans += [*([" "] if spans else []), *_claimed(study, row)]
    if len(rows) > _MOST_CLAIMS:
        n = int(rows["shown"].sum())
        spans.append(f" In all, {n} of {len(rows)} are shown.")
    more = (supplementary,) if isinstance(supplementary, str) else supplementary
    return (*spans, f" {wording.SUPPLEMENTARY}: ", *more)


def _claimed(study: MRMCResult, row: Mapping[str, Any]) -> Iterator[doc.Span]:
    """Yield whether non-inferiority or equivalence of a pair is shown, and by what."""
    first, second = row["algorithm_1"], row["algorithm_2"]
    estimate, limits = _difference(study, first, second)
    sides = "one-sided " if study.hypothesis == "non-inferiority" else ""
    told = (
        f" (margin {study.margin:g}: difference {wording.value(estimate)}, "
        f"{wording.interval(limits, study.level)}; {sides}adjusted "
        f"{p_equals(row['p_adjusted'], row['alpha'])}, alpha = {row['alpha']:g})."
    )
    if not row["shown"]:
        joint = "to" if sides else "and"
        yield f"{wording.begun(study.hypothesis)} of {first} {joint} {second} is not "
        yield f"shown{told}"
        return
    if sides:
        yield doc.Strong(f"{first} is non-inferior to {second}")
    else:
        yield doc.Strong(f"{first} and {second} are equivalent")
    yield told


def _difference(
    study: MRMCResult, first: str, second: str
) -> tuple[float, tuple[float, float]]:
    """Return the first figure minus the second, and its interval."""
    rows = dict(zip(study.row_labels(), study.as_columns().itertuples(), strict=True))
    if row := rows.get((first, second)):
        return row.estimate, build.limits_of(row)
    row = rows[second, first]
    return -row.estimate, (-row.conf_high, -row.conf_low)


def _result(
    study: MRMCResult, mixed: MixedOutcomes, alpha: float, left_out: LeftOut
) -> PageResult:
    """Return the conclusion and the numbers behind it."""
    conclusion, ranked = outcome(study, alpha), ranks.shown(study, alpha)
    [lead, *more] = [*parts.scopes_figure(study, "readers"), None]
    others = [
        figure
        for figure in (*more, *parts.curves(study.turned, "readers"))
        if figure is not None
    ]
    band = None if study.margin is None else (-study.margin, study.margin)
    first = forest(conclusion, band, parts.of_readers(study, conclusion), "reader")
    scopes = parts.scopes(
        parts.scopes_of(study, alpha),
        alpha,
        study.level,
        f"{wording.begun(conclusion.quantity)} compared for each scope of conclusions.",
    )
    return PageResult(
        title=wording.begun(study.figure),
        prefix="",
        answer=headed(study, alpha),
        method=wording.method(conclusion, ""),
        figure=lead if first is None else None,
        forest=first,
        table=scopes if first is None else None,
        blocks=doc.present(
            *remarks(study),
            doc.section("Scopes of conclusions", scopes, lead)
            if first is not None
            else None,
            _against_section(conclusion),
            doc.Section("Pairs", (parts.pairs(study, (), alpha),), "pairs")
            if len(study.as_columns()) > 1
            else None,
            ranks.block(
                ranked, None, guarantee_of(study), nouns=("modality", "modalities")
            )
            if ranked
            else None,
            *parts.blocks(study, alpha, parts.READERS),
            doc.FoldedSection(
                f"Figures ({len(others) + 1})",
                (*others, parts.components_figure(study)),
                "figures",
            ),
        ),
        sensitivity=doc.present(
            doc.Section(
                "Each reader left out", _without_each(study, left_out), "left_out"
            ),
            parts.figure_tests(study, "new readers, these cases"),
            *_mixed(mixed, alpha),
        ),
        tables=parts.csv_tables(study)
        | parts.csv_of_mixed(mixed)
        | _csv_of_left_out(left_out)
        | (ranks.csv_tables(ranked) if ranked else {}),
    )


def _without_each(study: MRMCResult, left_out: LeftOut) -> tuple[doc.Block, ...]:
    """Return which decisions change without one reader, or why it is unknown."""
    stricter = stricter_claims(study)
    also = ""
    if stricter is not None:
        unchanged, of = stricter
        also = (
            f" With Bonferroni's adjustment in place of Holm's, {unchanged} of "
            f"{counted(of, 'claim')} stay the same."
        )
    if left_out.why_not:
        return (doc.Paragraph(f"No reader was left out: {left_out.why_not}.{also}"),)
    pairs = [d.pair for d in decisions(study, study.alpha)]
    noun = "decision" if claims_of(study) is None else "claim"
    kept, n = len(pairs) - len(left_out.changes), len(pairs)
    told = (
        f"The analysis was made again without each of the {left_out.n_units} readers, "
        f"by the same tests. "
    )
    if not left_out.changes:
        stay = f"{every_one_of(n, f'{noun}s')} stay"
        which = f"The {noun} stays" if n == 1 else stay
        same = f"{told}{which} the same without any one of them.{also}"
        return (doc.Paragraph(same),)
    table = build.table(
        f"{wording.begun(noun)}s that change without one reader.",
        [pair for pair in pairs if pair in left_out.changes],
        Field("Pair", "label", lambda pair: " – ".join(sorted(pair))),
        Field("changes without", "text", lambda p: ", ".join(left_out.changes[p])),
        file="left_out",
    )
    told += f"{kept} of {counted(n, noun)} stay the same without any one of them.{also}"
    return (doc.Paragraph(told), table)


def _csv_of_left_out(left_out: LeftOut) -> dict[str, AnyTable]:
    """Return the decisions that change, a reader a row; nothing if none does."""
    rows = [
        (*sorted(pair), reader)
        for pair, names in left_out.changes.items()
        for reader in names
    ]
    if not rows:
        return {}
    names = ("algorithm_1", "algorithm_2", "reader")
    columns = zip(*rows, strict=True)
    return {
        "left_out": Columns(
            {n: np.array(c, object) for n, c in zip(names, columns, strict=True)}
        )
    }


def _mixed(model: MixedOutcomes, alpha: float) -> Iterator[doc.Block]:
    """Yield the mixed model of 0/1 outcomes, or why there is none."""
    if isinstance(model, str):
        yield doc.Paragraph(f"No mixed model of the outcomes: {model}.")
    elif model is not None:
        yield parts.mixed(model, alpha)
        yield parts.mixed_effects(model)
        yield parts.mixed_random(model)


def doubts(study: parts.AnyReaders) -> tuple[str, ...]:
    """Return the question whether ratings are reversed, if most AUCs are below 0.5."""
    if study.merit != "auc":
        return ()
    column = "figure" if isinstance(study, StandaloneResult) else "estimate"
    return below_chance(study.by_reader[column], of="rating")


def remarks(study: parts.AnyReaders) -> Iterator[doc.Block]:
    """Yield the notes for readers: thin data, negative estimates."""
    if study.notes:
        yield doc.Bullets(tuple(map(wording.sentence, study.notes)))


def _against_section(outcome: Outcome) -> doc.Section | None:
    """Return the best modality against the others, if all are compared."""
    table = against_best(outcome) if outcome.control is None else None
    return None if table is None else doc.Section("The best", (table,), "best")


def _assumptions(study: MRMCResult) -> list[str]:
    """Return the assumptions and limits of the analysis."""
    return [
        normal("readers"),
        COVARIANCES[study.covariance_method],
        *([CLUSTERED] if study.ratings.clusters else []),
        *([ONE_VARIANCE] if len(study.algorithms) > 2 else []),
        NOT_EQUALITY,
    ]


def _plan(study: MRMCResult, alpha: float) -> list[str]:
    """Return the choices of the analysis in sentences."""
    claims = [] if study.margin is None else [f"The margin is {study.margin:g}."]
    against = f"Each other modality is compared with the control {study.control}."
    rule = "1992" if study.df_rule == "1992" else "Hillis"
    both = study.readers == study.cases == "random"
    degrees_by = f"; degrees of freedom by the rule of {rule}" * both
    return [
        f"Readers are {study.readers}, cases {study.cases}: conclusions concern "
        f"{study.population}.",
        f"The method is the {study.method}{degrees_by}.",
        definition(study),
        *([] if study.control is None else [against]),
        f"Pairs are adjusted by {described(study.adjust).title}; alpha = {alpha:g}."
        if len(study.as_columns()) > 1
        else f"One pair is not adjusted; alpha = {alpha:g}.",
        *claims,
    ]


def definition(study: parts.AnyReaders) -> str:
    """Describe the figure of merit."""
    return _DEFINITIONS[study.merit]


def _methods(study: MRMCResult) -> Any:
    """Return the methods with their error rates and sources."""
    title, source = wording.begun(study.method), study.reference
    if len(study.as_columns()) > 1:
        adjustment = described(study.adjust)
        title += f", {adjustment.title}"
        source += f"; {adjustment.reference}"
    return build.methods(
        [
            (study.omnibus.name, "one test", study.omnibus.reference),
            (title, guarantee_of(study).text, source),
        ]
    )


def _data_rows(ratings: Ratings, origin: dict[str, Any]) -> sources.FactRows:
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
        if ratings.marks:
            truth = [("Marks on", ratings.sites)]
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
    return f"{labels if ratings.positive else ''}higher ratings indicate positive"


def _clusters(ratings: Ratings) -> str:
    """Return how many clusters there are, and how many cases they hold."""
    assert ratings.cluster is not None
    sizes = np.bincount(ratings.cluster, minlength=len(ratings.clusters))
    return f"{len(ratings.clusters)}, of {sizes.min()} to {sizes.max()} cases"


# ---- one modality

SINGLE = "Obuchowski-Rockette analysis of one modality"


def answer(study: SingleModalityResult, alpha: float) -> doc.Inline:
    """Return the mean with its interval, and the test if there is one."""
    mean = f"Mean {study.figure} of {study.modality}: {number(study.estimate, 3)}"
    if np.isnan(study.conf_low):
        return (doc.Strong(mean), ". ", "There is no interval and no test.")
    mean += f", {wording.interval((study.conf_low, study.conf_high), study.level)}"
    if study.null is None:
        return (doc.Strong(mean), ".")
    verb = "differs" if bool(rejected(study.p_value, alpha)) else "does not differ"
    test = (
        f" It {verb} significantly from {study.null:g} (t({degrees(study.df)}) = "
        f"{number(study.statistic, 3)}, {p_equals(study.p_value, alpha)})."
    )
    return (doc.Strong(mean), ".", test)


def reported(study: SingleModalityResult, alpha: float) -> str:
    """Return the mean with its interval and test in the past tense of a paper."""
    mean = (
        f"The mean {study.figure} of {study.modality} was {number(study.estimate, 3)}"
    )
    if np.isnan(study.conf_low):
        return f"{mean}, without an interval or a test."
    mean += f", {wording.interval((study.conf_low, study.conf_high), study.level)}"
    if study.null is None:
        return f"{mean}."
    verb = "differed" if bool(rejected(study.p_value, alpha)) else "did not differ"
    return (
        f"{mean}. It {verb} significantly from {study.null:g} "
        f"(t({degrees(study.df)}) = {number(study.statistic, 3)}, "
        f"{p_equals(study.p_value, alpha)})."
    )


def _result_of_one(study: SingleModalityResult, alpha: float) -> PageResult:
    """Return the conclusion and the numbers behind it."""
    curves = [*parts.curves(study.turned, "readers"), None]
    return PageResult(
        title=wording.begun(study.figure),
        prefix="",
        answer=answer(study, alpha),
        method=f"Method: {SINGLE}, with readers and cases as specified.",
        figure=curves[0],
        table=replace(_mean(study), file="mean"),
        blocks=doc.present(
            *remarks(study),
            doc.Section("Readers one by one", (parts.by_reader(study),), "each"),
            doc.FoldedSection(
                "Components of variance", (parts.components(study),), "components"
            ),
        ),
        tables={
            "mean": study.as_columns(),
            "by_reader": study.by_reader,
            "components": study.components,
        },
    )


def _mean(study: SingleModalityResult) -> doc.Table:
    test = (Field("t", "number", "statistic", digits=4), Field("p", "p", "p_value"))
    return parts.means(
        study,
        study.as_columns(),
        f"Mean {study.figure} over {counted(study.n_readers, 'reader')}.",
        Field("Modality", "label", "modality"),
        *(test if study.null is not None else ()),
    )


def _plan_of_one(study: SingleModalityResult, alpha: float) -> list[str]:
    """Return the choices of the analysis in sentences."""
    told = [f"The interval concerns {study.population}.", definition(study)]
    if study.null is not None:
        told.append(
            f"The mean is tested against {study.null:g}, two-sided; alpha = {alpha:g}."
        )
    return told
