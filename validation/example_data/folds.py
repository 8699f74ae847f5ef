"""Makes ``folds.csv``: five classifiers cross-validated on simulated data.

``python -m validation.example_data.folds > folds.csv``

The data are 240 cases of two classes in six dimensions: normal, with different means
and different covariances. The classifiers are short enough to stand here. Ten folds,
stratified, three times over: 30 folds of 216 training and 24 test cases.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Bools, Floats

Classifier = Callable[[Floats, Bools, Floats], Floats]

_SEED, CASES, _DIMENSIONS, FOLDS, _REPEATS = 2009, 240, 6, 10, 3


def simulated(rng: np.random.Generator) -> tuple[Floats, Bools]:
    """Return cases and their classes."""
    positive = np.arange(CASES) % 2 == 0
    mixing = np.eye(_DIMENSIONS) + 0.22 * rng.normal(size=(_DIMENSIONS, _DIMENSIONS))
    noise = rng.normal(size=(CASES, _DIMENSIONS))
    shape = np.where(positive[:, None], noise @ mixing, noise)
    return shape + 0.6 * positive[:, None], positive


def _log_density(x: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Return the normal log density up to a constant."""
    centred = x - mean
    squared = np.sum(centred @ np.linalg.inv(covariance) * centred, axis=1)
    log_density: Floats = -(squared + np.linalg.slogdet(covariance)[1]) / 2
    return log_density


def _from_covariances(
    x: Floats, positive: Bools, test: Floats, covariances: tuple[Floats, Floats]
) -> Floats:
    """Return the log likelihood ratio of two normal classes."""
    of_positive, of_negative = (
        _log_density(test, x[chosen].mean(axis=0), covariance)
        for chosen, covariance in zip((positive, ~positive), covariances, strict=True)
    )
    return of_positive - of_negative


def quadratic(x: Floats, positive: Bools, test: Floats) -> Floats:
    """Quadratic discriminant: a covariance for each class."""
    covariances = (np.cov(x[positive].T), np.cov(x[~positive].T))
    return _from_covariances(x, positive, test, covariances)


def linear(x: Floats, positive: Bools, test: Floats) -> Floats:
    """Linear discriminant: one covariance for both classes."""
    pooled = (np.cov(x[positive].T) + np.cov(x[~positive].T)) / 2
    return _from_covariances(x, positive, test, (pooled, pooled))


def naive_bayes(x: Floats, positive: Bools, test: Floats) -> Floats:
    """Naive Bayes: variances for each class, no covariances."""
    of_positive, of_negative = (
        np.diag(x[c].var(axis=0, ddof=1)) for c in (positive, ~positive)
    )
    return _from_covariances(x, positive, test, (of_positive, of_negative))


def _nearest_mean(x: Floats, positive: Bools, test: Floats) -> Floats:
    """Nearest mean: one variance for all."""
    same = np.eye(_DIMENSIONS)
    return _from_covariances(x, positive, test, (same, same))


def _neighbours(x: Floats, positive: Bools, test: Floats) -> Floats:
    """Nine nearest neighbours: how far more than half of them are positive."""
    distances = np.sum((test[:, None, :] - x[None, :, :]) ** 2, axis=-1)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :9]
    excess: Floats = positive[nearest].mean(axis=1) - 0.5
    return excess


_CLASSIFIERS: dict[str, Classifier] = {
    "QDA": quadratic,
    "9-NN": _neighbours,
    "LDA": linear,
    "NaiveBayes": naive_bayes,
    "NearestMean": _nearest_mean,
}


def stratified(positive: Bools, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the fold of each case; classes are spread evenly."""
    fold = np.empty(len(positive), dtype=np.intp)
    for chosen in (positive, ~positive):
        fold[chosen] = rng.permutation(np.arange(chosen.sum()) % FOLDS)
    return fold


def area(scores: Floats, positive: Bools) -> float:
    """Return the area under the ROC curve, ties counted half."""
    above = scores[positive][:, None] - scores[~positive][None, :]
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def rows() -> Iterator[str]:
    """Yield the lines of the file."""
    rng = np.random.default_rng(_SEED)
    x, positive = simulated(rng)
    yield "data,fold,algorithm,error,auc"
    for repeat in range(1, _REPEATS + 1):
        folds = stratified(positive, rng)
        for fold in range(FOLDS):
            train, test = folds != fold, folds == fold
            for name, classifier in _CLASSIFIERS.items():
                scores = classifier(x[train], positive[train], x[test])
                error = np.mean((scores > 0) != positive[test])
                auc = area(scores, positive[test])
                yield (
                    f"gaussians,{repeat}-{fold + 1:02d},{name},{error:.4f},{auc:.6f}"
                )


if __name__ == "__main__":
    sys.stdout.write("\n".join(rows()) + "\n")
