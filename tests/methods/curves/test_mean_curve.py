from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.methods.curves import mean_curve as module
from tests.predictions import predictions, rows


def test_the_area_is_that_of_measure_with_the_t_interval_of_folds():
    data = predictions(grid=0.1)
    names = {
        "auc": {"kind": "roc"},
        "auc_pr": {"kind": "pr"},
        "auc_pr_davis_goadrich": {"kind": "pr", "interpolation": "davis-goadrich"},
        "average_precision": {"kind": "pr", "interpolation": "average-precision"},
    }
    scores = data.measure(list(names))
    for name, options in names.items():
        found = pc.mean_curve(data, algorithm="tree", **options).area
        column = scores.column(name)[:, 0]
        assert found.estimate == pytest.approx(column.mean())
        low, high = stats.t.interval(
            0.95, len(column) - 1, column.mean(), stats.sem(column)
        )
        assert [found.conf_low, found.conf_high] == pytest.approx([low, high])


def test_intervals_at_a_place_are_t_intervals_within_the_unit_square():
    found = pc.mean_curve(predictions(), algorithm="tree")
    inner = found.table.iloc[len(found.table) // 2]
    lines = [np.interp(inner["fpr"] - 1e-9, *line) for line in found.lines]
    left = found.table[found.table["fpr"] == inner["fpr"]].iloc[0]
    assert left["tpr"] == pytest.approx(np.mean(lines), abs=1e-6)
    reach = stats.t.isf(0.025, len(lines) - 1) * stats.sem(lines)
    assert left["conf_high"] == pytest.approx(left["tpr"] + reach, abs=1e-6)
    limits = found.table[list(module.LIMITS)]
    assert np.nanmin(limits.to_numpy()) >= 0
    assert np.nanmax(limits.to_numpy()) <= 1
    assert np.all(found.table["band_low"] <= found.table["tpr"])


def test_places_at_which_all_folds_agree_have_no_interval():
    """Its width was 0, as if the mean over folds were known."""
    frame = rows(folds=4)
    positive = frame["label"] == "yes"
    frame.loc[positive, "score"] += 3 * (frame["block"] != "f0")
    frame.loc[positive, "score"] = frame["score"].clip(lower=0.6)
    found = pc.mean_curve(predictions(frame=frame), algorithm="tree")
    values = np.stack([np.interp(0.999, *line) for line in found.lines])
    assert np.ptp(values) == 0
    at = found.table[found.table["fpr"] < 0.999].iloc[-1]
    assert np.isnan(at["conf_low"]) and np.isnan(at["conf_high"])
    assert at["band_low"] < 1
    assert any("at which all folds agree" in note for note in found.notes)


def test_the_seed_makes_the_band():
    data = predictions()
    first, same, other = (
        pc.mean_curve(data, algorithm="kNN", seed=seed).half_width for seed in (0, 0, 1)
    )
    assert first == same != other


def test_threshold_average_has_the_mean_rates():
    data = predictions(grid=0.25)
    found = pc.mean_curve(data, algorithm="kNN", average="threshold")
    scores = data.measure(["fpr", "tpr"], threshold=[0.75, 0.25])
    for name in ("fpr", "tpr"):
        for t in (0.25, 0.75):
            mean = scores.column(f"{name}@{t}")[:, 1].mean()
            assert np.isclose(found.table[name], mean).any()
            row = found.points_at([t]).iloc[0]
            assert row[name] == pytest.approx(mean)
    assert found.table.iloc[0][["fpr", "tpr"]].tolist() == [0, 0]
    assert found.table.iloc[-1][["fpr", "tpr"]].tolist() == [1, 1]
    assert np.isnan(found.half_width)


def test_one_fold_has_no_band_and_delongs_interval():
    data = predictions(folds=1)
    found = pc.mean_curve(data, algorithm="tree")
    assert "one fold has no band" in found.notes
    assert found.table["band_low"].isna().all()
    part = data.rows("f0", "tree")
    wanted = pc.auc_interval(data.is_positive[part], data.score[part], positive=True)
    assert found.area.conf_low == wanted.conf_low
    assert np.isnan(pc.mean_curve(data, algorithm="tree", kind="pr").area.conf_low)


def test_equal_folds_have_an_area_without_interval():
    one = rows(folds=1)
    many = pd.concat([one.assign(block=f"b{i}") for i in range(3)])
    found = pc.mean_curve(predictions(frame=many), algorithm="tree")
    assert found.half_width == pytest.approx(0, abs=1e-15)
    assert np.isnan(found.area.conf_low)
    assert "same area" in found.area.notes[0]


def test_blocks_without_a_curve_are_left_out_and_counted():
    frame = rows(folds=4)
    frame.loc[frame["block"] == "f1", "label"] = "no"
    gone = (frame["block"] == "f2") & (frame["algorithm"] == "tree")
    data = predictions(frame=frame[~gone], one_class="undefined", missing="model")
    found = pc.mean_curve(data, algorithm="tree")
    assert found.folds == ("f0", "f3")
    assert found.left_out == 2
    assert pc.mean_curve(data, algorithm="kNN").left_out == 1


def test_one_data_set_is_chosen_by_name():
    frame = rows(folds=4)
    frame["dataset"] = np.where(frame["block"].isin(["f0", "f1"]), "a", "b")
    data = predictions(frame=frame, dataset="dataset")
    alone = predictions(frame=frame[frame["dataset"] == "b"].drop(columns="dataset"))
    found = pc.mean_curve(data, algorithm="tree", dataset="b")
    assert found.table.equals(pc.mean_curve(alone, algorithm="tree").table)
    with pytest.raises(InputError, match="2 datasets, 'a', 'b': name one, dataset="):
        pc.mean_curve(data, algorithm="tree")
    with pytest.raises(InputError, match="name no data sets"):
        pc.mean_curve(alone, algorithm="tree", dataset="b")


def test_long_curves_are_thinned_and_say_so(monkeypatch):
    monkeypatch.setattr(module, "MOST", 15)
    data = predictions()
    found = pc.mean_curve(data, algorithm="tree")
    assert len(found.table) == 30
    assert found.notes[0].startswith("taken at 15 of 41 distinct values")
    assert found.r_call() is None
    assert found.area.estimate == pytest.approx(
        data.measure("auc").column()[:, 0].mean()
    )
    curve = pc.mean_curve(data, algorithm="tree", average="threshold")
    assert len(curve.table) == 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "there are 2 algorithms, 'tree', 'kNN': name one"),
        ({"algorithm": "tre"}, "tre"),
        ({"kind": "det"}, "choose one of .roc., .pr., .cost."),
        ({"average": "median"}, "choose 'vertical' or 'threshold'"),
        ({"average": "threshold", "kind": "pr"}, "is for kind='roc'"),
        ({"average": "threshold", "seed": 1}, "for the band of average='vertical'"),
        ({"interpolation": "trapezoid"}, "interpolation is for kind='pr'"),
        ({"kind": "pr", "interpolation": "linear"}, "choose one of trapezoid"),
        ({"draws": 0}, "give 1 or more"),
        ({"level": 95}, "level"),
    ],
)
def test_what_cannot_be_done_is_refused(options, message):
    if options:
        options = {"algorithm": "tree"} | options
    with pytest.raises(InputError, match=message):
        pc.mean_curve(predictions(), **options)


def test_names_are_data():
    data = predictions(algorithms=(("$a$", 1.0), ("<b>", 2.0)))
    assert pc.mean_curve(data, algorithm="<b>").algorithm == "<b>"


@pytest.mark.parametrize("folds", [2, 3])
def test_r_repeats_the_mean_curve_of_two_folds_and_more(folds):
    call = pc.mean_curve(predictions(folds=folds), algorithm="tree").r_call()
    assert call is not None and call.function == "mean_curve_reference"


def test_r_does_not_repeat_the_mean_curve_of_one_fold():
    assert pc.mean_curve(predictions(folds=1), algorithm="tree").r_call() is None
