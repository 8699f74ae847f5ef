"""A folder with a comparison: the page, the numbers, the pictures and the R code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from pycompare.base.interop import r_program
from pycompare.designs.compare import Comparison
from pycompare.reporting.comparison_report import ComparisonReport, with_firmness
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence.comparison_log import evidence
from pycompare.reporting.evidence.r_inputs import DataInR
from pycompare.reporting.evidence.r_numbers import with_others
from pycompare.reporting.evidence.r_scores import ScoresInR
from pycompare.reporting.evidence.shortened import shortened
from pycompare.reporting.folder import FolderMark
from pycompare.reporting.key_beside import write_with_key
from pycompare.reporting.provenance import provenance
from pycompare.reporting.write import Contents

KIND = FolderMark("pycompare comparison")
"""Only such a folder is ever replaced."""


def write(comparison: Comparison, to: str | Path, **writing: Unpack[Writing]) -> Path:
    """Write the folder; beside that of a blinded comparison, its key."""
    parts = partial(contents, comparison)
    return write_with_key(KIND, to, parts, comparison.blinding, **writing)


def _every_result(
    comparison: Comparison, held: Mapping[str, Any] | None = None
) -> list[tuple[str, Any]]:
    """Return the results of a comparison with titles, and others in results.json.

    ``held`` is the contents of results.json, if it is not all of ``to_dict``.
    """
    told = comparison.to_dict() if held is None else held
    return with_others(comparison.results(), told)


def contents(comparison: Comparison, command: Sequence[str] | None) -> Contents:
    """Return the contents of the folder; ``command`` is the command line."""
    told = ComparisonReport(comparison)
    origin = provenance(
        source=comparison.scores.source,
        data=("scores", comparison.scores.sha256),
        command=command,
        plan_file=comparison.plan_file,
        seed=comparison.plan.seed,
        randomness=told.randomness(),
        blinding=comparison.blinding,
    )
    firmness = told.firmness()

    def results() -> dict[str, Any]:
        return {"data": _data(comparison), **with_firmness(comparison, firmness)}

    held = shortened(results)  # calls it for each length
    return Contents(
        report=told.report(origin),
        program=r_program.program(_every_result(comparison, held), _inputs(comparison)),
        results=lambda: held,
        evidence=evidence(comparison),
        words=told.words,
    )


def _inputs(comparison: Comparison) -> DataInR:
    """Return how R makes the arrays of the data in the folder.

    Scores that were measured here are not in it, their predictions are.
    """
    if comparison.predictions is None:
        return ScoresInR(comparison.scores)
    # Predictions need three hundred modules more than scores do.
    from pycompare.designs.measured_scores import measures_of
    from pycompare.reporting.evidence.r_cases import CasesInR

    return CasesInR(
        comparison.predictions, comparison.scores, measures_of(comparison.plan)
    )


def _data(comparison: Comparison) -> dict[str, Any]:
    """Describe the scores, and the dropped data."""
    scores = comparison.scores
    labels = ("algorithms", "blocks", "datasets", "replicates", "groups", "clusters")
    return {
        **{name: getattr(scores, name) for name in labels},
        "metrics": {m.name: m.better for m in scores.metrics},
        "missing_policy": scores.missing,
        "dropped": scores.dropped,
        "source": scores.source and scores.source.told(),
        **({"reading": list(scores.notes)} if scores.notes else {}),
    }
