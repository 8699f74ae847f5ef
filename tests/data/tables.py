"""What the tests of this folder share: a small table and the refusal of one."""

from __future__ import annotations

import pandas as pd
import pytest

from pycompare.base.errors import InputError
from pycompare.data import Scores
from pycompare.data.reading.answers import DOUBTS

LONG = {"algorithm": "algorithm", "block": "block", "metrics": {"error": "lower"}}


def long_frame(**changes: object) -> pd.DataFrame:
    """Two algorithms on three blocks; columns can be replaced."""
    columns = {
        "block": ["b1", "b1", "b2", "b2", "b3", "b3"],
        "algorithm": ["svm", "knn"] * 3,
        "error": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    }
    return pd.DataFrame(columns | changes)


def long_scores(**changes: object) -> Scores:
    return Scores.from_frame(long_frame(**changes), **LONG, confirmed=DOUBTS)


def refused(*parts: str):
    """Expect an InputError whose message holds all the parts in order."""
    return pytest.raises(InputError, match="(?s)" + ".*".join(parts))
