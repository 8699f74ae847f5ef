"""Predictions of scikit-learn's cross_validate: the scores its estimators give."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import pycompare as pc
from tests.apps.experiments.small import features, refused

KEEP = {"return_estimator": True, "return_indices": True}
X, Y = features(60)
FOLDS = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, Y))


def results(x=X, y=Y, cv=FOLDS, **more):
    made = {"NB": GaussianNB(), "svm": LinearSVC(), **more}
    return {name: cross_validate(m, x, y, cv=cv, **KEEP) for name, m in made.items()}


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_auc_is_scikit_learns(positive):
    found = results()
    scores = pc.from_cross_validate(found, X, Y, positive=positive).measure("auc")
    assert scores.blocks == ("1", "2", "3")
    for j, (name, result) in enumerate(found.items()):
        for k, (_, test) in enumerate(FOLDS):
            fitted = result["estimator"][k]
            if name == "NB":
                score = fitted.predict_proba(X[test])[:, 1]
            else:
                score = fitted.decision_function(X[test])
            # Both areas speak for "yes": an exchange of the classes mirrors twice.
            wanted = roc_auc_score(Y[test] == "yes", score)
            assert scores.column("auc")[k, j] == pytest.approx(wanted, rel=1e-14)


def test_cases_are_rows():
    found = pc.from_cross_validate(results(), X, Y, positive="yes")
    for k, (_, test) in enumerate(FOLDS):
        rows = found.rows(str(k + 1), "svm")
        assert {found.cases[i] for i in found.case[rows]} == set(map(str, test))


def test_frames_lists_and_arrays_give_the_same():
    wanted = pc.from_cross_validate(results(), X, Y, positive="yes")
    for x in (pd.DataFrame(X, columns=list("abc")), X.tolist()):
        found = pc.from_cross_validate(results(x), x, pd.Series(Y), positive="yes")
        assert np.allclose(found.score, wanted.score, rtol=1e-12)


def test_one_class_against_the_rest():
    y = np.where(np.arange(60) % 3 == 0, "third", Y)
    cv = list(StratifiedKFold(3).split(X, y))
    found = results(y=y, cv=cv, svc=SVC())
    with refused("3 classes", "rest=True"):
        pc.from_cross_validate(found, X, y, positive="third")
    made = pc.from_cross_validate(found, X, y, positive="third", rest=True)
    for k, (_, test) in enumerate(cv):
        rows = made.rows(str(k + 1), "svc")
        score = found["svc"]["estimator"][k].decision_function(X[test])[:, 1]
        assert sorted(made.score[rows]) == sorted(score)


def test_what_was_not_kept_is_asked_for():
    made = {"NB": cross_validate(GaussianNB(), X, Y, cv=FOLDS)} | results()
    made["NB"] = cross_validate(GaussianNB(), X, Y, cv=FOLDS)
    with refused("'NB'", "no 'estimator'", "return_estimator=True"):
        pc.from_cross_validate(made, X, Y, positive="yes")
    with refused("at least 2 algorithms"):
        pc.from_cross_validate({"NB": results()["NB"]}, X, Y, positive="yes")
    with refused("results must map"):
        pc.from_cross_validate([], X, Y, positive="yes")


def test_other_folds_of_another_algorithm_are_refused():
    other = StratifiedKFold(3, shuffle=True, random_state=2)
    made = results()
    made["svm"] = cross_validate(LinearSVC(), X, Y, cv=other, **KEEP)
    with refused("'NB' and 'svm' have different cases in fold 1", "list\\(splitter"):
        pc.from_cross_validate(made, X, Y, positive="yes")
    made["svm"] = cross_validate(LinearSVC(), X, Y, cv=2, **KEEP)
    with refused("'svm' has 2 folds and 'NB' 3"):
        pc.from_cross_validate(made, X, Y, positive="yes")


def test_a_class_that_a_fold_lacks_is_named():
    y = np.array([1] * 30 + [0] * 30)
    cv = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    made = {name: cross_validate(GaussianNB(), X, y, cv=cv, **KEEP) for name in "ab"}
    with refused("'a', fold 2", "no case of the positive class '1'"):
        pc.from_cross_validate(made, X, y, positive=1)


@pytest.mark.parametrize("n_classes", [3, 4])
def test_decision_values_of_pairs_of_classes_are_refused(n_classes):
    # Of three classes there are three pairs, and the columns are not the classes'.
    y = np.array([f"c{i % n_classes}" for i in range(60)])
    x = np.column_stack([X, np.arange(60) % n_classes])
    cv = list(StratifiedKFold(3).split(x, y))
    svc = SVC(decision_function_shape="ovo")
    for one in (svc, make_pipeline(StandardScaler(), svc)):
        found = results(x, y, cv, ovo=one)
        with pytest.raises(pc.InputError, match=r"'ovo', fold 1.*of pairs of classes"):
            pc.from_cross_validate(found, x, y, positive="c2", rest=True)


def test_pairs_of_two_classes_are_one_pair():
    found = results(ovo=SVC(decision_function_shape="ovo"), ovr=SVC())
    scores = pc.from_cross_validate(found, X, Y, positive="yes")
    for fold in scores.blocks:
        one, other = (scores.score[scores.rows(fold, name)] for name in ("ovo", "ovr"))
        assert np.array_equal(one, other)
