"""Sets of ranks beside those of R's csranks; see ``r_reference/golden/csranks.R``."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import pycompare as pc
from pycompare.results.result import PairsResult
from tests.conftest import golden, golden_names, wide

NORMAL = golden_names("csranks_normal")
COUNTS = golden("csranks_multinomial")


def limits(pairs: PairsResult, alpha: float = 0.05) -> tuple[list[int], list[int]]:
    """Return the limits of all algorithms, in the order of the data."""
    rows = pc.rank_sets(pairs, alpha=alpha).table.set_index("algorithm")
    rows = rows.loc[list(pairs.algorithms)]
    return rows["rank_low"].tolist(), rows["rank_high"].tolist()


def theirs(found: dict, name: str) -> tuple[list[int], list[int]]:
    value = found["outputs"][name]["value"]
    return value["L"], value["U"]


@cache
def drawn(name: str) -> PairsResult:
    """Return max-T of the scores of a file."""
    found = golden(name)["input"]
    return pc.max_t(wide(np.reshape(found["x"], (-1, found["blocks"])).T), flips=4999)


def choices() -> pc.Scores:
    """Return one case a choice: 1 for the chosen category, 0 for the others."""
    counts = COUNTS["input"]["counts"]
    return wide(np.repeat(np.eye(len(counts)), counts, axis=0))


def test_bonferronis_sets_of_multinomial_counts_are_those_of_csranks():
    found = pc.mcnemar_pairs(choices(), adjust="bonferroni")
    assert limits(found) == theirs(COUNTS, "bonferroni")
    ranks = pc.rank_sets(found).table.set_index("algorithm")["rank"]
    assert (
        ranks.loc[list(found.algorithms)].tolist()
        == (COUNTS["outputs"]["bonferroni"]["value"]["rank"])
    )


@pytest.mark.parametrize(("name", "alpha"), [("holm", 0.05), ("holm_90", 0.1)])
def test_holms_sets_are_within_those_of_csranks_that_count_both_directions(name, alpha):
    low, high = limits(pc.mcnemar_pairs(choices(), adjust="holm"), alpha)
    their_low, their_high = theirs(COUNTS, name)
    assert (np.array(low) >= their_low).all() and (np.array(high) <= their_high).all()


@pytest.mark.parametrize("name", NORMAL)
def test_max_t_has_the_sets_and_limits_of_csranks(name):
    found, made = golden(name), drawn(name)
    assert limits(made) == theirs(found, "step_down")
    lower = np.reshape(
        np.array(found["outputs"]["lower_limits"]["value"], float), (6, 6)
    )
    below = made.square("conf_low")
    # Both are drawn, in another way: limits agree to a part of a standard error.
    apart = np.abs(below - lower.T) / made.square("std_error")
    assert np.nanmax(apart) < 0.08
    assert np.isnan(lower).sum() == np.isnan(below).sum() == 6


@pytest.mark.parametrize("name", NORMAL)
def test_single_step_limits_give_the_single_step_sets_of_csranks(name):
    found = golden(name)
    low = drawn(name).square("conf_low")
    better = np.nan_to_num(low, nan=-1.0) > 0
    sets = ((1 + better.sum(axis=0)).tolist(), (6 - better.sum(axis=1)).tolist())
    assert sets == theirs(found, "single_step")


@pytest.mark.parametrize("seed", range(12))
def test_sharper_adjustments_of_the_same_tests_have_sets_within_bonferronis(seed):
    rng = np.random.default_rng(seed)
    a = 5 + seed % 3
    scores = wide(rng.normal(size=(25, a)) + 0.35 * np.arange(a))
    wide_low, wide_high = limits(pc.paired_t_pairs(scores, adjust="bonferroni"))
    for name in ("holm", "bergmann-hommel"):
        low, high = limits(pc.paired_t_pairs(scores, adjust=name))
        assert (np.array(low) >= wide_low).all()
        assert (np.array(high) <= wide_high).all()
