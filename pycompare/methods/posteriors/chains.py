"""Draws of Markov chains: how many, from which seed, and whether they suffice."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pycompare.base.errors import DesignError, setting
from pycompare.base.typing import Floats
from pycompare.kernels.chains import bulk_sample_size, sample_size, split_r_hat
from pycompare.methods.posteriors.common import LEAST_DRAWS, MOST_R_HAT

CHAINS = 4
WARM_UP = 500
"""Draws of each chain that are thrown away."""


@dataclass(frozen=True)
class Diagnostics:
    """What chains are worth.

    Attributes
    ----------
    effective : float
        Smallest bulk effective sample size.
    r_hat : float
        Largest split R-hat.
    """

    effective: float
    r_hat: float


def diagnosed(quantities: list[Floats], draws: int) -> Diagnostics:
    """Return the diagnostics of chains, or reject too few draws.

    Parameters
    ----------
    quantities : list of ndarray, shape (chains, draws each, ...)
    draws : int
        Draws asked for, over all chains.
    """
    sizes = np.concatenate([np.ravel(bulk_sample_size(x)) for x in quantities])
    hats = np.concatenate([np.ravel(split_r_hat(x)) for x in quantities])
    least, most = float(np.nanmin(sizes)), float(np.nanmax(hats))
    if least < LEAST_DRAWS or most > MOST_R_HAT:
        needed = max(2.0, LEAST_DRAWS / least * 1.2) * draws
        rounded = math.ceil(needed / 1000) * 1000
        raise DesignError(
            f"{draws} draws are worth {least:.0f} independent ones, R-hat {most:.3f}; "
            f"{LEAST_DRAWS} and at most {MOST_R_HAT} are needed: give "
            + setting("draws", rounded)
        )
    return Diagnostics(least, most)


def errors_of(regions: Floats) -> Floats:
    """Return the Monte Carlo standard errors of mean shares.

    Parameters
    ----------
    regions : ndarray, shape (chains, draws, 3)
        Of each draw, the shares that are averaged.
    """
    sizes = sample_size(regions)
    spread = regions.reshape(-1, regions.shape[-1]).std(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread == 0, 0.0, spread / np.sqrt(sizes))
