"""García and Herrera's study of power: data sets drawn in favour of one algorithm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.data.examples import example
from pycompare.data.scores import Scores
from pycompare.kernels.ranks import midranks
from pycompare.methods.pairs.closed_permutation import closed_permutation
from pycompare.methods.pairs.max_t import max_t
from pycompare.methods.ranks.pairs import rank_pairs
from pycompare.results.adjust import adjust_all_pairs, adjustment
from pycompare.sizes.simulation.study import Study, Trials, several, whole

_ALPHA = 0.05
PROCEDURES = {
    "Bonferroni": "bonferroni",  # which the paper calls Nemenyi
    "Holm": "holm",
    "Shaffer": "shaffer",
    "Bergmann-Hommel": "bergmann-hommel",
}
"""Adjustments of z tests of mean ranks that the paper compares."""
OURS = ("closed permutation", "sign flips", "max-T")
"""Tests in which each pair has a variance of its own."""
OF_PAIR, APV_OF_PAIR = "the pair is rejected", "adjusted p of the pair"
OF_ALL, APV_OF_ALL = "pairs rejected", "mean adjusted p"


@dataclass(frozen=True)
class GarciaHerrera(Study):
    """Rejections by procedure (García and Herrera 2008, Figures 4 and 5).

    Each experiment draws data sets from a table without replacement, with weights
    1 / (1 + exp(-k d)), where d is the difference of two algorithms' scores on the
    data set: the larger the bias k, the more data sets favour the first algorithm.

    Attributes
    ----------
    k : sequence of float
        Selection biases; 0 draws data sets at random.
    n_datasets : int
        Data sets of an experiment.
    first : str
        First of the two algorithms whose difference weights the draw of data sets.
    second : str
        Second of the two algorithms.
    permutations : int
        Random permutations of the closed permutation test, and flips of max-T.

    Notes
    -----
    The paper drew from fifty data sets whose scores it does not print; the table here
    has its thirty printed ones (accuracies between 0 and 1).

    References
    ----------
    .. [1] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, sec. 4.
    .. [2] Demšar, J. (2006). JMLR 7, 1-30, sec. 4: the weights.
    """

    k: Sequence[float] = tuple(float(k) for k in range(0, 21, 2))
    n_datasets: int = 10
    first: str = "C4.5"
    second: str = "1-NN"
    permutations: int = 999

    name = "garcia-herrera"
    title = (
        "Power of procedures for all pairs (García and Herrera 2008, Figures 4 and 5)"
    )
    reference = "García & Herrera (2008), JMLR 9, 2677-2694"
    chunk = 20

    def __post_init__(self) -> None:
        several(self, "k", least=0)
        whole(self, "n_datasets", least=5)
        whole(self, "permutations", least=99)
        most = self.table.n_blocks
        if self.n_datasets > most:
            raise InputError(
                setting("n_datasets", self.n_datasets)
                + f": the table has {most} data sets"
            )
        for name in ("first", "second"):
            if (algorithm := getattr(self, name)) not in self.table.algorithms:
                known = ", ".join(self.table.algorithms)
                raise InputError(
                    setting(name, algorithm) + f": {show(algorithm)} is none of {known}"
                )
        if self.first == self.second:
            raise InputError(setting("second", self.second) + ": give two algorithms")

    @cached_property
    def table(self) -> Scores:
        """Scores that data sets are drawn from."""
        return example("garcia-herrera-2008")

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each bias."""
        return {f"k = {k:g}": {"k": k} for k in self.k}

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw data sets and compare all pairs."""
        k = self.conditions[condition]["k"]
        drawn = [self.drawn(k, rng) for _ in range(trials)]
        values = self.table.values[:, :, 0]
        by_procedure: dict[str, list[Floats]] = {}
        for rows in drawn:
            for name, p in self.adjusted(values[rows], int(rng.integers(2**31))):
                by_procedure.setdefault(name, []).append(p)
        return {
            f"{what}, {name}": numbers
            for name, p in by_procedure.items()
            for what, numbers in self.told(np.stack(p)).items()
        }

    def drawn(self, k: float, rng: np.random.Generator) -> np.ndarray:
        """Draw data sets one after the other, weighted by their difference."""
        i, j = map(self.table.algorithms.index, (self.first, self.second))
        d = self.table.values[:, i, 0] - self.table.values[:, j, 0]
        # The largest of log weight + Gumbel noise: successive draws by weight.
        keys = special.log_expit(k * d) + rng.gumbel(size=len(d))
        return np.argsort(-keys)[: self.n_datasets]

    def adjusted(self, x: Floats, seed: int) -> Iterator[tuple[str, Floats]]:
        """Yield the adjusted p-values of all pairs by each procedure."""
        p = _of_mean_ranks(x)
        for title, name in PROCEDURES.items():
            yield title, adjust_all_pairs(p, x.shape[1], adjustment(name))
        scores = self.scores_of(x)
        n = self.permutations
        comparisons = (
            closed_permutation(scores, permutations=n, seed=seed),
            rank_pairs(scores, p_value="sign-flips"),
            max_t(scores, on="ranks", flips=n, seed=seed),
        )
        for title, result in zip(OURS, comparisons, strict=True):
            yield title, result.as_columns()["p_adjusted"].astype(float)

    def scores_of(self, x: Floats) -> Scores:
        """Return drawn data sets as scores."""
        return Scores(
            values=x[:, :, None],
            blocks=tuple(str(i) for i in range(len(x))),
            algorithms=self.table.algorithms,
            metrics=self.table.metrics,
        )

    def told(self, p: Floats) -> dict[str, Floats]:
        """Return the counts of adjusted p-values, (trials, pairs)."""
        pair = p[:, self.place]
        return {
            OF_PAIR: pair <= _ALPHA,
            APV_OF_PAIR: pair,
            OF_ALL: (p <= _ALPHA).sum(axis=1),
            APV_OF_ALL: p.mean(axis=1),
        }

    @property
    def place(self) -> int:
        """Place of the two algorithms among all pairs."""
        a = self.table.n_algorithms
        both = sorted(map(self.table.algorithms.index, (self.first, self.second)))
        first, second = np.triu_indices(a, 1)
        return int(np.flatnonzero((first == both[0]) & (second == both[1]))[0])

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what differs from the paper."""
        return (
            f"Drawn from the {self.table.n_blocks} data sets that the paper prints; "
            "its own study drew from fifty. Bonferroni is what the paper calls "
            "Nemenyi. Closed permutation is pycompare's default for tables of this "
            "size.",
        )


def _of_mean_ranks(x: Floats) -> Floats:
    """Return p-values of z tests of all pairs of mean ranks; scores (blocks, a)."""
    b, a = x.shape
    mean = midranks(-x).mean(axis=0)
    first, second = np.triu_indices(a, 1)
    z = (mean[first] - mean[second]) / math.sqrt(a * (a + 1) / (6 * b))
    return np.asarray(2 * special.ndtr(-np.abs(z)))
