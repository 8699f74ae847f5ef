"""Pictures: each takes a result (or scores) and an optional ``ax``, returns the axes.

``width`` is that of a new figure in inches: lines and labels are laid out for it, and
letters keep their size. ``footnote=False`` leaves the text below to your document.
``plotting.save(ax, "picture.pdf")`` writes SVG, PDF, PNG or PGF.
Matplotlib is loaded when the first picture is drawn, and pyplot never.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pycompare.plotting.agreement_example import agreement_example
    from pycompare.plotting.auc_differences import auc_differences
    from pycompare.plotting.auc_intervals import auc_intervals
    from pycompare.plotting.blob_plot import blob_plot
    from pycompare.plotting.bump_chart import bump_chart
    from pycompare.plotting.canonical_variates import canonical_variates
    from pycompare.plotting.comparison_matrix import comparison_matrix
    from pycompare.plotting.cost_curves import cost_curves
    from pycompare.plotting.critical_difference import critical_difference
    from pycompare.plotting.curve_differences import curve_differences
    from pycompare.plotting.decision_curves import decision_curves
    from pycompare.plotting.difference_ellipse import difference_ellipse
    from pycompare.plotting.distributions import distributions
    from pycompare.plotting.dominance import dominance
    from pycompare.plotting.effects import effects
    from pycompare.plotting.ellipses import ellipses
    from pycompare.plotting.heat_map import heat_map
    from pycompare.plotting.hypothesis_ellipse import hypothesis_ellipse
    from pycompare.plotting.interaction import interaction
    from pycompare.plotting.item_map import item_map
    from pycompare.plotting.mean_differences import mean_differences
    from pycompare.plotting.mean_ranks import mean_ranks
    from pycompare.plotting.normal_quantiles import normal_quantiles
    from pycompare.plotting.p_matrix import p_matrix
    from pycompare.plotting.pair_graph import pair_graph
    from pycompare.plotting.paired_histograms import paired_histograms
    from pycompare.plotting.performance_profiles import performance_profiles
    from pycompare.plotting.podium import podium
    from pycompare.plotting.posterior_bars import posterior_bars
    from pycompare.plotting.posterior_triangle import posterior_triangle
    from pycompare.plotting.power_curve import power_curve
    from pycompare.plotting.pr_curves import pr_curves
    from pycompare.plotting.rank_intervals import rank_intervals
    from pycompare.plotting.reader_curves import reader_curves
    from pycompare.plotting.residuals import residuals
    from pycompare.plotting.roc_curves import roc_curves
    from pycompare.plotting.run_intervals import run_intervals
    from pycompare.plotting.run_profiles import run_profiles
    from pycompare.plotting.save import save
    from pycompare.plotting.scopes_of_conclusions import scopes_of_conclusions
    from pycompare.plotting.simulated import simulated
    from pycompare.plotting.threshold_grid import threshold_grid
    from pycompare.plotting.threshold_pairs import threshold_pairs
    from pycompare.plotting.variance_components import variance_components
    from pycompare.plotting.win_probabilities import win_probabilities

__all__ = [
    "agreement_example",
    "auc_differences",
    "auc_intervals",
    "blob_plot",
    "bump_chart",
    "canonical_variates",
    "comparison_matrix",
    "cost_curves",
    "critical_difference",
    "curve_differences",
    "decision_curves",
    "difference_ellipse",
    "distributions",
    "dominance",
    "effects",
    "ellipses",
    "heat_map",
    "hypothesis_ellipse",
    "interaction",
    "item_map",
    "mean_differences",
    "mean_ranks",
    "normal_quantiles",
    "p_matrix",
    "pair_graph",
    "paired_histograms",
    "performance_profiles",
    "podium",
    "posterior_bars",
    "posterior_triangle",
    "power_curve",
    "pr_curves",
    "rank_intervals",
    "reader_curves",
    "residuals",
    "roc_curves",
    "run_intervals",
    "run_profiles",
    "save",
    "scopes_of_conclusions",
    "simulated",
    "threshold_grid",
    "threshold_pairs",
    "variance_components",
    "win_probabilities",
]


class Pictures(ModuleType):
    """A package in which a picture's name always means the function, not its file."""

    def __setattr__(self, name: str, value: object) -> None:
        # Importing the file p_matrix.py would put the module in the function's place.
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = Pictures


def __getattr__(name: str) -> Any:
    """Load a picture's function, or ``style``, when it is first used."""
    if name == "style":
        return import_module(f"{__name__}.style")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{name}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the pictures."""
    return sorted([*__all__, "style"])
