"""What functions do where nothing is asked for, spelled out."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide
from tests.runs import runs_of, simulated

X = np.round(np.random.default_rng(5).normal(size=(8, 4)), 1)
FOUR, TWO = wide(X), wide(X[:, :2])
FAMILIES = dataclasses.replace(FOUR, clusters=tuple("aabbcdef"))
RIGHT = wide((X > 0) * 1.0)
RUNS = runs_of(simulated(b=4))
PLAIN = {"level": 0.95}
SIZES = {"n_train": None, "n_test": None}
ALL = {"control": None, "level": 0.95}
ASKED = [
    ("aligned_ranks", FOUR, {"ties": "corrected", "decimals": None}),
    ("anova", FOUR, PLAIN | SIZES | {"blocked": True}),
    (
        "closed_permutation",
        FOUR,
        {"on": "ranks", "control": None, "permutations": 9999, "seed": 1},
    ),
    ("corrected_pairs", FOUR, ALL | {"adjust": "holm"}),
    ("equivalence", TWO, SIZES | {"kind": "equivalence", "alpha": 0.05}),
    ("equivalence_pairs", FOUR, {"kind": "equivalence", "adjust": "holm"}),
    ("friedman", FOUR, PLAIN | {"ties": "corrected", "p_value": "chi2"}),
    ("hodges_lehmann", FOUR, ALL),
    ("mack_skillings", RUNS, {"p_value": "chi2", "decimals": None}),
    ("share_pairs", RIGHT, {"adjust": "holm", "control": None, "alpha": 0.05}),
    ("crossed_pairs", RUNS, {"adjust": "holm", "control": None, "alpha": 0.05}),
    ("these_items", RUNS, {"adjust": "holm", "control": None, "alpha": 0.05}),
    ("bounded_means", RIGHT, {"kind": "equivalence", "adjust": "holm", "alpha": 0.05}),
    ("matched_shares", RIGHT, {"kind": "equivalence", "adjust": "holm", "alpha": 0.05}),
    ("max_t", FOUR, ALL | {"on": "scores", "flips": 9999, "seed": 1}),
    ("nemenyi", FOUR, {"alpha": 0.05, "std_error": "textbook", "decimals": None}),
    ("paired_t", TWO, PLAIN | {"alternative": "two-sided"}),
    ("paired_t_pairs", FOUR, ALL | {"adjust": "holm"}),
    ("pairwise_t", FOUR, ALL | {"blocked": True, "adjust": "holm"}),
    ("quade", FOUR, {"decimals": None}),
    (
        "rank_pairs",
        FOUR,
        ALL
        | {"method": "friedman", "adjust": "bergmann-hommel", "p_value": "normal"}
        | {"std_error": "textbook", "monotone": False},
    ),
    ("sign_test", TWO, PLAIN | {"alternative": "two-sided", "ties": "drop"}),
    ("signed_rank_pairs", FOUR, {"adjust": "holm", "control": None, "alpha": 0.05}),
    ("clustered_signed_rank_pairs", FAMILIES, {"adjust": "holm", "control": None}),
    ("signed_rank_margins", FOUR, {"kind": "equivalence", "adjust": "holm"}),
    ("skillings_mack", FOUR, {"ties": "corrected", "decimals": None}),
    ("superiority", FOUR, ALL | {"adjust": "none", "decimals": None}),
    ("tukey", FOUR, PLAIN | SIZES | {"blocked": True}),
    (
        "wilcoxon",
        TWO,
        PLAIN | {"alternative": "two-sided", "zeros": "wilcox", "p_value": "exact"},
    ),
]
NEEDED = {
    "equivalence": {"margin": 0.8},
    "equivalence_pairs": {"margin": 0.8},
    "bounded_means": {"margin": 0.8, "range": (0, 1)},
    "matched_shares": {"margin": 0.8},
    "signed_rank_margins": {"margin": 0.8},
    "corrected_pairs": {"n_train": 90, "n_test": 10},
}


@pytest.mark.parametrize(("name", "scores", "options"), ASKED, ids=lambda x: str(x)[:9])
def test_what_is_not_asked_for_is_the_default(name, scores, options):
    function, needed = getattr(pc, name), NEEDED.get(name, {})
    found = function(scores, **needed)
    assert str(found.to_dict()) == str(function(scores, **needed, **options).to_dict())


@pytest.mark.parametrize(
    ("name", "scores"), [("friedman", FOUR), ("mack_skillings", RUNS)]
)
def test_permutations_have_seed_0_and_99999_tables_where_nothing_is_said(name, scores):
    function = getattr(pc, name)
    found = function(scores, p_value="permutation", resamples=99)
    said = function(scores, p_value="permutation", resamples=99, seed=0)
    assert found.to_dict() == said.to_dict()
    assert found.p_value == said.p_value
