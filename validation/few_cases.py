"""Intervals and tests of areas with few cases of a class: how often they are right.

``python -m validation.few_cases [--trials N]`` writes ``few_cases.json`` and
``FEW_CASES.md``. Every trial calls the public functions on normal scores. The name of
a design is its seed.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import integrate, stats

import pycompare as pc
from pycompare.methods.curves.few_cases import LEAST_DRAWN
from validation.cells import cells_of

from .calibration.data import ratings
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "few_cases.json", HERE / "FEW_CASES.md"
Counts = dict[str, Any]
"""What a method found on one design."""
TRIALS = 1000
SIZES = (
    *((1, 100), (2, 100), (5, 100), (10, 10), (10, 100), (20, 20), (20, 100)),
    *((30, 100), (50, 50), (50, 100)),
)
"""Positive and negative cases."""
AREAS = (0.8, 0.9)
RESAMPLES = 500
LARGEST_FPR = 0.2
FOLDS = 5
LEVEL = 0.95


@dataclass(frozen=True)
class Data:
    """Two curves of equal areas on the same cases, and one on other cases."""

    label: np.ndarray
    scores: Any
    other: np.ndarray
    area: float

    @property
    def first(self) -> np.ndarray:
        """Scores of the first curve."""
        return self.scores["A"].to_numpy()

    @property
    def partial_area(self) -> float:
        """True area up to the largest false positive rate of two normal laws."""
        apart = np.sqrt(2) * stats.norm.ppf(self.area)

        def height(fpr: float) -> float:
            return float(stats.norm.cdf(apart + stats.norm.ppf(fpr)))

        return float(integrate.quad(height, 0, LARGEST_FPR)[0])


@dataclass(frozen=True)
class Method:
    """A method, what it estimates, and the least cases of a class that it takes.

    ``ask`` returns a result with an interval, and a p-value if it is a test.
    """

    ask: Callable[[Data, int], Any]
    truth: Callable[[Data], float] = lambda data: 0.0
    least: int = 2
    trials_share: float = 1.0


def _one(method: Any, **options: Any) -> Callable[[Data, int], Any]:
    """Return the interval of one area."""

    def ask(data: Data, seed: int) -> Any:
        drawn = {"seed": seed} if "resamples" in options else {}
        return pc.auc_interval(
            data.label, data.first, positive=1, method=method, **options, **drawn
        )

    return ask


def _folds(data: Data, seed: int) -> Any:
    """Return the cross-validated area; each class is dealt to the folds in turn."""
    each = [np.arange(np.sum(data.label == side)) for side in (1, 0)]
    few = min(FOLDS, *map(len, each))
    fold = np.concatenate(each) % few
    return pc.cv_auc(data.label, data.first, positive=1, fold=fold)


def _pair(function: Callable[..., Any], **options: Any) -> Callable[[Data, int], Any]:
    """Return the one pair of a table."""

    def ask(data: Data, seed: int) -> Any:
        drawn = {"seed": seed} if "resamples" in options else {}
        found = function(data.label, data.scores, positive=1, **options, **drawn)
        return found.table.iloc[0]

    return ask


def _area(data: Data) -> float:
    return data.area


_PART: dict[str, Any] = {"low": 0.0, "high": LARGEST_FPR}
_DRAWN: dict[str, Any] = {"resamples": RESAMPLES}
METHODS = {
    "auc_interval, effective-size": Method(_one("effective-size"), _area, 1),
    "auc_interval, delong": Method(_one("delong"), _area),
    "auc_interval, delong-logit": Method(_one("delong-logit"), _area),
    "auc_interval, hanley-mcneil": Method(_one("hanley-mcneil"), _area, 1),
    "auc_interval, bootstrap": Method(_one("bootstrap", **_DRAWN), _area, LEAST_DRAWN),
    "auc_interval, agarwal": Method(_one("agarwal"), _area, 1),
    "cv_auc": Method(_folds, _area),
    "partial_auc_interval": Method(
        lambda data, seed: pc.partial_auc_interval(
            data.label, data.first, positive=1, seed=seed, **_PART, **_DRAWN
        ),
        lambda data: data.partial_area,
        LEAST_DRAWN,
        trials_share=0.5,
    ),
    "delong": Method(_pair(pc.delong)),
    "hanley_mcneil": Method(
        lambda data, seed: pc.hanley_mcneil(
            data.label, data.scores, positive=1, r=0.45
        ),
        least=1,
    ),
    "delong_unpaired": Method(
        lambda data, seed: pc.delong_unpaired(
            data.label, data.first, data.label, data.other, positive=1
        )
    ),
    "partial_auc_pairs": Method(
        _pair(pc.partial_auc_pairs, **_PART, **_DRAWN),
        least=LEAST_DRAWN,
        trials_share=0.5,
    ),
    "auc_pr_pairs": Method(
        _pair(pc.auc_pr_pairs, **_DRAWN), least=LEAST_DRAWN, trials_share=0.5
    ),
}
"""Hanley and McNeil's correlation of two areas is given: near that of these curves."""


def designs() -> Iterator[tuple[int, int, float]]:
    """Yield cases of both classes and the area."""
    for (positive, negative), area in product(SIZES, AREAS):
        yield positive, negative, area


def run_design(positive: int, negative: int, area: float, trials: int) -> list[Counts]:
    """Return what each method found on one design."""
    draw = ratings(positive, 2, negative, (area, area))
    name = f"{positive} + {negative}, {area}"
    rng: Generator = np.random.default_rng(zlib.crc32(name.encode()))
    methods = {k: m for k, m in METHODS.items() if min(positive, negative) >= m.least}
    counts = {k: {"trials": 0, "none": 0, "held": 0, "rejected": 0} for k in methods}
    truth: dict[str, float] = {}
    for trial in range(trials):
        label, scores = draw(rng)
        data = Data(label, scores, draw(rng)[1]["A"].to_numpy(), area)
        for key, method in methods.items():
            if trial >= trials * method.trials_share:
                continue
            if key not in truth:
                truth[key] = method.truth(data)
            found = method.ask(data, trial)
            low, high = found.conf_low, found.conf_high
            one = counts[key]
            one["trials"] += 1
            one["none"] += int(np.isnan(low))
            one["held"] += int(low <= truth[key] <= high)
            one["rejected"] += int(getattr(found, "p_value", 1.0) <= 1 - LEVEL)
    given = {"positive": positive, "negative": negative, "area": area}
    return [{**given, "method": key, **one} for key, one in counts.items()]


def run(trials: int) -> list[Counts]:
    """Run all designs."""
    every = list(designs())
    rows = cells_of(lambda design: run_design(*design, trials), every, "few cases")
    return [row for of_design in rows for row in of_design]


def share(row: Counts) -> float:
    """Return how many of the intervals that there are hold the truth."""
    made = row["trials"] - row["none"]
    return row["held"] / made if made else float("nan")


def page(rows: list[Counts]) -> str:
    """Return the page of the study."""
    keys = list(METHODS)
    cells = {
        (r["positive"], r["negative"], r["area"], r["method"]): r
        for r in rows
        if r["trials"]
    }

    def table(text: Callable[[Counts], str], names: list[str]) -> str:
        head = ["cases", "AUC", *names]
        body = [
            [f"{p} + {n}", f"{a:g}"]
            + [text(cells[p, n, a, k]) if (p, n, a, k) in cells else "" for k in names]
            for p, n, a in designs()
        ]
        return "\n".join(table_lines([head, *body]))

    def held(row: Counts) -> str:
        none = row["none"] / row["trials"]
        less = f" ({none:.1%} without)" if none >= 0.0005 else ""
        return f"{share(row):.3f}{less}"

    tests = [k for k in keys if METHODS[k].truth(_ZERO) == 0.0]
    return _PAGE.format(
        trials=max(r["trials"] for r in rows),
        resamples=RESAMPLES,
        fpr=LARGEST_FPR,
        folds=FOLDS,
        intervals=table(held, [k for k in keys if k not in tests]),
        differences=table(held, tests),
        levels=table(lambda row: f"{row['rejected'] / row['trials']:.3f}", tests),
    )


_ZERO = Data(np.zeros(0), None, np.zeros(0), 0.75)
_PAGE = """# Intervals and tests of areas with few cases of a class

Written by `python -m validation.few_cases`. Scores of both classes are normal with
equal variances; of two curves on the same cases half the variance is common. Every
trial calls the public functions; {trials} trials, half of them for partial areas and
pairs by resampling. Bootstraps have {resamples} resamples; partial areas are up to a
false positive rate of {fpr:g}; cross-validated areas have {folds} folds, or as many as
the smaller class has cases. An empty cell: the method needs more cases.

Notes of the results print the range of these numbers for the size of the smaller class
(`pycompare/methods/curves/few_cases.py`; a test holds them together).

## Coverage of 95% intervals of one area

Of the intervals that there are; in brackets the share of trials without one, because no
variance was estimated.

{intervals}

## Coverage of 95% intervals of the difference of two equal areas

{differences}

## Share of true hypotheses of two equal areas rejected at 0.05

{levels}
"""


def main() -> None:
    """Run the study, store the counts and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    rows = run(parser.parse_args().trials)
    lines = ",\n".join(json.dumps(row) for row in rows)
    STORED.write_text(f"[\n{lines}\n]\n")
    PAGE.write_text(page(rows))


if __name__ == "__main__":
    main()
