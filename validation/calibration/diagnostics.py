"""Draws of diagnostic tests, risks and studies, and questions about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from scipy import special, stats

import pycompare as pc
from pycompare.kernels.binned_calibration import bin_of

from ..checks.diagnostics import NETWORK, Overlapping
from .data import ADJUSTED, Ask, Draw, Generator, Row, scores_of


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


RARE_AT = 0.05
"""Threshold at which a positive case counts as much as 19 negative ones."""


def rare(n: int) -> Draw:
    """Draw probabilities whose net benefit is just that of treating all.

    Half of the cases are negative and not treated, 2.6% are positive and not treated.
    """
    missed = 0.5 * RARE_AT / (1 - RARE_AT)

    def draw(rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        u = rng.random(n)
        label = (u < missed) | (u > 0.97)
        label[:2] = [True, False] if label.all() or not label.any() else label[:2]
        return label, np.where(u < 0.5 + missed, 0.01, 0.2)

    return draw


def rare_p(data: Any) -> Mapping[str, float]:
    """Return the p-value of the model against treating all."""
    table = pc.net_benefit(*data, positive=True, threshold=RARE_AT).table
    return {"p-value": float(table["p_value"].iloc[0])}


def rare_held(data: Any) -> Mapping[str, float]:
    """Tell whether the interval of the model against treating all holds 0."""
    first = pc.net_benefit(*data, positive=True, threshold=RARE_AT).table.iloc[0]
    return {"interval": float(first["conf_low"] <= 0 <= first["conf_high"])}


def lopsided(sizes: Sequence[int], spreads: Sequence[float]) -> Draw:
    """Draw independent samples of their own sizes and standard deviations."""
    own = np.repeat(np.arange(len(sizes)), sizes)

    def draw(rng: Generator) -> pc.Scores:
        x = np.full((len(own), len(sizes), 1), np.nan)
        x[np.arange(len(own)), own, 0] = rng.normal(size=len(own)) * np.take(
            spreads, own
        )
        return scores_of(x, missing="model")

    return draw


def welch_p(scores: pc.Scores) -> Mapping[str, float]:
    """Return the p-value of Welch's analysis of variance."""
    return {"p-value": pc.welch_anova(scores).p_value}


GRADES = (5.0, 2.0)
"""The grade that nine of ten answers have, and that of the others."""


def grades(n: int, labelled: int) -> Draw:
    """Draw grades of two algorithms, and a judge's scores that follow them little."""

    def draw(rng: Generator) -> pc.Scores:
        kept = np.arange(n) < labelled
        x = np.where(rng.random((n, 2)) < 0.9, *GRADES)
        while np.ptp(x[kept, 0] - x[kept, 1]) == 0:  # pc.labels rejects it
            x = np.where(rng.random((n, 2)) < 0.9, *GRADES)
        return scores_of(
            np.where(kept[:, None], x, np.nan)[:, :, None],
            judge=x + rng.normal(size=x.shape) * 3,
        )

    return draw


def grade_held(scores: pc.Scores) -> Mapping[str, float]:
    """Tell whether the interval of one mean label holds it."""
    means = pc.labels(scores, chosen="random").means
    first = means[means["population"] == "items like these"].iloc[0]
    truth = 0.9 * GRADES[0] + 0.1 * GRADES[1]
    return {"interval": float(first["conf_low"] <= truth <= first["conf_high"])}


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


def unequal_studies(k: int) -> Draw:
    """Draw estimates of k studies whose errors differ by a factor of up to 10."""

    def draw(rng: Generator) -> tuple[np.ndarray, np.ndarray, float]:
        error = 0.1 * 10 ** rng.uniform(size=k)
        return rng.normal(0, np.hypot(error, 0.3)), error, rng.normal(0, 0.3)

    return draw


def _network(data: Overlapping) -> Any:
    rest = {name: data.rows[name] for name in NETWORK[1:]}
    return pc.network_synthesis(data.rows["estimate"], **rest)


def network_p(data: Overlapping) -> Mapping[str, float]:
    """Return the p-value of the first pair, and the smallest adjusted one."""
    table = _network(data).table
    return {
        "first pair": float(table["p_value"].iloc[0]),
        ADJUSTED: float(table["p_adjusted"].min()),
    }


def network_held(data: Overlapping) -> Mapping[str, float]:
    """Tell whether intervals of the first pair hold 0, and the truth of a new study."""
    first = _network(data).table.iloc[0]
    low, high = first["predicted_low"], first["predicted_high"]
    return {
        "first pair": float(first["conf_low"] <= 0 <= first["conf_high"]),
        "new study": float(low <= data.truth <= high),
    }


def unequal(n: int, a: int) -> Draw:
    """Draw independent samples with standard deviations 1, 2, ..."""
    return lambda rng: scores_of(
        rng.normal(size=(n, a, 1)) * np.arange(1, a + 1)[:, None]
    )


MISCALIBRATED = {
    "calibrated": (1.0, 0.0),
    "slightly": (1.25, 0.1),
    "strongly": (0.5, -0.5),
}
"""Slope and intercept of the true logit, given the logit of the score."""
LAWS = {"U-shaped": (0.5, 0.5), "rare": (1.0, 9.0)}
"""Beta distributions of the scores."""
MANY = 2_000_000
"""Scores of the sum that gives the true error."""


def probabilities(law: str, kind: str, n: int) -> Draw:
    """Draw outcomes and scores of a classifier that is calibrated or not."""
    slope, shift = MISCALIBRATED[kind]

    def draw(rng: Generator) -> tuple[np.ndarray, np.ndarray]:
        score = rng.beta(*LAWS[law], size=n)
        true = special.expit(slope * special.logit(score) + shift)
        return rng.random(n) < true, score

    return draw


@cache
def true_error(law: str, kind: str, bins: Any) -> float:
    """Return the error within ten bins of the law of the scores."""
    slope, shift = MISCALIBRATED[kind]
    score = stats.beta.ppf((np.arange(MANY) + 0.5) / MANY, *LAWS[law])
    true = special.expit(slope * special.logit(score) + shift)
    place, _ = bin_of(score, bins, 10)
    n = np.bincount(place)
    gap = np.bincount(place, true - score) / n
    return 0.0 if kind == "calibrated" else float(np.sqrt(n @ gap**2 / MANY))


def error_held(law: str, kind: str, bins: Any) -> Ask:
    """Return whether the interval holds the error, and whether it holds 0."""

    def ask(data: Any) -> Mapping[str, float]:
        label, score = data
        row = pc.calibration_error(
            label, score, positive=True, bins=bins, n_bins=10
        ).table.iloc[0]
        held = row["conf_low"] <= true_error(law, kind, bins) <= row["conf_high"]
        return {"interval": float(held)}

    return ask


def calibrated_p(data: Any) -> Mapping[str, float]:
    """Return the p-value of a calibrated classifier."""
    found = pc.calibration_error(
        *data, positive=True, bins="equal-mass", n_bins=10
    ).table
    return {"p-value": float(found["p_value"].iloc[0])}


CALIBRATION_ROWS = {
    f"calibration_error, {kind}, {law}, n = {n}": Row(
        probabilities(law, kind, n),
        error_held(law, kind, bins),
        f"10 bins, {bins}",
        "approximate",
    )
    for law, bins, sizes in (
        ("U-shaped", "equal-mass", (200, 1000, 10_000)),
        ("rare", "equal-width", (200, 1000)),
    )
    for kind in MISCALIBRATED
    for n in sizes
}
"""Intervals of the calibration error."""


def alone(n: int, r: int = 5) -> Draw:
    """Draw ratings of r readers and of a system with the mean AUC of all readers.

    Readers differ in their separation of the classes (standard deviation 0.3); cases
    are common to all.
    """
    truth = np.arange(2 * n) < n
    spread, own, shared = 0.3, 0.6, 0.4
    # AUC of a reader: Phi(d / sqrt(2)); its mean over readers has this denominator.
    separation = 1.5 * np.sqrt(2 / (2 + spread**2))

    def draw(rng: Generator) -> pc.Ratings:
        d = np.concatenate([[separation], 1.5 + spread * rng.normal(size=r)])
        x = np.sqrt(shared) * rng.normal(size=2 * n) + np.sqrt(own) * rng.normal(
            size=(r + 1, 2 * n)
        )
        return pc.Ratings(
            values=(x + d[:, None] * truth)[None],
            truth=truth,
            modalities=("M",),
            readers=("system", *(f"R{j + 1}" for j in range(r))),
            cases=tuple(map(str, range(2 * n))),
        )

    return draw


def alone_p(data: Any) -> Mapping[str, float]:
    """Return the p-value for new readers and new cases."""
    found = pc.standalone(data, reader="system").table
    return {"p-value": float(found["p_value"].iloc[0])}


def alone_held(data: Any) -> Mapping[str, float]:
    """Return whether the interval holds 0."""
    row = pc.standalone(data, reader="system").table.iloc[0]
    return {"interval": float(row["conf_low"] <= 0 <= row["conf_high"])}


ALONE_TESTS = {
    "standalone": Row(alone(50), alone_p, "5 readers of 50 + 50 cases", "approximate"),
    "standalone, 3 readers": Row(
        alone(50, 3), alone_p, "3 readers of 50 + 50 cases", "approximate"
    ),
    "standalone, 10 readers": Row(
        alone(100, 10), alone_p, "10 readers of 100 + 100 cases", "approximate"
    ),
}
"""Tests of a standalone reader, at their sizes."""
ALONE_INTERVALS = {
    "standalone": Row(
        alone(50), alone_held, "5 readers of 50 + 50 cases", "approximate"
    )
}


def marked(n: int, r: int = 5) -> Draw:
    """Draw marks of r readers with two modalities that are equally good.

    Half of 2n cases have one or two lesions; a site is left unmarked in a fifth.
    """
    lesions = np.r_[np.zeros(n, int), np.arange(n) % 2 + 1]
    case = np.repeat(np.arange(2 * n), np.maximum(lesions, 1))
    lesion = lesions[case] > 0

    def draw(rng: Generator) -> pc.Ratings:
        k = len(case)
        x = rng.normal(size=2 * n)[case] + 0.4 * rng.normal(size=(1, r, k))
        x = (
            x
            + rng.normal(size=(2, r, k))
            + lesion * (1.2 + 0.2 * rng.normal(size=(2, r, 1)))
        )
        return pc.Ratings(
            values=np.where(rng.random((2, r, k)) < 0.2, -9.0, x),
            truth=lesion,
            modalities=("A", "B"),
            readers=tuple(f"R{j + 1}" for j in range(r)),
            cases=tuple(map(str, range(k))),
            cluster=case,
            clusters=tuple(f"c{i}" for i in range(2 * n)),
            marks=True,
        )

    return draw


def marks_p(data: Any) -> Mapping[str, float]:
    """Return the p-value of the two modalities."""
    return {"p-value": pc.mrmc(data, figure="wafroc").p_value}


def marks_held(data: Any) -> Mapping[str, float]:
    """Return whether the interval holds 0."""
    row = pc.mrmc(data, figure="wafroc").table.iloc[0]
    return {"interval": float(row["conf_low"] <= 0 <= row["conf_high"])}


MARKS_SIZE = "5 readers of 40 + 40 cases, 60 lesions"
