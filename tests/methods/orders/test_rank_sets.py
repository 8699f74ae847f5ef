from itertools import permutations

import numpy as np
import pytest

import pycompare as pc
from pycompare import sizes
from pycompare.results.result import PairsResult
from tests.conftest import wide
from tests.methods.orders.by_hand import pairs_result

FIVE = {"e": 5.0, "a": 1.0, "c": 3.0, "b": 2.0, "d": 4.0}


def sets(found: PairsResult) -> dict[str, tuple[int, int]]:
    rows = pc.rank_sets(found).table.itertuples()
    return {row.algorithm: (row.rank_low, row.rank_high) for row in rows}


def test_decisions_made_by_hand():
    found = pairs_result(FIVE, ["ad", "ae", "be"])
    assert sets(found) == {
        "a": (1, 3), "b": (1, 4), "c": (1, 5), "d": (2, 5), "e": (3, 5),
    }  # fmt: skip
    made = pc.rank_sets(found)
    assert made.may_be_best == ("a", "b", "c") and made.tiers == (tuple("abcde"),)


def test_what_follows_from_decisions_counts():
    found = pairs_result({"a": 1, "b": 2, "c": 3}, ["ab", "bc"])
    assert sets(found) == {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    assert pc.rank_sets(found).tiers == (("a",), ("b",), ("c",))


def test_no_decision_leaves_every_rank_open():
    made = pc.rank_sets(pairs_result(FIVE))
    assert set(made.table["rank_low"]) == {1} and set(made.table["rank_high"]) == {5}
    assert made.may_be_best == tuple("abcde")


@pytest.mark.parametrize("seed", range(20))
def test_sets_are_all_ranks_in_orders_that_break_no_decision(seed):
    rng = np.random.default_rng(seed)
    values = {name: float(v) for name, v in zip("abcdef", rng.random(6), strict=True)}
    differ = [
        (one, other)
        for i, one in enumerate("abcdef")
        for other in "abcdef"[i + 1 :]
        if rng.random() < 0.4
    ]
    decided = [(u, v) if values[u] < values[v] else (v, u) for u, v in differ]
    orders = [
        order
        for order in permutations("abcdef")
        if all(order.index(u) < order.index(v) for u, v in decided)
    ]
    for name, limits in sets(pairs_result(values, differ)).items():
        ranks = [order.index(name) + 1 for order in orders]
        assert limits == (min(ranks), max(ranks))


def test_tiers_are_divided_where_all_above_are_better_than_all_below():
    scores = wide(np.repeat(np.random.default_rng(1).normal(size=(60, 1)), 4, 1)
                  + np.random.default_rng(2).normal(size=(60, 4)) / 10
                  + np.array([0, 0.001, 3, 3.001]), "lower")  # fmt: skip
    made = pc.rank_sets(pc.max_t(scores, flips=999))
    assert [set(tier) for tier in made.tiers] == [{"A1", "A2"}, {"A3", "A4"}]


def test_algorithms_that_tie_share_their_rank():
    made = pc.rank_sets(pairs_result({"a": 1, "b": 1, "c": 2}))
    assert list(made.table["rank"]) == [1.5, 1.5, 3.0]


def test_blocks_that_separate_neighbours_are_those_of_the_sample_size_of_a_paired_t():
    scores = wide(
        np.random.default_rng(3).normal(0.2 * np.arange(3), 1, (40, 3)), "lower"
    )
    made = pc.rank_sets(pc.paired_t_pairs(scores, adjust="bonferroni"))
    for row in made.neighbours.itertuples():
        assert not row.significant
        design = sizes.PairedT.from_scores(scores, algorithms=(row.better, row.worse))
        wanted = pc.power(design, target=0.8, alpha=0.05 / 3, trials=0)
        assert row.n_needed == wanted.n_required > 40


def test_the_spread_is_about_the_mean_difference_whatever_the_test():
    """Signs have the sum of squares about 0: an effect was one deviation at most."""
    rng = np.random.default_rng(4)
    x = rng.normal(3 * np.arange(3), 1, (6, 3))
    scores = wide(x, "lower")
    by_signs = pc.rank_sets(pc.max_t(scores, flips=999), alpha=1e-9).neighbours
    by_t = pc.rank_sets(pc.paired_t_pairs(scores), alpha=1e-9).neighbours
    assert by_signs["n_needed"].notna().all()
    assert (by_signs["n_needed"] == by_t["n_needed"]).all()


def test_z_tests_of_ranks_have_no_spread_of_a_pair():
    scores = wide(np.random.default_rng(5).normal(size=(12, 3)), "lower")
    z = pc.rank_sets(pc.rank_pairs(scores))
    assert z.neighbours["n_needed"].isna().all()
    flips = pc.rank_sets(pc.rank_pairs(scores, p_value="sign-flips"))
    assert flips.neighbours["n_needed"].notna().any()


def test_no_number_of_blocks_separates_algorithms_that_are_as_good():
    noise = np.random.default_rng(1).normal(size=(6, 1)) / 4
    x = np.vstack([noise + np.array([0, 1, 9]), noise + np.array([1, 0, 9.5])])
    made = pc.rank_sets(pc.paired_t_pairs(wide(x, "lower"), adjust="holm"))
    assert made.neighbours["n_needed"].tolist()[0] == np.inf
    assert np.isnan(made.neighbours["n_needed"].tolist()[1])


def test_a_comparison_gives_the_sets_of_its_primary_analysis():
    comparison = pc.compare(
        pc.example(), pc.Plan(blocks="datasets", compares="ranks", alpha=0.01)
    )
    made = pc.rank_sets(comparison)
    own = pc.rank_sets(comparison.analyses[0].decisive, alpha=0.01)
    assert made.alpha == 0.01 and made.table.equals(own.table)


FOLDS = pc.Plan(blocks="folds", n_train=216, n_test=24)


@pytest.mark.parametrize(
    ("plan", "many"),
    [
        (pc.Plan(blocks="datasets", compares="ranks"), {"accuracy"}),
        (pc.Plan(blocks="datasets", compares="ranks", control="CN2"), set()),
        (pc.Plan(blocks="cases"), {"accuracy"}),
        (FOLDS, {"accuracy"}),
    ],
    ids=["data sets", "control", "cases", "folds"],
)
def test_every_comparison_of_all_pairs_has_rank_sets(plan, many):
    comparison = pc.compare(pc.example(), plan)
    assert set(comparison.only.rank_sets) == many
    told = comparison.to_dict()["rank_sets"]
    titles = [title for title, _ in comparison.results()]
    assert titles.count("Confidence sets of ranks") == len(many)
    for name in many:
        made = pc.rank_sets(comparison, metric=name)
        assert told[name]["table"] == made.table.to_dict("records")


def test_more_folds_that_share_training_data_separate_nothing():
    comparison = pc.compare(pc.example(), FOLDS)
    [made] = comparison.only.rank_sets.values()
    assert made.neighbours["n_needed"].isna().all()
    alone = pc.rank_sets(pc.paired_t_pairs(pc.example()))
    assert alone.neighbours["n_needed"].notna().any()


def test_two_algorithms_have_sets_too():
    comparison = pc.compare(wide([[0, 1], [0, 2], [0, 1], [1, 3], [2, 4], [1, 5]]))
    [made] = comparison.only.rank_sets.values()
    assert [(r.rank_low, r.rank_high) for r in made.table.itertuples()] == [
        (1, 1), (2, 2),
    ]  # fmt: skip


def test_several_metrics_need_a_name():
    frame = [
        {"m": m, "d": d, "u": m + d, "v": m * d} for m in range(3) for d in range(8)
    ]
    found = pc.compare(
        frame,
        **{"algorithm": "m", "block": "d", "metrics": {"u": "lower", "v": "higher"}},
        confirmed=["derived-column"],
    )
    with pytest.raises(pc.InputError, match="metric: name one of 'u'"):
        pc.rank_sets(found)
    with pytest.raises(pc.InputError, match="choose "):
        pc.rank_sets(found, metric="w")
    assert pc.rank_sets(found, metric="v").pairs.algorithms == ("0", "1", "2")


def test_what_has_no_ranks_is_refused():
    with pytest.raises(pc.InputError, match="rank sets need all pairs"):
        pc.rank_sets(pc.max_t(pc.example(), control="CN2", flips=99))
    wins = pc.sign_grid([[0, 9, 8], [1, 0, 5], [2, 3, 0]], 10)
    with pytest.raises(pc.DesignError, match="give no ranks"):
        pc.rank_sets(wins)
    for adjust in ("BH", "BY", "none"):
        found = pc.rank_pairs(pc.example(), p_value="sign-flips", adjust=adjust)
        with pytest.raises(pc.DesignError, match="not have simultaneous coverage"):
            pc.rank_sets(found)
    with pytest.raises(pc.InputError, match="expected pairs or a comparison, got list"):
        pc.rank_sets([1, 2])
    with pytest.raises(pc.InputError, match="alpha"):
        pc.rank_sets(pairs_result(FIVE), alpha=0)
