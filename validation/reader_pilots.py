"""Power from drawn pilot studies of readers, against Hillis' formula by itself.

Ordinal ratings whose positive class spreads twice as much: the error variance of their
areas is not that of normal ratings with the same covariances.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import stats

import pycompare as pc
from pycompare import sizes
from pycompare.base.testing import lre

_CUTS = (-0.3, 0.5, 1.3, 2.1)
"""Between the categories of a scale of five points."""
_FAR = 0.1
"""A pilot is kept if its error variance is so much from the fitted model's."""


def drawn(seed: int, readers: int = 5, positive: int = 45, negative: int = 69) -> Any:
    """Draw ratings on a scale of five points by two modalities."""
    rng = np.random.default_rng([seed, 7])
    separation = rng.uniform(1.2, 2.6)
    model = pc.RoeMetz(
        separation=(separation, separation + rng.uniform(0.1, 0.6)),
        reader=0.02,
        modality_reader=rng.uniform(0, 0.02),
        case=0.3,
        modality_case=0.2,
        reader_case=0.2,
        error=0.3,
        spread=2.0,
    )
    truth, x = model.sample(
        rng, n_readers=readers, n_positive=positive, n_negative=negative
    )
    return pc.Ratings(
        values=np.searchsorted(_CUTS, x[0]).astype(float),
        truth=truth,
        modalities=("old", "new"),
        readers=tuple(f"r{j}" for j in range(readers)),
        cases=tuple(f"c{k}" for k in range(positive + negative)),
        positive="1",
        negative="0",
    )


def components(ratings: Any) -> tuple[np.ndarray, dict[str, float]]:
    """Return areas and components, by leaving out one case after the other."""

    def areas(x: np.ndarray, truth: np.ndarray) -> np.ndarray:
        d = x[..., truth][..., :, None] - x[..., ~truth][..., None, :]
        return np.asarray(((d > 0) + 0.5 * (d == 0)).mean(axis=(-2, -1)))

    t, r, n = ratings.shape
    x, truth = ratings.values, ratings.truth
    area = areas(x, truth)
    less = [areas(np.delete(x, k, 2), np.delete(truth, k)).ravel() for k in range(n)]
    s = ((n - 1) ** 2 / n * np.cov(np.transpose(less))).reshape(t, r, t, r)

    def mean(same_modality: bool, same_reader: bool) -> float:
        return float(
            np.mean(
                [
                    s[i, j, k, m]
                    for i, j, k, m in np.ndindex(s.shape)
                    if (i == k) == same_modality and (j == m) == same_reader
                ]
            )
        )

    rest = area - area.mean(0) - area.mean(1, keepdims=True) + area.mean()
    square = float((rest**2).sum() / ((t - 1) * (r - 1)))
    parts = {
        "ERROR": mean(True, True),
        "COV1": mean(False, True),
        "COV2": mean(True, False),
        "COV3": mean(False, False),
    }
    shared = max(parts["COV2"] - parts["COV3"], 0.0)
    parts["VAR_TR"] = square - parts["ERROR"] + parts["COV1"] + shared
    return area.mean(axis=1), parts


def hillis(
    area: np.ndarray, parts: dict[str, float], pilot: int, readers: int, cases: int
) -> float:
    """Return the power of Hillis, Obuchowski and Berbaum (2011), alpha = 0.05."""
    t, ratio = len(area), pilot / cases
    shared = ratio * max(parts["COV2"] - parts["COV3"], 0.0)
    own = max(parts["VAR_TR"], 0.0) + ratio * (parts["ERROR"] - parts["COV1"]) - shared
    error = own + readers * shared
    df = error**2 / (own**2 / ((t - 1) * (readers - 1)))
    shift = readers * float(((area - area.mean()) ** 2).sum()) / error
    return float(stats.ncf.sf(stats.f.isf(0.05, t - 1, df), t - 1, df, shift))


def model_ratio(ratings: Any, error: float) -> float:
    """Return the error variance of the fitted model of ratings by the pilot's.

    0 where no such model has the pilot's covariances.
    """
    try:
        fitted = pc.variance_components(ratings, method="roe-metz").table["estimate"]
    except pc.InputError:
        return 0.0
    design = sizes.MrmcCases.from_ratings(ratings)
    names = ("reader", "modality_reader", "case", "modality_case", "reader_case")
    variances = dict(zip((*names, "error"), fitted, strict=True))
    of = sizes.MrmcCases(areas=design.areas, n_readers=2, **variances).model
    n = int(ratings.truth.sum())
    return of.components(n, ratings.shape[2] - n)["error"] / error


def pilots(seed: int, n: int = 12, **counts: int) -> dict[str, Any]:
    """Compare the power that pilots give, at several sizes; keep those of the kind."""
    digits, kept = 15.0, 0
    for k in range(n):
        ratings = drawn(1000 * seed + k, **counts)
        area, parts = components(ratings)
        kept += abs(model_ratio(ratings, parts["ERROR"]) - 1) >= _FAR
        for readers, cases in ((4, 80), (10, 165), (6, 400)):
            design = sizes.MrmcCases.from_ratings(ratings, n_readers=readers)
            wanted = hillis(area, parts, ratings.shape[2], readers, cases)
            digits = min(digits, float(lre(design.formula(cases, 0.05), wanted)))
    return {"pilots": n, "kept": int(kept), "digits": digits}


def conclude_pilots(chunks: list[dict[str, Any]]) -> str:
    """Say how many pilots agreed to how many digits."""
    total, kept = (sum(c[key] for c in chunks) for key in ("pilots", "kept"))
    return (
        f"{total} pilots at 3 sizes, {kept} with an error variance that is not the "
        f"fitted model's: at least {min(c['digits'] for c in chunks):.1f} digits"
    )
