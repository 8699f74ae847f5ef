"""The learners of the papers, from scikit-learn, each with its choices written down.

Aslan (2009), sec. 3.2.2 uses C4.5, linear perceptrons, k-NN, naive Bayes and Ripper of
the ISELL software; Yildiz et al. (2011), sec. 4 uses C4.5, a linear SVM, LDA, QDA and
k-NN. What stands here is the nearest that scikit-learn has. All but the tree
standardise the features by the training set; none imputes: put
``make_pipeline(SimpleImputer(...), learner)`` in front if values are missing.

Ripper and C4.5 themselves are in Weka: `weka` ("rules.JRip" and "trees.J48").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from pycompare.apps.experiments.weka import Weka

_NEIGHBOURS = (1, 3, 5, 7, 11, 21)
"""The k that Aslan (2009), sec. 3.2.2 tries."""

_PRUNING = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05)
"""Weights of the size of a tree that are tried."""


def entropy_tree() -> Validated:
    """Decision tree that splits by entropy, for C4.5.

    At least 5 cases a leaf; cost-complexity pruning, its weight among `_PRUNING` chosen
    by validation error. The score is the share of positive training cases in the leaf:
    0 or 1 in pure leaves only. C4.5 differs: it splits by gain ratio, makes a
    branch for every value of a nominal feature, sends missing values down several
    branches and prunes by a pessimistic estimate of the error.
    """
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5)
    return Validated(tree, "ccp_alpha", _PRUNING)


def linear_perceptron() -> Any:
    """Linear model with softmax outputs that minimises cross-entropy, for LP.

    Logistic regression without a penalty. For two classes a softmax of two linear
    outputs is this model. L-BFGS takes the place of Aslan's gradient descent: both find
    the same minimum. If the classes can be separated there is none, and the fit
    ends when the gradient is small or after 1000 steps (a warning that
    `pycompare.experiment` reports).
    """
    return make_pipeline(StandardScaler(), LogisticRegression(C=np.inf, max_iter=1000))


def nearest_neighbours(k: int | Sequence[int] = _NEIGHBOURS) -> Any:
    """k-nearest neighbours, Euclidean distance of standardised features, for k-NN.

    Parameters
    ----------
    k : int or sequence of int
        With several, the one with the least validation error (Aslan 2009, sec. 3.2.2);
        Yildiz et al. (2011) has 20.

    Notes
    -----
    The score is the share of positive cases among the neighbours: at most k + 1
    values, with many ties.
    """
    if isinstance(k, int):
        return make_pipeline(StandardScaler(), KNeighborsClassifier(k))
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    return Validated(model, "kneighborsclassifier__n_neighbors", tuple(k))


def nearest_by_distance() -> Any:
    """Nearest neighbour rated by distances of standardised features, for Maloof's 1-NN.

    The score is the distance to the nearest case of the other class less that to the
    nearest positive one, so that cases hardly tie; the class is that of the nearest
    case, as of ``nearest_neighbours(1)``. With ``pc.DisjointSets()`` each training set
    is a reader, as in Maloof (2012).
    """
    return make_pipeline(StandardScaler(), NearestByDistance())


def naive_bayes() -> Any:
    """Gaussian naive Bayes, for NB: independent normal features within a class.

    Variances get 1e-9 of the largest variance added, which standardised features make
    a share of each. Posteriors of many features round to 0 and 1, so some cases tie.
    """
    return make_pipeline(StandardScaler(), GaussianNB())


def _linear_discriminant() -> Any:
    """Linear discriminant analysis by singular values, priors as in the training set.

    Collinear features are dealt with by the pseudoinverse.
    """
    return make_pipeline(StandardScaler(), LinearDiscriminantAnalysis())


def _quadratic_discriminant() -> Any:
    """Quadratic discriminant analysis, for QDA.

    Each class's covariance S becomes 0.999 S + 0.001 I, in units of standardised
    features, or it cannot be inverted when features depend on each other within a
    class.
    """
    return make_pipeline(
        StandardScaler(), QuadraticDiscriminantAnalysis(reg_param=1e-3)
    )


def linear_svm(cost: float = 1.0) -> Any:
    """Support vector machine with a linear kernel; decision values are the scores.

    AUC and AUC-PR need no more. A threshold is then 0, not 0.5: measure errors with
    ``threshold=0``, apart from algorithms that give probabilities, or wrap it in
    scikit-learn's ``CalibratedClassifierCV``.

    Parameters
    ----------
    cost : float
        Weight of the squared hinge loss against the squared length of the weights.
    """
    return make_pipeline(StandardScaler(), LinearSVC(C=cost, max_iter=10_000))


def weka(
    classifier: str,
    options: Sequence[str] = (),
    *,
    nominal: Mapping[int, Sequence[float]] | None = None,
) -> Weka:
    """Return a classifier of Weka, such as C4.5 (``trees.J48``).

    It needs Java and Weka: Debian's packages ``default-jre-headless`` and ``weka``.

    Parameters
    ----------
    classifier : str
        Its name below ``weka.classifiers``; ``rules.JRip`` is Ripper.
    options : sequence of str
        Weka's options of the classifier, such as ``("-C", "0.1")``.
    nominal : mapping of int to sequence of numbers, optional
        Columns of the features that are nominal, counted from 0, with all values that
        they can have: C4.5 makes a branch for each.

    Notes
    -----
    Weka prints probabilities with three decimals, so that some cases tie.
    """
    return Weka(classifier, options, nominal)


def asl_learners() -> dict[str, Any]:
    """Return the five of our study: Aslan's (2009), with LDA if Ripper stood."""
    return {
        "tree": entropy_tree(),
        "LP": linear_perceptron(),
        "k-NN": nearest_neighbours(),
        "NB": naive_bayes(),
        "LDA": _linear_discriminant(),
    }


def yil_learners() -> dict[str, Any]:
    """Return the five of Yildiz et al. (2011): tree, linear SVM, LDA, QDA, 20-NN."""
    return {
        "tree": entropy_tree(),
        "svm": linear_svm(),
        "lda": _linear_discriminant(),
        "qda": _quadratic_discriminant(),
        "knn": nearest_neighbours(20),
    }


def _has(method: str) -> Any:
    return lambda self: hasattr(self.estimator, method)


class NearestByDistance(ClassifierMixin, BaseEstimator):
    """The nearest neighbour of two classes, with differences of distances as scores.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    """

    def fit(self, X: Any, y: Any) -> NearestByDistance:
        """Keep the cases of each class."""
        X, y = validate_data(self, X, y, dtype=float)
        self.classes_ = np.unique(y)
        if len(self.classes_) != 2:
            raise ValueError(
                f"y has {len(self.classes_)} classes: distances to the nearest case of "
                "each class rate two"
            )
        self._nearest = [NearestNeighbors(n_neighbors=1).fit(X[y == c])
                         for c in self.classes_]  # fmt: skip
        return self

    def decision_function(self, X: Any) -> Any:
        """Return the distance to the first class less that to the second one."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=float, reset=False)
        first, second = (known.kneighbors(X)[0][:, 0] for known in self._nearest)
        return first - second

    def predict(self, X: Any) -> Any:
        """Return the class of the nearest case; the second one if both are as near."""
        return self.classes_[(self.decision_function(X) >= 0).astype(int)]


class Validated(ClassifierMixin, BaseEstimator):
    """A classifier with one parameter chosen by the error on a validation set.

    A third of the training set, stratified, is the validation set. The value with the
    least error there (the first of equals) is fitted again to the whole training set.

    Parameters
    ----------
    estimator : classifier
    parameter : str
        Name of the parameter, as ``set_params`` takes it.
    values : sequence
        What to try.
    random_state : int, optional
        Decides the division, and seeds the classifier if it has a
        ``random_state``.

    Attributes
    ----------
    value_ : object
        The chosen value.
    errors_ : tuple of float
        Share of errors on the validation set, by value.
    estimator_ : classifier
        Fitted to the whole training set.
    """

    def __init__(
        self,
        estimator: Any,
        parameter: str,
        values: Sequence[Any],
        random_state: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.parameter = parameter
        self.values = values
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Validated:
        """Choose the value and fit."""
        train_x, test_x, train_y, test_y = train_test_split(
            X, y, test_size=1 / 3, stratify=y, random_state=self.random_state
        )
        self.errors_ = tuple(
            1.0 - float(self._with(value).fit(train_x, train_y).score(test_x, test_y))
            for value in self.values
        )
        self.value_ = self.values[int(np.argmin(self.errors_))]
        self.estimator_ = self._with(self.value_).fit(X, y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> Any:
        """Return the classes of the chosen classifier."""
        return self.estimator_.predict(X)

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: Any) -> Any:
        """Return the probabilities of the chosen classifier."""
        return self.estimator_.predict_proba(X)

    @available_if(_has("decision_function"))
    def decision_function(self, X: Any) -> Any:
        """Return the decision values of the chosen classifier."""
        return self.estimator_.decision_function(X)

    def _with(self, value: Any) -> Any:
        return clone(self.estimator).set_params(**{self.parameter: value})
