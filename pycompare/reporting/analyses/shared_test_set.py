"""Training sets that share one test set, as a page presents it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pycompare.base.tables import AnyTable
from pycompare.data.ratings import Ratings
from pycompare.designs.decisions import decisions
from pycompare.designs.pair_methods import described, short_title
from pycompare.designs.plans.fields import Generalise
from pycompare.designs.shared_test_set import CONCERN, SharedTestSetAnalysis
from pycompare.methods.multireader.mixed_outcomes import GLMMResult
from pycompare.methods.pairs.margin_pairs import MarginPairsResult
from pycompare.reporting.analyses.multireader import parts
from pycompare.reporting.analyses.multireader.report import (
    NOT_EQUALITY,
    ONE_VARIANCE,
    normal,
)
from pycompare.reporting.content import build, figures, fold_words, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Method, of_method, of_test
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis, significant
from pycompare.reporting.content.outcomes import of_means
from pycompare.reporting.document import Block, Figure, FoldedSection, Inline, Section
from pycompare.results.guarantees import BLOCKS
from pycompare.results.result import rejected

_ABOUT: dict[Generalise, str] = {
    "both": "The conclusions concern the algorithms with new training sets drawn like "
    "these, tested on new cases. They do not extend to other data sets.",
    "training-sets": "The conclusions concern new training sets with these test cases, "
    "not other cases or data sets.",
    "cases": "The conclusions concern these trained classifiers on new cases, not "
    "newly trained ones, and not other data sets.",
}
_OTHERS = (
    "The plan names this scope (generalise = {}). The other two answer other "
    "questions: a smaller p-value for another scope does not strengthen this "
    "conclusion."
)
_TRAINING_SETS = parts.Nouns("training set", "algorithm")


class SharedTestSetReport(AnalysisReport[SharedTestSetAnalysis]):
    """Blocks are training sets of one data set, all tested on the same cases."""

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        plan = self.comparison.plan
        assert plan.generalise is not None
        adjusted = f"Pairs are adjusted by {described(plan.adjust[0]).title}."
        unadjusted = "There is one pair for each metric, so p-values are not adjusted."
        against = f"Each other algorithm is compared with the control {plan.control}."
        two = self.comparison.scores.n_algorithms == 2 and plan.family != "all"
        return [
            fold_words.ONE_SET_BLOCKS,
            f"Conclusions concern {CONCERN[plan.generalise]}, as specified "
            f"(generalise = {plan.generalise}).",
            "Algorithms are the modalities, training sets the readers and test cases "
            "the cases of an Obuchowski-Rockette analysis with jackknife covariances.",
            words.gate(plan.gate),
            *([] if plan.control is None or two else [against]),
            unadjusted if two else adjusted,
            words.as_it_stands(self.comparison),
        ]

    def methods(self) -> list[Method]:
        """Return the methods with their error rates and sources."""
        plan = self.comparison.plan
        rows: list[Method] = []
        for analysis in self.analyses:
            test = analysis.omnibus
            rows.append(of_test(test, plan, BLOCKS, "Obuchowski-Rockette analysis"))
            if len(analysis.decisions) > 1 or analysis.joint:
                rows += [of_method(pairs, plan, BLOCKS) for pairs in analysis.pairs]
        return rows

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        scope = self.comparison.plan.generalise
        assert scope is not None
        disjoint = self.comparison.plan.protocol == "disjoint"
        other = _OTHERS.format(scope) if disjoint else fold_words.OVERLAPPING
        return [_ABOUT[scope], other]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        several = self.comparison.scores.n_algorithms > 2
        return [
            normal("training sets"),
            *([ONE_VARIANCE] if several else []),
            *words.adjustment_limits(self.comparison),
            *words.doubts(self.comparison.compared),
            NOT_EQUALITY,
        ]

    def outcome(self, analysis: SharedTestSetAnalysis) -> Outcome:
        """Return the facts about the primary analysis of one metric."""
        areas = analysis.primary.areas.set_index("algorithm")["estimate"]
        return of_means(analysis, self.comparison, areas, analysis.primary)

    def remarks(self, analysis: SharedTestSetAnalysis) -> Iterator[str]:
        """Yield notes and warnings."""
        yield from map(wording.sentence, analysis.primary.notes)
        if isinstance(analysis.mixed, str):
            yield f"No mixed model of the outcomes: {analysis.mixed}."
        yield from words.at_odds(analysis, analysis.omnibus, self.alpha)

    def alternatives(
        self, analysis: SharedTestSetAnalysis
    ) -> Iterator[SensitivityAnalysis]:
        """Yield the other adjustments, then the other scopes."""
        planned = analysis.omnibus.rejected(self.alpha)
        if len(analysis.decisions) > 1:
            for study in analysis.pairs[1:]:
                decided = decisions(study, self.alpha)
                yield SensitivityAnalysis(
                    name=short_title(study.called),
                    assumes="the same scope",
                    significant=significant(decided),
                    same_quantity=True,
                )
        model = analysis.mixed
        if isinstance(model, GLMMResult):
            decided = decisions(model, self.alpha)
            yield SensitivityAnalysis(
                name=model.method,
                assumes="many training sets; normal effects on the scale of the link",
                omnibus=(
                    model.omnibus.p_value,
                    model.omnibus.rejected(self.alpha) == planned,
                ),
                significant=significant(decided),
            )
        for scope, study in analysis.others.items():
            test = study.omnibus
            agrees = test.rejected(self.alpha) == planned
            yield SensitivityAnalysis(
                name=f"Scope: {CONCERN[scope]}",
                assumes="another scope of conclusions",
                omnibus=(test.p_value, agrees),
                significant=significant(analysis.decisions_of(scope, self.alpha)),
            )

    def blocks(self, analysis: SharedTestSetAnalysis) -> Iterator[Block]:
        """Yield the three answers, the pairs, then means and components."""
        study = analysis.primary
        several = bool(analysis.others)
        each = "each scope" if several else "the scope of the plan"
        caption = f"Mean {analysis.metric.name} compared for {each} of conclusions."
        answers = parts.scopes(self.scopes(analysis), self.alpha, study.level, caption)
        one_way = parts.figure_tests(study, CONCERN["training-sets"])
        title = "Three scopes of conclusions" if several else "Scope of conclusions"
        yield Section(title, (answers,), "scopes")
        if len(study.as_columns()) > 1 or analysis.joint:
            pairs = parts.pairs(study, analysis.pairs[1:], self.alpha)
            yield Section("Pairs", (pairs,), "pairs")
        yield from parts.blocks(study, self.alpha, _TRAINING_SETS)
        if one_way is not None and several:
            yield FoldedSection(
                "Analyses of variance of the metric", (one_way,), "anova"
            )

    def scopes(self, analysis: SharedTestSetAnalysis) -> Iterator[parts.Scope]:
        """Yield the three answers, the planned one first."""
        for scope, study in analysis.scopes().items():
            table = study.as_columns()
            first = table.row()
            yield parts.Scope(
                CONCERN[scope],
                scope == analysis.generalise,
                wording.statistic(study.omnibus),
                study.omnibus.p_value,
                int(rejected(table["p_adjusted"], self.alpha).sum()),
                len(table),
                (first.algorithm_1, first.algorithm_2),
                first.estimate,
                build.limits_of(first),
                _within(analysis.margin_of(scope)),
            )

    def figures(self, analysis: SharedTestSetAnalysis) -> Iterable[Figure]:
        """Return the figures of one metric; the first shows the conclusion."""
        study, compared = analysis.primary, self.comparison.compared
        assert self.comparison.predictions is not None
        curves = (
            parts.curves(
                Ratings.from_predictions(self.comparison.predictions), "training sets"
            )
            if analysis.metric.name == "auc"
            else ()
        )
        return (
            *(parts.scopes_figure(study, "training sets") if analysis.others else ()),
            *figures.distributions(compared, analysis.metric, "training set"),
            *curves,
            parts.components_figure(study),
        )

    def left_out(self, analysis: SharedTestSetAnalysis) -> None:
        """Leave nothing out: there are no graphs of pairs."""

    def csv_tables(self, analysis: SharedTestSetAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        tables = parts.csv_tables(analysis.primary)
        others = build.frames(
            **{f"within_margin_{scope}": of for scope, of in analysis.margins.items()}
        )
        return tables | {"pairs": analysis.pairs_table()} | others


def _within(margin_pairs: MarginPairsResult | None) -> Inline:
    """Return how many pairs are within the margin; empty without one."""
    if margin_pairs is None:
        return ""
    shown = margin_pairs.as_columns()["shown"]
    return build.tally(int(shown.sum()), len(shown))
