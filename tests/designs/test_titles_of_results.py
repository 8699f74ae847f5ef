"""Every analysis lists its results, each under its own title, in one order."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide
from tests.designs.test_together import scores
from tests.methods.over_datasets.many_folds import folds_of

X = np.random.default_rng(3).normal(size=(9, 4))
HOLM = {"adjust": ("holm",)}
RANKS = (
    "Friedman rank sum test, corrected for ties, exact p",
    "Friedman rank sum test, corrected for ties",
    "Friedman rank sum test, uncorrected for ties",
    "Aligned ranks test (Hodges-Lehmann), corrected for ties",
    "Quade test, corrected for ties",
    "exact test of mean ranks, adjusted: holm",
    "Nemenyi test and critical difference",
    "Hodges-Lehmann differences",
    "Probability of superiority",
)
SETS = "Confidence sets of ranks"
NEXT = "Prediction of ranks on a new data set"
MEANS = (
    "Analysis of variance, blocked",
    "t tests with the model's error, adjusted: holm",
    "Checks of residuals",
)
PAIR = (
    "Wilcoxon signed rank test, A2 minus A1, zeros: wilcox, exact",
    "Paired t test, A2 minus A1",
    "Exact sign test, A2 minus A1, ties: drop",
)


def titles(given, **options) -> list[str]:
    ranked = options.get("blocks") == "datasets"
    if not (ranked or "n_train" in options or options.get("protocol")):
        options["protocol"] = "held-out"
    return [title for title, _ in pc.compare(given, pc.Plan(**options)).results()]


def test_ranks():
    assert titles(wide(X), blocks="datasets", compares="ranks", **HOLM) == [
        *RANKS,
        SETS,
        NEXT,
    ]


def test_data_sets_have_ranks_and_means_beside_typical_differences():
    found = titles(wide(X), blocks="datasets", **HOLM)
    ranks = [t for t in found if t.startswith("Mean ranks: ")]
    assert ranks[:5] == [f"Mean ranks: {title}" for title in RANKS[:5]]
    assert found[len(ranks) :] == [
        "Wilcoxon signed rank tests, adjusted: holm",
        "Mean differences: paired t tests, adjusted: bergmann-hommel",
        SETS,
        NEXT,
    ]


def test_folds_have_their_ranks_beside_the_means():
    found = titles(wide(X), blocks="folds", **HOLM)
    assert found[:3] == list(MEANS)
    beside = [title for title in found if title.startswith("Ranks: ")]
    assert beside[:5] == [f"Ranks: {title}" for title in RANKS[:5]]
    assert found[-3:-1] == [f"Ranks: {title}" for title in RANKS[-2:]]
    assert found[-1] == SETS


def test_shared_training_data_has_the_corrected_tests():
    found = titles(wide(X), blocks="folds", n_train=90, n_test=10, **HOLM)
    assert "Corrected resampled t tests, adjusted: holm" in found


@pytest.mark.parametrize(("blocks", "order"), [("datasets", (0, 1)), ("folds", (1, 0))])
def test_two_algorithms_have_the_planned_test_first(blocks, order):
    found = titles(wide(X[:, :2]), blocks=blocks)
    over_sets = [NEXT] if blocks == "datasets" else []
    assert found == [PAIR[order[0]], PAIR[order[1]], PAIR[2], SETS, *over_sets]


def test_folds_of_data_sets_have_five_comparisons():
    found = titles(folds_of([5, 6, 4, 5, 7]), compares="ranks", **HOLM)
    ranks = [t for t in found if t.startswith("Ranks of data-set means: ")]
    assert ranks[0] == f"Ranks of data-set means: {RANKS[0]}"
    assert found[len(ranks)].startswith("Wilcoxon signed rank tests, adjusted: ")
    assert "Wins over data sets" in found
    assert "Sign tests of wins, adjusted: holm" in found
    assert "Data-set means: analysis of variance" in found
    assert "All folds: analysis of variance" in found
    assert found[-3:] == ["Interaction of algorithm and data set", SETS, NEXT]


def test_several_metrics_are_named_and_stand_together_at_the_end():
    found = titles(scores(), blocks="folds", **HOLM)
    for metric in ("tp", "fn", "auc"):
        assert [t for t in found if t.startswith(f"{metric}: ")][:3] == [
            f"{metric}: {title}" for title in MEANS
        ]
    assert found[-5:] == [
        "Metrics together: multivariate analysis of variance",
        "Metrics together: dimensionality",
        "Metrics together: Hotelling's T2, paired",
        "Metrics together: permutation test of Wilks' lambda, within blocks",
        "Metrics together: checks of residuals",
    ]
    none = titles(scores(), blocks="folds", together="no", **HOLM)
    assert none == found[:-5]


def test_no_title_stands_twice_and_every_result_is_a_table():
    for given, blocks in ((wide(X), "folds"), (folds_of([5, 6, 4]), "by-columns")):
        results = pc.compare(given, pc.Plan(blocks=blocks)).results()
        names = [title for title, _ in results]
        assert len(set(names)) == len(names)
        for _, result in results:
            assert len(result.to_frame()) > 0
            assert "blocks" not in result.to_dict()
            assert result.to_dict()


def test_one_data_set_and_one_comparison_over_them_list_their_pairs():
    [found] = pc.compare(
        folds_of([5, 6, 4, 5, 7]), pc.Plan(compares="ranks", **HOLM)
    ).analyses
    for one in (*found.each, *found.over):
        assert len(one.pairs) > 0
        assert [result for _, result in one.results()] == list(one.pairs)
    ranks = found.ranks.decisive
    titled = [title for one in found.over for title, _ in one.results()]
    assert f"{ranks.method}, adjusted: holm" in titled


def test_folds_of_a_data_set_are_an_analysis_of_means():
    [found] = pc.compare(folds_of([5, 6, 4]), pc.Plan(**HOLM)).analyses
    assert [one.kind for one in found.each] == ["means"] * 3
    assert all(one.in_unit for one in found.each)
