"""Power of several metrics, groups, runs and folds: the share of ``compare`` runs."""

import json

import numpy as np
import pytest
from scipy import special

import pycompare as pc
from pycompare.base.errors import PyCompareError
from pycompare.sizes.dependence import BlockGroups, BlockRuns, Dependence, FoldNoise
from pycompare.sizes.score_truth import AnswerTruth, NormalScores

DATASETS, CASES = 'blocks = "datasets"', 'blocks = "cases"'
FOLDS = ('blocks = "folds"', 'protocol = "cross-validation"', "n_folds = 3")
NESTED = ('blocks = "folds-of-datasets"', *FOLDS[1:])
RUNS = ('replicates = "average"',)
NORMAL = {"sd": 0.05, "correlation": 0.6, "n_algorithms": 3}
RIGHT = {"base": 0.8, "correlation": 0.3, "n_algorithms": 3, "answers": "right/wrong"}
BIG = {"algorithm 1": 0.06}


def plan_of(*keys, data="", metrics=("u",), block="d"):
    listed = "\n".join(f'"{name}" = "higher"' for name in metrics)
    text = (
        f'[data]\nfile = "x.csv"\nalgorithm = "m"\nblock = "{block}"\n{data}\n'
        f"[metrics]\n{listed}\n[plan]\n" + "\n".join(keys)
    )
    return pc.PlanFile(content=text.encode())


TWO = {"effects": {"u": BIG, "w": {"algorithm 2": -0.05}}, "metric_correlation": 0.4}
GROUPS = {"group_shares": {"east": 1, "west": 2}}
PLANS = {
    "two metrics": (
        plan_of(DATASETS, 'family = "metric"', metrics="uw"),
        14,
        {**NORMAL, **TWO},
    ),
    "two metrics as one family, with a margin": (
        plan_of(
            DATASETS,
            'family = "all"',
            "margin = { u = 0.04 }",
            'hypothesis = "equivalence"',
            metrics="uw",
        ),
        16,
        {**NORMAL, **TWO},
    ),
    "two kinds of answers": (
        plan_of(CASES, 'family = "metric"', metrics="uw"),
        60,
        {
            **TWO,
            "answers": {"u": "right/wrong", "w": "graded"},
            "base": 0.7,
            "sd": {"w": 0.1},
            "correlation": {"u": 0.3, "w": 0.5},
            "n_algorithms": 3,
        },
    ),
    "groups of data sets": (
        plan_of(DATASETS, 'family = "metric"', data='group = "g"'),
        30,
        {**NORMAL, **GROUPS, "effects": BIG},
    ),
    "groups of data sets and all": (
        plan_of(
            DATASETS,
            'family = "all"',
            'groups = "each-and-all"',
            data='group = "g"',
        ),
        30,
        {
            **NORMAL,
            **GROUPS,
            "effects": BIG,
            "group_effects": {"west": {"algorithm 1": 0, "algorithm 2": 0.05}},
        },
    ),
    "groups of cases": (
        plan_of(
            CASES, 'family = "metric"', 'groups = "each-and-all"', data='group = "g"'
        ),
        150,
        {**RIGHT, **GROUPS, "effects": {"algorithm 1": 0.12}},
    ),
    "samples": (
        plan_of(CASES, 'runs = "samples"', *RUNS, data='replicate = "r"'),
        40,
        {
            **RIGHT,
            "effects": {"algorithm 1": 0.15},
            "n_runs": 4,
            "run_correlation": 0.4,
        },
    ),
    "sampled prompts": (
        plan_of(
            CASES,
            'runs = "prompts"',
            'runs_scope = "sampled"',
            *RUNS,
            data='replicate = "r"',
        ),
        40,
        {
            **NORMAL,
            "answers": "graded",
            "effects": BIG,
            "n_runs": 5,
            "run_correlation": 0.3,
            "shared_run_correlation": 0.2,
        },
    ),
    "runs of data sets": (
        plan_of(DATASETS, *RUNS, data='replicate = "r"'),
        12,
        {**NORMAL, "effects": BIG, "n_runs": 3, "run_correlation": 0.5},
    ),
    "wins": (
        plan_of(*NESTED, 'compares = "wins"', data='dataset = "s"', block="fold"),
        12,
        {
            **NORMAL,
            "effects": {"algorithm 1": 0.2},
            "fold_sd": 0.02,
            "folds_per_dataset": 6,
            "fold_correlation": 0.2,
        },
    ),
    "means of data sets with folds": (
        plan_of(*NESTED, 'compares = "means"', data='dataset = "s"', block="fold"),
        8,
        {
            **NORMAL,
            "effects": BIG,
            "fold_sd": 0.04,
            "folds_per_dataset": 3,
            "fold_correlation": 0.2,
        },
    ),
}
ALL_TOGETHER = "all groups together"


def conclusions(scores, plan):
    """Every claim of a comparison: (metric, group, better, worse), and margins."""
    made = pc.compare(scores, plan)
    several = len(scores.metrics) > 1
    claims, within = set(), set()
    for row in made.pairs.itertuples():
        group = row.group
        if scores.groups is None:
            group = ""
        elif not isinstance(group, str):
            group = ALL_TOGETHER
        metric = row.metric if several else ""
        if row.significant:
            claims.add((metric, group, row.algorithm_1, row.algorithm_2))
    for analysis in made.parts[0].analyses:
        if analysis.within_margin is not None:
            table = analysis.within_margin.table
            for row in table[table["shown"]].itertuples():
                pair = frozenset((row.algorithm_1, row.algorithm_2))
                within.add((analysis.metric.name, pair))
    return claims, within


@pytest.mark.parametrize("name", PLANS)
def test_the_power_is_the_share_of_compare_runs(name):
    plan, n, truth = PLANS[name]
    trials = 4
    found = pc.planned_power(plan, n=n, trials=trials, seed=2, **truth)
    made = [
        conclusions(found.study.scores(n, trial), plan.plan) for trial in range(trials)
    ]
    seen = 0
    for row in found.table.itertuples():
        place, pair = (row.metric, row.group), (row.algorithm_1, row.algorithm_2)
        if row.conclusion == "better":
            hits = [(*place, *pair) in claims for claims, _ in made]
        elif row.conclusion == "no difference":
            hits = [
                bool({(*place, *pair), (*place, *pair[::-1])} & claims)
                for claims, _ in made
            ]
        elif row.conclusion == "within margin":
            hits = [(row.metric, frozenset(pair)) in within for _, within in made]
        else:
            continue
        seen += 1
        assert row.share == np.mean(hits), (row.conclusion, place, pair)
    assert seen >= 3
    assert 0 < found.table["share"].sum() < len(found.table)


def test_rows_about_all_metrics_are_of_the_same_studies():
    plan, n, truth = PLANS["two metrics"]
    found = pc.planned_power(plan, n=n, trials=8, seed=3, **truth)
    made = [conclusions(found.study.scores(n, t), plan.plan)[0] for t in range(8)]
    whole = found.table.query("metric == ''").set_index("conclusion")["share"]
    true = {
        ("u", "", "algorithm 1", "algorithm 2"),
        ("u", "", "algorithm 1", "algorithm 3"),
        ("w", "", "algorithm 1", "algorithm 2"),
        ("w", "", "algorithm 3", "algorithm 2"),
    }
    assert whole["better: all of these"] == np.mean([true <= m for m in made])
    assert whole["better: any of these"] == np.mean([bool(true & m) for m in made])
    assert whole["any wrong one"] == np.mean([bool(m - true) for m in made])


def test_all_metrics_together_are_the_t2_tests_of_compare():
    plan = plan_of(*FOLDS, 'family = "metric"', metrics="uw")
    truth = {**NORMAL, **TWO, "fold_correlation": 0.1}
    found = pc.planned_power(plan, n=15, trials=4, seed=1, **truth)
    tables = [
        pc.compare(found.study.scores(15, t), plan.plan).together.pairs.table
        for t in range(4)
    ]
    rows = found.table.query("metric == 'all metrics together'")
    pairs = rows[rows["algorithm_1"] != ""]
    assert len(pairs) == 3 and pairs["true"].all()
    for row in pairs.itertuples():
        hits = [
            table.loc[
                (table["algorithm_1"] == row.algorithm_1)
                & (table["algorithm_2"] == row.algorithm_2),
                "p_adjusted",
            ].item()
            <= 0.05
            for table in tables
        ]
        assert row.conclusion == "vectors differ" and row.share == np.mean(hits)


def test_two_groups_of_other_effects_have_the_typical_difference_of_their_mixture():
    plan, n, truth = PLANS["groups of data sets and all"]
    found = pc.planned_power(plan, n=n, trials=1, **truth)
    rows = found.table.query("group == @ALL_TOGETHER and conclusion == 'better'")
    row = rows.query("algorithm_1 == 'algorithm 2' and algorithm_2 == 'algorithm 3'")
    rng = np.random.default_rng(5)
    sd = NORMAL["sd"] * np.sqrt(2 * (1 - NORMAL["correlation"]))
    d = rng.normal(np.where(rng.random((2, 400_000)) < 1 / 3, 0, 0.05), sd)
    assert row["difference"].item() == pytest.approx(
        np.median(d.mean(axis=0)), abs=2e-4
    )


def test_ranks_of_all_groups_go_by_the_mean_rank():
    keys = (DATASETS, 'compares = "ranks"', 'groups = "each-and-all"')
    plan = plan_of(*keys, 'family = "metric"', data='group = "g"')
    # Better by little on two thirds of the data sets, worse by far on the others.
    truth = {
        **NORMAL,
        "effects": {"algorithm 1": 0.06},
        "group_shares": {"many": 2, "few": 1},
        "group_effects": {"few": {"algorithm 1": -0.5}},
    }
    found = pc.planned_power(plan, n=12, trials=1, **truth)
    rows = found.table.query("group == @ALL_TOGETHER and algorithm_1 == 'algorithm 1'")
    assert len(rows) == 2 and (rows["difference"] < 0).all()


def test_the_curves_of_many_metrics_and_groups_are_those_of_all_together():
    plan = plan_of(DATASETS, 'family = "metric"', data='group = "g"', metrics="uvwxy")
    truth = {**NORMAL, "effects": {"u": BIG, "w": BIG, "x": BIG}, "n": [8, 10]}
    truth |= {"metric_correlation": 0.2, "trials": 1}
    few = pc.planned_power(plan, group_shares={"east": 1, "west": 1}, **truth)
    # Three metrics in two groups have two curves each, and all together have two.
    assert list(few.curves()) == ["all true differences", "any true difference"]
    assert len(few.table["metric"].unique()) == 6


def test_groups_have_their_share_of_the_blocks():
    assert BlockGroups({"a": 1, "b": 2}).sizes(10) == (3, 7)
    assert BlockGroups({"a": 0.5, "b": 0.5}).sizes(5) == (3, 2)
    with pytest.raises(PyCompareError, match="'a' would have 1"):
        BlockGroups({"a": 1, "b": 9}).sizes(10)


def draw(rng, n, runs, truth):
    """Return scores (blocks, algorithms, runs) of one metric."""
    dependence = Dependence(runs=runs)
    normals = dependence.draw(rng, n, len(truth.effects) + truth.common)
    variance = 1 - dependence.fixed_share
    return truth.scores(normals.fixed[:, :, 0], normals.whole[:, :, 0], variance)


def test_runs_share_what_is_stated():
    rng = np.random.default_rng(1)
    truth = NormalScores(effects=(0, 0), sd=0.5, correlation=0.2)
    runs = BlockRuns(3, 0.3, 0.2)
    x = np.array([draw(rng, 2, runs, truth) for _ in range(10_000)])
    d = x[:, :, 0] - x[:, :, 1]  # (studies, blocks, runs)
    assert x.std() == pytest.approx(0.5, rel=0.01)
    same = np.corrcoef(d[:, 0, 0], d[:, 0, 1])[0, 1]
    other = np.corrcoef(d[:, 0, 0], d[:, 1, 0])[0, 1]
    none = np.corrcoef(d[:, 0, 0], d[:, 1, 1])[0, 1]
    assert (same, other, none) == pytest.approx((0.3, 0.2, 0), abs=0.03)


@pytest.mark.parametrize("kind", ["graded", "right/wrong"])
def test_fixed_runs_have_the_stated_effects_themselves(kind):
    truth = (
        NormalScores(effects=(0.1, 0), sd=0.5, correlation=0)
        if kind == "graded"
        else AnswerTruth(effects=(0.1, 0), base=0.7, correlation=0.2)
    )
    rng = np.random.default_rng(2)
    for _ in range(3):
        x = draw(rng, 60_000, BlockRuns(3, 0.1, 0.5, fixed=True), truth)
        shift = x.mean(axis=(0, 2)) - (0.7 if kind != "graded" else 0)
        assert shift == pytest.approx([0.1, 0], abs=0.01)
        assert np.ptp(x.mean(axis=0), axis=1).max() > 0.05  # single runs differ


def test_metrics_have_the_stated_correlation_of_differences():
    rng = np.random.default_rng(3)
    normals = Dependence(n_metrics=2, metric_correlation=-0.5).draw(rng, 50_000, 3)
    each = [
        NormalScores(effects=(0, 0), sd=1, correlation=r).scores(
            normals.fixed[:, 1:, m], normals.whole[:, 1:, m]
        )[..., 0]
        for m, r in enumerate((0.8, -0.4))
    ]
    u, w = (x[:, 0] - x[:, 1] for x in each)
    assert np.corrcoef(u, w)[0, 1] == pytest.approx(-0.5, abs=0.015)
    answers = AnswerTruth(effects=(0, 0), base=0.5, correlation=0.2)
    right = answers.scores(normals.fixed[:, :, 0], normals.whole[:, :, 0])[..., 0]
    # Of one algorithm the normal numbers behind the answers have this correlation.
    of_both = np.corrcoef(
        right[:, 0],
        answers.scores(normals.fixed[:, :, 1], normals.whole[:, :, 1])[:, 0, 0],
    )[0, 1]
    assert of_both == pytest.approx(2 / np.pi * np.arcsin(-0.5), abs=0.015)


def test_folds_of_data_sets_spread_as_stated():
    noise = FoldNoise(4, (0.3,), 0.25)
    rng = np.random.default_rng(4)
    z = noise.spreads[0] * noise.dependence(0.0).draw(rng, 30_000, 1).whole
    x = z[:, 0, 0, 0].reshape(-1, 4)
    assert x.std(axis=1, ddof=1).mean() / 0.3 == pytest.approx(
        np.sqrt(2 / 3) * special.gamma(2) / special.gamma(1.5), rel=0.01
    )
    assert np.corrcoef(x[:, 0], x[:, 1])[0, 1] == pytest.approx(0.25, abs=0.015)


@pytest.mark.parametrize(
    ("keys", "data", "metrics", "truth", "told"),
    [
        ((DATASETS, 'family = "metric"'), "", "uw",
         {"effects": BIG, "metric_correlation": 0}, "with 2 metrics"),
        ((DATASETS, 'family = "metric"'), "", "uw", {"effects": {"u": BIG}},
         r"needs metric_correlation"),
        ((DATASETS, 'family = "metric"'), "", "uw",
         {"effects": {"u": BIG}, "metric_correlation": 1}, "metric_correlation=1"),
        ((DATASETS, 'family = "metric"'), "", "uw",
         {"effects": {"u": BIG}, "metric_correlation": 0, "sd": {"u": 1}},
         r"sd \(the spread of the scores over blocks for 'w'\)"),
        ((DATASETS,), "", "u", {"effects": BIG, "sd": {"x": 1}}, "no metric is called"),
        ((DATASETS,), "", "u", {"effects": BIG, "metric_correlation": 0.1},
         "metric_correlation=0.1 has no use"),
        ((DATASETS,), "", "u", {"effects": BIG, **GROUPS}, "a plan without groups"),
        ((DATASETS, 'family = "metric"'), 'group = "g"', "u", {"effects": BIG},
         "needs group_shares"),
        ((DATASETS, 'family = "metric"'), 'group = "g"', "u",
         {"effects": BIG, **GROUPS, "group_effects": {"north": BIG}},
         "no group is called 'north'; there are 'east'"),
        ((DATASETS, 'family = "metric"'), 'group = "g"', "u",
         {"effects": BIG, "group_shares": {"east": 1}}, "two groups or more"),
        ((DATASETS, *RUNS), 'replicate = "r"', "u", {"effects": BIG},
         "needs n_runs .*run_correlation"),
        ((DATASETS, *RUNS), 'replicate = "r"', "u",
         {"effects": BIG, "n_runs": 1, "run_correlation": 0.2}, "n_runs=1"),
        ((DATASETS,), "", "u", {"effects": BIG, "n_runs": 2}, "a plan without runs"),
        ((CASES, 'runs = "trainings"', 'runs_scope = "sampled"', *RUNS),
         'replicate = "r"', "u",
         {"effects": BIG, "answers": "graded", "n_runs": 3, "run_correlation": 0.6,
          "shared_run_correlation": 0.5}, "must be below 0.4"),
        ((CASES, 'runs = "samples"', 'items_scope = "fixed"', *RUNS),
         'replicate = "r"', "u",
         {"effects": BIG, "answers": "graded", "n_runs": 3, "run_correlation": 0.6},
         "conclusions concern just these items"),
        ((*NESTED, 'compares = "wins"'), 'dataset = "s"', "u", {"effects": BIG},
         "needs fold_correlation .*fold_sd .*folds_per_dataset"),
        ((*NESTED, 'compares = "model"'), 'dataset = "s"', "u", {"effects": BIG},
         "conclusions concern just these data sets"),
        (NESTED, 'dataset = "s"\nreplicate = "r"', "u", {"effects": BIG},
         "runs of folds"),
    ],
)  # fmt: skip
def test_what_is_missing_or_cannot_be_planned_is_said(keys, data, metrics, truth, told):
    plan = plan_of(*keys, data=data, metrics=metrics)
    with pytest.raises(PyCompareError, match=told):
        pc.planned_power(plan, n=20, trials=1, **{**NORMAL, **truth})


def test_the_command_line_states_metrics_and_groups(pycompare, tmp_path):
    keys = (DATASETS, 'family = "metric"')
    plan = plan_of(*keys, data='group = "g"', metrics=("a:b", "a"))
    path = tmp_path / "plan.toml"
    path.write_text(plan.text)
    words = ["power", path, "--n", 12, "--trials", 2, "--n-algorithms", 2]
    words += ["--effect", "a:b:algorithm 1=0.1", "--effect", "a:algorithm 1=-0.1"]
    words += ["--sd", "a:b=0.05", "--sd", "a=0.1", "--correlation", 0.5]
    words += ["--metric-correlation", 0.2, "--group-share", "x=1", "--group-share"]
    words += ["y=1", "--group-effect", "y:a:algorithm 2=0.3"]
    status, out, err = pycompare(*words, "--json")
    assert status == 0, err
    found = pc.planned_power(
        plan,
        n=12,
        trials=2,
        n_algorithms=2,
        effects={"a:b": {"algorithm 1": 0.1}, "a": {"algorithm 1": -0.1}},
        sd={"a:b": 0.05, "a": 0.1},
        correlation=0.5,
        metric_correlation=0.2,
        group_shares={"x": 1, "y": 1},
        group_effects={"y": {"a": {"algorithm 2": 0.3}}},
    )
    told = json.loads(out)
    assert [r["share"] for r in told["table"]] == found.table["share"].tolist()
    assert told["sentences"] == found.sentences()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--effect", "algorithm 1=1"], "begin with one of u, w"),
        (["--sd", "x"], "--sd 'x': write a number, or METRIC=X"),
        (["--sd", "u=1", "--sd", "u=2"], "--sd is given twice for u"),
        (["--sd", "1", "--sd", "u=2"], "for all metrics and for one"),
    ],
)
def test_the_command_line_says_how_metrics_are_stated(pycompare, tmp_path, words, told):
    path = tmp_path / "plan.toml"
    path.write_text(plan_of(DATASETS, 'family = "metric"', metrics="uw").text)
    status, out, err = pycompare("power", path, "--n", 12, *words)
    assert (status, out) == (2, "")
    assert told in err
