"""Columns of another scale and scores in two units are questioned, with the remedy."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pycompare.data import Scores, read_scores, units
from pycompare.data.units import is_proportion
from tests.data.tables import refused

SCORES = pd.DataFrame(
    {"A": [0.91, 0.95, 0.7, 0.8], "B": [0.85, 0.9, 0.72, 0.77]}, index=list("stuv")
)
HOW = {"metric": "accuracy", "better": "higher"}


@pytest.mark.parametrize(
    "column",
    [
        {"n": [0.1, 0.2, 0.3, 0.4]},
        {"label": [0, 1, 1, 0]},
        {"Time": [0.1, 0.2, 0.3, 0.4]},
        {"Unnamed: 0": [0, 1, 2, 3]},
        {"rows_used": [150, 178, 214, 60]},
        {"cost": [20.5, 30.1, 11.7, 15.2]},
    ],
)
def test_a_column_that_is_no_algorithm_is_questioned(column):
    [name] = column
    frame = SCORES.assign(**column)
    how = {"metric": "rating", "better": "higher"}
    with refused(f"1 column may not be an algorithm: '{name}'",
                 r"algorithms=\.\.\.\)", f"columns: 'A', 'B', '{name}'"):  # fmt: skip
        Scores.from_wide(frame, **how)
    named = Scores.from_wide(frame, algorithms=["A", name], **how)
    assert named.algorithms == ("A", name)


def test_counts_beside_percentages_are_questioned():
    frame = (100 * SCORES + 0.3).assign(cases=[150, 178, 60, 214])
    with refused("'cases' has values from 60 to 214, the others from 70.3 to 95.3"):
        Scores.from_wide(frame, **HOW)


def test_an_algorithm_on_another_scale_has_a_way_out():
    frame = SCORES.assign(C=[1e4, 2e4, 1e4, 3e4])
    how = {"metric": "log_loss", "better": "lower"}
    with refused(r"with it if it is one \(algorithms=\.\.\.\); columns: 'A', 'B', 'C'"):
        Scores.from_wide(frame, **how)
    read = Scores.from_wide(frame, algorithms=["A", "B", "C"], **how)
    assert read.algorithms == ("A", "B", "C")
    with refused(r"with them if they are \(algorithms=\.\.\.\); .*'A', 'B', 'C', 'n'"):
        Scores.from_wide(frame.assign(n=1), **how)


def test_one_name_of_an_algorithm_is_no_list_of_letters():
    with refused("algorithms='AB': give the names in a list"):
        Scores.from_wide(SCORES, algorithms="AB", **HOW)


def test_all_of_them_are_named_at_once():
    frame = SCORES.assign(n=1, cost=[20, 30, 11, 15])
    with refused("2 columns", "'cost'", "'n'", r"\(algorithms=\.\.\."):
        Scores.from_wide(frame, **HOW)


@pytest.mark.parametrize(
    "frame",
    [
        SCORES.assign(C=SCORES["A"] * 100 % 7 / 7),
        SCORES * 100,
        (SCORES * 100).round(),
        SCORES.assign(perfect=1.0),
        SCORES.assign(hopeless=0.0),
        SCORES.assign(C=[3.0, 0.2, 0.4, 0.1]),
        SCORES * 1e300,
        pd.DataFrame({"a": [1, 2, 3], "b": 0.5}, index=list("xyz")),
    ],
)
def test_ordinary_scores_are_not_questioned(frame):
    assert Scores.from_wide(frame, metric="loss", better="lower").n_algorithms > 1


def test_an_algorithm_in_percent_among_proportions_has_two_remedies():
    frame = SCORES.assign(C=[95, 90, 70, 71.5])
    with refused(r"algorithms=\.\.\.", r"declare them \(percent=\.\.\.\).*: 'C'$"):
        Scores.from_wide(frame, **HOW)
    read = Scores.from_wide(frame, percent=["C"], **HOW)
    assert read.column()[:, 2].tolist() == [0.95, 0.9, 0.7, 0.715]
    with refused("'accuracy' seems to have two units", "row 1 .*, 'C': 95",
                 r"columns in percent \(percent=\.\.\.\).*: 'C'$"):  # fmt: skip
        Scores.from_wide(frame, algorithms=["A", "B", "C"], **HOW)


def test_a_long_table_in_two_units_is_refused_with_rows(tmp_path):
    path = tmp_path / "s.csv"
    path.write_text("m,d,test_accuracy\na,x,95\nb,x,0.71\na,y,0.8\nb,y,0.9\n")
    how = {"algorithm": "m", "block": "d"}
    with refused("two units: 1 score \\(line 2", "3 scores \\(line 3", "0.71"):
        read_scores(path, metrics={"test_accuracy": "higher"}, **how)
    with refused("if all of them are percentages", r"percent=\('test_accuracy',\)"):
        read_scores(path, metrics={"test_accuracy": "higher"}, **how)


def test_a_percentage_near_zero_or_another_metric_is_no_second_unit():
    values = np.array([[0.4, 2.5], [12.0, 95.0]])
    for metric in ("accuracy", "error", "log_loss"):
        frame = pd.DataFrame(values if metric == "accuracy" else values * [[1], [9]])
        frame.columns = ["a", "b"]
        Scores.from_wide(frame, metric=metric, better="higher", confirmed=["direction"])


@pytest.mark.parametrize(
    ("metric", "wanted"),
    [("Accuracy", True), ("test_roc_auc", True), ("F1 (macro)", True),
     ("error", False), ("log_loss", False), ("accuracy loss", False),
     ("count of recall", False), ("macc", False)],
)  # fmt: skip
def test_names_of_proportions(metric, wanted):
    assert is_proportion(metric) is wanted


def test_an_index_that_pandas_wrote_is_named(tmp_path):
    path = tmp_path / "s.csv"
    frame = SCORES.reset_index(names="data")
    frame.to_csv(path)
    wide = {"wide": True, **HOW}
    with refused("index", "pandas wrote", r"block=\.\.\.\)", "text: 'data'"):
        read_scores(path, **wide)
    with refused("may not be an algorithm: ''", r"algorithms=\.\.\."):
        read_scores(path, block="data", **wide)
    read = read_scores(path, block="data", algorithms=("A", "B"), **wide)
    assert read.blocks == tuple("stuv")
    with refused("'Unnamed: 0'"):
        Scores.from_wide(pd.read_csv(path), block="data", **HOW)
    SCORES.reset_index(drop=True).to_csv(path)
    assert read_scores(path, **wide).blocks == ("0", "1", "2", "3")


def test_a_column_of_text_among_algorithms_says_how_to_name_them():
    frame = SCORES.assign(note="x")
    with refused("'note': 4 of 4", "if 'note' is no algorithm",
                 r"algorithms=\.\.\."):  # fmt: skip
        Scores.from_wide(frame, **HOW)


def test_the_scale_of_many_columns_is_judged_in_one_look_at_each(monkeypatch):
    scores = np.random.default_rng(1).random((3, 40)).round(2)
    frame = pd.DataFrame(scores, columns=[f"A{i}" for i in range(40)])
    looks = []
    present = units._present
    monkeypatch.setattr(units, "_present", lambda x: looks.append(1) or present(x))
    said = "'used' has values from 150 to 214, the others from "
    with refused(f"{said}{scores.min():g} to {scores.max():g}"):
        Scores.from_wide(frame.assign(used=[150, 178, 214]), **HOW)
    assert len(looks) == 41
    looks.clear()
    assert Scores.from_wide(frame, **HOW).n_algorithms == 40
    assert len(looks) == 40
