"""Alpha that is passed along a graph of hypotheses."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits

# gMCP 0.8: gMCP(BretzEtAl2011(), c(0.1, 0.008, 0.005, 0.15, 0.04, 0.006)), the example
# of its vignette: graph of Bretz et al. (2011), Figure 2.
BRETZ = {
    "p": (0.1, 0.008, 0.005, 0.15, 0.04, 0.006),
    "weights": (1 / 3, 1 / 3, 1 / 3, 0, 0, 0),
    "transitions": (
        (0, 0.5, 0, 0.5, 0, 0),
        (1 / 3, 0, 1 / 3, 0, 1 / 3, 0),
        (0, 0.5, 0, 0, 0, 0.5),
        (0, 1, 0, 0, 0, 0),
        (0.5, 0, 0.5, 0, 0, 0),
        (0, 1, 0, 0, 0, 0),
    ),
    "adjusted": (0.12, 0.016, 0.015, 0.15, 0.12, 0.0225),
}


def complete(m):
    return (np.ones((m, m)) - np.eye(m)) / (m - 1)


def random_graph(m, seed):
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.ones(m), size=m) * rng.uniform(0.5, 1, size=(m, 1))
    np.fill_diagonal(g, 0)
    return rng.dirichlet(np.ones(m)), g


def test_the_example_of_gmcp():
    found = pc.adjust_graph(
        BRETZ["p"], weights=BRETZ["weights"], transitions=BRETZ["transitions"]
    )
    assert_digits(found, BRETZ["adjusted"], at_least=13)
    assert list(found <= 0.05) == [False, True, True, False, False, True]


@pytest.mark.parametrize("seed", range(5))
def test_the_complete_graph_is_holm(seed):
    p = np.random.default_rng(seed).uniform(size=6) ** 3
    found = pc.adjust_graph(p, weights=np.full(6, 1 / 6), transitions=complete(6))
    assert_digits(found, pc.adjust(p, "holm"), at_least=12)


def test_no_edges_are_weighted_bonferroni_and_a_chain_the_fixed_sequence():
    p = [0.01, 0.3, 0.02]
    w = [0.5, 0.3, 0.2]
    found = pc.adjust_graph(p, weights=w, transitions=np.zeros((3, 3)))
    assert_digits(found, np.minimum(1, np.divide(p, w)), at_least=13)
    chain = np.eye(3, k=1)
    found = pc.adjust_graph(p, weights=[1, 0, 0], transitions=chain)
    assert list(found) == [0.01, 0.3, 0.3]


@pytest.mark.parametrize("seed", range(10))
def test_names_of_hypotheses_do_not_matter(seed):
    w, g = random_graph(4, seed)
    p = np.random.default_rng(seed).uniform(size=4) ** 2
    first = pc.adjust_graph(p, weights=w, transitions=g)
    for order in list(permutations(range(4)))[::5]:
        at = np.array(order)
        moved = pc.adjust_graph(p[at], weights=w[at], transitions=g[np.ix_(at, at)])
        assert_digits(moved, first[at], at_least=11)


def test_the_family_wise_error_is_kept():
    rng = np.random.default_rng(1)
    w, g = random_graph(4, 2)
    wrong = 0
    for _ in range(2000):
        z = rng.normal(size=4) + rng.normal()
        p = 2 * stats.norm.sf(abs(z) / 2**0.5)
        wrong += bool((pc.adjust_graph(p, weights=w, transitions=g) <= 0.05).any())
    assert wrong / 2000 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


def test_a_hypothesis_that_gets_no_alpha_is_not_rejected():
    found = pc.adjust_graph([0.0, 0.5], weights=[0, 1], transitions=np.zeros((2, 2)))
    assert list(found) == [1.0, 0.5]


def test_labels_stay():
    p = pd.Series([0.01, 0.2], index=["<b>", "NA"], name="p")
    found = pc.adjust_graph(p, weights=[0.5, 0.5], transitions=complete(2))
    assert list(found.index) == ["<b>", "NA"] and found.name == "p"


@pytest.mark.parametrize(
    ("p", "w", "g", "message"),
    [
        ([0.1, 1.2], [0.5, 0.5], complete(2), "p-value number 2 is 1.2"),
        ([0.1, np.nan], [0.5, 0.5], complete(2), "p-value number 2 is nan"),
        ([0.1, 0.2], [0.5], complete(2), "weights of shape .1,. for 2 p-values"),
        ([0.1, 0.2], [0.9, 0.5], complete(2), "weights sum to 1.4"),
        ([0.1, 0.2], [0.5, -0.5], complete(2), "weights at 2 is -0.5"),
        ([0.1, 0.2], [0.5, 0.5], np.eye(2), "hypothesis 1 passes alpha to itself"),
        ([0.1, 0.2], [0.5, 0.5], complete(3), "transitions of shape"),
        ([[0.1, 0.2]], [0.5, 0.5], complete(2), "give a vector"),
    ],
)
def test_what_cannot_be_used_is_named(p, w, g, message):
    with pytest.raises(pc.InputError, match=message):
        pc.adjust_graph(p, weights=w, transitions=g)


def test_rows_that_pass_on_too_much_are_named():
    g = [[0, 0.7, 0.7], [0, 0, 0], [0, 0, 0]]
    with pytest.raises(pc.InputError, match=r"row 1 sums to 1\.4, more than"):
        pc.adjust_graph([0.1, 0.2, 0.3], weights=[1, 0, 0], transitions=g)
