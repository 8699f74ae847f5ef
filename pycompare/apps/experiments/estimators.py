"""Estimators of scikit-learn: seeds, scores for the positive class, descriptions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pickle import PicklingError
from typing import Any

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.labels import label_text, show, show_all
from pycompare.base.typing import Floats

_METHODS = ("predict_proba", "decision_function")
"""What gives scores, the better first."""


def require_estimator(name: str, estimator: Any) -> None:
    """Reject what cannot be cloned, fitted, and give scores."""
    if isinstance(estimator, type):
        raise InputError(
            f"algorithm {show(name)} is the class {estimator.__name__}; give an "
            f"estimator: {estimator.__name__}()"
        )
    for method in ("fit", "get_params"):
        if not hasattr(estimator, method):
            raise InputError(
                f"algorithm {show(name)} is a {type(estimator).__name__} without "
                f"{method}; give an estimator as scikit-learn defines it"
            )
    # Some have the method only when they are fitted; then their class has it.
    if not any(hasattr(type(estimator), method) for method in _METHODS):
        raise InputError(f"algorithm {show(name)}: {_no_scores(estimator)}")


def _score_method(estimator: Any) -> str:
    """Name the method that gives scores: probabilities, or else decision values."""
    for method in _METHODS:
        if hasattr(estimator, method):
            return method
    raise InputError(_no_scores(estimator))


def _no_scores(estimator: Any) -> str:
    """Return what to do about an estimator that has classes only."""
    return (
        f"{type(estimator).__name__} has neither predict_proba nor decision_function, "
        "so it gives no scores; choose its option for probabilities, or wrap it "
        "(scikit-learn's CalibratedClassifierCV)"
    )


def positive_scores(estimator: Any, features: Any, positive: object) -> Floats:
    """Return the fitted estimator's scores, higher for the positive class.

    Parameters
    ----------
    estimator : fitted estimator
    features : array or frame of the cases to score
    positive : object
        Label of the positive class.

    Raises
    ------
    InputError
        If there are no scores, the positive class was not in the training set, decision
        values are of pairs of classes, or a score is NaN or infinite.
    """
    method = _score_method(estimator)
    labels = [label_text(label) for label in estimator.classes_]
    chosen = label_text(positive)
    if chosen not in labels:
        raise InputError(
            f"the training set had no case of the positive class {show(chosen)}, only "
            f"{show_all(labels)}"
        )
    column = labels.index(chosen)
    values = np.asarray(getattr(estimator, method)(features), float)
    if values.ndim > 1 and (
        values.shape[1] != len(labels) or _one_against_one(estimator)
    ):
        raise InputError(
            f"{method} of {type(estimator).__name__} has {values.shape[1]} columns for "
            f"the {len(labels)} classes, of pairs of classes and not one of each; "
            "choose its option for one against the rest "
            "(decision_function_shape='ovr')"
        )
    if values.ndim == 1:
        # Decision values of two classes speak for the second.
        score = values if column == 1 else -values
    else:
        score = values[:, column]
    bad = ~np.isfinite(score)
    if bad.any():
        raise InputError(
            f"{method} of {type(estimator).__name__} is NaN or infinite for "
            f"{bad.sum()} of {bad.size} cases"
        )
    return score


def _one_against_one(estimator: Any) -> bool:
    """Return whether decision values are of pairs; of three classes there are three."""
    shapes = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    pairs = any(
        name.rpartition("__")[2] == "decision_function_shape" and value == "ovo"
        for name, value in shapes.items()
    )
    return (
        pairs
        and _score_method(estimator) == "decision_function"
        and (len(estimator.classes_) > 2)
    )


def seeded(estimator: Any, seed_of: Callable[[str], int]) -> Any:
    """Copy an estimator, unfitted; each ``random_state`` that is None gets a seed.

    Parameters
    ----------
    seed_of : callable
        Parameter's name -> seed.
    """
    from sklearn.base import clone

    copy = clone(estimator)
    seeds = {
        name: seed_of(name)
        for name, value in sorted(copy.get_params(deep=True).items())
        if _is_random_state(name) and value is None
    }
    return copy.set_params(**seeds)


def _is_random_state(name: str) -> bool:
    """Return whether a parameter seeds an estimator, or one within it."""
    return name == "random_state" or name.endswith("__random_state")


def derived_seed(seed: int, *words: str) -> int:
    """Derive a seed below 2^31, the same on any machine and with any version."""
    content = json.dumps([seed, *words]).encode("ascii")
    return int.from_bytes(hashlib.sha256(content).digest()[:4], "big") >> 1


def described(value: Any) -> Any:
    """Describe an estimator, or a parameter, so that equal ones read alike in JSON.

    Classes and functions are known by their names, whatever their code.

    Raises
    ------
    InputError
        For a random generator, whose state no later run would find again; a function
        without a name of its own; and what cannot be pickled.
    """
    if isinstance(value, np.random.RandomState | np.random.Generator):
        raise InputError(
            f"random_state is a {type(value).__name__}; give a whole number, or None "
            "for one that is derived from the experiment's seed"
        )
    if hasattr(value, "get_params") and not isinstance(value, type):
        parameters = value.get_params(deep=False)
        return {_full_name(type(value)): described(parameters)}
    if isinstance(value, Mapping):
        return {str(name): described(value[name]) for name in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [described(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    if isinstance(value, type) or callable(value):
        return _full_name(value)
    return _hashed(value)


def _full_name(what: Any) -> str:
    name = getattr(what, "__qualname__", None)
    if name is None:
        return _hashed(what)
    if "<lambda>" in name:
        raise InputError(
            "a parameter is a lambda, which a later run could not distinguish from "
            "another; "
            "give a function with a name"
        )
    return f"{what.__module__}.{name}"


def _hashed(value: Any) -> str:
    import joblib

    name = f"{type(value).__module__}.{type(value).__qualname__}"
    try:
        return f"{name} {joblib.hash(value)}"
    except (PicklingError, AttributeError, TypeError) as error:
        raise InputError(
            f"a parameter of type {name} cannot be written down for a later run: "
            f"{error}"
        ) from error
