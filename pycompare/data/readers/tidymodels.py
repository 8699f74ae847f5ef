"""tidymodels: metrics of tune or workflowsets, one row per resample, as CSV."""

from __future__ import annotations

from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    directions,
    number,
    required,
    stem,
    table_cells,
)

_DIRECTIONS = directions(
    higher="accuracy bal_accuracy roc_auc pr_auc kap mcc f_meas precision recall "
    "sensitivity specificity sens spec ppv npv j_index detection_prevalence "
    "average_precision gain_capture rsq rsq_trad ccc",
    lower="mn_log_loss brier_class classification_cost rmse mae mape smape mase "
    "huber_loss huber_loss_pseudo poisson_log_loss brier_survival",
)
_MEANS = {".metric", ".estimator", "mean", "n", "std_err"}


def _matches(head: Head) -> bool:
    """Return whether the header is that of collected metrics."""
    return {".metric", ".estimator", ".estimate"} <= head.columns or (
        head.columns >= _MEANS
    )


def _read(path: Path, wanted: Wanted) -> Part:
    """Read one metric of all workflows."""
    rows, metrics = wanted.rows(), dict[str, None]()
    several = _configurations(path)
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            if ".estimate" not in row:
                raise InputError(
                    "these are means over resamples; write collect_metrics(results, "
                    "summarize = FALSE)"
                )
            metric = required(row, ".metric")
            metrics[metric] = None
            if metric != (wanted.metric or next(iter(metrics))):
                continue
            name, config = row.get("wflow_id", stem(path)), row.get(".config", "")
            folds = [row[k] for k in ("id", "id2", "id3") if row.get(k)]
            rows.add(
                f"{name} {config}" if len(several[name]) > 1 else name,
                "/".join(folds) or required(row, "id"),
                number(row[".estimate"], metric),
                of=row,
            )
    metric = chosen("metric", wanted.metric, list(metrics))
    return Part(rows, metric, _DIRECTIONS.get(metric))


def _configurations(path: Path) -> dict[str, set[str]]:
    """Return the configurations of each workflow."""
    configurations = dict[str, set[str]]()
    for _, row in table_cells(path):
        name = row.get("wflow_id", stem(path))
        configurations.setdefault(name, set()).add(row.get(".config", ""))
    return configurations


TIDYMODELS = Format(
    name="tidymodels",
    program="tidymodels",
    files="collect_metrics(results, summarize = FALSE) of tune or workflowsets, as CSV",
    endings=TABLES,
    columns="algorithm: wflow_id or the file's name, with .config if it has several; "
    "block: id (and id2); score: .estimate",
    block="a resample of one data set",
    metrics="by .metric, as yardstick has them; mpe and msd, whose best value is 0, "
    "need the absolute value and a direction",
    trap="means over resamples (summarize = TRUE) have no blocks and are rejected. The "
    "configuration that was best on these resamples looks better than it is: compare "
    "it on others",
    matches=_matches,
    read=_read,
)
