"""Weights of contrasts of marginal means: pairs, a control, effects, trends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_word
from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.typing import Floats


def parts_of(labels: pd.DataFrame, groups: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the combinations of levels of the grouping factors."""
    if not groups:
        return [()]
    return list(dict.fromkeys(labels[list(groups)].itertuples(index=False, name=None)))


def weights_of(
    labels: pd.DataFrame,
    method: str | Mapping[str, Sequence[float]],
    control: Sequence[str] | str | None,
) -> list[tuple[str, Floats]]:
    """Return name and weights of each contrast of some means."""
    names = [" ".join(row) for row in labels.itertuples(index=False, name=None)]
    m = len(names)
    if isinstance(method, Mapping):
        return [(str(name), _given_weights(name, w, m)) for name, w in method.items()]
    if (control is not None) != (method == "control"):
        raise InputError("method='control' and control=... go together")
    unit = np.eye(m)
    if method == "pairwise":
        pairs = combinations(range(m), 2)
        return [(f"{names[i]} - {names[j]}", unit[i] - unit[j]) for i, j in pairs]
    if method == "control":
        assert control is not None
        wanted = " ".join((control,) if isinstance(control, str) else control)
        check_word("control", wanted, names)
        k = names.index(wanted)
        return [
            (f"{names[i]} - {wanted}", unit[i] - unit[k]) for i in range(m) if i != k
        ]
    if method == "effects":
        return [(f"{names[i]} effect", unit[i] - 1 / m) for i in range(m)]
    if method == "polynomial":
        return _trends(m)
    if method == "interaction":
        return _interactions(labels)
    raise InputError(
        f"method={method!r}: choose pairwise, control, effects, polynomial or "
        f"interaction, or give the weights of each contrast"
    )


def _given_weights(name: object, weights: Sequence[float], m: int) -> Floats:
    """Check the weights of a user's contrast."""
    try:
        numbers = np.asarray(weights, float)
    except (TypeError, ValueError):
        raise InputError(f"contrast {show(name)}: give one number per mean") from None
    if numbers.shape != (m,) or not np.isfinite(numbers).all() or not numbers.any():
        raise InputError(
            f"contrast {show(name)} has weights of shape {numbers.shape}: give {m} "
            f"finite numbers, one per mean, not all 0"
        )
    return numbers


def _trends(m: int) -> list[tuple[str, Floats]]:
    """Return orthogonal polynomials over equally spaced levels, of length 1."""
    x = np.vander(np.arange(m) - (m - 1) / 2, min(m, 5), increasing=True)
    q, r = np.linalg.qr(x)
    q = q * np.sign(np.diag(r))
    words = ("linear", "quadratic", "cubic", "quartic")
    return [(word, q[:, 1 + i]) for i, word in enumerate(words[: m - 1])]


def _interactions(labels: pd.DataFrame) -> list[tuple[str, Floats]]:
    """Return differences of differences: a pair of levels of each factor."""
    if labels.shape[1] < 2:
        raise InputError("method='interaction' needs two factors or more")
    levels = [list(dict.fromkeys(labels[name])) for name in labels]
    contrasts = []
    for pairs in product(*(combinations(factor_levels, 2) for factor_levels in levels)):
        weights = np.ones(len(labels))
        for name, (first, second) in zip(labels, pairs, strict=True):
            column = labels[name].to_numpy()
            weights *= (column == first).astype(float) - (column == second)
        # A factor within another lacks combinations.
        if np.count_nonzero(weights) == 2 ** len(pairs):
            contrasts.append((" : ".join(f"{a} - {b}" for a, b in pairs), weights))
    if not contrasts:
        raise InputError(
            "method='interaction': no two levels of one factor come with the same two "
            "levels of another; use method='pairwise'"
        )
    return contrasts
