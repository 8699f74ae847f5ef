"""Makes ``predictions.csv``: three classifiers cross-validated on eight data sets.

``python -m validation.example_data.predictions > predictions.csv``

Each data set is 240 cases of two classes in six dimensions, drawn as that of
``folds.py``; one round of ten stratified folds. The classifiers are three of those
there, each with its estimated probability of the positive class.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats
from validation.example_data.folds import (
    FOLDS,
    Classifier,
    linear,
    naive_bayes,
    quadratic,
    simulated,
    stratified,
)

_SEED, _DATA_SETS = 2011, 8

_CLASSIFIERS: dict[str, Classifier] = {
    "QDA": quadratic,
    "LDA": linear,
    "NaiveBayes": naive_bayes,
}


def _probability(ratio: Floats) -> NDArray[np.float64]:
    """Return the probability of the positive class; the classes are equally large."""
    probability: NDArray[np.float64] = 0.5 + 0.5 * np.tanh(
        ratio / 2
    )  # 1/(1 + exp(-ratio))
    return probability


def rows() -> Iterator[str]:
    """Yield the lines of the file."""
    rng = np.random.default_rng(_SEED)
    yield "data,fold,algorithm,case,class,probability"
    for number in range(1, _DATA_SETS + 1):
        x, positive = simulated(rng)
        folds = stratified(positive, rng)
        for fold in range(FOLDS):
            train, test = folds != fold, np.flatnonzero(folds == fold)
            for name, classifier in _CLASSIFIERS.items():
                ratio = classifier(x[train], positive[train], x[test])
                for case, p in zip(test.tolist(), _probability(ratio), strict=True):
                    label = "yes" if positive[case] else "no"
                    yield f"g{number},{fold + 1:02d},{name},{case},{label},{p:.2f}"


if __name__ == "__main__":
    sys.stdout.write("\n".join(rows()) + "\n")
