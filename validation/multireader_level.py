"""Level of analyses of readers and cases where modalities do not differ.

``python -m validation.multireader_level [--runs N]``. Training sets are readers: each
study trains two algorithms on ten training sets and rates one test set. The algorithms
have the same expected AUC, since each lacks another of nine exchangeable features
(Maloof 2002 has this model with all features). Chunks of studies are seeded by their
number. The analyses are those of ``pc.mrmc``, many studies at once;
``tests/test_multireader_level.py`` holds them against it.
"""

from __future__ import annotations

import argparse
import math
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pycompare as pc
from pycompare.data.ratings import Design
from pycompare.simulation.reader_tests import p_values
from pycompare.typing import Bools, Floats
from validation import component_coverage as coverage

Study = Callable[[np.random.Generator, int], tuple[Bools, Floats]]

PAGE = Path(__file__).parent / "MULTIREADER.md"
RUNS = 4000
CHUNK = 50
ALPHA = 0.05
READERS, FEATURES = 10, 9
NEIGHBOURS = 9
BAND = (0.035, 0.06)


# ---- studies ------------------------------------------------------------------------


def naive_bayes(d: float, n: int) -> Study:
    """Make studies of two Gaussian naive Bayes classifiers."""
    sd = math.sqrt(FEATURES) / d

    def study(rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        truth, x = tested(rng, trials, n, sd)
        terms = []
        for centre in (1.0, 0.0):
            # The estimates of a training set: normal means, chi-squared variances.
            size = (trials, READERS, 1, FEATURES)
            mean = centre + sd / math.sqrt(n) * rng.standard_normal(size)
            variance = sd**2 * rng.chisquare(n - 1, size) / (n - 1)
            z = (x[:, None] - mean) ** 2 / variance
            terms.append(-(z + np.log(variance)) / 2)
        evidence = terms[0] - terms[1]
        every = evidence.sum(axis=-1)
        return truth, np.stack([every - evidence[..., i] for i in (0, 1)], axis=1)

    return study


def nearest(d: float, n: int) -> Study:
    """Make studies of two nine-nearest-neighbour classifiers; ratings are votes."""
    sd = math.sqrt(FEATURES) / d

    def study(rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        truth, x = tested(rng, trials, n, sd)
        votes = np.empty((trials, 2, READERS, len(truth)))
        label = np.repeat([1.0, 0.0], n).astype(np.float32)
        for b in range(trials):
            for j in range(READERS):
                known = sd * rng.standard_normal((2 * n, FEATURES)) + label[:, None]
                for i in (0, 1):
                    kept = np.arange(FEATURES) != i
                    votes[b, i, j] = voted(x[b][:, kept], known[:, kept], label)
        return truth, votes

    return study


def voted(x: Floats, known: Floats, label: NDArray[np.float32]) -> Floats:
    """Count positive cases among the nearest neighbours of each case."""
    a, b = x.astype(np.float32), known.astype(np.float32)
    distance = np.sum(b * b, axis=1) - 2 * (a @ b.T)
    last = np.partition(distance, NEIGHBOURS - 1, axis=1)[:, NEIGHBOURS - 1]
    return ((distance <= last[:, None]) @ label).astype(float)


def tested(
    rng: np.random.Generator, trials: int, n: int, sd: float
) -> tuple[Bools, Floats]:
    """Draw test sets of n / 4 cases a class; positive cases first, centred at 1."""
    m = n // 4
    truth = np.arange(2 * m) < m
    x = sd * rng.standard_normal((trials, 2 * m, FEATURES)) + truth[:, None]
    return truth, x


def roe_metz(
    t: int, r: int, n: int, *, erratic: float = 0.0, spread: float = 1.0
) -> Study:
    """Make studies of Roe and Metz's model, n cases a class.

    ``erratic``: variance that the last modality has more with each reader.
    """
    model = pc.RoeMetz(
        separation=(0.75,) * t,
        reader=0.0055,
        modality_reader=0.0055,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
        spread=spread,
    )

    def study(rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        truth, x = model.sample(
            rng, n_readers=r, n_positive=n, n_negative=n, trials=trials
        )
        if erratic:
            extra = math.sqrt(erratic) * rng.standard_normal((trials, r, 1))
            # The expected AUC of the last modality stays that of the others.
            x[:, -1] += truth * (extra + 0.75 * (math.sqrt(1 + erratic / 2.022) - 1))
        return truth, x

    return study


STUDIES: Mapping[str, Study] = {
    **{
        f"naive Bayes, 8 of 9 features, n = 400, d' = {d:g}": naive_bayes(d, 400)
        for d in (1.0, 1.33, 1.66)
    },
    "9 nearest neighbours, 8 of 9 features, n = 400, d' = 1": nearest(1.0, 400),
    "Roe-Metz, 2 modalities x 5 readers x 100 cases": roe_metz(2, 5, 50),
    "Roe-Metz, 4 modalities x 5 readers x 100 cases": roe_metz(4, 5, 50),
    "Roe-Metz, 4 x 5 x 100, the last modality erratic": roe_metz(4, 5, 50, erratic=0.3),
}
WITHIN = 4
"""The first studies, whose level of OR with Hillis' df is held against ``BAND``."""


# ---- analyses -----------------------------------------------------------------------


def rejections(name: str, study: Study, runs: int) -> dict[str, int]:
    """Count rejections at 0.05 of every analysis."""
    counts: dict[str, int] = {}
    for chunk in range(math.ceil(runs / CHUNK)):
        rng = np.random.default_rng([zlib.crc32(name.encode()), chunk])
        truth, x = study(rng, min(CHUNK, runs - chunk * CHUNK))
        for analysis, p in p_values(truth, x).items():
            counts[analysis] = counts.get(analysis, 0) + int((p <= ALPHA).sum())
    return counts


# ---- other designs ------------------------------------------------------------------

DESIGNS: Mapping[str, tuple[Design, int, int, int]] = {
    "readers nested in modalities, 2 x 4 readers": ("readers-in-modalities", 2, 8, 60),
    "readers nested in modalities, 3 x 3 readers": ("readers-in-modalities", 3, 9, 60),
    "2 groups of 3 readers with cases of their own": ("cases-in-readers", 2, 6, 60),
    "cases nested in modalities, 4 readers": ("cases-in-modalities", 2, 4, 80),
    "incomplete: two readers with one modality each": ("incomplete", 2, 6, 56),
}
"""Name -> design, modalities, readers, cases."""
SHARE = 4
"""One study of these, by ``pc.mrmc`` itself, to so many of the others."""


def hidden(design: Design, t: int, r: int, n: int) -> Bools:
    """Return which ratings a design does not have; both classes alternate."""
    i, j, k = np.ogrid[:t, :r, :n]
    flags = {
        "readers-in-modalities": (j % t != i),
        "cases-in-readers": (k // 2 % 2 != j % 2),
        "cases-in-modalities": (k // 2 % t != i),
        "incomplete": ((j == 0) & (i == 1)) | ((j == 1) & (i == 0)) | (k % 7 == j),
    }[design]
    return np.broadcast_to(flags, (t, r, n))


def design_rejections(name: str, runs: int) -> int:
    """Count studies in which a pair is rejected by ``pc.mrmc`` (Holm)."""
    design, t, r, n = DESIGNS[name]
    model = pc.RoeMetz(
        separation=(1.2,) * t,
        reader=0.05,
        modality_reader=0.05,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    order = np.arange(n).reshape(2, -1).T.ravel()
    unread = hidden(design, t, r, n)
    count = 0
    for chunk in range(math.ceil(runs / CHUNK)):
        rng = np.random.default_rng([zlib.crc32(name.encode()), chunk])
        truth, x = model.sample(
            rng,
            n_readers=r,
            n_positive=n // 2,
            n_negative=n // 2,
            trials=min(CHUNK, runs - chunk * CHUNK),
        )
        for values in x[..., order]:
            ratings = pc.Ratings(
                values=np.where(unread, np.nan, values),
                truth=truth[order],
                modalities=tuple(map(str, range(t))),
                readers=tuple(map(str, range(r))),
                cases=tuple(map(str, range(n))),
                design=design,
            )
            count += int(pc.mrmc(ratings).rejected(ALPHA).any())
    return count


# ---- page ---------------------------------------------------------------------------


def page(
    counts: Mapping[str, Mapping[str, int]], designs: Mapping[str, int], runs: int
) -> str:
    """Return the page: tables of rejections, one row a study."""
    error = math.sqrt(ALPHA * (1 - ALPHA) / runs)
    names = list(dict.fromkeys(a for row in counts.values() for a in row))
    lines = [
        "# Level of analyses of readers and cases",
        "",
        f"Written by `python -m validation.multireader_level --runs {runs}`: the share "
        f"of {runs} studies without any difference in which the test rejects at 0.05 "
        f"(Monte Carlo standard error {error:.4f} at 0.05). Pairs: the share of "
        f"studies in which at least one pair is rejected.",
        "",
        "In the first four rows ten training sets of 400 cases a class are the readers "
        "and one test set of 100 cases a class the cases. The two algorithms lack one "
        "feature each, so that their expected AUCs are equal, not their AUCs on these "
        "cases. The two-way analysis of variance of AUCs, with training sets as "
        "blocks, generalises to new training sets tested on these very cases. About "
        "new cases it says nothing, so it rejects far more often than 0.05.",
        "",
        f"**{verdict(counts, runs)}**",
        "",
        "| study | " + " | ".join(names) + " |",
        "|---|" + "---|" * len(names),
    ]
    for study, row in counts.items():
        cells = [f"{row[a] / runs:.4f}" if a in row else "" for a in names]
        lines.append(f"| {study} | " + " | ".join(cells) + " |")
    few = runs // SHARE
    error = math.sqrt(ALPHA * (1 - ALPHA) / few)
    lines += [
        "",
        "## Other designs",
        "",
        f"Roe and Metz's model, `pc.mrmc` with random readers and cases: the share of "
        f"{few} studies in which a pair is rejected at 0.05 (Holm; Monte Carlo "
        f"standard error {error:.4f}).",
        "",
        "| design | share |",
        "|---|---|",
        *(f"| {name} | {count / few:.4f} |" for name, count in designs.items()),
    ]
    return "\n".join(lines) + "\n"


def verdict(counts: Mapping[str, Mapping[str, int]], runs: int) -> str:
    """Say whether the level of OR with Hillis' df lies in the band wanted."""
    low, high = BAND
    rows = list(counts.values())[:WITHIN]
    levels = [row["OR, Hillis' df, jackknife"] / runs for row in rows]
    inside = sum(low <= level <= high for level in levels)
    return (
        f"OR with Hillis' degrees of freedom: {inside} of {len(rows)} levels with "
        f"training sets as readers lie within [{low:g}, {high:g}]."
    )


def main() -> None:
    """Run all studies and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--page", type=Path, default=PAGE)
    chosen = parser.parse_args()
    counts = {}
    for name, study in STUDIES.items():
        counts[name] = rejections(name, study, chosen.runs)
        print(name, {k: v / chosen.runs for k, v in counts[name].items()}, flush=True)
    designs = {}
    for name in DESIGNS:
        designs[name] = design_rejections(name, chosen.runs // SHARE)
        print(name, designs[name] * SHARE / chosen.runs, flush=True)
    told = page(counts, designs, chosen.runs)
    told = coverage.with_section(told, coverage.study(chosen.runs))
    chosen.page.write_text(told, encoding="utf-8")


if __name__ == "__main__":
    main()
