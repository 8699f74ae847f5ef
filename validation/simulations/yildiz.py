"""The page of Yildiz, Aslan and Alpaydin's study."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from pycompare import plotting
from pycompare.plotting import panel
from pycompare.sizes.simulation import yildiz
from pycompare.sizes.simulation.result import SimulationResult

from ..markdown import spaced_table
from . import parts
from .parts import cells, head, share


def yildiz_page(found: SimulationResult) -> list[str]:
    """Return the page of the tests on error and on pairs of rates."""
    exact = yildiz.rates_at(np.linspace(2, 3, 11))
    exact_rows = [
        [f"{value:.3f}" for value in row] for row in exact.itertuples(index=False)
    ]
    return [
        *head("Yildiz et al. (2011): tests on error and on pairs of rates", found),
        "",
        "**Tests on pairs of rates find differences that the error hides.** Two "
        "classifiers with equal errors and other thresholds differ significantly in "
        "(tpr, fpr) and in (precision, recall), not in error. More true negatives "
        "change (tpr, fpr) but not (precision, recall). Another class ratio changes "
        "(precision, recall) but not (tpr, fpr). Both are as in the paper's Figure 4.",
        "",
        "UniErr is the paired t test of errors over ten folds; MultiTF and MultiPR are "
        "Hotelling's paired T2 tests of (tpr, fpr) and (precision, recall). Each fold "
        "has a test set of its own, 50 cases a class. Shares of rejection at 0.05; the "
        "paper's Figure 4 plots their complements, of 100 runs, without saying the "
        "rates of its classifiers. Here both have tpr 0.8 and fpr 0.2, drawn "
        "independently.",
        "",
        "## Figure 1: the threshold",
        "",
        found.notes[0],
        "",
        parts.picture("YILDIZ-4", threshold_picture),
        *spaced_table([list(exact.columns), *exact_rows]),
        "Two classifiers cut the same scores, at 2.5 - gap/2 and 2.5 + gap/2:",
        *yildiz_part(found, yildiz.GAP, 1),
        "## Figure 4a: more true negatives",
        *yildiz_part(found, yildiz.ADDED, 2),
        "## Figure 4b: another class ratio",
        *yildiz_part(found, yildiz.RATIO, 3),
    ]


def threshold_picture() -> Any:
    """Draw Figure 1: the densities of both classes, and the rates of a threshold."""
    at = np.linspace(1, 4, 151)
    means, sd = yildiz.MEANS, yildiz.SD
    lines = {
        f"{name} class": stats.norm.pdf(at, mean, sd) / stats.norm.pdf(0, 0, sd)
        for name, mean in zip(("Negative", "Positive"), means, strict=True)
    }
    rates = yildiz.rates_at(at)
    lines |= {name: rates[name] for name in ("error", "tpr", "fpr", "precision")}
    styles = ["--", "--", "-", "-", "-", "-"]
    marks = panel.marks(list(lines))
    caption = (
        "Dashed: densities of the scores, the largest value set to 1. Lines: exact "
        "rates when scores at or above the threshold are classified as positive."
    )
    with plotting.style.context():
        axes = panel.open_panel(None, "Threshold", "Rate", [caption], marks)
        for values, mark, line in zip(lines.values(), marks, styles, strict=True):
            axes.plot(
                at, values, line, color=mark.color, marker=mark.marker, markevery=15,
                markersize=4.0, linewidth=1.0,
            )  # fmt: skip
    return axes


AXES = {yildiz.GAP: "gap", yildiz.ADDED: "lambda", yildiz.RATIO: "alpha"}


def yildiz_part(found: SimulationResult, kind: str, number: int) -> list[str]:
    """Return the table and the picture of one kind of conditions."""
    rows = cells(found)
    chosen = found.table[found.table["kind"] == kind]
    conditions = list(dict.fromkeys(chosen["condition"]))
    draw = partial(
        plotting.simulated,
        found,
        x="value",
        where={"kind": kind},
        x_label=AXES[kind],
        label="Share of trials that reject",
    )
    return [
        *spaced_table(
            [
                [AXES[kind], *yildiz.TESTS],
                *(
                    [
                        f"{rows[c, 'UniErr']['value']:g}",
                        *(share(rows[c, test]) for test in yildiz.TESTS),
                    ]
                    for c in conditions
                ),
            ]
        ),
        parts.picture(f"YILDIZ-{number}", draw),
        "",
    ]
