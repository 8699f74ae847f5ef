"""Scores that are written as labels: predicted classes, or one of two verdicts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show, show_all
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats
from pycompare.data.reading.tables import LongerTable
from pycompare.data.table import DataTable

_MOST_NAMED = 5


def judged(
    table: DataTable,
    columns: Mapping[str, str],
    truth: str,
    metrics: Sequence[Metric],
    taken: Collection[str] = (),
) -> LongerTable:
    """Return a table in which predicted classes are replaced by 1 (right) or 0.

    Parameters
    ----------
    table : DataTable
    columns : mapping of str to str
        Columns of predicted classes, and the names of their scores.
    truth : str
        Column of true classes; the table has it no longer.
    metrics : sequence of Metric
        The one that is compared.
    taken : collection of str
        Columns that have roles.

    Raises
    ------
    InputError
        If ``truth`` is not there or has another role; there are several metrics, or
        lower is stated as better; or predictions of a column name no true class, or
        differ from one in case, blanks or ``.0`` only.
    """
    if truth not in table.names:
        raise InputError(
            setting("truth", truth)
            + f": there is no column {show(truth)}{nearest(truth, table.names)}; "
            f"columns: {show_all(table.names)}"
        )
    if truth in taken or truth in columns:
        raise InputError(
            setting("truth", truth)
            + " has another role, too; name a column for each role"
        )
    if len(metrics) != 1 or metrics[0].better != "higher":
        given = ", ".join(f"{show(m.name)}: {m.better}" for m in metrics)
        raise InputError(
            setting("truth", truth)
            + ": scores are 1 if a prediction is right, so there is one metric, "
            f"such as accuracy, and higher is better; got {given}"
        )
    true = table.levels(truth)
    known = {class_of(label): code for code, label in enumerate(true.labels)}
    if len(known) < len(true.labels):
        raise InputError(
            f"column {show(truth)} has classes that are the same number: "
            f"{show_all(true.labels)}; write them alike"
        )
    right: dict[str, Floats] = {}
    told: list[str] = []
    for name, called in columns.items():
        codes, labels = _codes(table, name, true.labels)
        _require_classes(name, labels, truth, known)
        meant = np.array([known.get(class_of(label), -1) for label in labels] or [-1])
        scores = (meant[codes] == true.codes).astype(np.float64)
        scores[codes < 0] = np.nan
        right[called] = scores
        if unknown := [label for label in labels if class_of(label) not in known]:
            count = int(
                np.isin(codes, [labels.index(label) for label in unknown]).sum()
            )
            told.append(
                f"{counted(count, 'prediction')} in {show(name)} "
                f"{'is' if count == 1 else 'are'} no true class and "
                f"{'is' if count == 1 else 'are'} treated as wrong: "
                f"{show_all(unknown[:_MOST_NAMED])}"
                + (", ..." if len(unknown) > _MOST_NAMED else "")
            )
    read = f"predicted classes read as 1 if they equal {show(truth)}, else 0"
    return _with_scores(table, {*columns, truth}, right, (read, *told))


def _codes(
    table: DataTable, name: str, classes: Collection[str]
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the label of each row as a code, -1 if it is missing, and the labels.

    A cell that reads as missing is a label if it is one of the classes.
    """
    absent = table.absent(name, besides=classes)
    rows = np.flatnonzero(~absent)
    codes = np.full(table.n_rows, -1)
    if not rows.size:
        return codes, ()
    levels = table.taken(rows, (name,)).levels(name)
    codes[rows] = levels.codes
    return codes, levels.labels


def _require_classes(
    name: str,
    labels: Sequence[str],
    truth: str,
    known: Collection[str],
) -> None:
    """Reject predictions that are no true class, or are written differently."""
    if labels and {*map(class_of, labels)}.isdisjoint(known):
        raise InputError(
            f"column {show(name)} predicts {show_all(labels[:_MOST_NAMED])}, and no "
            f"row of {show(truth)} has one of these classes ({show_all([*known])}); "
            "write the classes alike, or name the columns that hold predictions: "
            + setting("algorithms", ...)
        )
    plain = {_bare(label): label for label in known}
    for label in labels:
        other = plain.get(_bare(label))
        if class_of(label) not in known and other is not None:
            raise InputError(
                f"column {show(name)} predicts {show(label)}, and {show(truth)} has "
                f"{show(other)}, which differs in case or blanks only; write "
                "them alike"
            )


def _bare(label: str) -> str:
    return "".join(label.casefold().split())


def class_of(label: str) -> str:
    """Return the class that a label names: 1.0 is 1."""
    return label.partition(".")[0] if _WHOLE.fullmatch(label) else label


_WHOLE = re.compile(r"[+-]?[0-9]+\.0+")
"""Whole numbers as columns with gaps have them."""


def verdicts(table: DataTable, names: Sequence[str], one_is: str) -> LongerTable:
    """Return a table in which one label of columns of scores is 1 and the other 0.

    Parameters
    ----------
    table : DataTable
    names : sequence of str
        Columns of scores; those of numbers stay as they are.
    one_is : str
        The label that is set to 1.

    Raises
    ------
    InputError
        If no column of scores holds labels, they have more than two labels together, or
        the one is not among them. Both labels are named, none is proposed.
    """
    coded = {
        name: _codes(table, name, ())
        for name in names
        if name in table.names and not _is_numeric(table, name)
    }
    labels = sorted({label for _, own in coded.values() for label in own})
    wrong = ""
    if not labels:
        wrong = "no column of scores holds labels; leave it out"
    elif one_is not in labels:
        wrong = f"no score is {show(one_is)}; the scores are {show_all(labels)}"
    elif len(labels) > 2:
        wrong = (
            f"the scores have {len(labels)} labels, {show_all(labels)}; two are read "
            "as 1 and 0. Those that stand for a missing score are declared: "
        )
    if wrong:
        more = setting("na", ...) if len(labels) > 2 and one_is in labels else ""
        raise InputError(setting("one_is", one_is) + ": " + wrong + more)
    scores = {}
    for name, (codes, own) in coded.items():
        value = np.array([float(label == one_is) for label in own] or [np.nan])
        scores[name] = np.where(codes < 0, np.nan, value[codes])
    others = [show(label) for label in labels if label != one_is]
    told = f"{show(one_is)} read as 1" + "".join(f", {shown} as 0" for shown in others)
    columns = f" in {show_all([*coded])}"
    return _with_scores(table, coded, scores, (told + columns + ", as declared",))


def _is_numeric(table: DataTable, name: str) -> bool:
    """Return whether a column of scores has no label in the place of any score."""
    try:
        table.numbers(name)
    except InputError:
        return False
    return True


def _with_scores(
    table: DataTable,
    gone: Collection[str],
    scores: Mapping[str, Floats],
    notes: tuple[str, ...],
) -> LongerTable:
    """Return a table with other columns of scores, in the places of the old ones."""
    if both := sorted(table.percent & {*gone}):
        raise InputError(
            setting("percent", tuple(both))
            + ": labels are no percentages; leave it out"
        )
    return LongerTable(
        table, scores=scores, score_notes=notes, judged=scores, hidden=gone
    )
