from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from pycompare.designs import curve_comparison as module
from pycompare.methods.curves.interval import METHODS
from tests.command_line import command
from tests.predictions import predictions, rows

THREE = (("tree", 1.0), ("kNN", 1.8), ("LDA", 1.9))


SIZES = {"n_train": 4, "n_test": 1}


def cross_validated() -> pd.DataFrame:
    """Five folds, every case once."""
    return rows(folds=5, algorithms=THREE)


def held_out() -> pd.DataFrame:
    """Five training sets, the same test cases."""
    frame = cross_validated()
    return frame.assign(case=frame["case"].str.replace("c[0-9]+-", "c", regex=True))


def only(frame: pd.DataFrame, **options) -> module.CurveAnalysis:
    data = predictions(frame=frame, case="case")
    [found] = pc.compare_curves(data, **options).analyses
    return found


def test_everything_is_the_same_as_by_hand():
    frame = cross_validated()
    found = only(frame, adjust="bonferroni", seed=3, **SIZES)
    wide = frame.pivot(index="case", columns="algorithm", values="score")
    label = frame.groupby("case")["label"].first()
    by_hand = pc.delong(
        label, wide[["tree", "kNN", "LDA"]], positive="yes", adjust="bonferroni"
    )
    columns = ["estimate", "p_value", "p_adjusted", "conf_low"]
    assert found.over_cases.table[columns].to_numpy() == pytest.approx(
        by_hand.table[columns].to_numpy(), rel=1e-12
    )
    scores = predictions(frame=frame).measure("auc")
    folds = pc.corrected_pairs(scores, adjust="bonferroni", alpha=0.05, **SIZES)
    assert found.over_folds.table.equals(folds.table)
    assert [i.key for i in found.intervals["tree"].intervals] == list(METHODS)
    tree = frame[frame["algorithm"] == "tree"]
    alone = pc.cv_auc(tree["label"], tree["score"], fold=tree["block"], positive="yes")
    assert found.cross_validated["tree"].conf_low == pytest.approx(alone.conf_low)


def test_areas_are_those_of_the_positive_class():
    frame = cross_validated()
    found = only(frame, adjust="bonferroni", seed=3)
    tree = frame[frame["algorithm"] == "tree"]
    alone = pc.auc_intervals(
        tree["label"], tree["score"], positive="yes", fold=tree["block"], seed=3
    )
    assert alone.intervals[0].estimate > 0.6
    kept = {one.key: one for one in found.intervals["tree"].intervals}
    for expected in alone.intervals:
        one = kept[expected.key]
        assert one.estimate == pytest.approx(expected.estimate, rel=1e-12)
        assert one.conf_low == pytest.approx(expected.conf_low, rel=1e-12)
    wide = frame.pivot(index="case", columns="algorithm", values="score")
    label = frame.groupby("case")["label"].first()
    by_hand = pc.auc_pr_pairs(
        label,
        wide[["tree", "kNN", "LDA"]],
        positive="yes",
        method="average-precision",
        seed=3,
    )
    kept, expected = found.precision_recall.area, by_hand.area
    assert kept["estimate"].to_numpy() == pytest.approx(
        expected["estimate"].to_numpy(), rel=1e-12
    )


def test_probabilities_have_the_threshold_one_half():
    data = predictions(frame=cross_validated(), case="case")
    assert pc.compare_curves(data).threshold == 0.5
    assert pc.compare_curves(data, threshold=0.3).threshold == 0.3


def test_titles_name_the_data_set_where_there_is_one():
    frame = cross_validated()
    assert "DeLong's test, over cases" in dict(only(frame).results())
    data = predictions(frame=frame.assign(d="d1"), case="case", dataset="d")
    [found] = pc.compare_curves(data).analyses
    titles = [title for title, _ in found.results()]
    named = found.dataset is not None
    assert titles and all(title.endswith(", d1") == named for title in titles)


def test_repeated_cases_are_not_pooled():
    found = only(held_out())
    assert found.repeated
    assert found.over_cases == module.REPEATED
    assert [i.key for i in found.intervals["tree"].intervals] == ["fold-t"]
    whole = found.cross_validated["tree"]
    assert (whole.n_cases, whole.n_repeats, whole.n_folds) == (60, 5, 1)


def test_repeated_cross_validation_is_dealt_into_repeats():
    block = np.repeat([0, 1, 2, 3], 3)
    case = np.array([0, 1, 2, 3, 4, 5, 5, 1, 0, 2, 3, 4])
    assert module.repeats_of(block, case).tolist() == [0] * 6 + [1] * 6
    frame = held_out()
    part = frame["case"].str.endswith(("1", "3", "5")) & (frame["block"] == "f1")
    assert only(frame[~part]).cross_validated["kNN"] == module.UNEVEN


def test_cases_without_names_are_not_taken_as_common():
    data = predictions(frame=cross_validated())
    [found] = pc.compare_curves(data).analyses
    assert found.over_cases == found.cross_validated["tree"] == module.UNNAMED
    assert [i.key for i in found.intervals["tree"].intervals] == ["fold-t"]


def test_one_block_has_no_test_over_folds():
    frame = cross_validated()
    found = only(frame[frame["block"] == "f0"])
    assert found.over_folds == module.ONE_BLOCK
    assert len(found.over_cases.table) == 3
    keys = [i.key for i in found.intervals["tree"].intervals]
    assert "fold-t" not in keys
    assert "bootstrap" in keys


def test_blocks_that_an_algorithm_lacks_leave_no_common_cases():
    frame = cross_validated()
    gone = (frame["block"] == "f2") & (frame["algorithm"] == "kNN")
    data = predictions(frame=frame[~gone], case="case", missing="model")
    [found] = pc.compare_curves(data).analyses
    assert found.over_cases == module.GAPS
    assert not isinstance(found.intervals["kNN"], str)


def test_a_block_with_one_class_has_no_fold_interval_and_is_dropped_over_folds():
    frame = cross_validated()
    frame.loc[frame["block"] == "f1", "label"] = "no"
    options = {"one_class": "undefined", "missing": "drop-block"}
    data = predictions(frame=frame, case="case", **options)
    [found] = pc.compare_curves(data, **SIZES).analyses
    keys = [i.key for i in found.intervals["tree"].intervals]
    assert keys == [m for m in METHODS if m != "fold-t"]
    assert found.over_folds.table["df"].tolist() == [3, 3, 3]
    frame["dataset"] = np.where(frame["block"].isin(["f0", "f1"]), "a", "b")
    data = predictions(frame=frame, case="case", dataset="dataset", **options)
    first, second = pc.compare_curves(data, **SIZES).analyses
    assert first.over_folds == module.ONE_BLOCK
    assert len(second.over_folds.table) == 3


def test_without_sizes_nothing_is_tested_over_folds():
    one = only(cross_validated())
    assert one.over_folds == module.NO_SIZES
    assert "over_folds" not in one.rank_sets(0.05)


def test_sizes_ask_for_the_corrected_test():
    frame = cross_validated()
    found = only(frame, n_train=240, n_test=60).over_folds
    scores = predictions(frame=frame).measure("auc")
    corrected = pc.corrected_pairs(scores, n_train=4, n_test=1, alpha=0.05)
    assert found.table.equals(corrected.table)


def test_scores_that_are_no_probabilities_have_no_threshold():
    frame = cross_validated()
    frame["score"] = 10 * frame["score"] - 5
    data = predictions(frame=frame, case="case")
    found = pc.compare_curves(data)
    assert found.threshold is None
    keys = [i.key for i in found.analyses[0].intervals["tree"].intervals]
    assert "cortes-mohri" not in keys
    given = pc.compare_curves(data, threshold=0.0).analyses[0]
    assert len(given.intervals["tree"].intervals) == len(METHODS)


def test_many_cases_are_not_resampled(monkeypatch):
    monkeypatch.setattr(module, "MOST_RESAMPLED", 100)
    keys = [i.key for i in only(cross_validated()).intervals["tree"].intervals]
    assert "bootstrap" not in keys


def test_each_data_set_is_an_analysis_of_its_own():
    frame = pd.concat(
        [cross_validated().assign(dataset="a"), held_out().assign(dataset="b")]
    )
    data = predictions(frame=frame, case="case", dataset="dataset")
    found = pc.compare_curves(data, **SIZES)
    assert [a.dataset for a in found.analyses] == ["a", "b"]
    alone = only(cross_validated(), **SIZES)
    first = found.analyses[0]
    assert first.over_cases.table.equals(alone.over_cases.table)
    assert first.over_folds.table.equals(alone.over_folds.table)
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["plan"]["alpha"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 5}, "alpha"),
        ({"level": 0}, "level"),
        ({"adjust": "nemenyi"}, "for mean ranks"),
        ({"adjust": "holms"}, "holms"),
        ({"n_train": 3}, "n_test"),
    ],
)
def test_bad_plans_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        pc.compare_curves(predictions(), **options)


def test_scores_are_no_predictions():
    with pytest.raises(InputError, match="expected Predictions, got Scores"):
        pc.compare_curves(predictions().measure("auc"))


def test_clusters_are_the_units_of_everything_over_cases():
    frame = cross_validated()
    place = frame["case"].str.split("-").str[1].astype(int)
    frame["patient"] = frame["block"] + "-" + (place // 3).astype(str)
    held = predictions(frame=frame, case="case", cluster="patient")
    [found] = pc.compare_curves(held, **SIZES).analyses
    wide = frame.pivot(index="case", columns="algorithm", values="score")
    each = frame.groupby("case")[["label", "patient"]].first()
    by_hand = pc.delong(
        each["label"],
        wide[["tree", "kNN", "LDA"]],
        positive="yes",
        cluster=each["patient"],
        adjust="bergmann-hommel",
    )
    for column in ("std_error", "p_value"):
        assert found.over_cases.table[column].to_numpy() == pytest.approx(
            by_hand.table[column].to_numpy(), rel=1e-12
        )
    keys = [one.key for one in found.intervals["tree"].intervals]
    assert keys == ["effective-size", "delong", "delong-logit", "fold-t"]
    tree = pc.auc_interval(
        each["label"], wide["tree"], positive="yes", cluster=each["patient"]
    )
    low = found.intervals["tree"].intervals[0].conf_low
    assert low == pytest.approx(tree.conf_low, rel=1e-12)
    assert found.cross_validated["tree"] == found.precision_recall == module.CLUSTERED
    plain = only(frame, **SIZES)
    assert found.over_folds.table.equals(plain.over_folds.table)


EFFECTS = {
    "alpha": 0.2,
    "adjust": "holm",
    "level": 0.8,
    "threshold": 0.3,
    "control": "LDA",
    "margin": 0.05,
    "hypothesis": "non-inferiority",
    "margin_alpha": 0.01,
}


@pytest.mark.parametrize("kind", ["cases", "clusters", "folds alone"])
@pytest.mark.parametrize("key", EFFECTS)
def test_an_option_changes_the_results_or_is_rejected_in_words(kind, key):
    table = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    columns = {"algorithm": "algorithm", "block": "fold", "label": "class"}
    columns |= {"score": "probability", "positive": "yes"}
    if kind != "folds alone":
        columns |= {"case": "case"}
    if kind == "clusters":
        table = table.assign(group=table["case"].astype(str).str[-2:])
        columns |= {"cluster": "group"}
    read = pc.Predictions.from_frame(table, **columns)
    more = {}
    if key.startswith(("margin_", "hypothesis")):
        more = {"margin": 0.04, "hypothesis": "equivalence"}
        if kind != "folds alone":
            more |= {"control": "QDA"}

    of_margin = {"hypothesis": "equivalence"} if key == "margin" else {}

    def analyses(**options):
        made = pc.compare_curves(read, **options).to_dict()
        return made["analyses"], made["rank_sets"]

    try:
        changed = analyses(**more | {key: EFFECTS[key]} | of_margin)
    except pc.InputError as error:
        assert key in str(error) or "margin" in str(error)
        assert kind != "cases"
        return
    assert str(changed) != str(analyses(**more))


def test_net_benefits_are_those_of_the_function():
    frame = cross_validated()
    found = only(frame, risk_threshold=0.25).net_benefit.table
    wide = frame.pivot(index="case", columns="algorithm", values="score")
    label = frame.groupby("case")["label"].first()
    wanted = pc.net_benefit(
        label, wide[["tree", "kNN", "LDA"]], positive="yes", threshold=0.25
    ).table
    for name in ("estimate", "conf_low", "p_adjusted"):
        assert found[name].to_numpy() == pytest.approx(wanted[name].to_numpy())


def test_calibration_errors_are_those_of_the_function():
    frame = cross_validated()
    bins = {"bins": "equal-mass", "n_bins": 4}
    found = only(frame, **bins).calibration
    wide = frame.pivot(index="case", columns="algorithm", values="score")
    label = frame.groupby("case")["label"].first()
    wanted = pc.calibration_error(
        label, wide[["tree", "kNN", "LDA"]], positive="yes", **bins
    )
    assert found.outcome == wanted.outcome == "yes"
    for name in ("squared", "conf_high", "p_value"):
        assert_digits(found.table[name], wanted.table[name], at_least=9)
    assert (found.by_bin["n"] == wanted.by_bin["n"]).all()


def test_whole_curves_are_those_of_the_function():
    frame = cross_validated()
    found = only(frame, whole_curves=True, seed=3, alpha=0.1)
    wide = frame.pivot(index="case", columns="algorithm", values="score")
    label = frame.groupby("case")["label"].first()
    pairs = found.over_cases.row_labels()
    assert [(c.algorithm_1, c.algorithm_2) for c in found.whole_curves] == pairs
    for curves, pair in zip(found.whole_curves, pairs, strict=True):
        wanted = pc.curve_dominance(
            label, wide[list(pair)], positive="yes", level=0.9, n_pairs=3
        )
        assert_digits(curves.table["estimate"], wanted.table["estimate"], at_least=12)
        assert curves.n_pairs == 3 and curves.seed == 3 and curves.level == 0.9


def test_whole_curves_have_the_pairs_and_the_direction_of_the_areas():
    few = cross_validated().query("algorithm != 'LDA'")
    [alone] = only(few, whole_curves=True).whole_curves
    assert (alone.algorithm_1, alone.algorithm_2, alone.n_pairs) == ("kNN", "tree", 1)
    against = only(cross_validated(), whole_curves=True, control="kNN").whole_curves
    assert [curves.algorithm_2 for curves in against] == ["kNN", "kNN"]


@pytest.mark.parametrize("word", ["pr", "roc", 1])
def test_whole_curves_are_roc_curves_or_none(word):
    """A word was taken for True: "pr" compared ROC curves."""
    with pytest.raises(
        InputError, match=r"give True or False; .*curve_dominance with k"
    ):
        only(rows(folds=1), whole_curves=word)


def test_whole_curves_that_cannot_be_compared_are_rejected():
    with pytest.raises(InputError, match="no comparison of whole curves, because cas"):
        only(held_out(), whole_curves=True)
    many = rows(folds=1, algorithms=[(f"m{i}", 1.0) for i in range(6)])
    with pytest.raises(
        InputError, match=r"15 pairs, .*\(a control or fewer algorithms"
    ):
        only(many, whole_curves=True)
    assert len(only(many, whole_curves=True, control="m0").whole_curves) == 5
    grouped = cross_validated().assign(person=lambda d: d["case"].str[-1])
    data = predictions(frame=grouped, case="case", cluster="person")
    with pytest.raises(InputError, match="whole curves, because it assumes indep"):
        pc.compare_curves(data, whole_curves=True)


def test_bins_without_distinct_cases_or_a_number_are_rejected():
    bins = {"bins": "equal-width", "n_bins": 4}
    with pytest.raises(InputError, match="no calibration error, because cases occur"):
        only(held_out(), **bins)
    grouped = cross_validated().assign(person=lambda d: d["case"].str[-1])
    data = predictions(frame=grouped, case="case", cluster="person")
    with pytest.raises(InputError, match="no calibration error, because it assumes"):
        pc.compare_curves(data, **bins)
    beyond = cross_validated().assign(score=lambda d: 2 * d["score"])
    with pytest.raises(InputError, match=r"give probabilities in \[0, 1\]"):
        only(beyond, **bins)
    with pytest.raises(InputError, match=r"bins='equal-width' is of .* give n_bins"):
        only(cross_validated(), bins="equal-width")
    with pytest.raises(InputError, match=r"n_bins=4 is of calibration .* give bins"):
        only(cross_validated(), n_bins=4)
    with pytest.raises(InputError, match="n_bins=0: give a whole number, 1 or more"):
        only(cross_validated(), bins="equal-width", n_bins=0)


def test_a_risk_without_distinct_cases_or_probabilities_is_rejected():
    with pytest.raises(InputError, match="no net benefit, because cases occur in"):
        only(held_out(), risk_threshold=0.25)
    beyond = cross_validated().assign(score=lambda d: 2 * d["score"])
    with pytest.raises(InputError, match=r"give probabilities in \[0, 1\]"):
        only(beyond, risk_threshold=0.25)
    with pytest.raises(InputError, match=r"threshold: 1\.0 given"):
        only(cross_validated(), risk_threshold=1.0)


def test_what_a_part_lacks_is_spelled_as_an_option(tmp_path):
    path = tmp_path / "p.csv"
    rows = [f"{m},f,{c},{c},{(c + 1) / 3}" for m in "ab" for c in (0, 1)]
    path.write_text("\n".join(["model,fold,case,label,score", *rows]))
    roles = ("--algorithm=model", "--block=fold", "--case=case", "--label=label")
    status, _, told = command(
        *("curves", path, *roles, "--score=score", "--positive=1"),
        *("--bins=equal-width", "--n-bins=2", "--out", tmp_path / "out"),
    )
    assert (
        status == 2
        and "choose fewer bins, --n-bins; otherwise leave --bins out" in told
    )
