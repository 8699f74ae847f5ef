"""Decisions of tests on several metrics: counted, and the clearest examples chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pycompare as pc
from tests.data.tables import refused

# Mean difference in units of its standard error, by data set: for error, AUC, AUC-PR.
EFFECTS = {
    "both accept": (0.5, 0.1, 0.2),
    "auc rejects": (0.3, 9.0, 7.0),
    "error rejects": (20.0, 0.4, 5.0),
    "both reject": (5.0, 6.0, 0.3),
    "both reject clearly": (30.0, 40.0, 50.0),
    "auc rejects, nearly": (1.9, 2.6, 0.1),
}
METRICS = ("error", "auc", "auc_pr")


def folds(effects=EFFECTS, n: int = 10) -> pc.Scores:
    """Two algorithms; the t statistics of their differences are the effects."""
    spread = np.linspace(-1, 1, n)
    spread /= spread.std(ddof=1) / np.sqrt(n)
    rng = np.random.default_rng(1)
    parts = []
    for wanted in effects.values():
        d = spread[:, None] + np.array(wanted)
        base = rng.normal(size=(n, len(METRICS)))
        parts.append(np.stack([base + d, base], axis=1))
    names = [name for name in effects for _ in range(n)]
    return pc.Scores(
        np.concatenate(parts),
        tuple(f"{name}/{i}" for i, name in enumerate(names)),
        ("A", "B"),
        tuple(pc.Metric(m, "lower" if m == "error" else "higher") for m in METRICS),
        tuple(names),
    )


def test_counts_are_those_of_the_t_statistics():
    found = pc.agreement(folds())
    assert found.counts().to_numpy().tolist() == [[1, 2], [1, 2]]
    assert found.counts().index.name == "error"
    assert list(found.counts().columns) == ["accepts", "rejects"]


def test_every_pair_of_metrics_can_be_counted():
    found = pc.agreement(folds(), metrics=METRICS)
    assert found.counts("auc", "auc_pr").to_numpy().tolist() == [[1, 1], [2, 2]]
    all_three = found.combinations()
    assert all_three["count"].sum() == len(EFFECTS)
    rejects = (all_three[list(METRICS)] == "rejects").all(axis=1)
    assert all_three.loc[rejects, "count"].tolist() == [1]
    by_two = all_three.groupby(["error", "auc"])["count"].sum()
    assert by_two.tolist() == found.counts().to_numpy().ravel().tolist()


@pytest.mark.parametrize("sizes", [{}, {"n_train": 90, "n_test": 10}])
def test_p_values_are_those_of_paired_t(sizes):
    scores = folds()
    table = pc.agreement(scores, metrics=METRICS, **sizes).to_frame()
    for row in table.itertuples():
        part = [b for b in scores.blocks if b.startswith(f"{row.dataset}/")]
        for metric in METRICS:
            test = pc.paired_t(scores.select(blocks=part), metric=metric, **sizes)
            assert getattr(row, f"p_{metric}") == test.p_value
            assert getattr(row, f"rejects_{metric}") == test.rejected(0.05)
            assert getattr(row, f"estimate_{metric}") == test.estimate


def test_the_correction_rejects_no_more():
    scores = folds()
    plain, corrected = pc.agreement(scores), pc.agreement(scores, n_train=9, n_test=1)
    for name in ("rejects_error", "rejects_auc"):
        assert not (corrected.table[name] & ~plain.table[name]).any()
    assert corrected.correction == 1 / 9
    assert "n_train and n_test ask" in plain.notes[-1]
    assert not corrected.notes


def test_examples_are_far_from_alpha_in_both_tests():
    chosen = pc.agreement(folds()).examples()
    assert chosen["case"].tolist() == [1, 2, 3, 4]
    assert chosen["dataset"].tolist() == [
        "both accept",
        "auc rejects",
        "error rejects",
        "both reject clearly",
    ]


def test_a_case_that_did_not_occur_has_no_example():
    few = {name: EFFECTS[name] for name in ("both reject", "both accept")}
    assert pc.agreement(folds(few)).examples()["case"].tolist() == [1, 4]


def test_equal_scores_accept_and_are_the_last_choice_of_an_example():
    scores = folds({"same": (0, 0, 0), "both accept": (0.5, 1.5, 0.2)})
    values = scores.values.copy()
    values[:10, 1] = values[:10, 0]
    same = pc.Scores(
        values, scores.blocks, scores.algorithms, scores.metrics, scores.datasets
    )
    found = pc.agreement(same)
    assert np.isnan(found.table["p_error"]).tolist() == [True, False]
    assert found.counts().to_numpy().tolist() == [[2, 0], [0, 0]]
    assert found.examples()["dataset"].tolist() == ["both accept"]
    assert "1 of 2 tests on error had no difference" in found.notes[0]


def test_all_pairs_of_all_data_sets_are_compared():
    rng = np.random.default_rng(3)
    scores = pc.Scores(
        rng.normal(size=(8, 4, 2)),
        tuple("abcdefgh"),
        ("w", "x", "y", "z"),
        (pc.Metric("error", "lower"), pc.Metric("auc", "higher")),
        ("one",) * 4 + ("two",) * 4,
    )
    table = pc.agreement(scores).table
    assert len(table) == 12
    pairs = table[["dataset", "algorithm_1", "algorithm_2"]]
    assert not pairs.duplicated().any()


def test_the_summary_has_counts_decisions_and_notes():
    text = pc.agreement(folds()).summary()
    assert "at alpha 0.05 in 6 comparisons" in text
    assert "rejects rejects      2" in text
    assert "both reject clearly" in text
    assert "note: folds share training cases" in text


def test_without_data_sets_all_blocks_are_one():
    whole = folds()
    scores = pc.Scores(whole.values, whole.blocks, whole.algorithms, whole.metrics)
    assert pc.agreement(scores).table["dataset"].tolist() == ["all blocks"]


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"metrics": "error"}, ["metrics='error'", "at least two"]),
        ({"metrics": ["error"]}, ["at least two"]),
        ({"metrics": ["error", "au"]}, ["no 'au'", "did you mean 'auc'"]),
        ({"metrics": ["auc", "auc"]}, ["give each test once"]),
        ({"alpha": 5}, ["alpha=5"]),
        ({"n_train": 9}, ["both n_train and n_test"]),
    ],
)
def test_bad_arguments_are_refused(options, parts):
    with refused(*parts):
        pc.agreement(folds(), **options)


def test_a_data_set_of_one_block_is_refused():
    scores = folds().select(blocks=folds().blocks[:11])
    with pytest.raises(pc.DesignError, match="'auc rejects' has one block"):
        pc.agreement(scores)
    with refused("got list", "Predictions.measure"):
        pc.agreement([1])
    with refused("no 'nothing'"):
        pc.agreement(folds()).counts("nothing")


# ---- several metrics in one test -----------------------------------------------------


def with_noise() -> pc.Scores:
    scores = folds()
    noise = np.random.default_rng(7).normal(size=scores.values.shape)
    return replace(scores, values=scores.values + noise)


def test_metrics_together_have_hotellings_decision_and_rank():
    scores = with_noise()
    names = [m.name for m in scores.metrics]
    found = pc.agreement(scores, metrics=[names[0], names[:2]])
    title = f"{names[0]} + {names[1]}"
    assert found.metrics == (names[0], title)
    for row in found.table.itertuples():
        here = [
            b
            for b, d in zip(scores.blocks, scores.datasets, strict=True)
            if d == row.dataset
        ]
        pair = (row.algorithm_1, row.algorithm_2)
        part = scores.select(blocks=here, algorithms=pair)
        test = pc.hotelling(part, metrics=names[:2])
        own = found.table.loc[row.Index]
        assert own[f"p_{title}"] == test.p_value
        assert own[f"rank_{title}"] == test.rank == 2
        assert own[f"rejects_{title}"] == (test.p_value <= 0.05)
    assert found.ranks()[title].to_dict() == {2: len(found.table)}
    assert found.counts().to_numpy().sum() == len(found.table)


def test_the_ranks_of_confusion_counts_are_counted():
    scores = with_noise()
    tp = np.round(20 * scores.values[..., 0])
    fp = np.round(20 * scores.values[..., 1])
    values = np.stack([tp, fp, 100 - tp, 100 - fp], axis=-1)
    values[scores.datasets.index(scores.datasets[-1]) :, :, 1] = 7.0
    values[scores.datasets.index(scores.datasets[-1]) :, :, 3] = 93.0
    counts = pc.Scores(
        values,
        scores.blocks,
        scores.algorithms,
        tuple(pc.Metric(n, "higher") for n in ("tp", "fp", "fn", "tn")),
        scores.datasets,
    )
    found = pc.agreement(counts, metrics=["tp", ("tp", "fp", "fn", "tn")])
    of_last = int((found.table["dataset"] == scores.datasets[-1]).sum())
    ranks = found.ranks()["tp + fp + fn + tn"].to_dict()
    assert ranks == {1: of_last, 2: len(found.table) - of_last}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metrics": [("error", "auc"), ("error", "auc")]}, "give each test once"),
        ({"metrics": ["error", ("error", "nothing")]}, "there is no 'nothing'"),
        ({"metrics": ["error", ()]}, "give each test once"),
        (
            {"metrics": ["error", ("error", "auc")], "n_train": 9, "n_test": 1},
            "'error . auc' is a test of several together",
        ),
    ],
)
def test_tests_of_several_metrics_that_cannot_be_are_refused(options, said):
    with pytest.raises(pc.InputError, match=said):
        pc.agreement(folds(), **options)
    with pytest.raises(pc.InputError, match="ranks are counted for tests of several"):
        pc.agreement(folds()).ranks()


def test_a_difference_without_error_is_refused_with_its_place():
    with pytest.raises(pc.DesignError, match=r"error . auc, 'A', 'B', both accept: "):
        pc.agreement(folds(), metrics=["auc_pr", ("error", "auc")])
