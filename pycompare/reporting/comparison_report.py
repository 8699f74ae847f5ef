"""A comparison as a report: what its parts share once, what differs by group."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.designs.analysis import Analysis
from pycompare.designs.compare import Comparison, part_title
from pycompare.designs.firmness import Firmness
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.plans.related_rules import relates
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.reporting.content import (
    build,
    family_report,
    figures,
    firm_report,
    many_pairs,
    margin_report,
    paper_words,
    posterior_report,
    related,
    runs_report,
    sources,
    task_report,
    wording,
    words,
)
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Outcome, Remark
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.content.tables import overview
from pycompare.reporting.document import Table, plain
from pycompare.reporting.evidence.column_file import suffix
from pycompare.reporting.submission_words import Words, stated_margin
from pycompare.results.family import has_own_limits

_REPORTS = {
    "cases": ("cases", "CasesReport"),
    "labels": ("judge_labels", "LabelsReport"),
    "challenge": ("challenge", "ChallengeReport"),
    "ranking": ("challenge", "RankingReport"),
    "estimates": ("fold_estimates", "FoldEstimatesReport"),
    "means": ("blocked_anova", "BlockedAnovaReport"),
    "ranks": ("rank_tests", "RankTestsReport"),
    "two algorithms": ("two_algorithms", "TwoAlgorithmsReport"),
    "data sets": ("multiple_datasets", "MultipleDatasetsReport"),
    "thresholds": ("threshold_sweep", "ThresholdSweepReport"),
    "posterior": ("posterior", "PosteriorReport"),
    "shared test set": ("shared_test_set", "SharedTestSetReport"),
}
"""Module and class of the report of each kind of analysis, loaded when it is made."""
_NOT_BETWEEN_GROUPS = (
    "A difference that is significant in one group and not in another does not show "
    "that the groups differ. No test here compares groups."
)
_NO_TEST_OF_GROUPS = (
    "A pair that is decided in one group and not in another does not show that the "
    "groups differ. No probability here compares groups."
)
_EACH = "A statement that names no group applies to each group separately."


@dataclass(frozen=True)
class StatedResult:
    """A result, and the facts of its answer, if it has any."""

    result: PageResult
    outcome: Outcome | None = None


def report_of(comparison: GroupComparison, results: int = 1) -> AnalysisReport[Any]:
    """Return the report of one part; all its metrics have the same type of analysis.

    ``results`` is how many the page has.
    """
    module, name = _REPORTS[comparison.analyses[0].kind]
    kind = getattr(import_module(f"pycompare.reporting.analyses.{module}"), name)
    report: AnalysisReport[Any] = kind(comparison, results)
    return report


class ComparisonReport:
    """Facts on a page about a comparison: results of its parts and of the whole."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.reports = [report_of(part, self.n_results) for part in comparison.parts]
        self._firmness: dict[Analysis, Firmness | None] = {}
        self._claims: dict[Analysis, Firmness | None] = {}

    @property
    def parts(self) -> tuple[GroupComparison, ...]:
        """The parts of the comparison."""
        return self.comparison.parts

    @property
    def n_groups(self) -> int:
        """How many groups of data sets are compared."""
        return len(self.comparison.scores.group_names) if self.comparison.grouped else 0

    @property
    def n_results(self) -> int:
        """How many metrics are analysed, each in all its groups."""
        return sum(len(part.analyses) for part in self.comparison.parts)

    def report(self, origin: dict[str, Any]) -> Report:
        """Return everything that the page of a comparison is made of."""
        comparison, stated_results = self.comparison, list(self.results())
        alpha = comparison.plan.alpha if comparison.plan.claims else None
        facts = [
            (m.result.title, m.outcome) for m in stated_results if m.outcome is not None
        ]
        return Report(
            title=self.title(),
            subtitle=sources.subtitle(alpha, origin),
            results=[stated.result for stated in stated_results],
            omitted=figures.left_out_of_each(self.n_results),
            overview=overview(facts) if len(facts) > 1 else None,
            scope=self.scope(),
            assumptions=self.limits(),
            plan=self.plan(),
            methods=self.methods(),
            data=self.reports[0].data(origin) or sources.data_rows(comparison, origin),
            dropped=sources.dropped(comparison.scores),
            origin=origin,
        )

    def results(self) -> Iterator[StatedResult]:
        """Yield the result of the family, if it is one over all, then those of parts.

        Names of files begin with the place of a group: never with its own name.
        """
        comparison = self.comparison
        if comparison.families:
            yield StatedResult(family_report.result(comparison))
        names = comparison.scores.group_names
        for report in self.reports:
            if not comparison.grouped:
                yield from self._results(report, "")
                continue
            group = report.comparison.group
            place = None if group is None else names.index(group) + 1
            stem = "all_groups_" if place is None else f"group{place}_"
            for stated in self._results(report, stem):
                title = f"{part_title(group)}, {stated.result.title}"
                yield replace(stated, result=replace(stated.result, title=title))

    def firmness(self) -> tuple[Firmness, ...]:
        """Return the decisions of sensitivity analyses, one a metric and group."""
        known = (
            firmness
            for report in self.reports
            for analysis in report.analyses
            for firmness in (
                self.firmness_of(report, analysis),
                self.claims_of(report, analysis),
            )
        )
        return tuple(firmness for firmness in known if firmness is not None)

    def claims_of(self, report: AnalysisReport[Any], analysis: Any) -> Firmness | None:
        """Return other analyses' decisions about the margin of a metric, if any."""
        of_two = analysis.equivalence if isinstance(analysis, TwoAnalysis) else None
        tests = analysis.within_margin
        if of_two is None and (tests is None or not len(tests.as_columns())):
            return None
        if analysis not in self._claims:
            # It brings pandas, which other reports do without.
            from pycompare.designs.margin_firmness import (
                firmness_of_two,
                margin_firmness,
            )

            own, decided = self.firmness_of(report, analysis), report.comparison
            firmness = None
            if own is not None and of_two is not None:
                title = f"{own.title}, {of_two.kind}"
                firmness = firmness_of_two(decided, of_two, title)
            elif own is not None:
                title = f"{own.title}, {tests.kind}"
                firmness = margin_firmness(decided, tests, title)
            self._claims[analysis] = firmness
        return self._claims[analysis]

    def firmness_of(
        self, report: AnalysisReport[Any], analysis: Any
    ) -> Firmness | None:
        """Return the sensitivity analyses' decisions on one metric, if it has pairs."""
        if analysis not in self._firmness:
            stated, firmness = report.statements(analysis), None
            if stated.outcome is not None:
                group = report.comparison.group
                start = f"{part_title(group)}, " if self.comparison.grouped else ""
                title = f"{start}{analysis.metric.name}"
                left_out = report.comparison.left_out(analysis)
                firmness = stated.firmness(title, stated.outcome, left_out)
            self._firmness[analysis] = firmness
        return self._firmness[analysis]

    def conclusions(self) -> list[str]:
        """Return all conclusions in sentences, then their scope."""
        comparison = self.comparison
        sentences = family_report.sentences(comparison) if comparison.families else []
        for report in self.reports:
            group = report.comparison.group
            sentences += [f"{part_title(group)}:"] if comparison.grouped else []
            sentences += self._conclusions(report)
        return [*sentences, *self.scope()]

    def words(self) -> Words:
        """Return the statements of a report for submission about a comparison."""
        scores, control = self.comparison.scores, self.comparison.plan.control
        named = [wording.direction(m) for m in scores.metrics]
        metrics = wording.listing(named, nouns="metrics")
        beside = "" if control is None else f" with {control}"
        n = scores.n_algorithms - (control is not None)
        many = wording.in_words(n, "algorithm")
        if scores.n_algorithms == 2:
            many, beside = " and ".join(scores.algorithms), ""
        return Words(
            opening=f"We compared {many}{beside} in {metrics} {self.sample()}.",
            estimands=[
                (f"{part.group}: {name}" if part.group is not None else name, estimand)
                for part in self.parts
                for name, estimand in part.estimands.items()
            ],
            outcomes=list(self.outcomes()),
            margin=stated_margin(self.comparison.plan),
            claims=[
                claim
                for part in self.parts
                for analysis in part.analyses
                for claim in paper_words.of_margin(analysis)
            ],
            others=list(self.estimates()),
            dropped=paper_words.of_gaps(scores),
            references=[
                source
                for part in self.parts
                for analysis in part.analyses
                for source in paper_words.sources_of(analysis)
            ],
        )

    def outcomes(self) -> Iterator[tuple[str, Outcome]]:
        """Yield the facts of each metric in each part, by the title of its result."""
        for title, report, analysis in self._titled():
            outcome = report.statements(analysis).outcome
            if outcome is not None:
                yield title, outcome

    def estimates(self) -> Iterator[tuple[str, str, str]]:
        """Yield title, sentences and measure of results without tests of pairs."""
        for title, report, analysis in self._titled():
            if report.statements(analysis).outcome is None:
                told = report.reported(analysis)
                if told:
                    yield title, told, f"mean {analysis.metric.name}"

    def _titled(self) -> Iterator[tuple[str, AnalysisReport[Any], Any]]:
        """Yield each analysis with its report, and the title of its result."""
        for report in self.reports:
            group = report.comparison.group
            start = f"{part_title(group)}, " if self.comparison.grouped else ""
            for analysis in report.analyses:
                yield f"{start}{report.title(analysis)}", report, analysis

    def title(self) -> str:
        """Describe the comparison: in what, on what."""
        plan, n = self.comparison.plan, self.comparison.scores.n_algorithms
        many = wording.begun(f"{wording.count(n)} algorithms")
        if n == 2:
            many = " and ".join(self.comparison.scores.algorithms)
        elif plan.control is not None:
            many = wording.begun(f"{wording.count(n - 1)} algorithms")
        names = [a.metric.name for a in self.parts[0].analyses]
        metrics = wording.listing(names, nouns="metrics")
        if len(names) > wording.MOST_METRICS:
            metrics = wording.in_words(len(names), "metric")
        control = f" with {plan.control}" if n > 2 and plan.control is not None else ""
        return f"{many} compared{control} in {metrics} {self.sample()}"

    def sample(self) -> str:
        """Return the units on which the algorithms were compared."""
        plan, n = self.comparison.plan, sources.n_compared(self.comparison)
        datasets = self.comparison.scores.datasets
        if plan.sweeps:
            sets = len(set(datasets or (None,)))
            thresholds = wording.in_words(len(plan.theta), "threshold")
            return f"at {thresholds} of {wording.in_words(sets, 'data set')}"
        if plan.generalise is not None:
            predictions = self.comparison.predictions
            assert predictions is not None
            cases = int(predictions.sizes[0, 0])
            of = "one data set" if datasets is None else str(datasets[0])
            many = wording.in_words(n, "training set")
            return f"with {many}, tested on {cases} cases of {of}"
        if plan.design.one_dataset:
            of = "one data set" if datasets is None else str(datasets[0])
            return f"on {wording.in_words(n, 'fold')} of {of}"
        if plan.design.of_cases:
            of = "one test set" if datasets is None else str(datasets[0])
            several = len(self.comparison.scores.group_names)
            of = counted(several, "group") if several else of
            return f"on {counted(n, 'case')} of {of}"
        groups = wording.in_words(self.n_groups, "group")
        within = f" in {groups}" if self.n_groups else ""
        return f"on {wording.in_words(n, 'data set')}{self.clusters()}{within}"

    def clusters(self) -> str:
        """Return `` in eight clusters``, if data sets are in clusters."""
        if not relates(self.comparison.plan, self.comparison.scores):
            return ""
        n = related.n_clusters(self.comparison.scores)
        return f" in {wording.in_words(n, 'cluster')}"

    def question(self) -> str:
        """Return the question that the comparison answers."""
        every = ", and over all of them together" if self.both else ""
        groups = (
            f", in each of {counted(self.n_groups, 'group')} of {self.grouped_units}"
            f"{every}"
        )
        blocks = groups if self.n_groups else f", {self.sample()}"
        return self.reports[0].question(blocks)

    @property
    def both(self) -> bool:
        """Whether all data sets are compared together besides each group."""
        return self.comparison.plan.groups == "each-and-all"

    @property
    def grouped_units(self) -> str:
        """The units in groups."""
        return f"{self.comparison.plan.design.unit}s"

    def randomness(self) -> str:
        """Return the seed and its purpose."""
        uses = [use for report in self.reports for use in report.uses_of_seed()]
        if not uses:
            return "none: no step of this analysis is random"
        named = wording.listing(list(dict.fromkeys(uses)))
        fixed = not any(report.depends_on_seed() for report in self.reports)
        end = " (does not affect the conclusions)" * fixed
        return f"{self.comparison.plan.seed or 0}, for {named}{end}"

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        plans = []
        for report in self.reports:
            first, *rest = report.plan()  # what the blocks are comes first
            runs = runs_report.plan_sentences(report.comparison)
            margin = margin_report.plan_sentences(report.comparison)
            more = posterior_report.plan_sentences(report.comparison)
            more += task_report.plan_sentences(report.comparison)
            plans.append([first, *runs, *rest[:-1], *margin, *more, rest[-1]])
        return [self.question(), *self.groups(), *self.family(), *self.merged(plans)]

    def groups(self) -> list[str]:
        """Return the treatment of groups, if there are any."""
        if not self.n_groups:
            return []
        units, every = self.grouped_units, ""
        if self.comparison.plan.weights is not None:
            every = " Means over all groups are weighted, as specified."
        elif self.both:
            every = f" All {units} are also analysed together, as specified."
        return [
            f"{wording.begun(units)} are in {counted(self.n_groups, 'group')}, given "
            f"by the group column. Each group is analysed separately.{every} {_EACH}"
        ]

    def family(self) -> list[str]:
        """Return which hypotheses are adjusted together."""
        plan = self.comparison.plan
        if plan.sweeps or not plan.claims:
            return []  # all metrics are tested together, and the analysis says how
        if not self.comparison.families:
            where = " in each group" if self.n_groups else ""
            every = " and over all of them together" if self.both else ""
            return [f"Each metric{where}{every} is a separate family."]
        first = self.comparison.families[0]
        n_tables = self.n_results
        alpha = self.comparison.plan.alpha
        sentences = [
            f"As specified (family = all), the pairs of all tables are adjusted "
            f"together: {first.family}. Each sensitivity analysis is one family, too."
        ]
        deciding = [a.deciding_result for p in self.parts for a in p.analyses]
        if not any(map(has_own_limits, deciding)):
            sentences.append(
                f"Intervals are simultaneous at {percent(1 - alpha / n_tables)} within "
                f"a table, and so at {percent(1 - alpha)} over all {n_tables} tables "
                f"(Bonferroni over tables)."
            )
        if any(part.together is not None for part in self.parts):
            sentences.append("Tests of all metrics at once are not in this family.")
        return sentences

    def methods(self) -> Table:
        """Return the methods with their sources, each once."""
        rows = [
            row
            for report in self.reports
            for row in (
                *report.methods(),
                *runs_report.method_rows(report.comparison),
                *margin_report.method_rows(report.comparison),
                *posterior_report.method_rows(report.comparison),
                *task_report.method_rows(report.comparison),
            )
        ]
        return build.methods(rows)

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        told = self.merged([report.scope() for report in self.reports])
        if not self.n_groups:
            return told
        dropped = self.comparison.scores.dropped.blocks
        gone = words.gaps(self.comparison.scores) if dropped else []
        tested = self.comparison.plan.compares != "bayes"
        between = _NOT_BETWEEN_GROUPS if tested else _NO_TEST_OF_GROUPS
        of_groups = [between] if self.n_groups > 1 else []
        return [*gone, *told, *self.error_of_many(), *of_groups]

    def error_of_many(self) -> list[str]:
        """Return the joint error of many families, if they are many."""
        count = self.n_results
        if self.comparison.families or count < 2 or not self.comparison.plan.claims:
            return []
        return [
            f"There are {count} families, by groups and metrics, each with alpha = "
            f"{self.comparison.plan.alpha:g}. The probability of any false claim may "
            f"be up to {count} times that (set --family all to control it)."
        ]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        told = self.merged(
            [
                [
                    *report.limits(),
                    *runs_report.limits(report.comparison),
                    *posterior_report.limits(report.comparison),
                    *task_report.limits(report.comparison),
                ]
                for report in self.reports
            ]
        )
        return [_EACH, *told] if self.n_groups else told

    def merged(self, lists: Sequence[list[str]]) -> list[str]:
        """Return what holds for all parts once, then what holds for some, by name.

        Facts are compared, not their wording; a text without values is its own fact.
        """
        texts: dict[Hashable, str] = {}
        titles: dict[Hashable, list[str]] = {}
        for part, sentences in zip(self.parts, lists, strict=True):
            for sentence in sentences:
                fact = sentence.fact if isinstance(sentence, Remark) else sentence
                texts.setdefault(fact, sentence)
                titles.setdefault(fact, []).append(part_title(part.group))
        every = len(lists)
        shared = [texts[fact] for fact, named in titles.items() if len(named) == every]
        own = [
            f"{wording.listing(named, nouns='groups')}: {texts[fact]}"
            for fact, named in titles.items()
            if len(named) < every
        ]
        return [*shared[:-1], *own, *shared[-1:]]

    def _results(
        self, report: AnalysisReport[Any], stem: str
    ) -> Iterator[StatedResult]:
        """Yield one result per metric, then one for all of them together."""
        part = report.comparison
        several = len(part.analyses) > 1
        for place, analysis in enumerate(part.analyses, start=1):
            prefix = f"{stem}metric{place}_" if several else stem
            stated = report.statements(analysis)
            result = report.result(analysis, prefix)
            firmness = self.firmness_of(report, analysis)
            if stated.outcome is not None and firmness is not None and firmness.pairs:
                result = firm_report.shown(result, stated, firmness)
                claims = self.claims_of(report, analysis)
                if claims is not None:
                    about = margin_report.outcome_of(stated.outcome, analysis)
                    result = firm_report.claims_shown(result, about, claims)
            result = many_pairs.with_some(result, stated.outcome, suffix())
            yield StatedResult(result, stated.outcome)
        if part.together is not None:
            from pycompare.reporting.analyses import multivariate

            yield StatedResult(multivariate.result(part, part.together, stem))
        if part.datasets_together is not None:
            from pycompare.reporting.analyses import vectors_on_datasets

            joint = part.datasets_together
            yield StatedResult(vectors_on_datasets.result(part, joint, stem))

    def _conclusions(self, report: AnalysisReport[Any]) -> list[str]:
        """Return the conclusions of one part in sentences."""
        part, sentences = report.comparison, []
        for analysis in part.analyses:
            sentences += report.sentences(analysis)
            outcome = report.statements(analysis).outcome
            firmness = self.firmness_of(report, analysis)
            if outcome is not None and firmness is not None and firmness.pairs:
                told = plain(firm_report.verdict(outcome, firmness))
                claims = self.claims_of(report, analysis)
                if claims is not None:
                    about = margin_report.outcome_of(outcome, analysis)
                    sentences.append(plain(firm_report.verdict(about, claims)))
                    told = f"{wording.SUPPLEMENTARY}: {told}"
                sentences.append(told)
        if part.together is not None:
            from pycompare.reporting.analyses import multivariate

            sentences += multivariate.sentences(part, part.together)
        if part.datasets_together is not None:
            from pycompare.reporting.analyses import vectors_on_datasets

            sentences += vectors_on_datasets.sentences(part, part.datasets_together)
        return sentences


def with_firmness(
    comparison: Comparison, firmness: Sequence[Firmness] | None = None
) -> dict[str, Any]:
    """Return the numbers of a comparison, and how firm its decisions are.

    ``firmness`` is that of the report, if it is made already.
    """
    if firmness is None:
        firmness = ComparisonReport(comparison).firmness()
    told = [each.to_dict() for each in firmness]
    return {**Comparison.to_dict(comparison), "firmness": told}
