"""A folder with a comparison of ROC curves: its page, pictures and R code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_program import program_of_few
from pycompare.data.measures.request import request
from pycompare.designs.curve_comparison import CurveComparison, has_folds
from pycompare.designs.curves_left_out import claims_left_out
from pycompare.designs.plans.curves_plan import CurvesPlan
from pycompare.reporting.analyses import curves
from pycompare.reporting.content import wording
from pycompare.reporting.content.curve_tables import CurveWay, ways
from pycompare.reporting.content.paper_words import of_gaps
from pycompare.reporting.document import plain
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import other_data
from pycompare.reporting.evidence.data_files import of_predictions
from pycompare.reporting.evidence.manifest import Evidence, Step
from pycompare.reporting.evidence.r_cases import CasesInR
from pycompare.reporting.evidence.r_numbers import with_others
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.key_beside import write_with_key
from pycompare.reporting.provenance import Origin, provenance
from pycompare.reporting.submission_words import (
    Words,
    stated_attributes,
    stated_margin,
)
from pycompare.reporting.write import Contents

KIND = FolderMark("pycompare curves")
_USES_OF_SEED = (
    "for bootstrap intervals, the comparisons of whole curves and of areas under "
    "precision-recall curves (a sensitivity analysis), and the bands of the figures "
    "(does not affect the conclusions)"
)


def write(
    comparison: CurveComparison,
    to: str | Path,
    *,
    origin: Origin | None = None,
    **writing: Unpack[Writing],
) -> Path:
    """Write the folder of a comparison of ROC curves."""
    made_from = origin or Origin(source=comparison.predictions.source)
    parts = partial(contents, comparison, made_from)
    return write_with_key(KIND, to, parts, made_from.blinding, **writing)


def contents(
    comparison: CurveComparison, made_from: Origin, command: Sequence[str] | None
) -> Contents:
    """Return the contents of the folder; ``command`` is the command line."""
    data = of_predictions(comparison.predictions)
    assert data.sha256 is not None
    origin = provenance(
        source=made_from.source,
        plan_file=made_from.plan_file,
        blinding=made_from.blinding,
        data=(data.kind, data.sha256),
        command=command,
        seed=comparison.seed,
        randomness=f"{comparison.seed}, {_USES_OF_SEED}",
    )
    results = comparison.to_dict() | _claims(comparison)
    n = comparison.predictions.score.size
    return Contents(
        report=curves.curves_report(comparison, origin),
        program=program_of_few(
            with_others(comparison.results(), results), n, "scores", _inputs(comparison)
        ),
        results=lambda: results,
        evidence=Evidence(
            data=data,
            asked=results["plan"],
            settled=results["plan"],
            steps=_steps(comparison, made_from.asked_by),
            deviations=list(other_data(made_from.trail)),
        ),
        words=partial(curves_words, comparison, made_from.plan),
    )


def _claims(comparison: CurveComparison) -> dict[str, Any]:
    """Return which claims about a margin change without one case, if there are any."""
    each = {
        analysis.dataset: claims_left_out(comparison, analysis)
        for analysis in comparison.analyses
    }
    told = [
        {
            "dataset": dataset,
            "unit": left_out.unit,
            "n_units": left_out.n_units,
            "changes": {
                " - ".join(sorted(pair)): list(places)
                for pair, places in left_out.changes.items()
            },
            "why_not": left_out.why_not,
        }
        for dataset, left_out in each.items()
        if left_out is not None
    ]
    return {"claims_left_out": told} if told else {}


def _inputs(comparison: CurveComparison) -> CasesInR:
    """Return how R makes arrays of the predictions, and of AUCs of their folds."""
    held, asked = comparison.predictions, request("auc")
    scores = held.measure("auc") if has_folds(held) else None
    return CasesInR(held, scores, asked)


def _steps(comparison: CurveComparison, asked_by: str) -> list[Step]:
    """Return every step of a comparison of ROC curves."""
    held = comparison.predictions
    read = Step(
        step="Read the predictions",
        why=asked_by,
        decided=f"{counted(held.score.size, 'score')}, "
        f"{counted(held.n_algorithms, 'algorithm')}, "
        f"{counted(len(comparison.analyses), 'data set')}",
    )
    tests = [s for way in ways(comparison) for s in _of_way(way, comparison.alpha)]
    described = [
        Step(step=title, why="description", decided="no decision")
        for title, result in comparison.results()
        if not hasattr(result, "adjust")
    ]
    return [read, *tests, *described]


def _of_way(way: CurveWay, alpha: float) -> Iterator[Step]:
    """Yield the comparison of each data set, or why there is none."""
    for name, outcome in way.outcomes:
        n, pairs = len(outcome.significant), counted(len(outcome.pairs), "pair")
        yield Step(
            step=f"{way.name}: {name}",
            why="primary analysis",
            decided=f"{n} of {pairs} significant at alpha = {alpha:g}",
        )
    for name, why in way.not_made:
        yield Step(step=f"{way.name}: {name}", why="primary analysis", decided=why)


def curves_words(comparison: CurveComparison, plan: CurvesPlan | None = None) -> Words:
    """Return the submission report's statements about a comparison of ROC curves."""
    held, n = comparison.predictions, len(comparison.analyses)
    many, on = wording.count(held.n_algorithms), wording.in_words(n, "data set")
    whom = f"Which of the {many} algorithms differ from each other"
    if held.n_algorithms == 2:
        whom = f"Do {' and '.join(held.algorithms)} differ"
    return Words(
        question=f"{whom} in AUC, over cases and over folds, on {on}?",
        opening=f"We compared {many} algorithms in AUC (higher is better) on {on}, "
        f"{counted(held.n_blocks, 'block')} with {counted(held.score.size, 'score')}.",
        attributes=stated_attributes(plan, "AUC (higher is better)"),
        margin=stated_margin(plan),
        outcomes=[
            (f"{way.name}, {name}" if n > 1 else way.name, outcome)
            for way in ways(comparison)
            for name, outcome in way.outcomes
        ],
        dropped=of_gaps(held),
    )


def conclusions(comparison: CurveComparison) -> str:
    """Return the conclusions as text."""
    answers = [plain(curves.answer([way])) for way in ways(comparison)]
    return "\n".join([*answers, *map(plain, curves.scope(comparison))])
