"""The listed sets are all partitions, and their tests are Bergmann and Hommel's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.exhaustive_listed import listed_sets
from validation import brute_force

# García and Herrera (2008), Table 3, in the order of their pairs 12, 13, ..., 45 of
# C4.5, 1-NN, naive Bayes, kernel and CN2.
PUBLISHED = {
    (1, 2): 0.0048, (1, 3): 0.8065, (1, 4): 4.487e-8, (1, 5): 0.0128, (2, 3): 0.0101,
    (2, 4): 0.008, (2, 5): 0.744, (3, 4): 1.736e-7, (3, 5): 0.0247, (4, 5): 0.0029,
}  # fmt: skip
# Their Table 4, by size; columns of the table, read downwards.
TABLE_4 = {
    1: "12 13 23 14 24 34 15 25 35 45",
    2: "12,34 13,24 14,23 12,35 13,25 15,23 12,45 13,45 23,45 14,25 15,24 14,35 15,34 "
    "24,35 25,34",
    3: "12,13,23 12,14,24 13,14,34 23,24,34 12,15,25 13,15,35 23,25,35 14,15,45 "
    "24,25,45 34,35,45",
    4: "12,13,23,45 12,14,24,35 12,34,35,45 13,14,25,34 13,15,24,35 13,24,25,45 "
    "14,15,23,45 14,23,25,35 15,23,24,34 12,15,25,34",
    6: "12,13,14,23,24,34 12,13,15,23,25,35 12,14,15,24,25,45 13,14,15,34,35,45 "
    "23,24,25,34,35,45",
    10: "12,13,14,15,23,24,25,34,35,45",
}


def published() -> np.ndarray:
    p = np.ones((5, 5))
    for (i, j), value in PUBLISHED.items():
        p[i - 1, j - 1] = p[j - 1, i - 1] = value
    return p


def as_pairs(sets: np.ndarray, a: int) -> set[frozenset[tuple[int, int]]]:
    pairs = np.array(list(zip(*np.triu_indices(a, 1), strict=True)))
    return {frozenset(map(tuple, pairs[row].tolist())) for row in sets}


@pytest.mark.parametrize("a", [2, 3, 4, 5, 6, 7])
def test_sets_are_those_of_all_partitions(a):
    sets = listed_sets(a)
    expected = {frozenset(pairs) for pairs in brute_force.exhaustive_sets(a)}
    assert len(sets) == len(expected)
    assert as_pairs(sets, a) == expected


def test_nine_algorithms_have_the_published_number_of_sets():
    table = pc.exhaustive_sets(9).held("table")
    assert len(table) == 21146
    assert table["set"][-1] == " = ".join("123456789")


def test_sets_of_five_are_those_of_garcia_and_herreras_table_4():
    expected = {
        frozenset((int(q[0]) - 1, int(q[1]) - 1) for q in one.split(","))
        for sets in TABLE_4.values()
        for one in sets.split()
    }
    assert len(expected) == 51
    assert as_pairs(listed_sets(5), 5) == expected
    sizes = pc.exhaustive_sets(5).table["n_pairs"].value_counts().to_dict()
    assert sizes == {size: len(sets.split()) for size, sets in TABLE_4.items()}


def test_the_published_acceptance_set_leaves_eight_hypotheses_rejected():
    names = ["C4.5", "1-NN", "NaiveBayes", "Kernel", "CN2"]
    p = pd.DataFrame(published(), names, names)
    result = pc.exhaustive_sets(5, p=p)
    assert result.algorithms == tuple(names)
    assert result.accepted_pairs == (("C4.5", "NaiveBayes"), ("1-NN", "CN2"))
    assert len(result.rejected_pairs) == 8
    accepted = result.table.query("accepted")["set"].tolist()
    assert accepted == [
        "C4.5 = NaiveBayes",
        "1-NN = CN2",
        "C4.5 = NaiveBayes, 1-NN = CN2",
    ]


@pytest.mark.parametrize("seed", range(6))
def test_rejected_pairs_are_those_of_the_adjustment(seed):
    rng = np.random.default_rng(seed)
    a = 3 + seed
    p = np.ones((a, a))
    upper = np.triu_indices(a, 1)
    p[upper] = p.T[upper] = rng.random(len(upper[0])) ** 4
    for alpha in (0.01, 0.05, 0.2):
        result = pc.exhaustive_sets(a, p=p, alpha=alpha)
        below = pc.adjust(p, "bergmann-hommel")[upper] <= alpha
        names = [(str(i + 1), str(j + 1)) for i, j in zip(*upper, strict=True)]
        expected = [q for q, low in zip(names, below, strict=True) if low]
        assert list(result.rejected_pairs) == expected
        assert set(result.accepted_pairs) == set(names) - set(expected)


def test_without_p_values_nothing_is_tested():
    result = pc.exhaustive_sets(4)
    assert list(result.table) == ["set", "n_pairs"]
    assert result.alpha is None
    assert result.accepted_pairs == result.rejected_pairs == ()
    last = ["1 = 2 = 3", "1 = 2 = 4", "1 = 3 = 4", "2 = 3 = 4", "1 = 2 = 3 = 4"]
    assert result.table["set"].tolist()[-5:] == last
    assert result.table["set"].tolist()[6:9] == [
        "1 = 2, 3 = 4",
        "1 = 3, 2 = 4",
        "1 = 4, 2 = 3",
    ]


@pytest.mark.parametrize(
    ("k", "options", "said"),
    [
        (10, {}, "from 2 to 9; 10 have 115,974 sets, and adjust"),
        (1, {}, "k=1: give a number of algorithms from 2 to 9$"),
        (2.0, {}, "k=2.0"),
        (True, {}, "k=True"),
        (3, {"alpha": 0.1}, "no p-values"),
        (3, {"p": np.ones((4, 4))}, "k=3 algorithms, and p-values of 4"),
        (3, {"p": np.full((3, 3), 2.0)}, "not in"),
        (3, {"p": np.ones((3, 3)), "alpha": 2}, "alpha"),
    ],
)
def test_what_cannot_be_listed_is_refused(k, options, said):
    with pytest.raises(pc.InputError, match=said):
        pc.exhaustive_sets(k, **options)


# ---- closed Simes tests --------------------------------------------------------------


def by_definition(p: np.ndarray) -> np.ndarray:
    """Return the largest Simes p-value of the sets with each pair."""
    adjusted = np.zeros_like(p)
    for pairs in brute_force.exhaustive_sets(len(p)):
        inside = sorted(p[pair] for pair in pairs)
        value = min(len(inside) * q / (j + 1) for j, q in enumerate(inside))
        for i, j in pairs:
            adjusted[i, j] = adjusted[j, i] = max(adjusted[i, j], value)
    np.fill_diagonal(adjusted, np.nan)
    return np.minimum(adjusted, 1)


@pytest.mark.parametrize("a", [2, 3, 4, 5, 6])
def test_hochberg_rom_is_the_closed_test_with_simes(a):
    rng = np.random.default_rng(a)
    upper = np.triu_indices(a, 1)
    for _ in range(20):
        p = np.ones((a, a))
        p[upper] = p.T[upper] = np.round(rng.random(len(upper[0])) ** 3, 2)
        got = pc.adjust(p, "hochberg-rom")
        assert_digits(got[upper], by_definition(p)[upper], at_least=14)


def test_hochberg_rom_is_no_larger_than_bergmann_hommel_or_hommel():
    rng = np.random.default_rng(5)
    upper = np.triu_indices(5, 1)
    for _ in range(50):
        p = np.ones((5, 5))
        p[upper] = p.T[upper] = rng.random(10) ** 2
        sharp = pc.adjust(p, "hochberg-rom")[upper]
        for name in ("bergmann-hommel", "hommel"):
            assert np.all(sharp <= pc.adjust(p, name)[upper] * (1 + 1e-12))


def test_hochberg_rom_of_many_algorithms_is_refused_with_their_number_of_sets():
    with pytest.raises(pc.InputError, match=r"678,569 of 11 algorithms.*bergmann"):
        pc.adjust(np.ones((11, 11)), "hochberg-rom")


def test_hochberg_rom_is_for_transitive_hypotheses_alone(garcia_herrera):
    with pytest.raises(pc.InputError, match="not transitive"):
        pc.signed_rank_pairs(garcia_herrera, adjust="hochberg-rom")
    with pytest.raises(pc.InputError, match="not transitive"):
        pc.superiority(garcia_herrera, adjust="hochberg-rom")
    tests = pc.rank_pairs(garcia_herrera, adjust="hochberg-rom")
    other = pc.rank_pairs(garcia_herrera, adjust="bergmann-hommel")
    assert (tests.table["p_adjusted"] <= other.table["p_adjusted"] * (1 + 1e-12)).all()
