"""How R makes the arrays of a report of the predictions in its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.interop.r_program import NAMES
from pycompare.base.interop.rscript import number, quote, value
from pycompare.base.typing import Bools, Floats, Indices
from pycompare.data.measures.request import Request
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.data.scores import Scores
from pycompare.methods.curves.dominance import CurveDominance
from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult
from pycompare.reporting.evidence.r_inputs import (
    DataInR,
    LabelsOf,
    Made,
    columns_code,
    file_of,
)
from pycompare.reporting.evidence.r_ratings import (
    arrays_of_ratings,
    of_ratings,
    outcomes_of,
)
from pycompare.reporting.evidence.r_scores import ScoresInR

_ARGUMENTS = {
    "confusion_reference": "positive, score, thresholds",
    "curve_areas_reference": "positive, score",
    "probability_scores_reference": "positive, score",
    "partial_auc_reference": "positive, score, low, high",
    "rank_measures_reference": "positive, score",
    "sar_reference": "positive, score, thresholds",
}
"""R functions of measures, with their arguments."""
_IN_R = re.compile(r"(\w+)\(\.\.\.\)\$(\w+)")


class CasesInR(DataInR):
    """How R makes arrays of cases, and measures of them, of the file of predictions.

    Parameters
    ----------
    predictions : Predictions
    scores : Scores, optional
        Measures of the predictions.
    measured : Request, optional
        How they were measured.
    """

    file = "predictions.csv"

    def __init__(
        self,
        predictions: Predictions,
        scores: Scores | None = None,
        measured: Request | None = None,
    ) -> None:
        super().__init__(file_of(predictions.source))
        self.predictions = predictions
        self.measured = _function(measured)
        whole = scores is not None and _is_whole(predictions, scores, measured)
        known = scores is not None and whole and self.measured is not None
        self.scores = ScoresInR(scores) if scores is not None and known else None
        self.ratings = _ratings_of(predictions)

    @property
    def own_stems(self) -> tuple[str, ...]:  # type: ignore[override]
        """The R files that read the data."""
        stems: tuple[str, ...] = ("predictions", "own_file")
        if self.ratings is not None:
            stems += ("ratings",)
        if self.scores is not None:
            stems += ("scores", "measures", "sweeps")
        return stems

    @property
    def reading(self) -> Mapping[str, str]:
        """The lines of R that read the file."""
        lines = {"predictions": "read_predictions(folder)"}
        source = self.predictions.source
        recipe = None if source is None else source.recipe
        whole = recipe and recipe["n_scores"] == self.predictions.score.size
        if recipe and whole and self.made_of is not None:
            own = (
                f"own_predictions(own_path, {quote(recipe['sep'])}, "
                f"{columns_code(recipe['columns'])}, {quote(recipe['positive'])})"
            )
            checked = 'c("is_positive", "score")'
            lines = self.begun(
                "predictions", lines["predictions"], own, checked, self.made_of
            )
        if self.ratings is not None:
            lines["ratings"] = "ratings_of(predictions)"
            lines |= of_ratings(self.ratings)
        if self.scores is not None and self.measured is not None:
            names = value([*self.scores.columns])
            metrics = value([m.name for m in self.scores.scores.metrics])
            lines["measured"] = self.measured
            of = f"measured_scores(predictions, {names}, {metrics}, measured)"
            lines["scores"] = of
        return lines

    def code(self, values: Floats, columns: tuple[str, ...] | None) -> str | None:
        """Return the R code of an array, with ``NAMES`` for labels; None without."""
        code = super().code(values, columns)
        if code is None and self.scores is not None:
            code = self.scores.code(values, columns)
        return code

    def of_results(
        self, result: Any, computed: Mapping[str, Any], named: LabelsOf
    ) -> Iterator[Made]:
        """Yield the arrays that the call of a result takes from earlier results."""
        if isinstance(result, CurveDominance):
            yield from self._pair(result)
        if self.ratings is not None:
            yield from outcomes_of(result, self.ratings)
        if self.scores is not None:
            yield from _of_sweep(result, self.scores, named)
        yield from super().of_results(result, computed, named)

    def _pair(self, result: CurveDominance) -> Iterator[Made]:
        """Yield the scores of two of the algorithms, of each data set."""
        names = (result.algorithm_1, result.algorithm_2)
        pair = [self.predictions.algorithms.index(name) for name in names]
        columns = ", ".join(str(j + 1) for j in pair)
        for d, blocks in enumerate(self._blocks_of_datasets(), 1):
            rows = [self._rows(blocks, j) for j in pair]
            if rows[0].size == rows[1].size:
                scores = np.array([self.predictions.score[own] for own in rows]).T
                yield scores, f"case_scores(predictions, c({columns}), {d})"

    def _blocks_of_datasets(self) -> Iterator[list[int]]:
        """Yield the places of the blocks of each data set."""
        held = self.predictions
        names = held.datasets or ("",) * held.n_blocks
        for dataset in dict.fromkeys(names):
            yield [b for b, name in enumerate(names) if name == dataset]

    def arrays(self) -> Iterator[Made]:
        """Yield cases of each data set: classes, scores, folds, and which they are."""
        if self.ratings is not None:
            yield from arrays_of_ratings(self.ratings)
        held = self.predictions
        for d, blocks in enumerate(self._blocks_of_datasets(), 1):
            at = [self._rows(blocks, j) for j in range(held.n_algorithms)]
            of = [f"rows_of(predictions, {j}, {d})" for j in range(1, len(at) + 1)]
            yield from self._of_dataset(at, of, d)

    def _of_dataset(
        self, at: Sequence[Indices], of: Sequence[str], d: int
    ) -> Iterator[Made]:
        """Yield the arrays of the cases of one data set."""
        held, order = self.predictions, tuple(range(len(at)))
        if len({rows.size for rows in at}) == 1:
            scores = np.array([held.score[rows] for rows in at]).T
            for columns in (order, order[::-1]):
                places = ", ".join(str(j + 1) for j in columns)
                code = f"case_scores(predictions, c({places}), {d}{NAMES})"
                yield scores[:, columns], code
        for j, rows in enumerate(at):
            yield held.is_positive[rows].astype(float), f"{of[j]}$is_positive"
            own = f"case_scores(predictions, {j + 1}, {d}{NAMES})"
            yield held.score[rows][:, None], own
            block = _numbered(self._block[rows])
            yield block, f"numbered({of[j]}$block)"
            if held.cluster is not None:
                yield _numbered(held.cluster[rows]), f"numbered({of[j]}$cluster)"
            if held.case is None:
                yield np.arange(1.0, rows.size + 1), f"seq_along({of[j]}$block) + 0"
                continue
            case = _numbered(held.case[rows])
            yield case, f"numbered({of[j]}$case)"
            repeats = _repeats(block, case)
            yield repeats, f"repeats_of({of[j]}$block, {of[j]}$case)"

    def _rows(self, blocks: Sequence[int], algorithm: int) -> Indices:
        """Return the rows of an algorithm in some blocks."""
        offsets = self.predictions.offsets
        groups = [b * self.predictions.n_algorithms + algorithm for b in blocks]
        return np.concatenate([np.arange(offsets[g], offsets[g + 1]) for g in groups])

    @cached_property
    def _block(self) -> Indices:
        """The block of each row."""
        held = self.predictions
        blocks = np.repeat(np.arange(held.n_blocks), held.n_algorithms)
        return np.asarray(blocks.repeat(np.diff(held.offsets)))


def _numbered(codes: Indices) -> Floats:
    """Return 1 for the label that comes first, 2 for the next new one, ..."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[inverse] + 1, float)


def _repeats(block: Floats, case: Floats) -> Floats:
    """Return the repeat of each row: blocks in order, a new one if cases return."""
    repeat, number_of, seen = np.ones(len(block)), 1, set[float]()
    for fold in dict.fromkeys(block.tolist()):
        here = set(case[block == fold].tolist())
        if seen & here:
            number_of, seen = number_of + 1, set()
        seen |= here
        repeat[block == fold] = number_of
    return repeat


def _ratings_of(predictions: Predictions) -> Ratings | None:
    """Return training sets as readers of one test set; None if they share none."""
    if predictions.n_blocks < 2 or not predictions.same_cases:
        return None
    try:
        return Ratings.from_predictions(predictions)
    except InputError:
        return None


def _is_whole(
    predictions: Predictions, scores: Scores, measured: Request | None
) -> bool:
    """Return whether each cell of the scores measures the rows of its group."""
    return (
        measured is not None
        and [m.name for m in measured.metrics] == [m.name for m in scores.metrics]
        and predictions.replicates is None
        and predictions.blocks == scores.blocks
        and predictions.algorithms == scores.algorithms
        and bool((predictions.sizes > 0).all())
    )


def _function(measured: Request | None) -> str | None:
    """Return the R function that measures cases; None if R has not all measures."""
    if measured is None:
        return None
    low, high = measured.fpr_range or (0.0, 1.0)
    setting = {
        "thresholds": value(list(measured.thresholds)),
        "low": number(low),
        "high": number(high),
    }
    calls: dict[str, str] = {}
    parts = []
    for measure in measured.measures:
        in_r = _IN_R.fullmatch(measure.r)
        if in_r is None or in_r[1] not in _ARGUMENTS:
            return None
        arguments = _ARGUMENTS[in_r[1]]
        for name, code in setting.items():
            arguments = arguments.replace(name, code)
        short = in_r[1].removesuffix("_reference")
        calls[short] = f"{in_r[1]}({arguments})"
        part = f"{short}${in_r[2]}"
        if measure.name in measured.undefined:
            part = f"defined({part}, {number(measured.undefined[measure.name])})"
        parts.append(part)
    built = [f"  {short} <- {call}" for short, call in calls.items()]
    lines = ["function(positive, score) {", *built, f"  c({', '.join(parts)})", "}"]
    return "\n".join(lines)


_SMALL = 1e-9
"""Length of a column that depends on others, relative to that of its scores."""


def _of_sweep(result: Any, scores: ScoresInR, named: LabelsOf) -> Iterator[Made]:
    """Yield what wins over thresholds take: counts, which of them count, and costs."""
    call = result.r_call() if isinstance(result, ThresholdWinsResult) else None
    if call is None or not isinstance(result, ThresholdWinsResult):
        return
    a, of_rows = scores.scores.n_algorithms, dict[str, str]()
    arrays: dict[str, Floats] = {}
    for name in ("y", "kept", "kept_omnibus", "weights"):
        held = call.arguments[name]
        arrays[name] = held.to_numpy(float)
        axes = (held.index.tolist(), held.columns.tolist())
        of_rows[name] = f"list({', '.join(map(named, axes))})"
    places = _places(arrays["y"], scores, len(result.thresholds))
    ids = next((code for _, code in scores.parts()), None)
    if places is None or ids is None:
        return
    numbers = ", ".join(map(str, places.ravel().tolist()))
    columns = f"matrix(c({numbers}), {len(places)}, byrow = TRUE)"
    cells = f"sweep_responses(scores, {columns}, {a}, {ids}, {of_rows['y']})"
    yield arrays["y"], cells
    tested, n_tables = len(result.metrics), len(arrays["weights"])
    table = np.unique(call.arguments["table"], return_inverse=True)[1]
    table = np.cumsum(np.diff(table, prepend=table[0]) != 0)
    sizes = ", ".join(map(str, np.bincount(table)))
    of_tables = f"rep(seq_len({n_tables}), c({sizes}))"
    for name, function, counts in (
        ("kept", "kept_of_pairs", _of_pairs),
        ("kept_omnibus", "kept_of_tables", _of_table),
    ):
        cell_tables = [arrays["y"][table == k, :tested] for k in range(n_tables)]
        built = np.zeros_like(arrays[name])
        rows = [counts(y.reshape(-1, a, tested)) for y in cell_tables]
        built[:, :tested] = np.concatenate(rows)
        if np.array_equal(built, arrays[name]):
            given = f"{cells}, {of_tables}, {a}, {tested}, {of_rows[name]}"
            yield arrays[name], f"{function}({given})"
    yield from _costs(arrays["weights"], len(result.thresholds), of_rows["weights"])


def _places(y: Floats, scores: ScoresInR, n: int) -> NDArray[np.intp] | None:
    """Return the columns of scores behind each column of counts at n thresholds."""
    held = scores.scores
    names = held.datasets or ("",) * held.n_blocks
    of_dataset = [
        [b for b, name in enumerate(names) if name == dataset]
        for dataset in dict.fromkeys(names)
    ]
    measures = range(0, held.values.shape[2], n)
    built = {
        m: np.concatenate(
            [
                held.values[blocks, :, m + t].ravel()
                for blocks in of_dataset
                for t in range(n)
            ]
        )
        for m in measures
        if m + n <= held.values.shape[2]
    }
    first = len(scores.columns) + 1
    places = []
    for column in y.T:
        own = [m for m, counts in built.items() if np.array_equal(counts, column)]
        if not own:
            return None
        places.append(first + own[0] + np.arange(n))
    return np.array(places)


def _independent(residuals: Floats, y: Floats) -> Bools:
    """Return which columns do not depend on those before them."""
    basis = np.zeros((len(residuals), 0))
    counts = np.zeros(residuals.shape[1], bool)
    for j, column in enumerate(residuals.T):
        rest = column.copy()
        for _ in range(2):
            rest -= basis @ (basis.T @ rest)
        length = np.linalg.norm(rest)
        counts[j] = length > _SMALL * np.linalg.norm(y[:, j])
        if counts[j]:
            basis = np.column_stack([basis, rest / length])
    return counts


def _of_pairs(cells: Floats) -> Floats:
    """Return which metrics count in the differences of each pair of a table."""
    tested, rows = cells.shape[2], []
    for i, j in combinations(range(cells.shape[1]), 2):
        d = cells[:, i] - cells[:, j]
        mean, df = d.mean(axis=0), len(d) - 1
        own = _independent(d - mean, d)
        whole = np.vstack([np.sqrt(len(d)) * mean, d - mean])
        total = _independent(whole, np.vstack([0 * mean, d])).sum()
        rank = own.sum()
        short = rank < tested and rank >= df
        bad = rank == 0 or total > rank or df - rank + 1 <= 0 or short
        alone = tested == 1 and rank == 0 and total > 0
        rows.append(np.full(1, 2.0) if alone else own * float(not bad))
    return np.array(rows)


def _of_table(cells: Floats) -> Floats:
    """Return which metrics count in the test of all algorithms of a table."""
    b, a, tested = cells.shape
    within = cells - cells.mean(axis=1, keepdims=True)
    apart = within - within.mean(axis=0)
    y = cells.reshape(b * a, tested)
    own = _independent(apart.reshape(y.shape), y)
    differ = _independent(within.reshape(y.shape), y).any()
    if tested == 1 and not own.any() and differ:
        return np.full((1, 1), 2.0)
    return own[None].astype(float)


def _costs(weights: Floats, n: int, labels: str) -> Iterator[Made]:
    """Yield costs of each metric, which are the same on all data sets."""
    own, times = weights[:n], len(weights) // n
    if not np.array_equal(np.tile(own, (times, 1)), weights):
        return
    rows = ", ".join(map(number, own.ravel().tolist()))
    each = f"matrix(c({rows}), {n}, byrow = TRUE)"
    code = f"matrix(rep(t({each}), {times}), {len(weights)}, byrow = TRUE"
    yield weights, f"{code}, dimnames = {labels})"
