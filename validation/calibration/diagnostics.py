"""Draws of diagnostic tests, risks and studies, and questions about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import pycompare as pc

from .data import ADJUSTED, Draw, Generator, scores_of


def diagnosed(n: int, k: int) -> Draw:
    """Draw true classes and results of k tests that are equally good."""

    def draw(rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        label = rng.random(n) < 0.4
        x = rng.normal(size=(n, k)) + rng.normal(size=(n, 1)) + 1.5 * label[:, None]
        return label, x > 0.8

    return draw


def test_ratios(data: Any) -> Mapping[str, float]:
    """Return p-values of the first pair in two measures, and the smallest adjusted."""
    table = pc.diagnostic_pairs(*data, positive=True).table
    p = table.groupby("measure")["p_value"].first()
    score = table.loc[table["measure"] == "ppv", "score_p_value"].iloc[0]
    return {
        "predictive value": float(p["ppv"]),
        "likelihood ratio": float(p["lr_positive"]),
        "weighted score": float(score),
        ADJUSTED: float(table["p_adjusted"].min()),
    }


def ratio_held(data: Any) -> Mapping[str, float]:
    """Tell whether the interval of a ratio of 1 holds it."""
    table = pc.diagnostic_pairs(*data, positive=True, measures=["ppv"]).table
    first = table.iloc[0]
    return {"interval": float(first["conf_low"] <= 1 <= first["conf_high"])}


def risks(n: int) -> Draw:
    """Draw true classes and probabilities by two models that are equally good."""

    def draw(rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        x = rng.normal(size=n)
        label = rng.random(n) < 1 / (1 + np.exp(-x))
        return label, 1 / (1 + np.exp(-x[:, None] - rng.normal(size=(n, 2))))

    return draw


def equal_benefits(data: Any) -> Mapping[str, float]:
    """Return the p-value of the pair of models."""
    table = pc.net_benefit(*data, positive=True, threshold=0.4).table
    return {"first pair": float(table["p_value"].iloc[0])}


def benefit_held(data: Any) -> Mapping[str, float]:
    """Tell whether the interval of the pair of models holds 0."""
    first = pc.net_benefit(*data, positive=True, threshold=0.4).table.iloc[0]
    return {"interval": float(first["conf_low"] <= 0 <= first["conf_high"])}


def studies(k: int, spread: float = 0.3) -> Draw:
    """Draw estimates of k studies with a mean of 0, their errors, and a new truth."""

    def draw(rng: Generator) -> tuple[np.ndarray, np.ndarray, float]:
        error = rng.uniform(0.1, 0.5, size=k)
        return rng.normal(0, np.hypot(error, spread)), error, rng.normal(0, spread)

    return draw


def mean_p(data: Any) -> Mapping[str, float]:
    """Return the p-value of a mean of 0."""
    return {"p-value": pc.synthesis(data[0], std_error=data[1]).p_value}


def synthesis_held(data: Any) -> Mapping[str, float]:
    """Tell whether the intervals hold the mean, and the truth of a new study."""
    found = pc.synthesis(data[0], std_error=data[1])
    return {
        "mean": float(found.conf_low <= 0 <= found.conf_high),
        "new study": float(found.predicted_low <= data[2] <= found.predicted_high),
    }


def unequal(n: int, a: int) -> Draw:
    """Draw independent samples with standard deviations 1, 2, ..."""
    return lambda rng: scores_of(
        rng.normal(size=(n, a, 1)) * np.arange(1, a + 1)[:, None]
    )
