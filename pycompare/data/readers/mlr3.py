"""mlr3: the score table of a BenchmarkResult, as CSV."""

from __future__ import annotations

from pathlib import Path

from pycompare.base.formatting.counts import counted
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    column_of,
    directions,
    number,
    required,
    table_cells,
)

_DIRECTIONS = directions(
    higher="acc bacc auc prauc mcc fbeta precision recall sensitivity specificity tpr "
    "tnr npv ppv dor mauc_aunu mauc_aunp mauc_au1u mauc_au1p mauc_mu rsq srho ktau",
    lower="ce logloss bbrier mbrier costs fpr fnr fdr fomr mse rmse mae medae medse "
    "mape smape msle rmsle rae rse rrse sae sse maxae maxse pinball",
)
_TASKS = ("classif.", "regr.")


def _matches(head: Head) -> bool:
    """Return whether the header is that of scores or of their means."""
    return {"task_id", "learner_id"} <= head.columns and bool(
        head.columns & {"iteration", "iters"}
    )


def _read(path: Path, wanted: Wanted) -> Part:
    """Read one measure of all learners."""
    rows, metric, failed = wanted.rows(), "", 0
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            if not metric:
                known = [name for name in row if name.startswith(_TASKS)]
                metric = column_of(row, wanted.metric, known)
            failed += row.get("errors", "") not in ("", "0", "character(0)")
            task, fold = required(row, "task_id"), row.get("iteration", "")
            rows.add(
                required(row, "learner_id"),
                f"{task}/{fold}" if fold else task,
                number(row[metric], metric),
                dataset=task,
                of=row,
            )
    told = f"{counted(failed, 'fit')} with an error: scores may be of a fallback"
    better = _DIRECTIONS.get(metric.partition(".")[2])
    return Part(rows, metric, better, notes=(told,) if failed else ())


MLR3 = Format(
    name="mlr3",
    program="mlr3",
    files="bmr$score(measures, predictions = FALSE) without its columns of objects "
    "(task, learner, resampling), or bmr$aggregate(measures), as CSV",
    endings=TABLES,
    columns="algorithm: learner_id; data set: task_id; block: iteration; score: the "
    "column of the measure (classif.acc)",
    block="an iteration of the resampling of a task; of aggregate() a task",
    metrics="by the measure's id, as mlr3measures has them",
    trap="a learner that failed has the scores of its fallback; errors (conditions = "
    "TRUE) are counted. Tasks need one resampling for all learners (benchmark_grid)",
    matches=_matches,
    read=_read,
)
