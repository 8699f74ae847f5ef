from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import exhaustive, exhaustive_line, logical
from pycompare.methods.pairs.adjusted_pairs import bound_note
from tests.conftest import golden
from validation.brute_force import (
    brute_force_bergmann_hommel,
    brute_force_largest_true_sets,
    exhaustive_sets,
    on_a_line,
    random_case,
)

VECTORS = golden("padjust_vectors")["outputs"]


def off_diagonal(matrix):
    return np.asarray(matrix)[~np.eye(len(matrix), dtype=bool)]


def square(values, a, diagonal):
    matrix = np.full((a, a), diagonal, dtype=float)
    matrix[np.triu_indices(a, 1)] = values
    matrix.T[np.triu_indices(a, 1)] = values
    return matrix


def on_line(rng, a, spread):
    """Mean ranks of a table with rank-like ties, and their p-values."""
    positions = np.sort(rng.integers(0, 4 * a, a)) / 4 * spread
    distance = np.abs(positions[:, None] - positions[None, :])
    return positions, 2 * special.ndtr(-distance)


def test_numbers_of_exhaustive_sets_are_those_of_garcia_and_herreras_table_1():
    counts = [exhaustive.n_exhaustive_sets(a) for a in range(4, 10)]
    assert counts == [14, 51, 202, 876, 4139, 21146]


@pytest.mark.parametrize("a", [2, 3, 4, 5, 6, 7])
def test_counts_are_those_of_all_partitions(a):
    sets = exhaustive_sets(a)
    assert exhaustive.n_exhaustive_sets(a) == len(sets)
    assert exhaustive.possible_counts(a).tolist() == sorted({0, *map(len, sets)})


def test_shaffers_recursion_for_many_algorithms():
    # Shaffer (1986), Table 1: S(5) and S(6).
    assert exhaustive.possible_counts(1).tolist() == [0]
    assert exhaustive.possible_counts(5).tolist() == [0, 1, 2, 3, 4, 6, 10]
    assert exhaustive.possible_counts(6).tolist() == [0, 1, 2, 3, 4, 6, 7, 10, 15]
    assert exhaustive.possible_counts(200)[-1] == 19900


def test_counts_of_many_algorithms_are_those_of_the_whole_recursion():
    sets = [{0}]
    for k in range(1, 61):
        sets.append(
            {j * (j - 1) // 2 + x for j in range(1, k + 1) for x in sets[k - j]}
        )
    for a in range(1, 61):
        assert exhaustive.possible_counts(a).tolist() == sorted(sets[a]), a


@settings(max_examples=300)
@given(st.integers(0, 10**9))
def test_bergmann_hommel_is_the_enumeration_of_all_sets(seed):
    case = random_case(np.random.default_rng(seed))
    expected = off_diagonal(brute_force_bergmann_hommel(case.p))
    got = off_diagonal(exhaustive.bergmann_hommel(case.p))
    assert_digits(got, expected, at_least=13.5)
    if case.positions is not None:
        line = off_diagonal(exhaustive.bergmann_hommel_line(case.positions, case.p))
        assert_digits(line, expected, at_least=13.5)


@settings(max_examples=200)
@given(st.integers(0, 10**9))
def test_largest_true_sets_are_those_of_the_enumeration(seed):
    case = random_case(np.random.default_rng(seed))
    expected = off_diagonal(brute_force_largest_true_sets(case.p))
    if case.positions is None:
        got = exhaustive.largest_true_sets(case.p)
    else:
        # p-values of equal distances tie on paper; the line decides by distance.
        distance = np.abs(case.positions[:, None] - case.positions[None, :])
        p = square(0, len(case.p), 1.0)
        ranks = np.unique(np.round(distance, 9), return_inverse=True)[1]
        p = 1.0 / (1.0 + ranks.reshape(distance.shape))
        expected = off_diagonal(brute_force_largest_true_sets(p))
        got = exhaustive.largest_true_sets_line(case.positions, p)
    assert off_diagonal(got).tolist() == expected.tolist()


@pytest.mark.parametrize("case", [c for c in VECTORS if VECTORS[c]["k"] > 2])
def test_bergmann_hommel_agrees_with_r(case):
    a = int(VECTORS[case]["k"])
    p = square(VECTORS[case]["p"], a, 1.0)
    name = "bergmann_hommel_bruteforce_without_final_monotonicity"
    expected = VECTORS[case]["adjusted"][name]["value"]
    got = exhaustive.bergmann_hommel(p)[np.triu_indices(a, 1)]
    assert_digits(got, expected, at_least=14)


@pytest.mark.parametrize("case", [c for c in VECTORS if VECTORS[c]["k"] > 2])
def test_shaffers_dynamic_t_agrees_with_r(case):
    a = int(VECTORS[case]["k"])
    p = VECTORS[case]["p"]
    entry = VECTORS[case]["adjusted"]["shaffer_dynamic_containing_bruteforce"]
    got = exhaustive.largest_true_sets(square(p, a, 1.0))[np.triu_indices(a, 1)]
    order = np.argsort(p, kind="stable")
    first = np.concatenate([[True], np.diff(np.asarray(p)[order]) > 0])
    # R lists t in the order of p; of tied p-values it takes the later ones as false.
    alone = first & np.concatenate([first[1:], [True]])
    expected = np.asarray(entry["value"]["t"])
    assert got[order][alone].tolist() == expected[alone].tolist()


@pytest.mark.parametrize("a", [10, 12, 14])
@pytest.mark.parametrize("spread", [0.2, 0.6, 1.5])
def test_the_line_agrees_with_the_general_search(a, spread):
    rng = np.random.default_rng([a, int(10 * spread)])
    for _ in range(3):
        positions, p = on_line(rng, a, spread)
        general = off_diagonal(exhaustive.bergmann_hommel(p))
        line = off_diagonal(exhaustive.bergmann_hommel_line(positions, p))
        assert_digits(line, general, at_least=13.5)


@pytest.mark.parametrize("spread", [0.2, 0.6, 1.5])
def test_the_line_is_the_same_however_its_work_is_divided(spread, monkeypatch):
    positions, p = on_line(np.random.default_rng(int(10 * spread)), 24, spread)
    whole = exhaustive.bergmann_hommel_line(positions, p)
    sets = exhaustive.largest_true_sets_line(positions, p)
    for name in ("_CHUNK", "_AT_ONCE", "_LIKE", "_SPREAD"):
        monkeypatch.setattr(exhaustive_line, name, 1)
    np.testing.assert_array_equal(exhaustive.bergmann_hommel_line(positions, p), whole)
    np.testing.assert_array_equal(exhaustive.largest_true_sets_line(positions, p), sets)


def test_179_algorithms_are_bounded_by_bonferroni_and_holm():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(121, 179)) + 0.02 * np.arange(179)
    frame = {f"A{j}": x[:, j] for j in range(179)}
    scores = pc.Scores.from_wide(frame, metric="score", better="higher")
    got = pc.rank_pairs(scores, adjust="bergmann-hommel").table["p_adjusted"]
    holm = pc.rank_pairs(scores, adjust="holm").table["p_adjusted"]
    raw = pc.rank_pairs(scores, adjust="none").table["p_adjusted"]
    assert ((got >= raw) & (got <= holm * (1 + 1e-12))).all()


def test_positions_may_come_in_any_order():
    rng = np.random.default_rng(3)
    positions = on_a_line(rng, 7)
    p = 2 * special.ndtr(-np.abs(positions[:, None] - positions[None, :]))
    mixed = rng.permutation(7)
    one = exhaustive.bergmann_hommel_line(positions, p)
    other = exhaustive.bergmann_hommel_line(positions[mixed], p[np.ix_(mixed, mixed)])
    assert_digits(other, one[np.ix_(mixed, mixed)], at_least=14)


@pytest.mark.parametrize(
    "p",
    [
        np.ones((2, 3)),
        np.ones((1, 1)),
        [[1, 0.1], [0.2, 1]],
        [[1, 1.5], [1.5, 1]],
        [[1, np.nan], [np.nan, 1]],
    ],
)
def test_what_is_no_table_of_p_values_is_refused(p):
    with pytest.raises(pc.InputError):
        exhaustive.bergmann_hommel(p)
    with pytest.raises(pc.InputError):
        exhaustive.largest_true_sets(p)


def tables(seed, sizes=(4, 6, 8)):
    """Tables of p-values without structure, with ties, and of groups that differ."""
    rng = np.random.default_rng(seed)
    for a in sizes:
        m = a * (a - 1) // 2
        yield square(rng.random(m) ** 4, a, 1.0)
        yield square(np.round(rng.random(m), 1), a, 1.0)
        group = rng.integers(0, 2, a)
        apart = (group[:, None] != group)[np.triu_indices(a, 1)]
        yield square(np.where(apart, 1e-4, 1.0) * rng.random(m), a, 1.0)


@pytest.mark.parametrize("steps", [0, 1, 10, 40, 160, 640])
def test_ended_searches_give_bounds_that_are_never_too_small(steps):
    ended = 0
    for p in tables(steps + 1):
        right = exhaustive.bergmann_hommel(p)
        counts = exhaustive.possible_counts(len(p))
        for sizes in (None, counts):
            found, exact = exhaustive.bergmann_hommel_within(p, steps, sizes)
            assert (found == found.T).all() and (found >= right).all()
            assert not exact or (found == right).all()
            ended += not exact
        shaffer = pc.adjust(p, "shaffer")
        assert (off_diagonal(found) <= off_diagonal(shaffer) * (1 + 1e-12)).all()
    assert ended > 0 or steps > 100


def test_more_steps_never_give_larger_bounds():
    for p in tables(5, sizes=(7,)):
        found = [exhaustive.bergmann_hommel_within(p, n)[0] for n in (0, 30, 90, 9999)]
        for fewer, more in pairwise(found):
            assert (more <= fewer).all()
        np.testing.assert_array_equal(found[-1], exhaustive.bergmann_hommel(p))


@pytest.mark.parametrize("form", ["any", "line"])
def test_bounds_of_too_long_a_search_are_told_and_the_exact_ones_on_request(
    form, monkeypatch
):
    scores = pc.example()
    exact = pc.rank_pairs(scores, adjust="bergmann-hommel")
    p = exact.matrix("p_value")
    assert bound_note(exact) == ""
    monkeypatch.setattr(logical, "_ALWAYS", 2)
    monkeypatch.setattr(logical, "_EFFORT", 3)
    logical._searched.cache_clear()
    if form == "line":
        monkeypatch.setattr(logical, "_MOST_ON_A_LINE", 3)
        found = pc.rank_pairs(scores, adjust="bergmann-hommel")
    else:
        found = pc.rank_pairs(scores, adjust="bergmann-hommel", p_value="sign-flips")
        exact, p = found, found.matrix("p_value")
    assert bound_note(found).startswith("Adjusted p-values are upper bounds")
    assert not found.repeatable
    right = pc.adjust(p, "bergmann-hommel", exact=True)
    for row in found.table.itertuples():
        least = right.loc[row.algorithm_1, row.algorithm_2]
        assert row.p_adjusted >= least * (1 - 1e-12)
    plan = pc.Plan(blocks="datasets", compares="ranks", adjust=("bergmann-hommel",))
    if form == "line":
        [told] = pc.compare(scores, plan).to_dict()["analyses"][0]["pairs_by"]
        assert told["bound"] == bound_note(found)
    else:
        frame = pc.example().to_frame()
        model = pc.linear_model(frame, "accuracy ~ algorithm", within="block")
        pairs = model.emmeans("algorithm").contrasts(adjust="bergmann-hommel")
        assert any(note.startswith("Adjusted p-values are u") for note in pairs.notes)
    logical._searched.cache_clear()


def test_exact_applies_to_bergmann_hommel_only():
    with pytest.raises(pc.InputError, match="exact=True applies to"):
        pc.adjust([0.01, 0.2], "holm", exact=True)
