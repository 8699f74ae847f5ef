"""Options that take the truth of a planned study from a pilot's file."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from pycompare.apps.cli.options import (
    AS_WRITTEN,
    Decorator,
    option,
    parse_metrics,
    require_directions,
    together,
)
from pycompare.apps.cli.spelling import PILOT_ROLES
from pycompare.base.errors import Message, PyCompareError, Setting, parts_of
from pycompare.data.file_format import OF_EVERY_FILE
from pycompare.sizes.design import StudyDesign

_GROUP = "Pilot study"
_COLUMNS = {
    "scores": {
        "algorithm": "Column of algorithms.",
        "block": "Column of blocks: data sets, folds or cases.",
    },
    "labels": {
        "algorithm": "Column of models.",
        "block": "Column of items.",
        "judge": "Column of the judge's scores of all answers.",
    },
    "cases": {"label": "Column of true classes."},
    "ratings": {
        "modality": "Column of modalities, or algorithms.",
        "reader": "Column of readers, or training sets.",
        "case": "Column of cases.",
        "rating": "Column of ratings, higher for the positive class.",
        "truth": "Column of the true classes.",
    },
}
"""What a pilot of each kind must name."""


def pilot_options(design: type[StudyDesign]) -> Decorator:
    """Return the options that name a pilot of a design."""
    columns = [
        option(f"--pilot-{name}", metavar="COL", help=text, group=_GROUP)
        for name, text in _COLUMNS[design.pilot].items()
    ]
    return together(
        option(
            "--pilot",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Take unstated values from a pilot study: "
            + _ROWS[design.pilot]
            + ".",
            group=_GROUP,
        ),
        *columns,
        *_MORE[design.pilot],
        *([_PAIR] if _takes_pair(design) else []),
        AS_WRITTEN,
    )


_ROWS = {
    "scores": "one row per score of an algorithm in a block",
    "labels": "one row per model and item",
    "cases": "one row per case",
    "ratings": "one row per rating",
}
_POSITIVE = option(
    "--pilot-positive",
    metavar="LABEL",
    help="The positive class; needed unless classes are 0 and 1, or true and false.",
    group=_GROUP,
)
_METRIC = option(
    "--pilot-metric",
    multiple=True,
    callback=parse_metrics,
    metavar="NAME:higher|lower",
    help="Column of scores and its better direction. Repeatable.",
    group=_GROUP,
)
_MORE: dict[str, list[Decorator]] = {
    "scores": [_METRIC],
    "labels": [_METRIC],
    "cases": [
        option(
            "--pilot-score",
            multiple=True,
            metavar="COL",
            help="Column of scores, higher for the positive class; one for each "
            "classifier. Repeatable.",
            group=_GROUP,
        ),
        _POSITIVE,
    ],
    "ratings": [
        _POSITIVE,
        option(
            "--pilot-threshold",
            type=float,
            metavar="X",
            help="Of a sensitivity or specificity: a rating of X or more is positive.",
            group=_GROUP,
        ),
    ],
}
_PAIR = option(
    "--pilot-pair",
    nargs=2,
    metavar="NAME NAME",
    help="The two algorithms, of several.",
    group=_GROUP,
)


def _takes_pair(design: type[StudyDesign]) -> bool:
    """Return whether a pilot may have more algorithms than the design."""
    maker = getattr(design, f"from_{design.pilot}")
    return "algorithms" in inspect.signature(maker).parameters


def from_pilot(
    design: type[StudyDesign],
    file: Path,
    named: Mapping[str, Any],
    stated: dict[str, Any],
) -> StudyDesign:
    """Read the pilot and return the design; ``stated`` values win."""
    form = {name: named[name] for name in OF_EVERY_FILE if named[name]}
    of = {
        key.removeprefix("pilot_"): value
        for key, value in named.items()
        if key.startswith("pilot_")
    }
    asked = [name for name in of if name not in ("pair", "positive", "threshold")]
    missing = [f"--pilot-{name}" for name in asked if not of[name]]
    if missing:
        raise click.UsageError(f"--pilot {file} needs {', '.join(missing)}")
    completed: StudyDesign = _READ[design.pilot](design, file, of, form, stated)
    return completed


@contextmanager
def _pilot_named() -> Iterator[None]:
    """Spell the roles of columns as options of the pilot's file."""
    try:
        yield
    except PyCompareError as error:
        error.args = (_of_pilot(error.message),)
        raise


def _of_pilot(message: str) -> Message:
    """Return a message whose settings of the pilot's file are those options."""
    return Message(
        *(
            replace(part, name=f"pilot_{part.name}")
            if isinstance(part, Setting) and part.name in PILOT_ROLES
            else part
            for part in parts_of(message)
        )
    )


def _of_scores(design: Any, file: Path, of: Any, form: Any, stated: Any) -> Any:
    from pycompare.data.files import read_scores

    require_directions(of["metric"])
    columns = {name: of[name] for name in _COLUMNS[design.pilot]}
    with _pilot_named():
        scores = read_scores(file, metrics=of["metric"], **columns, **form)
    pair = {"algorithms": of["pair"]} if of.get("pair") else {}
    make = getattr(design, f"from_{design.pilot}")
    completed: StudyDesign = make(scores, **pair, **stated)
    return completed


def _of_cases(design: Any, file: Path, of: Any, form: Any, stated: Any) -> Any:
    """Return the design of a pilot of labels and scores."""
    from pycompare.data.classes import declared
    from pycompare.data.file_format import FileFormat
    from pycompare.data.files import named, read_table

    with _pilot_named(), named(file):
        table, _ = read_table(file, FileFormat(**form))
        roles = {f"score {name!r}": name for name in of["score"]}
        table.require_roles({"label": of["label"], **roles})
        classes = table.levels(of["label"])
        columns = {name: table.scores(name) for name in of["score"]}
        positive = declared(classes.labels, of["positive"], of["label"])
    label = np.array(classes.labels)[classes.codes]
    single = "score" in inspect.signature(design.from_cases).parameters
    if single and len(columns) > 1:
        raise click.UsageError(f"{design.name} has one classifier: name one column")
    scores = next(iter(columns.values())) if single else columns
    with _pilot_named():
        return design.from_cases(label, scores, positive=positive, **stated)


def _of_ratings(design: Any, file: Path, of: Any, form: Any, stated: Any) -> Any:
    from pycompare.data.rating_files import read_ratings

    roles = {name: column for name, column in of.items() if name != "threshold"}
    with _pilot_named():
        ratings = read_ratings(file, **roles, **form)
        return design.from_ratings(ratings, threshold=of["threshold"], **stated)


_READ = {
    "scores": _of_scores,
    "labels": _of_scores,
    "cases": _of_cases,
    "ratings": _of_ratings,
}
