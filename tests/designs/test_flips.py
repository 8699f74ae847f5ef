"""Plans whose pairs are compared by flips and permutations of independent blocks."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.pair_methods import PUBLISHED, PUBLISHED_CONTROL
from pycompare.reporting.comparison_report import report_of
from tests.conftest import wide

pytestmark = pytest.mark.usefixtures("blank_pictures")

METHODS = ("sign-flips", "closed-permutation", "max-t")


def normal(seed, n, means):
    return np.random.default_rng(seed).normal(means, size=(n, len(means)))


def folds(n_datasets=9, n_folds=4, means=(0, 0.5, 1)):
    rng = np.random.default_rng(7)
    rows = [
        (f"d{d}", f, f"A{j + 1}", mean + own + 0.3 * rng.normal())
        for d in range(n_datasets)
        for j, mean in enumerate(means)
        for own in [0.4 * rng.normal()]
        for f in range(n_folds)
    ]
    frame = pd.DataFrame(rows, columns=["data", "fold", "algorithm", "score"])
    return pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="fold",
        dataset="data",
        metrics={"score": "higher"},
    )


@pytest.mark.parametrize("first", METHODS)
def test_a_plan_can_choose_them_for_ranks(first):
    scores = wide(normal(1, 9, [0, 0.3, 1, 2]))
    names = (first, *(m for m in METHODS if m != first), "bergmann-hommel")
    plan = pc.Plan(compares="ranks", adjust=names, seed=3)
    [analysis] = pc.compare(scores, plan).analyses
    table = analysis.pairs_table()
    alone = {
        "sign-flips": pc.rank_pairs(scores, p_value="sign-flips"),
        "closed-permutation": pc.closed_permutation(scores, seed=3),
        "max-t": pc.max_t(scores, on="ranks", seed=3),
        "bergmann-hommel": pc.rank_pairs(scores, p_value="exact"),
    }
    for name, result in alone.items():
        expected = result.table["p_adjusted"]
        assert table[f"p_{name}"].tolist() == expected.tolist(), name
    decided = {d.pair: d.p_adjusted for d in analysis.decisions}
    for row in alone[first].table.itertuples():
        pair = frozenset((row.algorithm_1, row.algorithm_2))
        assert decided[pair] == row.p_adjusted
    assert analysis.decisive.called == first


def test_a_control_has_sign_flips_by_holm_and_max_t():
    scores = wide(normal(2, 15, [0, 0.3, 1, 2]))
    plan = pc.Plan(
        compares="ranks", adjust=("sign-flips", "max-t"), control="A2", seed=4
    )
    [analysis] = pc.compare(scores, plan).analyses
    flips, largest = analysis.pairs
    alone = pc.rank_pairs(scores, p_value="sign-flips", adjust="holm", control="A2")
    assert flips.table["p_adjusted"].tolist() == alone.table["p_adjusted"].tolist()
    assert flips.called == "sign-flips"
    assert flips.adjust == "holm"
    alone = pc.max_t(scores, on="ranks", control="A2", seed=4)
    assert largest.table["p_adjusted"].tolist() == alone.table["p_adjusted"].tolist()
    # Both compare the same rows: one table has both.
    table = analysis.pairs_table()
    assert len(table) == 3
    assert {"p_sign-flips", "p_max-t"} <= set(table.columns)


@pytest.mark.parametrize("omnibus", ["aligned-ranks", "quade"])
def test_sign_flips_are_of_the_planned_ranks(omnibus):
    scores = wide(normal(3, 12, [0, 0.3, 1]))
    plan = pc.Plan(compares="ranks", adjust=("sign-flips",), omnibus=omnibus)
    [analysis] = pc.compare(scores, plan).analyses
    method = omnibus.removesuffix("-ranks")
    alone = pc.rank_pairs(scores, p_value="sign-flips", method=method).table
    assert analysis.pairs[0].table["p_value"].tolist() == alone["p_value"].tolist()


def test_a_plan_can_choose_them_for_means_over_data_sets():
    scores = folds()
    plan = pc.Plan(
        blocks="folds-of-datasets",
        protocol="held-out",
        compares="means",
        adjust=("max-t", "closed-permutation", "tukey"),
        seed=6,
    )
    [analysis] = pc.compare(scores, plan).analyses
    means = pc.dataset_means(scores)
    by = analysis.planned.pairs
    expected = pc.max_t(means, seed=6).table
    pd.testing.assert_frame_equal(by[0].table, expected)
    closed = pc.closed_permutation(means, on="scores", seed=6).table
    assert by[1].table["p_adjusted"].tolist() == closed["p_adjusted"].tolist()
    assert by[2].adjust == "tukey"
    best = {d.better for d in analysis.decisions if d.rejected}
    assert "A3" in best  # higher is better, in the metric's own unit


def test_the_sizes_of_folds_stay_with_tests_on_each_data_set():
    plan = pc.Plan(
        blocks="folds-of-datasets",
        compares="means",
        adjust=("max-t",),
        n_train=75,
        n_test=25,
    )
    [analysis] = pc.compare(folds(), plan).analyses
    assert analysis.planned.decisive.called == "max-t"
    assert analysis.each[0].decisive.adjust == "holm"


def test_the_seed_is_planned_and_reported():
    scores = wide(normal(4, 20, [0, 0.3, 1]))
    plan = pc.Plan(adjust=("max-t",), blocks="datasets", compares="ranks")
    assert plan.seed == 0
    [analysis] = pc.compare(scores, plan).analyses
    assert analysis.decisive.seed == 0
    other = pc.compare(
        scores, pc.Plan(compares="ranks", adjust=("max-t",), seed=8)
    ).analyses[0]
    assert other.decisive.seed == 8
    with pytest.raises(pc.PlanError, match="nothing is random"):
        pc.Plan(adjust=("sign-flips",), blocks="datasets", compares="ranks", seed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"blocks": "folds", "adjust": ("max-t",)}, "independent blocks"),
        (
            {
                "blocks": "folds-of-datasets",
                "compares": "model",
                "adjust": ("closed-permutation",),
            },
            "independent blocks",
        ),
        (
            {
                "blocks": "folds-of-datasets",
                "compares": "wins",
                "adjust": ("sign-flips",),
            },
            "sign tests of wins",
        ),
        (
            {
                "blocks": "folds-of-datasets",
                "compares": "means",
                "adjust": ("sign-flips",),
            },
            "sign-flips compares mean ranks",
        ),
        ({"adjust": ("nemenyi",), "control": "A1"}, "made for all pairs"),
        ({"adjust": ("max-t",), "family": "all"}, "joint distribution"),
        (
            {"adjust": ("max-t",), "omnibus": "quade", "blocks": "datasets"},
            "for Friedman's ranks",
        ),
    ],
)
def test_plans_they_do_not_fit_are_refused_by_name(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.Plan(**options)


def test_data_they_do_not_fit_are_refused_by_name():
    x = normal(5, 8, [0, 0.3, 1])
    x[0, 0] = np.nan
    with pytest.raises(pc.PlanError, match="sign-flips: whole blocks are flipped"):
        pc.compare(wide(x, missing="model"), pc.Plan(adjust=("sign-flips",)))
    many = wide(normal(6, 8, np.zeros(11)))
    with pytest.raises(pc.PlanError, match="at most 10"):
        pc.compare(many, pc.Plan(adjust=("closed-permutation",)))


def settled(n, a, **options):
    return pc.Plan(blocks="datasets", compares="ranks", **options).settled(
        wide(normal(8, n, np.zeros(a)))
    )


@pytest.mark.parametrize(
    ("n", "a", "name"),
    [
        (5, 3, "closed-permutation"),
        (20, 8, "closed-permutation"),
        (21, 8, "sign-flips"),
        (13, 9, "sign-flips"),
        (60, 40, "sign-flips"),
        (12, 9, "max-t"),
        (5, 40, "max-t"),
        (30, 41, "max-t"),
        (5, 41, "max-t"),
    ],
)
def test_the_default_follows_from_the_size_alone(n, a, name):
    names = settled(n, a).adjust
    assert names[0] == name
    assert names[names.index("bergmann-hommel") :] == PUBLISHED
    assert len(names) == len(PUBLISHED) + (name != "bergmann-hommel")


@pytest.mark.parametrize(
    ("n", "a", "name"),
    [
        (5, 3, "closed-permutation"),
        (30, 12, "max-t"),
        (8, 12, "max-t"),
        (30, 41, "max-t"),
    ],
)
def test_against_a_control_too(n, a, name):
    assert settled(n, a, control="A1").adjust == (name, *PUBLISHED_CONTROL)


@pytest.mark.parametrize("size", [(13, 4), (3, 4), (12, 41)])
@pytest.mark.parametrize("omnibus", ["aligned-ranks", "quade"])
def test_other_ranks_than_friedmans_have_sign_flips(size, omnibus):
    names = settled(*size, omnibus=omnibus).adjust
    assert names[0] == "sign-flips" and "nemenyi" not in names


def test_sign_flips_of_so_many_aligned_ranks_are_adjusted_by_holm():
    plan = pc.Plan(compares="ranks", omnibus="aligned-ranks")
    [over] = pc.compare(wide(normal(8, 5, np.zeros(41))), plan).analyses
    assert over.decisive.p_source == "sign-flips" and over.decisive.adjust == "holm"


@pytest.mark.parametrize(
    "options", [{"std_error": "textbook"}, {"p_values": "exact"}, {"monotone": True}]
)
def test_options_of_z_tests_ask_for_z_tests(options):
    assert settled(10, 4, **options).adjust == PUBLISHED


def test_a_table_with_missing_cells_has_the_published_default():
    x = normal(8, 6, np.zeros(3))
    x[0, 0] = np.nan
    scores = wide(x, missing="model")
    assert (
        pc.Plan(blocks="datasets", compares="ranks").settled(scores).adjust == PUBLISHED
    )


def test_the_smallest_group_decides_the_size():
    groups = ["x"] * 5 + ["y"] * 30
    frame = pd.DataFrame(normal(8, 35, np.zeros(9)), columns=[*"ABCDEFGHI"])
    frame = frame.rename_axis("block").reset_index()
    long = frame.melt("block", var_name="algorithm", value_name="score")
    long["group"] = [groups[b] for b in long["block"]]
    scores = pc.Scores.from_frame(
        long,
        algorithm="algorithm",
        block="block",
        group="group",
        metrics={"score": "higher"},
    )
    found = pc.Plan(blocks="datasets", compares="ranks", family="metric").settled(
        scores
    )
    assert found.adjust[0] == "max-t"


def test_folds_of_one_data_set_keep_their_rank_analysis():
    [analysis] = pc.compare(
        wide(normal(9, 10, [0, 0.3, 1])),
        pc.Plan(blocks="folds", protocol="held-out", adjust=("tukey",)),
    ).analyses
    assert [pairs.called for pairs in analysis.ranks.pairs] == list(PUBLISHED)


def test_a_plan_file_reads_them():
    plan = pc.Plan.from_toml('[plan]\nadjust = ["max-t", "sign-flips"]\nseed = 5\n')
    assert plan.adjust == ("max-t", "sign-flips")
    assert pc.Plan.from_toml(plan.to_toml()) == plan


@pytest.mark.parametrize("first", METHODS)
def test_the_report_says_how_pairs_are_tested(tmp_path, first):
    scores = wide(normal(10, 15, [0, 0.3, 1]))
    comparison = pc.compare(
        scores, pc.Plan(compares="ranks", adjust=(first, "bergmann-hommel"))
    )
    pc.report(comparison, tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "undefined, undefined" not in page
    assert "ntervals are not available" in page
    assert "blocks are independent" in page
    assert "exchangeab" in page
    script = (tmp_path / "out" / "reproduce.R").read_text()
    functions = {
        "sign-flips": "sign_flip_p",
        "closed-permutation": "closed_permutation_reference",
        "max-t": "max_t_reference",
    }
    assert functions[first] in script


def test_the_report_names_the_pairs_on_which_other_tests_disagree():
    plan = pc.Plan(
        compares="ranks",
        adjust=("sign-flips", "bergmann-hommel", "closed-permutation"),
        alpha=0.03,
    )
    scores = pc.example()
    comparison = pc.compare(scores, plan)
    stated = report_of(comparison).statements(comparison.analyses[0])
    sentences = {other.name: other for other in stated.alternatives}
    mine, other = (
        pc.rank_pairs(scores, **options).table
        for options in ({"p_value": "sign-flips"}, {"std_error": "permutation"})
    )
    differ = (mine["p_adjusted"] <= 0.03) != (other["p_adjusted"] <= 0.03)
    assert 0 < differ.sum() < 5
    [by_z] = [o for name, o in sentences.items() if name.startswith("Z tests")]
    assert by_z.name.endswith("Bergmann-Hommel")
    assert {fact.pair for fact in by_z.differs_on(stated.outcome)} == {
        frozenset((row.algorithm_1, row.algorithm_2))
        for row in mine[differ].itertuples()
    }
    [closed] = [o for name, o in sentences.items() if "losed permutation" in name]
    assert closed.differs_on(stated.outcome) == []


def test_exact_p_values_of_pairs_are_adjusted_over_several_tables():
    frame = pd.DataFrame(normal(5, 24, [0, 0.4, 0.8]), columns=list("abc"))
    frame["group"] = ["text", "image"] * 12
    scores = pc.Scores.from_wide(frame, metric="m", better="higher", group="group")
    plan = pc.Plan(compares="ranks", family="all", adjust=("sign-flips",))
    comparison = pc.compare(scores, plan)
    family, *_ = comparison.families
    raw = []
    for name in ("text", "image"):
        part = frame[frame["group"] == name].drop(columns="group")
        one = pc.Scores.from_wide(part, metric="m", better="higher")
        raw += pc.rank_pairs(one, p_value="sign-flips").table["p_value"].tolist()
    assert sorted(family.table["p_value"]) == pytest.approx(sorted(raw), rel=1e-12)
    expected = pc.adjust(family.table["p_value"].to_numpy(), "holm")
    np.testing.assert_allclose(family.table["p_adjusted"], expected, rtol=1e-12)
    with pytest.raises(pc.InputError, match="leave one of them out"):
        pc.Plan(compares="ranks", family="all", adjust=("sign-flips", "holm"))
