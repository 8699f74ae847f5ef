"""The data of a report as CSV files in its folder, and back to the same bits.

Files are read by position: labels in them are for people, and are kept beside the
numbers in results.json or the manifest, if nothing rewrites them.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.errors import InputError
from pycompare.base.interop.r_program import csv_name
from pycompare.base.labels import label_text
from pycompare.base.metric import Metric
from pycompare.data.battles import Battles
from pycompare.data.missing import Dropped
from pycompare.data.predictions import Predictions
from pycompare.data.ratings import Ratings
from pycompare.data.runs import mean_of_runs
from pycompare.data.scores import Scores
from pycompare.data.source import Source
from pycompare.reporting.evidence.csv_text import as_label, columns_csv, no_formula
from pycompare.reporting.evidence.manifest import ReportData

if TYPE_CHECKING:
    import pandas as pd

    from pycompare.methods.models.linear_model import LinearModel

SCORES, PREDICTIONS = "scores.csv", "predictions.csv"
RATINGS, TABLE, BATTLES = "ratings.csv", "table.csv", "battles.csv"
_MOST_ROWS = 1_000_000
"""Rows of predictions or battles that are copied into a report folder."""
MOST_NAMED = 1000
"""Blocks whose labels stand beside their file, too; more are read from it."""


# ---- scores ------------------------------------------------------------------------

_OF_SCORES = (
    *("blocks", "algorithms", "metrics", "datasets", "replicates", "groups"),
    *("clusters", "items", "called_folds", "missing", "dropped", "notes", "source"),
)
_BESIDE_A_JUDGE = ("strata",)


def of_scores(scores: Scores) -> ReportData:
    """Return the scores as they were read, one row per block, algorithm and run."""
    labels = scores.label_columns()
    columns: list[tuple[str, Any]] = [*labels.items()]
    columns += scores.number_columns().items()
    own = list(_OF_SCORES) + list(_BESIDE_A_JUDGE) * (scores.judge is not None)
    if scores.n_blocks > MOST_NAMED and "block" in labels:
        own.remove("blocks")
    return ReportData(
        kind="scores",
        files=_file(SCORES, columns_csv(columns)),
        parts=_parts(scores, own),
        sha256=scores.sha256,
    )


def scores_from(text: str, parts: Mapping[str, Any]) -> Scores:
    """Return the scores of a file and its parts, to the bit."""
    fields = _unpacked(parts)
    fields["metrics"] = metrics = tuple(Metric(*metric) for metric in fields["metrics"])
    runs = fields["replicates"]
    judged = "strata" in fields
    columns = _columns(text)
    held = columns[-len(metrics) - judged :]
    if "blocks" not in fields:
        at = _names(text).index("block")
        labels = columns[at][:: len(fields["algorithms"]) * len(runs or (None,))]
        fields["blocks"] = tuple(map(as_label, labels))
    shape = [len(fields["blocks"]), len(fields["algorithms"]), len(runs or (None,))]
    cells = np.stack([_numbers(column).reshape(shape) for column in held], axis=2)
    if judged:
        fields["judge"], cells = cells[:, :, -1, 0], cells[:, :, :-1]
    return Scores(
        values=cells[..., 0] if runs is None else mean_of_runs(cells),
        runs=None if runs is None else cells,
        **fields,
    )


# ---- predictions -------------------------------------------------------------------

_OF_PREDICTIONS = (
    *("blocks", "algorithms", "positive", "negative", "cases", "datasets", "groups"),
    *("clusters", "replicates", "one_class", "missing", "dropped", "notes", "source"),
)


def of_predictions(predictions: Predictions) -> ReportData:
    """Return the predictions, one row per case of a block and algorithm.

    No file if they are too many to be copied.
    """
    files = {}
    if predictions.score.size <= _MOST_ROWS:
        positive = predictions.is_positive.astype(int)
        frame = predictions.to_frame().assign(is_positive=positive)
        columns = [(name, frame[name].tolist()) for name in frame]
        files = _file(PREDICTIONS, columns_csv(_of_blocks(predictions) + columns))
    sizes = np.diff(predictions.offsets).tolist()
    return ReportData(
        kind="predictions",
        files=files,
        parts=_parts(predictions, _OF_PREDICTIONS) | {"sizes": sizes},
        sha256=predictions.sha256,
    )


def _of_blocks(predictions: Predictions) -> list[tuple[str, Sequence[Any]]]:
    """Return the data set and the group of each row, if there are any."""
    cases = np.diff(predictions.offsets).reshape(predictions.n_blocks, -1).sum(axis=1)
    labels = {"dataset": predictions.datasets, "group": predictions.groups}
    return [
        (name, np.repeat(np.array(of_block, object), cases).tolist())
        for name, of_block in labels.items()
        if of_block is not None
    ]


def predictions_from(text: str, parts: Mapping[str, Any]) -> Predictions:
    """Return the predictions of a file and its parts, to the bit."""
    *labels, is_positive, score = _columns(text)
    fields = _unpacked(parts)
    # Of labels before the case the parts say more; earlier reports have no clusters.
    known = [some for some in (fields["cases"], fields.get("clusters", ())) if some]
    own = labels[len(labels) - len(known) :]
    codes = [
        np.array([places[label] for label in column])
        for column, places in zip(own, map(_places, known), strict=True)
    ]
    case, cluster, *_ = [*codes, None, None]
    return Predictions(
        score=_numbers(score),
        is_positive=_numbers(is_positive) == 1,
        offsets=np.concatenate([[0], np.cumsum(fields.pop("sizes"))]),
        case=case,
        cluster=cluster,
        **fields,
    )


# ---- ratings -------------------------------------------------------------------------

_OF_RATINGS = (
    *("modalities", "readers", "cases", "truth", "cluster", "clusters"),
    *("positive", "negative", "design", "notes", "recipe", "marks"),
)


def of_ratings(ratings: Ratings) -> ReportData:
    """Return the ratings, one row per modality, reader and case."""
    return ReportData(
        kind="ratings",
        files=_file(RATINGS, _csv(ratings.to_frame())),
        parts=_parts(ratings, _OF_RATINGS),
        sha256=ratings.sha256,
    )


def ratings_from(text: str, parts: Mapping[str, Any]) -> Ratings:
    """Return the ratings of a file and its parts, to the bit."""
    columns, fields = _columns(text), _unpacked(parts)
    labels = [fields[name] for name in ("modalities", "readers", "cases")]
    values = np.full([len(axis) for axis in labels], np.nan)
    at = tuple(
        np.array([places[cell] for cell in column])
        for places, column in zip(map(_places, labels), columns, strict=False)
    )
    values[at] = _numbers(columns[-1])
    return Ratings(values=values, **fields)


# ---- battles -------------------------------------------------------------------------

_OF_BATTLES = ("models", "voters", "groups", "notes", "source")
_WINNERS = ("second", "tie", "first")


def of_battles(battles: Battles) -> ReportData:
    """Return battles, one a row; no file if they are too many to be copied."""
    files = {}
    if len(battles.first) <= _MOST_ROWS:
        files = _file(BATTLES, _csv(battles.to_frame()))
    return ReportData(
        kind="battles",
        files=files,
        parts=_parts(battles, _OF_BATTLES),
        sha256=battles.sha256,
    )


def battles_from(text: str, parts: Mapping[str, Any]) -> Battles:
    """Return the battles of a file and its parts."""
    first, second, winner, *labels = _columns(text)
    fields = _unpacked(parts)
    fields["source"] = fields["source"] and Source(**fields["source"])
    models = _places(fields["models"])
    ends = [np.array([models[cell] for cell in end]) for end in (first, second)]
    for name in ("voter", "group"):
        if fields[f"{name}s"]:
            places = _places(fields[f"{name}s"])
            fields[name] = np.array([places[cell] for cell in labels.pop(0)])
    outcome = np.array([_WINNERS.index(word) / 2 for word in winner])
    return Battles(first=ends[0], second=ends[1], outcome=outcome, **fields)


# ---- the table of a linear model -----------------------------------------------------


def of_model(model: LinearModel) -> ReportData:
    """Return the columns that a model was fitted to, without rows it left out.

    Those that are labels have their levels beside them, in order. The notes also tell
    of rows and columns as they were read.
    """
    held = {name: model.data[name] for name in model.data}
    levels = {name: _levels(c) for name, c in held.items() if not _is_number(c)}
    return ReportData(
        kind="table",
        files=_file(TABLE, columns_csv([(n, _values(c)) for n, c in held.items()])),
        parts={"columns": list(held), "levels": levels, "notes": list(model.notes)},
    )


def _is_number(column: pd.Series) -> bool:
    import pandas as pd

    is_bool = pd.api.types.is_bool_dtype(column)
    return pd.api.types.is_numeric_dtype(column) and not is_bool


def _values(column: pd.Series) -> list[Any]:
    """Return a column as numbers or labels."""
    cells = column.tolist()
    return list(map(float if _is_number(column) else label_text, cells))


def _levels(column: pd.Series) -> list[str]:
    """Return the labels of a column in their order."""
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return list(map(label_text, column.cat.categories))
    return list(dict.fromkeys(map(label_text, column)))


def table_from(text: str, parts: Mapping[str, Any]) -> pd.DataFrame:
    """Return the table of a file and its parts, factors with their order of levels."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for name, column in zip(parts["columns"], _columns(text), strict=True):
        if name not in parts["levels"]:
            columns[name] = _numbers(column)
            continue
        levels = parts["levels"][name]
        places = _places(levels)
        codes = [places[label] for label in column]
        columns[name] = pd.Categorical.from_codes(codes, levels)
    return pd.DataFrame(columns)


# ---- what they share -----------------------------------------------------------------


def _file(name: str, text: str) -> dict[str, str]:
    """Return a file by its name; a large one is compressed."""
    return {csv_name(name.removesuffix(".csv"), text): text}


def _csv(frame: pd.DataFrame) -> str:
    """Return a table as the text of a file."""
    return columns_csv([(name, frame[name].tolist()) for name in frame])


def _parts(data: Any, names: Sequence[str]) -> dict[str, Any]:
    """Return what a file does not state exactly: labels, and how data were read."""
    return {name: _written(getattr(data, name)) for name in names}


def _written(value: Any) -> Any:
    """Return a value of a data set as JSON has it: arrays and records are lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Metric | Dropped):
        return _written(dataclasses.astuple(value))
    if isinstance(value, Source):
        return vars(value)
    return list(map(_written, value)) if isinstance(value, tuple) else value


def _unpacked(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of ``_parts`` as a data set has them."""
    fields = {name: _tuples(value) for name, value in parts.items()}
    if "dropped" in fields:
        fields["dropped"] = Dropped(*fields["dropped"])
        fields["source"] = fields["source"] and Source(**fields["source"])
    return fields


def _tuples(value: Any) -> Any:
    """Return lists, and those within them, as tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


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


def _names(text: str) -> list[str]:
    """Return the names of the columns of a CSV file."""
    return next(csv.reader(io.StringIO(text)))


def _columns(text: str) -> list[tuple[str, ...]]:
    """Return the columns of a CSV file without their names."""
    return list(zip(*list(csv.reader(io.StringIO(text)))[1:], strict=True))
