"""The study of overlap terms with real learners: its learners, counts and page."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import pycompare as pc
from pycompare.methods.pairs.overlap import LARGEST
from tests.conftest import plain
from validation import fold_learners
from validation import fold_overlap as study

FOUND = json.loads(study.STORED.read_text(encoding="utf-8"))
OTHERS = {
    "stump": lambda: DecisionTreeClassifier(max_depth=1),
    "tree": lambda: DecisionTreeClassifier(max_depth=3),
    "1-NN": lambda: KNeighborsClassifier(1),
    "naive Bayes": GaussianNB,
    "LDA": LinearDiscriminantAnalysis,
}
# Of equal splits scikit-learn takes one at random, and trees grow on from there.
AGREE = {"stump": 0.97, "tree": 0.9}


@pytest.mark.parametrize("learner", OTHERS)
def test_learners_predict_what_those_of_scikit_learn_do(learner):
    rng = np.random.default_rng(5)
    y = np.arange(90) % 2
    same = []
    for _ in range(4):
        x = rng.normal(size=(90, 10))
        x[:, :4] += 0.8 * y[:, None]
        train = fold_learners.in_folds(rng, y, 5, 1)
        own = study.LEARNERS[learner](x, y, train)
        for learns, labels in zip(train, own, strict=True):
            other = OTHERS[learner]().fit(x[learns], y[learns])
            same += list(other.predict(x[~learns]) == labels[~learns])
    assert np.mean(same) >= AGREE.get(learner, 1.0)


def test_a_stump_splits_as_purely_as_scikit_learns():
    rng = np.random.default_rng(6)
    y = np.arange(60) % 2
    for _ in range(5):
        x = rng.normal(size=(60, 10))
        [own] = fold_learners.stump(x, y, np.ones((1, 60), bool))
        other = OTHERS["stump"]().fit(x, y).predict(x)
        assert (own == y).mean() == (other == y).mean() or gini(own, y) == (
            pytest.approx(gini(other, y))
        )


def gini(sides: np.ndarray, y: np.ndarray) -> float:
    """Return the impurity left by two sides of a split."""
    parts = [y[sides == side] for side in (0, 1)]
    return sum(2 * p.mean() * (1 - p.mean()) * len(p) for p in parts if len(p))


@pytest.mark.parametrize(("n", "k"), [(60, 10), (100, 3), (100, 10)])
def test_folds_have_the_sizes_of_stratified_ones(n, k):
    y = np.arange(n) % 2
    train = fold_learners.in_folds(np.random.default_rng(1), y, k, 2)
    others = [test for _, test in StratifiedKFold(k).split(y, y)]
    assert len(train) == 2 * k and (~train).reshape(2, k, n).sum(axis=1).all()
    for repeat in (~train).reshape(2, k, n):
        sizes = sorted((int((t & (y == 0)).sum()), int(t.sum())) for t in repeat)
        assert sizes == sorted((int((y[t] == 0).sum()), len(t)) for t in others)


def test_protocols_have_the_terms_of_plans():
    assert {p.name: p.enlarged for p in study.PROTOCOLS} == pytest.approx(
        {
            "10 x 10-fold": 2.25,
            "single 10-fold": 1.75,
            "10 x 5-fold": 1.8,
            "single 5-fold": 1.25,
            "10 x 3-fold": 1.25,
            "single 3-fold": 1.25,
            "100 random splits, 1 / 10 tested": 2.25,
            "15 random splits, 1 / 10 tested": 2.25,
        }
    )


def test_p_values_are_those_of_corrected_pairs():
    scores = np.random.default_rng(2).normal(size=(20, 4))
    own = study.p_values(scores, 10, 2.25)
    found = pc.corrected_pairs(
        plain(scores), adjust="none", n_train=9, n_test=1, overlap=2.25
    ).table
    assert own == pytest.approx(found["p_value"].to_numpy(), rel=1e-12)
    assert study.p_values(np.zeros((10, 2)), 10, 1.0).tolist() == [1.0]


def test_a_chunk_is_seeded_and_counts_every_test():
    cell = study.CELLS[0]
    made = study.chunk(cell, 3, runs=2)
    assert made == study.chunk(cell, 3, runs=2)
    assert len(made) == 2 * 2 * len(study.PROTOCOLS)
    assert {*made} == {*FOUND[cell.name]["rejections"]}


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(FOUND)


def test_pages_print_the_largest_errors_of_the_study():
    published, enlarged = (
        [list(p.tests())[at][0] for p in study.PROTOCOLS] for at in (0, 1)
    )

    def most(tests: list[str], *learners: str, family: bool = False) -> float:
        names = [study.of_family(t) if family else t for t in tests]
        return max(
            study.rate(FOUND, cell, name)
            for cell in study.CELLS
            for name in names
            if cell.learner in learners and cell.name in FOUND
        )

    real = ("1-NN", "naive Bayes", "LDA")
    measured = {
        "published": most(published, "stump", *real),
        "published_artificial": most(published, study.ARTIFICIAL),
        "enlarged": most(enlarged, *real),
        "stumps": most(enlarged, "stump"),
        "four_stumps": most(enlarged, "stump", family=True),
        "artificial": most(enlarged, study.ARTIFICIAL),
    }
    assert {*measured} == {*vars(LARGEST)}
    for name, rate in measured.items():
        # Not less than is found; a Monte Carlo error of 2,000 runs is 0.007 at 0.1.
        assert -0.0051 < vars(LARGEST)[name] - rate < 0.0075, name


def test_the_guide_has_lines_of_the_page():
    guide = Path("docs/guide/folds.md").read_text(encoding="utf-8")
    page = study.PAGE.read_text(encoding="utf-8")
    lines = [x for x in guide.splitlines() if x.startswith("| ") and " c = " in x]
    told = [x for x in lines if "artificial" not in x and x.count("|") == 6]
    assert len(told) == 7 and all(line in page for line in told)
