"""Weka's classifiers; a stand-in for Java answers where Java is not needed."""

from __future__ import annotations

import pickle
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import pycompare as pc
from pycompare.apps.experiments import learners
from pycompare.apps.experiments.weka import JAR
from tests.apps.experiments.small import features

with_java = pytest.mark.skipif(
    shutil.which("java") is None or not Path(JAR).exists(),
    reason="Java or Debian's package weka is missing",
)

# As Weka 3.6.14 prints `-p 0 -distribution` (recorded).
RECORDED = """

=== Predictions on test data ===

 inst#     actual  predicted error distribution
     1        1:?       1:c0       *0.973,0.027 
     2        1:?       2:c1       0.25,*0.75 
     3        1:?       2:c1       0,*1 

"""  # noqa: W291
STAND_IN = """#!{python}
import pathlib, sys
arguments = sys.argv[1:]
pathlib.Path({log!r}).write_text(" ".join(arguments))
if "-d" in arguments:
    cases = pathlib.Path(arguments[arguments.index("-t") + 1]).read_text()
    pathlib.Path({log!r} + ".arff").write_text(cases)
    pathlib.Path(arguments[arguments.index("-d") + 1]).write_text("a model")
else:
    print({answer!r})
"""
X = np.array([[1.5, 0.0], [np.nan, 2.0], [3.0, 0.0]])
Y = np.array(["b", "a", "b"])


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Put a program called java first that records its arguments, and its jar."""

    def put(answer: str = RECORDED) -> Path:
        log = tmp_path / "log"
        java = tmp_path / "java"
        java.write_text(
            STAND_IN.format(python=sys.executable, log=str(log), answer=answer)
        )
        java.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        return log

    return put


def stood_in(**options) -> learners.Weka:
    return learners.Weka("trees.J48", ("-C", "0.1"), jar=__file__, **options)


def test_cases_are_written_for_weka_and_its_probabilities_read(stand_in):
    log = stand_in()
    fitted = stood_in(nominal={1: (0, 2)}).fit(X, Y)
    assert Path(f"{log}.arff").read_text().splitlines() == [
        "@relation cases",
        "@attribute f0 numeric",
        "@attribute f1 {v0,v1}",
        "@attribute class {c0,c1}",
        "@data",
        "1.5,v0,c1",
        "?,v1,c0",
        "3.0,v0,c1",
    ]
    told = log.read_text()
    assert f"-cp {__file__} weka.classifiers.trees.J48 -t " in told
    assert told.endswith("-C 0.1")
    shares = fitted.predict_proba(X)
    assert shares.tolist() == [[0.973, 0.027], [0.25, 0.75], [0.0, 1.0]]
    assert fitted.predict(X).tolist() == ["a", "b", "b"]
    assert pickle.loads(pickle.dumps(fitted)).model_ == b"a model"


def test_an_answer_without_all_cases_is_an_error(stand_in):
    stand_in(RECORDED.replace("     3 ", "     x "))
    with pytest.raises(pc.InputError, match=r"trees.J48 failed: it wrote no pred"):
        stood_in().fit(X, Y).predict_proba(X)


def test_values_that_are_not_declared_are_refused():
    with pytest.raises(pc.InputError, match=r"feature 1 is 2 in 1 cases.*nominal\[1\]"):
        stood_in(nominal={1: (0, 1)}).fit(X, Y)


def test_other_numbers_of_features_are_refused(stand_in):
    stand_in()
    with pytest.raises(pc.InputError, match=r"1 features.*fitted to 2"):
        stood_in().fit(X, Y).predict(X[:, :1])


def test_without_java_or_weka_their_packages_are_named(monkeypatch, tmp_path):
    with pytest.raises(pc.InputError, match=r"no '.*nowhere.jar'|no Java") as told:
        learners.Weka("trees.J48", jar="nowhere.jar").fit(X, Y)
    assert "default-jre-headless and weka" in str(told.value)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pc.InputError, match=r"needs Java.*default-jre-headless"):
        learners.weka("trees.J48").fit(X, Y)


@with_java
def test_c4_5_learns_what_a_nominal_feature_says():
    rng = np.random.default_rng(1)
    x = np.c_[rng.normal(size=120), rng.integers(0, 3, 120)]
    y = np.where(x[:, 1] == 1, "inside", "outside")
    fitted = learners.weka("trees.J48", nominal={1: (0, 1, 2)}).fit(x, y)
    assert (fitted.predict(x) == y).all()
    assert fitted.predict_proba(x).sum(axis=1) == pytest.approx(np.ones(120))


@with_java
def test_weka_names_what_it_rejects():
    with pytest.raises(pc.InputError, match="Confidence has to be greater than zero"):
        learners.weka("trees.J48", ("-C", "9")).fit(X, Y)
    with pytest.raises(pc.InputError, match=r"find or load main class.*J49"):
        learners.weka("trees.J49").fit(X, Y)


@with_java
def test_an_experiment_takes_weka(tmp_path):
    x, label = features(300, seed=4)
    cases = pc.experiment(
        {"small": pc.DataSet.of(x, label, positive="yes")},
        {
            "C4.5": clone(learners.weka("trees.J48")),
            "k-NN": learners.nearest_neighbours(1),
        },
        protocol=pc.StratifiedFolds(2),
        folder=tmp_path / "run",
        seed=1,
        progress=False,
    )
    assert cases.algorithms == ("C4.5", "k-NN")
    assert (cases.measure("auc").column("auc") > 0.5).all()
