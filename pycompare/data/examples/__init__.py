"""The example data that come with pycompare."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from pycompare.data.files import read_scores
from pycompare.data.labels import nearest, show
from pycompare.data.scores import Scores
from pycompare.errors import InputError

_EXAMPLES = {"garcia-herrera-2008": "garcia_herrera_2008.csv"}


def example(name: str = "garcia-herrera-2008") -> Scores:
    """Load an example.

    Parameters
    ----------
    name : str, default "garcia-herrera-2008"
        Accuracy (higher is better) of 5 classifiers on 30 data sets.

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
    return read_scores(
        example_path(name),
        wide=True,
        block="dataset",
        metric="accuracy",
        better="higher",
    )


def example_path(name: str = "garcia-herrera-2008") -> Path:
    """Path of an example's file.

    Raises
    ------
    InputError
        If there is no such example.
    """
    if name not in _EXAMPLES:
        raise InputError(
            f"there is no example {show(name)}{nearest(name, _EXAMPLES)}; "
            f"examples: {', '.join(_EXAMPLES)}"
        )
    return Path(str(files(__name__))) / _EXAMPLES[name]
