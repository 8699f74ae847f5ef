from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.path import Path

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting import curve_panel, style
from tests.plotting.looking import (
    caption,
    collisions,
    cut_off,
    lines,
    long_names,
    texts,
)
from tests.predictions import predictions, rows

PICTURES = {
    "roc": plotting.roc_curves,
    "pr": plotting.pr_curves,
    "cost": plotting.cost_curves,
}


def collections(ax) -> dict[str, object]:
    return {c.get_gid(): c for c in ax.collections}


@pytest.mark.parametrize("kind", PICTURES)
@pytest.mark.parametrize("a", [2, 7])
def test_no_label_collides_or_leaves_the_figure(kind, a):
    names = [(name, 0.5 + 0.3 * j) for j, name in enumerate(long_names(a))]
    marks = {} if kind == "cost" else {"thresholds": [0.2, 0.4, 0.5, 0.6, 0.8][: 9 - a]}
    ax = PICTURES[kind](predictions(folds=4, algorithms=names), **marks)
    for dpi in (100, 200):
        assert collisions(ax, dpi) == []
        assert cut_off(ax, dpi) == []


@pytest.mark.parametrize("picture", PICTURES.values())
def test_axes_that_were_given_are_used(picture):
    ax = Figure(figsize=(6, 6)).subplots()
    assert picture(predictions(folds=3), ax=ax) is ax


@pytest.mark.parametrize("kind", PICTURES)
def test_means_folds_and_bands_are_those_of_mean_curve(kind):
    data = predictions()
    ax = PICTURES[kind](data, bands=("pointwise", "simultaneous"))
    for i, name in enumerate(data.algorithms, start=1):
        wanted = pc.mean_curve(data, kind=kind, algorithm=name)
        found = lines(ax, "mean-")[str(i)].get_xydata()
        assert np.array_equal(found, np.column_stack(wanted.line))
        drawn = collections(ax)
        assert len(drawn[f"folds-{i}"].get_segments()) == 8
        for band, low in (("pointwise", "conf_low"), ("simultaneous", "band_low")):
            outline = Path.make_compound_path(*drawn[f"{band}-{i}"].get_paths())
            for point in zip(wanted.line[0], wanted.table[low], strict=True):
                drawn_there = np.isclose(outline.vertices, point).all(axis=1).any()
                assert drawn_there or np.isnan(point[1])


def test_the_key_has_areas_with_intervals():
    data = predictions()
    for kind, picture in PICTURES.items():
        [first, second] = (text for text in texts(picture(data), "key-"))
        area = pc.mean_curve(data, kind=kind, algorithm="tree").area
        numbers = (area.estimate, area.conf_low, area.conf_high)
        assert first.endswith("{:.3f} [{:.3f}, {:.3f}]".format(*numbers))
        assert second.startswith("kNN: ")


def test_thresholds_stand_at_their_mean_points_with_their_values():
    data = predictions()
    ax = plotting.roc_curves(data, thresholds=[0.25, 0.75])
    scores = data.measure(["fpr", "tpr"], threshold=[0.25, 0.75])
    for i in range(2):
        for k, t in enumerate((0.25, 0.75)):
            [place] = lines(ax, "threshold-")[f"{i + 1}-{k + 1}"].get_xydata()
            wanted = [scores.column(f"{n}@{t}")[:, i].mean() for n in ("fpr", "tpr")]
            assert place == pytest.approx(wanted)
    assert texts(ax, "value-") == ["0.25", "0.75"] * 2
    assert "White: mean point of a threshold" in caption(ax)
    assert "White" not in caption(plotting.roc_curves(data))


def test_a_threshold_without_precision_has_no_mark():
    ax = plotting.pr_curves(predictions(), thresholds=[0.5, 2.0])
    assert texts(ax, "value-") == ["0.5", "0.5"]
    assert "2 threshold marks have no mean precision" in caption(ax)


def test_the_hull_lies_above_the_mean_curve():
    ax = plotting.roc_curves(predictions(), hull=True)
    for i in "12":
        hull = lines(ax, "hull-")[i].get_xydata()
        mean = lines(ax, "mean-")[i].get_xydata()
        assert np.all(np.interp(mean[:, 0], *hull.T) >= mean[:, 1] - 1e-12)
        assert len(hull) < len(mean)
    assert not lines(plotting.roc_curves(predictions()), "hull-")


def test_chance_is_the_diagonal_the_share_of_positives_and_the_triangle():
    data = predictions()
    found = {kind: picture(data).lines for kind, picture in PICTURES.items()}
    chance = {
        kind: next(x for x in drawn if x.get_gid() == "chance-1").get_ydata()
        for kind, drawn in found.items()
    }
    assert list(chance["roc"]) == [0, 1]
    assert list(chance["pr"]) == pytest.approx([1 / 3, 1 / 3])
    assert list(chance["cost"]) == [0, 0.5, 0]


def test_what_is_not_wanted_is_not_drawn():
    ax = plotting.roc_curves(predictions(), bands=(), folds=False)
    assert collections(ax) == {}
    assert "thin lines" not in caption(ax)
    assert "Lighter" not in caption(ax)
    threshold = plotting.roc_curves(predictions(), average="threshold")
    assert set(collections(threshold)) == {"folds-1", "folds-2"}
    one = plotting.roc_curves(predictions(folds=1))
    assert collections(one) == {}
    assert "One fold" in caption(one)


def test_algorithms_are_chosen_and_told_apart():
    ax = plotting.roc_curves(predictions(), algorithms=["kNN"])
    assert list(lines(ax, "mean-")) == ["1"]
    both = lines(plotting.roc_curves(predictions()), "mean-")
    assert len({to_hex(line.get_color()) for line in both.values()}) == 2
    assert len({line.get_linestyle() for line in both.values()}) == 2


def test_blocks_without_a_curve_are_told():
    frame = rows(folds=4)
    frame.loc[frame["block"] == "f1", "label"] = "no"
    ax = plotting.roc_curves(predictions(frame=frame, one_class="undefined"))
    assert "3 folds" in caption(ax)
    assert "Up to 1 folds have no curve" in caption(ax)


def test_many_cases_make_a_small_file():
    ax = plotting.roc_curves(predictions(folds=10, n=3000))
    assert len(style.to_svg(ax.figure)) < 400_000
    assert collections(ax)["folds-1"].get_rasterized()


def test_corners_keep_the_shape():
    path = np.array([[0, 0], [0, 0.2], [0, 0.5], [0.1, 0.5], [0.3, 0.5], [1, 1]])
    assert curve_panel.corners(path).tolist() == path[[0, 2, 4, 5]].tolist()


@pytest.mark.parametrize("n", [5, 802, 803, 1001, 4002])
def test_thinned_vertices_keep_their_pairs_and_both_ends(n):
    kept = curve_panel.places(n)
    assert (kept[0], kept[-1]) == (0, n - 1)
    assert kept.size <= 803
    pairs = kept[: 2 * (kept.size // 2)].reshape(-1, 2)
    assert np.all(np.diff(pairs, axis=1) == 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithms": "tree"}, "give a sequence of names"),
        ({"algorithms": ["oak"]}, "oak"),
        ({"bands": "pointwise"}, "give a sequence of 'pointwise' and 'simultaneous'"),
        ({"bands": ["wide"]}, "give a sequence"),
        ({"bands": ["pointwise"], "average": "threshold"}, "for average='vertical'"),
        ({"thresholds": [np.nan]}, "finite"),
        ({"thresholds": np.linspace(0, 1, 13)}, "13 thresholds: give at most 12"),
        ({"average": "mean"}, "choose 'vertical' or 'threshold'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        plotting.roc_curves(predictions(), **options)


def test_scores_are_no_predictions():
    with pytest.raises(InputError, match="expected Predictions, got Scores"):
        plotting.pr_curves(predictions().measure("auc"))
    with pytest.raises(InputError, match="choose one of trapezoid"):
        plotting.pr_curves(predictions(), interpolation="linear")


def test_facets_show_each_algorithm_with_its_band_and_the_others_in_grey():
    ax = plotting.roc_curves(predictions(), in_facets=True)
    names = [{t.get_gid(): t.get_text() for t in p.texts} for p in ax.child_axes]
    assert [n[f"facet-{i}"].split("\n")[0] for i, n in enumerate(names, 1)] == [
        "tree",
        "kNN",
    ]
    for i, part in enumerate(ax.child_axes, start=1):
        assert list(lines(part, "mean-")) == [str(i)]
        assert {g for g in collections(part) if g.startswith("pointwise")} == {
            f"pointwise-{i}"
        }


def test_the_achievable_curve_is_the_mean_of_the_hulls_of_folds():
    data = predictions()
    ax = plotting.pr_curves(data, hull=True, interpolation="davis-goadrich")
    for i, name in enumerate(data.algorithms, start=1):
        hull = lines(ax, "hull-")[str(i)].get_xydata()
        mean = lines(ax, "mean-")[str(i)].get_xydata()
        inner = np.linspace(0.01, 0.99, 50)
        above = np.interp(inner, *hull.T) - np.interp(inner, *mean.T)
        assert np.all(above >= -1e-12) and np.any(above > 0.01)
        at = hull[len(hull) // 2, 0]
        achieved = []
        for block in data.blocks:
            rows = data.rows(block, name)
            cases = data.is_positive[rows], data.score[rows]
            own = pc.pr_curve(*cases, positive=True, hull=True).table
            own = own.drop_duplicates("recall")
            achieved.append(np.interp(at, own["recall"], own["precision"]))
        assert np.interp(at, *hull.T) == pytest.approx(np.mean(achieved), rel=1e-12)
    assert "hulls of the folds' ROC curves" in caption(ax)
    assert not lines(plotting.pr_curves(data), "hull-")
