"""Several metrics as responses of one design: scaled, and the dependent ones named.

Metrics may depend on each other: with class sizes that are the same for all algorithms
of a block, FN = constant - TP and TN = constant - FP, so that (TP, FP, TN, FN) has rank
2. Contents of a multivariate test does not change under a change of basis, so the
metrics that depend on those before them are left out, by name, and the rank takes the
place of their number. A difference that has no error to be tested against is rejected
by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.arguments import require
from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.counts import are
from pycompare.base.labels import show
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels import double_double
from pycompare.kernels.manova import ResponseSpan, span, triangle
from pycompare.kernels.sscp import Factors
from pycompare.methods.linear.dependencies import Dependency, Space
from pycompare.methods.linear.design import BlockDesign, block_design
from pycompare.methods.linear.fit import in_units


@dataclass(frozen=True, eq=False, kw_only=True)
class Responses(ResponseSpan):
    """Metrics of one design, and the space that they span.

    Attributes
    ----------
    design : BlockDesign
    metrics : tuple of Metric
        All metrics that were asked for.
    values : ndarray, shape (n_blocks, n_algorithms, p)
        Scores in the metrics' own units; NaN in cells that lack a metric.
    scaled : ndarray, shape (n_blocks, n_algorithms, p)
        Scores less one of them, over ``units``.
    units : ndarray, shape (p,)
        Powers of two, so that scaling is exact.
    dropped : tuple of Dependency
        The metrics that do not.
    blocks, algorithms : tuple of str
    datasets : tuple of str or None
        If they are a term of the design.
    """

    design: BlockDesign
    metrics: tuple[Metric, ...]
    values: Floats
    scaled: Floats
    units: Floats
    dropped: tuple[Dependency, ...]
    blocks: tuple[str, ...]
    algorithms: tuple[str, ...]
    datasets: tuple[str, ...] | None

    @cached_property
    def kept(self) -> tuple[str, ...]:
        """Names of the metrics that the tests are made of."""
        chosen = np.flatnonzero(self.error.kept)
        return tuple(self.metrics[j].name for j in chosen)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes for readers about these responses."""
        absent = self.design.present.size - self.design.n
        notes = []
        if absent and self.design.blocked:
            notes.append(
                f"{absent} of {self.design.present.size} cells {are(absent)} missing; "
                "the algorithms are adjusted for the blocks that they have (exact "
                "general linear model)"
            )
        if self.dropped:
            told = "; ".join(d.text for d in self.dropped)
            note = f"the metrics have rank {self.rank}, not {len(self.metrics)}: {told}"
            if self.rank:
                note += (
                    f". The tests are those of {', '.join(self.kept)}; any other "
                    f"choice of independent metrics gives the same"
                )
            notes.append(note)
        return tuple(notes)

    def means(self) -> Floats:
        """Return adjusted means of algorithms in the metrics' own units, (a, p)."""
        first = self.values[self.design.present][0]
        return np.asarray(first + self.units * self.design.means(self.scaled))

    def r_arguments(self) -> dict[str, Any]:
        """Return the data that R needs, one row per cell: block, algorithm, scores."""
        rows, at = np.nonzero(self.design.present)
        y = pd.DataFrame(
            self.values[rows, at][:, self.error.kept],
            index=[self.blocks[i] for i in rows],
            columns=list(self.kept),
        )
        return {
            "y": y,
            "algorithm": [self.algorithms[j] for j in at],
            "blocked": self.design.blocked,
            "dataset": [self.datasets[i] for i in rows] if self.datasets else [],
        }


def responses(
    scores: Scores, metrics: Sequence[str] | None, blocked: bool
) -> Responses:
    """Return the responses of a multivariate test, dependent metrics left out by name.

    Parameters
    ----------
    scores : Scores
    metrics : sequence of str, optional
        Two or more of ``scores.metrics``; all if None.
    blocked : bool

    Raises
    ------
    DesignError
        If a difference between algorithms has no residual variation, or error has
        fewer degrees of freedom than the responses have dimensions; and as
        `block_design`.
    InputError
        For metrics that are unknown or named twice.
    """
    require(scores, Scores)
    chosen = chosen_metrics(scores, metrics)
    names = [metric.name for metric in chosen]
    design = block_design(scores, metrics=names, blocked=blocked)
    values = np.stack([scores.column(m.name) for m in chosen], axis=-1)
    scaled, units, noise = in_units(values, design.present)
    factors = design.factors(scaled)
    error = triangle(factors.error, noise)
    space = Space(
        names=tuple(names),
        cells=values[design.present],
        units=units,
        noise=noise,
        factors=factors,
        error=error,
    )
    if space.refusal:
        raise DesignError(space.refusal)
    return Responses(
        design=design,
        metrics=chosen,
        values=values,
        scaled=scaled,
        units=units,
        noise=noise,
        **span(factors, error, lambda basis: _moved(design, values / units, basis)),
        dropped=space.dropped,
        blocks=scores.blocks,
        algorithms=scores.algorithms,
        datasets=scores.datasets if design.datasets is not None and blocked else None,
    )


def _moved(design: BlockDesign, values: Floats, basis: Floats) -> Factors:
    """Return the factors of scores, not yet rounded by a shift, in another basis."""
    b, a, p = values.shape
    moved = double_double.product(values.reshape(b * a, p), basis)
    return design.factors(moved.reshape(b, a, p))


def chosen_metrics(scores: Scores, metrics: Sequence[str] | None) -> tuple[Metric, ...]:
    """Return the metrics asked for; reject a name that is there twice."""
    if metrics is None:
        return scores.metrics
    if isinstance(metrics, str):
        raise InputError(
            f"metrics={show(metrics)} is one text; give a list of names, like "
            f"[{show(metrics)}]"
        )
    twice = [name for name in metrics if list(metrics).count(name) > 1]
    if twice:
        raise InputError(f"metrics: {twice[0]!r} is named twice; name each metric once")
    if not metrics:
        raise InputError("metrics is empty; name at least one metric")
    return tuple(scores.metric(name) for name in metrics)
