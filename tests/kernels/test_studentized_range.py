"""The studentised range against 25-digit integrals, Student's t and printed tables."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels import studentized_range
from pycompare.kernels.studentized_range import isf, sf
from tests.conftest import golden

# q, k, df and P(Q > q). Made apart from the kernel, in ball arithmetic
# (python-flint 0.9, 75 digits and those the tail cancels): the two nested integrals
# by composite Gauss-Legendre, 13 to 40 panels of 30 nodes over log s and 13 to 28
# over the minimum, with the plain difference T(x)**(k-1) - (T(x) - T(x+w))**(k-1).
# Fewer panels of 26 nodes give the same to 3e-25. The q are rounded isf values at
# random and at extreme k, df and p.
INTEGRALS = (
    (14.128778, 35, 1e6, "1.000000166622861249403631e-20"),
    (4.8630594, 200, 40, "0.8000000164758058363268813"),
    (30.64273, 70, np.inf, "1.000006446569936237950915e-100"),
    (0.90262513, 3, 40, "0.8000000014599515449273932"),
    (12.411598, 6, 95.25, "9.999990689767265170376477e-13"),
    (1778514200000.0, 12, 3, "1.000000026639406805783125e-35"),
    (10.660736, 7, np.inf, "1.000001881797807756851799e-12"),
    (2157764500000.0, 7, 1, "9.999999993958996195234135e-13"),
    (10.410119, 2, 17.3, "9.999998318700476186935695e-7"),
    (777.84123, 1000, 4, "9.999999804008997356663219e-9"),
    (6.4376056, 1000, np.inf, "0.5000000333096721637281230"),
    (16.8172, 1000, 1, "0.3000000067044926803700667"),
    (10.705365, 10000, 12, "0.09999998841114297920288971"),
    (12.384276, 10000, np.inf, "9.999971508189000026208112e-11"),
    (2171.5737, 5, 116, "9.999977424387546105058566e-251"),
    (52.478875, 3, 1e6, "1.000002940892217982056523e-300"),
)
DFS = (0.5, 1, 1.5, 2, 3, 5, 12, 30, 116, 500, 1e4, 1e6, np.inf)
TAILS = (0.999999, 0.9, 0.3, 0.01, 1e-8, 1e-20, 1e-50, 1e-100)


@pytest.fixture(scope="module")
def rows() -> dict[str, np.ndarray]:
    """Return the 125 mpmath values, a column each."""
    table = golden("studentized_range_mpmath")["rows"]
    assert len(table) == 125
    return {
        name: np.array([float(row[name]) for row in table])
        for name in ("q", "k", "df", "sfs", "ppf", "p")
    }


def test_sf_has_13_digits_of_the_mpmath_values_down_to_1e_20(rows):
    assert_digits(sf(rows["q"], rows["k"], rows["df"]), rows["sfs"], at_least=13)


def test_isf_has_13_digits_of_the_mpmath_values(rows):
    assert_digits(isf(rows["p"], rows["k"], rows["df"]), rows["ppf"], at_least=13)


def test_sf_has_12_digits_of_our_own_integrals_down_to_1e_300():
    q, k, df, tail = (np.array(c, dtype=float) for c in zip(*INTEGRALS, strict=True))
    assert_digits(sf(q, k, df), tail, at_least=12)


@pytest.mark.parametrize("df", DFS)
def test_two_means_are_student_t(df):
    q = isf(TAILS, 2, df)
    t = stats.t.sf if np.isfinite(df) else lambda x, _: stats.norm.sf(x)
    wanted = 2 * t(q / np.sqrt(2), df)
    # scipy 1.17 has 11 digits of t on 1 df near the median; the arc tangent has all.
    wanted = 2 / np.pi * np.arctan(np.sqrt(2) / q) if df == 1 else wanted
    assert_digits(sf(q, 2, df), wanted, at_least=12.5, what=f"df={df}")


@pytest.mark.parametrize("df", [2, 4])
def test_two_means_have_the_closed_forms_of_t_on_few_df(df):
    q = np.geomspace(1e-3, 1e3, 60)
    x = q / np.sqrt(2)
    root = np.sqrt(df + x * x)
    # The upper tails of t on 2 and on 4 df with 1 - x / root written as a product.
    one_sided = df / (root * (root + x)) / 2
    if df == 4:
        one_sided = one_sided**2 * (2 + x / root)
    wanted = 2 * one_sided
    assert_digits(sf(q, 2, df), wanted, at_least=13)


def test_critical_values_are_those_of_demsar_2006_table_5():
    k = np.arange(2, 11)
    five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    got = isf([[0.05], [0.10]], k, np.inf) / np.sqrt(2)
    np.testing.assert_allclose(got, [five, ten], rtol=0, atol=1.1e-3)


@pytest.mark.parametrize(
    ("alpha", "k", "df", "printed"),
    [
        (0.05, 2, 1, 17.97),
        (0.05, 3, 10, 3.877),
        (0.05, 10, 20, 5.008),
        (0.05, 20, 120, 5.126),
        (0.01, 3, 10, 5.270),
        (0.01, 5, 10, 6.136),
    ],
)
def test_critical_values_are_those_of_harter_1960(alpha, k, df, printed):
    assert round(isf(alpha, k, df), 2 if printed > 10 else 3) == printed


@pytest.mark.parametrize("k", [2, 3, 10, 200, 1000])
def test_isf_undoes_sf(k):
    q = isf(np.array(TAILS)[:, None], k, DFS)
    wanted = np.broadcast_to(np.array(TAILS)[:, None], q.shape)
    # At 1e-100 on many df, P moves q**2 / 2 times as fast as q: 1e-16 of q is 12.9
    # digits of P. The q themselves have 13 digits.
    assert_digits(sf(q, k, DFS), wanted, at_least=12, what=f"k={k}")


def test_halving_the_step_of_the_scale_changes_no_digit(monkeypatch):
    q = np.geomspace(0.05, 1e6, 80)[:, None, None]
    k, df = np.array([[2], [5], [50], [1000], [10000]]), np.array(DFS[:-1])
    once = sf(q, k, df)
    count = studentized_range._node_count
    monkeypatch.setattr(
        studentized_range, "_node_count", lambda k, df: 2 * count(k, df)
    )
    monkeypatch.setattr(studentized_range, "CUT", 46.0)
    seen = once > 1e-300
    assert_digits(once[seen], sf(q, k, df)[seen], at_least=13.5)


@pytest.mark.parametrize("k", [2, 3, 7, 50, 1000, 10_000])
def test_the_table_of_a_k_agrees_with_the_integral_it_was_made_from(k):
    w = np.random.default_rng(1).uniform(0.001, 28, 500)
    got = studentized_range._range_tail(w[:, None], np.full(w.size, k))[:, 0]
    wanted = studentized_range._range_sf(w, k)
    assert_digits(got * np.exp(-w * w / 4), wanted, at_least=13)


def test_the_tail_falls_with_q_and_df_and_grows_with_k():
    q = np.linspace(3, 12, 40)
    table = sf(q[:, None, None], np.array([[2], [3], [8], [60]]), [2, 9, 80, np.inf])
    assert (np.diff(table, axis=0) < 0).all()
    assert (np.diff(table, axis=1) > 0).all()
    assert (np.diff(table[q > 8], axis=2) < 0).all()


def test_many_df_tend_to_the_known_scale():
    q = np.array([0.3, 3, 9, 30])
    assert_digits(sf(q, 6, 1e15), sf(q, 6, np.inf), at_least=10)
    assert_digits(sf(q, 6, 0.999e20), sf(q, 6, 1e20), at_least=13)


def test_mixed_arrays_give_what_scalars_give():
    rng = np.random.default_rng(4)
    q, k = rng.uniform(0.1, 12, (7, 1, 1)), np.array([[2], [5], [90]])
    df = np.array([1.0, 6.5, 400, np.inf])
    mixed = sf(q, k, df)
    assert mixed.shape == (7, 3, 4)
    single = [[[sf(a, b, c) for c in df] for b in k[:, 0]] for a in q[:, 0, 0]]
    assert_digits(mixed, single, at_least=13)


def test_ends_of_the_line_and_missing_values():
    q = [np.nan, -np.inf, -1, -0.0, 0, np.inf]
    wanted = [np.nan, 1, 1, 1, 1, 0]
    np.testing.assert_array_equal(sf(q, 4, 7), wanted)
    np.testing.assert_array_equal(sf(q, 4, np.inf), wanted)
    np.testing.assert_array_equal(isf([0, 1, np.nan], 4, 7), [np.inf, 0, np.nan])


def test_the_ends_of_the_double_range_give_numbers_and_no_warning():
    assert sf(1e306, 1000, 1) > 0
    assert sf(1e308, 3, 0.5) > 0
    assert sf(60, 3, np.inf) == 0
    assert sf([1e155, 1e308], 5, np.inf).tolist() == [0, 0]
    # The last bits depend on the vector instructions of the processor.
    assert sf(5e-324, 3, 1e6) == pytest.approx(1, abs=1e-14)
    assert isf(5e-324, 1000, 1) == np.inf
    assert isf(5e-324, 5, np.inf) > 54
    assert (np.asarray(sf(np.geomspace(1e-12, 1e-3, 50), 9, 3)) <= 1).all()


def test_a_scalar_gives_a_float_and_an_empty_array_an_empty_array():
    assert isinstance(sf(3, 3, 5), float)
    assert isinstance(isf(0.05, 3, 5), float)
    assert sf([], 3, 5).shape == isf([], 3, 5).shape == (0,)


@pytest.mark.parametrize(
    ("k", "df", "message"),
    [
        (1, 5, "k has 1 .*2 to 10000"),
        ([3, 2.5], 5, "k has 2.5 .1 of 2"),
        (np.nan, 5, "k has nan"),
        (20_000, 5, "k has 20000"),
        (3, 0, "df has 0 "),
        (3, [4, -1], "df has -1 .1 of 2"),
        (3, np.nan, "df has nan"),
    ],
)
def test_an_impossible_k_or_df_is_refused(k, df, message):
    for function in (sf, isf):
        with pytest.raises(InputError, match=message):
            function(0.5, k, df)


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_a_p_outside_0_to_1_is_refused_as_it_was_given(p):
    with pytest.raises(InputError, match=f"p has {p}"):
        isf(p, 3, 5)


def test_a_large_call_holds_little_beyond_its_result():
    q = np.linspace(0.1, 9, 200_000)
    sf(1.0, 3, 5)
    tracemalloc.start()
    sf(q, 3, 50)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - q.nbytes < 50e6
