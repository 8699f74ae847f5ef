"""Pairs that share the smallest p-value: counted, and the largest difference named."""

from dataclasses import replace

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content.wording import answer as answer_of
from pycompare.reporting.document import plain
from tests.reporting.outcomes import BETTER, EQUAL, THREE, fact, outcome

NINE = ([1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 1, 4, 3, 6, 5, 8, 9, 7])


def told(*pairs, **options):
    return plain(answer_of(outcome(*pairs, **options)))


def scores(x, names=None):
    x = np.asarray(x, float)
    names = tuple(names or "ABCDEFGHIJKL"[: x.shape[1]])
    blocks = tuple(f"b{i}" for i in range(len(x)))
    return pc.Scores(x[:, :, None], blocks, names, (pc.Metric("y", "higher"),))


def stated(data, **plan):
    comparison = pc.compare(data, pc.Plan(blocks="datasets", compares="ranks", **plan))
    report = report_of(comparison.parts[0])
    return comparison, report.outcome(comparison.analyses[0])


def test_nine_algorithms_on_two_blocks():
    comparison, found = stated(scores(NINE))
    text = plain(answer_of(found))
    assert text.startswith("No outcome of two data sets could be significant;")
    assert text.endswith("H has the best mean rank (1.50).")
    far = replace(found, out_of_reach="")
    told = (
        "All 36 adjusted p-values are 1; the largest difference is that of H with A ("
    )
    assert told in plain(answer_of(far))
    test = comparison.analyses[0].omnibus
    # All 9! orders of the second block; 200,000 permutations gave 0.0010.
    assert test.p_source == "exact"
    assert test.p_value == pytest.approx(0.0010141093474426805, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_pair_named_among_ties_has_the_largest_difference(seed):
    rng = np.random.default_rng(seed)
    data = scores(rng.normal(size=(3, 5)))
    for given in (data, data.select(algorithms=data.algorithms[::-1])):
        _, found = stated(given, adjust=("sign-flips",))
        least = min(fact.p_adjusted for fact in found.pairs)
        tied = [f for f in found.pairs if f.p_adjusted == least]
        assert len(tied) > 1 and found.closest[0] in tied
        far = max(abs(f.estimate) for f in tied)
        assert abs(found.closest[0].estimate) == far
        found = replace(found, out_of_reach="")
        assert f"({far:.3g}" in plain(answer_of(found)).replace(
            "difference in mean ranks ", ""
        ).replace("−", "")


def test_some_pairs_share_the_smallest_p():
    pairs = (
        fact("A", EQUAL, "B", 0.25),
        fact("A", EQUAL, "C", 0.25, estimate=-0.5),
        fact("B", EQUAL, "C", 0.75, estimate=-9.0),
    )
    text = told(*pairs, values=THREE)
    assert "Two comparisons share the smallest adjusted p-value (0.250); the " in text
    assert "the largest difference is that of A with C (difference −0.50" in text
    assert "closest" not in text


def test_of_one_smallest_p_the_pair_is_named_as_before():
    text = told(fact("A", EQUAL, "B", 0.2), fact("A", EQUAL, "C", 0.3), values=THREE)
    assert "The closest comparison is A with B (difference −0.25" in text


def test_with_a_control_the_others_are_named():
    pairs = (fact("A", EQUAL, "Z", 1), fact("B", EQUAL, "Z", 1, estimate=-3.0))
    text = told(*pairs, control="Z")
    assert (
        "Both adjusted p-values are 1; the largest difference is that with B (" in text
    )


def test_differences_without_a_number_or_of_zero_are_not_named():
    for none in (None, 0.0, float("nan")):
        pairs = [fact(*ab, 1, estimate=none, interval=None) for ab in TIED]
        assert told(*pairs, values=THREE).endswith("All three adjusted p-values are 1.")


TIED = [("A", EQUAL, "B"), ("A", EQUAL, "C"), ("B", EQUAL, "C")]


def test_significant_pairs_are_not_among_the_closest():
    made = outcome(fact("A", BETTER, "B"), fact("A", EQUAL, "C", 0.3), values=THREE)
    assert [f.object for f in made.closest] == ["C"]


@pytest.mark.parametrize(
    ("n", "a", "source"),
    [
        *((2, 4, "exact"), (8, 5, "exact"), (9, 5, "permutation"), (2, 6, "exact")),
        *((2, 9, "exact"), (2, 10, "permutation"), (3, 6, "permutation")),
        *((9, 8, "permutation"), (10, 4, "exact"), (10, 5, "chi2"), (10, 8, "chi2")),
    ],
)
def test_the_size_alone_decides_where_friedmans_p_is_from(n, a, source):
    plan = pc.Plan(blocks="datasets")
    assert plan.friedman_for(n, a) == source
    assert pc.Plan(p_values="approximate").friedman_for(n, a) == "chi2"
    assert pc.Plan(omnibus="quade").friedman_for(n, a) == "chi2"


@pytest.mark.parametrize("omnibus", ["friedman", "iman-davenport"])
def test_few_blocks_have_the_drawn_p_of_the_function(omnibus):
    rng = np.random.default_rng(3)
    data = scores(rng.normal(size=(3, 6)) + np.arange(6))
    comparison, found = stated(data, omnibus=omnibus)
    alone = pc.friedman(data, p_value="permutation")
    exact = pc.friedman(data, p_value="exact").p_value
    assert found.omnibus.p_value == alone.p_value
    spread = (exact * (1 - exact) / 99_999) ** 0.5
    assert abs(alone.p_value - exact) < 4 * spread
    assert alone.p_value < found.omnibus.p_value + 1e-12 < pc.friedman(data).p_value
    text = comparison.summary()
    assert "permutation p: χ²(5) = " in text
    report = report_of(comparison.parts[0])
    assert report.uses_of_seed() and report.depends_on_seed()
    assert any("random permutations within blocks" in line for line in report.plan())
