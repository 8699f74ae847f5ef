"""A comparison of AUCs as a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number, percent
from pycompare.data.predictions import Predictions
from pycompare.designs.curve_comparison import (
    MOST_RESAMPLED,
    NO_SIZES,
    CurveAnalysis,
    CurveComparison,
)
from pycompare.designs.curves_left_out import claims_left_out, stricter_claims
from pycompare.designs.decisions import decisions
from pycompare.designs.pair_methods import short_title
from pycompare.methods.curves.auc_pr_pairs import AucPrPairsResult
from pycompare.methods.curves.calibration import CalibrationResult
from pycompare.methods.curves.delong import DeLongResult
from pycompare.methods.curves.dominance import CurveDominance
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.methods.pairs.overlap import LARGEST
from pycompare.reporting import document as doc
from pycompare.reporting.content import (
    build,
    margin_report,
    ranks,
    sources,
    wording,
    words,
)
from pycompare.reporting.content import curve_tables as tables
from pycompare.reporting.content.analysis_report import drawn
from pycompare.reporting.content.curve_tables import CurveWay, ways
from pycompare.reporting.content.forest import forest
from pycompare.reporting.content.margin_forest import margin_forest
from pycompare.reporting.content.page import PageResult, Report, in_part
from pycompare.reporting.content.tables import against_best
from pycompare.reporting.document import Inline, Strong, joined
from pycompare.results.result import PairsResult

_CASES = (
    "Over cases: the conclusions concern new cases for these trained classifiers, not "
    "newly trained ones, and not other data sets."
)
_CLUSTERS = (
    "Over cases: the conclusions concern new clusters of cases for these trained "
    "classifiers, not newly trained ones, and not other data sets."
)
_FOLDS = (
    "Over folds: the conclusions concern new training sets from the same data, tested "
    "on the same cases, and not other data sets."
)
_NOT_BOTH = (
    "No test here generalises to new cases and new training sets at once. A difference "
    "that is significant only over cases may depend on these training sets, and one "
    "only over folds on these cases."
)
_POOLED = (
    "DeLong's test pools the scores of several folds, although each fold's classifier "
    "has its own scale. A pooled AUC is not the mean AUC of the folds."
)
_WITHIN_FOLDS = "The cross-validated AUC compares scores within folds only."
_SEVERAL = (
    "Each data set and each of the two tests is a family of its own: p-values are "
    "adjusted over its pairs, not over data sets."
)
_LARGE_SAMPLE = (
    "DeLong's test relies on a normal approximation. With few cases of a class its "
    "p-values may be too small and its intervals too narrow. With AUCs near 1 its "
    "intervals are too narrow."
)
_INDEPENDENT = (
    "DeLong's test, and the intervals over cases, assume independent cases. Several "
    "cases of one patient or text are not: name their column as cluster (--cluster)."
)
_IN_CLUSTERS = (
    "DeLong's test, and the intervals over cases, assume independent clusters. Cases "
    "of one cluster may depend on each other. Methods that assume independent cases "
    "are left out."
)
_FEW_CLUSTERS = (
    "DeLong's test relies on a normal approximation. With few clusters that contain a "
    "class its p-values may be too small and its intervals too narrow. With AUCs near "
    "1 its intervals are too narrow."
)
_TARGETS = (
    "The interval methods have different targets. The t interval of folds concerns "
    "training sets from these data."
)
_INTERVALS = (
    "The interval methods have different targets. Agarwal's interval is valid for any "
    "distribution of independent cases, and is wide. Cortes and Mohri's interval "
    "assumes that all orderings with the same number of errors are equally likely. If "
    "the threshold fits the scores badly, it does not contain the true AUC. The t "
    "interval over folds concerns training sets from these data."
)
_BANDS = "Bands in the figures assume independent folds."
_MOST_PAIRS = 3
"""Pairs that one algorithm's conclusion names."""
_MOST_NAMED = 4
"""Algorithms that one sentence names."""
_MOST_DRAWN = 8
"""Algorithms in one picture of curves."""


def curves_report(comparison: CurveComparison, origin: dict[str, Any]) -> Report:
    """Return everything that the page is made of."""
    return Report(
        title=title(comparison),
        subtitle=sources.subtitle(comparison.alpha, origin),
        results=[_result(comparison)],
        scope=scope(comparison),
        assumptions=_assumptions(comparison),
        plan=plan(comparison),
        methods=tables.methods(comparison),
        data=_data_rows(comparison, origin),
        dropped=_dropped(comparison.predictions),
        origin=origin,
    )


def title(comparison: CurveComparison) -> str:
    """Describe the comparison: on what."""
    predictions = comparison.predictions
    n = len(comparison.analyses)
    many = wording.begun(wording.count(predictions.n_algorithms))
    on = wording.in_words(n, "data set")
    return f"{many} algorithms compared in AUC on {on}"


def _result(comparison: CurveComparison) -> PageResult:
    """Return the conclusions, the numbers behind them, and the data sets."""
    all_ways, several = ways(comparison), len(comparison.analyses) > 1
    outcomes = [outcome for way in all_ways for _, outcome in way.outcomes]
    details = {
        (f"dataset{place}_" if several else ""): analysis
        for place, analysis in enumerate(comparison.analyses, start=1)
    }
    each = [_of_dataset(comparison, analysis, p) for p, analysis in details.items()]
    blocks: Sequence[doc.Block] = each[0].blocks
    alone = len(outcomes) == 1 and tables.wins(all_ways) is None
    first = None
    if alone:
        margins = [tests for way in all_ways for tests in way.margins.values()]
        first = margin_forest(margins[0]) if margins else forest(outcomes[0])
    if several:
        by_one = doc.fold(f"Data sets one by one ({len(details)})", *each)
        blocks = [*(_section(way) for way in all_ways if way.outcomes), by_one]
    return PageResult(
        title="AUC",
        prefix="",
        answer=answer(all_ways),
        method=method(all_ways),
        figure=_differences(comparison, all_ways),
        forest=first,
        table=tables.wins(all_ways) or next(map(against_best, outcomes), None),
        blocks=tuple(blocks),
        sensitivity=tuple(_sensitivity(comparison, details)),
        tables={
            f"{prefix}{name}": table
            for prefix, analysis in details.items()
            for name, table in tables.csv(analysis, comparison.alpha).items()
        },
        not_in_r=tuple(
            dict.fromkeys(
                n for analysis in details.values() for n in _not_in_r(analysis)
            )
        ),
    )


def _differences(
    comparison: CurveComparison, ways: Sequence[CurveWay]
) -> doc.Figure | None:
    """Return the figure of all conclusions, if it has room for them."""
    from pycompare import plotting
    from pycompare.plotting.auc_differences import MOST_FACETS, MOST_ROWS

    results = {way.name.lower(): dict(way.results) for way in ways if way.outcomes}
    pairs = next((way.pairs() for way in ways if way.outcomes), [])
    shown = pairs[:MOST_FACETS]
    if not pairs or len(comparison.analyses) > MOST_ROWS:
        return None
    some = f", the first {len(shown)} of {len(pairs)} pairs" * (len(shown) < len(pairs))
    marks = next(iter(results))
    if len(results) > 1:
        shapes = zip(("circles", "squares"), results, strict=True)
        marks = ", ".join(f"{shape}: {name}" for shape, name in shapes)
    return doc.Figure(
        "auc_differences",
        partial(plotting.auc_differences, results, alpha=comparison.alpha, pairs=shown),
        f"Differences in AUC with {percent(comparison.level)} intervals{some}. Filled "
        f"marks are significant at {comparison.alpha:g} ({marks}).",
        "Differences in AUC with intervals; the tables have the numbers.",
    )


def _section(way: CurveWay) -> doc.Section:
    """Return the numbers of one way to compare, over the data sets."""
    told = (f"{dataset}: not tested, because {why}." for dataset, why in way.not_made)
    return doc.section(way.name, tables.grid(way), *map(doc.Paragraph, told))


def _of_dataset(
    comparison: CurveComparison, analysis: CurveAnalysis, prefix: str
) -> doc.FoldedSection:
    again = "; cases occur in several" if analysis.repeated else ""
    n = _clusters_of(comparison, analysis).n
    grouped = f" in {counted(n, 'cluster')}" if n else ""
    size = (
        f"{analysis.n_positive} positive and {analysis.n_negative} negative cases"
        f"{grouped}, "
        f"{counted(len(analysis.blocks), 'fold')}{again}."
    )
    return doc.fold(
        analysis.dataset or "Curves and intervals",
        doc.Paragraph(size),
        *in_part(prefix, _parts(comparison, analysis)),
        drawn(_figures_of(comparison, analysis), prefix),
    )


@dataclass(frozen=True)
class _Clusters:
    """Clusters of a data set, and how many have cases in several of its blocks."""

    n: int
    split: int


def _clusters_of(comparison: CurveComparison, analysis: CurveAnalysis) -> _Clusters:
    """Count the clusters of a data set; none if cases are independent."""
    held = comparison.predictions
    if held.cluster is None:
        return _Clusters(0, 0)
    first = held.algorithms[0]
    each = [np.unique(held.cluster[held.rows(b, first)]) for b in analysis.blocks]
    in_blocks = np.bincount(np.concatenate(each))
    return _Clusters(int((in_blocks > 0).sum()), int((in_blocks > 1).sum()))


def _not_in_r(analysis: CurveAnalysis) -> list[str]:
    """Return the adjustments that R cannot repeat for so many algorithms."""
    return [
        pairs.adjust
        for pairs in (analysis.over_cases, analysis.over_folds)
        if isinstance(pairs, PairsResult)
        and (pairs.r_call() is None or not pairs.repeatable)
    ]


def _parts(comparison: CurveComparison, analysis: CurveAnalysis) -> Iterator[doc.Block]:
    cases, folds = analysis.over_cases, analysis.over_folds
    alpha = comparison.alpha
    of_cases = (
        *_compared(cases, alpha),
        *_within(analysis.margin_over_cases, "_over_cases"),
        *_ranks(comparison, cases, "cases"),
    )
    yield doc.section("Over cases: DeLong's test", *of_cases)
    of_folds = (
        *_compared(folds, alpha),
        *_within(analysis.margin_over_folds, "_over_folds"),
        *_ranks(comparison, folds, None),
    )
    yield doc.section("Over folds: t tests", *of_folds)
    benefit = analysis.net_benefit
    if isinstance(benefit, str):
        yield doc.section("Net benefit", doc.Paragraph(f"None, because {benefit}."))
    elif benefit is not None:
        notes = (doc.Paragraph(wording.sentence(note)) for note in benefit.notes)
        yield doc.section("Net benefit", *tables.net_benefits(benefit, alpha), *notes)
    yield from _whole_curves(analysis.whole_curves, alpha)
    yield from _calibration(analysis.calibration)
    yield doc.fold("Areas and their intervals", *_intervals(comparison, analysis))


def _whole_curves(
    curves: tuple[CurveDominance, ...] | str | None, alpha: float
) -> Iterator[doc.Block]:
    """Yield the comparison of whole curves, or why there is none, if it is planned."""
    title = "Whole ROC curves"
    if isinstance(curves, str):
        yield doc.section(title, doc.Paragraph(f"None, because {curves}."))
    elif curves is not None:
        told = (pair.stated(doc.p_equals(pair.p_adjusted, alpha)) for pair in curves)
        notes = dict.fromkeys(note for pair in curves for note in pair.notes)
        yield doc.section(
            title,
            *map(doc.Paragraph, told),
            tables.whole_curves(curves),
            *(doc.Paragraph(wording.sentence(note)) for note in notes),
        )


def _calibration(errors: CalibrationResult | str | None) -> Iterator[doc.Block]:
    """Yield the calibration errors, or why there are none, if they are planned."""
    if isinstance(errors, str):
        yield doc.section("Calibration", doc.Paragraph(f"None, because {errors}."))
    elif errors is not None:
        of_errors, of_bins = tables.calibration_errors(errors)
        yield doc.section(
            "Calibration",
            doc.Paragraph(calibration_sentences(errors)),
            of_errors,
            *(doc.Paragraph(wording.sentence(note)) for note in errors.notes),
        )
        yield doc.fold("Calibration within bins", of_bins)


def calibration_sentences(errors: CalibrationResult) -> str:
    """Return the range of calibration errors, and whose intervals leave out 0."""
    table = errors.as_columns()
    rows = sorted(table.itertuples(), key=lambda row: row.estimate)
    sizes = [
        f"{doc.aligned(row.estimate, 3, 3)} ({row.algorithm}, {percent(errors.level)} "
        f"CI {doc.interval_text((row.conf_low, row.conf_high), 3)})"
        for row in (rows[0], rows[-1])
    ]
    told = f"Calibration errors range from {' to '.join(sizes)}."
    if rows[-1].estimate == 0:
        widest = max(rows, key=lambda row: row.conf_high)
        told = (
            "Every calibration error is estimated as 0. Intervals reach up to "
            f"{doc.aligned(widest.conf_high, 3, 3)} ({widest.algorithm})."
        )
    above = [row.algorithm for row in rows if row.conf_low > 0]
    named = wording.listing(above, most=_MOST_NAMED)
    excluded = "No interval excludes 0."
    if above:
        excluded = f"The interval{'s' * (len(above) > 1)} of {named} exclude"
        excluded += f"{'s' * (len(above) == 1)} 0."
    begins = "An interval that begins at 0 does not show that scores are calibrated."
    return " ".join(
        [
            told,
            excluded,
            *[begins] * (len(above) < len(rows)),
        ]
    )


def _sensitivity(
    comparison: CurveComparison, parts: Mapping[str, CurveAnalysis]
) -> Iterator[doc.Block]:
    """Yield how firm claims about a margin are, and precision-recall areas."""
    for prefix, analysis in parts.items():
        claims = tuple(_firmness(comparison, analysis))
        of = f" on {analysis.dataset}" if analysis.dataset else ""
        if claims:
            yield doc.section(f"How firm are the claims over cases{of}?", *claims)
        title = "Areas under precision-recall curves"
        on = f" on {analysis.dataset}" if analysis.dataset else ""
        blocks = _precision_recall(comparison, analysis)
        yield doc.section(f"{title}{on}", *in_part(prefix, blocks))


def _firmness(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> Iterator[doc.Block]:
    """Yield which claims change without one case, and by Bonferroni's adjustment."""
    tests, left_out = analysis.margin_over_cases, claims_left_out(comparison, analysis)
    if tests is None or left_out is None:
        return
    n, told = len(tests.as_columns()), ""
    stricter = stricter_claims(tests)
    if stricter is not None:
        told = (
            f" With Bonferroni's adjustment in place of Holm's, {stricter[0]} of "
            f"{counted(stricter[1], 'claim')} stay the same."
        )
    unit = left_out.unit
    if left_out.why_not:
        yield doc.Paragraph(f"No {unit} was left out: {left_out.why_not}.{told}")
        return
    start = (
        f"DeLong's tests against the margin were made again without each of the "
        f"{counted(left_out.n_units, unit)}."
    )
    kept = n - len(left_out.changes)
    same = f"{kept} of {counted(n, 'claim')} stay the same without any one of them."
    yield doc.Paragraph(f"{start} {same}{told}")
    if left_out.changes:
        yield build.table(
            f"Claims that change without one {unit}.",
            list(left_out.changes),
            build.Field("Pair", "label", lambda pair: " – ".join(sorted(pair))),
            build.Field(
                f"{unit}s whose omission changes it",
                "count",
                lambda pair: len(left_out.changes[pair]),
            ),
        )


def _compared(pairs: PairsResult | str, alpha: float) -> Iterator[doc.Block]:
    """Yield the pairs, or why there are none."""
    if isinstance(pairs, str):
        yield doc.Paragraph(f"Not tested, because {pairs}.")
        return
    if isinstance(pairs, DeLongResult) and len(pairs.algorithms) > 2:
        yield build.tests(
            "All AUCs together, over cases.", [pairs.omnibus], file="all_over_cases"
        )
    file = tables.file_of(pairs)
    yield build.of_pairs([pairs], alpha, file=file)
    said = pairs.caution if isinstance(pairs, DeLongResult) else ""
    notes = (note for note in pairs.notes if note != said)  # the answer has it
    yield from (doc.Paragraph(wording.sentence(note)) for note in notes)


def _within(tests: MarginPairsResult | str | None, end: str) -> Iterator[doc.Block]:
    """Yield the tests against the margin, or why there are none."""
    if isinstance(tests, str):
        yield doc.Paragraph(f"Not tested against the margin, because {tests}.")
    elif tests is not None:
        yield margin_report.block(tests, end)


def _ranks(
    comparison: CurveComparison, pairs: PairsResult | str, unit: str | None
) -> Iterator[doc.Block]:
    """Yield the confidence sets of ranks, if there are any."""
    if isinstance(pairs, str):
        return
    if ranked := ranks.shown(pairs, comparison.alpha):
        claim = tables.claim(pairs, comparison)
        yield ranks.block(ranked, unit, claim, end=tables.end_of(pairs))


def _intervals(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> Iterator[doc.Block | None]:
    """Yield the table of intervals, and what has none."""
    yield tables.areas(comparison, analysis)
    for what, estimates in (
        ("intervals", analysis.intervals),
        ("cross-validated AUC", analysis.cross_validated),
    ):
        for name, estimate in estimates.items():
            if isinstance(estimate, str):
                yield doc.Paragraph(f"No {what} for {name}: {estimate}.")
    if analysis.repeated:
        yield doc.Paragraph(
            "Cases occur in several folds, so only intervals that allow for that are "
            "made."
        )


def _precision_recall(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> Iterator[doc.Block]:
    areas = analysis.precision_recall
    if isinstance(areas, AucPrPairsResult):
        share = analysis.n_positive / (analysis.n_positive + analysis.n_negative)
        yield doc.Paragraph(
            f"{areas.resamples} resamples of the cases within each class, seed "
            f"{areas.seed}. The p-values depend slightly on the seed, and the areas "
            f"on the share of positive cases ({percent(round(share, 3))})."
        )
        yield tables.precision_recall(areas)
    yield from _compared(areas, comparison.alpha)


def _figures_of(
    comparison: CurveComparison, analysis: CurveAnalysis
) -> Iterator[doc.Figure]:
    """Yield intervals, ROC, precision-recall and cost curves."""
    from pycompare import plotting

    level = percent(comparison.level)
    estimates = {n: own for n, own in tables.estimates_of(analysis).items() if own}
    if estimates:
        shown = dict(list(estimates.items())[:_MOST_DRAWN])
        yield doc.Figure(
            "auc_intervals",
            partial(plotting.auc_intervals, shown),
            f"AUC of each algorithm with its {level} intervals by each method"
            f"{first(estimates)}. Overlapping intervals are not a test.",
            "Intervals of each algorithm's AUC, one under another.",
        )
    curves: dict[str, Any] = {
        "algorithms": comparison.predictions.algorithms[:_MOST_DRAWN],
        "dataset": analysis.dataset,
        "level": comparison.level,
        "seed": comparison.seed,
    }
    names = first(comparison.predictions.algorithms)
    several = len(curves["algorithms"]) > 1
    in_facets: dict[str, Any] = {"in_facets": True} if several else {}
    how = (
        f"of {counted(len(analysis.blocks), 'fold')} (thin), with their mean (thick) "
        f"and {level} bands that assume independent folds{names}."
        + (" Grey: means of the other algorithms." if several else "")
    )
    predictions = comparison.predictions
    yield doc.Figure(
        "roc_curves",
        partial(plotting.roc_curves, predictions, **curves, **in_facets),
        f"ROC curves {how} Brackets: {level} t interval of the mean AUC.",
        "ROC curves: true positive rate over false positive rate.",
    )
    if isinstance(analysis.whole_curves, tuple):
        several = len(analysis.whole_curves) > 1
        yield doc.Figure(
            "curve_differences",
            partial(plotting.curve_differences, analysis.whole_curves),
            "Difference in true positive rate at each false positive rate, first minus "
            f"second, with {percent(1 - comparison.alpha)} simultaneous bands"
            f"{' of all pairs together (Bonferroni)' * several}. Blue: the band "
            "excludes 0.",
            "Differences of ROC curves with their bands; the tables have the numbers.",
        )
    yield doc.Figure(
        "pr_curves",
        partial(plotting.pr_curves, predictions, **curves, **in_facets),
        f"Precision-recall curves {how}",
        "Precision-recall curves: precision over recall.",
    )
    yield doc.Figure(
        "cost_curves",
        partial(plotting.cost_curves, predictions, **curves),
        f"Cost curves{names}: the least normalised expected cost at each probability "
        "cost; lower is better.",
        "Cost curves: least expected cost over the probability cost.",
    )


def first(names: Any) -> str:
    """Return the message that only some algorithms are drawn."""
    n = len(names)
    return "" if n <= _MOST_DRAWN else f", the first {_MOST_DRAWN} of {n} algorithms"


def _data_rows(comparison: CurveComparison, origin: dict[str, Any]) -> sources.FactRows:
    predictions = comparison.predictions
    n = len(comparison.analyses)
    low, high = number(predictions.score.min()), number(predictions.score.max())
    named = (
        f"named: {len(predictions.cases)}"
        if predictions.case is not None
        else "not named"
    )
    return [
        *sources.file_rows(origin, "predictions"),
        (
            "Algorithms",
            f"{predictions.n_algorithms}: {', '.join(predictions.algorithms)}",
        ),
        (
            "Data sets",
            "not named, treated as one" if predictions.datasets is None else str(n),
        ),
        ("Blocks", str(predictions.n_blocks)),
        ("Cases", named),
        *(
            []
            if predictions.cluster is None
            else [("Clusters", str(len(predictions.clusters)))]
        ),
        ("Scores", f"{predictions.score.size}, from {low} to {high}"),
        (
            "Classes",
            f"positive {predictions.positive}, negative {predictions.negative}",
        ),
        ("Policy for missing blocks", sources.policy(predictions.missing)),
        ("Policy for blocks with one class", sources.policy(predictions.one_class)),
    ]


def _dropped(predictions: Predictions) -> list[doc.Inline]:
    """Return the omitted parts of the predictions, or that nothing was."""
    gone = predictions.dropped.blocks
    remarks: list[doc.Inline] = [wording.begun(f"{n}.") for n in predictions.notes if n]
    if gone:
        remarks.append(f"Dropped: {counted(len(gone), 'block')} ({', '.join(gone)}).")
    return remarks or ["Nothing was dropped."]


# ---- sentences


def answer(ways: Sequence[CurveWay]) -> Inline:
    """Return the conclusions over cases and over folds.

    Claims about the margin, the hypothesis of the plan, come first.
    """
    return joined(*(joined(*_answered(way)) for way in ways))


def _answered(way: CurveWay) -> Iterator[Inline]:
    claims = _margin_sentences(way)
    yield (Strong(f"{way.name}:"),)
    yield from claims
    if claims:
        yield f"{wording.SUPPLEMENTARY}:"
    yield conclusion(way)
    yield from (f"{wording.begun(text)}." for text in way.cautions)


def _margin_sentences(way: CurveWay) -> list[Inline]:
    """State which pairs are within the margin, or on how many data sets."""
    if len(way.margins) == 1 and len(way.outcomes) == 1:
        [tests], [(_, outcome)] = way.margins.values(), way.outcomes
        [(_, pairs)] = way.results
        return margin_report.claimed(tests, decisions(pairs, outcome.alpha))
    counts: Counter[str] = Counter()
    for tests in way.margins.values():
        joined_by = " – " if tests.kind == "equivalence" else " to "
        counts.update(joined_by.join(p) for p in margin_report.supported(tests))
    if not way.margins:
        return []
    n, tests = len(way.margins), next(iter(way.margins.values()))
    within = "equivalent" if tests.kind == "equivalence" else "non-inferior"
    if not counts:
        return [f"No pair is shown to be {within} on any of the {n} data sets."]
    told = [f"{pair} on {k}" for pair, k in counts.most_common(_MOST_PAIRS)]
    more = len(counts) - len(told)
    rest = f" (and {counted(more, 'other pair')} somewhere)" * bool(more)
    at = f"margin {margin_report.margin_text(tests)}"
    beware = f" {wording.begun(tests.caution)}." if tests.caution else ""
    return [
        f"{wording.begun(within)}, of {n} data sets ({at}): {wording.listing(told)}"
        f"{rest}.{beware}"
    ]


def conclusion(way: CurveWay) -> Inline:
    """Return who has the larger AUC than whom, on how many data sets."""
    if not way.outcomes:
        reasons = dict.fromkeys(why for _, why in way.not_made)
        return f"no test, because {'; '.join(reasons)}."
    if len(way.outcomes) + len(way.not_made) == 1:
        return wording.answer(way.outcomes[0][1])
    n, won = len(way.outcomes), way.wins()
    if not won:
        where = f"any of the {n} data sets" if n > 1 else "the one data set tested"
        return f"no pair differs significantly in AUC on {where}."
    told: list[str] = []
    for name in way.algorithms:
        beaten = [(b, k) for (a, b), k in won.most_common() if a == name]
        if not beaten:
            continue
        named = [f"than {b} on {k}" for b, k in beaten[:_MOST_PAIRS]]
        named[0] += "" if told else f" of {n} data sets"
        more = f" (and than {len(beaten) - _MOST_PAIRS} more)"
        verb = "is better " if told else "is significantly better "
        end = more * (len(beaten) > _MOST_PAIRS)
        told.append(f"{name} {verb}{wording.listing(named)}{end}")
    shown = told[:_MOST_PAIRS]
    rest = len(told) - len(shown)
    end = f"; {rest} more algorithms are better somewhere." if rest else "."
    return (Strong(shown[0]), "; ".join(["", *shown[1:]]) + end)


def method(ways: Sequence[CurveWay]) -> str:
    """Return how the ways compare."""
    return " ".join(
        f"{way.name}: {_of_way(way)}" if len(ways) > 1 else _of_way(way)
        for way in ways
        if way.outcomes
    )


def _of_way(way: CurveWay) -> str:
    outcome = way.outcomes[0][1]
    each = " on each data set" if len(way.outcomes) > 1 else ""
    over = f", over {len(outcome.pairs)} pairs" if len(outcome.pairs) > 1 else ""
    rate = wording.begun(outcome.guarantee.stated(outcome.alpha))
    return f"{outcome.method}{over}{each}. {rate}."


def plan(comparison: CurveComparison) -> list[Inline]:
    """Return the plan."""
    name, theta = short_title(comparison.adjust), comparison.threshold
    over_folds = f"Nothing is tested over folds: {NO_SIZES}."
    if comparison.n_train is not None and comparison.n_test is not None:
        over_folds = (
            "The t tests over folds are corrected for shared training data (Nadeau and "
            f"Bengio 2003; n_train = {comparison.n_train:.10g}, n_test = "
            f"{comparison.n_test:.10g}). Their overlap term is the published one. On "
            "repeated cross-validation of real learners this test rejected up to "
            f"{LARGEST.published:.2f} of true null hypotheses at a nominal 0.05."
        )
    if comparison.predictions.cluster is not None:
        theta = None  # its interval assumes independent cases
    counted = "The Cortes-Mohri interval counts the errors at threshold"
    control = comparison.control
    over = "all pairs" if control is None else f"the comparisons with {control}"
    adjusted = f"Adjustment: {name}, over {over}. Significant: adjusted p"
    if comparison.predictions.n_algorithms == 2:
        adjusted = "One pair is not adjusted. Significant: p"
    return [
        "AUCs of pairs are compared over cases (DeLong's test) and over folds (t "
        f"tests). {adjusted} ≤ {comparison.alpha}.",
        f"Intervals of each AUC, and of average precisions, have "
        f"{percent(comparison.level)} confidence. Intervals of pairs of AUCs have the "
        "level at which the pair is decided.",
        _SEVERAL,
        over_folds,
        *_margin_plan(comparison),
        *_risk_plan(comparison),
        *_whole_plan(comparison),
        *_bins_plan(comparison),
        *([] if theta is None else [f"{counted} {number(theta)}."]),
    ]


def _risk_plan(comparison: CurveComparison) -> list[str]:
    """State the comparison of net benefits, if there is one."""
    if comparison.risk_threshold is None:
        return []
    return [
        "Net benefits of the algorithms, of treating all cases and of treating none "
        f"are compared at a risk threshold of {comparison.risk_threshold:g} by t tests "
        "of the cases, with Holm adjustment."
    ]


def _whole_plan(comparison: CurveComparison) -> list[str]:
    """State the comparison of whole curves, if there is one."""
    if not comparison.whole_curves:
        return []
    return [
        "The ROC curves of each pair are also compared at every false positive rate, "
        "by a simultaneous band of their difference over cases. The bands of all pairs "
        f"of a data set together have {percent(1 - comparison.alpha)} confidence "
        "(Bonferroni)."
    ]


def _bins_plan(comparison: CurveComparison) -> list[str]:
    """State the bins of calibration errors, if there are any."""
    if comparison.bins is None:
        return []
    return [
        f"Calibration errors have {comparison.n_bins} bins of "
        f"{comparison.bins.replace('-', ' ')}. Their intervals have "
        f"{percent(comparison.level)} confidence. Their p-values are not adjusted over "
        "the algorithms."
    ]


def _margin_plan(comparison: CurveComparison) -> list[str]:
    """State the tests against the margin, if there is one."""
    if comparison.margin is None or comparison.margin_alpha is None:
        return []
    what, sides, ends = "Equivalence", "Both one-sided tests have", "two one-sided"
    if comparison.hypothesis == "non-inferiority":
        what = f"Non-inferiority to {comparison.control}"
        sides, ends = "Each one-sided test has", "one-sided"
    return [
        f"{what} is tested by {ends} tests against the margin "
        f"{comparison.margin:.10g} in AUC: DeLong's z over cases, corrected t over "
        f"folds, with Holm adjustment over the pairs of a data set. {sides} alpha = "
        f"{comparison.margin_alpha:g} (margin_alpha)."
    ]


def scope(comparison: CurveComparison) -> list[Inline]:
    """Return the scope of the conclusions."""
    cases, folds = (bool(way.outcomes) for way in ways(comparison))
    over = _CASES if comparison.predictions.cluster is None else _CLUSTERS
    return [
        *map(wording.sentence, comparison.notes),
        *_exchanged(comparison),
        *[over] * cases,
        *[_FOLDS] * folds,
        _NOT_BOTH,
    ]


def _exchanged(comparison: CurveComparison) -> Iterator[str]:
    """Yield how differences without an estimated variance were tested."""
    for analysis in comparison.analyses:
        over_cases = analysis.over_cases
        pairs = {} if isinstance(over_cases, str) else over_cases.exchanged
        on = f" on {analysis.dataset}" if analysis.dataset else ""
        for (first, second), n in pairs.items():
            yield (
                f"{first} and {second}{on}: the difference has no estimated variance, "
                f"so the p-value is that of {n:,} exchanges of ranks, and there is no "
                "interval."
            )


def _split_clusters(comparison: CurveComparison) -> Iterator[str]:
    """Yield a caveat for each data set whose folds divide clusters."""
    for analysis in comparison.analyses:
        clusters = _clusters_of(comparison, analysis)
        if clusters.split and not analysis.repeated:
            on = f" of {analysis.dataset}" if analysis.dataset else ""
            yield (
                f"{clusters.split} of {counted(clusters.n, 'cluster')}{on} have cases "
                "in several folds. If these are the folds of a cross-validation, "
                "training sets contain cases of the tested clusters, and AUCs may be "
                "too high."
            )


def _assumptions(comparison: CurveComparison) -> list[Inline]:
    """Return the assumptions of the analysis."""
    large = any(
        a.n_positive + a.n_negative > MOST_RESAMPLED for a in comparison.analyses
    )
    many = f"With more than {MOST_RESAMPLED} cases no bootstrap interval is made."
    pooled = any(
        len(a.blocks) > 1 and not isinstance(a.over_cases, str)
        for a in comparison.analyses
    )
    facts = [f for way in ways(comparison) for _, o in way.outcomes for f in o.pairs]
    retained = not all(fact.significant for fact in facts)
    clustered = comparison.predictions.cluster is not None
    return [
        *(
            (_FEW_CLUSTERS, _IN_CLUSTERS)
            if clustered
            else (_LARGE_SAMPLE, _INDEPENDENT)
        ),
        *_split_clusters(comparison),
        *[_POOLED] * pooled,
        *[_WITHIN_FOLDS] * (pooled and not clustered),
        *[many] * (large and not clustered),
        _TARGETS if clustered else _INTERVALS,
        _BANDS,
        *[words.NOT_EQUALITY] * retained,
    ]
