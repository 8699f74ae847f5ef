"""Wins over thresholds and data sets as a page reports them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pycompare import plotting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number
from pycompare.base.labels import label_text
from pycompare.base.tables import AnyTable
from pycompare.designs.decisions import rejected_pairs
from pycompare.designs.error_rates import error_rate, key_rate
from pycompare.designs.pair_methods import described, short_title
from pycompare.designs.threshold_sweep import MOST_IN_R, ThresholdsAnalysis
from pycompare.methods.over_datasets.sign_grid import REFERENCE as SIGN
from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult
from pycompare.plotting.threshold_pairs import MOST_ROWS
from pycompare.reporting import document as doc
from pycompare.reporting.analyses.multiple_datasets import DATASETS_ARE
from pycompare.reporting.content import fold_words, sources, win_tables, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import PAIR, WINS, Field, Method, table, tally
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis
from pycompare.reporting.content.outcomes import SHARE_OF_WINS, compared, of_wins
from pycompare.reporting.content.wording import begun, listed_metrics, listing
from pycompare.reporting.document import p_equals
from pycompare.results.guarantees import BLOCKS, FOLDS, NO_TEST
from pycompare.results.result import rejected

_MOST_DETAILS = 60
"""Data sets with details of their own on the page; the CSV files have all."""
_MOST_STRIPS = 30
"""Data sets with a figure of their own."""
_MOST_THRESHOLDS = 101
"""Thresholds that the page lists."""
_IN_FILES = "The other data sets are in"
_MANY_RISKS = 12
"""With more algorithms a table by thresholds leaves their risks to the CSV file."""
_RISK = (
    "The risk at threshold theta is the mean over folds of theta FP + (1 - theta) FN. "
    "Theta is the best threshold if a false positive costs theta/(1 - theta) times a "
    "false negative."
)
_WINS_BY_RISK = (
    "At a threshold an algorithm wins over another if T2 finds their mean vectors "
    "different and its risk is lower. Whether the risks differ significantly is not "
    "tested."
)
_UNADJUSTED = (
    "Each threshold of each data set is tested at the full alpha. Its wins are only "
    "counted: they are no conclusions separately."
)
_ONCE = (
    "The sign test over data sets counts each data set once. It assumes independent "
    "data sets, not independent thresholds."
)
_ONE = (
    "One data set has no primary conclusion. Its thresholds share all their cases and "
    "are no sample, so the wins describe these folds only. A conclusion needs several "
    "data sets, or one threshold."
)
RULE = (
    "The thresholds of a data set share all their cases. Its sign test over thresholds "
    "is therefore a rule for choosing a winner there, and not a valid test."
)
_PROBABILITIES = (
    "A threshold corresponds to costs only if scores are posterior probabilities of "
    "the positive class. Scores that are calibrated differently are compared at "
    "different costs."
)
_DEPENDENT_FOLDS = (
    "T2 and MANOVA at a threshold are not corrected for shared training data. Wins are "
    "counted too often, for both algorithms of a pair alike."
)


class ThresholdSweepReport(AnalysisReport[ThresholdsAnalysis]):
    """Each threshold separately, then all of them, then the data sets."""

    @property
    def sweep(self) -> ThresholdsAnalysis:
        """The analysis of all metrics together."""
        return self.analyses[0]

    def question(self, where: str) -> str:
        """Return the question that the comparison answers; ``where`` ends it."""
        start = words.whom(self.comparison.scores, self.comparison.plan.control)
        metrics = listed_metrics(self.sweep.won.metrics)
        return f"{start} in {metrics} together, won by the lower risk{where}?"

    def methods(self) -> list[Method]:
        """Return the methods with their error rates and sources."""
        won, plan = self.sweep.won, self.comparison.plan
        at_each = f"{error_rate(won, plan, FOLDS).text}; at each threshold"
        over = (
            "Over thresholds: right-tailed exact sign test"
            if won.rule == "sign"
            else "Over thresholds: a win at any, and none of the other"
        )
        return [
            (
                "At each threshold: MANOVA, Wilks' Lambda, blocked by folds",
                f"{key_rate('omnibus/manova', plan, FOLDS)}; at each threshold",
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
                    f"{described(pairs.adjust).title}",
                    error_rate(pairs, plan, BLOCKS).text,
                    SIGN,
                )
                for pairs in self.sweep.pairs
            ),
        ]

    def data(self, origin: dict[str, Any]) -> sources.FactRows:
        """Return the description of the data."""
        scores, won = self.comparison.scores, self.sweep.won
        theta = ", ".join(label_text(t) for t in won.thresholds[:_MOST_THRESHOLDS])
        theta += ", …" * (len(won.thresholds) > _MOST_THRESHOLDS)
        return [
            *sources.file_rows(origin, "scores"),
            ("Blocks", f"{scores.n_blocks} folds of {_sets(won)}"),
            ("Algorithms", f"{scores.n_algorithms}: {', '.join(scores.algorithms)}"),
            ("Metrics", listed_metrics(won.metrics)),
            ("Thresholds", f"{len(won.thresholds)}: {theta}"),
            *sources.prediction_rows(self.comparison),
            ("Policy for missing cells", sources.policy(scores.missing)),
        ]

    def plan(self) -> list[str]:
        """Return the plan in words, the kind of blocks first."""
        won, plan, comparison = self.sweep.won, self.comparison.plan, self.comparison
        several = comparison.scores.n_algorithms > 2
        undefined = f"Measures that are 0/0 are set to {plan.undefined}, as planned."
        return [
            f"Blocks are {comparison.scores.n_blocks} folds of {_sets(won)}.",
            f"Scores at or above the threshold are classified as positive. There are "
            f"{_thresholds(won)}{self.ratios()}.",
            f"At each threshold of each data set {listed_metrics(won.metrics)} are "
            f"tested together: MANOVA, blocked by folds, and paired T2 of all pairs "
            f"({short_title(won.adjust)} adjustment).",
            *([words.gate(plan.gate, "MANOVA")] if several else []),
            _RISK,
            _WINS_BY_RISK,
            _rule(won),
            _UNADJUSTED,
            self.primary() if self.sweep.pairs else _ONE,
            *([undefined] if plan.undefined is not None else []),
            "No step of the plan depends on a p-value except counting wins at p ≤ "
            "alpha.",
        ]

    def ratios(self) -> str:
        """Return which loss ratios the thresholds correspond to, if planned so."""
        given = self.comparison.plan.loss_ratios
        if given is None:
            return ""
        named = listing([label_text(r) for r in sorted(given)], len(given))
        return f", for loss ratios (false positive to false negative) {named}"

    def primary(self) -> str:
        """Return the test that decides, and its error rate."""
        plan, pairs = self.comparison.plan, self.sweep.pairs[0]
        if self.comparison.scores.n_algorithms == 2:
            how = "There is one pair, so p-values are not adjusted."
        else:
            rate = begun(error_rate(pairs, plan, BLOCKS).stated(plan.alpha))
            how = (
                f"Adjustment: {short_title(pairs.adjust)} over {pairs.family}. {rate}."
            )
        return (
            f"The primary analysis is the exact two-sided sign test of wins over data "
            f"sets. {how}"
        )

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        analysis, comparison = self.sweep, self.comparison
        dependent = [RULE] if analysis.won.rule == "sign" else []
        if not analysis.pairs:
            return [*fold_words.scope(comparison), *dependent]
        return [
            *words.gaps(comparison.scores),
            DATASETS_ARE,
            _ONCE,
            *dependent,
            *fold_words.within_data_sets(comparison),
        ]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        analysis, comparison = self.sweep, self.comparison
        return [
            _PROBABILITIES,
            fold_words.SHARED,
            _DEPENDENT_FOLDS,
            "MANOVA and T2 assume multivariate normal errors. Counts near 0, as at "
            "thresholds near 0 and 1, are not normal.",
            "Metrics that others determine on a data set, as tp determines fn, are "
            "left out there and named.",
            "Thresholds at which nothing can be tested are treated as ties.",
            *(words.few(analysis.won.n_datasets) if analysis.pairs else []),
            *words.adjustment_limits(comparison),
            *words.doubts(comparison.scores),
            *self.not_in_script(),
            *words.not_equality(comparison),
        ]

    def not_in_script(self) -> list[str]:
        """Return why tests at thresholds are not in the R script, if so."""
        analysis = self.sweep
        call = analysis.won.r_call()
        if analysis.in_r or call is None:
            return []
        return [
            "The R script contains the sign tests over data sets only. The tests at "
            f"thresholds need {call.arguments['y'].size} numbers, more than the "
            f"{MOST_IN_R} that it may hold; pc.threshold_wins(...).r_code() writes "
            "them."
        ]

    def title(self, analysis: ThresholdsAnalysis) -> str:
        """Return the title of the results."""
        return "All thresholds, by risk (lower is better)"

    def outcome(self, analysis: ThresholdsAnalysis) -> Outcome | None:
        """Return the facts of wins; one data set is no sample, and so has none."""
        if not analysis.pairs:
            return None
        pairs = analysis.pairs[0]
        outcome = compared(
            analysis,
            self.comparison,
            pairs=pairs,
            values=pairs.positions,
            quantity=SHARE_OF_WINS,
        )
        return of_wins(outcome)

    def untested(self, analysis: ThresholdsAnalysis) -> list[str]:
        """Return what one data set shows, which has no test; nothing of several."""
        if analysis.pairs:
            return []
        told = _rule_wins(analysis.won.decisions) or "no algorithm wins over another"
        return [f"By the rule over thresholds, {told}.", self.at_thresholds(), _ONE]

    def remarks(self, analysis: ThresholdsAnalysis) -> Iterator[str]:
        """Yield how often each algorithm wins, and where they differ."""
        yield _totals(analysis.won)
        yield from _wins(analysis)
        yield self.at_thresholds()

    def at_thresholds(self) -> str:
        """Return at how many thresholds the algorithms differ at all."""
        won, alpha = self.sweep.won, self.alpha
        p = won.tests["p_value"]
        n, none = int(rejected(p, alpha).sum()), int(p.isna().sum())
        several = won.n_datasets > 1
        places = "combinations of threshold and data set" if several else "thresholds"
        untested = f" At {none} nothing can be tested." if none else ""
        return (
            f"The algorithms differ in {listed_metrics(won.metrics)} together at {n} "
            f"of {len(p)} {places} (MANOVA, p ≤ {alpha:g} at each, not "
            f"adjusted).{untested}"
        )

    def alternatives(
        self, analysis: ThresholdsAnalysis
    ) -> Iterator[SensitivityAnalysis]:
        """Yield the other adjustments."""
        for pairs in analysis.pairs[1:]:
            yield SensitivityAnalysis(
                name=begun(f"{pairs.method}, {short_title(pairs.called)}"),
                assumes="independent data sets",
                significant=rejected_pairs(pairs, self.alpha),
                same_quantity=True,
                short=short_title(pairs.called),
            )

    def blocks(self, analysis: ThresholdsAnalysis) -> Iterator[doc.Block]:
        """Yield the tables, wins first."""
        if analysis.pairs:
            signs = win_tables.sign_rows(analysis.pairs, self.alpha, file="sign")
            wins = _wins_table(analysis.won)
            yield doc.section("Wins over data sets", wins, signs)
        each = _thresholds_table(analysis.won)
        yield doc.fold("Threshold by threshold", doc.Paragraph(_UNADJUSTED), each)
        if analysis.pairs:
            sets = _datasets_table(analysis)
            yield doc.fold("Data set by data set", sets, *self.details(analysis))
        else:
            yield from self.details(analysis)

    def details(self, analysis: ThresholdsAnalysis) -> Iterator[doc.Block]:
        """Yield one folded part a data set."""
        names = list(analysis.n_folds)
        strips = list(_of_datasets(analysis))
        for place, name in enumerate(names[:_MOST_DETAILS]):
            yield doc.fold(
                f"Data set {name}",
                doc.Paragraph(_on_dataset(analysis, name)),
                *strips[place : place + 1],
                _pairs_of_dataset(analysis.won, name),
                _thresholds_of_dataset(analysis.won, name),
            )
        if len(names) > _MOST_DETAILS:
            yield doc.Paragraph(_IN_FILES, files=("data_set_pairs", "at_thresholds"))

    def figures(self, analysis: ThresholdsAnalysis) -> Iterator[doc.Figure]:
        """Yield who wins where, where the algorithms differ, and the sign tests."""
        won = analysis.won
        sets = counted(won.n_datasets, "data set")
        if _few_pairs(analysis):
            right = "data sets won" if won.n_datasets > 1 else "thresholds won"
            yield doc.Figure(
                "threshold_pairs",
                partial(plotting.threshold_pairs, won),
                f"Wins of each pair at {_thresholds(won)}, on {sets}: bars above the "
                "line for the upper algorithm, below it for the lower one. Win: T2 "
                f"significant ({short_title(won.adjust)} adjustment, alpha = "
                f"{won.alpha:g} at each threshold) and lower risk. On the right: "
                f"{right}.",
                "Bars of wins, pairs by thresholds; the table by thresholds has the "
                "numbers.",
            )
        count = int(rejected(won.tests["p_value"], won.alpha).sum())
        yield doc.Figure(
            "threshold_grid",
            partial(plotting.threshold_grid, won),
            f"p-values of MANOVA of {listed_metrics(won.metrics)} at each threshold of "
            f"{sets}. Darker is smaller; framed: p ≤ {won.alpha:g}, not adjusted; "
            "blank: nothing can be tested.",
            f"Grid of p-values, data sets by thresholds; {count} of {len(won.tests)} "
            f"cells are at most {won.alpha:g}.",
        )

    def csv_tables(self, analysis: ThresholdsAnalysis) -> dict[str, AnyTable]:
        """Return the tables for CSV files, full precision."""
        won = analysis.won
        tables = {
            "wins": win_tables.counts_for_csv(won),
            "data_set_pairs": won.decisions,
            "at_thresholds": won.at_thresholds,
            "manova": won.tests,
            "risks": won.risks,
        }
        for place, pairs in enumerate(analysis.pairs):
            name = "sign" if place == 0 else f"sign_{pairs.adjust}"
            tables[name] = pairs.as_written()
        return tables


def _few_pairs(analysis: ThresholdsAnalysis) -> bool:
    """Return whether the pairs fit into one figure."""
    a = len(analysis.won.algorithms)
    return a * (a - 1) // 2 <= MOST_ROWS


def _of_datasets(analysis: ThresholdsAnalysis) -> Iterator[doc.Figure]:
    """Yield the wins on each data set, if there are not too many."""
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


def _sets(won: ThresholdWinsResult) -> str:
    """Return ``one data set`` or ``12 data sets``."""
    n = won.n_datasets
    return "one data set" if n == 1 else f"{n} data sets"


def _thresholds(won: ThresholdWinsResult) -> str:
    """Return ``21 thresholds from 0 to 1``."""
    theta = won.thresholds
    low, high = label_text(theta[0]), label_text(theta[-1])
    return f"{len(theta)} thresholds from {low} to {high}"


def _rule(won: ThresholdWinsResult) -> str:
    """Return who wins a data set by the rule over thresholds."""
    if won.rule == "any":
        return (
            "On a data set an algorithm wins over another if it wins at some threshold "
            "and the other at none. If both win somewhere, the data set is a tie."
        )
    adjusted = (
        "not adjusted"
        if won.threshold_adjust == "none"
        else f"{short_title(won.threshold_adjust)} adjustment over the ordered pairs"
    )
    return (
        f"On a data set an algorithm wins over another if the right-tailed exact sign "
        f"test over its thresholds (ties split) has p ≤ {won.alpha:g} ({adjusted})."
    )


def _wins(analysis: ThresholdsAnalysis) -> Iterator[str]:
    """Yield on how many data sets each significant winner wins and loses."""
    table, n = analysis.won.wins, analysis.won.n_datasets
    for decision in analysis.decisions:
        if decision.rejected:
            won = table.loc[decision.better, decision.worse]
            lost = table.loc[decision.worse, decision.better]
            yield (
                f"{decision.better} wins over {decision.worse} on {won} and loses on "
                f"{lost} of {n} data sets."
            )


def _totals(won: ThresholdWinsResult) -> str:
    """Return how often each algorithm wins."""
    totals = won.totals
    assert totals is not None
    ordered = totals.sort_values(ascending=False, kind="stable")
    named = ", ".join(f"{name} {int(n)}" for name, n in ordered.items())
    return (
        f"Number of data sets, of {won.n_datasets}, on which an algorithm "
        f"wins over at least one other: {named}."
    )


def _on_dataset(analysis: ThresholdsAnalysis, dataset: str) -> str:
    """Return what one data set shows."""
    won = analysis.won
    p = _rows(won.tests, "dataset", dataset)["p_value"]
    told = _rule_wins(_rows(won.decisions, "dataset", dataset)) or "no algorithm wins"
    return (
        f"{analysis.n_folds[dataset]} folds. MANOVA is significant at "
        f"{int(rejected(p, won.alpha).sum())} of {len(p)} thresholds. By the rule over "
        f"thresholds, {told}."
    )


def _rule_wins(decisions: Any) -> str:
    """Name the wins by the rule over thresholds; empty if there are none."""
    won = [row for row in decisions.itertuples() if row.verdict != "tie"]
    return listing(list(map(_rule_win, won)), len(won))


def _rule_win(row: Any) -> str:
    """Return how one of a pair wins over thresholds."""
    names, counts = [row.algorithm_1, row.algorithm_2], [row.wins, row.losses]
    p = row.p_adjusted
    if row.verdict == "loss":
        p = row.p_adjusted_other
        names.reverse()
        counts.reverse()
    shown = "" if np.isnan(p) else f"; sign test {p_equals(p)}"
    return (
        f"{names[0]} wins over {names[1]} (at {counts[0]} thresholds against "
        f"{counts[1]}{shown})"
    )


# ---- tables


def _rows(frame: pd.DataFrame, key: str, value: Any) -> pd.DataFrame:
    """Return the rows of one data set, or of one threshold."""
    return frame[frame[key] == value]


def _counts(
    won: ThresholdWinsResult, key: str, pairs: pd.DataFrame
) -> tuple[Field, Field]:
    """Return columns: how often MANOVA is significant, and how many pairs are won."""

    def significant(value: Any) -> doc.Inline:
        p = _rows(won.tests, key, value)["p_value"]
        return tally(int(rejected(p, won.alpha).sum()), len(p))

    def decided(value: Any) -> doc.Inline:
        verdicts = _rows(pairs, key, value)["verdict"]
        return tally(int((verdicts != "tie").sum()), len(verdicts))

    return (
        Field("MANOVA significant", "digits", significant),
        Field("pairs won", "digits", decided),
    )


def _wins_table(won: ThresholdWinsResult) -> doc.Table:
    """Return the table of wins over data sets, with totals."""
    assert won.totals is not None
    by = (
        f"the right-tailed sign test over {len(won.thresholds)} thresholds"
        if won.rule == "sign"
        else f"any of {len(won.thresholds)} thresholds"
    )
    return win_tables.of_counts(
        f"Wins: on how many of {won.n_datasets} data sets the row wins over the column "
        f"by {by} (alpha = {won.alpha:g}). Total: data sets on which it wins over at "
        f"least one other.",
        won.wins,
        won.totals,
        lambda name, other: name != other,
    )


def _thresholds_table(won: ThresholdWinsResult) -> doc.Table:
    """Return one row per threshold: if algorithms differ, and who wins how often."""

    def wins_of(name: str) -> Field:
        def count(threshold: float) -> int:
            rows = _rows(won.at_thresholds, "threshold", threshold)
            first = (rows["verdict"] == "win") & (rows["algorithm_1"] == name)
            second = (rows["verdict"] == "loss") & (rows["algorithm_2"] == name)
            return int((first | second).sum())

        return Field(f"wins of {name}", "count", count)

    return table(
        f"Each threshold, over {counted(won.n_datasets, 'data set')}: on how many "
        f"MANOVA is significant (p ≤ {won.alpha:g}, not adjusted), how many pairs are "
        f"won, and by whom. Loss ratio: cost of a false positive if a false negative "
        f"costs 1.",
        won.thresholds,
        Field("Threshold", "label", label_text),
        *_counts(won, "threshold", won.at_thresholds),
        *map(wins_of, won.algorithms),
        Field("loss ratio", "digits", _ratio),
    )


def _ratio(threshold: float) -> str:
    """Return the loss ratio for which a threshold is the best."""
    return "∞" if threshold == 1 else number(threshold / (1 - threshold), 3)


def _datasets_table(analysis: ThresholdsAnalysis) -> doc.Table:
    """Return one row per data set."""
    won = analysis.won

    def smallest(name: str) -> float:
        return float(_rows(won.tests, "dataset", name)["p_value"].min())

    return table(
        f"Each data set: at how many of {len(won.thresholds)} thresholds MANOVA is "
        f"significant (p ≤ {won.alpha:g}, not adjusted), the smallest p, the pairs "
        f"won by the rule over thresholds, and the number of dimensions in which mean "
        f"vectors differ (Bartlett's test, lowest to highest over thresholds).",
        list(analysis.n_folds),
        Field("Data set", "label", str),
        Field("smallest p", "p", smallest, won.alpha),
        *_counts(won, "dataset", won.decisions),
        Field("dimensions", "digits", lambda name: _dimensions(won, name)),
        Field("folds", "count", lambda name: int(analysis.n_folds[name])),
    )


def _dimensions(won: ThresholdWinsResult, dataset: str) -> str:
    """Return the numbers of dimensions over thresholds: ``0 to 2``; empty if none."""
    counts = _rows(won.tests, "dataset", dataset)["dimension"].dropna().astype(int)
    if counts.empty:
        return ""
    low, high = counts.min(), counts.max()
    return str(low) if low == high else f"{low} to {high}"


def _pairs_of_dataset(won: ThresholdWinsResult, dataset: str) -> doc.Table:
    """Return who wins each pair on a data set, by the rule over thresholds."""
    caption = (
        f"{dataset}: thresholds that the first algorithm wins, ties, and those that "
        f"the second wins, of {len(won.thresholds)}."
    )
    tests: list[Field] = []
    if won.rule == "sign":
        caption += (
            " p: right-tailed sign tests of more wins of the first, and of the second. "
            "Thresholds share their cases, so these are a rule and not valid p-values."
        )
        tests = [
            Field("p first", "p", "p_adjusted", won.alpha),
            Field("p second", "p", "p_adjusted_other", won.alpha),
        ]
    return table(
        caption,
        _rows(won.decisions, "dataset", dataset),
        PAIR,
        Field("winner", "text", lambda row: _winner(row) or row.reason or "none"),
        WINS,
        *tests,
        file="data_set_pairs",
    )


def _winner(row: Any) -> str:
    """Return who wins a row; empty for a tie."""
    won = {"win": row.algorithm_1, "loss": row.algorithm_2}
    return str(won.get(row.verdict, ""))


def _thresholds_of_dataset(won: ThresholdWinsResult, dataset: str) -> doc.Table:
    """Return one row per threshold of one data set: test, risks, wins."""
    tests, risks, pairs = (
        _rows(frame, "dataset", dataset)
        for frame in (won.tests, won.risks, won.at_thresholds)
    )
    a, m = len(won.algorithms), len(pairs) // len(tests)
    risk = risks["risk"].to_numpy(float).reshape(-1, a)
    names = won.algorithms if a <= _MANY_RISKS else ()

    def risk_of(j: int, name: str) -> Field:
        return Field(
            f"risk of {name}", "number", lambda r: float(risk[r[0], j]), digits=4
        )

    return table(
        f"{dataset}, each threshold: MANOVA (none if nothing can be tested), the "
        f"risk of each algorithm, the wins (T2 adjusted p ≤ {won.alpha:g} and the "
        f"lower risk), and the number of dimensions in which mean vectors differ "
        f"(Bartlett's test).",
        list(enumerate(tests.itertuples())),
        Field("Threshold", "label", lambda r: label_text(r[1].threshold)),
        Field("p", "p", lambda r: float(r[1].p_value), won.alpha),
        Field(
            "wins", "text", lambda r: _wins_text(pairs.iloc[r[0] * m : (r[0] + 1) * m])
        ),
        *(risk_of(j, name) for j, name in enumerate(names)),
        Field(
            "Wilks' Lambda",
            "number",
            lambda r: None if pd.isna(r[1].p_value) else float(r[1].wilks),
        ),
        Field(
            "dimensions",
            "count",
            lambda r: None if pd.isna(r[1].dimension) else int(r[1].dimension),
        ),
        file="at_thresholds",
    )


def _wins_text(pairs: pd.DataFrame) -> str:
    """Return ``A over B, C`` for the pairs that are won at one threshold."""
    beaten: dict[str, list[str]] = {}
    for row in pairs[pairs["verdict"] != "tie"].itertuples():
        names = [str(row.algorithm_1), str(row.algorithm_2)]
        if row.verdict == "loss":
            names.reverse()
        beaten.setdefault(names[0], []).append(names[1])
    return "; ".join(f"{name} over {', '.join(b)}" for name, b in beaten.items())
