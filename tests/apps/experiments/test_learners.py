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

from pycompare.apps.experiments import learners
from pycompare.apps.experiments.estimators import positive_scores
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
