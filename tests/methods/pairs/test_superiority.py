import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.matched_pairs import score_limits
from tests.conftest import golden, golden_matrix, golden_names, wide

LOGICAL = ("shaffer", "shaffer-dynamic", "bergmann-hommel", "hochberg-rom", "nemenyi")


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_counts_and_sign_tests_agree_with_r(name):
    case = golden(name)
    scores = pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )
    table = pc.superiority(scores).table
    expected = case["outputs"]["pair_sign"]["value"]
    # R counts differences of doubles; on García and Herrera's data they tie alike.
    assert table["wins"].tolist() == [pair["plus"] for pair in expected]
    assert table["losses"].tolist() == [pair["minus"] for pair in expected]
    p = [pair["p"] for pair in expected]
    assert_digits(table["p_value"], p, at_least=11)


def test_lower_is_better_turns_wins_around():
    x = np.random.default_rng(1).normal(size=(11, 3))
    up = pc.superiority(wide(x, better="higher")).table
    down = pc.superiority(wide(x, better="lower")).table
    assert up["wins"].tolist() == down["losses"].tolist()
    assert_digits(up["estimate"], 1 - down["estimate"], at_least=14)
    assert_digits(up["median_difference"], down["median_difference"], at_least=15)


def test_interval_is_wilsons():
    x = np.zeros((10, 2))
    x[:8, 0] = 1
    x[8:, 1] = 1
    row = pc.superiority(wide(x)).table.iloc[0]
    expected = stats.binomtest(8, 10).proportion_ci(method="wilson")
    assert_digits(row["conf_low"], expected.low, at_least=12)
    assert_digits(row["conf_high"], expected.high, at_least=12)


def test_an_algorithm_against_itself_is_even():
    x = np.tile(np.arange(6.0)[:, None], 2)
    row = pc.superiority(wide(x)).table.iloc[0]
    assert (row["estimate"], row["p_value"], row["ties"]) == (0.5, 1.0, 6)


def test_sign_tests_are_adjusted_over_all_pairs(garcia_herrera):
    table = pc.superiority(garcia_herrera, adjust="holm").table
    assert_digits(table["p_adjusted"], pc.adjust(table["p_value"], "holm"), at_least=15)


@pytest.mark.parametrize("adjust", LOGICAL)
def test_sign_tests_have_no_logic_of_all_pairs(garcia_herrera, adjust):
    with pytest.raises(pc.InputError, match=f"{adjust}.*choose 'holm'"):
        pc.superiority(garcia_herrera, adjust=adjust)


def test_a_control_is_compared_with_the_others_only(garcia_herrera):
    every = pc.superiority(garcia_herrera)
    control = garcia_herrera.algorithms[1]
    found = pc.superiority(garcia_herrera, control=control, adjust="holm")
    names = [n for n in garcia_herrera.algorithms if n != control]
    assert found.table["algorithm_1"].tolist() == names
    assert set(found.table["algorithm_2"]) == {control}
    assert found.family == f"4 comparisons with the control {control}"
    pairs = every.table[["algorithm_1", "algorithm_2"]]
    raw = every.table[(pairs == control).any(axis=1)]
    assert found.table["p_value"].tolist() == raw["p_value"].tolist()
    adjusted = pc.adjust(found.table["p_value"], "holm")
    assert found.table["p_adjusted"].tolist() == adjusted.tolist()
    over_all = pc.adjust(every.table["p_value"], "holm").loc[raw.index]
    assert (adjusted.to_numpy() < over_all.to_numpy()).any()


# ---- simultaneous intervals ----------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "losses", "n"),
    [(7, 2, 10), (3, 3, 40), (0, 4, 9), (1, 0, 300), (12, 0, 12)],
)
def test_score_limits_are_where_the_score_test_turns(wins, losses, n):
    """Against the most likely probabilities with a given difference, searched for."""
    level = 0.9

    def likelihood(lost, d):
        counts = np.array([wins, losses, n - wins - losses])
        p = np.array([lost + d, lost, 1 - 2 * lost - d])
        return -special.xlogy(counts, np.maximum(p, 0)).sum()

    def statistic(d):
        ends = max(0.0, -d), (1 - d) / 2
        lost = optimize.minimize_scalar(
            likelihood, args=(d,), bounds=ends, method="bounded",
            options={"xatol": 1e-13},
        ).x  # fmt: skip
        return (wins - losses - n * d) / np.sqrt(n * (2 * lost + d - d * d))

    limits = score_limits([wins], [losses], n, stats.norm.isf((1 - level) / 2))
    for [limit], z in zip(limits, (1, -1), strict=True):
        if abs(limit) < 1:
            assert_digits(statistic(limit), z * stats.norm.isf(0.05), at_least=6)
        else:
            assert limit == (wins - losses) / n


def test_without_ties_the_limits_are_wilsons():
    alone = wide(np.random.default_rng(2).normal(size=(30, 2)))
    one = pc.superiority(alone).table
    both = pc.superiority(alone, simultaneous=True).table
    for name in ("conf_low", "conf_high"):
        assert_digits(both[name], one[name], at_least=12)


def test_each_interval_has_a_share_of_the_error():
    scores = pc.example()
    together = pc.superiority(scores, simultaneous=True)
    assert together.simultaneous and "Šidák" in together.method
    alone = pc.superiority(scores, simultaneous=True, control="CN2", level=0.95**0.4)
    rows = together.table.query("algorithm_2 == 'CN2'")
    same = alone.table[alone.table["algorithm_1"].isin(rows["algorithm_1"])]
    assert_digits(same["conf_low"], rows["conf_low"], at_least=12)


@pytest.mark.parametrize(("kind", "n"), [("graded", 12), ("binary", 60), ("ties", 25)])
def test_simultaneous_intervals_hold_together(kind, n):
    """Coverage of all pairs at once; the truth is that of 200,000 blocks."""
    rng, runs = np.random.default_rng(4), 400

    def draw(n):
        x = rng.normal([0, 0.2, 0.5, 0.9], size=(n, 4))
        if kind == "binary":
            return (x + rng.normal(size=(n, 1)) > 0.4).astype(float)
        return np.round(x) if kind == "ties" else x

    first, second = np.triu_indices(4, 1)

    def counts(x):
        d = x[:, first] - x[:, second]
        return (d > 0).sum(axis=0).astype(float), (d < 0).sum(axis=0).astype(float)

    won, lost = counts(draw(200_000))
    truth, held = (won - lost) / 200_000, 0
    critical = stats.norm.isf((1 - 0.95 ** (1 / 6)) / 2)
    for _ in range(runs):
        low, high = score_limits(*counts(draw(n)), n, critical)
        held += bool(((low <= truth) & (truth <= high)).all())
    assert held / runs >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / runs)


def test_simultaneous_intervals_of_clusters_are_refused():
    frame = pd.DataFrame({"a": [1, 0, 1, 1], "b": [0, 0, 1, 0], "text": list("uuvv")})
    scores = pc.Scores.from_wide(
        frame, metric="right", better="higher", algorithms=["a", "b"], cluster="text"
    )
    with pytest.raises(pc.DesignError, match="independent"):
        pc.superiority(scores, simultaneous=True)


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_the_median_is_of_ratios_where_these_are_compared(better):
    x = np.exp(np.random.default_rng(3).normal(size=(12, 3)))
    units = 10.0 ** np.arange(-6, 6)[:, None]
    plain, ratios, other = (
        pc.superiority(wide(values, better=better), scale=scale)
        for values, scale in ((x, "difference"), (x, "ratio"), (x * units, "ratio"))
    )
    assert "median_difference" not in ratios.table and ratios.adjusted_here
    same = [name for name in plain.table if name != "median_difference"]
    pd.testing.assert_frame_equal(plain.table[same], ratios.table[same])
    wanted = [np.median(np.log(x[:, i] / x[:, j])) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert_digits(ratios.table["median_ratio"], np.exp(wanted), at_least=13)
    assert_digits(other.table["median_ratio"], np.exp(wanted), at_least=13)


def test_ratios_of_scores_of_0_are_refused():
    with pytest.raises(pc.InputError, match="needs positive scores"):
        pc.superiority(wide([[0.0, 1.0], [2.0, 3.0]]), scale="ratio")
