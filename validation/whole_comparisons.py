"""Whole comparisons as a referee repeats them: how often a sentence of theirs is false.

``python -m validation.whole_comparisons`` runs what ``whole_comparisons.json`` does not
have, and writes ``WHOLE_COMPARISONS.md``. Each scene is one that has broken a usual
analysis: ``pc.compare`` gets the scores and the plan that a user would write, and its
decisions are held against the quantity that the page names. A scene's name is its seed.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

import pycompare as pc
from pycompare.base.typing import Floats
from pycompare.designs.compare import Comparison, analyse

from .cells import finish_rows
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "whole_comparisons.json", HERE / "WHOLE_COMPARISONS.md"
RUNS, FEWER = 1000, 400
"""Tables of a scene, and of a costly one."""
ALPHA, ONE_SIDED = 0.05, 0.025
DATA_SETS = {"blocks": "datasets"}
CASES = {"blocks": "cases"}
REFUSED = "refused"


@dataclass(frozen=True)
class Scene:
    """Scores, a plan, and what is true of each algorithm.

    Attributes
    ----------
    draw : callable
        Scores from a generator.
    keys : mapping
        The plan.
    truth : callable
        The true value of each algorithm in the quantity of the plan, or the true sign
        of each pair as a square array: A better than B is 1.
    before : str
        What a usual analysis does there, and how often it is false.
    level : float
        What the page states.
    runs : int
    """

    draw: Callable[[Generator], pc.Scores]
    keys: Mapping[str, Any]
    truth: Callable[[], Floats]
    before: str
    level: float = ALPHA
    runs: int = RUNS


def scores(x: Floats, **more: Any) -> pc.Scores:
    """Return scores of algorithms A0, A1, ... on blocks."""
    return pc.Scores(
        values=np.asarray(x, float)[:, :, None],
        blocks=tuple(f"b{i}" for i in range(len(x))),
        algorithms=tuple(f"A{j}" for j in range(x.shape[1])),
        metrics=(pc.Metric("score", more.pop("better", "higher")),),
        **more,
    )


def equal(a: int) -> Callable[[], Floats]:
    """Return that all algorithms are equal."""
    return lambda: np.zeros(a)


# ---- data sets -----------------------------------------------------------------------


def between(rng: Generator, n: int = 60, a: int = 8) -> Floats:
    """Draw A1 ahead of A0 on 60 % of data sets; where it is behind, all lie between."""
    x = np.empty((n, a))
    x[:, 0] = rng.normal(0, 0.01, n)
    ahead = rng.random(n) < 0.6
    x[:, 1] = x[:, 0] + np.where(ahead, 0.1, -0.1) + rng.normal(0, 0.05, n)
    low, high = np.sort(x[:, :2], axis=1).T
    inside = low[:, None] + (high - low)[:, None] * rng.random((n, a - 2))
    below = low[:, None] - 0.1 * rng.random((n, a - 2))
    x[:, 2:] = np.where(ahead[:, None], below, inside)
    return x


def fails_once(rng: Generator, n: int = 10, a: int = 8) -> Floats:
    """Draw A0 just ahead of A1 but on one data set in a, where it fails.

    The mean ranks of A0 and A1 are equal: 1 place ahead in a - 1 of a, a - 1 behind.
    """
    x = rng.normal(0, 0.01, (n, a)) - np.arange(a) * 0.2
    x[rng.random(n) < 1 / a, 0] = -10.0
    return x


def signs_of(draw: Callable[[Generator, int], Floats]) -> Callable[[], Floats]:
    """Return the signs of typical differences, from 20,000 data sets."""

    def found() -> Floats:
        rng = np.random.default_rng(0)
        x = draw(rng, 20_000)
        other = rng.permutation(len(x))
        a = x.shape[1]
        signs = np.zeros((a, a))
        for i in range(a):
            for j in range(a):
                d = x[:, i] - x[:, j]
                # Twice the pseudomedian is the median of sums of two differences.
                signs[i, j] = np.sign(np.median(d + d[other]))
        return signs

    return found


def one_gap(rng: Generator) -> pc.Scores:
    """Draw 240 scores of which one is missing."""
    x = rng.normal(size=(30, 8)) + rng.normal(size=(30, 1))
    x[0, 0] = np.nan
    return scores(x, missing="model")


def right_or_wrong(rng: Generator) -> pc.Scores:
    """Draw scores of 0 and 1 that are called data sets."""
    return scores((rng.random((60, 3)) < 0.8).astype(float))


def in_units(rng: Generator) -> pc.Scores:
    """Draw errors in units from 1 to a million."""
    unit = 10 ** rng.uniform(0, 6, (30, 1))
    return scores(unit * np.exp(rng.normal(size=(30, 4)) / 4), better="lower")


def families(rng: Generator) -> pc.Scores:
    """Draw 10 families of 5 data sets, on which algorithms have ups and downs."""
    own = np.repeat(rng.normal(size=(10, 4)), 5, axis=0)
    x = own + 0.5 * rng.normal(size=(50, 4))
    return scores(x, clusters=tuple(f"f{i // 5}" for i in range(50)))


# ---- cases ---------------------------------------------------------------------------

MARGIN = {"margin": 0.02, "hypothesis": "non-inferiority", "control": "A0"}
WIDE_MARGIN = 0.1
WIDE = {**MARGIN, "margin": WIDE_MARGIN}


def rare_failures(n: int) -> Callable[[Generator], pc.Scores]:
    """Return the draw of two models, right but for 2 % of answers of A1."""

    def draw(rng: Generator) -> pc.Scores:
        x = np.ones((n, 2))
        x[rng.random(n) < 0.02, 1] = 0
        return scores(x)

    return draw


def whole_losses(n: int) -> Callable[[Generator], pc.Scores]:
    """Return the draw of graded answers; A1 loses a tenth of them whole."""

    def draw(rng: Generator) -> pc.Scores:
        x = np.repeat(0.95 + 0.05 * rng.random((n, 1)), 2, axis=1)
        lost = rng.random(n) < WIDE_MARGIN / 0.975
        x[lost, 1] = 0
        return scores(x)

    return draw


def whole_clusters(n: int) -> Callable[[Generator], pc.Scores]:
    """Return the draw of n clusters of 10 cases; A1 fails a tenth of them whole."""

    def draw(rng: Generator) -> pc.Scores:
        x = np.ones((10 * n, 2))
        x[np.repeat(rng.random(n) < WIDE_MARGIN, 10), 1] = 0
        return scores(x, clusters=tuple(f"k{i // 10}" for i in range(10 * n)))

    return draw


def prompts(scope: str) -> Callable[[Generator], pc.Scores]:
    """Return the draw of 5 prompts x 40 items; models have ups and downs with each."""

    def draw(rng: Generator) -> pc.Scores:
        x = rng.normal(size=(40, 2, 1)) + 0.5 * rng.normal(size=(40, 2, 5))
        x = x + rng.normal(size=(1, 2, 5))
        return replace(
            scores(x.mean(axis=2)),
            runs=x[:, :, None, :],
            replicates=tuple(f"p{k}" for k in range(5)),
        )

    return draw


def few_right(rng: Generator) -> pc.Scores:
    """Draw four models of equal shares whose answers are nearly all right."""
    hard = rng.random((80, 1)) < 0.05
    return scores((rng.random((80, 4)) < np.where(hard, 0.5, 0.995)).astype(float))


PROMPTS = {**CASES, "replicates": "average", "runs": "prompts"}

SCENES: dict[str, Scene] = {
    "A1 ahead on 60 % of data sets, others between where it is not, 60 x 8": Scene(
        lambda rng: scores(between(rng)),
        DATA_SETS,
        signs_of(between),
        "mean ranks: A0 better in 0.88",
    ),
    "A0 just ahead, but fails on one data set in 8; mean ranks equal, 10 x 8": Scene(
        lambda rng: scores(fails_once(rng)),
        DATA_SETS,
        signs_of(fails_once),
        "closed permutation test of ranks: A0 better than its equal in 0.33",
        runs=FEWER // 4,
    ),
    "no algorithm differs, 1 of 240 scores missing, 30 x 8": Scene(
        one_gap, DATA_SETS, equal(8), "z tests in place of exact ones: 0.15"
    ),
    "scores of 0 and 1 that are declared as data sets, 60 x 3": Scene(
        right_or_wrong, DATA_SETS, equal(3), "difference 0 [0, 0], p < 0.001: 0.13"
    ),
    "errors in units from 1 to a million, 30 x 4": Scene(
        in_units, DATA_SETS, equal(4), "signed ranks hang on one data set's unit"
    ),
    "the same, compared as ratios": Scene(
        in_units, {**DATA_SETS, "scale": "ratio"}, equal(4), "as above"
    ),
    "10 families of 5 data sets, as 50 data sets": Scene(
        lambda rng: replace(families(rng), clusters=None),
        DATA_SETS,
        equal(4),
        "data sets taken for independent",
        level=math.nan,
    ),
    "10 families of 5 data sets, families named": Scene(
        families,
        DATA_SETS,
        equal(4),
        "data sets taken for independent: 0.13 to 0.42",
        runs=FEWER,
    ),
    "two models, A1 fails 2 % of 50 answers, margin 0.02": Scene(
        rare_failures(50),
        {**CASES, **MARGIN},
        equal(2),
        "t or signs: 0.36",
        ONE_SIDED,
    ),
    "two models, A1 fails 2 % of 1,000 answers, margin 0.02": Scene(
        rare_failures(1000),
        {**CASES, **MARGIN},
        equal(2),
        "paired t: 0.05",
        ONE_SIDED,
        runs=FEWER,
    ),
    "graded answers, A1 loses a tenth whole, range declared, 50 answers": Scene(
        whole_losses(50),
        {**CASES, **WIDE, "range": [0, 1]},
        equal(2),
        "paired t: 0.35 with rarer losses",
        ONE_SIDED,
    ),
    "graded answers, A1 loses a tenth whole, range declared, 1,000 answers": Scene(
        whole_losses(1000),
        {**CASES, **WIDE, "range": [0, 1]},
        equal(2),
        "paired t: 0.05",
        ONE_SIDED,
        runs=FEWER,
    ),
    **{
        f"{n} clusters of 10 cases, A1 fails a tenth of them whole": Scene(
            whole_clusters(n),
            {**CASES, **WIDE},
            equal(2),
            "cluster-robust t: 0.17 to 0.24",
            ONE_SIDED,
        )
        for n in (20, 60)
    },
    "5 prompts with which models have ups and downs, for new prompts": Scene(
        prompts("sampled"),
        {**PROMPTS, "runs_scope": "sampled"},
        equal(2),
        "prompts averaged, items alone: 0.32 to 0.59",
    ),
    "four models of equal shares, nearly all right, 80 items": Scene(
        few_right, CASES, equal(4), "paired t with Holm"
    ),
}


def simulated(name: str, runs: int = 0) -> dict[str, Any]:
    """Return the share of comparisons with a false sentence, and with any decision."""
    scene = SCENES[name]
    n = runs or scene.runs
    truth = scene.truth()
    signs = np.sign(np.subtract.outer(truth, truth)) if truth.ndim == 1 else truth
    counts: Counter[str] = Counter()
    told = ""
    for run in range(n):
        rng = np.random.default_rng((zlib.crc32(name.encode()), run))
        try:
            found = analyse(scene.draw(rng), pc.Plan(**scene.keys))
        except (pc.PlanError, pc.InputError, pc.DesignError) as error:
            counts[REFUSED] += 1
            told = told or str(error)
            continue
        decided = _shown(found) if "margin" in scene.keys else _better(found)
        counts["decided"] += bool(decided)
        # A claim against the margin is false in every scene: the loss is the margin.
        counts["false"] += any(
            "margin" in scene.keys or signs[i, j] <= 0 for i, j in decided
        )
        told = told or _quantity(found)
    shares = {key: counts[key] / n for key in ("false", "decided", REFUSED)}
    return {**shares, "runs": n, "told": told}


def _better(found: Comparison) -> list[tuple[int, int]]:
    """Return the pairs of which the first is said to be better."""
    [analysis] = found.analyses
    return [
        (int(made.better[1:]), int(made.worse[1:]))
        for made in analysis.decisions
        if made.rejected
    ]


def _shown(found: Comparison) -> list[tuple[int, int]]:
    """Return the pairs that are said to be within the margin."""
    [analysis] = found.analyses
    assert analysis.within_margin is not None
    return [(0, 1)] * int(analysis.within_margin.table["shown"].sum())


def _quantity(found: Comparison) -> str:
    """Return what the page compares."""
    [estimand] = found.only.estimands.values()
    return estimand.quantity


def bound(level: float, runs: int) -> float:
    """Return the level with three Monte Carlo standard errors."""
    return level + 3 * math.sqrt(level * (1 - level) / runs)


def page(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the page of the study."""
    answered = {name: row for name, row in rows.items() if row[REFUSED] < 1}
    stated = [name for name in answered if not math.isnan(SCENES[name].level)]
    held = sum(
        rows[name]["false"] <= bound(SCENES[name].level, rows[name]["runs"])
        for name in stated
    )
    head = ["scene", "usual analysis", "quantity here", "false", "stated"]
    cells = [
        [
            name,
            SCENES[name].before,
            row["told"],
            f"{row['false']:.4f}",
            f"{SCENES[name].level:g}" if name in stated else "–",
            f"{row['decided']:.3f}",
            f"{row['runs']:,}",
        ]
        for name, row in answered.items()
    ]
    refused = [
        [name, SCENES[name].before, row["told"]]
        for name, row in rows.items()
        if name not in answered
    ]
    text = "\n".join(
        [
            "# Whole comparisons, as a referee repeats them",
            "",
            "Written by `python -m validation.whole_comparisons`. In each scene",
            "`pc.compare` gets the scores and the plan that a user would write. A",
            "comparison is false if one of its decisions is, in the quantity that it",
            "names: a difference where there is none, or in the wrong direction; or,",
            "against a margin, that A1 is not worse where it is worse by it. **In",
            f"{held} of {len(stated)} scenes with a stated error the share of false",
            "comparisons is at most that error and three Monte Carlo errors.** The",
            "scene without one has data sets in families that are not named: its page",
            "says that its error rate needs independent data sets, and what families",
            "do to it.",
            "",
            *table_lines([[*head, "any decision", "runs"], *cells]),
            "",
            "## Scores that are not compared as they are",
            "",
            *table_lines([["scene", "usual analysis", "answer"], *refused]),
            "",
            "Other scenes have pages of their own: learners that are trained on folds",
            "([FOLD_OVERLAP.md](FOLD_OVERLAP.md)), readers and modalities",
            "([MULTIREADER.md](MULTIREADER.md)), areas near 1",
            "([AUC_COVERAGE.md](AUC_COVERAGE.md)) and sizes of studies",
            "([POWER.md](POWER.md)).",
            "",
        ]
    )
    # A name is a seed, and keeps its space.
    return text.replace(" %", "%")


def main() -> None:
    """Run what is not stored, and write the page."""
    rows = finish_rows(STORED, SCENES, simulated, "whole comparisons")
    PAGE.write_text(page(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
