"""AUCs over cases and over folds, of each data set: facts and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.rounding import fixed
from pycompare.base.labels import show
from pycompare.base.metric import Metric
from pycompare.base.tables import AnyTable, Columns, stacked
from pycompare.designs.curve_comparison import CurveAnalysis, CurveComparison
from pycompare.designs.decisions import decisions
from pycompare.designs.pair_methods import described
from pycompare.methods.curves.auc_margins import AucMarginsResult
from pycompare.methods.curves.auc_pr_pairs import RESAMPLING, AucPrPairsResult
from pycompare.methods.curves.calibration import CalibrationResult
from pycompare.methods.curves.delong import CLUSTERS, DeLongResult
from pycompare.methods.curves.delong import REFERENCE as DELONG
from pycompare.methods.curves.dominance import REFERENCE as BANDS
from pycompare.methods.curves.dominance import CurveDominance
from pycompare.methods.curves.net_benefit import NetBenefitResult
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.reporting.content import build, ranks
from pycompare.reporting.content.build import PAIR, Field, ci, limits_of, table
from pycompare.reporting.content.build import methods as methods_table
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.outcomes import (
    agreeing,
    facts,
    method,
    named_intervals,
    of_one_pair,
    ordered,
)
from pycompare.reporting.document import Inline, Strong, Table, p_equals
from pycompare.results.guarantees import FOLDS, Guarantee, guarantee, guarantee_of
from pycompare.results.result import Estimate, PairsResult

_AUC = Metric("AUC", "higher")
_OF_INDEPENDENT = (
    *("Hanley-McNeil interval", "Cortes-Mohri interval", "Agarwal interval"),
    *("Areas under precision-recall curves", "Cross-validated AUC"),
)
"""Methods that assume independent cases, and so are not of clusters."""


@dataclass(frozen=True)
class CurveWay:
    """One way to compare AUCs, over the data sets."""

    name: str  # "Over cases" or "Over folds"
    # Of each data set where the tests were made.
    outcomes: tuple[tuple[str, Outcome], ...]
    results: tuple[tuple[str, PairsResult], ...]  # of the same data sets
    not_made: tuple[tuple[str, str], ...]  # data sets without tests, with the reason
    margins: Mapping[str, MarginPairsResult]  # of the data sets that have them

    def wins(self) -> Counter[tuple[str, str]]:
        """Count the data sets on which the first is significantly better."""
        return Counter(
            (fact.subject, fact.object)
            for _, outcome in self.outcomes
            for fact in outcome.significant
        )

    @property
    def cautions(self) -> list[str]:
        """The conditions of claims besides their level, each once."""
        cautions = (
            pairs.caution
            for _, pairs in self.results
            if isinstance(pairs, DeLongResult)
        )
        return [text for text in dict.fromkeys(cautions) if text]

    def pairs(self) -> list[tuple[str, str]]:
        """Return every pair, in the order of the algorithms."""
        known = {fact.pair for _, outcome in self.outcomes for fact in outcome.pairs}
        return [p for p in combinations(self.algorithms, 2) if frozenset(p) in known]

    @property
    def algorithms(self) -> list[str]:
        """Every algorithm, the one with the most wins first."""
        won = self.wins()
        names = dict.fromkeys(
            name for _, o in self.outcomes for f in o.pairs for name in f.pair
        )

        def net(name: str) -> int:
            return sum(n * ((a == name) - (b == name)) for (a, b), n in won.items())

        return sorted(sorted(names), key=net, reverse=True)


def ways(comparison: CurveComparison) -> list[CurveWay]:
    """Return the comparisons over cases and over folds."""
    return [
        _way("Over cases", comparison, "over_cases"),
        _way("Over folds", comparison, "over_folds"),
    ]


def _way(name: str, comparison: CurveComparison, attribute: str) -> CurveWay:
    outcomes, results, not_made, margins = [], [], [], {}
    for analysis in comparison.analyses:
        pairs: PairsResult | str = getattr(analysis, attribute)
        dataset = analysis.dataset or ""
        if isinstance(pairs, str):
            not_made.append((dataset, pairs))
        else:
            outcomes.append((dataset, _outcome(pairs, comparison)))
            results.append((dataset, pairs))
            within = getattr(analysis, f"margin_{attribute}")
            if isinstance(within, MarginPairsResult):
                margins[dataset] = within
    return CurveWay(name, tuple(outcomes), tuple(results), tuple(not_made), margins)


def claim(pairs: PairsResult, comparison: CurveComparison) -> Guarantee:
    """Return the error rate of tests over cases or over folds."""
    if isinstance(pairs, DeLongResult):
        return guarantee_of(pairs)
    shared = () if comparison.n_train is None else ("independent-folds",)
    return guarantee_of(pairs, FOLDS).where(shared)


def _outcome(pairs: PairsResult, comparison: CurveComparison) -> Outcome:
    """Return the facts about the AUCs of one data set."""
    alpha = comparison.alpha
    decided = decisions(pairs, alpha)
    if isinstance(pairs, DeLongResult):
        quantity, areas = "AUC", pairs.area
        omnibus = pairs.omnibus if len(pairs.algorithms) > 2 else None
    else:
        # Positions are mean AUCs with their signs turned: lower is better.
        quantity, areas, omnibus = "mean AUC of folds", pairs.positions.abs(), None
    told = agreeing(facts(decided, pairs, alpha, _AUC, in_unit=True))
    stated = Outcome(
        metric=_AUC,
        quantity=quantity,
        values=ordered(areas, lower=False),
        pairs=told,
        intervals=named_intervals(pairs, told),
        omnibus=omnibus,
        method=method(pairs),
        family=pairs.family if len(decided) > 1 else "",
        guarantee=claim(pairs, comparison),
        alpha=alpha,
        control=pairs.control,
    )
    return of_one_pair(stated, pairs) if len(decided) == 1 else stated


# ---- tables


_MOST_PAIRS = 10
"""Columns of the grid of data sets by pairs."""
_ENDS = {True: "_over_cases", False: "_over_folds"}


def grid(way: CurveWay) -> Table | None:
    """Return data sets by pairs: the difference, and its adjusted p-value."""
    pairs = way.pairs()
    if len(way.outcomes) < 2 or len(pairs) > _MOST_PAIRS:
        return None
    alpha = way.outcomes[0][1].alpha
    known = {name: {f.pair: f for f in outcome.pairs} for name, outcome in way.outcomes}

    def of(first: str, second: str) -> Field:
        def shown(dataset: str) -> Inline:
            fact = known[dataset][frozenset((first, second))]
            signed = (fact.estimate or 0.0) * (1 if fact.subject == first else -1)
            size = fixed(signed, 3).replace("-", "−")
            text = f"{size}, {p_equals(fact.p_adjusted, alpha)}"
            return (Strong(text),) if fact.significant else text

        return Field(f"{first} − {second}", "digits", shown)

    return table(
        f"Difference in AUC on each data set, first minus second, with adjusted "
        f"p-value. Values in bold are significant at {alpha:g}.",
        known,
        Field("Data set", "label", str),
        *(of(*pair) for pair in pairs),
    )


def wins(ways: list[CurveWay]) -> Table | None:
    """Return one row per pair: on how many data sets which one is better."""
    tested = [way for way in ways if way.outcomes]
    if not tested or max(len(way.outcomes) for way in tested) < 2:
        return None

    def of(way: CurveWay) -> Field:
        won, n = way.wins(), len(way.outcomes)

        def shown(pair: tuple[str, str]) -> str:
            ahead, behind = won[pair], won[pair[1], pair[0]]
            return f"{ahead} / {n - ahead - behind} / {behind}"

        return Field(f"{way.name.lower()}, {n} data sets", "digits", shown)

    return table(
        "Number of data sets on which the first is significantly better / neither / "
        "the second is significantly better.",
        tested[0].pairs(),
        Field("Pair", "label", " – ".join),
        *map(of, tested),
    )


def end_of(pairs: PairsResult) -> str:
    """Return how the CSV files of a comparison of pairs end."""
    if isinstance(pairs, AucPrPairsResult):
        return "_precision_recall"
    return _ENDS[isinstance(pairs, DeLongResult)]


def file_of(pairs: PairsResult) -> str:
    """Return the CSV file of a comparison of pairs."""
    return f"pairs{end_of(pairs)}"


def precision_recall(pairs: AucPrPairsResult) -> Table:
    """Return the area under each precision-recall curve."""
    return table(
        "Average precision, the area under the precision-recall curve (higher is "
        "better), with an interval of each (Clopper-Pearson at the effective number of "
        "cases); whether two overlap is not a test.",
        pairs.area,
        Field("Algorithm", "label", lambda row: str(row.Index)),
        Field("average precision", "estimate", "estimate"),
        ci(pairs.level),
        file=f"areas{end_of(pairs)}",
    )


def net_benefits(benefit: NetBenefitResult, alpha: float) -> Iterator[Table]:
    """Yield the net benefit of each rule, and the differences."""
    [at] = benefit.thresholds
    yield table(
        f"Net benefit at a risk threshold of {at:g}, in true positives per case: the "
        "share of true positives less that of false positives times "
        f"{at / (1 - at):.3g}.",
        benefit.curves,
        Field("Rule", "label", "algorithm"),
        Field("net benefit", "estimate", "net_benefit"),
        Field("share treated", "estimate", "treated"),
        file="net_benefit",
    )
    yield table(
        "Differences in net benefit (first minus second), by t tests of the cases.",
        benefit.as_columns(),
        Field("Pair", "label", lambda r: f"{r.algorithm_1} – {r.algorithm_2}"),
        Field("difference", "estimate", "estimate"),
        ci(benefit.level),
        Field("adjusted p", "p", "p_adjusted", alpha),
        Field("raw p", "p", "p_value"),
        file="net_benefit_pairs",
    )


def calibration_errors(errors: CalibrationResult) -> Iterator[Table]:
    """Yield the calibration error of each algorithm, and its bins."""
    bins = f"{errors.n_bins} bins of {errors.bins.replace('-', ' ')}"
    positive = show(errors.outcome)
    yield table(
        f"Calibration error over {bins}: root mean square difference between the share "
        f"of class {positive} and the mean score of a bin, debiased (0: calibrated). "
        "Each p-value is of a classifier calibrated within bins, unadjusted.",
        errors.as_columns(),
        Field("Algorithm", "label", "algorithm"),
        Field("calibration error", "estimate", "estimate"),
        ci(errors.level),
        Field("unadjusted p", "p", "p_value"),
        file="calibration_errors",
    )
    yield table(
        f"Shares of class {positive} and mean scores within bins.",
        errors.held("by_bin"),
        Field("Algorithm", "label", "algorithm"),
        Field("bin", "interval", lambda row: (row.low, row.high)),
        Field("cases", "count", "n"),
        Field("share", "estimate", "share"),
        Field("mean score", "estimate", "mean_score"),
        Field("difference", "estimate", "difference"),
        file="calibration_bins",
    )


def whole_curves(comparisons: Sequence[CurveDominance]) -> Table:
    """Return the largest difference of each pair of curves, with its band."""
    first = comparisons[0]
    several = first.n_pairs > 1
    rest = ", of all pairs together (Bonferroni)" * several
    return table(
        "Difference in true positive rate (first minus second) at the false positive "
        "rate at which it is largest in units of its scale. The band has "
        f"{percent(first.level)} confidence for the whole curve{rest}. Shortfalls: the "
        "most by which a curve can lie below the other anywhere, by the band.",
        comparisons,
        PAIR,
        Field("difference", "estimate", "estimate"),
        Field("band", "interval", limits_of),
        Field("adjusted p" if several else "p", "p", "p_adjusted", 1 - first.level),
        Field("false positive rate", "estimate", "place"),
        Field("shortfall of the first", "estimate", "shortfall_1"),
        Field("of the second", "estimate", "shortfall_2"),
        file="whole_curves",
    )


def _curves_csv(comparisons: Sequence[CurveDominance]) -> dict[str, AnyTable]:
    """Return the tests of whole curves, and their bands at every place."""
    names = (
        *("algorithm_1", "algorithm_2", "estimate", "conf_low", "conf_high", "place"),
        *("statistic", "p_value", "p_adjusted", "shortfall_1", "shortfall_2"),
    )
    bands = [
        pair.as_columns().but(
            algorithm_1=pair.algorithm_1, algorithm_2=pair.algorithm_2
        )
        for pair in comparisons
    ]
    rows = [
        Columns.of_row({name: getattr(pair, name) for name in names})
        for pair in comparisons
    ]
    return {"whole_curves": stacked(rows), "bands_of_curves": stacked(bands)}


def areas(comparison: CurveComparison, analysis: CurveAnalysis) -> Table | None:
    """Return the intervals of each AUC, side by side."""
    rows = [
        (n, estimate) for n, own in estimates_of(analysis).items() for estimate in own
    ]
    if not rows:
        return None
    return table(
        "AUC of each algorithm with its intervals (Aslan 2009, Fig. 3.5). Each "
        "interval is for one AUC; whether two overlap is not a test.",
        rows,
        Field("Algorithm", "label", itemgetter(0)),
        Field("interval method", "text", lambda row: row[1].method),
        Field("AUC", "estimate", lambda row: row[1].estimate),
        Field(f"{percent(comparison.level)} CI", "interval", lambda r: limits_of(r[1])),
        Field("notes", "text", lambda row: "; ".join(row[1].notes)),
        file="areas",
    )


def estimates_of(analysis: CurveAnalysis) -> dict[str, list[Estimate]]:
    """Return all intervals by algorithm."""
    estimates: dict[str, list[Estimate]] = {}
    for name, intervals in analysis.intervals.items():
        of_folds = analysis.cross_validated[name]
        own: list[Estimate] = []
        if not isinstance(intervals, str):
            own += intervals.intervals
        if not isinstance(of_folds, str):
            own.append(of_folds)
        estimates[name] = own
    return estimates


def methods(comparison: CurveComparison) -> Table:
    """Return the methods with their sources."""
    adjusting = described(comparison.adjust)
    folds = (
        "Aslan (2009) sec. 3.1"
        if comparison.n_train is None
        else "Nadeau & Bengio (2003) Mach. Learn. 52, 239-281"
    )
    sources = {
        "DeLong's test, DeLong intervals": DELONG,
        "DeLong interval, logit scale": "Qin & Hotilovac (2008) Stat. Methods Med. "
        "Res. 17, 207-221",
        "Hanley-McNeil interval": "Hanley & McNeil (1982) Radiology 143, 29-36",
        "Cortes-Mohri interval": "Cortes & Mohri (2004) NIPS 17, 305-312",
        "Agarwal interval": "Agarwal et al. (2005) JMLR 6, 393-425",
        "Areas under precision-recall curves": RESAMPLING,
        "Cross-validated AUC": "LeDell et al. (2015) Electron. J. Stat. 9, 1583-1607",
        "t tests of folds": folds,
        "Mean curves and bands": "Fawcett (2006) Pattern Recognit. Lett. 27, 861-874; "
        "Campbell (1994) Stat. Med. 13, 499-508",
        "Cost curves": "Drummond & Holte (2006) Mach. Learn. 65, 95-130",
    }
    if all(isinstance(analysis.over_folds, str) for analysis in comparison.analyses):
        del sources["t tests of folds"]
    if comparison.risk_threshold is not None:
        sources["Net benefit, t tests of cases"] = (
            "Vickers & Elkin (2006) Med. Decis. Making 26, 565-574"
        )
    if comparison.whole_curves:
        sources["Simultaneous bands of differences of ROC curves"] = BANDS
    if comparison.bins is not None:
        sources["Calibration error within bins, debiased"] = (
            "Kumar et al. (2019) NeurIPS; Ferro & Fricker (2012) Q. J. R. Meteorol. "
            "Soc. 138, 1954-1960"
        )
    basis, source = "auc/delong", DELONG
    if comparison.predictions.cluster is not None:
        basis, source = "auc/delong-clusters", f"{CLUSTERS}; {DELONG}"
        for name in _OF_INDEPENDENT:
            del sources[name]
        sources["DeLong's test, DeLong intervals"] = source
    end = "/control" * (comparison.control is not None)
    rate = guarantee(f"{basis}/{comparison.adjust}{end}").text
    adjusted = (adjusting.title, rate, adjusting.reference)
    if comparison.predictions.n_algorithms == 2:
        adjusted = ("DeLong's test of one pair, not adjusted", rate, source)
    others = [(name, "–", source) for name, source in sources.items()]
    return methods_table([adjusted, *_margin_rows(comparison), *others])


def _margin_rows(comparison: CurveComparison) -> list[tuple[str, str, str]]:
    """Return the tests against a margin with their error rates and sources."""
    rows = {}
    shared = () if comparison.n_train is None else ("independent-folds",)
    for way in ways(comparison):
        for tests in way.margins.values():
            claimed = guarantee_of(tests)
            if not isinstance(tests, AucMarginsResult):
                claimed = guarantee_of(tests, FOLDS).where(shared)
            rows[tests.method] = (tests.method, claimed.text, tests.reference)
    return list(rows.values())


def csv(analysis: CurveAnalysis, alpha: float) -> dict[str, AnyTable]:
    """Return the tables for CSV files, full precision."""
    areas = [
        estimate.as_columns().but(algorithm=name)
        for name, own in estimates_of(analysis).items()
        for estimate in own
    ]
    tables: dict[str, AnyTable] = {"areas": stacked(areas)} if areas else {}
    cases, curves = analysis.over_cases, analysis.precision_recall
    if not isinstance(cases, str):
        tables |= build.frames(pairs_over_cases=cases, all_over_cases=cases.omnibus)
    if not isinstance(curves, str):
        area = curves.area.reset_index()
        tables |= {file_of(curves): curves.as_written(), f"areas{end_of(curves)}": area}
    if not isinstance(analysis.over_folds, str):
        tables |= build.frames(pairs_over_folds=analysis.over_folds)
    tables |= build.frames(
        within_margin_over_cases=analysis.margin_over_cases,
        within_margin_over_folds=None
        if isinstance(analysis.margin_over_folds, str)
        else analysis.margin_over_folds,
    )
    benefit = analysis.net_benefit
    if isinstance(benefit, NetBenefitResult):
        tables |= {
            "net_benefit": benefit.held("curves"),
            "net_benefit_pairs": benefit.as_columns(),
        }
    errors = analysis.calibration
    if isinstance(errors, CalibrationResult):
        tables |= {
            "calibration_errors": errors.as_columns(),
            "calibration_bins": errors.held("by_bin"),
        }
    if isinstance(analysis.whole_curves, tuple):
        tables |= _curves_csv(analysis.whole_curves)
    for pairs in (cases, analysis.over_folds):
        if not isinstance(pairs, str) and (ranked := ranks.shown(pairs, alpha)):
            tables |= ranks.csv_tables(ranked, end=end_of(pairs))
    return tables
