"""The example data that come with pycompare."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pycompare.data.files import read_scores
from pycompare.data.labels import nearest, show
from pycompare.data.scores import Scores
from pycompare.errors import InputError


@dataclass(frozen=True)
class Example:
    """A file of example data: how it is read, and with what words at the shell."""

    file: str
    reading: dict[str, Any]
    shell: str


_EXAMPLES = {
    "garcia-herrera-2008": Example(
        "garcia_herrera_2008.csv",
        {"wide": True, "block": "dataset", "metric": "accuracy", "better": "higher"},
        "--wide --metric accuracy:higher",
    ),
    "folds": Example(
        "folds.csv",
        {
            "algorithm": "algorithm",
            "dataset": "data",
            "block": "fold",
            "metrics": {"error": "lower", "auc": "higher"},
        },
        "--algorithm algorithm --dataset data --block fold --metric error:lower "
        "--metric auc:higher --train 216 --test 24",
    ),
}


def example(name: str = "garcia-herrera-2008") -> Scores:
    """Load an example.

    Parameters
    ----------
    name : {"garcia-herrera-2008", "folds"}
        ``garcia-herrera-2008``: accuracy (higher is better) of 5 classifiers on 30 data
        sets. ``folds``: error and AUC of 5 classifiers on 30 folds (three times
        ten-fold cross-validation, 216 training and 24 test cases) of one simulated data
        set; ``make_folds.py`` beside the file makes it.

    Returns
    -------
    Scores

    Raises
    ------
    InputError
        If there is no such example.

    References
    ----------
    .. [1] Garcia, S. & Herrera, F. (2008). An extension on "Statistical
       comparisons of classifiers over multiple data sets" for all pairwise
       comparisons. JMLR 9, 2677-2694, table 2.
    """
    return read_scores(example_path(name), **found(name).reading)


def example_path(name: str = "garcia-herrera-2008") -> Path:
    """Path of an example's file.

    Raises
    ------
    InputError
        If there is no such example.
    """
    return Path(str(files(__name__))) / found(name).file


def example_options(name: str) -> str:
    """Return the options of ``pycompare compare`` that read an example."""
    return found(name).shell


def found(name: str) -> Example:
    """Return what is known of an example, or refuse a name that there is not."""
    if name not in _EXAMPLES:
        raise InputError(
            f"there is no example {show(name)}{nearest(name, _EXAMPLES)}; "
            f"examples: {', '.join(_EXAMPLES)}"
        )
    return _EXAMPLES[name]
