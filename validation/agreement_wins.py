"""Aslan (2009), chapters 6 and 7, on the data sets of the study."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from validation.markdown import table

GOLDEN = Path(__file__).parents[1] / "r_reference" / "golden"
ALPHA = 0.05
CELLS, PRECISION_RECALL = ("tp", "fp", "tn", "fn"), ("precision", "recall")
THRESHOLDS = tuple(np.linspace(0, 1, 21).round(2).tolist())
DIMENSIONS = {
    CELLS: (4, 2, 1, 2, 2, 3, 0, 3, 3, 4, 3, 2, 3, 3, 4),
    PRECISION_RECALL: (2, 2, 1, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2),
}
"""Tables 7.1 and 7.6 of the thesis: the dimension of each of its 15 data sets."""
_METRICS = {"error": "error", "AUC": "auc", "AUC-PR": "auc_pr"}
_TESTS: dict[str, Any] = {"Tukey": "tukey", "paired t": "paired-t"}


_BOTH = {CELLS: ("7.2", "7.4"), PRECISION_RECALL: ("7.7", "7.9")}
_WORDS = {CELLS: "four cells", PRECISION_RECALL: "precision and recall"}

Made = tuple[str, str, pc.WinTable]
"""Number of the thesis's table, what is compared, and the wins here."""


def lines(scores: pc.Scores, predictions: pc.Predictions) -> list[str]:
    """Return the tables of wins and of dimensions, beside those of the thesis."""
    cells = [*CELLS, *PRECISION_RECALL]
    undefined = {"precision": 1.0}
    half = predictions.measure(cells, threshold=0.5, undefined=undefined)
    swept = predictions.measure(cells, threshold=list(THRESHOLDS), undefined=undefined)
    made = [*_one_metric(scores), *_together(half, swept)]
    return [
        "A pair counts as a win on a data set if the test of all algorithms (blocked "
        "analysis of variance, or MANOVA) rejects and the pair's test does, with "
        "Bonferroni; at 21 thresholds a sign test over them decides. The table has, "
        "for each algorithm, the sum of its wins over its four rivals, and how many of "
        "the ten pairs a sign test over data sets tells apart (Bonferroni).",
        "",
        *table(list(_rows(made)), right=True),
        "",
        "Data sets by the number of dimensions in which MANOVA finds the mean vectors "
        "to differ; no test: algorithms differ in a cell that is the same in all folds "
        "of each:",
        "",
        *table(list(_dimensions(half)), right=True),
        "",
        "All learners meet the same test cases, so tp + fn and fp + tn are the same in "
        "every fold, and the four cells have two dimensions at most: the 3 and 4 of "
        "ASL's Table 7.1 need cells that do not add up to the test set.",
    ]


def _one_metric(scores: pc.Scores) -> Iterator[Made]:
    numbers = iter(("6.3", "6.7", "6.5", "6.9", "6.12", "6.14"))
    for word, metric in _METRICS.items():
        for title, method in _TESTS.items():
            wins = pc.wins(scores, metric=metric, method=method, alpha=ALPHA)
            yield next(numbers), f"{word}, {title}", wins


def _together(half: pc.Scores, swept: pc.Scores) -> Iterator[Made]:
    for metrics, (at_half, at_all) in _BOTH.items():
        chosen: dict[str, Any] = {"metrics": metrics, "method": "two-sample"}
        chosen["alpha"] = ALPHA
        wins = pc.wins(half, cost_ratio=1, **chosen)
        yield at_half, f"{_WORDS[metrics]} at 0.5", wins
        words = f"{_WORDS[metrics]} at {len(THRESHOLDS)} thresholds"
        yield at_all, words, pc.threshold_wins(swept, **chosen)


def _rows(made: Sequence[Made]) -> Iterator[list[str]]:
    text = (GOLDEN / "aslan_2009_wins.json").read_text(encoding="utf-8")
    held = json.loads(text)
    tables = {table["wins_table"]: table for table in held["tables"]}
    names = held["algorithms"]
    yield ["wins by", *(f"{n}, ASL / here" for n in names), "pairs apart, ASL / here"]
    for number, words, wins in made:
        printed = tables[number]
        counts = wins.wins.loc[names, names].to_numpy()
        theirs = np.array(printed["wins"]).sum(axis=1)
        cells = [f"{a} / {b}" for a, b in zip(theirs, counts.sum(axis=1), strict=True)]
        apart = pc.sign_grid(wins, adjust="bonferroni").table["p_adjusted"] <= ALPHA
        printed_apart = int(np.sum(printed["significant"])) // 2
        row = f"{words} (Table {number})"
        yield [row, *cells, f"{printed_apart} / {int(apart.sum())}"]


def _dimensions(half: pc.Scores) -> Iterator[list[str]]:
    yield ["dimensions", *map(str, range(5)), "no test"]
    datasets = np.array(half.datasets)
    for metrics, theirs in DIMENSIONS.items():
        ours = [
            _dimension(half.select(blocks=blocks), metrics)
            for name in dict.fromkeys(half.datasets or ())
            for blocks in [np.array(half.blocks)[datasets == name].tolist()]
        ]
        for who, found in (("ASL", theirs), ("here", ours)):
            counts = np.bincount(found, minlength=6)
            yield [f"{_WORDS[metrics]}, {who}", *map(str, counts)]


def _dimension(of: pc.Scores, metrics: tuple[str, ...]) -> int:
    """Return the dimension; 5 if a difference has no error to be tested against."""
    try:
        return pc.manova(of, metrics=metrics, alpha=ALPHA).dimension
    except pc.DesignError:
        return 5
