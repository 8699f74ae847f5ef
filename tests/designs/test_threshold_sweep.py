"""Predictions under a plan: one threshold, several thresholds, what is refused."""

import dataclasses
import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.threshold_sweep import ThresholdsAnalysis
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.document import Paragraph, plain, walk
from pycompare.results.result import TooManyValues, short_lists
from tests.many_predictions import COUNTS, cases, predictions

pytestmark = pytest.mark.usefixtures("blank_pictures")

SWEEP = pc.Plan(metrics=COUNTS, thresholds=11)
TENTHS = [i / 10 for i in range(11)]


@pytest.fixture(scope="module")
def several():
    return predictions(n_datasets=8, folds=10, shift=1.0)


@pytest.fixture(scope="module")
def compared(several):
    return pc.compare(several, SWEEP)


def same_tables(found, wanted):
    for name in ("decisions", "at_thresholds", "tests", "risks"):
        left, right = getattr(found, name), getattr(wanted, name)
        assert left.to_json() == right.to_json(), name
    assert found.wins.equals(wanted.wins) and found.totals.equals(wanted.totals)
    assert found.grid.tolist() == wanted.grid.tolist()


def test_case_6_is_threshold_wins_and_sign_grid_by_hand(several, compared):
    [analysis] = compared.analyses
    assert isinstance(analysis, ThresholdsAnalysis)
    by_hand = pc.threshold_wins(
        several.measure(COUNTS, threshold=TENTHS), omnibus=False, adjust="holm"
    )
    same_tables(analysis.won, by_hand)
    assert by_hand.grid.sum() > 50
    for found, adjust in zip(analysis.pairs, ["holm", "bonferroni"], strict=True):
        assert found.table.equals(pc.sign_grid(by_hand, adjust=adjust).table)
    decided = {d.pair: d for d in analysis.decisions}
    for row in analysis.pairs[0].table.itertuples():
        made = decided[frozenset((row.algorithm_1, row.algorithm_2))]
        assert made.rejected == (row.p_adjusted <= 0.05)
    assert any(d.rejected for d in analysis.decisions)
    assert analysis.decisions[0].better == "c"


@pytest.mark.parametrize(
    ("more", "by_hand"),
    [
        ({"gate": "omnibus"}, {"omnibus": True}),
        ({"threshold_rule": "any"}, {"rule": "any"}),
        ({"threshold_adjust": "holm"}, {"threshold_adjust": "holm"}),
        (
            {"alpha": 0.01, "adjust": ("bonferroni",)},
            {"alpha": 0.01, "adjust": "bonferroni"},
        ),
    ],
)
def test_each_key_of_the_plan_is_the_argument_by_hand(several, more, by_hand):
    found = pc.compare(several, dataclasses.replace(SWEEP, level=None, **more))
    scores = several.measure(COUNTS, threshold=TENTHS)
    wanted = pc.threshold_wins(
        scores, **({"omnibus": False, "adjust": "holm"} | by_hand)
    )
    same_tables(found.analyses[0].won, wanted)


def test_against_a_control_the_sign_tests_are_fewer(several):
    found = pc.compare(several, dataclasses.replace(SWEEP, control="b")).analyses[0]
    assert len(found.decisions) == 2 and found.cliques == ()
    wanted = pc.sign_grid(found.won, adjust="holm", control="b")
    assert found.pairs[0].table.equals(wanted.table)


def test_metrics_without_the_counts_are_tested_and_the_risk_decides(several):
    plan = pc.Plan(
        metrics=("precision", "recall"),
        thresholds=(0.2, 0.3, 0.4, 0.5, 0.6),
        undefined=1,
    )
    found = pc.compare(several, plan).analyses[0].won
    scores = several.measure(
        ["precision", "recall", "fp", "fn"],
        threshold=[0.2, 0.3, 0.4, 0.5, 0.6],
        undefined={"precision": 1},
    )
    names = ["precision", "recall"]
    options = {"metrics": names, "omnibus": False, "adjust": "holm"}
    same_tables(found, pc.threshold_wins(scores, **options))
    assert found.metrics == ("precision", "recall")


def test_the_manova_at_each_threshold_is_that_of_the_scores_there(several, compared):
    tests = compared.analyses[0].won.tests
    scores = several.measure(COUNTS, threshold=0.4)
    rows = [i for i, name in enumerate(scores.datasets) if name == "d2"]
    part = scores.select(blocks=[scores.blocks[i] for i in rows])
    wilks = pc.manova(dataclasses.replace(part, datasets=None)).wilks
    [row] = tests[(tests["dataset"] == "d2") & (tests["threshold"] == 0.4)].itertuples()
    assert_digits([row.wilks], [wilks.statistic], at_least=11)
    assert_digits([row.p_value], [wilks.p_value], at_least=10)
    ends = tests[tests["threshold"] == 0.0]
    assert ends["wilks"].isna().all() and ends["p_value"].isna().all()


def test_a_loss_ratio_is_the_threshold_of_least_risk(several):
    ratios = (0.25, 1, 3, 4, 9)
    plan = pc.Plan(metrics=COUNTS, loss_ratios=ratios)
    assert plan.theta == (0.2, 0.5, 0.75, 0.8, 0.9)
    for ratio, theta in zip(ratios, plan.theta, strict=True):
        # Aslan (2009), eq. 2.9: at theta = ratio/(1 + ratio) both decisions cost the
        # same.
        assert ratio * (1 - theta) == pytest.approx(theta, rel=1e-14)
        fixed = pc.risk([1, 0], [theta, 0.0], positive=1, cost_ratio=ratio)
        assert fixed.threshold == theta
    found = pc.compare(several, plan).analyses[0].won
    same = pc.Plan(metrics=COUNTS, thresholds=(0.2, 0.5, 0.75, 0.8, 0.9))
    same_tables(found, pc.compare(several, same).analyses[0].won)
    # The risk is (1 - theta) times the cost with lambda and 1.
    rows = found.risks
    scores = several.measure(["fp", "fn"], threshold=0.8)
    mean = scores.values[:10].mean(axis=0)
    wanted = (1 - 0.8) * (4 * mean[:, 0] + mean[:, 1])
    got = rows[(rows["dataset"] == "d0") & (rows["threshold"] == 0.8)]["risk"]
    assert_digits(got, wanted, at_least=13)


@pytest.mark.parametrize(
    ("data", "plan"),
    [
        (predictions(), {}),
        (predictions(), {"cost_ratio": 2.0}),
        (predictions(names=("a", "b")), {"compares": "wins"}),
        (predictions(n_datasets=1), {"n_train": 90, "n_test": 10}),
        (predictions(n_datasets=1, names=("a", "b")), {}),
        (predictions(n_datasets=8, folds=1), {}),
    ],
)
@pytest.mark.parametrize("threshold", [None, (0.4,)])
def test_one_threshold_is_the_comparison_of_the_scores_there(data, plan, threshold):
    names = ("fp", "fn", "auc")
    found = pc.compare(data, pc.Plan(metrics=names, thresholds=threshold, **plan))
    scores = data.measure(names, threshold=threshold and threshold[0])
    wanted = pc.compare(scores, pc.Plan(metrics=names, **plan))
    left, right = found.to_dict(), wanted.to_dict()
    assert left["plan"].pop("thresholds") == (threshold and list(threshold))
    right["plan"].pop("thresholds")
    assert left == right
    assert found.predictions is data and wanted.predictions is None
    assert found.analyses[0].kind == wanted.analyses[0].kind


def test_measures_of_ranks_need_no_threshold():
    data = predictions(n_datasets=1)
    found = pc.compare(data, pc.Plan(metrics=("auc",)))
    assert found.to_dict() == pc.compare(data.measure("auc"), found.asked).to_dict()


def test_one_data_set_has_wins_and_no_verdict():
    for data in (predictions(n_datasets=1), predictions(cases(1), dataset=None)):
        found = pc.compare(data, dataclasses.replace(SWEEP, blocks="folds"))
        [analysis] = found.analyses
        assert analysis.decisions == analysis.pairs == analysis.cliques == ()
        assert analysis.won.n_datasets == 1 and len(analysis.won.tests) == 11
        wins = analysis.won.decisions
        grid = analysis.won.grid[0]
        for row in wins.itertuples():
            i, j = "abc".index(row.algorithm_1), "abc".index(row.algorithm_2)
            test = pc.sign_grid(grid, 11, alternative="greater", adjust="none")
            assert row.p_value == test.matrix("p_value").iloc[i, j]
        assert "no primary conclusion" in found.summary()


def test_one_data_set_says_of_each_what_several_do(compared):
    frame = cases(8, 10, shift=1.0)
    one = predictions(frame[frame["data"] == "d5"])
    found = pc.compare(one, SWEEP).analyses[0].won
    every = compared.analyses[0].won
    here = every.tests[every.tests["dataset"] == "d5"]
    assert_digits(found.tests["p_value"], here["p_value"], at_least=12)
    at = list(dict.fromkeys(every.tests["dataset"])).index("d5")
    assert found.grid[0].tolist() == every.grid[at].tolist()


def test_names_are_data_whatever_they_are(tmp_path):
    names = ("<script>alert(1)</script>", "a,b", "nan", "__x", "L0")
    frame = cases(6, 10, names, shift=0.6)
    frame["data"] = frame["data"].map(lambda d: f"<img src=x> {d},nan")
    found = pc.compare(predictions(frame), SWEEP)
    plain = pc.compare(predictions(cases(6, 10, "abcde", shift=0.6)), SWEEP)
    left, right = found.analyses[0].won, plain.analyses[0].won
    assert left.grid.tolist() == right.grid.tolist()
    assert left.tests["p_value"].tolist() == pytest.approx(
        right.tests["p_value"].tolist(), nan_ok=True
    )
    out = pc.report(found, tmp_path / "out")
    page = (out / "report.html").read_text()
    assert page.count("<script") == 0 and "<img src=x>" not in page
    assert json.loads((out / "results.json").read_text())["data"]["algorithms"] == list(
        names
    )


def told(data, plan, **more):
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(data, dataclasses.replace(plan, **more))
    return "\n".join(refused.value.lines)


def test_everything_that_cannot_be_is_refused_at_once(several):
    text = told(several, SWEEP, metrics=("auc", "tq"), control="d")
    assert "there is no measure 'tq'" in text
    assert "'auc' has no threshold" in text
    assert "control 'd' is not an algorithm" in text
    assert text.count("\n") == 2


@pytest.mark.parametrize(
    ("data", "more", "message"),
    [
        (predictions(cases(3), dataset=None), {}, "name the column of data sets"),
        (predictions(n_datasets=1), {"blocks": "folds-of-datasets"}, "two data sets"),
        (predictions(folds=1), {"blocks": "folds-of-datasets"}, "one fold only"),
        (predictions(folds=2), {}, "2 folds leave 1 .* fewer than the 2 metrics"),
        (predictions(folds=4), {"metrics": ("tp", "fp", "f1", "mcc")}, "the 4 metrics"),
        (predictions(folds=2, sizes=(40, 60)), {"metrics": ("tpr", "tp")}, "2 metrics"),
        (predictions(), {"metrics": ()}, "name the measures"),
        (predictions(), {"metrics": ("tp", "tp")}, "named twice"),
        (predictions(), {"metrics": ("risk",)}, "risk needs more than a name"),
        (predictions(), {"undefined": 1}, "none of 'tp', .* is 0/0"),
        (predictions(), {"metrics": ("mcc",), "undefined": 1}, "may be 1 there"),
        (predictions(cases().assign(p=lambda f: f["p"] * 3)), {}, r"outside \[0, 1\]"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(data, more, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(data, dataclasses.replace(SWEEP, **more))


def test_as_many_folds_as_the_independent_metrics_need_are_enough():
    # tp and fn, fp and tn are one each; of folds of one size so are the rates.
    data = predictions(folds=3, n_datasets=6)
    for names in (COUNTS, ("tp", "fp", "tpr", "error", "balanced_accuracy")):
        won = (
            pc.compare(data, dataclasses.replace(SWEEP, metrics=names)).analyses[0].won
        )
        assert won.tests["p_value"].notna().sum() > 20


def test_one_class_and_gaps_are_refused():
    frame = cases()
    frame.loc[(frame["data"] == "d1") & (frame["fold"] == "f2"), "truth"] = "no"
    columns = {"algorithm": "model", "block": "fold", "label": "truth", "score": "p"}
    options = {"positive": "yes", "dataset": "data"}
    one = pc.Predictions.from_frame(frame, **columns, **options, one_class="undefined")
    with pytest.raises(pc.PlanError, match="one class only, first in 'd1/f2'"):
        pc.compare(one, SWEEP)
    frame = cases()
    frame = frame[(frame["fold"] != "f2") | (frame["model"] != "a")]
    gaps = pc.Predictions.from_frame(frame, **columns, **options, missing="model")
    with pytest.raises(pc.PlanError, match=r"3 of 72 pairs .* have no predictions"):
        pc.compare(gaps, SWEEP)


def test_a_precision_that_is_undefined_says_which_key_defines_it(several):
    plan = pc.Plan(metrics=("precision", "recall"), thresholds=(0.2, 0.4, 0.5, 0.8, 1))
    with pytest.raises(pc.InputError, match="undefined=0, undefined=1, missing="):
        pc.compare(several, plan)


@pytest.mark.parametrize(
    "plan", [SWEEP, pc.Plan(thresholds=(0.5,)), pc.Plan(loss_ratios=(2,))]
)
def test_scores_have_no_thresholds_any_more(plan):
    scores = predictions().measure(COUNTS)
    with pytest.raises(pc.PlanError, match=r"is for predictions, .*pycompare measure"):
        pc.compare(scores, dataclasses.replace(plan, metrics=()))


def test_a_loss_matrix_counts_wins_as_wins_does():
    scores = predictions(n_datasets=6, shift=1.0).measure(COUNTS)
    loss = ((-1, 3), (2, 0))
    plan = pc.Plan(loss=loss, protocol="held-out")
    comparison = pc.compare(scores, plan)
    found = comparison.datasets_together
    options = {"omnibus": False, "adjust": "bergmann-hommel"}
    wanted = pc.wins(scores, metrics=COUNTS, loss=loss, **options)
    assert found.wins.decisions.equals(wanted.decisions)
    assert found.wins.wins.to_numpy().sum() > 5
    *_, joint = ComparisonReport(comparison).results()
    said = "Costs, as specified: true positive -1, false positive 3, false negative 2"
    texts = [plain(b.text) for b in walk(joint.result.blocks) if type(b) is Paragraph]
    assert any(said in text for text in texts)
    ratio, same = (
        pc.compare(scores, pc.Plan(**costs, protocol="held-out")).datasets_together.wins
        for costs in ({"cost_ratio": 3.0}, {"loss": [[0, 3], [1, 0]]})
    )
    assert same.decisions.equals(ratio.decisions)
    few = predictions().measure(["fp", "fn"])
    with pytest.raises(pc.PlanError, match=r"loss needs .* 'tp' and 'fp' and 'fn'"):
        pc.compare(few, pc.Plan(loss=loss, protocol="held-out"))


def test_the_steps_are_told(several):
    said = []
    pc.compare(several, SWEEP, progress=said.append)
    assert said == [
        "measures of the predictions",
        "tests at 11 thresholds of 8 data sets",
    ]


def test_verdicts_are_those_of_adjusted_p_values_in_the_dictionary(compared):
    [held] = compared.to_dict()["analyses"]
    assert held["kind"] == "thresholds"
    assert [d["rejected"] for d in held["decisions"]] == [
        d["p_adjusted"] <= 0.05 for d in held["decisions"]
    ]
    assert np.array(held["won"]["grid"]).shape == (8, 3, 3)
    rows = compared.analyses[0].won.at_thresholds
    assert held["won"]["at_thresholds"]["verdict"] == rows["verdict"].tolist()
    assert held["won"]["risks"]["threshold"][:4] == [0.0, 0.0, 0.0, 0.1]
    first = held["pairs"][0]
    assert (first["adjust"], len(first["table"]), "wins" in first) == (
        *("holm", 3),
        False,
    )


def test_a_very_long_table_is_shortened_as_any_other(compared):
    with short_lists(100):
        [held] = compared.to_dict()["analyses"]
    thresholds = held["won"]["at_thresholds"]["threshold"]
    assert (thresholds["entries"], len(thresholds["first"])) == (264, 100)
    with pytest.raises(TooManyValues), short_lists(None, 200):
        compared.to_dict()


@pytest.mark.parametrize("count", [2, 3, 4])
def test_too_few_thresholds_for_anybody_to_win_are_refused(count):
    counts = ("tp", "fp", "tn", "fn")
    with pytest.raises(pc.PlanError, match="no algorithm could ever win"):
        pc.Plan(metrics=counts, thresholds=count)
    assert pc.Plan(metrics=counts, thresholds=count, threshold_rule="any").sweeps
    assert pc.Plan(metrics=counts, thresholds=5).sweeps
    assert pc.Plan(metrics=counts, thresholds=count, alpha=0.3).sweeps is (count > 1)
