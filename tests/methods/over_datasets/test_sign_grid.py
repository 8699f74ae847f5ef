from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from tests.conftest import golden, wide

ASLAN = golden("aslan_2009_wins")
TABLES = ASLAN["tables"]


def published(table: dict) -> pc.WinTable:
    return pc.win_table(
        table["wins"], ASLAN["n_datasets"], algorithms=ASLAN["algorithms"]
    )


def random_table(seed: int, a: int = 5, n: int = 12) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    names = [f"A{i}" for i in range(a)]
    outcome = rng.integers(-1, 2, size=(n, a, a))
    upper = np.triu(np.ones((a, a), bool), 1)
    won = ((outcome == 1) & upper).sum(axis=0) + ((outcome == -1) & upper).sum(axis=0).T
    return pd.DataFrame(won, names, names)


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t["decision_table"])
def test_the_published_wins_give_the_published_decisions(table):
    found = pc.sign_grid(published(table), adjust=ASLAN["adjustment"])
    verdicts = pd.Series(found.rejected(ASLAN["alpha"]))
    square = found.matrix("p_adjusted").to_numpy() <= ASLAN["alpha"]
    assert square.astype(int).tolist() == table["significant"]
    assert verdicts.sum() == np.sum(table["significant"]) / 2


def test_the_pair_that_the_thesis_names_wrongly_has_its_printed_p_value():
    # Aslan's (2009) text calls NB-LP of Table 6.6 significant; its table does not
    # (erratum).
    table = next(t for t in TABLES if t["decision_table"] == "6.6")
    found = pc.sign_grid(published(table)).matrix("p_value")
    assert found.loc["LP", "NB"] == pytest.approx(0.0129, abs=5e-5)
    assert found.loc["LP", "NB"] > 0.05 / 10


def test_a_frame_an_array_and_a_table_of_wins_are_the_same():
    frame = random_table(1)
    one = pc.sign_grid(frame, 12)
    other = pc.sign_grid(pc.win_table(frame, 12))
    third = pc.sign_grid(frame.to_numpy(), 12)
    pd.testing.assert_frame_equal(one.table, other.table)
    assert one.table["p_adjusted"].tolist() == third.table["p_adjusted"].tolist()
    assert third.algorithms == ("1", "2", "3", "4", "5")


@pytest.mark.parametrize("ties", ["split", "drop"])
def test_two_algorithms_have_the_sign_test_of_their_scores(ties):
    values = np.random.default_rng(2).integers(0, 4, size=(17, 2)).astype(float)
    scores = wide(values, "higher")
    d = values[:, 0] - values[:, 1]
    wins = [[0, int((d > 0).sum())], [int((d < 0).sum()), 0]]
    row = pc.sign_grid(wins, 17, ties=ties).table.iloc[0]
    expected = pc.sign_test(scores, ties=ties)
    assert_digits(row["p_value"], expected.p_value, at_least=14)
    assert row["statistic"] == expected.statistic
    assert_digits(row["estimate"], 1 - 2 * expected.estimate, at_least=13)
    assert_digits(row["conf_low"], 1 - 2 * expected.conf_high, at_least=13)


def test_ordered_pairs_with_bonferroni_decide_like_two_sided_pairs():
    frame = random_table(3, a=6, n=40)
    bonferroni = partial(pc.sign_grid, frame, 40, adjust="bonferroni")
    two = bonferroni().matrix("p_adjusted").to_numpy()
    one = bonferroni(alternative="greater").matrix("p_adjusted").to_numpy()
    smaller = np.fmin(one, one.T)
    upper = np.triu_indices(6, 1)
    sure = two[upper] < 1
    assert sure.any()
    assert_digits(smaller[upper][sure], two[upper][sure], at_least=13)


def test_ordered_pairs_ask_whether_the_row_wins_more_often():
    found = pc.sign_grid([[0, 9], [1, 0]], 10, alternative="greater")
    assert len(found.table) == 2
    assert found.matrix("p_value").iloc[0, 1] == pytest.approx(11 / 1024)
    assert found.matrix("p_value").iloc[1, 0] == pytest.approx(1023 / 1024)


@given(st.integers(0, 200), st.sampled_from(["split", "drop"]))
def test_an_interval_leaves_out_0_exactly_where_bonferroni_rejects(seed, ties):
    table = random_table(seed, 3, 30)
    options = {"adjust": "bonferroni", "ties": ties, "level": 0.8}
    found = pc.sign_grid(table, 30, **options).table
    outside = (found["conf_low"] > 0) | (found["conf_high"] < 0)
    assert outside.tolist() == (found["p_adjusted"] < 0.2).tolist()


@given(st.integers(0, 100))
def test_the_order_of_the_algorithms_does_not_matter(seed):
    frame = random_table(seed)
    turned = frame.iloc[::-1, ::-1]
    one = pc.sign_grid(frame, 12).matrix("p_adjusted")
    other = pc.sign_grid(turned, 12).matrix("p_adjusted").loc[one.index, one.index]
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
def test_equal_algorithms_are_rarely_told_apart(adjust):
    # On every data set one order of the algorithms holds, all orders being as likely.
    rng = np.random.default_rng(4)
    runs, n, a = 500, 20, 4
    ability = rng.random((runs, n, a))
    wins = (ability[..., :, None] > ability[..., None, :]).sum(axis=1)
    found = [
        pc.sign_grid(table, n, adjust=adjust).rejected(0.05).any() for table in wins
    ]
    # The test is discrete, so its level lies below 5 %.
    assert 0 < sum(found) <= runs * 0.05 + 3 * np.sqrt(runs * 0.05 * 0.95)


def test_a_pair_without_a_data_set_that_counts_is_not_rejected():
    found = pc.sign_grid([[0, 0, 5], [0, 0, 5], [0, 0, 0]], 5, ties="drop")
    assert np.isnan(found.matrix().iloc[0, 1])
    assert "no data set counts" in found.notes[0]
    # The others are adjusted as one of three.
    assert found.matrix().iloc[0, 2] == pytest.approx(3 / 16)


def test_positions_and_estimates_put_the_better_first():
    found = pc.sign_grid([[0, 9, 8], [0, 0, 5], [1, 2, 0]], 10)
    assert [found.algorithms[i] for i in found.order] == ["1", "2", "3"]
    assert (found.table["estimate"] < 0).all()
    assert_digits(found.positions["1"], (0.5 + 1.5) / 10 / 2, at_least=14)


def test_cliques_and_pictures_take_a_grid_of_two_sided_tests():
    table = next(t for t in TABLES if t["decision_table"] == "7.3")
    found = pc.sign_grid(published(table))
    groups = pc.cliques(found, singletons=True)
    assert {frozenset(g) for g in groups} == {
        frozenset({"k-NN", "C4.5", "Ripper", "LP"}),
        frozenset({"NB"}),
    }


@pytest.mark.parametrize(
    ("wins", "n", "message"),
    [
        ([[0, 3], [2, 0]], None, "give n_datasets"),
        ([[0, 3], [2, 0]], 4, "3 and 2 wins over each other"),
        ([[0, 3]], 4, "square"),
        ([[1, 3], [0, 0]], 4, "diagonal"),
        ([[0, 1.5], [0, 0]], 4, "counts"),
        ([[0, np.nan], [0, 0]], 4, "counts"),
        ([[0, -1], [0, 0]], 4, "counts"),
        ([["a", "b"], ["c", "d"]], 4, "numbers"),
        ([[0]], 4, "at least 2"),
        ([[0, 1], [0, 0]], 0, "at least 1"),
        (pd.DataFrame([[0, 1], [0, 0]], ["x", "y"], ["y", "x"]), 4, "same labels"),
    ],
)
def test_what_is_no_table_of_wins_is_refused(wins, n, message):
    with pytest.raises(InputError, match=message):
        pc.sign_grid(wins, n)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alternative": "less"}, "alternative"),
        ({"ties": "half"}, "ties"),
        ({"adjust": "nemenyi"}, "mean ranks"),
        ({"adjust": "hom"}, "did you mean"),
        ({"level": 95}, "level"),
    ],
)
def test_unknown_words_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        pc.sign_grid([[0, 3], [2, 0]], 9, **options)


def test_totals_are_kept_in_the_order_of_the_algorithms():
    table = pc.win_table(
        [[0, 3], [2, 0]], 9, algorithms=["b", "a"], totals={"a": 2, "b": 3}
    )
    assert table.to_frame()["total"].to_dict() == {"b": 3, "a": 2}
    assert table.ties.to_numpy().tolist() == [[0, 4], [4, 0]]
    assert table.losses.to_numpy().tolist() == [[0, 2], [3, 0]]
    with pytest.raises(InputError, match="totals are for"):
        pc.win_table([[0, 3], [2, 0]], 9, totals={"a": 2})


def test_a_control_is_compared_with_each_other_by_the_same_tests():
    wins = [[0, 5, 2], [3, 0, 8], [1, 0, 0]]
    every = pc.sign_grid(wins, 12, adjust="none").table
    found = pc.sign_grid(wins, 12, control="2", adjust="bonferroni").table
    assert list(found["algorithm_1"]) == ["1", "3"]
    assert set(found["algorithm_2"]) == {"2"}
    raw = [every["p_value"][0], every["p_value"][2]]
    assert found["p_value"].tolist() == raw
    assert found["p_adjusted"].tolist() == [min(1.0, 2 * p) for p in raw]
    assert found["wins"].tolist() == [5, 0] and found["losses"].tolist() == [3, 8]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"control": "9"}, "is not an algorithm"),
        ({"control": "1", "adjust": "shaffer"}, "not transitive"),
        ({"control": "1", "alternative": "greater"}, "every ordered pair"),
    ],
)
def test_a_control_that_cannot_be_is_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.sign_grid([[0, 5, 2], [3, 0, 8], [1, 0, 0]], 12, **options)
