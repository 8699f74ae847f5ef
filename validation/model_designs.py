"""Random designs whose terms no single error stratum tests, and poles of their tests.

``python -m validation.model_designs [--designs N]`` fits N designs of each kind and
compares them with R: ``lmerTest`` with Kenward and Roger's degrees of freedom, and the
F of the error stratum where one mean square is the error. A fit of R whose likelihood
is smaller than ours ended its search too early, and where the equations have no
distribution ``pbkrtest`` has a negative F: both are counted apart.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.testing import lre
from pycompare.methods.models.linear_model import LinearModel
from validation import r
from validation.cells import cells_of

DIGITS = 3.0
"""Wanted of F and its degrees of freedom: R differentiates at the end of a search."""
COMPARED = ("df1", "df2", "statistic")
TOLD = 1e-4
"""A likelihood of R that is smaller than ours by more than this is no maximum."""


@dataclass(frozen=True)
class Design:
    """One random table, and the model that is fitted to it."""

    frame: pd.DataFrame
    formula: str
    within: str


def split_design(seed: int) -> Design:
    """Return units in groups that run algorithms in sequences of their group.

    Means of algorithms over units are the same in all units of a group: what algorithms
    differ between units is aliased with the groups. In a third of the designs units
    have folds, in another third rows also have periods (switchbacks).
    """
    rng = np.random.default_rng([seed, 37, 1])
    folds, periods = seed % 3 == 2, seed % 3 == 1
    algorithms = int(rng.integers(2, 4))
    length = algorithms + int(rng.integers(1, 3))
    rows = []
    for g in range(int(rng.integers(2, 5))):
        extra = rng.integers(0, algorithms, int(rng.integers(0, 3)))
        if periods:
            extra = rng.integers(0, algorithms, length - algorithms)
        sequence = rng.permutation([*range(algorithms), *extra])
        for u in range(int(rng.integers(2, 5))):
            unit = rng.normal() + g
            for fold in range(2 if folds else 1):
                cell = 0.5 * rng.normal() * folds
                rows += [
                    {
                        "group": f"g{g}",
                        "unit": f"g{g}u{u}",
                        "fold": f"f{fold}",
                        "period": f"p{period}",
                        "alg": f"a{a}",
                        "y": unit + cell + a / 2 + 0.7 * rng.normal(),
                    }
                    for period, a in enumerate(sequence)
                ]
    terms = ["group", "alg"] if seed % 2 else ["alg", "group"]
    terms += ["period"] if periods else []
    within = "unit/fold" if folds else "unit"
    return Design(pd.DataFrame(rows), f"y ~ {' + '.join(terms)}", within)


def pole_design(seed: int, equal: bool = True) -> Design:
    """Return groups of units with 1 to 6 degrees of freedom of error and q 1 to 5.

    Parameters
    ----------
    equal : bool
        Whether all units have as many rows, so that one mean square is the error.
    """
    rng = np.random.default_rng([seed, 37, 2])
    q, error = 1 + seed % 5, 1 + seed // 5 % 6
    group = np.concatenate(
        [np.arange(q + 1), rng.integers(0, q + 1, error)]  # a unit of each at least
    )
    sizes = np.full(len(group), int(rng.integers(2, 5)))
    if not equal:
        sizes = rng.integers(1, 5, len(group))
        sizes[rng.integers(len(group))] = 4
    unit = np.repeat(np.arange(len(group)), sizes)
    y = rng.normal(size=len(group))[unit] * 2 + rng.normal(size=len(unit))
    frame = pd.DataFrame(
        {
            "unit": [f"u{i}" for i in unit],
            "group": [f"g{i}" for i in group[unit]],
            "y": y,
        }
    )
    return Design(frame, "y ~ group", "unit")


def terms_of(model: LinearModel) -> pd.DataFrame:
    """Return the rows of a table that are terms, by name."""
    table = model.anova
    return table[table["term"] != "residuals"].set_index("term").sort_index()


def fitted(design: Design, **options: Any) -> LinearModel:
    """Fit the model of a design."""
    return pc.linear_model(
        design.frame, design.formula, within=design.within, **options
    )


def degrees_of_lm(design: Design) -> pd.Series:
    """Return the degrees of freedom of the terms in the model without units."""
    return terms_of(pc.linear_model(design.frame, design.formula))["df1"]


def against_r(model: LinearModel, worker: r.Worker) -> str:
    """Return what became of one model in R."""
    calls = [model.r_call()]
    if model.fit.mixed is not None:
        calls.append(model.variances.r_call())
    try:
        found, *variances = r.run(calls, worker=worker)
    except ReferenceUnavailable as error:
        return f"R stopped: {str(error)[-80:]}"
    for theirs in variances:
        if theirs["log_likelihood"] < model.variances.log_likelihood[0] - TOLD:
            return "R has the smaller likelihood"
    theirs = {name: np.atleast_1d(found[name]) for name in COMPARED}
    if (theirs["statistic"] < 0).any() or (theirs["df2"] <= 0).any():
        return "R has a negative F"
    ours = model.r_values()
    digits = min(lre(ours[name], theirs[name]).min() for name in COMPARED)
    return "agrees" if digits >= DIGITS else f"differs: {digits:.1f} digits"


def split_outcome(seed: int, worker: r.Worker) -> str:
    """Return what became of a design with a term split over strata."""
    design = split_design(seed)
    model = fitted(design)
    df = degrees_of_lm(design)
    if not terms_of(model)["df1"].reindex(df.index).equals(df):
        return "lost degrees of freedom"
    how = "balanced" if model.fit.mixed is None else "REML"
    return f"{against_r(model, worker)}, {how}"


def pole_outcome(seed: int, worker: r.Worker) -> str:
    """Return what became of a design whose units have as many rows."""
    design = pole_design(seed)
    model = fitted(design, method="reml")
    if model.variances.table["variance"][0] == 0:
        return f"{against_r(model, worker)}, a component is 0"
    strata = terms_of(fitted(design, method="strata"))
    names = ["statistic", "df2", "p_value"]
    own, wanted = (table[names].to_numpy(float) for table in (terms_of(model), strata))
    digits = lre(own, wanted).min()
    return "F of the stratum" if digits >= 7 else f"differs: {digits:.1f} digits"


def unequal_outcome(seed: int, worker: r.Worker) -> str:
    """Return what became of a design whose units differ in size."""
    return against_r(fitted(pole_design(seed, equal=False), method="reml"), worker)


KINDS: dict[str, Callable[[int, r.Worker], str]] = {
    "terms split over strata": split_outcome,
    "poles of Kenward and Roger's F": pole_outcome,
    "near these poles": unequal_outcome,
}


def run(designs: int) -> dict[str, Counter[str]]:
    """Return how many designs of each kind ended how."""
    parts = [range(at, min(at + 25, designs)) for at in range(0, designs, 25)]
    jobs = [(name, seeds) for name in KINDS for seeds in parts]
    found: dict[str, Counter[str]] = {name: Counter() for name in KINDS}
    outcomes = cells_of(outcomes_of, jobs, "designs of models")
    for (name, _), counts in zip(jobs, outcomes, strict=True):
        found[name] += counts
    return found


def outcomes_of(job: tuple[str, range]) -> Counter[str]:
    """Return how some designs of a kind ended, with an R process of their own."""
    name, seeds = job
    with r.Worker() as worker:
        return Counter(KINDS[name](seed, worker) for seed in seeds)


def main() -> None:
    """Run the study and print what it found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--designs", type=int, default=300)
    for name, outcomes in run(parser.parse_args().designs).items():
        print(f"{name}: {dict(outcomes)}", flush=True)


if __name__ == "__main__":
    main()
