"""Wins over thresholds and data sets as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from pycompare import plotting
from pycompare.analyses.decisions import decisions
from pycompare.analyses.error_rates import error_rate, key_rate
from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.formatting.counts import counted
from pycompare.labels import label_text
from pycompare.multiplicity.guarantees import NO_TEST
from pycompare.over_datasets.sign_grid import REFERENCE as SIGN
from pycompare.plans.post_hoc import described, short_title
from pycompare.plotting.threshold_pairs import MOST_ROWS
from pycompare.reporting import document as doc
from pycompare.reporting.content import figures, sources, win_tables
from pycompare.reporting.content.analysis_report import AnalysisReport, Texts
from pycompare.reporting.content.build import Method
from pycompare.reporting.content.facts import Alternative, significant
from pycompare.reporting.content.sources import prediction_rows
from pycompare.reporting.content.wording import listing
from pycompare.reporting.threshold_sweep import tables, words
from pycompare.results import rejected

_MOST_DETAILS = 60
"""Data sets with details of their own on the page; the CSV files have all."""
_MOST_STRIPS = 30
"""Data sets with a figure of their own."""
_MOST_THRESHOLDS = 101
"""Thresholds that the page lists."""
_IN_FILES = (
    "The other data sets are in tables/data_set_pairs.csv and tables/at_thresholds.csv."
)


class ThresholdSweepReport(AnalysisReport[ThresholdsAnalysis]):
    """Each threshold by itself, then all of them, then the data sets."""

    texts = Texts(words.plan_sentences, words.scope, words.limits)

    @property
    def found(self) -> ThresholdsAnalysis:
        """The analysis of all metrics together."""
        return self.analyses[0]

    def question(self, where: str) -> str:
        """Return the question that the comparison answers; ``where`` ends it."""
        return words.question(self.comparison, where)

    def methods(self) -> list[Method]:
        """Return the methods with their error rates and sources."""
        won, plan = self.found.won, self.comparison.plan
        at_each = f"{error_rate(won, plan, 'folds').text}; at each threshold"
        over = (
            "Over thresholds: right-tailed exact sign test"
            if won.rule == "sign"
            else "Over thresholds: a win at any, and none of the other"
        )
        return [
            (
                "At each threshold: MANOVA, Wilks' Lambda, blocked by folds",
                f"{key_rate('omnibus/manova', plan, 'folds')}; at each threshold",
                "Wilks (1932); Rao (1951); Aslan (2009) sec. 4.5",
            ),
            (
                f"At each threshold: {won.method}, {described(won.adjust).title}",
                at_each,
                "Hotelling (1931); Yildiz, Aslan and Alpaydin (2011) eq. 2",
            ),
            ("At each threshold: the lower risk wins", NO_TEST, won.reference),
            (over, f"{NO_TEST}: a rule, not a test", won.reference),
            *(
                (
                    f"Over data sets: exact two-sided sign test, "
                    f"{described(found.adjust).title}",
                    error_rate(found, plan, "blocks").text,
                    SIGN,
                )
                for found in self.found.pairs
            ),
        ]

    def data(self, origin: dict[str, Any]) -> sources.Rows:
        """Return the description of the data."""
        scores, won = self.comparison.scores, self.found.won
        theta = ", ".join(label_text(t) for t in won.thresholds[:_MOST_THRESHOLDS])
        of = "one data set" if won.n_datasets == 1 else f"{won.n_datasets} data sets"
        return [
            *sources.file_rows(origin, "scores"),
            ("Blocks", f"{scores.n_blocks} folds of {of}"),
            ("Algorithms", f"{scores.n_algorithms}: {', '.join(scores.algorithms)}"),
            ("Metrics", listing(won.metrics)),
            ("Thresholds", f"{len(won.thresholds)}: {theta}"),
            *prediction_rows(self.comparison),
            ("Policy for missing cells", scores.missing),
        ]

    def title(self, analysis: ThresholdsAnalysis) -> str:
        """Return the title of the results."""
        return "All thresholds, by risk (lower is better)"

    def untested(self, analysis: ThresholdsAnalysis) -> list[str]:
        """Say what one data set shows, which has no test; nothing of several."""
        first = words.at_thresholds(analysis, self.alpha)
        told = [words.on_only_dataset(analysis), first, words.ONE]
        return [] if analysis.pairs else told

    def remarks(self, analysis: ThresholdsAnalysis) -> Iterator[str]:
        """Yield how often each algorithm wins, and where they differ."""
        yield words.totals(analysis)
        yield from words.wins(analysis)
        yield words.at_thresholds(analysis, self.alpha)

    def alternatives(self, analysis: ThresholdsAnalysis) -> Iterator[Alternative]:
        """Yield the other adjustments."""
        for found in analysis.pairs[1:]:
            yield Alternative(
                name=f"{found.method}, {short_title(found.called)}",
                assumes="independent data sets",
                significant=significant(decisions(found, self.alpha)),
            )

    def blocks(self, analysis: ThresholdsAnalysis) -> Iterator[doc.Block]:
        """Yield the tables, wins first."""
        if analysis.pairs:
            made = (
                tables.wins(analysis.won),
                win_tables.sign_rows(analysis.pairs, self.alpha),
            )
            yield doc.Section("Wins over data sets", made, "wins")
        each = (doc.Paragraph(words.UNADJUSTED), tables.thresholds(analysis.won))
        yield doc.Fold("Threshold by threshold", each, "thresholds")
        if analysis.pairs:
            table = tables.datasets(analysis)
            yield doc.Fold(
                "Data set by data set", (table, *self.details(analysis)), "sets"
            )
        else:
            yield from self.details(analysis)

    def details(self, analysis: ThresholdsAnalysis) -> Iterator[doc.Block]:
        """Yield one folded part a data set."""
        names = list(analysis.n_folds)
        strips = list(_of_datasets(analysis))
        for place, name in enumerate(names[:_MOST_DETAILS]):
            blocks: tuple[doc.Block, ...] = (
                doc.Paragraph(words.on_dataset(analysis, name)),
                *strips[place : place + 1],
                tables.pairs_of_dataset(analysis.won, name),
                tables.thresholds_of_dataset(analysis.won, name),
            )
            yield doc.Fold(f"Data set {name}", blocks, "set")
        if len(names) > _MOST_DETAILS:
            yield doc.Paragraph(_IN_FILES)

    def figures(self, analysis: ThresholdsAnalysis) -> Iterator[doc.Figure]:
        """Yield who wins where, where the algorithms differ, and the sign tests."""
        return _figures_of(analysis)

    def csv_tables(self, analysis: ThresholdsAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tables for CSV files, full precision."""
        return tables.csv_tables(analysis)


def _figures_of(analysis: ThresholdsAnalysis) -> Iterator[doc.Figure]:
    """Yield who wins where, where the algorithms differ, and the sign tests."""
    won = analysis.won
    sets = counted(won.n_datasets, "data set")
    if _few_pairs(analysis):
        right = "data sets won" if won.n_datasets > 1 else "thresholds won"
        yield doc.Figure(
            "threshold_pairs",
            partial(plotting.threshold_pairs, won),
            f"Wins of each pair at {words.thresholds_text(analysis)}, on {sets}: bars "
            f"above the line for the upper algorithm, below it for the lower one. Win: "
            f"T2 significant ({short_title(won.adjust)} adjustment, alpha = "
            f"{won.alpha:g} at each threshold) and lower risk. On the right: {right}.",
            "Bars of wins, pairs by thresholds; the table by thresholds has the "
            "numbers.",
        )
    count = int(rejected(won.tests["p_value"], won.alpha).sum())
    yield doc.Figure(
        "threshold_grid",
        partial(plotting.threshold_grid, won),
        f"p-values of MANOVA of {listing(won.metrics)} at each threshold of {sets}. "
        f"Darker is smaller; framed: p ≤ {won.alpha:g}, not adjusted; blank: nothing "
        f"can be tested.",
        f"Grid of p-values, data sets by thresholds; {count} of {len(won.tests)} "
        f"cells are at most {won.alpha:g}.",
    )
    if analysis.pairs and len(won.algorithms) > 2:
        decisive = analysis.pairs[0]
        shown = figures.Shown(
            decisive,
            won.alpha,
            f"Wins by lower risk over {sets}",
            f"exact two-sided sign tests, {short_title(decisive.adjust)} adjustment",
        )
        yield from figures.p_values(shown)
        yield from figures.order(shown)


def _few_pairs(analysis: ThresholdsAnalysis) -> bool:
    """Tell whether the pairs fit into one figure."""
    a = len(analysis.won.algorithms)
    return a * (a - 1) // 2 <= MOST_ROWS


def _of_datasets(analysis: ThresholdsAnalysis) -> Iterator[doc.Figure]:
    """Yield the wins on each data set, where there are not too many."""
    names = list(analysis.n_folds)
    if not _few_pairs(analysis) or not 1 < len(names) <= _MOST_STRIPS:
        return
    for place, name in enumerate(names, start=1):
        yield doc.Figure(
            f"data_set_{place}",
            partial(plotting.threshold_pairs, analysis.won, dataset=name),
            f"{name}: thresholds that each algorithm of a pair wins. On the right: how "
            f"many.",
            f"Bars of wins on {name}, pairs by thresholds; the table has the numbers.",
        )
