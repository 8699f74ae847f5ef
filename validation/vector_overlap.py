"""T2 and MANOVA of folds, corrected for shared training data: errors by real learners.

``python -m validation.vector_overlap`` runs what ``vector_overlap.json`` does not have,
and writes ``VECTOR_OVERLAP.md``. Learners, data and splits are those of
``fold_overlap``: each learner has its own copy of the features, so that all have equal
expected errors and every rejection is false. The scores of a fold are two: the share of
errors on negative and on positive cases. The covariance matrix of mean differences is
1 + J c q times that of independent folds (J folds, q = n_test / n_train).
"""

from __future__ import annotations

import math
import zlib
from pathlib import Path

import numpy as np
from scipy import special

from pycompare.base.parallel.progress import Progress, on_stderr
from pycompare.base.typing import Bools, Floats, Ints

from . import fold_learners, fold_overlap
from .fold_overlap import (
    ALPHA,
    CASES,
    LEARNERS,
    POPULATIONS,
    Cell,
    Found,
    Protocol,
    drawn,
    error_at,
)
from .markdown import table as table_lines

HERE = Path(__file__).parent
STORED, PAGE = HERE / "vector_overlap.json", HERE / "VECTOR_OVERLAP.md"
CHUNK, RUNS = 250, 1_000
METRICS = 2
STUDIED = ("stump", "tree", "1-NN", "naive Bayes")
PROTOCOLS = tuple(
    Protocol(repeats * folds, folds) for folds in (10, 5, 3) for repeats in (10, 1)
)
UNCORRECTED = 0.0
TESTS = ("T2", "MANOVA")
CELLS = tuple(
    Cell(learner, n, population)
    for learner in STUDIED
    for n in CASES
    for population in POPULATIONS
    if (learner, n) != ("tree", max(CASES))  # a second for each data set
)


def terms(protocol: Protocol) -> dict[str, float]:
    """Return the overlap terms that are compared, by name."""
    return {"none": UNCORRECTED} | {
        f"c = {overlap:.4g}": overlap for _, overlap in protocol.tests()
    }


def scores_of(cell: Cell, features: Floats, labels: Ints, train: Bools) -> Floats:
    """Return shares of errors on negative and positive cases, (splits, copies, 2)."""
    learner = LEARNERS[cell.learner]
    wrong = [(learner(x, labels, train) != labels) & ~train for x in features]
    shares = []
    for label in (0, 1):
        of = labels == label
        tested = (~train[:, of]).sum(axis=1)
        shares.append(np.stack([w[:, of].sum(axis=1) / tested for w in wrong], axis=1))
    return np.stack(shares, axis=2)


def hotelling_p(d: Floats, ratio: float) -> Floats:
    """Return p-values of T2 of differences (runs, J, 2); 1 without a covariance."""
    size = d.shape[1]
    mean = d.mean(axis=1)
    rest = d - mean[:, None]
    s = rest.mT @ rest / (size - 1)
    t2 = size / ratio * _quadratic(s, mean)
    f = (size - METRICS) / (METRICS * (size - 1)) * t2
    return np.where(np.isnan(f), 1.0, special.fdtrc(METRICS, size - METRICS, f))


def manova_p(y: Floats, ratio: float) -> Floats:
    """Return p-values of Wilks' test of equal means (runs, J, copies, 2), by folds.

    For two responses Rao's F is exact.
    """
    splits, copies = y.shape[1:3]
    y = y - y.mean(axis=2, keepdims=True)
    mean = y.mean(axis=1, keepdims=True)
    rest = (y - mean).reshape(len(y), -1, METRICS)
    e = rest.mT @ rest
    h = splits / ratio * (mean[:, 0].mT @ mean[:, 0])
    df1, df2 = copies - 1, (splits - 1) * (copies - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.linalg.det(e) / np.linalg.det(e + h))
        f = (1 - root) / root * (df2 - 1) / df1
    p = special.fdtrc(2 * df1, 2 * (df2 - 1), f)
    return np.where(_singular(e) | np.isnan(p), 1.0, p)


def _singular(s: Floats) -> Bools:
    """Return which matrices have no inverse, but for rounding."""
    size = s[:, 0, 0] * s[:, 1, 1]
    return np.asarray(size - s[:, 0, 1] ** 2 <= 1e-10 * size)


def _quadratic(s: Floats, d: Floats) -> Floats:
    """Return d' S^-1 d; NaN if there is no inverse."""
    solid = np.where(_singular(s)[:, None, None], np.nan, s)
    return np.einsum("ri,rij,rj->r", d, np.linalg.inv(solid), d)


def chunk(cell: Cell, number: int, runs: int = CHUNK) -> dict[str, int]:
    """Count false rejections in some runs."""
    rng = np.random.default_rng([zlib.crc32(f"vectors, {cell.name}".encode()), number])
    by_folds: dict[int, list[Floats]] = {}
    for _ in range(runs):
        features, labels = drawn(cell, rng)
        for folds in dict.fromkeys(p.folds for p in PROTOCOLS):
            train = fold_learners.in_folds(rng, labels, folds, 10)
            scores = scores_of(cell, features, labels, train)
            by_folds.setdefault(folds, []).append(scores)
    counts = {}
    for protocol in PROTOCOLS:
        y = np.array(by_folds[protocol.folds])[:, : protocol.splits]
        for name, c in terms(protocol).items():
            ratio = 1 + protocol.splits * c / (protocol.folds - 1)
            p = {"T2": hotelling_p(y[:, :, 0] - y[:, :, 1], ratio)}
            if cell.copies > METRICS:
                p["MANOVA"] = manova_p(y, ratio)
            for test, values in p.items():
                key = f"{test}, {protocol.name}, {name}"
                counts[key] = int((values <= ALPHA).sum())
    return counts


# ---- what is stored, and the page ---------------------------------------------------


def rate(found: Found, cell: Cell, test: str, protocol: Protocol, term: str) -> float:
    """Return the share of false rejections of a test in a cell, NaN without runs."""
    of = found.get(cell.name, {"runs": 0, "rejections": {}})
    hits = of["rejections"].get(f"{test}, {protocol.name}, {term}", math.nan)
    return float(hits / of["runs"]) if of["runs"] else math.nan


def largest(
    found: Found, test: str, protocol: Protocol, term: str
) -> tuple[float, Cell]:
    """Return the largest rate of a test over all cells with runs, and its cell."""
    rates = {cell: rate(found, cell, test, protocol, term) for cell in CELLS}
    known = {cell: share for cell, share in rates.items() if not math.isnan(share)}
    worst = max(known, key=known.__getitem__)
    return known[worst], worst


def page(found: Found) -> str:
    """Return the page of the study."""
    runs = sum(of["runs"] for of in found.values())
    short = [c.name for c in CELLS if found.get(c.name, {"runs": 0})["runs"] < RUNS]
    done = (
        "All cells have all their runs."
        if not short
        else f"{len(short)} of {len(CELLS)} cells lack runs; the same command resumes."
    )
    lines = [
        "# Folds that share training data: errors of corrected T2 and MANOVA",
        "",
        f"Written by `python -m validation.vector_overlap`. {runs:,} data sets of 60,",
        "100 and 300 cases and ten features. Learners of exactly equal expected errors",
        "are trained on their own copies of the features, so every rejection is false.",
        "Two scores a fold: the shares of errors on negative and on positive cases.",
        f"T2 compares two learners, Wilks' test {fold_overlap.FAMILY} stumps. Nominal",
        f"{ALPHA:g}; Monte Carlo standard error {error_at(RUNS):.4f} with {RUNS:,}",
        "data sets a cell. The covariance of mean differences is 1 + J c q times that",
        f"of independent folds; none: c = 0. {done}",
        "",
        _conclusion(found),
        "",
        "## Largest rates",
        "",
        *table_lines([["test", "rate", "where"], *_largest_lines(found)]),
        "",
        "## All cells",
        "",
    ]
    for protocol in PROTOCOLS:
        for test in TESTS:
            names = list(terms(protocol))
            rows = [
                [cell.name, str(found[cell.name]["runs"])]
                + [f"{rate(found, cell, test, protocol, name):.4f}" for name in names]
                for cell in CELLS
                if cell.name in found and (test == "T2" or cell.copies > METRICS)
            ]
            head = ["learners", "data sets", *names]
            title = f"### {test}, {protocol.name}"
            lines += [title, "", *table_lines([head, *rows]), ""]
    return "\n".join(lines)


def most(found: Found, test: str, *, stumps: bool) -> float:
    """Return the largest rate with the enlarged terms, of stumps or of the others."""
    rates = [
        rate(found, cell, test, protocol, list(terms(protocol))[-1])
        for cell in CELLS
        for protocol in PROTOCOLS
        if (cell.learner == "stump") == stumps
    ]
    return max(share for share in rates if not math.isnan(share))


def _conclusion(found: Found) -> str:
    """Return the result of the study in two sentences."""
    stumps, others = (most(found, "T2", stumps=stumps) for stumps in (True, False))
    wilks = most(found, "MANOVA", stumps=True)
    return (
        f"With the enlarged terms T2 of stumps rejects up to {stumps:.3f} of true "
        f"hypotheses, that of the other learners up to {others:.3f}, and Wilks' test "
        f"of four stumps up to {wilks:.3f}. So plans do not correct T2 and MANOVA; "
        f"metrics are tested one by one."
    )


def _largest_lines(found: Found) -> list[list[str]]:
    """Return the lines of the table of largest rates."""
    lines = []
    for test in TESTS:
        for protocol in PROTOCOLS:
            for term in terms(protocol):
                share, where = largest(found, test, protocol, term)
                name = f"{test}, {protocol.name}, {term}"
                lines.append([name, f"{share:.3f}", where.name])
    return lines


def main() -> None:
    """Run what is not stored, and write the page."""
    found = fold_overlap.stored(STORED)
    left = [
        (cell, number)
        for cell in CELLS
        for number in range(
            found.get(cell.name, {"runs": 0})["runs"] // CHUNK, RUNS // CHUNK
        )
    ]
    progress = Progress(len(left), "chunks", on_stderr("overlap of vectors of scores"))
    for cell, number in sorted(left, key=_order):
        fold_overlap.add_chunk(found, cell.name, CHUNK, chunk(cell, number))
        fold_overlap.store(found, STORED)
        progress.step()
    PAGE.write_text(page(found), encoding="utf-8")


def _order(chunk_of: tuple[Cell, int]) -> tuple[int, int]:
    """Return what is run first: cheap learners, small data sets."""
    cell, number = chunk_of
    slow = {"tree": 3, "stump": 1}.get(cell.learner, 0)
    return slow + cell.n // 100, number


if __name__ == "__main__":
    main()
