"""The report as one HTML page that needs nothing but itself."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

import jinja2
import numpy as np
from markupsafe import Markup

from pycompare.counts import counted, were
from pycompare.data.scores import Scores
from pycompare.procedure.compare import Comparison
from pycompare.reporting.common import words
from pycompare.reporting.common.predicted import prediction_rows
from pycompare.reporting.page.numbers import number
from pycompare.reporting.page.section import Section
from pycompare.reporting.whole import Whole

MOST_FOLDED = 20
"""Folded parts in a row that stand by themselves; more are folded once again."""


def page(
    told: Whole,
    sections: Sequence[Section],
    origin: dict[str, Any],
    script: str,
) -> str:
    """Return the page; every text that came from the user is escaped."""
    comparison = told.comparison
    return rendered(
        question=told.question(),
        plan=told.plan(),
        methods=told.methods(),
        data=told.data(origin) or data_rows(comparison, origin),
        dropped=dropped(comparison.scores),
        sections=sections,
        caveats=told.caveats(),
        limits=told.limits(),
        origin=origin,
        script=script,
    )


def rendered(**content: Any) -> str:
    """Fill the page's template; what it lacks is an error."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pycompare.reporting"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    code = page_script(environment)
    return environment.get_template("report.html").render(
        **content,
        most_folded=MOST_FOLDED,
        code=Markup(code),
        code_hash=sha256(code),
    )


def page_script(environment: jinja2.Environment) -> str:
    """Return the page's own code: sorting of tables, opening details for print."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, "report.js")[0]


def sha256(code: str) -> str:
    """Return the hash by which the page allows this code and no other."""
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def blocks_text(comparison: Comparison) -> str:
    """Return how many blocks were read, dropped and compared."""
    read, compared = comparison.scores, n_compared(comparison)
    text = f"{read.n_blocks}"
    if read.dropped.blocks:
        text += f" of {read.n_blocks + len(read.dropped.blocks)}, the others dropped"
    if comparison.plan.blocks == "folds-of-datasets":
        return f"{text}, folds of {compared} data sets"
    if compared != read.n_blocks:
        text += f" folds, averaged to {compared} data sets"
    if comparison.plan.blocks == "folds":
        text += ", folds of one data set"
        text += f" ({read.datasets[0]})" if read.datasets is not None else ""
    return text


MOST_RUNS = 20
"""Labels of runs that the page lists."""


def n_compared(comparison: Comparison) -> int:
    """Return how many blocks were compared, over all groups."""
    parts = [p for p in comparison.parts if p.group is not None] or comparison.parts
    return sum(part.compared.n_blocks for part in parts)


def group_rows(comparison: Comparison) -> list[tuple[str, str]]:
    """Return how many data sets each group has, if there are groups."""
    if not comparison.grouped:
        return []
    told = [
        f"{part.group}: {counted(part.compared.n_blocks, 'data set')}"
        for part in comparison.parts
        if part.group is not None
    ]
    return [(f"Groups, {len(told)}", "; ".join(told))]


def data_rows(comparison: Comparison, origin: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the description of the data."""
    scores = comparison.scores
    present = int(np.sum(~np.isnan(scores.values)))
    rows = [
        ("File", origin["file"] or "handed over in memory"),
        ("SHA-256 of the file", origin["file_sha256"] or "–"),
        ("SHA-256 of the scores", origin["scores_sha256"]),
        ("Blocks", blocks_text(comparison)),
        *group_rows(comparison),
        ("Algorithms", f"{scores.n_algorithms}: {', '.join(scores.algorithms)}"),
        ("Metrics", words.listing([words.direction(m) for m in scores.metrics])),
        ("Scores", f"{present} of {scores.values.size} cells"),
        *prediction_rows(comparison),
        ("Policy for missing cells", scores.missing),
    ]
    if scores.replicates is not None:
        shown = words.listing(scores.replicates[:MOST_RUNS])
        more = len(scores.replicates) - MOST_RUNS
        shown += f" and {more} more" if more > 0 else ""
        rows.append(("Runs in each cell", f"{len(scores.replicates)}: {shown}"))
    for index, metric in enumerate(scores.metrics):
        column = scores.values[..., index]
        low, high = np.nanmin(column), np.nanmax(column)
        rows.append((f"Range of {metric.name}", f"{number(low)} to {number(high)}"))
    return rows


def dropped(scores: Scores) -> list[str]:
    """Return what the missing policy left out, or that nothing was."""
    gone = scores.dropped
    if not gone.blocks and not gone.cells:
        return ["Nothing was dropped; no cell was missing."]
    sentences = []
    if gone.blocks:
        sentences.append(
            f"{counted(len(gone.blocks), 'block')} with missing cells "
            f"{were(len(gone.blocks))} dropped: "
            f"{', '.join(gone.blocks)}."
        )
    if gone.cells:
        shown = ", ".join(" / ".join(cell) for cell in gone.cells[:20])
        more = "" if len(gone.cells) <= 20 else f" and {len(gone.cells) - 20} more"
        count = len(gone.cells)
        told = f"{counted(count, 'cell')} {were(count)} missing"
        sentences.append(f"{told}: {shown}{more}.")
    return sentences
