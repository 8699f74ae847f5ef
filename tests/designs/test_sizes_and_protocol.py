"""Sizes of training and test sets per data set, and how the folds were made."""

import functools
import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import fold_words
from tests.methods.over_datasets.many import counts
from tests.methods.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

SIZES = [5, 6, 4, 7]
TRAIN = {"d1": 90.0, "d2": 45.0, "d3": 200.0, "d4": 63.0}
TEST = {"d1": 10.0, "d2": 5.0, "d3": 50.0, "d4": 7.0}


def enlarged(n_train, n_test):
    """Return the enlarged overlap term of repeated splits."""
    return max(1.25, 2.7 - 4.5 * n_test / (n_test + n_train))


def part(scores, name):
    blocks = [
        b for b, d in zip(scores.blocks, scores.datasets, strict=True) if d == name
    ]
    return scores.select(blocks=blocks)


@pytest.mark.parametrize("control", [None, "A3"])
@pytest.mark.parametrize("verdict", ["typical-difference", "ranks", "wins"])
def test_the_corrected_tests_of_each_data_set_decide_its_wins(control, verdict):
    scores = folds_of(SIZES, effect=1.5)
    plan = pc.Plan(n_train=TRAIN, n_test=TEST, control=control, compares=verdict)
    [got] = pc.compare(scores, plan).analyses
    adjust = {
        (None, "typical-difference"): "bergmann-hommel",
        (None, "ranks"): "bergmann-hommel",
        ("A3", "ranks"): "holm",
    }.get((control, verdict), "holm")
    beats = 0
    for on in got.each:
        alone = pc.corrected_pairs(
            part(scores, on.dataset),
            alpha=0.05,
            n_train=TRAIN[on.dataset],
            n_test=TEST[on.dataset],
            overlap=enlarged(TRAIN[on.dataset], TEST[on.dataset]),
            adjust=adjust,
            control=control,
        )
        assert on.decisive.table.equals(alone.table)
        assert on.sizes == {
            "n_train": TRAIN[on.dataset],
            "n_test": TEST[on.dataset],
            "overlap": enlarged(TRAIN[on.dataset], TEST[on.dataset]),
        }
        assert on.pairs[1].adjust == ("tukey" if control is None else "dunnett")
        beats += int(alone.rejected(0.05).sum())
    assert beats and int(got.wins.wins.to_numpy().sum()) == beats
    assert got.wins.method == "corrected resampled t tests" and got.wins.notes == ()
    assert [t for t, _ in got.results() if t.startswith("Data set d")] == [
        f"Data set {name}: corrected resampled t tests" for name in TRAIN
    ]


def test_one_number_is_for_all_data_sets():
    scores = folds_of(SIZES, effect=1.5)
    every = dict.fromkeys(TRAIN, 90)
    one = pc.compare(scores, pc.Plan(n_train=90, n_test=10))
    table = pc.compare(scores, pc.Plan(n_train=every, n_test=10))
    wins = [c.analyses[0].wins.decisions for c in (one, table)]
    assert wins[0].equals(wins[1])
    assert table.to_dict()["plan"]["n_train"] == every
    assert json.loads(json.dumps(table.to_dict(), allow_nan=False))


def test_without_sizes_nothing_is_corrected():
    [got] = pc.compare(folds_of(SIZES)).analyses
    assert [len(on.pairs) for on in got.each] == [1] * 4
    assert got.wins.r_call() is not None and got.wins.notes


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_train": {"d1": 9}, "n_test": 1}, "3 of 4 data sets have no size.*'d2'"),
        (
            {"n_train": TRAIN | {"d9": 9}, "n_test": 1},
            "no data set 'd9'; data sets",
        ),
        ({"n_train": {}, "n_test": 1}, "table is empty"),
        ({"n_train": TRAIN | {"d1": -1}, "n_test": 1}, "'d1' has -1; give the posit"),
        ({"n_train": TRAIN}, "both n_train and n_test"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(folds_of(SIZES), pc.Plan(**options))


def test_a_table_of_sizes_is_not_for_one_data_set():
    with pytest.raises(pc.PlanError, match="folds of several data sets"):
        pc.compare(folds_of([9]), pc.Plan(n_train={"d1": 9}, n_test=1))


def test_a_table_of_sizes_reads_back_from_a_plan_file():
    plan = pc.Plan(n_train=TRAIN | {'odd "name"': 3}, n_test=TEST)
    assert pc.Plan.from_toml(plan.to_toml()) == plan
    assert "n_train = { d1 = 90.0, d2 = 45.0" in plan.to_toml()
    spelled = pc.Plan.from_toml("[plan]\nn_test = 5\n[plan.n_train]\niris = 135\n")
    assert spelled.n_train == {"iris": 135}
    with pytest.raises(pc.PlanError, match="line 3: n_train: 'iris' has 'x'"):
        pc.Plan.from_toml('[plan]\nn_test = 5\nn_train = { iris = "x" }\n')


def test_the_plan_keeps_its_sizes_whatever_becomes_of_the_mapping():
    sizes = {"d1": 9.0}
    plan = pc.Plan(n_train=sizes, n_test=1)
    sizes["d1"] = 1.0
    assert plan.n_train == {"d1": 9.0}
    assert plan.sizes("d1") == {"n_train": 9.0, "n_test": 1}
    assert plan.sizes("d2") is None


def test_wins_against_a_control_are_those_of_its_comparisons():
    scores = folds_of(SIZES, effect=1.5)
    got = pc.wins(scores, control="A2", omnibus=False)
    every = pc.wins(scores, method="pairwise-t", adjust="holm", control="A2")
    assert len(got.decisions) == len(every.decisions) == 4 * 3
    for name in TRAIN:
        rows = got.decisions[got.decisions["dataset"] == name]
        assert (rows[["algorithm_1", "algorithm_2"]] == "A2").any(axis=1).all()
        alone = pc.dunnett(part(scores, name), control="A2")
        assert sorted(rows["p_adjusted"]) == sorted(alone.table["p_adjusted"])
    others = [n for n in scores.algorithms if n != "A2"]
    assert not got.wins.loc[others, others].to_numpy().any()
    assert not got.ties.loc[others, others].to_numpy().any()
    grid = pc.sign_grid(got)
    assert grid.control == "A2" and len(grid.table) == 3
    assert (grid.table["wins"] + grid.table["ties"] + grid.table["losses"] == 4).all()
    won, lost = got.wins.loc["A1", "A2"], got.wins.loc["A2", "A1"]
    assert grid.positions["A1"] == 0.5 + (lost - won) / (2 * 4)


def test_wins_of_several_metrics_against_a_control():
    scores = counts()
    names = [m.name for m in scores.metrics]
    got = pc.wins(scores, metrics=names, cost_ratio=1.0, control="A2", adjust="holm")
    first = got.decisions[got.decisions["dataset"] == "d1"]
    alone = pc.hotelling_pairs(
        part(scores, "d1"), metrics=names, adjust="holm", control="A2"
    )
    np.testing.assert_allclose(
        sorted(first["p_pairs"]), sorted(alone.table["p_adjusted"]), rtol=1e-9
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"control": "A9"}, "'A9' is not an algorithm; there are"),
        ({"control": "A1", "method": "paired-t"}, "compares all pairs"),
        ({"control": "A1", "method": pc.tukey}, "compared all pairs"),
        ({"control": "A1", "method": "pairwise-t", "adjust": "shaffer"}, "all pairs"),
        (
            {"method": functools.partial(pc.dunnett, control="A1")},
            "wins need all pairs",
        ),
    ],
)
def test_wins_with_a_control_that_does_not_fit_are_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.wins(folds_of(SIZES), **options)


def test_sign_tests_keep_the_control_of_the_wins():
    won = pc.wins(folds_of(SIZES), control="A1")
    with pytest.raises(pc.InputError, match="counted against 'A1' only"):
        pc.sign_grid(won, control="A2")


@pytest.mark.parametrize("protocol", ["cross-validation", "held-out"])
@pytest.mark.parametrize("a", [2, 4])
def test_the_protocol_makes_the_caveats_definite(protocol, a):
    scores = folds_of([9], a)
    text = pc.compare(scores, pc.Plan(protocol=protocol)).summary()
    assert fold_words.ABOUT[protocol] in text
    for other in (fold_words.GENERALISES, fold_words.UNKNOWN):
        assert other not in text
    assert (fold_words.HELD_OUT in text) == (protocol == "held-out")


@pytest.mark.parametrize("a", [2, 4])
def test_random_splits_without_sizes_are_estimates_only(a):
    text = pc.compare(folds_of([9], a), pc.Plan(protocol="resampling")).summary()
    assert fold_words.TO_TEST in text and "no claim" in text
    sizes = {"n_train": 90, "n_test": 10}
    plan = pc.Plan(protocol="resampling", **sizes)
    comparison = pc.compare(folds_of([9], a), plan)
    assert fold_words.ABOUT["resampling"] in comparison.summary()
    assert fold_words.TO_TEST not in comparison.summary()
    assert fold_words.SHARED in report_of(comparison.only).limits()


@pytest.mark.parametrize("a", [2, 4])
def test_a_cross_validation_of_one_data_set_is_corrected_by_its_folds(a, tmp_path):
    scores = folds_of([9], a)
    comparison = pc.compare(scores, pc.Plan(protocol="cross-validation"))
    assert comparison.plan.n_folds == 9
    [got] = comparison.analyses
    sizes = {"n_train": 8, "n_test": 1, "overlap": 1.65}
    if a == 2:
        assert got.test.p_value == pc.paired_t(scores, **sizes).p_value
    else:
        alone = pc.corrected_pairs(
            scores, adjust="bergmann-hommel", alpha=0.05, **sizes
        )
        assert got.decisive.table.equals(alone.table)
        assert got.variance_ratio == pytest.approx(1 + 1.65 * 9 / 8, rel=1e-14)
        told = "n_test/n_train = 1/8, 9-fold cross-validation"
        page = pc.report(comparison, tmp_path / "out") / "report.html"
        assert told in page.read_text("utf-8")


def test_of_a_repeated_cross_validation_the_folds_of_one_repetition_count():
    scores = folds_of([20], 3)
    plan = pc.Plan(protocol="cross-validation", n_folds=10)
    [got] = pc.compare(scores, plan).analyses
    # 20 blocks, n_test / n_train = 1/9.
    assert got.variance_ratio == pytest.approx(1 + 2.25 * 20 / 9, rel=1e-14)
    assert got.corrected.test_train_ratio == 1 / 9


def test_over_data_sets_a_cross_validation_corrects_wins_model_and_interaction():
    scores = folds_of(SIZES, effect=0.5)
    comparison = pc.compare(scores, pc.Plan(protocol="cross-validation"))
    assert comparison.plan.n_folds == dict(zip(TRAIN, SIZES, strict=True))
    [got] = comparison.analyses
    sizes = {
        "n_train": {d: k - 1 for d, k in zip(TRAIN, SIZES, strict=True)},
        "n_test": 1,
    }
    for on, k in zip(got.each, SIZES, strict=True):
        alone = pc.corrected_pairs(
            part(scores, on.dataset),
            n_train=k - 1,
            n_test=1,
            overlap=1.25 + 0.1 * max(k - 5, 0),
            adjust="bergmann-hommel",
            alpha=0.05,
        )
        assert on.decisive.table.equals(alone.table)
    assert got.interaction.p_value == pc.dataset_interaction(scores, **sizes).p_value
    assert got.interaction.p_value > pc.dataset_interaction(scores).p_value
    model = got.by("model")
    assert model.test.p_value == pc.anova(scores, **sizes).p_value
    assert model.decisive.table.equals(pc.tukey(scores, **sizes).table)
    text = comparison.summary()
    assert "corrected for shared training data" in text
    assert fold_words.of_folds(SIZES) == (
        "n_test/n_train = 1/(k - 1), k-fold cross-validation, k from 4 to 7"
    )
    without_r = [t for t, r in got.results() if r.r_call() is None]
    assert without_r == ["Wins over data sets"]  # each data set's pairs have their own


@pytest.mark.parametrize("sizes", [{"n_train": TRAIN, "n_test": TEST}, {}])
def test_the_model_verdict_is_corrected_by_the_sizes_of_the_plan(sizes):
    scores = folds_of(SIZES, effect=0.5)
    given = sizes or {"protocol": "held-out"}
    [got] = pc.compare(scores, pc.Plan(compares="model", **given)).analyses
    assert got.planned.decisive.table.equals(pc.tukey(scores, **sizes).table)
    assert (got.planned.test.variance_ratio > 1) == bool(sizes)
    control = pc.Plan(
        compares="model", control="A2", adjust=("dunnett", "holm"), **given
    )
    [got] = pc.compare(scores, control).analyses
    first, second = got.planned.pairs
    assert first.table.equals(pc.dunnett(scores, control="A2", **sizes).table)
    alone = pc.pairwise_t(scores, control="A2", adjust="holm", alpha=0.05, **sizes)
    assert second.table.equals(alone.table)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_folds": 10}, "set protocol='cross-validation'"),
        (
            {"n_folds": 5, "protocol": "cross-validation", "n_train": 9, "n_test": 1},
            "not both",
        ),
        ({"n_folds": 1, "protocol": "cross-validation"}, "2 or more"),
        ({"n_folds": 99, "protocol": "cross-validation"}, "fewer than the 99 folds"),
        (
            {"n_folds": 4, "protocol": "cross-validation"},
            "no whole number of repetitions of 4 folds",
        ),
        (
            {"n_folds": {"d1": 5}, "protocol": "cross-validation"},
            "3 of 4 data sets have no size",
        ),
    ],
)
def test_folds_that_do_not_fit_are_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(folds_of(SIZES), pc.Plan(**options))


def test_an_unknown_protocol_is_said_to_be_unknown():
    plan = pc.Plan(n_train=90, n_test=10, adjust=("tukey",))
    text = pc.compare(folds_of([9]), plan).summary()
    assert fold_words.UNKNOWN in text and fold_words.GENERALISES in text


@pytest.mark.parametrize("options", [{}, {"n_train": 9, "n_test": 1}])
def test_over_data_sets_the_protocol_says_what_wins_rest_on(options):
    plan = pc.Plan(protocol="resampling", **options)
    text = pc.compare(folds_of(SIZES), plan).summary()
    assert (fold_words.WITHIN_CORRECTED in text) == bool(options)
    assert (fold_words.TO_TEST_EACH in text) == (not options)
    held_out = pc.compare(folds_of(SIZES), pc.Plan(protocol="held-out"))
    limits = report_of(held_out.only).limits()
    assert fold_words.WITHIN_UNCORRECTED in limits


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protocol": "held-out", "n_train": 9, "n_test": 1}, "98% of true nulls"),
        ({"protocol": "held-out", "n_train": TRAIN, "n_test": 1}, "one test set"),
        ({"protocol": "hold-out"}, "did you mean 'held-out'"),
        ({"protocol": "resampling", "blocks": "datasets"}, "independent data sets"),
    ],
)
def test_protocols_that_do_not_hold_are_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.Plan(**options)


def test_independent_data_sets_have_no_protocol():
    with pytest.raises(pc.PlanError, match="protocol states how folds were made"):
        pc.compare(folds_of([1] * 9), pc.Plan(protocol="resampling"))
