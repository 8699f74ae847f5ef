"""Folds of several data sets: each by itself, and four comparisons over them."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.decisions import unable
from pycompare.designs.quantity import QUANTITIES
from pycompare.methods.over_datasets.dataset_tables import dataset_means
from tests.methods.over_datasets.many import counts
from tests.methods.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

SIZES = [5, 6, 4, 5, 7, 5, 5, 4]


def analysis_of(scores, **plan):
    return pc.compare(scores, pc.Plan(**plan, protocol="held-out")).analyses[0]


def part(scores, name):
    blocks = [
        b for b, d in zip(scores.blocks, scores.datasets, strict=True) if d == name
    ]
    return scores.select(blocks=blocks)


def test_the_columns_decide_the_analysis():
    assert analysis_of(folds_of(SIZES)).kind == "data sets"
    alone = pc.compare(folds_of([1, 1, 1, 1])).analyses[0]
    assert alone.kind == "data sets" and not alone.each and alone.wins is None
    assert analysis_of(folds_of([6])).kind == "means"
    averaged = pc.Plan(average_folds=True, compares="ranks")
    assert pc.compare(folds_of(SIZES), averaged).analyses[0].kind == "ranks"


def test_each_data_set_has_the_analysis_of_its_own_folds():
    scores = folds_of(SIZES, effect=0.6)
    got = analysis_of(scores)
    assert [found.dataset for found in got.each] == [f"d{i + 1}" for i in range(8)]
    assert [found.n_folds for found in got.each] == SIZES
    for found in got.each:
        alone = part(scores, found.dataset)
        assert found.omnibus.p_value == pc.anova(alone).p_value
        assert found.decisive.table.equals(pc.tukey(alone).table)
        assert found.letters.equals(pc.letters(pc.tukey(alone)))


def test_the_comparisons_over_data_sets_are_those_of_the_methods():
    scores = folds_of(SIZES, effect=0.4)
    got, means = analysis_of(scores), dataset_means(scores)
    alone = pc.compare(means, pc.Plan(blocks="datasets", compares="ranks")).analyses[0]
    assert json.dumps(got.ranks.to_dict()) == json.dumps(alone.to_dict())
    assert got.by("ranks").decisive is got.ranks.decisive
    typical = pc.signed_rank_pairs(means, adjust="closed-permutation", seed=0)
    assert got.by("typical-difference").decisive.table.equals(typical.table)
    wins = pc.wins(scores, omnibus=False)
    assert got.wins.wins.equals(wins.wins)
    assert got.by("wins").decisive.table.equals(pc.sign_grid(wins).table)
    every = got.by("means").pairs
    own = pc.paired_t_pairs(means, adjust="bergmann-hommel", alpha=0.05)
    assert every[0].table.equals(own.table)
    assert every[1].table.equals(pc.tukey(means).table)
    assert every[0].adjust == "bergmann-hommel" and every[1].adjust == "tukey"
    assert got.by("means").test.p_value == pc.anova(means).p_value
    assert got.by("model").decisive.table.equals(pc.tukey(scores).table)
    assert got.by("model").test.formula.startswith("y0 ~ dataset + dataset:block")
    assert got.interaction.p_value == pc.dataset_interaction(scores).p_value


@pytest.mark.parametrize("key", QUANTITIES)
@pytest.mark.parametrize("a", [2, 4])
def test_the_plan_says_which_one_makes_the_verdict(key, a):
    scores = folds_of(SIZES, a, effect=0.4)
    if (key, a) == ("ranks", 2):
        with pytest.raises(pc.PlanError, match="three algorithms"):
            analysis_of(scores, compares=key)
        return
    got = analysis_of(scores, compares=key)
    assert got.planned.key == key
    assert got.decisions == got.by(key).decisions
    keys = set(QUANTITIES) - ({"ranks"} if a == 2 else set())
    assert set(got.disagree) == keys - {key}


def test_the_default_is_the_typical_difference_whatever_the_scores_say():
    for effect in (0.0, 2.0):
        comparison = pc.compare(
            folds_of(SIZES, effect=effect), pc.Plan(protocol="held-out")
        )
        assert comparison.plan.compares == "typical-difference"
        assert comparison.analyses[0].compares == "typical-difference"


def test_methods_of_the_plan_are_for_the_one_that_decides():
    scores = folds_of(SIZES)
    got = analysis_of(scores, compares="means", adjust=("holm", "scheffe"))
    assert [p.adjust for p in got.by("means").pairs] == ["holm", "scheffe"]
    assert got.by("ranks").decisive.adjust == "closed-permutation"
    assert got.by("wins").decisive.adjust == "holm"
    assert got.by("model").decisive.adjust == "tukey"


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_two_algorithms_have_wilcoxon_sign_and_t_tests_of_data_set_means(better):
    scores = folds_of(SIZES, a=2, effect=0.5, metrics={"m": better})
    got, means = analysis_of(scores), dataset_means(scores)
    assert got.ranks is None
    p = {found.key: found.decisions[0].p_adjusted for found in got.over}
    assert p["typical-difference"] == pc.wilcoxon(means).p_value
    assert p["means"] == pc.paired_t(means).p_value
    assert p["wins"] == pc.sign_grid(pc.wins(scores)).table["p_adjusted"][0]
    assert_digits(p["model"], pc.anova(scores).p_value, at_least=9, what="p")
    ahead = {found.decisions[0].better for found in got.over if found.key != "wins"}
    assert ahead == {"A1"}


def test_a_control_is_compared_over_data_sets():
    got = analysis_of(folds_of(SIZES, effect=0.8), control="A2")
    for found in got.over:
        assert len(found.decisions) == 3 and found.cliques == ()
        assert all("A2" in made.pair for made in found.decisions)
    assert [p.adjust for p in got.by("means").pairs[:2]] == ["holm", "dunnett"]
    for on in got.each:
        alone = pc.dunnett(part(folds_of(SIZES, effect=0.8), on.dataset), control="A2")
        assert on.decisive.table.equals(alone.table)
        assert on.cliques == () and on.letters is None


def test_a_gate_lets_pairs_through_only_where_all_algorithms_differ():
    for seed in range(20):
        scores = folds_of(SIZES, seed=seed, effect=0.15)
        free = analysis_of(scores, compares="ranks")
        gate = analysis_of(scores, compares="ranks", gate="omnibus")
        for key in ("ranks", "means", "model"):
            over, plain = gate.by(key), free.by(key)
            expected = np.maximum(plain.decisive.table["p_adjusted"], over.test.p_value)
            assert over.decisive.table["p_adjusted"].equals(expected)
        for found in gate.each:
            if found.omnibus.p_value > 0.05:
                assert not any(made.rejected for made in found.decisions)
        assert gate.wins.omnibus and not free.wins.omnibus


def test_a_gate_holds_on_the_other_analyses():
    means = dataset_means(folds_of(SIZES, effect=0.3))
    for blocks in ("datasets", "folds"):
        bare = pc.Scores(means.values, means.blocks, means.algorithms, means.metrics)
        protocol = "held-out" if blocks == "folds" else None
        compares = "ranks" if blocks == "datasets" else None
        plan = pc.Plan(
            blocks=blocks, gate="omnibus", protocol=protocol, compares=compares
        )
        got = pc.compare(bare, plan).analyses[0]
        p = got.decisive.table["p_adjusted"]
        assert (p >= got.omnibus.p_value).all()


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(2, 5),
    effect=st.sampled_from([0.0, 0.4, 1.5]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
    better=st.sampled_from(["higher", "lower"]),
    verdict=st.sampled_from(list(QUANTITIES)),
    gate=st.sampled_from(["none", "omnibus"]),
    control=st.booleans(),
    sizes=st.sampled_from([{}, {"n_train": 80, "n_test": 20}]),
)
def test_no_part_contradicts_another(
    seed, a, effect, alpha, better, verdict, gate, control, sizes
):
    scores = folds_of(
        [3, 4, 5, 3, 4], a, seed=seed, effect=effect, metrics={"m": better}
    )
    if a == 2 and verdict == "ranks":
        verdict = "typical-difference"
    if verdict == "typical-difference":
        gate = "none"
    plan = {"alpha": alpha, "compares": verdict, "gate": gate}
    plan |= sizes or {"protocol": "held-out"}
    plan = pc.Plan(control="A1" if control else None, **plan)
    [got] = pc.compare(scores, plan).analyses
    counted = dict.fromkeys(
        ((i, j) for i in scores.algorithms for j in scores.algorithms), 0
    )
    for found in got.each:
        means = found.omnibus.means
        for made in found.decisions:
            if made.rejected:
                counted[made.better, made.worse] += 1
                ahead = means[made.better] > means[made.worse]
                assert ahead == (better == "higher")
            if control:
                assert "A1" in made.pair and found.letters is None
                continue
            shared = set(found.letters[made.better]) & set(found.letters[made.worse])
            assert made.rejected != bool(shared)
    for (i, j), count in counted.items():
        assert got.wins.wins.loc[i, j] == count
    table = got.agreement()
    for found in got.over:
        rejected = {made.pair for made in found.decisions if made.rejected}
        joined = {
            frozenset((i, j)) for c in found.cliques for i in c for j in c if i != j
        }
        assert not joined & rejected
        if not control:
            assert len(joined) + len(rejected) == a * (a - 1) // 2
        for _, row in table.iterrows():
            pair = frozenset((row.algorithm_1, row.algorithm_2))
            assert bool(row[f"better_{found.key.replace('-', '_')}"]) == (
                pair in rejected
            )
        if found.key != verdict:
            mine = {m.pair: m for m in got.decisions}
            theirs = {m.pair: m for m in found.decisions}
            expected = {
                p
                for p in mine
                if mine[p].rejected != theirs[p].rejected
                or (mine[p].rejected and mine[p].better != theirs[p].better)
            }
            hopeless = unable(found.decisive, alpha)
            assert {d.planned.pair for d in got.disagree[found.key]} == (
                expected - hopeless
            )


def test_without_any_difference_nothing_is_decided():
    scores = folds_of(SIZES)
    flat = pc.Scores(
        np.ones((scores.n_blocks, 3, 1)),
        scores.blocks,
        ("A1", "A2", "A3"),
        scores.metrics,
        scores.datasets,
    )
    got = analysis_of(flat)
    for found in got.over:
        assert not any(made.rejected for made in found.decisions)
    assert (got.wins.wins.to_numpy() == 0).all()


def test_several_metrics_are_compared_together_over_data_set_means():
    scores = folds_of([4] * 12, effect=0.8, metrics={"e": "lower", "auc": "higher"})
    comparison = pc.compare(scores, pc.Plan(protocol="held-out"))
    means = dataset_means(scores)
    assert [a.metric.name for a in comparison.analyses] == ["e", "auc"]
    found = comparison.together
    expected = pc.manova(means, metrics=["e", "auc"])
    assert found.manova.wilks.p_value == expected.wilks.p_value
    assert len(found.pairs.table) == 6
    held = comparison.to_dict()
    assert json.loads(json.dumps(held, allow_nan=False)) == held


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"compares": "rank"}, "compares='rank'"),
        ({"gate": "anova"}, "gate='anova'"),
        ({"blocks": "datasets", "compares": "wins"}, "several data sets"),
        ({"compares": "wins", "average_folds": True}, "needs their folds"),
        ({"blocks": "folds-of-datasets", "average_folds": True}, "keeps its folds"),
        (
            {"blocks": "folds-of-datasets", "adjust": ("tukey",)},
            "compares='means'",
        ),
    ],
)
def test_plans_that_cannot_be_are_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.Plan(**options, protocol="held-out")


@pytest.mark.parametrize("adjust", ["nemenyi", "tukey"])
def test_sign_tests_have_p_values_to_adjust(adjust):
    with pytest.raises(
        pc.InputError, match=r"sign tests of wins|probabilities of winning"
    ):
        pc.compare(
            folds_of(SIZES),
            pc.Plan(compares="wins", adjust=(adjust,), protocol="held-out"),
        )


@pytest.mark.parametrize(
    ("sizes", "options", "message"),
    [
        ([6], {"blocks": "folds-of-datasets"}, "two data sets"),
        ([3, 1, 4], {}, "one fold only, first 'd2'"),
        ([6], {"compares": "wins"}, "several data sets"),
    ],
)
def test_scores_that_do_not_fit_are_refused(sizes, options, message):
    with pytest.raises((pc.DesignError, pc.InputError), match=message):
        pc.compare(folds_of(sizes), pc.Plan(**options, protocol="held-out"))


def test_missing_cells_are_refused():
    scores = folds_of(SIZES)
    x = scores.values.copy()
    x[3, 1, 0] = np.nan
    gappy = pc.Scores(
        x,
        scores.blocks,
        scores.algorithms,
        scores.metrics,
        scores.datasets,
        missing="model",
    )
    with pytest.raises(pc.DesignError, match="drop-block"):
        pc.compare(gappy)


def test_several_metrics_are_compared_together_on_each_data_set():
    scores = counts(8, 10, 3, seed=2)
    plan = pc.Plan(metrics=("fp", "fn"), cost_ratio=2.0, protocol="held-out")
    found = pc.compare(scores, plan).datasets_together
    expected = pc.wins(
        scores,
        metrics=["fp", "fn"],
        adjust="bergmann-hommel",
        omnibus=False,
        cost_ratio=2.0,
    )
    assert found.wins.wins.equals(expected.wins)
    assert found.sign.table.equals(pc.sign_grid(expected).table)
    for on in found.each:
        alone = part(scores, on.dataset)
        assert on.manova.p_value == pc.manova(alone, metrics=["fp", "fn"]).p_value
        mine = expected.decisions.query("dataset == @on.dataset")["p_pairs"]
        assert_digits(on.pairs.table["p_adjusted"], mine, at_least=9, what="p")


def test_without_a_cost_ratio_nobody_wins_in_several_metrics(tmp_path):
    found = pc.compare(
        counts(4, 8, 3), pc.Plan(metrics=("fp", "fn"), protocol="held-out")
    )
    assert found.datasets_together.wins is None
    page = (pc.report(found, tmp_path / "out") / "report.html").read_text("utf-8")
    assert "better in several metrics depends on costs" in page


def test_too_few_folds_for_the_metrics_are_said_data_set_by_data_set(tmp_path):
    metrics = {f"m{i}": "lower" for i in range(4)}
    comparison = pc.compare(
        folds_of([3, 9, 9, 9, 9, 9], 3, metrics=metrics), pc.Plan(protocol="held-out")
    )
    found = comparison.datasets_together
    assert [bool(on.refusal) for on in found.each] == [True, *[False] * 5]
    page = (pc.report(comparison, tmp_path / "out") / "report.html").read_text("utf-8")
    assert "Not computed on one data set, first d1" in page


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": ("fp",)}, "two metrics"),
        ({"together": "no"}, "several metrics together"),
        ({"average_folds": True}, "folds of several data"),
        ({"cost_ratio": -1.0}, "the cost of a false positive"),
    ],
)
def test_costs_that_decide_nothing_are_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.compare(
            counts(4, 8, 3),
            pc.Plan(**{"cost_ratio": 1.0, **options}, protocol="held-out"),
        )


def test_nemenyi_is_no_adjustment_of_t2():
    scores = folds_of([4] * 8, metrics={"e": "lower", "auc": "higher"})
    found = pc.compare(
        scores, pc.Plan(compares="ranks", adjust=("nemenyi",), protocol="held-out")
    ).together
    assert found.pairs.adjust == "holm"


def test_only_the_interaction_is_the_error_of_a_claim_about_new_data_sets():
    """No algorithm is better over data sets, but differences change between them."""
    rejected = {"means": 0, "model": 0}
    runs = 300
    for seed in range(runs):
        scores = folds_of([5] * 8, 3, seed=seed, change=1.0)
        means = pc.tukey(pc.dataset_means(scores)).table["p_adjusted"]
        model = pc.tukey(scores).table["p_adjusted"]
        rejected["means"] += (means <= 0.05).any()
        rejected["model"] += (model <= 0.05).any()
    assert rejected["means"] <= (0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)) * runs
    assert rejected["model"] > 0.2 * runs
