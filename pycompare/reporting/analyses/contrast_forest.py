"""The first figure of a linear model: differences of marginal means."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from pycompare.methods.models.emmeans import Contrasts
from pycompare.plotting.forest import forest as drawn
from pycompare.reporting import document as doc
from pycompare.reporting.content.build import Field, table
from pycompare.reporting.content.rivals import decimals_of

_MOST = 15
"""Comparisons of the figure; of more, those with the smallest p-values."""


def contrast_forest(
    contrasts: Contrasts, alpha: float, prefix: str
) -> doc.Forest | None:
    """Return comparisons with their intervals, within levels if they are so made."""
    compared = contrasts.as_columns()
    estimable = compared.where(~np.isnan(compared["estimate"]))
    every = len(estimable)
    if not every:
        return None
    if every > _MOST:
        estimable = estimable.sorted_by("p_adjusted").head(_MOST)
    rows = list(estimable.records())
    limits = [(float(row["conf_low"]), float(row["conf_high"])) for row in rows]
    places = decimals_of([float(row["estimate"]) for row in rows], limits)
    by = [name for name in contrasts.means.factors if name in estimable]
    title = f"first minus second, difference in mean {contrasts.means.response}"
    shown = [bool(row["p_adjusted"] <= alpha) for row in rows]

    def name(row: Any) -> str:
        at = ", ".join(str(row[factor]) for factor in by)
        return f"{at}: {row['contrast']}" if at else str(row["contrast"])

    def numbers(row: Any) -> str:
        ends = float(row["conf_low"]), float(row["conf_high"])
        text = doc.aligned(float(row["estimate"]), places, 3)
        return f"{text} {doc.interval_text(ends, places)}"

    alone = len(compared) == 1
    caption = " ".join(
        [
            f"The {_MOST} comparisons with the smallest p-values of {every}."
            * (every > _MOST),
            f"Intervals: {contrasts.interval}"
            + f"; each leaves out 0 exactly when adj. p ≤ {alpha:g}."
            if contrasts.alpha is not None and not alone
            else f"Intervals: {contrasts.interval}.",
            f"Filled mark and bold: adjusted p ≤ {alpha:g}.",
        ]
    ).strip()
    lines = [
        (name(row), float(row["estimate"]), ends if _known(ends) else None, significant)
        for row, ends, significant in zip(rows, limits, shown, strict=True)
    ]
    return doc.Forest(
        doc.Figure(
            f"{prefix}differences",
            partial(drawn, lines, title),
            f"Differences: {title}. {caption}",
            "; ".join(f"{name(row)}: {numbers(row)}" for row in rows),
        ),
        table(
            caption,
            rows,
            Field("Comparison", "label", name),
            Field("difference [interval]", "digits", numbers),
            Field(
                "p" if alone else "adj. p", "p", lambda row: row["p_adjusted"], alpha
            ),
            file="within" if by else None,
        ),
        tuple(doc.ForestRow(x, ends, yes) for _, x, ends, yes in lines),
        title,
        ("second larger", "first larger"),
    )


def _known(limits: tuple[float, float]) -> bool:
    return not any(map(math.isnan, limits))
