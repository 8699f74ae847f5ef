from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.methods.over_datasets.agreement import Agreement
from pycompare.plotting import style
from pycompare.plotting.p_matrix import p_text
from tests.plotting.looking import collisions, cut_off, lines, long_names, texts
from tests.predictions import predictions, rows


def made(names=("tree", "k-NN", "LDA")) -> tuple[Agreement, pc.Predictions]:
    shifts = list(zip(names, (1.0, 1.2, 1.9), strict=True))
    parts = [
        rows(seed=s, algorithms=shifts).assign(dataset=f"set {s}") for s in range(4)
    ]
    data = predictions(frame=pd.concat(parts), dataset="dataset")
    return pc.agreement(data.measure(["error", "auc", "auc_pr"])), data


def test_no_label_collides_or_leaves_the_figure():
    agreement, data = made(long_names(3))
    for case in agreement.examples()["case"]:
        ax = plotting.agreement_example(agreement, data, case=case, thresholds=[0.5])
        for dpi in (100, 200):
            assert collisions(ax, dpi) == []
            assert cut_off(ax, dpi) == []
        assert len(style.to_svg(ax.figure)) < 300_000


@pytest.mark.parametrize("curves", [("pr",), ("roc", "pr")])
def test_precision_recall_curves_stand_in_the_place_of_or_beside_roc_curves(curves):
    first, data = made(long_names(3))
    agreement = pc.agreement(first.scores, metrics=["error", "auc_pr"])
    row = agreement.examples().iloc[0]
    ax = plotting.agreement_example(
        agreement, data, case=int(row["case"]), curves=curves, thresholds=[0.5]
    )
    assert len(ax.child_axes) == 2 + len(curves)
    for place, letter, kind in zip(ax.child_axes[2:], "cd", curves, strict=False):
        wanted = pc.mean_curve(
            data, kind=kind, algorithm=row["algorithm_1"], dataset=row["dataset"]
        )
        drawn = lines(place, "mean-")[f"1-{letter}"].get_xydata()
        assert np.array_equal(drawn, np.column_stack(wanted.line))
    for dpi in (100, 200):
        assert collisions(ax, dpi) == []
        assert cut_off(ax, dpi) == []


def test_the_parts_are_of_the_example():
    agreement, data = made()
    row = agreement.examples().set_index("case").loc[4]
    ax = plotting.agreement_example(agreement, data, case=4)
    [said] = texts(ax, "title")
    assert "Case 4, both tests reject" in said
    assert f"{row['dataset']}: {row['algorithm_1']} and {row['algorithm_2']}" in said
    assert f"p of the auc test {p_text(row['p_auc'])}" in said
    pair = [row["algorithm_1"], row["algorithm_2"]]
    wanted = [b for b in data.blocks if b.startswith(row["dataset"])]
    scores = agreement.scores.select(blocks=wanted, algorithms=pair)
    error, auc, roc = ax.child_axes
    for part, metric in ((error, "error"), (auc, "auc")):
        for k in range(2):
            [line] = lines(part.child_axes[k], "mean-").values()
            mean = scores.column(metric)[:, k].mean()
            assert line.get_xdata()[0] == pytest.approx(mean)
    for k, name in enumerate(pair, start=1):
        curve = pc.mean_curve(data, algorithm=name, dataset=row["dataset"])
        drawn = lines(roc, "mean-")[f"{k}-c"].get_xydata()
        assert np.array_equal(drawn, np.column_stack(curve.line))


def test_other_metrics_and_axes_that_were_given():
    agreement, data = made()
    other = pc.agreement(agreement.scores, metrics=["auc", "auc_pr"])
    ax = Figure(figsize=(14, 5)).subplots()
    case = int(other.examples()["case"].iloc[0])
    assert plotting.agreement_example(other, data, case=case, ax=ax) is ax
    assert "auc_pr test" in texts(ax, "title")[0]
    narrow = Figure(figsize=(3, 3)).subplots()
    with pytest.raises(InputError, match="points wide; give at least"):
        plotting.agreement_example(other, data, case=case, ax=narrow)


def test_without_data_sets_all_blocks_are_one():
    data = predictions()
    agreement = pc.agreement(data.measure(["error", "auc"]))
    case = int(agreement.examples()["case"].iloc[0])
    ax = plotting.agreement_example(agreement, data, case=case)
    assert "tree and kNN" in texts(ax, "title")[0].split("\n")[1]
    assert len(ax.child_axes) == 3


def test_what_cannot_be_drawn_is_refused():
    agreement, data = made()
    with pytest.raises(InputError, match="choose 1, 2, 3 or 4"):
        plotting.agreement_example(agreement, data, case=5)
    with pytest.raises(InputError, match="lack blocks of the example"):
        plotting.agreement_example(agreement, predictions(), case=4)
    with pytest.raises(InputError, match="curves"):
        plotting.agreement_example(agreement, data, case=4, curves=["cost"])
    with pytest.raises(InputError, match="'roc', 'pr' or both, each once"):
        plotting.agreement_example(agreement, data, case=4, curves=["pr", "pr"])
    absent = {1, 2, 3, 4} - set(agreement.examples()["case"])
    for case in absent:
        with pytest.raises(InputError, match=f"case {case} did not occur"):
            plotting.agreement_example(agreement, data, case=case)
    assert absent
