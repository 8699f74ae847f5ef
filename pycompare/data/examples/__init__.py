"""The example data that come with pycompare."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, overload

from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import nearest, show
from pycompare.data.files import read_scores
from pycompare.data.prediction_files import read_predictions
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores


@dataclass(frozen=True)
class Example:
    """A file of example data: how it is read, and with what words at the shell.

    Attributes
    ----------
    file : str
    reading : dict
        Arguments of what reads it; nothing for a plan.
    shell : str
        The command that takes it, with FILE in the place of its name.
    """

    file: str
    reading: dict[str, Any]
    shell: str


_EXAMPLES = {
    "garcia-herrera-2008": Example(
        "garcia_herrera_2008.csv",
        {"wide": True, "block": "dataset", "metric": "accuracy", "better": "higher"},
        "compare FILE --wide --metric accuracy:higher --blocks datasets",
    ),
    "garcia-herrera-2008-plan": Example("garcia_herrera_2008.toml", {}, "run FILE"),
    "folds": Example(
        "folds.csv",
        {
            "algorithm": "algorithm",
            "dataset": "data",
            "block": "fold",
            "metrics": {"error": "lower", "auc": "higher"},
        },
        "compare FILE --algorithm algorithm --dataset data --block fold "
        "--metric error:lower --metric auc:higher --train 216 --test 24",
    ),
    "predictions": Example(
        "predictions.csv",
        {
            "algorithm": "algorithm",
            "dataset": "data",
            "block": "fold",
            "label": "class",
            "score": "probability",
            "positive": "yes",
            "case": "case",
        },
        "compare FILE --plan predictions.toml",
    ),
    "predictions-plan": Example("predictions.toml", {}, "run FILE"),
}


@overload
def example(name: Literal["predictions"]) -> Predictions: ...


@overload
def example(name: Literal["garcia-herrera-2008", "folds"] = ...) -> Scores: ...


@checked
def example(name: str = "garcia-herrera-2008") -> Scores | Predictions:
    """Return one of the shipped example tables.

    Parameters
    ----------
    name : {"garcia-herrera-2008", "folds", "predictions"}
        ``garcia-herrera-2008``: accuracy (higher is better) of 5 classifiers on 30 data
        sets; ``example_path("garcia-herrera-2008-plan")`` is the plan of the published
        analysis. ``folds``: error and AUC of 5 classifiers on 30 folds (three times
        ten-fold cross-validation, 216 training and 24 test cases) of one simulated data
        set. ``predictions``: scores of 3 classifiers for the cases of 10 folds of
        8 simulated data sets; ``example_path("predictions-plan")`` is a plan for it.
        The README beside the files states how they were made.

    Returns
    -------
    Scores or Predictions

    Raises
    ------
    InputError
        If there is no such example, or it is the plan.

    References
    ----------
    .. [1] García, S. & Herrera, F. (2008). An extension on "Statistical
       comparisons of classifiers over multiple data sets" for all pairwise
       comparisons. JMLR 9, 2677-2694, table 2.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.example()
    <Scores: 30 blocks x 5 algorithms, accuracy (higher is better)>
    >>> pc.example("folds")
    <Scores: 30 blocks x 5 algorithms, error (lower is better), auc (higher is better)>
    """
    reading = _known(name).reading
    if not reading:
        raise InputError(
            f"{name} is a plan and no data: read it with read_plan(example_path("
            f"{name!r}))"
        )
    read = read_predictions if "label" in reading else read_scores
    return read(example_path(name), **reading)


@checked
def example_path(name: str = "garcia-herrera-2008") -> Path:
    """Return the path of an example's file.

    Raises
    ------
    InputError
        If there is no such example.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.example_path("folds").name
    'folds.csv'
    """
    return Path(str(files(__name__))) / _known(name).file


def example_command(name: str, file: object) -> str:
    """Return the words after ``pycompare`` that take an example kept in a file."""
    return _known(name).shell.replace("FILE", str(file))


def _known(name: str) -> Example:
    """Return the facts about an example, or reject a name that there is not."""
    if name not in _EXAMPLES:
        raise InputError(
            f"there is no example {show(name)}{nearest(name, _EXAMPLES)}; "
            f"examples: {', '.join(_EXAMPLES)}"
        )
    return _EXAMPLES[name]
