import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.sscp import split
from pycompare.methods.linear.design import block_design
from tests.conftest import wide
from tests.methods.linear.witness import folds, gappy


def space(columns):
    u, s, _ = np.linalg.svd(columns, full_matrices=False)
    u = u[:, s > 1e-9 * s[0]]
    return u @ u.T


@pytest.mark.parametrize("blocked", [True, False])
@pytest.mark.parametrize("make", [gappy, folds])
def test_columns_span_what_statsmodels_builds_from_the_formula(make, blocked):
    from statsmodels.formula.api import ols

    scores = make()
    design = block_design(scores, blocked=blocked)
    rows, at = np.nonzero(design.present)
    datasets = scores.datasets or ("d",) * len(scores.blocks)
    order = {name: i for i, name in enumerate(dict.fromkeys(datasets))}
    frame = pd.DataFrame(
        {
            "y0": np.arange(design.n, dtype=float),
            "block": [f"L{i}" for i in rows],
            "algorithm": [f"L{j}" for j in at],
            "dataset": [f"L{order[datasets[i]]}" for i in rows],
        }
    )
    theirs = ols(design.formula, frame).exog
    ours = np.eye(design.n) - split(design.parts, np.eye(design.n))[1]
    assert np.abs(ours - space(theirs)).max() < 1e-12
    parts = [*design.before, design.parts[-1]]
    assert sum(part.df for part in parts) == np.linalg.matrix_rank(theirs)
    assert design.df_error == design.n - np.linalg.matrix_rank(theirs)


def test_labels_are_never_part_of_the_formula():
    frame = pd.DataFrame({"__import__('os')": [1.0, 2, 3], "nan": [2.0, 1, 4]})
    scores = pc.Scores.from_wide(frame, metric="y; quit()", better="lower")
    assert block_design(scores).formula == "y0 ~ block + algorithm"
    formula = block_design(folds()).formula
    assert formula == "y0 ~ dataset + dataset:block + algorithm"


def test_unlinked_algorithms_are_named():
    values = [[1, 2, np.nan, np.nan], [2, 4, np.nan, np.nan], [np.nan, np.nan, 1, 3.0]]
    values += [[np.nan, np.nan, 2, 5.0]]
    scores = wide(values, missing="model")
    with pytest.raises(pc.DesignError, match=r"\{A1, A2\} and \{A3, A4\}"):
        block_design(scores)
    assert block_design(scores, blocked=False).df_error == 4


def test_no_error_degrees_of_freedom_are_refused():
    scores = wide([[1, 2.0], [3.0, np.nan]], missing="model")
    with pytest.raises(pc.DesignError, match="no degrees of freedom for error"):
        block_design(scores)


def test_other_things_than_scores_are_refused():
    with pytest.raises(pc.InputError, match="expected Scores, got DataFrame"):
        block_design(pd.DataFrame())


def with_an_empty_block(seed, datasets=False):
    """Two metrics; in block b5 each algorithm lacks one of them."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(8, 3, 2))
    values[5, [0, 1, 2], [1, 0, 1]] = np.nan
    if seed % 2:
        values[2, 1, 0] = np.nan
    frame = pd.DataFrame(
        [
            (f"d{i // 4}", f"b{i}", name, *values[i, j])
            for i in range(8)
            for j, name in enumerate("ABC")
        ],
        columns=["data", "block", "algorithm", "s", "t"],
    )
    options = {
        "algorithm": "algorithm",
        "block": "block",
        "metrics": {"s": "higher", "t": "higher"},
        "missing": "model",
        **({"dataset": "data"} if datasets else {}),
    }
    without = frame[frame["block"] != "b5"]
    return tuple(pc.Scores.from_frame(one, **options) for one in (frame, without))


@pytest.mark.parametrize("datasets", [False, True])
@pytest.mark.parametrize("seed", [2, 3])
def test_a_block_in_which_no_algorithm_has_all_metrics_is_no_block(seed, datasets):
    whole, less = with_an_empty_block(seed, datasets)
    analyses = [
        lambda scores: pc.manova(scores).to_frame(),
        lambda scores: pc.multivariate_checks(scores).to_frame(),
        lambda scores: pc.hotelling_pairs(scores, method="contrast").to_frame(),
        lambda scores: pc.permutation_manova(
            scores, statistic="trace", standardise="sd", permutations=99, seed=1
        ).to_frame(),
    ]
    for analysis in analyses:
        pd.testing.assert_frame_equal(analysis(whole), analysis(less), rtol=1e-10)
    design = block_design(whole)
    assert design.df_error == block_design(less).df_error
    assert design.n_blocks == 7 and design.complete is (seed % 2 == 0)


@pytest.mark.parametrize("seed", range(20))
def test_a_blocked_design_is_one_case_of_the_formula_model(seed):
    rng = np.random.default_rng(seed)
    b, a = rng.integers(3, 9), rng.integers(2, 6)
    values = rng.normal(size=(b, a)) + 100.0 * rng.normal(size=(b, 1))
    # The first row and the first column stay, so that blocks link the algorithms.
    values[1:, 1:][rng.random((b - 1, a - 1)) < rng.choice([0.0, 0.3])] = np.nan
    values[-1, -1] = 0.0
    scores = wide(values, missing="model")
    blocked = bool(seed % 4)
    found = pc.anova(scores, metric="score", blocked=blocked).to_frame()
    found = found.set_index("term")
    terms = "block + algorithm" if blocked else "algorithm"
    frame = scores.to_frame().dropna().sample(frac=1, random_state=seed)
    model = pc.linear_model(frame, f"score ~ {terms}", type=1).anova.set_index("term")
    for ours, theirs in (
        ("df", "df1"),
        ("sum_sq", "sum_sq"),
        ("statistic", "statistic"),
    ):
        assert_digits(
            found[ours][["algorithm", "residual"]],
            model[theirs][["algorithm", "residuals"]],
            at_least=11,
            what=ours,
        )
