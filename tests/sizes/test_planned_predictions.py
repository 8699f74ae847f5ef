"""Power of predictions, ROC curves and readers: the share of analyses by the plan."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import special

import pycompare as pc
from pycompare.base.errors import PyCompareError
from pycompare.designs.plans.analysis_plans import plan_from
from pycompare.sizes import Delong
from pycompare.sizes.binormal import BinormalCases

CASES = (
    '[data]\nfile = "x.csv"\nalgorithm = "m"\nscore = "s"\nlabel = "y"\n'
    'positive = "yes"\n'
)
READERS = (
    '[data]\nfile = "x.csv"\n[readers]\nmodality = "m"\nreader = "r"\ncase = "c"\n'
    'rating = "x"\ntruth = "t"\npositive = "1"\n'
)
TRUTH = {"base": 0.8, "prevalence": 0.4, "n_algorithms": 3}
BIG = {"algorithm 1": 0.1}
VARIANCES = {
    "reader": 0.05,
    "modality_reader": 0.02,
    "case": 0.3,
    "modality_case": 0.3,
    "reader_case": 0.2,
    "error": 0.2,
}


def curves_plan(more=""):
    return plan_from(f'{CASES}case = "c"\n[curves]\n{more}', "plan.toml")


def readers_plan(more="", data=""):
    return plan_from(f"{READERS}{data}\n[plan]\n{more}", "plan.toml")


def predictions_plan(*keys, data="", metrics=("auc",)):
    listed = "\n".join(
        f'{name} = "{"lower" if name == "error" else "higher"}"' for name in metrics
    )
    text = f"{CASES}{data}\n[metrics]\n{listed}\n[plan]\n" + "\n".join(keys)
    return pc.PlanFile(content=text.encode())


def shares(found, place, made, within=None):
    """Check each pair's share against what each study concludes."""
    seen = set()
    for row in found.table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        if row.metric != place or not row.algorithm_1:
            continue
        if row.conclusion == "better":
            hits = [pair in better for better in made]
        elif row.conclusion == "no difference":
            hits = [bool({pair, pair[::-1]} & better) for better in made]
        else:
            hits = [frozenset(pair) in shown for shown in within]
        seen.add(row.conclusion)
        assert row.share == np.mean(hits), (row.conclusion, pair)
    return seen


def better_in(table, alpha=0.05, lower=False):
    """(better, worse) of the significant pairs of a table."""
    found = set()
    for row in table.itertuples():
        if row.p_adjusted <= alpha:
            pair = (row.algorithm_1, row.algorithm_2)
            found.add(pair if (row.estimate > 0) != lower else pair[::-1])
    return found


def test_curves_have_the_share_of_compare_curves():
    plan = curves_plan('margin = 0.08\nhypothesis = "equivalence"')
    truth = {**TRUTH, "correlation": 0.6, "effects": BIG}
    found = pc.planned_power(plan, n=120, trials=6, seed=1, **truth)
    made, within = [], []
    for trial in range(6):
        predictions = found.study.predictions(120, trial)
        [analysis] = pc.compare_curves(predictions, **plan.plan.choices).analyses
        made.append(better_in(analysis.over_cases.table))
        table = analysis.margin_over_cases.table
        shown = table[table["shown"]][["algorithm_1", "algorithm_2"]]
        within.append({frozenset(pair) for pair in shown.itertuples(index=False)})
    seen = shares(found, "", made, within)
    assert seen == {"better", "no difference", "within margin"}
    assert 0 < found.table["share"].sum() < len(found.table)
    assert found.units == "cases"


def test_keys_beside_areas_leave_the_power_of_curves_as_it_is():
    more = 'risk_threshold = 0.2\nbins = "equal-mass"\nn_bins = 5\n'
    more += "whole_curves = true"
    truth = {**TRUTH, "correlation": 0.6, "effects": BIG}
    tables = [
        pc.planned_power(curves_plan(keys), n=40, trials=20, seed=3, **truth).table
        for keys in ("", more)
    ]
    pd.testing.assert_frame_equal(*tables)


def test_two_curves_have_the_power_of_delongs_formula():
    truth = {**TRUTH, "n_algorithms": 2, "effects": {"algorithm 1": 0.06}}
    found = pc.planned_power(
        curves_plan(), n=200, trials=300, seed=3, correlation=0.5, **truth
    )
    share = found.table.query("conclusion == 'better'")["share"].item()
    design = Delong(auc_1=0.8, auc_2=0.86, correlation=0.5, prevalence=0.4)
    power = design.formula(200, 0.05)
    assert 0.3 < power < 0.9
    assert abs(share - power) < 3 * np.sqrt(power * (1 - power) / 300)


@pytest.mark.parametrize("control", [None, "modality 2"])
def test_readers_have_the_share_of_mrmc(control):
    keys = 'margin = 0.06\nhypothesis = "equivalence"\n'
    keys += f'control = "{control}"\n' if control else ""
    plan = readers_plan(keys)
    truth = {**TRUTH, "effects": {"modality 1": 0.12}, "variances": VARIANCES}
    found = pc.planned_power(plan, n=8, n_cases=300, trials=5, seed=2, **truth)
    made, within = [], []
    for trial in range(5):
        study, _ = plan.plan.analysed(found.study.ratings(8, trial))
        made.append(better_in(study.table))
        claims = study.claims.query("claim == 'equivalent' and shown")
        rows = claims[["algorithm_1", "algorithm_2"]].itertuples(index=False)
        within.append({frozenset(pair) for pair in rows})
    seen = shares(found, "", made, within)
    assert {"better", "within margin"} <= seen
    assert len(found.table.query("conclusion == 'better'")) == (1 if control else 2)
    assert 0 < found.table["share"].sum() < len(found.table)


FOLDS = ('blocks = "folds"', 'protocol = "resampling"', "n_train = 160", "n_test = 40")
PREDICTIONS = {
    "data sets": (
        predictions_plan('blocks = "datasets"', data='block = "b"'),
        10,
        {"cases_per_block": 60, "sd": 0.3},
    ),
    "two measures on folds": (
        predictions_plan(
            *FOLDS, "thresholds = [0.5]", data='block = "b"', metrics=("auc", "error")
        ),
        30,
        {"cases_per_block": 60, "sd": 0.1, "fold_correlation": 0.1},
    ),
    "wins of folds of data sets": (
        predictions_plan(
            'blocks = "folds-of-datasets"',
            *FOLDS[1:],
            'compares = "wins"',
            data='block = "b"\ndataset = "set"',
        ),
        9,
        {
            "cases_per_block": 80,
            "sd": 0.1,
            "fold_sd": 0.05,
            "folds_per_dataset": 8,
            "fold_correlation": 0.1,
        },
    ),
}


@pytest.mark.parametrize("name", PREDICTIONS)
def test_predictions_have_the_share_of_compare_runs(name):
    plan, n, more = PREDICTIONS[name]
    truth = {**TRUTH, "correlation": 0.5, "effects": {"algorithm 1": 0.15}, **more}
    found = pc.planned_power(plan, n=n, trials=4, seed=2, **truth)
    made = [
        pc.compare(found.study.predictions(n, trial), plan).pairs for trial in range(4)
    ]
    several = len(plan.metrics) > 1
    for metric in (m.name for m in plan.metrics):
        better = [
            {
                (row.algorithm_1, row.algorithm_2)
                for row in table.itertuples()
                if row.metric == metric and row.significant
            }
            for table in made
        ]
        seen = shares(found, metric if several else "", better)
        assert seen == {"better", "no difference"}
    assert 0 < found.table["share"].sum() < len(found.table)


def test_cases_have_the_stated_areas_and_correlation():
    cases = BinormalCases((0.9, 0.75), 0.4, 0.3)
    rng = np.random.default_rng(1)
    x = cases.draw(rng, 60_000, cases.separations)
    truth = cases.truth(60_000)
    assert truth.mean() == pytest.approx(0.3)
    for scores, area in zip(x, cases.areas, strict=True):
        auc = pc.auc(truth, scores, positive=True)
        assert auc == pytest.approx(area, abs=0.005)
    for of_class in (truth, ~truth):
        assert np.corrcoef(x[:, of_class])[0, 1] == pytest.approx(0.4, abs=0.02)
    # Scores are probabilities: among those near p a share p is positive.
    p = cases.probabilities(x)[0]
    near = np.abs(p - 0.6) < 0.05
    assert truth[near].mean() == pytest.approx(p[near].mean(), abs=0.02)


def test_the_true_difference_of_a_measure_is_that_of_the_population():
    plan, n, more = PREDICTIONS["two measures on folds"]
    truth = {**TRUTH, "correlation": 0.5, "effects": BIG, **more}
    found = pc.planned_power(plan, n=n, trials=1, **truth)
    rows = found.table.query("conclusion == 'better'")
    auc = rows.query("metric == 'auc'")["difference"]
    assert auc.to_numpy() == pytest.approx([0.1, 0.1], abs=1e-4)
    # By the normal law: an error where the probability is on the wrong side of 0.5.
    error = []
    for area in (0.9, 0.8):
        d = np.sqrt(2) * special.ndtri(area)
        cut = d / 2 - np.log(0.4 / 0.6) / d
        error.append(0.6 * special.ndtr(-cut) + 0.4 * special.ndtr(cut - d))
    told = rows.query("metric == 'error'")["difference"]
    assert told.to_numpy() == pytest.approx([error[0] - error[1]] * 2, abs=1e-4)


CORRELATED = {**TRUTH, "correlation": 0.5, "effects": BIG}


@pytest.mark.parametrize(
    ("plan", "truth", "told"),
    [
        (curves_plan(), {**CORRELATED, "prevalence": None}, "needs prevalence"),
        (curves_plan(), {**CORRELATED, "base": 0.95}, "between 0.5 and 1"),
        (curves_plan(), {**CORRELATED, "sd": 1}, "sd=1 has no use with one test set"),
        (curves_plan(), {**CORRELATED, "correlation": 1}, "correlation=1"),
        (plan_from(f'{CASES}case = "c"\nblock = "b"\n[curves]\n', "plan.toml"),
         CORRELATED, "block='b': n cases of one test set"),
        (readers_plan(), {**TRUTH, "effects": {"modality 1": 0.1}},
         "needs variances .*n_cases"),
        (readers_plan(), {**TRUTH, "effects": {"modality 1": 0.1}, "n_cases": 50,
                          "variances": {"reader": 1}}, "give each of"),
        (readers_plan(data='only = "a"'), CORRELATED, "estimates one modality"),
        (readers_plan(data='standalone = "a"'), CORRELATED, "a reader with the others"),
        (readers_plan(data='figure = "sensitivity"\nthreshold = 1'), CORRELATED,
         "figure='sensitivity': the truth is stated as areas"),
        (readers_plan(data='design = "incomplete"'), CORRELATED, "who reads what"),
        (plan_from('[data]\nfile = "x.csv"\n[model]\nformula = "y ~ a"\n', "p.toml"),
         CORRELATED, "plan of a linear model: a number of rows"),
        (plan_from('[data]\nfile = "x.csv"\nformat = "battles"\n', "p.toml"),
         CORRELATED, "plan of battles: a number of votes"),
        (predictions_plan('blocks = "datasets"', data='block = "b"'), CORRELATED,
         "needs cases_per_block .*sd"),
        (predictions_plan('blocks = "datasets"', data='block = "b"\ngroup = "g"'),
         {**CORRELATED, "cases_per_block": 50, "sd": 1}, "has group = 'g'"),
        (predictions_plan('generalise = "cases"', FOLDS[0], data='block = "b"'),
         CORRELATED, "planned as readers and cases"),
        (pc.read_plan(pc.example_path("predictions-plan")), CORRELATED,
         "wins over thresholds"),
    ],
)  # fmt: skip
def test_what_is_missing_or_cannot_be_planned_is_said(plan, truth, told):
    with pytest.raises(PyCompareError, match=told):
        pc.planned_power(plan, n=20, trials=1, **truth)


def test_a_page_of_readers_is_simulated_again(pycompare, tmp_path):
    path = tmp_path / "readers.toml"
    path.write_text(f"{READERS}[plan]\n")
    words = ["power", path, "--n", 4, "--n-algorithms", 2, "--trials", 3]
    words += ["--effect", "modality 1=0.1", "--base", 0.8, "--prevalence", 0.5]
    words += ["--n-cases", 60, "--out", tmp_path / "page"]
    for name, value in VARIANCES.items():
        words += ["--variance", f"{name}={value}"]
    status, _, err = pycompare(*words)
    assert status == 0, err
    held = json.loads((tmp_path / "page" / "results.json").read_text())
    assert held["units"] == "readers"
    checked = pc.verify(tmp_path / "page", recompute=True)
    assert checked.passed and checked.again.numbers > 5
