"""A standalone reader against the mean of the other readers, as a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.data.ratings import Ratings
from pycompare.designs.pair_methods import described
from pycompare.methods.multireader.standalone_reader import StandaloneResult
from pycompare.methods.pairs.last_step import EACH
from pycompare.plotting.forest import ForestLine
from pycompare.plotting.forest import forest as drawn
from pycompare.reporting import document as doc
from pycompare.reporting.analyses.multireader.report import (
    CLUSTERED,
    CONCERNS,
    COVARIANCES,
    NOT_EQUALITY,
    definition,
    doubts,
    normal,
    remarks,
    report_of,
    sites,
)
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.build import Field, table
from pycompare.reporting.content.forest import better_sides
from pycompare.reporting.content.page import PageResult, Report
from pycompare.reporting.content.rivals import decimals_of
from pycompare.results.result import rejected

ALONE = "Hillis' analysis of the readers' differences to the standalone reader"
_OWN = "They concern this standalone reader as it is, not another version of it."
_MOST_TOLD = 6
"""Modalities that the answer lists; the table has all."""
_MOST_DOTS = 10
"""Readers of the first figure, each a dot."""


def standalone_report(
    study: StandaloneResult, alpha: float, origin: dict[str, Any]
) -> Report:
    """Return everything that the page is made of."""
    several = len(study.as_columns()) > 1
    retained = not rejected(study.as_columns()["p_adjusted"], alpha).all()
    test, source = "one test", study.reference
    if several:
        adjustment = described(study.adjust)
        test = f"one test per modality, {adjustment.title}"
        source += f"; {adjustment.reference}"
    return report_of(
        study,
        alpha,
        origin,
        title=f"{study.standalone} against {_readers(study)} in {study.figure} on "
        f"{sites(study)}",
        results=[_result(study, alpha)],
        scope=[
            *map(wording.sentence, doubts(study)),
            CONCERNS[study.population],
            _OWN,
        ],
        assumptions=[
            normal("readers"),
            COVARIANCES[study.asked["covariance"]],
            *([CLUSTERED] if study.ratings.clusters else []),
            *[NOT_EQUALITY] * retained,
        ],
        plan=[
            f"The standalone reader is {study.standalone}; it does not vary over "
            f"readers. The comparison concerns {study.population}.",
            definition(study),
            f"{_adjusted(study)}; alpha = {alpha:g}.",
        ],
        methods=build.methods([(ALONE, test, source)]),
    )


def _readers(study: StandaloneResult) -> str:
    """Return ``5 readers``."""
    return counted(study.n_readers, "reader")


def _adjusted(study: StandaloneResult) -> str:
    """Return how p-values are adjusted over the modalities."""
    if len(study.as_columns()) == 1:
        return "The p-value of one modality is not adjusted"
    title = described(study.adjust).title
    return f"P-values are adjusted over the modalities by {title}"


# ---- sentences


def standalone_answer(study: StandaloneResult, alpha: float) -> doc.Inline:
    """Return whether it differs from the mean of the readers, and by how much."""
    rows = list(study.as_columns().itertuples())
    told: list[doc.Inline] = []
    for row in rows[:_MOST_TOLD]:
        before = f"{row.modality}: " if len(rows) > 1 else ""
        told.append(_told(study, row, alpha, before))
    if len(rows) > _MOST_TOLD:
        n = int(rejected(study.as_columns()["p_adjusted"], alpha).sum())
        told.append(f"In all, {n} of {len(rows)} differences are significant.")
    return doc.joined(*told)


def _told(
    study: StandaloneResult, row: Any, alpha: float, before: str, past: bool = False
) -> doc.Inline:
    """Return the conclusion about one modality, and the numbers that show it."""
    name, figure = study.standalone, study.figure
    mean = f"the mean of the {_readers(study)}"
    if study.n_readers == 1:
        mean = "the other reader"
    if np.isnan(row.p_value):
        verb = "could not" if past else "cannot"
        return (
            f"{before}{name} {verb} be tested against {mean} in {figure}: the readers' "
            "differences do not vary."
        )
    numbers = f" ({_numbers(study, row, alpha)})."
    if not rejected(row.p_adjusted, alpha):
        verb = "did" if past else "do"
        return (
            f"{before}{name} and {mean} {verb} not differ significantly in {figure}"
            f"{numbers}"
        )
    side = "higher" if row.estimate > 0 else "lower"
    verb = "had" if past else "has"
    clause = f"{before}{name} {verb} a significantly {side} {figure} than {mean}"
    return (doc.Strong(clause), numbers)


def _numbers(study: StandaloneResult, row: Any, alpha: float) -> str:
    """Return both figures, the difference with its interval, and the p-value."""
    at = _places(study)
    alone = len(study.as_columns()) == 1
    ends = doc.interval_text((row.conf_low, row.conf_high), at)
    own, others = (doc.aligned(x, at, 3) for x in (row.standalone, row.readers))
    return (
        f"{own} against {others}; difference {doc.aligned(row.estimate, at, 3)}, "
        f"{percent(study.level)} {'CI' if alone else 'interval'} {ends}, "
        f"{'' if alone else 'adj. '}{doc.p_equals(row.p_adjusted, alpha)}"
    )


def reported_standalone(study: StandaloneResult, alpha: float) -> str:
    """Return the conclusions in the past tense of a paper."""
    rows = list(study.as_columns().itertuples())
    named = len(rows) > 1
    return " ".join(
        doc.plain(
            _told(study, row, alpha, f"{row.modality}: " if named else "", past=True)
        )
        for row in rows
    )


def _places(study: StandaloneResult) -> int | None:
    """Return the decimals of all figures and differences."""
    rows = study.as_columns()
    ends = list(zip(rows["conf_low"].tolist(), rows["conf_high"].tolist(), strict=True))
    return decimals_of(rows["estimate"].tolist(), ends)


# ---- tables and figures


def _result(study: StandaloneResult, alpha: float) -> PageResult:
    """Return the conclusion and the numbers behind it."""
    first = _forest(study, alpha)
    curves = tuple(_curves(study))
    scope = f"readers {study.asked['readers']}, cases {study.asked['cases']}"
    return PageResult(
        title=wording.begun(study.figure),
        prefix="",
        answer=standalone_answer(study, alpha),
        method=f"Method: {ALONE} ({scope}); alpha = {alpha:g}.",
        forest=first,
        table=None if first is not None else _table(study, alpha, ""),
        blocks=doc.present(
            *remarks(study),
            doc.Section("Readers one by one", (_by_reader(study),), "each"),
            doc.FoldedSection("Figures (1)", curves, "figures") if curves else None,
        ),
        tables={"standalone": study.as_columns(), "by_reader": study.held("by_reader")},
    )


def _forest(study: StandaloneResult, alpha: float) -> doc.Forest | None:
    """Return the difference of each modality; of one, readers are dots beneath it."""
    rows = list(study.as_columns().itertuples())
    if all(np.isnan(row.conf_low) for row in rows):
        return None
    alone, at = len(rows) == 1, _places(study)
    title = f"{study.standalone} minus readers, difference in {study.figure}"
    caption = _caption(study, alpha)
    lines: list[ForestLine] = []
    for row in rows:
        ends = None if np.isnan(row.conf_low) else (row.conf_low, row.conf_high)
        name = f"mean of {_readers(study)}" if alone else row.modality
        significant = bool(rejected(row.p_adjusted, alpha))
        lines.append((name, row.estimate, ends, significant))
    listed = _table(study, alpha, caption)
    if alone and study.n_readers <= _MOST_DOTS:
        each = study.held("by_reader")
        dots = list(zip(each["reader"], each["difference"].tolist(), strict=True))
        lines += [(name, x, None, None) for name, x in dots]
        caption += " Dots: each reader, not tested."
        more = tuple(
            (name, doc.aligned(x, at, 3), None, None, figure)
            for (name, x), figure in zip(dots, each["figure"].tolist(), strict=True)
        )
        listed = doc.Table(caption, listed.columns, (*listed.rows, *more), listed.file)
    sides = better_sides(study.standalone, "readers", "higher")
    if study.merit == "mean":  # which has no direction
        sides = ("readers higher", "standalone higher")
    return doc.Forest(
        doc.Figure(
            "differences",
            partial(drawn, lines, title),
            f"Differences: {title}. {caption}",
            "; ".join(_numbers(study, row, alpha) for row in rows),
        ),
        listed,
        tuple(doc.ForestRow(x, ends, shown) for _, x, ends, shown in lines),
        title,
        sides,
    )


def _caption(study: StandaloneResult, alpha: float) -> str:
    """Describe the intervals and the marks."""
    level = percent(study.level)
    told = f"Interval: {level}."
    if len(study.as_columns()) > 1:
        told = f"Intervals: {level} each, separately."
        if study.alpha is not None:
            leaves = f"each leaves out 0 exactly when adj. p ≤ {alpha:g}"
            told = f"Intervals: {level} {EACH}; {leaves}."
    return f"{told} Filled marks and bold values are significant at {alpha:g}."


def _table(study: StandaloneResult, alpha: float, caption: str) -> doc.Table:
    """Return one row per modality."""
    alone, at = len(study.as_columns()) == 1, _places(study)

    def difference(row: Any) -> str:
        ends = doc.interval_text((row.conf_low, row.conf_high), at)
        return f"{doc.aligned(row.estimate, at, 3)} {ends}"

    level = f"{percent(study.level)} CI" if alone else "interval"
    listed = table(
        caption or f"{study.standalone} minus the mean of the readers.",
        study.as_columns(),
        Field(
            "Readers" if alone else "Modality",
            "label",
            lambda row: f"mean of {_readers(study)}" if alone else row.modality,
        ),
        Field(f"difference [{level}]", "digits", difference),
        Field("p" if alone else "adj. p", "p", "p_adjusted", alpha),
        Field("standalone", "estimate", "standalone"),
        Field("readers", "estimate", "readers"),
        file="standalone",
    )
    columns = tuple(dataclasses.replace(column, places=at) for column in listed.columns)
    return dataclasses.replace(listed, columns=columns)


def _by_reader(study: StandaloneResult) -> doc.Table:
    """Return the figure of each reader, and the difference to it."""
    several = len(study.as_columns()) > 1
    return table(
        f"{study.figure} of each reader, and that of {study.standalone} minus it; "
        "single readers are not tested.",
        study.held("by_reader"),
        Field("Reader", "label", "reader"),
        *([Field("Modality", "label", "modality")] if several else []),
        Field(study.figure, "estimate", "figure"),
        Field("difference", "estimate", "difference"),
        file="by_reader",
    )


def _curves(study: StandaloneResult) -> Iterator[doc.Figure]:
    """Yield the ROC curves of the readers beside that of the standalone reader."""
    ratings = study.turned
    classes = ratings.truth is not None and 0 < ratings.truth.sum() < len(ratings.cases)
    one_modality = len(ratings.modalities) == 1 and ratings.design == "factorial"
    if ratings.marks or not (classes and one_modality):
        return
    yield doc.Figure(
        "reader_curves",
        partial(plotting.reader_curves, _side_by_side(ratings, study.standalone)),
        f"ROC curves of {_readers(study)} (thin) and their mean (thick), beside that "
        f"of {study.standalone}. Grey: the other one.",
        "ROC curves: true positive rate over false positive rate.",
    )


def _side_by_side(ratings: Ratings, standalone: str) -> Ratings:
    """Return the readers as one modality, the standalone reader as another one."""
    own = ratings.readers.index(standalone)
    others = [j for j in range(len(ratings.readers)) if j != own]
    values = np.stack(
        [ratings.values[0, others], ratings.values[0, [own] * len(others)]]
    )
    name = "readers" if standalone != "readers" else "other readers"
    return Ratings(
        values=values,
        truth=ratings.truth,
        modalities=(name, standalone),
        readers=tuple(ratings.readers[j] for j in others),
        cases=ratings.cases,
        positive=ratings.positive,
        negative=ratings.negative,
    )
