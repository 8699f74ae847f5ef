"""Real tables of scores, whose rows the studies draw. See ``README.md``."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np

from pycompare.base.typing import Floats

HERE = Path(__file__).parent
EMBEDDINGS, TIME_SERIES = "mteb_eng_v2", "tsc_univariate"


@cache
def scores(name: str) -> Floats:
    """Return a table, shape (data sets, algorithms); higher is better."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    table = np.array([row[1:] for row in rows], float)
    table.flags.writeable = False
    return table
