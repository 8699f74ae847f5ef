"""Classifiers of Weka, a Java program, with scikit-learn's interface."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.typing import Floats

JAR = "/usr/share/java/weka.jar"
"""Path of Weka in Debian's package ``weka``."""
_INSTALL = "install Debian's packages default-jre-headless and weka"


class Weka(ClassifierMixin, BaseEstimator):
    """A classifier of Weka, fitted in a Java process of its own.

    Parameters
    ----------
    classifier : str
        Its name below ``weka.classifiers``: ``trees.J48`` (C4.5), ``rules.JRip``
        (Ripper), ``bayes.NaiveBayes``, ``lazy.IB1``, ...
    options : sequence of str
        Weka's options of the classifier, such as ``("-C", "0.1")``.
    nominal : mapping of int to sequence of numbers, optional
        Columns of the features that are nominal, counted from 0, with all values that
        they can have. The other columns are numeric.
    jar : str
        Path of Weka.

    Attributes
    ----------
    classes_ : ndarray
        Sorted labels of the training set.
    model_ : bytes
        The classifier as Weka writes it.

    Notes
    -----
    NaN is a missing value. Weka prints probabilities with three decimals, so that
    some cases tie.

    References
    ----------
    .. [1] Hall, M., Frank, E., Holmes, G., Pfahringer, B., Reutemann, P., Witten, I. H.
       (2009). The WEKA data mining software: an update. SIGKDD Explorations 11, 10-18.
    """

    def __init__(
        self,
        classifier: str,
        options: Sequence[str] = (),
        nominal: Mapping[int, Sequence[float]] | None = None,
        jar: str = JAR,
    ) -> None:
        self.classifier = classifier
        self.options = options
        self.nominal = nominal
        self.jar = jar

    def fit(self, X: Any, y: Any) -> Weka:
        """Fit the classifier.

        Raises
        ------
        InputError
            If Java, Weka or the classifier is missing, Weka rejects an option or the
            data, or a nominal feature has a value that is not declared.
        """
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        features = np.asarray(X, float)
        self.n_features_in_ = features.shape[1]
        text = self._arff(features, [f"c{code}" for code in codes])
        with TemporaryDirectory() as folder:
            train, model = Path(folder, "train.arff"), Path(folder, "model")
            train.write_text(text, encoding="ascii")
            told = self._run(
                *("-t", str(train), "-no-cv", "-v", "-o", "-d", str(model)),
                *map(str, self.options),
            )
            if not model.exists():
                raise InputError(f"Weka's {self.classifier} failed: {_reason(told)}")
            self.model_ = model.read_bytes()
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classes, shape (n, n_classes)."""
        check_is_fitted(self)
        features = np.asarray(X, float)
        if features.shape[1] != self.n_features_in_:
            raise InputError(
                f"{features.shape[1]} features, and the classifier was fitted to "
                f"{self.n_features_in_}"
            )
        text = self._arff(features, ["?"] * len(features))
        with TemporaryDirectory() as folder:
            test, model = Path(folder, "test.arff"), Path(folder, "model")
            test.write_text(text, encoding="ascii")
            model.write_bytes(self.model_)
            told = self._run(
                *("-T", str(test), "-l", str(model), "-p", "0", "-distribution")
            )
        rows = [
            [float(share) for share in line.split()[-1].replace("*", "").split(",")]
            for line in told.stdout.splitlines()
            if line.split()[:1] and line.split()[0].isdigit()
        ]
        shares = np.array(rows).reshape(len(rows), -1)
        if shares.shape != (len(features), len(self.classes_)):
            raise InputError(f"Weka's {self.classifier} failed: {_reason(told)}")
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each case, the first of equals."""
        return np.asarray(self.classes_[self.predict_proba(X).argmax(axis=1)])

    def _arff(self, features: Floats, labels: Sequence[str]) -> str:
        """Return cases as a file for Weka; names and values are codes of our own."""
        nominal = {} if self.nominal is None else dict(self.nominal)
        columns, kinds = [], []
        for j, column in enumerate(features.T):
            if j in nominal:
                values = np.asarray(nominal[j], float)
                columns.append(_coded(column, values, j))
                kinds.append("{" + ",".join(f"v{k}" for k in range(len(values))) + "}")
            else:
                numbers = column.tolist()
                columns.append(["?" if isnan(x) else repr(x) for x in numbers])
                kinds.append("numeric")
        lines = [f"@attribute f{j} {kind}" for j, kind in enumerate(kinds)]
        classes = ",".join(f"c{k}" for k in range(len(self.classes_)))
        head = ["@relation cases", *lines, f"@attribute class {{{classes}}}", "@data"]
        rows = map(",".join, zip(*columns, labels, strict=True))
        return "\n".join([*head, *rows]) + "\n"

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the classifier's own program."""
        java = shutil.which("java")
        if java is None:
            raise InputError(f"Weka needs Java, and there is none: {_INSTALL}")
        if not Path(self.jar).exists():
            raise InputError(f"there is no {show(self.jar)}: {_INSTALL}, or set jar")
        return subprocess.run(
            [
                *(java, "-Duser.language=en", "-Djava.awt.headless=true"),
                *("-cp", self.jar, f"weka.classifiers.{self.classifier}", *arguments),
            ],
            capture_output=True,
            text=True,
            check=False,
        )


def _coded(column: Floats, values: Floats, j: int) -> list[str]:
    """Return the names of nominal values; NaN is missing, any other is rejected."""
    missing = np.isnan(column)
    equal = column[:, None] == values
    strange = ~missing & ~equal.any(axis=1)
    if strange.any():
        raise InputError(
            f"feature {j} is {column[strange][0]:g} in {strange.sum()} cases, which is "
            f"none of its {len(values)} nominal values: add it to nominal[{j}]"
        )
    codes = equal.argmax(axis=1)
    return ["?" if m else f"v{code}" for m, code in zip(missing, codes, strict=True)]


def _reason(told: subprocess.CompletedProcess[str]) -> str:
    """Return the first line of the error of Weka or Java."""
    lines = [line.strip() for line in told.stderr.splitlines()]
    return next(filter(None, lines), "it wrote no predictions")
