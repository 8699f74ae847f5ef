"""A report in the order of statistical reports for submission.

The same results, tables and figures as on the page, under the headings that reviewers
look for: synopsis, objectives and estimands, analysis sets and exclusions, planned
methods, results, sensitivity analyses, assumptions, deviations, software and
validation, references, program listings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from pycompare.reporting import document as doc
from pycompare.reporting.bibliography import cited
from pycompare.reporting.content.page import (
    Report,
    bullets,
    firm_part,
    placed,
    sensitivity_part,
)
from pycompare.reporting.content.sources import origin_blocks, trail_blocks
from pycompare.reporting.evidence.manifest import Deviation
from pycompare.reporting.submission_words import Words

_ATTRIBUTES = {
    "Algorithms": "Treatments",
    "Modalities": "Treatments",
    "Metrics": "Variable",
    "Blocks": "Units of analysis",
    "Readers": "Readers",
    "Cases": "Cases",
    "Policy for missing cells": "Missing cells",
}
"""Names of the data among the attributes of an estimand."""
NO_PLAN = (
    "There is no plan file, so this report cannot show that the analysis was planned "
    "before the data were seen."
)
AS_PLANNED = "The plan file was followed without deviation."
_NONE_KNOWN = "No step was left out and nothing was excluded."
_VALIDATION = doc.Paragraph(
    (
        "Each method is compared with R, or with an independent derivation, in the "
        "package's own validation. ",
        doc.Literal("pycompare validate"),
        " repeats it on this machine.",
    )
)


def statistical_report(
    report: Report, deviations: Sequence[Deviation], words: Words
) -> doc.Document:
    """Return a report as a document for submission."""
    page = report.document()
    references = cited(_texts(page))
    question, *planned = [words.question] * bool(words.question) + [*report.plan]
    objectives = [doc.Paragraph(question), *_objectives(report, words)]
    software = [*origin_blocks(report.origin), _VALIDATION]
    parts: list[tuple[str, str, Sequence[doc.Block | None]]] = [
        ("Synopsis", "synopsis", list(_synopsis(report, words))),
        ("Objectives and estimands", "objectives", objectives),
        ("Analysis sets and exclusions", "sets", _sets(report)),
        (_methods_title(report), "methods", _methods(report, planned)),
        ("Results", "results", list(_results(report))),
        ("Sensitivity analyses", "sensitivity", list(_sensitivity(report))),
        ("Assumptions and limits", "limits", [bullets(report.assumptions)]),
        ("Amendments and deviations", "deviations", _deviations(report, deviations)),
        ("Software and validation", "software", software),
        ("References", "references", [bullets([r.text for r in references])]),
        ("Program listings", "listings", report.in_r()),
    ]
    numbered = (
        doc.Section(f"{place}. {title}", doc.present(*blocks), key)
        for place, (title, key, blocks) in enumerate(parts, start=1)
    )
    return doc.Document(
        title=report.title,
        subtitle=report.subtitle,
        blocks=tuple(numbered),
        generator=page.generator,
        date=page.date,
    )


def _methods_title(report: Report) -> str:
    """Return the heading of the methods; only a plan file shows they were planned."""
    planned = report.origin["plan_file"] is not None
    return "Planned methods" if planned else "Methods"


def _synopsis(report: Report, words: Words) -> Iterator[doc.Block | None]:
    """Yield the question, the answers and the scope: all on one page."""
    several = len(report.results) > 1
    for result in report.results:
        if result.answer:
            start = (doc.Strong(f"{result.title}: "),) if several else ()
            yield doc.Paragraph((*start, *doc.spans(result.answer)), "answer")
    yield doc.Facts(tuple(words.margin)) if words.margin else None
    yield _first_forest(report) or report.first_figure
    yield report.overview
    yield _scope(report)


def _first_forest(report: Report) -> doc.Forest | None:
    """Return the figure and table of the first result that has them."""
    forests = (result.forest for result in report.results if result.leading)
    return next((forest for forest in forests if forest is not None), None)


def _scope(report: Report) -> doc.Note | None:
    scope = bullets(report.scope)
    if scope is None:
        return None
    return doc.Note("Scope of the conclusions", (scope,), "caveat")


def _objectives(report: Report, words: Words) -> Iterator[doc.Block | None]:
    """Yield the attributes of the estimand."""
    known = [(_ATTRIBUTES[k], v) for k, v in report.data if k in _ATTRIBUTES]
    several = len(words.measures) > 1
    summary = [
        (f"Summary measure, {title}" if several else "Summary measure", measure)
        for title, measure in words.measures
    ]
    population = bullets(report.scope)
    several = len(words.estimands) > 1
    about = [
        (f"Estimand, {title}" if several else "Estimand", estimand.text)
        for title, estimand in words.estimands
    ]
    yield doc.Facts((*known, *words.attributes, *summary, *about))
    yield population and doc.Note("Population", (population,))


def _sets(report: Report) -> list[doc.Block | None]:
    """Return the data read, the compared and the omitted parts."""
    return [doc.Facts(tuple(report.data)), *map(doc.Paragraph, report.dropped)]


def _methods(report: Report, planned: Sequence[doc.Inline]) -> list[doc.Block | None]:
    """Return the plan, what a paper can take over, the methods with their errors."""
    return [bullets(planned), *report.paper, report.methods]


def _results(report: Report) -> Iterator[doc.Block | None]:
    """Yield every result with all its tables and figures."""
    several = len(report.results) > 1
    for place, result in enumerate(report.results, start=1):
        key = f"result{place}"
        lead = doc.Paragraph(result.answer, "answer") if result.answer else None
        method = doc.Paragraph(result.method, "method") if result.method else None
        drawn = None if result.figure is report.first_figure else result.figure
        shown = doc.present(drawn, result.small_table)
        if result.forest is not None:
            own = None if result.forest is _first_forest(report) else result.forest
            shown = doc.present(own, result.figure)
        blocks = doc.present(lead, method, *shown, *placed(result.blocks, key, result))
        if several:
            yield doc.Section(result.title, blocks, key)
        else:
            yield from blocks


def _sensitivity(report: Report) -> Iterator[doc.Block | None]:
    """Yield the other analyses of each result."""
    results = [result for result in report.results if result.firm or result.sensitivity]
    if not results:
        yield doc.Paragraph("There is no sensitivity analysis.")
    for place, result in enumerate(results, start=1):
        blocks = (*firm_part(result, f"firm{place}"), *sensitivity_part(result))
        if len(report.results) > 1:
            yield doc.Section(result.title, blocks, f"sensitivity{place}")
        else:
            yield from blocks


def _deviations(
    report: Report, deviations: Sequence[Deviation]
) -> list[doc.Block | None]:
    """Return the deviations from the plan."""
    planned = report.origin["plan_file"] is not None
    rows = [f"Planned: {d.planned}. Done: {d.done} ({d.why})." for d in deviations]
    none = AS_PLANNED if planned else _NONE_KNOWN
    return [
        None if planned else doc.Paragraph(NO_PLAN),
        *trail_blocks(report.origin),
        bullets(rows) or doc.Paragraph(none),
    ]


def _texts(page: doc.Document) -> str:
    """Return all words of a document in which sources may be named."""
    return "\n".join(chain.from_iterable(map(_words, doc.walk(page.blocks))))


def _words(block: doc.Block) -> Iterator[str]:
    """Yield the words of one block, without those of blocks within it."""
    if isinstance(block, doc.Paragraph):
        yield doc.plain(block.text)
    elif isinstance(block, doc.Bullets):
        yield from map(doc.plain, block.items)
    elif isinstance(block, doc.Table):
        yield doc.plain(block.caption)
        yield from (doc.plain(c.text) for row in block.cells() for c in row)
