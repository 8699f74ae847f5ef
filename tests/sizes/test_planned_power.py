"""The power of a plan is the share of ``compare`` runs on tables from the truth."""

import json
import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare import sizes
from pycompare.base.errors import PyCompareError
from pycompare.sizes.dependence import BlockClusters, Dependence
from pycompare.sizes.score_truth import AnswerTruth, NormalScores

ENDS = ["algorithm_1", "algorithm_2"]
DATASETS, CASES = 'blocks = "datasets"', 'blocks = "cases"'
FOLDS = ('blocks = "folds"', 'protocol = "cross-validation"', "n_folds = 3")


def plan_of(*keys, algorithms="abc", better="higher", data="", more="", clusters=False):
    listed = f'format = "wide"\nalgorithms = {list(algorithms)}'
    listed += '\ncluster = "c"' * clusters
    text = (
        f'[data]\nfile = "x.csv"\nblock = "d"\n{data or listed}\n'
        f'[metrics]\nscore = "{better}"\n{more}\n[plan]\n' + "\n".join(keys)
    )
    return pc.PlanFile(content=text.encode())


NORMAL = {"effects": {"a": 0.04}, "sd": 0.05, "correlation": 0.6}
RIGHT = {"effects": {"a": 0.1}, "base": 0.8, "correlation": 0.3}
RIGHT |= {"answers": "right/wrong"}
CLUSTERED = {"per_cluster": 3, "cluster_correlation": 0.5}
NONINFERIOR = ("margin = 0.02", 'hypothesis = "non-inferiority"')
PLANS = {
    "holm": (plan_of(DATASETS), 14, NORMAL),
    "lower": (plan_of(DATASETS, better="lower"), 14, NORMAL),
    "closed": (plan_of(DATASETS), 7, NORMAL),
    "closed ranks": (plan_of(DATASETS, 'compares = "ranks"'), 7, NORMAL),
    "flips of ranks": (
        plan_of(DATASETS, 'compares = "ranks"', algorithms="abcdefghi"),
        14,
        NORMAL,
    ),
    "control and margin": (
        plan_of(DATASETS, 'control = "b"', *NONINFERIOR),
        14,
        NORMAL,
    ),
    "ratios": (
        plan_of(
            DATASETS, 'scale = "ratio"', "margin = 0.02", 'hypothesis = "equivalence"'
        ),
        14,
        {**NORMAL, "effects": {"a": 1.06}},
    ),
    "means of two": (
        plan_of(
            DATASETS,
            'compares = "means"',
            "margin = 0.02",
            'hypothesis = "equivalence"',
            algorithms="ab",
        ),
        14,
        NORMAL,
    ),
    "two": (
        plan_of(
            DATASETS, "margin = 0.02", 'hypothesis = "equivalence"', algorithms="ba"
        ),
        14,
        NORMAL,
    ),
    "answers": (
        plan_of(CASES, "margin = 0.1", 'hypothesis = "equivalence"'),
        60,
        RIGHT,
    ),
    "graded": (
        plan_of(CASES, "margin = 0.1", 'hypothesis = "equivalence"'),
        30,
        {**NORMAL, "answers": "graded"},
    ),
    "clusters of data sets": (
        plan_of(DATASETS, clusters=True),
        12,
        {**NORMAL, **CLUSTERED},
    ),
    "clusters of answers": (plan_of(CASES, clusters=True), 40, {**RIGHT, **CLUSTERED}),
    "clusters of graded cases": (
        plan_of(CASES, clusters=True),
        12,
        {**NORMAL, **CLUSTERED, "answers": "graded"},
    ),
    "folds": (
        plan_of(*FOLDS, "margin = 0.1", 'hypothesis = "equivalence"'),
        30,
        {**NORMAL, "fold_correlation": 0.3},
    ),
    "two on folds": (
        plan_of(*FOLDS, *NONINFERIOR, 'control = "b"', algorithms="ab"),
        30,
        {**NORMAL, "effects": {"a": 0.15}, "fold_correlation": 0.3},
    ),
}


def concluded(scores, plan):
    """What a comparison says: (better, worse) pairs, and pairs within the margin."""
    found = pc.compare(scores, plan)
    [analysis] = found.analyses
    table = analysis.decisive.table
    lower = analysis.decisive.lower_is_better
    null = 1.0 if plan.as_ratios else 0.0
    better = set()
    for row in table.itertuples():
        if row.p_adjusted <= plan.alpha:
            first = (row.estimate < null) == lower
            one, other = row.algorithm_1, row.algorithm_2
            better.add((one, other) if first else (other, one))
    margins = [r for title, r in found.results() if hasattr(r, "margin_low")]
    within = set()
    for made in margins:
        if hasattr(made, "table"):
            rows = made.table[made.table["shown"]]
            within |= {*map(frozenset, rows[ENDS].itertuples(index=False))}
        elif made.p_value <= made.alpha:
            within.add(frozenset(scores.algorithms))
    return better, within


@pytest.mark.parametrize("name", PLANS)
def test_the_power_is_the_share_of_compare_runs(name):
    plan, n, truth = PLANS[name]
    trials = 6
    found = pc.planned_power(plan, n=n, trials=trials, seed=4, **truth)
    made = [
        concluded(found.study.scores(n, trial), plan.plan) for trial in range(trials)
    ]
    seen = set()
    for row in found.table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        if row.conclusion == "better":
            hits = [pair in better for better, _ in made]
        elif row.conclusion == "no difference":
            hits = [pair in better or pair[::-1] in better for better, _ in made]
        elif row.conclusion == "within margin":
            hits = [frozenset(pair) in within for _, within in made]
        else:
            continue
        seen.add(row.conclusion)
        assert row.share == np.mean(hits), (row.conclusion, pair)
        low, high = stats.binomtest(sum(hits), trials).proportion_ci(method="exact")
        assert (row.conf_low, row.conf_high) == pytest.approx((low, high), abs=1e-12)
    assert ("within margin" in seen) == (plan.plan.margin is not None)
    assert 0 < found.table["share"].sum() < len(found.table)


def test_conclusions_about_several_pairs_are_of_the_same_studies():
    plan, n, truth = PLANS["closed ranks"]
    found = pc.planned_power(plan, n=n, trials=8, seed=2, **truth)
    made = [concluded(found.study.scores(n, t), plan.plan)[0] for t in range(8)]
    share = found.table.set_index("conclusion")["share"]
    true = {("a", "b"), ("a", "c")}
    assert share["better: any of these"] == np.mean([bool(true & m) for m in made])
    assert share["better: all of these"] == np.mean([true <= m for m in made])
    assert share["any wrong one"] == np.mean([bool(m - true) for m in made])


def test_without_an_effect_nothing_is_called_power():
    truth = {**NORMAL, "effects": {"a": 0}}
    table = pc.planned_power(plan_of(DATASETS), n=12, trials=5, **truth).table
    assert not table["true"].any()
    assert [*table["conclusion"]] == ["no difference"] * 3 + ["any wrong one"]


def test_of_an_error_rate_a_negative_effect_is_better():
    plan = plan_of(DATASETS, better="lower", algorithms="ab")
    for effect, pair in ((-0.2, ("a", "b")), (0.2, ("b", "a"))):
        truth = {**NORMAL, "effects": {"a": effect}}
        row = pc.planned_power(plan, n=10, trials=5, **truth).table.iloc[0]
        assert (row["algorithm_1"], row["algorithm_2"]) == pair
        assert row["share"] == 1


def test_a_difference_at_the_margin_is_not_within_it():
    plan = plan_of(
        DATASETS, "margin = 0.1", 'hypothesis = "equivalence"', algorithms="ab"
    )
    for effects, true in (({"a": 0.3, "b": 0.2}, False), ({"a": 0.29, "b": 0.2}, True)):
        truth = {**NORMAL, "effects": effects}
        table = pc.planned_power(plan, n=10, trials=2, **truth).table
        rows = table[table["conclusion"] == "within margin"]
        assert rows["true"].tolist() == [true]


def test_the_paired_t_test_has_the_power_of_its_formula():
    plan = plan_of(DATASETS, 'compares = "means"', algorithms="ab")
    truth = NormalScores(effects=(0.03, 0), sd=0.05, correlation=0.6)
    design = sizes.PairedT(difference=0.03, sd=truth.sd_difference)
    given = {**NORMAL, "effects": {"a": 0.03}}
    row = pc.planned_power(plan, n=20, trials=150, seed=3, **given).table.iloc[0]
    power = design.formula(20, 0.05)
    assert abs(row["share"] - power) < 3 * math.sqrt(power * (1 - power) / 150)
    assert 0.3 < power < 0.95


def drawn(rng, truth, n, dependence=None):
    """Return scores of one metric and one run, (blocks, algorithms)."""
    k = len(truth.effects) + truth.common
    normals = (dependence or Dependence()).draw(rng, n, k)
    return truth.scores(normals.fixed[:, :, 0], normals.whole[:, :, 0])[..., 0]


def test_scores_are_drawn_from_the_stated_truth():
    rng = np.random.default_rng(1)
    truth = NormalScores(effects=(0.3, 0, -0.1), sd=0.5, correlation=-0.3)
    x = drawn(rng, truth, 200_000)
    assert x.mean(axis=0) == pytest.approx(truth.effects, abs=0.005)
    assert x.std(axis=0) == pytest.approx(np.full(3, 0.5), rel=0.01)
    assert np.corrcoef(x.T)[np.triu_indices(3, 1)] == pytest.approx(
        [-0.3] * 3, abs=0.01
    )
    assert np.std(x[:, 0] - x[:, 1]) == pytest.approx(truth.sd_difference, rel=0.01)
    ratios = NormalScores(effects=(1.2, 1), sd=0.5, correlation=0.2, as_ratios=True)
    y = drawn(rng, ratios, 100_000)
    assert np.median(y, axis=0) == pytest.approx([1.2, 1], rel=0.01)
    assert np.log(y).std(axis=0) == pytest.approx([0.5, 0.5], rel=0.01)


def test_blocks_of_a_cluster_have_the_stated_correlation():
    rng = np.random.default_rng(3)
    clusters = Dependence(clusters=BlockClusters(2, 0.5))
    normal = NormalScores(effects=(0.2, 0), sd=0.5, correlation=0.4)
    x = drawn(rng, normal, 40_000, clusters)
    assert x.shape == (80_000, 2)
    assert x.std(axis=0) == pytest.approx([0.5, 0.5], rel=0.02)
    assert np.corrcoef(x.T)[0, 1] == pytest.approx(0.4, abs=0.015)
    for scores in (x[:, 0], x[:, 0] - x[:, 1]):
        assert np.corrcoef(scores[::2], scores[1::2])[0, 1] == pytest.approx(
            0.5, abs=0.015
        )
    answers = AnswerTruth(effects=(0.1, 0), base=0.7, correlation=0.3)
    y = drawn(rng, answers, 40_000, clusters)
    assert y.mean(axis=0) == pytest.approx([0.8, 0.7], abs=0.01)
    assert np.corrcoef(y.T)[0, 1] == pytest.approx(0.3, abs=0.015)
    assert 0.2 < np.corrcoef(y[::2, 1], y[1::2, 1])[0, 1] < 0.5


def test_folds_share_what_is_stated():
    rng = np.random.default_rng(2)
    truth = NormalScores(effects=(0, 0), sd=0.5, correlation=0.2)
    folds = Dependence(folds=0.4)
    x = np.array([drawn(rng, truth, 2, folds) for _ in range(20_000)])
    d = x[:, :, 0] - x[:, :, 1]
    assert np.corrcoef(d.T)[0, 1] == pytest.approx(0.4, abs=0.02)
    within = (x[:, 0] - x[:, 1]).std() / math.sqrt(2)  # what one study shows
    assert within == pytest.approx(0.5, rel=0.02)


def test_answers_have_the_stated_shares_and_correlation():
    truth = AnswerTruth(effects=(0.1, 0, -0.2), base=0.7, correlation=0.35)
    x = drawn(np.random.default_rng(3), truth, 300_000)
    assert set(np.unique(x)) == {0, 1}
    assert x.mean(axis=0) == pytest.approx(truth.shares, abs=0.004)
    among = np.corrcoef(x.T)[np.triu_indices(3, 1)]
    assert among.mean() == pytest.approx(0.35, abs=0.006)
    apart = [np.mean(x[:, i] != x[:, j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert np.mean(apart) == pytest.approx(truth.discordant, abs=0.004)


def test_seed_and_workers():
    plan, n, truth = PLANS["two"]
    one, two = (
        pc.planned_power(plan, n=[n, 20], trials=15, seed=5, workers=w, **truth).table
        for w in (1, 2)
    )
    assert one.equals(two)
    other = pc.planned_power(plan, n=[n, 20], trials=15, seed=6, **truth).table
    assert not one["share"].equals(other["share"])
    assert one["n"].unique().tolist() == [n, 20]


CASE = {**NORMAL, "answers": "graded"}


@pytest.mark.parametrize(
    ("plan", "truth", "told"),
    [
        (plan_of(DATASETS), {**NORMAL, "sd": None}, r"needs sd \(the spread"),
        (plan_of(DATASETS), {**NORMAL, "sd": 0}, "sd=0"),
        (plan_of(DATASETS), {**NORMAL, "correlation": 1}, "correlation=1"),
        (plan_of(DATASETS), {**NORMAL, "correlation": -0.6}, "above -0.5"),
        (plan_of(DATASETS), {**NORMAL, "effects": {}}, "effects: state"),
        (plan_of(DATASETS), {**NORMAL, "effects": {"x": 1}}, "there are a, b, c"),
        (plan_of(DATASETS), {**NORMAL, "effects": {"a": math.nan}}, "finite number"),
        (plan_of(DATASETS), {**NORMAL, "base": 0.5}, "base=0.5 has no use"),
        (plan_of(DATASETS), CASE, "answers='graded' has no use"),
        (plan_of(DATASETS), {**NORMAL, "fold_correlation": 0}, "has no use"),
        (plan_of(DATASETS), {**NORMAL, "trials": 0}, "trials=0"),
        (plan_of(DATASETS), {**NORMAL, "n": []}, "one size or more"),
        (plan_of(DATASETS), {**NORMAL, "n": 1}, "n=1"),
        (
            plan_of(DATASETS, 'scale = "ratio"'),
            {**NORMAL, "effects": {"a": -1}},
            "such as 1.05",
        ),
        (plan_of(*FOLDS), NORMAL, r"needs fold_correlation"),
        (plan_of(*FOLDS), {**NORMAL, "fold_correlation": 1}, "below 1"),
        (plan_of('blocks = "folds"'), {**NORMAL, "fold_correlation": 0.1}, "no tests"),
        (plan_of(CASES), NORMAL, "answers: state which"),
        (plan_of(CASES), {**RIGHT, "base": None}, "needs base"),
        (plan_of(CASES), {**RIGHT, "base": 1.2}, "base=1.2"),
        (plan_of(CASES), {**RIGHT, "sd": 0.1}, "sd=0.1 has no use"),
        (plan_of(CASES), {**RIGHT, "effects": {"a": 0.3}}, "1.1; it must lie"),
        (plan_of(CASES), {**RIGHT, "correlation": 0.999}, "from 0 to below 0.7"),
        (plan_of('blocks = "by-columns"'), NORMAL, "set blocks"),
        (plan_of(DATASETS, data='algorithm = "m"'), NORMAL, "--n-algorithms"),
        (
            plan_of(DATASETS, data='algorithm = "m"\ncluster = "c"'),
            {**NORMAL, "n_algorithms": 3},
            r"needs per_cluster \(the blocks",
        ),
        (plan_of(DATASETS), {**NORMAL, "per_cluster": 2}, "a plan without clusters"),
        (
            plan_of(DATASETS, clusters=True),
            {**NORMAL, **CLUSTERED, "per_cluster": 1},
            "no cluster",
        ),
        (
            plan_of(DATASETS, clusters=True),
            {**NORMAL, **CLUSTERED, "cluster_correlation": 1},
            "below 1",
        ),
    ],
)  # fmt: skip
def test_what_is_not_stated_is_not_guessed(plan, truth, told):
    given = {"n": 12, "n_algorithms": None, "trials": 2, **truth}
    with pytest.raises(PyCompareError, match=told):
        pc.planned_power(plan, **given)


def test_names_where_the_plan_lists_none():
    plan = plan_of(DATASETS, data='algorithm = "m"')
    truth = {**NORMAL, "effects": {"algorithm 2": 0.1}}
    found = pc.planned_power(plan, n=8, n_algorithms=3, trials=2, **truth)
    assert found.table["algorithm_1"].iloc[0] == "algorithm 2"


def test_folds_of_data_sets_count_data_sets():
    keys = ('blocks = "folds-of-datasets"', 'protocol = "cross-validation"')
    folds = plan_of(*keys, data='algorithm = "m"\ndataset = "s"')
    alone = plan_of(DATASETS, data='algorithm = "m"')
    truth = {**NORMAL, "effects": {"algorithm 1": 0.03}, "n_algorithms": 3}
    one, two = (pc.planned_power(p, n=9, trials=4, **truth) for p in (folds, alone))
    assert one.table.equals(two.table)
    assert one.units == "data sets"


def test_the_command_line_gives_the_same_numbers(pycompare, tmp_path):
    plan, n, truth = PLANS["holm"]
    path = tmp_path / "plan.toml"
    path.write_text(plan.text)
    words = ["power", path, "--n", n, "--trials", 5, "--effect", "a=0.04"]
    words += ["--sd", 0.05, "--correlation", 0.6, "--seed", 4]
    status, out, err = pycompare(*words, "--json")
    assert status == 0, err
    told = json.loads(out)
    found = pc.planned_power(plan, n=n, trials=5, seed=4, **truth)
    assert [row["share"] for row in told["table"]] == found.table["share"].tolist()
    assert told["sentences"] == found.sentences()
    assert told["plan_sha256"] == plan.sha256
    status, out, _ = pycompare(*words)
    assert status == 0
    assert out.splitlines()[1] == found.sentences()[1]
    assert "Assumed truth: effect on score: a 0.04, 2 others 0; normal" in out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--effect", "a=1", "--sd", 1], "the power needs --correlation"),
        (["--effect", "a=1", "--correlation", 0], "--sd (the spread"),
        (["--effect", "a", "--sd", 1, "--correlation", 0], "write NAME=X"),
        (["--effect", "a=1", "--effect", "a=2", "--correlation", 0], "given twice"),
        (["--effect", "z=1", "--sd", 1, "--correlation", 0], "--effect z: no alg"),
    ],
)  # fmt: skip
def test_the_command_line_asks_for_what_is_missing(pycompare, tmp_path, words, told):
    path = tmp_path / "plan.toml"
    path.write_text(PLANS["holm"][0].text)
    status, out, err = pycompare("power", path, "--n", 12, *words)
    assert (status, out) == (2, "")
    assert told in err
