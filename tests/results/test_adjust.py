import subprocess
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.testing import assert_digits, lre
from pycompare.kernels.rom import rom_critical_values
from pycompare.results.adjust import ADJUSTMENTS
from tests.conftest import golden

VECTORS = golden("padjust_vectors")["outputs"]
WANTED = {
    "bonferroni": ("bonferroni", 14),
    "holm": ("holm", 14),
    "hochberg": ("hochberg", 14),
    "hommel": ("hommel", 14),
    "BH": ("BH", 14),
    "BY": ("BY", 14),
    "sidak": ("sidak_single_accurate", 13),
    "finner": ("finner_accurate", 13),
    "holland": ("holland_accurate", 13),
    "li": ("li_scmamp", 12),
    # The golden is a root found by R's uniroot.
    "rom": ("rom_stepup_exact", 7),
}
LOGICAL = {
    "shaffer": "shaffer_static_bruteforce",
    "shaffer-dynamic": "shaffer_dynamic_containing_bruteforce",
    "bergmann-hommel": "bergmann_hommel_bruteforce_without_final_monotonicity",
}
CLOSED = ("bergmann-hommel", "hochberg-rom")
ANY = [name for name, a in ADJUSTMENTS.items() if not a.pairs_only]
PAIRS = [name for name, a in ADJUSTMENTS.items() if a.pairs_only]
vectors = st.lists(
    st.one_of(
        st.sampled_from([0.0, 1.0, 0.01, 0.05, 0.5, 1e-300]),
        st.floats(0, 1, allow_nan=False),
    ),
    min_size=1,
    max_size=12,
)


def square(p, a):
    table = np.ones((a, a))
    table[np.triu_indices(a, 1)] = p
    return np.minimum(table, table.T)


def last_of_ties(p, adjusted):
    """R's running maximum goes through ties in order; the last has the group's."""
    p, adjusted = np.atleast_1d(p), np.atleast_1d(adjusted)
    return np.array([adjusted[p == value].max() for value in p])


def flat(table):
    return np.asarray(table)[np.triu_indices(len(table), 1)]


@pytest.mark.parametrize("case", VECTORS)
@pytest.mark.parametrize("method", WANTED)
def test_agrees_with_r_on_any_family(case, method):
    entry, digits = WANTED[method]
    if entry not in VECTORS[case]["adjusted"]:
        assert method == "rom"
        return
    p = np.atleast_1d(VECTORS[case]["p"]).astype(float)
    expected = np.atleast_1d(VECTORS[case]["adjusted"][entry]["value"])
    got = pc.adjust(p, method)
    assert_digits(got, expected.astype(float), at_least=digits, what=method)


@pytest.mark.parametrize("case", VECTORS)
@pytest.mark.parametrize("method", LOGICAL)
def test_agrees_with_enumeration_in_r_on_all_pairs(case, method):
    entry = VECTORS[case]["adjusted"].get(LOGICAL[method])
    if entry is None:
        assert case.startswith("k2")
        return
    expected = entry["value"]
    expected = expected["p"] if isinstance(expected, dict) else expected
    table = square(VECTORS[case]["p"], int(VECTORS[case]["k"]))
    got = flat(pc.adjust(table, method))
    if method != "bergmann-hommel":
        expected = last_of_ties(VECTORS[case]["p"], expected)
    assert_digits(got, np.atleast_1d(expected), at_least=14, what=method)


# An independent implementation. It computes 1 - (1 - p)^x, with absolute accuracy; its
# Bergmann-Hommel has the running maximum of monotone=True.
SCMAMP = {
    "finner": ("finner_scmamp", {}),
    "holland": ("holland_scmamp", {}),
    "li": ("li_scmamp", {}),
    "shaffer": ("shaffer_static_scmamp", {}),
    "bergmann-hommel": ("bergmann_hommel_scmamp", {"monotone": True}),
}


@pytest.mark.parametrize("case", VECTORS)
@pytest.mark.parametrize("method", SCMAMP)
def test_agrees_with_scmamp(case, method):
    name, options = SCMAMP[method]
    entry = VECTORS[case]["adjusted"].get(name, {"error": "none"})
    if "error" in entry:
        assert case.startswith("k2")  # scmamp's logical procedures fail there
        return
    p = np.atleast_1d(VECTORS[case]["p"]).astype(float)
    table = square(p, int(VECTORS[case]["k"]))
    got = flat(pc.adjust(table, method, **options))
    expected = np.atleast_1d(entry["value"]).astype(float)
    digits = lre(got, last_of_ties(p, expected), floor=1e-3)
    assert digits.min() > 11


@pytest.mark.parametrize("case", VECTORS)
def test_monotone_bergmann_hommel_agrees_with_enumeration_in_r(case):
    entry = VECTORS[case]["adjusted"].get("bergmann_hommel_bruteforce")
    if entry is None:
        assert case.startswith("k2")
        return
    p = np.atleast_1d(VECTORS[case]["p"])
    got = flat(
        pc.adjust(square(p, int(VECTORS[case]["k"])), "bergmann-hommel", monotone=True)
    )
    assert_digits(got, last_of_ties(p, entry["value"]), at_least=14)


@pytest.mark.parametrize(
    "case", [c for c in VECTORS if "rom_critical_alpha05" in VECTORS[c]["adjusted"]]
)
def test_roms_critical_values_agree_with_r(case):
    for alpha, name in ((0.05, "rom_critical_alpha05"), (0.10, "rom_critical_alpha10")):
        expected = np.atleast_1d(VECTORS[case]["adjusted"][name]["value"])
        got = rom_critical_values(np.float64(alpha), len(expected))[::-1]
        assert_digits(got, expected, at_least=12)


@pytest.mark.parametrize("m", [1, 2, 3, 8, 33, 200])
def test_hommel_is_the_largest_simes_p_value_over_sets_of_every_size(m):
    rng = np.random.default_rng(m)
    ranks = np.arange(1, m + 1)
    for p in (rng.random(m), rng.random(m) ** 4, rng.integers(0, 4, m) / 3):
        q = np.sort(p)
        largest = [np.min(k * q[m - k :] / ranks[:k]) for k in ranks]
        expected = np.minimum(ranks * p[:, None], largest).max(axis=1)
        assert_digits(pc.adjust(p, "hommel"), expected, at_least=15)


def test_roms_critical_values_are_those_printed():
    # Rom (1990), Table 1, alpha = 0.05.
    got = rom_critical_values(np.float64(0.05), 5).round(5).tolist()
    assert got == [0.05, 0.025, 0.01688, 0.01271, 0.01019]


@settings(max_examples=60)
@given(vectors)
def test_rom_rejects_exactly_from_its_adjusted_p_on(p):
    p = np.array(p)
    got = pc.adjust(p, "rom")
    for level in (0.01, 0.05, 0.3):
        critical = rom_critical_values(np.float64(level), len(p))[::-1]
        passed = np.flatnonzero(np.sort(p) <= critical)
        cut = np.sort(p)[passed[-1]] if len(passed) else -1.0
        near = np.abs(got - level) < 1e-12
        assert ((p <= cut) == (got <= level))[~near].all()


@pytest.mark.parametrize("method", ANY)
@settings(max_examples=60)
@given(p=vectors, seed=st.integers(0, 1000))
def test_any_family_keeps_order_ties_and_bounds(method, p, seed):
    p = np.array(p)
    got = pc.adjust(p, method)
    assert ((got >= 0) & (got <= 1)).all()
    shuffle = np.random.default_rng(seed).permutation(len(p))
    assert_digits(pc.adjust(p[shuffle], method), got[shuffle], at_least=14)
    order = np.argsort(p, kind="stable")
    assert (np.diff(got[order]) >= -1e-15).all()
    for value in np.unique(p):
        assert len(set(got[p == value])) == 1
    if method != "li":  # Li's bound max p may lie below p / (p + 1 - max p)
        assert (got >= p * (1 - 1e-14)).all()


@pytest.mark.parametrize("method", PAIRS)
@settings(max_examples=40)
@given(data=st.data(), a=st.integers(2, 6), seed=st.integers(0, 1000))
def test_all_pairs_keep_ties_bounds_and_labels(method, data, a, seed):
    m = a * (a - 1) // 2
    p = data.draw(
        st.lists(
            st.sampled_from([0, 1e-9, 0.01, 0.02, 0.3, 1.0]), min_size=m, max_size=m
        )
    )
    table = square(p, a)
    got = pc.adjust(table, method)
    shuffle = np.random.default_rng(seed).permutation(a)
    moved = pc.adjust(table[np.ix_(shuffle, shuffle)], method)
    assert_digits(flat(moved), flat(got[np.ix_(shuffle, shuffle)]), at_least=14)
    assert ((flat(got) >= flat(table) * (1 - 1e-12)) & (flat(got) <= 1)).all()
    if method not in CLOSED:  # the exact closed test may tell ties apart
        for value in np.unique(flat(table)):
            assert len(set(flat(got)[flat(table) == value])) == 1


@settings(max_examples=60)
@given(data=st.data(), a=st.integers(3, 6))
def test_procedures_rank_by_power_as_theory_says(data, a):
    m = a * (a - 1) // 2
    p = data.draw(st.lists(st.floats(1e-6, 1), min_size=m, max_size=m))
    table = square(p, a)
    chain = [
        "hochberg-rom",
        "bergmann-hommel",
        "shaffer-dynamic",
        "shaffer",
        "holm",
        "bonferroni",
    ]
    values = [flat(pc.adjust(table, name)) for name in chain]
    for sharper, blunter in pairwise(values):
        assert (sharper <= blunter * (1 + 1e-12)).all()


def test_hochberg_hommel_holm_rank_by_power():
    p = np.random.default_rng(0).random((200, 6)) ** 2
    for row in p:
        rom, hommel, hochberg, holm = (
            pc.adjust(row, n) for n in ("rom", "hommel", "hochberg", "holm")
        )
        assert (rom <= hochberg * (1 + 1e-9)).all()
        assert (hommel <= hochberg * (1 + 1e-12)).all()
        assert (hochberg <= holm * (1 + 1e-12)).all()


def test_labels_come_back():
    series = pd.Series([0.01, 0.2], index=["x", "y"], name="p")
    assert pc.adjust(series, "holm").index.tolist() == ["x", "y"]
    frame = pd.DataFrame(
        square([0.01, 0.2, 0.3], 3), index=list("abc"), columns=list("abc")
    )
    got = pc.adjust(frame, "shaffer")
    assert got.index.tolist() == list("abc")
    assert got.loc["a", "b"] == got.loc["b", "a"] == 0.03
    assert np.isnan(got.loc["a", "a"])


def test_tiny_p_keep_their_digits():
    p = np.array([1e-60, 1e-30, 0.5])
    assert_digits(pc.adjust(p, "holland"), [3e-60, 2e-30, 0.5], at_least=14)
    assert_digits(pc.adjust(p, "finner")[0], 3e-60, at_least=14)
    assert_digits(pc.adjust(p, "rom")[0], 3e-60, at_least=12)


def test_an_empty_family_stays_empty():
    for name in ANY:
        assert len(pc.adjust(np.array([]), name)) == 0


@pytest.mark.parametrize(
    ("p", "method", "message"),
    [
        ([0.1, 1.2], "holm", "number 2 is 1.2"),
        ([0.1, float("nan")], "holm", "number 2 is nan"),
        ([-0.1], "BH", "number 1 is -0.1"),
        ([0.1, 0.2], "hölm", "no adjustment is called"),
        ([0.1, 0.2, 0.3], "shaffer", "square table"),
        (np.ones((2, 3)), "holm", "shape"),
        ([[1, 0.1], [0.2, 1]], "holm", "not symmetric"),
    ],
)
def test_bad_input_is_refused_in_one_line(p, method, message):
    with pytest.raises(pc.InputError, match=message):
        pc.adjust(p, method)


def test_monotone_is_refused_where_it_has_no_meaning():
    with pytest.raises(pc.InputError, match="bergmann-hommel"):
        pc.adjust([0.1, 0.2], "holm", monotone=True)


def test_fdr_is_the_alias_that_r_has():
    p = [0.01, 0.02, 0.3]
    assert (pc.adjust(p, "fdr") == pc.adjust(p, "BH")).all()


def test_vectors_are_adjusted_without_pandas_and_matplotlib():
    code = (
        "import sys, pycompare as pc; pc.adjust([0.01, 0.2], 'holm');"
        "print({'pandas', 'matplotlib', 'scipy.optimize'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.strip() == "set()", ran.stderr
