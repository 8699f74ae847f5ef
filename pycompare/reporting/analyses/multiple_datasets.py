"""Comparisons over data sets, with folds or without, as a page reports them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.formatting.numbers import number
from pycompare.base.tables import AnyTable
from pycompare.designs.decisions import Decision, Decisions, unable
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.multiple_datasets import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.designs.pair_methods import described, short_title
from pycompare.designs.plans.fields import DEFAULT_COMPARES
from pycompare.designs.quantity import (
    MEANS,
    MODEL,
    QUANTITIES,
    RANKS,
    TYPICAL_DIFFERENCE,
    WINS,
    Quantity,
)
from pycompare.methods.over_datasets.sign_grid import SignGridResult
from pycompare.methods.pairs.paired_t_pairs import PairedTPairsResult
from pycompare.reporting import document as doc
from pycompare.reporting.analyses import rank_tests as rank_tables
from pycompare.reporting.content import (
    build,
    figures,
    fold_words,
    related,
    tiers,
    wording,
    words,
)
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Field, Method, of_method, of_test
from pycompare.reporting.content.facts import (
    Outcome,
    SensitivityAnalysis,
    significant,
    stated,
)
from pycompare.reporting.content.figures import ShownPairs
from pycompare.reporting.content.outcomes import (
    SHARE_OF_WINS,
    compared,
    is_alone,
    method,
    of_wins,
)
from pycompare.reporting.document import p_text
from pycompare.results.guarantees import FOLDS, NO_TEST
from pycompare.results.pair_rows import Pair
from pycompare.results.placement import MEAN_RANKS
from pycompare.results.result import rejected

if TYPE_CHECKING:
    import pandas as pd

    from pycompare.methods.linear.dataset_interaction import DatasetInteraction
    from pycompare.methods.over_datasets.wins import WinsResult

_NAMES: dict[Quantity, str] = {
    TYPICAL_DIFFERENCE: "typical differences",
    RANKS: "mean ranks",
    WINS: "sign tests of wins",
    MEANS: "mean differences",
    MODEL: "one model of all folds",
}
_RATIOS = "typical ratios"
_QUANTITIES = {
    TYPICAL_DIFFERENCE: "rank by typical differences",
    RANKS: "mean rank",
    WINS: SHARE_OF_WINS,
    MEANS: "mean {} over data sets",
    MODEL: "mean {} over all folds",
}
_MOST_DETAIL_ROWS = 2000
"""Rows of means, or of pairs, of all data sets and metrics that a page has.

With more only the CSV files have them.
"""
_PAIRS_IN_FILES = "The pairs of all data sets are in"
_DETAILS_IN_FILES = (
    "The means and letters of all algorithms on each data set, and the pairs of all "
    "data sets, are in"
)
MOST_FOLDED = 5
"""Data sets in a row that stand separately; more are folded once again."""
_TERMS = {"block": "data set", "block in dataset": "fold in data set"}
_TERMS["dataset"] = "data set"
_ANOVAS = {
    MEANS: "Blocked ANOVA over data sets; the residual is the interaction of "
    "algorithm and data set",
    MODEL: "ANOVA of all folds, algorithms adjusted for folds",
}
_ASSUMES: dict[Quantity, str] = {
    TYPICAL_DIFFERENCE: "asks for the typical difference on data sets like these; "
    "differences are symmetric",
    RANKS: "asks how often one is better, on data sets like these",
    WINS: "asks on how many data sets one is significantly better",
    MEANS: "asks for the mean difference on data sets like these",
    MODEL: "asks for the mean difference on these very data sets",
}
_ASKS: dict[Quantity, str] = {
    TYPICAL_DIFFERENCE: "The typical difference is the median of the means of each "
    "two differences (Hodges-Lehmann), in the unit of the metric. Its estimate and its "
    "p-value before adjustment depend on the two algorithms alone. They assume "
    "differences that are symmetric about their centre.",
    RANKS: "Mean ranks ask how often one algorithm is better on data sets like "
    "these. Each data set counts the same, and the size of a difference does not "
    "count.",
    WINS: "Sign tests of wins ask on how many data sets one algorithm is "
    "significantly better. Data sets without a significant difference are split "
    "between the two.",
    MEANS: "Means ask for the mean difference over data sets like these. "
    "The error is the change of differences between data sets, as a claim about new "
    "data sets needs. A few data sets with large differences can determine the result. "
    "Paired tests use the variance of each pair; Tukey, Scheffé and Dunnett pool all "
    "variances, and reject too often if one algorithm varies more.",
    MODEL: "One model of all folds asks for the mean difference on these very data "
    "sets: score = data set + fold in data set + algorithm. Its error mixes folds and "
    "interaction, so it does not extend to new data sets.",
}
_ASKS_RATIO = (
    "The typical ratio of two algorithms is exp of the median of the means of each two "
    "differences of the logarithms of their scores (Hodges-Lehmann). It has no unit, "
    "and 1 is no difference. Its estimate and its p-value before adjustment depend on "
    "the two algorithms alone. They assume logarithms of ratios that are symmetric "
    "about their centre."
)
_WINS = (
    "A win on a data set is a significant pair; the winner has the better mean. The "
    "total counts the data sets on which an algorithm beats at least one other."
)
_WINS_UNTESTED = (
    "A win on a data set, a pair with p ≤ alpha by tests that treat its folds as "
    "independent, only counts for the sign tests. It is no claim about that data set."
)
_DESCRIBED = (
    "Each data set is described by the means of its folds. No test is made on a data "
    "set, of all folds together or of changes from data set to data set: folds share "
    "training data, and the plan does not give the sizes of training and test sets."
)
_CONTROL = "{control} is compared with each other algorithm; no two others are."
_ALONE = (
    "Each data set has its own blocked ANOVA of folds and {method} comparison of "
    "{family}{paired}."
)
_CORRECTED = (
    "Each data set has its own blocked ANOVA of folds and corrected resampled t tests "
    "of {tests}. {method} comparison, which assumes independent folds, is a "
    "sensitivity analysis there."
)
DATASETS_ARE = related.of_independent(
    "The conclusions concern data sets like these, assumed to be independent of one "
    "another."
)
NEW_DATASETS = (
    "The model of all folds concerns the mean over these very data sets, not "
    "new ones. Typical and mean differences do."
)
_ANOVA_ASSUMES = (
    "The ANOVAs assume normal errors of equal variance; Tukey and Dunnett also assume "
    "equal variance of all differences."
)
_T_ASSUMES = (
    "Paired t tests assume normal differences, each pair with its own variance; ranks "
    "assume neither."
)
_ROUNDED = "Scores are rounded to {decimals} decimals before differences are made."
_SYMMETRIC = (
    "Signed rank tests assume that differences are symmetric about their centre. "
    "They compare differences between data sets, so a unit of the metric must mean the "
    "same on all of them."
)
SYMMETRIC_LOGARITHMS = (
    "Signed rank tests of logarithms assume that the logarithms of ratios are "
    "symmetric about their centre. The unit of the metric may change from data set to "
    "data set; means of differences are therefore not computed."
)
_TYPICALLY = (
    "The {metric} of {better} is typically {ratio} times that of {worse}{interval}."
)
_MOVED = "seven learners and a control, 10 data sets drawn from a published table"
LARGEST_ERRORS = {
    "closed-permutation": (0.111, "one of three algorithms skewed, 6 data sets"),
    "bergmann-hommel": (0.136, "a hub among eight algorithms, 60 data sets"),
    "step-down-flips": (0.079, _MOVED),
    "holm": (0.067, _MOVED),
}
"""Share of tables with a false decision at 0.05 if a condition fails, at most."""
_LARGEST_ERROR = (
    "{title}: nominal 0.05; if its condition fails, up to {error} of simulated "
    "tables had a false decision ({law})."
)
_TOGETHER = (
    "All metrics together are compared by a multivariate ANOVA of the data sets' mean "
    "vectors and paired T2 tests. This is a question of its own."
)
_VECTORS = (
    "The multivariate tests assume multivariate normal mean vectors of data sets; each "
    "data set is treated as one block."
)


class MultipleDatasetsReport(AnalysisReport[DatasetsAnalysis]):
    """Each data set separately, then the comparisons over data sets."""

    @property
    def with_folds(self) -> bool:
        """Whether data sets have folds, by which each is analysed itself."""
        return self.comparison.plan.design.nested

    @property
    def in_clusters(self) -> bool:
        """Whether the data sets are in clusters."""
        return related.in_clusters(self.comparison)

    def plan(self) -> list[str]:
        """Return the plan in words."""
        comparison, plan = self.comparison, self.comparison.plan
        planned = "as specified"
        if plan.quantity == QUANTITIES[DEFAULT_COMPARES]:
            chosen = "the default, whatever the scores; set compares for another"
            planned = related.ONLY if self.in_clusters else chosen
        alone = comparison.scores.n_algorithms == 2 and plan.family != "all"
        others = len(self.analyses[0].over) - 1
        name = _name(self.analyses[0].planned)
        within = [
            _of_each(comparison),
            _WINS if plan.tests_within else _WINS_UNTESTED,
        ]
        return [
            _blocks_are(comparison)
            if self.with_folds
            else rank_tables.blocks_are(comparison),
            *(within if self.with_folds else []),
            *([related.clusters_are(comparison)] if self.in_clusters else []),
            f"The primary comparison over data sets is {name} "
            f"({planned}). {_other_comparisons(others)}",
            *self._rounded(),
            *([words.ONE_PAIR] if alone else []),
            *words.f_alone(comparison),
            *words.so_many(comparison),
            *self._gate(),
            *([] if plan.control is None else [stated(_CONTROL, control=plan.control)]),
            *([] if comparison.together is None else [_TOGETHER]),
            words.as_it_stands(comparison),
        ]

    def _rounded(self) -> list[str]:
        """Return a note if scores are rounded first."""
        decimals = self.comparison.plan.decimals
        return [] if decimals is None else [stated(_ROUNDED, decimals=decimals)]

    def _gate(self) -> list[str]:
        """Return whether pairs wait for a test of all algorithms, if there is one."""
        if self.comparison.plan.quantity == TYPICAL_DIFFERENCE:
            return []
        return [words.gate(self.comparison.plan.gate, "the test of all algorithms")]

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        quantity = self.comparison.plan.quantity
        several = self.comparison.compared.n_algorithms > 2
        by_ranks = several and quantity == RANKS
        if not self.with_folds:
            return rank_tables.scope(self.comparison)
        return [
            NEW_DATASETS if quantity == MODEL else DATASETS_ARE,
            *[words.AMONG_THESE] * by_ranks,
            *words.not_equality(self.comparison),
            *fold_words.within_data_sets(self.comparison),
            *([] if self.comparison.plan.tests_within else [fold_words.TO_TEST_EACH]),
        ]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        comparison = self.comparison
        by_anova = self.with_folds or comparison.plan.quantity == MEANS
        by_t = not (comparison.plan.as_ratios or self.in_clusters)
        independent = related.LIMITS if self.in_clusters else rank_tables.INDEPENDENT
        with_folds = [
            fold_words.SHARED,
            fold_words.WITHIN_CORRECTED
            if comparison.plan.corrects
            else fold_words.WITHIN_UNCORRECTED
            if comparison.plan.tests_within
            else _DESCRIBED,
            "Typical differences, mean ranks and mean differences use each data set's "
            "mean alone, so shared training data do not affect them.",
            "Sign tests of wins are valid if equally good algorithms win equally "
            "often, even if the tests on each data set are not exact.",
        ]
        return [
            *(with_folds if self.with_folds else [independent]),
            SYMMETRIC_LOGARITHMS if comparison.plan.as_ratios else _SYMMETRIC,
            *_largest_errors(comparison),
            *([_ANOVA_ASSUMES] if by_anova else []),
            *([_T_ASSUMES] if by_t else []),
            *words.few(related.n_units(comparison), related.noun_of(comparison)),
            *words.adjustment_limits(comparison),
            *([] if comparison.together is None else [_VECTORS]),
            *words.doubts(comparison.compared),
            *([] if comparison.compared.complete else [words.GAPS]),
        ]

    def methods(self) -> list[Method]:
        """Return the methods with their error rates and sources."""
        rows = [row for analysis in self.analyses for row in self._methods_of(analysis)]
        if self.comparison.together is None:
            return rows
        from pycompare.reporting.analyses.multivariate import methods

        return [*rows, *methods(self.comparison)]

    def _methods_of(self, analysis: DatasetsAnalysis) -> Iterator[Method]:
        """Yield the methods of one metric; data sets that share theirs once."""
        if _tested_within(analysis):
            yield from self._methods_within(analysis)
        if analysis.wins is not None:
            yield "Table of wins", NO_TEST, analysis.wins.reference
        for over in analysis.over:
            yield from self.methods_over(over)
        if analysis.interaction is not None:
            yield of_test(analysis.interaction, self.comparison.plan, FOLDS)

    def _methods_within(self, analysis: DatasetsAnalysis) -> Iterator[Method]:
        """Yield the methods on each data set."""
        plan, end = self.comparison.plan, "; on the data set"
        tests = {(on.omnibus.name, on.omnibus.basis): on for on in analysis.each}
        for on in tests.values():
            start = "On each data set: blocked ANOVA"
            yield of_test(on.omnibus, plan, FOLDS, start, end)
        by = {tuple(p.method for p in on.pairs): on for on in analysis.each}
        for pairs in (pairs for on in by.values() for pairs in on.pairs):
            start = f"On each data set: {pairs.method}, "
            title, rate, _ = of_method(pairs, plan, FOLDS, start, end)
            yield title, rate, pairs.reference

    def methods_over(self, over: OverDatasets) -> Iterator[Method]:
        """Yield the methods of one comparison over data sets."""
        start = f"{wording.begun(_name(over))}: "
        if self.with_folds:
            start = f"Over data sets, {_name(over)}: "
        plan = self.comparison.plan
        units = plan.design.units_of(over.quantity)
        if over.test is not None:
            yield of_test(over.test, plan, units, f"{start}{over.test.short_name}")
        two = len(over.decisive.algorithms) == 2 and not over.joint
        if two and not self.in_clusters:
            return
        if self.in_clusters and not is_alone(over.decisive):
            decisive = over.decisive
            yield f"{start}{decisive.method}", words.EACH, decisive.reference
        for pairs in over.pairs:
            own = "paired t tests, " * isinstance(pairs, PairedTPairsResult)
            yield of_method(pairs, plan, units, f"{start}{own}")

    def outcome(self, analysis: DatasetsAnalysis) -> Outcome:
        """Return the facts about the primary comparison over data sets."""
        over = analysis.planned
        several = self.comparison.compared.n_algorithms > 2
        ranks = analysis.ranks if over.quantity == RANKS else None
        sign = 1 if over.decisive.lower_is_better else -1
        positions = over.decisive.held("positions")
        values = {name: sign * float(x) for name, x in positions.items()}
        outcome = compared(
            over,
            self.comparison,
            values=values if several else None,
            quantity=_QUANTITIES[over.quantity].format(analysis.metric.name),
            omnibus=over.test if several else None,
            in_unit=over.in_unit,
        )
        outcome = of_wins(outcome) if over.quantity == WINS else outcome
        if over.quantity == TYPICAL_DIFFERENCE and several:
            placed = over.decisive.placed()
            outcome = replace(outcome, values=placed, best="best", whole=True)
        if ranks is not None:
            outcome = replace(outcome, better_in=MEAN_RANKS)
        if over.decisive.null == 1 and several:
            outcome = replace(outcome, quantity="rank by typical ratios")
        return replace(outcome, method=f"{_name(over)}, {outcome.method}")

    def untested(self, analysis: DatasetsAnalysis) -> list[str]:
        """Return the reason why nothing can be tested; nothing if anything can."""
        over = analysis.planned
        if not words.untested(over):
            return []
        notes = () if over.test is None else over.test.notes
        why = notes[-1] if notes else "no data set has a test of any pair"
        return [f"Reason: {why}.", *_totals(analysis)]

    def remarks(self, analysis: DatasetsAnalysis) -> Iterator[str]:
        """Yield warnings, the interaction, and how often each algorithm wins."""
        over = analysis.planned
        yield from typical_ratio(self.facts(analysis))
        yield from words.at_odds(over, over.test, self.alpha)
        if not (over.in_unit and self.facts(analysis).out_of_reach):
            yield from self._out_of_reach(over, "The primary tests")
        if analysis.interaction is not None:
            yield _interaction(analysis.interaction, self.alpha)
        yield from _totals(analysis)
        for other in analysis.over:
            if other is not over:
                yield from self._out_of_reach(other, f"Sensitivity: {_named(other)}")

    def _out_of_reach(self, over: OverDatasets, start: str) -> Iterator[str]:
        """State the pairs that an exact test of so few data sets cannot reject."""
        noun = related.noun_of(self.comparison)
        decisions, exact = over.decisions, over.decisive
        return words.out_of_reach(start, decisions, exact, self.alpha, noun)

    def alternatives(self, analysis: DatasetsAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield the other comparisons over data sets."""
        planned, alpha = analysis.planned.test, self.alpha
        if len(analysis.decisions) > 1 or analysis.planned.joint:
            yield from self.other_pairs(analysis.planned)
        wins = any(other.quantity == WINS for other in analysis.over)
        if analysis.ranks is not None and not wins:
            yield from rank_tables.sign_tests(analysis.ranks, alpha)
        for other in analysis.over:
            if other is analysis.planned:
                continue
            test, omnibus = other.test, None
            if test is not None and not math.isnan(test.p_value):
                rejects = test.rejected(alpha)
                alike = planned is None or rejects == planned.rejected(alpha)
                omnibus = (test.p_value, alike)
            yield SensitivityAnalysis(
                name=wording.begun(_named(other)),
                assumes=_ASSUMES[other.quantity],
                omnibus=omnibus,
                significant=significant(other.decisions),
                hopeless=unable(other.decisive, alpha),
                short=f"{_name(other)}, {short_title(other.decisive.called)}",
            )

    def blocks(self, analysis: DatasetsAnalysis) -> Iterator[doc.Block]:
        """Yield the planned comparison, wins, the others, and each data set."""
        alpha = self.alpha
        planned = analysis.planned
        others = [over for over in analysis.over if over.quantity != WINS]
        order = sorted(others, key=lambda over: over is not planned)
        first, *rest = [part for over in order for part in _over(analysis, over, alpha)]
        parts = [first, *_wins_fold(analysis, alpha)]
        yield from reversed(parts) if planned.quantity == WINS else parts
        if len(analysis.over) > 1:
            title = "Agreement of the comparisons over data sets"
            yield doc.fold(title, agreement(analysis, alpha))
        yield from rest
        caption = "Do differences between algorithms change from data set to data set?"
        if analysis.interaction is not None:
            interaction = build.tests(caption, [analysis.interaction])
            yield doc.fold("Interaction of algorithm and data set", interaction)
        if analysis.each:
            yield from self.each(analysis)

    def each(self, analysis: DatasetsAnalysis) -> Iterator[doc.Block]:
        """Yield one row per data set, and its details if the page has room."""
        title, rows = "Data set by data set", summary(analysis, self.alpha)
        if not _tested_within(analysis):
            yield doc.fold(title, rows)
            return
        metrics = len(self.comparison.analyses)
        means = sum(len(on_dataset.decisive.algorithms) for on_dataset in analysis.each)
        pairs = sum(
            len(on_dataset.decisive.as_columns()) for on_dataset in analysis.each
        )
        if metrics * means > _MOST_DETAIL_ROWS:
            files = ("data_sets", "data_set_pairs")
            yield doc.fold(title, rows, doc.Paragraph(_DETAILS_IN_FILES, files=files))
            return
        few = metrics * pairs <= _MOST_DETAIL_ROWS
        there = doc.Paragraph(_PAIRS_IN_FILES, files=("data_set_pairs",))
        yield doc.fold(title, *([rows] if few else [rows, there]))
        yield from _one_by_one([*_details(analysis, self.alpha, pairs=few)])

    def note(self, analysis: DatasetsAnalysis) -> str:
        """Return a note if the table's size alone chose the comparison of pairs."""
        if analysis.planned.quantity != RANKS or analysis.ranks is None:
            return ""
        return words.chosen_by_size(self.comparison, analysis.ranks.decisive)

    def second(self, analysis: DatasetsAnalysis) -> doc.Figure | None:
        """Return the diagram of all algorithms and their groups."""
        over = analysis.planned
        pairs = over.decisive
        many = len(pairs.algorithms)
        if pairs.control is not None or many < 3:
            return None
        of_many = next(tiers.of_many(self.facts(analysis)), None)
        if of_many is not None:
            return of_many
        return next(figures.diagram(self._shown(over, planned=True)), None)

    def figures(self, analysis: DatasetsAnalysis) -> Iterator[doc.Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        scores = self.comparison.compared
        if self.in_clusters and len(analysis.decisions) == 1:
            yield from figures.differences(self._shown(analysis.planned, True))
        elif len(analysis.planned.decisive.algorithms) > 2:
            order = sorted(analysis.over, key=lambda over: over is not analysis.planned)
            for over in order:
                planned = over is analysis.planned
                if planned and over.quantity == RANKS:
                    yield from tiers.of_many(self.facts(analysis))
                yield from self.figures_of(over, planned)
                if planned and over.quantity != WINS:
                    own = over.quantity != MODEL  # whose data sets are fixed
                    pairs = self._shown(over, planned)
                    yield from self.detailed(analysis, pairs, independent=own)
        yield from figures.distributions(scores, analysis.metric, "data set")

    def figures_of(self, over: OverDatasets, planned: bool) -> Iterator[doc.Figure]:
        """Yield the figures of one comparison over data sets."""
        shown = self._shown(over, planned)
        if over.quantity == RANKS or (planned and over.quantity == WINS):
            yield from figures.diagram(shown)
        elif over.quantity == TYPICAL_DIFFERENCE:
            yield from figures.differences(shown)
        elif over.quantity != WINS and (planned or over.quantity == MEANS):
            yield from figures.differences(shown)

    def _shown(self, over: OverDatasets, planned: bool) -> ShownPairs:
        """Return the pairs of one comparison over data sets, for figures."""
        n, on = self.comparison.compared.n_blocks, wording.direction(over.metric)
        what = f"{wording.begun(_name(over))}, {on}, {n} data sets"
        if self.in_clusters:
            what += f" in {related.n_units(self.comparison)} clusters"
        return self.shown(over.decisive, what, "" if planned else f"{over.key}_")

    def csv_tables(self, analysis: DatasetsAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        tables: dict[str, AnyTable] = {}
        if len(analysis.over) > 1:
            tables["agreement"] = analysis.agreement_columns()
        if analysis.wins is not None:
            import pandas as pd

            from pycompare.reporting.content.win_tables import counts_for_csv

            tables["wins"] = counts_for_csv(analysis.wins)
            tables["data_sets"] = pd.DataFrame(_rows_of(analysis))
            if _tested_within(analysis):
                tables["data_set_pairs"] = _pairs_for_csv(analysis.wins)
        for over in analysis.over:
            if over.key != "ranks" or analysis.ranks is None:
                tables[_pairs_file(over.key)] = over.pairs_columns()
            if over.test is not None and over.test.basis.startswith("omnibus/anova"):
                tables[f"{over.key}_anova"] = over.test.as_columns()
        if analysis.ranks is not None:
            ranks = rank_tables.csv_tables(analysis.ranks)
            tables |= {f"ranks_{name}": table for name, table in ranks.items()}
        if analysis.interaction is not None:
            tables["interaction"] = analysis.interaction.as_columns()
        return tables


def typical_ratio(outcome: Outcome) -> Iterator[str]:
    """Yield how many times the scores of the strongest pair differ, if by ratios."""
    if not outcome.pairs:
        return
    fact = outcome.pairs[0]
    if fact.null != 1 or fact.estimate is None or not math.isfinite(fact.estimate):
        return
    told = ""
    if fact.interval is not None and all(map(math.isfinite, fact.interval)):
        told = f" ({wording.interval(fact.interval, fact.level)})"
    yield stated(
        _TYPICALLY,
        metric=fact.metric.name,
        better=fact.subject,
        ratio=wording.value(fact.estimate),
        worse=fact.object,
        interval=told,
    )


def _other_comparisons(others: int) -> str:
    """Describe the other comparisons over data sets."""
    if not others:
        return related.ALONE
    if others == 1:
        return "The other one is a sensitivity analysis."
    return f"The other {wording.count(others)} are sensitivity analyses."


def _pairs_file(key: str) -> str:
    """Return the name of the CSV file of the pairs of one comparison."""
    return f"{key.replace('-', '_')}_pairs"


def _tested_within(analysis: DatasetsAnalysis) -> bool:
    """Return whether anything is decided on single data sets."""
    return analysis.interaction is not None


def _largest_errors(comparison: GroupComparison) -> list[str]:
    """Return how wrong typical differences were if a condition fails."""
    plan = comparison.plan
    if plan.quantity != TYPICAL_DIFFERENCE:
        return []
    if related.in_clusters(comparison):
        return [related.LARGEST_ERROR]
    name = plan.adjust[0]
    if name not in LARGEST_ERRORS:
        return []
    error, law = LARGEST_ERRORS[name]
    title = wording.begun(short_title(name))
    return [stated(_LARGEST_ERROR, title=title, error=f"{error:.2g}", law=law)]


def _of_each(comparison: GroupComparison) -> str:
    """Return how each data set is analysed separately."""
    plan, n = comparison.plan, comparison.scores.n_algorithms
    family = "all pairs" if plan.control is None else f"{plan.control} with the others"
    method = "Tukey's" if plan.control is None else "Dunnett's"
    if not plan.tests_within:
        return _DESCRIBED
    if not plan.corrects:
        paired = ", which is the paired t test for two" * (n == 2)
        return stated(_ALONE, method=method, family=family, paired=paired)
    adjusted = "" if n == 2 else f", adjusted by {described(plan.t_method(n)).title}"
    tests = f"{family}{adjusted} ({_sizes(comparison)})"
    return stated(_CORRECTED, tests=tests, method=method)


def _sizes(comparison: GroupComparison) -> str:
    """Return the sizes of the sets in words."""
    plan, names = comparison.plan, dict.fromkeys(comparison.scores.datasets or ())
    if plan.n_train is None:
        by_dataset = [
            sizes for name in names if (sizes := plan.sizes(name)) is not None
        ]
        return fold_words.of_folds([int(sizes["n_train"]) + 1 for sizes in by_dataset])
    told = []
    for name in ("n_train", "n_test"):
        given = getattr(comparison.plan, name)
        if isinstance(given, Mapping):
            low, high = (fold_words.number_of(f(given.values())) for f in (min, max))
            told.append(f"{name} from {low} to {high} by data set")
        else:
            told.append(f"{name} = {fold_words.number_of(given)}")
    return ", ".join(told)


def _blocks_are(comparison: GroupComparison) -> str:
    """Return the kind of blocks, and who stated it."""
    who = "specified" if comparison.asked.names_blocks else "the data set column"
    n, many = comparison.scores.n_blocks, comparison.compared.n_blocks
    return stated(
        "Blocks are {n} folds of {many} data sets, as {who}.", n=n, many=many, who=who
    )


def _name(over: OverDatasets) -> str:
    """Return the name of the quantity of a comparison over data sets."""
    return _RATIOS if over.decisive.null == 1 else _NAMES[over.quantity]


def _named(over: OverDatasets) -> str:
    """Return the name of a comparison over data sets, with its method."""
    return f"{_name(over)}, {method(over.decisive)}"


def _totals(analysis: DatasetsAnalysis) -> Iterator[str]:
    """Yield how often each algorithm wins, if data sets are tested."""
    if analysis.wins is None or not _tested_within(analysis):
        return
    totals = analysis.wins.totals
    assert totals is not None
    count = sum(decision.rejected for on in analysis.each for decision in on.decisions)
    every = sum(len(on.decisions) for on in analysis.each)
    ordered = totals.sort_values(ascending=False, kind="stable")
    shown = ", ".join(f"{name} {int(wins)}" for name, wins in ordered.items())
    yield (
        f"On single data sets, {count} of {every} pairwise comparisons are "
        f"significant. Data sets (of {analysis.wins.n_datasets}) on which an algorithm "
        f"beats at least one other: {shown}."
    )


def _interaction(test: DatasetInteraction, alpha: float) -> str:
    """Return whether differences change from data set to data set."""
    if math.isnan(test.p_value):
        return (
            f"Whether differences change from data set to data set cannot be tested: "
            f"{test.notes[0]}."
        )
    shown = f"{test.name}: {wording.test_result(test, alpha)}"
    if test.rejected(alpha):
        return (
            f"Differences change from data set to data set ({shown}). Results of one "
            f"model of all folds need not hold on other data sets."
        )
    return (
        f"No significant change of differences from data set to data set ({shown}). "
        f"This does not show that there is none."
    )


# ---- tables


def _wins_fold(analysis: DatasetsAnalysis, alpha: float) -> Iterator[doc.FoldedSection]:
    """Yield the wins and their sign tests, if data sets have folds."""
    if analysis.wins is None:
        return
    from pycompare.reporting.content import win_tables

    signs = [p for p in analysis.by(WINS.name).pairs if isinstance(p, SignGridResult)]
    yield doc.fold(
        "Wins over data sets",
        doc.Paragraph(_ASKS[WINS]),
        win_tables.wins(analysis.wins),
        win_tables.sign_rows(signs, alpha, file=_pairs_file("wins")),
    )


def _over(
    analysis: DatasetsAnalysis, over: OverDatasets, alpha: float
) -> Iterator[doc.Block]:
    """Yield one comparison over data sets."""
    decides = over is analysis.planned
    role = "" if decides else "Sensitivity analysis."
    asks = _ASKS_RATIO if over.decisive.null == 1 else _ASKS[over.quantity]
    about = doc.Paragraph(asks)
    if over.quantity == RANKS and analysis.ranks is not None:
        blocks = (about, *rank_tables.blocks(analysis.ranks, alpha, role, "ranks_"))
    elif over.quantity == TYPICAL_DIFFERENCE and analysis.two:
        caption = "Tests of no difference between data-set means, two-sided."
        blocks = (about, build.tests(caption, analysis.two))
    else:
        table = build.pairs(over, alpha, role, _pairs_file(over.key))
        anova = None
        if over.test is not None and over.test.basis.startswith("omnibus/anova"):
            caption = f"{_ANOVAS[over.quantity]} ({over.test.reference})."
            test: Any = over.test
            anova = build.anova(caption, test, _TERMS)
        blocks = doc.present(about, anova, table)
    part = doc.section if decides else doc.fold
    yield part(wording.begun(_name(over)), *blocks)


def _one_by_one(folds: Sequence[doc.FoldedSection]) -> Sequence[doc.FoldedSection]:
    """Return parts of the same kind, many folded once again."""
    if len(folds) <= MOST_FOLDED:
        return folds
    title = f"{folds[0].title} to {folds[-1].title}, {len(folds)} one by one"
    return [doc.fold(title, *folds)]


def _details(
    analysis: DatasetsAnalysis, alpha: float, *, pairs: bool
) -> Iterator[doc.FoldedSection]:
    """Yield one part a data set: its test, its means and, if few, its pairs."""
    for on_dataset in analysis.each:
        text = doc.Paragraph(_on_dataset(on_dataset, alpha))
        shown = [_pairs_of(on_dataset, alpha)] if pairs else []
        yield doc.fold(
            f"Data set {on_dataset.dataset}", text, _means(on_dataset), *shown
        )


def _on_dataset(on_dataset: OnDataset, alpha: float) -> str:
    """Return the results on the folds of one data set."""
    test = on_dataset.omnibus
    if test.notes and math.isnan(test.p_value):
        return f"{on_dataset.n_folds} folds. Nothing can be tested: {test.notes[-1]}."
    n_significant = sum(d.rejected for d in on_dataset.decisions)
    return (
        f"{on_dataset.n_folds} folds; ANOVA {wording.test_result(test, alpha)}; "
        f"{n_significant} of {len(on_dataset.decisions)} pairs differ significantly."
    )


def agreement(analysis: DatasetsAnalysis, alpha: float) -> doc.Table:
    """Return what each comparison over data sets finds for each pair."""
    rows = Decisions.of(analysis.decisions).rows
    shown = rows.take(np.arange(min(len(rows), build.MOST_ROWS)))
    known = [Decisions.of(over.decisions).about(shown) for over in analysis.over]
    hopeless: list[Set[Pair]] = [
        frozenset() if over is analysis.planned else unable(over.decisive, alpha)
        for over in analysis.over
    ]

    def by(decisions: Mapping[Pair, Decision]) -> Callable[[Decision], doc.Inline]:
        return lambda planned: _agreed(decisions[planned.pair], planned.better, alpha)

    def agree(planned: Decision) -> str:
        each, pair = zip(known, hopeless, strict=True), planned.pair
        winners = [_winner(of[pair]) for of, no in each if pair not in no]
        if len(winners) == 1:  # the primary analysis; no other can reject
            return "–"
        return "yes" if len(set(winners)) == 1 else "no"

    few = " Tests that cannot reach significance with so few data sets do not count."
    return build.table(
        "Adjusted p-values of each comparison. Values in bold are significant (alpha "
        f"= {alpha:g}), "
        f"in favour of the first algorithm unless the other is named."
        + few
        * any(hopeless),
        analysis.decisions,
        Field(
            "Pair", "label", lambda decision: f"{decision.better} – {decision.worse}"
        ),
        Field("all agree", "text", agree),
        *(
            Field(_heading(analysis, over), "digits", by(decisions))
            for over, decisions in zip(analysis.over, known, strict=True)
        ),
        file="agreement",
    )


def _heading(analysis: DatasetsAnalysis, over: OverDatasets) -> str:
    """Return the title of a column of p-values."""
    mark = " (primary)" if over is analysis.planned else ""
    return f"{wording.begun(_name(over))}{mark}: {method(over.decisive)}"


def _winner(decision: Decision) -> str:
    """Return whom a decision favours, or nobody."""
    return decision.better if decision.rejected else ""


def _agreed(decision: Decision, first: str, alpha: float) -> doc.Inline:
    """Return a p-value; the winner is named if it is the second of the pair."""
    turned = f" for {decision.better}" if _winner(decision) not in ("", first) else ""
    text = f"{p_text(decision.p_adjusted, alpha)}{turned}"
    return (doc.Strong(text),) if decision.rejected else text


def summary(analysis: DatasetsAnalysis, alpha: float) -> doc.Table:
    """Return one row per data set: its test, its best algorithm, its pairs."""
    wins = analysis.wins
    if wins is None or not _tested_within(analysis):
        return build.table(
            "Each data set: folds and best algorithm, without tests.",
            analysis.each,
            Field("Data set", "label", "dataset"),
            Field("folds", "count", "n_folds"),
            Field("best mean", "text", _best),
            file="data_sets",
        )
    control = wins.control
    last = (
        Field("not significantly worse", "text", _near)
        if control is None
        else Field(f"better / worse than {control}", "digits", _beside)
    )
    return build.table(
        f"Each data set: blocked ANOVA of its folds, best algorithm and significant "
        f"pairs. Pairs: {wins.method}, alpha = {wins.alpha:g} on "
        f"each data set.",
        analysis.each,
        Field("Data set", "label", "dataset"),
        Field("p", "p", lambda on: on.omnibus.p_value, alpha),
        Field("F", "number", lambda on: on.omnibus.statistic),
        Field("folds", "count", "n_folds"),
        Field("best mean", "text", _best),
        last,
        Field(
            "significant pairs",
            "digits",
            lambda on: (
                f"{sum(d.rejected for d in on.decisions)} of {len(on.decisions)}"
            ),
        ),
        file="data_sets",
    )


def _best(on_dataset: OnDataset) -> str:
    name = str(on_dataset.decisive.positions.idxmin())
    return f"{name}, {number(on_dataset.means[name])}"


def _near(on_dataset: OnDataset) -> str:
    """Return the algorithms that are not significantly worse than the best."""
    name = str(on_dataset.decisive.positions.idxmin())
    known = {
        other
        for decision in on_dataset.decisions
        if name in decision.pair and not decision.rejected
        for other in decision.pair - {name}
    }
    return ", ".join(
        other for other in on_dataset.decisive.algorithms if other in known
    )


def _beside(on_dataset: OnDataset) -> str:
    significant = [d for d in on_dataset.decisions if d.rejected]
    worse = sum(d.better == on_dataset.decisive.control for d in significant)
    return f"{len(significant) - worse} / {worse}"


def _means(on_dataset: OnDataset) -> doc.Table:
    """Return the algorithms of one data set by mean, with letters if there are any."""
    order = on_dataset.decisive.positions.sort_values(kind="stable").index
    title, shared = f"mean {on_dataset.metric.name}", on_dataset.letters
    caption = f"{on_dataset.dataset}: algorithms by {title}, best first."
    if shared is None:
        return build.positions(caption, on_dataset.means[order], title)
    caption += " Algorithms that share a letter do not differ significantly."
    letters = Field("letters", "digits", lambda name: shared[name])
    return build.positions(caption, on_dataset.means[order], title, letters)


def _pairs_of(on_dataset: OnDataset, alpha: float) -> doc.Table:
    """Return all pairs of one data set."""
    role = f"{on_dataset.dataset}."
    if on_dataset.sizes is not None:
        ratio = on_dataset.sizes["n_test"] / on_dataset.sizes["n_train"]
        c = fold_words.number_of(on_dataset.sizes["overlap"])
        role = f"{role} Corrected with n_test/n_train = {ratio:.6g}, c = {c}."
    return build.of_pairs(
        on_dataset.pairs,
        alpha,
        role=role,
        file="data_set_pairs",
    )


def _pairs_for_csv(wins: WinsResult) -> pd.DataFrame:
    """Return the pairs of all data sets, without numbers of other files.

    Means and the test of all algorithms are in ``data_sets``; without this test before
    the pairs ``p_pairs`` is ``p_adjusted``.
    """
    elsewhere = ["value_1", "value_2", "p_omnibus"]
    if not wins.omnibus:
        elsewhere.append("p_pairs")
    return wins.decisions.drop(columns=elsewhere, errors="ignore")


def _rows_of(analysis: DatasetsAnalysis) -> Iterator[dict[str, Any]]:
    """Yield one row per data set and algorithm: mean and letters, and the test."""
    assert analysis.wins is not None  # data sets have folds
    for on_dataset in analysis.each:
        for name in on_dataset.decisive.algorithms:
            letters = (
                {}
                if on_dataset.letters is None
                else {"letters": on_dataset.letters[name]}
            )
            p = on_dataset.omnibus.p_value
            test = {
                "statistic": on_dataset.omnibus.statistic,
                "p_value": p,
                "rejected": bool(rejected(p, analysis.wins.alpha)),
            }
            yield {
                "dataset": on_dataset.dataset,
                "folds": on_dataset.n_folds,
                **(test if _tested_within(analysis) else {}),
                "algorithm": name,
                "mean": on_dataset.means[name],
                **letters,
            }
