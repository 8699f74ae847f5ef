"""The tables of wins over thresholds and data sets."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.formatting.counts import counted
from pycompare.formatting.numbers import number, p_text
from pycompare.labels import label_text
from pycompare.multiplicity.guarantees import NO_TEST
from pycompare.over_datasets.sign_grid import REFERENCE as SIGN
from pycompare.over_datasets.threshold_wins import ThresholdWinsResult
from pycompare.plans.plan import Plan
from pycompare.plans.post_hoc import described
from pycompare.reporting.content.error_rates import error_rate, key_rate
from pycompare.reporting.page.tables import (
    MAX_ROWS,
    METHODS_HEADER,
    Cell,
    Table,
    label,
    number_cell,
    p_cell,
    shortened,
)
from pycompare.reporting.threshold_sweep.thresholds_words import of_dataset
from pycompare.results import rejected

MANY_RISKS = 12
"""With more algorithms a table by thresholds leaves their risks to the CSV file."""


def methods_table(analysis: ThresholdsAnalysis, plan: Plan) -> Table:
    """Return the methods with their error rates and sources."""
    won = analysis.won
    at_threshold = error_rate(won, plan, "folds")
    rows = [
        (
            "At each threshold: MANOVA, Wilks' Lambda, blocked by folds",
            key_rate("omnibus/manova", plan, "folds") + "; at each threshold",
            "Wilks (1932); Rao (1951); Aslan (2009) sec. 4.5",
        ),
        (
            f"At each threshold: {won.method}, {described(won.adjust).title}",
            at_threshold.text + "; at each threshold",
            "Hotelling (1931); Yildiz, Aslan and Alpaydin (2011) eq. 2",
        ),
        ("At each threshold: the lower risk wins", NO_TEST, won.reference),
        (
            "Over thresholds: right-tailed exact sign test"
            if won.rule == "sign"
            else "Over thresholds: a win at any, and none of the other",
            f"{NO_TEST}, a rule, since thresholds share their cases",
            won.reference,
        ),
    ]
    for found in analysis.pairs:
        used = described(found.adjust)
        title = f"Over data sets: exact two-sided sign test, {used.title}"
        rows.append((title, error_rate(found, plan, "blocks").text, SIGN))
    return Table(
        "Methods of the plan.",
        METHODS_HEADER,
        tuple(tuple(map(label, row)) for row in rows),
    )


def wins_table(won: ThresholdWinsResult) -> Table:
    """Return the table of wins over data sets, with totals."""
    total = won.totals
    assert total is not None
    order = total.sort_values(ascending=False, kind="stable").index
    rows = tuple(
        (
            label(name),
            *(
                Cell("–" if name == other else str(int(won.wins.loc[name, other])))
                for other in order
            ),
            Cell(str(int(total[name]))),
        )
        for name in order
    )
    by = (
        f"by the right-tailed sign test over {len(won.thresholds)} thresholds"
        if won.rule == "sign"
        else f"at any of {len(won.thresholds)} thresholds"
    )
    return Table(
        f"Wins: on how many of {won.n_datasets} data sets the row wins over the column "
        f"{by} (alpha = {won.alpha}). Total: data sets on which it wins over at least "
        f"one other.",
        ("Row beats column", *order, "total"),
        rows,
    )


def thresholds_table(won: ThresholdWinsResult) -> Table:
    """Return one row a threshold: where algorithms differ, and who wins how often."""
    rows = tuple(threshold_row(won, t) for t in won.thresholds)
    caption = (
        f"Threshold by threshold, over {counted(won.n_datasets, 'data set')}: on how "
        f"many MANOVA rejects (p ≤ {won.alpha}, not adjusted), how many pairs are won, "
        f"and by whom. Loss ratio: what a false positive costs where a "
        f"false negative costs 1."
    )
    header = (
        "Threshold",
        "loss ratio",
        "MANOVA rejects",
        "pairs won",
        *(f"wins of {name}" for name in won.algorithms),
    )
    return Table(shortened(caption, rows, "at_thresholds"), header, rows[:MAX_ROWS])


def threshold_row(won: ThresholdWinsResult, threshold: float) -> tuple[Cell, ...]:
    """Return what happens at one threshold."""
    p = won.tests.loc[won.tests["threshold"] == threshold, "p_value"]
    rows = won.at_thresholds[won.at_thresholds["threshold"] == threshold]
    made = rows[rows["verdict"] != "tie"]
    winners = made["algorithm_1"].where(made["verdict"] == "win", made["algorithm_2"])
    counts = winners.value_counts()
    return (
        label(label_text(threshold)),
        Cell(ratio(threshold)),
        Cell(f"{int(rejected(p, won.alpha).sum())} of {len(p)}"),
        Cell(f"{len(made)} of {len(rows)}"),
        *(Cell(str(int(counts.get(name, 0)))) for name in won.algorithms),
    )


def ratio(threshold: float) -> str:
    """Return the loss ratio for which a threshold is the best."""
    return "∞" if threshold == 1 else number(threshold / (1 - threshold), 3)


def datasets_table(analysis: ThresholdsAnalysis) -> Table:
    """Return one row a data set."""
    won = analysis.won
    rows = tuple(dataset_row(analysis, name) for name in analysis.n_folds)
    caption = (
        f"Data set by data set: at how many of {len(won.thresholds)} thresholds MANOVA "
        f"rejects (p ≤ {won.alpha}), the smallest p, and the pairs that have a winner "
        f"by the rule over thresholds."
    )
    header = ("Data set", "folds", "MANOVA rejects", "smallest p", "pairs won")
    return Table(shortened(caption, rows, "data_set_pairs"), header, rows[:MAX_ROWS])


def dataset_row(analysis: ThresholdsAnalysis, dataset: str) -> tuple[Cell, ...]:
    """Return the summary of one data set."""
    won = analysis.won
    p = of_dataset(won.tests, dataset)["p_value"]
    rows = of_dataset(won.decisions, dataset)
    return (
        label(dataset),
        Cell(str(analysis.n_folds[dataset])),
        Cell(f"{int(rejected(p, won.alpha).sum())} of {len(p)}"),
        Cell("" if p.isna().all() else p_text(p.min(), won.alpha)),
        Cell(f"{int((rows['verdict'] != 'tie').sum())} of {len(rows)}"),
    )


def pairs_of_dataset(won: ThresholdWinsResult, dataset: str) -> Table:
    """Return who wins each pair on a data set, by the rule over thresholds."""
    rows = of_dataset(won.decisions, dataset)
    sign = won.rule == "sign"
    made = tuple(
        (
            label(f"{row.algorithm_1} – {row.algorithm_2}"),
            Cell(f"{row.wins} / {row.ties} / {row.losses}"),
            *(
                (
                    p_cell(row.p_adjusted, won.alpha),
                    p_cell(row.p_adjusted_other, won.alpha),
                )
                if sign
                else ()
            ),
            label(winner(row) or (row.reason or "nobody")),
        )
        for row in rows.itertuples()
    )
    caption = (
        f"{dataset}: thresholds that the first algorithm wins, ties, and those that "
        f"the second wins, of {len(won.thresholds)}."
    )
    if sign:
        caption += (
            " Right-tailed sign tests over thresholds that the first, and the second, "
            "wins more often: a rule, since thresholds share their cases."
        )
    tests = ("p first", "p second") if sign else ()
    header = ("Pair", "wins / ties / losses", *tests, "wins on the data set")
    return Table(shortened(caption, made, "data_set_pairs"), header, made[:MAX_ROWS])


def winner(row: Any) -> str:
    """Return who wins a row; empty for a tie."""
    won = {"win": row.algorithm_1, "loss": row.algorithm_2}
    return str(won.get(row.verdict, ""))


def thresholds_of_dataset(won: ThresholdWinsResult, dataset: str) -> Table:
    """Return one row a threshold of one data set: test, risks, wins."""
    tests, risks, pairs = (
        of_dataset(table, dataset)
        for table in (won.tests, won.risks, won.at_thresholds)
    )
    algorithms = won.algorithms if len(won.algorithms) <= MANY_RISKS else ()
    a, m = len(won.algorithms), len(pairs) // len(tests)
    risk = risks["risk"].to_numpy(float).reshape(-1, a)
    rows = tuple(
        (
            label(label_text(test.threshold)),
            Cell("" if pd.isna(test.p_value) else number(test.wilks)),
            Cell("") if pd.isna(test.p_value) else p_cell(test.p_value, won.alpha),
            *(number_cell(risk[i, j]) for j in range(len(algorithms))),
            label(wins_text(pairs.iloc[i * m : (i + 1) * m])),
        )
        for i, test in enumerate(tests.itertuples())
    )
    caption = (
        f"{dataset}, threshold by threshold: MANOVA (Wilks' Lambda; empty where "
        f"nothing can be tested), the risk of each algorithm, and the pairs that are "
        f"won: T2 adjusted p ≤ {won.alpha} and the lower risk."
    )
    header = (
        "Threshold",
        "Wilks' Lambda",
        "p",
        *(f"risk of {name}" for name in algorithms),
        "wins",
    )
    return Table(shortened(caption, rows, "at_thresholds"), header, rows[:MAX_ROWS])


def wins_text(pairs: pd.DataFrame) -> str:
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
        "wins": won.to_frame().rename_axis("algorithm").reset_index(),
        "data_set_pairs": won.decisions,
        "at_thresholds": won.at_thresholds,
        "manova": won.tests,
        "risks": won.risks,
    }
    for place, pairs in enumerate(analysis.pairs):
        name = "sign" if place == 0 else f"sign_{pairs.adjust}"
        found[name] = pairs.to_frame()
    return found
