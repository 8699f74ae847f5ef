"""Names of types that many modules share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Indices = NDArray[np.intp]
LinkFunction = Literal["logit", "probit"]
"""Scale of a model of 0/1 outcomes."""
