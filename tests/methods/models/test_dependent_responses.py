"""Nearly dependent responses: digits against exact arithmetic, signs of variates."""

import mpmath
import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.methods.linear.witness import exact_roots


def near(seed, b, a, p, gap):
    """Scores (b, a, p) of which the last response is nearly a sum of the others."""
    rng = np.random.default_rng(seed)
    y = (
        rng.normal(size=(b, a, p))
        + rng.normal(size=(b, 1, p))
        + rng.normal(size=(a, p))
    )
    y[..., -1] = y[..., :-1].sum(axis=-1) + gap * y[..., -1]
    return y


def as_frame(y):
    b, a, p = y.shape
    frame = pd.DataFrame(y.reshape(b * a, p), columns=[f"y{k}" for k in range(p)])
    frame["block"] = [f"b{i}" for i in range(b) for _ in range(a)]
    frame["algorithm"] = [f"a{j}" for j in range(a)] * b
    return frame


def responses(p):
    return f"cbind({', '.join(f'y{k}' for k in range(p))})"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("within", [None, "block"])
def test_wilks_of_nearly_dependent_responses_has_the_digits_of_exact_arithmetic(
    seed, within
):
    b, a, p = 5 + seed % 3, 3, 2 + seed % 2
    y = near(seed, b, a, p, 10.0 ** -(4 + seed % 2))
    terms = "algorithm" if within else "block + algorithm"
    model = pc.linear_model(as_frame(y), f"{responses(p)} ~ {terms}", within=within)
    roots = exact_roots(y, blocked=True)
    wilks = float(mpmath.fprod(1 / (1 + root) for root in roots))
    table = model.manova["algorithm"].table.set_index("test")
    assert_digits(table.loc["wilks", "statistic"], wilks, at_least=13)
    permuted = model.permutation_test("algorithm", permutations=9, seed=1)
    assert_digits(permuted.table["statistic"].iloc[-1], wilks, at_least=13)


def test_nearly_dependent_responses_without_a_constant_are_not_centred():
    rng = np.random.default_rng(1)
    x, y0 = rng.normal(3, 1, 12), rng.normal(5, 1, 12)
    frame = pd.DataFrame({"x": x, "y0": y0, "y1": y0 + 1e-5 * rng.normal(1, 1, 12)})
    found = pc.linear_model(frame, "cbind(y0, y1) ~ 0 + x").manova["x"].table
    with mpmath.workdps(50):
        y, z = mpmath.matrix(frame[["y0", "y1"]].to_numpy()), mpmath.matrix(x)
        total = y.T * y
        shared = y.T * z
        error = total - shared * shared.T / (z.T * z)[0]
        wilks = float(mpmath.det(error) / mpmath.det(total))
    got = found.set_index("test").loc["wilks", "statistic"]
    assert_digits(got, wilks, at_least=13)


@pytest.mark.parametrize("seed", range(6))
def test_variates_have_the_same_signs_in_any_order_of_the_rows(seed):
    frame = as_frame(near(seed, 6, 4, 3, 1.0))
    formula = f"{responses(3)} ~ block + algorithm"
    variates = [
        pc.linear_model(rows, formula).manova["algorithm"].coefficients
        for rows in (frame, frame.sample(frac=1, random_state=seed))
    ]
    assert_digits(*variates, at_least=9)
