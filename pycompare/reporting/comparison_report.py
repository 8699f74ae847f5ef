"""A comparison as a whole: what its parts share once, what differs by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycompare.analyses.compare import Comparison, part_title
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import percent
from pycompare.reporting.common import margin_report, runs_report
from pycompare.reporting.common.words import asks, gaps, listing
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.page.tables import Table

NOT_BETWEEN_GROUPS = (
    "A difference that is shown in one group and not in another does not show that the "
    "groups differ: no test here compares groups."
)

EACH_GROUP = "What follows is about each group by itself, unless it names one."
EACH = "What follows is about each of them by itself, unless it names one."


class ComparisonReport:
    """What a page says before and after the sections of its parts."""

    def __init__(
        self, comparison: Comparison, reports: Sequence[AnalysisReport[Any]]
    ) -> None:
        self.comparison = comparison
        self.reports = reports

    @property
    def parts(self) -> tuple[GroupComparison, ...]:
        """The parts of the comparison."""
        return self.comparison.parts

    def question(self) -> str:
        """Return the question that the comparison answers."""
        if not self.comparison.grouped:
            return self.reports[0].question()
        count = len(self.comparison.scores.group_names)
        every = ", and over all of them together" if self.both else ""
        return (
            f"{asks(self.parts[0])}, in each of {counted(count, 'group')} of data sets"
            f"{every}?"
        )

    @property
    def both(self) -> bool:
        """Whether all data sets are compared together besides each group."""
        return self.comparison.plan.groups == "each-and-all"

    def randomness(self) -> str:
        """Return the seed and what it is for."""
        told = dict.fromkeys(report.randomness() for report in self.reports)
        random = [text for text in told if not text.startswith("none")]
        return "; ".join(random or told)

    def data(self, origin: dict[str, Any]) -> list[tuple[str, str]] | None:
        """Return what the analysis says of the data in its own way, if it does."""
        return self.reports[0].data(origin)

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        plans = []
        for report in self.reports:
            first, *rest = report.plan()  # what the blocks are stands first
            runs = runs_report.plan_sentences(report.comparison)
            margin = margin_report.plan_sentences(report.comparison)
            plans.append([first, *runs, *rest[:-1], *margin, rest[-1]])
        return [*self.groups(), *self.family(), *self.merged(plans)]

    def groups(self) -> list[str]:
        """Say what is done with groups, where there are any."""
        if not self.comparison.grouped:
            return []
        scores = self.comparison.scores
        every = (
            " All data sets together are compared besides, as planned."
            if self.both
            else ""
        )
        return [
            f"Data sets are in {counted(len(scores.group_names), 'group')}, as their "
            f"column says: each group has the whole analysis by itself.{every} "
            f"{EACH}"
        ]

    def family(self) -> list[str]:
        """Say which hypotheses are adjusted together."""
        if self.comparison.plan.sweeps:
            return []  # all metrics are tested together, and the analysis says how
        if not self.comparison.families:
            where = " in each group" if self.comparison.grouped else ""
            every = " and over all of them together" if self.both else ""
            return [f"Each metric{where}{every} is a family of its own."]
        first = self.comparison.families[0]
        n_tables = sum(len(part.analyses) for part in self.parts)
        level = self.comparison.plan.confidence
        share = percent(1 - (1 - level) / n_tables)
        apart = (
            " Tests of all metrics at once are questions of their own, and not in it."
            if any(part.together is not None for part in self.parts)
            else ""
        )
        return [
            f"As planned (family = all), the pairs of all tables are adjusted "
            f"together: {first.family}. So are, each by itself, the comparisons "
            f"that stand beside the verdict.{apart}",
            f"Intervals of the pairs of one table hold together at {share}, so that "
            f"those of all {n_tables} tables do at {percent(level)} (Bonferroni over "
            f"tables); other intervals have that level too, each by itself.",
        ]

    def methods(self) -> Table:
        """Return the methods with their sources, each once."""
        tables = [
            margin_report.methods(
                report.comparison,
                runs_report.methods(report.comparison, report.methods()),
            )
            for report in self.reports
        ]
        rows = dict.fromkeys(row for table in tables for row in table.rows)
        return Table(tables[0].caption, tables[0].header, tuple(rows))

    def scope(self) -> list[str]:
        """Return what the conclusions are about."""
        return self.merged([report.scope() for report in self.reports])

    def caveats(self) -> list[str]:
        """Return what nobody should read a verdict without."""
        told = self.merged([report.caveats() for report in self.reports])
        if not self.comparison.grouped:
            return told
        dropped = self.comparison.scores.dropped.blocks
        gone = gaps(self.comparison.scores) if dropped else []
        several = len(self.comparison.scores.group_names) > 1
        between = [NOT_BETWEEN_GROUPS] if several else []
        return [*gone, *told, *self.error_of_many(), *between]

    def error_of_many(self) -> list[str]:
        """Say what the verdicts of many families share, where they are many."""
        count = sum(len(part.analyses) for part in self.parts)
        alpha = self.comparison.plan.alpha
        if self.comparison.families or count < 2:
            return []
        return [
            f"There are {count} verdicts, by groups and metrics, each with an error "
            f"rate of {alpha} of its own: the chance that some of them claims a "
            f"difference that is not there may be up to {count} times that (plan "
            f"family = all to hold it)."
        ]

    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""
        told = self.merged(
            [
                [*report.limits(), *runs_report.limits(report.comparison)]
                for report in self.reports
            ]
        )
        return [EACH_GROUP, *told] if self.comparison.grouped else told

    def merged(self, lists: Sequence[list[str]]) -> list[str]:
        """Return what all parts say once, and in its place what each says by itself."""
        shared = set(lists[0]).intersection(*lists[1:])
        said: dict[str, list[str]] = {}
        for part, sentences in zip(self.parts, lists, strict=True):
            for sentence in sentences:
                said.setdefault(sentence, []).append(part_title(part.group))
        own = [
            f"{listing(titles)}: {sentence}"
            for sentence, titles in said.items()
            if sentence not in shared
        ]
        head = lists[0]
        at = next((i for i, s in enumerate(head) if s not in shared), len(head))
        after = [sentence for sentence in head[at:] if sentence in shared]
        return [*head[:at], *own, *after]
