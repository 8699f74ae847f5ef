"""Permutation of residuals: identities, complete lists, level, refusals."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from validation.checks.models import designed, experiment


def brute_force(frame, formula, within, response, term, rows):
    """Return the share of permutations whose F reaches the observed one."""
    model = pc.linear_model(frame, formula, within=within)
    wanted = model.anova.set_index("term").loc[term, "statistic"]
    layer = model.fit.layer_of(model.term(term))
    q, y = layer.parts[model.term(term)].basis, model.fit.centred
    residual = layer.residuals(y) + q @ (q.T @ y)
    hits = 0
    for order in rows:
        other = frame.assign(**{response: (y - residual + residual[list(order)])[:, 0]})
        made = pc.linear_model(other, formula, within=within).anova.set_index("term")
        hits += made.loc[term, "statistic"] >= wanted * (1 - 1e-9)
    return hits / len(rows)


def test_all_permutations_of_rows_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    x, kind = rng.normal(size=5), list("aabba")
    frame = pd.DataFrame({"x": x, "kind": kind, "y": x + rng.normal(size=5)})
    model = pc.linear_model(frame, "y ~ kind + x")
    found = model.permutation_test("kind", permutations=10, seed=0)
    rows = list(permutations(range(5)))
    assert found.listed and found.seed is None and found.n_permutations == 120
    wanted = brute_force(frame, "y ~ kind + x", None, "y", "kind", rows)
    assert_digits(found.table["p_value"], [wanted], at_least=12)
    assert "exact for many rows only" in found.notes[1]


def test_all_permutations_within_units_are_those_of_the_definition():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {"data": list("ppqqrr") * 2, "learner": list("xy") * 6,
         "prep": list("u" * 6 + "v" * 6), "y": rng.normal(size=12)}
    )  # fmt: skip
    frame = frame.iloc[:6]
    model = pc.linear_model(frame, "y ~ learner", within="data")
    found = model.permutation_test("learner", seed=0)
    rows = [
        (a, 1 - a, 2 + b, 3 - b, 4 + c, 5 - c)
        for a in (0, 1) for b in (0, 1) for c in (0, 1)
    ]  # fmt: skip
    assert found.n_permutations == 8 and found.within == "data"
    wanted = brute_force(frame, "y ~ learner", "data", "y", "learner", rows)
    assert_digits(found.table["p_value"], [wanted], at_least=12)
    assert len(found.notes) == 1


def test_terms_between_units_permute_the_units():
    frame = experiment("oats")
    model = pc.linear_model(frame, "yield ~ Variety * C(nitro)", within="Block/Variety")
    found = model.permutation_test("Variety", seed=0)
    assert found.units == 18 and found.within == "Block" and found.listed
    assert found.n_permutations == 6**6
    means = frame.groupby(["Block", "Variety"], as_index=False)["yield"].mean()
    alone = pc.linear_model(means, "yield ~ Variety", within="Block")
    other = alone.permutation_test("Variety", seed=0)
    assert_digits(found.table["p_value"], other.table["p_value"], at_least=12)
    row = model.anova.set_index("term").loc["Variety"]
    assert_digits(found.table["statistic"], [row["statistic"]], at_least=11)


def test_all_responses_together_are_permuted_alike():
    scores = pc.example("folds")
    model = pc.linear_model(
        scores.to_frame(), "cbind(error, auc) ~ algorithm", within="block"
    )
    found = model.permutation_test("algorithm", permutations=199, seed=4)
    table = found.table.set_index("response")
    wilks = model.manova["algorithm"].table.set_index("test").loc["wilks"]
    assert_digits(
        table.loc["all responses", "statistic"], wilks["statistic"], at_least=10
    )
    same = pc.permutation_manova(scores, permutations=199, seed=4)
    assert abs(table.loc["all responses", "p_value"] - same.p_value) <= 0.01
    again = model.permutation_test("algorithm", permutations=199, seed=4)
    assert again.table.equals(found.table)


def test_units_of_responses_and_dependent_ones_change_no_p_value():
    frame = designed(3, 7)
    model = pc.linear_model(frame, "cbind(error, auc) ~ learner * prep")
    found = model.permutation_test("learner:prep", permutations=99, seed=1)
    moved = frame.assign(error=frame["error"] * 1e200, auc=frame["auc"] * 1e-200)
    other = pc.linear_model(moved, "cbind(error, auc) ~ learner * prep")
    made = other.permutation_test("learner:prep", permutations=99, seed=1)
    assert made.table["p_value"].tolist() == found.table["p_value"].tolist()
    third = frame.assign(third=frame["error"] - frame["auc"])
    more = pc.linear_model(third, "cbind(error, auc, third) ~ learner * prep")
    last = more.permutation_test("learner:prep", permutations=99, seed=1).table
    assert last["p_value"].iloc[-1] == found.table["p_value"].iloc[-1]


def test_orders_that_are_given_are_used():
    model = pc.linear_model(designed(3), "error ~ learner", within="data")
    drawn = model.permutation_test("learner", permutations=50, seed=9)
    given = model.permutation_test("learner", permutations=drawn.orders)
    assert given.table.equals(drawn.table) and given.seed is None
    with pytest.raises(pc.InputError, match="out of its data"):
        model.permutation_test("learner", permutations=drawn.orders[:, ::-1])
    with pytest.raises(pc.InputError, match="subtract 1"):
        model.permutation_test("learner", permutations=drawn.orders + 1)
    with pytest.raises(pc.InputError, match="one row of 108 positions"):
        model.permutation_test("learner", permutations=[[0, 1]])
    with pytest.raises(pc.InputError, match="leave the seed out"):
        model.permutation_test("learner", permutations=drawn.orders, seed=1)


def test_what_cannot_be_permuted_is_refused():
    frame = designed(3, 7)
    mixed = pc.linear_model(frame, "error ~ learner", within="data")
    with pytest.raises(pc.DesignError, match="mixed model are not exchangeable"):
        mixed.permutation_test("learner", seed=1)
    plain = pc.linear_model(frame, "error ~ learner + data + size")
    with pytest.raises(pc.DesignError, match="the term size cannot be tested"):
        plain.permutation_test("size", seed=1)
    for wrong in ({}, {"seed": -1}, {"seed": 1, "permutations": 0}):
        with pytest.raises(pc.InputError, match="whole number"):
            plain.permutation_test("learner", **wrong)


def test_constant_scores_have_no_p_value():
    frame = designed(3).assign(error=2.5)
    made = pc.linear_model(frame, "error ~ learner").permutation_test(
        "learner", permutations=19, seed=1
    )
    assert made.table["p_value"].isna().all() and "nothing" in made.notes[-1]


def test_level_with_skewed_errors_and_another_term():
    rng = np.random.default_rng(5)
    frame = designed(2)
    hits, runs = 0, 100
    for seed in range(runs):
        frame["error"] = frame["time"] + rng.exponential(size=len(frame)) ** 2
        model = pc.linear_model(frame, "error ~ learner + time")
        p = model.permutation_test("learner", permutations=99, seed=seed)
        hits += p.table["p_value"][0] <= 0.05
    assert hits / runs <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / runs)
