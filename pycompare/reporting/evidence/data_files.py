"""The data of a report as CSV files in its folder, and back to the same bits.

Files are read by position: labels in them are for people, and are kept beside the
numbers in results.json or the manifest, where nothing rewrites them.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from pycompare.data.missing import Dropped
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.data.runs import over_runs
from pycompare.data.scores import Scores
from pycompare.data.source import Source
from pycompare.errors import InputError
from pycompare.labels import label_text
from pycompare.metric import Metric
from pycompare.models.linear_model import LinearModel
from pycompare.reporting.evidence.csv_text import columns_csv, no_formula

SCORES, PREDICTIONS = "scores.csv", "predictions.csv"
RATINGS, TABLE = "ratings.csv", "table.csv"
_MOST_ROWS = 1_000_000
"""Rows of predictions that are copied into a report folder."""


# ---- scores ------------------------------------------------------------------------


def scores_file(scores: Scores) -> dict[str, str]:
    """Return the scores as they were read, one row a block, algorithm and run."""
    labels = scores.only(scores.metrics[0].name).to_frame()
    held = scores.values if scores.runs is None else scores.runs
    columns = [(name, labels[name].tolist()) for name in list(labels)[:-1]]
    columns += [
        (metric.name, held[:, :, at].ravel().tolist())
        for at, metric in enumerate(scores.metrics)
    ]
    return {SCORES: columns_csv(columns)}


def scores_parts(scores: Scores) -> dict[str, Any]:
    """Return what the file of scores does not say exactly: labels and how it was read.

    Each label of a block is written once, in the order of the file.
    """
    source = scores.source
    return {
        "blocks": list(scores.blocks),
        "algorithms": list(scores.algorithms),
        "metrics": [[m.name, m.better] for m in scores.metrics],
        "datasets": _listed(scores.datasets),
        "replicates": _listed(scores.replicates),
        "groups": _listed(scores.groups),
        "clusters": _listed(scores.clusters),
        "items": scores.items,
        "missing": scores.missing,
        "dropped": [list(scores.dropped.blocks), list(map(list, scores.dropped.cells))],
        "notes": list(scores.notes),
        "source": None if source is None else vars(source),
    }


def scores_from(text: str, parts: Mapping[str, Any]) -> Scores:
    """Return the scores of a file and its parts, to the bit."""
    metrics = tuple(Metric(name, better) for name, better in parts["metrics"])
    runs = parts["replicates"]
    held = _columns(text)[-len(metrics) :]
    shape = [len(parts["blocks"]), len(parts["algorithms"]), len(runs or (None,))]
    cells = np.stack([_numbers(column).reshape(shape) for column in held], axis=2)
    return Scores(
        values=cells[..., 0] if runs is None else over_runs(cells),
        blocks=tuple(parts["blocks"]),
        algorithms=tuple(parts["algorithms"]),
        metrics=metrics,
        datasets=_tuple(parts["datasets"]),
        groups=_tuple(parts["groups"]),
        clusters=_tuple(parts["clusters"]),
        items=parts.get("items", False),
        runs=None if runs is None else cells,
        replicates=_tuple(runs),
        **_as_read(parts),
    )


# ---- predictions -------------------------------------------------------------------


def predictions_file(predictions: Predictions) -> dict[str, str]:
    """Return the predictions, one row a case of a block and algorithm.

    No file where they are too many to be copied.
    """
    if predictions.score.size > _MOST_ROWS:
        return {}
    frame = predictions.to_frame().assign(
        is_positive=predictions.is_positive.astype(int)
    )
    columns = [(name, frame[name].tolist()) for name in frame]
    return {PREDICTIONS: columns_csv(columns)}


def predictions_parts(predictions: Predictions) -> dict[str, Any]:
    """Return what the file of predictions does not say exactly."""
    source, dropped = predictions.source, predictions.dropped
    runs = predictions.replicates
    return {
        "blocks": list(predictions.blocks),
        "algorithms": list(predictions.algorithms),
        "positive": predictions.positive,
        "negative": predictions.negative,
        "sizes": np.diff(predictions.offsets).tolist(),
        "cases": list(predictions.cases),
        "datasets": _listed(predictions.datasets),
        "groups": _listed(predictions.groups),
        "replicates": None if runs is None else [list(run) for run in runs],
        "one_class": predictions.one_class,
        "missing": predictions.missing,
        "dropped": [list(dropped.blocks), list(map(list, dropped.cells))],
        "notes": list(predictions.notes),
        "source": None if source is None else vars(source),
    }


def predictions_from(text: str, parts: Mapping[str, Any]) -> Predictions:
    """Return the predictions of a file and its parts, to the bit."""
    *labels, is_positive, score = _columns(text)
    cases, case = parts["cases"], None
    if len(labels) > 2:
        places = _places(cases)
        case = np.array([places[name] for name in labels[2]])
    runs = parts["replicates"]
    return Predictions(
        score=_numbers(score),
        is_positive=_numbers(is_positive) == 1,
        offsets=np.concatenate([[0], np.cumsum(parts["sizes"])]),
        blocks=tuple(parts["blocks"]),
        algorithms=tuple(parts["algorithms"]),
        positive=parts["positive"],
        negative=parts["negative"],
        case=case,
        cases=tuple(cases),
        datasets=_tuple(parts["datasets"]),
        groups=_tuple(parts["groups"]),
        replicates=None if runs is None else tuple(map(tuple, runs)),
        one_class=parts["one_class"],
        **_as_read(parts),
    )


# ---- ratings -------------------------------------------------------------------------


def ratings_file(ratings: Ratings) -> dict[str, str]:
    """Return the ratings, one row a modality, reader and case."""
    frame = ratings.to_frame()
    columns = [(name, frame[name].tolist()) for name in frame]
    return {RATINGS: columns_csv(columns)}


def ratings_parts(ratings: Ratings) -> dict[str, Any]:
    """Return what the file of ratings does not say exactly."""
    return {
        "modalities": list(ratings.modalities),
        "readers": list(ratings.readers),
        "cases": list(ratings.cases),
        "truth": None if ratings.truth is None else ratings.truth.tolist(),
        "cluster": None if ratings.cluster is None else ratings.cluster.tolist(),
        "clusters": list(ratings.clusters),
        "positive": ratings.positive,
        "negative": ratings.negative,
        "design": ratings.design,
    }


def ratings_from(text: str, parts: Mapping[str, Any]) -> Ratings:
    """Return the ratings of a file and its parts, to the bit."""
    columns = _columns(text)
    labels = [parts[name] for name in ("modalities", "readers", "cases")]
    values = np.full([len(one) for one in labels], np.nan)
    at = tuple(
        np.array([places[cell] for cell in column])
        for places, column in zip(map(_places, labels), columns, strict=False)
    )
    values[at] = _numbers(columns[-1])
    words: dict[str, Any] = {
        **{name: tuple(parts[name]) for name in _RATED_BY},
        **{name: parts[name] for name in ("positive", "negative", "design")},
    }
    return Ratings(
        values=values,
        truth=None if parts["truth"] is None else np.array(parts["truth"]),
        cluster=None if parts["cluster"] is None else np.array(parts["cluster"]),
        **words,
    )


_RATED_BY = ("modalities", "readers", "cases", "clusters")


def ratings_sha256(ratings: Ratings) -> str:
    """Return a hash of labels, classes and ratings, the same on any machine."""
    names = ("modalities", "readers", "cases", "clusters", "positive", "negative")
    content = {name: getattr(ratings, name) for name in names}
    found = hashlib.sha256(json.dumps(content, sort_keys=True).encode("ascii"))
    found.update(ratings.values.astype("<f8").tobytes())
    for array in (ratings.truth, ratings.cluster):
        found.update(b"" if array is None else array.astype("<i8").tobytes())
    return found.hexdigest()


# ---- the table of a linear model -----------------------------------------------------


def table_file(model: LinearModel) -> dict[str, str]:
    """Return the columns that a model was fitted to, without rows it left out."""
    held = {name: _values(model.data[name]) for name in model.data}
    return {TABLE: columns_csv(list(held.items()))}


def table_parts(model: LinearModel) -> dict[str, Any]:
    """Return the names of the columns, and the levels of those that are labels."""
    held = {name: model.data[name] for name in model.data}
    levels = {name: _levels(c) for name, c in held.items() if not _is_number(c)}
    return {"columns": list(held), "levels": levels}


def _is_number(column: pd.Series) -> bool:
    is_bool = pd.api.types.is_bool_dtype(column)
    return pd.api.types.is_numeric_dtype(column) and not is_bool


def _values(column: pd.Series) -> list[Any]:
    """Return a column as numbers or labels."""
    found = column.tolist()
    return list(map(float if _is_number(column) else label_text, found))


def _levels(column: pd.Series) -> list[str]:
    """Return the labels of a column in their order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return list(map(label_text, column.cat.categories))
    return list(dict.fromkeys(map(label_text, column)))


def table_from(text: str, parts: Mapping[str, Any]) -> pd.DataFrame:
    """Return the table of a file and its parts, factors with their order of levels."""
    made: dict[str, Any] = {}
    for name, column in zip(parts["columns"], _columns(text), strict=True):
        if name not in parts["levels"]:
            made[name] = _numbers(column)
            continue
        levels = parts["levels"][name]
        places = _places(levels)
        codes = [places[one] for one in column]
        made[name] = pd.Categorical.from_codes(codes, levels)
    return pd.DataFrame(made)


# ---- what they share -----------------------------------------------------------------


def _places(labels: Sequence[str]) -> dict[Any, int]:
    """Return the place of each label, as the file has it."""
    return {no_formula(label): at for at, label in enumerate(labels)}


def _numbers(column: Sequence[str]) -> np.ndarray:
    """Return the numbers of a column; an empty cell is missing."""
    try:
        return np.array([float(cell) if cell else np.nan for cell in column])
    except ValueError as error:
        raise InputError(
            f"a file of the report's data is not as written: {error}"
        ) from None


def _columns(text: str) -> list[tuple[str, ...]]:
    """Return the columns of a CSV file without their names."""
    return list(zip(*list(csv.reader(io.StringIO(text)))[1:], strict=True))


def _listed(labels: Sequence[str] | None) -> list[str] | None:
    return None if labels is None else list(labels)


def _tuple(labels: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if labels is None else tuple(labels)


def _as_read(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was met when the data were read."""
    blocks, cells = parts["dropped"]
    source = parts["source"]
    return {
        "missing": parts["missing"],
        "dropped": Dropped(tuple(blocks), tuple(map(tuple, cells))),
        "notes": tuple(parts["notes"]),
        "source": None if source is None else Source(**source),
    }
