"""Levels and critical values of the steps of a family."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.reporting.content import build

# García and Herrera (2008), Table 3: z, p, and the levels of Nemenyi (their name for
# Bonferroni), Holm and Shaffer, as printed.
PRINTED = (
    ("C4.5", "Kernel", 5.471, 4.487e-8, 0.005, 0.005, 0.005),
    ("NaiveBayes", "Kernel", 5.226, 1.736e-7, 0.005, 0.0055, 0.0083),
    ("Kernel", "CN2", 2.98, 0.0029, 0.005, 0.0063, 0.0083),
    ("C4.5", "1-NN", 2.817, 0.0048, 0.005, 0.0071, 0.0083),
    ("1-NN", "Kernel", 2.654, 0.008, 0.005, 0.0083, 0.0083),
    ("1-NN", "NaiveBayes", 2.572, 0.0101, 0.005, 0.01, 0.0125),
    ("C4.5", "CN2", 2.49, 0.0128, 0.005, 0.0125, 0.0125),
    ("NaiveBayes", "CN2", 2.245, 0.0247, 0.005, 0.0167, 0.0167),
    ("1-NN", "CN2", 0.327, 0.744, 0.005, 0.025, 0.025),
    ("C4.5", "NaiveBayes", 0.245, 0.8065, 0.005, 0.05, 0.05),
)


def test_the_table_of_garcia_and_herrera():
    table = pc.step_levels(pc.rank_pairs(pc.example())).table
    for row, printed in zip(table.itertuples(), PRINTED, strict=True):
        assert (row.algorithm_1, row.algorithm_2) == printed[:2]
        assert abs(row.statistic) == pytest.approx(printed[2], abs=6e-4)
        assert row.p_value == pytest.approx(printed[3], rel=0.02)
        levels = row.level_bonferroni, row.level_holm, row.level_shaffer
        assert levels == pytest.approx(printed[4:], abs=7e-5)


@pytest.mark.parametrize("make", [pc.rank_pairs, pc.tukey, pc.pairwise_t])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_decisions_are_those_of_adjusted_p_values(make, alpha):
    pairs = make(pc.example())
    table = pc.step_levels(pairs, alpha=alpha).table
    square = pairs.matrix("p_value").to_numpy()
    for name in ("bonferroni", "holm", "shaffer"):
        adjusted = pc.adjust(np.nan_to_num(square, nan=1.0), name)
        at = [pairs.algorithms.index(n) for n in table["algorithm_1"]]
        to = [pairs.algorithms.index(n) for n in table["algorithm_2"]]
        assert list(table[f"rejected_{name}"]) == list(adjusted[at, to] <= alpha)
        beyond = table["statistic"].abs() >= table[f"critical_{name}"]
        assert list(beyond) == list(table["p_value"] <= table[f"level_{name}"])


def test_critical_values_of_t_have_its_degrees_of_freedom():
    table = pc.step_levels(pc.tukey(pc.example())).table
    wanted = stats.t.isf(table["level_holm"] / 2, table["df"])
    assert_digits(table["critical_holm"], wanted, at_least=11)


def test_exact_p_values_have_levels_and_no_critical_values():
    table = pc.step_levels(pc.signed_rank_pairs(pc.example())).table
    assert table["critical_holm"].isna().all()
    assert table["level_shaffer"].isna().all()  # not transitive
    assert not table["rejected_shaffer"].any()
    assert_digits(table["level_holm"], 0.05 / np.arange(10, 0, -1), at_least=14)


def test_with_a_control_there_are_fewer_steps():
    table = pc.step_levels(
        pc.rank_pairs(pc.example(), control="C4.5", adjust="holm")
    ).table
    assert_digits(table["level_holm"], 0.05 / np.array([4, 3, 2, 1]), at_least=14)
    assert table["level_shaffer"].isna().all()


def test_another_result_is_named():
    with pytest.raises(pc.InputError, match="PairsResult"):
        pc.step_levels(pc.friedman(pc.example()))
    with pytest.raises(pc.InputError, match="alpha"):
        pc.step_levels(pc.rank_pairs(pc.example()), alpha=1.5)


def test_the_table_of_all_pairs_of_mean_ranks_has_the_steps():
    pairs = [pc.rank_pairs(pc.example(), adjust=name) for name in ("shaffer", "holm")]
    table = build.of_pairs(pairs, 0.05)
    titles = [column.title for column in table.columns]
    assert "its step" in str(table.caption)
    steps = pc.step_levels(pairs[0]).table
    pair_names = [f"{r.algorithm_1} – {r.algorithm_2}" for r in steps.itertuples()]
    for name in ("Holm", "Shaffer"):
        level = titles.index(f"{name}: level of the step")
        critical = titles.index(f"{name}: critical |z|")
        for row in table.cells():
            step = steps.iloc[pair_names.index(row[0].text)]
            wanted = step[f"level_{name.lower()}"], step[f"critical_{name.lower()}"]
            for place, number in zip((level, critical), wanted, strict=True):
                assert float(row[place].text) == pytest.approx(number, rel=0.01)
    other = build.of_pairs([pc.rank_pairs(pc.example(), adjust="hommel")], 0.05)
    assert not any("step" in column.title for column in other.columns)
