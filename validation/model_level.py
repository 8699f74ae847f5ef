"""Levels of the tests of linear models by formula, for every kind of stratum.

``python -m validation.model_level [--runs N]`` writes ``MODELS.md``. Scores are drawn
under the hypothesis that is tested; what counts is how often it is rejected at 0.05.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.typing import Floats
from validation.cells import cells_of

from .markdown import table

PAGE = Path(__file__).parent / "MODELS.md"
RUNS, ALPHA = 4000, 0.05
BATCH = 200
"""Responses of one call."""
SLOWER = 8
"""Studies whose runs are fitted one by one have so many times fewer; mixed: 4."""
SHOWN_FOR_CONTRAST = "rows assumed independent"

Rates = dict[str, tuple[float, int]]
"""Analysis -> share of rejections, runs."""


def generator(name: str, chunk: int = 0) -> np.random.Generator:
    """Return the random numbers of one part of a study."""
    return np.random.default_rng([zlib.crc32(name.encode()), chunk])


def factorial(**sizes: int) -> pd.DataFrame:
    """Return all combinations of levels, as labels."""
    cells = list(product(*map(range, sizes.values())))
    found = pd.DataFrame(cells, columns=list(sizes))
    return found.apply(lambda column: column.name[0] + column.astype(str))


def effects(frame: pd.DataFrame, names: list[str], rng: Any, runs: int) -> Floats:
    """Return normal effects of the cells of some columns, shape (rows, runs)."""
    cell = frame.groupby(names, sort=False).ngroup().to_numpy()
    return np.asarray(rng.normal(size=(cell.max() + 1, runs))[cell])


def rejected(
    frame: pd.DataFrame, y: Floats, terms: str, column: str = "p_value", **options: Any
) -> dict[str, int]:
    """Count rejections of each term over many responses."""
    names = [f"y{j}" for j in range(y.shape[1])]
    data = pd.concat([frame, pd.DataFrame(y, frame.index, names)], axis=1)
    left = names[0] if len(names) == 1 else f"cbind({', '.join(names)})"
    table = pc.linear_model(data, f"{left} ~ {terms}", **options).anova
    table = table[table["term"] != "residuals"]
    hits = (table[column] <= ALPHA).groupby(table["term"]).sum()
    return {str(name): int(n) for name, n in hits.items()}


def batches(name: str, runs: int) -> Iterator[tuple[np.random.Generator, int]]:
    """Yield random numbers and sizes of the parts of a study."""
    for chunk in range(math.ceil(runs / BATCH)):
        yield generator(name, chunk), min(BATCH, runs - chunk * BATCH)


Draw = Callable[[np.random.Generator, int], Floats]
Wanted = Mapping[str, tuple[str, str, dict[str, Any]]]
"""Analysis -> term, terms of the formula, options of the model."""


def counted(
    name: str, frame: pd.DataFrame, draw: Draw, wanted: Wanted, runs: int
) -> Rates:
    """Return the share of rejections of each analysis."""
    hits = dict.fromkeys(wanted, 0)
    for rng, size in batches(name, runs):
        y = draw(rng, size)
        known: dict[str, dict[str, int]] = {}
        for analysis, (term, terms, options) in wanted.items():
            key = f"{terms}{options}"
            if key not in known:
                known[key] = rejected(frame, y, terms, **options)
            hits[analysis] += known[key][term]
    return {analysis: (n / runs, runs) for analysis, n in hits.items()}


# ---- the studies


def between_and_within(name: str, runs: int) -> Rates:
    """Return the levels of kinds of data sets and learners on each data set."""
    frame = factorial(data=12, learner=4)
    frame["kind"] = np.where(frame["data"].isin([f"d{i}" for i in range(6)]), "a", "b")

    def draw(rng: np.random.Generator, size: int) -> Floats:
        return effects(frame, ["data"], rng, size) + rng.normal(size=(len(frame), size))

    units = {"within": "data"}
    terms = "kind * learner"
    return counted(name, frame, draw, {
        "kind, against data sets": ("kind", terms, units),
        "learner, against rows": ("learner", terms, units),
        "kind:learner, against rows": ("kind:learner", terms, units),
        f"kind, {SHOWN_FOR_CONTRAST}": ("kind", terms, {}),
    }, runs)  # fmt: skip


def split_plot(name: str, runs: int) -> Rates:
    """Return the levels of learners on data sets, preparations within each pair."""
    frame = factorial(data=8, learner=3, prep=4)

    def draw(rng: np.random.Generator, size: int) -> Floats:
        own = effects(frame, ["data"], rng, size)
        own = own + effects(frame, ["data", "learner"], rng, size)
        return own + rng.normal(size=(len(frame), size))

    units = {"within": "data/learner"}
    terms = "learner * prep"
    return counted(name, frame, draw, {
        "learner, against data:learner": ("learner", terms, units),
        "prep, against rows": ("prep", terms, units),
        "learner:prep, against rows": ("learner:prep", terms, units),
        f"learner, {SHOWN_FOR_CONTRAST}": ("learner", terms, {}),
    }, runs)  # fmt: skip


def unbalanced(name: str, runs: int) -> Rates:
    """Return the levels of mixed models: folds in data sets, rows missing."""
    frame = factorial(data=8, fold=4, learner=3)
    frame["kind"] = np.where(frame["data"].isin(["d0", "d1", "d2"]), "a", "b")
    gone = np.random.default_rng(1).choice(len(frame), len(frame) // 6, replace=False)
    frame = frame.drop(index=gone).reset_index(drop=True)

    def draw(rng: np.random.Generator, size: int) -> Floats:
        own = effects(frame, ["data"], rng, size)
        own = own + 0.7 * effects(frame, ["data", "fold"], rng, size)
        return own + rng.normal(size=(len(frame), size))

    terms = "kind + learner"
    kenward = {"within": "data/fold", "method": "reml"}
    fai = kenward | {"df": "satterthwaite"}
    return counted(name, frame, draw, {
        "kind, Kenward-Roger": ("kind", terms, kenward),
        "learner, Kenward-Roger": ("learner", terms, kenward),
        "kind, Satterthwaite": ("kind", terms, fai),
        "learner, Satterthwaite": ("learner", terms, fai),
        f"kind, {SHOWN_FOR_CONTRAST}": ("kind", terms, {}),
    }, runs // 4)  # fmt: skip


def covariates(name: str, runs: int) -> Rates:
    """Return the levels with a covariate of data sets, and with one of rows."""
    frame = factorial(data=12, learner=4)
    fixed = np.random.default_rng(2)
    frame["size"] = fixed.normal(size=12)[frame["data"].str[1:].astype(int)]
    frame["time"] = fixed.gamma(2.0, size=len(frame))

    def draw(rng: np.random.Generator, size: int) -> Floats:
        return effects(frame, ["data"], rng, size) + rng.normal(size=(len(frame), size))

    def alone(rng: np.random.Generator, size: int) -> Floats:
        time = frame["time"].to_numpy()[:, None]
        return time + rng.normal(size=(len(frame), size))

    units = {"within": "data"}
    found = counted(name, frame, draw, {
        "size of data sets, against data sets": ("size", "learner * size", units),
        "learner:size, against rows": ("learner:size", "learner * size", units),
        f"size of data sets, {SHOWN_FOR_CONTRAST}": ("size", "learner * size", {}),
    }, runs)  # fmt: skip
    mixed = counted(f"{name}, mixed", frame, draw, {
        "time of rows in data sets, mixed model": ("time", "learner + time", units),
    }, runs // 4)  # fmt: skip
    return found | mixed | counted(f"{name}, rows", frame, alone, {
        "learner with time of rows, no units": ("learner", "learner + time", {}),
        "learner:time, no units": ("learner:time", "learner * time", {}),
    }, runs)  # fmt: skip


def spherical(name: str, runs: int) -> Rates:
    """Return the levels where learners vary unequally over data sets."""
    frame = factorial(data=12, learner=5)
    spread = np.array([0.5, 0.5, 1, 2, 4])[frame["learner"].str[1:].astype(int)]

    def draw(rng: np.random.Generator, size: int) -> Floats:
        own = spread[:, None] * rng.normal(size=(len(frame), size))
        return effects(frame, ["data"], rng, size) + own

    hits = dict.fromkeys(("p_value", "p_gg", "p_hf"), 0)
    for rng, size in batches(name, runs):
        y = draw(rng, size)
        for column in hits:
            hits[column] += rejected(frame, y, "learner", column, within="data")[
                "learner"
            ]
    titles = ("no correction", "Greenhouse-Geisser", "Huynh-Feldt")
    return {
        title: (n / runs, runs) for title, n in zip(titles, hits.values(), strict=True)
    }


def multivariate(name: str, runs: int) -> Rates:
    """Return the levels of Pillai's and Wilks' tests in each stratum."""
    frame = factorial(data=12, learner=4)
    frame["kind"] = np.where(frame["data"].isin([f"d{i}" for i in range(6)]), "a", "b")
    runs //= SLOWER
    hits: dict[str, int] = {}
    for run in range(runs):
        rng = generator(name, run)
        y = effects(frame, ["data"], rng, 2) + rng.normal(size=(len(frame), 2))
        frame["u"], frame["v"] = y[:, 0], y[:, 0] + y[:, 1]
        model = pc.linear_model(frame, "cbind(u, v) ~ kind * learner", within="data")
        for term in ("kind", "learner"):
            table = model.manova_of(term).table.set_index("test")["p_value"]
            for test in ("pillai", "wilks"):
                key = f"{term}, {test.capitalize()}"
                hits[key] = hits.get(key, 0) + int(table[test] <= ALPHA)
    return {key: (n / runs, runs) for key, n in hits.items()}


def skewed(name: str, runs: int) -> Rates:
    """Return the levels with skewed errors in few rows, by F and permutations."""
    frame = factorial(learner=3, run=6)
    frame["time"] = np.random.default_rng(3).gamma(2.0, size=len(frame))
    runs //= SLOWER
    hits = {"F test": 0, "permutation of residuals": 0}
    for run in range(runs):
        rng = generator(name, run)
        frame["y"] = frame["time"] + rng.exponential(size=len(frame)) ** 3
        model = pc.linear_model(frame, "y ~ learner + time")
        p = model.anova.set_index("term").loc["learner", "p_value"]
        hits["F test"] += int(p <= ALPHA)
        made = model.permutation_test("learner", permutations=199, seed=run)
        hits["permutation of residuals"] += int(made.table["p_value"][0] <= ALPHA)
    return {key: (n / runs, runs) for key, n in hits.items()}


def families(name: str, runs: int) -> Rates:
    """Return how often any of the pairs of six unequal groups is rejected."""
    labels = np.repeat(["a", "b", "c", "d", "e", "f"], [3, 4, 6, 9, 12, 16])
    frame = pd.DataFrame({"learner": labels})
    runs //= SLOWER
    hits = dict.fromkeys(("single-step", "tukey", "holm"), 0)
    for run in range(runs):
        frame["y"] = generator(name, run).normal(size=len(frame))
        means = pc.linear_model(frame, "y ~ learner").emmeans("learner")
        for adjust in hits:
            p = means.contrasts(adjust=adjust).table["p_adjusted"]
            hits[adjust] += int(p.min() <= ALPHA)
    return {key: (n / runs, runs) for key, n in hits.items()}


STUDIES: Mapping[str, Callable[[str, int], Rates]] = {
    "12 data sets of two kinds x 4 learners": between_and_within,
    "8 data sets x 3 learners x 4 preparations, split plot": split_plot,
    "8 data sets x 4 folds x 3 learners, 16 of 96 rows missing": unbalanced,
    "covariates, 12 data sets x 4 learners": covariates,
    "12 data sets x 5 learners, standard deviations 0.5 to 4": spherical,
    "two responses, 12 data sets of two kinds x 4 learners": multivariate,
    "18 rows, errors the cube of an exponential": skewed,
    "family-wise, all pairs of 6 means of 3 to 16 rows": families,
}
EXPECTED_HIGH = (SHOWN_FOR_CONTRAST, "no correction")
"""Analyses that do not hold their level, shown to say why they are not used."""


def allowed(runs: int) -> float:
    """Return the largest share that Monte Carlo error explains: three errors."""
    return ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)


def page(found: Mapping[str, Rates], runs: int) -> str:
    """Return the page."""
    rows = [
        (study, analysis, rate, many)
        for study, rates in found.items()
        for analysis, (rate, many) in rates.items()
    ]
    meant = [row for row in rows if not row[1].endswith(EXPECTED_HIGH)]
    held = sum(rate <= allowed(many) for _, _, rate, many in meant)
    lines = [
        "# Levels of tests of linear models by formula",
        "",
        f"Written by `python -m validation.model_level --runs {runs}`: the share of "
        f"simulated studies in which a true hypothesis is rejected at {ALPHA:g}.",
        "",
        f"**{held} of {len(meant)} levels are at most {ALPHA:g} plus three Monte Carlo "
        "standard errors.** Rows that assume independent measurements of one data "
        "set, or equal variances, reject too often. They are shown to say why terms "
        "are tested against units, and why sphericity is corrected.",
        "",
        "Units have normal effects of variance 1, rows normal errors of variance 1, "
        "unless the study says otherwise. The last study counts the runs in which any "
        "pair is rejected.",
        "",
    ]
    shown = [("study", "analysis", "share", "Monte Carlo error", "runs")]
    for study, analysis, rate, many in rows:
        error = math.sqrt(max(rate * (1 - rate), 1e-12) / many)
        shown.append((study, analysis, f"{rate:.4f}", f"{error:.4f}", str(many)))
    lines += table(shown)
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the studies and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    runs = parser.parse_args().runs
    rows = cells_of(lambda name: STUDIES[name](name, runs), STUDIES, "models")
    found = dict(zip(STUDIES, rows, strict=True))
    PAGE.write_text(page(found, runs), encoding="utf-8")


if __name__ == "__main__":
    main()
