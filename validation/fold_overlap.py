"""Corrected t tests of real learners of exactly equal expectation, by protocol.

``python -m validation.fold_overlap`` runs what ``fold_overlap.json`` does not have, and
writes ``FOLD_OVERLAP.md``. Each learner is trained on its own independent copy of the
features, with the same labels and splits, so that all have one expected error for
every size of the training set. Any rejection is false. Compared are the published
overlap term (c = 1) and the enlarged one that plans take; see ``docs/guide/folds.md``.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

import pycompare as pc
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.methods.pairs.overlap import PUBLISHED
from validation.cells import cells_of

from . import fold_learners
from .family_wise.batch import bergmann_hommel
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "fold_overlap.json", HERE / "FOLD_OVERLAP.md"
CHUNK, RUNS, MOST_RUNS = 250, 2_000, 10_000
"""Runs of a chunk, of a cell, and of a cell that sets a limit that pages print."""
CASES = (60, 100, 300)
FEATURES = 10
POPULATIONS = {"4 of 10 features": (4, 0.5), "1 of 10 features": (1, 1.0)}
"""Features on which the classes differ, and by how many standard deviations."""
ARTIFICIAL = "artificial"
ALPHA = 0.05
FAMILY = 4
"""Stumps whose pairs are compared by Bergmann and Hommel."""
Learner = Callable[[Floats, Ints, Bools], Ints]
LEARNERS: dict[str, Learner] = {
    "stump": fold_learners.stump,
    "1-NN": fold_learners.nearest,
    "naive Bayes": fold_learners.naive_bayes,
    "LDA": fold_learners.discriminant,
    ARTIFICIAL: fold_learners.by_an_irrelevant_sign,
    "tree": fold_learners.tree,
}


@dataclass(frozen=True)
class Protocol:
    """So many splits, each of which tests one case in ``folds``."""

    splits: int
    folds: int
    resampled: bool = False

    @property
    def name(self) -> str:
        """What the protocol is called."""
        if self.resampled:
            return f"{self.splits} random splits, 1 / {self.folds} tested"
        repeats = self.splits // self.folds
        once = f"single {self.folds}-fold"
        return once if repeats == 1 else f"{repeats} x {self.folds}-fold"

    @cached_property
    def enlarged(self) -> float:
        """The overlap term that a plan takes."""
        plan = (
            pc.Plan(
                blocks="folds",
                protocol="resampling",
                n_train=self.folds - 1,
                n_test=1,
            )
            if self.resampled
            else pc.Plan(
                blocks="folds", protocol="cross-validation", n_folds=self.folds
            )
        )
        return plan.correction(self.splits)["overlap"]

    def tests(self) -> Iterator[tuple[str, float]]:
        """Yield the names of its tests with their overlap terms."""
        for overlap in (PUBLISHED, self.enlarged):
            yield f"{self.name}, c = {overlap:.4g}", overlap


PROTOCOLS = (
    *(Protocol(repeats * folds, folds) for folds in (10, 5, 3) for repeats in (10, 1)),
    Protocol(100, 10, resampled=True),
    Protocol(15, 10, resampled=True),
)


@dataclass(frozen=True)
class Cell:
    """A learner on data sets of one size from one population."""

    learner: str
    n: int
    population: str

    @property
    def name(self) -> str:
        """Its name, which is its seed."""
        return f"{self.learner}, {self.n} cases, {self.population}"

    @property
    def runs(self) -> int:
        """How many data sets it has."""
        return MOST_RUNS if (self.learner, self.n) == ("stump", min(CASES)) else RUNS

    @property
    def copies(self) -> int:
        """How many learners are trained on a data set."""
        return FAMILY if self.learner == "stump" else 2


CELLS = tuple(
    Cell(learner, n, population)
    for learner in LEARNERS
    for n in CASES
    # The artificial learner has one good feature, and one that is of no use.
    for population in (POPULATIONS if learner != ARTIFICIAL else ("its own",))
)


def drawn(cell: Cell, rng: np.random.Generator) -> tuple[Floats, Ints]:
    """Draw the features of all copies (copies, n, FEATURES), and the labels."""
    labels = np.arange(cell.n) % 2
    features = rng.normal(size=(cell.copies, cell.n, FEATURES))
    shifted, shift = POPULATIONS.get(cell.population, (1, 2.0))
    features[:, :, :shifted] += shift * labels[:, None]
    return features, labels


def splits(rng: np.random.Generator, labels: Ints) -> dict[int, Bools]:
    """Return training sets by the number of folds; 0: random splits, a tenth tested."""
    of_folds = {
        folds: fold_learners.in_folds(rng, labels, folds, 10) for folds in (10, 5, 3)
    }
    # One fold of each of many cross-validations is a random split.
    return {**of_folds, 0: fold_learners.in_folds(rng, labels, 10, 100)[::10]}


def errors(cell: Cell, features: Floats, labels: Ints, train: Bools) -> Floats:
    """Return the share of test cases that each copy errs on, (splits, copies)."""
    learner = LEARNERS[cell.learner]
    wrong = [(learner(x, labels, train) != labels) & ~train for x in features]
    tested = (~train).sum(axis=1)
    return np.stack([w.sum(axis=1) for w in wrong], axis=1) / tested[:, None]


def p_values(scores: Floats, folds: int, overlap: float) -> Floats:
    """Return p-values of corrected t tests of all pairs of columns; 1 without any."""
    first, second = np.triu_indices(scores.shape[1], 1)
    d = scores[:, first] - scores[:, second]
    size = len(d)
    variance = d.var(axis=0, ddof=1) * (1 / size + overlap / (folds - 1))
    same = np.ptp(d, axis=0) < 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(d.mean(axis=0)) / np.sqrt(variance)
    return np.where(same, 1.0, 2 * special.stdtr(size - 1, -t))


def chunk(cell: Cell, number: int, runs: int = CHUNK) -> dict[str, int]:
    """Count false rejections in some runs: of one pair, and among four stumps."""
    rng = np.random.default_rng([zlib.crc32(cell.name.encode()), number])
    found: dict[str, list[Floats]] = {}
    for _ in range(runs):
        features, labels = drawn(cell, rng)
        scores = {
            key: errors(cell, features, labels, train)
            for key, train in splits(rng, labels).items()
        }
        for protocol in PROTOCOLS:
            used = scores[0 if protocol.resampled else protocol.folds]
            for name, overlap in protocol.tests():
                p = p_values(used[: protocol.splits], protocol.folds, overlap)
                found.setdefault(name, []).append(p)
    counts = {}
    for name, rows in found.items():
        p = np.array(rows)
        counts[name] = int((p[:, 0] <= ALPHA).sum())
        if cell.copies == FAMILY:
            any_pair = bergmann_hommel(p, FAMILY, ALPHA).any(axis=1)
            counts[of_family(name)] = int(any_pair.sum())
    return counts


def of_family(name: str) -> str:
    """Return the name of the test of all pairs of four learners."""
    return f"{name}, family of {FAMILY}"


# ---- what is stored, and the page ---------------------------------------------------

Found = dict[str, dict[str, Any]]
"""By cell: its runs, and the false rejections of each test."""


def stored(path: Path = STORED) -> Found:
    """Return what has been run."""
    if not path.exists():
        return {}
    found: Found = json.loads(path.read_text(encoding="utf-8"))
    return found


def rate(found: Found, cell: Cell, test: str) -> float:
    """Return the share of false rejections."""
    of = found[cell.name]
    return float(of["rejections"][test] / of["runs"])


def largest(found: Found, test: str, *, artificial: bool = False) -> tuple[float, Cell]:
    """Return the largest rate of a test, of real learners or the artificial one."""
    rates = {
        cell: rate(found, cell, test)
        for cell in CELLS
        if cell.name in found
        and (cell.learner == ARTIFICIAL) == artificial
        and test in found[cell.name]["rejections"]
    }
    worst = max(rates, key=rates.__getitem__)
    return rates[worst], worst


def page(found: Found) -> str:
    """Return the page of the study."""
    short = [c.name for c in CELLS if found.get(c.name, {"runs": 0})["runs"] < c.runs]
    done = (
        "All cells have all their runs."
        if not short
        else f"Not all runs are done in {len(short)} of {len(CELLS)} cells "
        "(the tables have the data sets of each, and no line of those without any). "
        "The same command resumes."
    )
    runs = sum(of["runs"] for of in found.values())
    tests = [name for protocol in PROTOCOLS for name, _ in protocol.tests()]
    lines = [
        "# Folds that share training data: errors of corrected t tests",
        "",
        f"Written by `python -m validation.fold_overlap`. {runs:,} data sets of 60,",
        "100 and 300 cases and ten features. Learners of exactly equal expected error",
        "are trained on their own copies of the features, so every rejection is false.",
        f"Nominal {ALPHA:g}. {RUNS:,} data sets a cell (Monte Carlo standard error at",
        f"0.05: {error_at(RUNS):.4f}), {MOST_RUNS:,} ({error_at(MOST_RUNS):.4f}) where",
        "the rate is printed as the largest one (stumps on 60 cases).",
        "c is the factor of n_test / n_train in the variance: 1 as published (Nadeau",
        f"and Bengio 2003), larger ones as plans take. {done}",
        "",
        "## Largest rates",
        "",
        f"The last column has families of {FAMILY} stumps whose six pairs are adjusted",
        "by Bergmann and Hommel.",
        "",
        *table_lines(
            [
                ["test", "real learners", "where", "artificial learner", "family"],
                *(_largest_line(found, test) for test in tests),
            ]
        ),
        "",
        "## All cells",
        "",
    ]
    for protocol in PROTOCOLS:
        names = [name for name, _ in protocol.tests()]
        short_names = [f"c = {overlap:.4g}" for _, overlap in protocol.tests()]
        rows = [
            [c.name, str(found[c.name]["runs"]), *(_rate(found, c, t) for t in names)]
            for c in CELLS
            if c.name in found
        ]
        head = ["learners", "data sets", *short_names]
        lines += [f"### {protocol.name}", "", *table_lines([head, *rows]), ""]
    return "\n".join(lines)


def error_at(runs: int) -> float:
    """Return the Monte Carlo standard error of a rate of alpha."""
    return math.sqrt(ALPHA * (1 - ALPHA) / runs)


def _largest_line(found: Found, test: str) -> list[str]:
    """Return one line of the table of largest rates."""
    real, where = largest(found, test)
    artificial, _ = largest(found, test, artificial=True)
    family, _ = largest(found, of_family(test))
    return [test, f"{real:.3f}", where.name, f"{artificial:.3f}", f"{family:.3f}"]


def _rate(found: Found, cell: Cell, test: str) -> str:
    return f"{rate(found, cell, test):.4f}"


def main() -> None:
    """Run what is not stored, and write the page."""
    found = stored()
    left = sorted(chunks_left(found), key=_order)
    done = cells_of(lambda job: chunk(*job), left, "overlap of folds")
    for (cell, _), counts in zip(left, done, strict=True):
        add_chunk(found, cell.name, CHUNK, counts)
        store(found)
    PAGE.write_text(page(found), encoding="utf-8")


def chunks_left(found: Found) -> Iterator[tuple[Cell, int]]:
    """Yield the cells with the numbers of their chunks that are not done."""
    for cell in CELLS:
        done = found.get(cell.name, {"runs": 0})["runs"]
        for number in range(done // CHUNK, cell.runs // CHUNK):
            yield cell, number


def _order(chunk_of: tuple[Cell, int]) -> tuple[bool, bool, int]:
    """Return what is run first: 2,000 runs of what costs little."""
    cell, number = chunk_of
    return number * CHUNK >= RUNS, cell.learner == "tree", cell.n


def add_chunk(found: Found, cell: str, runs: int, counts: dict[str, int]) -> None:
    """Add false rejections to those of a cell."""
    of = found.setdefault(cell, {"runs": 0, "rejections": {}})
    of["runs"] += runs
    of["rejections"] = {
        test: of["rejections"].get(test, 0) + n for test, n in counts.items()
    }


def store(found: Found, path: Path = STORED) -> None:
    """Keep what is finished."""
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
