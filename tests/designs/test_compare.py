"""Which analysis a comparison takes, and what is on it."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.decisions import decisions, disagreements
from pycompare.designs.pair_methods import PUBLISHED
from pycompare.reporting.content import wording
from tests.conftest import wide

FOLDS = pc.Plan(blocks="folds", protocol="held-out")
SIZES = {"n_train": 90, "n_test": 10}
ENLARGED = {**SIZES, "overlap": 2.25}


def values(n=10, a=4, seed=1, spread=0.5):
    rng = np.random.default_rng(seed)
    blocks = rng.normal(size=(n, 1))
    return rng.normal(size=(n, a)) + blocks + spread * np.arange(a)


def with_datasets(x, datasets):
    """Scores with a data set column; one label a block."""
    rows = [
        {"d": datasets[i], "f": i, "a": f"A{j + 1}", "y": float(v)}
        for i, row in enumerate(x)
        for j, v in enumerate(row)
    ]
    return pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="a",
        block="f",
        dataset="d",
        metrics={"y": "lower"},
    )


def kind_of(scores, plan=None):
    return pc.compare(scores, plan).analyses[0].kind


def test_without_a_data_set_column_blocks_are_data_sets():
    assert kind_of(wide(values())) == "data sets"
    assert kind_of(wide(values()), pc.Plan(compares="ranks")) == "ranks"
    assert kind_of(wide(values(20, 2))) == "two algorithms"


def test_one_data_set_in_its_column_means_folds():
    plan = pc.Plan(protocol="cross-validation")
    assert kind_of(with_datasets(values(), ["d"] * 10)) == "estimates"
    assert kind_of(with_datasets(values(), ["d"] * 10), plan) == "means"
    assert kind_of(with_datasets(values(10, 2), ["d"] * 10), plan) == "two algorithms"


def test_a_data_set_for_each_block_means_data_sets():
    assert kind_of(with_datasets(values(), list("abcdefghij"))) == "data sets"


def test_folds_can_be_declared_without_the_column():
    assert kind_of(wide(values()), FOLDS) == "means"
    assert kind_of(wide(values(10, 2)), FOLDS) == "two algorithms"


def test_no_score_decides_the_analysis():
    rng = np.random.default_rng(0)
    for x in (rng.exponential(size=(10, 3)) ** 4, rng.normal(size=(10, 3)) * 1e-9):
        assert kind_of(wide(x), FOLDS) == "means"
        assert kind_of(wide(x), pc.Plan(scale="difference")) == "data sets"


@pytest.mark.parametrize("blocks", ["datasets", "folds"])
def test_folds_of_several_data_sets_are_refused(blocks):
    scores = with_datasets(values(), ["d"] * 5 + ["e"] * 5)
    with pytest.raises(pc.DesignError, match="average_folds"):
        pc.compare(scores, pc.Plan(blocks=blocks))


def test_blocks_declared_against_the_data_set_column_are_refused():
    scores = with_datasets(values(), ["d"] * 10)
    with pytest.raises(pc.DesignError, match=r"holds one, 'd'.*blocks='folds'"):
        pc.compare(scores, pc.Plan(blocks="datasets"))


def test_the_plan_says_what_was_asked_and_what_was_settled():
    comparison = pc.compare(with_datasets(values(), ["d"] * 10))
    assert comparison.asked.blocks == "by-columns"
    assert comparison.plan.blocks == "folds"
    assert comparison.plan.adjust[0] == "tukey"


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_the_numbers_are_those_of_the_methods(better):
    scores = wide(values(), better)
    [got] = pc.compare(scores, pc.Plan(blocks="folds", **SIZES)).analyses
    assert got.omnibus.p_value == pc.anova(scores).p_value
    by_name = {p.adjust: p.table["p_adjusted"].tolist() for p in got.pairs}
    assert by_name["scheffe"] == pc.scheffe(scores).table["p_adjusted"].tolist()
    for name in ("bergmann-hommel", "holm", "bonferroni"):
        expected = pc.pairwise_t(scores, adjust=name).table["p_adjusted"]
        assert by_name[name] == expected.tolist()
    expected = pc.corrected_pairs(
        scores, adjust="bergmann-hommel", alpha=0.05, **ENLARGED
    )
    assert got.corrected.table.equals(expected.table)
    assert got.checks.to_frame().equals(pc.residual_checks(scores).to_frame())
    assert got.decisive is got.corrected
    assert got.letters.equals(pc.letters(got.corrected))
    assert by_name["tukey"] == pc.tukey(scores).table["p_adjusted"].tolist()
    assert got.variance_ratio == pytest.approx(1 + 2.25 * 10 / 9)


@pytest.mark.parametrize("sizes", [{"protocol": "held-out"}, SIZES])
def test_tukey_decides_without_sizes_or_if_it_is_named_first(sizes):
    scores = wide(values())
    named = pc.Plan(blocks="folds", adjust=("tukey", "holm"), **sizes)
    [got] = pc.compare(scores, named).analyses
    assert got.decisive.table.equals(pc.tukey(scores).table)
    assert got.letters.equals(pc.letters(pc.tukey(scores)))
    assert got.other is got.corrected


def test_sizes_of_the_sets_give_the_verdict_to_the_corrected_tests():
    scores = wide(values())
    [got] = pc.compare(scores, pc.Plan(blocks="folds", control="A2", **SIZES)).analyses
    assert got.decisive.adjust == "holm"
    assert got.decisive.table.equals(
        pc.corrected_pairs(
            scores, adjust="holm", control="A2", alpha=0.05, **ENLARGED
        ).table
    )
    assert got.other is got.pairs[0]


def test_the_rank_analysis_beside_it_is_the_one_of_the_rank_tests():
    scores = wide(values())
    [got] = pc.compare(scores, FOLDS).analyses
    adjust = ("bergmann-hommel", "holm", "bonferroni")
    [alone] = pc.compare(scores, pc.Plan(compares="ranks", adjust=adjust)).analyses
    assert json.dumps(got.ranks.to_dict()) == json.dumps(alone.to_dict())


def test_two_algorithms_get_the_paired_t_test_and_its_correction():
    scores = wide(values(10, 2))
    [plain] = pc.compare(scores, FOLDS).analyses
    turned = {"algorithms": ["A2", "A1"]}  # A2 is better
    assert plain.test.to_dict() == pc.paired_t(scores, **turned).to_dict()
    assert plain.uncorrected is None
    [corrected] = pc.compare(scores, pc.Plan(blocks="folds", **SIZES)).analyses
    assert (
        corrected.test.to_dict() == pc.paired_t(scores, **turned, **ENLARGED).to_dict()
    )
    assert corrected.uncorrected.p_value == plain.test.p_value
    assert corrected.wilcoxon.p_value == pc.wilcoxon(scores).p_value
    assert corrected.sign.p_value == pc.sign_test(scores).p_value


def test_two_algorithms_over_data_sets_are_compared_by_wilcoxons_test():
    scores = wide(values(15, 2))
    plan = pc.Plan(blocks="datasets", control="A1", alpha=0.1)
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    order = {"algorithms": ["A2", "A1"], "level": 0.9}
    alone = pc.wilcoxon(scores, p_value="exact", **order).of_its_estimate()
    assert got.test.to_dict() == alone.to_dict()
    [made] = got.decisions
    assert made.rejected == (alone.p_value <= 0.1)
    beside = {t.name.split(",")[0]: t.p_value for t in got.witnesses}
    assert beside == {
        "Paired t test": pc.paired_t(scores).p_value,
        "Exact sign test": pc.sign_test(scores).p_value,
    }
    text = comparison.summary()
    assert "folds" not in text and "Wilcoxon signed rank test of A2 minus A1" in text


def test_means_of_data_sets_of_two_algorithms_are_the_blocks():
    frame = wide(values(12, 2)).to_frame()
    frame["dataset"] = [f"d{i // 6}" for i in range(24)]
    scores = pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        dataset="dataset",
        metrics={"score": "higher"},
    )
    [got] = pc.compare(scores, pc.Plan(average_folds=True)).analyses
    means = pc.dataset_means(scores)
    turned = pc.wilcoxon(means, algorithms=["A2", "A1"], p_value="exact")
    assert got.test.to_dict() == turned.of_its_estimate().to_dict()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adjust": ("holm",)}, "one comparison"),
        ({"blocks": "folds", "adjust": ("scheffe",)}, "one comparison"),
        ({"decimals": 2}, "differences"),
        ({"monotone": True}, "three algorithms"),
    ],
)
def test_what_one_pair_has_no_use_for_is_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(wide(values(12, 2)), pc.Plan(**options))


def test_f_of_two_algorithms_is_the_square_of_the_paired_t():
    x = values(12, 3)
    scores = wide(x)
    two = scores.select(algorithms=["A1", "A3"])
    [got] = pc.compare(two, FOLDS).analyses
    assert_digits(got.test.statistic**2, pc.anova(two).statistic, at_least=12)


def test_a_margin_asks_for_equivalence_with_the_same_correction():
    scores = wide(values(10, 2, spread=0.0))
    plan = pc.Plan(
        blocks="folds", margin=2.5, hypothesis="equivalence", alpha=0.1, **SIZES
    )
    [got] = pc.compare(scores, plan).analyses
    turned = {"algorithms": ["A2", "A1"]}
    alone = pc.equivalence(scores, margin=2.5, alpha=0.1, **turned, **ENLARGED)
    assert got.equivalence.to_dict() == alone.to_dict()


def test_a_control_is_compared_by_dunnett():
    scores = wide(values())
    [got] = pc.compare(
        scores, pc.Plan(blocks="folds", protocol="held-out", control="A2")
    ).analyses
    assert got.decisive.table.equals(pc.dunnett(scores, control="A2").table)
    assert got.cliques == () and got.letters is None
    assert len(got.decisions) == 3


def test_a_control_of_two_stands_second():
    scores = wide(values(10, 2))
    [got] = pc.compare(
        scores, pc.Plan(blocks="folds", protocol="held-out", control="A1")
    ).analyses
    assert (got.test.algorithm_1, got.test.algorithm_2) == ("A2", "A1")


def test_the_first_method_makes_the_verdict():
    scores = wide(values())
    plan = pc.Plan(blocks="folds", protocol="held-out", adjust=("holm", "tukey"))
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    assert got.decisive.adjust == "holm"
    expected = pc.pairwise_t(scores, adjust="holm").rejected(0.05).sum()
    assert sum(d.rejected for d in got.decisions) == expected
    assert comparison.plan.t_adjust == "holm"
    assert comparison.plan.rank_adjust == ("holm",)


def test_a_plan_of_tukey_alone_leaves_ranks_their_own_default():
    plan = pc.Plan(blocks="folds", protocol="held-out", adjust=("tukey",))
    assert plan.rank_adjust[0] == "bergmann-hommel"
    assert plan.t_adjust == "holm"


def test_missing_cells_are_the_general_linear_model():
    x = values(12, 4)
    x[3, 2] = x[7, 0] = np.nan
    scores = wide(x, missing="model")
    [got] = pc.compare(scores, pc.Plan(blocks="folds", **SIZES)).analyses
    assert got.omnibus.p_value == pc.anova(scores).p_value
    assert got.omnibus.sphericity is None
    assert got.ranks.omnibus.name.startswith("Skillings-Mack")
    assert [p.method for p in got.pairs if p.adjust == "tukey"] == ["Tukey-Kramer"]
    with pytest.raises(pc.DesignError, match="missing='drop-block'"):
        pc.compare(scores.select(algorithms=["A1", "A2"]), FOLDS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blocks": "fold"}, "blocks='fold'"),
        ({"blocks": "folds", "adjust": ("nemenyi",)}, "mean ranks"),
        (
            {"blocks": "datasets", "compares": "ranks", "adjust": ("tukey",)},
            "compares='means'",
        ),
        ({"blocks": "folds", "adjust": ("dunnett",)}, "name one"),
        ({"blocks": "folds", "adjust": ("tukey",), "control": "A1"}, "all pairs"),
        ({"blocks": "folds", "adjust": ("tuckey",)}, "tukey, scheffe, dunnett"),
        ({"blocks": "folds", "monotone": True}, "monotone"),
        ({"blocks": "folds", "average_folds": True}, "several data sets"),
        ({"blocks": "folds", "n_train": 9}, "both"),
        ({"blocks": "folds", "n_train": 9, "n_test": -1}, "positive"),
        ({"blocks": "folds", "margin": 0}, "margin=0"),
        (
            {"blocks": "folds", "margin": 1, "hypothesis": "equivalence", "alpha": 0.5},
            "below 0.5",
        ),
        ({"blocks": "datasets", "compares": "ranks", **SIZES}, "independent data sets"),
        (
            {"blocks": "datasets", "compares": "ranks", "adjust": ("holm",), "seed": 1},
            "nothing is random",
        ),
        ({"blocks": "folds", "seed": -1}, "seed=-1"),
        ({"blocks": "folds", "seed": 1.5}, "seed=1.5"),
    ],
)
def test_plans_that_cannot_be_are_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.Plan(**options)


@pytest.mark.parametrize(
    ("a", "options", "message"),
    [
        (4, {**SIZES}, "independent data sets"),
        (4, {"adjust": ("tukey",)}, "compares='means'"),
        (2, {"compares": "ranks"}, "three algorithms or more"),
        (2, {"blocks": "folds", "decimals": 2}, "decimals"),
        (4, {"blocks": "folds", "control": "zz"}, "'zz' is not an algorithm"),
    ],
)
def test_plans_that_do_not_fit_the_scores_are_refused(a, options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.compare(wide(values(10, a)), pc.Plan(**options))


def test_scores_that_do_not_differ_are_undecided_not_wrong():
    x = np.arange(6.0)[:, None] + np.zeros(3)
    [got] = pc.compare(wide(x), FOLDS).analyses
    assert math.isnan(got.omnibus.p_value)
    assert not any(d.rejected for d in got.decisions)
    [two] = pc.compare(wide(x[:, :2]), FOLDS).analyses
    assert math.isnan(two.test.p_value) and not two.decisions[0].rejected


def test_a_perfect_fit_is_flagged():
    x = np.arange(6.0)[:, None] + np.array([0.0, 1.0, 2.0])
    [got] = pc.compare(wide(x), FOLDS).analyses
    assert math.isinf(got.omnibus.statistic)
    assert any("perfect fit" in note for note in got.omnibus.notes)


def test_results_are_what_json_can_hold():
    x = values(10, 3)
    for plan, scores in (
        (pc.Plan(blocks="folds", **SIZES), wide(x)),
        (
            pc.Plan(blocks="folds", margin=1.0, hypothesis="equivalence", **SIZES),
            wide(x[:, :2]),
        ),
    ):
        held = pc.compare(scores, plan).to_dict()
        assert json.loads(json.dumps(held, allow_nan=False)) == held


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10_000),
    a=st.integers(3, 6),
    spread=st.sampled_from([0.0, 0.4, 1.0]),
    alpha=st.sampled_from([0.001, 0.05, 0.2]),
    better=st.sampled_from(["higher", "lower"]),
)
def test_disagreements_are_the_pairs_decided_otherwise(seed, a, spread, alpha, better):
    scores = wide(values(9, a, seed, spread), better)
    plan = pc.Plan(blocks="folds", alpha=alpha, **SIZES)
    [got] = pc.compare(scores, plan).analyses
    for other, found in (
        (got.ranks.decisions, got.ranks_disagree),
        (decisions(got.other, alpha), got.other_disagrees),
    ):
        mine = {d.pair: d for d in got.decisions}
        theirs = {d.pair: d for d in other}
        expected = {
            p
            for p, d in mine.items()
            if d.rejected != theirs[p].rejected
            or (d.rejected and d.better != theirs[p].better)
        }
        assert {d.planned.pair for d in found} == expected
        assert disagreements(got.decisions, other) == found


def test_opposite_verdicts_are_a_disagreement():
    # One fold in which A1 is far better outweighs nine in which it is a little worse.
    x = np.column_stack([np.full(40, 0.1), np.zeros(40), np.full(40, 9.0)])
    x[:3, 0] -= 5.0
    x += 1e-3 * np.random.default_rng(3).normal(size=x.shape)
    [got] = pc.compare(
        wide(x, "lower"), pc.Plan(blocks="folds", protocol="held-out", alpha=0.2)
    ).analyses
    by_pair = {d.planned.pair: d for d in got.ranks_disagree}
    found = by_pair[frozenset(("A1", "A2"))]
    assert found.other.better == "A2" and found.other.rejected


RANK_TESTS = {
    "friedman": (pc.friedman, "friedman"),
    "iman-davenport": (lambda s: pc.friedman(s).iman_davenport, "friedman"),
    "aligned-ranks": (pc.aligned_ranks, "aligned"),
    "quade": (pc.quade, "quade"),
}


@pytest.mark.parametrize("omnibus", RANK_TESTS)
def test_the_planned_rank_test_leads_and_pairs_have_its_ranks(omnibus):
    scores = wide(values(12, 5))
    test, method = RANK_TESTS[omnibus]
    adjust = PUBLISHED if method == "friedman" else PUBLISHED[:-1]
    comparison = pc.compare(
        scores, pc.Plan(compares="ranks", omnibus=omnibus, adjust=adjust)
    )
    [got] = comparison.analyses
    assert got.omnibus.to_dict() == test(scores).to_dict()
    beside = [t.name for t in got.witnesses]
    assert len(beside) == 5 and got.omnibus.name not in beside
    alone = pc.rank_pairs(scores, method=method, adjust="bergmann-hommel")
    assert got.decisive.table.equals(alone.table)
    assert (got.nemenyi is None) == (method != "friedman")
    assert wording.begun(got.omnibus.name) in comparison.summary().split("\n")[1]


@pytest.mark.parametrize("form", ["greenhouse-geisser", "huynh-feldt"])
def test_the_planned_degrees_of_freedom_make_the_verdict_and_the_gate(form):
    scores = wide(values(6, 4, spread=0.8) * np.array([0.2, 1.0, 3.0, 9.0]))
    plan = pc.Plan(
        blocks="folds", protocol="held-out", omnibus=form, gate="omnibus", alpha=0.2
    )
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    found = pc.anova(scores).sphericity
    p = getattr(found, f"p_{form.replace('-', '_')}")
    epsilon = getattr(found, form.replace("-", "_"))
    assert got.omnibus.p_value == p
    assert got.omnibus.df == (3 * min(epsilon, 1.0), 15 * min(epsilon, 1.0))
    assert (got.decisive.table["p_adjusted"] >= p).all()
    assert FORM_TITLES[form] in comparison.summary().split("\n")[1]
    assert got.forms()["anova"][1] == pc.anova(scores).p_value


FORM_TITLES = {"greenhouse-geisser": "Greenhouse-Geisser", "huynh-feldt": "Huynh-Feldt"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blocks": "folds", "omnibus": "quade"}, "ranks over data sets"),
        (
            {"blocks": "datasets", "compares": "ranks", "omnibus": "anova"},
            "means over folds",
        ),
        ({"omnibus": "freidman"}, "friedman"),
        ({"omnibus": "quade"}, "compares='ranks'"),
        ({"omnibus": "anova"}, "compares='means'"),
        (
            {"compares": "ranks", "omnibus": "quade", "adjust": ("nemenyi",)},
            "Friedman's ranks",
        ),
        (
            {"compares": "ranks", "omnibus": "quade", "p_values": "exact"},
            "Friedman's ranks",
        ),
        (
            {"blocks": "folds-of-datasets", "compares": "wins", "omnibus": "friedman"},
            "sign tests",
        ),
    ],
)
def test_an_omnibus_test_of_another_road_is_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(wide(values(12, 4)), pc.Plan(**options))


def test_an_omnibus_test_is_refused_where_there_is_none_to_choose():
    x = values(12, 4)
    with pytest.raises(pc.PlanError, match="two algorithms"):
        pc.compare(wide(x[:, :2]), pc.Plan(omnibus="friedman"))
    with pytest.raises(pc.PlanError, match="three blocks"):
        pc.compare(
            wide(x[:2]),
            pc.Plan(blocks="folds", protocol="held-out", omnibus="huynh-feldt"),
        )
    x[1, 1] = np.nan
    with pytest.raises(pc.PlanError, match="drop-block"):
        pc.compare(wide(x, missing="model"), pc.Plan(omnibus="quade"))


@pytest.mark.parametrize("blocks", ["datasets", "folds"])
def test_a_gate_leaves_what_r_repeats_as_it_is(blocks):
    scores = wide(values(8, 4, spread=0.4))
    protocol = "held-out" if blocks == "folds" else None
    compares = "ranks" if blocks == "datasets" else None
    plan = pc.Plan(blocks=blocks, protocol=protocol, compares=compares)
    [plain] = pc.compare(scores, plan).analyses
    [gated] = pc.compare(scores, replace(plan, gate="omnibus")).analyses
    for free, closed in zip(plain.pairs, gated.pairs, strict=True):
        for name, numbers in free.r_values().items():
            assert np.array_equal(numbers, closed.r_values()[name], equal_nan=True)
        larger = np.maximum(free.table["p_adjusted"], gated.omnibus.p_value)
        assert closed.table["p_adjusted"].tolist() == larger.tolist()
        assert closed.table["p_pairs"].tolist() == free.table["p_adjusted"].tolist()
    assert "p_pairs" not in gated.pairs_table()


def test_a_comparison_is_shown_by_its_conclusion():
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets", compares="ranks"))
    assert repr(comparison) == (
        "<Comparison of <Scores: 30 blocks x 5 algorithms, accuracy (higher is "
        "better)>; summary() has the conclusion>"
    )
    assert (
        "C4.5 has a significantly better mean rank than CN2, 1-NN"
        in comparison._repr_html_()
    )
    assert "p &lt; 0.001" in comparison._repr_html_()


def test_several_metrics_are_given_with_their_directions():
    with pytest.raises(pc.InputError, match=r"name one metric, or give several"):
        pc.compare([{"a": 1}], metric=["error", "auc"], better="higher")  # type: ignore[arg-type]
