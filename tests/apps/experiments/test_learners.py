"""The papers' learners: what they choose, and scores of a useful kind."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

import pycompare as pc
from pycompare.apps.experiments import learners
from pycompare.apps.experiments.estimators import positive_scores
from pycompare.sizes.simulation.gaussians import neighbours
from tests.apps.experiments.small import features

X, LABEL = features(300, seed=4)
Y = (LABEL == "yes").astype(int)
ALL = learners.asl_learners() | learners.yil_learners()


@pytest.mark.parametrize("name", ALL)
def test_scores_speak_for_the_positive_class(name):
    fitted = ALL[name].fit(X[:200], Y[:200])
    score = positive_scores(fitted, X[200:], 1)
    assert roc_auc_score(Y[200:], score) > 0.7
    assert np.array_equal(score, -positive_scores(fitted, X[200:], 0)) or np.allclose(
        score, 1 - positive_scores(fitted, X[200:], 0)
    )


def test_the_tree_gives_shares_between_0_and_1():
    model = learners.entropy_tree().set_params(random_state=1).fit(X, Y)
    share = model.predict_proba(X)[:, 1]
    assert np.unique(share).size > 2
    assert np.mean((share > 0) & (share < 1)) > 0.2
    leaves = np.bincount(model.estimator_.apply(X))
    assert leaves[leaves > 0].min() >= 5


def test_k_is_the_one_of_least_validation_error():
    model = learners.nearest_neighbours().set_params(random_state=7).fit(X, Y)
    train_x, test_x, train_y, test_y = train_test_split(
        X, Y, test_size=1 / 3, stratify=Y, random_state=7
    )
    scaler = StandardScaler().fit(train_x)
    errors = []
    for k in (1, 3, 5, 7, 11, 21):
        plain = KNeighborsClassifier(k).fit(scaler.transform(train_x), train_y)
        errors.append(np.mean(plain.predict(scaler.transform(test_x)) != test_y))
    assert np.allclose(model.errors_, errors)
    assert model.value_ == (1, 3, 5, 7, 11, 21)[int(np.argmin(errors))]
    assert np.array_equal(model.predict(X), model.estimator_.predict(X))


def test_a_chosen_parameter_is_fitted_to_the_whole_training_set():
    model = learners.nearest_neighbours((1,)).fit(X, Y)
    assert np.array_equal(model.predict(X), Y)  # each case is its own neighbour


def test_the_perceptron_finds_the_minimum_of_the_cross_entropy():
    model = learners.linear_perceptron().fit(X, Y)
    z = model[0].transform(X)
    gradient = (model.predict_proba(X)[:, 1] - Y) @ np.c_[z, np.ones(len(z))] / len(z)
    assert np.abs(gradient).max() < 1e-3


def test_a_choice_offers_the_scores_of_what_it_chooses():
    tree, svm = learners.entropy_tree(), learners.linear_svm()
    assert hasattr(tree, "predict_proba")
    assert not hasattr(tree, "decision_function")
    chosen = learners.Validated(svm, "linearsvc__C", (0.1, 1.0)).fit(X, Y)
    assert not hasattr(chosen, "predict_proba")
    wanted = chosen.estimator_.decision_function(X)
    assert np.array_equal(chosen.decision_function(X), wanted)
    assert get_tags(chosen).estimator_type == "classifier"


def test_naive_bayes_of_the_guide_is_that_of_scikit_learn_on_standardised_features():
    rng = np.random.default_rng(4)
    label = np.arange(40) % 2
    x = rng.normal(size=(40, 3)) * [1, 10, 100] + label[:, None]
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    found = learners.naive_bayes().fit(x, label).predict_proba(x)
    assert np.allclose(found, GaussianNB().fit(z, label).predict_proba(z))


def test_distances_rate_the_nearest_neighbour_as_the_simulation_of_maloof_does():
    scaler = StandardScaler()
    order = np.argsort(-Y[:200], kind="stable")
    half = min(Y[:200].sum(), 200 - Y[:200].sum())
    known = np.concatenate([order[:half], order[-half:]])
    x = scaler.fit_transform(X[known])
    model = learners.nearest_by_distance().fit(X[known], Y[known])
    wanted, _ = neighbours(x, scaler.transform(X[200:]), 9)
    assert np.allclose(model.decision_function(X[200:]), wanted, atol=1e-6)
    one = learners.nearest_neighbours(1).fit(X[known], Y[known])
    assert np.array_equal(model.predict(X[200:]), one.predict(X[200:]))
    with pytest.raises(ValueError, match="y has 3 classes"):
        learners.nearest_by_distance().fit(X[:9], np.arange(9) % 3)


def test_disjoint_training_sets_are_readers_of_the_nearest_neighbour(tmp_path):
    data = {"one": pc.DataSet.of(X, LABEL, positive="yes")}
    made = pc.experiment(
        data, {"1-NN": learners.nearest_by_distance(), "NB": learners.naive_bayes()},
        protocol=pc.DisjointSets(3),
        folder=tmp_path, seed=1, progress=False, workers=1,
    )  # fmt: skip
    frame = made.to_frame()
    own = frame[frame["algorithm"] == "1-NN"]
    assert own["score"].nunique() > 0.9 * len(own) and (own["score"] < 0).any()
