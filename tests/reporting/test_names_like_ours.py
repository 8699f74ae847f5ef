"""Algorithms and metrics that are called like the columns of our own tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc

pytestmark = pytest.mark.usefixtures("blank_pictures")

OURS = ("algorithm", "total", "algorithm_1", "index")


def scores(data_sets: int, folds: int, metrics: tuple[str, ...]) -> pc.Scores:
    rng = np.random.default_rng(5)
    rows = [
        {"D": f"d{d}", "F": f"d{d}f{f}", "A": name, **dict.fromkeys(metrics, 0.0)}
        for d in range(data_sets)
        for f in range(folds)
        for name in OURS
    ]
    frame = pd.DataFrame(rows)
    frame[list(metrics)] = rng.normal(size=(len(rows), len(metrics)))
    roles = {"dataset": "D"} if data_sets > 1 else {}
    better = dict.fromkeys(metrics, "higher")
    return pc.Scores.from_frame(
        frame, algorithm="A", block="F", metrics=better, **roles
    )


@pytest.mark.parametrize("data_sets", [1, 6])
@pytest.mark.parametrize("metrics", [("algorithm_1", "pair"), ("estimate", "index")])
def test_reports_are_written_and_their_tables_have_each_column_once(
    tmp_path, data_sets, metrics
):
    found = pc.compare(scores(data_sets, 4 if data_sets > 1 else 8, metrics))
    folder = pc.report(found, tmp_path / "report")
    tables = [folder, *folder.rglob("*.csv")][1:]
    assert tables
    for table in tables:
        head = table.read_text(encoding="utf-8").splitlines()[0].split(",")
        assert len(head) == len(set(head)), table


def test_wins_over_an_algorithm_called_total_are_no_total(tmp_path):
    found = pc.compare(scores(6, 4, ("score",)))
    folder = pc.report(found, tmp_path / "report")
    wins = pd.read_csv(folder / "tables/wins.csv")
    assert {"wins over total", "wins over algorithm", "total"} <= set(wins)
    assert wins["algorithm"].tolist() == list(OURS)


def test_labels_that_are_digits_and_no_numbers_are_reported(tmp_path):
    """``"²".isdigit()`` is true, but ``int("²")`` is an error."""
    values = np.random.default_rng(1).normal(size=(9, 3, 1))
    found = pc.Scores(
        values,
        tuple(f"b{i}" for i in range(9)),
        ("²", "٣", "12"),
        (pc.Metric("m", "higher"),),
    )
    (tmp_path / ".report.².killed").mkdir()
    folder = pc.report(
        pc.compare(found, pc.Plan(blocks="datasets")), tmp_path / "report"
    )
    assert pd.read_csv(folder / "data/numbers.csv")["place"].str.contains("²").any()
