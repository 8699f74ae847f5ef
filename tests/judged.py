"""Tables of answers that people labelled in part, and a judge scored in full."""

from __future__ import annotations

from typing import Any

import numpy as np

import pycompare as pc

ROLES: dict[str, Any] = {"algorithm": "model", "block": "item", "judge": "judge"}


def answer(i: int, a: int) -> dict[str, Any]:
    """Return an answer of the example whose numbers are those of R's lm."""
    judge = int((7 * i + 3 * a) % 10 < 8 - a)
    label = 1 - judge if (i + 2 * a) % 6 == 0 else judge
    human = label if i <= 12 else None
    return {"model": "_ABC"[a], "item": f"q{i}", "judge": judge, "human": human}


def example() -> list[dict[str, Any]]:
    """Return 40 items of three models, 12 labelled."""
    return [answer(i, a) for i in range(1, 41) for a in (1, 2, 3)]


def scores_of(rows: Any, **options: Any) -> pc.Scores:
    """Return rows as scores."""
    given = {**ROLES, "metrics": {"human": "higher"}, **options}
    return pc.Scores.from_frame(rows, **given)


def drawn(
    items: int = 120,
    labelled: int = 40,
    models: int = 3,
    seed: int = 1,
    strata: int = 0,
) -> list[dict[str, Any]]:
    """Return answers that a judge scores right four times of five."""
    rng = np.random.default_rng(seed)
    skill = np.linspace(1.2, 0.2, models)
    level = rng.normal(size=(items, 1))
    y = (level + rng.normal(size=(items, models)) + skill > 0).astype(int)
    f = np.where(rng.random((items, models)) < 0.8, y, 1 - y)
    of = rng.integers(0, strata or 1, items)
    kept = np.zeros(items, bool)
    for k in range(strata or 1):
        own = np.flatnonzero(of == k)
        kept[rng.choice(own, labelled // (strata or 1), replace=False)] = True
    return [
        {
            "model": "ABCDE"[a],
            "item": f"q{i}",
            "judge": int(f[i, a]),
            "human": int(y[i, a]) if kept[i] else None,
            "verdict": f"s{of[i]}",
        }
        for i in range(items)
        for a in range(models)
    ]
