"""Plan files about predictions: roles, measures, thresholds, and their lines."""

import dataclasses
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pycompare as pc
from pycompare.designs.plans.column_roles import Roles
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.plans.threshold_keys import spaced, threshold_of
from tests.many_predictions import COUNTS, cases, predictions

GOOD = """\
[data]
file = "cases.csv"
algorithm = "model"
block = "fold"
dataset = "data"
label = "truth"
score = "p"
positive = "yes"
case = "case"

[metrics]
tp = "higher"
fp = "lower"

[plan]
thresholds = [0, 0.25, 0.5, 0.75, 1]
threshold_rule = "sign"
gate = "omnibus"
"""


def plan_file(text, **options):
    return PlanFile(content=text.encode(), **options)


@pytest.fixture
def study(tmp_path):
    """A folder with a plan and its predictions."""
    cases().to_csv(tmp_path / "cases.csv", index=False)
    (tmp_path / "plan.toml").write_text(GOOD)
    return tmp_path


def test_a_plan_file_reads_predictions_and_compares_as_the_same_plan_does(study):
    got = pc.read_plan(study / "plan.toml")
    read = got.read_data()
    assert isinstance(read, pc.Predictions) and read.case is not None
    names = ("tp", "fp")
    plan = pc.Plan(metrics=names, thresholds=5, gate="omnibus")
    found, by_hand = pc.compare(read, got), pc.compare(predictions(), plan)
    assert found.to_dict()["analyses"] == by_hand.to_dict()["analyses"]
    assert found.plan_file is got and found.asked == got.plan
    again = got.read_predictions(study / "cases.csv")
    assert again.source.sha256 == read.source.sha256
    with pytest.raises(pc.PlanError, match=r"line 6: .* read_predictions\(\)"):
        got.read_scores()


def test_folders_of_parquet_are_read_as_well(study):
    folder = study / "folder"
    folder.mkdir()
    cases().to_parquet(folder / "part.parquet")
    text = GOOD.replace('"cases.csv"', '"folder"')
    got = plan_file(text, folder=study)
    assert pc.compare(got.read_data(), got).analyses[0].won.n_datasets == 3


def test_the_table_of_metrics_may_be_left_out_since_measures_say_their_direction():
    text = re.sub(r"(?s)\[metrics\].*\[plan\]", '[plan]\nmetrics = ["auc", "fp"]', GOOD)
    got = plan_file(
        text.replace(
            "thresholds = [0, 0.25, 0.5, 0.75, 1]",
            "thresholds = [0.5]\ncompares = 'means'",
        ).replace('threshold_rule = "sign"\n', "")
    )
    assert [(m.name, m.better) for m in got.metrics] == [
        ("auc", "higher"),
        ("fp", "lower"),
    ]
    found = pc.compare(predictions(), got)
    assert [a.metric.name for a in found.analyses] == ["auc", "fp"]


def test_some_of_the_measures_may_be_chosen():
    got = plan_file(GOOD + 'metrics = ["fp"]\n')
    assert pc.compare(predictions(), got).analyses[0].won.metrics == ("fp",)


def test_it_is_written_and_read_back():
    for more in ("", "undefined = 1\n", 'threshold_adjust = "holm"\nalpha = 0.04\n'):
        first = plan_file(GOOD + more)
        again = plan_file(first.to_toml())
        assert (again.plan, again.roles) == (first.plan, first.roles)
        assert [m.name for m in again.metrics] == ["tp", "fp"]
    ratios = GOOD.replace(
        "thresholds = [0, 0.25, 0.5, 0.75, 1]", "loss_ratios = [1, 3, 4, 7, 9]"
    )
    assert plan_file(plan_file(ratios).to_toml()).plan.theta[:3] == (0.5, 0.75, 0.8)


WRONG = {
    'label = "truth"': [
        ("", "lines 7 and 8: label, score and positive together state .* label is"),
        ('label = ""', 'line 6: label = "": not filled in'),
        ('label = "p"', "lines .*: column 'p' has two roles"),
        (
            'label = "truth"\nformat = "wide"',
            "lines .*: a wide table's columns are the",
        ),
        ('label = "truth"\nrest = true\nclasses = ["yes", "no"]', "leave one out"),
        ('label = "truth"\nclasses = ["a", "b"]', "positive = 'yes' is not one of"),
        (
            'label = "truth"\npercent = ["p"]',
            "lines .*: percent is for tables of",
        ),
        ('label = "truth"\nclasses = ["yes"]', "classes: give two labels that differ"),
    ],
    'positive = "yes"': [
        ("positive = 1", "line 8: positive = 1: give the label of the positive class"),
        ("positive = true", "line 8: positive = true: give the label"),
    ],
    'tp = "higher"': [
        ('tq = "higher"', "line 12: tq = .*there is no measure 'tq'"),
        ('risk = "lower"', "line 12: .*risk needs more than a name"),
        ('tp = "lower"', 'line 12: tp = "lower": tp is better when higher'),
        ('tp = "up"', 'line 12: tp = "up": choose one of'),
    ],
    "thresholds = [0, 0.25, 0.5, 0.75, 1]": [
        ("thresholds = [0.5, 2]", "line 16: thresholds: entry 2 is 2, not a number"),
        ("thresholds = 1", "line 16: thresholds = 1: give a list of numbers from 0"),
        ("thresholds = []", "line 16: thresholds = .*: give a list"),
        ("thresholds = [0.5, 0.5]", "line 16: .*give each number once"),
        ("thresholds = [nan, 0.5]", "line 16: thresholds: entry 1 is nan"),
        ("thresholds = ['0.5']", "line 16: thresholds: entry 1 is '0.5'"),
        ("thresholds = [0.5]", "line.* threshold_rule is for several .* are 1"),
        ("", "line 17: threshold_rule is for several thresholds, and there are 0"),
        ("thresholds = 3\nloss_ratios = [1]", "lines 16 and 17: give thresholds or"),
        ("loss_ratios = [0, 1]", "line 16: loss_ratios: entry 1 is 0, not a number"),
        ("loss_ratios = [1e17, 1e18]", "line 16: loss_ratios: two of them mean"),
        ("thresholds = 3\nn_train = 9\nn_test = 1", "lines 16 and 17: n_train: at"),
        ("thresholds = 3\ncompares = 'ranks'", "lines 16 and 17: compares: at several"),
        ("thresholds = 3\nmargin = 1", "lines 16 and 17: margin: at several"),
        ("thresholds = 3\ntogether = 'no'", "lines 16 and 17: together: at several"),
        ("thresholds = 3\ncost_ratio = 2", "lines 16 and 17: cost_ratio: at several"),
        ("thresholds = 3\nloss = [[0,1],[1,0]]", "lines 16 and 17: loss: at several"),
        ("thresholds = 3\nmonotone = true", "lines 16 and 17: monotone: at several"),
        ("thresholds = 3\ndecimals = 1", "lines 16 and 17: decimals: at several"),
        ("thresholds = 3\nseed = 1", "lines 16 and 17: seed: at several"),
        ("thresholds = 3\nfamily = 'all'", "lines 16 and 17: family: at several"),
        ("thresholds = 3\nprotocol = 'held-out'", "lines 16 and 17: protocol: at"),
        ("thresholds = 3\ngroups = 'each-and-all'", "lines 16 and 17: groups: at"),
        ("thresholds = 3\nreplicates = 'keep'", "lines 16 and 17: replicates: at"),
        ("thresholds = 3\nomnibus = 'quade'", "lines .*omnibus: at several"),
        ("thresholds = 3\np_values = 'exact'", "lines 16 and 17: p_values: at several"),
        ("thresholds = 3\nblocks = 'datasets'", "lines 16 and 17: at several"),
        ("thresholds = 3\naverage_folds = true", "lines 16 and 17: at several"),
        ("thresholds = 3\nundefined = 2", "line 17: undefined = 2: give 0 or 1"),
        ("thresholds = 3\nundefined = 0.5", "line 17: undefined = 0.5: give 0 or 1"),
        ("thresholds = 3\nalpha = 0.5", "lines 17 and 18: alpha = 0.5: right-tailed"),
        (
            "thresholds = 3\nthreshold_adjust = 'x'",
            "line 17: .*no adjustment",
        ),
        ("thresholds = 3\nthreshold_adjust = 'shaffer'", "line 17: .*not transitive"),
        ("thresholds = 3\nadjust = ['tukey']\nblocks = 'folds'", "sign tests of wins"),
    ],
    'threshold_rule = "sign"': [
        ('threshold_rule = "all"', 'line 17: threshold_rule = "all": choose one of'),
        (
            'threshold_rule = "any"\nthreshold_adjust = "holm"',
            'lines 17 and 18: threshold_rule = "any" has no sign tests',
        ),
    ],
}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [(old, new, message) for old, cases in WRONG.items() for new, message in cases],
)
def test_what_is_wrong_is_named_with_its_line(old, new, message):
    assert GOOD.count(f"{old}\n") == 1
    with pytest.raises(pc.PlanError, match="(?m)plan.toml, .*" + message):
        plan_file(GOOD.replace(f"{old}\n", f"{new}\n"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("thresholds", "[0.5]"),
        ("thresholds", "21"),
        ("loss_ratios", "[1, 2, 3, 4, 5]"),
        ("undefined", "1"),
    ],
)
def test_scores_have_no_use_for_keys_of_predictions(key, value):
    text = GOOD.replace("thresholds = [0, 0.25, 0.5, 0.75, 1]", f"{key} = {value}")
    text = text.replace('threshold_rule = "sign"\n', "")
    for role in ("label", "score", "positive", "case"):
        text = re.sub(rf"(?m)^{role} = .*\n", "", text)
    with pytest.raises(pc.PlanError) as refused:
        plan_file(text)
    [line] = refused.value.lines
    assert re.match(rf"plan.toml, line 12: {key} is for predictions, .* measure", line)


def test_what_only_predictions_have_asks_for_all_of_them():
    text = "[data]\nalgorithm = 'a'\nblock = 'b'\ncase = 'c'\n[metrics]\nx = 'lower'\n"
    with pytest.raises(pc.PlanError, match="line 4: case is for predictions"):
        plan_file(text)
    missing = GOOD.replace("[metrics]\n", "").replace('tp = "higher"\n', "")
    with pytest.raises(pc.PlanError, match=r"line 6: \[metrics\] is missing"):
        plan_file(missing.replace('fp = "lower"\n', ""))


def test_what_does_not_fit_the_predictions_is_refused_with_its_line(study):
    text = GOOD.replace('gate = "omnibus"', 'control = "d"\nundefined = 1')
    got = plan_file(text, folder=study)
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(got.read_data(), got)
    places = [re.match(r"plan.toml, lines? (\d+)", s)[1] for s in refused.value.lines]
    assert places == ["15", "18"] or places == ["18", "19"]


def test_data_of_the_other_kind_or_read_otherwise_are_refused(study):
    got = pc.read_plan(study / "plan.toml")
    with pytest.raises(pc.PlanError, match="line 1: the plan is about predictions"):
        pc.compare(predictions().measure(COUNTS), got)
    frame = cases()
    other = pc.Predictions.from_frame(
        frame,
        algorithm="model",
        block="fold",
        label="truth",
        score="p",
        positive="no",
        dataset="data",
    )
    with pytest.raises(pc.PlanError, match=r"line 8: positive = .* positive = \"no\""):
        pc.compare(other, got)
    scores = plan_file('[data]\nalgorithm = "a"\nblock = "b"\n[metrics]\nx = "lower"\n')
    with pytest.raises(pc.PlanError, match="line 1: the plan is about a table of"):
        pc.compare(predictions(), scores)
    with pytest.raises(pc.PlanError, match=r"line 1: .*name label, score and positive"):
        scores.read_predictions(study / "cases.csv")


def test_columns_that_are_not_there_are_named_with_their_line(study):
    got = plan_file(GOOD.replace('"truth"', '"truht"'), folder=study)
    with pytest.raises(pc.PlanError, match="line 6: no column 'truht'; did you mean"):
        got.read_data()


def test_an_undefined_measure_is_told_as_the_file_spells_it(study):
    text = GOOD.replace("tp =", "precision =")
    got = plan_file(text, folder=study)
    with pytest.raises(pc.InputError, match="undefined = 0, undefined = 1, missing = "):
        pc.compare(got.read_data(), got)
    fine = plan_file(text + "undefined = 1\n", folder=study)
    assert pc.compare(fine.read_data(), fine).plan.undefined == 1


@given(st.floats(1e-12, 1e12))
def test_a_loss_ratio_and_its_threshold_say_the_same(ratio):
    theta = threshold_of(ratio)
    assert 0 < theta < 1
    assert theta / (1 - theta) == pytest.approx(ratio, rel=1e-3)
    loss = pc.Plan(loss=((0, ratio), (1, 0))).loss
    assert loss == ((0.0, ratio), (1.0, 0.0))


@given(st.integers(2, 1001))
def test_equally_spaced_thresholds_are_the_doubles_of_their_decimals(count):
    found = spaced(count)
    assert (found[0], found[-1], len(set(found))) == (0.0, 1.0, count)
    assert pc.Plan(thresholds=count, threshold_rule="any").theta == found
    if count == 21:
        assert list(found) == [round(i / 20, 2) for i in range(21)]


def test_21_thresholds_are_exact_decimals():
    assert pc.Plan(thresholds=21).theta == tuple(round(i / 20, 2) for i in range(21))


LOSSES = {
    "[[0, 1], [1]]": "give [[tp, fp], [fn, tn]]",
    "[0, 1]": "give [[tp, fp], [fn, tn]]",
    "[[0, 1], [nan, 0]]": "give [[tp, fp], [fn, tn]]",
    "[[0, true], [1, 0]]": "give [[tp, fp], [fn, tn]]",
    "[[1, 0], [1, 0]]": "a wrong decision must cost more",
    "[[0, 1], [1, 0]]\ncost_ratio = 1": "give cost_ratio or loss, not both",
    "[[0, 1], [1, 0]]\nblocks = 'folds'": "loss counts wins of several metrics",
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_matrix_that_cannot_be_is_refused_with_its_line(loss):
    text = '[data]\nalgorithm = "a"\nblock = "b"\n[metrics]\nfp = "lower"\n[plan]\n'
    with pytest.raises(pc.PlanError) as refused:
        plan_file(f"{text}loss = {loss}\n")
    [line] = refused.value.lines
    assert re.match(r"plan.toml, lines? (\d and )?7", line.replace("and 8", ""))
    assert LOSSES[loss] in line


def test_the_example_is_planned_as_its_file_says(tmp_path):
    for name in ("predictions", "predictions-plan"):
        path = pc.example_path(name)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    got = pc.read_plan(tmp_path / "predictions.toml")
    found = pc.compare(got.read_data(), got)
    scores = pc.example("predictions").measure(COUNTS, threshold=spaced(21))
    wanted = pc.threshold_wins(scores, omnibus=False, adjust="holm")
    assert found.analyses[0].won.wins.equals(wanted.wins)
    with pytest.raises(pc.InputError, match="is a plan and no data"):
        pc.example("predictions-plan")


def test_a_starter_for_predictions_is_refused_until_its_roles_are_filled_in(tmp_path):
    path = tmp_path / "cases.csv"
    cases().rename(columns={"truth": "label", "p": "score"}).to_csv(path, index=False)
    text = pc.starter_plan(path, predictions=True, folder=tmp_path)
    with pytest.raises(pc.PlanError) as refused:
        plan_file(text)
    assert [line.split(": ")[1].split(" =")[0] for line in refused.value.lines] == [
        *("algorithm", "block", "label", "score", "positive"),
    ]
    assert '# case = "case"  # proposed' in text
    text = re.sub(r'(?m)^(\w+) = ""  # proposed: (.*)$', r"\1 = \2", text)
    text = re.sub(r"(?m)^# (dataset = .*)  # proposed$", r"\1", text)
    text = text.replace('positive = ""', 'positive = "yes"')
    text = re.sub(r"(?m)^# thresholds =.*$", "thresholds = 5", text)
    got = plan_file(text, folder=tmp_path)
    assert got.roles == Roles(
        file="cases.csv",
        algorithm="model",
        block="fold",
        dataset="data",
        label="label",
        score="score",
        positive="yes",
    )
    found = pc.compare(got.read_data(), got)
    plan = pc.Plan(metrics=COUNTS, thresholds=5)
    wanted = pc.compare(predictions(), plan).to_dict()
    assert json.dumps(found.to_dict()["analyses"]) == json.dumps(wanted["analyses"])
    with pytest.raises(pc.InputError, match="leave wide=True out"):
        pc.starter_plan(path, predictions=True, wide=True)


def test_a_plan_of_one_threshold_is_kept_in_the_comparison():
    plan = pc.Plan(metrics=("error",), thresholds=(0.3,))
    found = pc.compare(predictions(), plan)
    assert found.plan.thresholds == (0.3,)
    assert (
        dataclasses.replace(found.plan, thresholds=None)
        == pc.compare(
            predictions().measure("error", threshold=0.3), pc.Plan(metrics=("error",))
        ).plan
    )
