"""Durbin's pairs: PMCMRplus' numbers, Conover's example, identities, refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names
from validation import cases


def scores_of(case):
    y = np.array(case["input"]["y"], float).reshape(
        case["input"]["blocks"], -1, order="F"
    )
    return cases.scores(y, "lower", missing="model")


@pytest.mark.parametrize("name", golden_names("durbin"))
@pytest.mark.parametrize("adjust", ["none", "holm", "BH"])
def test_numbers_are_those_of_pmcmrplus(name, adjust):
    case = golden(name)
    wanted = case["outputs"][adjust]["value"]
    found = pc.durbin_pairs(scores_of(case), adjust=adjust).table
    order = {}
    names = list(dict.fromkeys([*found["algorithm_1"], *found["algorithm_2"]]))
    for row in found.itertuples():
        order[names.index(row.algorithm_2), names.index(row.algorithm_1)] = row
    # R's triangle, column by column.
    rows = [order[i, j] for j in range(len(names)) for i in range(j + 1, len(names))]
    t = [abs(row.statistic) for row in rows]
    assert_digits(t, wanted["statistic"], at_least=12)
    assert_digits([row.p_adjusted for row in rows], wanted["p_value"], at_least=11)
    assert set(found["df"]) == {wanted["df"]}


def test_conovers_example_has_his_rank_sums_and_least_difference():
    # Conover (1999), p. 391: |R_i - R_j| > 2.306 * 1.2247 = 2.82 differ at 0.05.
    found = pc.durbin_pairs(scores_of(golden("durbin_conover")), adjust="none")
    sums = found.positions * found.per_algorithm
    assert sums.tolist() == [8, 9, 4, 3, 5, 6, 7]
    least = stats.t.isf(0.025, 8) * found.table["std_error"].iloc[0] * 3
    assert least == pytest.approx(2.82, abs=0.005)
    assert (found.per_block, found.per_algorithm) == (3, 3)


def test_a_complete_table_has_conovers_test_of_friedman_ranks():
    scores = cases.scores(cases.normal(12, 4, 5))
    frame = scores.to_frame()
    wide = frame.pivot(index="block", columns="algorithm", values="score")
    ranked = (-wide).rank(axis=1)
    n, a = ranked.shape
    rest = ranked.to_numpy() - ranked.mean().to_numpy()
    mean_square = np.sum(rest**2) / ((n - 1) * (a - 1))
    first = pc.durbin_pairs(scores, adjust="none").table.iloc[0]
    gap = ranked[first["algorithm_1"]].mean() - ranked[first["algorithm_2"]].mean()
    assert_digits(first["estimate"], gap, at_least=12)
    assert_digits(first["statistic"], gap / np.sqrt(2 * mean_square / n), at_least=11)


def test_skillings_mack_has_durbins_statistic_of_the_same_design():
    # Conover (1999), p. 391: T1 = 12 on 6 degrees of freedom.
    test = pc.skillings_mack(scores_of(golden("durbin_conover")))
    assert_digits(test.statistic, 12.0, at_least=12)
    assert test.df == 6


def test_a_control_has_the_raw_p_values_of_all_pairs():
    scores = cases.BALANCED["3 of 5 in 20"]()
    every = pc.durbin_pairs(scores, adjust="none").table
    control = pc.durbin_pairs(scores, control="A5", adjust="none").table
    pairs = every[(every["algorithm_1"] == "A5") | (every["algorithm_2"] == "A5")]
    assert_digits(sorted(control["p_value"]), sorted(pairs["p_value"]), at_least=12)
    assert len(control) == 4 and control["conf_low"].isna().all()


def drop(frame, block, algorithm):
    return frame[~((frame["block"] == block) & (frame["algorithm"] == algorithm))]


def test_designs_that_are_not_balanced_are_named():
    def read(frame):
        return pc.Scores.from_frame(
            frame, algorithm="algorithm", block="block", metrics={"y": "lower"},
            missing="model",
        )  # fmt: skip

    rows = [(b, a) for b in "pqrs" for a in "xyz"]
    frame = pd.DataFrame(rows, columns=["block", "algorithm"])
    frame["y"] = np.random.default_rng(1).normal(size=len(frame))
    with pytest.raises(pc.DesignError, match=r"'p' has 3 scores, 'q' has 2; use rank_"):
        pc.durbin_pairs(read(drop(frame, "q", "x")))
    pairs = frame.iloc[[0, 1, 4, 5, 6, 8, 9, 10]]
    with pytest.raises(pc.DesignError, match="'x' has 3 scores, 'z' has 2"):
        pc.durbin_pairs(read(pairs))
    rows = [
        (b, a)
        for b, own in zip("pqrs", ["wx", "wx", "yz", "yz"], strict=True)
        for a in own
    ]
    apart = pd.DataFrame(rows, columns=["block", "algorithm"]).assign(y=range(8))
    with pytest.raises(
        pc.DesignError, match="'w' and 'x' meet in 2 blocks, 'w' and 'y'"
    ):
        pc.durbin_pairs(read(apart))


def test_blocks_that_rank_alike_or_tie_cannot_be_tested():
    alike = pc.durbin_pairs(cases.scores(np.arange(12.0).reshape(4, 3)))
    assert alike.table["p_value"].isna().all() and "rank" in alike.notes[0]
    tied = pc.durbin_pairs(cases.scores(np.ones((4, 3))))
    assert (
        tied.table["p_adjusted"].isna().all() and "all algorithms tie" in tied.notes[0]
    )
