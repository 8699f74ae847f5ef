"""What results tell a reader besides their numbers: notes, names, and their columns."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.methods.pairs.overlap import ratio_of_sizes
from tests.conftest import wide
from tests.runs import runs_of, simulated

X = np.round(np.random.default_rng(5).normal(size=(8, 4)), 1)
ALIKE = np.column_stack([X[:, 0], X[:, 0], X[:, 2:]])
GAP = np.where(np.arange(32).reshape(8, 4) == 0, np.nan, X)
SHIFTED = np.column_stack([X[:, 0], X[:, 0] + 1])
CONSTANT = np.ones((5, 3))

EQUAL = (
    "the two algorithms have equal scores in every block, so no difference can be "
    "tested"
)
TIED = "1 of 6 pairs tie in every block: p = 1"
LISTED = "all 128 sign flips enumerated: no Monte Carlo error"
SIGNS = "p-values are exact: all signs of the blocks' rank differences"
NO_RANKS = (
    "in every block all algorithms tie, so the statistic is 0/0 and no difference can "
    "be tested"
)
EXACT_SUMS = "6 pairs: exact sums of signs"
DRAWN = "5 subsets: 500 random permutations, seed 9"
SAID = {"permutations": 500, "seed": 9}
NOTES = [
    ("closed_permutation", X, SAID, (EXACT_SUMS, DRAWN)),
    ("closed_permutation", ALIKE, SAID, (EXACT_SUMS, DRAWN, TIED)),
    (
        *("closed_permutation", X, SAID | {"on": "scores"}),
        ("6 subsets: all permutations listed", DRAWN),
    ),
    (
        *("closed_permutation", X[:3, :3], {}),
        ("3 pairs: exact sums of signs", "1 subset: all permutations listed"),
    ),
    ("max_t", X, {"flips": 99}, ("99 random sign flips, seed 1",)),
    ("max_t", X, {"flips": 128}, (LISTED,)),
    ("max_t", X, {"flips": 127}, ("127 random sign flips, seed 1",)),
    ("max_t", ALIKE, {}, (LISTED, TIED)),
    (
        *("max_t", X[:4], {}),
        (
            "all 8 sign flips enumerated: no Monte Carlo error",
            "no adjusted p-value of so few sign flips can be below 0.125",
            "too few sign flips for a bounded interval of level 0.95",
        ),
    ),
    (
        *("paired_t_pairs", ALIKE, {}),
        (
            "1 of 6 pairs: the two algorithms have equal scores in every block, so no "
            "difference can be tested",
        ),
    ),
    (
        *("paired_t_pairs", GAP, {}),
        (
            "cells are missing: each pair is compared over the blocks that both have, "
            "so df differ between pairs",
        ),
    ),
    ("hodges_lehmann", X, {}, ()),
    (
        *("hodges_lehmann", X[:4], {}),
        (
            "4 blocks are too few for simultaneous intervals of level 0.95; together "
            "they have 0.25",
        ),
    ),
    ("wilcoxon", X[:, :2], {}, ()),
    (
        *("wilcoxon", X[:4, :2], {}),
        (
            "4 blocks are too few for an interval of level 0.95; the one given has "
            "0.875",
        ),
    ),
    ("wilcoxon", ALIKE[:, :2], {}, (EQUAL,)),
    ("sign_test", X[:, :2], {}, ()),
    ("sign_test", ALIKE[:, :2], {"ties": "split"}, (EQUAL,)),
    ("rank_pairs", ALIKE, {}, ()),
    ("rank_pairs", X, {"p_value": "sign-flips"}, (SIGNS,)),
    ("rank_pairs", ALIKE, {"p_value": "sign-flips"}, (SIGNS, TIED)),
    ("friedman", X, {}, ()),
    (
        *("friedman", X, {"p_value": "permutation", "resamples": 99}),
        ("99 resamples, seed 0",),
    ),
    ("friedman", CONSTANT, {}, (NO_RANKS,)),
    ("quade", CONSTANT, {}, (NO_RANKS,)),
    ("aligned_ranks", CONSTANT, {}, (NO_RANKS,)),
]


@pytest.mark.parametrize(("name", "values", "options", "notes"), NOTES)
def test_notes_say_what_limits_a_result(name, values, options, notes):
    missing = "model" if np.isnan(values).any() else "error"
    scores = wide(values, missing=missing)
    assert getattr(pc, name)(scores, **options).notes == notes


def test_differences_without_variance_have_no_interval_and_say_why():
    found = pc.paired_t(wide(SHIFTED))
    assert found.notes[0] == (
        "all blocks have the same difference, so its variance is zero and t infinite; "
        "the p-value is that of all changes of sign of the differences"
    )
    assert math.isinf(found.statistic)
    size = found.effect
    assert size.notes == ("the differences have no variance, so there is no interval",)


def test_kendall_w_of_two_algorithms_has_no_interval_and_says_why():
    assert pc.friedman(wide(X[:, :2])).kendall_w.notes == (
        "no interval: the jackknife needs three algorithms, and blocks whose rankings "
        "are not all the same and do not balance out; see the pairs' probabilities of "
        "superiority",
    )
    assert pc.friedman(wide(X)).kendall_w.notes == ()


def test_cases_on_which_both_agree_say_so():
    assert pc.mcnemar([0, 0]).notes == (
        "the two algorithms agree on every case, so no difference can be tested",
    )
    assert pc.mcnemar([9, 2]).notes == ()


def test_the_sign_test_shows_its_counts():
    values = np.column_stack([[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 2.0, 1.0, 1.0, 1.0]])
    found = pc.sign_test(wide(values))
    [row] = found.to_frame().to_dict("records")
    assert (row["positive"], row["n_ties"], row["negative"]) == (3, 1, 1)
    assert row["p_value"] == found.p_value == 0.625
    assert found.n_used == 4
    assert pc.sign_test(wide(values), ties="split").n_used == 4


@pytest.mark.parametrize(
    ("options", "method"),
    [
        ({}, "Equivalence by two one-sided paired t tests"),
        (
            {"kind": "non-inferiority", "control": "A1", "n_train": 90, "n_test": 10},
            "Non-inferiority by one-sided corrected resampled paired t tests",
        ),
    ],
)
def test_tests_of_margins_are_named_by_their_sides(options, method):
    found = pc.equivalence_pairs(wide(X), margin=0.8, **options)
    assert found.method == method


@pytest.mark.parametrize(("a", "exact"), [(3, True), (4, False)])
def test_sums_of_signs_are_exact_up_to_four_million_steps(a, exact):
    # n blocks of whole numbers up to 2 (a - 1): n * n * 2 (a - 1) steps.
    scores = wide(np.random.default_rng(2).normal(size=(1000, a)))
    found = pc.rank_pairs(scores, p_value="sign-flips", adjust="none")
    assert (found.notes[0] == SIGNS) == exact
    assert ("saddlepoint" in found.notes[0]) != exact
    closed = pc.closed_permutation(scores, permutations=1)
    raw = closed.table["p_value"].to_numpy()
    assert np.array_equal(raw, found.table["p_value"].to_numpy())


@pytest.mark.parametrize("name", ["mcnemar", "paired_t", "sign_test", "wilcoxon"])
def test_a_test_of_a_pair_that_needs_every_cell_says_its_name(name):
    scores = wide(GAP[:, :2], missing="model")
    with pytest.raises(pc.DesignError, match=f"^{name} needs a complete table"):
        getattr(pc, name)(scores)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("closed_permutation", "closed_permutation"),
        ("max_t", "max_t"),
        ("friedman", "Friedman's test"),
        ("quade", "Quade's test"),
        ("aligned_ranks", "the aligned ranks test"),
    ],
)
def test_a_test_of_a_table_that_needs_every_cell_says_its_name(name, called):
    scores = wide(GAP, missing="model")
    with pytest.raises(pc.DesignError, match=f"^{called} needs a complete table"):
        getattr(pc, name)(scores)


@pytest.mark.parametrize(
    ("alternative", "limits"),
    [
        ("two-sided", "95% interval [0.08523, 0.7551]"),
        ("less", "95% one-sided interval [0, 0.7108]"),
        ("greater", "95% one-sided interval [0.1111, 1.000]"),
    ],
)
def test_a_summary_says_whether_its_interval_is_one_sided(alternative, limits):
    text = pc.sign_test(wide(X[:, :2]), alternative=alternative).summary()
    assert text.splitlines()[1].endswith(f"score = 0.3750, {limits}")


@pytest.mark.parametrize("source", ["chi2", "exact", "permutation"])
def test_ranks_of_runs_say_where_their_p_comes_from(source):
    found = pc.mack_skillings(runs_of(simulated(b=3, a=2, n=2)), p_value=source)
    assert found.p_source == source


@pytest.mark.parametrize("sizes", [(1, 1), (0.5, 0.25), (90, 10)])
def test_any_positive_sizes_say_how_much_is_shared(sizes):
    n_train, n_test = sizes
    assert ratio_of_sizes(n_train, n_test) == n_test / n_train


@pytest.mark.parametrize("sizes", [(0, 1), (1, 0), (-1, 1), (math.inf, 1)])
def test_sizes_that_are_not_positive_and_finite_are_refused(sizes):
    with pytest.raises(pc.InputError, match="give the positive sizes"):
        ratio_of_sizes(*sizes)
