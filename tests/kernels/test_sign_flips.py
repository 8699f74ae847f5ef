"""Sums with random signs: every sign listed, and the approximation for many blocks."""

from itertools import product

import numpy as np
import pytest

from pycompare.kernels import sign_flips


def listed(d):
    """The share of all signs by which the sum is at least as large."""
    signs = np.array(list(product([-1, 1], repeat=len(d))))
    return np.mean(np.abs(signs @ d) >= abs(d.sum()))


@pytest.mark.parametrize("n", [1, 2, 5, 12])
@pytest.mark.parametrize("largest", [1, 3, 20])
def test_exact_p_is_that_of_all_signs_to_the_last_bit(n, largest):
    rng = np.random.default_rng(n * largest)
    d = rng.integers(-largest, largest + 1, (20, n))
    p = sign_flips.two_sided(d, exact=True)
    assert p.tolist() == [listed(row) for row in d]


def test_differences_that_are_all_zero_have_p_one():
    d = np.zeros((1, 6), int)
    assert sign_flips.two_sided(d, exact=True) == 1
    assert sign_flips.two_sided(d, exact=False) == 1


def test_one_sign_in_all_blocks_has_the_smallest_p():
    for exact in (True, False):
        p = sign_flips.two_sided(np.full((1, 900), 3), exact=exact)
        assert p == 2.0**-899


def test_saddlepoint_is_close_to_the_exact_tail():
    rng = np.random.default_rng(0)
    ratios, tails = [], []
    for n, a in ((150, 2), (150, 8), (300, 20), (1000, 3)):
        for apart in (0.0, 0.1, 0.3, 0.6):
            x = rng.normal(size=(n, a)) + apart * np.arange(a)
            ranks = 2 * np.argsort(np.argsort(x, axis=1), axis=1)
            i, j = np.triu_indices(a, 1)
            d = (ranks[:, i] - ranks[:, j]).T
            exact = sign_flips.two_sided(d, exact=True)
            ratios.append(sign_flips.two_sided(d, exact=False) / exact)
            tails.append(exact)
    error, p = np.abs(np.concatenate(ratios) - 1), np.concatenate(tails)
    for above, wanted in ((1e-3, 6e-4), (1e-12, 2e-3), (1e-30, 5e-3)):
        assert np.sum(p > above) > 300
        assert error[p > above].max() <= wanted


def test_saddlepoint_keeps_the_lattice_of_ties():
    rng = np.random.default_rng(5)
    d = rng.choice([-2, -1, 0, 0, 1, 2, 2], (30, 400))
    exact = sign_flips.two_sided(d, exact=True)
    near = sign_flips.two_sided(d, exact=False)
    assert np.all(np.abs(near / exact - 1) < 1e-3)
    # In units of 4 the same signs are counted.
    assert sign_flips.two_sided(4 * d, exact=False).tolist() == near.tolist()


def test_the_size_alone_says_which():
    assert sign_flips.exact_for(60, 38)
    assert sign_flips.exact_for(1000, 4)
    assert not sign_flips.exact_for(1001, 2)
    assert not sign_flips.exact_for(400, 38)
