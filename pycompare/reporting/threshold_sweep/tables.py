"""The tables of wins over thresholds and data sets."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import number
from pycompare.labels import label_text
from pycompare.over_datasets.threshold_wins import ThresholdWinsResult
from pycompare.reporting.content import win_tables
from pycompare.reporting.content.build import PAIR, WINS, Field, table, tally
from pycompare.reporting.content.win_tables import counts_for_csv
from pycompare.reporting.document import Inline, Table
from pycompare.results import rejected

_MANY_RISKS = 12
"""With more algorithms a table by thresholds leaves their risks to the CSV file."""


def of_dataset(frame: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Return the rows of one data set."""
    return frame[frame["dataset"] == dataset]


def wins(won: ThresholdWinsResult) -> Table:
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


def thresholds(won: ThresholdWinsResult) -> Table:
    """Return one row a threshold: where algorithms differ, and who wins how often."""

    def rows_at(frame: pd.DataFrame, threshold: float) -> pd.DataFrame:
        return frame[frame["threshold"] == threshold]

    def significant(threshold: float) -> Inline:
        p = rows_at(won.tests, threshold)["p_value"]
        return tally(int(rejected(p, won.alpha).sum()), len(p))

    def decided(threshold: float) -> Inline:
        rows = rows_at(won.at_thresholds, threshold)
        return tally(int((rows["verdict"] != "tie").sum()), len(rows))

    def wins_of(name: str) -> Field:
        def count(threshold: float) -> int:
            rows = rows_at(won.at_thresholds, threshold)
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
        Field("MANOVA significant", "digits", significant),
        Field("pairs won", "digits", decided),
        *map(wins_of, won.algorithms),
        Field("loss ratio", "digits", _ratio),
    )


def _ratio(threshold: float) -> str:
    """Return the loss ratio for which a threshold is the best."""
    return "∞" if threshold == 1 else number(threshold / (1 - threshold), 3)


def datasets(analysis: ThresholdsAnalysis) -> Table:
    """Return one row a data set."""
    won = analysis.won

    def p_of(name: str) -> pd.Series:
        return of_dataset(won.tests, name)["p_value"]

    def significant(name: str) -> Inline:
        p = p_of(name)
        return tally(int(rejected(p, won.alpha).sum()), len(p))

    def decided(name: str) -> Inline:
        rows = of_dataset(won.decisions, name)
        return tally(int((rows["verdict"] != "tie").sum()), len(rows))

    return table(
        f"Each data set: at how many of {len(won.thresholds)} thresholds MANOVA is "
        f"significant (p ≤ {won.alpha:g}, not adjusted), the smallest p, and the pairs "
        f"won by the rule over thresholds.",
        list(analysis.n_folds),
        Field("Data set", "label", str),
        Field("smallest p", "p", lambda name: float(p_of(name).min()), won.alpha),
        Field("MANOVA significant", "digits", significant),
        Field("pairs won", "digits", decided),
        Field("folds", "count", lambda name: int(analysis.n_folds[name])),
    )


def pairs_of_dataset(won: ThresholdWinsResult, dataset: str) -> Table:
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
        of_dataset(won.decisions, dataset),
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


def thresholds_of_dataset(won: ThresholdWinsResult, dataset: str) -> Table:
    """Return one row a threshold of one data set: test, risks, wins."""
    tests, risks, pairs = (
        of_dataset(frame, dataset)
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
        f"{dataset}, each threshold: MANOVA (none where nothing can be tested), the "
        f"risk of each algorithm, and the wins (T2 adjusted p ≤ {won.alpha:g} and the "
        f"lower risk).",
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


def csv_tables(analysis: ThresholdsAnalysis) -> dict[str, pd.DataFrame]:
    """Return the tables for CSV files, full precision."""
    won = analysis.won
    found = {
        "wins": counts_for_csv(won),
        "data_set_pairs": won.decisions,
        "at_thresholds": won.at_thresholds,
        "manova": won.tests,
        "risks": won.risks,
    }
    for place, pairs in enumerate(analysis.pairs):
        name = "sign" if place == 0 else f"sign_{pairs.adjust}"
        found[name] = pairs.to_frame()
    return found
